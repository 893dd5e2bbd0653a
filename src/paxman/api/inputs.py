"""From what the caller hands in to bytes and a name."""

from __future__ import annotations

import datetime
import errno
import json
import os
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

from paxman.classes import frozen

InputData = str | bytes | os.PathLike[str] | dict[str, Any] | list[Any]


@frozen
class RawInput:
    """The bytes of a document; the name is a hint for the reader."""

    data: bytes
    name: str | None = None


def load_input(input_data: InputData) -> RawInput:
    """Read a path, encode text, serialize parsed JSON; bytes stay as they are."""
    if isinstance(input_data, bytes):
        return RawInput(input_data)
    if isinstance(input_data, str):
        if _SUFFIXED.fullmatch(input_data) is not None and os.path.isfile(input_data):
            raise TypeError(
                f"{input_data!r} is text, but a file of that name exists: give pathlib.Path({input_data!r}) to read it,"
                " or its bytes to take the name itself for the document"
            )
        return RawInput(encode_text(input_data))
    if isinstance(input_data, os.PathLike):
        return RawInput(_read(input_data), os.path.basename(os.fspath(input_data)))
    if isinstance(input_data, dict | list):
        return RawInput(_serialize(input_data), "input.json")
    raise TypeError(
        f"input_data must be str, bytes, a path, dict or list, not {type(input_data).__name__}; "
        "a file name is given as pathlib.Path, so that it is not taken for text"
    )


_SUFFIXED = re.compile(r"\S[^\n\0]{0,1000}\.\w{1,8}")


def name_source(path: str | os.PathLike[str]) -> str:
    """A path as it is told and stored; bytes in it that are no text become question marks."""
    return Path(path).as_posix().encode("utf-8", "replace").decode()


def _read(path: os.PathLike[str]) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except ValueError:
        raise FileNotFoundError(errno.ENOENT, "no file has such a name", repr(os.fspath(path))) from None


def encode_text(text: str) -> bytes:
    """UTF-8; a lone surrogate becomes U+FFFD."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode("utf-8")


def _to_json(value: Any) -> str:
    """Decimals and dates are what callers hold beside JSON's own types; anything else has no one text."""
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _serialize(data: Any) -> bytes:
    try:
        return encode_text(json.dumps(data, ensure_ascii=False, default=_to_json))
    except (ValueError, TypeError, RecursionError) as error:
        raise TypeError(f"input_data cannot be written as JSON: {error}") from error
