"""Collects the text of an office document line by line, with a path for each paragraph and cell."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from defusedxml.ElementTree import fromstring

from paxman.documents.sandbox.helper import UnreadableError, describe
from paxman.documents.superscripts import REACH, write_raised
from paxman.types import RAISED

UP, STRIKE, END, DOWN = "\0\1\2\3"
"""Stand around raised and struck-out text while a paragraph is read; no XML holds them."""
_STRUCK = re.compile(f"{STRIKE}[^{END}]*{END}")
_RAISED = re.compile(f"{UP}([^{UP}{DOWN}]*){DOWN}")
_SPACE = re.compile(rf"[^\S{RAISED}]+")

Place = tuple[int, int]
Box = tuple[float, float, float]
"""Top, left and height of a shape."""
Shape = TypeVar("Shape")


@contextmanager
def taking_apart(what: str, program: str) -> Iterator[None]:
    """What breaks while a file is taken apart is a file that is damaged."""
    try:
        yield
    except RecursionError:
        raise too_deep() from None
    except (zipfile.BadZipFile, SyntaxError, ValueError, KeyError, NotImplementedError, RuntimeError) as error:
        advice = f"It may be cut off or damaged: save it anew with {program}"
        raise UnreadableError(f"this is not {what} that can be read ({describe(error)})", advice) from None


class Writer:
    """The text so far, where its paragraphs and cells stand, its tables and its marks."""

    def __init__(self) -> None:
        self.marks: list[tuple[str, int, int, int]] = []
        self.pieces: list[str] = []
        self.length = 0
        self.places: list[tuple[int, str]] = []
        self.tables: list[list[list[Place]]] = []
        self.merged: list[tuple[int, Place]] = []
        """Places of cells that go on with one above, and the place of its text."""
        self.struck = 0
        self.pages: list[tuple[int, int, int]] = []
        """Number, start and end of each slide."""

    def meta(self, unpacked: int) -> dict[str, Any]:
        """What a document is made from, beside its text."""
        names = ("places", "tables", "merged", "struck", "marks", "pages")
        return {**{name: getattr(self, name) for name in names}, "steps": unpacked // 4}

    def text(self) -> bytes:
        return "".join(self.pieces).encode("utf-8", "replace")

    def shown(self, texts: Iterator[str]) -> str:
        """The text of a paragraph or cell, without what is struck out beside what is not."""
        text = "".join(texts)
        if STRIKE in text:
            kept, count = _STRUCK.subn("", text)
            text, self.struck = (kept, self.struck + count) if kept.strip() else (text, self.struck)
            text = text.replace(STRIKE, "").replace(END, "")
        return _part_raised(text) if UP in text else text

    def add_line(self, cells: list[tuple[str, str]]) -> list[Place]:
        """A line of texts with their paths, a tab between them; where each stands."""
        spans = []
        for number, (text, path) in enumerate(cells):
            self._write("\t" if number else "")
            self.places.append((self.length, path))
            spans.append((self.length, self.length + len(text)))
            self._write(text)
        self._write("\n")
        return spans

    def mark_runs(self, runs: Iterator[str], text: str, start: int) -> None:
        """Bold runs are sought in the text that they are part of, one behind the other."""
        end = 0
        for run in runs:
            found = text.find(run, end)
            if found >= 0:
                end = found + len(run)
                self.marks.append(("strong", start + found, start + end, 0))

    def _write(self, text: str) -> None:
        self.pieces.append(text)
        self.length += len(text)


def with_dots(entry: str) -> str:
    """An entry of a table of contents as it is shown, with dots before the page."""
    title, tab, page = entry.rpartition("\t")
    return f"{title} ..... {page}" if tab else entry


def folded(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


def _part_raised(text: str) -> str:
    """Raised figures, as of footnotes and cents, are no digits of the number before them."""
    joined = text.replace(DOWN + UP, "")
    return _RAISED.sub(lambda found: write_raised(_before(found), found[1]), joined)


def _before(found: re.Match[str]) -> str:
    before = found.string[max(found.start() - REACH, 0) : found.start()]
    return before.replace(UP, "").replace(DOWN, "")


def member(archive: zipfile.ZipFile, name: str, room: int) -> bytes:
    """A member, but never more of it than allowed, whatever size it claims."""
    try:
        with archive.open(name) as stream:
            content = stream.read(room + 1)
    except (EOFError, zlib.error) as error:
        raise zipfile.BadZipFile(str(error) or f"{name} is cut off") from None
    if len(content) > room:
        raise UnreadableError(
            f"{name} unpacks to more than {room} bytes", "Allow more with Limits(max_unpacked_bytes=...)"
        )
    return content


def parse_xml(content: bytes) -> Any:
    """The root of a part; what is no XML, or says that it is written in an encoding that there is not, is no value."""
    try:
        return fromstring(content)
    except LookupError as error:
        raise ValueError(str(error)) from None


def in_rows(shapes: Iterable[tuple[Box | None, Shape]]) -> Iterator[list[Shape]]:
    """Shapes from the top down, those of one height together from the left; those without a place come first."""
    known = [*shapes]
    yield from ([shape] for box, shape in known if box is None)
    row: list[tuple[Box, Shape]] = []
    for box, shape in sorted(((box, shape) for box, shape in known if box), key=lambda each: each[0]):
        if row and box[0] > row[0][0][0] + min(row[0][0][2], box[2]) / 2:
            yield [each for _, each in sorted(row, key=lambda each: each[0][1])]
            row = []
        row.append((box, shape))
    if row:
        yield [each for _, each in sorted(row, key=lambda each: each[0][1])]


def local_name(element: Any) -> str:
    """The name of an element without its namespace."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def attribute(element: Any, wanted: str) -> str:
    """An attribute by its name without namespace."""
    return next((value for name, value in element.attrib.items() if name.rpartition("}")[2] == wanted), "")


def numbered(element: Any) -> Iterator[tuple[Any, str]]:
    """Children with their step in a path, such as /tbl[2]."""
    counts: dict[str, int] = {}
    for child in element:
        name = local_name(child)
        counts[name] = counts.get(name, 0) + 1
        yield child, f"/{name}[{counts[name]}]"


def too_deep() -> UnreadableError:
    advice = "Save it anew with an office program, or allow more with Limits(max_depth=...)"
    return UnreadableError("the elements of the document are nested too deep", advice)
