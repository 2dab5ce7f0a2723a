"""The page's server: what answers where; files, games to read, and commands by POST.

Who looks needs nothing; who does something needs a token.  Everything that comes in is bounded.  It
has no state of the game and decides nothing about it.
"""

import json
import re
from collections.abc import Awaitable, Callable, Container, Iterator
from os import SEEK_END
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from ..errors import NotationError, SorcelError
from ..rules.board import board_from_text, standard_board
from ..rules.notation import parse_position
from ..rules.position import Position
from ..rules.svg import draw_position
from ..store.store import MAX_ID
from ..table.lights.palette import PALETTES
from .api import Controller, parse_command, parse_revision
from .assets import Assets
from .auth import browser_of, cookie_name, token_of
from .doors import Porter, group_of
from .legend import legend
from .middleware import AccessMiddleware
from .ratelimit import Rate, Rates
from .snapshot import shown_position, to_json
from .websocket import Sockets

MAX_BODY = 16_384
MAX_LOG = 1 << 25
MAX_CODE = 1000
MAX_DOWNLOADS = 2
"""How many may have the scan log sent at a time."""
_PART = 1 << 16
_YEAR_S = 365 * 24 * 3600
_NUMBER = re.compile(r"[0-9]{1,18}")

Endpoint = Callable[[Request], Awaitable[Response]]


class Pages:
    """The answers to everything that can be asked."""

    def __init__(self, controller: Controller) -> None:
        """Serve the table of `controller`."""
        self._controller = controller
        self._assets = Assets()
        self._sockets = Sockets(controller)
        self._reads = Rate(20.0, 80.0)
        self._tries = Rates(lambda: Rate(1.0, 5.0), Rate(10.0, 50.0))
        self._first_tries = Rates(lambda: Rate(1.0, 5.0), Rate(5.0, 50.0))
        self._shown = Rates(lambda: Rate(1.0, 5.0), Rate(10.0, 50.0))
        self._downloads = 0

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
            ("/api/games/now", self.game),
            ("/api/position", self.position),
            ("/position.svg", self.picture),
            ("/record.txt", self.record),
            ("/games/{number:int}.txt", self.record),
            ("/scans.txt", self.scans),
            ("/legend.json", self.legend),
        ]
        return [
            WebSocketRoute("/live", self._sockets.serve),
            *(Route(path, _only_post(answer), methods=_METHODS) for path, answer in posts),
            *(Route(path, self._bounded(answer)) for path, answer in reads),
            Route("/{name:path}", self.file),
        ]

    # -- files and games --------------------------------------------------------------------------

    async def file(self, request: Request) -> Response:
        """Return a file of the page."""
        return self._assets.answer(request)

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
        return _json(await run_in_threadpool(self._controller.games, before))

    async def game(self, request: Request) -> Response:
        """Return a game, position by position."""
        number = request.path_params.get("number")
        found = await run_in_threadpool(self._controller.game, number)
        return _no_such_game() if found is None else _json(found)

    async def position(self, request: Request) -> Response:
        """Return what stands where in the position whose code is asked for."""
        found = _asked_position(request)
        return _no_such_position() if found is None else _json(shown_position(found))

    async def picture(self, request: Request) -> Response:
        """Return a drawing of the position whose code is asked for."""
        found = _asked_position(request)
        if found is None:
            return _no_such_position()
        text = await run_in_threadpool(draw_position, found)
        return Response(text, media_type="image/svg+xml")

    async def record(self, request: Request) -> Response:
        """Return the record of a game, to be kept."""
        number = request.path_params.get("number")
        text = await run_in_threadpool(self._controller.record, number)
        if text is None:
            return _no_such_game()
        name = "sorcel.txt" if number is None else f"sorcel-{number}.txt"
        return PlainTextResponse(text.encode(errors="replace"), headers=_to_keep(name))

    async def scans(self, request: Request) -> Response:
        """Return the scan log, to be kept."""
        path = self._controller.scan_log()
        size = None if path is None else await run_in_threadpool(_whole_lines, path)
        if path is None or size is None:
            return PlainTextResponse("No scans are logged.\n", 404)
        if self._downloads >= MAX_DOWNLOADS:
            return PlainTextResponse("Too much at once.\n", 429)
        self._downloads += 1
        return _Download(_parts(path, size), "sorcel-scans.txt", self._downloaded)

    async def legend(self, request: Request) -> Response:
        """Return the legend of the lights, in the palette that is named."""
        palette = request.query_params.get("palette", "")
        chosen = palette if palette in PALETTES else "default"
        return _json(await run_in_threadpool(legend, chosen))

    def _downloaded(self) -> None:
        self._downloads -= 1

    # -- what needs a token -----------------------------------------------------------------------

    async def enter(self, request: Request) -> Response:
        """Give a token for the table's code."""
        auth, who = self._controller.auth, _address(request)
        # Those who guess leave room for those who have given no wrong code yet.
        tries = self._tries if auth.is_stranger(who) else self._first_tries
        if auth.closed(who) or not tries.take(who):
            return JSONResponse({"error": "wait"}, 429)
        data = await _body(request)
        code = data.get("code") if isinstance(data, dict) else None
        token = auth.enter(code, who) if isinstance(code, str) and len(code) <= 16 else None
        if token is None:
            return JSONResponse({"error": "wait" if auth.closed(who) else "wrong"}, 403)
        answer = JSONResponse({})
        name = cookie_name(request.scope)
        answer.set_cookie(name, token, max_age=_YEAR_S, httponly=True, samesite="strict", path="/")
        return answer

    async def show_code(self, request: Request) -> Response:
        """Let the table show its code by its lights."""
        if not self._shown.take(_address(request)):
            return JSONResponse({"error": "wait"}, 429)
        self._controller.show_code()
        return JSONResponse({})

    async def do(self, request: Request) -> Response:
        """Do something at the table."""
        if not self._controller.auth.knows(token_of(request)):
            return JSONResponse({"error": "code"}, 403)
        data = await _body(request)
        try:
            browser = browser_of(token_of(request))
            self._controller.do(parse_command(data), parse_revision(data), browser)
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


class _Download(StreamingResponse):
    """A file to be kept, sent in parts; in the end, whatever it is, `ended` is told."""

    def __init__(self, parts: Iterator[bytes], name: str, ended: Callable[[], None]) -> None:
        super().__init__(parts, headers=_to_keep(name), media_type="text/plain")
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ended()


def _whole_lines(path: Path) -> int | None:
    """Return how many bytes of a file that is being written are whole lines, up to `MAX_LOG`."""
    try:
        with path.open("rb") as file:
            end = min(file.seek(0, SEEK_END), MAX_LOG)
            while end > 0:
                begin = max(0, end - _PART)
                file.seek(begin)
                found = file.read(end - begin).rfind(b"\n")
                if found >= 0:
                    return begin + found + 1
                end = begin
    except OSError:
        return None
    return 0


def _parts(path: Path, size: int) -> Iterator[bytes]:
    """Yield the first `size` bytes of a file."""
    with path.open("rb") as file:
        while size > 0 and (part := file.read(min(size, _PART))):
            size -= len(part)
            yield part


def _address(request: Request) -> str:
    return "" if request.client is None else group_of(request.client.host)


def _json(value: dict[str, Any]) -> Response:
    return Response(to_json(value), media_type="application/json")


def _asked_position(request: Request) -> Position | None:
    """Return the position whose code, and board file if it is no standard one, are asked for."""
    code, file = request.query_params.get("code", ""), request.query_params.get("board", "")
    if len(code) > MAX_CODE or len(file) > MAX_BODY:
        return None
    try:
        board = board_from_text(file) if file else standard_board()
        return parse_position(code, board)
    except (SorcelError, ValueError):
        return None


def _no_such_position() -> Response:
    return PlainTextResponse("There is no such position.\n", 404)


def _no_such_game() -> Response:
    return PlainTextResponse("There is no such game.\n", 404)


def _to_keep(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}


def make_asgi_app(controller: Controller, names: Container[str]) -> ASGIApp:
    """Return the ASGI application of a table."""
    pages = Starlette(routes=Pages(controller).routes())
    return Porter(AccessMiddleware(pages, names), controller.auth.knows)
