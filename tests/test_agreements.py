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
    ],
)
def test_the_title_of_a_paper_is_no_party(title):
    assert (
        result(f"{title}\n\nProvider shall deliver 5 units on 3 May 2014.\nFee: 500.00 EUR\n", PROVIDER).value is None
    )


@pytest.mark.parametrize("name", ["Agreement Labs", "Lease Plan", "Vertragswerkstatt Maier", "Terms Cafe"])
def test_a_name_may_hold_the_word_for_a_paper(name):
    text = f"{name}\n12 High Street\nLeeds LS1 4AB\nTel 0113 496 0000\nReceipt 4 May 2024\nTotal 5.00 GBP\n"
    assert result(text, PROVIDER).value == name
