"""One pass over a page of HTML: its text, and what its tables, labels, forms and structured data are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, partial

from paxman.documents.document import Mark, Node, NodePath, Pair, Table
from paxman.documents.html import tags
from paxman.documents.html.data import (
    DataItem,
    Value,
    cover,
    is_json_ld,
    item_node,
    json_ld_nodes,
    microdata,
    note_head,
    rdfa,
    values,
)
from paxman.documents.html.grids import Grid, GridCell, block_tables, folded_cell, grid_table, reach_of, spread_grids
from paxman.documents.html.pairs import (
    INLINE,
    LABEL_CLASS,
    BoxChoice,
    Form,
    Label,
    boxes_of,
    has_one_box,
    is_value,
    pairs_of,
    with_stacked_cells,
)
from paxman.documents.html.tags import Open
from paxman.documents.html.unseen import BLOCK_STYLE, STRUCK, STRUCK_STYLE, Styles, is_left_out
from paxman.documents.marks import tidy_marks
from paxman.documents.markup import Elements, TextBuilder, html_attributes, tokens
from paxman.documents.reading import Limits, allowance, cut_short, remark, struck_out, unreadable
from paxman.documents.source_map import Pieces
from paxman.types import Diagnostic, Severity, Span

_STYLE_HIDDEN = re.compile(r"(?<![\w-])(?:display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden)", re.I)
_BOLD_LABEL = re.compile(r"[^<>:]{1,60}+(?::\s{0,9}</|</\w{1,9}>\s{0,9}:)")
_SCRIPT = re.compile(r"<script\b[^>]*+>((?:[^<]++|<(?!/script))*+)", re.I)
_MEDIA = ("", "all", "screen")
_CALLED = frozenset({"class", "id", "itemprop"})
_CALL = re.compile(r"[A-Za-z][A-Za-z_-]{1,40}")
_CALL_PARTS = re.compile(r"[_-]+|(?<=[a-z])(?=[A-Z])")
_LONGEST_CALLED = 100
_DATA = ("itemscope", "itemprop", "typeof", "property", "resource", "about")


class HtmlPage:
    """One pass over a page; structure is built from what it noted on first use."""

    def __init__(self, source: str, limits: Limits) -> None:
        self._source = source
        self._limits, self._max_depth = limits, limits.max_depth
        self._elements = Elements()
        self.pieces = Pieces()
        self._builder = TextBuilder(source, self.pieces)
        self._stack: list[Open] = []
        self._overflow = self._too_deep = self._struck = self._raised = 0
        self._hidden_at = 0
        self._want = ""
        self._fresh_cell = False
        self._field_end = -1
        self._ended = 0
        self._is_labelled = False
        self._choice: BoxChoice | None = None
        self._grids: list[Grid] = []
        self._open_grids: list[Grid] = []
        self._terms: list[tuple[str, Span]] = []
        self._form = Form()
        self._marks: list[Mark] = []
        self._called: list[tuple[Span, Span]] = []
        self._blanks = 0
        self._has_blanks = "{{" in source
        self._lists = 0
        self._json_ld: list[tuple[Span, int]] = []
        self._meta = DataItem("meta", -1)
        self._open_graph = DataItem("opengraph", -1)
        self._styles = Styles()
        self._noteworthy = tags.NOTEWORTHY
        self._collectors = (microdata(), rdfa())
        self._cut = self._walk()
        self.shown = self.pieces.length
        self._write_data()
        self.text = with_stacked_cells(self.pieces.text(), self._grids)

    def _walk(self) -> str | None:
        """Takes token after token; the limit that is reached before the end, if any.

        Half of the time is left for the tables and labels that are sought later.
        """
        end, cut, names = 0, None, self._elements.names
        left = allowance(self._limits)
        work = left.work(50)
        for begin, start, end, kind, name, attributes in work.over(tokens(self._source, tags.RAW), 4):
            if begin < start:
                self._text((begin, start))
            if kind == "close":
                self._close_tag(name, start)
            elif kind == "cdata":
                self._text((start, end))
            elif name and left.nodes <= len(names):
                cut = "max_nodes"
                break
            elif name:
                self._open_tag(name, (start, end), attributes, kind == "empty")
        left.nodes -= len(names)
        cut = "max_steps" if work.is_over else cut
        self._unclosed = None if cut else self._find_unclosed(end)
        while self._stack:
            self._pop(len(self._source))
        self._write_choice()
        return cut

    def _find_unclosed(self, end: int) -> str | None:
        """What the source ends in, where that hides the rest of it: an element that shows nothing, or a comment."""
        if self._source.rfind("<!--", end) > self._source.rfind("-->", end):
            return "comment"
        return next((opened.name for opened in self._stack if opened.name in ("script", "style")), None)

    def _text(self, span: Span) -> None:
        owner = self._stack[-1] if self._stack else None
        if self._hidden_at:
            if owner and owner.name == "title" and not any(v.name == "title" for v in self._meta.members):
                self._meta.members.append(Value("title", owner.element, span))
            elif owner and owner.name == "script" and owner.label:
                self._json_ld.append((span, owner.element))
            elif owner and owner.name == "style" and self._hidden_at == len(self._stack) and not owner.hidden:
                self._styles.read(self._source[slice(*span)], self._scripts)
                self._noteworthy = (*tags.NOTEWORTHY, *self._styles.names)
            return
        name, element = (owner.name, owner.element) if owner else ("", -1)
        if self._has_blanks and name not in ("pre", "code", "textarea"):
            for part in self._filled_in(span):
                self._show_text(part, name, element)
        else:
            self._show_text(span, name, element)

    def _show_text(self, span: Span, name: str, element: int) -> None:
        if name in tags.FIELDS:
            self._show_field(span, element, name == "textarea")
        else:
            self._show(span, element, name == "pre")

    def _filled_in(self, span: Span) -> Iterator[Span]:
        """The parts of a text between the blanks of a template."""
        start, end = span
        for blank in tags.BLANK.finditer(self._source, start, end):
            self._blanks += 1
            yield start, blank.start()
            start = blank.end()
        if start < end:
            yield start, end

    def _show(self, span: Span, element: int, keep_space: bool) -> None:
        if (self._want or self._choice) and not self._source[span[0] : span[1]].isspace():
            self._break(span[0], element)
            if self._choice and not self._choice.label:
                self._write_choice()
        if not (self._raised and self._builder.add_raised(span, element)):
            self._builder.add(span, element, keep_space)

    def _break(self, at: int, element: int) -> None:
        """Writes the end of a line or cell that is due."""
        if self._want and self.pieces.length:
            self._builder.separate(self._want, at, element)
        self._want, self._fresh_cell = "", False

    def _show_field(self, span: Span, element: int, keep_space: bool = False) -> None:
        """What a field of a form holds stands apart from the words around it, and ends the label it stands in."""
        if not self._source[span[0] : span[1]].strip():
            return
        self._write_choice()
        if label := self._open_label():
            self._form.add(Label((label.start, self.pieces.length)))
        self._builder.gap(span[0])
        self._show(span, element, keep_space)
        self._builder.gap(span[1])
        self._field_end = self.pieces.length

    def _note_choice(self, field: Open, span: Span, checked: bool) -> None:
        """A box or button is written as a mark, behind its words where a label says which these are."""
        self._write_choice()
        label = self._open_label()
        self._choice = BoxChoice(
            field,
            span,
            "☑" if checked else "☐",
            label if label and has_one_box(self._source, label.source, span) else None,
        )
        if not self._choice.label and (not field.identity or field.identity in self._form.named):
            self._write_choice()

    def _open_label(self) -> Open | None:
        return next((opened for opened in reversed(self._stack) if opened.name == "label"), None)

    def _write_choice(self) -> None:
        if choice := self._choice:
            self._choice = None
            end = self.pieces.length
            self._builder.gap(choice.span[0])
            self._break(choice.span[0], choice.field.element)
            self._builder.add_as(choice.mark, choice.span, choice.field.element)
            at = self.pieces.length - 1
            self._form.marks.append(at)
            if choice.label:
                self._form.choices.append(((choice.label.start, end), (at, at + 1)))
            self._builder.gap(choice.span[1])
            self._note_filled(choice.field, at)

    def _open_tag(self, name: str, span: Span, attributes: int, closed: bool) -> None:
        stack = self._stack
        if stack:
            # Ends elements that this tag, inside another, ends without an end tag of their own.
            within = stack[-1].name
            at = span[0]
            if ended := tags.IMPLIED.get(name):
                if within not in ended[1]:
                    self._end_up_to(*ended, at)
            elif within == "p" and name in tags.BLOCK and name != "br":
                self._end_up_to(frozenset({"p"}), tags.P_BOUNDS, at)
        element = self._elements.add(name, stack[-1].element if stack else -1)
        if name in tags.BLOCK and not self._hidden_at:
            self._break_line(name)
        elif name in tags.LABELS and self._starts_label(name, span[1]):
            # A value and the label of the next one are as far apart as columns.
            self._want = self._want or "\t"
        elif name == "sub" and tags.LOWERED_FIGURE.match(self._source, span[0] - 1):
            self._builder.gap(span[0])
        opened = Open(element, name, self.pieces.length, span[1])
        opened.hidden = name == "dialog" and tags.OPEN.search(self._source, *span) is None
        if name in INLINE and not (closed or self._hidden_at):
            self._part(opened, span)
        if attributes < span[1] - 1:
            opened.attributes = (attributes, span[1] - 1)
            self._note_attributes(opened, (attributes, span[1] - 1), span)
        if name in INLINE and not self._hidden_at and (opened.block or self._styles.is_block(name)):
            opened.block = True
            self._break_line(name)
        if (name in STRUCK or opened.struck) and not self._hidden_at:
            begins = bool(self._want) or not self.pieces.length
            opened.hidden = opened.hidden or is_left_out(self._source, name, span[1], begins)
            self._struck += opened.hidden
        if not closed and name not in tags.VOID:
            if len(stack) < self._max_depth:
                self._push(opened)
                return
            self._overflow += 1
            self._too_deep += 1
        self._close_noted(opened, span[1])

    def _part(self, opened: Open, span: Span) -> None:
        """A gap before an element that is no part of the word before it; as its value it is noted."""
        found = is_value(self._source, *span, opened.name)
        if found is None:
            return
        self._builder.gap(span[0])
        if found:
            start = self._ended if self._source[span[0] - 1] == ">" or not self._stack else self._stack[-1].start
            opened.label_before = (start, self.pieces.length)

    def _starts_label(self, name: str, at: int) -> bool:
        """Whether an element is another label in its line."""
        if name == "label":
            return self._field_end == self.pieces.length
        return name in tags.BOLD and self._is_labelled and _BOLD_LABEL.match(self._source, at) is not None

    def _push(self, opened: Open) -> None:
        self._stack.append(opened)
        name = opened.name
        self._lists += name in tags.LISTS
        if opened.raised or name == "sup":
            opened.raised = True
            self._raised += 1
        if opened.within:
            self._hidden_at = 0
        if not self._hidden_at and (opened.hidden or name in tags.HIDDEN):
            self._hidden_at = len(self._stack)
        if name == "label" and self._choice and self._choice.field.identity == opened.identity != "":
            self._choice.label = opened
        if self._hidden_at or name not in tags.TABLE:
            return
        if name == "table":
            self._grids.append(grid := Grid())
            self._open_grids.append(grid)
        elif name == "tr" and self._open_grids:
            self._open_row()
        elif name in tags.CELLS and self._open_grids:
            self._open_cell(opened.reach)

    def _open_row(self) -> None:
        grid = self._open_grids[-1]
        grid.rows.append([])
        grid.row_start = self.pieces.length

    def _open_cell(self, reach: tuple[int, int]) -> None:
        if not self._open_grids[-1].rows:
            self._open_row()
        grid = self._open_grids[-1]
        if grid.rows[-1]:
            # A cell goes on in the line of the one before it, whatever blocks either holds.
            empty_so_far = self.pieces.length == grid.row_start
            self._want = self._want + "\t" if empty_so_far or "\n" not in self._want else "\t"
            self._fresh_cell = True
        if reach != (1, 1):
            grid.reaches[len(grid.rows) - 1, len(grid.rows[-1])] = reach
        grid.rows[-1].append(((self.pieces.length, self.pieces.length), False))

    def _break_line(self, name: str) -> None:
        if self._choice:
            self._write_choice()
        self._is_labelled = False
        if not self._fresh_cell or name == "tr":
            self._want = "\n"
            self._fresh_cell = False

    def _note_attributes(self, opened: Open, attributes: Span, span: Span) -> None:
        """Looks at the attributes of the few elements where they matter."""
        name = opened.name
        if name in ("meta", "script", "link"):
            self._note_head(opened, html_attributes(self._source, attributes))
        elif name == "style":
            found = html_attributes(self._source, attributes)
            identity = self._value(found, "id")
            is_taken_out = identity != "" and identity in self._scripts
            opened.hidden = is_taken_out or self._value(found, "media").lower() not in _MEDIA
        elif name in tags.FORM:
            self._note_field(opened, html_attributes(self._source, attributes), span)
        written = self._source[slice(*attributes)].lower()
        if not any(map(written.__contains__, self._noteworthy)):
            return
        found = html_attributes(self._source, attributes)
        if self._hides(name, found) and name not in tags.VOID and not self._hidden_at:
            opened.hidden = True
        if name in tags.BLOCK and self._value(found, "aria-hidden").lower() == "true":
            # Marks and icons in a line are hidden from those who hear a page; a block so marked is not shown yet.
            opened.hidden = True
        opened.struck = self._has(found, "style", STRUCK_STYLE)
        opened.raised = self._has(found, "style", tags.RAISED_STYLE)
        opened.bold = self._has(found, "style", tags.BOLD_STYLE)
        is_block = self._styles.is_block(name, self._value(found, "class"), self._value(found, "id"))
        opened.block = name in INLINE and (is_block or self._has(found, "style", BLOCK_STYLE))
        opened.label = opened.label or self._has(found, "class", LABEL_CLASS)
        if name in tags.CELLS:
            opened.reach = reach_of(self._value(found, "colspan"), self._value(found, "rowspan"))
        if any(name in found for name in _DATA):
            opened.noted = True
            for collector in self._collectors:
                collector.open(opened.element, name, found, self._source, self.pieces.length)

    def _hides(self, name: str, found: dict[str, Span]) -> bool:
        if "hidden" in found or self._has(found, "style", _STYLE_HIDDEN):
            return True
        if not self._styles.hiding or name in ("html", "body"):
            return False  # A page that is hidden as a whole is shown once it is loaded.
        return self._styles.hides(name, self._value(found, "class"), self._value(found, "id"))

    @cached_property
    def _scripts(self) -> str:
        """What the scripts of the page say."""
        return "\n".join(match[1] for match in _SCRIPT.finditer(self._source))

    def _has(self, found: dict[str, Span], name: str, pattern: re.Pattern[str]) -> bool:
        return name in found and pattern.search(self._source[slice(*found[name])]) is not None

    def _note_field(self, opened: Open, found: dict[str, Span], span: Span) -> None:
        """Shows what a field was filled in with; a choice that stands for none is not one."""
        opened.identity = self._value(found, "for" if opened.name == "label" else "id")
        if self._hides(opened.name, found):
            return
        written = self._value(found, "value")
        if opened.name == "input" and not self._hidden_at:
            kind = self._value(found, "type").lower()
            if kind in tags.CHOICES:
                self._note_choice(opened, span, "checked" in found)
                return
            if written and kind not in tags.NOT_WRITTEN_IN:
                self._show_field(found["value"], opened.element)
            self._note_filled(opened, opened.start)
        elif "selected" in found and "disabled" not in found and (written or "value" not in found):
            hiding = self._stack[self._hidden_at - 1] if self._hidden_at else None
            if hiding and hiding.name == "select" and not hiding.hidden:
                opened.within = self._hidden_at

    def _note_filled(self, field: Open, start: int) -> None:
        if field.identity:
            self._form.fill(field.identity, (start, self.pieces.length))

    def _value(self, found: dict[str, Span], name: str) -> str:
        return self._source[slice(*found[name])].strip() if name in found else ""

    def _note_head(self, opened: Open, found: dict[str, Span]) -> None:
        if opened.name == "script":
            opened.label = self._value(found, "type").lower().startswith("application/ld+json")
        else:
            note_head(opened.name, opened.element, partial(self._value, found), found, self._meta, self._open_graph)

    def _end_up_to(self, ends: frozenset[str], bounds: frozenset[str], at: int) -> None:
        last = None
        for index in range(len(self._stack) - 1, -1, -1):
            if self._stack[index].name in bounds:
                break
            if self._stack[index].name in ends:
                last = index
        if last is not None:
            self._pop_to(last, at)

    def _close_tag(self, name: str, at: int) -> None:
        if name in tags.BLOCK and not self._hidden_at:
            self._break_line(name)
        if self._overflow:
            self._overflow -= 1
            return
        if self._stack and self._stack[-1].name == name:
            self._pop(at)
            return
        for index in range(len(self._stack) - 1, -1, -1):
            if self._stack[index].name == name:
                self._pop_to(index, at)
                return

    def _pop_to(self, index: int, at: int) -> None:
        while len(self._stack) > index:
            self._pop(at)

    def _pop(self, at: int) -> None:
        opened = self._stack.pop()
        self._ended = opened.start
        self._lists -= opened.name in tags.LISTS
        if opened.raised:
            self._raised -= 1
        if not self._hidden_at:
            if opened.block:
                self._break_line(opened.name)
            if opened.attributes and 0 < self.pieces.length - opened.start <= _LONGEST_CALLED:
                self._called.append((opened.attributes, (opened.start, self.pieces.length)))
            if opened.label or opened.name in tags.NOTED:
                self._note_end(opened)
            if opened.bold or opened.name in tags.MARKS:
                self._mark(opened)
        elif len(self._stack) < self._hidden_at:
            self._hidden_at = 0
        if opened.label_before and not opened.hidden:
            self._form.apart.append((opened.label_before, (opened.start, self.pieces.length)))
        if opened.within:
            self._hidden_at = opened.within
        if opened.name in tags.FILLED and not (self._hidden_at or opened.hidden):
            self._note_filled(opened, opened.start)
        if opened.noted:
            self._close_noted(opened, at)

    def _close_noted(self, opened: Open, at: int) -> None:
        if opened.noted:
            for collector in self._collectors:
                collector.close(opened.element, self.pieces.length, (opened.source, at), self._source)

    def _note_end(self, opened: Open) -> None:
        if self._choice and opened.name not in tags.BOLD:
            self._write_choice()
        name, end = opened.name, self.pieces.length
        if name == "table" and self._open_grids:
            self._open_grids.pop()
        elif name in tags.CELLS and self._open_grids and self._open_grids[-1].rows:
            row = self._open_grids[-1].rows[-1]
            if row:
                row[-1] = ((row[-1][0][0], end), name == "th")
        elif name in tags.TERMS:
            self._terms.append((name, (opened.start, end)))
        elif name in tags.LABELS or opened.label:
            is_bold = name in tags.BOLD and not opened.label
            self._form.add(Label((opened.start, end), opened.identity, is_bold))
            self._is_labelled = True

    def _mark(self, opened: Open) -> None:
        span = (opened.start, self.pieces.length)
        kind = tags.MARKS.get(opened.name)
        if kind:
            level = int(opened.name[1]) if kind == "heading" else self._lists or 1 if kind == "item" else 0
            self._marks.append(Mark(kind, span, level))
        if opened.bold and kind != "strong":
            self._marks.append(Mark("strong", span))

    def _write_data(self) -> None:
        """Writes what the page does not show behind what it shows, but nothing that cannot be read."""
        found = [entry for entry in self._json_ld if is_json_ld(self._source, entry[0], self._limits)]
        self._broken, self._json_ld = len(self._json_ld) - len(found), found
        for place, (span, element) in enumerate(self._json_ld):
            self._builder.separate("\n", span[0], element)
            start = self.pieces.length
            self._builder.add_raw(span, element)
            self._json_ld[place] = ((start, self.pieces.length), element)
        for item in self._items():
            for value in values(item):
                assert value.source is not None
                self._builder.separate("\n", value.source[0], value.element)
                start = self.pieces.length
                self._builder.add(value.source, value.element, True)
                value.span, value.source = (start, self.pieces.length), None

    def _items(self) -> tuple[DataItem, ...]:
        return (*(collector.root for collector in self._collectors), self._open_graph, self._meta)

    def notes(self) -> tuple[Diagnostic, ...]:
        notes = []
        if self._cut:
            notes.append(cut_short(f"the first {len(self._elements.names)} elements were read", self._cut))
        if self._too_deep:
            count = self._too_deep
            reason = f"{count} elements are nested more than {self._max_depth} levels deep and were read as one"
            notes.append(unreadable(reason, "Raise max_depth", Severity.WARNING, count=count))
        if self._unclosed:
            reason = f"the page ends inside a {self._unclosed}, so that nothing behind its start is shown"
            notes.append(unreadable(reason, "Check that the file is complete", Severity.WARNING))
        notes += [struck_out(self._struck)] if self._struck else []
        notes += self._linked_data[1]
        if self._broken:
            blocks = "1 block of JSON-LD is" if self._broken == 1 else f"{self._broken} blocks of JSON-LD are"
            reason = f"{blocks} broken and left out"
            notes.append(unreadable(reason, "Check the page's source", Severity.WARNING, count=self._broken))
        if self._blanks:
            reason = f"{self._blanks} of its template's blanks, such as {{{{name}}}}, were never filled in"
            notes.append(remark(reason, "Save the page once it is complete", count=self._blanks))
        if any(grid.reaches for grid in self._grids) and (left := self._spread_grids[1]):
            reason = f"{left} rows of tables hold cells that span too much and were read as they are written"
            notes.append(unreadable(reason, "Check colspan and rowspan", Severity.WARNING, count=left))
        return tuple(notes)

    @cached_property
    def _linked_data(self) -> tuple[list[Node], list[Diagnostic]]:
        return json_ld_nodes(self._json_ld, self.text, self._elements, self._limits)

    def locate(self, span: Span) -> NodePath:
        """The lowest element that holds a span."""
        return self._elements.locate(self.pieces, span)

    @cached_property
    def tree(self) -> Node | None:
        """Structured data by notation; None on a page without any."""
        nodes = self._linked_data[0]
        groups = [Node("array", "json-ld", cover(nodes), NodePath("/"), tuple(nodes))] if nodes else []
        for item in self._items():
            if item.members:
                kind = "array" if item.name in ("microdata", "rdfa") else "object"
                groups.append(item_node(item, self.text, self._elements, kind))
        return Node("object", "", cover(groups), NodePath("/"), tuple(groups)) if groups else None

    @cached_property
    def _spread_grids(self) -> tuple[list[list[list[GridCell]]], int]:
        return spread_grids(self._grids)

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        grids = (
            self._table(rows, spread=bool(reaches))
            for rows, reaches in zip(self._spread_grids[0], (grid.reaches for grid in self._grids), strict=True)
            if len(rows) > 1
        )
        return (*filter(None, grids), *block_tables(self.text[: self.shown], self.pieces, self._elements))

    def _table(self, rows: list[list[GridCell]], *, spread: bool) -> Table | None:
        if max(map(len, rows)) < 2:
            return None
        cells = [[(folded_cell(self.text, span), is_heading) for span, is_heading in row] for row in rows]
        return grid_table(cells, self.text, spread)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """What the elements say about their text; a heading beside values of its row is a term."""
        rows = (row for grid in self._grids for row in grid.rows if not all(is_heading for _, is_heading in row))
        terms = (Mark("term", span) for row in rows for span, is_heading in row if is_heading)
        return (
            *tidy_marks(self.text[: self.shown], (*self._marks, *terms, *boxes_of(self.text, self._form))),
            *(Mark("called", span, 0, name) for where, span in self._called for name in self._names_of(where)),
        )

    def _names_of(self, attributes: Span) -> Iterator[str]:
        """What an element is called by its class, its id and its data, as words: "unitPrice" is "unit price"."""
        for name, place in html_attributes(self._source, attributes).items():
            if name in _CALLED or name.startswith("data-"):
                for written in self._source[slice(*place)].split():
                    if _CALL.fullmatch(written):
                        yield _CALL_PARTS.sub(" ", written).lower()

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        return pairs_of(self.text[: self.shown], self._grids, self._terms, self._form)
