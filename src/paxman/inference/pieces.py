"""Long documents in overlapping pieces that fit a model, the likely ones first, and the pictures that belong to one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from paxman.contract.labels import fold_label
from paxman.contract.model import CanonicalField
from paxman.documents.document import Document
from paxman.inference.provider import Picture, Sight
from paxman.types import Span

_OVERLAP = 10
_FEWEST_LETTERS = 3


def cut(text: str, whole: Span, most_bytes: int) -> list[Span]:
    """Spans of at most so many bytes, each ending at a line or a space if it can, a tenth shared with the next."""
    start, end = whole
    pieces: list[Span] = []
    while start < end:
        stop = _stop(text, start, end, most_bytes)
        pieces.append((start, stop))
        if stop >= end:
            break
        start = max(stop - max((stop - start) // _OVERLAP, 1), start + 1)
    return pieces


def touches(document: Document, number: int, piece: Span) -> bool:
    """Whether a page, which may have no text, belongs to a piece."""
    return any(
        page.number == number and page.span[0] <= piece[1] and piece[0] <= page.span[1] for page in document.pages
    )


def pictures_of(document: Document, piece: Span, sight: Sight, most_tokens: int) -> tuple[Picture, ...]:
    """Pages of a piece that show more than their text says, at the size that the model reads, up to so many tokens."""
    pages = [page for page in document.pages if touches(document, page.number, piece)]
    sizes = {page.number: sight.fit(page.width or 1, page.height or 1) for page in pages}
    least = min((sight.tokens(*size) for size in sizes.values()), default=1)
    pictures: list[Picture] = []
    for number, png in document.draw(sizes, max(most_tokens // least, 1)).items() if sizes else ():
        width, height = (int.from_bytes(png[at : at + 4], "big") for at in (16, 20))
        picture = Picture(png, number, sight.tokens(width, height))
        if sum(each.tokens for each in (*pictures, picture)) <= most_tokens:
            pictures.append(picture)
    return tuple(pictures)


def _stop(text: str, start: int, end: int, most_bytes: int) -> int:
    window = text[start : min(end, start + most_bytes)]
    encoded = window.encode("utf-8", "replace")
    if len(encoded) <= most_bytes:
        stop = start + len(window)
    else:
        stop = start + max(len(encoded[:most_bytes].decode("utf-8", "ignore")), 1)
    if stop >= end:
        return end
    half = start + (stop - start) // 2
    line = text.rfind("\n", half, stop)
    space = line if line >= 0 else text.rfind(" ", half, stop)
    return space + 1 if space >= 0 else stop


def by_likelihood(text: str, pieces: Sequence[Span], fields: Iterable[CanonicalField]) -> list[Span]:
    """Pieces that hold more of the fields' words first; the order of the document decides between equals."""
    if len(pieces) == 1:
        return list(pieces)
    words = _words(fields)
    return sorted(pieces, key=lambda piece: (-_hits(text[piece[0] : piece[1]], words), piece))


def _words(fields: Iterable[CanonicalField]) -> dict[str, int]:
    """What a piece with the value would say: whole labels weigh more than single words of a description."""
    words: dict[str, int] = {}
    for field in fields:
        for phrase in (*field.label_keys, field.name_key):
            words[phrase] = 4
        for word in fold_label(field.description).split():
            if len(word) > _FEWEST_LETTERS:
                words.setdefault(word, 1)
    return {word: weight for word, weight in words.items() if word}


def _hits(text: str, words: dict[str, int]) -> int:
    folded = f" {fold_label.__wrapped__(text)} "
    return sum(weight for word, weight in words.items() if f" {word} " in folded)
