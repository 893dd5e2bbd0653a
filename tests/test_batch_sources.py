"""Documents of a batch come from files, folders, patterns, archives, manifests, lines, Parquet and databases."""

import csv
import io
import json
import os
import sqlite3
import zipfile
from pathlib import Path

import pytest

import paxman
from paxman.batch.sources import BatchItem, check_sources, files_in, iter_items
from paxman.batch.tables import _sortable
from paxman.report.shell import page


def items(*sources, avoid=None):
    return [(item.source, item.path, item.data) for item in iter_items(list(sources), avoid)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in" / "deep").mkdir(parents=True)
    for name in ("in/b.txt", "in/a.txt", "in/deep/c.html", "in/.hidden"):
        (tmp_path / name).write_text(name)
    return tmp_path


def test_files_folders_and_patterns(folder):
    assert items("in") == [
        ("in/a.txt", "in/a.txt", None),
        ("in/b.txt", "in/b.txt", None),
        ("in/deep/c.html", "in/deep/c.html", None),
    ]
    assert items("in/b.txt") == [("in/b.txt", "in/b.txt", None)]
    assert items("in/**/*.html", folder / "in/a.txt") == [
        ("in/deep/c.html", "in/deep/c.html", None),
        (f"{folder.as_posix()}/in/a.txt", f"{folder}/in/a.txt", None),
    ]


def test_items_are_numbered_over_all_sources(folder):
    assert [item.position for item in iter_items(["in", "in/a.txt"])] == [0, 1, 2, 3]


def test_the_output_folder_is_no_source(folder):
    (folder / "in/out").mkdir()
    (folder / "in/out/documents.jsonl").write_text("{}")
    assert [source for source, _, _ in items("in", avoid=folder / "in/out")] == [
        "in/a.txt",
        "in/b.txt",
        "in/deep/c.html",
    ]


@pytest.mark.parametrize("source", [".", "*", "**/*", "*.txt", "in", "in/*.txt"])
def test_documents_may_lie_beside_the_results(folder, source):
    """Whatever is not of the batch itself is a document, in a folder and by a pattern alike."""
    own = ["journal.sqlite", "journal.sqlite-wal", "lock", "spending.sqlite", "documents.jsonl", "artifacts/ab/ab.json"]
    (folder / "artifacts/ab").mkdir(parents=True)
    for name in own:
        (folder / name).write_text("{}")
    (folder / "d.txt").write_text("d")
    inner, outer = ["in/a.txt", "in/b.txt"], ["d.txt"]
    expected = {".": outer + inner, "*": outer, "**/*": outer + inner, "*.txt": outer, "in": inner, "in/*.txt": inner}
    found = [name for name, _, _ in items(source, avoid=folder)]
    assert [name for name in found if name != "in/deep/c.html"] == expected[source]


@pytest.mark.parametrize(
    ("name", "text", "is_own"),
    [
        ("a.artifact.json", '{"capability_versions":{"recognition":"1.0"},"contract_hash":"1"}', True),
        ("a.contract.yaml", "id: lab\nversion: '1'\nfields:\n- name: total\n  type: MONEY\n", True),
        ("a.html", None, True),
        ("b.json", '{"versions":{},"contract_hash":"1"}', False),
        ("b.yaml", "id: lab\nversion: '1'\nlines:\n- name: total\n", False),
        ("b.html", "<!doctype html>\n<html lang='en'>\n<p>Total: 5 EUR", False),
    ],
)
def test_what_paxman_wrote_is_no_document_of_a_folder(folder, name, text, is_own):
    (folder / "in/deep" / name).write_text(text or page("a: SUCCESS", ""))
    path = f"in/deep/{name}"
    assert (path not in [source for source, _, _ in items("in")]) is is_own
    assert [source for source, _, _ in items(path)] == [path]
    written = []
    list(files_in(folder / "in", None, None, written))
    assert written == [folder / path] * is_own


def test_the_results_of_an_earlier_batch_are_no_documents(folder):
    for name in ("journal.sqlite", "documents.jsonl", "report.html"):
        (folder / "in/deep" / name).write_text("{}")
    written = []
    assert [path.name for path in files_in(folder / "in", None, None, written)] == ["a.txt", "b.txt", "c.html"]
    assert written == [folder / "in/deep/journal.sqlite"]


@pytest.mark.parametrize("source", [".", "*/*.txt", "**/*.txt", "in", "in/*.txt"])
def test_documents_in_the_folder_of_the_results_are_found_from_anywhere(folder, source):
    (folder / "in/artifacts").mkdir()
    for name in ("in/journal.sqlite", "in/report.html", "in/artifacts/x.txt"):
        (folder / name).write_text("{}")
    found = [name for name, _, _ in items(source, avoid=folder / "in")]
    assert [name for name in found if name != "in/deep/c.html"] == ["in/a.txt", "in/b.txt"]


def test_files_with_the_names_of_results_are_not_written_over(folder):
    check_sources("in", folder / "in")
    (folder / "in/lock").touch()  # which is all that a run leaves that was killed as it began
    check_sources("in", folder / "in")
    (folder / "in/documents.jsonl").write_text("mine")
    for source in ("in", "in/*.txt"):
        with pytest.raises(paxman.ConfigurationError, match="would be written over the source '.*/in/documents.jsonl'"):
            check_sources(source, folder / "in")
    (folder / "in/journal.sqlite").touch()
    check_sources("in", folder / "in")


def test_a_source_is_never_written_over(folder):
    (folder / "documents.jsonl").write_text('{"text": "a"}')
    with pytest.raises(paxman.ConfigurationError, match="would be written over the source 'documents.jsonl'"):
        check_sources(["in", "documents.jsonl"], folder)
    check_sources(["in", "documents.jsonl"], folder / "out")


def test_what_is_not_there_is_said_at_once(folder):
    (folder / "list.csv").mkdir()
    for name in ("nowhere.txt", "in/*.pdf", "manifest:nowhere.csv", "gone.parquet#text", "manifest:list.csv"):
        with pytest.raises(paxman.ConfigurationError, match="there is no source"):
            check_sources([name])


def test_a_source_that_is_gone_or_broken_fails_alone(folder):
    (folder / "bad.parquet").write_bytes(b"PAR1 no table PAR1")
    (folder / "list.csv").write_text('path\nin/a.txt\n"in/b.txt\nin/c.txt\n')
    gone = folder / "gone.txt"
    sources = [("a.txt", "A"), gone, ("b.txt", gone), "bad.parquet", "manifest:list.csv", ("c.txt", "C")]
    missing = f"there is no source '{gone}': give a file, a folder, a pattern, a database URL or -"
    assert [(item.source, item.problem) for item in iter_items(iter(sources))] == [
        ("a.txt", None),
        (str(gone), missing),
        ("b.txt", "the source cannot be read: No such file or directory"),
        ("bad.parquet", "the Parquet file is broken or is none"),
        ("in/a.txt", None),
        (
            "manifest:list.csv",
            "the row of list.csv at line 3 is not CSV, perhaps for a stray quote: unexpected end of data",
        ),
        ("c.txt", None),
    ]


@pytest.mark.parametrize("stray", ['one,"Ann', 'one,"Ann" and\ntwo,"Bob"'])
def test_a_stray_quote_is_refused_before_the_work(folder, stray):
    (folder / "list.csv").write_text(f"text,customer\n{stray}\nthree,Cy\n")
    with pytest.raises(paxman.ConfigurationError, match=r"^the row of list.csv at line 2 is not CSV"):
        check_sources("manifest:list.csv")


def test_a_folder_that_cannot_be_listed_has_its_line(folder):
    """Its path is longer than the system takes at once."""
    home = os.getcwd()
    os.chdir("in/deep")
    for _ in range(20):
        os.mkdir("x" * 220)
        os.chdir("x" * 220)
    os.chdir(home)
    found = list(iter_items("in"))
    assert [item.source for item in found[:3]] == ["in/a.txt", "in/b.txt", "in/deep/c.html"]
    (unlisted,) = found[3:]
    assert unlisted.source.startswith("in/deep/" + "x" * 220)
    assert unlisted.problem == "the folder cannot be listed: File name too long"


@pytest.mark.parametrize("source", ["in", "in/**/*"])
def test_files_that_cannot_be_looked_at_hide_no_others(folder, source):
    """The folder can be listed, while the paths in it are longer than the system takes."""
    home = os.getcwd()
    os.chdir("in/deep")
    for _ in range(18):
        os.mkdir("x" * 220)
        os.chdir("x" * 220)
    Path("y" * 200).touch()
    os.chdir(home)
    (folder / "in/later").mkdir()
    (folder / "in/later/d.txt").touch()
    *before, far, last = [item.source for item in iter_items(source)]
    assert (before, far[-201:], last) == (["in/a.txt", "in/b.txt", "in/deep/c.html"], "/" + "y" * 200, "in/later/d.txt")


def test_a_link_to_nothing_in_a_folder_is_a_document_that_failed(folder):
    (folder / "in/gone.txt").symlink_to("nowhere.txt")
    (folder / "in/gone.zip").symlink_to("nowhere.zip")
    (folder / "in/gone.jsonl").symlink_to("nowhere.jsonl")
    gone = [(f"in/gone.{kind}", f"in/gone.{kind}", None) for kind in ("jsonl", "txt", "zip")]
    assert items("in")[2:-1] == gone
    assert items("in/gone.*") == gone


def test_archives_give_their_members_and_say_what_they_refuse(folder):
    with zipfile.ZipFile("all.zip", "w") as archive:
        archive.writestr("x/one.txt", "one")
        archive.writestr("../evil.txt", "evil")
        archive.writestr("two.csv", "two")
    found = list(iter_items("all.zip"))
    assert [(item.source, item.data, item.problem and item.problem.split(".")[-2].strip()) for item in found] == [
        ("all.zip/x/one.txt", b"one", None),
        ("all.zip/two.csv", b"two", None),
        ("all.zip/../evil.txt", None, "txt' leads out of the archive"),
    ]


MAILBOX = b"".join(
    b"From a@b.c Mon Jan  1 10:00:00 2024\nFrom: a@b.c\nSubject: Order %d\n\n>From here\n\n" % number
    for number in (1, 2)
)


@pytest.mark.parametrize("name", ["orders.mbox", "Inbox"])
def test_a_mailbox_gives_its_mails(folder, name):
    (folder / "in" / name).write_bytes(MAILBOX)
    mails = [
        (f"in/{name}/{number}.eml", None, b"From: a@b.c\nSubject: Order %d\n\nFrom here\n\n" % number)
        for number in (1, 2)
    ]
    assert items(f"in/{name}") == mails
    assert [item for item in items("in") if name in item[0]] == mails
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        archive.write(folder / "in" / name, f"in/{name}")
    assert items("all.zip") == [(f"all.zip/{source}", path, data) for source, path, data in mails]


def test_what_is_named_like_a_mailbox_and_is_none_is_one_document(folder):
    (folder / "note.mbox").write_bytes(b"From here on\nall is well\n")
    assert items("note.mbox") == [("note.mbox", "note.mbox", None)]


def test_a_csv_manifest_has_paths_contracts_and_metadata(folder):
    (folder / "in/list.csv").write_text("path,contract,customer\na.txt,letter.json,Ann\nb.txt,,\n")
    first, second = iter_items("manifest:in/list.csv")
    home = str(folder / "in")
    assert first == BatchItem("a.txt", "in/a.txt", None, "in/letter.json", '{"customer": "Ann"}', None, 0, home)
    assert second == BatchItem("b.txt", "in/b.txt", None, None, None, None, 1)


def test_lines_are_rows_or_documents(folder, monkeypatch):
    lines = [
        {"text": "Total: 5", "source": "first", "batch": 7},
        {"base64": "VG90YWw=", "contract": "c.json"},
        {"invoice": {"total": 5}},
        {"document": {"total": 5}},
        {"base64": "?"},
    ]
    text = "\n".join(map(json.dumps, lines)) + "\n\nnot json\n"
    (folder / "rows.jsonl").write_text(text)
    expected = [
        BatchItem("first", None, b"Total: 5", None, '{"batch": 7}', None, 0),
        BatchItem("{}:2", None, b"Total", "c.json", None, None, 1, str(folder)),
        BatchItem("{}:3.json", None, b'{"invoice": {"total": 5}}', None, None, None, 2),
        BatchItem("{}:4", None, b'{"total": 5}', None, None, None, 3),
    ]
    found = list(iter_items("rows.jsonl"))
    assert found[:4] == [item._replace(source=item.source.format("rows.jsonl")) for item in expected]
    assert [item.problem.split(":")[0] for item in found[4:]] == ["the row holds no document", "line 7 is not JSON"]
    stdin = io.TextIOWrapper(io.BytesIO(text.encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    assert list(iter_items("-"))[:4] == [item._replace(source=item.source.format("stdin")) for item in expected]


def test_values_of_the_caller(folder):
    found = list(iter_items([b"bytes", {"a": 1}, ("note.txt", "text"), folder / "in/a.txt"]))
    assert [(item.source, item.data, item.suffix) for item in found] == [
        ("document-0", b"bytes", ""),
        ("document-1.json", b'{"a": 1}', ".json"),
        ("note.txt", b"text", ".txt"),
        (f"{folder.as_posix()}/in/a.txt", None, ".txt"),
    ]
    with pytest.raises(TypeError, match=r"a path, a .name, content. pair, bytes, a dict or a list, not int"):
        list(iter_items([7]))


def test_sources_are_streamed():
    drawn = []

    def endless():
        for number in range(10**9):
            drawn.append(number)
            yield (f"{number}.txt", "text")

    stream = iter_items(endless())
    assert [next(stream).source for _ in range(3)] == ["0.txt", "1.txt", "2.txt"]
    assert drawn == [0, 1, 2]


def test_parquet_rows(folder):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = arrow.table({"letter": ["one", "two"], "id": [7, 8]})
    parquet.write_table(table, "docs.parquet")
    assert [(i.source, i.data, i.metadata) for i in iter_items("docs.parquet#letter")] == [
        ("docs.parquet#0", b"one", '{"id": 7}'),
        ("docs.parquet#1", b"two", '{"id": 8}'),
    ]
    with pytest.raises(paxman.ConfigurationError, match=r"which column holds the documents.*letter, id"):
        list(iter_items("docs.parquet"))


def test_rows_of_databases(folder):
    pytest.importorskip("sqlalchemy")
    with sqlite3.connect("shop.db") as connection:
        connection.execute("CREATE TABLE letters (id INTEGER PRIMARY KEY, body BLOB, who TEXT)")
        connection.executemany("INSERT INTO letters VALUES (?, ?, ?)", [(2, b"two", "Bo"), (1, b"one", "Ann")])
    connection.close()
    expected = [("letters#1", b"one", '{"id": 1, "who": "Ann"}'), ("letters#2", b"two", '{"id": 2, "who": "Bo"}')]
    for url in ("sqlite:///shop.db#letters", "sqlite:///shop.db#letters.body"):
        assert [(i.source, i.data, i.metadata) for i in iter_items(url)] == expected
    with pytest.raises(paxman.ConfigurationError, match="names its table"):
        list(iter_items("sqlite:///shop.db"))


def test_rows_of_duckdb(folder):
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect("shop.duckdb") as connection:
        connection.execute("CREATE TABLE letters AS SELECT * FROM (VALUES (2, 'two'), (1, 'one')) rows(id, text)")
    assert [(i.source, i.data) for i in iter_items("duckdb:///shop.duckdb#letters")] == [
        ("letters#1", b"one"),
        ("letters#2", b"two"),
    ]


TEMPTING = {"path": "secret.txt", "base64": "VG90YWw=", "document": "other", "text": "third"}


def test_the_column_that_was_named_holds_the_documents(folder):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("sqlalchemy")
    (folder / "secret.txt").write_text("Reference: LTR-2")
    row = {"body": "Reference: LTR-1", **TEMPTING, "source": "mine", "contract": None}
    parquet.write_table(arrow.table({name: [value] for name, value in row.items()}), "rows.parquet")
    with duckdb.connect("rows.duckdb") as connection:
        connection.execute("CREATE TABLE rows AS SELECT * FROM 'rows.parquet'")
    with sqlite3.connect("rows.db") as connection:
        connection.execute(f"CREATE TABLE rows ({', '.join(row)})")
        connection.execute(f"INSERT INTO rows VALUES ({', '.join('?' * len(row))})", list(row.values()))
    connection.close()
    contract = {"id": "c", "version": "1", "fields": [{"name": "reference", "type": "STRING", "required": True}]}
    sources = ["rows.parquet#body", "sqlite:///rows.db#rows.body", "duckdb:///rows.duckdb#rows.body"]
    found = paxman.normalize_many(sources, contract, out="out", workers=1).rows()
    assert [(line["source"], line["data"], line["metadata"]) for line in found] == [
        ("mine", {"reference": "LTR-1"}, TEMPTING)
    ] * 3
    assert [item.data for item in iter_items("rows.parquet")] == [b"third"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_a_manifest_in_any_encoding(tmp_path, encoding):
    rows = "text,customer\n" + "".join(f"Name: Jürgen Müller {n},Käthe Größe\n" for n in range(5))
    (tmp_path / "list.csv").write_bytes(rows.encode(encoding))
    contract = {"id": "c", "version": "1", "fields": [{"name": "name", "type": "STRING", "required": True}]}
    result = paxman.normalize_many(f"manifest:{tmp_path}/list.csv", contract, out=tmp_path / "out", workers=1)
    assert [(row["data"], row["metadata"]) for row in result.rows()] == [
        ({"name": f"Jürgen Müller {n}"}, {"customer": "Käthe Größe"}) for n in range(5)
    ]


def test_rows_of_a_manifest_that_do_not_fit_it_have_failed(tmp_path):
    good = "Straße 5 für Müller in Köln, größte Höhe: äußerst schön"
    rows = ["text,customer", f'"{good}",Ann', "Total: 5,Bo,250.00", "Total: 6,Cy, ,", "Total: x\udcff,Di"]
    text = "\n".join(rows).encode("utf-8", "surrogateescape")
    (tmp_path / "list.csv").write_bytes(text)
    found = list(iter_items(f"manifest:{tmp_path}/list.csv"))
    assert [item.problem for item in found] == [
        None,
        "the row has more cells than the manifest has columns",
        None,
        "the row holds bytes that are no text; save the manifest as UTF-8",
    ]
    assert (found[0].data, found[2].data) == (good.encode(), b"Total: 6")


def test_a_manifest_with_long_cells_and_tabs(tmp_path):
    before = csv.field_size_limit()
    (tmp_path / "list.tsv").write_text(f"text\nReference: A, B\n{'long ' * 40_000}\n")
    found = list(iter_items(f"manifest:{tmp_path}/list.tsv"))
    assert [len(item.data) for item in found] == [15, 200_000]
    assert csv.field_size_limit() == before


def test_names_and_rows_that_are_no_text_do_not_end_the_batch(tmp_path):
    contract = {"id": "c", "version": "1", "fields": [{"name": "reference", "type": "STRING", "required": True}]}
    (tmp_path / "in").mkdir()
    with open(bytes(tmp_path / "in") + b"/\xff.txt", "wb") as file:
        file.write(b"Reference: LTR-1")
    rows = tmp_path / "rows.jsonl"
    rows.write_text(
        '{"text": "Reference: LTR-2", "source": "\\ud800", "note": "\\udfff"}\n'
        '{"text": "Reference: \\ud800", "source": "b"}\n{"path": "a\\u0000b"}\n{"path": "\\ud800"}\n'
    )
    result = paxman.normalize_many([tmp_path / "in", rows], contract, out=tmp_path / "out", workers=1)
    found = [(row["source"].rpartition("/")[2], row["status"], row["metadata"]) for row in result.rows()]
    assert found == [
        ("?.txt", "SUCCESS", None),
        ("?", "SUCCESS", {"note": "?"}),
        ("b", "UNRESOLVED", None),
        ("a?b", "EXECUTION_FAILED", None),
        ("?", "EXECUTION_FAILED", None),
    ]


def test_numbers_that_json_does_not_know_are_text(tmp_path):
    (tmp_path / "rows.jsonl").write_text('{"text": "a", "rate": NaN, "deep": [1.5, -Infinity]}\n')
    (item,) = iter_items(tmp_path / "rows.jsonl")
    assert item.metadata == '{"deep": [1.5, "-Infinity"], "rate": "NaN"}'


def test_columns_without_an_order_are_sorted_as_text():
    """PostgreSQL cannot compare JSON, nor what SQLAlchemy has no name for."""
    alchemy = pytest.importorskip("sqlalchemy")
    from sqlalchemy.dialects import postgresql

    columns = [
        alchemy.Column("a", postgresql.JSON),
        alchemy.Column("b", alchemy.types.NullType),
        alchemy.Column("c", alchemy.Text),
    ]
    order = [_sortable(alchemy, column).compile(dialect=postgresql.dialect()) for column in columns]
    assert list(map(str, order)) == ["CAST(a AS TEXT)", "CAST(b AS TEXT)", "c"]


def test_a_manifest_may_be_separated_as_spreadsheets_do(tmp_path):
    (tmp_path / "list.csv").write_text("path;customer\na,b.txt;Acme\n")
    assert list(iter_items(f"manifest:{tmp_path}/list.csv")) == [
        BatchItem("a,b.txt", path=str(tmp_path / "a,b.txt"), metadata='{"customer": "Acme"}', position=0)
    ]


@pytest.mark.parametrize("url", ["sqlite:///{}/shop.db#gone", "duckdb:///{}/gone.duckdb#t"])
def test_a_table_that_is_not_there(tmp_path, url):
    with pytest.raises(paxman.ConfigurationError, match="cannot read the table"):
        list(iter_items(url.format(tmp_path)))


def test_rows_name_files_below_their_own_folder(folder):
    (folder / "secret.txt").write_text("Total: 5")
    (folder / "secret.json").write_text("{}")
    (folder / "in/link.txt").symlink_to("../secret.txt")
    (folder / "in/round.txt").symlink_to("round.txt")
    (folder / "in/here.txt").symlink_to("a.txt")
    strays = ["../secret.txt", str(folder / "secret.txt"), "link.txt", "b/../../secret.txt", "nul\0.txt", "round.txt"]
    rows = [*({"path": name} for name in strays), {"text": "a", "contract": "../secret.json#x"}]
    rows += [{"text": "a", "contract": "../secret.json#/../in/x"}, {"path": "here.txt"}, {"path": "gone.txt"}]
    (folder / "in/rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = list(iter_items("in/rows.jsonl"))
    assert [("not below" in (item.problem or ""), item.path) for item in found] == [
        *[(True, None)] * 8,
        (False, "in/here.txt"),
        (False, "in/gone.txt"),
    ]
    assert found[0].problem == (
        "the row names 'in/../secret.txt', which is not below the folder of the rows; --allow-paths allows it"
    )
    assert [item.problem for item in iter_items("in/rows.jsonl", allow_paths=True)] == [None] * 10


def test_a_name_that_no_file_has_is_a_document_that_failed(folder):
    fields = [{"name": "total", "type": "INTEGER", "required": True}]
    (folder / "in/c.json").write_text(json.dumps({"id": "c", "version": "1", "fields": fields}))
    names = ["nul\0.txt", "\ud800.txt", "x" * 5000, "line\nbreak.txt", "~/none", ""]
    rows = [{"path": name, "contract": "c.json"} for name in names] + [{"text": "total: 5", "contract": "c\0.json"}]
    rows.append({"text": "total: 5", "contract": "c.json"})
    (folder / "in/rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    for allowed in (False, True):
        result = paxman.normalize_many(folder / "in/rows.jsonl", None, workers=1, allow_paths=allowed)
        assert sum(result.counts.values()) == 8
        assert list(result.rows())[-1]["status"] == "SUCCESS"


@pytest.mark.parametrize(
    "source", ["../table.csv", "sqlite:///../table.csv", "env:HOME", "postgresql://host/db", "in.csv"]
)
def test_a_contract_that_a_row_names_has_its_tables_there_too(folder, source):
    for place in ("table.csv", "in/in.csv"):
        (folder / place).write_text("code,name\nA,Ann\n")
    lookup = {"source": source, "key": "code", "value": "name", "from": "code"}
    fields = [{"name": "code", "type": "STRING", "required": True}]
    fields.append({"name": "name", "type": "STRING", "required": True, "lookup": lookup})
    (folder / "in/c.json").write_text(json.dumps({"id": "c", "version": "1", "fields": fields}))
    (folder / "in/rows.jsonl").write_text(json.dumps({"text": "code: A", "contract": "c.json"}))
    (row,) = paxman.normalize_many(folder / "in/rows.jsonl", None, workers=1).rows()
    inside = "name: the table is not below the folder of the rows; --allow-paths allows it"
    expected = ("SUCCESS", None) if source == "in.csv" else ("INVALID_CONTRACT", inside)
    assert (row["status"], row["reason"]) == expected


def test_a_row_names_no_code(folder):
    (folder / "in/model.py").write_text("import pathlib\npathlib.Path('pwned').touch()\n")
    rows = [{"text": "x", "contract": name} for name in ("model.py:Invoice", "model.py", "os:system")]
    (folder / "in/rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    result = paxman.normalize_many(folder / "in/rows.jsonl", None, workers=1, allow_paths=True)
    assert (dict(result.counts), (folder / "pwned").exists()) == ({"INVALID_CONTRACT": 3}, False)
