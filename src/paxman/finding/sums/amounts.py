"""Sums of a bill: which of the amounts that labels name is the total, the net amount, the tax, what is due."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import product

from paxman.classes import record
from paxman.finding.assignment import STANDS_IN
from paxman.finding.claims import Claim, Claims
from paxman.finding.sums.labels import SumWords
from paxman.finding.sums.ledger import LabelledAmount, Ledger
from paxman.finding.ties import Find, Tie, ties_of
from paxman.finding.wanted import TERM, Asked, members_of
from paxman.lazy import lazy_pattern
from paxman.lexicon.lexicon import Lexicon
from paxman.page.names import Name, Page
from paxman.page.places import Place
from paxman.recognizers import Conventions
from paxman.recognizers.figures.ranges import RULE as RANGE
from paxman.types import FieldType, Span

_CHANGE_NEAR = 6
_SLACK = Decimal("0.02")
"""What a total in whole five cents is off at most, where nobody prints the rounding."""
_NOTHING = Decimal(0)
_MOST_OF_A_ROLE = 12
_FEW = 4
_NO_ENDS = frozenset({"tax", "discount", "charge", "change", "deposit", "commission", "tendered", "previous"})
"""Roles of amounts that are never the end of a sum."""


_WHOLES = frozenset({"total", "gross", "net", "due"})
_ADDED = frozenset({"tax", "charge"})
"""Roles that many names of their own have: "city tax", "bag fee"."""


_EIGHTH, _HALF_CENT = Decimal(800), Decimal("0.005")
_ENDS = ("total", "due")


@record
class PrintedSum:
    """A sum of the page that adds up, and who has a part in it."""

    text: str
    members: frozenset[tuple[str, Decimal]]
    plain: bool
    """Whether it is a net amount and one tax."""
    is_base: bool
    """Whether the part that it begins with is what the tax is reckoned on."""


def _is_share(tax: Decimal, base: Decimal) -> bool:
    """Whether a tax is a usual share of an amount: rates are whole eighths of a hundredth."""
    rate = round(tax * _EIGHTH / base) if base > 0 else 0
    return rate > 0 and abs(base * rate / _EIGHTH - tax) <= _HALF_CENT


class Witnesses:
    """Sums of the page that speak for an amount: what was paid less the change, net and tax, charges."""

    def __init__(self, entries: Iterable[LabelledAmount]) -> None:
        self._entries = tuple(entries)
        self._by_role: dict[str, list[LabelledAmount]] = {}
        for entry in self._entries:
            found = self._by_role.setdefault(entry.role, [])
            counts = (entry.last if entry.role == "tax" else entry.rank == 0) and (
                entry.said.sure or entry.role in _ADDED
            )
            if counts and len(found) < _MOST_OF_A_ROLE:
                found.append(entry)

    def amounts(self, *roles: str) -> list[Decimal]:
        """The amounts of some roles, each once."""
        return list(dict.fromkeys(abs(entry.value) for role in roles for entry in self._by_role.get(role, ())))

    @cached_property
    def paid(self) -> frozenset[Decimal]:
        """What was paid: the money given less the change near it; without change, what stands there once more."""
        if self._by_role.get("change"):
            return frozenset(self._settled)
        given, times = self._by_role.get("tendered", []), Counter(abs(entry.value) for entry in self._entries)
        return frozenset(abs(each.value) for each in given if times[abs(each.value)] > 1) - {_NOTHING}

    @cached_property
    def _settled(self) -> dict[Decimal, str]:
        """What the money given is less the change near it, each as printed; of several payments none tells a total."""
        pairs = product(self._by_role.get("tendered", []), self._by_role.get("change", []))
        near = [(abs(g.value), abs(c.value)) for g, c in pairs if abs(g.line - c.line) <= _CHANGE_NEAR]
        single = len({given for given, _ in near}) == 1
        told = {g - c: f"{g} -{c} = {g - c}, as printed" if c and single else "" for g, c in near}
        return {value: text for value, text in told.items() if value}

    @cached_property
    def taxes(self) -> tuple[Decimal, ...]:
        """Each tax, and all of them."""
        found = [abs(entry.value) for entry in self._by_role.get("tax", ())]
        return tuple(dict.fromkeys((*found, sum(found, _NOTHING), sum(set(found), _NOTHING))))

    @cached_property
    def roundings(self) -> tuple[Decimal, ...]:
        """Steps of rounding, those without a sign in both directions."""
        found = {entry.value for entry in self._by_role.get("rounding", ()) if 0 < abs(entry.value) < 1}
        return tuple(sorted(found | {-step for step in found if step > 0}))

    @cached_property
    def _steps(self) -> tuple[Decimal, ...]:
        """What may be added to a sum: taxes, charges, rounding, and less a discount."""
        return tuple(dict.fromkeys(tax + sum(more, _NOTHING) for tax, more in self._additions if tax or any(more)))

    @cached_property
    def _additions(self) -> list[tuple[Decimal, tuple[Decimal, ...]]]:
        """A tax or none, with what else the page prints between parts and their sum, in every combination."""
        added = self.amounts("charge")[:_FEW]
        others = (
            (_NOTHING, *added, sum(added, _NOTHING)),
            (_NOTHING, *(-amount for amount in self.amounts("discount")[:_FEW])),
            (_NOTHING, *self.roundings[:_FEW]),
        )
        more = list(product(*map(dict.fromkeys, others)))
        return [(tax, each) for tax in dict.fromkeys((_NOTHING, *self.taxes)) for each in more]

    def explained(self, entry: LabelledAmount, role: str, sure: bool) -> str:
        """The sum, as printed, that bears an amount out in a role.

        Of a net amount and one tax it is told only where the label is not sure: fields tell of it themselves.
        """
        value = abs(entry.value)
        sums = (each for each in self._explained if (entry.role, value) in each.members)
        kept = (each for each in sums if not (sure and each.plain) and (role != "net" or each.is_base))
        return next((each.text for each in kept), "") or ("" if sure else self._paid_out(entry))

    def _paid_out(self, entry: LabelledAmount) -> str:
        """The money given less the change, if that is an amount; what no label names may be before a rounding."""
        is_end = entry.role in _ENDS if self.roundings else entry.role in ("", *_ENDS)
        return self._settled.get(abs(entry.value), "") if is_end else ""

    @cached_property
    def _explained(self) -> list[PrintedSum]:
        found = []
        ends = [entry for role in _ENDS for entry in self._by_role.get(role, ()) if entry.value]
        parts = [entry for role in ("net", "subtotal") for entry in self._by_role.get(role, ()) if entry.value]
        prepaid = (_NOTHING, *self.amounts("deposit")[:_FEW])
        for part, (tax, more), paid in product(parts, self._additions, prepaid):
            net = abs(part.value)
            value = net + tax + sum(more, -paid)
            terms = [amount for amount in (tax, *more, -paid) if amount]
            for end in ends if terms else ():
                if abs(end.value) == value and end.line != part.line:
                    members = frozenset({(part.role, net), ("tax", tax), (end.role, value)})
                    text = f"{net} {' '.join(f'{amount:+}' for amount in terms)} = {value}, as printed"
                    plain = terms == [tax] and tax in self.amounts("tax")
                    changed = sum(more[:2], _NOTHING)
                    taxed_before = _is_share(tax, net) and not _is_share(tax, net + changed)
                    is_base = part.role == "net" or not changed or taxed_before
                    found.append(PrintedSum(text, members, plain, is_base))
        return found

    @cached_property
    def _sums(self) -> dict[Decimal, int]:
        """What parts come to with what is added to them, and the line of the first such part."""
        found: dict[Decimal, int] = {}
        for role in ("net", "subtotal", "total"):
            for part in self._by_role.get(role, ()):
                for step in self._steps:
                    value = abs(part.value) + step
                    found[value] = min(part.line, found.get(value, part.line))
        return found

    def is_sum(self, entry: LabelledAmount) -> bool:
        """Whether an amount is what parts above it come to with what is added to them."""
        slack = _SLACK if entry.role in _WHOLES else _NOTHING
        value = abs(entry.value)
        return value != 0 and any(line < entry.line and abs(value - end) <= slack for end, line in self._sums.items())

    def goes_on(self, entry: LabelledAmount) -> bool:
        """Whether something is added to an amount, and what that comes to stands below it."""
        ends = {abs(entry.value) + step for step in self._steps if step}
        below = (abs(other.value) for other in self._ends if other.line > entry.line and other.value != entry.value)
        return any(abs(value - end) <= _SLACK for value in below for end in ends)

    @cached_property
    def _ends(self) -> list[LabelledAmount]:
        return [entry for entry in self._entries if entry.role not in _NO_ENDS and entry.alone]

    def is_row_of_parts(self, entry: LabelledAmount) -> bool:
        """Whether an amount makes up a sum of the page with the other one of its row, as in a table of taxes."""
        row = self._rows[entry.line, entry.label]
        return len(row) == 2 and sum(row, _NOTHING) in self._whole and row[1] < row[0]

    @cached_property
    def _rows(self) -> Mapping[tuple[int, Span], list[Decimal]]:
        """The amounts of each line that stand with the same words."""
        rows: defaultdict[tuple[int, Span], list[Decimal]] = defaultdict(list)
        for entry in self._entries:
            rows[entry.line, entry.label].append(entry.value)
        return rows

    @cached_property
    def _whole(self) -> frozenset[Decimal]:
        return self.paid | frozenset(abs(entry.value) for entry in self._ends)

    @cached_property
    def left(self) -> frozenset[Decimal]:
        """What is left of a total after a part of it was paid."""
        parts = [part for part in self.amounts("tendered", "deposit") if part]
        return frozenset(total - part for total in self.amounts("total") for part in parts)

    def refutes(self, total: Decimal) -> bool:
        """Whether a total is far less than a part of it that nothing was taken off."""
        return 0 < 2 * total < self._least

    @cached_property
    def _least(self) -> Decimal:
        reduced = self.amounts("discount", "deposit")
        sure = (e for role in ("tax", "subtotal") for e in self._by_role.get(role, ()) if e.said.sure and e.alone)
        return _NOTHING if reduced else max((abs(entry.value) for entry in sure), default=_NOTHING)

    def completes(self, role: str, value: Decimal) -> bool:
        """Whether net and tax make a total of the page when this value is one of them."""
        others = self.amounts("net", "subtotal") if role == "tax" else self.taxes
        totals = {*self.amounts("total", "due")}
        return value != 0 and any(value + o + step in totals for o in others for step in (_NOTHING, *self.roundings))

    def unnamed(self) -> Iterator[LabelledAmount]:
        """Amounts that no label of a sum names, but that the payment does, or the sum of the parts."""
        named = frozenset(self.amounts("total", "due"))
        return (e for e in self._ends if abs(e.value) in self.paid or (self.is_sum(e) and abs(e.value) not in named))

    def stands_twice(self, value: Decimal) -> bool:
        """Whether a label of a sum of its own names an amount again."""
        return sum(entry.alone and entry.value == value and entry.said.sure for entry in self._entries) > 0

    def has(self, *roles: str) -> bool:
        """Whether some amount of these roles is more than nothing, if only by a word of its label."""
        return any(entry.value and entry.role in roles for entry in self._entries)

    @cached_property
    def has_several_taxes(self) -> bool:
        """Whether the page has taxes of several names, of which none is the whole."""
        return len({entry.said.term for entry in self._by_role.get("tax", ()) if entry.said.sure}) > 1

    def is_taxed(self, entry: LabelledAmount) -> bool:
        """Whether an amount that is called net is a total with the tax above it."""
        taxes = {step for step in self.taxes if step}
        totals = (other for other in self._by_role.get("total", ()) if other.line < entry.line)
        return any(abs(entry.value) - abs(total.value) in taxes for total in totals)


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
    parts = {number: part for number, part in found.items() if part.role and not claims.wanted[number].is_rate}
    if not parts:
        return ties
    others = [tie for tie in ties if tie.field not in parts or _is_no_ledger_amount(page, tie)]
    return [*others, *ties_of(page, claims, how, _Sums(page, claims, how, parts).finds())]


def _is_no_ledger_amount(page: Page, tie: Tie) -> bool:
    """Whether the format itself joins a name with its amount, or two ends of a range stand at the name."""
    relation = tie.place.relation
    is_of_format = relation == "key" or (relation == "below" and page.lines[tie.name.line].row is not None)
    return is_of_format or tie.reading.rule == RANGE


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
                    claim = Claim(_PLACED, Asked((), _PLACED, "", STANDS_IN), "what was paid, or the parts, come to it")
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
            # A claim by the name of another sum: what is due is the total where nothing was paid, and the other way.
            said, others = entry.said, self._claims.lexicon.sums["instead"].get(part.role, ())
            if said.role not in others:
                return None
            owes = self._witnesses.has("tendered", "deposit", "previous")
            if part.role == "due" and owes:
                return None
            if "due" in self._roles and said.role == "due" and self._is_rest(entry):
                return None
            plain = part.role == "total" and "due" not in self._roles and not owes and self._is_whole(entry)
            fit = TERM if plain else _STANDS_IN - _STEP * others.index(said.role)
            fit = fit if said.sure else _UNSURE - _STEP
            return Claim(fit, Asked((), fit, words, STANDS_IN), f"{said.words!r} names the {said.role}")
        if part.term not in ("", said.term):
            return None
        if own and said.sure:
            return own if own.fit >= TERM else Claim(TERM, own.asked, own.reason)
        fit = TERM if said.sure else _UNSURE
        return Claim(fit, Asked((), fit, words, "sums"), f"{said.words!r} names the {said.role}")

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
        # What else on the page speaks for an amount in its role, or against it.
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
        signs = {"fit": claim.fit, "amount": 1.0, **found}
        witness = self._witnesses.explained(entry, role, sure=claim.fit >= TERM)
        told = role != "due" or entry.role == role  # The sum of a total does not tell what is still to pay.
        return Find(number, claim, place, signs, name, witness=witness if told else "")

    def _is_chosen(self, entry: LabelledAmount, role: str) -> bool:
        """Whether an amount may be the one of its row, by the heads over it, or by what else the page says."""
        row = self._rows.get(entry.label, [])
        if len(row) < 2 or entry.relation != "beside":
            return True
        heads = self._ledger.heads_of(row)
        if heads:
            kept = current_of(heads, role, self._claims, sum_words(self._claims.lexicon))
            return kept[row.index(entry)]
        if role not in _TOTALS:
            return entry is row[-1 if role == "tax" else 0]
        largest = max(row, key=lambda each: abs(each.value))
        known = self._witnesses.stands_twice(largest.value) or self._witnesses.is_sum(largest)
        return entry is largest or not (known or abs(largest.value) in self._witnesses.paid)


_SHARE = lazy_pattern(r"(\d{1,2}(?:[.,]\d{1,2})?) ?%")
_NEAR = 8
_CENT = Decimal("0.01")


_MONEY = frozenset({"amount", "total"})
_OLD = frozenset({"previous", "estimated"})
_YEAR = lazy_pattern(r"\b(?:19|20)\d\d\b")


def current_of(heads: Sequence[str], role: str, claims: Claims, words: SumWords) -> list[bool]:
    """Which amounts of a row may answer a field of a role: not those of another time, and of the head that names it."""
    lexicon = claims.lexicon
    times = [_time_of(head, lexicon) for head in heads]
    kept = [not old and year in (0, max(year for _, year in times)) for old, year in times]
    exact = [words.of(head).role == role for head in heads]
    money = [not _MONEY.isdisjoint(members_of(lexicon.parse(head), "head")) for head in heads]
    for named in (exact, money):
        both = [name and keep for name, keep in zip(named, kept, strict=True)]
        if any(both):
            return both
    return kept


def _time_of(head: str, lexicon: Lexicon) -> tuple[bool, int]:
    """Whether a head speaks of an earlier or planned time, and its year if it names one."""
    years = _YEAR.findall(head)
    return not _OLD.isdisjoint(members_of(lexicon.parse(head), "side")), int(years[-1]) if years else 0
