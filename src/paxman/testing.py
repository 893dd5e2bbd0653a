"""Hypothesis strategies for code that uses Paxman; needs the extra `testing`."""

from __future__ import annotations

import datetime
import html
import json
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import attrs

from paxman.errors import to_install

try:
    from hypothesis import strategies as st
except ImportError as error:
    raise ImportError(f"paxman.testing needs Hypothesis: {to_install('testing')}") from error

from paxman.budget import Budget, CurrencyPolicy, Policy
from paxman.contract import adapt
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.types import FieldType, place_at

if TYPE_CHECKING:
    from paxman.artifact.artifact import ExecutionArtifact
    from paxman.planner.field_plan import ExecutionPlan

Strategy = st.SearchStrategy
Document = str | bytes | dict[str, Any] | list[Any]

_NAMES = tuple("total net tax supplier buyer invoice_number issued due_date quantity status note".split())
_LABELS = (
    "Total",
    "Amount due",
    "Rechnungsnr.",
    "N° de facture",
    "Verkäufer",
    "合計",
    "Date",
    "Qty",
    "Net (excl. VAT)",
)
_WORDS = (
    "Acme Ltd",
    "Müller & Söhne",
    "株式会社",
    "paid",
    "x",
    "O'Neill, Inc.",
    "INV-17",
    "12",
    "n/a",
    '"quoted"',
    "<b>",
)
_PATTERNS = (r"^INV-\d{1,6}$", r"[A-Z]{2}\d{4}", r"^\d{5}$", r"ref[ -]?[0-9a-f]{4}")
_TAGS = ("organization", "header", "email", "vat_id", r"regex:\b[A-Z]{3}\d{3}\b")
_RESERVED = ("and", "or", "not", "true", "false")
_NUMERIC = ("INTEGER", "DECIMAL")

_names = st.sampled_from(_NAMES) | st.from_regex(r"[a-z][a-z_]{2,8}", fullmatch=True).filter(
    lambda name: name not in _RESERVED
)
_labels = st.lists(st.sampled_from(_LABELS), unique=True, max_size=2)
_decimals = st.decimals(-(10**7), 10**7, places=2)
_fractions = st.integers(0, 100).map(lambda percent: percent / 100)
_currencies = st.sampled_from(("EUR", "USD", "JPY", "KWD", "GBP"))


def _rule(kind: str, **params: Any) -> dict[str, Any]:
    return {"kind": kind, "params": params}


@attrs.frozen
class _Kind:
    """A scalar type: values as JSON has them, constraints that such a value meets, and ways to print one."""

    values: Strategy[Any]
    rules: Callable[[Any], list[dict[str, Any]]] = lambda value: []
    texts: Callable[[Any], list[str]] = lambda value: [str(value)]


def _number_texts(value: Any) -> list[str]:
    english = f"{Decimal(str(value)):,}"
    swapped = english.translate(str.maketrans(",.", ".,"))
    return [str(value), english, swapped, swapped.replace(".", " ")]


def _money_texts(value: Any) -> list[str]:
    amount, currency = value["amount"], value["currency"]
    sign = {"EUR": "€", "USD": "$", "GBP": "£"}.get(currency, currency)
    return [f"{amount} {currency}", f"{currency} {amount}", f"{sign}{amount}", str(amount)]


def _date_texts(value: Any) -> list[str]:
    day = datetime.date.fromisoformat(value)
    return [value, f"{day.day:02}.{day.month:02}.{day.year:04}", f"{day.day} {day:%B} {day.year:04}", f"{day:%m/%d/%Y}"]


def _bounds(value: Any) -> list[dict[str, Any]]:
    number = Decimal(str(value))
    return [_rule("min_value", min=str(number - 1)), _rule("max_value", max=str(number))]


_KINDS: dict[str, _Kind] = {
    "STRING": _Kind(
        st.sampled_from(_WORDS) | st.text(st.characters(codec="utf-8"), max_size=12),
        lambda value: [_rule("min_length", min=min(1, len(value))), _rule("max_length", max=len(value) + 20)],
    ),
    "INTEGER": _Kind(st.integers(-(10**9), 10**9), _bounds, _number_texts),
    "DECIMAL": _Kind(_decimals.map(str), _bounds, _number_texts),
    "BOOLEAN": _Kind(st.booleans(), texts=lambda value: ["yes", "true", "x"] if value else ["no", "false"]),
    "DATE": _Kind(st.dates(datetime.date(1000, 1, 1)).map(datetime.date.isoformat), texts=_date_texts),
    "MONEY": _Kind(
        st.fixed_dictionaries({"amount": _decimals.map(str), "currency": _currencies}),
        lambda value: _bounds(value["amount"]),
        _money_texts,
    ),
}


def contracts(max_fields: int = 5) -> Strategy[dict[str, Any]]:
    """Valid contracts as Dict DSL, nested ones and such with formulas, lookups and checks among them."""
    return _contracts(max_fields)


def canonical(max_fields: int = 5) -> Strategy[CanonicalContract]:
    """The same contracts in canonical form."""
    return contracts(max_fields).map(adapt)


@st.composite
def _contracts(draw: st.DrawFn, max_fields: int) -> dict[str, Any]:
    fields = draw(_field_lists(max_fields, depth=2))
    data: dict[str, Any] = {
        "id": draw(_names),
        "version": draw(st.sampled_from(("1", "1.2", "2024-05"))),
        "fields": fields,
    }
    derived = draw(_derived(fields))
    if derived:
        fields.append(derived)
    if draw(st.booleans()):
        data["policy"] = draw(_contract_policies)
    if draw(st.booleans()):
        data["constraints"] = draw(_checks(fields))
    return data


@st.composite
def _checks(draw: st.DrawFn, fields: list[dict[str, Any]]) -> list[dict[str, Any]]:
    numbers = [field["name"] for field in fields if field["type"] in _NUMERIC]
    if not numbers:
        return []
    left, right = draw(st.sampled_from(numbers)), draw(st.sampled_from(numbers))
    return [_rule("check", expr=f"{left} <= {right} + 100", tolerance="0.01")]


_contract_policies = st.fixed_dictionaries(
    {},
    optional={
        "confidence_floor": _fractions,
        "unresolved_acceptable": st.booleans(),
        "currency_policy": st.sampled_from([policy.value for policy in CurrencyPolicy]),
        "stop_on_first_unresolved": st.booleans(),
    },
)


@st.composite
def _field_lists(draw: st.DrawFn, max_fields: int, depth: int) -> list[dict[str, Any]]:
    names = draw(st.lists(_names, min_size=1, max_size=max_fields, unique=True))
    return [draw(_fields(name, depth)) for name in names]


@st.composite
def _fields(draw: st.DrawFn, name: str, depth: int) -> dict[str, Any]:
    kinds = [*_KINDS, "ENUM", *(("OBJECT", "ARRAY") if depth else ())]
    kind = draw(st.sampled_from(kinds))
    field: dict[str, Any] = {"name": name, "type": kind, "required": draw(st.booleans())}
    field |= draw(_hints)
    return field | draw(_parts(kind, depth))


_hints = st.fixed_dictionaries(
    {},
    optional={
        "labels": _labels,
        "tags": st.lists(st.sampled_from(_TAGS), unique=True, max_size=1),
        "nullable": st.booleans(),
        "description": st.sampled_from(_LABELS),
        "confidence_threshold": _fractions,
        "fallback": st.sampled_from(("UNRESOLVED", "REQUIRE_HUMAN")),
    },
)


def _parts(kind: str, depth: int) -> Strategy[dict[str, Any]]:
    """What only fields of this type have."""
    if kind == "ENUM":
        return st.lists(st.sampled_from(_WORDS), min_size=1, max_size=4, unique=True).map(
            lambda words: {"enum_values": words}
        )
    if kind == "OBJECT":
        return st.fixed_dictionaries({"fields": _field_lists(3, depth - 1)})
    if kind == "ARRAY":
        rows = st.fixed_dictionaries({"fields": _field_lists(3, 0).map(_as_columns)})
        return st.fixed_dictionaries({"items": rows | st.sampled_from([{"type": kind} for kind in _KINDS])})
    return _scalar_parts(kind)


def _as_columns(fields: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Fields without what a column of an array cannot have."""
    foreign = ("confidence_threshold", "fallback", "lookup")
    return [{key: value for key, value in field.items() if key not in foreign} for field in fields]


@st.composite
def _scalar_parts(draw: st.DrawFn, kind: str) -> dict[str, Any]:
    value = draw(_KINDS[kind].values)
    rules = [rule for rule in _KINDS[kind].rules(value) if draw(st.booleans())]
    parts: dict[str, Any] = {"constraints": rules}
    if draw(st.booleans()):
        parts |= {"default": value, "fallback": draw(st.sampled_from(("USE_DEFAULT", "UNRESOLVED")))}
    elif kind == "STRING" and draw(st.booleans()):
        rules.append(_rule("pattern", regex=draw(st.sampled_from(_PATTERNS))))
    elif kind == "STRING" and draw(st.booleans()):
        parts["lookup"] = {"source": {word: word.upper() for word in _WORDS}, "threshold": 90}
    return parts


@st.composite
def _derived(draw: st.DrawFn, fields: list[dict[str, Any]]) -> dict[str, Any] | None:
    """A field computed from two others, where there are such."""
    kind = draw(st.sampled_from((*_NUMERIC, "MONEY")))
    inputs = [field["name"] for field in fields if field["type"] == kind]
    if not inputs or any(field["name"] == "derived" for field in fields):
        return None
    left, right = draw(st.sampled_from(inputs)), draw(st.sampled_from(inputs))
    operator = draw(st.sampled_from("+-"))
    return {"name": "derived", "type": kind, "required": draw(st.booleans()), "derive": f"{left} {operator} {right}"}


def budgets() -> Strategy[Budget]:
    """Budgets from none at all to ample."""
    counts = _mostly_none(st.integers(0, 50))
    return st.builds(
        Budget,
        max_total_cost_usd=_mostly_none(st.sampled_from(("0", "0.0005", "0.001", "1"))),
        max_total_latency_ms=_mostly_none(st.integers(0, 10_000)),
        max_remote_inference_calls=counts,
        max_capability_invocations=counts,
        max_input_size_bytes=_mostly_none(st.integers(0, 10_000)),
    )


def _mostly_none(caps: Strategy[Any]) -> Strategy[Any]:
    return st.integers(0, 4).flatmap(lambda chance: caps if chance == 4 else st.none())


def policies() -> Strategy[Policy]:
    """Policies of every kind; raw input stays out of logs."""
    flag = st.booleans()
    return st.builds(
        Policy,
        allow_remote_inference=flag,
        allow_local_inference=flag,
        confidence_floor=_fractions,
        unresolved_acceptable=flag,
        currency_policy=st.none() | st.sampled_from(CurrencyPolicy),
        optional_fields=st.sampled_from(("free", "all", "skip")),
        reject_below_floor=flag,
        embed_evidence_payload=flag,
        locale=st.none() | st.sampled_from(("en_US", "de_DE", "fr-CH")),
    )


def inputs(contract: Any = None) -> Strategy[Document]:
    """Documents of all kinds. Given a contract, most of them mention its labels and hold values for its fields."""
    chosen = canonical() if contract is None else st.just(contract).map(adapt)
    about = chosen.flatmap(_contents).flatmap(_documents)
    return st.one_of(about, about, about, st.text(max_size=200), st.binary(max_size=200), about.flatmap(_damaged))


@attrs.frozen
class _Content:
    """What a document is to say: a label, a value and its print for each field, and the value of whole trees."""

    lines: list[tuple[str, str]]
    tree: dict[str, Any]


@st.composite
def _contents(draw: st.DrawFn, contract: CanonicalContract) -> _Content:
    lines: list[tuple[str, str]] = []
    tree: dict[str, Any] = {}
    for field in contract.leaves:
        if draw(st.integers(0, 4)):
            value = draw(_values(field))
            kind = _KINDS.get(field.type.value)
            lines.append(
                (draw(_spoken(field)), draw(st.sampled_from(kind.texts(value)) if kind else st.just(str(value))))
            )
            place_at(tree, field.path, value)
    return _Content(lines, tree)


def _spoken(field: CanonicalField) -> Strategy[str]:
    return st.sampled_from((*field.labels, field.name, field.name.replace("_", " ").title()))


def _values(field: CanonicalField) -> Strategy[Any]:
    """Values that mostly meet the field's constraints."""
    if field.type is FieldType.ARRAY and field.items:
        return st.lists(_values(field.items), max_size=3)
    if field.type is FieldType.OBJECT:
        return st.fixed_dictionaries({child.name: _values(child) for child in field.children})
    if field.type is FieldType.ENUM:
        return st.sampled_from(field.enum_values)
    regex = _readable(field.constraint("pattern"))
    return st.from_regex(regex, fullmatch=True) if regex else _KINDS[field.type.value].values


def _readable(pattern: Mapping[str, Any] | None) -> re.Pattern[str] | None:
    """The pattern, if the standard library can read it as well."""
    try:
        return re.compile(pattern["regex"], re.ASCII) if pattern else None
    except re.error:
        return None


@st.composite
def _documents(draw: st.DrawFn, content: _Content) -> Document:
    lines = draw(st.permutations(content.lines + draw(st.lists(_noise, max_size=2))))
    written = (_as_text, _as_html, _as_csv)
    text = draw(st.sampled_from(written))(lines)
    as_json = json.dumps(content.tree, ensure_ascii=False)
    encoded = text.encode(draw(st.sampled_from(("utf-8", "utf-8-sig", "utf-16", "latin-1"))), "replace")
    forms: list[Document] = [text, text, as_json, encoded, content.tree, [content.tree]]
    return draw(st.sampled_from(forms))


_noise = st.tuples(st.sampled_from((*_LABELS, *_WORDS)), st.sampled_from(_WORDS))


def _as_text(lines: list[tuple[str, str]]) -> str:
    return "\n".join(f"{label}: {text}" for label, text in lines)


def _as_html(lines: list[tuple[str, str]]) -> str:
    rows = "".join(f"<tr><th>{html.escape(label)}</th><td>{html.escape(text)}</td></tr>" for label, text in lines)
    return f"<!DOCTYPE html><html><body><table>{rows}</table></body></html>"


def _as_csv(lines: list[tuple[str, str]]) -> str:
    columns = [[part.replace('"', '""') for part in line] for line in lines]
    return "\n".join(",".join(f'"{column[row]}"' for column in columns) for row in (0, 1))


@st.composite
def _damaged(draw: st.DrawFn, document: Document) -> bytes:
    """The bytes of a document with some of them cut out and others put in."""
    data = document if isinstance(document, bytes) else str(document).encode("utf-8", "replace")
    at = draw(st.integers(0, len(data)))
    return data[:at] + draw(st.binary(max_size=8)) + data[at + draw(st.integers(0, 8)) :]


def plans() -> Strategy[ExecutionPlan]:
    """Plans for random contracts, inputs, budgets and policies."""
    return _plans()


@st.composite
def _plans(draw: st.DrawFn) -> ExecutionPlan:
    from paxman.api.normalize import plan

    contract = draw(contracts())
    return plan(draw(inputs(contract)), contract, draw(budgets()), draw(policies()))


def artifacts() -> Strategy[ExecutionArtifact]:
    """Artifacts of real runs over random contracts and inputs."""
    return _artifacts()


@st.composite
def _artifacts(draw: st.DrawFn) -> ExecutionArtifact:
    from paxman.api.normalize import normalize

    contract = draw(contracts())
    return normalize(draw(inputs(contract)), contract, draw(budgets()), draw(policies()))
