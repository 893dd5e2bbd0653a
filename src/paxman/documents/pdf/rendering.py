"""Pictures of pages, for people and for models that see; runs in the helper process only."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

_LONGEST = 2400
_GOOD_PART = 0.2
"""Share of a page that pictures cover whose text may be in them."""


def render_pdf(data: bytes, options: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
    """PNG pictures of the pages that `pages` numbers, at `dpi` dots per inch; a broken page is left out.

    With `sizes` each is at most so wide and high, and only those count that are `scanned` or of which pictures cover a
    good part, up to `most`.
    """
    from paxman.documents.pdf.pdfium import covered_by_pictures, open_pdf

    pdf = open_pdf(data)
    numbers: list[int] = []
    pictures: list[bytes] = []
    sizes = dict(zip(options["pages"], options["sizes"], strict=True)) if "sizes" in options else {}
    for number in options["pages"]:
        try:
            page = pdf[number - 1]
            if sizes and number not in options["scanned"] and covered_by_pictures(page) < _GOOD_PART:
                continue
            dpi = options.get("dpi", 0)
            size = sizes.get(number)
            width, height = page.get_size()
            scale = min(size[0] / width, size[1] / height) if size else min(dpi / 72, _LONGEST / max(width, height, 1))
            bitmap = page.render(scale=scale, rev_byteorder=True, maybe_alpha=False)
            pictures.append(
                encode_png(bytes(bitmap.buffer), bitmap.width, bitmap.height, bitmap.stride, bitmap.n_channels)
            )
            numbers.append(number)
        except Exception:  # a page that cannot be drawn still has its text
            continue
        if len(numbers) >= options.get("most", len(options["pages"])):
            break
    return {"pages": numbers}, pictures


def encode_png(pixels: bytes, width: int, height: int, stride: int, channels: int) -> bytes:
    """A PNG of rows of red, green and blue (and one byte more with four channels), or of grey."""
    rows = [pixels[row * stride : row * stride + width * channels] for row in range(height)]
    if channels == 4:
        rows = [_without_fourth(row) for row in rows]
    header = struct.pack(">IIBBBBB", width, height, 8, 0 if channels == 1 else 2, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows), 6)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _without_fourth(row: bytes) -> bytes:
    out = bytearray(len(row) // 4 * 3)
    out[0::3], out[1::3], out[2::3] = row[0::4], row[1::4], row[2::4]
    return bytes(out)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def render_image(data: bytes, options: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
    """Every frame of a picture as PNG, turned as its camera says, for formats that browsers do not show.

    With `sizes` each is at most so wide and high.
    """
    from PIL import Image, ImageOps, ImageSequence

    pictures = []
    sizes = options.get("sizes", [])
    for number, frame in enumerate(list(ImageSequence.Iterator(Image.open(io.BytesIO(data))))[: options["most"]]):
        upright = ImageOps.exif_transpose(frame).convert("RGB")
        upright.thumbnail(tuple(sizes[number]) if number < len(sizes) else (_LONGEST, _LONGEST))
        pictures.append(encode_png(upright.tobytes(), upright.width, upright.height, upright.width * 3, 3))
    return {"pages": list(range(1, len(pictures) + 1))}, pictures
