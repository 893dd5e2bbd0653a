"""Looking up and computing again what an artifact says was looked up or computed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.results import FieldResult
from paxman.capabilities.base import Candidate, Capability, CapabilityContext, EvidenceRef
from paxman.contract.arithmetic import ExpressionError
from paxman.contract.expressions import parse
from paxman.contract.model import CanonicalContract
from paxman.documents.document import Document
from paxman.errors import PaxmanError
from paxman.planner.registry import CAPABILITIES
from paxman.reconciler.evidence_compare import equality_key
from paxman.transforms import run
from paxman.types import MASK, Money, Origin

MADE = frozenset((Origin.LOOKED_UP, Origin.DERIVED))
_WORDS = {Origin.LOOKED_UP: "looking it up", Origin.DERIVED: "computing it"}


def capability_of(ref: EvidenceRef) -> Capability | None:
    return None if ref.basis == "relation" else CAPABILITIES.get(ref.capability_id, ref.capability_version)


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
        """Each such field with what is wrong with it, and what could not be checked."""
        for result in self.artifact.field_results:
            if result.status == "RESOLVED" and result.origin in MADE:
                yield (result, *self._problem(result, result.origin))

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
        field = contract.by_path[result.field_path]
        found = []
        for maker in makers:
            context = CapabilityContext(
                maker.spec,
                field,
                contract,
                lambda: self.document,
                candidates=tuple(self._keys(result)),
                resolved=self._values(),
            )
            found += [candidate.value for candidate in maker.invoke(context).candidates]
        return found

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
