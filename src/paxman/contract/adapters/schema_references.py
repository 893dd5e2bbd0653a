"""Where `$ref` leads inside one document; nothing is ever fetched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from paxman.contract.drafts import DOCUMENT, KeyPath

_DATA = frozenset({"const", "enum", "default", "example", "examples", "x-paxman"})
_MAPS = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "schemas"})


class Unresolved(Exception):
    """A reference that leads out of the document, or nowhere."""

    def __init__(self, message: str, remote: bool) -> None:
        super().__init__(message)
        self.message = message
        self.remote = remote


class References:
    """An index of a document's schemas by address and anchor."""

    def __init__(self, document: Mapping[str, Any], ref_alone: bool = False) -> None:
        self._places: dict[int, KeyPath] = {}
        self._bases: dict[int, str] = {}
        self._resources: dict[str, Any] = {"": document}
        self._anchors: dict[tuple[str, str], Any] = {}
        for schema, base, place in _walk(document, ref_alone):
            key = id(schema)
            self._places.setdefault(key, place)
            self._bases.setdefault(key, base)
            if "$id" in schema:
                self._resources.setdefault(base, schema)
            for name in _anchors(schema):
                self._anchors.setdefault((base, name), schema)

    def resolve(self, reference: str, schema: Mapping[str, Any]) -> tuple[Any, KeyPath]:
        """The schema that a reference inside another one means, and its place."""
        base = self._bases.get(id(schema), "")
        address, fragment = urldefrag(_join(base, reference))
        if address not in self._resources:
            raise Unresolved(f"{reference!r} leads out of the document, and nothing is fetched", remote=True)
        target = self._find(address, fragment)
        if target is None:
            raise Unresolved(f"{reference!r} leads nowhere", remote=False)
        return target, self._places.get(id(target), DOCUMENT / fragment.lstrip("/"))

    def _find(self, address: str, fragment: str) -> Any | None:
        if fragment and not fragment.startswith("/"):
            return self._anchors.get((address, unquote(fragment)))
        return follow_pointer(self._resources[address], fragment)


def pointer_parts(pointer: str) -> list[str]:
    """The keys of a JSON pointer, with its `#` or without; a name is a pointer of one key."""
    parts = pointer.lstrip("#").removeprefix("/").split("/")
    return [unquote(part).replace("~1", "/").replace("~0", "~") for part in parts]


def follow_pointer(target: Any, pointer: str) -> Any | None:
    """What a JSON pointer leads to; nothing if it leads nowhere."""
    for part in pointer_parts(pointer) if pointer.lstrip("#") else ():
        target = _step(target, part)
    return target


def references_in(schema: Any) -> Iterator[str]:
    """Every reference inside of a schema."""
    if isinstance(schema, Mapping):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"]
        for value in schema.values():
            yield from references_in(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from references_in(value)


def _step(target: Any, part: str) -> Any | None:
    if isinstance(target, Mapping):
        return target.get(part)
    if isinstance(target, list) and part.isdecimal() and int(part) < len(target):
        return target[int(part)]
    return None


def _walk(document: Mapping[str, Any], ref_alone: bool) -> Iterator[tuple[Mapping[str, Any], str, KeyPath]]:
    """Every mapping that may be a schema, with its base address; literal data is left out."""
    stack: list[tuple[Any, str, KeyPath, bool]] = [(document, "", DOCUMENT, False)]
    while stack:
        node, base, place, is_map = stack.pop()
        if isinstance(node, list):
            stack += [(item, base, place / index, False) for index, item in enumerate(node)]
        elif isinstance(node, Mapping):
            if not is_map:
                base = _own_base(node, base, ref_alone)
                yield node, base, place
            stack += [
                (value, base, place / key, not is_map and key in _MAPS)
                for key, value in node.items()
                if is_map or key not in _DATA
            ]


def _own_base(schema: Mapping[str, Any], base: str, ref_alone: bool) -> str:
    """The address of the schema's resource; until draft 7 an `$id` beside a `$ref` did not count."""
    address = schema.get("$id")
    if not isinstance(address, str) or (ref_alone and "$ref" in schema):
        return base
    return urldefrag(_join(base, address))[0]


def _join(base: str, reference: str) -> str:
    if reference.startswith("#"):
        return base + reference
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference


def _anchors(schema: Mapping[str, Any]) -> list[str]:
    address = schema.get("$id")
    names = [schema.get("$anchor"), schema.get("$dynamicAnchor")]
    names.append(address[1:] if isinstance(address, str) and address.startswith("#") else None)
    return [name for name in names if isinstance(name, str) and name]
