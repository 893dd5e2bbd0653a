"""Lessons: what examples taught, as one canonical JSON file that belongs to a contract."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import attrs

from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.errors import ConfigurationError
from paxman.lazy import remembered
from paxman.learning.mentions import FEATURES
from paxman.learning.standing import Standing
from paxman.serialization import canonical_hash, canonical_json

FORMAT = "3"


@attrs.frozen(slots=False)
class FieldLesson:
    """What is known of one field: counts of examples, labels, weights, and the score from which a find supports."""

    hash: str
    """Of the field's own part of the contract: after an edit the lesson no longer applies."""
    stated: int = 0
    located: int = 0
    absent: int = 0
    labels: Mapping[str, int] = attrs.field(factory=dict)
    heads: Mapping[str, Mapping[str, int]] = attrs.field(factory=dict)
    """Of rows: the heads that stood over each column, and in how many examples."""
    weights: Mapping[str, int] = attrs.field(factory=dict)
    threshold: int | None = None
    """The lead over the next best from which a find supports; None where too few examples show one."""
    floor: int | None = 0
    """The lead below which nothing is answered; None where all answers in cross-validation were too poor."""
    trials: tuple[int, int] = (0, 0)
    """Of the answers in cross-validation, how many were right."""
    pooled: tuple[int, int] = (0, 0)
    """The counts behind the threshold: right answers above it and all of them, over the fields of the contract."""
    record: tuple[int, int, int] = (0, 0, 0)
    """Examples in which recall was right in cross-validation, in which the other steps were, and all of them."""
    beside: Mapping[str, Standing] = attrs.field(factory=dict)
    """How the other steps stand where recall differs from them, and where it is silent."""
    misleading: Mapping[str, int] = attrs.field(factory=dict)
    """Names at which the other steps were wrong and never right, and in how many examples."""
    anywhere: Mapping[str, int] = attrs.field(factory=dict)
    """As `misleading`, where several layouts showed it: these hold on every page. Under no name: what was invented."""
    patterns: Mapping[str, int] = attrs.field(factory=dict)
    """Shapes of the values: proposals for the contract, applied nowhere."""

    @property
    def leads(self) -> bool:
        """Whether recall was right more often than the other steps."""
        return self.record[0] > self.record[1]

    def to_dict(self) -> dict[str, Any]:
        beside = {case: attrs.asdict(each) for case, each in self.beside.items()}
        return {**attrs.asdict(self, recurse=False), "beside": beside}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> FieldLesson:
        counts = {name: tuple(data[name]) for name in ("trials", "pooled", "record")}
        beside = {case: Standing(**each) for case, each in data["beside"].items()}
        return cls(**{**data, **counts, "beside": beside})


@attrs.frozen(slots=False)
class Lessons:
    """Lessons for a contract; `save` writes the file that `normalize(..., lessons=)` takes."""

    contract_id: str
    contract_hash: str
    examples: tuple[str, ...]
    fields: Mapping[str, FieldLesson]
    features: str = FEATURES
    private: bool = False
    cuts: tuple[str, ...] = ()
    """The ways in which texts have to be cut out of a page so that every right one was among them."""
    layouts: tuple[tuple[str, ...], ...] = ()
    """The anchors of each layout among the examples: hashes of words that its pages share."""
    report: Any = attrs.field(default=None, eq=False, repr=False)
    """What `learn` has to tell of the examples; no part of the file."""

    @cached_property
    def hash(self) -> str:
        """SHA-256 over the canonical JSON; plans name it."""
        return canonical_hash(self.to_dict())

    def of(self, field: CanonicalField) -> FieldLesson | None:
        """The lesson of a field, unless its part of the contract has changed since."""
        lesson = self.fields.get(field.path)
        return lesson if lesson is not None and lesson.hash == field_hash(field) else None

    def lost(self, contract: CanonicalContract) -> tuple[str, ...]:
        """Fields whose lessons do not apply to this contract: changed, or gone."""
        return tuple(path for path in self.fields if not self._applies(contract, path))

    def _applies(self, contract: CanonicalContract, path: str) -> bool:
        return path in contract.by_path and self.of(contract.by_path[path]) is not None

    def key(self, sign: str) -> str:
        """A sign as it is stored: private lessons keep only hashes of words."""
        return _hashed(sign) if self.private else sign

    def to_dict(self) -> dict[str, Any]:
        return {
            "contract_hash": self.contract_hash,
            "contract_id": self.contract_id,
            "cuts": list(self.cuts),
            "examples": list(self.examples),
            "features": self.features,
            "fields": {path: lesson.to_dict() for path, lesson in self.fields.items()},
            "format": FORMAT,
            "layouts": [list(each) for each in self.layouts],
            "private": self.private,
        }

    def encode(self) -> bytes:
        """The bytes of the file."""
        return canonical_json(self.to_dict()) + b"\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file; what was there before stays until all of it is written."""
        target = Path(path)
        draft = target.with_name(f".{target.name}.{os.getpid()}")
        draft.write_bytes(self.encode())
        draft.replace(target)

    @classmethod
    def from_dict(cls, data: Any) -> Lessons:
        try:
            if data["format"] != FORMAT or data["features"] != FEATURES:
                raise ConfigurationError(
                    "the lessons were made by another version of Paxman: run `paxman learn` again on the examples"
                )
            fields = {path: FieldLesson.from_dict(lesson) for path, lesson in data["fields"].items()}
            return cls(
                data["contract_id"],
                data["contract_hash"],
                tuple(data["examples"]),
                fields,
                private=data["private"],
                cuts=tuple(data["cuts"]),
                layouts=tuple(map(tuple, data["layouts"])),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ConfigurationError(
                "this is not a file that `paxman learn` wrote: give the one that its --output named",
                context={"cause": repr(error)},
            ) from None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Lessons:
        """The lessons of a file."""
        try:
            data = json.loads(Path(path).read_bytes())
        except OSError as error:
            raise ConfigurationError(f"cannot read the lessons {os.fspath(path)}: {error.strerror}") from None
        except ValueError:
            raise ConfigurationError(f"{os.fspath(path)} is no file of lessons: it is not JSON") from None
        return cls.from_dict(data)


@lru_cache(maxsize=65536)
def _hashed(sign: str) -> str:
    return hashlib.sha256(sign.encode()).hexdigest()[:12]


@remembered(lambda field: (field.memo,))
def field_hash(field: CanonicalField) -> str:
    """A hash of a field's own part of the contract."""
    return canonical_hash(attrs.asdict(field))[:16]
