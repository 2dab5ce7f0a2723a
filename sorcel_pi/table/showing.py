"""What there is to see of a referee at one moment: the `View` for lights, page and log.

It asks the referee and changes nothing.
"""

from ..rules.hexgrid import mask_of, spaces_of
from .referee.inference import candidates
from .referee.referee import Referee
from .relocation import Relocation, plan
from .view import Held, Mode, View

Pair = tuple[int | None, int | None]


def view_of(referee: Referee, now: float) -> View:
    """Return what lights and words show at `now`."""
    position, belief = referee.position, referee.belief
    moves, wrong = _pointed_out(referee, now)
    setup = referee.mode is Mode.SETUP
    target = referee.target() or {}
    standing = belief.pieces
    surplus = [s for s, p in standing.items() if p is None or target.get(s) is not p]
    missing = [(s, p) for s, p in sorted(target.items()) if standing.get(s) is not p]
    origin, destinations, pushing = _lifted(referee)
    return View(
        position=position,
        mode=referee.mode,
        message=referee.problem,
        standing=standing,
        hand=tuple(Held(t.piece, t.origin) for t in belief.hand),
        next=None if setup or wrong is not None or not moves else moves[0],
        wrong=wrong,
        lifted=origin,
        destinations=destinations,
        pushing=pushing,
        spots=0 if belief.displaced else referee.spots(),
        missing=tuple(missing) if setup else (),
        surplus=mask_of(surplus) if setup else 0,
        candidates=tuple(option.shown_at(referee.masked) for option in referee.options),
        may_end=referee.may_end,
        asked_s=referee.asked_s,
        confirming=position.side if referee.mode is Mode.CONFIRM else None,
        guesses=belief.guesses,
        shown_until_s=referee.shown_until_s,
        faulty=referee.flickering | referee.masked,
        hold=referee.controls.hold,
        raised=referee.raised,
        passed=referee.passed,
        outcome=referee.game.outcome,
        over_s=referee.over_s,
    )


def _lifted(referee: Referee) -> tuple[int | None, int, int]:
    """Return where an own piece was lifted, where it may step, and where that would push."""
    token = referee.own_lifted()
    if token is None or referee.leading:
        return None, 0, 0
    position = referee.position
    destinations = referee.destinations(token)
    foes = position.in_play(position.side.other)
    adjacent = position.board.grid.adjacent
    pushing = [s for s in spaces_of(destinations) if adjacent[s] & foes]
    return token.home, destinations, mask_of(pushing)


def _pointed_out(referee: Referee, now: float) -> tuple[list[Relocation], Pair | None]:
    """Return the relocations to lead through, and what to complain about."""
    moves, opened, belief = referee.plan(), referee.open, referee.belief
    if not moves and referee.mode is Mode.PLAY and opened is None:
        return _preview(referee, now), None
    if not moves or referee.mode is Mode.SETUP:
        return moves, None
    if opened is not None:
        for token in belief.hand:
            home = token.home
            if home is not None and opened.before.get(home) is opened.target.get(home):
                return moves, (None, home)
    move = moves[0]
    token_at = belief.standing.get(move.origin) if move.origin is not None else None
    patient = now - referee.changed_s < referee.timing.patience_s
    if token_at is None or move.target is None or patient:
        return moves, None
    on_course = opened is not None and (opened.allows(token_at) or token_at is opened.actor)
    astray = token_at.space != token_at.home and not on_course
    return moves, (move.origin, move.target) if astray else None


def _preview(referee: Referee, now: float) -> list[Relocation]:
    """Return what the action that seems to be meant will ask for, before it is judged."""
    belief = referee.belief
    if not belief.displaced:
        return []
    options = candidates(referee.position, belief, before_s=now, coins=referee.raised)
    if len(options) != 1:
        return []
    board = referee.position.board
    return plan(
        board.grid,
        belief.pieces,
        options[0].target,
        hand=belief.held,
        hints=options[0].hints,
        hand_at=belief.last_space,
        hexes=board.hexes,
    )
