"""Models behind providers, asked for typed values with the lines that they rest on."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paxman.inference.cache import Cached
    from paxman.inference.clients import Anthropic, Gemini, OpenAI
    from paxman.inference.environment import configured
    from paxman.inference.llama_cpp import LlamaCpp
    from paxman.inference.provider import Completion, Picture, Price, Provider, Request, Sight, Terms, failure
    from paxman.inference.recording import Recorder, Recording

__all__ = [
    "Anthropic",
    "Cached",
    "Completion",
    "Gemini",
    "LlamaCpp",
    "OpenAI",
    "Picture",
    "Price",
    "Provider",
    "Recorder",
    "Recording",
    "Request",
    "Sight",
    "Terms",
    "configured",
    "failure",
]
_HOMES = {
    "Anthropic": "clients",
    "Cached": "cache",
    "Gemini": "clients",
    "LlamaCpp": "llama_cpp",
    "OpenAI": "clients",
    "Recorder": "recording",
    "Recording": "recording",
    "configured": "environment",
}


def __getattr__(name: str) -> Any:
    """Names are loaded on first use: most runs need none of them."""
    if name not in __all__:
        raise AttributeError(f"module 'paxman.inference' has no attribute {name!r}")
    return getattr(import_module(f"paxman.inference.{_HOMES.get(name, 'provider')}"), name)
