"""Contracts in files of Python: `model.py:Invoice`, or `model.py` with one model in it."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from paxman.contract.detection import format_of
from paxman.contract.drafts import KeyPath, refusal


def find_reference(name: str) -> tuple[Path, str] | None:
    """The file that is meant and the name in it, if one is given; None for what is no file of Python."""
    if name.lower().endswith(".py"):
        return Path(name), ""
    path, _, inside = name.rpartition(":")
    return (Path(path), inside) if path.lower().endswith(".py") else None


def load_reference(path: Path, name: str) -> Any:
    """What bears the name in a file; without a name the only model there."""
    module = _load_module(path)
    models = [key for key, each in vars(module).items() if _is_own_model(each, module)]
    chosen = name or (models[0] if len(models) == 1 else "")
    if chosen and hasattr(module, chosen):
        return getattr(module, chosen)
    reason = f"not found as {name!r}" if name else "not named"
    there = f"the file has {', '.join(models) or 'no model'}"
    raise refusal(f"{reason}; {there}", KeyPath(str(path)), f"Write {path}:{models[-1] if models else 'Invoice'}.")


def _is_own_model(each: Any, module: ModuleType) -> bool:
    return format_of(each) in ("pydantic", "python_class") and each.__module__ == module.__name__


def _load_module(path: Path) -> ModuleType:
    place, folder = KeyPath(str(path)), str(path.parent.resolve())
    if not path.is_file():
        raise refusal("not there: there is no such file", place, "Give the path of a file, or module:Model.")
    sys.path.insert(0, folder)
    try:
        module = import_module(path.stem)
    except Exception as error:  # the caller's own code may fail in any way
        raise refusal(f"not loaded: {type(error).__name__}: {error}", place, _advice(error)) from None
    finally:
        sys.path.remove(folder)
    if Path(module.__file__ or "").resolve() != path.resolve():
        raise refusal(f"hidden by another module named {path.stem}", place, "Give the file another name.")
    return module


def _advice(error: Exception) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name == "pydantic":
        return "pip install 'paxman-data[pydantic]'"
    if isinstance(error, ImportError):
        return "Where the file is part of a package, write package.module:Model."
    return "Mend the file."
