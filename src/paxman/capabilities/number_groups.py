"""Numbers of papers and accounts as they are written: in groups, with the letters of a series, or partly hidden."""

from __future__ import annotations

import re

import attrs

from paxman.capabilities.label_layout import Reader
from paxman.capabilities.label_scan import Hit
from paxman.currencies import MINOR_UNITS
from paxman.recognizers import Reading, find
from paxman.recognizers.ranges import IN_LIST, either

LONGEST = 40
FEW = 2
# As in "2025 Q1 0007", "4711 / 2025", "77 A" and "77(A)"; a word, a date or an amount is none of these groups.
_MORE_GROUPS = re.compile(
    r"(?:(?: ?/ ?(?:\d{1,12}|[A-Z]{1,3}\d{0,8})| (?:\d{3,12}|[A-Z]{1,3}\d{1,8}|[A-Z])|\([A-Z]\))(?![\w.,:-])){1,6}"
    r"(?=[ \t]*(?:\n|\Z|\()|[ \t]{2})"
)
_SERIES_LETTER = re.compile(r"[ \t]*[.]?[ \t]*[:#]?[ \t]*([A-Z]) ")


def with_groups(reader: Reader, hit: Hit, reading: Reading, bare: bool) -> Reading:
    """A number with the letter before it and the groups that follow it and end its chunk."""
    more = _MORE_GROUPS.match(reader.text, reading.end, _end_of(reader, reading.start))
    letter = _SERIES_LETTER.fullmatch(reader.text, hit.end, reading.start) if hit.end < reading.start else None
    start, end = letter.start(1) if letter else reading.start, more.end() if more else reading.end
    if (start, end) == (reading.start, reading.end):
        goes_on = not bare and reader.text[end : end + 1] == " "
        return (whole(reader, start) if goes_on else None) or reading
    if end - start > LONGEST or is_dated(reader, hit.line, start, end):
        return reading
    return Reading(start, end, reader.text[start:end])


# A point or sign parts a label from its number, and so do small letters: "No.4711", "Nº4711", "nr4711".
_GLUE = re.compile(r"(?:(?<=[^\W\d_])[.]|(?<=[^\W\d_][°º])|(?<=[a-z])(?=\d))(?=[^\W_])")
_CAPITALS = re.compile(r"N[OR]\d")


def unglued(reader: Reader, hit: Hit, reading: Reading) -> Reading:
    """A number less the label that it is glued to; letters as in NO-4711 and N1029 may be its own."""
    if reading.start >= hit.end:
        return reading
    if glue := _GLUE.match(reader.text, hit.end):
        return Reading(glue.end(), reading.end, reader.text[glue.end() : reading.end])
    if not _CAPITALS.match(reader.text, reading.start) or not reader.text[hit.end].isdecimal():
        return reading
    number = Reading(hit.end, reading.end, reader.text[hit.end : reading.end])
    return attrs.evolve(reading, alternatives=(number,), rule="letters before a number may say that it is one")


def _end_of(reader: Reader, start: int) -> int:
    """Where the chunk of a number ends, or the date begins that a small word ties to the number."""
    line = reader.page.line_at(start)
    end = reader.page.line(line).chunks[reader.page.chunk_at(start)][1]
    lead = _DAY_LEAD.search(reader.text, start, end)
    return lead.start() if lead and any(day.start == lead.end() for day in reader.values("date", line)) else end


_DAY_LEAD = re.compile(r",? (?:vom|von|of|from|dated|du|del) ", re.IGNORECASE)
# As in INV 2024 0017, 10 144 872 330 and FT 2024/1183; neither words nor amounts are written so.
_WRITTEN = re.compile(r"(?:([A-Z]{1,4}) )?[A-Z]{0,3}\d[\w/-]*(?: (?:[A-Z]{0,3}\d[\d/-]*|[A-Z]|/))*")


def whole(reader: Reader, start: int) -> Reading | None:
    """A number in groups, with or without the letters of its series, and nothing else up to its end."""
    line, end = reader.page.line_at(start), _end_of(reader, start)
    # A stroke at the end leads to a revision that is not there.
    end = start + len(reader.text[start:end].rstrip(" /"))
    written = _WRITTEN.fullmatch(reader.text, start, end) if end - start <= LONGEST else None
    if written is None or written[1] in MINOR_UNITS or is_dated(reader, line, start, end):
        return None
    return Reading(start, end, written[0]) if sum(map(str.isdigit, written[0])) > FEW else None


def whole_below(reader: Reader, reading: Reading) -> Reading:
    """All of the number that a cell under a label holds, not only its first group."""
    number = reader.page.line_at(reading.start)
    start, end = reader.page.line(number).chunks[reader.page.chunk_at(reading.start)]
    if hidden := masked(reader, start):
        return hidden
    if is_dated(reader, number, start, end):
        return whole(reader, start) or reading
    phone = either(reader.text[start:end], find("phone", reader.text[start:end], reader.how), IN_LIST)
    return phone.shifted(start) if phone and not phone.start else whole(reader, start) or reading


def is_dated(reader: Reader, line: int, start: int, end: int) -> bool:
    return any(start <= day.start < end for day in reader.values("date", line))


# Without a colon or a gap only a sign, a bracket or a dash between them shows that groups of digits are one number.
_GROUPS = re.compile(
    r"(?:[.]?\s{0,20}[:=]\s{0,20}|[ \t]{2,80})([+(]{0,2}\d[\d()/-]*(?: [\d()/-]+)+)"
    r"|(?: (?:no|nr))?[.:#]?\s{1,20}([+(]{1,2}\d[\d()/-]*(?: [\d()/-]+)+|[A-Za-z]{0,4}-?\d[\w/-]*(?: [-–] \d[\w/-]*)+)",
    re.IGNORECASE,
)


def in_groups(reader: Reader, hit: Hit) -> Reading | None:
    """A number that is written in groups, such as that of a phone, where nothing else stands in its chunk."""
    line = reader.page.line(hit.line)
    match = _GROUPS.match(reader.text, hit.end, line.end)
    if match is None or line.chunks[reader.page.chunk_at(match.end() - 1)][1] != match.end():
        return None
    start, end = match.span(match.lastindex or 0)
    if end - start > LONGEST or is_dated(reader, hit.line, start, end):
        return None
    return Reading(start, end, reader.text[start:end])


# X, stars and dots stand for digits; a star or two apart from them is that of a footnote.
_MASKED = re.compile(r"(?:[\dXx*•●]{1,24}[ -]){0,7}[\dXx*•●]{0,24}[Xx*•●](?:\d{1,24}|[ -]\d{1,6})?(?![\w*/:-]|[.,]\d)")
_HIDDEN = re.compile(r"[Xx*•●]{2}\d|\d[Xx*•●]{2,}[ -]\d|[Xx*•●]{4}[ -][Xx*•●]{0,24}\d|\d[Xx*•●]{2,}[ -][Xx*•●]{4}")


def masked(reader: Reader, start: int) -> Reading | None:
    """A number with some of its digits hidden: 4417 88XX XXXX 2031."""
    match = _MASKED.match(reader.text, start)
    if match is None or not _HIDDEN.search(match[0]) or not any(map(str.isdigit, match[0])):
        return None
    if is_dated(reader, reader.page.line_at(start), *match.span()):
        return None
    return Reading(*match.span(), match[0])


_BRACKET = re.compile(r"(?<=[\s:=#])\+?\d{0,3}\(\d{1,6}\)\Z")


def with_bracket(reader: Reader, reading: Reading) -> Reading:
    """A number with the digits in brackets that are glued to it: (503)654-2050."""
    bracket = _BRACKET.search(reader.text, max(0, reading.start - 14), reading.start)
    return Reading(bracket.start(), reading.end, reader.text[bracket.start() : reading.end]) if bracket else reading
