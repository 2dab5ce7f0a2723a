"""Hands on the screen: they move the pieces of a simulated table, which reacts as wood would.

What pages ask for waits in a queue that `scan` empties, so that only the loop's thread touches the
table.  A hand carries through the air, or slides over the wood with all that happens on the way.
It knows which piece is of which kind, but no rule.
"""

from collections.abc import Callable, Iterable, Mapping
from math import hypot
from queue import Empty, SimpleQueue
from random import Random
from typing import Any, NamedTuple

from ..drivers.mock.motion import NOWHERE, space_at
from ..drivers.mock.table import MockTable
from ..drivers.ports import Frame
from ..errors import DeviceError
from ..rules.position import SIDES, Piece, Position, Side, sentinel, shif
from ..table.companion import LINE_LOST_S
from ..table.sensing.debouncer import Scan
from .snapshot import to_json

CARRY_S = 0.04
"""A hand is where the pointer is after so long."""
SHOW_S = 0.04
"""How often others see a piece that is carried."""
CARRY_MM_S = 1500.0
DROP_MM_S = 600.0


class Request(NamedTuple):
    """What the hand of a `client` is asked to do."""

    client: int
    what: str
    piece: int = -1
    x: float = 0.0
    y: float = 0.0
    slides: bool = False
    revision: int = 0
    """The revision of the table that the page saw."""


class Hand:
    """A hand with a piece in it."""

    __slots__ = ("back", "piece", "slides")

    def __init__(self, piece: int, back: int, slides: bool) -> None:
        """Hold `piece`, which stood on space `back` (or beside the board)."""
        self.piece, self.back, self.slides = piece, back, slides


class Choice(NamedTuple):
    """A piece that the hand of a `client` has taken up from space `back`, and where it may go."""

    piece: int
    client: int
    back: int
    targets: tuple[int, ...]


class ScreenBoard:
    """A simulated table with all pieces of a game, as contacts and lights of an app."""

    def __init__(
        self,
        table: MockTable,
        position: Position,
        tell: Callable[[str, str], None],
        *,
        seed: int | None = None,
        quick: bool = False,
    ) -> None:
        """Lay the pieces for `position` beside the table; `tell` takes (kind, message)."""
        self.table = table
        self.requests: SimpleQueue[Request] = SimpleQueue()
        self.kinds: dict[int, Piece] = {}
        self._tell = tell
        self._hands: dict[int, Hand] = {}
        self._shaky = False
        self._random = Random(seed)
        self._shown: list[list[Any]] = []
        self._shown_s = -1.0
        self._busy_until = 0.0
        self._misses = 0
        self._missed_s = 0.0
        self._is_put = False
        self.may: Callable[[int, Side], bool] = lambda client, side: True
        """Whether the hand of a client may move the pieces of a side."""
        self.side = position.side
        """The side to act, as the table has it."""
        self.quick = quick
        """Whether a step is one move of the hand, and what follows is done by hands of its own."""
        self.quick_requests: SimpleQueue[Request] = SimpleQueue()
        """What pages ask for in quick play; see `quick_hands`."""
        self._choice: Choice | None = None
        self._hides = False
        self.lay_out(position)

    # -- the two contracts ------------------------------------------------------------------------

    def scan(self) -> Scan:
        """Do what hands were asked to do, and read the contacts."""
        table = self.table
        if self._is_away():
            raise DeviceError("The pieces are being put where they belong.")
        asked = False
        try:
            while True:
                self._do(self.requests.get_nowait())
                asked = True
        except Empty:
            pass
        if asked:
            self._busy_until = table.busy_until() + 0.05
        scan = table.scan()
        if asked or table.now <= self._busy_until:
            self._let_fall()
            self.show_pieces()
        return scan

    def _is_away(self) -> bool:
        """Whether pieces have just been put: until the line must be taken for lost."""
        if not self._is_put:
            return False
        # Counted from the second scan that fails, when the first has surely been noticed.
        now = self.table.scan().time_s  # which nobody hears of; contacts have time to bounce
        self._misses += 1
        if self._misses == 2:
            self._missed_s = now
        self._is_put = self._misses < 3 or now < self._missed_s + LINE_LOST_S + 0.01
        return True

    def show(self, frame: Frame) -> None:
        """Show a frame."""
        self.table.show(frame)

    def close(self) -> None:
        """Make the lights dark."""
        self.table.close()

    def change(self, position: Position) -> None:
        """Become a table of another board, for `position`."""
        old = self.table
        self.table = MockTable(position.board, pitch_mm=old.pitch_mm, clock=lambda: old.now)
        self.kinds = {}
        self.lay_out(position)

    # -- pieces -----------------------------------------------------------------------------------

    def lay_out(self, position: Position) -> None:
        """Have exactly the pieces that a game of the position's rules needs, beside the board."""
        needed: list[Piece] = []
        for side in SIDES:
            sentinels = max(
                position.pieces[sentinel(side)].bit_count(),
                position.board.start[sentinel(side)].bit_count(),
            )
            needed += [sentinel(side)] * sentinels + [shif(side)] * position.rules.shifs
        for number in range(max(len(needed), len(self.kinds))):
            self.table.put(number, None)
        self.kinds = dict(enumerate(needed))
        self._hands.clear()
        self._choice = None

    def arrange(self, standing: Mapping[int, Piece | None], *, unseen: bool = True) -> None:
        """Let the pieces stand as given, all others lie beside the board.

        If `unseen` the contacts cannot be read for a while, so that the table looks at the board
        anew, as after any gap, rather than see a hundred hands.
        """
        self._is_put, self._misses = unseen, 0
        self._hands.clear()
        self._choice, self._hides = None, False
        free = list(self.kinds)
        for space, piece in standing.items():
            number = next((n for n in free if piece is None or self.kinds[n] is piece), None)
            if number is not None:
                free.remove(number)
                self.table.put(number, space)
        for number in free:
            self.table.put(number, None)
        self.show_pieces()

    def show_pieces(self) -> None:
        """Tell where the pieces are, if that has changed."""
        held = {hand.piece: client for client, hand in self._hands.items()}
        table, rows, choice = self.table, [], self._choice
        for number, piece in self.kinds.items():
            x, y, _ = table.position(number)
            if number in held:
                rows.append([number, piece.letter, held[number], round(x, 1), round(y, 1)])
            elif choice is not None and number == choice.piece:
                rows.append([number, piece.letter, choice.back])
            else:
                rows.append([number, piece.letter, table.space_of(number)])
        if rows == self._shown or self._hides:
            return
        # While somebody carries a piece, the others need not see every millimetre.
        if held and _still(rows) == _still(self._shown) and table.now - self._shown_s < SHOW_S:
            return
        self._shown, self._shown_s = rows, table.now
        message = {"t": "pieces", "p": rows, "shaky": self._shaky, "quick": self.quick}
        self._tell("pieces", to_json(message | {"choice": choice}))

    # -- quick play -------------------------------------------------------------------------------

    @property
    def is_held(self) -> bool:
        """Whether somebody holds a piece as on wood."""
        return bool(self._hands)

    @property
    def choice(self) -> Choice | None:
        """The piece that is taken up in quick play."""
        return self._choice

    def choose(self, choice: Choice | None) -> None:
        """Take a piece up, or none; the one that was taken up before stands where it stood."""
        before = self._choice
        if before is not None:
            self.stand(before.piece, None if before.back == NOWHERE else before.back)
        self._choice, self._shown = choice, []
        if choice is not None:
            self.table.put(choice.piece, None)

    def stand(self, piece: int, space: int | None) -> None:
        """Let a piece stand on `space` at once, or beside the board."""
        if self._choice is not None and piece == self._choice.piece:
            self._choice, self._shown = None, []
        self.table.put(piece, space)
        self._busy_until = self.table.now + 0.05

    def piece_beside(self, kind: Piece | None) -> int | None:
        """Return a piece of that kind that lies beside the board, None if there is none."""
        table = self.table
        lying = (n for n, known in self.kinds.items() if kind in (None, known))
        return next((n for n in lying if table.space_of(n) == NOWHERE), None)

    def hide(self, hides: bool) -> None:
        """While hands do what follows from a step nothing is told: it is shown as it is played."""
        if hides is not self._hides:
            self._hides, self._shown = hides, []

    # -- hands ------------------------------------------------------------------------------------

    def _do(self, request: Request) -> None:
        hand = self._hands.get(request.client)
        match request.what:
            case "quick":
                self.play_quickly(request.x > 0)
            case "click" | "take" | "put" | "back" | "end" | "raise" if self.quick:
                self.quick_requests.put(request)
            case _ if self.quick and request.what != "shaky":
                pass  # a page that has not heard yet
            case "lift" if hand is None and request.piece in self.kinds:
                self._lift(request)
            case "move" if hand is not None:
                self._move(hand, (request.x, request.y))
            case "drop" if hand is not None:
                self._drop(request.client, hand, (request.x, request.y))
            case "back" if hand is not None:
                self._put_back(request.client, hand)
            case "shaky":
                self._shaky = request.x > 0
                self.table.reeds.bounce_s = 0.02 if self._shaky else 0.004
                self._shown = []

    def play_quickly(self, quick: bool) -> None:
        """Change the way of playing; what is in a hand is put back."""
        for client, hand in list(self._hands.items()):
            self._put_back(client, hand)
        self.choose(None)
        self.hide(False)
        self.quick, self._shown = quick, []

    def _lift(self, request: Request) -> None:
        piece = request.piece
        held = any(other.piece == piece for other in self._hands.values())
        if held or not self._may_lift(request):
            return
        table = self.table
        space = table.space_of(piece)
        on_wood = space != NOWHERE and not table.board.detaining >> space & 1
        self._hands[request.client] = Hand(piece, space, request.slides and on_wood)
        if not self._hands[request.client].slides:
            table.lift(piece, speed_mm_s=DROP_MM_S, at=table.now)

    def _may_lift(self, request: Request) -> bool:
        """Whether the side to act is this client's, who then moves pushed pieces of both."""
        return self.may(request.client, self.side)

    def _move(self, hand: Hand, to: tuple[float, float]) -> None:
        table = self.table
        x, y, _ = table.position(hand.piece)
        speed = max(50.0, hypot(to[0] - x, to[1] - y) / CARRY_S)
        if hand.slides:
            table.slide(hand.piece, to, speed_mm_s=speed, at=table.now)
        else:
            table.carry(hand.piece, to, speed_mm_s=max(speed, CARRY_MM_S), at=table.now)

    def _drop(self, client: int, hand: Hand, to: tuple[float, float]) -> None:
        table, piece = self.table, hand.piece
        space = space_at(table.grid, table.pitch_mm, *to)
        if space == NOWHERE:
            del self._hands[client]
            table.take_off(piece, speed_mm_s=CARRY_MM_S)
            return
        if self._is_taken(space, piece):
            hand.slides = False  # there is no room: it stays in the hand
            table.lift(piece, speed_mm_s=DROP_MM_S, at=table.now)
            return
        del self._hands[client]
        offset = self._wobble(5.0)
        if hand.slides:
            table.slide(piece, space, speed_mm_s=400.0, offset_mm=offset, at=table.now)
        else:
            table.carry(piece, space, speed_mm_s=CARRY_MM_S, at=table.now)
            table.drop(piece, space, offset_mm=offset, speed_mm_s=DROP_MM_S)
        if self._shaky:
            self._stumble(piece, space)

    def _put_back(self, client: int, hand: Hand) -> None:
        """Put a piece back where it was, or beside the board if there is no room."""
        back = hand.back
        hand.slides = False
        if back == NOWHERE or self._is_taken(back, hand.piece):
            del self._hands[client]
            self.table.take_off(hand.piece, speed_mm_s=CARRY_MM_S)
        else:
            self._drop(client, hand, self.table.reeds.centres[back])

    def _is_taken(self, space: int, piece: int) -> bool:
        held = {hand.piece for hand in self._hands.values()}
        others = (n for n in self.kinds if n != piece and n not in held)
        return any(self.table.space_of(number) == space for number in others)

    def _let_fall(self) -> None:
        """Take out of the hand what slid over the edge or into a hole."""
        for client, hand in list(self._hands.items()):
            if hand.slides:
                space = self.table.space_of(hand.piece)
                if space == NOWHERE or self.table.board.detaining >> space & 1:
                    del self._hands[client]

    # -- a shaky hand -----------------------------------------------------------------------------

    def _wobble(self, most_mm: float) -> tuple[float, float]:
        if not self._shaky:
            return (0.0, 0.0)
        return (self._random.uniform(-most_mm, most_mm), self._random.uniform(-most_mm, most_mm))

    def _stumble(self, piece: int, space: int) -> None:
        """Let a piece that is put down hop, and bump those beside it and back."""
        table = self.table
        table.lift(piece, height_mm=12.0, speed_mm_s=300.0)
        table.drop(piece, space, offset_mm=self._wobble(3.0), speed_mm_s=300.0)
        around = table.grid.adjacent[space] & ~table.board.detaining
        for number in self._standing(around):
            dx, dy = self._wobble(4.0)
            table.nudge(number, dx, dy)
            table.nudge(number, -dx, -dy)

    def _standing(self, spaces: int) -> Iterable[int]:
        return [n for space, n in self.table.truth().items() if spaces >> space & 1]


def _still(rows: list[list[Any]]) -> list[list[Any]]:
    """Return what is told of pieces without the places of those that are carried."""
    return [row[:3] for row in rows]
