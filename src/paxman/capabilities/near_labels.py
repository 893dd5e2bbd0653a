"""The label of a document that is most like a field's names, for people who ask why nothing was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from paxman.capabilities.cell_values import explicit_tables
from paxman.contract.labels import fold_label, to_words
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document

_LIKE = 0.6
"""How alike two labels are when one may stand for the other, from 0 to 1."""
_MOST_LABELS, _MOST_NAMES = 80, 3
_LONGEST = 40


def nearest_label(field: CanonicalField, contract: CanonicalContract, document: Document) -> str:
    """A label as it is written, or nothing; one that another field asks for is not this one's."""
    from difflib import get_close_matches

    seen = _seen(document)
    names = (*field.label_keys, field.name_key)[:_MOST_NAMES]
    close = (key for name in names for key in get_close_matches(name, seen, 2, _LIKE))
    return next((seen[key] for key in close if not _is_asked_for(key, field, contract)), "")


def _is_asked_for(key: str, field: CanonicalField, contract: CanonicalContract) -> bool:
    if "asked" not in contract.memo:
        asked = (key for other in contract.leaves for key in {*other.label_keys, other.name_key})
        contract.memo["asked"] = Counter(asked)
    return bool(contract.memo["asked"][key] > (key in field.label_keys or key == field.name_key))


def _seen(document: Document) -> dict[str, str]:
    """Labels by their folded form, the first of each; gathered once per document."""
    seen: dict[str, str] | None = document.cache.get("seen_labels")
    if seen is None:
        seen = document.cache["seen_labels"] = {}
        for label in islice(_labels(document), _MOST_LABELS):
            if len(label) <= _LONGEST:
                seen.setdefault(fold_label(to_words(label)), label.strip())
    return seen


def _labels(document: Document) -> Iterator[str]:
    """Labels that the steps before have come upon: keys with a colon, headings, and names of nodes."""
    yield from (pair.label for pairs in document.cache.get("plain_lines", {}).values() for pair in pairs)
    yield from (cell.text for table in explicit_tables(document) for cell in table.header)
    index = document.cache.get("tree_index", {})
    yield from (entry.node.name for entries in index.values() for entry in entries[:1])
