"""Inputs that once broke something, found by `python -m benchmarks.robustness`; each is kept and read again."""

import hashlib
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pytest

import paxman
from benchmarks.hostile import MAKERS, document
from benchmarks.many_inputs import CONTRACTS, measures, swallowed

ROOT = Path(__file__).parent.parent
FILES = sorted((Path(__file__).parent / "crashers").iterdir())


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract["id"])
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_what_broke_something_once(file, contract):
    begun = time.process_time()
    artifact = paxman.normalize(file, contract)
    assert time.process_time() - begun < 10
    assert (swallowed(artifact), artifact.status.value != "EXECUTION_FAILED") == ([], True)


LARGE = {
    "blanks": "The buyer is Acme Ltd" + " " * 3_000 + "Total: 5.00\n",
    "figures": "1" * 60_000,
    "cells": "5.00 EUR    " * 8_000,
    "two currencies": "Total 5.00 CHF (equals 5.10 EUR) " * 4_000,
    "heads": (
        "Montant dû Invoice date NaN a 99.99 المجموع Order no. Infinity १२ TBD Description 1.2.3.4 € 5,-  "
        "Montant dû Balance a@b المجموعMünchen   ½             \n" * 400
    ),
    "columns": ",".join(f"c{n}" for n in range(12_000)),
    "rows": "[" + ",".join(['{"description":"bolt","amount":"5.00"}'] * 6_000) + "]",
}


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract["id"])
@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE)
def test_what_is_one_long_line_is_read_in_time(text, contract):
    begun = time.process_time()
    artifact = paxman.normalize(text, contract)
    assert (time.process_time() - begun < 10, swallowed(artifact)) == (True, [])


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract["id"])
def test_a_long_word_takes_little_memory(contract):
    tracemalloc.start()
    try:
        paxman.normalize("T" + "a" * 30_000 + "\tpaid\n\nTotal\t5.00", contract)
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()


def test_a_hostile_document_is_the_same_on_every_run():
    """Its number is all that must be known to make it again."""
    code = """
import hashlib
from benchmarks.hostile import document
print(*(hashlib.sha256(document(number)[1]).hexdigest() for number in range(60)))
"""
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "5"}
    )
    assert found.stdout.split() == [hashlib.sha256(document(number)[1]).hexdigest() for number in range(60)]
    kinds = {Path(document(number)[0]).suffix.lstrip(".") for number in range(400)}
    assert kinds >= MAKERS.keys() - {"png"}


def test_hostile_documents_break_nothing():
    assert [measure for measure in measures(60) if not measure.ok] == []
