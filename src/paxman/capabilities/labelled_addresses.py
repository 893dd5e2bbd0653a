"""Postal addresses that stand with a label: the line beside or below it, and those that go on under it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from paxman.capabilities.addresses import is_region, joining
from paxman.capabilities.label_layout import LONGEST_LINE, Reader, is_labelled
from paxman.capabilities.label_scan import Hit
from paxman.contract.model import CanonicalField
from paxman.finding.parties import line_shapes as shapes
from paxman.recognizers import Reading
from paxman.transforms import run
from paxman.types import Span

_TAGS = {"address", "postal address"}
_NAME = re.compile(
    r"(?:address|anschrift|\w*adresse|adress|adres|adresa|dirección|direccion|indirizzo|endereço|endereco|osoite)\Z"
)
_OTHER = re.compile(r"mail|web|url|\bip\b|\bmac\b|site")
_MOST = 7
_ALIGNED = 2


def means_address(field: CanonicalField) -> bool:
    name = field.path.rpartition(".")[2].replace("_", " ").casefold()
    tags = {tag.replace("_", " ").casefold() for tag in field.semantic_tags}
    return bool(_TAGS & tags) or (_NAME.search(name) is not None and _OTHER.search(name) is None)


def read_address(reader: Reader, hit: Hit, first: Span) -> Reading | None:
    """The lines of an address from its first one on; None if nothing in them is like one."""
    spans = [first, *_lines_below(reader, hit, first)]
    if len(spans) == 1 or not any(_is_postal(reader.text[start:end]) for start, end in spans):
        return None
    whole = (spans[0][0], spans[-1][1])
    transforms = joining(reader.text, spans, whole)
    return Reading(*whole, run(transforms, reader.text[whole[0] : whole[1]]), transforms)


def _is_postal(text: str) -> bool:
    return shapes.has_postal_code(text) or shapes.is_street(text)


def _lines_below(reader: Reader, hit: Hit, first: Span) -> Iterator[Span]:
    """What stands in the column of the first line or of the label, until something else begins."""
    page = reader.page
    number, last = page.line_at(first[0]), reader.text[first[0] : first[1]]
    columns = [page.column(page.line(page.line_at(at)).start, at) for at in (first[0], hit.start)]
    for lower in range(number + 1, min(number + _MOST, len(page))):
        line = page.line(lower)
        near = [c for c in line.chunks if _is_near(page.column(line.start, c[0]), columns)]
        if not near or line.end - line.start > LONGEST_LINE:
            return
        text = reader.text[near[0][0] : near[0][1]]
        if is_labelled(reader, near[0]) or _ends(text) or (shapes.has_postal_code(last) and not is_region(text)):
            return
        yield near[0]
        last = text


def _is_near(column: int, columns: list[int]) -> bool:
    return any(abs(column - other) <= _ALIGNED for other in columns)


def _ends(text: str) -> bool:
    return (
        shapes.has_price(text)
        or shapes.is_title(text)
        or shapes.is_moment(text)
        or shapes.is_contact(text)
        or shapes.is_registration(text)
    )
