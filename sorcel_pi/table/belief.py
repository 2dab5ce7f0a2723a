"""Which piece stands where and which are in the hand, followed from one contact change to the next.

One bit a space does not say which piece it is; the hand does: a piece that was lifted is the one
that is put down.  This module keeps that thread through slides, shoves and two hands.  It knows
what is *wanted* where, because that settles doubt, but not the rules; it decides nothing.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from ..rules.board import Layout
from ..rules.hexgrid import HexGrid, spaces_of
from ..rules.position import PIECES, Piece
from .relocation import Relocation, plan
from .shoves import TOO_QUICK_S, Scene, Shove, Token, Waits, other_reading, read_shove


@dataclass(slots=True)
class Arrival:
    """A contact that closed beside occupied spaces (`neighbours`) whose contacts overlap with it.

    It may be a piece that slides over from there and whose own contact has yet to open.  Until
    then it is taken as `token`, and `undo` takes that back; without one nothing is decided.
    """

    space: int
    since_s: float
    neighbours: int
    token: Token | None = None
    undo: Callable[[], None] | None = None


@dataclass(slots=True)
class Wish:
    """What the open task asks for: `target` (None: nothing), and what helps to tell pieces apart.

    `hints` maps spaces to where the rules moved the piece there, `removed` is the mask of those
    whose piece they take off.  `returns` maps a piece's home
    to the further spaces that count as where it came from.  `newcomer` is what a piece from
    beside the board is, where nothing is asked for; `placeable` where one may come to stand.
    `mover` says which pieces have the longer time for a slide.
    """

    target: Mapping[int, Piece] | None = None
    hints: Mapping[int, int] = field(default_factory=dict)
    returns: Mapping[int, int] = field(default_factory=dict)
    removed: int = 0
    newcomer: Piece | None = None
    placeable: int = 0
    mover: tuple[Piece, ...] = ()


RECENT_S = 10.0
"""For so long it is remembered what was lifted."""
DEPARTED_S = 5.0
"""For so long a piece that was taken off may still be in somebody's hand."""
IN_AIR_S = 1.5
"""A piece that was lifted so shortly ago is likelier to come down than one that was before."""


class Belief:
    """The pieces as the table believes them to be."""

    def __init__(
        self,
        grid: HexGrid,
        pieces: Layout | None = None,
        *,
        hexes: int | None = None,
        waits: Waits | None = None,
        overlaps: Mapping[int, int] | None = None,
    ) -> None:
        """Believe that `pieces` stand as they do; `overlaps` maps spaces to masks of neighbours."""
        self.grid = grid
        self.hexes = grid.everywhere if hexes is None else hexes
        self.waits = waits or Waits()
        self.overlaps = dict(overlaps or {})
        self.standing: dict[int, Token] = {}
        self.hand: list[Token] = []
        self.gone: list[Token] = []
        self.departed: list[Token] = []
        """What the last completed action took off the board."""
        self.wish = Wish()
        self.newcomer: Arrival | None = None
        """What has come while the hand was empty, as long as that is undecided."""
        self._landed: Arrival | None = None
        """What has just been put down, as long as that is in doubt."""
        self.masked = 0
        """Spaces whose contacts say nothing."""
        self.last_space: int | None = None
        """Where the hand was last."""
        self._bundle: list[Token] = []
        """What was lifted since the hand was last empty."""
        self._recent: list[Token] = []
        """What was lifted lately, whether it is in the hand or left the board."""
        self._glimpsed: dict[int, float] = {}
        if pieces is not None:
            self.assume(pieces)

    # -- questions ----------------------------------------------------------------------------

    @property
    def occupied(self) -> int:
        """The mask of spaces on which pieces are believed to stand."""
        mask = 0
        for space in self.standing:
            mask |= 1 << space
        return mask

    @property
    def pieces(self) -> dict[int, Piece | None]:
        """What is believed to stand on each space."""
        return {space: token.piece for space, token in self.standing.items()}

    @property
    def displaced(self) -> list[Token]:
        """The tokens on the board that stand where the position does not have them."""
        return [token for token in self.standing.values() if token.space != token.home]

    @property
    def held(self) -> list[Piece]:
        """The known pieces in the hand, the one lifted last at the end."""
        return [token.piece for token in self.hand if token.piece is not None]

    @property
    def guesses(self) -> int:
        """The mask of spaces whose pieces are a guess."""
        mask = 0
        for space, token in self.standing.items():
            if token.guess:
                mask |= 1 << space
        return mask

    def matches(self, wanted: Mapping[int, Piece]) -> bool:
        """Whether exactly the `wanted` pieces stand on the board."""
        return len(wanted) == len(self.standing) and all(
            space in self.standing and self.standing[space].piece is piece
            for space, piece in wanted.items()
        )

    # -- being told ---------------------------------------------------------------------------

    def assume(self, pieces: Layout) -> None:
        """Believe from now on that `pieces` stand as they do and the hand is empty."""
        self.standing = {
            space: Token(piece, home=space, space=space)
            for piece, mask in zip(PIECES, pieces, strict=True)
            for space in spaces_of(mask)
        }
        self.hand, self.gone, self._bundle, self._recent = [], [], [], []
        self.newcomer = self._landed = None

    def forget_movements(self) -> None:
        """Forget how the pieces came to where they are: nobody was looking."""
        self._bundle, self._recent, self._glimpsed = list(self.hand), [], {}
        self.newcomer = self._landed = None

    def settle_homes(self, wanted: Mapping[int, Piece], *, fresh: bool) -> None:
        """Take `wanted` as the position: each piece that stands where it has one is at home.

        Places that are empty are given to pieces of their kind in the hand or astray, those that
        had the place before first.  Without `fresh`, what stands astray is no action.
        """
        self.departed, self.gone = self.gone, []
        places = dict(wanted)
        astray: list[Token] = []
        for space, token in self.standing.items():
            if wanted.get(space) is token.piece and token.piece is not None:
                token.home = space
                del places[space]
            else:
                astray.append(token)
        rest = [*astray, *self.hand]
        rest.sort(key=lambda token: token.home not in places)
        for token in rest:
            same = [s for s, piece in places.items() if piece is token.piece]
            if token.home in same:
                home = token.home
            elif same:
                home = min(same, key=lambda s: self.away(token, s))
            else:
                home = None
            token.home = home
            token.fresh = fresh
            if home is not None:
                del places[home]
        # What has no place any more is beside the board, wherever the hand holds it.
        self.hand = [token for token in self.hand if token.home is not None]

    def away(self, token: Token, space: int) -> int:
        """Return how far `space` is from where `token` stands or was lifted, 0 if nobody knows."""
        here = token.space if token.space is not None else token.origin
        return self.grid.distance(here, space) if here is not None else 0

    # -- contacts -----------------------------------------------------------------------------

    def glimpse(self, raw: int, now: float) -> None:
        """Note the contacts in the mask `raw` that had opened too briefly to count as a lift."""
        for space in spaces_of(raw):
            self._glimpsed[space] = now

    def open(self, space: int, now: float) -> None:
        """The contact of `space` has opened: its piece is in the hand, or slid next door."""
        self._glimpsed.pop(space, None)
        for guessed in self.standing.values():
            guessed.guess = False
        if self.newcomer is not None and self.newcomer.space == space:
            self.newcomer = None
            return
        if (shove := self._slid(space, now)) is not None:
            self._slide(shove, now)
            return
        self._landed = None
        self.admit(now)
        token = self.standing.get(space)
        if token is None:  # nobody knew of a piece here
            return
        leaves = self._leaves(space)
        del self.standing[space]
        token.space, token.origin, token.lifted_s = None, space, now
        self.last_space = space
        self._recent = [t for t in self._recent if now - t.lifted_s <= RECENT_S and t is not token]
        self._recent.append(token)
        if leaves:
            self.gone.append(token)
            return
        if not self.hand:
            self._bundle = []
        self.hand.append(token)
        self._bundle.append(token)

    def close(self, space: int, now: float) -> None:
        """The contact of `space` has closed: a piece is put down, or slides in."""
        self._glimpsed.pop(space, None)
        self.admit(now)
        self._landed = None
        if space in self.standing:
            return
        self.last_space = space
        if self._shoved_off(space, now):
            return
        beside = self.overlaps.get(space, 0) & self.occupied
        if self.hand:
            token = self._which(space, now)
            if beside:
                self._landed = Arrival(space, now, beside, token, self._memory())
            (self.hand if token in self.hand else self.gone).remove(token)
            self._put(token, space, now)
            token.guess = len({t.piece for t in self._bundle}) > 1
            self._reread(now)
            # Of two like pieces the one still held may now be the one that leaves the board.
            self.part_with_surplus()
            return
        if beside and not self._asked_from_beside(space):
            self.newcomer = Arrival(space, now, beside)
            return
        self._welcome(space, now)

    def admit(self, now: float) -> None:
        """Take an undecided newcomer as one that came from beside the board."""
        newcomer, self.newcomer = self.newcomer, None
        if newcomer is not None and newcomer.space not in self.standing:
            self._welcome(newcomer.space, newcomer.since_s)

    def wait(self, now: float) -> bool:
        """Decide what time decides, a newcomer that has not slid or a fall; True if it did."""
        if len(self.hand) == 1:
            lifted = self.hand[0].lifted_s
            late = now - lifted >= self.waits.patience_s - 1e-9
            if (self._glimpsed or late) and self._read_shove(now, lifted, late=late):
                return True
        newcomer = self.newcomer
        if newcomer is None or now < self.next_deadline_of(newcomer):
            return False
        if self.wish.placeable >> newcomer.space & 1:
            self.admit(now)
        return self.newcomer is None

    def next_deadline_of(self, newcomer: Arrival) -> float:
        """Return when `newcomer` stops being a slide of the side to act."""
        return newcomer.since_s + self.waits.slide_s

    def part_with_surplus(self) -> None:
        """Let the pieces leave the hand that the open task takes off the board."""
        target = self.wish.target
        if target is None or not self.hand:
            return
        for token in [t for t in self.hand if self._is_removed(t)]:
            if token.piece is not None and self._surplus(token.piece) > 0:
                self.hand.remove(token)
                self.gone.append(token)
        moves = plan(self.grid, self.pieces, target, hand=self.held, hints=self.wish.hints)
        for move in moves:
            if move.held and move.target is None and not move.detour:
                like = [t for t in self.hand if t.piece is move.piece]
                token = next((t for t in like if self._is_removed(t)), like[0])
                self.hand.remove(token)
                self.gone.append(token)

    def _is_removed(self, token: Token) -> bool:
        """Whether `token` is a piece that the rules take off the board."""
        return token.home is not None and bool(self.wish.removed >> token.home & 1)

    def carry_out(self, move: Relocation, now: float) -> None:
        """Take the relocation `move` as done by hand, whatever the contacts say."""
        if move.origin is not None:
            token = self.standing.pop(move.origin)
            token.origin, token.lifted_s = move.origin, now
        elif move.held:
            token = next(t for t in self.hand if t.piece is move.piece)
            self.hand.remove(token)
        else:
            token = Token(move.piece)
        token.space = None
        if move.target is None:
            self.gone.append(token)
        else:
            self._put(token, move.target, now)

    # -- which piece is it --------------------------------------------------------------------

    def _put(self, token: Token, space: int, now: float) -> None:
        token.space, token.landed_s, token.fresh = space, now, True
        self.standing[space] = token

    def _leaves(self, space: int) -> bool:
        """Whether the piece on `space` is one that the open task takes off the board."""
        token, target = self.standing[space], self.wish.target
        if target is None or token.piece is None:
            return token.piece is None
        if self._is_removed(token) and space == token.home:
            # Of like pieces any may go; this is the one that the rules take.
            return self._surplus(token.piece) > 0
        if target.get(space) is token.piece:
            return False
        moves = plan(
            self.grid,
            self.pieces,
            target,
            hand=self.held,
            hints=self.wish.hints,
            hexes=self.hexes,
        )
        return any(m.origin == space and m.target is None and not m.detour for m in moves)

    def _surplus(self, piece: Piece) -> int:
        """Return how many pieces of this kind there are more than the open task wants."""
        here = [*self.pieces.values(), *self.held].count(piece)
        return here - list((self.wish.target or {}).values()).count(piece)

    def _which(self, space: int, now: float) -> Token:
        """Return the piece, in the hand or just gone, that has come down on `space`."""
        token = self.hand[-1]
        newest = self._recent[-1] if self._recent else token
        if newest in self.gone and now - newest.lifted_s <= IN_AIR_S:
            token = newest
        asked = self.wish.target.get(space) if self.wish.target is not None else None
        if asked is not None and (len(self.hand) > 1 or token.piece is not asked):
            # A like piece that was to leave the board, lifted later, may have been moved instead.
            meant = [t for t in self.hand if t.piece is asked] or [
                t for t in self.gone if t.piece is asked and t.lifted_s > token.lifted_s
            ]
            if meant:
                token = ([t for t in meant if t.home == space] or meant)[-1]
        return token

    def _welcome(self, space: int, now: float) -> None:
        """A piece has come to `space` from beside the board."""
        target = self.wish.target
        asked = target.get(space) if target is not None else None
        token = self._from_masked(asked) or self._back(space, asked)
        if token is None and asked is None:
            token = self._from_last_action(space, now)
        self._put(token or Token(asked if asked is not None else self.wish.newcomer), space, now)

    def _from_last_action(self, space: int, now: float) -> Token | None:
        """Return what was taken off a moment ago, where it is the likelier newcomer."""
        late = [t for t in self.departed if now - t.lifted_s <= DEPARTED_S]
        if not late or self.wish.placeable >> space & 1:
            return None
        token = late[-1]
        self.departed.remove(token)
        token.home = None
        return token

    def _from_masked(self, asked: Piece | None) -> Token | None:
        """Return the piece that is asked for and must leave the masked space it stands on."""
        for space in spaces_of(self.masked if asked is not None else 0):
            token, target = self.standing.get(space), self.wish.target
            if token and target and token.piece is asked and target.get(space) is not asked:
                del self.standing[space]
                return token
        return None

    def _back(self, space: int, asked: Piece | None) -> Token | None:
        """Return the piece among those that left the board which has come back to `space`.

        One that came from there is put back, unless a piece from beside the board is asked for
        there; else it is one that is asked for, or, where nothing is, the one that left last.
        """
        gone = self.gone[::-1]
        came = [t for t in gone if self._came_from(t, space)]
        if came and came[0].piece is not asked and self._asked_from_beside(space):
            came = []
        fits = came or [t for t in gone if asked in (None, t.piece)]
        if not fits:
            return None
        self.gone.remove(fits[0])
        return fits[0]

    def _came_from(self, token: Token, space: int) -> bool:
        """Whether `space` counts as where `token` came from."""
        further = self.wish.returns.get(token.home, 0) if token.home is not None else 0
        return space in (token.origin, token.home) or bool(further >> space & 1)

    def comes_back(self, space: int) -> bool:
        """Whether a piece put down on `space` now would be one that had just left the board."""
        return not self.hand and any(self._came_from(token, space) for token in self.gone)

    def _asked_from_beside(self, space: int) -> bool:
        """Whether a piece from beside the board is what the open task asks for on `space`."""
        target = self.wish.target
        if target is None or space not in target:
            return False
        moves = plan(self.grid, self.pieces, target, hand=self.held, hints=self.wish.hints)
        return any(m.target == space and m.origin is None for m in moves)

    # -- slides and shoves --------------------------------------------------------------------

    def slides(self, space: int, now: float) -> bool:
        """Whether the piece that is leaving `space` is one that has just come down next door."""
        newcomer = self.newcomer
        same = newcomer is not None and newcomer.space == space
        return same or self._slid(space, now) is not None

    def _slid(self, near: int, now: float) -> Shove | None:
        """Return the slide, or the shove of a line, that begins on `near`, if one has ended."""
        arrival = self.newcomer or self._landed
        line = self._line_to(near, arrival) if arrival is not None else []
        if arrival is None or not line or not arrival.neighbours >> line[-1] & 1:
            return None
        moved = [self.standing[space] for space in line]
        shove = Shove(tuple(zip(moved, [*line[1:], arrival.space], strict=True)), sure=True)
        waited_s = now - arrival.since_s
        if arrival.token is None and len(line) == 1:
            likely = self._outwaits(moved[0], arrival, waited_s)
        else:
            likely = self._outdoes(shove, arrival, waited_s)
        return shove if likely else None

    def _line_to(self, near: int, arrival: Arrival) -> list[int]:
        """Return the spaces of the unbroken line of pieces from `near` up to the arrival."""
        for direction in range(6):
            line = [near]
            for space in self.grid.ray(near, direction):
                if space == arrival.space:
                    return line if near in self.standing else []
                if space not in self.standing:
                    break
                line.append(space)
        return []

    def _outwaits(self, token: Token, arrival: Arrival, waited_s: float) -> bool:
        """Whether `token` may still be what has come, rather than a piece from beside the board."""
        if not self.wish.placeable >> arrival.space & 1:
            return True
        patient = token.piece in self.wish.mover or self.wish.target is not None
        return waited_s <= (self.waits.slide_s if patient else self.waits.settle_s)

    def _outdoes(self, shove: Shove, arrival: Arrival, waited_s: float) -> bool:
        """Whether `shove` is likelier than what the arrival has been taken for."""
        if arrival.token is not None and self._belongs(arrival.token, arrival.space):
            return False
        target, first = self.wish.target, shove.places[0][0]
        if target is None:
            back = arrival.token is not None and self._came_from(arrival.token, arrival.space)
            slides = first.piece in self.wish.mover and len(shove.places) == 1 and not back
            return waited_s <= (self.waits.settle_s if slides else TOO_QUICK_S)
        if all(end is not None and target.get(end) is t.piece for t, end in shove.places):
            return waited_s <= self.waits.slide_s
        return waited_s <= TOO_QUICK_S

    def _belongs(self, token: Token, space: int) -> bool:
        """Whether `token` itself may have been meant to come to `space`."""
        if self.wish.target is None:
            steps = token.origin is not None and self.grid.adjacent[token.origin] >> space & 1
            return token.piece in self.wish.mover and bool(steps)
        if token.home is None:
            return False
        stays = token.home == space and self.wish.target.get(space) is token.piece
        hinted = self.wish.hints.get(token.home) == space
        return stays or hinted or bool(self.wish.returns.get(token.home, 0) >> space & 1)

    def _slide(self, shove: Shove, now: float) -> None:
        """Take what has come as the end of `shove`, and leave in the hand what it was taken for."""
        arrival = self.newcomer or self._landed
        assert arrival is not None
        self.newcomer = self._landed = None
        if arrival.undo is not None:
            arrival.undo()
        first = shove.places[0][0]
        for token, _ in shove.places:
            assert token.space is not None
            del self.standing[token.space]
            token.origin, token.lifted_s = token.space, arrival.since_s
        for token, end in shove.places:
            assert end is not None
            self._put(token, end, now)
        self.last_space = first.space
        self.part_with_surplus()

    def _reread(self, now: float) -> None:
        """Read the pieces that were in the hand together anew, now that one more is down."""
        bundle = self._bundle
        if self._recent and self._read_shove(now, self._recent[-1].lifted_s):
            return
        origins = [t.origin for t in bundle]
        if len(bundle) < 2 or self.hand or None in origins:
            return
        if {t.space for t in bundle} == set(origins) and self._agrees(
            {t.origin: t.piece for t in bundle}
        ):
            self._reassign({t: t.origin for t in bundle if t.origin is not None})

    def _agrees(self, places: Mapping[int | None, Piece | None]) -> bool:
        """Whether the open task does not speak against `places`."""
        target = self.wish.target
        return target is None or all(target.get(s) is p for s, p in places.items() if s is not None)

    def _read_shove(self, now: float, lifted_s: float, *, late: bool = False) -> bool:
        """Read what was lifted at about `lifted_s` as a shoved line; True if it was one."""
        shove = self._shove_at(now, lifted_s, late=late)
        if shove is None:
            return False
        self._take_over(shove)
        self.part_with_surplus()
        return True

    def _shove_at(self, now: float, lifted_s: float, *, late: bool) -> Shove | None:
        """Return the shove that explains what was lifted at about `lifted_s`."""
        burst = [t for t in self._recent if abs(t.lifted_s - lifted_s) <= self.waits.shove_s]
        # A piece that was down before this one was lifted, or that has left the board, may have
        # nothing to do with it.
        close = [t for t in burst if t.space is None or t.landed_s >= lifted_s]
        alone = [t for t in close if t.lifted_s == lifted_s or t not in self.gone]
        held = [t for t in close if t.lifted_s == lifted_s] if late else alone
        tries = (
            read_shove(self._scene(tokens), now, late=late)
            for tokens in (burst, close, alone, held)
        )
        return next((shove for shove in tries if shove is not None), None)

    def read_late(self, leaving: int, now: float) -> None:
        """Read a shove that only its near contacts show, as another piece is lifted elsewhere.

        A hand that held a piece could hardly lift the one on `leaving`.
        """
        if len(self.hand) != 1 or self.hand[0] not in self._recent:
            return
        shove = self._shove_at(now, self.hand[0].lifted_s, late=True)
        if shove is not None and self.standing.get(leaving) not in [t for t, _ in shove.places]:
            self._take_over(shove)
            self.part_with_surplus()

    def _scene(self, burst: list[Token]) -> Scene:
        return Scene(
            self.grid,
            self.hexes,
            self.waits,
            self.standing,
            burst,
            self._glimpsed,
            self.wish.target or {},
            self.wish.hints,
        )

    def other_readings(self) -> list[Shove]:
        """Return the shoves that would look like what was lately taken for carrying."""
        readings = [other_reading(self._scene([]), token) for token in self._recent]
        return [shove for shove in readings if shove is not None]

    def try_out(self, shove: Shove) -> Callable[[], None]:
        """Read something as a shove after all; the result, called, undoes that."""
        undo = self._memory()
        self._take_over(shove)
        return undo

    def _memory(self) -> Callable[[], None]:
        """Return what, called, brings back where each piece is now."""
        standing, hand, gone = dict(self.standing), list(self.hand), list(self.gone)
        bundle, recent = list(self._bundle), list(self._recent)
        tokens = [(replace(t), t) for t in {*standing.values(), *hand, *gone, *bundle, *recent}]

        def undo() -> None:
            for before, token in tokens:
                token.space, token.origin = before.space, before.origin
                token.lifted_s, token.landed_s = before.lifted_s, before.landed_s
                token.fresh, token.guess = before.fresh, before.guess
            self.standing, self.hand, self.gone = standing, hand, gone
            self._bundle, self._recent = bundle, recent

        return undo

    def is_shoving(self, space: int | None, now: float) -> bool:
        """Whether a piece that has just left the board may be the first of a shoved line.

        `space` is where the next one is being lifted, None where one is put down.
        """
        lifted = {t.origin for t in self._recent if now - t.lifted_s <= self.waits.shove_far_s}
        stood = lifted | self.standing.keys()
        next_ones = {space} if space is not None else {t.origin for t in self.hand} & lifted
        for token in self.gone:
            if token.origin is None or token.origin not in lifted:
                continue
            for direction in range(6):
                for place in self.grid.ray(token.origin, direction):
                    if place not in stood:
                        break
                    if place in next_ones:
                        return True
        return False

    def _shoved_off(self, space: int, now: float) -> bool:
        """Read a drop as the far end of a line whose near piece counted as leaving the board."""
        token = self._recent[-1] if self._recent else None
        if token is None or token not in self.gone:
            return False
        # Tried out: the near piece as if it had been put down here.
        self._put(token, space, now)
        if self._read_shove(now, token.lifted_s):
            return True
        del self.standing[space]
        token.space = None
        return False

    def _take_over(self, shove: Shove) -> None:
        """Let the pieces of a shoved line stand where it has brought them."""
        newest = max(t.landed_s for t, _ in shove.places)
        for token, _ in shove.places:
            if token.space is not None and self.standing.get(token.space) is token:
                del self.standing[token.space]
        moved = [token for token, _ in shove.places]
        self.hand = [t for t in self.hand if t not in moved]
        self.gone = [t for t in self.gone if t not in moved]
        for token, place in shove.places:
            if token not in self._recent:
                token.origin = token.space
            token.space, token.fresh, token.guess = place, True, not shove.sure
            if place is None:
                self.hand.append(token)
            else:
                token.landed_s = newest
                self.standing[place] = token
        # The bundle stays: should what fell come down again, all may have been put back.
        self._recent = [t for t in self._recent if t not in moved]

    def _reassign(self, places: Mapping[Token, int]) -> None:
        """Let the tokens of the bundle stand on `places`; the others of it are in the hand."""
        times = {t.space: t.landed_s for t in self._bundle if t.space is not None}
        for token in self._bundle:
            if token.space is not None:
                del self.standing[token.space]
                token.space = None
        self.hand = [t for t in self.hand if t not in self._bundle]
        for token in self._bundle:
            if token in places:
                token.space = places[token]
                token.landed_s = times[places[token]]
                token.guess = False
                self.standing[token.space] = token
            else:
                self.hand.append(token)

    # -- for the journal ----------------------------------------------------------------------

    def dump(self) -> dict[str, object]:
        """Return the belief as plain data for the journal."""

        def row(token: Token) -> list[object]:
            letter = token.piece.letter if token.piece is not None else "?"
            return [letter, token.home, token.space, token.origin]

        return {
            "standing": [row(t) for t in self.standing.values()],
            "hand": [row(t) for t in self.hand],
            "gone": [row(t) for t in self.gone],
        }

    def restore(self, data: Mapping[str, Iterable[list[object]]], now: float) -> None:
        """Take over what `dump` has written; raises ValueError when it is no such data."""

        def token(row: list[object]) -> Token:
            letter, *places = row
            home, space, origin = (p if isinstance(p, int) else None for p in places)
            piece = next((p for p in PIECES if p.letter == letter), None)
            return Token(piece, home, space, origin, now, now, fresh=True)

        standing = [token(row) for row in data["standing"]]
        self.standing = {t.space: t for t in standing if t.space is not None}
        self.hand = [replace(token(row), space=None) for row in data["hand"]]
        self.gone = [replace(token(row), space=None) for row in data["gone"]]
        self._bundle = list(self.hand)
        self.newcomer = self._landed = None
