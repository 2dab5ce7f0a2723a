"""`sorcel calibrate`: which contact and which light belong to which space.

Here a sitting, which asks, meets the board, the terminal and the page.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import SorcelError
from ..calibration.interview import Answer, Finding, Pass, Question, Sitting, Sliding
from ..calibration.overlap import SlideOff
from ..calibration.wiring import FindContacts, FindLights, dump, restore
from ..config.edit import write_changes
from ..config.load import load_config
from ..config.paths import config_path, state_path
from ..config.schema import Config
from ..config.wiring import board_of, contact_grid, contact_order
from ..errors import quote
from ..messages.catalogue import render
from ..messages.message import Message, message
from ..rules.board import Board
from .bench import END, WHITE, Bench, need_real, open_bench
from .page import announce
from .table import ConfigOption

if TYPE_CHECKING:
    from ..web.calibration import CalibrationPage

PROGRESS = "calibration.json"
LETTERS = {
    Answer.GO_ON: "",
    Answer.DEAD: "s",
    Answer.DARK: "s",
    Answer.BACK: "b",
    Answer.YES: "y",
    Answer.NO: "n",
    Answer.AGAIN: "r",
    Answer.ENOUGH: "",
    Answer.END: "q",
}
"""What is typed for each answer; the empty line is Enter alone."""


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
    page: Annotated[bool, typer.Option(help="Ask on a page as well.")] = True,
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
    sliding = part is Part.SLIDE
    origin = board.grid.number(space)
    progress = state_path(settings) / PROGRESS
    if anew and not sliding:
        progress.unlink(missing_ok=True)
    bench = open_bench(settings, board, typer.echo, places=not sliding, raw=sliding)
    try:
        with shown_on_page(settings, board, by_place=not sliding, page=page) as shown:
            if sliding:
                slide(bench, origin, path, shown)
            else:
                Calibration(bench, path, progress, shown).run(part)
    finally:
        bench.close()


@contextmanager
def shown_on_page(
    settings: Config, board: Board, *, by_place: bool, page: bool
) -> "Iterator[CalibrationPage | None]":
    """Serve the page of a calibration, where there is to be one."""
    if not (page and settings.web.enabled):
        yield None
        return
    from ..web.calibration import CalibrationPage
    from ..web.names import HouseNames
    from ..web.server import make_asgi_app
    from ..web.thread import ServerThread

    shown = CalibrationPage(settings, board, by_place=by_place, log=typer.echo)
    host, port = settings.web.host, settings.web.port
    asgi_app = make_asgi_app(shown, HouseNames([host, *settings.web.names]))
    server = ServerThread(asgi_app, shown.broadcast, host=host, port=port)
    try:
        last = "The same questions are here and on the page; either is answered."
        announce(server.host, server.port, shown.auth.code, last=last)
        yield shown
    finally:
        server.close()


class Calibration:
    """One sitting with the board; what was found before is in the file `progress`."""

    def __init__(
        self, bench: Bench, path: Path, progress: Path, page: "CalibrationPage | None" = None
    ) -> None:
        """Read what was found before; the terminal asks, and the page where there is one."""
        self.bench, self.path, self.progress, self.page = bench, path, progress, page
        config, board = bench.config, bench.board
        rows, width = contact_grid(config, board)
        self.places = rows * width
        self._borrowed = False
        """Whether the contacts are those of the config, and were not found."""
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
        lit = self.bench.config.pixels.driver != "mock"
        asks_contacts = part in (Part.ALL, Part.CONTACTS)
        if not asks_contacts and not self.contacts.found:
            self._take_contacts()
        sitting = Finding(
            self.contacts,
            self.lights,
            asks_contacts=asks_contacts,
            asks_lights=lit and part is not Part.CONTACTS,
        )
        talk = Talk(self.bench, sitting, self.page)
        try:
            for seen in talk:
                if sitting.said or seen.answer is not None:
                    self._keep()
        except (KeyboardInterrupt, EOFError):
            self._keep()
            self.bench.say("")
            talk.end(message("cal.interrupted"))
            return
        self._write(contacts=part is not Part.LIGHTS, lights=lit and part is not Part.CONTACTS)
        self.progress.unlink(missing_ok=True)
        talk.end(message("cal.written", path=str(self.path)))

    def _take_contacts(self) -> None:
        """Let the contacts be as the config has them."""
        order = contact_order(self.bench.config, self.bench.board)
        self.contacts.found = dict(enumerate(order))
        self._borrowed = True

    def _keep(self) -> None:
        """Write down what is known."""
        contacts = self.contacts
        if self._borrowed:
            contacts = FindContacts(contacts.grid, dead=contacts.dead)
        data = json.dumps(dump(contacts, self.lights), indent=1)
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


class Talk:
    """Goes through a sitting at the board: shows and says what it asks, and takes the answers."""

    def __init__(self, bench: Bench, sitting: Sitting, page: "CalibrationPage | None") -> None:
        """Begin with nothing said."""
        self.bench, self.sitting, self.page = bench, sitting, page
        self._closed: int | None = None
        self._asked: Message | None = None
        self._answers: tuple[Answer, ...] = ()

    def __iter__(self) -> Iterator[Pass]:
        """Yield each pass once the sitting has seen it; EOFError if it is to end."""
        sitting, bench = self.sitting, self.bench
        while (question := sitting.question) is not None:
            # The light is on when it is asked for: an answer cannot be about the one before.
            bench.light({} if question.light is None else {question.light: WHITE})
            self._tell()
            scan = bench.scan()
            self._closed = None if scan is None else scan.closed
            now = bench.clock.now() if scan is None else scan.time_s
            seen = Pass(self._closed, now, self._answer(question))
            if seen.answer is Answer.END:
                raise EOFError
            sitting.feed(seen)
            yield seen
        bench.light({})

    def end(self, *lines: Message) -> None:
        """Say what is left to say, and the last words."""
        self.sitting.said += lines
        self.sitting.question = None
        self._tell()

    def _tell(self) -> None:
        sitting, say = self.sitting, self.bench.say
        if self.page is not None:
            self.page.tell(sitting, self._closed)
        for said in sitting.said:
            say(render(said))
        sitting.said.clear()
        question = sitting.question
        if question is None:
            return
        if question.line != self._asked:
            self._asked = question.line
            say(render(question.line))
        if question.answers != self._answers:
            self._answers = question.answers
            say(f"  ({', '.join(map(typed, question.answers))})")

    def _answer(self, question: Question) -> Answer | None:
        """Return what was answered in the terminal or on the page."""
        key = self.bench.keys()
        if key == END:
            return Answer.END if Answer.END in question.answers else Answer.ENOUGH
        found = [answer for answer in question.answers if LETTERS[answer] == key]
        if not found and self.page is not None:
            found = self.page.answers(self.sitting)
        return found[0] if found else None


def typed(answer: Answer) -> str:
    """Return what to type for an answer, and what it means."""
    return f"{LETTERS[answer] or 'Enter'}: {render(message(f'answer.{answer.value}'))}"


def slide(bench: Bench, space: int, path: Path, page: "CalibrationPage | None" = None) -> SlideOff:
    """Watch a piece that slides off a space; write the overlaps that are found."""
    watch = SlideOff(bench.board.grid, space)
    talk = Talk(bench, Sliding(watch), page)
    for _ in talk:
        pass
    if not watch.overlaps:
        talk.end()
        return watch
    _write_overlaps(bench.config, bench.board, watch, path)
    talk.end(message("slide.written", path=str(path)))
    return watch


def _write_overlaps(config: Config, board: Board, watch: SlideOff, path: Path) -> None:
    names = board.grid.names
    texts = list(config.table.overlaps)
    known = {frozenset(text.split()) for text in texts}
    for a, b in watch.overlaps:
        if frozenset((names[a], names[b])) not in known:
            texts.append(f"{names[a]} {names[b]}")
    write_changes(path, {"table": {"overlaps": texts}})
