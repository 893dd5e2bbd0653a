"""Countries, states and postal codes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from paxman.lazy import lazy_pattern
from paxman.recognizers.base import Conventions, Reading, read
from paxman.recognizers.booleans_and_enums import plain, trimmed
from paxman.recognizers.tables import entries

_CAPITAL = "A-ZÀ-Þ\u0100-\u017f\u0370-\u04ff"
_LETTER = "A-Za-zÀ-\u017f\u0370-\u04ff"
_WORD = lazy_pattern(r"[^\W\d_](?:[^\W\d_]|[.'’-](?=[^\W\d_])){0,40}\.?")
_CAPITALIZED = lazy_pattern(
    r"[A-ZÀ-Þ\u0100-\u017f\u0370-\uffff](?<!\w[A-ZÀ-Þ\u0100-\u017f\u0370-\uffff])(?:[^\W\d_]|[.'’-](?=[^\W\d_])){0,40}\.?"
)
_LONGEST_NAME = 5


@lru_cache(maxsize=1)
def _countries() -> dict[str, str]:
    found = {name.replace("_", " "): code for code, names in entries("cldr_countries") for name in names}
    found |= {plain(name.replace("_", " ")): code for code, names in entries("countries") for name in names}
    # England & Wales, whose sign is no word.
    return {name.replace(" and ", " "): code for name, code in found.items()} | found


@lru_cache(maxsize=1)
def country_codes() -> frozenset[str]:
    """The ISO 3166 codes that Paxman knows names for."""
    return frozenset(_countries().values())


@lru_cache(maxsize=1)
def _states() -> dict[str, str]:
    pairs = (pair.partition("=")[0].replace("_", " ") for _, pairs in entries("states") for pair in pairs)
    return {plain(name): name for name in pairs}


def to_country(text: str, argument: str = "") -> str:
    """The ISO 3166 code of a country by its name or code."""
    code = _countries().get(plain(text)) or (text.strip() if text.strip() in country_codes() else None)
    if code is None:
        raise ValueError(f"not a country: {text!r}")
    return code


@lru_cache(maxsize=1)
def _adjectives() -> dict[str, str]:
    return {word: name.replace("_", " ") for name, words in entries("adjectives") for word in words}


def is_country(text: str) -> bool:
    """Whether a text is the name of a country, and nothing else."""
    return plain(text) in _countries()


def to_nation(text: str, argument: str = "") -> str:
    """The name of a country by its adjective: Switzerland for Swiss."""
    name = _adjectives().get(text)
    if name is None:
        raise ValueError(f"not the adjective of a country: {text!r}")
    return name


def read_nation(text: str, start: int, end: int) -> Reading | None:
    """The country whose adjective stands there."""
    return read(text, start, end, ("nation",)) if text[start:end] in _adjectives() else None


def find_countries(text: str, conventions: Conventions) -> list[Reading]:
    """Countries by name, as ISO codes."""
    return [read(text, start, end, ("country",)) for start, end in _named(text, _country_index())]


def read_country(text: str) -> Reading | None:
    """The country in a short text; its code counts when it is the whole text."""
    start, end = trimmed(text)
    spans = [(start, end)] if text[start:end] in country_codes() else _named(text, _country_index())
    return read(text, *spans[0], ("country",)) if spans else None


def find_regions(text: str, conventions: Conventions) -> list[Reading]:
    """Names of states, provinces and countries, as written."""
    return [Reading(start, end, text[start:end]) for start, end in _named(text, _region_index())]


Index = dict[str, frozenset[str]]
"""Folded names by their first word."""


def _index(names: Iterable[str]) -> Index:
    by_head: dict[str, set[str]] = {}
    for name in names:
        by_head.setdefault(name.split(" ")[0], set()).add(name)
    return {head: frozenset(all_) for head, all_ in by_head.items()}


@lru_cache(maxsize=1)
def _country_index() -> Index:
    return _index(_countries())


@lru_cache(maxsize=1)
def _region_index() -> Index:
    return _index([*_countries(), *_states()])


def _named(text: str, index: Index) -> list[tuple[int, int]]:
    """Spans of the longest names that begin with a capital letter."""
    spans: list[tuple[int, int]] = []
    for match in _CAPITALIZED.finditer(text):
        names = index.get(plain(match[0]).split(" ")[0])
        if names and (not spans or match.start() >= spans[-1][1]):
            start = match.start()
            ends = [start + match.end() for match in _WORD.finditer(text[start : start + 60])][:_LONGEST_NAME]
            end = next((end for end in reversed(ends) if plain(text[start:end]) in names), 0)
            if end:
                spans.append((match.start(), end))
    return spans


_STRICT_CODE = lazy_pattern(
    r"(?<![\w.,/#-])(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{5}-\d{3,4}|\d{2}-\d{3}|\d{4}-\d{3}"
    r"|〒 ?\d{3}-\d{4}|\d{3}-\d{4}(?= ?[\u3040-\u9fff])"
    r"|(?:[ACDEFHKNPRTVWXY]\d\d|D6W) (?=[A-Z]{0,3}\d)(?=\d{0,3}[A-Z])[A-Z\d]{4}|\d{4} ?[A-Z]{2}(?= [A-Z])"
    rf"|(?:DE|AT|CH|FR|LU|BE|IT|ES|NL|DK|SE|NO|[DAFBLI])[- ]\d{{4,5}}(?= [{_CAPITAL}]))"
    r"(?![\w/-]|[.,]\d)"
)
_CODE_BEFORE_PLACE = lazy_pattern(
    rf"\d(?<![\w./-]\d)(?:\d{{4,5}}(?=[,.]?[ \n]{{1,2}}[{_CAPITAL}][{_LETTER}]|,[A-ZÀ-Þ]{{3}}|, ?г\.)"
    rf"|\d{{2}} \d{{2}}(?= [{_CAPITAL}]))"
)
_CODE_AFTER_PLACE = lazy_pattern(rf"\d(?<=[{_LETTER}][ ,]\d)\d{{4,5}}(?:-\d{{4}})?(?=[,.;]?(?:\s|\Z))")
_AFTER_STATE = lazy_pattern(r"(?:(?<=\bNSW )|(?<=\bVIC )|(?<=\bQLD )|(?<=\bTAS )|(?<=\bACT ))\d{4}(?!\d)")
_SHORT_CODE = lazy_pattern(rf"\d(?<![\w.,/-]\d)\d{{3}}(?= [{_CAPITAL}][{_LETTER}]{{2}})")
_SHORT_CODE_LINE = lazy_pattern(rf"^{_SHORT_CODE.pattern}", re.MULTILINE)
_SHORT_CODE_REGIONS = frozenset(("AT", "AU", "BE", "CH", "DK", "HU", "LI", "LU", "NL", "NO", "NZ", "PH", "SI", "ZA"))


def writes_short_codes(text: str) -> str | None:
    """The country that a line of a text is the name of, if its postal codes have four digits."""
    lines = (line.strip() for line in text.split("\n") if len(line) < _LONGEST_COUNTRY)
    codes = (_countries().get(plain(line)) for line in lines if line[:1].isupper())
    return next((code for code in codes if code in _SHORT_CODE_REGIONS), None)


_LONGEST_COUNTRY = 60


def _is_above_country(text: str, code: int) -> bool:
    """Whether one of the two lines below a code is the name of a country."""
    below = text[code : code + 3 * _LONGEST_COUNTRY].split("\n")[1:3]
    return writes_short_codes("\n".join(below)) is not None


def find_postal_codes(text: str, conventions: Conventions) -> list[Reading]:
    """Postal codes: those with a shape of their own, and bare digits beside the name of a place."""
    patterns = [_STRICT_CODE, _CODE_BEFORE_PLACE, _CODE_AFTER_PLACE, _AFTER_STATE]
    if conventions.region in _SHORT_CODE_REGIONS:
        patterns.append(_SHORT_CODE)
    matches = [match for pattern in patterns for match in pattern.finditer(text)]
    if conventions.region is None:
        matches += [match for match in _SHORT_CODE_LINE.finditer(text) if _is_above_country(text, match.end())]
    matches.sort(key=lambda match: match.span())
    found: list[Reading] = []
    for match in matches:
        if not found or match.start() >= found[-1].end:
            found.append(Reading(match.start(), match.end(), match[0]))
    return found


# Wards, streets and house numbers.
_EAST_ASIAN = lazy_pattern(
    r"[\u3040-\u9fff]{1,8}(?:[都道府県省市区區町村郡][\u3040-\u9fff]{1,12})?[市区區町村路街道号號丁目]\d"
    r"|[\u3040-\u9fff]{2,20}\d{1,4}(?:-\d{1,4}|[号號])"
    r"|[\uac00-\ud7a3]{1,10}(?:로|길|동) ?\d"
)


def is_eastern(line: str) -> bool:
    """Whether a line names wards, streets and house numbers as Chinese, Japanese and Korean addresses do."""
    return not line.isascii() and _EAST_ASIAN.search(line) is not None
