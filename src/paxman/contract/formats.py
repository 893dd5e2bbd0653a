"""The formats of JSON Schema: whether a text is a date, an address or the like, as the RFCs define it."""

from __future__ import annotations

import base64
import datetime
import json
import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from paxman.errors import need
from paxman.lazy import lazy_pattern
from paxman.types import FieldType

_UNRESERVED = r"A-Za-z0-9\-._~"
_PERCENT = "%[0-9A-Fa-f]{2}"
_SUB_DELIMS = r"!$&'()*+,;="
_UCS = "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\U00010000-\U000efffd"
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
_LABEL = lazy_pattern(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
_DATE = lazy_pattern(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_TIME = lazy_pattern(r"(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[zZ]|([+-])(\d{2}):(\d{2}))", re.ASCII)
_DURATION = lazy_pattern(
    r"P(?:\d+W|(?=.)(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?"
    r"(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)",
    re.ASCII,
)
_LOOSE_DURATION = lazy_pattern(
    r"-?P(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?)", re.ASCII
)
_UUID = lazy_pattern(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_POINTER = lazy_pattern(r"(?:/(?:[^~/]|~[01])*)*", re.DOTALL)
_RELATIVE = lazy_pattern(r"(?:0|[1-9][0-9]*)(?:[+-](?:0|[1-9][0-9]*))?(?:#|((?:/(?:[^~/]|~[01])*)*))", re.DOTALL)
_TEMPLATE = lazy_pattern(
    r"(?:[^\x00-\x20\x7f\"%<>\\^`{|}]|%[0-9A-Fa-f]{2}|\{[+#./;?&=,!@|]?"
    r"(?:(?:^|,|(?<=[{+#./;?&=!@|]))(?:\w|%[0-9A-Fa-f]{2})+(?:\.(?:\w|%[0-9A-Fa-f]{2})+)*"
    r"(?::[1-9][0-9]{0,3}|\*)?)+\})*",
    re.ASCII,
)
_NOT_ECMA = lazy_pattern(r"(?<!\\)(?:\\\\)*(?:\\[aZAzQE]|\(\?(?:[a-zA-Z]+\)|P[<=>]|#))")
_ECMA = ((r"[]", "(?!)"), (r"[^]", "."), (r"\(\?<(?=\w)", "(?P<"), (r"\\k<(\w+)>", r"(?P=\1)"), (r"\\c[A-Za-z]", "x"))


FORMAT_OF = {
    FieldType.DATE: "date",
    FieldType.DATETIME: "date-time",
    FieldType.TIME: "time",
    FieldType.DURATION: "duration",
}
"""The format of a type whose values JSON has as text."""


def is_known(name: str) -> bool:
    return name in _FORMATS


def conforms(name: str, text: str) -> bool:
    """Whether a text is of a format; every text is of a format that nobody knows."""
    check = _FORMATS.get(name)
    return check is None or check(text)


def is_duration(text: str) -> bool:
    """Whether a text is a duration, with a fraction of a second perhaps, or a sign."""
    return _LOOSE_DURATION.fullmatch(text) is not None and text[-1:] not in "PT"


def is_written_plainly(name: str, text: str) -> bool:
    """Whether a text is a moment or time without an offset, or a duration with a fraction."""
    if name == "duration":
        return is_duration(text)
    kind: Any = {"date-time": datetime.datetime, "time": datetime.time}.get(name)
    try:
        return kind is not None and bool(kind.fromisoformat(text) is not None)
    except ValueError:
        return False


def is_content(text: str, encoding: Any, kind: Any) -> bool:
    """Whether a text is what its encoding and media type say, as far as they are Base64 and JSON."""
    try:
        decoded = base64.b64decode(text, validate=True) if encoding == "base64" else text
        if kind == "application/json" and encoding in (None, "base64"):
            json.loads(decoded)
    except (ValueError, RecursionError):
        return False
    return True


def _is_date(text: str) -> bool:
    if not _DATE.fullmatch(text):
        return False
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _is_time(text: str) -> bool:
    """A time with its offset; a leap second only where one can be, at midnight in UTC."""
    match = _TIME.fullmatch(text)
    if not match:
        return False
    hour, minute, second, ahead, behind = (int(match[n] or 0) for n in (1, 2, 3, 5, 6))
    if hour > 23 or minute > 59 or second > 60 or ahead > 23 or behind > 59:
        return False
    offset = (ahead * 60 + behind) * (-1 if match[4] == "-" else 1)
    return second < 60 or (hour * 60 + minute - offset) % 1440 == 1439


def _is_datetime(text: str) -> bool:
    return text[10:11] in ("T", "t") and _is_date(text[:10]) and _is_time(text[11:])


def _is_ip(text: str, version: int) -> bool:
    import ipaddress

    if not text.isascii() or "%" in text or "/" in text:
        return False
    try:
        return ipaddress.ip_address(text).version == version
    except ValueError:
        return False


def _is_ascii_host(text: str) -> bool:
    """Labels of letters, digits and hyphens; those of other scripts, encoded, must say something."""
    labels = text.split(".")
    if len(text) > 253 or not all(map(_LABEL.fullmatch, labels)):
        return False
    marked = [label for label in labels if label[2:4] == "--"]
    return all(label[:2].lower() == "xn" for label in marked) and (not marked or _is_idn_host(text))


def _is_idn_host(text: str) -> bool:
    if not text.strip(".") or text.endswith((".", "\u3002", "\uff0e", "\uff61")):
        return False
    idna = need("idna", "json-schema")
    if text.isascii() and "--" not in text and not all(map(_LABEL.fullmatch, text.split("."))):
        return False
    try:
        idna.encode(text, uts46=False)
        labels = text.split(".")
        for label in labels if any(map(_is_right_to_left, labels)) else ():
            idna.check_bidi(label, True)
    except (idna.IDNAError, UnicodeError):
        return False
    return True


def _is_right_to_left(label: str) -> bool:
    return any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in label)


def _is_email(text: str, letters: str = "") -> bool:
    local, at, domain = text.rpartition("@")
    return bool(at) and _mailbox(letters).fullmatch(local) is not None and _is_mail_host(domain, bool(letters))


@lru_cache(maxsize=2)
def _mailbox(letters: str) -> re.Pattern[str]:
    atom = _ATOM.replace("[", f"[{letters}", 1)
    return re.compile(rf'{atom}+(?:\.{atom}+)*|"(?:[\x20\x21\x23-\x5b\x5d-\x7e{letters}]|\\[\x20-\x7e])*"')


def _is_mail_host(domain: str, wide: bool) -> bool:
    if domain.startswith("[") and domain.endswith("]"):
        inner = domain[1:-1]
        return _is_ip(inner[5:], 6) if inner[:5].lower() == "ipv6:" else _is_ip(inner, 4)
    domain = unicodedata.normalize("NFC", domain)
    return _is_idn_host(domain) if wide and not domain.isascii() else _is_ascii_host(domain)


@lru_cache(maxsize=2)
def _address(letters: str) -> re.Pattern[str]:
    """Scheme, user, host, port and the rest of a reference, by RFC 3986; with more letters, by RFC 3987."""
    char = rf"(?:[{_UNRESERVED}{letters}{_SUB_DELIMS}:@]|{_PERCENT})"
    name = rf"(?:[{_UNRESERVED}{letters}{_SUB_DELIMS}]|{_PERCENT})*"
    user = rf"(?:[{_UNRESERVED}{letters}{_SUB_DELIMS}:]|{_PERCENT})*"
    private = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd" if letters else ""
    return re.compile(
        rf"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*):)?"
        rf"(?://(?:{user}@)?(?P<host>\[[^\]]*\]|{name})(?::\d*)?(?=[/?#]|\Z))?"
        rf"(?P<path>(?:{char}|/)*)(?:\?(?:{char}|[/?{private}])*)?(?:#(?:{char}|[/?])*)?"
    )


def _is_reference(text: str, letters: str = "", absolute: bool = False) -> bool:
    match = _address(letters).fullmatch(text)
    if match is None or (absolute and not match["scheme"]):
        return False
    host, path = match["host"], match["path"]
    if host is None:
        return not path.startswith("//") and (bool(match["scheme"]) or ":" not in path.partition("/")[0])
    literal = host[1:-1] if host.startswith("[") else None
    return literal is None or literal[:1].lower() == "v" or _is_ip(literal, 6)


def _is_regex(text: str) -> bool:
    """A pattern of ECMA 262, asked of an engine that knows its classes of Unicode."""
    import regex

    if _NOT_ECMA.search(text):
        return False
    for theirs, ours in _ECMA:
        text = text.replace(theirs, ours) if theirs[0] == "[" else re.sub(theirs, ours, text)
    try:
        regex.compile(text)
    except regex.error:
        return False
    return True


_FORMATS: dict[str, Callable[[str], bool]] = {
    "date": _is_date,
    "time": _is_time,
    "date-time": _is_datetime,
    "duration": lambda text: _DURATION.fullmatch(text) is not None and text[-1:] not in "PT",
    "email": _is_email,
    "idn-email": lambda text: _is_email(text, "\x80-\U0010ffff"),
    "hostname": _is_ascii_host,
    "idn-hostname": _is_idn_host,
    "ipv4": lambda text: _is_ip(text, 4),
    "ipv6": lambda text: _is_ip(text, 6),
    "ipvanyaddress": lambda text: _is_ip(text, 4) or _is_ip(text, 6),
    "uri": lambda text: _is_reference(text, absolute=True),
    "uri-reference": _is_reference,
    "iri": lambda text: _is_reference(text, _UCS, absolute=True),
    "iri-reference": lambda text: _is_reference(text, _UCS),
    "uri-template": lambda text: _TEMPLATE.fullmatch(text) is not None,
    "uuid": lambda text: _UUID.fullmatch(text) is not None,
    "json-pointer": lambda text: _POINTER.fullmatch(text) is not None,
    "relative-json-pointer": lambda text: _RELATIVE.fullmatch(text) is not None,
    "regex": _is_regex,
}
