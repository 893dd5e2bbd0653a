"""The set of mutants of the mechanisms (`python -m benchmarks.mutants`) stays one that can be applied."""

from __future__ import annotations

from collections import Counter

from benchmarks.mutants import ROOT, mutants


def test_every_text_to_replace_stands_once():
    assert {m.breaks: m.times(ROOT / "src" / "paxman") for m in mutants()} == {m.breaks: 1 for m in mutants()}


def test_the_tests_that_must_notice_are_there():
    named = {test for mutant in mutants() for test in mutant.tests}
    assert {test for test in named if not (ROOT / "tests" / f"test_{test}.py").exists()} == set()


def test_every_mechanism_has_two():
    assert {mechanism: n for mechanism, n in Counter(m.mechanism for m in mutants()).items() if n < 2} == {}
