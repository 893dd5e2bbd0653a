"""Assignment: which tie answers which field, over the whole contract: one name answers the field it fits best."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from paxman.classes import record
from paxman.finding.claims import Claim
from paxman.finding.ties import Tie
from paxman.types import Span

FLOOR = 0.62
MARGIN = 0.05
BETTER = 0.06
_OWN_WORDS = 0.1
_WHOLE_NAME, _UNTOLD = 0.9, 0.78
_CONTRACT = ("label", "name")
STANDS_IN = "instead"
"""Who says that the amount of another name may be meant: that name may answer its own field, too."""


@record
class Answer:
    """What a field is answered with: the best tie, others of the same value, and rivals that are nearly as good."""

    best: Tie
    same: tuple[Tie, ...]
    rivals: tuple[Tie, ...]


def assign(ties: Iterable[Tie]) -> dict[int, Answer]:
    """The answer of each field that has one."""
    kept = _told_apart(_unclaimed(list(ties)))
    by_field: dict[int, list[Tie]] = {}
    for tie in kept:
        if tie.score >= FLOOR:
            by_field.setdefault(tie.field, []).append(tie)
    return {field: _answer(found) for field, found in by_field.items()}


def _unclaimed(ties: Sequence[Tie]) -> list[Tie]:
    """Ties whose name, and whose place, no other field fits better."""
    names: dict[Span, float] = {}
    places: dict[Span, float] = {}
    for tie in ties:
        if tie.score >= FLOOR or (tie.claim.asked.source in _CONTRACT and tie.claim.fit >= _WHOLE_NAME):
            names[tie.name.span] = max(names.get(tie.name.span, 0.0), _rank(tie))
        if tie.score >= FLOOR:
            places[_place(tie)] = max(places.get(_place(tie), 0.0), _rank(tie))
    return [
        tie
        for tie in ties
        if tie.claim.asked.source == STANDS_IN
        or (
            _rank(tie) >= names.get(tie.name.span, 0.0) - BETTER
            and _rank(tie) >= places.get(_place(tie), 0.0) - 3 * BETTER
        )
    ]


def _told_apart(ties: list[Tie]) -> list[Tie]:
    """Ties, less sure where a name lacks the very word that would tell which of two fields it names."""
    fields: dict[tuple[Span, Span], set[int]] = {}
    for tie in ties:
        if tie.claim.fit < _WHOLE_NAME:
            fields.setdefault((tie.name.span, _place(tie)), set()).add(tie.field)
    return [tie if len(fields.get((tie.name.span, _place(tie)), ())) < 2 else _unsure(tie) for tie in ties]


def _unsure(tie: Tie) -> Tie:
    claim = tie.claim
    lower = Claim(min(claim.fit, _UNTOLD), claim.asked, f"{claim.reason}, and as well what another field asks for")
    return Tie(tie.field, tie.name, tie.place, lower, tie.reading, tie.signs, tie.witness)


def _place(tie: Tie) -> Span:
    return tie.reading.start, tie.reading.end


def _rank(tie: Tie) -> float:
    """How well a name fits; what the contract itself says goes before what a trade says."""
    return tie.claim.fit + (_OWN_WORDS if tie.claim.asked.source in _CONTRACT else 0.0)


def _answer(ties: list[Tie]) -> Answer:
    ties.sort(key=lambda tie: (-tie.score, tie.reading.start))
    best = ties[0]
    same = tuple(tie for tie in ties[1:] if _key(tie) == _key(best))
    rivals = tuple(tie for tie in ties if _key(tie) != _key(best) and tie.score >= best.score - MARGIN)
    if rivals and len({_place(tie) for tie in (best, *same)}) < len({_place(tie) for tie in rivals}):
        same = ()  # One of many values is no surer for being printed twice.
    return Answer(best, same, rivals)


def _key(tie: Tie) -> Any:
    value = tie.reading.value
    return " ".join(value.split()).casefold() if isinstance(value, str) else value
