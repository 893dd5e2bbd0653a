"""Shapes and check digits of account numbers, VAT and tax ids, on compact upper-case text; stdnum knows the rules."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from importlib import import_module

from paxman.classes import frozen
from paxman.recognizers.tables import entries


@lru_cache(maxsize=1)
def _iban_lengths() -> dict[str, int]:
    return {country: int(length) for length, countries in entries("iban_lengths") for country in countries}


def has_iban_shape(value: str) -> bool:
    return _iban_lengths().get(value[:2]) == len(value) and value[2:4].isdecimal()


def is_iban(value: str) -> bool:
    """The right length for its country, and 1 modulo 97 once the first four characters stand last."""
    return has_iban_shape(value) and int("".join(str(int(each, 36)) for each in value[4:] + value[:4])) % 97 == 1


@frozen
class _Numbering:
    """How a country writes its numbers, and the modules that check them; without one the shape is enough."""

    region: str
    shape: re.Pattern[str]
    checks: Sequence[str]


@lru_cache(maxsize=1)
def _vat_numbers() -> dict[str, _Numbering]:
    return {head: _numbering(head, *words) for head, words in entries("vat_formats")}


@lru_cache(maxsize=1)
def _tax_numbers() -> dict[str, _Numbering]:
    return {head: _numbering(*words) for head, words in entries("tax_numbers")}


def _numbering(region: str, shape: str, *checks: str) -> _Numbering:
    return _Numbering(region, re.compile(rf"(?:{shape})\Z", re.ASCII), checks)


def _is_sound(number: str, checks: Sequence[str]) -> bool:
    return not checks or any(_OWN[check](number) if check in _OWN else _holds(number, check) for check in checks)


def _holds(number: str, check: str) -> bool:
    # It takes the last character of an RFC as it is unless told otherwise.
    strict = {"validate_check_digits": True} if check == "mx.rfc" else {}
    return bool(import_module(f"stdnum.{check}").is_valid(number, **strict))


def _korea(digits: str) -> bool:
    weights = (1, 3, 7, 1, 3, 7, 1, 3, 5)
    total = sum(int(d) * w for d, w in zip(digits, weights, strict=False)) + int(digits[8]) * 5 // 10
    return -total % 10 == int(digits[9])


def _taiwan(digits: str) -> bool:
    products = "".join(str(int(d) * w) for d, w in zip(digits, (1, 2, 1, 2, 1, 2, 4, 1), strict=True))
    total = sum(map(int, products))
    return total % 5 == 0 or (digits[6] == "7" and total % 5 == 4)


# Of ten-digit numbers stdnum takes 9 in 10 as Korean, where one in ten is; it knows half of the Taiwanese ones.
_OWN = {"kr.brn": _korea, "tw.ubn": _taiwan}


def vat_letters() -> Collection[str]:
    """The letters that VAT numbers begin with."""
    return _vat_numbers().keys()


def vat_country(value: str) -> str | None:
    """The country whose VAT number this could be by its shape."""
    return next((country for country in (value[:3], value[:2]) if _vat_match(value, country)), None)


def _vat_match(value: str, country: str) -> re.Match[str] | None:
    numbers = _vat_numbers().get(country)
    return numbers.shape.match(value, len(country)) if numbers else None


def is_vat_id(value: str) -> bool:
    """The shape of its country, and the right check digit."""
    country = vat_country(value) or ""
    match = _vat_match(value, country)
    if match is None or len(set(match[0])) == 1:
        return False
    checks = _vat_numbers()[country].checks
    return _is_sound(match[1], checks) or _is_sound(country + match[1], checks)


def scheme_of(region: str | None) -> str | None:
    """Whose tax numbers a country has, by its two letters."""
    return next((scheme for scheme, numbers in _tax_numbers().items() if numbers.region == region), None)


def tax_schemes() -> Collection[str]:
    """The countries whose national tax numbers are known."""
    return _tax_numbers().keys()


def has_tax_shape(value: str, schemes: Collection[str]) -> bool:
    """Whether one of the countries writes its tax numbers so."""
    return any(_tax_numbers()[scheme].shape.match(value) for scheme in schemes)


# Numbers that are often written without a word before them.
_USUAL = "australia brazil china croatia france germany india italian_person italy poland portugal spain".split()


def is_tax_id(value: str, schemes: Collection[str] = ()) -> bool:
    """A national number without its country's letters whose check digit holds: ABN, CNPJ, GSTIN, NIF, NIP, SIREN.

    Without `schemes` it may be of any country whose numbers are often written so.
    """
    return len(set(value)) > 1 and any(_is_of(value, _tax_numbers()[scheme]) for scheme in schemes or _USUAL)


def _is_of(value: str, numbers: _Numbering) -> bool:
    match = numbers.shape.match(value)
    return match is not None and _is_sound(match[1], numbers.checks)
