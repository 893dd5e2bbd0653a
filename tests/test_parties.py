"""Names and addresses of the parties of a paper: letterheads, blocks below headings, orders; whole outcomes."""

from __future__ import annotations

import pytest

import paxman

FIELDS = ("seller_name", "buyer_name", "seller_address", "buyer_address")
NONE = (None, "UNTRUSTED")
Found = tuple[str | None, str]


def parties(text: str) -> dict[str, Found]:
    """What is found of each party that has anything, with how sure it is."""
    fields = [
        {"name": name, "type": "STRING", "required": False, "tags": ["postal_address"] * name.endswith("address")}
        for name in FIELDS
    ]
    artifact = paxman.normalize(text, {"id": "invoice", "version": "1", "fields": fields})
    found = {name: (artifact[name].value, artifact[name].confidence_band.value) for name in FIELDS}
    return {name: each for name, each in found.items() if each != NONE}


LEEDS = "12 High Street\nLeeds LS1 4AB\n"
AT_LEEDS = "12 High Street Leeds LS1 4AB"
BERLIN = "Hauptstr. 5\n10115 Berlin\n"
AT_BERLIN = "Hauptstr. 5 10115 Berlin"
YORK = "4 Mill Road\nYork YO1 7HH\n"
END = "\nInvoice no: 17\nDate: 4 May 2024\nTotal: 12.00\n"
ORDER = "\nPURCHASE ORDER\nOrder no: 17\nDate: 4 May 2024\nTotal: 12.00\n"


@pytest.mark.parametrize(
    ("text", "name", "address"),
    [
        (f"Acme Tools Ltd\n{LEEDS}{END}", ("Acme Tools Ltd", "HIGH"), (AT_LEEDS, "HIGH")),
        (f"(Acme Tools Ltd)\n{LEEDS}{END}", ("Acme Tools Ltd", "MEDIUM"), (AT_LEEDS, "HIGH")),
        (f"Acme (Tools Ltd)\n{LEEDS}{END}", ("Acme (Tools Ltd)", "MEDIUM"), (AT_LEEDS, "HIGH")),
        (f"Golden Bakery\n{LEEDS}Tel: 0113 496 0000\n{END}", ("Golden Bakery", "MEDIUM"), (AT_LEEDS, "HIGH")),
        (f"Jane Roe\n{LEEDS}{END}", ("Jane Roe", "MEDIUM"), (AT_LEEDS, "HIGH")),
        (
            f"The Acme Inc\n1337 N San Marino\nSt\nStockton CA 95202\n{END}",
            ("The Acme Inc", "HIGH"),
            ("1337 N San Marino St Stockton CA 95202", "HIGH"),
        ),
        (f"Eiche Werkzeuge GmbH\n{BERLIN}\nRechnung\n", ("Eiche Werkzeuge GmbH", "HIGH"), (AT_BERLIN, "MEDIUM")),
        (
            f"Acme Tools, Inc.\n100 Main Street\nSuite 4\nSpringfield, IL 62701\nUSA\n{END}",
            ("Acme Tools, Inc.", "HIGH"),
            ("100 Main Street Suite 4 Springfield, IL 62701 USA", "HIGH"),
        ),
        (
            f"Oak Tools GmbH - Hauptstr. 5 - 10115 Berlin\n\nElm Foods Ltd\n{YORK}{END}",
            ("Oak Tools GmbH", "MEDIUM"),
            ("Hauptstr. 5 - 10115 Berlin", "MEDIUM"),
        ),
        (
            "Golden Bakery Sdn Bhd (123456-X)\n12 Jalan Besar\n50000 Kuala Lumpur\n\nBread 2.00\nTotal 2.00\n",
            ("Golden Bakery Sdn Bhd", "HIGH"),
            ("12 Jalan Besar 50000 Kuala Lumpur", "HIGH"),
        ),
        (f"Acme Tools Ltd\n{LEEDS}{ORDER}", ("Acme Tools Ltd", "MEDIUM"), (AT_LEEDS, "MEDIUM")),
    ],
    ids=[
        "company",
        "in brackets",
        "brackets at its end",
        "shop",
        "person",
        "a street on two lines",
        "german",
        "five lines",
        "one line",
        "company number",
        "an order",
    ],
)
def test_who_issued_a_page_stands_at_its_head(text: str, name: Found, address: Found) -> None:
    found = parties(text)
    assert (found["seller_name"], found["seller_address"]) == (name, address)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "INVOICE 17\n\nSeller                     Buyer\nOak Tools GmbH             Elm Foods Ltd\n"
            "Hauptstr. 5                4 Mill Road\n10115 Berlin               York YO1 7HH\n\nTotal 12.00\n",
            {
                "seller_name": ("Oak Tools GmbH", "HIGH"),
                "buyer_name": ("Elm Foods Ltd", "HIGH"),
                "seller_address": (AT_BERLIN, "MEDIUM"),
            },
        ),
        (
            f"Acme Tools Ltd\n{LEEDS}\nShip to                    Bill to\nOak Depot                  Elm Foods Ltd\n"
            "9 Dock Lane                4 Mill Road\nHull HU1 1AA               York YO1 7HH\n\nTotal 12.00\n",
            {
                "seller_name": ("Acme Tools Ltd", "HIGH"),
                "buyer_name": ("Elm Foods Ltd", "HIGH"),
                "seller_address": (AT_LEEDS, "HIGH"),
            },
        ),
        (
            f"# Invoice\n\n## Seller\n\nOak Tools GmbH\n{BERLIN}\n## Buyer\n\nElm Foods Ltd\n{YORK}",
            {
                "seller_name": ("Oak Tools GmbH", "HIGH"),
                "buyer_name": ("Elm Foods Ltd", "HIGH"),
                "seller_address": (AT_BERLIN, "MEDIUM"),
            },
        ),
        (
            "Seller: Oak Tools GmbH\nBuyer: Elm Foods Ltd\nTotal: 12.00\n",
            {"seller_name": ("Oak Tools GmbH", "HIGH"), "buyer_name": ("Elm Foods Ltd", "HIGH")},
        ),
        (f"INVOICE\n\nBill to:\nElm Foods Inc.\n{YORK}{END}", {"buyer_name": ("Elm Foods Inc.", "HIGH")}),
        (f"INVOICE\n\nBill to:\nAnn Foley\n{YORK}{END}", {"buyer_name": ("Ann Foley", "HIGH")}),
        (f"INVOICE\n\nBill to:\nHerrn\nMax Muster\n{BERLIN}{END}", {"buyer_name": ("Herrn Max Muster", "HIGH")}),
        ("INVOICE\n\nBuyer: Club for Growth (3622)\n", {"buyer_name": ("Club for Growth (3622)", "MEDIUM")}),
        (
            f"INVOICE\n\nSeller:\nInternational Tools and Hardware\nTrading GmbH\n{BERLIN}{END}",
            {
                "seller_name": ("International Tools and Hardware Trading GmbH", "HIGH"),
                "seller_address": (AT_BERLIN, "MEDIUM"),
            },
        ),
        (f"Remit to Oak Tools GmbH\n{END}", {"seller_name": ("Oak Tools GmbH", "HIGH")}),
    ],
    ids=["columns", "ship and bill", "markdown", "colons", "company", "person", "title", "number", "broken", "remit"],
)
def test_a_heading_says_whose_a_block_is(text: str, found: dict[str, Found]) -> None:
    assert parties(text) == found


@pytest.mark.parametrize(
    "text",
    ["Acme Tools Ltd\nwas mentioned in a talk.\n", f"Bill to:\n{END}", END],
    ids=["a note", "nothing below", "no names"],
)
def test_nobody_is_the_seller(text: str) -> None:
    assert parties(text) == {}


@pytest.mark.parametrize(
    ("text", "buyer"),
    [
        (f"Oak Tools GmbH\n{LEEDS}\nElm Foods\n{YORK}{END}", ("Elm Foods", "MEDIUM")),
        (f"Oak Tools GmbH - Hauptstr. 5 - 10115 Berlin\n\nElm Foods Ltd\n{YORK}{END}", ("Elm Foods Ltd", "MEDIUM")),
        (f"To: Elm Foods Ltd\n{YORK}{END}", ("Elm Foods Ltd", "HIGH")),
        (f"Oak Tools GmbH\n{LEEDS}\nElm Foods\n{YORK}\nBirch Foods\n{YORK}{END}", None),
        (f"Oak Tools GmbH\n{LEEDS}\nAccount holder: Elm Foods\n{END}", None),
        (f"Elm Foods Ltd\n{LEEDS}\nTo:\nOak Tools GmbH\n{YORK}{ORDER}", None),
    ],
    ids=["over an address", "below a sender", "addressed to", "two of them", "an account", "an order"],
)
def test_a_page_goes_to_the_name_over_an_address(text: str, buyer: Found | None) -> None:
    assert parties(text).get("buyer_name") == buyer
