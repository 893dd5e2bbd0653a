"""Structured data in HTML: JSON-LD, microdata, RDFa, OpenGraph and meta tags.

Values that a page does not show are written into the document's text behind what it shows, so each has a span.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress

import attrs

from paxman.documents.document import Node, NodePath
from paxman.documents.json import JsonParser, NotJsonError
from paxman.documents.markup import Elements
from paxman.documents.reading import Limits
from paxman.types import RAISED, Diagnostic, Span

Attributes = dict[str, Span]

_HOLDERS = {
    "href": ("a", "area", "link"),
    "src": ("img", "audio", "embed", "iframe", "source", "track", "video"),
    "datetime": ("time",),
    "value": ("data", "meter"),
    "data": ("object",),
}
# What authors put around JSON in a script, against the rules.
_WRAPPING = re.compile(r"(?>(?:\s++|<!--[^>{\[]*+>|<!--|//[^\n]*+\n|/\*[^*]*+\*/|<!\[CDATA\[)*)")


@attrs.define(eq=False)
class Value:
    """A property: its name, and where its value stands in the text."""

    name: str
    element: int
    source: Span | None = None
    """Place in the page's source, for a value that is yet to be written into the text."""
    span: Span = (0, 0)


@attrs.define(eq=False)
class DataItem:
    """A group of properties; `kind` names its type."""

    name: str
    element: int
    members: list[Value | DataItem] = attrs.field(factory=list)


class Collector:
    """Gathers the items of one notation while a page is walked."""

    def __init__(self, group: str, kind: str, prop: str, starts: Callable[[Attributes], bool], on_page: bool) -> None:
        self.root = DataItem(group, -1)
        self._kind, self._prop, self._starts = kind, prop, starts
        self._page = DataItem("page", -1) if on_page else None
        """Holds properties that stand in no item, where the notation lets them speak of the page."""
        self._open: list[tuple[int, DataItem]] = []
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

    def _holder(self, tag: str) -> DataItem | None:
        if self._open:
            return self._open[-1][1]
        if self._page is None or tag == "meta":
            return None
        if not self._page.members:
            self.root.members.append(self._page)
        return self._page

    def _open_item(self, element: int, names: list[str], found: Attributes, source: str) -> None:
        place = found.get(self._kind)
        kind = local_name(source[slice(*place)].split(" ")[0]) if place else ""
        holder = self._open[-1][1] if self._open else None
        item = DataItem((names[0] if names and holder else kind) or "item", element)
        (holder or self.root).members.append(item)
        if place and kind:
            first = source[slice(*place)].split(" ")[0]
            word = local_name(first)
            start = place[0] + first.rfind(word)
            item.members.append(Value("@type", element, (start, start + len(word))))
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


def values(item: DataItem) -> Iterator[Value]:
    """All values below an item that are yet to be written into the text, in order."""
    stack: list[Value | DataItem] = [item]
    while stack:
        member = stack.pop()
        if isinstance(member, DataItem):
            stack.extend(reversed(member.members))
        elif member.source is not None:
            yield member


def item_node(item: DataItem, text: str, elements: Elements, kind: str = "object") -> Node:
    """The node of an item; items are nested no deeper than the elements they stand in."""
    children = []  # a loop, since a comprehension is a second frame for each level of nesting
    for member in item.members:
        if isinstance(member, DataItem):
            children.append(item_node(member, text, elements))
        else:
            raw = text[slice(*member.span)]
            start = member.span[0] + len(raw) - len(raw.lstrip())
            quote = raw.strip()
            folded = quote if RAISED in quote else " ".join(quote.split())
            steps = () if folded == quote else ("fold",)
            span = (start, start + len(quote))
            children.append(
                Node("scalar", member.name, span, elements.path(member.element), (), folded, "string", steps)
            )
    first = min((child.span[0] for child in children), default=0)
    last = max((child.span[1] for child in children), default=0)
    is_array = kind == "array"
    return Node(
        "array" if is_array else "object", item.name, (first, last), elements.path(item.element), tuple(children)
    )


def note_head(
    name: str, element: int, value: Callable[[str], str], found: Attributes, meta: DataItem, open_graph: DataItem
) -> None:
    """Adds what a meta element or the link of a page to itself says; `value` gives the text of an attribute."""
    if name == "meta" and "content" in found:
        prop, named = value("property").lower(), value("name") or value("http-equiv")
        if prop.startswith("og:") or value("name").lower().startswith("og:"):
            open_graph.members.append(Value((prop or named)[3:], element, found["content"]))
        elif prop.startswith("article:") and not value("content").lower().startswith("http"):
            # An author may be given by the address of a page instead.
            open_graph.members.append(Value(prop[8:], element, found["content"]))
        elif prop or named:
            meta.members.append(Value(prop or named, element, found["content"]))
    elif name == "link" and value("rel").lower() == "canonical" and "href" in found:
        meta.members.append(Value("canonical", element, found["href"]))


def is_json_ld(source: str, span: Span, limits: Limits) -> bool:
    """Whether the content of a script can be read; most of them are plain JSON, which is soon seen."""
    start, end = _unwrapped(source, span)
    try:
        json.loads(source[start:end])
    except RecursionError:
        pass
    except ValueError:
        try:
            JsonParser(source, limits, _below("")).parse(start, end, "", NodePath("/"))
        except NotJsonError:
            return False
    return True


def _unwrapped(text: str, span: Span) -> Span:
    found = _WRAPPING.match(text, *span)
    return (found.end() if found else span[0]), span[1]


def json_ld_nodes(
    places: list[tuple[Span, int]], text: str, elements: Elements, limits: Limits
) -> tuple[list[Node], list[Diagnostic]]:
    """The trees of the JSON-LD blocks at these places of the text, and notes on what is missing of them."""
    nodes: list[Node] = []
    notes: list[Diagnostic] = []
    for span, element in places:
        path = elements.path(element)
        parser = JsonParser(text, limits, _below(path.path))
        with suppress(NotJsonError):
            nodes.append(parser.parse(*_unwrapped(text, span), str(len(nodes)), path)[0])
            notes += parser.finish()
    return nodes, notes


def _below(path: str) -> Callable[[str], NodePath]:
    return lambda pointer: NodePath(f"{path}#{pointer}")


def cover(nodes: list[Node]) -> Span:
    """From the start of the first to the end of the last."""
    return min((node.span[0] for node in nodes), default=0), max((node.span[1] for node in nodes), default=0)
