import html
import io
import time
import zipfile
from collections.abc import Callable
from email import message_from_bytes
from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paxman
from paxman import normalize
from paxman.documents.document import ByteRange, JsonPointer, MailPart, NodePath, SheetCell
from paxman.documents.reading import Limits, read_document
from paxman.page.names import page_of


def message(subject: str = "Rechnung für Mai") -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = "Bob Müller <bob@example.com>"
    mail["To"] = "ann@example.com"
    mail["Subject"] = subject
    mail["Date"] = "Fri, 03 May 2024 10:00:00 +0000"
    mail["Message-ID"] = "<1@example.com>"
    return mail


HEADER = """From: Bob Müller <bob@example.com>
To: ann@example.com
Subject: Rechnung für Mai
Date: Fri, 03 May 2024 10:00:00 +0000
Message-ID: <1@example.com>
"""


def test_headers_and_body() -> None:
    mail = message()
    mail.set_content("Total: 12,50 €\n", cte="quoted-printable")
    document = read_document(bytes(mail))
    assert (document.kind, document.text) == ("email", HEADER + "Total: 12,50 €\n")
    pairs = {pair.label: document.text[slice(*pair.value_span)] for pair in page_of(document).pairs}
    assert (pairs["Subject"], pairs["Total"]) == ("Rechnung für Mai", "12,50 €")
    start = document.text.index("12,50")
    assert document.locate((start, start + 5)) == MailPart("1", ByteRange(7, 12))
    assert document.locate((6, 10)) == MailPart("header", MailPart("From"))


def test_of_alternatives_the_best_is_read() -> None:
    mail = message()
    mail.set_content("plain")
    mail.add_alternative("<p>Total: <b>5</b></p>", subtype="html")
    document = read_document(bytes(mail))
    assert document.text == HEADER + "Total: 5"
    start = document.text.index("5", len(HEADER))
    assert document.locate((start, start + 1)) == MailPart("2", NodePath("/p[1]/b[1]"))


def test_attachments_are_read_by_their_own_readers() -> None:
    mail = message()
    mail.set_content("see below")
    mail.add_attachment(b"a,b\n1,2\n", maintype="application", subtype="octet-stream", filename="x.csv")
    mail.add_attachment(b'{"total": 5}', maintype="application", subtype="json", filename="x.json")
    document = read_document(bytes(mail))
    assert document.text == HEADER + 'see below\n\na,b\n1,2\n\n{"total": 5}'
    start = document.text.index("2\n\n{")
    assert document.locate((start, start + 1)) == MailPart("2", SheetCell("", "B2"))
    assert document.locate((len(document.text) - 2, len(document.text) - 1)) == MailPart("3", JsonPointer("/total"))
    assert [[cell.text for cell in row] for row in document.tables[0].rows] == [["1", "2"]]
    assert document.tree is not None
    assert [node.text for node in document.tree.walk() if node.name == "total"] == ["5"]


def attach(mail: EmailMessage, *files: tuple[str, bytes]) -> EmailMessage:
    for name, data in files:
        mail.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return mail


def test_a_file_that_is_attached_twice_is_read_once() -> None:
    inner, outer = message("first"), message("again")
    inner.set_content("see")
    outer.set_content("forwarded")
    outer.add_attachment(attach(inner, ("a.csv", b"item,qty\nBolt,2\nNut,3\n")))
    twice = attach(outer, ("a (1).csv", b"item,qty\nBolt,2\nNut,3\n"))
    document = read_document(bytes(twice))
    assert document.text.count("Bolt") == 1
    assert [(note.code, note.severity.value, note.message) for note in document.diagnostics] == [
        ("INPUT_NOTE", "INFO", "a (1).csv is the same file as a.csv, and was read once. Nothing is missing")
    ]
    items = {"name": "items", "type": "ARRAY", "required": True}
    items["items"] = {"fields": [{"name": "item", "type": "STRING", "required": True}]}
    artifact = normalize(bytes(twice), {"id": "c", "version": "1", "fields": [items]})
    assert artifact.normalized_data == {"items": [{"item": "Bolt"}, {"item": "Nut"}]}


def test_different_documents_in_one_mail_are_noted() -> None:
    mail = message()
    mail.set_content("two bills")
    files = ("b.txt", b"Total: 5 EUR"), ("a.txt", b"Total: 7 EUR"), ("x.json", b'{"total": 5}')
    document = read_document(bytes(attach(mail, *files)))
    assert [(note.code, note.severity.value, note.message) for note in document.diagnostics] == [
        (
            "INPUT_NOTE",
            "WARNING",
            "3 different documents are attached, and a value may be that of any of them: b.txt, a.txt, x.json."
            " Save and read them one by one",
        )
    ]


def test_a_value_that_two_attachments_do_not_agree_on_is_a_conflict() -> None:
    bill = "Seller: Alder Ltd\nBill to: {}\nTotal: {}.00 EUR\n".format
    names = [("buyer", "STRING"), ("seller", "STRING"), ("total", "MONEY")]
    fields = [{"name": name, "type": kind, "required": True} for name, kind in names]

    def bands(*files: tuple[str, bytes]) -> dict[str, tuple[str, list[str]]]:
        mail = message()
        mail.set_content("see below")
        artifact = normalize(bytes(attach(mail, *files)), {"id": "c", "version": "1", "fields": fields})
        return {
            each.field_path: (each.confidence_band.value, [note.code for note in each.diagnostics])
            for each in artifact.field_results
        }

    first, second = ("a.txt", bill("Hofmann KG", 120).encode()), ("b.txt", bill("Meyer KG", 240).encode())
    terms = ("terms.txt", b"1. Goods remain ours until they are paid in full.\n")
    disputed = ("MEDIUM", ["CONFLICT", "LOW_CONFIDENCE"])
    assert bands(first, second) == {"buyer": disputed, "seller": ("CERTAIN", []), "total": disputed}
    assert bands(first, terms) == dict.fromkeys(("buyer", "seller", "total"), ("HIGH", []))


def rows_of(*files: tuple[str, bytes], columns: tuple[str, ...] = ("sku", "qty")) -> tuple[str, list[str], list[str]]:
    """The band of an array, the first column of its rows, and the codes of its notes."""
    return rows_in(bytes(written(*files)), columns)


def written(*files: tuple[str, bytes]) -> EmailMessage:
    mail = message()
    mail.set_content("see below")
    return attach(mail, *files)


def rows_in(data: bytes, columns: tuple[str, ...] = ("sku", "qty")) -> tuple[str, list[str], list[str]]:
    fields = [{"name": name, "type": "STRING", "required": True} for name in columns]
    lines = {"name": "lines", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    found = normalize(data, {"id": "c", "version": "1", "fields": [lines]})["lines"]
    rows = [row[columns[0]] for row in found.value]
    return found.confidence_band.value, rows, [note.code for note in found.diagnostics]


GRID = "Sku,Qty,Note\n{},{},a\n{},{},b\n".format
LAID_OUT = "Sku      Qty   Note\n{}       {}    a\n{}       {}    b\n".format


@pytest.mark.parametrize(("ending", "write"), [("csv", GRID), ("txt", LAID_OUT)])
def test_rows_of_two_attachments_are_those_of_either(ending: str, write: Callable[..., str]) -> None:
    first, second = write("A1", 1, "B1", 2).encode(), write("C1", 3, "D1", 4).encode()
    notes = ["AMBIGUOUS_VALUE", "CONFLICT", "LOW_CONFIDENCE"]
    assert rows_of((f"a.{ending}", first), (f"b.{ending}", second)) == ("MEDIUM", ["A1", "B1"], notes)
    terms = (f"terms.{ending}", b"Goods remain ours until they are paid in full.\n")
    assert rows_of((f"a.{ending}", first), terms) == ("HIGH", ["A1", "B1"], [])
    assert rows_of((f"a.{ending}", first), (f"none.{ending}", first.splitlines()[0]))[:2] == ("HIGH", ["A1", "B1"])


PAGE = b"<table><tr><th>Sku<th>Qty<th>Note<tr><td>A1<td>1<td>a<tr><td>B1<td>2<td>b</table>"


def packed(*files: tuple[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in files:
            archive.writestr(name, data)
    return target.getvalue()


def test_rows_of_documents_that_came_together_are_those_of_either() -> None:
    first, second = ("a.html", PAGE), ("b.csv", GRID("C1", 3, "D1", 4).encode())
    mails = [bytes(written(file)) for file in (first, second)]
    forwarded = written(second)
    forwarded.add_attachment(written(first))
    together = [
        bytes(written(first, second)),
        packed(first, second),
        bytes(written(("both.zip", packed(first, second)))),
        bytes(written(("one.zip", packed(first)), second)),
        packed(("a.eml", mails[0]), ("b.eml", mails[1])),
    ]
    notes = ["AMBIGUOUS_VALUE", "CONFLICT", "LOW_CONFIDENCE"]
    assert [rows_in(data) for data in together] == [("MEDIUM", ["A1", "B1"], notes)] * len(together)
    assert rows_in(bytes(forwarded)) == ("HIGH", ["C1", "D1"], [])
    same = GRID("A1", 1, "B1", 2).encode()
    assert rows_in(packed(first, ("same.csv", same))) == ("HIGH", ["A1", "B1"], [])


def test_the_day_of_a_mail_is_no_rival_of_a_day_in_an_attachment() -> None:
    files = (
        ("bill.txt", b"Invoice date: 2024-04-02\n"),
        ("terms.txt", b"Goods remain ours until they are paid."),
    )
    field = {"name": "issue_date", "type": "DATE", "required": True}
    found = normalize(bytes(written(*files)), {"id": "c", "version": "1", "fields": [field]})["issue_date"]
    assert (str(found.value), found.confidence_band.value, found.diagnostics) == ("2024-04-02", "HIGH", ())


def test_equal_or_narrower_rows_of_attachments_do_not_conflict() -> None:
    order = ("order.csv", b"Sku,Qty\nA1,1\nB1,2\n")
    assert rows_of(order, ("prices.csv", b"Sku,Price\nA1,9.00\nC1,8.00\n")) == ("HIGH", ["A1", "B1"], [])
    laid_out = LAID_OUT("A1", 1, "B1", 2).encode()
    assert rows_of(("a.txt", laid_out), ("b.txt", b"Packed\n\n" + laid_out)) == ("HIGH", ["A1", "B1"], [])


def test_rivals_among_attachments_are_told_once() -> None:
    mail = message()
    mail.set_content("see below")
    attach(mail, ("a.json", b'{"tags": ["a", "b"]}'), ("b.json", b'{"tags": ["c"]}'))
    tags = {"name": "tags", "type": "ARRAY", "items": {"type": "STRING"}, "required": False}
    found = normalize(bytes(mail), {"id": "x", "version": "1", "fields": [tags]})["tags"]
    told = "2 of the documents have rows of their own, which are not one list; read them one by one"
    assert [note.message for note in found.diagnostics if note.code == "AMBIGUOUS_VALUE"] == [told]
    assert (list(found.value), found.confidence_band.value) == (["a", "b"], "MEDIUM")


def test_rows_go_on_in_the_next_attachment_where_pages_or_positions_do() -> None:
    pages = [b"Order 5   Page 1 of 2\n\n", b"Order 5   Page 2 of 2\n\n"]
    pages[0] += LAID_OUT("A1", 1, "B1", 2).encode()
    pages[1] += LAID_OUT("C1", 3, "D1", 4).encode()
    assert rows_of(("a.txt", pages[0]), ("b.txt", pages[1])) == ("HIGH", ["A1", "B1", "C1", "D1"], [])
    again = pages[1].replace(b"Page 2", b"Page 1")
    assert rows_of(("a.txt", pages[0]), ("b.txt", again))[:2] == ("MEDIUM", ["A1", "B1"])
    numbered = [b"Pos,Sku\n1,A1\n2,B1\n", b"Pos,Sku\n3,C1\n4,D1\n"]
    band, rows, _ = rows_of(("a.csv", numbered[0]), ("b.csv", numbered[1]), columns=("sku", "pos"))
    assert (band, rows) == ("HIGH", ["A1", "B1", "C1", "D1"])


def test_a_message_in_a_message_in_a_message_has_an_end() -> None:
    inner = message("level 0")
    inner.set_content("deep inside")
    for level in range(1, 4):
        outer = message(f"level {level}")
        outer.set_content("forwarded")
        outer.add_attachment(inner)
        inner = outer
    document = read_document(bytes(inner))
    start = document.text.index("deep inside")
    address = MailPart("2", MailPart("2", MailPart("2", MailPart("1", ByteRange(0, 4)))))
    assert document.locate((start, start + 4)) == address
    shallow = read_document(bytes(inner), limits=Limits(max_nesting=1))
    assert "deep inside" not in shallow.text
    assert [note.message for note in shallow.diagnostics] == ["message.eml is nested too deep. Raise max_nesting"]


def test_what_no_reader_knows_is_said() -> None:
    mail = message()
    mail.set_content("hi")
    mail.add_attachment(bytes(range(256)), maintype="application", subtype="x-strange", filename="x.bin")
    document = read_document(bytes(mail))
    assert document.text == HEADER + "hi\n\n"
    assert [note.message for note in document.diagnostics] == [
        "x.bin is in a format that no reader knows. Convert it to PDF or text"
    ]


def test_notes_on_an_attachment_say_which_it_is() -> None:
    document = read_document(bytes(written(("a.txt", b"fine"), ("b.pdf", b"%PDF-1.4\nno more"))))
    assert [(note.message, note.context) for note in document.diagnostics] == [
        (
            "b.pdf: the PDF is damaged, cut off, or has no pages. Fetch the file again, or print it to a new PDF",
            {"file": "b.pdf"},
        )
    ]


def test_of_a_mailbox_the_first_mail_is_read_and_the_others_are_named() -> None:
    mails = [message(f"Order {number}") for number in (1, 2, 3)]
    for mail in mails:
        mail.set_content(f"{mail['Subject']}\n\nFrom here on it is prose")
    box = b"".join(b"From bob@example.com Fri May  3 10:00:00 2024\n" + bytes(mail) + b"\n" for mail in mails)
    document = read_document(box, "orders.mbox")
    assert [document.text.count(text) for text in ("Order 1", "Order 2", "From here on")] == [2, 0, 1]
    start = document.text.rindex("Order 1")
    assert document.locate((start, start + 7)) == MailPart("1", MailPart("1", ByteRange(0, 7)))
    assert [(note.code, note.message, note.context) for note in document.diagnostics] == [
        (
            "INPUT_NOTE",
            "this is a mailbox of 3 mails, and only the first was read; the others are 2 'Order 2', 3 'Order 3'. "
            "For a row per mail run: paxman batch orders.mbox --contract ... --output ...",
            {"count": 3},
        )
    ]


@pytest.mark.parametrize(
    ("header", "text"),
    [
        (b"Subject: =?iso-8859-1?q?Gr=FC=DFe?= =?utf-8?b?8J+YgA==?=", "Subject: Grüße😀"),
        (b"Subject: =?no-such?q?abc?=", "Subject: abc"),
        (b"Subject: Gr\xc3\xbc\xc3\x9fe", "Subject: Grüße"),
        (b"Subject: a\n folded\n\tline", "Subject: a folded line"),
        (b"Subject: =?utf-8?q?broken", "Subject: =?utf-8?q?broken"),
    ],
)
def test_headers_as_people_read_them(header: bytes, text: str) -> None:
    document = read_document(b"Message-ID: 1\nFrom: a\n" + header + b"\n\nbody")
    assert document.text == f"From: a\n{text}\nMessage-ID: 1\nbody"


@pytest.mark.parametrize(
    "data",
    [
        b"Subject: " + b"x" * 3_000_000 + b"\n\nhi",
        b'From: "' + b"a\\" * 10_000 + b'" <a@b>\n\nhi',
        b"X: y\n" * 100_000 + b"\nhi",
        b"Subject: " + b"=?utf-8?q?" * 50_000 + b"\n\nhi",
        b"Content-Type: text/plain; " + b"a=b; " * 50_000 + b"\n\nhi",
        b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a\n\nx\n" * 20_000,
        b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(500)),
        b"Content-Type: message/rfc822\n\n" * 2_000 + b"hi",
        b"Content-Transfer-Encoding: base64\n\n!!!!",
        b"Content-Type: text/plain; charset=nonsense\n\nhi",
    ],
)
def test_hostile_mail_is_bounded(data: bytes) -> None:
    start = time.process_time()
    document = read_document(b"Message-ID: 1\nMIME-Version: 1.0\nFrom: b\n" + data, "x.eml")
    assert document.kind in ("email", "text")
    assert document.text
    assert time.process_time() - start < 4


@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=60),
    st.sampled_from(["base64", "quoted-printable"]),
)
@settings(max_examples=60)
def test_body_spans_point_into_the_decoded_part(text: str, transfer: str) -> None:
    mail = message()
    mail.set_content(f"<{text}>", cte=transfer)
    document = read_document(bytes(mail), "x.eml")
    start = document.text.index("<", len(HEADER))
    address = document.locate((start, start + len(text) + 2))
    assert document.text[start : start + len(text) + 2] == f"<{text}>"
    assert address == MailPart("1", ByteRange(0, len(f"<{text}>".encode())))


def content(data: bytes, address: object) -> bytes:
    """The decoded content that an address leads to, found with the standard library alone."""
    while isinstance(address, MailPart):
        if data.startswith(b"PK"):
            data = zipfile.ZipFile(io.BytesIO(data)).read(address.part)
        else:
            part = message_from_bytes(data)
            for number in address.part.split(".") if part.is_multipart() else ():
                part = part.get_payload(int(number) - 1)
            inner = part.get_payload(0) if part.get_content_type() == "message/rfc822" else None
            data = inner.as_bytes() if inner else part.get_payload(decode=True)
        address = address.inner
    return data


letters = st.text(st.sampled_from("aB1 äöüß–€,;:<>&=\"'.\n"), max_size=40)
anything = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.just("\n"), max_size=40)


def mail_with(text: str, place: str, charset: str, transfer: str) -> EmailMessage:
    mail, outer = message(), message("outer")
    outer.set_content("see below")
    if place == "packed":
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("in/x.txt", text)
        outer.add_attachment(packed.getvalue(), maintype="application", subtype="zip", filename="x.zip")
        return outer
    if place == "attached":
        outer.add_attachment(text.encode(), maintype="application", subtype="x", filename="x.txt", cte=transfer)
        return outer
    written = html.escape(text) if place == "html" else text
    mail.set_content(written, subtype="html" if place == "html" else "plain", charset=charset, cte=transfer)
    if place == "forwarded":
        outer.add_attachment(mail)
    return outer if place == "forwarded" else mail


@given(
    st.one_of(
        st.tuples(anything, st.just("utf-8")),
        st.tuples(letters, st.sampled_from(["cp1252", "utf-8"])),
        st.tuples(st.text(st.sampled_from("請求書 12合計\n"), max_size=30), st.sampled_from(["shift_jis", "euc_jp"])),
    ),
    st.sampled_from(["base64", "quoted-printable", "8bit"]),
    st.sampled_from(["body", "attached", "forwarded", "packed", "html"]),
    st.data(),
)
@settings(max_examples=150)
def test_an_address_leads_to_the_characters(
    written: tuple[str, str], transfer: str, place: str, data: st.DataObject
) -> None:
    charset = "utf-8" if place in ("packed", "attached") else written[1]
    source = bytes(mail_with(f"%%{written[0]}%%", place, charset, transfer))
    document = read_document(source, "x.eml")
    start = data.draw(st.integers(document.text.index("%%"), len(document.text)))
    end = data.draw(st.integers(start, len(document.text)))
    address, bounds = document.locate((start, end)), document.byte_range((start, end))
    assert isinstance(address, MailPart)
    assert bounds is not None
    found = content(source, address)[bounds.start : bounds.end].decode(charset)
    if place == "html":
        assert html.unescape(found).split() == document.text[start:end].split()
    else:
        assert found == document.text[start:end]


PLAIN = b"From: a@b.c\nMessage-ID: <1>\n"
SHOWN = "From: a@b.c\nMessage-ID: <1>\n"


def test_a_body_may_start_a_line_with_from() -> None:
    body = b"Hello\n\nFrom here on\nNote: x\nbye\n"
    assert read_document(PLAIN + b"\n" + body).text == SHOWN + body.decode()
    box = b"From a@b.c Fri Jul  8 12:08:34 2011\n" + PLAIN + b"\n" + body
    assert read_document(box).text == SHOWN + body.decode()


def test_a_forwarded_body_is_kept_as_it_is() -> None:
    inner, outer = message("inner"), message("outer")
    inner.set_content("Hello\nFrom here on\n")
    outer.set_content("see below")
    outer.add_attachment(inner)
    assert read_document(bytes(outer)).text.endswith("\nHello\nFrom here on\n")


def test_an_invitation_does_not_replace_the_body() -> None:
    mail = message()
    mail.set_content("plain")
    mail.add_alternative("<p>Total: 5</p>", subtype="html")
    mail.add_alternative("BEGIN:VCALENDAR", subtype="calendar")
    assert read_document(bytes(mail)).text == HEADER + "Total: 5"


@pytest.mark.parametrize(("disposition", "noted"), [("attachment", True), ("inline", False)])
def test_an_image_with_an_id_is_left_out_only_when_the_body_shows_it(disposition: str, noted: bool) -> None:
    mail = message()
    mail.set_content("see below")
    mail.add_attachment(b"broken", maintype="image", subtype="png", disposition=disposition, cid="<x>")
    assert (read_document(bytes(mail)).text == HEADER + "see below\n") is not noted


@pytest.mark.parametrize("broken", [b"SGVsbG8gd29ybGQhI", b"SGVs**bG8gd29ybGQh"])
def test_broken_base64_is_decoded_as_far_as_it_goes(broken: bytes) -> None:
    document = read_document(PLAIN + b"Content-Transfer-Encoding: base64\n\n" + broken)
    assert document.text == SHOWN + "Hello world!"
    assert [note.message for note in document.diagnostics] == [
        "the Base64 of a part is broken. Fetch the message again"
    ]


def test_a_long_header_is_cut_and_says_so() -> None:
    document = read_document(b"From: a@b.c\nMessage-ID: <1>\nSubject: " + b"x" * 5_000 + b"\n\nhi")
    assert document.text == "From: a@b.c\nSubject: " + "x" * 4_000 + "\nMessage-ID: <1>\nhi"
    assert [note.message for note in document.diagnostics] == [
        "only the first 4000 characters and 64 parameters of a header are read: Subject. Shorten these headers"
    ]


@pytest.mark.parametrize(
    "bomb",
    [
        b'Content-Type: text/plain; a="' + (b';"' * 1900 + b"\n ") * 300 + b"\n\nbody",
        b'Content-Type: multipart/mixed; a="' + (b';"' * 1900 + b"\n ") * 300 + b"\n\nbody",
        b"Content-Type: multipart/mixed; boundary=B\n\n--B\n"
        b'Content-Type: text/plain; a="' + b";" * 100_000 + b"\n\nbody\n--B--\n",
    ],
)
def test_headers_with_many_parameters_take_no_time(bomb: bytes) -> None:
    start = time.process_time()
    document = read_document(PLAIN + bomb)
    assert time.process_time() - start < 1
    assert document.text == SHOWN + "body"
    assert [note.message.rpartition(": ")[2] for note in document.diagnostics] == [
        "Content-Type. Shorten these headers"
    ]


@pytest.mark.parametrize("levels", [300, 1000])
def test_deep_nesting_is_named(levels: int) -> None:
    document = read_document((PLAIN + b"Content-Type: message/rfc822\n\n") * levels + PLAIN + b"\ncore\n")
    assert document.kind == "email"
    assert ["nested too deep" in note.message for note in document.diagnostics] == [True]


def test_lines_that_a_mailbox_quotes() -> None:
    box = b"From a@b Mon Mar  3 10:00:00 2025\nFrom: a@b.de\nTo: c@d.de\nSubject: one\n\nTotal: 1 EUR\n>From here on\n"
    assert read_document(box).text.splitlines()[-1] == "From here on"
    single = box.partition(b"\n")[2]
    assert read_document(single).text.splitlines()[-1] == ">From here on"


def test_a_form_with_a_line_for_replies_is_no_mail() -> None:
    form = b"Date: 2025-01-02\nInvoice: 12\nTotal: 5 EUR\nReply-To: none\n\nfoo"
    assert (read_document(form).kind, read_document(form).text) == ("text", form.decode())


def test_numbers_of_a_program_are_no_text_in_utf16() -> None:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@b.de", "c@d.de", "x"
    message.set_content("Hello\n")
    message.add_attachment(b"\x00\x01\x02bin" * 100, maintype="application", subtype="octet-stream", filename="x.bin")
    document = read_document(message.as_bytes())
    assert document.text.split()[-1] == "Hello"
    assert [note.message for note in document.diagnostics] == [
        "x.bin is in a format that no reader knows. Convert it to PDF or text"
    ]


def test_all_parts_share_the_limit_on_text() -> None:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@b.de", "c@d.de", "x"
    message.set_content("0123456789\n")
    message.add_attachment("0123456789\n", filename="a.txt")
    document = read_document(message.as_bytes(), limits=Limits(max_text_chars=15))
    assert sum(character.isdigit() for character in document.text) <= 15


_LINE = b"From a@b.c Mon Jan  1 10:00:00 2024\n"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (b"From: a@b.c\nSubject: " + b"x" * 3_000_000 + b"\nTo: d@e.f\n\nTotal: 5\n", "Total: 5\n"),
        (b"X-A: " + b"x" * 100_000 + b"\nFrom: a@b.c\nTo: d@e.f\nSubject: s\n\nTotal: 5\n", "Subject: s\nTotal: 5\n"),
        ((_LINE + b"From: a@b.c\nSubject: s\n\nTotal: 5\n\n") * 2, "From: a@b.c\nSubject: s\nTotal: 5\n\n"),
    ],
    ids=["long subject", "long header first", "mailbox"],
)
def test_mail_is_known_by_its_content(source: bytes, text: str) -> None:
    document = read_document(source)
    assert (document.kind, document.text[-len(text) :]) == ("email", text)


@pytest.mark.parametrize("place", [0, 2, 4])
@pytest.mark.parametrize(
    "long", [b"x" * 2_000_000, b"\n ".join([b"x" * 76] * 26_000), b"\n\t".join([b"x" * 990] * 2_000)]
)
def test_a_header_of_megabytes_is_cut_wherever_it_stands(long: bytes, place: int) -> None:
    headers = [b"From: a@b.c", b"To: d@e.f", b"Subject: s", b"Date: Mon, 5 Nov 2024 10:00:00 +0000"]
    headers.insert(place, b"X-Long: " + long)
    source = b"\n".join(headers) + b"\n\nTotal: 5\n"
    known, named = read_document(source), read_document(source, "a.eml")
    assert (known.kind, known.text, known.diagnostics) == (named.kind, named.text, named.diagnostics)
    reason = "only the first 4000 characters and 64 parameters of a header are read: x-long"
    assert [note.message.lower() for note in known.diagnostics] == [f"{reason}. shorten these headers"]
    assert known.diagnostics[0].code == "UNREADABLE_INPUT"


def test_a_mailbox_is_known_behind_a_long_header() -> None:
    source = _LINE + b"X-A: " + b"x" * 30_000 + b"\nFrom: a@b.c\nSubject: s\n\nTotal: 5\n"
    assert read_document(source).text == "From: a@b.c\nSubject: s\nTotal: 5\n"


@pytest.mark.parametrize(
    "source", [b"From: Anna\nSubject: x\n\nhi\n", b"From: a@b.c\nSubject: hi", b"A: b c d\n" * 9_000]
)
def test_labels_are_no_mail(source: bytes) -> None:
    assert read_document(source).kind == "text"


def test_empty_rows_of_an_attachment_are_kept_in_mind() -> None:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@b.c", "d@e.f", "s"
    message.set_content("see the table")
    message.add_attachment(b"item,qty,price\nBolt,3,1.20\n,,\nNut,4,2.00\n", "text", "csv", filename="a.csv")
    assert [table.empty for table in read_document(bytes(message)).tables] == [(1,)]


def test_a_message_that_is_cut_off_in_an_attachment_is_noted() -> None:
    mail = message()
    mail.set_content("see below")
    table = b"item,price\n" + b"".join(b"%d,2.50\n" % number for number in range(500))
    mail.add_attachment(table, maintype="text", subtype="csv", filename="x.csv")
    whole = bytes(mail)
    assert read_document(whole).diagnostics == ()
    reason = "the message ends without the line that closes its parts, so that the end of the last one may be missing"
    for end in (2000, 2001, 2002, 2003):
        document = read_document(whole[:end])
        last = document.diagnostics[-1]
        assert (last.code, last.severity.value) == ("UNREADABLE_INPUT", "WARNING")
        assert last.message == f"{reason}. Fetch the message again"
        assert "item,price\n0,2.50\n1,2.50\n" in document.text


def test_a_letterhead_is_that_of_the_attached_paper():
    head = "From: Oak <a@oak.example>\nTo: b@elm.example\nSubject: Bill\nMIME-Version: 1.0\n"
    head += 'Content-Type: multipart/mixed; boundary="x"\n\n--x\nContent-Type: text/plain\n\n'
    body = "Dear Ann,\n\nPlease find attached our bill.\nThe balance of £5.60 is due by 10 March.\n\n--x\n"
    attached = 'Content-Type: text/plain\nContent-Disposition: attachment; filename="bill.txt"\n\n'
    paper = "Oakfield Catering Ltd\n1 Mill Lane\nBath BA1 5TT\nVAT GB 333 2890 37\n\nTotal £5.60\n--x--\n"
    contract = {"id": "c", "fields": [{"name": "seller_name", "type": "STRING", "required": True}]}
    found = paxman.normalize((head + body + attached + paper).encode(), contract)["seller_name"]
    assert (found.value, found.confidence_band.value) == ("Oakfield Catering Ltd", "HIGH")


@pytest.mark.parametrize(
    ("source", "kind", "text"),
    [
        (
            "From a@b.c Mon Mar  3 10:00:00 2025\nFrom: a@b.c\nDate: Mon, 03 Mar 2025 10:00:00 +0000\n\nhi\n",
            "email",
            "From: a@b.c\nDate: Mon, 03 Mar 2025 10:00:00 +0000\nhi\n",
        ),
        (
            "From: a@b.c\rTo: d@e.f\rSubject: Invoice\r\rTotal: 7\rDue: 8\r",
            "email",
            "From: a@b.c\nTo: d@e.f\nSubject: Invoice\nTotal: 7\nDue: 8\n",
        ),
        ("From: a@b.c\nDate: 3 March 2025\n\nhi\n", "text", "From: a@b.c\nDate: 3 March 2025\n\nhi\n"),
    ],
)
def test_a_mailbox_with_few_headers_and_a_mail_with_returns_only_are_mail(source: str, kind: str, text: str) -> None:
    document = read_document(source.encode())
    assert (document.kind, document.text, document.diagnostics) == (kind, text, ())
