"""What may be the name of a party by its words, and where it begins and ends."""

from __future__ import annotations

from collections.abc import Sequence

from paxman.finding.parties import line_shapes as shapes
from paxman.finding.parties.pieces import Piece
from paxman.lazy import lazy_pattern
from paxman.types import Span

_LONGEST = 70
_MOST_SMALL = 3
_BRACKETED = lazy_pattern(r"\([^()]{0,60}\)?")
_AND = lazy_pattern(r"(?:[&+]|AND|UND|DAN) [^\W\d_]")
_GOES_ON = lazy_pattern(r"[-/]\w")
_SPACED = lazy_pattern(r"(?:(?<!\S)[^\W\d_] ){4}")
_NUMBERED = lazy_pattern(r"\(#?\d{3,9}\)?\Z")
_SITE = lazy_pattern(r"[\w-]{2,30}\.(?:com|net|org)\b(?!/)", 2)


def is_company(text: str) -> bool:
    """Whether a line ends in a legal form, perhaps with a number behind it."""
    end = shapes.legal_end(text)
    if end == 0 or _GOES_ON.match(text, end):
        return False
    site = _SITE.match(text)
    return not text[end:].strip()[:1].isalpha() and not shapes.is_contact(text[site.end() if site else 0 : end])


def has_number(text: str) -> bool:
    """Whether a number in brackets ends a name, which may be part of it or not: "Club for Growth (3622)"."""
    return _NUMBERED.search(text) is not None


def ends_line(text: str) -> bool:
    """Whether nothing but a company number follows the legal form of a name."""
    rest = text[shapes.legal_end(text) :].strip(" .,")
    return not rest or rest[0] == "(" or rest[0].isdigit()


def may_be_name(text: str, is_street: bool | None = None) -> bool:
    """Whether nothing in a text says that it is no name; `is_street` where its place tells that, else its words do."""
    name, bracket, number = text.partition("(")
    text = name if bracket and shapes.letters(name) > 2 and shapes.is_registration(bracket + number) else text
    if shapes.letters(text) < 2 or shapes.is_title(text) or shapes.is_label(text) or is_spaced(text):
        return False
    if shapes.is_greeting(text) and not shapes.welcome_end(text):
        return False
    end = shapes.legal_end(text)
    if len(text) > _LONGEST and not (is_company(text) and shapes.names_place(text[end:])):
        return False
    if text.startswith("§") or sum(map(str.isdigit, text)) > 2 * shapes.letters(text):
        return False
    if sum(map(str.islower, text[: end or len(text)].split())) > _MOST_SMALL:
        return False
    return is_company(text) or not (
        (shapes.is_street(text) if is_street is None else is_street) or names_detail(text) or "%" in text
    )


def is_spaced(text: str) -> bool:
    """Whether the letters of a word stand apart, as those of a title do: "O R D E R"."""
    return _SPACED.search(text) is not None


def names_detail(text: str) -> bool:
    """Whether a line tells a number, a contact, a moment, a price or a pair, and so names nobody."""
    of_party = shapes.is_registration(text) or shapes.is_contact(text)
    return of_party or shapes.is_moment(text) or shapes.is_of_form(text) or shapes.has_price(text)


def company_spans(pieces: Sequence[Piece], at: int) -> tuple[Span, ...]:
    """A name up to its legal form, with the lines above over which it goes."""
    piece = pieces[at]
    end = shapes.legal_end(piece.text)
    colon = piece.text.replace("：", ":").find(":")
    lead = len(piece.text) - len(piece.text[colon + 1 :].lstrip()) if 0 < colon < end else 0
    if piece.text[end : end + 1] == ")":  # a name in brackets, or one that ends with brackets
        is_bracketed = piece.text[lead] == "("
        lead, end = lead + is_bracketed, end + (not is_bracketed and "(" in piece.text[lead:end])
    spans = [(piece.start + lead, piece.start + end)]
    while at > 0 and not lead and is_broken(pieces[at - 1].text, pieces[at].text):
        at -= 1
        spans.insert(0, pieces[at].span)
    return tuple(spans)


def is_broken(above: str, below: str) -> bool:
    """Whether a name goes over the end of a line: it goes on small, a bracket stays open, or only the form is left."""
    if not may_be_name(above) or shapes.legal_end(above):
        return False
    if above.rstrip().endswith(("&", "-", " AND", " and")) or above.count("(") > above.count(")"):
        return True
    if below[0].islower() and " " in below:
        return True
    stem = _BRACKETED.sub(" ", below[: shapes.form_start(below)]).strip(" .,")
    return not stem or shapes.is_legal_form(stem) or shapes.is_trade(stem) or is_rest(below)


def is_rest(text: str) -> bool:
    """Whether a line is only the end of a name: it starts with "&", or says but a legal form, perhaps with a trade."""
    if _AND.match(text):
        return True
    bare = _BRACKETED.sub(" ", text).strip()
    form = shapes.form_start(bare)
    return shapes.is_legal_form(bare) or (form < len(bare) and shapes.is_trade(bare[:form]))


def plain_spans(pieces: Sequence[Piece], at: int) -> tuple[Span, ...]:
    """A name without a legal form, a greeting before it or a number behind it."""
    piece = pieces[at]
    below = pieces[at + 1] if at + 1 < len(pieces) else None
    if below and (is_rest(below.text) or (piece.text.endswith(("&", " AND", " and")) and may_be_name(below.text))):
        return piece.span, below.span
    text = piece.text.rstrip(" !")
    cut = shapes.REGISTRATION_NUMBER.search(text)
    # Four bare digits are a part of the name: "Radiotaxi 3570".
    end = len(text[: cut.start()].rstrip()) if cut and cut.start() > 2 and len(cut[0]) > 4 else len(text)
    return ((piece.start + shapes.welcome_end(piece.text), piece.start + end),)
