"""Typed values in the text, found by what trades call them, by their place and by their shape."""

from __future__ import annotations

from paxman.capabilities import specs
from paxman.capabilities.answers import found_candidates, with_credits
from paxman.capabilities.base import NOTHING, Candidate, CapabilityContext, CapabilityResult
from paxman.capabilities.values import to_candidates


class Recognition:
    """Finds a field by what it is called in many languages, or by where and how its kind of value is written."""

    spec = specs.RECOGNITION

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        if context.candidates:
            return NOTHING  # The same engine spoke already: it is no second opinion.
        return with_credits(
            context, CapabilityResult(found_candidates(context, explicit=False) or _in_headers(context))
        )


def _in_headers(context: CapabilityContext) -> tuple[Candidate, ...]:
    if context.document.kind != "email":
        return ()
    from paxman.capabilities.mail_headers import find_in_headers

    return to_candidates(find_in_headers(context))
