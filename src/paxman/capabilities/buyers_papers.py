"""Papers that the buyer issues: the letterhead of an order or an advice of payment is his, the seller gets it."""

from __future__ import annotations

import re

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.business_terms import label_terms, names_of
from paxman.capabilities.page_lines import Line, page_lines
from paxman.capabilities.paper_kinds import is_invoice_title
from paxman.capabilities.vocabulary import pattern
from paxman.contract.labels import compact_label, fold_label
from paxman.documents.document import Document

_HEAD = 30
"""Lines from the top among which a title stands."""
_NUMBER = r"(?:[\s:.,#-]{0,4}(?:no|nr|n[°º]?|num|number|nummer|č)?[\s:.#]{0,4}[\w/.-]{0,12}\d[\w/.-]{0,20})?"
_DAY = r"(?:[ ,]{1,3}(?:of|dated|vom|du|del|de|di|van|z dnia)?[ ]?\d[^\n]{4,20})?"
_BUYERS = re.compile(
    r"\W{0,4}(?:purchase order|einkaufsbestellung|orden de compra|pedido de compra|ordine d[i'’] ?acquisto"
    r"|ordem de compra|inkooporder|zamówienie zakupu|inköpsorder|indkøbsordre"
    r"|innkjøpsordre|ostotilaus|pesanan (?:belian|pembelian)|采购订单|採購單|注文書|発注書)"
    rf"{_NUMBER}{_DAY}\W*\Z",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    rf"\W{{0,4}}(?:remittance advice|zahlungsavis|avis de virement){_NUMBER}{_DAY}\W*\Z", re.IGNORECASE
)
_TO_FIRM = re.compile(rf"\W{{0,4}}bestellung{_NUMBER}{_DAY}\W*\Z", re.IGNORECASE)
"""What a shop confirms to a person is called so, too."""
_ORDER = re.compile(
    r"\W{0,4}(?:order|bon de commande|commande|pedido|ordine|encomenda|bestelling|zamówienie|beställning|bestilling"
    rf"|tilaus|objednávka|rendelés){_NUMBER}{_DAY}\W*\Z",
    re.IGNORECASE,
)
_LONGEST = 80
_WROTE = frozenset(("sender", "remittance"))


def is_of_buyer(document: Document) -> bool:
    """Whether a title at the top is that of a paper which the buyer issues, and none is that of an invoice."""
    return _kind(document) == "buyer"


def may_be_of_buyer(document: Document) -> bool:
    """Whether the title is that of an order, which either party may have written."""
    return _kind(document) != ""


def _kind(document: Document) -> str:
    if "buyers_paper" not in document.cache:
        document.cache["buyers_paper"] = _find_kind(document)
    return str(document.cache["buyers_paper"])


def _find_kind(document: Document) -> str:
    lines = page_lines(document)[:_HEAD]
    firsts = [line.chunks[0].text for line in lines if len(line.chunks[0].text) < _LONGEST]
    kind, title = next(((kind, text) for text in firsts for kind, title in _TITLES if title.match(text)), ("", ""))
    texts = [chunk.text for line in lines if kind and not _heads(line) for chunk in line.chunks]
    if kind == "advice":
        texts = texts[: texts.index(title)] if title in texts else []  # It tells of invoices.
    if any(map(is_invoice_title, texts)):
        return ""
    if kind == "firm":
        return "order" if any(map(pattern(r"(?:{person_title}|{couple})(?!\w)").match, texts)) else "buyer"
    return "buyer" if kind == "advice" else kind


def _heads(line: Line) -> bool:
    """Whether a line looks like the headings of a table."""
    return len(line.chunks) > 2 and not any(map(str.isdigit, line.text))


_TITLES = (("buyer", _BUYERS), ("advice", _ADVICE), ("firm", _TO_FIRM), ("order", _ORDER))


def names_party(context: CapabilityContext, party: str) -> bool:
    """Whether a field's name says seller or buyer, and not just who wrote or got a paper."""
    said = [word for name in names_of(context.field) for word in fold_label(name).split()]
    terms = label_terms()
    return any(terms.get(key, ("",))[0] == party for word in said if word not in _WROTE for key in compact_label(word))
