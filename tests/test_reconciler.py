"""Grouping, picking, conflicts, money, fallbacks and checks, on candidates made by hand."""

import datetime
from decimal import Decimal

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paxman.budget import CurrencyPolicy, Policy
from paxman.capabilities.base import Candidate, CandidateResult, CandidateSource, EvidenceRef, Objection
from paxman.contract import adapt
from paxman.errors import ReconciliationError
from paxman.planner.policies import derive_effective_policy
from paxman.reconciler.confidence import ConfidenceEvidence
from paxman.reconciler.reconciler import reconcile
from paxman.relations.implied import relations_of
from paxman.types import ConfidenceBand, Diagnostic, Money, Origin, Severity


def contract(*fields, constraints=(), policy=None):
    return adapt(
        {
            "id": "c",
            "version": "1",
            "policy": policy or {},
            "constraints": list(constraints),
            "fields": [{"required": True, **field} for field in fields],
        }
    )


def candidate(value, start=0, capability="text_extraction", position=0, fx_rate=None, deterministic=True):
    ref = EvidenceRef(capability, "1.0", "f", (start, start + 1))
    source = CandidateSource(capability, "1.0", position, deterministic, Origin.EXTRACTED)
    return Candidate(value, (ref,), fx_rate=fx_rate, source=source)


def settle(canonical, *, policy=None, **candidates):
    results = [
        CandidateResult(f"c:{name}", name, tuple(found), invocations=1, status="CANDIDATES")
        for name, found in candidates.items()
    ]
    effective = derive_effective_policy(policy or Policy(), canonical.policies)
    decided = reconcile(canonical, results, effective, relations=relations_of(canonical))
    return {result.field_path: result for result in decided}


def codes(result):
    return [note.code for note in result.diagnostics]


STRING = contract({"name": "f", "type": "STRING"})
MONEY = contract({"name": "f", "type": "MONEY"})


def test_one_candidate_is_high():
    result = settle(STRING, f=[candidate("ACME")])["f"]
    assert (result.value, result.confidence, result.confidence_band, result.status, codes(result)) == (
        "ACME",
        0.8,
        ConfidenceBand.HIGH,
        "RESOLVED",
        [],
    )


def test_two_capabilities_on_two_places_are_certain():
    result = settle(STRING, f=[candidate("ACME", 0), candidate("ACME", 9, "regex_extraction", 1)])["f"]
    assert (result.confidence, len(result.evidence_refs)) == (1.0, 2)


def test_two_capabilities_at_one_place_share_a_reference():
    result = settle(STRING, f=[candidate("ACME"), candidate("ACME", 0, "regex_extraction", 1)])["f"]
    assert (result.confidence, result.confidence_evidence) == (0.95, ConfidenceEvidence(2, 1, True, False, 2))
    assert [ref.capability_id for ref in result.evidence_refs] == ["text_extraction", "regex_extraction"]


def places(*spans, capability="text_extraction", basis="name"):
    return tuple(EvidenceRef(capability, "1.0", "f", span, basis=basis) for span in spans)


@pytest.mark.parametrize(
    ("spans", "inputs"),
    [
        ([(0, 5), (20, 25)], ConfidenceEvidence(2, 2, True, False, 1)),
        ([(0, 5), (3, 8)], ConfidenceEvidence(1, 1, True, False, 1)),
        ([(0, 5), (3, 8), (5, 9)], ConfidenceEvidence(2, 2, True, False, 1)),
        ([(0, 9), (1, 3), (4, 6), (5, 9)], ConfidenceEvidence(2, 2, True, False, 1)),
        ([(0, 5), (0, 5)], ConfidenceEvidence(1, 1, True, False, 1)),
    ],
)
def test_places_count_that_do_not_overlap_however_they_are_packed(spans, inputs):
    packed = [Candidate("A", places(*spans))]
    single = [Candidate("A", places(span)) for span in spans]
    mixed = [Candidate("A", places(spans[0])), Candidate("A", places(*spans[1:]))]
    for found in (packed, single, mixed, [*packed, *single]):
        assert settle(STRING, f=found)["f"].confidence_evidence == inputs


def test_a_value_at_two_places_of_one_pattern_is_certain():
    assert settle(STRING, f=[Candidate("INV-1", places((0, 5), (20, 25)))])["f"].confidence == 0.95


@given(
    finds=st.lists(
        st.tuples(
            st.sampled_from(["text_extraction", "recognition"]),
            st.tuples(st.integers(0, 20), st.integers(1, 6)),
            st.sampled_from(["name", "shape", "model", "place", "wording", "stand_in", "likeness"]),
        ),
        min_size=1,
        max_size=8,
    ),
    notes=st.lists(st.sampled_from(["VALIDATION_FAILED", "AMBIGUOUS_VALUE", "ROW_REJECTED", "HEDGED"]), max_size=3),
    order=st.randoms(use_true_random=False),
)
def test_packing_order_and_notes_move_no_confidence(finds, notes, order):
    refs = [EvidenceRef(who, "1.0", "f", (start, start + length), basis=basis) for who, (start, length), basis in finds]
    told = tuple(Diagnostic(code, Severity.WARNING, "", "f", {"readings": ["A"]}) for code in notes)
    single = [Candidate("A", (ref,)) for ref in refs]
    noted = [attrs.evolve(each, diagnostics=told) for each in single]
    order.shuffle(noted)
    packed = [Candidate("A", tuple(refs))]
    plain, other, third = (settle(STRING, f=found)["f"] for found in (single, noted, packed))
    assert plain.confidence_evidence == other.confidence_evidence == third.confidence_evidence
    if not any(ref.supports for ref in refs):
        assert plain.confidence == 0.75


def test_context_beside_a_supporting_reference_adds_nothing():
    loose = Candidate("A", places((5, 6), (8, 9), capability="recognition", basis="place"))
    result = settle(STRING, f=[candidate("A"), loose])["f"]
    assert result.confidence_evidence == ConfidenceEvidence(1, 1, True, False, 1)
    assert [ref.role for ref in result.evidence_refs] == ["supporting", "context", "context"]


def test_only_validation_is_heard_and_what_it_rejects_is_gone():
    found = (candidate("A"), candidate("B", 5))
    effective = derive_effective_policy(Policy(), STRING.policies)
    for objection, expected in (
        (Objection("A", "no", rejects=True), ("B", 0.8)),
        (Objection("A", "odd", rejects=False), ("B", 0.65)),
    ):
        result = CandidateResult("c:f", "f", found, objections=(objection,))
        [decided] = reconcile(STRING, [result], effective)
        assert (decided.value, decided.confidence) == expected


def test_a_value_that_fails_validation_is_no_surer_for_being_repeated():
    found = (candidate("A"), candidate("A", 5), candidate("A", 9, "recognition"))
    result = CandidateResult("c:f", "f", found, objections=(Objection("A", "odd", rejects=False),))
    [decided] = reconcile(STRING, [result], derive_effective_policy(Policy(), STRING.policies))
    assert (decided.confidence, decided.confidence_evidence) == (0.7, ConfidenceEvidence(1, 1, False, False, 1))


@pytest.mark.parametrize(
    ("basis", "confidence"),
    [("name", 0.8), ("shape", 0.8), ("model", 0.8), ("stand_in", 0.75), ("wording", 0.75), ("place", 0.75)],
)
def test_only_what_ties_a_value_to_its_field_counts_as_evidence(basis, confidence):
    loose = candidate("ACME")
    loose = attrs.evolve(loose, evidence_refs=(attrs.evolve(loose.evidence_refs[0], basis=basis),))
    result = settle(STRING, f=[loose])["f"]
    role = "supporting" if confidence == 0.8 else "context"
    assert (result.confidence, [(ref.role, ref.basis) for ref in result.evidence_refs]) == (confidence, [(role, basis)])


def test_a_place_that_is_also_labelled_counts():
    loose = candidate("ACME", 0, "recognition", 1)
    loose = attrs.evolve(loose, evidence_refs=(attrs.evolve(loose.evidence_refs[0], basis="place"),))
    result = settle(STRING, f=[loose, candidate("ACME")])["f"]
    assert (result.confidence, [(ref.role, ref.basis) for ref in result.evidence_refs]) == (
        0.8,
        [("context", "place"), ("supporting", "name")],
    )


def test_the_same_candidate_twice_counts_once():
    assert settle(STRING, f=[candidate("ACME"), candidate("ACME")])["f"].confidence == 0.8


def test_text_agrees_after_folding():
    result = settle(STRING, f=[candidate("Café  X", 0), candidate("Cafe\u0301 X", 9)])["f"]
    assert (result.value, result.confidence, codes(result)) == ("Café  X", 0.95, [])


def test_decimals_agree_by_value():
    canonical = contract({"name": "f", "type": "DECIMAL"})
    result = settle(canonical, f=[candidate(Decimal("1.0"), 0), candidate(Decimal("1.00"), 9)])["f"]
    assert (str(result.value), codes(result)) == ("1.0", [])


def test_conflict_keeps_the_loser_as_rejected_evidence():
    result = settle(STRING, f=[candidate("A", 0), candidate("B", 5, "regex_extraction", 1)])["f"]
    assert (result.value, result.confidence, codes(result)) == ("A", 0.65, ["CONFLICT", "LOW_CONFIDENCE"])
    assert [(ref.span, ref.role) for ref in result.evidence_refs] == [((0, 1), "supporting"), ((5, 6), "rejected")]


def test_more_evidence_wins_over_plan_order():
    result = settle(STRING, f=[candidate("A", 0), candidate("B", 5, position=1), candidate("B", 9, position=1)])["f"]
    assert result.value == "B"


def test_a_deterministic_source_wins_a_tie():
    guess = candidate("A", 0, "inference", 0, deterministic=False)
    assert settle(STRING, f=[guess, candidate("B", 5, position=1)])["f"].value == "B"


def test_plan_order_breaks_the_last_tie():
    assert settle(STRING, f=[candidate("A", 0, position=1), candidate("B", 5, position=0)])["f"].value == "B"


def test_invalid_candidates_are_dropped_and_kept_as_evidence():
    canonical = contract({"name": "f", "type": "STRING", "constraints": [{"kind": "max_length", "params": {"max": 2}}]})
    result = settle(canonical, f=[candidate("long", 0)])["f"]
    assert (result.value, result.status, result.confidence, codes(result)) == (
        None,
        "UNRESOLVED",
        0.0,
        ["VALIDATION_FAILED"],
    )
    assert [ref.role for ref in result.evidence_refs] == ["rejected"]


def test_nothing_found():
    result = settle(STRING, f=[])["f"]
    assert (result.status, result.confidence_band, codes(result)) == (
        "UNRESOLVED",
        ConfidenceBand.UNTRUSTED,
        ["CHAIN_EXHAUSTED"],
    )


def test_low_confidence_stays_resolved_unless_rejected():
    rivals = [candidate("A", 0), candidate("B", 5)]
    assert settle(STRING, f=rivals)["f"].status == "RESOLVED"
    rejected = settle(STRING, f=rivals, policy=Policy(reject_below_floor=True))["f"]
    assert (rejected.status, rejected.value, codes(rejected)) == ("UNRESOLVED", None, ["CONFLICT", "LOW_CONFIDENCE"])
    assert {ref.role for ref in rejected.evidence_refs} == {"rejected"}


def test_the_contract_floor_wins():
    canonical = contract({"name": "f", "type": "STRING"}, policy={"confidence_floor": 0.9})
    assert codes(settle(canonical, f=[candidate("A")], policy=Policy(confidence_floor=0.1))["f"]) == ["LOW_CONFIDENCE"]


EUR, USD = Money("100.00", "EUR"), Money("110.00", "USD")


@pytest.mark.parametrize("policy", [None, CurrencyPolicy.STRICT_MATCH])
def test_strict_currencies_leave_the_field_unresolved(policy):
    result = settle(MONEY, f=[candidate(EUR, 0), candidate(USD, 5)], policy=Policy(currency_policy=policy))["f"]
    assert (result.status, codes(result)) == ("UNRESOLVED", ["CURRENCY_MISMATCH"])
    assert {ref.role for ref in result.evidence_refs} == {"rejected"}


FX = contract({"name": "f", "type": "MONEY"}, {"name": "fx_rate", "type": "DECIMAL", "required": False})


def test_fx_converts_the_secondary_amount():
    result = settle(
        FX,
        f=[candidate(EUR, 0), candidate(USD, 5, "regex_extraction", 1)],
        fx_rate=[candidate(Decimal("0.909091"), 9)],
        policy=Policy(currency_policy="ALLOW_FX"),
    )["f"]
    assert (result.value, result.confidence, codes(result)) == (EUR, 1.0, ["FX_APPLIED"])
    assert dict(result.diagnostics[0].context) == {"rate": "0.909091", "before": "110.00 USD", "after": "100.00 EUR"}


def test_fx_rounds_half_even_to_the_minor_unit():
    yen = Money("0.5", "EUR")
    result = settle(
        FX,
        f=[candidate(Money("2", "JPY"), 0), candidate(Money("2", "JPY"), 3), candidate(yen, 5, position=1)],
        fx_rate=[candidate(Decimal("5"), 9)],
        policy=Policy(currency_policy="ALLOW_FX"),
    )["f"]
    assert result.diagnostics[0].context["after"] == "2 JPY"
    assert (result.value, codes(result)) == (Money("2", "JPY"), ["FX_APPLIED"])


def test_a_rate_may_be_whole_or_a_default():
    default = {"name": "fx_rate", "type": "INTEGER", "required": False, "default": 2, "fallback": "USE_DEFAULT"}
    canonical = contract({"name": "f", "type": "MONEY"}, default)
    for rates in ([candidate(2, 9)], []):
        result = settle(
            canonical,
            f=[candidate(EUR, 0), candidate(USD, 5)],
            fx_rate=rates,
            policy=Policy(currency_policy="ALLOW_FX"),
        )["f"]
        assert result.diagnostics[0].context["after"] == "220.00 EUR"


def test_huge_amounts_are_converted_exactly():
    huge = Money("9" * 70 + ".00", "USD")
    result = settle(
        FX, f=[candidate(EUR, 0), candidate(huge, 5)], fx_rate=[candidate(Decimal(2), 9)],
        policy=Policy(currency_policy="ALLOW_FX"),
    )["f"]  # fmt: skip
    assert result.diagnostics[0].context["after"] == f"{2 * int('9' * 70)}.00 EUR"


def test_fx_without_a_rate_rejects_the_secondary():
    result = settle(MONEY, f=[candidate(EUR, 0), candidate(USD, 5)], policy=Policy(currency_policy="ALLOW_FX"))["f"]
    assert (result.value, result.confidence, codes(result)) == (EUR, 0.65, ["CURRENCY_MISMATCH", "LOW_CONFIDENCE"])


@pytest.mark.parametrize("rate", ["0", "-1"])
def test_a_rate_that_is_none_is_not_used(rate):
    found = settle(
        FX,
        f=[candidate(EUR, 0), candidate(USD, 5)],
        fx_rate=[candidate(Decimal(rate), 9)],
        policy=Policy(currency_policy="ALLOW_FX"),
    )
    assert (found["f"].value, codes(found["f"])) == (EUR, ["CURRENCY_MISMATCH", "LOW_CONFIDENCE"])
    assert found["f"].diagnostics[0].message.endswith(f": {rate} is no rate; a rate is above zero")


def test_one_rate_converts_one_currency():
    found = settle(
        FX,
        f=[candidate(EUR, 0), candidate(USD, 5), candidate(Money("90", "GBP"), 7)],
        fx_rate=[candidate(Decimal("0.9"), 9)],
        policy=Policy(currency_policy="ALLOW_FX"),
    )
    assert codes(found["f"]) == ["CURRENCY_MISMATCH", "CURRENCY_MISMATCH", "LOW_CONFIDENCE"]
    assert found["f"].diagnostics[0].message.endswith(": one rate cannot convert several currencies")


def test_reject_without_rate_needs_a_rate_on_both():
    policy = Policy(currency_policy="REJECT_WITHOUT_RATE")
    one = settle(MONEY, f=[candidate(EUR, 0), candidate(USD, 5, fx_rate=Decimal("0.9"))], policy=policy)["f"]
    assert (one.value, codes(one)) == (EUR, ["CURRENCY_MISMATCH", "LOW_CONFIDENCE"])
    both = [candidate(EUR, 0, fx_rate=Decimal(1)), candidate(USD, 5, fx_rate=Decimal("0.9"))]
    result = settle(MONEY, f=both, policy=policy)["f"]
    assert (result.value, codes(result)) == (EUR, ["FX_APPLIED", "CONFLICT", "LOW_CONFIDENCE"])
    assert result.diagnostics[0].context["after"] == "99.00 EUR"


def test_rows_that_differ_in_number_are_a_mismatch():
    canonical = contract({"name": "f", "type": "ARRAY"})
    result = settle(canonical, f=[candidate(("a",), 0), candidate(("a", "b"), 5)])["f"]
    assert codes(result)[0] == "MISMATCH"


def test_fallbacks():
    default = contract({"name": "f", "type": "STRING", "fallback": "USE_DEFAULT", "default": "none"})
    result = settle(default, f=[])["f"]
    assert (result.value, result.status, result.origin, result.confidence, codes(result)) == (
        "none",
        "RESOLVED",
        Origin.DEFAULT,
        0.0,
        ["CHAIN_EXHAUSTED", "DEFAULT_USED"],
    )
    human = contract({"name": "f", "type": "STRING", "fallback": "REQUIRE_HUMAN"})
    assert codes(settle(human, f=[])["f"]) == ["CHAIN_EXHAUSTED", "HUMAN_REVIEW_REQUIRED"]
    assert "HUMAN_REVIEW_REQUIRED" in codes(settle(human, f=[candidate("A", 0), candidate("B", 5)])["f"])


SUM = contract(
    {"name": "net", "type": "DECIMAL"},
    {"name": "tax", "type": "DECIMAL"},
    {"name": "total", "type": "DECIMAL"},
    constraints=[{"kind": "check", "params": {"expr": "total == net + tax", "tolerance": "0.01"}}],
)


def test_a_failed_check_is_noted_on_every_field_it_names():
    found = settle(SUM, net=[candidate(Decimal(10))], tax=[candidate(Decimal(2))], total=[candidate(Decimal(13))])
    assert {name: (result.value, result.confidence, codes(result)) for name, result in found.items()} == {
        "net": (Decimal(10), 0.65, ["VALIDATION_FAILED", "LOW_CONFIDENCE"]),
        "tax": (Decimal(2), 0.65, ["VALIDATION_FAILED", "LOW_CONFIDENCE"]),
        "total": (Decimal(13), 0.65, ["VALIDATION_FAILED", "LOW_CONFIDENCE"]),
    }


def amounts(net, tax, total, **more):
    stated = {"net": net, "tax": tax, "total": total, **more}
    return {name: [candidate(Decimal(value), 10 * at)] for at, (name, value) in enumerate(stated.items())}


def test_an_equation_that_holds_is_evidence_for_each_field():
    found = settle(SUM, **amounts(10, 2, 12))
    assert {result.confidence for result in found.values()} == {0.85}
    assert [(ref.capability_id, ref.role, ref.detail) for ref in found["net"].evidence_refs] == [
        ("text_extraction", "supporting", None),
        ("reconciler", "supporting", "total == net + tax"),
    ]


def test_a_sum_ties_a_value_that_only_stands_there():
    loose = [Candidate(Decimal(12), places((30, 32), basis="place"))]
    found = settle(SUM, **{**amounts(10, 2, 12), "total": loose})["total"]
    assert (found.confidence, found.confidence_evidence) == (0.8, ConfidenceEvidence(1, 1, True, False, 1))


def test_values_of_one_place_bear_each_other_out_no_more():
    found = settle(SUM, net=[candidate(Decimal(10))], tax=[candidate(Decimal(0), 5)], total=[candidate(Decimal(10))])
    assert {result.confidence for result in found.values()} == {0.8}


IMPLIED = contract(*({"name": name, "type": "DECIMAL"} for name in ("net", "tax", "total", "shipping")))


@pytest.mark.parametrize(
    ("stated", "confidence"),
    [
        ({"net": "100.00", "tax": "19.00", "total": "119.00"}, 0.85),
        ({"net": "100.00", "tax": "19.00", "total": "119.02"}, 0.85),
        ({"net": "100.00", "tax": "19.00", "total": "120.00"}, 0.65),
        ({"net": "100.00", "tax": "19.00", "total": "124.00", "shipping": "5.00"}, 0.8),
        ({"net": "100.00", "tax": "19.00", "total": "130.00", "shipping": "5.00"}, 0.65),
        ({"net": "9E999999", "tax": "19.00", "total": "-9E999999", "shipping": "5.00"}, 0.65),
        ({"net": "100.00", "tax": "19.00", "total": "-119.00"}, 0.8),
        ({"net": "100.00", "tax": "19.00", "total": "-120.00"}, 0.65),
    ],
)
def test_net_and_tax_make_the_total(stated, confidence):
    found = settle(IMPLIED, **amounts(**stated))
    assert {found[name].confidence for name in ("net", "tax", "total")} == {confidence}


def test_a_total_in_another_currency_is_no_sum():
    prices = contract(*({"name": name, "type": "MONEY"} for name in ("net", "tax", "total")))
    net, tax, total = (Money(Decimal(100), "EUR"), Money(Decimal(19), "EUR"), Money(Decimal("128.93"), "CHF"))
    found = settle(prices, net=[candidate(net)], tax=[candidate(tax, 5)], total=[candidate(total, 9)])
    assert [codes(result) for result in found.values()] == [[], [], []]


def test_a_sum_that_does_not_hold_is_told():
    found = settle(IMPLIED, **amounts("100.00", "19.00", "120.00"))
    note = found["total"].diagnostics[0]
    assert (note.code, note.message, dict(note.context)) == (
        "VALIDATION_FAILED",
        "net + tax == total does not hold: net is 100.00, tax is 19.00, total is 120.00",
        {"check": "net + tax == total"},
    )


def test_what_fields_mean_picks_between_rivals():
    found = settle(IMPLIED, **{**amounts(10, 2, 13), "total": [candidate(Decimal(13), 50), candidate(Decimal(12), 60)]})
    assert (found["total"].value, codes(found["net"])) == (Decimal(12), [])


def test_a_check_of_the_contract_stands_in_for_what_its_fields_mean():
    wide = contract(
        *({"name": name, "type": "DECIMAL"} for name in ("net", "tax", "total")),
        constraints=[{"kind": "check", "params": {"expr": "total == net + tax", "tolerance": "5"}}],
    )
    found = settle(wide, **amounts(10, 2, 13))
    assert [codes(result) for result in found.values()] == [[], [], []]


def test_two_totals_imply_nothing():
    two = contract(*({"name": name, "type": "DECIMAL"} for name in ("net", "tax", "total", "grand_total")))
    found = settle(two, **amounts(10, 2, 13, grand_total=12))
    assert {result.confidence for result in found.values()} == {0.8}


def test_a_period_does_not_end_before_it_starts():
    period = contract(*({"name": name, "type": "DATE"} for name in ("start_date", "end_date", "deposit")))
    july, june = datetime.date(2021, 7, 5), datetime.date(2021, 6, 10)
    found = settle(period, start_date=[candidate(july)], end_date=[candidate(june, 5)])
    assert [(result.confidence, codes(result)) for result in found.values()] == [
        (0.65, ["VALIDATION_FAILED", "LOW_CONFIDENCE"]),
        (0.65, ["VALIDATION_FAILED", "LOW_CONFIDENCE"]),
    ]
    found = settle(period, start_date=[candidate(june)], end_date=[candidate(july, 5)])
    assert [result.confidence for result in found.values()] == [0.8, 0.8]


def made(value, origin):
    ref = EvidenceRef("lookup", "1.0", "f", detail="a row")
    return Candidate(value, (ref,), source=CandidateSource("lookup", "1.0", 0, True, origin))


MADE = contract(
    {"name": "last", "type": "STRING", "lookup": {"source": {"1": "x"}, "from": "number"}},
    {"name": "number", "type": "STRING", "lookup": {"source": {"A": "1"}, "from": "name"}},
    {"name": "name", "type": "STRING"},
)


def test_what_is_looked_up_is_no_surer_than_its_key():
    rivals = [candidate("A"), candidate("B", 5)]
    found = settle(MADE, last=[made("x", Origin.LOOKED_UP)], number=[made("1", Origin.LOOKED_UP)], name=rivals)
    assert {name: (result.confidence, codes(result)) for name, result in found.items()} == {
        "last": (0.65, ["LOW_CONFIDENCE"]),
        "number": (0.65, ["LOW_CONFIDENCE"]),
        "name": (0.65, ["CONFLICT", "LOW_CONFIDENCE"]),
    }
    note = found["number"].diagnostics[0]
    assert (note.message, dict(note.context)) == (
        "confidence 0.65 is below the target 0.80; it is no surer than name, which it was made from",
        {"made_from": "name"},
    )


def test_what_the_page_says_too_is_as_sure_as_the_page():
    rivals = [candidate("A"), candidate("B", 5)]
    found = settle(MADE, last=[], number=[candidate("1", 9), made("1", Origin.LOOKED_UP)], name=rivals)
    number = found["number"]
    assert (number.confidence, number.confidence_evidence) == (0.8, ConfidenceEvidence(1, 1, True, False, 1))


def test_the_cap_of_what_was_made_is_stored():
    rivals = [candidate("A"), candidate("B", 5)]
    found = settle(MADE, last=[], number=[made("1", Origin.LOOKED_UP)], name=rivals)
    assert found["number"].confidence_evidence == ConfidenceEvidence(1, 1, True, False, 1, cap=0.65)


def test_what_is_computed_is_no_surer_than_a_default():
    canonical = contract(
        {"name": "total", "type": "DECIMAL", "fallback": "USE_DEFAULT", "default": "5"},
        {"name": "twice", "type": "DECIMAL", "derive": "total * 2"},
    )
    found = settle(canonical, total=[], twice=[made(Decimal(10), Origin.DERIVED)])
    assert (found["twice"].value, found["twice"].confidence, codes(found["twice"])) == (
        Decimal(10),
        0.0,
        ["LOW_CONFIDENCE"],
    )


def test_what_was_computed_bears_nothing_out():
    computed = candidate(Decimal(2))
    computed = attrs.evolve(computed, source=attrs.evolve(computed.source, origin=Origin.DERIVED))
    found = settle(SUM, net=[candidate(Decimal(10))], tax=[computed], total=[candidate(Decimal(12))])
    assert {result.confidence for result in found.values()} == {0.8}


def test_a_check_of_one_field_bears_nothing_out():
    canonical = contract(
        {"name": "f", "type": "DECIMAL"}, constraints=[{"kind": "check", "params": {"expr": "f == 3"}}]
    )
    assert settle(canonical, f=[candidate(Decimal(3))])["f"].confidence == 0.8


def test_a_check_picks_between_rivals():
    rivals = [candidate(Decimal(13), 0), candidate(Decimal(12), 5)]
    found = settle(SUM, net=[candidate(Decimal(10))], tax=[candidate(Decimal(2))], total=rivals)
    assert (found["total"].value, codes(found["total"])) == (Decimal(12), ["CONFLICT", "LOW_CONFIDENCE"])
    assert codes(found["net"]) == []


def test_a_check_finds_the_right_one_among_many_rivals():
    rivals = [candidate(Decimal(n), n) for n in range(20, 25)] + [candidate(Decimal(12), 30)]
    found = settle(SUM, net=[candidate(Decimal(10))], tax=[candidate(Decimal(2))], total=rivals)
    assert found["total"].value == Decimal(12)


def test_each_check_decides_on_its_own_fields():
    names = "abcde"
    checks = [{"kind": "check", "params": {"expr": "a == 30"}}]
    checks += [{"kind": "check", "params": {"expr": f"{name} > 0"}} for name in names[1:]]
    canonical = contract(*({"name": name, "type": "INTEGER"} for name in names), constraints=checks)
    found = settle(canonical, **{name: [candidate(n, n) for n in (10, 20, 30, 40)] for name in names})
    assert {name: result.value for name, result in found.items()} == {"a": 30, "b": 10, "c": 10, "d": 10, "e": 10}


def test_true_is_not_one():
    canonical = contract({"name": "f", "type": "ENUM", "enum_values": [1, True]})
    assert codes(settle(canonical, f=[candidate(1, 0), candidate(True, 5)])["f"]) == ["CONFLICT", "LOW_CONFIDENCE"]


def test_a_check_that_decides_nothing_changes_nothing():
    rivals = [candidate(Decimal(13), 0), candidate(Decimal(14), 5)]
    found = settle(SUM, net=[candidate(Decimal(10))], tax=[candidate(Decimal(2))], total=rivals)
    assert found["total"].value == Decimal(13)


def test_a_missing_value_leaves_the_check_open():
    assert codes(settle(SUM, net=[candidate(Decimal(10))], tax=[], total=[candidate(Decimal(13))])["net"]) == []


def test_results_are_hashable():
    result = settle(STRING, f=[candidate("A")])["f"]
    assert hash(result) == hash(attrs.evolve(result))


def test_a_result_for_no_field_of_the_contract_is_an_error():
    with pytest.raises(ReconciliationError, match="no field of c: g"):
        settle(STRING, g=[candidate("A")])


@pytest.mark.parametrize(
    ("winner", "loser", "why"),
    [
        ([candidate("A"), candidate("A", 5)], [candidate("B", 9)], "less confidence: 0.65 against 0.80"),
        (
            [Candidate("A", tuple(EvidenceRef("x", "1", "f", (n, n + 1)) for n in range(7)))],
            [Candidate("B", tuple(EvidenceRef("x", "1", "f", (n, n + 1)) for n in range(20, 26)))],
            "as much confidence, but less evidence: 6 against 7",
        ),
        (
            [candidate("A", position=3)],
            [candidate("B", 9, deterministic=False)],
            "as much evidence, but no deterministic source",
        ),
        (
            [Candidate("A", (), source=CandidateSource("inference", "1.0", 3, False, Origin.INFERRED))],
            [Candidate("B", (EvidenceRef("x", "1", "f", (9, 10), basis="likeness"),), source=candidate("B").source)],
            "as much evidence, but only its looks tie it to the field",
        ),
        ([candidate("A")], [candidate("B", 9, position=1)], "as much evidence, but a later step of the plan found it"),
        ([candidate("A")], [candidate("B", 9)], "as much evidence from the same step, which put it second"),
    ],
)
def test_a_conflict_says_what_the_others_lost_by(winner, loser, why):
    result = settle(STRING, f=[*winner, *loser])["f"]
    note = next(note for note in result.diagnostics if note.code == "CONFLICT")
    assert (result.value, [dict(lost) for lost in note.context["lost"]]) == ("A", [{"value": "B", "by": why}])


def test_many_cells_make_no_cell_surer():
    canonical = contract({"name": "f", "type": "ARRAY", "items": {"type": "STRING"}})
    refs = tuple(EvidenceRef("text_extraction", "1.0", f"f[{index}]", (index, index + 1)) for index in range(9))
    source = CandidateSource("text_extraction", "1.0", 0, True, Origin.EXTRACTED)
    assert settle(canonical, f=[Candidate(("x",) * 9, refs, source=source)])["f"].confidence == 0.8


def test_who_reads_an_open_place_by_the_same_rule_adds_nothing():
    f = contract({"name": "f", "type": "DECIMAL"})
    both = [
        candidate(Decimal(value), 0, name)
        for name in ("text_extraction", "recognition")
        for value in ("42195", "42.195")
    ]
    assert settle(f, f=both[:2])["f"].confidence == settle(f, f=both)["f"].confidence == 0.65
    sure = candidate(Decimal(42195), 30, "regex_extraction")
    assert settle(f, f=[*both[:2], sure])["f"].confidence == 0.85


def test_amounts_are_converted_into_the_currency_that_stands_first():
    found = settle(
        FX,
        f=[candidate(USD, 5), candidate(USD, 9), candidate(EUR, 0, "regex_extraction", 1)],
        fx_rate=[candidate(Decimal("0.909091"), 20)],
        policy=Policy(currency_policy="ALLOW_FX"),
    )["f"]
    assert found.value == EUR
