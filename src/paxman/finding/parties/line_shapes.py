"""What a short line of print is likely to be: a company, a street, a contact, a title, a greeting.

Printed pages lose spaces ("TAXINVOICE", "GoldenBakeriesSdnBhd"), so little here relies on them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

from paxman.contract.labels import fold_label
from paxman.lazy import lazy_pattern
from paxman.recognizers.places import is_eastern
from paxman.recognizers.tables import any_of, entries, match_lead, pattern, words

LONGEST = 120
"""Characters of a line that are looked at; names and streets are shorter."""


Answer = TypeVar("Answer", int, bool)


def _of_head(function: Callable[[str], Answer]) -> Callable[[str], Answer]:
    """Ask of the first characters only, and once: several fields look at the same lines."""
    remembered = lru_cache(maxsize=4096)(function)
    return wraps(function)(lambda text: remembered(text[:LONGEST]))


@lru_cache(maxsize=1)
def _form_words() -> tuple[str, str]:
    """Legal forms that need a space before them, and the shortest, which need capitals, too."""
    table = dict(entries("legal_forms"))
    dotted = (word.replace("_", "[. ]{0,2}") for word in table["long"])
    spaced = "|".join(sorted([any_of("spaced_form"), *dotted], key=len, reverse=True))
    capital = "|".join([any_of("capital_form"), *(re.escape(word.rstrip(".")) for word in table["short"])])
    return spaced, f"(?-i:{capital})"


@lru_cache(maxsize=1)
def _form_at_end() -> re.Pattern[str]:
    forms = rf"(?<=[ ,.)])(?:{'|'.join(_form_words())})"
    whole = rf"(?:(?<=[\w.,)&'’ ])(?:{any_of('glued_form')})|{forms})(?![^\W_])(?!\.[^\W\d_]\.)\.?"
    return re.compile(whole, re.IGNORECASE)


@lru_cache(maxsize=1)
def _form_alone() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of('glued_form')}|{'|'.join(_form_words())})\.?\Z", re.IGNORECASE)


_NUMBERED = lazy_pattern(r"[ ,]{0,3}\(?[^()]{0,12}\d")
_LEADING_FORM = lazy_pattern(r"(?:(?:PT|CV|UD)[ .]|株式会社|有限会社|合同会社|合名会社|合資会社)[ .]?[^\W\d_]")


# Colorado, Nevada, and the number of a company.
_NO_FORM = lazy_pattern(
    r", (?:CO|NV) \d{5}\b|.[ ,.)](?i:co|company)\.? (?i:reg|registration|no|nr|number)\b(?! \d{1,2}\b)"
)


@_of_head
def legal_end(text: str) -> int:
    """Where a name with a legal form ends, or 0: "Acme Ltd (123456-X)" ends after "Ltd"."""
    found = (match for match in _form_at_end().finditer(text) if not _NO_FORM.match(text, match.start() - 2))
    spans = [match.span() for match in found if letters(text[: match.start()]) > 1]
    if not spans:
        return len(text) if _LEADING_FORM.match(text) else 0
    end = spans[0][1]
    for start, later in spans[1:]:
        apart = text[end:start].strip(" .,&")
        if apart and (_NUMBERED.match(text, end) or later - end > 24):
            break
        end = later
    return end


def form_start(text: str) -> int:
    """Where the legal form of a name begins, or the end of the text."""
    match = _form_at_end().search(text[:LONGEST])
    return match.start() if match else len(text)


def is_legal_form(text: str) -> bool:
    """Whether a line holds nothing but a legal form: the end of a name that was broken."""
    return _form_alone().match(text.strip(" ()")[:LONGEST]) is not None


def names_trade(text: str) -> bool:
    """Whether a word such as "restaurant" or "trading" stands in the line."""
    return pattern("{trade}").search(text[:LONGEST]) is not None


@_of_head
def is_trade(text: str) -> bool:
    """Whether a line names a trade and nothing else: "General trading", "Restaurant"."""
    named = [word for word in _WORDS.findall(text) if word.lower() not in _GLUE]
    return bool(named) and all(match_lead(r"(?:{trade})\w{0,3}\Z", word) for word in named)


_WORDS = lazy_pattern(r"[^\W_]+")
_GLUE = frozenset(("and", "dan", "general", "und", "the"))


@_of_head
def is_title(text: str) -> bool:
    """The kind of paper, not a name, with its number or without: "TAX INVOICE", "Facture FA30418"."""
    lead = text.lstrip(" -*=<#[(_.~:")
    if len(text) >= 60 or not match_lead("(?:{title})", lead):
        return False
    title = pattern(
        r"(?:(?:{title})[\W\d_]{0,6}){1,6}(?:(?:n[°ºr.]|č)[\W_]{1,3}(?:\d{1,3}\Z)?)?(?:[A-Z]{0,4}[-/]?\d[\d/.-]{3,20})?\Z"
    )
    return title.match(lead) is not None


@_of_head
def is_label(text: str) -> bool:
    """Nothing but nouns that forms print before a value, or one for a party: "Nummer", "UNIT AMT INC.", "Lieferant"."""
    if len(text) < 60 and match_lead(r"(?:{form_noun})(?:[\W\d_]|\Z)", text) and pattern(_NOUNS).match(text):
        return True
    return text.isalpha() and bool({fold_label(text)} & (words("issuer") | words("addressee")))


_NOUNS = r"(?:(?:{form_noun})[\W\d_]{1,4}){0,4}(?:{form_noun})[\W\d_]{0,4}\Z"


def is_greeting(text: str) -> bool:
    """Words for whoever comes in: a greeting, or an advert that names no trade or company."""
    start = text.lstrip(" -*=<!~\"'")[:40]
    if match_lead("{greeting}", start):
        return True
    return match_lead("{advert}", start) is not None and not (names_trade(text) or legal_end(text))


def is_attention(text: str) -> bool:
    """Whether a line names a person or an office within a company: "Attn: Accounts Payable"."""
    lead = match_lead(r"(?:{attention})[\s.:]{1,3}", text[:LONGEST])
    return lead is not None and (not legal_end(text) or not lead[0].strip().isalpha())


def welcome_end(text: str) -> int:
    """Where the name begins in "Welcome to the Corner Shop", or 0; "our shop" is none."""
    match = pattern(r"\W{0,3}(?:{welcome})(?! ?(?:{our_shop})) ?").match(text[:LONGEST])
    return match.end() if match and letters(text[match.end() :]) > 2 else 0


@_of_head
def leads_to_other(text: str) -> bool:
    """Whether words such as "Powered by" or "Part of" stand before the name of a company that did not issue."""
    if match_lead(r"\W{0,3}(?:{other_firm})(?:(?<=['’])|(?!\w))", text):
        return True
    return match_lead(r"(?:{attention})[\s.]{0,2}[:：]", text) is not None


_DIGIT = lazy_pattern(r"\d")
REGISTRATION_NUMBER = lazy_pattern(
    r"(?:\A|(?<=\s)|(?=\())\(? ?(?:co\.?[ .]*(?:no|reg)?[.: ]*)?[A-Z]{0,2}\d{4,12}[-. ]{0,2}[A-Z0-9]{0,2} ?\)?\.?\Z",
    re.IGNORECASE,
)


@_of_head
def is_registration(text: str) -> bool:
    """A company or tax number, with its label or alone: "(519537-X)"."""
    if not _DIGIT.search(text):
        return False
    labelled = pattern(r"\b(?:{registration})\b[^\n]{0,28}\d")
    glued = r"(?:{glued_registration})\W{0,3}[A-Z]?\d{5}"
    return bool(labelled.search(text) or match_lead(glued, text) or REGISTRATION_NUMBER.match(text.strip()))


_PHONE = r"\A\W{0,3}(?:(?:\d\d[ .]){4}\d\d\b|(?:\+?\d{1,4}[-. )/]{1,3})?\(?\d{2,5}\)?[-. /]{1,3}\d{3,4}[-. ]?\d{3,5}\b)"


@_of_head
def is_contact(text: str) -> bool:
    """Whether a line has a phone number, a site or the like; a company may be called "Phone House Ltd"."""
    if pattern(rf"{{contact}}|@[\w-]{{1,60}}\.|{_PHONE}").search(text) is None:
        return False
    return not legal_end(text) or pattern(_DETAIL).search(text) is not None


# A company may be called as its site is: "Example.com, Inc."
_DETAIL = r"[\d:：@]|www\.|\.(?:com|net|org)\b(?!,? [A-Z][\w.]*\Z)|(?:{line_detail})"


def contact_start(text: str) -> int:
    """Where phone, web or tax details begin in a line, or its length."""
    labelled = r"\b(?:{contact_label})\b[ .]{0,2}(?:no|id|reg)?[ .]{0,2}[:：]"
    glued = r"\btel\b ?[.:#+(\d]|(?:tel|fax|phone) ?(?:no)?[.:]"
    match = pattern(f"{labelled}|{glued}").search(text[: 2 * LONGEST])
    return match.start() if match else len(text)


_DAY = r"\b(?:[0-3]?\d|(?:19|20)\d\d)[-/.][0-3]?\d[-/.](?:[0-3]\d|(?:19|20)?\d\d)\b"
_DAY_OF_EAST = r"\d ?[年년] ?\d{1,2} ?[月월]"
_TIME = r"(?<!\d)\d{1,2}:\d{2}(?!\d)"


@_of_head
def is_moment(text: str) -> bool:
    """Whether a date or a time stands in the line."""
    if not _DIGIT.search(text):
        return False
    named = r"\b\d{1,2}[-. ]{0,2}(?:{month})[a-z]{0,6}[- ,]{0,2}\d{2,4}\b"
    month_first = r"\b(?:{month})[a-z]{0,6}[. ]{1,2}\d{1,2}(?:st|nd|rd|th)?,? \d{4}\b"
    return pattern(f"{_DAY}|{_TIME}|{_DAY_OF_EAST}|{named}|{month_first}").search(text) is not None


def is_of_form(text: str) -> bool:
    """Whether a colon stands near the start of a line: behind a label, in any column, or in a web address.

    That is enough to tell a line from a name or a street; a cell begins with a label only if it is led by one.
    """
    return match_lead(r"[^\W\d_][^:\n]{0,40}[:：]|(?:{hash_label}) ?#", text[:LONGEST]) is not None


_CURRENCY = r"(?:RM|Rp|Rs|R|kr|CHF|USD|EUR|GBP|SGD|MYR|IDR|INR|AUD|CAD)\.?"
_CURRENCY_ALONE = lazy_pattern(rf"\s*{_CURRENCY}\s*")
_PRICE = lazy_pattern(rf"(?:\A|[\s$€£¥])(?:{_CURRENCY} ?)?[-(]?\d{{1,3}}(?:[ ,.']?\d{{3}}){{0,4}}[.,]\d{{2}}\b(?!\.\d)")


def has_price(text: str) -> bool:
    """Whether an amount stands in the line, or nothing but the currency of the amounts below."""
    return _PRICE.search(text[-LONGEST:]) is not None or _CURRENCY_ALONE.fullmatch(text) is not None


_POSTAL = lazy_pattern(
    r"(?<!\d)(?:[A-Z]{1,3}[- ])?\d{5,6}(?:-\d{3,4})?(?![\d/])[ ,.]{0,2}(?=[A-ZÀ-Þ][^\W\d_]|\(|\Z)"
    r"|(?:[A-Z]{2})[ .,]{0,2}\d{5}(?:-\d{4})?\b|\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b"
    r"|(?<!\d)(?:A|CH|B|L|DK|N|NL|LV)[- ]\d{4}\b|\b\d{4} ?[A-Z]{2} [A-Z]|\b[A-Z]\d[A-Z] \d[A-Z]\d\b"
    r"|(?<![\d/-])(?:\d{4}-\d{3}|\d{2}-\d{3}|\d{3} \d{2}) (?=[A-ZÀ-Þ][a-zß-ÿ])"
)
_PLOT = r"(?:{before_plot}|#)[ .:]{0,3}\(?\Z|\(\Z"


def has_postal_code(text: str) -> bool:
    return postal_end(text) > 0


@_of_head
def postal_end(text: str) -> int:
    """Where a postal code ends, or 0; the number of a lot, box or company is none."""
    for match in _POSTAL.finditer(text) if _DIGIT.search(text) else ():
        if not pattern(_PLOT).search(text, max(0, match.start() - 10), match.start()):
            return match.end()
    return 0


_CITY_STATE = lazy_pattern(r"[^\W\d_][^\d,]{2,30}, ?[A-Z]{2}\.?\Z")
_STREET = r"\b(?:{street})|{street_end}|\b(?:st|rd|dr|ln|pl|pkwy|ct|cir|way)\b\.?(?:,|\Z| (?:n|s|e|w|ne|nw|se|sw)\b)"
_HOUSE = r"(?:{house}) {0,2}[.:]? ?[A-Z]{0,3}[-.]?\d|\d{1,5}[A-Z]?(?:[-&/,]\d{0,5}[A-Z]?){0,4}[, ]"
_LOTS = r"(?:{house}) {0,2}[.:]? ?\d{1,4}[A-Z]?(?: ?[-&,/] ?\d{1,4}[A-Z]?){1,5},?\Z"
_GLUED = r"\d[\d-]{0,7}[A-Za-z.]{2,40}(?:{street_tail})\b\.?"


@_of_head
def is_street(text: str) -> bool:
    """Whether a line looks like part of a postal address."""
    head = text.strip(" ()-*")
    if names_place(head) or match_lead(_LOTS, head):
        return True
    return is_numbered(head) and letters(head) > 3


@_of_head
def names_place(text: str) -> bool:
    """Whether words of a street, a postal code or a state stand in a line; a number at its start is not enough."""
    if pattern(_STREET).search(text) or has_postal_code(text) or _CITY_STATE.match(text):
        return True
    return bool(_DIGIT.match(text) and pattern(_GLUED).match(text)) or is_eastern(text)


def is_numbered(text: str) -> bool:
    """Whether a line begins as the number of a house, unit or lot does."""
    return match_lead(_HOUSE, text[:LONGEST].lstrip(" (")) is not None


def letters(text: str) -> int:
    return sum(map(str.isalpha, text[:LONGEST]))
