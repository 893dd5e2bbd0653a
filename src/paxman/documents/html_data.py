"""Structured data in HTML: JSON-LD, microdata, RDFa, OpenGraph and meta tags.

Values that a page does not show are written into the document's text behind what it shows, so each has a span.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import attrs

from paxman.documents.document import Node, NodePath
from paxman.documents.json import JsonParser, NotJsonError
from paxman.documents.markup import Elements
from paxman.types import Span

Attributes = dict[str, Span]

_HOLDERS = {
    "href": ("a", "area", "link"),
    "src": ("img", "audio", "embed", "iframe", "source", "track", "video"),
    "datetime": ("time",),
    "value": ("data", "meter"),
    "data": ("object",),
}
# What authors put around JSON in a script, against the rules.
_WRAPPING = re.compile(r"(?:\s++|<!--[^>{\[]*+>|<!--|//[^\n]*+\n|/\*[^*]*+\*/|<!\[CDATA\[)*+")


@attrs.define(eq=False)
class Value:
    """A property: its name, and where its value stands in the text."""

    name: str
    element: int
    source: Span | None = None
    """Place in the page's source, for a value that is yet to be written into the text."""
    span: Span = (0, 0)


@attrs.define(eq=False)
class Item:
    """A group of properties; `kind` names its type."""

    name: str
    element: int
    members: list[Value | Item] = attrs.field(factory=list)


class Collector:
    """Gathers the items of one notation while a page is walked."""

    def __init__(self, group: str, kind: str, prop: str, starts: Callable[[Attributes], bool], on_page: bool) -> None:
        self.root = Item(group, -1)
        self._kind, self._prop, self._starts = kind, prop, starts
        self._page = Item("page", -1) if on_page else None
        """Holds properties that stand in no item, where the notation lets them speak of the page."""
        self._open: list[tuple[int, Item]] = []
        self._texts: list[tuple[int, Value]] = []

    def open(self, element: int, tag: str, found: Attributes, source: str, position: int) -> None:
        """An element with attributes starts; `position` is the length of the text so far."""
        names = _words(source, found.get(self._prop))
        if self._starts(found):
            self._open_item(element, names, found, source)
        elif names and (holder := self._holder(tag)):
            place = _value_place(tag, found)
            for name in names:
                value = Value(name, element, place, (position, position))
                holder.members.append(value)
                if place is None:
                    self._texts.append((element, value))

    def _holder(self, tag: str) -> Item | None:
        if self._open:
            return self._open[-1][1]
        if self._page and tag != "meta" and not self._page.members:
            self.root.members.append(self._page)
        return self._page if tag != "meta" else None

    def _open_item(self, element: int, names: list[str], found: Attributes, source: str) -> None:
        place = found.get(self._kind)
        kind = local_name(source[slice(*place)].split(" ")[0]) if place else ""
        holder = self._open[-1][1] if self._open else None
        item = Item((names[0] if names and holder else kind) or "item", element)
        (holder or self.root).members.append(item)
        if place and kind:
            item.members.append(Value("@type", element, _last_word(source, place)))
        self._open.append((element, item))

    def close(self, element: int, position: int, inner: Span, source: str) -> None:
        """An element ends; `inner` is its content in the source."""
        while self._texts and self._texts[-1][0] == element:
            value = self._texts.pop()[1]
            value.span = (value.span[0], position)
            if value.span[0] == position and source.find("<", *inner) < 0:
                value.source = inner
        if self._open and self._open[-1][0] == element:
            self._open.pop()


def local_name(name: str) -> str:
    """The last part of a type's address: Recipe for http://schema.org/Recipe."""
    return re.split(r"[/#:]", name.rstrip("/#:"))[-1]


def _last_word(source: str, place: Span) -> Span:
    first = source[slice(*place)].split(" ")[0]
    word = local_name(first)
    start = place[0] + first.rfind(word)
    return start, start + len(word)


def _words(source: str, place: Span | None) -> list[str]:
    return [local_name(word) for word in source[slice(*place)].split()] if place else []


def microdata() -> Collector:
    return Collector("microdata", "itemtype", "itemprop", lambda found: "itemscope" in found, on_page=False)


def rdfa() -> Collector:
    def starts(found: Attributes) -> bool:
        return "typeof" in found or ("property" not in found and ("resource" in found or "about" in found))

    return Collector("rdfa", "typeof", "property", starts, on_page=True)


def _value_place(tag: str, found: Attributes) -> Span | None:
    """The attribute that holds the value; None when it is the element's text."""
    if "content" in found:
        return found["content"]
    for name, tags in _HOLDERS.items():
        if name in found and tag in tags:
            return found[name]
    return found.get("resource")


def values(item: Item) -> Iterator[Value]:
    """All values below an item that are yet to be written into the text, in order."""
    stack: list[Value | Item] = [item]
    while stack:
        member = stack.pop()
        if isinstance(member, Item):
            stack.extend(reversed(member.members))
        elif member.source is not None:
            yield member


def item_node(item: Item, text: str, elements: Elements, kind: str = "object") -> Node:
    """The node of an item; items are nested no deeper than the elements they stand in."""
    children = tuple(
        item_node(member, text, elements) if isinstance(member, Item) else _value_node(member, text, elements)
        for member in item.members
    )
    first = min((child.span[0] for child in children), default=0)
    last = max((child.span[1] for child in children), default=0)
    is_array = kind == "array"
    return Node("array" if is_array else "object", item.name, (first, last), elements.path(item.element), children)


def _value_node(value: Value, text: str, elements: Elements) -> Node:
    raw = text[slice(*value.span)]
    start = value.span[0] + len(raw) - len(raw.lstrip())
    quote = raw.strip()
    folded = " ".join(quote.split())
    steps = () if folded == quote else ("fold",)
    span = (start, start + len(quote))
    return Node("scalar", value.name, span, elements.path(value.element), (), folded, "string", steps)


def json_ld_nodes(
    places: list[tuple[Span, int]], text: str, elements: Elements, max_depth: int
) -> tuple[list[Node], int]:
    """The trees of the JSON-LD blocks at these places of the text, and how many are broken."""
    nodes: list[Node] = []
    broken = 0
    for (start, end), element in places:
        path = elements.path(element).path
        parser = JsonParser(text, max_depth, _below(path))
        try:
            start = max(start, _WRAPPING.match(text, start, end).end())  # type: ignore[union-attr]
            nodes.append(parser.parse(start, end, str(len(nodes)), "")[0])
        except NotJsonError:
            broken += 1
    return nodes, broken


def _below(path: str) -> Callable[[str], NodePath]:
    return lambda pointer: NodePath(f"{path}#{pointer}" if pointer else path)
