"""What the labels of amounts mean: their role in a sum, by the terms of trades that reckon in sums."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from paxman.classes import record
from paxman.currencies import MINOR_UNITS
from paxman.finding.hedges import hedge_behind, trailing_hedge
from paxman.finding.wanted import Wanted
from paxman.lazy import lazy_pattern
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Lexicon, Words
from paxman.recognizers.figures.currency_signs import codes_of

TAXED = frozenset({"total", "subtotal", "due"})
"""Roles of sums that may be with tax or without."""
_ASIDE = lazy_pattern(r"[(\[][^()\[\]]*[)\]]?")
_SMALL = 2
_LONGEST = 200
"""What is longer is no label."""
_COUNTS = frozenset({"quantity", "unit_price"})
_MISREAD = lazy_pattern(r"(?<=[A-Za-z])[01](?=[A-Za-z])|(?<=[A-Za-z]{2})[01]\b")
_LETTERS = str.maketrans("01", "oI")
_SIGN = lazy_pattern(r"(?:(?<=[\s:(])([^\s\d:()]{1,4})|(?<=\w)([^\w\s.,:;()%/*#-]))[ \t]*\Z")
_RATE = lazy_pattern(r"@?\s?\d[\d.,]{0,12}\s?%|%|@")


@record
class Said:
    """What the words with an amount say: their role in a sum, and whether they say no more than that."""

    role: str
    sure: bool
    words: str
    """The words that say it, without currencies, rates and remarks on tax."""
    term: str = ""
    """The term of the trade that they are a wording of."""


class SumWords:
    """What labels of amounts mean, by the terms of trades that reckon in sums."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon, self._stops, sums = lexicon, lexicon.stops, lexicon.sums
        roles: Mapping[str, Iterable[str]] = sums.get("roles", {})
        self._roles = {term: role for role, terms in roles.items() for term in terms}
        self._sides = {
            "".join(fold_words(text)): side
            for side in ("maybe", "without", "within")
            for texts in sums.get(side, {}).values()
            for text in texts
        }
        self.held = tuple(" ".join(fold_words(text)) for text in sums.get("held", ()))
        self._known: dict[str, Said] = {}
        self._by_words: Mapping[str, str] = sums.get("by_words", {})
        self._on = {word for texts in sums.get("on", {}).values() for text in texts for word in fold_words(text)}
        self._generic = frozenset(sums.get("generic", ()))

    def is_of_items(self, head: str) -> bool:
        """Whether a head of a column is one of things that are counted."""
        return any(key.rpartition("/")[2] in _COUNTS for key in self._lexicon.by_head.get(fold_words(head), ()))

    def end_of_label(self, text: str) -> int:
        """Where a label ends, without a hedge or a currency behind it: "Total from", "Total $"."""
        sign = _SIGN.search(text)
        if sign and sign.start() and codes_of(sign[1] or sign[2]):
            text = text[: sign.start()]
        end = trailing_hedge(text, self._lexicon)
        kept, whole = (self.of(" ".join(part.split())) for part in (text[:end], text))
        return len(text) if whole.sure and not kept.sure else end

    def hedge_behind(self, text: str, end: int) -> str:
        """The hedge behind an amount that ends there: "40 or more"."""
        return hedge_behind(text, end, self._lexicon)

    def meaning_of(self, wanted: Wanted) -> tuple[str, str]:
        """The role and the term of a field, by its term or by its own words; any term where all of a role are meant."""
        term = wanted.term.name if wanted.term else ""
        if term not in self._roles:
            said = self.of(wanted.field.words)
            is_money = wanted.term is None or wanted.term.kind == "money"
            term = said.term if said.sure and is_money else ""
        return self._roles.get(term, ""), "" if term in self._generic else term

    def of(self, text: str) -> Said:
        """What a label says of the amount with it."""
        if text not in self._known:
            self._known[text] = self._say(text) if len(text) <= _LONGEST else Said("", False, "")
        return self._known[text]

    def _say(self, text: str) -> Said:
        plain = " ".join(_RATE.sub(" ", text).split()).strip(" :.-=*_")
        for variant in dict.fromkeys((plain, _ASIDE.sub(" ", plain))):
            if self._is_base(fold_words(variant)):
                return Said("", False, plain)
            words = self._telling(fold_words(_MISREAD.sub(lambda found: found[0].translate(_LETTERS), variant)))
            if role := self._role(words):
                return Said(role, True, " ".join(words), self._term(words))
            side, rest = self._without_tax(words)
            if side and not rest:
                return Said("tax", True, " ".join(words), self._term(words[-1:]))
            role = self._role(rest) if side else ""
            if role in TAXED:
                role, term = ("net", "net_amount") if side == "without" else (role, self._term(rest))
                return Said(role, side != "maybe", " ".join(words), term)
        return self._part(rest) or Said("", False, plain)

    def _is_base(self, words: Words) -> bool:
        """Whether words end in saying that a tax is reckoned on what follows: "7 % VAT on"."""
        return words[-1:] != () and words[-1] in self._on and self._role(words[-2:-1]) == "tax"

    def _telling(self, words: Words) -> Words:
        """Words less figures, currencies, and small ones at the end."""
        kept = [
            word
            for word in words
            if not (word.isdigit() or word == "#" or bool(codes_of(word) or codes_of(word.upper())))
        ]
        while kept and kept[-1] in self._stops and len(kept[-1]) <= _SMALL:
            kept.pop()
        return tuple(kept)

    def _role(self, words: Words) -> str:
        return self._roles.get(self._term(words), "")

    def _term(self, words: Words) -> str:
        """The term that words name, however they are parted, with a currency behind them or without."""
        squeezed = "".join(words)
        found = self._by_words.get(squeezed)
        if found is None and squeezed[-3:].upper() in MINOR_UNITS:
            found = self._by_words.get(squeezed[:-3])
        return found or ""

    def _without_tax(self, words: Words) -> tuple[str, Words]:
        """Words less what they say behind them of a tax that is in the amount, or not: "incl. VAT", "before tax"."""
        for at, word in enumerate(words):
            rest = tuple(w for w in words[at + 1 :] if w not in self._stops) if word in self._sides else ()
            taxed = self._role(rest) == "tax" or all(self._role((w,)) == "tax" for w in rest)
            if word in self._sides and taxed and (at or rest):
                return self._sides[word], self._untaxed(words[:at])
        return "", words

    def _untaxed(self, words: Words) -> Words:
        """Words less a tax at their end: "total GST" before "included"."""
        return words[:-1] if len(words) > 1 and self._role(words[-1:]) == "tax" else words

    def _part(self, words: Words) -> Said | None:
        """The longest words at the end or the beginning that say something; the others make them less sure."""
        roles = {self._role((word,)) for word in words}
        if len(roles) == 1 and "" not in roles:
            return Said(roles.pop(), True, " ".join(words), self._term(words[:1]))  # "EFT / debit".
        for length in range(len(words) - 1, 0, -1):
            for part in (words[-length:], words[:length]):
                if role := self._role(part):
                    return Said(role, False, " ".join(part), self._term(part))
        return None
