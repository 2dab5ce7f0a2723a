"""What the commands that run a table share: config, store, drivers, and the app made of them."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from ..app import App, SystemClock, all_of, companion_of, stopped_by_signals
from ..config.load import load_config
from ..config.paths import config_path, state_path
from ..config.schema import Config
from ..config.wiring import board_of, rules_of
from ..drivers import factory
from ..drivers.mock.table import MockTable
from ..drivers.ports import LightSink, SensorSource
from ..host.machine import Machine, run_command
from ..host.power import PowerWatch
from ..host.systemd import Notifier
from ..players.opponent import Opponent
from ..players.seats import Seats, seat_from_text
from ..players.thinker import Thinker
from ..rules.board import Board
from ..rules.game import Match
from ..session import Session
from ..store.records import Record
from ..store.store import DATABASE, Store, StoredGame
from ..store.writer import Writer
from ..table.companion import Companion
from ..table.scanlog import Recorder

ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="The config file (sorcel config shows which)."),
]


def read_config(path: Path | None) -> Config:
    """Return the config that applies."""
    return load_config(config_path(path))


def database_of(config: Config) -> Path:
    """Return where the games are kept."""
    return state_path(config) / DATABASE


def open_drivers(config: Config, board: Board) -> tuple[SensorSource, LightSink]:
    """Return what reads the contacts and what drives the lights, as the config names them."""
    return factory.open_drivers(config, board, clock=SystemClock().now)


def mock_table(config: Config, board: Board) -> MockTable:
    """Return the simulated table that the config describes, on this machine's clock."""
    return factory.mock_table(config, board, SystemClock().now)


def open_app(
    config: Config,
    *,
    new: bool = False,
    keep: bool = True,
    seats: Seats | None = None,
    write_scan: Callable[[str], object] | None = None,
    drivers: Callable[[Config, Board], tuple[SensorSource, LightSink]] = open_drivers,
    log: Callable[[str], None] = print,
) -> App:
    """Put a table together: the stored game is gone on with, unless `new` asks for another.

    Without `keep` nothing is stored; `write_scan` takes the lines of the scan log.  `seats` says
    who plays; without them a stored game keeps its own, and the config says it for a new one.
    """
    store = Store.open(database_of(config)) if keep else None
    stored: StoredGame | None = None
    masked = 0
    if store is not None:
        stored = None if new else store.running_game()
        masked = _masked(store, board_of(config))
        for notice in store.notices:
            log(notice)
    if seats is None:
        seats = Seats.of(stored.game.headers) if stored is not None else seats_of(config)
    session, companion, records = _begin(config, store, stored, masked, seats, log)
    sensors, lights = drivers(config, companion.game.start.board)
    writer = Writer(store) if store is not None else None
    if writer is not None and records:
        writer.submit(records)
    line = companion if write_scan is None else Recorder(companion, write_scan)
    opponent = Opponent(
        Thinker(config.engine.command),
        seats,
        whole_turns=config.players.lead == "turn",
        level=config.players.level,
    )
    rate = float(config.table.scan_hz)
    app = App(sensors, lights, line, session, writer, opponent, scan_hz=rate, log=log)
    if seats.away:
        app.sit_down(seats)
    if store is not None and store.notices:
        app.warnings.add("store")
    return app


def seats_of(config: Config) -> Seats:
    """Return who sits down for a new game."""
    players = config.players
    return Seats(
        seat_from_text(players.light, players.level), seat_from_text(players.dark, players.level)
    )


def run_app(app: App, *, environ: Mapping[str, str] = os.environ) -> None:
    """Run until a signal ends it, as a service too; the menu may switch off a service's machine."""
    notifier = Notifier.of(environ)
    others = [] if app.after_pass is None else [app.after_pass]
    app.after_pass = all_of(notifier, PowerWatch(Machine().power), *others)
    with stopped_by_signals(app):
        app.run()
    notifier.stopping()
    if app.shuts_down and notifier.listened_to:
        done = run_command(["systemctl", "poweroff"])
        if done.code:
            app.log(f"The machine cannot be switched off: {done.error.strip() or done.code}")


def _begin(
    config: Config,
    store: Store | None,
    stored: StoredGame | None,
    masked: int,
    seats: Seats,
    log: Callable[[str], None],
) -> tuple[Session, Companion, list[Record]]:
    """Return the session with its game: a new one, or the stored one as it was left."""
    board, game_config = board_of(config), config.game
    match = Match(board, rules_of(config), game_config.games or None)
    headers = {"Light": game_config.light, "Dark": game_config.dark, **seats.headers}
    session = Session(match, headers, store.next_game_id() if store is not None else 1)
    if stored is None:
        game, records = session.begin()
        return session, companion_of(config, game, masked=masked), records
    session.resume(stored.game_id, stored.game)
    companion = companion_of(config, stored.game, masked=masked)
    if stored.open_state is not None:
        try:
            companion.resume(stored.open_state, 0.0)
        except (ValueError, KeyError, TypeError) as error:
            log(
                f"the open action of game {stored.game_id} cannot be read, and is left out: {error}"
            )
    return session, companion, []


def _masked(store: Store, board: Board) -> int:
    """Return the mask of the contacts that were found dead on this board before."""
    names = store.settings().get("masked")
    if not isinstance(names, list):
        return 0
    spaces = [board.grid.find(name) for name in names if isinstance(name, str)]
    return sum({1 << space for space in spaces if space is not None})
