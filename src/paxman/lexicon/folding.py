"""Words of labels, names and descriptions in the one form in which they are compared."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from paxman.lazy import lazy_pattern
from paxman.types import SUPERSCRIPTS

_CAMEL = lazy_pattern(r"(?<=[a-z0-9])(?=[A-Z]\w)|(?<=[A-Z])(?=[A-Z][a-z])")
_POSSESSIVE = lazy_pattern(r"(?<=\w)['’][sS]\b|(?<=[sS])['’](?=\s|$)")
_NUMBER_SIGN = lazy_pattern(r"[#№]|\bn[°º]", re.IGNORECASE)
_INITIALS = lazy_pattern(r"\b(?:\w\.){2,}")
_WORD = lazy_pattern(r"[^\W_]+")
_STROKES = str.maketrans("łøđıß", "lodis")
_PLURAL_KEPT = ("ss", "us", "is", "as", "os")
_FOOTNOTES = dict.fromkeys(map(ord, SUPERSCRIPTS))
NUMBER = "number"


@lru_cache(maxsize=65536)
def fold_words(text: str) -> tuple[str, ...]:
    """Lower case, without accents, possessives and plurals; camelCase is split; a number sign is a word."""
    if not text.isascii():
        text = text.translate(_FOOTNOTES)
    if not text.islower():
        text = _CAMEL.sub(" ", text)
    if "'" in text or "’" in text:
        text = _POSSESSIVE.sub("", text)
    if "#" in text or not text.isascii():
        text = _NUMBER_SIGN.sub(f" {NUMBER} ", text)
    if "." in text:
        text = _INITIALS.sub(lambda found: found[0].replace(".", ""), text)
    return tuple(map(_singular, _WORD.findall(fold(text))))


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """Lower case without accents."""
    text = text.casefold()
    if text.isascii():
        return text
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return plain.translate(_STROKES)


def _singular(word: str) -> str:
    if len(word) > 3 and word[-1] == "s" and not word.endswith(_PLURAL_KEPT) and word.isascii():
        return word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]
    return word
