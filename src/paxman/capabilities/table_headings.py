"""What the headings of a table mean: which column of a contract stands below each."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Sequence
from functools import lru_cache

import attrs

from paxman.capabilities.business_terms import DELIVERIES, FALLBACKS, MIXED, label_terms, read_terms
from paxman.capabilities.descriptions import described_of
from paxman.contract.labels import compact_label, compact_word, fold_label
from paxman.contract.model import CanonicalField
from paxman.documents.heading_words import OTHER, Hit, Token, tokens_of
from paxman.documents.headings import Bound, Column

_MOST_WORDS = 6
_LEAST_SUFFIX = 5
_MOST_COMPOUND = 40
_LONGEST = 200

_FAMILIES = {"line_total": ("line_total", "net", "total", "subtotal"), "total": ("total", "line_total", "subtotal")}
_FAMILIES |= {"net": ("net", "line_total", "subtotal")}
_FAMILIES |= {"description": ("description", "thing", "entry"), "thing": ("thing", "description", "entry")}
_FAMILIES |= {"entry": ("entry", "description"), "article": ("article", "barcode")}
DAYS = ("date", "transaction_date", "posting_date")
_FAMILIES |= dict.fromkeys(DAYS, DAYS)
_FAMILIES |= {"count": ("count", "delivered", "ordered"), "amount_due": ("amount_due", "balance")}
_FAMILIES |= {term: FALLBACKS[term] for term in sorted(DELIVERIES)}
_LESSER = {"thing": 0, "entry": 0, "barcode": 0, "total": 0, "ordered": 0, "delivered": 1}
_LESSER |= {"date": 1, "transaction_date": 0, "posting_date": -1}
_LESSER |= {**dict.fromkeys(sorted(DELIVERIES), -1), "expected_delivery": 1}
"""Ranks of terms that give way to a column's own: "Item" may stand over codes, and a total has the tax in it."""
TEXTS = ("description", "thing", "entry")
"""What says what an item is."""
_SIDES = {"in": "credit", "out": "debit"}
"""Names of columns that are no headings of others."""
_WHOLE = ("position", "entry")
"""Terms that a word says only if it is all of a heading: "Batch no" is no position, "Transaction ID" no text."""
_FACTORS = ("count", "unit_price", "line_total")
_PAST = (
    "old previous prior former was planned plan budget budgeted estimated estimate forecast target expected scheduled"
    " alt alte alter altes bisher bisherige bisheriger vorherige vorheriger geplant geplante geplanter budgetiert"
    " ancien ancienne precedent precedente prevu prevue prevus prevues planifie antiguo antigua anterior previsto"
    " prevista previstas planificado planificadas presupuestado vecchio vecchia preventivo antigo antiga"
    " planejado orcado oud oude vorige gepland geplande begroot stara stary poprzednia planowana planowane"
    " gammal gammel gamle tidigare planerad planlagt list listenpreis catalogue catalog listino"
)
"""What tells that something was, was thought to be, or is before a discount; it gives way to what is."""


@attrs.frozen
class Vocabulary:
    """Every known heading with the place of its column in the contract."""

    meanings: dict[str, int]
    roles: tuple[str | None, ...]
    """For each column of the contract, the business term that it asks for."""
    own: frozenset[str] = frozenset()
    """The headings that the contract itself names."""
    names: frozenset[str] = frozenset()
    """Those that are names of fields which have other labels."""
    lesser: dict[str, int] = attrs.field(factory=dict)
    """The rank of headings that give way to others for the same column."""
    unknown: frozenset[str] = frozenset()
    """Headings that mean nothing here."""
    whole: frozenset[str] = frozenset()
    """Those that count only without other words."""
    figures: frozenset[str] = frozenset()
    """Those that the contract names with figures in them, as they are written."""

    @property
    def factors(self) -> tuple[int, ...]:
        """The places of quantity, price and line total in the contract, if it asks for all three."""
        roles = ["line_total" if role in ("total", "net") else role for role in self.roles]
        return tuple(roles.index(role) for role in _FACTORS) if set(roles).issuperset(_FACTORS) else ()

    def hits(self, tokens: Sequence[Token]) -> Iterator[Hit]:
        """The known headings among tokens, longest first from the left."""
        first = 0
        while first < len(tokens):
            hit = self._longest(tokens, first) or self._compound(tokens[first].key, first)
            if hit:
                yield hit
            first = hit.last if hit else first + 1

    def _longest(self, tokens: Sequence[Token], first: int) -> Hit | None:
        key, found = "", None
        for last, token in enumerate(tokens[first : first + _MOST_WORDS], first + 1):
            key += token.key
            meaning = self.meanings.get(key)
            if meaning is None or key in self.unknown:
                continue
            if not self._is_position(key) or not (first or self._heads_count(tokens, last)):
                found = last, meaning, key
        return Hit(first, found[0], found[1], self._rank(found[2])) if found else None

    def _heads_count(self, tokens: Sequence[Token], first: int) -> bool:
        """Whether a word for how many follows, as in "# Spots"."""
        hit = self._longest(tokens, first) if first < len(tokens) else None
        return hit is not None and hit.meaning != OTHER and self.roles[hit.meaning] == "count"

    def _is_position(self, key: str) -> bool:
        """Whether a word numbers rows, which stands before all else."""
        return key in self.whole and _column_terms()[key] == "position"

    def _rank(self, key: str) -> int:
        if key in self.own:
            return 2
        return self.lesser.get(key, 1 if key in _short_keys() else 2)

    def _compound(self, key: str, first: int) -> Hit | None:
        for start in range(1, min(len(key), _MOST_COMPOUND) - _LEAST_SUFFIX + 1):
            meaning = self.meanings.get(key[start:])
            if meaning is not None:
                return Hit(first, first + 1, meaning, 1)
        return None

    def beside(self, tokens: Sequence[Token]) -> Vocabulary:
        """The vocabulary for a line of headings: those of a letter or two count only in their own language."""
        words = {token.key for token in tokens}
        known = {key for keys, language in _short_columns() if not words.isdisjoint(language) for key in keys}
        letters = {word for word in words if len(word) == 1 and word.isalpha()}
        if not letters <= known:
            known -= letters  # Length, width and height, or the like.
        return attrs.evolve(self, unknown=_short_keys() - known - self.own)

    def best(self, tokens: Sequence[Token]) -> Hit | None:
        """What a whole heading means: a column of the contract if any part of it does."""
        hits = self._known(tokens)
        whole = [hit for hit in hits if hit.last - hit.first == len(tokens)]
        key = "".join([token.key for token in tokens])
        if whole and key in self.own:
            return whole[0]._replace(rank=3 if key in self.names else 4)
        own = whole or [hit for hit in hits if hit.meaning != OTHER] or hits
        found = max(own, key=lambda hit: hit.rank, default=None)
        is_past = found and not _past_keys().isdisjoint([token.key for token in tokens])
        return found._replace(rank=found.rank - 1) if found and is_past else found

    def _known(self, tokens: Sequence[Token]) -> list[Hit]:
        """The known headings among tokens; beside words of another meaning, without those that count only alone."""
        hits = list(self.hits(tokens))
        if len({hit.meaning for hit in hits}) < 2 and sum(hit.last - hit.first for hit in hits) == len(tokens):
            return hits
        return [hit for hit in hits if "".join([t.key for t in tokens[hit.first : hit.last]]) not in self.whole]

    def names_column(self, text: str) -> bool:
        """Whether the contract itself has a text for a heading."""
        return "".join(token.key for token in tokens_of(text[:_LONGEST])) in self.own

    def is_open(self, headings: Sequence[str], bound: Bound) -> bool:
        """Whether a field has no column beside some without a field, or one by a word that may head something else."""
        if len(bound) < min(len(self.roles), len(headings)):
            return True
        texts = (at for place, at in bound if self.roles[place] in ("position", "article", *TEXTS))
        return any(heading_term(headings[at][:_LONGEST]) in (*_WHOLE, "barcode") for at in texts)

    def bind(self, columns: Sequence[Column]) -> Bound:
        """The best heading for each column of the contract; a total stands right, anything else left."""
        bound: dict[int, int] = {}
        for place, column in enumerate(columns):
            meaning = column.meaning
            if meaning == OTHER:
                continue
            taken = bound.get(meaning)
            last = self.roles[meaning] in ("line_total", "total", "net")
            if taken is None or (column.rank, last) > (columns[taken].rank, False):
                bound[meaning] = place
        return tuple(sorted(bound.items()))

    def bind_texts(self, texts: Sequence[str]) -> Bound:
        """The columns of the contract that the headings of a table mean, each with its place in the table."""
        headings = [tokens_of(text[:_LONGEST]) for text in texts]
        known = self.beside([token for tokens in headings for token in tokens])
        hits = [known.best(tokens) for tokens in headings]
        return self.bind([Column(0, 0, hit.meaning, hit.rank) if hit else Column(0, 0) for hit in hits])


def vocabulary_of(columns: Sequence[CanonicalField]) -> Vocabulary:
    """The vocabulary for the columns of one row."""
    described = described_of(columns)
    return _vocabulary(
        tuple((column.name, column.labels) for column in columns),
        tuple(described.get(column.path, "") for column in columns) if described else (),
    )


@lru_cache(maxsize=64)
def _vocabulary(columns: tuple[tuple[str, tuple[str, ...]], ...], described: tuple[str, ...] = ()) -> Vocabulary:
    terms = {**label_terms(), **{key: (term,) for key, term in _column_terms().items()}}
    roles = _roles(columns, terms)
    owners = _owners(roles)
    chosen = {key: next((t for t in each if t in owners), "") for key, each in terms.items()}
    meanings = {key: owners.get(term, OTHER) for key, term in chosen.items()}
    lesser = {key: _LESSER[term] for key, term in chosen.items() if term in _LESSER and term not in roles}
    for place, label in enumerate(described):
        keys = (key for key in compact_label(label) if meanings.get(key, OTHER) == OTHER)
        meanings.update(dict.fromkeys(keys, place))
    for place, (name, _) in enumerate(columns):
        numbers = _numbered(name) if not roles[place] else ()
        meanings.update((key, place) for key in numbers if meanings.get(key, OTHER) == OTHER)
    own: dict[str, int] = {}
    for place, (name, labels) in reversed(list(enumerate(columns))):
        for label in (name.replace("_", " "), *labels):
            own.update(dict.fromkeys(_own_keys(label), place))
    meanings |= own
    meanings.pop("", None)
    labelled = {key for _, labels in columns for label in labels for key in _own_keys(label)}
    names = {key for name, labels in columns if labels for key in compact_label(name.replace("_", " "))} - labelled
    whole = _whole_keys().difference(own)
    figures = frozenset(label for _, labels in columns for label in labels if any(map(str.isdecimal, label)))
    return Vocabulary(meanings, roles, frozenset(own), frozenset(names), lesser, whole=whole, figures=figures)


def _own_keys(label: str) -> tuple[str, ...]:
    """A label as headings are compared, also one that is just a sign."""
    sign = label.strip()
    return (*compact_label(label), sign) if len(sign) == 1 and not sign.isalnum() else compact_label(label)


@lru_cache(maxsize=1)
def _short_columns() -> list[tuple[frozenset[str], frozenset[str]]]:
    """Headings of a letter or two, and words of the language that they belong to."""
    content = pkgutil.get_data(__name__, "data/short_columns.txt")
    assert content is not None
    lines = [line.split(":") for line in content.decode("utf-8").splitlines()[1:]]
    parts = [[frozenset(map(compact_word, part.split())) for part in line] for line in lines]
    return [(short, words) for short, words in parts]


@lru_cache(maxsize=1)
def _short_keys() -> frozenset[str]:
    return frozenset(key for keys, _ in _short_columns() for key in keys)


@lru_cache(maxsize=1)
def _past_keys() -> frozenset[str]:
    return frozenset(map(compact_word, _PAST.split()))


@lru_cache(maxsize=1)
def _column_terms() -> dict[str, str]:
    """What a label means over a column; the first term that has it counts."""
    terms = {key: term for term, label in reversed(read_terms("column_terms")) for key in compact_label(label)}
    return {**terms, "#": "position"}


@lru_cache(maxsize=1)
def _whole_keys() -> frozenset[str]:
    return frozenset(key for key, term in _column_terms().items() if term in _WHOLE)


def heading_term(text: str) -> str | None:
    """What a whole heading commonly means."""
    key = "".join(token.key for token in tokens_of(text))
    return _column_terms().get(key) or next(iter(label_terms().get(key, ())), None)


def _numbered(name: str) -> tuple[str, ...]:
    """The number of what a name says, "Serial no." of `serial`, or what a name says the number of."""
    words = fold_label(name.replace("_", " ")).split()
    return compact_label(" ".join(words[:-1] if words[-1:] == ["no"] else (*words, "#")))


def _roles(columns: Sequence[tuple[str, tuple[str, ...]]], terms: dict[str, tuple[str, ...]]) -> tuple[str | None, ...]:
    """The term of each column; the position of a person is none."""
    roles = [_role(name, labels, terms) for name, labels in columns]
    names = {name for name, _ in columns}
    if "position" in names and (_PERSONS & names or _COUNTING.isdisjoint(roles)):
        roles[[name for name, _ in columns].index("position")] = None
    return tuple(roles)


_PERSONS = frozenset("employee worker person staff player candidate first_name last_name full_name salary".split())
_COUNTING = frozenset(("count", "unit_price", "line_total", "total", "net", "article", "debit", "credit", "balance"))


def _role(name: str, labels: tuple[str, ...], terms: dict[str, tuple[str, ...]]) -> str | None:
    """The business term of a column: by its name, else by its first label that is one."""
    if name in _SIDES:
        return _SIDES[name]
    keys = (key for label in (name.replace("_", " "), *labels) for key in compact_label(label))
    term = next((terms[key][0] for key in keys if key in terms), None)
    return None if term in MIXED else term


def _owners(roles: Sequence[str | None]) -> dict[str, int]:
    """The column that takes each term; one that asks for it before one that only may stand for it."""
    owners: dict[str, int] = {}
    for place, role in enumerate(roles):
        if role:
            owners.setdefault(role, place)
    for place, role in enumerate(roles):
        for term in _FAMILIES.get(role or "", ()):
            owners.setdefault(term, place)
    return owners
