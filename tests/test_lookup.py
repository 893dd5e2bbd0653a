"""Values from tables: mappings in the contract and CSV files on disk."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paxman.budget import Policy
from paxman.capabilities.base import Candidate, CapabilityContext, CapabilityResult, EvidenceRef
from paxman.capabilities.lookup import TableLookup
from paxman.capabilities.lookups.lookup_tables import normalize_key
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import SheetCell
from paxman.documents.reading import read_document
from paxman.errors import CapabilityError
from paxman.serialization import canonical_hash
from paxman.types import FieldType, Money

SUPPLIERS = """id,name,limit,country
S1,Müller & Söhne GmbH,1000.50,DE
S2,"Acme, Inc.",250,US
S3,Globex Corporation,,US
S4,Initech 42,10,FR
"""


def look_up(
    lookup: dict[str, Any],
    kind: str = "STRING",
    resolved: dict[str, Any] | None = None,
    candidates: tuple[Candidate, ...] = (),
    base: Path | None = None,
    name: str = "f",
    locale: str | None = None,
) -> CapabilityResult:
    wanted = CanonicalField(f"c:{name}", name, name, FieldType[kind], lookup=lookup)
    contract = CanonicalContract("c", "1", (wanted,), base_path=str(base) if base else None)
    capability = TableLookup()
    context = CapabilityContext(
        capability.spec,
        wanted,
        contract,
        lambda: read_document(b""),
        policy=Policy(locale=locale),
        candidates=candidates,
        resolved=resolved or {},
    )
    return capability.invoke(context)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    (tmp_path / "suppliers.csv").write_text(SUPPLIERS, encoding="utf-8")
    return tmp_path


def by_name(base: Path, supplier: str, column: str = "id", kind: str = "STRING", **more: Any) -> CapabilityResult:
    lookup = {"source": "suppliers.csv", "from": "supplier", "key": "name", "value": column, **more}
    return look_up(lookup, kind, {"supplier": supplier}, base=base)


def codes(result: CapabilityResult) -> list[tuple[str, str]]:
    return [(note.code, note.message) for note in result.diagnostics]


def test_the_row_that_answered_is_the_evidence(base: Path) -> None:
    digest = hashlib.sha256(SUPPLIERS.encode()).hexdigest()
    ref = EvidenceRef(
        "lookup",
        "1.0",
        "f",
        source=SheetCell("", "A3"),
        detail=f"suppliers.csv row 3 (exact match), sha256:{digest}",
    )
    assert by_name(base, "Acme, Inc.") == CapabilityResult((Candidate("S2", (ref,)),))


@pytest.mark.parametrize(
    ("supplier", "expected", "how"),
    [
        ("Acme, Inc.", "S2", "exact match"),
        ("ACME INC", "S2", "normalized match"),
        ("  muller und soehne", None, ""),
        ("MULLER  SOHNE GMBH", "S1", "normalized match"),
        ("Globex Corporatoin", "S3", "fuzzy match, 94 of 100"),
        ("Initech 43", None, ""),
        ("Acme AG", None, ""),
        ("Unknown Ltd", None, ""),
        ("&.,", None, ""),
    ],
)
def test_exact_then_normalized_then_fuzzy(base: Path, supplier: str, expected: str | None, how: str) -> None:
    result = by_name(base, supplier)
    if expected is None:
        assert (result.candidates, codes(result)) == ((), [("NO_MATCH", "suppliers.csv has no row for the key")])
    else:
        [candidate] = result.candidates
        assert candidate.value == expected
        assert f"({how})" in str(candidate.evidence_refs[0].detail)
        assert candidate.evidence_refs[0].basis == ("likeness" if "fuzzy" in how else "name")
        noted = [("FUZZY_MATCH", candidate.evidence_refs[0].detail)] if "fuzzy" in how else []
        assert [(note.code, note.message) for note in candidate.diagnostics] == noted


def test_the_threshold_is_the_contract_s(base: Path) -> None:
    assert by_name(base, "Globex Corp", threshold=90).candidates == ()
    assert [candidate.value for candidate in by_name(base, "Globex Corp", threshold=70).candidates] == ["S3"]


def test_a_cell_becomes_the_type_of_the_field(base: Path) -> None:
    [candidate] = by_name(base, "acme inc", "limit", "DECIMAL").candidates
    assert (candidate.value, type(candidate.value)) == (Decimal("250"), Decimal)
    assert codes(by_name(base, "acme inc", "country", "INTEGER")) == [
        ("VALIDATION_FAILED", "suppliers.csv row 3: the value in the table is not a whole number")
    ]


def test_an_empty_cell_answers_nothing(base: Path) -> None:
    assert codes(by_name(base, "Globex Corporation", "limit", "DECIMAL")) == [
        ("NO_MATCH", "suppliers.csv row 4 (exact match): the cell that would answer is empty")
    ]


def test_no_similar_key_stands_in_for_an_empty_cell() -> None:
    source = {"Janssen Bouw BV": None, "Jansen Bouw BV": "S2"}
    assert codes(look_up({"source": source, "from": "x"}, resolved={"x": "Janssen Bouw BV"})) == [
        (
            "NO_MATCH",
            "the contract's table entry 'Janssen Bouw BV' (exact match): the cell that would answer is empty",
        )
    ]


def test_an_empty_cell_is_none_beside_one_that_answers(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("k;f\na\na;\na;1\n")
    [candidate] = look_up({"source": "t.csv", "from": "x"}, resolved={"x": "a"}, base=tmp_path).candidates
    assert (candidate.value, candidate.evidence_refs[0].source) == ("1", SheetCell("", "B4"))


@pytest.mark.parametrize(
    ("key", "asked", "is_found"),
    [
        ("DE89 3704 0044 0532 0130 00", "DE89370400440532013000", True),
        ("GB29NWBK60161331926819", "gb29 nwbk 6016 1331 9268 19", True),
        ("DE89-37040044-0532013000", "DE89 3704 0044 0532 0130 00", True),
        ("12-3456789", "123456789", True),
        ("K 12", "K12", True),
        ("12-3", "1-23", False),
        ("1-23", "123", False),
        ("12-345-678", "123-45-678", False),
        ("Unit 1, 12 High St", "Unit 11, 2 High St", False),
    ],
)
def test_an_id_is_the_same_with_other_blanks(key: str, asked: str, is_found: bool) -> None:
    result = look_up({"source": {key: "S1"}, "from": "x"}, resolved={"x": asked})
    told = [(each.value, str(each.evidence_refs[0].detail).partition("), ")[0]) for each in result.candidates]
    assert told == ([("S1", f"the contract's table entry {key!r} (normalized match, other blanks")] if is_found else [])


def test_a_field_s_own_value_gets_its_canonical_form(base: Path) -> None:
    found = EvidenceRef("text_extraction", "1.0", "f", (0, 8))
    result = look_up(
        {"source": "suppliers.csv", "key": "name"}, candidates=(Candidate("ACME INC", (found,)),), base=base
    )
    [candidate] = result.candidates
    assert (candidate.value, [(ref.capability_id, ref.role) for ref in candidate.evidence_refs]) == (
        "Acme, Inc.",
        [("lookup", "supporting"), ("text_extraction", "context")],
    )


def test_each_rival_is_looked_up(base: Path) -> None:
    rivals = (Candidate("Nobody"), Candidate("acme inc"), Candidate("Nobody"))
    result = look_up({"source": "suppliers.csv", "key": "name"}, candidates=rivals, base=base)
    assert ([candidate.value for candidate in result.candidates], len(result.diagnostics)) == (["Acme, Inc."], 1)


def test_a_key_without_a_value_is_a_note(base: Path) -> None:
    lookup = {"source": "suppliers.csv", "from": "supplier", "key": "name", "value": "id"}
    assert codes(look_up(lookup, base=base)) == [("MISSING_INPUT", "no value for supplier")]
    assert codes(look_up({"source": {}})) == [("MISSING_INPUT", "no value for the key")]


@pytest.mark.parametrize(
    ("source", "value", "kind", "expected"),
    [
        ({"de": "Germany", "fr": "France"}, None, "STRING", "Germany"),
        ({"DE": {"f": "Germany", "rate": 19}}, None, "STRING", "Germany"),
        ({"DE": {"name": "Germany", "rate": 19}}, "rate", "DECIMAL", Decimal(19)),
        ({"DE": 19}, None, "INTEGER", 19),
        ({"DE": "1.50 EUR"}, None, "MONEY", Money("1.50", "EUR")),
        ({"DE": {"amount": "1.50", "currency": "EUR"}}, None, "MONEY", Money("1.50", "EUR")),
        ({"DE": True}, None, "BOOLEAN", True),
    ],
)
def test_a_mapping_is_a_table(source: dict[str, Any], value: str | None, kind: str, expected: Any) -> None:
    lookup = {"source": source, "from": "country"} | ({"value": value} if value else {})
    [candidate] = look_up(lookup, kind, {"country": "DE"}).candidates
    assert candidate.value == expected
    assert str(candidate.evidence_refs[0].detail).endswith(f"sha256:{canonical_hash(source)}")


@pytest.mark.parametrize(
    ("kind", "cell", "others", "locale", "expected"),
    [
        ("DATE", "03/04/2025", [], "en_US", ["2025-03-04"]),
        ("DATE", "03/04/2025", [], "en_GB", ["2025-04-03"]),
        ("DATE", "03/04/2025", ["12/25/2024"], None, ["2025-03-04"]),
        ("DATE", "03/04/2025", [], None, ["2025-04-03", "2025-03-04"]),
        ("DECIMAL", "1.234", [], "de_DE", ["1234"]),
        ("DECIMAL", "1.234", [], "en_US", ["1.234"]),
    ],
)
def test_a_cell_is_read_as_its_table_writes(
    kind: str, cell: str, others: list[str], locale: str | None, expected: list[str]
) -> None:
    table = {"N": cell} | {f"M{number}": other for number, other in enumerate(others)}
    found = look_up({"source": table, "from": "k"}, kind, {"k": "N"}, locale=locale)
    assert [str(candidate.value) for candidate in found.candidates] == expected
    notes = {note.code for candidate in found.candidates for note in candidate.diagnostics}
    assert notes == ({"AMBIGUOUS_VALUE"} if len(expected) > 1 else set())


def test_two_equally_near_rows_are_no_answer() -> None:
    close = {"Meier Bau": "S1", "Meyer Bau": "S2"}
    assert codes(look_up({"source": close, "from": "x", "threshold": 80}, resolved={"x": "Meer Bau"})) == [
        (
            "AMBIGUOUS_VALUE",
            "2 different values in the contract's table answer equally well (fuzzy match, 94 of 100): "
            "entry 'Meier Bau', entry 'Meyer Bau'",
        )
    ]


def test_a_key_that_stands_twice_is_an_answer_only_with_one_value(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("k;f\na;1\na;1\nb;1\nb;2\n")
    lookup = {"source": "t.csv", "from": "x"}
    [candidate] = look_up(lookup, resolved={"x": "a"}, base=tmp_path).candidates
    assert candidate.value == "1"
    assert codes(look_up(lookup, resolved={"x": "b"}, base=tmp_path)) == [
        ("AMBIGUOUS_VALUE", "2 different values in t.csv answer equally well (exact match): row 4, row 5")
    ]


def test_an_edited_file_is_read_again(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    for moment, value in enumerate("12"):
        table.write_text(f"k,f\na,{value}\n")
        os.utime(table, (moment, moment))
        [candidate] = look_up({"source": "t.csv", "from": "x"}, resolved={"x": "a"}, base=tmp_path).candidates
        assert candidate.value == value


@pytest.mark.parametrize(
    ("lookup", "reason"),
    [
        ({"source": "no.csv"}, "cannot read the lookup table 'no.csv': No such file or directory"),
        ({"source": "suppliers.csv", "key": "nmae", "value": "id"}, "no column named 'nmae'. Did you mean 'name'?"),
        ({"source": "suppliers.csv", "key": "name"}, "which column of 'suppliers.csv' is the value?"),
        ({"source": {"a": {"b": 1}}, "value": "c"}, "no column named 'c'. Known: b."),
    ],
)
def test_an_unusable_table_is_an_error_of_the_step(base: Path, lookup: dict[str, Any], reason: str) -> None:
    with pytest.raises(CapabilityError) as caught:
        look_up({**lookup, "from": "x"}, resolved={"x": "a"}, base=base)
    assert str(caught.value).startswith(reason)
    assert str(base) not in str(caught.value)


def test_an_empty_file_is_an_error_of_the_step(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("")
    with pytest.raises(CapabilityError, match="it needs a header row"):
        look_up({"source": "t.csv", "from": "x"}, resolved={"x": "a"}, base=tmp_path)


@given(st.dictionaries(st.text(min_size=1, max_size=8), st.integers(), max_size=8), st.text(max_size=8))
def test_an_exact_key_always_wins(source: dict[str, int], other: str) -> None:
    for key, value in source.items():
        [candidate] = look_up({"source": source, "from": "x"}, "INTEGER", {"x": key}).candidates
        assert candidate.value == value
    look_up({"source": source, "from": "x"}, "INTEGER", {"x": other})


@given(st.text(max_size=20))
def test_normalizing_twice_changes_nothing(text: str) -> None:
    assert normalize_key(normalize_key(text)) == normalize_key(text)


def test_a_number_of_a_database_is_not_written_in_any_locale(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "rates.db")) as connection:
        connection.execute("CREATE TABLE rates (k TEXT, rate REAL)")
        connection.execute("INSERT INTO rates VALUES ('N', 1.234)")
        connection.commit()
    found = look_up({"source": "rates.db", "from": "k"}, "DECIMAL", {"k": "N"}, base=tmp_path, locale="de_DE")
    assert [candidate.value for candidate in found.candidates] == [Decimal("1.234")]
