"""Whole sessions of reviewing in a real browser: by mouse and by keyboard, on documents of every kind."""

from __future__ import annotations

import os
from decimal import Decimal
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat
from review_server import serving
from test_report_browser import ALIKE, CHROMIUM, CONTRAST, FLAGS, playwright

import paxman
from paxman.api.verification import verify
from paxman.artifact.replay import load_unchanged

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs a browser: apt-get install chromium")
SAMPLES = Path(paxman.__file__).parent / "samples"
AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
OWN = "document.title='owned'"
CONTRACT = {
    "id": "invoice",
    "version": "1",
    "fields": [
        {"name": "number", "type": "STRING", "required": True, "tags": ["regex:INV-\\d+"]},
        {"name": "total", "type": "MONEY", "required": True},
        {"name": "order", "type": "STRING", "required": True, "labels": ["Purchase order"]},
        {"name": "due", "type": "DATE", "required": False},
        {
            "name": "items",
            "type": "ARRAY",
            "required": False,
            "items": {
                "type": "OBJECT",
                "fields": [
                    {"name": "article", "type": "STRING", "required": True},
                    {"name": "price", "type": "DECIMAL", "required": True},
                ],
            },
        },
    ],
}
TEXT = """Invoice INV-2041 follows INV-1999
Total: 465.00 GBP
Due date: 3 April 2025
We refer to PO-77 of May

Article      Price
Lantern      42.50
Rope          1.35
Flags        64.00
"""
KINDS = {
    "pdf": ("invoice.pdf", "invoice-pdf.json", "seller", "Crooked", "The Crooked Mast"),
    "scan": ("receipt.png", "receipt.json", "shop", "BAKEHOUSE", "BAKEHOUSE"),
    "sheet": ("stock.xlsx", "stock.yaml", "value", "14", "14"),
    "mail": ("order.eml", "order.json", "order_number", "Mara", "Mara"),
    "markdown": ("repair.md", "repair.yaml", "customer", "Fjell", "Fjell"),
}


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def review(browser, tmp_path):
    """Serve documents and open the first; the page must stay without errors and without requests to elsewhere."""
    ends, opened = [], []

    def begin(sources, contract=CONTRACT, queue=False, **options):
        served = serving([Path(source) for source in sources], contract, tmp_path / "review")
        made = served.__enter__()
        ends.append(served)
        page = browser.new_page(viewport={"width": 1280, "height": 800}, **options)
        page.wrong = []
        page.on("pageerror", lambda error: page.wrong.append(str(error)))
        page.on("console", lambda said: "status of 4" in said.text or page.wrong.append(said.text))
        page.on("request", lambda asked: asked.url.startswith((made.home, "data:")) or page.wrong.append(asked.url))
        page.goto(made.address)
        opened.append(page)
        if not queue:
            page.keyboard.press("g")
            page.wait_for_selector("details.field.chosen, .field")
        return made, page

    yield begin
    for page in opened:
        assert page.wrong == []
        page.close()
    for served in ends:
        served.__exit__(None, None, None)


@pytest.fixture
def invoice(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(TEXT)
    return path


def kept(served):
    [path] = (served.desk.folder / "reviewed").glob("*.json")
    return load_unchanged(path)


def until(page, served, count):
    """Wait until so many decisions are kept, and the page shows them."""
    try:
        page.locator(f'main[data-version="{count}"]').wait_for(timeout=8_000)
    except playwright.TimeoutError:
        raise AssertionError(f"{served.desk.decisions} decisions: {page.locator('#told').inner_text()}") from None


def choose(page, path):
    for _ in range(30):
        if page.locator(".field.chosen").get_attribute("data-path") == path:
            return
        page.keyboard.press("j")
    raise AssertionError(f"the keys do not reach {path}")


def to_top(page):
    for _ in range(12):
        page.keyboard.press("k")


def quote(served, path):
    ref = next(ref for ref in kept(served)[path].evidence_refs if ref.capability_id == "review")
    return served.desk.open(1).document.text[slice(*ref.span)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_session_by_keyboard_alone(review, kind):
    document, contract, field, word, value = KINDS[kind]
    made, page = review([SAMPLES / document], SAMPLES / "contracts" / contract)
    first = page.locator(".field.chosen").get_attribute("data-path")
    page.keyboard.press("Enter")
    until(page, made, 1)
    assert list(made.lines()[0]["data"]) == [first]
    to_top(page)
    choose(page, field)
    page.keyboard.press("p")
    page.keyboard.type(word)
    if kind == "pdf":
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector(".typing output:not(:empty)")
    page.keyboard.press("Enter")
    until(page, made, 2)
    assert (str(kept(made)[field].value), quote(made, field)) == (value, value)
    if kind != "scan":  # which takes long to read
        assert verify(kept(made), SAMPLES / document, SAMPLES / "contracts" / contract).passed
    if kind != "sheet":  # which has no more than two fields
        page.keyboard.press("a")
        until(page, made, 3)
    assert page.locator("#told").inner_text() == "This document is done. g: next document"
    page.keyboard.press("u")
    until(page, made, 4 - (kind == "sheet"))
    assert page.locator(".review[data-state=decided]").count() == 2 - (kind == "sheet")


@pytest.mark.parametrize("kind", KINDS)
def test_a_session_by_mouse_alone(review, kind):
    document, contract, field, _, value = KINDS[kind]
    made, page = review([SAMPLES / document], SAMPLES / "contracts" / contract)
    box = page.locator(f'details.field[data-path="{field}"]')
    if not box.evaluate("e => e.classList.contains('chosen')"):
        box.locator("summary").click()
    if not box.evaluate("e => e.open"):
        box.locator("summary").click()
    start, end = ends_of(page, value)
    box.locator('button[data-act="point"]').click()
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()
    page.wait_for_selector(".typing output:not(:empty)")
    assert page.locator(".typing input").input_value() == value
    page.keyboard.press("Enter")
    until(page, made, 1)
    assert (str(kept(made)[field].value), quote(made, field)) == (value, value)
    box = page.locator(f'details.field[data-path="{field}"]')
    if not box.evaluate("e => e.open"):
        box.locator("summary").click()
    box.locator('button[data-act="undo"]').click()
    until(page, made, 2)
    assert not list((made.desk.folder / "reviewed").glob("*.json"))


def ends_of(page, value):
    """Where a value begins and ends on the screen, as one would drag over it."""
    found = page.evaluate(ENDS, value)
    return found[:2], found[2:]


ENDS = """(value) => {
  const parts = value.split(' ');
  const words = [...document.querySelectorAll('rect.word')];
  const said = (index) => words[index]?.dataset.word;
  const at = words.findIndex((_, i) => said(i) === parts[0] && said(i + parts.length - 1) === parts.at(-1));
  const range = document.createRange();
  const cell = [...document.querySelectorAll('td[data-span]')].find((c) => c.textContent === value);
  if (at < 0 && cell) range.selectNodeContents(cell);
  else if (at < 0) {
    const walker = document.createTreeWalker(document.querySelector('.document'), NodeFilter.SHOW_TEXT);
    let node = walker.nextNode();
    while (!node.data.includes(value) || node.parentElement.closest('details:not([open])')) node = walker.nextNode();
    range.setStart(node, node.data.indexOf(value));
    range.setEnd(node, node.data.indexOf(value) + value.length);
  }
  const [first, last] = (at < 0 ? [range, range] : [words[at], words[at + parts.length - 1]])
    .map((each) => each.getBoundingClientRect());
  return [first.left + 1, first.top + first.height / 2, last.right - 1, last.top + last.height / 2];
}"""


def test_rivals_by_number_keys_and_values_that_the_contract_refuses(review, invoice):
    made, page = review([invoice])
    to_top(page)
    choose(page, "number")
    assert page.locator(".field.chosen .rival b").all_inner_texts() == ["INV-1999"]
    page.keyboard.press("1")
    until(page, made, 1)
    assert kept(made)["number"].value == "INV-1999"
    to_top(page)
    choose(page, "due")
    page.keyboard.press("t")
    page.keyboard.type("soon")
    page.wait_for_selector(".typing output.wrong")
    assert page.locator(".typing output").inner_text() == "'soon' is not a date"
    page.keyboard.press("Enter")
    page.wait_for_selector("#told.wrong")
    assert made.desk.decisions == 1
    page.locator(".typing input").fill("4 April 2025")
    page.get_by_text("= 2025-04-04", exact=True).wait_for()
    page.keyboard.press("Enter")
    until(page, made, 2)
    to_top(page)
    choose(page, "order")
    page.keyboard.press("Enter")
    assert page.locator("#told").inner_text().startswith("required and missing")
    page.keyboard.press("x")
    until(page, made, 3)
    assert [line["data"] for line in made.lines()][1:] == [{"due": "2025-04-04"}, {"order": None}]


def test_rows_by_keyboard(review, invoice):
    made, page = review([invoice])
    to_top(page)
    choose(page, "items")
    page.keyboard.press("ArrowRight")  # into the rows
    page.keyboard.press("Alt+ArrowDown")
    until(page, made, 1)
    page.keyboard.press("-")
    until(page, made, 2)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.type("1.40")
    page.keyboard.press("Enter")
    until(page, made, 3)
    assert [dict(row) for row in kept(made)["items"].value] == [
        {"article": "Rope", "price": Decimal("1.35")},
        {"article": "Flags", "price": Decimal("1.40")},
    ]
    page.keyboard.press("+")
    page.keyboard.press("p")
    page.keyboard.type("lant")
    page.keyboard.press("Enter")
    page.wait_for_selector(".typing output:not(:empty)")
    page.keyboard.press("Enter")
    page.wait_for_selector("#told.wrong")
    assert "not kept yet" in page.locator("#told").inner_text()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("p")
    page.keyboard.type("42")
    page.keyboard.press("Enter")
    page.wait_for_selector(".typing output:not(:empty)")
    page.keyboard.press("Enter")
    until(page, made, 4)
    items = kept(made)["items"]
    assert [row["article"] for row in items.value] == ["Rope", "Flags", "Lantern"]
    assert {ref.field_path for ref in items.evidence_refs if ref.capability_id == "review"} == {
        "items[2].article",
        "items[2].price",
    }
    page.keyboard.press("u")
    until(page, made, 5)
    assert [row["article"] for row in kept(made)["items"].value] == ["Rope", "Flags"]


def test_two_browsers_do_not_overwrite_each_other(review, browser, invoice):
    made, page = review([invoice])
    other = browser.new_page()
    other.goto(made.address)
    other.locator("#by").fill("Bob")
    other.locator("#by").blur()
    other.keyboard.press("g")
    other.wait_for_selector(".field.chosen")
    other.get_by_text("Ada has this document open, too").wait_for()
    to_top(page)
    choose(page, "total")
    page.keyboard.press("Enter")
    until(page, made, 1)
    to_top(other)
    choose(other, "due")
    other.keyboard.press("Enter")
    other.wait_for_selector("#told.wrong")
    assert other.locator("#told").inner_text().startswith("Ada decided on this document at ")
    assert made.desk.decisions == 1
    choose(other, "due")
    other.keyboard.press("Enter")
    until(other, made, 2)
    assert [line["by"] for line in made.lines()] == ["Ada", "Bob"]
    other.close()


def test_a_hostile_document_runs_nothing(review, tmp_path):
    name = "<img src=x onerror=document.title='owned'>.txt"
    path = tmp_path / name
    path.write_text(
        f'Invoice INV-1 INV-2 <script>{OWN}</script><img src=x onerror="{OWN}">\nTotal: 1.00 EUR\n'
        f"Purchase order: \"'><svg onload={OWN}>\n"
    )
    made, page = review([path])
    page.keyboard.press("a")
    until(page, made, 1)
    page.wait_for_timeout(100)
    assert page.title() != "owned"
    assert page.locator("img, svg[onload], .document script").count() == 0
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), {text: \"document.title='owned'\"}))"
    )
    assert page.title() != "owned"
    assert page.wrong and all("Content Security Policy" in text for text in page.wrong)
    page.wrong.clear()
    page.goto(made.home)
    assert page.locator("img").count() == 0
    assert page.title() != "owned"


def test_lessons_are_previewed_and_applied_by_keyboard(review, tmp_path):
    (tmp_path / "in").mkdir()
    for n in range(8):
        (tmp_path / "in" / f"{n}.txt").write_text(f"Invoice INV-{n}\nTotal: {n + 2}.00 GBP\nOur mark: K-{n}{n}4\n")
    made, page = review([tmp_path / "in"], queue=True)
    for n in range(6):
        made.act(n + 1, "value", path="order", text=f"K-{n}{n}4")
    page.reload()
    page.keyboard.press("l")
    page.wait_for_selector("#apply")
    assert page.locator("#preview tbody tr td:nth-child(4)").all_inner_texts() == ["K-664", "K-774"]
    page.locator("#apply").press("Enter")
    page.wait_for_selector("#take-back")
    assert made.desk.open(8).current["order"].value == "K-774"


FIELDS = "number supplier date due order customer net tax total currency".split()
TEN = """INVOICE R-881 REVISED R-882
From: Harbour Lights Ltd
To: The Crooked Mast
Invoice date: 21 May 2025
Due date: 20 May 2025
Your mark PO-7741
Net: 100.00 GBP
VAT: 20.00 GBP
Total due: 120.00 GBP
"""


def test_ten_fields_with_three_wrong_values_take_so_many_keys(review, tmp_path):
    kinds = {"date": "DATE", "due": "DATE", "net": "MONEY", "tax": "MONEY", "total": "MONEY"}
    more = {
        "number": {"tags": ["regex:R-\\d+"]},
        "order": {"labels": ["Order number"]},
        "supplier": {"labels": ["From"]},
    }
    more |= {"customer": {"labels": ["To"]}, "currency": {"tags": ["regex:GBP"]}}
    fields = [{"name": n, "type": kinds.get(n, "STRING"), "required": True, **more.get(n, {})} for n in FIELDS]
    (tmp_path / "ten.txt").write_text(TEN)
    made, page = review([tmp_path / "ten.txt"], {"id": "ten", "version": "1", "fields": fields})
    pressed = 0

    def press(*keys):
        nonlocal pressed
        for key in keys:
            page.keyboard.press(key)
            pressed += 1

    assert page.locator(".field.chosen").get_attribute("data-path") == "order"  # it is missing, so it comes first
    press("p", "p", "o", "Enter")
    page.locator(".typing output:not(:empty)").wait_for()
    press("Enter")
    until(page, made, 1)
    assert page.locator(".field.chosen").get_attribute("data-path") == "number"  # two stand there
    press("1")
    until(page, made, 2)
    while page.locator(".field.chosen").get_attribute("data-path") != "due":
        press("j")
    press("t", *"2025-06-20", "Enter")
    until(page, made, 3)
    press("a")
    until(page, made, 4)
    press("g")
    page.wait_for_url(f"{made.home}/*")
    right = kept(made).normalized_data
    assert (right["order"], right["number"], str(right["due"])) == ("PO-7741", "R-882", "2025-06-20")
    assert pressed == KEYS_FOR_TEN, f"docs/review.md counts the keys: it is {pressed} now"


KEYS_FOR_TEN = 24


IMAGES = Path(__file__).parent.parent / "docs" / "images"


@pytest.mark.parametrize("name", ["review", "review-queue"])
def test_the_pictures_in_the_docs_are_of_the_samples(review, tmp_path, monkeypatch, name):
    """`make screenshots` sets SCREENSHOTS to the folder of the pictures, so that this test draws them anew."""
    taken = Path(os.environ.get("SCREENSHOTS", tmp_path), f"{name}.png").absolute()
    if name == "review":
        _, page = review([SAMPLES / "invoice.pdf"], SAMPLES / "contracts" / "invoice-pdf.json")
        choose(page, "seller")
        page.keyboard.press("p")
        page.keyboard.type("Crooked")
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Enter")
        page.locator(".typing output:not(:empty)").wait_for()
    else:
        (tmp_path / "letters").mkdir()
        for n in range(9):
            text = f"Invoice INV-10{n}\nTotal: {n + 2}.00 GBP\nDue date: {n + 1} May 2025\nOur mark: K-{n}{n}4\n"
            (tmp_path / "letters" / f"letter-{n}.txt").write_text(text)
        monkeypatch.chdir(tmp_path)
        made, page = review(["letters"], queue=True)
        for n in range(6):
            made.act(n + 1, "value", path="order", text=f"K-{n}{n}4")
        for n in range(9):
            made.desk.open(n + 1)
        page.reload()
        page.keyboard.press("l")
        page.locator("#apply").wait_for()
        page.locator("#apply").scroll_into_view_if_needed()
    page.screenshot(path=taken)
    with Image.open(taken) as now, Image.open(IMAGES / f"{name}.png") as drawn:
        assert (drawn.size, now.size) == ((1280, 800), (1280, 800))
        small = [picture.convert("L").resize((64, 40), Image.Resampling.BOX) for picture in (now, drawn)]
    assert ImageStat.Stat(ImageChops.difference(*small)).mean[0] < ALIKE, "run: make screenshots"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 420])
def test_the_pages_are_accessible(review, invoice, scheme, width):
    made, page = review([invoice], color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    page.keyboard.press("t")
    page.wait_for_selector(".typing")
    assert page.evaluate(CONTRAST) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm install --prefix tests")
    check(page)
    page.goto(made.home)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    check(page)


def check(page):
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    told = [(each["id"], [node["html"][:120] for node in each["nodes"]]) for each in found["violations"]]
    assert told == []
