"""The scans of a run as text, so that a report of a fault is one file, and becomes a test.

A log begins with one line that says what the table was told (board, rules, game so far, timing);
then comes a line for each scan that told something new, each command and each answer of the
store.  `replay` runs them through a table made anew, with the same result.  Reading and writing
files is done elsewhere.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from typing import Any, NamedTuple

from ..errors import NotationError, quote
from ..rules.board import Board, board_from_text, format_board
from ..rules.game import Game
from ..rules.notation import format_action, format_position, parse_action, parse_position
from ..rules.position import Side, rule_set_from_text
from . import commands
from .commands import Command
from .companion import Companion, Output
from .events import Done, TakenBack
from .lights.frame import FrameMaker
from .sensing.debouncer import Scan
from .timing import Timing

MAGIC = "sorcel-scans-1"


class Recorder:
    """A companion whose every input is written down; used in its place."""

    def __init__(
        self, companion: Companion, write: Callable[[str], object], *, program: str = ""
    ) -> None:
        """Write the head of the log; `write` takes one line with its line end at a time."""
        self._write = write
        self._program = program
        self.change(companion)

    def change(self, companion: Companion) -> None:
        """Go on with another table, which begins anew in the same log."""
        self.companion = companion
        self._last: tuple[int, int] | None = None
        head = _head(companion) | {"program": self._program}
        self._write(f"{MAGIC} {json.dumps(head, separators=(',', ':'))}\n")

    def step(self, scan: Scan | None, now: float) -> Output:
        """As `Companion.step`."""
        output = self.companion.step(scan, now)
        if scan is None:
            if self._last is not None or self.companion.acted:
                self._write(f"m {now!r}\n")
            self._last = None
        elif self.companion.acted or (scan.closed, scan.buttons) != self._last:
            self._last = (scan.closed, scan.buttons)
            self._write(f"s {scan.time_s!r} {scan.closed:x} {scan.buttons:x}\n")
        self._results(output)
        return output

    def command(self, command: Command, now: float) -> Output:
        """As `Companion.command`."""
        output = self.companion.command(command, now)
        if not isinstance(command, commands.SetLights):  # light is not written down
            board = self.companion.game.start.board
            self._write(f"c {now!r} {_command_text(command, board)}\n")
        self._results(output)
        return output

    def recorded(self, serial: int, now: float) -> None:
        """As `Companion.recorded`."""
        self.companion.recorded(serial, now)
        self._write(f"r {now!r} {serial}\n")

    def _results(self, output: Output) -> None:
        for text in results(self.companion, output):
            self._write(f"= {text}\n")


def results(companion: Companion, output: Output) -> Iterator[str]:
    """Yield what a step has changed in the game: actions, and `back` for one taken back."""
    board = companion.game.start.board
    for event in output.events:
        if isinstance(event, Done):
            yield format_action(board, event.cascade.action)
        elif isinstance(event, TakenBack):
            yield "back"


class Replayed(NamedTuple):
    """One line of a log run through the table again."""

    number: int
    time_s: float
    output: Output | None
    difference: str | None = None
    """What the log says happened here and did not, or the other way round."""


def replay(lines: Iterable[str]) -> Iterator[tuple[Companion, Replayed]]:
    """Run a log through a table made anew, and yield what each line leads to.

    Raises `NotationError`, which names the line, when the log cannot be read.
    """
    rows = enumerate(lines, 1)
    companion = _companion(next(rows, (1, ""))[1], 1)
    expected: list[str] = []
    found: list[str] = []
    for number, line in rows:
        if line.startswith("= "):
            expected.append(line[2:].strip())
            continue
        if line.startswith(MAGIC):  # another table
            companion = _companion(line, number)
            continue
        difference = _difference(expected, found)
        try:
            time_s, output = _run(companion, line)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise NotationError(f"line {number}: {quote(line.strip())}: {error}") from None
        expected, found = [], list(results(companion, output)) if output is not None else []
        yield companion, Replayed(number, time_s, output, difference)
    if difference := _difference(expected, found):
        yield companion, Replayed(-1, 0.0, None, difference)


def _difference(expected: list[str], found: list[str]) -> str | None:
    if expected == found:
        return None
    return (
        f"the log has {' '.join(expected) or 'nothing'}, now it is {' '.join(found) or 'nothing'}"
    )


def _run(companion: Companion, line: str) -> tuple[float, Output | None]:
    kind, time_text, *rest = line.split(maxsplit=3 if line[:1] == "c" else -1)
    now = float(time_text)
    match kind, rest:
        case "s", [closed, buttons]:
            return now, companion.step(Scan(now, int(closed, 16), int(buttons, 16)), now)
        case "m", []:
            return now, companion.step(None, now)
        case "r", [serial]:
            companion.recorded(int(serial), now)
            return now, None
        case "c", [name, value]:
            board = companion.game.start.board
            return now, companion.command(_command(name, json.loads(value), board), now)
    raise ValueError("expected s time closed buttons, m time, r time serial, or c time name value")


_PLAIN: dict[str, Command] = {
    "END_TURN": commands.EndTurn(),
    "TAKE_BACK": commands.TakeBack(),
    "ACCEPT": commands.Accept(),
    "SHOW_ALL": commands.ShowAll(),
    "HANDS_OFF": commands.HandsOff(),
    "RAISE": commands.RaiseStake(),
    "AGREE_DRAW": commands.AgreeDraw(),
}
"""The commands that have no value, by their names in the log."""


def _command_text(command: Command, board: Board) -> str:
    """Return a command as the log has it: its name, and its value as JSON."""
    value: Any = None
    match command:
        case commands.Choose(number):
            name, value = "CHOOSE", number
        case commands.Resign(side):
            name, value = "RESIGN", int(side)
        case commands.SetAway(sides):
            name, value = "SET_AWAY", sorted(map(int, sides))
        case commands.ChooseLevel(level):
            name, value = "CHOOSE_LEVEL", level
        case commands.Announce(actions):
            name, value = "ANNOUNCE", [format_action(board, action) for action in actions]
        case commands.NewGame(game):
            name, value = "NEW_GAME", _game(game)
        case commands.ShowCode(code):
            name, value = "SHOW_CODE", code
        case commands.SetSaveTrouble(failing):
            name, value = "SAVE_TROUBLE", failing
        case _:
            name = next(name for name, plain in _PLAIN.items() if plain == command)
    return f"{name} {json.dumps(value)}"


def _command(name: str, value: Any, board: Board) -> Command:
    """Return the command that the log has as `name` and `value`; KeyError if there is none."""
    match name, value:
        case "CHOOSE", int(number):
            return commands.Choose(number)
        case "RESIGN", int(side):
            return commands.Resign(Side(side))
        case "SET_AWAY", list(sides):
            return commands.SetAway(frozenset(map(Side, sides)))
        case "CHOOSE_LEVEL", int(level):
            return commands.ChooseLevel(level)
        case "ANNOUNCE", list(texts):
            return commands.Announce(tuple(parse_action(board, text) for text in texts))
        case "NEW_GAME", dict(game):
            return commands.NewGame(_game_from(game))
        case "SHOW_CODE", str(code):
            return commands.ShowCode(code)
        case "SAVE_TROUBLE", bool(failing):
            return commands.SetSaveTrouble(failing)
    return _PLAIN[name]


def _game(game: Game) -> dict[str, Any]:
    board = game.start.board
    return {
        "board": format_board(board),
        "rules": str(game.start.rules),
        "start": format_position(game.start),
        "actions": [format_action(board, action) for action in game.actions],
    }


def _game_from(data: dict[str, Any]) -> Game:
    board = board_from_text(data["board"])
    game = Game(parse_position(data["start"], board, rule_set_from_text(data["rules"])))
    for text in data["actions"]:
        game.play(text)
    return game


def _head(companion: Companion) -> dict[str, Any]:
    referee = companion.referee
    return {
        "game": _game(companion.game),
        "timing": asdict(companion.timing),
        "debounce_s": companion.debouncer.debounce_s,
        "overlaps": sorted(referee.overlaps.items()),
        "masked": referee.masked,
        "state": companion.state() if referee.is_blind and referee.state.on else None,
    }


def _companion(line: str, number: int) -> Companion:
    magic, _, text = line.partition(" ")
    if magic != MAGIC:
        raise NotationError(f"line {number}: {quote(line.strip())}: a scan log begins with {MAGIC}")
    try:
        head = json.loads(text)
        game = _game_from(head["game"])
        companion = Companion(
            game,
            FrameMaker(game.start.board),
            timing=Timing(**head["timing"]),
            debounce_s=head["debounce_s"],
            overlaps=dict(map(tuple, head["overlaps"])),
            masked=head["masked"],
        )
        if head["state"] is not None:
            companion.resume(head["state"], 0.0)
    except NotationError:
        raise
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise NotationError(
            f"line {number}: the head of the log cannot be read: {error!r}"
        ) from None
    return companion
