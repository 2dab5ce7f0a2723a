"""The Universal Game Interface, sans-I/O: lines in, answers and orders out.

UGI is UCI for any game; its source is the match runner cutegames.  A move is one action of the
rules, p1 is Light, whoever begins, and `query p1turn` says whose action it is.  It decides what a
line means and what is answered; thinking and threads are the matter of `program`.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..errors import NotationError, SorcelError, quote
from ..rules.actions import Action
from ..rules.board import Board, board_from_text, standard_board
from ..rules.game import Game
from ..rules.notation import format_action, parse_position
from ..rules.position import Position, RuleSet, Side, rule_set_from_text, start_position
from .levels import HIGHEST, LOWEST, Level, level
from .thinking import Limits, Thought

MAX_LINE = 1 << 16
"""Bytes of a line; a longer one is dropped."""
MAX_ACTIONS = 5_000
NO_MOVE = "0000"
OVERHEAD_S = 0.05
"""Seconds that are kept back on a clock for what is not thinking."""
LEAST_S = 0.01


class Go(NamedTuple):
    """An order to think about the position of `game`.

    `planned` is an action that was thought out with the turn before it, to be played at once; with
    `infinite` there is no answer before a stop.
    """

    game: Game
    level: Level
    limits: Limits
    infinite: bool = False
    planned: Action | None = None


class Stop(NamedTuple):
    """An order to end the think that is going on, if there is one, and to give its answer."""


class Forget(NamedTuple):
    """An order to forget what was learned about earlier games."""


class Quit(NamedTuple):
    """An order to end."""


Order = Go | Stop | Forget | Quit


@dataclass(frozen=True, slots=True)
class Options:
    """What a host can set."""

    board: Board
    rules: RuleSet | None = None
    level: int = HIGHEST
    native: bool = True
    seed: int = 0


OPTION_LINES = (
    "option name Board type string default standard",
    "option name Rules type string default egressian",
    f"option name Level type spin default {HIGHEST} min {LOWEST} max {HIGHEST}",
    "option name Native type check default true",
    f"option name Seed type spin default 0 min 0 max {2**31 - 1}",
)


class Ugi:
    """One conversation.

    >>> ugi = Ugi("Sorcel", "somebody")
    >>> list(ugi.receive("isready"))
    ['readyok']
    >>> list(ugi.receive("position startpos moves +a3")), list(ugi.receive("query p1turn"))
    ([Stop()], ['response false'])
    """

    def __init__(self, name: str, author: str) -> None:
        """Begin with the standard board."""
        self.name, self.author = name, author
        self.options = Options(standard_board())
        self.game: Game | None = self._new_game(None)
        self._read: tuple[str, list[str]] | None = None  # the start and the actions of the game
        self._plan: list[tuple[Position, Action]] = []

    def receive(self, line: str) -> Iterator[str | Order]:
        """Yield the answers to a line (texts), and what is to be done, in order."""
        command, *words = "".join(c for c in line if c.isprintable() or c == "\t").split() or [""]
        try:
            match command:
                case "":
                    return
                case "ugi":
                    yield from self._introduction()
                case "isready":
                    yield "readyok"
                case "uginewgame":
                    yield Stop()
                    yield Forget()
                    self._plan = []
                case "setoption":
                    yield Stop()
                    self._set(words)
                case "position":
                    yield Stop()
                    self._set_up(words)
                case "go":
                    yield Stop()
                    yield from self._go(words)
                case "stop":
                    yield Stop()
                case "query":
                    yield f"response {self._answer(words)}"
                case "quit":
                    yield Quit()
                case _:
                    raise NotationError(f"{quote(command)} is not a command of UGI")
        except SorcelError as error:
            yield f"info string error: {' '.join(str(error).split())}"

    def dropped(self) -> str:
        """Return what is said about a line that was too long to read."""
        return f"info string error: a line was longer than {MAX_LINE} bytes"

    def decided(self, game: Game, thought: Thought) -> str:
        """Return the answer to a `go`, and keep the rest of the turn in mind."""
        self._plan = []
        if not thought.line:
            return f"bestmove {NO_MOVE}"
        position = game.position
        side, first = position.side, thought.line[0]
        shadow = Game(position)
        for action, following in zip(thought.line, thought.line[1:], strict=False):
            shadow.play(action)
            if shadow.outcome is not None or shadow.position.side != side:
                break
            self._plan.append((shadow.position, following))
        return f"bestmove {format_action(position.board, first)}"

    def planned(self, order: Go) -> str:
        """Return the answer to a `go` with a planned action; the plan stays."""
        assert order.planned is not None
        return f"bestmove {format_action(order.game.position.board, order.planned)}"

    @staticmethod
    def progress(board: Board, thought: Thought) -> str:
        """Return the line that tells how far a think has come."""
        ends = thought.ends_in
        score = f"cp {thought.value}" if ends is None else f"mate {ends}"
        rate = f" nps {thought.nodes / thought.seconds:.0f}" if thought.seconds > 0.001 else ""
        line = " ".join(format_action(board, action) for action in thought.line)
        return (
            f"info depth {thought.depth} score {score} time {thought.seconds * 1000:.0f} "
            f"nodes {thought.nodes}{rate} pv {line}"
        )

    # -- what lines mean --------------------------------------------------------------------------

    def _introduction(self) -> Iterator[str]:
        yield f"id name {self.name}"
        yield f"id author {self.author}"
        yield from OPTION_LINES
        yield "ugiok"

    def _set(self, words: list[str]) -> None:
        if len(words) < 2 or words[0] != "name":
            raise NotationError("setoption: expected setoption name NAME value VALUE")
        key, rest = words[1].lower(), words[2:]
        value = " ".join(rest[1:]) if rest and rest[0] == "value" else ""
        known = self.options
        match key:
            case "board":
                self.options = replace(known, board=_board(value))
            case "rules":
                self.options = replace(known, rules=rule_set_from_text(value))
            case "level":
                self.options = replace(known, level=_whole("Level", value, LOWEST, HIGHEST))
            case "native":
                if value not in ("true", "false"):
                    raise NotationError(f"Native {quote(value)}: expected true or false")
                self.options = replace(known, native=value == "true")
            case "seed":
                self.options = replace(known, seed=_whole("Seed", value, 0, 2**31 - 1))
            case _:
                raise NotationError(f"there is no option {quote(words[1])}")
        self._plan = []
        if key in ("board", "rules"):
            self._read, self.game = None, None
            self.game = self._new_game(None)

    def _set_up(self, words: list[str]) -> None:
        """Take over the position that is named; after a bad one there is none."""
        head, moves = words, list[str]()
        if "moves" in words:
            at = words.index("moves")
            head, moves = words[:at], words[at + 1 :]
        start = " ".join(head)
        if len(moves) > MAX_ACTIONS:
            self.game = self._read = None
            raise NotationError(f"position: more than {MAX_ACTIONS} actions")
        game, read = self.game, self._read
        self.game = self._read = None
        if game is None or read is None or read[0] != start or moves[: len(read[1])] != read[1]:
            game, done = self._new_game(head), 0
        else:
            done = len(read[1])
        for word in moves[done:]:
            game.play(word)
        self.game, self._read = game, (start, moves)

    def _new_game(self, head: list[str] | None) -> Game:
        board, rules = self.options.board, self.options.rules
        if head is None or head == ["startpos"]:
            return Game(start_position(board, *([] if rules is None else [rules])))
        if len(head) > 1 and head[0] == "fen":
            return Game(parse_position(" ".join(head[1:]), board, rules))
        raise NotationError("position: expected startpos or fen CODE, then moves ACTION ...")

    def _answer(self, words: list[str]) -> str:
        game = self.game
        if game is None:
            raise NotationError("query: there is no position")
        ended = game.outcome
        match words:
            case ["gameover"]:
                return "true" if ended is not None else "false"
            case ["p1turn"]:
                return "true" if game.position.side == Side.LIGHT else "false"
            case ["result"]:
                if ended is None:
                    return "none"
                return "draw" if ended.winner is None else f"p{ended.winner + 1}win"
        raise NotationError("query: expected gameover, p1turn or result")

    def _go(self, words: list[str]) -> Iterator[str | Order]:
        game, at = self.game, level(self.options.level)
        if game is None or game.outcome is not None:
            yield f"bestmove {NO_MOVE}"
            return
        try:
            given = _numbers(words)
        except NotationError:
            yield f"bestmove {NO_MOVE}"
            raise
        limits, infinite = _limits(given, at, game.position.side), "infinite" in given
        anew = infinite or given.keys() & {"nodes", "depth", "movetime"}
        plan = [action for position, action in self._plan if position == game.position]
        planned = plan[0] if plan and not anew else None
        yield Go(game, at, limits, infinite, planned)


def _limits(given: dict[str, int], at: Level, side: Side) -> Limits:
    """Return where a think ends; what is not given is a matter of the level."""
    if "infinite" in given:
        return Limits()
    seconds = None
    if "movetime" in given:
        seconds = max(given["movetime"] / 1000 - OVERHEAD_S, LEAST_S)
    elif (clock := f"p{side + 1}time") in given:
        left, more = given[clock] / 1000, given.get(f"p{side + 1}inc", 0) / 1000
        seconds = max(min(left / 20 + more / 2, left - 2 * OVERHEAD_S), LEAST_S)
    if given.keys() & {"nodes", "depth"}:
        return Limits(given.get("nodes"), seconds, given.get("depth"))
    if seconds is None:
        return at.limits()
    return Limits(at.nodes, seconds)


GO_NUMBERS = ("p1time", "p2time", "p1inc", "p2inc", "movetime", "nodes", "depth")


def _numbers(words: list[str]) -> dict[str, int]:
    """Return what stands behind `go`; `infinite` has no number."""
    given: dict[str, int] = {}
    rest = iter(words)
    for word in rest:
        if word == "infinite":
            given[word] = 0
        elif word in GO_NUMBERS:
            least = 1 if word in ("nodes", "depth") else -(10**9)
            given[word] = _whole(f"go {word}", next(rest, ""), least, 10**15)
        else:
            raise NotationError(f"go: {quote(word)} is not known; {', '.join(GO_NUMBERS)} are")
    return given


def _whole(what: str, text: str, least: int, most: int) -> int:
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) < 20 and least <= int(text) <= most:
        return int(text)
    raise NotationError(f"{what} {quote(text)}: expected a whole number from {least} to {most}")


def _board(value: str) -> Board:
    """Return the board of the option: `standard`, or a board file as one JSON string."""
    if value == "standard":
        return standard_board()
    try:
        text = json.loads(value)
    except (ValueError, RecursionError):
        text = None
    if not isinstance(text, str):
        raise NotationError("Board: expected standard, or a board file as one JSON string")
    return board_from_text(text)


def seeded(options: Options) -> random.Random:
    """Return what chance at a level comes from: the same each time where a seed is set."""
    return random.Random(options.seed) if options.seed else random.Random()
