"""The left half of a page: the document as it looks, with every place that a field speaks of."""

from __future__ import annotations

import base64
import re
import string
from collections.abc import Container, Iterator, Mapping

from paxman.documents.document import Cell, Document, Node, PageBox, PageSpan, SheetCell, Table
from paxman.documents.reading import Limits
from paxman.documents.sandbox.helper import UnreadableError
from paxman.documents.sandbox.pool import Reply, run
from paxman.report.marks import Marks, ReportMark, keys_attribute, mark_text
from paxman.report.shell import safe
from paxman.types import Span

_SHOWN = 200_000
_AROUND = 1_000
_MOST_ROWS = 2_000
_MOST_NODES, _DEEPEST = 5_000, 20
_LAID_OUT = 160
_GRIDS = ("csv", "spreadsheet")
_WORD = re.compile(r"\S+")


def document_pane(document: Document | None, marks: Marks, pictures: Mapping[int, str]) -> str:
    """Pages as pictures, sheets as tables, XML as an outline; the text is always there, folded behind these."""
    if document is None:
        return '<p class="empty">The document was not given: <code>paxman report ARTIFACT SOURCE</code> shows it.</p>'
    notes = "".join(f'<p class="reader-note">{safe(note.message)}</p>' for note in document.diagnostics)
    shown = (page for page in document.pages if page.number in pictures)
    pages = "".join(_page(document, page, pictures[page.number], marks) for page in shown)
    is_grid = not pages and document.kind in _GRIDS
    tables = "".join(_table(document, table, marks) for table in document.tables) if is_grid else ""
    if document.kind == "xml" and document.tree is not None:
        tables = _outline(document.text, document.tree, marks)
    # Wrapping would tear columns apart; prose, and what is wider than one cares to scroll, is wrapped.
    lines = document.text.splitlines()
    is_laid_out = any("   " in line.strip() for line in lines) and max(map(len, lines)) <= _LAID_OUT
    layout = " laid-out" if is_laid_out else ""
    text = f'<pre class="text{layout}">{"".join(_text(document.text, marks))}</pre>'
    if not pages and not tables:
        return notes + text
    left = len(document.pages) - len(pictures) if pages else 0
    if left > 0:
        notes += f'<p class="reader-note">{_count(left, "page")} not shown as pictures; the text has all pages.</p>'
    opened = " open" if marks.beyond_pages and pages else ""
    return f"{notes}{pages}{tables}<details{opened}><summary>Text as it was read</summary>{text}</details>"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun} is" if number == 1 else f"{number} {noun}s are"


def _page(document: Document, page: PageSpan, picture: str, marks: Marks) -> str:
    """A picture with a rectangle for each place, in the page's own measure; and for each word, to point at."""
    found = _WORD.finditer(document.text, *page.span) if marks.addressed else ()
    rectangles = "".join(_word(document, page, match.span()) for match in found)
    rectangles += "".join(
        f'<rect class="place" x="{left - 150}" y="{top - 150}" rx="150" '
        f'width="{right - left + 300}" height="{bottom - top + 300}" {keys_attribute(keys)}/>'
        for place, keys in marks.on_page(page.number)
        for left, top, right, bottom in place.lines or (place.box,)
    )
    return (
        f'<figure class="sheet"><svg viewBox="0 0 {page.width} {page.height}" role="img" '
        f'aria-label="Page {page.number}"><image href="{picture}" width="{page.width}" height="{page.height}" '
        f'preserveAspectRatio="none"/>{rectangles}</svg><figcaption>Page {page.number}</figcaption></figure>'
    )


def _word(document: Document, page: PageSpan, span: Span) -> str:
    place = document.locate(span)
    if not isinstance(place, PageBox) or place.page != page.number:
        return ""
    left, top, right, bottom = place.box
    size = f'width="{right - left}" height="{bottom - top}"'
    said = f'data-span="{span[0]}-{span[1]}" data-word="{safe(document.text[slice(*span)])}"'
    return f'<rect class="word" {said} x="{left}" y="{top}" {size}/>'


def _outline(text: str, root: Node, marks: Marks) -> str:
    """The elements by name, each with its own text, as deep as they stand."""
    lines, stack = list[str](), [(0, root)]
    while stack and len(lines) < _MOST_NODES:
        depth, node = stack.pop()
        stack.extend((depth + 1, child) for child in reversed(node.children))
        indent = "  " * min(depth, _DEEPEST)
        own = mark_text(text, *node.span, marks.inside(*node.span), marks.addressed) if node.kind == "scalar" else ""
        own = own.replace("\n", f"\n{indent}  ")
        lines.append(f'{indent}<span class="element">{safe(node.name)}</span> {own}')
    more = "<p>The rest is in the text below.</p>" if stack else ""
    return f'<pre class="text outline">{chr(10).join(lines)}</pre>{more}'


def _table(document: Document, table: Table, marks: Marks) -> str:
    """A table with the letters and numbers of its cells' addresses."""
    rows = "".join(_row(document, row, "td", marks) for row in table.rows[:_MOST_ROWS])
    widest = max((*table.rows[:_MOST_ROWS], table.header), key=len)
    letters = "".join(f'<th scope="col" class="letter">{_address(document, cell)[0]}</th>' for cell in widest)
    head = _row(document, table.header, 'th scope="col"', marks) if table.header else ""
    left = len(table.rows) - _MOST_ROWS
    more = f"<p>{_count(left, 'more row')} in the text below.</p>" if left > 0 else ""
    caption = f"<caption>{safe(table.name)}</caption>" if table.name else ""
    return (
        f'<div class="scroll"><table class="grid">{caption}<thead><tr><td class="corner"></td>{letters}</tr>{head}'
        f"</thead><tbody>{rows}</tbody></table></div>{more}"
    )


def _row(document: Document, row: tuple[Cell, ...], tag: str, marks: Marks) -> str:
    number = next((number for cell in row if (number := _address(document, cell)[1])), "")
    place = ' data-span="{}-{}"' if marks.addressed else ""
    cells = "".join(f"<{tag}{place.format(*each.span)}>{_cell(document, each, marks)}</{tag[:2]}>" for each in row)
    return f'<tr><th scope="row">{number}</th>{cells}</tr>'


def _address(document: Document, cell: Cell) -> tuple[str, str]:
    """The letters and the number in the address of a cell."""
    place = document.locate(cell.span)
    name = place.cell if isinstance(place, SheetCell) else ""
    return name.rstrip("0123456789"), name.lstrip(string.ascii_uppercase)


def _cell(document: Document, cell: Cell, marks: Marks) -> str:
    """A cell's text with its marks; where reading changed the text, the cell is marked as a whole."""
    start, end = cell.span
    touching = marks.inside(start, end)
    if not touching:
        return safe(cell.text)
    if document.text[start:end] == cell.text:
        return mark_text(document.text, start, end, touching)
    keys = [key for mark in touching for key in mark.keys]
    return f"<mark {keys_attribute(keys)}>{safe(cell.text)}</mark>"


def _text(text: str, marks: Marks) -> Iterator[str]:
    """The text with its marks; of a very long one the beginning, and what stands around each mark."""
    last = 0
    for start, end in _windows(len(text), marks.all):
        if start > last:
            yield f'<span class="gap">{start - last} characters left out</span>'
        yield mark_text(text, start, end, marks.inside(start, end), marks.addressed)
        last = end
    if last < len(text):
        yield f'<span class="gap">{len(text) - last} characters left out</span>'


def _windows(length: int, marks: list[ReportMark]) -> list[tuple[int, int]]:
    wanted = [(0, min(length, _SHOWN))]
    wanted += [(max(mark.span[0] - _AROUND, 0), min(mark.span[1] + _AROUND, length)) for mark in marks]
    joined: list[tuple[int, int]] = []
    for start, end in sorted(wanted):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        elif start < end:
            joined.append((start, end))
    return joined


_DPI = 110
_MOST_PAGES = 40
_LARGEST_IMAGE = 6_000_000
_SHOWN_BY_BROWSERS = (
    (b"\x89PNG", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
)


def page_pictures(data: bytes, document: Document, wanted: Container[int] = ()) -> Mapping[int, str]:
    """A `data:` address for each page that can be drawn, of very many the wanted ones first."""
    if document.kind == "pdf" and document.pages:
        numbers = sorted((page.number for page in document.pages), key=lambda number: (number not in wanted, number))
        return _rendered("render_pdf", data, {"pages": sorted(numbers[:_MOST_PAGES]), "dpi": _DPI})
    if document.kind != "image":
        return {}
    for signature, kind in _SHOWN_BY_BROWSERS:
        if data.startswith(signature) and len(data) <= _LARGEST_IMAGE:
            return {1: _as_data(data, kind)}
    return _rendered("render_image", data, {"most": _MOST_PAGES})


def _rendered(job: str, data: bytes, options: Mapping[str, object]) -> Mapping[int, str]:
    """What cannot be drawn is shown as text, so a failure is no reason to have no report."""
    try:
        reply: Reply = run(job, data, options, Limits())
    except UnreadableError:
        return {}
    pages = zip(reply.meta["pages"], reply.blocks, strict=True)
    return {number: _as_data(picture, "image/png") for number, picture in pages}


def _as_data(data: bytes, kind: str) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"
