"""Keys are references to where they are kept; the key itself is only read to send it."""

from __future__ import annotations

import os
from typing import Any

import attrs

from paxman.errors import ConfigurationError
from paxman.inference.provider import failure

_SCHEME = "env:"


def check_reference(instance: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
    if value is not None and not (isinstance(value, str) and value.startswith(_SCHEME) and len(value) > len(_SCHEME)):
        raise ConfigurationError(f"{attribute.name} is a reference such as 'env:OPENAI_API_KEY', never the key itself")


def resolve(reference: str | None) -> str | None:
    """The secret behind a reference."""
    if reference is None:
        return None
    name = reference[len(_SCHEME) :]
    secret = os.environ.get(name)
    if not secret:
        raise failure("unconfigured", f"the environment has no {name}", billed=False)
    if not (secret.isascii() and secret.isprintable()):
        raise failure("unconfigured", f"{name} in the environment holds characters that no key has", billed=False)
    return secret
