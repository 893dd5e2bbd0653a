"""What kind of paper a page is, where its title says so: dates of an invoice on a reminder are not its own."""

from __future__ import annotations

import re
from functools import lru_cache

from paxman.capabilities.label_layout import Reader
from paxman.capabilities.paper_titles import BUYERS, SELLERS
from paxman.lazy import lazy_pattern

_REMINDER = SELLERS["reminder"]
_OTHER = "|".join((SELLERS["delivery"], SELLERS["statement"], BUYERS["advice"]))
_INVOICE = r"invoice|bills?\b|receipts?\b|rechnung|factur|fattura|fatura|faktur|lasku|számla|τιμολ|račun|сч[её]т"
_AS_OF = r" (?:as (?:of|at)|per|zum|vom|stand|au|al|a fecha de)\b[^\n]*"
_DATED = r"\W{1,4}(?:\d{1,2}\W{1,2}){0,2}(?:[^\W\d_]{3,10}\W{1,2})?(?:\d{1,2}\W{1,2})?(?:19|20)\d\d(?:\W\d\d){0,2}"
_TITLE = re.compile(
    rf"\W{{0,4}}(?:(?P<credit>(?:{SELLERS['credit']})\b)"
    rf"|(?P<other>(?:{_REMINDER})\b|(?:{_OTHER})(?: of account| de compte)?(?:\W*|{_AS_OF}|{_DATED})\Z)"
    rf"|(?:[^\W\d_]{{3,12}} )?(?:{_INVOICE}))",
    re.IGNORECASE,
)
_OF_INVOICE = re.compile(_INVOICE + r"|\binv\b", re.IGNORECASE)
_OF_OTHER = lazy_pattern(rf"\b(?:{_REMINDER}|{_OTHER})\b", re.IGNORECASE)
_HEAD = 30
"""Lines from the top among which a title stands."""


def dates_invoice(text: str) -> bool:
    """Whether a label of a date names an invoice."""
    return _OF_INVOICE.search(text) is not None


def names_other_paper(text: str) -> bool:
    """Whether a name speaks of a reminder, a delivery note, a statement or the like."""
    return _OF_OTHER.search(text) is not None


def names_unlike_paper(label: str, asked: tuple[str, ...]) -> bool:
    """Whether a label of a date names a kind of paper, and what is asked for only others: "Statement date"."""
    kind = _kind_named(label)
    kinds = {_kind_named(each) for each in asked}
    return kind is not None and None not in kinds and kind not in kinds


@lru_cache(maxsize=1024)
def _kind_named(label: str) -> str | None:
    named = _NAMED.search(label)
    return named.lastgroup if named else None


_NAMED = lazy_pattern(
    rf"(?P<credit>{SELLERS['credit']})|(?P<reminder>{_REMINDER}|mahn)|(?P<statement>{SELLERS['statement']}|auszug)"
    rf"|(?P<invoice>{_INVOICE}|\binv\b)",
    re.IGNORECASE,
)


def is_invoice_title(text: str) -> bool:
    """Whether a text begins as the title of an invoice does."""
    title = _TITLE.match(text[:_LONGEST])
    return title is not None and title.lastgroup is None


def is_no_invoice(reader: Reader) -> bool:
    """Whether the first title of a page names a credit note, a reminder, a delivery note or a statement."""
    return _kind(reader) is not None


def is_about_invoices(reader: Reader) -> bool:
    """Whether it names a paper that stands for no invoice, but may speak of some: no credit note."""
    return _kind(reader) == "other"


def _kind(reader: Reader) -> str | None:
    """What the first title of a page names, if that is no invoice."""
    cache = reader.context.document.cache
    if "paper_kind" not in cache:
        lines = (reader.page.line(number) for number in range(min(_HEAD, len(reader.page))))
        # Past its chunk a title that must be alone there would still go on.
        chunks = (reader.text[start : min(end, start + _LONGEST)] for line in lines for start, end in line.chunks)
        title = next(filter(None, map(_TITLE.match, chunks)), None)
        cache["paper_kind"] = title.lastgroup if title else None
    kind: str | None = cache["paper_kind"]
    return kind


def has_own_title(reader: Reader) -> bool:
    """Whether a line at the top of a page is the title of an invoice, with or without its number."""
    lines = (reader.page.line(number) for number in range(min(_HEAD, len(reader.page))))
    titles = (reader.text[line.start : min(line.end, line.start + _LONGEST)] for line in lines)
    return any(map(_OWN_TITLE.match, titles))


_OWN_TITLE = lazy_pattern(
    r"\W{0,4}(?:[^\W\d_]{3,14}[ -]){0,2}[^\W\d_]{0,20}"
    rf"(?:{SELLERS['invoice']})"
    r"(?:[ -](?:no|nr|num|n[°º]|number|nummer|n[uú]m[eé]ro|numero|número|numer|číslo)\b)?"
    r"[ \t.:#№°º-]{0,6}(?:[\w/.-]{0,20}\d[\w/.-]{0,20})?[ \t]*\Z",
    re.IGNORECASE,
)


def is_offer(reader: Reader) -> bool:
    """Whether a line at the top of a page begins as an offer does, and the page names no invoice."""
    cache = reader.context.document.cache
    if "offer" not in cache:
        known, lines = reader.scan.by_term, (reader.page.line(n) for n in range(min(_HEAD, len(reader.page))))
        starts = (start for line in lines for start, _ in line.chunks[:2])
        is_quote = "quote_number" in known and "invoice_number" not in known
        cache["offer"] = is_quote and any(_OFFER.match(reader.text, start) for start in starts)
    return bool(cache["offer"])


_OFFER = re.compile(
    r"(?:quot(?:e|ation)|offer|estimate|proposal|angebot|kostenvoranschlag|devis|presupuesto|cotización|preventivo"
    r"|orçamento|offerte?|oferta|offert|tilbud|tarjous|nabídka)\b",
    re.IGNORECASE,
)
_LONGEST = 60
