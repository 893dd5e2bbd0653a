"""Examples: documents with their right values, from tuples, examples files, folders, CSV files and frames."""

from __future__ import annotations

import csv
import datetime
import io
import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from paxman.errors import ConfigurationError
from paxman.serialization import canonical_json

_SOURCE = ("source", "file", "document", "path")


@attrs.frozen
class Example:
    """A document and its right values; a value left out says nothing, None says that the document does not state it."""

    source: Any
    data: Mapping[str, Any]

    @property
    def name(self) -> str:
        return os.path.basename(os.fspath(self.source)) if isinstance(self.source, os.PathLike) else "(given)"


def gather(given: Any) -> list[Example]:
    """All examples of what was given: a path, a frame, or a sequence of examples and paths."""
    if isinstance(given, str | os.PathLike):
        return _from_path(Path(given))
    if hasattr(given, "to_dict") and hasattr(given, "columns"):
        return [_from_row(row, Path(), "the frame") for row in given.to_dict("records")]
    if not isinstance(given, Iterable):
        raise TypeError(f"examples must be pairs (input, data), or files and folders of them, not {_kind(given)}")
    return [example for each in given for example in _from_item(each)]


def _from_item(item: Any) -> list[Example]:
    if isinstance(item, Example):
        return [item]
    if isinstance(item, str | os.PathLike):
        return _from_path(Path(item))
    if isinstance(item, tuple | list) and len(item) == 2 and isinstance(item[1], Mapping):
        return [Example(item[0], item[1])]
    if isinstance(item, Mapping) and "source" in item and "data" in item:
        return [_from_record(item, Path(), "an example")]
    raise TypeError(f"an example is a pair (input, data) or a path, not {_kind(item)}")


def _kind(value: Any) -> str:
    return type(value).__name__


def _from_path(path: Path) -> list[Example]:
    if path.is_dir():
        return _from_folder(path)
    if not path.exists():
        raise ConfigurationError(f"there are no examples at {path}")
    if path.suffix.lower() in (".csv", ".tsv"):
        text = path.read_text("utf-8-sig")
        rows = csv.DictReader(io.StringIO(text), delimiter="\t" if path.suffix.lower() == ".tsv" else ",")
        return [_from_row(row, path.parent, str(path)) for row in rows]
    return _merged(sorted(_from_lines(path), key=lambda each: each[0]))


def _merged(dated: Iterable[tuple[str, Example, Collection[str]]]) -> list[Example]:
    """One example for each document; of what was said of it at different times the last word counts, if any holds."""
    found: dict[Any, Example] = {}
    for _, each, taken_back in dated:
        known = found[each.source].data if each.source in found else {}
        data = {**{path: value for path, value in known.items() if path not in taken_back}, **each.data}
        found[each.source] = attrs.evolve(each, data=data)
    return [each for each in found.values() if each.data]


def _from_lines(path: Path) -> Iterator[tuple[str, Example, Collection[str]]]:
    """The examples of a file, when each was given, and what it takes back."""
    for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not text.strip():
            continue
        try:
            record = json.loads(text)
        except ValueError:
            raise ConfigurationError(f"{path}, line {number} is not JSON") from None
        example = _from_record(record, path.parent, f"{path}, line {number}")
        yield str(record.get("at", "")), example, record.get("taken_back", ())


def _from_record(record: Any, folder: Path, place: str) -> Example:
    if not isinstance(record, Mapping) or "source" not in record or not isinstance(record.get("data"), Mapping):
        raise ConfigurationError(f'{place}: an example is {{"source": FILE, "data": {{FIELD: VALUE}}}}')
    return Example(folder / str(record["source"]), record["data"])


def _from_folder(folder: Path) -> list[Example]:
    """Documents with `<name>.json` beside them."""
    found = []
    truths = {path.stem: path for path in sorted(folder.rglob("*.json"))}
    for path in sorted(each for each in folder.rglob("*") if each.is_file() and each.suffix != ".json"):
        truth = path.with_suffix(".json") if path.with_suffix(".json").exists() else path.with_name(path.name + ".json")
        if truth.exists():
            data = json.loads(truth.read_text("utf-8"))
            if isinstance(data, Mapping):
                found.append(Example(path, data))
    if not found:
        hint = "a document needs its right values beside it: invoice.pdf and invoice.json"
        raise ConfigurationError(f"no examples in {folder} ({len(truths)} JSON files): {hint}")
    return found


def _from_row(row: Mapping[str, Any], folder: Path, place: str) -> Example:
    """A row with the document's path in a column named source; an empty cell says nothing."""
    column = next((name for name in _SOURCE if name in row), None)
    if column is None:
        raise ConfigurationError(f"{place}: a column named {' or '.join(_SOURCE)} must say which document a row is of")
    data = {name: value for name, value in row.items() if name != column and _is_given(value)}
    return Example(folder / str(row[column]), {name: None if v == "null" else v for name, v in data.items()})


def _is_given(value: Any) -> bool:
    return value is not None and value != "" and value == value


def append_example(
    path: str | os.PathLike[str], source: str, data: Mapping[str, Any], by: str, was: Mapping[str, Any], **more: Any
) -> dict[str, Any]:
    """Add a line to an examples file, and have it on the disk before anything else happens; gives what it says."""
    target = Path(path)
    told = os.path.relpath(source, target.parent) if source and os.path.exists(source) else source
    at = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    line = {"source": told, "data": data, "by": by, "at": at, "was": was, **more}
    with open(target, "ab") as file:
        file.write(canonical_json(line) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    return line
