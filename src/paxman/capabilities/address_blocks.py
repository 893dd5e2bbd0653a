"""Blocks of lines in one column that end in a postal code: names with their addresses, wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, pairwise

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.business_terms import label_terms
from paxman.capabilities.page_lines import Chunk, Line, page_lines
from paxman.capabilities.party_sections import is_salutation
from paxman.contract.labels import compact_label
from paxman.finding.parties import line_shapes as shapes
from paxman.recognizers.tables import pattern

_HEAD = 45
_TALLEST = 6
_WIDEST = 40
"""Chunks of a line; more are no letter's."""
_GAP = 4
"""Line numbers between two lines of a block at most; letters are often set wide."""
_SLACK = 2


def address_blocks(context: CapabilityContext) -> Iterator[list[Chunk]]:
    """The chunks of each block, name first: those behind "To:", then in the order of their postal codes."""
    lines = tuple(line for line in page_lines(context.document)[:_HEAD] if len(line.chunks) <= _WIDEST)
    yield from _addressed(lines)
    for number, line in enumerate(lines):
        for chunk in line.chunks:
            if len(chunk.text) < 60 and _is_town(chunk.text) and not shapes.is_of_form(chunk.text):
                block = _without_headings(_upwards(lines, number, chunk))
                if len(block) > 2 and (shapes.has_postal_code(chunk.text) or _is_house(block[-2].text)):
                    yield block


def _is_town(text: str) -> bool:
    """Whether a line ends an address; a short code counts only below a house."""
    return shapes.has_postal_code(text) or _SHORT_CODE.match(text) is not None


def _is_house(text: str) -> bool:
    return (shapes.is_street(text) and any(map(str.isdigit, text))) or _NUMBERED.match(text) is not None


_NUMBERED = re.compile(r"[^\W\d_][^\d,:]{2,40} \d{1,4} ?[A-Za-z]?\Z")
_SHORT_CODE = re.compile(
    r"(?:\d{4}|\d{3} \d\d|\d\d-\d{3}|\d{4}-\d{3}) {1,2}[A-ZÀ-ÞĄ-Ž][^\W\d_]"
    r"|[A-Z][A-Za-z' ]{2,30} (?:(?:NSW|VIC|QLD|SA|WA|TAS|NT|ACT) )?\d{4}\Z"
)


def _addressed(lines: tuple[Line, ...]) -> Iterator[list[Chunk]]:
    """A company behind "To:", or whoever stands there over a street."""
    for line, lower in pairwise(chain(lines, lines[-1:])):
        for chunk, beside in pairwise((*line.chunks, None)):
            lead = pattern(r"(?:{addressed})\s?[:：]\s*").match(chunk.text) if chunk and ":" in chunk.text[:6] else None
            name = _behind(chunk, lead.end()) or beside if chunk and lead else None
            below = [c for c in lower.chunks if name and abs(c.column - name.column) <= _SLACK][:1]
            if name and (shapes.legal_end(name.text) or any(shapes.is_street(c.text) for c in below)):
                yield [name, *below]


def _behind(chunk: Chunk, length: int) -> Chunk | None:
    """The rest of a chunk."""
    rest = chunk.text[length:]
    return Chunk(chunk.start + length, chunk.end, chunk.column + length, rest) if rest else None


def _without_headings(block: list[Chunk]) -> list[Chunk]:
    """A block without labels, "Messrs" and what else stands over the name of a company."""
    while block and (any(key in label_terms() for key in compact_label(block[0].text)) or _only_leads(block[0].text)):
        block = block[1:]
    return block[1:] if len(block) > _LEAST and _is_over_company(block[0].text, block[1].text) else block


_LEAST = 3


def _only_leads(text: str) -> bool:
    """Whether a line says that a name follows, and is no part of it."""
    return pattern(r"(?:{salutation})\s*:?\s*\Z").match(text) is not None


def _is_over_company(text: str, below: str) -> bool:
    if shapes.legal_end(text) or is_salutation(text) or text.endswith(("&", "-", ",")) or text.split()[-1].islower():
        return False
    return shapes.legal_end(below) == len(below) and not shapes.is_street(below)


def _upwards(lines: tuple[Line, ...], number: int, chunk: Chunk) -> list[Chunk]:
    block, widest = [chunk], _GAP
    last = lines[number].number
    for line in reversed(lines[max(0, number - 2 * _TALLEST) : number]):
        above = next((c for c in line.chunks if abs(c.column - chunk.column) <= _SLACK), None)
        if above is None:
            continue
        gap = last - line.number
        if gap > widest or len(block) == _TALLEST:
            break
        last, widest = line.number, min(_GAP, max(gap + 1, widest if len(block) > 1 else 0))
        if shapes.is_attention(above.text):
            continue
        if shapes.is_registration(above.text) and not shapes.legal_end(above.text):
            if gap > 1:
                break
            widest = 1
            continue
        ends = shapes.has_postal_code if shapes.has_postal_code(chunk.text) else _is_town
        if ends(above.text) or not _belongs(above.text) or shapes.has_price(line.plain):
            break
        block.append(above)
        if is_salutation(above.text):
            break
    return block[::-1]


def _belongs(text: str) -> bool:
    if len(text) > 60 or shapes.is_title(text):
        return False
    return not (shapes.is_contact(text) or shapes.is_moment(text) or shapes.is_of_form(text) or shapes.has_price(text))
