"""What a run may spend (`Budget`) and what it may do (`Policy`)."""

from __future__ import annotations

import enum
import os
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal

import attrs

from paxman.classes import frozen
from paxman.errors import InvalidBudgetError, InvalidPolicyError, PaxmanError
from paxman.locales import to_locale
from paxman.types import to_decimal


@enum.unique
class CurrencyPolicy(enum.Enum):
    """What happens when candidates for a MONEY field are in different currencies."""

    STRICT_MATCH = "STRICT_MATCH"
    ALLOW_FX = "ALLOW_FX"
    REJECT_WITHOUT_RATE = "REJECT_WITHOUT_RATE"


def _bad(error: type[PaxmanError], name: str, value: Any, wanted: str) -> PaxmanError:
    return error(f"{name} must be {wanted}, got {value!r}", context={"name": name})


def _usd_cap(value: Any) -> Decimal | None:
    if value is None:
        return None
    try:
        amount = None if isinstance(value, bool) else to_decimal(value)
    except ValueError:
        amount = None
    if amount is None or amount < 0:
        raise _bad(InvalidBudgetError, "max_total_cost_usd", value, "a number of US dollars, zero or more, or None")
    return amount


def _count_cap(instance: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
    if value is not None and (type(value) is not int or value < 0):
        raise _bad(InvalidBudgetError, attribute.name, value, "a whole number, zero or more, or None")


@frozen
class Budget:
    """Caps for one run; None means no cap."""

    max_total_cost_usd: Decimal | None = attrs.field(default=None, converter=_usd_cap)
    max_total_latency_ms: int | None = attrs.field(default=None, validator=_count_cap)
    max_remote_inference_calls: int | None = attrs.field(default=None, validator=_count_cap)
    max_capability_invocations: int | None = attrs.field(default=None, validator=_count_cap)
    max_input_size_bytes: int | None = attrs.field(default=None, validator=_count_cap)


def to_floor(value: Any) -> float:
    """A confidence threshold between 0 and 1; raises ValueError for anything else."""
    if type(value) not in (int, float, Decimal) or not 0 <= value <= 1:
        raise ValueError(f"expected a number from 0 to 1, got {value!r}")
    return float(value)


def _floor(value: Any) -> float:
    try:
        return to_floor(value)
    except ValueError:
        raise _bad(InvalidPolicyError, "confidence_floor", value, "a number from 0 to 1") from None


def _flag(instance: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
    if type(value) is not bool:
        raise _bad(InvalidPolicyError, attribute.name, value, "True or False")


def _flag_or_none(instance: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
    if value is not None:
        _flag(instance, attribute, value)


def _currency_policy(value: Any) -> CurrencyPolicy | None:
    try:
        return value if value is None else CurrencyPolicy(value)
    except ValueError:
        known = ", ".join(policy.value for policy in CurrencyPolicy)
        raise _bad(InvalidPolicyError, "currency_policy", value, f"one of {known}, or None") from None


def _one_of(*known: str | None) -> Callable[..., None]:
    def check(instance: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
        if value not in known:
            shown = [repr(each) for each in known if each is not None]
            listed = f"{', '.join(shown[:-1])} or {shown[-1]}"
            raise _bad(InvalidPolicyError, attribute.name, value, listed)

    return check


def _models(value: Any) -> str | tuple[str, ...] | None:
    names = tuple(value) if isinstance(value, list | tuple) else (value,)
    if value is not None and not (names and all(isinstance(name, str) and name for name in names)):
        raise _bad(InvalidPolicyError, "model", value, "the name of a model, several of them, or None")
    return names if isinstance(value, list | tuple) else value


def _locale(value: Any) -> str | None:
    try:
        return value if value is None else to_locale(str(value))
    except ValueError:
        wanted = "a language and a territory that exist, such as 'en_US' or 'de_DE', a language such as 'de', or None"
        raise _bad(InvalidPolicyError, "locale", value, wanted) from None


def _lexicon(value: Any) -> tuple[str, ...]:
    paths = (value,) if isinstance(value, str | os.PathLike) else tuple(value)
    if not all(isinstance(path, str | os.PathLike) for path in paths):
        raise _bad(InvalidPolicyError, "lexicon", value, "paths of lexicon files")
    return tuple(os.fspath(path) for path in paths)


def _switch(default: bool) -> Any:
    checked: Callable[..., Any] = attrs.field
    return checked(default=default, validator=_flag)


@frozen
class Policy:
    """What a run may do. Documents stay on this machine unless `allow_remote_inference` is set, or a `model` is named.

    `model` is a name such as "anthropic:NAME", or several. It also means that other fields ride along in a call, and a
    cap of `MODEL_CAP_USD` for a document, as far as nothing else is said.
    """

    allow_remote_inference: bool = attrs.field(default=None, validator=_flag_or_none)
    allow_local_inference: bool = _switch(True)
    confidence_floor: float = attrs.field(default=0.8, converter=_floor)
    unresolved_acceptable: bool = _switch(False)
    currency_policy: CurrencyPolicy | None = attrs.field(default=None, converter=_currency_policy)
    optional_fields: Literal["free", "all", "skip"] = attrs.field(
        default="free", validator=_one_of("free", "all", "skip")
    )
    reject_below_floor: bool = _switch(False)
    record_inference_io: bool = _switch(False)
    embed_evidence_payload: bool = _switch(False)
    log_raw_input: bool = _switch(False)
    locale: str | None = attrs.field(default=None, converter=_locale)
    allow_remote_pii: bool = _switch(False)
    lexicon: tuple[str, ...] = attrs.field(default=(), converter=_lexicon)
    """Files with words of your own trade or language."""
    early_stop: bool = _switch(True)
    """A field's walk ends when its target is met."""
    model: str | tuple[str, ...] | None = attrs.field(default=None, converter=_models)
    second_opinion: Literal["never", "with_the_call", "always"] = attrs.field(
        default=None, validator=_one_of("never", "with_the_call", "always", None)
    )
    """Whether fields that met their target ride along in a call to a model, or make one."""
    require_grounding: bool = _switch(False)
    """A field stays open if only a model says its value and the page does not."""
    _told: tuple[str, ...] = attrs.field(default=(), init=False, eq=False, repr=False)
    """What the caller said of those settings that naming a model changes."""

    def __attrs_post_init__(self) -> None:
        told = []
        for name, (usual, with_model) in BY_MODEL.items():
            if getattr(self, name) is not None:
                told.append(name)
            else:
                object.__setattr__(self, name, with_model if self.model else usual)
        object.__setattr__(self, "_told", tuple(told))

    @property
    def models(self) -> tuple[str, ...]:
        """The models that are named."""
        return (self.model,) if isinstance(self.model, str) else self.model or ()

    def naming(self, model: str | Sequence[str] | None) -> Policy:
        """The policy with a model, and what that means for all that was not said."""
        if model is None:
            return self
        fields = (field.name for field in attrs.fields(Policy) if field.init)
        kept = {name: getattr(self, name) for name in fields if name not in BY_MODEL or name in self._told}
        return Policy(**{**kept, "model": model})


BY_MODEL: Mapping[str, tuple[Any, Any]] = {
    "allow_remote_inference": (False, True),
    "second_opinion": ("never", "with_the_call"),
}
"""What holds without a model and with one, where the caller says nothing."""
MODEL_CAP_USD = Decimal("0.10")
"""What a document may cost where a model is named and no cap is given."""


def capped(budget: Budget, policy: Policy, of_many: bool = False) -> Budget:
    """The budget of one document; one that is `of_many` has their cap, and not more than is usual for one."""
    given = budget.max_total_cost_usd
    if not policy.model or (given is not None and not of_many):
        return budget
    return attrs.evolve(budget, max_total_cost_usd=MODEL_CAP_USD if given is None else min(given, MODEL_CAP_USD))
