"""Cutting a list that runs on in one text into its items: by commas and the like, and the word before the last."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

import attrs

from paxman.capabilities.line_shapes import is_legal_form, legal_end, names_place
from paxman.lazy import lazy_pattern
from paxman.types import Span

_MOST_ITEMS = 10_000
_BRACKETS = dict(zip(")]}）】”»", "([{（【“«", strict=True))
_MARK = lazy_pattern(r"[(\[{（【“«)\]}）】”»\"]|[;；]|[|•▪●◦‣│]|(?<=\s)·(?=\s)|[,，、،]|(?<=\s)/(?=\s)")
_OPENING = frozenset(_BRACKETS.values())
_KINDS = {";": 0, "；": 0, ",": 2, "，": 2, "、": 2, "،": 2, "/": 3}
_SEMICOLON, _BULLET, _COMMA, _SLASH = range(4)
_STOPS = ".。"
# Words of one letter are small: vitamins A or E are none.
_JOINING = r"and|und|et|och|og|ed|oraz|dan|or|oder|ou|oppure|lub|eller|sowie|as well as|en|(?-i:[eyoi])|&"
_JOIN = lazy_pattern(rf"(?<=\s)(?:{_JOINING})(?=\s)", re.IGNORECASE)
_LEADING = lazy_pattern(rf"(?:{_JOINING})\s+", re.IGNORECASE)
_DUTCH = r"\b(?:het|een|voor|niet|bij|wordt|zijn)\b"
_ROMANCE = r"\b(?:del?|la|las|los|les?|des|du|con|avec|una?|di|do|dos)\b"
# Words that join in one language and mean "in" or "about" in another: what speaks for the one, and for the other.
_OTHERWISE = {"en": (_DUTCH, _ROMANCE), "i": (r"[ąęłśżć]|\bamb\b", "[åøæäö]"), "o": (_ROMANCE, "[ąęłśżć]")}
_HEAD = 5000
_AND_MORE = lazy_pattern(
    r"(?:etc|usw|u\. ?a|o\. ?ä|ecc|itp|itd|m\. ?m|osv|enz|and (?:so on|others|more)|et al)\.?\s*", re.IGNORECASE
)
_SAYING = lazy_pattern(r"(?:contains|enthält|contient|contiene|contém|bevat|zawiera|innehåller)\s+", re.IGNORECASE)
_INITIALS = lazy_pattern(r"(?:[^\W\d_]\.[ -]?){1,4}")
_BEHIND_NAME = lazy_pattern(r"(?:Jr|Sr|Esq|Ph\.? ?D|M\.? ?D|MBA|MSc|BSc|CPA|II|III|IV)\.?")
_FIRM = lazy_pattern(
    r"(?:co|cie|sons?|söhne|sohn|partners?|associates?|fils|figli|hijos|filhos|bros|zonen|company)\b", re.I
)
_SENTENCE_END = lazy_pattern(r"(?<=[\w)\]%])[.!](?=\s+[A-ZÀ-Þ„“\"(])|。(?=.)")
_LAST_WORD = lazy_pattern(r"[^\W\d_]+\Z")
_SHORTENED = frozenset("prof dipl ing assoc mag lic ass univ resp incl excl sen jun geb approx".split())
_FEW_LETTERS, _FEW_WORDS, _MANY_WORDS = 4, 3, 10


@attrs.frozen
class Cut:
    """The items of a list, and what is not sure about them, if anything is."""

    spans: tuple[Span, ...]
    doubt: str = ""


def cut_items(text: str, start: int, end: int, *, named: bool = False) -> Cut:
    """The items that stand in a text one behind the other; `named` says that they are people or firms."""
    lead = _SAYING.match(text, start, end)
    start = lead.end() if lead else start
    end, doubt = _list_end(text, start, end)
    marks = separators(text, start, end)
    parts = _parts(text, start, end, marks)
    kind = _kind(text[marks[0]]) if marks else None
    if kind == _COMMA:
        doubt = doubt or (_COMMAS if _are_pairs([text[slice(*part)] for part in parts]) else "")
        parts = _with_forms(text, parts)
    doubt = doubt or _doubt(text, (start, end), kind, parts, named)
    parts, unsure = _part_last(text, parts, kind, named)
    if named and kind == _COMMA and not unsure:
        parts, unsure = _part_inner(text, parts)
    parts = _with_forms(text, parts) if kind == _COMMA else parts
    parts = [part for part in parts if part[0] < part[1] and not _AND_MORE.fullmatch(text, *part)]
    return Cut(tuple(_without_stop(text, parts)), doubt or unsure)


def cut_value(text: str, start: int, end: int, *, named: bool) -> Cut:
    """The items of one value; with commas in it, it may as well be one text."""
    cut, marks = cut_items(text, start, end, named=named), separators(text, start, end)
    items = [text[slice(*span)] for span in cut.spans]
    if marks and text[marks[0]] in _PLAIN_COMMAS and _may_be_one(text[start:end], items, named):
        return Cut(((start, end),), "commas may part items or be part of one text")
    return cut


def _may_be_one(text: str, items: Sequence[str], named: bool) -> bool:
    """Whether a text with commas may be one: of two parts that are not names, an address or a sentence."""
    if len(items) == _TWO:
        return not (named and _are_names(*items))
    is_sentence = text.rstrip().endswith((".", "!", "?")) and any(len(each.split()) > _FEW_WORDS for each in items)
    return len(items) > _TWO and (is_sentence or _is_address(items))


def _is_address(items: Sequence[str]) -> bool:
    """Whether one of the first parts is a street with the number of a house; where all are, they are a list."""
    places = [names_place(each) and bool(_WITH_NUMBER.search(each, 0, 2 * _NEAR)) for each in items[:_MOST_OF_ADDRESS]]
    return any(places[:_TWO]) and not all(places) and len(items) < _MOST_OF_ADDRESS


_WITH_NUMBER = lazy_pattern(r"\d.*[^\W\d_]{3}|[^\W\d_]{3}.*\d")
_PLAIN_COMMAS = ",，،"
_TWO, _MOST_OF_ADDRESS = 2, 7


def _doubt(text: str, span: Span, kind: int | None, parts: Sequence[Span], named: bool) -> str:
    """What may be wrong about the parts of a text."""
    texts = [text[slice(*part)] for part in parts]
    if leaves_open(text, *span):
        return "a bracket in the list is not closed"
    if kind == _SLASH and len(parts) == 2:
        return "a slash may part two items or two words of one"
    if kind == _SEMICOLON and len(parts) == 2 and _are_uneven(texts):
        return "a semicolon may part two items or end the list"
    if kind == _COMMA and named and len(texts) == 2 and not any(" " in each for each in texts):
        return _COMMAS
    if kind == _COMMA and _may_be_numbers(texts):
        return _COMMAS
    if (kind is None and _TWO_NUMBERS.fullmatch(texts[0])) or max(len(each.split()) for each in texts) > _MANY_WORDS:
        return "what stands there may be no list"
    return ""


_TWO_NUMBERS = lazy_pattern(r"\d+,\d+")


def _may_be_numbers(texts: Sequence[str]) -> bool:
    """Whether some of the commas between whole numbers have no blanks, and all the numbers go up: 1,2, 3."""
    numbers = ",".join(texts).split(",")
    if len(numbers) == len(texts) or not all(each.isdecimal() and len(each) < _NEAR for each in numbers):
        return False
    return all(int(one) < int(other) for one, other in pairwise(numbers))


def _are_uneven(texts: Sequence[str]) -> bool:
    """Whether one of two texts has more commas than the other."""
    return texts[0].count(",") != texts[1].count(",")


def _are_pairs(texts: Sequence[str]) -> bool:
    """Whether each second text is a code that may belong to the one before it: Austin, TX."""
    codes = [bool(_CODE.fullmatch(text)) for text in texts]
    if len(texts) < 2 or len(texts) % 2 or any(codes[::2]) or not all(codes[1::2]):
        return False
    return not all(map(is_legal_form, texts[1::2]))


_COMMAS = "commas may part items or be part of them"
_CODE = lazy_pattern(r"[A-Z]{2,3}")


def leaves_open(text: str, start: int, end: int) -> bool:
    """Whether a bracket is opened in a text and not closed."""
    part = text[start:end]
    return any(part.count(opening) > part.count(closing) for closing, opening in _BRACKETS.items())


def separators(text: str, start: int, end: int) -> list[int]:
    """Where the signs stand that part items: outside of brackets, and only those of the strongest kind."""
    found: dict[int, list[int]] = {}
    opened: list[str] = []
    is_quoted = text.count('"', start, end) % 2 == 0
    for mark in _MARK.finditer(text, start, end):
        sign = mark[0]
        if opened and opened[-1] == _BRACKETS.get(sign, sign):
            opened.pop()
        elif sign in _OPENING or (sign == '"' and is_quoted):
            opened.append(sign)
        elif sign in _BRACKETS or sign == '"':
            continue
        elif not opened and not _is_in_number(text, mark.start()):
            found.setdefault(_kind(sign), []).append(mark.start())
    return found[min(found)][:_MOST_ITEMS] if found else []


def _kind(sign: str) -> int:
    return _KINDS.get(sign, _BULLET)


def _is_in_number(text: str, at: int) -> bool:
    """Whether a comma is the decimal sign of a number, or groups its digits; three numbers without blanks are three."""
    if text[at] != "," or not text[at - 1 : at].isdecimal() or not text[at + 1 : at + 2].isdecimal():
        return False
    before = _DIGITS_BEFORE.search(text, max(0, at - _NEAR), at)
    behind = _DIGITS_BEHIND.match(text, at, at + _NEAR)
    digits = ((before[0] if before else "") + (behind[0] if behind else "")).strip(",")
    return digits.count(",") == 1 or _GROUPED.fullmatch(digits) is not None


_DIGITS_BEFORE, _DIGITS_BEHIND = lazy_pattern(r"[\d,]+\Z"), lazy_pattern(r"[\d,]+")
_GROUPED = lazy_pattern(r"\d{1,3}(?:,\d{2,3})*,\d{3}")
_NEAR = 40


def _parts(text: str, start: int, end: int, marks: Sequence[int]) -> list[Span]:
    edges = [start - 1, *marks, end]
    return [trimmed(text, first + 1, last) for first, last in pairwise(edges)]


def trimmed(text: str, start: int, end: int) -> Span:
    """A span without the blanks and signs of markup around what stands in it."""
    part = text[start:end]
    first = start + len(part) - len(part.lstrip(_AROUND))
    return first, max(first, start + len(part.rstrip(_AROUND)))


_AROUND = " \t\r\n\f\v\xa0*_"


def _with_forms(text: str, parts: Sequence[Span]) -> list[Span]:
    """Legal forms, initials and titles behind a comma belong to the name before it: Alder, Inc. and Elm, K."""
    joined: list[Span] = []
    for part in parts:
        if joined and _belongs(text[joined[-1][0] : min(joined[-1][1], joined[-1][0] + _NEAR)], text[slice(*part)]):
            joined[-1] = (joined[-1][0], part[1])
        else:
            joined.append(part)
    return joined


def _belongs(name: str, behind: str) -> bool:
    if not name[:1].isupper():
        return False
    if _INITIALS.fullmatch(behind):
        return True
    few = sum(map(str.isalpha, name)) < _FEW_LETTERS
    return not few and (is_legal_form(behind) or _BEHIND_NAME.fullmatch(behind) is not None)


def _part_last(text: str, parts: list[Span], kind: int | None, named: bool) -> tuple[list[Span], str]:
    """The parts, the last cut at the "and" in it; one that others have too, or that is the only sign, is not sure."""
    *before, (start, end) = parts
    lead = _LEADING.match(text, start, end) if before else None
    if lead:
        return [*before, (lead.end(), end)], ""
    if kind not in (None, _COMMA):
        return parts, ""
    joins = [join for join in _joins_in(text, start, end) if _joins(text, join[0]) is not False][:2]
    if not joins:
        return parts, ""
    halves = [trimmed(text, start, joins[0].start()), trimmed(text, joins[0].end(), end)]
    one, other = (text[slice(*half)] for half in halves)
    if len(joins) > 1 or _is_firm(one, other):
        sure = kind is not None and len(joins) == 1 and legal_end(other) == len(other)
        return parts, "" if sure else _UNSURE_AND
    if kind is None:
        return _two(text, parts, halves, named)
    if any(_joins_in(text, *part) and not legal_end(text[slice(*part)]) for part in before):
        return parts, _UNSURE_AND
    texts = [text[slice(*part)] for part in before]
    cut, sure = (_at_sign if joins[0][0] == "&" else _at_word)(texts, one, other, named)
    doubt = "" if sure and _joins(text, joins[0][0]) else f"{_UNSURE_AND}: {text[start:end][:_NEAR]}"
    return ([*before, *halves] if cut else parts), doubt


def _part_inner(text: str, parts: Sequence[Span]) -> tuple[list[Span], str]:
    """Names, also those with an "and" between them before the last, which then may be one name as well."""
    found: list[Span] = []
    doubt = ""
    for start, end in parts:
        halves = _two_names(text, start, end)
        doubt = doubt or (f"{_UNSURE_AND}: {text[start:end][:_NEAR]}" if halves else "")
        found += halves or [(start, end)]
    return found, doubt


def _two_names(text: str, start: int, end: int) -> list[Span]:
    """The two names that one word joins, none of which is that of a firm."""
    joins = _joins_in(text, start, end)
    if len(joins) != 1 or joins[0][0] == "&" or _joins(text, joins[0][0]) is False:
        return []
    halves = [trimmed(text, start, joins[0].start()), trimmed(text, joins[0].end(), end)]
    one, other = (text[slice(*half)] for half in halves)
    return halves if _are_names(one, other) and not legal_end(one) and not _is_firm(one, other) else []


def in_one_line(text: str) -> bool:
    """Whether a line of a list of names has several: nothing but full names, none of which is a firm or an office."""
    names = [text[slice(*part)] for part in _parts(text, 0, len(text), separators(text, 0, len(text)))]
    if len(names) < _TWO or not all(_are_names(name, name) and len(name.split()) <= _FEW_WORDS for name in names):
        return False
    words = {word.lower() for name in names for word in name.split()}
    return _OFFICES.isdisjoint(words) and not any(legal_end(name) or names_place(name) for name in names)


_OFFICES = frozenset(
    "chair chairman chairwoman chairperson president director manager officer secretary treasurer head chief partner"
    " counsel engineer analyst clerk lead leader department office team division committee board council bank group"
    " university institute college school geschäftsführer geschäftsführerin leiter leiterin vorstand abteilung"
    " directeur directrice président présidente director directora gerente presidente presidenta direttore direttrice"
    " voorzitter directie".split()
)


def _joins_in(text: str, start: int, end: int) -> list[re.Match[str]]:
    """The first words that may join two items, outside of brackets."""
    found = islice(_JOIN.finditer(text, start, end), _MANY_WORDS)
    return [join for join in found if not leaves_open(text, start, join.start())]


def _at_word(before: Sequence[str], one: str, other: str, named: bool) -> tuple[bool, bool]:
    """Whether an "and" parts two items, and whether that is sure: names, or items of as many words as the others."""
    if _is_set_pair(one, other):
        return False, False
    counts = {_count(each) for each in (*before, one, other)}
    return True, len(counts) == 1 or (named and _are_names(one, other)) or _belongs(before[-1][:_NEAR], one)


def _at_sign(before: Sequence[str], one: str, other: str, named: bool) -> tuple[bool, bool]:
    """Whether a "&" parts two items, as it does between single words and names, and whether that is sure."""
    if _is_set_pair(one, other) or len(one) == len(other) == 1:
        return False, True
    words = [*before, one, other]
    if all(_count(each) == 1 for each in words):
        return True, not named and all(each[:1].isupper() for each in words)
    return named and _are_names(one, other), False


def _count(text: str) -> int:
    """How many words a text has, without what stands in brackets and without numbers."""
    return len([word for word in _ASIDE.sub(" ", text).split() if any(map(str.isalpha, word))])


def _is_set_pair(one: str, other: str) -> bool:
    return f"{one} {other}".lower().rstrip(".") in _SET_PAIRS


_ASIDE = lazy_pattern(r"[(\[][^()\[\]]*[)\]]")
_SET_PAIRS = frozenset(
    (
        "terms conditions|health safety|research development|learning development|food drink|food beverage"
        "|sales marketing|bed breakfast|profit loss|arts crafts|pick-up delivery|pickup delivery|wear tear"
        "|mac cheese|fish chips|rock roll|shipping handling|mergers acquisitions|forschung entwicklung"
        "|recherche développement|bosnia herzegovina|bosnien herzegowina|trinidad tobago|antigua barbuda"
    ).split("|")
)
"""Words with an "and" between them that often are one thing."""


def _two(text: str, parts: list[Span], halves: list[Span], named: bool) -> tuple[list[Span], str]:
    """Two names of which a legal form ends the first, or that plainly are names; else one item, or two."""
    one, other = (text[slice(*half)] for half in halves)
    if legal_end(one) == len(one) > 0:
        return halves, ""
    are_two = _are_names(one, other)
    return (halves if are_two else parts), "" if are_two and named else _UNSURE_AND


def _joins(text: str, word: str) -> bool | None:
    """Whether a word joins items in the language of the page; None if nobody can say."""
    own, other = _OTHERWISE.get(word.lower(), ("", ""))
    if not own or re.search(own, text[:_HEAD], re.IGNORECASE):
        return True
    return False if re.search(other, text[:_HEAD], re.IGNORECASE) else None


_UNSURE_AND = 'an "and" may part two items or be part of one'


def _is_firm(one: str, other: str) -> bool:
    """Whether an "and" stands within the name of a firm: Smith & Sons, Hill and Lake Ltd."""
    if _FIRM.match(other):
        return True
    return legal_end(other) == len(other) > 0 and legal_end(one) != len(one)


def _are_names(one: str, other: str) -> bool:
    """Whether two texts are names of several words."""
    return all(len(each.split()) > 1 and all(map(_is_capital, each.split())) for each in (one, other))


def _is_capital(word: str) -> bool:
    return word.lstrip('"“„(')[:1].isupper() or word in ("de", "van", "von", "der", "di", "da", "del", "la")


def _without_stop(text: str, parts: Sequence[Span]) -> Iterator[Span]:
    """The items, the last without the full stop of the list; that of an abbreviation stays."""
    yield from parts[:-1]
    for start, end in parts[-1:]:
        last = text[start:end]
        yield (start, end - 1) if last[-1:] in _STOPS and not _is_shortened(last) else (start, end)


def _is_shortened(text: str) -> bool:
    """Whether a full stop belongs to the last word: an initial, a legal form that is short for a word, or dots."""
    word = _LAST_WORD.search(text[:-1])
    if text.endswith("..") or (word and len(word[0]) == 1):
        return True
    return word is not None and word[0].lower() in _DOTTED


_DOTTED = frozenset("ltd inc corp co cie bros bhd sdn pty pte pvt jr sr esq mfg assoc dept ave".split())


def _list_end(text: str, start: int, end: int) -> tuple[int, str]:
    """Where the sentence with the list ends; behind a capital nobody knows if a full stop ends one."""
    for stop in _SENTENCE_END.finditer(text, start, end):
        word = _LAST_WORD.search(text, max(start, stop.start() - 40), stop.start())
        if word is None or (word[0].islower() and len(word[0]) > 1 and word[0] not in _SHORTENED):
            return stop.start(), ""
        if len(word[0]) >= _FEW_LETTERS and _ends_list(text, start, stop.start(), end, word[0]):
            return stop.start(), "a full stop within the list may end it or not"
    return end, ""


def _ends_list(text: str, start: int, stop: int, end: int, word: str) -> bool:
    """Whether a sentence follows a full stop behind a word with a capital, which is no legal form or title."""
    name = text[max(start, stop - _NEAR) : stop]
    if word.lower() in _SHORTENED or legal_end(name) == len(name):
        return False
    return len(text[stop : min(end, stop + 2 * _NEAR)].split()) > _FEW_WORDS
