"""What there is to see of a referee at one moment: the `View` for lights, page and log.

It asks the referee and changes nothing.
"""

from ..rules.hexgrid import mask_of, spaces_of
from .referee.phases import Asking, Choosing, Over
from .referee.referee import Referee
from .relocation import Relocation
from .view import Held, Mode, View

Pair = tuple[int | None, int | None]


def view_of(referee: Referee, now: float) -> View:
    """Return what lights and words show at `now`."""
    position, state = referee.position, referee.state
    moves, wrong = _pointed_out(referee, now)
    setup = referee.mode is Mode.SETUP or referee.swept
    target = referee.target or {}
    standing = state.pieces
    surplus = [s for s, p in standing.items() if p is None or target.get(s) is not p]
    missing = [(s, p) for s, p in sorted(target.items()) if standing.get(s) is not p]
    free = [(s, p) for s, p in missing if s not in standing]
    origin, destinations, pushing = _lifted(referee)
    phase = referee.phase
    asked, may_end, asked_s = _asked(referee)
    opened = referee.open
    return View(
        position=position,
        mode=referee.mode,
        astray=referee.astray,
        standing=standing,
        hand=tuple(Held(t.piece, t.origin) for t in state.hand),
        next=None if setup or wrong is not None or not moves else moves[0],
        mixed_hand=len({piece.piece for piece in state.hand}) > 1,
        wrong=wrong,
        lifted=origin,
        destinations=destinations,
        pushing=pushing,
        spots=0 if state.displaced else referee.spots(),
        missing=tuple(free) if setup else (),
        surplus=mask_of(surplus) if setup else 0,
        candidates=asked,
        may_end=may_end,
        asked_s=asked_s,
        confirming=position.side if referee.mode is Mode.CONFIRM else None,
        level=phase.level if isinstance(phase, Choosing) else 0,
        guesses=state.guesses,
        shown_until_s=referee.shown_until_s,
        faulty=referee.flickering | referee.masked,
        hold=referee.hold,
        announced=opened.actions if opened is not None and opened.announced else (),
        thinking=referee.mover_is_away and opened is None and referee.mode is Mode.PLAY,
        raised=referee.raised,
        passed=referee.passed,
        outcome=referee.game.outcome,
        over_s=phase.since_s if isinstance(phase, Over) else 0.0,
    )


def _asked(referee: Referee) -> tuple[tuple[int, ...], bool, float]:
    """Return what is asked: the candidates' spaces, whether the turn may end, and since when."""
    phase = referee.phase
    if not isinstance(phase, Asking):
        return (), False, 0.0
    spaces = tuple(option.shown_at(referee.masked) for option in phase.options)
    return spaces, phase.may_end, phase.since_s


def _lifted(referee: Referee) -> tuple[int | None, int, int]:
    """Return where an own piece was lifted, where it may step, and where that would push."""
    piece = referee.own_lifted()
    if piece is None or referee.leading:
        return None, 0, 0
    position = referee.position
    destinations = referee.destinations(piece)
    foes = position.in_play(position.side.other)
    adjacent = position.board.grid.adjacent
    pushing = [s for s in spaces_of(destinations) if adjacent[s] & foes]
    return piece.home, destinations, mask_of(pushing)


def _pointed_out(referee: Referee, now: float) -> tuple[list[Relocation], Pair | None]:
    """Return the relocations to lead through, and what to complain about."""
    moves, opened, state = referee.plan(), referee.open, referee.state
    if not moves and referee.mode is Mode.PLAY and opened is None:
        return referee.preview(now), None
    if not moves or referee.mode is Mode.SETUP or referee.swept:
        return moves, None
    if opened is not None:
        for piece in state.hand:
            home = piece.home
            stays = home is not None and opened.before.get(home) is opened.target.get(home)
            if stays and home not in state.on:
                return moves, (None, home)
    move = moves[0]
    piece_at = state.standing.get(move.origin) if move.origin is not None else None
    patient = now - referee.changed_s < referee.timing.patience_s
    if piece_at is None or move.target is None or patient:
        return moves, None
    on_course = opened is not None and (opened.allows(piece_at) or piece_at.id == opened.actor.id)
    astray = piece_at.space != piece_at.home and not on_course
    return moves, (move.origin, move.target) if astray else None
