"""The registry of capabilities, and of the providers that some of them need."""

from __future__ import annotations

from decimal import Context, Decimal
from typing import Any

from paxman.capabilities.base import Capability, CapabilitySpec, CapabilityTier
from paxman.errors import InvalidCapabilitySpecError
from paxman.plugins import Registry

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


_NAMES = (
    "text_extraction structured_extraction regex_extraction recognition recall table_extraction validation lookup"
    " derivation inference"
)
BUILT_IN = {name: f"paxman.capabilities.specs:{name}" for name in _NAMES.split()}


def _describe(capability: Capability) -> tuple[str, str]:
    return capability.spec.id, capability.spec.version


def _order(capability: Capability) -> Any:
    return score(capability.spec), capability.spec.id, capability.spec.version


class CapabilityRegistry(Registry[Capability]):
    """Capabilities by (score, id); `memo` holds what planners derived from this state of the registry."""

    def __init__(self, built_in: dict[str, str] | None = None, *, entry_points: bool = True) -> None:
        table = BUILT_IN if built_in is None else built_in
        super().__init__("capability", table, _describe, _order, entry_points)
        self.providers: Registry[Any] = Registry("provider", {}, lambda p: (p.name, "1"), entry_points=entry_points)
        self.memo: dict[Any, Any] = {}

    def register(self, item: Capability) -> Capability:
        if not isinstance(getattr(item, "spec", None), CapabilitySpec) or not callable(getattr(item, "invoke", None)):
            raise InvalidCapabilitySpecError(
                "a capability needs a `spec` (CapabilitySpec) and an `invoke(context)` method",
                context={"got": type(item).__name__},
            )
        return super().register(item)

    def copy(self) -> CapabilityRegistry:
        """An independent registry with the same capabilities and providers."""
        twin = CapabilityRegistry({}, entry_points=False)
        for capability in self:
            twin.register(capability)
        for provider in self.providers:
            twin.providers.register(provider)
        return twin

    def latest(self) -> list[Capability]:
        """The highest version of each capability, in iteration order."""
        return [c for c in self if self.get_latest(c.spec.id) is c]

    def _changed(self) -> None:
        super()._changed()
        self.memo = {}


def is_inference(tier: CapabilityTier) -> bool:
    return tier >= CapabilityTier.LOCAL_INFERENCE


CAPABILITIES = CapabilityRegistry()
