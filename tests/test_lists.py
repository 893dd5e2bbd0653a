"""Arrays of strings: the label of a list, how far it goes, and its items."""

from __future__ import annotations

import time
from typing import Any

import pytest
from test_documents_office import make_docx, paragraph
from test_table_grids import as_docx, as_sheets

import paxman

THREE = ["Ann Lee", "Bob Hill", "Cy Young"]
Outcome = tuple[list[str] | None, str, list[str]]


def read(document: str | bytes, name: str = "attendees", labels: tuple[str, ...] = ()) -> Outcome:
    """The items, the band, and whether a note says that they may be others."""
    field: dict[str, Any] = {"name": name, "type": "ARRAY", "required": True, "items": {"type": "STRING"}}
    contract = {"id": "c", "version": "1", "fields": [{**field, "labels": list(labels)} if labels else field]}
    artifact = paxman.normalize(document, contract)
    notes = [note.code for note in artifact[name].diagnostics if note.code == "AMBIGUOUS_VALUE"]
    return artifact.normalized_data.get(name), artifact[name].confidence_band.value, notes


def sure(*items: str) -> Outcome:
    return [*items], "HIGH", []


def unsure(*items: str) -> Outcome:
    return [*items], "MEDIUM", ["AMBIGUOUS_VALUE"]


_SENTENCE = "we have all that one may need for this kit and more of it"
OPEN: Outcome = (None, "UNTRUSTED", [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Parts: bolts (62%), nuts,\nthin glue, tape\nWeight: 4 kg\n", ("bolts (62%)", "nuts", "thin glue", "tape")),
        ("Parts: bolts (62%), thin\nglue, tape\nWeight: 4 kg\n", ("bolts (62%)", "thin glue", "tape")),
        ("Parts:  bolts, nuts,\n        oil\nWeight: 4 kg\n", ("bolts", "nuts", "oil")),
        ("Parts:   Bolt M3\n         Nut M3\n         Oil\nWeight:  4 kg\n", ("Bolt M3", "Nut M3", "Oil")),
        ("Parts:\nBolt\nNut\nDate: 3 March 2025\nPlace: Rome\n", ("Bolt", "Nut")),
        ("Parts:\nBolt\nNut\nTools:\nSaw\n", ("Bolt", "Nut")),
        ("Parts:\nbolts (4), nuts,\ntape\nand glue.\nWeight: 4\n", ("bolts (4)", "nuts", "tape", "glue")),
        ("KIT\n\nPARTS\nBolt\nNut\n\nTOOLS\nSaw\n", ("Bolt", "Nut")),
        ("Parts\n\n- bolt\n\n- nut\n\nTools\n\n- saw\n", ("bolt", "nut")),
        ("Parts:\n1) bolt\n2) nut\n\nPage 1 of 2\n\f\n3) oil\n\nDate: 5 May\n", ("bolt", "nut", "oil")),
        ("Parts:\n1. bolt\n2. nut\n\nPage 1 of 2\n\fThe Kit\n3. oil\n\nTools\n1. saw\n", ("bolt", "nut", "oil")),
        ("Parts (3): bolt, nut, oil\nPlace: Rome\n", ("bolt", "nut", "oil")),
        ("# Kit\n\n**Parts:** bolt, nut\n\n**Tools:** saw\n", ("bolt", "nut")),
        ("# Kit\n\n## Parts\n\n* bolt\n* nut\n\n## Tools\n\n1. saw\n", ("bolt", "nut")),
        ("Parts             bolt, nut, oil\nPlace             Rome\n", ("bolt", "nut", "oil")),
        ("Parts: bolt, nut      Date: 5 May 2025\n", ("bolt", "nut")),
        ("Parts: bolt, nut\n1. Opening\n2. Budget\n", ("bolt", "nut")),
        ("Parts: bolt, nut\nThe kit was opened at nine, and closed at ten.\n", ("bolt", "nut")),
        ("Parts:\nJ. Smith\nK. Brown\n", ("J. Smith", "K. Brown")),
    ],
)
def test_a_list_goes_on_up_to_something_else(text: str, expected: tuple[str, ...]) -> None:
    assert read(text, "parts") == sure(*expected)


@pytest.mark.parametrize(
    "text",
    [
        "Parts:\nDate: 3 May 2025\n",
        "Parts:\n\nTools:\n- saw\n- file\n",
        "Parts: none\nTools: saw\n",
        "Parts: n/a\n",
        "Parts: keine\n",
        "Parts: -\n",
        "Parts: see page 4\n",
        "Parts: ________\nTools: ______\n",
        "Parts\nTools\nPlace\n",
        "Parts    Amount\nbolts    200\nnuts     100\n",
        "Parts\nThe parts are sold, in good faith, to all.\n",
        "Parts\nWe sell bolts to all, nuts to some, and oil to those who ask for it.\n",
    ],
)
def test_a_label_without_a_list_has_no_items(text: str) -> None:
    assert read(text, "parts") == OPEN


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wheat, oil (palm, rape), salt.", ("wheat", "oil (palm, rape)", "salt")),
        ("Milch 3,5 %, Kakao 2,0 %, Salz", ("Milch 3,5 %", "Kakao 2,0 %", "Salz")),
        ("10021,10022,10025", ("10021", "10022", "10025")),
        ("Alpha, Inc., Beta Holdings, LLC, and Gamma Ltd.", ("Alpha, Inc.", "Beta Holdings, LLC", "Gamma Ltd.")),
        ("Smith, J., Brown, K. and Hill, L.", ("Smith, J.", "Brown, K.", "Hill, L.")),
        ("Smith, J.; Brown, K.", ("Smith, J.", "Brown, K.")),
        ("Ann Hill, PhD, Bob Lee, MD", ("Ann Hill, PhD", "Bob Lee, MD")),
        ("Alpha Ltd, Beta GmbH.", ("Alpha Ltd", "Beta GmbH")),
        ('"Hello, World", "Bye"', ('"Hello, World"', '"Bye"')),
        ("Red, Green & Blue", ("Red", "Green", "Blue")),
        ("Rock, Pop, R & B", ("Rock", "Pop", "R & B")),
        ("travel, food & drink", ("travel", "food & drink")),
        ("sugar, oils (palm and rape), milk and whey", ("sugar", "oils (palm and rape)", "milk", "whey")),
        ("sugar, oils (palm and rape)", ("sugar", "oils (palm and rape)")),
        ("brown sugar, palm oil and rice flour", ("brown sugar", "palm oil", "rice flour")),
        ("red, green or blue", ("red", "green", "blue")),
        ("rot, grün und blau", ("rot", "grün", "blau")),
        ("rouge, vert et bleu", ("rouge", "vert", "bleu")),
        ("rojo, verde y azul", ("rojo", "verde", "azul")),
        ("rosso, verde e blu", ("rosso", "verde", "blu")),
        ("röd, grön och blå", ("röd", "grön", "blå")),
        ("mąka, cukier i sól", ("mąka", "cukier", "sól")),
        ("tomate, sal, sardinas en aceite de oliva", ("tomate", "sal", "sardinas en aceite de oliva")),
        ("Smith and Sons Ltd, Brown & Co., and Green plc", ("Smith and Sons Ltd", "Brown & Co.", "Green plc")),
        ("小麦粉、砂糖、バター", ("小麦粉", "砂糖", "バター")),
        ("red / green / blue", ("red", "green", "blue")),
        ("red | green | blue", ("red", "green", "blue")),
        ("red • green • blue", ("red", "green", "blue")),
        ("red · green · blue", ("red", "green", "blue")),
        ("ham, cheese, etc.", ("ham", "cheese")),
        ("ham, cheese, salt. May contain nuts, soy and milk.", ("ham", "cheese", "salt")),
        ("Hr. Müller (PM), Fr. Dr. Weiß", ("Hr. Müller (PM)", "Fr. Dr. Weiß")),
        ("contains milk, soy", ("milk", "soy")),
        ("(1) Alpha Ltd, (2) Beta GmbH and (3) Gamma SA", ("Alpha Ltd", "Beta GmbH", "Gamma SA")),
    ],
)
def test_a_list_is_cut_where_its_items_end(text: str, expected: tuple[str, ...]) -> None:
    assert read(f"Parts: {text}\n", "parts") == sure(*expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Parts:\n(a) Price list;\n(b) Terms; and\n(c) Schedule.\n\nYours\n", ("Price list", "Terms", "Schedule")),
        ("Parts:\ni) Price list\nii) Terms\n\nYours\n", ("Price list", "Terms")),
        ("Parts: - bolt\n       - nut\n", ("bolt", "nut")),
    ],
)
def test_marks_are_no_part_of_items(text: str, expected: tuple[str, ...]) -> None:
    assert read(text, "parts") == sure(*expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Parts: nut and bolt\n", ("nut and bolt",)),
        ("Parts:\n- bolt      Tools\n- nut       - saw\n", ("bolt Tools", "nut - saw")),
        ("Parts: red, green & blue\n", ("red", "green", "blue")),
        ("Parts: Tax, Human Rights, Law & Order\n", ("Tax", "Human Rights", "Law & Order")),
        ("Parts: Tax, Human Rights, Law and Order\n", ("Tax", "Human Rights", "Law", "Order")),
        ("Parts: supply, terms and conditions\n", ("supply", "terms and conditions")),
        ("Parts: sales and marketing, research and design\n", ("sales and marketing", "research and design")),
        ("Parts: bolt, nut\nkeep dry\n", ("bolt", "nut keep dry")),
        ("Parts: bolt, nut,\n\nPlace: Rome\n", ("bolt", "nut")),
        ("Parts: bolt (steel, nut, oil\n", ("bolt (steel, nut, oil",)),
        ("Parts: left / right\n", ("left", "right")),
        ("Parts: bolt, nut,     Place: Rome\noil             Day: Monday\n", ("bolt", "nut")),
        ("Parts: bolt, nut,\noil             Day: Monday\n", ("bolt", "nut")),
        ("Parts: bolt, nut and oil; keep dry\n", ("bolt, nut and oil", "keep dry")),
        ("Parts: Austin, TX, Miami, FL\n", ("Austin", "TX", "Miami", "FL")),
        ("Parts: 12,14\n", ("12,14",)),
        ("Parts: bolts, nuts, long-\nlife oil\n", ("bolts", "nuts", "long- life oil")),
        ("Parts:\n- bolt\n  - steel\n- nut\n", ("bolt", "steel", "nut")),
        ("Parts: we have all that one may need for this kit and more of it\n", (_SENTENCE,)),
        ("Parts: Mehl, Salz. Kann Spuren von Nuss enthalten\n", ("Mehl", "Salz")),
        ("Parts:\nBolt        steel\nNut         brass\n\n", ("Bolt", "Nut")),
        ("Kit\nParts: bolt, nut\n\nBox\nParts: saw, file\n", ("bolt", "nut")),
        ("Parts\nbolts (4), nuts, oil,\ntape.\n", ("bolts (4)", "nuts", "oil", "tape")),
    ],
)
def test_an_unclear_list_is_told_of(text: str, expected: tuple[str, ...]) -> None:
    assert read(text, "parts") == unsure(*expected)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("<p>Attendees: Ann Lee, Bob Hill, Cy Young</p><p>Place: Room 4</p>", sure(*THREE)),
        ("<p><b>Attendees:</b> Ann Lee, Bob Hill, Cy Young.</p><p>Keep dry.</p>", sure(*THREE)),
        ("<div><b>Attendees</b>: Ann Lee, Bob Hill, Cy Young</div><div><b>Place</b>: Rome</div>", sure(*THREE)),
        ("<h3>Attendees</h3><ul><li>Ann Lee</li><li>Bob Hill</li><li>Cy Young</li></ul><h3>Agenda</h3>", sure(*THREE)),
        ("<p>Attendees:</p><ol><li>Ann Lee</li><li>Bob Hill</li><li>Cy Young</li></ol>", sure(*THREE)),
        ("<dl><dt>Attendees</dt><dd>Ann Lee</dd><dd>Bob Hill</dd><dt>Place</dt><dd>Rome</dd></dl>", sure(*THREE[:2])),
        ("<p>Attendees:<br>Ann Lee<br>Bob Hill</p><p>Place: Rome</p>", sure(*THREE[:2])),
        ("<p><b>Attendees:</b></p><p>Ann Lee, Bob Hill, Cy Young</p><p>We met.</p>", sure(*THREE)),
        (
            "<p>Attendees:</p><ul><li>Ann Lee<ul><li>Chair</li></ul></li><li>Bob Hill</li></ul>",
            unsure("Ann Lee Chair", "Bob Hill"),
        ),
        ("<h2>Attendees</h2><p>Ann Lee, Bob Hill, Cy Young</p><h2>Place</h2><p>Rome</p>", sure(*THREE)),
        (
            "<table><tr><th>Attendees</th><td>Ann Lee<br>Bob Hill</td></tr><tr><th>A</th><td>B</td></tr></table>",
            sure(*THREE[:2]),
        ),
        (
            "<h2>Attendees</h2><ul><li>Ann Lee</li></ul><h3>Guests</h3><ul><li>Bob Hill</li></ul><h2>Place</h2>",
            unsure("Ann Lee"),
        ),
    ],
)
def test_lists_of_marked_up_pages(document: str, expected: Outcome) -> None:
    assert read(f"<html><body>{document}</body></html>") == expected


@pytest.mark.parametrize(
    ("paragraphs", "expected"),
    [
        (("Minutes", "Attendees: Ann Lee, Bob Hill, Cy Young", "Place: Room 4"), sure(*THREE)),
        (("Minutes", "Attendees:", "- Ann Lee", "- Bob Hill", "Agenda:", "- Budget"), sure(*THREE[:2])),
        (("Minutes", "Attendees", "Ann Lee", "Bob Hill", "", "Agenda", "Budget"), unsure(*THREE[:2])),
    ],
)
def test_lists_of_word_documents(paragraphs: tuple[str, ...], expected: Outcome) -> None:
    assert read(make_docx("".join(map(paragraph, paragraphs)))) == expected


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        (
            "ingredients",
            "Zutaten Ingrédients Ingredientes Ingredienti Ingrediënten Składniki Ingredienser 配料 原材料名",
        ),
        (
            "attendees",
            "Present Teilnehmer Anwesend Présents Asistentes Partecipanti Aanwezigen Uczestnicy Deltagare 出席者",
        ),
        ("participants", "Attendees Anwesende Participants Participantes Presenti Deelnemers Obecni Deltagere"),
        ("parties", "Vertragsparteien Partes Parti Partijen Strony Parter"),
        ("skills", "Kenntnisse Compétences Habilidades Competenze Competências Vaardigheden Umiejętności Kompetenser"),
        ("languages", "Sprachen Langues Idiomas Lingue Línguas Talen Języki Språk Sprog"),
        ("allergens", "Allergene Allergènes Alérgenos Allergeni Allergenen Alergeny Allergener"),
        ("members", "Mitglieder Membres Miembros Membri Membros Leden Członkowie Medlemmar Medlemmer"),
        ("authors", "Autoren Auteurs Autores Autori Autorzy Författare Forfattere"),
        ("keywords", "Tags Schlagwörter Mots-clés Trefwoorden Nyckelord Nøkkelord 关键词"),
        ("attachments", "Anlagen Anexos Allegati Bijlagen Załączniki Bilagor Vedlegg 附件"),
    ],
)
def test_lists_have_labels_in_many_languages(name: str, labels: str) -> None:
    papers = [f"{label}: Ada One, Bea Two, Cid Three\n\n-\n" for label in labels.split()]
    assert [read(paper, name) for paper in papers] == [sure("Ada One", "Bea Two", "Cid Three")] * len(papers)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ('{"attendees": "Ann Lee, Bob Hill and Cy Young"}', sure(*THREE)),
        ('{"attendees": "Ann Lee; Bob Hill"}', sure(*THREE[:2])),
        ('{"attendees": "Ann Lee\\nBob Hill"}', sure(*THREE[:2])),
        ('{"attendees": "Ann \\"A\\" Lee, Bob Hill"}', sure('Ann "A" Lee', "Bob Hill")),
        ('{"attendees": "Ann Lee"}', sure("Ann Lee")),
        ('{"attendees": ["Lee, Ann", "Hill, Bob"]}', sure("Lee, Ann", "Hill, Bob")),
        ('{"attendees": "Doe, Jane"}', unsure("Doe, Jane")),
        ('{"attendees": "Ann Lee, Chair"}', unsure("Ann Lee, Chair")),
        ('{"attendees": "none"}', OPEN),
        ('{"attendees": ""}', OPEN),
        ("<r><attendees>Ann Lee, Bob Hill</attendees></r>", sure(*THREE[:2])),
        ("<r><attendees><attendee>Lee, Ann</attendee></attendees></r>", sure("Lee, Ann")),
        ('place,attendees,day\nRome,"Ann Lee, Bob Hill",Monday\n', sure(*THREE[:2])),
        ("place;attendees;day\nRome;Ann Lee, Bob Hill;Monday\n", sure(*THREE[:2])),
        ("Attendees,Town\nAnn Lee,Oslo\nBob Hill,Rome\n", sure(*THREE[:2])),
    ],
)
def test_a_text_that_should_be_an_array_is_cut(document: str, expected: Outcome) -> None:
    assert read(document) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Paris, France", unsure("Paris, France")),
        ("12 High Street, Leeds", unsure("12 High Street, Leeds")),
        ("12 High Street, Leeds, England", unsure("12 High Street, Leeds, England")),
        ("Call first, then ring the bell.", unsure("Call first, then ring the bell.")),
        ("Call, wait, then ring the bell.", unsure("Call, wait, then ring the bell.")),
        ("Oak Holdings, Inc.", sure("Oak Holdings, Inc.")),
        ("bolt, nut, oil", sure("bolt", "nut", "oil")),
        ("bolt, nut and oil.", sure("bolt", "nut", "oil")),
        ("10021, 10022, 10025", sure("10021", "10022", "10025")),
        ("bolt; nut", sure("bolt", "nut")),
        ("bolt | nut", sure("bolt", "nut")),
    ],
)
def test_one_value_with_a_comma_may_be_one_item(text: str, expected: Outcome) -> None:
    papers = (f'{{"parts": "{text}"}}', f"<r><id>4</id><parts>{text}</parts></r>", f'id,parts\n4,"{text}"\n')
    assert [read(paper, "parts") for paper in papers] == [expected] * 3


def test_rows_that_all_have_commas_may_be_lists() -> None:
    assert read("name;parts\nKit;bolt, nut\nBox;saw, file\n", "parts") == unsure("bolt, nut", "saw, file")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([[*("Attendees", "Ann Lee", "Bob Hill", "Cy Young")], ["Place", "Room 4"]], sure(*THREE)),
        ([["Place", "Room 4"], [*("Attendees", "Ann Lee", "Bob Hill", "Cy Young")], ["Day", "3 May"]], sure(*THREE)),
        ([["Attendees", "Ann Lee, Bob Hill"], ["Place", "Room 4"], ["Date", "3 May"]], sure(*THREE[:2])),
        ([["Place", "Room 4"], ["Attendees", "Ann Lee, Bob Hill"], ["Date", "3 May"]], sure(*THREE[:2])),
        ([["Attendees"], ["Ann Lee"], ["Bob Hill"]], sure(*THREE[:2])),
        ([["Attendees", "E-mail"], ["Ann Lee", "a@x.org"], ["Bob Hill", "b@x.org"]], sure(*THREE[:2])),
        ([["Attendees", "Role", "Phone"], ["Ann Lee", "Chair", "12"], ["Bob Hill", "CFO", "14"]], sure(*THREE[:2])),
        ([["Attendees", "Department"], ["Ann Lee", "Sales"], ["Bob Hill", "IT"]], unsure(*THREE[:2])),
        ([["Attendees", "Ann Lee and Bob Hill"], ["Place", "Room 4"], ["Date", "3 May"]], sure(*THREE[:2])),
        ([["Attendees", "Lee, Ann"], ["Place", "Room 4"], ["Date", "3 May"]], unsure("Lee, Ann")),
        ([["Attendees", "Ann, Bob, Cy"], ["Place", "Room 4"], ["Date", "3 May"]], sure("Ann", "Bob", "Cy")),
    ],
)
def test_lists_of_sheets(rows: list[list[str]], expected: Outcome) -> None:
    assert read(as_sheets(rows)) == expected


def test_a_list_in_a_cell_of_a_word_document() -> None:
    rows = [["Attendees", "Ann Lee, Bob Hill"], ["Place", "Room 4"]]
    assert [read(as_docx(rows)), read(as_docx(rows[::-1]))] == [sure(*THREE[:2])] * 2


def test_a_number_of_people_is_no_list_of_them() -> None:
    found = [read("Attendees: 12\n"), read("Parts: 12\n", "parts"), read("Parts: 10021\n", "parts")]
    assert found == [OPEN, unsure("12"), sure("10021")]


@pytest.mark.parametrize(
    "piece",
    ["a, ", "x,\ny,\n", "(x, y\nz ", "a and i b en ", "Abcd, J., ", "Salz. Ab c d e ", "Present\n", '"a, ', "- a\n"],
)
def test_hostile_lists_take_linear_time(piece: str) -> None:
    start = time.process_time()
    read("Attendees: " + piece * (100_000 // len(piece)))
    assert time.process_time() - start < 6


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Alder Ltd, Elm GmbH, Oak & Ash", unsure("Alder Ltd", "Elm GmbH", "Oak & Ash")),
        ("Ann Lee, Bob Hill & Cy Young", unsure(*THREE)),
        ("Ann Lee, Dr. Bob Hill and Cy Young", sure("Ann Lee", "Dr. Bob Hill", "Cy Young")),
    ],
)
def test_an_and_between_people_or_firms(text: str, expected: Outcome) -> None:
    assert read(f"Attendees: {text}\n") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Present:  Ann Lee      Absent:  Di Fox\n          Bob Hill\n          Cy Young\n", sure(*THREE)),
        ("Present:  Ann Lee      Absent:  Di Fox\n          Bob Hill             Ed Fox\nDay: 3\n", sure(*THREE[:2])),
        ("Present:  Ann Lee      Day:  Monday\n          Bob Hill     Time:  9:00\n", sure(*THREE[:2])),
        ("Present:  Ann Lee,     Day:  Monday\n          Bob Hill and\n          Cy Young\n", sure(*THREE)),
        ("Present:  Ann Lee      Day:  Monday\nPlace:    Rome\n", sure("Ann Lee")),
        ("Present:  Ann Lee      Day:  Monday\n          4 Elm Road\n", unsure("Ann Lee", "4 Elm Road")),
        ("Present:  Ann Lee      Day:  Monday\n    Bob Hill\n", unsure(*THREE[:2])),
        ("Present: ann, bob      Day:  Monday\n         cy, di\n", unsure("ann", "bob", "cy", "di")),
        ("Present: ann, bob      Day:  Monday\ncy, di\n", unsure("ann", "bob")),
    ],
)
def test_a_list_beside_another_column_goes_on_under_its_first_item(text: str, expected: Outcome) -> None:
    assert read(text) == expected


def test_every_item_has_its_place_in_the_text() -> None:
    text = "Parts: bolts (steel, short), thin\n       nuts, and oil.\n"
    field = {"name": "parts", "type": "ARRAY", "required": True, "items": {"type": "STRING"}}
    found = paxman.normalize(text, {"id": "c", "version": "1", "fields": [field]})["parts"]
    assert found.value == ("bolts (steel, short)", "thin nuts", "oil")
    quotes = [(ref.field_path, text[slice(*ref.span)]) for ref in found.evidence_refs]
    assert quotes == [
        ("parts[0]", "bolts (steel, short)"),
        ("parts[1]", "thin\n       nuts"),
        ("parts[2]", "oil"),
    ]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Attendees:\nAnn Lee, Bob Ray\nCy Poe\n", "attendees", unsure("Ann Lee, Bob Ray", "Cy Poe")),
        ("Attendees:\nAnn Lee, Vice President\nCy Poe\n", "attendees", sure("Ann Lee, Vice President", "Cy Poe")),
        ("Attendees:\nLee, Ann\nPoe, Cy\n", "attendees", sure("Lee, Ann", "Poe, Cy")),
        ("Parties:\nAnn Lee, Alder Group Ltd\nCy Poe\n", "parties", sure("Ann Lee, Alder Group Ltd", "Cy Poe")),
        (
            "Attendees: Ann Lee, Bob Ray and Cy Poe, Di Fox\n",
            "attendees",
            unsure("Ann Lee", "Bob Ray", "Cy Poe", "Di Fox"),
        ),
        ("Suppliers: Elm Works, Hill and Lake Ltd, Oak\n", "suppliers", sure("Elm Works", "Hill and Lake Ltd", "Oak")),
        (
            "Keywords: New Tax, Fair Trade and Open Trade, Law\n",
            "keywords",
            sure("New Tax", "Fair Trade and Open Trade", "Law"),
        ),
    ],
)
def test_names_that_may_be_two_items_are_not_sure(text: str, name: str, expected: Outcome) -> None:
    assert read(text, name) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sizes: 37, 38,5, 39\n", sure("37", "38,5", "39")),
        ("Sizes: 1,200, 1,500, 900\n", sure("1,200", "1,500", "900")),
        ("Sizes: 36,37,38, 39\n", sure("36", "37", "38", "39")),
        ("Sizes: 1,2, 3\n", unsure("1,2", "3")),
    ],
)
def test_a_comma_without_a_blank_among_others_is_part_of_a_number(text: str, expected: Outcome) -> None:
    assert read(text, "sizes") == expected
