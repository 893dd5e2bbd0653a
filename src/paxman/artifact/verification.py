"""Checking an artifact against the document it speaks of: every span, quote, address and transform."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import attrs

from paxman.artifact.artifact import ExecutionArtifact, follow
from paxman.artifact.remaking import Remaking, is_hollow, is_placed, made_from, makers_of
from paxman.artifact.replay import reasons_against
from paxman.artifact.results import FieldResult
from paxman.capabilities.base import EvidenceRef, quote_hash
from paxman.contract.model import CanonicalContract
from paxman.documents.document import Document, Source
from paxman.reconciler.evidence_compare import equality_key
from paxman.reconciler.recount import confidence_problem
from paxman.transforms import run
from paxman.types import MASK, Origin, Span, is_within
from paxman.verifier import disagreements


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
        from paxman.recognizers.calendar.yearless import is_year_of

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
