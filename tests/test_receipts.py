"""Receipts: what was to be paid, in several languages, beside what was given, added and rounded."""

from __future__ import annotations

from decimal import Decimal

import pytest

import paxman
from paxman.types import ConfidenceBand

TOTAL = {"name": "total", "type": "DECIMAL", "required": False, "labels": ["Total", "Amount"]}


def total_of(text: str) -> tuple[Decimal | None, ConfidenceBand]:
    artifact = paxman.normalize(text, {"id": "receipt", "version": "1", "fields": [TOTAL]})
    return artifact["total"].value, artifact["total"].confidence_band


HIGH, OPEN = ConfidenceBand.HIGH, (None, ConfidenceBand.UNTRUSTED)


@pytest.mark.parametrize(
    ("total", "given", "change"),
    [
        ("TOTALAPAGAR", "EFECTIVORECIBIDO", "DEVUELTO"),
        ("SUMMEEUR", "BARGEGEBEN", "RÜCKGELD"),
        ("TOTALÀPAYER", "MONTANTREÇU", "RENDUMONNAIE"),
        ("TOTALEEURO", "CONTANTIRICEVUTI", "RESTOCONTANTI"),
        ("VALORTOTALAPAGAR", "VALORENTREGUE", "TROCO"),
        ("TOTAALTEBETALEN", "CONTANTONTVANGEN", "TERUGGAVE"),
        ("RAZEMDOZAPŁATY", "WPŁACONO", "WYDANO"),
        ("TOTALTAGIHAN", "UANGDITERIMA", "UANGKEMBALI"),
    ],
)
def test_what_was_given_is_no_total_in_any_language(total: str, given: str, change: str) -> None:
    assert total_of(f"CORNER\n{total}  17.40\n{given}  50.00\n{change}  32.60\n") == (Decimal("17.40"), HIGH)


def test_a_tip_makes_another_amount_the_total() -> None:
    slip = "MOSCA\nAMOUNT  $83.51\nTIP  $14.20\nTOTALAPAGAR  $97.71\nAPPROVED\n"
    assert total_of(slip) == (Decimal("97.71"), HIGH)
    assert total_of("CAFE\nTotal 22.00\nTip 4.00\nGrand total 26.00\n") == (Decimal("26.00"), HIGH)
    assert total_of("CAFE\nSubtotal 20.00\nTax 2.00\nTotal 22.00\nSuggested tip 15% 3.30\n") == (Decimal("22.00"), HIGH)


def test_advice_on_tips_makes_no_total_sure() -> None:
    slip = "CAFE\nTotal 22.00\nTip guide\n15% 3.30 total 25.30\n20% 4.40 total 26.40\n"
    assert total_of(slip)[1] == ConfidenceBand.MEDIUM


@pytest.mark.parametrize(("tip", "total"), [("TIP", "TOTAL"), ("TRINKGELD", "SUMME"), ("NAPIWEK", "DO ZAPŁATY")])
def test_a_slip_that_waits_for_a_tip_has_no_total_yet(tip: str, total: str) -> None:
    assert total_of(f"CAFE\nAMOUNT  23.24\n{tip}:\n{total}:\nThank you\n") == OPEN


def test_cash_below_a_label_is_not_what_the_label_says() -> None:
    slip = "KEDAI\nZWISCHENSUMME  70.50\n78.50\nGESAMTSUMME\nBAR  100.00\n21.50\nRÜCKGELD\n"
    assert total_of(slip) == OPEN


def test_a_figure_after_rounding_is_the_total_though_nothing_names_it() -> None:
    slip = "KEDAI\nGESAMTSUMME  3.99\nRUNDUNG  0.01\n4.00\n"
    assert total_of(slip) == (Decimal("4.00"), ConfidenceBand.MEDIUM)
    assert total_of("KEDAI\nTOTAL  1.38\nROUNDING  0.02\nCASH  1.40\n") == (Decimal("1.38"), HIGH)


@pytest.mark.parametrize("label", ["Total (inclusive VAT)", "Total due incl. VAT", "Total payable incl. VAT"])
def test_a_total_that_includes_tax_is_no_tax(label: str) -> None:
    assert total_of(f"MILL LTD\nNet 100.00\nVAT 19.00\n{label} 119.00\n") == (Decimal("119.00"), HIGH)


COMPANY = {"name": "company", "type": "STRING", "required": False, "tags": ["organization"]}
STORE = {**COMPANY, "name": "store_name"}
BELOW = "12 MILL LANE\nLEEDS LS1 4AB\nTEL 0113 496 0000\nTOTAL 12.00\nCASH 12.00\n"


def name_of(head: str, field: dict[str, object] = COMPANY) -> str | None:
    name: str | None = paxman.normalize(f"{head}\n{BELOW}", {"id": "receipt", "version": "1", "fields": [field]})[
        str(field["name"])
    ].value
    return name


@pytest.mark.parametrize("field", [COMPANY, STORE])
@pytest.mark.parametrize(
    "head",
    [
        "BINTANG TIMUR\nTRADING SDN BHD",
        "BINTANG\nTRADING SDN BHD",
        "BINTANG TIMUR\nGENERAL TRADING SDN BHD",
        "ELM TREE HARDWARE\n& TRADING LTD",
        "THE CORNER BEAN\n& TEA LEAF",
    ],
)
def test_a_name_goes_on_in_a_line_that_is_no_name_itself(head: str, field: dict[str, object]) -> None:
    assert name_of(head, field) == head.replace("\n", " ")


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("BINTANG TIMUR RESTAURANTS\nSDN BHD (65351-M)", "BINTANG TIMUR RESTAURANTS SDN BHD"),
        ("LUCKY STAR\nABC HOLDINGS SDN BHD", "ABC HOLDINGS SDN BHD"),
        ("BINTANG TIMUR\nSINCE 1987", "BINTANG TIMUR"),
        ("BINTANG TIMUR\nYOUR FRIENDLY SHOP", "BINTANG TIMUR"),
    ],
)
def test_what_stands_below_a_name_is_joined_only_if_it_ends_it(head: str, name: str) -> None:
    assert name_of(head) == name


@pytest.mark.parametrize(
    "line",
    ["WELCOME TO OUR SHOP", "BUY 2 GET 1 FREE", "FREE DELIVERY FROM 50", "NOW HIRING", "EVERYDAY LOW PRICES"],
)
def test_an_advert_on_top_is_no_name(line: str) -> None:
    assert name_of(f"{line}\nBINTANG TIMUR") == name_of(f"{line.replace(' ', '')}\nBINTANG TIMUR") == "BINTANG TIMUR"


@pytest.mark.parametrize("name", ["Save Mart", "Free People", "Buy Rite Liquors", "Super Sales Ltd", "Low Price Store"])
def test_a_name_may_have_words_of_adverts(name: str) -> None:
    assert name_of(name) == name


@pytest.mark.parametrize(
    ("text", "label", "value"),
    [
        ("Zahlungsart   Kreditkarte\nDatum   1.2.2024\n", "Zahlungsart", "Kreditkarte"),
        ("Metodo   Pagamento elettronico\nData   1/2/2024\n", "Metodo", "Pagamento elettronico"),
        ("Guest   Paid\nAnn   10.00\n", "Guest", "Ann"),
        ("Guest   Cash   Change\nAnn   10.00   5.00\n", "Guest", "Ann"),
    ],
)
def test_a_way_to_pay_beside_a_label_is_its_value_unless_it_heads_a_column(text: str, label: str, value: str) -> None:
    field = {"name": "my_field", "type": "STRING", "required": False, "labels": [label]}
    assert paxman.normalize(text, {"id": "form", "version": "1", "fields": [field]})["my_field"].value == value


TICKETS = """Billett    Pris
Enkelt     40,00
Retur      75,00
Måned      600,00
Barn       20,00
"""


def test_a_row_named_like_a_payment_ends_no_table() -> None:
    columns = [
        {"name": name, "type": kind, "required": True} for name, kind in (("billett", "STRING"), ("pris", "DECIMAL"))
    ]
    field = {"name": "tickets", "type": "ARRAY", "required": False, "items": {"fields": columns}}
    rows = paxman.normalize(TICKETS, {"id": "p", "version": "1", "fields": [field]})["tickets"].value
    assert [row["billett"] for row in rows] == ["Enkelt", "Retur", "Måned", "Barn"]


@pytest.mark.parametrize(
    ("lines", "total"),
    [
        ("Order total 1000.00\nFee 30.00\nTotal payout 970.00\nTotal 970.00", "970.00"),
        ("Gross amount 1000.00\nAgency commission 150.00\nTotal 850.00", "850.00"),
        ("Order total 100.00\nFee 10.00\nTotal refund 90.00\nTotal 90.00", "90.00"),
    ],
)
def test_a_fee_that_is_taken_off_is_not_added(lines: str, total: str) -> None:
    field = {"name": "total", "type": "DECIMAL", "required": False}
    result = paxman.normalize(f"Alder Ltd\n{lines}\n", {"id": "p", "version": "1", "fields": [field]})["total"]
    assert str(result.value) == total


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Date   Details   Debit   Credit\n\nTotal debits: 0.00\n", "details", None),
        ("Member   Paid   Balance\nTotal   10.00   0.00\n", "member", None),
        ("Method   Credit card\nTotal  5.00\n", "method", "Credit card"),
        ("Zahlungsart\nBarzahlung\n", "zahlungsart", "Barzahlung"),
        ("Status\nOntvangen\n", "status", "Ontvangen"),
    ],
)
def test_a_word_for_a_payment_is_a_value_where_no_amount_is(text: str, name: str, value: str | None) -> None:
    field = {"name": name, "type": "STRING", "required": False}
    assert paxman.normalize(text, {"id": "p", "version": "1", "fields": [field]})[name].value == value
