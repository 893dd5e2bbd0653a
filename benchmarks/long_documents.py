"""Long documents and the shapes that were slow once; targets are seconds, and seconds per 200 KB.

`python -m benchmarks.long_documents`
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from typing import Any

import paxman
from benchmarks.measure import Measure, best, best_of_each, show
from benchmarks.samples import items_contract

_WORDS = (
    "the supplier shall deliver goods to customer under this agreement within days after notice and each party "
    "agrees that payment of any invoice is due unless otherwise stated in writing by an authorised representative "
    "who may terminate or renew services subject to terms set out below including fees taxes and insurance"
).split()
_NUMBERED = {"agreement_number": "AG-2025-118", "purchase_order_number": "PO-88213", "project_code": "HL-77"}
_DATED = ("effective_date", "expiration_date", "signature_date", "delivery_date", "renewal_date", "audit_date")
_PRICED = ("contract_value", "monthly_fee", "setup_fee", "late_fee", "deposit", "liability_cap", "insurance_sum")
_NAMED = (
    "supplier_name supplier_address customer_name customer_address governing_law place_of_jurisdiction "
    "account_manager payment_method currency incoterm warranty_period notice_period term carrier"
).split()
KILOBYTES = 200


def measures() -> Iterator[Measure]:
    contract, pages = thirty_fields(), agreement(150)
    artifact = paxman.normalize(pages, contract)
    assert artifact["agreement_number"].value == "AG-2025-118", artifact["agreement_number"]
    yield Measure("150-page PDF, 30 fields", best(lambda: paxman.normalize(pages, contract), rounds=3), 3, "s")
    data = xml(10_000_000)
    yield Measure("10 MB of XML", best(lambda: paxman.normalize(data, order_contract()), rounds=1), 10, "s")
    for name, build in SHAPES.items():
        text = build(KILOBYTES * 1000)
        yield Measure(f"{name}, {KILOBYTES} KB", best(_run(text), rounds=3), 1, "s")
    small, large = best_of_each([_derive(count) for count in (400, 800)], rounds=5)
    yield Measure("800 chained derivations", large, 1, "s")
    yield Measure("800 chained derivations, over 400", large / small, 2.5, "x")


def _run(text: str) -> Callable[[], Any]:
    return lambda: paxman.normalize(text, items_contract())


def _derive(count: int) -> Callable[[], Any]:
    contract = chain(count)
    assert paxman.normalize("Start: 5", contract)[f"step_{count}"].value == 5 + count
    return lambda: paxman.normalize("Start: 5", contract)


def thirty_fields() -> dict[str, Any]:
    """What one would ask of a long agreement."""
    named = [(name, "STRING") for name in (*_NUMBERED, *_NAMED)]
    kinds = [*named, *((name, "DATE") for name in _DATED), *((name, "MONEY") for name in _PRICED)]
    fields = [{"name": name, "type": kind, "required": False} for name, kind in kinds]
    assert len(fields) == 30
    return {"id": "agreement", "version": "1", "fields": fields}


def agreement(pages: int) -> bytes:
    """A PDF as a report generator writes it: a form in front, numbered clauses, a price table now and then."""
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

    styles, rng, target = getSampleStyleSheet(), random.Random(7), io.BytesIO()
    front = [*_NUMBERED.items(), ("effective_date", "3 March 2025"), ("monthly_fee", "USD 1,240.00")]
    story = [Paragraph("MASTER SERVICES AGREEMENT", styles["Title"])]
    story += [Paragraph(f"{name.replace('_', ' ').capitalize()}: {value}", styles["Normal"]) for name, value in front]
    for number in range(1, pages * 4):
        story.append(Paragraph(f"{number}. {' '.join(rng.choices(_WORDS, k=3)).capitalize()}", styles["Heading2"]))
        story += [Paragraph(_sentences(rng), styles["Normal"]) for _ in range(2)]
        if number % 12 == 0:
            story.append(Table([["Item", "Quantity", "Price"], *([f"Part {n}", n, f"{n}.50"] for n in range(1, 9))]))
    document = SimpleDocTemplate(target, invariant=1)
    document.build(story)
    assert abs(document.page - pages) < pages / 4, document.page
    return target.getvalue()


def _sentences(rng: random.Random) -> str:
    return " ".join(
        f"{' '.join(rng.choices(_WORDS, k=18)).capitalize()} by {rng.randint(1, 28)} May 2025 or "
        f"${rng.randint(1, 999)},000.00."
        for _ in range(3)
    )


def order_contract() -> dict[str, Any]:
    fields = [{"name": "order_number", "type": "STRING", "required": True}, *items_contract()["fields"]]
    return {"id": "order", "version": "1", "fields": fields}


def xml(size: int) -> bytes:
    """An order of very many lines."""
    line = (
        "<Line id='{0}'><Article>A-{0:06}</Article><Description>Bolt of steel M{0}</Description><Unit>pcs</Unit>"
        "<Quantity>{0}</Quantity><OrderedOn>2025-03-04</OrderedOn><Amount>{0}.50</Amount></Line>\n"
    )
    lines = "".join(line.format(number) for number in range(size // len(line.format(50_000))))
    return f"<?xml version='1.0'?><Order><OrderNumber>PO-77</OrderNumber>{lines}</Order>".encode()


def _repeat(size: int, block: str) -> str:
    return "".join(block.format(number) for number in range(size // len(block) + 1))[:size]


def rows_under_headings(size: int) -> str:
    head = f"{'Description':30}{'Quantity':>10}{'Amount':>12}\n"
    return head + _repeat(size, "Bolt of steel {0:<16}{0:>10}{0:>9}.50\n")


def repeated_headings(size: int) -> str:
    return _repeat(
        size, f"{'Description':30}{'Quantity':>10}{'Amount':>12}\n" + 6 * "Bolt {0:<25}{0:>10}{0:>9}.50\n" + "\n"
    )


def tiny_tables(size: int) -> str:
    rows = "".join(f"{name} {{0:<12}}        2    {{0}}.50\n" for name in ("Bolt", "Disk", "Hook"))
    return _repeat(size, f"Description      Quantity   Amount\n{rows}\nSome words that stand between two tables.\n\n")


def long_csv(size: int) -> str:
    head = "Article,Description,Ordered on,Quantity,Unit,Price,Amount\n"
    return head + _repeat(size, "A-{0:06},Bolt of steel M{0},2025-03-04,{0},pcs,1.50,{0}.50\n")


def headed_sections(size: int) -> str:
    return _repeat(size, "Section {0}\n\nDescription: Bolt {0}\nQuantity: {0}\nAmount: {0}.50\n\n")


SHAPES = {
    "text rows under headings": rows_under_headings,
    "repeated headings": repeated_headings,
    "many tiny tables": tiny_tables,
    "labels under many headings": headed_sections,
    "long CSV": long_csv,
}


def chain(count: int) -> dict[str, Any]:
    """Fields that each follow from the one before."""
    first = {"name": "step_0", "type": "INTEGER", "required": True, "labels": ["Start"]}
    rest = [
        {"name": f"step_{n}", "type": "INTEGER", "required": True, "derive": f"step_{n - 1} + 1"}
        for n in range(1, count + 1)
    ]
    return {"id": "chain", "version": "1", "fields": [first, *rest]}


if __name__ == "__main__":
    raise SystemExit(show(measures()))
