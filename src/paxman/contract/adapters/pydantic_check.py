"""Asking a model whether it takes the data, because its validators are code that no contract can express."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import reduce
from importlib import import_module
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from pydantic import BaseModel


@attrs.frozen
class ModelCheck:
    """Each reason why a model refuses data, with the path of the value; None stands for a model out of reach."""

    model: type[BaseModel] | None

    def __call__(self, data: dict[str, Any]) -> tuple[tuple[str, str], ...]:
        from pydantic import ValidationError

        if self.model is None:
            return ()
        try:
            self.model.model_validate(data)
        except ValidationError as refusal:
            return tuple((_path(each["loc"]), each["msg"]) for each in refusal.errors(include_url=False))
        except Exception as error:  # the caller's own code may fail in any way, and a document must not raise
            return (("", f"a validator failed with {type(error).__name__}"),)
        return ()

    def __reduce__(self) -> tuple[Any, ...]:
        name = (self.model.__module__, self.model.__qualname__) if self.model else ("", "")
        return _find, name


def _find(module: str, name: str) -> ModelCheck:
    """The check in another process, where a model inside a function or a session cannot be had."""
    try:
        home = sys.modules.get(module) or import_module(module)
        return ModelCheck(reduce(getattr, name.split("."), home))  # type: ignore[arg-type]
    except (ImportError, AttributeError, ValueError):
        return ModelCheck(None)


def _path(location: Sequence[str | int]) -> str:
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return "".join(steps).removeprefix(".")
