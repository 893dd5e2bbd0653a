"""Logs, and spans and metrics of OpenTelemetry, of each run: counts, names, hashes; input only if the policy asks."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Any

from paxman.errors import ConfigurationError, to_install

if TYPE_CHECKING:
    import logging


Observer = Callable[[Mapping[str, Any], float], None]
"""Called after each run with its facts and its milliseconds."""
_observers: list[Observer] = []
_FIRST, _INFO = "plan", 20
_stages: ContextVar[tuple[tuple[str, int, int], ...]] = ContextVar("paxman_stages", default=())
"""Name, start and end, in nanoseconds, of the parts of the run that is under way; the first begins them anew."""


def is_wanted() -> bool:
    """Whether anybody listens, so that facts are gathered only then."""
    return bool(_observers) or ("logging" in sys.modules and _logger().isEnabledFor(_INFO))


@cache
def _logger() -> logging.Logger:
    """Our logger; who has not imported logging, which is slow to load, does not listen either."""
    import logging

    logger = logging.getLogger("paxman")
    logger.addHandler(logging.NullHandler())
    return logger


def stage(name: str) -> AbstractContextManager[None]:
    """Note when a part of a run began and ended, if anybody listens."""
    return _timed(name) if _observers else _UNTIMED


_UNTIMED = nullcontext()


@contextmanager
def _timed(name: str) -> Iterator[None]:
    started = time.time_ns()
    try:
        yield
    finally:
        _stages.set((*(() if name == _FIRST else _stages.get()), (name, started, time.time_ns())))


def log_input(data: bytes) -> None:
    """Write a document to the log, for a policy that asks for it."""
    _logger().info("input of %d bytes: %s", len(data), data.decode("utf-8", "backslashreplace"))


def observe(facts: Mapping[str, Any], milliseconds: float) -> None:
    """Tell the log, and whoever asked, that a run ended."""
    if _logger().isEnabledFor(_INFO):
        _logger().info("normalized %s: %s", facts["contract_id"], facts["status"], extra={"paxman": dict(facts)})
    for observer in _observers:
        observer(facts, milliseconds)


def enable_opentelemetry() -> Callable[[], None]:
    """Send spans of each run and its stages, and metrics, to the OpenTelemetry that is set up; gives what ends it."""
    try:
        from opentelemetry import metrics, trace
    except ImportError:
        message = f"this needs opentelemetry-api, which is not installed: {to_install('otel')}"
        raise ConfigurationError(message, error_code="MISSING_EXTRA", context={"extra": "otel"}) from None
    observer = _observer(trace.get_tracer("paxman"), metrics.get_meter("paxman"))
    _observers.append(observer)
    return lambda: _observers.remove(observer)


def _observer(tracer: Any, meter: Any) -> Observer:
    from opentelemetry.trace import set_span_in_context

    duration = meter.create_histogram("paxman.duration", "ms", "Time of one run")
    fields = meter.create_counter("paxman.fields", "1", "Fields by outcome")
    cost = meter.create_counter("paxman.cost", "USD", "Money spent on models")

    def observer(facts: Mapping[str, Any], milliseconds: float) -> None:
        about = {"paxman.contract": facts["contract_id"], "paxman.status": facts["status"]}
        end, stages = time.time_ns(), _stages.get()
        start = min((end - int(milliseconds * 1e6), *(started for _, started, _ in stages)))
        span = tracer.start_span("paxman.normalize", start_time=start)
        span.set_attributes({f"paxman.{name}": value for name, value in facts.items()})
        for name, started, ended in stages:
            tracer.start_span(f"paxman.{name}", set_span_in_context(span), start_time=started).end(ended)
        span.end(end)
        _stages.set(())
        duration.record(milliseconds, about)
        fields.add(facts["resolved"], {**about, "paxman.outcome": "resolved"})
        fields.add(facts["unresolved"], {**about, "paxman.outcome": "unresolved"})
        cost.add(float(facts["cost_usd"]), about)

    return observer
