"""Damage in a PDF that its parser passes over: text that cannot be unpacked to its end."""

from __future__ import annotations

import base64
import re
import zlib

# Text is kept in streams that say no more than how long and how packed they are.
_STREAM = re.compile(rb"<<([^<>]{1,200})>>\s{0,9}stream\r?\n")
_OTHER = re.compile(rb"/(?:Type|Subtype|Length1|N|FunctionType)\b")
_PIECE = 1 << 20
_MOST = 64 * _PIECE
"""Bytes that are unpacked before the rest is taken as whole."""


def count_damaged(data: bytes) -> int:
    """How many streams of text cannot be unpacked."""
    if b"/Encrypt" in data:
        return 0
    damaged, room = 0, _MOST
    for found in _STREAM.finditer(data):
        if b"/FlateDecode" not in found[1] or b"/DCTDecode" in found[1] or _OTHER.search(found[1]):
            continue
        try:
            room -= _unpacked(data[found.end() : data.find(b"endstream", found.end())], b"/ASCII85" in found[1], room)
        except (ValueError, zlib.error):
            damaged += 1
        if room <= 0:
            break
    return damaged


def _unpacked(packed: bytes, is_text: bool, room: int) -> int:
    """How many bytes a stream holds; one that only lacks its end is whole for this purpose."""
    rest = base64.a85decode(packed.strip().removesuffix(b"~>")) if is_text else packed
    stream, size = zlib.decompressobj(), 0
    while rest and not stream.eof and size < room:
        size += len(stream.decompress(rest, _PIECE))
        rest = stream.unconsumed_tail
    return size
