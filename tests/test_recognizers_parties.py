import pytest

from paxman.recognizers import Conventions, find


def values(kind: str, text: str) -> list[object]:
    return [reading.value for reading in find(kind, text)]


def test_persons() -> None:
    text = "Mr. John Q. Smith and Herr Dr. Hans von Müller met Mary Ann Baker of Peter Miller GmbH"
    assert values("person", text) == ["John Q. Smith", "Dr. Hans von Müller", "Mary Ann Baker"]


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
