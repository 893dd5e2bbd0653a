"""What the planner knows of an input: five facts from its bytes alone."""

from __future__ import annotations

import codecs
import hashlib
import json
import threading
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any, Literal, TypeVar, get_args

import attrs

from paxman.classes import frozen
from paxman.lazy import lazy_pattern

JsonState = Literal["complete", "open", "invalid"]

_VALUE = '{["w'
_TEXT = r'"(?>(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*)'
_TOKEN = lazy_pattern(rf'[ \t\n\r]*+([{{}}\[\]:,]|{_TEXT}"|[-+.0-9A-Za-z]++)')
_CUT_TEXT = lazy_pattern(rf"[ \t\n\r]*+{_TEXT}(?:\\(?:u[0-9a-fA-F]{{0,3}})?)?")
_NUMBER = lazy_pattern(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?")
_WORDS = ("true", "false", "null", "NaN", "Infinity", "-Infinity")


def json_state(text: str) -> JsonState:
    """Whether a text is an object or array, could become one if it went on, or neither.

    Takes what `json.loads` takes, NaN and Infinity included, at any depth and with numbers of any length.
    """
    expected, owed, position = "{[", list[str](), 0
    while match := _TOKEN.match(text, position):
        token, position = match[1], match.end()
        kind = token[0] if token[0] in '{}[]:,"' else "w"
        if kind not in expected or (kind == "w" and not _is_scalar(token, cut=position == len(text))):
            return "invalid"
        expected = _follow(kind, expected, owed)
    if not text[position:].strip(" \t\n\r"):
        return "open" if expected else "complete"
    return "open" if '"' in expected and _CUT_TEXT.fullmatch(text, position) else "invalid"


def _follow(kind: str, expected: str, owed: list[str]) -> str:
    """The kinds of token that may come next; `owed` holds the brackets still to be closed."""
    if kind in "{[":
        owed.append("}" if kind == "{" else "]")
        return '"}' if kind == "{" else _VALUE + "]"
    if kind in ",:":
        return '"' if kind == "," and owed[-1] == "}" else _VALUE
    if kind == '"' and "w" not in expected:
        return ":"
    if kind in "}]":
        owed.pop()
    return "," + owed[-1] if owed else ""


def _is_scalar(word: str, cut: bool) -> bool:
    if _NUMBER.fullmatch(word) or word in _WORDS:
        return True
    return cut and bool(_NUMBER.fullmatch(word + "0") or any(known.startswith(word) for known in _WORDS))


InputType = Literal["text", "html", "csv", "json", "pdf_text", "email", "empty", "unknown"]

T = TypeVar("T")

_JSON_WINDOW = 8192
_HEAD_WINDOW = 4096
_CHUNK = 1 << 15
_THREAD_FROM = 1 << 20
_IS_BLANK = bytes(byte in b" \t\n\r" for byte in range(256))
_IS_BLANK_OR_INNER = bytes(byte in b" \t\n\r" or 0x80 <= byte < 0xC0 for byte in range(256))
_UTF8 = (
    rb"(?:[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]"
    rb"|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|\xf4[\x80-\x8f][\x80-\xbf]{2}"
    rb"|[\xf1-\xf3][\x80-\xbf]{3})*\z"
)


@frozen
class InputProfile:
    """Type, length in bytes, SHA-256, share of non-blank characters per byte, and whether there is anything at all."""

    input_type: InputType = attrs.field(validator=attrs.validators.in_(get_args(InputType)))
    size: int = attrs.field(validator=attrs.validators.ge(0))
    content_hash: str = attrs.field(validator=attrs.validators.matches_re("[0-9a-f]{64}"))
    density: float = attrs.field(validator=[attrs.validators.ge(0.0), attrs.validators.le(1.0)])
    is_empty: bool


def make_profile(input_data: str | bytes) -> InputProfile:
    """Derive the profile; the same bytes always give the same one."""
    data = to_bytes(input_data)
    hashed = _beside(hashlib.sha256, data)
    input_type = classify(data)
    is_empty = not data or data.isspace()
    density = 0.0 if is_empty else compute_density(data, input_type)
    return InputProfile(input_type, len(data), hashed().hexdigest(), density, is_empty)


def _beside(function: Callable[[bytes], T], data: bytes) -> Callable[[], T]:
    """The result to come, for large inputs in a thread: neither hashing nor re2 holds the interpreter lock."""
    results: list[T] = []

    def finish() -> T:
        return results[0] if results else function(data)

    if len(data) < _THREAD_FROM:
        return finish
    thread = threading.Thread(target=lambda: results.append(function(data)))
    try:
        thread.start()
    except RuntimeError:  # no threads here, or no more of them
        return finish

    def join() -> T:
        thread.join()
        return finish()

    return join


def to_bytes(input_data: str | bytes) -> bytes:
    """Bytes as they are, text as UTF-8 with U+FFFD for each lone surrogate."""
    if isinstance(input_data, bytes):
        return input_data
    if not isinstance(input_data, str):
        raise TypeError(
            f"an input profile is made from str or bytes, got {type(input_data).__name__}; "
            "serialize other data first, for example with json.dumps(data)"
        )
    try:
        return input_data.encode()
    except UnicodeEncodeError:  # errors="replace" would write "?"
        return input_data.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def classify(data: bytes) -> InputType:
    """The coarse format; the first rule that matches wins."""
    if not data:
        return "empty"
    body = data.removeprefix(codecs.BOM_UTF8)
    if body.startswith(b"%PDF-"):
        return "pdf_text"
    try:
        return _classify_text(body)
    except UnicodeDecodeError:
        return "unknown"


def _classify_text(body: bytes) -> InputType:
    content = body.lstrip()
    if content[:1] in (b"{", b"[") and _is_json(body):
        return "json"
    head = body[:_HEAD_WINDOW]
    _decode(body, _HEAD_WINDOW)
    if head.startswith(b"From ") and b"\nSubject:" in head:
        return "email"
    lowered = head.lower()
    if b"<html" in lowered or b"<!doctype html" in lowered:
        return "html"
    return "csv" if _is_csv(content) else "text"


def _is_json(body: bytes) -> bool:
    text = _decode(body, _JSON_WINDOW)
    if len(body) > _JSON_WINDOW:
        return json_state(text) != "invalid"
    try:
        # Numbers stay text: Python refuses integers of thousands of digits, JSON does not.
        json.loads(text, parse_int=len, parse_float=len)
    except RecursionError:
        return json_state(text) == "complete"
    except ValueError:
        return False
    return True


def _decode(body: bytes, window: int) -> str:
    """The text of the window; a character that its edge cuts counts as one character."""
    text, used = codecs.utf_8_decode(body[:window], "strict", len(body) <= window)
    return text if used == min(window, len(body)) else text + "\ufffd"


def _is_csv(content: bytes) -> bool:
    """Whether the first line has more than two commas; looks no further than the third."""
    third = -1
    for _ in range(3):
        third = content.find(b",", third + 1)
        if third < 0:
            return False
    return content.find(b"\n", 0, third) < 0 and content.find(b"\r", 0, third) < 0


def compute_density(data: bytes, input_type: InputType) -> float:
    """Characters other than space, tab, LF and CR, per byte."""
    if not data or input_type in ("empty", "unknown"):
        return 0.0
    return _count_filled(data) / len(data)


def _count_filled(data: bytes) -> int:
    """Characters that are not blank. Decoding is the slowest way to count, so large inputs are only checked."""
    if len(data) >= _THREAD_FROM and not data.isascii():
        valid = _beside(_is_utf8, data)
        filled = len(data) - _count(data, _IS_BLANK_OR_INNER)
        if valid():
            return filled
    return _count_characters(data) - _count(data, _IS_BLANK)


def _count(data: bytes, marks: bytes) -> int:
    """Adler-32 begins with the sum of the bytes: on prose this takes half the time of deleting or counting them."""
    chunks = (data[start : start + _CHUNK] for start in range(0, len(data), _CHUNK))
    return sum((zlib.adler32(chunk.translate(marks)) & 0xFFFF) - 1 for chunk in chunks)


def _is_utf8(data: bytes) -> bool:
    return _utf8_pattern().match(data) is not None


@cache
def _utf8_pattern() -> Any:
    import re2

    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    return re2.compile(_UTF8, options)


def _count_characters(data: bytes) -> int:
    """Length of the text, invalid bytes replaced; in chunks, for decoded text can take four times the bytes."""
    if data.isascii():
        return len(data)
    view, position, count = memoryview(data), 0, 0
    while position < len(data):
        chunk = view[position : position + _CHUNK]
        text, used = codecs.utf_8_decode(chunk, "replace", position + _CHUNK >= len(data))
        position, count = position + used, count + len(text)
    return count
