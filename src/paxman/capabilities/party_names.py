"""What may be the name of a party, by its words and the lines around it, and where it begins and ends."""

from __future__ import annotations

import re

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.business_terms import label_terms
from paxman.capabilities.page_lines import Chunk
from paxman.capabilities.values import Found, without_mark
from paxman.contract.labels import compact_label, fold_label
from paxman.finding.parties import line_shapes as shapes
from paxman.recognizers import Reading
from paxman.recognizers.tables import pattern, words
from paxman.transforms import fold, run
from paxman.types import Span


@attrs.frozen
class Name:
    """A name on the page, and how sure its place makes us."""

    span: Span
    sure: bool
    transforms: tuple[str, ...] = ()


FORM = 45
"""Lines on which the top of a form stands."""


def found_name(context: CapabilityContext, name: Name) -> Found:
    """A name as it is printed, without marks around it."""
    quote = context.document.text[name.span[0] : name.span[1]]
    steps = name.transforms or (("fold",) if fold(quote) != quote else ())
    printed = without_mark(Reading(*name.span, run(steps, quote), steps), context.document.text)
    ref = context.evidence((printed.start, printed.end), steps, basis="shape" if name.sure else "place")
    return Found(printed.value, ref)


def ends_line(chunk: Chunk) -> bool:
    """Whether nothing but a company number follows the name; a name cut out of more is less sure."""
    rest = chunk.text[shapes.legal_end(chunk.text) :].strip(" .,")
    return not rest or rest[0] == "(" or rest[0].isdigit()


def is_company(text: str) -> bool:
    """Whether a line ends in a legal form, perhaps with a number behind it."""
    end = shapes.legal_end(text)
    if end == 0 or _GOES_ON.match(text, end):
        return False
    site = _NAMED_SITE.match(text)
    return not text[end:].strip()[:1].isalpha() and not shapes.is_contact(text[site.end() if site else 0 : end])


# A company may be called as its site: "Acme.com Ltd".
_NAMED_SITE = re.compile(r"[\w-]{2,30}\.(?:com|net|org)\b(?!/)", re.IGNORECASE)
# AB-123-CD is the plate of a car.
_GOES_ON = re.compile(r"[-/]\w")


def names_in(head: list[Chunk], index: int) -> bool:
    """Whether a chunk may be a name.

    Words behind a number, as in "88 Corner Shop", are one only on top of the page or over a street.
    """
    text = head[index].text
    if _is_known(text) and (index > 0 or _is_led_by(head[0], head[1:2])):
        return False
    lower = [chunk.text for chunk in head[index + 1 : index + 1 + FORM]]
    if not shapes.may_be_shop(text):
        is_sign = index == 0 and shapes.is_sign(text, "".join(lower[:1]))
        return _may_be_name(text, is_street=False if is_sign else None)
    on_top = index == 0 and not any(shapes.has_postal_code(t) or shapes.is_part_of_house(t) for t in lower[:1])
    return _may_be_name(text, is_street=not (on_top or shapes.is_shop(text, lower)))


def _may_be_name(text: str, is_street: bool | None = None) -> bool:
    """Whether nothing in a text says that it is no name; `is_street` where its place tells that, else its words do."""
    text = _without_number(text)
    if shapes.letters(text) < 2 or shapes.is_title(text) or shapes.is_label(text) or _only_greets(text):
        return False
    if len(text) > _LONGEST and not (is_company(text) and shapes.names_place(text[shapes.legal_end(text) :])):
        return False
    if text.startswith("§") or sum(map(str.isdigit, text)) > 2 * shapes.letters(text):
        return False
    if sum(map(str.islower, text[: shapes.legal_end(text) or len(text)].split())) > _MOST_SMALL:
        return False
    if is_company(text):
        return True
    return not (
        (shapes.is_street(text) if is_street is None else is_street)
        or shapes.is_registration(text)
        or shapes.is_contact(text)
        or shapes.is_moment(text)
        or shapes.is_of_form(text)
        or shapes.has_price(text)
        or "%" in text
    )


def _without_number(text: str) -> str:
    """A name without the number of the company in brackets behind it."""
    name, bracket, number = text.partition("(")
    return name if bracket and shapes.letters(name) > 2 and shapes.is_registration(bracket + number) else text


_LONGEST = 70
"""Characters of a name; its address may stand behind it."""
_MOST_SMALL = 3
"""Words in small letters that a name may have; a sentence has more."""


def _is_known(text: str) -> bool:
    """Whether a line is a label of business papers and nothing else, though a shop may be called "Netto"."""
    return any(key in label_terms() for key in compact_label(text))


def _is_led_by(label: Chunk, following: list[Chunk]) -> bool:
    """Whether something stands behind a chunk in its line."""
    return any(chunk.column > label.right for chunk in following)


def _only_greets(text: str) -> bool:
    return shapes.is_greeting(text) and not shapes.welcome_end(text)


def legal_name(head: list[Chunk], index: int) -> Name:
    """A name up to its legal form, with the lines above over which it goes."""
    chunk = head[index]
    end = chunk.start + shapes.legal_end(chunk.text)
    if chunk.text[0].islower() and (between := pattern(r"(?:{between})\s+(?:Firma\s+)?").match(chunk.text)):
        return Name((chunk.start + between.end(), end), sure=False)
    paper = _PAPER_OF.match(chunk.text)
    start = chunk.start + (paper.end() if paper else 0)
    colon = chunk.text.replace("：", ":").find(":")
    led = 0 < colon < end - chunk.start
    if led:
        start = chunk.end - len(chunk.text[colon + 1 :].lstrip())
    while index > 0 and _is_broken(head[index - 1].text, head[index].text):
        index -= 1
        start = head[index].start
    return Name((start, end), not led or names_issuer(chunk.text[:colon]))


def names_issuer(label: str) -> bool:
    """Whether a label says who issued, or just that a name follows."""
    if pattern(r"(?:{name_label}|contractor)\s*\Z").match(label):
        return True
    return not words("issuer").isdisjoint(fold_label(label).split())


def _is_broken(above: str, below: str) -> bool:
    """Whether a name goes over the end of a line: it goes on small, a bracket stays open, or only the form is left."""
    if not _may_be_name(above) or shapes.legal_end(above):
        return False
    if above.rstrip().endswith(("&", "-", " AND", " and")) or above.count("(") > above.count(")"):
        return True
    if below[0].islower() and " " in below:
        return True
    stem = _BRACKETED.sub(" ", below[: shapes.form_start(below)]).strip(" .,")
    return not stem or shapes.is_legal_form(stem) or shapes.is_trade(stem) or _is_rest(below)


def _is_rest(text: str) -> bool:
    """Whether a line is only the end of a name: it starts with "&", or says but a legal form, perhaps with a trade."""
    if _AND.match(text):
        return True
    bare = _BRACKETED.sub(" ", text).strip()
    form = shapes.form_start(bare)
    return shapes.is_legal_form(bare) or (form < len(bare) and shapes.is_trade(bare[:form]))


_AND = re.compile(r"(?:[&+]|AND|UND|DAN) [^\W\d_]")
_BRACKETED = re.compile(r"\([^()]{0,60}\)?")


def plain_name(head: list[Chunk], index: int) -> Name:
    """A name without a legal form, a greeting, a kind of paper or a number."""
    chunk = head[index]
    below = head[index + 1] if index + 1 < len(head) else None
    if below and goes_on(chunk.text, below.text):
        return Name((chunk.start, below.end), False)
    paper = _PAPER_OF.match(chunk.text)
    start = chunk.start + (paper.end() if paper else shapes.welcome_end(chunk.text))
    text = _without_paper(chunk.text.rstrip(" !"))
    cut = shapes.REGISTRATION_NUMBER.search(text)
    # Four bare digits are a part of the name: "Radiotaxi 3570".
    end = len(text[: cut.start()].rstrip()) if cut and cut.start() > 2 and len(cut[0]) > 4 else len(text)
    return Name((start, chunk.start + end), False)


def _without_paper(text: str) -> str:
    """A name of several words without the kind of paper behind it: "Acme Web Services Invoice"."""
    name = _PAPER.sub("", text)
    return name if " " in name else text


_PAPERS = "(?:invoice|receipt|rechnung|quittung|facture|factura|fattura|fatura|faktura|factuur|recibo|ricevuta)"
_PAPER = re.compile(rf"(?<=\w) (?:tax )?{_PAPERS}\Z", re.IGNORECASE)
# Before a small word "de" may be that of "facture de vente".
_PAPER_OF = re.compile(
    rf"(?i:(?:your )?(?:tax )?{_PAPERS} )(?:(?i:from|von|från|fra)|van|de|di|da|od) (?=[^\W_a-zß-ÿ])"
)


def goes_on(above: str, below: str) -> bool:
    """Whether a name without a legal form is broken: after "and", or before a line that is only the rest of it."""
    return _is_rest(below) or (above.endswith(("&", " AND", " and")) and _may_be_name(below))
