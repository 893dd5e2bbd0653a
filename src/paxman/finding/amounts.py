"""Sums of a bill: which of the amounts that labels name is the total, the net amount, the tax, what is due."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from paxman.finding.claims import Claim, Claims
from paxman.finding.features import Signs, signs_of
from paxman.finding.ledger import Entry, Ledger, SumWords
from paxman.finding.ties import Tie, read_place
from paxman.finding.wanted import TERM, Asked, Wanted
from paxman.finding.witnesses import Witnesses
from paxman.lexicon.lexicon import Lexicon
from paxman.page.names import Name, Page, Place
from paxman.recognizers import Conventions
from paxman.types import FieldType

_STANDS_IN, _STEP, _UNSURE = 0.76, 0.05, 0.62
_AMOUNTS = frozenset({FieldType.DECIMAL, FieldType.MONEY})
_TOTALS = frozenset({"total", "due"})
WEIGHTS = {
    "paid": 0.25,
    "a sum": 0.12,
    "a part of a sum": 0.12,
    "later": 0.02,
    "not rounded": -0.12,
    "left to pay": -0.12,
    "refuted": -0.6,
}


def role_of(wanted: Wanted, words: SumWords) -> str:
    """The part that a field plays in the sums of a bill, if any."""
    if wanted.term is None or wanted.field.type not in _AMOUNTS:
        return ""
    return words.role_of_term(wanted.term.name)


@lru_cache(maxsize=8)
def sum_words(lexicon: Lexicon) -> SumWords:
    """What a lexicon says of the labels of amounts."""
    return SumWords(lexicon)


def with_sums(page: Page, claims: Claims, ties: list[Tie], how: Conventions) -> list[Tie]:
    """The ties of a contract, those of fields with a role in sums by the ledger of the page."""
    words = sum_words(claims.lexicon)
    found = {number: role_of(wanted, words) for number, wanted in enumerate(claims.wanted)}
    roles = {number: role for number, role in found.items() if role}
    if not roles:
        return ties
    others = [tie for tie in ties if tie.field not in roles or tie.place.relation == "key"]
    return [*others, *_sum_ties(page, claims, roles, Ledger(page, words, how), how)]


def _sum_ties(page: Page, claims: Claims, roles: Mapping[int, str], ledger: Ledger, how: Conventions) -> Iterator[Tie]:
    witnesses = Witnesses(ledger.entries)
    for number, role in roles.items():
        for entry in ledger.entries:
            claim = _claim(entry, number, role, claims)
            if claim:
                yield from _tie(page, number, role, entry, claim, claims, witnesses, how)


def _claim(entry: Entry, number: int, role: str, claims: Claims) -> Claim | None:
    """How well the words with an amount fit a field of a role."""
    said, wanted = entry.said, claims.wanted[number]
    if not said.role:
        return None
    own = claims.of(said.words).get(number)
    if own and said.sure and (said.role == role or (own.asked.source == "label" and own.fit >= TERM)):
        return own if own.fit >= TERM else Claim(TERM, own.asked, own.reason)
    fit = TERM if said.role == role else _stands_in(said.role, role, claims.lexicon)
    if not fit:
        return None
    fit = fit if said.sure else min(fit, _UNSURE)
    return Claim(fit, Asked((), fit, wanted.field.words, "sums"), f"{said.words!r} names the {said.role}")


def _stands_in(said: str, role: str, lexicon: Lexicon) -> float:
    others = lexicon.sums["instead"].get(role, ())
    return _STANDS_IN - _STEP * others.index(said) if said in others else 0.0


def _tie(
    page: Page,
    number: int,
    role: str,
    entry: Entry,
    claim: Claim,
    claims: Claims,
    witnesses: Witnesses,
    how: Conventions,
) -> Iterator[Tie]:
    place = Place(entry.relation, entry.place, entry.place)
    wanted = claims.wanted[number]
    reading = read_place(page, place, wanted, how, claims)
    if reading is None:
        return
    name = Name(entry.said.words, entry.label, page.lines.at(entry.label[0]), (place,))
    signs = signs_of(page, name, place, claim, reading, wanted, claims)
    more = tuple(_signs(entry, role, witnesses, len(page.lines)))
    yield Tie(number, name, place, claim, reading, Signs((*signs.parts, *more), signs.score + sum(w for _, w in more)))


def _signs(entry: Entry, role: str, witnesses: Witnesses, lines: int) -> Iterator[tuple[str, float]]:
    """What else on the page speaks for an amount in its role, or against it."""
    value = abs(entry.value)
    found = {"later": entry.line / max(1, lines)}
    if role in _TOTALS:
        found["paid"] = value in witnesses.paid
        found["a sum"] = value in witnesses.sums or value in witnesses.grossed
        found["refuted"] = witnesses.refutes(value)
        totals = witnesses.amounts("total", "due")
        found["not rounded"] = any(value + step in totals for step in witnesses.roundings)
        found["left to pay"] = role == "total" and value in witnesses.left
    elif role in ("net", "tax"):
        found["a part of a sum"] = witnesses.completes(role, value)
    return ((sign, round(WEIGHTS[sign] * held, 4)) for sign, held in found.items() if held)
