"""The policy that holds for one run: the caller's, overridden by the contract's."""

from __future__ import annotations

from typing import Literal

import attrs

from paxman.budget import CurrencyPolicy, Policy
from paxman.classes import frozen
from paxman.contract.model import ContractPolicy


@frozen
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
    early_stop: bool = True
    second_opinion: Literal["never", "with_the_call", "always"] = "never"


def derive_effective_policy(call_site: Policy, contract: ContractPolicy) -> EffectivePolicy:
    """Combine both; where the contract says something, the contract wins."""
    names = {attribute.name for attribute in attrs.fields(EffectivePolicy)}
    called = {name: getattr(call_site, name) for name in names if hasattr(call_site, name)}
    stated = {name: getattr(contract, name) for name in names if getattr(contract, name, None) is not None}
    decided = {**called, **stated}
    return EffectivePolicy(**{**decided, "currency_policy": decided["currency_policy"] or CurrencyPolicy.STRICT_MATCH})
