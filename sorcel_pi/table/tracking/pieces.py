"""Values that the tracker is made of: pieces of wood, all that is known of them, and the goal.

Everything here is frozen.  A `TrackerState` is the whole belief at one moment: to try a reading,
keep the old value.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from ...rules.hexgrid import mask_of
from ...rules.position import PIECES, Piece

NEW = -1
"""The id of a piece that the tracker has not seen yet."""


@dataclass(frozen=True, slots=True)
class TrackedPiece:
    """One wooden piece, known by its `id` as long as the tracker follows it.

    `piece` is None where nobody knows what it is.  `home` is the space where the position has it,
    None for a newcomer; `space` where it stands, None in the hand or beside the board; `origin`
    where it was lifted last.  `fresh` says that it was put down since the position last changed,
    so that it can be an action; `guess` that it might be another.  Times are in seconds.
    """

    id: int
    piece: Piece | None
    home: int | None = None
    space: int | None = None
    origin: int | None = None
    lifted_s: float = 0.0
    landed_s: float = 0.0
    fresh: bool = True
    guess: bool = False
    unsure: bool = False
    """Whether unlike pieces were in the hand as it was put down since the position changed."""
    led: bool = False
    """Whether the lights asked for it as it was lifted last."""


class Shove(NamedTuple):
    """Where each piece of a shoved line has got to, None for one that fell; whether it is sure."""

    places: tuple[tuple[TrackedPiece, int | None], ...]
    sure: bool


@dataclass(frozen=True, slots=True)
class PendingPlacement:
    """A contact that closed beside occupied spaces (`neighbours`) whose contacts overlap with it.

    It may be a piece that slides over from there and whose own contact has yet to open.  Until
    then it is taken as the piece `taken_as`, and `before` is the state that such a slide goes back
    to; without them nothing is decided.
    """

    space: int
    since_s: float
    neighbours: int
    taken_as: TrackedPiece | None = None
    before: "TrackerState | None" = None


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A shove that only time spoke for, of pieces that stand on `line` now.

    A piece that is put back on `near`, or lifted from the line, brings the state back to `before`.
    """

    near: int
    line: frozenset[int]
    before: "TrackerState"


@dataclass(frozen=True, slots=True)
class Goal:
    """What the referee asks for: `target` (None: nothing), and what helps to tell pieces apart.

    `hints` maps spaces to where the rules moved the piece there, `removed` is the mask of those
    whose piece they take off.  `returns` maps a piece's home to the mask of further spaces that
    count as where it came from.  `newcomer` is what a piece from beside the board is, where
    nothing is asked for; `placeable` the mask of spaces where one may come to stand.  `mover` says
    which pieces have the longer time for a slide.
    """

    target: Mapping[int, Piece] | None = None
    hints: Mapping[int, int] = field(default_factory=dict)
    returns: Mapping[int, int] = field(default_factory=dict)
    removed: int = 0
    newcomer: Piece | None = None
    placeable: int = 0
    mover: tuple[Piece, ...] = ()
    by_kind: bool = False
    """Whether many places are lit at once, each in the colour of the piece it wants."""


@dataclass(frozen=True)
class TrackerState:
    """Which piece stands where, is in the hand, has gone, and what is remembered of how.

    `known` has every piece by its id; `on` maps spaces to the ids of the pieces there, the one put
    down last at the end.  The other tuples are ids, in the order in which it happened: `held` are
    in the hand, `off` have left the board since the position last changed and `departed` with the
    action before; `bundle` was lifted since the hand was last empty, `lately` within the last
    seconds.
    """

    known: Mapping[int, TrackedPiece] = field(default_factory=dict)
    on: Mapping[int, int] = field(default_factory=dict)
    held: tuple[int, ...] = ()
    off: tuple[int, ...] = ()
    departed: tuple[int, ...] = ()
    bundle: tuple[int, ...] = ()
    lately: tuple[int, ...] = ()
    shoves: tuple[tuple[tuple[int, int], ...], ...] = ()
    """Lines that were taken as shoved though they may have been carried over: (id, space) each."""
    changed_s: float = 0.0
    """When a piece was last lifted or put down."""
    doubt: bool = False
    """Whether unlike pieces were in the hand together since all were shown last."""
    newcomer: PendingPlacement | None = None
    """What has come while the hand was empty, as long as that is undecided."""
    landed: PendingPlacement | None = None
    """What has just been put down, as long as that is in doubt."""
    hypothesis: Hypothesis | None = None
    last_space: int | None = None
    """Where the hand was last."""

    # -- questions ----------------------------------------------------------------------------

    def those(self, ids: Iterable[int]) -> tuple[TrackedPiece, ...]:
        """Return the pieces with these ids."""
        return tuple(self.known[k] for k in ids)

    @cached_property
    def standing(self) -> Mapping[int, TrackedPiece]:
        """The pieces on the board, by their spaces."""
        return {space: self.known[k] for space, k in self.on.items()}

    @cached_property
    def hand(self) -> tuple[TrackedPiece, ...]:
        """The pieces in the hand, the one lifted last at the end."""
        return self.those(self.held)

    @cached_property
    def gone(self) -> tuple[TrackedPiece, ...]:
        """The pieces that have left the board since the position last changed."""
        return self.those(self.off)

    @cached_property
    def recent(self) -> tuple[TrackedPiece, ...]:
        """What was lifted lately, whether it is in the hand or has left the board."""
        return self.those(self.lately)

    @cached_property
    def occupied(self) -> int:
        """The mask of spaces on which pieces are believed to stand."""
        return mask_of(list(self.on))

    @cached_property
    def pieces(self) -> Mapping[int, Piece | None]:
        """What is believed to stand on each space."""
        return {space: piece.piece for space, piece in self.standing.items()}

    @cached_property
    def displaced(self) -> tuple[TrackedPiece, ...]:
        """The pieces on the board that stand where the position does not have them."""
        return tuple(piece for piece in self.standing.values() if piece.space != piece.home)

    @cached_property
    def in_hand(self) -> tuple[Piece, ...]:
        """What the known pieces in the hand are, the one lifted last at the end."""
        return tuple(piece.piece for piece in self.hand if piece.piece is not None)

    @property
    def guesses(self) -> int:
        """The mask of spaces whose pieces are a guess."""
        return mask_of([space for space, piece in self.standing.items() if piece.guess])

    def now_of(self, piece: TrackedPiece) -> TrackedPiece:
        """Return what has become of `piece`; itself, if it was never seen."""
        return self.known.get(piece.id, piece)

    def matches(self, wanted: Mapping[int, Piece]) -> bool:
        """Whether exactly the `wanted` pieces stand on the board."""
        return self.pieces == wanted

    # -- changes, each a new value ------------------------------------------------------------

    def changed(self, piece: TrackedPiece, **changes: Any) -> "TrackerState":
        """Return the state with `piece` changed, in its place."""
        return replace(self, known={**self.known, piece.id: replace(piece, **changes)})

    def with_new(self, piece: Piece | None, **values: Any) -> tuple["TrackerState", TrackedPiece]:
        """Return the state that knows one piece more, which is nowhere yet, and that piece."""
        made = TrackedPiece(max(self.known, default=0) + 1, piece, **values)
        return replace(self, known={**self.known, made.id: made}), made

    def without(self, piece: TrackedPiece) -> "TrackerState":
        """Return the state with `piece` taken from wherever it is: board, hand, or beside it."""
        on = {space: k for space, k in self.on.items() if k != piece.id}
        return replace(
            self,
            on=on if len(on) < len(self.on) else self.on,
            held=tuple(k for k in self.held if k != piece.id),
            off=tuple(k for k in self.off if k != piece.id),
        )

    def put(self, piece: TrackedPiece, space: int, **changes: Any) -> "TrackerState":
        """Return the state with `piece`, taken up before, on `space`; `changes` are the piece's."""
        made = self.changed(piece, space=space, **changes)
        return replace(made, on={**self.on, space: piece.id})

    def back_at(self, before: "TrackerState") -> "TrackerState":
        """Return the state with the pieces where `before` has them, and its memory of them.

        What the position says of them (`home`) stays as it is now.
        """
        old = {*before.on.values(), *before.held, *before.off, *before.bundle, *before.lately}
        homes = {k: self.known[k].home if k in self.known else before.known[k].home for k in old}
        known = {k: replace(before.known[k], home=homes[k]) for k in old}
        return replace(
            self,
            known={**self.known, **known},
            on=before.on,
            held=before.held,
            off=before.off,
            bundle=before.bundle,
            lately=before.lately,
        )

    def alone(self) -> "TrackerState":
        """Return the state without what is undecided, to be kept for a while."""
        return replace(self, newcomer=None, landed=None, hypothesis=None)

    # -- as plain data ------------------------------------------------------------------------

    def key(self) -> tuple[Any, ...]:
        """Return what makes a state worth to be recorded anew when it changes."""

        def row(piece: TrackedPiece) -> tuple[Any, ...]:
            return (piece.piece, piece.home, piece.space, piece.origin, piece.fresh)

        return (
            tuple(map(row, self.standing.values())),
            tuple(map(row, self.hand)),
            tuple(map(row, self.gone)),
        )

    def dump(self, now: float) -> dict[str, Any]:
        """Return the state as plain data; times are stored as how long ago they were."""

        def row(piece: TrackedPiece) -> list[Any]:
            letter = piece.piece.letter if piece.piece is not None else "?"
            where = [letter, piece.home, piece.space, piece.origin, piece.fresh]
            return [*where, piece.id, now - piece.lifted_s, now - piece.landed_s, piece.guess]

        def pending(each: PendingPlacement | None) -> list[Any] | None:
            if each is None:
                return None
            taken_as = None if each.taken_as is None else each.taken_as.id
            before = None if each.before is None else each.before.dump(now)
            return [each.space, now - each.since_s, each.neighbours, taken_as, before]

        where = {*self.on.values(), *self.held, *self.off}
        mentioned = {*self.departed, *self.bundle, *self.lately} - where
        hypothesis = self.hypothesis
        return {
            "standing": [row(piece) for piece in self.standing.values()],
            "hand": [row(piece) for piece in self.hand],
            "gone": [row(piece) for piece in self.gone],
            "mentioned": [row(self.known[k]) for k in sorted(mentioned)],
            "departed": list(self.departed),
            "bundle": list(self.bundle),
            "recent": list(self.lately),
            "changed": now - self.changed_s,
            "doubt": self.doubt,
            "newcomer": pending(self.newcomer),
            "landed": pending(self.landed),
            "hypothesis": hypothesis
            and [hypothesis.near, sorted(hypothesis.line), hypothesis.before.dump(now)],
            "last_space": self.last_space,
        }

    @classmethod
    def restored(cls, data: Mapping[str, Any], now: float) -> "TrackerState":
        """Return what `dump` has written, also an earlier version of it without memory.

        Raises ValueError, KeyError, TypeError or IndexError when `data` is not of that form.
        """
        rows = [*data["standing"], *data["hand"], *data["gone"], *data.get("mentioned", ())]
        known = [_restored(row, 1 + number, now) for number, row in enumerate(rows)]
        standing, hand = len(data["standing"]), len(data["hand"])
        held = tuple(piece.id for piece in known[standing : standing + hand])
        gone = known[standing + hand : standing + hand + len(data["gone"])]
        by_id = {piece.id: piece for piece in known}
        by_id |= {k: replace(by_id[k], space=None) for k in (*held, *(p.id for p in gone))}

        def pending(row: Any) -> PendingPlacement | None:
            if row is None:
                return None
            space, ago, neighbours, taken_as, before = row
            taken = None if taken_as is None else by_id[taken_as]
            old = None if before is None else cls.restored(before, now)
            return PendingPlacement(space, now - ago, neighbours, taken, old)

        hypothesis = data.get("hypothesis")
        return cls(
            known=by_id,
            on={p.space: p.id for p in known[:standing] if p.space is not None},
            held=held,
            off=tuple(piece.id for piece in gone),
            departed=_ids(data, "departed", by_id, ()),
            bundle=_ids(data, "bundle", by_id, held),
            lately=_ids(data, "recent", by_id, ()),
            changed_s=now - data.get("changed", 0.0),
            doubt=bool(data.get("doubt")),
            newcomer=pending(data.get("newcomer")),
            landed=pending(data.get("landed")),
            hypothesis=hypothesis
            and Hypothesis(
                hypothesis[0], frozenset(hypothesis[1]), cls.restored(hypothesis[2], now)
            ),
            last_space=data.get("last_space"),
        )


def _restored(row: Any, number: int, now: float) -> TrackedPiece:
    """Return the piece of a stored row; the first versions wrote four or five columns."""
    letter, *places = row[:4]
    home, space, origin = (place if isinstance(place, int) else None for place in places)
    piece = next((each for each in PIECES if each.letter == letter), None)
    fresh = row[4:5] != [False]
    key, lifted, landed, guess = row[5:9] if len(row) >= 9 else (number, 0.0, 0.0, False)
    return TrackedPiece(
        int(key), piece, home, space, origin, now - lifted, now - landed, fresh, bool(guess)
    )


def _ids(
    data: Mapping[str, Any], key: str, known: Mapping[int, TrackedPiece], usual: tuple[int, ...]
) -> tuple[int, ...]:
    """Return a stored tuple of ids, each of which must be known."""
    found = tuple(data.get(key, usual))
    if any(k not in known for k in found):
        raise ValueError(f"{key}: {found}: not all of these are pieces of this state")
    return found
