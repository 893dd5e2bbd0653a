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
_SHORTEST_FOREIGN = 4


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
    """Terms, heads, stop words, owners and opposites of all loaded data files."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.stops = _stops(data)
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
        self.not_values = frozenset(fold(t) for texts in data.get("not_values", {}).values() for t in texts)
        self._nothing: dict[str, list[str]] = {phrase.split(" ")[0]: [] for phrase in self.not_values}
        for phrase in sorted(self.not_values):
            self._nothing[phrase.split(" ")[0]].append(phrase)
        self.alone = frozenset(fold(t) for texts in data.get("alone", {}).values() for t in texts)
        self.papers = frozenset(w for texts in data.get("papers", {}).values() for t in texts for w in fold_words(t))
        self.issuers = frozenset(data.get("issuers", ()))
        self.owner_groups: tuple[frozenset[str], ...] = tuple(map(frozenset, data.get("groups", ())))
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

    def says_nothing(self, text: str) -> bool:
        """Whether a folded text is, or begins with, words that stand where a value would and are none."""
        if text in self.alone:
            return True
        phrases = self._nothing.get(text.split(" ", 1)[0], ())
        return any(text == phrase or text.startswith(phrase + " ") for phrase in phrases)

    def is_label(self, text: str) -> bool:
        """Whether words are a sure wording of some term."""
        return any(sure for _, sure in self.by_wording.get(self.key_of(text), ()))

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
            known = index.setdefault(words[0], {}).setdefault(words, concept)
            if known.kind == concept.kind == "owner" and not set(concept.members) <= set(known.members):
                index[words[0]][words] = Concept("owner", "owner", known.members + concept.members, plain=False)
        return {word: sorted(found.items(), key=lambda item: -len(item[0])) for word, found in index.items()}

    def _all_concepts(self, data: Mapping[str, Any]) -> Iterator[tuple[Words, Concept]]:
        """Every concept with its words; English goes first, since its short words are others in other languages."""
        for english in (True, False):
            for head, entry in data.get("heads", {}).items():
                plain = data.get("plain", {}).get(head, {})
                yield from _concepts(Concept("head", "head", (head,)), _plain(entry, plain), english)
                yield from _concepts(Concept("head", "head", (head,), plain=False), entry, english)
            for role, entry in data.get("owners", {}).items():
                for words, concept in _concepts(Concept("owner", "owner", (role,)), entry, english):
                    if len(words) > 1 or words[0] not in self.stops:
                        yield words, concept
            for group, members in data.get("opposites", {}).items():
                for member, entry in members.items():
                    yield from _concepts(Concept("side", group, (member,), plain=False), entry, english)


def _plain(entry: Mapping[str, Iterable[str]], plain: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The words of a head that stand for each other, by language: those that are named, or the first."""
    return {language: plain.get(language) or list(texts)[:1] for language, texts in entry.items()}


def _stops(data: Mapping[str, Any]) -> frozenset[str]:
    """Words that carry no meaning in a label; a foreign one that means something in English labels is none."""
    telling = {
        word
        for terms in data["terms"].values()
        for entry in terms.values()
        for text in entry.get("en", ())
        for word in fold_words(text)
    }
    found = {
        language: {w for text in texts for w in fold_words(text)} for language, texts in data.get("stop", {}).items()
    }
    english = found.pop("en", set())
    return frozenset(english.union(*found.values()) - (telling - english)) if found else frozenset(english)


def _concepts(concept: Concept, entry: Mapping[str, Iterable[str]], english: bool) -> Iterator[tuple[Words, Concept]]:
    for language, texts in entry.items():
        if (language == "en") != english:
            continue
        for text in texts:
            words = fold_words(text)
            if words and (english or len(words) > 1 or len(words[0]) >= _SHORTEST_FOREIGN or not words[0].isascii()):
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
