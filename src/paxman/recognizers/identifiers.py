"""Bank and tax identifiers, compact and in upper case: IBAN, BIC, VAT and national tax ids."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial

import attrs

from paxman.classes import frozen
from paxman.lazy import lazy_pattern
from paxman.recognizers.base import UNKNOWN, Conventions, Reading, read
from paxman.recognizers.checksums import (
    has_iban_shape,
    has_tax_shape,
    is_iban,
    is_tax_id,
    is_vat_id,
    scheme_of,
    tax_schemes,
    vat_country,
    vat_letters,
)
from paxman.recognizers.places import country_codes
from paxman.recognizers.tables import entries

_SEPARATORS = lazy_pattern(r"[\s./\u2010-\u2015-]+")


def to_compact(text: str, argument: str = "") -> str:
    """Upper case without spaces, points, slashes and dashes."""
    return _SEPARATORS.sub("", text).upper()


# Nine digits behind a slash are a Russian office's own number, the КПП.
_GOES_ON = lazy_pattern(r"\W|_|\w(?:\w|(?!/\d{9}(?!\w))[./-]\d)")
"""An identifier ends with a letter or digit, and not in the middle of a word or a longer number."""


def _longest(text: str, start: int, end: int, holds: Callable[[str], bool]) -> Reading | None:
    """The longest run of whole words from `start` that is an identifier."""
    while end - start >= 7:
        if _GOES_ON.match(text, end - 1) is None and holds(to_compact(text[start:end])):
            quote = text[start:end]
            return read(text, start, end, () if to_compact(quote) == quote else ("compact",))
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


_IBAN = lazy_pattern(r"[A-Za-z](?<![A-Za-z0-9][A-Za-z])[A-Za-z]\d\d(?:[ \u00a0-]{0,2}[A-Za-z0-9]){11,30}")


def find_ibans(text: str, conventions: Conventions) -> list[Reading]:
    """Account numbers whose length and check digits hold."""
    return _all(_IBAN, text, is_iban)


def read_iban(text: str) -> Reading | None:
    """The account number in a short text, one whose check digits hold before any other."""
    return _first(_all(_IBAN, text, is_iban)) or _doubted(_all(_IBAN, text, has_iban_shape))


_BIC = lazy_pattern(r"[A-Z](?<![A-Za-z0-9][A-Z])[A-Z]{3}([A-Z]{2})[A-Z0-9]{2}(?:[A-Z0-9]{3})?(?![A-Za-z0-9])")
_BIC_LABEL = lazy_pattern(r"(?:BIC|SWIFT)[^\n]{0,20}\Z", re.IGNORECASE)


_BANK = lazy_pattern(r"\bIBAN\b|\bSWIFT\b|[Bb]an[kc]|[Bb]anque|BANK")


def find_bics(text: str, conventions: Conventions) -> list[Reading]:
    """Bank codes; without a digit only near a label, since many words have their shape.

    With the XXX of a head office it is enough that the page speaks of a bank.
    """
    of_bank = "XXX" in text and _BANK.search(text) is not None
    return [
        Reading(match.start(), match.end(), match[0])
        for match in _BIC.finditer(text)
        if match[1] in country_codes()
        and (
            not match[0].isalpha()
            or (match[0].endswith("XXX") and of_bank and "X" not in match[0][:4])
            or _BIC_LABEL.search(text, max(0, match.start() - 26), match.start())
        )
    ]


def read_bic(text: str) -> Reading | None:
    match = _BIC.search(text)
    return Reading(match.start(), match.end(), match[0]) if match and match[1] in country_codes() else None


@lru_cache(maxsize=1)
def _vat_pattern() -> re.Pattern[str]:
    letters = "|".join(sorted(vat_letters(), key=len, reverse=True))
    return re.compile(
        rf"(?<![A-Za-z0-9])(?:{letters})[ \u00a0.-]{{0,2}}[A-Z0-9](?:[ \u00a0./-]{{0,2}}[A-Z0-9]){{1,14}}(?![a-z])"
    )


def find_vat_ids(text: str, conventions: Conventions) -> list[Reading]:
    """VAT numbers, whose check digits hold where the rule is known."""
    return _all(_vat_pattern(), text, is_vat_id)


def read_vat_id(text: str, label: str = "VAT", conventions: Conventions = UNKNOWN) -> Reading | None:
    """The VAT number in a short text, one whose check digits hold before any other; else a national tax number.

    The `label` before the text tells whose it can be.
    """
    sound = _first(find_vat_ids(text, conventions)) or _doubted(_shaped_vat_ids(text))
    return sound or _first(find_tax_ids(text, conventions)) or _national(text, label, conventions)


_NUMBER_WORD = lazy_pattern(r"[\W_]*(?:n[°ºor]?|num|number|nummer|n[uú]mero)?[\W_]*", re.IGNORECASE)


def _national(text: str, label: str, conventions: Conventions) -> Reading | None:
    """The number that a text begins with, as a country that the label names writes it."""
    match, says = _TAX.search(text), _label_in(label)
    if not match or not says or not _NUMBER_WORD.fullmatch(text, 0, match.start()):
        return None
    sound = _sound(text, match, says, conventions)
    if sound:
        return sound
    if says.open:
        return _printed(text, match, lambda value: value.isdecimal() or has_tax_shape(value, tax_schemes()))
    shaped = _longest(text, *match.span(), partial(has_tax_shape, schemes=says.schemes))
    return _doubted([shaped]) if shaped else None


def _sound(text: str, match: re.Match[str], says: _Label, conventions: Conventions) -> Reading | None:
    """The number whose check digits hold where the label says, or else at home."""
    home = scheme_of(conventions.region) if says.open else None
    schemes = says.schemes | {home} if home else says.schemes
    return _longest(text, *match.span(), partial(is_tax_id, schemes=schemes)) if schemes else None


def _printed(text: str, match: re.Match[str], holds: Callable[[str], bool]) -> Reading | None:
    """A number of which nobody knows whose rule it follows: that it follows one or none is chance."""
    found = _longest(text, *match.span(), holds)
    return attrs.evolve(found, loose=True) if found else None


def _shaped_vat_ids(text: str) -> list[Reading]:
    return _all(_vat_pattern(), text, lambda value: vat_country(value) is not None)


_TAX = lazy_pattern(
    r"(?<![A-Za-z0-9.,/-])(?:[A-Z]?-?\d|\d{2}[A-Z]{5}|[A-ZÑ&]{3,4}[ -]?\d{6}|[A-Z]{6}\d{2}[A-Z])"
    r"(?:[ \u00a0./-]?[A-Z0-9]){3,17}(?:(?![A-Za-z0-9]|[.,/-]\d)|(?=/\d{9}(?!\w)))"
)
_REACH = 30
"""How far before a number the end of its label may begin."""


@frozen
class _Label:
    """Whose numbers a label announces; an open one, such as "tax no", those of any country."""

    schemes: frozenset[str]
    open: bool


@lru_cache(maxsize=1)
def _labels() -> tuple[re.Pattern[str], dict[str, _Label]]:
    """Every label, with whatever parts its letters, and whose numbers it announces."""
    owners: dict[str, set[str]] = {}
    for head, words in entries("tax_labels"):
        for word in words:
            owners.setdefault(word, set()).update(head.split("+"))
    longest = sorted(owners, key=len, reverse=True)
    written = "|".join(r"[\W_]{0,2}".join(word) for word in longest)
    labels = {word: _Label(frozenset(heads - {"any"}), "any" in heads) for word, heads in owners.items()}
    return re.compile(rf"(?<!\w)(?:{written})(?!\w)"), labels


# "Tax invoice no" speaks of the invoice.
_PAPER = lazy_pattern(
    r"invoice|receipt|bill|order|statement|rechnung|beleg|quittung|fa[ck]tur|fattur|fatur|faktúr|re[cç]u\b|recibo|ricevuta"
    r"|bon\b|paragon",
    re.IGNORECASE,
)


# Their numbers are short, and one in ten passes: as in "GST 0.57 Card 49091850".
_SHORT_SCHEMES = frozenset(("canada", "new_zealand", "singapore"))
_NUMBER_WORDS = lazy_pattern(r"[\W_]{0,9}(?:(?:reg|registration|regn|id|no|nr|n|num|number)\b[\W_]{0,9}){0,3}")


def _label_in(text: str) -> _Label | None:
    """The last label in a text, unless it goes on to speak of a paper."""
    pattern, labels = _labels()
    lower = text.lower()
    found = list(pattern.finditer(lower))
    if not found or _PAPER.search(lower, found[-1].end()):
        return None
    label = labels["".join(filter(str.isalnum, found[-1][0]))]
    if _NUMBER_WORDS.fullmatch(lower, found[-1].end()):
        return label
    return attrs.evolve(label, schemes=label.schemes - _SHORT_SCHEMES)


_EIN = lazy_pattern(r"\d(?<![\w-]\d)\d-\d{7}(?![\w-])")
_STEUERNUMMER = lazy_pattern(r"\d(?<![\w/]\d)\d{1,2} ?/ ?\d{3,4} ?/ ?\d{4,5}(?![\w/])")


def find_bare_tax_ids(text: str, conventions: Conventions) -> list[Reading]:
    """Numbers without their country's letters.

    Digits pass one check or another by chance, so a word before them must say what they are.
    """
    found: list[Reading] = []
    match = _TAX.search(text)
    while match:
        reading = _bare_tax_id(text, match, conventions)
        if reading:
            found.append(reading)
        match = _TAX.search(text, reading.end if reading else match.start() + 2)
    return found


def _bare_tax_id(text: str, match: re.Match[str], conventions: Conventions) -> Reading | None:
    says = _label_in(text[max(0, match.start() - _REACH) : match.start()].rpartition("\n")[2])
    if says:
        sound = _sound(text, match, says, conventions)
        return sound or (_printed(text, match, partial(is_tax_id, schemes=tax_schemes())) if says.open else None)
    reading = _longest(text, *match.span(), is_tax_id) if any(map(str.isalpha, match[0])) else None
    return reading if reading and any(map(str.isalpha, reading.value)) else None


def find_tax_ids(text: str, conventions: Conventions) -> list[Reading]:
    """VAT numbers, and national tax numbers by their check digit or their own shape."""
    matches = (match for pattern in (_EIN, _STEUERNUMMER) for match in pattern.finditer(text))
    found = [Reading(match.start(), match.end(), match[0]) for match in matches]
    shaped = _shaped_vat_ids(text)
    sound = find_vat_ids(text, conventions) if shaped else []
    bare = find_bare_tax_ids(text, conventions)
    # The digits of a VAT number are no number of their own.
    found += sound + [r for r in bare if not any(s.start < r.start < s.end for s in shaped)]
    found.sort(key=lambda reading: (reading.start, -reading.end))
    return [r for i, r in enumerate(found) if all(r.start >= earlier.end for earlier in found[max(0, i - 3) : i])]
