"""Does a label that a gap proposes lead there? Each one is added, by itself, and the document is read again.

Usage: python -m benchmarks.hints [SET ...] [--limit N] [--show]
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections import Counter
from collections.abc import Iterator

import attrs

import paxman
from benchmarks.outcomes import Labelled, known, labelled
from paxman.artifact.results import FieldResult
from paxman.contract import adapt


@attrs.frozen
class Hint:
    """A label that a gap proposes, what stands with it, and what the field is once it has that label."""

    document: str
    path: str
    label: str
    value: str
    then: FieldResult
    is_right: bool | None
    """Whether the value is the labelled one; None where the field has no label."""

    @property
    def leads_there(self) -> bool:
        found = [" ".join((ref.quote or "").split()) for ref in self.then.evidence_refs if ref.role != "rejected"]
        value = self.value.removesuffix("…")
        return self.then.status == "RESOLVED" and any(text and (text in value or value in text) for text in found)


def hints(document: Labelled) -> Iterator[Hint]:
    """The labels that the gaps of a document propose, each tried."""
    contract = adapt(document.contract)
    for result in paxman.normalize(document.source, contract, policy=document.policy).field_results:
        for note in result.diagnostics:
            if "add" not in note.context:
                continue
            (label,) = json.loads(note.context["add"].removeprefix("labels = "))
            value = next(each["value"] for each in note.context["nearest"] if each["name"] == label)
            taught = contract.with_labels({result.field_path: (label,)})
            quoting = attrs.evolve(document.policy, embed_evidence_payload=True)
            then = paxman.normalize(document.source, taught, policy=quoting)[result.field_path]
            wanted, judge = document.fields.get(result.field_path, (None, None))
            is_right = judge(then.value) if judge and wanted is not None and then.status == "RESOLVED" else None
            yield Hint(document.source.name, result.field_path, label, value, then, is_right)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--limit", type=int, help="only the first N documents of each set")
    parser.add_argument("--show", action="store_true", help="every hint, not only those that lead nowhere")
    arguments = parser.parse_args()
    lost = 0
    for name in arguments.sets or known():
        tried = [hint for each in itertools.islice(labelled(name), arguments.limit) for hint in hints(each)]
        for hint in tried:
            if arguments.show or not hint.leads_there:
                sign = "leads there" if hint.leads_there else "leads elsewhere"
                print(
                    f"  {sign}: {hint.document} {hint.path} {hint.label!r} {hint.value!r} {hint.then!r} {hint.is_right}"
                )
        right = Counter(hint.is_right for hint in tried)
        missed = sum(not hint.leads_there for hint in tried)
        lost += missed
        print(
            f"{name:16} {len(tried):4} hints, {missed} lead nowhere; right {right[True]}, wrong {right[False]}",
            flush=True,
        )
    return int(lost > 0)


if __name__ == "__main__":
    sys.exit(main())
