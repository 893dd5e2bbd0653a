"""Small PDF files written by hand, for tests."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence

HELVETICA = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
COURIER = b"<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>"
_PASSWORD_PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")


def show(text: str, x: float, y: float, size: float = 12, font: str = "F", matrix: str = "1 0 0 1") -> bytes:
    """Content that draws a text with its baseline starting at a point."""
    escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)").encode("cp1252")
    return f"BT /{font} {size} Tf {matrix} {x} {y} Tm ".encode() + b"(" + escaped + b") Tj ET\n"


def lines(rows: Sequence[str], x: float, y: float, leading: float = 14, size: float = 12) -> bytes:
    return b"".join(show(row, x, y - leading * number, size) for number, row in enumerate(rows))


def stream(content: bytes, entries: str = "", compress: bool = False) -> bytes:
    if compress:
        content, entries = zlib.compress(content, 9), entries + "/Filter/FlateDecode"
    return f"<<{entries}/Length {len(content)}>>stream\n".encode() + content + b"\nendstream"


def make_pdf(
    *contents: bytes,
    media: str = "0 0 612 792",
    page: str = "",
    catalog: str = "",
    trailer: str = "",
    extra: Sequence[bytes] = (),
    resources: str = "",
    compress: bool = False,
) -> bytes:
    """A PDF with a page for each content. Objects 1 to 4 are catalog, pages and two fonts, `extra` starts at 5."""
    first = 5 + len(extra)
    kids = " ".join(f"{first + 2 * number} 0 R" for number in range(len(contents)))
    objects = [
        f"<</Type/Catalog/Pages 2 0 R{catalog}>>".encode(),
        f"<</Type/Pages/Kids[{kids}]/Count {len(contents)}>>".encode(),
        HELVETICA,
        COURIER,
        *extra,
    ]
    fonts = f"/Resources<</Font<</F 3 0 R/C 4 0 R>>{resources}>>"
    for number, content in enumerate(contents):
        body = f"/Contents {first + 2 * number + 1} 0 R{fonts}{page}"
        objects.append(f"<</Type/Page/Parent 2 0 R/MediaBox[{media}]{body}>>".encode())
        objects.append(stream(content, compress=compress))
    return write_objects(objects, trailer)


def write_objects(objects: Sequence[bytes], trailer: str = "") -> bytes:
    """A PDF file from its objects, numbered from 1; the first is the catalog."""
    parts, offset, offsets = [b"%PDF-1.7\n"], 9, []
    for number, body in enumerate(objects, 1):
        offsets.append(offset)
        parts.append(b"%d 0 obj\n" % number + body + b"\nendobj\n")
        offset += len(parts[-1])
    table = b"".join(b"%010d 00000 n \n" % place for place in offsets)
    size = len(objects) + 1
    parts.append(b"xref\n0 %d\n0000000000 65535 f \n" % size + table)
    parts.append(f"trailer<</Size {size}/Root 1 0 R{trailer}>>\nstartxref\n{offset}\n%%EOF\n".encode())
    return b"".join(parts)


def attach(files: dict[str, bytes]) -> tuple[str, list[bytes]]:
    """Entries for the catalog, and objects from number 5 on, that embed files."""
    names, objects = [], []
    for name, content in files.items():
        number = 5 + len(objects)
        entry = f"<</Type/Filespec/F({name})/UF({name})/EF<</F {number} 0 R>>>>"
        objects += [stream(content, "/Type/EmbeddedFile", compress=True), entry.encode()]
        names.append(f"({name}) {number + 1} 0 R")
    return f"/Names<</EmbeddedFiles<</Names[{' '.join(names)}]>>>>", objects


def protect(user: bytes, owner: bytes) -> str:
    """Entries for the trailer that lock a file with a password (40 bit RC4, enough to be refused)."""

    def padded(password: bytes) -> bytes:
        return (password + _PASSWORD_PADDING)[:32]

    identity = bytes(16)
    owner_entry = _rc4(hashlib.md5(padded(owner)).digest()[:5], padded(user))
    permissions = (-4).to_bytes(4, "little", signed=True)
    key = hashlib.md5(padded(user) + owner_entry + permissions + identity).digest()[:5]
    user_entry = _rc4(key, _PASSWORD_PADDING)
    lock = f"<</Filter/Standard/V 1/R 2/O<{owner_entry.hex()}>/U<{user_entry.hex()}>/P -4>>"
    return f"/Encrypt {lock}/ID[<{identity.hex()}><{identity.hex()}>]"


def _rc4(key: bytes, data: bytes) -> bytes:
    box, swap = list(range(256)), 0
    for index in range(256):
        swap = (swap + box[index] + key[index % len(key)]) % 256
        box[index], box[swap] = box[swap], box[index]
    out, first, second = bytearray(), 0, 0
    for byte in data:
        first = (first + 1) % 256
        second = (second + box[first]) % 256
        box[first], box[second] = box[second], box[first]
        out.append(byte ^ box[(box[first] + box[second]) % 256])
    return bytes(out)


def make_coded_pdf(content: bytes, codes: dict[str, int]) -> bytes:
    """A PDF whose font H says that some letters mean other characters."""
    pairs = " ".join(f"<{ord(letter):02x}><{code:04x}>" for letter, code in codes.items())
    ranges = f"1 begincodespacerange <00><ff> endcodespacerange {len(codes)} beginbfchar {pairs} endbfchar"
    mapping = stream(f"/CIDInit /ProcSet findresource begin begincmap {ranges} endcmap".encode())
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 5 0 R>>"
    return make_pdf(content, extra=[mapping, font]).replace(b"/C 4 0 R", b"/H 6 0 R")
