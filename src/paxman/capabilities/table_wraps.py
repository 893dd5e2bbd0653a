"""Lines of text without numbers: to which row of a table each belongs.

All rows are set alike, with their numbers at the top, at the bottom or in the middle of their text: that is found once
for the whole table, by what each way would tear apart or put together.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from typing import NamedTuple

import attrs

from paxman.capabilities.table_cells import ATTRIBUTE, reach_of
from paxman.capabilities.table_lines import Cells, Layout, Row

_MORE_BELOW = {"even": (0,), "upper": (0, 1), "lower": (-1, 0)}
"""In the middle: how many more lines a text has below its numbers than above."""
_MODELS = ("top", "bottom", *_MORE_BELOW, "parted")
"""Where numbers stand in their text; anywhere if blank lines part the rows."""
_TORN = 4
"""The cost of a text that is torn; that of lines put together or left out without need is 1."""
_BARE = 3
"""The cost of numbers at the top or the bottom of a text without a line of it."""
_FEW = 3
"""So many lines have one oddity at most in the way they are set."""
_NEVER = 1_000_000
_NOWHERE = -1
_MOST_ODD = 5
"""What another way may be better by, times the lines: the more there are, the less is it by chance."""
_MARGIN = 2
_FULL = 0.9
"""The share of its column that a full line has at least, as letters differ in width."""
_OPEN = frozenset(",&/(+")
_HYPHENS = frozenset("-–")
_WORD = re.compile(r"\S+")


class _Text(NamedTuple):
    """What a line has in the column of texts."""

    line: int
    start: int
    end: int
    is_property: bool = False
    """Whether it is no part of a description, but stands below one."""


class _Gap(NamedTuple):
    """The lines of text between two rows: right below the one and right above the other, the same if not `parted`."""

    near: Sequence[_Text]
    far: Sequence[_Text]
    parted: bool
    lines: int


class _Run(NamedTuple):
    """Rows one below the other, their texts beside the numbers, and the gaps over, between and below them."""

    rows: list[Row]
    own: list[_Text | None]
    gaps: list[_Gap]
    over: list[Cells]


class _Cost(NamedTuple):
    """What speaks against a way to share lines: by weight, and how much of it is plain."""

    weight: int
    plain: int

    def plus(self, other: _Cost) -> _Cost:
        return _Cost(self.weight + other.weight, self.plain + other.plain)

    def is_good(self, few: int, bare: int) -> bool:
        """Whether texts were wrapped so: there is little that is odd, and nothing plain but at rows without text."""
        return self.weight - _TORN * self.plain <= few and self.plain <= few + bare

    def is_plainer(self, top: _Cost) -> bool:
        """Whether something plain speaks against the usual way, and nothing against this one at half the cost."""
        return self.plain == 0 < top.plain and 2 * self.weight <= top.weight


class _Share(NamedTuple):
    """What it costs to share the lines of a run, in how many ways that is done, and what rows get of the last gap."""

    cost: _Cost
    ways: int
    below: int = 0
    above: int = 0
    before: _Share | None = None


@attrs.frozen
class _Signs:
    """What tells whether two lines are one text."""

    text: str
    width: int
    small: bool
    """Whether a small letter says that a text goes on."""
    open: bool

    def binds(self, above: _Text, below: _Text) -> bool:
        """Whether the text plainly goes on from one line to the next."""
        if self.small and (self.text[below.start].islower() or self.text[below.start] == "("):
            return True
        return self.open and is_open(self.text[above.start : above.end])

    def fills(self, above: _Text, below: _Text) -> bool:
        """Whether the next word had no room on its line."""
        word = _WORD.match(self.text, below.start, below.end)
        return above.end - above.start + 1 + len(word[0] if word else "") > self.width

    def is_code(self, text: _Text) -> bool:
        """Whether a text is one word with figures."""
        words = self.text[text.start : text.end]
        return " " not in words and any(map(str.isdigit, words))

    def cost(self, texts: Sequence[_Text]) -> int:
        """What it costs to put texts together."""
        return sum(not (self.fills(*pair) or self.binds(*pair)) for pair in pairwise(texts))


def share_texts(layout: Layout, rows: Sequence[Row]) -> None:
    """Give each row the lines of its text, and say where that is unclear."""
    loose = Counter(cell.column for row in rows for _, cells in (*row.above, *row.lines[1:]) for cell in cells)
    column = max(sorted(layout.texts), key=lambda each: loose[each], default=None)
    if column is None or not loose[column]:
        return
    _drop_outside(layout, rows, column)
    runs = list(_runs(layout, rows, column))
    signs = _signs(layout, runs)
    found = {model: [_cheapest(signs, run, model) for run in runs] for model in _MODELS}
    lines = sum(gap.lines for run in runs for gap in run.gaps)
    best, unclear = _choose(found, lines, runs, signs)
    for run, share in zip(runs, found[best], strict=True):
        _assign(run, share)
        for row in run.rows:
            row.unclear |= unclear
    if best == "bottom" and layout.role_of(column) == "article" and _are_codes(signs, runs, over=False):
        _name_codes(layout, rows)


def _name_codes(layout: Layout, rows: Sequence[Row]) -> None:
    """Move the names over codes to the column of descriptions, if that has none itself, or out of the table."""
    free = layout.texts - {cell.column for row in rows for cell in row.lines[0][1]}
    home = next((each for each in sorted(free) if layout.role_of(each) in ("description", "thing")), _NOWHERE)
    for row in rows:
        row.above = [(at, [cell._replace(column=home) for cell in cells]) for at, cells in row.above]


def _drop_outside(layout: Layout, rows: Sequence[Row], column: int) -> None:
    """Empty the lines that begin under a heading to the left of all texts beside numbers: each heads a group.

    One right below the last row is a note, as those below the others are then.
    """
    if layout.header.ordinal or not column:
        return
    own = [_left(layout, row.lines[0], column) for row in rows if not row.reason]
    edge = min((left for left in own if left is not None), default=0) - _MARGIN
    edge = min(edge, layout.header.columns[column - 1].right)
    if layout.header.first == layout.header.last and not any(cells for _, cells in rows[0].above):
        return
    if any(_inside(layout, line, column, edge) != line for line in rows[-1].lines[1:2]):
        return
    for row in rows:
        row.above[:] = [_inside(layout, line, column, edge) for line in row.above]
        row.lines[1:] = [_inside(layout, line, column, edge) for line in row.lines[1:]]


def _inside(layout: Layout, line: Cells, column: int, edge: int) -> Cells:
    left = _left(layout, line, column)
    return line if left is None or left >= edge else (line[0], [])


def _left(layout: Layout, line: Cells, column: int) -> int | None:
    """How far from the margin a line's text in a column begins."""
    page, text = layout.page, _text(line, column)
    return page.column(page.line(line[0]).start, text.start) if text else None


def _below_heading(signs: _Signs, runs: Sequence[_Run], *, is_torn: bool, doubt: bool) -> tuple[str, bool]:
    """The way for rows below a line that heads a group or begins a text; numbers at the bottom may leave texts torn."""
    over = [gap.far for run in runs for gap in run.gaps[:-1]]
    if not is_torn and all(over) and not any(gap.near for run in runs for gap in run.gaps if gap.near is not gap.far):
        is_even = len(set(map(len, over))) == 1 < len(over)
        if _are_codes(signs, runs, over=False) or _are_codes(signs, runs, over=True):
            return "bottom", not is_even
        if is_even:
            return "bottom", True
    texts = [(own, gap.near) for run in runs for own, gap in zip(run.own, run.gaps[1:], strict=True) if gap.near]
    unsure = not is_torn or any(signs.cost([own, *near]) for own, near in texts if own)
    return "top", doubt or ((bool(texts) or _are_parted(runs[0])) and unsure)


def _are_codes(signs: _Signs, runs: Sequence[_Run], *, over: bool) -> bool:
    """Whether codes stand over all numbers, and none beside them, or the other way round; nothing may be beside."""
    gaps = (gap.far for run in runs for gap in run.gaps[:-1])
    own = ([text] if text else [] for run in runs for text in run.own)
    return all(
        any(map(signs.is_code, above)) is over and all(signs.is_code(text) is not over for text in beside)
        for above, beside in zip(gaps, own, strict=True)
    )


def _choose(found: Mapping[str, list[_Share]], lines: int, runs: Sequence[_Run], signs: _Signs) -> tuple[str, bool]:
    """The best way to share so many lines, and whether others are as good or nearly.

    Numbers at the top are usual, and headings of groups stand over rows too: only what is plain speaks against that.
    """
    costs = {model: reduce(_Cost.plus, (share.cost for share in each), _Cost(0, 0)) for model, each in found.items()}
    top, few, bare = costs["top"], lines // _FEW, sum(own is None for run in runs for own in run.own)
    good = [
        model
        for model in _MODELS[1:]
        if costs[model].is_good(few, 2 * bare if model == "bottom" else 0) or costs[model].is_plainer(top)
    ]
    best = min(["top", *good], key=lambda model: costs[model].weight)
    gain, at_top = top.weight - costs[best].weight, all(map(_begins_and_ends_at_top, runs))
    if costs[best].plain >= top.plain and (at_top or gain < _TORN or best not in _MORE_BELOW):
        apart = costs["parted"].weight <= top.weight and any(map(_goes_around, runs))
        doubt = apart or (gain * lines > _MOST_ODD and not at_top)
        if runs and runs[0].gaps[0].far:
            return _below_heading(signs, runs, is_torn=costs["bottom"].plain > top.plain, doubt=doubt)
        return "top", doubt
    shares = {model: [*map(_listed, each)] for model, each in found.items()}
    least = min((costs[model].weight for model in _MODELS[1:] if shares[model] != shares[best]), default=_NEVER)
    unsure = gain < _TORN or least < costs[best].weight + 2
    return best, unsure or any(share.ways > 1 for share in found[best])


def _begins_and_ends_at_top(run: _Run) -> bool:
    """Whether no line of text stands over the first row, and some below the last."""
    return bool(run.gaps[-1].near) and not run.gaps[0].far


def _goes_around(run: _Run) -> bool:
    """Whether all rows stand apart, and one has text right above its numbers and right below."""
    return _are_parted(run) and any(over.far and below.near for over, below in pairwise(run.gaps))


def _are_parted(run: _Run) -> bool:
    return len(run.rows) > 1 and all(gap.parted for gap in run.gaps[1:-1])


def _runs(layout: Layout, rows: Sequence[Row], column: int) -> Iterator[_Run]:
    """The rows between those that are none."""
    reach = max(reach_of(layout, row, column) for row in rows)
    over, run = rows[0].above, list[Row]()
    for row in [*rows, None]:
        if row and not row.reason:
            run.append(row)
            continue
        if run:
            own = [_text(each.lines[0], column) for each in run]
            blocks = [_blocks(layout, each, column, reach) for each in (over, *(each.lines[1:] for each in run))]
            yield _Run(run, own, _gaps(blocks), over)
        over, run = (row.lines[1:] if row else []), []


def _text(line: Cells, column: int) -> _Text | None:
    inside = [cell for cell in line[1] if cell.column == column]
    return _Text(line[0], inside[0].start, inside[-1].end) if inside else None


def _blocks(layout: Layout, lines: Sequence[Cells], column: int, reach: int) -> list[list[_Text]]:
    """The texts of lines, parted where one is blank, missing, too wide, a property, or has none."""
    page, blocks = layout.page, list[list[_Text]]([[]])
    last = lines[0][0] - 1 if lines else 0
    for line in lines:
        text = _text(line, column)
        if not line[1] or line[0] != last + 1 or (text and page.column(page.line(line[0]).start, text.end) > reach):
            blocks.append([])
        elif text and ATTRIBUTE.match(page.text, text.start, text.end):
            blocks.append([text._replace(is_property=True)])
        elif text and blocks[-1] and blocks[-1][-1].line != last:
            blocks.append([text])
        elif text:
            blocks[-1].append(text)
        last = line[0]
    return blocks


def _gaps(blocks: Sequence[list[list[_Text]]]) -> list[_Gap]:
    first, *between, last = blocks
    gaps = [_Gap(each[0], each[-1], len(each) > 1, sum(map(_count, (*each[:1], *each[1:][-1:])))) for each in between]
    return [_Gap((), first[-1], True, _count(first[-1])), *gaps, _Gap(last[0], (), False, _count(last[0]))]


def _count(texts: Iterable[_Text]) -> int:
    return sum(not text.is_property for text in texts)


def _signs(layout: Layout, runs: Sequence[_Run]) -> _Signs:
    """What tells texts apart; not small letters or open ends, where a row with a line of its own begins or ends so."""
    text = layout.page.text
    loose = (each for run in runs for gap in run.gaps for each in (*gap.near, *gap.far))
    texts = [each for each in (*loose, *(own for run in runs for own in run.own)) if each and not each.is_property]
    width = max((each.end - each.start for each in texts), default=0)
    alone = [each for run in runs for each in zip(run.own, run.gaps, run.gaps[1:], strict=False)]
    begun = [
        *(run.gaps[0].far[0] for run in runs[:1] if run.gaps[0].far),
        *(own for own, over, _ in alone if not over.far),
    ]
    small = any(text[own.start].islower() or text[own.start] == "(" for own in begun if own)
    left_open = any(is_open(text[own.start : own.end]) for own, _, below in alone if own and not below.near)
    return _Signs(text, int(width * _FULL), not small, not left_open)


def is_open(text: str) -> bool:
    """Whether a line ends in the middle of a list, a word or a bracket."""
    if text[-1] in _OPEN or (text[-1] in _HYPHENS and text[-2:-1].isalpha()):
        return True
    return text.count("(") > text.count(")")


def _cheapest(signs: _Signs, run: _Run, model: str) -> _Share:
    """The best way to share the lines of a run if all its rows are set in one way."""
    above = 0 if model == "top" else len(run.gaps[0].far)
    cost = _cost(signs, run.gaps[0], None, run.own[0], 0, above)
    states = {above: _Share(cost, 1, 0, above)}
    for at in range(len(run.rows)):
        states = _next(signs, run, at, model, states)
    return reduce(_cheaper, states.values(), _Share(_Cost(_NEVER, _NEVER), 1))


def _next(signs: _Signs, run: _Run, at: int, model: str, states: dict[int, _Share]) -> dict[int, _Share]:
    """The best ways down to the next row, by how many lines that has over it."""
    own, gap = run.own[at], run.gaps[at + 1]
    foot = run.own[at + 1] if at + 1 < len(run.own) else None
    reached: dict[int, _Share] = {}
    for over, before in states.items():
        head = own or (run.gaps[at].far[-1] if over else None)
        for below, above in _ways(gap, model, over, beside=own is not None):
            cost = before.cost.plus(_cost(signs, gap, head, foot, below, above))
            if own is None and (run.gaps[at].far or gap.near):
                cost = cost.plus(_bare(model, is_empty=head is None and not below))
            share = _Share(cost, before.ways, below, above, before)
            reached[above] = _cheaper(reached[above], share) if above in reached else share
    return reached


def _bare(model: str, *, is_empty: bool) -> _Cost:
    """What it costs that no text stands beside numbers; in the middle of an even number of lines none can."""
    at_edge = model in ("top", "bottom")
    return _Cost(_TORN * is_empty + _BARE * at_edge, is_empty + at_edge)


def _ways(gap: _Gap, model: str, over: int, *, beside: bool) -> list[tuple[int, int]]:
    """How many lines of a gap the row above may have, and the one below."""
    near, far = len(gap.near), len(gap.far)
    if model == "parted":
        return [(near, far)] if gap.parted or not far else []
    if model not in _MORE_BELOW:
        return [(near, 0) if model == "top" else (0, far)]
    fitting = [over + more for more in (_MORE_BELOW[model] if beside else (0,)) if 0 <= over + more <= near]
    if gap.parted:
        return [(near, far)] if near in fitting else []
    return [(below, max(0, far - below)) for below in fitting]


def _cheaper(one: _Share, other: _Share) -> _Share:
    if other.cost.weight == one.cost.weight:
        return one._replace(ways=one.ways + other.ways)
    return min(one, other, key=lambda share: share.cost.weight)


def _cost(signs: _Signs, gap: _Gap, head: _Text | None, foot: _Text | None, below: int, above: int) -> _Cost:
    """What it costs to give a gap's first lines to the row above, and its last to the one below."""
    upper = [*([head] if head else ()), *gap.near[:below]]
    lower = [*gap.far[len(gap.far) - above :], *([foot] if foot else ())]
    torn = {(upper[-1], gap.near[below])} if upper and below < len(gap.near) else set()
    torn |= {(gap.far[-above - 1], lower[0])} if lower and above < len(gap.far) else set()
    left_out = gap.lines - _count(gap.near[:below]) - _count(lower[:above])
    plain = any(text.is_property for text in lower[:above]) + sum(signs.binds(*pair) for pair in torn)
    return _Cost(signs.cost(upper) + signs.cost(lower) + left_out + _TORN * plain, plain)


def _listed(share: _Share | None) -> list[tuple[int, int]]:
    """What the rows around each gap get of it, from the last to the first."""
    found = []
    while share:
        found.append((share.below, share.above))
        share = share.before
    return found


def _assign(run: _Run, share: _Share) -> None:
    shares = _listed(share)[::-1]
    source = run.over
    for row, gap, (_, above) in zip(run.rows, run.gaps, shares, strict=False):
        first = gap.far[len(gap.far) - above].line if above else row.first
        row.above = [line for line in source if line[0] >= first]
        source[:] = [line for line in source if line[0] < first]
        source = row.lines
    last, below = run.gaps[-1].near, shares[-1][0]
    if below < len(last):
        source[:] = [line for line in source if line[0] < last[below].line]
