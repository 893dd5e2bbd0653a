"""The group of commands: a table of names, so that help and version import nothing but click."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from paxman.version import __version__

COMMANDS: dict[str, tuple[str, str]] = {
    "try": ("paxman.cli.trying:try_file", "Look at a document of your own; no contract is needed."),
    "normalize": ("paxman.cli.normalizing:normalize", "Turn documents into the contract's data."),
    "batch": ("paxman.cli.batching:batch", "Normalize many documents, and go on where a run was stopped."),
    "plan": ("paxman.cli.explaining:plan", "Show the steps that would be tried, and the most they can cost."),
    "explain": ("paxman.cli.explaining:explain", "Say where a value comes from and why it is trusted."),
    "report": ("paxman.cli.explaining:report", "Write an HTML page for one artifact or a folder of them."),
    "review": (
        "paxman.cli.reviewing:review",
        "Look at values beside their documents, correct and teach, in the browser.",
    ),
    "replay": ("paxman.cli.checking:replay", "Check a stored artifact against its contract, without the document."),
    "verify": ("paxman.cli.checking:verify", "Check every piece of evidence against the document."),
    "sign": ("paxman.cli.checking:sign", "Sign artifacts, so that others can tell who made them."),
    "keygen": ("paxman.cli.checking:keygen", "Make a pair of keys to sign with."),
    "diff": ("paxman.cli.checking:diff", "Show what changed between two artifacts, and why."),
    "correct": ("paxman.cli.teaching:correct", "Correct a value of an artifact, and keep it as an example."),
    "learn": ("paxman.cli.teaching:learn", "Learn from documents whose right values you know."),
    "evaluate": ("paxman.cli.teaching:evaluate", "Measure how many values are right on such documents."),
    "contract": ("paxman.cli.contracts:contract", "Check, show, convert and start contracts."),
    "profile": ("paxman.cli.looking:profile", "Show what the planner knows of a document."),
    "read": ("paxman.cli.looking:read", "Show what a reader sees: text, tables, pairs, addresses."),
    "plugins": ("paxman.cli.looking:plugins", "List capabilities, readers, adapters and providers."),
    "config": ("paxman.cli.looking:config", "Show the settings in use, and where each comes from."),
    "doctor": ("paxman.cli.doctor:doctor", "Check that everything works here, and say what to do if not."),
    "demo": ("paxman.cli.demo:demo", "Normalize the bundled samples and write a report."),
    "mcp": ("paxman.cli.reviewing:mcp", "Serve normalize, plan, explain and verify to agents over standard input."),
    "completion": ("paxman.cli.looking:completion", "Print the completion script for a shell."),
    "version": ("paxman.cli.app:version", "Print the version."),
}
_NEAR = 0.75
"""How like an option another must be that is proposed for it."""
OK, UNRESOLVED, USAGE, FAILURE, STOPPED, CUT_OFF = 0, 1, 2, 3, 130, 141
EXIT_CODES = (
    (OK, "success"),
    (UNRESOLVED, "a required value is missing, a row was lost, a check failed, or two artifacts differ"),
    (USAGE, "bad usage, contract or configuration"),
    (FAILURE, "an artifact or a document failed its checks, or the run broke off"),
    (STOPPED, "stopped with Ctrl-C"),
    (CUT_OFF, "the program that reads the output ended early, such as `head`"),
)


class Commands(click.Group):
    """Loads a command on use, suggests the nearest name, and turns errors into exit codes."""

    as_json = False

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name = args[0] if args else ""
        if name and name not in COMMANDS and not name.startswith("-"):
            from paxman.errors import unknown_name

            raise click.UsageError(unknown_name("command", name, COMMANDS), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), text) for code, text in EXIT_CODES])

    def make_context(self, info_name: str | None, args: list[str], *rest: Any, **extra: Any) -> click.Context:
        self.as_json = "--json" in args
        with self._misuse():
            return super().make_context(info_name, args, *rest, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with self._misuse():
                return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            if os.environ.get("PAXMAN_DEBUG"):
                raise
            sys.exit(report_error(error, self.as_json))

    @contextmanager
    def _misuse(self) -> Iterator[None]:
        """Bad usage is JSON too when JSON was asked for; otherwise click says it best. Ctrl-C is no failure."""
        try:
            yield
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(CUT_OFF)
        except KeyboardInterrupt:
            click.echo("stopped", err=True)
            sys.exit(STOPPED)
        except click.ClickException as error:
            if isinstance(error, click.NoSuchOption):
                from paxman.errors import near_names

                near = near_names(error.option_name, error.possibilities or (), _NEAR)[:1]
                error = click.NoSuchOption(error.option_name, error.message.partition(" (")[0], near, error.ctx)
            if not self.as_json:
                raise
            _echo_error("BAD_USAGE", error.format_message())
            sys.exit(error.exit_code)


def report_error(error: Exception, as_json: bool) -> int:
    """Say what went wrong, as text or as JSON, and give the exit code."""
    from paxman.cli.output import printable
    from paxman.errors import ConfigurationError, InvalidContractError, PaxmanError

    message = str(error) if isinstance(error, PaxmanError) else f"{type(error).__name__}: {error}"
    if isinstance(error, OSError):
        message = ": ".join(str(part) for part in (error.filename, error.strerror or error) if part)
    if as_json:
        usual = "FILE_ERROR" if isinstance(error, OSError) else "UNEXPECTED_ERROR"
        wrong = error.context if isinstance(error, InvalidContractError) else {}
        _echo_error(getattr(error, "error_code", usual), message, wrong)
    else:
        click.echo(f"Error: {printable(message, lines=True)}", err=True)
    if getattr(error, "error_code", "") == "NOTHING_FOUND":
        return UNRESOLVED
    misuse = isinstance(error, ConfigurationError | InvalidContractError | FileNotFoundError | IsADirectoryError)
    return USAGE if misuse else FAILURE


def _echo_error(code: str, message: str, more: Mapping[str, Any] | None = None) -> None:
    import json

    click.echo(json.dumps({"error": {"code": code, "message": message, **(more or {})}}), err=True)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "-V", "--version", message="paxman %(version)s")
@click.option("--log", type=click.Choice(["debug", "info", "warning"]), help="Write a log as JSON lines to stderr.")
def app(log: str | None) -> None:
    """Any document plus your contract in; typed data with evidence, confidence and price out."""
    if log:
        from paxman.cli.output import start_log

        start_log(log)
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a letter gets its code instead of a crash.
        getattr(stream, "reconfigure", lambda **options: None)(errors="backslashreplace")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def version(as_json: bool) -> None:
    """Print the version."""
    click.echo(f'{{"version": "{__version__}"}}' if as_json else __version__)
