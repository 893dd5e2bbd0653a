"""Files as the usual programs write them: python-pptx, LibreOffice and pandoc, kept in `files`."""

import io
import zipfile
from pathlib import Path

import pytest
from pptx import Presentation
from pptx.util import Inches

import paxman
from paxman.api.verification import verify
from paxman.documents.document import MailPart, NodePath
from paxman.documents.reading import Limits, read_document

FILES = Path(__file__).parent / "files"
LINES = [("description", "STRING"), ("quantity", "INTEGER"), ("unit_price", "MONEY")]
CONTRACT = {
    "id": "agreement",
    "version": "1",
    "fields": [
        {"name": "contract_number", "type": "STRING", "required": True},
        {"name": "start_date", "type": "DATE", "required": True},
        {"name": "total_value", "type": "MONEY", "required": True},
        {
            "name": "lines",
            "type": "ARRAY",
            "required": True,
            "items": {"fields": [{"name": name, "type": type_, "required": True} for name, type_ in LINES]},
        },
    ],
}
BODY = "/content.xml/document-content[1]/body[1]"
SLIDES = """Harbour Lights Ltd
Quarterly review

Key figures
Contract number:\tHL-2025-07
Start date:\t3 March 2025
Total value:\tGBP 12,400.00
Account manager: Mara Quill

Order lines
Description\tQuantity\tUnit price
Storm lantern\t6\tGBP 41.00
Rope 12 mm\t80\tGBP 2.50

Next steps
Sign the contract
Before June

"""


@pytest.mark.parametrize("name", sorted(path.name for path in FILES.iterdir()))
def test_the_same_values_from_every_format(name: str) -> None:
    artifact = paxman.normalize(FILES / name, CONTRACT)
    data = artifact.normalized_data
    assert [str(data[field]) for field in ("contract_number", "start_date")] == ["HL-2025-07", "2025-03-03"]
    assert str(artifact["total_value"].value) == "12400.00 GBP"
    assert [[str(value) for value in row.values()] for row in artifact["lines"].value] == [
        ["Storm lantern", "6", "41.00 GBP"],
        ["Rope 12 mm", "80", "2.50 GBP"],
    ]
    assert verify(artifact, FILES / name, CONTRACT, strict=True).problems == ()


@pytest.mark.parametrize("name", ["review.pptx", "impress.pptx", "review.odp"])
def test_slides_are_pages_with_notes_behind_their_text(name: str) -> None:
    document = read_document((FILES / name).read_bytes(), name)
    assert document.text == SLIDES
    assert [document.text[slice(*page.span)].split("\n")[0] for page in document.pages] == [
        "Harbour Lights Ltd",
        "Key figures",
        "Order lines",
        "Next steps",
    ]
    assert [(note.code, note.context) for note in document.diagnostics] == [("INPUT_NOTE", {"page": 4})]
    assert [document.text[slice(*mark.span)] for mark in document.marks if mark.kind == "heading"] == [
        "Harbour Lights Ltd",
        "Key figures",
        "Order lines",
        "Next steps",
    ]


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("review.pptx", NodePath("/ppt/slides/slide2.xml/sld[1]/cSld[1]/spTree[1]/sp[3]/txBody[1]/p[1]")),
        (
            "review.odp",
            NodePath("/content.xml/document-content[1]/body[1]/presentation[1]/page[2]/custom-shape[2]/p[1]"),
        ),
        ("agreement.odt", NodePath(f"{BODY}/text[1]/p[2]")),
        ("agreement.epub", MailPart("EPUB/text/ch001.xhtml", NodePath("/html[1]/body[1]/section[1]/p[1]"))),
    ],
)
def test_a_value_has_the_path_of_its_paragraph(name: str, place: object) -> None:
    document = read_document((FILES / name).read_bytes(), name)
    start = document.text.index("HL-2025-07")
    assert document.locate((start, start + 10)) == place


@pytest.mark.parametrize("name", ["agreement.odt", "writer.odt", "agreement.docx"])
def test_headings_items_and_bold_print_are_marks(name: str) -> None:
    document = read_document((FILES / name).read_bytes(), name)
    marks = {(mark.kind, document.text[slice(*mark.span)]) for mark in document.marks}
    assert marks > {("heading", "Parties"), ("heading", "Governing law"), ("strong", "Client:")}
    assert ("item", "Client: Crooked Mast GmbH") in marks


def presentation(*slides: list[tuple[float, float, str]]) -> bytes:
    """Slides with boxes of text by their left and top, in inches."""
    show = Presentation()
    for boxes in slides:
        slide = show.slides.add_slide(show.slide_layouts[6])
        for left, top, text in boxes:
            box = slide.shapes.add_textbox(Inches(left), Inches(top), Inches(2), Inches(0.5))
            box.text_frame.text = text
    target = io.BytesIO()
    show.save(target)
    return target.getvalue()


def test_boxes_are_read_from_the_top_down_and_side_by_side() -> None:
    boxes = [(4.0, 3.0, "right"), (1.0, 5.0, "below"), (1.0, 3.05, "left"), (1.0, 1.0, "above\ntwo lines")]
    assert read_document(presentation(boxes)).text == "above\ntwo lines\nleft\tright\nbelow\n\n"


def test_the_limit_on_pages_holds_for_slides() -> None:
    slides = [[(1.0, 1.0, f"Slide {number}")] for number in (1, 2, 3)]
    document = read_document(presentation(*slides), limits=Limits(max_pages=2))
    assert document.text.split("\n\n") == ["Slide 1", "Slide 2", ""]
    assert [note.message.split(".")[0] for note in document.diagnostics] == ["only the first 2 of 3 slides were read"]


def test_groups_raised_and_struck_out_text_of_slides() -> None:
    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[6])
    group = slide.shapes.add_group_shape()
    box = group.shapes.add_textbox(Inches(1), Inches(1), Inches(3), Inches(1))
    for text, change in (("Price 12", {}), ("50", {"strike": "sngStrike"}), ("2", {"baseline": "30000"})):
        run = box.text_frame.paragraphs[0].add_run()
        run.text = text
        for name, value in change.items():
            run.font._element.set(name, value)
    target = io.BytesIO()
    show.save(target)
    document = read_document(target.getvalue())
    assert document.text.strip() == "Price 12²"
    assert [note.context for note in document.diagnostics] == [{"count": 1}]


@pytest.mark.parametrize("name", ["review.pptx", "review.odp", "agreement.odt", "agreement.epub"])
def test_a_damaged_file_says_so(name: str) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(FILES / name) as archive, zipfile.ZipFile(target, "w") as copy:
        for member in archive.infolist():
            content = archive.read(member)
            broken = member.filename.endswith(("presentation.xml", "content.xml", ".opf"))
            copy.writestr(member.filename, content[: len(content) // 2] if broken else content)
    (note,) = read_document(target.getvalue(), name).diagnostics
    assert (note.code, note.severity.value) == ("UNREADABLE_INPUT", "ERROR")
    assert "that can be read" in note.message
