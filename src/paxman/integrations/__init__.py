"""Thin bridges to other tools; each imports its library on use and names the extra when it is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from paxman.errors import ConfigurationError, to_install


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Turn a missing library into the command that installs it."""
    try:
        yield
    except ImportError as error:
        message = f"this needs {error.name}, which is not installed: {to_install(extra)}"
        raise ConfigurationError(message, error_code="MISSING_EXTRA", context={"extra": extra}) from None


def __getattr__(name: str) -> Any:
    """`to_arrow`, `to_pandas` and `to_polars` are here too, loaded on first use."""
    if name not in ("to_arrow", "to_pandas", "to_polars"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module("paxman.integrations.frames"), name)
