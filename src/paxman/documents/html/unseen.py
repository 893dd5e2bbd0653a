"""What of a page is no value: struck-out text beside other text, and what its own style sheets hide.

An old price or a deletion is left out; a list of done tasks is still a list.
"""

from __future__ import annotations

import re

import attrs

from paxman.documents.html.tags import BLOCK, CELLS

STRUCK = frozenset({"del", "s", "strike"})
STRUCK_STYLE = re.compile(r"text-decoration(?:-line)?\s{0,3}:[^;]{0,40}line-through", re.I)
_LONGEST_STRUCK, _MOST_TAGS = 1000, 20
_TAG = re.compile(r"\s*+<(/?)([a-zA-Z][\w-]*+)[^<>]*+>")


def is_left_out(source: str, name: str, at: int, begins: bool) -> bool:
    """Whether other text stands on the line or in the cell of a struck-out element, which may begin it.

    `at` is where the content of the element starts; one that does not end soon is rather one that was not closed.
    """
    end = 0 if name in BLOCK or name in CELLS else _end(source, name, at)
    return end > 0 and not (begins and _ends_line(source, end))


def _ends_line(source: str, place: int) -> bool:
    """Whether a block starts or ends here, or the page ends; no more than a few tags are looked at."""
    for _ in range(_MOST_TAGS):
        found = _TAG.match(source, place)
        if not found:
            return not source[place : place + _LONGEST_STRUCK].strip()
        if found[2].lower() in BLOCK or found[2].lower() in CELLS:
            return True
        place = found.end()
    return False


def _end(source: str, name: str, at: int) -> int:
    """Where an element ends, or 0 if that is far away."""
    near, depth = source[at : at + _LONGEST_STRUCK], 1
    tags = re.finditer(rf"<(/?){re.escape(name)}\b[^<>]*+>", near, re.I) if f"</{name}" in near.lower() else ()
    for found in tags:
        depth += -1 if found[1] else 1
        if not depth:
            return at + found.end()
    return 0


_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_PART = re.compile(r"([^{}]*+)([{}])")
_HIDES = re.compile(r"(?<![\w-])(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_SETS = re.compile(r"(?<![\w-])(?:display|visibility)\s*:", re.IGNORECASE)
_NAME = re.compile(r"[.#][\w-]+")
_COMPOUND = re.compile(r"([a-zA-Z][\w-]*)?((?:[.#][\w-]+)+)")
_LAST = re.compile(r"(?:.*[\s>+~])?([a-zA-Z][\w-]*)?((?:[.#][\w-]+)*)", re.DOTALL)
BLOCK_STYLE = re.compile(r"(?<![\w-])display\s{0,3}:\s{0,3}(?:block|flex|grid|list-item|table)\b(?!-)", re.IGNORECASE)
_LONGEST = 500_000


@attrs.define(eq=False)
class Styles:
    """The rules of the style sheets and what scripts speak of, read so far."""

    hiding: list[tuple[str, frozenset[str]]] = attrs.field(factory=list)
    """The tag, or nothing, and the classes and ids of what is hidden."""
    shown: set[str] = attrs.field(factory=set)
    """Classes and ids of which another rule says that they are shown, be it in a narrow window."""
    blocks: list[tuple[str, frozenset[str]]] = attrs.field(factory=list)
    """The same of what stands on lines of its own."""
    names: tuple[str, ...] = ()
    """What the attributes of an element hold that is hidden or so set, in lower case."""

    def read(self, css: str, scripts: str) -> None:
        """Adds a style sheet; what a script names, it may show."""
        open_blocks: list[str] = []
        for text, bracket in _PART.findall(_COMMENT.sub("", css[:_LONGEST])):
            if bracket == "{":
                open_blocks.append(text.rpartition(";")[2].strip())
            elif open_blocks:
                selectors = open_blocks.pop()
                self._read_rule(selectors, text, is_conditional=any(each[:1] == "@" for each in open_blocks))
        self.hiding = [
            (tag, names)
            for tag, names in self.hiding
            if names.isdisjoint(self.shown) and not any(name[1:] in scripts for name in names)
        ]
        self.names = tuple(sorted({min(names)[1:].lower() for _, names in (*self.hiding, *self.blocks) if names}))

    def _read_rule(self, selectors: str, body: str, *, is_conditional: bool) -> None:
        """One rule; those that only hold on some screens hide nothing, but may show."""
        if BLOCK_STYLE.search(body) and not is_conditional:
            lasts = filter(None, (_LAST.fullmatch(selector.strip()) for selector in selectors.split(",")))
            self.blocks += [((each[1] or "").lower(), frozenset(_NAME.findall(each[2]))) for each in lasts if each[0]]
        if not _HIDES.search(body):
            self.shown.update(_NAME.findall(selectors) if _SETS.search(body) else ())
        elif not is_conditional:
            found = filter(None, (_COMPOUND.fullmatch(selector.strip()) for selector in selectors.split(",")))
            self.hiding += [((each[1] or "").lower(), frozenset(_NAME.findall(each[2]))) for each in found]

    def hides(self, tag: str, classes: str, identity: str) -> bool:
        """Whether an element of a tag with these classes and this id is hidden."""
        return _is_among(self.hiding, tag, classes, identity)

    def is_block(self, tag: str, classes: str = "", identity: str = "") -> bool:
        """Whether such an element stands on lines of its own."""
        return bool(self.blocks) and _is_among(self.blocks, tag, classes, identity)


def _is_among(rules: list[tuple[str, frozenset[str]]], tag: str, classes: str, identity: str) -> bool:
    own = {f".{name}" for name in classes.split()} | {f"#{identity}"}
    return any((wanted or names) and wanted in ("", tag) and names <= own for wanted, names in rules)
