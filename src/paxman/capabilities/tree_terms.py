"""Nodes of data that call a field by another word for the same business term: `grand_total`, `supplier/name`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import attrs

from paxman.capabilities.business_terms import (
    DELIVERIES,
    FALLBACKS,
    ITEM_TERMS,
    label_terms,
    party_and_rest,
    party_called,
    term_of,
)
from paxman.capabilities.tree_binding import Entry
from paxman.contract.labels import compact_label, fold_label, fold_name, to_words
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document, Node
from paxman.types import FieldType

Meaning = tuple[str, str]
"""The party that something is said of, or nothing, and the term for what is said."""
_NEUTRAL = frozenset(
    "invoice order receipt bill document data result payload header body response record summary content".split()
)
# A rate, an amount or a number may be called so.
_MANIFOLD = frozenset(("tax", "tax_rate", "vat_id", "tax_id", "other_number"))
_NO_TEXT = frozenset((FieldType.OBJECT, FieldType.ARRAY))


@attrs.frozen
class Meanings:
    """The texts of a document by what their names mean, and the objects that are named as each party."""

    entries: dict[Meaning, list[Entry]] = attrs.field(factory=dict)
    places: dict[str, set[tuple[str, ...]]] = attrs.field(factory=dict)


def find_by_term(field: CanonicalField, contract: CanonicalContract, document: Document) -> list[Entry]:
    """The only text of what a field means, in an object that says nothing more of it or is that of its party."""
    wanted = _meaning_of(fold_label(to_words(field.path.replace(".", " "))))
    if wanted is None or field.type in _NO_TEXT:
        return []
    known = _meanings(document)
    found = known.entries.get(wanted, []) or _near_days(wanted, contract, known)
    if len(found) != 1 or len(known.places.get(wanted[0], ())) > 1:
        return []
    return found if found[0].names[-1] not in _names_of(contract) else []


def _near_days(wanted: Meaning, contract: CanonicalContract, known: Meanings) -> list[Entry]:
    """The texts of another day of a delivery that may stand in, where no field asks for it."""
    terms = [term for term in FALLBACKS.get(wanted[1], ()) if term in DELIVERIES and ("", term) in known.entries]
    if wanted[0] or not terms:
        return []
    asked = set(map(term_of, contract.leaves))
    return next((known.entries["", term] for term in terms if term not in asked), [])


def _names_of(contract: CanonicalContract) -> frozenset[str]:
    """What the fields on top of a contract are called; a place of such a name is theirs."""
    if "top_names" not in contract.memo:
        contract.memo["top_names"] = frozenset(key for field in contract.fields for key in field.name_keys)
    found: frozenset[str] = contract.memo["top_names"]
    return found


def find_cell_by_term(column: CanonicalField, columns: Sequence[CanonicalField], row: Node) -> list[Entry]:
    """The only text of a row that is called by another word for a column of items, and by no name of a column."""
    wanted = None if column.type in _NO_TEXT else _term(fold_label(to_words(column.name)))
    if wanted not in ITEM_TERMS:
        return []
    found = [child for child in row.children if child.kind == "scalar" and _term_of_key(child.name) == wanted]
    name = fold_name(found[0].name) if len(found) == 1 else ""
    if not name or any(name in other.name_keys for other in columns):
        return []
    return [Entry(found[0], (name,), False)]


@lru_cache(maxsize=1024)
def _term_of_key(name: str) -> str | None:
    words = fold_label(to_words(name))
    return "description" if words in _SHORT else _term(words)


_SHORT = ("desc", "descr")


def _meanings(document: Document) -> Meanings:
    """What the names of texts mean on top, in objects that say nothing, and in those of parties; built once."""
    found: Meanings | None = document.cache.get("tree_meanings")
    if found is None:
        found = document.cache["tree_meanings"] = Meanings()
        for party, entry in _texts(document.tree, "", ()) if document.tree else ():
            words = fold_label(to_words(entry.node.name))
            meaning = (party, _said(words)) if party else _meaning_of(words)
            if meaning:
                found.entries.setdefault(meaning, []).append(entry)
            if party:
                found.places.setdefault(party, set()).add(entry.names[:-1])
    return found


def _texts(node: Node, party: str, above: tuple[str, ...]) -> Iterator[tuple[str, Entry]]:
    """The texts in an object, each with the party that it is said of, and those in objects that say nothing."""
    if node.kind != "object" or len(node.children) > _MOST_KEYS:
        return
    for child in node.children:
        names = (*above, fold_name(child.name))
        if child.kind == "scalar":
            yield party, Entry(child, names, False)
        elif not party and len(names) < _DEEPEST:
            inner = party_called(names[-1])
            yield from _texts(child, inner or "", names) if inner or names[-1] in _NEUTRAL else ()


_MOST_KEYS = 500
_DEEPEST = 4


def _meaning_of(words: str) -> Meaning | None:
    """What words mean: a party and what is said of it, or a term that means one thing only."""
    party, rest = party_and_rest(words)
    if party:
        return (party, _said(rest)) if rest else None
    term = _term(words)
    return ("", term) if term and term not in _MANIFOLD and term not in ITEM_TERMS else None


def _said(words: str) -> str:
    """What is said of a party: the term, or the words where there is none that means one thing only."""
    term = _term(words)
    return term if term and term not in _MANIFOLD else words


def _term(words: str) -> str | None:
    return next((terms[0] for key in compact_label(words) if (terms := label_terms().get(key))), None)
