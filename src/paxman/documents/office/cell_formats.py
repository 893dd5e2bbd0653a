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
from typing import Any

import attrs

from paxman.currencies import MINOR_UNITS
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
                texts.setdefault(int(place[2]) - 1, {})[_column(place[1])] = text
        return Shown(texts, unsolved)

    def _text(self, value: str, style: Format | None) -> str | None:
        if style:
            return style.show(value)
        return value if value.lstrip("-").isdigit() else None


def _below(root: Any, name: str) -> Any:
    return next((each for each in root if each.tag.endswith("}" + name)), ())


def _column(letters: str) -> int:
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return column - 1


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
            return _with_currency(literal, found.start() < first.start(), places)
    return None


def _with_currency(literal: str, leads: bool, decimals: int) -> Format:
    if leads:
        return Format(before=f"{literal} " if literal[-1].isalnum() else literal, decimals=decimals)
    return Format(after=f" {literal}", decimals=decimals)
