"""Values from a table: a mapping in the contract or a CSV file. Exact match first, then normalized, then fuzzy."""

from __future__ import annotations

import csv
import hashlib
import io
import re
import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import attrs

from paxman.capabilities.base import (
    Candidate,
    CapabilityContext,
    CapabilityResult,
    CapabilitySpec,
    CapabilityTier,
    CostHint,
    EvidenceRef,
)
from paxman.capabilities.derivation import as_field_type
from paxman.contract.model import CanonicalField
from paxman.documents.document import SheetCell
from paxman.errors import CapabilityError, unknown_name
from paxman.serialization import canonical_hash
from paxman.types import Diagnostic, FieldType, Severity

THRESHOLD = 90
"""How alike (of 100) a key must be to one that it is not; a lookup may state its own."""

_MOST_TABLES = 16
_MOST_KEYS = 5
_MOST_TIES = 20
_DELIMITERS = ",;\t|"
_WORD = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"\d+")


@attrs.frozen
class _Row:
    """One row that can answer: its key, its value, and its name in the evidence."""

    key: str
    value: Any = attrs.field(hash=False)
    name: str
    source: SheetCell | None


@attrs.frozen
class _Answer:
    rows: tuple[_Row, ...]
    how: str


class Lookup:
    """Finds the row for the value of another field, or the canonical form of the field's own candidates."""

    spec = CapabilitySpec(
        "lookup",
        "1.0",
        output_types=frozenset(FieldType) - {FieldType.ARRAY, FieldType.OBJECT},
        tier=CapabilityTier.STRUCTURED_LOOKUP,
        cost_estimate=CostHint(ms=1),
    )

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        lookup = context.field.lookup or {}
        keys = _keys(context, lookup)
        if not keys:
            return _note(context, "MISSING_INPUT", Severity.INFO, f"no value for {lookup.get('from') or 'the key'}")
        table = _table(context, lookup)
        results = [_look_up(context, table, key, refs) for key, refs in keys.items()]
        return CapabilityResult(
            tuple(candidate for result in results for candidate in result.candidates),
            diagnostics=tuple(note for result in results for note in result.diagnostics),
        )


def _keys(context: CapabilityContext, lookup: Mapping[str, Any]) -> dict[str, tuple[EvidenceRef, ...]]:
    """What to look up, each with the evidence that it came from."""
    if lookup.get("from"):
        value = context.resolved.get(lookup["from"])
        return {} if value is None else {str(value): ()}
    keys: dict[str, tuple[EvidenceRef, ...]] = {}
    for candidate in context.candidates:
        refs = tuple(attrs.evolve(ref, role="context") for ref in candidate.evidence_refs)
        keys.setdefault(str(candidate.value), refs)
    return dict(list(keys.items())[:_MOST_KEYS])


def _look_up(context: CapabilityContext, table: _Table, key: str, refs: tuple[EvidenceRef, ...]) -> CapabilityResult:
    threshold = (context.field.lookup or {}).get("threshold", THRESHOLD)
    answer = table.find(key, float(threshold))
    if answer is None:
        return _note(context, "NO_MATCH", Severity.INFO, f"{table.name} has no row for the key")
    values = {repr(row.value) for row in answer.rows}
    if len(values) > 1:
        rows = ", ".join(row.name for row in answer.rows[:_MOST_KEYS])
        message = f"{len(values)} different values in {table.name} answer equally well ({answer.how}): {rows}"
        return _note(context, "AMBIGUOUS_VALUE", Severity.WARNING, message)
    return _candidate(context, table, answer, refs)


def _candidate(
    context: CapabilityContext, table: _Table, answer: _Answer, refs: tuple[EvidenceRef, ...]
) -> CapabilityResult:
    row = answer.rows[0]
    try:
        value = _typed(row.value, context.field)
    except ValueError as error:
        return _note(context, "VALIDATION_FAILED", Severity.WARNING, f"{table.name} {row.name}: {error}")
    detail = f"{table.name} {row.name} ({answer.how}), sha256:{table.content_hash}"
    ref = EvidenceRef(context.spec.id, context.spec.version, context.field.path, source=row.source, detail=detail)
    return CapabilityResult((Candidate(value, (ref, *refs)),))


def _typed(value: Any, field: CanonicalField) -> Any:
    """A cell as the field's type; what is not text already has a type of its own."""
    if not isinstance(value, str) or field.type is FieldType.STRING:
        return as_field_type(value, field)
    from paxman.recognizers import read_value

    reading = read_value(value, field)
    if reading is None:
        raise ValueError(f"the value in the table is not {field.type.value}")
    return reading.value


def _note(context: CapabilityContext, code: str, severity: Severity, message: str) -> CapabilityResult:
    return CapabilityResult(diagnostics=(Diagnostic(code, severity, message, context.field.path),))


def normalize_key(text: str) -> str:
    """Case-folded, without accents and punctuation, words apart by one space."""
    # Twice, because taking a letter apart can leave a capital, and folding one can leave an accent.
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return " ".join(_WORD.findall("".join(letter for letter in letters if not unicodedata.combining(letter))))


@attrs.frozen(eq=False, slots=False)
class _Table:
    """Rows with an index for each kind of match; built once per table."""

    name: str
    content_hash: str
    rows: tuple[_Row, ...]

    @cached_property
    def exact(self) -> dict[str, tuple[_Row, ...]]:
        return _grouped(self.rows, lambda row: row.key)

    @cached_property
    def normalized(self) -> dict[str, tuple[_Row, ...]]:
        return _grouped(self.rows, lambda row: normalize_key(row.key))

    @cached_property
    def by_digits(self) -> dict[str, list[str]]:
        """Normalized keys by their digits: names may be misspelt, but another number is another thing."""
        keys: dict[str, list[str]] = {}
        for key in self.normalized:
            keys.setdefault(_digits(key), []).append(key)
        return keys

    def find(self, key: str, threshold: float) -> _Answer | None:
        rows = self.exact.get(key)
        if rows:
            return _Answer(rows, "exact match")
        plain = normalize_key(key)
        rows = self.normalized.get(plain) if plain else None
        if rows:
            return _Answer(rows, "normalized match")
        return self._closest(plain, threshold) if plain else None

    def _closest(self, plain: str, threshold: float) -> _Answer | None:
        """The rows of the keys that are most alike, all of them if several are equally so."""
        from rapidfuzz import fuzz, process

        keys = self.by_digits.get(_digits(plain), [])
        scored = process.extract(plain, keys, scorer=fuzz.ratio, score_cutoff=threshold, limit=_MOST_TIES)
        nearest = sorted(key for key, score, _ in scored if score == scored[0][1])
        rows = tuple(row for key in nearest for row in self.normalized[key])
        return _Answer(rows, f"fuzzy match, {scored[0][1]:.0f} of 100") if rows else None


def _digits(key: str) -> str:
    return " ".join(_DIGITS.findall(key))


def _grouped(rows: Iterable[_Row], key: Callable[[_Row], str]) -> dict[str, tuple[_Row, ...]]:
    groups: dict[str, list[_Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return {name: tuple(group) for name, group in groups.items()}


class _Cache:
    """The tables used last; each is loaded by one thread."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.tables: OrderedDict[Hashable, tuple[Any, _Table]] = OrderedDict()
        self.lock = threading.Lock()

    def get(self, key: Hashable, owner: Any, load: Callable[[], _Table]) -> _Table:
        """The table for a key; `owner` is kept alive with it, so that its identity can be part of the key."""
        with self.lock:
            if key not in self.tables:
                self.tables[key] = (owner, load())
            self.tables.move_to_end(key)
            if len(self.tables) > self.size:
                self.tables.popitem(last=False)
            return self.tables[key][1]


_CACHE = _Cache(_MOST_TABLES)


def _table(context: CapabilityContext, lookup: Mapping[str, Any]) -> _Table:
    source, field = lookup["source"], context.field
    if isinstance(source, Mapping):
        return _CACHE.get((id(source), lookup.get("value"), field.name), source, lambda: _from_mapping(lookup, field))
    path = Path(context.contract.base_path or "") / source
    try:
        stat = path.stat()
        key = (str(path.absolute()), stat.st_mtime_ns, stat.st_size, lookup.get("key"), lookup.get("value"), field.name)
        return _CACHE.get(key, None, lambda: _from_csv(path, lookup, field))
    except OSError as error:
        raise CapabilityError(
            f"cannot read the lookup table {source!r}: {error.strerror}. Give a path to a CSV file, relative to the"
            " contract's file or to the working directory",
            context={"source": source},
        ) from None


def _from_mapping(lookup: Mapping[str, Any], field: CanonicalField) -> _Table:
    source = lookup["source"]
    column = lookup.get("value") or field.name
    rows = tuple(
        _Row(str(key), _cell(value, column), f"entry {str(key)!r}", None)
        for key, value in source.items()
        if value is not None
    )
    return _Table("the contract's table", canonical_hash(source), rows)


def _cell(value: Any, column: str) -> Any:
    if not isinstance(value, Mapping) or {"amount", "currency"} <= value.keys():
        return value
    if column not in value:
        raise CapabilityError(unknown_name("column", column, map(str, value)))
    return value[column]


def _from_csv(path: Path, lookup: Mapping[str, Any], field: CanonicalField) -> _Table:
    from paxman.documents.encodings import decode

    data = path.read_bytes()
    try:
        records = _records(decode(data).text)
    except csv.Error as error:
        raise CapabilityError(f"cannot read the lookup table {path.name!r}: {error}") from None
    header = [name.strip() for name in records[0]] if records else []
    key, value = _columns(header, lookup, field)
    rows = tuple(
        _Row(record[key].strip(), record[value].strip(), f"row {number}", SheetCell("", f"{_letters(value)}{number}"))
        for number, record in enumerate(records[1:], 2)
        if len(record) > max(key, value) and record[key].strip() and record[value].strip()
    )
    return _Table(path.name, hashlib.sha256(data).hexdigest(), rows)


def _records(text: str) -> list[list[str]]:
    first = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


def _columns(header: Sequence[str], lookup: Mapping[str, Any], field: CanonicalField) -> tuple[int, int]:
    """Places of the key and value columns."""
    if not header:
        raise CapabilityError(f"the lookup table {lookup['source']!r} is empty: it needs a header row")
    key = lookup.get("key") or header[0]
    value = lookup.get("value") or _value_column(header, key, lookup, field)
    for name in (key, value):
        if name not in header:
            raise CapabilityError(unknown_name("column", name, header, f"Look at {lookup['source']!r}."))
    return header.index(key), header.index(value)


def _value_column(header: Sequence[str], key: str, lookup: Mapping[str, Any], field: CanonicalField) -> str:
    """The column of the field's name; or the other one of two; a field's own value is looked up in the key column."""
    if field.name in header or not lookup.get("from"):
        return field.name if field.name in header else key
    others = [name for name in header if name != key]
    if len(others) != 1:
        raise CapabilityError(f'which column of {lookup["source"]!r} is the value? Name it as "value" in the lookup')
    return others[0]


def _letters(column: int) -> str:
    """A column's name in a sheet: A, B, ... Z, AA."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
