"""Front matter: the YAML that a Markdown document may start with, as data with places."""

from __future__ import annotations

import json
import re
from typing import Literal

import yaml

from paxman.documents.document import ByteRange, Node
from paxman.documents.source_map import Offset
from paxman.transforms import run
from paxman.types import Span

_MATTER = re.compile(r"\ufeff?---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S)
_LONGEST = 100_000
_MOST_DEEP = 50
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_FLAG = re.compile(r"true|false", re.I)
Scalar = Literal["string", "number", "boolean", "null"]


def find_front_matter(source: str) -> re.Match[str] | None:
    """The front matter, whose first group is YAML that holds names with values."""
    found = _MATTER.match(source[:_LONGEST])
    return found if found and _compose(found[1]) is not None else None


def _compose(text: str) -> yaml.MappingNode | None:
    """The YAML as nodes with their places; None if it is broken, no mapping, or refers to itself."""
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, yaml.SafeLoader)):
            return None
        node = yaml.compose(text, yaml.SafeLoader)
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    return node if isinstance(node, yaml.MappingNode) else None


def front_matter_tree(text: str, source: int, offset: Offset) -> Node | None:
    """The data of front matter that starts at a place of the source and is the start of the document's text."""
    root = _compose(text)
    return _Builder(text, lambda place: offset(source + place)).node(root, "", 0) if root else None


class _Builder:
    def __init__(self, text: str, offset: Offset) -> None:
        self._text = text
        self._offset = offset

    def _locate(self, span: Span) -> ByteRange:
        return ByteRange(self._offset(span[0]), self._offset(span[1]))

    def node(self, node: yaml.Node, name: str, depth: int) -> Node:
        start = node.start_mark.index
        span = (start, start + len(self._text[start : node.end_mark.index].rstrip()))
        if isinstance(node, yaml.ScalarNode) or depth > _MOST_DEEP:
            return self._scalar(str(node.value), name, span)
        named = isinstance(node, yaml.MappingNode)
        entries = ((str(key.value), value) for key, value in node.value) if named else (("", v) for v in node.value)
        children = tuple(self.node(value, key, depth + 1) for key, value in entries)
        return Node("object" if named else "array", name, span, self._locate(span), children)

    def _scalar(self, value: str, name: str, span: Span) -> Node:
        """What is written, where a few steps lead from it to the value."""
        start, end = span
        raw = self._text[start:end]
        quoted = raw[:1] in ("'", '"') and len(raw) > 1
        readings: tuple[tuple[Span, tuple[str, ...]], ...] = (
            (span, ()),
            ((start + quoted, end - quoted), ()),
            (span, ("json",) if raw[:1] == '"' and _is_json(raw) else ()),
            (span, ("unquote:'",) if quoted else ()),
            ((start + raw.find("\n") + 1, end) if raw[:1] in ("|", ">") else span, ("fold",)),
        )
        place, steps = next(
            (reading for reading in readings if run(reading[1], self._text[slice(*reading[0])]) == value), readings[-1]
        )
        text = str(run(steps, self._text[slice(*place)]))
        return Node("scalar", name, place, self._locate(place), (), text, "string" if quoted else _kind(text), steps)


def _is_json(raw: str) -> bool:
    try:
        return isinstance(json.loads(raw), str)
    except ValueError:
        return False


def _kind(text: str) -> Scalar:
    if text in ("", "~", "null", "Null", "NULL"):
        return "null"
    if _NUMBER.fullmatch(text):
        return "number"
    return "boolean" if _FLAG.fullmatch(text) else "string"
