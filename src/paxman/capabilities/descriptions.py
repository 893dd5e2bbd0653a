"""Short descriptions of fields: labels of last resort, and only where a label plainly stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.business_terms import FALLBACKS, label_terms, term_of
from paxman.capabilities.placeholders import is_placeholder
from paxman.capabilities.values import Found, conventions, label_index, read_at
from paxman.contract.labels import compact_label, fold_label, fold_name
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.lazy import lazy_pattern


def described(contract: CanonicalContract) -> dict[str, str]:
    """By path what the contract's fields are described as; found once per contract."""
    if "described" not in contract.memo:
        contract.memo["described"] = described_of(contract.leaves)
    found: dict[str, str] = contract.memo["described"]
    return found


def told_keys(contract: CanonicalContract, field: CanonicalField) -> tuple[str, ...]:
    """What structured data may call a field: its name, its labels and its description."""
    label = described(contract).get(field.path)
    return (*field.name_keys, fold_name(label)) if label else field.name_keys


def described_of(fields: Sequence[CanonicalField]) -> dict[str, str]:
    """By path the short descriptions that tell one field from the others."""
    told = [(field, field.short_description) for field in fields if field.short_description]
    if not told:
        return {}
    claimed = Counter(key for f in fields for key in {*f.name_keys, fold_name(f.short_description)})
    terms = Counter(map(term_of, fields))
    return {field.path: label for field, label in told if claimed[fold_name(label)] == 1 and _fits(field, label, terms)}


def _fits(field: CanonicalField, label: str, asked: Counter[str | None]) -> bool:
    """Whether business papers do not mean something else by a label, or what another field asks for."""
    term = term_of(field)
    meant = {each for key in compact_label(label) for each in label_terms().get(key, ())}
    if term is None:
        return meant.isdisjoint(asked)
    return not meant or not meant.isdisjoint((term, *FALLBACKS.get(term, ())))


def stands_apart(text: str, start: int, end: int) -> bool:
    """Whether words are a line or a cell of their own or a colon follows them, and no sentence goes on there."""
    if not _BEFORE.search(text, max(0, start - 5), start) or not _AFTER.match(text, end):
        return False
    beside = _BESIDE.match(text, end)
    if beside:
        return not goes_on(beside[1])
    below = _BELOW.match(text, end)
    return below is None or bool(text[text.rfind("\n", 0, start) + 1 : start].strip()) or not _is_sentence(below[1])


def goes_on(text: str) -> bool:
    """Whether words behind a colon are a sentence."""
    return text[:1].islower() and len(text.split()) > _FEW_WORDS


def _is_sentence(line: str) -> bool:
    words = line.split()
    if line[:1].islower() or len(words) > _MOST_WORDS:
        return True
    # A company may end with a full stop, but with a capital.
    return len(words) > 2 and words[-1][-1] in ".," and (words[-1][0].islower() or len(words) > _FEW_WORDS)


# Behind bullets and the signs of Markdown, too.
_BEFORE = lazy_pattern(r"(?:\A|\n|[\t|]|  )[#*•_-]{0,3} ?\Z")
_AFTER = lazy_pattern(r" ?(?:[.*_]{0,3}[:=：\n]|[\t|]|\.{3})|  | ?\Z")
_BESIDE = lazy_pattern(r"[^\w\n]{0,80}([^\W\d_][^\n]{0,200})")
_BELOW = lazy_pattern(r"[^\S\n]{0,80}\n\s{0,80}([^\n]{0,200})")
_MOST_WORDS, _FEW_WORDS = 7, 4


def as_described(context: CapabilityContext) -> CapabilityContext | None:
    """The same question with the field's description as one more label, if it is one."""
    label = described(context.contract).get(context.field.path)
    return attrs.evolve(context, field=_labelled(context.field, label)) if label else None


def with_described_columns(context: CapabilityContext) -> CapabilityContext:
    """The same question with the descriptions of the columns as their last labels."""
    field, memo = context.field, context.contract.memo
    if ("described", field.path) not in memo:
        memo["described", field.path] = _with_columns(field)
    told = memo["described", field.path]
    return context if told is field else attrs.evolve(context, field=told)


def _with_columns(field: CanonicalField) -> CanonicalField:
    labels = described_of(field.columns)
    if field.items is None or not labels:
        return field
    children = tuple(_labelled(child, labels.get(child.path)) for child in field.columns)
    return attrs.evolve(field, items=attrs.evolve(field.items, children=children))


def _labelled(field: CanonicalField, label: str | None) -> CanonicalField:
    return attrs.evolve(field, labels=(*field.labels, label)) if label else field


def find_in_markup(context: CapabilityContext) -> list[Found]:
    """What the markup of a page sets beside the field's description: a field of a form, text behind bold words."""
    label = described(context.contract).get(context.field.path) if context.document.kind == "html" else None
    if label is None:
        return []
    from paxman.capabilities.table_kinds import is_in_column

    text, how = context.document.text, conventions(context)
    pairs = (pair for pair in label_index(context.document).get(fold_label(label), ()) if pair.relation == "beside")
    spans = [pair.value_span for pair in pairs if not is_in_column(context, pair.label_span[0], pair.value_span[0])]
    told = [
        span
        for span in spans
        if not goes_on(text[slice(*span)]) and not is_placeholder(text[slice(*span)], context.field)
    ]
    return [each for span in told for each in read_at(context, context.field, text[slice(*span)], span, how)]
