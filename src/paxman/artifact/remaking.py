"""Looking up and computing again what an artifact says was looked up or computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.results import FieldResult
from paxman.capabilities.base import (
    Candidate,
    Capability,
    CapabilityContext,
    CapabilityResult,
    CapabilitySpec,
    EvidenceRef,
)
from paxman.capabilities.lookup import TableLookup
from paxman.capabilities.row_completion import complete
from paxman.capabilities.structure.open_values import entry_path
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
        places = {ref.field_path for ref in result.evidence_refs if is_placed(ref)}

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
