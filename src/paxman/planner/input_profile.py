"""What the planner knows of an input: five facts from its bytes alone."""

from __future__ import annotations

import codecs
import hashlib
import json
from typing import Literal, get_args

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

_JSON_WINDOW = 8192
_HEAD_WINDOW = 4096
_CHUNK = 1 << 15


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
    input_type = classify(data)
    is_empty = not data or data.isspace()
    density = 0.0 if is_empty else compute_density(data, input_type)
    return InputProfile(input_type, len(data), hashlib.sha256(data).hexdigest(), density, is_empty)


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
    """Characters that are not blank, invalid bytes replaced; in chunks, for text may take four times the bytes."""
    view, position, count = memoryview(data), 0, 0
    while position < len(data):
        chunk = bytes(view[position : position + _CHUNK])
        used = len(chunk)
        if not chunk.isascii():
            text, used = codecs.utf_8_decode(chunk, "replace", position + _CHUNK >= len(data))
            count += len(text) - used
        count += len(chunk[:used].translate(None, b" \t\n\r"))
        position += used
    return count
