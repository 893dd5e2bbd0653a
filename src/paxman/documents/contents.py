"""Lines of a table of contents, which name a page and no value: "Governing Law ..... 19"."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from re import M, Match

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
            headings = headings or _headings(text)
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


def _headings(text: str) -> frozenset[str]:
    """The lines that may be headings; an entry itself is none, as it ends in a number."""
    return frozenset(_bare(line) for line in text.splitlines() if len(line) < _LONGEST) - {""}


def _bare(line: str) -> str:
    """A heading without its number, in small letters."""
    line = line.strip()
    if numbering := _NUMBERING.match(line):
        line = line[numbering.end() :]
    return " ".join(line.split()).strip(".:- ").casefold()
