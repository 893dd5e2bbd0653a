"""Maps from pages: the pairs of names and values below a heading, or of the whole page where it is nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from paxman.capabilities.base import NOTHING, Candidate, CapabilityContext, CapabilityResult, EvidenceRef
from paxman.capabilities.losses import left_out
from paxman.capabilities.structure.open_values import entry_path
from paxman.capabilities.values import conventions, read_at
from paxman.contract.constraints import problems, unlike
from paxman.contract.labels import fold_label
from paxman.contract.model import CanonicalField
from paxman.page.names import Name, Page, page_of
from paxman.types import Diagnostic, FieldType, Span

_BESIDE = ("key", "beside", "next")
_PARTED = frozenset({FieldType.OBJECT, FieldType.ARRAY, FieldType.MAP})


def find_map(context: CapabilityContext) -> CapabilityResult:
    """Each pair as an entry with its evidence; those whose value is of another type are left out and named."""
    field = context.field
    parts = {child.name: child for child in field.children}
    values: dict[str, Any] = {}
    refs: list[EvidenceRef] = []
    notes: list[Diagnostic] = []
    for key, label, span in _entries(context):
        kind = parts.get(key, field.items)
        if key in values or kind is None or kind.type in _PARTED:
            continue
        path = entry_path(field.path, key)
        found = _read(context, kind, label, span, path)
        if found is None:
            notes.append(left_out(context, unlike(kind), span, path=path))
            continue
        values[key] = found[0]
        refs += found[1]
        notes += found[2]
    if not values:
        return NOTHING
    return CapabilityResult((Candidate(values, tuple(refs), tuple(notes)),))


def _read(
    context: CapabilityContext, kind: CanonicalField, label: Span, span: Span, path: str
) -> tuple[Any, list[EvidenceRef], list[Diagnostic]] | None:
    text = context.document.text[span[0] : span[1]]
    found = read_at(context, kind, text, span, conventions(context), path=path, label=label)
    if not found or problems(kind, found[0].value):
        return None
    return found[0].value, [found[0].ref], list(found[0].diagnostics)


def _entries(context: CapabilityContext) -> Iterator[tuple[str, Span, Span]]:
    """Names of the map's entries, where they stand, and where their values do."""
    page = page_of(context.document)
    heads = {cell.span for table in context.document.tables for cell in table.header}
    for name in _names(context, page):
        place = next((place for place in name.places if place.relation in _BESIDE), None)
        if place is not None and name.span not in heads:
            yield name.text, name.span, place.block


def _names(context: CapabilityContext, page: Page) -> Iterator[Name]:
    field = context.field
    if field.path == context.contract.root:
        yield from page.names
        return
    asked = {*field.label_keys, fold_label(field.words), fold_label(field.said)}
    below = [name for name in page.names if name.section and fold_label(name.section[-1]) in asked]
    yield from below or _under_label(page, asked)


def _under_label(page: Page, asked: set[str]) -> Iterator[Name]:
    """The pairs in the lines that follow a name with nothing behind it, up to a gap or a line that has none."""
    heading = next((name for name in page.names if fold_label(name.text) in asked and _is_alone(name)), None)
    if heading is None:
        return
    line = heading.line + 1
    while found := [name for name in page.names if name.line == line]:
        if line > heading.line + 1 and page.lines[line].blank:
            return
        yield from found
        line += 1


def _is_alone(name: Name) -> bool:
    return all(place.relation in ("section", "below") for place in name.places)
