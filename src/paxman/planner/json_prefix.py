"""Is a text the beginning of a JSON object or array? One pass, no recursion."""

from __future__ import annotations

from typing import Literal

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
