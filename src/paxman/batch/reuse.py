"""Which results of an earlier run still hold: those of fields whose part of the contract is the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import attrs

from paxman import __version__
from paxman.api.normalize import Kept
from paxman.artifact.artifact import ExecutionArtifact, FieldCost, FieldResult
from paxman.artifact.coding import decode_value
from paxman.batch.job import Job, table_marks
from paxman.capabilities.base import EvidenceRef
from paxman.capabilities.business_terms import label_terms
from paxman.capabilities.label_binding import bind
from paxman.capabilities.structured_extraction import parents_of
from paxman.contract.labels import fold_name, squeeze
from paxman.contract.model import CanonicalContract
from paxman.documents.document import Document
from paxman.inference.models import personal_paths
from paxman.planner.field_plan import ExecutionPlan, FieldPlan, FieldPlanStep
from paxman.planner.registry import CAPABILITIES
from paxman.reconciler.relations import checks_of
from paxman.reconciler.truth import restore_result
from paxman.serialization import canonical_hash
from paxman.types import Diagnostic, FieldType, Severity

Parts = Mapping[str, str]
UNLUCKY = frozenset({"BUDGET_EXCEEDED", "CAPABILITY_FAILED"})
"""What went wrong for a reason outside the document is tried again."""


class Prior(NamedTuple):
    """What an earlier run found in the same document, and the parts of the contract it rested on."""

    parts: Parts
    row: bytes
    fields: bytes
    remote_calls: int = 0


def parts_of(contract: CanonicalContract, plan: ExecutionPlan, job: Job) -> Parts:
    """A hash for each field over everything that its result rests on, and the words that may matter to all of them.

    A field that a database has a say in has none: what is in there now, nobody knows.
    """
    mark = ("parts", id(plan.plans), job.policy, job.limits, repr(job.provider))
    if mark not in contract.memo:
        # The plans are kept beside the parts, so that their id is not given to others.
        contract.memo[mark] = plan.plans, {**_parts(contract, plan, job), "": _words(contract)}
    found: Parts = contract.memo[mark][1]
    return found


def _parts(contract: CanonicalContract, plan: ExecutionPlan, job: Job) -> Parts:
    own = _own_parts(contract, plan, job)
    groups = _groups(contract)
    settings = [contract.id, __version__, job.reading(), attrs.asdict(job.policy), attrs.asdict(contract.policies)]
    if contract.policies.stop_on_first_unresolved:
        groups.append(set(own))
    needs = {p.field_id[len(contract.id) + 1 :]: p.depends_on for p in plan.fields}
    live = {path for path, marks in table_marks(contract).items() if None in marks}
    related = {path: _related(path, needs, groups) for path in own}
    return {
        path: canonical_hash([settings, {near: own[near] for near in sorted(nears) if near in own}])[:16]
        for path, nears in related.items()
        if not nears & live
    }


def _own_parts(contract: CanonicalContract, plan: ExecutionPlan, job: Job) -> dict[str, Any]:
    """Each field with its plan, the checks that name it, and what capabilities know of the fields around it."""
    plans = {p.field_id: p for p in plan.fields}
    checks = [(_owners(check.paths, contract), check) for check in checks_of(contract)]
    return {
        field.path: [
            attrs.asdict(field),
            required,
            contract.shapes[field.path],
            plans[field.id].to_dict(),
            [(c.expression.text, str(c.tolerance), c.implied) for paths, c in checks if field.path in paths],
            attrs.asdict(bind(field, contract), value_serializer=_sorted),
            [attrs.asdict(attrs.evolve(parent, children=())) for parent in parents_of(contract, field)],
            table_marks(contract).get(field.path),
            _of_others(contract, plans[field.id], job),
        ]
        for field, required in contract.planned
        if field.id in plans
    }


def _sorted(instance: Any, attribute: Any, value: Any) -> Any:
    return sorted(value) if isinstance(value, frozenset) else value


def _of_others(contract: CanonicalContract, plan: FieldPlan, job: Job) -> list[Any]:
    """What a model is told, and all of the contract where somebody else's capability may have looked at it."""
    model = any("provider" in step.config for step in plan.capability_chain)
    foreign = any(_is_foreign(step) for step in plan.capability_chain)
    return [
        [job.provider, sorted(personal_paths(contract))] if model else None,
        contract.content_hash if foreign else None,
    ]


def _is_foreign(step: FieldPlanStep) -> bool:
    capability = CAPABILITIES.get(step.capability_id, step.capability_version)
    return not type(capability).__module__.startswith("paxman.")


def _words(contract: CanonicalContract) -> str:
    """Labels and names of all fields: one that is on a page may end the value of another field there."""
    labels = {label for field in contract.leaves for label in field.compact_keys} - label_terms().keys()
    return json.dumps([sorted(labels), sorted({key for field in contract.leaves for key in field.name_keys})])


def _says_more(old: str, new: str, read: Callable[[], Document]) -> bool:
    """Whether a document has labels in it that only one of two contracts knows."""
    if old == new:
        return False
    labels, names = (set(a) ^ set(b) for a, b in zip(json.loads(old), json.loads(new), strict=True))
    text = squeeze(read().text)
    if any(label in text for label in labels):
        return True
    pairs = (table for table in read().tables if len(table.header) == 2)
    return any(fold_name(cell.text) in names for t in pairs for row in (t.header, *t.rows) for cell in row)


def _owners(names: Iterable[str], contract: CanonicalContract) -> set[str]:
    return {path for path in contract.by_path for name in names if name == path or name.startswith(path + ".")}


def _groups(contract: CanonicalContract) -> list[set[str]]:
    """Fields that are decided together: those of a check, and amounts with the rate that converts them."""
    groups = [_owners(check.paths, contract) for check in checks_of(contract)]
    rates = {path for path in contract.by_path if path.rpartition(".")[2] == "fx_rate"}
    if rates:
        groups.append(rates | {f.path for f in contract.leaves if f.type is FieldType.MONEY})
    return groups


def _related(path: str, needs: Mapping[str, Iterable[str]], groups: list[set[str]]) -> set[str]:
    """The field itself, its inputs, and those it is decided with, and theirs in turn."""
    found, left = {path}, [path]
    while left:
        at = left.pop()
        inputs = {p for n in needs.get(at, ()) for p in needs if n == p or n.startswith(p + ".")}
        more = inputs.union(*(group for group in groups if at in group)) - found
        found |= more
        left += more
    return found


def keep(
    contract: CanonicalContract, plan: ExecutionPlan, job: Job, priors: Sequence[Prior], read: Callable[[], Document]
) -> Kept:
    """The stored results whose parts are the same now, from where there are most of them."""
    now = parts_of(contract, plan, job)
    found = [(prior, _still_true(prior, now, contract, job, read)) for prior in priors]
    prior, rows = max(found, key=lambda pair: len(pair[1]), default=(None, []))
    if prior is None or not rows:
        return Kept()
    results = [_restore(data, contract) for data in rows]
    row = json.loads(prior.row)
    notes = tuple(_note(note) for note in row["notes"] if _said(note))
    whole = len(results) == len(plan.fields) == row["fields"]
    effort = (row["invocations"], prior.remote_calls, Decimal(row["cost_usd"])) if whole else _effort(results)
    return Kept({result.field_id: result for result in results}, notes, *effort)


def _effort(results: Sequence[FieldResult]) -> tuple[int, int, Decimal]:
    """That of some fields; which of the calls were theirs is not known."""
    costs = [result.cost for result in results]
    return sum(cost.invocations for cost in costs), 0, sum((cost.usd for cost in costs), Decimal(0))


def _still_true(
    prior: Prior, now: Parts, contract: CanonicalContract, job: Job, read: Callable[[], Document]
) -> list[dict[str, Any]]:
    same = {path for path, part in now.items() if path and prior.parts.get(path) == part}
    if job.policy.allow_remote_inference and not job.policy.allow_remote_pii:
        same -= personal_paths(contract)  # found anew, so that all of it can be hidden from a remote model
    if not same or _says_more(prior.parts.get("", "[[], []]"), now[""], read):
        return []
    stored = [json.loads(line) for line in prior.fields.splitlines()]
    doubtful = UNLUCKY | {"VALIDATION_FAILED"} if contract.check_data else UNLUCKY  # what a model says, it says anew
    return [data for data in stored if data["field_path"] in same and not _has_note(data, doubtful)]


def _has_note(data: Mapping[str, Any], codes: frozenset[str]) -> bool:
    return any(note["code"] in codes for note in data["diagnostics"])


def _said(note: Mapping[str, Any]) -> bool:
    """Whether the reader said it; the other notes on a document are made anew."""
    return note["code"] not in ("CONTRACT_WARNING", "EMPTY_INPUT", "INPUT_TOO_LARGE", "VALIDATION_FAILED")


def document_notes(artifact: ExecutionArtifact) -> tuple[Diagnostic, ...]:
    """The diagnostics that belong to no field's result."""
    of_fields = {note for result in artifact.field_results for note in result.diagnostics}
    return tuple(note for note in artifact.diagnostics if note not in of_fields)


def _note(data: Mapping[str, Any]) -> Diagnostic:
    return Diagnostic(**{**data, "severity": Severity(data["severity"])})


def _restore(data: Mapping[str, Any], contract: CanonicalContract) -> FieldResult:
    path = data["field_path"]
    shape = contract.shapes[path]
    return restore_result(
        FieldResult,
        {
            **{name: data[name] for name in _SAME},
            "field_id": f"{contract.id}:{path}",
            "value": decode_value(data["value"], shape),
            "evidence_refs": tuple(map(EvidenceRef.from_dict, data["evidence"])),
            "diagnostics": tuple(map(_note, data["diagnostics"])),
            "cost": FieldCost(data["invocations"], data["tokens"], Decimal(data["cost_usd"])),
            "shape": shape,
        },
    )


_SAME = (
    "field_path",
    "field_type_name",
    "confidence",
    "confidence_band",
    "truth_layer",
    "status",
    "origin",
    "required",
)
