"""What differs between two artifacts, field by field, and what can have caused it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.replay import lessons_of
from paxman.artifact.results import FieldResult
from paxman.reconciler.evidence_compare import equality_key

_UNKNOWN = "settings (locale, policy, budget), a model or an outside table"
"""What is left when contract, input and versions are the same, and the artifacts do not tell their settings."""


@attrs.frozen
class FieldChange:
    """A field that came out differently; `details` holds what else changed, before and after."""

    field_path: str
    before: Any
    after: Any
    reasons: tuple[str, ...]
    details: Mapping[str, tuple[str, str]]


@attrs.frozen
class ArtifactDiff:
    """Causes that hold for both runs as a whole, and the fields that changed."""

    causes: Mapping[str, str]
    changes: tuple[FieldChange, ...]
    fields: int


def compare(first: ExecutionArtifact, second: ExecutionArtifact) -> ArtifactDiff:
    """Every field of either artifact whose value, status, confidence or evidence differs."""
    causes = dict(_causes(first, second))
    before = {result.field_path: result for result in first.field_results}
    after = {result.field_path: result for result in second.field_results}
    paths = list(dict.fromkeys((*before, *after)))
    changes = [_change(path, before.get(path), after.get(path), tuple(causes)) for path in paths]
    return ArtifactDiff(causes, tuple(change for change in changes if change), len(paths))


def _causes(first: ExecutionArtifact, second: ExecutionArtifact) -> Iterator[tuple[str, str]]:
    for name, attribute in (("contract", "contract_hash"), ("input", "input_content_hash")):
        old, new = getattr(first, attribute), getattr(second, attribute)
        if old != new:
            yield name, f"{old[:12]} -> {new[:12]}"
    old, new = lessons_of(first), lessons_of(second)
    if old != new:
        yield "lessons", f"{old[:12] or 'none'} -> {new[:12] or 'none'}"
    for name, changes in (("version", _version_changes), ("settings", _setting_changes)):
        if found := ", ".join(changes(first, second)):
            yield name, found


def _setting_changes(first: ExecutionArtifact, second: ExecutionArtifact) -> Iterator[str]:
    """Where both artifacts say which settings they were made with, as those of the command line do."""
    ours, theirs = first.metadata.get("settings"), second.metadata.get("settings")
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        for name in sorted({*ours, *theirs}):
            if ours.get(name) != theirs.get(name):
                yield f"{name} {ours.get(name, 'default')} -> {theirs.get(name, 'default')}"


def _version_changes(first: ExecutionArtifact, second: ExecutionArtifact) -> Iterator[str]:
    for name in ("paxman_version", "planner_version", "replay_version"):
        old, new = getattr(first, name), getattr(second, name)
        if old != new:
            yield f"{name.removesuffix('_version')} {old} -> {new}"
    ours, theirs = first.capability_versions, second.capability_versions
    for name in sorted({*ours, *theirs}):
        if ours.get(name) != theirs.get(name):
            yield f"{name} {ours.get(name, 'absent')} -> {theirs.get(name, 'absent')}"


def _change(
    path: str, before: FieldResult | None, after: FieldResult | None, causes: tuple[str, ...]
) -> FieldChange | None:
    if before is None or after is None:
        present = after or before
        word = "not in the first" if before is None else "not in the second"
        value = present.value if present else None
        return FieldChange(path, None if before is None else value, None if after is None else value, (word,), {})
    details = dict(_details(before, after))
    moved = _evidence(before) != _evidence(after)
    if equality_key(before.value) == equality_key(after.value) and not details and not moved:
        return None
    reasons = (*(_corrected(before, after) or causes or (_UNKNOWN,)), *(("evidence",) if moved else ()))
    return FieldChange(path, before.value, after.value, reasons, details)


def _corrected(before: FieldResult, after: FieldResult) -> tuple[str, ...]:
    """What a person said of either; an answer that was taken back has no origin, but a note."""
    first, second = ([note for note in each.diagnostics if note.code == "REVIEWED"] for each in (before, after))
    if first == second:
        return ()
    return (second[0].message,) if second else (f"in the first: {first[0].message}",)


def _details(before: FieldResult, after: FieldResult) -> Iterator[tuple[str, tuple[str, str]]]:
    for name, old, new in (
        ("status", before.status, after.status),
        ("confidence", f"{before.confidence:.2f}", f"{after.confidence:.2f}"),
        ("origin", _origin(before), _origin(after)),
        ("rows", str(before.rows or "none"), str(after.rows or "none")),
    ):
        if old != new:
            yield name, (old, new)


def _origin(result: FieldResult) -> str:
    return result.origin.value if result.origin else "none"


def _evidence(result: FieldResult) -> frozenset[Any]:
    """What was quoted, by whom and in which role; where it stands may shift without a change in the evidence."""
    return frozenset(
        (ref.capability_id, ref.role, ref.field_path, ref.quote_hash or ref.detail, ref.transforms)
        for ref in result.evidence_refs
    )
