"""The small vocabulary that every stage shares: field types, status, bands, money, diagnostics."""

from __future__ import annotations

import datetime
import enum
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

import attrs

from paxman.classes import frozen
from paxman.currencies import MINOR_UNITS
from paxman.lazy import lazy_pattern

Span = tuple[int, int]
"""Start and end in code points of `Document.text`, end exclusive."""

IDENTIFIER = lazy_pattern(r"[^\W\d]\w*(?:[-.]\w+)*\Z")
LOST = lazy_pattern("[\ue000-\uf8ff\ufffd\U000f0000-\U0010fffd]")
"""Characters of a text that nobody could name, or that only their own font can."""
FINE_BLANKS = "\xa0\u2000-\u200a\u202f\u205f"
"""No-break and thin spaces, as a class of a pattern."""
RAISED = "\u200a"
"""What a reader puts before the raised cents of a price; a space there would part two numbers."""
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾⁺⁻"
"""Exponents and the marks of footnotes: no digits of a number, no letters of a word."""


@enum.unique
class FieldType(enum.Enum):
    __hash__ = object.__hash__  # That of enums is written in Python, and sets of types are asked at every turn.

    STRING = "STRING"
    INTEGER = "INTEGER"
    DECIMAL = "DECIMAL"
    BOOLEAN = "BOOLEAN"
    DATE = "DATE"
    DATETIME = "DATETIME"
    TIME = "TIME"
    DURATION = "DURATION"
    ENUM = "ENUM"
    OBJECT = "OBJECT"
    MAP = "MAP"
    ARRAY = "ARRAY"
    MONEY = "MONEY"
    UNION = "UNION"


@enum.unique
class Status(enum.Enum):
    """Outcome of a whole run."""

    SUCCESS = "SUCCESS"
    PARTIAL_SUCCESS = "PARTIAL_SUCCESS"
    UNRESOLVED = "UNRESOLVED"
    EXECUTION_FAILED = "EXECUTION_FAILED"
    INVALID_CONTRACT = "INVALID_CONTRACT"


@enum.unique
class ConfidenceBand(enum.Enum):
    CERTAIN = "CERTAIN"
    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"
    UNTRUSTED = "UNTRUSTED"


@enum.unique
class Origin(enum.Enum):
    """How a value came to be."""

    EXTRACTED = "EXTRACTED"
    LOOKED_UP = "LOOKED_UP"
    DERIVED = "DERIVED"
    INFERRED = "INFERRED"
    REVIEWED = "REVIEWED"
    DEFAULT = "DEFAULT"


def is_within(path: str, field: str) -> bool:
    """Whether a path is a field's own, or that of a part of it."""
    return path == field or path.startswith((f"{field}[", f"{field}."))


@enum.unique
class Severity(enum.Enum):
    INFO = "INFO"
    WARNING = "WARNING"
    ERROR = "ERROR"


@enum.unique
class Fallback(enum.Enum):
    """What a field does when nothing was found."""

    UNRESOLVED = "UNRESOLVED"
    USE_DEFAULT = "USE_DEFAULT"
    REQUIRE_HUMAN = "REQUIRE_HUMAN"


class FrozenMap(dict[str, Any]):
    """A dict that refuses changes; `dict(...)` gives a copy to change."""

    def _refuse(self, *args: Any, **named: Any) -> Any:
        raise TypeError("this is part of a frozen record; dict(...) of it is a copy that may be changed")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenMap, (dict(self),)


_FROZEN = frozenset({str, int, float, bool, type(None), Decimal, FrozenMap})


def freeze(value: Any) -> Any:
    """Deeply immutable copy: dicts refuse changes, lists become tuples."""
    kind = type(value)
    if kind in _FROZEN:
        return value
    if kind is list or kind is tuple:
        return tuple(map(freeze, value))
    if kind is dict or isinstance(value, Mapping):
        return FrozenMap({key: freeze(item) for key, item in value.items()})
    return value


def place_at(data: dict[str, Any], path: str, value: Any) -> None:
    """Put a value into nested dicts."""
    *parents, name = path.split(".")
    for parent in parents:
        data = data.setdefault(parent, {})
    data[name] = value


def thaw(value: Any) -> Any:
    """The inverse of `freeze`: plain dicts and lists that the caller may change."""
    if isinstance(value, Mapping):
        return {key: thaw(item) for key, item in value.items()}
    return [thaw(item) for item in value] if isinstance(value, list | tuple) else value


LOSSES = frozenset({"ROW_REJECTED", "ROWS_OPEN", "VALIDATION_FAILED", "SUM_DIFFERS"})
"""Codes of what is lost or does not add up, where a note is more than information."""
MASK = "**********"


class Secret(str):
    """A text that shows a mask wherever it is printed, logged, stored or sent; `reveal` gives it back."""

    _hidden: str

    def __new__(cls, hidden: str) -> Secret:
        made = super().__new__(cls, MASK)
        made._hidden = hidden
        return made

    def reveal(self) -> str:
        return self._hidden

    def __reduce__(self) -> tuple[Any, ...]:
        return str, (MASK,)


def reveal(value: Any) -> Any:
    """A value with its secrets in clear, for the caller's own model."""
    if isinstance(value, Secret):
        return value.reveal()
    if isinstance(value, Mapping):
        return {key: reveal(item) for key, item in value.items()}
    return [reveal(item) for item in value] if isinstance(value, list | tuple) else value


def iso_text(value: Any) -> str:
    """A date, time or number as text; a moment in UTC ends in Z, as programs write it."""
    if isinstance(value, datetime.datetime | datetime.time):
        text = value.isoformat()
        return f"{text[:-6]}Z" if text.endswith("+00:00") else text
    return value.isoformat() if isinstance(value, datetime.date) else str(value)


def to_decimal(value: Any) -> Decimal:
    """A finite Decimal; floats go through their shortest text so that 0.1 stays 0.1."""
    try:
        number = value if isinstance(value, Decimal) else Decimal(str(value))
    except InvalidOperation:
        raise ValueError(f"not a number: {value!r}") from None
    if not number.is_finite():
        raise ValueError(f"not a finite number: {value!r}")
    return number


def dollars(amount: Decimal | str) -> str:
    """A cost as people write it: "$0" and "$0.50", never "$0E-8"."""
    whole, _, cents = f"{Decimal(amount).normalize():f}".partition(".")
    return f"${whole}.{cents.ljust(2, '0')}" if cents else f"${whole}"


def _to_currency(code: str) -> str:
    code = str(code).upper()
    if code not in MINOR_UNITS:
        raise ValueError(f"not an ISO 4217 currency code: {code!r}")
    return code


@attrs.frozen(order=False)
class Money:
    """An amount in a currency; keeps the digits it was given."""

    amount: Decimal = attrs.field(converter=to_decimal)
    currency: str = attrs.field(converter=_to_currency)

    def __str__(self) -> str:
        return f"{self.amount} {self.currency}"

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        def parse(value: Any) -> Money:
            if isinstance(value, Money):
                return value
            if isinstance(value, Mapping) and {"amount", "currency"} <= value.keys():
                return cls(value["amount"], value["currency"])
            raise ValueError("expected Money or {'amount': ..., 'currency': ...}")

        return core_schema.no_info_plain_validator_function(
            parse,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda money: {"amount": str(money.amount), "currency": money.currency}
            ),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {"amount": {"type": "string"}, "currency": {"type": "string"}},
            "required": ["amount", "currency"],
            "x-paxman": {"type": "MONEY"},
        }


class Labels(tuple[str, ...]):
    """Words that stand beside the value: `Annotated[str, paxman.Labels("Invoice no.", "Rechnungsnummer")]`."""

    def __new__(cls, *labels: str) -> Labels:
        return super().__new__(cls, labels)


class Tags(tuple[str, ...]):
    """What the value is: `Annotated[str, paxman.Tags("organization")]`."""

    def __new__(cls, *tags: str) -> Tags:
        return super().__new__(cls, tags)


class Derive(str):
    """A formula over other fields: `Annotated[Decimal, paxman.Derive("quantity * price")]`."""


@frozen
class Lookup:
    """A table that the value is taken from: `Annotated[str, paxman.Lookup("suppliers.csv", of="supplier")]`.

    `of` is the field that holds the key; without it the value that was found is looked up itself.
    """

    source: Any = attrs.field(converter=freeze, hash=False)
    of: str | None = None
    key: str | None = None
    value: str | None = None
    table: str | None = None
    threshold: int | None = None
    password: str | None = None


@frozen
class Check:
    """A condition on fields beside this one: `Annotated[Decimal, paxman.Check("total == net + tax", "0.01")]`."""

    expr: str
    tolerance: str | int | Decimal | None = None


def _texts(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(texts)


ExpectedBy = Literal["count", "numbers", "structure"]


@frozen
class RowLedger:
    """What became of every line of an array's region: rows found and rejected, and the other lines by kind."""

    found: int = 0
    rejected: int = 0
    expected: int = 0
    """How many rows there should be."""
    expected_by: ExpectedBy = "structure"
    """What says so: a count that the page prints, running numbers of the rows, or the structure alone."""
    lines: Mapping[str, int] = attrs.field(factory=dict, converter=freeze, hash=False)
    """Lines that are no rows: continuation, title, sum, note, head, page, blank, skipped, unaccounted."""
    unbound: tuple[str, ...] = attrs.field(default=(), converter=_texts)
    """Columns of the array that may be among those of the region, though nothing tells which they are."""
    unaccounted: tuple[str, ...] = attrs.field(default=(), converter=_texts)
    """Where the first lines stand that are no row, though nothing says what else they are, with their text."""

    @property
    def is_open(self) -> bool:
        """Whether something of the region is not in the data, or more is there than the page says."""
        is_short = self.found + self.rejected != self.expected
        return is_short or bool(self.rejected or self.unbound or self.lines.get("unaccounted"))

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is open, in words."""
        loose = self.lines.get("unaccounted", 0)
        lines = f"{loose} line{'s are' if loose > 1 else ' is'} no row, and nothing says what else"
        reasons = {
            f"{_EXPECTING[self.expected_by]} {self.expected}": self.found + self.rejected != self.expected,
            f"{self.rejected} rejected": bool(self.rejected),
            "; ".join((lines, *self.unaccounted[:2])): bool(loose),
            f"nothing tells where these columns stand: {', '.join(self.unbound)}": bool(self.unbound),
        }
        return tuple(reason for reason, holds in reasons.items() if holds)

    def joined(self, rows: Sequence[Any], needed: Iterable[str]) -> RowLedger:
        """The ledger of all rows, with those that another finder added: it may have rejected or not known them.

        A column that is `needed` and that a row lacks stays open.
        """
        cells = [row if isinstance(row, Mapping) else {} for row in rows]
        lacking = [name for name in needed if any(row.get(name) is None for row in cells)]
        open_columns = [name for name in self.unbound if all(row.get(name) is None for row in cells)]
        count, more = len(rows), len(rows) - self.found
        rejected, loose = max(0, self.rejected - more), max(0, self.lines.get("unaccounted", 0) - more)
        lines = {kind: number for kind, number in self.lines.items() if kind != "unaccounted"}
        is_told = self.expected_by != "structure"
        return attrs.evolve(
            self,
            found=count,
            rejected=rejected,
            expected=self.expected if is_told else max(self.expected, count + rejected),
            lines=lines | ({"unaccounted": loose} if loose else {}),
            unaccounted=self.unaccounted[:loose],
            unbound=dict.fromkeys((*open_columns, *lacking)),
        )

    def __str__(self) -> str:
        return count_of_rows(self.found, self.expected)

    def to_dict(self) -> dict[str, Any]:
        return {attribute.name: getattr(self, attribute.name) for attribute in attrs.fields(RowLedger)}


def count_of_rows(found: int, expected: int) -> str:
    return f"{found:,} of {expected:,} row{'' if expected == 1 else 's'}"


_EXPECTING = {
    "count": "the page says that there are",
    "numbers": "the rows are numbered up to",
    "structure": "the structure has",
}


@frozen
class Diagnostic:
    """Something a reader of the result should know."""

    code: str
    severity: Severity
    message: str
    field_path: str | None = None
    context: Mapping[str, Any] = attrs.field(factory=dict, converter=freeze, hash=False)

    @property
    def is_loss(self) -> bool:
        """Whether a row, a cell of one, or a member of an object stands in the document and not in the data."""
        return self.code == "ROW_REJECTED" and self.severity is not Severity.INFO
