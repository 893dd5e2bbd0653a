"""Postal addresses as blocks of lines: streets and places around a postal code."""

from __future__ import annotations

import re
from functools import lru_cache

import attrs

from paxman.lazy import lazy_pattern
from paxman.recognizers.base import UNKNOWN, Conventions, Reading, read
from paxman.recognizers.parties import is_named
from paxman.recognizers.places import find_postal_codes, find_regions, writes_short_codes
from paxman.recognizers.tables import column
from paxman.recognizers.words import plain
from paxman.transforms import fold

_LINE = lazy_pattern(r"[^\n\r]+")
_WORDS = lazy_pattern(r"[^\W\d_][^\W\d_.,'’() -]*(?:(?:[.,'’() -]{1,2}| - )[^\W\d_.,'’() -]+){0,4}[.,)]{0,2}")
_NOT_ADDRESS = lazy_pattern(
    r"[@=]|www\.|https?:|\d[.,]\d\d(?!\d)|\w\.? ?(?:no|nr)\.? ?:"
    r"|\b(?:tel|phone|fax|gst|sst|vat|tax|reg|invoice|receipt|bill|date|time|cashier|e-?mail|ust|iban|bic|bank|total"
    r"|qty|item|order|co\. ?reg|rechnung|kunde\w*|datum|hotline|website)\b",
    re.IGNORECASE,
)
_LABEL = lazy_pattern(
    r"\s*(?:address|anschrift|adresse|adres|alamat|dirección|indirizzo|endereço)\s*:\s*", re.IGNORECASE
)
_NUMBERED = lazy_pattern(
    r"(?:no\.?|lot|unit|blk|block|level|suite|#) ?:? ?[\w.-]{0,8}\d|\d{1,5}[A-Za-z]?(?:[-/]\d+)?[,\s]+[^\W\d_]"
    r"|[^\W\d_]+\.? \d+[a-z]?\b|c/ ?[^\W\d_]",
    re.IGNORECASE,
)
# Wards, streets and house numbers.
_EAST_ASIAN = lazy_pattern(
    r"[\u3040-\u9fff]{1,8}(?:[都道府県省市区區町村郡][\u3040-\u9fff]{1,12})?[市区區町村路街道号號丁目]\d"
    r"|[\u3040-\u9fff]{2,20}\d{1,4}(?:-\d{1,4}|[号號])"
    r"|[\uac00-\ud7a3]{1,10}(?:로|길|동) ?\d"
)
_MOST_LINES_ABOVE = 4
_MOST_LINES_BELOW = 2
_LONGEST_LINE = 90


@attrs.frozen
class Line:
    """A line that stands alone on its row, trimmed."""

    start: int
    end: int
    text: str


@lru_cache(maxsize=1)
def _street_words() -> tuple[frozenset[str], tuple[str, ...]]:
    table = column("street_words")
    return table["street"], tuple(sorted(plain(ending) for ending in table["ending"]))


def find_addresses(text: str, conventions: Conventions) -> list[Reading]:
    """Blocks of lines around a postal code; where there is none, lines that name a street and a number."""
    lines = [_trim(match) for match in _LINE.finditer(text)]
    if conventions.region is None:
        conventions = attrs.evolve(conventions, region=writes_short_codes(text))
    blocks: list[tuple[int, int]] = []
    for at, line in enumerate(lines):
        low = blocks[-1][1] + 1 if blocks else 0
        if at >= low and _has_code(line, conventions):
            blocks.append((_first_line(lines, at, low), _last_line(lines, at)))
    if not blocks:
        blocks = _without_code(lines)
    return [_read_block(text, lines[first], lines[last]) for first, last in blocks]


def _without_code(lines: list[Line]) -> list[tuple[int, int]]:
    """The first lines that name a street, one of them with a number."""
    at = 0
    while at < len(lines):
        last = at
        while last < len(lines) and _is_part(lines[last].text):
            last += 1
        block = [line.text for line in lines[at:last]]
        if any(is_street(line) and any(map(str.isdecimal, line)) for line in block):
            return [(at, last - 1)]
        at = last + 1
    return []


def _is_part(line: str) -> bool:
    """Whether a line reads like part of an address."""
    if len(line) > _LONGEST_LINE or not line or _refuses(line) or is_named(line):
        return False
    return is_street(line) or _NUMBERED.match(line) is not None or line[-1] == ","


def _trim(match: re.Match[str]) -> Line:
    quote = match[0]
    start = match.start() + len(quote) - len(quote.lstrip())
    return Line(start, start + len(quote.strip()), quote.strip())


def _has_code(line: Line, conventions: Conventions) -> bool:
    if len(line.text) > _LONGEST_LINE or line.text.isalpha() or not find_postal_codes(line.text + "\n", conventions):
        return False
    return not _refuses(line.text)


def _refuses(line: str) -> bool:
    return _NOT_ADDRESS.search(_LABEL.sub("", line, count=1)) is not None


def is_street(line: str) -> bool:
    """Whether a line names a street, a lot or a quarter."""
    if is_eastern(line):
        return True
    words, endings = _street_words()
    folded = plain(line).split(" ")
    return any(word in words or (len(word) > 5 and word.endswith(endings)) for word in folded)


def is_eastern(line: str) -> bool:
    """Whether a line names wards, streets and house numbers as Chinese, Japanese and Korean addresses do."""
    return not line.isascii() and _EAST_ASIAN.search(line) is not None


def _first_line(lines: list[Line], at: int, low: int) -> int:
    """Up from the line with the code, while lines read like parts of an address; one may be a bare name of a place."""
    first, skipped = at, 0
    for above in range(at - 1, max(low, at - _MOST_LINES_ABOVE) - 1, -1):
        line = lines[above].text
        if _is_part(line) and not _is_shop(line, lines[first].text):
            first = above
        elif skipped or not _WORDS.fullmatch(line) or is_named(line) or _refuses(line):
            break
        else:
            skipped = 1
    return first


def _is_shop(line: str, below: str) -> bool:
    """Whether a number starts a name, for the line below has the street or the number of the house."""
    if not SHOP.match(line) or "," in line or is_street(line):
        return False
    return _HOUSE.match(below) is not None or is_street(_PART.sub("", below))


SHOP = lazy_pattern(r"\d{1,4} [^\W\d_]")
_HOUSE = lazy_pattern(r"(?:no|lot|nr)\.? ?:? ?\d|\d{1,4}[a-z]?(?:[-/]\d{1,4})?[, ]", re.IGNORECASE)
# A floor or a suite goes with the number of the house above it.
_PART = lazy_pattern(r"\b(?:suite|ste|floor|flr|level|unit|apt|apartment|room|bldg|building)\b", re.IGNORECASE)


def _last_line(lines: list[Line], at: int) -> int:
    """Down from the line with the code, to the town, state or country that belongs to it."""
    last = at
    for below in range(at + 1, min(len(lines), at + 1 + _MOST_LINES_BELOW)):
        line = lines[below].text
        open_ended = lines[last].text[-1] == "," or lines[last].text[-1].isdecimal()
        if is_eastern(line) and not _refuses(line):
            last = below
            continue
        if not _WORDS.fullmatch(line) or _refuses(line) or is_named(line) or not (open_ended or _is_place(line)):
            break
        last = below
    return last


def _is_place(line: str) -> bool:
    """Whether a line begins with a state or country."""
    found = find_regions(line.title() if line.isupper() else line, UNKNOWN)
    return bool(found) and found[0].start == 0


def _read_block(text: str, first: Line, last: Line) -> Reading:
    label = _LABEL.match(text, first.start, last.end)
    start = label.end() if label else first.start
    quote = text[start : last.end]
    return read(text, start, last.end, () if fold(quote) == quote else ("fold",))
