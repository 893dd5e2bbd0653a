"""From drafts to the canonical contract: what a whole field must be, and what fields may read of each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import attrs

from paxman.classes import frozen
from paxman.contract.constraints import problems
from paxman.contract.drafts import MISSING, Draft, Findings, KeyPath, Rule, did_you_mean
from paxman.contract.expressions import parse, renamed
from paxman.contract.model import CanonicalContract, CanonicalField, ContractPolicy, Source
from paxman.contract.rules import to_checks, to_constraints, to_date
from paxman.currencies import MINOR_UNITS
from paxman.lazy import lazy_pattern
from paxman.types import Fallback, FieldType, Money, to_decimal

_CONTAINERS = (FieldType.OBJECT, FieldType.ARRAY, FieldType.MAP)
_FORMULA = lazy_pattern(r"\b(\w+) ?= ?(\w+) ?([-+*/×÷−]) ?(\w+)\b")
_FORMULA_NAMES = 3
_SIGNS = {"×": "*", "÷": "/", "−": "-"}


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
    rules = [*draft.rules, *_take_checks(placed)]
    _take_described(placed)
    _name_in_full(placed)
    fields = tuple(_build_field(field, draft.id, "", findings) for field in draft.fields)
    checks = to_checks(rules, findings)
    _check_dependencies(fields, placed, [rule for rule in rules if rule.kind == "check"], findings)
    return CanonicalContract(
        draft.id,
        draft.version,
        fields,
        checks,
        draft.policy,
        draft.source,
        findings.settle(),
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
    items = draft.items if draft.type in (FieldType.ARRAY, FieldType.MAP) else None
    if draft.type is FieldType.ARRAY and not items and not draft.prefix:
        items = Draft(draft.place / "items", "[]", FieldType.STRING, required=True)
    if draft.type is FieldType.ARRAY and items:
        _warn_of_columns(items, findings)
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
        items=_build_field(items, contract_id, path, findings) if items else None,
        text_form=draft.text_form,
        prefix=tuple(_build_field(part, contract_id, path, findings) for part in draft.prefix),
        branches=tuple(_build_branch(branch, draft, contract_id, above, findings) for branch in draft.branches),
        open=draft.open,
        secret=draft.secret,
    )
    _check_parts(draft, findings)
    return _with_default(field, draft, findings)


def _build_branch(branch: Draft, union: Draft, contract_id: str, above: str, findings: Findings) -> CanonicalField:
    """A branch stands where its union stands, and is found by what the union is called."""
    branch.name, branch.required = union.name, True
    built = _build_field(branch, contract_id, above, findings)
    labels = tuple(dict.fromkeys((*union.labels, *built.labels)))
    return attrs.evolve(built, labels=labels, description=built.description or union.description)


def _warn_of_columns(column: Draft, findings: Findings) -> None:
    """Rows are judged as a whole, so no cell has a target of its own or waits for a person."""
    for child in column.children:
        _warn_of_columns(child, findings)
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
        # A branch or an element is not asked for by itself, so nothing would run its formula or lookup.
        for key in (key for key in ("lookup", "derive") if getattr(part, key)):
            hint = "Put it on the field as a whole, or on a field of the object inside."
            findings.error("INVALID_FIELD", part.at(key), f"a {key} cannot stand on a branch or an element.", hint)
    if draft.fallback is Fallback.USE_DEFAULT and draft.default is MISSING:
        hint = 'Write the value to use beside it, as "default".'
        findings.error("INVALID_FIELD", draft.at(draft.fallback_key), "USE_DEFAULT needs a default.", hint)


def _with_default(field: CanonicalField, draft: Draft, findings: Findings) -> CanonicalField:
    """The field with its default as a typed value; one that does not fit is an error, or in a schema a warning."""
    if draft.default is MISSING:
        return field
    verdict = Findings(void=findings.void)
    place, default = draft.place / "default" if draft.lenient_default else draft.at("default"), None
    try:
        default = _convert(field, draft.default, place, verdict)
        for problem in problems(field, default):
            verdict.error("DEFAULT_TYPE_MISMATCH", place, f"the default is {problem}.")
    except _Reported:
        pass
    except ValueError as error:
        verdict.error("DEFAULT_TYPE_MISMATCH", place, f"{error}.", f"The field's type is {field.type.value}.")
    if not verdict.errors:
        return attrs.evolve(field, default=default, has_default=True)
    if draft.lenient_default and draft.fallback is not Fallback.USE_DEFAULT:
        findings.warn(place, f"the default is not used: {verdict.errors[0].message}")
    else:
        findings.errors += verdict.errors
    return field


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
        children = {child.name: child for child in field.children}
        if children and not raw.keys() <= children.keys():
            raise ValueError(f"unknown parts: {', '.join(sorted(raw.keys() - children.keys()))}")
        return {
            name: _convert(children[name], item, place / name, findings) if children else item
            for name, item in raw.items()
        }
    if field.type is FieldType.DECIMAL:
        return _to_decimal(raw)
    if field.type is FieldType.DATE:
        return to_date(raw)
    return to_decimal(raw) if isinstance(raw, float) else raw


def _to_decimal(raw: Any) -> Decimal:
    if isinstance(raw, bool) or not isinstance(raw, int | float | str | Decimal):
        raise ValueError(f"{raw!r} is not a number")
    return to_decimal(raw)


def _to_money(raw: Any, place: KeyPath, findings: Findings) -> Money:
    if isinstance(raw, Money):
        return raw
    parts, amount = raw if isinstance(raw, Mapping) else {"amount": raw}, None
    try:
        amount = _to_decimal(parts.get("amount"))
    except ValueError as error:
        findings.error("DEFAULT_TYPE_MISMATCH", place / "amount", f"{error}.")
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


def _take_checks(placed: Mapping[str, Draft]) -> list[Rule]:
    """The checks that stand on fields, as checks of the contract; one on a column holds in every row."""
    taken = []
    for path, draft in placed.items():
        for rule in (rule for rule in draft.rules if rule.kind == "check"):
            text = _in_full(rule.params.get("expr"), path, placed)
            if isinstance(text, str):
                text = f"all({text})" if "[]" in path else text
                rule = attrs.evolve(rule, params={**rule.params, "expr": text})
            taken.append(rule)
        draft.rules = [rule for rule in draft.rules if rule.kind != "check"]
    return taken


def _take_described(placed: Mapping[str, Draft]) -> None:
    """The first formula between columns that the description of rows states: "unit_price = amount / quantity"."""
    for draft in placed.values():
        columns = {column.name: column for column in draft.items.children} if draft.items else {}
        if any(column.derive for column in columns.values()):
            continue
        for made, one, sign, other in _FORMULA.findall(draft.description) if columns else ():
            if len({made, one, other} & columns.keys()) == _FORMULA_NAMES:
                columns[made].derive = f"{one} {_SIGNS.get(sign, sign)} {other}"
                break


def _name_in_full(placed: Mapping[str, Draft]) -> None:
    """Formulas and lookups inside of objects may name what stands beside them; rows keep their own names."""
    for path, draft in placed.items():
        if "." not in path or "[]" in path:
            continue
        draft.derive = _in_full(draft.derive, path, placed)
        key = (draft.lookup or {}).get("from")
        beside = _beside(key, path, placed) if isinstance(key, str) else None
        if draft.lookup and beside:
            draft.lookup = {**draft.lookup, "from": beside}


def _in_full(text: Any, path: str, placed: Mapping[str, Draft]) -> Any:
    try:
        names = parse(text).names if isinstance(text, str) else ()
    except ValueError:
        return text
    found = {name: full for name in names if (full := _beside(name, path, placed))}
    return renamed(text, {name: full.replace("[]", "") for name, full in found.items()}) if found else text


def _beside(name: str, path: str, placed: Mapping[str, Draft]) -> str | None:
    """The field that a name means in the objects and rows around a path, the innermost first."""
    scope = path.rpartition(".")[0]
    while scope:
        for inside in (f"{scope}.{name}", f"{scope}.{name.replace('.', '[].')}"):
            if inside in placed:
                return inside
        scope = scope.rpartition(".")[0]
    return None


def _check_dependencies(
    fields: Sequence[CanonicalField], placed: Mapping[str, Draft], checks: Sequence[Rule], findings: Findings
) -> None:
    """Report unknown names, formulas that do not parse, and derivations that need themselves."""
    owners = dict(_owners(fields))
    for rule in checks:
        if "expr" in rule.params:
            _names(rule.params["expr"], owners, "INVALID_CONSTRAINT", rule.at("params", "expr"), findings)
    needs: dict[str, dict[str, None]] = {}
    for path, draft in placed.items():
        if draft.derive or draft.lookup:
            found = _needs(path, draft, owners, placed, findings)
            # What a cell needs of its own row is between columns; what else it needs, the whole array waits for.
            array = path.partition("[]")[0]
            inside = [each for each in found if each.startswith(f"{array}[].")]
            needs.setdefault(path, {}).update(dict.fromkeys(inside))
            needs.setdefault(array, {}).update((each.partition("[]")[0], None) for each in found if each not in inside)
    for cycle in _cycles({path: tuple(found) for path, found in needs.items()}):
        draft = placed[cycle[0]]
        place = draft.at("lookup") / "from" if draft.lookup and not draft.derive else draft.at("derive")
        findings.error("DERIVATION_CYCLE", place, f"the field needs itself: {' -> '.join((*cycle, cycle[0]))}.")


def _owners(fields: Sequence[CanonicalField]) -> Iterator[tuple[str, str]]:
    """Every name that a formula may use, with the path of the field that holds the value."""
    for field in fields:
        if field.children:
            yield from _owners(field.children)
        else:
            yield field.path, field.path
        for column in _columns(field) if field.items else ():
            yield column.path.replace("[]", ""), field.path


def _columns(field: CanonicalField) -> Iterator[CanonicalField]:
    """All fields below an array, at any depth."""
    for column in field.columns if field.type is FieldType.ARRAY else field.children:
        yield column
        yield from _columns(column)


def _needs(
    path: str, draft: Draft, owners: Mapping[str, str], placed: Mapping[str, Draft], findings: Findings
) -> list[str]:
    """Paths that a field is made from; those beside it in a row with the brackets of the row."""
    key = (draft.lookup or {}).get("from")
    try:
        said = sorted(parse(draft.derive).names) if draft.derive else []
    except ValueError:
        said = []
    said += [key] if isinstance(key, str) else []
    known = {**owners, **{name: full for name in said if (full := _beside(name, path, placed))}}
    needed: list[str] = []
    if draft.derive and draft.type not in (FieldType.OBJECT, FieldType.ARRAY):
        needed += _names(draft.derive, known, "INVALID_DERIVATION", draft.at("derive"), findings)
    if isinstance(key, str):
        needed += _known([key], known, "INVALID_DERIVATION", draft.at("lookup") / "from", findings)
    return [known[name] for name in needed]


def _names(text: Any, owners: Mapping[str, str], code: str, place: KeyPath, findings: Findings) -> list[str]:
    try:
        if not isinstance(text, str):
            raise ValueError(f"a formula is text, not {text!r}")
        expression = parse(text)
        if code == "INVALID_CONSTRAINT" and not expression.is_condition:
            raise ValueError("a check compares, such as total == net + tax")
    except ValueError as error:
        findings.error(code, place, f"{error}.")
        return []
    return _known(sorted(expression.names), owners, code, place, findings)


def _known(names: list[str], owners: Mapping[str, str], code: str, place: KeyPath, findings: Findings) -> list[str]:
    for name in names:
        if name not in owners:
            hint = f"Fields are {', '.join(list(owners)[:20])}.{did_you_mean(name, owners)}"
            findings.error(code, place, f"there is no field {name!r}.", hint)
    return [name for name in names if name in owners]


def _cycles(needs: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Each circle once, from the field that is declared first."""
    done: set[str] = set()
    for start in needs:
        trail = [start] if start not in done else []
        open_needs = [iter(needs[start])] if trail else []
        while trail:
            step = next(open_needs[-1], None)
            if step is None:
                done.add(trail.pop())
                open_needs.pop()
            elif step in trail:
                yield tuple(trail[trail.index(step) :])
            elif step in needs and step not in done:
                trail.append(step)
                open_needs.append(iter(needs[step]))
