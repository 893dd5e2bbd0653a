"""The lines of a text by number, with the places of their chunks: for what stands beside, above and below others."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from re import M, Match

from paxman.classes import record
from paxman.lazy import lazy_pattern
from paxman.types import Span

_DOTS = ("....", ". . .", "……", "····", "‧‧‧")
_ENTRY = lazy_pattern(
    r"(?<![.…·‧])(?<![.…·‧][ \t])(?:[.…·‧][ \t]{0,2}){3,}+[ \t]*+([0-9]{1,4}|[ivxlc]{1,7}|[A-Z]-[0-9]{1,3})[ \t]*$", M
)
_NUMBERING = lazy_pattern(r"(?:[\w§]{1,9}[ .])?[ \t]*(?:[0-9]{1,3}|[IVXLC]{1,6}|[A-Z])(?:[.)][0-9]{0,3})*[.):]?[ \t]+")
_MOST_BETWEEN = 3
"""Line ends between two entries: titles go on over lines, and groups stand apart."""
_LEAST_RISING = 4
_TURN_OF_PAGE = 12
_LONGEST = 200
_ABOVE = 400
"""Characters in which the title over the entries is looked for."""


def blank_contents(text: str) -> str:
    """The text with blanks for the entries of its table of contents, as long as before."""
    if not any(dots in text for dots in _DOTS):
        return text
    pieces: list[str] = []
    end = 0
    for start, stop in _contents(text):
        pieces += [text[end:start], " " * (stop - start)]
        end = stop
    return "".join([*pieces, text[end:]]) if pieces else text


def _contents(text: str) -> Iterator[Span]:
    """Entries below a title for contents, that go on from these, whose pages rise, or most of which are headings."""
    last, end, headings = -1, 0, frozenset[str]()
    for run in _runs(text):
        pages = [int(entry[1]) for entry in run if entry[1].isdigit()]
        if any(first > second for first, second in pairwise(pages)):
            continue
        spans = [(text.rfind("\n", 0, entry.start()) + 1, entry.end()) for entry in run]
        goes_on = 0 <= last <= (pages or [-1])[0] and text.count("\n", end, spans[0][0]) <= _TURN_OF_PAGE
        if not goes_on and not _rise(pages) and not _has_title(text, spans[0][0]):
            # The lines that may be headings; an entry itself is none, as it ends in a number.
            headings = headings or (frozenset(_bare(line) for line in text.splitlines() if len(line) < _LONGEST) - {""})
            titles = [_bare(text[start : entry.start()]) for (start, _), entry in zip(spans, run, strict=True)]
            if sum(title in headings for title in titles) * 2 < len(titles):
                continue
        last, end = pages[-1] if pages else last, spans[-1][1]
        yield from spans


def _rise(pages: list[int]) -> bool:
    """Whether so many numbers rise that they are pages, and the last is no sum of the others."""
    return len(pages) >= _LEAST_RISING and pages == sorted(set(pages)) and pages[-1] != sum(pages[:-1])


def _runs(text: str) -> Iterator[list[Match[str]]]:
    """Lines that end in dots and a page, those near each other together."""
    run: list[Match[str]] = []
    for entry in _ENTRY.finditer(text):
        if run and text.count("\n", run[-1].end(), entry.start()) > _MOST_BETWEEN:
            yield run
            run = []
        run.append(entry)
    if run:
        yield run


def _has_title(text: str, start: int) -> bool:
    above = text[max(start - _ABOVE, 0) : start].splitlines()
    return any(" ".join(line.split()).strip(":.- ").lower() in _titles() for line in above)


@cache
def _titles() -> frozenset[str]:
    lines = (Path(__file__).parent / "data" / "contents_words.txt").read_text("utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def _bare(line: str) -> str:
    """A heading without its number, in small letters."""
    line = line.strip()
    if numbering := _NUMBERING.match(line):
        line = line[numbering.end() :]
    return " ".join(line.split()).strip(".:- ").casefold()


_CHUNK = lazy_pattern(r"\S+(?:[ \xa0\u2009\u200a\u202f]\S+)*")
_WIDE = lazy_pattern(
    "[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]"
)
_LONGEST_WIDE = 1000
_KEPT_BAR = lazy_pattern(r"\\\||`[^`\s]*`|(\|)")
_BARS = str.maketrans("│┃║", "\t\t\t")
_FRAME = lazy_pattern("^[ \t]*+[\u2500-\u257f]++[ \t]*+$", re.M)
_RULES = str.maketrans({char: "-" if chr(char) in "─━═╌╍┄┅┈┉" else "\t" for char in range(0x2500, 0x2580)})


def bars_to_tabs(text: str) -> str:
    """The same text, of the same length, with bars between columns as tabs; one that is escaped or in code is none."""
    if not text.isascii() and any(bar in text for bar in "│┃║"):
        text = _FRAME.sub(lambda line: line[0].translate(_RULES), text).translate(_BARS)
    if "\\|" in text or ("`" in text and "|" in text):
        return _KEPT_BAR.sub(lambda found: "\t" if found[1] else found[0], text)
    return text.replace("|", "\t")


def bars_outside_rows(text: str) -> str:
    """The same, but for lines whose cells tabs part: a bar in one of these is part of a text."""
    if "|" not in text or "\t" not in text:
        return bars_to_tabs(text)
    return "".join(line if "\t" in line else bars_to_tabs(line) for line in text.splitlines(keepends=True))


@record
class VisualLine:
    """A line of a page: its place in the text and its chunks, which column gaps part."""

    start: int
    end: int
    chunks: tuple[Span, ...]


class _Lines(dict[int, VisualLine]):
    """Lines by number, each made when it is first asked for."""

    def __init__(self, text: str, starts: list[int]) -> None:
        super().__init__()
        self._text, self._starts = text, starts

    def __missing__(self, index: int) -> VisualLine:
        start = self._starts[index]
        end = self._starts[index + 1] - 1 if index + 1 < len(self._starts) else len(self._text)
        line = self[index] = VisualLine(start, end, tuple(map(re.Match.span, _CHUNK.finditer(self._text, start, end))))
        return line


class VisualLines:
    """The lines of a text; chunks are found when a line is asked for."""

    def __init__(self, text: str, *, is_set: bool = False) -> None:
        """`is_set` says that columns were made by counting characters, as when pages with places are set as text."""
        self.text = text
        self._narrow = is_set or text.isascii() or _WIDE.search(text) is None
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self.line = _Lines(text, self._starts).__getitem__

    def __len__(self) -> int:
        return len(self._starts)

    def line_at(self, position: int) -> int:
        return bisect_right(self._starts, position) - 1

    def column(self, start: int, position: int) -> int:
        """How far a position is from the start of its line on a screen, where some characters take two places."""
        if self._narrow:
            return position - start
        return position - start + len(_WIDE.findall(self.text, start, min(position, start + _LONGEST_WIDE)))


_MOST_LABEL = 60
# Dots between two figures are a range: "0 ... +35 °C".
_LEADER = lazy_pattern(r"(\d(?: ?[°%]?[A-Za-zµΩ]{0,2})? ?(?:\.{3}|…) ?[-+−±]?\d)|\.{3,}|(?:\. ){3,}|…+|_{3,}|·{3,}")
# Not the colon of a time, a ratio, a web address or a path.
_COLON = lazy_pattern(r"[:：](?=\s|\Z|[^\s/\d:\\])|(?<=[^\W\d])[:：](?=\d)|(?<=[.)#°])[:：](?=\d)")
_EQUALS = lazy_pattern(r"(?<![=<>!~])=(?![=~])")
# All that may begin it stands first, for other places are passed over fast then.
_NUMBER_SIGN = lazy_pattern(r"[#№nN](?:(?<=[#№])|(?<!\w[nN])(?:°|[oOrR]\.))(?= ?[^\s\d]{0,8}\d)")

Separator = tuple[int, int]
"""Where label and value part inside a chunk: the end of the label and the start of the value."""


def gaps_to_tabs(text: str) -> str:
    """The same text, of the same length, with bars and dotted leaders as tabs."""
    text = bars_to_tabs(text)
    if any(leader in text for leader in ("...", "…", "___", ". . .", "···")):
        text = _LEADER.sub(lambda leader: leader[1] or "\t" * len(leader[0]), text)
    return text


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
    return found if found and start < found[0] <= start + _MOST_LABEL else None


def _colon_or_equals(text: str, start: int, end: int, colon: int) -> Match[str] | None:
    has_colon = colon >= 0 or text.find("：", start, end) >= 0
    match = _COLON.search(text, start, end) if has_colon else None
    return match or (_EQUALS.search(text, start, end) if text.find("=", start, end) >= 0 else None)
