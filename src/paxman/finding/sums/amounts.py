"""Sums of a bill: which of the amounts that labels name is the total, the net amount, the tax, what is due."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache

from paxman.classes import record
from paxman.finding.assignment import INSTEAD
from paxman.finding.claims import Claim, Claims
from paxman.finding.sums.labels import SumWords
from paxman.finding.sums.ledger import LabelledAmount, Ledger
from paxman.finding.sums.witnesses import Witnesses
from paxman.finding.ties import Find, Tie, ties_of
from paxman.finding.wanted import TERM, Asked, members_of
from paxman.lazy import lazy_pattern
from paxman.lexicon.lexicon import Lexicon
from paxman.page.names import Name, Page
from paxman.page.places import Place
from paxman.recognizers import Conventions
from paxman.types import FieldType, Span

_STANDS_IN, _STEP, _UNSURE, _PLACED, _OWN = 0.76, 0.06, 0.62, 0.6, 0.95
_AMOUNTS = frozenset({FieldType.DECIMAL, FieldType.MONEY})
_TOTALS = frozenset({"total", "gross", "due"})
_PARTS = frozenset({"net", "tax"})
_GIVEN = frozenset({"tendered", "deposit"})


@lru_cache(maxsize=8)
def sum_words(lexicon: Lexicon) -> SumWords:
    """What a lexicon says of the labels of amounts."""
    return SumWords(lexicon)


def with_sums(page: Page, claims: Claims, ties: list[Tie], how: Conventions) -> list[Tie]:
    """The ties of a contract, those of fields with a role in sums by the ledger of the page."""
    amounts = [number for number, wanted in enumerate(claims.wanted) if wanted.field.type in _AMOUNTS]
    if not amounts:
        return ties
    words = sum_words(claims.lexicon)
    found = {number: SumPart(*words.meaning_of(claims.wanted[number])) for number in amounts}
    parts = {number: part for number, part in found.items() if part.role}
    if not parts:
        return ties
    others = [tie for tie in ties if tie.field not in parts]
    return [*others, *ties_of(page, claims, how, _Sums(page, claims, how, parts).finds())]


@record
class SumPart:
    """What a field asks for among the amounts of a bill: a role, and one term of it or any."""

    role: str
    term: str


class _Sums:
    """The amounts of one page as fields with a role in sums see them."""

    def __init__(self, page: Page, claims: Claims, how: Conventions, parts: Mapping[int, SumPart]) -> None:
        self._page, self._claims, self._parts = page, claims, parts
        self._ledger = ledger = Ledger(page, sum_words(claims.lexicon), how)
        self._roles = {part.role for part in parts.values()}
        self._witnesses = Witnesses(ledger.entries)
        self._rows: dict[Span, list[LabelledAmount]] = {}
        for entry in ledger.entries:
            if entry.relation == "beside" and entry.said.words:
                self._rows.setdefault(entry.label, []).append(entry)

    def finds(self) -> Iterator[Find]:
        """The amounts that may answer each field, by its part."""
        unnamed = {id(entry) for entry in self._witnesses.unnamed()}
        for number, part in self._parts.items():
            for entry in self._ledger.entries:
                claim = self._claim(entry, number, part)
                if claim is None and part.role == "total" and id(entry) in unnamed:
                    claim = Claim(_PLACED, Asked((), _PLACED, "", INSTEAD), "what was paid, or the parts, come to it")
                if claim and not self._is_ruled_out(entry, part):
                    yield self._find(number, part.role, entry, claim)

    def _claim(self, entry: LabelledAmount, number: int, part: SumPart) -> Claim | None:
        """How well the words with an amount fit a field."""
        said, words = entry.said, self._claims.wanted[number].field.words
        own = self._claims.of(said.words).get(number) if said.words else None
        if own and (said.sure or not said.role) and own.asked.source == "label" and own.fit >= _OWN:
            return own
        if not said.role:
            return None
        if said.role != part.role:
            return self._instead(entry, part.role, words)
        if part.term not in ("", said.term):
            return None
        if own and said.sure:
            return own if own.fit >= TERM else Claim(TERM, own.asked, own.reason)
        fit = TERM if said.sure else _UNSURE
        return Claim(fit, Asked((), fit, words, "sums"), f"{said.words!r} names the {said.role}")

    def _instead(self, entry: LabelledAmount, role: str, words: str) -> Claim | None:
        """A claim by the name of another sum: what is due is the total where nothing was paid, and the other way."""
        said, others = entry.said, self._claims.lexicon.sums["instead"].get(role, ())
        if said.role not in others:
            return None
        owes = self._witnesses.has("tendered", "deposit", "previous")
        if role == "due" and owes:
            return None
        if "due" in self._roles and said.role == "due" and self._is_rest(entry):
            return None
        plain = role == "total" and "due" not in self._roles and not owes and self._is_whole(entry)
        fit = TERM if plain else _STANDS_IN - _STEP * others.index(said.role)
        fit = fit if said.sure else _UNSURE - _STEP
        return Claim(fit, Asked((), fit, words, INSTEAD), f"{said.words!r} names the {said.role}")

    def _is_rest(self, entry: LabelledAmount) -> bool:
        """Whether what is due is what a payment of another amount leaves open."""
        given = {abs(each.value) for each in self._ledger.entries if each.role in _GIVEN and each.value}
        return bool(given) and abs(entry.value) not in given | self._witnesses.paid

    def _is_whole(self, entry: LabelledAmount) -> bool:
        """Whether what is due is all that the page comes to: its label or its parts say so, and no other total does."""
        if self._witnesses.amounts("total") or not entry.value:
            return False
        parts = self._witnesses.amounts("subtotal", "net")
        said = members_of(self._claims.lexicon.parse(entry.said.words), "head")
        return self._witnesses.is_sum(entry) or abs(entry.value) in parts or "total" in said

    def _is_ruled_out(self, entry: LabelledAmount, part: SumPart) -> bool:
        """Whether an amount cannot be it: less than its parts, still to be written, carried over, net with tax."""
        if part.role == "net":
            return self._witnesses.is_taxed(entry)
        if part.role == "previous":
            return entry.value in self._ledger.carried
        if part.role == "discount":
            return not self._is_share(entry)
        if part.role == "tax" and not part.term and entry.said.term != part.role:
            return self._witnesses.has_several_taxes
        if part.role not in _TOTALS:
            return False
        return self._witnesses.refutes(abs(entry.value)) or (self._ledger.is_open and entry.role not in _TOTALS)

    def _is_share(self, entry: LabelledAmount) -> bool:
        """Whether an amount behind "2 % discount" is that share of another of the page, and not what is left to pay."""
        rate = _SHARE.search(self._page.text, max(0, entry.label[0] - _NEAR), entry.label[1])
        if rate is None:
            return True
        share = Decimal(rate[1].replace(",", ".")) / 100
        values = (abs(other.value) for other in self._ledger.entries)
        return any(abs(value * share - abs(entry.value)) <= _CENT for value in values)

    def _find(self, number: int, role: str, entry: LabelledAmount, claim: Claim) -> Find:
        place = Place(entry.relation, entry.place, entry.place)
        name = Name(entry.said.words, entry.label, self._page.lines.at(entry.label[0]), (place,))
        signs = {"fit": claim.fit, "amount": 1.0, **self._signs(entry, role)}
        witness = self._witnesses.explained(entry, role, sure=claim.fit >= TERM)
        told = role != "due" or entry.role == role  # The sum of a total does not tell what is still to pay.
        return Find(number, claim, place, signs, name, witness=witness if told else "")

    def _signs(self, entry: LabelledAmount, role: str) -> dict[str, float]:
        """What else on the page speaks for an amount in its role, or against it."""
        value, witnesses = abs(entry.value), self._witnesses
        found = {"later": entry.line / len(self._page.lines), "another of its row": not self._is_chosen(entry, role)}
        if role in _TOTALS:
            found["paid"] = value in witnesses.paid
            found["a sum"] = witnesses.is_sum(entry)
            found["a row of parts"] = witnesses.is_row_of_parts(entry)
            found["nothing"] = value == 0
            found["adds up to more"] = witnesses.goes_on(entry)
            found["left to pay"] = role == "total" and value in witnesses.left
        elif role in _PARTS:
            found["a part of a sum"] = witnesses.completes(role, value)
            found["one of a table"] = not entry.alone
        return found

    def _is_chosen(self, entry: LabelledAmount, role: str) -> bool:
        """Whether an amount may be the one of its row, by the heads over it, or by what else the page says."""
        row = self._rows.get(entry.label, [])
        if len(row) < 2 or entry.relation != "beside":
            return True
        if role not in _TOTALS:
            return entry is row[-1 if role == "tax" else 0]
        largest = max(row, key=lambda each: abs(each.value))
        known = self._witnesses.stands_twice(largest.value) or self._witnesses.is_sum(largest)
        return entry is largest or not (known or abs(largest.value) in self._witnesses.paid)


_SHARE = lazy_pattern(r"(\d{1,2}(?:[.,]\d{1,2})?) ?%")
_NEAR = 8
_CENT = Decimal("0.01")
