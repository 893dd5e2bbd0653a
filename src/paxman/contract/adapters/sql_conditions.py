"""What SQL says in CHECK and GENERATED: limits of a column, and conditions and formulas over several."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import attrs

from paxman.contract.adapters.class_shapes import ClassField, ClassShape
from paxman.contract.drafts import refusal
from paxman.contract.expressions import quoted
from paxman.errors import to_install


def parser() -> Any:
    """The module that reads SQL."""
    try:
        import sqlglot
    except ImportError:
        raise refusal("SQL, and reading it needs sqlglot", hint=to_install("sql")) from None
    import logging

    logging.getLogger("sqlglot").addHandler(logging.NullHandler())
    return sqlglot


def parse_condition(text: str) -> Any:
    """A condition or formula as a tree; None if it cannot be read."""
    sqlglot = parser()
    try:
        return sqlglot.parse_one(text, dialect="postgres")
    except sqlglot.errors.SqlglotError:
        return None


def with_checks(shape: ClassShape, conditions: Sequence[Any]) -> ClassShape:
    """The shape with each condition at the column that it limits; what cannot be kept is a note."""
    fields = {each.name: each for each in shape.fields}
    notes = list(shape.notes)
    for condition in (part for whole in conditions for part in _parts(whole)):
        found = _limited(condition, fields) or _checked(condition, fields)
        if found:
            fields[found.name] = found
        else:
            written = condition.sql() if condition is not None else "a condition"
            notes.append(f"CHECK ({written}) cannot be translated, so values are not checked by it.")
    return attrs.evolve(shape, fields=tuple(fields.values()), notes=tuple(notes))


def _parts(node: Any) -> Iterator[Any]:
    """The conditions that `AND` joins."""
    if node is not None and node.key == "and":
        yield from _parts(node.this)
        yield from _parts(node.expression)
    elif node is not None and node.key == "paren":
        yield from _parts(node.this)
    else:
        yield node


def _limited(node: Any, fields: Mapping[str, ClassField]) -> ClassField | None:
    """The column whose values a condition limits by constants: a bound, a range or a list."""
    field = _column(node.this, fields) if node is not None and node.this else None
    if field is None:
        return None
    if node.key == "in" and all(each.is_string for each in node.expressions):
        members: Any = typing.Literal[tuple(each.this for each in node.expressions)]
        return attrs.evolve(field, annotation=_with_choice(field.annotation, members), limits={})
    if node.key == "between":
        bounds = {"ge": _number(node.args["low"]), "le": _number(node.args["high"])}
    else:
        bounds = {_BOUNDS[node.key]: _number(node.expression)} if node.key in _BOUNDS else {}
    if not bounds or None in bounds.values():
        return None
    return attrs.evolve(field, limits={**field.limits, **bounds})


_BOUNDS = {"gte": "ge", "gt": "gt", "lte": "le", "lt": "lt"}


def _with_choice(annotation: Any, members: Any) -> Any:
    return typing.Optional[members] if type(None) in typing.get_args(annotation) else members  # noqa: UP045


def _number(node: Any) -> Decimal | None:
    sign = -1 if node.key == "neg" else 1
    node = node.this if node.key == "neg" else node
    return sign * Decimal(node.this) if node.key == "literal" and not node.is_string else None


def _column(node: Any, fields: Mapping[str, ClassField]) -> ClassField | None:
    """The field that a column is, whatever case it is written in."""
    if getattr(node, "key", "") != "column":
        return None
    return next((field for name, field in fields.items() if name.lower() == node.name.lower()), None)


def _checked(node: Any, fields: Mapping[str, ClassField]) -> ClassField | None:
    """The first column of a condition over several, which carries it as a check."""
    formula = to_formula(node, fields)
    if formula is None or node.key not in _CONDITIONS:
        return None
    first = next(filter(None, (_column(each, fields) for each in node.find_all(parser().exp.Column))), None)
    if first is None:
        return None
    checks = [*first.hints.get("constraints", ()), {"kind": "check", "params": {"expr": formula}}]
    return attrs.evolve(first, hints={**first.hints, "constraints": checks})


_OPERATORS = {
    "eq": "==",
    "neq": "!=",
    "gt": ">",
    "gte": ">=",
    "lt": "<",
    "lte": "<=",
    "and": "and",
    "or": "or",
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "/",
}
_CONDITIONS = frozenset({"eq", "neq", "gt", "gte", "lt", "lte", "and", "or", "not", "in", "between"})


def to_formula(node: Any, fields: Mapping[str, ClassField]) -> str | None:
    """The same in Paxman's expressions; None for what they have no word for."""
    kind = getattr(node, "key", "")
    if kind in _WRITERS:
        return _WRITERS[kind](node, fields)
    sides = [to_formula(each, fields) for each in (node.this, node.expression)] if kind in _OPERATORS else [None]
    return None if None in sides else f" {_OPERATORS[kind]} ".join(map(str, sides))


def _literal(node: Any, fields: Mapping[str, ClassField]) -> str | None:
    return str(node.this) if not node.is_string else f'"{node.this}"' if '"' not in node.this else None


def _name(node: Any, fields: Mapping[str, ClassField]) -> str | None:
    field = _column(node, fields)
    return quoted(field.name) if field else None


def _inner(template: str) -> Callable[[Any, Mapping[str, ClassField]], str | None]:
    def write(node: Any, fields: Mapping[str, ClassField]) -> str | None:
        inner = to_formula(node.this, fields)
        return template.format(inner) if inner is not None else None

    return write


def _between(node: Any, fields: Mapping[str, ClassField]) -> str | None:
    parts = [to_formula(each, fields) for each in (node.this, node.args["low"], node.args["high"])]
    return "({0} >= {1} and {0} <= {2})".format(*parts) if None not in parts else None


def _among(node: Any, fields: Mapping[str, ClassField]) -> str | None:
    value, members = to_formula(node.this, fields), [to_formula(each, fields) for each in node.expressions]
    if value is None or None in members or not members:
        return None
    return f"({' or '.join(f'{value} == {each}' for each in members)})"


_WRITERS: dict[str, Callable[[Any, Mapping[str, ClassField]], str | None]] = {
    "literal": _literal,
    "column": _name,
    "paren": _inner("({})"),
    "not": _inner("not {}"),
    "neg": _inner("-{}"),
    "abs": _inner("abs({})"),
    "cast": _inner("{}"),
    "between": _between,
    "in": _among,
}
