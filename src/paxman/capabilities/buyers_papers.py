"""Papers that the buyer issues: the letterhead of an order or an advice of payment is his, the seller gets it."""

from __future__ import annotations

import re

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.business_terms import label_terms, names_of
from paxman.capabilities.page_lines import Line, page_lines
from paxman.capabilities.paper_kinds import is_invoice_title
from paxman.capabilities.paper_titles import ANYONES, BUYERS, LAST_PARTS, SELLERS
from paxman.capabilities.party_names import is_company
from paxman.contract.labels import compact_label, fold_label
from paxman.documents.document import Document
from paxman.finding.parties.line_shapes import legal_end
from paxman.lazy import lazy_pattern
from paxman.recognizers.tables import pattern

_HEAD = 30
"""Lines from the top among which a title stands."""
_NUMBER = r"(?:[\s:.,#-]{0,4}(?:no|nr|n[°º]?|num|number|nummer|č)?[\s:.#]{0,4}[\w/.-]{0,12}\d[\w/.-]{0,20})?"
_DAY = r"(?:[ ,]{1,3}(?:of|dated|vom|du|del|de|di|van|z dnia)?[ ]?\d[^\n]{4,20})?"
_BESIDE = re.compile(r"\W{0,3}(?:[^\W\d_]{1,8}[\s.:#°º]{1,3}){0,2}[\w/.-]{0,12}\d[\w/.-]{0,20}")
_CITED = re.compile(r"[:：]")
"""A label that only cites an order has it."""
_LED = r"\W{0,4}(?:[^\W\d_]{2,20}[- ]{1,3}){0,3}"
_OF = r"(?: ele[ckt]{0,2}tr[^\W\d_]{3,8})?(?:(?: (?:of|for|de|di|da|do|über|van)| d['’]) ?[^\W\d_]{2,20}){0,2}"
_OTHERS = lazy_pattern(
    rf"{_LED}(?:\w{{0,20}}(?={LAST_PARTS}))?(?:(?:{'|'.join(SELLERS.values())}){_OF}"
    rf"|(?:{'|'.join(ANYONES.values())}){_OF}(?!\s*[:：])){_NUMBER}{_DAY}\W*\Z"
    r"|\W{0,4}\w{0,8}(?:发票|發票|請求書|納品書|送货单|領収書)",
    re.IGNORECASE,
)
"""Titles of what a seller or anyone writes; contracts and the like are cited behind a colon."""
_TITLES = [
    (kind, lazy_pattern(rf"\W{{0,4}}(?:{words}){_NUMBER}{_DAY}\W*\Z", re.IGNORECASE)) for kind, words in BUYERS.items()
]
_WORDS = "|".join(BUYERS.values()).split("|")
_SHORTEST = tuple(word for word in _WORDS if not any(other in word for other in _WORDS if other != word))
"""Words of which each title of a buyer's paper has one in it."""
_LONGEST = 80
_WROTE = frozenset(("sender", "remittance"))


def is_of_buyer(document: Document) -> bool:
    """Whether a title at the top is that of a paper which the buyer issues, and none is that of another paper."""
    return _kind(document) == "buyer"


def may_be_of_buyer(document: Document) -> bool:
    """Whether the title is that of an order, which either party may have written."""
    return _kind(document) != ""


def is_of_either(document: Document) -> bool:
    """Whether the title is one that a firm gives its order and a shop what it sells, and no second firm tells which."""
    return _kind(document) == "either"


def _kind(document: Document) -> str:
    if "buyers_paper" not in document.cache:
        document.cache["buyers_paper"] = _find_kind(document)
    return str(document.cache["buyers_paper"])


def _find_kind(document: Document) -> str:
    lines = page_lines(document)[:_HEAD]
    head = "\n".join(line.text for line in lines).casefold()
    if not any(word in head for word in _SHORTEST):
        return ""
    kind, title = next(filter(None, map(_titled, lines)), ("", ""))
    texts = [chunk.text for line in lines if kind and not _heads(line) for chunk in line.chunks]
    if kind == "advice":
        texts = texts[: texts.index(title)] if title in texts else []  # It tells of invoices.
    if any(is_invoice_title(text) or (text != title and _OTHERS.match(text[:_LONGEST])) for text in texts):
        return ""
    if _CITED.search(title):
        return "order"
    if kind == "firm" and not _goes_to_firm(texts):
        return "either"
    return "buyer" if kind in ("advice", "firm") else kind


def _titled(line: Line) -> tuple[str, str] | None:
    """The kind of a paper and its title, where nothing but its number stands beside that."""
    title, *rest = (chunk.text for chunk in line.chunks)
    if len(title) >= _LONGEST or len(rest) > 1 or not all(map(_BESIDE.fullmatch, rest)):
        return None
    return next(((kind, title) for kind, words in _TITLES if words.match(title)), None)


def _goes_to_firm(texts: list[str]) -> bool:
    """Whether two companies stand there, and nobody who is called by his title."""
    firms = {text[: legal_end(text)].casefold() for text in texts if is_company(text)}
    return len(firms) > 1 and not any(map(pattern(r"(?:{person_title}|{couple})(?!\w)").match, texts))


def _heads(line: Line) -> bool:
    """Whether a line looks like the headings of a table."""
    return len(line.chunks) > 2 and not any(map(str.isdigit, line.text))


def names_party(context: CapabilityContext, party: str) -> bool:
    """Whether a field's name says seller or buyer, and not just who wrote or got a paper."""
    said = [word for name in names_of(context.field) for word in fold_label(name).split()]
    terms = label_terms()
    return any(terms.get(key, ("",))[0] == party for word in said if word not in _WROTE for key in compact_label(word))
