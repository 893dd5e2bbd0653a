"""The lines of a text one by one, however long it is: for the pairs and tables that are found as it is read.

What looks around in a text has its lines by number, from `visual_lines`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from re import Match
from typing import NamedTuple

from paxman.documents.contents import blank_contents
from paxman.documents.reading import allowance, cut_short
from paxman.documents.visual_lines import bars_to_tabs
from paxman.lazy import lazy_pattern
from paxman.types import Severity, Span

MAX_LABEL = 60
MAX_CHUNKS = 64
_BLOCK = 50_000
_CHARACTERS_A_STEP = 2

# A chunk is text without a column gap: words with single spaces between them.
_CHUNK = lazy_pattern(r"\S+(?:[ \xa0]\S+)*")
# Dots between two figures are a range: "0 ... +35 °C".
_LEADER = lazy_pattern(r"(\d(?: ?[°%]?[A-Za-zµΩ]{0,2})? ?(?:\.{3}|…) ?[-+−±]?\d)|\.{3,}|(?:\. ){3,}|…+|_{3,}|·{3,}")
# Not the colon of a time, a ratio, a web address or a path.
COLON = lazy_pattern(r"[:：](?=\s|\Z|[^\s/\d:\\])|(?<=[^\W\d])[:：](?=\d)|(?<=[.)#°])[:：](?=\d)")
_EQUALS = lazy_pattern(r"(?<![=<>!~])=(?![=~])")
_SIGN = lazy_pattern(r"[#№：]|[nN](?:°|[oOrR]\.)")
# All that may begin it stands first, for other places are passed over fast then.
_NUMBER_SIGN = lazy_pattern(r"[#№nN](?:(?<=[#№])|(?<!\w[nN])(?:°|[oOrR]\.))(?= ?[^\s\d]{0,8}\d)")

Separator = tuple[int, int]
"""Where label and value part inside a chunk: the end of the label and the start of the value."""


class SplitLine(NamedTuple):
    """A line with its chunks, and what parts label from value in them; spans count from its start."""

    offset: int
    text: str
    chunks: list[Span]
    separators: list[Separator | None] | None
    """For each chunk, when any chunk has one."""


def lines_to_search(text: str, sought: str) -> Iterator[tuple[int, str]]:
    """The lines with gaps as tabs and their offsets, until the steps for them are used up."""
    left, offset = allowance(), 0
    work = left.work(50)
    for block in _blocks(blank_contents(text)):
        if not work.take(len(block) // _CHARACTERS_A_STEP + 1):
            break
        for line in gaps_to_tabs(block).split("\n"):
            yield offset, line
            offset += len(line) + 1
    if work.is_over:
        kept = f"the first {offset} characters were searched for {sought}"
        left.notes.append(cut_short(kept, "max_steps", Severity.WARNING))


def _blocks(text: str) -> Iterator[str]:
    """Whole lines of a text, many at once, so that a huge text is never held twice."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + _BLOCK)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end + 1


def gaps_to_tabs(text: str) -> str:
    """The same text, of the same length, with bars and dotted leaders as tabs."""
    text = bars_to_tabs(text)
    if any(leader in text for leader in ("...", "…", "___", ". . .", "···")):
        text = _LEADER.sub(lambda leader: leader[1] or "\t" * len(leader[0]), text)
    return text


def split_line(text: str, offset: int, *, signs: bool = False) -> SplitLine:
    """The chunks of a line and what parts label from value in each; of a line that has too many, only some.

    With `signs`, that of a number is enough.
    """
    gap = "  " in text or "\t" in text
    chunks = _chunks(text) if gap else _single_chunk(text)
    is_parted = ":" in text or "=" in text or (signs and _SIGN.search(text) is not None)
    return SplitLine(offset, text, chunks, _separators(text, chunks) if is_parted else None)


def _separators(text: str, chunks: list[Span]) -> list[Separator | None] | None:
    found = [find_separator(text, *chunk) for chunk in chunks]
    return found if any(found) else None


def _chunks(text: str) -> list[Span]:
    return [match.span() for match in islice(_CHUNK.finditer(text), 4 * MAX_CHUNKS + 1)]


def _single_chunk(text: str) -> list[Span]:
    kept = text.strip()
    start = text.find(kept)
    return [(start, start + len(kept))] if kept else []


def find_separator(text: str, start: int, end: int) -> Separator | None:
    """The colon, equals or number sign that parts label from value within a chunk."""
    colon = text.find(":", start, end)
    if colon > start and (colon + 1 == end or text[colon + 1] == " "):
        found: Span | None = (colon, colon + 1)
    elif match := _colon_or_equals(text, start, end, colon):
        found = match.span()
    else:
        match = _NUMBER_SIGN.search(text, start, end)
        found = (match.end(), match.end()) if match else None
    return found if found and start < found[0] <= start + MAX_LABEL else None


def _colon_or_equals(text: str, start: int, end: int, colon: int) -> Match[str] | None:
    has_colon = colon >= 0 or text.find("：", start, end) >= 0
    match = COLON.search(text, start, end) if has_colon else None
    return match or (_EQUALS.search(text, start, end) if text.find("=", start, end) >= 0 else None)
