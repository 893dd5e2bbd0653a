"""Which results of an earlier run still hold: those of fields whose part of the contract is the same."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

import attrs

from paxman import __version__
from paxman.api.normalize import Kept
from paxman.artifact.artifact import ExecutionArtifact, FieldCost, FieldResult
from paxman.artifact.coding import decode_value
from paxman.budget import Policy
from paxman.capabilities.base import EvidenceRef
from paxman.contract.expressions import parse
from paxman.contract.model import CanonicalContract
from paxman.planner.field_plan import ExecutionPlan
from paxman.reconciler.truth import restore_result
from paxman.serialization import canonical_hash
from paxman.types import Diagnostic, FieldType, Severity

Parts = Mapping[str, str]
UNLUCKY = frozenset({"BUDGET_EXCEEDED", "CAPABILITY_FAILED"})
"""What went wrong for a reason outside the document is tried again."""


def parts_of(contract: CanonicalContract, plan: ExecutionPlan, policy: Policy) -> Parts:
    """A hash for each field over everything in contract, plan and policy that its result rests on."""
    mark = ("parts", id(plan.plans), policy)
    if mark not in contract.memo:
        # The plans are kept beside the parts, so that their id is not given to others.
        contract.memo[mark] = plan.plans, _parts(contract, plan, policy)
    found: Parts = contract.memo[mark][1]
    return found


def _parts(contract: CanonicalContract, plan: ExecutionPlan, policy: Policy) -> Parts:
    own = _own_parts(contract, plan)
    groups = _groups(contract)
    settings = attrs.asdict(policy) | attrs.asdict(contract.policies) | {"paxman": __version__, "id": contract.id}
    if contract.policies.stop_on_first_unresolved:
        return {path: canonical_hash([own, settings])[:16] for path in own}
    needs = {p.field_id[len(contract.id) + 1 :]: p.depends_on for p in plan.fields}
    return {
        path: canonical_hash([settings, {near: own[near] for near in _related(path, needs, groups) if near in own}])[
            :16
        ]
        for path in own
    }


def _own_parts(contract: CanonicalContract, plan: ExecutionPlan) -> dict[str, Any]:
    """Each field with its plan, and the checks that name it."""
    plans = {p.field_id: p for p in plan.fields}
    checks = [(parse(c.params["expr"]), c) for c in contract.constraints if c.kind == "check"]
    return {
        field.path: [
            attrs.asdict(field),
            required,
            contract.shapes[field.path],
            plans[field.id].to_dict(),
            [c.to_dict() for expression, c in checks if field.path in _owners(expression.names, contract)],
        ]
        for field, required in contract.planned
        if field.id in plans
    }


def _owners(names: Iterable[str], contract: CanonicalContract) -> set[str]:
    return {path for path in contract.by_path for name in names if name == path or name.startswith(path + ".")}


def _groups(contract: CanonicalContract) -> list[set[str]]:
    """Fields that are decided together: those of a check, and amounts with the rate that converts them."""
    checks = [parse(c.params["expr"]).names for c in contract.constraints if c.kind == "check"]
    groups = [_owners(names, contract) for names in checks]
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
    contract: CanonicalContract, plan: ExecutionPlan, policy: Policy, old: Parts, row: bytes, fields: bytes
) -> Kept:
    """The stored results whose parts are the same now."""
    now = parts_of(contract, plan, policy)
    same = {path for path, part in now.items() if old.get(path) == part}
    stored = [json.loads(line) for line in fields.splitlines()]
    doubtful = UNLUCKY | {"VALIDATION_FAILED"} if contract.check_data else UNLUCKY  # what a model says, it says anew
    kept = [data for data in stored if data["field_path"] in same and not _has_note(data, doubtful)]
    notes = tuple(_note(note) for note in json.loads(row)["notes"] if _said(note))
    return Kept({f"{contract.id}:{data['field_path']}": _restore(data, contract) for data in kept}, notes)


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
