"""Checking an artifact against the document it speaks of: every span, quote, address and transform."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import Any

import attrs

from paxman.artifact.artifact import ExecutionArtifact, follow
from paxman.artifact.replay import reasons_against
from paxman.artifact.results import FieldResult
from paxman.capabilities.base import (
    Candidate,
    Capability,
    CapabilityContext,
    CapabilityResult,
    CapabilitySpec,
    EvidenceRef,
    quote_hash,
)
from paxman.capabilities.lookup import TableLookup
from paxman.capabilities.row_completion import complete
from paxman.capabilities.structure.open_values import entry_path
from paxman.contract.arithmetic import ExpressionError
from paxman.contract.expressions import parse
from paxman.contract.model import CanonicalContract
from paxman.documents.document import Document, Source
from paxman.errors import PaxmanError
from paxman.planner.registry import CAPABILITIES
from paxman.recognizers.calendar.yearless import is_year_of
from paxman.reconciler.confidence import ConfidenceEvidence, assign_confidence, float_to_band
from paxman.reconciler.evidence_compare import are_read_otherwise, equality_key
from paxman.reconciler.merge import weigh_refs
from paxman.reconciler.truth import ResolvedResult
from paxman.transforms import run
from paxman.types import MASK, ConfidenceBand, Money, Origin, Span, is_within
from paxman.verifier import disagreements

MADE = frozenset((Origin.LOOKED_UP, Origin.DERIVED))
_FOUND = frozenset((Origin.EXTRACTED, Origin.INFERRED))
_WORDS = {Origin.LOOKED_UP: "looking it up", Origin.DERIVED: "computing it"}


def capability_of(ref: EvidenceRef) -> Capability | None:
    return None if ref.basis == "relation" else CAPABILITIES.get(ref.capability_id, ref.capability_version)


def is_placed(ref: EvidenceRef) -> bool:
    return ref.span is not None and ref.is_of_value


def is_hollow(value: Any) -> bool:
    """Nothing at all, or rows and objects without a value in them: there is nothing to prove."""
    if isinstance(value, Mapping):
        return all(map(is_hollow, value.values()))
    return all(map(is_hollow, value)) if isinstance(value, tuple) else value is None


def makers_of(result: FieldResult) -> dict[str, Capability]:
    """The capabilities that looked up or computed a value, by their ids."""
    found = ((ref.capability_id, capability_of(ref)) for ref in result.evidence_refs)
    return {name: capability for name, capability in found if capability and capability.spec.step.origin in MADE}


def made_from(result: FieldResult, artifact: ExecutionArtifact) -> list[FieldResult]:
    """The fields that a value was made from, by the plan."""
    known = {each.field_path: each for each in artifact.field_results}
    names = [n for plan in artifact.execution_plan.fields if plan.field_id == result.field_id for n in plan.depends_on]
    owners = (_owner(name, known) for name in names)
    return [known[path] for path in dict.fromkeys(owners) if path]


def _owner(name: str, known: dict[str, FieldResult]) -> str:
    """The field of a name: itself, or the array whose column it is."""
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name


@attrs.define
class Remaking:
    """The values of an artifact that were made from others, made again; with the contract, from its own tables."""

    artifact: ExecutionArtifact
    document: Document
    contract: CanonicalContract | None

    def problems(self) -> Iterator[tuple[FieldResult, str, str]]:
        """Each such field, or with such cells, with what is wrong with it, and what could not be checked."""
        for result in self.artifact.field_results:
            if result.status == "RESOLVED" and result.origin in MADE:
                yield (result, *self._problem(result, result.origin))
            elif result.status == "RESOLVED" and result.origin in _FOUND and not is_hollow(result.value):
                yield (result, *self._found_problem(result, result.origin))

    def _found_problem(self, result: FieldResult, origin: Origin) -> tuple[str, str]:
        """A value that was found by such a capability, each cell of it at its place or filled by the contract."""
        finders = [capability_of(ref) for ref in result.evidence_refs if is_placed(ref)]
        if finders and not any(each and each.spec.step.origin is origin for each in finders):
            return f"nothing that was {origin.value.lower()} gives it", ""
        found = self._found(result)
        if equality_key(found) == equality_key(result.value) or not finders or MASK in str(result.value):
            return "", ""
        if self.contract is None or result.field_path not in self.contract.by_path:
            return "", "some of its cells have no place in the document; with the contract they can be made again"
        filled = complete(
            self._context(TableLookup.spec, result, self.contract), CapabilityResult((Candidate(found, ()),))
        )
        same = any(_is_same(each.value, result.value) for each in filled.candidates)
        return "" if same else "some of its cells have no place in the document", ""

    def _found(self, result: FieldResult) -> Any:
        """The value with only those cells that have a place."""
        told = (ref for ref in result.evidence_refs if is_placed(ref) or ref.basis == "answer" or ref.is_of_picture)
        places = {ref.field_path for ref in told}

        def within(value: Any, path: str) -> Any:
            if path in places:
                return value
            if isinstance(value, Mapping):
                return {name: within(item, entry_path(path, name)) for name, item in value.items()}
            if isinstance(value, tuple):
                return [within(item, f"{path}[{number}]") for number, item in enumerate(value)]
            return None

        return within(result.value, result.field_path)

    def _problem(self, result: FieldResult, origin: Origin) -> tuple[str, str]:
        makers = [each for each in makers_of(result).values() if each.spec.step.origin is origin]
        if not makers:
            return f"a {origin.value.lower().replace('_', ' ')} value without what it was made with", ""
        if any(MASK in str(each.value) for each in (result, *made_from(result, self.artifact))):
            return "", "it is a secret, or was made from one"
        if self.contract is None and origin is not Origin.DERIVED:
            return "", "it can be looked up again only with the contract"
        try:
            again = self._compute(result) if self.contract is None else self._make(result, makers, self.contract)
        except PaxmanError as error:
            return f"{_WORDS[origin]} again fails: {error.message}", ""
        except Exception as error:
            return f"{_WORDS[origin]} again raised {type(error).__name__}", ""
        same = any(_is_same(value, result.value) for value in again)
        return "" if same else f"{_WORDS[origin]} again gives {', '.join(map(str, again)) or 'nothing'}", ""

    def _make(self, result: FieldResult, makers: list[Capability], contract: CanonicalContract) -> list[Any]:
        asked = [(maker, self._context(maker.spec, result, contract)) for maker in makers]
        return [candidate.value for maker, context in asked for candidate in maker.invoke(context).candidates]

    def _context(self, spec: CapabilitySpec, result: FieldResult, contract: CanonicalContract) -> CapabilityContext:
        field, keys = contract.by_path[result.field_path], tuple(self._keys(result))
        return CapabilityContext(spec, field, contract, lambda: self.document, candidates=keys, resolved=self._values())

    def _compute(self, result: FieldResult) -> list[Any]:
        """By the formula that the plan names, where there is no contract to say more."""
        steps = [
            s for p in self.artifact.execution_plan.fields if p.field_id == result.field_id for s in p.capability_chain
        ]
        formula = next((step.config["formula"] for step in steps if "formula" in step.config), None)
        if formula is None:
            raise ExpressionError("the plan names no formula")
        return [parse(formula).evaluate(self._values())]

    def _values(self) -> dict[str, Any]:
        return {each.field_path: each.value for each in self.artifact.field_results if each.status == "RESOLVED"}

    def _keys(self, result: FieldResult) -> Iterator[Candidate]:
        """What a field found itself before it was looked up."""
        for ref in result.evidence_refs:
            if ref.role == "context" and not ref.is_of_value and ref.span is not None:
                start, end = ref.span
                yield Candidate(run(ref.transforms, self.document.text[start:end]), (ref,))


def _is_same(again: Any, value: Any) -> bool:
    """Whether values agree; without the contract a number may stand for an amount."""
    if equality_key(again) == equality_key(value):
        return True
    return isinstance(value, Money) and not isinstance(again, Money) and equality_key(again) == value.amount


@attrs.frozen
class EvidenceCheck:
    """One thing that was looked at: what, for which field, and what is wrong with it or could not be checked."""

    what: str
    field_path: str | None = None
    problem: str = ""
    unchecked: str = ""

    @property
    def passed(self) -> bool:
        return not self.problem


@attrs.frozen
class Verification:
    """All checks of one artifact; with `complete`, what could not be checked counts as not passed."""

    checks: tuple[EvidenceCheck, ...]
    complete: bool = False

    @property
    def passed(self) -> bool:
        return not self.problems and not (self.complete and self.unchecked)

    @property
    def problems(self) -> tuple[EvidenceCheck, ...]:
        return tuple(check for check in self.checks if not check.passed)

    @property
    def unchecked(self) -> tuple[EvidenceCheck, ...]:
        """What rests on the word of a person, or of a model of which nothing was recorded."""
        return tuple(check for check in self.checks if check.unchecked)

    def to_dict(self) -> dict[str, Any]:
        return {
            "passed": self.passed,
            "checked": len(self.checks) - len(self.unchecked),
            "problems": [attrs.asdict(check) for check in self.problems],
            "unchecked": [attrs.asdict(check) for check in self.unchecked],
        }


def verify_sources(
    artifact: ExecutionArtifact,
    data: bytes,
    document: Document,
    contract: CanonicalContract | None = None,
    *,
    reformatted: bool = False,
) -> Verification:
    """Check the hashes, then each field's evidence, origin and confidence against the document in these bytes."""
    grounds = Grounds(document)
    checks = [*_check_hashes(artifact, contract, reformatted), _check_input(artifact, data)]
    wrong = list(disagreements(artifact.to_dict())) or [("", "")]
    checks += [EvidenceCheck("status, counts and cost", path or None, told) for path, told in wrong]
    checks += _check_fields(artifact, contract) if contract is not None else ()
    checks += [check for result in artifact.field_results for check in grounds.check(result)]
    checks += [_check_confidence(result, artifact) for result in artifact.field_results]
    made = Remaking(artifact, document, contract).problems()
    checks += [EvidenceCheck("origin", result.field_path, wrong, unchecked) for result, wrong, unchecked in made]
    return Verification(tuple(checks))


def _check_hashes(
    artifact: ExecutionArtifact, contract: CanonicalContract | None, reformatted: bool
) -> Iterator[EvidenceCheck]:
    """Hashes, versions and capabilities, each reason by itself; without a contract, all but the contract's hash."""
    what = "hash and versions" if contract is None else "hash, versions and contract"
    reasons = [error.message for error in reasons_against(artifact, contract, reformatted=reformatted)]
    yield from (EvidenceCheck(what, problem=reason) for reason in reasons or [""])


def _check_input(artifact: ExecutionArtifact, data: bytes) -> EvidenceCheck:
    same = hashlib.sha256(data).hexdigest() == artifact.input_content_hash
    return EvidenceCheck("input", problem="" if same else "this is not the document that the artifact was made from")


def _check_fields(artifact: ExecutionArtifact, contract: CanonicalContract) -> Iterator[EvidenceCheck]:
    """The fields with their types, and defaults, as the contract has them."""
    asked = [(field.path, field.type.value, needed) for field, needed in contract.planned]
    found = [(each.field_path, each.field_type_name, each.required) for each in artifact.field_results]
    yield EvidenceCheck("fields", problem="" if found == asked else "the contract has other fields, types or needs")
    for result in artifact.field_results:
        field = contract.by_path.get(result.field_path)
        if field and result.origin is Origin.DEFAULT and MASK not in str(result.value):
            same = equality_key(result.value) == equality_key(field.default)
            yield EvidenceCheck("origin", result.field_path, "" if same else "the contract has another default")


def _check_confidence(result: FieldResult, artifact: ExecutionArtifact) -> EvidenceCheck:
    """The rubric's sum, and its inputs against the evidence; an artifact of an older format has no inputs."""
    if artifact.replay_version == "1":
        told = f"its confidence: Paxman {artifact.paxman_version} did not store what it was counted from"
        return EvidenceCheck("confidence", result.field_path, unchecked=told)
    if result.origin is Origin.REVIEWED:
        return EvidenceCheck("confidence", result.field_path, unchecked="it rests on the word of a person")
    makers, inputs = makers_of(result), made_from(result, artifact)
    cap = min((each.confidence for each in inputs if each.status == "RESOLVED"), default=None)
    if cap is None and result.confidence_evidence and not inputs:
        cap = result.confidence_evidence.cap  # its own value was the key
    return EvidenceCheck("confidence", result.field_path, confidence_problem(result, makers, cap))


@attrs.define(slots=False)
class Grounds:
    """Evidence held against the document."""

    document: Document

    @cached_property
    def _node_sources(self) -> frozenset[Source]:
        tree = self.document.tree
        return frozenset(node.source for node in tree.walk()) if tree else frozenset()

    def check(self, result: FieldResult) -> Iterator[EvidenceCheck]:
        """Every reference of a field; a value that was read must have one that gives it."""
        for ref in result.evidence_refs:
            if not is_within(ref.field_path, result.field_path):
                yield EvidenceCheck("evidence", result.field_path, f"it has evidence for {ref.field_path}")
            elif ref.span is not None:
                yield EvidenceCheck("span", ref.field_path, self._problem(ref, ref.span, result))
            elif ref.quote is not None or ref.quote_hash is not None:
                yield EvidenceCheck("evidence", ref.field_path, "a quote without a place in the document")
        if result.status != "RESOLVED" or is_hollow(result.value) or any(map(is_placed, result.evidence_refs)):
            return
        if any(ref.basis == "answer" or ref.is_of_picture for ref in result.evidence_refs):
            told = "a model said so, and the page does not"
            yield EvidenceCheck("evidence", result.field_path, unchecked=told)
            return
        word = result.origin.value.lower() if result.origin else "resolved"
        if result.origin is None or result.origin in (Origin.EXTRACTED, Origin.INFERRED):
            yield EvidenceCheck("evidence", result.field_path, f"an {word} value without a place in the document")

    def _problem(self, ref: EvidenceRef, span: Span, result: FieldResult) -> str:
        start, end = span
        if not 0 <= start <= end <= len(self.document.text):
            return f"the span {start}-{end} lies outside the document"
        quote = self.document.text[start:end]
        if quote_hash(quote) != ref.quote_hash or ref.quote not in (None, quote):
            return f"the text at {start}-{end} is not what was quoted"
        if (
            ref.source not in (None, self.document.locate(span), self.document.place(span, ref.transforms))
            and ref.source not in self._node_sources
        ):
            return f"the address of {start}-{end} is not where that text stands"
        told = ref.is_of_value or ref.role == "rejected"
        return self._value_problem(ref, quote, result) if told else ""

    def _value_problem(self, ref: EvidenceRef, quote: str, result: FieldResult) -> str:
        try:
            value = run(ref.transforms, quote)
        except Exception as error:  # transforms are data of a stored artifact, which may say anything
            return f"its transforms fail: {type(error).__name__}"
        if not all(map(self._has_year, ref.transforms)):
            return "its year does not stand where it says"
        if (
            ref.role == "rejected"
            or _value_at(ref.field_path, result) == MASK
            or any(equality_key(value) == accepted for accepted in self._accepted(ref, result))
        ):
            return ""
        return "its transforms do not give the value"

    def _has_year(self, step: str) -> bool:
        """Whether a step that adds a year names a place that has it; others add none."""
        if not step.startswith("year:"):
            return True
        return is_year_of(step, self.document.text)

    def _accepted(self, ref: EvidenceRef, result: FieldResult) -> Iterator[Any]:
        """The value itself, and what a recorded rate of exchange turned into it."""
        yield equality_key(_value_at(ref.field_path, result))
        for note in result.diagnostics:
            if note.code == "FX_APPLIED" and note.context.get("after") == str(result.value):
                amount, _, currency = str(note.context["before"]).partition(" ")
                yield equality_key(type(result.value)(amount, currency))


def _value_at(path: str, result: FieldResult) -> Any:
    """The field's value, or that of one of its cells, such as `lines[0].price`; None where there is none."""
    try:
        return follow(result.value, result.shape, path.removeprefix(result.field_path))[0]
    except (LookupError, TypeError, ValueError):
        return None


_DISPUTES = frozenset(("CONFLICT", "MISMATCH"))


def confidence_problem(result: ResolvedResult, makers: Collection[str], cap: float | None = None) -> str:
    """What is wrong with a stored confidence, if anything.

    `makers` are capabilities that look up or compute; `cap` is what a value that was only made may reach at most.
    """
    inputs = result.confidence_evidence
    if result.status == "UNRESOLVED" or result.origin is Origin.DEFAULT:
        none = (0.0, ConfidenceBand.UNTRUSTED, None)
        same = (result.confidence, result.confidence_band, inputs) == none
        return "" if same else "without a value there is no confidence"
    if inputs is None:
        return "what its confidence was counted from is missing"
    given = assign_confidence(inputs)
    if given != result.confidence or float_to_band(given) is not result.confidence_band:
        return f"the rubric gives {given:.2f}, not {result.confidence:.2f} {result.confidence_band.value}"
    if not inputs.conflict and any(note.code in _DISPUTES for note in result.diagnostics):
        return "another value was found, but it is not counted as a conflict"
    bare = attrs.evolve(inputs, cap=None)
    caps = [each.cap for each in _countable(result, inputs, makers) if attrs.evolve(each, cap=None) == bare]
    if not caps:
        return "its evidence does not give what its confidence was counted from"
    only_made = all(ref.capability_id in makers for ref in result.evidence_refs if ref.supports and ref.is_of_value)
    lowest = {min((c for c in (cap if only_made else None, each) if c is not None), default=None) for each in caps}
    return "" if inputs.cap in lowest else "its cap is not the confidence of what it was made from"


def _countable(
    result: ResolvedResult, inputs: ConfidenceEvidence, makers: Collection[str]
) -> Iterator[ConfidenceEvidence]:
    """What the stored references can be counted as: all of them, those that were found, or one of several readings."""
    refs = [ref for ref in result.evidence_refs if ref.is_of_value or ref.supports]
    rivals = [ref for ref in result.evidence_refs if ref.role == "rejected"]
    for counted in (refs, [ref for ref in refs if ref.capability_id not in makers]):
        for is_open in {False, are_read_otherwise(counted, rivals)}:
            yield weigh_refs(counted, inputs.validation_passed, inputs.conflict, is_open)
