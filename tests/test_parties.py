"""Names beside numbers, labels, titles and other names: who issued a paper, for whom it is, and who signed it."""

from __future__ import annotations

import pytest
from test_documents_office import make_xlsx

import paxman
from paxman.recognizers.addresses import find_addresses
from paxman.recognizers.base import UNKNOWN
from paxman.recognizers.parties import find_organizations
from paxman.types import ConfidenceBand

COMPANY = {"name": "company", "type": "STRING", "tags": ["organization"]}
ADDRESS = {"name": "address", "type": "STRING", "tags": ["address"]}
SELLER = {"name": "seller_name", "type": "STRING", "tags": ["organization"], "labels": ["Verkäufer", "Seller"]}
BUYER = {"name": "buyer_name", "type": "STRING", "tags": ["organization"], "labels": ["Käufer", "Bill to"]}
PARTY = {"name": "party", "type": "ARRAY", "tags": ["party"]}
LAW = {"name": "jurisdiction", "type": "STRING", "tags": ["region"], "labels": ["governed by the laws of"]}
TERM = {"name": "term", "type": "STRING", "tags": ["duration"], "labels": ["term of"]}


def resolve(text: str, *fields: dict[str, object]) -> list[object]:
    known = [{"required": False, **field} for field in fields]
    artifact = paxman.normalize(text, {"id": "paper", "version": "1", "fields": known})
    return [artifact[str(field["name"])].value for field in fields]


def band(text: str, field: dict[str, object]) -> ConfidenceBand:
    artifact = paxman.normalize(text, {"id": "paper", "version": "1", "fields": [{"required": False, **field}]})
    return artifact[str(field["name"])].confidence_band


BILL = "TEL: 03-9012 3456\nDATE: 04/05/2019\nROTI 2  2.50\nTOTAL  2.50\n"
STREET = "NO. 7, JALAN TERATAI 3/1,\n43200 CHERAS, SELANGOR\n"
IN_STREET = "NO. 7, JALAN TERATAI 3/1, 43200 CHERAS, SELANGOR"


@pytest.mark.parametrize(
    ("head", "company", "address"),
    [
        (f"66 NOODLE BAR\n{STREET}", "66 NOODLE BAR", IN_STREET),
        (f"TAX INVOICE\n66 NOODLE BAR\n{STREET}", "66 NOODLE BAR", IN_STREET),
        (f"66 NOODLE BAR\n(1200345-K)\nCHERAS OUTLET\n{STREET}", "66 NOODLE BAR", IN_STREET),
        ("66 Noodle Bar\n12 Mill Lane\nLeeds LS1 4AB\n", "66 Noodle Bar", "12 Mill Lane Leeds LS1 4AB"),
        ("123 Broadway\nNew York, NY 10001\n", None, "123 Broadway New York, NY 10001"),
        ("123 Broadway\nSuite 4\nNew York, NY 10001\n", None, "123 Broadway Suite 4 New York, NY 10001"),
        (
            "Ink & Co\n123 Broadway\nSuite 4\nNew York, NY 10001\n",
            "Ink & Co",
            "123 Broadway Suite 4 New York, NY 10001",
        ),
    ],
)
def test_a_number_starts_a_name_where_another_line_has_the_street(head: str, company: str, address: str) -> None:
    assert resolve(head + BILL, COMPANY, ADDRESS) == [company, address]


def test_a_number_before_words_alone_is_no_sure_street() -> None:
    assert band(f"ROTI SDN BHD\n{STREET}{BILL}", ADDRESS) == ConfidenceBand.HIGH
    assert band(f"123 Broadway\nNew York, NY 10001\n{BILL}", ADDRESS) == ConfidenceBand.MEDIUM
    assert band(f"TAX INVOICE\n123 Broadway\nNew York, NY 10001\n{BILL}", ADDRESS) == ConfidenceBand.MEDIUM


@pytest.mark.parametrize("name", ["ROTI SDN BHD", "The Copper Kettle"])
def test_a_number_before_words_is_a_street_below_a_name(name: str) -> None:
    assert band(f"{name}\n31 The Common\nOxford OX1 2AB\n{BILL}", ADDRESS) == ConfidenceBand.HIGH


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("66 Noodle Bar\n12 Mill Lane\nLeeds LS1 4AB\n", ["12 Mill Lane Leeds LS1 4AB"]),
        ("123 Broadway\nSuite 4\nNew York, NY 10001\n", ["123 Broadway Suite 4 New York, NY 10001"]),
    ],
)
def test_an_address_has_one_number_of_a_house(text: str, addresses: list[str]) -> None:
    assert [found.value for found in find_addresses(text, UNKNOWN)] == addresses


@pytest.mark.parametrize(
    ("head", "company"),
    [
        (f"NOODLE HOUSE (200417 K)\n{STREET}TAX INVOICE\nDATE: 11/09/2019\nMELUR FOODS SDN BHD\n", "NOODLE HOUSE"),
        (f"Ida Ash\nMELUR FOODS SDN BHD\n{STREET}", "MELUR FOODS SDN BHD"),
        (f"NOODLE HOUSE (CO. NO:31178-V)\n{STREET}", "NOODLE HOUSE"),
        (f"HARVEST SALE UP TO 50% OFF\nNOODLE HOUSE\n{STREET}", "NOODLE HOUSE"),
        (f"NOODLE HOUSE\n{STREET}UNIT AMT EXC. AMT INC.\n", "NOODLE HOUSE"),
    ],
)
def test_the_first_letterhead_is_that_of_the_issuer(head: str, company: str) -> None:
    assert resolve(head + BILL, COMPANY) == [company]


def letter(issuer: str, number: str) -> str:
    return (
        f"      {issuer} - 17 impasse des Tilleuls - 26110 Nyons - France\n      TVA : FR83404833048\n\n\n"
        f"Facture {number}\nLa petite boutique\n8 rue des Lilas\n38000 Grenoble\n\nTotal TTC   48,20 €\n"
    )


@pytest.mark.parametrize("number", ["30418822", "FA30418822", "4718/2", "FC-2021-0044"])
@pytest.mark.parametrize(
    "issuer", ["Moulin SARL", "Nordstern Anlagenbau und Montage GmbH", "Schmidt, Lang & Co. KG", "Jonas Feldkamp"]
)
def test_a_letterhead_in_one_line_and_a_title_with_its_number(issuer: str, number: str) -> None:
    assert resolve(letter(issuer, number), SELLER, BUYER) == [issuer, "La petite boutique"]


FORM = """\
Rechnung Nr. 88017 vom 12.06.2021

Verkäufer
Globale Nummer   4012345500004 (GLN)
Name             Hausbau GmbH & Co.
Anschrift        Amselweg 9
                 24103 Kiel

Käufer
Nummer   KD7719
Ida Ash
Lange Straße 3
28195 Bremen
"""


@pytest.mark.parametrize("text", [FORM, FORM.replace("\n", "\n\n")])
def test_the_labels_of_a_form_are_no_names(text: str) -> None:
    assert resolve(text, SELLER, BUYER) == ["Hausbau GmbH & Co.", "Ida Ash"]


@pytest.mark.parametrize(
    ("text", "buyer"),
    [
        ("Bill to:           Order no:\nMoss Gardens       40817\n5 Hill Road        Date:\n", "Moss Gardens"),
        ("Bill to:           Order no:\nMoss Gardens          40817\nWest Wing          Date:\n", "Moss Gardens"),
        (
            "Käufer             Rechnungsnummer\nPraxis Dr. Sommer  2025-306\nAm Bach 7          Datum\n",
            "Praxis Dr. Sommer",
        ),
        ("Käufer             Rechnungsnummer\nDebitor  20431\nPraxis Dr. Sommer\nAm Bach 7\n", "Praxis Dr. Sommer"),
    ],
)
def test_a_number_under_its_own_heading_makes_no_label_of_the_name_beside_it(text: str, buyer: str) -> None:
    assert resolve(text, BUYER) == [buyer]


@pytest.mark.parametrize("heading", ["Bill to:", "Bill to            Job ref", "Bill to            Account"])
def test_what_stands_over_a_street_is_a_name_whatever_number_is_beside_it(heading: str) -> None:
    assert resolve(f"{heading}\nMoss Gardens       40817\n5 Hill Road\nLeeds LS1 4AB\n", BUYER) == ["Moss Gardens"]


def test_a_word_in_a_row_of_items_announces_nobody() -> None:
    rows = "Artikel     Bezeichnung     Menge   Preis\nA1          Verkäufer       1       2,00\n            Kasse\n"
    assert resolve(f"Rechnung Nr. 88017 vom 12.06.2021\n\n{rows}", SELLER) == [None]
    assert resolve(f"{FORM}\n{rows}", SELLER) == ["Hausbau GmbH & Co."]


@pytest.mark.parametrize("heading", ["Booking Date / Revision", "Bo0king Date / Revisi0n", "Bookirig Datc / Revision"])
def test_a_heading_beside_a_label_is_known_by_what_stands_under_it(heading: str) -> None:
    page = (
        f"12 Mill Lane        Advertiser                    {heading}\n"
        "Leeds               Ash/R/Senate                   03/14/22      / 03/16/22\n"
    )
    assert resolve(page, {"name": "advertiser", "type": "STRING", "labels": ["Advertiser"]}) == ["Ash/R/Senate"]


def test_a_digit_in_a_word_makes_no_code() -> None:
    assert resolve("Advertiser C0de\n", {"name": "advertiser", "type": "STRING", "labels": ["Advertiser"]}) == [None]


def test_a_number_ends_before_a_stroke_with_nothing_behind_it() -> None:
    page = "Contract / Revision     Alt Order #\n7730118 /               44120963\n"
    field = {"name": "contract_number", "type": "STRING", "labels": ["Contract / Revision"]}
    assert resolve(page, field) == ["7730118"]


@pytest.mark.parametrize(
    "name",
    [
        "Reed, Platt & Co., Inc.",
        "Banco del Sur S.A.",
        "Anna de la Cruz",
        "Robert E. Vance, Jr.",
        "The Oakhurst Group",
        "National Bank of Idaho",
        "Bank of the West",
    ],
)
def test_the_whole_name_of_a_party(name: str) -> None:
    text = f"This Agreement is made by and between {name} (the “Company”) and Elm Corp. (the “Recipient”).\n"
    assert resolve(text, PARTY) == [(name, "Elm Corp.")]


def test_a_name_does_not_end_in_a_small_word_or_a_date() -> None:
    text = "AGREEMENT BETWEEN OAK GEAR INC. AND ELM LTD. DATED MAY 1, 2010\n"
    assert resolve(text, PARTY) == [("OAK GEAR INC.", "ELM LTD.")]
    text = "by and between Oak Inc. (“Oak”) and Elm Ltd. of the other part.\n"
    assert resolve(text, PARTY) == [("Oak Inc.", "Elm Ltd.")]


def test_who_signed_keeps_hyphen_and_suffix() -> None:
    text = "As a condition of my work for Oak Foods, Inc. (the “Company”), I agree.\n/s/ Mei-Ling Ash, Jr.\n"
    assert resolve(text, PARTY) == [("Oak Foods, Inc.", "Mei-Ling Ash, Jr.")]


def test_clauses_go_on_over_the_ends_of_lines() -> None:
    text = "NON-DISCLOSURE AGREEMENT\nThis Agreement is governed by the laws of the State of New\nYork.\n"
    assert resolve(text, LAW) == ["New York"]
    text = "This Agreement shall remain in force\n\nfor a period of two (2) years\n\nfrom the date hereof.\n"
    assert resolve(text, TERM) == resolve(text.replace("\n\n", "\n"), TERM) == ["2 years"]


@pytest.mark.parametrize("name", ["eOak Devices, Inc.", "iElm, Inc.", "deOAK Labs, Inc.", "Ash eElm Inc."])
def test_a_name_may_begin_small_before_a_capital(name: str) -> None:
    text = f"AGREEMENT by and between {name} (the “Company”) and {name.replace('Inc', 'Corp')} (the “Recipient”).\n"
    assert resolve(text, PARTY) == [(name, name.replace("Inc", "Corp"))]
    assert [reading.value for reading in find_organizations(f"we pay {name}", UNKNOWN)] == [name]


def test_a_name_never_begins_inside_a_word() -> None:
    text = "For work at someOak, Inc. (the “Company”), I agree.\n"
    assert resolve(text, PARTY) == [None]


@pytest.mark.parametrize("state", ["Grand Duchy", "Principality", "Confederation", "Emirate"])
def test_the_law_of_a_state_of_any_kind(state: str) -> None:
    assert resolve(f"This Agreement is governed by the laws of the {state} of Luxembourg.\n", LAW) == ["Luxembourg"]


@pytest.mark.parametrize("name", ["LENS CENTRE", "Elm Home Center", "OAK SQUARE"])
def test_the_first_line_over_a_numbered_street_is_a_name(name: str) -> None:
    assert resolve(f"{name}\n{STREET}{BILL}", COMPANY, ADDRESS) == [name, IN_STREET]
    below = f"ROTI SDN BHD\n{name}\n{STREET}{BILL}"
    assert resolve(below, COMPANY, ADDRESS) == ["ROTI SDN BHD", f"{name} {IN_STREET}"]
    assert resolve(f"{name}\n43200 CHERAS, SELANGOR\n{BILL}", COMPANY) == [None]


def test_the_kind_of_paper_behind_a_name_is_no_part_of_it() -> None:
    contract = {"id": "paper", "version": "1", "fields": [{**SELLER, "required": False}]}
    text = "Harbour Cloud Services Invoice\nInvoice number: 42\nDate: 2024-05-06\nTotal: 4.11\n"
    assert paxman.normalize(text, contract)["seller_name"].value == "Harbour Cloud Services"


@pytest.mark.parametrize(
    "name",
    ["Indeed", "Pizza Please", "Auto Lease", "Savemore Market", "Join Us Cafe", "We Love Burgers", "La Fattura"],
)
def test_a_shop_may_be_named_like_a_paper_or_an_advert(name: str) -> None:
    contract = {"id": "paper", "version": "1", "fields": [{**SELLER, "required": False}]}
    text = f"{name}\n12 High Street\nLeeds LS1 4AB\n\nTea    2.10\nCake   3.40\nTotal  5.50\nDate 2024-05-06\n"
    assert paxman.normalize(text, contract)["seller_name"].value == name


@pytest.mark.parametrize(
    ("text", "parties"),
    [
        ('zwischen Muster GmbH ("Anbieter") und Beispiel AG ("Kunde")', ("Muster GmbH", "Beispiel AG")),
        ('entre Quai SARL ("Fournisseur") et Rive SAS ("Client")', ("Quai SARL", "Rive SAS")),
    ],
)
def test_the_word_between_two_parties_is_no_part_of_a_name(text: str, parties: tuple[str, str]) -> None:
    contract = {"id": "paper", "version": "1", "fields": [{**PARTY, "required": False, "items": {"type": "STRING"}}]}
    paper = f"Vertrag\nDieser Vertrag wird geschlossen {text}.\n"
    assert paxman.normalize(paper, contract)["party"].value == parties


ISSUER = "Hallberg GmbH\nHafenallee 12\n28195 Bremen\n"
LETTER = "Feinwerk AG\nAm Markt 29\n20095 Hamburg\n\nRechnung Nr. 17\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{ISSUER}USt-IdNr. DE547577104\n\n{LETTER}",
        f"{ISSUER}\nFirma\n{LETTER}",
        f"{ISSUER}\n12. März 2025\n\n{LETTER}",
        f"{ISSUER}\nMarch 12, 2025\n\n{LETTER}",
        f"{ISSUER}\nPraxis am Markt\n{LETTER}",
        f"{ISSUER}\nAdressé à\n{LETTER}",
        f"{ISSUER}\nDATOS DEL CLIENTE\n{LETTER}",
        f"{ISSUER}\nFakturaadress\n{LETTER}",
        f"{ISSUER}\nFeinwerk AG\nAttn: Accounts Payable\nAm Markt 29\n20095 Hamburg\nInvoice No. 17\n",
        f"{ISSUER}\nFeinwerk AG\nUSt-IdNr. DE547577104\nAm Markt 29\n20095 Hamburg\nRechnung Nr. 17\n",
        f"{ISSUER}\nTo: Feinwerk AG\n    Am Markt 29\n    20095 Hamburg\nInvoice No: 17\n",
        f"{ISSUER}\nAan:   Feinwerk AG\n       Am Markt 29\nFactuur nr. 17\n",
        "Sjöberg Tryckeri AB\nKungsgatan 18\n411 06 Göteborg\n\nFeinwerk AG\nStorgatan 29\n411 06 Göteborg\n",
    ],
)
def test_the_name_over_an_address_is_the_buyer_whatever_stands_over_it(text: str) -> None:
    assert resolve(text, BUYER) == ["Feinwerk AG"]


@pytest.mark.parametrize(
    "text",
    [
        "City Cab Ltd\n12 High Street\nLeeds LS1 4DY\nReceipt No 17\nFrom: 3 Oak Road\nTo: 12 Park Lane\nTotal £9.00\n",
        f"{ISSUER}\nAttn: John Smith\n34 Oak Ave\nChicago, IL 60601\n\nInvoice No.: 17\n",
        f"{ISSUER}\nSteel pipe\nMain Street stock\n2024 Model\nInvoice No 17\n",
    ],
)
def test_a_way_an_office_and_goods_are_no_buyer(text: str) -> None:
    assert resolve(text, BUYER) == [None]


def test_a_company_may_be_named_like_an_office() -> None:
    assert resolve(f"{ISSUER}\nAttention Media Ltd\n34 Oak Ave\nChicago, IL 60601\n", BUYER) == ["Attention Media Ltd"]


def test_a_letterhead_far_above_is_no_part_of_the_address() -> None:
    paper = "Severn Gas & Power\n\n\nMrs Jane Whitfield\n106 Station Road\nManchester M2 5DB\n\nYour electricity bill\n"
    assert resolve(paper, BUYER) == ["Mrs Jane Whitfield"]


@pytest.mark.parametrize(
    ("rows", "buyer"),
    [
        (
            ("Offerte Nr.|OF-25|Datum|19.03.2025", "Kunde|Gemeinde Cham|Projekt|Halle", "Leiter|R. Iten|Ort|Zug"),
            "Gemeinde Cham",
        ),
        (("Client|Site", "Jane Roe|Mill Lane", "York|Leeds"), "Jane Roe"),
        (("Customer|Dispatcher", "Jane Roe|R. Iten"), "Jane Roe"),
        (("Invoice no|44", "Bill to|Deliver", "Jane Roe|R. Iten", "12 High Street|4 Low Road"), "Jane Roe"),
        (("Invoice no|44", "Bill to|Delivery point", "Foo GmbH|Bar AG"), "Foo GmbH"),
        (("Invoice no|Date", "44|2025-03-04", "Bill to|Ship to", "Foo Council|Bar Depot"), "Foo Council"),
    ],
)
def test_a_party_in_a_table_of_labels_and_values_stands_beside_its_label(rows: tuple[str, ...], buyer: str) -> None:
    cells = "".join(f"<tr><td>{row.replace('|', '</td><td>')}</td></tr>" for row in rows)
    assert resolve(f"<table>{cells}</table>", {"name": "customer", "type": "STRING"}) == [buyer]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Receipt from Lumen Analytics, Inc.", "Lumen Analytics, Inc."),
        ("Rechnung von Müller & Söhne GmbH", "Müller & Söhne GmbH"),
        ("Facture de Boulangerie Dupont SARL", "Boulangerie Dupont SARL"),
        ("Receipts from Heaven Ltd", "Receipts from Heaven Ltd"),
        ("From Scratch Bakery LLC", "From Scratch Bakery LLC"),
    ],
)
def test_the_paper_before_a_name_is_no_part_of_it(line: str, name: str) -> None:
    assert resolve(f"{line}\nNo. 1234-5678\nTotal 20.00\n", COMPANY) == [name]


def test_a_name_stands_beside_its_label_in_a_form_with_colons() -> None:
    form = "Nr.:        B-24-3381\nKunde:      Huber e.K.\nDatum:      1.2.2025\n\nPos  Artikel\n1    Eiche\n"
    assert resolve(form, BUYER) == ["Huber e.K."]


SELLING = ({"name": "seller_name", "type": "STRING"}, {"name": "seller_address", "type": "STRING"})
BUYING = ({"name": "buyer_name", "type": "STRING"}, {"name": "buyer_address", "type": "STRING"})


def test_to_over_a_name_heads_the_buyer_and_the_footer_has_the_full_name() -> None:
    text = "studio/nord\n\nTo\nFjell Sport AS\nStorgata 18\n0184 Oslo\n\nInvoice 14\nTotal: NOK 5.00\n\n"
    text += "Studio Nord AS · Møllergata 6, 0179 Oslo · Org.nr. NO 987 654 325 MVA\n"
    assert resolve(text, *SELLING, *BUYING) == ["Studio Nord AS", None, "Fjell Sport AS", "Storgata 18 0184 Oslo"]


def test_a_name_and_its_address_behind_one_label() -> None:
    text = "Tulip BV\nKade 1, 1015 CC Amsterdam\n\nCustomer: Elise, 3 Rue Neuve, 1000 Brussels\nTotal: EUR 5.00\n"
    assert resolve(text, *BUYING) == ["Elise", "3 Rue Neuve, 1000 Brussels"]


def test_the_address_of_a_buyer_beside_the_seller_is_the_one_below_its_name() -> None:
    text = "Cloudpeak Software, Inc.           Bill to\n548 Market St, PMB 99012           Jansen & Partners B.V.\n"
    text += "San Francisco, California 94104    Herengracht 210\nUnited States                      1016 BS Amsterdam\n"
    assert resolve(text, *BUYING) == ["Jansen & Partners B.V.", "Herengracht 210 1016 BS Amsterdam"]


@pytest.mark.parametrize(
    "text",
    [
        "Item            Qty     Unit €    Value €\nElbow             3      2.00       6.00\n",
        "Celtic Ltd     Invoice number:   CPW/26/00912\nVAT IE6388047V  Tax point:        27 Feb 2026\n",
    ],
)
def test_headings_and_values_of_a_form_are_no_address(text: str) -> None:
    assert resolve(text, SELLING[1]) == [None]


def test_an_address_ends_where_a_table_begins() -> None:
    page = "<p>Bill to<br>Coast Pty Ltd<br>88 Beach Rd<br>Bondi NSW 2026</p><table><tr><th>Item</th><th>Quantity</th>"
    page += "<th>Unit price</th></tr><tr><td>Soil</td><td>40</td><td>8.90</td></tr></table>"
    assert resolve(f"<html><body>{page}</body></html>", BUYING[1]) == ["88 Beach Rd Bondi NSW 2026"]


def test_an_indented_line_stands_once_in_an_address() -> None:
    text = "Atelier Dupré SARL\n\nFacturé à\n   Librairie Montaigne SAS\n   12 place Bellecour\n   69002 Lyon\n"
    assert resolve(text, *BUYING) == ["Librairie Montaigne SAS", "12 place Bellecour 69002 Lyon"]


OFFICE = {"name": "seller_address", "type": "STRING", "tags": ["address"]}
HOME = {"name": "buyer_address", "type": "STRING", "tags": ["address"]}


@pytest.mark.parametrize("lead", ["To", "Guest", "Job site", "Mieter", "Bill to"])
def test_any_word_for_who_gets_the_paper_opens_their_address(lead: str) -> None:
    block = f"{lead + ':':<12}Jane Roe                  Invoice No:   4471\n{'':12}22 Oak Road\n{'':12}Leeds LS2 6PT\n"
    assert resolve(f"ELM PLUMBING LTD\n\n{block}", OFFICE) == [None]
    assert resolve(f"ELM PLUMBING LTD\n\n{lead}:\nAsh Ltd\n22 Oak Road\nLeeds LS2 6PT\n", OFFICE) == [None]


def test_the_number_of_a_company_is_no_other_company() -> None:
    head = "ELM PLUMBING LTD\n7 Mill Lane, Leeds LS1 4AA\nVAT Reg No: GB 980 7806 84     Company No. 07123456\n\n"
    block = "To:   Jane Roe                Invoice No:   4471\n      22 Oak Road\n      Leeds LS2 6PT\n"
    assert resolve(head + block, OFFICE, HOME) == ["7 Mill Lane, Leeds LS1 4AA", "22 Oak Road Leeds LS2 6PT"]


IBAN = "DE89370400440532013000"


@pytest.mark.parametrize(
    ("line", "seller", "buyer"),
    [
        (f"Der Betrag wird am 12.05.2025 von Ihrem Konto {IBAN} abgebucht.", None, IBAN),
        (f"We will collect this by direct debit from your account (IBAN {IBAN}).", None, IBAN),
        (f"SEPA-Lastschrift von IBAN {IBAN}, Mandat M-1", None, IBAN),
        (f"L'importo sarà addebitato sul conto {IBAN}", None, IBAN),
        (f"Der Rechnungsbetrag wird per Lastschrift vom Konto\n{IBAN} eingezogen", None, IBAN),
        (f"Zahlung per Lastschrift oder Überweisung auf IBAN {IBAN}", IBAN, None),
        (f"We debit your account. Our IBAN {IBAN}", IBAN, None),
    ],
)
def test_an_account_that_is_debited_is_the_buyers(line: str, seller: str | None, buyer: str | None) -> None:
    fields = [{"name": name, "type": "STRING", "tags": ["iban"]} for name in ("seller_iban", "buyer_iban")]
    assert resolve(line, *fields) == [seller, buyer]


def test_a_contact_in_the_line_of_a_party_is_its_own() -> None:
    fields = [{"name": name, "type": "STRING", "tags": ["email"]} for name in ("seller_email", "buyer_email")]
    assert resolve("Buyer: Elm Aerospace Corp.     Contact: ann@elm.example\n", *fields) == [None, "ann@elm.example"]


@pytest.mark.parametrize(
    ("text", "seller", "buyer"),
    [
        ("Elm, S.L.\nCIF: B58378431\n\nCliente: Oak, S.A.\n         CIF: A28015865\n", "B58378431", "A28015865"),
        ("Elm Lda\nNIF: 501442600\n\nCliente: Oak Lda\nNIF: 502757191\n", "501442600", "502757191"),
        (
            "Sprzedawca:              Nabywca:\nElm Sp. z o.o.           Piekarnia Oak\n"
            "NIP: 526-025-09-95       NIP: 774-000-14-54\n",
            "526-025-09-95",
            "774-000-14-54",
        ),
        ("Elm GmbH\nSteuernummer: 12/345/67890\n", "12/345/67890", None),
    ],
)
def test_a_tax_number_is_that_of_the_block_it_stands_in(text: str, seller: str, buyer: str | None) -> None:
    fields = [{"name": name, "type": "STRING", "tags": ["tax_id"]} for name in ("seller_tax_id", "buyer_tax_id")]
    assert resolve(text, *fields) == [seller, buyer]


@pytest.mark.parametrize("name", ["Vox Mobil GmbH", "Phone House Ltd", "Tel Elm Trading Ltd", "Fax-Welt GmbH"])
def test_a_company_may_be_named_like_a_contact(name: str) -> None:
    assert resolve(f"{name:<40}Rechnungsnummer   700123998\nPostfach 1100, 40001 Elm\n", SELLER) == [name]
    assert resolve(f"{name}\n12 Mill Lane\nTel 0113 496 0000\n", SELLER) == [name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("12.03.2025          Rechnungsnummer   700123998\nPostfach 1100, 40001 Elm\n", None),
        ("Ash Medical Center             PATIENT BILL\nAccount #: 7712-0091\nDate: 02/03/2025\n", "Ash Medical Center"),
        ("Netto\n12 Mill Lane\nTel 0113 496 0000\nMilk  2.50\n", "Netto"),
    ],
)
def test_a_label_or_title_is_no_name(text: str, name: str | None) -> None:
    assert resolve(text, SELLER) == [name]


@pytest.mark.parametrize(
    ("text", "seller", "buyer"),
    [
        (
            "Elm Bau GmbH & Co. KG · Industriestr. 44 · 70565 Stuttgart\n\n"
            "Oak Haustechnik GmbH\nz. Hd. Frau Brandl\nAm Anger 7\n83022 Rosenheim\n\nRechnung Nr. 2026-00117\n",
            "Industriestr. 44 · 70565 Stuttgart",
            "Am Anger 7 83022 Rosenheim",
        ),
        (
            "Elm Druck AG\nSeestrasse 88\n8002 Zürich\nCHE-116.281.710 MWST\n\n"
            f"{'':50}Hotel Oak\n{'':50}Frau R. Keller\n{'':50}Bahnhofstrasse 1\n{'':50}7270 Davos\n\nRechnung 40219\n",
            "Seestrasse 88 8002 Zürich",
            "Bahnhofstrasse 1 7270 Davos",
        ),
        (
            "Elm AB                   FAKTURA\nStorgatan 5              Fakturanr: 30112\n"
            "852 30 Sundsvall         Fakturadatum: 2026-02-10\nOrg.nr 556703-7485       Kundnr: 771\n\n"
            "Oak Hotell AB\nKyrkogatan 14\n831 34 Östersund\n",
            "Storgatan 5 852 30 Sundsvall",
            "Kyrkogatan 14 831 34 Östersund",
        ),
    ],
)
def test_an_address_has_no_name_in_it_and_ends_with_its_town(text: str, seller: str, buyer: str) -> None:
    assert resolve(text, OFFICE, HOME) == [seller, buyer]


@pytest.mark.parametrize(
    "town", ["4050-262 Porto", "81-350 Gdynia", "110 00 Praha", "411 06 Göteborg", "Toronto ON M5V 2T6", "LV-1010 Riga"]
)
def test_an_address_ends_behind_the_code_of_its_town(town: str) -> None:
    text = f"Alder Ltd\nMain Street 77, {town}\nFatura n.º FT 2026/208\nTotal 12,00 €\n"
    assert resolve(text, SELLING[1]) == [f"Main Street 77, {town}"]


LETTERHEAD = "{}\n12 Mill Lane, Leeds LS1 4AA\nTel 0113 496 0000\n\nReceipt No: 5\nDate: 14/03/2025\nTotal: £12.00\n"


@pytest.mark.parametrize(
    ("name", "issuer", "more", "expected"),
    [
        ("hotel", "Alder Point Ltd", "", "Alder Point Ltd"),
        ("school_name", "Alder Point", "", "Alder Point"),
        ("hotel", "Hotel Alder Ltd", "thank you from our hotel\n", "Hotel Alder Ltd"),
        ("hotel", "Alder Point Ltd", "3 nights at Hotel Nord\n", None),
        ("hotel_chain", "Alder Point Ltd", "", None),
        ("tenant", "Alder Point Ltd", "", None),
        ("bank_name", "Alder Point Ltd", "", None),
        ("bank_name", "Alder Bank plc", "", "Alder Bank plc"),
    ],
)
def test_the_only_organization_of_a_contract_is_the_one_in_the_letterhead(name, issuer, more, expected):
    field = {"name": name, "type": "STRING", "tags": ["organization"]}
    text = LETTERHEAD.format(issuer) + more
    sure = ConfidenceBand.MEDIUM if expected else ConfidenceBand.UNTRUSTED
    assert (resolve(text, field), band(text, field)) == ([expected], sure)


@pytest.mark.parametrize("other", [{"name": "guest", "type": "STRING", "tags": ["organization"]}, SELLER])
def test_of_two_organizations_the_letterhead_does_not_tell_which(other):
    hotel = {"name": "hotel", "type": "STRING", "tags": ["organization"]}
    assert resolve(LETTERHEAD.format("Alder Point Ltd"), hotel, other)[0] is None


HEAD = {"A1": "Alder Logistics Ltd", "E1": "INVOICE", "A2": "12 Mill Lane", "A3": "VAT No: GB123456789", "D3": "No."}
BELOW = {"A6": "Buyer:", "D6": "Currency", "E6": "EUR", "A7": "Oak Timber GmbH", "A8": "Hafenstr. 2"}
ITEMS = {"A11": "No", "B11": "Service", "C11": "Amount", "A12": 1, "B12": "Haulage", "C12": 20}


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (HEAD | BELOW | ITEMS, [("Alder Logistics Ltd", 0.75), ("Oak Timber GmbH", 0.8)]),
        (BELOW | ITEMS, [(None, 0.0), ("Oak Timber GmbH", 0.8)]),
        (
            HEAD | {"A6": "Buyer", "A7": "Ann Roe", "A8": "Hafenstr. 2"},
            [("Alder Logistics Ltd", 0.75), ("Ann Roe", 0.75)],
        ),
        (
            {"A1": "Buyer:", "A2": "Oak Timber GmbH", "A4": "Seller:", "A5": "Ann Roe"},
            [("Ann Roe", 0.75), ("Oak Timber GmbH", 0.8)],
        ),
        ({"A1": "Buyer", "A2": "Oak Timber GmbH", "A3": "Elm GmbH"}, [(None, 0.0), (None, 0.0)]),
        (
            {"A1": "Seller", "B1": "Buyer", "A2": "Oak GmbH", "B2": "Elm GmbH", "A3": "Ash GmbH", "B3": "Fir GmbH"},
            [(None, 0.0), (None, 0.0)],
        ),
        ({"A1": "Alder Logistics Ltd", "A2": "Oak Timber GmbH", "A3": "Hafenstr. 2"}, [(None, 0.0), (None, 0.0)]),
    ],
)
def test_a_sheet_names_its_issuer_first_and_a_party_below_its_heading(cells, expected):
    fields = [{"name": name, "type": "STRING", "required": True} for name in ("seller_name", "buyer_name")]
    results = paxman.normalize(make_xlsx({"S": cells}), {"id": "c", "version": "1", "fields": fields}).field_results
    assert [(result.value, result.confidence) for result in results] == expected


@pytest.mark.parametrize(
    ("text", "seller", "buyer"),
    [
        ("between Alder Ltd (Seller)\nand Birch Ltd (Buyer)", ("Alder Ltd", "HIGH"), ("Birch Ltd", "HIGH")),
        ('Alder Ltd (the "Seller")\nand\nBirch Ltd (the "Buyer")', ("Alder Ltd", "HIGH"), ("Birch Ltd", "HIGH")),
        ("zwischen Alder GmbH (Verkäufer)\nund Birch AG (Käufer)", ("Alder GmbH", "HIGH"), ("Birch AG", "HIGH")),
        ("entre Alder SARL (vendeur)\net Birch SAS (acheteur)", ("Alder SARL", "HIGH"), ("Birch SAS", "HIGH")),
        ("between John Smith (Seller)\nand Ann Lee (Buyer)", ("John Smith", "MEDIUM"), ("Ann Lee", "MEDIUM")),
        (
            'made on 3 May 2025 between Alder Ltd, of Leeds (the "Seller") and Birch Ltd (the "Buyer").',
            ("Alder Ltd", "HIGH"),
            ("Birch Ltd", "HIGH"),
        ),
        ("Party A (Seller)\nAlder Ltd\nParty B (Buyer)\nBirch Ltd", ("Alder Ltd", "HIGH"), ("Birch Ltd", "HIGH")),
        ("Seller: Alder Ltd (formerly Buyer)\nBuyer: Birch Ltd", ("Alder Ltd", "HIGH"), ("Birch Ltd", "HIGH")),
    ],
)
def test_a_role_in_brackets_behind_a_name_is_that_of_the_name(
    text: str, seller: tuple[str, str], buyer: tuple[str, str]
) -> None:
    fields = [{"name": name, "type": "STRING", "required": False} for name in ("seller_name", "buyer_name")]
    found = paxman.normalize(f"Sale\n{text}\n", {"id": "c", "version": "1", "fields": fields})
    sides = [found["seller_name"], found["buyer_name"]]
    assert [(side.value, side.confidence_band.value) for side in sides] == [seller, buyer]


def test_a_name_behind_between_is_not_surely_the_issuers() -> None:
    fields = [{"name": "employer", "type": "STRING", "required": False}]
    text = "Arbeitsvertrag\nzwischen Firma Alder GmbH (Arbeitgeber)\nund Frau Ada Kurz (Arbeitnehmer)\n"
    found = paxman.normalize(text, {"id": "c", "version": "1", "fields": fields})["employer"]
    assert (found.value, found.confidence_band.value) == ("Alder GmbH", "MEDIUM")


@pytest.mark.parametrize(
    ("text", "seller", "buyer"),
    [
        ("Seller: Alder Ltd, Buyer: Birch Ltd", ("Alder Ltd", "HIGH"), ("Birch Ltd", "HIGH")),
        ("Seller: Alder Ltd; Vessel: Anna; Buyer: Birch Ltd", ("Alder Ltd", "HIGH"), ("Birch Ltd", "HIGH")),
        ("Seller: Alder Ltd Buyer: Birch Ltd", ("Alder Ltd", "HIGH"), ("Birch Ltd", "HIGH")),
        ("Seller: Ann Reed, Buyer: Bob Hill", ("Ann Reed", "MEDIUM"), ("Bob Hill", "MEDIUM")),
        ("Alder GmbH\nRechnung: 4412; Kunde: Birch AG", ("Alder GmbH", "HIGH"), ("Birch AG", "HIGH")),
        ("Seller: Alder Ltd\nAsk the Buyer: Birch Ltd", ("Alder Ltd", "HIGH"), (None, "UNTRUSTED")),
    ],
)
def test_several_parties_may_stand_in_one_line(
    text: str, seller: tuple[str, str], buyer: tuple[str | None, str]
) -> None:
    fields = [{"name": name, "type": "STRING", "required": False} for name in ("seller_name", "buyer_name")]
    found = paxman.normalize(f"{text}\n", {"id": "c", "version": "1", "fields": fields})
    sides = [found["seller_name"], found["buyer_name"]]
    assert [(side.value, side.confidence_band.value) for side in sides] == [seller, buyer]
