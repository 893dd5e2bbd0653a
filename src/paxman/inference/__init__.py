"""Models behind providers, asked for verbatim quotes that are then found in the document."""

from paxman.inference.anthropic import Anthropic
from paxman.inference.cache import Cached
from paxman.inference.environment import configured
from paxman.inference.llama_cpp import LlamaCpp
from paxman.inference.openai import OpenAI
from paxman.inference.provider import Completion, Price, Provider, Request, Terms
from paxman.inference.recording import Recorder, Recording

__all__ = [
    "Anthropic",
    "Cached",
    "Completion",
    "LlamaCpp",
    "OpenAI",
    "Price",
    "Provider",
    "Recorder",
    "Recording",
    "Request",
    "Terms",
    "configured",
]
