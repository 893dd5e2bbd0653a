"""One registry type for capabilities, adapters, readers and providers.

Built-ins are a literal table of "module:name" strings; third parties register in code or through entry points.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Generic, TypeVar

from paxman.errors import ConfigurationError, unknown_name

T = TypeVar("T")
Version = tuple[tuple[int, int, str], ...]


def version_key(version: str) -> Version:
    """Sorts "1.10" after "1.9"; a part that is not a number comes before every number."""
    return tuple(
        (1, int(part), "") if part.isascii() and part.isdigit() else (0, 0, part) for part in version.split(".")
    )


def is_canonical_version(version: str) -> bool:
    parts = version.split(".")
    return len(parts) in (2, 3) and all(part.isascii() and part.isdigit() for part in parts)


def load(reference: str) -> Any:
    """The object that "module:name" names."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


class Registry(Generic[T]):
    """Named, versioned things of one kind, loaded on first use and iterated in a fixed order."""

    def __init__(
        self,
        kind: str,
        built_in: Mapping[str, str],
        describe: Callable[[T], tuple[str, str]],
        order: Callable[[T], Any] | None = None,
        entry_points: bool = True,
    ) -> None:
        self.kind = kind
        self.generation = 0
        self._pending = dict(built_in)
        self._describe = describe
        self._order = order or describe
        self._entry_points_pending = entry_points
        self._items: dict[tuple[str, str], T] = {}
        self._sorted: tuple[T, ...] | None = None
        self._lock = threading.RLock()

    def register(self, item: T) -> T:
        """Add an item; the same name and version twice is refused."""
        self._load()
        with self._lock:
            self._add(item)
        return item

    def unregister(self, name: str) -> None:
        """Remove every version of a name."""
        self._load()
        with self._lock:
            for key in [key for key in self._items if key[0] == name]:
                del self._items[key]
            self._changed()

    def get(self, name: str, version: str) -> T | None:
        self._load(name)
        return self._items.get((name, version))

    def get_latest(self, name: str) -> T:
        """The highest version of a name."""
        self._load(name)
        versions = [key for key in self._items if key[0] == name]
        if not versions:
            message = unknown_name(self.kind, name, {key[0] for key in self._items} | self._pending.keys())
            raise ConfigurationError(message, context={"kind": self.kind, "name": name})
        return self._items[max(versions, key=lambda key: version_key(key[1]))]

    def __iter__(self) -> Iterator[T]:
        self._load()
        found = self._sorted
        if found is None:
            with self._lock:
                found = self._sorted = tuple(sorted(self._items.values(), key=self._order))
        return iter(found)

    def __len__(self) -> int:
        self._load()
        return len(self._items)

    def _add(self, item: T) -> None:
        key = self._describe(item)
        if key in self._items:
            raise ConfigurationError(
                f"{self.kind} {key[0]!r} version {key[1]} is registered already; use another version or unregister it",
                error_code="DUPLICATE_REGISTRATION",
                context={"kind": self.kind, "name": key[0], "version": key[1]},
            )
        self._items[key] = item
        self._changed()

    def _changed(self) -> None:
        self._sorted = None
        self.generation += 1

    def _load(self, name: str | None = None) -> None:
        """Import the built-in of this name, or all of them, and what is installed beside Paxman."""
        if not self._entry_points_pending and (not self._pending or (name and name not in self._pending)):
            return
        with self._lock:
            for wanted in [n for n in self._pending if name in (None, n)]:
                self._add(_instance(load(self._pending[wanted])))
                del self._pending[wanted]
            if self._entry_points_pending:
                self._entry_points_pending = False
                self._load_entry_points()

    def _load_entry_points(self) -> None:
        if not _any_plugin_installed():
            return
        from importlib.metadata import entry_points

        group = {"capability": "capabilities"}.get(self.kind, self.kind + "s")
        for point in sorted(entry_points(group=f"paxman.{group}"), key=lambda p: (p.name, p.value)):
            self._add(_instance(point.load()))


@cache
def plugin_lexicons() -> tuple[str, ...]:
    """Paths of the lexicon files that installed packages bring: each entry point of `paxman.lexicons` names one."""
    if not _any_plugin_installed():
        return ()
    from importlib.metadata import entry_points

    points = sorted(entry_points(group="paxman.lexicons"), key=lambda p: (p.name, p.value))
    return tuple(os.fspath(point.load()) for point in points)


@cache
def _any_plugin_installed() -> bool:
    """Whether some installed package names a Paxman entry point; ten times cheaper than importlib.metadata."""
    return any(map(_names_plugin, dict.fromkeys(sys.path)))


def _names_plugin(folder: str) -> bool:
    try:
        packages = [
            entry.path for entry in os.scandir(folder or ".") if entry.name.endswith((".dist-info", ".egg-info"))
        ]
    except NotADirectoryError:
        return True  # an archive: importlib.metadata knows how to look inside
    except OSError:
        return False
    return any(b"[paxman." in _read(f"{package}/entry_points.txt") for package in packages)


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def _instance(loaded: Any) -> Any:
    return loaded() if isinstance(loaded, type) else loaded
