"""A first contract from an example: a document, or a payload that looks like the data one wants."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from paxman.api.draft_forms import blank_fields, boxed_pairs, stacked_labels
from paxman.api.draft_names import is_heading, is_known, is_person, usual_fields, with_business_names
from paxman.api.draft_payloads import INTEGER, WORD, field_of, from_entity, from_payload, merge_drafts, name_of, unique
from paxman.api.inputs import InputData, RawInput, load_input
from paxman.api.normalize import run_pipeline
from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.results import FieldResult
from paxman.budget import Budget, Policy
from paxman.contract import adapt
from paxman.contract.labels import fold_label
from paxman.contract.model import CanonicalField
from paxman.documents.document import Cell, Document, Pair, Table
from paxman.documents.reading import read_document
from paxman.errors import ExecutionError
from paxman.finding.terms import PAPERS
from paxman.lazy import remembered
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import load
from paxman.page.grid import Layout, head_cell, strips_of
from paxman.page.names import page_of
from paxman.recognizers import conventions_of, read_value
from paxman.recognizers.base import Conventions
from paxman.recognizers.tables import words as words_of
from paxman.types import FieldType, Money, Severity, Span

_NEEDED = {
    FieldType.INTEGER: INTEGER,
    FieldType.DATETIME: re.compile(r"\d.*[T ,]\d{1,2}:\d\d"),
    FieldType.DATE: re.compile(r"\d"),
    FieldType.BOOLEAN: re.compile(r"^[^\W\d]+$"),
    FieldType.MONEY: re.compile(r"[^\d\s.,'()+-]"),
    FieldType.DECIMAL: re.compile(r"^(?!\d{10,}$)[-+]?(?:0|[1-9]|[.,])"),
}
"""The types that are tried, in this order, and what a text must have to be one."""
_TRIED = tuple(_NEEDED)
_DIGIT = re.compile(r"\d")
_GROUPING = re.compile(r"[.,'’\s]")
_NOTE = re.compile(r"\s*\([^()]*\)$")
_REMARK = re.compile(r"\s\([^()\d]*\)$")
"""What may stand behind an amount, such as "(incl. tax)": figures may be another amount."""
_WEEKDAY = re.compile(r"[^\W\d_]{2,14}[.,]{1,2}\s?")
"""What may stand around a date: "Friday, 13 June 2025 (from 15:00)"."""
_RATE = re.compile(r"\s*\(?\d[\d.,]*\s?%\)?$")
"""The rate behind a label, as in "VAT 20%": the next paper may have another."""
_LONGEST_LABEL, _MOSTWORDS, _LONGEST_VALUE = 60, 6, 200
_DATA = frozenset({"json", "xml", "csv"})
"""Kinds of documents that are no forms to fill in."""
_LAID_OUT = 3
"""Columns from which text that stands in columns is a list; two columns are labels and values."""
_SAMPLE = _LONGEST_LIST = 50
_MOST_FIELDS = 60
"""Fields of a draft that one still looks through; a text that has more is a text, not a form."""
_MOST_PAIRS = 200
"""Pairs that a form may have; a page with more is mostly prose."""
_ITEMS = "line_items"
_ITEM_TERMS = frozenset(("article", "quantity", "unit_price", "description", "line_total"))
_ITEM_COLUMNS = {
    "position": "INTEGER",
    "article_number": "STRING",
    "description": "STRING",
    "quantity": "DECIMAL",
    "unit": "STRING",
    "unit_price": "DECIMAL",
    "discount": "DECIMAL",
    "tax_rate": "DECIMAL",
    "amount": "DECIMAL",
}
"""The columns of lists of items."""
_SURE = 0.8


def draft_contract(examples: Sequence[InputData], name: str) -> dict[str, Any]:
    """A contract in the Dict DSL with a field for everything that the examples show.

    A field is required if all of them have it; of three or more examples, what only one has is left out.
    """
    drafts = [_draft(load_input(example)) for example in examples]
    return _contract(name, merge_drafts(drafts) if len(drafts) > 1 else drafts[0])


def _draft(raw: RawInput) -> list[dict[str, Any]]:
    payload = _parse(raw.data)
    fields = from_payload(payload) if isinstance(payload, Mapping | list) else _from_file(raw)
    if fields:
        return fields
    wrong, where = say_unreadable(read_document(raw.data, raw.name)), f" in {raw.name}" if raw.name else ""
    if wrong:
        raise ExecutionError(f"the example cannot be read: {wrong}", error_code="UNREADABLE_INPUT")
    raise ExecutionError(
        f"nothing was found to start a contract from{where}: no label with its value and no table; "
        "give another example, or JSON that looks like the data you want",
        error_code="NOTHING_FOUND",
    )


def say_unreadable(document: Document) -> str:
    """Why nothing of a document could be read; empty if something could."""
    if document.text.strip():
        return ""
    return "; ".join(note.message for note in document.diagnostics if note.severity is Severity.ERROR)


def _from_file(raw: RawInput) -> list[dict[str, Any]]:
    document = read_document(raw.data, raw.name)
    found = unique((*from_entity(document), *_from_document(document, _find_items(raw, document))))
    blank = [] if document.kind in _DATA or document.kind == "spreadsheet" else blank_fields(document)
    empty = {field["name"] for field in blank}
    found = [field for field in found if field["name"] not in empty]
    found = with_business_names(found if len(found) <= _MOST_FIELDS else [each for each in found if _is_worth(each)])
    if not found and document.tree:
        found = from_payload(document.tree)
    kept = _keep_found(raw, found) if found else []
    beside = _unlabelled(raw, document, kept) if document.kind not in _DATA else ()
    return unique((*kept, *beside, *blank[:_MOST_FIELDS]))


def _unlabelled(raw: RawInput, document: Document, fields: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What papers of the same trade have, and this one has at a place of its own: the seller over a letterhead."""
    title = " ".join(document.text[slice(*span)] for span in page_of(document).titles[:1])
    usual = usual_fields(fields, title)
    if not usual:
        return
    known = _run(raw, fields).field_results if fields else ()
    taken = [ref.span for result in known for ref in result.evidence_refs if ref.span]
    found = _run(raw, usual)
    for field in usual:
        result = found[field["name"]]
        places = [ref.span for ref in result.evidence_refs if ref.span and ref.role == "supporting"]
        if result.confidence >= _SURE and places and not any(_overlap(a, b) for a in places for b in taken):
            taken += places
            yield field


def _contract(name: str, fields: list[dict[str, Any]]) -> dict[str, Any]:
    return {"id": name_of(name), "version": "1", "fields": fields}


def _keep_found(raw: RawInput, fields: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The fields that are found again in the example; of the others, those that papers use, as optional text."""
    lost = _missing(raw, fields)
    for plainer in (_as_read, lambda field: {**field, "type": "STRING"}):
        fields = unique(plainer(field) if field["name"] in lost and "items" not in field else field for field in fields)
        lost = _missing(raw, fields) if lost else lost
    known = [field for field in fields if field["name"] not in lost or _is_known(field["name"].replace("_", " "))]
    return [{**field, "required": field["required"] and field["name"] not in lost} for field in known]


def _as_read(field: dict[str, Any]) -> dict[str, Any]:
    """A field under the name that the page has for it, and an amount without its currency, whose sign may be shared."""
    kind = "DECIMAL" if field["type"] == "MONEY" else field["type"]
    return {**field, "name": name_of(field.get("labels", [field["name"]])[0]), "type": kind}


def _missing(raw: RawInput, fields: list[dict[str, Any]]) -> set[str]:
    """The fields that have no value, and names of persons that would be a count: Guests: 2 adults."""
    found, persons = _run(raw, fields).field_results, {field["name"] for field in fields if is_person(field)}
    counts = {each.field_path for each in found if each.field_path in persons and str(each.value)[:1].isdecimal()}
    return counts | {result.field_path for result in found if result.status == "UNRESOLVED"}


def _run(raw: RawInput, fields: list[dict[str, Any]]) -> ExecutionArtifact:
    policy = Policy(allow_remote_inference=False, allow_local_inference=False, optional_fields="free")
    return run_pipeline(raw, adapt(_contract("draft", fields)), Budget(), policy)


def _find_items(raw: RawInput, document: Document) -> FieldResult | None:
    """The list of items that no markup tells of: found by asking for the columns that such lists have."""
    if any(map(_is_list, document.tables)) or any(map(_has_items, _laid_out(document))):
        return None
    columns = [{"name": name, "type": kind, "required": False} for name, kind in _ITEM_COLUMNS.items()]
    asked = {"name": _ITEMS, "type": "ARRAY", "required": True, "items": {"type": "OBJECT", "fields": columns}}
    found = _run(raw, [asked])[_ITEMS]
    names = {name for row in found.value or () for name, value in row.items() if value is not None}
    return found if len(names) > 1 and "description" in names and found.confidence >= _SURE else None


def _is_worth(field: Mapping[str, Any]) -> bool:
    """Whether a field of a long text is more than a phrase with a colon: a list, or what some trade asks for."""
    return "items" in field or is_known(str(field.get("labels", [field["name"]])[0]))


def _parse(data: bytes) -> Any:
    try:
        return json.loads(data, parse_float=Decimal)
    except (ValueError, RecursionError):
        return None


def _from_document(document: Document, items: FieldResult | None) -> Iterator[dict[str, Any]]:
    """A field for each pair of label and value, and one for each list."""
    conventions = conventions_of(document.text)
    boxes = _boxes(document)
    tables = [table for table in (*document.tables, *_laid_out(document)) if _is_list(table)]
    tables = [table for table in tables if not any(_overlap(_extent(table), label) for label, _ in boxes)]
    spans = [ref.span for ref in items.evidence_refs if ref.span] if items else []
    listed = (min(spans)[0], max(end for _, end in spans)) if spans else (0, 0)
    tables = [table for table in tables if not _overlap(_extent(table), listed)]
    written_in = [(document.text[slice(*label)], document.text[slice(*value)]) for label, value in boxes]
    for written, value in (*written_in, *_pairs(document, [*map(_extent, tables), listed], boxes)):
        label = _RATE.sub("", written)
        yield field_of(label, _kind(label, [value], conventions))
    for label, values in _headed_blocks(document):
        kind = _kind(label, values, conventions)
        yield field_of(label, kind) if len(values) == 1 else {**field_of(label, "ARRAY"), "items": {"type": kind}}
    if items:
        yield _item_field(items)
    for number, table in enumerate(tables, 1 + (items is not None)):
        plain = ("line_items" if _has_items(table) else "rows") + (f"_{number}" * (number > 1))
        name = name_of(table.name or (_title(document, table) if not _has_items(table) else "") or plain)
        yield {**field_of(name, "ARRAY"), "items": _columns(table, conventions)}


def _title(document: Document, table: Table) -> str:
    """The heading right above a table; empty if other text stands between."""
    start = table.header[0].span[0]
    above = [mark.span for mark in document.marks if mark.kind == "heading" and mark.span[1] <= start]
    said = [document.text[slice(*span)] for span in above[-1:] if not document.text[span[1] : start].strip("\n |")]
    return said[0] if said and _is_label(said[0]) else ""


def _item_field(items: FieldResult) -> dict[str, Any]:
    """The array that was found, with the columns that have something in them."""
    filled = Counter(name for row in items.value for name, value in row.items() if value is not None)
    cells = [cell for row in items.value for cell in row.items() if isinstance(cell[1], Decimal)]
    broken = {name for name, value in cells if value != value.to_integral_value()}
    columns = [
        {
            "name": name,
            "type": "INTEGER" if name == "quantity" and name not in broken else kind,
            "required": filled[name] == len(items.value),
        }
        for name, kind in _ITEM_COLUMNS.items()
        if filled[name] * 2 > len(items.value)
    ]
    return {"name": _ITEMS, "type": "ARRAY", "required": True, "items": {"type": "OBJECT", "fields": columns}}


def _extent(table: Table) -> Span:
    return table.header[0].span[0], _body(table)[-1][-1].span[1]


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _is_list(table: Table) -> bool:
    """Whether a table lists things of one kind: not pairs, nor text that only stands in columns."""
    header = [cell.text.strip() for cell in table.header]
    if len(header) < 2 or not _body(table):
        return False
    if len(header) < _LAID_OUT and fold_label(header[-1]) in words_of("value_heading"):
        return False
    return any(header) and not _is_form(table)


@remembered(lambda document: (document.cache,))
def _boxes(document: Document) -> tuple[tuple[Span, Span], ...]:
    return () if document.kind in _DATA else tuple(boxed_pairs(page_of(document), _is_used))


@remembered(lambda document: (document.cache,))
def _laid_out(document: Document) -> tuple[Table, ...]:
    """Lists that only stand in columns: names side by side, and below them rows that fill most of the columns."""
    layout = Layout(page_of(document).lines)
    found: list[Table] = []
    end = 0
    boxed = {layout.lines.at(span[0]) for box in _boxes(document) for span in box}
    for line in layout.lines:
        texts = [layout.text[slice(*span)] for span in line.cells]
        named = all(_is_label(text) and not text.endswith(":") and not _DIGIT.search(text) for text in texts)
        if line.number < end or line.number in boxed or line.gridded or len(texts) < _LAID_OUT or not named:
            continue
        columns = layout.stack([line.number], 1)
        strips, rows, end = strips_of(columns, [""] * len(columns)), [], line.number + 1
        while end < len(layout.lines) and not layout.lines[end].gridded and end not in boxed:
            row = layout.row(end, strips, None)
            if row.far or row.loose or 2 * len(row.filled) <= len(columns) or 0 not in row.filled:
                break
            rows.append(row.cells)
            end += 1
        if rows:
            found.append(Table(tuple(head_cell(layout.text, column) for column in columns), tuple(rows)))
    return tuple(found)


def _is_form(table: Table) -> bool:
    """Whether two columns are labels that papers use and values; a single row is no heading of anything."""
    if len(table.header) != 2 or not table.rows:
        return len(table.header) == 2
    firsts, head = [row[0].text for row in (table.header, *table.rows[:_SAMPLE])], table.header[1].text
    known = [_is_known(text) for text in firsts]
    if all(known) or (sum(known) * 2 > len(known) and _DIGIT.search(head)):
        return True
    named = [len(text) > 1 and _is_used(text) for text in firsts]
    figures = {bool(_DIGIT.search(row[1].text)) for row in (table.header, *table.rows[:_SAMPLE]) if len(row) > 1}
    is_mixed = len(figures) > 1 and len(set(firsts)) == len(firsts) and all(map(_is_label, firsts))
    return not _is_used(head) and (all(named) or (is_mixed and 3 * sum(named) >= len(named)))


def _has_items(table: Table) -> bool:
    """Whether two headings at least are those of lines of items."""
    keys = (load().by_head.get(fold_words(cell.text), ()) for cell in table.header)
    return sum(any(key.rpartition("/")[2] in _ITEM_TERMS for key in found) for found in keys) > 1


def _body(table: Table) -> list[tuple[Cell, ...]]:
    """Rows below headings, without sums."""
    named = [index for index, cell in enumerate(table.header) if cell.text.strip()]
    rows = [row for row in table.rows[:_SAMPLE] if any(row[i].text.strip() for i in named if i < len(row))]
    return [row for row in rows if len(named) < _LAID_OUT or not _is_sum(row)]


def _is_sum(row: tuple[Cell, ...]) -> bool:
    """Whether a row of a list has nothing but a label that papers use and its value."""
    filled = [cell.text.strip() for cell in row if cell.text.strip()]
    return len(filled) == 2 and _is_known(filled[0])


def _pairs(document: Document, lists: Sequence[Span], boxes: Sequence[tuple[Span, Span]]) -> Iterator[tuple[str, str]]:
    """Labels with their values, outside of lists and of boxes of forms.

    Without a colon or a cell between them, or one above the other, they are a pair if papers use the label.
    """
    named = [table for table in document.tables if not _is_form(table)]
    headers = {cell.span for table in named for cell in table.header}
    pairs = page_of(document).pairs
    beside = {pair.label_span for pair in pairs if pair.relation == "beside"}
    used: set[Span] = set()
    taken = sorted(span for box in boxes for span in box)
    for table in document.tables:
        if table.rows and _is_form(table):
            yield table.header[0].text.strip(), table.header[1].text.strip()
    for pair in pairs:
        label, value = pair.label, document.text[slice(*pair.value_span)]
        inside = any(_overlap(span, each) for each in lists for span in (pair.label_span, pair.value_span))
        inside = inside or _overlaps_any(pair.label_span, taken) or _overlaps_any(pair.value_span, taken)
        listed = inside or pair.label_span in headers or any(_overlap(pair.label_span, each) for each in used)
        if listed or pair.label_span in used or not _is_label(label) or len(value) > _LONGEST_VALUE:
            continue
        if _is_pair(document, pair) and not (pair.relation == "below" and {pair.label_span, pair.value_span} & beside):
            used.add(pair.value_span)
            yield label, value


def _headed_blocks(document: Document) -> Iterator[tuple[str, list[str]]]:
    """Labels that end their line with a colon, and the lines below them, each a value."""
    page = page_of(document)
    for name in page.names if document.kind == "text" else ():
        places = [place for place in name.places if place.relation in ("section", "below")]
        values = [line.strip() for line in document.text[slice(*places[0].block)].splitlines()] if places else []
        ends = document.text[name.span[1] : name.span[1] + 2] == ":\n" and _is_label(name.text)
        are_sentences_or_pairs = any(": " in value or value.endswith((":", ".")) for value in values)
        short = all(0 < len(value) <= _LONGEST_LABEL for value in values)
        if ends and 0 < len(values) <= _LONGEST_LIST and short and not are_sentences_or_pairs:
            yield name.text, values


def _is_pair(document: Document, pair: Pair) -> bool:
    """Whether a label has its value there; in a long text only a label that some trade uses, with a colon behind it."""
    label = _RATE.sub("", pair.label)
    parted = pair.relation == "beside" and _is_parted(document, pair)
    if len(page_of(document).pairs) > _MOST_PAIRS:
        return parted and (is_known(label) or _is_known(label))
    if pair.relation == "below" and fold_words(label.lstrip("# ")) in load().paper_names:
        return False  # The title of the paper stands over whatever comes first.
    if _is_known(label) or pair.label_span in _stacked(document):
        return True
    if pair.relation == "below":
        return pair.label_span in _headings(document) and is_known(label)
    return not is_heading(label) and (parted or (" " in label and is_known(label)))


@remembered(lambda document: (document.cache,))
def _stacked(document: Document) -> frozenset[Span]:
    return stacked_labels(page_of(document), _is_label, _is_used)


@remembered(lambda document: (document.cache,))
def _headings(document: Document) -> frozenset[Span]:
    """Headings of parts that papers usually have, where most of a page's are such, as in a resume."""
    marks = sorted(mark.span for mark in document.marks if mark.kind == "heading")[1:]
    known = [span for span in marks if is_known(document.text[slice(*span)])]
    return frozenset(known if len(known) >= _LAID_OUT and 2 * len(known) > len(marks) else ())


def _is_parted(document: Document, pair: Pair) -> bool:
    """Whether a sign parts label and value, and the label begins its line or cell: prose has colons, too."""
    between = document.text[pair.label_span[1] : pair.value_span[0]]
    if "\t" in between or {pair.label_span, pair.value_span} <= _cells(document):
        return True
    before = document.text[max(0, pair.label_span[0] - 200) : pair.label_span[0]].rpartition("\n")[2]
    begins = not before.strip(" \t*-•#>|([") or before.endswith(("  ", "\t", "| "))
    return begins and any(sign in between for sign in ":=")


@remembered(lambda document: (document.cache,))
def _cells(document: Document) -> frozenset[Span]:
    """Where the cells of tables stand that markup tells of."""
    rows = [row for table in document.tables for row in (table.header, *table.rows)]
    return frozenset(cell.span for row in rows for cell in row)


def _is_label(text: str) -> bool:
    """A few words; what starts with a number is an item or an address."""
    words = WORD.findall(text)
    fits = 0 < len(words) <= _MOSTWORDS and len(text) <= _LONGEST_LABEL and "@" not in text
    return fits and not words[0].isdigit() and any(word.isalpha() for word in words)


def _is_known(label: str) -> bool:
    return load().is_label(label, PAPERS)


def _is_used(label: str) -> bool:
    """Whether papers or some trade use a label."""
    return _is_known(label) or is_known(label)


def _overlaps_any(span: Span, others: Sequence[Span]) -> bool:
    """Whether a span overlaps one of others, which are in order and apart."""
    at = bisect_left(others, (span[1], 0))
    return at > 0 and _overlap(span, others[at - 1])


def _columns(table: Table, conventions: Conventions) -> dict[str, Any]:
    fields = []
    rows = _body(table)
    for index, cell in enumerate(table.header):
        values = [text for row in rows if index < len(row) and (text := row[index].text.strip())]
        if not (values or cell.text.strip()):
            continue
        values = [text for text in values if not load().says_nothing(text.casefold())]
        label = cell.text.strip() or f"column {index + 1}"
        fields.append(field_of(label, _kind(label, values, conventions), required=len(values) == len(rows)))
    return {"type": "OBJECT", "fields": unique(fields)}


def _kind(label: str, texts: Sequence[str], conventions: Conventions) -> str:
    """The narrowest type that takes all of these texts, whole; numbers that only name something are text."""
    said = fold_label(label).split()
    names = not words_of("naming").isdisjoint(said) or any(word.endswith("nummer") for word in said)
    for kind in () if names or not texts else _TRIED:
        field = CanonicalField("draft:x", "x", "x", kind)
        if all(_is_whole(text.strip(), field, conventions) for text in texts):
            return kind.value
    return "STRING"


def _is_whole(text: str, field: CanonicalField, conventions: Conventions) -> bool:
    """Whether the whole text is a value of the type: an amount of money has its currency, a count no leading zero."""
    if _NEEDED[field.type].search(text) is None:
        return False
    noted = field.type in (FieldType.DATE, FieldType.DATETIME)
    text = (_NOTE if noted else _REMARK).sub("", text) if noted or field.type is FieldType.MONEY else text
    reading = read_value(text, field, conventions)
    if reading is None or reading.end < len(text) or not _prints_back(text, reading.value):
        return False
    return reading.start == 0 or (noted and _WEEKDAY.fullmatch(text[: reading.start]) is not None)


def _prints_back(text: str, value: Any) -> bool:
    """Whether a value, printed again, has the characters of its text, but for marks between the digits."""
    if isinstance(value, Decimal | int) and not isinstance(value, bool):
        return _GROUPING.sub("", text.lstrip("+")).replace("−", "-") == _GROUPING.sub("", f"{Decimal(value):f}")
    if isinstance(value, Money):
        letters, digits = ("".join(filter(test, text)) for test in (str.isalpha, str.isdigit))
        return len(letters) != 1 and digits == "".join(filter(str.isdigit, f"{value.amount:f}"))
    return not isinstance(value, bool) or len(text) > 1
