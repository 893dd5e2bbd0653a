"""Tables with the same headings that are read as one: which of them are copies, and what is told of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Protocol, TypeVar

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.table_binding import headings_of
from paxman.capabilities.table_kinds import explicit_tables
from paxman.contract.labels import fold_label
from paxman.documents.document import Cell, Document, MailPart, SheetCell, Source
from paxman.lazy import lazy_pattern
from paxman.types import Diagnostic, Severity

_LONGEST_TITLE, _MOST_ABOVE, _MOST_TOLD = 80, 200, 5
_ENDS = (".", "!", "?", "。")
_GIVEN_NAME = lazy_pattern(
    r"(?:sheet|tabelle|feuil|feuille|hoja|foglio|folha|blad|plan|planilha|arkusz|list|munka|ark|taul|sayfa|лист|аркуш"
    r"|工作表|シート|시트)\d+"
)
"""What programs call sheets."""
_NUMBER_OF_COPY = lazy_pattern(r" ?\(\d{1,3}\)\Z")
_COPIES = frozenset({"copy", "copies", "duplicate", "kopie", "duplikat", "copie", "duplicata", "copia", "kopia"})
_OF_COPIES = frozenset({"original", "originale", "backup", "print"})


class _Headed(Protocol):
    @property
    def header(self) -> Sequence[Cell]: ...
    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]: ...


_T = TypeVar("_T", bound=_Headed)


def join(context: CapabilityContext, tables: Sequence[_T]) -> tuple[list[_T], list[Diagnostic]]:
    """The tables, those with equal rows once, and notes on that; a warning if these may be of different things."""
    alike: dict[str, list[_T]] = {}
    for table in tables:
        key = repr([[cell.text for cell in cells] for cells in (table.header, *table.rows)])
        alike.setdefault(key, []).append(table)
    unsure = sum(len(each) for each in alike.values() if len(each) > 1 and _differ_in_title(context.document, each))
    headings = {headings_of(table.header): table.header for table in tables}
    told = (
        [repr(told_headings(header)) for header in islice(headings.values(), _MOST_TOLD)] if len(headings) > 1 else []
    )
    return [each[0] for each in alike.values()], list(_notes(context, len(alike), len(tables), unsure, told))


def told_headings(header: Sequence[Cell]) -> str:
    """The headings of a table as a note tells them."""
    return " | ".join(filter(None, (cell.text.strip() for cell in header)))[:_LONGEST_TITLE]


def _notes(
    context: CapabilityContext, distinct: int, count: int, unsure: int, headings: Sequence[str]
) -> Iterator[Diagnostic]:
    """What is told of tables that are joined, and which these are if their headings differ."""
    path = context.field.path
    if headings:
        told = f"the tables headed {' and '.join(headings)} were joined; they may be of different things"
        yield Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, told, path)
    if unsure:
        told = f"{unsure} tables have equal rows under different titles; they were taken once"
        yield Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, told, path, {"tables": unsure})
    if distinct > 1 or not unsure:
        told = f"{distinct} were joined, the others are copies" if distinct > 1 else "they are copies of one"
        told = told if distinct < count else "they were joined"
        told = f"{count} tables have {'the columns that are asked for' if headings else 'the same headings'}; {told}"
        yield Diagnostic("TABLES_JOINED", Severity.INFO, told, path, {"tables": count, "joined": distinct})


def _differ_in_title(document: Document, tables: Sequence[_Headed]) -> bool:
    """Whether equal tables in one part of a document have titles that do not say the same."""
    titles = [_title_above(document, start_of(table)) for table in tables]
    apart = any(parts != titles[0][0] for parts, _ in titles)
    return not apart and len({title for _, title in titles if title}) > 1


def _title_above(document: Document, place: int) -> tuple[Sequence[str], str]:
    """The parts of the document that a place is in, and what the sheet and the line above it say."""
    start = _end_above(document, place)
    end = start + len(document.text[start:place].rstrip())
    start = max(document.text.rfind("\n", start, end) + 1, start)
    parts, sheet = _whereabouts(document.locate((place, place)))
    is_title = 0 < end - start <= _LONGEST_TITLE and _whereabouts(document.locate((start, end))) == (parts, sheet)
    line = document.text[start:end].strip() if is_title else ""
    return parts, " ".join(filter(None, map(_said, (sheet, "" if line.endswith(_ENDS) else line))))


def _end_above(document: Document, place: int) -> int:
    """Where the table above a place ends, if that is near."""
    if "table_ends" not in document.cache:
        tables = (table.rows[-1:] or (table.header,) for table in explicit_tables(document))
        document.cache["table_ends"] = sorted(last[-1].span[1] for (last,) in tables if last)
    ends: list[int] = document.cache["table_ends"]
    before = bisect_right(ends, place)
    return max(ends[before - 1] if before else 0, place - _MOST_ABOVE)


def has_title(document: Document, table: _Headed, above: _Headed) -> bool:
    """Whether words stand right above a table, or the name of its sheet says more than a number."""
    place, other = start_of(table), start_of(above)
    if any(map(_has_words, document.text[_end_above(document, place) : place].splitlines())):
        return True
    sheets = [_said(_whereabouts(document.locate((at, at)))[1]).rstrip("0123456789 ") for at in (place, other)]
    return bool(sheets[0]) and sheets[0] != sheets[1]


def _has_words(line: str) -> bool:
    """Whether a line has words that do not begin small, as "and" and "(continued)" do."""
    first = next(filter(str.isalpha, line), "")
    return bool(first) and not first.islower()


def start_of(table: _Headed) -> int:
    """Where the headings of a table begin."""
    return min(cell.span[0] for cell in table.header if cell.text.strip())


def _said(title: str) -> str:
    """What a title says besides that it is that of a copy, or which."""
    words = fold_label(_NUMBER_OF_COPY.sub("", title.strip())).split()
    if _GIVEN_NAME.fullmatch("".join(words)) or not _COPIES.isdisjoint(words):
        return ""
    return " ".join(word for word in words if word not in _OF_COPIES)


def _whereabouts(source: Source | None) -> tuple[list[str], str]:
    """The parts that an address is in, and the sheet."""
    parts = []
    while isinstance(source, MailPart):
        parts.append(source.part)
        source = source.inner
    return parts, source.sheet if isinstance(source, SheetCell) else ""
