"""Titles of papers: what kind of paper they say it is, and the number and date behind them: "Invoice 77-B"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile

from paxman.classes import record
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.finding.choices import has_boxes
from paxman.finding.claims import Claim, Claims
from paxman.finding.periods import asks_span
from paxman.finding.ties import Find
from paxman.finding.wanted import members_of
from paxman.lazy import lazy_pattern
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Lexicon, Token
from paxman.page.names import Name, Page
from paxman.page.places import Place
from paxman.recognizers import Conventions, find
from paxman.types import FieldType, Span

_PARTS = lazy_pattern(r"\s*/\s*")
_WORD = lazy_pattern(r"[^\W_]+")
_SHORTEST_ALONE = 3
_ENOUGH = 0.6
_LONGEST_TITLE, _FIRST_WORDS, _FIRST_TITLES = 14, 4, 6
_NO_ANSWER = frozenset({"other", "unknown", "none", "null", "other agreement"})


@record
class Title:
    """A member of an enum that a title says: where, how much of the member it has, and how weighty the title is."""

    member: str
    span: Span
    covered: float
    rank: int
    wording: str


def titles_for(page: Page, field: CanonicalField, lexicon: Lexicon) -> tuple[Title, ...]:
    """Members of an enum in the titles of a page, the surest first."""
    found = [
        title
        for rank, span in enumerate(page.titles)
        if not has_boxes(page.text[slice(*span)]) and (words := _words(page.text, span))
        for member in field.enum_values
        if isinstance(member, str) and member.casefold() not in _NO_ANSWER
        for title in _in_title(words, span, rank, member, lexicon)
    ] or list(_of_another_kind(page, field))
    found.sort(key=lambda title: (-title.covered, title.rank, -len(title.wording), title.member))
    return tuple(found)


def _of_another_kind(page: Page, field: CanonicalField) -> Iterator[Title]:
    """The member for all others, where a title has the noun that members share and none of them: "Pledge Agreement"."""
    texts = [member for member in field.enum_values if isinstance(member, str)]
    rest = next((member for member in texts if member.casefold() in _NO_ANSWER), None)
    last = Counter(words[-1] for words in map(fold_words, texts) if len(words) > 1)
    nouns = {word for word, count in last.items() if count > 2}
    for rank, span in enumerate(page.titles[:_FIRST_TITLES] if rest and nouns else ()):
        words = fold_words(page.text[slice(*span)])
        if rest and 1 < len(words) <= _LONGEST_TITLE and nouns & set(words):
            yield Title(rest, span, 0.5, rank, page.text[slice(*span)])


def page_kinds(page: Page, contract: CanonicalContract, lexicon: Lexicon) -> tuple[str, ...]:
    """What the titles say of the page in the words of the contract's own enums, one member a field."""
    kinds = []
    for field in contract.leaves:
        if field.type is FieldType.ENUM and len(field.enum_values) > 1:
            found = titles_for(page, field, lexicon)
            if found and found[0].member.casefold() not in _NO_ANSWER:
                kinds.append(found[0].member)
    return tuple(kinds)


def _words(text: str, span: Span) -> list[tuple[Span, str]]:
    """The folded words of a title, each with where it stands."""
    return [(match.span(), word) for match in _WORD.finditer(text, *span) for word in fold_words(match[0])]


def _in_title(flat: list[tuple[Span, str]], span: Span, rank: int, member: str, lexicon: Lexicon) -> Iterator[Title]:
    parts = [part for part in _PARTS.split(member) if len(part) > 3] if "/" in member else []
    own = (member, *parts) if len(parts) > 1 else (member,)
    said = {word for _, word in flat}
    for wording in (*own, *lexicon.same_titles(member)):
        wanted = fold_words(wording)
        if said.isdisjoint(wanted):
            continue
        hit = _whole(flat, wanted)
        if hit and _may_stand_alone(flat, hit, wanted) and (len(flat) <= _LONGEST_TITLE or hit[0] <= _FIRST_WORDS):
            yield Title(member, (flat[hit[0]][0][0], flat[hit[1]][0][1]), 1.0, rank, wording)
            return
        if wording not in own:
            continue  # Another title of its kind counts as a whole only.
        telling = tuple(word for word in wanted if word not in lexicon.stops)
        weights = {word: 2 if any(map(str.isdigit, word)) else 1 for word in telling}
        share = sum(weight for word, weight in weights.items() if word in said) / max(1, sum(weights.values()))
        if share >= _ENOUGH and len(telling) > 1 and len(flat) <= _LONGEST_TITLE:
            yield Title(member, span, share * 0.99, rank, wording)
            return


def _whole(words: Sequence[tuple[Span, str]], wanted: tuple[str, ...]) -> tuple[int, int] | None:
    plain = [word for _, word in words]
    for at in range(len(plain) - len(wanted) + 1):
        if tuple(plain[at : at + len(wanted)]) == wanted:
            return at, at + len(wanted) - 1
    return None


def _may_stand_alone(words: Sequence[tuple[Span, str]], hit: tuple[int, int], wanted: tuple[str, ...]) -> bool:
    """A bare figure is a member only behind a word that leads to it, right at the start of a title: "FORM 4"."""
    if sum(map(len, wanted)) >= _SHORTEST_ALONE:
        return True
    return 0 < hit[0] <= 2 and len(words) <= hit[1] + 3 and not words[hit[0] - 1][1].isdigit()


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
            # A title is no end of another label or sentence: "We refer to your invoice of".
            words = fold_words(page.text[slice(*title.label)])
            before = set(takewhile(lambda word: not word.endswith(title.said), words)) - claims.lexicon.papers
            is_sure = (before.isdisjoint(claims.lexicon.stops) if words[-1].endswith(title.said) else not before) and (
                is_date or _is_plain(page, title, span)
            )
            fit = min(claim.fit, _SURE if is_sure else _UNSURE)
            sure = Claim(fit, claim.asked, f"it stands behind the title {name.text!r}")
            is_span = asks_span(field, claim, found, claims)
            yield Find(field, sure, place, name=name, is_span=is_span)


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
