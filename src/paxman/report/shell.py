"""The frame of every page: one file, no network, and no script but ours."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files

_KEPT = (0x09, 0x0A)
_UNSEEN = (
    range(0x20),
    range(0x7F, 0xA0),
    range(0x202A, 0x202F),
    range(0x2066, 0x206A),
    range(0xD800, 0xE000),
    (*range(0xFFF9, 0xFFFC), 0xFFFE, 0xFFFF),
    range(0xE0000, 0xE0080),
)
_CONTROLS = {code: "\ufffd" for codes in _UNSEEN for code in codes if code not in _KEPT} | {0x0D: ""}
"""Characters that are not seen but change what is: controls, overrides of direction, tags, halves of characters."""


def safe(text: object) -> str:
    """Text of a document or an artifact, for element content and quoted attributes."""
    return escape(str(text).translate(_CONTROLS), quote=True)


def cards(facts: Iterable[tuple[str, object, str]]) -> str:
    """Facts in a row: the name, what is to be said, and its class."""
    cells = (f'<div><dt>{safe(name)}</dt><dd class="{state}">{safe(fact)}</dd></div>' for name, fact, state in facts)
    return f'<dl class="cards">{"".join(cells)}</dl>'


def table(head: str, rows: Iterable[str]) -> str:
    """A table of rows that are written already."""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def page(title: str, body: str) -> str:
    """A whole HTML file. The policy names our style and script by hash, so nothing in a document can run or load."""
    style, script = _asset("page.css"), _asset("page.js")
    policy = (
        f"default-src 'none'; img-src data:; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{safe(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n"
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


@cache
def _asset(name: str) -> str:
    return (files("paxman") / "report" / name).read_text("utf-8")


def _hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
