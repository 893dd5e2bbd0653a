"""Relations that need no check: they choose between rivals, speak for values, and say what does not fit."""

import json
from decimal import Decimal

import pytest
from pdf_maker import make_pdf, show

import paxman
from paxman.capabilities.base import Candidate
from paxman.contract import adapt
from paxman.reconciler.checks import apply_checks
from paxman.reconciler.merge import group_candidates
from paxman.relations.implied import relations_of

COLUMNS = (("description", "STRING"), ("quantity", "DECIMAL"), ("unit_price", "DECIMAL"), ("line_total", "DECIMAL"))
ITEMS = {
    "name": "items",
    "type": "ARRAY",
    "required": False,
    "items": {"fields": [{"name": name, "type": kind, "required": False} for name, kind in COLUMNS]},
}
LINES = """\
Description   Qty   Unit price   Amount
Widget          2        50.00   100.00
Gadget          1        50.00    50.00

"""
ROWS = [
    {"description": "Widget", "quantity": 2, "unit_price": 50, "line_total": 100},
    {"description": "Gadget", "quantity": 1, "unit_price": 50, "line_total": 50},
]
ROW = ROWS[0]
DIFFERS = "the lines add up to 150.00, net is 170.00"


def contract(*names, kind="DECIMAL", **more):
    fields = [{"name": name, "type": kind, "required": False} for name in names]
    return {"id": "c", "version": "1", "fields": [*fields, ITEMS], **more}


def found(text, *names, **more):
    """Value, confidence, and codes other than that there is no value or that it is low, of each field."""
    artifact = paxman.normalize(text, contract(*names, **more))
    usual = ("CHAIN_EXHAUSTED", "LOW_CONFIDENCE")
    results = [(artifact[name], name) for name in (*names, "items")]
    told = {name: [note.code for note in each.diagnostics if note.code not in usual] for each, name in results}
    values = {name: each.value if name != "items" else len(each.value or ()) for each, name in results}
    return {name: (values[name], each.confidence, told[name]) for each, name in results}


def number(text):
    return Decimal(text)


def test_lines_choose_between_nets():
    text = f"Net amount 100.00\n\n{LINES}Net amount 150.00\n"
    assert found(text, "net", "total") == {
        "net": (number("150.00"), 0.7, ["CONFLICT"]),
        "total": (None, 0.0, []),
        "items": (2, 0.9, []),
    }


def test_lines_choose_the_subtotal_before_a_discount():
    text = f"{LINES}Subtotal 150.00\nDiscount -10.00\nSubtotal 140.00\nTotal 140.00\n"
    values = found(text, "subtotal", "total")
    assert (values["subtotal"][:2], values["total"][:2]) == ((number("150.00"), 0.75), (number("140.00"), 0.85))


@pytest.mark.parametrize(
    ("text", "net"),
    [
        (f"Order 7: Net amount 100.00\n\n{LINES}Net amount 150.00\n", ("150.00", 0.85, [])),
        (f"Order 7: Net 100.00 Total 120.00\n\n{LINES}Net 150.00\nTotal 180.00", ("150.00", 0.85, [])),
        (
            f"{LINES}Discount 10.00\nNet 140.00\nTotal 140.00\n\nLast month: Net 150.00",
            ("140.00", 0.8, ["SUM_DIFFERS"]),
        ),
    ],
)
def test_a_net_of_something_else_is_no_rival(text, net):
    value, confidence, codes = found(text, "net", "total")["net"]
    assert (str(value), confidence, codes) == net


def test_lines_choose_no_total_by_way_of_the_net():
    parts = {"order": {"net": 100, "tax": 20, "total": 120}, "parcel": {"net": 50, "tax": 10, "total": 60}}
    values = found(json.dumps({**parts, "items": ROWS[1:]}), "net", "tax", "total")
    assert [value[0] for value in values.values()] == [number("100"), number("20"), number("120"), 1]


def test_lines_choose_a_net_only_where_they_add_up_to_it():
    parts = {"order": {"net": 170, "discount": 10}, "parcel": {"net": 160}}
    assert found(json.dumps({**parts, "items": ROWS}), "net", "discount")["net"][0] == number("170")


def test_a_net_above_the_total_is_no_surer_by_its_lines():
    text = f"Net amount payable 140.00\n\n{LINES}Net amount 150.00\nDiscount 10.00\n"
    values = found(text, "net", "total")
    assert (values["net"], values["total"]) == ((number("150.00"), 0.8, []), (number("140.00"), 0.75, []))


@pytest.mark.parametrize(
    ("names", "below", "confidences"),
    [
        (("tax", "total"), "Total 150.00\nincl. VAT 25.00", (0.8, 0.8)),
        (("net", "tax", "total"), "Total 150.00\nincl. VAT 25.00", (0.0, 0.8, 0.8)),
        (("tax", "total"), "VAT 0.00\nTotal 150.00", (0.8, 0.85)),
    ],
)
def test_lines_that_are_only_the_total_say_nothing_where_there_is_a_tax(names, below, confidences):
    values = found(LINES + below, *names)
    assert tuple(values[name][1] for name in names) == confidences
    assert values["items"] == (2, 0.9 if "VAT 0.00" in below else 0.85, [])


def test_a_total_with_the_tax_goes_before_one_without():
    text = f"{LINES}Total 150.00\nGST 18% 27.00\nBill amount 177.00\n"
    assert found(text, "total")["total"] == (number("177.00"), 0.75, [])


@pytest.mark.parametrize(
    ("names", "below", "confidences"),
    [
        (("net", "total"), "Net -150.00\nTotal -150.00", (0.85, 0.85)),
        (("tax", "total"), "VAT -30.00\nTotal -180.00", (0.85, 0.85)),
    ],
)
def test_a_minus_that_lines_leave_out_is_no_difference(names, below, confidences):
    values = found(LINES + below, *names)
    assert [values[name][1:] for name in names] == [(each, []) for each in confidences]


def test_the_total_does_not_support_incomplete_lines():
    rows = [ROWS[0], {"description": "VAT", "line_total": 20}]
    assert found(json.dumps({"total": 120, "items": rows}), "total")["items"] == (2, 0.8, [])
    assert found(json.dumps({"net": 120, "items": rows}), "net")["items"] == (2, 0.85, [])


def test_lines_that_were_found_by_their_sum_do_not_speak_for_it():
    text = "Adults 100.00\nChildren 50.00\nTotal 150.00\nBooking fee 5.00\n"
    assert found(text, "total")["total"][1] == 0.8


def test_a_sum_that_holds_speaks_for_it_also_where_a_row_was_left_out():
    assert found(json.dumps({"total": 200, "items": [ROW, ROW, "one more"]}), "total")["total"][1] == 0.85


def test_a_long_array_is_added_up_once():
    class Row(dict):
        read = 0

        def get(self, name):
            Row.read += 1
            return dict.get(self, name)

    fields = ("subtotal", "net", "tax", "total")
    checks = relations_of(adapt(contract(*fields)))
    groups = {n: group_candidates(Candidate(number(str(7**i + x))) for x in range(9)) for i, n in enumerate(fields)}
    groups["items"] = group_candidates([Candidate((Row(ROWS[0]),) * 2000)])
    apply_checks(checks, groups)
    assert Row.read == 2000


@pytest.mark.parametrize(
    ("below", "names", "confidences"),
    [
        ("Net amount 150.00", ("net",), (0.85,)),
        ("Total 150.00", ("total",), (0.85,)),
        ("Net 125.00\nTotal 150.00", ("net", "total"), (0.8, 0.85)),
        ("VAT 20% 30.00\nTotal 180.00", ("tax", "total"), (0.85, 0.85)),
        ("VAT 20% 30.00\nTotal 181.00", ("tax", "total"), (0.8, 0.8)),
        ("Net 150.00\nTotal 180.00", ("net", "total"), (0.85, 0.8)),
    ],
)
def test_lines_speak_for_what_they_add_up_to(below, names, confidences):
    values = found(LINES + below, *names)
    assert [(values[name][1:]) for name in names] == [(each, []) for each in confidences]


def test_a_sum_of_lines_that_differs_is_told_and_lowers_nothing():
    artifact = paxman.normalize(f"{LINES}Net amount 170.00\n", contract("net"))
    assert [
        (artifact[name].confidence, [n.message for n in artifact[name].diagnostics]) for name in ("net", "items")
    ] == [
        (0.8, [DIFFERS]),
        (0.85, [DIFFERS]),
    ]
    note = artifact["net"].diagnostics[0]
    assert (note.code, note.severity.value, dict(note.context)) == (
        "SUM_DIFFERS",
        "INFO",
        {"check": "sum(items.line_total) == net"},
    )


@pytest.mark.parametrize(
    ("names", "below"),
    [
        (("net", "shipping"), "Shipping 20.00\nNet 170.00"),
        (("net", "discount"), "Discount 20.00\nNet 130.00"),
        (("net", "tax", "total"), "Net 170.00\nVAT 34.00\nTotal 204.00"),
        (("total",), "Total 180.00"),
    ],
)
def test_what_stands_between_lines_and_sum_explains_it(names, below):
    assert found(LINES + below, *names)["items"] == (2, 0.85, [])


def test_a_row_that_was_left_out_explains_another_sum():
    values = found(json.dumps({"net": 170, "items": [*ROWS, "one more"]}), "net")
    assert values == {"net": (number("170"), 0.8, []), "items": (2, 0.75, ["ROW_REJECTED"])}


def test_lines_in_another_currency_say_nothing():
    columns = [{"name": name, "type": "MONEY" if name == "line_total" else kind} for name, kind in COLUMNS]
    items = {**ITEMS, "items": {"fields": [{**column, "required": False} for column in columns]}}
    money = {**contract("net", kind="MONEY"), "fields": [contract("net", kind="MONEY")["fields"][0], items]}
    net = paxman.normalize(
        LINES.replace(" 100.00", "€100.00").replace("  50.00\n", " €50.00\n") + "Net $150.00", money
    )["net"]
    assert (net.value, net.confidence, net.diagnostics) == (paxman.Money("150.00", "USD"), 0.8, ())


def test_a_net_amount_is_no_total_though_the_lines_add_up_to_it():
    assert found(f"{LINES}Net amount 150.00\n", "total")["total"] == (None, 0.0, [])


def test_lines_choose_no_total_for_a_tax_may_stand_between():
    assert found(f"{LINES}Total 150.00\n20% VAT added\nTotal 180.00\n", "total")["total"][:2] == (
        number("180.00"),
        0.65,
    )


def test_a_check_of_its_own_stands_in_for_the_lines():
    check = [{"kind": "check", "params": {"expr": "sum(items.line_total) < net"}}]
    assert found(f"{LINES}Net amount 170.00\n", "net", constraints=check)["net"] == (number("170.00"), 0.8, [])


def written(kind, rows):
    if kind == "json":
        return json.dumps({"items": rows})
    names = list(rows[0])
    if kind == "csv":
        return "\n".join(",".join(str(each[name]) for name in names) for each in ({n: n for n in names}, *rows))
    lines = [names, *([str(row[name]) for name in names] for row in rows)]
    cells = [show(text, 50 + 110 * x, 700 - 14 * y) for y, line in enumerate(lines) for x, text in enumerate(line)]
    return (
        make_pdf(b"".join(cells)) if kind == "pdf" else "\n".join("".join(c.ljust(14) for c in each) for each in lines)
    )


@pytest.mark.parametrize("kind", ["text", "csv", "json", "pdf"])
def test_quantity_times_price_speaks_for_rows_and_against_them(kind):
    assert found(written(kind, ROWS))["items"] == (2, 0.85, [])
    wrong = [{**ROWS[0], "line_total": 90}, ROWS[1]]
    assert found(written(kind, wrong))["items"] == (2, 0.7, ["VALIDATION_FAILED"])


@pytest.mark.parametrize("kind", ["text", "csv", "json"])
def test_what_is_free_contradicts_nothing(kind):
    free = {"description": "Gift", "quantity": 1, "unit_price": 15, "line_total": 0}
    assert found(written(kind, [*ROWS, free]))["items"] == (3, 0.85, [])


def test_zeros_speak_for_nothing():
    zeros = {"description": "W", "quantity": 0, "unit_price": 0, "line_total": 0}
    assert found(json.dumps({"items": [zeros]}))["items"] == (1, 0.8, [])


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_rows_that_are_off_by_one_factor_have_the_tax_in_them(kind):
    gross = [{**row, "line_total": row["line_total"] * 6 // 5} for row in ROWS]
    free = {"description": "Gift", "quantity": 1, "unit_price": 0, "line_total": 0}
    untaxed = {"description": "Book", "quantity": 1, "unit_price": 20, "line_total": 20}
    for rows in (gross, [*gross, free], [*gross, untaxed]):
        assert found(written(kind, rows))["items"] == (len(rows), 0.8, [])
    wrong = [gross[0], {**gross[1], "line_total": 70}]
    assert found(written(kind, wrong))["items"] == (2, 0.7, ["VALIDATION_FAILED"] * 2)


def test_a_price_that_was_rounded_speaks_for_its_row():
    row = {"description": "Screw", "quantity": 300, "unit_price": 0.33, "line_total": 100}
    assert found(json.dumps({"items": [row]}))["items"] == (1, 0.85, [])
    per_hundred = {**row, "unit_price": 5, "line_total": 15}
    assert found(json.dumps({"items": [per_hundred]}))["items"] == (1, 0.8, [])


@pytest.mark.parametrize(
    ("more", "total"),
    [
        ({"nights": 3}, 300),
        ({"discount": 10}, 90),
        ({"discount": "10%"}, 90),
        ({"vat": 19}, 119),
        ({"id": 4711, "discount": 5}, 95),
    ],
)
def test_another_number_of_a_row_explains_its_total(more, total):
    row = {**ROWS[0], **more, "line_total": total}
    assert found(json.dumps({"items": [row]}))["items"] == (1, 0.8, [])
    assert found(json.dumps({"items": [{**row, "line_total": 77}]}))["items"] == (1, 0.7, ["VALIDATION_FAILED"])


def test_where_no_row_agrees_the_columns_mean_something_else():
    rows = [{**row, "line_total": row["line_total"] * 3} for row in (*ROWS, *ROWS)]
    assert found(json.dumps({"items": rows}))["items"] == (4, 0.8, [])


def test_numbers_too_large_to_multiply_say_nothing():
    row = '{"description": "W", "quantity": 1E+600000, "unit_price": 1E+600000, "line_total": 5}'
    assert found(f'{{"net": 5, "items": [{row}]}}', "net")["net"][:2] == (number("5"), 0.85)


@pytest.mark.parametrize("cents", ["", ".00"])
@pytest.mark.parametrize("names", [("total",), ("net", "total"), ("net", "tax", "total")])
def test_a_net_amount_that_is_a_total_with_tax_is_to_be_paid(cents, names):
    values = found(f"TOTAL 100{cents}\nGST 6{cents}\nNET AMOUNT 106{cents}\n", *names)
    assert values["total"] == (number(f"106{cents}"), 0.75, [])
    assert values.get("net") in (None, (None, 0.0, []))


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("Net 106.00\nTax withheld 6.00\nTotal 100.00", "100.00"),
        ("Total 119.00\nVAT 19.00\nNet 100.00", "119.00"),
        ("Total -119.00\nVAT 19.00\nNet -100.00", "-119.00"),
        ("Total parts 320.00\nNet 400.00\nVAT 80.00\nTotal 480.00", "480.00"),
        ("Total 270.00\nTax withheld 30.00\nNet 300.00", "270.00"),
        ("Total 270.00\nRetention tax 30.00\nNet 300.00", "270.00"),
    ],
)
def test_a_net_amount_with_a_total_below_it_is_not_what_is_due(text, total):
    assert found(text, "total")["total"] == (number(total), 0.8, [])


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (
            "Total hotel 100.00\nCity tax 6.00\nNet 106.00\nVAT 7% 7.42\nTo pay 113.42",
            ("106.00", "7.42", "113.42"),
        ),
        (
            "Total parts 320.00\nTotal labour 80.00\nNet 400.00\nVAT 20% 80.00\nAmount due 480.00",
            ("400.00", "80.00", "480.00"),
        ),
    ],
)
def test_a_net_amount_is_not_paid_where_a_tax_is_added_below_it(text, values):
    names = ("net", "tax", "total")
    assert tuple(str(found(text, *names)[name][0]) for name in names) == values


def test_a_net_amount_is_paid_though_its_taxes_are_summed_up_below():
    text = "Total 100.00\nCGST 2.50\nSGST 2.50\nNet amount 105.00\nTotal GST 5.00"
    assert found(text, "total")["total"] == (number("105.00"), 0.75, [])


@pytest.mark.parametrize("extra", ["Gratuity 30.00\nVisa", "Card surcharge 30.00\nPaid by Visa"])
def test_what_is_due_before_a_tip_or_surcharge_is_not_the_total(extra):
    values = found(f"Amount due 300.00\n{extra} 330.00\n", "total", "amount_due")
    assert (values["total"], values["amount_due"]) == ((None, 0.0, []), (number("300.00"), 0.8, []))


def test_a_payment_is_no_total_while_something_else_is_due():
    assert found("Balance due 5.00\nPaid 1.00", "total", "amount_due") == {
        "total": (None, 0.0, []),
        "amount_due": (number("5.00"), 0.8, []),
        "items": (0, 0.0, []),
    }
    assert found("Amount due 5.00\nPaid by card 5.00", "total", "amount_due")["total"][:2] == (number("5.00"), 0.75)


def test_net_is_after_discount_and_subtotal_before_shipping_is_doubtful():
    names = ("net", "tax", "total")
    values = found("Subtotal 100.00\nDiscount -10.00\nNet 90.00\nVAT 18.00\nTotal 108.00", *names)
    sure = (("90.00", 0.85), ("18.00", 0.9), ("108.00", 0.9))
    assert [values[name] for name in names] == [(number(each), confidence, []) for each, confidence in sure]
    values = found("Subtotal 100.00\nShipping 10.00\nVAT 20% 22.00\nTotal 132.00", *names)
    assert [values[name] for name in names] == [
        (number("100.00"), 0.6, ["VALIDATION_FAILED"]),
        (number("22.00"), 0.85, []),
        (number("132.00"), 0.85, []),
    ]


def test_the_period_chooses_and_contradicts():
    dates = {
        "id": "c",
        "version": "1",
        "fields": [{"name": f"{n}_date", "type": "DATE", "required": True} for n in ("start", "end")],
    }
    both = paxman.normalize("Start date: 2021-07-05\nEnd date: 2021-06-10\nEnd date: 2021-08-10", dates)
    assert (str(both["end_date"].value), both["end_date"].confidence) == ("2021-08-10", 0.65)
    for text in (
        "Start date: 2021-07-05\nEnd date: 2021-06-10",
        "start_date,end_date\n2021-07-05,2021-06-10",
        '{"start_date": "2021-07-05", "end_date": "2021-06-10"}',
    ):
        assert [result.confidence for result in paxman.normalize(text, dates).field_results] == [0.65, 0.65]


@pytest.mark.parametrize(
    ("said", "read"),
    [
        (("02/03/2025", "03/04/2025", "05/03/2025"), ("2025-02-03", "2025-03-04", "2025-05-03")),
        (("25/03/2025", "03/04/2025", "05/03/2025"), ("2025-03-25", "2025-04-03", "2025-03-05")),
        (("02/03/2025", "05/06/2025", "05/04/2025"), ("2025-03-02", "2025-06-05", "2025-04-05")),
        (("02/03/2025", "3 April 2025", "01/05/2025"), ("2025-03-02", "2025-04-03", "2025-05-01")),
        (("02/03/2025", "3 April 2025", "05/02/2025"), ("2025-02-03", "2025-04-03", "2025-05-02")),
    ],
)
def test_a_period_changes_the_order_of_day_and_month_for_the_whole_page(said, read):
    names = ("invoice_date", "start_date", "end_date")
    fields = [{"name": name, "type": "DATE", "required": True} for name in names]
    text = "Invoice date: {}\nStart date: {}\nEnd date: {}\n".format(*said)
    results = paxman.normalize(text, {"id": "c", "version": "1", "fields": fields}).field_results
    assert tuple(str(result.value) for result in results) == read


def test_rows_below_which_another_sum_stands_are_less_sure():
    values = found(LINES.rstrip() + "\nSubtotal                         160.00\n", "subtotal")
    assert values == {
        "subtotal": (number("160.00"), 0.8, []),
        "items": (2, 0.75, ["AMBIGUOUS_VALUE"]),
    }


def test_a_rate_in_the_row_explains_a_price_with_tax():
    row = {"description": "Widget", "quantity": 1, "unit_price": 59.5, "line_total": 50, "vat_rate": 19}
    assert found(json.dumps({"items": [row]})) == {"items": (1, 0.8, [])}


def implied(*names):
    """The relations of dates with these names, and whether each only tells."""
    fields = [{"name": name, "type": "DATE", "required": False} for name in names]
    checks = relations_of(adapt({"id": "c", "version": "1", "fields": fields}))
    return [(check.expression.text, check.soft) for check in checks]


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("contract_start", "contract_end"),
        ("policyStartDate", "policyEnd"),
        ("lease_commencement", "lease_termination"),
        ("valid_from", "valid_until"),
        ("flight_from", "flight_to"),
        ("start", "end"),
        ("effective_date", "expiry_date"),
        ("effective", "end"),
        ("arrival_date", "departure_date"),
        ("check_in", "check_out"),
        ("checkin_date", "checkout_date"),
        ("departure_date", "return_date"),
        ("mietbeginn", "mietende"),
        ("gueltig_ab", "gueltig_bis"),
        ("date_debut", "date_fin"),
        ("fecha_inicio_contrato", "fecha_fin_contrato"),
        ("start_date", "termination_date"),
    ],
)
def test_dates_whose_names_differ_in_begin_and_end_are_a_period(begin, end):
    assert implied(begin, "signed_on", end) == [(f"{begin} <= {end}", False)]


@pytest.mark.parametrize(
    "names",
    [
        ("departure_date", "arrival_date"),
        ("check_out", "check_in"),
        ("contract_start", "policy_end"),
        ("first_visit", "visit_end"),
        ("termination_date", "effective_date"),
        ("lease_start", "lease_end", "lease_ende"),
    ],
)
def test_other_dates_are_no_period(names):
    assert implied(*names) == []


def test_each_kind_of_begin_has_its_own_end():
    pairs = [("end", "start"), ("until", "from"), ("policy_end", "policy_start")]
    assert implied(*(name for pair in pairs for name in pair)) == [
        ("start <= end", False),
        ("from <= until", False),
        ("policy_start <= policy_end", False),
    ]


def test_a_bill_that_is_due_before_its_date_is_told_of():
    text = "Invoice date: 10 May 2024\nDue date: 3 April 2024\n"
    values = found(text, "invoice_date", "due_date", kind="DATE")
    assert [(str(value), *more) for value, *more in list(values.values())[:2]] == [
        ("2024-05-10", 0.8, ["VALIDATION_FAILED"]),
        ("2024-04-03", 0.8, ["VALIDATION_FAILED"]),
    ]
    assert implied("invoice_date", "due_date") == [("invoice_date <= due_date", True)]


def test_a_due_date_decides_the_order_of_day_and_month():
    values = found("Invoice date: 05/04/2025\nDue date: 06/03/2025\n", "invoice_date", "due_date", kind="DATE")
    assert [(str(value), confidence) for value, confidence, _ in list(values.values())[:2]] == [
        ("2025-05-04", 0.65),
        ("2025-06-03", 0.65),
    ]


@pytest.mark.parametrize(
    ("text", "rivals"),
    [
        ("Net: 100.00\nTax: 19.00\nTotal: 119.00\nTotal: 219.00\n", ["total"]),
        ("Net: 100.00\nTax: 19.00\nTotal: 219.00\nTotal: 119.00\n", ["total"]),
        ("Net: 100.00\nNet: 150.00\nTax: 19.00\nTotal: 119.00\n", ["net"]),
        ("Net: 100.00\nTax: 29.00\nTax: 19.00\nTotal: 119.00\n", ["tax"]),
        ("Total: 30.00\nTotal: 70.00\nNet: 100.00\nTax: 19.00\nTotal: 119.00\n", []),
        ("Net: 100.00\nTotal: 100.00\nTax: 19.00\nTotal: 119.00\n", []),
    ],
)
def test_a_sum_picks_between_amounts_and_names_the_other(text, rivals):
    values = {"net": "100.00", "tax": "19.00", "total": "119.00"}
    assert found(text, *values) == {
        **{
            name: (number(each), 0.7, ["CONFLICT"]) if name in rivals else (number(each), 0.85, [])
            for name, each in values.items()
        },
        "items": (0, 0.0, []),
    }


def test_a_deposit_that_is_printed_speaks_for_the_total_before_it():
    text = "Net: 100.00\nTax: 19.00\nTotal: 119.00\nDeposit: 50.00\nTotal: 69.00\n"
    assert found(text, "net", "tax", "total") == {
        "net": (number("100.00"), 0.9, []),
        "tax": (number("19.00"), 0.9, []),
        "total": (number("119.00"), 0.85, []),
        "items": (0, 0.0, []),
    }
