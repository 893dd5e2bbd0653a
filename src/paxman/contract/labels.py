"""Folding labels and names so that "Invoice No.:", "invoice_number" and "INVOICE #" compare equal."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import filterfalse

from paxman.lazy import lazy_pattern
from paxman.types import SUPERSCRIPTS

_CAMEL = lazy_pattern(r"(?<=[a-z0-9])(?=[A-Z])")
_NUMBER_SIGN = lazy_pattern(r"[#№]|\bn[°º]", re.IGNORECASE)
_WORD = lazy_pattern(r"[^\W_]+")
# The mark of a footnote; m² and cm³ are units.
_FOOTNOTE = lazy_pattern(rf"[{SUPERSCRIPTS}](?<!\b[a-z].)(?<!\b[a-z][a-z].)[{SUPERSCRIPTS}]*")
_FOREIGN = lazy_pattern(r"[^\x00-\x7f]+")
_NUMBER_WORDS = frozenset("no nr num number nummer numero numéro núm nro nº".split())
# In labels only: what scanners confuse is folded together, so that "T0TAL" and "lNVOICE" still match.
_LOOKALIKES = str.maketrans("01i|", "oll1")
_SQUEEZED = _LOOKALIKES | dict.fromkeys(map(ord, " \t\r\n\f\v\xa0!\"$%&'()*+,-./:;<=>?@[\\]^_`{}~"))
_SIGNS = frozenset(("№", "n°", "N°", "nº", "Nº"))


@lru_cache(maxsize=8192)
def fold_label(text: str) -> str:
    """Lower case without accents and punctuation; every word for "number" becomes "no"."""
    text = _NUMBER_SIGN.sub(" no ", text) if not text.isalnum() else text
    if not text.isascii():
        text = _without_accents(text)
    words = _WORD.findall(text.casefold())
    return " ".join("no" if word in _NUMBER_WORDS else word for word in words)


@lru_cache(maxsize=8192)
def fold_name(name: str) -> str:
    """Like `fold_label` for keys, elements and columns: camelCase is split, and spaces do not matter."""
    return fold_label(_CAMEL.sub(" ", name)).replace(" ", "")


def to_words(name: str) -> str:
    """A name as one says it: "vat Id" of `vatId`, "vat id" of `vat_id`."""
    return _CAMEL.sub(" ", name).replace("_", " ")


def _without_accents(text: str) -> str:
    return _FOREIGN.sub(_to_plain_letters, _FOOTNOTE.sub("", text))


def _to_plain_letters(foreign: re.Match[str]) -> str:
    decomposed = unicodedata.normalize("NFKD", foreign[0])
    return "".join(filterfalse(unicodedata.combining, decomposed)).translate(_STROKES)


# Letters that are no plain letter with an accent, as far as Unicode knows.
_STROKES = str.maketrans("łŁøØđĐı", "lLoOdDi")


def squeeze(text: str) -> str:
    """A whole page without case, accents and anything between words, lookalikes of scanners made equal."""
    if not text.isascii():
        for sign in _SIGNS:
            text = text.replace(sign, "#")
        text = _without_accents(text.casefold())
    return text.lower().translate(_SQUEEZED)
