"""`sorcel play`: the table at work, and its page."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from ..config.schema import Config
from ..config.wiring import rules_of
from ..drivers.ports import LightSink, SensorSource
from ..players.seats import Seats, seat_from_text
from ..rules.board import Board
from ..rules.position import start_position
from .page import announce, page_key
from .table import (
    ConfigOption,
    database_of,
    mock_table,
    open_app,
    open_drivers,
    read_config,
    run_app,
)

if TYPE_CHECKING:
    from ..app import App
    from ..web.controller import PageController
    from ..web.screen_hands import ScreenBoard

MAX_SCANS = 1 << 24
"""Bytes of the scan log that is written without being asked for."""


def play(
    config: ConfigOption = None,
    new: Annotated[
        bool, typer.Option("--new", help="Begin a new game; a running one is kept and not gone on.")
    ] = False,
    scans: Annotated[
        Path | None,
        typer.Option(
            "--scans", metavar="FILE", help="Write every scan to FILE, for sorcel replay."
        ),
    ] = None,
    light: Annotated[
        str | None,
        typer.Option(metavar="WHO", help="Who plays Light: person, engine, or engine:4."),
    ] = None,
    dark: Annotated[str | None, typer.Option(metavar="WHO", help="Who plays Dark.")] = None,
    keep: Annotated[bool, typer.Option(help="Store the games.")] = True,
    page: Annotated[bool, typer.Option(help="Show the table on a page.")] = True,
    browser: Annotated[bool, typer.Option(help="Open the page, where there is a browser.")] = True,
) -> None:
    """Play on the table that the config file describes; without one, on a board on the screen."""
    settings = read_config(config)
    seats = _seats(settings, light, dark)
    with tempfile.TemporaryDirectory(prefix="sorcel-") as passing:
        folder = database_of(settings).parent if keep else Path(passing)
        if settings.web.enabled and page:
            _play_with_page(settings, folder, new, scans, keep, browser, seats)
        else:
            _play_alone(settings, new, scans, keep, seats)


def _seats(settings: Config, light: str | None, dark: str | None) -> Seats | None:
    """Return who sits where, if the command line says so; for the rest the config does."""
    if light is None and dark is None:
        return None
    players = settings.players
    return Seats(
        seat_from_text(light or players.light, players.level),
        seat_from_text(dark or players.dark, players.level),
    )


def _play_alone(
    settings: Config, new: bool, scans: Path | None, keep: bool, seats: Seats | None
) -> None:
    with scan_file(scans) as write:
        app = open_app(
            settings,
            new=new,
            keep=keep,
            seats=seats,
            write_scan=None if write is None else write.write,
            log=typer.echo,
        )
        run_app(app)


def _play_with_page(
    settings: Config,
    folder: Path,
    new: bool,
    scans: Path | None,
    keep: bool,
    browser: bool,
    seats: Seats | None,
) -> None:
    from ..web.controller import PageController
    from ..web.names import HouseNames
    from ..web.server import make_asgi_app
    from ..web.thread import ServerThread

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = scans or folder / "scans.log"
    with scan_file(path, most=None if scans else MAX_SCANS) as write:
        assert write is not None
        controller = PageController(
            settings,
            database=database_of(settings) if keep else None,
            scan_log=path,
            key=page_key(folder),
            log=typer.echo,
        )
        app, screen_board = open_with_page(
            settings, controller, new=new, keep=keep, seats=seats, write=write
        )
        controller.attach(app, screen_board)
        host, port = settings.web.host, settings.web.port
        asgi_app = make_asgi_app(controller, HouseNames([host, *settings.web.names]))
        try:
            server = ServerThread(asgi_app, controller.broadcast, host=host, port=port)
        except BaseException:
            app.close()
            raise
        try:
            last = "Ctrl-C ends it; the game is kept."
            announce(server.host, server.port, controller.auth.code, last=last, browser=browser)
            run_app(app)
        finally:
            server.close()


def open_with_page(
    settings: Config,
    controller: "PageController",
    *,
    new: bool,
    keep: bool,
    seats: Seats | None = None,
    write: "ScanFile | None" = None,
) -> "tuple[App, ScreenBoard | None]":
    """Put a table together whose simulated pieces, if they are simulated, the page can move."""
    from ..web.screen_hands import ScreenBoard

    made: list[ScreenBoard] = []

    def drivers(config: Config, board: Board) -> tuple[SensorSource, LightSink]:
        if not config.contacts.driver == config.pixels.driver == "mock":
            return open_drivers(config, board)
        mock = mock_table(config, board)
        made.append(
            ScreenBoard(
                mock,
                start_position(board, rules_of(config)),
                controller.broadcast.put,
                quick=config.web.quick,
            )
        )
        return made[0], made[0]

    app = open_app(
        settings,
        new=new,
        keep=keep,
        seats=seats,
        write_scan=None if write is None else write.write,
        drivers=drivers,
        log=typer.echo,
    )
    return app, made[0] if made else None


# -- the scan log ---------------------------------------------------------------------------------


class ScanFile:
    """The scan log as a file, without the table's code, up to `most` bytes.

    It is begun with the first line: by then this program has the store to itself, so that a second
    one empties no log of the first.  A log that cannot be written ends with a notice; the game
    goes on.
    """

    def __init__(
        self, path: Path, most: int | None = None, *, log: Callable[[str], None] = print
    ) -> None:
        """Prepare the file; it is touched when there is something to write."""
        self._path, self._left, self._log = path, most, log
        self._file: TextIO | None = None
        self._ended = False

    def write(self, line: str) -> None:
        """Write a line."""
        if self._ended or (line.startswith("c ") and " SHOW_CODE " in line):
            return
        if self._left is not None:
            self._left -= len(line)
            if self._left < 0:
                return
        try:
            if self._file is None:
                self._file = self._path.open("w", encoding="utf-8", buffering=1)
            self._file.write(line)
        except OSError as error:
            self._ended = True
            self._log(f"The scan log {self._path} ends here: {error.strerror or error}")
            self.close()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            with suppress(OSError):
                self._file.close()


@contextmanager
def scan_file(
    path: Path | None, *, most: int | None = None, log: Callable[[str], None] = typer.echo
) -> Iterator[ScanFile | None]:
    """Yield the scan log at `path`, if there is to be one, and close it in the end."""
    if path is None:
        yield None
        return
    file = ScanFile(path, most, log=log)
    try:
        yield file
    finally:
        file.close()
