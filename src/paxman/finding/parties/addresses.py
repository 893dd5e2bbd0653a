"""Postal addresses: lines that name a street, and those below it up to the town and the country."""

from __future__ import annotations

from collections.abc import Sequence

from paxman.classes import record
from paxman.finding.parties import line_shapes as shapes
from paxman.finding.parties.pieces import Piece, gap_above, pieces_of, rows_below
from paxman.lazy import lazy_pattern
from paxman.page.names import Page
from paxman.recognizers.base import UNKNOWN
from paxman.recognizers.places import find_regions, is_eastern
from paxman.types import Span

_MOST = 9
"""Lines that an address takes at most, with what stands in between."""
_SIGN = lazy_pattern(r" ?[·•|*–—] ?| - ")
_SHORT_TOWN = lazy_pattern(r"(?:\d{4}|\d{3} \d\d) {1,2}[A-ZÀ-Þ][^\W\d_](?:[^\W\d_]|[ .'’/-]){1,30}")
_SENTENCE = lazy_pattern(r"[a-z]{3}\. [A-Z][a-z]+ [a-z]+ ")
_BRANCH = lazy_pattern(r"\d{1,5}[- ] ?[^\W\d_][^\d:]{2,40}\Z")


@record
class AddressBlock:
    """The lines of an address, and the piece that it begins with."""

    spans: tuple[Span, ...]
    first: Piece
    text: str

    @property
    def is_whole(self) -> bool:
        """Whether it has the number of a house, a postal code and more than one line."""
        return len(self.spans) > 1 and shapes.has_postal_code(self.text) and shapes.is_numbered(self.text)


def address_blocks(page: Page, most_lines: int) -> tuple[AddressBlock, ...]:
    """The addresses among the first lines of a page, in document order."""
    found: list[AddressBlock] = []
    taken: set[Span] = set()
    for line in page.head(most_lines):
        for piece in pieces_of(page, line):
            if piece.span in taken or not _starts(page, piece):
                continue
            spans = _block(page, piece)
            if _has_place([page.text[slice(*span)] for span in spans]):
                text = " ".join(" ".join(page.text[slice(*span)].split()) for span in spans)
                found.append(AddressBlock(tuple(spans), piece, text))
                taken.update(other.span for other in rows_below(page, piece, _MOST) if other.start < spans[-1][1])
    return tuple(found)


def _starts(page: Page, piece: Piece) -> bool:
    """Whether a piece is a street, and no name with a number before it."""
    part = _address_part(piece)
    text = page.text[slice(*part)] if part else ""
    below = [other.text for other in rows_below(page, piece, 3)]
    if shapes.is_numbered(text) and len(below) > 1 and shapes.is_street(below[0]) and " " not in below[0]:
        text = f"{text} {below[0]}"  # A street that was too long for its line.
    if not text or text.startswith("(") or not shapes.is_street(text):
        return False
    if _names_company(text) or _SENTENCE.search(text):
        return False
    # "66 Noodle Bar" is a name where the street stands below.
    own = (shapes.is_numbered(other) and not shapes.has_postal_code(other) for other in below)
    return shapes.names_place(text) or not any(own)


def _block(page: Page, first: Piece) -> list[Span]:
    """Spans of an address from its first line until something else begins."""
    part = _address_part(first)
    assert part
    spans, last, above, coded = [part], page.text[slice(*part)], first, False
    for piece in rows_below(page, first, _MOST):
        coded = coded or shapes.has_postal_code(last) or (len(spans) > 1 and bool(_SHORT_TOWN.fullmatch(last)))
        if _names_company(piece.text) or (gap_above(page, above, piece) and coded):
            break
        part = _address_part(piece)
        text = page.text[slice(*part)] if part else ""
        if part and _goes_on(text, last, coded):
            spans.append(part)
            last = text
        elif part or not (shapes.is_registration(piece.text) or shapes.is_contact(piece.text)):
            break
        above = piece
    return spans


def _names_company(text: str) -> bool:
    return shapes.legal_end(text) > 0 and not shapes.has_postal_code(text)


def _address_part(piece: Piece) -> Span | None:
    """The part of a line that may belong to an address, before contacts and numbers begin."""
    # How long the name of a company is that a sign parts from its address: "Acme Ltd · 1 High Street · Leeds".
    end = shapes.legal_end(piece.text)
    sign = _SIGN.match(piece.text, end) if end else None
    lead = sign.end() if sign and shapes.is_street(piece.text[sign.end() :]) else 0
    text, start = piece.text[lead:], piece.start + lead
    if shapes.has_price(text) or shapes.is_title(text) or shapes.is_moment(text) or shapes.is_greeting(text):
        return None
    cut = shapes.contact_start(text)
    kept = text[:cut].rstrip(" (,-")
    if cut < len(text):
        return (start, start + len(kept)) if shapes.is_street(kept) and len(kept) > 5 else None
    pair = shapes.is_of_form(text) and not (shapes.is_numbered(text) and shapes.is_street(text))
    if shapes.is_contact(text) or (shapes.is_registration(text) and not shapes.is_street(text)) or pair:
        return None
    return (start, piece.end) if shapes.letters(text) > 1 else None


def _goes_on(text: str, last: str, coded: bool) -> bool:
    """Whether a line belongs to the address above; after the postal code only a place, country or branch does."""
    if is_eastern(last):
        return is_eastern(text)
    if (not coded and not _is_region(last)) or find_regions(text[:60], UNKNOWN):
        return True
    complete = shapes.postal_end(last) == len(last)
    return not complete and (last.endswith(",") or _BRANCH.match(text) is not None)


def _is_region(text: str) -> bool:
    """Whether a line begins with the name of a state or a country."""
    found = find_regions(text[:60], UNKNOWN)
    return bool(found) and not text[: found[0].start].strip(" ,.(")


def _has_place(lines: Sequence[str]) -> bool:
    """Whether lines say more of an address than a number before some words, which a table or a till has, too."""
    if not any(shapes.names_place(text) or _is_region(text) or "," in text for text in lines):
        return False
    return len(lines) > 1 or any(map(str.isdigit, lines[0])) or is_eastern(lines[0])
