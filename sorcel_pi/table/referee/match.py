"""The state of one game at one table, and how it goes from one state to the next.

A match keeps three things: the game's position, the belief (which piece stands where) and the open
action with its target.  What has happened is read by `watching`, what is asked for by `requests`;
here is what follows from it.
"""

from collections.abc import Mapping

from ...rules.actions import Action, Pass, Placement, Step
from ...rules.game import Game
from ...rules.hexgrid import mask_of
from ...rules.position import Piece, Position, Side, sentinel, shif
from ..events import Began, Done, Dropped, Ended, Masked, SetUp, TableEvent
from ..relocation import Relocation, plan
from ..sensing.buttons import ButtonReader
from ..timing import Timing
from ..tracking.pieces import Token, Wish
from ..tracking.tracker import Belief
from ..view import Mode
from .inference import Open, candidates, standing_of

CLEARED = 2
"""With no more pieces than this on the board it has been cleared."""


class Match:
    """One game on one table."""

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
        board = game.start.board
        t = self.timing
        self.belief = Belief(
            board.grid,
            hexes=board.hexes,
            waits=t.waits,
            overlaps=overlaps,
        )
        self.belief.masked = masked
        self.controls = ButtonReader(t.hold_s, t.accept_s)
        self.mode = Mode.SETUP
        self.open: Open | None = None
        """The action that is being carried out."""
        self.options: list[Open] = []
        """The actions between which the players are asked to choose."""
        self.may_end = False
        """Whether the end of the turn is one more answer to that question."""
        self.raised: int | None = None
        """What the next placement pays, where it has been raised."""
        self.leading = False
        """Whether a board that means nothing is being led back to the position."""
        self.cleared = False
        """Whether the pieces have been cleared away since the last action."""
        self.confirm_from: Mode | None = None
        """From which mode "new game?" was asked."""
        self.is_blind = True
        """Whether the next contacts are to be compared as a whole."""
        self.hurt = False
        """Whether something has raised in the middle of a step."""
        self.now = 0.0
        self.seen = 0
        """The mask of closed contacts."""
        self.flickering = 0
        self.changed_s = 0.0
        """When a contact last changed, or what is asked for did."""
        self.judged = True
        """Whether the board has been judged since it settled."""
        self.asked_s = 0.0
        self.shown_until_s = 0.0
        self.over_s = 0.0
        self.passed: tuple[Side, float] | None = None
        """Who had to pass last, and when, for the sign."""
        self.problem = ""
        self.events: list[TableEvent] = []
        self.renew_wish()

    @property
    def masked(self) -> int:
        """The mask of the spaces whose contacts are left out."""
        return self.belief.masked

    @property
    def position(self) -> Position:
        """The position after the last completed action."""
        return self.game.position

    def target(self) -> Mapping[int, Piece] | None:
        """What must stand where before play goes on; None while everything may be played."""
        if self.mode is Mode.OVER:
            return None
        if self.open is not None:
            return self.open.target
        if self.leading or self.mode in (Mode.SETUP, Mode.RESTORE):
            return standing_of(self.position.pieces)
        return None

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

    def spots(self) -> int:
        """Return the mask of the hexes for a placement, while one may be made."""
        if self.mode is not Mode.PLAY or self.open is not None or self.position.steps_made:
            return 0
        return mask_of([a.space for a in self.game.legal_actions if isinstance(a, Placement)])

    def stands(self) -> bool:
        """Whether exactly the position stands on the board."""
        return self.belief.matches(standing_of(self.position.pieces))

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

    def renew_wish(self) -> None:
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

    def begin(self, option: Open) -> None:
        """Take `option` as what is being played."""
        self.put_unseen(option)
        self.open, self.options, self.may_end = option, [], False
        self.mode, self.leading = Mode.PLAY, False
        self.renew_wish()
        self.belief.part_with_surplus()
        self.events.append(Began(option.cascade))
        if option.decides:
            self.complete()

    def put_unseen(self, option: Open) -> None:
        """Where a masked contact hid it, move the acting piece to where the action has it."""
        actor, space = option.actor, option.acted_on
        belief = self.belief
        if actor.space == space or (option.allows(actor) and actor.space is not None):
            return
        if actor in belief.hand:
            belief.hand.remove(actor)
        elif actor.space is not None:
            del belief.standing[actor.space]
        actor.origin, actor.space, actor.landed_s = actor.home, space, self.now
        belief.standing[space] = actor

    def review(self, before_s: float) -> None:
        """Look whether the open action still is what the players do."""
        opened = self.open
        assert opened is not None
        actor = opened.actor
        at_home = actor.space is not None and actor.space == actor.home
        stays = opened.actor_ends == actor.home and actor.home is not None
        put_back = (at_home or self.belief.matches(opened.before)) and not stays
        if put_back and not self.timing.touch_move:
            self.drop_open()
        elif self.timing.touch_move:
            return
        elif actor.space is not None and not at_home and not self._on_course(opened, actor):
            options = candidates(self.position, self.belief, before_s=before_s, coins=self.raised)
            if len(options) == 1:
                self.begin(options[0])

    def _on_course(self, opened: Open, actor: Token) -> bool:
        return actor.space == opened.acted_on or opened.allows(actor)

    def drop_open(self) -> None:
        """Give the open action up: what was put down for it is to be undone."""
        opened, self.open = self.open, None
        if opened is None:
            return
        # What was put down so far is to be undone; only what is put down from now on counts.
        for token in self.belief.standing.values():
            token.fresh = False
        self.leading = not self.stands()
        self.renew_wish()
        self.events.append(Dropped(opened.cascade))

    def complete(self) -> None:
        """The open action is done: it becomes part of the game."""
        opened = self.open
        assert opened is not None
        self.open = None
        self.play(opened.action)

    def play(self, action: Action) -> None:
        """Play `action` and the pass that may follow; what stands is at home from now on."""
        cascade = self.game.play(action)
        self.belief.settle_homes(standing_of(self.position.pieces), fresh=True)
        self.raised, self.leading, self.cleared = None, False, False
        self.events.append(Done(cascade))
        self.check_over()
        if self.mode is Mode.PLAY and list(self.game.legal_actions) == [Pass()]:
            self.passed = (self.position.side, self.now)
            self.play(Pass())
        self.renew_wish()

    def check_over(self) -> None:
        """Go over into the end of the game, if it has come."""
        ended = self.game.outcome
        if ended is not None and self.mode is not Mode.OVER:
            self.mode, self.over_s = Mode.OVER, self.now
            self.events.append(Ended(ended))

    def ask(self, options: list[Open], *, may_end: bool = False) -> None:
        """Ask which of `options` was meant, or, where it `may_end`, the end of the turn."""
        self.mode, self.options, self.asked_s = Mode.ASK, options, self.now
        self.may_end = may_end

    def take_up(self, option: Open) -> None:
        """Take `option` as the answer to the question."""
        self.drop_question()
        self.begin(option)

    def drop_question(self) -> None:
        """Go on as if nothing had been asked."""
        self.mode, self.options, self.may_end = Mode.PLAY, [], False

    def drop_confirm(self) -> None:
        """Go on as if nobody had asked for a new game."""
        if self.mode is Mode.CONFIRM and self.confirm_from is not None:
            self.mode, self.confirm_from = self.confirm_from, None
            self.renew_wish()

    def check_target(self) -> None:
        """See whether a target that is not an action's has been reached."""
        if self.open is not None:
            if self.mode is Mode.PLAY:
                self.review(self.now)
            return
        if self.mode is Mode.OVER or not self.stands():
            return
        if self.mode is Mode.RESTORE or self.leading:
            self.mode, self.leading, self.cleared = Mode.PLAY, False, False
            self.belief.settle_homes(standing_of(self.position.pieces), fresh=False)
            self.check_over()
        elif self.mode is Mode.SETUP:
            self.mode = Mode.PLAY
            self.belief.settle_homes(standing_of(self.position.pieces), fresh=False)
            self.shown_until_s = self.now + self.timing.show_s
            self.events.append(SetUp())
            self.check_over()
            if self.mode is Mode.PLAY and list(self.game.legal_actions) == [Pass()]:
                self.play(Pass())
        self.renew_wish()

    def lead_back(self) -> None:
        """Lead the board back to the position."""
        self.mode, self.raised, self.leading = Mode.RESTORE, None, False
        self.problem = ""
        self.belief.settle_homes(standing_of(self.position.pieces), fresh=False)
        self.renew_wish()
        self.belief.part_with_surplus()
        self.changed_s = self.now
        self.check_target()

    def leave_out(self, spaces: int) -> None:
        """Mask the contacts in the mask `spaces`."""
        if spaces:
            self.belief.masked |= spaces
            self.events.append(Masked(spaces))

    def drain(self) -> list[TableEvent]:
        """Return the events since the last call."""
        events, self.events = self.events, []
        return events
