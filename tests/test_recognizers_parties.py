import pytest

from paxman.recognizers import find


def values(kind: str, text: str) -> list[object]:
    return [reading.value for reading in find(kind, text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Name:   Müller & Söhne GmbH & Co. KG   Seite 1", ["Müller & Söhne GmbH & Co. KG"]),
        (
            "entered into by Foo Bar, Inc., a Delaware corporation, and Acme Holdings LLC (the “Company”)",
            ["Foo Bar, Inc.", "Acme Holdings LLC"],
        ),
        ("Alpha (“Employee”) and Beta Group, Inc.", ["Beta Group, Inc."]),
        ("NORTHERN SOUTHERN\nSTATIONERY SDN. BHD", ["NORTHERN SOUTHERN STATIONERY SDN. BHD"]),
        ("GREEN VALLEY MARKET\nSDN BHD\nTEL: 123", ["GREEN VALLEY MARKET SDN BHD"]),
        ("S.P.Q. MOTOR (SUNGAI BARU) SDN. BHD.", ["S.P.Q. MOTOR (SUNGAI BARU) SDN. BHD."]),
        ("Muster AG Nord", ["Muster AG Nord"]),
        ("Muster GmbH Rechnung", ["Muster GmbH"]),
        (
            "Nordic Tools A/S, Studio Verde S.r.l., Kowalski sp. z o.o.",
            ["Nordic Tools A/S", "Studio Verde S.r.l.", "Kowalski sp. z o.o."],
        ),
        ("PT Sumber Jaya", ["PT Sumber Jaya"]),
        ("北京光明有限公司", ["北京光明有限公司"]),
        ("HARBOUR HARDWARE &\nELECTRICAL", ["HARBOUR HARDWARE & ELECTRICAL"]),
        ("as soon as the corporation is limited", []),
    ],
)
def test_organizations(text: str, expected: list[str]) -> None:
    assert values("organization", text) == expected


def test_a_word_of_business_is_said_to_be_the_reason() -> None:
    (reading,) = find("organization", "Harbour View Restaurant")
    assert (reading.value, reading.rule) == ("Harbour View Restaurant", "a word of business")


def test_persons() -> None:
    text = "Mr. John Q. Smith and Herr Dr. Hans von Müller met Mary Ann Baker of Peter Miller GmbH"
    assert values("person", text) == ["John Q. Smith", "Dr. Hans von Müller", "Mary Ann Baker"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Muster GmbH\nLindenstraße 20\nDE 80333 München\n\nTel 1", ["Lindenstraße 20 DE 80333 München"]),
        (
            "Pear Inc.\n12 Orchard Road\nSpringfield, CA 95014\nUSA\nInvoice",
            ["12 Orchard Road Springfield, CA 95014 USA"],
        ),
        (
            "ABC SDN BHD\n(123-X)\n54,JALAN SATU.\nSETAPAK\nTAMAN INDAH,47400\nPETALING JAYA,SELANGOR\nTEL: 03-1",
            ["54,JALAN SATU. SETAPAK TAMAN INDAH,47400 PETALING JAYA,SELANGOR"],
        ),
        ("Address: 7 High Street\nLondon SW1A 1AA", ["7 High Street London SW1A 1AA"]),
        ("NO 19 JALAN UTAMA 4,\nMEDAN NIAGA\nDATE 1/1/2018", ["NO 19 JALAN UTAMA 4, MEDAN NIAGA"]),
        ("C/ Mayor, 33\n28013 Madrid", ["C/ Mayor, 33 28013 Madrid"]),
        ("Rua Augusta, 1500\nSão Paulo - SP\n01304-001", ["Rua Augusta, 1500 São Paulo - SP 01304-001"]),
        (
            "Blk 335 Smith Street, #02-104\nSingapore 050335",
            ["Blk 335 Smith Street, #02-104 Singapore 050335"],
        ),
        ("Total 12.50\nThank you", []),
    ],
)
def test_addresses(text: str, expected: list[str]) -> None:
    assert values("address", text) == expected
