"""Inline Markdown with the place of every piece: markdown-it parses it, this keeps where each token starts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_block.state_block import StateBlock
from markdown_it.rules_inline.state_inline import StateInline
from markdown_it.token import Token

from paxman.documents.html.tags import KNOWN
from paxman.documents.html.unseen import STRUCK
from paxman.types import Span

_AT, _LAST_END = "at", "last end of a table"
_MOST_NESTED = 40
_PARTS = re.compile(r"\n|\\\||(?:[^\n\\]|\\(?!\|))+")
_TABLE, _TABLE_END = re.compile(r"<table[\s>]", re.I), re.compile(r"</table\s*>(?!(?:(?!<table[\s>]).)*</table)", re.I)
_MARKUP = re.compile(r"[\\`*_~\[\]!<&\n]")
_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)")
EMPHASIS = frozenset(("b", "strong", "em", "i", "u", "mark", "ins"))


class InlinePiece(NamedTuple):
    """What a stretch of the source is read as: itself, other words, or a change of what holds from here on.

    `role` is text, code, break, or with `change` +1 or -1 strong, struck or link.
    """

    role: str
    text: str
    source: Span
    change: int = 0


class _State(StateInline):
    """Notes on each token where it starts."""

    begun = 0

    def push(self, ttype: str, tag: str, nesting: Any) -> Token:
        token = super().push(ttype, tag, nesting)
        if ttype != "text":
            token.meta[_AT] = self.pos
        return token

    def pushPending(self) -> Token:
        token = super().pushPending()
        token.meta[_AT] = self.begun
        return token


class _InlineParser(ParserInline):
    """The parser of markdown-it, with the places of tokens; adjoining texts are not joined, so each keeps its own."""

    def __init__(self) -> None:
        super().__init__()
        self.ruler2.disable("fragments_join")

    def tokenize(self, state: StateInline) -> None:
        assert isinstance(state, _State)
        end, rules = state.posMax, self.ruler.getRules("")
        while state.pos < end:
            if not state.pending:
                state.begun = state.pos
            at, known = state.pos, len(state.tokens)
            if state.level < state.md.options["maxNesting"] and any(rule(state, False) for rule in rules):
                _note_places(state.tokens[known:], at)
                continue
            state.append_pending(state.src[at])
            state.pos += 1
        if state.pending:
            state.pushPending()

    def parse(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token]:
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


def _note_places(added: list[Token], at: int) -> None:
    """Marks of emphasis are texts that one rule adds one after the other."""
    for token in added:
        if token.type == "text" and _AT not in token.meta:
            token.meta[_AT] = at
            at += len(token.content)


@cache
def parser() -> MarkdownIt:
    """CommonMark with the tables and struck-out text of GitHub."""
    markdown = MarkdownIt("commonmark", {"maxNesting": _MOST_NESTED}).enable(["table", "strikethrough"])
    markdown.inline = _InlineParser()
    markdown.block.ruler.before("html_block", "html_table", _html_table, {"alt": ["paragraph", "blockquote"]})
    return markdown


def _html_table(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """A table of HTML goes on over blank lines, to its end."""
    start = state.bMarks[first] + state.tShift[first]
    if state.is_code_block(first) or not _TABLE.match(state.src, start):
        return False
    if _LAST_END not in state.env:
        state.env[_LAST_END] = state.src.lower().rfind("</table")
    close = _TABLE_END.search(state.src, start) if start < state.env[_LAST_END] else None
    last = next((line for line in range(first, end) if state.eMarks[line] >= close.end()), end) if close else end
    if last == end:
        return False
    if not silent:
        state.line = last + 1
        token = state.push("html_block", "", 0)
        token.map = [first, last + 1]
    return True


def inline_pieces(content: str, references: dict[str, Any], *, in_cell: bool = False) -> list[InlinePiece]:
    """The pieces of a paragraph, heading or cell, with places in its content, in order."""
    if not _MARKUP.search(content):
        return [InlinePiece("text", content, (0, len(content)))]
    tokens: list[Token] = []
    parser().inline.parse(content, parser(), {"references": references}, tokens)
    return list(_pieces(tokens, content, 0, in_cell))


def _pieces(tokens: list[Token], source: str, offset: int, in_cell: bool) -> Iterator[InlinePiece]:
    is_auto = False
    for token in tokens:
        at = offset + token.meta.get(_AT, 0)
        if token.type in _CHANGES:
            is_auto = token.type == "link_open" and token.info == "auto"
            role, change = _CHANGES[token.type]
            yield InlinePiece(role, "", (at, at), change)
        elif token.type == "text":
            # An address in angle brackets stands behind the first of them.
            at += is_auto
            yield InlinePiece("text", token.content, (at, at + len(token.content)))
        elif token.type == "text_special":
            yield InlinePiece("text", token.content, (at, at + len(token.markup)))
        elif token.type == "code_inline":
            yield from _code(token, source, at, offset, in_cell)
        elif token.type in ("softbreak", "hardbreak"):
            yield InlinePiece("break", "\n", (at, at + 1))
        elif token.type == "image":
            yield from _pieces(token.children or [], token.content, at + 2, in_cell)
        elif token.type == "html_inline":
            yield from _tag(token.content, (at, at + len(token.content)))


_CHANGES = {
    "strong_open": ("strong", 1),
    "strong_close": ("strong", -1),
    "em_open": ("strong", 1),
    "em_close": ("strong", -1),
    "s_open": ("struck", 1),
    "s_close": ("struck", -1),
    "link_open": ("link", 1),
    "link_close": ("link", -1),
}


def _code(token: Token, source: str, at: int, offset: int, in_cell: bool) -> Iterator[InlinePiece]:
    """Code as it is written, line by line; in a cell of a table a bar is escaped in code, too."""
    start, length = at + len(token.markup), len(token.content)
    written = source[start - offset : start - offset + length].replace("\n", " ")
    start += written != token.content  # a blank at either end is no part of the code
    for part in _PARTS.findall(source[start - offset : start - offset + length]):
        role, text = ("break", "\n") if part == "\n" else ("code", "|" if in_cell and part == "\\|" else part)
        yield InlinePiece(role, text, (start, start + len(part)))
        start += len(part)


def html_name(tag: str) -> str:
    """The name of the element that a text starts with, if HTML knows it."""
    found = _NAME.match(tag)
    name = found[1].lower() if found else ""
    return name if name in KNOWN else ""


def _tag(tag: str, source: Span) -> Iterator[InlinePiece]:
    """What a tag inside a line does; one that HTML does not know is text, such as <NAME>."""
    name = html_name(tag)
    change = -1 if tag.startswith("</") else 1
    if not name and not tag.startswith("<!--"):
        yield InlinePiece("text", tag, source)
    elif name == "br":
        yield InlinePiece("break", "\n", source)
    elif name in EMPHASIS:
        yield InlinePiece("strong", "", source, change)
    elif name in STRUCK:
        yield InlinePiece("struck", "", source, change)
