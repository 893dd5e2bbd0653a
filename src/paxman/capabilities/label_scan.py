"""One pass over a page that finds every label of the contract and of common business terms."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property, lru_cache
from itertools import accumulate, chain, count
from operator import add, sub

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.business_terms import ITEM_TERMS, compact_keys, label_terms
from paxman.capabilities.descriptions import described, stands_apart
from paxman.capabilities.label_slips import Slips, is_known, mended_among, slips_of
from paxman.capabilities.name_stems import extended_labels, heads_value, owned_labels, stems_of
from paxman.classes import record
from paxman.contract.labels import NUMBER_OR_DENIAL, compact_label, compact_word, squeeze, without_umlauts
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.currencies import MINOR_UNITS
from paxman.documents.document import Document, Pair
from paxman.documents.visual_lines import VisualLines
from paxman.lazy import lazy_pattern
from paxman.recognizers.tables import words as words_of
from paxman.types import FieldType, Span

_EXTENDED = "".join(map(chr, range(0x100, 0x180)))
_UPPER = "A-ZÀ-ÖØ-Þ" + "".join(filter(str.isupper, _EXTENDED))
_LOWER = "a-zß-öø-ÿ" + "".join(filter(str.islower, _EXTENDED))
_IDEOGRAPH = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
# Words also part where small letters meet capitals and letters meet digits: scanners lose spaces.
_WORD = (
    rf"[#№]|[Nn][°º]|[A-Z]{{2,20}}?(?=TOTAL(?![A-Z]))|[{_UPPER}]?[{_LOWER}]+|[{_UPPER}]+(?![{_LOWER}])|[{_UPPER}]"
    rf"|\d+|[{_IDEOGRAPH}]|[^\W\d_{_UPPER}{_LOWER}{_IDEOGRAPH}]+"
)
# What is between words is passed over at once: pages are mostly blank.
_GAP_AND_WORD = lazy_pattern(rf"((?:[^\w#№]++|_)*+)(?:({_WORD})|\Z)")
# A gap may be as wide as in "No. / Rev".
_APART = lazy_pattern(r"[\n\t:=;|]|  |[^\s\w]\s*[^\s\w]\s*[^\s\w]|(?s:.{5})")
_NUMBER_AHEAD = lazy_pattern(r"(?: ?[.:#°º=]{1,3}[ \t]{0,80}|[ \t]{2,80})[^\s\d]{0,8}\d")
# "No" denies, Italian writes "di cui IVA", and sums and what is to pay are spoken of; only a number makes them labels.
_NEED_NUMBER = frozenset((NUMBER_OR_DENIAL, compact_word("cui"), "sum", "topay"))
_AMOUNT_AHEAD = lazy_pattern(r"[^\n\d]{0,80}\n?[^\S\n]{0,80}[^\s\d]{0,4} ?\d[\d.,]{0,12}[.,]\d{2,3}(?![\d/]|[.-]\d)")
# Before a word for number it is rather a full stop that a scanner misread.
_COMMA = lazy_pattern(r"(?:,(?![^\W\d_])|[，、])(?! ?(?i:no|nr|num|number|nummer|n[°º]|#)(?![^\W\d_]))")
_SENTENCE_END = lazy_pattern(r"\. (?=[A-Z])| [-–·•] ")
_GOES_ON = lazy_pattern(r" [^\W\d_]{2,20} ?[:：]")
_KEY = 2
_LONG_KEY = 4
"""First letters by which labels are known; few begin with the same four."""


@record
class Hit:
    """A label on the page; `terms` are what business papers mean by it, `index` its place among all labels."""

    start: int
    end: int
    key: str
    terms: tuple[str, ...]
    line: int
    index: int
    slipped: bool = False

    @property
    def term(self) -> str | None:
        """Its usual meaning."""
        return self.terms[0] if self.terms else None


@attrs.frozen(slots=False)
class Scan:
    """All labels of a page, in order, none inside another."""

    page: VisualLines
    hits: tuple[Hit, ...]
    _items: dict[int, tuple[Hit, ...]] = attrs.field(factory=dict, init=False, repr=False)

    @cached_property
    def _starts(self) -> list[int]:
        return [hit.start for hit in self.hits]

    @cached_property
    def _firsts(self) -> dict[int, Hit]:
        """The first label of each line."""
        return {hit.line: hit for hit in reversed(self.hits)}

    @cached_property
    def by_key(self) -> dict[str, list[Hit]]:
        keys: dict[str, list[Hit]] = {}
        for hit in self.hits:
            keys.setdefault(hit.key, []).append(hit)
        return keys

    @cached_property
    def by_term(self) -> dict[str, list[Hit]]:
        terms: dict[str, list[Hit]] = {}
        for hit in self.hits:
            for term in hit.terms:
                terms.setdefault(term, []).append(hit)
        return terms

    def after(self, hit: Hit) -> Hit | None:
        """The next label on the same line."""
        following = self.hits[hit.index + 1] if hit.index + 1 < len(self.hits) else None
        return following if following and following.line == hit.line else None

    def before(self, hit: Hit) -> Hit | None:
        """The label before it on the same line."""
        previous = self.hits[hit.index - 1] if hit.index else None
        return previous if previous and previous.line == hit.line else None

    def first_on(self, line: int) -> Hit | None:
        return self._firsts.get(line)

    def last_before(self, position: int) -> Hit | None:
        """The last label that ends before a position, on its line."""
        index = bisect_left(self._starts, position) - 1
        if index >= 0 and self.hits[index].end > position:
            index -= 1
        hit = self.hits[index] if index >= 0 else None
        return hit if hit and hit.line == self.page.line_at(position) else None

    def within(self, start: int, end: int) -> tuple[Hit, ...]:
        """The labels that begin in a part of the text."""
        first = bisect_left(self._starts, start)
        return self.hits[first : bisect_left(self._starts, end, first)]

    def starts_at(self, position: int) -> bool:
        """Whether a label starts here."""
        index = bisect_left(self._starts, position)
        return index < len(self.hits) and self.hits[index].start == position

    def items_on(self, line: int) -> tuple[Hit, ...]:
        """The first labels of a line that head columns of items: quantity, price, description."""
        if line not in self._items:
            first = self.first_on(line)
            hits = self.hits[first.index : first.index + _MOST_HEADINGS] if first else ()
            self._items[line] = tuple(hit for hit in hits if hit.line == line and hit.term in ITEM_TERMS)
        return self._items[line]


_MOST_HEADINGS = 40


@lru_cache(maxsize=64)
def _lengths(
    own: tuple[str, ...], stems: tuple[str, ...], described: tuple[str, ...]
) -> tuple[frozenset[str], dict[str, tuple[int, ...]], frozenset[str]]:
    """All labels to look for, by their first letters the lengths to try, longest first, and the doubtful ones."""
    labels = frozenset((*own, *stems, *described)) | label_terms().keys()
    lengths: dict[str, set[int]] = {}
    for label in labels:
        key = label[:_LONG_KEY] if len(label) >= _LONG_KEY else label[:_KEY]
        lengths.setdefault(key, set()).add(len(label))
    tried = {key: sizes | lengths.get(key[:_KEY], set()) for key, sizes in lengths.items()}
    longest_first = {key: tuple(sorted(sizes, reverse=True)) for key, sizes in tried.items()}
    return labels, longest_first, _NEED_NUMBER.union(stems, described, _need_amount().difference(own))


_SHORTEST_SPELLED = 4
"""Shorter words with such letters are others: "due" is no "dü"."""


def own_labels(field: CanonicalField) -> tuple[str, ...]:
    """A field's labels and then its name, compact; a name may spell the umlauts of its label with an e."""
    return _with_plain(compact_keys(field))


@lru_cache(maxsize=4096)
def _with_plain(keys: tuple[str, ...]) -> tuple[str, ...]:
    plain = (without_umlauts(key) if len(key) > _SHORTEST_SPELLED else key for key in keys)
    return tuple(key for key in dict.fromkeys((*keys, *plain)) if len(key) >= _KEY)


def _labels_of(contract: CanonicalContract) -> tuple[str, ...]:
    if "own_labels" not in contract.memo:
        scalars = (f for f in contract.leaves if f.type not in (FieldType.ARRAY, FieldType.OBJECT))
        own = {label for field in scalars for label in (*own_labels(field), *extended_labels(field))}
        contract.memo["own_labels"] = tuple(sorted(own))
    labels: tuple[str, ...] = contract.memo["own_labels"]
    return labels


def _stems_of(contract: CanonicalContract) -> tuple[str, ...]:
    """What fields may also be called, less what is a label wherever it stands."""
    if "stems" not in contract.memo:
        stems = frozenset().union(*map(stems_of, contract.leaves), *map(owned_labels, contract.leaves))
        contract.memo["stems"] = tuple(sorted(stems.difference(_labels_of(contract), label_terms())))
    found: tuple[str, ...] = contract.memo["stems"]
    return found


def _described_of(contract: CanonicalContract) -> tuple[str, ...]:
    """What fields are described as, less what is a label anyway."""
    if "described_labels" not in contract.memo:
        keys = {key for label in described(contract).values() for key in compact_label(label) if len(key) >= _KEY}
        known = (_labels_of(contract), _stems_of(contract), label_terms())
        contract.memo["described_labels"] = tuple(sorted(keys.difference(*known)))
    found: tuple[str, ...] = contract.memo["described_labels"]
    return found


def _listed_of(contract: CanonicalContract) -> frozenset[str]:
    """The labels of the contract that have a comma, which parts what others call by two labels."""
    if "listed_labels" not in contract.memo:
        labels = (label for field in contract.leaves for label in field.labels if _COMMA.search(label))
        contract.memo["listed_labels"] = frozenset(key for label in labels for key in compact_label(label))
    found: frozenset[str] = contract.memo["listed_labels"]
    return found


def scan_of(context: CapabilityContext) -> Scan:
    """The labels of the document, found once for all fields of the contract."""
    cache = context.document.cache
    if "label_scan" not in cache:
        own, stems = _labels_of(context.contract), _stems_of(context.contract)
        told, slips = _described_of(context.contract), slips_of(context.contract)
        listed = _listed_of(context.contract)
        lines = context.document.lines
        cache["label_scan"] = scan(lines, own, stems=stems, described=told, slips=slips, listed=listed)
    found: Scan = cache["label_scan"]
    return found


def squeezed_of(document: Document) -> str:
    """The text as labels are compared, without anything between its words."""
    if "squeezed" not in document.cache:
        document.cache["squeezed"] = squeeze(document.text)
    found: str = document.cache["squeezed"]
    return found


def names_label(context: CapabilityContext, besides: Pair | None = None) -> bool:
    """Whether an own label of the field may be on the page (again): far cheaper than the scan, never wrong in a no."""
    document, squeezed = context.document, squeezed_of(context.document)
    labels = own_labels(context.field)
    if besides is None:
        return any(label in squeezed for label in labels)
    label = _squeeze_label(besides.label)
    others = [other for other in labels if other != label and other in squeezed]
    if others and any(other in squeezed.replace(label, " ") for other in others):
        return True
    again = squeezed.count(label) - 1
    return again > 0 and again > _in_sentences(besides, document.text)


_squeeze_label = lru_cache(maxsize=1024)(squeeze)


def _in_sentences(pair: Pair, text: str) -> int:
    """How often the words of a label stand in running text, where a small word follows them."""
    words = r"\s+".join(map(re.escape, pair.label.split()))
    return len(re.findall(rf"(?i:{words})\s[a-z]", text))


def has_short_label(field: CanonicalField) -> bool:
    """Whether a label is too short to be looked for in running text; pairs still know it."""
    return any(len(key) < _KEY for key in compact_keys(field))


Labels = tuple[str, ...]


def scan(
    page: VisualLines,
    own: Labels,
    *,
    stems: Labels = (),
    described: Labels = (),
    slips: Slips | None = None,
    listed: frozenset[str] = frozenset(),
) -> Scan:
    """Longest labels from left to right; a label starts and ends where words do, and keeps to its chunk."""
    text = page.text
    labels, lengths, doubtful = _lengths(own, stems, described)
    words, compact, starts, ends, slipped = _compact(text, slips)
    terms = label_terms()
    hits: list[Hit] = []
    past = 0
    for index, offset in enumerate(starts):
        if offset < past:
            continue
        head = compact[offset : offset + _LONG_KEY]
        for length in lengths.get(head) or lengths.get(head[:_KEY], ()):
            last = ends.get(offset + length)
            if last is None:
                continue
            key = compact[offset : offset + length]
            if key in labels:
                start, end = words[index][0], words[last][1]
                if last > index and key not in listed and _is_parted(text, start, end):
                    continue
                if key in doubtful and not _is_label(key, text, start, end, described):
                    continue
                wrong = not slipped.keys().isdisjoint(range(index, last + 1))
                if wrong and not is_known(text, words[index : last + 1], slipped, index):
                    continue
                if text[start:end] in MINOR_UNITS:
                    break  # PLN is no PIN, though a scanner may take one for the other.
                _append(hits, Hit(start, end, key, terms.get(key, ()), page.line_at(start), len(hits), wrong), text)
                past = offset + length
                break
    return Scan(page, tuple(hits))


def _is_parted(text: str, start: int, end: int) -> bool:
    """Whether a comma stands within a label, or the end of a sentence and the label before a colon is another one."""
    if _COMMA.search(text, start, end):
        return True
    return _SENTENCE_END.search(text, start, end) is not None and _GOES_ON.match(text, end) is not None


@lru_cache(maxsize=1)
def _need_amount() -> frozenset[str]:
    """Words for payments that are ordinary ones, too: only an amount makes them labels."""
    return frozenset(map(compact_word, words_of("needs_amount")))


def _is_label(key: str, text: str, start: int, end: int, described: Labels) -> bool:
    """Whether a word that is no label everywhere is one here."""
    if key in described:
        return stands_apart(text, start, end)
    if key in _need_amount():
        return _AMOUNT_AHEAD.match(text, end) is not None
    return _NUMBER_AHEAD.match(text, end) is not None if key in _NEED_NUMBER else heads_value(text, start, end)


_PARTS = frozenset({"tax", "discount", "charge", "count", "net", "subtotal", "rounding", "tendered", "change"})
_JOINED = frozenset(("", " ", ". ", "-", "."))
_SERIES = lazy_pattern(r"[A-Z]{2,5}-\d\Z")


def _append(hits: list[Hit], hit: Hit, text: str) -> None:
    """Add a label; "total" and the word for a part beside it, as in "GST total", are one label for the part.

    So are "change" and the way it was paid: "Rückgeld BAR".
    """
    previous = hits[-1] if hits else None
    if previous and text[previous.end : hit.start].strip() == ":" and _SERIES.match(text, hit.start, hit.end + 2):
        return  # The letters of a code behind its label: "Order ref: NIF-88120".
    if previous and text[previous.end : hit.start] in _JOINED:
        first, second = previous.term, hit.term
        returned = first == "change" and second == "tendered"
        if returned or (first == "total" and second in _PARTS) or (first in _PARTS and second == "total"):
            terms = hit.terms if first == "total" else previous.terms
            hits[-1] = Hit(previous.start, hit.end, previous.key + hit.key, terms, previous.line, previous.index)
            return
    hits.append(hit)


def _compact(text: str, slips: Slips | None) -> tuple[list[Span], str, list[int], dict[int, int], dict[int, str]]:
    """The words, all run together, where each starts in that, which one ends where, and which were mended.

    A gap is kept as a line feed.
    """
    pieces = [piece for pair in _GAP_AND_WORD.findall(text) if pair[1] for piece in pair]
    edges = [*accumulate(map(len, pieces))]
    words = [*zip(edges[::2], edges[1::2], strict=True)]
    plain = [*map(compact_word, pieces[1::2])]
    slipped = mended_among(text, words, plain, slips) if slips else {}
    for index, word in slipped.items():
        plain[index] = word
    gaps = ["\n" if gap != " " and _APART.search(gap) else "" for gap in pieces[::2]]
    lengths = [*map(len, plain)]
    ends = [*accumulate(map(add, map(len, gaps), lengths))]
    compact = "".join(chain.from_iterable(zip(gaps, plain, strict=True)))
    return words, compact, [*map(sub, ends, lengths)], dict(zip(ends, count(), strict=False)), slipped
