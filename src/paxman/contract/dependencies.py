"""What fields read of each other: formulas, checks and lookups name fields that exist, and never in a circle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from paxman.contract.drafts import Draft, Findings, Place, Rule, did_you_mean
from paxman.contract.model import CanonicalField
from paxman.types import FieldType


def check_dependencies(
    fields: Sequence[CanonicalField], placed: Mapping[str, Draft], checks: Sequence[Rule], findings: Findings
) -> None:
    """Report unknown names, formulas that do not parse, and derivations that need themselves."""
    owners = dict(_owners(fields))
    for rule in checks:
        if "expr" in rule.params:
            _names(rule.params["expr"], owners, "INVALID_CONSTRAINT", rule.at("params", "expr"), findings)
    needs = {path: _needs(draft, owners, findings) for path, draft in placed.items() if draft.derive or draft.lookup}
    for cycle in _cycles(needs):
        draft = placed[cycle[0]]
        place = draft.at("derive") if draft.derive else draft.at("lookup") / "from"
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


def _needs(draft: Draft, owners: Mapping[str, str], findings: Findings) -> tuple[str, ...]:
    needed: list[str] = []
    if draft.derive and draft.type not in (FieldType.OBJECT, FieldType.ARRAY):
        needed += _names(draft.derive, owners, "INVALID_DERIVATION", draft.at("derive"), findings)
    key = (draft.lookup or {}).get("from")
    if isinstance(key, str):
        needed += _known([key], owners, "INVALID_DERIVATION", draft.at("lookup") / "from", findings)
    return tuple(dict.fromkeys(owners[name] for name in needed))


def _names(text: Any, owners: Mapping[str, str], code: str, place: Place, findings: Findings) -> list[str]:
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


def _known(names: list[str], owners: Mapping[str, str], code: str, place: Place, findings: Findings) -> list[str]:
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
