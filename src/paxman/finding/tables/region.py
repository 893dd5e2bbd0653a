"""What the lines of a table's region are beside its rows, and how many rows the page itself says there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import attrs

from paxman.classes import record
from paxman.finding.tables.row_building import FoundRow
from paxman.finding.tables.tags import TaggedLine
from paxman.lazy import lazy_pattern, remembered
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Lexicon, Words
from paxman.page.lines import PageLine
from paxman.page.names import Page
from paxman.types import ExpectedBy, Span

_KINDS = {"goes on": "continuation", "empty": "blank"}
_BEHIND = 3
"""Lines below the last row that may still be rows."""
_LEAST_NUMBERED, _MOST_ODD = 5, 0.2
_LEAST_COUNTED, _NEARLY = 10, 0.25
"""From how many rows on, and how far off, a count that is not said to be theirs is taken for it."""
_NUMBER = r"(\d{1,3}(?:[ ,.'’]\d{3})+|\d{1,7})"
_COUNTED = lazy_pattern(rf"\s*{_NUMBER}\s+([^\d:=|]{{2,40}}?)[\s.]*")
_COUNTING = lazy_pattern(rf"\s*([^\d:=|]{{2,40}}?)(\s*[:=]\s*|\s+){_NUMBER}[\s.]*")
_PARTS = lazy_pattern(r"[|;,]\s")


@record
class Region:
    """The lines of a region by kind, those that nothing accounts for, and what numbers the rows have."""

    lines: Mapping[str, int] = attrs.field(factory=dict, hash=False)
    unaccounted: tuple[Span, ...] = ()
    numbers: tuple[int, ...] = ()
    unclear: tuple[int, ...] = ()
    """Columns of the array that may be among those of the table, though nothing tells which."""


@record
class Count:
    """How many there are of something, as a page prints it, and whether it says that these are the rows."""

    value: int
    of_rows: bool
    line: int = 0


def region_of(
    tagged: Sequence[TaggedLine], confirmed: bool, unclear: Iterable[int] = (), positions: Iterable[int] = ()
) -> Region:
    """What became of each line; one with a figure and words among the rows may be a row, unless their sum says no.

    `positions` are the places of columns that only number the rows.
    """
    rows = [at for at, each in enumerate(tagged) if each.tag == "row"]
    if not rows:
        return Region()
    end = rows[-1] + _BEHIND
    kinds = [_KINDS.get(each.tag, each.tag) for each in tagged]
    loose = [
        at
        for at, each in enumerate(tagged[:end])
        if each.tag == "note" and each.line.values and (each.line.label or len(each.line.values) > 1) and not confirmed
    ]
    kept = [kind for at, kind in enumerate(kinds) if kind == "sum" or (kind != "row" and at < end and at not in loose)]
    lines = Counter(kept) + Counter({"unaccounted": len(loose)})
    spans = tuple(_span_of(tagged[at]) for at in loose)
    return Region(dict(sorted(lines.items())), spans, _running([tagged[at] for at in rows], positions), tuple(unclear))


def _span_of(each: TaggedLine) -> Span:
    spans = [cell.span for cell in each.line.row.cells if cell.text.strip()]
    return min(start for start, _ in spans), max(end for _, end in spans)


def rows_elsewhere(rows: Sequence[FoundRow]) -> Region:
    """Rows of another table that may be of the array, so that its ledger stays open."""
    spans = [[cell.span for cell in row.cells.values()] for row in rows]
    whole = tuple((min(start for start, _ in each), max(end for _, end in each)) for each in spans if each)
    return Region({"unaccounted": len(whole)}, whole)


def _running(rows: Sequence[TaggedLine], positions: Iterable[int]) -> tuple[int, ...]:
    """The numbers that rows have in a column where they only go up."""
    for place in positions:
        texts = [each.line.row.cells[place].text.strip() if place < len(each.line.row.cells) else "" for each in rows]
        numbers = [int(text.rstrip(".")) for text in texts if text.rstrip(".").isdecimal() and len(text) < 8]
        if len(numbers) == len(rows) and _step(numbers):
            return tuple(numbers)
    return ()


def _step(numbers: Sequence[int]) -> int:
    """By how much numbers go up from one to the next, or by a multiple of it where some are missing; else 0."""
    steps = Counter(after - before for before, after in pairwise(numbers) if after > before)
    step, count = steps.most_common(1)[0] if steps else (0, 0)
    odd = len(numbers) - 1 - count
    even = odd <= max(1, _MOST_ODD * len(numbers)) and all(each % step == 0 for each in steps)
    return step if even else 0


def join_regions(regions: Sequence[Region]) -> Region:
    """Several regions of one array as one; running numbers go on where all have them."""
    lines = sum((Counter(each.lines) for each in regions), Counter[str]())
    numbers = tuple(number for each in regions for number in each.numbers)
    whole = all(each.numbers for each in regions)
    return Region(
        dict(sorted(lines.items())),
        tuple(span for each in regions for span in each.unaccounted),
        numbers if whole else (),
        tuple(dict.fromkeys(column for each in regions for column in each.unclear)),
    )


def expected_rows(rows: int, numbers: Sequence[int], counts: Sequence[Count]) -> tuple[int, ExpectedBy]:
    """How many rows there should be: by a count that the page prints, by the rows' own numbers, or by the structure."""
    values = [count.value for count in counts]
    total = sum(values) if len(set(values)) > 1 else next(iter(values), 0)
    if rows in (*values, sum(values)):
        return rows, "count"
    of_rows = {count.value for count in counts if count.of_rows}
    if len(of_rows) == 1:
        return of_rows.pop(), "count"
    numbered = _numbered(numbers)
    if not numbered and rows >= _LEAST_COUNTED and abs(total - rows) <= _NEARLY * rows:
        return total, "count"
    return (numbered, "numbers") if numbered else (rows, "structure")


def _numbered(numbers: Sequence[int]) -> int:
    """How many rows there are by their numbers, which may begin anew in each group; 0 if that cannot be told."""
    step = _step(numbers) if len(numbers) >= _LEAST_NUMBERED else 0
    if not step or numbers[0] not in (0, 1, step):
        return 0
    starts = [0, *(at for at in range(1, len(numbers)) if numbers[at] <= numbers[at - 1]), len(numbers)]
    return sum((numbers[last - 1] - numbers[first]) // step + 1 for first, last in pairwise(starts))


@remembered(lambda page, name, lexicon: (page.document.cache, name))
def printed_counts(page: Page, name: str, lexicon: Lexicon) -> tuple[Count, ...]:
    """Counts of rows that a page prints: "800 units", "Count: 12", "Drivers: 500"."""
    counting, things = lexicon.row_words.get("count", frozenset()), lexicon.row_words.get("counted", frozenset())
    named = frozenset((*things, fold_words(name)))
    found = [count for line in page.lines for count in _counts_in(page, line, fold_words(name), counting, named)]
    return tuple(found)


def _counts_in(
    page: Page, line: PageLine, own: Words, counting: frozenset[Words], named: frozenset[Words]
) -> Iterator[Count]:
    cells = [page.text[start:end] for start, end in line.cells]
    if line.gridded or not any(map(str.isdecimal, page.text[line.start : line.end])):
        return
    beside = (f"{label.rstrip(' :')}: {value}" for label, value in pairwise(cells) if value.strip().isdecimal())
    for text in (*(part for cell in cells for part in _PARTS.split(cell)), *beside):
        before, behind = _COUNTED.fullmatch(text), _COUNTING.fullmatch(text)
        label, number = (before[2], before[1]) if before else (behind[1], behind[3]) if behind else ("", "")
        words = fold_words(label)
        lead = next((n for n in range(len(words), 0, -1) if words[:n] in counting), 0)
        if not words or (words[lead:] not in named and lead < len(words)):
            continue
        many = [word.casefold() for word in label.split()] != [*words]
        said = bool(before) or ":" in text or "=" in text
        of_rows = said and (lead > 0 or (many and words == own))
        yield Count(int("".join(c for c in number if c.isdecimal())), of_rows, line.number)
