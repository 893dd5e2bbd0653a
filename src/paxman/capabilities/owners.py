"""Whose a number or address on a page is: what its label and the heading above it say."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import pairwise

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.business_terms import DATES, ITEM_TERMS, NUMBERS, PARTIES, PERSONAL, party_called
from paxman.capabilities.buyers_papers import may_be_of_buyer
from paxman.capabilities.headings_over import heading_over
from paxman.capabilities.label_scan import Hit, Scan, scan_of
from paxman.contract.labels import fold_label, to_words
from paxman.contract.model import CanonicalField
from paxman.recognizers.tables import pattern

_BUYERS = (
    r"(?:ihre?[mnrs]?|your|customer|kunden?|client|votre|buyer|purchaser|käufers?|acheteur|acquirente|su|uw|twój|cliente"
    r"|comprador|nabywcy|klienta|klant|kundens|vostro|tuo|seu|sua|twojego|państwa|ditt|váš|vašeho)(?:['’]s)?"
)
_YOURS = re.compile(rf"\b{_BUYERS}(?:[ -]{{1,3}}\(?[^\W\d_]{{1,30}}\.?){{0,5}}[\s:.#(]*\Z", re.IGNORECASE)
# Whoever collects an amount names the account of who pays it.
_DEBITED = re.compile(
    r"direct debit|debited from|lastschrift|abgebucht|abbuch|eingezogen|einzug\b|prélèvement|prélev[ée]|domiciliaci"
    r"|adeudo|addebit|débito dire|debitad|incasso|afgeschreven|polecenie zapłaty|obciąż|autogiro|avtalegiro|inkas"
    r"|suoraveloitus|otomatik ödeme",
    re.IGNORECASE,
)
_OURS = re.compile(r"\b(?:our|unser|notre|nos\b|nuestr|nostr|noss|onze?\b|nasz|vår|vores|náš|naš|bizim)", re.IGNORECASE)
# Nearer than such a word, these say that the account is the other one.
_PAID_INTO = re.compile(
    _OURS.pattern + r"|überweis|transfer|virement|bonifico|overmak|overboek|przelew|överför|overfør|payable",
    re.IGNORECASE,
)
_OF_BUYER = re.compile(rf"\.?[ -]{{1,2}}\(?(?:[^\W\d_]{{1,5}}[ '’]){{0,2}}{_BUYERS}\b", re.IGNORECASE)
# "Customer service" and "your contact" are people of the seller.
_STAFF = re.compile(
    r"servi[cz]|support|\bcare\b|help|hotline|relation|atenci|assist|contact|partner|question|fragen|manager|advis|berat"
    r"|represent|bearbeiter|referent|interloc",
    re.IGNORECASE,
)
_BEFORE, _LONGEST = 24, 60
_SECTION, _LEFT, _RIGHT = 15, 40, 12
"""How many lines below a heading its block may reach, and how far to the right and to the left of it."""
_WIDE = 80
"""How far to the right of a heading its block may reach in the same line."""
_ALIGNED = 4
_MOST = 40
_PAYEES = {"payee": "seller"}
_AMOUNTS = frozenset(("total", "net", "subtotal", "amount_due"))


def party_of(field: CanonicalField) -> str | None:
    """The party that a field's name says."""
    words = fold_label(to_words(field.path)).split()
    pairs = map(" ".join, pairwise(words))
    party = next(filter(None, map(party_called, (*pairs, *words))), None)
    return _PAYEES.get(party or "", party)


def owner_of_label(scan: Scan, hit: Hit) -> str | None:
    """The party that a label names, or else the heading above it."""
    text = scan.page.text
    if _OF_BUYER.match(text, hit.end) or (_ACCOUNT.match(hit.key) and _is_debited(scan, hit.start)):
        return "buyer"
    if named := _named(text, max(0, hit.start - _BEFORE), hit.end):
        return named
    if pattern(_OF_PERSON).match(text, hit.end):
        return "other"
    return _owner_above(scan, hit.start, hit.line, hit.index, gaps=1)


def is_led_by_owner(scan: Scan, hit: Hit) -> bool:
    """Whether the words right before a label give what it names to the buyer or another person."""
    start = max(scan.page.line(hit.line).start, hit.start - _BEFORE)
    return start < hit.start and _named(scan.page.text, start, hit.start) is not None


def owner_of_place(context: CapabilityContext, start: int) -> str | None:
    """The party that the words before or over a place name, or else the heading of the block that it stands in."""
    scan = scan_of(context)
    number = scan.page.line_at(start)
    if named := _named(scan.page.text, max(scan.page.line(number).start, start - _LONGEST), start):
        return named
    if _BARE_ACCOUNT.match(scan.page.text, start) and _is_debited(scan, start):
        return "buyer"
    heading = heading_over(context.document, start)
    named = _named(scan.page.text, *heading) if heading else None
    if named and heading and (named == "other" or _KINDS.search(scan.page.text, *heading)):
        return named
    after = bisect_left(scan.hits, start, key=lambda hit: hit.start)
    return _owner_above(scan, start, number, after, gaps=0)


def _owner_above(scan: Scan, start: int, line: int, after: int, gaps: int) -> str | None:
    """The party that heads the block of lines which a place stands in."""
    heading = _heading(scan, start, line, after)
    if heading is None or not _is_one_block(scan, heading, start, after, gaps):
        return None
    if line > heading.line and _is_entry(scan, heading) and _is_apart(scan, heading, start, after):
        return None
    return _PAYEES.get(heading.term or "", heading.term)


def may_be_either(context: CapabilityContext, start: int, named: int) -> bool:
    """Whether a place stands below a party that is one of several entries, and may be of it or of the issuer.

    The words up to `named` do not say whose it is.
    """
    scan = scan_of(context)
    line, after = scan.page.line_at(start), bisect_left(scan.hits, start, key=lambda hit: hit.start)
    first = scan.page.line(line).start
    if _named(scan.page.text, first, named) or _OURS.search(scan.page.text, first, named):
        return False
    heading = _heading(scan, start, line, after)
    if heading is None or heading.line == line or not _is_one_block(scan, heading, start, after, gaps=0):
        return False
    if not _is_entry(scan, heading) or _has_counterpart(scan, heading, line):
        return False
    if heading.term == "seller" and not may_be_of_buyer(context.document):
        return False
    return _is_apart(scan, heading, start, after) or _is_pair(scan, heading.line - 1)


def _has_counterpart(scan: Scan, heading: Hit, line: int) -> bool:
    """Whether the label of a line stands below another party above the heading, too."""
    label, above = scan.first_on(line), scan.hits[max(0, heading.index - _MOST) : heading.index]
    parties = [hit.index for hit in above if hit.term in PARTIES and hit.term != heading.term]
    return bool(parties) and any(label and hit.key == label.key for hit in scan.hits[parties[-1] : heading.index])


def _is_entry(scan: Scan, heading: Hit) -> bool:
    """Whether a party stands beside its label, and no more lines of it below: "Customer: Bob Ltd"."""
    line, text = scan.page.line(heading.line), scan.page.text
    value = _MARKS.match(text, heading.end, line.end)
    start = value.end() if value else heading.end
    if start >= line.end or scan.starts_at(start):
        return False
    if scan.page.line(heading.line + 1).chunks:
        return _is_pair(scan, heading.line + 1)
    # What stands apart may be another heading.
    return scan.page.chunk_at(start) == scan.page.chunk_at(heading.start) or _is_pair(scan, heading.line + 2)


def _is_pair(scan: Scan, number: int) -> bool:
    """Whether a line begins with a label and goes on with a colon or a number."""
    chunks = scan.page.line(number).chunks if 0 <= number < len(scan.page) else ()
    if not chunks:
        return False
    start, end, text = chunks[0][0], chunks[-1][1], scan.page.text
    return _COLON.match(text, start, end) is not None or (
        scan.starts_at(start) and any(map(str.isdigit, text[start:end]))
    )


def _is_apart(scan: Scan, entry: Hit, start: int, after: int) -> bool:
    """Whether a blank line or an entry about the paper itself, such as its date, parts a place from one above it."""
    about = [hit for hit in scan.hits[entry.index + 1 : after] if hit.line > entry.line and hit.term in _OF_PAPER]
    if any(not _is_beside(scan, entry, start, hit) for hit in about):
        return True
    return not all(scan.page.line(number).chunks for number in range(entry.line + 1, scan.page.line_at(start)))


_MARKS = re.compile(r"[\s:.#=*-]*")
_COLON = re.compile(r"[^\W\d_](?: ?[^:：\s]){0,40}\s*[:：]")
_OF_PAPER = (DATES | NUMBERS) - PERSONAL - {"customer_number"}


def _named(text: str, start: int, end: int) -> str | None:
    """Whose the words that end a text say that something is: the buyer's, or another person's."""
    if _is_yours(text, start, end):
        return "buyer"
    person = pattern(_PERSONS).search(text, start, end)
    return "other" if person and not _STAFF.search(text, start, end) and not _OURS.search(text, start, end) else None


_PERSONS = r"\b(?:{other_person})(?:['’]s)?(?:[ -]{1,3}\(?[^\W\d_]{1,30}\.?){0,3}[\s:.#(]*\Z"

_OF_PERSON = r"\.?[ -]{1,2}\(?(?:[^\W\d_]{1,5}[ '’]){0,2}(?:{other_person})\b"


def _is_yours(text: str, start: int, end: int) -> bool:
    """Whether the words before a place speak of the buyer, and not of who serves them."""
    yours = _YOURS.search(text, start, end)
    return yours is not None and not _STAFF.search(text, start, end) and not _OURS.search(text, yours.start(), end)


def _is_debited(scan: Scan, start: int) -> bool:
    """Whether the words before a place, or those up to the end of its sentence, tell of an account that is debited."""
    text, number = scan.page.text, scan.page.line_at(start)
    line, above = scan.page.line(number), scan.page.line(max(0, number - 1))
    wraps = len(above.chunks) == 1 and above.end - above.start > _WRAPPED and start - line.start < _BEFORE
    first = above.start if wraps and text[above.end - 1] not in ".:" else line.start
    before = text[max(first, start - _SENTENCE) : start].rpartition(". ")[2]
    told = list(_DEBITED.finditer(before))
    if told:
        return not _PAID_INTO.search(before, told[-1].end())
    after = text[start : min(line.end, start + _SENTENCE)].partition(". ")[0]
    return _DEBITED.search(after) is not None and not _PAID_INTO.search(before)


# Under "Your order" may stand whatever the seller has.
_KINDS = re.compile(
    r"mail|phone|\bt[eé]l|mobil|handy|puhelin|fax|iban|\bbic|swift|account|konto|compte|cuenta|\bcont[oa]|rekening|\bvat"
    r"|\btax|\bust|\btva|\biva|\bbtw|\bnip|\bnif|moms|\bgst|steuer|\burl|\bweb|\bsite|postal|postcode|\bzip|\bplz|addres"
    r"|adress",
    re.IGNORECASE,
)
_SENTENCE, _WRAPPED = 160, 40
"""Characters of a sentence that are looked at, and of a line that may go on in the next."""
_ACCOUNT = re.compile("iban|account|konto|compte|cuenta|conto|conta|rekening")
_BARE_ACCOUNT = re.compile(r"[A-Z]{2}\d\d")


def _is_one_block(scan: Scan, heading: Hit, start: int, after: int, gaps: int) -> bool:
    """Whether neither more blank lines below the first text nor a table or sum part a place from the heading above."""
    others = [h for h in scan.hits[heading.index + 1 : after] if h.term in ITEM_TERMS or h.term in _AMOUNTS]
    if any(not _is_beside(scan, heading, start, hit) for hit in others):
        return False
    filled = [bool(scan.page.line(number).chunks) for number in range(heading.line + 1, scan.page.line_at(start))]
    return filled[filled.index(True) :].count(False) <= gaps if True in filled else True


def _is_beside(scan: Scan, heading: Hit, start: int, hit: Hit) -> bool:
    """Whether a label stands in a column to the right of a place and its heading: "Bill to      Order details"."""
    page, at = scan.page, _column(scan, heading.start)
    place = page.line(page.line_at(start)).chunks[page.chunk_at(start)]
    chunks, index = page.line(hit.line).chunks, page.chunk_at(hit.start)
    if _column(scan, chunks[index][0]) <= max(at, _column(scan, place[0])) + _ALIGNED:
        return False
    if len({item.term for item in scan.items_on(hit.line)}) > 1:
        return False
    own = [chunk for chunk in chunks[:index] if abs(_column(scan, chunk[0]) - at) <= _ALIGNED]
    return any(chunk[0] == heading.start or not _is_labelled(scan, *chunk) for chunk in own)


def _is_labelled(scan: Scan, start: int, end: int) -> bool:
    return scan.starts_at(start) or _COLON.match(scan.page.text, start, end) is not None


def _column(scan: Scan, position: int) -> int:
    return position - scan.page.line(scan.page.line_at(position)).start


def _heading(scan: Scan, start: int, line: int, after: int) -> Hit | None:
    """The heading of a party over a place: in its column, else the last one, of several the nearest."""
    column = start - scan.page.line(line).start
    found = []
    for hit in reversed(scan.hits[max(0, after - _MOST) : after]):
        if line - hit.line > _SECTION:
            break
        offset = column - (hit.start - scan.page.line(hit.line).start)
        reach = _WIDE if hit.line == line else _LEFT
        if hit.term in PARTIES and -_RIGHT <= offset < reach and _heads(scan, hit):
            found.append((abs(offset) > _ALIGNED, -hit.line, abs(offset), hit))
    return min(found, key=lambda each: each[:3])[3] if found else None


def _heads(scan: Scan, hit: Hit) -> bool:
    """Whether a label starts its chunk and is no part of a longer one: "Customer phone" heads nothing."""
    following, chunk = scan.after(hit), scan.page.line(hit.line).chunks[scan.page.chunk_at(hit.start)]
    if chunk[0] != hit.start:
        return False
    if following and following.term not in PARTIES and following.start < min(chunk[1], hit.end + 2):
        return False
    return not _STAFF.search(scan.page.text[hit.end : min(chunk[1], hit.end + _BEFORE)].partition(":")[0])
