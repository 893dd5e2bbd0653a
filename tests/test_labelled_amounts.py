"""Sums of a paper: net, tax, total and what is due, by their labels and by what they add up to."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

import paxman

SUMS = ("net_total", "tax_total", "grand_total", "amount_due")
CONTRACT = {
    "id": "sums",
    "version": "1",
    "fields": [{"name": name, "type": "DECIMAL", "required": False} for name in SUMS],
}


def sums(text: str) -> dict[str, tuple[str, str]]:
    artifact = paxman.normalize(f"Invoice 17\n{text}", CONTRACT)
    found = {name: artifact[name] for name in SUMS if artifact[name].value is not None}
    return {name: (str(result.value), result.confidence_band.value) for name, result in found.items()}


@pytest.mark.parametrize(
    ("text", "net"),
    [
        ("Subtotal      £200.00\nVAT 20%        £20.00\nVAT 5%         £5.00\nTotal         £225.00\n", "200.00"),
        ("Sub Total     1,000.00\nCGST @ 9%     90.00\nSGST @ 9%     90.00\nTotal     1,180.00\n", "1000.00"),
        ("Zwischentotal    100.01\nMWST 8.1%      8.10\nRundung       -0.01\nTotal CHF     108.10\n", "100.01"),
        ("Goods         £100.00\nVAT @ 20%      £20.00\nTotal         £120.00\n", "100.00"),
        ("小計    158,800\n消費税（10%）   15,880\n合計     ¥174,680\n", "158800"),
    ],
)
def test_several_taxes_and_a_rounding_make_a_subtotal_the_net_amount(text: str, net: str) -> None:
    assert sums(text)["net_total"][0] == net


def test_one_of_two_equal_taxes_is_not_the_tax() -> None:
    text = "Sub Total     1,000.00\nCGST @ 9%     90.00\nSGST @ 9%     90.00\nTotal     1,180.00\n"
    assert "tax_total" not in sums(text)


def test_charges_among_the_taxes_make_no_subtotal_the_net_amount() -> None:
    text = (
        "Subtotal    100.00\nVAT on freight    5.00\nNet    105.00\nVAT 20%    20.00\nVAT 5%    1.00\nTotal    126.00\n"
    )
    assert sums(text)["net_total"][0] == "105.00"


@pytest.mark.parametrize("step", ["Shipping    $10.00", "Discount    $-10.00"])
def test_a_subtotal_before_charges_or_discounts_is_not_the_net_amount(step: str) -> None:
    total = "110.00" if "Shipping" in step else "90.00"
    assert "net_total" not in sums(f"Subtotal    $100.00\n{step}\nTotal    ${total}\n")


def test_a_subtotal_that_nothing_is_added_to_stands_in_for_the_net_amount() -> None:
    assert sums("Subtotal    $100.00\nTotal    $100.00\n")["net_total"] == ("100.00", "MEDIUM")
    assert "net_total" not in sums("Subtotal    $100.00\nTotal    $100.00\nincl. 7% VAT    $6.54\n")


def test_what_is_due_stands_in_for_the_total() -> None:
    found = sums("Freight to Oslo    £100.00\nVAT @ 20%    £20.00\nTotal due    £120.00\n")
    assert found["grand_total"] == ("120.00", "MEDIUM")
    assert found["amount_due"] == ("120.00", "HIGH")


@pytest.mark.parametrize("line", ["Deposit received    -300.00", "Previous balance    300.00"])
def test_what_is_due_after_a_payment_or_with_an_old_balance_is_not_the_total(line: str) -> None:
    found = sums(f"Work    1,200.00\n{line}\nAmount due    900.00\n")
    assert found == {"amount_due": ("900.00", "HIGH")}


def test_sums_may_stand_in_a_strip_below_their_labels() -> None:
    strip = (
        "SUBTOTAL              SALES TAX             FREIGHT                     PAY THIS AMOUNT\n"
        "    13,505.86              945.41               0.00                    $14,451.27\n"
        "REMIT TO: Old Mill Hardware Corp., P.O. BOX 4410, Portland, OR 97205\n"
    )
    assert {name: value for name, (value, _) in sums(strip).items()} == {
        "net_total": "13505.86",
        "tax_total": "945.41",
        "grand_total": "14451.27",
        "amount_due": "14451.27",
    }


def test_rows_of_rates_are_no_strip_of_sums() -> None:
    table = (
        "Rate     Net      VAT     Gross\n20%      100.00   20.00   120.00\n5%        50.00    2.50    52.50\n\n"
        "Amount due    172.50\n"
    )
    assert sums(table) == {"grand_total": ("172.50", "MEDIUM"), "amount_due": ("172.50", "HIGH")}


def test_a_heading_that_goes_on_in_the_next_line_is_no_row_of_totals() -> None:
    table = (
        "Item          Quantity    Price     Net amount    VAT %    VAT amount    Wartość\n"
        "                                                                         brutto\n"
        "Paper             6.25    161.61      1,010.06       23        232.31    1,242.37\n"
        "Assembly         10.25    192.09      1,968.92        8        157.51    2,126.43\n"
        "Total                                 2,978.98                 389.82    3,368.80\n"
    )
    found = {name: value for name, (value, _) in sums(f"{table}\nAmount due: 3,368.80\n").items()}
    expected = {"net_total": "2978.98", "tax_total": "389.82", "grand_total": "3368.80", "amount_due": "3368.80"}
    assert found == expected


def test_a_count_of_pieces_is_no_amount_in_a_currency_without_cents() -> None:
    assert sums("小計 3    10,000\n消費税    1,000\n合計 3    ¥11,000\n")["amount_due"][0] == "11000"


def test_a_row_for_the_only_rate_is_a_strip_of_sums() -> None:
    receipt = "Totaal EUR   7,00\nBTW     Grondslag     Bedrag\n9%           6,42       0,58\n"
    assert sums(receipt)["net_total"] == ("6.42", "HIGH")


def test_an_amount_below_the_label_before_its_own_is_left_open() -> None:
    row = "VAT rate   Net amount   VAT   Amount\n20%   100.00   20.00   120.00\n"
    assert "net_total" not in sums(f"{row}Total due 120.00\n")


@pytest.mark.parametrize("due", ["Restbetrag    55,00", "Amount due    0.00", "Amount due    5.00\nAmount due    9.00"])
def test_a_rest_nothing_and_one_of_two_amounts_do_not_stand_in_for_the_total(due: str) -> None:
    assert "grand_total" not in sums(f"{due}\n")


@pytest.mark.parametrize(
    "strip",
    [
        "Spots   Gross Amount   Net Amount\n12      $3,940.00      $3,349.00\n",
        "Qty     Net amount     Gross amount\n12      3,349.00       3,940.00\n",
    ],
)
def test_sums_beside_a_count_are_read_below_their_headings(strip: str) -> None:
    found = sums(strip)
    assert (found["net_total"], found["grand_total"]) == (("3349.00", "HIGH"), ("3940.00", "HIGH"))
    assert sums(strip + strip.splitlines()[1].replace("3,", "4,") + "\n") == {}


def test_equal_taxes_are_all_added_to_a_total_below_which_they_stand() -> None:
    text = "TOTAL 100.00\nSTATE TAX 16.50\nCITY TAX 16.50\nTOTAL DUE 133.00\n"
    total = {"id": "p", "version": "1", "fields": [{"name": "total", "type": "DECIMAL", "required": True}]}
    assert paxman.normalize(text, total)["total"].value == Decimal("133.00")


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("Amount    VAT    Total\n50.00   10.00    60.00\n75.00   15.00    90.00\nGrand total 150.00\n", "150.00"),
        ("Qty   Net     VAT    Gross\n2     20.00   3.80   23.80\nShipping 5.95\nTotal 29.75\n", "29.75"),
    ],
)
def test_items_over_a_total_are_no_strip_of_sums(text: str, total: str) -> None:
    assert sums(text)["grand_total"][0] == total


def test_what_is_due_after_something_was_taken_off_is_not_the_total() -> None:
    text = "Base imponible 300,00\nIVA 21% 63,00\nIRPF 15% -45,00\nImporte a pagar 318,00\n"
    found = sums(text)
    assert (found["amount_due"][0], "grand_total" in found) == ("318.00", False)


@pytest.mark.parametrize(("amount", "value"), [("¥15,000-", "15000"), ("JPY 15,000-", "-15000")])
def test_a_dash_closes_an_amount_behind_a_sign_and_is_a_minus_behind_a_code(amount: str, value: str) -> None:
    assert sums(f"Total {amount}\n")["grand_total"][0] == value


def test_the_first_row_below_a_total_is_none() -> None:
    text = """Prestation        Jours   Tarif journalier     Total
Conception            1             600,00    600,00
Rédaction             2             500,00  1 000,00
"""
    assert "grand_total" not in sums(text)


def amounts(text: str, *names: str) -> dict[str, tuple[str, str]]:
    fields = [{"name": name, "type": "DECIMAL", "required": False} for name in names]
    artifact = paxman.normalize(text, {"id": "amounts", "version": "1", "fields": fields})
    found = {name: artifact[name] for name in names if artifact[name].value is not None}
    return {name: (str(result.value), result.confidence_band.value) for name, result in found.items()}


INDIAN = ("cgst", "sgst", "igst", "gst", "tax")
AMERICAN = ("city_tax", "state_tax", "pst")
CANADIAN = ("gst", "pst", "qst", "hst", "tax")


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("IGST 18%   18.00\nTotal 118.00\n", INDIAN, {"igst": "18.00", "gst": "18.00", "tax": "18.00"}),
        ("CGST 9%   9.00\nSGST 9%   9.00\nTotal 118.00\n", INDIAN, {"cgst": "9.00", "sgst": "9.00"}),
        ("GST 5%   5.00\nTotal 105.00\n", CANADIAN, {"gst": "5.00", "tax": "5.00"}),
        ("Subtotal 100.00\nTPS 5%  5.00\nTVQ 9.975%  9.98\nTotal 114.98\n", CANADIAN, {"gst": "5.00", "qst": "9.98"}),
        (
            "Subtotal 100.00\nGST 5%  5.00\nPST 7%  7.00\nTotal tax 12.00\nTotal 112.00\n",
            CANADIAN,
            {"gst": "5.00", "pst": "7.00", "tax": "12.00"},
        ),
        ("GST 5%  2.50\nGST 10%  5.00\nTotal 107.50\n", CANADIAN, {}),
        ("City tax 2%  9.00\nState tax 5%  2.00\n", AMERICAN, {"city_tax": "9.00", "state_tax": "2.00"}),
        ("GST 5%   5.00\nPST 7%   7.00\n", ("pst_amount", "hst_amount"), {"pst_amount": "7.00"}),
        ("Tax 10%   10.00\nTotal 110.00\n", ("gst", "vat", "state_tax"), {"gst": "10.00", "vat": "10.00"}),
    ],
)
def test_a_field_of_one_tax_takes_no_other(text: str, names: tuple[str, ...], expected: dict[str, str]) -> None:
    assert amounts(text, *names) == {name: (value, "HIGH") for name, value in expected.items()}


@pytest.mark.parametrize("name", ["Total Fitness Ltd", "Balance Yoga LLC", "Net Solutions Inc.", "Tax Advisers LLP"])
@pytest.mark.parametrize("address", ["\n12 Main St\nLeeds", "\n12\nLeeds", ", 12 Main St, Leeds", "     12 Main St"])
def test_the_number_of_a_house_is_no_amount_of_a_name(name: str, address: str) -> None:
    text = f"DELIVERY NOTE 5512\nDeliver to:\n{name}{address}\n"
    assert amounts(text, "total", "net", "tax", "amount_due") == {}


@pytest.mark.parametrize("amount", ["12", "12.50", "12 EUR", "12.50 incl. VAT"])
def test_an_amount_below_a_label_is_one(amount: str) -> None:
    value = amount.split()[0]
    assert amounts(f"Total\n{amount}\n", "total") == {"total": (value, "HIGH")}


WEIGHED = """Item       Qty        Weight        Amount
Bolt        10           8.5          2.00
Nut          5           5.5          1.00
Total       15          14.0          3.00
"""
OWED = """Description      Charges     Insurance   Adjustments
ER visit        1,240.00       -820.00       -220.00
Totals          1,550.00     -1,010.00       -290.00
"""
DEPOSIT = """Description     Qty    Price    Amount
Bolt             5     2.00     10.00
Deposit         30     3.30     99.00
"""
PAID = """Invoice no      Invoice date    Gross       Discount     Paid
7710            02/06/2025      1,200.00        0.00     1,200.00
7719            10/06/2025      1,163.27       23.27     1,140.00
"""
SUMMED = f"{PAID}{' ' * 32}2,363.27       23.27     2,340.00\n"


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        (WEIGHED, ("total",), {"total": ("3.00", "HIGH")}),
        (OWED, ("amount_due", "total"), {"total": ("1550.00", "MEDIUM")}),
        (f"{OWED}\nPlease Pay This Amount: 250.00\n", ("amount_due",), {"amount_due": ("250.00", "HIGH")}),
        (DEPOSIT, ("deposit",), {"deposit": ("99.00", "HIGH")}),
        (PAID, ("amount_paid", "discount", "gross"), {}),
        (SUMMED, ("amount_paid", "discount"), {"amount_paid": ("2340.00", "HIGH"), "discount": ("23.27", "HIGH")}),
        ("Item      VAT      Amount\nA          5%       10.00\nB         23%       20.00\n", ("tax_rate",), {}),
        ("Item   VAT   Amount\nA      5%    10.00\nB      5%    20.00\n", ("tax_rate",), {"tax_rate": ("5", "HIGH")}),
    ],
)
def test_one_of_several_numbers_of_a_row_or_column_is_the_one_below_its_heading(
    text: str, names: tuple[str, ...], expected: dict[str, tuple[str, str]]
) -> None:
    assert amounts(text, *names) == expected


@pytest.mark.parametrize("gap", ["\t", "   ", "        "])
def test_headings_of_as_many_cells_are_counted(gap: str) -> None:
    rows = ("Item", "Weight in kilograms", "Amount"), ("Bolt", "8.50", "2.00"), ("Total", "14.00", "3.00")
    assert amounts("\n".join(map(gap.join, rows)), "total") == {"total": ("3.00", "HIGH")}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Interest rate            5.37%\n", ("5.37", "HIGH")),
        ("Interest rate (p.a.)     5.37%\n", ("5.37", "HIGH")),
        ("Interest rate\n5.37%\n", ("5.37", "HIGH")),
        ("Interest rate   5% p.a.\n", ("5", "HIGH")),
        ("Interest rate   Term\n5.37%           12 months\n", ("5.37", "HIGH")),
        ("Interest rate   5%   of 1,200.00\n", ("5", "MEDIUM")),
        ("Default interest rate   9.37%\n", ("9.37", "MEDIUM")),
        ("Interest rate   5.37%\nDefault interest rate   9.37%\n", ("5.37", "HIGH")),
        ("Interest rate   4% - 5%\n", ("None", "UNTRUSTED")),
        ("Interest rate 5% or the highest rate that is allowed by law\n", ("None", "UNTRUSTED")),
        ("Loan   Interest rate\nA      5.37%\nB      6%\n", ("None", "UNTRUSTED")),
    ],
)
def test_a_percentage_stands_with_the_label_of_a_rate(text: str, value: tuple[str, str]) -> None:
    result = paxman.normalize(text, rate_of("interest_rate", "DECIMAL"))["interest_rate"]
    assert (str(result.value), result.confidence_band.value) == value


@pytest.mark.parametrize(
    ("name", "kind", "text", "value"),
    [
        ("moisture", "DECIMAL", "Moisture    12.5%\n", Decimal("12.5")),
        ("moisture", "STRING", "Moisture    12.5%\n", "12.5%"),
        ("moisture", "DECIMAL", "Moisture of the grain shall not exceed 14%.\n", None),
        ("retainage", "DECIMAL", "Retainage   10%    $1,200.00\n", Decimal("1200.00")),
        ("deposit_amount", "DECIMAL", "Deposit amount: 10%\n", None),
        ("discount", "DECIMAL", "Discount    5%\n", None),
    ],
)
def test_a_percentage_is_no_sum(name: str, kind: str, text: str, value: Decimal | str | None) -> None:
    assert paxman.normalize(text, rate_of(name, kind))[name].value == value


def rate_of(name: str, kind: str) -> dict[str, object]:
    return {"id": "rate", "version": "1", "fields": [{"name": name, "type": kind, "required": False}]}


def balances(text: str | bytes) -> list[str | None]:
    fields = [{"name": f"{each}_balance", "type": "DECIMAL", "required": False} for each in ("previous", "closing")]
    artifact = paxman.normalize(text, {"id": "c", "version": "1", "fields": fields})
    return [None if artifact[each["name"]].value is None else str(artifact[each["name"]].value) for each in fields]


ITEMS = "Description            Qty    Amount\n"
ENTRIES = "Date         Description                 Amount     Balance\n"


@pytest.mark.parametrize(
    ("out", "into"),
    [
        ("Carried forward           10.00", "Brought forward"),
        ("Balance carried forward   10.00", "Balance brought forward"),
        ("Saldovortrag              10.00", "Saldovortrag"),
        ("", "Brought forward"),
        ("", "Balance b/f"),
    ],
)
def test_a_sum_that_goes_over_to_the_next_page_is_no_balance(out: str, into: str) -> None:
    first = f"{ITEMS}Valve                    2     10.00\n{out}\n\f"
    second = (
        f"{ITEMS}{into:<24}       10.00\nLock                     3      9.00\nTotal                          19.00\n"
    )
    assert balances(first + second) == [None, None]


@pytest.mark.parametrize(
    "between",
    ["", f"             Balance carried forward  100.00\n\f{ENTRIES}             Balance brought forward  100.00\n"],
)
def test_a_balance_brought_forward_to_a_statement_is_the_previous_one(between: str) -> None:
    text = f"""Oak Bank   Statement of account

{ENTRIES}01.03.2025   Balance brought forward                 120.00
03.03.2025   Card payment                 -20.00     100.00
{between}05.03.2025   Salary                       500.00     600.00
31.03.2025   Balance carried forward                 600.00
"""
    assert balances(text) == ["120.00", "600.00"]


def test_of_the_balances_of_several_accounts_none_is_sure() -> None:
    first, second = (
        f"{ITEMS}Balance b/f                    {sum}\nWater    2     6.00\n" for sum in ("10.00", "11.00")
    )
    field = {"name": "previous_balance", "type": "DECIMAL", "required": False}
    found = paxman.normalize(f"{first}\f{second}", {"id": "c", "version": "1", "fields": [field]})["previous_balance"]
    assert (str(found.value), found.confidence_band.value) == ("10.00", "MEDIUM")


def test_a_balance_that_a_summary_names_too_goes_over_to_no_page() -> None:
    text = """Oak Water   Kontoauszug

Saldovortrag                            120,00
Zahlung                                 -20,00

Datum         Text                      Betrag
01.03.2025    Saldovortrag              120,00
03.03.2025    Zahlung                   -20,00
"""
    assert balances(text) == ["120.00", None]


def test_a_table_of_items_brings_no_balance_into_its_first_row() -> None:
    head = ("Description", "Qty", "Amount")
    first = (head, ("Valve", "2", "10.00"), ("Carried forward", "", "10.00"))
    second = (head, ("Brought forward", "", "10.00"), ("Lock", "3", "9.00"), ("Total", "", "19.00"))
    tables = "".join(f"<table>{''.join(map(row_of, rows))}</table>" for rows in (first, second))
    assert balances(f"<html><body>{tables}</body></html>".encode()) == [None, None]


@pytest.mark.parametrize("write", [",".join, lambda cells: f"{cells[0]:24}{cells[1]:>6}{cells[2]:>12}"])
def test_the_only_table_of_items_may_bring_a_balance_into_its_first_row(
    write: Callable[[tuple[str, ...]], str],
) -> None:
    rows = (("Description", "Qty", "Amount"), ("Balance brought forward", "", "10.00"), ("Water", "2", "6.00"))
    assert balances("".join(f"{write(row)}\n" for row in (*rows, ("Total", "", "16.00")))) == ["10.00", None]


def row_of(cells: tuple[str, ...]) -> str:
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


@pytest.mark.parametrize(
    ("heads", "tax", "total"),
    [
        ("            This period  Year to date", ("40.00", "HIGH"), ("240.00", "HIGH")),
        ("             This month  Last month", ("40.00", "HIGH"), ("240.00", "HIGH")),
        ("               Previous  Current", ("36.00", "HIGH"), ("216.00", "HIGH")),
        ("                   2025      2024", ("40.00", "HIGH"), ("240.00", "HIGH")),
        ("              Abr. 2024  Abr. 2025", ("36.00", "HIGH"), ("216.00", "HIGH")),
        ("                 Budget    Actual", ("36.00", "MEDIUM"), None),
    ],
)
def test_a_column_of_another_period_has_no_sums_of_the_paper(
    heads: str, tax: tuple[str, str], total: tuple[str, str] | None
) -> None:
    rows = (
        "Services          200.00    180.00\nTax                40.00     36.00\nTotal             240.00    216.00\n"
    )
    text = f"{heads}\n{rows}"
    found = amounts(text, "tax", "total")
    assert (found.get("tax"), found.get("total")) == (tax, total)


def test_a_field_may_ask_for_the_sum_of_another_period() -> None:
    text = "            This period  Year to date\nTax              200.00      2,400.00\n"
    named = {"type": "DECIMAL", "required": False, "labels": ["Tax"]}
    fields = [{"name": name, **named} for name in ("tax", "tax_ytd")]
    artifact = paxman.normalize(text, {"id": "pay", "version": "1", "fields": fields})
    assert [artifact[name].value for name in ("tax", "tax_ytd")] == [Decimal("200.00"), Decimal("2400.00")]


@pytest.mark.parametrize(
    ("heading", "label", "balance"),
    [
        ("Description", "Brought forward", None),
        ("Date", "Brought forward", "500.00"),
        ("Description", "Previous balance", "500.00"),
    ],
)
def test_what_is_brought_into_a_table_of_items_is_no_balance(heading: str, label: str, balance: str | None) -> None:
    text = f"""{heading:<24} Qty   Price   Amount
{label:<24}              500.00
Larch cladding            10   20.00   200.00
Screws                     5    4.00    20.00
"""
    assert balances(text) == [balance, None]


@pytest.mark.parametrize(
    "line",
    [
        "Total withdrawals: 114.50",
        "Total deposits 114.50",
        "Total volume: 3.2 m3",
        "Peso neto: 12.5 kg",
        "Terms: net 30",
        "Terms: 2/10 net 30",
        "Year to date tax: 2,400.00",
        "Last invoice total: 114.50",
        "Steuer-ID: 14.50",
        "Tax year: 2024",
        "Credit limit: 5,000.00",
    ],
)
def test_words_beside_the_label_of_a_sum_may_make_it_another(line: str) -> None:
    assert amounts(f"Elm Ltd\n{line}\n", "total", "net", "tax", "amount_due", "amount_paid", "balance") == {}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Total with tax: 114.50", {"total": ("114.50", "HIGH")}),
        ("Total income: 114.50", {"total": ("114.50", "MEDIUM")}),
        ("Total refunds due: 114.50", {"total": ("114.50", "MEDIUM")}),
    ],
)
def test_words_beside_the_label_of_a_sum_may_leave_it_one(line: str, expected: dict[str, tuple[str, str]]) -> None:
    assert amounts(f"Elm Ltd\n{line}\n", "total", "net", "tax") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tax Advisor Kit 22.00\nNet curtain 14.00\nTOTAL 36.00\n", {"total": "HIGH"}),
        (
            "SHIPPING CRATE 12.00\nDISCOUNT APPLES 2.00\nNET BAG ONIONS 1.50\nBALANCE TEA 3.00\nTOTAL 18.50\n",
            {"total": "HIGH"},
        ),
        (
            "Milk 1.00\nTea 1.00\nSubtotal 2.00\nDiscount member 0.10\nShipping DHL 5.00\nTotal 6.90\n",
            {"shipping": "MEDIUM", "discount": "MEDIUM", "total": "HIGH"},
        ),
        ("Milk 1.00\nShipping DHL 5.00\nTotal 6.00\n", {"shipping": "MEDIUM", "total": "HIGH"}),
        ("Milk 1.00\nShipping box 5.00\nTotal 6.00\n", {"total": "HIGH"}),
        ("Milk 1.00\nTax on food 0.10\nTotal 1.10\n", {"tax": "MEDIUM", "total": "HIGH"}),
        ("Milk 1.00\nDiscount member -0.10\nTotal 0.90\n", {"discount": "MEDIUM", "total": "HIGH"}),
    ],
)
def test_a_label_that_begins_the_name_of_an_item_is_none_of_a_sum(text: str, expected: dict[str, str]) -> None:
    found = amounts(f"CORNER SHOP\n{text}", "shipping", "discount", "net", "tax", "total")
    assert {name: band for name, (_, band) in found.items()} == expected


@pytest.mark.parametrize("line", ["Shipping value: 70.00", "Shipping weight: 7.00", "Free shipping over 50.00"])
@pytest.mark.parametrize("name", ["shipping", "shipping_cost"])
def test_what_is_shipped_is_not_what_it_costs_to_ship(name: str, line: str) -> None:
    assert amounts(f"Elm Ltd\n{line}\nTotal 25.00\n", name) == {}


@pytest.mark.parametrize("name", ["shipping", "shipping_cost", "shipping_fee", "freight_cost"])
@pytest.mark.parametrize("label", ["Shipping", "Shipping cost", "Freight", "Versandkosten", "Frais de port"])
def test_what_it_costs_to_ship_has_many_names(name: str, label: str) -> None:
    assert amounts(f"Milk 1.00\nTea 1.00\nSubtotal 2.00\n{label} 5.00\nTotal 7.00\n", name) == {name: ("5.00", "HIGH")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Consumption 812 kWh  148.20 EUR\n", {"consumption": ("812", "HIGH")}),
        ("Consumption   812.5 kWh     148.20\n", {"consumption": ("812.5", "HIGH")}),
        ("Total charge   812 kWh     148.20 EUR\n", {"total": ("148.20", "MEDIUM")}),
        ("Balance: see note 5\n", {}),
        ("Balance (note 5): 120.00\n", {"balance": ("120.00", "MEDIUM")}),
    ],
)
def test_a_measure_has_a_unit_and_a_sum_none(text: str, expected: dict[str, tuple[str, str]]) -> None:
    assert amounts(text, *(expected or ("balance", "total"))) == expected


@pytest.mark.parametrize("text", ["{}: 20.00\n", "{}\n20.00\n", "Ref      {}\nAX-1     20.00\n"])
@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("Total", {"total": ("20.00", "HIGH")}),
        ("Total (EUR)", {"total": ("20.00", "HIGH")}),
        ("Total labour", {"total": ("20.00", "MEDIUM")}),
        ("Total days", {}),
        ("Summe Stunden", {}),
    ],
)
def test_a_label_that_says_more_is_followed_with_less_confidence_wherever_it_stands(
    text: str, label: str, expected: dict[str, tuple[str, str]]
) -> None:
    assert amounts(text.format(label), "total") == expected


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("Amount due    88.20\nLate fee    5.00\nTotal amount due    93.20\n", ("93.20", "HIGH")),
        ("Offener Betrag    88,20 €\nMahngebühr    5,00 €\nGesamtforderung    93,20 €\n", ("93.20", "HIGH")),
        ("Montant dû    88,20 €\nFrais de rappel    5,00 €\nTotal à payer    93,20 €\n", ("93.20", "HIGH")),
        ("Amount due    88.20\nLate fee    5.00\nSum    93.20\n", ("88.20", "MEDIUM")),
        ("Amount due    88.20\nCash    100.00\nChange    11.80\n", ("88.20", "HIGH")),
    ],
)
def test_charges_below_what_is_due_make_up_a_later_sum(text: str, due: tuple[str, str]) -> None:
    assert sums(text)["amount_due"] == due
