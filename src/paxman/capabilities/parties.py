"""Who issued a paper, and to whom: names by their place, and by what stands beside them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

import attrs

from paxman.capabilities.address_blocks import address_blocks
from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.business_terms import ITEM_TERMS, label_terms
from paxman.capabilities.buyers_papers import is_of_buyer, is_of_either, may_be_of_buyer, names_party
from paxman.capabilities.clauses import names_agreement
from paxman.capabilities.letterheads import (
    honorific_start,
    in_full,
    is_addressed,
    is_dealt_for,
    is_for_person,
    issuers,
    names_honoured,
)
from paxman.capabilities.own_papers import begins_paper, ends_in_paper
from paxman.capabilities.page_columns import columns_of
from paxman.capabilities.page_lines import Chunk, Line, page_lines
from paxman.capabilities.party_names import (
    FORM,
    Name,
    ends_line,
    found_name,
    goes_on,
    is_company,
    legal_name,
    names_in,
    plain_name,
)
from paxman.capabilities.party_sections import is_salutation, named_under, names_in_sections, starts_of_others
from paxman.capabilities.values import Found
from paxman.contract.labels import compact_label
from paxman.finding.parties import line_shapes as shapes
from paxman.types import Span

_HEAD = 14
"""Lines at the top among which the issuer's name stands."""


def find_issuer(context: CapabilityContext) -> list[Found]:
    """The name of who issued the paper, or of the seller to whom it goes: under its heading, or else by its place."""
    if is_of_buyer(context.document):
        is_seller = names_party(context, "seller")
        return _named(context, "seller", leading=False) or _written_to(context) if is_seller else _written_by(context)
    return _named(context, "seller") or [found_name(context, name) for name in _in_head(context)]


def find_addressee(context: CapabilityContext) -> list[Found]:
    """The name of whom the paper is for, or of the buyer who wrote it: under its heading, or else by its place."""
    if is_of_buyer(context.document) and names_party(context, "buyer"):
        return _named(context, "buyer", leading=False) or _written_by(context)
    return _named(context, "buyer") or _written_to(context)


def _written_to(context: CapabilityContext) -> list[Found]:
    """Whom a paper is for by its place: behind "Messrs", or on top of an address that is not in the letterhead."""
    named = _named(context, "buyer", leading=True) if is_of_buyer(context.document) else []
    return named or [found_name(context, name) for name in islice(_above_address(context), 1)]


def _written_by(context: CapabilityContext) -> list[Found]:
    """Who wrote a paper of the buyer: behind "From", or else at the top, where it is not the seller."""
    named = _named(context, "seller", leading=True)
    sellers = {found.value for found in _named(context, "seller", leading=False) or _written_to(context)}
    names = (attrs.evolve(name, sure=False) for name in _in_head(context))
    return named or [found for found in (found_name(context, name) for name in names) if found.value not in sellers]


def find_organization(context: CapabilityContext) -> list[Found]:
    """The name in the letterhead for the only organization of a contract, unless the paper speaks of another one."""
    if not _is_only_party(context) or not _is_reached(_head(context)) or names_agreement(context.document.text):
        return []
    from paxman.capabilities.unlabelled import issuing_word

    found = [found_name(context, attrs.evolve(name, sure=False)) for name in _in_head(context)]
    word = issuing_word(context.field)
    return found if word and len(found) == 1 and _is_called(word, found[0].value, context.document.text) else []


def _is_only_party(context: CapabilityContext) -> bool:
    from paxman.capabilities.unlabelled import ORGANIZATION, kind_of

    others = (field for field in context.contract.leaves if field.path != context.field.path)
    return not any(ORGANIZATION & {*each.semantic_tags} or kind_of(each) in _PARTIES for each in others)


_PARTIES = ("issuer", "addressee", "signatories")


def _is_called(word: str, name: str, text: str) -> bool:
    """Whether a word such as "Hotel" stands nowhere but in a name; "Bank" must, for the issuer may have one."""
    said = re.compile(rf"(?<!\w)(?:{word.capitalize()}|{word.upper()})(?!\w)")
    own = len(said.findall(name)) * text.count(name)
    return own == len(said.findall(text)) and (own > 0 or word not in _SERVING)


_SERVING = ("bank", "carrier")


def _named(context: CapabilityContext, term: str, leading: bool | None = None) -> list[Found]:
    """The name under a heading that says the party, or else behind one that only leads to a name."""
    for lead in (False, True) if leading is None else (leading,):
        for own, spans in names_in_sections(context, term, leading=lead):
            start, end = spans[0][0], spans[-1][1]
            steps = () if len(spans) == 1 else (_joining(spans),)
            told = shapes.legal_end(context.document.text[start:end]) > 0
            sure = own or (told and not (lead and may_be_of_buyer(context.document)))
            return [found_name(context, Name((start, end), sure, steps))]
    return []


def _joining(spans: tuple[Span, ...]) -> str:
    return "join:" + " ".join(f"{start - spans[0][0]}-{end - spans[0][0]}" for start, end in spans)


def _above_address(context: CapabilityContext) -> Iterator[Name]:
    names = _named(context, "seller") or [found_name(context, name) for name in islice(_in_head(context), 1)]
    issuer = "".join(filter(str.isalnum, str(next((f.value for f in names), "")))).casefold()
    labels = _labels_of_forms(context)
    yield from _honoured(context)
    for block in address_blocks(context):
        block = block[max((i + 1 for i, chunk in enumerate(block) if chunk.start in labels), default=0) :]
        name = block[0].text if block else ""
        is_named = bool(block) and names_in(block, 0) and not shapes.leads_to_other(name)
        plain = ["".join(filter(str.isalnum, chunk.text)).casefold() for chunk in block]
        if is_named and issuer not in plain and not issuer.startswith(plain[0]):
            spans = named_under(*block[:2]) if is_salutation(name) and len(block) > 2 else (block[0].span,)
            yield Name((spans[0][0], spans[-1][1]), False, (_joining(spans),) if len(spans) > 1 else ())


def _honoured(context: CapabilityContext) -> Iterator[Name]:
    """Names before an honorific, companies first."""
    text = context.document.text
    if names_honoured(text):
        chunks = (chunk for line in page_lines(context.document)[:FORM] for chunk in line.chunks)
        spans = [(chunk.start, honorific_start(text, chunk)) for chunk in chunks]
        spans.sort(key=lambda span: not text[span[1] : span[1] + _WIDE].lstrip().startswith("御中"))
        yield from (Name(span, False) for span in spans if span[0] < span[1])


_WIDE = 40
"""Blanks that may stand before an honorific."""


def _labels_of_forms(context: CapabilityContext) -> frozenset[int]:
    """Where chunks start that are labels, for a number or a date stands right beside them, with no heading over it.

    So are those in the columns of several such.
    """
    lines = page_lines(context.document)[:FORM]
    pairs = [
        (label, value, above)
        for above, line in zip((None, *lines), lines, strict=False)
        for label, value in pairwise(line.chunks)
    ]
    valued = [(a, b) for a, b, above in pairs if _VALUE.fullmatch(b.text) and not (above and _is_headed(above, b))]
    columns = Counter((a.column, b.column) for a, b in valued)
    alike = (a.start for a, b, _ in pairs if columns[a.column, b.column] > 1)
    return frozenset((*alike, *(a.start for a, _ in valued)))


def _is_headed(above: Line, value: Chunk) -> bool:
    """Whether words stand over a number in its column."""
    return any(c.column == value.column and not any(map(str.isdigit, c.text)) for c in above.chunks)


_VALUE = re.compile(r"(?=\D{0,12}\d)[\w./-]{1,24}")


def _in_head(context: CapabilityContext) -> Iterator[Name]:
    """Names of who issued a paper by their place, less sure where they may be those of others."""
    head, text = _head(context), context.document.text
    names = _candidates(context, head)
    if not (any(shapes.may_lead_to_other(head[i].text) for i in names) or is_of_either(context.document)):
        yield from _chosen(context, head, names)
        return
    names = [i for i in names if not is_dealt_for(text, head, names, i)]
    yield from (attrs.evolve(name, sure=False) for name in _chosen(context, head, names))


def _candidates(context: CapabilityContext, head: list[Chunk]) -> list[int]:
    """Where names stand at the top that may be the issuer's."""
    others = starts_of_others(context, head[-1].end if head else 0)
    names = [i for i, chunk in enumerate(head) if names_in(head, i) and others.isdisjoint(_starts(chunk))]
    names = [i for i in names if not begins_paper(head[i].text) or shapes.names_trade(head[i].text)]
    names = [
        i for i in names if not (shapes.leads_to_other(head[i].text) or is_addressed(context.document.text, head, i))
    ]
    return _without_titles(context, head, names)


def _starts(chunk: Chunk) -> tuple[int, int]:
    """Where a chunk starts, and where what stands behind its label."""
    return chunk.start, chunk.end - len(chunk.text.replace("：", ":").partition(":")[2].lstrip())


def _chosen(context: CapabilityContext, head: list[Chunk], names: list[int]) -> Iterator[Name]:
    """The companies among names, or else the first one."""
    legal = [i for i in names if is_company(head[i].text) and not _is_past(head, i)]
    if legal and not (
        names[0] < legal[0] and (_wants_sign(context) or _heads_paper(context, head, names[0], legal[0]))
    ):
        yield from _companies(context, head, names, legal)
    elif names and _is_business(context, head):
        index = _first_business(context, head, names)
        full = None if _wants_sign(context) else _full_name(context, head[index])
        yield full or plain_name(head, index)


def _full_name(context: CapabilityContext, name: Chunk) -> Name | None:
    """A name with its legal form, as it stands further down for the issuer."""
    span = in_full(context.document.text, name)
    return Name(span, False) if span and span[0] not in starts_of_others(context, span[0]) else None


def _companies(context: CapabilityContext, head: list[Chunk], names: list[int], legal: list[int]) -> Iterator[Name]:
    """The company that issued the paper, or a name above it that stands with a legal form further down."""
    full = _full_name(context, head[names[0]]) if names[0] < legal[0] else None
    if full:
        yield full
        return
    text = context.document.text
    found = issuers(text, head, names, legal)
    sure = found == (names[0],) == (legal[0],) and ends_line(head[found[0]]) and not is_for_person(text, head, found[0])
    sure = sure and not (len(legal) > 1 and shapes.is_of_form(head[legal[0]].text))
    for index in found:
        name = legal_name(head, index) if index in legal else plain_name(head, index)
        yield name if sure else attrs.evolve(name, sure=False)


def _without_titles(context: CapabilityContext, head: list[Chunk], names: list[int]) -> list[int]:
    """Names without titles of papers; over an address, and without an agreement, a shop may be named so."""
    named = [i for i in names if not ends_in_paper(head[i].text)]
    if len(named) == len(names) or not _is_reached(head) or names_agreement(context.document.text):
        return named
    return [i for i in names if not ends_in_paper(head[i].text, or_shop=False)] or names


def _heads_paper(context: CapabilityContext, head: list[Chunk], first: int, later: int) -> bool:
    """Whether the letterhead of the first name is over where another stands: its address, then a title or a day."""
    between = iter([chunk.text for chunk in head[first + 1 : later]])
    own = any(shapes.is_street(text) or shapes.is_registration(text) for text in between)
    own = own and head[first].start not in _labels_of_forms(context)
    return own and any(shapes.is_title(text) or shapes.is_moment(text) for text in between)


def _is_business(context: CapabilityContext, head: list[Chunk]) -> bool:
    """Whether a page holds figures, or an address, contact or registration at its top: notes have no issuer."""
    figures = (any(map(str.isdigit, line.text)) for line in page_lines(context.document))
    if len(list(islice(filter(None, figures), _FIGURES))) == _FIGURES:
        return True
    return _is_reached(head)


def _is_reached(head: list[Chunk]) -> bool:
    """Whether an address, contact or registration stands at the top."""
    lines = (chunk.text for chunk in head)
    return any(shapes.is_contact(text) or shapes.is_street(text) or shapes.is_registration(text) for text in lines)


_FIGURES = 3
"""Lines with digits that a business paper has at least."""


def _wants_sign(context: CapabilityContext) -> bool:
    """Whether the field asks for the name over the door rather than that of the company behind it."""
    return bool(set(context.field.name_key.split()) & {"store", "shop", "restaurant", "outlet", "brand", "merchant"})


def _first_business(context: CapabilityContext, head: list[Chunk], names: list[int]) -> int:
    """The first name, unless it could be a person's and the next one speaks of trade."""
    first, below = head[names[0]].text, head[names[0] + 1 : names[0] + 2]
    if below and goes_on(first, below[0].text):
        return names[0]
    if " " in first and first.replace(" ", "").isalpha() and not shapes.names_trade(first):
        for index in names[1:2]:
            named = shapes.names_trade(head[index].text) and " " in head[index].text
            value = next((c for c in head[index + 1 : index + 2] if c.column > head[index].right), None)
            if (
                named
                and not (value and _VALUE.fullmatch(value.text))
                and not _heads_paper(context, head, names[0], index)
            ):
                return index
    return names[0]


def _head(context: CapabilityContext) -> list[Chunk]:
    """Chunks at the top of the page; where items stand beside them, those of a first column that a company heads."""
    lines = page_lines(context.document)[:_HEAD]
    head = _head_of(lines)
    if not head and lines and is_company(lines[0].chunks[0].text):
        return _head_of(columns_of(lines)[0])
    return head


def _head_of(lines: Sequence[Line]) -> list[Chunk]:
    """The chunks of lines up to the first with a price, or to the headings of items."""
    chunks: list[Chunk] = []
    for count, line in enumerate(lines):
        if (count > 2 and shapes.has_price(line.plain)) or heads_items(line):
            break
        for chunk in line.chunks:
            chunks += _letterhead(chunk)
    return chunks


def _letterhead(chunk: Chunk) -> list[Chunk]:
    """The name without a legal form and the address of a letterhead in one line: "Jane Roe - 1 High Street - Leeds"."""
    first = _BETWEEN.search(chunk.text)
    if first is None or not _BETWEEN.search(chunk.text, first.end()) or shapes.legal_end(chunk.text):
        return [chunk]
    address = chunk.text[first.end() :]
    if shapes.names_place(chunk.text[: first.start()]) or not shapes.names_place(address):
        return [chunk]
    start, lead = chunk.start, first.end()
    name = Chunk(start, start + first.start(), chunk.column, chunk.text[: first.start()])
    return [name, Chunk(start + lead, chunk.end, chunk.column + lead, address)]


_BETWEEN = re.compile(r" [-–—|•·*] ")


def heads_items(line: Line) -> bool:
    """Whether a line has two headings of a table of items, or more."""
    return len(line.chunks) > 1 and sum(map(_heads_item, line.chunks)) > 1


def _heads_item(chunk: Chunk) -> bool:
    return any(label_terms().get(key, ("",))[0] in ITEM_TERMS for key in compact_label(chunk.text))


def _is_past(head: list[Chunk], index: int) -> bool:
    return shapes.tells_past(head[index].text) or (index > 0 and shapes.tells_past(head[index - 1].text))
