"""Keys are references to where they are kept; the key itself is only read to send it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

import attrs

from paxman.errors import ConfigurationError
from paxman.inference.provider import failure

_HARMLESS = frozenset({"prompt_cache_key"})
_SCHEME = "env:"
_SECRET = re.compile(
    r"auth|cookie|secret|passw|passphrase|pwd|bearer|signature|credential"
    r"|(?:^|[^a-z])(?:key|apikey|token|sig|code|pass|access)$"
)
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_HARMLESS_HEADERS = re.compile(r"accept|content-type|user-agent|referer|title|version|beta", re.I)
_PREFIX = re.compile(r"(?:sk|pk|ghp|xox[a-z])[-_]\S+", re.I)
_KEY = re.compile(rf"(?:bearer|basic|token) \S+|{_PREFIX.pattern}|(?=\D*\d)(?=[^a-z]*[a-z])[\w+/=.~-]{{16,}}", re.I)


def is_secret(name: str) -> bool:
    """Whether what goes by this name is likely a key."""
    return bool(_SECRET.search(_HUMP.sub("_", name).lower()))


def is_harmless(header: str) -> bool:
    """Whether a header of this name never holds a key."""
    return bool(_HARMLESS_HEADERS.search(header)) and not is_secret(header)


def looks_secret(value: Any) -> bool:
    """Whether a text looks like a key by itself: long, of letters and digits, without a space."""
    return isinstance(value, str) and bool(_KEY.fullmatch(value))


def has_key_prefix(text: str) -> bool:
    """Whether a text begins as the keys of well-known services do."""
    return bool(_PREFIX.match(text))


def is_reference(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(_SCHEME) and len(value) > len(_SCHEME)


def check_reference(instance: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
    if value is not None and not is_reference(value):
        raise ConfigurationError(f"{attribute.name} is a reference such as 'env:OPENAI_API_KEY', never the key itself")


def check_values(instance: Any, attribute: attrs.Attribute[Any], values: Mapping[str, Any]) -> None:
    """Refuse a key that is written out."""
    for name, value in values.items():
        if (is_secret(name) or (looks_secret(value) and not is_harmless(name))) and not is_reference(value):
            raise ConfigurationError(
                f"{attribute.name}: {name} is a reference such as 'env:NAME', never the key itself"
            )


def check_no_keys(instance: Any, attribute: attrs.Attribute[Any], values: Mapping[str, Any]) -> None:
    """Refuse a key where references are not looked up."""
    written = sorted(name for name in values if is_secret(name) and name not in _HARMLESS)
    if written:
        raise ConfigurationError(f"{attribute.name} holds a key ({', '.join(written)}): give api_key='env:NAME'")


def resolve_all(values: Mapping[str, str]) -> dict[str, str]:
    """The values, those that are references as what they refer to."""
    return {name: (resolve(value) or "") if is_reference(value) else value for name, value in values.items()}


def resolve(reference: str | None) -> str | None:
    """The secret behind a reference."""
    if reference is None:
        return None
    name = reference[len(_SCHEME) :]
    secret = os.environ.get(name)
    if not secret:
        raise failure("unconfigured", f"the environment has no {name}", billed=False, sent=False)
    if not (secret.isascii() and secret.isprintable()):
        message = f"{name} in the environment holds characters that no key has"
        raise failure("unconfigured", message, billed=False, sent=False)
    return secret
