"""Typed values in text: `find` all of a kind, `read_value` one for a field, `conventions_of` a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paxman.recognizers.base import UNKNOWN, Conventions, Reading, is_cut
from paxman.recognizers.finders import find, kinds

if TYPE_CHECKING:
    from paxman.contract.model import CanonicalField

__all__ = ["Conventions", "Reading", "conventions_of", "find", "kinds", "read_value"]


def read_value(text: str, field: CanonicalField, conventions: Conventions = UNKNOWN) -> Reading | None:
    """The part of a short text that a field's type, pattern and tags take, as a typed value."""
    from paxman.recognizers.values import read_value as read

    reading = read(text, field, conventions)
    return None if reading and not text.isascii() and is_cut(text, reading.start, reading.end) else reading


def conventions_of(text: str, locale: str | None = None) -> Conventions:
    """How a page writes numbers, dates and money, from everything on it together; a locale decides instead."""
    from paxman.recognizers.conventions import infer

    return infer(text, locale)
