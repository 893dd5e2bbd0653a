"""Vocabulary kept in `data/`: one entry a line, `head: words`, read on first use."""

from __future__ import annotations

import pkgutil


def entries(name: str) -> list[tuple[str, list[str]]]:
    """Head and words of every line of a table."""
    content = pkgutil.get_data(__name__, f"data/{name}.txt")
    assert content is not None
    lines = content.decode("utf-8").splitlines()
    pairs = (line.split(": ", 1) for line in lines if line and not line.startswith("#"))
    return [(head, words.split()) for head, words in pairs]


def column(name: str) -> dict[str, frozenset[str]]:
    """Every head with its words as a set."""
    return {head: frozenset(words) for head, words in entries(name)}
