"""The lexicon: what the data files say, indexed by words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any

from paxman.classes import record
from paxman.lexicon.folding import fold, fold_words

Words = tuple[str, ...]
_NOT_LANGUAGES = frozenset({"kind", "names", "loose"})
_SHORTEST_COMPOUND = 8


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


@record
class Concept:
    """What a word or a few words of a label mean: a head noun, an owner, or one side of opposites."""

    kind: str
    group: str
    member: str


@record
class Token:
    """A word of a label with what it means."""

    word: str
    concept: Concept | None = None

    @property
    def key(self) -> str:
        concept = self.concept
        return self.word if concept is None else f"{concept.kind}:{concept.member}"


class Lexicon:
    """Terms, heads, stop words, owners and opposites of all loaded data files."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.stops = frozenset(w for words in data.get("stop", {}).values() for text in words for w in fold_words(text))
        self.domains: Mapping[str, frozenset[str]] = {
            name: frozenset(w for sign in signs for w in fold_words(sign)) for name, signs in data["signs"].items()
        }
        self.terms: Mapping[str, Term] = {
            f"{domain}/{name}": _term(domain, name, entry)
            for domain, terms in data["terms"].items()
            for name, entry in terms.items()
        }
        self.columns: Mapping[str, Term] = {
            f"{domain}/{name}": _term(domain, name, entry)
            for domain, terms in data.get("columns", {}).items()
            for name, entry in terms.items()
        }
        self.not_values = tuple(fold(t) for texts in data.get("not_values", {}).values() for t in texts)
        self.papers = frozenset(w for texts in data.get("papers", {}).values() for t in texts for w in fold_words(t))
        self.issuers = frozenset(data.get("issuers", ()))
        self.clauses: tuple[Mapping[str, Any], ...] = tuple(data.get("clauses", ()))
        self._concepts = self._index(data)
        self._heads = {words[0] for words, c in self._all_concepts(data) if c.kind == "head" and len(words) == 1}
        self._parsed: dict[str, tuple[Token, ...]] = {}

    @cached_property
    def by_wording(self) -> Mapping[Words, tuple[tuple[str, bool], ...]]:
        """Terms by the folded words of each wording, with whether the wording is a sure one."""
        found: dict[Words, dict[str, bool]] = {}
        for key, term in self.terms.items():
            for texts, sure in ((term.wordings, True), (term.loose, False)):
                for text in texts:
                    entry = found.setdefault(self.key_of(text), {})
                    entry[key] = entry.get(key, False) or sure
        return {words: tuple(terms.items()) for words, terms in found.items() if words}

    def key_of(self, text: str) -> Words:
        """The words of a label that carry meaning, as they are compared."""
        return tuple(token.key for token in self.parse(text))

    def parse(self, text: str) -> tuple[Token, ...]:
        """The words of a label that carry meaning, each with what it means."""
        found = self._parsed.get(text)
        if found is None:
            if len(self._parsed) > 20_000:
                self._parsed.clear()
            found = self._parsed[text] = tuple(self._tokens(fold_words(text)))
        return found

    def _tokens(self, words: Words) -> Iterator[Token]:
        at = 0
        while at < len(words):
            length, concept = self._longest(words, at)
            if concept:
                yield Token(" ".join(words[at : at + length]), concept)
            elif words[at] not in self.stops:
                yield from self._parts(words[at])
            at += max(1, length)

    def _longest(self, words: Words, at: int) -> tuple[int, Concept | None]:
        for known, concept in self._concepts.get(words[at], ()):
            if words[at : at + len(known)] == known:
                return len(known), concept
        return 1, None

    def _parts(self, word: str) -> Iterator[Token]:
        """A compound ends in its head: "lieferscheinnummer"."""
        if len(word) >= _SHORTEST_COMPOUND and not word.isdigit():
            for cut in range(3, len(word) - 3):
                if word[cut:] in self._heads:
                    yield Token(word[:cut])
                    yield Token(word[cut:], self._longest((word[cut:],), 0)[1])
                    return
        yield Token(word)

    def _index(self, data: Mapping[str, Any]) -> Mapping[str, list[tuple[Words, Concept]]]:
        index: dict[str, dict[Words, Concept]] = {}
        for words, concept in self._all_concepts(data):
            index.setdefault(words[0], {}).setdefault(words, concept)
        return {word: sorted(found.items(), key=lambda item: -len(item[0])) for word, found in index.items()}

    def _all_concepts(self, data: Mapping[str, Any]) -> Iterator[tuple[Words, Concept]]:
        for head, entry in data.get("heads", {}).items():
            yield from _concepts(Concept("head", "head", head), entry)
        for role, entry in data.get("owners", {}).items():
            yield from _concepts(Concept("owner", "owner", role), entry)
        for group, members in data.get("opposites", {}).items():
            for member, entry in members.items():
                yield from _concepts(Concept("side", group, member), entry)


def _concepts(concept: Concept, entry: Mapping[str, Iterable[str]]) -> Iterator[tuple[Words, Concept]]:
    for texts in entry.values():
        for text in texts:
            if words := fold_words(text):
                yield words, concept


def _term(domain: str, name: str, entry: Mapping[str, Any]) -> Term:
    own = (name.replace("_", " "), *(n.replace("_", " ") for n in entry.get("names", ())))
    said = tuple(t for key, texts in entry.items() if key not in _NOT_LANGUAGES for t in texts)
    loose = tuple(t for texts in entry.get("loose", {}).values() for t in texts)
    return Term(domain, name, entry.get("kind", ""), (*own, *said), loose, own)


@lru_cache(maxsize=8)
def load(extra: tuple[str, ...] = ()) -> Lexicon:
    """The built-in lexicon with the caller's own files added."""
    from paxman.lexicon.files import read_all

    return Lexicon(read_all(extra))
