"""What stands on a board that nobody watched for a while.

After a gap the contacts are compared as a whole with what was believed.  The fewest moves are
assumed where they concern pieces of one side and kind only; everything else that has changed is a
piece that nobody knows.
"""

from collections.abc import Mapping

from ...rules.hexgrid import mask_of, spaces_of
from ...rules.position import Piece
from ..tracking.pieces import Token
from ..tracking.tracker import Belief
from ..view import Mode
from .inference import standing_of
from .match import CLEARED, Match


def reconcile(match: Match, occupied: int) -> None:
    """Compare the contacts as a whole with belief, target and position, after a gap."""
    match.is_blind = False
    seen, known = occupied & ~match.masked, ~match.masked
    belief = match.belief
    belief.forget_movements()
    if match.hurt and match.open is None:
        belief.settle_homes(standing_of(match.position.pieces), fresh=False)
    match.hurt = False
    position = match.position.pieces
    if match.mode is Mode.ASK:
        match.drop_question()
    match.drop_confirm()
    match.cleared |= occupied.bit_count() <= CLEARED
    if seen == belief.occupied & known and (belief.standing or not seen):
        pass
    elif match.open is not None and seen == mask_of(list(match.open.target)) & known:
        for move in match.plan():
            belief.carry_out(move, match.now)
    elif seen == position.occupied & known:
        match.open = None
        belief.assume(position)
    else:
        wanted = match.target() or standing_of(position)
        guess_standing(belief, seen, wanted, match.now, setup=match.mode is Mode.SETUP)
        if match.mode is Mode.PLAY and match.open is None:
            match.mode = Mode.RESTORE
        match.renew_wish()
        belief.part_with_surplus()
    match.renew_wish()
    match.changed_s, match.judged = match.now, False
    if belief.standing:
        match.shown_until_s = match.now + match.timing.show_s
    match.check_target()


def guess_standing(
    belief: Belief, seen: int, wanted: Mapping[int, Piece], now: float, *, setup: bool = False
) -> None:
    """Make `belief` agree with the contacts in the mask `seen`, masked spaces left out.

    `wanted` is what should stand on the board.  While a board that was empty is `setup`, pieces
    on spaces that want one are taken to be the right ones.
    """
    came = list(spaces_of(seen & ~belief.occupied))
    left = list(spaces_of(belief.occupied & ~belief.masked & ~seen))
    loose = [*_taken(belief, left), *belief.hand]
    kinds = {token.piece for token in loose}
    if setup and not loose:
        for space in came:
            belief.standing[space] = Token(wanted.get(space), space=space, fresh=False)
    elif len(kinds) == 1 and len(came) <= len(loose):
        for space in came:
            fits = [t for t in loose if wanted.get(space) is t.piece] or loose
            token = min(fits, key=lambda t: belief.away(t, space))
            loose.remove(token)
            token.space, token.landed_s, token.fresh = space, now, False
            belief.standing[space] = token
    else:
        for space in came:
            belief.standing[space] = Token(None, space=space, fresh=False)
    belief.hand = loose


def _taken(belief: Belief, spaces: list[int]) -> list[Token]:
    """Take the pieces on `spaces` off the board and return them."""
    tokens = []
    for space in spaces:
        token = belief.standing.pop(space)
        token.origin, token.space = space, None
        tokens.append(token)
    return tokens
