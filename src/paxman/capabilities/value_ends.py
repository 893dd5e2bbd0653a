"""Where a text beside a label ends: labels within it that begin another pair, and those that are only said."""

from __future__ import annotations

import re
import string
from bisect import bisect_left

from paxman.capabilities.business_terms import CONTACTS, DATES, NUMBERS, PARTIES
from paxman.capabilities.label_layout import Reader, is_labelled, under
from paxman.capabilities.label_scan import Hit, Scan
from paxman.capabilities.labelled_numbers import says_number
from paxman.capabilities.name_stems import asks_name
from paxman.recognizers.tables import pattern
from paxman.types import Span


def end_of_value(reader: Reader, hit: Hit, chunk: Span) -> int:
    """Where a value ends: with its chunk, or before a label in it that plainly begins another pair."""
    following = reader.scan.after(hit)
    while following and following.start < chunk[1]:
        if _begins_pair(reader, hit, following, chunk):
            return chunk[0] + len(_SENTENCE_END.sub("", reader.text[chunk[0] : following.start].rstrip(_LEADS_ON)))
        following = reader.scan.after(following)
    return chunk[1]


# A full stop after a small word ends a sentence; after others it may belong to "Inc." or "St.".
_SENTENCE_END = re.compile(r"(?<=[^\W\d_A-Z]{4})[.]\Z")
_COMMAS = (",", ";")
_LEADS_ON = " \t\xa0,;|·•-–"


def _begins_pair(reader: Reader, hit: Hit, following: Hit, chunk: Span) -> bool:
    """Whether a label within a chunk has a colon, or ends it before a day or number of its own."""
    text = reader.text
    mark = _MARK.match(text, following.end)
    if mark:
        return (
            not _is_said(reader, hit, following)
            or text[following.start - 2] in _COMMAS
            or _has_value(reader, following, mark.end())
        )
    if following.end < chunk[1] - 1:
        return _has_value_behind(reader, hit, following) and _ends_before(reader, hit, following)
    if following.key == hit.key or text[following.start - 1] in _IN_CODES:
        return False
    if _is_said(reader, hit, following) or _is_led(reader, hit, following):
        return False
    chunks, place = reader.page.line(hit.line).chunks, reader.page.chunk_at(chunk[1]) + 1
    return place < len(chunks) and _has_value(reader, following, chunks[place][0])


def pair_within(scan: Scan, start: int, end: int) -> Hit | None:
    """The first label behind words of a text that its own day, number or sum follows: "Bob Date 12.5.24"."""
    text = scan.page.text
    inner = (hit for hit in scan.within(start + 1, end) if _stands_alone(text, start, hit))
    return next((hit for hit in inner if _leads_to_figure(text, hit, end)), None)


def _leads_to_figure(text: str, hit: Hit, end: int) -> bool:
    figure = _SUM if hit.term in _SUMS else _FIGURE if _kind_of(text, hit) else None
    return figure is not None and figure.match(text, hit.end, end) is not None


def _stands_alone(text: str, start: int, hit: Hit) -> bool:
    return text[hit.start - 1] not in _IN_CODES and _WORD.search(text, start, hit.start) is not None


def _has_value_behind(reader: Reader, hit: Hit, following: Hit) -> bool:
    """Whether words stand before a label within a text, and its own day or number right behind it."""
    if not _stands_alone(reader.text, hit.end, following):
        return False
    return reader.text[following.end] == " " and _has_value(reader, following, following.end + 1)


def _ends_before(reader: Reader, hit: Hit, following: Hit) -> bool:
    """Whether a text ends before a label with its value: at a comma, and for a name."""
    if _is_said(reader, hit, following):
        return False
    return reader.text[following.start - 2] in _COMMAS or (
        _is_somebody(reader, hit) and not _is_led(reader, hit, following)
    )


def _is_led(reader: Reader, hit: Hit, following: Hit) -> bool:
    return _SMALL_WORD.search(reader.text, hit.end, following.start) is not None


def _is_somebody(reader: Reader, hit: Hit) -> bool:
    """Whether a label or its field asks for a company or person."""
    if hit.term in PARTIES or asks_name(reader.context.field):
        return True
    return pattern(r"(?:{other_person}|{name_label})\Z").match(reader.text[hit.start : hit.end]) is not None


# The name of a month may stand before the day.
_FIGURE = re.compile(r"[.]?[:#]? (?:[^\W\d_]{3,10}[.]? )?[+(]{0,2}\d")
_SUM = re.compile(r"[.]?[:]? [^\s\d]{0,4} ?\d[\d.,' ]{0,12}[.,]\d\d(?!\d)")
_SUMS = frozenset(("total", "amount_due", "net", "subtotal", "tax"))
_WORD = re.compile(r"[^\W\d_]{2}")
_MARK = re.compile(r"[.]?[:#：][ \t]*")
_IN_CODES = frozenset(string.ascii_letters + string.digits + "./-_")
# A small word leads on: "Head of Data".
_SMALL_WORD = re.compile(r"(?<= )[a-zà-öø-ÿ]{1,12} \Z")


def _is_said(reader: Reader, hit: Hit, following: Hit) -> bool:
    """Whether the words of a label are only said behind another, for they begin small and that does not."""
    return reader.text[following.start].islower() and reader.text[hit.start].isupper()


def _has_value(reader: Reader, label: Hit, start: int) -> bool:
    """Whether a day or number stands at the place of a label's value; an amount may belong to a row."""
    kind = _kind_of(reader.text, label)
    values = reader.values(kind, label.line) if kind else []
    place = bisect_left(values, start, key=lambda value: value.start)
    return place < len(values) and values[place].start < start + 3


def _kind_of(text: str, label: Hit) -> str | None:
    """What a label of a day, phone or number wants; what only names a paper may end a text: "Duplicate invoice"."""
    if label.term in DATES:
        return "date"
    numbered = label.term in NUMBERS and says_number(text, label)
    return "identifier" if numbered or not CONTACTS.isdisjoint(label.terms) else None


def may_be_other(reader: Reader, hit: Hit, span: Span) -> bool:
    """Whether a text was cut before words that may be a part of it, or holds or ends like another label."""
    chunk = reader.page.line(hit.line).chunks[reader.page.chunk_at(span[0])]
    rest = reader.text[span[1] : chunk[1]].strip()
    if rest.isalpha() or (rest[:1] in _COMMAS and ":" not in rest and not _is_somebody(reader, hit)):
        return True
    last = reader.scan.last_before(span[1])
    if last and last.index > hit.index and last.end < span[1] - 1 and _has_value_behind(reader, hit, last):
        return True
    if last is None or last.index == hit.index or last.end < span[1] - 1 or last.start == span[0]:
        return False
    return ":" not in reader.text[hit.end : span[0]] and _kind_of(reader.text, last) is not None


def names_column(reader: Reader, hit: Hit, chunk: Span) -> bool:
    """Whether the chunk after a label is a heading too; a way to pay is rather its value: "Method   Credit card"."""
    following = reader.scan.after(hit)
    if following is None or not chunk[0] <= following.start < chunk[1] or _is_said(reader, hit, following):
        return False
    if _is_payment(reader, hit, following):
        return False
    # A name may begin or end with the word of a label, such as "Total Garden".
    begins, ends = following.start == chunk[0], following.end >= chunk[1] - 1
    return begins == ends and not any(map(str.isdigit, reader.text[chunk[0] : chunk[1]]))


def _is_payment(reader: Reader, hit: Hit, following: Hit) -> bool:
    """Whether a word for a payment beside a label is its value, for nothing but another label stands below."""
    if following.term != "tendered" or len(reader.page.line(hit.line).chunks) != 2:
        return False
    lower = next(iter(reader.page.below(hit.line, 1)), None)
    chunk = None if lower is None else under(reader.page, hit, lower)
    return chunk is None or is_labelled(reader, chunk)
