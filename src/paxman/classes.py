"""Classes of which many instances are made in every run."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from attrs import frozen as record
else:
    # The type checker alone keeps these from being changed: guarding them at run time makes each four times as slow.
    record = partial(attrs.define, unsafe_hash=True)

__all__ = ["record"]
