"""Values that no name announces: by the shape of an example, by a form of address, or as the only one of its kind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

import attrs

from paxman.documents.document import Document, Node
from paxman.finding.claims import Claim, Claims
from paxman.finding.parties.addresses import address_blocks
from paxman.finding.parties.party_blocks import party_blocks_of
from paxman.finding.ties import Find, find_at, read_place
from paxman.finding.wanted import Wanted, members_of
from paxman.lazy import lazy_pattern
from paxman.lexicon.folding import fold_words
from paxman.page.names import Name, Page
from paxman.page.places import Place
from paxman.recognizers import Conventions, Reading, find, read_value
from paxman.recognizers.base import read_any
from paxman.recognizers.conventions import american_places, names_other_dollar
from paxman.recognizers.identifiers import find_bare_tax_ids
from paxman.recognizers.values import with_scheme
from paxman.types import FieldType, Span

_HEAD_LINES = 60
_LEAST_LENGTH = 5
_LONGEST_DAY, _MOST_LINES, _MOST_PLACES, _SHORTEST_ACCOUNT = 30, 30, 3, 100
_FIGURES = (FieldType.INTEGER, FieldType.DECIMAL)
_TITLE_LINES = 4
_SAID_IN_FULL = 0.95
_TITLE = ("head:title",)
_YEAR = lazy_pattern(r"\(((?:19|20)\d\d)\)$")
_ADDRESSES = frozenset({"address", "place"})
_DATA = frozenset({"xml", "json", "yaml"})
_MOST_NAMES = 200
_NO_LEVEL, _MOST_TITLE_WORDS = 99, 10
_MOST_TEXT = 20_000


def unnamed_finds(page: Page, claims: Claims, how: Conventions) -> Iterator[Find]:
    """Finds by shape and place alone, for all scalar fields."""
    yield from _called_finds(page, claims, how)
    for number, wanted in enumerate(claims.wanted):
        if wanted.field.type is FieldType.STRING:
            yield from _by_shape(page, number, wanted)
            yield from _incident_paragraph(page, number, wanted, how, claims)
            if wanted.recognized and wanted.owner in (None, *claims.lexicon.issuers):
                yield from _only_one(page, number, wanted, how, claims)
            if wanted.kind == "place" and wanted.shapes:
                yield from _in_address(page, number, wanted, claims)
            if _asks_title(wanted, claims) or fold_words(wanted.field.words) in claims.lexicon.subjects:
                yield from _subject(page, number, wanted, claims)
        elif wanted.field.type in _FIGURES and wanted.term and wanted.term.kind == "period":
            # For a period that is a number, the year in brackets behind a title: "Wage and Tax Statement (2024)".
            lines = (*page.titles, *((line.start, line.end) for line in page.lines.head(_TITLE_LINES)))
            found = [match.span(1) for span in sorted(set(lines)) for match in _YEAR.finditer(page.text, *span)]
            if len({page.text[slice(*span)] for span in found}) == 1:
                reading = read_value(page.text[slice(*found[0])], wanted.field, how)
                if reading:
                    reading = reading.shifted(found[0][0])
                    yield _find(
                        page, number, found[0], "year of the title", "it is the year of the title", wanted, reading
                    )


def _called_finds(page: Page, claims: Claims, how: Conventions) -> Iterator[Find]:
    """Texts whose element alone is called like a field: `<p class="price">`."""
    called: dict[str, dict[str, Span]] = {}
    for mark in page.document.marks:
        if mark.kind == "called" and (text := page.text[slice(*mark.span)].strip()):
            called.setdefault(mark.name, {})[text] = mark.span
    for name, texts in called.items():
        for number, claim in claims.of(name).items() if len(texts) == 1 else ():
            wanted, [span] = claims.wanted[number], texts.values()
            if claim.fit < _SAID_IN_FULL or claim.asked.source not in ("name", "label"):
                continue
            reading = read_place(page, Place("alone", span, span), wanted, how, claims)
            if reading:
                reason = f"the markup calls it {name!r}"
                yield find_at(number, span, reading, 0.5, name, reason, {"called so by the markup": 1.0})


def _asks_title(wanted: Wanted, claims: Claims) -> bool:
    """Whether a field asks for a title that its trade calls just so: "title", "paper title", but no "job title"."""
    own = claims.lexicon.key_of(wanted.field.words)
    names = wanted.term.names if wanted.term else ()
    return own[-1:] == _TITLE and _TITLE in (own, *map(claims.lexicon.key_of, names))


def _head_titles(document: Document) -> list[Node]:
    """What the head of a page says that it is of, its `<title>` first; both name the site as well."""
    groups = document.tree.children if document.kind == "html" and document.tree else ()
    named = [node for group in ("meta", "opengraph") for each in groups if each.name == group for node in each.walk()]
    return [node for node in named if node.name in ("title", "og:title") and node.text]


def _subject(page: Page, number: int, wanted: Wanted, claims: Claims) -> Iterator[Find]:
    """What a page is of: the heading that its title holds whole, else the words it holds, else the first heading."""
    titles = _head_titles(page.document)
    said = [f" {' '.join(fold_words(title.text or ''))} " for title in titles]
    held: list[tuple[int, int, int, Span]] = []
    for line in page.lines if titles else ():
        for start, end in line.cells if line.level or line.number < _MOST_NAMES else ():
            year = _YEAR.search(page.text, start, end) if line.level else None
            span = start, start + len(page.text[start : year.start() if year else end].rstrip())
            words = fold_words(page.text[slice(*span)])
            places = [each.find(f" {' '.join(words)} ") for each in said] if len(words) > (not line.level) else []
            if max(places, default=-1) >= 0:
                held.append((line.level or _NO_LEVEL, -len(words), max(places), span))
    if held and min(held)[0] < _NO_LEVEL:
        span = min(held)[-1]
        name = Name(titles[0].text or "", titles[0].span, page.lines.at(span[0]), ())
        reading = Reading(*span, " ".join(page.text[slice(*span)].split()), ("fold",))
        asked = attrs.evolve(wanted.phrases[0], source="place")
        claim = Claim(0.9, asked, "the title of the page holds this heading")
        yield Find(number, claim, Place("section", span, span), {"heading in the title": 1.0}, name, reading)
    elif held or (titles and len(said[0].split()) <= _MOST_TITLE_WORDS):
        reading = None
        if not held:
            reading = Reading(
                *titles[0].span, " ".join((titles[0].text or "").split()), (*titles[0].transforms, "fold")
            )
        span = min(held)[-1] if held else titles[0].span
        yield _find(page, number, span, "title of the page", "it is in the title of the page", wanted, reading)
    if titles or not _asks_title(wanted, claims):
        return
    for span in _title_lines(page, claims):
        yield _find(page, number, span, "title of the page", "it is the title of the page", wanted)


def _title_lines(page: Page, claims: Claims) -> list[Span]:
    """The first of the highest headings; the subject of a mail."""
    if page.document.kind == "email":
        return [pair.value_span for pair in page.document.pairs if pair.label == "Subject"][:1]
    levels = {page.lines[at].level: at for at in reversed(range(min(len(page.lines), _HEAD_LINES)))}
    at = levels.get(min(filter(None, levels), default=0))
    span = (page.lines[at].start, page.lines[at].end) if at is not None else None
    return [span] if span and not claims.is_label(page.text[slice(*span)]) else []


def _by_shape(page: Page, number: int, wanted: Wanted) -> Iterator[Find]:
    for pattern in wanted.shapes:
        for line in page.lines.head(_HEAD_LINES):
            match = pattern.search(page.text, line.start, line.end)
            if match and len(match[0]) >= _LEAST_LENGTH:
                yield _find(
                    page, number, match.span(), "written as the example", "it is written as the example is", wanted
                )
                return


def _incident_paragraph(page: Page, number: int, wanted: Wanted, how: Conventions, claims: Claims) -> Iterator[Find]:
    """The paragraph that tells what happened, where a field asks for that, or the place in it that is named last."""
    is_place = wanted.kind == "place" and bool(wanted.shapes)
    if not (wanted.is_narrative or is_place) or claims.lexicon.events.isdisjoint(fold_words(wanted.described.text)):
        return
    account = _account(page, how, claims)
    if account and not is_place:
        yield _find(page, number, account, "account", "it tells what happened on a day", wanted)
    elif account:
        found = [match.span() for pattern in wanted.shapes for match in pattern.finditer(page.text, *account)]
        for rank, span in enumerate(sorted(found, reverse=True)[:_MOST_PLACES]):
            reason = "it stands where the page tells what happened"
            yield _find(page, number, span, "account", reason, wanted, rank=rank)


def _account(page: Page, how: Conventions, claims: Claims) -> Span | None:
    """The first paragraph that begins with a day: "On 5 May 2024, ..."."""
    for line in page.lines:
        opening = claims.lexicon.openings.match(page.text, line.start, line.end) if line.blank else None
        day = find("date", page.text[opening.end() : opening.end() + _LONGEST_DAY], how) if opening else ()
        if day and not day[0].start:
            end = next((each.start for each in page.lines.after(line.number, _MOST_LINES) if each.blank), line.end)
            span = line.start, line.start + len(page.text[line.start : max(line.end, end)].rstrip())
            if span[1] - span[0] >= _SHORTEST_ACCOUNT:
                return span
    return None


def _only_one(page: Page, number: int, wanted: Wanted, how: Conventions, claims: Claims) -> Iterator[Find]:
    """The only value of its kind on the page, unless it is another party's: one e-mail address, one account."""
    text = page.text[:_MOST_TEXT]
    found = find(wanted.recognized, text, how)
    if wanted.recognized == "vat_id" and not found:
        found = [reading for reading in find_bare_tax_ids(text, how) if _is_announced(text, reading, wanted)]
    if len({reading.value for reading in found}) == 1:
        span = (found[0].start, found[0].end)
        # A value may be another party's: by the heading of its block, or in data, which name what is whose.
        if wanted.owner and (
            page.document.kind in _DATA or party_blocks_of(page, claims).is_of_other(span, frozenset({wanted.owner}))
        ):
            return
        reading = with_scheme(page.text, wanted.field, found[0])
        yield _find(
            page, number, span, "only of its kind", "it is the only one of its kind on the page", wanted, reading
        )


def _is_announced(text: str, reading: Reading, wanted: Wanted) -> bool:
    """Whether the line before a value begins with a wording of the field, however its letters are parted: "A.B.N."."""
    before = _letters(text[text.rfind("\n", 0, reading.start) + 1 : reading.start])
    return before.startswith(tuple(filter(None, (_letters(asked.text) for asked in wanted.phrases))))


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text.casefold()))


def _in_address(page: Page, number: int, wanted: Wanted, claims: Claims) -> Iterator[Find]:
    """The code of a place at the end of the first address or location that the page names."""
    for name in page.names[:_MOST_NAMES]:
        heads = members_of(claims.lexicon.parse(name.text), "head")
        if not _ADDRESSES.isdisjoint(heads):
            found = [
                match
                for pattern in wanted.shapes
                for match in pattern.finditer(page.text, *(name.places[0].block if name.places else name.span))
            ]
            if found:
                last = max(found, key=lambda match: match.start())
                yield _find(page, number, last.span(), "in an address", f"it stands in {name.text!r}", wanted)
                return


def _find(
    page: Page,
    number: int,
    span: Span,
    sign: str,
    reason: str,
    wanted: Wanted,
    reading: Reading | None = None,
    rank: int = 0,
) -> Find:
    reading = reading or Reading(*span, " ".join(page.text[slice(*span)].split()))
    return find_at(number, span, reading, 0.5, wanted.field.words, reason, {sign: 1.0, "rank": rank})


_NAMED = r"[ \t]+((?:[A-Z]\.[ \t]?)?[A-Z][\w’'-]*(?:[ \t](?:[A-Z]\.[ \t])?[A-Z][a-z][\w’'-]*){0,2})"
_POSSESSIVE = ("'s", "’s")


def honorific_finds(page: Page, claims: Claims) -> Iterator[Find]:
    """For fields that ask for somebody of a role, whoever the page names with its form of address most often."""
    for number, wanted in enumerate(claims.wanted):
        titles = claims.lexicon.addresses.get(wanted.owner or "", ())
        if wanted.field.type is not FieldType.STRING or wanted.kind not in ("name", "person") or not titles:
            continue
        found = _addressed(page.text, titles)
        most = max(map(len, found.values()), default=0)
        for text, spans in found.items():
            if len(spans) == most:
                reading, reason = Reading(*spans[0], text), "the page calls nobody so more often"
                yield find_at(number, spans[0], reading, 0.5, text, reason, {"form of address": 1.0})


def _addressed(text: str, titles: tuple[str, ...]) -> Mapping[str, list[Span]]:
    """Where each person stands that one of these forms of address leads to."""
    found: dict[str, list[Span]] = {}
    words = Counter(re.findall(r"\b[a-z]+\b", text))
    for match in re.finditer(rf"\b(?:{'|'.join(map(re.escape, titles))})\.?{_NAMED}", text):
        # Where a name ends: before a word that the page also writes small, and before the sign of a possessive.
        name = match[1]
        for part in re.finditer(r"(?<=\s)\w+", name):
            if words.get(part[0].lower()):
                name = name[: part.start()].rstrip(" \t.")
                break
        end = match.start(1) + len(name) - 2 * name.endswith(_POSSESSIVE)
        found.setdefault(" ".join(text[match.start() : end].split()), []).append((match.start(), end))
    return found


_SAMPLE = 60_000
_MOST_MENTIONS = 3
_SHORTEST_WORD = 4
_ADDRESS_LINES = 12
_PLACES = frozenset({"place", "address"})
_PLAIN, _ASSUMED = 0.9, 0.7
_CODED = frozenset({FieldType.STRING, FieldType.ENUM})
_BEFORE = lazy_pattern(r"(?:\d[.,-]{0,2} ?|\(|\b\w{1,2} )\Z")
_AFTER = lazy_pattern(r"[ \t.:]{0,60}[-+]?\d")


def currency_finds(page: Page, claims: Claims, how: Conventions) -> Iterator[Find]:
    """The currency that is named most often; another one named half as often is a rival."""
    for number, wanted in enumerate(claims.wanted):
        if wanted.field.type in _CODED and _asks_currency(wanted):
            ranked = _ranked(page, how)
            for rank, readings in enumerate(ranked):
                for reading in readings[:_MOST_MENTIONS]:
                    yield _currency_find(page, number, reading, rank, how)
            if not ranked and not _PLACES.isdisjoint(members_of(claims.lexicon.parse(wanted.described.text), "head")):
                yield from _local(page, number, how)


def _local(page: Page, number: int, how: Conventions) -> Iterator[Find]:
    """The currency where the first address of a page is, for a field whose description speaks of places."""
    for block in address_blocks(page, _ADDRESS_LINES)[:1]:
        start, end = block.spans[0][0], page.line_end(block.spans[-1][1])
        text = page.text[start:end]
        found = [(place.start, place.end) for place in find("country", text, how)] or [*american_places(text)]
        reading = read_any(text, *found[-1], [("local_currency",)], "") if found else None
        if reading:
            reading = reading.shifted(start)
            span, reason = (reading.start, reading.end), "the address is where it is paid in"
            yield find_at(number, span, reading, _ASSUMED, "", reason, {"currency of the place": 1.0})


def _asks_currency(wanted: Wanted) -> bool:
    named = wanted.term is not None and wanted.term.name == "currency"
    return named or "currency" in wanted.field.semantic_tags or wanted.field.constraint("iso_4217") is not None


def _ranked(page: Page, how: Conventions) -> list[list[Reading]]:
    """Where currencies are named, by currency, those that are named most first."""
    text = page.text[:_SAMPLE]
    readings = [reading for reading in find("currency", text, how) if _is_meant(text, reading)]
    if len({reading.value for reading in readings}) > 1:  # A street may be called like a currency.
        readings = [
            r for r in readings if r.end - r.start < _SHORTEST_WORD or not text[r.start : r.end].istitle()
        ] or readings
    counts = Counter(reading.value for reading in readings)
    most = max(counts.values(), default=0)
    kept = sorted((value for value in counts if 2 * counts[value] > most), key=lambda code: (-counts[code], code))
    return [[reading for reading in readings if reading.value == value] for value in kept]


def _is_meant(text: str, reading: Reading) -> bool:
    """Whether a word means a currency: "franco" and "peso" do beside a figure, in brackets or behind a small word."""
    word = text[reading.start : reading.end]
    if not word.isalpha() or word.isupper() or word[-1].isupper():
        return True
    before = _BEFORE.search(text, max(0, reading.start - 24), reading.start)
    return before is not None or _AFTER.match(text, reading.end) is not None


def _currency_find(page: Page, number: int, reading: Reading, rank: int, how: Conventions) -> Find:
    span = (reading.start, reading.end)
    bare = page.text[slice(*span)] == "$"
    unsure = bare and (how.dollar_assumed or (not how.region and names_other_dollar(page.text[:_SAMPLE])))
    fit = _ASSUMED if unsure or how.sign_assumed else _PLAIN
    signs = {"currency of the page": 1.0, "rank": rank}
    return find_at(number, span, reading, fit, "", "the page reckons in it", signs)
