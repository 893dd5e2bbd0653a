"""What agreements say of themselves, and what they say of other papers and of those who sign."""

from datetime import date

import pytest

import paxman
from paxman.types import ConfidenceBand

START = {"name": "effective_date", "type": "DATE", "required": False, "labels": ["Effective date"]}


LAW = {"name": "jurisdiction", "type": "STRING", "required": False, "tags": ["region"]}
PARTY = {"name": "party", "type": "ARRAY", "required": False, "tags": ["party"]}


def result(text, field):
    return paxman.normalize(text, {"id": "paper", "version": "1", "fields": [field]})[field["name"]]


SIGNED = 'AGREEMENT\n\nThis Agreement is by and between Oak, Inc. (the "Company") and Elm LLC (the "Recipient").\n'
OWN = "This Agreement is dated as of May 2, 2015.\n"


@pytest.mark.parametrize(
    "said",
    [
        "The parties have signed a letter of intent dated as of June 3, 2011 about a sale.",
        "They are bound by the license agreement, dated as of June 3, 2011.",
        "They keep to a lease made as of June 3, 2011.",
        "Both have entered into that certain Lease, effective as of June 3, 2011 (the “Lease”).",
        "It supersedes the Agreement dated June 3, 2011.",
        "We refer to your indication of interest dated June 3, 2011.",
        "The master lease is dated June 3, 2011.",
        "Oak knows of the deed, which was executed on June 3, 2011.",
    ],
)
def test_the_date_of_another_paper_is_not_that_of_this_one(said):
    assert result(f"{SIGNED}{said}\n", START).value is None
    for text in (f"{SIGNED}{said}\n{OWN}", f"{SIGNED}{OWN}{said}\n"):
        found = result(text, START)
        assert (found.value, found.confidence_band) == (date(2015, 5, 2), ConfidenceBand.HIGH)


@pytest.mark.parametrize(
    "opening",
    [
        "This Employment Agreement, dated as of May 2, 2015, is between Oak, Inc. and Ida Ash.",
        "Employment Agreement dated as of May 2, 2015 (this “Agreement”) between Oak, Inc. and Ida Ash.",
        "This First Amendment to the Lease (this “Amendment”), dated as of May 2, 2015, is between us.",
        "This Amendment to the License Agreement is made as of May 2, 2015 between us.",
        "THIS AMENDMENT TO THE LEASE, dated as of June 3, 2011, is made as of May 2, 2015.",
        "This Agreement, which supersedes the Agreement dated June 3, 2011, is made on May 2, 2015.",
        "This Agreement by and between Oak, Inc., an Ohio corporation, and Elm, a company, dated as of May 2, 2015.",
        "Effective date of this Agreement: May 2, 2015",
        "This is an Agreement, entered into on May 2, 2015, between us.",
        "This Agreement by Oak, Inc. and the shareholders is effective as of May 2, 2015.",
        "Dieser Vertrag zwischen der Oak GmbH und der Elm AG vom 2. Mai 2015 gilt.",
        "The parties have executed this Agreement as of May 2, 2015.",
    ],
)
def test_what_a_paper_says_of_itself_is_its_date(opening):
    found = result(f"AGREEMENT\n\n{opening}\n", START)
    assert (found.value, found.confidence_band) == (date(2015, 5, 2), ConfidenceBand.HIGH)


def test_a_verb_parts_this_paper_from_another_without_an_article():
    found = result(f"{SIGNED}This Agreement replaces Purchase Order No. 12 dated June 3, 2011.\n{OWN}", START)
    assert (found.value, found.confidence_band) == (date(2015, 5, 2), ConfidenceBand.HIGH)


@pytest.mark.parametrize(
    ("said", "band"),
    [
        ("This certificate confirms cover. The policy is effective from May 2, 2015.", ConfidenceBand.HIGH),
        ("This list replaces others. The prices become effective on May 2, 2015.", ConfidenceBand.HIGH),
        ("This letter is an offer. Your title is effective as of May 2, 2015.", ConfidenceBand.HIGH),
        ("This Agreement amends the lease, effective as of May 2, 2015.", ConfidenceBand.MEDIUM),
    ],
)
def test_what_becomes_effective_need_not_be_this_paper(said, band):
    found = result(f"{said}\n", START)
    assert (found.value, found.confidence_band) == (date(2015, 5, 2), band)


def test_the_last_of_those_who_sign_tells_the_date():
    found = result(f"{SIGNED}By: /s/ A. Oak\nDate: May 1, 2015\n\nBy: /s/ B. Elm\nDate: May 2, 2015\n", START)
    assert (found.value, found.confidence_band) == (date(2015, 5, 2), ConfidenceBand.MEDIUM)


def test_a_paper_that_opens_without_a_word_for_itself_is_less_sure():
    found = result("LEASE AGREEMENT\nThe Lease Agreement made on May 2, 2015 between Oak, Inc. and Elm LLC.\n", START)
    assert (found.value, found.confidence_band) == (date(2015, 5, 2), ConfidenceBand.MEDIUM)


@pytest.mark.parametrize(
    "name",
    [
        "salestorm.com, inc.",
        "E*Markets Corporation",
        'Toys "U" Like, Inc.',
        'Blue Sky "U" Like, Inc.',
        "@road, inc.",
        "i2 Tools, Inc.",
        "A|B Tools, Inc.",
        "deCODE Labs",
        "x.ai",
        "adidas AG",
        "van der Meer B.V.",
        "Offshore and Marine Holdings LLC",
    ],
)
@pytest.mark.parametrize(
    "clause",
    [
        "by and between {} (the “Company”) and Oak, Inc. (the “Recipient”).",
        "between Oak, Inc. (“Oak”) and {} (the “Recipient”).",
        'between {}, a Delaware corporation (the "Company"), and Oak, Inc. ("Oak").',
    ],
)
def test_a_party_is_what_stands_in_its_place(name, clause):
    found = result(f"AGREEMENT\nThis Agreement is made {clause.format(name)}\n", PARTY).value
    assert sorted(found) == sorted([name, "Oak, Inc."])


@pytest.mark.parametrize(
    "clause",
    [
        "between the undersigned (the “Company”) and you (the “Recipient”).",
        "between your company (the “Company”) and each employee (“Employee”).",
        "by and between XXXX (the “Company”) and ________ (“Recipient”).",
        "between us (“we”) and all users of the site (the “Users”).",
        "between price (“P”) and cost (“C”).",
    ],
)
def test_what_names_nobody_is_no_party(clause):
    assert result(f"AGREEMENT\nThis Agreement is made {clause}\n", PARTY).value is None


@pytest.mark.parametrize(
    ("named", "region", "band"),
    [
        ("the Province of Ontario, Canada", "Ontario", ConfidenceBand.HIGH),
        ("England & Wales", "England & Wales", ConfidenceBand.HIGH),
        ("the Kingdom of the Netherlands", "Netherlands", ConfidenceBand.HIGH),
        ("the Swiss Confederation", "Switzerland", ConfidenceBand.HIGH),
        ("the PRC", "PRC", ConfidenceBand.HIGH),
        ("the Free State of Bavaria", "Bavaria", ConfidenceBand.HIGH),
        ("the Canton of Zurich", "Zurich", ConfidenceBand.MEDIUM),
        ("the Canton of Geneva, Switzerland", "Geneva", ConfidenceBand.MEDIUM),
        ("the Province of Buenos Aires", "Buenos Aires", ConfidenceBand.MEDIUM),
    ],
)
def test_states_by_what_they_are_called(named, region, band):
    found = result(f"AGREEMENT\nThis Agreement is governed by the laws of {named}.\n", LAW)
    assert (found.value, found.confidence_band) == (region, band)


@pytest.mark.parametrize(
    "said",
    ["the State of the Company’s incorporation", "the State of ________", "the state of its birth", "the Territory"],
)
def test_a_state_without_a_name_stays_open(said):
    assert result(f"AGREEMENT\nThis Agreement is governed by the laws of {said}.\n", LAW).value is None


@pytest.mark.parametrize(
    ("clause", "region"),
    [
        ("The parties submit to the jurisdiction of the courts of Paris, France.", "France"),
        ("The courts of England & Wales shall have jurisdiction.", "England & Wales"),
        ("Disputes are settled by the courts of the Canton of Zurich.", "Zurich"),
        ("A court of competent jurisdiction may decide.", None),
        ("The courts of New York have jurisdiction. The laws of Ohio govern this Agreement.", "Ohio"),
    ],
)
def test_courts_tell_the_jurisdiction_where_no_law_does(clause, region):
    assert result(f"AGREEMENT\n{clause}\n", LAW).value == region


PROVIDER = {"name": "provider", "type": "STRING", "required": True}


@pytest.mark.parametrize(
    "title",
    [
        "Services Agreement",
        "MASTER SERVICES AGREEMENT No. 4",
        "Residential Lease",
        "Letter of Intent",
        "Articles of Incorporation",
        "Dienstleistungsvertrag",
        "Contrat de bail",
        "PROMISSORY NOTE",
        "Order Form",
        "Term Sheet",
        "Bon de commande",
    ],
)
def test_the_title_of_a_paper_is_no_party(title):
    assert (
        result(
            f"{title}\n\nProvider shall deliver 5 units on 3 May 2014.\nFee: 500.00 EUR\nIt is paid within 30 days.\n",
            PROVIDER,
        ).value
        is None
    )


@pytest.mark.parametrize(
    "name", ["Agreement Labs", "Lease Plan", "Vertragswerkstatt Maier", "Terms Cafe", "Blue Note", "Tall Order"]
)
def test_a_name_may_hold_the_word_for_a_paper(name):
    text = f"{name}\n12 High Street\nLeeds LS1 4AB\nTel 0113 496 0000\nReceipt 4 May 2024\nTotal 5.00 GBP\n"
    assert result(text, PROVIDER).value == name


def test_a_title_over_a_company_is_not_taken_for_it():
    found = result("SECURED LOAN NOTE\n\nAcme Trading Ltd\n1 High Street, Leeds LS1 1AA\n\nTotal 100.00\n", PROVIDER)
    assert (found.value, found.confidence_band) == ("Acme Trading Ltd", ConfidenceBand.HIGH)


@pytest.mark.parametrize("title", ["Promissory Note", "Order Form", "Statement of Work"])
def test_a_paper_with_an_alias_is_no_party(title):
    text = f"This is between the parties: {title} (the “Paper”) and Oak, Inc. (“Oak”) and Elm LLC (“Elm”).\n"
    assert result(text, PARTY).value == ("Oak, Inc.", "Elm LLC")


@pytest.mark.parametrize(
    ("clause", "region"),
    [
        ("This Agreement shall be governed under the laws in the State of Georgia.", "Georgia"),
        ("Dieser Vertrag untersteht dem Recht der Bundesrepublik Deutschland.", "Deutschland"),
        ("Las partes se someten a las leyes de los Estados Unidos Mexicanos.", "Estados Unidos Mexicanos"),
        ("Any dispute shall be resolved under the law of the Commonwealth of Pennsylvania.", "Pennsylvania"),
        ("This Agreement is made in the State of Michigan and governed by the laws of that State.", "Michigan"),
        ("It was signed in the State of Kansas and shall be governed under the laws of said state.", "Kansas"),
        ("Oak of Maine and Elm of Ohio are governed by the laws of said state.", None),
        ("New York law applies.", "New York"),
        ("The laws of the State of Nevada shall apply to this Agreement.", "Nevada"),
        ("If New York law applies, the fee is doubled.", None),
        ("New York law applies to the plant.", None),
        ("The tax laws of France apply.", None),
        ("Oak of Ohio is governed at all times by the securities laws of such state.", None),
        ("This Agreement is governed by good faith. Oak is a company organized under the laws of Delaware.", None),
        ("Es gilt deutsches Recht.", "Germany"),
        ("Auf diesen Vertrag findet österreichisches Recht Anwendung.", "Austria"),
        ("Dieser Vertrag untersteht schweizerischem Recht.", "Switzerland"),
        ("Es gilt die Satzung. Die Alpha AG ist eine Aktiengesellschaft schweizerischen Rechts.", None),
        ("Le présent accord est soumis au droit français.", "France"),
        ("Le contrat est régi par les usages. Alpha est une société de droit suisse.", None),
        ("El presente contrato se regirá por la legislación española.", "Spain"),
        ("Il presente contratto è regolato dalla legge italiana.", "Italy"),
        ("Op deze overeenkomst is Nederlands recht van toepassing.", "Netherlands"),
        ("Umowa podlega prawu polskiemu.", "Poland"),
        ("Die Parteien mögen Schweizer Käse. Recht so.", None),
    ],
)
def test_whose_law_governs_in_other_words(clause, region):
    assert result(f"AGREEMENT\n{clause}\n", LAW).value == region


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Vereinbarung\nDiese Vereinbarung tritt am 1. Juni 2020 in Kraft.", date(2020, 6, 1)),
        ("Accord\nLe présent accord entre en vigueur le 1er juin 2020.", date(2020, 6, 1)),
        ("Contrato\nEn Madrid, a 1 de junio de 2020\n\nLas partes acuerdan.", date(2020, 6, 1)),
        ("GUARANTY\nTHIS GUARANTY (this “Guaranty”) is given as of June 1, 2020 by Ida Ash.", date(2020, 6, 1)),
        ("SUBLEASE\nThis Sublease dated as of June 1, 2020, is made by and between us.", date(2020, 6, 1)),
        ("Dienstvertrag\nDatum: 03.02.2020\nVertragsbeginn: 01.06.2020\nLaufzeit: 24 Monate", date(2020, 6, 1)),
        ("VENDOR AGREEMENT\nDate of Agreement: June 1, 2020\nSigned: J. Ash   Date: June 3, 2020", date(2020, 6, 1)),
        ("Accord\nLes parties rappellent que le bail est conclu le 3 mars 2015.", None),
        ("Accord\nLes parties savent que la loi du 3 mars 2015 entre en vigueur le 1er juin 2015.", None),
        ("Contrato\nAlfa, S.A., constituida en Madrid, a 3 de enero de 2010. Las partes acuerdan.", None),
    ],
)
def test_since_when_it_holds_in_other_words(text, day):
    found = result(text + "\n", START)
    assert (found.value, found.confidence_band is ConfidenceBand.HIGH) == (day, day is not None)


@pytest.mark.parametrize(
    "text",
    [
        "RECHNUNG Nr. 77\nWartungsvertrag 55 vom 3.3.2024\nDie Parteien zahlen in 30 Tagen.\nGesamt 120,00 EUR",
        "INVOICE 55\nService agreement no. 5 dated March 3, 2024\nThe parties agreed.\nTotal 50.00",
        "Ulme GmbH          RECHNUNG\nWartungsvertrag 55 vom 3.3.2024\nDie Parteien zahlen in 30 Tagen.",
        "Mahnung\nWartungsvertrag 55 vom 3.3.2024\nDie Parteien zahlen in 30 Tagen.",
        "Vereinbarung\nDie Parteien wissen es. Das neue Gesetz tritt am 1. Juni 2020 in Kraft.",
        "Accord\nLes parties le savent. La nouvelle loi entre en vigueur le 1er juin 2020.",
    ],
)
def test_a_paper_that_bills_and_a_law_tell_no_start(text):
    assert result(text + "\n", START).value is None


@pytest.mark.parametrize(
    "text",
    [
        "Wartungsvertrag 55 vom 1.6.2020\nDie Parteien zahlen je Rechnung.",
        "Invoice Factoring Agreement dated June 1, 2020\nThe parties agree.",
        "SERVICES AGREEMENT\nInvoice address: 5 Dock Road\nThis Agreement is dated June 1, 2020.",
        "Contrat de bail\nLes parties sont d'accord. Le bail prend effet le 1er juin 2020.",
        "Mietvertrag\nDie Parteien sind sich einig. Er tritt am 1. Juni 2020 in Kraft.",
    ],
)
def test_what_bills_later_or_is_agreed_tells_a_start(text):
    assert result(text + "\n", START).value == date(2020, 6, 1)


def test_the_last_of_the_days_of_signatures_is_a_guess_on_a_short_paper_too():
    found = result(f"{SIGNED}\n/s/ A. Ash      Dated: 07/18/2020\n/s/ B. Elm      Dated: 07/24/2020\n", START)
    assert (found.value, found.confidence_band) == (date(2020, 7, 24), ConfidenceBand.MEDIUM)


def test_the_day_of_an_event_is_no_start():
    assert result(f"{SIGNED}Payment date: May 2, 2015\n", START).value is None
    assert result(f"{SIGNED}Agreement date: May 2, 2015\n", START).value == date(2015, 5, 2)


TERM = {"name": "term", "type": "STRING", "required": False, "tags": ["duration"], "labels": ["term of"]}
HEADS = {
    "de": "Vereinbarung zwischen der Alpha GmbH und der Beta AG. Die Parteien werden es wie folgt einhalten.\n\n",
    "fr": "Accord entre la société Alpha SAS et la société Beta SA. Les parties conviennent de ce qui suit.\n\n",
    "es": "Contrato entre Alfa, S.A. y Beta, S.L. Las partes acuerdan lo que sigue a continuación.\n\n",
    "en": "Agreement between Oak, Inc. and Elm LLC. The parties agree as follows.\n\n",
}


@pytest.mark.parametrize(
    ("language", "clause", "length"),
    [
        ("de", "§ 7 Laufzeit\nDiese Vereinbarung hat eine Laufzeit von drei Jahren.", "3 years"),
        ("de", "Die Vertragslaufzeit beträgt 24 Monate. Sie verlängert sich um 12 Monate.", "24 months"),
        ("de", "Die Pflichten aus dieser Vereinbarung gelten für die Dauer von fünf Jahren nach Beendigung.", None),
        ("de", "§ 5 Dauer\nDer Vertrag kann mit einer Frist von sechs Monaten gekündigt werden.", None),
        ("fr", "Article 4 : Durée\nLe présent bail est consenti pour une durée de neuf années.", "9 years"),
        ("fr", "Les obligations survivent pendant une durée de cinq ans après la fin du contrat.", None),
        ("fr", "La période d'essai du présent contrat est d'une durée de deux mois.", None),
        ("es", "SEGUNDA. DURACIÓN. El plazo del contrato será de un año.", "1 year"),
        ("es", "El plazo de pago del presente contrato será de 30 días.", None),
        (
            "en",
            "The Agreement shall continue, unless terminated under clause 9, for a period of 24 months.",
            "24 months",
        ),
        ("en", "The initial term is ten (10) years from the date hereof.", "10 years"),
        ("en", "The duration of the warranty is two years from delivery.", None),
        ("en", "This Agreement shall have a term of two (2) years.", "2 years"),
        ("en", "An option under this Agreement shall have a term of ten years.", None),
        ("en", "5. Term: 24 months (two (2) years) from the Effective Date.", "24 months"),
        ("en", "4. Term. Three years.", "3 years"),
        ("en", "It is kept for the whole\nduration. Two years ago it was signed.", None),
        ("en", "This Agreement shall terminate after 24 months.", "24 months"),
        ("en", "A party to this Agreement may terminate after 24 months.", None),
        ("en", "The provisions of this letter shall cease to apply on the first anniversary of its date.", "1 year"),
        ("en", "The obligations in this Deed shall lapse two years after its date.", "2 years"),
        ("en", "Claims under this Agreement lapse after one year.", None),
        ("en", "The insurance under this Agreement shall expire after one year.", None),
        ("en", "This Agreement amends the lease, which shall have a term of ten years.", None),
        ("en", "Notice period. Term: 3 months.", None),
        ("en", "The obligations under this Agreement survive for five years thereafter.", None),
        (
            "en",
            "It covers what is told within one year, and the obligations shall continue for three years from its date.",
            "3 years",
        ),
        (
            "en",
            "2. TERMINATION\n(a) If this agreement is for spots of five minutes or more, it may be terminated.",
            None,
        ),
    ],
)
def test_how_long_it_lasts_in_other_words(language, clause, length):
    assert result(f"{HEADS[language]}{clause}\n", TERM).value == length


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "PARTIES\n(1) OAK LIMITED registered in England and Wales with number 05512398 (Customer); and\n"
            "(2) ELM LIMITED whose office is at 2 High Street (Supplier).",
            ("OAK LIMITED", "ELM LIMITED"),
        ),
        (
            "BETWEEN\n(1) Oak LLP of 2 Quay Street (the Assignor)\nAND\n(2) Elm Ltd of 8 Dock Road",
            ("Oak LLP", "Elm Ltd"),
        ),
        ("BETWEEN: Oak Inc. (the “Company”)\nAND: Ida Ash (the “Consultant”)", ("Oak Inc.", "Ida Ash")),
        (
            "between Oak, LLC, hereinafter known as “Owner”, and Ida Ash, hereinafter known as “User”.",
            ("Oak, LLC", "Ida Ash"),
        ),
        ("between Oak Pty Ltd ABN 51 824 753 556 (“Oak”) and Ida Ash (“Ida”)", ("Oak Pty Ltd", "Ida Ash")),
        ("between Golden Oak (Asia) Pte. Ltd. (“Oak”) and Elm, N.A.", ("Golden Oak (Asia) Pte. Ltd.", "Elm, N.A.")),
        ("between La Quinta Inc. and El Paso Corp. as set out here", ("La Quinta Inc.", "El Paso Corp.")),
        (
            "Entre les soussignés :\n\nLa société Orme SARL, ayant son siège à Lyon,\n\net\n\nMadame Eva Pin, Paris,",
            ("Orme SARL", "Eva Pin"),
        ),
        (
            "De una parte, D. Juan Olmo Gil, con DNI 1.\n\nDe otra parte, Fresno del Sur S.L., con CIF 2.",
            ("Juan Olmo Gil", "Fresno del Sur S.L."),
        ),
        ("zwischen\n\nHerrn Udo Ulm, Weg 3, Köln\n\nund\n\nFrau Ida Esche, Köln", ("Udo Ulm", "Ida Esche")),
        (
            'between Oak House, LLC ("Landlord") and Ann Elm and Bob Elm ("Tenants").',
            ("Oak House, LLC", "Ann Elm", "Bob Elm"),
        ),
        ("between M. Oak & Company, Inc. and Elm LLC", ("M. Oak & Company, Inc.", "Elm LLC")),
        ("zwischen\n\nder Ulme GmbH, Weg 1, 70565 Stuttgart\n\nund\n\nder Esche AG, Zürich", ("Ulme GmbH", "Esche AG")),
        (
            "Zwischen\nUlme GmbH, Hamburg\n– im Folgenden „Arbeitgeber“ –\nund\nIda Esche\n– im Folgenden „Ida“ –",
            ("Ulme GmbH", "Ida Esche"),
        ),
        (
            "Entre les soussignés :\n\nLa société Orme SAS, Lyon,\n\nEt\n\nLa société Frêne SARL",
            ("Orme SAS", "Frêne SARL"),
        ),
        ("entre la sociedad Olmo, S.A. y la sociedad Fresno, S.L.", ("Olmo, S.A.", "Fresno, S.L.")),
        (
            "De una parte, Olmo, S.A., con CIF A-28123456 (en adelante, “Olmo”), y de otra Fresno, S.L.",
            ("Olmo, S.A.", "Fresno, S.L."),
        ),
        ("among Oak, Inc., Elm LLC and Ash Corp. as set out", ("Oak, Inc.", "Elm LLC", "Ash Corp.")),
        (
            "between Oak, Inc., an Ohio corporation, Elm LLC, a Texas company, and Ash Corp. as set out",
            ("Oak, Inc.", "Elm LLC", "Ash Corp."),
        ),
        ("between Oak, Inc., Birch Holdings subsidiary, and Elm LLC as set out", ("Oak, Inc.", "Elm LLC")),
        (
            "between Oak Ltd, a company under the laws of England and Wales (“Oak”), and Elm, Inc. (“Elm”)",
            ("Oak Ltd", "Elm, Inc."),
        ),
        ("Landlord: Oak Ltd\nTenant: Ida Ash\nRent: 500.00 GBP", ("Oak Ltd", "Ida Ash")),
        ("Supplier: Oak Ltd\nClient: see the annex", None),
        (
            "between Oak, Inc. (“Oak”) and, Elm Systems Corporation at 1 Dock Road (“Elm”)",
            ("Oak, Inc.", "Elm Systems Corporation"),
        ),
        ("by and between oakTORbio, Inc. (“Oak”) and Ida Ash (“Ida”)", ("oakTORbio, Inc.", "Ida Ash")),
        (
            "For his work at Oak, Inc. (the “Company”) this is made between Ida Ash (“Employee”) and the Company.",
            ("Ida Ash", "Oak, Inc."),
        ),
        (
            "Board of Directors of Elm Corporation\n1 Dock Road\n\nLadies and Gentlemen:\n\nYou may buy Oak, Inc. "
            "(formerly known as Old Oak, Inc.) (together with its subsidiaries, the “Company”).",
            ("Elm Corporation", "Oak, Inc."),
        ),
        ("Oak, Inc. (the “Maker”) promises to pay Elm Bank (the “Holder”) 500.00 USD.", ("Oak, Inc.", "Elm Bank")),
    ],
)
def test_parties_are_named_in_many_ways(text, names):
    assert result(f"AGREEMENT\n\n{text}\n", PARTY).value == names


@pytest.mark.parametrize("name", ["BLUE NOTE", "MADE TO ORDER", "THE REPORT"])
def test_a_shop_named_like_a_paper_keeps_its_name_over_its_trade(name):
    text = f"{name}\nFINE TAILORS\n12 High Street\nLeeds LS1 4AB\nTel 0113 496 0000\n04/05/2024\nTotal 5.00\n"
    assert result(text, PROVIDER).value == name


@pytest.mark.parametrize(
    "title",
    [
        "Nachtrag Nr. 2 zum Mietvertrag vom 3. Juni 2011",
        "Ergänzung des Vertrags vom 3. Juni 2011",
        "Avenant au bail en date du 3 juin 2011",
    ],
)
def test_what_is_added_to_a_paper_does_not_take_its_date(title):
    assert result(f"{title}\n\nDiese Vereinbarung, présent accord, regelt die Miete.\n", START).value is None


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("Notre région vous accueille. Elle aime le droit français.\n", LAW),
        ("Unser Fest findet morgen statt. Wir sind eine Stiftung nach deutschem Recht.\n", LAW),
        ("Data is kept in accordance with the privacy laws in Germany.\n", LAW),
        ("FACTURA 15\nPlazo: 30 días\n", TERM),
        ("Course: Spanish\nDuration: 6 months\n", TERM),
        ("PAYSLIP\nEmployer: Acme Ltd\nEmployee: Jane Doe\n", PARTY),
        ("A match between Carlos Alcaraz (Spain) and Jannik Sinner (Italy).\n", PARTY),
        ("En Madrid, a 12 de marzo de 2024\nReunidos los vecinos, se aprueba el presupuesto.\n", START),
    ],
)
def test_papers_that_nobody_agrees_on_tell_nothing(text, field):
    assert result(text, field).value is None


def test_an_agreement_that_only_speaks_of_a_reminder_tells_its_start():
    text = "Reminder: sign both copies\n\nThis lease is made on 4 May 2018 between Oak Ltd and Jane Doe.\n"
    assert result(text, START).value == date(2018, 5, 4)


LEASE = (
    'LEASE AGREEMENT\nThis Agreement is made on 14 August 2024 between Margaret Anne Foley ("the Landlord") and '
    'Deepak Rao ("the Tenant").\nThe tenancy is for a term of 12 months commencing on 1 September 2024 and ending on '
    "31 August 2025.\nThis Agreement is governed by the laws of Ireland.\n"
)


@pytest.mark.parametrize(
    ("name", "kind", "value"),
    [
        ("landlord", "STRING", "Margaret Anne Foley"),
        ("tenant", "STRING", "Deepak Rao"),
        ("guarantor", "STRING", None),
        ("start_date", "DATE", date(2024, 9, 1)),
        ("end_date", "DATE", date(2025, 8, 31)),
        ("governing_law", "STRING", "Ireland"),
    ],
)
def test_a_lease_tells_in_sentences_what_a_form_has_labels_for(name, kind, value):
    assert result(LEASE, {"name": name, "type": kind, "required": False}).value == value


def test_two_days_on_which_something_begins_tell_none():
    text = LEASE.replace("12 months", "12 months, renewed commencing on 1 September 2025,")
    assert result(text, {"name": "start_date", "type": "DATE", "required": False}).value is None


@pytest.mark.parametrize(
    ("sentence", "day"),
    [
        ("This lease commences on 1 May 2025.", date(2025, 5, 1)),
        ("The trial of the software commences on 1 May 2025.", None),
    ],
)
def test_the_day_on_which_something_else_begins_is_not_that_of_the_agreement(sentence: str, day: object) -> None:
    text = f"LEASE AGREEMENT\n\nThis agreement is made between Ann Foley and Bob Hill. {sentence}\n"
    contract = {"id": "c", "fields": [{"name": "start_date", "type": "DATE", "required": True}]}
    assert paxman.normalize(text, contract)["start_date"].value == day
