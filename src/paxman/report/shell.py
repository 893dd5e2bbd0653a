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


def page(title: str, body: str, *more: str) -> str:
    """A whole HTML file, with style and script of the report and of `more`.

    The policy names them by hash, so nothing in a document can run or load.
    """
    names = ("report/page", *more)
    styles, scripts = ([_asset(f"{name}.{kind}") for name in names] for kind in ("css", "js"))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="generator" content="Paxman">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(*more)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{safe(title)}</title>\n{''.join(f'<style>{style}</style>' for style in styles)}\n</head>\n<body>\n"
        f"{body}\n{''.join(f'<script>{script}</script>' for script in scripts)}\n</body>\n</html>\n"
    )


@cache
def policy(*more: str) -> str:
    """What a page may do: show pictures that it holds, and, where a server stands behind it, speak to that."""
    names = ("report/page", *more)
    styles, scripts = (" ".join(f"'{_hash(_asset(f'{name}.{kind}'))}'" for name in names) for kind in ("css", "js"))
    images, served = ("data: 'self'", "; connect-src 'self'") if more else ("data:", "")
    return (
        f"default-src 'none'; img-src {images}; style-src {styles}; script-src {scripts}{served}; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def _asset(name: str) -> str:
    return files("paxman").joinpath(name).read_text("utf-8")


def _hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
