"""What a mail only repeats, a reply's quote or a forwarded mail, is ranked behind its own words."""

import io
import mailbox
import shutil
import subprocess
import time
from email.message import EmailMessage
from pathlib import Path

import pytest

import paxman
from paxman.documents.mail.mailbox import iter_mails
from paxman.documents.mail.quotes import blank_spans, quoted_spans

CONTRACT = {
    "id": "order",
    "version": "1",
    "fields": [
        {"name": "order_number", "type": "STRING", "required": True, "labels": ["Order no."]},
        {"name": "total", "type": "MONEY", "required": True, "labels": ["Total"]},
    ],
}
OWN = "Hello,\n\nOrder no.: A-2\n\n"
OLD = "Order no.: A-1\nTotal: EUR 10.00\n"
MARKED = "".join(f"> {line}\n" for line in OLD.splitlines())
QUOTES = {
    "marked": f"On Mon, 3 Mar 2025 at 10:00, Jo Brown\n<jo@brown.example> wrote:\n\n{MARKED}",
    "only marked": MARKED,
    "german": f"Am 03.03.2025 um 10:00 schrieb Jo Brown:\n{MARKED}",
    "french": f"Le lun. 3 mars 2025 à 10:00, Jo <jo@brown.example> a écrit :\n\n{OLD}",
    "not marked": f"On 3 March 2025 10:00, Jo Brown wrote:\n\n{OLD}",
    "outlook": "________________________________\nFrom: Jo Brown <jo@brown.example>\n"
    f"Sent: Monday, 3 March 2025 10:00\nTo: Tom\nSubject: Order\n\n{OLD}",
    "outlook german": f"Von: Jo Brown\nGesendet: Montag, 3. März 2025 10:00\nAn: Tom\nBetreff: Bestellung\n\n{OLD}",
    "original": f"-----Original Message-----\nFrom: Jo Brown\n\n{OLD}",
    "forwarded": f"---------- Forwarded message ---------\nFrom: Jo Brown <jo@brown.example>\n"
    f"Date: Mon, 3 Mar 2025\nSubject: Order\nTo: Tom\n\n{OLD}",
    "apple": f"Begin forwarded message:\n\nFrom: Jo Brown\n\n{OLD}",
}


def mail(body: str, kind: str = "plain") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "tom@example.org", "ann@example.org", "Re: Order"
    message.set_content(body, subtype=kind)
    return message


def outcome(message: EmailMessage) -> list[tuple[str, str]]:
    artifact = paxman.normalize(bytes(message), CONTRACT)
    return [(str(field.value), field.confidence_band.value) for field in artifact.field_results]


@pytest.mark.parametrize("way", QUOTES)
def test_own_words_go_before_quoted_ones_which_fill_what_is_left(way: str) -> None:
    assert outcome(mail(OWN + QUOTES[way])) == [("A-2", "HIGH"), ("10.00 EUR", "HIGH")]


@pytest.mark.parametrize("way", QUOTES)
def test_what_is_only_quoted_is_found(way: str) -> None:
    assert outcome(mail("Please see below.\n\n" + QUOTES[way])) == [("A-1", "HIGH"), ("10.00 EUR", "HIGH")]


def test_a_reply_in_html() -> None:
    quote = OLD.replace("\n", "<br>")
    body = (
        f"<p>Order no.: A-2</p><div class='gmail_quote'>On 3 March 2025 Jo wrote:<blockquote>{quote}</blockquote></div>"
    )
    assert outcome(mail(body, "html")) == [("A-2", "HIGH"), ("10.00 EUR", "HIGH")]


def test_a_mail_that_is_forwarded_whole() -> None:
    outer = mail(OWN)
    outer.add_attachment(mail(OLD))
    assert outcome(outer) == [("A-2", "HIGH"), ("10.00 EUR", "HIGH")]


def test_the_frame_of_a_signature_is_no_text() -> None:
    signature = "-----BEGIN PGP SIGNATURE-----\n\nTotal: EUR 99.00\n-----END PGP SIGNATURE-----\n"
    body = f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{OWN}Total: EUR 20.00\n{signature}"
    assert outcome(mail(body)) == [("A-2", "HIGH"), ("20.00 EUR", "HIGH")]


@pytest.mark.skipif(not shutil.which("openssl"), reason="needs openssl")
@pytest.mark.parametrize("way", [["-nodetach"], ["-nodetach", "-stream"], []], ids=["packed", "streamed", "beside"])
def test_a_mail_that_is_signed_as_a_whole(way: list[str], tmp_path: Path) -> None:
    key = "req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 2 -subj /CN=tom".split()
    subprocess.run(["openssl", *key], cwd=tmp_path, check=True, capture_output=True)
    content = f"Content-Type: text/plain\r\n\r\n{OWN}Total: EUR 20.00\n" + "x" * 5_000
    (tmp_path / "in.txt").write_bytes(content.encode())
    sign = "smime -sign -in in.txt -signer c.pem -inkey k.pem -from tom@example.org -to a@b.example -subject X"
    signed = subprocess.run(["openssl", *sign.split(), *way], cwd=tmp_path, check=True, capture_output=True).stdout
    artifact = paxman.normalize(signed, CONTRACT)
    assert [str(field.value) for field in artifact.field_results] == ["A-2", "20.00 EUR"]


def test_an_encrypted_mail_says_so() -> None:
    message = mail("")
    message.clear_content()
    message.set_content(bytes.fromhex("3080060a2a864886f70d010703"), "application", "pkcs7-mime", filename="smime.p7m")
    (note,) = [each for each in paxman.normalize(bytes(message), CONTRACT).diagnostics if not each.field_path]
    assert note.message.startswith("the mail is encrypted")


@pytest.mark.parametrize(
    "body",
    [
        "From: Berlin\nTo: Munich\nDate: 3 May 2025\n",
        "On receipt of the goods he wrote:\nall is well\n",
        "Our lawyer wrote on 3 May:\nTotal: 5\n",
        "-- \nTom Smith\nFrom: the sales team\n",
    ],
)
def test_own_words_that_look_alike_are_no_quotes(body: str) -> None:
    assert quoted_spans(body) == []


def test_blanks_keep_lines_and_length() -> None:
    text = OWN + QUOTES["marked"] + "Thanks\n"
    blank = blank_spans(text, quoted_spans(text))
    assert (len(blank), blank.count("\n"), blank.split()[-1]) == (len(text), text.count("\n"), "Thanks")
    assert "A-1" not in blank


@pytest.mark.parametrize("line", ["x:\n", "> a\n", "From: a\n", "On 1 ", "wrote:\n", "-----BEGIN PGP SIGNATURE-----\n"])
def test_quotes_are_sought_in_time_in_proportion(line: str) -> None:
    started = time.process_time()
    quoted_spans(line * 100_000)
    assert time.process_time() - started < 5


def test_the_mails_of_a_mailbox_that_python_wrote(tmp_path: Path) -> None:
    written = [mail(f"Order no.: A-{number}\n\nFrom 5 on\nTotal: EUR {number}.00\n") for number in range(1, 4)]
    box = mailbox.mbox(tmp_path / "orders.mbox")
    for each in written:
        box.add(each)
    box.close()
    data = (tmp_path / "orders.mbox").read_bytes()
    assert [found.rstrip() for found in iter_mails(io.BytesIO(data))] == [bytes(each).rstrip() for each in written]
    batch = paxman.normalize_many([tmp_path / "orders.mbox"], CONTRACT, workers=1)
    assert [(row["source"].rpartition("orders.mbox")[2], row["data"]["order_number"]) for row in batch.rows()] == [
        ("/1.eml", "A-1"),
        ("/2.eml", "A-2"),
        ("/3.eml", "A-3"),
    ]
    alone = paxman.normalize(tmp_path / "orders.mbox", CONTRACT)
    assert alone.normalized_data["order_number"] == "A-1"
    assert [note.context["count"] for note in alone.diagnostics if note.code == "INPUT_NOTE"] == [3]
