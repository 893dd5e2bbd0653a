"""Lists below or beside a label: arrays of plain values such as ingredients or names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.label_scan import Page, own_labels
from paxman.capabilities.table_headings import tokens_of
from paxman.capabilities.table_reading import Reading, joined
from paxman.capabilities.values import conventions, read_at
from paxman.contract.constraints import problems
from paxman.contract.model import CanonicalField
from paxman.types import FieldType, Span

_MARK = re.compile(r"(?:[-*+•·▪◦●○■□▢✓–—]|\d{1,3}[.)]|[a-zA-Z][.)])[ \t\xa0]+")
_LONGEST_LABEL = 60
_LONGEST_LINE = 200
_MOST_ITEMS = 10_000


def read_list(context: CapabilityContext, page: Page) -> Reading | None:
    """The elements of the first list that a label of the field heads."""
    labels = set(own_labels(context.field))
    for index in range(len(page)):
        head = _heading(page, index, labels)
        if head is None:
            continue
        spans = list(_beside(page, index, head)) or list(_below(page, index, head, bool(context.field.labels)))
        if spans:
            return _read(context, page, spans)
    return None


def _heading(page: Page, index: int, labels: set[str]) -> Span | None:
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


def _beside(page: Page, index: int, head: Span) -> Iterator[list[Span]]:
    """What commas or semicolons part on the label's own line."""
    end = page.line(index).end
    semicolons = ";" in page.text[head[1] : end]
    start = head[1]
    for part in page.text[head[1] : end].split(";" if semicolons else ",", _MOST_ITEMS)[:_MOST_ITEMS]:
        if part.strip():
            first = start + len(part) - len(part.lstrip())
            yield [(first, first + len(part.strip()))]
        start += len(part) + 1


def _below(page: Page, index: int, head: Span, labelled: bool) -> Iterator[list[Span]]:
    """Lines with bullets or numbers, or, below a label with a colon, plain lines up to a blank one."""
    first = next((i for i in range(index + 1, min(index + 3, len(page))) if page.line(i).chunks), None)
    if first is None:
        return
    marked = _mark(page, first) is not None
    if not marked and not labelled and head[0] == head[1]:
        return
    items: list[list[Span]] = []
    for line in range(first, min(len(page), first + _MOST_ITEMS)):
        chunks = page.line(line).chunks
        if not chunks or chunks[-1][1] - chunks[0][0] > _LONGEST_LINE:
            break
        start = _mark(page, line) if marked else chunks[0][0]
        if start is not None:
            items.append([(start, chunks[-1][1])])
        elif chunks[0][0] - page.line(line).start >= items[0][0][0] - page.line(first).start:
            items[-1].append((chunks[0][0], chunks[-1][1]))
        else:
            break
    yield from items if marked or len(items) > 1 else ()


def _mark(page: Page, index: int) -> int | None:
    """Where the text of a line starts behind its bullet or number."""
    chunks = page.line(index).chunks
    found = _MARK.match(page.text, chunks[0][0], page.line(index).end) if chunks else None
    return found.end() if found else None


def _read(context: CapabilityContext, page: Page, items: list[list[Span]]) -> Reading:
    field, reading = context.field, Reading()
    element = field.items or CanonicalField(field.id, field.path, field.name, FieldType.STRING)
    for number, spans in enumerate(items):
        piece = joined(context.document.text, spans)
        path = f"{field.path}[{len(reading.record.rows)}]"
        found = read_at(context, element, piece.text, piece.span, conventions(context), piece.steps, path=path)
        broken = problems(element, found[0].value) if found else [f"not {element.type.value}"]
        if broken:
            reading.record.reject(field.path, number, broken[0])
        else:
            reading.record.rows.append(found[0].value)
            reading.record.refs.append(found[0].ref)
    return reading
