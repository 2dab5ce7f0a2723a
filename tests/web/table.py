"""A simulated table at work with its page, on this machine only and on any free port."""

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from email.message import Message
from pathlib import Path
from typing import Any, NamedTuple

from websockets import Origin
from websockets.sync.client import ClientConnection, connect

from sorcel_pi import Game, parse_position
from sorcel_pi.app import App
from sorcel_pi.commands.play import ScanFile, open_with_page
from sorcel_pi.commands.table import database_of
from sorcel_pi.config.schema import Config, GameConfig, StoreConfig, WebConfig
from sorcel_pi.drivers.mock.table import MockTable
from sorcel_pi.store.records import GameStarted
from sorcel_pi.store.store import MAX_ID
from sorcel_pi.table.referee.inference import standing_of
from sorcel_pi.web.controller import PageController
from sorcel_pi.web.doors import Doors
from sorcel_pi.web.names import HouseNames
from sorcel_pi.web.screen_hands import ScreenBoard
from sorcel_pi.web.server import make_asgi_app
from sorcel_pi.web.thread import Listening, ServerThread

LONGEST_S = 30.0


class Answer(NamedTuple):
    """What came back for a request."""

    status: int
    headers: Message
    body: bytes


class Table:
    """The loop in a thread of its own, the page in another, until `close`."""

    def __init__(
        self,
        folder: Path,
        *,
        rules: str = "egressian",
        keep: bool = True,
        quick: bool = False,
        host: str = "127.0.0.1",
        listen: Callable[[str, int], Listening] | None = None,
        doors: Doors | None = None,
        **sections: Any,
    ) -> None:
        """Begin a game; `sections` are those of the config, without them pieces are simulated."""
        store = StoreConfig(path=str(folder))
        web = WebConfig(quick=quick)
        config = Config(game=GameConfig(rules=rules), store=store, web=web, **sections)
        self.scans = folder / "scans.log"
        self.lines: list[str] = []
        self.scan_file = ScanFile(self.scans)
        self.page = PageController(
            config,
            database=database_of(config) if keep else None,
            scan_log=self.scans,
            log=self.lines.append,
        )
        self.app, self._screen_board = open_with_page(
            config, self.page, new=False, keep=keep, write=self.scan_file
        )
        self.page.attach(self.app, self._screen_board)
        self.names = HouseNames([host, "sorcel.local"])
        asgi_app = make_asgi_app(self.page, self.names)
        self.server = ServerThread(
            asgi_app, self.page.broadcast, host=host, port=0, doors=doors, listen=listen
        )
        self.connect()
        self._thread = threading.Thread(target=self.app.run, daemon=True)
        self._thread.start()
        self.until(lambda: self.page.broadcast.latest("log") is not None)  # nothing is told before

    def connect(self) -> None:
        """Note where the server is."""
        self.host = f"127.0.0.1:{self.server.port}"
        self.url = f"http://{self.host}/"

    def close(self) -> None:
        self.app.stop()
        self._thread.join(LONGEST_S)
        self.server.close()
        self.scan_file.close()

    @property
    def screen_board(self) -> ScreenBoard:
        """The simulated pieces."""
        assert self._screen_board is not None
        return self._screen_board

    # -- the table --------------------------------------------------------------------------------

    @property
    def mock(self) -> MockTable:
        return self.screen_board.table

    @property
    def game(self) -> Game:
        return self.app.table.game

    def until(self, holds: Callable[[], Any], *, within_s: float = LONGEST_S) -> Any:
        """Wait until something holds, and return it."""
        end = time.monotonic() + within_s
        while not (found := holds()):
            assert time.monotonic() < end, "it never came"
            time.sleep(0.01)
        return found

    def run(self, call: Callable[[App], Any]) -> Any:
        """Do something in the loop's thread, and return what it returns."""
        done: list[Any] = []
        self.app.commands.put(lambda app: done.append(call(app)))
        return self.until(lambda: done)[0]

    def begin(self, code: str) -> None:
        """Let a game begin with a position, its pieces on the board; it is stored as others."""
        game = Game(parse_position(code))

        def call(app: App) -> None:
            number = app.session.game_id + 1
            app.session.resume(number, game)
            app.begin(game, [GameStarted.of(number, game)])
            self.screen_board.lay_out(game.position)
            self.screen_board.arrange(standing_of(game.position.pieces))

        self.run(call)
        # What the page was told before says nothing: contacts fail from the next scan on, and when
        # they are read again it has been told that the line was lost.
        self.run(lambda app: None)
        self.until(lambda: not self.app.sensor_error)
        self.until(lambda: self.state()["trouble"] == "none")
        self.until(lambda: self.state()["mode"] in ("PLAY", "OVER"))

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.page.broadcast.latest("state") or "{}")
        return found

    def games(self) -> list[dict[str, Any]]:
        """Return the newest games as the page lists them."""
        found: list[dict[str, Any]] = self.page.games(MAX_ID)["games"]
        return found

    # -- what a page does -------------------------------------------------------------------------

    def token(self) -> str:
        """Return the cookie of a browser that has entered the code."""
        answer = self.post("/api/enter", {"code": self.page.auth.code})
        assert answer.status == 200
        return str(answer.headers["set-cookie"]).partition(";")[0]

    def post(self, path: str, data: Any, **headers: str) -> "Answer":
        """Post JSON as a page of this host does; headers may say otherwise."""
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        return self.ask(path, body, **{"Origin": f"http://{self.host}", **headers})

    def ask(
        self, path: str, body: bytes | None = None, method: str = "", **headers: str
    ) -> "Answer":
        """Return the answer to a request, whatever its status."""
        request = urllib.request.Request(self.url.rstrip("/") + path, data=body)
        request.method = method or ("GET" if body is None else "POST")
        for name, value in headers.items():
            request.add_header(name, value)
        try:
            with urllib.request.urlopen(request, timeout=LONGEST_S) as answer:
                return Answer(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, error.headers, error.read())

    def open(
        self, cookie: str = "", *, origin: str | None = None, source: str = "127.0.0.1"
    ) -> ClientConnection:
        """Open a line as a page does; `source` is the address that it comes from."""
        headers = {"Cookie": cookie} if cookie else {}
        return connect(
            f"ws://{self.host}/live",
            origin=Origin(origin or f"http://{self.host}"),
            additional_headers=headers,
            proxy=None,
            close_timeout=1,
            source_address=(source, 0),
            max_queue=None,  # it goes on answering pings while nobody reads
        )
