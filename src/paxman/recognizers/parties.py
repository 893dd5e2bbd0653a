"""Legal forms of companies, and names of persons."""

from __future__ import annotations

import re
from functools import lru_cache

from paxman.classes import frozen
from paxman.lazy import lazy_pattern
from paxman.recognizers.base import Conventions, Reading
from paxman.recognizers.tables import column, entries, pattern
from paxman.recognizers.tables import words as words_of

_LONGEST_FORM = 6


@frozen
class Forms:
    """Legal forms by their folded words, and those that count only as written."""

    long: frozenset[str]
    heads: frozenset[str]
    short: frozenset[str]


@lru_cache(maxsize=1)
def _forms() -> Forms:
    table = column("legal_forms")
    long = frozenset(form.replace("_", " ") for form in table["long"])
    heads = frozenset(form.split(" ")[0] for form in long) | frozenset(map(_folded, table["short"]))
    return Forms(long, heads, table["short"])


def is_legal_form(text: str) -> bool:
    """Whether a text is a legal form and nothing else, so that the name it ends stands elsewhere."""
    return _folded(text.strip()) in _forms().long or text.strip() in _forms().short


def _folded(token: str) -> str:
    return token.strip(",;:()\"'").replace(".", "").lower()


_SMALL = frozenset(("plc", "plc,"))
"""Forms that are written in small letters, with no points."""


def _form_length(words: list[str], at: int) -> int:
    """How many words from here are a legal form."""
    forms = _forms()
    if _folded(words[at]) not in forms.heads or (
        words[at].islower() and "." not in words[at] and words[at] not in _SMALL
    ):
        return 0
    for length in range(min(_LONGEST_FORM, len(words) - at), 0, -1):
        if " ".join(map(_folded, words[at : at + length])) in forms.long:
            return length
    bare = words[at].strip(",;:()")
    if forms.short.isdisjoint((bare, bare.strip("."), bare.replace(".", "") if _DOTTED.fullmatch(bare) else bare)):
        return 0
    # In a line of capitals AS, SE or CO are words like any other, but not at its end.
    return int(at + 1 == len(words) or not all(word.upper() == word for word in words))


_DOTTED = lazy_pattern(r"(?:[A-Z]\.){2,4}")


_NAME_PART = r"(?:[A-Z]\.|[A-ZÀ-Þ\u0100-\u017f\u0370-\u04ff][^\W\d_'’-]*(?:['’-][^\W\d_]+)*)"
_NAMES = rf"{_NAME_PART}(?: (?:(?:{{name_particle}}) )?{_NAME_PART})"
_TITLED = (
    rf"(?<![^\W_])({{person_title_before}}|M(?=\.)|D(?=\.))(?![^\W_])\.?[ ]((?:(?:Dr|Prof|Ing)\. )?{_NAMES}{{0,4}})"
)
_NAMED = rf"(?<![^\W_]){_NAMES}{{1,3}}(?![^\W_])"


@lru_cache(maxsize=1)
def _given_names() -> frozenset[str]:
    return frozenset(name for _, names in entries("given_names") for name in names)


def _is_title(match: re.Match[str], language: str | None) -> bool:
    """Not before an office; a single letter in French, or before a given name where it may be French or Spanish."""
    first, *rest = match[2].lower().split(" ")
    if len(match[1]) > 1:
        offices = words_of("office")
        return first not in offices or bool(rest and rest[0] not in offices and match[2].istitle())
    if match[1] == "D":
        return language == "es" and bool(rest) and first in _given_names()
    return language == "fr" or (language is None and bool(rest) and first in _given_names())


def find_persons(text: str, conventions: Conventions) -> list[Reading]:
    """Persons by a title before the name, or by a common given name that starts it."""
    titled = pattern(_TITLED, exact=True).finditer(text)
    spans = [match.span(2) for match in titled if _is_title(match, conventions.language)]
    for match in pattern(_NAMED, exact=True).finditer(text):
        given = match[0].split(" ")[0].lower()
        if given in _given_names() and not any(_form_length([word], 0) for word in match[0].split(" ")[1:]):
            spans.append(match.span())
    found: list[Reading] = []
    for start, end in sorted(spans):
        if not found or start >= found[-1].end:
            found.append(Reading(start, end, text[start:end]))
    return found
