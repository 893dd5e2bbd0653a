"""Bank and tax identifiers, compact and in upper case: IBAN, BIC, VAT and national tax ids."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import attrs

from paxman.recognizers.base import UNKNOWN, Conventions, Reading, read
from paxman.recognizers.checksums import has_iban_shape, is_iban, is_tax_id, is_vat_id, vat_country, vat_formats
from paxman.recognizers.places import country_codes

_SEPARATORS = re.compile(r"[\s./\u2010-\u2015-]+")


def to_compact(text: str, argument: str = "") -> str:
    """Upper case without spaces, points, slashes and dashes."""
    return _SEPARATORS.sub("", text).upper()


def _read(text: str, start: int, end: int) -> Reading:
    quote = text[start:end]
    return read(text, start, end, () if to_compact(quote) == quote else ("compact",))


def _longest(text: str, start: int, end: int, holds: Callable[[str], bool]) -> Reading | None:
    """The longest run of whole words from `start` that is an identifier."""
    while end - start >= 7:
        if text[end - 1].isalnum() and not text[end : end + 1].isalnum() and holds(to_compact(text[start:end])):
            return _read(text, start, end)
        end -= 1
    return None


def _all(pattern: re.Pattern[str], text: str, holds: Callable[[str], bool]) -> list[Reading]:
    found: list[Reading] = []
    match = pattern.search(text)
    while match:
        reading = _longest(text, match.start(), match.end(), holds)
        if reading:
            found.append(reading)
        match = pattern.search(text, reading.end if reading else match.start() + 2)
    return found


def _first(readings: list[Reading]) -> Reading | None:
    return readings[0] if readings else None


def _doubted(readings: list[Reading]) -> Reading | None:
    return attrs.evolve(readings[0], doubt="the check digits are wrong") if readings else None


_IBAN = re.compile(r"[A-Za-z](?<![A-Za-z0-9][A-Za-z])[A-Za-z]\d\d(?:[ \u00a0-]{0,2}[A-Za-z0-9]){11,30}")


def find_ibans(text: str, conventions: Conventions) -> list[Reading]:
    """Account numbers whose length and check digits hold."""
    return _all(_IBAN, text, is_iban)


def read_iban(text: str) -> Reading | None:
    """The account number in a short text, one whose check digits hold before any other."""
    return _first(_all(_IBAN, text, is_iban)) or _doubted(_all(_IBAN, text, has_iban_shape))


_BIC = re.compile(r"[A-Z](?<![A-Za-z0-9][A-Z])[A-Z]{3}([A-Z]{2})[A-Z0-9]{2}(?:[A-Z0-9]{3})?(?![A-Za-z0-9])")
_BIC_LABEL = re.compile(r"(?:BIC|SWIFT)[^\n]{0,20}\Z", re.IGNORECASE)


def find_bics(text: str, conventions: Conventions) -> list[Reading]:
    """Bank codes; without a digit in them only near a label, since many words have their shape."""
    return [
        Reading(match.start(), match.end(), match[0])
        for match in _BIC.finditer(text)
        if match[1] in country_codes()
        and (not match[0].isalpha() or _BIC_LABEL.search(text, max(0, match.start() - 26), match.start()))
    ]


def read_bic(text: str) -> Reading | None:
    match = _BIC.search(text)
    return Reading(match.start(), match.end(), match[0]) if match and match[1] in country_codes() else None


@lru_cache(maxsize=1)
def _vat_pattern() -> re.Pattern[str]:
    letters = "|".join(sorted(vat_formats(), key=len, reverse=True))
    return re.compile(
        rf"(?<![A-Za-z0-9])(?:{letters})[ \u00a0.-]{{0,2}}[A-Z0-9](?:[ \u00a0./-]{{0,2}}[A-Z0-9]){{1,14}}(?![a-z])"
    )


def find_vat_ids(text: str, conventions: Conventions) -> list[Reading]:
    """VAT numbers, whose check digits hold where the rule is known."""
    return _all(_vat_pattern(), text, is_vat_id)


def read_vat_id(text: str) -> Reading | None:
    """The VAT number in a short text, one whose check digits hold before any other; else a national tax number."""
    sound = _first(find_vat_ids(text, UNKNOWN)) or _doubted(_shaped_vat_ids(text))
    return sound or _first(find_tax_ids(text, UNKNOWN))


def _shaped_vat_ids(text: str) -> list[Reading]:
    return _all(_vat_pattern(), text, lambda value: vat_country(value) is not None)


_TAX = re.compile(
    r"(?<![A-Za-z0-9.,/-])(?:[A-Z]?\d|\d{2}[A-Z]{5})(?:[ \u00a0./-]?[A-Z0-9]){6,17}(?![A-Za-z0-9]|[.,/-]\d)"
)
_TAX_LABEL = re.compile(
    r"\b(?:tax|vat|ust|mwst|iva|tva|btw|steuer\w*|nif|nip|nipc|cif|abn|siren|siret|p\.?iva|cnpj|gst|ein|oib)\b[^\n]{0,24}\Z",
    re.IGNORECASE,
)
_EIN = re.compile(r"\d(?<![\w-]\d)\d-\d{7}(?![\w-])")
_STEUERNUMMER = re.compile(r"\d(?<![\w/]\d)\d{1,2} ?/ ?\d{3,4} ?/ ?\d{4,5}(?![\w/])")


def _is_said(text: str, reading: Reading) -> bool:
    """Bare digits pass one check or another by chance, so a word before them must say what they are."""
    letters = any(map(str.isalpha, reading.value))
    return letters or _TAX_LABEL.search(text, max(0, reading.start - 30), reading.start) is not None


def find_tax_ids(text: str, conventions: Conventions) -> list[Reading]:
    """VAT numbers, and national tax numbers by their check digit or their own shape."""
    matches = (match for pattern in (_EIN, _STEUERNUMMER) for match in pattern.finditer(text))
    found = [Reading(match.start(), match.end(), match[0]) for match in matches]
    shaped = _shaped_vat_ids(text)
    sound = find_vat_ids(text, conventions) if shaped else []
    bare = [reading for reading in _all(_TAX, text, is_tax_id) if _is_said(text, reading)]
    # The digits of a VAT number are no number of their own.
    found += sound + [r for r in bare if not any(s.start < r.start < s.end for s in shaped)]
    found.sort(key=lambda reading: (reading.start, -reading.end))
    return [r for i, r in enumerate(found) if all(r.start >= earlier.end for earlier in found[max(0, i - 3) : i])]
