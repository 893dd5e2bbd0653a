"""Decisions while a walk goes on: each field is decided once, not again for every field that is made from others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from paxman.capabilities.base import CandidateResult
from paxman.contract.model import CanonicalContract
from paxman.contract.relation import Relation
from paxman.planner.policies import EffectivePolicy
from paxman.reconciler.reconciler import reconcile, resolved_values
from paxman.reconciler.truth import ResolvedResult


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
            if self._is_free(results[at].field_path):
                self._known[id(results[at])] = decided
                self._kept.append(results[at])
        return resolved_values((*self._earlier, *filter(None, known)))

    def _decide(
        self, results: Sequence[CandidateResult], earlier: Sequence[ResolvedResult]
    ) -> tuple[ResolvedResult, ...]:
        return reconcile(self._contract, results, self._policy, earlier=earlier, relations=self._relations)

    def _is_free(self, path: str) -> bool:
        return not self._has_rate and not self._tied.intersection(_above(path))


def _above(path: str) -> list[str]:
    """A path and those of the objects and lists that it is in."""
    steps = path.replace("[", ".[").split(".")
    return [".".join(steps[:end]) for end in range(1, len(steps) + 1)]
