"""Pushes and proximity: small positions by hand, and crowded ones beside the plain rules."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorcel_pi import (
    AHUMM,
    EGRESSIAN,
    Board,
    Cascade,
    CascadeError,
    Coins,
    Event,
    Layout,
    Outcome,
    Piece,
    Position,
    Reason,
    RuleSet,
    Side,
    Step,
    hexgrid,
    legal_actions,
    mask_of,
    outcome,
    parse_action,
    resolve,
    spaces_of,
    standard_board,
)
from sorcel_pi.rules.cascade import settle_pushes

from .kit import SEEDS, has_lost
from .plain import PlainBoard

BOARD = standard_board()
GRID = BOARD.grid


def standing(text: str, side: Side = Side.LIGHT, rules: RuleSet = EGRESSIAN) -> Position:
    """Return the position with pieces such as `Sb3 Fc4 fc2`, and two steps left."""
    masks = [mask_of(GRID.number(w[1:]) for w in text.split() if w[0] == kind) for kind in "SFsf"]
    coins = Coins(3, 4, 5, 2) if rules.pot else None
    return Position(BOARD, rules, Layout(*masks), side, 2, 0, coins)


def resolved(position: Position, action: str) -> tuple[Cascade, str]:
    """Return the cascade of `action`, and its consequences such as `push c4 d5, off i9`."""
    cascade = resolve(position, parse_action(position.board, action))
    return cascade, ", ".join(" ".join(each.as_row(GRID)) for each in cascade.consequences)


@pytest.mark.parametrize(
    ("what", "pieces", "action", "consequences"),
    [
        ("nobody near", "Se3 Fe4 sh8", "e4f5", ""),
        ("own pieces are not pushed", "Se3 Fe4 Fe2 sh8", "e4d4", ""),
        ("away from the hex that is entered", "Se2 Fe3 ff5 sf6", "e3e4", "push f5 g6"),
        ("the edge", "Sa2 Fa3 sa5", "a3a4", "off a5"),
        ("a hole detains", "Sb3 Fc4 fc2 sb1", "c4c3", "detain c2 c1"),
        (
            "a hole that is taken releases, whoever is in it",
            "Sb3 Fc4 fc2 sb1 Fc1",
            "c4c3",
            "release c1, detain c2 c1",
        ),
        (
            "a line ends in front of a hole that is taken",
            "Sb4 Fc5 fc2 fc3 sb1 Fc1",
            "c5c4",
            "release c1, detain c2 c1, push c3 c2",
        ),
        ("who is detained is not pushed", "Sb3 Fb2 fc1 sd5", "b2b1", ""),
        (
            "clockwise from the heading; edge, hole and stray",
            "Sa1 Fb2 fb4 fa3 fc3 sd4",
            "b2b3",
            "push b4 b5, off a3, detain c3 d3, stray b5",
        ),
        (
            "a line of both sides, and what it pushes in turn",
            "Sa2 Fb1 fb3 Fb4 fb5 sa5",
            "b1b2",
            "push b5 b6, push b4 b5, push b3 b4, off b6, push b5 b6, off a5, stray b4, stray b6",
        ),
        (
            "who has stepped is pushed back",
            "Sd4 sc3 Fb2 Fb4 fa3",
            "d4c4",
            "push c3 c2, push b2 a2, push a3 a4, push c4 d4, push b4 c4, stray a4",
        ),
    ],
)
def test_by_hand(what: str, pieces: str, action: str, consequences: str) -> None:
    position = standing(pieces)
    assert resolved(position, action)[1] == consequences, what
    assert by_plain_rules(resolved(position, action)[0]) == resolved(position, action)[0].after[2]


def test_a_detained_sentinel_connects_nobody() -> None:
    position = standing("Sc2 Sh9 Fa1 fc4 sc5", Side.DARK)
    assert resolved(position, "c4c3")[1] == "detain c2 c1, stray a1"


def test_the_cause_is_the_hex_that_was_entered() -> None:
    cascade, _ = resolved(standing("Sa1 Fb2 fb4 fa3 fc3 sd4"), "b2b3")
    b3 = GRID.number("b3")
    assert [each.cause for each in cascade.consequences] == [b3, b3, b3, None]
    assert cascade.consequences[0].event is Event.PUSH
    assert cascade.consequences[0].piece is Piece.DARK_SHIF


@pytest.mark.parametrize(
    ("pieces", "action", "winner", "reason"),
    [
        ("Sa2 Fa3 sa5", "a3a4", Side.LIGHT, Reason.SENTINELS),
        ("Sb3 Fc4 fc2 sb1 fe5 fg3", "c4c3", Side.LIGHT, Reason.DETAINED),
        ("Sf6 Fh6 sg5", "h6h5", Side.DARK, Reason.SENTINELS),
        # Both lose their last Sentinel: the side that acted wins.
        ("Sf3 sf2 fe2 Fe3", "e3d2", Side.LIGHT, Reason.SENTINELS),
    ],
)
def test_losses(pieces: str, action: str, winner: Side, reason: Reason) -> None:
    cascade, _ = resolved(standing(pieces), action)
    assert outcome(cascade.after) == Outcome(winner, reason)
    assert (cascade.after.side, cascade.after.steps_left, cascade.after.steps_made) == (0, 1, 1)
    assert not legal_actions(cascade.after)
    assert has_lost(cascade.after, winner.other)


@pytest.mark.parametrize(
    ("pieces", "action", "coins"),
    [
        ("Sa2 Fa3 sa5", "a3a4", (8, 4, 0, 2)),
        ("Sf6 Fh6 sg5", "h6h5", (3, 9, 0, 2)),
    ],
)
def test_the_winner_takes_the_pot(pieces: str, action: str, coins: tuple[int, ...]) -> None:
    assert resolved(standing(pieces, rules=AHUMM), action)[0].after.coins == coins


def test_a_cascade_that_goes_on_too_long_is_an_error() -> None:
    position = standing("Sd4 sc3 Fb2 Fb4 fa3")
    pieces, c4 = position.pieces, GRID.number("c4")
    stepped = pieces._replace(light_sentinels=1 << c4)
    heading = GRID.direction(GRID.number("d4"), c4)
    assert heading is not None
    entries = next(n for n in range(1, 100) if comes_to_rest(stepped, c4, heading, n))
    assert entries == 6  # the step and the five pushes into hexes
    with pytest.raises(CascadeError, match="after 5 entries"):
        settle_pushes(BOARD, stepped, c4, heading, limit=entries - 1)


def comes_to_rest(pieces: Layout, entered: int, heading: int, limit: int) -> bool:
    try:
        settle_pushes(BOARD, pieces, entered, heading, limit=limit)
    except CascadeError:
        return False
    return True


def by_plain_rules(cascade: Cascade) -> Layout:
    """Return where the plain rules put the pieces, after checking that they tell the same."""
    board, action = cascade.before.board, cascade.action
    assert isinstance(action, Step)
    grid = board.grid
    plain = PlainBoard(
        board.side,
        {grid.axial[k] for k in spaces_of(board.detaining)},
        {grid.axial[k]: piece.letter for k, piece in cascade.before.placed()},
    )
    plain.step(grid.axial[action.origin], grid.axial[action.target])
    assert [each.as_row(grid) for each in cascade.consequences] == plain.events
    masks = dict.fromkeys("SFsf", 0)
    for (q, r), letter in plain.pieces.items():
        space = grid.at(q, r)
        assert space is not None
        masks[letter] |= 1 << space
    return Layout(*masks.values())


@st.composite
def crowds(draw: st.DrawFn) -> Position:
    """Draw a position in which up to two thirds of the spaces are taken, holes included."""
    side = draw(st.integers(3, 6))
    grid = hexgrid(side)
    rng = random.Random(draw(SEEDS))
    spaces = rng.sample(range(grid.n), grid.n)
    holes = mask_of(spaces[: draw(st.integers(0, grid.n // 6))])
    rng.shuffle(spaces)
    masks = [0, 0, 0, 0]
    for count, space in enumerate(spaces[: draw(st.integers(2, grid.n * 2 // 3))]):
        masks[(0, 2, 0, 2, rng.choice((1, 3)))[min(count, 4)]] |= 1 << space
    board = Board("a crowd", side, holes, Layout(0, 0, 0, 0))
    rules = RuleSet(shifs=99, detained=101)
    return Position(board, rules, Layout(*masks), draw(st.sampled_from(Side)), 2, 0)


@given(crowds(), SEEDS)
def test_crowds_beside_the_plain_rules(position: Position, seed: int) -> None:
    """Proximity is broken before the step, so that strays are many as well."""
    steps = [action for action in legal_actions(position) if isinstance(action, Step)]
    for step in random.Random(seed).sample(steps, min(len(steps), 8)):
        cascade = resolve(position, step)
        assert by_plain_rules(cascade) == cascade.after.pieces
