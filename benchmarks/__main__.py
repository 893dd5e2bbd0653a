"""Measure everything and print one table."""

from __future__ import annotations

import sys
from itertools import chain

from benchmarks import batch, fields, inference, long_documents, normalizing, planning, profiling, reading, startup
from benchmarks.measure import show

_MODULES = (startup, reading, profiling, planning, normalizing, fields, long_documents, inference, batch)

sys.exit(show(chain.from_iterable(module.measures() for module in _MODULES)))
