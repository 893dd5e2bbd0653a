"""Documents and contracts to measure with; the same ones on every run."""

from __future__ import annotations

import random
from typing import Any

_ASCII = (
    "the invoice of last month was paid in full by bank transfer and no further amount is due until delivery "
    "please quote our reference in all letters terms net 30 days goods remain property of seller until paid"
)
_EUROPEAN = (
    "die Rechnung vom letzten Monat ist noch nicht bezahlt bitte überweisen Sie 12,50 € bis Ende März an Müller "
    "le montant dû sera réglé par virement à la fin du mois veuillez indiquer la référence de la facture "
    "o valor total da encomenda não inclui o transporte las condiciones de pago son treinta días sumę należy wpłacić"
)
_MANY_SCRIPTS = (
    "Die Rechnung über die Lieferung für Müller & Söhne ist bis März fällig Straße Zürich 12,50 € bitte zahlen Sie "
    "auf unser Konto le montant dû à la société générale est réglé par virement 請求書 の 金額 на сумму рублей"
)

INVOICE = """Acme Tools Ltd
12 Harbour Road, Bristol BS1 4QA

INVOICE

Invoice number: INV-20417
Invoice date: 2025-03-04
Due date: 2025-04-03
Customer: Northwind Traders GmbH
Purchase order: PO-88213

Item                      Qty     Price      Amount
Torque wrench 1/2"          2     89.00      178.00
Socket set, 24 pieces       1    124.50      124.50
Workshop lamp               4     31.25      125.00
Delivery, next working day  1     18.00       18.00

Net amount: 445.50 GBP
VAT 20%: 89.10 GBP
Total: 534.60 GBP

Please pay within 30 days to account 20415566, sort code 40-11-60, and quote the
invoice number with your payment. Goods remain the property of Acme Tools Ltd
until they have been paid for in full. Questions about this invoice are answered
by our accounts department on weekdays between 9 and 17 o'clock.
"""

_FIELDS = (
    ("invoice_number", "STRING", "Invoice number"),
    ("issued", "DATE", "Invoice date"),
    ("due", "DATE", "Due date"),
    ("customer", "STRING", "Customer"),
    ("purchase_order", "STRING", "Purchase order"),
    ("net", "MONEY", "Net amount"),
    ("tax", "MONEY", "VAT 20%"),
    ("total", "MONEY", "Total"),
)


def prose(words: list[str], size: int) -> bytes:
    """Text of this many bytes in lines of a dozen words, which no branch predictor can learn."""
    rng = random.Random(7)
    lines = (" ".join(rng.choices(words, k=12)) for _ in range(size // 40 + 1))
    return "\n".join(lines).encode()[:size].decode("utf-8", "ignore").encode()


def ascii_prose(size: int) -> bytes:
    return prose(_ASCII.split(), size)


def european_prose(size: int) -> bytes:
    return prose(_EUROPEAN.split(), size)


def many_scripts_prose(size: int) -> bytes:
    return prose(_MANY_SCRIPTS.split(), size)


def invoice_contract() -> dict[str, Any]:
    fields = [{"name": n, "type": t, "required": True, "labels": [label]} for n, t, label in _FIELDS]
    return {"id": "invoice", "version": "1", "fields": fields}


def field_contract(count: int) -> dict[str, Any]:
    """Fields of mixed types, without anything special."""
    types = ("STRING", "DATE", "MONEY", "INTEGER", "DECIMAL")
    fields = [{"name": f"field_{n}", "type": types[n % 5], "required": True} for n in range(count)]
    return {"id": f"wide_{count}", "version": "1", "fields": fields}


def form_contract(count: int) -> dict[str, Any]:
    """The first fields of `form_text`."""
    types = ("STRING", "DATE", "MONEY", "INTEGER", "DECIMAL")
    fields = [
        {"name": f"entry_{n}", "type": types[n % 5], "required": True, "labels": [_entry(n)]} for n in range(count)
    ]
    return {"id": f"form_{count}", "version": "1", "fields": fields}


def form_text(count: int) -> str:
    """A form with a label and a value on each line."""
    values = ("Bolts of steel", "2025-03-{}", "{}.50 EUR", "{}", "{}.25")
    return "\n".join(f"{_entry(n)}: {values[n % 5].format(10 + n % 20)}" for n in range(count))


def party_contract(count: int) -> dict[str, Any]:
    """Fields of two parties."""
    parties = ("seller", "buyer")
    fields = [
        {"name": f"{parties[n % 2]}_{_entry(n).replace(' ', '_').lower()}", "type": "STRING", "required": False}
        for n in range(count)
    ]
    return {"id": f"parties_{count}", "version": "1", "fields": fields}


def small_tables(count: int) -> str:
    """A web page of tables with two rows of two cells each, and an array to look for in them."""
    row = "<tr><td>Bolt {0}</td><td>1.50</td></tr><tr><td>Nut {0}</td><td>2.50</td></tr>"
    tables = "".join(f"<p>Words in between.</p><table>{row.format(n)}</table>" for n in range(count))
    return f"<html><body>{tables}</body></html>"


def items_contract() -> dict[str, Any]:
    """An array of items alone."""
    kinds = {"description": "STRING", "quantity": "DECIMAL", "amount": "DECIMAL"}
    columns = [{"name": name, "type": kind, "required": True} for name, kind in kinds.items()]
    items = {"name": "line_items", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    return {"id": "items", "version": "1", "fields": [items]}


def _entry(number: int) -> str:
    return f"Entry {chr(97 + number // 26)}{chr(97 + number % 26)}"


def pattern_contract(count: int = 20) -> dict[str, Any]:
    """Fields that are found by their pattern."""
    fields = [
        {
            "name": f"code_{n}",
            "type": "STRING",
            "required": True,
            "constraints": [{"kind": "pattern", "params": {"regex": rf"^K{n:02}-\d{{4}}$"}}],
        }
        for n in range(count)
    ]
    return {"id": "patterns", "version": "1", "fields": fields}


def pattern_text(size: int, count: int = 20) -> str:
    """Prose with one code for each field of `pattern_contract`, spread over the text."""
    lines = ascii_prose(size).decode().split("\n")
    for n in range(count):
        lines[(n + 1) * len(lines) // (count + 1)] += f" K{n:02}-{1000 + n}"
    return "\n".join(lines)
