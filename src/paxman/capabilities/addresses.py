"""The postal address of who issued a paper: the lines below the name, as printed."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.buyers_papers import is_of_buyer, names_party
from paxman.capabilities.owners import owner_of_place
from paxman.capabilities.page_columns import columns_of
from paxman.capabilities.page_lines import Line, page_lines
from paxman.capabilities.parties import find_addressee, find_issuer, heads_items
from paxman.capabilities.unlabelled import kind_of
from paxman.capabilities.values import Found
from paxman.finding.parties import line_shapes as shapes
from paxman.recognizers.addresses import is_eastern
from paxman.recognizers.base import UNKNOWN
from paxman.recognizers.places import find_regions
from paxman.recognizers.tables import pattern
from paxman.transforms import run
from paxman.types import Span

_HEAD = 18
_MOST = 8
"""Lines that an address takes at most."""


def find_address(context: CapabilityContext) -> list[Found]:
    """The address of who issued the paper, or of the seller to whom it goes."""
    if is_of_buyer(context.document) and names_party(context, "seller"):
        return _below_name(context, find_issuer(context))
    return _in_letterhead(context)


def _in_letterhead(context: CapabilityContext) -> list[Found]:
    """The first block of address lines at the top of the page, in each column that has one."""
    columns = columns_of(page_lines(context.document)[:_HEAD])
    blocks = [spans for spans in map(_block, columns) if _has_place(context, spans) and _is_own(context, spans)]
    parted = len(blocks) > 1 or (len(columns) > 1 and any(_lacks_house(context, spans) for spans in blocks))
    if parted and not any(_is_whole(context, spans) for spans in blocks):
        whole = _block(page_lines(context.document)[:_HEAD])
        if _is_whole(context, whole) and _is_own(context, whole):
            return [_found(context, whole, alone=False)]
    first_end = min((spans[-1][1] for spans in blocks), default=0)
    blocks = [spans for spans in blocks if "\n" not in context.document.text[first_end : spans[0][0]]]
    return [_found(context, spans, alone=len(blocks) == 1) for spans in blocks]


def _is_own(context: CapabilityContext, spans: list[Span]) -> bool:
    """Whether a block is no value of a form, and no heading says that it is of somebody whom the paper is for."""
    start = spans[0][0]
    if _TOLD.search(context.document.text, max(0, start - _WIDEST), start) or _is_addressed(context, start):
        return False
    issuer = _ISSUERS[is_of_buyer(context.document)]
    return owner_of_place(context, start) in (None, issuer) and not _is_offered(context, start)


def _is_offered(context: CapabilityContext, start: int) -> bool:
    """Whether a place is within what the contract's field for the other party gets."""
    if is_of_buyer(context.document):
        return False
    others = (field for field in context.contract.leaves if kind_of(field) == "addressee_address")
    found = (each for field in others for each in find_addressee_address(attrs.evolve(context, field=field)))
    return any(each.ref.span and each.ref.span[0] <= start < each.ref.span[1] for each in found)


def _is_addressed(context: CapabilityContext, start: int) -> bool:
    """Whether "To" or a word for a customer leads the lines that a block stands in, or is over them."""
    lines = page_lines(context.document)
    number = bisect_right(lines, start, key=lambda line: line.start) - 1
    column, below = start - lines[number].start, lines[number].number
    for line in reversed(lines[max(0, number - _MOST) : number]):
        lead = _lead(line, column)
        if below - line.number > (2 if lead.endswith(":") else 1):
            return False
        if _leads(lead):
            return True
        below = line.number
    return False


def _lead(line: Line, column: int) -> str:
    """What begins a line over a column: the chunk there, or the label to its left."""
    near = [chunk.text for chunk in line.chunks if chunk.column <= column + _SLACK]
    return next((text for text in near[:-3:-1] if text.endswith((":", "："))), near[-1] if near else "")


_SLACK = 2


def _leads(text: str) -> bool:
    led = r"(?:{addressed}|{recipient})\s?[:：]|(?:{recipient}|{salutation}|{person_title})\s*:?\s*\Z|(?:{couple})\s"
    return pattern(led).match(text) is not None


_TOLD = re.compile(r"[:：][ \t]{2,80}\Z")
_WIDEST = 82


_ISSUERS = {False: "seller", True: "buyer"}


def find_addressee_address(context: CapabilityContext) -> list[Found]:
    """The address of whom the paper is for, or of the buyer who wrote it."""
    if is_of_buyer(context.document) and names_party(context, "buyer"):
        below = _below_name(context, find_addressee(context))
        own = [found for found in below if found.ref.span and owner_of_place(context, found.ref.span[0]) != "seller"]
        return own or _in_letterhead(context)
    return _below_name(context, find_addressee(context))


def _below_name(context: CapabilityContext, names: list[Found]) -> list[Found]:
    """The lines below a name, in its column."""
    name = next((found.ref for found in names if found.ref.span), None)
    if name is None or name.span is None:
        return []
    start, end = name.span
    lines = page_lines(context.document)
    first = bisect_right(lines, start, key=lambda line: line.start) - 1
    beside = _beside(context.document.text, end)
    if beside:
        return [_found(context, [beside], alone=False)]
    for column in columns_of(lines[first : first + _MOST]):
        own = next((at for at, line in enumerate(column) if line.start <= start < line.start + len(line.text)), None)
        if own is None:
            continue
        below = tuple(line for line in _unbroken(column[own:]) if line.start > end)
        if (spans := _block(below)) and _has_place(context, spans):
            return [_found(context, [*_led(below, spans[0]), *spans], alone=name.basis == "shape")]
    return []


def _led(lines: tuple[Line, ...], first: Span) -> list[Span]:
    """The lines between a name and the first that looks like an address: whatever stands there is part of it."""
    parts = [_address_part(line) for line in lines if line.span[1] < first[0] and not _names_person(line.plain)]
    return [part for part in parts if part] if all(parts) else []


def _names_person(text: str) -> bool:
    """Whether a line names who reads the letter within a company."""
    return shapes.is_attention(text) or pattern(r"(?:{person_title})\s").match(text) is not None


def _beside(text: str, end: int) -> Span | None:
    """What follows a name in its line, if that is an address."""
    rest = _REST.match(text, end)
    return rest.span(1) if rest and shapes.is_street(rest[1]) and any(map(str.isdigit, rest[1])) else None


_REST = re.compile(r"[,;][ \t]?(\S+(?: \S+){1,12})[ \t]*(?:$|[ \t]{2})", re.MULTILINE)


def _unbroken(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Lines up to the first gap between them."""
    cut = next((at for at, (a, b) in enumerate(pairwise(lines), 1) if b.number - a.number > 1), len(lines))
    return lines[:cut]


def _is_whole(context: CapabilityContext, spans: list[Span]) -> bool:
    text = " ".join(" ".join(context.document.text[start:end].split()) for start, end in spans)
    return shapes.has_postal_code(text) and shapes.is_numbered(text)


def _lacks_house(context: CapabilityContext, spans: list[Span]) -> bool:
    """Whether the column left of a block begins with the number of its house and goes on with places, if at all."""
    text = context.document.text
    house, *others = (text[text.rfind("\n", 0, start) + 1 : start].strip() for start, _ in spans)
    if len(house) > _LONGEST_HOUSE or not shapes.is_numbered(house) or shapes.is_numbered(text[slice(*spans[0])]):
        return False
    return all(not left or _is_postal(left) for left in others)


_LONGEST_HOUSE = 12


def _has_place(context: CapabilityContext, spans: list[Span]) -> bool:
    lines = [context.document.text[start:end] for start, end in spans]
    return any(map(_is_postal, lines)) and (len(lines) > 1 or any(map(str.isdigit, lines[0])) or is_eastern(lines[0]))


def _found(context: CapabilityContext, spans: list[Span], *, alone: bool) -> Found:
    whole = (spans[0][0], spans[-1][1])
    transforms = joining(context.document.text, spans, whole)
    value = run(transforms, context.document.text[whole[0] : whole[1]])
    sure = alone and shapes.has_postal_code(value) and len(spans) > 1 and shapes.is_numbered(value)
    sure = sure and not _may_be_name(context.document.text, spans[0])
    return Found(value, context.evidence(whole, transforms, basis="shape" if sure else "place"))


def _may_be_name(text: str, first: Span) -> bool:
    """Whether a number before some words may start the name of who issued the paper: none stands above it."""
    if not shapes.may_be_shop(text[slice(*first)]):
        return False
    return not _is_named(text[: first[0]].rstrip().rpartition("\n")[2].strip())


def _is_named(text: str) -> bool:
    if shapes.legal_end(text):
        return True
    return shapes.letters(text) > 2 and not (
        any(map(str.isdigit, text)) or shapes.is_title(text) or shapes.is_of_form(text)
    )


def _is_postal(text: str) -> bool:
    """Whether a line says more of an address than a number before some words, which a table or a till has too."""
    return shapes.names_place(text) or is_region(text) or "," in text


def joining(text: str, spans: list[Span], whole: Span) -> tuple[str, ...]:
    """How the lines become one text; those in between that are not part of it are left out."""
    if len(spans) == 1:
        return ()
    adjacent = all(text[a[1] : b[0]].isspace() for a, b in pairwise(spans))
    if adjacent:
        return ("fold",)
    parts = " ".join(f"{start - whole[0]}-{end - whole[0]}" for start, end in spans)
    return (f"join:{parts}", "fold")


def _block(lines: tuple[Line, ...]) -> list[Span]:
    """Spans of the address lines, from the first that looks like one until something else begins."""
    earlier: list[Span] = []
    spans: list[Span] = []
    last, coded = "", False
    for number, line in enumerate(lines):
        if spans and heads_items(line):
            break
        coded = shapes.has_postal_code(last) or (coded and bool(spans)) or _is_short_town(last, len(spans))
        part = _address_part(line)
        text = line.text[part[0] - line.start : part[1] - line.start] if part else ""
        if _names_company(line.plain):
            if coded and spans and line.number - lines[number - 1].number > 1:
                break  # The block of somebody else.
            earlier, spans, last = spans or earlier, [], ""
        elif not spans:
            if part and _starts(text, lines[number + 1 :]) and not (number == 0 and _is_sign(lines)):
                spans, last = [part], text
        elif part and _goes_on(text, last, coded):
            spans.append(part)
            last = text
        elif part or _ends(line.plain) or len(spans) == _MOST:
            break
    return spans or earlier


def _is_short_town(text: str, count: int) -> bool:
    """Whether a line below a street is a town with a postal code of four digits, or of three and two."""
    return count > 1 and _SHORT_TOWN.fullmatch(text) is not None


_SHORT_TOWN = re.compile(r"(?:\d{4}|\d{3} \d\d) {1,2}[A-ZÀ-Þ][^\W\d_](?:[^\W\d_]|[ .'’/-]){1,30}")


def _names_company(text: str) -> bool:
    return shapes.legal_end(text) > 0 and not shapes.has_postal_code(text)


def _address_part(line: Line) -> Span | None:
    """The part of a line that may belong to an address, before contacts and numbers begin."""
    start, end = line.span
    lead = _name_before(line.plain)
    start, text = start + lead, line.plain[lead:]
    cut = shapes.contact_start(text)
    if shapes.has_price(text) or shapes.is_title(text) or shapes.is_moment(text) or shapes.is_greeting(text):
        return None
    kept = text[:cut].rstrip(" (,-")
    if cut < len(text):
        return (start, start + len(kept)) if shapes.is_street(kept) and len(kept) > 5 else None
    if shapes.is_contact(text) or (shapes.is_registration(text) and not shapes.is_street(text)) or _is_label(text):
        return None
    return (start, end) if shapes.letters(text) > 1 else None


def _name_before(text: str) -> int:
    """How long the name of a company is that a sign parts from its address: "Acme Ltd · 1 High Street · Leeds"."""
    end = shapes.legal_end(text)
    sign = _SIGN.match(text, end) if end else None
    return sign.end() if sign and shapes.is_street(text[sign.end() :]) else 0


_SIGN = re.compile(r" ?[·•|*–—] ?| - ")


def _is_label(text: str) -> bool:
    return shapes.is_of_form(text) and not (shapes.is_numbered(text) and shapes.is_street(text))


def _starts(text: str, lower: tuple[Line, ...]) -> bool:
    """Whether a line is a street, and no name with a number before it."""
    if not shapes.is_street(text) or text.startswith("("):
        return False
    return not shapes.is_shop(text, (line.plain for line in lower))


def _is_sign(lines: tuple[Line, ...]) -> bool:
    return len(lines) > 1 and shapes.is_sign(lines[0].plain, lines[1].plain)


def _ends(text: str) -> bool:
    """Lines of contacts or numbers may stand inside an address; titles, moments and prices end it."""
    return not (shapes.is_registration(text) or shapes.is_contact(text))


def _goes_on(text: str, last: str, coded: bool) -> bool:
    """Whether a line belongs to the address above; after the postal code only a place, country or branch does."""
    if is_eastern(last):
        return is_eastern(text)
    if (not coded and not is_region(last)) or find_regions(text[:60], UNKNOWN):
        return True
    complete = shapes.postal_end(last) == len(last)
    return not complete and (last.endswith(",") or _BRANCH.match(text) is not None)


_BRANCH = re.compile(r"\d{1,5}[- ] ?[^\W\d_][^\d:]{2,40}\Z")


def is_region(text: str) -> bool:
    """Whether a line begins with the name of a state or a country."""
    found = find_regions(text[:60], UNKNOWN)
    return bool(found) and not text[: found[0].start].strip(" ,.(")
