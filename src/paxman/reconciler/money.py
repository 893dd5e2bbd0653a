"""Candidates in several currencies: refuse, or convert at a known rate."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from decimal import MAX_EMAX, ROUND_HALF_EVEN, Context, Decimal, InvalidOperation

import attrs

from paxman.budget import CurrencyPolicy
from paxman.capabilities.base import Candidate
from paxman.classes import frozen
from paxman.contract.model import CanonicalField
from paxman.currencies import MINOR_UNITS
from paxman.types import Diagnostic, Money, Severity, Span

_WHICH = "name one in the contract (iso_4217), or set a locale if several currencies share the sign on the page"


@frozen
class CurrencyDecision:
    """What is left after the currency policy; `refused` means that the field must stay unresolved."""

    kept: tuple[Candidate, ...]
    rejected: tuple[Candidate, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    refused: bool = False


def settle_currencies(
    field: CanonicalField, candidates: tuple[Candidate, ...], policy: CurrencyPolicy, fx_rate: Decimal | None
) -> CurrencyDecision:
    """Apply the currency policy to valid MONEY candidates."""
    currencies = sorted({c.value.currency for c in candidates if isinstance(c.value, Money)})
    if len(currencies) < 2:
        return CurrencyDecision(candidates)
    if policy is CurrencyPolicy.STRICT_MATCH:
        return CurrencyDecision((), candidates, (_mismatch(field, currencies, _WHICH),), True)
    primary = min(candidates, key=_document_order)
    return _convert_all(field, candidates, primary, policy, fx_rate)


def _document_order(candidate: Candidate) -> tuple[bool, Span]:
    """Where a value stands first; what stands nowhere comes last."""
    spans = [ref.span for ref in candidate.evidence_refs if ref.span is not None]
    return not spans, min(spans, default=(0, 0))


def _convert_all(
    field: CanonicalField,
    candidates: tuple[Candidate, ...],
    primary: Candidate,
    policy: CurrencyPolicy,
    fx_rate: Decimal | None,
) -> CurrencyDecision:
    kept: list[Candidate] = []
    rejected: list[Candidate] = []
    notes: list[Diagnostic] = []
    target = primary.value.currency
    # One rate is between two currencies; of a third it says nothing.
    shared = fx_rate if len({c.value.currency for c in candidates if c.value is not None}) == 2 else None
    for candidate in candidates:
        if candidate.value is None or candidate.value.currency == target:
            kept.append(candidate)
            continue
        own = None if primary.fx_rate is None else candidate.fx_rate
        rate = shared if policy is CurrencyPolicy.ALLOW_FX else own
        converted = _convert(candidate.value, target, rate)
        if rate is None or converted is None:
            rejected.append(candidate)
            why = _why_not(policy, rate, fx_rate)
            notes.append(_mismatch(field, (candidate.value.currency, target), why))
            continue
        kept.append(attrs.evolve(candidate, value=converted))
        before = str(candidate.value)
        context = {"rate": str(rate), "before": before, "after": str(converted)}
        message = f"{before} x {rate} = {converted}"
        notes.append(Diagnostic("FX_APPLIED", Severity.INFO, message, field.path, context))
    return CurrencyDecision(tuple(kept), tuple(rejected), tuple(notes))


def _why_not(policy: CurrencyPolicy, rate: Decimal | None, fx_rate: Decimal | None) -> str:
    if rate is not None and rate > 0:
        return "the amount is too large to convert"
    if rate is not None:
        return f"{rate} is no rate; a rate is above zero"
    if policy is CurrencyPolicy.ALLOW_FX and fx_rate is not None:
        return "one rate cannot convert several currencies"
    return f"{policy.value} needs a rate, and the document has none"


def _convert(money: Money, currency: str, rate: Decimal | None) -> Money | None:
    """None without a rate above zero, or if the amount is too large."""
    if rate is None or rate <= 0:
        return None
    exact = Context(prec=len(money.amount.as_tuple().digits) + len(rate.as_tuple().digits) + 400, Emax=MAX_EMAX)
    exact.rounding = ROUND_HALF_EVEN
    unit = Decimal(1).scaleb(-MINOR_UNITS[currency], exact)
    with suppress(InvalidOperation):
        return Money(exact.quantize(exact.multiply(money.amount, rate), unit), currency)
    return None


def _mismatch(field: CanonicalField, currencies: Iterable[str], why: str) -> Diagnostic:
    currencies = list(currencies)
    message = f"amounts were found in {' and '.join(currencies)}: {why}"
    return Diagnostic("CURRENCY_MISMATCH", Severity.WARNING, message, field.path, {"currencies": currencies})
