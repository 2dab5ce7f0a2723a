"""The page's server: files, games to read, deeds by POST, and a line to each open page.

Who looks needs nothing; who does something needs a token, and the Origin and Host of this page.
Everything that comes in is bounded.  It has no state of the game and decides nothing about it.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from ..errors import NotationError
from .deeds import deed_of, request_of
from .desk import Desk
from .files import Files
from .guard import COOKIE, Rate, host_is_ours, origin_is_ours
from .virtual import Request

MAX_BODY = 16_384
MAX_LOG = 1 << 25
MAX_CLIENTS = 100
MANY = 12
"""With more pages than this, those that only look are told a little less often."""
SLOW_S = 10.0
_YEAR_S = 365 * 24 * 3600

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self' {socket}; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
SECURITY = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}

Endpoint = Callable[[HttpRequest], Awaitable[Response]]


class Doorkeeper:
    """Lets in only what names this machine, and what changes anything only from its own page."""

    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        """Stand before `app`; `names` are those of this machine."""
        self._app, self._names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it with 403."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host, origin = headers.get("host"), headers.get("origin")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        allowed = host_is_ours(host, self._names)
        if changes:
            allowed = allowed and origin_is_ours(origin, host)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in SECURITY.items():
                    answer[name] = value
                answer["content-security-policy"] = POLICY.format(socket=f"ws://{host}")
                answer.setdefault("cache-control", "no-cache")
            await send(message)

        if allowed:
            await self._app(scope, receive, guarded)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            host = "localhost"  # what was given is not repeated
            await PlainTextResponse("Not from here.\n", 403)(scope, receive, guarded)


class Pages:
    """The answers to everything that can be asked."""

    def __init__(self, desk: Desk) -> None:
        """Serve the table behind `desk`."""
        self._desk = desk
        self._files = Files()
        self._numbers = count(1)
        self._open = 0
        self._reads = Rate(20.0, 80.0)
        self._tries = Rate(1.0, 5.0)

    def routes(self) -> list[Route | WebSocketRoute]:
        """Return what answers where."""
        posts: list[tuple[str, Endpoint]] = [
            ("/api/do", self.do),
            ("/api/enter", self.enter),
            ("/api/show_code", self.show_code),
        ]
        reads: list[tuple[str, Endpoint]] = [
            ("/api/games", self.games),
            ("/api/games/{number:int}", self.game),
            ("/record.txt", self.record),
            ("/games/{number:int}.txt", self.record),
            ("/scans.txt", self.scans),
        ]
        return [
            WebSocketRoute("/live", self.live),
            *(Route(path, _only_post(answer), methods=_METHODS) for path, answer in posts),
            *(Route(path, self._bounded(answer)) for path, answer in reads),
            Route("/{name:path}", self.file),
        ]

    # -- files and games --------------------------------------------------------------------------

    async def file(self, request: HttpRequest) -> Response:
        """Return a file of the page."""
        return self._files.answer(request)

    def _bounded(self, answer: Endpoint) -> Endpoint:
        async def bounded(request: HttpRequest) -> Response:
            if not self._reads.take():
                return PlainTextResponse("Too much at once.\n", 429)
            return await answer(request)

        return bounded

    async def games(self, request: HttpRequest) -> Response:
        """Return the list of games."""
        return JSONResponse(await run_in_threadpool(self._desk.games))

    async def game(self, request: HttpRequest) -> Response:
        """Return a game, position by position."""
        found = await run_in_threadpool(self._desk.game, request.path_params["number"])
        return _no_such_game() if found is None else JSONResponse(found)

    async def record(self, request: HttpRequest) -> Response:
        """Return the record of a game, to be kept."""
        number = request.path_params.get("number")
        text = await run_in_threadpool(self._desk.record, number)
        if text is None:
            return _no_such_game()
        name = "sorcel.txt" if number is None else f"sorcel-{number}.txt"
        return PlainTextResponse(text, headers=_to_keep(name))

    async def scans(self, request: HttpRequest) -> Response:
        """Return the scan log, to be kept."""
        content = await run_in_threadpool(_whole_lines, self._desk.scans())
        if content is None:
            return PlainTextResponse("No scans are logged.\n", 404)
        return PlainTextResponse(content, headers=_to_keep("sorcel-scans.txt"))

    # -- what needs a token -----------------------------------------------------------------------

    async def enter(self, request: HttpRequest) -> Response:
        """Give a token for the table's code."""
        guard = self._desk.guard
        if guard.closed() or not self._tries.take():
            return JSONResponse({"error": "wait"}, 429)
        data = await _body(request)
        code = data.get("code") if isinstance(data, dict) else None
        token = guard.enter(code) if isinstance(code, str) and len(code) <= 16 else None
        if token is None:
            return JSONResponse({"error": "wait" if guard.closed() else "wrong"}, 403)
        answer = JSONResponse({})
        answer.set_cookie(
            COOKIE, token, max_age=_YEAR_S, httponly=True, samesite="strict", path="/"
        )
        return answer

    async def show_code(self, request: HttpRequest) -> Response:
        """Let the table show its code by its lights."""
        if not self._tries.take():
            return JSONResponse({"error": "wait"}, 429)
        self._desk.show_code()
        return JSONResponse({})

    async def do(self, request: HttpRequest) -> Response:
        """Do something at the table."""
        if not self._desk.guard.knows(request.cookies.get(COOKIE)):
            return JSONResponse({"error": "code"}, 403)
        data = await _body(request)
        try:
            self._desk.do(deed_of(data))
        except NotationError as error:
            return JSONResponse({"error": str(error)}, 400)
        return JSONResponse({})

    # -- the line to an open page -----------------------------------------------------------------

    async def live(self, socket: WebSocket) -> None:
        """Tell a page what there is to see, and take what it asks for."""
        may = self._desk.guard.knows(socket.cookies.get(COOKIE))
        # Those who only look cannot keep out those who play.
        if self._open >= MAX_CLIENTS * (2 if may else 1):
            await socket.close(1013)
            return
        client = next(self._numbers)
        self._open += 1
        telling = None
        try:
            await socket.accept()
            hello = {"t": "hello", "client": client, "may": may, "hands": bool(self._desk.hand)}
            await socket.send_text(json.dumps(hello))
            telling = asyncio.create_task(self._tell(socket, may))
            await self._hear(socket, client, may)
        except WebSocketDisconnect:
            pass
        finally:
            self._open -= 1
            if telling is not None:
                telling.cancel()
                with suppress(asyncio.CancelledError):
                    await telling
            if may and self._desk.hand is not None:
                self._desk.hand(Request(client, "back"))

    async def _tell(self, socket: WebSocket, may: bool) -> None:
        """Send what is new, each kind at its latest."""
        hub = self._desk.hub
        event, number = hub.join(), 0
        try:
            while True:
                for message in hub.after(number):
                    async with asyncio.timeout(SLOW_S):
                        await socket.send_text(message.text)
                    number = message.number
                if not may and self._open > MANY:
                    await asyncio.sleep(0.002 * self._open)
                await event.wait()
                event.clear()
        except (WebSocketDisconnect, RuntimeError, TimeoutError, OSError):
            with suppress(Exception):
                await socket.close(1008)
        finally:
            hub.leave(event)

    async def _hear(self, socket: WebSocket, client: int, may: bool) -> None:
        """Take messages until there are too many or one is out of form."""
        rate = Rate(100.0, 200.0) if may else Rate(2.0, 10.0)
        while True:
            message = await socket.receive()
            if message["type"] != "websocket.receive":
                return
            text = message.get("text")
            if not rate.take() or text is None or not may:
                await socket.close(1008)
                return
            try:
                self._take(client, json.loads(text))
            except (ValueError, RecursionError):  # not JSON, or nothing that can be asked
                await socket.close(1008)
                return

    def _take(self, client: int, data: Any) -> None:
        request = request_of(client, data)
        if request is None:
            self._desk.do(deed_of(data))
        elif self._desk.hand is not None:
            self._desk.hand(request)


_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


def _only_post(answer: Endpoint) -> Endpoint:
    async def only_post(request: HttpRequest) -> Response:
        if request.method != "POST":
            return JSONResponse({"error": "post"}, 403)
        try:
            return await answer(request)
        except ValueError:
            return JSONResponse({"error": "form"}, 400)

    return only_post


async def _body(request: HttpRequest) -> Any:
    """Return the JSON of a request; ValueError if it is too long or none."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > MAX_BODY:
            raise ValueError("too long")
        parts.append(part)
    try:
        return json.loads(b"".join(parts))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _whole_lines(path: Path | None) -> bytes | None:
    """Return what a file that is being written holds, up to the end of a line."""
    try:
        content = b"" if path is None else path.read_bytes()[:MAX_LOG]
    except OSError:
        return None
    return None if path is None else content[: content.rfind(b"\n") + 1]


def _no_such_game() -> Response:
    return PlainTextResponse("There is no such game.\n", 404)


def _to_keep(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}


def make_server(desk: Desk, names: frozenset[str]) -> ASGIApp:
    """Return the ASGI application of a table."""
    return Doorkeeper(Starlette(routes=Pages(desk).routes()), names)
