"""How a caller's code types: checked by mypy --strict, never run."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import assert_type

from pydantic import BaseModel

import paxman
from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.results import FieldResult
from paxman.planner import ExecutionPlan, InputProfile


class Invoice(BaseModel):
    number: str


artifact = paxman.normalize(Path("invoice.txt"), Invoice, budget=paxman.Budget(max_total_cost_usd="0.05"))
assert_type(artifact, ExecutionArtifact)
assert_type(artifact["number"], FieldResult)
assert_type(artifact["number"].confidence, float)
assert_type(artifact["number"].confidence_band, paxman.ConfidenceBand)
assert_type(artifact.to(Invoice), Invoice)
assert_type(artifact.statistics.cost_usd, Decimal)
assert_type(paxman.plan("text", Invoice), ExecutionPlan)
assert_type(paxman.profile(b"bytes"), InputProfile)
assert_type(paxman.replay(artifact, Invoice), ExecutionArtifact)
