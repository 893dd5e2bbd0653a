"""Contracts and plans: what happens once, and what happens for each document."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import paxman
from benchmarks.measure import Measure, best, best_of_each
from benchmarks.samples import field_contract
from paxman import planner
from paxman.contract import adapt
from paxman.planner.registry import CAPABILITIES


def measures() -> Iterator[Measure]:
    contract = field_contract(20)
    adapt(contract)
    yield Measure("adapt 20 fields, seen before", best(lambda: adapt(contract), number=200) * 1e6, 50, "us")
    paxman.plan("Total: 1", contract)
    yield Measure(
        "plan 20 fields, seen before", best(lambda: paxman.plan("Total: 1", contract), number=50) * 1e6, 150, "us"
    )
    small, large = best_of_each([_cold_plan(500), _cold_plan(5000)], rounds=7)
    yield Measure("plan 5,000 fields, over 500 fields", large / small, 12, "x")


def _cold_plan(count: int) -> Callable[[], Any]:
    """A plan for a contract that the registry has not seen."""
    contract, profile = adapt(field_contract(count)), planner.make_profile("Total: 1")
    assert len(contract.content_hash) == 64
    return lambda: planner.plan(contract, profile, registry=CAPABILITIES.copy())
