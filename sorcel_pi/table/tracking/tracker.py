"""Which piece stands where and which are in the hand, followed from one contact change to the next.

One bit a space does not say which piece it is; the hand does: a piece that was lifted is the one
that is put down.  This module keeps that thread through slides, shoves and two hands.  It knows
what is *wanted* where, because that settles doubt, but not the rules; it decides nothing.
"""

from ...rules.hexgrid import spaces_of
from ...rules.position import Piece
from ..relocation import plan
from . import lines, slides
from .pieces import Arrival, Token
from .standing import Standing

RECENT_S = 10.0
"""For so long it is remembered what was lifted."""
DEPARTED_S = 5.0
"""For so long a piece that was taken off may still be in somebody's hand."""
IN_AIR_S = 1.5
"""A piece that was lifted so shortly ago is likelier to come down than one that was before."""


class Belief(Standing):
    """The pieces as the table believes them to be."""

    def glimpse(self, raw: int, now: float) -> None:
        """Note the contacts in the mask `raw` that had opened too briefly to count as a lift."""
        for space in spaces_of(raw):
            self.glimpsed[space] = now

    def open(self, space: int, now: float) -> None:
        """The contact of `space` has opened: its piece is in the hand, or slid next door."""
        self.glimpsed.pop(space, None)
        self.surmise = None
        for guessed in self.standing.values():
            guessed.guess = False
        if self.newcomer is not None and self.newcomer.space == space:
            self.newcomer = None
            return
        if (shove := slides.find_slide(self, space, now)) is not None:
            slides.take_slide(self, shove, now)
            return
        self.landed = None
        self.admit()
        token = self.standing.get(space)
        if token is None:  # nobody knew of a piece here
            return
        leaves = self._leaves(space)
        del self.standing[space]
        token.space, token.origin, token.lifted_s = None, space, now
        self.last_space = space
        self.recent = [t for t in self.recent if now - t.lifted_s <= RECENT_S and t is not token]
        self.recent.append(token)
        if leaves:
            self.gone.append(token)
            return
        if not self.hand:
            self.bundle = []
        self.hand.append(token)
        self.bundle.append(token)

    def close(self, space: int, now: float) -> None:
        """The contact of `space` has closed: a piece is put down, or slides in."""
        self.glimpsed.pop(space, None)
        self.admit()
        self.landed = None
        if self.surmise is not None and self.surmise[0] == space and not self.hand:
            self.surmise[1]()  # it was held all the time, and is put back
        self.surmise = None
        if space in self.standing:
            return
        self.last_space = space
        if lines.shoved_off(self, space, now):
            return
        beside = self.overlaps.get(space, 0) & self.occupied
        if self.hand:
            token = self._which(space, now)
            if beside:
                self.landed = Arrival(space, now, beside, token, self.memory())
            (self.hand if token in self.hand else self.gone).remove(token)
            self.put(token, space, now)
            token.guess = len({t.piece for t in self.bundle}) > 1
            lines.reread(self, now)
            # Of two like pieces the one still held may now be the one that leaves the board.
            self.part_with_surplus()
            return
        if beside and not self._asked_from_beside(space):
            self.newcomer = Arrival(space, now, beside)
            return
        self._welcome(space, now)

    def admit(self) -> None:
        """Take an undecided newcomer as one that came from beside the board."""
        newcomer, self.newcomer = self.newcomer, None
        if newcomer is not None and newcomer.space not in self.standing:
            self._welcome(newcomer.space, newcomer.since_s)

    def wait(self, now: float) -> bool:
        """Decide what time decides, a newcomer that has not slid or a fall; True if it did."""
        if len(self.hand) == 1:
            lifted = self.hand[0].lifted_s
            late = now - lifted >= self.waits.patience_s - 1e-9
            if (self.glimpsed or late) and self._read_held(now, lifted, late=late):
                return True
        newcomer = self.newcomer
        if newcomer is None or now < self.next_deadline_of(newcomer):
            return False
        if self.wish.placeable >> newcomer.space & 1:
            self.admit()
        return self.newcomer is None

    def _read_held(self, now: float, lifted_s: float, *, late: bool) -> bool:
        """Read the piece in the hand as the near one of a shoved line; True if it was that."""
        near, undo = self.hand[0].origin, self.memory()
        read = lines.read_at(self, now, lifted_s, late=late)
        if read and late and near is not None:
            self.surmise = near, undo
        return read

    def next_deadline_of(self, newcomer: Arrival) -> float:
        """Return when `newcomer` stops being a slide of one of the pieces next door."""
        beside = [self.standing.get(space) for space in spaces_of(newcomer.neighbours)]
        patient = self.wish.target is not None or any(
            token is not None and token.piece in self.wish.mover for token in beside
        )
        return newcomer.since_s + (self.waits.slide_s if patient else self.waits.settle_s)

    def _leaves(self, space: int) -> bool:
        """Whether the piece on `space` is one that the open task takes off the board."""
        token, target = self.standing[space], self.wish.target
        if target is None or token.piece is None:
            return token.piece is None
        if self.is_removed(token) and space == token.home:
            # Of like pieces any may go; this is the one that the rules take.
            return self.surplus(token.piece) > 0
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

    def _which(self, space: int, now: float) -> Token:
        """Return the piece, in the hand or just gone, that has come down on `space`."""
        token = self.hand[-1]
        newest = self.recent[-1] if self.recent else token
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
        self.put(token or Token(asked if asked is not None else self.wish.newcomer), space, now)

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
        came = [t for t in gone if self.came_from(t, space)]
        if came and came[0].piece is not asked and self._asked_from_beside(space):
            came = []
        fits = came or [t for t in gone if asked in (None, t.piece)]
        if not fits:
            return None
        self.gone.remove(fits[0])
        return fits[0]

    def comes_back(self, space: int) -> bool:
        """Whether a piece put down on `space` now would be one that had just left the board."""
        return not self.hand and any(self.came_from(token, space) for token in self.gone)

    def _asked_from_beside(self, space: int) -> bool:
        """Whether a piece from beside the board is what the open task asks for on `space`."""
        target = self.wish.target
        if target is None or space not in target:
            return False
        moves = plan(self.grid, self.pieces, target, hand=self.held, hints=self.wish.hints)
        return any(m.target == space and m.origin is None for m in moves)

    def is_sliding(self, space: int, now: float) -> bool:
        """Whether the piece that is leaving `space` is one that has just come down next door."""
        newcomer = self.newcomer
        same = newcomer is not None and newcomer.space == space
        return same or slides.find_slide(self, space, now) is not None
