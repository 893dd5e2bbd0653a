"""Lessons and the contract that they belong to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from paxman.contract.alternatives import Alternatives
from paxman.contract.model import CanonicalContract
from paxman.errors import ConfigurationError

if TYPE_CHECKING:
    from paxman.learning.lessons import Lessons

Given: TypeAlias = "Lessons | str | os.PathLike[str] | None"


def attach(contract: CanonicalContract, lessons: Given = None) -> CanonicalContract:
    """The contract with its lessons: those given, or else those of the file that it names."""
    loaded = _load(contract, lessons)
    if loaded is None:
        return contract
    if loaded.contract_id != contract.id:
        raise ConfigurationError(
            f"the lessons are for the contract {loaded.contract_id!r}, not {contract.id!r}; "
            "run `paxman learn` with this contract"
        )
    key = ("with lessons", loaded.hash)
    if key not in contract.memo:
        contract.memo[key] = attrs.evolve(contract, lessons=loaded, warnings=_warnings(contract, loaded))
    found: CanonicalContract = contract.memo[key]
    return found


def attach_all(contract: CanonicalContract | Alternatives, lessons: Given) -> CanonicalContract | Alternatives:
    """As `attach`; of several contracts the one that the lessons are for gets them."""
    if isinstance(contract, CanonicalContract):
        return attach(contract, lessons)
    if lessons is None:
        return attrs.evolve(contract, contracts=tuple(map(attach, contract.contracts)))
    return attrs.evolve(contract, contracts=tuple(attach_own(each, lessons) for each in contract.contracts))


def attach_own(contract: CanonicalContract, lessons: Given) -> CanonicalContract:
    """As `attach`, but lessons of another contract are left aside."""
    loaded = _load(contract, lessons) if lessons is not None else None
    return attach(contract, loaded if loaded and loaded.contract_id == contract.id else None)


def _load(contract: CanonicalContract, lessons: Any) -> Lessons | None:
    if lessons is None:
        if contract.lessons is not None or not contract.lessons_file:
            loaded: Lessons | None = contract.lessons
            return loaded
        lessons = Path(contract.base_path or ".", contract.lessons_file)
    from paxman.learning.lessons import Lessons

    if isinstance(lessons, Lessons):
        return lessons
    if isinstance(lessons, str | os.PathLike):
        return _read(contract, Path(lessons))
    raise TypeError(f"lessons must be paxman.Lessons or the path of their file, not {type(lessons).__name__}")


def _read(contract: CanonicalContract, path: Path) -> Lessons:
    """The lessons of a file, read again only when it has changed."""
    try:
        stat = path.stat()
    except OSError as error:
        raise ConfigurationError(f"cannot read the lessons {path}: {error.strerror}") from None
    key = ("lessons", str(path), stat.st_mtime_ns, stat.st_size)
    if key not in contract.memo:
        from paxman.learning.lessons import Lessons

        contract.memo[key] = Lessons.load(path)
    found: Lessons = contract.memo[key]
    return found


def _warnings(contract: CanonicalContract, lessons: Lessons) -> tuple[str, ...]:
    lost = lessons.lost(contract)
    if not lost:
        return contract.warnings
    said = "the lessons of these fields no longer apply, since the contract has other words for them now: "
    return (*contract.warnings, f"{said}{', '.join(lost)}; run `paxman learn` again")
