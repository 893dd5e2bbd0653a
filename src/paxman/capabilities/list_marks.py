"""The bullets, boxes and numbers before the items of a list."""

from __future__ import annotations

from itertools import pairwise

import attrs

from paxman.finding.choices import listed_box
from paxman.lazy import lazy_pattern

_MARK = lazy_pattern(
    r"(?:(?P<sign>[-*+•·▪◦●○■□▢✓–—‣])|(?P<open>\()?(?:(?P<number>\d{1,3})|(?P<letter>[a-zA-Z]|[ivx]{2,5}|[IVX]{2,5}))(?(open)\)|[.)]))"
    r"[ \t\xa0]+"
)


@attrs.frozen
class ListMark:
    """A bullet, box or number before an item: what it is, the number or letter, and where the text starts."""

    kind: str
    number: str
    start: int

    def leads_to(self, other: ListMark) -> bool:
        """Whether the other mark is the next of its kind."""
        if self.kind != other.kind or not self.number:
            return self.kind == other.kind
        if self.number.isdecimal():
            return int(other.number) == int(self.number) + 1
        pair = (self.number.lower(), other.number.lower())
        return pair in _SUCCESSORS

    @property
    def is_first(self) -> bool:
        """Whether a list may begin with it; letters only as the alphabet, for initials of names look the same."""
        return not self.number or self.number.isdecimal() or self.number in "aAiI"


_ROMAN = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv".split()
_SUCCESSORS = frozenset((*pairwise("abcdefghijklmnopqrstuvwxyz"), *pairwise(_ROMAN)))


def mark_at(text: str, start: int, end: int) -> ListMark | None:
    """The mark that a text begins with."""
    if listed_box(text, start, end):
        return ListMark("box", "", start)
    found = _MARK.match(text, start, end)
    if found is None:
        return None
    if found["sign"]:
        return ListMark(found["sign"], "", found.end())
    number = found["number"] or found["letter"]
    case = "1" if found["number"] else "A" if number.isupper() else "a"
    return ListMark(f"{found['open'] or ''}{case}{found[0].strip()[-1]}", number, found.end())
