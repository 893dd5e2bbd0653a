import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paxman.documents.document import ByteRange
from paxman.documents.encodings import decode
from paxman.documents.reading import Limits, choose_reader, read_document, readers, register_reader
from paxman.types import Severity

UNICODE = ("utf-8", "utf-8-sig", "utf-16", "utf-32")
LEGACY = {
    "cp1252": "Rechnung für Größe 5, Betrag 12,50 € – fällig",
    "iso8859-15": "Facture n° 12, montant réglé 12,00 €",
    "iso8859-2": "Zażółć gęślą jaźń, faktura numer pięć",
    "cp1250": "Žluťoučký kůň úpěl ďábelské ódy, účet číslo 5",
    "cp1251": "Счёт № 123 от 5 мая 2020 года, сумма 100 рублей",
    "koi8-r": "Счет 123 от 5 мая 2020 года, сумма 100 рублей",
    "cp1253": "τιμολόγιο αριθμός πέντε συνολικό ποσό",
    "shift_jis": "請求書番号 12345 合計金額 東京都 株式会社",
    "iso2022_jp": "請求書番号 12345 合計金額 東京都 株式会社",
    "gb18030": "发票号码 12345 金额 人民币 北京市公司",
    "cp874": "ใบแจ้งหนี้เลขที่ 12345 ยอดรวมทั้งสิ้น",
    "iso8859-6": "فاتورة رقم 12345 المجموع الكلي",
    "iso8859-8": "חשבונית מספר 12345 סכום כולל",
    "big5": "發票號碼 12345 金額 新台幣 台北市公司",
    "cp1258": "Hoá đơn sô\u0301 5, tô\u0309ng cô\u0323ng 100 đô\u0300ng",
}
# A zero byte would make UTF-8 and UTF-16 look like one another.
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)


@pytest.mark.parametrize("encoding", LEGACY)
def test_legacy_encodings_are_recognized(encoding: str) -> None:
    text = LEGACY[encoding]
    assert read_document(text.encode(encoding)).text == text


@pytest.mark.parametrize(
    ("encoding", "names"),
    [
        ("cp1252", ["Zoë", "Noël", "coût", "señor", "Citroën", "Genève", "Orléans", "Müller", "São Paulo", "Århus"]),
        ("cp1250", ["Łódź", "Dvořák", "Gdańsk", "Győr", "Škoda", "Łukasz Żółty", "Ştefan", "Ľubica"]),
        ("koi8-r", ["Москва", "Сумма"]),
        ("cp1254", ["Şişli", "Beyoğlu", "Yıldız"]),
        ("iso8859-15", ["12 €"]),
    ],
)
def test_a_single_name_is_read_in_the_alphabet_of_its_language(encoding: str, names: list[str]) -> None:
    texts = [f"Name: {name}\nTotal: 12.50\n" for name in names]
    assert [read_document(text.encode(encoding)).text for text in texts] == texts


def test_an_encoding_that_few_letters_show_is_called_a_guess() -> None:
    document = read_document("Gdańsk".encode("cp1250"))
    assert document.text == "Gdańsk"
    assert [note.message for note in document.diagnostics] == [
        "the encoding is a guess, because few characters show it: cp1250, while cp1252 is possible, too. "
        "Save the document as UTF-8"
    ]
    assert read_document(LEGACY["cp1252"].encode("cp1252")).diagnostics == ()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize(
    "text", ["Total: 12,50 €", "τιμολόγιο αριθμός 5", "請求書番号 12345 合計金額", "חשבונית מספר 5"]
)
def test_wide_encodings_need_no_mark(encoding: str, text: str) -> None:
    assert read_document(text.encode(encoding)).text == text


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text",
    [
        *("Москва", "Αθήνα", "שלום", "Итого", "合計金額東京都株式会社一丁目"),
        *("می\u200cخواهم 5", "one\u2028two", "one\x85two", "발행일자와 합계"),
    ],
)
def test_wide_encodings_may_hold_one_word_or_unseen_characters(encoding: str, text: str) -> None:
    assert read_document(text.encode(encoding)).text == text


@pytest.mark.parametrize("text", ["Total: £12.50", "Price: £10 at the café", "it’s 5 °C"])
def test_signs_alone_are_read_as_western(text: str) -> None:
    assert read_document(text.encode("cp1252")).text == text


@pytest.mark.parametrize("encoding", [*LEGACY, "euc_jp", "euc_kr", "utf-16-le", "cp437"])
@given(data=st.data())
@settings(max_examples=15)
def test_spans_point_at_the_same_characters_of_a_declared_encoding(encoding: str, data: st.DataObject) -> None:
    letters = st.sampled_from(sorted(set("abc 12\r\n" + LEGACY.get(encoding, "éöü"))))
    text = data.draw(st.text(letters, max_size=40)).encode(encoding, "ignore").decode(encoding)
    source = text.encode(encoding)
    decoded = decode(source, encoding)
    assert decoded.text == text
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    piece = source[decoded.offset(start) : decoded.offset(end)]
    if not encoding.startswith("iso2022"):
        assert piece.decode(encoding) == text[start:end]


@pytest.mark.parametrize("encoding", UNICODE)
@given(text=texts, data=st.data())
@settings(max_examples=60)
def test_spans_point_at_the_same_characters_in_the_bytes(encoding: str, text: str, data: st.DataObject) -> None:
    source = text.encode(encoding)
    decoded = decode(source)
    assert decoded.text == text.removeprefix("\ufeff" if encoding == "utf-8" else "")
    start = data.draw(st.integers(0, len(decoded.text)))
    end = data.draw(st.integers(start, len(decoded.text)))
    plain = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}.get(encoding, encoding)
    assert source[decoded.offset(start) : decoded.offset(end)].decode(plain) == decoded.text[start:end]


@given(st.binary(max_size=200), st.data())
@settings(max_examples=200)
def test_offsets_never_run_backwards(source: bytes, data: st.DataObject) -> None:
    decoded = decode(source)
    positions = sorted(data.draw(st.lists(st.integers(0, len(decoded.text)), max_size=6)))
    offsets = [decoded.offset(position) for position in positions]
    assert offsets == sorted(offsets)
    assert all(0 <= offset <= len(source) for offset in offsets)


def test_offsets_of_a_long_text_are_exact() -> None:
    text = "aé€😀\n" * 5_000
    document = read_document(text.encode())
    assert document.locate((24_996, 25_000)) == ByteRange(54_990, 55_000)
    assert document.locate((0, 4)) == ByteRange(0, 10)
    assert document.byte_range((2, 3)) == ByteRange(3, 6)


def test_broken_utf8_keeps_its_good_part_and_its_offsets() -> None:
    source = "Größe für Übergröße ".encode() + b"\xff" + " äöü".encode()
    document = read_document(source)
    assert document.text == "Größe für Übergröße \ufffd äöü"
    assert [(note.code, note.severity) for note in document.diagnostics] == [("UNREADABLE_INPUT", Severity.WARNING)]
    start = document.text.index("ä")
    assert document.locate((start, start + 1)) == ByteRange(len(source) - 6, len(source) - 4)


@pytest.mark.parametrize(
    ("source", "text", "second"),
    [
        (b"\xff\xfea\0\x00\xd8b\0c", "a\ufffdb", ByteRange(4, 6)),
        (b"\xff\xfe\0\0a\0\0\0\xff\xff\xff\xffb\0\0\0", "a\ufffdb", ByteRange(8, 12)),
    ],
)
def test_broken_wide_text_keeps_its_offsets(source: bytes, text: str, second: ByteRange) -> None:
    document = read_document(source)
    assert (document.text, document.locate((1, 2))) == (text, second)
    assert document.diagnostics[0].context == {"replaced": 1}


def test_windows_text_saved_as_utf8_by_mistake_is_read_as_it_was_meant() -> None:
    source = "“April – June 2012”, £5 …".encode("cp1252").decode("latin-1").encode()
    document = read_document(source)
    assert (document.text, document.diagnostics) == ("“April – June 2012”, £5 …", ())
    start = document.text.index("–")
    assert document.locate((start, start + 1)) == ByteRange(source.index(b"\xc2\x96"), source.index(b"\xc2\x96") + 2)


def test_line_ends_stay() -> None:
    assert read_document(b"a\r\nb\rc\n").text == "a\r\nb\rc\n"


def test_bytes_that_are_no_text_are_an_error_with_advice() -> None:
    document = read_document(bytes(range(256)) * 400)
    (note,) = document.diagnostics
    assert (document.text, note.code, note.severity) == ("", "UNREADABLE_INPUT", Severity.ERROR)
    assert note.message == "these bytes are no text. Give the original file, or register a reader for its format"


@pytest.mark.parametrize(
    "data", [bytes(range(256)) * 4, b"a.txt".ljust(257, b"\0") + b"ustar".ljust(255, b"\0") + b"Net 7"]
)
def test_noise_and_archives_have_no_text_however_short(data: bytes) -> None:
    assert read_document(data).text == ""


def test_a_text_with_some_control_characters_stays() -> None:
    document = read_document(b"Total: 12.50 EUR\n\x02" * 9_000)
    assert document.text == "Total: 12.50 EUR\n\x02" * 9_000
    assert [note.severity for note in document.diagnostics] == [Severity.ERROR]


def test_a_long_text_is_cut_with_a_diagnostic() -> None:
    document = read_document(b"abcdef", limits=Limits(max_text_chars=4))
    assert document.text == "abcd"
    assert document.diagnostics[0].message.startswith("only the first 4 of 6 characters were read. ")


@pytest.mark.parametrize(
    ("data", "name", "reader"),
    [
        (b"", None, "text"),
        (b"Dear Sir,\nthanks, Bob\n", None, "text"),
        (b"Hello world, this is fine, and so on\nNext line, with some, commas\nLast, of all, lines\n", None, "text"),
        (b'  {"a": 1}', None, "json"),
        (b"[Draft] Invoice", None, "json"),
        (b"id,name\n1,Bob\n2,Al\n", None, "csv"),
        (b"a;b;c\n1,5;2;3\n", None, "csv"),
        (b"x\ty\tz\n1\t2\t3\n", None, "csv"),
        (b"just a line", "list.csv", "csv"),
        (b"<!DOCTYPE html><p>x", None, "html"),
        (b"<?xml version='1.0'?><html xmlns='x'><body/></html>", None, "html"),
        (b"<?xml version='1.0'?><Invoice/>", None, "xml"),
        (b"<cbc:Invoice xmlns:cbc='x'/>", "invoice.txt", "xml"),
        (b"<div>hello</div>", None, "html"),
        (b"< 5 items", None, "text"),
        (b"Message-ID: <1@x>\nFrom: a@b.c\n\nhi", None, "mail"),
        (b"From a@b Mon\nFrom: a@b.c\nReceived: by x\n\nhi", None, "mail"),
        (b"From: Bob\nTo: Ann\nSubject: memo\n\nhi", None, "text"),
        (b"Subject: memo\n\nhi", "x.eml", "mail"),
        (b"From: Bob <bob@example.com>\nTo: Ann\nSubject: memo\n\nhi", None, "mail"),
        (b"From: Bob <bob@example.com>\nSubject: memo\nDate: today\nand more", None, "text"),
        (b"<note><to>Ann</to><body>Hello</body></note>", "note.xml", "xml"),
        (b"<note><to>Ann</to><body>Hello</body></note>", None, "xml"),
        (b"<table><row/></table>", "rows.xml", "xml"),
        (b"<?xml version='1.0'?><a><![CDATA[<html>]]></a>", "a.html", "xml"),
        (b"<!-- <html> --><!DOCTYPE note [<!ENTITY x 'y'>]><note/>", None, "xml"),
        (b"<!-- saved --><P>hello", None, "html"),
        (b"hello <b>you</b>", "x.html", "html"),
        (b"sku,qty,x,y\na,1\nb,2,3,4\n", None, "csv"),
        (b'id,note,z\n1,"one\ntwo\nthree",5\n2,b,6\n', None, "csv"),
        (b"Report of May\nby Bob\n\na,b,c\n1,2,3\n4,5,6\n", None, "csv"),
        (b"name\tage\nbob\t5\nann\t6\n", None, "csv"),
        (b"Total:\t5\nTax:\t2\nNet:\t3\n", None, "text"),
        (b"junk\n%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\n", None, "pdf"),
        (b"They wrote it as %PDF-1.4 \n", None, "text"),
        ('{"ä": 1}'.encode("utf-16"), None, "json"),
        (b"%PDF-1.7\n%\xe2\xe3", "x.txt", "pdf"),
        (b"\x89PNG\r\n\x1a\n123", "x.pdf", "image"),
        (b"BM is a car maker, so I heard", None, "text"),
    ],
)
def test_the_reader_follows_the_content_and_then_the_name(data: bytes, name: str | None, reader: str) -> None:
    assert choose_reader(data, name).name == reader


NAMES = st.sampled_from([None, "a.csv", "a.json", "a.html", "a.xml", "a.eml", "a.txt", "a.tsv"])
STARTS = st.sampled_from(
    [
        b"",
        b"{",
        b"[",
        b"<",
        b"<?xml ?><a>",
        b"<html>",
        b"From: a\nMIME-Version: 1\n",
        b"a,b\n",
        b'"',
        b"\xff\xfe",
        b"&#x",
    ]
)
PIECES = st.sampled_from(
    [b"<a b='", b"</a>", b"&amp;", b"]]>", b"<![CDATA[", b"<!--", b'{"a":', b"\\ud800", b'","', b"\r\n", b"=?utf-8?q?x",
     b"Content-Type: multipart/mixed; boundary=x\n\n--x\n", b": 5", b"   ", b"\t", b"|", b"...", b"\xc3", b"\0",
     b" itemprop=x", b"<table><tr><td>", b"<dl><dd>"]
)  # fmt: skip


@given(STARTS, st.lists(PIECES | st.binary(max_size=6), max_size=14), NAMES)
@settings(max_examples=400)
def test_no_bytes_raise(start: bytes, pieces: list[bytes], name: str | None) -> None:
    document = read_document(start + b"".join(pieces), name)
    length = len(document.text)
    spans = [node.span for node in document.tree.walk()] if document.tree else []
    spans += [pair.value_span for pair in document.pairs] + [pair.label_span for pair in document.pairs]
    spans += [cell.span for table in document.tables for row in (table.header, *table.rows) for cell in row]
    assert all(0 <= first <= last <= length for first, last in spans)
    for span in ((0, length), (length, length), (0, min(1, length))):
        document.locate(span)
        document.byte_range(span)
    assert not any("\ud800" <= character <= "\udfff" for character in document.text)


class Shouting:
    name = "shouting"
    version = "1.0"

    def sniff(self, head: bytes, name: str | None) -> int:
        return 95 if head.startswith(b"!!!") else 0

    def read(self, data: bytes, name: str | None, limits: Limits) -> object:
        raise RuntimeError(f"too loud: {data!r}")


def test_a_reader_that_fails_leaves_the_text_and_the_reason() -> None:
    register_reader(Shouting())  # type: ignore[arg-type]
    try:
        document = read_document(b"!!! Total: 5")
    finally:
        readers.unregister("shouting")
    assert (document.kind, document.text) == ("text", "!!! Total: 5")
    (note,) = document.diagnostics
    assert note.message == (
        "the shouting reader failed with RuntimeError. "
        "Check that the file is complete and opens elsewhere, or convert it to text or PDF"
    )
    assert read_document(b"!!! Total: 5").diagnostics == ()


class Careless:
    name = "careless"
    version = "1.0"

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def sniff(self, head: bytes, name: str | None) -> object:
        return self.answer

    def read(self, data: bytes, name: str | None, limits: Limits) -> object:
        return None


@pytest.mark.parametrize(
    ("answer", "notes"),
    [(None, []), (95, ["the careless reader gave back no Document"])],
)
def test_a_reader_that_gives_nothing_back_leaves_the_text(answer: object, notes: list[str]) -> None:
    register_reader(Careless(answer))  # type: ignore[arg-type]
    try:
        document = read_document(b"Total: 5")
    finally:
        readers.unregister("careless")
    assert (document.kind, document.text) == ("text", "Total: 5")
    assert [note.message.partition(". ")[0] for note in document.diagnostics] == notes


@pytest.mark.parametrize(
    "source",
    [
        "From: a@b.de\nTo: c@d.de\nSubject: x\nContent-Type: text/plain; charset=us-ascii\n\nTotal: 5 € für Müller\n",
        '<?xml version="1.0" encoding="US-ASCII"?><r>Total: 5 € für Müller</r>',
        '<html><head><meta charset="us-ascii"></head><body>Total: 5 € für Müller</body></html>',
    ],
    ids=["mail", "xml", "html"],
)
def test_utf8_that_calls_itself_ascii(source: str) -> None:
    assert read_document(source.encode()).text.splitlines()[-1] == "Total: 5 € für Müller"
    assert read_document(source.encode("cp1252")).text.splitlines()[-1] == "Total: 5 € für Müller"


def test_a_short_text_of_an_old_mac() -> None:
    text = "Rechnung Nr.: 4711\nKäufer: Müller & Söhne GmbH\nBetrag: 1.234,56 €\nDatum: 3. März 2025\n"
    assert read_document(text.encode("mac-roman")).text == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [("請求書番号: 123\n合計: 1,000円\n株式会社山田\n", "euc_jp"), ("세금계산서 번호: 12\n합계: 1,000원\n", "cp949")],
)
def test_a_guess_among_encodings_is_noted(text: str, encoding: str) -> None:
    (note,) = read_document(text.encode(encoding)).diagnostics
    assert encoding in (note.context["encoding"], note.context["rival"])


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Číslo faktury: 2025001\nDodavatel: Žluťoučký kůň s.r.o.\n", "iso8859-2"),
        ("Factura nº 9\nAñade IVA\nSeñor Muñoz\n", "cp850"),
        ("Señor Peña\n", "cp850"),
    ],
)
def test_an_encoding_that_puts_signs_into_words_is_not_taken(text: str, encoding: str) -> None:
    document = read_document(text.encode(encoding))
    assert (document.text, document.diagnostics) == (text, ())


@pytest.mark.parametrize("text", ["a,b\n1,\0\n2,3\n", "xid,name\n0,Name 0\n7,A\0B\n"])
def test_a_zero_byte_makes_no_wide_letters_of_ascii(text: str) -> None:
    assert read_document(text.encode(), "x.csv").text == text


def test_a_letter_and_a_control_character_are_no_wide_letter() -> None:
    assert read_document(b"0\x06").text == "0\x06"


@pytest.mark.parametrize(
    ("text", "encoding", "read", "rival"),
    [
        ("Malmö", "cp850", "cp1252", "cp850"),
        ("Città", "cp850", "cp1252", "cp850"),
        ("Señor Muñoz", "mac-roman", "cp1252", "cp850"),
        ("Malmö", "mac-roman", "cp1250", "mac-roman"),
        ("København", "mac-roman", "cp1250", "mac-roman"),
        ("İstanbul", "cp1254", "cp1250", "cp852"),
        ("Żółw", "cp1250", "big5", "cp1250"),
        ("Да", "koi8-r", "cp874", "gb18030"),
    ],
)
def test_a_short_text_is_never_misread_without_a_note(text: str, encoding: str, read: str, rival: str) -> None:
    (note,) = read_document(text.encode(encoding)).diagnostics
    assert (note.code, note.context) == ("UNREADABLE_INPUT", {"encoding": read, "rival": rival})


@pytest.mark.parametrize("text", ["“Hello”", "It’s 5", "Don’t – we’ll", "10–12 May", "50 €", "Acme™", "wait… it’s on"])
def test_signs_where_signs_stand_are_no_guess(text: str) -> None:
    document = read_document(text.encode("cp1252"))
    assert (document.text, document.diagnostics) == (text, ())


@pytest.mark.parametrize("encoding", ["euc-jp", "shift_jis"])
def test_kana_alone_are_japanese(encoding: str) -> None:
    assert read_document("ありがとうございます".encode(encoding)).text == "ありがとうございます"


@pytest.mark.parametrize(
    ("encoding", "written", "shown"),
    [
        ("shift_jis", "領収書です 金額: \\3,300 合計\\500 C:\\2024", "領収書です 金額: ¥3,300 合計¥500 C:\\2024"),
        ("cp949", "영수증 입니다 합계: \\12,000", "영수증 입니다 합계: ₩12,000"),
        ("cp1252", "Überweisung für Bücher \\3,300", "Überweisung für Bücher \\3,300"),
    ],
)
def test_a_backslash_before_a_figure_is_the_sign_that_its_readers_see(encoding: str, written: str, shown: str) -> None:
    data = written.encode(encoding)
    document = read_document(data)
    assert document.text == shown
    place = shown.index(",")
    assert document.locate((place - 2, place)) == ByteRange(data.index(b",") - 2, data.index(b","))


def test_a_lone_mark_over_running_text_is_no_markup() -> None:
    text = "<PAGE>\n" + 5 * "This Agreement is made by Alder Inc. and Birch LLC on the terms below.\n"
    assert (read_document(text.encode()).kind, read_document(text.encode()).text) == ("text", text)
    assert [read_document(markup).kind for markup in (b"<PAGE>\ncut off", b"<p:a>" + b"<b>" * 50)] == ["xml", "xml"]


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("invoices/01 bright.PDF", ["the text is nothing but the name of a file. Give it as pathlib.Path"]),
        ("see a.pdf\n", []),
        ("a.pdf is here", []),
        (".pdf", []),
    ],
)
def test_a_text_that_is_the_name_of_a_file_is_noted(text: str, notes: list[str]) -> None:
    assert [note.message for note in read_document(text.encode()).diagnostics] == notes
