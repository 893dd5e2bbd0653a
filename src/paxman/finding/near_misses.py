"""Near misses: what on a page comes closest to a field that stays open, and what it lacks to answer it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from paxman.classes import record
from paxman.contract.labels import fold_label
from paxman.contract.model import CanonicalContract
from paxman.documents.document import Document
from paxman.finding.scalars import claims_for
from paxman.finding.ties import read_place
from paxman.finding.wanted import Asked, Phrase, Wanted
from paxman.lexicon.lexicon import Lexicon
from paxman.page.names import Name, Page, page_of
from paxman.page.places import Place
from paxman.recognizers import Conventions
from paxman.recognizers.figures.broken import is_torn
from paxman.types import FieldType, Span

_MOST_NAMES, _MOST_SHOWN = 400, 3
_LONGEST_NAME, _LONGEST_VALUE = 60, 40
_TAKEN = 0.9
_SHEETS = frozenset({"csv", "spreadsheet"})
_BULLETS = "-•*–·"
_WORTH = 0.45
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz")
_TREES = frozenset({"json", "xml", "yaml"})
_TYPED = {
    FieldType.DATE: "a date",
    FieldType.MONEY: "an amount",
    FieldType.DECIMAL: "a number",
    FieldType.INTEGER: "a whole number",
    FieldType.BOOLEAN: "a yes or no",
    FieldType.DATETIME: "a date with a time",
    FieldType.TIME: "a time of day",
    FieldType.DURATION: "a duration, such as 3 days or 2 h 30 min",
    FieldType.ENUM: "one of the values that the contract allows",
}
_NUMBERS = frozenset({FieldType.MONEY, FieldType.DECIMAL})
_TELLING = frozenset({FieldType.DATE, FieldType.MONEY, FieldType.ENUM})
"""Types that are rare enough on a page for a value to be worth a look by its type alone."""
_SHARED = _TELLING - {FieldType.ENUM}


@record
class NearMiss:
    """A name on the page with its value, what it lacks to answer a field, and whether it would do as a label."""

    name: str
    value: str
    span: Span
    place: Span
    """Where the value stands; where the name does, if there is none."""
    lacks: str
    is_label: bool
    likeness: float


class NearMisses:
    """The near misses of one page and contract; names are parsed once for all open fields."""

    def __init__(self, document: Document, contract: CanonicalContract, lexicon: Lexicon, how: Conventions) -> None:
        self._page, self._how = page_of(document), how
        self._claims = claims_for(self._page, contract, lexicon)
        self._fields = {wanted.field.path: number for number, wanted in enumerate(self._claims.wanted)}
        self._letters = frozenset(self._page.text.casefold()) | _PLAIN
        names = sorted(_names(self._page), key=lambda name: name.span)
        self._values: dict[tuple[Any, ...], Span | None] = {}
        claimed = ((name, self._claims.of(name.text, name.section)) for name in names)
        self._names = [(name, Phrase(lexicon.parse(name.text)), claims) for name, claims in claimed]

    def words(self, path: str) -> tuple[str, ...]:
        """What a field was looked for by: the contract's own words first, then what the page has letters for."""
        texts = dict.fromkeys(asked.text for asked in self._claims.wanted[self._fields[path]].phrases)
        return tuple(sorted(texts, key=lambda text: any(map(str.isalpha, set(text.casefold()) - self._letters))))

    def of(self, path: str) -> tuple[NearMiss, ...]:
        """The names that come closest to a field, the nearest first."""
        number = self._fields[path]
        wanted, asked = self._claims.wanted[number], _by_word(self._claims.wanted[number])
        found: dict[str, NearMiss] = {}
        strange: list[Name] = []
        for name, phrase, claims in self._names:
            own = claims[number].fit if number in claims else 0.0
            if any(claim.fit >= max(own, _TAKEN) for field, claim in claims.items() if field != number):
                continue
            shared = () if phrase.keys.isdisjoint(asked) else [asked[key] for key in phrase.keys if key in asked]
            if not own and not shared:
                strange.append(name)
                continue
            miss = self._miss(name, phrase, wanted, shared, own)
            if miss and miss.likeness > (found[miss.name].likeness if miss.name in found else 0.0):
                found[miss.name] = miss
        close = [miss for miss in found.values() if miss.likeness >= _WORTH]
        misses = close or [*found.values(), *self._of_type(strange, wanted)]
        return tuple(sorted(misses, key=lambda miss: (-miss.likeness, miss.span))[:_MOST_SHOWN])

    def _of_type(self, names: Sequence[Name], wanted: Wanted) -> Iterator[NearMiss]:
        """Names that no field asks for, with a value of a type that is rare enough to be worth a look."""
        told: set[str] = set()
        for name in names if wanted.field.type in _TELLING else ():
            if len(told) == _MOST_SHOWN:
                return
            value = self._value(name, wanted) if name.text not in told else None
            if value is not None:
                told.add(name.text)
                yield self._made(name, value, 0.1, "no field asks for it by that name", False)

    def _miss(self, name: Name, phrase: Phrase, wanted: Wanted, shared: Sequence[Asked], own: float) -> NearMiss | None:
        value = self._value(name, wanted)
        if own and value is None:
            return self._made(name, None, own, self._says(name, wanted), False)
        if value is None:
            return None
        if own and fold_label(name.text) in map(fold_label, wanted.field.labels):
            return self._made(name, value, own, f'that does not look like "{wanted.field.words}"', False)
        if own:
            return self._made(name, value, own, "it fits only in part", True)
        # A name that shares a word with what is asked for.
        asked = max(shared, key=lambda each: _share(each.phrase, phrase))
        mine = asked.phrase
        if mine.heads and phrase.heads and mine.heads.isdisjoint(phrase.heads):
            return None
        if mine.owners and phrase.owners and mine.owners.isdisjoint(phrase.owners):
            whose = " or ".join(sorted(phrase.owners))
            return self._made(name, value, _share(mine, phrase), f"it is about the {whose}", False)
        opposite = [token.word for token in phrase.tokens if token.concept and token.concept.group in mine.sides]
        if opposite and not mine.keys >= phrase.keys:
            return self._made(name, value, _share(mine, phrase), f'it says "{opposite[0]}"', False)
        missing = [token.word for token in asked.tokens if token.key not in phrase.keys]
        lacks = " or ".join(f'"{word}"' for word in missing)
        lacks = f"it does not say {lacks}" if missing else "it says more than that"
        return self._made(name, value, _share(mine, phrase), lacks, True)

    def _made(self, name: Name, value: Span | None, likeness: float, lacks: str, is_label: bool) -> NearMiss:
        place = value or name.span
        text = _short(self._page.text[slice(*value)]) if value else ""
        is_label = is_label and likeness >= _WORTH and not self._heads(name, place)
        return NearMiss(name.text, text, name.span, place, lacks, is_label, likeness)

    def _heads(self, name: Name, place: Span) -> bool:
        """Whether a name is a heading with a text below it, or an item of a list above another."""
        if "\n" not in self._page.text[name.span[1] : place[0]]:
            return False
        line = self._page.text[self._page.text.rfind("\n", 0, name.span[0]) + 1 : name.span[1]]
        around = next((each.span for each in name.places if each.span[0] <= place[0] < each.span[1]), place)
        return around[1] - around[0] > _LONGEST_VALUE or line.lstrip()[:1] in _BULLETS

    def _value(self, name: Name, wanted: Wanted) -> Span | None:
        """What stands with a name and is of the field's type; fields that ask for the same kind share it."""
        field = wanted.field
        key = (id(name), field.type, wanted.side, wanted.is_rate, field.semantic_tags)
        if field.type not in _SHARED or field.constraints:
            return self._read(name, wanted)
        if key not in self._values:
            self._values[key] = self._read(name, wanted)
        return self._values[key]

    def _read(self, name: Name, wanted: Wanted) -> Span | None:
        readings = (read_place(self._page, place, wanted, self._how, self._claims) for place in name.places)
        found = next((reading for reading in readings if reading is not None), None)
        return (found.start, found.end) if found else None

    def _says(self, name: Name, wanted: Wanted) -> str:
        texts = (self._page.text[slice(*place.span)].strip() for place in name.places)
        text = next(filter(None, texts), "")
        if not text:
            return "nothing stands beside or below it"
        if wanted.field.type in _NUMBERS and is_torn(text, 0, len(text)):
            return f'"{_short(text)}" may be one number with its cents, or two'
        return f'"{_short(text)}" is not {_TYPED.get(wanted.field.type, "a value")}'


def _names(page: Page) -> Iterator[Name]:
    """Names that a person would call labels: keys of a tree, heads of columns, and the names of the page."""
    document = page.document
    if document.tree is not None and document.kind in _TREES:
        nodes = [node for node in document.tree.walk() if node.kind == "scalar" and node.name][:_MOST_NAMES]
        yield from (Name(node.name, node.span, 0, (Place("key", node.span, node.span),)) for node in nodes)
        return
    heads = (
        Name(head.text.strip(), head.span, 0, (Place("below", cell.span, cell.span),))
        for table in document.tables
        for head, cell in zip(table.header, table.rows[0] if table.rows else (), strict=False)
        if head.text.strip() and head.span[1] <= len(page.text)
    )
    names = (name for name in page.names[:_MOST_NAMES] if len(name.text) <= _LONGEST_NAME)
    yield from (*heads, *names) if document.kind in _SHEETS else (*names, *heads)


def _by_word(wanted: Wanted) -> dict[str, Asked]:
    """The weightiest phrase of a field for each word that tells something."""
    found: dict[str, Asked] = {}
    for asked in wanted.phrases:
        for key, weight in asked.phrase.weights.items():
            says = weight == 1.0 and ":" not in key  # not only whose it is, or which way
            if says and (key not in found or asked.weight > found[key].weight):
                found[key] = asked
    return found


def _share(asked: Phrase, name: Phrase) -> float:
    """How much two phrases have in common, from 0 to 1."""
    common = sum(weight for key, weight in asked.weights.items() if key in name.keys)
    return common / max(asked.weight, name.weight)


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST_VALUE else plain[: _LONGEST_VALUE - 1] + "…"


def line_of(document: Document, span: Span) -> str:
    """Where something stands, for people: its line, and its page where there are several."""
    before = document.text[: span[0]]
    page, _, rest = before.rpartition("\f")
    number = rest.count("\n") + 1
    return f"page {page.count(chr(12)) + 2}, line {number}" if "\f" in before else f"line {number}"
