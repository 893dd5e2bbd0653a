"""The label of a list: before a colon, as the first chunk of a line or as the whole of it."""

from __future__ import annotations

import attrs

from paxman.documents.heading_words import tokens_of
from paxman.documents.visual_lines import VisualLines
from paxman.lazy import lazy_pattern

LONGEST_LABEL = 60
LEAD = lazy_pattern(r"(#{1,6}[ \t]+|[-*•>][ \t]+)?(\*\*|__)?")
_COUNT = lazy_pattern(r"[ \t]*[(\[]\d{1,4}[)\]][ \t]*\Z")
_COLON = lazy_pattern(r"[ \t\xa0]?[:：][ \t*_]*")


@attrs.frozen
class Head:
    """A label of a list: its line, where it starts, where what follows it stands, and how plainly it is a label."""

    line: int
    start: int
    end: int
    content: int
    has_colon: bool
    is_title: bool
    """Whether signs or capitals set it off as the title of what stands below it."""


def find_head(page: VisualLines, index: int, labels: frozenset[str]) -> Head | None:
    """The label that begins a line: before a colon, as its first chunk or as the whole of it."""
    line = page.line(index)
    if not line.chunks:
        return None
    lead = LEAD.match(page.text, line.chunks[0][0], line.end)
    assert lead is not None
    start, stop = lead.end(), min(line.end, lead.end() + LONGEST_LABEL)
    colon = _COLON.search(page.text, start, stop)
    if colon and label_key(page.text, start, colon.start()) in labels:
        return Head(index, start, colon.start(), min(colon.end(), line.end), True, bool(lead[1] or lead[2]))
    end = line.chunks[0][1]
    if end > stop or label_key(page.text, start, end) not in labels:
        return None
    content = line.chunks[1][0] if len(line.chunks) > 1 else line.end
    return Head(index, start, end, content, False, bool(lead[1] or lead[2]) or page.text[start:end].isupper())


def label_key(text: str, start: int, end: int) -> str:
    """A label as labels are compared, without the number of items behind it."""
    count = _COUNT.search(text, start, end)
    return "".join(token.key for token in tokens_of(text, start, count.start() if count else end))
