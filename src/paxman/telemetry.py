"""Logs, and spans and metrics of OpenTelemetry, of each run. Counts, names and hashes; input only if the policy asks."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from paxman.errors import ConfigurationError

logger = logging.getLogger("paxman")
logger.addHandler(logging.NullHandler())

Observer = Callable[[Mapping[str, Any], float], None]
"""Called after each run with its facts and its milliseconds."""
_observers: list[Observer] = []


def is_wanted() -> bool:
    """Whether anybody listens, so that facts are gathered only then."""
    return bool(_observers) or logger.isEnabledFor(logging.INFO)


def log_input(data: bytes) -> None:
    """Write a document to the log, for a policy that asks for it."""
    logger.info("input of %d bytes: %s", len(data), data.decode("utf-8", "backslashreplace"))


def observe(facts: Mapping[str, Any], milliseconds: float) -> None:
    """Tell the log, and whoever asked, that a run ended."""
    if logger.isEnabledFor(logging.INFO):
        logger.info("normalized %s: %s", facts["contract_id"], facts["status"], extra={"paxman": dict(facts)})
    for observer in _observers:
        observer(facts, milliseconds)


def enable_opentelemetry() -> Callable[[], None]:
    """Send a span and metrics for each run to the configured OpenTelemetry; gives a function that ends it."""
    try:
        from opentelemetry import metrics, trace
    except ImportError:
        message = "this needs opentelemetry-api, which is not installed: pip install 'paxman[otel]'"
        raise ConfigurationError(message, error_code="MISSING_EXTRA", context={"extra": "otel"}) from None
    observer = _observer(trace.get_tracer("paxman"), metrics.get_meter("paxman"))
    _observers.append(observer)
    return lambda: _observers.remove(observer)


def _observer(tracer: Any, meter: Any) -> Observer:
    duration = meter.create_histogram("paxman.duration", "ms", "Time of one run")
    fields = meter.create_counter("paxman.fields", "1", "Fields by outcome")
    cost = meter.create_counter("paxman.cost", "USD", "Money spent on models")

    def observer(facts: Mapping[str, Any], milliseconds: float) -> None:
        import time

        about = {"paxman.contract": facts["contract_id"], "paxman.status": facts["status"]}
        end = time.time_ns()
        span = tracer.start_span("paxman.normalize", start_time=end - int(milliseconds * 1e6))
        span.set_attributes({f"paxman.{name}": value for name, value in facts.items()})
        span.end(end)
        duration.record(milliseconds, about)
        fields.add(facts["resolved"], {**about, "paxman.outcome": "resolved"})
        fields.add(facts["unresolved"], {**about, "paxman.outcome": "unresolved"})
        cost.add(float(facts["cost_usd"]), about)

    return observer
