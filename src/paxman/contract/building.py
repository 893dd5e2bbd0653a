"""From drafts to the canonical contract: the checks that need a whole field, and then the whole contract."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import attrs

from paxman.classes import frozen
from paxman.contract.constraints import problems
from paxman.contract.dependencies import check_dependencies, name_in_full, take_checks, take_described
from paxman.contract.drafts import MISSING, Draft, Findings, KeyPath, Rule
from paxman.contract.model import CanonicalContract, CanonicalField, ContractPolicy, Source
from paxman.contract.rules import to_checks, to_constraints, to_date
from paxman.currencies import MINOR_UNITS
from paxman.types import Fallback, FieldType, Money, to_decimal

_CONTAINERS = (FieldType.OBJECT, FieldType.ARRAY, FieldType.MAP)


@frozen
class ContractDraft:
    """A contract as it was written."""

    id: str
    version: str
    fields: Sequence[Draft]
    rules: Sequence[Rule] = ()
    policy: ContractPolicy = ContractPolicy()
    source: Source = "other"
    root: str = ""
    lessons: str = ""


def build_contract(draft: ContractDraft, findings: Findings) -> CanonicalContract:
    """The canonical contract, or one error with everything that is wrong."""
    placed: dict[str, Draft] = {}
    _place(draft.fields, "", placed, findings)
    rules = [*draft.rules, *take_checks(placed)]
    take_described(placed)
    name_in_full(placed)
    fields = tuple(_build_field(field, draft.id, "", findings) for field in draft.fields)
    checks = to_checks(rules, findings)
    check_dependencies(fields, placed, [rule for rule in rules if rule.kind == "check"], findings)
    warnings = findings.settle()
    return CanonicalContract(
        draft.id,
        draft.version,
        fields,
        checks,
        draft.policy,
        draft.source,
        warnings,
        root=draft.root,
        lessons_file=draft.lessons,
    )


def _place(drafts: Sequence[Draft], above: str, placed: dict[str, Draft], findings: Findings) -> None:
    """Note the drafts by path; a path that two fields share could not be addressed."""
    for draft in drafts:
        path = above + draft.name
        if path in placed:
            place = draft.place if draft.hints else draft.at("name")
            hint = "Names are unique on each level."
            findings.error("DUPLICATE_FIELD", place, f"the path {path!r} is taken by another field.", hint)
            continue
        placed[path] = draft
        columns = draft.items.children if draft.items else ()
        _place(columns, f"{path}[].", placed, findings)
        _place(draft.children, f"{path}.", placed, findings)


def _build_field(draft: Draft, contract_id: str, above: str, findings: Findings) -> CanonicalField:
    path = above + draft.name
    field = CanonicalField(
        id=f"{contract_id}:{path}",
        path=path,
        name=draft.name,
        type=draft.type,
        required=draft.required,
        nullable=draft.nullable,
        description=draft.description,
        semantic_tags=draft.tags,
        labels=draft.labels,
        constraints=to_constraints(draft.rules, draft.type, findings),
        confidence_threshold=draft.confidence_threshold,
        fallback_policy=draft.fallback,
        children=tuple(_build_field(child, contract_id, f"{path}.", findings) for child in draft.children),
        lookup=draft.lookup,
        derive=draft.derive,
        items=_build_items(draft, contract_id, path, findings),
        text_form=draft.text_form,
        prefix=tuple(_build_field(part, contract_id, path, findings) for part in draft.prefix),
        branches=tuple(_build_branch(branch, draft, contract_id, above, findings) for branch in draft.branches),
        open=draft.open,
        secret=draft.secret,
    )
    _check_parts(draft, findings)
    return _with_default(field, draft, findings)


def _build_items(draft: Draft, contract_id: str, path: str, findings: Findings) -> CanonicalField | None:
    if draft.type is FieldType.MAP:
        return _build_field(draft.items, contract_id, path, findings) if draft.items else None
    if draft.type is not FieldType.ARRAY:
        return None
    if draft.items is None and draft.prefix:
        return None
    items = draft.items or Draft(draft.place / "items", "[]", FieldType.STRING, required=True)
    _check_column(items, findings)
    return _build_field(items, contract_id, path, findings)


def _build_branch(branch: Draft, union: Draft, contract_id: str, above: str, findings: Findings) -> CanonicalField:
    """A branch stands where its union stands, and is found by what the union is called."""
    branch.name, branch.required = union.name, True
    built = _build_field(branch, contract_id, above, findings)
    labels = tuple(dict.fromkeys((*union.labels, *built.labels)))
    return attrs.evolve(built, labels=labels, description=built.description or union.description)


def _check_column(column: Draft, findings: Findings) -> None:
    """Rows are judged as a whole, so no cell has a target of its own or waits for a person."""
    for child in column.children:
        _check_column(child, findings)
    if column.confidence_threshold is not None or column.fallback is Fallback.REQUIRE_HUMAN:
        findings.warn(column.place, "confidence_threshold and REQUIRE_HUMAN have no effect inside an array.")


def _check_parts(draft: Draft, findings: Findings) -> None:
    if draft.type is FieldType.ENUM and not any(rule.kind == "enum" for rule in draft.rules):
        hint = 'Write "enum_values": ["paid", "open"].'
        findings.error("MISSING_ENUM_VALUES", draft.at("enum_values"), "an ENUM needs its values.", hint)
    if draft.derive and draft.type in _CONTAINERS:
        findings.error("INVALID_DERIVATION", draft.at("derive"), f"an {draft.type.value} cannot be derived.")
    if draft.lookup and draft.type in _CONTAINERS:
        hint = "Put the lookup on a field that holds a single value."
        findings.error("INVALID_FIELD", draft.at("lookup"), f"an {draft.type.value} cannot be looked up.", hint)
    for part in (*draft.branches, *draft.prefix, *((draft.items,) if draft.items else ())):
        _check_unnamed_part(part, findings)
    if draft.fallback is Fallback.USE_DEFAULT and draft.default is MISSING:
        hint = 'Write the value to use beside it, as "default".'
        findings.error("INVALID_FIELD", draft.at(draft.fallback_key), "USE_DEFAULT needs a default.", hint)


def _check_unnamed_part(part: Draft, findings: Findings) -> None:
    """A branch or an element is not asked for by itself, so nothing would run its formula or lookup."""
    for key in (key for key in ("lookup", "derive") if getattr(part, key)):
        hint = "Put it on the field as a whole, or on a field of the object inside."
        findings.error("INVALID_FIELD", part.at(key), f"a {key} cannot stand on a branch or an element.", hint)


def _with_default(field: CanonicalField, draft: Draft, findings: Findings) -> CanonicalField:
    if draft.default is MISSING:
        return field
    verdict = Findings(void=findings.void)
    place = draft.place / "default" if draft.lenient_default else draft.at("default")
    default = to_default(field, draft.default, place, verdict)
    if not verdict.errors:
        return attrs.evolve(field, default=default, has_default=True)
    if draft.lenient_default and draft.fallback is not Fallback.USE_DEFAULT:
        findings.warn(place, f"the default is not used: {verdict.errors[0].message}")
    else:
        findings.errors += verdict.errors
    return field


def to_default(field: CanonicalField, raw: Any, place: KeyPath, findings: Findings) -> Any:
    """The default as a value of the field; what does not fit is an error."""
    try:
        value = _convert(field, raw, place, findings)
    except _Reported:
        return None
    except ValueError as error:
        findings.error("DEFAULT_TYPE_MISMATCH", place, f"{error}.", f"The field's type is {field.type.value}.")
        return None
    for problem in problems(field, value):
        findings.error("DEFAULT_TYPE_MISMATCH", place, f"the default is {problem}.")
    return value


class _Reported(Exception):
    """The default is wrong in a way that has its own code."""


def _convert(field: CanonicalField, raw: Any, place: KeyPath, findings: Findings) -> Any:
    if raw is None:
        return None
    if field.type is FieldType.MONEY:
        return _to_money(raw, place, findings)
    if field.type is FieldType.ARRAY and isinstance(raw, list | tuple) and field.items:
        return [_convert(field.items, item, place / index, findings) for index, item in enumerate(raw)]
    if field.type is FieldType.OBJECT and isinstance(raw, Mapping):
        return _to_object(field, raw, place, findings)
    return _CONVERTERS.get(field.type, _as_is)(raw)


def _to_object(field: CanonicalField, raw: Mapping[str, Any], place: KeyPath, findings: Findings) -> Mapping[str, Any]:
    children = {child.name: child for child in field.children}
    if children and not raw.keys() <= children.keys():
        raise ValueError(f"unknown parts: {', '.join(sorted(raw.keys() - children.keys()))}")
    return {
        name: _convert(children[name], item, place / name, findings) if children else item for name, item in raw.items()
    }


def _as_is(raw: Any) -> Any:
    return to_decimal(raw) if isinstance(raw, float) else raw


def _to_decimal(raw: Any) -> Decimal:
    if isinstance(raw, bool) or not isinstance(raw, int | float | str | Decimal):
        raise ValueError(f"{raw!r} is not a number")
    return to_decimal(raw)


_CONVERTERS: dict[FieldType, Callable[[Any], Any]] = {FieldType.DECIMAL: _to_decimal, FieldType.DATE: to_date}


def _to_money(raw: Any, place: KeyPath, findings: Findings) -> Money:
    if isinstance(raw, Money):
        return raw
    parts = raw if isinstance(raw, Mapping) else {"amount": raw}
    amount = _amount(parts, place, findings)
    currency = parts.get("currency")
    if currency is None:
        hint = 'Write {"amount": "9.90", "currency": "EUR"}.'
        findings.error("MONEY_REQUIRES_CURRENCY", place / "currency", "a default amount needs its currency.", hint)
    elif not isinstance(currency, str) or currency.upper() not in MINOR_UNITS:
        hint = "Use a code such as EUR or USD."
        findings.error("INVALID_ISO_4217", place / "currency", f"{currency!r} is not an ISO 4217 code.", hint)
    elif amount is not None:
        return Money(amount, currency)
    raise _Reported


def _amount(parts: Mapping[str, Any], place: KeyPath, findings: Findings) -> Decimal | None:
    try:
        return _to_decimal(parts.get("amount"))
    except ValueError as error:
        findings.error("DEFAULT_TYPE_MISMATCH", place / "amount", f"{error}.")
        return None
