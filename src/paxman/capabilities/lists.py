"""Lists below or beside a label: arrays of plain values such as ingredients or names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise, starmap, takewhile

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.choices import listed_box
from paxman.capabilities.descriptions import described
from paxman.capabilities.label_scan import own_labels
from paxman.capabilities.line_shapes import legal_end
from paxman.capabilities.table_reading import Reading, joined
from paxman.capabilities.values import conventions, read_at
from paxman.contract.constraints import problems
from paxman.contract.labels import compact_label
from paxman.contract.model import CanonicalField
from paxman.documents.document import NodePath
from paxman.documents.heading_words import tokens_of
from paxman.documents.visual_lines import VisualLines
from paxman.recognizers.words import AND
from paxman.types import FieldType, Span

_MARK = re.compile(r"(?:[-*+•·▪◦●○■□▢✓–—]|\d{1,3}[.)]|[a-zA-Z][.)])[ \t\xa0]+")
_NAVIGATION = re.compile(r"/(?:nav|header|footer|a)\[")
_SKIPPED = 3
"""Lines that may stand between a heading and its list."""
_FEWEST = 3
"""Elements that make a list where nothing but their likeness says so; of one that is marked up right below, two."""
_LONGEST_LABEL = 60
_LONGEST_LINE = 200
_MOST_ITEMS = 10_000


def read_list(context: CapabilityContext, page: VisualLines) -> Reading | None:
    """The elements of the first list that a label of the field heads, or else its description."""
    found = _read_below(context, page, set(own_labels(context.field)))
    label = described(context.contract).get(context.field.path) if found is None else None
    return _read_below(context, page, set(compact_label(label))) if label else found


def _read_below(context: CapabilityContext, page: VisualLines, labels: set[str]) -> Reading | None:
    for index in range(len(page)):
        head = _heading(page, index, labels)
        if head is None:
            continue
        path = _path(context, page, index)
        if path is None:
            spans = list(_beside(page, index, head)) or list(_below(context, page, index, head))
        else:
            spans = [] if _NAVIGATION.search(path) else list(_siblings(context, page, index))
        if spans:
            return _read(context, spans, sure=path is None)
    return None


def _heading(page: VisualLines, index: int, labels: set[str]) -> Span | None:
    """The end of a label that begins a line, and where what follows it starts; equal without a colon."""
    line = page.line(index)
    if not line.chunks:
        return None
    start = line.chunks[0][0]
    stop = min(line.end, start + _LONGEST_LABEL)
    colon = page.text.find(":", start, stop)
    end = colon if colon >= 0 else line.end
    if end > stop or "".join(token.key for token in tokens_of(page.text, start, end)) not in labels:
        return None
    return (end, end + 1) if colon >= 0 else (end, end)


def _beside(page: VisualLines, index: int, head: Span) -> Iterator[list[Span]]:
    """What commas or semicolons part on the label's own line, and an "and" before the last."""
    end = page.line(index).end
    semicolons = ";" in page.text[head[1] : end]
    parts = page.text[head[1] : end].split(";" if semicolons else ",", _MOST_ITEMS)
    start = head[1]
    for part in parts[:-1]:
        yield from _trimmed(page.text, start, start + len(part))
        start += len(part) + 1
    conjunctions = list(islice(_AND.finditer(page.text, start, end), 2))
    if len(conjunctions) == 1 and (len(parts) > 1 or _ends_name(page.text[start : conjunctions[0].start()])):
        yield from _trimmed(page.text, start, conjunctions[0].start())
        start = conjunctions[0].end()
    yield from _trimmed(page.text, start, end)


_AND = re.compile(rf"(?<=[ \t])(?:{AND}|ed|i|oraz|dan)(?=[ \t])", re.IGNORECASE)


def _ends_name(text: str) -> bool:
    """Whether a legal form ends a text, so that an "and" behind it is not part of the name."""
    return legal_end(text.strip()) == len(text.strip()) > 0


def _trimmed(text: str, start: int, end: int) -> Iterator[list[Span]]:
    part = text[start:end]
    if part.strip():
        first = start + len(part) - len(part.lstrip())
        yield [(first, first + len(part.strip()))]


def _below(context: CapabilityContext, page: VisualLines, index: int, head: Span) -> Iterator[list[Span]]:
    """Lines with bullets, boxes or numbers, or, below a label with a colon, plain lines up to a blank one."""
    first = next((i for i in range(index + 1, min(index + 3, len(page))) if page.line(i).chunks), None)
    if first is None:
        return
    marked = _mark(page, first) is not None
    if not marked and not context.field.labels and head[0] == head[1]:
        return
    others = {label for field in context.contract.leaves for label in own_labels(field)}
    items: list[list[Span]] = []
    indent = 0
    for line in range(first, min(len(page), first + 2 * _MOST_ITEMS)):
        chunks = page.line(line).chunks
        if not chunks or chunks[-1][1] - chunks[0][0] > _LONGEST_LINE:
            break
        start, inner = (_mark(page, line) or (None, 0)) if marked else (chunks[0][0], 0)
        if items and not (marked and start) and _is_headed(page, line, others):
            break
        if start is not None:
            indent = indent or inner - page.line(line).start
            items.append([(start, chunks[-1][1])])
        elif chunks[0][0] - page.line(line).start >= indent:
            items[-1].append((chunks[0][0], chunks[-1][1]))
        else:
            break
    yield from items if len(items) > 1 else ()


def _is_headed(page: VisualLines, index: int, labels: set[str]) -> bool:
    """Whether a line begins with one of these labels and a colon."""
    head = _heading(page, index, labels)
    return head is not None and head[0] < head[1]


def _path(context: CapabilityContext, page: VisualLines, index: int) -> str | None:
    chunks = page.line(index).chunks
    source = context.document.locate((chunks[0][0], chunks[-1][1])) if chunks else None
    return source.path if isinstance(source, NodePath) else None


def _siblings(context: CapabilityContext, page: VisualLines, index: int) -> Iterator[list[Span]]:
    """The longest run of elements, soon after the label, that differ only in their number."""
    heading = _path(context, page, index) or ""
    below = (_path(context, page, line) or "" for line in islice(_filled(page, index), 2 + _SKIPPED))
    paths = list(takewhile(lambda path: not _level(path) or _level(path) > _level(heading), below))
    elements = dict.fromkeys(filter(None, starmap(_element, pairwise(paths))))
    marked = {
        each
        for each in elements
        if each.endswith("/li[") and paths[0].startswith(each) and heading[: len(each)] != each
    }
    runs = [(_elements(context, page, index, each), 2 if each in marked else _FEWEST) for each in elements]
    yield from max((run for run, least in runs if len(run) >= least), key=len, default=[])


def _level(path: str) -> int:
    """How deep a heading is; 0 for what is none."""
    found = _HEADING.search(path)
    return int(found[1]) if found else 0


_HEADING = re.compile(r"/h([1-6])\[")


def _filled(page: VisualLines, index: int) -> Iterator[int]:
    """The lines below one that are not blank."""
    return (line for line in range(index + 1, min(len(page), index + 1 + 2 * _MOST_ITEMS)) if page.line(line).chunks)


def _element(path: str, below: str) -> str:
    """The element that comes again, without its number, if two paths part at one."""
    shared = ""
    for mine, other in zip(path.split("/"), below.split("/"), strict=False):
        if mine != other:
            tag = mine.partition("[")[0]
            return f"{shared}/{tag}[".removeprefix("/") if tag == other.partition("[")[0] else ""
        shared = f"{shared}/{mine}"
    return ""


def _elements(context: CapabilityContext, page: VisualLines, index: int, element: str) -> list[list[Span]]:
    """The lines of each element that comes again, up to the first line after them."""
    items: dict[str, list[Span]] = {}
    for number, line in enumerate(_filled(page, index)):
        path = _path(context, page, line) or ""
        if path.startswith(element):
            chunks = page.line(line).chunks
            items.setdefault(path[: path.index("]", len(element))], []).append((chunks[0][0], chunks[-1][1]))
        elif items or number > _SKIPPED:
            break
    return list(items.values())


def _mark(page: VisualLines, index: int) -> Span | None:
    """Where the text of a line starts behind its bullet or number, or with its box, and how far in it goes on."""
    line = page.line(index)
    start = line.chunks[0][0] if line.chunks else line.end
    found = _MARK.match(page.text, start, line.end)
    if listed_box(page.text, start, line.end):
        return start, start + 1
    return (found.end(), found.end()) if found else None


def _unboxed(text: str, items: list[list[Span]]) -> list[list[Span]]:
    """Items without the boxes before them, and without any place behind an empty one; equal signs may be bullets."""
    boxes = [listed_box(text, *spans[0]) for spans in items]
    marks = {box[1] for box in boxes if box}
    are_bullets = marks == {False} and all(_MARK.match(text, spans[0][0]) for spans in items)
    return [
        spans if box is None else [(box[0], spans[0][1]), *spans[1:]] if box[1] or are_bullets else []
        for box, spans in zip(boxes, items, strict=True)
    ]


def _read(context: CapabilityContext, items: list[list[Span]], sure: bool) -> Reading:
    field, reading = context.field, Reading()
    element = field.items or CanonicalField(field.id, field.path, field.name, FieldType.STRING)
    if len(items) > _MOST_ITEMS:
        reading.record.reject(field.path, _MOST_ITEMS, f"a list of more than {_MOST_ITEMS} elements is cut short")
    for number, spans in enumerate(_unboxed(context.document.text, items[:_MOST_ITEMS])):
        if not spans:
            reading.record.reject(field.path, number, "its box is not marked")
            continue
        piece = joined(context.document.text, spans)
        path = f"{field.path}[{len(reading.record.rows)}]"
        found = read_at(context, element, piece.text, piece.span, conventions(context), piece.steps, path=path)
        broken = problems(element, found[0].value) if found else [f"not {element.type.value}"]
        if broken:
            reading.record.reject(field.path, number, broken[0])
        else:
            reading.record.rows.append(found[0].value)
            reading.record.doubts += found[0].diagnostics
            # One label vouches for the whole list; likeness of elements alone does not.
            reading.record.refs.append(found[0].ref if sure else attrs.evolve(found[0].ref, basis="place"))
    return reading
