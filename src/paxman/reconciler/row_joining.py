"""Rows that several finders read, joined by the lines that they stand on: more are never replaced by fewer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import attrs

from paxman.capabilities.base import Candidate, renumbered, row_of
from paxman.contract.model import CanonicalField
from paxman.lazy import lazy_pattern
from paxman.reconciler.evidence_compare import equality_key
from paxman.reconciler.merge import Group, group_candidates
from paxman.types import Diagnostic, RowLedger, Severity, Span, freeze

_MOST_TOLD = 20
_CELL = lazy_pattern(r"\[[0-9]+\]\.[^.\[]+")
_Pair = tuple[int | None, int | None]
"""The numbers that one row has in each of two lists."""


def join_rows(
    field: CanonicalField, groups: tuple[Group, ...], disputed: bool, failed: Sequence[Any]
) -> tuple[tuple[Group, ...], list[Diagnostic]]:
    """The groups, those whose rows stand on the same lines joined with the best; and a note on each cell that differs.

    `disputed` and `failed` are as `group_candidates` takes them.
    """
    best, others, notes, keys = groups[0], list[Candidate](), list[Diagnostic](), set[Any]()
    for group in groups[1:]:
        pairs = _pairs(field, best, group)
        if pairs is None:
            others += group.candidates
            continue
        keys |= {equality_key(best.value), equality_key(group.value)}
        candidates, told = _join(field, best, group, pairs)
        best, notes = group_candidates(candidates)[0], notes + told
    if not keys:
        return groups, []
    bad = [equality_key(best.value)] if not keys.isdisjoint(failed) else []
    return group_candidates((*best.candidates, *others), disputed or bool(notes), [*failed, *bad]), notes[:_MOST_TOLD]


def _pairs(field: CanonicalField, best: Group, other: Group) -> list[_Pair] | None:
    """Rows of both in the order of the page, those on the same lines together; None if lines do not tell."""
    ours, theirs = _extents(field, best), _extents(field, other)
    if ours is None or theirs is None:
        return None
    pairs: list[_Pair] = []
    end, matched = -1, 0
    spans = [(span, row, whose) for whose, each in enumerate((ours, theirs)) for row, span in each.items()]
    for span, row, whose in sorted(spans):
        if not pairs or span[0] >= end:
            pairs.append((None, row) if whose else (row, None))
        elif pairs[-1][whose] is not None:
            return None
        else:
            pairs[-1] = (pairs[-1][0], row) if whose else (row, pairs[-1][1])
            matched += 1
        end = max(end, span[1])
    return pairs if matched else None


def _extents(field: CanonicalField, group: Group) -> dict[int, Span] | None:
    """From where to where each row reaches; None if one has no place, or two stand within each other."""
    found: dict[int, Span] = {}
    for ref in group.refs:
        row = row_of(field, ref.field_path)
        if row is not None and ref.span:
            start, end = found.get(row, ref.span)
            found[row] = min(start, ref.span[0]), max(end, ref.span[1])
    apart = all(before[1] <= after[0] for before, after in pairwise(sorted(found.values())))
    return found if apart and len(found) == len(group.value) else None


def _join(
    field: CanonicalField, best: Group, other: Group, pairs: Sequence[_Pair]
) -> tuple[list[Candidate], list[Diagnostic]]:
    """The candidates of both with the rows of both; of cells that differ the better supported one is kept."""
    both = best, other
    sure = [{ref.field_path for ref in group.refs if ref.supports} for group in both]
    rows, notes, lost = list[dict[str, Any]](), list[Diagnostic](), (set[str](), set[str]())
    for number, pair in enumerate(pairs):
        row: dict[str, Any] = {}
        cells = [{} if at is None else group.value[at] for group, at in zip(both, pair, strict=True)]
        for name in dict.fromkeys((*cells[0], *cells[1])):
            values, path = [each.get(name) for each in cells], f"{field.path}[{number}].{name}"
            taken = int(values[0] is None)
            if None not in values and equality_key(values[0]) != equality_key(values[1]):
                held = [f"{field.path}[{at}].{name}" in known for at, known in zip(pair, sure, strict=True)]
                taken = int(held == [False, True])
                lost[1 - taken].add(path)
                notes.append(_differs(path, values[1 - taken]))
            row[name] = values[taken]
        rows.append(row)
    value, ledger = freeze(rows), _ledger(field, both, rows)
    made = []
    for whose, group in enumerate(both):
        places = {old: new for new, pair in enumerate(pairs) if (old := pair[whose]) is not None}
        made += [_moved(field, each, places, lost[whose]) for each in group.candidates]
    return [attrs.evolve(each, value=value, rows=ledger) for each in made], notes


def _moved(field: CanonicalField, candidate: Candidate, places: Mapping[int, int], lost: set[str]) -> Candidate:
    """A candidate whose evidence speaks of its rows at their new places; that of cells which lost is rejected."""
    refs = renumbered(field, candidate.evidence_refs, places)
    told = (attrs.evolve(ref, role="rejected") if _cell_of(field, ref.field_path) in lost else ref for ref in refs)
    notes = tuple(renumbered(field, candidate.diagnostics, places))
    return attrs.evolve(candidate, evidence_refs=tuple(told), diagnostics=notes)


def _cell_of(field: CanonicalField, path: str) -> str:
    """The cell of a row that a path is, or is inside of."""
    found = _CELL.match(path, len(field.path))
    return path[: found.end()] if found else path


def _ledger(field: CanonicalField, both: Sequence[Group], rows: Sequence[Mapping[str, Any]]) -> RowLedger | None:
    """The ledger that expects more, with the rows that the other added: it may have rejected or not known them."""
    known = max((each.rows for each in both if each.rows), key=lambda each: each.expected, default=None)
    return known and known.joined(rows, [column.name for column in field.columns if column.required])


def _differs(path: str, loser: Any) -> Diagnostic:
    by = "another reader of the same line, with no more evidence"
    context = {"lost": [{"value": str(loser), "by": by}]}
    return Diagnostic("CONFLICT", Severity.WARNING, f"also found: {loser}", path, context)
