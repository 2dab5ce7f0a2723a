"""Hands of quick play: a step is one move, and all that follows from it is done at once.

They carry out what pages ask for, one request after the other, each when the last one is over, so
that a click is never lost.  What the lights lead to they do themselves: one piece at a time, each
when the table has taken notice of the one before.  Contacts, referee and lights see what they see
on wood; only how soon hands are off is told (`HandsOff`).  Which spaces a piece may go to is asked
of the rules, so that a click that is no step says why and moves nothing.
"""

from collections import deque
from collections.abc import Callable, Iterator
from queue import Empty

from ..app import App
from ..drivers.mock.motion import NOWHERE, space_at
from ..messages.message import Message, message
from ..rules.actions import Action, Placement, Step
from ..rules.hexgrid import mask_of
from ..rules.position import Position, Side, shif
from ..table.commands import Choose, EndTurn, HandsOff, RaiseStake
from ..table.referee.inference import standing_of
from ..table.referee.phases import Asking
from ..table.referee.referee import Referee
from ..table.relocation import Relocation, plan
from ..table.view import Mode
from .instructions import why
from .screen_hands import Choice, Request, ScreenBoard

MOST = 200
"""So many requests wait at most; a hand is not so far ahead of the table."""


class QuickHands:
    """The hands of one simulated table; `say` tells the pages why something is not done."""

    def __init__(self, board: ScreenBoard, say: Callable[[Message], None]) -> None:
        """Begin with nothing asked for."""
        self._board, self._say = board, say
        self._waiting: deque[Request] = deque(maxlen=MOST)
        self._moved = False
        self._meant: Action | None = None
        self._revision = -1
        self._client = 0
        self._since: dict[int, int] = {}

    def __call__(self, app: App) -> None:
        """Do what is to be done next; after each pass of the loop."""
        board = self._board
        try:
            while True:
                self._waiting.append(board.quick_requests.get_nowait())
        except Empty:
            pass
        if not board.quick:
            self._waiting.clear()
            return
        self._note_revision(app)
        if board.is_held or not self._is_seen(app):
            return
        referee = app.table.referee
        if referee.mode is Mode.SETUP and referee.target is not None:
            board.arrange(referee.target)
            return
        move = next(self._moves(referee), None)
        # After the end nothing is asked for, so nobody knows that what was taken off stays away.
        away = referee.mode is Mode.OVER and bool(referee.state.held)
        if move is not None and not away:
            self._carry(move)
        elif self._moved and board.choice is None:
            self._moved = False
            app.carry_out(HandsOff())
        elif isinstance(referee.phase, Asking) and self._meant is not None:
            self._answer(app, referee.phase)
        elif self._waiting:
            self._do(app, self._waiting.popleft())
        else:
            self._client = 0
            board.hide(False)
            board.show_pieces()

    def _note_revision(self, app: App) -> None:
        """Keep since which revision all that happened was asked for by the same page."""
        if app.revision == self._revision:
            return
        self._since = {self._client: self._since.get(self._client, self._revision)}
        self._revision, self._client = app.revision, 0

    def _is_seen(self, app: App) -> bool:
        """Whether the table has taken notice of how the pieces stand."""
        board, state = self._board, app.table.referee.state
        if app.sensor_error or app.table.referee.is_blind:
            return False
        choice = board.choice
        lifted = choice is not None and choice.back != NOWHERE
        return state.occupied == mask_of(board.table.truth()) and (bool(state.held) or not lifted)

    def _moves(self, referee: Referee) -> Iterator[Relocation]:
        """Yield what the lights lead to; after the end of a game, what it has left to do."""
        position, state = referee.position, referee.state
        moves = referee.plan()
        if referee.mode is Mode.OVER:
            wanted = standing_of(position.pieces)
            moves = plan(position.board.grid, state.pieces, wanted, hand=state.in_hand)
        yield from (move for move in moves if not (move.held and move.target is None))

    def _carry(self, move: Relocation) -> None:
        board = self._board
        if board.choice is not None:  # somebody else has asked for something meanwhile
            board.choose(None)
            return
        number = None if move.held else board.table.truth().get(move.origin or 0)
        if move.held or move.origin is None:
            number = board.piece_beside(move.piece)
        if number is not None:
            board.stand(number, move.target)
            self._moved = True

    def _answer(self, app: App, asking: Asking) -> None:
        """Of several actions that fit the contacts, say which was asked for."""
        meant, self._meant = self._meant, None
        for number, option in enumerate(asking.options):
            if option.action == meant:
                app.carry_out(Choose(number))

    # -- what pages ask for -----------------------------------------------------------------------

    def _do(self, app: App, request: Request) -> None:
        board = self._board
        match request.what:
            case "end" | "raise":
                self._command(app, request)
            case "back":
                self._let_go(request.client)
            case "take":
                self._take(app, request.client, request.piece)
            case "put":
                self._put(app, request.client, request.x, request.y)
            case "click":
                piece = self._piece_at(request)
                choice = board.choice
                if choice is None or (piece is not None and self._is_other(choice, piece)):
                    if piece is not None:
                        self._take(app, request.client, piece)
                else:
                    self._put(app, request.client, request.x, request.y)

    def _command(self, app: App, request: Request) -> None:
        """End the turn or raise, if all that happened since was asked for by the same page."""
        if request.revision < self._since.get(request.client, app.revision):
            self._say(message("notice.overtaken"))
            return
        if not self._board.may(request.client, app.table.referee.position.side):
            self._say(message("seat.taken", side=int(app.table.referee.position.side)))
            return
        self._let_go(0)
        self._client = request.client
        app.carry_out(EndTurn() if request.what == "end" else RaiseStake())

    def _piece_at(self, request: Request) -> int | None:
        """Return the piece that was clicked on."""
        board = self._board
        space = space_at(board.table.grid, board.table.pitch_mm, request.x, request.y)
        if request.piece in board.kinds and space == NOWHERE:
            # Of pieces that lie beside the board any will do: this one may have been placed since.
            lies = board.table.space_of(request.piece) == NOWHERE
            return request.piece if lies else board.piece_beside(board.kinds[request.piece])
        if board.choice is not None and space == board.choice.back:
            return board.choice.piece
        return board.table.truth().get(space)

    def _is_other(self, choice: Choice, piece: int) -> bool:
        kinds = self._board.kinds
        return piece != choice.piece and kinds[piece].side is kinds[choice.piece].side

    def _let_go(self, client: int) -> None:
        choice = self._board.choice
        if choice is not None and client in (0, choice.client):
            self._board.choose(None)
            self._moved = True

    def _take(self, app: App, client: int, piece: int) -> None:
        """Take a piece up, if it can do something."""
        board, referee = self._board, app.table.referee
        self._let_go(0)
        if piece not in board.kinds:
            return
        kind, position = board.kinds[piece], referee.position
        space = board.table.space_of(piece)
        if referee.mode is not Mode.PLAY or referee.mover_is_away:
            if referee.mode is Mode.OVER:
                self._say(message("why.over"))
            return
        if kind.side is position.side and not board.may(client, kind.side):
            self._say(message("seat.taken", side=int(kind.side)))
            return
        targets = _targets(app, space)
        if kind is not shif(position.side) and space == NOWHERE:
            targets = ()
        if targets:
            board.choose(Choice(piece, client, space, targets))
        else:
            self._say(_why_none(position, space, kind.side))

    def _put(self, app: App, client: int, x: float, y: float) -> None:
        """Put down the piece that is taken up."""
        board = self._board
        choice, table = board.choice, board.table
        if choice is None or choice.client != client:
            return
        space = space_at(table.grid, table.pitch_mm, x, y)
        action: Action = Step(choice.back, space)
        if choice.back == NOWHERE:
            action = Placement(space)
        if space in choice.targets:
            self._meant, self._client, self._moved = action, client, True
            board.hide(True)
            board.stand(choice.piece, space)
            return
        self._let_go(client)
        reason = why(app.table.game.position, action)
        if reason is not None and space not in (NOWHERE, choice.back):
            self._say(reason)


def _targets(app: App, space: int) -> tuple[int, ...]:
    """Return where the piece on `space` may step, or a Shif from beside the board be placed."""
    legal = app.table.game.legal_actions
    if space == NOWHERE:
        return tuple(sorted({a.space for a in legal if isinstance(a, Placement)}))
    return tuple(a.target for a in legal if isinstance(a, Step) and a.origin == space)


def _why_none(position: Position, space: int, side: Side) -> Message:
    """Return why the piece on `space`, or one of `side` beside the board, can do nothing."""
    if side is not position.side:
        return message("why.others_turn", side=int(position.side))
    if space != NOWHERE:
        for target in position.board.grid.neighbours[space]:
            reason = why(position, Step(space, target)) if target >= 0 else None
            if reason is not None and reason.key not in ("why.taken", "why.hole"):
                return reason
        return message("why.stuck", at=position.board.grid.names[space])
    for target in range(position.board.grid.n):
        reason = why(position, Placement(target))
        if reason is not None and reason.key not in ("why.taken", "why.hole", "why.not_beside"):
            return reason
    return message("why.no_room")
