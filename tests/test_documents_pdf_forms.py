"""Boxes and buttons of PDF forms: marks beside their words, and which of them is set."""

from __future__ import annotations

import pytest
from pdf_maker import make_pdf, show, stream

from paxman import normalize
from paxman.documents.reading import read_document

WIDGET = "<</Type/Annot/Subtype/Widget/Rect[{0} {1} {2} {3}]/AS/{4}/AP<</N<</{5} 5 0 R/Off 5 0 R>>>>{6}>>".format


def widget(x: int, y: int, state: str, name: str, more: str, size: int = 12) -> bytes:
    return WIDGET(x, y, x + size, y + size, state, name, more).encode()


def box(x: int, y: int, name: str, checked: bool, flags: int = 4) -> bytes:
    state = "Yes" if checked else "Off"
    return widget(x, y, state, "Yes", f"/FT/Btn/T({name})/V/{state}/F {flags}")


def form() -> bytes:
    words = [("Payment:", 72, 700), ("Card", 166, 700), ("Cash", 246, 700), ("Shipping:", 72, 670), ("Truck", 166, 670)]
    words += [("Rail", 246, 670), ("Newsletter", 72, 640), ("Insured", 72, 610)]
    widgets = [
        b"<</FT/Btn/Ff 49152/T(pay)/V/cash/Kids[7 0 R 8 0 R]>>",
        widget(150, 698, "Off", "card", "/Parent 6 0 R/F 4"),
        widget(230, 698, "cash", "cash", "/Parent 6 0 R/F 4"),
        box(150, 668, "truck", False),
        box(230, 668, "rail", True),
        box(150, 638, "newsletter", True),
        box(150, 608, "ins", False),
        box(300, 608, "unseen", True, flags=2),
    ]
    drawn = stream(b"", "/Type/XObject/Subtype/Form/BBox[0 0 10 10]")
    shown = " ".join(f"{number} 0 R" for number in range(7, 14))
    fields = "/AcroForm<</Fields[6 0 R " + " ".join(f"{number} 0 R" for number in range(9, 14)) + "]>>"
    content = b"".join(show(*word) for word in words)
    return make_pdf(content, extra=[drawn, *widgets], page=f"/Annots[{shown}]", catalog=fields)


def test_a_box_is_a_mark_beside_its_words() -> None:
    document = read_document(form())
    assert [line.split() for line in document.text.splitlines() if line] == [
        ["Payment:", "☐", "Card", "☑", "Cash"],
        ["Shipping:", "☐", "Truck", "☑", "Rail"],
        ["Newsletter", "☑"],
        ["Insured", "☐"],
    ]
    assert document.tree is not None
    # One of several buttons stands for the words beside it, where the form has the same word for it.
    assert [(node.name, node.text) for node in document.tree.children] == [
        ("pay", "Cash"),
        ("truck", "☐"),
        ("rail", "☑"),
        ("newsletter", "☑"),
        ("ins", "☐"),
    ]


@pytest.mark.parametrize("low", [-9, -5, -1, 1])
def test_a_large_button_is_on_the_line_of_its_words(low: int) -> None:
    words = [("Above", 170, 722), ("Size", 72, 700), ("Small", 174, 700), ("Large", 274, 700), ("Below", 170, 678)]
    buttons = [
        b"<</FT/Btn/Ff 49152/T(size)/V/L/Kids[7 0 R 8 0 R]>>",
        widget(150, 700 + low, "Off", "S", "/Parent 6 0 R/F 4", size=20),
        widget(250, 700 + low, "L", "L", "/Parent 6 0 R/F 4", size=20),
    ]
    drawn = stream(b"", "/Type/XObject/Subtype/Form/BBox[0 0 10 10]")
    content = b"".join(show(*word) for word in words)
    paper = make_pdf(
        content, extra=[drawn, *buttons], page="/Annots[7 0 R 8 0 R]", catalog="/AcroForm<</Fields[6 0 R]>>"
    )
    assert [line.split() for line in read_document(paper).text.splitlines() if line] == [
        ["Above"],
        ["Size", "☐", "Small", "☑", "Large"],
        ["Below"],
    ]
    artifact = normalize(
        paper, {"id": "c", "version": "1", "fields": [{"name": "size", "type": "STRING", "required": True}]}
    )
    assert (artifact["size"].value, artifact["size"].confidence_band.value) == ("Large", "HIGH")


def test_of_choices_in_a_form_the_marked_one_is_the_value() -> None:
    kinds = {"payment": "STRING", "shipping": "STRING", "newsletter": "BOOLEAN", "insured": "BOOLEAN"}
    fields = [{"name": name, "type": kind, "required": True} for name, kind in kinds.items()]
    artifact = normalize(form(), {"id": "c", "version": "1", "fields": fields})
    found = {each.field_path: (each.value, each.confidence_band.value) for each in artifact.field_results}
    assert found == {
        "payment": ("Cash", "HIGH"),
        "shipping": ("Rail", "HIGH"),
        "newsletter": (True, "HIGH"),
        "insured": (False, "HIGH"),
    }
