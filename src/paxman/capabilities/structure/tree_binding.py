"""Finding the nodes of a structured input that a field means: by pointer, nesting, name, label or another word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from paxman.classes import frozen
from paxman.contract.labels import fold_name, to_words
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document, JsonPointer, Node
from paxman.finding.scalars import claims_of
from paxman.finding.tables.columns import ArrayColumns
from paxman.lazy import remembered
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Lexicon
from paxman.recognizers.tables import entries, words
from paxman.types import FieldType

_LONGEST_SUFFIX = 3
_PLURALS = (("ies", "y"), ("es", ""), ("s", ""), ("en", ""), ("n", ""))


@frozen
class Entry:
    """A node with the folded names above it, itself last; `repeated` when it is one of many in an array."""

    node: Node
    names: tuple[str, ...]
    repeated: bool
    above: tuple[str, ...] = ()
    """The names of what holds it, as they are written."""


Index = dict[str, list[Entry]]


@remembered(lambda document: (document.cache,))
def tree_index(document: Document) -> Index:
    """The document's nodes by name and by joined endings of their path; built once per document."""
    is_page = document.kind == "html"
    index = index_tree(document.tree, is_part=is_page) if document.tree else {}
    if is_page:
        for word, names in entries("schema_names"):
            for entry in (entry for name in names for entry in index.get(name, ())):
                index.setdefault(_USUAL + word, []).append(entry)
    return index


_USUAL = "usual "


def index_tree(root: Node, *, is_part: bool = True) -> Index:
    """`/seller/name` is found as "name" and as "sellername"; in a part of a document a list of one is that one."""
    index, by_names = Index(), dict[tuple[str, ...], list[list[Entry]]]()
    for entry in entries_of(root, is_part):
        lists = by_names.get(entry.names)
        if lists is None:
            endings = ("".join(entry.names[-n:]) for n in range(1, min(len(entry.names), _LONGEST_SUFFIX) + 1))
            lists = by_names[entry.names] = [index.setdefault(ending, []) for ending in endings]
        for found in lists:
            found.append(entry)
    return index


def index_row(node: Node, columns: Iterable[CanonicalField]) -> Index:
    """What is in a row, and the row by its own name if it is a text, or one stands for it that is no column."""
    name = fold_name(node.name)
    if node.kind == "scalar" and not node.children:
        return {name: [Entry(node, (name,), False)]} if name else index_tree(node)
    index = index_tree(node)
    text = next(scalars_of(node), None) if node.kind == "object" and name not in index else None
    if text is not None and not any(fold_name(text.name) in column.name_keys for column in columns):
        index[name] = [Entry(node, (name,), False)]
    return index


def entries_of(root: Node, is_part: bool) -> Iterator[Entry]:
    """Every node of a tree below its root."""
    stack: list[tuple[Entry, bool]] = [(Entry(root, (), False), True)]
    while stack:
        entry, alone = stack.pop()
        if entry.names:
            yield entry
        node = entry.node
        if not node.children:
            continue
        # An array holds many things, or one that is a part of what stands around it.
        many = entry.repeated or (
            node.kind == "array"
            and (len(node.children) > 1 or (not alone and any(child.kind == "object" for child in node.children)))
        )
        # Nothing but how an answer was given stands beside the one thing that a node holds.
        alone = is_part or (
            alone
            and (
                node.kind == "array"
                or sum(fold_name(child.name) not in words("envelope") for child in node.children) < 2
            )
        )
        above = (*entry.above, node.name) if node.name else entry.above
        children = [
            (Entry(child, (*entry.names, fold_name(child.name)) if child.name else entry.names, many, above), alone)
            for child in node.children
        ]
        stack.extend(reversed(children))


def find_nodes(field: CanonicalField, index: Index, parents: Iterable[CanonicalField] = ()) -> list[Entry]:
    """The best matching nodes: equally good ones are all returned."""
    above = tuple(parents)
    ranked = sorted(ranked_nodes(field, index, above), key=lambda match: match[0])
    if field.type not in _WHOLE and any(entry.node.kind == "object" for _, entry in ranked):
        # An object is no answer while something else bears a name of the field.
        ranked = [match for match in ranked if next(scalars_of(match[1].node), None)] or ranked
    if not ranked and above:
        # The only text of the field's name in an object within the only one of its parent's: `buyer/contact/email`.
        parent = above[-1]
        keys = frozenset(field.name_keys) - _GENERIC_KEYS
        if field.type is not FieldType.STRING or not keys:
            return []
        objects = [entry for key in parent.name_keys for entry in index.get(key, ()) if entry.node.kind == "object"]
        if len(objects) != 1 or objects[0].repeated:
            return []
        inner = [child for child in objects[0].node.children if child.kind != "array"]
        found = [node for child in inner for node in child.children if node.text and fold_name(node.name) in keys]
        return [Entry(found[0], (*objects[0].names, fold_name(found[0].name)), False)] if len(found) == 1 else []
    return [entry for rank, entry in ranked if rank == ranked[0][0]]


_WHOLE = frozenset((FieldType.OBJECT, FieldType.ARRAY, FieldType.MONEY, FieldType.MAP, FieldType.UNION))
_GENERIC_KEYS = frozenset(
    ("name", "id", "code", "no", "type", "kind", "value", "title", "description", "date", "status")
)


def in_singular(field: CanonicalField) -> CanonicalField:
    """A field for a list, named as one of its elements may be: `line` of `lines`, `category` of `categories`."""
    return attrs.evolve(field, labels=tuple(name for key in field.name_keys for name in singulars(key)))


def singulars(key: str) -> list[str]:
    """What a name in the plural may be in the singular."""
    return [key.removesuffix(ending) + single for ending, single in _PLURALS if key.endswith(ending)]


def ranked_nodes(
    field: CanonicalField, index: Index, parents: tuple[CanonicalField, ...]
) -> Iterator[tuple[tuple[Any, ...], Entry]]:
    """Nesting before loose endings, names before labels, shallow before deep."""
    wanted = fold_name(field.path.replace(".", " "))
    for preference, key in enumerate(_keys(field, parents)):
        for entry in index.get(key, ()):
            exact = "".join(entry.names) == wanted
            if entry.names not in _HEAD_TITLES or exact:
                yield (not exact, entry.repeated, min(preference, 1), len(entry.names)), entry
    for key in field.name_keys if not parents else ():
        for entry in index.get(_USUAL + key, ()):
            yield (True, entry.repeated, _LAST, len(entry.names)), entry


_LAST = 2
_HEAD_TITLES = (("meta", "title"), ("opengraph", "title"))
"""They name their site as well: the heading that they hold is sought on the page."""


def _keys(field: CanonicalField, parents: tuple[CanonicalField, ...]) -> Iterator[str]:
    """A nested field is sought below its parent only: `name` alone would be anybody's name."""
    if not parents:
        yield from field.name_keys
        return
    for above in parents[-1].name_keys:
        for key in field.name_keys:
            yield above + key


def by_pointer(field: CanonicalField, document: Document) -> list[Entry]:
    """The node at a JSON pointer, when one of the field's labels is a pointer."""
    pointers = {label for label in field.labels if label.startswith("/")}
    if not pointers or document.tree is None:
        return []
    nodes = (n for n in document.tree.walk() if isinstance(n.source, JsonPointer) and n.source.pointer in pointers)
    return [Entry(node, (), False) for node in nodes]


def typed_indexes(document: Document, types: Iterable[str]) -> list[Index]:
    """An index for each node that says of itself, as JSON-LD and microdata do, that it is of one of these types."""
    by_type = _typed_nodes(document)
    return [index_tree(node) for name in types for node in by_type.get(name, ())]


@remembered(lambda document: (document.cache,))
def _typed_nodes(document: Document) -> dict[str, list[Node]]:
    found: dict[str, list[Node]] = {}
    for node in document.tree.walk() if document.tree else ():
        for name in types_of(node):
            found.setdefault(name, []).append(node)
    return found


def types_of(node: Node) -> list[str]:
    """The types that a node says it is of."""
    named = (name for child in node.children if child.name == "@type" for name in child.children or (child,))
    return [fold_name((name.text or "").rpartition("/")[2]) for name in named]


def scalars_of(node: Node) -> Iterator[Node]:
    """The scalars that stand for a node: itself, the items of an array, the name of a described thing."""
    if node.kind == "scalar":
        yield node
    elif node.kind == "array":
        for child in node.children:
            yield from scalars_of(child)
    else:
        named = [child for child in node.children if child.name in ("name", "@value", "text") and child.text]
        yield from named[:1] or _wrapped(node)


def _wrapped(node: Node) -> list[Node]:
    """The code that is all an object holds: `currency: {isoCode: EUR}`."""
    only = node.children[0] if len(node.children) == 1 else None
    text = (only.text or "") if only and fold_name(only.name) in _CODES else ""
    return [only] if only and text.isalpha() and text.isupper() and len(text) in (2, 3) else []


_CODES = frozenset(("iso", "isocode", "code", "value"))


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
