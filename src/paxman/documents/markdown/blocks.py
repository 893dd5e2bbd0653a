"""The blocks of a Markdown document as text, one line for each of the source, and what the marks say about it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

import attrs
from markdown_it.token import Token

from paxman.documents.document import Mark, MarkKind
from paxman.documents.html.page import HtmlPage
from paxman.documents.markdown.inline import InlinePiece, html_name, inline_pieces, parser
from paxman.documents.reading import Limits
from paxman.documents.source_map import Pieces
from paxman.types import Span

_BAR = re.compile(r"(?:[^|\\]|\\.|\\$)*", re.S)
_BAR_OR_CODE = re.compile(r"(?:`[^`]*`|[^|\\]|\\.|\\$)*", re.S)
_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*")
_BORDER = re.compile(r"[ \t]*\+(?:[-=:]+\+)+[ \t]*")


@attrs.define(eq=False)
class Rows:
    """A table: the places of its cells, whether the first row is its header, and where it ends in the source."""

    cells: list[list[Span]]
    is_headed: bool
    end: int


def is_row(text: str, start: int) -> bool:
    return _ROW.fullmatch(text, start) is not None


def is_border(text: str, start: int) -> bool:
    return _BORDER.fullmatch(text, start) is not None


def cells_of(text: str, start: int, columns: int = 0) -> list[Span]:
    """The places of the cells of a row; bars in code should be escaped, but often are not."""
    places = list(_cells(text, start, _BAR))
    if columns and len(places) > columns and "`" in text:
        whole = list(_cells(text, start, _BAR_OR_CODE))
        return whole if len(whole) == columns else places
    return places


def _cells(text: str, start: int, up_to_bar: re.Pattern[str]) -> Iterator[Span]:
    end = len(text.rstrip())
    start += len(text[start:]) - len(text[start:].lstrip())
    start += text[start : start + 1] == "|"
    while start <= end:
        found = up_to_bar.match(text, start, end)
        stop = found.end() if found else end
        if stop < end or start < end:
            yield start, stop
        start = stop + 1


def rows_of_grid(lines: Sequence[int], borders: Sequence[int]) -> list[list[int]]:
    """The lines of a drawn grid by the row they are part of."""
    rows: list[list[int]] = [[]]
    for line in lines:
        if line in borders:
            rows.append([])
        else:
            rows[-1].append(line)
    return [row for row in rows if row]


_PREFIX = re.compile(r"[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))?[ \t]*")
_BOX = re.compile(r"\[([ xX])\][ \t]+(?=\S)")
_PAIR = re.compile(r":\**\s+\S")
_FIGURE = re.compile(r"[ \t]+[^\w\s]{0,3}\d")
_ADDRESS = re.compile(r"[/#.@]")
_DEFINITION = re.compile(r"[ \t]*:[ \t]+(?=\S)")
_ATTRIBUTES = re.compile(r"[ \t]*\{[ \t]*[#.][^{}\n]*\}$")
_MOST_BLANK = 50
"""Ends of lines that are looked at behind a block."""
_COMMENT = re.compile(r"\s*<!--")


@attrs.define(eq=False)
class _Item:
    """A list item that is open: where its own text starts, how deep, and whether another list is in it."""

    start: int
    level: int
    box: int = -1
    done: bool = False


class Blocks:
    """One walk over the blocks of a document, from a line of the source on."""

    def __init__(self, source: str, first_line: int, pieces: Pieces, limits: Limits) -> None:
        self._source = source
        self._starts = [0, *(found.end() for found in re.finditer("\n", source)), len(source) + 1]
        self._limits = limits
        self.pieces = pieces
        self.marks: list[Mark] = []
        self.tables: list[Rows] = []
        self.pages: list[tuple[HtmlPage, int]] = []
        self.struck = 0
        self._line = first_line
        self._depth = 0
        self._items: list[_Item] = []
        self._marker_end = 0
        self._quotes: list[int] = []
        self._references: dict[str, Any] = {}
        self._definitions: set[int] = set()
        # The parser counts lines from the start of what it is given.
        start = self._starts[first_line]
        env: dict[str, Any] = {}
        tokens = parser().block.parse(self._source[start:], parser(), env, []) or []
        self._references = env.get("references", {})
        defined = [found for found in self._references.values() if _ADDRESS.search(found["href"])]
        self._definitions = {line + first_line for found in defined for line in range(*found["map"])}
        for token, inner in zip_longest(tokens, tokens[1:]):
            first, last = token.map or (0, 0)
            self._take(token, inner, first + first_line, last + first_line)
        self._skip_to(len(self._starts) - 1)

    def _take(self, token: Token, inner: Token | None, first: int, last: int) -> None:
        name = token.type
        if name in ("heading_open", "paragraph_open") and inner:
            self._skip_to(first)
            self._add_lines(token, inner, first, last)
        elif name in ("fence", "code_block"):
            self._skip_to(first)
            self._add_code(token, first, last)
        elif name == "html_block":
            self._skip_to(first)
            start, end = self._starts[first], self._starts[last] - 1
            self._line = last
            content = self._source[start:end].rstrip()
            if not html_name(content.lstrip()) and not _COMMENT.match(content):
                self.pieces.add(content, start, start + len(content))
                self._end_line(start + len(content))
                return
            self._add_page(start, start + len(content))
        elif name == "hr":
            self._skip_to(first)
            self._blank(self._starts[first])
            self._line = last
        elif name == "table_open":
            self._skip_to(first)
            self._add_table(first, last)
        elif name.startswith(("list_item", "blockquote", "bullet_list", "ordered_list")):
            self._nest(token, first)

    # Lines between blocks

    def _text(self, line: int) -> str:
        return self._source[self._starts[line] : self._starts[line + 1] - 1]

    def _skip_to(self, line: int) -> None:
        """Blank lines stay; what no block took is text, but for the address of a link: "[Order]: 4711" has none."""
        for skipped in range(self._line, line):
            self._skip(skipped)
        self._line = max(self._line, line)

    def _skip(self, line: int) -> None:
        start, text = self._starts[line], self._text(line)
        prefix = self._prefix_end(text)
        if start == len(self._source):
            return
        if prefix == len(text):
            self._blank(start)
        elif line not in self._definitions:
            self.pieces.add(text[prefix:], start + prefix, start + len(text))
            self._end_line(start + len(text))

    def _prefix_end(self, text: str) -> int:
        """Where the content of a line starts behind the marks of the quotes and items around it."""
        end = 0
        for _ in range(self._depth):
            found = _PREFIX.match(text, end)
            end = found.end() if found else end
        return end if text[end:].strip() else len(text)

    def _end_line(self, at: int) -> None:
        self.pieces.add("\n", at, min(at + 1, len(self._source)))

    def _blank(self, at: int) -> None:
        if self.pieces.length:
            self.pieces.add("\n", at, at)

    def _mark(self, kind: MarkKind, start: int, end: int, level: int = 0) -> None:
        if start < end:
            self.marks.append(Mark(kind, (start, end), level))

    # Quotes and items

    def _nest(self, token: Token, first: int) -> None:
        name = token.type
        if name in ("list_item_open", "blockquote_open"):
            self._skip_to(first)
        if name == "list_item_open":
            # The number of an item stays, as it may be the day of a date, and so does the sign of a figure.
            begin = self._marker_end if self._starts[first] <= self._marker_end else self._starts[first]
            marker = token.info + token.markup
            at = self._source.find(marker, begin, self._starts[first + 1])
            self._marker_end = at + len(marker)
            if token.info or (marker in "-+" and _FIGURE.match(self._source, self._marker_end)):
                self.pieces.add(marker, at, self._marker_end)
                self.pieces.add(" ", self._marker_end, self._marker_end)
            self._items.append(_Item(self.pieces.length, len(self._items) + 1))
        elif name == "list_item_close":
            self._close_item(self._items.pop())
        elif name == "blockquote_open":
            self._quotes.append(self.pieces.length)
        elif name == "blockquote_close":
            self._mark("quote", self._quotes.pop(), self._end())
        elif name in ("bullet_list_open", "ordered_list_open") and self._items:
            self._close_item(self._items[-1])
        self._depth += token.nesting if name.startswith(("list_item", "blockquote")) else 0

    def _close_item(self, item: _Item) -> None:
        if not item.done:
            item.done = True
            self._mark("item", item.start, self._end(), item.level)
            if item.box >= 0:
                self._mark("box", item.start, self._end(), item.box)

    def _end(self) -> int:
        """Where the text ends, without the ends of lines."""
        tail = self.pieces.tail(_MOST_BLANK)
        return self.pieces.length - len(tail) + len(tail.rstrip("\n"))

    # Leaves

    def _add_lines(self, token: Token, inline: Token, first: int, last: int) -> None:
        is_heading = token.type == "heading_open" and not self._is_ruled_off(token, inline)
        if not is_heading and (self._add_if_table(first, last) or self._add_if_defined(inline, first, last)):
            return
        if is_heading:
            at = self._starts[first]
            if self.pieces.length and self.pieces.tail(2) != "\n\n":
                self._blank(at)
        content = _ATTRIBUTES.sub("", inline.content) if is_heading else inline.content
        places = list(self._places(content, first, token.markup.rstrip("=-")))
        self._indent(first, places[0][1])
        start = self._write(self._tick(self._relocated(inline_pieces(content, self._references), places)))
        self._mark("heading" if is_heading else "paragraph", start, self._end(), int(token.tag[1]) if is_heading else 0)
        self._end_line(self._starts[first + inline.content.count("\n") + 1] - 1)
        self._line = last
        if is_heading:
            self._blank(self._starts[last] - 1)
            # One blank line below a heading is enough.
            if (
                self._line < len(self._starts) - 1
                and not self._text(self._line)[self._prefix_end(self._text(self._line)) :]
            ):
                self._line += 1

    def _add_if_defined(self, inline: Token, first: int, last: int) -> bool:
        """Terms with their definitions behind a colon, each in a line of its own."""
        lines = inline.content.split("\n")
        if len(lines) < 2 or _DEFINITION.match(lines[0]) or not any(map(_DEFINITION.match, lines)):
            return False
        for content, (_, at) in zip(lines, self._places(inline.content, first, ""), strict=True):
            marker = _DEFINITION.match(content)
            skipped = marker.end() if marker else len(content) - len(content.lstrip())
            pieces = inline_pieces(content[skipped:].rstrip(), self._references)
            start = self._write(self._relocated(pieces, [(0, at + skipped)]))
            if not marker:
                self._mark("term", start, self.pieces.length)
            self._end_line(at + len(content))
        self._line = last
        return True

    def _is_ruled_off(self, token: Token, inline: Token) -> bool:
        """Whether what looks like an underlined heading is rather text above a rule."""
        return token.markup == "-" and ("\n" in inline.content or _PAIR.search(inline.content) is not None)

    def _indent(self, line: int, at: int) -> None:
        """The blanks that a line starts with keep the columns of laid-out text in place."""
        start = self._starts[line]
        if not self._depth and self._source[start:at].isspace():
            self.pieces.add(self._source[start:at], start, at)

    def _places(self, content: str, first: int, marker: str) -> Iterator[tuple[int, int]]:
        """Where each line of a content starts in it and in the source."""
        start, line = 0, first
        for part in content.split("\n"):
            words = part.strip()
            while words not in self._text(line) and line < len(self._starts) - 2:
                line += 1
            text, blank = self._text(line), len(part) - len(part.lstrip())
            at = text.find(words, text.find(marker) + len(marker)) if marker else text.rfind(words)
            yield start, self._starts[line] + at - blank
            start, line = start + len(part) + 1, line + 1

    def _relocated(self, pieces: list[InlinePiece], places: list[tuple[int, int]]) -> Iterator[InlinePiece]:
        """Pieces of a content at their places in the source, with the blanks that lines start with."""
        number = 0
        for piece in pieces:
            while number + 1 < len(places) and piece.source[0] >= places[number + 1][0]:
                number += 1
                start, source = places[number]
                blank = self._source[source : source + piece.source[0] - start]
                if blank.isspace() and not self._depth:
                    yield InlinePiece("text", blank, (source, source + len(blank)))
            shift = places[number][1] - places[number][0]
            yield piece._replace(source=(piece.source[0] + shift, piece.source[1] + shift))

    def _tick(self, pieces: Iterator[InlinePiece]) -> Iterator[InlinePiece]:
        """The box of a task at the start of an item."""
        found = list(pieces)
        item = self._items[-1] if self._items else None
        if item and item.start == self.pieces.length and not item.done and found:
            at = found[0].source[0]
            if box := _BOX.match(self._source, at):
                item.box = int(box[1] != " ")
                self.pieces.add("☑" if item.box else "☐", at, at + 3)
                self.pieces.add(" ", at + 3, box.end())
                item.start = self.pieces.length
                found = [_from(piece, box.end()) for piece in found if piece.source[1] > box.end() or piece.change]
        yield from found

    def _write(self, pieces: Iterator[InlinePiece]) -> int:
        """Writes the pieces of a line; where the first of them starts."""
        found = list(pieces)
        kept = list(_without_struck(found))
        if len(kept) < len(found) and not any(piece.text.strip() for piece in kept):
            kept = found
        elif len(kept) < len(found):
            self.struck += sum(piece.role == "struck" and piece.change > 0 for piece in found)
        start = self.pieces.length
        depth = strong = 0
        for piece in kept:
            place = self.pieces.length
            self.pieces.add(piece.text, *piece.source)
            if piece.role == "code":
                self._mark_code(place)
            if piece.role == "strong":
                strong = place if not depth else strong
                depth = max(depth + piece.change, 0)
                if not depth:
                    self._mark("strong", strong, place)
        return start

    def _mark_code(self, start: int) -> None:
        """An escaped bar in a cell parts code in the source only."""
        last = self.marks[-1] if self.marks else None
        if last and last.kind == "code" and last.span[1] == start:
            start = self.marks.pop().span[0]
        self._mark("code", start, self.pieces.length)

    def _add_code(self, token: Token, first: int, last: int) -> None:
        """Code as it is written; with its indent where nothing is around it, so that columns stay in place."""
        if token.info.strip() == "{=html}":
            self._add_page(self._starts[first + 1], self._starts[max(last - 1, first + 1)] - 1)
            self._line = last
            return
        start = self.pieces.length
        for line, content in enumerate(token.content.split("\n")[:-1], first + (token.type == "fence")):
            text, at = self._text(line), self._starts[line]
            begin = len(text) - len(content) if self._depth and text.endswith(content) else 0
            self.pieces.add(text[begin:].rstrip(), at + begin, at + len(text.rstrip()))
            self._end_line(at + len(text))
        self._mark("code", start, self._end())
        self._line = last

    def _add_page(self, start: int, end: int) -> None:
        page = HtmlPage(self._source[start:end], self._limits)
        if page.shown:
            self.pages.append((page, self.pieces.length))
            self.pieces.extend(page.pieces, page.shown, start)
            self._end_line(end)
        else:
            self._blank(start)

    # Tables

    def _add_if_table(self, first: int, last: int) -> bool:
        """Rows of bars without a header are a table, and so is a grid that is drawn of bars and dashes."""
        lines = range(first, last)
        texts = [(self._text(line), self._prefix_end(self._text(line))) for line in lines]
        borders = [line for line, place in zip(lines, texts, strict=True) if is_border(*place)]
        rows = [line for line, place in zip(lines, texts, strict=True) if is_row(*place)]
        if not rows or len(rows) + len(borders) < len(lines) or (borders and first not in borders):
            return False
        if borders:
            self._add_grid(lines, borders)
        else:
            self._add_rows(rows)
        return True

    def _add_grid(self, lines: range, borders: list[int]) -> None:
        rows = [self._add_grid_row(row) for row in rows_of_grid(lines, borders)]
        self.tables.append(Rows(rows, any("=" in self._text(line) for line in borders), lines.stop))
        self._line = lines.stop

    def _add_grid_row(self, lines: list[int]) -> list[Span]:
        """A row of a grid, each cell of which may go on over several lines."""
        places = [cells_of(self._text(line), self._prefix_end(self._text(line))) for line in lines]
        spans: list[Span] = []
        for column in range(max(map(len, places))):
            if spans:
                at = self._starts[lines[0]] + places[0][min(column, len(places[0]) - 1)][0]
                self.pieces.add("\t", at, at)
            start = self.pieces.length
            for line, cells in zip(lines, places, strict=True):
                if column < len(cells) and self._text(line)[slice(*cells[column])].strip():
                    if self.pieces.length > start:
                        self._end_line(self._starts[line] + cells[column][0])
                    self._add_cell(line, cells[column])
            spans.append((start, self.pieces.length))
        self._end_line(self._starts[lines[-1] + 1] - 1)
        return spans

    def _add_table(self, first: int, last: int) -> None:
        columns = len(cells_of(self._text(first), self._prefix_end(self._text(first))))
        rows = [self._add_row(line, columns) for line in range(first, last) if line != first + 1]
        self._keep_table(rows, True, last)
        self._line = last

    def _add_rows(self, lines: list[int]) -> None:
        """Rows without a header of their own go on with the table above, where nothing but blank lines is between."""
        rows = [self._add_row(line) for line in lines]
        table = self.tables[-1] if self.tables else None
        goes_on = table and not "".join(map(self._text_shown, range(table.end, lines[0]))).strip()
        if table and goes_on and {len(row) for row in rows} == {len(table.cells[-1])}:
            table.cells += rows
            table.end = lines[-1] + 1
        else:
            self._keep_table(rows, False, lines[-1] + 1)
        self._line = lines[-1] + 1

    def _keep_table(self, rows: list[list[Span]], is_headed: bool, end: int) -> None:
        """A line of a single bar has no cells, and is no row."""
        whole = [row for row in rows if row]
        if whole:
            self.tables.append(Rows(whole, is_headed and bool(rows[0]), end))

    def _text_shown(self, line: int) -> str:
        text = self._text(line)
        return "" if _COMMENT.match(text) or not text.strip("-*_ \t\f\r") else text

    def _add_row(self, line: int, columns: int = 0) -> list[Span]:
        text, start = self._text(line), self._starts[line]
        spans: list[Span] = []
        for cell in cells_of(text, self._prefix_end(text), columns):
            if spans:
                self.pieces.add("\t", start + cell[0] - 1, start + cell[0])
            spans.append((self._add_cell(line, cell), self.pieces.length))
        self._end_line(start + len(text))
        return spans

    def _add_cell(self, line: int, cell: Span) -> int:
        written = self._text(line)[slice(*cell)]
        content = written.strip()
        at = self._starts[line] + cell[0] + written.find(content)
        # Where a line of a cell is broken by hand, a backslash ends it.
        content = content.removesuffix("\\")
        return self._write(self._relocated(inline_pieces(content, self._references, in_cell=True), [(0, at)]))


def _from(piece: InlinePiece, start: int) -> InlinePiece:
    """A piece without what stands before a place of the source."""
    cut = max(start - piece.source[0], 0) if piece.text else 0
    return piece._replace(text=piece.text[cut:], source=(piece.source[0] + cut, piece.source[1]))


def _without_struck(pieces: list[InlinePiece]) -> Iterator[InlinePiece]:
    depth, begins, cut = 0, True, False
    for piece in pieces:
        if piece.role == "struck":
            depth = max(depth + piece.change, 0)
            cut = begins
        elif not depth or piece.role in ("strong", "break"):
            blank = len(piece.text) - len(piece.text.lstrip()) if cut and piece.role == "text" else 0
            yield _from(piece, piece.source[0] + blank)
            begins, cut = piece.role == "break" or (begins and not piece.text), cut and not piece.text
