"""Captions of a blank form: the fields that a filled one would have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from paxman.api.draft_names import usual_type
from paxman.api.draft_payloads import field_of, unique
from paxman.currencies import MINOR_UNITS
from paxman.documents.document import Document
from paxman.page.names import Name, page_of
from paxman.recognizers.booleans_and_enums import means_truth

_RULE = re.compile(r"_{3,}|\.{4,}|…{2,}|\t{3,}")
"""A rule to write on; readers of text leave tabs in its place."""
_BOX = re.compile(r"\[[ xX✓✔]{0,3}\]|[☐□▢○◯☑☒]")
_SIGNS = re.compile(r"[\s:：_.…/|\[\]()–—-]+")
_LONGEST = 60
_MANY = 3
"""Captions with nothing behind them from which a page is a form; before that they may be headings."""


def blank_fields(document: Document) -> list[dict[str, Any]]:
    """An optional field for each caption that has room for a value and none in it."""
    found = list(_rooms(document))
    empty = [name for name, room in found if not name.places and room.strip() in (":", "：")]
    many = len(empty) >= _MANY
    return unique(
        field
        for name, room in found
        if (field := _field(name, room)) and (_RULE.search(room) or _BOX.search(room) or (many and name in empty))
    )


def _rooms(document: Document) -> Iterator[tuple[Name, str]]:
    """The names of a page, each with what stands behind it before the next name or the end of the line."""
    page = page_of(document)
    names = sorted(filter(_is_caption, page.names), key=lambda name: name.span)
    ends = [later.span[0] for _, later in pairwise(names)]
    for name, end in zip(names, [*ends, len(page.text)], strict=False):
        yield name, page.text[name.span[1] : max(end, name.span[1])].partition("\n")[0]


def _is_caption(name: Name) -> bool:
    fits = len(name.text) <= _LONGEST and name.text[:1].isalpha() and not name.text[:1].islower()
    return fits and name.text not in MINOR_UNITS and means_truth(name.text) is None


def _field(name: Name, room: str) -> dict[str, Any] | None:
    """The field of a caption; none if something is filled in."""
    parts = (_SIGNS.sub(" ", part).strip() for part in _BOX.split(room)[1:])
    choices = [*dict.fromkeys(part for part in parts if 0 < len(part) <= _LONGEST)]
    if len(choices) > 1 and not _SIGNS.sub("", _BOX.split(room)[0]):
        return {**field_of(name.text, "ENUM", required=False), "enum_values": choices}
    left = _SIGNS.sub("", _BOX.sub("", room))
    if left and left not in MINOR_UNITS:
        return None
    kind = "MONEY" if left else "BOOLEAN" if _BOX.search(room) else usual_type(name.text)
    return field_of(name.text, kind, required=False)
