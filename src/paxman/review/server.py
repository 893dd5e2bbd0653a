"""The server of a review: on this machine only, for who has the token, and for no other page of the browser."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Awaitable, Callable
from hmac import compare_digest
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from paxman.errors import PaxmanError
from paxman.report.shell import policy
from paxman.review.desk import OpenDocument, OutdatedError, ReviewDesk
from paxman.review.lessons import Learning
from paxman.review.page import document_page, pictures_of, queue_page, sheet_parts

_LARGEST = 4_000_000
_HEADERS = {
    "Content-Security-Policy": policy("review/page") + "; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Refuses what does not come from this machine's own page: another host name, origin, or no token."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self.app, self.token, self.cookie = app, token, f"paxman-review-{port}"
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send) if scope["type"] == "lifespan" else None
        request = Request(scope)
        refused = self._refused(request)
        answer: ASGIApp = self.app
        if refused:
            answer = Response(refused, 403, _HEADERS, "text/plain")
        elif request.method == "GET" and self._is_ours(request.query_params.get("token", "")):
            answer = RedirectResponse(request.url.path, 303, _HEADERS)
            answer.set_cookie(self.cookie, self.token, httponly=True, samesite="strict")
        await answer(scope, receive, send)
        return None

    def _is_ours(self, token: str) -> bool:
        return compare_digest(token.encode(), self.token.encode())

    def _refused(self, request: Request) -> str:
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        if host not in self.hosts:
            return "this host name is not served"
        same_site = request.headers.get("sec-fetch-site", "none") in ("same-origin", "none")
        if origin not in (None, f"http://{host}") or not same_site:
            return "other pages may not ask"
        token = request.cookies.get(self.cookie, "") or request.query_params.get("token", "")
        if not self._is_ours(token):
            return "open the address that `paxman review` printed: it holds the token"
        is_json = request.headers.get("content-type") == "application/json"
        if request.method == "POST" and (origin is None or not is_json):
            return "a decision must come from the page itself, as JSON"
        return ""


Handler = Callable[[Request, Any], Response]


def _endpoint(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """In a thread, since reading a document takes time; errors are told in the words of the contract or the desk."""

    async def answer(request: Request) -> Response:
        body: Any = None
        if request.method == "POST":
            if int(request.headers.get("content-length") or _LARGEST + 1) > _LARGEST:
                return JSONResponse({"problem": "too much"}, 413, _HEADERS)
            try:
                body = json.loads(await request.body())
            except ValueError:
                return JSONResponse({"problem": "not JSON"}, 400, _HEADERS)
        try:
            made = await run_in_threadpool(handler, request, body)
        except OutdatedError as error:
            made = JSONResponse({"problem": str(error)}, 409)
        except (PaxmanError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError, OSError) as error:
            told = str(error) if isinstance(error, PaxmanError) else f"{type(error).__name__}: {error}"
            made = JSONResponse({"problem": told}, 404 if isinstance(error, KeyError) else 400)
        made.headers.update(
            {**_HEADERS, **({"Cache-Control": made.headers["x-kept"]} if "x-kept" in made.headers else {})}
        )
        return made

    return answer


def make_app(desk: ReviewDesk, token: str, port: int, by: str) -> Starlette:
    """The pages and what they ask for."""
    learning = Learning(desk)

    def show_queue(request: Request, body: Any) -> Response:
        desk.read_ahead()
        return HTMLResponse(queue_page(desk, dict(request.query_params), by))

    def counts(request: Request, body: Any) -> Response:
        return JSONResponse({"complete": desk.queue.complete, **desk.queue.counts()})

    def show_document(request: Request, body: Any) -> Response:
        number = request.path_params["number"]
        return HTMLResponse(document_page(desk, desk.open(number), dict(request.query_params), by))

    def picture(request: Request, body: Any) -> Response:
        sheet = desk.open(request.path_params["number"])
        kind, _, encoded = pictures_of(sheet)[request.path_params["page"]].partition(";base64,")
        kept = {"x-kept": "private, max-age=3600"}
        return Response(base64.b64decode(encoded), 200, kept, kind.removeprefix("data:"))

    def next_document(request: Request, body: Any) -> Response:
        wanted = dict(request.query_params)
        who = wanted.pop("by", by)
        return JSONResponse({"next": desk.queue.after(request.path_params["number"], who, time.time(), wanted)})

    def act(request: Request, body: Any) -> Response:
        number, verb = request.path_params["number"], request.path_params["verb"]
        made = getattr(desk, verb)(number, **{name: body.get(name) for name in _ACTS[verb]})
        if isinstance(made, OpenDocument):
            learning.decided(undone=verb == "undo")
            made = sheet_parts(made)
        return JSONResponse(made)

    def lessons(request: Request, body: Any) -> Response:
        if request.method == "POST":
            {"learn": learning.start, "apply": learning.apply, "take-back": learning.take_back}[body["do"]]()
        return JSONResponse(learning.state)

    routes = [
        Route("/", _endpoint(show_queue)),
        Route("/favicon.ico", lambda request: Response(status_code=204)),
        Route("/counts", _endpoint(counts)),
        Route("/lessons", _endpoint(lessons), methods=["GET", "POST"]),
        Route("/document/{number:int}", _endpoint(show_document)),
        Route("/document/{number:int}/next", _endpoint(next_document)),
        Route("/document/{number:int}/picture/{page:int}", _endpoint(picture)),
        Route("/document/{number:int}/{verb}", _endpoint(act), methods=["POST"]),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard, token=token, port=port)])


_DECIDING = ("version", "by")
_ACTS: dict[str, tuple[str, ...]] = {
    "accept": (*_DECIDING, "path"),
    "value": (*_DECIDING, "path", "text", "spans"),
    "rows": (*_DECIDING, "path", "rows", "shown"),
    "bind": (*_DECIDING, "path", "column", "spans"),
    "undo": _DECIDING,
    "skip": (),
    "opened": ("by",),
    "open": (),
    "check": ("path", "text"),
    "read": ("path", "spans"),
}
"""What the page may ask of the desk, with what it has to say for it."""
