"""Columns that only a word more tells apart, "Old price" and "New price", where one of them is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.table_headings import Vocabulary
from paxman.documents.heading_words import Hit, Token, tokens_of
from paxman.types import Diagnostic, Severity

_LONGEST = 80
_MOST_ROWS = 300


def rival_notes(
    context: CapabilityContext,
    vocabulary: Vocabulary,
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    bound: Sequence[tuple[int, int]],
    unproven: Sequence[tuple[int, int]],
) -> Iterator[Diagnostic]:
    """A note on each unproven column that was taken where another with other values may be meant as well."""
    tokens = [tokens_of(text[:_LONGEST]) for text in headings]
    known = vocabulary.beside([token for each in tokens for token in each])
    hits = [known.best(each) for each in tokens]
    taken = {column for _, column in bound}
    for place, column in unproven:
        others = (at for at, hit in enumerate(hits) if hit and hit.meaning == place and at not in taken)
        own = hits[column] if column < len(hits) else None
        rivals = [at for at in others if own and _are_rivals(known, (own, tokens[column]), (hits[at], tokens[at]))]
        if any(_differ(rows, column, at) for at in rivals):
            told = " and ".join(repr(headings[at].strip()) for at in sorted((column, *rivals)))
            name = context.field.columns[place].name
            message = f"{told} may each be the {name}; {headings[column].strip()!r} was taken"
            yield Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, context.field.path, {"column": name})


def _are_rivals(
    vocabulary: Vocabulary, one: tuple[Hit | None, Sequence[Token]], other: tuple[Hit | None, Sequence[Token]]
) -> bool:
    """Whether two headings have the same word that is asked for, each with more, and are both as well known."""
    (hit, tokens), (second, others) = one, other
    if hit is None or second is None or "".join(t.key for t in tokens) in vocabulary.own:
        return False
    whole = [each.last - each.first == len(words) for each, words in ((hit, tokens), (second, others))]
    if not any(whole):
        return _key(hit, tokens) == _key(second, others)
    keys = [{token.key for token in words} & vocabulary.own for words in (tokens, others)]
    asked = {key for key in keys[0] & keys[1] if vocabulary.meanings[key] == hit.meaning}
    return all(whole) and bool(asked) and min(len(tokens), len(others)) > 1


def _key(hit: Hit, tokens: Sequence[Token]) -> str:
    return "".join(token.key for token in tokens[hit.first : hit.last])


def _differ(rows: Sequence[Sequence[str]], one: int, other: int) -> bool:
    pairs = ((row[one], row[other]) for row in rows[:_MOST_ROWS] if max(one, other) < len(row))
    return any(first and second and first != second for first, second in pairs)
