"""Where each piece is believed to be: on a space, in the hand, or gone from the board.

This is what is kept, and how it is changed; what contacts say of it is read by `belief`, `lines`
and `slides`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from ...rules.board import Layout
from ...rules.hexgrid import HexGrid, spaces_of
from ...rules.position import PIECES, Piece
from ..relocation import Relocation, plan
from ..timing import Waits
from .pieces import Arrival, Shove, Token, Wish


class Standing:
    """The pieces, and what is remembered of how they came to where they are."""

    def __init__(
        self,
        grid: HexGrid,
        pieces: Layout | None = None,
        *,
        hexes: int | None = None,
        waits: Waits | None = None,
        overlaps: Mapping[int, int] | None = None,
    ) -> None:
        """Believe that `pieces` stand as they do; `overlaps` maps spaces to masks of neighbours."""
        self.grid = grid
        self.hexes = grid.everywhere if hexes is None else hexes
        self.waits = waits or Waits()
        self.overlaps = dict(overlaps or {})
        self.standing: dict[int, Token] = {}
        self.hand: list[Token] = []
        self.gone: list[Token] = []
        self.departed: list[Token] = []
        """What the last completed action took off the board."""
        self.wish = Wish()
        self.newcomer: Arrival | None = None
        """What has come while the hand was empty, as long as that is undecided."""
        self.landed: Arrival | None = None
        """What has just been put down, as long as that is in doubt."""
        self.masked = 0
        """Spaces whose contacts say nothing."""
        self.last_space: int | None = None
        """Where the hand was last."""
        self.bundle: list[Token] = []
        """What was lifted since the hand was last empty."""
        self.recent: list[Token] = []
        """What was lifted lately, whether it is in the hand or left the board."""
        self.glimpsed: dict[int, float] = {}
        self.surmise: tuple[int, Callable[[], None]] | None = None
        """The near space of a shove that only time spoke for, and what takes it back."""
        if pieces is not None:
            self.assume(pieces)

    @property
    def occupied(self) -> int:
        """The mask of spaces on which pieces are believed to stand."""
        mask = 0
        for space in self.standing:
            mask |= 1 << space
        return mask

    @property
    def pieces(self) -> dict[int, Piece | None]:
        """What is believed to stand on each space."""
        return {space: token.piece for space, token in self.standing.items()}

    @property
    def displaced(self) -> list[Token]:
        """The tokens on the board that stand where the position does not have them."""
        return [token for token in self.standing.values() if token.space != token.home]

    @property
    def held(self) -> list[Piece]:
        """The known pieces in the hand, the one lifted last at the end."""
        return [token.piece for token in self.hand if token.piece is not None]

    @property
    def guesses(self) -> int:
        """The mask of spaces whose pieces are a guess."""
        mask = 0
        for space, token in self.standing.items():
            if token.guess:
                mask |= 1 << space
        return mask

    def matches(self, wanted: Mapping[int, Piece]) -> bool:
        """Whether exactly the `wanted` pieces stand on the board."""
        return len(wanted) == len(self.standing) and all(
            space in self.standing and self.standing[space].piece is piece
            for space, piece in wanted.items()
        )

    def assume(self, pieces: Layout) -> None:
        """Believe from now on that `pieces` stand as they do and the hand is empty."""
        self.standing = {
            space: Token(piece, home=space, space=space)
            for piece, mask in zip(PIECES, pieces, strict=True)
            for space in spaces_of(mask)
        }
        self.hand, self.gone, self.bundle, self.recent = [], [], [], []
        self.newcomer = self.landed = self.surmise = None

    def forget_movements(self) -> None:
        """Forget how the pieces came to where they are: nobody was looking."""
        self.bundle, self.recent, self.glimpsed = list(self.hand), [], {}
        self.newcomer = self.landed = self.surmise = None

    def settle_homes(self, wanted: Mapping[int, Piece], *, fresh: bool) -> None:
        """Take `wanted` as the position: each piece that stands where it has one is at home.

        Places that are empty are given to pieces of their kind in the hand or astray, those that
        had the place before first.  Without `fresh`, what stands astray is no action.
        """
        self.departed, self.gone = self.gone, []
        self.landed = None
        places = dict(wanted)
        astray: list[Token] = []
        for space, token in self.standing.items():
            if wanted.get(space) is token.piece and token.piece is not None:
                token.home = space
                del places[space]
            else:
                astray.append(token)
        rest = [*astray, *self.hand]
        rest.sort(key=lambda token: token.home not in places)
        for token in rest:
            same = [s for s, piece in places.items() if piece is token.piece]
            if token.home in same:
                home = token.home
            elif same:
                home = min(same, key=lambda s: self.away(token, s))
            else:
                home = None
            token.home = home
            token.fresh = fresh
            if home is not None:
                del places[home]
        # What has no place any more is beside the board, wherever the hand holds it.
        self.hand = [token for token in self.hand if token.home is not None]

    def away(self, token: Token, space: int) -> int:
        """Return how far `space` is from where `token` stands or was lifted, 0 if nobody knows."""
        here = token.space if token.space is not None else token.origin
        return self.grid.distance(here, space) if here is not None else 0

    def part_with_surplus(self) -> None:
        """Let the pieces leave the hand that the open task takes off the board."""
        target = self.wish.target
        if target is None or not self.hand:
            return
        for token in [t for t in self.hand if self.is_removed(t)]:
            if token.piece is not None and self.surplus(token.piece) > 0:
                self.hand.remove(token)
                self.gone.append(token)
        moves = plan(self.grid, self.pieces, target, hand=self.held, hints=self.wish.hints)
        for move in moves:
            if move.held and move.target is None and not move.detour:
                like = [t for t in self.hand if t.piece is move.piece]
                token = next((t for t in like if self.is_removed(t)), like[0])
                self.hand.remove(token)
                self.gone.append(token)

    def is_removed(self, token: Token) -> bool:
        """Whether `token` is a piece that the rules take off the board."""
        return token.home is not None and bool(self.wish.removed >> token.home & 1)

    def carry_out(self, move: Relocation, now: float) -> None:
        """Take the relocation `move` as done by hand, whatever the contacts say."""
        if move.origin is not None:
            token = self.standing.pop(move.origin)
            token.origin, token.lifted_s = move.origin, now
        elif move.held:
            token = next(t for t in self.hand if t.piece is move.piece)
            self.hand.remove(token)
        else:
            token = Token(move.piece)
        token.space = None
        if move.target is None:
            self.gone.append(token)
        else:
            self.put(token, move.target, now)

    def put(self, token: Token, space: int, now: float) -> None:
        """Let `token`, taken out of the hand before, stand on `space`."""
        token.space, token.landed_s, token.fresh = space, now, True
        self.standing[space] = token

    def surplus(self, piece: Piece) -> int:
        """Return how many pieces of this kind there are more than the open task wants."""
        here = [*self.pieces.values(), *self.held].count(piece)
        return here - list((self.wish.target or {}).values()).count(piece)

    def came_from(self, token: Token, space: int) -> bool:
        """Whether `space` counts as where `token` came from."""
        further = self.wish.returns.get(token.home, 0) if token.home is not None else 0
        return space in (token.origin, token.home) or bool(further >> space & 1)

    def memory(self) -> Callable[[], None]:
        """Return what, called, brings back where each piece is now."""
        standing, hand, gone = dict(self.standing), list(self.hand), list(self.gone)
        bundle, recent = list(self.bundle), list(self.recent)
        tokens = [(replace(t), t) for t in {*standing.values(), *hand, *gone, *bundle, *recent}]

        def undo() -> None:
            for before, token in tokens:
                token.space, token.origin = before.space, before.origin
                token.lifted_s, token.landed_s = before.lifted_s, before.landed_s
                token.fresh, token.guess = before.fresh, before.guess
            self.standing, self.hand, self.gone = standing, hand, gone
            self.bundle, self.recent = bundle, recent

        return undo

    def take_over(self, shove: Shove) -> None:
        """Let the pieces of a shoved line stand where it has brought them."""
        newest = max(t.landed_s for t, _ in shove.places)
        for token, _ in shove.places:
            if token.space is not None and self.standing.get(token.space) is token:
                del self.standing[token.space]
        moved = [token for token, _ in shove.places]
        self.hand = [t for t in self.hand if t not in moved]
        self.gone = [t for t in self.gone if t not in moved]
        for token, place in shove.places:
            if token not in self.recent:
                token.origin = token.space
            token.space, token.fresh, token.guess = place, True, not shove.sure
            if place is None:
                self.hand.append(token)
            else:
                token.landed_s = newest
                self.standing[place] = token
        # The bundle stays: should what fell come down again, all may have been put back.
        self.recent = [t for t in self.recent if t not in moved]

    def reassign(self, places: Mapping[Token, int]) -> None:
        """Let the tokens of the bundle stand on `places`; the others of it are in the hand."""
        times = {t.space: t.landed_s for t in self.bundle if t.space is not None}
        for token in self.bundle:
            if token.space is not None:
                del self.standing[token.space]
                token.space = None
        self.hand = [t for t in self.hand if t not in self.bundle]
        for token in self.bundle:
            if token in places:
                token.space = places[token]
                token.landed_s = times[places[token]]
                token.guess = False
                self.standing[token.space] = token
            else:
                self.hand.append(token)

    def dump(self) -> dict[str, object]:
        """Return the belief as plain data for the journal."""

        def row(token: Token) -> list[object]:
            letter = token.piece.letter if token.piece is not None else "?"
            return [letter, token.home, token.space, token.origin, token.fresh]

        return {
            "standing": [row(t) for t in self.standing.values()],
            "hand": [row(t) for t in self.hand],
            "gone": [row(t) for t in self.gone],
        }

    def restore(self, data: Mapping[str, Iterable[list[object]]], now: float) -> None:
        """Take over what `dump` has written; raises ValueError when it is no such data."""

        def token(row: list[object]) -> Token:
            letter, *places = row[:4]
            home, space, origin = (p if isinstance(p, int) else None for p in places)
            piece = next((p for p in PIECES if p.letter == letter), None)
            return Token(piece, home, space, origin, now, now, fresh=row[4:] != [False])

        standing = [token(row) for row in data["standing"]]
        self.standing = {t.space: t for t in standing if t.space is not None}
        self.hand = [replace(token(row), space=None) for row in data["hand"]]
        self.gone = [replace(token(row), space=None) for row in data["gone"]]
        self.bundle = list(self.hand)
        self.newcomer = self.landed = None
