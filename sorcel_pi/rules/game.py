"""Games and matches: a start and the actions since, taken back, written down, read again.

A `Game` knows its past, so repetition, resignation and agreed draws are settled here; a `Match`
carries purses and pot from game to game.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..errors import (
    IllegalActionError,
    ImpossiblePositionError,
    NotationError,
    SorcelError,
    quote,
)
from .actions import (
    Action,
    Cascade,
    LegalActions,
    Outcome,
    Reason,
    legal_actions,
    outcome,
    resolve,
)
from .board import Board, Layout, make_board, standard_board
from .hexgrid import MAX_SIDE, MIN_SIDE, hexgrid
from .notation import (
    format_action,
    format_position,
    format_rows,
    parse_action,
    parse_position,
    parse_rows,
)
from .position import SIDES, Coins, Position, RuleSet, Side, rule_set_from_text, start_position
from .turn import award_pot

UNFINISHED = "*"


class Game:
    """A game: `start` and the cascades played since.

    >>> game = Game(start_position(standard_board()))
    >>> for text in "c3d4 c4d5 end".split():
    ...     cascade = game.play(text)
    >>> print(format_position(game.position))
    5/2ss2/2fff2/8/9/3FF4/4F2/2SS2/5 d 3/0 3/3 -
    >>> game.undo().action
    EndTurn()
    """

    def __init__(self, start: Position, headers: Mapping[str, str] | None = None) -> None:
        """Begin at `start`; `headers` are free texts for the record, such as the players' names."""
        self.start = start
        self.headers = dict(headers or {})
        self._cascades: list[Cascade] = []
        self._agreed: Outcome | None = None

    @property
    def cascades(self) -> tuple[Cascade, ...]:
        """What has been played, with all consequences."""
        return tuple(self._cascades)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions that have been played."""
        return tuple(cascade.action for cascade in self._cascades)

    @property
    def position(self) -> Position:
        """The position now, with the pot paid out if the game ended by resignation."""
        position = self._cascades[-1].after if self._cascades else self.start
        if self._agreed is not None and self._agreed.winner is not None and position.coins:
            return position._replace(coins=award_pot(position.coins, self._agreed.winner))
        return position

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        if self._agreed is not None:
            return self._agreed
        ended = outcome(self.position)
        if ended is None and self._repeated():
            return Outcome(None, Reason.REPETITION)
        return ended

    @property
    def legal_actions(self) -> LegalActions | tuple[()]:
        """The legal actions now; none when the game is over."""
        return () if self.outcome is not None else legal_actions(self.position)

    def play(self, action: Action | str) -> Cascade:
        """Play `action` (or its text) and return what it led to.

        Raises `NotationError` for a text that is no action and `IllegalActionError` for an action
        that is not legal now; the game is then as it was.
        """
        position = self.position
        if isinstance(action, str):
            action = parse_action(position.board, action)
        ended = self.outcome
        if ended is not None:
            raise IllegalActionError(
                f"{format_action(position.board, action)}: the game is over "
                f"({ended.word}, {ended.reason})"
            )
        try:
            cascade = resolve(position, action)
        except IllegalActionError as error:
            raise IllegalActionError(f"{error} in {format_position(position)}") from None
        self._cascades.append(cascade)
        return cascade

    def undo(self) -> Cascade:
        """Take the last action back and return it; a resignation or agreement goes with it.

        Raises `IllegalActionError` when nothing has been played.
        """
        if not self._cascades:
            raise IllegalActionError("there is no action to take back")
        self._agreed = None
        return self._cascades.pop()

    def resign(self, side: Side) -> None:
        """End the game: `side` gives up, and the other takes the pot where there is one."""
        self._end(Outcome(side.other, Reason.RESIGNATION))

    def agree_draw(self) -> None:
        """End the game as a draw that the players agreed."""
        self._end(Outcome(None, Reason.AGREEMENT))

    def _end(self, ending: Outcome) -> None:
        if self.outcome is not None:
            raise IllegalActionError(f"the game is over ({self.outcome.word}) already")
        self._agreed = ending

    def _repeated(self) -> bool:
        """Whether the house rule draws: the turn that begins now began twice before."""
        now = self.position
        if not now.rules.repetition or now.steps_made:
            return False
        # The reserves follow from the pieces, and coins do not count.
        turn = (now.pieces, now.side)
        starts = [self.start, *(cascade.after for cascade in self._cascades)]
        return sum(p.steps_made == 0 and (p.pieces, p.side) == turn for p in starts) >= 3

    def record(self) -> str:
        """Return the game as text: headers like PGN's, then one numbered line for each turn."""
        return format_record(self)


# -- records --------------------------------------------------------------------------------------

_HEADER = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*) "((?:[^"\\]|\\.)*)"\]')
_OWN_HEADERS = (
    "Board",
    "BoardSide",
    "BoardDetaining",
    "BoardStart",
    "Rules",
    "Start",
    "Result",
    "Reason",
)


def format_record(game: Game) -> str:
    """Return the record of `game`; `parse_record` reads it back."""
    board, rules = game.start.board, game.start.rules
    lines = [_header("Board", board.name)]
    if board != standard_board():
        lines.append(_header("BoardSide", str(board.side)))
        lines.append(_header("BoardDetaining", " ".join(board.grid.names_of(board.detaining))))
        lines.append(_header("BoardStart", format_rows(board, board.start)))
    lines.append(_header("Rules", str(rules)))
    if game.start != start_position(board, rules):
        lines.append(_header("Start", format_position(game.start)))
    lines += [_header(key, text) for key, text in game.headers.items()]
    ended = game.outcome
    lines.append(_header("Result", ended.word if ended else UNFINISHED))
    if ended:
        lines.append(_header("Reason", ended.reason))
    lines.append("")
    turn: list[str] = []
    number = 1
    for cascade in game.cascades:
        turn.append(format_action(board, cascade.action))
        if cascade.after.steps_made == 0:
            lines.append(f"{number}. {' '.join(turn)}")
            number += 1
            turn = []
    if turn:
        lines.append(f"{number}. {' '.join(turn)}")
    return "\n".join(lines) + "\n"


def parse_record(text: str) -> Game:
    """Return the game that a record describes, replayed and checked action by action.

    Comments in braces are skipped.  Raises `NotationError`, `ImpossiblePositionError` or
    `IllegalActionError`, each naming the line.
    """
    headers: dict[str, str] = {}
    lines = text.splitlines()
    body = len(lines)
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        if not stripped:
            continue
        if not stripped.startswith("["):
            body = number - 1
            break
        found = _HEADER.fullmatch(stripped)
        if found is None:
            raise NotationError(f'line {number}: {quote(stripped)}: expected [Name "text"]')
        if found[1] in headers:
            raise NotationError(f"line {number}: the header {found[1]} is given twice")
        headers[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
    game = Game(
        _start(headers), {key: text for key, text in headers.items() if key not in _OWN_HEADERS}
    )
    comment = False
    for number, line in enumerate(lines[body:], body + 1):
        words, comment = _without_comments(line, comment)
        for word in words:
            if re.fullmatch(r"\d+\.*", word, re.A):
                continue
            try:
                game.play(word)
            except SorcelError as error:
                raise type(error)(f"line {number}: {error}") from None
    if comment:
        raise NotationError("the record ends inside a comment: a } is missing")
    _finish(game, headers)
    return game


def _header(key: str, text: str) -> str:
    plain = " ".join(text.split())
    escaped = plain.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{key} "{escaped}"]'


def _without_comments(line: str, inside: bool) -> tuple[list[str], bool]:
    """Return the words of `line` outside braces, and whether it ends inside a comment."""
    words: list[str] = []
    for part in re.split(r"([{}])", line):
        if part in ("{", "}"):
            inside = part == "{"
        elif not inside:
            words += part.split()
    return words, inside


def _start(headers: Mapping[str, str]) -> Position:
    """Return the position that the headers say the game starts from."""
    for key in ("Board", "Rules"):
        if key not in headers:
            raise NotationError(f"the header {key} is missing: a record names board and rules")
    board = _board(headers)
    rules = rule_set_from_text(headers["Rules"])
    if "Start" in headers:
        return parse_position(headers["Start"], board, rules)
    return start_position(board, rules)


def _board(headers: Mapping[str, str]) -> Board:
    if "BoardSide" not in headers:
        if headers["Board"] != standard_board().name:
            raise NotationError(
                f"board {quote(headers['Board'])}: only the standard board needs no BoardSide, "
                "BoardDetaining and BoardStart"
            )
        return standard_board()
    side = headers["BoardSide"]
    if side not in map(str, range(MIN_SIDE, MAX_SIDE + 1)):
        raise NotationError(
            f"BoardSide {quote(side)}: expected a whole number from {MIN_SIDE} to {MAX_SIDE}"
        )
    bare = Board(headers["Board"], int(side), 0, Layout(0, 0, 0, 0))
    detaining = hexgrid(int(side)).mask(*headers.get("BoardDetaining", "").split())
    return make_board(
        bare.name, bare.side, detaining, parse_rows(bare, headers.get("BoardStart", ""))
    )


def _finish(game: Game, headers: Mapping[str, str]) -> None:
    """End the game as the headers say, and refuse a result that the actions contradict."""
    result, reason = headers.get("Result", UNFINISHED), headers.get("Reason")
    winners = {side.word: side for side in SIDES}
    if result not in (UNFINISHED, "draw", *winners):
        raise NotationError(f"Result {quote(result)}: expected light, dark, draw or {UNFINISHED}")
    if game.outcome is None and reason == Reason.RESIGNATION and result in winners:
        game.resign(winners[result].other)
    elif game.outcome is None and reason == Reason.AGREEMENT and result == "draw":
        game.agree_draw()
    real = game.outcome.word if game.outcome else UNFINISHED
    if "Result" in headers and result != real:
        raise ImpossiblePositionError(f"Result {quote(result)}: the actions lead to {quote(real)}")


# -- matches --------------------------------------------------------------------------------------


@dataclass
class Match:
    """A series of games; in Ahumm with the same purses, and a pot that a draw leaves lying.

    `games` is the agreed number, None for as long as the players like.  `coins` are those between
    two games; `begins` is the side that begins the next one.
    """

    board: Board
    rules: RuleSet
    games: int | None = None
    begins: Side = Side.LIGHT
    coins: Coins | None = field(default=None)
    outcomes: list[Outcome] = field(default_factory=list)
    over: bool = False

    def __post_init__(self) -> None:
        """Fill the purses."""
        if self.coins is None and self.rules.pot:
            self.coins = Coins(self.rules.purse, self.rules.purse, 0, self.rules.stake)

    def next_game(self, headers: Mapping[str, str] | None = None) -> Game:
        """Return the next game at its start; `IllegalActionError` when the match is over."""
        if self.over:
            raise IllegalActionError("the match is over")
        start = start_position(self.board, self.rules, begins=self.begins, coins=self.coins)
        return Game(start, headers)

    def finish(self, game: Game) -> None:
        """Count a `game` of this match that has ended; `IllegalActionError` if it goes on."""
        ended = game.outcome
        if ended is None:
            raise IllegalActionError("the game is not over yet")
        if self.over:
            raise IllegalActionError("the match is over")
        self.outcomes.append(ended)
        coins = game.position.coins
        if coins is not None:
            self.coins = coins._replace(stake=self.rules.stake)
        self.begins = self.begins.other
        empty = coins is not None and 0 in (coins.light, coins.dark)
        if empty or (self.games is not None and len(self.outcomes) >= self.games):
            self.end()

    def end(self) -> None:
        """End the match; a pot left by a draw is divided, the odd coin to who did not begin."""
        if self.over:
            return
        self.over = True
        if self.coins is None or not self.coins.pot:
            return
        half, odd = divmod(self.coins.pot, 2)
        # `begins` has changed sides since the last game: it names the side that did not begin it.
        shares = [half, half]
        shares[self.begins] += odd
        light, dark = self.coins.light + shares[0], self.coins.dark + shares[1]
        self.coins = Coins(light, dark, 0, self.coins.stake)
