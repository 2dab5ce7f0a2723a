"""What the players did, what must be done next, and whether the board is right.

The referee is the whole of a match to the outside.  Contact changes, time and requests come in,
events come out, and `showing` says what there is to see.  It reads no clock and does no I/O;
what a person does wrong at the table is a event, never an exception.
"""

from collections.abc import Mapping
from typing import Any

from ...rules.actions import Action, Step
from ...rules.game import Game
from ...rules.hexgrid import mask_of
from ...rules.notation import format_action, parse_action
from ...rules.position import shif
from ..events import TableEvent
from ..sensing.buttons import ButtonReader
from ..sensing.debouncer import Sensed
from ..tracking.pieces import Token
from ..view import Mode
from . import recovery, requests, watching
from .inference import open_action, standing_of
from .match import Match


class Referee(Match):
    """Follows one game on one table."""

    def next_deadline(self) -> float | None:
        """Return when time alone will change something, or None."""
        return watching.next_deadline(self)

    def step(self, sensed: Sensed) -> list[TableEvent]:
        """Take in what a scan has changed, and the time; return what came of it."""
        self.now, self.seen = sensed.time_s, sensed.occupied
        try:
            return self._step(sensed)
        except BaseException:
            # Whatever it was, an action must not stay half done: the board is looked at anew.
            self.is_blind = self.hurt = True
            raise

    def _step(self, sensed: Sensed) -> list[TableEvent]:
        if self.is_blind:
            # Nor has anybody seen how long a button was down.
            self.controls = ButtonReader(self.timing.hold_s, self.timing.accept_s)
            recovery.reconcile(self, sensed.occupied)
        else:
            watching.take_in(self, sensed)
        if self.belief.wait(self.now):
            self.judged = False
        watching.pass_time(self)
        for press in self.controls.feed(sensed):
            requests.press(self, press)
        return self.drain()

    def blind(self) -> None:
        """Say that scans were missed: the next one is compared as a whole, not change by change."""
        self.is_blind = True

    def new_game(self, game: Game, now: float) -> list[TableEvent]:
        """Begin `game` on the same board; pieces that stand as it starts are taken as set up."""
        self.now = now
        self.game, self.open, self.options, self.raised = game, None, [], None
        self.mode, self.cleared, self.leading = Mode.SETUP, False, False
        self.confirm_from, self.may_end, self.problem = None, False, ""
        start = standing_of(game.position.pieces)
        if self.belief.occupied == mask_of(list(start)):
            self.belief.assume(game.position.pieces)
        else:
            # Pieces in a box are no longer "in the hand".
            self.belief.hand, self.belief.gone = [], []
        self.renew_wish()
        self.check_target()
        return self.drain()

    def end_turn(self, now: float) -> list[TableEvent]:
        """End the mover's turn early, as their button does."""
        self.now = now
        requests.end_turn(self)
        return self.drain()

    def take_back(self, now: float) -> list[TableEvent]:
        """Take the open action back, or else the last completed one."""
        self.now = now
        requests.take_back(self)
        return self.drain()

    def accept(self, now: float) -> list[TableEvent]:
        """Take the lit relocation as done; with none lit, the pieces as they should stand."""
        self.now = now
        requests.accept(self)
        return self.drain()

    def show_all(self, now: float) -> list[TableEvent]:
        """Show every believed piece for a while."""
        self.shown_until_s = now + self.timing.show_s
        return []

    def raise_stake(self, now: float) -> list[TableEvent]:
        """Raise what the next placement pays by one, from the purse back to the stake."""
        self.now = now
        requests.raise_stake(self)
        return self.drain()

    def choose(self, now: float, number: int) -> list[TableEvent]:
        """Answer the question that is asked by the number of a candidate, from 0."""
        self.now = now
        requests.answer(self, number)
        return self.drain()

    def finish(self, now: float) -> list[TableEvent]:
        """The game has been ended off the board (resigned, agreed): show it."""
        self.now = now
        self.open, self.options, self.may_end = None, [], False
        self.check_over()
        self.renew_wish()
        return self.drain()

    def mask(self, spaces: int) -> list[TableEvent]:
        """Leave the contacts in the mask `spaces` out from now on."""
        self.leave_out(spaces & ~self.masked)
        return self.drain()

    def dump(self) -> dict[str, Any]:
        """Return belief, hand and open action as plain data, to be given to `restore` later."""
        board = self.position.board
        return {
            "mode": self.mode.name,
            "open": format_action(board, self.open.action) if self.open is not None else None,
            "raised": self.raised,
            "leading": self.leading,
            "belief": self.belief.dump(),
        }

    def restore(self, data: Mapping[str, Any], now: float) -> None:
        """Take over what `dump` has written; the next scan is compared as a whole.

        Raises ValueError, KeyError or TypeError when `data` is not of that form.
        """
        self.now = now
        self.belief.restore(data["belief"], now)
        self.raised, self.leading = data["raised"], bool(data.get("leading"))
        mode = Mode[data["mode"]]
        self.mode = mode if mode in (Mode.SETUP, Mode.RESTORE, Mode.OVER) else Mode.PLAY
        self.open = None
        if data["open"] is not None:
            action = parse_action(self.position.board, data["open"])
            self.open = open_action(self.position, action, self._actor_of(action))
        self.renew_wish()
        self.is_blind = True

    def _actor_of(self, action: Action) -> Token:
        """Return the piece that began `action`, among those of the restored belief."""
        belief = self.belief
        tokens = [*belief.standing.values(), *belief.hand, *belief.gone]
        home = action.origin if isinstance(action, Step) else None
        found = [t for t in tokens if t.home == home]
        return found[0] if found else Token(shif(self.position.side), home=home)
