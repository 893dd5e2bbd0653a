"""Signs: what speaks for or against a value being a field's, each with a name and a weight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from paxman.classes import record
from paxman.finding.claims import Claim, Claims
from paxman.finding.parties.names import has_number, is_spaced, names_detail
from paxman.finding.shapes import fits
from paxman.finding.wanted import Wanted, members_of
from paxman.lazy import lazy_pattern
from paxman.page.lines import PageLine
from paxman.page.names import Name, Page
from paxman.page.places import Place
from paxman.recognizers import Reading
from paxman.types import FieldType

_FEW_WORDS = 3
_PERSON = lazy_pattern(r"[^\W\d_]+ [A-Z]\. [^\W\d_]+")
_YEAR = lazy_pattern(r"(?:19|20)\d\d")
_PAIR = 2
_MOST_BELOW = 50
BESIDE = frozenset({"beside", "next"})
NAMES = frozenset({"name", "company", "person"})


@lru_cache(maxsize=1)
def weights() -> Mapping[str, float]:
    """What each sign counts, by its name."""
    import tomllib

    tables = tomllib.loads(Path(__file__).with_name("weights.toml").read_text(encoding="utf-8"))
    return {**tables["judged"], **tables["fitted"]}


@record
class Signs:
    """Named signs with what each counts, and their sum."""

    parts: tuple[tuple[str, float], ...]
    score: float
    held: tuple[tuple[str, float], ...] = ()
    """How far each sign holds, from 0 to 1, where the weights file says what it counts."""


def signs_of(
    page: Page, name: Name, place: Place, claim: Claim, reading: Reading, wanted: Wanted, claims: Claims
) -> Signs:
    is_other = _is_year(page, name, reading, wanted, claims) or _is_somebody(page, reading, wanted, claims)
    shape = -1.0 if is_other else _shape(page, reading, wanted)
    values = {
        "fit": claim.fit,
        place.relation: 1.0,
        "whole": float(reading.end - reading.start >= 0.8 * len(page.text[place.span[0] : place.span[1]].strip())),
        "shape": max(0.0, shape),
        "misshapen": max(0.0, -shape),
        "is a name": float(wanted.kind != "choice" and _is_name(page, place, claims)),
        "is a heading": float(_is_heading(page, place, name)),
        "late": min(1.0, name.line / 400),
        "heads a column": float(place.relation == "next" and _heads_column(page, name, claims)),
    }
    if wanted.kind in NAMES and has_number(page.text[reading.start : reading.end]):
        values["with a number"] = 1.0
    if wanted.kind in NAMES and place.relation in BESIDE and _goes_on(page, name, place, claims):
        values["goes on"] = 1.0
    values["part"] = 1.0 - values["whole"]
    return weighed(values.items(), weights())


def weighed(held: Iterable[tuple[str, float]], counts: Mapping[str, float]) -> Signs:
    """The signs that hold, each with what it counts."""
    held = tuple((sign, value) for sign, value in held if value)
    parts = tuple((sign, round(counts.get(sign, 0.0) * value, 4)) for sign, value in held)
    return Signs(parts, sum(weight for _, weight in parts), held)


def _goes_on(page: Page, name: Name, place: Place, claims: Claims) -> bool:
    """Whether words without a name of their own stand right below a value, in its column."""
    line = page.lines[page.lines.at(place.span[0])]
    below = page.lines[line.number + 1] if line.number + 1 < len(page.lines) else None
    if below is None or below.blank or line.gridded or name.line != line.number:
        return False
    left, label = page.lines.column(line, place.span[0]), page.lines.column(line, name.span[0])
    cell = next((each for each in below.cells if page.lines.column(below, each[0]) == left), None)
    before = [each for each in below.cells if label <= page.lines.column(below, each[0]) < left]
    text = page.text[slice(*cell)] if cell else ""
    return text.replace(" ", "").isalpha() and not before and not claims.is_label(text)


def _shape(page: Page, reading: Reading, wanted: Wanted) -> float:
    if wanted.field.type is not FieldType.STRING:
        return 1.0
    text = page.text[reading.start : reading.end]
    if wanted.shapes and not any(shape.fullmatch(text) for shape in wanted.shapes):
        return -1.0 if len(text.split()) > _FEW_WORDS else 0.0
    if wanted.kind in NAMES and (names_detail(text) or is_spaced(text)):
        return -1.0
    return fits(text, wanted.kind)


def _is_year(page: Page, name: Name, reading: Reading, wanted: Wanted, claims: Claims) -> bool:
    """Whether a year stands where a number would, and its name does not call it one: "Invoice 2024"."""
    if wanted.kind != "number" or not _YEAR.fullmatch(page.text, reading.start, reading.end):
        return False
    return "number" not in members_of(claims.lexicon.parse(name.text), "head")


def _is_somebody(page: Page, reading: Reading, wanted: Wanted, claims: Claims) -> bool:
    """Whether a person stands where the description asks for a company and for nobody else."""
    if wanted.kind not in NAMES or not _PERSON.fullmatch(page.text, reading.start, reading.end):
        return False
    heads = {head for saying in wanted.described.sayings for head in members_of(claims.lexicon.parse(saying), "head")}
    return "company" in heads and "person" not in heads


def _is_heading(page: Page, place: Place, name: Name) -> bool:
    """Whether a heading of its own stands where the value would, below its name."""
    if place.relation not in ("section", "below"):
        return False
    level = page.lines.levels[page.lines.at(place.span[0])]
    return 0 < level < 8 and level <= (page.lines.levels[name.line] or 9)


def _is_name(page: Page, place: Place, claims: Claims) -> bool:
    """Whether what stands there names something itself."""
    if place.relation in ("key", "beside", "above", "title"):
        return False
    text = page.text[place.span[0] : place.span[1]].strip()
    if text.endswith(":") or (text.endswith("*") and not any(map(str.isdigit, text))):
        return True
    return claims.is_label(text) or claims.lexicon.is_caption(text)


def _heads_column(page: Page, name: Name, claims: Claims) -> bool:
    """Whether a name is the first cell of a table of two columns, and what stands below it names nothing."""
    line = page.lines[name.line]
    if line.row is None or len(line.cells) != _PAIR:
        return False
    near = page.lines.after(name.line, _MOST_BELOW)
    below = [each for each in near if each.row and each.row.table == line.row.table and len(each.cells) == _PAIR]
    if len(below) < _PAIR or any(claims.is_label(page.text[slice(*each.cells[0])]) for each in below):
        return False
    return line.row.head or (not _has_digit(page, line) and all(_has_digit(page, each) for each in below))


def _has_digit(page: Page, line: PageLine) -> bool:
    return any(map(str.isdigit, page.text[slice(*line.cells[1])]))
