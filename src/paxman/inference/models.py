"""What planning needs to know of models; it must cost nothing to import."""

from __future__ import annotations

PII = "pii"
"""The tag of personal fields."""


def is_model(provider: object) -> bool:
    """Whether a registered provider can be asked; others only satisfy a capability's `required_providers`."""
    return callable(getattr(provider, "complete", None))
