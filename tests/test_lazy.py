"""Patterns that wait for their first use."""

from __future__ import annotations

import re
import subprocess
import sys

from paxman.lazy import lazy_pattern

_IMPORT = """
import re, sys
askers, compile_now = [], re.compile
re.compile = lambda *how: askers.append(sys._getframe(1).f_globals["__name__"]) or compile_now(*how)
import paxman.capabilities.text_extraction, paxman.documents.text, paxman.recognizers.figures.money
print(sorted({name for name in askers if name.startswith("paxman.")}))
"""


def test_a_lazy_pattern_does_what_a_compiled_one_does() -> None:
    lazy, compiled = lazy_pattern(r"(\d+) eur", re.IGNORECASE), re.compile(r"(\d+) eur", re.IGNORECASE)
    text = "12 EUR and 7 eur"
    assert lazy.findall(text) == compiled.findall(text) == ["12", "7"]
    assert lazy.sub("x", text) == "x and x"
    assert (lazy.pattern, lazy.flags, lazy.groups) == (compiled.pattern, compiled.flags, 1)
    assert lazy_pattern(rb"\d").search(b"a1").span() == (1, 2)  # type: ignore[union-attr]


def test_a_pattern_that_nobody_uses_is_not_even_parsed() -> None:
    assert lazy_pattern("(").pattern == "("


def test_loading_what_reads_text_compiles_nothing() -> None:
    run = subprocess.run([sys.executable, "-c", _IMPORT], check=True, capture_output=True, text=True)
    assert run.stdout == "[]\n"
