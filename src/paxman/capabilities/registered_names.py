"""The issuer at the foot of a page: a company with its capital behind it."""

from __future__ import annotations

from collections.abc import Iterable

from paxman.capabilities import line_shapes as shapes
from paxman.capabilities.page_lines import Line
from paxman.capabilities.vocabulary import pattern
from paxman.types import Span


def registered_name(lines: Iterable[Line]) -> Span | None:
    """Where the first company stands that names its capital."""
    capital = pattern(r"[ ,]{1,3}(?:{capital})\b")
    for chunk in (chunk for line in lines if capital.search(line.text) for chunk in line.chunks):
        end = shapes.legal_end(chunk.text)
        if end and capital.match(chunk.text, end):
            return chunk.start, chunk.start + end
    return None
