"""Explicit evidence in text: `KEY: VALUE` and labels beside or above their value."""

from __future__ import annotations

from paxman.capabilities import specs
from paxman.capabilities.answers import found_candidates, with_credits
from paxman.capabilities.base import CapabilityContext, CapabilityResult


class TextExtraction:
    """Finds a field by a name of the contract's own words that stands plainly with its value."""

    spec = specs.TEXT_EXTRACTION

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        return with_credits(context, CapabilityResult(found_candidates(context, explicit=True)))
