"""Relations that a contract's fields have by what they mean: net + tax = total, and a start before its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

import attrs

from paxman.contract.arithmetic import ExpressionError
from paxman.contract.expressions import parse, quoted
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.contract.relation import Relation, stated_relations
from paxman.lazy import remembered
from paxman.relations.amounts import BETWEEN, KINDS, ROUNDING

_SUM = "{} + {} == {}", ("net_amount", "tax", "total")
_BEFORE = "{} <= {}"
_PERIOD = _BEFORE, ("start_date", "end_date")
_PAYMENT = _BEFORE, ("invoice_date", "due_date")


@remembered(lambda contract: (contract.memo,))
def relations_of(contract: CanonicalContract) -> tuple[Relation, ...]:
    """The contract's own checks, then what its fields imply; worked out once per contract."""
    stated = stated_relations(contract)
    return (*stated, *_implied(contract, stated))


def _implied(contract: CanonicalContract, stated: Sequence[Relation]) -> Iterator[Relation]:
    """Relations between the fields of one object, unless a check of the contract speaks of all of them."""
    objects: dict[tuple[str, str], list[CanonicalField]] = {}
    for field in contract.leaves:
        if field.type in KINDS:
            objects.setdefault((field.path.rpartition(".")[0], KINDS[field.type]), []).append(field)
    for (_, kind), fields in objects.items():
        for found in _between_dates(fields) if kind == "date" else _relation(fields, *_SUM):
            if not any(found.expression.names <= other.expression.names for other in stated):
                yield found
    if any(field.columns for field in contract.leaves):
        from paxman.relations.lines import implied_by_lines

        yield from implied_by_lines(contract, stated)


def _between_dates(fields: Sequence[CanonicalField]) -> Iterator[Relation]:
    """What begins comes before what ends, by their names or else by what they mean; a bill mostly before it is due."""
    if len(fields) < 2:
        return
    from paxman.relations.periods import periods_of

    pairs = list(periods_of(fields))
    yield from (check for pair in pairs for check in _stated(_BEFORE, pair))
    paired = {path for pair in pairs for path in pair}
    yield from _relation([field for field in fields if field.path not in paired], *_PERIOD)
    yield from (attrs.evolve(check, soft=True) for check in _relation(fields, *_PAYMENT))


def _relation(fields: Sequence[CanonicalField], template: str, terms: Sequence[str]) -> Iterator[Relation]:
    """The relation, if there is exactly one field for each of its terms."""
    if len(fields) < len(terms):
        return
    from paxman.finding.terms import paper_term
    from paxman.lexicon.lexicon import load

    by_term: dict[str, list[str]] = {}
    for field in fields:
        by_term.setdefault(paper_term(field, load()), []).append(field.path)
    named = [by_term.get(term, []) for term in terms]
    if any(len(paths) != 1 for paths in named):
        return
    others = (paths for term, paths in by_term.items() if term in BETWEEN and template == _SUM[0])
    between = tuple(path for paths in others for path in paths)
    yield from _stated(template, [path for (path,) in named], between)


def _stated(template: str, paths: Sequence[str], between: tuple[str, ...] = ()) -> Iterator[Relation]:
    """The relation of these fields; none of a name that no expression can hold."""
    with suppress(ExpressionError):
        yield Relation(parse(template.format(*map(quoted, paths))), ROUNDING, True, between)
