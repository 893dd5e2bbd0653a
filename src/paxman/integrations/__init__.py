"""Thin bridges to other tools; each imports its library on use and names the extra when it is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from paxman.errors import ConfigurationError


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Turn a missing library into the command that installs it."""
    try:
        yield
    except ImportError as error:
        message = f"this needs {error.name}, which is not installed: pip install 'paxman[{extra}]'"
        raise ConfigurationError(message, error_code="MISSING_EXTRA", context={"extra": extra}) from None
