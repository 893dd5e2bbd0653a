"""Bytes to text in any common encoding, with the byte offset of every character."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import attrs

from paxman.classes import frozen
from paxman.documents.reading import Limits, unreadable
from paxman.documents.signatures import is_archived, is_binary, is_noise, is_utf8, wide_encoding
from paxman.documents.source_map import EncodedOffsets, Offset, SteppedOffsets, shifted
from paxman.lazy import lazy_pattern
from paxman.types import Diagnostic, Severity

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
          (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))  # fmt: skip
_SURROGATES = lazy_pattern("[\ud800-\udfff]+")
# Control characters that no document holds: Windows text that a program took for Latin-1 and saved as UTF-8.
_CONTROLS = lazy_pattern("[\x80-\x84\x86-\x9f]")
_MISREAD = {code: char for code in range(0x80, 0xA0) if (char := bytes([code]).decode("cp1252", "ignore"))}
_FOREIGN = lazy_pattern(r"[^\x00-\x7f]+")
_MIXED = lazy_pattern(
    r"[A-Za-z][\u0370-\u06ff\u0e00-\u0e7f]|[\u0370-\u06ff\u0e00-\u0e7f][A-Za-z]|[\u2500-\u259f]"
    r"|[A-Za-z][\u3400-\u9fff\uac00-\ud7a3\uff61-\uffdc][a-z]"
)
_SYMBOLS = lazy_pattern(r"[\xa0¤£¥¢§©®°±·²³¹½¼¾×÷«»€…‘’“”•–—™ªº]{1,2}")
# Where other tables have letters.
_IN_WORD = lazy_pattern(r"[A-Za-z][£¥¢¹¼¾]|[£¥¢³¹¼¾ªº][A-Za-z]|[A-Za-z][€¤§©®±²][a-z]")
_POUNDS = lazy_pattern(rb"(?<![A-Za-z\x80-\xff])\xa3 ?[0-9]")
_JAPANESE_ESCAPE = lazy_pattern(rb"\x1b\$[@B]")
_LETTER_BYTES = lazy_pattern(rb"[\x80-\xff]")
# Letters of other scripts and private ones, which these tables hold beside the ideographs.
_ODD_SIGN = lazy_pattern("[\u0370-\u04ff\u2500-\u25ff\ue000-\uf8ff]")
_FEW = 24
"""Bytes below which the letters of languages tell more than the detector."""
_FEW_IDEOGRAPHS = 64
"""Bytes below which the detector confuses these, because each reads most texts of the others."""
_FEW_BYTES = 8
"""Bytes below which letters of other scripts may be meant where these are read."""
_KANA = lazy_pattern("[\u3041-\u30fa]")
_IDEOGRAPHIC = ("gb18030", "euc_jp", "big5", "cp949")
_SAMPLE = 65_536
# What these tables show for the backslash; before a figure it is no part of a path.
_SHOWN_AS = {
    **dict.fromkeys(("shift_jis", "cp932", "euc_jp", "iso2022_jp", "iso2022_jp_2"), "¥"),
    **dict.fromkeys(("cp949", "euc_kr"), "₩"),
}
_SHOWN = lazy_pattern(r"(?<![A-Za-z0-9:.\\])\\(?= ?[0-9])")
_MANY_BYTES = lazy_pattern(r"utf_?-?(?:8|16|32)|gb|big5|euc|shift|sjis|cp9(?:32|36|49|50)|johab|hz|iso2022|utf_7", re.I)
_STATEFUL = lazy_pattern(r"iso2022|hz|utf_7|utf-7", re.I)


@frozen
class Decoded:
    """Text with the encoding that was used, and the byte offset of each of its characters."""

    text: str
    encoding: str
    offset: Offset
    diagnostics: tuple[Diagnostic, ...] = ()


def decode(data: bytes, declared: str | None = None, limits: Limits | None = None) -> Decoded:
    """The text in these bytes. A byte order mark wins, then what the document declares, then what the bytes show."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _cut(_decode_unicode(data, encoding, len(mark)), limits)
    if wide := wide_encoding(data[:4096]):
        return _cut(_decode_unicode(data, wide, 0), limits)
    declared = declared or ("iso2022_jp_2" if _JAPANESE_ESCAPE.search(data[:_SAMPLE]) else None)
    return _cut((_decode_declared(data, declared) if declared else None) or _decode_found(data), limits)


def _cut(decoded: Decoded, limits: Limits | None) -> Decoded:
    if not limits or len(decoded.text) <= limits.max_text_chars:
        return decoded
    note = unreadable(
        f"only the first {limits.max_text_chars} of {len(decoded.text)} characters were read",
        "Raise max_text_chars or split the document",
        Severity.WARNING,
    )
    text = decoded.text[: limits.max_text_chars]
    return attrs.evolve(decoded, text=text, diagnostics=(*decoded.diagnostics, note))


def _decode_unicode(data: bytes, encoding: str, start: int) -> Decoded:
    """UTF-8, UTF-16 or UTF-32; what is broken becomes U+FFFD, one for each unit, so that offsets stay true."""
    if encoding == "utf-8":
        return _decode_utf8(data, start)
    unit = 4 if encoding.startswith("utf-32") else 2
    whole = len(data) - (len(data) - start) % unit
    text = data[start:whole].decode(encoding, "replace")
    offset: Offset = shifted(start, unit) if unit == 4 else EncodedOffsets(text, encoding, start=start)
    broken = text.count("\ufffd") - _count_replacements(data[start:whole], encoding)
    return Decoded(text, encoding, offset, _replaced(broken) + _cut_character(data, start, unit))


def _count_replacements(body: bytes, encoding: str) -> int:
    """How many U+FFFD the source itself has."""
    return body.decode(encoding, "ignore").count("\ufffd") if b"\xfd" in body else 0


def _decode_utf8(data: bytes, start: int = 0) -> Decoded:
    try:
        text = data[start:].decode("utf-8") if start else data.decode("utf-8")
    except UnicodeDecodeError:
        raw = data[start:].decode("utf-8", "surrogateescape")
        text = _without_surrogates(raw)
        return Decoded(text, "utf-8", EncodedOffsets(raw, "utf-8", "surrogateescape", start), _escaped(raw))
    same = len(text) == len(data) - start
    return Decoded(text, "utf-8", shifted(start) if same else EncodedOffsets(text, "utf-8", start=start))


def as_meant(text: str) -> str:
    """Text for people, as long as before, with the signs for which Windows uses the numbers of control characters."""
    return text.translate(_MISREAD) if not text.isascii() and _CONTROLS.search(text) else text


def _decode_declared(data: bytes, declared: str) -> Decoded | None:
    """The text in the encoding that the document names, if that encoding exists and fits."""
    try:
        name = codecs.lookup(declared.strip()).name
        if name == "utf-8" or (name == "ascii" and is_utf8(data)):
            return None
        # Browsers and mail programs read these two as their Windows superset, because people write it so.
        return _decode_legacy(data, "cp1252" if name in ("ascii", "iso8859-1") else name, "strict")
    except (LookupError, ValueError):
        return None


def _decode_found(data: bytes) -> Decoded:
    """UTF-8 if it is nearly that, else what the detector says."""
    decoded = _decode_utf8(data)
    if is_binary(data[:4096]):
        note = unreadable("these bytes are no text", "Give the original file, or register a reader for its format")
        # To search megabytes of noise takes long; what is short and only padded is a text that one can still use.
        noise = is_archived(data[:4096]) or (len(data) > _SAMPLE and is_noise(data[:4096]))
        return attrs.evolve(decoded, text="" if noise else decoded.text, diagnostics=(note,))
    if not decoded.diagnostics:
        return decoded
    broken = decoded.text.count("\ufffd")
    whole = sum(map(len, _FOREIGN.findall(decoded.text[: 16 * _SAMPLE]))) - broken
    return decoded if whole > 2 * broken else _decode_detected(data)


def _decode_detected(data: bytes) -> Decoded:
    name, rival = detect_encoding(data)
    decoded = _decode_legacy(data, name)
    if rival is None:
        return decoded
    reason = f"the encoding is a guess, because few characters show it: {name}, while {rival} is possible, too"
    note = unreadable(reason, "Save the document as UTF-8", Severity.WARNING, encoding=name, rival=rival)
    return attrs.evolve(decoded, diagnostics=(*decoded.diagnostics, note))


def detect_encoding(data: bytes) -> tuple[str, str | None]:
    """The most likely encoding of bytes that are not UTF-8, and another one that is about as likely."""
    import chardet

    first = re.search(rb"[\x80-\xff]", data)
    begin = max(0, (first.start() if first else 0) - _SAMPLE // 4)
    sample = data[begin : begin + _SAMPLE]
    text = sample.decode("cp1252", "replace")
    if all(map(_SYMBOLS.fullmatch, _FOREIGN.findall(text))) and not _IN_WORD.search(text):
        return "iso8859-15" if b"\xa4" in sample else "cp1252", letters_for_signs(sample)
    # These bytes are control characters in the ISO tables, which no document holds.
    known = [*_tables()["windows"], *([] if re.search(rb"[\x80-\x9f]", sample) else _tables()["iso"])]
    found = chardet.detect_all(sample, ignore_threshold=True, include_encodings=known)
    names = {codecs.lookup(guess["encoding"]).name: guess["confidence"] for guess in found if guess["encoding"]}
    names = {name: confidence for name, confidence in names.items() if _is_plausible(sample, name)}
    names = names or dict.fromkeys(filter(partial(_reads_kana, sample), ("euc_jp", "cp932")), 1.0) or {"cp1252": 1.0}
    letters = len(_LETTER_BYTES.findall(sample))
    first_name = next(iter(names))
    if first_name in _IDEOGRAPHIC and letters <= _FEW_IDEOGRAPHS:
        alike = [name for name in _IDEOGRAPHIC if name != first_name and _reads(sample, name)]
        others = [name for name in names if name != first_name] if letters <= _FEW_BYTES else []
        return first_name, next(iter(alike + others), None)
    return (first_name, None) if letters > _FEW else most_likely(sample, names)


def _reads(sample: bytes, name: str) -> bool:
    """Whether the bytes are nothing but letters and signs of an ideographic script."""
    try:
        return not _ODD_SIGN.search(sample.decode(name))
    except UnicodeDecodeError:
        return False


def _reads_kana(sample: bytes, name: str) -> bool:
    return _reads(sample, name) and _KANA.search(sample.decode(name)) is not None


def _is_plausible(sample: bytes, name: str) -> bool:
    """Whether words keep to one alphabet, no frames are drawn and amounts are in pounds: the detector looks at none."""
    if _POUNDS.search(sample) and b"\xa3".decode(name, "ignore") != "£":
        return False
    text = sample.decode(name, "ignore")
    odd = len(_MIXED.findall(text))
    return odd * 10 <= len(_FOREIGN.findall(text))


def _decode_legacy(data: bytes, name: str, errors: str = "surrogateescape") -> Decoded:
    if name.startswith(("utf-16", "utf-32")):
        return _decode_unicode(data, name if name[-2:] in ("le", "be") else f"{name}-le", 0)
    try:
        raw = data.decode(name, errors)
    except UnicodeError:
        if errors == "strict":
            raise
        return _decode_legacy(data, "cp1252")
    text = _without_surrogates(raw)
    if name in _SHOWN_AS and "\\" in text:
        text = _SHOWN.sub(_SHOWN_AS[name], text)
    return Decoded(text, name, _legacy_offset(data, raw, name), _escaped(raw))


def _legacy_offset(data: bytes, raw: str, name: str) -> Offset:
    if len(raw) == len(data) and not _MANY_BYTES.match(name):
        return shifted(0)
    if not _STATEFUL.match(name):
        try:
            if raw.encode(name, "surrogateescape") == data:
                return EncodedOffsets(raw, name, "surrogateescape")
        except UnicodeEncodeError:
            pass
    return SteppedOffsets(data, name)


def _without_surrogates(raw: str) -> str:
    return _SURROGATES.sub(lambda found: "\ufffd" * len(found[0]), raw) if not raw.isascii() else raw


def _escaped(raw: str) -> tuple[Diagnostic, ...]:
    return _replaced(sum(map(len, _SURROGATES.findall(raw))))


def _replaced(count: int) -> tuple[Diagnostic, ...]:
    if not count:
        return ()
    reason = f"{count} broken characters were replaced by U+FFFD"
    return (unreadable(reason, "Save the document as UTF-8", Severity.WARNING, replaced=count),)


def _cut_character(data: bytes, start: int, unit: int) -> tuple[Diagnostic, ...]:
    if (len(data) - start) % unit == 0:
        return ()
    return (unreadable("the last character is cut off", "Check that the file is complete", Severity.WARNING),)


_SIGNS = lazy_pattern(r"[\xa0©®°±·²³«»€…‘’“”„•–—™¿¡№]|[£§½ªº](?![^\W\d_])")
# Where other tables have letters.
_TORN = lazy_pattern(r"[^\W\d_][€©®±«»°¿¡“”„•™][a-zà-ÿ]")
_WORD = lazy_pattern(r"[^\W\d_]+")
_CLOSE, _CLOSE_IN_FEW = 0.5, 0.2
"""What share of the best weight a rival has whose reading is as good a guess; the second where few letters speak."""
_FEW_LETTERS = 2
_LETTERS_FOR_SIGNS = ("cp850", "mac-roman", "cp852")
"""Tables with letters where that of Windows has the signs of typesetters."""
# Signs where only they can stand: in pairs around words, and in English words.
_SURE_SIGNS = lazy_pattern(r"“[^“”]{1,500}”|‘[^‘’]{1,500}’|„[^„“”]{1,500}[“”]|[A-Za-z]’(?:s|t|re|ll|ve|d|m)\b|s’ ")
# Signs that split a word in two, touch one where they should not, or are all there is.
_ODD_SIGNS = lazy_pattern(
    r"[^\W\d_][”“„–—•™…\xa0‡†‰ˆ‹›‘][a-z]|[^\W\d_][”„“•‡†‰ˆ‹…–—©](?![^\W_])|(?<![^\W_])(?:[…•ˆ‰] [a-z]|[™…ˆ‰‡†][a-z])"
    r"|\A\s{0,9}[^\w\s]\s{0,9}\Z"
)


@cache
def _tables() -> Mapping[str, Any]:
    import tomllib  # it compiles patterns, and most texts are UTF-8, for which no table is asked

    return tomllib.loads((Path(__file__).parent / "data" / "encodings.toml").read_text("utf-8"))


@cache
def _languages() -> Mapping[str, Sequence[str]]:
    """The letters of each language that is written with a table."""
    return {name: each["letters"] for each in _tables()["languages"] for name in each["tables"]}


def most_likely(sample: bytes, names: Mapping[str, float]) -> tuple[str, str | None]:
    """The best of these encodings, given how sure a detector is of each, and a rival that reads about as well."""
    weights = {name: (confidence + 0.001) * _weight(sample, name) for name, confidence in names.items()}
    ranked = sorted(weights, key=lambda name: -weights[name])
    text = sample.decode(ranked[0], "replace")
    others = (name for name in ranked[1:] if sample.decode(name, "replace") != text)
    rival = next(others, None)
    share = _CLOSE if len(_foreign(text)) > _FEW_LETTERS else _CLOSE_IN_FEW * (ranked[0] in _languages())
    close = rival is not None and weights[rival] > share * weights[ranked[0]]
    return ranked[0], rival if close else None


def letters_for_signs(sample: bytes) -> str | None:
    """An encoding that reads letters where Windows has signs, if these stand as letters would."""
    text = sample.decode("cp1252", "replace")
    if _SURE_SIGNS.search(text) or not _ODD_SIGNS.search(text):
        return None
    return next((name for name in _LETTERS_FOR_SIGNS if _weight(sample, name) >= _tables()["rare"][name]), None)


def _foreign(text: str) -> set[str]:
    return {char for char in _SIGNS.sub("", text).lower() if not char.isascii()}


def _weight(sample: bytes, name: str) -> float:
    text = sample.decode(name, "ignore")
    weight: float = _tables()["rare"].get(name, 1.0)
    foreign = _foreign(text)
    languages = _languages().get(name)
    if languages and not any(foreign <= set(language) for language in languages):
        weight *= 0.1
    elif not all(map(str.isalpha, foreign)):
        weight *= 0.3
    # Capitals stand where they may: first, or everywhere.
    odd = sum(
        1
        for word in _WORD.findall(text)
        if not word.isascii() and not (word[1:] == word[1:].lower() or word == word.upper())
    )
    return weight * 0.1 if odd or _TORN.search(text) else weight
