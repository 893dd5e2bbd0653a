"""Papers that list invoices, as statements and reminders do: no number and no day there is that of just one."""

from __future__ import annotations

from paxman.capabilities.business_terms import PAPER_DATES
from paxman.capabilities.label_layout import Reader, below, ends_chunk, stop_of
from paxman.capabilities.label_scan import Hit
from paxman.capabilities.paper_kinds import has_own_title, is_about_invoices
from paxman.capabilities.title_numbers import heads_many
from paxman.lazy import lazy_pattern
from paxman.recognizers import Reading

_MOST = 200


def is_other_day(reader: Reader, day: Reading) -> bool:
    """Whether the date of a paper is none of the invoice that it names, or of several that it lists."""
    days, listed = listed_days(reader), reader.page.line_at(day.start) in _rows_of_list(reader)
    if lists_invoices(reader):
        return listed or is_about_invoices(reader) or not days or day.value != days[0].value
    if not is_about_invoices(reader):
        return listed
    return bool(days) and day.value not in [each.value for each in days]


def lists_invoices(reader: Reader) -> bool:
    """Whether the first invoice that a page names is one of a list, and no title names the page itself."""
    cache = reader.context.document.cache
    if "lists_invoices" not in cache:
        cache["lists_invoices"] = _lists_invoices(reader) and (is_about_invoices(reader) or not has_own_title(reader))
    return bool(cache["lists_invoices"])


def _lists_invoices(reader: Reader) -> bool:
    for hit in _hits(reader):
        if _has_number(reader, hit):
            return hit.line in _rows_of_list(reader)
        if ends_chunk(reader, hit) and below(reader, "identifier", hit):
            return heads_many(reader, hit, "identifier")
    return False


def listed_days(reader: Reader) -> list[Reading]:
    """The days that stand in lines with the number of an invoice: "Invoice 4711 of 3 March", one of each line."""
    return [day for _, day in _dated(reader)]


def _dated(reader: Reader) -> list[tuple[Hit, Reading]]:
    """Each label of an invoice with its number and day in one line."""
    cache = reader.context.document.cache
    if "dated_invoices" not in cache:
        days = ((hit, _day(reader, hit)) for hit in _hits(reader) if _has_number(reader, hit))
        cache["dated_invoices"] = [(hit, day) for hit, day in days if day]
    found: list[tuple[Hit, Reading]] = cache["dated_invoices"]
    return found


def _rows_of_list(reader: Reader) -> frozenset[int]:
    """Lines that name invoices of several days in the same words."""
    cache = reader.context.document.cache
    if "rows_of_list" not in cache:
        kinds: dict[str, list[tuple[Hit, Reading]]] = {}
        for hit, day in _dated(reader):
            kinds.setdefault(_lead(reader, hit), []).append((hit, day))
        lists = (rows for rows in kinds.values() if len({day.value for _, day in rows}) > 1)
        cache["rows_of_list"] = frozenset(hit.line for rows in lists for hit, _ in rows)
    found: frozenset[int] = cache["rows_of_list"]
    return found


def _lead(reader: Reader, hit: Hit) -> str:
    """The words of a line up to the number of an invoice."""
    return " ".join(_LETTERS.findall(reader.text[reader.page.line(hit.line).start : hit.end].lower()))


_LETTERS = lazy_pattern(r"[^\W\d_]+")


def _hits(reader: Reader) -> list[Hit]:
    return reader.scan.by_term.get("invoice_number", [])[:_MOST]


def _has_number(reader: Reader, hit: Hit) -> bool:
    """Whether a digit stands between a label and the next one."""
    return any(map(str.isdigit, reader.text[hit.end : stop_of(reader, hit)]))


def _day(reader: Reader, hit: Hit) -> Reading | None:
    """The first day behind a label in its chunk, or else the first of its line, but none that another label names."""
    days = [day for day in reader.values("date", hit.line) if _is_own(reader, hit, day)]
    end = reader.page.line(hit.line).chunks[reader.page.chunk_at(hit.start)][1]
    return next((day for day in days if hit.end <= day.start < end), days[0] if days else None)


def _is_own(reader: Reader, hit: Hit, day: Reading) -> bool:
    last = reader.scan.last_before(day.start)
    return last in (None, hit) or (last is not None and last.term in PAPER_DATES)
