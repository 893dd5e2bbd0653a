"""Which of the names at the top of a page is the issuer's, by what stands in the block of lines below each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from paxman.capabilities.page_lines import Chunk
from paxman.finding.parties import line_shapes as shapes
from paxman.recognizers.tables import pattern
from paxman.types import Span

_LEFT, _RIGHT = 1, 3
"""Columns between the edges of a block; right ones are ragged where letters differ in width."""
_GAP = 2
"""Ends of lines between two lines of a block at most."""
_FOOTER = 240
"""Characters behind a name in which the details of a company stand."""
_REACH = 60
"""Chunks behind a name among which its block is looked for."""
_MOST_NAMES = 24
_MOST = 8
_TO_PERSON, _UNTOLD, _OWN = range(3)


def issuers(text: str, head: Sequence[Chunk], names: Sequence[int], companies: Sequence[int]) -> tuple[int, ...]:
    """The index of the issuer among names at the top, and that of a rival: the first company, unless told otherwise.

    A tax number, an account or a telephone tells whose block it is; whoever has it beside or above a company
    without any is the issuer.
    """
    usual = companies[0]
    if len(names) == 1:
        return (usual,)
    rank = _rank(text, head, usual)
    own = (i for i in names[:_MOST_NAMES] if rank < _OWN and i not in companies and _heads_own(text, head, i, usual))
    others = sorted([*islice(own, 1), *(i for i in companies[1:_MOST_NAMES] if _heads_letter(text, head, i))])
    better = [i for i in others if _rank(text, head, i) > rank and _is_beside(text, head, usual, i)]
    equal = [i for i in others if _is_right_of(text, head[usual], head[i]) and _rank(text, head, i) == rank]
    if not (better or equal) or _is_told_below(text, head[usual]):
        return (usual,)
    if better and _has_other_id(text, head, better[0]):
        return (usual, better[0])
    return (better[0],) if len(better) == 1 else (usual, (better or equal)[0])


_ID = re.compile(r"\b(?:[A-Z]{2} ?\d\d[\d ]{6,12}\d|[A-Z]\d{8}|\d{11})\b(?! ?\d)")


def _has_other_id(text: str, head: Sequence[Chunk], index: int) -> bool:
    """Whether a tax number stands in the block of a name and another one elsewhere: buyers print theirs, too."""
    own = {number.replace(" ", "") for chunk in _block(text, head, index) for number in _ID.findall(chunk.text)}
    return bool(own) and any(number.replace(" ", "") not in own for number in _ID.findall(text))


def _heads_letter(text: str, head: Sequence[Chunk], index: int) -> bool:
    """Whether a company has an address; that of a bank stands beside the issuer's."""
    return not _BANK.search(head[index].text) and _has_street(text, head, index)


_BANK = re.compile(r"ban(?:k|que|co|ca)\b|sparkasse", re.IGNORECASE)


def is_for_person(text: str, head: Sequence[Chunk], index: int) -> bool:
    """Whether a person is named below a company, and no details of its own: whom a letter goes to."""
    return _rank(text, head, index) == _TO_PERSON


def is_addressed(text: str, head: Sequence[Chunk], index: int) -> bool:
    """Whether "To" or "Tenant" is before or over a name, or an honorific behind it, which nobody gives to himself."""
    name = head[index]
    before = text[head[index - 1].start : name.start] if index else ""
    if _is_couple(name.text) or pattern(_RECIPIENT).match(name.text):
        return True
    if before.count("\n") < 2 and pattern(_OVER).fullmatch(before):
        return True
    if (":" in before[:_LEAD] and _leads(before)) or (":" in name.text[:_LEAD] and _leads(name.text)):
        return True
    if before.count("\n") == 1 and len(before.strip()) < _LEAD and pattern(r"(?:{addressed}) ?:?\s*\Z").match(before):
        return True
    return names_honoured(text) and honorific_start(text, name) > 0


def is_dealt_for(text: str, head: Sequence[Chunk], names: Sequence[int], index: int) -> bool:
    """Whether a line such as "Concessionnaire agréé Renault" is no name: another stands by, and it heads no address."""
    if not shapes.may_lead_to_other(head[index].text):
        return False
    others = [i for i in names if not shapes.may_lead_to_other(head[i].text)]
    if index + 1 in others and "\n" in text[head[index].end : head[index + 1].start]:
        return True
    return bool(others) and (others[0] < index or not _has_street(text, head, index))


def names_honoured(text: str) -> bool:
    """Whether an honorific stands on the page."""
    return not text.isascii() and any(word in text for word in ("御中", "様", "殿"))


_LEAD = 6
_RECIPIENT = r"(?:{recipient}|{other_person})(?:[ -]names?)?\s?(?:[:：]|\Z)"
_OVER = r"(?:{recipient}|{other_person})(?:[ -]names?)?\s*[:：]?\s*"


def _is_couple(text: str) -> bool:
    """Whether a line begins with "Herrn" or "Mr and Mrs", as no shop is called; a company may be."""
    if not pattern(r"(?:{couple})(?:\s|\Z)(?!.*\bGbR\b)").match(text):
        return False
    return not shapes.legal_end(text) or "," in text


def _leads(text: str) -> bool:
    return pattern(r"(?:{addressed}) ?:(?![^\S\n]*\n)").match(text) is not None


def honorific_start(text: str, name: Chunk) -> int:
    """Where a name ends before "御中", or 0."""
    match = _HONORIFIC.search(name.text)
    if match:
        return name.start + match.start()
    return name.end if _HONORIFIC.match(text, name.end) else 0


_HONORIFIC = re.compile(r"(?<![\s\u3000])[ \t\u3000]*(?:御中|(?<![仕同模多異])様|(?<![宮神御])殿)(?!\S)")


def _rank(text: str, head: Sequence[Chunk], index: int) -> int:
    rank = _UNTOLD
    for place, chunk in enumerate(_block(text, head, index)):
        if place == 0 and shapes.is_attention(chunk.text):
            return _TO_PERSON
        if place == 0 and pattern(r"(?:{person_title})\s").match(chunk.text):
            rank = _TO_PERSON
        if _tells(chunk.text):
            return _OWN
    return rank


def _tells(text: str) -> bool:
    """Whether a company or tax number, an account or a contact stands in a line; bare figures may be any number."""
    return shapes.is_contact(text) or "IBAN" in text or (shapes.letters(text) > 1 and shapes.is_registration(text))


def _block(text: str, head: Sequence[Chunk], index: int) -> Iterator[Chunk]:
    """The chunks below a name at its left or right edge, up to a wide gap, another company, a title or a day."""
    name = last = head[index]
    for chunk in head[index + 1 : index + 1 + _REACH]:
        if abs(chunk.column - name.column) > _LEFT and abs(chunk.right - name.right) > _RIGHT:
            continue
        if text.count("\n", last.end, chunk.start) > _GAP or _ends_block(chunk.text):
            return
        yield chunk
        last = chunk


def _ends_block(text: str) -> bool:
    titled = shapes.is_title(text) and not _TAX_NUMBER.match(text)
    return titled or shapes.legal_end(text) > 0 or shapes.is_moment(text)


# Words for taxes are those of titles too: "TAX INVOICE".
_TAX_NUMBER = re.compile(r"(?:vat|gst|tax) ?(?:reg|id|no|nr|number)\b", re.IGNORECASE)


def _heads_own(text: str, head: Sequence[Chunk], index: int, usual: int) -> bool:
    """Whether a name without a legal form has an address and a tax number, or only a contact, but above another's."""
    if not _has_street(text, head, index):
        return False
    if any(shapes.is_registration(chunk.text) for chunk in _block(text, head, index)):
        return True
    return _is_apart(text, head, index, usual) and _has_street(text, head, usual)


def _has_street(text: str, head: Sequence[Chunk], index: int) -> bool:
    return any(shapes.is_street(chunk.text) for chunk in _block(text, head, index))


def _is_apart(text: str, head: Sequence[Chunk], index: int, usual: int) -> bool:
    """Whether a name stands above another one, not right over it in one block."""
    between = text[head[usual - 1].end : head[usual].start] if index < usual else ""
    aligned = abs(head[index].column - head[usual].column) <= _LEFT
    return between.count("\n") > (1 if aligned else 0)


def _is_right_of(text: str, name: Chunk, other: Chunk) -> bool:
    return name.end < other.start and "\n" not in text[name.end : other.start] and name.text != other.text


def _is_beside(text: str, head: Sequence[Chunk], usual: int, other: int) -> bool:
    """Whether a name stands above another one, or beside its block."""
    last = max([head[usual], *_block(text, head, usual)], key=lambda chunk: chunk.end)
    return head[other].start < last.end or "\n" not in text[last.end : head[other].start]


def _is_told_below(text: str, name: Chunk) -> bool:
    """Whether a name stands on the page again, with details of a company."""
    again = text.find(name.text, name.end)
    return again > 0 and any(map(_tells, text[again + len(name.text) : again + _FOOTER].split("\n")))


def _folded(text: str) -> str:
    """A text in which small and capital letters are one, also those with and without a dot."""
    return text.replace("İ", "i").casefold().replace("ı", "i")


def in_full(text: str, name: Chunk) -> Span | None:
    """Where a name stands again with its legal form: "Hotel Alder" and "Hotel Alder KG" in the last line."""
    words, rest = _SIGNS.split(name.text), _folded(text[name.end :])
    if not all(_folded(word) in rest for word in words):
        return None
    joined = r"[^\w\n]{1,3}".join(map(re.escape, words))
    again = re.compile(rf"(?<!\w)(?<![\w,.&-] ){joined}[ ,]", re.IGNORECASE)
    for match, _ in zip(again.finditer(text, name.end), range(_MOST), strict=False):
        whole = text[match.start() : match.start() + shapes.LONGEST].partition("\n")[0]
        if shapes.has_price(whole):
            continue  # An item, not a footer.
        line = whole.partition("  ")[0]
        more = line[match.end() - match.start() - 1 : shapes.form_start(line)].split()
        end = shapes.legal_end(line)
        if end and len(more) <= name.text.count(" ") and len(more) < _MORE:
            return match.start(), match.start() + end
    return None


# What a sign over the door has for blanks: "studio/nord".
_SIGNS = re.compile(r"[ /|·•_]{1,3}")
_MORE = 2
"""Words between a short name and the legal form, one more than there may be."""
