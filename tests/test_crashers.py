"""Inputs that once broke something, found by `python -m benchmarks.robustness`; each is kept and read again."""

import sys
from pathlib import Path

import pytest

import paxman

sys.path.insert(0, str(Path(__file__).parent.parent))
from benchmarks.many_inputs import CONTRACTS, swallowed

FILES = sorted((Path(__file__).parent / "crashers").iterdir())


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract["id"])
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_what_broke_something_once(file, contract):
    artifact = paxman.normalize(file, contract)
    assert (swallowed(artifact), artifact.status.value != "EXECUTION_FAILED") == ([], True)
