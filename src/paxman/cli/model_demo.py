"""The part of the demo that needs a model: a field that no rule can read."""

from __future__ import annotations

import os

import attrs

from paxman.api.normalize import normalize
from paxman.artifact.artifact import ExecutionArtifact
from paxman.planner.registry import CAPABILITIES

TEXT = "Our captain is Ingrid Holm."
CONTRACT = {
    "id": "voyage",
    "version": "1",
    "fields": [{"name": "captain", "type": "STRING", "required": True, "description": "who is the captain"}],
}
ADVICE = (
    "One more field needs a model: who is the captain in “Our captain is Ingrid Holm.”? To let one answer, get any "
    "GGUF file, then: pip install 'paxman-data[local]' and PAXMAN_MODEL=llama_cpp:/path/to/model.gguf paxman demo"
)


def ask_model() -> ExecutionArtifact | None:
    """The answer of the local model that is configured; None if there is none. Nothing leaves the machine."""
    if any(getattr(provider, "tier", "") == "local" for provider in CAPABILITIES.providers):
        return _run()
    if not os.environ.get("PAXMAN_MODEL"):
        return None
    from paxman.inference import configured

    provider = configured()
    if provider.tier != "local":
        return None
    CAPABILITIES.providers.register(provider)
    try:
        return _run()
    finally:
        CAPABILITIES.providers.unregister(provider.name)


def _run() -> ExecutionArtifact:
    return attrs.evolve(normalize(TEXT, CONTRACT), metadata={"source": "voyage.txt"})
