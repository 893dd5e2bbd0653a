"""Sums of a table that go over from one page to the next, which are no balances of an account."""

from __future__ import annotations

import re
from itertools import pairwise

import attrs

from paxman.capabilities.amount_places import CENTS
from paxman.capabilities.label_layout import Reader
from paxman.capabilities.label_scan import Hit
from paxman.finding.tags import row_word
from paxman.lexicon.lexicon import load
from paxman.recognizers.tables import pattern

_OUT, _IN, _BALANCE = (rf"(?<!\w)(?:{{{name}}})(?!\w)" for name in ("carried_out", "carried_in", "balance"))
_OF_ACCOUNT = r"(?<!\w)(?:{balance}|{account_column})(?!\w)"
_NUMBER = re.compile(r"\d(?:[\d.,' \xa0]*\d)?")
_PRICED = frozenset(("count", "unit_price"))


@attrs.frozen
class _Carry:
    """A line with words for what goes over, and its amount."""

    line: int
    label: str
    amount: str


def is_of_pages(reader: Reader, hit: Hit, rank: int) -> bool:
    """Whether a label is that of a sum which goes over from the page before, or to the next one.

    A field that is called so, and no balance, may ask for that.
    """
    label = reader.text[hit.start : hit.end]
    if hit.term not in (None, "old_balance") or not is_carried(label):
        return False
    if rank == 0 and not pattern(_BALANCE).search(reader.context.field.words):
        return False
    return hit.line in _carried(reader) or _begins_page(reader, hit, label)


def is_carried(label: str) -> bool:
    """Whether a label says that a sum goes over from one page or one time to the next."""
    return row_word(label, load()) in ("carried", "maybe_carried")


def is_brought(label: str) -> bool:
    """Whether a label says that a sum comes from the page before."""
    return pattern(_IN).search(label) is not None


def _carried(reader: Reader) -> frozenset[int]:
    """The lines that carry a sum out of a page, and those that bring the same one into the next."""
    cache = reader.context.document.cache
    if "page_carries" not in cache:
        carries = [carry for line in range(len(reader.page)) for carry in _carry_on(reader, line)]
        pairs = [pair for pair in pairwise(carries) if _goes_over(reader, *pair)]
        cache["page_carries"] = frozenset(carry.line for pair in pairs for carry in pair)
    lines: frozenset[int] = cache["page_carries"]
    return lines


def _carry_on(reader: Reader, number: int) -> list[_Carry]:
    line = reader.page.line(number)
    labels = [text for start, end in line.chunks if is_carried(text := reader.text[start:end].lower())]
    amounts = _NUMBER.findall(reader.text, line.chunks[-1][0], line.end) if labels else []
    return [_Carry(number, labels[0], amounts[-1])] if amounts else []


def _goes_over(reader: Reader, first: _Carry, second: _Carry) -> bool:
    """Whether a sum is said to go over and comes again; under the same label only if no other amount is between."""
    if first.amount != second.amount or not (pattern(_OUT).search(first.label) and is_brought(second.label)):
        return False
    between = reader.page.line(first.line).end, reader.page.line(second.line).start
    return first.label != second.label or CENTS.search(reader.text, *between) is None


def _begins_page(reader: Reader, hit: Hit, label: str) -> bool:
    """Whether a sum is the first row below headings of items, that stood there before or are of no account."""
    above = next((n for n in range(hit.line - 1, max(-1, hit.line - 3), -1) if reader.page.line(n).chunks), -1)
    terms = {each.term for each in reader.scan.items_on(above)} if above >= 0 else set()
    if not is_brought(label) or len(terms) < 2:
        return False
    line = reader.page.line(above)
    heading = reader.text[line.chunks[0][0] : line.end].rstrip()
    priced, said = not _PRICED.isdisjoint(terms), pattern(_BALANCE).search(label) is not None
    if priced and not said and not pattern(_OF_ACCOUNT).search(heading):
        return True
    before = reader.text.find(heading, 0, line.start)
    return (priced or not said) and before >= 0 and not _opens_with_sum(reader, reader.page.line_at(before))


def _opens_with_sum(reader: Reader, heading: int) -> bool:
    """Whether the first row below headings brings a sum in, as that of each account may."""
    lines = map(reader.page.line, reader.page.below(heading, 1))
    return any(is_brought(reader.text[line.start : line.end]) for line in lines)
