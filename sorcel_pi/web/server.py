"""The page's server: what answers where; files, games to read, and deeds by POST.

Who looks needs nothing; who does something needs a token, and the door has let the request in.
Everything that comes in is bounded.  It has no state of the game and decides nothing about it.
"""

import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp

from ..errors import NotationError
from .deeds import deed_of
from .desk import Desk
from .door import Doorkeeper
from .files import Files
from .guard import COOKIE, Rate
from .library import MAX_ID
from .lines import Lines

MAX_BODY = 16_384
MAX_LOG = 1 << 25
_YEAR_S = 365 * 24 * 3600
_NUMBER = re.compile(r"[0-9]{1,18}")

Endpoint = Callable[[Request], Awaitable[Response]]


class Pages:
    """The answers to everything that can be asked."""

    def __init__(self, desk: Desk) -> None:
        """Serve the table behind `desk`."""
        self._desk = desk
        self._files = Files()
        self._lines = Lines(desk)
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
            WebSocketRoute("/live", self._lines.serve),
            *(Route(path, _only_post(answer), methods=_METHODS) for path, answer in posts),
            *(Route(path, self._bounded(answer)) for path, answer in reads),
            Route("/{name:path}", self.file),
        ]

    # -- files and games --------------------------------------------------------------------------

    async def file(self, request: Request) -> Response:
        """Return a file of the page."""
        return self._files.answer(request)

    def _bounded(self, answer: Endpoint) -> Endpoint:
        async def bounded(request: Request) -> Response:
            if not self._reads.take():
                return PlainTextResponse("Too much at once.\n", 429)
            return await answer(request)

        return bounded

    async def games(self, request: Request) -> Response:
        """Return a part of the list of games: those before the one that is named, if one is."""
        text = request.query_params.get("before", "")
        before = int(text) if _NUMBER.fullmatch(text) else MAX_ID
        return JSONResponse(await run_in_threadpool(self._desk.games, before))

    async def game(self, request: Request) -> Response:
        """Return a game, position by position."""
        found = await run_in_threadpool(self._desk.game, request.path_params["number"])
        return _no_such_game() if found is None else JSONResponse(found)

    async def record(self, request: Request) -> Response:
        """Return the record of a game, to be kept."""
        number = request.path_params.get("number")
        text = await run_in_threadpool(self._desk.record, number)
        if text is None:
            return _no_such_game()
        name = "sorcel.txt" if number is None else f"sorcel-{number}.txt"
        return PlainTextResponse(text, headers=_to_keep(name))

    async def scans(self, request: Request) -> Response:
        """Return the scan log, to be kept."""
        content = await run_in_threadpool(_whole_lines, self._desk.scans())
        if content is None:
            return PlainTextResponse("No scans are logged.\n", 404)
        return PlainTextResponse(content, headers=_to_keep("sorcel-scans.txt"))

    # -- what needs a token -----------------------------------------------------------------------

    async def enter(self, request: Request) -> Response:
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

    async def show_code(self, request: Request) -> Response:
        """Let the table show its code by its lights."""
        if not self._tries.take():
            return JSONResponse({"error": "wait"}, 429)
        self._desk.show_code()
        return JSONResponse({})

    async def do(self, request: Request) -> Response:
        """Do something at the table."""
        if not self._desk.guard.knows(request.cookies.get(COOKIE)):
            return JSONResponse({"error": "code"}, 403)
        data = await _body(request)
        try:
            self._desk.do(deed_of(data))
        except NotationError as error:
            return JSONResponse({"error": str(error)}, 400)
        return JSONResponse({})


_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


def _only_post(answer: Endpoint) -> Endpoint:
    async def only_post(request: Request) -> Response:
        if request.method != "POST":
            return JSONResponse({"error": "post"}, 403)
        try:
            return await answer(request)
        except ValueError:
            return JSONResponse({"error": "form"}, 400)

    return only_post


async def _body(request: Request) -> Any:
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
