"""The policy that holds for one run: the caller's, overridden by the contract's."""

from __future__ import annotations

from typing import Literal, TypeVar

import attrs

from paxman.budget import CurrencyPolicy, Policy
from paxman.contract.model import ContractPolicy

T = TypeVar("T")


@attrs.frozen
class EffectivePolicy:
    """Caller's policy and contract's policy combined; every value is decided."""

    allow_remote_inference: bool
    allow_local_inference: bool
    confidence_floor: float
    unresolved_acceptable: bool
    currency_policy: CurrencyPolicy
    optional_fields: Literal["free", "all", "skip"]
    reject_below_floor: bool
    stop_on_first_unresolved: bool
    allow_remote_pii: bool = False
    lexicon: tuple[str, ...] = ()


def derive_effective_policy(call_site: Policy, contract: ContractPolicy) -> EffectivePolicy:
    """Combine both; where the contract says something, the contract wins."""
    return EffectivePolicy(
        allow_remote_inference=call_site.allow_remote_inference,
        allow_local_inference=call_site.allow_local_inference,
        confidence_floor=_first(contract.confidence_floor, call_site.confidence_floor),
        unresolved_acceptable=_first(contract.unresolved_acceptable, call_site.unresolved_acceptable),
        currency_policy=contract.currency_policy or call_site.currency_policy or CurrencyPolicy.STRICT_MATCH,
        optional_fields=call_site.optional_fields,
        reject_below_floor=call_site.reject_below_floor,
        stop_on_first_unresolved=contract.stop_on_first_unresolved,
        allow_remote_pii=call_site.allow_remote_pii,
        lexicon=call_site.lexicon,
    )


def _first(preferred: T | None, otherwise: T) -> T:
    return otherwise if preferred is None else preferred
