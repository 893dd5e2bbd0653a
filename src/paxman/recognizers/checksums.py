"""Check digits of account numbers, VAT and tax ids, on compact upper-case text."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import lru_cache

from paxman.recognizers.tables import entries


@lru_cache(maxsize=1)
def _iban_lengths() -> dict[str, int]:
    return {country: int(length) for length, countries in entries("iban_lengths") for country in countries}


@lru_cache(maxsize=1)
def vat_formats() -> dict[str, re.Pattern[str]]:
    """What follows each country's letters."""
    return {country: re.compile(rf"(?:{words[0]})\Z", re.ASCII) for country, words in entries("vat_formats")}


def has_iban_shape(value: str) -> bool:
    return _iban_lengths().get(value[:2]) == len(value) and value[2:4].isdecimal()


def is_iban(value: str) -> bool:
    """The right length for its country, and 1 modulo 97 once the first four characters stand last."""
    return has_iban_shape(value) and _letters_as_numbers(value[4:] + value[:4]) % 97 == 1


def _letters_as_numbers(value: str) -> int:
    return int("".join(str(int(letter, 36)) for letter in value))


def vat_country(value: str) -> str | None:
    """The country whose VAT number this could be by its shape."""
    for country in (value[:3], value[:2]):
        pattern = vat_formats().get(country)
        if pattern and pattern.match(value, len(country)):
            return country
    return None


def is_vat_id(value: str) -> bool:
    """The shape of its country, and the right check digit where Paxman knows the rule."""
    country = vat_country(value)
    if country is None:
        return False
    rule, number = _RULES.get(country), value[len(country) :]
    return len(set(number)) > 1 and (rule is None or rule(number))


def _weighted(digits: str, weights: tuple[int, ...]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def luhn(digits: str) -> bool:
    """Every second digit from the right doubled, digits summed: a multiple of ten."""
    doubled = "".join(str(int(d) * (1 + i % 2)) for i, d in enumerate(reversed(digits)))
    return sum(map(int, doubled)) % 10 == 0


def _mod_11_10(digits: str) -> bool:
    """ISO 7064 MOD 11,10, as in Germany and Croatia."""
    check = 10
    for digit in digits[:-1]:
        check = ((check + int(digit)) % 10 or 10) * 2 % 11
    return (11 - check) % 10 == int(digits[-1])


def _austria(value: str) -> bool:
    digits = value[1:]
    doubled = "".join(str(int(d) * (1 + i % 2)) for i, d in enumerate(digits[:7]))
    return (10 - (sum(map(int, doubled)) + 4) % 10) % 10 == int(digits[7])


def _belgium(digits: str) -> bool:
    return 97 - int(digits[:8]) % 97 == int(digits[8:])


def _denmark(digits: str) -> bool:
    return _weighted(digits, (2, 7, 6, 5, 4, 3, 2, 1)) % 11 == 0


def _estonia(digits: str) -> bool:
    return _weighted(digits, (3, 7, 1, 3, 7, 1, 3, 7, 1)) % 10 == 0


def _greece(digits: str) -> bool:
    return _weighted(digits, (256, 128, 64, 32, 16, 8, 4, 2)) % 11 % 10 == int(digits[8])


def _finland(digits: str) -> bool:
    return _weighted(digits, (7, 9, 10, 5, 8, 4, 2, 1)) % 11 == 0


def _france(value: str) -> bool:
    """The two digits follow from the nine of the SIREN; letters among them have no simple rule."""
    return not value[:2].isdecimal() or (12 + 3 * (int(value[2:]) % 97)) % 97 == int(value[:2])


def _britain(value: str) -> bool:
    if not value.isdecimal():
        return True
    total = _weighted(value, (8, 7, 6, 5, 4, 3, 2, 10, 1))
    return total % 97 == 0 or (total + 55) % 97 == 0


def _hungary(digits: str) -> bool:
    return _weighted(digits, (9, 7, 3, 1, 9, 7, 3, 1)) % 10 == 0


def _luxembourg(digits: str) -> bool:
    return int(digits[:6]) % 89 == int(digits[6:])


def _netherlands(value: str) -> bool:
    if _weighted(value, (9, 8, 7, 6, 5, 4, 3, 2)) % 11 == int(value[8]):
        return True
    return _letters_as_numbers("NL" + value) % 97 == 1


def _norway(value: str) -> bool:
    return _weighted(value[:9], (3, 2, 7, 6, 5, 4, 3, 2, 1)) % 11 == 0


def _poland(digits: str) -> bool:
    return _weighted(digits, (6, 5, 7, 2, 3, 4, 5, 6, 7)) % 11 == int(digits[9])


def _portugal(digits: str) -> bool:
    check = 11 - _weighted(digits, (9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return (0 if check > 9 else check) == int(digits[8])


def _romania(digits: str) -> bool:
    padded = digits.zfill(10)
    return _weighted(padded, (7, 5, 3, 2, 1, 7, 5, 3, 2)) * 10 % 11 % 10 == int(padded[9])


def _slovenia(digits: str) -> bool:
    check = 11 - _weighted(digits, (8, 7, 6, 5, 4, 3, 2)) % 11
    return check != 11 and check % 10 == int(digits[7])


def _spain(value: str) -> bool:
    if value[:8].isdecimal():
        return "TRWAGMYFPDXBNJZSQVHLCKE"[int(value[:8]) % 23] == value[8]
    if value[0] in "XYZ":
        return "TRWAGMYFPDXBNJZSQVHLCKE"[int(str("XYZ".index(value[0])) + value[1:8]) % 23] == value[8]
    doubled = "".join(str(int(d) * (2 - i % 2)) for i, d in enumerate(value[1:8]))
    check = (10 - sum(map(int, doubled)) % 10) % 10
    return value[8] in (str(check), "JABCDEFGHI"[check])


def _ireland(value: str) -> bool:
    if not value[1].isdecimal():
        return True
    total = _weighted(value[:7], (8, 7, 6, 5, 4, 3, 2)) + (9 * (ord(value[8]) - 64) if len(value) == 9 else 0)
    return "WABCDEFGHIJKLMNOPQRSTUV"[total % 23] == value[7]


def _switzerland(digits: str) -> bool:
    return (11 - _weighted(digits, (5, 4, 3, 2, 7, 6, 5, 4)) % 11) % 11 == int(digits[8])


def _lithuania(digits: str) -> bool:
    places = range(len(digits) - 1)
    first, second = (_weighted(digits, tuple((place + by) % 9 + 1 for place in places)) % 11 for by in (0, 2))
    return (second % 10 if first == 10 else first) == int(digits[-1])


def _bulgaria(digits: str) -> bool:
    first, second = (_weighted(digits, tuple(range(start, start + 8))) % 11 for start in (1, 3))
    return len(digits) == 10 or (second % 10 if first == 10 else first) == int(digits[8])


def _cyprus(value: str) -> bool:
    total = sum(_ODD[int(digit)] for digit in value[:8:2]) + sum(map(int, value[1:8:2]))
    return chr(65 + total % 26) == value[8]


def _czechia(digits: str) -> bool:
    check = -_weighted(digits, (8, 7, 6, 5, 4, 3, 2)) % 11
    return len(digits) > 8 or (check or 1) % 10 == int(digits[7])


def _latvia(digits: str) -> bool:
    return digits[0] < "4" or _weighted(digits, (9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1)) % 11 == 3


def _malta(digits: str) -> bool:
    return (_weighted(digits, (3, 4, 6, 7, 8, 9)) + int(digits[6:])) % 37 == 0


_ODD = (*(1, 0, 5, 7, 9, 13, 15, 17, 19, 21) * 2, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
_RULES: dict[str, Callable[[str], bool]] = {
    "AT": _austria,
    "BE": _belgium,
    "BG": _bulgaria,
    "CHE": _switzerland,
    "CY": _cyprus,
    "CZ": _czechia,
    "DE": _mod_11_10,
    "DK": _denmark,
    "EE": _estonia,
    "EL": _greece,
    "ES": _spain,
    "FI": _finland,
    "FR": _france,
    "GB": _britain,
    "GR": _greece,
    "HR": _mod_11_10,
    "HU": _hungary,
    "IE": _ireland,
    "IT": luhn,
    "LT": _lithuania,
    "LU": _luxembourg,
    "LV": _latvia,
    "MT": _malta,
    "NL": _netherlands,
    "NO": _norway,
    "PL": _poland,
    "PT": _portugal,
    "RO": _romania,
    "SE": lambda digits: luhn(digits[:10]),
    "SI": _slovenia,
    "SK": lambda digits: int(digits) % 11 == 0,
    "XI": _britain,
}


def _australia(value: str) -> bool:
    digits = str(int(value[0]) - 1) + value[1:] if value[0] != "0" else value
    return _weighted(digits, (10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19)) % 89 == 0


def _brazil(digits: str) -> bool:
    """The two check digits of a CNPJ."""
    weights = (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)
    first = _weighted(digits[:12], weights[1:]) % 11
    second = _weighted(digits[:13], weights) % 11
    return digits[12:] == f"{0 if first < 2 else 11 - first}{0 if second < 2 else 11 - second}"


def _brazilian_person(digits: str) -> bool:
    """The two check digits of a CPF."""
    checks = (-_weighted(digits[:at], tuple(range(at + 1, 1, -1))) % 11 for at in (9, 10))
    return digits[9:] == "".join(str(check % 10) for check in checks)


def _new_zealand(digits: str) -> bool:
    eight = digits[:-1].zfill(8)
    first, second = (
        -_weighted(eight, weights) % 11 for weights in ((3, 2, 7, 6, 5, 4, 3, 2), (7, 4, 3, 2, 5, 2, 7, 6))
    )
    return 10_000_000 < int(digits) < 150_000_000 and (second if first == 10 else first) == int(digits[-1])


def _singapore(value: str) -> bool:
    """The last letter of a UEN; a company's begins with its year."""
    if len(value) == 9:
        return "XMKECAWLJDB"[_weighted(value[:8], (10, 4, 9, 3, 8, 2, 7, 1)) % 11] == value[8]
    return "ZKCMDNERGWH"[_weighted(value[:9], (10, 8, 6, 4, 9, 7, 5, 3, 1)) % 11] == value[9]


def _taiwan(digits: str) -> bool:
    products = "".join(str(int(d) * w) for d, w in zip(digits, (1, 2, 1, 2, 1, 2, 4, 1), strict=True))
    total = sum(map(int, products))
    return total % 5 == 0 or (digits[6] == "7" and total % 5 == 4)


def _india(value: str) -> bool:
    """The last character of a GSTIN, in base 36."""
    products = (int(letter, 36) * (1 + i % 2) for i, letter in enumerate(value[:14]))
    return (36 - sum(p // 36 + p % 36 for p in products) % 36) % 36 == int(value[14], 36)


def _argentina(digits: str) -> bool:
    check = 11 - _weighted(digits, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return {11: 0, 10: 9}.get(check, check) == int(digits[10])


def _chile(value: str) -> bool:
    total = _weighted(value[-2::-1], (2, 3, 4, 5, 6, 7, 2, 3))
    return "0K987654321"[total % 11] == value[-1]


def _china(value: str) -> bool:
    """The last character of a social credit code, in base 31."""
    letters = "0123456789ABCDEFGHJKLMNPQRTUWXY"
    total = sum(letters.index(letter) * pow(3, place, 31) for place, letter in enumerate(value[:17]))
    return letters[-total % 31] == value[17]


def _colombia(digits: str) -> bool:
    rest = _weighted(digits[8::-1], (3, 7, 13, 17, 19, 23, 29, 37, 41)) % 11
    return (rest if rest < 2 else 11 - rest) == int(digits[9])


def _italian_person(value: str) -> bool:
    """The last letter of a codice fiscale."""
    odd = sum(_ODD[int(letter, 36)] for letter in value[:15:2])
    even = sum(int(letter) if letter.isdecimal() else ord(letter) - 65 for letter in value[1:15:2])
    return chr(65 + (odd + even) % 26) == value[15]


def _japan(value: str) -> bool:
    return 9 - sum(int(d) * (1 + i % 2) for i, d in enumerate(reversed(value[2:]))) % 9 == int(value[1])


def _korea(digits: str) -> bool:
    total = _weighted(digits, (1, 3, 7, 1, 3, 7, 1, 3, 5)) + int(digits[8]) * 5 // 10
    return -total % 10 == int(digits[9])


def _mexico(value: str) -> bool:
    """The last character of an RFC; that of a company is one letter shorter than that of a person."""
    letters = "0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ"
    total = sum(letters.index(letter) * (13 - place) for place, letter in enumerate(value[:-1].rjust(12)))
    return "0123456789A"[-total % 11] == value[-1]


def _peru(digits: str) -> bool:
    return (11 - _weighted(digits, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11) % 10 == int(digits[10])


def _russia(digits: str) -> bool:
    weights = (3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8)
    last = range(9, 10) if len(digits) == 10 else range(10, 12)
    return all(_weighted(digits[:at], weights[11 - at :]) % 11 % 10 == int(digits[at]) for at in last)


def _turkey(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(digits[:9]):
        part = (int(digit) + 9 - place) % 10
        total += part and (part * 2 ** (9 - place) % 9 or 9)
    return -total % 10 == int(digits[9])


_TAX_RULES: dict[str, tuple[str, Callable[[str], bool]]] = {
    "argentina": (r"\d{11}", _argentina),
    "australia": (r"\d{11}", _australia),
    "brazil": (r"\d{14}", _brazil),
    "brazilian_person": (r"\d{11}", _brazilian_person),
    "britain": (r"\d{9}(\d{3})?", _britain),
    "canada": (r"\d{9}(?:R[CMPTZ]\d{4})?", lambda value: luhn(value[:9])),
    "chile": (r"\d{7,8}[\dK]", _chile),
    "china": (r"[0-9A-HJ-NPQRTUWXY]{2}\d{6}[0-9A-HJ-NPQRTUWXY]{10}", _china),
    "colombia": (r"\d{10}", _colombia),
    "croatia": (r"\d{11}", _mod_11_10),
    "denmark": (r"\d{8}", _denmark),
    "emirates": (r"100\d{12}", lambda value: True),
    "finland": (r"\d{8}", _finland),
    "france": (r"\d{9}|\d{14}", luhn),
    "germany": (r"\d{9}|\d{11}", _mod_11_10),
    "greece": (r"\d{9}", _greece),
    "hungary": (r"\d{8}[1-5]\d\d", lambda value: _hungary(value[:8])),
    "india": (r"\d{2}[A-Z]{5}\d{4}[A-Z][A-Z0-9]Z[A-Z0-9]", _india),
    "indonesia": (r"\d{15}", lambda value: luhn(value[:9])),
    "israel": (r"\d{9}", luhn),
    "italy": (r"\d{11}", luhn),
    "italian_person": (r"[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]", _italian_person),
    "japan": (r"T\d{13}", _japan),
    "korea": (r"\d{10}", _korea),
    "mexico": (r"[A-ZÑ&]{3,4}\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[A-Z0-9]{2}[0-9A]", _mexico),
    "new_zealand": (r"\d{8,9}", _new_zealand),
    "norway": (r"\d{9}(?:MVA)?", _norway),
    "peru": (r"[12]\d{10}", _peru),
    "poland": (r"\d{10}", _poland),
    "portugal": (r"\d{9}", _portugal),
    "romania": (r"\d{6,10}", _romania),
    "russia": (r"\d{10}|\d{12}", _russia),
    "saudi_arabia": (r"3\d{13}3", lambda value: True),
    "singapore": (r"(?:\d{8}|(?:19|20)\d{7})[A-Z]", _singapore),
    "spain": (r"[A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z]", _spain),
    "sweden": (r"\d{10}", luhn),
    "taiwan": (r"\d{8}", _taiwan),
    "turkey": (r"\d{10}", _turkey),
}
_USUAL = "australia brazil china croatia france germany india italian_person italy poland portugal spain".split()


_HOMES = (
    "AE emirates AR argentina AU australia BR brazil GB britain CL chile CN china CO colombia HR croatia DK denmark "
    "FI finland FR france DE germany GR greece HU hungary IN india ID indonesia IL israel IT italy JP japan KR korea "
    "MX mexico NO norway PE peru PL poland PT portugal RO romania RU russia SA saudi_arabia ES spain "
    "SE sweden TR turkey CA canada NZ new_zealand SG singapore TW taiwan"
).split()


def scheme_of(region: str | None) -> str | None:
    """Whose tax numbers a country has, by its two letters."""
    return dict(zip(_HOMES[::2], _HOMES[1::2], strict=True)).get(region or "")


def tax_schemes() -> Collection[str]:
    """The countries whose national tax numbers are known."""
    return _TAX_RULES.keys()


@lru_cache(maxsize=64)
def _shape(scheme: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{_TAX_RULES[scheme][0]})\Z", re.ASCII)


def has_tax_shape(value: str, schemes: Collection[str]) -> bool:
    """Whether one of the countries writes its tax numbers so."""
    return any(_shape(scheme).match(value) for scheme in schemes)


def is_tax_id(value: str, schemes: Collection[str] = ()) -> bool:
    """A national number without its country's letters whose check digit holds: ABN, CNPJ, GSTIN, NIF, NIP, SIREN.

    Without `schemes` it may be of any country whose numbers are often written so.
    """
    if len(set(value)) == 1:
        return False
    return any(_shape(scheme).match(value) and _TAX_RULES[scheme][1](value) for scheme in schemes or _USUAL)
