"""Blocks of lines that belong to a party, for a heading such as "Seller" or "Bill to" stands over or before them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

import attrs

from paxman.classes import record
from paxman.finding.claims import Claims
from paxman.finding.parties import line_shapes as shapes
from paxman.finding.parties.names import is_rest, names_detail
from paxman.finding.parties.pieces import Piece, gap_above, pieces_of, rows_below
from paxman.finding.wanted import members_of
from paxman.lazy import lazy_pattern, remembered
from paxman.lexicon.lexicon import Lexicon
from paxman.page.names import Page
from paxman.recognizers.tables import match_lead
from paxman.types import Span

_LONGEST_HEADING = 50
_MOST_ROWS = 14
_FARTHEST = 3
"""Blank lines between a heading and its block at most."""
_MOST_LINES = 400
_NAMING = frozenset({"name", "company", "person", "address", "place", "description"})
"""Head nouns that a heading of a party may have: "Customer name and address"."""
_COLON = lazy_pattern(r"\s*[:：]\s*")
_WORD = lazy_pattern(r"\S+\s*")
_LEADS = {"recipient": r"(?:{addressed})\s*[:：]", "holder": r"(?:{recipient}|{salutation})\s*[:：]"}
"""Who is named behind words that lead to a party: whom the page goes to, or somebody who may be neither side of it."""


@record
class OwnedRow:
    """A line of a block: its label, if it has one, and what it says."""

    label: str
    piece: Piece


@record
class OwnedBlock:
    """Whose a block is, the words that say so, and its lines."""

    owners: frozenset[str]
    heading: Piece
    rows: tuple[OwnedRow, ...]
    alone: bool
    """Whether its heading has a line for itself."""

    @property
    def is_plain(self) -> bool:
        """Whether it is plainly a block of a party: by a heading of its own or with a colon, or a street in it."""
        return self.alone or ":" in self.heading.text or self.is_addressed

    @property
    def is_addressed(self) -> bool:
        """Whether a street stands in it."""
        return any(shapes.is_street(row.piece.text) for row in self.rows)


class Owned:
    """The owned blocks of a page, and whose each place of it is."""

    def __init__(self, page: Page, claims: Claims) -> None:
        self._page, self._claims, self._lexicon = page, claims, claims.lexicon
        lines = [pieces_of(page, line) for line in page.lines.head(_MOST_LINES)]
        self._headings = {p.span: found for row in lines for p in row if (found := self._heading(p))}
        made = (self._block(p, row) for row in lines for p in row if p.span in self._headings)
        self.blocks = tuple(block for block in made if block.rows)
        rows = sorted((r.piece.span, number) for number, block in enumerate(self.blocks) for r in block.rows)
        self._starts, self._spans = [span[0] for span, _ in rows], rows

    def owners_at(self, position: int) -> frozenset[str]:
        """Whose the words at a position are; empty where no heading says it."""
        at = bisect_right(self._starts, position) - 1
        if at < 0 or position >= self._spans[at][0][1]:
            return frozenset()
        return self.blocks[self._spans[at][1]].owners

    def is_of_other(self, span: Span, owners: frozenset[str]) -> bool:
        """Whether a heading says that what stands at a place, or begins there, is of somebody else."""
        found = self._headings[span][0] if span in self._headings else self.owners_at(span[0])
        return bool(found) and not self._lexicon.agree(found, owners)

    def _heading(self, piece: Piece) -> tuple[frozenset[str], int] | None:
        """Whose what a piece heads is, and where that begins in the piece."""
        colon = _COLON.search(piece.text)
        text = piece.text[: colon.start()] if colon else piece.text
        if not text or len(text) > _LONGEST_HEADING or any(map(str.isdigit, text)) or text[-1] in ",.":
            return None
        owners = owners_in(text, self._lexicon)
        if not owners and not colon:
            # Whose what follows words such as "Remit to" is, in one piece with them.
            first = next(iter(self._lexicon.parse(text)), None)
            words = first.word.count(" ") + 1 if first and first.concept and first.concept.kind == "owner" else 0
            lead = list(_WORD.finditer(text))[:words]
            if not first or words < 2 or len(lead) < words or lead[-1].end() == len(text):
                return None
            return frozenset(self._lexicon.owners_of((first,))), lead[-1].end()
        if not owners and colon:
            owners = frozenset([owner for owner, lead in _LEADS.items() if match_lead(lead, piece.text)][:1])
        return (owners, colon.end() if colon else len(piece.text)) if owners else None

    def _block(self, heading: Piece, row: Sequence[Piece]) -> OwnedBlock:
        beside = [piece for piece in row if piece.start > heading.start]
        heads = self._heads_columns(heading, beside[:1])
        rows = tuple(self._rows(heading, () if heads else beside))
        block = OwnedBlock(self._headings[heading.span][0], heading, rows, len(row) == 1)
        return attrs.evolve(block, rows=()) if heads and not block.is_addressed else block

    def _heads_columns(self, heading: Piece, beside: Sequence[Piece]) -> bool:
        """Whether a heading and what stands beside it are heads of columns, for something stands below each of them."""
        if not beside or heading.text.endswith(":") or beside[0].span in self._headings:
            return False
        below = [next(rows_below(self._page, piece, 1), None) for piece in (heading, *beside)]
        if below[0] is None or below[1] is None or below[0] == below[1] or self._is_label(below[0]):
            return False
        return self._is_label(beside[0]) or (beside[0].text.isalpha() and not beside[0].text.isupper())

    def _rows(self, heading: Piece, beside: Sequence[Piece]) -> Iterator[OwnedRow]:
        behind = self._headings[heading.span][1]
        last = heading
        if behind < len(heading.text):
            last = heading.part(behind, len(heading.text))
            yield OwnedRow("", last)
        elif beside and beside[0].span not in self._headings:
            # What stands beside a heading, or a label of its own and what that names.
            if not self._is_label(beside[0]):
                yield OwnedRow("", beside[0])
                below = next(rows_below(self._page, beside[0], 1), None)
                if below and not gap_above(self._page, beside[0], below) and is_rest(below.text):
                    yield OwnedRow("", below)
            elif len(beside) > 1 and beside[0].text.endswith(":"):
                yield OwnedRow(beside[0].text.rstrip(" :"), beside[1])
        yield from self._below(heading, last)

    def _below(self, heading: Piece, last: Piece) -> Iterator[OwnedRow]:
        begun = last is not heading
        for piece in rows_below(self._page, heading, _MOST_ROWS):
            gap = gap_above(self._page, last, piece) if piece.line > last.line else 0
            if piece.span in self._headings or gap > _FARTHEST or shapes.has_price(piece.text):
                return
            if begun and gap and not names_detail(piece.text):
                return
            if shapes.is_title(piece.text) and not shapes.is_registration(piece.text):
                return
            yield self._row(piece)
            begun, last = True, piece

    def _row(self, piece: Piece) -> OwnedRow:
        """A line of a block as label and value, where it has both."""
        colon = _COLON.search(piece.text)
        if colon and colon.end() < len(piece.text):
            return OwnedRow(piece.text[: colon.start()], piece.part(colon.end(), len(piece.text)))
        row = pieces_of(self._page, self._page.lines[piece.line])
        beside = next((other for other in row if other.start > piece.start), None)
        if beside and (colon or self._is_label(piece)):
            return OwnedRow(piece.text.rstrip(" :"), beside)
        return OwnedRow("", piece)

    def _is_label(self, piece: Piece) -> bool:
        if piece.text.endswith((":", "：")) or shapes.is_label(piece.text):
            return True
        return self._lexicon.is_caption(piece.text) or self._claims.is_label(piece.text)


def owners_in(text: str, lexicon: Lexicon) -> frozenset[str]:
    """The parties that words name and nothing else: "Seller", "Bill to", "Customer name and address"."""
    squeezed = "".join(text.split())
    for said in (squeezed, text) if squeezed != text and text.count(" ") <= 2 else (text,):
        tokens = lexicon.parse(said)
        owners = frozenset(lexicon.owners_of(tokens))
        plain = [token for token in tokens if not token.small and not any(lexicon.owners_of((token,)))]
        heads = frozenset(members_of(plain, "head"))
        if owners and heads <= _NAMING and all(token.concept and token.concept.kind == "head" for token in plain):
            return owners
    return frozenset()


@remembered(lambda page, claims: (page.document.cache, id(claims)))
def party_blocks_of(page: Page, claims: Claims) -> Owned:
    """The owned blocks of a page, found once."""
    return Owned(page, claims)
