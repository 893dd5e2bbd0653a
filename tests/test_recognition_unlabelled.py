"""Values that no label announces: names, addresses and currencies by place and shape, clauses of agreements."""

import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paxman
from paxman.capabilities.unlabelled import kind_of, reads_own_labels
from paxman.contract import adapt
from paxman.transforms import run
from paxman.types import ConfidenceBand

COMPANY = {"name": "company", "type": "STRING", "tags": ["organization"]}
STORE = {"name": "store_name", "type": "STRING", "tags": ["organization"]}
ADDRESS = {"name": "address", "type": "STRING", "tags": ["address"]}
SELLER = {"name": "seller_name", "type": "STRING", "tags": ["organization"], "labels": ["Verkäufer", "Seller"]}
BUYER = {"name": "buyer_name", "type": "STRING", "tags": ["organization"], "labels": ["Käufer", "Bill to"]}
CURRENCY = {"name": "currency", "type": "STRING", "tags": ["currency"]}
PARTY = {"name": "party", "type": "ARRAY", "tags": ["party"]}
START = {"name": "effective_date", "type": "DATE", "labels": ["Effective date", "dated as of"]}
LAW = {"name": "jurisdiction", "type": "STRING", "tags": ["region"], "labels": ["governed by the laws of"]}
TERM = {"name": "term", "type": "STRING", "tags": ["duration"], "labels": ["term of"]}
ALL = [COMPANY, STORE, ADDRESS, SELLER, BUYER, CURRENCY, PARTY, START, LAW, TERM]


def contract(*fields):
    return {"id": "paper", "version": "1", "fields": [{"required": False, **field} for field in fields]}


def resolve(text, *fields):
    return paxman.normalize(text, contract(*fields))


def values(text, *fields):
    return {result.field_path: result.value for result in resolve(text, *fields).field_results}


def value(text, field):
    return resolve(text, field)[field["name"]].value


def band(text, field):
    return resolve(text, field)[field["name"]].confidence_band


def assert_grounded(text, artifact):
    for result in artifact.field_results:
        for ref in result.evidence_refs:
            if ref.span is not None and ref.role != "rejected" and result.value is not None:
                index = ref.field_path.removeprefix(result.field_path).strip("[]")
                expected = result.value[int(index)] if index else result.value
                assert run(ref.transforms, text[ref.span[0] : ref.span[1]]) == expected


RECEIPT = """\
KEDAI ROTI MELUR SDN BHD
(1200345-K)
NO. 7, JALAN TERATAI 3/1,
TAMAN MELUR,
43200 CHERAS, SELANGOR.
TEL: 03-9012 3456
TAX INVOICE
DATE: 04/05/2019
ROTI CANAI  2.50
TOTAL  2.50
"""


def test_a_receipt_names_its_shop_and_its_address():
    artifact = resolve(RECEIPT, COMPANY, ADDRESS)
    assert artifact.normalized_data == {
        "company": "KEDAI ROTI MELUR SDN BHD",
        "address": "NO. 7, JALAN TERATAI 3/1, TAMAN MELUR, 43200 CHERAS, SELANGOR.",
    }
    assert [result.confidence_band for result in artifact.field_results] == [ConfidenceBand.HIGH] * 2
    assert_grounded(RECEIPT, artifact)


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("CORNER HARDWARE LTD (88123-X)\n12 Mill Road\n", "CORNER HARDWARE LTD"),
        ("*** TAX INVOICE ***\nBluebird Books Inc.\n5 Hill Street\n", "Bluebird Books Inc."),
        ("LEE MEI LING\nSUNRISE TRADING\nNO 2, JALAN 3\n", "SUNRISE TRADING"),
        ("GREEN LEAF TEA\n(M) SDN BHD\n12 Mill Road\n", "GREEN LEAF TEA (M) SDN BHD"),
        ("WONG ELECTRICAL &\nHARDWARE SUPPLY\n12 Mill Road\n", "WONG ELECTRICAL & HARDWARE SUPPLY"),
        ("Welcome to Harbour Cafe!\n12 Mill Road\n", "Harbour Cafe"),
        ("NIGHT OWL\nFORMERLY KNOWN AS\nDAY OWL SDN BHD\n12 Mill Road\n", "NIGHT OWL"),
        ("THE COPPER KETTLE\n12 Mill Road\n(415) 555-0134\n", "THE COPPER KETTLE"),
        ("CopperKettleSdnBhd\n12MillRd\nTAXINVOICE\n", "CopperKettleSdnBhd"),
    ],
)
def test_the_issuer_at_the_top(head, name):
    assert value(head + "Tea  3.00\n", COMPANY) == name


def test_a_store_goes_by_its_sign_and_a_company_by_its_legal_name():
    text = "MOONBEAM\nBrightwater Foods Ltd\n12 Mill Road\nTea  3.00\n"
    assert values(text, COMPANY, STORE) == {"company": "Brightwater Foods Ltd", "store_name": "MOONBEAM"}


def test_a_name_by_its_place_alone_is_only_a_guess():
    text = "THE COPPER KETTLE\n12 Mill Road\nTea  3.00\n"
    assert band(text, COMPANY) is ConfidenceBand.MEDIUM


def test_nothing_at_the_top_that_could_be_a_name():
    assert value("RECEIPT\n12/03/2020 10:44\n(415) 555-0134\nTea  3.00\n", COMPANY) is None


@pytest.mark.parametrize(
    ("lines", "address"),
    [
        ("12 Mill Road\nDerby DE1 1AA\nTel: 01332 555123", "12 Mill Road Derby DE1 1AA"),
        (
            "TEL: 03-9012 3456\nLOT 5, JALAN SATU,\n40100 SHAH ALAM\nSELANGOR\nCASH BILL",
            "LOT 5, JALAN SATU, 40100 SHAH ALAM SELANGOR",
        ),
        (
            "LOT 5, JALAN SATU,\nGST ID: 000123456789\n40100 SHAH ALAM, SELANGOR",
            "LOT 5, JALAN SATU, 40100 SHAH ALAM, SELANGOR",
        ),
        ("5 JALAN DUA, 40100 SHAH ALAM. TEL: 03-9012 3456", "5 JALAN DUA, 40100 SHAH ALAM."),
        ("870 W Rusk St\nRockwall, TX 75087\nCashier: 3", "870 W Rusk St Rockwall, TX 75087"),
        ("117, JALAN SATU, PETALING\nBUN  RM4.90 S", "117, JALAN SATU, PETALING"),
        ("117, JALAN SATU, PETALING\nRM\nBUN  4.90", "117, JALAN SATU, PETALING"),
        ("3 Market Place, Ripon HG4 1BN\nServed by Anna", "3 Market Place, Ripon HG4 1BN"),
        ("44 Beacon Street\nBoston, MA 02108\nServed by Anna", "44 Beacon Street Boston, MA 02108"),
        ("335 Smith Street\nSingapore 050335\nORANGE JUICE", "335 Smith Street Singapore 050335"),
        ("5 JALAN DUA, 40100\nSHAH ALAM, SELANGOR\nTea", "5 JALAN DUA, 40100 SHAH ALAM, SELANGOR"),
        ("12 Telford Road,\n75100 MELAKA", "12 Telford Road, 75100 MELAKA"),
        ("LOT 2, JLN TELUK KUMBAR,\n11920 BAYAN LEPAS", "LOT 2, JLN TELUK KUMBAR, 11920 BAYAN LEPAS"),
        ("7 Faxfleet Lane\nHull HU15 2RX\nTelephone 01482 555123", "7 Faxfleet Lane Hull HU15 2RX"),
        ("Av. del Puerto 12\n46021 Valencia", "Av. del Puerto 12 46021 Valencia"),
        ("17 Place du Marché\n35000 RENNES\n02 99 55 12 12", "17 Place du Marché 35000 RENNES"),
        ("東京都文京区後楽1-1-8\n令和4年5月18日", "東京都文京区後楽1-1-8"),
        ("NO.19 & 21\nJALAN DUA\n40100 SHAH ALAM", "NO.19 & 21 JALAN DUA 40100 SHAH ALAM"),
        ("112, Zaveri Bazaar,\nMumbai 400 002\nGSTIN 27AAECS4321K1ZP", "112, Zaveri Bazaar, Mumbai 400 002"),
    ],
)
def test_the_lines_of_an_address(lines, address):
    text = f"ACME SDN BHD\n{lines}\nTea  3.00\n"
    artifact = resolve(text, ADDRESS)
    assert artifact["address"].value == address
    assert_grounded(text, artifact)


@pytest.mark.parametrize("lines", ["RECEIPT", "4 DINER3  23 ANNA\nCHK  1080323  GST4", "DISTANCE RUN 12.4 KM"])
def test_no_address(lines):
    assert value(f"ACME SDN BHD\n{lines}\nTea  3.00\n", ADDRESS) is None


SIDE_BY_SIDE = """\
Verkäufer                      Käufer/Leistungsempfänger
GLN 4012345000009              Kundennummer: 77
Holz & Span GmbH               Tischlerei Eiche AG Nord
Sägeweg 4                      Hobelgasse 9
04109 Leipzig                  99084 Erfurt

Rechnung 4711
Summe  100,00 EUR
"""
LABELLED = """\
Rechnung Nr. 12

  Verkäufer
  Nummer:        549
  Name:          Holz & Span GmbH
  Anschrift:     Sägeweg 4

  Käufer
  Nummer:        77
  Name:          Tischlerei Eiche AG
"""
HALF_HEIGHT = """\
  Verkäufer
  Nummer:        549
                 Vereinigte Holzwerker
  Name:          Leipzig e.G.
  Anschrift:     Sägeweg 4

  Käufer
  Name:          Tischlerei Eiche AG
"""
LETTER = """\
                                                   Holz & Span GmbH
                                                   Sägeweg 4
                                                   04109 Leipzig

   Herrn
   Jan Eiche

   Hobelgasse 9
   99084 Erfurt

Rechnung 4711
"""


@pytest.mark.parametrize(
    ("text", "seller", "buyer"),
    [
        (SIDE_BY_SIDE, "Holz & Span GmbH", "Tischlerei Eiche AG Nord"),
        (LABELLED, "Holz & Span GmbH", "Tischlerei Eiche AG"),
        (HALF_HEIGHT, "Vereinigte Holzwerker Leipzig e.G.", "Tischlerei Eiche AG"),
        (LETTER, "Holz & Span GmbH", "Herrn Jan Eiche"),
        (LETTER.replace("Herrn", "Gent. Sig."), "Holz & Span GmbH", "Jan Eiche"),
        ("Seller: Oak Ltd\nBill to: Elm Inc\nInvoice 5\n", "Oak Ltd", "Elm Inc"),
    ],
)
def test_who_sells_and_who_buys(text, seller, buyer):
    artifact = resolve(text, SELLER, BUYER)
    assert artifact.normalized_data == {"seller_name": seller, "buyer_name": buyer}
    assert_grounded(text, artifact)


def test_the_seller_above_a_table_of_delimited_text():
    table = "Item,Quantity,Amount\nLamp,2,24.00\nBirch Ltd,1,2.50\n"
    letter = f"Alder Ltd\n1 High Street, York\n\nInvoice no.: 4711\nTotal: 26.50 EUR\n\n{table}"
    assert value(letter, SELLER) == "Alder Ltd"
    assert value(table, SELLER) is None
    assert value(f"Sales report 2025\n\n{table}", SELLER) is None


def test_a_buyer_is_not_invented():
    assert value("Oak Ltd\nInvoice 5\nTotal  3.00\n", BUYER) is None


def test_a_choice_of_currencies_is_found_as_a_currency():
    choice = {"name": "currency", "type": "ENUM", "enum_values": ["EUR", "GBP"]}
    assert resolve("Net £638.00\nTotal £765.60\n", choice)["currency"].value == "GBP"
    assert resolve("Net $638.00\nTotal $765.60\n", choice)["currency"].value is None


def test_the_currency_of_a_page():
    text = "Invoice\nTable  EUR 100,00\nChair  EUR 50,00\nTotal  EUR 150,00\n"
    assert value(text, CURRENCY) == "EUR"


def test_rival_currencies_are_both_offered():
    result = resolve("Table  EUR 100.00\nChair  USD 50.00\n", CURRENCY)["currency"]
    assert [note.code for note in result.diagnostics] == ["CONFLICT", "LOW_CONFIDENCE"]


AGREEMENT = """\
MUTUAL NON-DISCLOSURE AGREEMENT
This Agreement is made and entered into as of March 3, 2014 by and between Larkspur Robotics, Inc., a Delaware
corporation with offices at 12 Mill Road, Salem (“Larkspur”), and Ada B. Winter (the “Consultant”).
1. Purpose. The parties may exchange information under the Services Agreement dated May 9, 2011.
2. Non-solicitation. For a period of one year neither party will solicit employees of the other.
3. Term. This Agreement shall remain in full force and effect for a period of two (2) years from the date hereof.
4. Law. This Agreement shall be governed by and construed in accordance with the laws of the State of Oregon.
"""


def test_an_agreement():
    artifact = resolve(AGREEMENT, PARTY, START, LAW, TERM)
    assert artifact.normalized_data == {
        "party": ["Larkspur Robotics, Inc.", "Ada B. Winter"],
        "effective_date": date(2014, 3, 3),
        "jurisdiction": "Oregon",
        "term": "2 years",
    }
    bands = [result.confidence_band.value for result in artifact.field_results]
    assert bands == ["MEDIUM", "HIGH", "HIGH", "HIGH"]
    assert_grounded(AGREEMENT, artifact)


def test_what_an_agreement_does_not_say_stays_unresolved():
    text = (
        "AGREEMENT\nThis Agreement is made as of the ___ day of ______ by the undersigned.\n"
        "Notice is given thirty (30) days before. The parties met under the merger agreement dated May 9, 2011.\n"
    )
    assert values(text, PARTY, START, LAW, TERM) == dict.fromkeys(["party", "effective_date", "jurisdiction", "term"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CONTRACT\n\nThis contract is made on 4 June 2024 between Acme Ltd and Ann Lowe.", date(2024, 6, 4)),
        ("CONTRACT\n\nThis contract is made on 4 June 2024\nbetween Acme Ltd and Ann Lowe.", date(2024, 6, 4)),
        ("DEED\nThis deed is dated 4 June 2024 and made between A Ltd and B Ltd.", date(2024, 6, 4)),
        ("KAUFVERTRAG\nKaufvertrag vom 4. Juni 2024 zwischen A GmbH und B GmbH.", date(2024, 6, 4)),
        ("BAIL\nContrat en date du 4 juin 2024 entre A SARL et B SA.", date(2024, 6, 4)),
        ("LOCAZIONE\nContratto datato 4 giugno 2024 tra A srl e B srl.", date(2024, 6, 4)),
        ("CONTRATO\nContrato fechado el 4 de junio de 2024 entre A SL y B SL.", date(2024, 6, 4)),
        ("KOOP\nKoopcontract gedateerd 4 juni 2024 tussen A BV en B BV.", date(2024, 6, 4)),
        ("PRICE LIST\nEffective 4 June 2024", date(2024, 6, 4)),
        ("RECHNUNG\nRechnung vom 4. Juni 2024 für Fahrten zwischen Bonn und Köln", None),
        ("FACTURE 88\nContrat n° 123\nFacture en date du 4 juin 2024\nTotal 5,00 EUR", None),
    ],
)
def test_what_is_dated_between_parties_holds_from_that_day(text, expected):
    assert value(f"{text}\n", {"name": "effective_date", "type": "DATE"}) == expected


@pytest.mark.parametrize("name", ["Hello Fresh, Inc.", "Bonjour Bakery, LLC"])
def test_a_company_may_begin_like_a_greeting(name):
    assert value(f"{name}\n12 Main Street\nTotal 5.00 USD\n", SELLER) == name
    assert value("Hello Ann,\nAcme Ltd\n12 Main Street\nTotal 5.00 USD\n", SELLER) == "Acme Ltd"


def test_commas_in_the_first_line_do_not_make_an_agreement_a_table():
    text = "AGREEMENT OF SALE, LEASE, LOAN, AND GIFT\nThis Agreement is governed by New York law.\n"
    assert value(text, LAW) == "New York"


@pytest.mark.parametrize(
    ("clause", "region"),
    [
        ("shall be construed under the law of the Commonwealth of Kentucky, exclusive of", "Kentucky"),
        (
            "The laws of the State of Nevada (without choice of law) shall govern this Agreement.",
            "Nevada",
        ),
        ("This Agreement is governed by New York law.", "New York"),
        ("is governed by the internal law, and not the law of conflicts, of the State of Texas.", "Texas"),
        ("subject to export laws of the United States; it is governed by the laws of Utah.", "Utah"),
        ("is governed by the laws of the United States of America and the State of Ohio.", "Ohio"),
        ("Dieser Vertrag unterliegt dem Recht der Bundesrepublik Deutschland.", "Deutschland"),
        ("Le présent accord est régi par les lois de la France.", "France"),
        ("Este contrato se rige por las leyes de España.", "España"),
        ("Acme is a Delaware corporation that obeys all laws.", None),
        ("This Agreement is governed by the laws of England and Wales.", "England and Wales"),
        ("It is governed by the laws of the Federal Republic of Germany.", "Germany"),
        ("9. Governing Law: Colorado", "Colorado"),
        ("Governing Law:      State of Washington", "Washington"),
        ("This Agreement shall be governed by Swiss law. Place of jurisdiction is Zurich.", "Switzerland"),
        ("It shall be construed under English law.", "England"),
        ("The parties obey French law at all times.", None),
        ("Applicable Law: Texas", "Texas"),
        ("Governing law - New York\nTerm: 2 years", "New York"),
        ("Governing law: Texas\nJurisdiction: England and Wales", "England and Wales"),
        ("Jurisdiction\nThe State of California", "California"),
        ("Anwendbares Recht   Schweiz", "Schweiz"),
        ("Applicable law: Texas or New York", None),
        ("Jurisdiction\nThis agreement was made in Texas", None),
    ],
)
def test_whose_law_governs(clause, region):
    text = f"AGREEMENT\n{clause}\n"
    artifact = resolve(text, LAW)
    assert artifact["jurisdiction"].value == region
    assert_grounded(text, artifact)


@pytest.mark.parametrize(
    ("clause", "length"),
    [
        ("The term of this Agreement shall be one (1) year beginning with the Effective Date.", "1 year"),
        ("This letter agreement will terminate eighteen (18) months from the date hereof.", "18 months"),
        ("The obligations hereunder expire five years after the date of this agreement.", "5 years"),
        ("This Agreement shall continue until the third anniversary of the Effective Date.", "3 years"),
        ("During the term of this Agreement and for two years thereafter, I will not compete.", None),
        ("Obligations remain in effect for three (3) years after termination of this Agreement.", None),
        ("Employee shall give sixty (60) days notice.", None),
        ("This Agreement shall remain in effect for one year from the date hereof and then shall expire.", "1 year"),
        (
            "The term of this Agreement shall continue until 3 years after the date our relationship with such a source"
            " terminates.",
            None,
        ),
        ("This Agreement shall terminate upon the later of (a) 10 years after the date hereof or (b) a sale.", None),
        ("The terms of this Undertaking and obligations hereunder shall expire two years from its date.", None),
        ("This Agreement shall remain in effect for a period of three (3) years.", "3 years"),
        ("This Agreement shall remain in force for five years.", "5 years"),
        ("The Agreement starts today and continues for an initial term of thirty-six (36)\nmonths.", "36 months"),
        ("The term of this Agreement shall commence today and continue for ten (10) years, unless ended.", "10 years"),
        ("Term. This Agreement is valid for 3 years from the date of signing.", "3 years"),
        ("This Agreement shall expire two (2) years after the later of (i) the execution hereof.", None),
    ],
)
def test_how_long_it_lasts(clause, length):
    assert value(f"AGREEMENT\n{clause}\n", TERM) == length


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("AGREEMENT dated as of May 2, 2015 between us.\n", date(2015, 5, 2)),
        ("This Agreement shall enter into force on 17 June 2015 and remain so.\n", date(2015, 6, 17)),
        ("This Agreement is effective as of 7 June 2016 (the “Effective Date”).\n", date(2016, 6, 7)),
        ("January 9, 2012\nOak, Inc.\n12 Mill Road\nLadies and Gentlemen:\nYou agree.\n", date(2012, 1, 9)),
        ("We agree.\n" * 400 + "/s/ A. Oak\nDate: May 3, 2012\n/s/ B. Elm\nDate: May 8, 2012\n", date(2012, 5, 8)),
        ("The parties recall the merger agreement dated as of May 2, 2015 with Elm.\n", None),
        ("Exhibit 10.1\nMarch 15, 2016\nAGREEMENT\nElm LLC\nYou agree.\n", date(2016, 3, 15)),
        ("Elm LLC\n1 Hill Street\nMarch 15, 2016\nOak, Inc.\n12 Mill Road\nGentlemen:\nYou agree.\n", None),
        ("March 15, 2016\nOak, Inc.\nGentlemen:\n" + "You agree.\nOak, Inc.\nMarch 15, 2016\nPage 2\n" * 3, None),
        ("We agree.\n" * 400 + "We executed this Agreement on this 2\nnd DAY OF May, 2015.\n", date(2015, 5, 2)),
        (
            "We agree.\n"
            * 400
            + "This letter supersedes all agreements, such as the parties’ Old Agreement dated as of "
            "May 2, 2015.\n",
            None,
        ),
    ],
)
def test_since_when_it_holds(text, day):
    assert value(text, START) == day


BETWEEN = "THIS AGREEMENT is between Oak, Inc. (“Oak”) and Elm LLC (“Elm”). The parties agree."
AMONG = "by and among Oak Bank (“Oak”), Elm Ltd. (“Elm”) and Ida Ash (“Ash”), each a party."
BY_LETTER = "May 1, 2010\nElm Partners, LLC\n1 Hill St\nGentlemen:\nOak Foods, Inc. (the “Company”) will share.\n"
SIGNED = "As a condition of my work for Oak Foods, Inc. (the “Company”), I agree.\n/s/ Ida Ash\n"
NUMBERED = "made between:\n1. Oak Foods Limited, a company of Kent; and\n2. Elm Company, a company of Rome.\n"
BRACKETED = (
    'BETWEEN\n(1) OAK & SONS LIMITED, a company registered in England (no. 04419921), 9 Mill Lane ("Oak"); and\n'
    '(2) ELM B.V., a company of Delft ("Elm").\n'
)
STACKED = (
    "among\nOAK HOLDINGS PLC,\na public limited company incorporated in England and Wales,\nELM STUDIOS GMBH,\n"
    "a company organised under the laws of Germany,\nand\nASH FILM K.K.,\na Japanese stock company\n"
)
DASHED = 'BETWEEN:\nOAK INC., a corporation of Yukon\n("Oak")\n- and -\nELM LTD., a corporation of Alberta\n("Elm")\n'
FORM = "AGREEMENT\nDisclosing Party:   Oak Gear, Inc.\nReceiving Party:    Elm Textiles Co., Ltd.\n"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (BETWEEN, ("Oak, Inc.", "Elm LLC")),
        (AMONG, ("Oak Bank", "Elm Ltd.", "Ida Ash")),
        (BY_LETTER, ("Elm Partners, LLC", "Oak Foods, Inc.")),
        (SIGNED, ("Oak Foods, Inc.", "Ida Ash")),
        (NUMBERED, ("Oak Foods Limited", "Elm Company")),
        (BRACKETED, ("OAK & SONS LIMITED", "ELM B.V.")),
        (STACKED, ("OAK HOLDINGS PLC", "ELM STUDIOS GMBH", "ASH FILM K.K.")),
        (DASHED, ("OAK INC.", "ELM LTD.")),
        (FORM, ("Oak Gear, Inc.", "Elm Textiles Co., Ltd.")),
        ("Disclosing Party: Oak Gear, Inc.\nThe Receiving Party shall be silent.\n", None),
        ("Oak, Ltd\nwww.oak.example\nMay 1, 2010\nOak Ltd.\n1 Hill St\nDear Sirs:\nWe agree.\n", None),
    ],
)
def test_the_parties(text, names):
    assert value(text, PARTY) == names


@pytest.mark.parametrize(
    ("field", "kind"),
    [
        (COMPANY, "issuer"),
        ({"name": "customer", "type": "STRING"}, "addressee"),
        ({"name": "name", "type": "STRING", "tags": ["organization"], "description": "Who issued it"}, "issuer"),
        ({"name": "advertiser", "type": "STRING", "tags": ["organization"], "labels": ["Advertiser"]}, None),
        ({"name": "supplier_id", "type": "STRING"}, None),
        ({"name": "buyer_address", "type": "STRING", "tags": ["address"]}, "addressee_address"),
        ({"name": "issue_date", "type": "DATE"}, None),
        ({"name": "total", "type": "DECIMAL"}, None),
        (TERM, "term"),
    ],
)
def test_what_a_field_asks_for(field, kind):
    canonical = adapt(contract(field)).fields[0]
    assert kind_of(canonical) == kind
    assert reads_own_labels(canonical) == (kind in ("issuer", "addressee", "term"))


PIECES = st.sampled_from(
    [
        *("Oak Ltd", "SDN BHD", "Verkäufer", "Käufer:", "Name:", "12 Mill Road", "04109 Leipzig", "Herrn", "LOT 5,"),
        *("between", "and", "(“Oak”)", "laws of", "Texas", "governed by", "two (2) years", "term of this Agreement"),
        *("dated as of", "May 2, 2015", "/s/ Ida Ash", "Welcome to", "Dear Sir:", "EUR", "$ 3.00", "Ｗ", "\xa0"),
        *("  ", "\n", "\n\n", ":", ",", "(", ")", "&"),
    ]
)


@settings(max_examples=150)
@given(st.lists(PIECES, max_size=40).map(" ".join))
def test_whatever_the_page_holds_values_are_grounded(text):
    assert_grounded(text, resolve(text, *ALL))


@pytest.mark.parametrize(
    "piece",
    [" ", ",", "(", "A ", "Oak & ", "laws of ", "between ", "two years ", "1 Mill Road\n", "Name: \n", "May 2, 2015 "],
)
def test_long_pages_take_no_longer_than_their_length(piece):
    def seconds(count):
        start = time.process_time()
        resolve(piece * count, *ALL)
        return time.process_time() - start

    seconds(100)
    count = 10_000 // len(piece)
    assert seconds(4 * count) < max(1.0, 8 * seconds(count))


DAY = {"name": "invoice_date", "type": "DATE"}


@pytest.mark.parametrize(
    ("line", "value", "band"),
    [
        ("3 May 2024", date(2024, 5, 3), "HIGH"),
        ("Berlin, 3 May 2024", date(2024, 5, 3), "HIGH"),
        ("Berlin, den 3. Mai 2024", date(2024, 5, 3), "HIGH"),
        ("Acme   3 May 2024", date(2024, 5, 3), "HIGH"),
        ("Born 3 May 1999", date(1999, 5, 3), "MEDIUM"),
        ("Please pay before 10 January 2025", None, "UNTRUSTED"),
        ("Our offices are closed on 24.12.2024.", None, "UNTRUSTED"),
        ("Your call of 14 June 2024", None, "UNTRUSTED"),
        ("Delivery expected 5 May 2024", None, "UNTRUSTED"),
        ("Bei Zahlung bis 10.01.2025 2% Skonto", None, "UNTRUSTED"),
        ("Livraison souhaitée : 20 juin 2024", None, "UNTRUSTED"),
        ("Livraison : 20 juin 2024", None, "UNTRUSTED"),
        ("Order ref: KB-77 dated 1 Feb 2024", None, "UNTRUSTED"),
    ],
)
def test_a_lone_date_is_that_of_the_paper_only_where_no_words_lead_to_it(line, value, band):
    result = resolve(f"Acme GmbH\n{line}\nHello", DAY)["invoice_date"]
    assert (result.value, result.confidence_band.value) == (value, band)


def test_chinese_parties_keep_to_their_labels():
    text = "购买方名称：上海晨光贸易有限公司\n销售方名称：杭州云帆科技有限公司"
    fields = {"name": "seller", "type": "STRING"}, {"name": "buyer", "type": "STRING"}
    assert values(text, *fields) == {"seller": "杭州云帆科技有限公司", "buyer": "上海晨光贸易有限公司"}


def test_a_name_under_the_heading_of_the_buyer_is_not_the_issuers():
    assert values("Rechnung an:\nBeta AG\nHafenstr. 1\n20457 Hamburg", {"name": "seller", "type": "STRING"}) == {
        "seller": None
    }


def test_a_heading_may_explain_itself_in_brackets():
    assert values("Buyer (Bill to):\nBeta AG\nHafenstr. 1", {"name": "buyer", "type": "STRING"}) == {"buyer": "Beta AG"}


def test_notes_have_no_issuer():
    assert values("Meeting notes\nwe met today", {"name": "supplier", "type": "STRING"}) == {"supplier": None}


@pytest.mark.parametrize("heading", ["Description    Qty   Price", "Item   Quantity   Amount"])
def test_the_headings_of_items_are_no_names_and_what_stands_below_them_neither(heading):
    text = f"{heading}\nWidget         1      5.00\nBolt           3      6.00\nNut            4      4.00\n"
    assert values(text, SELLER) == {"seller_name": None}


@pytest.mark.parametrize("name", ["haendler", "saljare", "arbeitgeber", "issuer"])
def test_who_issued_a_paper_has_names_in_many_languages(name):
    text = "Holz & Span GmbH\nMühlweg 2\n04109 Leipzig\n\nSumme 5,00\n"
    assert values(text, {"name": name, "type": "STRING"}) == {name: "Holz & Span GmbH"}


@pytest.mark.parametrize(
    "text",
    [
        "MIETVERTRAG\n\n§ 1 Mietsache\nMiete 500,00\nKaution 900,00\nGarage 50,00\n",
        "This Lease is made on August 12, 2024 between Oakline Properties LLC\nRent 500.00\nFee 5.00\nTax 4.00\n",
        "Policy Schedule\nHH/4471902\nPremium 312.40\nTax 37.49\nTotal 349.89\n",
    ],
)
def test_titles_sentences_and_codes_are_no_names(text):
    assert values(text, SELLER) == {"seller_name": None}


def test_the_address_under_the_issuers_name_is_not_the_buyers():
    text = "LA ESQUINA\nLA ESQUINA ALIMENTACION S.L.\nAvda. de la Paz 31\n41013 Sevilla\n\nTOTAL 4,22\n"
    assert values(text, SELLER, BUYER) == {"seller_name": "LA ESQUINA ALIMENTACION S.L.", "buyer_name": None}


def test_the_state_of_colorado_is_no_legal_form():
    text = "Alpine Bikes\n12 Canyon Road\nBoulder, CO 80301\n\nTotal 5.00\nTax 1.00\nDate 1/2/2024\n"
    assert values(text, SELLER) == {"seller_name": "Alpine Bikes"}


def test_a_salutation_is_no_name():
    text = "Hi Jonas,\n\nAmount: 5.00\nDate: 4 May 2024\nNext billing: 4 May 2025\n"
    assert values(text, SELLER) == {"seller_name": None}


JOURNEY = """\
Moor Rail

From    Leeds     Departs   09:14
To      York      Arrives   11:27
Coach   B      Seat  42
Paid £5.00
"""
SLIP = "Hill Cars\nTAXI RECEIPT\nDate: 1/9/23\nFrom: Piccadilly\nTo: Airport\nFare: £32.00\nDriver: 44\n"
BROKEN = "TRATTORIA DA NELLO\ndi Bianchi Nello & C. S.n.c.\nVia dei Neri 41\n50122 Firenze\nTotale 5,00\n"
PLATE = "TAXI PARISIEN G7\nImmat. AB-123-CD\nDate 05/11/2022\nDistance 18,4 km\nTotal 41,20 EUR\n"


@pytest.mark.parametrize(
    ("text", "seller"),
    [
        (JOURNEY, "Moor Rail"),
        (SLIP, "Hill Cars"),
        ("From: Oak & Sons\n12 Mill Road\nLeeds LS1 4AP\nInvoice 5\n", "Oak & Sons"),
        (BROKEN, "TRATTORIA DA NELLO di Bianchi Nello & C. S.n.c."),
        (PLATE, "TAXI PARISIEN G7"),
        ("RADIOTAXI 3570\nRicevuta n. 118\nData 02/10/2023\nTotale 24,50\n", "RADIOTAXI 3570"),
        ("喫茶店\u3000やまびこ\n2023年4月2日\nコーヒー豆 345円\n合計 345円\n", "喫茶店 やまびこ"),
    ],
)
def test_the_start_of_a_journey_the_plate_of_a_car_and_half_a_name_are_no_issuer(text, seller):
    assert values(text, SELLER) == {"seller_name": seller}


LETTERHEAD = "Harrow & Pike LLP\n8 Bedford Row, London WC1R 4BX\n\n19 February 2024\n\nMr J Collins\n14 Canal Street\n"


@pytest.mark.parametrize(
    ("text", "sender"),
    [
        (f"{LETTERHEAD}Manchester M1 3HE\n\nDear Mr Collins,\n", "Harrow & Pike LLP"),
        ("PARCELS LTD\nSender        Recipient\nFoo Ltd       Bar Ltd\n1 Main St     2 Hill St\n", "Foo Ltd"),
    ],
)
def test_who_sends_a_letter_issued_it(text, sender):
    assert values(text, {"name": "sender", "type": "STRING", "required": True}) == {"sender": sender}


def test_a_list_of_prices_is_no_address():
    text = "CITY CABS\nTrip 7 mi\nFARE        $21.80\nEXTRAS       $1.50\nTOLLS        $6.94\nAUTH 004518\n"
    assert values(text, BUYER) == {"buyer_name": None}


@pytest.mark.parametrize(
    ("text", "value", "confidence"),
    [
        ("If you pay by 10 May 2025 you save 5 EUR.", None, 0.0),
        ("Customers who pay by 10 May 2025 receive a 5% rebate.", None, 0.0),
        ("We ask you to pay by 10 May 2025.", date(2025, 5, 10), 0.75),
        ("Please pay by 10 May 2025.", date(2025, 5, 10), 0.8),
        ("Please pay EUR 100 by 1 June 2025 and EUR 100 by 1 July 2025.", None, 0.0),
        ("Payment received by 4 March 2025 with thanks.", None, 0.0),
        ("Payment must be received by 4 March 2025.", date(2025, 3, 4), 0.75),
    ],
)
def test_a_sentence_about_payment_is_read_as_one(text, value, confidence):
    contract = {"id": "c", "version": "1", "fields": [{"name": "due_date", "type": "DATE", "required": True}]}
    found = paxman.normalize(text, contract)["due_date"]
    assert (found.value, found.confidence) == (value, confidence)


@pytest.mark.parametrize("text", ["The term of this agreement is two (3) years.", "Term: two (3) years"])
def test_a_term_in_words_and_other_figures_has_two_readings(text):
    field = {"name": "term", "type": "STRING", "required": True, "tags": ["duration"]}
    found = paxman.normalize(text, {"id": "c", "version": "1", "fields": [field]})["term"]
    assert (found.value, [note.code for note in found.diagnostics], found.diagnostics[0].message) == (
        "3 years",
        ["AMBIGUOUS_VALUE", "CONFLICT", "LOW_CONFIDENCE"],
        "can be read as 3 years or 2 years; its words and figures differ",
    )


NAME_AND_ADDRESS = [
    {"name": "company", "type": "STRING", "required": True, "tags": ["organization"]},
    {"name": "address", "type": "STRING", "required": True, "tags": ["address"]},
]


@pytest.mark.parametrize(
    "beside",
    [
        ("JOIN OUR CLUB", "FOLLOW US ON FACEBOOK", "& TWITTER"),
        ("Invoice no     123", "Date           24/03/2018", "Customer       77"),
        ("Invoice no: 123", "Date: 24/03/2018", "Customer: 77"),
        ("ITEM  QTY  TOTAL", "PEN  1  8.70", "TOTAL AMOUNT: 8.70"),
    ],
)
def test_an_address_keeps_to_its_column(beside):
    own = ("ALDER SDN BHD", "NO.128G JLN SS21/35", "47400 SELANGOR")
    text = "".join(f"{one:34}{other}\n" for one, other in zip(own, beside, strict=True)) + "TAX INVOICE\n"
    found = paxman.normalize(text, {"id": "c", "version": "1", "fields": NAME_AND_ADDRESS})
    read = [(found[name].value, found[name].confidence_band.value) for name in ("company", "address")]
    assert read == [("ALDER SDN BHD", "HIGH"), ("NO.128G JLN SS21/35 47400 SELANGOR", "HIGH")]


def test_of_addresses_in_two_columns_none_is_sure():
    text = "Alder Ltd                    Birch Ltd\n12 Main Street               45 Oak Avenue\n"
    text += "London SW1A 1AA              Leeds LS1 4AP\nINVOICE\n"
    found = paxman.normalize(text, {"id": "c", "version": "1", "fields": NAME_AND_ADDRESS})["address"]
    assert (found.value, found.confidence_band.value) == ("12 Main Street London SW1A 1AA", "MEDIUM")


def test_an_address_does_not_go_on_in_a_column_that_begins_beside_its_last_line():
    text = "Alder AB                       FAKTURA\nStorgatan 14\n903 26 Umeå                    Fakturanummer   17\n"
    text += (
        "                               Fakturadatum    2024-03-14\nBirch AB                       Kundnummer      33\n"
    )
    found = paxman.normalize(text, {"id": "c", "version": "1", "fields": NAME_AND_ADDRESS})["address"]
    assert found.value == "Storgatan 14 903 26 Umeå"


def test_wide_gaps_in_an_address_are_no_columns():
    text = "Alder Ltd\nNo 12,      Main Street\nOld Mill,   Leeds LS1 4AP\nTotal: 8.70\n"
    found = paxman.normalize(text, {"id": "c", "version": "1", "fields": NAME_AND_ADDRESS})["address"]
    assert (found.value, found.confidence_band.value) == ("No 12, Main Street Old Mill, Leeds LS1 4AP", "HIGH")


@pytest.mark.parametrize(
    ("lines", "address"),
    [
        (("NO 12    JALAN SS 2/24", "47300    PETALING JAYA"), "NO 12 JALAN SS 2/24 47300 PETALING JAYA"),
        (
            ("LOT 12    JALAN SS 2/24", "47300     PETALING JAYA", "SELANGOR"),
            "LOT 12 JALAN SS 2/24 47300 PETALING JAYA SELANGOR",
        ),
        (("No. 4711       Main Street", "3 May          Leeds LS1 2AB"), "Main Street Leeds LS1 2AB"),
    ],
)
def test_a_house_set_apart_from_its_street_belongs_to_the_address(lines, address):
    text = "\n".join(("ALDER SDN BHD", *lines, "TAX INVOICE", "Total: 8.70\n"))
    found = paxman.normalize(text, {"id": "c", "version": "1", "fields": NAME_AND_ADDRESS})["address"]
    assert (found.value, found.confidence_band.value) == (address, "MEDIUM")


def test_the_block_of_a_second_company_is_not_the_address_of_the_first():
    text = "Acme Ltd\n12 High Street\nLondon NW1 6XE\n\nBeta Ltd\n4 Low Road\nLeeds LS1 4AP\n\nInvoice\n"
    field = {"name": "seller_address", "type": "STRING", "tags": ["address"]}
    assert value(text, field) == "12 High Street London NW1 6XE"
    assert value("We walked a lot.\nNothing else to say.\n", field) is None


@pytest.mark.parametrize(
    ("body", "price"),
    [
        ("<h1>Flat Cap</h1><div>£48.00</div><p>Wool scarf £32.00</p><p>Free delivery over £60</p>", "48.00 GBP"),
        ("<h1>Cap</h1><div>£48.00</div><div>Scarf</div><div>£32.00</div>", "None"),
        ("<dl><dt>Deposit</dt><dd>£500.00</dd></dl>", "None"),
        ("<div>Total</div><div>£500.00</div>", "None"),
        ("<p>Free shipping over £50</p>", "None"),
    ],
)
def test_the_only_amount_with_a_line_for_itself_is_the_price_of_a_page(body, price):
    found = resolve(f"<html><body>{body}</body></html>", {"name": "price", "type": "MONEY"})["price"]
    assert (str(found.value), found.confidence_band) == (
        price,
        ConfidenceBand.UNTRUSTED if price == "None" else ConfidenceBand.MEDIUM,
    )


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Contract term   24 months\nNotice period   3 months\n", "contract_term", ("24 months", "HIGH")),
        ("Loan term    60 months\nRate   4.5%\n", "loan_term", ("60 months", "HIGH")),
        ("Term\t36 months\n", "term", ("36 months", "HIGH")),
        ("Term\n36 months\n", "term", ("36 months", "HIGH")),
        ("Term    two (3) years\n", "term", ("3 years", "MEDIUM")),
        ("Payment term   30 days\n", "term", (None, "UNTRUSTED")),
        ("Term\nIt is kept for five years after the end.\n", "term", (None, "UNTRUSTED")),
    ],
)
def test_a_term_may_be_all_that_stands_at_its_label(text: str, name: str, expected: tuple[str | None, str]) -> None:
    field = {"name": name, "type": "STRING", "required": False, "tags": ["duration"]}
    found = paxman.normalize(text, {"id": "deal", "version": "1", "fields": [field]})[name]
    assert (found.value, found.confidence_band.value) == expected


@pytest.mark.parametrize(
    ("line", "name", "outcome"),
    [
        ("To: bob@buyer.example", "seller_email", (None, "UNTRUSTED")),
        ("To: bob@buyer.example", "sender_email", (None, "UNTRUSTED")),
        ("An: Bob Berg <bob@buyer.example>", "seller_email", (None, "UNTRUSTED")),
        ("À: bob@buyer.example", "seller_email", (None, "UNTRUSTED")),
        ("To: bob@buyer.example", "email", ("bob@buyer.example", "MEDIUM")),
        ("Ordered by: jo@buyer.example", "seller_email", (None, "UNTRUSTED")),
        ("Powered by Till Ltd, help@till.example", "seller_email", (None, "UNTRUSTED")),
        ("Complaints: board@fair.example", "seller_email", ("board@fair.example", "MEDIUM")),
        ("Billing enquiries: pay@alder.example", "seller_email", ("pay@alder.example", "HIGH")),
        ("Questions? Write to pay@alder.example", "seller_email", ("pay@alder.example", "HIGH")),
        ("Tel: 020 7946 0001, pay@alder.example", "seller_email", ("pay@alder.example", "HIGH")),
        ("Payer account: GB29NWBK60161331926819", "seller_iban", (None, "UNTRUSTED")),
        ("Refund to: GB29NWBK60161331926819", "seller_iban", (None, "UNTRUSTED")),
        ("Paid to account: GB29NWBK60161331926819", "iban", ("GB29NWBK60161331926819", "MEDIUM")),
        ("Pay to: GB29NWBK60161331926819", "seller_iban", ("GB29NWBK60161331926819", "HIGH")),
        ("Bank: Barclays GB29NWBK60161331926819", "seller_iban", ("GB29NWBK60161331926819", "HIGH")),
    ],
)
def test_the_only_address_or_account_may_be_labelled_as_somebody_elses(line, name, outcome):
    found = resolve(f"Alder Ltd\n\n{line}\n\nTotal: £3.00\n", {"name": name, "type": "STRING"})[name]
    assert (found.value, found.confidence_band.value) == outcome
