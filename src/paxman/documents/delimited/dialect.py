"""The delimiter and quotes that cut the first records of a text most evenly."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from paxman.documents.delimited.records import DelimitedDialect, Records
from paxman.lazy import lazy_pattern
from paxman.types import Span

_SAMPLE_CHARS = 64_000
_SAMPLE_RECORDS = 120
_DELIMITERS = "\t;|,^~\x01"
_RARE_DELIMITERS = " :"
_DRAWN = "|\t"
"""Delimiters that people draw tables with."""
_UNEVEN, _EVEN = 0.5, 0.7
"""How evenly records are cut where a rare delimiter is tried, and how evenly it must cut them."""
_OTHER_DELIMITER = lazy_pattern(r"[;\t|^~\x01]")
_ALL_QUOTED = lazy_pattern(r'"[^"]*"(?:[,;\t|^~\x01]"[^"]*"){2,}\Z')
_HEADING = lazy_pattern(r"[A-Za-z_][\w-]{0,30}(?: [\w-]{1,30})?")
_MAX_TITLES = 5
_MIN_BELOW_TITLES = 3
_SENTENCE = lazy_pattern(r"[a-z]{2,} [a-z]{2,} [a-z]{2,} |[.!?] [A-Z]")
_MAX_PREAMBLE = 12
MAX_FOOTERS = 3
ROWS_ABOVE_FOOTER = 3
_CODE = lazy_pattern(r"[{}]|\w\((?:\)|[^()]{0,200}[,(\"'])|;\s*$")
_BELOW_PREAMBLE = ";,^~\x01"
"""Delimiters that part no columns of a text."""
_NAME = lazy_pattern(r"[^\W\d][^,;!?\s]{0,40}(?: [^,;!?\s]{1,40}){0,3}")
NAMED_DELIMITER = lazy_pattern(r"sep=([^\w\s]|\t)\r?\n", re.I)
"""The first line of some files, for a spreadsheet program."""


def detect_dialect(text: str, delimiters: str = _DELIMITERS) -> tuple[DelimitedDialect, int] | None:
    """The dialect that cuts a text into records of the same width, and that width; None if none does."""
    sample = _sample(text)
    best, score = _most_even(sample, delimiters)
    if delimiters != _DELIMITERS:
        return best
    if score < _UNEVEN:
        if free := _with_free_column(sample, _dialects(sample, " ")):
            return free
        rare, rare_score = _most_even(sample, _RARE_DELIMITERS)
        if rare and rare_score > _EVEN and (best or _is_headed(sample, rare[0])):
            return rare
    if best and len(next(iter(Records(sample, best[0])))) < best[1]:
        return _with_free_column(sample, [best[0]]) or best
    return best


def _is_headed(sample: str, dialect: DelimitedDialect) -> bool:
    """Whether the first record is names; a single column of times is cut evenly by colons, too."""
    first = next(iter(Records(sample, dialect)))
    return all(_HEADING.fullmatch(sample, start, end) for start, end in first)


def _with_free_column(sample: str, dialects: Iterable[DelimitedDialect]) -> tuple[DelimitedDialect, int] | None:
    """The dialect that cuts records as their headings, if one column takes what some have too much."""
    from paxman.documents.delimited.extra_cells import find_free_column

    for dialect in dialects:
        records = first_records(sample, dialect)
        free = find_free_column(sample, dialect, len(records[0]), records) if records else None
        if free and not free.columns.fits(records[0]):
            return dialect, len(records[0])
    return None


def first_records(text: str, dialect: DelimitedDialect, width: int = 0) -> list[list[Span]]:
    """The records that show what a text is like."""
    return list(islice(Records(_sample(text), dialect, width), _SAMPLE_RECORDS))


def _most_even(sample: str, delimiters: str) -> tuple[tuple[DelimitedDialect, int] | None, float]:
    best, best_score = None, 0.0
    for delimiter in delimiters:
        if delimiter not in sample:
            continue
        for dialect in _dialects(sample, delimiter):
            width, score = _evenness(sample, dialect)
            if score > best_score and (score > _EVEN or not dialect.is_padded):
                best, best_score = (dialect, width), score
    return best, best_score


def _sample(text: str) -> str:
    if len(text) <= _SAMPLE_CHARS:
        return text
    cut = max(text.rfind("\n", 0, _SAMPLE_CHARS), text.rfind("\r", 0, _SAMPLE_CHARS))
    return text[: cut + 1] if cut > 0 else text[:_SAMPLE_CHARS]


def _dialects(sample: str, delimiter: str) -> Iterator[DelimitedDialect]:
    mark = re.escape(delimiter)
    spaced = delimiter in ",;|" and sample.count(delimiter + " ") >= sample.count(delimiter) * 0.9
    single = len(re.findall(rf"(?:^|{mark}) ?'[^'\n]*'(?={mark}|\r?$)", sample, re.M))
    for quote in ('"', "'") if single > 1 + sample.count('"') // 2 else ('"',):
        yield DelimitedDialect(delimiter, quote, False, spaced)
        if "\\" + quote in sample:
            yield DelimitedDialect(delimiter, quote, True, spaced)
    if delimiter == " " and "  " in sample:
        yield DelimitedDialect(delimiter, spaced=True)


def _evenness(sample: str, dialect: DelimitedDialect) -> tuple[int, float]:
    """The most common width, and how well the records keep it."""
    records = [cells for cells in islice(Records(sample, dialect), _SAMPLE_RECORDS) if cells[-1][1] > cells[0][0]]
    widths = Counter(len(cells) for cells in records)
    width = max(widths, key=lambda count: (widths[count] * (count > 1), count), default=1)
    if width < 2:
        return 1, 0.0
    cells = [sample[start:end] for record in records if len(record) == width for start, end in record]
    tidy = sum(1 for cell in cells if cell[:1] == dialect.quote or not _OTHER_DELIMITER.search(cell)) / len(cells)
    quoted = sum(1 for cell in cells if cell[:1] == dialect.quote == cell[-1:]) / len(cells)
    return width, widths[width] / len(records) * tidy * (1 - 1 / (width + 1)) * (1 + quoted / 10)


def looks_like_csv(head: bytes) -> bool:
    """Whether lines of text are records: cut evenly by a delimiter, and not prose that happens to have commas."""
    text = head.decode("utf-8", "replace")
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or lines[0].lstrip().startswith("|"):
        return False
    named = NAMED_DELIMITER.match(text)
    if _ALL_QUOTED.match(lines[0]) or (named and named[1] in lines[1]):
        return True
    is_cut = head[-1:] not in (b"\n", b"\r") and len(lines) > 2
    whole = lines[:-1] if is_cut else lines
    if _are_delimited(whole[:40]) or _has_headed_table(lines[:40]):
        return True
    rows = len(lines) - _count_footers(lines)
    return rows < len(lines) <= 40 and (_are_records(lines[:rows], strict=True) or _has_headed_table(lines[:rows]))


def _count_footers(lines: list[str]) -> int:
    """How many lines below records are words without their delimiter."""
    for count in range(1, min(MAX_FOOTERS, len(lines) - ROWS_ABOVE_FOOTER) + 1):
        footers, last = lines[-count:], lines[-count - 1]
        if not is_footer(footers[0]):
            return 0
        apart = [delimiter for delimiter in _BELOW_PREAMBLE if delimiter in last and delimiter not in "".join(footers)]
        if apart:
            # Most lines have a delimiter.
            return count if any(sum(delimiter in line for line in lines) * 2 > len(lines) for delimiter in apart) else 0
    return 0


def is_footer(text: str) -> bool:
    """Whether a cell that is all there is in a row may be a remark below a table rather than its first column."""
    words = text.split()
    has_figure = any(map(str.isdigit, text))
    return len(words) > 2 or (len(words) > 1 and has_figure) or not any(map(str.isalnum, text))


def _are_delimited(lines: list[str]) -> bool:
    return _are_records(lines) or any(_are_records(lines[start:], strict=True) for start in _table_starts(lines))


def _has_headed_table(lines: list[str]) -> bool:
    """Whether lines end in a table, however short: with quoted cells between spaces, or below a preamble."""
    if any('"' in line for line in lines[:3]) and _is_headed_table(lines, " "):
        return True
    likely = [delimiter for delimiter in _BELOW_PREAMBLE if delimiter in lines[-1]]
    starts = range(1, min(len(lines) - 1, _MAX_PREAMBLE)) if likely else ()
    return any(
        _is_headed_table(lines[start:], delimiter) and not _is_text(lines[:start], len(lines) - start, delimiter)
        for delimiter in likely
        for start in starts
    )


def _is_text(above: list[str], rows: int, delimiter: str) -> bool:
    """Whether lines above a short table are code, or as many sentences as the table has rows."""
    is_code = any(_CODE.search(line.rstrip(delimiter)) for line in above)
    return is_code or sum(map(_is_sentence, above)) >= rows


def _is_sentence(line: str) -> bool:
    return _SENTENCE.search(f"{line} ") is not None or (line.count(" ") > 2 and line.rstrip().endswith((".", "!", "?")))


def _is_headed_table(lines: list[str], delimiter: str) -> bool:
    """Whether lines are names of columns and rows of as many cells, with a number or date in each row of a column."""
    least = 2 if delimiter in " ;" else 3
    if lines[0].count(delimiter) < least - 1 or f"{delimiter} " in lines[0]:
        return False
    names = _bare_cells(lines[:1], delimiter)[0]
    if len(names) < least or not all(map(_is_name, names)):
        return False
    from paxman.documents.delimited.tables import is_data

    rows = _bare_cells(lines[1:], delimiter)
    # Between spaces only quotes keep a space in a cell.
    cut = delimiter != " " or any(" " in cell for row in (names, *rows) for cell in row)
    if not cut or len(names) + len(rows) < 4 or any(len(row) != len(names) for row in rows):
        return False
    columns = list(zip(*rows, strict=True))
    used = any(name in column for name, column in zip(names, columns, strict=True))
    return not used and any(all(map(is_data, column)) for column in columns)


def _is_name(text: str) -> bool:
    """Whether a cell may be a heading; half of a pair of brackets is code."""
    paired = all(text.count(left) == text.count(right) for left, right in ("()", "[]", "{}"))
    return paired and "=" not in text and _NAME.fullmatch(text) is not None


def _bare_cells(lines: list[str], delimiter: str) -> list[list[str]]:
    text = "\n".join(lines)
    cells = [[text[start:end] for start, end in record] for record in Records(text, DelimitedDialect(delimiter))]
    return [[cell[1:-1] if cell[:1] == '"' == cell[-1:] else cell for cell in record] for record in cells]


def _table_starts(lines: list[str]) -> Iterator[int]:
    """Where a table may start below a title: at the first line with a delimiter that no line above it has."""
    for delimiter in _DELIMITERS:
        start = next((index for index, line in enumerate(lines) if delimiter in line), 0)
        if 0 < start <= _MAX_TITLES and len(lines) - start >= _MIN_BELOW_TITLES:
            yield start


def _are_records(lines: list[str], strict: bool = False) -> bool:
    # A line may be the inside of a quoted cell.
    text = "\n".join(lines) + "\n"
    least = len(lines) * (0.5 if '"' in text else 0.8)
    likely = "".join(d for d in _DELIMITERS if text.count(d) >= least and sum(d in line for line in lines) >= least)
    found = detect_dialect(text, likely) if likely else None
    return found is not None and (not strict or found[1] > 2) and _is_table(lines, *found, strict)


def _is_table(lines: list[str], dialect: DelimitedDialect, width: int, strict: bool) -> bool:
    text = "\n".join(lines) + "\n"
    records = [[text[start:end] for start, end in record] for record in Records(text, dialect, width)]
    if not _is_even(records, width, strict) or (dialect.delimiter in _DRAWN and _is_ruled(records)):
        return False
    cells = [cell for record in records for cell in record if cell[:1] != dialect.quote]
    allowed = 0 if dialect.spaced else 2
    wordy = sum(1 for cell in cells if cell.strip().count(" ") > allowed or (cell[:1] == " " and not dialect.spaced))
    if any(map(_SENTENCE.search, records[0])) or wordy * 3 > len(cells):
        return False
    if dialect.spaced and (width < 3 or len(records) < 3):
        return False
    return width > 2 or _is_narrow_table(records, dialect)


def _is_ruled(records: list[list[str]]) -> bool:
    """Whether dashes stand below the headings, as in a text for people."""
    from paxman.documents.delimited.tables import is_rule

    return len(records) > 1 and is_rule(records[1])


def _is_even(records: list[list[str]], width: int, strict: bool) -> bool:
    """Whether records keep to a width, or one in two does below headings of that width."""
    odd = sum(1 for record in records if len(record) != width)
    if strict or not odd:
        return not odd
    headed = width > 2 and all(map(_HEADING.fullmatch, records[0]))
    if headed and odd == 1 and len(records) > 2 and len(records[0]) == width - 1:
        # Only the rows end with a delimiter.
        return not any(record[-1].strip() for record in records[1:])
    named = headed and len(records[0]) == width
    return odd <= len(records) * 0.1 or (named and odd * 2 <= len(records))


def _is_narrow_table(records: list[list[str]], dialect: DelimitedDialect) -> bool:
    """Whether two columns are more than labels with their values."""
    if dialect.delimiter in ",;":
        return all(cell.strip() for cell in records[0])
    named = len(records) > 2 and all(map(_HEADING.fullmatch, records[0]))
    return named and dialect.delimiter == "\t" and all(len(record) == 2 for record in records)
