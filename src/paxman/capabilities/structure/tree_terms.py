"""Nodes of data that call a field by another word: a key is a name like any other, and the keys above are headings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from paxman.capabilities.structure.tree_binding import Entry, entries_of
from paxman.contract.labels import fold_name, to_words
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document, Node
from paxman.finding.scalars import claims_of
from paxman.finding.tables.columns import ArrayColumns
from paxman.lazy import remembered
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Lexicon
from paxman.types import FieldType

_NO_TEXT = frozenset((FieldType.OBJECT, FieldType.ARRAY))
_SURE = 0.9
_MOST_NODES = 5_000
_DEEPEST = 4


def find_by_meaning(
    field: CanonicalField, contract: CanonicalContract, document: Document, lexicon: Lexicon
) -> list[Entry]:
    """The only text whose key surely names a field; none that bears the name of another."""
    if field.type in _NO_TEXT:
        return []
    found = _by_field(contract, document, lexicon).get(field.path, ())
    return list(found) if len(found) == 1 else []


@remembered(lambda contract, document, lexicon: (document.cache, contract.content_hash, id(lexicon)))
def _by_field(contract: CanonicalContract, document: Document, lexicon: Lexicon) -> Mapping[str, Sequence[Entry]]:
    """The texts that each field's words name; worked out once per document and contract."""
    found: dict[str, list[Entry]] = {}
    for path, entry in _claimed(contract, document, lexicon):
        found.setdefault(path, []).append(entry)
    return found


def _claimed(contract: CanonicalContract, document: Document, lexicon: Lexicon) -> Iterator[tuple[str, Entry]]:
    claims = claims_of(contract, lexicon)
    own = {key for field in contract.fields for key in field.name_keys}
    for entry in _texts(document):
        if entry.names[-1] in own:
            continue
        name, above = to_words(entry.node.name), tuple(map(to_words, entry.above))
        fits = claims.of(name, above)
        telling = [words for words in above if fold_words(words) not in lexicon.paper_names]
        if telling:
            joined = claims.of(" ".join((*telling, name)))
            fits = {at: claim for at, claim in fits.items() if at in joined}
        most = max((claim.fit for claim in fits.values()), default=0.0)
        if most >= _SURE:
            yield from ((claims.wanted[at].field.path, entry) for at, claim in fits.items() if claim.fit == most)


def _texts(document: Document) -> Iterator[Entry]:
    """Texts near the top that stand in no list of many."""
    entries = entries_of(document.tree, document.kind == "html") if document.tree else iter(())
    for number, entry in enumerate(entries):
        if number > _MOST_NODES:
            return
        if entry.node.kind == "scalar" and not entry.repeated and len(entry.names) <= _DEEPEST and entry.node.name:
            yield entry


def find_cell_by_meaning(place: int, columns: ArrayColumns, row: Node) -> list[Entry]:
    """The only text of a row that a column's words name, and no other column bears the name of."""
    texts = [child for child in row.children if child.kind == "scalar"]
    own = {key for each in columns.fields for key in each.name_keys}
    heads = ["" if fold_name(child.name) in own else to_words(child.name) for child in texts]
    bound = columns.bind(heads)
    if place not in bound.places or place in bound.twins:
        return []
    text = texts[bound.places[place]]
    return [Entry(text, (fold_name(text.name),), False)]
