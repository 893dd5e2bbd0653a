"""What relations between amounts share: which fields are amounts, what may stand between them, and rounding."""

from __future__ import annotations

from decimal import Decimal

from paxman.types import FieldType

ROUNDING = Decimal("0.02")
"""A cent for each part of a sum; a total in whole five cents is no further off."""
BETWEEN = frozenset(
    ("charges", "shipping_cost", "service_charge", "tip", "discount", "deposit", "rounding", "commission", "late_fee")
)
"""What may stand between net and total besides the tax."""
KINDS = {
    FieldType.DECIMAL: "number",
    FieldType.INTEGER: "number",
    FieldType.MONEY: "money",
    FieldType.DATE: "date",
}
