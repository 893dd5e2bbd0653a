"""The lexicon: what the data files say, indexed by words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from paxman.classes import record
from paxman.lexicon.folding import fold, fold_words

Words = tuple[str, ...]
COLUMNS = "columns"
"""The part of the lexicon for tables."""
_NOT_LANGUAGES = frozenset({"kind", "names", "loose", "family"})
_SHORTEST_COMPOUND, _SHORTEST_PAPER = 8, 6
_LONGEST_CAPTION = 40
_MEASURED = frozenset({"number", "date", "phone", "email", "url"})
"""Head nouns of values that no name has in it."""


@record
class Term:
    """What a trade calls one thing: its wordings, and those that mean it only sometimes."""

    domain: str
    name: str
    kind: str
    wordings: tuple[str, ...]
    loose: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """What contracts call it."""
    family: tuple[str, ...] = ()
    """Names of other terms that may stand in for it."""


@record
class Concept:
    """What a word or a few words of a label mean: a head noun, an owner, or one side of opposites."""

    kind: str
    group: str
    members: tuple[str, ...]
    plain: bool = True
    """Whether its words stand for each other; "premium" and "price" are amounts, but not the same."""


@record
class Token:
    """A word of a label with what it means."""

    word: str
    concept: Concept | None = None
    small: bool = False
    """Whether it is a word such as "to" or "from", which says little but which way."""

    @property
    def key(self) -> str:
        """What it is compared by: plain words for one head or owner are the same, all others are themselves."""
        concept = self.concept
        if concept is None or not concept.plain:
            return self.word
        return f"{concept.kind}:{concept.members[0]}"


class Lexicon:
    """What all trades share, and the parts that are loaded when they are first asked for: terms by trade, columns."""

    def __init__(self, shared: Mapping[str, Any], part: Callable[[str], Mapping[str, Any]]) -> None:
        self._part, self._terms = part, dict[tuple[str, str], Term]()
        self.stops = frozenset(shared["stops"])
        self.domains = {name: frozenset(signs) for name, signs in shared["signs"].items()}
        self.paper_names = frozenset(tuple(words.split(" ")) for words in shared["papers"])
        self.papers = frozenset(word for words in self.paper_names for word in words)
        self.alone = frozenset(shared["alone"])
        self.units = frozenset(text.casefold() for text in texts_of(shared.get("units", ())))
        self.issuers = frozenset(shared.get("issuers", ()))
        self.per = frozenset(shared.get("per", ()))
        self.statements = {
            kind: frozenset(text.casefold() for text in texts_of(texts)) for kind, texts in shared["statements"].items()
        }
        self.addresses = {role: tuple(titles) for role, titles in shared.get("addresses", {}).items()}
        self.shop_name_words = frozenset(shared.get("shop_name_words", ()))
        self.subjects = frozenset(tuple(fold_words(text)) for text in shared.get("subjects", ()))
        self._of_sides: Mapping[str, str] = shared.get("of_sides", {})
        self._stand_ins = {role: one for one, roles in shared.get("stand_ins", {}).items() for role in roles}
        self.clauses: tuple[Mapping[str, Any], ...] = tuple(shared.get("clauses", ()))
        self.hedges: Mapping[str, Mapping[str, list[str]]] = shared.get("hedges", {})
        self.sums: Mapping[str, Any] = shared["sums"]
        self._links: Mapping[str, Mapping[str, list[str]]] = shared.get("links", {})
        self._shared = shared
        self._concepts = [Concept(kind, group, tuple(own), plain) for kind, group, own, plain in shared["concepts"]]
        self._meanings: dict[str, Sequence[tuple[Words, Concept]]] = {}
        self._heads = frozenset(shared["heads"])
        self._longest_tail = max(map(len, self._heads | self.papers), default=0)
        self._parsed: dict[str, tuple[Token, ...]] = {}

    @cached_property
    def columns(self) -> Mapping[str, Term]:
        """Columns of tables, by trade and name."""
        return {
            f"{domain}/{name}": self.make_term(domain, name, entry)
            for domain, columns in self._part(COLUMNS).get("columns", {}).items()
            for name, entry in columns.items()
        }

    @cached_property
    def by_head(self) -> Mapping[Words, tuple[str, ...]]:
        """Keys of column terms by the very words of each wording."""
        return {tuple(words.split(" ")): tuple(keys) for words, keys in self._part(COLUMNS).get("by_head", {}).items()}

    @cached_property
    def row_words(self) -> Mapping[str, frozenset[Words]]:
        """Words that begin lines of a table which are no rows, by what the line is then."""
        found = self._part(COLUMNS).get("row_words", {})
        return {kind: frozenset(tuple(words.split(" ")) for words in entry) for kind, entry in found.items()}

    @cached_property
    def row_kinds(self) -> Mapping[Words, str]:
        """What a line of a table is that begins with some words and is no row."""
        kinds = ("charge", "payment", "sum", "maybe_carried", "carried", "page")
        return {words: kind for kind in kinds for words in self.row_words.get(kind, ())}

    def terms_of(self, domain: str) -> Mapping[str, Term]:
        """The terms of a trade by name."""
        return {name: self._term(domain, name) for name in self._part(domain).get("terms", {})}

    def _term(self, domain: str, name: str) -> Term:
        found = self._terms.get((domain, name))
        if found is None:
            entry = self._part(domain)["terms"][name]
            found = self._terms[domain, name] = self.make_term(domain, name, entry)
        return found

    def find_terms(self, text: str, domains: Iterable[str]) -> list[tuple[Term, bool]]:
        """Terms of some trades that have a wording, with whether it is a sure one."""
        words = " ".join(self.key_of(text))
        return [
            (self._term(domain, name), sure)
            for domain in domains
            for name, sure in self._part(domain).get("index", {}).get(words, {}).items()
        ]

    @staticmethod
    def make_term(domain: str, name: str, entry: Mapping[str, Any]) -> Term:
        own = (name.replace("_", " "), *(n.replace("_", " ") for n in entry.get("names", ())))
        said = tuple(t for key, texts in entry.items() if key not in _NOT_LANGUAGES for t in texts)
        loose = tuple(texts_of(entry.get("loose", ())))
        return Term(domain, name, entry.get("kind", ""), (*own, *said), loose, own, tuple(entry.get("family", ())))

    @cached_property
    def openings(self) -> re.Pattern[str]:
        """How a paragraph begins that tells what happened on a day: "On or about"."""
        words = sorted(texts_of(self._shared.get("accounts", {}).get("openings")), key=len, reverse=True)
        return re.compile(rf"(?:{'|'.join(map(re.escape, words))})\s+", re.IGNORECASE)

    @cached_property
    def events(self) -> frozenset[str]:
        """Words that ask for an account of what happened."""
        return frozenset(map(fold, texts_of(self._shared.get("accounts", {}).get("events"))))

    @cached_property
    def links(self) -> re.Pattern[str]:
        """What may stand between a name in a sentence and its value: "for this policy is"."""
        words = {kind: "|".join(map(re.escape, sorted(set(texts_of(entry))))) for kind, entry in self._links.items()}
        verbs, gap = words["verbs"], r"[\s:,*_\"“(#—–-]"
        whose = rf"\s+(?:{words['belonging']})\s+(?:{words['this']})(?:\s+[^\W\d_]+){{1,2}}(?=\s+(?:{verbs})\b)"
        return re.compile(rf"(?:{whose})?{gap}*(?:(?:{verbs}|{words['small']})\b{gap}*){{0,4}}", re.IGNORECASE)

    def trades_naming(self, text: str) -> Sequence[str]:
        """The trades that have a term of this very name."""
        found: Sequence[str] = self._shared["named"].get(" ".join(self.key_of(text)), ())
        return found

    def says_nothing(self, text: str) -> bool:
        """Whether a folded text is, or begins with, words that stand where a value would and are none."""
        if text in self.alone:
            return True
        phrases = self._shared["not_values"].get(text.split(" ", 1)[0], ())
        return any(text == phrase or text.startswith(phrase + " ") for phrase in phrases)

    @cached_property
    def _titles(self) -> Mapping[Words, tuple[str, ...]]:
        return {fold_words(text): tuple(group) for group in self._shared.get("titles", ()) for text in group}

    def same_titles(self, title: str) -> tuple[str, ...]:
        """What papers of the same kind are titled."""
        return self._titles.get(fold_words(title), ())

    def is_label(self, text: str, domains: Iterable[str]) -> bool:
        """Whether words are a sure wording of a term of some trades."""
        return any(sure for _, sure in self.find_terms(text, domains))

    def is_caption(self, text: str) -> bool:
        """Whether a few words say what kind of value stands with them: "Original date / revision"."""
        if len(text) > _LONGEST_CAPTION or any(map(str.isdigit, text)):
            return False
        heads = (token.concept for token in self.parse(text) if not token.small)
        return any(head and head.kind == "head" and head.members[0] in _MEASURED for head in heads)

    def owners_of(self, tokens: Iterable[Token]) -> Iterator[str]:
        """The parties that words name, also by what they do: a billing address is the buyer's."""
        for token in tokens:
            if token.concept and token.concept.kind in ("owner", "side"):
                for member in token.concept.members:
                    owner = member if token.concept.kind == "owner" else self._of_sides.get(member)
                    if owner:
                        yield owner

    def agree(self, one: Iterable[str], other: Iterable[str]) -> bool:
        """Whether two sets of parties may be the same one: the recipient of an invoice is its buyer."""
        return not {self._stand_ins.get(o, o) for o in one}.isdisjoint(self._stand_ins.get(o, o) for o in other)

    def key_of(self, text: str) -> Words:
        """The words of a label that carry meaning, as they are compared."""
        return tuple(token.key for token in self.parse(text))

    def parse(self, text: str) -> tuple[Token, ...]:
        """The words of a label that carry meaning, each with what it means."""
        found = self._parsed.get(text)
        if found is None:
            if len(self._parsed) > 20_000:
                self._parsed.clear()
            words = fold_words(text)
            found = self._parsed[text] = tuple(self._tokens(words)) or tuple(map(Token, words))
        return found

    def _tokens(self, words: Words) -> Iterator[Token]:
        at = 0
        while at < len(words):
            length, concept = self._longest(words, at)
            if concept:
                yield Token(" ".join(words[at : at + length]), concept, length == 1 and words[at] in self.stops)
            elif words[at] not in self.stops:
                yield from self._parts(words[at])
            at += max(1, length)

    def _longest(self, words: Words, at: int) -> tuple[int, Concept | None]:
        for known, concept in self._meanings_of(words[at]):
            if words[at : at + len(known)] == known:
                return len(known), concept
        return 1, None

    def _meanings_of(self, first: str) -> Sequence[tuple[Words, Concept]]:
        """Concepts whose words begin with a word, longer ones first."""
        found = self._meanings.get(first)
        if found is None:
            rows = self._shared["words"].get(first)
            if not rows:
                return ()
            found = self._meanings[first] = [(tuple(words.split(" ")), self._concepts[at]) for words, at in rows]
        return found

    def _parts(self, word: str) -> Iterator[Token]:
        """A compound ends in its head or in the name of a paper: "lieferscheinnummer", "schlussrechnung"."""
        if len(word) >= _SHORTEST_COMPOUND and word not in self.papers and not word.isdigit():
            for cut in range(max(3, len(word) - self._longest_tail), len(word) - 3):
                tail = word[cut:]
                if tail in self._heads or (len(tail) >= _SHORTEST_PAPER and tail in self.papers):
                    front = "".join(fold_words(word[:cut]))
                    concept = self._longest((front,), 0)[1]
                    yield Token(front, concept if concept and concept.kind != "head" else None)
                    yield Token(tail, self._longest((tail,), 0)[1])
                    return
        yield Token(word)


def _joined(entry: Any) -> Iterator[str]:
    return (" ".join(fold_words(text)) for text in texts_of(entry))


def texts_of(entry: Any) -> list[str]:
    """All texts of an entry, whatever their language."""
    return [text for texts in entry.values() for text in texts] if isinstance(entry, Mapping) else list(entry)


@cache
def load() -> Lexicon:
    """The built-in lexicon."""
    return Lexicon(_built("shared"), _built)


@cache
def _built(name: str) -> Mapping[str, Any]:
    path = Path(__file__).parent / "built" / f"{name}.json"
    found: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found
