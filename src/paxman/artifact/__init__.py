"""Artifacts: what a run found, stored, replayed, verified, compared and signed."""
