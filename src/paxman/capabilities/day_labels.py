"""What the words around the label of a date say: the date of the paper, of something else, or of another time."""

from __future__ import annotations

import re
from typing import Literal

from paxman.capabilities.business_terms import OTHER_DATES, PAPER_DATES
from paxman.capabilities.label_layout import WORDS, Reader, beside, ends_chunk, modified, words_before
from paxman.capabilities.label_scan import Hit
from paxman.contract.labels import fold_label, to_words
from paxman.contract.model import CanonicalContract
from paxman.finding.parties.line_shapes import is_title
from paxman.recognizers import Reading
from paxman.recognizers.months import is_weekday
from paxman.recognizers.tables import pattern
from paxman.types import Span


def is_of_other(reader: Reader, hit: Hit) -> bool:
    """Whether a label says of what it is the date: "Date of entry", "Departure date", but not "Date of invoice"."""
    if hit.term == "date" and _goes_on(reader, hit):
        return True
    of = _OF.match(reader.text, hit.end) if hit.term in PAPER_DATES else None
    return of is not None and not any(map(speaks_of_paper, WORDS.findall(of[1] or of[2])))


_OF = re.compile(
    r" (?:(?:(?:of|de|du|der|des|di|da|do|del|della|van) (?:the |la )?|d['’])([^\W\d_]{2,30})"
    r"|((?:[^\W\d_]{2,30} ){0,2}[^\W\d_]{4,30})[ \t]*[:：])",
    re.IGNORECASE,
)


def _goes_on(reader: Reader, hit: Hit) -> bool:
    """Whether a label goes on from another one, which names no paper: "Your order date"."""
    before = reader.scan.before(hit)
    if before is None or reader.text[before.end : hit.start] != " ":
        return False
    words = WORDS.findall(reader.text[before.start : before.end])
    if before.term in OTHER_DATES:
        return not any(map(speaks_of_paper, words))
    return any(map(_is_event, words))


def speaks_of_paper(word: str) -> bool:
    """Whether a word beside a date means the paper itself, or the time of day."""
    return pattern("{own_day}").match(word) is not None or (is_title(word) and not _is_event(word))


def _is_event(word: str) -> bool:
    """Whether a word of titles says of what a day is, too: "Payment date"."""
    return pattern(r"(?:{event})\Z").match(word) is not None


def is_qualified(reader: Reader, hit: Hit) -> bool:
    """Whether a word that is none of the paper says of what a date or period is: "Return date:", "Trial period"."""
    if hit.term not in ("date", "period") or not modified(reader, hit):
        return False
    words = WORDS.findall(words_before(reader, hit))
    if any(map(speaks_of_paper, words)):
        return False
    if hit.term == "period":
        return len(words[-1]) > _SHORT_WORD
    return reader.text[hit.end : hit.end + 1] == ":" or ends_chunk(reader, hit) or _is_event(words[-1])


_SHORT_WORD = 3
"""Letters of a word before "period" that tells nothing of it: "for the period"."""


def is_of_thing(reader: Reader, hit: Hit) -> bool:
    """Whether a label of a day that anything may have says of what it is: "Passport expiry date".

    What the contract speaks of, and words for papers, are what the field means.
    """
    if hit.term not in _OF_ANYTHING or any(map(is_title, _long_words(reader.text[hit.start : hit.end]))):
        return False
    before = words_before(reader, hit) if modified(reader, hit) else _label_before(reader, hit)
    of = _OF.match(reader.text, hit.end)
    words = [*WORDS.findall(before), *(WORDS.findall(of[1] or of[2]) if of else ())]
    strange = [word for word in words if not (is_title(word) or pattern("{paper}|{own_day}").match(word))]
    return bool(strange) and not _said_in(reader.context.contract).issuperset(map(fold_label, strange))


_OF_ANYTHING = frozenset(("other_date", "effective_date", "start_date", "end_date", "issue_date"))


def _long_words(text: str) -> list[str]:
    return [word for word in WORDS.findall(text) if len(word) > _SHORT_WORD]


def _said_in(contract: CanonicalContract) -> frozenset[str]:
    """The words that a contract calls itself and its fields by."""
    if "said_words" not in contract.memo:
        texts = [text for field in contract.leaves for text in (field.said, field.description, *field.labels)]
        contract.memo["said_words"] = frozenset(fold_label(" ".join((to_words(contract.id), *texts))).split())
    found: frozenset[str] = contract.memo["said_words"]
    return found


def heads_other_day(reader: Reader, heading: Span) -> bool:
    """Whether the words over a date are the label of another day than that of the paper."""
    hit = reader.scan.last_before(heading[1])
    if hit is None or hit.start < heading[0]:
        words = reader.text[heading[0] : heading[1]]
        return leads_to_other_day(words) or (_DAY.search(words) is not None and not speaks_of_paper(words))
    return hit.term in OTHER_DATES or is_of_other(reader, hit) or is_qualified(reader, hit)


# As in "Prüfdatum".
_DAY = re.compile(r"[^\W\d_](?:date|datum|dato|päivä)\Z", re.IGNORECASE)


def is_of_other_day(reader: Reader, hit: Hit) -> bool:
    """Whether a word before a label makes it that of another day than the field asks for: "Last order date"."""
    before = words_before(reader, hit) if modified(reader, hit) else _label_before(reader, hit)
    other = pattern(_OTHER_DAY).search(before) if before else None
    return other is not None and fold_label(other[1]) not in _asked(reader)


_OTHER_DAY = r"\b({other_time}|{other_day})\b(?: [^\W\d_]{2,20})?\s*\Z"


def _label_before(reader: Reader, hit: Hit) -> str:
    """The label of one word that another one goes on from: "Discount due date"."""
    before = reader.scan.before(hit)
    if before is None or reader.text[before.end : hit.start] != " ":
        return ""
    label = reader.text[before.start : before.end]
    return label if label.isalpha() else ""


def _asked(reader: Reader) -> list[str]:
    """The words by which a field is called."""
    field = reader.context.field
    return [word for label in (field.said, field.description, *field.labels) for word in fold_label(label).split()]


def due_for(reader: Reader, hit: Hit, day: Reading) -> Literal["paper", "unsure", "other"]:
    """For what the words around "due" say that a day is: to pay the paper, or something else: "Next service due"."""
    words = [] if _is_under_heads(reader, hit, day) else _due_words(reader, hit)
    names_sum = any(map(pattern(r"(?:{owed_sum})\Z").match, words))
    other = pattern(r"(?:{other_time})\Z" if names_sum else r"(?:{duty}|{other_time})\Z")
    if any(map(other.match, words)) or (_is_of_part(reader, hit) and _is_due_in_parts(reader)):
        return "other"
    if any(map(pattern(r"(?:{one_part})\Z").match, words)):
        return "unsure"
    known = pattern(r"(?:{due_word}|{owed})\Z")
    strange = any(not known.match(word) and fold_label(word) not in _asked(reader) for word in words)
    return "unsure" if strange and not names_sum else "paper"


def _is_under_heads(reader: Reader, hit: Hit, day: Reading) -> bool:
    """Whether a day stands below a label with others beside it, so that the words there may head other columns."""
    number = reader.page.line_at(day.start)
    return number != hit.line and (day.start, day.end) not in reader.page.line(number).chunks


def _due_words(reader: Reader, hit: Hit) -> list[str]:
    """The words that a label goes on from, known as labels or not, with ordinals, and those that say of what it is."""
    first = reader.page.line(hit.line).chunks[reader.page.chunk_at(hit.start)][0]
    said = _APART.split(reader.text[max(first, hit.start - _LONGEST_LABEL) : hit.start])[-1]
    of = _OF.match(reader.text, hit.end)
    return _DUE_WORDS.findall(f"{said} {of[1] or of[2]}" if of else said)


_APART = re.compile(r"[.,][ \t]|\d(?![\d.,]*(?:st|nd|rd|th)\b)|[:：;!?|()/=]")
_DUE_WORDS = re.compile(r"\d(?:st|nd|rd|th)|[^\W\d_]{2,}")
_LONGEST_LABEL = 40


def _is_due_in_parts(reader: Reader) -> bool:
    """Whether a page names the days of several parts of a payment: "Deposit due: 3 May", "Balance due: 1 June"."""
    cache = reader.context.document.cache
    if "due_in_parts" not in cache:
        known = reader.scan.by_term
        hits = [*known.get("due_date", ())[:_MOST], *known.get("amount_due", ())[:_MOST]]
        days = [beside(reader, "date", hit)[:1] for hit in hits if _is_of_part(reader, hit)]
        cache["due_in_parts"] = len({day[0].value for day in days if day}) > 1
    return bool(cache["due_in_parts"])


_MOST = 40


def _is_of_part(reader: Reader, hit: Hit) -> bool:
    words = [*_due_words(reader, hit), *WORDS.findall(reader.text[hit.start : hit.end])]
    return any(map(pattern(r"(?:{one_part}|{other_part})\Z").match, words))


def leads_to_other_day(before: str) -> bool:
    """Whether a label that ends a text speaks of another time: "Date of the last invoice: "."""
    return pattern(_LED).search(before) is not None


_LED = r"\b(?:{other_time})\b[^\d:]{0,40}(?:[:：]\s{0,20})?\Z"


def says_no_day(gap: str) -> bool:
    """Whether a word between "due" and a date does not speak of paying or of the day: "Due diligence: "."""
    words = WORDS.findall(gap.partition(":")[0])
    return not all(pattern(r"(?:{due_word})\Z").match(word) or is_weekday(word) for word in words)
