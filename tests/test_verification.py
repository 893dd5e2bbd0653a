"""An artifact against its document: every span, quote, address and transform, and any of them changed."""

import attrs
import pytest
from hypothesis import given, settings
from pdf_maker import lines, make_pdf

import paxman
from paxman import testing
from paxman.api.verification import verify
from paxman.artifact.artifact import seal
from paxman.documents.document import ByteRange

TEXT = "Invoice no.: INV-7\nDate: 14.03.2025\nTotal: 1.234,56 EUR\nTotal: 99,00 EUR\n"
CONTRACT = {
    "id": "invoice",
    "version": "1",
    "fields": [
        {"name": "number", "type": "STRING", "required": True, "labels": ["Invoice no."]},
        {"name": "date", "type": "DATE", "required": True},
        {"name": "total", "type": "MONEY", "required": True},
        {"name": "twice", "type": "DECIMAL", "required": False, "derive": "total * 2"},
    ],
}


def changed(artifact, path, **changes):
    """The artifact with other evidence for a field, and a hash that fits again: a careful forger."""
    results = []
    for result in artifact.field_results:
        refs = result.evidence_refs
        if result.field_path == path:
            refs = (attrs.evolve(refs[0], **changes), *refs[1:])
        results.append(attrs.evolve(result, evidence_refs=refs))
    return seal(attrs.evolve(artifact, field_results=tuple(results)))


def problems(artifact, source=TEXT, contract=CONTRACT, **more):
    return [(check.field_path, check.problem) for check in verify(artifact, source, contract, **more).problems]


@pytest.mark.parametrize("strict", [False, True])
def test_what_was_just_made_verifies(strict):
    found = verify(paxman.normalize(TEXT, CONTRACT).to_json(), TEXT, CONTRACT, strict=strict)
    assert (found.passed, found.problems, len(found.checks) >= 5 + 4 * strict) == (True, (), True)


PAPER = (
    "AGREEMENT\nThis agreement is made as of June 22,\n2016, by and between Oak Foods,\nInc. and Elm LLC.\n"
    "This agreement shall remain in force for a period of two (2)\nyears from the date hereof.\n"
    "Deposit: 1\u202f234,50 EUR\n"
)
AGREED = {
    "id": "agreement",
    "version": "1",
    "fields": [
        {"name": "effective_date", "type": "DATE", "required": True},
        {"name": "party", "type": "ARRAY", "required": True, "tags": ["party"]},
        {"name": "term", "type": "STRING", "required": True, "tags": ["duration"]},
        {"name": "deposit", "type": "MONEY", "required": True},
        {"name": "made", "type": "STRING", "required": True, "constraints": [
            {"kind": "pattern", "params": {"regex": "made as of"}}]},
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"), [(" ", " "), (" ", "\xa0"), (" ", "\u2009"), ("\n", "\r\n"), ("\n", "   \n"), ("\n", "\n        ")]
)
def test_blanks_of_any_kind_change_no_value_and_are_quoted_as_they_stand(old, new):
    text = PAPER.replace(old, new)
    artifact = paxman.normalize(text, AGREED, policy=paxman.Policy(embed_evidence_payload=True))
    assert {result.field_path: str(result.value) for result in artifact.field_results} == {
        "effective_date": "2016-06-22",
        "party": "('Oak Foods, Inc.', 'Elm LLC')",
        "term": "2 years",
        "deposit": "1234.50 EUR",
        "made": "made as of",
    }
    refs = [ref for result in artifact.field_results for ref in result.evidence_refs]
    assert [ref.quote for ref in refs] == [text[slice(*ref.span)] for ref in refs]
    assert problems(artifact, text, AGREED) == []


def test_data_keep_their_own_blanks():
    contract = {"id": "c", "version": "1", "fields": [{"name": "city", "type": "STRING", "required": True}]}
    (ref,) = paxman.normalize('{"city": "Sankt\xa0Anton"}', contract)["city"].evidence_refs
    assert "blanks" not in ref.transforms


STATEMENT = "Old period 01.02.2022 - 28.02.2022\nPeriod 01.03.2024 - 31.03.2024\nDue date: 12.03.\n"
DUE = {"id": "c", "version": "1", "fields": [{"name": "due_date", "type": "DATE", "required": True}]}


@pytest.mark.parametrize(
    ("step", "found"),
    [
        ("year:2024 of 42-65", []),
        ("year:2024 of 11-34", ["its year does not stand where it says"]),
        ("year:2024 of 0-3", ["its year does not stand where it says"]),
        ("year:2003 of 42-65", ["its year does not stand where it says"]),
        ("year:2024", ["its year does not stand where it says"]),
        ("year:2022 of 11-34", ["its transforms do not give the value"]),
    ],
)
def test_a_year_from_elsewhere_is_looked_up_where_it_stands(step, found):
    artifact = paxman.normalize(STATEMENT, DUE)
    assert artifact["due_date"].evidence_refs[0].transforms == ("year:2024 of 42-65", "date:dmy")
    forged = changed(artifact, "due_date", transforms=(step, "date:dmy"))
    assert [problem for _, problem in problems(forged, STATEMENT, DUE)] == found


def test_a_forged_value_is_noticed_even_with_a_fitting_hash():
    artifact = paxman.normalize(TEXT, CONTRACT)
    forged = seal(
        attrs.evolve(
            artifact,
            field_results=tuple(
                attrs.evolve(result, value="INV-8") if result.field_path == "number" else result
                for result in artifact.field_results
            ),
        )
    )
    assert problems(forged) == [("number", "its transforms do not give the value")]
    assert ("number", "the second run gives another value") in problems(forged, strict=True)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"span": (0, 7)}, "the text at 0-7 is not what was quoted"),
        ({"span": (0, 9999)}, "the span 0-9999 lies outside the document"),
        ({"span": (9, 3)}, "the span 9-3 lies outside the document"),
        ({"quote_hash": "0" * 64}, "the text at 13-18 is not what was quoted"),
        ({"quote": "INV-9"}, "the text at 13-18 is not what was quoted"),
        ({"source": ByteRange(0, 1)}, "the address of 13-18 is not where that text stands"),
        ({"transforms": ("date:dmy",)}, "its transforms fail: "),
        ({"transforms": ("no_such_step",)}, "its transforms fail: KeyError"),
        ({"transforms": ("slice:0-2",)}, "its transforms do not give the value"),
        ({"span": None}, "a quote without a place in the document"),
        ({"span": None, "quote_hash": None}, "an extracted value without a place in the document"),
    ],
)
def test_each_forged_part_is_named(changes, problem):
    found = problems(changed(paxman.normalize(TEXT, CONTRACT), "number", **changes))
    assert {path for path, _ in found} == {"number"}
    assert found[0][1].startswith(problem)


def test_another_document_another_contract_and_a_changed_file():
    artifact = paxman.normalize(TEXT, CONTRACT)
    assert problems(artifact, TEXT + " ")[0] == (None, "this is not the document that the artifact was made from")
    other = {**CONTRACT, "id": "other"}
    assert problems(artifact, contract=other) == [(None, "the contract differs from the one recorded")]
    stored = artifact.to_json().replace("INV-7", "INV-8")
    assert (None, "the stored artifact was changed after it was written") in problems(stored, contract=None)


def test_converted_money_is_traced_to_its_quote():
    contract = {
        "id": "fx",
        "version": "1",
        "policy": {"currency_policy": "ALLOW_FX"},
        "fields": [
            {"name": "fx_rate", "type": "DECIMAL", "required": True, "labels": ["Rate"]},
            {"name": "total", "type": "MONEY", "required": True, "labels": ["Total", "Amount due"]},
        ],
    }
    text = "Rate: 0.5\nTotal: 10.00 EUR\nAmount due: 20.00 USD\n"
    artifact = paxman.normalize(text, contract)
    assert problems(artifact, text, contract, strict=True) == []


def test_strict_needs_a_contract_and_the_same_policy():
    artifact = paxman.normalize("Date: 03/04/2025", CONTRACT, policy=paxman.Policy(locale="en_US"))
    with pytest.raises(paxman.ConfigurationError, match="needs the contract"):
        verify(artifact, "Date: 03/04/2025", strict=True)
    policy = paxman.Policy(locale="en_US")
    assert problems(artifact, "Date: 03/04/2025", strict=True, policy=policy) == []
    other = problems(artifact, "Date: 03/04/2025", strict=True, policy=paxman.Policy(locale="de_DE"))
    assert other == [("date", "the second run gives another value")]


def test_a_pdf_verifies(tmp_path):
    path = tmp_path / "invoice.pdf"
    path.write_bytes(make_pdf(lines(TEXT.splitlines(), 72, 700)))
    assert problems(paxman.normalize(path, CONTRACT), path, strict=True) == []


@settings(max_examples=60)
@given(testing.inputs(), testing.contracts())
def test_whatever_is_normalized_verifies(document, contract):
    assert problems(paxman.normalize(document, contract), document, contract, strict=True) == []
