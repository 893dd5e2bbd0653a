"""Where the documents of a batch come from. Everything is streamed; only what a worker cannot reach is read here."""

from __future__ import annotations

import base64
import codecs
import csv
import glob
import io
import json
import os
import re
import select
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

from paxman.api.inputs import load_input
from paxman.batch.tables import UnreadableSourceError, parquet_rows, sql_rows
from paxman.contract.containment import find_inside
from paxman.contract.loading import find_file as find_contract_file
from paxman.documents.archive import iter_archive
from paxman.documents.encodings import decode
from paxman.documents.mail.mailbox import is_mailbox, iter_mails
from paxman.documents.reading import Limits
from paxman.errors import ConfigurationError
from paxman.types import Diagnostic

_MOMENT = 0.01
_LONGEST_CELL = (1 << 31) - 1
_MAILBOXES = (".mbox", ".mbx", ".mbs", "")
_HEAD = 4_096
_ROW_KEYS = ("path", "text", "base64", "document")
_ARCHIVE = Limits(max_parts=100_000_000, max_unpacked_bytes=1 << 50)
"""A batch takes one member at a time, so that only the ratio of a bomb is still a concern."""
_OWN = frozenset(
    "lock journal.sqlite spending.sqlite artifacts report.html documents.jsonl fields.jsonl documents.parquet "
    "fields.parquet results.sqlite results.duckdb".split()
)
_WRITTEN = re.compile(
    rb'\{"capability_versions":\{|id: [^\n]+\nversion: [^\n]+\n(?:[a-z_]+: [^\n]*\n)*fields:\n- name: '
    rb'|<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="generator" content="Paxman">'
)
"""How artifacts, drafted contracts and pages begin."""


class BatchItem(NamedTuple):
    """One document: a path that the worker reads, or its bytes, or the problem that kept it from being either."""

    source: str
    path: str | None = None
    data: bytes | None = None
    contract: str | None = None
    metadata: str | None = None
    problem: str | None = None
    position: int = -1
    inside: str | None = None
    """The folder that paths of the row, and tables of the contract that it names, must not leave."""

    @property
    def suffix(self) -> str:
        """What a reader may know of the name."""
        return os.path.splitext(self.path or self.source)[1].lower()


def iter_items(sources: Any, avoid: Path | None = None, allow_paths: bool = False) -> Iterator[BatchItem | None]:
    """Every document of every source, numbered; what the batch itself writes to `avoid` is left out.

    Rows name paths below their own folder only, unless `allow_paths`. None says that standard input has nothing yet,
    so that whoever asks can do something else meanwhile.
    """
    position = 0
    for item in _items(sources, avoid):
        if item is None:
            yield None
            continue
        item = item._replace(inside=None) if allow_paths else _kept_inside(item)
        metadata = _storable(item.metadata) if item.metadata else None
        yield item._replace(position=position, source=_storable(item.source), metadata=metadata)
        position += 1


def _kept_inside(item: BatchItem) -> BatchItem:
    """A row that names a path elsewhere is a document that failed; only a contract must be looked at again."""
    if item.inside is None:
        return item
    contract = find_contract_file(Path(item.contract)) if item.contract else None
    named = [Path(path) for path in (item.path, contract and contract.path) if path]
    strays = [path for path in named if find_inside(Path(item.inside), str(path.absolute())) is None]
    if strays:
        told = f"the row names {str(strays[0])!r}, which is not below the folder of the rows"
        problem = f"{told}; --allow-paths allows it"
        return item._replace(path=None, contract=None, inside=None, problem=problem)
    return item if item.contract else item._replace(inside=None)


def _storable(text: str) -> str:
    """File names and JSON may hold what no database takes for text; the path that is opened stays as it is."""
    return text.encode("utf-8", "replace").decode().replace("\0", "?")


def check_sources(sources: Any, out: Path | None = None) -> None:
    """Raise for a name that leads nowhere, before anything is begun; streams are taken as they come."""
    named = (
        [sources] if isinstance(sources, str | os.PathLike) else sources if isinstance(sources, list | tuple) else ()
    )
    for text in (os.fspath(given) for given in named if isinstance(given, str | os.PathLike)):
        if text == "-" and sys.stdin is None:
            raise ConfigurationError("there is no standard input to read from: it is closed")
        path = text.removeprefix("manifest:").partition(".parquet#")[0] + (".parquet" if ".parquet#" in text else "")
        if not (text == "-" or "://" in text or os.path.exists(path) or next(glob.iglob(text, recursive=True), None)):
            raise _missing(text)
        if out and _is_result(Path(path), out.resolve()):
            raise _written_over(path)
        if text.startswith("manifest:"):
            _check_manifest(Path(path))
    if out:
        _check_out(out)


def _check_out(out: Path) -> None:
    """Refuse files with the names of results where no batch has begun: one that was killed then left only its lock."""
    if os.path.exists(out / "journal.sqlite"):
        return
    for name in sorted(_OWN - {"lock"}):
        if os.path.exists(out / name):
            raise _written_over(str(out / name))


def _written_over(path: str) -> ConfigurationError:
    return ConfigurationError(f"the results would be written over the source {path!r}: give another folder")


def _check_manifest(path: Path) -> None:
    if not os.path.isfile(path):
        raise _missing(str(path))
    if _is_csv(path):
        deque(_csv_rows(path, _is_utf8(path)), maxlen=0)


def _items(sources: Any, avoid: Path | None) -> Iterator[BatchItem | None]:
    """One source that cannot be read has its line in the results, and the others go on."""
    alone = isinstance(sources, str | bytes | os.PathLike | Mapping)
    for number, given in enumerate([sources] if alone else sources):
        try:
            yield from _one_source(given, f"document-{number}", avoid)
        except UnreadableSourceError as error:
            yield BatchItem(_name_of(given), problem=str(error))
        except OSError as error:
            reason = error.strerror or type(error).__name__
            yield BatchItem(_name_of(given), problem=f"the source cannot be read: {reason}")


def _name_of(given: Any) -> str:
    return str(given[0]) if isinstance(given, tuple) else str(given)


def _one_source(given: Any, name: str, avoid: Path | None) -> Iterable[BatchItem | None]:
    if isinstance(given, BatchItem):
        return [given]
    if isinstance(given, str | os.PathLike):
        return _named(os.fspath(given), avoid)
    if isinstance(given, tuple) and len(given) == 2:
        return [BatchItem(str(given[0]), data=load_input(given[1]).data)]
    if isinstance(given, bytes | dict | list):
        loaded = load_input(given)
        return [BatchItem(name + os.path.splitext(loaded.name or "")[1], data=loaded.data)]
    raise TypeError(f"a source is a path, a (name, content) pair, bytes, a dict or a list, not {type(given).__name__}")


def _named(text: str, avoid: Path | None) -> Iterable[BatchItem | None]:
    """What a name on the command line stands for."""
    if text == "-":
        return _standard_input()
    if text.startswith("manifest:"):
        return _manifest(Path(text.removeprefix("manifest:")))
    if "://" in text:
        return (_from_row(row, where, Path(), rest) for where, (row, rest) in sql_rows(text))
    path = Path(text)
    if path.is_dir():
        return _folder(path, avoid)
    if path.is_file():
        return _file(path)
    if ".parquet#" in text:
        name, _, column = text.rpartition("#")
        if not Path(name).is_file():
            raise _missing(text)
        return _parquet(Path(name), column)
    return _pattern(text, avoid)


def _file(path: Path) -> Iterable[BatchItem]:
    kind = path.suffix.lower()
    if kind == ".zip":
        return _archive(path)
    if kind in (".jsonl", ".ndjson"):
        return _manifest(path)
    if kind == ".parquet":
        return _parquet(path, None)
    return _mails(path)


def _parquet(path: Path, column: str | None) -> Iterator[BatchItem]:
    for number, (row, rest) in enumerate(parquet_rows(path, column)):
        yield _from_row(row, f"{path.as_posix()}#{number}", path.parent, rest)


def _folder(folder: Path, avoid: Path | None) -> Iterator[BatchItem]:
    """The files, and the members of archives; tables and the like stay one document each here."""
    unlisted: list[OSError] = []
    for path in files_in(folder, avoid, unlisted, []):
        is_archive = path.suffix.lower() == ".zip" and os.path.isfile(path)
        yield from _archive(path) if is_archive else _mails(path)
    for error in unlisted:
        yield BatchItem(Path(error.filename).as_posix(), problem=f"the folder cannot be listed: {error.strerror}")


def files_in(
    folder: Path, avoid: Path | None, unlisted: list[OSError] | None = None, written: list[Path] | None = None
) -> Iterator[Path]:
    """Files in the order of their names, hidden ones left out; a link to nothing is a file that cannot be read.

    With a list for what Paxman has `written`, that goes there.
    """
    home = avoid.resolve() if avoid else None
    for place, folders, names in os.walk(folder, onerror=None if unlisted is None else unlisted.append):
        here = Path(place)
        mixed = here.resolve() == home
        if not mixed and written is not None and "journal.sqlite" in names:
            mixed = True
            written.append(here / "journal.sqlite")
        folders[:] = sorted(name for name in folders if not _is_left_out(name, mixed))
        for name in sorted(names):
            path = here / name
            if _is_left_out(name, mixed) or not (os.path.isfile(path) or not os.path.exists(path)):
                continue
            if written is not None and _is_written(path):
                written.append(path)
            else:
                yield path


def _is_written(path: Path) -> bool:
    """Whether Paxman wrote it, going by how it begins."""
    if path.suffix.lower() not in (".json", ".yaml", ".html"):
        return False
    try:
        with path.open("rb") as file:
            return _WRITTEN.match(file.read(_HEAD)) is not None
    except OSError:
        return False


def say_written(written: list[Path]) -> str:
    """That files were left out, and which."""
    more = f" and {len(written) - 1} more" if len(written) > 1 else ""
    return f"left out, as Paxman wrote them: {written[0].as_posix()}{more}; name a file to have it read"


def _is_left_out(name: str, mixed: bool) -> bool:
    """Whether it is hidden, or where documents and results are mixed one of the results."""
    return name.startswith(".") or (mixed and _is_own(name))


def _is_own(name: str) -> bool:
    return name in _OWN or name.startswith(("journal.sqlite-", "spending.sqlite-"))


def _pattern(text: str, avoid: Path | None) -> Iterator[BatchItem]:
    found = sorted(glob.iglob(text, recursive=True)) if glob.has_magic(text) else []
    if not found:
        raise _missing(text)
    home = avoid.resolve() if avoid else None
    for path in map(Path, found):
        if os.path.isfile(path) and not (home and _is_result(path, home)):
            yield from _file(path)
        elif not os.path.exists(path):
            yield BatchItem(path.as_posix(), str(path))


def _is_result(path: Path, home: Path) -> bool:
    """Whether the batch that writes to a folder made it, going by its name there."""
    place = path.resolve()
    return place != home and place.is_relative_to(home) and _is_own(place.relative_to(home).parts[0])


def _archive(path: Path) -> Iterator[BatchItem]:
    """The members of a ZIP; one that is refused still gets its line in the results, with the reason."""
    refused: list[Diagnostic] = []
    for name, content in iter_archive(path, _ARCHIVE, refused):
        yield from _member(f"{path.as_posix()}/{name}", content)
    for note in refused:
        member = note.context.get("file")
        yield BatchItem(f"{path.as_posix()}/{member}" if member else path.as_posix(), problem=note.message)


def _member(name: str, content: bytes) -> Iterator[BatchItem]:
    """A member of an archive, or the mails of one that is a mailbox."""
    if os.path.splitext(name)[1].lower() not in _MAILBOXES or not is_mailbox(content[:_HEAD]):
        yield BatchItem(name, data=content)
        return
    for number, mail in enumerate(iter_mails(io.BytesIO(content)), 1):
        yield BatchItem(f"{name}/{number}.eml", data=mail)


def _mails(path: Path) -> Iterable[BatchItem]:
    return _mailbox(path) if _may_be_mailbox(path) else [BatchItem(path.as_posix(), str(path))]


def _may_be_mailbox(path: Path) -> bool:
    """Whether it is named and begins like a mailbox; many programs give theirs no ending."""
    if path.suffix.lower() not in _MAILBOXES:
        return False
    try:
        with path.open("rb") as file:
            return is_mailbox(file.read(_HEAD))
    except OSError:
        return False


def _mailbox(path: Path) -> Iterator[BatchItem]:
    """The mails of a mailbox, each a document; it is read line by line, since it may be large."""
    with path.open("rb") as lines:
        for number, mail in enumerate(iter_mails(lines), 1):
            yield BatchItem(f"{path.as_posix()}/{number}.eml", data=mail)


def _manifest(path: Path) -> Iterator[BatchItem]:
    if not path.is_file():
        raise _missing(str(path))
    if _is_csv(path):
        clean = _is_utf8(path)
        for number, row in enumerate(_csv_rows(path, clean), 1):
            yield _from_cells(row, f"{path.as_posix()}:{number}", path.parent, clean)
        return
    with path.open("rb") as lines:
        yield from _lines(lines, path.as_posix(), path.parent)


def _is_csv(path: Path) -> bool:
    return path.suffix.lower() in (".csv", ".tsv")


def _csv_rows(path: Path, clean: bool) -> Iterator[dict[str | None, Any]]:
    """The rows; one stray quote would make one cell of all that follow it, so that is refused."""
    before = csv.field_size_limit(_LONGEST_CELL)
    line = 1
    try:
        with path.open(encoding="utf-8-sig", newline="") if clean else _decoded(path) as file:
            first = file.readline()
            file.seek(0)
            delimiter = "\t" if path.suffix.lower() == ".tsv" else max(",;\t", key=first.count)
            rows = csv.DictReader(file, delimiter=delimiter, strict=True)
            line += bool(rows.fieldnames)
            for row in rows:
                yield row
                line = rows.line_num + 1
    except csv.Error as error:
        raise UnreadableSourceError(
            f"the row of {path.as_posix()} at line {line} is not CSV, perhaps for a stray quote: {error}"
        ) from None
    finally:
        csv.field_size_limit(before)


def _from_cells(row: dict[str | None, Any], where: str, base: Path, clean: bool) -> BatchItem:
    filled = {key: value for key, value in row.items() if key and value not in (None, "")}
    item = _from_row(filled, where, base)
    if any(cell.strip() for cell in row.get(None) or ()):
        return item._replace(problem="the row has more cells than the manifest has columns")
    if not clean and any("\ufffd" in value for value in filled.values()):
        return item._replace(problem="the row holds bytes that are no text; save the manifest as UTF-8")
    return item


def _is_utf8(path: Path) -> bool:
    """Whether it can be streamed; looked at piece by piece, since it may be long."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with path.open("rb") as file:
            while piece := file.read(1 << 20):
                if "\0" in decoder.decode(piece):
                    return False
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _decoded(path: Path) -> IO[str]:
    return io.StringIO(decode(path.read_bytes(), limits=Limits(max_text_chars=_LONGEST_CELL)).text, newline="")


def _as_they_come(stream: IO[bytes]) -> Iterator[bytes | None]:
    """The lines of a pipe or a file, and None whenever there is nothing to read for a moment."""
    try:
        number = stream.fileno()
    except OSError:
        number = -1
    if number < 0 or os.name == "nt":
        yield from stream
        return
    rest = bytearray()
    while True:
        if not select.select([number], [], [], _MOMENT)[0]:
            yield None
            continue
        piece = os.read(number, 1 << 16)
        if not piece:
            break
        rest += piece
        if b"\n" in piece:
            *lines, last = bytes(rest).split(b"\n")
            yield from lines
            rest = bytearray(last)
    yield bytes(rest)


def _lines(lines: Iterable[bytes], name: str, base: Path) -> Iterator[BatchItem]:
    """One JSON object per line: a row as in a manifest, or else the document itself."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _line(line, number, name, base)


def _line(line: bytes, number: int, name: str, base: Path) -> BatchItem:
    where = f"{name}:{number}"
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return BatchItem(where, problem=f"line {number} is not JSON")
    is_row = isinstance(row, dict) and any(key in row for key in _ROW_KEYS)
    return _from_row(row, where, base) if is_row else BatchItem(where + ".json", data=line.strip())


def _standard_input() -> Iterator[BatchItem | None]:
    number = 0
    for line in _as_they_come(sys.stdin.buffer):
        number += line is not None
        if line is None:
            yield None
        elif line.strip():
            yield _line(line, number, "stdin", Path())


def _from_row(row: Mapping[str, Any], where: str, base: Path, rest: Mapping[str, Any] | None = None) -> BatchItem:
    """The document that a row names or holds; columns that mean nothing here are its metadata."""
    if rest is None:
        rest = {key: value for key, value in row.items() if key not in (*_ROW_KEYS, "contract", "source")}
    contract = row.get("contract")
    item = BatchItem(
        str(row.get("source") or row.get("path") or where),
        contract=str(base / str(contract)) if contract else None,
        metadata=_metadata(rest) if rest else None,
        inside=os.path.abspath(base),
    )
    if row.get("path"):
        return item._replace(path=str(base / str(row["path"])))
    try:
        return item._replace(data=_content(row))
    except (ValueError, TypeError) as error:
        return item._replace(problem=f"the row holds no document: {error}")


def _metadata(rest: Mapping[str, Any]) -> str:
    """As JSON, where numbers that it does not know are text: NaN, Infinity."""
    try:
        return json.dumps(rest, sort_keys=True, ensure_ascii=False, default=str, allow_nan=False)
    except ValueError:
        return _metadata(json.loads(json.dumps(rest, default=str), parse_constant=str))


def _content(row: Mapping[str, Any]) -> bytes:
    if "base64" in row:
        return base64.b64decode(row["base64"], validate=True)
    content = row["text"] if "text" in row else row.get("document")
    if content is None:
        raise ValueError("it needs one of path, text, base64 or document")
    return load_input(content).data


def _missing(name: str) -> UnreadableSourceError:
    return UnreadableSourceError(f"there is no source {name!r}: give a file, a folder, a pattern, a database URL or -")
