"""Tables that a lookup reads into memory: mappings and CSV files, with an index for each kind of match."""

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

from paxman.contract.model import CanonicalField
from paxman.documents.document import SheetCell
from paxman.documents.encodings import decode
from paxman.errors import CapabilityError, unknown_name
from paxman.serialization import canonical_hash

MOST_TIES = 20
_MOST_TABLES = 16
_SAMPLE = 500
_DELIMITERS = ",;\t|"
_WORD = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"\d+")
_RUN = re.compile(r"\d+|\D+")


@attrs.frozen
class Row:
    """One row that can answer: its key, its value, and its name in the evidence."""

    key: str
    value: Any = attrs.field(hash=False)
    name: str
    source: SheetCell | None = None

    @property
    def is_empty(self) -> bool:
        return self.value is None or self.value == ""


@attrs.frozen
class TableAnswer:
    """Rows that fit a key equally well, and how they fit."""

    rows: tuple[Row, ...]
    how: str

    @property
    def is_close(self) -> bool:
        """Whether the key is only like the rows' own."""
        return self.how.startswith("fuzzy")


def normalize_key(text: str) -> str:
    """Case-folded, without accents and punctuation, words apart by one space."""
    # Twice, because taking a letter apart can leave a capital, and folding one can leave an accent.
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return " ".join(_WORD.findall("".join(letter for letter in letters if not unicodedata.combining(letter))))


@attrs.frozen(eq=False, slots=False)
class MemoryTable:
    """Rows with an index for each kind of match; built once per table."""

    name: str
    content_hash: str
    rows: tuple[Row, ...]
    scope: str = ""
    """What part of the table this is, when it is not the whole."""

    @cached_property
    def sample(self) -> str:
        """Some of the values, which tell how the column writes them."""
        return "\n".join(row.value for row in self.rows[:_SAMPLE] if isinstance(row.value, str))

    @cached_property
    def exact(self) -> dict[str, tuple[Row, ...]]:
        return _grouped(self.rows, lambda row: row.key)

    @cached_property
    def normalized(self) -> dict[str, tuple[Row, ...]]:
        return _grouped(self.rows, lambda row: normalize_key(row.key))

    @cached_property
    def closed(self) -> dict[str, list[str]]:
        """Normalized keys that are ids, by their signs without blanks."""
        keys: dict[str, list[str]] = {}
        for key in filter(_is_id, self.normalized):
            keys.setdefault(key.replace(" ", ""), []).append(key)
        return keys

    @cached_property
    def by_marks(self) -> dict[str, list[str]]:
        """Normalized keys by their marks: names may be misspelt, but another number or legal form is another thing."""
        keys: dict[str, list[str]] = {}
        for key in self.normalized:
            keys.setdefault(_marks(key), []).append(key)
        return keys

    def find(self, key: str, threshold: float) -> TableAnswer | None:
        rows = self.exact.get(key)
        if rows:
            return TableAnswer(rows, "exact match")
        plain = normalize_key(key)
        rows = self.normalized.get(plain) if plain else None
        if rows:
            return TableAnswer(rows, f"normalized match{self.scope}")
        return (self._same_id(plain) or self._closest(plain, threshold)) if plain else None

    def _same_id(self, plain: str) -> TableAnswer | None:
        """The rows of the id that is written with other blanks."""
        if not _is_id(plain):
            return None
        keys = [key for key in self.closed.get(plain.replace(" ", ""), ()) if _are_one_id(plain, key)]
        rows = tuple(row for key in keys for row in self.normalized[key])
        return TableAnswer(rows, f"normalized match, other blanks{self.scope}") if rows else None

    def _closest(self, plain: str, threshold: float) -> TableAnswer | None:
        """The rows of the keys that are most alike, all of them if several are equally so."""
        from rapidfuzz import fuzz, process

        keys = self.by_marks.get(_marks(plain), [])
        scored = process.extract(plain, keys, scorer=fuzz.ratio, score_cutoff=threshold, limit=MOST_TIES)
        nearest = sorted(key for key, score, _ in scored if score == scored[0][1])
        rows = tuple(row for key in nearest for row in self.normalized[key])
        return TableAnswer(rows, f"fuzzy match, {scored[0][1]:.0f} of 100{self.scope}") if rows else None


def _is_id(key: str) -> bool:
    """Whether a normalized key is letters and digits, mostly digits, and no word."""
    digits = sum(map(str.isdigit, key))
    return 2 * digits >= len(key.replace(" ", "")) and not any(
        len(w) > _LONGEST_GROUP for w in key.split() if w.isalpha()
    )


def _are_one_id(key: str, other: str) -> bool:
    """Whether ids of the same signs are one: 12-3 and 1-23 are two, but a long one is grouped at will."""
    signs = len(key.replace(" ", ""))
    is_grouped = " " in key and " " in other
    return signs >= (_LONG_ID if is_grouped else _SHORT_ID) or _runs(key) == _runs(other)


def _runs(key: str) -> list[str]:
    """Letters and digits apart, as in AB1234 and AB 1234."""
    return [run for word in key.split() for run in _RUN.findall(word)]


_LONGEST_GROUP = 4
_SHORT_ID, _LONG_ID = 6, 12


def _marks(key: str) -> str:
    """The digits of a key and its short words, where one letter makes all the difference."""
    return " ".join([*_DIGITS.findall(key), *sorted(word for word in key.split() if len(word) <= _SHORT_WORD)])


_SHORT_WORD = 3


def _grouped(rows: Iterable[Row], key: Callable[[Row], str]) -> dict[str, tuple[Row, ...]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return {name: tuple(group) for name, group in groups.items()}


class Cache:
    """The tables used last; each is loaded by one thread."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.tables: OrderedDict[Hashable, tuple[Any, MemoryTable]] = OrderedDict()
        self.lock = threading.Lock()

    def get(self, key: Hashable, owner: Any, load: Callable[[], MemoryTable]) -> MemoryTable:
        """The table for a key; `owner` is kept alive with it, so that its identity can be part of the key."""
        with self.lock:
            if key not in self.tables:
                self.tables[key] = (owner, load())
            self.tables.move_to_end(key)
            if len(self.tables) > self.size:
                self.tables.popitem(last=False)
            return self.tables[key][1]


CACHE = Cache(_MOST_TABLES)


def from_mapping(lookup: Mapping[str, Any], field: CanonicalField) -> MemoryTable:
    source = lookup["source"]
    column = lookup.get("value") or field.name
    rows = tuple(Row(str(key), _cell(value, column), f"entry {str(key)!r}", None) for key, value in source.items())
    return MemoryTable("the contract's table", canonical_hash(source), rows)


def _cell(value: Any, column: str) -> Any:
    if not isinstance(value, Mapping) or {"amount", "currency"} <= value.keys():
        return value
    if column not in value:
        raise CapabilityError(unknown_name("column", column, map(str, value)))
    return value[column]


def from_csv(path: Path, lookup: Mapping[str, Any], field: CanonicalField) -> MemoryTable:
    from paxman.documents.document import column_letters

    data = path.read_bytes()
    try:
        text = decode(data).text
        first = text.partition("\n")[0]
        delimiter = max(_DELIMITERS, key=first.count)
        records = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise CapabilityError(f"cannot read the lookup table {path.name!r}: {error}") from None
    header = [name.strip() for name in records[0]] if records else []
    key, value = columns_of(header, lookup, field)
    rows = tuple(
        Row(_at(record, key), _at(record, value), f"row {number}", SheetCell("", f"{column_letters(value)}{number}"))
        for number, record in enumerate(records[1:], 2)
        if _at(record, key)
    )
    return MemoryTable(path.name, hashlib.sha256(data).hexdigest(), rows)


def _at(record: Sequence[str], place: int) -> str:
    return record[place].strip() if place < len(record) else ""


def columns_of(header: Sequence[str], lookup: Mapping[str, Any], field: CanonicalField) -> tuple[int, int]:
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
