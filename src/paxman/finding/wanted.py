"""What a field asks for: phrases that name it, the kind of value it wants, and words that rule a place out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import attrs

from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.currencies import MINOR_UNITS
from paxman.finding.descriptions import Described, read_description
from paxman.finding.shapes import code_pattern, shape_pattern
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Lexicon, Term, Token
from paxman.recognizers.values import NARROWING
from paxman.types import FieldType

_TIMES = frozenset({FieldType.DATE, FieldType.DATETIME, FieldType.TIME})
OWN, SAID, TERM, PART, LOOSE, DESCRIBED, PERIOD, BARE_PERIOD = 1.0, 0.97, 0.96, 0.9, 0.75, 0.85, 0.9, 0.75
"""How much a phrase counts: the contract's own words, quoted ones, those of a term, ..."""

GENERAL = "general"
"""The trade of what all papers have."""
_CONTRACT = ("name", "label", "description")
_HEAD_OF_PAGE = 2000
_HEAD_WEIGHT, _SMALL_WEIGHT = 0.4, 0.3
_KINDS = {
    FieldType.DATE: "date",
    FieldType.MONEY: "money",
    FieldType.DECIMAL: "amount",
    FieldType.INTEGER: "amount",
    FieldType.BOOLEAN: "choice",
    FieldType.ENUM: "choice",
}
_CLASSES = {
    "total": "amount",
    "limit": "amount",
    "count": "amount",
    "code": "number",
    "time": "date",
    "period": "date",
    "person": "name",
    "company": "name",
    "title": "name",
    "signature": "name",
    "address": "place",
    "status": "type",
}
"""Kinds of head nouns that do not contradict each other."""
_CONTACTS = frozenset({"email", "phone"})
_HEAD_KINDS = {
    "number": "number",
    "code": "code",
    "name": "name",
    "address": "address",
    "description": "text",
    "url": "url",
    "email": "contact",
    "phone": "contact",
    "place": "place",
    "period": "period",
}


class Phrase:
    """Words of a label or name, with what they mean, worked out once."""

    __slots__ = ("heads", "is_head", "keys", "owners", "sided", "sides", "tokens", "weight", "weights")

    def __init__(self, tokens: tuple[Token, ...]) -> None:
        self.tokens = tokens
        self.weights = {token.key: word_weight(token) for token in tokens}
        self.keys = self.weights.keys()
        self.weight = sum(self.weights.values())
        self.is_head = all(map(is_head, tokens))
        self.heads = frozenset(_CLASSES.get(m, m) for m in members_of(tokens, "head"))
        self.owners = frozenset(members_of(tokens, "owner"))
        self.sided = {token.key: token.concept.members[0] for token in tokens if is_end(token) and token.concept}
        self.sides: dict[str, set[str]] = {}
        for token in tokens:
            if token.concept and token.concept.kind == "side":
                self.sides.setdefault(token.concept.group, set()).update(token.concept.members)


def members_of(tokens: Iterable[Token], kind: str) -> Iterator[str]:
    """What the words of a phrase mean, of one kind of concepts."""
    return (
        member for token in tokens if token.concept and token.concept.kind == kind for member in token.concept.members
    )


def is_head(token: Token) -> bool:
    """Whether a word only says what kind of value is meant, or which way."""
    return token.small or (token.concept is not None and token.concept.kind == "head" and token.concept.plain)


def is_end(token: Token) -> bool:
    """Whether a word says that the start or the end of something is meant."""
    return token.concept is not None and token.concept.group == "start_end"


def word_weight(token: Token) -> float:
    """How much a word tells: nouns that say what kind of value is meant tell less."""
    if token.small:
        return _SMALL_WEIGHT
    return _HEAD_WEIGHT if is_head(token) else 1.0


@attrs.frozen(slots=False, eq=False)
class Asked:
    """A phrase that names a field: its words, how much it counts, and who says so."""

    tokens: tuple[Token, ...]
    weight: float
    text: str
    source: str

    @cached_property
    def phrase(self) -> Phrase:
        return Phrase(self.tokens)


@attrs.frozen(slots=False, eq=False)
class Wanted:
    """What a field asks for."""

    field: CanonicalField
    phrases: tuple[Asked, ...]
    kind: str
    described: Described
    term: Term | None = None
    denied: tuple[tuple[str, ...], ...] = ()
    unit: str = ""
    """The unit in which its own name says that a number is: `weight_kg`."""
    silent: bool = False
    """Whether the description says that pages of this kind do not have it."""

    @cached_property
    def shapes(self) -> tuple[re.Pattern[str], ...]:
        """Patterns of values like the examples of the description."""
        examples = [part for example in self.described.examples for part in re.split(r",|\bor\b", example)]
        patterns = (*map(shape_pattern, examples), code_pattern(examples))
        return tuple(dict.fromkeys(filter(None, patterns)))

    @cached_property
    def recognized(self) -> str:
        """The kind of value that a recognizer tells in a text: an account number, an e-mail address."""
        if self.field.type is not FieldType.STRING or self.field.constraint("pattern"):
            return ""
        own = next((asked.tokens for asked in self.phrases if asked.source == "name"), ())
        heads = [head for head in list(members_of(own, "head"))[-1:] if head in _CONTACTS]
        named = (*self.field.semantic_tags, self.term.name if self.term else "", *heads)
        return next((NARROWING[name] for name in named if name in NARROWING), "")

    @cached_property
    def side(self) -> str:
        """Whether it is the start or the end of something, by its own name, or else by the contract's other words."""
        own = sorted(
            (asked for asked in self.phrases if asked.source in _CONTRACT), key=lambda asked: asked.source != "name"
        )
        return next(filter(None, (side_of(asked.tokens) for asked in own)), "")

    @cached_property
    def is_narrative(self) -> bool:
        """Whether it asks for an account in words: a description, a summary, a reason."""
        return any("description" in asked.phrase.heads for asked in self.phrases)

    @cached_property
    def is_rate(self) -> bool:
        """Whether it asks for a share of something."""
        said = any("rate" in asked.phrase.heads for asked in self.phrases[:2])
        return said or self.kind == "rate" or "percent" in self.field.semantic_tags

    @cached_property
    def owner_tokens(self) -> tuple[Token, ...]:
        """The words that say whose the value is: of the field's own name, or else of a label or the description."""
        said = (asked.tokens for source in _CONTRACT for asked in self.phrases if asked.source == source)
        return next(
            (
                tokens
                for tokens in said
                if any(token.concept is not None and token.concept.kind == "owner" for token in tokens)
            ),
            (),
        )

    @property
    def owner(self) -> str | None:
        """Whose the value is, where the contract says so."""
        return next(members_of(self.owner_tokens, "owner"), None)


def wanted_of(
    contract: CanonicalContract, lexicon: Lexicon, kinds: tuple[str, ...] = (), trade: str = ""
) -> tuple[Wanted, ...]:
    """What every leaf of a contract asks for on a page of the kinds that its titles say, and of a trade."""
    domains = domains_of(contract, lexicon, trade)
    # The members of the contract's enums, which descriptions of other fields may name as conditions.
    members = frozenset(
        member
        for field in contract.leaves
        if field.type is FieldType.ENUM
        for member in field.enum_values
        if isinstance(member, str) and len(member) > 1
    )
    # The term of each field; of two fields that could be one, the field with the term's own name is it.
    found = {field.path: _term(field, lexicon, domains) for field in contract.leaves}
    named = {id(term) for field in contract.leaves if (term := found[field.path]) and _is_named(field, term, lexicon)}
    terms = {
        field.path: term
        for field in contract.leaves
        if (term := found[field.path]) and (id(term) not in named or _is_named(field, term, lexicon))
    }
    return tuple(
        _wanted(field, lexicon, terms.get(field.path), kinds, members, tuple(domains)) for field in contract.leaves
    )


def _is_named(field: CanonicalField, term: Term, lexicon: Lexicon) -> bool:
    own = {lexicon.key_of(text) for text in term.names}
    return not own.isdisjoint((lexicon.key_of(field.said), lexicon.key_of(field.words)))


def domains_of(contract: CanonicalContract, lexicon: Lexicon, trade: str = "") -> dict[str, int]:
    """The trades that a contract speaks of, each with how many of its words; where it says none, that of the page."""
    said = {
        w
        for field in contract.leaves
        for text in (field.said, field.description, *field.labels)
        for w in fold_words(text)
    }
    said |= set(fold_words(contract.id))
    counts = {domain: len(said & signs) for domain, signs in lexicon.domains.items()}
    most = max(counts.values(), default=0)
    found = {domain: count for domain, count in counts.items() if count >= max(2, most / 2) or (most and count == most)}
    if not found and trade:
        found = {trade: 1}
    return {**found, GENERAL: 0}


def trade_of(text: str, lexicon: Lexicon) -> str:
    """The one trade that the head of a page speaks of most, or none."""
    said = set(fold_words(text[:_HEAD_OF_PAGE]))
    counts = sorted(((len(said & signs), name) for name, signs in lexicon.domains.items()), reverse=True)
    return counts[0][1] if len(counts) > 1 and counts[0][0] > counts[1][0] else ""


def ask(field: CanonicalField, lexicon: Lexicon, term: Term | None) -> Wanted:
    """What one field asks for by itself, with what its trade calls it."""
    return _wanted(field, lexicon, term, (), frozenset())


def _wanted(
    field: CanonicalField,
    lexicon: Lexicon,
    term: Term | None,
    kinds: tuple[str, ...],
    members: frozenset[str],
    domains: tuple[str, ...] = (),
) -> Wanted:
    described = read_description(field.description)
    phrases = [*_phrases(field, described, term, lexicon, domains), *_conditional(described, kinds, lexicon)]
    kept: dict[tuple[str, ...], Asked] = {}
    for asked in phrases:
        key = tuple(token.key for token in asked.tokens)
        if key and (key not in kept or asked.weight > kept[key].weight):
            kept[key] = asked
    denied = tuple(lexicon.key_of(text) for text in described.denied)
    silent = _is_silent(field, described, kinds, members)
    kind, unit = _kind(field, term, described, lexicon), unit_of(field, lexicon)
    return Wanted(field, tuple(kept.values()), kind, described, term, denied, unit, silent)


def _conditional(described: Described, kinds: tuple[str, ...], lexicon: Lexicon) -> Iterator[Asked]:
    """What the description asks for on pages of this kind."""
    for condition, labels, sayings, _ in described.conditions:
        if _is_kind(condition, kinds):
            for text in labels:
                yield Asked(lexicon.parse(text), SAID, text, "description")
            for text in sayings:
                yield Asked(lexicon.parse(text), DESCRIBED, text, "description")


def _is_kind(condition: str, kinds: tuple[str, ...]) -> bool:
    """Whether words such as "a proof of loss" or "loss run report" speak of a kind of page."""
    said = set(fold_words(condition))
    return any(words and words <= said for words in (set(fold_words(kind)) for kind in kinds))


def _is_silent(field: CanonicalField, described: Described, kinds: tuple[str, ...], members: frozenset[str]) -> bool:
    """Whether a condition says that there is nothing, or the field is only for other kinds of pages."""
    if not kinds or field.type is FieldType.ENUM:
        return False
    if any(none and _is_kind(condition, kinds) for condition, _, _, none in described.conditions):
        return True
    if any(_is_kind(sentence, kinds) for sentence in described.nothing):
        return True
    named = {
        member
        for member in members
        if re.search(rf"(?<![\w/-]){re.escape(member)}(?![\w/-])", described.text) is not None
    }
    return bool(named) and named.isdisjoint(kinds) and not described.conditions


def _phrases(
    field: CanonicalField, described: Described, term: Term | None, lexicon: Lexicon, domains: tuple[str, ...]
) -> Iterator[Asked]:
    def asked(text: str, weight: float, source: str) -> Asked:
        return Asked(lexicon.parse(text), weight, text, source)

    for label in field.labels:
        yield asked(label, OWN, "label")
    yield asked(field.said, OWN, "name")
    if field.words != field.said:
        yield asked(field.words, PART, "name")
    rest = field.words.rpartition(" ")[0] if unit_of(field, lexicon) else ""
    if not all(map(is_head, lexicon.parse(rest))):
        yield asked(rest, LOOSE, "name")
    event, _, last = field.words.rpartition(" ")
    side = side_of(lexicon.parse(field.said))
    is_small = last in lexicon.stops and lexicon.key_of(last) == (last,)
    if is_small and not side and field.type in _TIMES and not all(map(is_head, lexicon.parse(event))):
        yield asked(event, OWN, "name")  # "collected" of `collected_at`
    if field.type is FieldType.DATE and side:
        yield from _own_period(field, lexicon)
    for label in described.labels:
        yield asked(label, SAID, "description")
    for short in described.short_forms:
        if short not in MINOR_UNITS and not any(token.concept for token in lexicon.parse(short)):
            yield asked(short, SAID, "description")
    for saying in described.sayings:
        if not all(token.concept and token.concept.kind == "head" for token in lexicon.parse(saying)):
            yield asked(saying, DESCRIBED, "description")
    if term:
        for text in term.wordings:
            yield asked(text, TERM, term.domain)
        for text in term.loose:
            yield asked(text, LOOSE, term.domain)
        if field.type is FieldType.DATE and side_of(lexicon.parse(field.words)):
            for text in _periods(term.domain, lexicon):
                yield asked(text, BARE_PERIOD if term.kind == "period" else PERIOD, "period")
            for domain in domains if term.domain == GENERAL else ():
                for text in _periods(domain, lexicon):
                    yield asked(text, BARE_PERIOD, "period")


def unit_of(field: CanonicalField, lexicon: Lexicon) -> str:
    """The unit or the currency that the name of a number ends in."""
    rest, _, last = field.words.casefold().rpartition(" ")
    if not rest or field.type not in (FieldType.DECIMAL, FieldType.INTEGER) or not lexicon.parse(last):
        return ""
    if last.upper() in MINOR_UNITS and any(members_of(lexicon.parse(rest), "head")):
        return last
    return "" if {last, f"°{last}"}.isdisjoint(lexicon.units) else last


def _own_period(field: CanonicalField, lexicon: Lexicon) -> Iterator[Asked]:
    """The span of days that a start or an end is one side of: "rental period" of `rental_start`, or just "period"."""
    period = lexicon.parse("period")
    kept = tuple(t for t in lexicon.parse(field.said) if not (is_head(t) or (t.concept and t.concept.kind == "side")))
    text = " ".join((*(token.word for token in kept), "period"))
    yield Asked((*kept, *period), PERIOD if kept else BARE_PERIOD, text, "period")
    if kept:
        yield Asked(period, BARE_PERIOD, "period", "period")


def _periods(domain: str, lexicon: Lexicon) -> Iterator[str]:
    """What a trade calls its spans of days, whose ends answer fields for a start and an end."""
    return (text for term in lexicon.terms_of(domain).values() if term.kind == "period" for text in term.wordings)


def side_of(tokens: Iterable[Token]) -> str:
    """Whether words ask for the start or the end of something."""
    return next((side for side in members_of(tokens, "side") if side in ("start", "end")), "")


def _term(field: CanonicalField, lexicon: Lexicon, domains: Mapping[str, int]) -> Term | None:
    """The term of a trade that a field is, by its name or a label; the contract's own trades first."""
    for text in (field.said, field.words, *field.labels):
        hits = lexicon.find_terms(text, domains)
        own = text.replace(" ", "_").lower()
        ranked = sorted(hits, key=lambda hit: (not hit[1], -domains[hit[0].domain], hit[0].name != own, hit[0].name))
        if ranked:
            return ranked[0][0]
    # A term whose own name the field has in trades that the contract does not speak of: "date of birth". A name of one
    # word may mean another thing in each trade; of a longer one that one trade has, wordings as long are as sure.
    said = (field.said, field.words)
    hits = [hit for text in said for hit in lexicon.find_terms(text, lexicon.trades_naming(text))]
    named = list({term.domain: term for term, _ in hits if _is_named(field, term, lexicon)}.values())
    if not named or (len(named) > 1 and len(lexicon.key_of(field.words)) == 1):
        return None
    wordings = dict.fromkeys(text for term in named for text in term.wordings)
    is_told = len(named) == 1 and len(lexicon.key_of(field.words)) > 1
    full = [text for text in wordings if is_told and len(lexicon.key_of(text)) > 1]
    return attrs.evolve(named[0], wordings=tuple(full), loose=tuple(text for text in wordings if text not in full))


def _kind(field: CanonicalField, term: Term | None, described: Described, lexicon: Lexicon) -> str:
    if field.type in _KINDS:
        return _KINDS[field.type]
    for tag in field.semantic_tags:
        if tag in ("email", "phone"):
            return "contact"
        if tag in ("url", "uri"):
            return "url"
        if tag in ("address", "postal_address"):
            return "address"
        if tag == "organization":
            return "company"
    heads = list(members_of(lexicon.parse(field.words), "head"))
    if term and term.kind and heads[-1:] != ["address"] and not (term.kind == "text" and heads[-1:] == ["number"]):
        return term.kind
    if heads and heads[-1] in _HEAD_KINDS:
        return _HEAD_KINDS[heads[-1]]
    said = [head for saying in described.sayings for head in members_of(lexicon.parse(saying), "head")]
    if not heads and said and said[0] in _HEAD_KINDS:
        return _HEAD_KINDS[said[0]]
    owners = [token for token in lexicon.parse(field.words) if token.concept and token.concept.kind == "owner"]
    return "name" if owners else "text"
