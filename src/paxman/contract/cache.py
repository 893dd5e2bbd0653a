"""Contracts that were adapted before, so that a contract costs once and not per document."""

from __future__ import annotations

import marshal
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Any

from paxman.contract.model import CanonicalContract

_SIZE = 256


class ContractCache:
    """The last few hundred contracts: data by content, Pydantic models by themselves."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._recent: OrderedDict[Hashable, CanonicalContract] = OrderedDict()

    def get(self, key: Hashable) -> CanonicalContract | None:
        with self._lock:
            found = self._recent.get(key)
            if found is not None:
                self._recent.move_to_end(key)
            return found

    def put(self, key: Hashable, contract: CanonicalContract) -> CanonicalContract:
        with self._lock:
            self._recent[key] = contract
            if len(self._recent) > _SIZE:
                self._recent.popitem(last=False)
        return contract

    def for_key(self, key: Hashable, adapt: Callable[[], CanonicalContract]) -> CanonicalContract:
        return self.get(key) or self.put(key, adapt())

    def for_mapping(self, raw: Any, extra: Hashable, adapt: Callable[[], CanonicalContract]) -> CanonicalContract:
        """By content, so that an edited dict is adapted anew.

        The newest marshal format is twice as fast but its bytes depend on who else holds the strings; the older
        one decides.
        """
        quick = (_dump(raw, marshal.version), extra)
        found = self.get(quick)
        if found is None:
            sure = (_dump(raw, 2), extra)
            found = adapt() if sure[0] is None else self.for_key(sure, adapt)
            if quick[0] is not None:
                self.put(quick, found)
        return found


def _dump(raw: Any, version: int) -> bytes | None:
    """Bytes that stand for the content; None if it holds what cannot be written down."""
    try:
        return marshal.dumps(raw, version)
    except ValueError:
        return _pickle(raw) if isinstance(raw, Mapping) else None


def _pickle(raw: Any) -> bytes | None:
    import pickle

    try:
        return pickle.dumps(raw)
    except Exception:
        return None
