"""Which results of an earlier run still hold: those of fields whose part of the contract is the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import attrs

from paxman.api.normalize import ReusedResults
from paxman.artifact.artifact import ExecutionArtifact, diagnostic_from_dict
from paxman.artifact.coding import decode_value
from paxman.artifact.results import FieldCost, FieldResult
from paxman.batch.job import Job, table_marks
from paxman.capabilities.base import EvidenceRef
from paxman.capabilities.structured_extraction import parents_of
from paxman.contract.labels import fold_name, squeeze
from paxman.contract.model import CanonicalContract
from paxman.documents.document import Document
from paxman.finding.wanted import domains_of, is_head, wanted_of
from paxman.inference.models import personal_paths
from paxman.lexicon.lexicon import load
from paxman.lexicon.own_files import lexicon_of
from paxman.planner.field_plan import ExecutionPlan, FieldPlan, FieldPlanStep
from paxman.planner.registry import CAPABILITIES
from paxman.reconciler.truth import restore_result
from paxman.relations.implied import relations_of
from paxman.serialization import canonical_hash
from paxman.types import Diagnostic, FieldType
from paxman.version import __version__

Parts = Mapping[str, str]
Stored = Mapping[str, Any]
_KEY = "key "
"""Before a word as the lexicon compares it, with others that mean the same."""
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
        contract.memo[mark] = plan.plans, {**_parts(contract, plan, job), "": _words(contract, job)}
    found: Parts = contract.memo[mark][1]
    return found


def _parts(contract: CanonicalContract, plan: ExecutionPlan, job: Job) -> Parts:
    own = _own_parts(contract, plan, job)
    trades = sorted(domains_of(contract, lexicon_of(job.policy.lexicon)))
    policies = attrs.asdict(job.policy), attrs.asdict(contract.policies)
    settings = [contract.id, __version__, job.reading(), *policies, trades]
    live = {path for path, marks in table_marks(contract).items() if None in marks}
    return {
        path: canonical_hash([settings, {near: own[near] for near in sorted(nears) if near in own}])[:16]
        for path, nears in _relations(contract, plan).items()
        if not nears & live
    }


def _relations(contract: CanonicalContract, plan: ExecutionPlan) -> Mapping[str, set[str]]:
    """Each field with those that have a say in it."""
    mark = ("relations", id(plan.plans))
    if mark not in contract.memo:
        needs = {p.field_id[len(contract.id) + 1 :]: p.depends_on for p in plan.fields}
        groups = _groups(contract)
        if contract.policies.stop_on_first_unresolved:
            groups.append(set(needs))
        contract.memo[mark] = plan.plans, {path: _related(path, needs, groups) for path in needs}
    found: Mapping[str, set[str]] = contract.memo[mark][1]
    return found


def _own_parts(contract: CanonicalContract, plan: ExecutionPlan, job: Job) -> dict[str, Any]:
    """Each field with its plan, the checks that name it, and what capabilities know of the fields around it."""
    plans = {p.field_id: p for p in plan.fields}
    checks = [(_owners(check.paths, contract), check) for check in relations_of(contract)]
    wanted = wanted_of(contract, lexicon_of(job.policy.lexicon))
    sought = {each.field.path: [asked.text for asked in each.phrases] for each in wanted}
    return {
        field.path: [
            attrs.asdict(field),
            required,
            contract.shapes[field.path],
            plans[field.id].to_dict(),
            [(c.expression.text, str(c.tolerance), c.implied) for paths, c in checks if field.path in paths],
            [attrs.asdict(attrs.evolve(parent, children=())) for parent in parents_of(contract, field)],
            table_marks(contract).get(field.path),
            sought.get(field.path),
            _of_others(contract, plans[field.id], job),
        ]
        for field, required in contract.planned
        if field.id in plans
    }


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


def _words(contract: CanonicalContract, job: Job) -> str:
    """Labels of all fields, each with its field, and names: one on a page may end or take another field's value."""
    wanted = wanted_of(contract, lexicon_of(job.policy.lexicon))
    labels = {
        f"{word}\n{each.field.path}"
        for each in wanted
        for asked in each.phrases
        for word in (squeeze(asked.text), *(f"{_KEY}{token.key}" for token in asked.tokens if not is_head(token)))
    }
    return json.dumps([sorted(labels), sorted({key for field in contract.leaves for key in field.name_keys})])


def _says_more(old: str, new: str, read: Callable[[], Document]) -> bool:
    """Whether a document has labels in it that only one of two contracts knows for a field."""
    if old == new:
        return False
    labels, names = (set(a) ^ set(b) for a, b in zip(json.loads(old), json.loads(new), strict=True))
    said = {label.partition("\n")[0] for label in labels}
    text, keys = squeeze(read().text), {word.removeprefix(_KEY) for word in said if word.startswith(_KEY)}
    if any(word in text for word in said if not word.startswith(_KEY)):
        return True
    lexicon = load()
    if any(token.key in keys for line in read().text.splitlines() for token in lexicon.parse(line)):
        return True
    pairs = (table for table in read().tables if len(table.header) == 2)
    return any(fold_name(cell.text) in names for t in pairs for row in (t.header, *t.rows) for cell in row)


def _owners(names: Iterable[str], contract: CanonicalContract) -> set[str]:
    return {path for path in contract.by_path for name in names if name == path or name.startswith(path + ".")}


def _groups(contract: CanonicalContract) -> list[set[str]]:
    """Fields that are decided together: those of a check, and amounts with the rate that converts them."""
    groups = [_owners(check.paths, contract) for check in relations_of(contract)]
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
) -> ReusedResults:
    """The stored results whose parts are the same now, each from the first of the priors where it is."""
    now = parts_of(contract, plan, job)
    rows: dict[str, Stored] = {}
    used: list[tuple[Prior, list[Stored], list[Stored]]] = []
    for prior in priors:
        if len(rows) == len(plan.fields):
            break
        stored = [json.loads(line) for line in prior.fields.splitlines()]
        holding = _still_true(prior, stored, now, contract, job, read)
        taken = _fitting(holding, stored, rows, contract, plan)
        rows |= {data["field_path"]: data for data in taken}
        used += [(prior, taken, stored)] if taken else []
    if not used:
        return ReusedResults()
    notes = tuple(diagnostic_from_dict(note) for note in json.loads(used[0][0].row)["notes"] if _said(note))
    invocations, calls, costs = zip(*(_effort(*one) for one in used), strict=True)
    results = {f"{contract.id}:{path}": _restore(data, contract) for path, data in rows.items()}
    return ReusedResults(results, notes, sum(invocations), sum(calls), sum(costs, Decimal(0)))


def _fitting(
    holding: list[Stored],
    stored: list[Stored],
    rows: Mapping[str, Stored],
    contract: CanonicalContract,
    plan: ExecutionPlan,
) -> list[Stored]:
    """Those not in `rows` yet, unless what has a say in them is another there than it was here."""
    if not rows or not holding:
        return holding
    values = {data["field_path"]: data["value"] for data in stored}
    other = {path for path, data in rows.items() if path not in values or values[path] != data["value"]}
    related = _relations(contract, plan)
    return [data for data in holding if data["field_path"] not in rows and not related[data["field_path"]] & other]


def _effort(prior: Prior, taken: list[Stored], stored: list[Stored]) -> tuple[int, int, Decimal]:
    """What it took to find these; which call was whose is not known where others had theirs, too."""
    row = json.loads(prior.row)
    paths = {data["field_path"] for data in taken}
    others = [data for data in stored if data["field_path"] not in paths]
    if not any(_has_asked(data) for data in others):
        free = sum(data["invocations"] for data in others)
        return row["invocations"] - free, prior.remote_calls, Decimal(row["cost_usd"])
    calls = prior.remote_calls if any(map(_has_asked, taken)) else 0
    return sum(data["invocations"] for data in taken), calls, sum((Decimal(d["cost_usd"]) for d in taken), Decimal(0))


def _has_asked(data: Stored) -> bool:
    """Whether a model or the like had to do with it."""
    return bool(data["tokens"] or Decimal(data["cost_usd"]) or _has_note(data, UNLUCKY))


def _still_true(
    prior: Prior,
    stored: list[Stored],
    now: Parts,
    contract: CanonicalContract,
    job: Job,
    read: Callable[[], Document],
) -> list[Stored]:
    same = {path for path, part in now.items() if path and prior.parts.get(path) == part}
    if job.policy.allow_remote_inference and not job.policy.allow_remote_pii:
        same -= personal_paths(contract)  # found anew, so that all of it can be hidden from a remote model
    if not same or _says_more(prior.parts.get("", "[[], []]"), now[""], read):
        return []
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


def _restore(data: Mapping[str, Any], contract: CanonicalContract) -> FieldResult:
    path = data["field_path"]
    shape = contract.shapes[path]
    return restore_result(
        FieldResult,
        {
            **{name: data[name] for name in _SAME},
            "field_id": f"{contract.id}:{path}",
            "confidence_evidence": data.get("confidence_evidence"),
            "rows": data.get("rows"),
            "value": decode_value(data["value"], shape),
            "evidence_refs": tuple(map(EvidenceRef.from_dict, data["evidence"])),
            "diagnostics": tuple(map(diagnostic_from_dict, data["diagnostics"])),
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
