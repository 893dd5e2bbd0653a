import pytest

from paxman.recognizers import Conventions, find


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
        ("Kaito 株式会社", ["Kaito 株式会社"]),
        ("Kaito Trading 株式会社 御中", ["Kaito Trading 株式会社"]),
        ("請求元：株式会社 Kaito", ["株式会社 Kaito"]),
        ("有限会社 山田", ["有限会社 山田"]),
        ("上海ABC有限公司 Kaito 股份有限公司", ["上海ABC有限公司", "Kaito 股份有限公司"]),
        ("この契約は株式会社Kaitoと山田商事株式会社との間で", ["株式会社Kaito", "山田商事株式会社"]),
        ("丸の内商事株式会社", ["丸の内商事株式会社"]),
        ("株式会社の設立について", []),
        ("株式会社は法人である", []),
        ("株式会社とらや", ["株式会社とらや"]),
        ("登録番号T1234567890123 株式会社テスト", ["株式会社テスト"]),
        ("東京都千代田区1-1-1 株式会社山田製作所", ["株式会社山田製作所"]),
        ("Oy Karl Nord Ab, Helsinki", ["Oy Karl Nord Ab"]),
        ("Kommanditbolaget X", ["Kommanditbolaget X"]),
        ("Yamada K.K. and Kaito Kabushiki Kaisha", ["Yamada K.K.", "Kaito Kabushiki Kaisha"]),
        ("SARL Dupont", ["SARL Dupont"]),
        ("SARL Dupont RCS Nanterre", ["SARL Dupont"]),
        ("SARL RCS Nanterre", []),
        ("SARL Code APE 4520A", []),
        ("Nagy és Fia Kft.", ["Nagy és Fia Kft."]),
        ("Kontoret och AB Volvo har betalat", []),
        ("ООО «Ромашка»", ["ООО «Ромашка»"]),
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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("M. Jean Dupont", ["Jean Dupont"]),
        ("Mme Marie Curie", ["Marie Curie"]),
        ("Hr. Müller, Fru Hansen", ["Müller", "Hansen"]),
        ("Sig.ra Lia Verdi, Dott.ssa Bianchi", ["Lia Verdi", "Bianchi"]),
        ("Sr. Gómez, Señora López", ["Gómez", "López"]),
        ("dhr. J. de Vries, mevrouw A. Bakker, mw. Jansen", ["J. de Vries", "A. Bakker", "Jansen"]),
        ("Pan Kowalski, Pani Nowak", ["Kowalski", "Nowak"]),
        ("Senhor Costa, Bpk. Budi Santoso, г-н Иванов", ["Costa", "Budi Santoso", "Иванов"]),
        ("2 Hr Labour, 24 Hr Service, 3 Hr. Arbeit, Hr Department", []),
        ("Dla Pana Rabat, Shri Krishna Sweets, Bapak Ibu", []),
        ("Señor Presidente, Senhora Diretora, De heer Voorzitter, Fru Formand, Signor Sindaco", []),
        ("Senhor Presidente da República, Señor Director General", []),
        ("Herr Direktor Meier", ["Direktor Meier"]),
        ("M. Smith and D. Scope of this", []),
        ("Class 500 mw Output. Pandora", []),
    ],
)
def test_persons_by_their_titles(text: str, expected: list[str]) -> None:
    assert values("person", text) == expected


def test_a_letter_is_a_title_in_its_language() -> None:
    assert [each.value for each in find("person", "M. Dupont", Conventions(language="fr"))] == ["Dupont"]
    assert find("person", "M. Robert Brown", Conventions(language="en")) == []
    assert [each.value for each in find("person", "D. Juan Pérez", Conventions(language="es"))] == ["Juan Pérez"]
    assert find("person", "Annex D. Maria Island") == []


@pytest.mark.parametrize(
    "name",
    [
        "Elm S.A.S.",
        "Elm S.A.C.",
        "Elm S.C.I.",
        "Elm en Zonen B.V.",
        "Elm a syn s.r.o.",
        "Kaya San. ve Tic. A.Ş.",
    ],
)
def test_dotted_forms_and_family_firms(name: str) -> None:
    assert [reading.value for reading in find("organization", name)] == [name]
