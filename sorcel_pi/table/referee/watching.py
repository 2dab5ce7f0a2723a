"""What the players do, read from contacts and from the time that passes.

An action is found in what was put down; when all that follows from it has been carried out by
hand, it is complete.
"""

from ...messages.message import message
from ...rules.hexgrid import spaces_of
from ..events import Illegal, Notice
from ..sensing.debouncer import Sensed
from ..tracking import lines
from ..tracking.pieces import Token
from ..view import Mode
from .inference import Open, candidates, masked_candidates
from .match import CLEARED, Match


def take_in(match: Match, sensed: Sensed) -> None:
    """Take in the contacts that have changed."""
    now, known = match.now, ~match.masked
    belief = match.belief
    names = match.position.board.grid.names
    for space in spaces_of(sensed.flickering & ~match.flickering):
        match.events.append(Notice(message("notice.flickers", at=names[space])))
    match.flickering = sensed.flickering
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
            _lift(match, space)
        else:
            _drop(match, space)
    if (opened | closed) & ~sensed.flickering:
        match.changed_s, match.judged = now, False
        match.problem = ""
        match.passed, match.shown_until_s = None, 0.0


def _lift(match: Match, space: int) -> None:
    if not match.belief.is_sliding(space, match.now):
        match.belief.admit()
        just_before(match, space)
    if match.mode is Mode.ASK:
        meant = [o for o in match.options if o.actor.space == space]
        # Where one piece may have come from two places, lifting it does not say from which.
        if meant and all(o.shown_at(match.masked) == o.acted_on for o in match.options):
            match.take_up(meant[0])
        else:
            match.drop_question()
    match.drop_confirm()
    match.belief.open(space, match.now)
    if match.belief.occupied.bit_count() <= CLEARED:
        match.cleared = True
    match.check_target()


def _drop(match: Match, space: int) -> None:
    match.belief.admit()
    if not match.belief.comes_back(space):
        just_before(match, None)
    if match.mode is Mode.ASK:
        match.drop_question()
    match.drop_confirm()
    match.belief.close(space, match.now)
    match.check_target()


def just_before(match: Match, leaving: int | None) -> None:
    """Judge the board as it stood just before a piece is lifted or a newcomer comes."""
    if match.mode is not Mode.PLAY:
        return
    judge(match, match.now - match.timing.landed_s + 1e-9)
    if match.open is not None and leaving is not None:
        lines.read_late(match.belief, leaving, match.now)
    if match.open is None or not match.open.is_done(match.belief):
        return
    passing = match.belief.standing.get(leaving) if leaving is not None else None
    # The piece that acted is not pushed by what it did: this is its next step.
    shoved = passing is not match.open.actor and lines.is_shoving(match.belief, leaving, match.now)
    if not shoved and (passing is None or _rested(match, passing)):
        match.complete()


def _rested(match: Match, token: Token) -> bool:
    """Whether `token` has stood long enough not to be on its way over."""
    return match.now - token.landed_s >= match.timing.landed_s - 1e-9


def judge(match: Match, before_s: float) -> None:
    """Read what stands on the board, counting pieces that landed at `before_s` or earlier."""
    if match.mode is not Mode.PLAY:
        return
    if match.open is not None:
        match.review(before_s)
        return
    options = _options(match, before_s)
    if match.masked and match.belief.displaced:
        options += masked_candidates(match.position, match.belief, match.masked)
    if len(options) == 1:
        match.begin(options[0])
    elif options:
        match.ask(options)


def _options(match: Match, before_s: float) -> list[Open]:
    """Return the actions that fit the board, where need be with another reading of it."""
    position, belief, coins = match.position, match.belief, match.raised
    options = candidates(position, belief, before_s=before_s, coins=coins)
    if options or not belief.displaced:
        return options
    for shove in lines.other_readings(belief):
        undo = lines.try_out(belief, shove)
        options = candidates(position, belief, before_s=before_s, coins=coins)
        if options:
            return options
        undo()
    return []


def _set_up_unseen(match: Match) -> None:
    """Take the pieces on masked spaces as set up, when they have been asked for a while."""
    moves = match.plan()
    unseen = all(m.target is not None and match.masked >> m.target & 1 for m in moves)
    if moves and unseen and match.now - match.changed_s >= match.timing.patience_s - 1e-9:
        for move in moves:
            match.belief.carry_out(move, match.now)
        match.check_target()


def _unseen_step(match: Match) -> bool:
    """Whether a piece may have been put down on a masked space, and nothing else tells."""
    waits = match.mode is Mode.PLAY and match.open is None and not match.leading
    if not waits or not match.belief.hand or match.belief.displaced:
        return False
    if match.now - match.changed_s < match.timing.patience_s - 1e-9:
        return False
    return bool(masked_candidates(match.position, match.belief, match.masked))


def pass_time(match: Match) -> None:
    """Do what is due because so much time has passed."""
    now, t = match.now, match.timing
    if match.open is not None and match.mode is Mode.PLAY and _finished(match):
        match.complete()
    if not match.judged and now - match.changed_s >= t.settle_s - 1e-9:
        match.judged = True
        judge(match, now)
        if match.open is not None and match.mode is Mode.PLAY and _finished(match):
            match.complete()
        _complain(match)
        _maybe_new_game(match)
    if match.masked and match.mode is Mode.SETUP:
        _set_up_unseen(match)
    elif match.masked and _unseen_step(match):
        match.ask(masked_candidates(match.position, match.belief, match.masked))
    elif _impatient(match):
        match.leading = True
        match.renew_wish()
        match.belief.part_with_surplus()
        match.check_target()


def _finished(match: Match) -> bool:
    """Whether all relocations are done and the last piece is not just passing."""
    opened = match.open
    assert opened is not None
    if not opened.is_done(match.belief):
        return False
    now, t = match.now, match.timing
    for token in match.belief.standing.values():
        if token.space != token.home and now - token.landed_s < t.landed_s - 1e-9:
            return False
    # A piece that has just been taken off may be put back by a hand that erred.
    return all(now - token.lifted_s >= t.settle_s - 1e-9 for token in match.belief.gone)


def _impatient(match: Match) -> bool:
    """Whether it is time to lead back a board on which nothing can be made out."""
    return (
        match.mode is Mode.PLAY
        and match.open is None
        and not match.leading
        and match.now - match.changed_s >= match.timing.patience_s - 1e-9
        and bool(match.belief.displaced or _strayed_hand(match))
    )


def _strayed_hand(match: Match) -> bool:
    """Whether a piece is in the hand that cannot be about to step."""
    return len(match.belief.hand) > 1 or (match.own_lifted() is None and bool(match.belief.hand))


def _complain(match: Match) -> None:
    """Say in words what is wrong with a board that has settled and means nothing."""
    if match.mode is not Mode.PLAY or match.open is not None:
        return
    names = match.position.board.grid.names
    astray = [t.space for t in match.belief.displaced if t.space is not None]
    if astray:
        match.problem = "not legal: " + ", ".join(sorted(names[s] for s in astray))
        match.events.append(Illegal(tuple(sorted(astray))))


def _maybe_new_game(match: Match) -> None:
    """Ask "new game?" when the starting layout stands on a board that was cleared."""
    start = match.game.start.board.start.occupied
    differs = (match.belief.occupied ^ start) & ~match.masked
    if differs or match.stands() or match.open is not None:
        return
    if match.mode is Mode.OVER or (match.cleared and match.mode in (Mode.PLAY, Mode.RESTORE)):
        match.confirm_from, match.mode = match.mode, Mode.CONFIRM
        match.renew_wish()


def next_deadline(match: Match) -> float | None:
    """Return when time alone will change something, or None."""
    t = match.timing
    dues = [match.controls.next_deadline()]
    if not match.judged:
        dues.append(match.changed_s + t.settle_s)
    if match.mode in (Mode.PLAY, Mode.SETUP):
        dues.append(match.changed_s + t.patience_s)
    if match.open is not None and match.open.is_done(match.belief):
        landed = [
            k.landed_s + t.landed_s for k in match.belief.standing.values() if k.space != k.home
        ]
        gone = [k.lifted_s + t.settle_s for k in match.belief.gone]
        # What is due already must not be forgotten.
        dues.append(max([match.now + 0.001, *landed, *gone]))
    if match.belief.newcomer is not None:
        dues.append(match.belief.next_deadline_of(match.belief.newcomer))
    dues.append(match.shown_until_s)
    return min((d for d in dues if d is not None and d > match.now), default=None)
