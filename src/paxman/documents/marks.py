"""What markup says about stretches of a text, tidied: without white space, nested bold print or items inside items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from paxman.documents.document import Mark
from paxman.types import Span


def tidy_marks(text: str, marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """Marks in the order of the text, the outer before the inner.

    An item ends where one inside it starts; bold print that goes on is one run, unless a label ends.
    """
    trimmed = (attrs.evolve(mark, span=_trim(text, mark.span)) for mark in marks)
    found = sorted({mark for mark in trimmed if mark.span[0] < mark.span[1]}, key=_order)
    strong = tuple(_joined(text, (mark for mark in found if mark.kind == "strong")))
    items = tuple(_cut(text, [mark for mark in found if mark.kind == "item"]))
    others = (mark for mark in found if mark.kind not in ("strong", "item"))
    return tuple(sorted((*others, *items, *strong), key=_order))


_OUTER_FIRST = ("quote", "item", "box", "term", "caption", "heading", "paragraph", "code", "link", "strong", "called")


def _order(mark: Mark) -> tuple[int, int, int, int]:
    return mark.span[0], -mark.span[1], _OUTER_FIRST.index(mark.kind), mark.level


def _trim(text: str, span: Span) -> Span:
    start, end = span
    piece = text[start:end]
    return (end - len(piece.lstrip()), start + len(piece.rstrip())) if piece.strip() else (start, start)


def _joined(text: str, runs: Iterable[Mark]) -> Iterator[Mark]:
    last: Mark | None = None
    for mark in runs:
        if last is None:
            last = mark
        elif mark.span[0] < last.span[1] or (
            not text[last.span[1] : mark.span[0]].strip(" ") and text[last.span[1] - 1] not in ":："
        ):
            last = Mark("strong", (last.span[0], max(last.span[1], mark.span[1])))
        else:
            yield last
            last = mark
    if last:
        yield last


def _cut(text: str, items: list[Mark]) -> Iterator[Mark]:
    for place, mark in enumerate(items):
        inner = items[place + 1].span[0] if place + 1 < len(items) else mark.span[1]
        span = _trim(text, (mark.span[0], min(mark.span[1], inner)))
        if span[0] < span[1]:
            yield Mark("item", span, mark.level)
