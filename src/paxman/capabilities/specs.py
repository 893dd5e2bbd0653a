"""What the built-in capabilities say of themselves. Their modules are imported when they are first invoked."""

from __future__ import annotations

from decimal import Decimal
from functools import cached_property
from typing import Any

from paxman.capabilities.base import (
    ALL_INPUTS,
    ALL_TYPES,
    Capability,
    CapabilityContext,
    CapabilityResult,
    CapabilitySpec,
    CapabilityTier,
    ChainStep,
    CostHint,
)
from paxman.plugins import load
from paxman.types import FieldType

_SCALARS = ALL_TYPES - {FieldType.ARRAY, FieldType.OBJECT, FieldType.MAP}

TEXT_EXTRACTION = CapabilitySpec(
    "text_extraction",
    "1.0",
    input_types=ALL_INPUTS - {"json"},
    output_types=_SCALARS,
    cost_estimate=CostHint(ms=5),
    step=ChainStep.EXPLICIT_EVIDENCE,
)
STRUCTURED_EXTRACTION = CapabilitySpec(
    "structured_extraction", "1.0", cost_estimate=CostHint(ms=1), step=ChainStep.EXPLICIT_EVIDENCE
)
REGEX_EXTRACTION = CapabilitySpec("regex_extraction", "1.0", output_types=_SCALARS, cost_estimate=CostHint(ms=1))
RECOGNITION = CapabilitySpec(
    "recognition",
    "1.0",
    # Prose with commas in its first line passes for CSV before it is read.
    input_types=ALL_INPUTS - {"json"},
    output_types=ALL_TYPES - {FieldType.OBJECT, FieldType.MAP},
    cost_estimate=CostHint(ms=2),
)
RECALL = CapabilitySpec(
    "recall",
    "1.0",
    input_types=ALL_INPUTS - {"json"},
    output_types=ALL_TYPES - {FieldType.OBJECT, FieldType.MAP},
    cost_estimate=CostHint(ms=2),
)
TABLE_EXTRACTION = CapabilitySpec(
    "table_extraction",
    "1.0",
    input_types=ALL_INPUTS - {"json"},
    output_types={FieldType.ARRAY},
    cost_estimate=CostHint(ms=5),
)
VALIDATION = CapabilitySpec("validation", "1.0", cost_estimate=CostHint(ms=1))
LOOKUP = CapabilitySpec(
    "lookup",
    "1.0",
    output_types=_SCALARS,
    tier=CapabilityTier.STRUCTURED_LOOKUP,
    cost_estimate=CostHint(ms=1),
)
DERIVATION = CapabilitySpec("derivation", "1.0", cost_estimate=CostHint(ms=1), step=ChainStep.DERIVATION)
INFERENCE = CapabilitySpec(
    "inference",
    "1.0",
    output_types=ALL_TYPES - {FieldType.OBJECT, FieldType.MAP},
    tier=CapabilityTier.LOCAL_INFERENCE,
    cost_estimate=CostHint(500, 1500, Decimal("0.001")),
    deterministic=False,
)


class LateCapability:
    """A capability whose module is imported on first use: its spec is all that planning needs."""

    def __init__(self, spec: CapabilitySpec, reference: str) -> None:
        self.spec = spec
        self._reference = reference

    @cached_property
    def _loaded(self) -> Capability:
        capability: Capability = load(self._reference)()
        return capability

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        return self._loaded.invoke(context)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._loaded, name)


_HOME = "paxman.capabilities"
text_extraction = LateCapability(TEXT_EXTRACTION, f"{_HOME}.text_extraction:TextExtraction")
structured_extraction = LateCapability(STRUCTURED_EXTRACTION, f"{_HOME}.structured_extraction:StructuredExtraction")
regex_extraction = LateCapability(REGEX_EXTRACTION, f"{_HOME}.regex_extraction:RegexExtraction")
recognition = LateCapability(RECOGNITION, f"{_HOME}.recognition:Recognition")
recall = LateCapability(RECALL, f"{_HOME}.recall:Recall")
table_extraction = LateCapability(TABLE_EXTRACTION, f"{_HOME}.table_extraction:TableExtraction")
validation = LateCapability(VALIDATION, f"{_HOME}.validation:Validation")
lookup = LateCapability(LOOKUP, f"{_HOME}.lookup:TableLookup")
derivation = LateCapability(DERIVATION, f"{_HOME}.derivation:Derivation")
inference = LateCapability(INFERENCE, f"{_HOME}.inference:Inference")
