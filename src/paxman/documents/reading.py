"""Bytes to a Document: picks the reader, by content first and file name second, and never raises for a document."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextvars import ContextVar
from functools import cache
from itertools import islice
from typing import Any, Protocol, TypeVar

import attrs

from paxman.classes import frozen
from paxman.documents.document import ByteRange, Document
from paxman.errors import ConfigurationError
from paxman.plugins import Registry, load
from paxman.types import Diagnostic, Severity

Item = TypeVar("Item")
EVERY = 2_048
"""How many small pieces of work are counted at once."""
SECOND = 1_000_000
"""Steps that take about a second on an ordinary core."""


@frozen
class Limits:
    """What reading one document may use; what lies beyond is cut off with a diagnostic."""

    max_text_chars: int = 256_000_000
    max_depth: int = 200
    """Levels of nested tags or brackets that get a node of their own."""
    max_nesting: int = 4
    """Documents inside documents: attachments, messages in messages, archives."""
    max_parts: int = 1_000
    max_pages: int = 5_000
    max_unpacked_bytes: int = 512_000_000
    max_compression_ratio: int = 200
    max_nodes: int = 2_000_000
    """Elements of XML or HTML and values of JSON, in a document and all that is packed in it."""
    max_cells: int = 4_000_000
    """Cells of delimited texts, likewise."""
    max_steps: int = 100 * SECOND
    """Steps of reading a document and all that is packed in it, and of finding its tables and pairs of label and value.

    A step is about a microsecond on an ordinary core, but it is work that is counted, never time: what is cut off
    does not depend on the machine. A page of OCR is a million and a half, a letter of a PDF five. What fields then
    seek in the text takes time in proportion to it: `Budget(max_input_size_bytes=...)` bounds that.
    """
    max_seconds: float = 120.0
    """Processor time after which a native parser or OCR is taken to be stuck on a file or page, and ended."""
    max_memory_mb: int = 2_048
    """For native parsers and OCR."""

    def __attrs_post_init__(self) -> None:
        for field in attrs.fields(Limits):
            value: object = getattr(self, field.name)
            whole = field.name != "max_seconds"
            # NaN is not at least 0, either.
            if type(value) not in ((int,) if whole else (int, float)) or not value >= 0:  # type: ignore[operator]
                wanted = f"a {'whole ' if whole else ''}number, zero or more"
                message = f"{field.name} must be {wanted}, got {value!r}"
                raise ConfigurationError(message, context={"name": field.name})


_DEFAULT = Limits()


@attrs.define
class ReadingAllowance:
    """What is left of the limits for a document and all that is packed in it."""

    unpacked_bytes: int
    parts: int
    steps: int
    nodes: int
    cells: int
    notes: list[Diagnostic] = attrs.field(factory=list)
    """On what was cut short when it was built, after the document was read."""

    def work(self, percent: int = 100) -> Work:
        """One piece of work, which may take a share of the steps that are left."""
        return Work(self, max(self.steps, 0) * percent // 100)


class Work:
    """Ends work on a document when its steps are used up, and takes its steps from what is left."""

    def __init__(self, left: ReadingAllowance, steps: int) -> None:
        self._left = left
        self._steps = steps
        self.is_over = False

    def take(self, steps: int) -> bool:
        """Takes so many steps, if they are still there."""
        self.is_over = steps > self._steps
        if not self.is_over:
            self._steps -= steps
            self._left.steps -= steps
        return not self.is_over

    def over(self, items: Iterable[Item], cost: int) -> Generator[Item, None, None]:
        """The items, each of so many steps, until these are used up; they are counted in blocks that grow."""
        rest, block = iter(items), 16
        for item in rest:
            if not self.take(cost * block):
                return
            yield item
            yield from islice(rest, block - 1)
            block = min(2 * block, EVERY)


_left: ContextVar[ReadingAllowance | None] = ContextVar("left", default=None)


def allowance(limits: Limits | None = None) -> ReadingAllowance:
    """What is left for the document that is being read, shared by all that is packed in it."""
    if left := _left.get():
        return left
    limits = limits or _DEFAULT
    return ReadingAllowance(
        limits.max_unpacked_bytes, limits.max_parts, limits.max_steps, limits.max_nodes, limits.max_cells
    )


class DocumentReader(Protocol):
    """Turns the bytes of one family of formats into a Document."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def sniff(self, head: bytes, name: str | None) -> int:
        """How surely these bytes are for this reader, from 0 to 100; plain text answers 10."""
        ...

    def read(self, data: bytes, name: str | None, limits: Limits) -> Document: ...


BUILT_IN = {
    "text": "paxman.documents.text:TextReader",
    "json": "paxman.documents.json:JsonReader",
    "csv": "paxman.documents.delimited.reader:CsvReader",
    "markdown": "paxman.documents.markdown.reader:MarkdownReader",
    "html": "paxman.documents.html.reader:HtmlReader",
    "xml": "paxman.documents.xml:XmlReader",
    "mail": "paxman.documents.mail.reader:MailReader",
    "card": "paxman.documents.cards:CardReader",
    "pdf": "paxman.documents.pdf.reader:PdfReader",
    "rtf": "paxman.documents.office.rtf:RtfReader",
    "office": "paxman.documents.office.reader:OfficeReader",
    "image": "paxman.documents.paged.ocr:ImageReader",
    "archive": "paxman.documents.archive:ArchiveReader",
}
readers: Registry[DocumentReader] = Registry("reader", {}, lambda reader: (reader.name, reader.version))
"""Readers of third parties. Built-in ones stay out of it, so that a plain text imports no other reader."""

HEAD = 16_384


def register_reader(reader: DocumentReader) -> DocumentReader:
    """Add a reader; it is preferred where it answers `sniff` at least as surely as a built-in one."""
    return readers.register(reader)


@cache
def built_in(name: str) -> DocumentReader:
    """A built-in reader, imported on first use."""
    reader: DocumentReader = load(BUILT_IN[name])()
    return reader


def unreadable(reason: str, advice: str, severity: Severity = Severity.ERROR, **context: Any) -> Diagnostic:
    """The diagnostic for a document, or a part of it, that could not be read."""
    return Diagnostic("UNREADABLE_INPUT", severity, f"{reason}. {advice}", context=context)


def remark(reason: str, advice: str, severity: Severity = Severity.INFO, **context: Any) -> Diagnostic:
    """The diagnostic for what was read, but in a way that the caller may not expect."""
    return Diagnostic("INPUT_NOTE", severity, f"{reason}. {advice}", context=context)


def several(what: str, names: Sequence[str]) -> Iterator[Diagnostic]:
    """The diagnostic for documents that came together, which may each have an answer of their own."""
    if len(names) > 1:
        reason = f"{len(names)} {what}, and a value may be that of any of them: {', '.join(names)[:200]}"
        yield remark(reason, "Save and read them one by one", Severity.WARNING, count=len(names))


def cut_short(kept: str, limit: str, severity: Severity = Severity.ERROR) -> Diagnostic:
    """The diagnostic for a document of which a limit let only a part be read."""
    advice = f"Split the document, or allow more with Limits({limit}=...)"
    return unreadable(f"only {kept}", advice, severity, limit=limit)


def struck_out(count: int) -> Diagnostic:
    """The diagnostic for text that is struck out beside text that is not."""
    reason = f"{count} struck-out {'passage was' if count == 1 else 'passages were'} left out"
    return remark(reason, "Remove the lines through what is meant to count", count=count)


def read_document(data: bytes, name: str | None = None, *, limits: Limits | None = None) -> Document:
    """The document in these bytes; what cannot be read is a diagnostic on it, never an exception."""
    limits = limits or _DEFAULT
    if _left.get() is not None:
        return _read(data, name, limits)
    left = allowance(limits)
    document = _within(left, lambda: _read(data, name, limits))
    document.build_tree = _later(document, left, document.build_tree)
    document.build_tables = _later(document, left, document.build_tables)
    document.build_pairs = _later(document, left, document.build_pairs)
    document.build_marks = _later(document, left, document.build_marks)
    return document


def _within(left: ReadingAllowance, build: Callable[[], Item]) -> Item:
    token = _left.set(left)
    try:
        return build()
    finally:
        _left.reset(token)


def _later(document: Document, left: ReadingAllowance, build: Callable[[], Item]) -> Callable[[], Item]:
    """What a document builds on first use, within what reading left of the limits."""

    def built() -> Item:
        found = _within(left, build)
        document.diagnostics += tuple(left.notes)
        left.notes.clear()
        return found

    return built


def _read(data: bytes, name: str | None, limits: Limits) -> Document:
    chosen = "unknown"
    try:
        reader = choose_reader(_head(data), name)
        chosen = reader.name
        answer: object = reader.read(data, name, limits)
    except Exception as error:
        # Its text may quote the document.
        return _salvage(data, chosen, f"failed with {type(error).__name__}", limits)
    # A third party's reader may give back anything.
    return answer if isinstance(answer, Document) else _salvage(data, chosen, "gave back no Document", limits)


def _head(data: bytes) -> bytes:
    """The first bytes of a file; of a mail with long headers the first of each."""
    from paxman.documents.signatures import headers_go_on, looks_like_mail, shortened_headers

    head = data[:HEAD]
    if len(data) <= HEAD or not headers_go_on(head):
        return head
    shortened = shortened_headers(data)
    return shortened if looks_like_mail(shortened) else head


def choose_reader(head: bytes, name: str | None = None) -> DocumentReader:
    """The reader that is surest of these first bytes."""
    from paxman.documents.signatures import built_in_readers

    best, score = _surest_built_in(built_in_readers(head, name), head, name)
    for reader in readers:
        answer = _ask(reader, head, name)
        if answer > 0 and answer >= score:
            best, score = reader, answer
    return best


def _ask(reader: DocumentReader, head: bytes, name: str | None) -> int:
    """A third party's reader that fails to answer has no say; it must not stop the others."""
    try:
        return int(reader.sniff(head, name))
    except Exception:
        return 0


def _surest_built_in(guesses: tuple[tuple[str, int], ...], head: bytes, name: str | None) -> tuple[DocumentReader, int]:
    """Guesses are asked themselves only when there are several."""
    if len(guesses) == 1:
        return built_in(guesses[0][0]), guesses[0][1]
    asked = [(built_in(guess), built_in(guess).sniff(head, name)) for guess, _ in guesses]
    return max(asked, key=lambda pair: pair[1])


def _salvage(data: bytes, reader: str, reason: str, limits: Limits) -> Document:
    """What is left when a reader failed: the plain text if it is text, and the reason."""
    from paxman.documents.signatures import is_binary

    advice = "Check that the file is complete and opens elsewhere, or convert it to text or PDF"
    note = unreadable(f"the {reader} reader {reason}", advice, reader=reader)
    if reader == "text" or is_binary(data[:HEAD]):
        return Document("unknown", "", lambda span: ByteRange(0, len(data)), diagnostics=(note,))
    document = built_in("text").read(data, None, limits)
    document.diagnostics = (note, *document.diagnostics)
    return document
