"""What holds in every position of every game: playouts over random boards, starts and rule sets."""

import random
from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from sorcel_pi import (
    Cascade,
    Coins,
    EndTurn,
    Event,
    Game,
    Layout,
    Outcome,
    Pass,
    Piece,
    Placement,
    Position,
    Side,
    Step,
    format_action,
    format_position,
    legal_actions,
    outcome,
    parse_action,
    parse_position,
    parse_record,
    perft,
    play,
    resolve,
    resolve_all,
    spaces_of,
)
from sorcel_pi.rules.actions import Action
from sorcel_pi.rules.board import make_board
from sorcel_pi.rules.movegen import successors
from sorcel_pi.rules.position import PIECES, SIDES

from .kit import SEEDS, has_lost, playout, positions_of, starts
from .plain import PlainBoard


@given(starts(), SEEDS)
def test_legal_actions_are_unique_sorted_and_counted(start: Position, seed: int) -> None:
    for position in positions_of(start, seed):
        view = legal_actions(position)
        texts = [format_action(position.board, action) for action in view]
        assert texts == sorted(set(texts))
        assert view.count() == len(view) == len(texts) == perft(position, 1)
        assert bool(view) == bool(texts)
        assert all(action in view for action in view)


def everything(position: Position) -> list[Action]:
    """Return all plain actions that could be written down on the board, steps on one spot too."""
    grid = position.board.grid
    steps = [Step(a, b) for a in range(grid.n) for b in spaces_of(grid.adjacent[a] | 1 << a)]
    return [*steps, *map(Placement, range(grid.n)), EndTurn(), Pass()]


@given(starts(), SEEDS)
def test_what_is_not_listed_is_not_legal(start: Position, seed: int) -> None:
    *_, position = positions_of(start, seed)
    view = legal_actions(position)
    legal = set(view)
    some = random.Random(seed).sample(everything(position), 100)
    assert {action for action in some if action in view} == legal & {*some}


@given(starts(), SEEDS)
def test_texts_are_read_back(start: Position, seed: int) -> None:
    board = start.board
    for position in positions_of(start, seed):
        assert parse_position(format_position(position), board, position.rules) == position
    for action in legal_actions(position):
        assert parse_action(board, format_action(board, action)) == action


@given(starts(), SEEDS)
def test_play_leaves_its_argument_alone(start: Position, seed: int) -> None:
    for cascade in playout(start, seed):
        code, before = format_position(cascade.before), Position(*cascade.before)
        assert play(cascade.before, cascade.action) == cascade.after
        assert resolve(cascade.before, cascade.action) == cascade
        assert (cascade.before, format_position(cascade.before)) == (before, code)


@given(starts(), SEEDS)
def test_pieces_are_conserved(start: Position, seed: int) -> None:
    """A Shif is on the board or in reserve; a Sentinel is on the board or eliminated for good."""
    sentinels = {side: start.pieces[2 * side].bit_count() for side in SIDES}
    for cascade in playout(start, seed):
        lost = Counter(each.piece for each in cascade.consequences if each.target is None)
        for side in SIDES:
            sentinels[side] -= lost[PIECES[2 * side]]
            assert cascade.after.pieces[2 * side].bit_count() == sentinels[side]
            shifs = cascade.after.pieces[2 * side + 1].bit_count()
            assert shifs + cascade.after.reserve[side] == start.rules.shifs
        pieces = cascade.after.pieces
        assert pieces.occupied.bit_count() == sum(mask.bit_count() for mask in pieces)
        if cascade.after.coins is not None:
            assert sum(cascade.after.coins[:3]) == 2 * start.rules.purse


@given(starts(), SEEDS)
def test_undo_returns_equal_positions(start: Position, seed: int) -> None:
    game = Game(start)
    seen = []
    for cascade in playout(start, seed):
        seen.append(game.position)
        game.play(cascade.action)
        if game.outcome is not None:
            break
    while seen:
        game.undo()
        assert (game.position, game.outcome) == (seen.pop(), None)


@given(starts(), SEEDS)
def test_an_outcome_is_the_end(start: Position, seed: int) -> None:
    for position in positions_of(start, seed):
        ended = outcome(position)
        assert (ended is None) == bool(list(legal_actions(position)))
        lost = [side for side in SIDES if has_lost(position, side)]
        if ended is None or ended.winner is None:
            assert not lost
        else:
            assert ended.winner.other in lost
            assert len(lost) == 1 or ended.winner == position.side


def turned(position: Position) -> Position:
    """Return `position` with the board turned by 180 degrees and the sides swapped."""
    board = position.board
    turn = board.grid.turn_mask

    def swapped(pieces: Layout) -> Layout:
        ls, lf, ds, df = map(turn, pieces)
        return Layout(ds, df, ls, lf)

    coins = position.coins
    return position._replace(
        board=make_board(board.name, board.side, turn(board.detaining), swapped(board.start)),
        pieces=swapped(position.pieces),
        side=position.side.other,
        coins=coins and Coins(coins.dark, coins.light, coins.pot, coins.stake),
    )


def turned_action(position: Position, action: Action) -> Action:
    half_turn = position.board.grid.half_turn
    match action:
        case Step(origin, target):
            return Step(half_turn(origin), half_turn(target))
        case Placement(space, coins):
            return Placement(half_turn(space), coins)
    return action


def turned_row(cascade: Cascade) -> list[tuple[Event, Piece, int, int | None, int | None]]:
    """Return the consequences as on the turned board, strays in the order of their spaces."""
    half_turn = cascade.before.board.grid.half_turn
    rows: list[tuple[Event, Piece, int, int | None, int | None]] = []
    for event, piece, origin, target, cause in cascade.consequences:
        other = PIECES[(piece + 2) % 4]
        onto = None if target is None else half_turn(target)
        entered = None if cause is None else half_turn(cause)
        rows.append((event, other, half_turn(origin), onto, entered))
    pushes = [row for row in rows if row[0] != Event.STRAY]
    return pushes + sorted(row for row in rows if row[0] == Event.STRAY)


def turned_outcome(ended: Outcome | None) -> Outcome | None:
    if ended is None or ended.winner is None:
        return ended
    return Outcome(ended.winner.other, ended.reason)


@given(starts(), SEEDS)
def test_the_half_turn_maps_games_onto_games(start: Position, seed: int) -> None:
    # A placed Shif that pushes begins with the east, which the half turn makes the west.
    start = start._replace(rules=replace(start.rules, placement_pushes=False))
    for cascade in playout(start, seed):
        before, after = turned(cascade.before), turned(cascade.after)
        actions = [turned_action(cascade.before, each) for each in legal_actions(cascade.before)]
        assert set(actions) == set(legal_actions(before))
        other = resolve(before, turned_action(cascade.before, cascade.action))
        assert other.after == after
        strays = [row for row in other.consequences if row.event == Event.STRAY]
        pushes = [row for row in other.consequences if row.event != Event.STRAY]
        assert turned_row(cascade) == [*pushes, *sorted(strays)]
        assert outcome(after) == turned_outcome(outcome(cascade.after))


@given(starts(), SEEDS)
def test_consequences_replayed_give_the_pieces(start: Position, seed: int) -> None:
    for cascade in playout(start, seed):
        pieces = dict(cascade.before.placed())
        match cascade.action:
            case Step(origin, target):
                pieces[target] = pieces.pop(origin)
            case Placement(space):
                pieces[space] = PIECES[2 * cascade.before.side + 1]
        for each in cascade.consequences:
            assert pieces.pop(each.origin) is each.piece
            if each.target is not None:
                assert each.target not in pieces
                pieces[each.target] = each.piece
        assert pieces == dict(cascade.after.placed())


@given(starts(), SEEDS)
def test_cascades_are_those_of_the_plain_rules(start: Position, seed: int) -> None:
    for cascade in playout(start, seed):
        if not isinstance(cascade.action, Step):
            continue
        board = cascade.before.board
        axial = board.grid.axial
        plain = PlainBoard(
            board.side,
            {axial[k] for k in spaces_of(board.detaining)},
            {axial[k]: piece.letter for k, piece in cascade.before.placed()},
        )
        plain.step(axial[cascade.action.origin], axial[cascade.action.target])
        assert [each.as_row(board.grid) for each in cascade.consequences] == plain.events
        after = {axial[k]: piece.letter for k, piece in cascade.after.placed()}
        assert after == plain.pieces


@given(starts(), SEEDS)
def test_perft_and_its_successors(start: Position, seed: int) -> None:
    *_, position = positions_of(start, seed)
    cascades = resolve_all(position)
    assert Counter(successors(position)) == Counter(cascade.after for cascade in cascades)
    assert [cascade.action for cascade in cascades] == list(legal_actions(position))
    assert perft(position, 2) == sum(legal_actions(each.after).count() for each in cascades)


@given(starts(), SEEDS, st.sampled_from(["play on", "resign", "agree"]))
def test_records_are_read_back(start: Position, seed: int, ending: str) -> None:
    game = Game(start, {"Light": 'Ann "the \\ pusher"', "Dark": "Bo"})
    for cascade in playout(start, seed):
        game.play(cascade.action)
        if game.outcome is not None:
            break
    if game.outcome is None and ending == "resign":
        game.resign(Side.DARK)
    elif game.outcome is None and ending == "agree":
        game.agree_draw()
    again = parse_record(game.record())
    assert again.actions == game.actions
    assert (again.start, again.position) == (game.start, game.position)
    assert (again.outcome, again.headers) == (game.outcome, game.headers)
    assert again.record() == game.record()
