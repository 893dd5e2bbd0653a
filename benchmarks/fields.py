"""What fields cost: a contract of thirty of them beside one of three, on the same page, and a page ten times as long.

python -m benchmarks.fields
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import paxman
from benchmarks.measure import Measure, best_of_each, show
from benchmarks.samples import INVOICE

_TYPES = {
    "STRING": (
        "invoice_number customer_number order_number delivery_note seller_name seller_address seller_vat_id"
        " seller_email seller_phone buyer_name buyer_address buyer_vat_id payment_terms payment_reference iban bic"
        " bank_name currency contact_person project_number"
    ),
    "DATE": "invoice_date due_date delivery_date service_start service_end",
    "DECIMAL": "total_amount net_amount tax_amount tax_rate shipping_cost",
}
_FIRST = ("invoice_number", "invoice_date", "total_amount")
_PAGES = 3


def contract(most: int) -> dict[str, Any]:
    """A contract for an invoice: number, date and total first, then what else one may ask for."""
    types = {name: kind for kind, names in _TYPES.items() for name in names.split()}
    names = [*_FIRST, *(name for name in types if name not in _FIRST)][:most]
    fields = [{"name": name, "type": types[name], "required": False} for name in names]
    return {"id": f"invoice_{most}", "version": "1", "fields": fields}


def measures() -> Iterator[Measure]:
    text = INVOICE * _PAGES
    few, many = best_of_each([_run(text, contract(3)), _run(text, contract(30))], rounds=15)
    yield Measure("normalize, 30 fields over 3", many / few, 3, "x")
    short, long = best_of_each([_run(text, contract(30)), _run(text * 10, contract(30))], rounds=5)
    yield Measure("normalize, 30 fields, 10 times the text", long / short, 12, "x")


def _run(text: str, asked: dict[str, Any]) -> Callable[[], Any]:
    return partial(paxman.normalize, text, asked)


if __name__ == "__main__":
    sys.exit(show(measures()))
