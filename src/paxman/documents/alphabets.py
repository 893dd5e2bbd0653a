"""Which encoding a few letters beyond ASCII speak for: those of a language that is written with all of them."""

from __future__ import annotations

import re
from collections.abc import Mapping

_WESTERN = (
    "äöüß",
    "àâæçéèêëîïôœùûüÿ",
    "áéíñóúü",
    "àáâãçéêíóôõúü",
    "àèéìíîòóù",
    "áéèêëïíóöü",
    "æøåéö",
    "åäöéü",
    "àçéèíïóòúü",
)
_CENTRAL = ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîşţșț", "čćđšž", "äöüß", "çë")
_BALTIC = ("ąčęėįšųūž", "āčēģīķļņšūž", "äöõüšž")
_TURKISH = ("çğıiöşüâî\u0307",)
_LANGUAGES = {
    **dict.fromkeys(("cp1252", "iso8859-15", "cp850", "cp437", "mac-roman"), _WESTERN),
    **dict.fromkeys(("cp1250", "iso8859-2", "cp852"), _CENTRAL),
    **dict.fromkeys(("cp1254", "iso8859-9"), _TURKISH),
    "cp1257": _BALTIC,
}
# How often people still have files in it, beside the Windows table of their country.
_RARE = {"cp1257": 0.3, "cp850": 0.5, "cp437": 0.4, "cp852": 0.4, "cp866": 0.4, "iso8859-5": 0.3, "koi8-u": 0.5,
         "iso8859-15": 0.8, "iso8859-2": 0.8, "cp1258": 0.3, "cp874": 0.5, "mac-roman": 0.4}  # fmt: skip
_SIGNS = re.compile(r"[\xa0©®°±·²³«»€…‘’“”„•–—™¿¡№]|[£§½ªº](?![^\W\d_])")
# Where other tables have letters.
_TORN = re.compile(r"[^\W\d_][€©®±«»°¿¡][a-zà-ÿ]")
_WORD = re.compile(r"[^\W\d_]+")
_CLOSE = 0.5
"""What share of the best weight a rival has whose reading is as good a guess."""


def most_likely(sample: bytes, names: Mapping[str, float]) -> tuple[str, str | None]:
    """The best of these encodings, given how sure a detector is of each, and a rival that reads about as well."""
    weights = {name: (confidence + 0.001) * _weight(sample, name) for name, confidence in names.items()}
    ranked = sorted(weights, key=lambda name: -weights[name])
    text = sample.decode(ranked[0], "replace")
    others = (name for name in ranked[1:] if sample.decode(name, "replace") != text)
    rival = next(others, None)
    close = rival is not None and weights[rival] > _CLOSE * weights[ranked[0]]
    return ranked[0], rival if close else None


def _weight(sample: bytes, name: str) -> float:
    text = sample.decode(name, "ignore")
    weight = _RARE.get(name, 1.0)
    foreign = {char for char in _SIGNS.sub("", text).lower() if not char.isascii()}
    languages = _LANGUAGES.get(name)
    if languages and not any(foreign <= set(language) for language in languages):
        weight *= 0.1
    elif not all(map(str.isalpha, foreign)):
        weight *= 0.3
    odd = sum(1 for word in _WORD.findall(text) if not word.isascii() and not _is_cased(word))
    return weight * 0.1 if odd or _TORN.search(text) else weight


def _is_cased(word: str) -> bool:
    """Whether capitals stand where they may: first, or everywhere."""
    return word[1:] == word[1:].lower() or word == word.upper()
