"""One scale for what a capability costs; lower is better."""

from __future__ import annotations

from decimal import Context, Decimal

from paxman.capabilities.base import CapabilitySpec

TIER_WEIGHT = 10_000
USD_WEIGHT = 1_000_000
MS_WEIGHT = 1

_EXACT = Context(prec=60)
"""The caller's decimal context must not change a plan."""


def score(spec: CapabilitySpec) -> Decimal:
    """Tier, dollars and milliseconds, weighted and added up."""
    cost = spec.cost_estimate
    dollars = _EXACT.multiply(cost.usd, USD_WEIGHT)
    return _EXACT.add(dollars, Decimal(TIER_WEIGHT * spec.tier.value + MS_WEIGHT * cost.ms))
