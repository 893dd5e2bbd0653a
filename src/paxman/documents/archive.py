"""ZIP archives: the documents in them, within limits, and never a path that leads elsewhere."""

from __future__ import annotations

import io
import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath

import attrs

from paxman.documents.document import Document
from paxman.documents.nesting import NestedPart, join_rivals, name_file
from paxman.documents.reading import Limits, allowance, built_in, read_document, several, unreadable
from paxman.documents.sandbox.helper import NO_BOMB, UnreadableError
from paxman.documents.sandbox.pool import diagnostic, unreadable_document
from paxman.types import Diagnostic, Severity

_ENCRYPTED = 1
_CHUNK = 1 << 20
_MEMBER, _END = b"PK\x03\x04", b"PK\x05\x06"
_LONGEST_END = 22 + 0xFFFF
_START = slice(16, 20)
"""Where the record at the end says where the directory starts."""
_SAID_ELSEWHERE = 0xFFFF_FFFF
"""In its place if the archive is too large for it."""
_OFFICE_PARTS = ("word/", "xl/", "ppt/", "visio/")
_CLUTTER = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")


class ArchiveReader:
    name = "archive"
    version = "1.0"

    def sniff(self, head: bytes, name: str | None) -> int:
        return 80 if head.startswith((_MEMBER, _END)) else 0

    def read(self, data: bytes, name: str | None, limits: Limits) -> Document:
        left = allowance(limits)
        within = attrs.evolve(limits, max_unpacked_bytes=max(left.unpacked_bytes, 0), max_parts=left.parts)
        try:
            members = checked_members(data, within)
        except UnreadableError as error:
            return unreadable_document("archive", error)
        if is_office({member.filename for member in members}):
            return built_in("office").read(data, name, limits)
        if limits.max_nesting <= 0:
            deep = UnreadableError("archives are nested too deep", "Unpack it, or raise max_nesting")
            return unreadable_document("archive", deep)
        left.unpacked_bytes -= sum(member.file_size for member in members)
        left.parts -= min(len(members), left.parts)
        notes: list[Diagnostic] = []
        # The documents in an archive, until their text together is as long as allowed.
        parts: list[NestedPart] = []
        room, left_out = within.max_text_chars, 0
        for path, content in iter_archive(data, within, notes):
            if room <= 0:
                left_out += 1
                continue
            inner = attrs.evolve(within, max_nesting=within.max_nesting - 1, max_text_chars=room)
            parts.append(NestedPart(path, name_file(read_document(content, path, limits=inner), path)))
            room -= len(parts[-1].document.text) + 1
        if left_out:
            reason = f"{left_out} files of the archive were left out, because the limit on text is reached"
            notes.append(unreadable(reason, "Allow more with Limits(max_text_chars=...)", Severity.WARNING))
        if parts:
            rivals = [part for part in parts if part.document.text.strip()]
            named = several("documents are in this archive", [str(part.name) for part in rivals])
            return join_rivals("archive", parts, rivals, (*notes, *named))
        empty = unreadable_document(
            "archive", UnreadableError("the archive holds no readable file", "Check its contents")
        )
        empty.diagnostics += tuple(notes)
        return empty


def is_office(names: set[str]) -> bool:
    """Whether these are the members of an office document, which is a ZIP archive as well."""
    packed = "[Content_Types].xml" in names and any(name.startswith(_OFFICE_PARTS) for name in names)
    return packed or {"mimetype", "content.xml"} <= names


def iter_archive(
    source: bytes | str | os.PathLike[str], limits: Limits | None = None, refused: list[Diagnostic] | None = None
) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the files in a ZIP archive, in its order.

    Members that are refused are left out, with the reason appended to `refused`. An archive that cannot be opened or is
    too large as a whole yields nothing.
    """
    limits = limits or Limits()
    notes = refused if refused is not None else []
    try:
        members = checked_members(source, limits)
    except UnreadableError as error:
        notes.append(diagnostic(error))
        return
    room = limits.max_unpacked_bytes
    with _open(source) as archive:
        for member in members[: limits.max_parts]:
            try:
                content = _read_member(archive, member, room)
            except UnreadableError as error:
                notes.append(diagnostic(error, Severity.WARNING))
                continue
            room -= len(content)
            yield member.filename, content
    if len(members) > limits.max_parts:
        reason = f"{len(members) - limits.max_parts} files of the archive were left out"
        notes.append(unreadable(reason, "Allow more with Limits(max_parts=...)", Severity.WARNING))


def _open(source: bytes | str | os.PathLike[str]) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source)


def checked_members(source: bytes | str | os.PathLike[str], limits: Limits) -> list[zipfile.ZipInfo]:
    """The files in an archive; raises UnreadableError for a broken one, or one that unpacks to too much."""
    try:
        with _open(source) as archive:
            if _is_of_member(archive):
                raise zipfile.BadZipFile("its directory is missing")
            members = [
                member for member in archive.infolist() if not member.filename.endswith("/") and not _is_clutter(member)
            ]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        reason = f"this is not a ZIP archive that can be read ({error})"
        raise UnreadableError(reason, "It may be cut off or damaged: fetch it again") from None
    unpacked = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    if unpacked > limits.max_unpacked_bytes:
        reason = f"the archive unpacks to {unpacked} bytes, more than the {limits.max_unpacked_bytes} allowed"
        raise UnreadableError(reason, "Split it, or allow more with Limits(max_unpacked_bytes=...)")
    if unpacked > NO_BOMB and unpacked > limits.max_compression_ratio * max(packed, 1):
        reason = f"the archive unpacks {packed} bytes to {unpacked}, as a decompression bomb does"
        raise UnreadableError(reason, "If you trust it, allow more with Limits(max_compression_ratio=...)")
    return members


def _is_of_member(archive: zipfile.ZipFile) -> bool:
    """Whether the directory that was found is not where it says: that of an archive in this one, which is cut off."""
    file = archive.fp
    if not file or file.seek(0) or file.read(4) != _MEMBER:
        return False
    file.seek(max(file.seek(0, os.SEEK_END) - _LONGEST_END, 0))
    tail = file.read()
    start = int.from_bytes(tail[tail.rfind(_END) :][_START], "little")
    return start not in (archive.start_dir, _SAID_ELSEWHERE)


def _is_clutter(member: zipfile.ZipInfo) -> bool:
    parts = PurePosixPath(member.filename).parts
    return bool(parts) and (parts[0] in _CLUTTER or parts[-1] in _CLUTTER)


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, room: int) -> bytes:
    """A member's content; raises UnreadableError for one that is refused."""
    name = member.filename
    path = name.replace("\\", "/")
    if path.startswith("/") or ".." in path.split("/") or path[1:2] == ":" or "\0" in path:
        raise UnreadableError(f"the path {name!r} leads out of the archive", "Do not trust this archive", file=name)
    if stat.S_ISLNK(member.external_attr >> 16):
        raise UnreadableError(f"{name!r} is a link and no file", "Pack the file itself", file=name)
    if member.flag_bits & _ENCRYPTED:
        raise UnreadableError(f"{name!r} is protected with a password", "Pack it anew without one", file=name)
    try:
        # The content in pieces, so that a member that is larger than it says is caught in time.
        pieces: list[bytes] = []
        with archive.open(member) as stream:
            while piece := stream.read(_CHUNK):
                pieces.append(piece)
                room -= len(piece)
                if room < 0:
                    advice = "Split the archive, or allow more with Limits(max_unpacked_bytes=...)"
                    raise UnreadableError(
                        f"{member.filename!r} unpacks to more than allowed", advice, file=member.filename
                    )
        return b"".join(pieces)
    except (zipfile.BadZipFile, OSError, ValueError, EOFError, NotImplementedError, RuntimeError, zlib.error) as error:
        raise UnreadableError(f"{name!r} cannot be unpacked ({error})", "Pack it anew", file=name) from None
