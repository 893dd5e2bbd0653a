"""Booleans and members of an enumeration: case, accents and close spelling do not matter."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

import attrs

from paxman.lazy import lazy_pattern
from paxman.recognizers.base import Conventions, Reading, read
from paxman.recognizers.calendar.months import month_of
from paxman.recognizers.tables import entries
from paxman.transforms import fold
from paxman.types import to_decimal

OR = r"or|oder|ou|o|oppure|lub|eller|bzw\.?|resp\.?"
"""Between two answers of which one is meant."""
AND = "and|und|et|y|e|en|och|og"
TO = "to|thru|through|until|till|bis|au|al|à|a|do|t/m|tot|hasta|até|hingga|至"
"""Between the two ends of a range."""
CLOSE = 85
"""How alike (of 100) a word must be to a member that it is not."""

_LONGEST_BEGUN = 5
_VOCABULARY = lazy_pattern(r"https?://(?:www\.)?schema\.org/([A-Za-z]{2,60})")
_WORD = lazy_pattern(r"[^\W_]+|[✓✔☑☒✗✘☐]")


def plain(text: str) -> str:
    """Case-folded, without accents, punctuation as single spaces."""
    if text.isascii():
        return " ".join(_WORD.findall(text.lower()))
    letters = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(_WORD.findall("".join(c for c in letters if not unicodedata.combining(c))))


@lru_cache(maxsize=1)
def _truths() -> dict[str, bool]:
    return {plain(word): head == "true" for head, words in entries("truth_words") for word in words}


def to_boolean(text: str, argument: str = "") -> bool:
    """True or False for a word that means it, or as a sentence says that it is so."""
    if argument:
        return argument == "true"
    try:
        return _truths()[plain(text)]
    except KeyError:
        raise ValueError(f"neither yes nor no: {text!r}") from None


def means_truth(text: str) -> bool | None:
    """What a word means that is yes or no."""
    return _truths().get(plain(text))


def find_booleans(text: str, conventions: Conventions) -> list[Reading]:
    """Words of yes and no; single letters and digits only count when they are the whole text."""
    whole = text.strip().strip("[]()")
    found = []
    for match in _WORD.finditer(text):
        word = match[0]
        if (len(word) > 1 or not word.isalnum() or word == whole) and plain(word) in _truths():
            found.append(read(text, match.start(), match.end(), ("boolean",)))
    return found


def to_member(text: str, member: str) -> str:
    """The member of an enumeration that a text means; a text too unlike it is an error."""
    if text != member and closeness(text, member) < CLOSE:
        raise ValueError(f"{text!r} is not close to {member!r}")
    return member


def to_begun_member(text: str, member: str) -> str:
    """The member of an enumeration that a text is the beginning of: "M" for "MALE"."""
    if not plain(text) or not plain(member).startswith(plain(text)):
        raise ValueError(f"{member!r} does not begin with {text!r}")
    return member


def to_member_value(text: str, member: str) -> Any:
    """A member that is not text, given as JSON."""
    import json

    value = json.loads(member)
    if plain(text) != plain(member) and not _same_number(text, value):
        raise ValueError(f"{text!r} does not mean {member}")
    return value


def _same_number(text: str, value: Any) -> bool:
    try:
        return type(value) in (int, float) and to_decimal(text.strip()) == to_decimal(value)
    except ValueError:
        return False


def closeness(text: str, member: str) -> float:
    """How alike two words are, from 0 to 100, but for case, accents and punctuation."""
    left, right = plain(text), plain(member)
    if left == right:
        return 100.0 if left else 0.0
    if left.endswith(right) or right.endswith(left):
        return 0.0  # Letters in front turn a word around: active, inactive.
    from rapidfuzz import fuzz

    return fuzz.ratio(left, right) if min(len(left), len(right)) > 3 else 0.0


def read_member(text: str, members: tuple[Any, ...]) -> Reading | None:
    """The member that a short text means: as written, then folded, then the closest if one is clearly closest."""
    start, end = trimmed(text)
    quote = text[start:end]
    for member in members:
        if quote == member:
            return Reading(start, end, member, (f"enum:{member}",))
    names = {member: member for member in members if isinstance(member, str)}
    for name in names:
        if plain(name) == plain(quote) and plain(name):
            return read(text, start, end, (f"enum:{name}",))
    if address := _VOCABULARY.fullmatch(quote):
        return _read_term(text, start + address.start(1), end, tuple(names))
    found = _read_other(text, start, end, members) or _read_inside(text, tuple(names))
    return found or _read_close(text, tuple(names)) or _read_begun(text, tuple(names))


def _read_begun(text: str, names: tuple[str, ...]) -> Reading | None:
    """The only member that a letter or an abbreviation is the beginning of, where each is one word."""
    start, end = trimmed(text)
    begun = [name for name in names if plain(text) and plain(name).startswith(plain(text))]
    if end - start > _LONGEST_BEGUN or len(begun) != 1 or not text[start:end].rstrip(".").isalpha():
        return None
    if len(names) < 2 or not all(map(str.isalpha, map(plain, names))):
        return None
    return attrs.evolve(read(text, start, end, (f"begun:{begun[0]}",)), loose=True)


def _read_term(text: str, start: int, end: int, names: tuple[str, ...]) -> Reading | None:
    """The member that a term of schema.org means, whose words are written as one: InStock for "in stock"."""
    term = plain(text[start:end])
    found = [name for name in names if plain(name).replace(" ", "") == term]
    return read(text, start, end, (f"enum:{found[0]}",)) if len(found) == 1 else None


def _read_other(text: str, start: int, end: int, members: tuple[Any, ...]) -> Reading | None:
    import json

    for member in members:
        if not isinstance(member, str):
            try:
                return read(text, start, end, (f"member:{json.dumps(member)}",))
            except (ValueError, TypeError):
                continue
    return None


def _read_inside(text: str, names: tuple[str, ...]) -> Reading | None:
    """A member among words that say nothing else, if only one is there."""
    found = {}
    for name in names:
        match = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) if name.strip() else None
        if match:
            found[name] = match
    longest = [n for n in found if not any(n != other and n.lower() in other.lower() for other in found)]
    if len(longest) != 1:
        return None
    match = found[longest[0]]
    if not _is_plainly_said(text, match):
        return None
    return read(text, match.start(), match.end(), (f"enum:{longest[0]}",))


def _is_plainly_said(text: str, member: re.Match[str]) -> bool:
    """Whether nothing turns or limits a member: "not yet paid" and "partly paid" are not "paid"."""
    before, after = (plain(part).split() for part in (text[: member.start()], text[member.end() :]))
    known = _beside_members()
    if any(known.get(word) in _TURNING for word in (*before, *after)) or _is_hyphened(text, *member.span()):
        return False
    near = plain(text[: member.start()].rpartition(":")[2]).split()
    leads = not near and len(after) <= _FEW_WORDS  # "Express delivery", "Visa ending 4411"
    free = leads or _PAUSE.match(text, member.end()) is not None
    return all(map(_is_harmless, near if free else (*near, *after)))


_FEW_WORDS = 3
_TURNING = frozenset(("denying", "limiting"))


def _is_hyphened(text: str, start: int, end: int) -> bool:
    around = text[max(0, start - 2) : start], text[end : end + 2][::-1]
    return any(side[1:] == "-" and side[0].isalnum() for side in around)


_PAUSE = lazy_pattern(r"\s*(?:[,;(\[|\n]|[.:]\s|\s[-\u2013\u2014]\s)")


def _is_harmless(word: str) -> bool:
    return word[0].isdecimal() or len(word) == 1 or word in _beside_members() or month_of(word) is not None


@lru_cache(maxsize=1)
def denials() -> re.Pattern[str]:
    """A word that denies what follows it, with at most one word in between."""
    words = [word for head, found in entries("enum_words") for word in found if head == "denying"]
    return re.compile(rf"(?:\b(?:{'|'.join(words)})|n['’]t)\s+(?:\w+\s+)?$", re.IGNORECASE)


@lru_cache(maxsize=1)
def _beside_members() -> dict[str, str]:
    return {plain(word): head for head, words in entries("enum_words") for word in words}


def _read_close(text: str, names: tuple[str, ...]) -> Reading | None:
    start, end = trimmed(text)
    if end - start > 200:
        return None
    ranked = sorted(((closeness(text, name), name) for name in names), key=lambda pair: (-pair[0], pair[1]))
    if not ranked or ranked[0][0] < CLOSE or (len(ranked) > 1 and ranked[1][0] >= ranked[0][0]):
        return None
    return read(text, start, end, (f"enum:{ranked[0][1]}",))


def trimmed(text: str) -> tuple[int, int]:
    """The span of a text without the whitespace at its ends."""
    start = len(text) - len(text.lstrip())
    return start, start + len(text.strip())


def read_text(text: str) -> Reading | None:
    """A text as it stands, whitespace folded; None when there is none."""
    start, end = trimmed(text)
    quote = text[start:end]
    if not quote:
        return None
    folded = fold(quote)
    return Reading(start, end, folded, ("fold",) if folded != quote else ())
