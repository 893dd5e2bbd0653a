"""Rows of headings: labels side by side whose values stand in the row below them, as in forms and short tables."""

from __future__ import annotations

import re

from paxman.capabilities.business_terms import label_terms
from paxman.capabilities.label_layout import WORDS, Reader, is_labelled
from paxman.capabilities.label_scan import Hit
from paxman.contract.labels import compact_word
from paxman.documents.visual_lines import Line, VisualLines
from paxman.finding.parties.line_shapes import is_label
from paxman.recognizers.tables import pattern
from paxman.types import Span


def is_over_value(reader: Reader, hit: Hit, chunk: Span) -> bool:
    """Whether a number or day under the chunk beside a label makes it a heading, for it has a noun of forms in it.

    So does one under the label, if that says number or day, and the chunk holds none.
    """
    named = pattern(r"\b(?:{form_noun})\b").search(reader.text, *chunk)
    counts = _COUNTS.search(reader.text[hit.start : hit.end]) and _WORDS_ONLY.fullmatch(reader.text, *chunk)
    if not named and not counts:
        return False
    page, upper = reader.page, reader.page.line(hit.line)
    lower = next(iter(page.below(hit.line, 1)), None)
    if lower is None or lower > hit.line + 1 or ":" in reader.text[hit.start : chunk[1]]:
        return False
    below = [_in_column(page, lower, at - upper.start) for at in (hit.start, chunk[0])]
    if below[0] is None or below[1] is None:
        return False
    if counts and _NUMBERED_WORD.match(reader.text, *below[0]):
        return True
    if not named or _above_is_label(reader, hit):
        return False
    words, value = (reader.text[start:end] for start, end in (below[0], below[1]))
    return _VALUES.match(value) is not None and WORDS.search(words) is not None and not is_labelled(reader, below[0])


def may_be_name(reader: Reader, hit: Hit, chunk: Span) -> bool:
    """Whether a chunk over an amount may as well be a name that ends in a noun of forms: "Grace Price"."""
    upper = reader.page.line(hit.line)
    if len(upper.chunks) != 2 or not _NAME.fullmatch(reader.text, *chunk) or hit.line + 1 >= len(reader.page):
        return False
    below = _in_column(reader.page, hit.line + 1, chunk[0] - upper.start)
    return below is not None and _CENTS.fullmatch(reader.text, *below) is not None


def _in_column(page: VisualLines, number: int, column: int) -> Span | None:
    """The chunk of a line that starts where another one does."""
    line = page.line(number)
    return next((c for c in line.chunks if abs(c[0] - line.start - column) <= _SLACK), None)


def _above_is_label(reader: Reader, hit: Hit) -> bool:
    """Whether another label stands right above, as in a form."""
    above = reader.page.line(hit.line - 1) if hit.line else None
    column = hit.start - reader.page.line(hit.line).start
    return above is not None and any(c[0] - above.start == column and reader.scan.starts_at(c[0]) for c in above.chunks)


_VALUES = re.compile(r"\W{0,2}\d[\d./-]{2,20}(?!\S)")
_CENTS = re.compile(r"[^\w\s]{0,2} ?\d[\d.,' ]*[.,]\d\d(?: ?\W)?")
_COUNTS = re.compile(
    r"(?:#|№|\b(?:no|nr|number|nummer|numero|número|numéro|numer|date|datum|fecha|data))\Z", re.IGNORECASE
)
_WORDS_ONLY = re.compile(r"[A-ZÀ-Þ][^\d:：=]*")
_NUMBERED_WORD = re.compile(r"\S{0,20}\d")


def heads_row(reader: Reader, number: int) -> bool:
    """Whether a line is a row of headings: words over as many values, of which one is no label of a form."""
    upper, cache = reader.page.line(number), reader.context.document.cache.setdefault("heads_row", {})
    if number not in cache:
        lower = next(iter(reader.page.below(number, 1)), None) if _FEWEST <= len(upper.chunks) <= _MOST else None
        cache[number] = lower is not None and _is_row_of_values(reader, upper, reader.page.line(lower))
    return bool(cache[number])


_FEWEST, _MOST, _SLACK = 2, 12, 2


def _is_row_of_values(reader: Reader, upper: Line, lower: Line) -> bool:
    if not _is_aligned(reader, upper, lower):
        return False
    # In a form every other chunk is a label.
    labels = lower.chunks[::2]
    if any(reader.scan.starts_at(chunk[0]) for chunk in labels):
        return False
    if len(labels) * 2 > len(lower.chunks) or any(_FIGURES.match(reader.text, *chunk) for chunk in labels):
        return True
    return all(_NO_LABEL.match(reader.text, *chunk) for chunk in labels)


def _is_aligned(reader: Reader, upper: Line, lower: Line) -> bool:
    """Whether words stand over as many chunks, each where the one below it starts, or a number ends or lies within."""
    if _NO_HEADING.search(reader.text, upper.start, upper.end) or len(upper.chunks) != len(lower.chunks):
        return False
    pairs = zip(upper.chunks, lower.chunks, strict=True)
    return all(_is_under(reader.text, above, below, lower.start - upper.start) for above, below in pairs)


def _is_under(text: str, above: Span, below: Span, step: int) -> bool:
    left, right = below[0] - step - above[0], below[1] - step - above[1]
    if abs(left) <= _SLACK:
        return True
    return (abs(right) <= _SLACK or left >= 0 >= right) and _SUM.fullmatch(text, *below) is not None


def may_head_row(reader: Reader, hit: Hit) -> bool:
    """Whether a label and what stands beside it may be headings: words over as many, none a known label."""
    page, upper, index = reader.page, reader.page.line(hit.line), reader.page.chunk_at(hit.start)
    lower = page.line(min(hit.line + 1, len(page) - 1))
    if lower is upper or not index + 1 < len(upper.chunks) == len(lower.chunks) <= _MOST:
        return False
    if any(reader.scan.starts_at(chunk[0]) for chunk in lower.chunks[::2]):
        return False
    beside, below = (reader.text[slice(*chunk)] for chunk in (upper.chunks[index + 1], lower.chunks[index]))
    if len(upper.chunks) == 2 and beside.count(" ") < below.count(" ") and _is_alone(page, hit.line):
        return True
    if beside[0].islower() and reader.text[hit.start].isupper():
        return False
    if any(_NAME.fullmatch(reader.text, *chunk) for chunk in upper.chunks[1::2]):
        return False
    return _is_aligned(reader, upper, lower) and _may_head(page, hit, beside, below)


def _may_head(page: VisualLines, hit: Hit, beside: str, below: str) -> bool:
    """Whether labels and values do not take turns in a row, or one is like a heading, or more such rows are around."""
    if page.chunk_at(hit.start) % 2:
        return True
    if _is_of_form(beside) != _is_of_form(below):
        return _is_of_form(beside)
    alone = _is_alone(page, hit.line) and not _GOES_ON.search(below)
    return alone and (_is_alone(page, hit.line - 3) or _is_alone(page, hit.line + 3))


def _is_alone(page: VisualLines, number: int) -> bool:
    """Whether a line and the one below it, of as many chunks, stand between blank ones."""
    if not 0 <= number < len(page) - 1:
        return False
    around = (page.line(near).chunks for near in (number - 1, number + 2) if 0 <= near < len(page))
    return 1 < len(page.line(number).chunks) == len(page.line(number + 1).chunks) and not any(around)


def _is_of_form(text: str) -> bool:
    """Whether words end in a noun of forms, as "Marital status" does."""
    return pattern(r"[^\W\d_][^\d\n]{0,40} (?:{form_noun})\Z").match(text) is not None


_NAME = re.compile(r"[A-ZÀ-Þ]\S{0,40}(?: [A-ZÀ-Þ]\S{0,40}){1,5}")
_GOES_ON = re.compile(r" [a-zß-ÿ]")
"""Names of things go on with small letters: "Last name"."""


def may_head_values(reader: Reader, hit: Hit) -> bool:
    """Whether a word beside a label may be a heading: one of several over nothing, or one over values of one shape."""
    page, upper = reader.page, reader.page.line(hit.line)
    if _NO_HEADING.search(reader.text, upper.start, upper.end):
        return False
    lines = list(page.below(hit.line, 2))
    if len(upper.chunks) != 2 or not lines:
        return len(upper.chunks) > 2 and not lines
    below = [_in_column(page, lower, upper.chunks[1][0] - upper.start) for lower in lines]
    if any(len(page.line(lower).chunks) > 2 or is_labelled(reader, page.line(lower).chunks[0]) for lower in lines):
        return False
    shapes = {_LETTERS.sub("a", _NUMBER.sub("0", reader.text[slice(*chunk)])) if chunk else "" for chunk in below}
    return len(shapes) == 1 and _CODE_SHAPE.search(shapes.pop()) is not None


def may_be_form(reader: Reader, hit: Hit) -> bool:
    """Whether nothing but its odd number of columns tells a row of headings over words from a form."""
    if reader.scan.after(hit) or _is_behind_label(reader, hit) or not heads_row(reader, hit.line):
        return False
    lower = reader.page.line(next(iter(reader.page.below(hit.line, 1))))
    return not any(_NO_LABEL.match(reader.text, *chunk) for chunk in lower.chunks)


def _is_behind_label(reader: Reader, hit: Hit) -> bool:
    """Whether the chunk before that of a label is one, too."""
    chunks, index = reader.page.line(hit.line).chunks, reader.page.chunk_at(hit.start)
    return index > 0 and reader.scan.starts_at(chunks[index - 1][0])


_LETTERS, _NUMBER = re.compile(r"[^\W\d_]+"), re.compile(r"\d+")
# A code of letters and digits.
_CODE_SHAPE = re.compile(r"a\W?0|0\W?a")
_NO_HEADING = re.compile(r"[\d:：=]")
_FIGURES = re.compile(r"(?:[^\s\d]{0,20}(?:\d[^\s\d]{0,3}){3,20}|[\d.,]{1,20}|[A-Z]{1,4}[-/]\d{2})\Z")
_SUM = re.compile(r"[^\w\s]{0,2}\d[\d.,']*(?: ?\W)?")
_NO_LABEL = re.compile(r"\S{0,40}\d|[^\W\d_]{1,3}\. ")


def heads_list(reader: Reader, hit: Hit) -> bool:
    """Whether a heading stands over several rows: those of a list, and none is that of this paper."""
    lines = [reader.page.line(line).chunks for line in range(hit.line, min(hit.line + 3, len(reader.page)))]
    if len(lines) < 3 or len(set(map(len, lines))) > 1 or not heads_row(reader, hit.line):
        return False
    return not all(reader.scan.starts_at(chunk[0]) for chunk in lines[2])  # The next row of labels is no row.


def crosses_headings(page: VisualLines, hit: Hit, lower: int) -> bool:
    """Whether the only words of a line stand under several chunks of a label's line, and so are no cell of it.

    Right below the first one they may be a long cell.
    """
    upper, line = page.line(hit.line), page.line(lower)
    if len(line.chunks) != 1 or not _FEWEST <= len(upper.chunks) <= _MOST:
        return False
    left, right = (page.column(line.start, at) for at in line.chunks[0])
    starts = [page.column(upper.start, chunk[0]) for chunk in upper.chunks]
    covered = [index for index, start in enumerate(starts) if left <= start + _SLACK and start < right]
    return len(covered) > 1 and (lower > hit.line + 1 or covered[0] != page.chunk_at(hit.start))


_NUMBERED = re.compile(r"\(?(\d{1,3}[a-z]?)[.)] ?[^\W\d_]")
_STARRED = re.compile(r"[^\n]*[^\W\d_)][)]? ?\*+")


def is_labelled_alike(text: str, one: Span, other: Span) -> bool:
    """Whether two chunks are labels of a form: it numbers them, or puts stars to some, or begins them with one word."""
    own, next_ = _NUMBERED.match(text, *one), _NUMBERED.match(text, *other)
    if own and next_:
        return own[1] != next_[1]  # With the same number it is the answer.
    if _STARRED.fullmatch(text, *one) and _STARRED.fullmatch(text, *other):
        return True
    return begin_alike(text, one, other)


def begin_alike(text: str, one: Span, other: Span) -> bool:
    """Whether as many words go on to a usual label, as in "YTD pay" and "YTD tax"; not behind a colon."""
    if one[1] - one[0] > _LONGEST or other[1] - other[0] > _LONGEST:
        return False
    words, others = text[slice(*one)].split(), text[slice(*other)].split()
    if not 1 < len(words) == len(others) < _MOST_WORDS or words[0] != others[0] or text[one[1] - 1] == ":":
        return False
    return words[-1] != others[-1] and (is_label(others[-1]) or compact_word(others[-1]) in label_terms())


_MOST_WORDS, _LONGEST = 5, 60
