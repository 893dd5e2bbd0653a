"""Where amounts stand with one label: beside it, below it, or in the totals row of its column."""

from __future__ import annotations

import re
from decimal import Decimal

from paxman.capabilities.business_terms import NO_SUMS, TAXES, label_terms
from paxman.capabilities.label_layout import (
    LONGEST_LINE,
    WORDS,
    Reader,
    Relation,
    below,
    beside,
    between,
    heads_items,
    is_labelled,
    under,
)
from paxman.capabilities.label_scan import Hit
from paxman.contract.labels import compact_word
from paxman.currencies import MINOR_UNITS
from paxman.documents.visual_lines import VisualLines
from paxman.finding.parties.line_shapes import legal_end
from paxman.recognizers import Reading
from paxman.recognizers.currency_names import codes_of
from paxman.types import RAISED, Money, Span

_INCLUDED = re.compile(
    r"(?:\b(?:inc\w{0,8}|with|w|inkl|einschl|mit|ttc|comprise|incluido|inclusa|incluso|inclusief|met|z)\b"
    r"[\s.,]{0,3}(?:of|de|der)?[\s.,@]{0,3}(?:\d{1,2}(?:[.,]\d{1,2})? ?%[\s.,]{0,3})?|\([^()\n]{0,20})\Z",
    re.IGNORECASE,
)
TOTALS = frozenset({"total", "amount_due"})
CENTS = re.compile(r"\d[.,]\d\d(?![\d.,/])")
_MOST_ROWS = 60
MOST_PARTS = 12


def amount_of(reading: Reading) -> Decimal:
    value = reading.value
    return value.amount if isinstance(value, Money) else value


def says_more(gap: str) -> bool:
    """Whether words between a label and an amount say more than the currency, or whether tax is included."""
    return any(not is_usual(word) for word in WORDS.findall(gap))


def is_usual(word: str) -> bool:
    return (
        len(word) < _SHORT_WORD
        or _USUAL.match(word) is not None
        or compact_word(word) in label_terms()
        or bool(codes_of(word))
    )


_SHORT_WORD = 3
_USUAL = re.compile(
    r"in[ck]l?(?!ome|rea|ent)|exc?k?l|round|adj|(?:after|with|plus|mit|ohne|hors|due|pay(?:able)?|am(?:oun)?ts?|sales?)\b"
    r"|einschl|comprise",
    re.IGNORECASE,
)


def is_priced(reader: Reader, reading: Reading) -> bool:
    """Whether an amount has cents or a currency, or is no small number where the page's currency has no cents."""
    if amount_of(reading).as_tuple().exponent != 0 or is_signed(reader, reading):
        return True
    return MINOR_UNITS.get(reader.how.currency or "") == 0 and abs(amount_of(reading)) >= _NO_COUNT


_NO_COUNT = 100
"""Smaller numbers count pieces rather than yen."""


def is_signed(reader: Reader, reading: Reading) -> bool:
    """Whether a currency stands with an amount."""
    quote = reader.text[reading.start : reading.end].strip("()-+ .")
    return not (quote[:1].isdigit() and quote[-1:].isdigit())


def under_label(reader: Reader, hit: Hit) -> tuple[Relation, list[Reading]]:
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
    return not any(other.line > hit.line for term in TOTALS for other in reader.scan.by_term.get(term, ()))


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
    words = [word for word in WORDS.findall(rest) if not is_usual(word)]
    if RAISED in rest or len(words) > 2 or (words and _is_in_name(reader, hit)):
        return []
    found = below(reader, "amount", hit, 1)[:1]
    found = [r for r in found if not WORDS.search(reader.text[_chunk_start(reader, r) : r.start])]
    found = [r for r in found if hit.term in NO_SUMS or not numbers_words(reader, r)]
    if not in_row:
        return [r for r in found if not _is_own(reader, r)]
    # In a row that is not set in columns, what stands below may be the amount of the next label.
    return [r for r in found if reader.page.chunk_at(r.start) == reader.page.chunk_at(hit.start)]


def _is_in_name(reader: Reader, hit: Hit) -> bool:
    """Whether a label is a word of a company's name: "Total Fitness Ltd"."""
    start, end = reader.page.line(hit.line).chunks[reader.page.chunk_at(hit.start)]
    return legal_end(reader.text[start:end]) > hit.end - start


def numbers_words(reader: Reader, reading: Reading) -> bool:
    """Whether a bare number belongs to words behind it, as that of a house does: "12 Main St"."""
    return _NUMBERED.match(reader.text, reading.end) is not None and not is_priced(reader, reading)


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
    if not reader.values("amount", hit.line):
        return []
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


def is_within_total(reader: Reader, hit: Hit) -> bool:
    """Whether a tax is only said to be included in the total before it: "Total incl. VAT"."""
    previous = reader.scan.before(hit)
    if previous is None or hit.term != "tax" or previous.term not in TOTALS:
        return False
    return _includes(reader.text[previous.end : hit.start])


def _includes(words: str) -> bool:
    """Whether words end in saying that something is included, and no amount stands in them."""
    return _INCLUDED.search(words) is not None and not CENTS.search(words)


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


def _from_the_right(page: VisualLines, hit: Hit, lower: int) -> Span | None:
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


def names_item(reader: Reader, hit: Hit, reading: Reading) -> bool:
    """Whether a label begins the name of an item, "Tax Free Gin 22.00", among lines of items above the first sum."""
    if hit.term == "total" or not _goes_on_in_words(reader, hit, reading) or amount_of(reading) <= 0:
        return False
    if _ITEM_END.match(reader.text, reading.end) is None or hit.line >= _first_sum(reader):
        return False
    return any(_is_item(reader, line) for line in (hit.line - 1, hit.line + 1))


def _goes_on_in_words(reader: Reader, hit: Hit, reading: Reading) -> bool:
    """Whether a label is one word, and other words of a name follow it in its chunk."""
    chunk = reader.page.line(hit.line).chunks[reader.page.chunk_at(hit.start)]
    gap, label = reader.text[hit.end : min(chunk[1], reading.start)], reader.text[hit.start : hit.end]
    if _INITIALS.match(gap) and not label.isupper():
        return False  # Who brings it, or of what kind it is: "Shipping DHL".
    return label.isalpha() and _NO_NAME.search(gap) is None and says_more(gap)


_NO_NAME = re.compile(r"[:：%(]|\A (?:[^\W\d_]{1,2}|for|and|und|sur|pour|para|von) ", re.IGNORECASE)
_INITIALS = re.compile(r" [A-Z]{2,4}\b")
_ITEM_END = re.compile(r"(?: ?[A-Z*]{1,2})?[ \t]*(?:\n|\Z)")
_ITEM = re.compile(r"[^\W\d_]{2}[^:：\n]*\d[.,]\d\d(?: ?[A-Z*]{1,2})?\s*\Z")


def _is_item(reader: Reader, number: int) -> bool:
    """Whether a line is words and an amount, and lies above the first sum."""
    if not 0 <= number < min(len(reader.page), _first_sum(reader)):
        return False
    line = reader.page.line(number)
    return line.end - line.start < LONGEST_LINE and _ITEM.search(reader.text[line.start : line.end]) is not None


def _first_sum(reader: Reader) -> int:
    """The first line that begins with the label of a sum and has nothing but its amount behind that; 0 if none has."""
    cache = reader.context.document.cache
    if "first_sum" not in cache:
        hits = (hit for term in sorted(_SUMS) for hit in reader.scan.by_term.get(term, ())[:MOST_PARTS])
        cache["first_sum"] = min((hit.line for hit in hits if _is_plain_sum(reader, hit)), default=0)
    first: int = cache["first_sum"]
    return first


def _is_plain_sum(reader: Reader, hit: Hit) -> bool:
    amounts = [r for r in beside_label(reader, hit) if is_priced(reader, r)]
    return bool(amounts) and not says_more(between(reader, hit, amounts[0]))
