"""Rows of tables into arrays of objects, and lists below a label into arrays of values."""

from __future__ import annotations

import attrs

from paxman.capabilities import specs
from paxman.capabilities.base import (
    NOTHING,
    Candidate,
    CapabilityContext,
    CapabilityResult,
)
from paxman.capabilities.grid_tables import note_unnamed, read_slipped, read_tables
from paxman.capabilities.lists import read_list
from paxman.capabilities.row_reading import Reading
from paxman.capabilities.table_headings import Vocabulary, vocabulary_of
from paxman.capabilities.table_reading import read_layout
from paxman.capabilities.two_sides import lost_amounts
from paxman.documents.visual_lines import VisualLines


class TableExtraction:
    """Finds the rows of an array by the headings of a table, or its elements below a label."""

    spec = specs.TABLE_EXTRACTION

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        if not context.field.columns:
            return _result(context, read_list(context, context.document.rows_of_text))
        vocabulary = vocabulary_of(context.field.columns)
        reading = read_tables(context, vocabulary)
        if reading is None:
            page = context.document.rows_of_text
            reading = read_layout(context, page, vocabulary)
            if reading is None or not reading.record.rows:
                reading = read_slipped(context, vocabulary) or reading
            reading = reading or _read_summed(context, page, vocabulary)
        if reading is None or not reading.record.rows:
            reading = note_unnamed(context, vocabulary) or reading
        return _result(context, reading)


def _read_summed(context: CapabilityContext, page: VisualLines, vocabulary: Vocabulary) -> Reading | None:
    from paxman.capabilities.summed_lines import read_summed

    return read_summed(context, page, vocabulary)


def _result(context: CapabilityContext, reading: Reading | None) -> CapabilityResult:
    """One candidate; where texts may be of other rows or the arithmetic does not hold, the evidence is only context."""
    if reading is None:
        return NOTHING
    record = reading.record
    notes = (*record.notes(context.field.path), *lost_amounts(context, record.rows))
    if not record.rows:
        return CapabilityResult(diagnostics=notes)
    refs = tuple(record.refs)
    if reading.unclear or reading.differ > reading.agree:
        refs = tuple(attrs.evolve(ref, basis="place") for ref in refs)
    return CapabilityResult((Candidate(tuple(record.rows), refs),), diagnostics=notes)
