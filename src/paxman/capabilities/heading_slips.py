"""Headings of tables in which a scanner got one letter wrong, known by the headings beside them: "Arnount", "Mcnge"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.business_terms import read_terms
from paxman.capabilities.label_slips import Slips, mend, slips_among
from paxman.capabilities.table_headings import Vocabulary
from paxman.capabilities.table_pages import trim_repeated
from paxman.contract.labels import compact_label, compact_word, fold_label
from paxman.contract.model import CanonicalField
from paxman.documents.heading_words import OTHER, Hit, Token, tokens_of
from paxman.documents.headings import Header, find_headers, may_head_columns, ordinal_cells
from paxman.documents.visual_lines import VisualLines
from paxman.types import Diagnostic, Severity

if TYPE_CHECKING:
    from paxman.capabilities.row_reading import Reading

_SHORTEST = 5
_SHORTEST_NEAR = 4
_LONGEST = 200


class Slip(NamedTuple):
    """A heading as it is written, its compact form, the column it is taken for, and as what."""

    written: str
    key: str
    meaning: int
    understood: str


@attrs.frozen
class Mended:
    """A vocabulary with the slips of a page."""

    vocabulary: Vocabulary
    slips: tuple[Slip, ...]

    def note(self, context: CapabilityContext, reading: Reading) -> Reading:
        """Say of a reading by which headings it was made, and that it is not sure."""
        for slip in self.slips:
            message = f"the heading {slip.written!r} was taken for {slip.understood!r}"
            reading.record.doubts.append(Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, context.field.path))
        reading.unclear = True
        return reading


def find_slipped(
    context: CapabilityContext, page: VisualLines, vocabulary: Vocabulary, headers: Sequence[Header]
) -> tuple[Mended, list[Header]] | None:
    """The headers of a page, if those with every required column are more, or have more, by headings with a slip."""
    columns = context.field.columns
    partial = [header for header in headers if len(header.bound) < len(columns)]
    if headers and not partial:
        return None
    named = _count_named(headers, columns)
    lines = [index for header in partial for index in range(header.first, header.last + 1)]
    texts = (_headings_at(page, index) for index in (lines if named else range(len(page))))
    mended = mend_headings(context, vocabulary, texts)
    again = trim_repeated(page, find_headers(page, mended.vocabulary)) if mended else []
    return (mended, again) if mended and _count_named(again, columns) > named else None


def _count_named(headers: Iterable[Header], columns: Sequence[CanonicalField]) -> int:
    """How many columns are named by headers that name every required one."""
    required = {place for place, column in enumerate(columns) if column.required}
    return sum(len(header.bound) for header in headers if required.issubset(place for place, _ in header.bound))


def _headings_at(page: VisualLines, index: int) -> list[str]:
    """What may be headings side by side on a line."""
    line = page.line(index)
    is_ordinal = page.text.count("\t", line.start, line.end)
    if not (is_ordinal or len(line.chunks) > 1) or not may_head_columns(page, line):
        return []
    spans = [(c.start, c.end) for c in ordinal_cells(page, index)] if is_ordinal else line.chunks
    return [page.text[start:end] for start, end in spans]


def mend_headings(context: CapabilityContext, vocabulary: Vocabulary, lines: Iterable[Sequence[str]]) -> Mended | None:
    """The vocabulary with what is a heading but for a letter, in lines with one that is asked for."""
    found: dict[str, Slip] = {}
    for texts in lines:
        headings = [tokens_of(text[:_LONGEST]) for text in texts]
        if any(hit.meaning != OTHER for tokens in headings for hit in vocabulary.hits(tokens)):
            words = _words_of(context, vocabulary)
            is_slipped = any(words.mended(token.key) for tokens in headings for token in tokens)
            found |= {slip.key: slip for slip in _slips_in(texts, headings, vocabulary, words)} if is_slipped else {}
    if not found:
        return None
    meanings = vocabulary.meanings | {key: slip.meaning for key, slip in found.items()}
    return Mended(attrs.evolve(vocabulary, meanings=meanings), tuple(found.values()))


def near_words(context: CapabilityContext, vocabulary: Vocabulary, heading: str) -> dict[int, str]:
    """For columns of the contract, the first word that a heading is but for one letter behind its first."""
    tokens = tokens_of(heading[:_LONGEST])
    words = _words_of(context, vocabulary)
    if len(tokens) != 1 or tokens[0].key in words.slips.known:
        return {}
    found: dict[int, str] = {}
    for word in words.spelt:
        if word in vocabulary.meanings and _is_near(tokens[0].key, word):
            found.setdefault(vocabulary.meanings[word], words.spelt[word])
    return found


def is_other_word(context: CapabilityContext, vocabulary: Vocabulary, heading: str) -> bool:
    """Whether a heading has a word that is known, but as no heading."""
    known = _words_of(context, vocabulary).slips.known
    return any(token.key in known for token in tokens_of(heading[:_LONGEST]))


def _is_near(key: str, word: str) -> bool:
    """Whether words of four letters and more have one first letter, and are equal but for one other or two swapped."""
    if key[:1] != word[:1] or min(len(key), len(word)) < _SHORTEST_NEAR or abs(len(key) - len(word)) > 1:
        return False
    same = next((at for at, pair in enumerate(zip(key, word, strict=False)) if pair[0] != pair[1]), -1)
    ends = (key[same + 1 :], word[same + 1 :]), (key[same:], word[same + 1 :]), (key[same + 1 :], word[same:])
    swapped = key[same : same + 2] == word[same : same + 2][::-1] and key[same + 2 :] == word[same + 2 :]
    return key != word and (same < 0 or swapped or any(one == other for one, other in ends))


def _slips_in(
    texts: Sequence[str], headings: Sequence[Sequence[Token]], vocabulary: Vocabulary, words: _Words
) -> list[Slip]:
    """The slips of a line in which no more headings are unknown than known, for columns that it does not name."""
    vocabulary = vocabulary.beside([token for tokens in headings for token in tokens])
    hits = [list(vocabulary.hits(tokens)) for tokens in headings]
    named = {hit.meaning for each in hits for hit in each}
    if named <= {OTHER}:
        return []
    slips = [list(_mended(*each, vocabulary, words)) for each in zip(texts, headings, hits, strict=True)]
    unknown = sum(not known and not slipped for known, slipped in zip(hits, slips, strict=True))
    if unknown > sum(map(bool, hits)):
        return []
    return [slip for slipped in slips for slip in slipped if slip.meaning not in named]


def _mended(
    text: str, tokens: Sequence[Token], hits: Sequence[Hit], vocabulary: Vocabulary, words: _Words
) -> Iterator[Slip]:
    """What a heading means by words in which one letter is another."""
    known = {at for hit in hits for at in range(hit.first, hit.last)}
    mended = {at: words.mended(token.key) for at, token in enumerate(tokens) if at not in known}
    keys = [mended.get(at) or token.key for at, token in enumerate(tokens)]
    if keys == [token.key for token in tokens]:
        return
    for hit in vocabulary.hits([token._replace(key=key) for token, key in zip(tokens, keys, strict=True)]):
        own = range(hit.first, hit.last)
        if any(map(mended.get, own)) and "".join(keys[at] for at in own) in vocabulary.meanings:
            written, key = text[tokens[own[0]].start : tokens[own[-1]].end], "".join(tokens[at].key for at in own)
            yield Slip(written, key, hit.meaning, " ".join(words.spelt.get(keys[at], keys[at]) for at in own))


@attrs.frozen(eq=False)
class _Words:
    """The words of headings that may have a slip, and how each is spelt."""

    slips: Slips
    spelt: dict[str, str]

    def mended(self, key: str) -> str | None:
        word = mend(key, self.slips) if len(key) >= _SHORTEST else None
        return word if word and len(word) >= _SHORTEST else None


def _words_of(context: CapabilityContext, vocabulary: Vocabulary) -> _Words:
    """The words of headings for the columns of an array, once for a contract."""
    memo, name = context.contract.memo, ("heading_slips", context.field.path)
    if name not in memo:
        own = [fold_label(label) for column in context.field.columns for label in (*column.labels, column.words)]
        usual = [label for key, label in _labels() if vocabulary.meanings.get(key, OTHER) != OTHER]
        spelt = {compact_word(word): word for label in (*usual, *own) for word in label.split() if word.isalpha()}
        known = frozenset(compact_word(word) for _, label in _labels() for word in label.split())
        memo[name] = _Words(slips_among(sorted(spelt), known), spelt)
    words: _Words = memo[name]
    return words


@lru_cache(maxsize=1)
def _labels() -> tuple[tuple[str, str], ...]:
    """The usual labels of single values and of columns, each with its compact form."""
    labels = (label for table in ("business_terms", "column_terms") for _, label in read_terms(table))
    return tuple((key, label) for label in labels for key in compact_label(label)[:1])
