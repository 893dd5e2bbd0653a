"""Patterns made of tables of words."""

from __future__ import annotations

import re

import pytest

from paxman.recognizers.tables import _fragments, any_of, pattern

_PLAIN = " ".join(word for words in _fragments().values() for word in words if word.isalpha())
_TEXTS = (_PLAIN, _PLAIN.upper(), _PLAIN.title(), "TAX INVOICE Nr. 12, 5 Main ſtreet; KİND REGARDS | facture nº 3")


@pytest.mark.parametrize("head", sorted(_fragments()))
def test_words_are_found_as_in_a_plain_list(head: str) -> None:
    plain = re.compile(any_of(head), re.IGNORECASE)
    found = [[match.span() for match in pattern(f"{{{head}}}").finditer(text)] for text in _TEXTS]
    assert found == [[match.span() for match in plain.finditer(text)] for text in _TEXTS]
