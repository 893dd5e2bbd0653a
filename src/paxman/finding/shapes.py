"""Whether a text can be a value of a kind at all, or says that there is none, and which part of it is the value."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from paxman.contract.labels import fold_label
from paxman.lazy import lazy_pattern
from paxman.recognizers.tables import column, pattern

_PART = r"(?=[^\s]*\d)(?:[\w#*/.:&+-]|(?<=\d),(?=\d{3}(?!\d)))+"
_CODE = lazy_pattern(rf"(?:[A-Z]{{1,5}} )?{_PART}(?:[ -]{_PART}){{0,5}}(?: [A-Z]{{1,2}}(?=\s*\Z))?")
_TAIL = lazy_pattern(r"\s*[(\[][^()\[\]\d]{4,}[)\]]\s*$")
_SENTENCE = r"[a-z]{4}[.!?]\s+[A-Z][a-z]|\b(?:{sentence_word})\b"
_PROPER = lazy_pattern(r"[^\W\d_]")
_URL = lazy_pattern(r"(?i)(?:https?://|www\.)\S+|[\w-]+(?:\.[\w-]+)+(?:/\S*)?")
_BLANK = lazy_pattern(r"[\s_\-.—–*/\\|()\[\]☐☑☒✓□:;,?!#$€£%]*")
_COUNT = lazy_pattern(r"\s*\(?\d{1,2}[.)]\s*")
_UNFILLED = lazy_pattern(r"_{3,}|\[[ _]+\]|\.{5,}")
_BEFORE_CODE = " \t.:°º"
_MOST_NAME_WORDS = 10
_MONEY = "$€£¥"
_FEW_WORDS = 3
_MOST_PLACE_DIGITS = 3
_MOST_NUMBER_LENGTH = 44


def is_blank(text: str) -> bool:
    """Whether a text holds nothing to read: rules to write on, boxes, punctuation, the count of an item."""
    return any(each.fullmatch(text) for each in (_BLANK, _COUNT)) or _UNFILLED.match(text) is not None


def cut_to_shape(text: str, kind: str) -> tuple[int, int]:
    """The part of a text that is the value, for kinds that say so."""
    if kind == "number":
        start = len(text) - len(text.lstrip(_BEFORE_CODE))
        match = _CODE.search(text, start)
        few = len(text.split()) <= _FEW_WORDS
        return match.span() if match and (match.start() == start or not few) else (start, len(text))
    if kind in ("name", "person", "company", "place"):
        tail = _TAIL.search(text)
        return (0, tail.start()) if tail and tail.start() > 2 else (0, len(text))
    if kind == "url":
        match = _URL.search(text)
        return match.span() if match else (0, len(text))
    # A text without the marks before it; of a numbered list that runs on in one line the first item.
    lead = _LEADING.match(text)
    start = lead.end() if lead else 0
    if not lead or not lead[1]:
        return start, len(text)
    following = _NEXT_ITEM.search(text, start)
    return start, following.start() if following else len(text)


_LEADING = lazy_pattern(r"(?:[\s,;:•·]|[–-](?!\d))*(1[.)]\s*(?=[^\W\d]))?")
_NEXT_ITEM = lazy_pattern(r"[\s,;.]*\s?2[.)]\s*(?=[^\W\d])")


def _is_long_word(word: str) -> bool:
    return len(word) > _FEW_WORDS and word.isalpha()


def _small_words(words: list[str]) -> float:
    """How many of the longer words of a name begin with a small letter."""
    longer = [word for word in words if len(word) > 3]
    return sum(word[0].islower() for word in longer) / max(1, len(longer))


def _is_sentence(text: str) -> bool:
    return pattern(_SENTENCE, exact=True).search(text) is not None


def fits(text: str, kind: str) -> float:
    """1 where a text looks like a value of a kind, 0 where it may be one, below where it can hardly be."""
    words = text.split()
    if kind == "number":
        if not any(map(str.isdigit, text)) or text[0] in _MONEY or sum(map(_is_long_word, words)) > 1:
            return -1.0
        return 1.0 if len(text) <= _MOST_NUMBER_LENGTH and len(words) <= 6 else -0.5
    if kind in ("name", "person", "company"):
        if len(_PROPER.findall(text)) < 2 or len(words) > _MOST_NAME_WORDS or _is_sentence(text):
            return -1.0
        if text[-1] in ":," or (_small_words(words) > 0.5 and len(words) > _FEW_WORDS):
            return -1.0
        if text[0].islower():
            return -0.5
        return 1.0 if text[0].isupper() else 0.0
    if kind == "place":
        if len(words) > 8 or _is_sentence(text) or not _PROPER.search(text):
            return -1.0
        digits = sum(map(str.isdigit, text))
        if digits > _MOST_PLACE_DIGITS:
            return -1.0 if digits >= len(_PROPER.findall(text)) else 0.0
        return 1.0 if text[:1].isupper() else -0.2
    if kind == "address":
        return 1.0 if any(map(str.isdigit, text)) and _PROPER.search(text) else -0.5
    if kind == "url":
        return 1.0 if _URL.search(text) else -1.0
    return 0.0


_NAMED = r"[A-Z(][\w.,&'’()-]*(?:[ \t]+(?:[A-Z\d(&][\w.,&'’()-]*|of|the|and|for|a)){0,9}"


@lru_cache(maxsize=2048)
def shape_pattern(example: str) -> re.Pattern[str] | None:
    """A pattern of values like an example that has a shape of its own: "3:11-cv-00064", "NY", "Smith v. Jones"."""
    example = example.strip(" \"'“”")
    words = example.split()
    if len(words) == 3 and words[1].islower() and words[0][:1].isupper() and words[2][:1].isupper():
        return re.compile(rf"(?<!\w){_NAMED}(?:,? et al\.?)?[ \t]+{re.escape(words[1])}[ \t]+{_NAMED}")
    if len(words) != 1 or not 2 <= len(example) <= 30:
        return None
    if not any(map(str.isdigit, example)) and not (example.isupper() and len(example) <= 3):
        return None
    return re.compile(rf"(?<![\w-]){''.join(map(_run_pattern, _RUNS.findall(example)))}(?!\w)")


_SHORT_CODE = lazy_pattern(r"([A-Z]{1,3})(?:-?(\d{1,3}))?")


def code_pattern(examples: Iterable[str]) -> re.Pattern[str] | None:
    """A pattern of all codes of a kind whose examples have one letter or more, and perhaps figures: "PG-13 or R"."""
    codes = [_SHORT_CODE.fullmatch(example.strip(" \"'“”")) for example in examples]
    found = [code for code in codes if code]
    if len(found) < 2 or len(found) < len(codes) or min(len(code[0]) for code in found) > 1:
        return None
    letters, figures = max(len(code[1]) for code in found), max(len(code[2] or "") for code in found)
    tail = rf"(?:-?\d{{1,{figures}}})?" if figures else ""
    return re.compile(rf"(?<![\w-])(?![AI][ \t]+[a-z])[A-Z]{{1,{letters}}}{tail}(?!\w|-\w)")


_RUNS = lazy_pattern(r"\d+|[A-Z]+|[a-z]+|.")


def _run_pattern(run: str) -> str:
    if run.isdigit():
        return rf"\d{{{max(1, len(run) - 2)},{len(run) + 2}}}"
    if run.isalpha():
        return rf"[{'A-Z' if run.isupper() else 'a-z'}]{{{len(run)}}}"
    return re.escape(run)


# A rule to write on may lead to the next label.
_ALONE = r"\s*(?:[-–—_.…]+|(?:{no_value})[.]?)\s*|_{3,}[ \t]{1,80}[^\W\d_][^:：_]{0,40}[:：][\s\S]*"
_NO_ITEM = r"\s*(?:{no_item})[.]?\s*|\s*(?:{see_elsewhere}) .*"
_LONGEST = 50


def names_nothing(text: str) -> bool:
    """Whether a text that should be a name is a placeholder, or says that it stands elsewhere."""
    return pattern(_ALONE).fullmatch(text) is not None or _points_on(text)


def names_no_item(text: str) -> bool:
    """Whether a text that should be a list says that it has no items."""
    return names_nothing(text) or pattern(_NO_ITEM).fullmatch(text) is not None


def _points_on(text: str) -> bool:
    """Whether words say where else a value stands."""
    if not 0 < len(text) <= _LONGEST:
        return False
    said, (phrases, leads) = fold_label(text).removeprefix("please "), _elsewhere()
    return said in phrases or said.startswith(leads)


@lru_cache(maxsize=1)
def _elsewhere() -> tuple[frozenset[str], tuple[str, ...]]:
    phrases, leads = ([phrase.replace("_", " ") for phrase in said] for said in column("placeholders").values())
    return frozenset(phrases), tuple(f"{lead} " for lead in sorted(leads))
