"""Classes of values: what compares, hashes and shows them is shared, since to compile it for each is slow to start."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from attrs import frozen
    from attrs import frozen as record
else:

    def frozen(cls: type) -> type:
        return _comparable(attrs.frozen(cls, eq=False, repr=False))

    def record(cls: type) -> type:
        """For classes of which many instances are made in every run.

        The type checker alone keeps these from being changed: guarding that makes each instance four times as slow.
        """
        return _comparable(attrs.define(cls, eq=False, repr=False))


def _comparable(cls: Any) -> Any:
    fields = attrs.fields(cls)
    compared = _values_of([field.name for field in fields if field.eq])
    hashed = _values_of([field.name for field in fields if (field.eq if field.hash is None else field.hash)])

    def same(one: Any, other: Any) -> bool:
        return compared(one) == compared(other) if other.__class__ is one.__class__ else NotImplemented

    cls.__eq__, cls.__hash__, cls.__repr__ = same, lambda one: hash(hashed(one)), _as_text
    return cls


def _values_of(names: list[str]) -> Callable[[Any], Any]:
    return attrgetter(*names) if names else type


def _as_text(instance: Any) -> str:
    fields = (field.name for field in attrs.fields(type(instance)) if field.repr)
    return f"{type(instance).__qualname__}({', '.join(f'{name}={getattr(instance, name)!r}' for name in fields)})"


__all__ = ["frozen", "record"]
