"""What a table of the format itself is: columns below headings, or a label and its value in every row."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.business_terms import DATES, NUMBERS, PARTIES, label_terms
from paxman.capabilities.descriptions import told_keys
from paxman.contract.labels import compact_label, fold_name
from paxman.contract.model import CanonicalContract
from paxman.currencies import MINOR_UNITS
from paxman.documents.document import Cell, Document, NodePath, Table
from paxman.lazy import lazy_pattern
from paxman.recognizers.base import UNKNOWN
from paxman.recognizers.tables import words
from paxman.types import Span

_LAID_OUT = frozenset({"text", "pdf", "image"})
_SAMPLE, _FEW = 50, 3
_DELIMITERS = ",;\t|"
_DELIMITED = lazy_pattern(r"[\"']? ?[,;\t|]")
"""The end of a cell, which no value begins with."""


def explicit_tables(document: Document) -> list[Table]:
    """Tables of the format itself; what only looks like one in laid-out text is for other capabilities."""
    if document.kind in _LAID_OUT:
        return []
    return [table for table in document.tables if table.explicit]


def is_in_column(context: CapabilityContext, label: int, value: int | None = None) -> bool:
    """Whether a label heads a column that bears the field's name, or a value below is one of many or in another column.

    Such values are read by the cells of the table, or not at all.
    """
    document = context.document
    if document.kind in _LAID_OUT:
        return False
    if document.kind == "csv" and value is not None and _crosses_columns(document.text, label, value):
        return True
    headers = _headers(document)
    place = bisect_right(headers, label, key=lambda header: header[0]) - 1
    if place < 0 or label >= headers[place][1]:
        return False
    _, end, table = headers[place]
    of_pairs = is_of_pairs(context.contract, table)
    column = bisect_right(table.header, label, key=lambda cell: cell.span[0]) - 1
    named = fold_name(table.header[column].text) in told_keys(context.contract, context.field)
    if of_pairs or named or of_pairs is None:
        return named and not of_pairs
    if document.kind != "csv" and value is not None and value < end:
        return False
    below = [row[column] for row in table.rows[:_SAMPLE] if column < len(row) and row[column].text.strip()]
    inside = value is None or any(cell.span[0] <= value < cell.span[1] for cell in below)
    return document.kind == "csv" or not inside or len({cell.text.strip() for cell in below}) > 1


def crosses_cells(document: Document, start: int, end: int) -> bool:
    """Whether a span goes on behind the cell of a delimited file that it begins; a comma in a text is none."""
    if document.kind != "csv":
        return False
    if _DELIMITED.match(document.text, start):
        return True
    if "ends" not in document.cache:
        rows = (row for table in document.tables for row in (table.header, *table.rows))
        document.cache["ends"] = sorted((cell.span[1], cell.span[0]) for row in rows for cell in row if cell.text)
    ends: list[Span] = document.cache["ends"]
    place = bisect_right(ends, (start, end))
    if place == len(ends):
        return False
    stop, begin = ends[place]
    return begin <= start and stop < end and not document.text[begin:start].strip()


def crosses_elements(document: Document, label: int, value: int) -> bool:
    """Whether neither of two places in XML is in the element that holds the other, as in a label and its value."""
    if document.kind != "xml":
        return False
    one, other = (document.locate((place, place + 1)) for place in (label, value))
    if not isinstance(one, NodePath) or not isinstance(other, NodePath):
        return False
    parents = (path.rpartition("/")[0] + "/" for path in (one.path, other.path))
    return not any(path.startswith(parent) for path, parent in zip((other.path, one.path), parents, strict=True))


def _crosses_columns(text: str, label: int, value: int) -> bool:
    """Whether two places are in different columns of lines that are parted alike."""
    first, second = (text.rfind("\n", 0, place) + 1 for place in (label, value))
    if first == second:
        return False
    lines = [text[start : (text.find("\n", start) + 1 or len(text) + 1) - 1] for start in (first, second)]
    alike = (mark for mark in _DELIMITERS if lines[0].count(mark) == lines[1].count(mark) > 1)
    return any(text.count(mark, first, label) != text.count(mark, second, value) for mark in alike)


def _headers(document: Document) -> list[tuple[int, int, Table]]:
    """The tables with headings over rows, each with the place of these in the text; found once per document."""
    if "headers" not in document.cache:
        tables = [table for table in explicit_tables(document) if table.header and table.rows]
        spans = [[cell.span for cell in table.header] for table in tables]
        places = [(min(map(min, each)), max(map(max, each))) for each in spans]
        found = [(start, end, table) for (start, end), table in zip(places, tables, strict=True)]
        document.cache["headers"] = sorted(found, key=lambda header: header[:2])
    headers: list[tuple[int, int, Table]] = document.cache["headers"]
    return headers


def is_of_pairs(contract: CanonicalContract, table: Table) -> bool | None:
    """Whether a table has labels, each before its value, in every row, the first one too; None if nobody can say.

    The value may span columns.
    """
    filled = list(dict.fromkeys(cell for cell in table.header if cell.text.strip()))
    if table.headed or not filled or filled[0] is not table.header[0]:
        return False
    if table.rows and all(map(_alternate, (table.header, *table.rows[:_SAMPLE]))):
        return True
    if not _is_label(contract, filled[0].text):
        return False
    first = [cells[0].text for cells in table.rows[:_SAMPLE] if cells and cells[0].text.strip()]
    of_labels = bool(first) and all(_is_label(contract, each) for each in first)
    if len(filled) % 2:
        return _has_more(contract, filled, first, of_labels)
    if any(_is_label(contract, cell.text) for cell in filled[1::2]):
        return None if of_labels and len(filled) == 2 else False
    if len(filled) == 2 and _are_pairs([filled, *table.rows[:_SAMPLE]]):
        return True
    if of_labels:
        return _are_labels(contract, filled, first) or None
    if not first or len(filled) > 2 or len(set(first)) < len(first):
        return False
    if any(fold_name(each) in _names(contract) for each in first):
        return True
    below, beside = any(map(_is_value, first[:_FEW])), _is_value(filled[1].text)
    return beside if below is not beside else None


def _are_pairs(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether a day, amount or number stands behind a label of one in the first row, or in most of the others."""
    pairs = [(row[0].text, row[1].text.strip()) for row in rows if len(row) > 1 and row[0].text.strip()]
    if pairs[0][1].lower() in words("any_value"):
        return False
    if _fits(*pairs[0]):
        return True
    if len(set(pairs)) < len(pairs) or _are_alike([text for _, text in pairs[1:]]):
        return False
    return 2 * sum(_fits(*pair) for pair in pairs[1:]) > len(pairs) - 1


def _are_alike(texts: Sequence[str]) -> bool:
    """Whether texts may as well be a column: amounts, or several days."""
    return all(map(_PRICE.fullmatch, texts)) or (len(texts) > 1 and all(map(_is_day, texts)))


def _is_day(text: str) -> bool:
    from paxman.recognizers.dates import read_date

    return read_date(text, UNKNOWN) is not None


def _fits(label: str, text: str) -> bool:
    """Whether a text is what a label of business papers calls for, and no name of a column."""
    terms = _terms(label)
    if not any(map(str.isdecimal, text)):
        return not PARTIES.isdisjoint(terms) and _is_organization(text)
    if not DATES.isdisjoint(terms):
        return _is_day(text)
    return not NUMBERS.isdisjoint(terms) or (bool(terms) and _PRICE.fullmatch(text) is not None)


_PRICE = lazy_pattern(r"(?:[A-Z]{3}|[^\w\s]{1,2})? ?\d[\d.,' ]{0,20}[.,]\d\d(?: ?(?:[A-Z]{3}|[^\w\s]{1,2}))?")


def _alternate(cells: Sequence[Cell]) -> bool:
    """Whether a row is of labels with a colon, and values behind some of them."""
    texts = dict.fromkeys((cell.span, cell.text.strip()) for cell in cells if cell.text.strip())
    colons = [text.endswith((":", "：")) for _, text in texts]
    return colons[:1] == [True] and not all(colons) and all(one or other for one, other in pairwise(colons))


def _has_more(
    contract: CanonicalContract, header: Sequence[Cell], first: Sequence[str], of_labels: bool
) -> bool | None:
    """Whether more than a value follows the labels of a first column: its unit, or where a party is."""
    if len(header) < 2 or not first or any(_is_label(contract, cell.text) for cell in header[1:]):
        return False
    party = _is_organization(header[1].text)
    if not of_labels:
        return None if party and not any(map(_is_value, first[:_FEW])) else False
    if not any(str.isalpha(sign) for cell in header[1:] for sign in cell.text):
        return None  # Years, perhaps.
    named = all(fold_name(each) in _names(contract) for each in (header[0].text, *first))
    return party or (named and _is_value(header[1].text)) or None


def _are_labels(contract: CanonicalContract, header: Sequence[Cell], first: Sequence[str]) -> bool:
    """Whether words below a label are labels too: "Cash" and "Card" below a method of payment are its values."""
    if any(fold_name(each) in _names(contract) for each in first):
        return True
    terms, beside = {term for each in first for term in _terms(each)}, header[1].text
    party = not PARTIES.isdisjoint(_terms(header[0].text)) and terms <= PARTIES | NUMBERS
    return party or len(terms) > 1 or any(map(str.isdecimal, beside)) or _is_value(beside)


def _terms(label: str) -> list[str]:
    return [term for key in compact_label(label) for term in label_terms().get(key, ())[:1]]


def _is_value(text: str) -> bool:
    """Whether a text is hardly a label: an organization, a currency, or without letters."""
    return not any(map(str.isalpha, text)) or text.strip() in MINOR_UNITS or _is_organization(text)


def _is_organization(text: str) -> bool:
    from paxman.recognizers.parties import find_organizations

    return bool(find_organizations(text, UNKNOWN))


def _is_label(contract: CanonicalContract, text: str) -> bool:
    """Whether the contract or common business papers name something so."""
    return fold_name(text) in _names(contract) or bool(_terms(text))


def _names(contract: CanonicalContract) -> frozenset[str]:
    if "names" not in contract.memo:
        contract.memo["names"] = frozenset(key for field in contract.leaves for key in told_keys(contract, field))
    names: frozenset[str] = contract.memo["names"]
    return names
