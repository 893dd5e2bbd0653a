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
_TORN = re.compile(r"[^\W\d_][€©®±«»°¿¡“”„•™][a-zà-ÿ]")
_WORD = re.compile(r"[^\W\d_]+")
_CLOSE, _CLOSE_IN_FEW = 0.5, 0.2
"""What share of the best weight a rival has whose reading is as good a guess; the second where few letters speak."""
_FEW_LETTERS = 2
_LETTERS_FOR_SIGNS = ("cp850", "mac-roman", "cp852")
"""Tables with letters where that of Windows has the signs of typesetters."""
# Signs where only they can stand: in pairs around words, and in English words.
_SURE_SIGNS = re.compile(r"“[^“”]{1,500}”|‘[^‘’]{1,500}’|„[^„“”]{1,500}[“”]|[A-Za-z]’(?:s|t|re|ll|ve|d|m)\b|s’ ")
# Signs that split a word in two, touch one where they should not, or are all there is.
_ODD_SIGNS = re.compile(
    r"[^\W\d_][”“„–—•™…\xa0‡†‰ˆ‹›‘][a-z]|[^\W\d_][”„“•‡†‰ˆ‹…–—©](?![^\W_])|(?<![^\W_])(?:[…•ˆ‰] [a-z]|[™…ˆ‰‡†][a-z])"
    r"|\A\s{0,9}[^\w\s]\s{0,9}\Z"
)


def most_likely(sample: bytes, names: Mapping[str, float]) -> tuple[str, str | None]:
    """The best of these encodings, given how sure a detector is of each, and a rival that reads about as well."""
    weights = {name: (confidence + 0.001) * _weight(sample, name) for name, confidence in names.items()}
    ranked = sorted(weights, key=lambda name: -weights[name])
    text = sample.decode(ranked[0], "replace")
    others = (name for name in ranked[1:] if sample.decode(name, "replace") != text)
    rival = next(others, None)
    share = _CLOSE if len(_foreign(text)) > _FEW_LETTERS else _CLOSE_IN_FEW * (ranked[0] in _LANGUAGES)
    close = rival is not None and weights[rival] > share * weights[ranked[0]]
    return ranked[0], rival if close else None


def letters_for_signs(sample: bytes) -> str | None:
    """An encoding that reads letters where Windows has signs, if these stand as letters would."""
    text = sample.decode("cp1252", "replace")
    if _SURE_SIGNS.search(text) or not _ODD_SIGNS.search(text):
        return None
    return next((name for name in _LETTERS_FOR_SIGNS if _weight(sample, name) >= _RARE[name]), None)


def _foreign(text: str) -> set[str]:
    return {char for char in _SIGNS.sub("", text).lower() if not char.isascii()}


def _weight(sample: bytes, name: str) -> float:
    text = sample.decode(name, "ignore")
    weight = _RARE.get(name, 1.0)
    foreign = _foreign(text)
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
