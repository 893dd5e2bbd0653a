"""Whose an address or account is by the label on its own line: the issuer's, or somebody else's."""

from __future__ import annotations

import re
from typing import Literal

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.label_scan import scan_of
from paxman.recognizers import Reading
from paxman.recognizers.tables import pattern

CONTACT_KINDS = frozenset(("bic", "email", "iban", "phone", "url"))
_LABEL = re.compile(r"([^\W\d_][^:：\n]{0,40})[:：][^:：\d\n]{0,60}\Z")
_LED = re.compile(r"\b(?:(?:powered|designed|hosted) by\b.{0,60}|(?:ordered by|(?:paid|refunded) to) )\Z", re.I)
_OTHERS = (
    r"(?:{addressed}|cc|bcc|kopie|copie|kopia)\Z"
    r"|.*\b(?:payers?|payor|debtors?|refund(?:ed)?|paid to|delivery|deliver(?:ed)?|ship|recipient|attn|attention"
    r"|(?:powered|ordered|booked|requested|approved|designed|made|driven) by|bestellt|besteller|auftraggeber"
    r"|empfänger|lieferung|erstattung|zahler|destinataire|livraison|remboursement|payeur|destinatario|entrega"
    r"|reembolso|pagador|destinatário|consegna|rimborso|pagatore|ontvanger|levering|betaler|terugbetaling|odbiorca"
    r"|mottagare|modtager|mottaker)\b"
)
_CONTACT = (
    r"\b(?:e-?mail|mail|courriel|correo|posta|pec|phone|tele|tel\b|tél|fon\b|mob|cell|handy|puhelin|fax|call|ring|web"
    r"|www|internet|url|site|home|online|contact|kontakt|contat|iban|bic|swift|account|acct|konto|compte|cuenta|conto"
    r"|conta\b|rekening|rachun|bank|banc|banq|pay|zahl|transfer|überweis|virement|remit|help|support|servi|enquir|inquir"
    r"|quer|question|fragen|billing|sales|office|info|hotline|reply|write|send|reach|adress|address|sede|hq\b"
    r"|{mail_from}|{issuer})"
)


def whose_label(context: CapabilityContext, reading: Reading) -> Literal["own", "unsure", "other"]:
    """Whose the label before a value in its chunk says it is; without one it is the issuer's."""
    page = scan_of(context).page
    line = page.line(page.line_at(reading.start))
    start = line.chunks[page.chunk_at(reading.start)][0] if line.chunks else line.start
    before = page.text[max(start, reading.start - _LONGEST) : reading.start]
    label = _LABEL.search(before)
    if _LED.search(before) or (label and pattern(_OTHERS).match(label[1].strip())):
        return "other"
    return "own" if label is None or pattern(_CONTACT).search(label[1]) else "unsure"


_LONGEST = 110
