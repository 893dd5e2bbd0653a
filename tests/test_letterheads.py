"""Two names at the top of a paper: who issued it is told by the block of lines that each name heads."""

from __future__ import annotations

import pytest

import paxman
from paxman.capabilities.paper_titles import BUYERS
from paxman.types import ConfidenceBand

SELLER = {"name": "seller_name", "type": "STRING", "tags": ["organization"], "required": False}
BUYER = {"name": "buyer_name", "type": "STRING", "tags": ["organization"], "required": False}
BILL = "\nInvoice No. 17\nInvoice date 12.03.2025\nTotal   120.00\n"


def parties(text: str) -> tuple[object, object]:
    artifact = paxman.normalize(text, {"id": "paper", "version": "1", "fields": [SELLER, BUYER]})
    return artifact["seller_name"].value, artifact["buyer_name"].value


def band(text: str) -> ConfidenceBand:
    artifact = paxman.normalize(text, {"id": "paper", "version": "1", "fields": [SELLER]})
    return artifact["seller_name"].confidence_band


def beside(left: str, right: str) -> str:
    """Two blocks of lines side by side."""
    lines = zip((left + "\n" * 9).split("\n"), (right + "\n" * 9).split("\n"), strict=False)
    return "".join(f"{one:50}{two}\n" for one, two in lines if one or two)


ELM = "Elm Foods Ltd\n2 Low Road\nYork YO1 7HH"
OAK = "Oak Supplies Ltd\n1 High Street\nLeeds LS1 4DY"


@pytest.mark.parametrize(
    "own", ["VAT No. GB123456789", "CVR-nr. 23251574", "Tel. 0113 555 1234", "mail@oak.example", "IBAN GB29 NWBK 6016"]
)
def test_the_block_with_own_details_is_the_issuers(own: str) -> None:
    assert parties(beside(ELM, f"{OAK}\n{own}") + BILL) == ("Oak Supplies Ltd", "Elm Foods Ltd")
    assert parties(beside(f"{OAK}\n{own}", ELM) + BILL) == ("Oak Supplies Ltd", "Elm Foods Ltd")


def test_details_at_the_bottom_are_the_issuers_too() -> None:
    text = beside(OAK, f"{ELM}\nVAT No. GB123456789") + BILL + "Oak Supplies Ltd, registered in England No. 1234567\n"
    assert (parties(text), band(text)) == (("Oak Supplies Ltd", "Elm Foods Ltd"), ConfidenceBand.HIGH)


def test_the_details_of_a_buyer_below_the_letterhead_change_nothing() -> None:
    text = f"{OAK}\n\n{ELM}\nVAT No. GB123456789\n{BILL}"
    assert (parties(text), band(text)) == (("Oak Supplies Ltd", "Elm Foods Ltd"), ConfidenceBand.HIGH)


@pytest.mark.parametrize("own", ["", "\nVAT No. GB123456789"])
def test_of_two_names_as_good_neither_is_sure(own: str) -> None:
    assert band(beside(OAK + own, ELM + own) + BILL) == ConfidenceBand.MEDIUM
    assert band(f"{OAK}{own}\n{BILL}") == ConfidenceBand.HIGH


@pytest.mark.parametrize("person", ["Attn: Jane Roe", "Mrs Jane Roe", "Herrn Max Huber"])
def test_a_company_over_a_person_is_written_to(person: str) -> None:
    elm = ELM.replace("\n", f"\n{person}\n", 1)
    assert parties(beside(elm, OAK) + BILL) == ("Oak Supplies Ltd", "Elm Foods Ltd")


def test_an_owner_in_the_letterhead_is_not_written_to() -> None:
    oak = OAK.replace("\n", "\nMr John Smith, Director\n", 1) + "\nTel. 0113 555 1234"
    assert parties(beside(oak, ELM) + BILL) == ("Oak Supplies Ltd", "Elm Foods Ltd")


@pytest.mark.parametrize("own", ["jane@roe.example", "SIRET : 812 345 678 00012"])
def test_a_person_over_an_own_address_issues_a_paper_for_a_company(own: str) -> None:
    roe = f"Jane Roe\n1 High Street\nLeeds LS1 4DY\n{own}\n"
    assert parties(f"{roe}\n{ELM}\n{BILL}") == ("Jane Roe", "Elm Foods Ltd")
    assert parties(f"{ELM}\n\n{roe}{BILL}") == ("Elm Foods Ltd", "Jane Roe")


def test_a_name_beside_a_company_needs_a_tax_number_to_be_the_issuers() -> None:
    roe = "Jane Roe\n1 High Street\nLeeds LS1 4DY\n"
    assert parties(beside(f"{roe}jane@roe.example", ELM) + BILL) == ("Elm Foods Ltd", "Jane Roe")
    assert parties(beside(ELM, f"{roe}VAT No. GB123456789") + BILL) == ("Jane Roe", "Elm Foods Ltd")


@pytest.mark.parametrize("company", ["Hotel Alder KG", "Hotel Alder Betriebs GmbH", "HOTEL ALDER GMBH"])
def test_the_full_name_at_the_bottom_is_given(company: str) -> None:
    letter = f"          Hotel Alder\n          1 High Street, Leeds LS1 4DY\n\n{ELM}\n{BILL}"
    assert parties(f"{letter}\n{company}       UID ATU34933374\n") == (company, "Elm Foods Ltd")


def test_the_short_name_of_an_issuer_is_no_buyer() -> None:
    paper = f"Blue Kettle\n12 Mill Lane\nLeeds LS1 4AB\nTel 0113 555 1234\n{BILL}Terms: Blue Kettle Ltd owns all.\n"
    assert parties(paper) == ("Blue Kettle Ltd", None)


@pytest.mark.parametrize("other", ["New Hotel Alder KG", "Hotel Alder and its guests", "Bill to: Hotel Alder KG"])
def test_a_longer_name_is_not_always_the_full_one(other: str) -> None:
    assert parties(f"Hotel Alder\n1 High Street\nLeeds LS1 4DY\n{BILL}\n{other}\n")[0] == "Hotel Alder"


@pytest.mark.parametrize("name", ["株式会社東京システム 御中", "株式会社東京システム      御中"])
def test_an_honorific_names_the_addressee(name: str) -> None:
    text = f"請求書\n\n{name}\n                    合同会社桜井\n                    TEL：03-1234-5678\n合計 ¥1,000\n"
    assert parties(text) == ("合同会社桜井", "株式会社東京システム")
    assert parties(f"請求書\n\nご担当者 様\n{name}\n合計 ¥1,000\n") == (None, "株式会社東京システム")
    assert parties("請求書\n\n製品仕様\n合計 ¥1,000\n")[1] is None


@pytest.mark.parametrize("lead", ["To: ", "Aan:   "])
def test_whom_a_paper_goes_to_did_not_issue_it(lead: str) -> None:
    below = "\n" + " " * len(lead)
    assert parties(lead + ELM.replace("\n", below) + f"\n{OAK}\n{BILL}") == ("Oak Supplies Ltd", "Elm Foods Ltd")
    assert parties(f"Invoice 17\n{lead}" + ELM.replace("\n", below) + BILL) == (None, "Elm Foods Ltd")


def test_a_number_under_its_heading_makes_no_label_of_an_address() -> None:
    numbers = "Order\n61691\n\nAccount\n97957\n"
    elm = "\nElm Foods Ltd\n2 Low Road\n\nYork YO1 7HH"
    text = f"Oak Supplies Ltd\nVAT No. GB123456789\n\n{beside(elm, numbers)}{BILL}"
    assert parties(text) == ("Oak Supplies Ltd", "Elm Foods Ltd")


@pytest.mark.parametrize("name", ["Alder Techniek V.O.F.", "Alder Bygg HB", "Alder Service I/S", "Alder Drift K/S"])
def test_partnerships_are_companies(name: str) -> None:
    assert band(f"{name}\n1 High Street\nLeeds LS1 4DY\n{BILL}") == ConfidenceBand.HIGH


def test_a_name_may_end_like_the_label_of_a_number() -> None:
    assert parties(f"Alder Mobile\n1 High Street\nLeeds LS1 4DY\nMobile 0113 555 1234\n{BILL}")[0] == "Alder Mobile"


@pytest.mark.parametrize(
    "value", ["Elm Foods Ltd", "Mrs Jane Roe", "Elm Foods and Drinks\n             International Ltd"]
)
def test_a_label_below_a_heading_with_its_value_beside_it_is_no_name(value: str) -> None:
    form = f"Customer     {value}\nProject      P-100\nSite         P-200\n"
    assert parties(f"{OAK}\n\n{form}{BILL}") == ("Oak Supplies Ltd", " ".join(value.split()))


@pytest.mark.parametrize("beside_it", ["VAT GB123456789", "1 High Street", "Accounts"])
def test_a_name_below_a_heading_stays_the_name_whatever_stands_beside_it(beside_it: str) -> None:
    form = f"Customer     Oak Supplies Ltd\nElm          {beside_it}\n2 Low Road   Leeds LS1 4DY\nYork YO1 7HH\n"
    assert parties(form + BILL) == ("Oak Supplies Ltd", "Elm")


@pytest.mark.parametrize(
    ("line", "name"), [("ALDER.COM SDN BHD (509213A)", "ALDER.COM SDN BHD"), ("Alder.com, Inc.",) * 2]
)
def test_a_company_may_be_called_as_its_site(line: str, name: str) -> None:
    assert parties(f"{line}\n1 High Street\nLeeds LS1 4DY\nTAX INVOICE (ALDER)\n{BILL}")[0] == name
    assert parties(f"www.alder.com Ltd\nOak\n1 High Street\nLeeds LS1 4DY\n{BILL}")[0] == "Oak"


def test_the_bank_beside_a_letterhead_issues_nothing() -> None:
    bank = "Alder Bank PLC\n1 Park Place\nIBAN GB29 NWBK 6016 1331 9268 19"
    text = f"{beside(OAK, bank)}\n{ELM}\n{BILL}"
    assert (parties(text), band(text)) == (("Oak Supplies Ltd", "Elm Foods Ltd"), ConfidenceBand.HIGH)


def test_a_lone_company_over_a_person_is_no_sure_issuer() -> None:
    assert band("Elm Foods Ltd\nAttn: Jane Roe\n2 Low Road\nYork YO1 7HH\n" + BILL) == ConfidenceBand.MEDIUM


def test_where_goods_go_is_no_issuer() -> None:
    oak = OAK.replace(" Ltd", "")
    assert parties(beside(oak, f"Deliver to\n{ELM}") + BILL) == ("Oak Supplies", "Elm Foods Ltd")


def test_the_tax_number_of_the_buyer_does_not_make_it_the_issuer() -> None:
    text = """Martin Frères SARL                      Durand Industrie SA
4 rue des Forges                        12 avenue Foch
69007 Lyon                              75016 Paris
                                        TVA FR12345678901
Facture n° 551     03/05/2025
Total TTC 120,00
TVA FR99 123456789 - IBAN FR76 3000 1000 0100 0000 0000 123
"""
    assert (parties(text), band(text)) == (("Martin Frères SARL", "Durand Industrie SA"), ConfidenceBand.MEDIUM)


@pytest.mark.parametrize("beside", ["Salesperson", "Terms", "Project"])
def test_a_heading_beside_that_of_the_buyer_is_no_name(beside: str) -> None:
    text = f"Oak Ltd\nInvoice No. 17\n\nCustomer        {beside}\nBell Garage     Tom Hunt\n"
    assert parties(text)[1] == "Bell Garage"


HEAD = "Northside Dental PLLC\n12 Lake Ave\nDuluth, MN 55802\nTel 218-555-0100\n\n"


@pytest.mark.parametrize(
    "block",
    [
        "Josephine Aldana\n1190 Birch St\nDuluth, MN 55805\n",
        "Seabreeze Inn & Suites\n7 Harbor Rd\nPortland, ME 04101\n",
    ],
)
def test_a_long_house_number_is_no_town(block: str) -> None:
    assert parties(f"{HEAD}{block}\nStatement of account\nInvoice No. 17\n")[1] == block.split("\n")[0]


def test_the_label_of_a_number_heads_no_letter() -> None:
    text = """Invoice
Invoice number   7B4BDFAB-0006
Date of issue    January 9, 2025

Quiverly Inc.          Bill to
548 Market Street      Orchard & Pine LLC
San Francisco, CA 94104   9 Elm St
                       Austin, TX 78701
"""
    assert parties(text)[0] == "Quiverly Inc."


def test_a_heading_for_a_number_beside_that_of_the_buyer_is_one_too() -> None:
    text = """Oak Ltd
Tax Invoice 17

Buyer (Bill to)        Buyer's Order No.    Dated
Anand Traders          PO-1964              21-May-25
Gat No. 221, Chakan
Pune 410501
"""
    assert parties(text)[1] == "Anand Traders"


def test_an_item_is_no_footer_with_the_full_name() -> None:
    text = "Apple\n1 High Street, York YO1 7AA\n\nInvoice No. 17\nApple Inc. charger    19.00\nTotal 19.00\n"
    assert parties(text)[0] == "Apple"


@pytest.mark.parametrize(
    "line",
    [
        "Powered by Square, Inc.",
        "Paid via Barclays Bank PLC",
        "Insured by AXA Insurance plc",
        "A member of the Elm Group AG",
        "Part of Vista Holdings Ltd",
        "Approved repairer for Aviva Insurance Ltd",
        "On behalf of Keller GmbH",
        "Im Auftrag der Stadtwerke Ulm GmbH",
        "Vertragshändler der Volkswagen AG",
        "Pour le compte d'Axa France SA",
        "Concessionnaire agréé Renault SAS",
        "Pagado con Banco Sol SA",
        "Concesionario oficial de Seat SA",
        "Per conto della Meccanica Rossi S.r.l.",
        "Em nome da Silva Ltda",
        "In opdracht van Bos B.V.",
        "Na zlecenie Kowal Sp. z o.o.",
        "På uppdrag av Volvo AB",
        "Dibayar melalui Bank Maju Berhad",
        "Attn: Orbit Systems Inc.",
    ],
)
def test_words_that_lead_to_another_firm_are_no_name_of_the_issuer(line: str) -> None:
    text = f"{line}\nINVOICE\nLily Chen Photography\nlily@chen.example\n{BILL}"
    assert (parties(text), band(text)) == (("Lily Chen Photography", None), ConfidenceBand.MEDIUM)


@pytest.mark.parametrize(
    "name",
    [
        "Officina Autorizzata Bianchi S.r.l.",
        "Autoryzowany Serwis Kowalski Sp. z o.o.",
        "Taller Oficial Pérez S.L.",
        "Distribuidor Autorizado del Norte S.A. de C.V.",
        "Garage Agréé Martin SARL",
        "Handelsvertretung der Firma Meier GmbH",
        "Filiale de Lyon SARL",
    ],
)
@pytest.mark.parametrize("title", ["Fattura n. 12", "INVOICE"])
def test_a_name_that_begins_as_that_of_a_dealer_is_less_sure(name: str, title: str) -> None:
    text = f"{name}\nVia Roma 4\n20121 Milano\n{title}\n{BILL}"
    assert (parties(text)[0], band(text)) == (name, ConfidenceBand.MEDIUM)


def test_the_name_below_whom_it_deals_for_is_the_issuer() -> None:
    text = f"Concessionnaire agréé Renault SAS\nGarage Martin SARL\n4 rue Haute\n67000 Strasbourg\n{BILL}"
    assert (parties(text)[0], band(text)) == ("Garage Martin SARL", ConfidenceBand.MEDIUM)


def test_a_title_with_a_short_number_is_no_name() -> None:
    text = "Powered by CassaFacile S.r.l.\nVia Roma 4, 20121 Milano\nFattura n. 12\nTotale 90,00 EUR\n"
    assert parties(text)[0] is None


def test_a_company_may_be_called_as_a_couple() -> None:
    assert parties(f"Mr & Mrs Smith Hotels Ltd\n4 Long Road\n{BILL}")[0] == "Mr & Mrs Smith Hotels Ltd"


@pytest.mark.parametrize(
    "name",
    ["Bank of Elm Corp.", "Via Verde Lda", "Agencia de Viajes Sol SA", "Partner Logistics BV", "A/C Repair Inc."],
)
def test_a_company_may_have_such_words_in_its_name(name: str) -> None:
    assert parties(f"{name}\n1 High Street\nLeeds LS1 4DY\n{BILL}") == (name, None)


def test_the_state_of_nevada_is_no_legal_form() -> None:
    assert parties(f"5 Star Rd\nReno, NV 89501\n\nINVOICE\nNova Design Studio\n{BILL}")[0] == "Nova Design Studio"


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("Opdrachtgever", "Bos B.V."),
        ("Maître d'ouvrage", "Durand SA"),
        ("Donneur d'ordre", "Durand SA"),
        ("Tomador", "Silva Ltda"),
        ("Contratante", "Silva Ltda"),
        ("Zleceniodawca", "Kowal Sp. z o.o."),
        ("Beställare", "Volvo AB"),
        ("Mandant", "Keller GmbH"),
        ("Party A (Buyer)", "Elm Foods Ltd"),
        ("甲方（买方）", "上海明月贸易有限公司"),
    ],
)
def test_who_orders_has_names_in_many_languages(label: str, value: str) -> None:
    assert parties(f"{label}: {value}\n{BILL}") == (None, value)


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("Auftragnehmer", "Keller GmbH"),
        ("Opdrachtnemer", "Schilders De Kwast"),
        ("Prestador", "João Pereira"),
        ("Zleceniobiorca", "Anna Nowak"),
        ("Appaltatore", "Meccanica Rossi S.r.l."),
        ("乙方(卖方)", "苏州精工机械有限公司"),
    ],
)
def test_who_is_hired_has_names_in_many_languages(label: str, value: str) -> None:
    assert parties(f"{label}: {value}\n{BILL}") == (value, None)


@pytest.mark.parametrize(
    "text", ["{}: Elm Foods Ltd\n", "{}\nElm Foods Ltd\n", "{}:\nElm Foods Ltd\n", "{}    Elm Foods Ltd\n"]
)
@pytest.mark.parametrize("label", ["Payer", "Insured", "Tenant", "Versicherungsnehmer", "Locataire", "Candidate"])
def test_a_company_that_a_paper_is_about_did_not_issue_it(text: str, label: str) -> None:
    assert parties(text.format(label) + BILL) == (None, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Haulier: Elm Foods Ltd\n", ConfidenceBand.MEDIUM),
        ("Elm Foods Ltd\n", ConfidenceBand.HIGH),
        ("Company: Elm Foods Ltd\n", ConfidenceBand.HIGH),
        ("Retailer: Elm Foods Ltd\n", ConfidenceBand.HIGH),
        ("Contractor: Elm Foods Ltd\n", ConfidenceBand.HIGH),
        ("Empresa: Elm Foods Ltd\n", ConfidenceBand.HIGH),
        ("Unternehmen: Elm Foods Ltd\n", ConfidenceBand.HIGH),
        ("Legal name: Elm Foods Ltd\n", ConfidenceBand.HIGH),
        ("Carrier: Elm Foods Ltd\n", ConfidenceBand.MEDIUM),
    ],
)
def test_a_company_behind_a_label_that_is_not_known_is_a_guess(text: str, expected: ConfidenceBand) -> None:
    assert (parties(text + BILL)[0], band(text + BILL)) == ("Elm Foods Ltd", expected)


@pytest.mark.parametrize("label", ["Company", "Empresa"])
def test_a_company_behind_its_label_below_a_heading_of_the_buyer_is_the_buyer(label: str) -> None:
    text = f"Bill to:\n{label}: Oak Supplies Ltd\n\nElm Foods Ltd\n2 Low Road\n{BILL}"
    assert parties(text) == ("Elm Foods Ltd", "Oak Supplies Ltd")


def test_of_two_companies_one_behind_a_label_is_less_sure() -> None:
    text = f"Company: Oak Supplies Ltd\nContact: Max\n\nElm Foods Ltd\n2 Low Road\n{BILL}"
    assert (parties(text)[0], band(text)) == ("Oak Supplies Ltd", ConfidenceBand.MEDIUM)


def test_a_label_that_says_who_somebody_is_goes_before_a_salutation() -> None:
    text = f"Spett.le\nFonderia Bresciana S.p.A.\n\nCommittente: Meccanica Rossi S.r.l.\n{BILL}"
    assert parties(text)[1] == "Meccanica Rossi S.r.l."


ORDERS = ("supplier_name", "supplier_address", "buyer_name", "buyer_address")


def ordered(text: str) -> list[object]:
    fields = [{"name": name, "type": "STRING", "required": False} for name in ORDERS]
    artifact = paxman.normalize(text, {"id": "order", "version": "1", "fields": fields})
    return [artifact[name].value for name in ORDERS]


SUPPLIER, ORDERING = ["Oak Supplies Ltd", "1 High Street Leeds LS1 4DY"], ["Elm Foods Ltd", "2 Low Road York YO1 7HH"]


@pytest.mark.parametrize(
    "title", ["PURCHASE ORDER", "Purchase Order No. 4711", "BESTELLUNG Nr. 4500", "Orden de compra"]
)
@pytest.mark.parametrize("lead", ["To:\n", "Messrs\n", "", "Supplier\n"])
def test_an_order_goes_from_the_buyer_to_the_seller(title: str, lead: str) -> None:
    assert ordered(f"{ELM}\n\n{title}\n\n{lead}{OAK}\n\nTotal   120.00\n") == [*SUPPLIER, *ORDERING]


@pytest.mark.parametrize("title", (BUYERS["buyer"] + "|" + BUYERS["firm"]).split("|"))
def test_an_order_is_the_buyers_whatever_its_title(title: str) -> None:
    assert ordered(f"{ELM}\n\n{title.upper()} 4711\n\n{OAK}\n\nTotal   120.00\n") == [*SUPPLIER, *ORDERING]


def test_the_vendor_of_an_order_may_stand_beside_where_it_is_shipped() -> None:
    blocks = beside(f"VENDOR\n{OAK}", "SHIP TO\nElm Foods Ltd, Dock 3\n4 Dock Road\nHull HU1 1AA")
    assert ordered(f"{ELM}\nPURCHASE ORDER\n\n{blocks}\nTotal   120.00\n") == [*SUPPLIER, *ORDERING]


def test_an_advice_of_payment_comes_from_the_buyer() -> None:
    text = "REMITTANCE ADVICE\nFrom: Elm Foods Ltd\nTo: Oak Supplies Ltd\nPaid on 3 May 2024\nInvoice 17    120.00\n"
    assert parties(text) == ("Oak Supplies Ltd", "Elm Foods Ltd")


@pytest.mark.parametrize("line", ["Purchase Order 4711\n\nINVOICE 17", "Bestellung 4711\n\nHerrn Max Ulm"])
def test_an_invoice_with_the_number_of_an_order_comes_from_the_seller(line: str) -> None:
    assert ordered(f"{OAK}\n\n{line}\n{ELM}\n\nTotal   120.00\n")[:2] == SUPPLIER


@pytest.mark.parametrize(
    "title",
    [
        "DELIVERY NOTE 4\nPurchase Order: 4711",
        "Auftragsbestätigung AB-331\nBestellung Nr. 4711 vom 03.02.2025",
        "FACTUUR\nInkooporder 4711",
        "Schlussrechnung Nr. 2025-77\nBestellung 4711",
        "Sales VAT Invoice\nPurchase Order 4711",
        "Boleta Electrónica N° 331\nOrden de compra 4711",
        "Certificate of Conformity\nPurchase Order 4711",
        "Service Contract\nPurchase Order 4711",
        "Purchase Order: 4711",
        "Purchase Order   4711   Week   12",
    ],
)
def test_a_paper_that_only_cites_an_order_comes_from_the_seller(title: str) -> None:
    assert ordered(f"{OAK}\n\n{title}\n\n{ELM}\n\nTotal   120.00\n") == [*SUPPLIER, *ORDERING]


def test_an_order_of_a_person_comes_from_the_shop() -> None:
    person = "Lisa Sommer\n2 Low Road\nYork YO1 7HH"
    text = f"{OAK}\n\n{person}\n\nBestellung 88112\nTotal   120.00\n"
    assert (ordered(text)[::2], band(text)) == ([SUPPLIER[0], "Lisa Sommer"], ConfidenceBand.MEDIUM)


def test_the_tax_number_on_a_paper_of_the_buyer_is_less_sure() -> None:
    field = {"name": "buyer_vat_id", "type": "STRING", "required": False, "tags": ["vat_id"]}
    text = f"{ELM}\nVAT No: GB123456782\n\nPURCHASE ORDER\n\n{OAK}\n\nTotal   120.00\n"
    found = paxman.normalize(text, {"id": "order", "version": "1", "fields": [field]})["buyer_vat_id"]
    assert (found.value, found.confidence_band) == ("GB123456782", ConfidenceBand.MEDIUM)


HAUS = "Musterweg 1\n12345 Musterstadt\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"RECHNUNG\nHerrn Max Beispiel\n{HAUS}", (None, "Herrn Max Beispiel")),
        (f"RECHNUNG\nMr & Mrs Lowe\n{HAUS}", (None, "Mr & Mrs Lowe")),
        (
            f"Keller GmbH\nHauptstr. 4\n10115 Berlin\n\nFamilie\nEva Brandt\n{HAUS}",
            ("Keller GmbH", "Familie Eva Brandt"),
        ),
        (f"Famille Perrin SARL\n{HAUS}", ("Famille Perrin SARL", None)),
        (f"Mr. Pizza\n{HAUS}", ("Mr. Pizza", None)),
    ],
)
def test_whom_a_letter_calls_by_his_title_did_not_issue_it(text: str, expected: tuple[object, object]) -> None:
    assert parties(f"{text}\nRechnung Nr. 3\nSumme   120,00 EUR\nDatum   12.03.2025\n") == expected


@pytest.mark.parametrize("title", ["INVOICE from", "Rechnung von", "Facture de"])
def test_a_title_that_goes_on_with_a_name_is_no_part_of_it(title: str) -> None:
    assert parties(f"{title} Lily Chen Photography\nlily@chen.example\n{BILL}") == ("Lily Chen Photography", None)
