"""Forms, filled in or blank: captions with their boxes, labels and values in two columns, and rules to write on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from paxman.api.draft_names import usual_type
from paxman.api.draft_payloads import field_of, unique
from paxman.currencies import MINOR_UNITS
from paxman.documents.document import Document
from paxman.finding.captions import OWN_LABEL, boxes_below
from paxman.page.lines import PageLine
from paxman.page.names import Name, Page, page_of
from paxman.recognizers.booleans_and_enums import means_truth
from paxman.types import Span

Known = Callable[[str], bool]
_LEAST_CAPTIONS, _LEAST_LED, _LEAST_STACKED = 2, 2, 3
_MOST_WORDS = 5
_KNOWN_SHARE = 3
"""One in so many labels of a form is one that some trade uses; an unknown word may stand over anything."""
_NEAR = 1


def boxed_pairs(page: Page, is_known: Known) -> Iterator[tuple[Span, Span]]:
    """Captions that trades use, each with what stands in its box."""
    heads = {line.number for line in page.lines if _is_head(page, line, is_known)}
    closed = {number for number in heads if _is_closed(page, number, heads)}
    for _, caption, box in boxes_below(page, heads):
        if page.lines.at(caption[0]) in closed:
            yield caption, box
    led = [(line, found) for line in page.lines if (found := _led_cells(page, line, is_known))]
    if len(led) >= _LEAST_LED:
        for _, pairs in led:
            yield from pairs


def stacked_labels(page: Page, is_label: Known, is_known: Known) -> frozenset[Span]:
    """Labels below each other that each have their value in a second column."""
    found, run = set[Span](), list[PageLine]()
    for line in (*page.lines, None):
        if line and len(line.cells) == 2 and (not run or _goes_on(page, run[-1], line)):
            run.append(line)
            continue
        texts = [page.text[slice(*each.cells[0])] for each in run]
        known = sum(map(is_known, texts))
        distinct = len(run) >= _LEAST_STACKED and len(set(texts)) == len(texts) and all(map(is_label, texts))
        if distinct and known * _KNOWN_SHARE >= len(texts):
            found.update(each.cells[0] for each in run)
        run = [line] if line and len(line.cells) == 2 else []
    return frozenset(found)


def _goes_on(page: Page, above: PageLine, line: PageLine) -> bool:
    lines = page.lines
    edges = (lines.column(above, above.cells[1][0]), lines.column(line, line.cells[1][0]))
    return not line.blank and (line.gridded == above.gridded) and (line.gridded or abs(edges[0] - edges[1]) <= _NEAR)


def _is_head(page: Page, line: PageLine, is_known: Known) -> bool:
    """Whether a line is captions side by side."""
    texts = [page.text[slice(*cell)] for cell in line.cells]
    return len(texts) >= _LEAST_CAPTIONS and sum(map(is_known, texts)) >= max(_LEAST_CAPTIONS, len(texts) - 1)


def _is_closed(page: Page, number: int, heads: set[int]) -> bool:
    """Whether a row of captions has one row of values, which may take several lines: below it others have theirs."""
    if number + 1 >= len(page.lines) or number + 1 in heads:
        return number - 1 >= 0 and number - 1 not in heads
    for line in page.lines.after(number + 1, len(page.lines)):
        if line.blank or line.number in heads:
            return True
        if len(line.cells) >= _LEAST_CAPTIONS:
            return False
    return True


def _led_cells(page: Page, line: PageLine, is_known: Known) -> Sequence[tuple[Span, Span]]:
    """The captions that all cells of a line begin with, each with the rest of its cell."""
    cuts = [_cut(page, cell, is_known) for cell in line.cells] if len(line.cells) >= _LEAST_CAPTIONS else []
    return [cut for cut in cuts if cut] if all(cuts) else []


def _cut(page: Page, cell: Span, is_known: Known) -> tuple[Span, Span] | None:
    """The longest caption that a cell begins with, and the rest."""
    text = page.text[slice(*cell)]
    words = text.split(" ")
    for count in (
        range(min(len(words) - 1, _MOST_WORDS), 0, -1) if not (is_known(text) or OWN_LABEL.match(text)) else ()
    ):
        said = " ".join(words[:count])
        if said[-1:] not in ":=" and is_known(said):
            return (cell[0], cell[0] + len(said)), (cell[0] + len(said) + 1, cell[1])
    return None


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
