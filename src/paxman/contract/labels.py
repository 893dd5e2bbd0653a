"""Folding labels and names so that "Invoice No.:", "invoice_number" and "INVOICE #" compare equal."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NUMBER_SIGN = re.compile(r"[#№]|\bn[°º]", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_NUMBER_WORDS = frozenset("no nr num number nummer numero numéro núm nro nº".split())


@lru_cache(maxsize=8192)
def fold_label(text: str) -> str:
    """Lower case without accents and punctuation; every word for "number" becomes "no"."""
    text = _NUMBER_SIGN.sub(" no ", text) if not text.isalnum() else text
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text)
        text = "".join(c for c in decomposed if not unicodedata.combining(c))
    words = _WORD.findall(text.casefold())
    return " ".join("no" if word in _NUMBER_WORDS else word for word in words)


@lru_cache(maxsize=8192)
def fold_name(name: str) -> str:
    """Like `fold_label` for keys, elements and columns: camelCase is split, and spaces do not matter."""
    return fold_label(_CAMEL.sub(" ", name)).replace(" ", "")
