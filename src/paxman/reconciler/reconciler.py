"""The reconciler: from candidates and the contract to one decision per field."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from operator import is_
from typing import Any

import attrs

from paxman.capabilities.base import Candidate, CandidateResult, EvidenceRef, Objection
from paxman.classes import record
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.contract.relation import Relation, stated_relations
from paxman.errors import ReconciliationError
from paxman.lazy import remembered
from paxman.planner.policies import EffectivePolicy
from paxman.reconciler.checks import Verdict, apply_checks
from paxman.reconciler.confidence import float_to_band
from paxman.reconciler.evidence_compare import equality_key, ref_key
from paxman.reconciler.merge import (
    Group,
    disagreement,
    group_candidates,
    is_made,
    split_valid,
    with_cap,
    with_relations,
)
from paxman.reconciler.money import settle_currencies
from paxman.reconciler.row_joining import join_rows
from paxman.reconciler.truth import ResolvedResult, TruthLayer
from paxman.types import Diagnostic, Fallback, FieldType, Origin, RowLedger, Severity, freeze


@record
class Weighed:
    """A field's candidates after validation, currency policy and grouping; nothing is picked yet."""

    field: CanonicalField
    groups: tuple[Group, ...]
    rejected: tuple[Candidate, ...]
    diagnostics: tuple[Diagnostic, ...]
    candidates: tuple[Candidate, ...] = ()
    objections: tuple[Objection, ...] = ()
    cap: float | None = None
    """How sure the value was that a lookup put into its canonical form."""


def reconcile(
    contract: CanonicalContract,
    results: Sequence[CandidateResult],
    policy: EffectivePolicy,
    known: Mapping[str, Weighed] | None = None,
    earlier: Iterable[ResolvedResult] = (),
    relations: Sequence[Relation] | None = None,
) -> tuple[ResolvedResult, ...]:
    """One decision per result, in the order given. The contract's checks help to pick between rivals.

    `known` holds what the gate weighed already, by path; it is used where the candidates are still the same.
    `earlier` are fields that were decided before, from which others may be made. `relations` are those of the
    contract's fields, by default the checks that it states.
    """
    strangers = [result.field_path for result in results if result.field_path not in contract.by_path]
    if strangers:
        raise ReconciliationError(f"results for what is no field of {contract.id}: {', '.join(strangers)}")
    fx_rate = _fx_rate(contract, results)
    usable = known if known and fx_rate is None else {}
    weighed = [
        _still(usable.get(result.field_path), result)
        or weigh(contract.by_path[result.field_path], result.candidates, policy, result.objections, fx_rate)
        for result in results
    ]
    # Something was not read or is in doubt; a sum that is left out of the rows is neither.
    unread = {
        each.field_path
        for each in results
        if any(note.severity is Severity.WARNING for note in each.diagnostics)
        or any(candidate.rows.is_open for candidate in each.candidates if candidate.rows)
    }
    checks = stated_relations(contract) if relations is None else relations
    picks, verdicts = apply_checks(checks, {w.field.path: w.groups for w in weighed}, unread)
    inputs, decided = inputs_of(contract), {result.field_path: result for result in earlier}
    pairs = {w.field.path: (w, result) for w, result in zip(weighed, results, strict=True)}
    for path in inputs_first(list(pairs), inputs):
        made_from = [decided[name] for name in inputs.get(path, ()) if name in decided]
        decided[path] = _decide(*pairs[path], picks[path], verdicts.get(path, _NO_CHECKS), made_from, policy)
    return tuple(decided[result.field_path] for result in results)


def _still(known: Weighed | None, result: CandidateResult) -> Weighed | None:
    if known is None or len(known.candidates) != len(result.candidates) or known.objections != result.objections:
        return None
    return known if all(map(is_, known.candidates, result.candidates)) else None


def weigh(
    field: CanonicalField,
    candidates: tuple[Candidate, ...],
    policy: EffectivePolicy,
    objections: tuple[Objection, ...] = (),
    fx_rate: Decimal | None = None,
) -> Weighed:
    """Validate, settle currencies, and group by equal value; the executor's gate asks how sure the best is."""
    kept = _without_joined(_without_inputs(_without_memories(candidates, objections)))
    made = any(map(_is_lookup, candidates)) and len(kept) < len(candidates)
    keys = group_candidates(each for each in candidates if each not in kept) if made else ()
    valid, dropped, notes = split_valid(field, kept, objections)
    failed = [equality_key(each.value) for each in objections if not each.rejects]
    rejected, disputed = tuple(dropped), False
    if field.type is FieldType.MONEY and len(valid) > 1:
        decision = settle_currencies(field, tuple(valid), policy.currency_policy, fx_rate)
        valid, rejected = list(decision.kept), rejected + decision.rejected
        notes, disputed = [*notes, *decision.diagnostics], bool(decision.rejected)
    groups = group_candidates(valid, disputed, failed)
    if field.columns and len(groups) > 1:
        groups, differing = join_rows(field, groups, disputed, failed)
        notes = [*notes, *differing]
    cap = min((key.confidence for key in keys), default=None)
    return Weighed(field, groups, rejected, tuple(notes), candidates, objections, cap)


def _without_memories(candidates: tuple[Candidate, ...], objections: Sequence[Objection]) -> tuple[Candidate, ...]:
    """What lessons are not sure of is no rival of what the document or the contract ties to the field."""
    sure = {equality_key(each.value) for each in candidates if any(ref.supports for ref in each.evidence_refs)}
    sure -= {equality_key(each.value) for each in objections if each.rejects}
    if not sure:
        return candidates
    return tuple(each for each in candidates if not _is_memory(each) or equality_key(each.value) in sure)


def _is_memory(candidate: Candidate) -> bool:
    refs = candidate.evidence_refs
    return bool(refs) and all(ref.basis == "memory" for ref in refs)


def _without_inputs(candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """A value that a lookup canonicalized is its input, not its rival: the one's evidence is the other's context."""
    if not any(map(_is_lookup, candidates)):
        return candidates
    used = {ref_key(r) for c in candidates if _is_lookup(c) for r in c.evidence_refs if r.role == "context"}
    return tuple(c for c in candidates if _is_lookup(c) or not {ref_key(ref) for ref in c.evidence_refs} <= used)


def _without_joined(candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """Rows that a later finder joined with its own are no rival of the whole: all their places are in it."""
    if len(candidates) < 2 or not all(isinstance(each.value, tuple) for each in candidates):
        return candidates
    places = [{(r.capability_id, r.span) for r in each.evidence_refs if r.span} for each in candidates]
    inside = [any(own and own < other for other in places) for own in places]
    return tuple(each for each, joined in zip(candidates, inside, strict=True) if not joined)


def _is_lookup(candidate: Candidate) -> bool:
    return candidate.source is not None and candidate.source.origin is Origin.LOOKED_UP


def _fx_rate(contract: CanonicalContract, results: Iterable[CandidateResult]) -> Decimal | None:
    """The value of the contract's own `fx_rate` field, if it has exactly one."""
    for result in results:
        if result.field_path.rpartition(".")[2] == "fx_rate":
            valid, _, _ = split_valid(contract.by_path[result.field_path], result.candidates, result.objections)
            groups = group_candidates(valid)
            field = contract.by_path[result.field_path]
            rate = (
                groups[0].value if groups else field.default if field.fallback_policy is Fallback.USE_DEFAULT else None
            )
            if isinstance(rate, Decimal | int) and not isinstance(rate, bool):
                return Decimal(rate)
    return None


_NO_CHECKS = Verdict()


def _decide(
    weighed: Weighed,
    result: CandidateResult,
    pick: int,
    verdict: Verdict,
    made_from: Sequence[ResolvedResult],
    policy: EffectivePolicy,
) -> ResolvedResult:
    field, groups = weighed.field, weighed.groups
    found = [note for candidate in result.candidates for note in candidate.diagnostics]
    notes = tuple(dict.fromkeys([*result.diagnostics, *found, *weighed.diagnostics]))
    if not groups:
        nothing = without_value(field, (*notes, *_exhausted(field, result, notes)), _refs((), weighed, result))
        return attrs.evolve(nothing, rows=None if nothing.value else result.rows)
    chosen = groups[pick]
    others = tuple(group for group in groups if group is not chosen)
    notes = (*notes, *disagreement(field, groups, chosen), *verdict.notes, *_open_rows(field, chosen.rows))
    held = () if chosen.rows and chosen.rows.is_open else verdict.held
    if verdict.failed or held:
        chosen = with_relations(chosen, verdict.failed, held)
    least = least_sure(chosen, made_from)
    if least:
        sure, chosen = chosen.confidence, with_cap(chosen, least.confidence)
        least = least if chosen.confidence < sure else None
    elif weighed.cap is not None:
        chosen = with_cap(chosen, weighed.cap)
    refs = _refs(others, weighed, result, chosen)
    target = max(field.confidence_threshold or 0.0, policy.confidence_floor)
    if least or chosen.confidence < target:
        notes = (*notes, _low(field, chosen, target, least))
    if chosen.confidence < target:
        if policy.reject_below_floor:
            return without_value(field, notes, tuple(_as_rejected(ref) for ref in refs))
        if field.fallback_policy is Fallback.REQUIRE_HUMAN:
            human = Diagnostic("HUMAN_REVIEW_REQUIRED", Severity.WARNING, "a person must decide", field.path)
            notes = (*notes, human)
    return _resolved(field, chosen, refs, notes)


def _open_rows(field: CanonicalField, rows: RowLedger | None) -> Iterator[Diagnostic]:
    """Say why a ledger is open; rows that were rejected are told one by one."""
    if rows and rows.is_open and rows.reasons != (f"{rows.rejected} rejected",):
        yield Diagnostic("ROWS_OPEN", Severity.WARNING, f"{rows}: {'; '.join(rows.reasons)}", field.path)


def _low(field: CanonicalField, chosen: Group, target: float, least: ResolvedResult | None) -> Diagnostic:
    """Say that a value is below its target, or no surer than what it was made from."""
    below = chosen.confidence < target
    said = [f"confidence {chosen.confidence:.2f} is below the target {target:.2f}"] if below else []
    if least:
        said.append(f"it is no surer than {least.field_path}, which it was made from")
    context = {"made_from": least.field_path} if least else {}
    return Diagnostic(
        "LOW_CONFIDENCE", Severity.WARNING if below else Severity.INFO, "; ".join(said), field.path, context
    )


def _resolved(
    field: CanonicalField, chosen: Group, refs: tuple[EvidenceRef, ...], notes: tuple[Diagnostic, ...]
) -> ResolvedResult:
    source = chosen.candidates[0].source
    return ResolvedResult(
        field.id,
        field.path,
        field.type.value,
        freeze(chosen.value),
        chosen.confidence,
        float_to_band(chosen.confidence),
        TruthLayer.RESOLVED,
        refs,
        "RESOLVED",
        notes,
        source.origin if source else Origin.EXTRACTED,
        chosen.evidence,
        chosen.rows,
    )


_INCOMPLETE = ("CAPABILITY_FAILED", "BUDGET_EXCEEDED", "NOT_ALL_READ")


def _exhausted(field: CanonicalField, result: CandidateResult, notes: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Say that the chain ended without a candidate, unless validation or currencies explain it."""
    if result.candidates or any(note.code == "CHAIN_EXHAUSTED" for note in notes):
        return ()
    tried = f"{result.invocations} step{' was' if result.invocations == 1 else 's were'} tried"
    context: dict[str, Any] = {}
    if not result.invocations:
        message = "Not looked for: no step could be tried. `paxman plan --all` says why."
    elif any(note.code in _INCOMPLETE and "excess_usd" not in note.context for note in notes):
        message = f"Not found, but {tried} and not all to the end. Whether the document states a value is not known."
    else:
        message, context = _not_found(field, tried)
    return (Diagnostic("CHAIN_EXHAUSTED", Severity.WARNING, message, field.path, context),)


def _not_found(field: CanonicalField, tried: str) -> tuple[str, dict[str, Any]]:
    """The labels that a field was looked for by; of a list of records, those of its columns."""
    if field.derive or field.lookup:
        return f"Not found: {tried}.", {}
    labels = [(*column.labels, column.words)[0] for column in field.columns] or [*field.labels, field.said]
    shown = tuple(dict.fromkeys(labels[:_MOST_LABELS]))
    listed = ", ".join(f'"{label}"' for label in shown)
    return f"Not found. Looked for {'columns ' if field.columns else ''}{listed}.", {"looked_for": shown}


_MOST_LABELS = 5


def _refs(
    others: tuple[Group, ...], weighed: Weighed, result: CandidateResult, chosen: Group | None = None
) -> tuple[EvidenceRef, ...]:
    """The chosen value's evidence, then what was rejected, then context."""
    losers = [c for group in others for c in group.candidates] + list(weighed.rejected)
    context = [r for c in (chosen.candidates if chosen else ()) for r in c.evidence_refs if not r.is_of_value]
    refs = [*map(_in_its_role, chosen.refs if chosen else ()), *context]
    refs += [_as_rejected(ref) for candidate in losers for ref in candidate.evidence_refs]
    return tuple(dict.fromkeys([*refs, *result.evidence]))


def _in_its_role(ref: EvidenceRef) -> EvidenceRef:
    """A reference as supporting or as context, by what ties it to the field."""
    return ref if ref.supports or ref.role != "supporting" else attrs.evolve(ref, role="context")


def _as_rejected(ref: EvidenceRef) -> EvidenceRef:
    return attrs.evolve(ref, role="rejected") if ref.is_of_value or ref.supports else ref


def resolved_values(results: Iterable[ResolvedResult]) -> Mapping[str, Any]:
    """Values by path, of the fields that have one."""
    return {result.field_path: result.value for result in results if result.status == "RESOLVED"}


def without_value(
    field: CanonicalField, reasons: tuple[Diagnostic, ...], refs: tuple[EvidenceRef, ...] = ()
) -> ResolvedResult:
    """UNRESOLVED, the field's default, or a call for a human, as the field's fallback says."""
    if field.fallback_policy is Fallback.USE_DEFAULT:
        note = Diagnostic(
            "DEFAULT_USED", Severity.WARNING, "no value was accepted; the contract's default is used", field.path
        )
        return _result(field, field.default, "RESOLVED", (*reasons, note), refs, Origin.DEFAULT)
    if field.fallback_policy is Fallback.REQUIRE_HUMAN:
        note = Diagnostic(
            "HUMAN_REVIEW_REQUIRED", Severity.WARNING, "no value was accepted; a person must decide", field.path
        )
        reasons = (*reasons, note)
    return _result(field, None, "UNRESOLVED", reasons, refs, None)


def _result(
    field: CanonicalField,
    value: object,
    status: str,
    diagnostics: tuple[Diagnostic, ...],
    refs: tuple[EvidenceRef, ...],
    origin: Origin | None,
) -> ResolvedResult:
    return ResolvedResult(
        field.id,
        field.path,
        field.type.value,
        value,
        0.0,
        float_to_band(0.0),
        TruthLayer.RESOLVED,
        refs,
        "RESOLVED" if status == "RESOLVED" else "UNRESOLVED",
        diagnostics,
        origin,
    )


@remembered(lambda contract: (contract.memo,))
def inputs_of(contract: CanonicalContract) -> Mapping[str, tuple[str, ...]]:
    """The fields that each looked up or computed one is made from; worked out once per contract."""
    made = {field.path: tuple(_inputs(field, contract.by_path)) for field in contract.leaves}
    return {path: inputs for path, inputs in made.items() if inputs}


def _inputs(field: CanonicalField, paths: Collection[str]) -> Iterator[str]:
    for name in field.needs:
        while name and name not in paths:
            name = name.rpartition(".")[0]
        if name:
            yield name


def inputs_first(paths: Sequence[str], inputs: Mapping[str, tuple[str, ...]]) -> Sequence[str]:
    """The paths in an order that decides what a value is made from before the value."""
    if not inputs:
        return paths
    from graphlib import TopologicalSorter

    order = TopologicalSorter({path: inputs.get(path, ()) for path in paths}).static_order()
    known = frozenset(paths)
    return [path for path in order if path in known]


def least_sure(group: Group, inputs: Sequence[ResolvedResult]) -> ResolvedResult | None:
    """The input that a value may not be surer than, if it was looked up or computed."""
    if not inputs or not any(map(is_made, group.candidates)):
        return None
    used = (result for result in inputs if result.status == "RESOLVED")
    return min(used, key=lambda result: result.confidence, default=None)


class Settling:
    """Values of the fields that a walk is through with.

    What a relation ties to other fields is decided anew with them, and everything is where a rate may change amounts.
    """

    def __init__(
        self,
        contract: CanonicalContract,
        policy: EffectivePolicy,
        earlier: Sequence[ResolvedResult],
        relations: Sequence[Relation],
    ) -> None:
        self._contract, self._policy, self._relations = contract, policy, relations
        self._earlier = earlier
        self._tied = frozenset(name for relation in relations for path in relation.paths for name in _above(path))
        self._has_rate = any(path.rpartition(".")[2] == "fx_rate" for path in contract.by_path)
        self._known: dict[int, ResolvedResult] = {}
        self._kept: list[CandidateResult] = []
        """What was decided by the id of its candidates, which are kept so that no others get it."""

    def __call__(self, results: Sequence[CandidateResult]) -> Mapping[str, Any]:
        known = list(map(self._known.get, map(id, results)))
        fresh = [at for at, decided in enumerate(known) if decided is None]
        earlier = (*self._earlier, *filter(None, known))
        for at, decided in zip(fresh, self._decide([results[at] for at in fresh], earlier), strict=True):
            known[at] = decided
            if not self._has_rate and not self._tied.intersection(_above(results[at].field_path)):
                self._known[id(results[at])] = decided
                self._kept.append(results[at])
        return resolved_values((*self._earlier, *filter(None, known)))

    def _decide(
        self, results: Sequence[CandidateResult], earlier: Sequence[ResolvedResult]
    ) -> tuple[ResolvedResult, ...]:
        return reconcile(self._contract, results, self._policy, earlier=earlier, relations=self._relations)


def _above(path: str) -> list[str]:
    """A path and those of the objects and lists that it is in."""
    steps = path.replace("[", ".[").split(".")
    return [".".join(steps[:end]) for end in range(1, len(steps) + 1)]
