"""`sorcel calibrate`: which contact and which light belong to which space."""

import json
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from .. import SorcelError
from ..amending import write_changes
from ..calibration import FindContacts, FindLights, dump, restore
from ..config import (
    Config,
    board_of,
    config_path,
    contact_order,
    contact_pins,
    load_config,
    state_path,
)
from ..drivers.opening import MCU_PLACES
from ..errors import quote
from ..rules.board import Board
from ..sliding import SlideOff
from .bench import END, WHITE, Bench, need_real, open_bench
from .table import ConfigOption

PROGRESS = "calibration.json"
RUN_S = 0.15
"""How long each light is on in a run over all of them."""


class Part(Enum):
    """What to calibrate."""

    ALL = "all"
    CONTACTS = "contacts"
    LIGHTS = "lights"
    SLIDE = "slide"


def calibrate(
    part: Annotated[
        Part,
        typer.Argument(metavar="[all|contacts|lights|slide]", help="What to find out."),
    ] = Part.ALL,
    space: Annotated[
        str, typer.Option(metavar="SPACE", help="For slide: the space that the piece slides off.")
    ] = "e5",
    anew: Annotated[
        bool, typer.Option("--anew", help="Do not go on where it was interrupted.")
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Find out which contact and light belong to which space, and write it into the config file.

    One magnet is laid on the space that is named, then beside the light that is lit; rows, columns
    and chains of lights may be wired in any order. It can be interrupted and gone on with. With
    slide a piece is slid off a space in six directions, and contacts that overlap are found.
    """
    path = config_path(config)
    if path is None:
        raise SorcelError(
            "there is no config file to write to: sorcel config --default > config.toml, then "
            "sorcel calibrate --config config.toml"
        )
    settings = load_config(path)
    board = board_of(settings)
    need_real("contacts", settings.contacts.driver)
    if part is Part.SLIDE:
        bench = open_bench(settings, board, typer.echo)
        try:
            slide(bench, board.grid.number(space), path)
        finally:
            bench.close()
        return
    progress = state_path(settings) / PROGRESS
    if anew:
        progress.unlink(missing_ok=True)
    bench = open_bench(settings, board, typer.echo, places=True)
    try:
        Calibration(bench, path, progress).run(part)
    finally:
        bench.close()


class Calibration:
    """One sitting with the board; what was found before is in the file `progress`."""

    def __init__(self, bench: Bench, path: Path, progress: Path) -> None:
        """Read what was found before."""
        self.bench, self.path, self.progress = bench, path, progress
        config, board = bench.config, bench.board
        rows, columns = contact_pins(config)
        self.places = len(rows) * len(columns) or MCU_PLACES
        width = len(columns) or 8
        self.contacts, self.lights = FindContacts(board.grid, columns=width), FindLights(board.grid)
        try:
            data = json.loads(progress.read_text(encoding="utf-8"))
            self.contacts, self.lights = restore(board.grid, data, columns=width)
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            bench.say(f"{progress} cannot be read, and is left out: {error}")

    def run(self, part: Part) -> None:
        """Ask until all is known, or until it is interrupted; what is found is kept."""
        say = self.bench.say
        lit = self.bench.config.pixels.driver != "mock"
        try:
            if part in (Part.ALL, Part.CONTACTS):
                self.find_contacts()
            elif not self.contacts.found:
                self._take_contacts()
            if lit and part in (Part.ALL, Part.LIGHTS):
                self.find_lights()
        except (KeyboardInterrupt, EOFError):
            self._keep()
            say("")
            say("Interrupted; the same command goes on from here.")
            return
        self._write(contacts=part is not Part.LIGHTS, lights=lit and part is not Part.CONTACTS)
        self.progress.unlink(missing_ok=True)
        say(f"Written to {self.path}. sorcel contacts shows the contacts live.")

    def find_contacts(self) -> None:
        """Ask for the contact of every space."""
        bench, contacts = self.bench, self.contacts
        if contacts.asked is None:
            return
        done = len(contacts.found) + len(contacts.dead)
        if done:
            bench.say(f"Going on: {done} of {bench.board.grid.n} contacts are known.")
        bench.say("Take all pieces off the board. Enter goes on.")
        self._wait_for_enter()
        scan = bench.scan()
        self._say(contacts.begin(scan.closed if scan else 0))
        bench.say(
            "Lay one magnet on each space that is named. s: it does not close, b: back, q: end."
        )
        asked = None
        while (space := contacts.asked) is not None:
            if space != asked:
                asked = space
                self._ask_for(space)
            scan = bench.scan()
            said = contacts.feed(scan.closed, scan.time_s) if scan else ""
            self._say(said)
            if self._key({"s": contacts.skip, "b": contacts.back}) or said:
                self._keep()

    def find_lights(self) -> None:
        """Ask for the space of lights until all are known or the rest follows."""
        bench, lights = self.bench, self.lights
        if lights.asked is None:
            return
        bench.say("Lay the magnet on the space whose light is on. s: none is on, b: back, q: end.")
        asked = None
        while (light := lights.asked) is not None:
            if lights.proposal is not None and self._run_is_right(lights.proposal):
                lights.accept()
                break
            if light != asked:
                asked = light
                bench.say(f"Light {light} is on: on which space?")
            bench.light({light: WHITE})
            scan = bench.scan()
            said = lights.feed(self._spaces(scan.closed), scan.time_s) if scan else ""
            self._say(said)
            if self._key({"s": lights.skip, "b": lights.back}) or said:
                self._keep()
        bench.light({})

    def _run_is_right(self, layout: tuple[int, ...]) -> bool:
        """Let the lights run over the board by a layout, and ask whether each was right."""
        bench, lights = self.bench, self.lights
        order = sorted(range(len(layout)), key=lambda light: layout[light])
        bench.say("The lights now run over the board, row by row from the south, west to east.")
        while True:
            for light in order:
                bench.light({light: WHITE})
                until = bench.clock.now() + RUN_S
                while bench.clock.now() < until:
                    bench.scan()
            bench.light({})
            bench.say("Did each row run from west to east, the southmost first? y, n, or r: again")
            answer = self._wait_for("ynr")
            if answer == "y":
                return True
            if answer == "n":
                lights.refuse()
                return False

    def _ask_for(self, space: int) -> None:
        grid = self.bench.board.grid
        row = next(row for row in grid.rows if space in row)
        place = row.index(space) + 1
        known = len(self.contacts.found) + len(self.contacts.dead)
        self.bench.say(
            f"[{known + 1}/{grid.n}] {grid.names[space]}: row {grid.names[space][0]} from the "
            f"south, number {place} of {len(row)} from the west"
        )
        light = next((k for k, at in self.lights.found.items() if at == space), None)
        self.bench.light({} if light is None else {light: WHITE})

    def _spaces(self, places: int) -> int:
        found = self.contacts.found
        return sum(1 << space for space, place in found.items() if places >> place & 1)

    def _take_contacts(self) -> None:
        """Let the contacts be as the config has them."""
        order = contact_order(self.bench.config, self.bench.board)
        self.contacts.found = dict(enumerate(order))

    def _say(self, text: str) -> None:
        if text:
            self.bench.say(text)

    def _key(self, deeds: dict[str, Any]) -> bool:
        """Do what was typed; return whether that was anything."""
        key = self.bench.keys()
        if key in ("q", END):
            raise EOFError
        if key in deeds:
            deeds[key]()
        return key in deeds

    def _wait_for_enter(self) -> None:
        while (key := self.bench.keys()) is None:
            self.bench.scan()
        if key in ("q", END):
            raise EOFError

    def _wait_for(self, letters: str) -> str:
        while True:
            key = self.bench.keys()
            if key in ("q", END):
                raise EOFError
            if key and key in letters:
                return key
            self.bench.scan()

    def _keep(self) -> None:
        """Write down what is known."""
        data = json.dumps(dump(self.contacts, self.lights), indent=1)
        try:
            self.progress.parent.mkdir(parents=True, exist_ok=True)
            self.progress.write_text(data, encoding="utf-8")
        except OSError as error:
            raise SorcelError(f"{quote(self.progress)} cannot be written: {error}") from None

    def _write(self, *, contacts: bool, lights: bool) -> None:
        grid = self.bench.board.grid
        changes: dict[str, dict[str, Any]] = {}
        if contacts:
            dead = [grid.names[space] for space in sorted(self.contacts.dead)]
            changes["contacts"] = {"order": list(self.contacts.order(self.places))}
            changes["table"] = {"masked": dead}
        if lights:
            changes["lights"] = {"order": list(self.lights.order())}
        write_changes(self.path, changes)


def slide(bench: Bench, space: int, path: Path) -> SlideOff:
    """Watch a piece that slides off a space; write the overlaps that are found."""
    grid = bench.board.grid
    watch = SlideOff(grid, space)
    bench.say(
        f"Put a piece on {grid.names[space]} and slide it slowly to each neighbour and back, "
        "in any order. Enter ends it."
    )
    state = ""
    while not watch.is_complete and bench.keys() is None:
        scan = bench.scan()
        if scan is not None:
            watch.feed(scan.closed, scan.time_s)
            if watch.state != state:
                state = watch.state
                bench.say(f"  {state}")
    for line in watch.report():
        bench.say(line)
    if watch.overlaps:
        _write_overlaps(bench.config, bench.board, watch, path)
        bench.say(f"The overlaps are written to {path}.")
    return watch


def _write_overlaps(config: Config, board: Board, watch: SlideOff, path: Path) -> None:
    names = board.grid.names
    texts = list(config.table.overlaps)
    known = {frozenset(text.split()) for text in texts}
    for a, b in watch.overlaps:
        if frozenset((names[a], names[b])) not in known:
            texts.append(f"{names[a]} {names[b]}")
    write_changes(path, {"table": {"overlaps": texts}})
