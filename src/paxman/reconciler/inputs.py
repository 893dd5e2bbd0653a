"""Values that were looked up or computed: none is surer than the least sure value it was made from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.lazy import remembered
from paxman.reconciler.merge import Group, is_made
from paxman.reconciler.truth import ResolvedResult


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
