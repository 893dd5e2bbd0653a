"""A text that holds several values: parted by semicolons, bars, commas and a last "and"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from paxman.classes import record
from paxman.lazy import lazy_pattern
from paxman.lexicon.lexicon import load
from paxman.recognizers.parties import is_legal_form
from paxman.types import Span

_STRONG = lazy_pattern(r"[ \t]*(?:;|\||\n|[ \t][/·•][ \t])[ \t]*")
_COMMA = lazy_pattern(r",(?!\d)[ \t\n]*|(?<=\d{4}),(?=\d{4})|，|、|،[ \t]*")
_WORD = lazy_pattern(r"(?<=\s)(\w+|&)(?=\s)")
_SENTENCE = lazy_pattern(r"[a-z]\w+[.!?]$")
_INITIAL = lazy_pattern(r"(?:\w\.?[ \t-]?){1,2}")
_NUMBER = lazy_pattern(r"\((?:\d{1,2}|[a-z])\)[ \t]+(?=\S)")
_INNER_STOP = lazy_pattern(r"[a-z]\.[ \t]+[A-Z]")
_LEADING_FIGURE = lazy_pattern(r"\d")
_MOST_ITEM_WORDS, _WORDS_EACH = 8, 3


@record
class Split:
    """Where the items of a text stand, and what is doubtful about that."""

    spans: tuple[Span, ...]
    doubt: str = ""


@lru_cache(maxsize=1)
def _joining() -> dict[str, bool]:
    """Words that stand before the last item of a list, and whether they mean that everywhere."""
    known = load().row_words
    unsure = {word: False for words in known.get("maybe_last", ()) for word in words}
    return {"&": False, **unsure, **{word: True for words in known.get("last", ()) for word in words}}


@lru_cache(maxsize=4096)
def split_list(text: str) -> Split:
    """The items of a text; one that may be a single value with a comma in it stays whole, with a doubt."""
    numbered = _numbered(text)
    if numbered:
        return Split(numbered)
    strong = [*_STRONG.finditer(text)]
    if strong:
        return Split(tuple(_between(text, [match.span() for match in strong])))
    cuts = [*_commas(text)]
    if not cuts:
        return _split_joined(text)
    spans = [*_between(text, cuts)]
    last = _last_joined(text, spans[-1]) if len(spans) > 1 else None
    if last:
        spans[-1:] = last[0]
    doubt = last[1] if last else ""
    if any(_last_joined(text, span) for span in spans):
        doubt = "words that join values may belong to one"
    if any(_INITIAL.fullmatch(text, *span) for span in spans):
        doubt = "a comma may stand before a first name"
    spans = [_unnumbered(text, span) for span in spans]
    if len(spans) == 2 and not _are_alike(text, spans):
        return Split((_whole(text),), "a comma may part two values or belong to one")
    stopped = _SENTENCE.search(text) is not None
    longest = max(len(text[a:b].split()) for a, b in spans)
    if longest > _MOST_ITEM_WORDS or (stopped and longest > _WORDS_EACH) or _INNER_STOP.search(text):
        return Split((_whole(text),), "commas may belong to a sentence")
    if [bool(_LEADING_FIGURE.match(text, a)) for a, _ in spans].count(True) == 1 and text[:1].isdigit():
        doubt = "commas may belong to an address"
    if stopped and not is_legal_form(text.split()[-1]):
        spans[-1] = (spans[-1][0], spans[-1][1] - 1)
    return Split(tuple(spans), doubt)


def _numbered(text: str) -> tuple[Span, ...]:
    """Items that are counted from 1 within a line: "1. Fever. 2. Cough."; none where the counting breaks off."""
    found = list(_COUNTED.finditer(text))
    counted = [match for number, match in enumerate(found, 1) if int(match[1]) == number]
    if len(counted) < 2 or len(counted) < len(found) or text[: counted[0].start()].strip(" ,;:.\t"):
        return ()
    ends = [*(match.start() for match in counted[1:]), len(text)]
    return tuple(_stripped(text, match.end(), end) for match, end in zip(counted, ends, strict=True))


def _stripped(text: str, start: int, end: int) -> Span:
    while end > start and text[end - 1] in " ,;.\t\n":
        end -= 1
    return start, end


_COUNTED = lazy_pattern(r"(?:\A|(?<=[\s,;.:]))(\d{1,2})[.)][ \t]+(?=[^\W\d])")


def _unnumbered(text: str, span: Span) -> Span:
    number = _NUMBER.match(text, *span)
    return (number.end(), span[1]) if number else span


def _whole(text: str) -> Span:
    start = len(text) - len(text.lstrip(" \t\n,;:"))
    return start, max(start, len(text.rstrip(" \t\n,;")))


def _commas(text: str) -> Iterator[Span]:
    """Commas between items: not in brackets, nor before a form of company or a degree."""
    depth = 0
    quoted = False
    opened = []
    for char in text:
        quoted ^= char == '"'
        depth += (char in "([“„") - (char in ")]”")
        opened.append(depth + quoted)
    for match in _COMMA.finditer(text):
        behind = text[match.end() :].split(",", 1)[0].strip()
        if opened[match.start()] == 0 and behind and not is_legal_form(behind):
            yield match.span()


def _between(text: str, cuts: Sequence[Span]) -> Iterator[Span]:
    start = 0
    for end, after in (*cuts, (len(text), len(text))):
        span = _trim(text, start, end)
        if span[0] < span[1]:
            yield span
        start = after


def _trim(text: str, start: int, end: int) -> Span:
    while start < end and text[start] in " \t\n":
        start += 1
    while end > start and text[end - 1] in " \t\n":
        end -= 1
    return start, end


def _last_joined(text: str, span: Span) -> tuple[list[Span], str] | None:
    """The last item of several, and what "and" joins with it."""
    words = text[slice(*span)].split(None, 1)
    if len(words) == 2 and words[0].lower() in _joining():
        return [_trim(text, span[0] + len(words[0]), span[1])], ""
    for match in _WORD.finditer(text, *span):
        sure = _joining().get(match[1].lower())
        if sure is not None and text.count("(", span[0], match.start()) == text.count(")", span[0], match.start()):
            both = [_trim(text, span[0], match.start()), _trim(text, match.end(), span[1])]
            return both, "" if sure else f"{match[1]!r} may belong to a value"
    return None


def _split_joined(text: str) -> Split:
    """Two values that only "and" joins, if both are names of several words."""
    found = _last_joined(text, _whole(text))
    if found is None or len(found[0]) != 2:
        return Split((_whole(text),) if text.strip() else ())
    if all(len(text[a:b].split()) > 1 and text[a].isupper() for a, b in found[0]):
        return Split(tuple(found[0]), found[1])
    return Split((_whole(text),), "'and' may join two values or belong to one")


def _are_alike(text: str, spans: Sequence[Span]) -> bool:
    """Whether two parts are values of a kind: both of several words, both small, both with figures and no words."""
    one, other = (text[a:b] for a, b in spans)
    if one[:1].islower() and other[:1].islower():
        return True
    figures = [any(map(str.isdigit, part)) for part in (one, other)]
    if any(figures):
        return all(figures) and len(one.split()) == len(other.split())
    return len(one.split()) > 1 and len(other.split()) > 1
