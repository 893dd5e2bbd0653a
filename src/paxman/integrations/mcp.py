"""A server of the Model Context Protocol: normalize, plan, explain and verify as tools for agents."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from paxman.api.inputs import InputData
from paxman.api.normalize import normalize, plan
from paxman.api.verification import verify
from paxman.artifact.replay import load_unchanged
from paxman.config import Settings, load_settings
from paxman.contract import adapt
from paxman.contract.containment import find_inside, outside
from paxman.contract.loading import find_file
from paxman.contract.model import CanonicalContract
from paxman.documents.records import read_source
from paxman.errors import ConfigurationError, PaxmanError
from paxman.integrations import needs
from paxman.learning.attaching import attach_own
from paxman.report.explanation import explain_fields, load_source
from paxman.serialization import to_plain
from paxman.version import __version__

if TYPE_CHECKING:
    from mcp.server import MCPServer

_WHAT = (
    "Paxman turns a document and a contract into typed data with evidence. Give the document as `text`, or as `path` "
    "below the folder that the server was started with. What cannot be found is unresolved, never guessed."
)


@attrs.frozen
class Tools:
    """The tools. Files are read only below `root`, so that a document cannot talk an agent into reading others."""

    settings: Settings
    root: Path | None = None

    def normalize(self, contract: dict[str, Any] | str, text: str | None = None, path: str | None = None) -> Any:
        """Read a document into the contract's data; the artifact has evidence and confidence for each field."""
        given, canonical = self._document(text, path), self._contract(contract)
        return normalize(given, canonical, self.settings.budget, self.settings.policy).to_dict()

    def plan(self, contract: dict[str, Any] | str, text: str | None = None, path: str | None = None) -> Any:
        """Say what normalize would try for each field, why not more, and the most it can cost."""
        given, canonical = self._document(text, path), self._contract(contract)
        return plan(given, canonical, self.settings.budget, self.settings.policy).to_dict()

    def explain(
        self, artifact: dict[str, Any], text: str | None = None, path: str | None = None, field: str | None = None
    ) -> Any:
        """Tell how each value of an artifact came about; with its document, quoting it. A field may be items[0].qty."""
        loaded, document = load_unchanged(artifact), None
        if text is not None or path is not None:
            raw = load_source(self._document(text, path), loaded)
            document = read_source(raw.data, raw.name, records=bool(loaded.root))
        return {"fields": [to_plain(attrs.asdict(view)) for view in explain_fields(loaded, field, document)]}

    def verify(
        self,
        artifact: dict[str, Any],
        text: str | None = None,
        path: str | None = None,
        contract: dict[str, Any] | str | None = None,
    ) -> Any:
        """Check an artifact's hash and every piece of its evidence against the document."""
        canonical = None if contract is None else self._contract(contract)
        return verify(artifact, self._document(text, path), canonical).to_dict()

    def _document(self, text: str | None, path: str | None) -> InputData:
        if (text is None) == (path is None):
            raise ConfigurationError("give the document as `text` or as `path`, one of the two")
        return text if text is not None else self._below_root(str(path))

    def _contract(self, contract: dict[str, Any] | str) -> CanonicalContract:
        """A contract from a file may name tables in files below the root; one that an agent writes holds them."""
        file = find_file(Path(contract)) if isinstance(contract, str) else None
        part = f"#{file.fragment}" if file and file.fragment else ""
        canonical = adapt(f"{self._below_root(str(file.path))}{part}" if file else contract)
        strays = outside(canonical, self.root if file else None)
        if strays:
            rule = (
                "names only files below the server's folder" if file else "given inline holds its lookup tables itself"
            )
            raise ConfigurationError(f"{', '.join(strays)}: a contract {rule}")
        return attach_own(self.settings.with_labels(canonical), self.settings["lessons"])

    def _below_root(self, path: str) -> Path:
        if self.root is None:
            raise ConfigurationError("this server reads no files; start it with: paxman mcp --root FOLDER")
        found = find_inside(self.root, path)
        if found is None or not os.path.isfile(found):  # a name that is too long is none
            raise ConfigurationError(f"there is no file {path!r} below the server's folder")
        return found


def _polite(tool: Callable[..., Any]) -> Callable[..., Any]:
    """An error about what was given is an answer to the agent, not a crash of the tool."""
    from mcp.server.mcpserver.exceptions import ToolError

    @wraps(tool)
    def answer(**values: Any) -> Any:
        try:
            return tool(**values)
        except (PaxmanError, OSError, ValueError, TypeError) as error:
            code = getattr(error, "error_code", type(error).__name__)
            raise ToolError(f"{code}: {error}") from None

    return answer


def make_server(settings: Settings | None = None, root: Path | None = None) -> MCPServer[Any]:
    """The server, not yet running."""
    with needs("mcp"):
        from mcp.server import MCPServer
    server: MCPServer[Any] = MCPServer("paxman", instructions=_WHAT, version=__version__, log_level="WARNING")
    tools = Tools(settings or load_settings(), root)
    for tool in (tools.normalize, tools.plan, tools.explain, tools.verify):
        server.tool(structured_output=False)(_polite(tool))
    return server


def serve(settings: Settings | None = None, root: Path | None = None) -> None:
    """Serve over standard input and output until that is closed."""
    make_server(settings, root).run("stdio")
