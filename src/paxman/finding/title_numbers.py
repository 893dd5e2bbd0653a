"""Titles of papers with their number and date: "Handelsrechnung (380) Nr. 471102 vom 05.06.2018", "Invoice 77-B"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from paxman.classes import record
from paxman.finding.claims import Claim, Claims
from paxman.finding.periods import asks_span
from paxman.finding.ties import Find
from paxman.finding.wanted import members_of
from paxman.lazy import lazy_pattern
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Token
from paxman.page.names import Name, Page
from paxman.page.places import Place
from paxman.recognizers import Conventions, find
from paxman.types import FieldType, Span

_HEAD_LINES = 60
_LONGEST = 60
_MOST_WORDS_BEFORE = 3
_BRACKETS = lazy_pattern(r"\([^()\n]{1,30}\)")
_CODE = lazy_pattern(r"[^\s\d:#№°º(]*\d[^\s,;()]*")
_MARKS = " \t.:#№°º*-–—"
_LINK = lazy_pattern(r"[\s,;/|–-]*(?:[^\W\d_]{1,6}\b[\s.:]*){0,2}")
_YEAR = lazy_pattern(r"(?:19|20)\d\d\W?")
_SIGNS = frozenset("#№°º")
_SURE = 0.96
_UNSURE = 0.78
_GOES_ON = lazy_pattern(r"\(|,\d| ?[/–-] ?\d| [a-z]{2,} [a-z]{2}| ?[A-Z0-9][A-Z0-9-]*(?![^\W\d_])")
_LETTER_BEFORE = lazy_pattern(r"\W[A-Z]\Z")


@record
class PaperTitle:
    """The name of a paper at the start of a cell, with the number and the date that stand behind it."""

    label: Span
    said: str
    """The paper's own word."""
    number: Span | None
    date: Span | None


def title_number_finds(page: Page, claims: Claims, how: Conventions) -> Iterator[Find]:
    """The number and the date of each paper that a cell at the head of the page begins with."""
    for line in page.lines.head(_HEAD_LINES):
        for cell in line.cells:
            title = _read(page, cell, claims, how)
            if title:
                yield from _finds(page, title, claims)


def _finds(page: Page, title: PaperTitle, claims: Claims) -> Iterator[Find]:
    for said, span, is_date in (("number", title.number, False), ("date", title.date, True)):
        if span is None:
            continue
        place = Place("title", span, span)
        found = claims.of(f"{title.said} {said}")
        for field, claim in found.items():
            wanted = claims.wanted[field]
            if (wanted.field.type is FieldType.DATE) != is_date or not (is_date or wanted.kind == "number"):
                continue
            name = Name(page.text[slice(*title.label)], title.label, page.lines.at(title.label[0]), (place,))
            is_sure = _is_own(page, title, claims) and (is_date or _is_plain(page, title, span))
            fit = min(claim.fit, _SURE if is_sure else _UNSURE)
            sure = Claim(fit, claim.asked, f"it stands behind the title {name.text!r}")
            is_span = asks_span(field, claim, found, claims)
            yield Find(field, sure, place, name=name, is_span=is_span)


def _is_own(page: Page, title: PaperTitle, claims: Claims) -> bool:
    """Whether a title is no end of another label or sentence: "We refer to your invoice of"."""
    words = fold_words(page.text[slice(*title.label)])
    before = set(takewhile(lambda word: not word.endswith(title.said), words)) - claims.lexicon.papers
    return before.isdisjoint(claims.lexicon.stops) if words[-1].endswith(title.said) else not before


def _is_plain(page: Page, title: PaperTitle, span: Span) -> bool:
    """Whether a number is all that stands behind a title."""
    return not _GOES_ON.match(page.text, span[1]) and not _LETTER_BEFORE.search(page.text[slice(*title.label)])


def _read(page: Page, cell: Span, claims: Claims, how: Conventions) -> PaperTitle | None:
    """A cell that begins with the name of a paper, as its number and date."""
    text = page.text[cell[0] : min(cell[1], cell[0] + 3 * _LONGEST)]
    if not text[0].isalpha():
        return None
    text = _BRACKETS.sub(lambda found: " " * len(found[0]), text) if "(" in text else text
    code = _CODE.search(text)
    if code is None or code.start() > _LONGEST:
        return None
    start = code.start() + _sign_length(code[0], claims)
    label = text[:start].rstrip(_MARKS)
    tokens = claims.lexicon.parse(label)
    said = _paper(tokens, claims) if ":" not in label else None
    if said is None:
        return None
    dates = find("date", text, how)
    dated = bool(dates) and dates[0].start <= start < dates[0].end
    numbered = any(map(_is_number, tokens)) or not _SIGNS.isdisjoint(text[len(label) : start])
    dated = dated or "date" in members_of(tokens, "head")
    number = None if dated or not (numbered or _may_end(text, code.end(), code[0])) else (start, code.end())
    date = next((d for d in dates if _LINK.fullmatch(text, number[1] if number else len(label), d.start)), None)
    left = cell[0]
    return PaperTitle(
        (left, left + len(label)),
        said,
        (left + number[0], left + number[1]) if number else None,
        (left + date.start, left + date.end) if date else None,
    )


def _sign_length(code: str, claims: Claims) -> int:
    """How long the word for a number is that a code is written together with: "No.4711"."""
    word, point, _ = code.partition(".")
    tokens = claims.lexicon.parse(word + point) if point and word.isalpha() else ()
    return len(word) + 1 if tokens and all(map(_is_number, tokens)) else 0


def _paper(tokens: tuple[Token, ...], claims: Claims) -> str | None:
    """The word of a title that names the paper: few words before it, behind it those for a number, or whose it is."""
    at = next((at for at in reversed(range(len(tokens))) if tokens[at].word in claims.lexicon.papers), None)
    if at is None or at > _MOST_WORDS_BEFORE:
        return None
    rest = tokens[at + 1 :]
    if all(map(_is_number, rest)):
        return tokens[at].word
    is_own = len(rest) <= 2 and _is_number(rest[-1]) and not claims.is_label(" ".join(token.word for token in rest))
    return tokens[at].word if is_own else None


def _is_number(token: Token) -> bool:
    return token.concept is not None and token.concept.kind == "head" and "number" in token.concept.members


def _may_end(text: str, end: int, code: str) -> bool:
    """Whether a figure behind a title that no word calls a number may be one: no year, and at most a date follows."""
    link = _LINK.match(text, end)
    rest = text[link.end() if link else end :]
    return not _YEAR.fullmatch(code) and (not rest or rest[0].isdigit())
