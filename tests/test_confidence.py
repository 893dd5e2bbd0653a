"""The rubric is exact, bounded and monotone, and nobody else computes confidence."""

import ast
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paxman.capabilities.base import Candidate, CapabilityResult
from paxman.reconciler.confidence import ConfidenceEvidence, assign_confidence, float_to_band
from paxman.types import ConfidenceBand

SOURCE = Path(__file__).parent.parent / "src" / "paxman"
counts = st.integers(0, 10)
evidences = st.builds(ConfidenceEvidence, counts, counts, st.booleans(), st.booleans(), counts)


@pytest.mark.parametrize(
    ("evidence", "confidence"),
    [
        (ConfidenceEvidence(), 0.5),
        (ConfidenceEvidence(1, 1, True, False, 1), 0.8),
        (ConfidenceEvidence(1, 1, True, True, 1), 0.65),
        (ConfidenceEvidence(2, 1, True, False, 2), 0.95),
        (ConfidenceEvidence(2, 2, True, False, 2), 1.0),
        (ConfidenceEvidence(9, 9, True, True, 9), 1.0),
        (ConfidenceEvidence(0, 0, False, True, 0), 0.35),
        (ConfidenceEvidence(3, 5, False, False, 0), 1.0),
    ],
)
def test_rubric(evidence, confidence):
    assert assign_confidence(evidence) == confidence


@pytest.mark.parametrize(
    ("confidence", "band"),
    [(1.0, "CERTAIN"), (0.95, "CERTAIN"), (0.94, "HIGH"), (0.8, "HIGH"), (0.79, "MEDIUM"), (0.6, "MEDIUM"),
     (0.59, "LOW"), (0.3, "LOW"), (0.29, "UNTRUSTED"), (0.0, "UNTRUSTED")],
)  # fmt: skip
def test_bands(confidence, band):
    assert float_to_band(confidence) is ConfidenceBand[band]


@pytest.mark.parametrize("confidence", [-0.01, 1.01, float("nan")])
def test_a_band_needs_a_confidence(confidence):
    with pytest.raises(ValueError, match="from 0.0 to 1.0"):
        float_to_band(confidence)


@given(evidences)
def test_bounded_and_deterministic(evidence):
    assert 0.0 <= assign_confidence(evidence) == assign_confidence(attrs.evolve(evidence)) <= 1.0


@given(evidences, st.sampled_from(["agreeing_candidates", "evidence_refs", "capability_sources"]))
def test_more_evidence_never_lowers(evidence, name):
    better = attrs.evolve(evidence, **{name: getattr(evidence, name) + 1})
    assert assign_confidence(better) >= assign_confidence(evidence)


@given(evidences)
def test_validation_raises_and_conflict_lowers(evidence):
    assert assign_confidence(attrs.evolve(evidence, validation_passed=True)) >= assign_confidence(evidence)
    assert assign_confidence(attrs.evolve(evidence, conflict=True)) <= assign_confidence(evidence)


def _makes_confidence(path):
    """Whether a module computes a confidence or builds a band; naming one to show it is no assignment."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name | ast.Attribute):
            name = node.id if isinstance(node, ast.Name) else node.attr
            if name in ("assign_confidence", "float_to_band", "ConfidenceEvidence"):
                return True
        made = node.func if isinstance(node, ast.Call) else node.value if isinstance(node, ast.Subscript) else None
        if isinstance(made, ast.Name) and made.id == "ConfidenceBand":
            return True
    return False


def test_only_the_reconciler_makes_confidence():
    makers = {p.relative_to(SOURCE).as_posix() for p in SOURCE.rglob("*.py") if _makes_confidence(p)}
    askers = {
        "report/plots.py",  # the bounds of the bands
        "artifact/verification.py",  # whether the rubric gives the stored confidence
        "artifact/correcting.py",  # what the rubric gives for the places of a value that a person gave
    }
    assert {maker for maker in makers if not maker.startswith("reconciler/")} == askers


def test_the_reconciler_alone_says_what_counts_as_evidence():
    """Capabilities mark as context what is no place of the value: a lookup's input, a model's exchange."""
    marked = {
        path.name
        for path in (SOURCE / "capabilities").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.keyword) and node.arg == "role"
    }
    assert marked == {"answered.py", "answered_rows.py", "inference.py", "lookup.py", "row_completion.py"}


def test_capabilities_have_no_word_for_confidence():
    assert [a.name for cls in (CapabilityResult, Candidate) for a in attrs.fields(cls) if "confidence" in a.name] == []
    with pytest.raises(TypeError):
        CapabilityResult(confidence=0.9)
    with pytest.raises(TypeError):
        Candidate("x", confidence=0.9)
