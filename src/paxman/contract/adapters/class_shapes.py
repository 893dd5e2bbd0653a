"""Fields of a class or a table, before they are a Pydantic model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from paxman.contract.drafts import MISSING


def nothing() -> None:
    """The default of what may be left out, and has no value then."""


@attrs.frozen
class ClassField:
    """A field of a class: the key of its value, how the class itself calls it, and what it may hold."""

    name: str
    annotation: Any
    default: Any = MISSING
    factory: Callable[[], Any] | None = None
    attribute: str = ""
    description: str = ""
    hints: Mapping[str, Any] = attrs.field(factory=dict)
    limits: Mapping[str, Any] = attrs.field(factory=dict)
    """Restrictions under the names that Pydantic's `Field` has for them."""


@attrs.frozen
class ClassShape:
    """The fields of a class and its hints as a contract."""

    fields: tuple[ClassField, ...]
    hints: Mapping[str, Any] = attrs.field(factory=dict)
    notes: tuple[str, ...] = ()
    """What was not kept of the class, for the caller to know."""
