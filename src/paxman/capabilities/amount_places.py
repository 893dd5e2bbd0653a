"""Amounts that stand with one label: beside it, below it, or in the totals row of its column."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

import attrs

from paxman.capabilities.business_terms import NO_SUMS, TAXES, label_terms
from paxman.capabilities.label_binding import FIRST_FALLBACK, STEM, Binding
from paxman.capabilities.label_layout import (
    LONGEST_LINE,
    WORDS,
    Reader,
    Relation,
    Spot,
    below,
    beside,
    between,
    heads_items,
    is_labelled,
    modified,
    under,
)
from paxman.capabilities.label_scan import Hit
from paxman.capabilities.line_shapes import is_street, legal_end
from paxman.contract.labels import compact_label, compact_word
from paxman.currencies import MINOR_UNITS
from paxman.documents.document import Document
from paxman.documents.visual_lines import Page
from paxman.recognizers import Reading
from paxman.recognizers.broken import is_torn
from paxman.recognizers.currency_names import codes_of
from paxman.recognizers.ranges import gap_between
from paxman.recognizers.words import AND, OR, TO
from paxman.types import RAISED, FieldType, Money, Span

_INCLUDED = re.compile(
    r"(?:\b(?:inc\w{0,8}|with|w|inkl|einschl|mit|ttc|comprise|incluido|inclusa|incluso|inclusief|met|z)\b"
    r"[\s.,]{0,3}(?:of|de|der)?[\s.,@]{0,3}(?:\d{1,2}(?:[.,]\d{1,2})? ?%[\s.,]{0,3})?|\([^()\n]{0,20})\Z",
    re.IGNORECASE,
)
_EXCLUDED = re.compile(
    r"[\s(.,-]{0,4}(?:excl|excluding|exclusive|before|without|w/o|ex|ohne|exkl|hors|sans|sin|esclusa|sem|exclusief|bez|zzgl)\b",
    re.IGNORECASE,
)
_WITHOUT = re.compile(
    r"\b(?:excl\w{0,6}|exkl|ohne|hors|sans|sin|senza|sem|without|before|bez|exclusief)[\s.]{1,3}\Z", re.IGNORECASE
)
# A total of what is taxed at one rate is a part of the total.
_ONE_RATE = re.compile(r"[\s.(\[-]{0,3}(?:\d{1,2}(?:[.,]\d{1,2})? ?)?%")
_GLUED = re.compile(r"\d+(?![\d.,])")
_RATE = re.compile(r"[\s.(\[-]{0,3}%(?!\d)")
_CONTAINS = re.compile(r"[ ]?(?:included|includes) (?:of )?(?:gst|tax|vat|sst)\b", re.IGNORECASE)
_TOTALS = frozenset({"total", "amount_due"})
_TIPS = frozenset({"tip"})
_BLANK = r"[\s:.$€£_]{0,40}"
_LABEL = r"([^\W\d_][^\n\d:$€£_]{1,30}?)"
_OPEN_LINES = re.compile(rf"^[ \t]*{_LABEL}{_BLANK}\n[ \t]*(?={_LABEL}{_BLANK}$)", re.MULTILINE)
"""Two labels one below the other, neither with a value."""
_HELD = re.compile(r"\bpre-?[ ]?authori[sz]ation\b", re.IGNORECASE)
_CENTS = re.compile(r"\d[.,]\d\d(?![\d.,/])")
_MOST_ROWS = 60
MOST_PARTS = 12


def amount_of(reading: Reading) -> Decimal:
    value = reading.value
    return value.amount if isinstance(value, Money) else value


def is_open(document: Document) -> bool:
    """Whether a slip leaves its total to be written below a tip, or only holds an amount on a card."""
    if "is_open" not in document.cache:
        pairs = (match.groups() for match in _OPEN_LINES.finditer(document.text))
        below_tip = any(_means(one, _TIPS) and _means(two, _TOTALS) for one, two in pairs)
        document.cache["is_open"] = below_tip or _HELD.search(document.text) is not None
    return bool(document.cache["is_open"])


def _means(label: str, terms: frozenset[str]) -> bool:
    return any(not terms.isdisjoint(label_terms().get(key, ())) for key in compact_label(label))


def spot_amounts(reader: Reader, binding: Binding, hit: Hit, rank: int) -> Iterator[Spot]:
    """The amount that stands with a label; two where neither is the one."""
    if _is_no_label(reader, binding, hit):
        return
    weak = int(modified(reader, hit)) + (binding.term in _TOTALS and hit.term == "line_total")
    relation: Relation = "beside"
    values = beside_label(reader, hit)
    if all(_is_percent(reader, reading) for reading in values):
        relation, values = _under_label(reader, hit)
    if not values or (relation != "column" and _is_other(reader, binding, hit)):
        return
    heads = _row_heads(reader, hit, values) if relation == "beside" else []
    explained = _explained(reader, binding, heads)
    unclear = explained is None and bool(heads) and _are_several(reader, values) and hit.term in _TOTALS
    if unclear and rank >= FIRST_FALLBACK:
        return
    reading = explained or _pick(reader, values, binding)
    if amount_of(reading).as_tuple().exponent == 0 and _is_torn(reader, hit, reading):
        return
    priced = is_priced(reader, reading) or (rank in (0, STEM) and _is_measure(reader, binding, hit, reading))
    if not priced and (_writes_cents(reader) or (binding.term != "count" and _counts(reader, hit, reading))):
        return
    if not priced and binding.term not in NO_SUMS and _is_of_house(reader, reading):
        return
    if relation == "below" and len(reader.page.line(hit.line).chunks) == 1:
        values = reader.values("amount", reader.page.line_at(reading.start))
    pair = _side_by_side(reader, hit, values) if relation != "column" and explained is None else ()
    weak += relation == "beside" and _says_other(between(reader, hit, reading), binding)
    weak += 2 * (not priced) + (explained is None and not pair and _are_several(reader, values))
    # Later terms only sometimes say the same, such as a subtotal for the total; so does net.
    stands_in = unclear or rank > FIRST_FALLBACK or (rank == FIRST_FALLBACK and hit.term == "net")
    for each in pair or (reading,):
        yield Spot(each, hit, relation, rank, weak, basis="stand_in" if stands_in else "name")


def _is_no_label(reader: Reader, binding: Binding, hit: Hit) -> bool:
    """Whether a label names something else: a rate, what a card holds, what is still to be written."""
    rate = _ONE_RATE if binding.term in _TOTALS else _RATE
    if rate.match(reader.text, hit.end) or _GLUED.match(reader.text, hit.end):
        return True
    if hit.term == "amount_due":
        return _is_kept(reader, binding, hit)
    of_row = binding.term in _TOTALS and hit.term == "line_total" and not modified(reader, hit)
    return of_row and is_open(reader.context.document)


_BALANCE = re.compile(r"(?:remaining )?(?:balance|saldo)", re.IGNORECASE)


def _is_kept(reader: Reader, binding: Binding, hit: Hit) -> bool:
    """Whether a balance is what a card or an account holds: "Card balance"; what remains is never the total."""
    label = _BALANCE.fullmatch(reader.text, hit.start, hit.end)
    if label is None:
        return False
    previous = reader.scan.before(hit)
    owned = previous is not None and previous.term not in _TOTALS and hit.start - previous.end == 1
    return owned or modified(reader, hit) or (binding.term == "total" and " " in label[0])


def _is_percent(reader: Reader, reading: Reading) -> bool:
    return reader.text[reading.end : reading.end + 2].lstrip()[:1] == "%"


def says_more(gap: str) -> bool:
    """Whether words between a label and an amount say more than the currency, or whether tax is included."""
    return any(not _is_usual(word) for word in WORDS.findall(gap))


def _says_other(gap: str, binding: Binding) -> bool:
    """Whether the words behind a label make it another one, as in "Total CPP"; of sums, if none is a usual one."""
    if binding.term is None:
        return says_more(gap)
    words = WORDS.findall(gap)
    return bool(words) and not any(map(_is_usual, words))


def _is_usual(word: str) -> bool:
    return (
        len(word) < _SHORT_WORD
        or _USUAL.match(word) is not None
        or compact_word(word) in label_terms()
        or bool(codes_of(word))
    )


_SHORT_WORD = 3
_USUAL = re.compile(
    r"in[ck][l]?|exc?k?l|round|adj|after|with|plus|einschl|mit|ohne|comprise|hors|to|pay(?:able)?\b|due|sales?|am(?:oun)?t",
    re.IGNORECASE,
)
_OR = re.compile(rf"\s*(?:[^\w\s]|{OR}|of)?\s{{0,3}}", re.IGNORECASE)
_EITHER = re.compile(rf"\s{{0,3}}(?:[/|]|{OR}|{AND})\s{{0,3}}", re.IGNORECASE)
_TO = re.compile(rf"\s{{0,3}}(?:[-–—]|{TO})\s{{0,3}}", re.IGNORECASE)


def _side_by_side(reader: Reader, hit: Hit, values: list[Reading]) -> tuple[Reading, ...]:
    """Amounts of which none is the one: the same in several currencies, or the ends of a range."""
    if len(values) < 2 or any(map(str.isalnum, between(reader, hit, values[0]))):
        return ()
    currencies = {reading.value.currency for reading in values if isinstance(reading.value, Money)}
    gaps = [gap_between(reader.text, left, right) for left, right in pairwise(values)]
    if len(currencies) == len(values) and all(map(_OR.fullmatch, gaps)):
        return tuple(values)
    if len(values) == 2 and _EITHER.fullmatch(gaps[0]) and is_priced(reader, values[0]) == is_priced(reader, values[1]):
        return tuple(values)
    if len(values) == 2 and gaps[0].isspace() and all(is_priced(reader, reading) for reading in values):
        return () if _are_headed(reader, hit, values) else tuple(values)
    return _range(values[0], values[1], gaps[0]) if len(values) == 2 else ()


def _are_several(reader: Reader, values: list[Reading]) -> bool:
    return sum(is_priced(reader, reading) for reading in values) > 1


def _row_heads(reader: Reader, hit: Hit, values: list[Reading]) -> list[tuple[Reading, Span]]:
    """The amounts of a row behind its label, each with the heading above it, if they stand below different ones."""
    places = {reader.page.chunk_at(reading.start) for reading in values}
    if len(values) < 2 or len(places) < len(values) or reader.page.chunk_at(hit.start) in places:
        return []
    for line in range(hit.line - 1, max(-1, hit.line - 1 - _MOST_ABOVE), -1):
        heads = [head for head in _heads(reader, values, line) if head and WORDS.search(reader.text, *head)]
        above = reader.page.line(line).chunks
        if heads and len(above) == len(reader.page.line(hit.line).chunks):
            heads = [above[reader.page.chunk_at(reading.start)] for reading in values]
        elif "\t" in reader.text[reader.page.line(hit.line).start : hit.start]:
            return []
        if heads:
            return list(zip(values, heads, strict=True)) if len(set(heads)) == len(values) else []
    return []


def _explained(reader: Reader, binding: Binding, heads: list[tuple[Reading, Span]]) -> Reading | None:
    """The amount of a row under the field's own heading, or else under that of totals or amounts."""
    terms = {span: _terms_in(reader, span) for _, span in heads}
    for term in (binding.term, "total", "line_total"):
        found = [reading for reading, span in heads if term in terms[span] and is_priced(reader, reading)]
        if found and term:
            return found[-1]
    return None


def _terms_in(reader: Reader, span: Span) -> tuple[str, ...]:
    """What a heading of amounts means, if a label is all that it says."""
    place = bisect_left(reader.scan.hits, span[0], key=lambda hit: hit.start)
    hit = reader.scan.hits[place] if place < len(reader.scan.hits) else None
    if hit is None or hit.start != span[0] or hit.end > span[1] or "%" in reader.text[slice(*span)]:
        return ()
    return () if says_more(reader.text[hit.end : span[1]]) else hit.terms


def _are_headed(reader: Reader, hit: Hit, values: list[Reading]) -> bool:
    """Whether each amount has a heading of its own, as "Current" and "YTD"; the first is no better total for that."""
    if hit.term in _TOTALS:
        return False
    above = range(hit.line - 1, max(-1, hit.line - 1 - _MOST_ABOVE), -1)
    return any(None not in heads and len(set(heads)) > 1 for heads in (_heads(reader, values, line) for line in above))


_MOST_ABOVE = 20


def _heads(reader: Reader, values: list[Reading], index: int) -> list[Span | None]:
    """The chunks of a line over several amounts, if it has neither amounts nor labels with a colon itself."""
    page, line = reader.page, reader.page.line(index)
    if len(line.chunks) < len(values) or ":" in page.text[line.start : line.end]:
        return [None]
    if any(is_priced(reader, reading) for reading in reader.values("amount", index)):
        return [None]
    row = page.line(page.line_at(values[0].start)).start
    places = [(page.column(row, value.start), page.column(row, value.end)) for value in values]
    heads = [(chunk, page.column(line.start, chunk[0]), page.column(line.start, chunk[1])) for chunk in line.chunks]
    return [
        next((chunk for chunk, left, right in heads if left < end and start < right), None) for start, end in places
    ]


def _range(first: Reading, second: Reading, gap: str) -> tuple[Reading, ...]:
    if not _TO.fullmatch(gap) or amount_of(first) >= amount_of(second):
        return ()
    if isinstance(first.value, Money):
        same = isinstance(second.value, Money) and first.value.currency == second.value.currency
        return (first, second) if same else ()
    if amount_of(first).as_tuple().exponent != amount_of(second).as_tuple().exponent:
        return ()
    if not isinstance(second.value, Money):
        return first, second
    currency = second.value.currency
    return attrs.evolve(
        first, value=Money(first.value, currency), transforms=(*first.transforms, f"money:{currency}")
    ), second


def _is_torn(reader: Reader, hit: Hit, reading: Reading) -> bool:
    line = reader.page.line(reader.page.line_at(reading.start))
    chunk = line.chunks[reader.page.chunk_at(reading.start)]
    return is_torn(reader.text, max(chunk[0], hit.end), chunk[1])


def is_priced(reader: Reader, reading: Reading) -> bool:
    """Whether an amount has cents or a currency, or is no small number where the page's currency has no cents."""
    if amount_of(reading).as_tuple().exponent != 0 or _is_signed(reader, reading):
        return True
    return MINOR_UNITS.get(reader.how.currency or "") == 0 and abs(amount_of(reading)) >= _NO_COUNT


_NO_COUNT = 100
"""Smaller numbers count pieces rather than yen."""


def _is_measure(reader: Reader, binding: Binding, hit: Hit, reading: Reading) -> bool:
    """Whether a whole number right after a label of the contract is what a field that is no sum of money asks for."""
    if binding.term or reader.context.field.type is not FieldType.DECIMAL:
        return False
    return not any(map(str.isalnum, between(reader, hit, reading)))


def _counts(reader: Reader, hit: Hit, reading: Reading) -> bool:
    """Whether a bare number says how many, as in "10 items"."""
    following = reader.scan.after(hit)
    return following is not None and following.term == "count" and following.start - reading.end in (0, 1)


def _writes_cents(reader: Reader) -> bool:
    """Whether amounts on this page have cents, so that a bare whole number is something else."""
    cache = reader.context.document.cache
    if "writes_cents" not in cache:
        cache["writes_cents"] = bool(_CENTS.search(reader.text))
    return bool(cache["writes_cents"])


def _is_signed(reader: Reader, reading: Reading) -> bool:
    quote = reader.text[reading.start : reading.end].strip("()-+ .")
    return not (quote[:1].isdigit() and quote[-1:].isdigit())


def _under_label(reader: Reader, hit: Hit) -> tuple[Relation, list[Reading]]:
    """The amount below a label; where it heads a column of several, that of the totals row."""
    below = [] if heads_items(reader, hit) and not _heads_taxes(reader, hit) else below_label(reader, hit)
    column = [] if below and not heads_sums(reader, hit) else _in_column(reader, hit)
    is_part = hit.term != "total" or not heads_sums(reader, hit)
    if not column and below and is_part and goes_on(reader, hit):
        column = _summed_up(reader, hit)
        return "column", column
    return ("column", column) if column else ("below", below)


def _heads_taxes(reader: Reader, hit: Hit) -> bool:
    """Whether a row of headings is one of sums, with "Amount" as the only heading that items may have too.

    They may also be counted. Below them stands one row, and no sum further down.
    """
    terms = {item.term for item in reader.scan.items_on(hit.line)} - {"line_total"}
    if not heads_sums(reader, hit) or not terms <= {"count"}:
        return False
    rows = [reader.values("amount", row) for row in reader.page.below(hit.line, 2)]
    if sum(sum(is_priced(reader, reading) for reading in row) > 1 for row in rows) != 1:
        return False
    return not any(other.line > hit.line for term in _TOTALS for other in reader.scan.by_term.get(term, ()))


RATED = TAXES | {"tax", "net"}


def goes_on(reader: Reader, hit: Hit) -> bool:
    """Whether a column has other amounts in two rows of several: one for each rate, and neither is the whole."""
    amounts = []
    for row in reader.page.below(hit.line, 2):
        chunk, found = under(reader.page, hit, row), [r for r in reader.values("amount", row) if is_priced(reader, r)]
        amounts += [amount_of(r) for r in found if chunk and len(found) > 1 and chunk[0] <= r.start < chunk[1]][:1]
    return len(reader.page.line(hit.line).chunks) > 1 and len(set(amounts)) > 1


def _summed_up(reader: Reader, hit: Hit) -> list[Reading]:
    """The amount below a heading that is the sum of all above it in its column, with no word in its row."""
    total, rows = Decimal(0), 0
    for row in reader.page.below(hit.line, _MOST_ROWS):
        line, chunk = reader.page.line(row), under(reader.page, hit, row)
        found = [r for r in reader.values("amount", row) if chunk and chunk[0] <= r.start < chunk[1]]
        if len(found) != 1:
            return []
        if rows > 1 and amount_of(found[0]) == total and not WORDS.search(reader.text, line.start, line.end):
            return found
        total, rows = total + amount_of(found[0]), rows + 1
    return []


def below_label(reader: Reader, hit: Hit) -> list[Reading]:
    """An amount that stands alone under a label, when little but other headings of a row follows it in its line."""
    line = reader.page.line(hit.line)
    chunk = line.chunks[reader.page.chunk_at(hit.start)]
    lower = next(iter(reader.page.below(hit.line, 1)), hit.line)
    in_row = 1 < len(line.chunks) == len(reader.page.line(lower).chunks)
    rest = reader.text[hit.end : min(chunk[1] if in_row else line.end, hit.end + 80)]
    words = [word for word in WORDS.findall(rest) if not _is_usual(word)]
    if RAISED in rest or len(words) > 2 or (words and _is_in_name(reader, hit)):
        return []
    found = below(reader, "amount", hit, 1)[:1]
    found = [r for r in found if not WORDS.search(reader.text[_chunk_start(reader, r) : r.start])]
    found = [r for r in found if hit.term in NO_SUMS or not _numbers_words(reader, r)]
    if not in_row:
        return [r for r in found if not _is_own(reader, r)]
    # In a row that is not set in columns, what stands below may be the amount of the next label.
    return [r for r in found if reader.page.chunk_at(r.start) == reader.page.chunk_at(hit.start)]


def _is_in_name(reader: Reader, hit: Hit) -> bool:
    """Whether a label is a word of a company's name: "Total Fitness Ltd"."""
    start, end = reader.page.line(hit.line).chunks[reader.page.chunk_at(hit.start)]
    return legal_end(reader.text[start:end]) > hit.end - start


def _numbers_words(reader: Reader, reading: Reading) -> bool:
    """Whether a bare number belongs to words behind it, as that of a house does: "12 Main St"."""
    return _NUMBERED.match(reader.text, reading.end) is not None and not is_priced(reader, reading)


def _is_of_house(reader: Reader, reading: Reading) -> bool:
    """Whether a number begins a street."""
    chunk = reader.page.line(reader.page.line_at(reading.start)).chunks[reader.page.chunk_at(reading.start)]
    return _numbers_words(reader, reading) and is_street(reader.text[reading.start : chunk[1]])


_NUMBERED = re.compile(r"[^\W\d_]?,? [^\W\d_]{2}")


def _is_own(reader: Reader, reading: Reading) -> bool:
    """Whether an amount stands right behind a label in its own line, however wide the gap."""
    named = reader.scan.last_before(reading.start)
    return named is not None and named.term is not None and not WORDS.search(between(reader, named, reading))


def heads_sums(reader: Reader, hit: Hit) -> bool:
    """Whether a label heads a column of sums, one row for each rate: another such label stands in its line."""
    first = reader.scan.first_on(hit.line)
    hits = reader.scan.hits[first.index : first.index + MOST_PARTS] if first else ()
    return sum(other.line == hit.line and other.term in _SUMS for other in hits) > 1


_SUMS = frozenset({"net", "tax", "total", "amount_due", "subtotal"})


def _chunk_start(reader: Reader, reading: Reading) -> int:
    line = reader.page.line(reader.page.line_at(reading.start))
    return line.chunks[reader.page.chunk_at(reading.start)][0]


def beside_label(reader: Reader, hit: Hit) -> list[Reading]:
    """Amounts after a label; a tax that is named as included does not end it, nor do pieces that are counted."""
    stop = reader.page.line(hit.line).end
    following = reader.scan.after(hit)
    while following:
        words = reader.text[hit.end : following.start]
        is_unit = hit.term == following.term == "count" and words.rstrip()[-1:].isdigit()
        if not is_unit and not _includes(words):
            stop = following.start
            break
        following = reader.scan.after(following)
    found = beside(reader, "amount", hit, stop)
    return [r for r in found if not _is_base(reader, hit, r)] if hit.term == "tax" else found


def _is_base(reader: Reader, hit: Hit, reading: Reading) -> bool:
    """Whether an amount is what a tax is reckoned on: "7 % VAT on 294.00"."""
    return _ON.search(reader.text, max(hit.end, reading.start - 8), reading.start) is not None


_ON = re.compile(r"\b(?:aus|auf|von|on|sur|sobre|su|op|od|på)\s{1,3}[^\w\s]?\s?\Z", re.IGNORECASE)


def _is_other(reader: Reader, binding: Binding, hit: Hit) -> bool:
    """Whether the words around a label make it another one: a total before tax, a tax within a total."""
    if hit.term in _TOTALS and binding.term in _TOTALS:
        return bool(_EXCLUDED.match(reader.text, hit.end) or _CONTAINS.match(reader.text, hit.end))
    if hit.term == "tax" and _WITHOUT.search(reader.text, max(0, hit.start - 16), hit.start):
        return True
    return is_within_total(reader, hit)


def is_within_total(reader: Reader, hit: Hit) -> bool:
    """Whether a tax is only said to be included in the total before it: "Total incl. VAT"."""
    previous = reader.scan.before(hit)
    if previous is None or hit.term != "tax" or previous.term not in _TOTALS:
        return False
    return _includes(reader.text[previous.end : hit.start])


def _includes(words: str) -> bool:
    """Whether words end in saying that something is included, and no amount stands in them."""
    return _INCLUDED.search(words) is not None and not _CENTS.search(words)


def _pick(reader: Reader, values: list[Reading], binding: Binding) -> Reading:
    """Of several amounts in a row those with a currency, then with cents; of totals the largest, of taxes the last."""
    values = [r for r in values if not _is_percent(reader, r)] or values
    signed = [r for r in values if _is_signed(reader, r)]
    cents = [r for r in values if amount_of(r).as_tuple().exponent != 0]
    pool = signed or cents or values
    if binding.term in _TOTALS:
        return max(pool, key=amount_of)
    return pool[-1] if binding.term == "tax" or binding.term in TAXES else pool[0]


def _in_column(reader: Reader, hit: Hit) -> list[Reading]:
    """The amount of the totals row below a heading, or that of the only row."""
    page = reader.page
    if page.line(hit.line).end - page.line(hit.line).start > LONGEST_LINE:
        return []
    for lower in page.below(hit.line, _MOST_ROWS):
        first = reader.scan.first_on(lower)
        if first is None or first.term != "total":
            continue
        values = [r for r in reader.values("amount", lower) if r.start > first.end]
        if not values:
            continue
        chunk = _from_the_right(page, hit, lower) or under(page, hit, lower)
        named = chunk is None or is_labelled(reader, chunk)
        found = [] if chunk is None or named else [r for r in values if chunk[0] <= r.start < chunk[1]]
        # What is taken off in a row of sums is none of them: "363,400.00  (54,510.00)".
        return [r for r in found if hit.term != "total" or amount_of(r) > 0 or max(map(amount_of, values)) <= 0]
    return []


def _from_the_right(page: Page, hit: Hit, lower: int) -> Span | None:
    """The cell of a shorter row as far from its end as the heading is from its own, if not all stand below headings."""
    upper, line = page.line(hit.line), page.line(lower)
    place = page.chunk_at(hit.start) - len(upper.chunks)
    if not _FEWEST <= len(line.chunks) < len(upper.chunks) or -place > len(line.chunks):
        return None
    headings = [(page.column(upper.start, start), page.column(upper.start, end)) for start, end in upper.chunks]
    cells = [(page.column(line.start, start), page.column(line.start, end)) for start, end in line.chunks[1:]]
    if all(any(start < right and left < end for left, right in headings) for start, end in cells):
        return None
    return line.chunks[place]


_FEWEST = 3
