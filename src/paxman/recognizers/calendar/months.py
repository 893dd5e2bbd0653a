"""Names of the months in many languages, with the forms that dates use."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from paxman.recognizers.tables import entries

_DOTLESS = str.maketrans({"ı": "i", ".": None, " ": None})


def _key(word: str) -> str:
    """Lower case without accents and dots; vowel signs of other scripts stay."""
    if word.isascii():
        return word.lower().replace(".", "")
    letters = unicodedata.normalize("NFKD", word.casefold()).translate(_DOTLESS).removeprefix("เดือน")
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


@lru_cache(maxsize=1)
def _table() -> dict[str, int]:
    names = [
        (_key(form), month)
        for table in ("cldr_months", "months")
        for _, words in entries(table)
        for month, forms in enumerate(words, 1)
        for form in forms.split("/")
        if form != "-"
    ]
    # Whole names before abbreviations; where languages disagree, the one that stands first decides.
    table = dict(reversed(names))
    for name, month in names:
        for length in range(3, len(name)):
            table.setdefault(name[:length], month)
    del table["jui"]  # June or July in French
    return table


@lru_cache(maxsize=4096)
def month_of(word: str) -> int | None:
    """The month that a word names, from 1 to 12; abbreviations count."""
    return _table().get(_key(word))
