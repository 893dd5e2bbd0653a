"""The rubric: the one place where confidence is computed."""

from __future__ import annotations

from functools import lru_cache

from paxman.classes import record
from paxman.types import ConfidenceBand

RECONCILER, RUBRIC_VERSION = "reconciler", "1"
"""Who is named for evidence that no capability found: relations that hold."""
CONCLUDED, CONCLUDED_IN_CONFLICT = 0.75, 0.65
"""The most for a value, or a list with a cell, that only a model concluded from lines which do not state it."""
CERTAIN = 0.95
_BANDS = (
    (95, ConfidenceBand.CERTAIN),
    (80, ConfidenceBand.HIGH),
    (60, ConfidenceBand.MEDIUM),
    (30, ConfidenceBand.LOW),
    (0, ConfidenceBand.UNTRUSTED),
)


@record
class ConfidenceEvidence:
    """What speaks for a value: distinct candidates, references and capabilities, and whether it is disputed.

    `cap` is the confidence of the least sure value that it was made from, if it was only derived or looked up, or the
    most for one that a model concluded.
    """

    agreeing_candidates: int = 0
    evidence_refs: int = 0
    validation_passed: bool = False
    conflict: bool = False
    capability_sources: int = 0
    cap: float | None = None

    @property
    def parts(self) -> tuple[tuple[str, int], ...]:
        """The sum, part by part, in hundredths."""
        return (
            ("base", 50),
            ("agreeing candidates", 10 * min(self.agreeing_candidates, 3)),
            ("evidence", 5 * min(self.evidence_refs, 5)),
            ("validation", 10 if self.validation_passed else 0),
            ("conflict", -15 if self.conflict else 0),
            ("capabilities", 5 * min(self.capability_sources, 3)),
        )


@lru_cache(maxsize=1024)
def assign_confidence(evidence: ConfidenceEvidence) -> float:
    """The rubric added up in whole hundredths, so that 0.80 is exactly 0.80."""
    total = sum(points for _, points in evidence.parts)
    most = 100 if evidence.cap is None else round(100 * evidence.cap)
    return max(0, min(most, 100, total)) / 100


def float_to_band(confidence: float) -> ConfidenceBand:
    """The band of a confidence; lower bounds are inclusive."""
    if not 0.0 <= confidence <= 1.0:
        raise ValueError(f"confidence must be from 0.0 to 1.0, got {confidence}")
    return next(band for floor, band in _BANDS if confidence >= floor / 100)
