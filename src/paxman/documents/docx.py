"""Word documents: paragraphs and tables in their order; runs in the helper process only."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any

from defusedxml.ElementTree import fromstring

from paxman.documents.helper import UnreadableError, describe

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
_SKIPPED = ("Fallback", "instrText", "del", "delText", "moveFrom", "rPr", "pPr")
"""Copies for older programs, field codes, text that was deleted or moved elsewhere, and properties."""
_MOST_COLUMNS = 63
_WRAPPERS = ("sdt", "sdtContent", "customXml", "ins", "moveTo")
_BREAKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


def extract(data: bytes, options: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
    """The text, the place where each paragraph or cell starts and its path, and the spans of all cells of tables."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        writer = _Writer()
        for name in _parts(archive.namelist()):
            root = fromstring(_content(archive, name, options["max_unpacked_bytes"]))
            writer.add_blocks(root, f"/{name}/{_name(root)}[1]", options["max_depth"])
    except RecursionError:
        raise _too_deep() from None
    except (zipfile.BadZipFile, SyntaxError, ValueError, KeyError, NotImplementedError, RuntimeError) as error:
        advice = "It may be cut off or damaged: save it anew with a word processor"
        raise UnreadableError(f"this is not a Word document that can be read ({describe(error)})", advice) from None
    meta = {"places": writer.places, "tables": writer.tables, "merged": writer.merged}
    return meta, ["".join(writer.pieces).encode("utf-8", "replace")]


def _too_deep() -> UnreadableError:
    advice = "Save it anew with a word processor, or allow more with Limits(max_depth=...)"
    return UnreadableError("the elements of the Word document are nested too deep", advice)


def _parts(names: list[str]) -> list[str]:
    """Parts in the order of reading: headers, the body, notes, footers."""
    order = ("header", "document", "footnotes", "endnotes", "footer")
    found = [(order.index(kind), len(name), name) for name in names if (kind := _kind(name)) in order]
    # The shorter name first: header2 before header10.
    return [name for _, _, name in sorted(found)]


def _kind(name: str) -> str:
    folder, _, file = name.rpartition("/")
    return file.removesuffix(".xml").rstrip("0123456789") if folder == "word" and file.endswith(".xml") else ""


def _content(archive: zipfile.ZipFile, name: str, room: int) -> bytes:
    """A member, but never more of it than allowed, whatever size it claims."""
    with archive.open(name) as member:
        content = member.read(room + 1)
    if len(content) > room:
        raise UnreadableError(
            f"{name} unpacks to more than {room} bytes", "Allow more with Limits(max_unpacked_bytes=...)"
        )
    return content


class _Writer:
    """Collects the text, block by block."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0
        self.places: list[tuple[int, str]] = []
        self.tables: list[list[list[tuple[int, int]]]] = []
        self.merged: list[tuple[int, tuple[int, int]]] = []
        """Places of cells that go on with one above, and the place of its text."""

    def add_blocks(self, element: Any, path: str, depth: int) -> None:
        """Paragraphs and tables below an element, so many levels down; what only wraps them does not count."""
        if depth < 0:
            raise _too_deep()
        for child, step in _numbered(element):
            name = _name(child)
            if name == "p":
                self._add_line([(_paragraph_text(child), path + step)])
            elif name == "tbl":
                self._add_table(child, path + step)
            elif name not in _SKIPPED:
                self.add_blocks(child, path + step, depth - 1)

    def _add_table(self, table: Any, path: str) -> None:
        rows = []
        above: dict[int, tuple[int, int]] = {}
        for row, row_path in _inner(table, "tr", path):
            cells = list(_inner(row, "tc", row_path))
            if cells and not _is_deleted(row):
                spans = self._add_line([(_cell_text(cell), cell_path) for cell, cell_path in cells])
                rows.append(self._placed(row, [cell for cell, _ in cells], spans, above))
        self.tables.append(rows)

    def _placed(
        self, row: Any, cells: list[Any], spans: list[tuple[int, int]], above: dict[int, tuple[int, int]]
    ) -> list[tuple[int, int]]:
        """The cells of a row in the columns of their table, with nothing in those that a cell spans besides its first.

        `above` has, by column, the text that cells below go on with.
        """
        start = spans[0][0]
        placed = [(start, start)] * _count(row, "trPr", "gridBefore", 0)
        for cell, span in zip(cells, spans, strict=True):
            self._note_merged(cell, span, above, len(placed))
            placed += [span, *[(span[1], span[1])] * (_count(cell, "tcPr", "gridSpan", 1) - 1)]
        # A title that fills its row alone is no row of cells.
        return placed if len(cells) > 1 else spans

    def _note_merged(self, cell: Any, span: tuple[int, int], above: dict[int, tuple[int, int]], column: int) -> None:
        merge = _property(cell, "tcPr", "vMerge")
        if merge is None or _value(merge) == "restart":
            above[column] = span
        elif column in above:
            self.merged.append((span[0], above[column]))

    def _add_line(self, cells: list[tuple[str, str]]) -> list[tuple[int, int]]:
        spans = []
        for number, (text, path) in enumerate(cells):
            self._write("\t" if number else "")
            self.places.append((self.length, path))
            spans.append((self.length, self.length + len(text)))
            self._write(text)
        self._write("\n")
        return spans

    def _write(self, text: str) -> None:
        self.pieces.append(text)
        self.length += len(text)


def _name(element: Any) -> str:
    """The local name of an element of a Word document, with what lies in another namespace marked."""
    tag = element.tag if isinstance(element.tag, str) else ""
    return tag.removeprefix(_WORD).removeprefix(_STRICT).rpartition("}")[2]


def _numbered(element: Any) -> Iterator[tuple[Any, str]]:
    """Children with their step in a path, such as /tbl[2]."""
    counts: dict[str, int] = {}
    for child in element:
        name = _name(child)
        counts[name] = counts.get(name, 0) + 1
        yield child, f"/{name}[{counts[name]}]"


def _inner(element: Any, name: str, path: str) -> Iterator[tuple[Any, str]]:
    """The rows of a table or the cells of a row with their paths, also where something is wrapped around them."""
    for child, step in _numbered(element):
        if _name(child) == name:
            yield child, path + step
        elif _name(child) in _WRAPPERS:
            yield from _inner(child, name, path + step)


def _paragraph_text(paragraph: Any) -> str:
    return "".join(_texts(paragraph)).strip("\n")


def _cell_text(cell: Any) -> str:
    """The paragraphs of a cell on one line."""
    return " ".join("".join(_texts(cell)).split())


def _texts(element: Any) -> Iterator[str]:
    """Text below an element in order, without recursion."""
    stack = [element]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
            continue
        name = _name(node)
        if name in _BREAKS:
            yield _BREAKS[name]
        elif name == "t":
            yield node.text or ""
        elif name not in _SKIPPED and not _is_hidden(node):
            stack += ["\n"] if name == "p" else []
            stack += reversed(list(node))


def _property(element: Any, group: str, name: str) -> Any:
    """A property of a row or cell, such as how many columns it spans."""
    properties = next((part for part in element if _name(part) == group), ())
    return next((each for each in properties if _name(each) == name), None)


def _value(element: Any) -> str:
    return next((value for name, value in element.attrib.items() if name.rpartition("}")[2] == "val"), "")


def _count(element: Any, group: str, name: str, least: int) -> int:
    """A number of columns; a table has no more than 63 of them."""
    found = _property(element, group, name)
    written = _value(found) if found is not None else ""
    return min(max(int(written), least), _MOST_COLUMNS) if written.isascii() and written.isdigit() else least


def _is_deleted(row: Any) -> bool:
    """Whether a row of a table is marked as deleted."""
    return any(_name(mark) == "del" for part in row if _name(part) == "trPr" for mark in part)


def _is_hidden(run: Any) -> bool:
    """Whether a run is set to be invisible."""
    return _name(run) == "r" and any(_name(mark) == "vanish" for mark in run.iterfind("*/*"))
