"""Books (EPUB): the pages that they list, in the order of reading."""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from urllib.parse import unquote

import attrs

from paxman.documents.document import Document
from paxman.documents.nesting import NestedPart, join_documents
from paxman.documents.office.writer import attribute, local_name, member, parse_xml
from paxman.documents.reading import Limits, allowance, read_document
from paxman.documents.sandbox.helper import UnreadableError, describe

_CONTAINER = "META-INF/container.xml"
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    SyntaxError,
    KeyError,
    ValueError,
    NotImplementedError,
    RuntimeError,
)
_PAGES = ("application/xhtml+xml", "text/html")


def read_book(data: bytes, limits: Limits) -> Document:
    """A document from the pages of a book; raises UnreadableError if it does not say which these are."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = [*_parts(archive, limits)]
    except _BROKEN as error:
        advice = "It may be cut off or damaged: fetch it again"
        raise UnreadableError(f"this is not a book that can be read ({describe(error)})", advice) from None
    if not parts:
        raise UnreadableError("the book lists no pages", "Check that this is the right file")
    return join_documents("epub", parts)


def _parts(archive: zipfile.ZipFile, limits: Limits) -> Iterator[NestedPart]:
    left, room = allowance(limits), limits.max_text_chars
    for name in _spine(archive, left.unpacked_bytes)[: left.parts]:
        content = member(archive, name, max(left.unpacked_bytes, 0))
        left.unpacked_bytes -= len(content)
        within = attrs.evolve(limits, max_nesting=limits.max_nesting - 1, max_text_chars=max(room, 0))
        yield NestedPart(name, document := read_document(content, "page.xhtml", limits=within))
        room -= len(document.text) + 1


def _spine(archive: zipfile.ZipFile, room: int) -> list[str]:
    """The pages, but for those that are only looked up."""
    container = parse_xml(member(archive, _CONTAINER, room))
    package = next((attribute(each, "full-path") for each in container.iter() if local_name(each) == "rootfile"), "")
    folder, root = posixpath.dirname(package), parse_xml(member(archive, package, room))
    items = [each for each in root.iter() if local_name(each) == "item" and attribute(each, "media-type") in _PAGES]
    paths = {attribute(each, "id"): posixpath.join(folder, unquote(attribute(each, "href"))) for each in items}
    listed = (each for each in root.iter() if local_name(each) == "itemref" and attribute(each, "linear") != "no")
    names = [posixpath.normpath(paths.get(attribute(each, "idref"), "")) for each in listed]
    return [name for name in names if name in archive.namelist()]
