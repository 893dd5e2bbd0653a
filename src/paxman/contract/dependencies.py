"""What fields read of each other: formulas, checks and lookups name fields that exist, and never in a circle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from paxman.contract.drafts import Draft, Findings, KeyPath, Rule, did_you_mean
from paxman.contract.model import CanonicalField
from paxman.lazy import lazy_pattern
from paxman.types import FieldType

_FORMULA = lazy_pattern(r"\b(\w+) ?= ?(\w+) ?([-+*/×÷−]) ?(\w+)\b")
_FORMULA_NAMES = 3
_SIGNS = {"×": "*", "÷": "/", "−": "-"}


def take_checks(placed: Mapping[str, Draft]) -> list[Rule]:
    """The checks that stand on fields, as checks of the contract; one on a column holds in every row."""
    taken = []
    for path, draft in placed.items():
        checks = [rule for rule in draft.rules if rule.kind == "check"]
        draft.rules = [rule for rule in draft.rules if rule.kind != "check"]
        taken += [_of_contract(rule, path, placed) for rule in checks]
    return taken


def _of_contract(rule: Rule, path: str, placed: Mapping[str, Draft]) -> Rule:
    text = _in_full(rule.params.get("expr"), path, placed)
    if not isinstance(text, str):
        return rule
    return attrs.evolve(rule, params={**rule.params, "expr": f"all({text})" if "[]" in path else text})


def take_described(placed: Mapping[str, Draft]) -> None:
    """The first formula between columns that the description of rows states: "unit_price = amount / quantity"."""
    for draft in placed.values():
        columns = {column.name: column for column in draft.items.children} if draft.items else {}
        if any(column.derive for column in columns.values()):
            continue
        for made, one, sign, other in _FORMULA.findall(draft.description) if columns else ():
            if len({made, one, other} & columns.keys()) == _FORMULA_NAMES:
                columns[made].derive = f"{one} {_SIGNS.get(sign, sign)} {other}"
                break


def name_in_full(placed: Mapping[str, Draft]) -> None:
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
    from paxman.contract.expressions import parse, renamed

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


def check_dependencies(
    fields: Sequence[CanonicalField], placed: Mapping[str, Draft], checks: Sequence[Rule], findings: Findings
) -> None:
    """Report unknown names, formulas that do not parse, and derivations that need themselves."""
    owners = dict(_owners(fields))
    for rule in checks:
        if "expr" in rule.params:
            _names(rule.params["expr"], owners, "INVALID_CONSTRAINT", rule.at("params", "expr"), findings)
    needs: dict[str, list[str]] = {}
    for path, draft in placed.items():
        if draft.derive or draft.lookup:
            _note_needs(path, _needs(path, draft, owners, placed, findings), needs)
    for cycle in _cycles({path: tuple(dict.fromkeys(found)) for path, found in needs.items()}):
        draft = placed[cycle[0]]
        place = draft.at("lookup") / "from" if draft.lookup and not draft.derive else draft.at("derive")
        findings.error("DERIVATION_CYCLE", place, f"the field needs itself: {' -> '.join((*cycle, cycle[0]))}.")


def _note_needs(path: str, found: Sequence[str], needs: dict[str, list[str]]) -> None:
    """What a cell needs of its own row is between columns; what else it needs, the whole array waits for."""
    array = path.partition("[]")[0]
    inside = [each for each in found if each.startswith(f"{array}[].")]
    needs.setdefault(path, []).extend(inside)
    needs.setdefault(array, []).extend(each.partition("[]")[0] for each in found if each not in inside)


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
    known = {**owners, **{name: full for name in _said(draft) if (full := _beside(name, path, placed))}}
    needed: list[str] = []
    if draft.derive and draft.type not in (FieldType.OBJECT, FieldType.ARRAY):
        needed += _names(draft.derive, known, "INVALID_DERIVATION", draft.at("derive"), findings)
    key = (draft.lookup or {}).get("from")
    if isinstance(key, str):
        needed += _known([key], known, "INVALID_DERIVATION", draft.at("lookup") / "from", findings)
    return [known[name] for name in needed]


def _said(draft: Draft) -> list[str]:
    """Names that a formula and a lookup use, as far as they can be read."""
    from paxman.contract.expressions import parse

    try:
        names = sorted(parse(draft.derive).names) if draft.derive else []
    except ValueError:
        names = []
    key = (draft.lookup or {}).get("from")
    return [*names, key] if isinstance(key, str) else names


def _names(text: Any, owners: Mapping[str, str], code: str, place: KeyPath, findings: Findings) -> list[str]:
    from paxman.contract.expressions import parse

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
