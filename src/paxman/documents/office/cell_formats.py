"""What an XLSX shows beyond its numbers: currencies and leading zeros of formats, and digits that no float holds.

Runs in the helper process only, beside the parser, which gives numbers without their formats.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from itertools import islice
from typing import Any

import attrs

from paxman.currencies import MINOR_UNITS
from paxman.documents.office.far_cells import column_number
from paxman.documents.office.writer import parse_xml

_CELL = re.compile(
    rb"<(?:\w{1,9}:)?c ([^<>]*[^<>/])>"
    rb"((?:<(?:\w{1,9}:)?f\b[^<>]*+(?:(?<=/)>|>[^<]*+</(?:\w{1,9}:)?f>))?)"
    rb"(?:<(?:\w{1,9}:)?v>([^<]*+)</)?"
)
_TEXT = re.compile(rb"\bt=[\"']str[\"']")
_STYLE = re.compile(rb"\bs=[\"']([0-9]{1,6})[\"']")
_ATTRIBUTE = re.compile(rb"\b([rt])=[\"']([^\"']{1,20})[\"']")
_ADDRESS = re.compile(r"([A-Z]{1,3})([0-9]{1,7})\Z")
_ERROR = re.compile(rb"<(?:\w{1,9}:)?c [^<>]*\bt=[\"']e[\"']")
_HIDDEN_ROW = re.compile(rb"<(?:\w{1,9}:)?row (?=[^<>]*\bhidden=[\"'](?:1|true)[\"'])[^<>]*\br=[\"']([0-9]{1,7})[\"']")
_LONG = re.compile(rb">-?[0-9]{16,40}<")
_LITERAL = re.compile(r"\[\$([^\]-]*)[^\]]*\]|\"([^\"]*)\"|\\(.)|([$€£¥₹₩₽])|_.|\*.|\[[^\]]*\]")
_SIGNS = frozenset("$€£¥₹₩₽₺₪฿₫₴") | {"US$", "kr", "zł", "Kč", "Fr.", "R$"}
_SHORT = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,9})?\Z")
_MOST_DIGITS = 40
_ZEROS = re.compile(r"0{2,20}\Z")
DOLLARS = dict.fromkeys(("5", "6", "42"), '"$"#,##0') | dict.fromkeys(("7", "8", "44"), '"$"#,##0.00')
"""Formats with a currency that have a number of their own; a program with another currency writes them out."""
_PLACEHOLDER = re.compile(r"[#0?]")
_DECIMALS = re.compile(r"\.([0?]+)")


@attrs.frozen
class Format:
    """How a number is shown: with a currency before or behind it, so many decimals, or so many digits in all."""

    before: str = ""
    after: str = ""
    decimals: int = 0
    digits: int = 0

    def show(self, written: str) -> str | None:
        """A number as written in the file, in this format; never rounded."""
        plain = written if _SHORT.match(written) else _plain(written)
        if plain is None:
            return None
        sign, digits = ("-", plain[1:]) if plain[0] == "-" else ("", plain)
        whole, _, fraction = digits.partition(".")
        if self.digits:
            return whole.zfill(self.digits) if not (fraction or sign) else None
        fraction = fraction.ljust(self.decimals, "0")
        return f"{sign}{self.before}{whole}{'.' if fraction else ''}{fraction}{self.after}"


def _plain(written: str) -> str | None:
    """A number without exponent, and without the digits that storing it in binary added."""
    try:
        value = Decimal(written)
    except InvalidOperation:
        return None
    if not value.is_finite() or abs(value.adjusted()) > _MOST_DIGITS:
        return None
    return format(value if value == value.to_integral_value() else Decimal(format(float(value), ".15g")), "f")


@attrs.frozen
class Shown:
    """Texts of a sheet by row and column from 0, how many formulas have no stored result, and how many cells fail."""

    texts: dict[int, dict[int, str]]
    unsolved: int = 0
    broken: int = 0
    merged: tuple[tuple[int, int, int], ...] = ()
    """First row, column and last row of cells that are merged downward, where the parser does not tell them."""
    hidden: frozenset[int] = frozenset()
    """Rows that the sheet does not show."""


class Formats:
    """The formats and the raw sheets of a workbook; empty for other kinds of spreadsheets."""

    def __init__(self, data: bytes) -> None:
        self._archive = zipfile.ZipFile(io.BytesIO(data)) if data.startswith(b"PK\x03\x04") else None
        self._sheets = dict(self._find_sheets())
        self._styles = dict(self._find_styles()) if self._sheets else {}

    def _xml(self, name: str) -> Any:
        """The root of a part, or nothing that can be searched if it is missing or broken."""
        try:
            assert self._archive is not None
            return parse_xml(self._archive.read(name))
        except (KeyError, AssertionError, SyntaxError, ValueError):
            return ()

    def _find_sheets(self) -> Iterator[tuple[str, str]]:
        targets = {each.get("Id"): each.get("Target", "") for each in self._xml("xl/_rels/workbook.xml.rels")}
        book = self._xml("xl/workbook.xml")
        for sheet in book.iter() if len(book) else ():
            if sheet.tag.endswith("}sheet"):
                key = next((value for name, value in sheet.attrib.items() if name.endswith("}id")), None)
                yield sheet.get("name", ""), posixpath.normpath(posixpath.join("/xl", targets.get(key, "")))[1:]

    def _find_styles(self) -> Iterator[tuple[bytes, Format]]:
        """The formats that show more than a number, by the number of the style that cells name."""
        root = self._xml("xl/styles.xml")
        written = {each.get("numFmtId"): each.get("formatCode", "") for each in _below(root, "numFmts")}
        codes = {**DOLLARS, **written}
        for number, style in enumerate(_below(root, "cellXfs")):
            found = read_format(codes.get(style.get("numFmtId"), ""))
            if found:
                yield str(number).encode(), found

    def part(self, sheet: str) -> str:
        """What a sheet is called in the file."""
        return self._sheets.get(sheet, "")

    def shown(self, sheet: str) -> Shown:
        """What a sheet shows otherwise than its numbers say."""
        try:
            source = self._archive.read(self._sheets[sheet]) if self._archive and sheet in self._sheets else b""
        except KeyError:
            source = b""
        may_fail = b' t="e"' in source or b" t='e'" in source
        broken = len(_ERROR.findall(source)) if may_fail else 0
        hidden = frozenset(int(row) - 1 for row in _HIDDEN_ROW.findall(source)) if b"hidden=" in source else frozenset()
        if not (self._styles or _LONG.search(source) or b"<f" in source or b":f>" in source):
            return Shown({}, broken=broken, hidden=hidden)
        return attrs.evolve(self._scan(source), broken=broken, hidden=hidden)

    def _scan(self, source: bytes) -> Shown:
        texts: dict[int, dict[int, str]] = {}
        unsolved = 0
        for attributes, formula, value in _CELL.findall(source):
            if not value:
                # A text as the result may be empty.
                unsolved += bool(formula) and not _TEXT.search(attributes)
                continue
            found = _STYLE.search(attributes)
            style = self._styles.get(found[1]) if found else None
            known = dict(_ATTRIBUTE.findall(attributes)) if style or len(value) > 15 else {b"t": b""}
            if known.get(b"t", b"n") != b"n":
                continue
            text = self._text(value.decode("ascii", "replace"), style)
            place = _ADDRESS.match(known.get(b"r", b"").decode("ascii", "replace"))
            if text and place:
                texts.setdefault(int(place[2]) - 1, {})[column_number(place[1].encode()) - 1] = text
        return Shown(texts, unsolved)

    def _text(self, value: str, style: Format | None) -> str | None:
        if style:
            return style.show(value)
        return value if value.lstrip("-").isdigit() else None


def _below(root: Any, name: str) -> Any:
    return next((each for each in root if each.tag.endswith("}" + name)), ())


def read_format(code: str) -> Format | None:
    """What a format code adds to a number; None if that is nothing but its appearance."""
    section = code.partition(";")[0]
    if _ZEROS.match(section):
        return Format(digits=len(section))
    first = _PLACEHOLDER.search(_LITERAL.sub(lambda found: " " * len(found[0]), section))
    if first is None:
        return None
    for found in _LITERAL.finditer(section):
        literal = next((group for group in found.groups() if group), "").strip()
        if literal in _SIGNS or literal in MINOR_UNITS:
            decimals = _DECIMALS.search(section)
            places = len(decimals[1]) if decimals else 0
            leads = found.start() < first.start()
            if leads:
                return Format(before=f"{literal} " if literal[-1].isalnum() else literal, decimals=places)
            return Format(after=f" {literal}", decimals=places)
    return None


# What a sheet has that only numbers and texts fill, nobody needs to look at.
_WORTH_A_LOOK = re.compile(
    rb"office:currency=|table:visibility=|number-rows-spanned=|table:formula=|value-type=[\"']error|>0[0-9]{1,19}<|[0-9]{16}[\"']"
)
_DIGITS = re.compile(r"-?[0-9]{1,40}\Z")
_MOST_ROWS, _MOST_COLUMNS = 1_048_576, 16_384


class OdsFormats:
    """The sheets of a book as they are written."""

    def __init__(self, data: bytes) -> None:
        self._sheets = dict(_sheets(data))

    def part(self, sheet: str) -> str:
        """What a sheet is called in the file."""
        return sheet

    def shown(self, sheet: str) -> Shown:
        """What a sheet shows otherwise than its numbers say."""
        return _scan(self._sheets[sheet]) if sheet in self._sheets else Shown({})


def _sheets(data: bytes) -> Iterator[tuple[str, Any]]:
    root: Any = ()
    try:
        content = zipfile.ZipFile(io.BytesIO(data)).read("content.xml")
        root = parse_xml(content) if _WORTH_A_LOOK.search(content) else ()
    except (KeyError, SyntaxError, ValueError, zipfile.BadZipFile, NotImplementedError, RuntimeError):
        return
    for element in root.iter() if len(root) else ():
        if _name(element) == "table":
            yield _attributes(element).get("name", ""), element


def _scan(table: Any) -> Shown:
    texts: dict[int, dict[int, str]] = {}
    merged: list[tuple[int, int, int]] = []
    hidden: set[int] = set()
    unsolved = broken = number = 0
    for row in table.iter():
        if _name(row) != "table-row":
            continue
        shown: dict[int, str] = {}
        for column, count, cell in _cells(row):
            found = _attributes(cell)
            broken += found.get("calcext-type") == "error"
            unsolved += "formula" in found and "value-type" not in found
            down = _count(found, "number-rows-spanned", _MOST_ROWS)
            merged += [(number, column, number + down - 1)] if down > 1 else []
            if text := _text(found, cell):
                shown.update(dict.fromkeys(range(column, column + count), text))
        about = _attributes(row)
        repeated = _count(about, "number-rows-repeated", max(_MOST_ROWS - number, 1))
        texts.update(dict.fromkeys(range(number, number + repeated), shown) if shown else {})
        if about.get("visibility", "visible") != "visible" and next(row.itertext(), None):
            hidden.update(range(number, number + repeated))
        number += repeated
    return Shown(texts, unsolved, broken, tuple(merged), frozenset(hidden))


def _cells(row: Any) -> Iterator[tuple[int, int, Any]]:
    """The cells of a row with their column, and how many of them are alike."""
    column = 0
    for cell in row:
        if _name(cell) in ("table-cell", "covered-table-cell"):
            count = _count(_attributes(cell), "number-columns-repeated", _MOST_COLUMNS)
            yield column, min(count, max(_MOST_COLUMNS - column, 0)), cell
            column += count


def _text(found: dict[str, str], cell: Any) -> str | None:
    """A number with its currency, with the zeros that are shown before it, or with more digits than a float holds."""
    value, currency = found.get("value", ""), found.get("currency", "")
    if found.get("value-type") == "currency" and currency:
        return Format(after=f" {currency}", decimals=MINOR_UNITS.get(currency, 0)).show(value)
    if found.get("value-type") != "float" or not _DIGITS.match(value):
        return None
    shown = "".join(islice(cell.itertext(), 9)).strip()
    if shown.startswith("0") and _DIGITS.match(shown) and int(shown) == int(value):
        return shown
    return value if len(value) > 15 else None


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _attributes(element: Any) -> dict[str, str]:
    """Attributes by their local name; newer programs say in one of their own what is an error."""
    found = {name.rpartition("}")[2]: value for name, value in element.attrib.items() if "calcext" not in name}
    kind = next((value for name, value in element.attrib.items() if "calcext" in name and "value-type" in name), "")
    return {**found, "calcext-type": kind} if kind else found


def _count(found: dict[str, str], name: str, most: int) -> int:
    written = found.get(name, "1")
    return min(max(int(written), 1), most) if written.isascii() and written.isdigit() and len(written) < 9 else 1
