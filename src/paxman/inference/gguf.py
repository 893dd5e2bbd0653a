"""The far side of a local model: the helper process loads a GGUF file and answers one request after the other."""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from functools import cache
from socket import SHUT_RDWR, socket
from tempfile import TemporaryDirectory
from typing import Any

_QUIET = -1


def answer(data: bytes, options: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
    """The model's reply to the body of a request, or the name of what it raised."""
    try:
        return {"reply": _server(**options).handle_chat_completions(json.loads(data))}, []
    except Exception as error:
        return {"raised": type(error).__name__}, []


@cache
def _server(path: str, context_tokens: int, threads: int, gpu_layers: int | None) -> Any:
    """The loaded model. It insists on serving HTTP: it gets a socket in a folder of ours, which is closed at once."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = path
    params.n_ctx = context_tokens
    params.n_parallel = 1
    params.verbosity = _QUIET
    params.warmup = False
    params.cpuparams.n_threads = threads
    if gpu_layers is not None:
        params.n_gpu_layers = gpu_layers
    with TemporaryDirectory() as folder:
        place = os.path.join(folder, "model.sock")
        if hasattr(params, "hostnames"):
            params.hostnames = [place]
        else:  # as earlier versions call it
            params.hostname = place
        server = xllamacpp.Server(params)
    _hang_up()
    return server


def _hang_up() -> None:
    with suppress(OSError):
        for number in map(int, os.listdir("/dev/fd")):
            with suppress(OSError):
                if stat.S_ISSOCK(os.fstat(number).st_mode):
                    with socket(fileno=os.dup(number)) as listening:
                        listening.shutdown(SHUT_RDWR)
