"""Patterns on values, run by RE2 so that no pattern and no text can make them slow.

RE2's time is at worst the length of the text times the size of the program, and counted repetitions make that large:
programs beyond a limit are refused, and large ones are run over the head of a long text only.

`\\w`, `\\d` and `\\b` are ASCII, as in JSON Schema; `\\p{L}` takes letters of every script.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, MutableMapping
from functools import cached_property, lru_cache
from typing import Any

import attrs

from paxman.lazy import lazy_pattern
from paxman.types import FINE_BLANKS, Span

LONGEST_PATTERN = 1000
_MEMORY = 4 << 20
_WINDOW = 8_192
_LONGEST_VALUE = 2_048
_MOST_HITS = 50_000
_HITS_BEFORE_WINDOWS = 16
_LARGE = 320
_LARGEST = 10_000
_MOST_WORK = 100_000_000
"""Steps of a program times characters of a text; the worst that was measured takes 10 ns for each."""

_ESCAPE = (
    r"\\(?:u\{[0-9A-Fa-f]{1,6}\}|u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}"
    r"|x[0-9A-Fa-f]{2}|c[A-Za-z]|[pP]\{[^}]*\}|.)"
)
_ESCAPED = lazy_pattern(_ESCAPE, re.DOTALL)
_TOKEN = lazy_pattern(
    _ESCAPE + r"|\[\^?\]?(?:\\.|[^\]\\])*\]"
    r"|\(\?(?:<?[=!]|P?<[^>]*>|P[=>]|[A-Za-z-]*[:)])"
    r"|.",
    re.DOTALL,
)
_WIDE = lazy_pattern(r"\\(?:x|[pP])\{[^}]*\}|\\[pP].|[^\x00-\x7f]")
_FINE_BLANK = lazy_pattern(rf"[{FINE_BLANKS}]|\\x(?:[aA]0|\{{(?:a0|200[0-9a]|202f|205f)\}})")
_LAZY = lazy_pattern(r"[*+?}]\?")
_REPETITION = lazy_pattern(r"\{\d*,?\d*\}")
_LITERAL = lazy_pattern(r"\\[^\w\s]|[^\s\\.^$|()\[\]*+?]")
_DIGITS = lazy_pattern(r"\\d|\[(?:0-9|\\d)\]")
_LETTERS = lazy_pattern(r"\[[A-Za-z-]+\]")
_ANCHORS = frozenset({"^", "$", r"\A", r"\z", r"\Z"})
_QUANTIFIERS = frozenset("*+?{")
_REFUSED = {
    "(?=": "lookahead",
    "(?!": "lookahead",
    "(?<=": "lookbehind",
    "(?<!": "lookbehind",
    "(?P=": "backreference",
    "(?P>": "recursion",
    r"\k": "backreference",
    r"\C": "the single byte",
    r"\Q": "quoting",
    **{f"\\{digit}": "backreference" for digit in range(1, 10)},
}
_PROPERTIES = {
    "Letter": "L",
    "Lowercase_Letter": "Ll",
    "Uppercase_Letter": "Lu",
    "Mark": "M",
    "Number": "N",
    "Decimal_Number": "Nd",
    "Punctuation": "P",
    "Symbol": "S",
    "Currency_Symbol": "Sc",
    "Separator": "Z",
}

# Thai, Japanese, Chinese and Korean put no space between a code and the word that follows it.
_UNSPACED = (
    ("\u0e00", "\u0e7f"),
    ("\u3040", "\u30ff"),
    ("\u3400", "\u9fff"),
    ("\uac00", "\ud7af"),
    ("\uf900", "\ufaff"),
)
_SIGNS = frozenset("-+")
_MINUS = frozenset("-−")
_DIGIT_JOINTS = frozenset(".,:/'’–")
_WORD_JOINTS = frozenset("-@&")


@attrs.frozen(eq=False, slots=False)
class Pattern:
    """A checked pattern: `whole` tests values, the finders look for values inside a text."""

    regex: str
    whole: Any
    tokens: tuple[str, ...]

    @cached_property
    def value_alone(self) -> Any | None:
        """What the group named `value` takes, without its surroundings."""
        if "value" not in self.whole.groupindex:
            return None
        start = self.tokens.index("(?P<value>") + 1
        depth, end = 1, start
        while depth:
            depth += _depth(self.tokens[end])
            end += 1
        flags = self.tokens[0] if self.tokens[0].startswith("(?") and self.tokens[0].endswith(")") else ""
        return _engine(rf"\A(?:{flags}{''.join(self.tokens[start : end - 1])})\z")

    @cached_property
    def finder(self) -> _Finder:
        return _finder(self._core, self._longest, hit=0)

    @cached_property
    def strict_finder(self) -> _Finder:
        """Slower than `finder`, but finds the values whose first choice of characters was part of a longer word."""
        return _finder(rf"(?:\A|\W)({self._core})(?:\z|\W)", self._longest, hit=1)

    @cached_property
    def is_telling(self) -> bool:
        """Whether few words of a page satisfy it: a sign of it is given, or letters and digits follow each other."""
        tokens = _TOKEN.findall(_REPETITION.sub("", self.regex))
        if any(map(_LITERAL.fullmatch, tokens)):
            return True
        return any(map(_DIGITS.fullmatch, tokens)) and any(map(_LETTERS.fullmatch, tokens))

    @cached_property
    def takes_nothing(self) -> bool:
        """Whether it is satisfied by the empty text, which stands between all characters."""
        return self.finder.engine.fullmatch(b"") is not None

    @cached_property
    def size(self) -> int:
        """Steps of the program, where each character of a text takes one."""
        return int(_engine(_WIDE.sub(r"\\xff", "".join(self.tokens)).encode()).programsize)

    @property
    def reach(self) -> int:
        """How much of a text is looked at."""
        return sys.maxsize if self.size <= _LARGE else _MOST_WORK // self.size

    @property
    def _core(self) -> str:
        return "".join(_without_anchors(self.tokens))

    @property
    def _longest(self) -> bool:
        return _LAZY.search(self.regex) is None and "(?P<value>" not in self.tokens

    def matches(self, value: str) -> bool:
        """Whether a value satisfies the pattern; one that is too long to be looked at whole does not."""
        data = _encode(value)
        if len(data) > self.reach:
            return False
        alone = self.value_alone
        return self.whole.search(data) is not None or (alone is not None and alone.search(data) is not None)


@attrs.frozen(eq=False)
class _Finder:
    """An engine, the group that holds the hit, and the group that holds its value."""

    engine: Any
    hit: int
    value: int


def compile_pattern(regex: str) -> Pattern:
    """The compiled pattern; ValueError says what is wrong with it or what RE2 cannot do."""
    if len(regex) > LONGEST_PATTERN:
        raise ValueError(f"the pattern has {len(regex)} characters, at most {LONGEST_PATTERN} are allowed")
    return _compile(regex)


def matches(regex: str, value: str) -> bool:
    """Whether the pattern is found in the value, or its `value` group takes the whole of it."""
    if looks_around(regex):
        return compile_lookaround(regex).matches(value)
    if _SPACES.search(regex) and not _PLAIN.fullmatch(value):
        # RE2 knows the spaces of ASCII only; JSON Schema means all of them.
        value = _BLANKS.sub(" ", value)
    return compile_pattern(regex).matches(value)


_SPACES = lazy_pattern(r"\\[sS]")
_PLAIN = lazy_pattern(r"[\x00-\x0a\x0c-\x7f]*")
_BLANKS = lazy_pattern("[\x0b\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]")


@lru_cache(maxsize=512)
def looks_around(regex: str) -> bool:
    """Whether a pattern uses what RE2 cannot do and another engine can: it is checked, and not searched for."""
    return any(_REFUSED.get(token) in ("lookahead", "lookbehind", "backreference") for token in _TOKEN.findall(regex))


@attrs.frozen(eq=False)
class Lookaround:
    """A pattern that no automaton can run: it is given a short time for a value of bounded length."""

    engine: Any

    def matches(self, value: str) -> bool:
        """Whether the pattern is found; one that takes too long is not."""
        if len(value) > _LONGEST_VALUE:
            return False
        try:
            return self.engine.search(value, timeout=_SECONDS) is not None
        except TimeoutError:
            return False


_SECONDS = 0.25


@lru_cache(maxsize=512)
def compile_lookaround(regex: str) -> Lookaround:
    """The compiled pattern; ValueError says what is wrong with it."""
    import regex as engine

    if len(regex) > LONGEST_PATTERN:
        raise ValueError(f"the pattern has {len(regex)} characters, at most {LONGEST_PATTERN} are allowed")
    try:
        return Lookaround(engine.compile(regex, engine.ASCII))
    except engine.error as error:
        raise ValueError(f"{error}") from None


def find_spans(regex: str, text: str, limit: int = 100, cache: MutableMapping[Any, Any] | None = None) -> list[Span]:
    """Places in a text where a value stands that satisfies the pattern.

    Anchors mean the ends of the value. A hit inside a longer word or number is none. `cache` belongs to the text.
    A pattern that looks around is not searched for.
    """
    if looks_around(regex):
        return []
    pattern, data = compile_pattern(regex), _cached_bytes(text, cache)
    return _Search(pattern, text, data, min(len(data), pattern.reach)).spans(limit)


def reach_of(regex: str) -> int:
    """How many bytes of a text `find_spans` looks at."""
    return compile_pattern(regex).reach


@attrs.define(eq=False)
class _Search:
    """One walk over a text. After some hits it goes on in windows: a pattern may look at all the text for each hit."""

    pattern: Pattern
    text: str
    data: bytes
    size: int
    """How many of the bytes are looked at."""
    position: int = 0
    hits: int = 0
    base: Span = (0, 0)
    """Bytes and characters before the latest hit."""

    def spans(self, limit: int) -> list[Span]:
        found: list[Span] = []
        finder = self.pattern.strict_finder if self.pattern.takes_nothing else self.pattern.finder
        while len(found) < limit and self.hits < _MOST_HITS:
            match = self._next(finder)
            if match is None:
                break
            start, end = self._characters(*match.span(finder.hit))
            if self._stands_alone(start, end):
                found.append(self._value(match, finder.value, start, end))
            elif finder is not self.pattern.strict_finder:
                finder = self.pattern.strict_finder
                self.position = self._before(match.start())
        return found

    def _next(self, finder: _Finder) -> Any | None:
        """The next hit, and the position moved behind it."""
        size, whole = self.size, len(self.data)
        in_windows = self.hits >= (_HITS_BEFORE_WINDOWS if self.pattern.size <= _LARGE else 1)
        while self.position <= size:
            end = min(size, self.position + _WINDOW) if in_windows else size
            match = finder.engine.search(self.data, self.position, end)
            if match is None and end == size:
                return None
            edge = end - _LONGEST_VALUE
            first, last = match.span(finder.hit) if match else (edge, edge)
            if end < size and first >= edge:
                # Too near to the window's end to be complete: look again with the text that follows.
                self.position = max(self._before(first), self.position + 1)
                continue
            self.position = max(last, self.position + 1)
            self.hits += 1
            if last < end or end == whole:
                return match
        return None

    def _before(self, position: int) -> int:
        """Where the character before a position starts."""
        position -= 1
        while position > 0 and self.data[position] & 0xC0 == 0x80:
            position -= 1
        return max(position, 0)

    def _characters(self, start: int, end: int) -> Span:
        if len(self.data) == len(self.text):
            return start, end
        byte, character = self.base
        character += _count(self.data[byte:start])
        self.base = start, character
        return character, character + _count(self.data[start:end])

    def _stands_alone(self, start: int, end: int) -> bool:
        text = self.text
        return (
            0 < end - start <= _LONGEST_VALUE
            and not _joins_left(*text[max(start - 2, 0) : start + 1].rjust(3))
            and not _joins_right(*text[end - 1 : end + 2].ljust(3))
            and self.pattern.whole.search(_encode(text[start:end])) is not None
        )

    def _value(self, match: Any, group: int, start: int, end: int) -> Span:
        first, last = match.span(group) if group else (-1, -1)
        if first < last:
            return self._characters(first, last)
        hit = self.text[start:end]
        trimmed = hit.strip()
        if len(trimmed) == len(hit) or not (trimmed and self.pattern.matches(trimmed)):
            return start, end
        first = start + hit.index(trimmed)
        return first, first + len(trimmed)


def _joins_left(second: str, first: str, start: str) -> bool:
    """Whether a hit that starts with `start` goes on to the left, where these two characters stand."""
    if _is_word(first):
        return _is_word(start) or start in _SIGNS
    return (first in _MINUS and start.isdecimal()) or _is_joint(second, first, start)


def _joins_right(end: str, first: str, second: str) -> bool:
    return (_is_word(end) and _is_word(first)) or _is_joint(end, first, second)


def _is_joint(left: str, joint: str, right: str) -> bool:
    """Whether the middle character makes one number, code, address or host name of its neighbours."""
    if joint in _DIGIT_JOINTS and left.isdecimal() and right.isdecimal():
        return True
    if joint in _WORD_JOINTS:
        return _is_word(left) and _is_word(right)
    return joint == "." and "a" <= right <= "z" and _is_word(left)


def _is_word(character: str) -> bool:
    if character.isascii():
        return character.isalnum() or character == "_"
    if "\u0300" <= character <= "\u036f":
        return True
    return character.isalnum() and not any(low <= character <= high for low, high in _UNSPACED)


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _count(data: bytes) -> int:
    return len(data.decode("utf-8", "surrogatepass"))


def _cached_bytes(text: str, cache: MutableMapping[Any, Any] | None) -> bytes:
    if cache is None:
        return _encode(text)
    known = cache.get("utf-8")
    if known is None or known[0] is not text:
        known = cache["utf-8"] = (text, _encode(text))
    data: bytes = known[1]
    return data


@lru_cache(maxsize=512)
def _compile(regex: str) -> Pattern:
    tokens = tuple(map(_with_plain_blank, _translated(_TOKEN.findall(regex))))
    pattern = Pattern(regex, _engine("".join(tokens)), tokens)
    if pattern.size > _LARGEST:
        raise ValueError("the counted repetitions are too large, such as {0,1000} many times")
    pattern.strict_finder  # noqa: B018 - built now, so that one that cannot be searched for is refused at once
    return pattern


def _finder(regex: str, longest: bool, hit: int) -> _Finder:
    engine = _engine(regex, longest, 2 * _MEMORY)
    return _Finder(engine, hit, engine.groupindex.get("value", 0))


def _engine(regex: str | bytes, longest: bool = False, memory: int = _MEMORY) -> Any:
    """A pattern of bytes takes each byte of a text for a character."""
    import re2

    options = re2.Options()
    if isinstance(regex, bytes):
        options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    options.max_mem = memory
    options.longest_match = longest
    try:
        return re2.compile(regex, options)
    except re2.error as error:
        raise ValueError(_reason(error)) from None
    except UnicodeEncodeError:
        raise ValueError("the pattern holds half of a surrogate pair") from None


def _reason(error: Exception) -> str:
    reason = error.args[0]
    reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
    if "repetition size" in reason:
        return f"{reason}; at most 1000 repetitions are allowed, nested ones multiplied"
    return str(reason)


def _translated(tokens: list[str]) -> Iterator[str]:
    """The spelling that RE2 knows for what other dialects write differently."""
    for token in tokens:
        if token in _REFUSED:
            raise ValueError(f"{_REFUSED[token]} {token} is not supported: patterns must run in linear time")
        if token.startswith("["):
            yield _ESCAPED.sub(lambda match: _escape(match[0]), token)
        elif token.startswith("(?<"):
            yield "(?P<" + token[3:]
        else:
            yield _escape(token)


def _with_plain_blank(token: str) -> str:
    """Pages are read with plain spaces for no-break and thin ones: what takes one of these takes a plain one too."""
    return f"(?:{token}| )" if _FINE_BLANK.search(token) and not token.startswith("[^") else token


def _escape(token: str) -> str:
    kind = token[:2]
    if kind == r"\Z":
        return r"\z"
    if kind == r"\u" and len(token) > 2:
        return rf"\x{{{_code_point(token):x}}}"
    if kind == r"\c" and len(token) > 2:
        return rf"\x{{{ord(token[2].upper()) - 64:x}}}"
    if kind in (r"\p", r"\P") and len(token) > 2:
        name = token[3:-1].rpartition("=")[2]
        return f"{kind}{{{_PROPERTIES.get(name, name)}}}"
    return token


def _code_point(token: str) -> int:
    parts = [int(part.strip("{}"), 16) for part in token.split(r"\u") if part]
    if len(parts) == 2:
        return 0x10000 + ((parts[0] - 0xD800) << 10) + parts[1] - 0xDC00
    return parts[0]


def _without_anchors(tokens: tuple[str, ...]) -> Iterator[str]:
    last = len(tokens) - 1
    for index, token in enumerate(tokens):
        if token in _ANCHORS or (token == r"\b" and index in (0, last)):
            # An empty group costs RE2 its fast search for a literal start, so it stands only where it must.
            if index < last and tokens[index + 1] in _QUANTIFIERS:
                yield "(?:)"
        else:
            yield token


def _depth(token: str) -> int:
    if token == ")":
        return -1
    return 1 if token.startswith("(") and not token.endswith(")") else 0
