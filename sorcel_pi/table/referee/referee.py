"""What was played, what must be done next, and whether the board is right.

Theory.  The referee holds three things: the game (the rules' position after the last completed
action), the tracker (which piece stands where) and the phase.  Everything that players see follows
from comparing what stands with what should: there is a *target*, or anything may be played.

    SettingUp ----------> Playing ----------> Relocating      an action is judged, its pushed
        the position        ^  |  ^   begun        |          pieces are still to be moved
        stands              |  |  |                |
                   stands   |  |  +----------------+
    Restoring --------------+  |    completed, or put back
        ^                      |
        +-- take-back, gap     +--> Asking     several actions fit: the mover chooses
                               +--> Confirming "new game?"
                               +--> Over       no target any more

The phases are values (see `phases`), and `_enter` is the only place where one follows another.

Each scan goes through `step` in one order: contacts that changed, then time, then buttons.  A lift
or a drop is judged *before* it is taken in (`_just_before`): the next player need not wait.  After
that, time judges: `settle` after the last change (`_settled`), and `patience` later the lights
lead back what means nothing.  An action is found by `inference` from what was put down; it is
complete when what stands is its target (`_finished`).  For a side that is *away*, because an engine
plays it, nothing that hands do is an action: what it plays is announced, and led like relocations.
After a gap in the scans, or whenever something has raised, the board is compared as a whole
(`_reconcile`).

What has happened is told by events, in order.  What a person does wrong is an event too, never an
exception.  The referee does no I/O and reads no clock; `showing` says what there is to see of it.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...messages.message import Message, message
from ...rules.actions import (
    Action,
    EndTurn,
    Pass,
    Placement,
    Step,
    legal_actions,
    outcome,
    resolve,
    resolve_all,
)
from ...rules.game import Game
from ...rules.hexgrid import mask_of, spaces_of
from ...rules.notation import format_action, parse_action
from ...rules.position import Piece, Position, Side, sentinel, shif
from ..events import (
    Accepted,
    Began,
    Done,
    Dropped,
    Ended,
    Illegal,
    LevelChosen,
    LevelRequested,
    Masked,
    MoveNowRequested,
    NewGameRequested,
    Notice,
    Refused,
    ResignRequested,
    SeatsRequested,
    SetUp,
    ShutdownRequested,
    TableEvent,
    TakenBack,
)
from ..relocation import Relocation, plan
from ..sensing.buttons import ButtonReader, Press
from ..sensing.debouncer import Sensed
from ..timers import TOLERANCE_S, has_passed, next_of
from ..timing import Timing
from ..tracking.pieces import NEW, Goal, TrackedPiece, TrackerState
from ..tracking.tracker import Tracker
from ..view import Hold, Mode
from .inference import (
    SWEPT,
    OpenAction,
    candidates,
    masked_candidates,
    open_action,
    open_announced,
    standing_of,
    unseen_candidates,
)
from .phases import (
    MODES,
    TRANSITIONS,
    Asking,
    Cause,
    Choosing,
    Confirming,
    Over,
    Phase,
    Playing,
    Relocating,
    Restoring,
    SettingUp,
)

AT_ONCE = 2
"""More pieces than this that do not stand in a line no hand lifts within one scan."""
REPORTED_S = 600.0
"""So long a contact that flickered must be quiet to be reported again."""
CHOOSE_S = 5.0
"""So long after the last press a level counts as chosen."""
LEVELS = 10
"""The highest level of an engine; the lowest is 1."""
CONFIRM_S = 10.0
"""So long a question that both buttons answer is asked."""
WOBBLE_CHANGES, WOBBLE_S = 6, 1.0
"""More changes than this of the same two contacts in turn within the time: a piece wobbles."""
MAX_DEAD = 2
"""Accepting the pieces as they are masks no more contacts than this."""


class Referee:
    """Follows one game on one table; its attributes are read by others, and written by nobody."""

    def __init__(
        self,
        game: Game,
        *,
        timing: Timing | None = None,
        overlaps: Mapping[int, int] | None = None,
        masked: int = 0,
    ) -> None:
        """Start with `game` and nothing on the board: its position must be set up first."""
        self.game = game
        self.timing = timing or Timing()
        self.phase: Phase = SettingUp()
        self.away: frozenset[Side] = frozenset()
        """The sides that nobody here plays: what they do is announced."""
        board = game.start.board
        self._tracker = Tracker(
            board.grid, hexes=board.hexes, timing=self.timing, overlaps=overlaps, masked=masked
        )
        self._buttons = ButtonReader(self.timing.hold_s, self.timing.accept_s)
        self.raised: int | None = None
        """What the next placement pays, where it has been raised."""
        self.astray = 0
        """The mask of spaces with pieces that mean nothing, once the board has settled so."""
        self.flickering = 0
        """The mask of contacts that change too often; they do not keep the board from settling."""
        self._reported_s: dict[int, float] = {}
        """When each contact flickered last of those that were reported."""
        self._flickered_s: float | None = None
        """When a flickering contact changed last, until that has been judged."""
        self.swept = False
        """Whether the board is led as setting up is, because too many pieces are missing."""
        self.shown_until_s = 0.0
        """All believed pieces are shown until then."""
        self.passed: tuple[Side, float] | None = None
        """Who had to pass last, and when, for the sign."""
        self.changed_s = 0.0
        """When a contact last changed, or what is asked for did."""
        self.is_blind = True
        """Whether the next contacts are to be compared as a whole."""
        self._hurt = False
        """Whether something has raised in the middle of a step."""
        self._offered = False
        """Whether "new game?" was asked since a contact changed last."""
        self._changes: deque[tuple[float, int]] = deque(maxlen=WOBBLE_CHANGES + 1)
        """The last changes of contacts: time and space."""
        self._wobbling = 0
        """The mask of the two spaces on whose border a piece wobbles."""
        self._put_back = False
        """Whether the last step was taken back by hand, and nothing else was put down since."""
        self._played_s: list[float] = []
        """When each action of the game was completed; those before a power cut at 0 s."""
        self._judged = True
        """Whether the board has been judged since it settled."""
        self._now = 0.0
        self._seen = 0
        """The mask of closed contacts."""
        self._events: list[TableEvent] = []

    # -- what there is to see -----------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position after the last completed action."""
        return self.game.position

    @property
    def state(self) -> TrackerState:
        """Which piece is believed to stand where."""
        return self._tracker.state

    @property
    def overlaps(self) -> Mapping[int, int]:
        """The masks of neighbours whose contacts overlap with that of a space."""
        return self._tracker.overlaps

    @property
    def masked(self) -> int:
        """The mask of the spaces whose contacts are left out."""
        return self._tracker.masked

    @property
    def mode(self) -> Mode:
        """What the phase is called to the outside."""
        return MODES[type(self.phase)]

    @property
    def open(self) -> OpenAction | None:
        """The action that is being carried out."""
        return self.phase.open if isinstance(self.phase, Relocating) else None

    @property
    def leading(self) -> bool:
        """Whether a board that means nothing is being led back to the position."""
        return _playing(self.phase).leading

    @property
    def hold(self) -> Hold | None:
        """The hold of a button that is under way."""
        return self._buttons.hold

    @property
    def target(self) -> Mapping[int, Piece] | None:
        """What must stand where before play goes on; None while everything may be played."""
        if isinstance(self.phase, Relocating):
            return self.phase.open.target
        if self.leading or isinstance(self.phase, SettingUp | Restoring):
            return standing_of(self.position.pieces)
        return None

    def plan(self) -> list[Relocation]:
        """Return the relocations that lead to the target, in order; none without one."""
        target, opened = self.target, self.open
        if target is None:
            return []
        moves = self._plan_to(target, opened.hints if opened else None)
        if opened is not None and opened.announced:
            moves = self._acting_first(opened, moves)
        return [*self._back_from_hand(moves), *moves]

    def _acting_first(self, opened: OpenAction, moves: list[Relocation]) -> list[Relocation]:
        """Return `moves` with the way of the acting piece at the front, if it can be gone now."""
        actor, standing = self.state.now_of(opened.actor), self.state.standing
        begins = None if actor.id == NEW else actor.space
        if actor.id != NEW and actor.space != actor.home:
            return moves  # it has been lifted: the hand comes first, or it stands where it goes
        place = opened.acted_on
        for move in moves:
            acts = move.origin == begins if begins is not None else move.target == place
            if acts and not move.held and not move.detour and move.target not in standing:
                return [move, *(other for other in moves if other is not move)]
        return moves

    def _back_from_hand(self, moves: list[Relocation]) -> list[Relocation]:
        """Return where the piece in the hand goes first, if its own place is still taken."""
        if not self.state.held or not moves or moves[0].held:
            return []
        piece = self.state.hand[-1]
        if piece.origin is None or piece.origin in self.state.on or self._is_wanted(piece, moves):
            return []
        return [Relocation(piece.piece, None, piece.origin, held=True, detour=True)]

    def _is_wanted(self, piece: TrackedPiece, moves: list[Relocation]) -> bool:
        """Whether a relocation brings `piece` off the board, or nobody knows what it is."""
        kind = piece.piece
        off = any(m.held and m.target is None and m.piece is kind for m in moves)
        return off or kind is None

    def preview(self, now: float) -> list[Relocation]:
        """Return what the action that seems to be meant will ask for, before it is judged."""
        if not self.state.displaced or self.mover_is_away:
            return []
        options = candidates(self.position, self.state, before_s=now, coins=self.raised)
        if len(options) != 1:
            return []
        return self._plan_to(options[0].target, options[0].hints)

    @property
    def awaits_announcement(self) -> bool:
        """Whether the side to act is away and may announce what it plays."""
        playing = isinstance(self.phase, Playing) and not self.leading
        return playing and self.mover_is_away and self.game.outcome is None

    def spots(self) -> int:
        """Return the mask of the hexes for a placement, while one may be made."""
        return self._placeable() if isinstance(self.phase, Playing) else 0

    @property
    def mover_is_away(self) -> bool:
        """Whether nobody here plays the side to act."""
        return self.position.side in self.away

    def own_lifted(self) -> TrackedPiece | None:
        """Return the own piece in the hand that may step, when it is all that is in the hand."""
        hand = self.state.hand
        if len(hand) != 1 or not isinstance(self.phase, Playing) or self.mover_is_away:
            return None
        piece = hand[0]
        own = piece.piece is not None and piece.piece.side is self.position.side
        return piece if own and piece.home is not None and self.destinations(piece) else None

    def destinations(self, piece: TrackedPiece) -> int:
        """Return the mask of the hexes to which `piece` may step."""
        steps = (a for a in self.game.legal_actions if isinstance(a, Step))
        return mask_of([step.target for step in steps if step.origin == piece.home])

    def next_deadline(self) -> float | None:
        """Return when time alone will change something, or None."""
        t, state = self.timing, self.state
        dues = [self._buttons.next_deadline(), self._tracker.next_deadline(self._goal())]
        dues.append(self.shown_until_s)
        if self._flickered_s is not None:
            dues.append(self._flickered_s + t.settle_s)
        if isinstance(self.phase, Confirming):
            dues.append(self.phase.since_s + CONFIRM_S)
        if isinstance(self.phase, Choosing):
            dues.append(self.phase.since_s + CHOOSE_S)
        if not self._judged:
            dues.append(self.changed_s + t.settle_s)
        if not isinstance(self.phase, Asking | Confirming | Choosing):
            dues.append(self.changed_s + t.patience_s)
        if self.open is not None and self.open.is_done(state):
            landed = [p.landed_s + t.landed_s for p in state.displaced]
            gone = [p.lifted_s + t.settle_s for p in state.gone]
            # What is due already must not be forgotten.
            dues.append(max([self._now + 0.001, *landed, *gone]))
        return next_of(dues, self._now)

    # -- what comes in ------------------------------------------------------------------------

    def step(self, sensed: Sensed) -> list[TableEvent]:
        """Take in what a scan has changed, and the time; return what came of it."""
        self._now, self._seen = sensed.time_s, sensed.occupied
        try:
            self._step(sensed)
        except BaseException:
            # Whatever it was, an action must not stay half done: the board is looked at anew.
            self.is_blind = self._hurt = True
            raise
        return self._drain()

    def blind(self) -> None:
        """Say that scans were missed: the next one is compared as a whole, not change by change."""
        self.is_blind = True

    def mask(self, spaces: int) -> list[TableEvent]:
        """Leave the contacts in the mask `spaces` out from now on."""
        self._leave_out(spaces & ~self.masked)
        return self._drain()

    def new_game(self, game: Game, now: float) -> list[TableEvent]:
        """Begin `game` on the same board; pieces that stand as it starts are taken as set up."""
        self._now = now
        self._enter(SettingUp(), Cause.NEW_GAME)
        self.game, self.raised, self.astray = game, None, 0
        self._played_s, self._put_back = [], False
        self.swept = False
        if self.state.occupied == game.position.pieces.occupied:
            self._tracker.assume(game.position.pieces)
        else:
            self._tracker.empty_hand()  # pieces in a box are no longer "in the hand"
        self._check_target()
        return self._drain()

    def seat(self, away: frozenset[Side], now: float) -> list[TableEvent]:
        """Let the sides in `away` be played by somebody who is not here, the others by people."""
        return self._asked(now, lambda: self._seat(away))

    def announce(self, actions: Sequence[Action], now: float) -> list[TableEvent]:
        """Play `actions` for a side that is away, by the hands of those who are here.

        They are legal, one after the other, and end with the turn or before.  What cannot be taken
        now is told by `Refused`, and nothing has changed.
        """
        return self._asked(now, lambda: self._announce(tuple(actions)))

    def choose_level(self, level: int, now: float) -> list[TableEvent]:
        """Let the side buttons choose the level of the engine, from `level` on."""

        def begin() -> None:
            if isinstance(self.phase, Playing):
                shown = min(max(level, 1), LEVELS)
                self._enter(Choosing(self.phase, shown, now), Cause.LEVEL)

        return self._asked(now, begin)

    def end_turn(self, now: float) -> list[TableEvent]:
        """End the mover's turn early, as their button does."""
        return self._asked(now, self._end_turn)

    def take_back(self, now: float) -> list[TableEvent]:
        """Take the question or the open action back, or else the last completed one."""
        return self._asked(now, self._take_back)

    def accept(self, now: float) -> list[TableEvent]:
        """Take the lit relocation as done; with none lit, the pieces as they should stand."""
        return self._asked(now, self._accept)

    def show_all(self, now: float) -> list[TableEvent]:
        """Show every believed piece for a while."""
        self.shown_until_s = now + self.timing.show_s
        return []

    def hands_off(self, now: float) -> list[TableEvent]:
        """Judge the board as it stands: nobody holds a piece, and none is on its way."""
        return self._asked(now, self._hands_off)

    def raise_stake(self, now: float) -> list[TableEvent]:
        """Raise what the next placement pays by one, from the purse back to the stake."""
        return self._asked(now, self._raise_stake)

    def choose(self, now: float, number: int) -> list[TableEvent]:
        """Answer the question that is asked by the number of a candidate, from 0."""
        return self._asked(now, lambda: self._answer(number))

    def finish(self, now: float) -> list[TableEvent]:
        """The game has been ended off the board (resigned, agreed): show it."""
        return self._asked(now, self._check_over)

    def _asked(self, now: float, do: Callable[[], None]) -> list[TableEvent]:
        self._now = now
        do()
        return self._drain()

    def _drain(self) -> list[TableEvent]:
        """Return the events since the last call."""
        events, self._events = self._events, []
        return events

    # -- what is kept over a power cut --------------------------------------------------------

    def key(self) -> tuple[Any, ...]:
        """Return what makes the state worth to be recorded anew when it changes."""
        opened = self.open
        return (
            self.mode,
            None if opened is None else opened.action,
            self.raised,
            self.leading,
            self.state.key(),
        )

    def dump(self) -> dict[str, Any]:
        """Return pieces, hand and open action as plain data, to be given to `restore` later."""
        board, opened = self.position.board, self.open
        announced = opened.actions if opened is not None and opened.announced else ()
        return {
            "mode": self.mode.name,
            "open": format_action(board, opened.action) if opened is not None else None,
            **({"announced": [format_action(board, a) for a in announced]} if announced else {}),
            "raised": self.raised,
            "leading": self.leading,
            "belief": self.state.dump(self._now),
        }

    def restore(self, data: Mapping[str, Any], now: float) -> None:
        """Take over what `dump` has written; the next scan is compared as a whole.

        Raises ValueError when `data` is not of that form; nothing is taken over then.
        """
        try:
            self._restore(data, now)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise ValueError(f"not a state that a table has written: {error!r}") from error

    def _restore(self, data: Mapping[str, Any], now: float) -> None:
        state = TrackerState.restored(data["belief"], now)
        playing = Playing(leading=bool(data.get("leading")))
        kept: dict[Mode, Phase] = {
            Mode.SETUP: SettingUp(),
            Mode.RESTORE: Restoring(),
            Mode.OVER: Over(now),
        }
        phase = kept.get(Mode[data["mode"]], playing)
        if data["open"] is not None:
            action = parse_action(self.position.board, data["open"])
            actor = _actor_of(action, state, self.position.side)
            option = open_action(self.position, action, actor)
            if announced := data.get("announced"):
                actions = [parse_action(self.position.board, text) for text in announced]
                option = replace(open_announced(self.position, actions, state), actor=actor)
            phase = Relocating(option)
        self._now = now
        self._tracker.go_back(state)
        self.phase, self.raised = phase, data["raised"]
        self.is_blind = True

    # -- contacts -----------------------------------------------------------------------------

    def _step(self, sensed: Sensed) -> None:
        if self.is_blind:
            # Nor has anybody seen how long a button was down.
            self._buttons = ButtonReader(self.timing.hold_s, self.timing.accept_s)
            self._reconcile(sensed.occupied)
        else:
            self._take_in(sensed)
        before = None
        while before is not self.phase:  # what time has opened may settle a doubt at once
            before = self.phase
            if self._tracker.pass_time(self._goal(), self._now):
                self._judged = False
            self._pass_time()
        for press in self._buttons.feed(sensed):
            self._press(press)

    def _take_in(self, sensed: Sensed) -> None:
        """Take in the contacts that have changed."""
        known = ~self.masked
        opened, closed = sensed.opened & known, sensed.closed & known
        self._watch_for_wobble(opened | closed)
        flickering = sensed.flickering & ~self._wobbling
        self._report(flickering)
        if not opened and not closed:
            return
        if (opened | closed) & ~flickering:
            self._unsettle()
            self.astray, self.passed, self.shown_until_s = 0, None, 0.0
            self._offered = False
        else:
            self._flickered_s = self._now
        if not self._can_be_lifted(opened):
            self._reconcile(sensed.occupied)
            return
        # In one scan a hand that was empty lifts before it puts down; a full one the other way.
        lifts = [(space, self._lift) for space in spaces_of(opened)]
        drops = [(space, self._drop) for space in spaces_of(closed)]
        for space, take in [*drops, *lifts] if self.state.held else [*lifts, *drops]:
            take(space)

    def _report(self, flickering: int) -> None:
        """Say once that a contact flickers, and again only after it has been quiet for long."""
        names = self.position.board.grid.names
        for space in spaces_of(flickering):
            if self._now - self._reported_s.get(space, -REPORTED_S) >= REPORTED_S:
                self._events.append(Notice(message("notice.flickers", at=names[space])))
            self._reported_s[space] = self._now
        self.flickering = flickering

    def _can_be_lifted(self, opened: int) -> bool:
        """Whether a hand can lift the pieces in the mask `opened` within one scan."""
        lifted = opened & self.state.occupied
        if lifted.bit_count() <= AT_ONCE:
            return True
        grid = self.position.board.grid
        return any(
            not lifted & ~mask_of([first, *grid.ray(first, direction)])
            for first in spaces_of(lifted)
            for direction in range(6)
        )

    def _watch_for_wobble(self, changed: int) -> None:
        """A piece that wobbles on the border of two spaces has made no step until it rests."""
        if not changed:
            return
        self._changes.extend((self._now, space) for space in spaces_of(changed))
        spaces = mask_of([space for _, space in self._changes])
        began_s = self._changes[0][0]
        often = len(self._changes) > WOBBLE_CHANGES and self._now - began_s <= WOBBLE_S
        if not often or spaces.bit_count() != 2:
            self._wobbling = self._wobbling if spaces == self._wobbling else 0
            return
        self._wobbling = spaces
        while self._played_s and self._played_s[-1] >= began_s:
            action = self.game.actions[-1]
            if self.game.cascades[-1].before.side in self.away:
                return
            if not isinstance(action, Step) or 1 << action.origin | 1 << action.target != spaces:
                return
            self._undo()
            self._tracker.settle_homes(standing_of(self.position.pieces), fresh=True)

    def _undo(self) -> None:
        """Take the last completed action back from the game."""
        self._events.append(TakenBack(self.game.undo()))
        if self._played_s:
            self._played_s.pop()

    def _lift(self, space: int) -> None:
        tracker = self._tracker
        if not tracker.is_sliding(space, self._goal(), self._now):
            tracker.admit(self._goal())
            self._just_before(space)
        if isinstance(self.phase, Asking):
            options = self.phase.options
            meant = [o for o in options if self.state.now_of(o.actor).space == space]
            # Where one piece may have come from two places, lifting it does not say from which.
            if meant and all(o.shown_at(self.masked) == o.acted_on for o in options):
                self._take_up(meant[0])
            else:
                self._drop_question()
        self._drop_confirm()
        self._end_choice()
        moves = self.plan()
        led = bool(moves) and moves[0].origin == space
        tracker.lift(space, self._goal(), self._now, led=led)
        self._notice_sweep()
        self._check_target()

    def _drop(self, space: int) -> None:
        tracker = self._tracker
        tracker.admit(self._goal())
        newcomer = not self.state.held and not tracker.is_sleeve(space, self._goal(), self._now)
        if newcomer and not tracker.comes_back(space, self._goal()):
            self._just_before(None)
        self._drop_question()
        self._drop_confirm()
        self._end_choice()
        tracker.drop(space, self._goal(), self._now)
        self._notice_sweep()
        self._check_target()

    def _just_before(self, leaving: int | None) -> None:
        """Judge the board as it stood just before a piece is lifted or a newcomer comes."""
        if self.mode is not Mode.PLAY or self._wobbling:
            return
        self._judge(self._now - self.timing.landed_s + TOLERANCE_S)
        opened = self.open
        if opened is not None and leaving is not None:
            self._tracker.read_late(leaving, self._goal(), self._now)
        if opened is None or not opened.is_done(self.state):
            return
        passing = self.state.standing.get(leaving) if leaving is not None else None
        # The piece that acted is not pushed by what it did: this is its next step.
        acts = passing is not None and passing.id == opened.actor.id
        shoved = not acts and self._tracker.is_shoving(leaving, self._goal(), self._now)
        if not shoved and (passing is None or self._rested(passing)):
            self._complete()

    def _rested(self, piece: TrackedPiece) -> bool:
        """Whether `piece` has stood long enough not to be on its way over."""
        return has_passed(piece.landed_s, self.timing.landed_s, self._now)

    # -- time ---------------------------------------------------------------------------------

    def _unsettle(self) -> None:
        """Something has changed: let the board settle anew before it is judged."""
        self.changed_s, self._judged = self._now, False

    def _pass_time(self) -> None:
        """Do what is due because so much time has passed."""
        phase = self.phase
        if isinstance(phase, Confirming) and has_passed(phase.since_s, CONFIRM_S, self._now):
            self._enter(phase.before, Cause.UNCONFIRMED)
        if isinstance(phase, Choosing) and has_passed(phase.since_s, CHOOSE_S, self._now):
            self._end_choice()
        if self._wobbling:
            if not has_passed(self.changed_s, self.timing.settle_s, self._now):
                return
            self._wobbling = 0
        if self._finished():
            self._complete()
        if not self._judged and has_passed(self.changed_s, self.timing.settle_s, self._now):
            self._settled()
        flickered_s = self._flickered_s
        if flickered_s is not None and has_passed(flickered_s, self.timing.settle_s, self._now):
            self._flickered_s = None
            self._settled()
        if not has_passed(self.changed_s, self.timing.patience_s, self._now):
            return
        if self.masked and isinstance(self.phase, SettingUp):
            self._set_up_unseen()
        elif self._waits_for_unseen() and (unseen := self._masked_candidates()):
            self._ask(unseen)
        elif isinstance(phase, Playing | Restoring | Over) and self._lays_out_new_game():
            self._offered = True
            self._enter(Confirming(phase, self._now), Cause.LAYOUT)
        elif isinstance(self.phase, Playing) and not self.leading and self._is_astray():
            self._enter(Playing(leading=True), Cause.IMPATIENT)
            self._notice_sweep()
            self._tracker.part_with_surplus(self._goal())
            self._check_target()

    def _settled(self) -> None:
        """Judge a board on which nothing has changed for a while."""
        self._judged = True
        self._judge(self._now)
        if self._finished():
            self._complete()
        self._complain()

    def _hands_off(self) -> None:
        """Judge at once what else would have to rest for a while first."""
        if self.state.held:
            self._tracker.empty_hand()  # it lies beside the board
        self._changes.clear()  # however often a piece went to and fro, it has not wobbled
        self._wobbling = 0
        self._tracker.admit(self._goal())
        self._settled()
        opened = self.open
        if opened is not None and opened.is_done(self.state):
            self._complete()

    def _notice_sweep(self) -> None:
        """Lead as setting up is led, if too many pieces that belong on the board are missing.

        That goes on until none is missing; what then stands wrong is led as ever.
        """
        target = self.target
        if target is None or isinstance(self.phase, SettingUp):
            return
        missing = len(target) - len(self.state.on)
        self.swept = missing > (0 if self.swept else SWEPT)

    def _show_doubts(self) -> None:
        """The lights would go quiet: show all pieces if some may have been mixed up."""
        self.swept = False
        if self.state.doubt and not self.state.held:
            self._tracker.dispel_doubt()
            self.shown_until_s = self._now + self.timing.show_s

    def _finished(self) -> bool:
        """Whether all relocations are done and the last piece is not just passing."""
        opened, state = self.open, self.state
        if opened is None or not opened.is_done(state):
            return False
        # A piece that has just been taken off may be put back by a hand that erred.
        settle_s = self.timing.settle_s
        return all(self._rested(piece) for piece in state.displaced) and all(
            has_passed(piece.lifted_s, settle_s, self._now) for piece in state.gone
        )

    def _is_astray(self) -> bool:
        """Whether something stands or is held that cannot be about to be a step."""
        hand = self.state.hand
        stray = len(hand) > 1 or (self.own_lifted() is None and bool(hand))
        return bool(self.state.displaced) or stray

    def _complain(self) -> None:
        """Say what is wrong with a board that has settled and means nothing."""
        astray = mask_of([p.space for p in self.state.displaced if p.space is not None])
        if isinstance(self.phase, Playing) and astray:
            self.astray = astray
            self._events.append(Illegal(tuple(spaces_of(astray))))

    def _lays_out_new_game(self) -> bool:
        """Whether the starting layout was put up to begin anew, and that was not asked yet."""
        start = self.game.start.board.start.occupied
        stands = not (self.state.occupied ^ start) & ~self.masked
        # Right after the start, pieces at their places are a step that was put back.
        over, other = isinstance(self.phase, Over), self.game.start.occupied != start
        meant = over or other or len(self.game.actions) > 1
        return meant and stands and not self._offered and not self._stands()

    def _set_up_unseen(self) -> None:
        """Take the pieces on masked spaces as set up, when only they are still asked for."""
        moves = self.plan()
        if moves and all(m.target is not None and self.masked >> m.target & 1 for m in moves):
            for move in moves:
                self._tracker.carry_out(move, self._now)
            self._check_target()

    def _waits_for_unseen(self) -> bool:
        """Whether a piece may have been put down on a masked space, and nothing else tells."""
        waits = isinstance(self.phase, Playing) and not self.leading and not self.mover_is_away
        return waits and bool(self.masked and self.state.held and not self.state.displaced)

    # -- judging ------------------------------------------------------------------------------

    def _judge(self, before_s: float) -> None:
        """Read what stands on the board, counting pieces that landed at `before_s` or earlier."""
        if isinstance(self.phase, Relocating):
            self._review(self.phase.open, before_s)
        elif isinstance(self.phase, Playing):
            if self._taken_back_by_hand() or self.mover_is_away:
                return
            options = self._options(before_s)
            if self.masked and self.state.displaced:
                options += self._masked_candidates()
            if len(options) == 1:
                self._begin(options[0])
            elif options:
                self._ask(options)

    def _taken_back_by_hand(self) -> bool:
        """Take the last step back, if its turn is over and all stands as it did before it.

        From then on each earlier step of the turn that is put back is taken back too, until
        something else is put down.
        """
        actions, cascades = self.game.actions, self.game.cascades
        if self.timing.touch_move or self.leading or not cascades:
            return False
        last, action = cascades[-1], actions[-1]
        if last.before.side in self.away:
            return False
        ends = last.after.side is not last.before.side
        if not isinstance(action, Step) or not (ends or self._put_back):
            return False
        before = standing_of(last.before.pieces)
        if not self.state.displaced or not self.state.matches(before):
            return False
        if ends and self._would_be_pushed_to(action.origin):
            return False
        self._undo()
        self._put_back = True
        self._tracker.settle_homes(standing_of(self.position.pieces), fresh=False)
        self._unsettle()
        return True

    def _would_be_pushed_to(self, space: int) -> bool:
        """Whether a step of the side to act would push a piece to `space`."""
        return any(
            event.target == space and event.cause is not None
            for cascade in resolve_all(self.position)
            if isinstance(cascade.action, Step)
            for event in cascade.consequences
        )

    def _options(self, before_s: float) -> list[OpenAction]:
        """Return the actions that fit the board, where need be with another reading of it."""
        options = self._candidates(before_s)
        if options or not self.state.displaced:
            return options
        before = self._tracker.state
        for shove in self._tracker.other_readings(self._goal()):
            self._tracker.take_over(shove)
            if options := self._candidates(before_s):
                return options
            self._tracker.go_back(before)
        for state in self._tracker.other_identities():
            self._tracker.go_back(state)
            if options := self._candidates(before_s):
                return options
        self._tracker.go_back(before)
        return []

    def _candidates(self, before_s: float) -> list[OpenAction]:
        return candidates(self.position, self.state, before_s=before_s, coins=self.raised)

    def _masked_candidates(self) -> list[OpenAction]:
        return masked_candidates(self.position, self.state, self.masked)

    def _unseen_candidates(self) -> list[OpenAction]:
        """Return the actions that no contact would have told, while all stands in its place."""
        quiet = isinstance(self.phase, Playing) and not self.leading and not self.mover_is_away
        if not quiet or self.state.displaced or self.state.held:
            return []
        return unseen_candidates(self.position, self.state, self.masked, self.raised)

    def _review(self, opened: OpenAction, before_s: float) -> None:
        """Look whether the open action still is what the players do."""
        if opened.announced:
            return
        actor = self.state.now_of(opened.actor)
        at_home = actor.space is not None and actor.space == actor.home
        stays = opened.actor_ends == actor.home and actor.home is not None
        put_back = (at_home or self.state.matches(opened.before)) and not stays
        if self.timing.touch_move:
            return
        if put_back:
            self._drop_open(opened)
        elif actor.space not in (None, actor.home, opened.acted_on) and not opened.allows(actor):
            options = self._candidates(before_s)
            if len(options) == 1:
                self._begin(options[0])

    # -- actions ------------------------------------------------------------------------------

    def _begin(self, option: OpenAction) -> None:
        """Take `option` as what is being played."""
        option = self._put_unseen(option)
        self._enter(Relocating(option), Cause.BEGUN)
        self._tracker.reread(self._goal())
        self._tracker.part_with_surplus(self._goal())
        self._events.append(Began(option.cascade))
        if option.decides:
            self._complete()

    def _put_unseen(self, option: OpenAction) -> OpenAction:
        """Where a masked contact hid it, move the acting piece to where the action has it."""
        actor, space = self.state.now_of(option.actor), option.acted_on
        if actor.space == space or (option.allows(actor) and actor.space is not None):
            return option
        moved = self._tracker.move_unseen(option.actor, space, self._now)
        return replace(option, actor=moved)

    def _drop_open(self, opened: OpenAction) -> None:
        """Give the open action up: what was put down for it is to be undone."""
        self._tracker.nothing_is_fresh()
        self._enter(Playing(leading=not self._stands()), Cause.DROPPED)
        self._events.append(Dropped(opened.cascade))

    def _complete(self) -> None:
        """The open action is done: it becomes part of the game."""
        assert isinstance(self.phase, Relocating)
        actions = self.phase.open.actions
        self._show_doubts()
        self._enter(Playing(), Cause.COMPLETED)
        self._play(*actions)

    def _play(self, *actions: Action) -> None:
        """Play `actions` and the pass that may follow; what stands is at home from now on."""
        cascades = [self.game.play(action) for action in actions]
        self._tracker.settle_homes(standing_of(self.position.pieces), fresh=True)
        self._played_s += [self._now] * len(cascades)
        self.raised, self._put_back = None, False
        if self.leading:
            self._enter(Playing(), Cause.COMPLETED)
        self._events += [Done(cascade) for cascade in cascades]
        self._check_over()
        if isinstance(self.phase, Playing) and list(self.game.legal_actions) == [Pass()]:
            self.passed = (self.position.side, self._now)
            self._play(Pass())

    def _check_over(self) -> None:
        """Go over into the end of the game, if it has come."""
        ended = self.game.outcome
        if ended is not None and not isinstance(self.phase, Over):
            self._enter(Over(self._now), Cause.ENDED)
            self._events.append(Ended(ended))

    def _check_target(self) -> None:
        """See whether what stands drops the open action, or is the target that was led to."""
        phase = self.phase
        if isinstance(phase, Relocating):
            self._review(phase.open, self._now)
        elif isinstance(phase, Over) or not self._stands():
            return
        elif isinstance(phase, Restoring) or self.leading:
            self._show_doubts()
            self._enter(Playing(), Cause.STANDS)
            self._tracker.settle_homes(standing_of(self.position.pieces), fresh=False)
            self._check_over()
        elif isinstance(phase, SettingUp):
            self._enter(Playing(), Cause.STANDS)
            self._tracker.settle_homes(standing_of(self.position.pieces), fresh=False)
            self.shown_until_s = self._now + self.timing.show_s
            self._events.append(SetUp())
            self._check_over()
            if isinstance(self.phase, Playing) and list(self.game.legal_actions) == [Pass()]:
                self._play(Pass())

    def _lead_back(self) -> None:
        """Lead the board back to the position."""
        self._enter(Restoring(), Cause.TAKEN_BACK)
        self.raised, self.astray = None, 0
        self._tracker.settle_homes(standing_of(self.position.pieces), fresh=False)
        self._tracker.part_with_surplus(self._goal())
        self.changed_s = self._now
        self._check_target()

    # -- questions ----------------------------------------------------------------------------

    def _ask(self, options: list[OpenAction], *, may_end: bool = False) -> None:
        """Ask which of `options` was meant, or, where it `may_end`, the end of the turn."""
        asking = Asking(options, may_end, self._now, _playing(self.phase))
        self._enter(asking, Cause.SEVERAL)

    def _take_up(self, option: OpenAction) -> None:
        """Take `option` as the answer to the question."""
        assert isinstance(self.phase, Asking)
        self._enter(self.phase.before, Cause.ANSWERED)
        self._begin(option)

    def _drop_question(self) -> None:
        """Go on as if nothing had been asked."""
        if isinstance(self.phase, Asking):
            self._enter(self.phase.before, Cause.UNANSWERED)

    def _drop_confirm(self) -> None:
        """Go on as if nobody had asked for a new game."""
        if isinstance(self.phase, Confirming):
            self._enter(self.phase.before, Cause.CONTACT)

    def _end_choice(self) -> None:
        """The level that is shown is the chosen one."""
        if isinstance(self.phase, Choosing):
            self._events.append(LevelChosen(self.phase.level))
            self._enter(self.phase.before, Cause.CHOSEN)

    def _answer(self, number: int) -> None:
        """Answer the question by the number of a candidate, from 0; the last may be the end."""
        if not isinstance(self.phase, Asking):
            return
        options, may_end = self.phase.options, self.phase.may_end
        if 0 <= number < len(options):
            self._take_up(options[number])
        elif may_end and number == len(options):
            self._drop_question()
            self._end()

    # -- buttons and requests -----------------------------------------------------------------

    def _press(self, press: Press) -> None:
        """Do what a press of the buttons asks for."""
        if press is Press.MENU:
            if isinstance(self.phase, Over):
                self._events.append(NewGameRequested(rematch=True))
            elif self._may_sit_down():
                self._events.append(SeatsRequested())
        elif press is Press.LONG_MENU:
            if self._may_sit_down():
                self._events.append(LevelRequested())
        elif press is Press.HOLD_MENU:
            self._events.append(ShutdownRequested())
        elif press is Press.HOLD_BOTH:
            self._accept()
        elif press is Press.BOTH:
            if isinstance(self.phase, Confirming):
                self._confirmed(self.phase)
            else:
                self.shown_until_s = self._now + self.timing.show_s
        elif press.held:
            self._take_back()
        elif press.side is not None and isinstance(self.phase, Choosing):
            self._change_level(self.phase, 1 if press.side is Side.DARK else -1)
        elif press.side is not None:
            self._press_side(self._here(press.side))

    def _change_level(self, choosing: Choosing, by: int) -> None:
        """Show the next level, Dark's button up and Light's down."""
        level = min(max(choosing.level + by, 1), LEVELS)
        self._enter(replace(choosing, level=level, since_s=self._now), Cause.LEVEL)

    def _may_sit_down(self) -> bool:
        """Whether who plays may be chosen by the menu button: at the start, nothing played."""
        return isinstance(self.phase, Playing) and not self.game.actions and self._stands()

    def _here(self, side: Side) -> Side:
        """Return who presses the button of `side`: with one person here both are that one's."""
        return side.other if side in self.away and side.other not in self.away else side

    def _press_side(self, side: Side) -> None:
        """Do what a short press of one button asks for."""
        if self._gives_up(side):
            assert isinstance(self.phase, Playing)
            self._enter(Confirming(self.phase, self._now, resigns=side), Cause.SENTINELS)
        elif self.mover_is_away:
            self._events.append(MoveNowRequested())
        elif side is self.position.side:
            # What stands there counts first; the turn may be over by that.
            self._tracker.admit(self._goal())
            self._just_before(None)
            if side is self.position.side:
                self._short_press()

    def _confirmed(self, confirming: Confirming) -> None:
        """Both buttons have said yes."""
        if confirming.resigns is None:
            self._events.append(NewGameRequested())
        else:
            self._enter(confirming.before, Cause.CONTACT)
            self._events.append(ResignRequested(confirming.resigns))

    def _gives_up(self, side: Side) -> bool:
        """Whether just both Sentinels of `side` are in the hand."""
        hand = [piece.piece for piece in self.state.hand]
        return isinstance(self.phase, Playing) and hand == [sentinel(side)] * 2

    def _short_press(self) -> None:
        """The mover's button has been pressed shortly."""
        if isinstance(self.phase, Asking):
            lit_s = self._buttons.pressed_s - self.phase.since_s
            if lit_s >= 0.0:  # a button that was down before the question does not answer it
                answers = len(self.phase.options) + self.phase.may_end
                self._answer(int(lit_s / self.timing.ask_s) % answers)
        elif self.position.coins is not None and self.spots():
            self._raise_stake()
        else:
            self._end_turn()

    def _end_turn(self) -> None:
        """End the mover's turn early, where that is allowed and nothing else can be meant."""
        if unseen := self._unseen_candidates():
            self._ask(unseen, may_end=EndTurn() in legal_actions(self.position))
        else:
            self._end()

    def _seat(self, away: frozenset[Side]) -> None:
        """Change who plays here; what was announced for a side that is here now is dropped."""
        opened, self.away = self.open, away
        if opened is not None and opened.announced and not self.mover_is_away:
            self._events.append(Dropped(opened.cascade))
            self._lead_back()
        self._unsettle()

    def _announce(self, actions: tuple[Action, ...]) -> None:
        """Begin what is announced, or play it at once where no hand is needed."""
        if (refusal := self._refusal_of(actions)) is not None:
            self._events.append(Refused(refusal))
        elif isinstance(actions[0], Step | Placement):
            opened = open_announced(self.position, actions, self.state)
            self._enter(Relocating(opened), Cause.ANNOUNCED)
            self._tracker.part_with_surplus(self._goal())
            self.raised = actions[0].coins if isinstance(actions[0], Placement) else None
            self._events.append(Began(opened.cascade))
            self._unsettle()
        else:
            self._play(*actions)
            self._unsettle()

    def _refusal_of(self, actions: tuple[Action, ...]) -> Message | None:
        """Return why `actions` cannot be announced now, or None."""
        position, side = self.position, self.position.side
        if not self.mover_is_away:
            return message("refused.played_here")
        if not isinstance(self.phase, Playing) or self.game.outcome is not None or not actions:
            return message("refused.not_now")
        for action in actions:
            over = outcome(position) is not None or position.side is not side
            if over or action not in legal_actions(position):
                return message("refused.announced", action=format_action(position.board, action))
            position = resolve(position, action).after
        return None

    def _end(self) -> None:
        self._judge(self._now - self.timing.landed_s)
        if self.open is not None and self.open.is_done(self.state):
            self._complete()
        if self.mode is not Mode.PLAY or self.mover_is_away:
            self._events.append(Notice(message("notice.no_end_now")))
        elif self.open is not None:
            self._events.append(Notice(message("notice.pushed_then_end")))
        elif EndTurn() in legal_actions(self.position) and self.game.outcome is None:
            self._play(EndTurn())
            self._unsettle()
        else:
            self._events.append(Notice(message("notice.end_after_step")))

    def _raise_stake(self) -> None:
        coins = self.position.coins
        if coins is None or not self.spots():
            return
        self.shown_until_s = 0.0  # the coins are to be counted
        paid = (self.raised or coins.stake) + 1
        self.raised = None if paid > coins[self.position.side] else paid
        if self.raised is None and (unseen := self._unseen_candidates()):
            self._ask(unseen)

    def _take_back(self) -> None:
        opened = self.open
        if isinstance(self.phase, Asking):
            self._drop_question()
            self.changed_s = self._now  # else it would be asked again at once
        elif opened is not None and not opened.announced:
            self._lead_back()
            self._events.append(Dropped(opened.cascade))
        elif self._may_be_undone() and (ply := self._taken_back_to()):
            if opened is not None:
                self._events.append(Dropped(opened.cascade))
            while len(self.game.cascades) >= ply:
                self._undo()
            self._lead_back()
        else:
            self._events.append(Notice(message("notice.nothing_to_take_back")))

    def _may_be_undone(self) -> bool:
        """Whether actions may be taken back in this phase."""
        return isinstance(self.phase, Playing | Relocating | Restoring | Over)

    def _taken_back_to(self) -> int:
        """Return the number, from 1, of the first action that a take-back undoes, 0 for none.

        A pass goes with the action before it.  Against a side that is away it is the last action
        of somebody here that moved a piece, with all that followed.
        """
        cascades = self.game.cascades
        for ply in range(len(cascades), 0, -1):
            action, side = cascades[ply - 1].action, cascades[ply - 1].before.side
            moves = isinstance(action, Step | Placement)
            if side not in self.away and (moves or not self.away) and not isinstance(action, Pass):
                return ply
        return 0 if self.away or not cascades else 1

    def _accept(self) -> None:
        if isinstance(self.phase, Over | Confirming | Asking | Choosing):
            return
        moves = [] if self.swept else self.plan()
        if moves:
            self._tracker.carry_out(moves[0], self._now)
            wrong = _disagreeing(self._seen, moves[0]) & ~self.masked
        else:
            wanted = mask_of(list(self.target or standing_of(self.position.pieces)))
            wrong = (wanted ^ self._seen) & ~self.masked
            if wrong.bit_count() > MAX_DEAD:
                self._events.append(Notice(message("notice.too_many_disagree")))
                return
            for move in self.plan():
                self._tracker.carry_out(move, self._now)
            if self.target is None:
                self._tracker.assume(self.position.pieces)
        self._leave_out(wrong)
        self.shown_until_s = self._now + self.timing.show_s
        self._events.append(Accepted())
        self._unsettle()
        self.astray = 0
        self._check_target()

    def _leave_out(self, spaces: int) -> None:
        """Mask the contacts in the mask `spaces`."""
        if spaces:
            self._tracker.leave_out(spaces)
            self._events.append(Masked(spaces))

    # -- gaps ---------------------------------------------------------------------------------

    def _reconcile(self, occupied: int) -> None:
        """Compare the contacts as a whole with what is believed and wanted, after a gap."""
        self.is_blind = False
        tracker, known = self._tracker, ~self.masked
        seen, position = occupied & known, self.position.pieces
        if seen != tracker.closed & known or self._hurt:
            tracker.forget_movements()
        if self._hurt and self.open is None:
            tracker.settle_homes(standing_of(position), fresh=False)
        self._hurt = False
        self._drop_question()
        self._drop_confirm()
        self._end_choice()
        opened = self.open
        if seen == tracker.closed & known and (self.state.on or not seen):
            pass
        elif opened is not None and seen == mask_of(list(opened.target)) & known:
            for move in self.plan():
                tracker.carry_out(move, self._now)
        elif seen == position.occupied & known:
            if opened is not None and not opened.announced:
                self._enter(Playing(), Cause.GAP)
            tracker.assume(position)
        else:
            wanted = self.target or standing_of(position)
            setup = isinstance(self.phase, SettingUp)
            tracker.compare(seen, wanted, self._now, setup=setup)
            if isinstance(self.phase, Playing):
                self._enter(Restoring(), Cause.GAP)
            tracker.part_with_surplus(self._goal())
        self._notice_sweep()
        self._unsettle()
        if self.state.on:
            self.shown_until_s = self._now + self.timing.show_s
        self._check_target()

    # -- helpers ------------------------------------------------------------------------------

    def _enter(self, phase: Phase, cause: Cause) -> None:
        """Go from the phase to another, as the table of transitions has it."""
        assert type(phase) in TRANSITIONS[type(self.phase)].get(cause, ()), (self.phase, cause)
        self.phase = phase

    def _goal(self) -> Goal:
        """Return what is asked for now, so that doubtful pieces can be told apart."""
        phase, side = self.phase, self.position.side
        opened = self.open
        returns = {}
        if opened is not None and opened.actor.home is not None:
            way = opened.ways[opened.actor.piece] if opened.actor.piece is not None else 0
            returns[opened.actor.home] = way | 1 << opened.acted_on
        plays = isinstance(phase, Playing | Relocating | Asking)
        return Goal(
            target=self.target,
            hints=opened.hints if opened else {},
            returns=returns,
            removed=opened.removed if opened else 0,
            newcomer=shif(side) if plays and not self.mover_is_away else None,
            placeable=self._placeable() if isinstance(phase, Playing | Asking) else 0,
            mover=(sentinel(side), shif(side)),
            by_kind=self.swept,
        )

    def _placeable(self) -> int:
        """Return the mask of the hexes where the position lets a Shif be placed by hand."""
        if self.position.steps_made or self.mover_is_away:
            return 0
        return mask_of([a.space for a in self.game.legal_actions if isinstance(a, Placement)])

    def _stands(self) -> bool:
        """Whether exactly the position stands on the board."""
        return self.state.matches(standing_of(self.position.pieces))

    def _plan_to(
        self, target: Mapping[int, Piece], hints: Mapping[int, int] | None
    ) -> list[Relocation]:
        board, state = self.position.board, self.state
        return plan(
            board.grid,
            state.pieces,
            target,
            hand=state.in_hand,
            hints=hints,
            hand_at=state.last_space,
            hexes=board.hexes,
        )


def _playing(phase: Phase) -> Playing:
    """Return how play is under way in `phase`, or was before what is asked."""
    before = phase.before if isinstance(phase, Asking | Confirming | Choosing) else phase
    return before if isinstance(before, Playing) else Playing()


def _disagreeing(seen: int, move: Relocation) -> int:
    """Return the mask of contacts that say that `move` has not been done."""
    wrong = 0
    if move.origin is not None and seen >> move.origin & 1:
        wrong |= 1 << move.origin
    if move.target is not None and not seen >> move.target & 1:
        wrong |= 1 << move.target
    return wrong


def _actor_of(action: Action, state: TrackerState, side: Side) -> TrackedPiece:
    """Return the piece that began `action`, among those of a restored state."""
    home = action.origin if isinstance(action, Step) else None
    pieces = [*state.standing.values(), *state.hand, *state.gone]
    found = [piece for piece in pieces if piece.home == home]
    return found[0] if found else TrackedPiece(NEW, shif(side), home=home)
