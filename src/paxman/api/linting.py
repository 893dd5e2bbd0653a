"""What a valid contract will make hard to find, and what to write instead."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import attrs

from paxman.contract.labels import fold_label, to_words
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.contract.patterns import matches
from paxman.finding.claims import Claims
from paxman.finding.wanted import wanted_of
from paxman.lexicon.lexicon import load
from paxman.types import FieldType

_ALMOST = 0.95
"""How well a label must fit two fields, of 1, for neither to have it to itself."""
_ANY_TEXT = ("a", "7", "Total: 5,00 EUR", "é - ?", "2024-05-06", "x" * 60)
"""Texts that have so little in common that a pattern which fits all of them tells nothing apart."""
_MEASURED = (FieldType.INTEGER, FieldType.DECIMAL)


@attrs.frozen
class Lint:
    """Advice on a field; `instead` is what to write."""

    code: str
    path: str
    message: str
    instead: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message} {self.instead}"


def lint(contract: CanonicalContract) -> tuple[Lint, ...]:
    """Everything that is worth changing, in the order of the fields."""
    return (*_lint(contract, ()), *_lint_objects(contract.fields, True))


def _lint(contract: CanonicalContract, around: Sequence[CanonicalField]) -> Iterator[Lint]:
    rivals, known = _rivals(contract), (*around, *contract.leaves)
    for field in contract.leaves:
        yield from rivals.get(field.path, ())
        pattern = field.constraint("pattern")
        if pattern and all(matches(pattern["regex"], text) for text in _ANY_TEXT):
            message = f"the pattern {pattern['regex']} fits every text."
            instead = "Write how the value looks, such as ^INV-\\d+$, or leave the pattern out."
            yield Lint("PATTERN_FITS_ALL", field.path, message, instead)
        words = [word.rstrip("0123456789") for word in fold_label(to_words(field.name)).split()]
        said = [word for word in words if word and word not in _empty_words()]
        if not said and not field.labels and not field.description:
            message = "the name says nothing that a page could have for a label."
            instead = 'Name the field as a page does, or give it labels: "labels": ["Invoice no."].'
            yield Lint("EMPTY_NAME", field.path, message, instead)
        yield from _lint_unit(field, known)
        if field.items is not None and field.items.children:
            yield from _lint(CanonicalContract(contract.id, contract.version, field.items.children), known)


def _rivals(contract: CanonicalContract) -> dict[str, list[Lint]]:
    """Fields that each label fits as well as the one that it was written for."""
    lexicon = load()
    wanted = wanted_of(contract, lexicon)
    claims = Claims(wanted, lexicon)
    found: dict[str, list[Lint]] = {}
    told: set[frozenset[str]] = set()
    for number, each in enumerate(wanted):
        for label in (*each.field.labels, each.field.said):
            fits = claims.of(label)
            own = fits[number].fit if number in fits else 0.0
            for other, claim in fits.items():
                rival = wanted[other].field
                pair = frozenset((each.field.path, rival.path))
                if (
                    other != number
                    and claim.fit >= max(own, _ALMOST)
                    and pair not in told
                    and _vie(each.field, rival, label)
                ):
                    told.add(pair)
                    found.setdefault(each.field.path, []).append(_competing(each.field, rival, label))
    return found


def _vie(field: CanonicalField, rival: CanonicalField, label: str) -> bool:
    """Whether two fields are both looked for on the page, and may take the same value there."""
    if field.derive or field.lookup or rival.derive or rival.lookup:
        return False
    return field.type is rival.type or fold_label(label) in (*rival.label_keys, rival.name_key)


def _competing(field: CanonicalField, rival: CanonicalField, label: str) -> Lint:
    message = f'a value at "{label}" answers {rival.path} as well.'
    first, second = (f'"{to_words(each.name)}"' for each in (field, rival))
    instead = f"Give each its own labels, the words of the page that tell {first} from {second}, or drop one of them."
    return Lint("COMPETING_LABELS", field.path, message, instead)


def _lint_unit(field: CanonicalField, others: Sequence[CanonicalField]) -> Iterator[Lint]:
    """A measure without its unit, and an amount without its currency."""
    words = fold_label(to_words(field.name)).split()
    if field.type not in _MEASURED or not words or field.description:
        return
    named = " ".join(fold_label(to_words(other.name)) for other in others if other is not field)
    if words[-1] in _names()["units"] and "unit" not in named:
        name = f"{'_'.join(words[:-1])}_{_names()['units'][words[-1]]}".lstrip("_")
        message = "the number has no unit: 2 kg and 2 lb would both be 2."
        instead = f"Say it in the name, such as {name}, or in the description, or add a field for the unit."
        yield Lint("MISSING_UNIT", field.path, message, instead)
    if field.type is FieldType.DECIMAL and words[-1] in _names()["money"]["words"].split() and "currency" not in named:
        message = "the amount has no currency."
        instead = 'Make it "type": "MONEY" (paxman.Money), or add a field for the currency.'
        yield Lint("MISSING_UNIT", field.path, message, instead)


def _lint_objects(fields: Sequence[CanonicalField], needed: bool) -> Iterator[Lint]:
    for field in fields:
        required = needed and field.required
        inner = [child.name for child in field.children if child.required]
        if field.type is FieldType.OBJECT and inner and not required:
            message = f"{', '.join(inner)} {'is' if len(inner) == 1 else 'are'} required in an object that is optional."
            instead = "Nothing counts as missing below an optional object: make it required, or its fields optional."
            yield Lint("REQUIRED_IN_OPTIONAL", field.path, message, instead)
        else:
            yield from _lint_objects(field.children, required)


@cache
def _empty_words() -> frozenset[str]:
    return frozenset(_names()["empty"].split())


@cache
def _names() -> dict[str, Any]:
    text = (Path(__file__).parent / "data" / "field_names.toml").read_text("utf-8")
    return tomllib.loads(text)
