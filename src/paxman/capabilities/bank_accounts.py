"""Accounts at a bank, which are told from those that a seller keeps for its customers."""

from __future__ import annotations

import re

from paxman.capabilities.base import Basis
from paxman.capabilities.label_layout import Reader
from paxman.capabilities.label_scan import Hit
from paxman.contract.labels import fold_label
from paxman.contract.model import CanonicalField
from paxman.lazy import lazy_pattern

_ACCOUNT = re.compile(r"\b(?:accounts?|acct|a c|konto\w*|compte|cuenta|conto|conta|rekening\w*|rachunku|konta|akaun)\b")
_CUSTOMER = re.compile(r"\b(?:custom|client|member|kunde|klant|kund)")
_BANK = lazy_pattern(
    r"\b(?:sort[ -]?code|bsb|iban|bic|swift|ifsc|routing|aba|blz|bankleitzahl|bankverbindung|bacs"
    r"|bank(?:ing)? (?:details|name|account|transfer|code)|bank(?=\s*:)|bankgegevens|coordonnées bancaires"
    r"|datos bancarios|coordinate bancarie|dados bancários|dane do przelewu|clabe|transit no)\b",
    re.IGNORECASE,
)
# An account at a bank has six figures or more, and no letters.
_NO_BANK = re.compile(r"[ \t.:#]{0,40}(?=[A-Z]|(?:\d[ /-]?){1,5}(?:[^\W\d_]|[ \t]*(?:\n|\Z)))", re.IGNORECASE)
_NEAR = 2
"""Lines of a block above and below an account in which words for a bank tell of it."""


def basis_of_account(reader: Reader, hit: Hit, rank: int) -> Basis | None:
    """What the number at a label of customers rests on, where an account is asked for or named; None of a bank's.

    A customer's number stands in for an account's only where there is no bank.
    """
    named, asked = _names_account(reader.text[hit.start : hit.end]), _asks_account(reader.context.field)
    if named:
        return None if not asked and _is_of_bank(reader, hit) else "name"
    if rank == 0 or not asked:
        return "name"
    fields = (field for field in reader.context.contract.leaves if field is not reader.context.field)
    known = any(_BANK.search(field.words) for field in fields) or _BANK.search(reader.text)
    return None if known else "stand_in"


def _asks_account(field: CanonicalField) -> bool:
    """Whether a field asks for an account, and not for that of a customer."""
    labels = (field.words, *field.labels)
    return any(map(_names_account, labels)) and not any(map(_CUSTOMER.search, map(fold_label, labels)))


def _names_account(label: str) -> bool:
    return _ACCOUNT.search(fold_label(label)) is not None


def _is_of_bank(reader: Reader, hit: Hit) -> bool:
    """Whether words for a bank stand in the lines around a label, and its number may be one of a bank."""
    if _NO_BANK.match(reader.text, hit.end):
        return False
    first = last = hit.line
    while first > max(0, hit.line - _NEAR) and reader.page.line(first - 1).chunks:
        first -= 1
    while last < min(len(reader.page) - 1, hit.line + _NEAR) and reader.page.line(last + 1).chunks:
        last += 1
    return _BANK.search(reader.text, reader.page.line(first).start, reader.page.line(last).end) is not None
