"""Calling a provider: every attempt is reserved before it is made and settled after it."""

from __future__ import annotations

import time
from decimal import Decimal
from typing import Any, Protocol

import attrs

from paxman.errors import ConfigurationError, InferenceProviderError
from paxman.inference.provider import Completion, Provider, Request, failure

_LEAST_BYTES_PER_TOKEN = 8


class Purse(Protocol):
    """What a step may spend."""

    def reserve(self, usd: Decimal, tokens: int) -> Any:
        """A reservation, or the name of the cap that it would pass."""
        ...

    def settle(self, reservation: Any, usd: Decimal, trusted: bool = True) -> Decimal:
        """What the reservation really cost; the rest is given back if the report can be trusted."""
        ...

    def cancel(self, reservation: Any) -> None:
        """Give back all of it: no attempt was made."""
        ...


@attrs.frozen
class Call:
    """What became of a request: a completion, or why there is none, and what all attempts took."""

    completion: Completion | None = None
    usd: Decimal = Decimal(0)
    tokens: int = 0
    attempts: int = 0
    error: InferenceProviderError | None = None
    cap: str | None = None
    cached: bool = False
    sent: bool = False
    """Whether the request reached a model, or may have."""
    excess: Decimal = Decimal(0)
    """Reported cost beyond what the request could have cost."""


def call(provider: Provider, request: Request, purse: Purse) -> Call:
    """Ask until there is an answer, no attempt is left, or the purse refuses the next one."""
    known = recall(provider, request)
    if known is not None:
        return Call(known, cached=True)
    terms = provider.terms
    worst = terms.worst_usd(request.size, request.max_tokens)
    spent, error, sent = Decimal(0), None, False
    for attempt in range(1, terms.attempts + 1):
        reservation = purse.reserve(worst, request.size + request.max_tokens)
        if isinstance(reservation, str):
            return Call(None, spent, 0, attempt - 1, error, reservation, sent=sent)
        try:
            completion = attempt_once(provider, request)
        except InferenceProviderError as failed:
            error, sent = failed, sent or failed.context.get("sent", True)
            if failed.context.get("reason") == "unconfigured":
                purse.cancel(reservation)
                return Call(None, spent, 0, attempt, error, sent=sent)
            spent += purse.settle(reservation, worst if failed.context.get("billed", True) else Decimal(0))
            wait = _wait(provider, attempt, failed)
            if wait is None:
                return Call(None, spent, 0, attempt, error, sent=sent)
            time.sleep(wait)
        else:
            cost = _cost(provider, request, completion, worst)
            spent += purse.settle(reservation, cost, bool(terms.trust_usage))
            excess = max(cost - worst, Decimal(0))
            return Call(completion, spent, _tokens(request, completion), attempt, sent=True, excess=excess)
    return Call(None, spent, 0, terms.attempts, error, sent=sent)


def recall(provider: Provider, request: Request) -> Completion | None:
    """What the provider remembers of this request, for free; most remember nothing."""
    remember = getattr(provider, "recall", None)
    return remember(request) if remember else None


def attempt_once(provider: Provider, request: Request) -> Completion:
    """A completion, or a named failure whatever the provider raises."""
    try:
        completion = provider.complete(request)
    except InferenceProviderError:
        raise
    except ConfigurationError as error:
        raise failure("unconfigured", error.message, billed=False, sent=False) from None
    except Exception as error:
        raise failure("failed", f"the provider raised {type(error).__name__}") from None
    if not isinstance(completion, Completion):
        raise failure("malformed", f"the provider returned {type(completion).__name__}")
    return completion


def _wait(provider: Provider, attempt: int, error: InferenceProviderError) -> float | None:
    """Seconds before the next attempt; None if there should be none."""
    terms = provider.terms
    if attempt >= terms.attempts or not error.context.get("retry"):
        return None
    wanted = error.context.get("retry_after")
    wait = terms.backoff_seconds * 2 ** (attempt - 1) if wanted is None else float(wanted)
    return wait if wait <= terms.longest_wait_seconds else None


def _cost(provider: Provider, request: Request, completion: Completion, worst: Decimal) -> Decimal:
    """The reported usage, if it can be true; otherwise the most that it can have been."""
    if not _is_credible(request, completion):
        return worst
    sent, answered = completion.input_tokens or 0, completion.output_tokens or 0
    return provider.terms.price.of(sent, answered, completion.cached, completion.written)


def _is_credible(request: Request, completion: Completion) -> bool:
    if completion.input_tokens is None or completion.output_tokens is None:
        return False
    if completion.cached + completion.written > completion.input_tokens:
        return False
    least = (_letters(request.prompt) + _letters(request.system)) // _LEAST_BYTES_PER_TOKEN
    return completion.input_tokens >= least and completion.output_tokens >= _letters(completion.text) // 16


def _letters(text: str) -> int:
    return len("".join(text.split()).encode())


def _tokens(request: Request, completion: Completion) -> int:
    """Reported tokens; a quarter of the bytes where nothing credible is reported."""
    if _is_credible(request, completion):
        return (completion.input_tokens or 0) + (completion.output_tokens or 0)
    return (request.size + len(completion.text.encode())) // 4
