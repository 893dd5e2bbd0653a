"""Names of organizations, known by their legal form or line of business, and of persons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import attrs

from paxman.lazy import lazy_pattern
from paxman.recognizers.base import LINE_END, Conventions, Reading, read
from paxman.recognizers.tables import column, entries
from paxman.recognizers.words import plain
from paxman.transforms import fold
from paxman.types import Span

_CELL = lazy_pattern(rf"[^\s|]+(?:(?:[ \u00a0]|(?<=&){LINE_END})[^\s|]+)*")
_TOKEN = lazy_pattern(r"\S+")
_LONGEST_FORM = 6
_LONGEST_NAME = 10
_EDGES = " ,;:.()\"'“”„«»*-–"
_CONNECTORS = frozenset("of and und et y e de du des la le für for van von der del di och og és ve".split())
_KIN = frozenset("syn synové synovia zonen zoon zn zn. dochters söhne fils figli hijos filhos sønner söner".split())
"""Sons and daughters, who may be written small, and before whom any word for "and" joins a name."""
_KIN_AND = frozenset("a en i e y et und & ve".split())
_NEVER_LAST = frozenset(
    (
        "rechnung",
        "invoice",
        "facture",
        "factura",
        "fattura",
        "faktura",
        "tel",
        "telefon",
        "fax",
        "seite",
        "page",
        "datum",
    )
)
_HAN = r"\u3040-\u30ff\u4e00-\u9fff"
_LATIN = r"A-Za-zＡ-Ｚａ-ｚ0-9&."
# Particles of Japanese stand between a name and what follows it.
_CJK_REST = rf"(?:(?![はがをと])[{_HAN}{_LATIN}-]){{1,19}}"
_CJK_NAME = rf"(?!(?<=[{_HAN}{_LATIN}])[はがをと])[{_HAN}{_LATIN}-]{_CJK_REST}"
# Before another letter of their kind they begin a name, as in 株式会社とらや.
_CJK_PARTICLE = r"[ \u3000]?(?:[のを]|[はがと](?![\u3041-\u306d\u306f-\u309f]))"
_CJK_FORM = lazy_pattern(r"会社|公司|[㈱㈜]|주식회사|유한회사|[(（][株주]")
_JAPANESE = r"株式会社|有限会社|合同会社|合資会社|㈱|\(株\)|（株）"
_CJK = lazy_pattern(
    rf"(?:(?<![{_LATIN}])[{_LATIN}-]{{1,20}}[ \u3000])?(?!股份有限|有限责任|{_JAPANESE})"
    rf"{_CJK_NAME}(?:(?<=[A-Za-zＡ-Ｚａ-ｚ.])[ \u3000])?(?:股份有限公司|有限责任公司|有限公司|{_JAPANESE})"
    rf"|(?:{_JAPANESE})(?!{_CJK_PARTICLE})[ \u3000]?[{_HAN}{_LATIN}-]{_CJK_REST}"
    r"|(?:주식회사|유한회사|\(주\)|㈜) ?[\uac00-\ud7a3A-Za-z0-9]{2,20}"
    r"|[\uac00-\ud7a3A-Za-z0-9]{2,20} ?(?:주식회사|유한회사|\(주\)|㈜)"
)


@attrs.frozen
class Forms:
    """Legal forms by their folded words, those that count only as written, and words of business."""

    long: frozenset[str]
    heads: frozenset[str]
    short: frozenset[str]
    before: frozenset[str]
    business: frozenset[str]


@lru_cache(maxsize=1)
def _forms() -> Forms:
    table = column("legal_forms")
    long = frozenset(form.replace("_", " ") for form in table["long"])
    heads = frozenset(form.split(" ")[0] for form in long) | frozenset(map(_folded, table["short"]))
    return Forms(long, heads, table["short"], table["before"], frozenset(map(plain, table["business"])))


def is_legal_form(text: str) -> bool:
    """Whether a text is a legal form and nothing else, so that the name it ends stands elsewhere."""
    return _folded(text.strip()) in _forms().long or text.strip() in _forms().short


def _folded(token: str) -> str:
    return token.strip(",;:()\"'").replace(".", "").lower()


def find_organizations(text: str, conventions: Conventions) -> list[Reading]:
    """Organizations by their legal form; other capitalized lines of text by a word of business."""
    found: list[Reading] = []
    previous: Span | None = None
    for cell in _CELL.finditer(text):
        for reading in _in_cell(text, cell, previous):
            if found and reading.start < found[-1].end:
                found.pop()
            found.append(reading)
        previous = cell.span()
    if not text.isascii() and _CJK_FORM.search(text):
        found += [Reading(match.start(), match.end(), match[0]) for match in _CJK.finditer(text)]
        found.sort(key=lambda reading: reading.start)
    return found


def _in_cell(text: str, cell: re.Match[str], previous: Span | None) -> Iterator[Reading]:
    words = cell[0].split()
    forms, folded = _forms(), [_folded(word) for word in words]
    if forms.heads.isdisjoint(folded):
        if words[0].rstrip(".") in forms.before:
            yield from _by_prefix(text, _token_spans(cell), words)
        elif not forms.business.isdisjoint(folded):
            yield from _by_business(text, _token_spans(cell), words)
    else:
        yield from _by_form(text, _token_spans(cell), words, previous)


def is_named(line: str) -> bool:
    """Whether a line holds a legal form, and so is the name of a company."""
    words = line.split()
    return not _forms().heads.isdisjoint(map(_folded, words)) and any(
        _form_length(words, at) for at in range(len(words))
    )


def _token_spans(cell: re.Match[str]) -> list[Span]:
    return [match.span() for match in _TOKEN.finditer(cell.string, *cell.span())]


def _by_form(text: str, tokens: list[Span], words: list[str], previous: Span | None) -> Iterator[Reading]:
    """Names that end with a legal form."""
    at, last = 0, -1
    while at < len(words):
        length = _form_length(words, at)
        while length and at + length < len(words) and words[at + length - 1][-1] != ",":
            more = _form_length(words, at + length)
            if not more:
                break
            length += more
        first = _name_start(words, at, last + 1) if length else at
        start = tokens[first][0] if first < at else None
        if length and first == 0 and (at < 2 or _form_length(words, 0)):
            above = _line_above(text, tokens[0][0], previous)
            start = start if above is None else above
        if start is not None:
            last = _last_word(words, at + length - 1)
            yield _name(text, start, tokens[last][1])
        at += length or 1
    if last < 0 and words[0].rstrip(".") in _forms().before:
        yield from _by_prefix(text, tokens, words)
    elif last < 0 and not _forms().business.isdisjoint(map(_folded, words)):
        yield from _by_business(text, tokens, words)


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


def _last_word(words: list[str], form: int) -> int:
    """A name may go on for one word after the form, where the cell ends with it: Muster AG Nord."""
    goes_on = len(words) == form + 2 and words[-1].istitle() and words[-1].isalpha() and words[form][-1].isalpha()
    return form + 1 if goes_on and plain(words[-1]) not in _NEVER_LAST else form


def _name_start(words: list[str], form: int, low: int) -> int:
    """The first word of the name that a legal form ends."""
    first = at = form
    while at > max(low, form - _LONGEST_NAME):
        at -= 1
        word = words[at]
        if ")" in word:
            at = _bracket_start(words, at, low)
            if at < 0:
                break
        elif word[-1] in ":;”" or (word[-1] == "," and at < form - 1) or _ends_sentence(word):
            break
        elif _is_capital(word) or word[0].isdecimal() or word[0] in "&+'\"“„«":
            first = at
        elif not _joins(words, at) and (word.lower() not in _CONNECTORS or at == form - 1):
            break
    return first if any(word[:1].isalpha() for word in words[first:form]) else form


def _joins(words: list[str], at: int) -> bool:
    """Whether a small word is that of a family firm: "a syn", "en Zonen"."""
    if words[at] in _KIN:
        return at > 0 and words[at - 1] in _KIN_AND
    return words[at] in _KIN_AND and words[at + 1].lower() in _KIN


def _is_capital(word: str) -> bool:
    """Whether a word begins with a capital, or with one or two small letters before it: eLong, deCODE."""
    return word[0].isupper() or (word[0].islower() and any(map(str.isupper, word[1:3])))


def _bracket_start(words: list[str], end: int, low: int) -> int:
    """Where brackets that belong to a name open, as in S.H.H. Motor (Sungai Rengit) Sdn Bhd; -1 for others."""
    for at in range(end, max(low, end - 3) - 1, -1):
        if words[at][0] == "(":
            inner = " ".join(words[at : end + 1])[1:-1].strip()
            return at if words[end][-1] == ")" and inner[:1].isalpha() and (inner.istitle() or inner.isupper()) else -1
    return -1


def _ends_sentence(word: str) -> bool:
    return word[-1] == "." and len(word) > 4 and word[:-1].isalpha()


def _line_above(text: str, start: int, previous: Span | None) -> int | None:
    """Names of receipts break across lines: a lone word before the form goes with capitals on the line above."""
    if previous is None or text[previous[1] : start].strip(" ") != "\n":
        return None
    above = text[slice(*previous)]
    alone = not text[text.rfind("\n", 0, previous[0]) + 1 : previous[0]].strip()
    fits = above.isupper() and " " in above and ":" not in above and not any(map(str.isdecimal, above))
    return previous[0] if fits and alone else None


_QUOTES = {"«": "»", "“": "”", "„": "“"}


def _name(text: str, start: int, end: int, rule: str = "") -> Reading:
    while start < end and text[start] in " ,;:\"'“„«*-–":
        start += 1
    opened = set(text[start:end]) & _QUOTES.keys()
    closing = "".join(_QUOTES[mark] for mark in opened)
    while end > start and text[end - 1] in " ,;:\"'“”»*" and text[end - 1] not in closing:
        end -= 1
    if text[end - 1] == ")" and "(" not in text[start:end]:
        end -= 1
    quote = text[start:end]
    return attrs.evolve(read(text, start, end, () if fold(quote) == quote else ("fold",)), rule=rule)


def _by_prefix(text: str, tokens: list[Span], words: list[str]) -> Iterator[Reading]:
    """Names whose legal form stands first: PT Sumber Makmur, ООО «Ромашка»."""
    if words[0].rstrip(".") not in _forms().before:
        return
    last = 0
    while last + 1 < min(len(words), 7) and words[last][-1] not in ",;:" and _goes_on(words[last + 1]):
        last += 1
    if last:
        yield _name(text, tokens[0][0], tokens[last][1])


# What the foot of a French letter tells of a company besides its name.
_NEVER_IN_NAME = frozenset("rcs code capital siret siren tva ape naf".split())


def _goes_on(word: str) -> bool:
    word = word.strip(_EDGES)
    return word[:1].isupper() and word.lower() not in _NEVER_IN_NAME


def _by_business(text: str, tokens: list[Span], words: list[str]) -> Iterator[Reading]:
    if not 2 <= len(words) <= 8 or not all(_is_capital(w) or not w[0].isalpha() or w in _CONNECTORS for w in words):
        return
    business = _forms().business
    if any(plain(word) in business for word in words) and not any(":" in w or "@" in w or "=" in w for w in words):
        yield _name(text, tokens[0][0], tokens[-1][1], "a word of business")


_NAME_PART = r"(?:[A-Z]\.|[A-ZÀ-Þ\u0100-\u017f\u0370-\u04ff][^\W\d_'’-]*(?:['’-][^\W\d_]+)*)"
_PARTICLE = r"(?:von|van|de|der|den|di|da|du|la|le|bin|binti|al|zu)"
_TITLES = (
    r"Mr|Mrs|Ms|Miss|Dr|Prof|Herrn?|(?<!\d )Hr(?=\.)|Frau|Fru|Mme|Mlle|Monsieur|Madame|Maître|Sra?|Srta|Señor(?:a|ita)?"
    r"|Dñª|Dña|Senhora?|Sig(?:\.ra|\.na)?|Signora?|Dott(?:\.ssa)?|[Dd]hr|[Mm]evr(?:ouw)?|(?<!\d )[Mm]w(?=\.)"
    r"|[Dd]e heer|Pani?|Encik|Puan|Bpk|Smt|г-н|г-жа"
)
_TITLED = lazy_pattern(
    rf"(?<![^\W_])({_TITLES}|M(?=\.)|D(?=\.))(?![^\W_])\.?[ ]"
    rf"((?:(?:Dr|Prof|Ing)\. )?{_NAME_PART}(?: (?:{_PARTICLE} )?{_NAME_PART}){{0,4}})"
)
_NAMED = lazy_pattern(rf"(?<![^\W_]){_NAME_PART}(?: (?:{_PARTICLE} )?{_NAME_PART}){{1,3}}(?![^\W_])")


@lru_cache(maxsize=1)
def _given_names() -> frozenset[str]:
    return frozenset(name for _, names in entries("given_names") for name in names)


_OFFICES = frozenset(
    "president präsident präsidentin bürgermeister bürgermeisterin direktor direktorin presidente presidenta director "
    "directora general diretor diretora direttore direttrice directeur directrice président présidente voorzitter "
    "formand formann ordförande minister ministro ministra ministre sindaco alcalde alcaldesa maire juez juge giudice "
    "notario notaire cliente kunde klant client doutor doctor dottore prezes dyrektor".split()
)


def _is_title(match: re.Match[str], language: str | None) -> bool:
    """Not before an office; a single letter in French, or before a given name where it may be French or Spanish."""
    first, *rest = match[2].lower().split(" ")
    if len(match[1]) > 1:
        return first not in _OFFICES or bool(rest and rest[0] not in _OFFICES and match[2].istitle())
    if match[1] == "D":
        return language == "es" and bool(rest) and first in _given_names()
    return language == "fr" or (language is None and bool(rest) and first in _given_names())


def find_persons(text: str, conventions: Conventions) -> list[Reading]:
    """Persons by a title before the name, or by a common given name that starts it."""
    spans = [match.span(2) for match in _TITLED.finditer(text) if _is_title(match, conventions.language)]
    for match in _NAMED.finditer(text):
        given = match[0].split(" ")[0].lower()
        if given in _given_names() and not any(_form_length([word], 0) for word in match[0].split(" ")[1:]):
            spans.append(match.span())
    found: list[Reading] = []
    for start, end in sorted(spans):
        if not found or start >= found[-1].end:
            found.append(Reading(start, end, text[start:end]))
    return found
