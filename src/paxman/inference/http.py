"""JSON over HTTP with a deadline for the whole answer; every way to fail has a name."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from paxman.errors import ConfigurationError, InferenceProviderError
from paxman.inference.provider import failure
from paxman.inference.secrets import is_secret

if TYPE_CHECKING:
    import httpx

_LARGEST_ANSWER = 4_000_000
RENAMED_LIMIT = "max_completion_tokens"
_TOO_LARGE = re.compile(r"context.?(?:length|size|window)|prompt is too long|too many tokens", re.I)
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_OVERLOADED = frozenset({503, 529})


class Connected:
    """A provider that keeps its connections between calls; a copy of it in another process opens its own."""

    timeout: float
    tier: str

    @cached_property
    def _client(self) -> httpx.Client:
        return _make_client(self.timeout, self.tier)

    def close(self) -> None:
        """Close the kept connections; the next call opens new ones."""
        client = self.__dict__.pop("_client", None)
        if client is not None:
            client.close()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_client"}


def _make_client(timeout: float, tier: str) -> httpx.Client:
    """A client that keeps its connections; certificates and proxies are those of the system, for a local model none."""
    try:
        import httpx
    except ImportError:
        raise ConfigurationError("models over HTTP need httpx: pip install 'paxman-data[remote]'") from None
    limits = httpx.Timeout(timeout, connect=min(timeout, 10.0))
    return httpx.Client(timeout=limits, follow_redirects=False, trust_env=tier != "local")


def check_url(url: str, tier: str) -> str:
    """A base URL without a password in it; only a loopback address may be called local."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
        raise ConfigurationError("base_url is http:// or https:// and a host, without user and password")
    if tier == "local" and parts.hostname not in _LOOPBACK:
        raise ConfigurationError("only an endpoint on this machine may be called local; use tier='remote'")
    written = [name for name, _ in parse_qsl(parts.query, keep_blank_values=True) if is_secret(name)]
    if written:
        raise ConfigurationError(f"base_url holds a key ({', '.join(written)}): give api_key='env:NAME' and key_header")
    return url.rstrip("/")


def post(client: httpx.Client, url: str, headers: Mapping[str, str], body: Any, timeout: float) -> Mapping[str, Any]:
    """The JSON object that the server answers; raises a named failure otherwise, never quoting the server."""
    _waiting.until = time.monotonic() + timeout
    return _parse(_fetch(client, url, headers, body, timeout))


_waiting = threading.local()


def _bound(event: str, info: Mapping[str, Any]) -> None:
    """Hold a new connection to the deadline of whoever reads from it.

    httpx limits each wait for a byte, so that an answer byte by byte could take for ever.
    """
    if event.endswith(("connect_tcp.complete", "start_tls.complete")):
        stream = info["return_value"]
        stream.read = partial(_read_in_time, stream.read)


def _read_in_time(read: Callable[[int, float], bytes], most: int, timeout: float | None = None) -> bytes:
    import httpcore

    left = _waiting.until - time.monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout
    return read(most, left)


def _fetch(client: httpx.Client, url: str, headers: Mapping[str, str], body: Any, timeout: float) -> bytes:
    import httpx

    watched = {"trace": _bound}
    try:
        with client.stream("POST", url, headers=dict(headers), json=body, extensions=watched) as response:
            if response.status_code != 200:
                raise _refused(response, body)
            return _read(response)
    except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout):
        raise failure(
            "unreachable", "the model's server cannot be reached", retry=True, billed=False, sent=False
        ) from None
    except httpx.TimeoutException:
        raise failure("timeout", f"no answer within {timeout:g} seconds", retry=True) from None
    except httpx.LocalProtocolError:
        raise failure("unconfigured", "the headers of the request cannot be sent", billed=False, sent=False) from None
    except httpx.DecodingError:
        raise failure("malformed", "the server's answer cannot be decoded") from None
    except httpx.TransportError:
        raise failure("cut_off", "the connection broke before the answer was complete", retry=True) from None


def _refused(response: httpx.Response, body: Mapping[str, Any]) -> InferenceProviderError:
    """Why the server turned the request away; only what it complains of is looked for in its words."""
    status = response.status_code
    said = _read(response).decode("utf-8", "replace") if status in (400, 413) else ""
    if status == 413 or is_too_large(said):
        return failure("too_large", "the request does not fit the model", billed=False)
    if RENAMED_LIMIT in said and "max_tokens" in body:
        return failure(RENAMED_LIMIT, f"the model wants {RENAMED_LIMIT}", retry=True, billed=False, retry_after=0.0)
    return refusal(status, response.headers.get("retry-after"))


def is_too_large(said: str) -> bool:
    """Whether an error speaks of the model's context."""
    return bool(_TOO_LARGE.search(said))


def _read(response: httpx.Response) -> bytes:
    content = bytearray()
    for chunk in response.iter_bytes():
        content += chunk
        if len(content) > _LARGEST_ANSWER:
            raise failure("too_long", f"the answer is longer than {_LARGEST_ANSWER} bytes")
    return bytes(content)


def _parse(content: bytes) -> Mapping[str, Any]:
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        raise failure("malformed", "the server's answer is not JSON") from None
    if not isinstance(data, dict):
        raise failure("malformed", "the server's answer is not an object")
    return data


def refusal(status: int, retry_after: str | None = None) -> InferenceProviderError:
    """The failure that a status means."""
    reason = "rate_limited" if status == 429 else "unavailable" if status >= 500 else "refused"
    return failure(
        reason,
        f"the model's server answered with status {status}",
        retry=status in _PASSING,
        # Below 500, or when overloaded, the request was turned away before a model saw it.
        billed=status >= 500 and status not in _OVERLOADED,
        retry_after=_seconds(retry_after),
    )


def _seconds(retry_after: str | None) -> float | None:
    """Seconds to wait, from a number or a date."""
    if not retry_after:
        return None
    if _NUMBER.fullmatch(retry_after.strip()):
        return float(retry_after)
    from email.utils import parsedate_to_datetime

    try:
        return max(parsedate_to_datetime(retry_after).timestamp() - time.time(), 0.0)
    except (ValueError, OverflowError):
        return None
