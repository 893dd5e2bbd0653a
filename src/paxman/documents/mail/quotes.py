"""What a mail only repeats: earlier mails below a reply, forwarded ones, and the frame of a signature."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from paxman.types import Span

_LONGEST = 400
"""Characters of a line over a quoted text, which may be broken into a few."""
_LINES = 4
_BLOCK = 8
"""Lines over a quoted text, and lines within which the headers of a quoted mail stand."""
_HEADER = re.compile(r"[ \t>*]*([^\s:*][^:\n*]{0,20}?)[ \t]*\**[ \t]*[:：]\**[ \t]*\S")
_SIGNED = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----[ \t\r]*\n(?:[A-Z][A-Za-z-]{0,30}:.*\n)*")
_SIGNATURE = ("-----BEGIN PGP SIGNATURE-----", "-----END PGP SIGNATURE-----")
_COLON = re.compile(r"[:：][ \t\r]*$", re.M)
_MARK = re.compile(r"\s*>")
_NO_LINE_END = re.compile(r"[^\n]")


def quoted_spans(text: str) -> list[Span]:
    """Where the words of others stand in the body of a mail, in order."""
    end = min(_rest_starts(text), default=len(text))
    spans = [*_marked_lines(text[:end]), *_frame(text, end)]
    return [*sorted(spans), *([(end, len(text))] if end < len(text) else [])]


def _frame(text: str, end: int) -> Iterator[Span]:
    """What a program for signatures puts around a text."""
    if signed := _SIGNED.search(text, 0, end):
        yield signed.span()
    start = text.find(_SIGNATURE[0], 0, end)
    stop = text.find(_SIGNATURE[1], start, end) if start >= 0 else -1
    if stop >= 0:
        yield start, stop + len(_SIGNATURE[1])


def blank_spans(text: str, spans: list[Span]) -> str:
    """The text with blanks in some places, as long as before and with the same lines."""
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        if start >= at:
            pieces += [text[at:start], _NO_LINE_END.sub(" ", text[start:end])]
            at = end
    return "".join([*pieces, text[at:]])


def _marked_lines(text: str) -> Iterator[Span]:
    """Lines with the sign of a quote before them, and the line over them that says whose words they are."""
    start, quoted = 0, False
    for line in text.splitlines(keepends=True):
        was, quoted = quoted, line.lstrip(" \t\xa0").startswith(">")
        if quoted:
            above = _attribution_above(text, start) if not was else None
            yield (above if above is not None else start, start + len(line))
        start += len(line)


def _attribution_above(text: str, end: int) -> int | None:
    """Where the line over a quote starts, which a blank line may part from it; it names a day."""
    first = max(end - 2 * _LONGEST, 0)
    words = text[first:end].rstrip()
    if words[-1:] not in (":", "："):
        return None
    for start in _line_starts(words):
        line = " ".join(words[start:].split())
        if _wrote().fullmatch(line) and any(map(str.isdigit, line)):
            return first + start
    return None


def _line_starts(text: str) -> Iterator[int]:
    """Where the last lines of a text start, from the last one up."""
    start = len(text) + 1
    for _ in range(_LINES):
        start = text.rfind("\n", 0, start - 1) + 1
        if len(text) - start > _LONGEST:
            return
        yield start
        if not start:
            return


def _rest_starts(text: str) -> Iterator[int]:
    """Where a mail begins of which all that follows is a part, by each of its signs."""
    if found := _originals().search(text):
        yield found.start()
    yield from _header_blocks(text)
    small = text.casefold()
    for found in _COLON.finditer(text) if any(verb in small for verb in _verbs()) else ():
        start = _attribution_above(text, found.end())
        if start is not None and not _MARK.match(text, found.end()):
            yield start
            return


def _header_blocks(text: str) -> Iterator[int]:
    """The first block of headers inside a body: sender, subject and more on lines of their own."""
    senders, subjects, others = map(_names, ("sender", "subject", "other"))
    lines = text.splitlines(keepends=True)
    start = 0
    for number, line in enumerate(lines):
        if _name(line) in senders:
            below = {_name(each) for each in lines[number + 1 : number + _BLOCK]}
            if below & subjects and below & others:
                yield start
                return
        start += len(line)


def _name(line: str) -> str:
    header = _HEADER.match(line)
    return header[1].strip().casefold() if header else ""


@cache
def _words() -> dict[str, list[str]]:
    rows: dict[str, list[str]] = {}
    for line in (Path(__file__).parents[1] / "data" / "quoting_words.txt").read_text("utf-8").splitlines():
        kind, _, words = line.partition(": ")
        if words and not line.startswith("#"):
            rows.setdefault(kind, []).append(words)
    return rows


@cache
def _names(kind: str) -> frozenset[str]:
    return frozenset(" ".join(_words()[kind]).split())


@cache
def _wrote() -> re.Pattern[str]:
    return re.compile(rf"(?:{_any_of('wrote')}) ?[:：]", re.IGNORECASE)


@cache
def _verbs() -> frozenset[str]:
    return frozenset(words.removesuffix(" ...").rpartition("... ")[2] for words in _words()["wrote"])


@cache
def _originals() -> re.Pattern[str]:
    title, dashes = f"(?:{_any_of('original')})", "[-_=*]{2,20}"
    return re.compile(rf"^[ \t]*(?:{dashes}[ \t]*{title}[ \t]*:?[ \t]*{dashes}|{title}:)[ \t\r]*$", re.I | re.M)


def _any_of(kind: str) -> str:
    """A pattern for wordings in which three dots stand for anything on the line."""
    return "|".join(re.escape(words).replace(r"\.\.\.", ".{1,300}?") for words in _words()[kind])
