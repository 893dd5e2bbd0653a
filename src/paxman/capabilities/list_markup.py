"""Lists of a marked-up page: elements below a label that differ only in their number."""

from __future__ import annotations

import re
from itertools import islice, pairwise, starmap, takewhile

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.list_extent import NESTED, Extent, filled, is_parted, of_lines
from paxman.documents.document import NodePath
from paxman.documents.visual_lines import VisualLines
from paxman.types import Span

_NAVIGATION = re.compile(r"/(?:nav|header|footer|a)\[")
_HEADING = re.compile(r"/h([1-6])\[")
_MOST_LINES = 10_000
_SKIPPED = 3
"""Lines that may stand between a heading and its list."""
_FEWEST = 3
"""Elements that make a list where nothing but their likeness says so; of one that is marked up right below, one."""


def path_at(context: CapabilityContext, page: VisualLines, index: int) -> str | None:
    """The path of the element that a line of the page is."""
    chunks = page.line(index).chunks
    source = context.document.locate((chunks[0][0], chunks[-1][1])) if chunks else None
    return source.path if isinstance(source, NodePath) else None


def is_navigation(path: str) -> bool:
    return _NAVIGATION.search(path) is not None


def elements_below(context: CapabilityContext, page: VisualLines, index: int) -> Extent | None:
    """The longest run of elements, soon after the label, that differ only in their number."""
    heading = path_at(context, page, index) or ""
    lower = (path_at(context, page, line) or "" for line in islice(filled(page, index), 2 + _SKIPPED))
    paths = list(takewhile(lambda path: not _level(path) or _level(path) > _level(heading), lower))
    elements = dict.fromkeys(filter(None, starmap(_element, pairwise(paths))))
    first = next((each for each in map(_list_of, paths[:1]) if each and not heading.startswith(each)), "")
    if first:
        items = _elements(context, page, index, first)
        paths = [path_at(context, page, page.line_at(span[0])) or "" for item in items for span in item]
        inner = any("/li[" in path[len(first) :] for path in paths)
        doubt = NESTED if inner else _GOES_ON if _has_more(context, page, items, heading) else ""
        return Extent(tuple(map(tuple, items)), doubt=doubt)
    runs = (_elements(context, page, index, each) for each in elements)
    found = max((run for run in runs if len(run) >= _FEWEST), key=len, default=[])
    return Extent(tuple(map(tuple, found)), doubt=_ALIKE) if found else None


def lines_below(context: CapabilityContext, page: VisualLines, index: int) -> Extent | None:
    """The lines below a label in its own element."""
    own = path_at(context, page, index)
    lines = list(takewhile(lambda line: path_at(context, page, line) == own, islice(filled(page, index), _MOST_LINES)))
    if not lines:
        return None
    return of_lines(page.text, page.line(lines[0]).chunks[0][0], page.line(lines[-1]).chunks[-1][1])


def text_below(context: CapabilityContext, page: VisualLines, index: int, *, labelled: bool) -> Extent | None:
    """The text of the element below a heading or a label with a colon, if commas part it into short items."""
    heading = path_at(context, page, index) or ""
    below = next(filled(page, index), None)
    if below is None or not (labelled or _level(heading)) or _level(path_at(context, page, below) or ""):
        return None
    chunks = page.line(below).chunks
    found = of_lines(page.text, chunks[0][0], chunks[-1][1])
    return found if is_parted(page.text, found) else None


_ALIKE = "nothing but the likeness of elements says that they are a list"
_GOES_ON = "another list follows below the same heading"


def _list_of(path: str) -> str:
    """The list item that a path is, without its number."""
    return path[: path.rindex("/li[") + 4] if "/li[" in path else ""


def _has_more(context: CapabilityContext, page: VisualLines, items: list[list[Span]], heading: str) -> bool:
    """Whether items of another list come soon after these, and no heading as high as that of these before them."""
    last = page.line_at(items[-1][-1][0])
    lower = (path_at(context, page, line) or "" for line in islice(filled(page, last), _SKIPPED))
    level = _level(heading)
    if not level:
        return False
    return any("/li[" in path for path in takewhile(lambda path: not 0 < _level(path) <= level, lower))


def _level(path: str) -> int:
    """How deep a heading is; 0 for what is none."""
    found = _HEADING.search(path)
    return int(found[1]) if found else 0


def _element(path: str, lower: str) -> str:
    """The element that comes again, without its number, if two paths part at one."""
    shared = ""
    for mine, other in zip(path.split("/"), lower.split("/"), strict=False):
        if mine != other:
            tag = mine.partition("[")[0]
            return f"{shared}/{tag}[".removeprefix("/") if tag == other.partition("[")[0] else ""
        shared = f"{shared}/{mine}"
    return ""


def _elements(context: CapabilityContext, page: VisualLines, index: int, element: str) -> list[list[Span]]:
    """The lines of each element that comes again, up to the first line after them."""
    items: dict[str, list[Span]] = {}
    for number, line in enumerate(filled(page, index)):
        path = path_at(context, page, line) or ""
        if path.startswith(element):
            chunks = page.line(line).chunks
            items.setdefault(path[: path.index("]", len(element))], []).append((chunks[0][0], chunks[-1][1]))
        elif items or number > _SKIPPED:
            break
    return list(items.values())
