"""Numbers of papers, and of what has one, beside or below a label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from paxman.capabilities.bank_accounts import basis_of_account
from paxman.capabilities.base import Basis
from paxman.capabilities.business_terms import CONTACTS, PAPERS
from paxman.capabilities.label_binding import Binding
from paxman.capabilities.label_layout import (
    WORDS,
    Reader,
    Spot,
    below,
    beside,
    between,
    ends_chunk,
    in_prose,
    is_word,
    modified,
    stop_of,
)
from paxman.capabilities.label_scan import Hit
from paxman.capabilities.number_groups import (
    FEW,
    LONGEST,
    in_groups,
    masked,
    unglued,
    whole,
    whole_below,
    with_bracket,
    with_groups,
)
from paxman.capabilities.other_papers import basis_of_paper
from paxman.capabilities.title_numbers import PARENTHESES, fills_chunk, heads_many, numbered_below
from paxman.recognizers import Reading, find
from paxman.recognizers.ranges import IN_LIST, either

_NUMBER_TAIL = re.compile(
    r"(?:#|№|\b(?:no|nr|num|number|nurnber|nummer|numero|número|n°|nº|n))[\s.:°º#)-]{0,8}\Z", re.IGNORECASE
)


_NUMBER_HEAD = re.compile(r"[#№]|n[°º]|n[or]?[.]|n[or] ", re.IGNORECASE)


def spot_identifiers(reader: Reader, binding: Binding, hit: Hit, rank: int) -> Iterator[Spot]:
    """The first token with digits after a number's label, or below it."""
    told = _basis(reader, binding, hit, rank)
    if told is None:
        return
    named = hit.key in binding.said and _ALONE.match(reader.text, hit.end) is not None
    bare = not (named or says_number(reader.text, hit) or "tax_number" in hit.terms)
    loose = bare and hit.key not in binding.said and (rank > 0 or is_word(reader, hit))
    weak = int(modified(reader, hit)) + int(loose) + 2 * (told != "name")
    rank = min(rank, 1) if rank < 4 and not bare else rank
    readings = [unglued(reader, hit, reading) for reading in beside(reader, "identifier", hit)]
    reading = _phone(reader, binding, hit) or _identifier_beside(reader, hit, readings[:4], bare)
    if reading:
        reading = with_groups(reader, hit, reading, bare)
        basis: Basis = "wording" if _is_mentioned(reader, hit, reading) else told
        yield Spot(_with_rival(reader, reading, readings), hit, "beside", rank, weak, basis)
    elif not readings and ends_chunk(reader, hit) and not heads_many(reader, hit, "identifier"):
        numbered = numbered_below(reader, hit) if bare and hit.term in PAPERS else []
        for reading in numbered or map(partial(whole_below, reader), below(reader, "identifier", hit)[:1]):
            alone = numbered or not (bare and hit.term in PAPERS) or fills_chunk(reader, reading)
            if alone and _is_number(reading, bare and not numbered) and not _is_told(reader, reading):
                led = numbered and reader.page.line_at(reading.start) > hit.line + 1
                yield Spot(reading, hit, "below", rank, weak, "stand_in" if led else told)


def _basis(reader: Reader, binding: Binding, hit: Hit, rank: int) -> Basis | None:
    """What a number rests on, if its label is that of something else or may be; None where it is."""
    if binding.term == "customer_number":
        return basis_of_account(reader, hit, rank)
    return basis_of_paper(reader, hit, rank) if binding.term in PAPERS and hit.term in PAPERS else "name"


_ALONE = re.compile(
    r"(?:[.]?[ \t]{0,20}[:：][ \t]{0,80}|(?<=\w{3})[.]?[ \t]{2,80})\S{2,40}(?=[ \t]*(?:\n|\Z)|[ \t]{2})"
)
"""A code that is all that stands beside a label."""


def _is_told(reader: Reader, reading: Reading) -> bool:
    """Whether a number stands in words that go on from the line above: "for work done in 2024"."""
    line = reader.page.line(reader.page.line_at(reading.start))
    chunk = line.chunks[reader.page.chunk_at(reading.start)]
    words = reader.text[chunk[0] : reading.start].split()
    return len(words) > FEW and words[0].islower()


def _is_mentioned(reader: Reader, hit: Hit, reading: Reading) -> bool:
    """Whether a number stands within a sentence, which begins before its label and goes on after it."""
    before = reader.text[reader.page.line(hit.line).chunks[reader.page.chunk_at(hit.start)][0] : hit.start]
    return ":" not in before and len(WORDS.findall(before)) > FEW and in_prose(reader, hit, [reading])


def _with_rival(reader: Reader, reading: Reading, readings: list[Reading]) -> Reading:
    """A number with the next one as its rival, if that is written alike and listed right behind it."""
    later = [other for other in readings if other.start >= reading.end][:1]
    alike = [other for other in later if _DIGIT.sub("0", str(other.value)) == _DIGIT.sub("0", str(reading.value))]
    return either(reader.text, [reading, *alike], IN_LIST) or reading


_DIGIT = re.compile(r"\d")


def says_number(text: str, hit: Hit) -> bool:
    """Whether a label begins or ends with a word for a number, as compounds do: "Numéro de facture", "Rechnungsnr"."""
    label = text[hit.start : hit.end]
    if _NUMBER_TAIL.search(label) or _NUMBER_HEAD.match(label):
        return True
    return hit.key.endswith(_NUMBER_WORDS) or hit.key.startswith(_NUMBER_WORDS[1:])


_NUMBER_WORDS = ("nr", "number", "nummer", "numer", "numero", "nomor", "nombor", "clslo")
"""As they are compared, with an l for every i."""


def _identifier_beside(reader: Reader, hit: Hit, readings: list[Reading], bare: bool) -> Reading | None:
    """After a word for "number", or else with no word in between; what stands in brackets is passed over."""
    start = _value_start(reader, hit)
    hidden = masked(reader, start + (reader.text[start : start + 1] == "#"))
    if hidden:
        return hidden
    gaps = [between(reader, hit, reading) for reading in readings]
    for reading, gap in zip(readings, gaps, strict=True):
        if len(gap) < 80 and _NUMBER_TAIL.search(gap) and _is_number(reading, False):
            return reading
    grouped = _tax_number(reader, hit) or in_groups(reader, hit)
    if grouped:
        return grouped
    for reading, gap in zip(readings, gaps, strict=True):
        if gap.rfind("(") <= gap.rfind(")") and not WORDS.search(PARENTHESES.sub(" ", gap)):
            reading = with_bracket(reader, reading)
            if bare and _is_of_amount(reader, reading):
                return None
            return reading if _is_number(reading, bare) or _is_code_alone(reader, hit, reading) else None
    return _in_series(reader, hit)


def _is_of_amount(reader: Reader, reading: Reading) -> bool:
    """Whether a token is a part of an amount: "Estimate: $4,400"."""
    before, after = reader.text[max(0, reading.start - 2) : reading.start], reader.text[reading.end : reading.end + 2]
    return _MONEY_BEFORE.search(before) is not None or (after[:1] in (".", ",") and after[1:].isdecimal())


_MONEY_BEFORE = re.compile(r"[$€£¥] ?\Z|\d[.,]\Z")


_CODE_ALONE = re.compile(r"(?:[A-Z]{1,4}-?\d{2,}|([A-Z]{2,4}-\d))(?=[ \t]*(?:\n|\Z)|[ \t]{2})")


def _is_code_alone(reader: Reader, hit: Hit, reading: Reading) -> bool:
    """Whether a code with few digits is all that follows a label in its chunk: "Invoice INV77", "Order: AB-7"."""
    chunk = reader.page.line(hit.line).chunks[reader.page.chunk_at(hit.start)]
    code = _CODE_ALONE.match(reader.text, reading.start) if chunk[0] == hit.start else None
    return code is not None and (code[1] is None or ":" in between(reader, hit, reading))


_AFTER_LABEL = re.compile(
    r"\)?(?: \([^()\n]{0,30}\)){0,2}(?: (?:no|nr|number|nummer)\b)?[ \t]*[.]?[ \t]*:?[ \t]*", re.IGNORECASE
)


def _value_start(reader: Reader, hit: Hit) -> int:
    gap = _AFTER_LABEL.match(reader.text, hit.end, reader.page.line(hit.line).end)
    return gap.end() if gap else hit.end


def _in_series(reader: Reader, hit: Hit) -> Reading | None:
    """A number with the letters of its series before it, as in FT 2024/88, where nothing else stands there."""
    start = _value_start(reader, hit)
    return None if reader.scan.starts_at(start) else whole(reader, start)


def _phone(reader: Reader, binding: Binding, hit: Hit) -> Reading | None:
    """The number of a phone or fax, with all its groups."""
    if not CONTACTS.intersection((*hit.terms, binding.term)):
        return None
    end = hit.end + (reader.text[hit.end : hit.end + 1] == ".")  # A point may glue the two together.
    text = reader.text[hit.start : hit.end].ljust(end - hit.start) + reader.text[end : stop_of(reader, hit)]
    found = either(text, find("phone", text, reader.how), IN_LIST)
    first = found.shifted(hit.start) if found else None
    return first if first and not WORDS.search(_NUMBER_TAIL.sub("", between(reader, hit, first))) else None


def _tax_number(reader: Reader, hit: Hit) -> Reading | None:
    """A tax number that is written in groups: its check digits hold it together."""
    if "tax_number" not in hit.terms:
        return None
    found = find("tax_id", reader.text[hit.start : reader.page.line(hit.line).end])
    first = found[0].shifted(hit.start) if found else None
    return first if first and " " in reader.text[first.start : first.end] else None


def _is_number(reading: Reading, bare: bool) -> bool:
    token = str(reading.value)
    digits = sum(map(str.isdigit, token))
    return len(token) <= LONGEST and (2 * digits >= len(token) and digits > 2 if bare else digits > 0)
