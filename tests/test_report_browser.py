"""The report in a real browser: what lights up, keys, themes, printing, and no script but ours."""

import os
import shutil
from pathlib import Path

import attrs
import pytest
from click.testing import CliRunner
from pdf_maker import lines, make_pdf
from PIL import Image, ImageChops, ImageStat

import paxman
from paxman.api.inputs import RawInput
from paxman.cli.app import app
from paxman.report.page import report_page
from paxman.report.summary import write_reports

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
playwright = pytest.importorskip("playwright.sync_api", reason="needs the playwright package")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs a browser: apt-get install chromium")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
CONTRACT = {
    "id": "invoice",
    "version": "1",
    "fields": [
        {"name": "number", "type": "STRING", "required": True, "tags": ["regex:INV-\\d+"]},
        {"name": "total", "type": "MONEY", "required": True},
        {"name": "order", "type": "STRING", "required": True, "labels": ["Purchase order"]},
    ],
}
TEXT = "Invoice INV-2041\nTotal: 465.00 GBP\nSee also INV-1999\n"
OWN = "document.title='owned'"
EVIL = f'Invoice INV-1 <script>{OWN}</script><img src=x onerror="{OWN}">\nTotal: 1.00 EUR'


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def show(browser, tmp_path):
    """Open the report of a document; the page must stay without errors and requests."""
    opened = []

    def open_page(data, name="invoice.txt", contract=CONTRACT, **options):
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        artifact = attrs.evolve(paxman.normalize(path, contract), metadata={"source": name})
        report = tmp_path / "report.html"
        report.write_text(report_page(artifact, RawInput(path.read_bytes(), name)), "utf-8")
        page = browser.new_page(viewport={"width": 1280, "height": 800}, **options)
        page.wrong = []
        page.on("pageerror", lambda error: page.wrong.append(str(error)))
        page.on("console", lambda message: page.wrong.append(message.text))
        page.on("request", lambda request: request.url.startswith(("file:", "data:")) or page.wrong.append(request.url))
        page.goto(report.as_uri())
        opened.append(page)
        return page

    yield open_page
    for page in opened:
        assert page.wrong == []
        page.close()


def lit(page, role):
    return page.locator(f".lit-{role}").all_text_contents()


def test_a_click_lights_evidence_and_rivals(show):
    page = show(TEXT)
    page.locator("details.field", has_text="number").locator("summary").last.click()
    assert (lit(page, "s"), lit(page, "r")) == (["INV-2041"], ["INV-1999"])
    colours = [page.locator(f".lit-{role}").evaluate("e => getComputedStyle(e).backgroundColor") for role in "sr"]
    assert colours[0] != colours[1]
    page.keyboard.press("Escape")
    assert lit(page, "s") == []


def test_hovering_lights_and_leaving_ends_it(show):
    page = show(TEXT)
    page.locator("details.field", has_text="total").locator("summary").hover()
    assert lit(page, "s") == ["465.00 GBP"]
    page.locator("h1").hover()
    assert lit(page, "s") == []


def test_keys_walk_the_fields_worst_first(show):
    page = show(TEXT)
    seen = []
    for _ in range(3):
        page.keyboard.press("ArrowDown")
        seen.append(page.locator(".field.chosen .name").inner_text())
    assert seen == ["order", "number", "total"]
    was_open = page.locator(".field.chosen").evaluate("e => e.open")
    page.keyboard.press("Enter")
    assert page.locator(".field.chosen").evaluate("e => e.open") is not was_open


def test_a_click_in_the_document_opens_the_field(show):
    page = show(TEXT)
    page.locator("mark", has_text="465.00 GBP").click()
    assert page.locator(".field.chosen .name").inner_text() == "total"
    assert page.locator(".field.chosen").evaluate("e => e.open") is True


def test_a_pdf_is_a_picture_with_the_place_on_it(show):
    page = show(make_pdf(lines(TEXT.splitlines(), 72, 700)), "invoice.pdf")
    assert page.locator("figure.sheet image").count() == 1
    page.locator("details.field", has_text="total").locator("summary").click()
    box = page.locator("rect.lit-s").bounding_box()
    sheet = page.locator("figure.sheet svg").bounding_box()
    left, top = (box["x"] - sheet["x"]) / sheet["width"] * 612, (box["y"] - sheet["y"]) / sheet["height"] * 792
    assert 95 < left < 115
    assert 90 < top < 108


def test_a_hostile_document_runs_nothing(show):
    page = show(EVIL)
    page.wait_for_timeout(100)
    assert page.title() == "invoice.txt: UNRESOLVED"
    assert page.locator("img").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast_in_both_themes(show, scheme):
    page = show(TEXT, color_scheme=scheme)
    page.locator("details.field", has_text="number").locator("summary").last.click()
    poor = page.evaluate(CONTRAST)
    assert poor == []
    page.locator("#theme").click()
    assert page.locator("html").get_attribute("data-theme") == ("light" if scheme == "dark" else "dark")
    assert page.evaluate(CONTRAST) == []


CONTRAST = """() => {
  const parse = (text) => { const n = text.match(/[\\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
  const part = (v) => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; };
  const light = ([r, g, b]) => .2126 * part(r) + .7152 * part(g) + .0722 * part(b);
  const behind = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor);
    if (c[3] > .5) return c; } return [255, 255, 255, 1]; };
  const poor = [];
  for (const e of document.querySelectorAll("body *")) {
    if (e.closest("svg, script") || !e.checkVisibility()) continue;
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    const [a, b] = [light(parse(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
    const ratio = (a + .05) / (b + .05);
    if (ratio < 4.5) poor.push(e.tagName + "." + e.className + " " + ratio.toFixed(2));
  }
  return poor;
}"""


def test_everything_that_acts_has_a_name_and_takes_the_focus(show):
    page = show(TEXT)
    unnamed = page.evaluate(
        "() => [...document.querySelectorAll('button, a, summary, section, svg[role=img]')]"
        ".filter(e => !(e.textContent.trim() || e.getAttribute('aria-label'))).length"
    )
    assert (unnamed, page.locator("html").get_attribute("lang"), page.locator("h1").count()) == (0, "en", 1)
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.tagName") == "BUTTON"


def test_printed_it_shows_every_story(show, tmp_path):
    page = show(TEXT)
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details.field[open]").count() == 3
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    assert page.locator("details.field[open]").count() == 1
    assert page.pdf().startswith(b"%PDF-")


def test_printed_without_backgrounds_the_places_are_marked(show):
    """Chromium leaves backgrounds out by default; this sheet would be white, grey and black."""
    import pypdfium2

    printed = pypdfium2.PdfDocument(show(TEXT).pdf(format="A4", print_background=False))
    sheet = printed[0].render(scale=2).to_pil().convert("RGB")
    blue = sum(count for count, (red, _, blue) in sheet.getcolors(10**6) if blue - red > 60)
    assert blue > 100


def test_a_computed_value_lights_up_in_the_grid(show):
    fields = [{"name": name, "type": kind, "required": True} for name, kind in (("sku", "STRING"), ("qty", "INTEGER"))]
    rows = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    pieces = {"name": "pieces", "type": "INTEGER", "required": True, "derive": "sum(rows.qty)"}
    page = show("sku,qty\na,1\nb,2\n", "x.csv", {"id": "c", "version": "1", "fields": [rows, pieces]})
    page.locator("details.field", has_text="pieces").locator("summary").click()
    assert page.locator(".grid .lit-c").all_text_contents() == ["1", "2"]
    page.locator(".grid mark", has_text="2").click()
    assert page.locator(".field.chosen .name").inner_text() == "rows"


def test_the_plot_fits_a_narrow_window(browser, tmp_path):
    artifact = attrs.evolve(paxman.normalize(TEXT, CONTRACT), metadata={"source": "a.txt"})
    page = browser.new_page(viewport={"width": 400, "height": 800})
    page.goto(write_reports([artifact], [], tmp_path / "out").as_uri())
    box = page.locator(".plot").bounding_box()
    letters = page.locator(".plot text").first.bounding_box()
    page.close()
    assert (box["x"] >= 0, box["x"] + box["width"] <= 400, letters["height"] >= 8) == (True, True, True)


def test_the_summary_links_to_each_document(browser, tmp_path):
    artifacts = [attrs.evolve(paxman.normalize(text, CONTRACT), metadata={"source": name})
                 for name, text in (("a.txt", TEXT), ("b.txt", EVIL))]  # fmt: skip
    summary = write_reports(artifacts, [], tmp_path / "out")
    page = browser.new_page()
    page.goto(summary.as_uri())
    assert page.locator("tbody a").all_inner_texts() == ["a.txt", "b.txt"]
    page.locator("tbody a").first.click()
    assert page.locator("h1").inner_text() == "a.txt"
    page.get_by_text("All documents").click()
    assert page.locator("h1").inner_text() == "All documents"
    assert Path(page.url.removeprefix("file://")) == summary
    page.close()


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The report that `paxman demo` writes."""
    folder = tmp_path_factory.mktemp("demo")
    assert CliRunner().invoke(app, ["demo", "-o", str(folder)]).exit_code == 0
    return folder / "report" / "index.html"


IMAGES = Path(__file__).parent.parent / "docs" / "images"
ALIKE = 6
"""Mean difference of two small grey pictures, of 255: other fonts come to 2 or 3, another page to 12 and more."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["report", "summary"])
def test_the_pictures_in_the_docs_are_of_the_demo(browser, demo, tmp_path, name, scheme):
    """`make screenshots` sets SCREENSHOTS to the folder of the pictures, so that this test draws them anew."""
    file = f"{name}{'-dark' if scheme == 'dark' else ''}.png"
    taken = Path(os.environ.get("SCREENSHOTS", tmp_path), file)
    page = browser.new_page(viewport={"width": 1280, "height": 760}, color_scheme=scheme)
    page.goto(demo.as_uri())
    if name == "report":
        page.get_by_text("receipt.png").click()
        page.keyboard.press("ArrowDown")
    page.screenshot(path=taken)
    assert page.evaluate(CONTRAST) == []
    page.close()
    with Image.open(taken) as now, Image.open(IMAGES / file) as kept:
        assert (kept.size, now.size) == ((1280, 760), (1280, 760))
        small = [picture.convert("L").resize((64, 38), Image.Resampling.BOX) for picture in (now, kept)]
    assert ImageStat.Stat(ImageChops.difference(*small)).mean[0] < ALIKE, "run: make screenshots"


@pytest.mark.parametrize("width", [360, 800, 1280])
def test_nothing_is_cut_off_in_a_narrow_window(show, width):
    long = {"id": "c", "version": "1", "fields": [
        {"name": "reference_" * 9, "type": "STRING", "required": True, "labels": ["Reference"]},
    ]}  # fmt: skip
    page = show("Reference: " + "A long story. " * 40 + "\n" + "x" * 150, name=f"{'long_name_' * 9}.txt", contract=long)
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("() => document.documentElement.scrollWidth") == width
    boxes = [page.locator(each).bounding_box() for each in (".document", ".result", "#theme", ".field")]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
    assert all(box["y"] + box["height"] <= 800 for box in boxes[:3])


def test_laid_out_text_keeps_its_lines(show):
    page = show("Item" + " " * 90 + "1.00\nTotal: 465.00 GBP")
    lines_shown = "e => Math.round(e.clientHeight / parseFloat(getComputedStyle(e).lineHeight))"
    assert page.locator("pre.text").evaluate(lines_shown) == 4  # two, and the space around them
    page.emulate_media(media="print")
    assert page.locator("pre.text").evaluate("e => getComputedStyle(e).whiteSpace") == "pre-wrap"


def test_printed_a_page_and_its_heading_share_a_sheet(show):
    import pypdfium2

    page = show(make_pdf(lines(TEXT.splitlines(), 72, 700)), "invoice.pdf")
    printed = pypdfium2.PdfDocument(page.pdf(format="A4"))
    first = printed[0].get_textpage().get_text_range()
    assert ("invoice.pdf" in first, "Page 1" in first) == (True, True)
