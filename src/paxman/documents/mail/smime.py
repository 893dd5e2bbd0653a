"""Signed mails whose text is packed together with the signature (smime.p7m): the text, without any check of it."""

from __future__ import annotations

PACKED = ("application/pkcs7-mime", "application/x-pkcs7-mime")
_DATA = bytes.fromhex("06092a864886f70d010701")
_SIGNED = bytes.fromhex("06092a864886f70d010702")
_EXPLICIT, _STRING, _PIECES, _END = 0xA0, 0x04, 0x24, b"\0\0"


def signed_content(packed: bytes) -> bytes | None:
    """What was signed; None if that is not there, as in an encrypted mail."""
    at = packed.find(_DATA, packed.find(_SIGNED) + 1)
    if _SIGNED not in packed[:64] or at < 0:
        return None
    try:
        tag, start, _ = _head(packed, at + len(_DATA))
        kind, first, end = _head(packed, start)
        if tag != _EXPLICIT or kind not in (_STRING, _PIECES):
            return None
        return packed[first:end] if kind == _STRING else _joined(packed, first, end)
    except IndexError:
        return None


def _head(packed: bytes, at: int) -> tuple[int, int, int | None]:
    """Tag, start and end of what is packed here; the end of some is only marked behind them."""
    size = packed[at + 1]
    if size < 128:
        return packed[at], at + 2, at + 2 + size
    count = size - 128
    start = at + 2 + count
    return packed[at], start, start + int.from_bytes(packed[at + 2 : start], "big") if count else None


def _joined(packed: bytes, at: int, end: int | None) -> bytes:
    pieces: list[bytes] = []
    while (end is None or at < end) and packed[at : at + 2] != _END:
        tag, start, stop = _head(packed, at)
        if tag != _STRING or stop is None or stop <= at:
            break
        pieces.append(packed[start:stop])
        at = stop
    return b"".join(pieces)
