"""How a page writes its values, inferred from everything on it together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from paxman.lazy import lazy_pattern
from paxman.recognizers.base import Conventions, DateOrder, DecimalPoint
from paxman.recognizers.calendar.short_years import DateParts, year_first
from paxman.recognizers.figures.currency_signs import SYMBOLS, codes_of, is_weak, sign_before
from paxman.recognizers.figures.money import meant_codes
from paxman.recognizers.places import to_country
from paxman.recognizers.regions import currency_of, regions_of, usual_order, usual_point
from paxman.recognizers.tables import entries

SAMPLE = 20_000
"""Characters of a long page that are looked at: half from its head, half from its tail."""

_AMOUNT = lazy_pattern(r"\d(?<![\d.,]\d)(?:\d{0,2}(?:[.,'’\u00a0\u202f ]\d{3}){0,4}|\d{3,8})([.,])\d\d(?![\d.,]|\s?%)")
_DATE = lazy_pattern(r"(\d(?<![\d/.-]\d)\d{0,3}) ?([-/.]) ?(\d{1,2}) ?\2 ?(\d{4}|\d{2})(?!\d)")
_SYMBOL = lazy_pattern(f"[{SYMBOLS}]")
_CODE = lazy_pattern(r"[A-Z](?<![^\W\d_].)(?:[A-Z]{2}|(?<=R)[Mps]|(?<=K)[rč]|(?<=F)t|(?<=T)L)(?![^\W\d_])")
# Each begins with its letter and only then looks back, for a search leaps from one such letter to the next.
_SMALL_CODE = lazy_pattern("|".join(rf"{code[0]}(?<=[\d ].){code[1:]}\b" for code in ("kr", "zł", "lei", "руб", "грн")))
# A letter beside a point or bracket is part of what is short or left open: S.A., (s).
_WORD = lazy_pattern(r"[^\W\d_]{2,}|(?<![.(])[^\W\d_](?![.)])")
_FOREIGN = lazy_pattern("[\u0370-\uffff]")
_SCRIPTS = (
    ("ja", "\u3040", "\u30ff"),
    ("ko", "\uac00", "\ud7a3"),
    ("zh", "\u4e00", "\u9fff"),
    ("th", "\u0e00", "\u0e7f"),
    ("ar", "\u0600", "\u06ff"),
    ("he", "\u0590", "\u05ff"),
    ("el", "\u0370", "\u03ff"),
    ("ru", "\u0400", "\u04ff"),
)


def infer(text: str, locale: str | None = None) -> Conventions:
    """Locale first, unless the page is clearly not written in it; then what the page shows or its language does."""
    sample = text if len(text) <= SAMPLE else text[: SAMPLE // 2] + "\n" + text[-SAMPLE // 2 :]
    sample = sample.replace("．", ".")
    language, region = _split(locale) if locale else (language_of(sample), None)
    dollars = () if region or not ("$" in sample or _DOLLAR_WORD.search(sample)) else dollar_countries(sample)
    assumed = bool(dollars) and "US" not in dollars
    home, named = (dollars[0], False) if assumed and len(dollars) == 1 else (region, False)
    if not home:
        home, named = _home_of_sign(sample)
    currency = _shown_currency(sample, Conventions(language=language, region=home))
    currency = currency or currency_of(home if named else region)
    named = named and currency == currency_of(home)
    dates: list[DateParts] = _DATE.findall(sample)
    shown: Writing = _shown_point(sample), _shown_order(dates)
    may_be_american = not shown[1] and currency in (None, "USD") and not any(date[1] == "." for date in dates)
    place = region or (_american(sample, language, dollars) if may_be_american else None)
    usual: Writing = _usual_point(sample, language, region, home), usual_order(language, place)
    point, order = _preferred(usual, shown) if locale and not _contradicts(shown, usual) else _preferred(shown, usual)
    # A locale says where the year stands, unless it writes the month first and the date does not.
    leads = year_first(sample, dates) if not locale or usual[1] in (None, "mdy") else None
    return Conventions(
        point, order, currency, language, home, year_first=leads, dollar_assumed=assumed, sign_assumed=named
    )


Writing = tuple[DecimalPoint | None, DateOrder | None]


def _usual_point(text: str, language: str | None, region: str | None, home: str | None) -> DecimalPoint | None:
    """The point of the region or language; in Spanish that of the country, where the page is in dollars or pesos."""
    if language == "es" and not region and _DOLLARS.search(text):
        return usual_point(None, home)
    return usual_point(language, region)


def _american(text: str, language: str | None, dollars: tuple[str, ...]) -> str | None:
    """The United States, where an English page has an address there and no mark of another dollar."""
    if language not in (None, "en") or any(home != "US" for home in dollars):
        return None
    return "US" if any(_is_american(match) for match in _STATE_AND_ZIP.finditer(text)) else None


def _preferred(first: Writing, second: Writing) -> Writing:
    """Each part as the first has it, or else as the second."""
    return first[0] or second[0], first[1] or second[1]


def _contradicts(shown: Writing, usual: Writing) -> bool:
    """Whether a page writes both its numbers and its dates in another way, so that the locale is not the page's own."""
    return all(here and there and here != there for here, there in zip(shown, usual, strict=True))


def _split(locale: str) -> tuple[str | None, str | None]:
    parts = locale.replace("-", "_").split("_")
    region = next((part.upper() for part in parts[1:] if len(part) == 2), None)
    return parts[0].lower() or None, region


def _shown_point(text: str) -> DecimalPoint | None:
    votes = Counter(_AMOUNT.findall(text))
    if votes["."] > 3 * votes[","]:
        return "."
    return "," if votes[","] > 3 * votes["."] else None


def _shown_order(dates: list[DateParts]) -> DateOrder | None:
    """The order that every date with a part above 12 agrees on."""
    votes: Counter[DateOrder] = Counter()
    for first, _, second, last in dates:
        if len(first) == 4 or len(last) == 1:
            continue
        if int(first) > 12 >= int(second) > 0:
            votes["dmy"] += 1
        elif int(second) > 12 >= int(first) > 0:
            votes["mdy"] += 1
    if not votes:
        return None
    (winner, count), *others = sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))
    return winner if count > 3 * sum(other for _, other in others) else None


def _shown_currency(text: str, conventions: Conventions) -> str | None:
    """The currency that the page names most, by sign or code."""
    votes: Counter[str] = Counter()
    marks = Counter(_CODE.findall(text) + _SMALL_CODE.findall(text))
    for match in _SYMBOL.finditer(text):
        sign = sign_before(text, match.end())
        marks[text[sign.start : sign.end] if sign else match[0]] += 1
    named = [mark for mark in marks if len(mark) == 3 and codes_of(mark) == (mark,) and not is_weak(mark)]
    for written, count in marks.items():
        codes = () if is_weak(written) else codes_of(written)
        # A sign of several countries is that of the one whose code stands on the page.
        own = [code for code in codes if code in named] if len(codes) > 1 else []
        meant = (own[0],) if len(own) == 1 else meant_codes(codes, conventions)[0]
        if len(meant) == 1:
            votes[meant[0]] += count
    if not votes:
        return _worded_currency(text)
    (winner, count), *others = sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))
    return winner if not others or count > 2 * others[0][1] else None


def _worded_currency(text: str) -> str | None:
    """The only currency that words at amounts of a page, or after "in", name."""
    codes, worded = _plain_words()
    lowered = text.lower()
    if not any(word in lowered for word in codes):
        return None
    named = {codes[match[match.lastindex or 0].lower()] for match in worded.finditer(text)}
    return named.pop() if len(named) == 1 else None


@lru_cache(maxsize=1)
def _plain_words() -> tuple[dict[str, str], re.Pattern[str]]:
    """Words that mean one currency, with the pattern of their places."""
    codes = {word.replace("_", " "): code for code, words in entries("plain_currency_words") for word in words}
    words = rf"({'|'.join(map(re.escape, codes))})(?![\w-])"
    figure = r"[ \u00a0:]{0,2}(?=\d[\d.,'’ \u00a0]{0,14}[.,]\d\d\b)"
    return codes, re.compile(rf"[.,]\d\d[ \u00a0]?{words}|\b(?:in|en|em|w) {words}|\b{words}{figure}", re.IGNORECASE)


_CROWN = lazy_pattern(r"(?<![^\W\d_])(?:[kK]r|KR|(?<=\d[ \u00a0])(?:[kK]roner?|[kK]rona))(?![^\W\d_])")
_DOLLAR_WORD = lazy_pattern(r"[dD](?:ollar[si]?|[óo]lares)\b|DOLLARS?\b")
_LEU = lazy_pattern(r"(?<=\d )lei\b")


@lru_cache(maxsize=16)
def _homes(sign: str) -> dict[str, str]:
    """What speaks for each country that writes a sign."""
    rows = ((*head.split("/"), "|".join(words).replace("_", " ")) for head, words in entries("sign_homes"))
    return {region: marks for name, region, marks in rows if name == sign}


_CAPITALS = frozenset(("københavn", "copenhagen", "oslo", "stockholm", "reykjavík"))
_RUPEE_OR_RAND = lazy_pattern(r"\b(?:(Rs\b)|R ?\d[\d ,.\u00a0]{0,14}[.,]\d\d\b)")


def _home_of_sign(text: str) -> tuple[str | None, bool]:
    """The country of a page with a sign that several countries share, and whether only its name speaks for it."""
    if "¥" in text or "￥" in text:
        return _prevailing(text, _homes("yen"), 1), False
    if ("kr" in text or "Kr" in text or "KR" in text) and _CROWN.search(text):
        home = _prevailing(text, _homes("crown"), 2)
        return (home, False) if home else _named_home(text, _homes("crown_country"), _homes("crown"))
    if "元" in text:
        return _prevailing(text, _homes("yen") | _homes("yuan"), 2), False
    if "руб" in text:
        return _prevailing(text, _homes("rouble"), 1), False
    if "lei" in text and _LEU.search(text):
        return _prevailing(text, _homes("leu"), 1), False
    if "R" in text and (sign := _RUPEE_OR_RAND.search(text)):
        return _named_home(text, _homes("rupee" if sign[1] else "rand"))
    word = _shared_word(text)
    home, named = _named_home(text, _homes_of_word(word)) if word else (None, False)
    return (None, False) if home == _STERLING else (home, named)


_STERLING = "GB"
_WEIGHT = "pound"
_SHARED_STEMS = (_WEIGHT, "pesos", "dinar", "franc", "rupee", "roupie", "rupia", "dirham", "riyal", " rial", "shilling")
_SHARED_WORD = lazy_pattern(
    r"(?:pounds?|pesos|dinar(?:s|es?)?|francs?|r(?:upee|oupie|upia)s?|dirhams?|riy?als?|shillings?)\b(?=(:? \d)?)"
)
_COUNTED = lazy_pattern(r"(?:\d|\b(?:in|en|de))[ \u00a0]\Z")


def _shared_word(text: str) -> str:
    """The first word beside a figure that several countries call their money by."""
    lowered = text.lower()
    # Beside signs of money pounds may be a weight.
    weighs = _WEIGHT in lowered and _SYMBOL.search(text) is not None
    found = _SHARED_WORD.finditer(lowered) if any(stem in lowered for stem in _SHARED_STEMS) else ()
    for word in found:
        if weighs and word[0].startswith(_WEIGHT):
            continue
        before = lowered[max(0, word.start() - 4) : word.start()]
        if _COUNTED.search(before) or (word[1] and not before[-1:].isalpha()):
            return word[0]
    return ""


@lru_cache(maxsize=32)
def _homes_of_word(word: str) -> dict[str, str]:
    """The places of every country that calls its money by this word."""
    regions = {region for code in codes_of(word) for region in regions_of(code)}
    rows = ((region, "|".join(places).replace("_", " ")) for region, places in entries("home_places"))
    return {region: rf"\b(?:{places})\b" for region, places in rows if region in regions}


def _prevailing(text: str, homes: dict[str, str], fewest: int) -> str | None:
    """The country with most of its marks on a page, if they are enough."""
    marks = _marks_of(text, homes)
    (winner, most), (_, second), *_ = sorted(marks.items(), key=lambda home: (-len(home[1]), home[0]))
    return winner if len(most) >= fewest and len(most) > len(second) else None


def _named_home(text: str, countries: dict[str, str], homes: dict[str, str] | None = None) -> tuple[str | None, bool]:
    """The only country, or the first of one currency, that a page names, unless marks of another one are as many."""
    plain, marks = _marks_of(text, countries), _marks_of(text, homes or {})
    named = [home for home, found in plain.items() if found]
    counts = {home: len(found - _CAPITALS | marks.get(home, set())) or len(found) for home, found in plain.items()}
    others = max((count for home, count in counts.items() if home not in named), default=0)
    one = len({currency_of(home) for home in named}) == 1
    return (named[0], True) if one and counts[named[0]] > others else (None, False)


def _marks_of(text: str, homes: dict[str, str]) -> dict[str, set[str]]:
    return {home: {mark.lower() for mark in re.findall(words, text, re.IGNORECASE)} for home, words in homes.items()}


_STATED_DOLLAR = lazy_pattern(r"[A-Z]\$|\$ ?[A-Z]{2,3}\b|\b(?:USD|AUD|CAD|NZD|SGD|HKD|MXN|ARS|COP|CLP|UYU)\b")
_BESIDE_FIGURE = r"(?=\W{0,4}(?:\d|N[o°º]|no\b|n[°º]|[Rr]eg|incl))"


@lru_cache(maxsize=2)
def _marks_by_home(sign: str) -> re.Pattern[str]:
    """The marks of a dollar's countries, each in a group of its name: taxes and codes, or a country at the end."""
    marks = (f"(?P<{home}>{found.replace('{figure}', _BESIDE_FIGURE)})" for home, found in _homes(sign).items())
    if sign == "dollar":
        return re.compile(rf"\b(?:{'|'.join(marks)})")
    before = r"(?:^[ \t]{0,40}|(?<=,)|(?<=[,)] )|(?<=\d{3} )|(?<=[A-Z]\d ))"
    return re.compile(rf"{before}(?:{'|'.join(marks)})[ \t\r.]{{0,40}}$", re.MULTILINE)


_STATE_AND_ZIP = lazy_pattern(r"\b([A-Z][A-Za-z]{2,12} )?([A-Z][A-Za-z.]{1,12})(?:,? )\d{5}\b")
_TO_BUYER = lazy_pattern(r"\b(?:ship(?:ped)?|bill(?:ed)?|sold|deliver(?:y|ed)?|customer)\b", re.IGNORECASE)


_TAXES = frozenset(("ABN", "HST", "TPS", "TVQ", "QST", "GST", "CUIT", "RUT", "NIT", "RFC"))


def dollar_countries(text: str) -> tuple[str, ...]:
    """The countries that a bare "$" may be of, as marks on a page tell; none where the page says which.

    Beside an address in the US others count only by a tax: that is where the seller is.
    """
    marks: dict[str, set[str]] = {}
    for match in (each for sign in ("dollar", "dollar_country") for each in _marks_by_home(sign).finditer(text)):
        if match[0] in _TAXES or not _is_of_buyer(text, match.start()):
            marks.setdefault(match.lastgroup or "", set()).add(match[0].strip(" \t\r."))
    if marks and any(american_places(text)):
        marks.setdefault("US", set()).add("ZIP")
    marks = marks if marks and not _STATED_DOLLAR.search(text) else {}
    taxes = marks.pop("other", set())
    others = {home: found for home, found in marks.items() if home != "US"}
    if len(others) == 1:
        next(iter(others.values())).update(taxes)
    if "US" in marks:
        others = {home: found for home, found in others.items() if not found.isdisjoint(_TAXES)} or {"US": marks["US"]}
    most = max(map(len, others.values()), default=0)
    return tuple(home for home, found in others.items() if len(found) == most) or ("",) * bool(taxes)


_OTHER_COUNTRY = lazy_pattern(r"\b(?:Canada|Qu[ée]bec|Australia|New Zealand|Singapore|Hong Kong|(?<!New )M[ée]xico)\b")


def names_other_dollar(text: str) -> bool:
    """Whether a page names a country with a dollar of its own, and nothing says that it reckons in that of the US."""
    if _OTHER_COUNTRY.search(text) is None or _STATED_DOLLAR.search(text):
        return False
    return not any(american_places(text))


def american_places(text: str) -> Iterator[tuple[int, int]]:
    """Where a state of the US stands with its ZIP code."""
    return (match.span() for match in _STATE_AND_ZIP.finditer(text) if _is_american(match))


def to_local_currency(place: str, argument: str = "") -> str:
    """The currency that a country pays in, or the place of a state with its ZIP code."""
    found = currency_of("US" if any(american_places(place)) else to_country(place))
    if found is None:
        raise ValueError(f"no currency is known of {place!r}")
    return found


def _is_of_buyer(text: str, start: int) -> bool:
    """Whether a place stands in the block of lines that says where to ship or whom to bill."""
    return _TO_BUYER.search(text[max(0, start - 160) : start].rpartition("\n\n")[2]) is not None


def _is_american(match: re.Match[str]) -> bool:
    return match[2].replace(".", "") in _american_states() or f"{match[1]}{match[2]}" in _american_states()


@lru_cache(maxsize=1)
def _american_states() -> frozenset[str]:
    rows = (row for region, row in entries("states") if region == "US")
    return frozenset(name for row in rows for state in row for name in state.replace("_", " ").split("="))


def language_of(text: str) -> str | None:
    """The language whose common words a page uses, or whose script it is written in."""
    letters = "" if text.isascii() else "".join(_FOREIGN.findall(text[:4000]))
    if len(letters) * 5 > min(len(text), 4000):
        return next((name for name, low, high in _SCRIPTS if any(low <= letter <= high for letter in letters)), None)
    return _spoken(text)


_WHOLE = 60
_FEWEST_KINDS = 2
_OFTEN = 3
_DOLLARS = lazy_pattern(r"\$ ?\d")


def _spoken(text: str) -> str | None:
    """The language that several words of a page tell; a word of more than one tells less of each."""
    known = _known()
    counts = Counter(_WORD.findall(text.lower()))
    told = [(known[word], min(count, _OFTEN)) for word, count in counts.items() if word in known]
    votes = {"": 0, "en": 0, "en_too": 0}
    for languages, count in told:
        for language in languages:
            votes[language] = votes.get(language, 0) + _WHOLE // len(languages) * count
    votes["en"] += votes.pop("en_too")
    (winner, most), (_, second), *_ = sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))
    kinds = sum(_WHOLE // len(languages) for languages, _ in told if winner in languages)
    if kinds < _FEWEST_KINDS * _WHOLE or most <= second:
        return None
    ahead = (most - votes["en"]) / _WHOLE
    return winner if winner == "en" or ahead > _MOST_MARKS or ahead > _american_marks(text) else None


_MOST_MARKS = 4


def _american_marks(text: str) -> int:
    """How many words the writing of a page weighs that speaks for the United States."""
    zipped = any(_is_american(match) for match in _STATE_AND_ZIP.finditer(text))
    return bool(_DOLLARS.search(text)) + (_shown_point(text) == ".") + 2 * zipped


@lru_cache(maxsize=1)
def _known() -> dict[str, tuple[str, ...]]:
    vocabulary: dict[str, tuple[str, ...]] = {}
    for language, words in entries("common_words"):
        for word in words:
            vocabulary[word] = (*vocabulary.get(word, ()), language)
    return vocabulary
