"""Ties: a value on the page belongs to a field, by the name that stands with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from paxman.classes import record
from paxman.currencies import MINOR_UNITS
from paxman.finding.choices import ANSWERS, beside_box, chosen, names_several
from paxman.finding.claims import Claim, Claims
from paxman.finding.features import BESIDE, NAMES, Signs, signs_of, weighed, weights
from paxman.finding.parties.line_shapes import is_street
from paxman.finding.parties.names import is_broken
from paxman.finding.parties.party_blocks import party_blocks_of
from paxman.finding.periods import asks_span, complete_date, period_ends
from paxman.finding.shapes import cut_to_shape, is_blank, names_nothing
from paxman.finding.wanted import Asked, Wanted
from paxman.lazy import lazy_pattern, remembered
from paxman.lexicon.folding import fold
from paxman.lexicon.lexicon import Lexicon
from paxman.page.names import Name, Page
from paxman.page.places import Place
from paxman.recognizers import Conventions, Reading, find, read_value
from paxman.recognizers.figures.currency_signs import codes_of
from paxman.recognizers.identifiers import read_vat_id
from paxman.recognizers.values import with_scheme
from paxman.types import FieldType, Span

_MOST_TEXT = 4000
_LONGEST_TEXT = 400
_BETWEEN = 40
_BENEATH = frozenset({"below", "section"})
_MOST_STREETS = 4
_FIGURED = frozenset({"phone", "iban", "vat_id", "tax_id"})
_TAX_IDS = frozenset({"vat_id", "tax_id"})
_COUNTRY = lazy_pattern(r"\b[A-Z]{2}[ -]?\Z")
_LONGEST_DAY = 24
_OTHER_PAPER = 0.78
_WHOLE = frozenset({"text", "address"})
_SUMS = frozenset({FieldType.DECIMAL, FieldType.MONEY, FieldType.INTEGER})
_WORDS = lazy_pattern(r"[^\W\d_][\w'’.-]*")
_VALUE_NEXT = lazy_pattern(r"[.#]?\s*[:：]\s*\S|[.#]?\s{1,20}[+(]?\d")
_FULL_STOP = lazy_pattern(r"(?<=[^\W\d_A-Z]{5})\.\Z")
_MOST_NAMED_WORDS = 40
_SENTENCE_END = lazy_pattern(r"\b[a-z]{2,}(?: [a-z]+){2,}[^:]*[.!?]\s*\Z")
_UNIT_BEHIND = lazy_pattern(r"[ \t]?([^\s\d,;:()\[\]]{1,10})(?![^\s,;.:()\[\]])")
_LONG_UNIT = 3
_THINGS = lazy_pattern(r"[ \t]([^\W\d_]{2,})\b")
_SMALL = 4
_AMOUNT_BEHIND = lazy_pattern(
    r"(?: ?[^\W\d_]{1,12})?(?:\t|[ \t]{2,})[^\n\d]{0,4}\d{1,3}(?:[.,' ]?\d{3})*[.,]\d\d(?![\d.,])"
)
_PRICED = (FieldType.DECIMAL, FieldType.MONEY)
_PERCENT = lazy_pattern(r"\s?%")


@record
class Tie:
    """A value that a name ties to a field: by which claim, at which place, and the signs with their weights."""

    field: int
    """Its number in `claims.wanted`."""
    name: Name
    place: Place
    claim: Claim
    reading: Reading
    signs: Signs
    witness: str = ""
    """A sum of the page that bears the value out, as it is printed."""

    @property
    def score(self) -> float:
        return self.signs.score


@record
class Find:
    """What may answer a field: a place, how well a name fits or why none is needed, and how far each sign holds."""

    field: int
    claim: Claim
    place: Place
    signs: Mapping[str, float] | Signs | None = None
    """None: those of a value that stands with its name, from `signs_of`."""
    name: Name | None = None
    reading: Reading | None = None
    """The value, where the finder read it; else the place is read as the field's type."""
    is_span: bool = False
    """Whether the name stands for both ends of a span of days."""
    witness: str = ""


def find_at(
    field: int, span: Span, reading: Reading | None, fit: float, asked: str, reason: str, signs: Mapping[str, float]
) -> Find:
    """What no name announces: it is found by where it stands."""
    return Find(
        field, Claim(fit, Asked((), fit, asked, "place"), reason), Place("alone", span, span), signs, None, reading
    )


def ties_of(page: Page, claims: Claims, how: Conventions, finds: Iterable[Find]) -> Iterator[Tie]:
    """The ties of what was found: each value read as its field's type, and its signs weighed."""
    for each in finds:
        wanted, place = claims.wanted[each.field], each.place
        reading = each.reading or read_place(page, place, wanted, how, claims, each.is_span)
        if reading is None:
            continue
        start = place.span[0]
        name = each.name or Name("", (start, start), page.lines.at(start), ())
        signs = each.signs
        if signs is None:
            signs = signs_of(page, name, place, each.claim, reading, wanted, claims)
        elif not isinstance(signs, Signs):
            signs = weighed(signs.items(), weights())
        yield Tie(each.field, name, place, each.claim, reading, signs, each.witness)


def named_finds(page: Page, claims: Claims) -> Iterator[Find]:
    """What stands with each name of the page that fits a scalar field of the contract."""
    if all(wanted.field.type in (FieldType.ARRAY, FieldType.OBJECT) for wanted in claims.wanted):
        return
    matters = first_document_types(page, claims.lexicon) or document_types(page, claims.lexicon)
    for name in page.names:
        found = claims.of(name.text, name.section)
        for field, claim in found.items():
            wanted = claims.wanted[field]
            if wanted.field.type in (FieldType.ARRAY, FieldType.OBJECT):
                continue
            claim = _lower_if_other_document_type(claim, wanted, matters, claims)
            for place in name.places:
                if _is_of_other(page, name, place, wanted, claims) or _breaks_off(name, place, claim, claims):
                    continue
                if page.menus and place.relation in _BENEATH and page.lines.at(place.span[0]) in page.menus:
                    continue
                if place.relation != "box" and says_nothing(page.text[slice(*place.span)], wanted, claims):
                    break  # Nothing is sought elsewhere then.
                yield Find(field, claim, place, name=name, is_span=asks_span(field, claim, found, claims))


def _is_of_other(page: Page, name: Name, place: Place, wanted: Wanted, claims: Claims) -> bool:
    """Whether a value whose name does not say whose it is stands in the block of another party than asked for."""
    if not wanted.owner or any(claims.lexicon.owners_of(claims.lexicon.parse(name.text))):
        return False
    return party_blocks_of(page, claims).is_of_other(
        place.span, frozenset(claims.lexicon.owners_of(wanted.owner_tokens))
    )


@remembered(lambda page, lexicon: (page.document.cache, id(lexicon)))
def document_types(page: Page, lexicon: Lexicon) -> frozenset[str]:
    """Which papers the titles of a page name: an order, a statement."""
    tokens = (token for span in page.titles for token in lexicon.parse(page.text[slice(*span)]))
    named = (token.concept for token in tokens if token.concept and token.concept.group == "matter")
    return frozenset(member for concept in named for member in concept.members)


def first_document_types(page: Page, lexicon: Lexicon) -> frozenset[str]:
    """What the first line is called that begins or ends with the name of a paper and says nothing else of it."""
    for span in sorted(page.titles):
        text = page.text[slice(*span)]
        concepts = [token.concept for token in lexicon.parse(text)]
        ends = [each for each in concepts[:1] + concepts[-1:] if each and each.group == "matter"]
        if ends and ":" not in text and not any(each and each.kind == "head" for each in concepts):
            return frozenset(member for each in ends for member in each.members)
    return frozenset()


def _lower_if_other_document_type(claim: Claim, wanted: Wanted, matters: frozenset[str], claims: Claims) -> Claim:
    """A claim, less sure where a name does not say of which paper, and the page is another than the field asks for."""
    own = wanted.phrases[0].phrase.sides.get("matter", set()) & claims.lexicon.papers
    said = claim.asked.phrase.sides.get("matter", set())
    asked = own or said & claims.lexicon.papers
    if not matters or not asked or not asked.isdisjoint(matters):
        return claim
    if claim.asked.source == "label" or (own and said) or (said and claim.asked.source == "name"):
        return claim
    return Claim(min(claim.fit, _OTHER_PAPER), claim.asked, f"{claim.reason}, on a page of another paper")


def _breaks_off(name: Name, place: Place, claim: Claim, claims: Claims) -> bool:
    """Whether a name ends in a small word that is none of the field's, and goes on below: "Jurisdiction of"."""
    last = name.text.rpartition(" ")[2].casefold()
    if place.relation not in _BENEATH or last not in claims.lexicon.stops:
        return False
    return claim.asked.text.rpartition(" ")[2].casefold() != last


def read_place(
    page: Page, place: Place, wanted: Wanted, how: Conventions, claims: Claims, period: bool = False
) -> Reading | None:
    """The value at a place as the field's type reads it, in the page's own offsets; of a `period` the end asked for."""
    span = place.block if wanted.kind in _WHOLE else place.span
    if wanted.kind in NAMES and place.relation in BESIDE and (rest := page.text[span[1] : place.block[1]].strip()):
        below = rest.partition("\n")[0]
        end = span[1] + page.text[span[1] : place.block[1]].index(below) + len(below)
        span = (span[0], end) if is_broken(page.text[slice(*span)], below) else span
    span = _with_streets(page, span) if wanted.kind == "address" else span
    if wanted.kind == "text" and not wanted.is_narrative and span[1] - span[0] > _LONGEST_TEXT:
        span = first_of_many(page.text, span)
        if span[1] - span[0] > _LONGEST_TEXT:
            return None  # A paragraph, where no account of something is asked for.
    start, end = span[0], min(span[1], span[0] + _MOST_TEXT)
    text, field = page.text[start:end], wanted.field
    first = page.text[start : place.span[1]]
    if place.relation == "box":
        reading = read_value(text, field, how) if field.type is FieldType.BOOLEAN else None
        return reading and reading.shifted(start)
    block = page.text[start : place.block[1]]
    choice = chosen(block, field) if field.type in ANSWERS else None
    if not choice and (is_blank(first) or first.rstrip().endswith(":") or says_nothing(first, wanted, claims)):
        return None
    if field.type not in ANSWERS:
        choice = (beside_box(text) if place.relation == "below" else None) or chosen(block, field)
    line = page.text[start : min(page.line_end(start), start + _MOST_TEXT)]
    if not choice and field.type in ANSWERS and names_several(line, field):
        return None
    if choice:
        text = block
        start, text = start + choice[0], text[choice[0] : choice[1]]
    if wanted.recognized in _FIGURED and not any(map(str.isdigit, text)):
        return None
    if wanted.recognized in _TAX_IDS and place.relation == "section":
        return None
    told = _told(text, page.text[max(0, start - _BETWEEN) : start], wanted, how)
    if not told and wanted.kind == "contact" and wanted.recognized:
        whole = page.text[start : page.paragraph_end(start)]
        told = _told(whole, "", wanted, how)
        if not told and wanted.recognized == "email":
            return None
        text = whole if told else text
    if told:
        return with_scheme(text, field, told).shifted(start)
    if field.type is FieldType.STRING:
        cut = _string_part(text, wanted)
        start, text = start + cut[0], text[cut[0] : cut[1]]
        text = text[: _next_name(text, page.text[start + len(text) : start + len(text) + _BETWEEN], claims)]
        if "\t" in text:  # The page takes bars for gaps.
            written = page.document.text[start : start + len(text)]
            text = "".join(bar if bar == "|" else sign for sign, bar in zip(text, written, strict=True))
    if not text.strip():
        return None
    if wanted.side and field.type is FieldType.DATE:
        ends = period_ends(text, how)
        if ends or period:
            return ends[wanted.side == "end"].shifted(start) if ends else None
    reading = read_value(text, field, how)
    if reading is None and field.type is FieldType.DATE and len(text) < _LONGEST_DAY:
        reading = complete_date(page.document, text, how)
    if reading is None or (field.type in _SUMS and not wanted.is_rate and _is_share(text, reading)):
        return None
    if field.type is FieldType.MONEY and place.relation == "section" and _is_bare(text, reading):
        return None
    if field.type in _PRICED and "amount" in wanted.phrases[0].phrase.heads and _counts_things(text, reading, claims):
        return None
    if field.type in _PRICED and _leads_amounts(page.text, start + reading.start, start + reading.end):
        return None
    if wanted.unit and _has_other_unit(page.text, start + reading.end, wanted.unit, claims):
        return None
    return reading.shifted(start)


def _with_streets(page: Page, span: Span) -> Span:
    """An address with the lines right below that go on with it."""
    if not len(page.lines):
        return span
    line = page.lines[page.lines.at(span[1] - 1)]
    for below in page.lines.after(line.number, _MOST_STREETS) if len(line.cells) == 1 else ():
        text = page.text[below.start : below.end]
        if below.blank or len(below.cells) > 1 or ":" in text or not is_street(text):
            break
        span = span[0], below.end
    return span


def _told(text: str, before: str, wanted: Wanted, how: Conventions) -> Reading | None:
    """What a recognizer tells in a text; the words before a tax number say whose check digits it has."""
    found = find(wanted.recognized, text, how) if wanted.recognized else ()
    if found and wanted.recognized in _TAX_IDS and _COUNTRY.search(text, 0, found[0].start):
        return None  # Its digits alone are another number, of another country.
    if found or wanted.recognized not in _TAX_IDS:
        return found[0] if found else None
    return read_vat_id(text, before.rpartition("\n")[2], how)


def first_of_many(text: str, span: Span) -> Span:
    """The first of the items that a long text counts; the whole text where it counts none."""
    first, end = cut_to_shape(text[span[0] : span[0] + _MOST_TEXT], "text")
    return (span[0] + first, span[0] + end) if end < min(span[1] - span[0], _MOST_TEXT) else span


def _is_share(text: str, reading: Reading) -> bool:
    return "%" in text[reading.start : reading.end] or _PERCENT.match(text, reading.end) is not None


def _has_other_unit(text: str, end: int, unit: str, claims: Claims) -> bool:
    """Whether another unit or currency stands behind a number than the one in which it is asked for."""
    behind = _UNIT_BEHIND.match(text, end)
    word = behind[1].casefold().rstrip(".") if behind else ""
    if word.upper() in MINOR_UNITS or unit.upper() in MINOR_UNITS:
        return word.upper() in MINOR_UNITS and word != unit
    if word not in claims.lexicon.units or word.strip("°") == unit:
        return False
    short, long = sorted((word, unit), key=len)
    return not (long.startswith(short) and (len(short) > 1 or len(long) > _LONG_UNIT))


def _is_bare(text: str, reading: Reading) -> bool:
    """Whether a plain number stands among words, which no currency makes an amount."""
    return text[reading.start : reading.end].isdigit() and bool(text[: reading.start].strip())


def _counts_things(text: str, reading: Reading, claims: Claims) -> bool:
    """Whether a word behind a plain number says what it counts: "8 trims" is no price."""
    behind = _THINGS.match(text, reading.end) if text[reading.start : reading.end].isdigit() else None
    word = behind[1].casefold() if behind else ""
    small = claims.lexicon.units | claims.lexicon.stops | claims.lexicon.per
    return bool(word) and word not in small and not codes_of(word) and not codes_of(word.upper())


def _leads_amounts(text: str, start: int, end: int) -> bool:
    """Whether a small whole number stands before amounts of its row: it counts things, or is the number of a note."""
    return end - start < _SMALL and text[start:end].isdigit() and _AMOUNT_BEHIND.match(text, end) is not None


def _next_name(text: str, behind: str, claims: Claims) -> int:
    """Where a label with a value of its own begins within a text: "Bob Smith Start date 12.05.2024"."""
    words = list(_WORDS.finditer(text))
    if len(words) < 3 or len(words) > _MOST_NAMED_WORDS or _SENTENCE_END.search(text):
        return len(text)
    colon, whole = text.rfind(":"), text + behind
    leads = [_VALUE_NEXT.match(whole, word.end()) is not None for word in words]
    for at in range(1, len(words)):
        if words[at - 1][0].casefold() in claims.lexicon.stops:
            continue  # Words lead to it that are left open then: "A Phase 3 study".
        if not words[at][0][0].isupper() and words[at].start() > colon:
            continue
        for last in range(min(len(words), at + 3) - 1, at - 1, -1):
            if leads[last] and claims.is_label(text[words[at].start() : words[last].end()]):
                return len(_FULL_STOP.sub("", text[: words[at].start()].rstrip(" ,;–—-(")))
    return len(text)


def _string_part(text: str, wanted: Wanted) -> Span:
    for pattern in wanted.shapes:
        found = list(pattern.finditer(text))
        if found:  # An address ends in its state and country.
            return found[-1 if wanted.kind == "place" else 0].span()
    return cut_to_shape(text, wanted.kind)


def says_nothing(text: str, wanted: Wanted, claims: Claims) -> bool:
    """Whether words stand where a value would and are none: "as defined in", "to be determined"; "none" is a choice."""
    is_choice = wanted.kind == "choice" and wanted.field.type is not FieldType.BOOLEAN
    if is_choice or wanted.field.constraint("pattern"):
        return False
    return claims.lexicon.says_nothing(fold(text[:60]).strip(" .:*")) or names_nothing(text.strip())
