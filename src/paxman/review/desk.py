"""What a person decides: each decision goes to the examples file first, then into the document's reviewed artifact."""

from __future__ import annotations

import json
import os
import threading
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from decimal import Decimal
from functools import cache, cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

import attrs

from paxman.api.choosing import with_choice
from paxman.api.inputs import RawInput, load_input
from paxman.api.normalize import choose_contract, contract_of, normalize, run_pipeline
from paxman.artifact.artifact import ExecutionArtifact, now, result_to_dict, seal
from paxman.artifact.correcting import Pointed, part_of, plain_contract, read_place, typed_value
from paxman.artifact.replay import load_unchanged
from paxman.artifact.results import is_reviewed
from paxman.batch.journal import try_lock
from paxman.budget import Budget, Policy
from paxman.config import Setting, Settings
from paxman.contract.alternatives import Alternatives, adapt_all, each_of
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document
from paxman.documents.records import read_source
from paxman.errors import ConfigurationError, PaxmanError
from paxman.executor.ledger import BudgetTracker
from paxman.learning.attaching import attach_own
from paxman.learning.examples import append_example
from paxman.learning.lessons import Lessons
from paxman.recognizers import Conventions, conventions_of
from paxman.reconciler.evidence_compare import equality_key
from paxman.report.views import show_value
from paxman.review import EXAMPLES
from paxman.review.queue import FINE, HELD, SAMPLE, UNREAD, Queue, QueueEntry, judge, need_of
from paxman.serialization import to_plain
from paxman.types import MASK, is_within
from paxman.version import __version__

Contracts = CanonicalContract | Alternatives
Taught: TypeAlias = "Mapping[str, Lessons] | None"
_KEPT_OPEN, _AHEAD, _AT_ONCE, _LAST = 32, 50, 2, 4


class OutdatedError(PaxmanError):
    """Somebody else has decided on the document meanwhile."""

    error_code = "OUTDATED"


@attrs.define(slots=False, eq=False)
class OpenDocument:
    """An open document: what the machine found, the decisions on it, and what they come to."""

    number: int
    name: str
    raw: RawInput | None
    contract: CanonicalContract
    machine: ExecutionArtifact
    document: Document | None
    current: ExecutionArtifact
    lines: list[dict[str, Any]]
    lock: threading.RLock = attrs.field(factory=threading.RLock)

    @property
    def version(self) -> int:
        return len(self.lines)

    @property
    def file(self) -> str:
        """The name of its artifacts in the folder of the review."""
        return f"{self.machine.input_content_hash[:16]}-{self.machine.contract_hash[:8]}.json"

    @cached_property
    def how(self) -> Conventions:
        return conventions_of(self.document.plain.text) if self.document else conventions_of("")

    @property
    def valid(self) -> list[dict[str, Any]]:
        """The decisions that were not undone."""
        undone = {line["undoes"] for line in self.lines if "undoes" in line}
        return [line for number, line in enumerate(self.lines, 1) if number not in undone and "undoes" not in line]

    @property
    def decided(self) -> dict[str, dict[str, Any]]:
        """The last word on each field, where the contract takes it."""
        taken = {result.field_path for result in self.current.field_results if is_reviewed(result)}
        return {path: line for line in self.valid for path in line["data"] if path in taken}

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """What the machine found, field by field."""
        return [result_to_dict(result, []) for result in self.machine.field_results]

    def is_done(self, decided: Collection[str]) -> bool:
        """Whether each field was decided on that needed it; of a document without any, each field."""
        needy = [row["field_path"] for row in self.rows if need_of(row) < SAMPLE]
        return {*(needy or (row["field_path"] for row in self.rows))} <= set(decided)

    def field(self, path: str) -> CanonicalField:
        return self.contract.by_path[path.partition("[")[0]]


class ReviewDesk:
    """All documents of a review, its folder, and the pool that reads ahead."""

    def __init__(
        self,
        folder: Path,
        contracts: Contracts | None,
        budget: Budget | None = None,
        policy: Policy | None = None,
    ) -> None:
        self.folder, self.queue = folder, Queue()
        self.contracts, self.budget, self.policy = contracts, budget or Budget(), policy or Policy()
        self._hashes = {each.content_hash for each in each_of(contracts)}
        files = {each.id: self.lessons_file(each.id) for each in each_of(contracts)}
        self.lessons = {name: Lessons.load(path) for name, path in files.items() if path.is_file()}
        for name in ("read", "machine", "reviewed"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self._lock_file = open(folder / "lock", "ab")  # noqa: SIM115
        if not try_lock(self._lock_file):
            self._lock_file.close()
            raise ConfigurationError(f"another review is writing to {folder}")
        self.examples = folder / EXAMPLES
        self._lines = _read_lines(self.examples)
        self._last = [*self._lines][-_LAST:]
        """Whose artifacts a crash may have left behind their lines, so that they are written again."""
        self._open: OrderedDict[int, OpenDocument] = OrderedDict()
        self._lock = threading.RLock()
        self._pool = ThreadPoolExecutor(_AT_ONCE, "paxman-review")
        self._reading: dict[int, Future[OpenDocument]] = {}
        self._closed, self._taught = False, 0
        """How often lessons were applied or taken back: what was begun before that is read again."""

    def close(self) -> None:
        self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._lock_file.close()

    @property
    def decisions(self) -> int:
        return sum(map(len, self._lines.values()))

    def field_paths(self) -> list[str]:
        """The fields of all contracts, to filter by."""
        return sorted({field.path for contract in each_of(self.contracts) for field in contract.leaves})

    def taught(self, lessons: Taught = None) -> Contracts | None:
        """The contracts with the lessons that were applied, or with those given."""
        known = self.lessons if lessons is None else lessons
        made = [attach_own(each, known.get(each.id)) for each in each_of(self.contracts)]
        return adapt_all(made) if made else None

    def fill(self, entries: Iterable[QueueEntry]) -> None:
        """Take documents into the queue, those as done that were done before."""
        self.queue.fill(map(self._as_left, entries) if self._lines else entries)

    def _as_left(self, entry: QueueEntry) -> QueueEntry:
        key = source_key(self.examples, entry.name)
        if key in self._last:
            return entry._replace(state="waiting")
        done = self._lines[key][-1].get("done") if key in self._lines else None
        if done and (done in self._hashes or not self._hashes):
            return entry._replace(state="done", need=FINE if entry.need == UNREAD else entry.need)
        return entry._replace(state="waiting") if done else entry  # since the contract was edited

    def is_decided(self, name: str) -> bool:
        """Whether anybody has decided on a document, be it that everything was taken back."""
        return source_key(self.examples, name) in self._lines

    def read_ahead(self) -> None:
        """Keep some documents read that nobody has looked at, so that the queue knows which need a person."""
        missing = _AHEAD - self.queue.unread_ahead() - len(self._reading)
        for number in self.queue.numbers(max(missing, 0), "waiting") if not self._closed else ():
            with self._lock:
                if number not in self._reading:
                    self._reading[number] = self._pool.submit(self._read, number)

    def open(self, number: int) -> OpenDocument:
        """A document with what was found in it; read now, if nobody has yet."""
        with self._lock:
            if number in self._open:
                self._open.move_to_end(number)
                return self._open[number]
            reading = self._reading.get(number)
            mine = reading is None or reading.cancel()
            if mine:
                reading = self._reading[number] = Future()
                reading.set_running_or_notify_cancel()
        assert reading is not None
        if mine:
            try:
                reading.set_result(self._read(number))
            except BaseException as error:
                reading.set_exception(error)
        return reading.result()

    def _read(self, number: int) -> OpenDocument:
        row, taught = self.queue[number], self._taught
        try:
            sheet = self._sheet(number, row["name"], row["path"], row["stored"])
            self._judge(sheet)
            with self._lock:
                if taught != self._taught and not sheet.lines:
                    return self._read(number)
                sheet = self._open.setdefault(number, sheet)
                while len(self._open) > _KEPT_OPEN:
                    self._open.popitem(last=False)
        except (PaxmanError, OSError, ValueError, KeyError) as error:
            self.queue.note(number, state="failed", why=f"cannot be shown: {error}", need=0)
            raise
        finally:
            self._reading.pop(number, None)
        if not self._closed:
            self._pool.submit(self.read_ahead)
        return sheet

    def _judge(self, sheet: OpenDocument) -> None:
        judged = judge(sheet.rows, sheet.machine.input_content_hash)
        facts = {"contract": sheet.machine.contract_id, "status": sheet.current.status.value}
        skipped = self.queue[sheet.number]["state"] == "skipped"
        state = "done" if sheet.is_done(sheet.decided) else "skipped" if skipped else "open"
        self.queue.note(sheet.number, **judged, **facts, state=state)

    def _sheet(self, number: int, name: str, path: str, stored: str) -> OpenDocument:
        raw = load_input(Path(path)) if path else None
        read = cache(partial(read_source, raw.data, raw.name)) if raw else None
        lines = self._lines.get(source_key(self.examples, name), [])
        machine = self._found_before(raw, stored, bool(lines)) or self._found_now(raw, name, read)
        if raw is not None and sha256(raw.data).hexdigest() != machine.input_content_hash:
            raw = None
        contract = contract_of(machine, self.taught()) if self.contracts is not None else None
        if contract is None or any(each.field_path not in contract.by_path for each in machine.field_results):
            contract = plain_contract(machine.contract_id, machine.field_results)
        document = (read_source(raw.data, raw.name, records=True) if machine.root else read()) if raw and read else None
        sheet = OpenDocument(number, name, raw, contract, machine, document, machine, lines)
        sheet.current = _fold(sheet)
        if sheet.valid:
            self._write(sheet)
        return sheet

    def _found_before(self, raw: RawInput | None, stored: str, decided: bool) -> ExecutionArtifact | None:
        """What the machine found when the first decision was made, or what is stored of a batch.

        What was found by another contract is found anew, if the document is there.
        """
        name = f"{sha256(raw.data).hexdigest()[:16]}-*.json" if raw and decided else ""
        known = sorted((self.folder / "machine").glob(name)) if name else []
        for place in (*known, *([Path(stored)] if stored and os.path.isfile(stored) else [])):
            machine = load_unchanged(place)
            if raw is None or not self._hashes or machine.contract_hash in self._hashes:
                return machine
        return None

    def _found_now(
        self, raw: RawInput | None, name: str, read: Callable[[], Document] | None, lessons: Taught = None
    ) -> ExecutionArtifact:
        """As `normalize` finds it, from a document that is read once for finding and for showing."""
        contracts = self.taught(lessons)
        if raw is None or read is None:
            raise ConfigurationError(f"the document {name} is not there, and no artifact of it was kept")
        if contracts is None:
            raise ConfigurationError("a contract is needed: --contract FILE")
        settings = [str(self.budget), str(self.policy), *(each.content_hash for each in each_of(contracts))]
        settings += [each.hash for each in (self.lessons if lessons is None else lessons).values()]
        mark = sha256("\0".join([__version__, name, *settings]).encode() + raw.data).hexdigest()
        kept = self.folder / "read" / f"{mark[:32]}.json"  # what was paid for is not paid for again
        if kept.exists():
            return load_unchanged(kept)
        contract, fits = choose_contract(raw, contracts, self.policy, read)
        tracker, again = BudgetTracker(self.budget), None if contract.root else read
        made = with_choice(run_pipeline(raw, contract, self.budget, self.policy, tracker, read=again), fits)
        made = attrs.evolve(seal(made), id=mark[:32], created_at=now(), metadata={"source": name})
        _write(kept, made)
        return made

    def try_lessons(self, number: int, lessons: Mapping[str, Lessons]) -> tuple[ExecutionArtifact, ExecutionArtifact]:
        """What a document gives without the lessons, and with them."""
        sheet = self.open(number)
        document = sheet.document
        return sheet.machine, self._found_now(sheet.raw, sheet.name, (lambda: document) if document else None, lessons)

    def apply(self, lessons: Mapping[str, Lessons]) -> None:
        """Have the documents that nobody has decided on read with these lessons; none takes lessons back."""
        with self._lock:
            self.lessons, self._taught = dict(lessons), self._taught + 1
            for number in [number for number, sheet in self._open.items() if not sheet.lines]:
                del self._open[number]
            self.queue.reset()
        self.read_ahead()

    @contextmanager
    def _changing(self, number: int, version: int, by: str) -> Iterator[OpenDocument]:
        sheet = self.open(number)
        if not by.strip():
            raise ConfigurationError("say who you are: your name is kept with each decision")
        with sheet.lock:
            if version != sheet.version:
                last = sheet.lines[-1] if sheet.lines else {"by": "somebody", "at": "just now"}
                raise OutdatedError(f"{last['by']} decided on this document at {last['at']}; look at it again")
            yield sheet

    def decide(
        self,
        number: int,
        version: int,
        by: str,
        values: Mapping[str, Any],
        pointed_at: Mapping[str, Pointed] | None = None,
    ) -> OpenDocument:
        """Take typed values, or what a person wrote, for fields; None says that the document does not state one."""
        with self._changing(number, version, by) as sheet:
            if any(MASK in str(sheet.current[path].value) for path in values):
                raise ConfigurationError("a secret cannot be reviewed: its value is not shown")
            typed = {
                path: None if v is None else _written(sheet.field(path), v, sheet.how) for path, v in values.items()
            }
            data = {path: _plain(value) for path, value in typed.items()}
            shown = {path: [list(span) for span in spans] for path, spans in (pointed_at or {}).items()}
            more = {"pointed_at": shown} if shown else {}
            _fold(sheet, {"data": data, "by": by, **more})  # which refuses what the contract does not take
            was = {path: _plain(sheet.current[path].value) for path in values}
            self._keep(sheet, data, by, was, more)
        return sheet

    def value(self, number: int, version: int, by: str, path: str, text: Any, spans: Pointed | None) -> OpenDocument:
        """Take one value, typed or read at a place; None says that the document does not state it."""
        shown = {path: [(start, end) for start, end in spans]} if spans else {}
        return self.decide(number, version, by, {path: text}, shown)

    def undo(self, number: int, version: int, by: str) -> OpenDocument:
        """Take the last decision on a document back; what was said before it holds again."""
        with self._changing(number, version, by) as sheet:
            if not sheet.valid:
                raise ConfigurationError("there is nothing to undo here")
            last = sheet.valid[-1]
            before = {path: line for line in sheet.valid[:-1] for path in line["data"]}
            data = {path: before[path]["data"][path] for path in last["data"] if path in before}
            undoes = next(number for number, line in enumerate(sheet.lines, 1) if line is last)
            more = {"taken_back": [path for path in last["data"] if path not in before], "undoes": undoes}
            self._keep(sheet, data, by, last["data"], more)
        return sheet

    def _keep(
        self, sheet: OpenDocument, data: Mapping[str, Any], by: str, was: Mapping[str, Any], more: Mapping[str, Any]
    ) -> None:
        """The line is on the disk before anything else is changed; the artifact can be made from it again."""
        decided = {*(sheet.decided.keys() - {*more.get("taken_back", ())}), *data}
        done = sheet.machine.contract_hash if sheet.is_done(decided) else None
        more = {**more, "contract": sheet.contract.id, "done": done}
        machine = self.folder / "machine" / sheet.file
        if not machine.exists():
            _write(machine, sheet.machine)
        line = append_example(self.examples, sheet.name, data, by, was, **more)
        with self._lock:
            self._lines.setdefault(source_key(self.examples, sheet.name), sheet.lines)
            self._open[sheet.number] = sheet
        sheet.lines.append(line)
        sheet.current = _fold(sheet)
        self._write(sheet)
        self._judge(sheet)

    def _write(self, sheet: OpenDocument) -> None:
        """The reviewed artifact of a document as the decisions have it; none where all were taken back."""
        reviewed = self.folder / "reviewed" / sheet.file
        if sheet.valid:
            _write(reviewed, sheet.current)
        else:
            reviewed.unlink(missing_ok=True)

    def rows(
        self, number: int, version: int, by: str, path: str, rows: Sequence[Mapping[str, Any]], shown: int | None
    ) -> OpenDocument:
        """Take rows as a person left them: each starts from an old one, or from none, with cells set anew.

        `shown` says how many of the old ones the page had; those behind them stay.
        """
        made, pointed_at = list[Any](), dict[str, Pointed]()
        with self._changing(number, version, by) as sheet:
            old, said = sheet.current[path].value or (), sheet.decided.get(path, {})
        before = defaultdict[str, dict[str, Pointed]](dict)
        for at, spans in said.get("pointed_at", {}).items():
            row_of, _, cell = at.removeprefix(path).partition("]")
            before[row_of][cell] = spans
        left = range(len(old) if shown is None else shown, len(old))
        for row in (*rows, *({"from": each} for each in left)):
            start = old[row["from"]] if row.get("from") is not None else None
            now = f"{path}[{len(made)}]"
            kept = before[f"[{row.get('from')}"].items()
            pointed_at |= {now + cell: s for cell, s in kept if cell.lstrip(".") not in row.get("set", {})}
            if isinstance(start, Mapping) or sheet.field(path).columns:
                changed = {name: value or None for name, value in row.get("set", {}).items()}
                made.append({**(start or {}), **changed})
            else:
                made.append(row["set"].get("", start) if row.get("set") else start)
            for name, spans in row.get("pointed_at", {}).items():
                pointed_at[f"{now}{'.' if name else ''}{name}"] = [(start, end) for start, end in spans]
        return self.decide(number, version, by, {path: made}, pointed_at)

    def bind(self, number: int, version: int, by: str, path: str, column: str, spans: Pointed) -> OpenDocument:
        """Read an array again with a head that a person pointed at as one more name of a column."""
        sheet = self.open(number)
        if sheet.document is None:
            raise ConfigurationError("the document is not here, so that no column can be read")
        field, head = sheet.field(path), " ".join(_text(sheet.document, spans).split())
        names = {each.name for each in field.columns}
        if column not in names:
            raise ConfigurationError(f"{path} has no column {column!r}; there are {', '.join(sorted(names))}")
        labels = {f"{path}[].{column}": [head]}
        contract = Settings({"labels": Setting("labels", labels, "review")}).with_labels(sheet.contract)
        result = normalize(Path(self.queue[number]["path"]), contract, self.budget, self.policy)[path]
        if not result.value or not any(column in row for row in result.value):
            raise ConfigurationError(f"nothing was read below {head!r} as {column}")
        cells = [ref for ref in result.evidence_refs if ref.is_of_value and "[" in ref.field_path]
        shown = {ref.field_path: [ref.span] for ref in cells if ref.span}
        rows = [dict(row) if isinstance(row, Mapping) else row for row in result.value]
        return self.decide(number, version, by, {path: rows}, shown)

    def accept(self, number: int, version: int, by: str, path: str | None) -> OpenDocument:
        """Say that a value is right, or, without a path, all that nobody has decided on and that do not need more.

        What is missing and required is never accepted by the way.
        """
        sheet = self.open(number)
        left = [result for result in sheet.current.field_results if result.field_path not in sheet.decided]
        chosen = [sheet.current[path]] if path else [each for each in left if MASK not in str(each.value)]
        values = {each.field_path: each.value for each in chosen if each.status == "RESOLVED" or not each.required}
        if not values:
            raise ConfigurationError("it is required and missing: type it, point at it, or say that it is not stated")
        return self.decide(number, version, by, values)

    def skip(self, number: int) -> None:
        self.queue.note(number, state="skipped")

    def opened(self, number: int, by: str) -> dict[str, Any]:
        """Note who looks at a document, so that it is not offered to another; says who else does."""
        row, moment = self.queue[number], time.time()
        self.queue.note(number, opened=moment, opened_by=by)
        held = row["opened_by"] not in ("", by) and moment - row["opened"] < HELD
        return {"other": row["opened_by"] if held else ""}

    def contract_of(self, source: str) -> str:
        """The name of the contract that the decisions on a document were made with."""
        return str(self._lines[source_key(self.examples, source)][-1]["contract"])

    def lessons_file(self, name: str, kind: str = "lessons") -> Path:
        """Where the lessons of a contract are kept that were applied, or that were only learned."""
        return self.folder / f"{kind}-{''.join(c if c.isalnum() or c in '-_' else '_' for c in name)}.json"

    def check(self, number: int, path: str, text: str) -> dict[str, Any]:
        """What a text that is being typed is for the contract: a value, or the contract's own words against it."""
        sheet = self.open(number)
        field = part_of(sheet.field(path), path)
        try:
            return {"value": show_value(_written(field, text, sheet.how))}
        except ConfigurationError as error:
            return {"problem": str(error).removeprefix(f"{field.path}: ")}

    def read(self, number: int, path: str, spans: Pointed) -> dict[str, Any]:
        """What the field's recognizers read at a place that was pointed at."""
        sheet = self.open(number)
        field = part_of(sheet.field(path), path)
        if sheet.document is None or not spans:
            return {"problem": "the document is not here"}
        text = " ".join(_text(sheet.document, spans).split())
        found = read_place(sheet.document.plain, field, spans, sheet.how)
        text = show_value(found.value) if found else text
        return {**self.check(number, path, text), "text": text}


def _written(field: CanonicalField, given: Any, how: Conventions) -> Any:
    """The value that a person wrote; blanks around it are none of it, and nothing at all is no value."""
    text = given.strip() if isinstance(given, str) else given
    if text == "":
        raise ConfigurationError(f"{field.path}: nothing is written; if the document does not state it, say so")
    return typed_value(field, text, how)


def _text(document: Document, spans: Pointed) -> str:
    return " ".join(document.text[start:end] for start, end in spans)


def _fold(sheet: OpenDocument, *more: Mapping[str, Any]) -> ExecutionArtifact:
    """The machine's artifact with the last word on each field, so that its own answer stays beside it.

    What was decided under an earlier contract, and this one does not take, is left to be decided again.
    """
    last = {path: line for line in (*sheet.valid, *more) for path in line["data"]}
    try:
        return _folded(sheet, last)
    except (ConfigurationError, KeyError):
        if more:
            raise
        return _folded(sheet, {path: line for path, line in last.items() if _is_taken(sheet, path, line["data"][path])})


def _is_taken(sheet: OpenDocument, path: str, value: Any) -> bool:
    try:
        sheet.machine.corrected({path: value}, "anybody", sheet.contract)
    except (ConfigurationError, KeyError):
        return False
    return True


def _folded(sheet: OpenDocument, last: Mapping[str, Mapping[str, Any]]) -> ExecutionArtifact:
    shown = {
        at: [(start, end) for start, end in spans]
        for path, line in last.items()
        for at, spans in line.get("pointed_at", {}).items()
        if is_within(at, path) and sheet.document is not None
    }
    data = {path: line["data"][path] for path, line in last.items()}
    if not data:
        return sheet.machine
    made = sheet.machine.corrected(data, next(iter(last.values()))["by"], sheet.contract, sheet.document, shown)
    told = [{"fields": list(line["data"]), "by": line["by"], "at": line["at"]} for line in sheet.valid]
    return attrs.evolve(made, metadata={**made.metadata, "source": sheet.name, "reviews": told})


def _plain(value: Any) -> Any:
    """A value as an example has it; a decimal whose point might be taken for a thousands' mark is a number."""
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return float(value) if isinstance(value, Decimal) and value.as_tuple().exponent == -3 else to_plain(value)


def _write(path: Path, artifact: ExecutionArtifact) -> None:
    draft = path.with_name(f".{path.name}.{threading.get_ident()}")
    draft.write_text(artifact.to_json() + "\n", "utf-8")
    draft.replace(path)


def source_key(examples: Path, name: str) -> str:
    """A document as the examples file names it: from the folder of the file."""
    return os.path.relpath(name, examples.parent) if os.path.exists(name) else name


def _read_lines(path: Path) -> dict[str, list[dict[str, Any]]]:
    """The decisions on each document, that of the last one last.

    A last line that a crash cut off was never confirmed to anybody, and goes.
    """
    if not path.exists():
        return {}
    content = path.read_bytes()
    if content and not content.endswith(b"\n"):
        content = content[: content.rfind(b"\n") + 1]
        with open(path, "r+b") as file:
            file.truncate(len(content))
    found: dict[str, list[dict[str, Any]]] = {}
    for line in map(json.loads, filter(None, content.splitlines())):
        found[line["source"]] = [*found.pop(line["source"], []), line]
    return found


def changes_between(before: ExecutionArtifact, after: ExecutionArtifact) -> Iterator[dict[str, str]]:
    """The fields that lessons change: the old value, the new one, and the signs that spoke for it."""
    known = {result.field_path: result for result in before.field_results}
    for result in after.field_results:
        old = known.get(result.field_path)
        if old is None or (equality_key(old.value), old.status) == (equality_key(result.value), result.status):
            continue
        refs = [ref for ref in result.evidence_refs if ref.basis in ("lesson", "memory") and ref.is_of_value]
        why = [ref.detail or "" for ref in refs] + [note.message for note in result.diagnostics]
        shown = {"old": show_value(old.value), "new": show_value(result.value)}
        yield {"field": result.field_path, **shown, "why": (why or ["the lessons order the steps anew"])[0]}
