"""Blocks of lines in one column that end in a postal code: names with their addresses, wherever they stand."""

from __future__ import annotations

from collections.abc import Iterator

from paxman.capabilities import line_shapes as shapes
from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.business_terms import label_terms
from paxman.capabilities.page_lines import Chunk, Line, page_lines
from paxman.capabilities.party_sections import is_salutation
from paxman.contract.labels import compact_label

_HEAD = 45
_TALLEST = 6
_GAP = 4
"""Line numbers between two lines of a block at most; letters are often set wide."""


def address_blocks(context: CapabilityContext) -> Iterator[list[Chunk]]:
    """The chunks of each block, name first, in the order of their postal codes."""
    lines = page_lines(context.document)[:_HEAD]
    for number, line in enumerate(lines):
        for chunk in line.chunks:
            if len(chunk.text) < 60 and shapes.has_postal_code(chunk.text) and not shapes.is_of_form(chunk.text):
                block = _without_headings(_upwards(lines, number, chunk))
                if len(block) > 2:
                    yield block


def _without_headings(block: list[Chunk]) -> list[Chunk]:
    while block and any(key in label_terms() for key in compact_label(block[0].text)):
        block = block[1:]
    return block


def _upwards(lines: tuple[Line, ...], number: int, chunk: Chunk) -> list[Chunk]:
    block = [chunk]
    last = lines[number].number
    for line in reversed(lines[max(0, number - 2 * _TALLEST) : number]):
        above = next((c for c in line.chunks if abs(c.column - chunk.column) <= 2), None)
        if above is None:
            continue
        if last - line.number > _GAP or len(block) == _TALLEST or not _belongs(above.text):
            break
        if shapes.has_price(line.plain):
            break
        block.append(above)
        last = line.number
        if is_salutation(above.text):
            break
    return block[::-1]


def _belongs(text: str) -> bool:
    if len(text) > 60 or shapes.has_postal_code(text) or shapes.is_title(text):
        return False
    return not (shapes.is_contact(text) or shapes.is_moment(text) or shapes.is_of_form(text) or shapes.has_price(text))
