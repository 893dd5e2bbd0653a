"""Finding a model's quote in the document: exactly, then in other spacing, spelling and punctuation."""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import islice
from typing import Any

from paxman.recognizers.booleans_and_enums import denials
from paxman.types import FieldType, Span

MOST_PLACES = 1000
_MOST_TRIED = 2 * MOST_PLACES
_FEWEST_TRIED = 20
_MOST_COMPARED = 200_000
_SHORTEST_REPUNCTUATED = 12
_SHORTEST_CONFUSED = 4
_SHORTEST_BARE = 6
_SHORTEST_INSIDE = 4
_LONGEST_QUOTE = 20_000
_SHORTEST_RECASED = 4
_MARKS = str.maketrans(
    {
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("‘’‚‛´`", "'"),
        **dict.fromkeys("“”„‟«»", '"'),
    }
)
_CONFUSED = str.maketrans({"o": "0", "q": "0", "i": "1", "l": "1", "|": "1", "!": "1", "s": "5", "b": "8", "z": "2"})

_QUOTED = ('""', "''", "“”", "„“", "«»", "‘’", "``")
_NEAR = 12
_FAR = 24
_NEGATED = re.compile(r"\b(?:un|non|not|nicht)-$", re.I)
_BROKEN = re.compile(r"(?<=[^\W\d_])[-‐](?=[ \t]*\r?\n\s*[^\W\d_])")
_BREAK = re.compile(r"(?:(?<=[^\W\d_])[-‐](?=[ \t]*\r?\n\s*[^\W\d_])|\u00ad)\s*")
_POINTED = re.compile(r"(?:^|[\s(+−$€£¥-])[.,]$")
_GAP = re.compile(r"\d\s+(?=\d)")
_GAP_IN_NUMBER = re.compile(r"\d\s+(?=\d)(?!\d{3}(?!\d))")
_NUMERIC = frozenset({FieldType.INTEGER, FieldType.DECIMAL, FieldType.MONEY})
_CURRENCIES = "$€£¥"
_SPACES = " \u00a0\u2007\u2009\u202f'’"
_UNIT = r"(?:[$€£¥] ?|[A-Z]{3} ?)?"
_SIGN = re.compile(rf"(?<![\w.,)])[-−–+]{_UNIT}$")
_TRAILING = re.compile(r"[-−](?![\w.-])")
_OPENED = re.compile(rf"\({_UNIT}$")
_CLOSED = re.compile(r" ?(?:[$€£¥]|[A-Z]{3})?\)")
_FRACTION = re.compile(r"\d[.,]\d")
_GROUPED_BEFORE = re.compile(rf"(?<![\d.,])\d{{1,3}}(?:[{_SPACES}]\d{{3}})*[{_SPACES}]$")
_GROUP = re.compile(r"\d{3}(?!\d)")
_GROUPED_AFTER = re.compile(rf"[{_SPACES}]\d{{3}}(?!\d)")
_LEADING = re.compile(r"(?<![\d.,])\d{1,3}$")
_JOINED_BEFORE = re.compile(r"[^\W_][:/-]$")
_JOINED_AFTER = re.compile(r"[:/-][^\W_]")
_CODE = re.compile(r"\b[A-Z]{3}\b")
_MILLIONS = re.compile(r"m\b")
_SCALE = re.compile(
    r"(?:[kKM]|bn|mn)\b|\s?(?i:hundred|thousand|million|milliard|billion|trillion|lakh|crore|tausend|(?:mio|mln|mrd|tsd)\b)"
)


Search = Callable[[str, str], Iterator[Span]]


class Haystack:
    """A part of a document to look for quotes in; its folded forms are made once."""

    def __init__(self, text: str, offset: int = 0, hidden: Iterable[Span] = ()) -> None:
        self._text = text
        self._offset = offset
        self._hidden = sorted(hidden)
        self._folded: dict[Callable[[str], str], tuple[str, array[int]]] = {}
        self._found: dict[str, list[Span]] = {}

    def find(self, quote: str, lines: Sequence[Span] = ()) -> list[Span]:
        """Places of a quote in the whole document, by the strictest way that finds any; its own marks are no part.

        Those on one of the lines, if there are any.
        """
        on_line = self._find_unquoted(quote.strip(), lines) if lines else []
        if not on_line and quote not in self._found:
            self._found[quote] = self._find_unquoted(quote.strip(), ())
        return on_line or self._found[quote]

    def _find_unquoted(self, quote: str, lines: Sequence[Span]) -> list[Span]:
        is_quoted = quote[:1] + quote[-1:] in _QUOTED
        return self._find(quote, lines) or (self._find(quote[1:-1].strip(), lines) if is_quoted else [])

    def _find(self, quote: str, lines: Sequence[Span]) -> list[Span]:
        if not quote or len(quote) > _LONGEST_QUOTE:
            return []
        # IT is not the word it.
        is_code = quote.isalpha() and quote.isupper() and len(quote) < _SHORTEST_RECASED
        for places in (
            _occurrences(self._text, quote),
            self._alike(quote, _fold),
            self._alike(quote, _rejoin),
            self._resembling(quote),
            self._repunctuated(quote),
        ):
            whole = ((start + self._offset, end + self._offset) for start, end in places)
            tried = (span for span in whole if _is_on(span, lines)) if lines else islice(whole, _MOST_TRIED)
            likely = (span for span in tried if not (is_code and self._cut(span).islower()))
            found = list(islice(filter(self._is_quotable, likely), MOST_PLACES))
            if found:
                return found
        return []

    def find_all(self, quote: str) -> list[Span]:
        """Every place in any spacing, case and spelling, also inside longer words unless the quote is short."""
        quote = quote.strip()
        alone = len("".join(quote.split())) < _SHORTEST_INSIDE
        folds = [_fold, _rejoin, _confuse, *([_bare] if len(_squeeze(quote, _bare)) >= _SHORTEST_BARE else [])]
        places = {span for fold in folds for span in self._alike(quote, fold, _occurrences if alone else _covered)}
        return sorted(
            (a + self._offset, b + self._offset) for a, b in places if not alone or self._stands_alone((a, b))
        )

    def find_names(self, name: str) -> list[Span]:
        """Every place of a name as a word of its own with a capital letter."""
        return [
            (start + self._offset, end + self._offset)
            for start, end in self._alike(name, _fold)
            if self._text[start].isupper() and self._stands_alone((start, end))
        ]

    def _alike(self, quote: str, fold: Callable[[str], str], search: Search | None = None) -> Iterator[Span]:
        wanted = _squeeze(quote, fold)
        if fold not in self._folded:
            # A word that goes on in the next line has its hyphen for that alone.
            text = _BROKEN.sub(" ", self._text) if fold is _rejoin else self._text
            self._folded[fold] = _squeeze(text, fold), _origins(text, fold)
        text, origins = self._folded[fold]
        for start, end in (search or _occurrences)(text, wanted):
            yield origins[start], origins[end - 1] + 1

    def _resembling(self, quote: str) -> Iterator[Span]:
        """The quote as a scanner spells it."""
        if len(_squeeze(quote, _fold)) >= _SHORTEST_CONFUSED:
            places = islice(self._alike(quote, _confuse), _tries(quote))
            yield from (span for span in places if self._is_of_same_kind(quote, span))

    def _repunctuated(self, quote: str) -> Iterator[Span]:
        """A long quote in other punctuation; were letters to differ too, it could be a negation."""
        if len(quote) >= _SHORTEST_REPUNCTUATED:
            for start, end in islice(self._alike(quote, _bare), _tries(quote)):
                span = self._with_marks(quote, start, end)
                if _digits(self._text[start:end]) == _digits(quote) and self._is_of_same_kind(quote, span):
                    yield span

    def _with_marks(self, quote: str, start: int, end: int) -> Span:
        """The place with the marks that the quote also has at its ends."""
        if start and self._text[start - 1] == quote[0]:
            start -= 1
        return start, end + (self._text[end : end + 1] == quote[-1])

    def _is_of_same_kind(self, quote: str, span: Span) -> bool:
        """Whether looking alike made no number of the quote a word, and no word a number."""
        found = (c for c in self._text[span[0] : span[1]] if _bare(c))
        for word in quote.split():
            wanted = [c for c in word if _bare(c)]
            there = list(islice(found, len(wanted)))
            if any(map(str.isdigit, wanted)) > any(map(str.isdigit, there)):
                return False
            if any(map(str.isalpha, wanted)) > any(map(str.isalpha, there)):
                return False
        return True

    def _cut(self, whole: Span) -> str:
        return self._text[whole[0] - self._offset : whole[1] - self._offset]

    def _is_quotable(self, whole: Span) -> bool:
        span = whole[0] - self._offset, whole[1] - self._offset
        if not self._stands_alone(span) or not self._is_visible(whole):
            return False
        return not _NEGATED.search(self._text[max(span[0] - _NEAR, 0) : span[0]])

    def _stands_alone(self, span: Span) -> bool:
        """Not a part of a longer word or number."""
        text, (start, end) = self._text, span
        before = start == 0 or not _continues(text[max(start - 2, 0) : start], text[start])
        after = end >= len(text) or not _continues(text[end : end + 2][::-1], text[end - 1])
        pointed = text[start].isdigit() and _POINTED.search(text[max(start - 2, 0) : start])
        return before and after and not pointed

    def _is_visible(self, span: Span) -> bool:
        start, end = span
        before = bisect_left(self._hidden, (end,))
        return not before or self._hidden[before - 1][1] <= start


def _is_on(place: Span, lines: Iterable[Span]) -> bool:
    return any(start <= place[0] and place[1] <= end for start, end in lines)


def _tries(quote: str) -> int:
    """How many places a quote is compared with letter by letter: on a page of one letter it stands everywhere."""
    return max(_FEWEST_TRIED, _MOST_COMPARED // len(quote))


def _occurrences(text: str, wanted: str) -> Iterator[Span]:
    start = text.find(wanted) if wanted else -1
    while start >= 0:
        yield start, start + len(wanted)
        start = text.find(wanted, start + 1)


def _covered(text: str, wanted: str) -> Iterator[Span]:
    """What the occurrences cover, those that overlap as one; within a run not every one of them is looked at."""
    first = text.find(wanted) if wanted else -1
    while first >= 0:
        last = first
        while (further := text.rfind(wanted, last + 1, last + 2 * len(wanted) - 1)) >= 0:
            last = further
        yield first, last + len(wanted)
        first = text.find(wanted, last + len(wanted))


def _fold(character: str) -> str:
    return "".join(
        c for c in unicodedata.normalize("NFKD", character.translate(_MARKS).casefold()) if not unicodedata.combining(c)
    )


def _rejoin(character: str) -> str:
    return _fold(character)


def _confuse(character: str) -> str:
    return _fold(character).translate(_CONFUSED)


def _bare(character: str) -> str:
    return "".join(c for c in _confuse(character) if c.isalnum())


def is_same_words(one: str, other: str) -> bool:
    """Whether two texts differ in case, spacing and the looks of marks only."""
    return _squeeze(one, _fold) == _squeeze(other, _fold)


def is_alike(one: str, other: str) -> bool:
    """Whether two texts have the same letters and digits in order, whatever stands between them."""
    letters, others = ("".join(filter(str.isalnum, _squeeze(text, _fold))) for text in (one, other))
    return bool(letters) and letters == others


def written(value: Any, argument: str) -> str:
    """A value as an answer writes it; raises where that says something else."""
    if isinstance(value, str) and is_alike(value, argument):
        return argument
    if str(value) == argument or (isinstance(value, Decimal) and value == Decimal(argument)):
        return argument
    raise ValueError("the answer writes something else")


MARKS = ",;.:()[]"
"""What may stand between the words of a text without a change in what they say."""


def alike_pattern(words: Sequence[str]) -> re.Pattern[str]:
    """Words one after the other, with any marks between them."""
    parts = [re.escape(part) for word in words if (part := word.strip(MARKS))]
    return re.compile(r"(?<!\w)" + r"[\s,;.:()\[\]]{1,4}".join(parts) + r"(?!\w)" if parts else r"(?!)", re.I)


def concluded(quote: str, argument: str) -> str:
    """What a reader makes of a quote that does not say it in so many words."""
    return argument


def rejoin(text: str, argument: str = "") -> str:
    """A text without the hyphens at the ends of its lines and without soft ones."""
    return _BREAK.sub("", text)


class _Folded(dict[str, str]):
    """Each character as a fold has it, blanks as nothing; worked out once."""

    def __init__(self, fold: Callable[[str], str]) -> None:
        self._fold = fold

    def __missing__(self, character: str) -> str:
        self[character] = folded = "" if character.isspace() else self._fold(character)
        return folded


_FOLDED: dict[Callable[[str], str], _Folded] = {}


def _squeeze(text: str, fold: Callable[[str], str]) -> str:
    """The folded text without whitespace."""
    return "".join(map(_FOLDED.setdefault(fold, _Folded(fold)).__getitem__, text))


def _origins(text: str, fold: Callable[[str], str]) -> array[int]:
    """Where each character of the folded text came from."""
    folded = _FOLDED.setdefault(fold, _Folded(fold))
    return array("q", [position for position, character in enumerate(text) for _ in folded[character]])


def _continues(outside: str, edge: str) -> bool:
    """Whether the characters outside (nearest last) go on with the word or number at the edge."""
    near = outside[-1]
    if edge.isdigit():
        return near.isdigit() or (near in ".," and len(outside) > 1 and outside[0].isdigit())
    return edge.isalpha() and near.isalpha() and ord(near) < 0x2E80


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit())


def fitting(kind: FieldType, text: str, quote: str, places: list[Span]) -> list[Span]:
    """The places of a quote that can state a value of this type; not within a time or a code, if it can be helped."""
    fit = _fitting(kind, text, quote, places)
    return [place for place in fit if not _is_joined(text, place)] or fit if len(fit) > 1 else fit


def _is_joined(text: str, span: Span) -> bool:
    """Whether the digits at the ends of a place go on as 12:30, 12/34 or A12 do."""
    start, end = span
    before, after = text[max(start - 4, 0) : start], text[end : end + 2]
    if text[start].isdigit() and (
        _JOINED_BEFORE.search(before) or (before[-1:].isalpha() and not _CODE.search(before))
    ):
        return True
    return text[end - 1].isdigit() and bool(_JOINED_AFTER.match(after))


def _fitting(kind: FieldType, text: str, quote: str, places: list[Span]) -> list[Span]:
    if kind in _NUMERIC:
        places = [p for p in places if not _is_parted(_GAP_IN_NUMBER, text[p[0] : p[1]], quote)]
        return whole_numbers(text, places)
    if kind is FieldType.DATE:
        return [p for p in places if not _is_parted(_GAP, text[p[0] : p[1]], quote)]
    if kind in (FieldType.BOOLEAN, FieldType.ENUM):
        return [p for p in places if not is_denied(text, p[0])]
    return places


def _is_parted(gap: re.Pattern[str], found: str, quote: str) -> bool:
    """Whether the document parts digits that the quote joins: 12 34 is not 1234."""
    return len(gap.findall(found)) > len(gap.findall(quote))


def is_denied(text: str, start: int) -> bool:
    """Whether the word before says that what starts here is not so."""
    return bool(denials().search(text[max(start - _FAR, 0) : start]))


def whole_numbers(text: str, places: Iterable[Span]) -> list[Span]:
    """The places of a quoted number, with sign or brackets; without those that are a piece of a larger number."""
    return [whole for place in places if (whole := _whole_number(text, place))]


def _whole_number(text: str, span: Span) -> Span | None:
    start, end = span
    before, quote, after = text[max(start - _NEAR, 0) : start], text[start:end], text[end : end + _NEAR]
    if _is_piece(before, quote, after):
        return None
    opened, closed = _OPENED.search(before), _CLOSED.match(after)
    if opened and closed:
        # A bare whole number in brackets may be negative or just an aside.
        return (start - len(opened[0]), end + len(closed[0])) if _FRACTION.search(quote) else None
    signed = _SIGN.search(before) if quote[0].isdigit() or quote[0] in _CURRENCIES else None
    trailing = _TRAILING.match(after) if quote[-1].isdigit() else None
    return start - (len(signed[0]) if signed else 0), end + (1 if trailing else 0)


def _is_piece(before: str, quote: str, after: str) -> bool:
    """Whether grouped digits stand before or after, or a word that multiplies."""
    if _GROUPED_BEFORE.search(before) and _GROUP.match(quote):
        return True
    if not quote[-1].isdigit():
        return False
    if _GROUPED_AFTER.match(after) and _LEADING.search(quote):
        return True
    return bool(_SCALE.match(after)) or (_is_money(before, quote) and bool(_MILLIONS.match(after)))


def _is_money(before: str, quote: str) -> bool:
    return any(mark in before[-2:] + quote for mark in _CURRENCIES) or bool(_CODE.search(before + quote))
