"""Slides of PowerPoint: the text of their shapes, their tables, diagrams and notes; runs in the helper process only."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Iterator
from typing import Any, NamedTuple

from paxman.documents.office.writer import (
    DOWN,
    END,
    STRIKE,
    UP,
    Box,
    Writer,
    attribute,
    folded,
    in_rows,
    local_name,
    member,
    numbered,
    parse_xml,
    taking_apart,
    too_deep,
)

_PRESENTATION = "ppt/presentation.xml"
_TITLES = ("title", "ctrTitle")
_NO_TEXT = ("sldNum", "sldImg")
"""Placeholders for the number of a slide, and on notes for its picture."""
_MOST_COLUMNS = 100
_LEVELS = "12345678"


class _Shape(NamedTuple):
    """A shape, its path, what it holds the place of, and where it stands: top, left and height; nothing if not said."""

    element: Any
    path: str
    role: str
    box: Box | None


def extract(data: bytes, options: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
    """The text slide by slide, with notes behind each, the paths of its paragraphs, its tables and its marks."""
    with taking_apart("a presentation", "a program for presentations"):
        show = _Show(zipfile.ZipFile(io.BytesIO(data)), options)
        slides = show.slides()
        for number, part in enumerate(slides[: options["max_pages"]], 1):
            show.add_slide(number, part)
    return {**show.meta(show.unpacked), "hidden": show.hidden, "count": len(slides)}, [show.text()]


class _Show(Writer):
    """Adds the slides of a presentation, in the order in which they are shown."""

    def __init__(self, archive: zipfile.ZipFile, options: dict[str, Any]) -> None:
        super().__init__()
        self._archive, self._options = archive, options
        self._names = frozenset(archive.namelist())
        self.unpacked = 0
        self.hidden: list[int] = []

    def _root(self, part: str) -> Any:
        content = member(self._archive, part, self._options["max_unpacked_bytes"])
        self.unpacked += len(content)
        return parse_xml(content)

    def slides(self) -> list[str]:
        """The parts of the slides."""
        parts = {link: part for link, _, part in self._links(_PRESENTATION)}
        listed = (each for each in self._root(_PRESENTATION).iter() if local_name(each) == "sldId")
        # Its own number is called "id", too, but in no namespace.
        links = [value for each in listed for name, value in each.attrib.items() if name.endswith("}id")]
        return [parts[link] for link in links if link in parts]

    def _links(self, part: str) -> Iterator[tuple[str, str, str]]:
        """Name, kind and part of what a part links to inside the file."""
        folder, name = posixpath.split(part)
        links = f"{folder}/_rels/{name}.rels"
        for link in self._root(links) if links in self._names else ():
            target = posixpath.normpath(posixpath.join("/", folder, attribute(link, "Target")))[1:]
            if target in self._names:
                yield attribute(link, "Id"), attribute(link, "Type").rpartition("/")[2], target

    def add_slide(self, number: int, part: str) -> None:
        root, start = self._root(part), self.length
        self.hidden += [number] if root.get("show") in ("0", "false") else []
        self._add_shapes(root, f"/{part}/sld[1]")
        for _, kind, target in self._links(part):
            if kind == "diagramData":
                self._add_texts(self._root(target), f"/{target}/dataModel[1]")
            elif kind == "notesSlide":
                self._add_shapes(self._root(target), f"/{target}/notes[1]")
        self.pages.append((number, start, self.length))
        self.add_line([])

    def _add_shapes(self, root: Any, path: str) -> None:
        """Titles first, then from the top down; what stands side by side is on one line."""
        shapes = [shape for shape in _shapes(root, path, self._options["max_depth"]) if shape.role not in _NO_TEXT]
        titles = [shape for shape in shapes if shape.role in _TITLES]
        for shape in titles:
            self._add_texts(shape.element, shape.path, title=True)
        for row in in_rows((shape.box, shape) for shape in shapes if shape.role not in _TITLES):
            self._add_row(row)

    def _add_row(self, row: list[_Shape]) -> None:
        texts = [[*_paragraphs(shape.element, shape.path)] for shape in row]
        if len(row) > 1 and all(len(each) == 1 for each in texts):
            self.add_line([(folded(self.shown(_texts(each[0][0]))), each[0][1]) for each in texts])
            return
        for shape in row:
            tables = [
                (table, step) for table, step in _descend(shape.element, shape.path) if local_name(table) == "tbl"
            ]
            for table, path in tables:
                self._add_table(table, path)
            if not tables:
                self._add_texts(shape.element, shape.path)

    def _add_texts(self, element: Any, path: str, title: bool = False) -> None:
        for paragraph, place in _paragraphs(element, path):
            text = self.shown(_texts(paragraph)).strip("\n")
            if not text.strip():
                continue
            (span,) = self.add_line([(text, place)])
            self.marks.append(("heading", *span, 1) if title else (*_kind(paragraph, span),))
            self.mark_runs(_bold_runs(paragraph), text, span[0])

    def _add_table(self, table: Any, path: str) -> None:
        rows: list[list[tuple[int, int]]] = []
        above: dict[int, tuple[int, int]] = {}
        for row, row_path in _children(table, path, "tr"):
            cells = [*_children(row, row_path, "tc")][:_MOST_COLUMNS]
            line = [
                (folded(" ".join(self.shown(_texts(paragraph)) for paragraph, _ in _paragraphs(cell, ""))), cell_path)
                for cell, cell_path in cells
            ]
            spans = self.add_line(line)
            for column, ((cell, _), span) in enumerate(zip(cells, spans, strict=True)):
                if cell.get("vMerge") in ("1", "true") and column in above:
                    self.merged.append((span[0], above[column]))
                else:
                    above[column] = span
            rows.append(spans)
        self.tables.append(rows)


def _shapes(element: Any, path: str, depth: int) -> Iterator[_Shape]:
    """The shapes on a slide, those of groups one by one."""
    if depth < 0:
        raise too_deep()
    for child, step in numbered(element):
        name = local_name(child)
        if name in ("sp", "graphicFrame", "cxnSp"):
            if not any(local_name(each) == "cNvPr" and each.get("hidden") in ("1", "true") for each in child.iter()):
                yield _Shape(
                    child,
                    path + step,
                    next((each.get("type", "body") for each in child.iter() if local_name(each) == "ph"), ""),
                    _box(child),
                )
        elif name in ("cSld", "spTree", "grpSp", "AlternateContent", "Choice"):
            inner = [*_shapes(child, path + step, depth - 1)]
            # Positions inside a group are its own.
            yield from (shape._replace(box=_box(child)) for shape in inner) if name == "grpSp" else inner


def _box(shape: Any) -> Box | None:
    """Top, left and height of a shape; placeholders may leave that to their layout."""
    frame = next((each for each in shape.iter() if local_name(each) == "xfrm"), ())
    written = {name: value for each in frame for name, value in each.items()}
    numbers = [written.get(name, "") for name in ("y", "x", "cy")]
    if not all(each.removeprefix("-").isdigit() and len(each) < 16 for each in numbers):
        return None
    top, left, height = map(int, numbers)
    return top, left, height


def _descend(element: Any, path: str) -> Iterator[tuple[Any, str]]:
    """All elements below one with their paths, without recursion."""
    stack = [(element, path)]
    while stack:
        node, place = stack.pop()
        yield node, place
        stack += reversed([(child, place + step) for child, step in numbered(node)])


def _paragraphs(element: Any, path: str) -> Iterator[tuple[Any, str]]:
    # It is of the language of drawings, in which all text of slides is.
    return (
        (each, place) for each, place in _descend(element, path) if local_name(each) == "p" and "drawingml" in each.tag
    )


def _children(element: Any, path: str, name: str) -> Iterator[tuple[Any, str]]:
    return ((child, path + step) for child, step in numbered(element) if local_name(child) == name)


def _texts(paragraph: Any) -> Iterator[str]:
    for run in paragraph:
        name = local_name(run)
        if name == "br":
            yield "\n"
        elif name in ("r", "fld") and not (name == "fld" and run.get("type") == "slidenum"):
            # The text of a run, between signs if it is struck out or raised.
            style: Any = next((each for each in run if local_name(each) == "rPr"), None)
            text = "".join(each.text or "" for each in run if local_name(each) == "t")
            if style is not None and style.get("strike", "noStrike") != "noStrike":
                text = f"{STRIKE}{text}{END}"
            raised = style is not None and style.get("baseline", "0")[0] not in "-0"
            yield f"{UP}{text}{DOWN}" if raised else text


def _bold_runs(paragraph: Any) -> Iterator[str]:
    for run in paragraph:
        style = next((each for each in run if local_name(each) == "rPr"), None)
        text = "".join(each.text or "" for each in run if local_name(each) == "t").strip()
        if style is not None and style.get("b") in ("1", "true") and text:
            yield text


def _kind(paragraph: Any, span: tuple[int, int]) -> tuple[str, int, int, int]:
    properties = next((each for each in paragraph if local_name(each) == "pPr"), None)
    if properties is None:
        return "paragraph", *span, 0
    bullets = {local_name(each) for each in properties} & {"buChar", "buAutoNum"}
    level = properties.get("lvl", "0")
    if bullets or level in _LEVELS:
        return "item", *span, int(level) + 1 if level in _LEVELS else 1
    return "paragraph", *span, 0
