"""Values where a row and a column meet, in texts and in tables of a format."""

from __future__ import annotations

import pytest

import paxman

TEXT = """\
            This period  Year to date
Tax              200.00      2,400.00
Total            950.00     11,400.00
"""
MARKDOWN = """\
# Benefits

| Service | Billed | Paid |
|---|---|---|
| Visit | 240.00 | 120.00 |
| **Total** | **420.00** | **216.00** |
"""


@pytest.mark.parametrize(
    ("page", "field", "value"),
    [
        (TEXT, "tax_this_period", "200.00"),
        (TEXT, "tax_year_to_date", "2400.00"),
        (MARKDOWN, "total_billed", "420.00"),
        (MARKDOWN, "total_paid", "216.00"),
        (MARKDOWN, "total_denied", None),
    ],
)
def test_a_row_and_a_column_name_a_value_together(page: str, field: str, value: str | None) -> None:
    fields = [{"name": field, "type": "DECIMAL", "required": False}]
    result = paxman.normalize(page, {"id": "c", "version": "1", "fields": fields})[field]
    assert (None if result.value is None else str(result.value)) == value
