"""Which of several contracts a page fits: by its title, the names on it, and the fields that it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.results import FieldResult
from paxman.classes import frozen
from paxman.contract.labels import to_words
from paxman.contract.model import CanonicalContract
from paxman.documents.document import Document
from paxman.finding.claims import Claim, Claims
from paxman.finding.wanted import wanted_of
from paxman.lexicon.lexicon import Token, load
from paxman.page.names import page_of
from paxman.types import Diagnostic, Origin, Severity, Status

_TITLE_LINES, _TITLE_WORDS = 12, 8
_SURE = 0.8
"""The confidence from which a value counts in full; one below counts a quarter."""
_NAMED = 0.75
"""How well a name of the page must fit a field to count for it, from 0 to 1."""
_TOP = 6000
"""Characters from the top among which a page says what it is; a long text has names of everything."""
_TITLE = 0.25
"""What a title counts beside names and values, which together are from 0 to 1."""
_ENOUGH, _ENOUGH_NAMES = 0.5, 0.4
"""The share of the required fields that a page must answer, or of all that it must name, to fit without a title."""
_CLOSE = 0.05


@frozen
class Fit:
    """How well a page fits a contract."""

    contract: CanonicalContract
    artifact: ExecutionArtifact
    title: str
    named: Mapping[str, float]
    """How well the page names each field that it does; a name is shared with other contracts that have it too."""
    score: float = 0.0

    @property
    def required(self) -> float:
        """The share of the required fields that is answered."""
        needed = [_weight(result) for result in self.artifact.field_results if result.required]
        return sum(needed) / len(needed) if needed else 1.0

    @property
    def found(self) -> float:
        """How much was found, in fields."""
        return sum(map(_weight, self.artifact.field_results))

    @property
    def is_enough(self) -> bool:
        """Whether the page is of this kind at all: by its title, or by what it answers, or by what it names."""
        size = len(self.artifact.field_results) or 1
        has_needed = any(result.required for result in self.artifact.field_results)
        answered = self.required if has_needed else self.found / size
        return bool(self.title) or answered >= _ENOUGH or len(self.named) / size >= _ENOUGH_NAMES

    def to_dict(self) -> dict[str, Any]:
        results = self.artifact.field_results
        needed = [result for result in results if result.required]
        return {
            "contract": self.contract.id,
            "contract_hash": self.contract.content_hash,
            "score": f"{self.score:.3f}",
            "required": f"{sum(map(_is_answered, needed))} of {len(needed)}",
            "fields": f"{sum(map(_is_answered, results))} of {len(results)}",
            "named": f"{len(self.named)} of {len(results)}",
            "title": self.title,
        }

    @property
    def said(self) -> str:
        facts = self.to_dict()
        title = f', title "{self.title}"' if self.title else ""
        answered = f"{facts['required']} required fields and {facts['fields']} in all are answered"
        return f"{self.contract.id} ({answered}, {facts['named']} are named on the page{title})"


def rank(document: Document, made: Sequence[tuple[CanonicalContract, ExecutionArtifact]]) -> list[Fit]:
    """The contracts, the one that fits best first; of equal ones the first that was given."""
    named = _names(document, [contract for contract, _ in made])
    titled = [_title(document, contract) for contract, _ in made]
    fits = [Fit(*pair, title, names) for pair, title, names in zip(made, titled, named, strict=True)]
    most_found, most_named = (max(map(total, fits)) or 1.0 for total in (lambda fit: fit.found, _total_named))
    scored = [
        attrs.evolve(fit, score=_score(fit, fit.found / most_found, _total_named(fit) / most_named)) for fit in fits
    ]
    return sorted(scored, key=lambda fit: (-fit.score, -fit.required, -fit.found))


def _score(fit: Fit, found: float, named: float) -> float:
    """Half for values, half for names, each the mean of the contract's share on the page and the page's in it."""
    size = len(fit.artifact.field_results) or 1
    values = _mean(fit.found / size, found)
    names = _mean(len(fit.named) / size, named)
    return round((values + names) / 2 + (_TITLE if fit.title else 0.0), 6)


def _mean(one: float, other: float) -> float:
    """The harmonic mean, which is low as soon as one side is."""
    return 2 * one * other / (one + other) if one and other else 0.0


def _total_named(fit: Fit) -> float:
    return sum(fit.named.values())


def _is_answered(result: FieldResult) -> bool:
    return result.status == "RESOLVED" and result.origin is not Origin.DEFAULT


def _weight(result: FieldResult) -> float:
    return 0.0 if not _is_answered(result) else 1.0 if result.confidence >= _SURE else 0.25


def _names(document: Document, contracts: Sequence[CanonicalContract]) -> list[dict[str, float]]:
    """The fields of each contract that the page names; a name that speaks for several contracts is shared."""
    lexicon = load()
    judges = [Claims(wanted_of(contract, lexicon), lexicon) for contract in contracts]
    found: list[dict[str, float]] = [{} for _ in contracts]
    names = [each for each in page_of(document).names if each.span[0] < _TOP]
    for name in {(each.text, each.section): None for each in names}:
        claims = [_best(judge.of(*name)) for judge in judges]
        speaking = sum(claim is not None for claim in claims)
        for fields, claim in zip(found, claims, strict=True):
            if claim is not None:
                path, fit = claim
                fields[path] = max(fields.get(path, 0.0), fit / speaking)
    return found


def _best(claims: Mapping[int, Claim]) -> tuple[str, float] | None:
    number, claim = max(claims.items(), key=lambda each: (each[1].fit, -each[0]), default=(0, None))
    return (str(number), claim.fit) if claim is not None and claim.fit >= _NAMED else None


def _title(document: Document, contract: CanonicalContract) -> str:
    """The line on top of the page that has all words of the contract's name, or of another title of such papers."""
    lexicon, name = load(), to_words(contract.id)
    said = (lexicon.parse(title) for title in (name, *lexicon.same_titles(name)))
    titles = [{_meaning(token) for token in tokens if not _is_head(token)} for tokens in said]
    lines = [line.strip() for line in document.text[:5000].splitlines() if line.strip()]
    for line in lines[:_TITLE_LINES]:
        words = lexicon.parse(line)
        meant = set(map(_meaning, words))
        if 0 < len(words) <= _TITLE_WORDS and any(title and title <= meant for title in titles):
            return " ".join(line.split())[:80]
    return ""


def _meaning(token: Token) -> str:
    """A kind of paper, whatever it is called: contract, agreement and Vertrag are one."""
    concept = token.concept
    return f"{concept.group}:{concept.members}" if concept and concept.kind == "side" else token.key


def _is_head(token: Token) -> bool:
    """Whether a word is one that every paper has, such as number or date."""
    return token.concept is not None and token.concept.kind == "head"


def with_choice(artifact: ExecutionArtifact, fits: Sequence[Fit]) -> ExecutionArtifact:
    """The artifact with the choice and its runner-up, if there was any; a page that fits no contract is no SUCCESS."""
    if not fits:
        return artifact
    best, others = fits[0], fits[1:]
    context = {"fits": [fit.to_dict() for fit in fits]}
    if not best.is_enough:
        message = f"the page fits none of the contracts; the nearest is {best.said}"
        note = Diagnostic("NO_CONTRACT_FITS", Severity.ERROR, message, None, context)
        return attrs.evolve(artifact, status=Status.UNRESOLVED, diagnostics=(note, *artifact.diagnostics))
    is_close = best.score - others[0].score < _CLOSE
    message = f"{best.said} was chosen; next {'and nearly as good ' if is_close else ''}is {others[0].said}"
    severity = Severity.WARNING if is_close else Severity.INFO
    note = Diagnostic("CONTRACT_CHOSEN", severity, message, None, context)
    return attrs.evolve(artifact, diagnostics=(note, *artifact.diagnostics))
