"""JSON over HTTP with a deadline for the whole answer; every way to fail has a name."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from paxman.errors import ConfigurationError, InferenceProviderError, to_install
from paxman.inference.provider import failure
from paxman.inference.secrets import has_key_prefix, is_secret, looks_secret

if TYPE_CHECKING:
    import httpx

_LARGEST_ANSWER = 4_000_000
RENAMED_LIMIT = "max_completion_tokens"
UNWANTED = ("temperature", "seed", "random_seed")
"""Parameters that some models turn away; what they ask for is good to have and no more."""
_LONGEST_WORDS = 300
_ECHO = 24
"""Characters in a row of what was asked by which a server's words are known to repeat the document."""
_TOO_LARGE = re.compile(r"context.?(?:length|size|window)|prompt is too long|too many tokens", re.I)
_OF_SCHEMA = re.compile(r"schema|grammar", re.I)
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_OVERLOADED = frozenset({503, 529})


def make_client(timeout: float, tier: str) -> httpx.Client:
    """A client that keeps its connections; certificates and proxies are those of the system, for a local model none."""
    try:
        import httpx
    except ImportError:
        raise ConfigurationError(f"models over HTTP need httpx: {to_install('remote')}") from None
    limits = httpx.Timeout(timeout, connect=min(timeout, 10.0))
    return httpx.Client(timeout=limits, follow_redirects=False, trust_env=tier != "local")


def check_url(url: str, tier: str) -> str:
    """A base URL without a password in it; only a loopback address may be called local."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
        raise ConfigurationError("base_url is http:// or https:// and a host, without user and password")
    if tier == "local" and not is_loopback(url):
        raise ConfigurationError("only an endpoint on this machine may be called local; use tier='remote'")
    written = [name for name, _ in parse_qsl(parts.query, keep_blank_values=True) if is_secret(name)]
    if written:
        raise ConfigurationError(f"base_url holds a key ({', '.join(written)}): give api_key='env:NAME' and key_header")
    return url.rstrip("/")


def is_loopback(url: str) -> bool:
    return urlsplit(url).hostname in _LOOPBACK


def post(client: httpx.Client, url: str, headers: Mapping[str, str], body: Any, timeout: float) -> Mapping[str, Any]:
    """The JSON object that the server answers; raises a named failure otherwise, in the server's own words."""
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
                raise _refused(response, body, headers)
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


def _refused(response: httpx.Response, body: Mapping[str, Any], headers: Mapping[str, str]) -> InferenceProviderError:
    """Why the server turned the request away, and what it is known to complain of."""
    status, said = response.status_code, _read(response).decode("utf-8", "replace")
    if status in (400, 413) and (status == 413 or is_too_large(said)):
        return failure("too_large", "the request does not fit the model", billed=False)
    if status in (400, 422):
        wanted = [RENAMED_LIMIT] if RENAMED_LIMIT in said and "max_tokens" in body else []
        for name in (*wanted, *(each for each in UNWANTED if each in body and re.search(rf"\b{each}\b", said))):
            return failure(name, f"the model does not take {name}", retry=True, billed=False, retry_after=0.0)
    refused = refusal(status, response.headers.get("retry-after"), server_words(said, body, headers))
    is_of_schema = status in (400, 422) and _OF_SCHEMA.search(said)
    return failure("schema", refused.message, billed=False) if is_of_schema else refused


def server_words(said: str, body: Any, headers: Mapping[str, str]) -> str:
    """What a server says of a request that it turned away: without keys, and nothing that repeats the document."""
    try:
        data = json.loads(said)
    except (ValueError, RecursionError):
        return ""
    data = data[0] if isinstance(data, list) and data else data
    found = data.get("error", data) if isinstance(data, dict) else ""
    found = (found.get("message") or found.get("detail") or "") if isinstance(found, dict) else found
    text = " ".join(found.split())[:_LONGEST_WORDS] if isinstance(found, str) else ""
    secrets = {part for value in headers.values() for part in value.split() if len(part) > 3}
    for secret in secrets:
        text = text.replace(secret, "(hidden)")
    words = (
        "(hidden)" if looks_secret(word.strip(".,;:'\"()")) or has_key_prefix(word) else word for word in text.split()
    )
    sent = " ".join(json.dumps(body, ensure_ascii=False).replace("\\n", " ").split())
    text = " ".join(words)
    repeats = any(text[at : at + _ECHO] in sent for at in range(len(text) - _ECHO + 1))
    return "" if repeats else text.rstrip(".")


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


def refusal(status: int, retry_after: str | None = None, words: str = "") -> InferenceProviderError:
    """The failure that a status means."""
    reason = "rate_limited" if status == 429 else "unavailable" if status >= 500 else "refused"
    return failure(
        reason,
        f"the server said: {words}" if words else f"the model's server answered with status {status}",
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
