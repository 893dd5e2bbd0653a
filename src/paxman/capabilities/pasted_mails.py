"""The head of a mail that was pasted as text: who sent it, when and about what, in lines of their own."""

from __future__ import annotations

from paxman.capabilities.label_scan import Hit
from paxman.documents.visual_lines import VisualLines
from paxman.lazy import lazy_pattern
from paxman.recognizers.tables import pattern

_MOST = 6
"""Lines of a head above or below that of the day."""
_ENTRY = lazy_pattern(r"[*> \t]{0,8}([^\W\d_][^\n:：]{0,30}?)[* \t]{0,3}[:：]")
_ADDRESS_OR_TIME = lazy_pattern(r"\w@\w| \d{1,2}:\d\d\b")


def dates_mail(page: VisualLines, hit: Hit) -> bool:
    """Whether the line of a day is in the head of a mail: others say who sent it and about what."""
    lines = [page.line(number) for number in _head(page, hit.line)]
    entries = [_ENTRY.match(page.text, line.start, line.end) for line in lines]
    names = [entry[1] for entry in entries if entry]
    if not (_has(names, "mail_from") and _has(names, "mail_subject")):
        return False
    return _ADDRESS_OR_TIME.search(page.text, lines[0].start, lines[-1].end) is not None


def _head(page: VisualLines, line: int) -> range:
    """The lines with a label and a colon around one, which no other line parts."""
    first = last = line
    while first > max(0, line - _MOST) and _is_entry(page, first - 1):
        first -= 1
    while last < min(len(page) - 1, line + _MOST) and _is_entry(page, last + 1):
        last += 1
    return range(first, last + 1)


def _is_entry(page: VisualLines, number: int) -> bool:
    line = page.line(number)
    return _ENTRY.match(page.text, line.start, line.end) is not None


def _has(names: list[str], table: str) -> bool:
    return any(pattern(rf"(?:{{{table}}})\Z").match(name) for name in names)
