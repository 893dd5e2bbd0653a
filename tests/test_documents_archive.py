"""ZIP archives: their documents in order, and every trick refused."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paxman.documents.archive import iter_archive
from paxman.documents.document import ByteRange, JsonPointer, MailPart
from paxman.documents.reading import Limits, read_document
from paxman.types import Diagnostic


def pack(members: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target.getvalue()


def notes(found: list[Diagnostic]) -> list[str]:
    return [f"{note.severity.value} {note.message}" for note in found]


@settings(max_examples=30)
@given(
    st.dictionaries(
        st.text("abcXYZ09 äß-_", min_size=1, max_size=9).map(str.strip).filter(bool), st.binary(max_size=99)
    )
)
def test_files_come_back_in_order(members: dict[str, bytes]) -> None:
    assert list(iter_archive(pack(members))) == list(members.items())


def test_an_archive_may_be_a_path(tmp_path: Path) -> None:
    path = tmp_path / "batch.zip"
    path.write_bytes(pack({"a/1.txt": b"one", "__MACOSX/a/1.txt": b"clutter", "a/.DS_Store": b"clutter"}))
    assert list(iter_archive(path)) == [("a/1.txt", b"one")]


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a/../../b", "C:/windows", "..\\up"])
def test_paths_that_lead_elsewhere_are_refused(name: str) -> None:
    refused: list[Diagnostic] = []
    assert list(iter_archive(pack({name: b"x", "good.txt": b"y"}), refused=refused)) == [("good.txt", b"y")]
    assert notes(refused) == [f"WARNING the path {name!r} leads out of the archive. Do not trust this archive"]


def test_links_and_locked_files_are_refused() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        link = zipfile.ZipInfo("link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("locked", b"x")
    data = bytearray(target.getvalue())
    directory = data.rindex(b"PK\x01\x02")
    data[directory + 8 : directory + 10] = struct.pack("<H", 1)
    refused: list[Diagnostic] = []
    assert list(iter_archive(bytes(data), refused=refused)) == []
    assert notes(refused) == [
        "WARNING 'link' is a link and no file. Pack the file itself",
        "WARNING 'locked' is protected with a password. Pack it anew without one",
    ]


def test_a_bomb_is_refused_as_a_whole() -> None:
    refused: list[Diagnostic] = []
    bomb = pack({"zeros": bytes(30_000_000)})
    assert list(iter_archive(bomb, refused=refused)) == []
    assert "as a decompression bomb does" in refused[0].message
    refused.clear()
    assert list(iter_archive(bomb, Limits(max_unpacked_bytes=1_000_000), refused)) == []
    assert notes(refused) == [
        "ERROR the archive unpacks to 30000000 bytes, more than the 1000000 allowed. "
        "Split it, or allow more with Limits(max_unpacked_bytes=...)"
    ]


def test_a_size_that_lies_does_not_help() -> None:
    data = bytearray(pack({"zeros": bytes(5_000_000)}))
    for magic, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = data.index(magic) + offset
        data[place : place + 4] = struct.pack("<I", 10)
    refused: list[Diagnostic] = []
    assert list(iter_archive(bytes(data), refused=refused)) == []
    assert notes(refused) == ["WARNING 'zeros' cannot be unpacked (Bad CRC-32 for file 'zeros'). Pack it anew"]


def test_too_many_files_are_left_out() -> None:
    refused: list[Diagnostic] = []
    found = list(iter_archive(pack({f"{n}.txt": b"x" for n in range(5)}), Limits(max_parts=3), refused))
    assert [name for name, _ in found] == ["0.txt", "1.txt", "2.txt"]
    assert notes(refused) == ["WARNING 2 files of the archive were left out. Allow more with Limits(max_parts=...)"]


def test_an_archive_as_a_document_joins_its_members() -> None:
    inner = pack({"deep.txt": b"Total: 12"})
    data = pack({"a.txt": b"Name: Ann", "b.json": b'{"sum": 5}', "more.zip": inner, "../evil": b"x"})
    document = read_document(data, "batch.zip")
    assert document.kind == "archive"
    assert document.text == 'Name: Ann\n{"sum": 5}\nTotal: 12'
    places = {word: document.text.index(word) for word in ("Ann", "5", "12")}
    assert [document.locate((place, place + len(word))) for word, place in places.items()] == [
        MailPart("a.txt", ByteRange(6, 9)),
        MailPart("b.json", JsonPointer("/sum")),
        MailPart("more.zip", MailPart("deep.txt", ByteRange(7, 9))),
    ]
    assert notes(list(document.diagnostics)) == [
        "WARNING the path '../evil' leads out of the archive. Do not trust this archive",
        "WARNING 3 documents are in this archive, and a value may be that of any of them: a.txt, b.json, more.zip."
        " Save and read them one by one",
    ]


def test_archives_in_archives_end_somewhere() -> None:
    data = b"bottom"
    for level in range(8):
        data = pack({f"{level}.zip" if level else "x.txt": data})
    document = read_document(data, limits=Limits(max_nesting=3))
    assert document.text == ""
    (note,) = document.diagnostics
    assert (note.message, note.context) == (
        "7.zip: 6.zip: 5.zip: archives are nested too deep. Unpack it, or raise max_nesting",
        {"file": "7.zip/6.zip/5.zip"},
    )


def test_an_empty_or_broken_archive_says_so() -> None:
    assert notes(list(read_document(pack({})).diagnostics)) == [
        "ERROR the archive holds no readable file. Check its contents"
    ]
    (note,) = read_document(pack({"a.txt": b"words " * 50})[:60]).diagnostics
    assert note.message.startswith("this is not a ZIP archive that can be read")


@pytest.mark.parametrize(
    "inner",
    [{"n1.txt": b"one", "n2.txt": b"two"}, {"mimetype": b"application/x", "content.xml": b"<a/>"}, {}],
)
def test_a_truncated_archive_does_not_use_an_inner_directory(inner: dict[str, bytes]) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in {"first.txt": b"1", "in.zip": pack(inner), "last.txt": bytes(9000)}.items():
            archive.writestr(name, content)
    document = read_document(target.getvalue()[:-3000])
    assert (document.kind, document.text, [note.message for note in document.diagnostics]) == (
        "archive",
        "",
        [
            "this is not a ZIP archive that can be read (its directory is missing). "
            "It may be cut off or damaged: fetch it again"
        ],
    )


def test_archives_without_their_first_file_or_behind_a_program(tmp_path: Path) -> None:
    data = pack({"old.txt": b"old", "new.txt": b"new"})
    without = bytearray(data)
    start = without.index(b"PK\x01\x02")
    length = without.index(b"PK\x01\x02", start + 1) - start
    del without[start : start + length]
    struct.pack_into("<HHI", without, len(without) - 14, 1, 1, length)
    behind = tmp_path / "program.zip"
    behind.write_bytes(b"MZ" * 100 + data)
    assert (list(iter_archive(bytes(without))), list(iter_archive(behind))) == (
        [("new.txt", b"new")],
        [("old.txt", b"old"), ("new.txt", b"new")],
    )


def test_limits_hold_for_archives_in_an_archive_together() -> None:
    inner = pack({"a.txt": b"x" * 900})
    document = read_document(pack({f"{n}.zip": inner for n in range(3)}), limits=Limits(max_unpacked_bytes=2_400))
    assert document.text.count("x") == 900 * ((2_400 - 3 * len(inner)) // 900)
    assert all("more than the" in note.message for note in document.diagnostics if note.code == "UNREADABLE_INPUT")


def test_the_limit_on_text_holds_for_all_files_together() -> None:
    document = read_document(pack({f"{n}.txt": b"y" * 100 for n in range(5)}), limits=Limits(max_text_chars=250))
    assert len(document.text) == 250
    assert [note.message.partition(",")[0] for note in document.diagnostics] == [
        "2 files of the archive were left out",
        "3 documents are in this archive",
        "2.txt: only the first 48 of 100 characters were read. Raise max_text_chars or split the document",
    ]


def test_a_list_of_content_types_makes_no_office_document() -> None:
    document = read_document(pack({"[Content_Types].xml": b"<a>5</a>", "x.txt": b"hello"}))
    assert (document.kind, document.text) == ("archive", "5\nhello")
