"""What the players did, what must be done next, and whether the board is right.

The referee keeps three things: the game's position, the belief (which piece stands where) and the
open action with its target.  Contact changes and time come in, verdicts come out, and `view` says
what there is to see.  It reads no clock and does no I/O; what a person does wrong at the table is
a verdict, never an exception.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..rules.actions import (
    Action,
    EndTurn,
    Pass,
    Placement,
    Step,
    legal_actions,
)
from ..rules.game import Game
from ..rules.hexgrid import mask_of, spaces_of
from ..rules.notation import format_action, parse_action
from ..rules.position import Position, Side, sentinel, shif
from .belief import Belief, Wish
from .controls import Controls, Press
from .judging import Open, candidates, masked_candidates, open_action, standing_of
from .recovery import guess_standing
from .relocation import Relocation, plan
from .sensing import Sensed
from .shoves import Token, Waits
from .verdicts import (
    Accepted,
    Began,
    Done,
    Dropped,
    Ended,
    Illegal,
    Masked,
    NewGame,
    Notice,
    Palette,
    SetUp,
    ShutDown,
    TakenBack,
    Verdict,
)
from .view import Mode

CLEARED = 2
"""With no more pieces than this on the board it has been cleared."""
MAX_DEAD = 2
"""Accepting the pieces as they are masks no more contacts than this."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The waiting times of the table, in seconds (see table.md for what each is)."""

    settle_s: float = 0.35
    patience_s: float = 2.5
    landed_s: float = 0.1
    slide_s: float = 1.2
    shove_s: float = 0.3
    shove_far_s: float = 0.6
    hold_s: float = 2.0
    accept_s: float = 3.0
    ask_s: float = 1.0
    show_s: float = 5.0
    placed_s: float = 1.0
    touch_move: bool = False


class Referee:
    """Follows one game on one table."""

    def __init__(
        self,
        game: Game,
        *,
        timing: Timing | None = None,
        overlaps: Mapping[int, int] | None = None,
        masked: int = 0,
    ) -> None:
        """Start with `game` and an empty belief: its position must be set up first."""
        self.game = game
        self.timing = timing or Timing()
        self.masked = masked
        board = game.start.board
        t = self.timing
        self.belief = Belief(
            board.grid,
            hexes=board.hexes,
            waits=Waits(t.slide_s, t.settle_s, t.shove_s, t.shove_far_s, t.patience_s),
            overlaps=overlaps,
        )
        self.belief.masked = masked
        self.controls = Controls(t.hold_s, t.accept_s)
        self.mode = Mode.SETUP
        self.open: Open | None = None
        self.options: list[Open] = []
        self.raised: int | None = None
        self.is_blind = True
        self._hurt = False
        self._now = 0.0
        self._seen = 0
        self.changed_s = 0.0
        self._judged = True
        self.leading = False
        self._cleared = False
        self._confirm_from: Mode | None = None
        self.asked_s = 0.0
        self.shown_until_s = 0.0
        self.over_s = 0.0
        self.passed: tuple[Side, float] | None = None
        self.problem = ""
        self.flickering = 0
        self._verdicts: list[Verdict] = []
        self._wish()

    # -- what comes in ------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position after the last completed action."""
        return self.game.position

    def step(self, sensed: Sensed) -> list[Verdict]:
        """Take in what a scan has changed, and the time; return what came of it."""
        self._now, self._seen = sensed.time_s, sensed.occupied
        try:
            return self._step(sensed)
        except BaseException:
            # Whatever it was, an action must not stay half done: the board is looked at anew.
            self.is_blind = self._hurt = True
            raise

    def _step(self, sensed: Sensed) -> list[Verdict]:
        if self.is_blind:
            self._reconcile(sensed.occupied)
        else:
            self._events(sensed)
        if self.belief.wait(self._now):
            self._judged = False
        self._pass_time()
        for press in self.controls.feed(sensed):
            self._press(press)
        return self._drain()

    def blind(self) -> None:
        """Say that scans were missed: the next one is compared as a whole, not change by change."""
        self.is_blind = True

    def new_game(self, game: Game, now: float) -> list[Verdict]:
        """Begin `game` on the same board; pieces that stand as it starts are taken as set up."""
        self._now = now
        self.game, self.open, self.options, self.raised = game, None, [], None
        self.mode, self._cleared, self.leading = Mode.SETUP, False, False
        start = standing_of(game.position.pieces)
        if self.belief.occupied == mask_of(list(start)):
            self.belief.assume(game.position.pieces)
        else:
            # Pieces in a box are no longer "in the hand".
            self.belief.hand, self.belief.gone = [], []
        self._wish()
        self._check_target()
        return self._drain()

    def end_turn(self, now: float) -> list[Verdict]:
        """End the mover's turn early, as their button does."""
        self._now = now
        self._end_turn()
        return self._drain()

    def take_back(self, now: float) -> list[Verdict]:
        """Take the open action back, or else the last completed one."""
        self._now = now
        self._take_back()
        return self._drain()

    def accept(self, now: float) -> list[Verdict]:
        """Take the lit relocation as done; with none lit, the pieces as they should stand."""
        self._now = now
        self._accept()
        return self._drain()

    def show_all(self, now: float) -> list[Verdict]:
        """Show every believed piece for a while."""
        self.shown_until_s = now + self.timing.show_s
        return []

    def raise_stake(self, now: float) -> list[Verdict]:
        """Raise what the next placement pays by one, from the purse back to the stake."""
        self._now = now
        self._raise()
        return self._drain()

    def choose(self, now: float, number: int) -> list[Verdict]:
        """Answer the question that is asked by the number of a candidate, from 0."""
        self._now = now
        if self.mode is Mode.ASK and 0 <= number < len(self.options):
            self._choose(self.options[number])
        return self._drain()

    def finish(self, now: float) -> list[Verdict]:
        """The game has been ended off the board (resigned, agreed): show it."""
        self._now = now
        self.open, self.options = None, []
        self._check_over()
        self._wish()
        return self._drain()

    # -- contacts -----------------------------------------------------------------------------

    def _events(self, sensed: Sensed) -> None:
        now, known = self._now, ~self.masked
        belief = self.belief
        names = self.position.board.grid.names
        for space in spaces_of(sensed.flickering & ~self.flickering):
            self._verdicts.append(Notice(f"The contact of {names[space]} flickers."))
        self.flickering = sensed.flickering
        if sensed.glimpsed & known:
            belief.glimpse(sensed.glimpsed & known, now)
        opened, closed = sensed.opened & known, sensed.closed & known
        if not opened and not closed:
            return
        # In one scan a hand that was empty lifts before it puts down; a full one the other way.
        steps = [(space, True) for space in spaces_of(opened)]
        drops = [(space, False) for space in spaces_of(closed)]
        for space, opens in [*drops, *steps] if belief.hand else [*steps, *drops]:
            if opens:
                self._lift(space)
            else:
                self._drop(space)
        if (opened | closed) & ~sensed.flickering:
            self.changed_s, self._judged = now, False
            self.problem = ""
            self.passed, self.shown_until_s = None, 0.0

    def _lift(self, space: int) -> None:
        if not self.belief.slides(space, self._now):
            self.belief.admit(self._now)
            self._just_before(space)
        if self.mode is Mode.ASK:
            meant = [o for o in self.options if o.actor.space == space]
            # Where one piece may have come from two places, lifting it does not say from which.
            if meant and all(o.shown_at(self.masked) == o.acted_on for o in self.options):
                self._choose(meant[0])
            else:
                self._drop_question()
        self._drop_confirm()
        self.belief.open(space, self._now)
        if self.belief.occupied.bit_count() <= CLEARED:
            self._cleared = True
        self._check_target()

    def _drop(self, space: int) -> None:
        self.belief.admit(self._now)
        if not self.belief.comes_back(space):
            self._just_before(None)
        if self.mode is Mode.ASK:
            self._drop_question()
        self._drop_confirm()
        self.belief.close(space, self._now)
        self._check_target()

    def _just_before(self, leaving: int | None) -> None:
        """Judge the board as it stood just before a piece is lifted or a newcomer comes."""
        if self.mode is not Mode.PLAY:
            return
        self._judge(self._now - self.timing.landed_s + 1e-9)
        if self.open is not None and leaving is not None:
            self.belief.read_late(leaving, self._now)
        if self.open is None or not self.open.is_done(self.belief):
            return
        passing = self.belief.standing.get(leaving) if leaving is not None else None
        # The piece that acted is not pushed by what it did: this is its next step.
        shoved = passing is not self.open.actor and self.belief.is_shoving(leaving, self._now)
        if not shoved and (passing is None or self._rested(passing)):
            self._complete()

    def _rested(self, token: Token) -> bool:
        """Whether `token` has stood long enough not to be on its way over."""
        return self._now - token.landed_s >= self.timing.landed_s - 1e-9

    # -- judging ------------------------------------------------------------------------------

    def _judge(self, before_s: float) -> None:
        """Read what stands on the board, counting pieces that landed at `before_s` or earlier."""
        if self.mode is not Mode.PLAY:
            return
        if self.open is not None:
            self._review(before_s)
            return
        options = self._options(before_s)
        if self.masked and self.belief.displaced:
            options += masked_candidates(self.position, self.belief, self.masked)
        if len(options) == 1:
            self._begin(options[0])
        elif options:
            self._ask(options)

    def _options(self, before_s: float) -> list[Open]:
        """Return the actions that fit the board, where need be with another reading of it."""
        position, belief, coins = self.position, self.belief, self.raised
        options = candidates(position, belief, before_s=before_s, coins=coins)
        if options or not belief.displaced:
            return options
        for shove in belief.other_readings():
            undo = belief.try_out(shove)
            options = candidates(position, belief, before_s=before_s, coins=coins)
            if options:
                return options
            undo()
        return []

    def _set_up_unseen(self) -> None:
        """Take the pieces on masked spaces as set up, when they have been asked for a while."""
        moves = self.plan()
        unseen = all(m.target is not None and self.masked >> m.target & 1 for m in moves)
        if moves and unseen and self._now - self.changed_s >= self.timing.patience_s - 1e-9:
            for move in moves:
                self.belief.carry_out(move, self._now)
            self._check_target()

    def _unseen_step(self) -> bool:
        """Whether a piece may have been put down on a masked space, and nothing else tells."""
        waits = self.mode is Mode.PLAY and self.open is None and not self.leading
        if not waits or not self.belief.hand or self.belief.displaced:
            return False
        if self._now - self.changed_s < self.timing.patience_s - 1e-9:
            return False
        return bool(masked_candidates(self.position, self.belief, self.masked))

    def _review(self, before_s: float) -> None:
        """Look whether the open action still is what the players do."""
        opened = self.open
        assert opened is not None
        actor = opened.actor
        at_home = actor.space is not None and actor.space == actor.home
        stays = opened.actor_ends == actor.home and actor.home is not None
        put_back = (at_home or self.belief.matches(opened.before)) and not stays
        if put_back and not self.timing.touch_move:
            self._drop_open()
        elif actor.space is not None and not at_home and not self._on_course(opened, actor):
            options = candidates(self.position, self.belief, before_s=before_s, coins=self.raised)
            if len(options) == 1:
                self._begin(options[0])

    def _on_course(self, opened: Open, actor: Token) -> bool:
        return actor.space == opened.acted_on or opened.allows(actor)

    def _begin(self, option: Open) -> None:
        """Take `option` as what is being played."""
        self._put_unseen(option)
        self.open, self.options = option, []
        self.mode, self.leading = Mode.PLAY, False
        self._wish()
        self.belief.part_with_surplus()
        self._verdicts.append(Began(option.cascade))
        if option.decides:
            self._complete()

    def _put_unseen(self, option: Open) -> None:
        """Where a masked contact hid it, move the acting piece to where the action has it."""
        actor, space = option.actor, option.acted_on
        belief = self.belief
        if actor.space == space or (option.allows(actor) and actor.space is not None):
            return
        if actor in belief.hand:
            belief.hand.remove(actor)
        elif actor.space is not None:
            del belief.standing[actor.space]
        actor.origin, actor.space, actor.landed_s = actor.home, space, self._now
        belief.standing[space] = actor

    def _drop_open(self) -> None:
        opened, self.open = self.open, None
        if opened is None:
            return
        # What was put down so far is to be undone; only what is put down from now on counts.
        for token in self.belief.standing.values():
            token.fresh = False
        self.leading = not self._stands()
        self._wish()
        self._verdicts.append(Dropped(opened.cascade))

    def _complete(self) -> None:
        """The open action is done: it becomes part of the game."""
        opened = self.open
        assert opened is not None
        self.open = None
        self._play(opened.action)

    def _play(self, action: Action) -> None:
        cascade = self.game.play(action)
        self.belief.settle_homes(standing_of(self.position.pieces), fresh=True)
        self.raised, self.leading, self._cleared = None, False, False
        self._verdicts.append(Done(cascade))
        self._check_over()
        if self.mode is Mode.PLAY and list(self.game.legal_actions) == [Pass()]:
            self.passed = (self.position.side, self._now)
            self._play(Pass())
        self._wish()

    def _check_over(self) -> None:
        ended = self.game.outcome
        if ended is not None and self.mode is not Mode.OVER:
            self.mode, self.over_s = Mode.OVER, self._now
            self._verdicts.append(Ended(ended))

    def _ask(self, options: list[Open]) -> None:
        self.mode, self.options, self.asked_s = Mode.ASK, options, self._now

    def _choose(self, option: Open) -> None:
        self.mode, self.options = Mode.PLAY, []
        self._begin(option)

    def _drop_question(self) -> None:
        self.mode, self.options = Mode.PLAY, []

    # -- leading ------------------------------------------------------------------------------

    def target(self) -> Mapping[int, Any] | None:
        """What must stand where before play goes on; None while everything may be played."""
        if self.mode is Mode.OVER:
            return None
        if self.open is not None:
            return self.open.target
        if self.leading or self.mode in (Mode.SETUP, Mode.RESTORE):
            return standing_of(self.position.pieces)
        return None

    def _wish(self) -> None:
        """Tell the belief what is asked for, so that doubtful pieces can be told apart."""
        position, opened = self.position, self.open
        side = position.side
        spots = self.spots()
        returns = {}
        if opened is not None and opened.actor.home is not None:
            way = opened.ways[opened.actor.piece] if opened.actor.piece is not None else 0
            returns[opened.actor.home] = way | 1 << opened.acted_on
        self.belief.wish = Wish(
            target=self.target(),
            hints=opened.hints if opened else {},
            returns=returns,
            removed=opened.removed if opened else 0,
            newcomer=shif(side) if self.mode is Mode.PLAY else None,
            placeable=spots,
            mover=(sentinel(side), shif(side)),
        )

    def spots(self) -> int:
        """Return the mask of the hexes for a placement, while one may be made."""
        if self.mode is not Mode.PLAY or self.open is not None or self.position.steps_made:
            return 0
        return mask_of([a.space for a in self.game.legal_actions if isinstance(a, Placement)])

    def _stands(self) -> bool:
        """Whether exactly the position stands on the board."""
        return self.belief.matches(standing_of(self.position.pieces))

    def plan(self) -> list[Relocation]:
        """Return the relocations that lead to the target, in order; none without one."""
        target = self.target()
        if target is None:
            return []
        return plan(
            self.position.board.grid,
            self.belief.pieces,
            target,
            hand=self.belief.held,
            hints=self.open.hints if self.open else None,
            hand_at=self.belief.last_space,
            hexes=self.position.board.hexes,
        )

    def _check_target(self) -> None:
        """See whether a target that is not an action's has been reached."""
        if self.open is not None:
            if self.mode is Mode.PLAY:
                self._review(self._now)
            return
        if self.mode is Mode.OVER or not self._stands():
            return
        if self.mode is Mode.RESTORE or self.leading:
            self.mode, self.leading, self._cleared = Mode.PLAY, False, False
            self.belief.settle_homes(standing_of(self.position.pieces), fresh=False)
            self._check_over()
        elif self.mode is Mode.SETUP:
            self.mode = Mode.PLAY
            self.belief.settle_homes(standing_of(self.position.pieces), fresh=False)
            self.shown_until_s = self._now + self.timing.show_s
            self._verdicts.append(SetUp())
            self._check_over()
            if self.mode is Mode.PLAY and list(self.game.legal_actions) == [Pass()]:
                self._play(Pass())
        self._wish()

    # -- time ---------------------------------------------------------------------------------

    def _pass_time(self) -> None:
        now, t = self._now, self.timing
        if self.open is not None and self.mode is Mode.PLAY and self._finished():
            self._complete()
        if not self._judged and now - self.changed_s >= t.settle_s - 1e-9:
            self._judged = True
            self._judge(now)
            if self.open is not None and self.mode is Mode.PLAY and self._finished():
                self._complete()
            self._complain()
            self._maybe_new_game()
        if self.masked and self.mode is Mode.SETUP:
            self._set_up_unseen()
        elif self.masked and self._unseen_step():
            self._ask(masked_candidates(self.position, self.belief, self.masked))
        elif self._impatient():
            self.leading = True
            self._wish()
            self.belief.part_with_surplus()
            self._check_target()

    def _finished(self) -> bool:
        """Whether all relocations are done and the last piece is not just passing."""
        opened = self.open
        assert opened is not None
        if not opened.is_done(self.belief):
            return False
        now, t = self._now, self.timing
        for token in self.belief.standing.values():
            if token.space != token.home and now - token.landed_s < t.landed_s - 1e-9:
                return False
        # A piece that has just been taken off may be put back by a hand that erred.
        return all(now - token.lifted_s >= t.settle_s - 1e-9 for token in self.belief.gone)

    def _impatient(self) -> bool:
        """Whether it is time to lead back a board on which nothing can be made out."""
        return (
            self.mode is Mode.PLAY
            and self.open is None
            and not self.leading
            and self._now - self.changed_s >= self.timing.patience_s - 1e-9
            and bool(self.belief.displaced or self._strayed_hand())
        )

    def _strayed_hand(self) -> bool:
        """Whether a piece is in the hand that cannot be about to step."""
        return len(self.belief.hand) > 1 or (self.own_lifted() is None and bool(self.belief.hand))

    def own_lifted(self) -> Token | None:
        """The own piece in the hand that may step, when it is all that is in the hand."""
        if len(self.belief.hand) != 1 or self.mode is not Mode.PLAY or self.open is not None:
            return None
        token = self.belief.hand[0]
        own = token.piece is not None and token.piece.side is self.position.side
        return token if own and token.home is not None and self.destinations(token) else None

    def destinations(self, token: Token) -> int:
        """Return the mask of the hexes to which `token` may step."""
        return mask_of(
            [
                a.target
                for a in self.game.legal_actions
                if isinstance(a, Step) and a.origin == token.home
            ]
        )

    def _complain(self) -> None:
        """Say in words what is wrong with a board that has settled and means nothing."""
        if self.mode is not Mode.PLAY or self.open is not None:
            return
        names = self.position.board.grid.names
        astray = [t.space for t in self.belief.displaced if t.space is not None]
        if astray:
            self.problem = "not legal: " + ", ".join(sorted(names[s] for s in astray))
            self._verdicts.append(Illegal(tuple(sorted(astray))))

    def _maybe_new_game(self) -> None:
        """Ask "new game?" when the starting layout stands on a board that was cleared."""
        start = self.game.start.board.start.occupied
        if self.belief.occupied != start or self._stands() or self.open is not None:
            return
        if self.mode is Mode.OVER or (self._cleared and self.mode in (Mode.PLAY, Mode.RESTORE)):
            self._confirm_from, self.mode = self.mode, Mode.CONFIRM
            self._wish()

    def _drop_confirm(self) -> None:
        if self.mode is Mode.CONFIRM and self._confirm_from is not None:
            self.mode, self._confirm_from = self._confirm_from, None
            self._wish()

    def next_deadline(self) -> float | None:
        """Return when time alone will change something, or None."""
        t = self.timing
        dues = [self.controls.next_deadline()]
        if not self._judged:
            dues.append(self.changed_s + t.settle_s)
        if self.mode in (Mode.PLAY, Mode.SETUP):
            dues.append(self.changed_s + t.patience_s)
        if self.open is not None and self.open.is_done(self.belief):
            landed = [
                k.landed_s + t.landed_s for k in self.belief.standing.values() if k.space != k.home
            ]
            gone = [k.lifted_s + t.settle_s for k in self.belief.gone]
            # What is due already must not be forgotten.
            dues.append(max([self._now + 0.001, *landed, *gone]))
        if self.belief.newcomer is not None:
            dues.append(self.belief.next_deadline_of(self.belief.newcomer))
        dues.append(self.shown_until_s)
        return min((d for d in dues if d is not None and d > self._now), default=None)

    # -- buttons ------------------------------------------------------------------------------

    def _press(self, press: Press) -> None:
        if press is Press.MENU:
            self._verdicts.append(NewGame() if self.mode is Mode.OVER else Palette())
        elif press is Press.HOLD_MENU:
            self._verdicts.append(ShutDown())
        elif press is Press.HOLD_BOTH:
            self._accept()
        elif press is Press.BOTH:
            if self.mode is Mode.CONFIRM:
                self._verdicts.append(NewGame())
            else:
                self.shown_until_s = self._now + self.timing.show_s
        elif press.held:
            self._take_back()
        elif press.side is self.position.side:
            # What stands there counts first; the turn may be over by that.
            self.belief.admit(self._now)
            self._just_before(None)
            if press.side is self.position.side:
                self._short()

    def _short(self) -> None:
        """The mover's button has been pressed shortly."""
        if self.mode is Mode.ASK:
            lit_s = self.controls.pressed_s - self.asked_s
            if lit_s >= 0.0:  # a button that was down before the question does not answer it
                self._choose(self.options[int(lit_s / self.timing.ask_s) % len(self.options)])
        elif self.position.coins is not None and not self.position.steps_made:
            self._raise()
        elif unseen := self._unseen_placements():
            self._ask(unseen)
        else:
            self._end_turn()

    def _unseen_placements(self) -> list[Open]:
        """Return the placements on masked spaces, which no contact can tell."""
        position = self.position
        if not self.spots() & self.masked or self.belief.displaced:
            return []
        piece = shif(position.side)
        return [
            open_action(position, Placement(space, self.raised), Token(piece))
            for space in spaces_of(self.spots() & self.masked)
        ]

    def _end_turn(self) -> None:
        if self.mode is Mode.PLAY:
            self._judge(self._now - self.timing.landed_s)
            if self.open is not None and self.open.is_done(self.belief):
                self._complete()
        if self.mode is not Mode.PLAY:
            self._verdicts.append(Notice("The turn cannot be ended now."))
        elif self.open is not None:
            self._verdicts.append(Notice("The pushed pieces come first; then the turn may end."))
        elif EndTurn() in legal_actions(self.position) and self.game.outcome is None:
            self._play(EndTurn())
            self.changed_s, self._judged = self._now, False
        else:
            self._verdicts.append(Notice("A turn can be ended only after a step."))

    def _raise(self) -> None:
        position = self.position
        coins = position.coins
        if self.mode is not Mode.PLAY or coins is None or not self.spots():
            return
        paid = (self.raised or coins.stake) + 1
        self.raised = None if paid > coins[position.side] else paid

    def _take_back(self) -> None:
        if self.mode is Mode.ASK:
            self._drop_question()
        elif self.open is not None:
            opened, self.open = self.open, None
            self._restore()
            self._verdicts.append(Dropped(opened.cascade))
        elif self.mode in (Mode.PLAY, Mode.OVER, Mode.RESTORE) and self.game.cascades:
            cascade = self.game.undo()
            while isinstance(cascade.action, Pass) and self.game.cascades:
                self._verdicts.append(TakenBack(cascade))
                cascade = self.game.undo()
            self._verdicts.append(TakenBack(cascade))
            self._restore()
        else:
            self._verdicts.append(Notice("There is nothing to take back."))

    def _restore(self) -> None:
        """Lead the board back to the position."""
        self.mode, self.raised, self.leading = Mode.RESTORE, None, False
        self.belief.settle_homes(standing_of(self.position.pieces), fresh=False)
        self._wish()
        self.belief.part_with_surplus()
        self.changed_s = self._now
        self._check_target()

    def _accept(self) -> None:
        """Take the lit relocation, or the whole board, as it should be."""
        seen = self._seen
        moves = self.plan()
        if self.mode in (Mode.OVER, Mode.CONFIRM, Mode.ASK):
            return
        if moves:
            move = moves[0]
            self.belief.carry_out(move, self._now)
            wrong = self._disagree(seen, move)
        else:
            target = standing_of(self.position.pieces)
            wrong = (mask_of(list(target)) ^ seen) & ~self.masked
            if wrong.bit_count() > MAX_DEAD:
                self._verdicts.append(Notice("Too many contacts disagree to accept the board."))
                return
            self.belief.assume(self.position.pieces)
        self._mask(wrong)
        self.shown_until_s = self._now + self.timing.show_s
        self._verdicts.append(Accepted())
        self.changed_s, self._judged = self._now, False
        self._check_target()

    def _disagree(self, seen: int, move: Relocation) -> int:
        """Return the mask of contacts that say that `move` has not been done."""
        wrong = 0
        if move.origin is not None and seen >> move.origin & 1:
            wrong |= 1 << move.origin
        if move.target is not None and not seen >> move.target & 1:
            wrong |= 1 << move.target
        return wrong & ~self.masked

    def mask(self, spaces: int) -> list[Verdict]:
        """Leave the contacts in the mask `spaces` out from now on."""
        self._mask(spaces & ~self.masked)
        return self._drain()

    def _mask(self, spaces: int) -> None:
        if spaces:
            self.masked |= spaces
            self.belief.masked = self.masked
            self._verdicts.append(Masked(spaces))

    # -- after a gap --------------------------------------------------------------------------

    def _reconcile(self, occupied: int) -> None:
        """Compare the contacts as a whole with belief, target and position, after a gap."""
        self.is_blind = False
        seen, known = occupied & ~self.masked, ~self.masked
        belief = self.belief
        belief.forget_movements()
        if self._hurt and self.open is None:
            belief.settle_homes(standing_of(self.position.pieces), fresh=False)
        self._hurt = False
        position = self.position.pieces
        if self.mode in (Mode.ASK, Mode.CONFIRM):
            self.mode, self.options = self._confirm_from or Mode.PLAY, []
        if seen == belief.occupied & known and (belief.standing or not seen):
            pass
        elif self.open is not None and seen == mask_of(list(self.open.target)) & known:
            for move in self.plan():
                belief.carry_out(move, self._now)
        elif seen == position.occupied & known:
            self.open = None
            belief.assume(position)
        else:
            wanted = self.target() or standing_of(position)
            guess_standing(belief, seen, wanted, self._now, setup=self.mode is Mode.SETUP)
            if self.mode is Mode.PLAY and self.open is None:
                self.mode = Mode.RESTORE
            self._wish()
            belief.part_with_surplus()
        self._wish()
        self.changed_s, self._judged = self._now, False
        if belief.standing:
            self.shown_until_s = self._now + self.timing.show_s
        self._check_target()

    # -- for the journal ----------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return belief, hand and open action as plain data, to be given to `restore` later."""
        board = self.position.board
        return {
            "mode": self.mode.name,
            "open": format_action(board, self.open.action) if self.open is not None else None,
            "raised": self.raised,
            "belief": self.belief.dump(),
        }

    def restore(self, data: Mapping[str, Any], now: float) -> None:
        """Take over what `dump` has written; the next scan is compared as a whole.

        Raises ValueError, KeyError or TypeError when `data` is not of that form.
        """
        self._now = now
        self.belief.restore(data["belief"], now)
        self.raised = data["raised"]
        mode = Mode[data["mode"]]
        self.mode = mode if mode in (Mode.SETUP, Mode.RESTORE, Mode.OVER) else Mode.PLAY
        self.open = None
        if data["open"] is not None:
            action = parse_action(self.position.board, data["open"])
            self.open = open_action(self.position, action, self._actor_of(action))
        self._wish()
        self.is_blind = True

    def _actor_of(self, action: Action) -> Token:
        """Return the piece that began `action`, among those of the restored belief."""
        belief = self.belief
        tokens = [*belief.standing.values(), *belief.hand, *belief.gone]
        home = action.origin if isinstance(action, Step) else None
        found = [t for t in tokens if t.home == home]
        return found[0] if found else Token(shif(self.position.side), home=home)

    def _drain(self) -> list[Verdict]:
        verdicts, self._verdicts = self._verdicts, []
        return verdicts
