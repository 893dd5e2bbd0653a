"""Classes of which many instances are made in every run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from attrs import frozen as record
else:

    def record(cls: type) -> type:
        """The type checker alone keeps these from being changed: guarding that makes each instance four times as slow.

        Their text is made by one function: to compile one for each class takes a third of the time of making classes.
        """
        cls.__repr__ = _as_text
        return attrs.define(cls, unsafe_hash=True)


def _as_text(instance: Any) -> str:
    shown = (f"{field.name}={getattr(instance, field.name)!r}" for field in attrs.fields(type(instance)))
    return f"{type(instance).__qualname__}({', '.join(shown)})"


__all__ = ["record"]
