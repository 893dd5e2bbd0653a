"""Scalar fields of a contract on one page, all at once; each field's answer is read off the result."""

from __future__ import annotations

from collections.abc import Mapping

from paxman.contract.model import CanonicalContract
from paxman.documents.document import Document
from paxman.finding.assignment import Answer, assign
from paxman.finding.claims import Claims
from paxman.finding.ties import ties_of
from paxman.finding.wanted import wanted_of
from paxman.lexicon.lexicon import Lexicon
from paxman.page.names import page_of
from paxman.recognizers import Conventions


def claims_of(contract: CanonicalContract, lexicon: Lexicon) -> Claims:
    key = ("claims", id(lexicon))
    if key not in contract.memo:
        contract.memo[key] = Claims(wanted_of(contract, lexicon), lexicon)
    found: Claims = contract.memo[key]
    return found


def find_scalars(
    document: Document, contract: CanonicalContract, lexicon: Lexicon, how: Conventions
) -> Mapping[str, Answer]:
    """The answers of all scalar fields by path; worked out once per document and contract."""
    key = ("scalars", contract.content_hash, id(lexicon))
    if key not in document.cache:
        claims = claims_of(contract, lexicon)
        answers = assign(ties_of(page_of(document), claims, how))
        document.cache[key] = {claims.wanted[field].field.path: answer for field, answer in answers.items()}
    found: Mapping[str, Answer] = document.cache[key]
    return found
