"""One scale for what a capability costs; lower is better."""

from __future__ import annotations

from decimal import Decimal

from paxman.capabilities.base import CapabilitySpec

TIER_WEIGHT = 10_000
USD_WEIGHT = 1_000_000
MS_WEIGHT = 1


def score(spec: CapabilitySpec) -> Decimal:
    """Tier, dollars and milliseconds, weighted and added up."""
    cost = spec.cost_estimate
    return TIER_WEIGHT * Decimal(spec.tier.value) + USD_WEIGHT * cost.usd + MS_WEIGHT * cost.ms
