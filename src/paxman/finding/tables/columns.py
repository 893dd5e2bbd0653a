"""Which head of a table names which column of an array; `Claims` judges the words, the heads are matched as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import attrs

from paxman.classes import record
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.currencies import MINOR_UNITS
from paxman.finding.claims import Claims, says_opposite, shared_words
from paxman.finding.wanted import LOOSE, TERM, Asked, Phrase, Wanted, ask
from paxman.lazy import lazy_pattern, remembered
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Lexicon, Term, Words
from paxman.recognizers.figures.currency_signs import codes_of
from paxman.types import FieldType

FLOOR = 0.62
_OWN_SOURCES = ("label", "name", "description")
COMMON = "tables"
"""The trade whose words hold in every table."""
_BARE = 0.7
LIKELY = 0.6
"""How well a head fits that only is the likest for a column."""
_NAMES_IT = 0.74
_LEAST_LIKE, _MARGIN = 0.45, 0.1
_SURE, _LEAST_LIKELY = 0.79, 2
_PART, _LIKE, _UNCLEAR = 0.97, 0.85, 0.8
_TWIN = 0.03
_LONGEST_HEAD = 80
_BRACKETS = lazy_pattern(r"\s*[(\[][^()\[\]]*[)\]]")
_SIGNS = lazy_pattern(r"[$€£¥₹%]+")
_CODE = lazy_pattern(r"\b[A-Z]{3}\b")
_LOOSE = lazy_pattern(r"[/|\n]|(?<=\w)-(?=\w)")
_EITHER = lazy_pattern(r"\s*[/|\n]\s*")
_CURRENCY = lazy_pattern(
    r"[(\[][ \t]*(?:\w{2,5} )?([^\s()\[\]]{1,4})[ \t]*[)\]]|(?:[\s/,])([A-Z]{3}|[^\w\s()\[\]]{1,2})[ \t]*$"
)
FACTORS = ("quantity", "unit_price", "line_total")
SUMMED = ("line_total", "total", "net")
NUMBERS = frozenset({FieldType.DECIMAL, FieldType.INTEGER, FieldType.MONEY})
FIGURES = NUMBERS | {FieldType.DATE}


@record
class Bound:
    """ArrayColumns of the array by the heads that name them: the place of each in the grid, and how well it fits."""

    places: Mapping[int, int]
    fits: Mapping[int, float]
    twins: Mapping[int, int] = attrs.field(factory=dict, hash=False)
    """Columns that another head names as well, with its place."""
    turned: bool = False
    """Whether rows and columns change places."""
    layers: frozenset[int] = frozenset()
    """ArrayColumns whose values stand a line below the others of a row, as their heads do."""
    elsewhere: frozenset[int] = frozenset()
    """Columns that another table of the same records holds."""

    @property
    def score(self) -> float:
        return sum(self.fits.values())


class ArrayColumns:
    """The columns of an array, what each asks for, and what heads say of them."""

    guesses = True
    """Whether cells alone may tell a column."""

    def __init__(self, fields: Sequence[CanonicalField], lexicon: Lexicon, domains: frozenset[str]) -> None:
        self.fields, self.lexicon, self.domains = tuple(fields), lexicon, domains
        terms = _settled([_terms_of(field, lexicon, domains) for field in fields])
        self.roles = tuple(each[0].name if each else "" for each in terms)
        self.wanted = tuple(_asking(field, each, lexicon) for field, each in zip(fields, terms, strict=True))
        self.claims = Claims(self.wanted, lexicon)
        self._terms = terms
        related = (other for each in terms for term in each for other in (term, *_family(term, lexicon)))
        self._own = {f"{term.domain}/{term.name}" for term in related}
        self._judged: dict[str, Mapping[int, float]] = {}
        self._likenesses: dict[tuple[int, str], float] = {}

    @cached_property
    def factors(self) -> tuple[int, ...]:
        """The columns of quantity, price and total of a line, if the array asks for all three."""
        roles = ["line_total" if role in SUMMED else role for role in self.roles]
        return tuple(roles.index(role) for role in FACTORS) if set(FACTORS) <= set(roles) else ()

    def numbers_rows(self, head: str) -> bool:
        """Whether a head says that its column only numbers the rows."""
        return f"{COMMON}/position" in self.lexicon.by_head.get(fold_words(head), ())

    @cached_property
    def texts(self) -> tuple[int, ...]:
        return tuple(i for i, field in enumerate(self.fields) if field.type is FieldType.STRING)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        return tuple(i for i, field in enumerate(self.fields) if field.type in NUMBERS)

    @cached_property
    def figures(self) -> tuple[int, ...]:
        return tuple(i for i, field in enumerate(self.fields) if field.type in FIGURES)

    def of(self, head: str) -> Mapping[int, float]:
        """The columns that a head may name, with how well it fits."""
        head = head.strip()
        found = self._judged.get(head)
        if found is None:
            found = self._judged[head] = self._judge(head) if 0 < len(head) <= _LONGEST_HEAD else {}
        return found

    def names_best(self, label: str, column: int) -> bool:
        """Whether a label names a column, and none better."""
        found = self.of(label)
        return column in found and found[column] >= max(_NAMES_IT, *found.values())

    def likeliest(self, label: str) -> int | None:
        """The column that shares most words with a label, if one does by a margin."""
        ranked = sorted(((self._likeness(column, label), column) for column in range(len(self.fields))), reverse=True)
        rivals = [likeness for likeness, _ in ranked[1:] if likeness >= ranked[0][0] - _MARGIN]
        return ranked[0][1] if ranked[0][0] >= _LEAST_LIKE and not rivals else None

    def may_name(self, label: str, column: int) -> bool:
        """Whether a label shares enough words with a column to be short for it."""
        return self._likeness(column, label) >= _LEAST_LIKE

    def _judge(self, head: str) -> dict[int, float]:
        own = ({text.strip().casefold() for text in (field.name, *field.labels)} for field in self.fields)
        best = {i: 1.0 for i, words in enumerate(own) if head.casefold() in words}
        for text, weight in () if best else _ways(head):
            for column, fit in self._wordings.get(fold_words(text), {}).items():
                best[column] = max(best.get(column, 0.0), fit * weight)
        if not best:
            best = {} if self.means_other(head) else self._alike(head)
        return {column: fit for column, fit in best.items() if fit >= FLOOR}

    def _alike(self, head: str) -> dict[int, float]:
        """ArrayColumns whose words mean the same or share some; of several that do, none surely."""
        best: dict[int, float] = {}
        for text, weight in _ways(head):
            for column, claim in self.claims.of(text).items():
                if all(t.concept and t.concept.kind == "head" for t in claim.asked.tokens):
                    continue
                best[column] = max(best.get(column, 0.0), claim.fit * weight * _LIKE)
        most = max(best.values(), default=0.0)
        close = [column for column, fit in best.items() if fit >= most - _TWIN]
        return {c: best[c] * (_UNCLEAR if len(close) > 1 else 1.0) for c in close}

    @cached_property
    def _wordings(self) -> Mapping[Words, Mapping[int, float]]:
        """How well each wording fits each column, by its very words; what all tables share goes before a trade."""
        found: dict[Words, dict[int, float]] = {}
        for column, (wanted, terms) in enumerate(zip(self.wanted, self._terms, strict=True)):
            own = [(asked.text, asked.weight) for asked in wanted.phrases if asked.source in _OWN_SOURCES]
            lent = ((text, weight) for text, weight, domain in _lent(terms, self.lexicon) if self._counts(text, domain))
            for text, weight in (*own, *lent):
                fits = found.setdefault(fold_words(text), {})
                fits[column] = max(fits.get(column, 0.0), weight)
        return found

    def _counts(self, text: str, domain: str) -> bool:
        """Whether a wording is one that all tables share, or that only its trade has."""
        keys = self.lexicon.by_head.get(fold_words(text), ())
        return domain == COMMON or not any(key.startswith(f"{COMMON}/") for key in keys)

    def means_other(self, head: str) -> bool:
        """Whether a head is what trades call something that this array does not ask for."""
        keys = {key for text, _ in _ways(head) for key in self.lexicon.by_head.get(fold_words(text), ())}
        known = {key for key in keys if key.partition("/")[0] in self.domains}
        return bool(known) and known.isdisjoint(self._own)

    def bind(self, heads: Sequence[str]) -> Bound:
        """The best head for each column, one each; of equal ones a total stands right and all else left."""
        hits = [
            (-fit, -place if self.roles[column] in SUMMED else place, place, column)
            for place, head in enumerate(heads)
            for column, fit in self.of(head).items()
        ]
        places: dict[int, int] = {}
        fits: dict[int, float] = {}
        for fit, _, place, column in sorted(hits):
            if column not in places and place not in places.values():
                places[column], fits[column] = place, -fit
        taken = set(places.values())
        twins = {
            column: place
            for fit, _, place, column in hits
            if place not in taken and column in fits and -fit >= fits[column] - _TWIN and heads[place]
        }
        return Bound(places, fits, twins)

    def bind_stacked(self, stacks: Sequence[Sequence[str]]) -> Bound:
        """ArrayColumns by heads of one or more parts each; the lower part of two may head the second line of rows."""
        texts, layered = [], set()
        for place, parts in enumerate(stacks):
            joined, last = " ".join(parts), parts[-1] if parts else ""
            fits = [max(self.of(text).values(), default=0.0) for text in (joined, last)]
            apart = len(parts) > 1 and fits[1] > fits[0]
            texts.append(last if apart else joined)
            layered |= {place} if apart else set()
        bound = self.bind(texts)
        return attrs.evolve(bound, layers=frozenset(c for c, place in bound.places.items() if place in layered))

    def fill(self, bound: Bound, heads: Sequence[str]) -> Bound:
        """The bound columns with those that the other heads are likely to name, each the only one by a margin.

        What two have for each other is taken from the likest on, so that what is left becomes clear. Of columns
        that are headed alike the first stands for all.
        """
        places, fits, twins = dict(bound.places), dict(bound.fits), dict(bound.twins)
        alike: dict[str, list[int]] = {}
        for place, head in enumerate(heads):
            if place not in places.values():
                alike.setdefault(" ".join(head.split()).casefold(), []).append(place)
        pairs = {
            (column, each[0]): likeness
            for column in range(len(self.fields))
            if column not in places
            for each in alike.values()
            if (likeness := self._likeness(column, heads[each[0]])) >= _LEAST_LIKE
        }
        while pairs:
            (column, place), most = max(pairs.items(), key=lambda pair: (pair[1], -pair[0][0], -pair[0][1]))
            rivals = [pair for pair in pairs if (pair[0] == column) != (pair[1] == place)]
            if all(pairs[rival] < most - _MARGIN for rival in rivals):
                places[column], fits[column] = place, _BARE if self._is_only_kind(column, heads[place]) else LIKELY
                same = next(each for each in alike.values() if place == each[0])
                twins |= {column: same[1]} if len(same) > 1 else {}
                rivals += [(column, place)]
            else:
                rivals = [pair for pair in rivals if pairs[pair] >= most - _MARGIN] + [(column, place)]
            pairs = {pair: likeness for pair, likeness in pairs.items() if pair not in rivals}
        return attrs.evolve(bound, places=places, fits=fits, twins=twins)

    def told_apart(self, bounds: Sequence[Bound]) -> list[Bound]:
        """The bound columns of tables, each with what others hold that share a column of words with it and lack one."""
        known = {frozenset(bound.places) for bound in bounds}
        made = []
        for bound in bounds:
            own = bound.places.keys()
            rest = (each - own for each in known if each & own & {*self.texts} and each - own and own - each)
            made.append(attrs.evolve(bound, elsewhere=frozenset[int]().union(*rest)))
        return made

    def are_named(self, bound: Bound, width: int) -> bool:
        """Whether so many heads name enough columns to be those of this array."""
        count, asked = len(bound.places), len(self.fields)
        if not count:
            return False
        needed = {i for i, field in enumerate(self.fields) if field.required}
        sure = sum(1 for fit in bound.fits.values() if fit >= _SURE)
        if not sure and count < 3:
            return False
        if count == 1:
            return asked == 1 or (width <= 2 and needed <= bound.places.keys() and bound.score >= 0.9 and bool(needed))
        return count >= 2

    @cached_property
    def likely(self) -> ArrayColumns:
        """The same columns, named also by heads that are only likely theirs."""
        return _LikelyColumns(self.fields, self.lexicon, self.domains)

    def _is_only_kind(self, column: int, head: str) -> bool:
        """Whether a head is just the noun of a kind ("Date", "#") and the column the only one of that kind."""
        alike = [each for each in self.wanted if each.kind == self.wanted[column].kind]
        return len(alike) == 1 and Phrase(self.lexicon.parse(head)).is_head and not self.means_other(head)

    def _likeness(self, column: int, head: str) -> float:
        """How much of their words a column and a head share, an abbreviation nearly as much as the word."""
        head = head.strip()
        if not 0 < len(head) <= _LONGEST_HEAD:
            return 0.0
        key = (column, head)
        if key not in self._likenesses:
            wanted, name = self.wanted[column], Phrase(self.lexicon.parse(_LOOSE.sub(" ", head)))
            own = [asked.phrase for asked in wanted.phrases if asked.source in _OWN_SOURCES]
            likenesses = (shared_words(each, name) for each in own if not says_opposite(each, name))
            self._likenesses[key] = max(likenesses, default=0.0)
        return self._likenesses[key]


class _LikelyColumns(ArrayColumns):
    guesses = False

    def bind(self, heads: Sequence[str]) -> Bound:
        return self.fill(super().bind(heads), heads)

    def are_named(self, bound: Bound, width: int) -> bool:
        return len(bound.places) >= max(_LEAST_LIKELY, len(self.fields) / 2)


def currency_named(head: str) -> str:
    """The currency that a head of amounts names, as "Unit price (GBP)" does; none where it may be several."""
    found = _CURRENCY.search(head)
    codes = codes_of(next(filter(None, found.groups()))) if found else ()
    return codes[0] if len(codes) == 1 else ""


def _ways(head: str) -> Iterator[tuple[str, float]]:
    """A head as it stands, without brackets and currencies, and each of two that a stroke joins."""
    yield head, 1.0
    bare = _BRACKETS.sub("", head).strip()
    bare = _SIGNS.sub(" ", _CODE.sub(lambda m: "" if m[0] in MINOR_UNITS else m[0], bare)).strip()
    if bare and bare != head:
        yield bare, 1.0
    parts = [part for part in _EITHER.split(head) if len(part) > 1]
    if 1 < len(parts) < 4:
        yield from ((part, _PART) for part in parts)


def _terms_of(field: CanonicalField, lexicon: Lexicon, domains: frozenset[str]) -> list[Term]:
    """What trades call a column: by its name, else by its first label that they know; that of any table first."""
    known = {key: term for key, term in lexicon.columns.items() if term.domain in domains}
    if len(field.name) < 2:
        return []
    named = [term for term in known.values() if field.words.lower() in term.names]
    for text in (field.words, *field.labels):
        named += [known[key] for key in lexicon.by_head.get(fold_words(text), ()) if key in known]
        if named:
            break
    return sorted(dict.fromkeys(named), key=lambda term: term.domain != COMMON)


def _settled(terms: list[list[Term]]) -> list[list[Term]]:
    """Terms of columns; a position without anything to count is somebody's, and not that of a line."""
    counts = any(term.kind == "amount" and term.name != "position" for each in terms for term in each)
    return [[term for term in each if term.name != "position" or counts] for each in terms]


def _family(term: Term, lexicon: Lexicon) -> list[Term]:
    keys = (f"{term.domain}/{name}" for name in term.family)
    return [lexicon.columns[key] for key in keys if key in lexicon.columns]


def domains_of(contract: CanonicalContract, field: CanonicalField, lexicon: Lexicon) -> frozenset[str]:
    """The trades that a contract speaks of, and what all tables share."""
    texts = [contract.id]
    for leaf in contract.leaves:
        texts += [leaf.said, *leaf.labels]
    for each in (field, *field.columns):
        texts += [each.words, each.description, *each.labels]
    said = {word for text in texts for word in fold_words(text)}
    counts = {domain: len(said & signs) for domain, signs in lexicon.domains.items()}
    most = max(counts.values(), default=0)
    return frozenset({COMMON, *(domain for domain, count in counts.items() if count >= max(2, 0.8 * most))})


def _lent(terms: Sequence[Term], lexicon: Lexicon) -> Iterator[tuple[str, float, str]]:
    """What trades call a column, with how much it counts and the trade."""
    for term in terms:
        yield from ((text, TERM, term.domain) for text in term.wordings)
        yield from ((text, LOOSE, term.domain) for text in term.loose)
        for other in _family(term, lexicon):
            yield from ((text, LOOSE, other.domain) for text in other.wordings)


def _asking(field: CanonicalField, terms: Sequence[Term], lexicon: Lexicon) -> Wanted:
    wanted = ask(field, lexicon, terms[0] if terms else None)
    known = {tuple(t.key for t in asked.tokens) for asked in wanted.phrases}
    phrases = [
        Asked(tokens, weight, text, domain)
        for text, weight, domain in _lent(terms[1:], lexicon)
        if (tokens := lexicon.parse(text)) and tuple(t.key for t in tokens) not in known
    ]
    return attrs.evolve(wanted, phrases=(*wanted.phrases, *phrases)) if phrases else wanted


@remembered(lambda contract, field, lexicon: (contract.memo, field.path, id(lexicon)))
def columns_of(contract: CanonicalContract, field: CanonicalField, lexicon: Lexicon) -> ArrayColumns:
    """The columns of an array of a contract, worked out once."""
    return ArrayColumns(field.columns, lexicon, domains_of(contract, field, lexicon))
