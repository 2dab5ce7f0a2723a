"""Games and matches: a start and the actions since, taken back, written down, read again.

A `Game` knows its past, so repetition, resignation and agreed draws are settled here; a `Match`
carries purses and pot from game to game.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ..errors import IllegalActionError, ImpossiblePositionError, NotationError, quote
from .actions import Action, Cascade, LegalActions, Outcome, Reason, legal_actions, outcome, resolve
from .board import Board, Layout, make_board, standard_board
from .hexgrid import MAX_SIDE, MIN_SIDE
from .movegen import award_pot
from .notation import (
    format_action,
    format_position,
    format_rows,
    parse_action,
    parse_position,
    parse_rows,
)
from .position import SIDES, Coins, Position, RuleSet, Side, rule_set_from_text, start_position
from .record import OWN_HEADERS, Header, check_names, on_line, read_headers, words, write

UNFINISHED = "*"


class Game:
    """A game: `start` and the cascades played since.

    >>> game = Game(start_position(standard_board()))
    >>> for text in "c3d4 c4d5 end".split():
    ...     cascade = game.play(text)
    >>> print(format_position(game.position))
    5/2ss2/2fff2/8/9/3FF3/4F2/2SS2/5 d 3/0 3/3 -
    >>> game.undo().action
    EndTurn()
    """

    def __init__(self, start: Position, headers: Mapping[str, str] | None = None) -> None:
        """Begin at `start`; `headers` are free texts for the record, such as the players' names.

        Raises `NotationError` when one of them has a name that a record has another use for.
        """
        self.start = start
        self.headers = dict(headers or {})
        check_names(self.headers)
        self._cascades: list[Cascade] = []
        self._agreed: Outcome | None = None
        self._begun: Counter[tuple[Layout, Side]] = Counter()  # turns; reserves follow from pieces
        self._count_turn(start, 1)

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
        self._count_turn(cascade.after, 1)
        return cascade

    def undo(self) -> Cascade:
        """Take the last action back and return it; a resignation or agreement goes with it.

        Raises `IllegalActionError` when nothing has been played.
        """
        if not self._cascades:
            raise IllegalActionError("there is no action to take back")
        self._agreed = None
        cascade = self._cascades.pop()
        self._count_turn(cascade.after, -1)
        return cascade

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
        return self._begun[now.pieces, now.side] >= 3

    def _count_turn(self, position: Position, more: int) -> None:
        """Note that a turn began with `position`, if one did, or with -1 that it did not."""
        if position.steps_made == 0:
            self._begun[position.pieces, position.side] += more

    def record(self) -> str:
        """Return the game as text: headers like PGN's, then one numbered line for each turn."""
        return format_record(self)


# -- records --------------------------------------------------------------------------------------


def format_record(game: Game) -> str:
    """Return the record of `game`; `parse_record` reads it back."""
    check_names(game.headers)
    board, rules, ended = game.start.board, game.start.rules, game.outcome
    headers = {"Board": board.name}
    if board != standard_board():
        headers["BoardSide"] = str(board.side)
        headers["BoardDetaining"] = " ".join(board.grid.names_of(board.detaining))
        headers["BoardStart"] = format_rows(board, board.start)
    headers["Rules"] = str(rules)
    if not _is_usual_start(game.start):
        headers["Start"] = format_position(game.start)
    headers |= game.headers
    headers["Result"] = ended.word if ended else UNFINISHED
    if ended:
        headers["Reason"] = ended.reason
    return write(headers, _turns(game))


def parse_record(text: str) -> Game:
    """Return the game that a record describes, replayed and checked action by action.

    Comments in braces are skipped.  Raises `NotationError`, `ImpossiblePositionError` or
    `IllegalActionError`, each naming the line.
    """
    lines = text.split("\n")
    headers, body = read_headers(lines)
    game = Game(
        _start(headers, body),
        {key: header.text for key, header in headers.items() if key not in OWN_HEADERS},
    )
    for number, word in words(lines, body):
        with on_line(number):
            game.play(word)
    _finish(game, headers)
    return game


def _is_usual_start(position: Position) -> bool:
    """Whether `position` is where a game on its board begins, so that a record need not say."""
    try:
        return position == start_position(position.board, position.rules)
    except ImpossiblePositionError:  # fewer Shifs in the rule set than the board's layout shows
        return False


def _turns(game: Game) -> Iterator[list[str]]:
    """Yield the texts of the actions of each turn."""
    turn: list[str] = []
    for cascade in game.cascades:
        turn.append(format_action(game.start.board, cascade.action))
        if cascade.after.steps_made == 0:
            yield turn
            turn = []
    if turn:
        yield turn


def _start(headers: Mapping[str, Header], body: int) -> Position:
    """Return the position that the headers say the game starts from."""
    for key in ("Board", "Rules"):
        if key not in headers:
            raise NotationError(
                f"line {max(body, 1)}: the header {key} is missing: a record names board and rules"
            )
    board = _board(headers)
    with on_line(headers["Rules"].line):
        rules = rule_set_from_text(headers["Rules"].text)
        if "Start" not in headers:
            return start_position(board, rules)
    with on_line(headers["Start"].line):
        return parse_position(headers["Start"].text, board, rules)


def _board(headers: Mapping[str, Header]) -> Board:
    name = headers["Board"]
    own = [headers.get(key) for key in ("BoardSide", "BoardDetaining", "BoardStart")]
    if own == [None, None, None] and name.text == standard_board().name:
        return standard_board()
    side, detaining, start = own
    if side is None or detaining is None or start is None:
        raise NotationError(
            f"line {name.line}: board {quote(name.text)}: only the standard board needs no "
            "BoardSide, BoardDetaining and BoardStart"
        )
    with on_line(side.line):
        if side.text not in map(str, range(MIN_SIDE, MAX_SIDE + 1)):
            raise NotationError(
                f"BoardSide {quote(side.text)}: expected a whole number from {MIN_SIDE} to "
                f"{MAX_SIDE}"
            )
        bare = Board(name.text, int(side.text), 0, Layout(0, 0, 0, 0))
    with on_line(detaining.line):
        holes = bare.grid.mask(*detaining.text.split())
    with on_line(start.line):
        return make_board(bare.name, bare.side, holes, parse_rows(bare, start.text))


def _finish(game: Game, headers: Mapping[str, Header]) -> None:
    """End the game as the headers say, and refuse an ending that the actions contradict."""
    result, reason = headers.get("Result"), headers.get("Reason")
    winners = {side.word: side for side in SIDES}
    if result is not None and game.outcome is None and reason is not None:
        if reason.text == Reason.RESIGNATION and result.text in winners:
            game.resign(winners[result.text].other)
        elif reason.text == Reason.AGREEMENT and result.text == "draw":
            game.agree_draw()
    ended = game.outcome
    if result is not None:
        with on_line(result.line):
            _check_ending("Result", result.text, ended.word if ended else UNFINISHED)
    if reason is not None:
        with on_line(reason.line):
            _check_ending("Reason", reason.text, ended.reason if ended else UNFINISHED)


def _check_ending(key: str, said: str, real: str) -> None:
    if said != real:
        raise ImpossiblePositionError(f"{key} {quote(said)}: the actions lead to {quote(real)}")


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
        if self.games is not None and self.games < 1:
            raise NotationError(f"games {quote(self.games)}: expected at least 1")
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
