"""What stands on a board that nobody watched for a while.

After a gap the contacts are compared as a whole with what was believed.  The fewest moves are
assumed where they concern pieces of one side and kind only; everything else that has changed is a
piece that nobody knows.
"""

from collections.abc import Mapping

from ..rules.hexgrid import spaces_of
from ..rules.position import Piece
from .belief import Belief
from .shoves import Token


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
