"""Labels with their values, as the markup of a page shows them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from paxman.documents.document import Pair
from paxman.documents.html_grids import Grid
from paxman.types import Span

_REST_OF_LINE = re.compile(r"[^\n\t]{0,2000}+(?=[\n\t]|\Z)")
"""No longer, because a line may hold a label every few characters."""


def marked_pairs(text: str, grids: list[Grid], terms: list[tuple[str, Span]], labels: list[Span]) -> list[Pair]:
    """Pairs in rows of two cells, in definition lists, and of labels with what follows them in their line."""
    rows = (row for grid in grids for row in grid.rows if len(row) == 2 and not row[1][1])
    # In bold, or marked as a label.
    rests = ((span, _REST_OF_LINE.match(text, span[1])) for span in labels)
    return [
        *_make_pairs(text, ((row[0][0], row[1][0]) for row in rows)),
        *_make_pairs(text, _defined(terms)),
        *_make_pairs(text, ((span, rest.span()) for span, rest in rests if rest)),
    ]


def _defined(terms: list[tuple[str, Span]]) -> list[tuple[Span, Span]]:
    spans, label = [], None
    for name, span in terms:
        if name == "dt":
            label = span
        elif label:
            spans.append((label, span))
    return spans


def _make_pairs(text: str, spans: Iterable[tuple[Span, Span]]) -> list[Pair]:
    pairs = []
    for label, value in spans:
        label, value = trim(text, label), trim(text, value)
        name = text[slice(*label)].rstrip(" :：")
        if name and len(name) <= 80 and "\n" not in name and value[0] < value[1]:
            pairs.append(Pair(name, (label[0], label[0] + len(name)), value))
    return pairs


def trim(text: str, span: Span) -> Span:
    """A span without the white space at its ends."""
    start, end = span
    piece = text[start:end]
    return (end - len(piece.lstrip()), start + len(piece.rstrip())) if not piece.isspace() else (start, start)
