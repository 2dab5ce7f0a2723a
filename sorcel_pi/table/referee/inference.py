"""From what was put down to the action that was meant.

An action is named by the piece put down and the hex it was put down on, never by the board that
results; what else has moved must be part of what that action leads to.  Pure functions of a
position and a belief: no time passes here and nothing is decided for good.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...rules.actions import Action, Cascade, Placement, Step, legal_actions, outcome, resolve
from ...rules.board import Layout
from ...rules.hexgrid import spaces_of
from ...rules.position import PIECES, Piece, Position, shif
from ..tracking.pieces import Token
from ..tracking.tracker import Belief


def standing_of(pieces: Layout) -> dict[int, Piece]:
    """Return which piece stands on each space of a layout."""
    return {
        space: piece
        for piece, mask in zip(PIECES, pieces, strict=True)
        for space in spaces_of(mask)
    }


@dataclass(slots=True, eq=False)
class Open:
    """An action that has been judged and whose relocations are not all done.

    `ways[piece]` is the mask of spaces where a piece of that kind may stand on its way; `hints`
    maps where a piece stood to where the rules take it, `removed` is the mask of where those stood
    that leave the board; `actor_ends` is where the acting piece ends, None off the board.
    """

    cascade: Cascade
    actor: Token
    before: Mapping[int, Piece]
    target: Mapping[int, Piece]
    ways: Mapping[Piece, int]
    hints: Mapping[int, int]
    removed: int
    actor_ends: int | None

    @property
    def action(self) -> Action:
        """The action."""
        return self.cascade.action

    @property
    def acted_on(self) -> int:
        """The hex on which the acting piece was put down."""
        return _entered(self.cascade.action)

    def shown_at(self, masked: int) -> int:
        """Return the space that stands for the action in a question.

        That is the hex it was put down on, or where it came from if only that was `masked`.
        """
        action = self.cascade.action
        if isinstance(action, Step) and masked >> action.origin & ~(masked >> self.acted_on) & 1:
            return action.origin
        return self.acted_on

    @property
    def decides(self) -> bool:
        """Whether the action ends the game."""
        return outcome(self.cascade.after) is not None

    def explains(self, tokens: Iterable[Token]) -> bool:
        """Whether every one of `tokens`, the acting piece left out, stands where it may."""
        return all(token is self.actor or self.allows(token) for token in tokens)

    def allows(self, token: Token) -> bool:
        """Whether `token` stands where the action puts such a piece, for good or on its way."""
        if token.piece is None or token.space is None:
            return token.piece is not None
        if self.target.get(token.space) is token.piece:
            return True
        if token.home is None:
            return False
        return bool(self.ways[token.piece] >> token.space & 1)

    def is_done(self, belief: Belief) -> bool:
        """Whether all relocations are done, whatever else has been lifted from its own space."""
        for space, token in belief.standing.items():
            if token.piece is None or self.target.get(space) is not token.piece:
                return False
        # A piece that the rules move is on its way, though a like one may have taken its place.
        lifted = {t.home: t.piece for t in belief.hand if t.home not in self.hints}
        return all(
            space in belief.standing
            or (self.before.get(space) is piece and lifted.get(space) is piece)
            for space, piece in self.target.items()
        )


def open_action(position: Position, action: Action, actor: Token) -> Open:
    """Return the legal `action`, begun by `actor`, with what follows from it."""
    cascade = resolve(position, action)
    ways = dict.fromkeys(PIECES, 0)
    # Where the piece that stood on a space has got to, as the consequences are run through.
    came_from: dict[int, int] = {}
    entered = _entered(action)
    start = action.origin if isinstance(action, Step) else entered
    came_from[entered] = start
    hints = {start: entered}
    removed = 0
    for event in cascade.consequences:
        source = came_from.pop(event.origin, event.origin)
        if event.target is None:
            hints.pop(source, None)
            removed |= 1 << source
            continue
        ways[event.piece] |= 1 << event.target
        came_from[event.target] = source
        hints[source] = event.target
    ends = next((space for space, source in came_from.items() if source == start), None)
    before, after = standing_of(position.pieces), standing_of(cascade.after.pieces)
    return Open(cascade, actor, before, after, ways, hints, removed, ends)


def action_of(position: Position, token: Token, coins: int | None = None) -> Action | None:
    """Return the legal action that putting `token` down where it stands would be, or None."""
    space = token.space
    if space is None or token.piece is None or token.piece.side is not position.side:
        return None
    action: Action
    if token.home is not None:
        action = Step(token.home, space)
    elif not token.piece.is_sentinel:
        action = Placement(space, coins)
    else:
        return None
    return action if action in legal_actions(position) else None


def candidates(
    position: Position,
    belief: Belief,
    *,
    before_s: float,
    coins: int | None = None,
) -> list[Open]:
    """Return the actions that fit what stands on the board.

    Only pieces that landed at `before_s` or earlier count as put down.  One result is what was
    meant; several must be asked.
    """
    displaced = belief.displaced
    found = []
    for token in displaced:
        if not token.fresh or token.landed_s > before_s:
            continue
        action = action_of(position, token, coins)
        if action is None:
            continue
        option = open_action(position, action, token)
        if option.explains(displaced):
            found.append(option)
    return found


def unseen_candidates(
    position: Position, belief: Belief, masked: int, coins: int | None = None
) -> list[Open]:
    """Return the actions that no contact would tell: onto a masked space, and from none or one."""
    found = []
    for action in legal_actions(position):
        match action:
            case Placement(space, None):
                if masked >> space & 1:
                    placement = Placement(space, coins)
                    found.append(open_action(position, placement, Token(shif(position.side))))
            case Step(origin, target):
                if masked >> origin & masked >> target & 1 and origin in belief.standing:
                    found.append(open_action(position, action, belief.standing[origin]))
    return found


def masked_candidates(position: Position, belief: Belief, masked: int) -> list[Open]:
    """Return the actions that end or begin on a masked space and fit the rest of the board.

    A piece in the hand may have been put down unseen, and what came from nowhere may have been
    lifted unseen.
    """
    displaced = belief.displaced
    found = []
    for token in belief.hand:
        if token.piece is None or token.piece.side is not position.side or token.home is None:
            continue
        for space in spaces_of(masked & position.board.grid.adjacent[token.home]):
            step = Step(token.home, space)
            if step in legal_actions(position):
                option = open_action(position, step, token)
                if option.explains(displaced):
                    found.append(option)
    for newcomer in displaced:
        if newcomer.home is not None or newcomer.space is None or not newcomer.fresh:
            continue
        near = position.board.grid.adjacent[newcomer.space] & masked
        for space in spaces_of(near & position.in_play(position.side)):
            step = Step(space, newcomer.space)
            mover = belief.standing.get(space)
            if mover is not None and step in legal_actions(position):
                option = open_action(position, step, mover)
                if option.explains(t for t in displaced if t is not newcomer):
                    found.append(option)
    return found


def _entered(action: Action) -> int:
    match action:
        case Step():
            return action.target
        case Placement():
            return action.space
        case _:
            raise ValueError(f"{action} puts no piece down")
