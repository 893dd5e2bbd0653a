"""Lexicon files of the caller, each named with the hash of its content: a plan says what it was made with."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from paxman.errors import ConfigurationError
from paxman.lexicon.lexicon import Lexicon, load

_KNOWN = tuple(
    "domain signs terms columns heads stop owners groups opposites clause not_values alone papers plain issuers"
    " row_words".split()
)


def pin(paths: Iterable[str]) -> tuple[str, ...]:
    """Each path with the hash of what it holds; a file that cannot be used is an error that says why."""
    return tuple(path if "#sha256:" in path else f"{path}#sha256:{_checked(Path(path))}" for path in paths)


def _checked(path: Path) -> str:
    import tomllib

    try:
        content = path.read_bytes()
        found = tomllib.loads(content.decode("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"the lexicon file {path} cannot be read: {error}") from None
    unknown = [key for key in found if key not in _KNOWN]
    if unknown:
        raise ConfigurationError(f"the lexicon file {path} has {unknown[0]!r}; it may have {', '.join(_KNOWN)}")
    return hashlib.sha256(content).hexdigest()


def lexicon_of(pinned: Iterable[str]) -> Lexicon:
    """The lexicon with the files of a plan."""
    return load(tuple(pinned))
