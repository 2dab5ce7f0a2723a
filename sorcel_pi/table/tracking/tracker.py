"""Which piece stands where and which are in the hand, followed from one contact change to the next.

Theory.  One bit a space does not say which piece it is; the hand does: a piece that was lifted is
the one that is put down.  The tracker keeps that thread.  What it is told are lifts and drops
(debounced contacts that open and close) and the time; what opens more briefly is a sleeve.  What
it holds is one value, a `TrackerState`: which piece is where, and what is remembered of how it
came there.  Every change makes a new value, so a reading is tried by keeping the old one.

    lift  --> into the hand, or off the board if the goal takes it off
    drop  --> the piece in the hand; with several the one that the goal asks for there, else one
              lifted from here a moment ago, else the only one lifted beside this space, else the
              one lifted last; with none a newcomer, or one that was just taken off
    shove --> pieces of a line that were lifted together and are down one space on have each
              moved one; so too if only the near contact opened and the far one closed
    slide --> where contacts overlap, the next contact closes before its own opens: until then
              what has come is pending

Three kinds of doubt stay open for a while.  A `newcomer` is a contact that closed with an empty
hand beside contacts that overlap: a slide, until time or another event says that it came from
beside the board.  What has `landed` there from a full hand may still be the end of a slide.  A
`hypothesis` is a shove that only time spoke for; a drop on its near space takes it back.

What the referee wants is an argument, the `Goal`, because it settles doubt.  The tracker knows no
rules, decides nothing that is played, and reads no clock.  How gestures look to contacts is in
`gestures`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...rules.board import Layout
from ...rules.hexgrid import HexGrid, spaces_of
from ...rules.position import PIECES, Piece
from ..relocation import Relocation, plan
from ..timers import has_passed
from ..timing import Timing
from .gestures import (
    Evidence,
    came_from,
    find_slide,
    is_asked,
    is_shoving,
    other_readings,
    shove_at,
)
from .pieces import (
    NEW,
    Goal,
    Hypothesis,
    PendingPlacement,
    Shove,
    TrackedPiece,
    TrackerState,
)

RECENT_S = 10.0
"""For so long it is remembered what was lifted."""
DEPARTED_S = 5.0
"""For so long a piece that was taken off may still be in somebody's hand."""
SLEEVE_S = 0.3
"""A piece that comes down where it was lifted so shortly ago was touched by a sleeve."""
BOTH_HANDS_S = 1.0
"""Of two pieces lifted within this time, the one that comes down beside its space is that one."""
IN_AIR_S = 1.5
"""A piece that was lifted so shortly ago is likelier to come down than one that was before."""


class Tracker:
    """The pieces as the table believes them to be; `state` is all of that in one value."""

    def __init__(
        self,
        grid: HexGrid,
        *,
        hexes: int | None = None,
        timing: Timing | None = None,
        overlaps: Mapping[int, int] | None = None,
        masked: int = 0,
    ) -> None:
        """Believe that nothing stands on the board.

        `hexes` is the mask of spaces that are no holes (all), `overlaps` maps spaces to masks of
        neighbours whose contacts overlap with theirs, `masked` contacts say nothing.
        """
        self.grid = grid
        self.hexes = grid.everywhere if hexes is None else hexes
        self.timing = timing or Timing()
        self.overlaps = dict(overlaps or {})
        self.masked = masked
        self.state = TrackerState()

    def evidence(self, goal: Goal) -> Evidence:
        """Return what there is to read a gesture from."""
        return Evidence(self.grid, self.hexes, self.timing, self.state, goal)

    # -- what the contacts say ----------------------------------------------------------------

    def lift(self, space: int, goal: Goal, now: float, *, led: bool = False) -> None:
        """The contact of `space` has opened: its piece is in the hand, or slid next door.

        `led` says that the lights ask for this piece now.
        """
        hypothesis = self.state.hypothesis
        if hypothesis is not None and space in hypothesis.line:
            self.state = self.state.back_at(hypothesis.before)  # that was no shove
        self._trust_guesses(now)
        newcomer = self.state.newcomer
        if newcomer is not None and newcomer.space == space:
            self.state = replace(self.state, newcomer=None)
            return
        if (shove := find_slide(self.evidence(goal), space, now)) is not None:
            self._take_slide(shove, goal, now)
            return
        self.state = replace(self.state, landed=None)
        self.admit(goal)
        if space in self.state.standing:  # else nobody knew of a piece here
            self._take_up(space, goal, now, led=led)

    def drop(self, space: int, goal: Goal, now: float) -> None:
        """The contact of `space` has closed: a piece is put down, or slides in."""
        self.admit(goal)
        hypothesis = self.state.hypothesis
        self.state = replace(self.state, landed=None, hypothesis=None, changed_s=now)
        if hypothesis is not None and hypothesis.near == space and not self.state.held:
            self.state = self.state.back_at(hypothesis.before)  # held all the time, and put back
        if space in self.state.on:
            return
        self.state = replace(self.state, last_space=space)
        if self._shoved_off(space, goal, now):
            return
        beside = self.overlaps.get(space, 0) & self.state.occupied
        if touched := self._sleeve(space, goal, now):
            self._put_back_sleeve(touched, space, goal, now)
        elif self.state.held and not self._from_elsewhere(space, goal, now):
            self._put_down(space, beside, goal, now)
        elif beside and not self._asked_from_beside(space, goal):
            self.state = replace(self.state, newcomer=PendingPlacement(space, now, beside))
        else:
            self._welcome(space, goal, now)

    def admit(self, goal: Goal) -> None:
        """Take an undecided newcomer as one that came from beside the board."""
        newcomer = self.state.newcomer
        self.state = replace(self.state, newcomer=None)
        if newcomer is not None and newcomer.space not in self.state.on:
            self._welcome(newcomer.space, goal, newcomer.since_s)

    def pass_time(self, goal: Goal, now: float) -> bool:
        """Decide what time decides, a newcomer that has not slid or a fall; True if it did."""
        settled = has_passed(self.state.changed_s, self.timing.settle_s, now)
        if settled and self._read_fallen(goal, now):
            return True
        newcomer, due = self.state.newcomer, self.next_deadline(goal)
        if newcomer is None or due is None or now < due:
            return False
        if goal.placeable >> newcomer.space & 1:
            self.admit(goal)
        return self.state.newcomer is None

    def next_deadline(self, goal: Goal) -> float | None:
        """Return when an undecided newcomer stops being a slide from next door, or None."""
        newcomer = self.state.newcomer
        if newcomer is None:
            in_air = self.state.held or self.state.off
            return self.state.changed_s + self.timing.settle_s if in_air else None
        beside = [self.state.standing.get(space) for space in spaces_of(newcomer.neighbours)]
        patient = goal.target is not None or any(
            piece is not None and piece.piece in goal.mover for piece in beside
        )
        return newcomer.since_s + (self.timing.slide_s if patient else self.timing.settle_s)

    def read_late(self, leaving: int, goal: Goal, now: float) -> None:
        """Read a shove that only its near contacts show, as another piece is lifted elsewhere.

        A hand that held a piece could hardly lift the one on `leaving`.
        """
        state = self.state
        if len(state.held) != 1 or state.held[0] not in state.lately:
            return
        shove = shove_at(self.evidence(goal), now, state.hand[0].lifted_s, late=True)
        leaves = state.on.get(leaving)
        if shove is not None and leaves not in [piece.id for piece, _ in shove.places]:
            self.take_over(shove)
            self.part_with_surplus(goal)

    @property
    def closed(self) -> int:
        """The mask of contacts that must be closed if what is believed is right."""
        newcomer = self.state.newcomer
        return self.state.occupied | (0 if newcomer is None else 1 << newcomer.space)

    # -- what others ask ----------------------------------------------------------------------

    def is_sliding(self, space: int, goal: Goal, now: float) -> bool:
        """Whether the piece that is leaving `space` is one that has just come down next door."""
        newcomer = self.state.newcomer
        same = newcomer is not None and newcomer.space == space
        return same or find_slide(self.evidence(goal), space, now) is not None

    def is_shoving(self, space: int | None, goal: Goal, now: float) -> bool:
        """Whether a piece that has just left the board may be the first of a shoved line."""
        return is_shoving(self.evidence(goal), space, now)

    def comes_back(self, space: int, goal: Goal) -> bool:
        """Whether a piece put down on `space` now would be one that had just left the board."""
        state = self.state
        return not state.held and any(came_from(goal, piece, space) for piece in state.gone)

    def other_readings(self, goal: Goal) -> list[Shove]:
        """Return what else would look to contacts like what was lately read."""
        return other_readings(self.evidence(goal))

    # -- what is decided elsewhere ------------------------------------------------------------

    def assume(self, pieces: Layout) -> None:
        """Believe from now on that `pieces` stand as they do and the hand is empty."""
        state = replace(self.state, on={}, held=(), off=(), bundle=(), lately=(), shoves=())
        state = state.alone()
        for piece, mask in zip(PIECES, pieces, strict=True):
            for space in spaces_of(mask):
                state, made = state.with_new(piece, home=space)
                state = state.put(made, space)
        self.state = _pruned(state)

    def forget_movements(self) -> None:
        """Forget how the pieces came to where they are: nobody was looking."""
        self.state = replace(self.state.alone(), bundle=self.state.held, lately=(), shoves=())

    def leave_out(self, spaces: int) -> None:
        """Let the contacts in the mask `spaces` say nothing from now on."""
        self.masked |= spaces

    def empty_hand(self) -> None:
        """Take what was in the hand or beside the board as put away."""
        self.state = replace(self.state, held=(), off=())

    def settle_homes(self, wanted: Mapping[int, Piece], *, fresh: bool) -> None:
        """Take `wanted` as the position: each piece that stands where it has one is at home.

        Places that are empty are given to pieces of their kind in the hand or astray, those that
        had the place before first.  Without `fresh`, what stands astray is no action.  What is at
        home is no longer mixed up with what is still in the hand.
        """
        state = replace(self.state, departed=self.state.off, off=(), landed=None, shoves=())
        if state.hypothesis is not None:  # its line counts from now on; put back, it never was one
            state = replace(state, hypothesis=replace(state.hypothesis, line=frozenset()))
        places = dict(wanted)
        astray = []
        settled = set()
        for space, piece in state.standing.items():
            if wanted.get(space) is piece.piece and piece.piece is not None:
                state = state.changed(piece, home=space, unsure=False)
                settled.add(piece.id)
                del places[space]
            else:
                astray.append(piece)
        rest = [*astray, *state.hand]
        rest.sort(key=lambda piece: piece.home not in places)
        for piece in rest:
            same = [space for space, kind in places.items() if kind is piece.piece]
            home = piece.home if piece.home in same else self._nearest(piece, same)
            state = state.changed(piece, home=home, fresh=fresh)
            if home is not None:
                del places[home]
        # What has no place any more is beside the board, wherever the hand holds it.
        held = tuple(k for k in state.held if state.known[k].home is not None)
        bundle = tuple(k for k in state.bundle if k not in settled)
        self.state = _pruned(replace(state, held=held, bundle=bundle))

    def nothing_is_fresh(self) -> None:
        """Let nothing that stands on the board count as an action: it is to be undone."""
        for piece in self.state.standing.values():
            self.state = self.state.changed(piece, fresh=False)

    def reread(self, goal: Goal) -> None:
        """An action has begun: pieces that were guessed are the ones that it wants where they are.

        Of the pieces that were in the hand together, one that stands as a guess where another kind
        is asked for trades places with one of that kind that is not where it belongs.
        """
        target = goal.target or {}
        for piece in self.state.those(self.state.bundle):
            here = self.state.known[piece.id]
            asked = target.get(here.space) if here.space is not None else None
            if not here.unsure or asked is None or asked is here.piece:
                continue
            for other in self.state.those(self.state.bundle):
                fits = other.piece is asked and self._may_trade(here, other)
                if fits and _is_better(target, here, other):
                    self._trade(here, other)
                    break

    def other_identities(self) -> list[TrackerState]:
        """Return what may be as well: one that was unsure trades places with another."""
        before, states = self.state, []
        bundle = before.those(before.bundle)
        for one in bundle:
            for other in bundle if one.unsure and one.space is not None else ():
                if other.piece is not one.piece and self._may_trade(one, other):
                    self._trade(one, other)
                    states.append(self.state)
                    self.state = before
        return states

    def _may_trade(self, one: TrackedPiece, other: TrackedPiece) -> bool:
        """Whether both were in the hand as the first of them was put down."""
        landed_s = min(p.landed_s for p in (one, other) if p.space is not None)
        lifted_s = max(one.lifted_s, other.lifted_s)
        return other.id not in self.state.off and lifted_s <= landed_s

    def _trade(self, one: TrackedPiece, other: TrackedPiece) -> None:
        """Let two pieces, the first of which stands, be each where the other is."""
        state, held = self.state, self.state.held
        state = state.without(one).without(other)
        space, landed_s = one.space, one.landed_s
        assert space is not None
        if other.space is None:
            state = replace(state, held=tuple(one.id if k == other.id else k for k in held))
            state = state.changed(one, space=None)
        else:
            state = state.put(one, other.space, landed_s=other.landed_s, guess=True, unsure=True)
        self.state = state.put(other, space, landed_s=landed_s, guess=True, unsure=True, fresh=True)

    def dispel_doubt(self) -> None:
        """All pieces are shown: whoever mixed some up can see it."""
        self.state = replace(self.state, doubt=False)

    def go_back(self, before: TrackerState) -> None:
        """Believe again what was believed `before`: a reading has been tried, or one is stored."""
        self.state = before

    def part_with_surplus(self, goal: Goal) -> None:
        """Let the pieces leave the hand that the open task takes off the board."""
        if goal.target is None or not self.state.held:
            return
        for piece in self.state.hand:
            kind = piece.piece
            if kind is not None and _is_removed(goal, piece) and self._surplus(kind, goal) > 0:
                self._let_go(piece)
        for move in self._plan(goal):
            if move.held and move.target is None and not move.detour:
                like = [piece for piece in self.state.hand if piece.piece is move.piece]
                self._let_go(next((p for p in like if _is_removed(goal, p)), like[0]))

    def carry_out(self, move: Relocation, now: float) -> None:
        """Take the relocation `move` as done by hand, whatever the contacts say."""
        state = self.state
        if move.origin is not None:
            piece = state.standing[move.origin]
            state = state.changed(piece, origin=move.origin, lifted_s=now)
        elif move.held:
            piece = next(p for p in state.hand if p.piece is move.piece)
        else:
            state, piece = state.with_new(move.piece)
        piece = state.known[piece.id]
        state = state.without(piece).changed(piece, space=None)
        piece = state.known[piece.id]
        if move.target is None:
            self.state = replace(state, off=(*state.off, piece.id))
        else:
            self.state = state.put(piece, move.target, landed_s=now, fresh=True)

    def move_unseen(self, piece: TrackedPiece, space: int, now: float) -> TrackedPiece:
        """Let `piece`, or a new one like it, stand on `space`, where no contact told; return it."""
        state = self.state
        if piece.id == NEW:
            state, piece = state.with_new(piece.piece, home=piece.home)
        piece = state.now_of(piece)
        state = state.without(piece)
        self.state = state.put(piece, space, origin=piece.home, landed_s=now)
        return self.state.known[piece.id]

    def compare(
        self, seen: int, wanted: Mapping[int, Piece], now: float, *, setup: bool = False
    ) -> None:
        """Agree with the contacts in the mask `seen` after a gap, masked spaces left out.

        The fewest moves are assumed where they concern pieces of one side and kind only; all else
        that has changed is a piece that nobody knows.  `wanted` is what should stand on the
        board.  While a board that was empty is `setup`, pieces on spaces that want one are taken
        to be the right ones.
        """
        state = self.state
        came = list(spaces_of(seen & ~state.occupied))
        left = state.standing
        taken = [left[k] for k in spaces_of(state.occupied & ~self.masked & ~seen)]
        for piece in taken:
            state = state.without(piece).changed(piece, origin=piece.space, space=None)
        loose = [*state.those(piece.id for piece in taken), *state.hand]
        guess = len({piece.piece for piece in loose}) == 1 and len(came) <= len(loose)
        for space in came:
            if guess:
                fits = [p for p in loose if wanted.get(space) is p.piece] or loose
                piece = min(fits, key=lambda p: self._away(p, space))
                loose.remove(piece)
                state = state.put(piece, space, landed_s=now, fresh=False)
            else:
                kind = wanted.get(space) if setup and not loose else None
                state, piece = state.with_new(kind, fresh=False)
                state = state.put(piece, space)
        held = tuple(piece.id for piece in loose)
        doubt = len({piece.piece for piece in loose}) > 1
        self.state = replace(state, held=held, bundle=held, doubt=state.doubt or doubt)

    def take_over(self, shove: Shove) -> None:
        """Let the pieces of a shoved line stand where it has brought them."""
        state = self.state
        moved = [state.known[piece.id] for piece, _ in shove.places]
        newest = max(piece.landed_s for piece in moved)
        for piece in moved:
            state = state.without(piece)
        for piece, (_, place) in zip(moved, shove.places, strict=True):
            if piece.id not in state.lately:
                state = state.changed(piece, origin=piece.space)
            here = state.known[piece.id]
            if place is None:
                state = state.changed(here, space=None, fresh=True, guess=not shove.sure)
                state = replace(state, held=(*state.held, piece.id))
            else:
                state = state.put(here, place, fresh=True, guess=not shove.sure, landed_s=newest)
        # The bundle stays: should what fell come down again, all may have been put back.
        ids = {piece.id for piece in moved}
        shoves = [line for line in state.shoves if not ids & {k for k, _ in line}]
        if not shove.sure:
            shoves.append(tuple((p.id, at) for p, at in shove.places if at is not None))
        lately = tuple(k for k in state.lately if k not in ids)
        self.state = replace(state, lately=lately, shoves=tuple(shoves))

    # -- lifting ------------------------------------------------------------------------------

    def _take_up(self, space: int, goal: Goal, now: float, *, led: bool) -> None:
        leaves = self._leaves(space, goal)
        piece, state = self.state.standing[space], self.state
        state = state.without(piece).changed(piece, space=None, origin=space, lifted_s=now, led=led)
        lately = [p.id for p in state.recent if now - p.lifted_s <= RECENT_S and p.id != piece.id]
        state = replace(state, last_space=space, lately=(*lately, piece.id))
        if leaves:
            self.state = replace(state, off=(*state.off, piece.id))
            return
        bundle = state.bundle if state.held else ()
        self.state = replace(state, held=(*state.held, piece.id), bundle=(*bundle, piece.id))

    def _leaves(self, space: int, goal: Goal) -> bool:
        """Whether the piece on `space` is one that the open task takes off the board."""
        piece, target = self.state.standing[space], goal.target
        if target is None or piece.piece is None:
            return piece.piece is None
        if _is_removed(goal, piece) and space == piece.home:
            # Of like pieces any may go; this is the one that the rules take.
            return self._surplus(piece.piece, goal) > 0
        if target.get(space) is piece.piece:
            return False
        moves = self._plan(goal, hexes=self.hexes)
        return any(m.origin == space and m.target is None and not m.detour for m in moves)

    def _take_slide(self, shove: Shove, goal: Goal, now: float) -> None:
        """Take what has come as the end of `shove`, and leave in the hand what it was taken for."""
        arrival = self.state.newcomer or self.state.landed
        assert arrival is not None
        state = replace(self.state, newcomer=None, landed=None)
        if arrival.before is not None:
            state = state.back_at(arrival.before)
        moved = [state.known[piece.id] for piece, _ in shove.places]
        for piece in moved:
            state = state.without(piece)
            state = state.changed(piece, origin=piece.space, lifted_s=arrival.since_s)
        for piece, (_, end) in zip(moved, shove.places, strict=True):
            assert end is not None
            state = state.put(state.known[piece.id], end, landed_s=now, fresh=True)
        self.state = replace(state, last_space=state.known[moved[0].id].space)
        self.part_with_surplus(goal)

    def _trust_guesses(self, now: float) -> None:
        """With the next lift, what was a guess is taken as it is."""
        state = replace(self.state, hypothesis=None, changed_s=now)
        for piece in state.standing.values():
            if piece.guess:
                state = state.changed(piece, guess=False)
        self.state = state

    # -- putting down -------------------------------------------------------------------------

    def _put_down(self, space: int, beside: int, goal: Goal, now: float) -> None:
        """Let the likeliest piece in the hand stand on `space`."""
        before = self.state.alone()
        piece = self._which(space, goal, now)
        self._place(piece, space, beside, before, goal, now)
        self._reread(goal, now, before)
        # Of two like pieces the one still held may now be the one that leaves the board.
        self.part_with_surplus(goal)

    def _place(
        self,
        piece: TrackedPiece,
        space: int,
        beside: int,
        before: TrackerState,
        goal: Goal,
        now: float,
    ) -> None:
        """Let `piece`, which was in the hand `before`, stand on `space`."""
        state = self.state
        if beside:
            pending = PendingPlacement(space, now, beside, piece, before)
            state = replace(state, landed=pending)
        unlike = len({p.piece for p in state.those(state.bundle)}) > 1
        state = replace(state.without(piece), doubt=state.doubt or unlike)
        # Where a light asks for a kind it gets it; all pieces are shown when that is over.
        asked = goal.target.get(space) if goal.target is not None and goal.by_kind else None
        guess = unlike and (asked is None or asked is not piece.piece)
        self.state = state.put(piece, space, landed_s=now, fresh=True, guess=guess, unsure=unlike)

    def is_sleeve(self, space: int, goal: Goal, now: float) -> bool:
        """Whether a piece that was touched by a sleeve on `space` was taken for one put down."""
        return bool(self._sleeve(space, goal, now))

    def _sleeve(self, space: int, goal: Goal, now: float) -> list[TrackedPiece]:
        """Return what was lifted from `space` a moment ago and has been taken to stand elsewhere.

        It must have been touched only, and who came there is somebody new: that is likely where
        somebody new may be placed.  What has then been put where the first one was has been
        touched as well, and so on: the last of the pieces stands where the new one does.  None if
        something in the hand may be what stands there, or may be shoving the piece along.
        """
        touched: list[TrackedPiece] = []
        places = [space]
        while not (touched and goal.placeable >> places[-1] & 1):
            lifted = [p for p in self.state.recent if p.origin == places[-1] and p not in touched]
            piece = lifted[-1] if lifted else None
            if piece is None or now - piece.lifted_s >= SLEEVE_S:
                return []
            if piece.space is None or piece.space == places[-1]:
                return []
            touched.append(piece)
            places.append(piece.space)
        came_s, behind = touched[-1].landed_s, self._behind(*places[:2])
        held = self.state.hand
        return [] if any(p.lifted_s <= came_s or p.origin == behind for p in held) else touched

    def _behind(self, origin: int, target: int) -> int | None:
        """Return the space behind a step from `origin` to `target`; None if it is no step."""
        neighbours = self.grid.neighbours[origin]
        return neighbours[(neighbours.index(target) + 3) % 6] if target in neighbours else None

    def _put_back_sleeve(
        self, touched: Sequence[TrackedPiece], space: int, goal: Goal, now: float
    ) -> None:
        """Let touched pieces stand where they were, and a newcomer where the last was taken to."""
        other = touched[-1].space
        assert other is not None
        came_s, state = touched[-1].landed_s, self.state
        for piece in touched:
            state = state.without(piece)
        for piece in touched:
            assert piece.origin is not None
            away = piece.home != piece.origin
            state = state.put(piece, piece.origin, landed_s=piece.lifted_s, fresh=away)
        self.state = state
        self._welcome(other, goal, came_s)

    def _from_elsewhere(self, space: int, goal: Goal, now: float) -> bool:
        """Whether a light asks here for a kind that the hand does not hold: somebody brings one.

        Not so quickly after a piece was lifted from here: that is a line that is shoved.
        """
        if not goal.by_kind or goal.target is None or space not in goal.target:
            return False
        if any(p.origin == space and now - p.lifted_s < SLEEVE_S for p in self.state.recent):
            return False
        return goal.target[space] not in self.state.in_hand

    def _which(self, space: int, goal: Goal, now: float) -> TrackedPiece:
        """Return the piece, in the hand or just gone, that has come down on `space`."""
        state = self.state
        last = state.hand[-1]
        newest = state.recent[-1] if state.lately else last
        if newest.id in state.off and now - newest.lifted_s <= IN_AIR_S:
            last = newest
        held = state.hand if last.id in state.held else (*state.hand, last)
        touched = self._touched(held, space, now)
        # Unless the hand has what the lights asked for, an open task makes a shoved line likelier.
        if touched is not None and (goal.target is None or any(piece.led for piece in held)):
            return touched
        asked = goal.target.get(space) if goal.target is not None else None
        if asked is not None and (len(state.held) > 1 or last.piece is not asked):
            # A like piece that was to leave the board, lifted later, may have been moved instead.
            meant = [p for p in state.hand if p.piece is asked] or [
                p for p in state.gone if p.piece is asked and p.lifted_s > last.lifted_s
            ]
            if meant:
                return ([p for p in meant if p.home == space] or meant)[-1]
        if touched is not None or len(held) == 1:
            return touched or last
        from_here = [p for p in held if p.origin == space]
        beside = [
            p
            for p in held
            if p.origin is not None
            and self._is_beside(p.origin, space)
            and now - p.lifted_s < BOTH_HANDS_S
        ]
        if len(beside) == 1:
            last = beside[0]
        return next((p for p in from_here[::-1] if p.piece is last.piece), last)

    def _touched(self, held: Sequence[TrackedPiece], space: int, now: float) -> TrackedPiece | None:
        """Return which of several pieces in the hand was only touched on `space`, by a sleeve.

        What the lights asked for was lifted because of that, however shortly ago.
        """
        touched = (
            piece
            for piece in reversed(held if len(held) > 1 else ())
            if piece.origin == space and now - piece.lifted_s < SLEEVE_S and not piece.led
        )
        return next(touched, None)

    def _is_beside(self, space: int, other: int) -> bool:
        return bool(self.grid.adjacent[space] >> other & 1)

    def _reread(self, goal: Goal, now: float, before: TrackerState) -> None:
        """Read the pieces that were in the hand together anew, now that one more is down."""
        state = self.state
        if state.lately and self._read_at(goal, now, state.recent[-1].lifted_s):
            return
        if self._read_among_touched(goal, now, before):
            return
        state = self.state
        bundle = state.those(state.bundle)
        down = {piece.space for piece in bundle}
        if len(bundle) < 2 or state.held or goal.target is not None or None in down:
            return
        # Those whose own spaces are closed stand there, and the rest on the other spaces.
        places: dict[int, int] = {}
        for piece in bundle:
            if piece.origin is not None and piece.origin in down:
                places[piece.id] = piece.origin
                down.discard(piece.origin)
        rest = [piece for piece in bundle if piece.id not in places]
        for piece in rest:
            if piece.space in down and piece.space is not None:
                places[piece.id] = piece.space
                down.discard(piece.space)
        left = [space for space in down if space is not None]
        places |= zip([p.id for p in rest if p.id not in places], left, strict=True)
        self._reassign(places)

    def _read_among_touched(self, goal: Goal, now: float, before: TrackerState) -> bool:
        """Read a line that is asked for, where another piece of the hand seemed to be its near one.

        A sleeve has then touched a piece beside the line, and its contact is still open.
        """
        placed, space = self.state, self.state.last_space
        if space is None or goal.target is None:
            return False
        down = placed.standing.get(space)
        for piece in before.hand if len(before.held) > 1 else ():
            if down is None or piece.id == down.id:
                continue
            self.state = before
            self._place(piece, space, 0, before, goal, now)
            evidence = self.evidence(goal)
            shove = shove_at(evidence, now, piece.lifted_s, late=False)
            if shove is None or not is_asked(evidence, shove):
                continue
            if all(
                abs(p.lifted_s - piece.lifted_s) <= self.timing.shove_s for p, _ in shove.places
            ):
                self.take_over(shove)
                return True
        self.state = placed
        return False

    def _reassign(self, places: Mapping[int, int]) -> None:
        """Let the pieces of the bundle, all down, trade their spaces as `places` says."""
        state = self.state
        bundle = [p for p in state.those(state.bundle) if p.space != places[p.id]]
        times = {piece.space: piece.landed_s for piece in bundle}
        for piece in bundle:
            state = state.without(piece)
        for piece in bundle:
            space = places[piece.id]
            state = state.put(piece, space, landed_s=times[space])
        self.state = state

    def _read_at(self, goal: Goal, now: float, lifted_s: float) -> bool:
        """Read what was lifted at about `lifted_s` as a shoved line; True if the drop ended one."""
        shove = shove_at(self.evidence(goal), now, lifted_s, late=False)
        if shove is None or self.state.last_space not in [end for _, end in shove.places]:
            return False
        self.take_over(shove)
        self.part_with_surplus(goal)
        return True

    def _read_fallen(self, goal: Goal, now: float) -> bool:
        """Read a line that was shoved over an edge, now that nothing changes; True if it was one.

        What is in the air since is the one in the hand, or what seemed to have been taken off.
        """
        before = self.state
        in_air = before.hand if before.held else [p for p in before.recent if p.id in before.off]
        if not in_air or len(before.held) > 1:
            return False
        piece = in_air[-1]
        shove = shove_at(self.evidence(goal), now, piece.lifted_s, late=True)
        if shove is None:
            return False
        near = shove.places[0][0].origin
        self.take_over(shove)
        self.part_with_surplus(goal)
        if near is not None:
            line = frozenset(place for _, place in shove.places if place is not None)
            hypothesis = Hypothesis(near, line, before.alone())
            self.state = replace(self.state, hypothesis=hypothesis)
        return True

    def _shoved_off(self, space: int, goal: Goal, now: float) -> bool:
        """Read a drop as the far end of a line whose near piece counted as leaving the board."""
        before = self.state
        piece = before.recent[-1] if before.lately else None
        if piece is None or piece.id not in before.off:
            return False
        # Tried out: the near piece as if it had been put down here.
        self.state = before.put(piece, space, landed_s=now, fresh=True)
        if self._read_at(goal, now, piece.lifted_s):
            return True
        self.state = before
        return False

    # -- newcomers ----------------------------------------------------------------------------

    def _welcome(self, space: int, goal: Goal, now: float) -> None:
        """A piece has come to `space` from beside the board."""
        asked = goal.target.get(space) if goal.target is not None else None
        piece = self._from_masked(asked, goal) or self._back(space, asked, goal)
        home = None if piece is None else piece.home
        if piece is None and asked is None:
            piece = self._from_last_action(space, goal, now)
        state = self.state
        if piece is None:
            state, piece = state.with_new(asked if asked is not None else goal.newcomer)
        state = replace(
            state.without(piece), departed=tuple(k for k in state.departed if k != piece.id)
        )
        state = replace(state, doubt=state.doubt or goal.by_kind)
        self.state = state.put(piece, space, home=home, landed_s=now, fresh=True)

    def _from_masked(self, asked: Piece | None, goal: Goal) -> TrackedPiece | None:
        """Return the piece that is asked for and must leave the masked space it stands on."""
        for space in spaces_of(self.masked if asked is not None else 0):
            piece, target = self.state.standing.get(space), goal.target
            if piece and target and piece.piece is asked and target.get(space) is not asked:
                return piece
        return None

    def _back(self, space: int, asked: Piece | None, goal: Goal) -> TrackedPiece | None:
        """Return the piece among those that left the board which has come back to `space`.

        One that came from there is put back, unless a piece from beside the board is asked for
        there; else it is one that is asked for, or, where nothing is, the one that left last.
        """
        gone = self.state.gone[::-1]
        came = [piece for piece in gone if came_from(goal, piece, space)]
        if came and came[0].piece is not asked:
            later = [p for p in gone if p.piece is asked and p.lifted_s > came[0].lifted_s]
            if later or self._asked_from_beside(space, goal):
                came = []
        fits = came or [piece for piece in gone if asked in (None, piece.piece)]
        return fits[0] if fits else None

    def _from_last_action(self, space: int, goal: Goal, now: float) -> TrackedPiece | None:
        """Return what was taken off a moment ago, where it is the likelier newcomer."""
        departed = self.state.those(self.state.departed)
        late = [piece for piece in departed if now - piece.lifted_s <= DEPARTED_S]
        if not late or goal.placeable >> space & 1:
            return None
        return late[-1]

    def _asked_from_beside(self, space: int, goal: Goal) -> bool:
        """Whether a piece from beside the board is what the open task asks for on `space`."""
        if goal.target is None or space not in goal.target:
            return False
        return any(m.target == space and m.origin is None for m in self._plan(goal))

    # -- helpers ------------------------------------------------------------------------------

    def _plan(self, goal: Goal, *, hexes: int | None = None) -> list[Relocation]:
        state = self.state
        return plan(
            self.grid,
            state.pieces,
            goal.target or {},
            hand=state.in_hand,
            hints=goal.hints,
            hexes=hexes,
        )

    def _surplus(self, piece: Piece, goal: Goal) -> int:
        """Return how many pieces of this kind there are more than the open task wants."""
        here = [*self.state.pieces.values(), *self.state.in_hand].count(piece)
        return here - list((goal.target or {}).values()).count(piece)

    def _let_go(self, piece: TrackedPiece) -> None:
        """Let a piece in the hand be beside the board."""
        state = self.state.without(piece)
        self.state = replace(state, off=(*state.off, piece.id))

    def _nearest(self, piece: TrackedPiece, spaces: list[int]) -> int | None:
        return min(spaces, key=lambda space: self._away(piece, space), default=None)

    def _away(self, piece: TrackedPiece, space: int) -> int:
        """Return how far `space` is from where `piece` is or was lifted, 0 if nobody knows."""
        here = piece.space if piece.space is not None else piece.origin
        return self.grid.distance(here, space) if here is not None else 0


def _is_removed(goal: Goal, piece: TrackedPiece) -> bool:
    """Whether `piece` is one that the rules take off the board."""
    return piece.home is not None and bool(goal.removed >> piece.home & 1)


def _is_better(target: Mapping[int, Piece], one: TrackedPiece, other: TrackedPiece) -> bool:
    """Whether `other`, which is asked for where `one` stands, is likelier to stand there.

    What stands where it was lifted has only been touched, unless both are asked for so.
    """
    there = None if other.space is None else target.get(other.space)
    if other.space is None or there is one.piece:
        return True
    touched = any(piece.space in (piece.origin, piece.home) for piece in (one, other))
    return there is not other.piece and not touched


def _pruned(state: TrackerState) -> TrackerState:
    """Return the state without pieces that nothing refers to."""
    ids = {*state.on.values(), *state.held, *state.off, *state.departed}
    ids |= {*state.bundle, *state.lately}
    ids |= set(state.hypothesis.before.known) if state.hypothesis is not None else set()
    return replace(state, known={k: piece for k, piece in state.known.items() if k in ids})
