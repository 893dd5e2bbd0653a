"""`paxman review` in the browser and `paxman mcp` for agents: what serves until it is ended."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import threading
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from paxman.cli.options import contracts_option, json_option, load_contracts, settings_options
from paxman.cli.output import echo_json, line
from paxman.config import Settings
from paxman.errors import ConfigurationError, to_install

if TYPE_CHECKING:
    from paxman.config import Settings
    from paxman.review.desk import ReviewDesk
    from paxman.review.queue import QueueEntry


@click.command()
@click.argument("sources", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@contracts_option
@click.option(
    "-o",
    "--output",
    default="review",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where decisions, reviewed artifacts and lessons are kept; a review goes on where it was left.",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="A port of this machine; any free one by default."
)
@click.option("--by", default=None, metavar="NAME", help="Your name, to be kept with each decision.")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option("--learn", is_flag=True, help="Show what lessons from the decisions so far would change, and end.")
@settings_options
@json_option
def review(
    sources: tuple[Path, ...],
    contracts: tuple[str, ...],
    output: Path,
    port: int,
    by: str | None,
    no_browser: bool,
    learn: bool,
    settings: Settings,
    as_json: bool,
) -> None:
    """Look at documents beside what was found in them, correct it, and teach from it, in the browser.

    A SOURCE is a document, a folder of them, an artifact or a folder of artifacts with their documents, or the folder
    of a batch. The page is served on this machine only, to who has the address that is printed. Ctrl-C ends it; every
    decision is on the disk by then.
    """
    from paxman.review.desk import ReviewDesk
    from paxman.review.queue import find_documents

    settings.activate()
    named = load_contracts(contracts, settings) if contracts or settings["contract"] else None
    desk = ReviewDesk(output, named, settings.budget, settings.policy)
    try:
        entries = find_documents(sources, output)
        if learn:
            desk.fill(entries)
            _show_lessons(desk, as_json)
            return
        threading.Thread(target=_fill, args=(desk, entries), daemon=True).start()
        _serve(desk, port, by or os.environ.get("USER") or "me", no_browser, as_json)
        if as_json:
            return
        line()
        line(f"{desk.decisions} decisions are kept in {desk.examples}")
        line(f"next: paxman learn CONTRACT {desk.examples} -o lessons.json")
    finally:
        desk.close()


def _fill(desk: ReviewDesk, entries: Iterator[QueueEntry]) -> None:
    try:
        desk.fill(entries)
    except (ConfigurationError, OSError) as error:
        click.echo(f"Error: {error}", err=True)
    desk.read_ahead()


def _serve(desk: ReviewDesk, port: int, by: str, no_browser: bool, as_json: bool) -> None:
    """On the loopback interface only, until Ctrl-C."""
    try:
        import uvicorn

        from paxman.review.server import make_app
    except ImportError as error:
        needed = f"the review page needs Starlette and uvicorn: {to_install('review')}"
        raise ConfigurationError(needed) from error
    try:
        listening = socket.create_server(("127.0.0.1", port))
    except OSError as error:
        raise ConfigurationError(f"port {port} cannot be used: {error.strerror}; name another with --port") from None
    with listening, contextlib.suppress(KeyboardInterrupt):
        port, token = listening.getsockname()[1], secrets.token_urlsafe(24)
        address = f"http://127.0.0.1:{port}/?token={token}"
        if as_json:
            echo_json({"address": address}, indent=None)
        else:
            line(f"Review at {address}")
            line("Ctrl-C ends it.")
        if not no_browser:
            threading.Timer(0.5, webbrowser.open, [address]).start()
        app = make_app(desk, token, port, by)
        uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)).run([listening])


def _show_lessons(desk: ReviewDesk, as_json: bool) -> None:
    from paxman.review.lessons import Learning

    learning = Learning(desk)
    learning.learn()
    state = learning.state
    if as_json:
        echo_json({**state, "written": [str(path) for path in learning.save("learned")]})
        return
    for text in state["lessons"] or ["there are no decisions to learn from"]:
        line(text)
    for change in state["changes"]:
        line("{document}: {field}: {old} -> {new} ({why})".format_map(change))
    total = sum(state["counts"].values())
    line(f"{total} values would change on the {state.get('total', 0)} documents that were tried")
    for path in learning.save("learned"):
        line(f"written: {path}; to apply them: paxman review ... --lessons {path}")


@click.command()
@click.option(
    "--root",
    type=click.Path(),
    metavar="FOLDER",
    help="Let agents read documents and contracts below this folder.",
)
@settings_options
@json_option
def mcp(root: str | None, settings: Settings, as_json: bool) -> None:
    """Serve normalize, plan, explain and verify as tools of the Model Context Protocol, over standard input.

    What agents and the server say to each other is JSON in any case. Without --root no files are read.
    """
    from paxman.integrations.mcp import serve

    if root and not Path(root).is_dir():
        raise click.UsageError(f"--root: there is no folder {root!r}")
    settings.activate()
    serve(settings, Path(root) if root else None)
