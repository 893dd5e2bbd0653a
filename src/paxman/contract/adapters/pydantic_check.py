"""Asking a model whether it takes the data, because its validators are code that no contract can express."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import lru_cache, reduce
from importlib import import_module
from typing import Any

import attrs


@attrs.frozen
class ModelCheck:
    """Each reason why a model refuses data, with the path of the value; None stands for a model out of reach."""

    model: Any
    root: str = ""
    """The name of the member that a model has for data which are a list or a map."""

    def __call__(self, data: Any) -> tuple[tuple[str, str], ...]:
        from pydantic import ValidationError

        if self.model is None:
            return ()
        try:
            _adapter(self.model).validate_python({self.root: data} if self.root else data)
        except ValidationError as refusal:
            return tuple((_path(each["loc"]), each["msg"]) for each in refusal.errors(include_url=False))
        except Exception as error:  # the caller's own code may fail in any way, and a document must not raise
            return (("", f"a validator failed with {type(error).__name__}"),)
        return ()

    def __reduce__(self) -> tuple[Any, ...]:
        if self.model is not None and not isinstance(self.model, type):
            return ModelCheck, (self.model, self.root)
        name = (self.model.__module__, self.model.__qualname__) if self.model else ("", "")
        return _find, (*name, self.root)


@lru_cache(maxsize=256)
def _adapter(model: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(model)


def _find(module: str, name: str, root: str = "") -> ModelCheck:
    """The check in another process."""
    found = find_class(module, name)
    return ModelCheck(found, root if found else "")


def find_class(module: str, name: str) -> Any:
    """A class by its name; None for one that cannot be had, as one inside a function or a session."""
    try:
        return reduce(getattr, name.split("."), sys.modules.get(module) or import_module(module))
    except (ImportError, AttributeError, ValueError):
        return None


def _path(location: Sequence[str | int]) -> str:
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return "".join(steps).removeprefix(".")
