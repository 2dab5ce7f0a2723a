"""From what was put down to the action that was meant.

An action is named by the piece put down and the hex it was put down on, never by the board that
results; what else has moved must be part of what that action leads to.  Pure functions of a
position and a belief: no time passes here and nothing is decided for good.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ...rules.actions import (
    Action,
    Cascade,
    Placement,
    Step,
    legal_actions,
    outcome,
    resolve,
)
from ...rules.board import Layout
from ...rules.hexgrid import spaces_of
from ...rules.position import PIECES, Piece, Position, shif
from ..tracking.pieces import NEW, TrackedPiece, TrackerState

SWEPT = 2
"""With more pieces than this missing for no reason the board has been swept."""


def standing_of(pieces: Layout) -> dict[int, Piece]:
    """Return which piece stands on each space of a layout."""
    return {
        space: piece
        for piece, mask in zip(PIECES, pieces, strict=True)
        for space in spaces_of(mask)
    }


@dataclass(frozen=True, slots=True, eq=False)
class OpenAction:
    """An action that has been judged or announced and whose relocations are not all done.

    `ways[piece]` is the mask of spaces where a piece of that kind may stand on its way; `hints`
    maps where a piece stood to where the rules take it, `removed` is the mask of where those stood
    that leave the board; `actor_ends` is where the acting piece ends, None off the board.

    What is `announced` nobody here has put down: until all stands, nothing else is an action.  It
    may be a whole turn: then `cascade` is its first action, and `rest` are those that follow.
    """

    cascade: Cascade
    actor: TrackedPiece
    before: Mapping[int, Piece]
    target: Mapping[int, Piece]
    ways: Mapping[Piece, int]
    hints: Mapping[int, int]
    removed: int
    actor_ends: int | None
    announced: bool = False
    rest: tuple[Cascade, ...] = ()

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions that are played when this is done."""
        return (self.cascade.action, *(cascade.action for cascade in self.rest))

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

    def explains(self, pieces: Iterable[TrackedPiece]) -> bool:
        """Whether every one of `pieces`, the acting piece left out, stands where it may."""
        return all(piece.id == self.actor.id or self.allows(piece) for piece in pieces)

    def is_swept(self, state: TrackerState) -> bool:
        """Whether more pieces are in the hand than a player has who does this, or is next."""
        moved = {*self.hints, *spaces_of(self.removed)}
        others = [piece for piece in state.hand if piece.home not in moved]
        return len(others) > SWEPT

    def allows(self, piece: TrackedPiece) -> bool:
        """Whether `piece` stands where the action puts such a piece, for good or on its way."""
        if piece.piece is None or piece.space is None:
            return piece.piece is not None
        if self.target.get(piece.space) is piece.piece:
            return True
        if piece.home is None:
            return False
        return bool(self.ways[piece.piece] >> piece.space & 1)

    def is_done(self, state: TrackerState) -> bool:
        """Whether all relocations are done, whatever else has been lifted from its own space."""
        for space, piece in state.standing.items():
            if piece.piece is None or self.target.get(space) is not piece.piece:
                return False
        # A piece that the rules move is on its way, though a like one may have taken its place.
        lifted = {t.home: t.piece for t in state.hand if t.home not in self.hints}
        return all(
            space in state.standing
            or (self.before.get(space) is piece and lifted.get(space) is piece)
            for space, piece in self.target.items()
        )


def open_action(position: Position, action: Action, actor: TrackedPiece) -> OpenAction:
    """Return the legal `action`, begun by `actor`, with what follows from it."""
    return _opened(actor, [resolve(position, action)])


def open_announced(
    position: Position, actions: Sequence[Action], state: TrackerState
) -> OpenAction:
    """Return the legal `actions`, one after the other, as what is announced by somebody far away.

    The first is a step or a placement.
    """
    cascades = []
    for action in actions:
        cascades.append(resolve(position, action))
        position = cascades[-1].after
    first = cascades[0].action
    stands = state.standing.get(first.origin) if isinstance(first, Step) else None
    actor = stands or TrackedPiece(NEW, shif(cascades[0].before.side))
    return replace(_opened(actor, cascades), announced=True)


def _opened(actor: TrackedPiece, cascades: Sequence[Cascade]) -> OpenAction:
    ways = dict.fromkeys(PIECES, 0)
    # Where the piece that stood on a space has got to, as the consequences are run through.
    came_from: dict[int, int] = {}
    hints: dict[int, int] = {}
    removed = 0
    first = cascades[0].action
    start = first.origin if isinstance(first, Step) else _entered(first)
    for cascade in cascades:
        action = cascade.action
        if isinstance(action, Step | Placement):
            entered = _entered(action)
            source = entered
            if isinstance(action, Step):
                source = came_from.pop(action.origin, action.origin)
            came_from[entered] = source
            hints[source] = entered
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
    before, after = cascades[0].before.pieces, cascades[-1].after.pieces
    return OpenAction(
        cascades[0],
        actor,
        standing_of(before),
        standing_of(after),
        ways,
        hints,
        removed,
        ends,
        rest=tuple(cascades[1:]),
    )


def action_of(position: Position, piece: TrackedPiece, coins: int | None = None) -> Action | None:
    """Return the legal action that putting `piece` down where it stands would be, or None."""
    space = piece.space
    if space is None or piece.piece is None or piece.piece.side is not position.side:
        return None
    action: Action
    if piece.home is not None:
        action = Step(piece.home, space)
    elif not piece.piece.is_sentinel:
        action = Placement(space, coins)
    else:
        return None
    return action if action in legal_actions(position) else None


def candidates(
    position: Position,
    state: TrackerState,
    *,
    before_s: float,
    coins: int | None = None,
) -> list[OpenAction]:
    """Return the actions that fit what stands on the board.

    Only pieces that landed at `before_s` or earlier count as put down.  One result is what was
    meant; several must be asked.
    """
    displaced = state.displaced
    found = []
    for piece in displaced:
        if not piece.fresh or piece.landed_s > before_s:
            continue
        action = action_of(position, piece, coins)
        if action is None:
            continue
        option = open_action(position, action, piece)
        if option.explains(displaced) and not option.is_swept(state):
            found.append(option)
    return found


def unseen_candidates(
    position: Position, state: TrackerState, masked: int, coins: int | None = None
) -> list[OpenAction]:
    """Return the actions that no contact would tell: onto a masked space, and from none or one."""
    found = []
    for action in legal_actions(position):
        match action:
            case Placement(space, None):
                if masked >> space & 1:
                    newcomer = TrackedPiece(NEW, shif(position.side))
                    found.append(open_action(position, Placement(space, coins), newcomer))
            case Step(origin, target):
                if masked >> origin & masked >> target & 1 and origin in state.standing:
                    found.append(open_action(position, action, state.standing[origin]))
    return found


def masked_candidates(position: Position, state: TrackerState, masked: int) -> list[OpenAction]:
    """Return the actions that end or begin on a masked space and fit the rest of the board.

    A piece in the hand may have been put down unseen, and what came from nowhere may have been
    lifted unseen.
    """
    displaced = state.displaced
    found = []
    for piece in state.hand:
        if piece.piece is None or piece.piece.side is not position.side or piece.home is None:
            continue
        for space in spaces_of(masked & position.board.grid.adjacent[piece.home]):
            step = Step(piece.home, space)
            if step in legal_actions(position):
                option = open_action(position, step, piece)
                if option.explains(displaced):
                    found.append(option)
    for newcomer in displaced:
        if newcomer.home is not None or newcomer.space is None or not newcomer.fresh:
            continue
        near = position.board.grid.adjacent[newcomer.space] & masked
        for space in spaces_of(near & position.in_play(position.side)):
            step = Step(space, newcomer.space)
            mover = state.standing.get(space)
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
