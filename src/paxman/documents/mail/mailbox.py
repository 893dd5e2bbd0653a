"""A mailbox as its mails, one after the other, however large it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from paxman.lazy import lazy_pattern

_ENVELOPE = lazy_pattern(rb"From [^\n]{3,200}\n")
_HEADER = lazy_pattern(rb"[!-9;-~]{1,70}:")
_SENT = lazy_pattern(rb"[0-9]:[0-9]{2}|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? ")
# Programs that write mailboxes put a sign before lines that would look like an envelope.
_QUOTED_FROM = lazy_pattern(rb"^>From ", re.M)


def is_mailbox(head: bytes) -> bool:
    """Whether a file that starts so is a mailbox: an envelope, and a header below it."""
    first, _, rest = head.lstrip(b"\r\n").partition(b"\n")
    return bool(_ENVELOPE.match(first + b"\n") and _HEADER.match(rest))


def iter_mails(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The mails without their envelope lines; a single mail is a mailbox of one.

    Only a mailbox starts with an envelope; elsewhere, and without a date, such a line is a sentence of the body.
    """
    mail: list[bytes] = []
    boxed, nothing_above = False, True
    for line in lines:
        if mail and (boxed or nothing_above) and _HEADER.match(line) and _is_envelope(mail, not boxed):
            if boxed:
                yield _joined(mail[:-1])
            mail, boxed = [], True
        nothing_above = nothing_above and not (mail and mail[-1].strip())
        mail.append(line)
    yield _joined(mail) if boxed else b"".join(mail)


def _is_envelope(lines: list[bytes], is_first: bool) -> bool:
    """Whether the last of these lines begins a mail: below a blank one, and with a date unless it is the first."""
    if not _ENVELOPE.fullmatch(lines[-1]) or (len(lines) > 1 and lines[-2].strip()):
        return False
    return is_first or (len(lines) > 1 and _SENT.search(lines[-1]) is not None)


def _joined(lines: list[bytes]) -> bytes:
    return _QUOTED_FROM.sub(b"From ", b"".join(lines))
