"""Lexicon files of the caller, each named with the hash of its content: a plan says what it was made with."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
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


def lexicon_of(pinned: tuple[str, ...]) -> Lexicon:
    """The built-in lexicon, with the files of a plan added."""
    return _with_files(pinned) if pinned else load()


@lru_cache(maxsize=8)
def _with_files(pinned: tuple[str, ...]) -> Lexicon:
    from paxman.lexicon.build import build, read_all

    made = build(read_all(pinned))
    return Lexicon(made["shared"], lambda part: made["parts"].get(part, {}))
