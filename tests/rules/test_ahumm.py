"""Ahumm: stake and raise, purses and pot, and a match of several games."""

import pytest

from sorcel_pi import (
    AHUMM,
    EGRESSIAN,
    Coins,
    Game,
    IllegalActionError,
    Match,
    NotationError,
    Outcome,
    Pass,
    Placement,
    Position,
    Reason,
    RuleSet,
    Side,
    format_position,
    legal_actions,
    parse_action,
    parse_position,
    play,
    resolve,
    standard_board,
    start_position,
)

BOARD = standard_board()
START = start_position(BOARD, AHUMM)


def after(position: Position, *texts: str) -> Position:
    for text in texts:
        position = play(position, parse_action(position.board, text))
    return position


def with_coins(*coins: int, rules: RuleSet = AHUMM) -> Position:
    return START._replace(coins=Coins(*coins), rules=rules)


# -- one game -------------------------------------------------------------------------------------


def test_a_game_starts_with_full_purses_an_empty_pot_and_the_stake() -> None:
    assert START.coins == Coins(light=20, dark=20, pot=0, stake=1)
    assert start_position(BOARD, RuleSet("ahumm", purse=7, stake=3)).coins == (7, 7, 0, 3)


def test_a_placement_pays_the_stake_into_the_pot() -> None:
    assert after(START, "+b2").coins == (19, 20, 1, 1)
    assert after(START, "+b2", "+h5").coins == (19, 19, 2, 1)


def test_steps_ends_and_passes_cost_nothing() -> None:
    assert after(START, "c3d4", "end").coins == START.coins


def test_a_raise_is_the_stake_from_then_on() -> None:
    raised = after(START, "+b2=4")
    assert raised.coins == (16, 20, 4, 4)
    assert after(raised, "+h5").coins == (16, 16, 8, 4)


def test_a_raise_may_take_the_whole_purse_and_not_more() -> None:
    assert after(START, "+b2=20").coins == (0, 20, 20, 20)
    with pytest.raises(
        IllegalActionError, match=r"\+b2=21: a raise is .* at most the purse \(20\)"
    ):
        after(START, "+b2=21")


@pytest.mark.parametrize("coins", [0, 1])
def test_a_raise_is_more_than_the_stake(coins: int) -> None:
    with pytest.raises(IllegalActionError, match=r"a raise is more than the stake \(1\)"):
        play(START, Placement(BOARD.grid.number("b2"), coins))


def test_raises_are_legal_though_only_plain_placements_are_listed() -> None:
    view = legal_actions(START)
    assert Placement(BOARD.grid.number("b2"), 2) in view
    assert all(action.coins is None for action in view if isinstance(action, Placement))


def test_without_a_pot_nothing_is_paid() -> None:
    with pytest.raises(IllegalActionError, match=r"\+b2=2: coins are paid in Ahumm only"):
        after(start_position(BOARD), "+b2=2")


def test_a_purse_below_the_stake_cannot_place() -> None:
    poor = with_coins(2, 20, 18, 3)
    assert not any(isinstance(action, Placement) for action in legal_actions(poor))
    with pytest.raises(IllegalActionError, match=r"\+b2: light's purse holds 2, the stake is 3"):
        after(poor, "+b2")
    assert Placement(BOARD.grid.number("b2")) in legal_actions(with_coins(3, 20, 17, 3))


def test_a_side_that_can_neither_step_nor_pay_passes() -> None:
    blocked = parse_position("5/2ss2/3f3/8/9/8/7/6/S4 l 0/0 6/5 0/20/20/1")
    assert list(legal_actions(blocked)) == [Pass()]
    assert resolve(blocked, Pass()).after.coins == blocked.coins


def test_a_game_in_which_nobody_can_step_or_pay_is_drawn() -> None:
    broke = parse_position("5/2ss2/7/8/9/8/7/6/S4 l 0/0 6/6 0/0/40/1")
    assert not legal_actions(broke)
    assert Game(broke).outcome == Outcome(None, Reason.BLOCKED)
    assert Game(broke).position.coins == (0, 0, 40, 1)


def test_the_winner_on_the_board_takes_the_pot() -> None:
    close = parse_position("5/6/7/8/9/8/7/6/1SF1s l 1/0 5/6 3/4/5/2")
    assert after(close, "a3a4").coins == (8, 4, 0, 2)


def test_the_winner_by_resignation_takes_the_pot() -> None:
    game = Game(START)
    for action in ("+b2=3", "+h5"):
        game.play(action)
    game.resign(Side.LIGHT)
    assert game.position.coins == (17, 23, 0, 3)
    assert game.outcome == Outcome(Side.DARK, Reason.RESIGNATION)


def test_taking_back_takes_a_resignation_back() -> None:
    game = Game(START)
    game.play("+b2")
    game.resign(Side.LIGHT)
    assert game.undo().action == Placement(BOARD.grid.number("b2"))
    assert (game.outcome, game.position) == (None, START)


def test_a_draw_leaves_the_pot() -> None:
    game = Game(START)
    game.play("+b2=3")
    game.agree_draw()
    assert game.position.coins == (17, 20, 3, 3)


def test_the_code_shows_purses_pot_and_stake() -> None:
    code = format_position(after(START, "+b2=3"))
    assert code == "5/2ss2/2fff2/8/9/8/2FFF2/1FSS2/5 d 3/0 2/3 17/20/3/3"
    assert parse_position(code) == after(START, "+b2=3")


# -- a match --------------------------------------------------------------------------------------


def drawn(match: Match, *actions: str) -> None:
    """Play the next game of `match`, agree a draw and count it."""
    game = match.next_game()
    for action in actions:
        game.play(action)
    game.agree_draw()
    match.finish(game)


def resigned(match: Match, side: Side, *actions: str) -> None:
    """Play the next game of `match`, let `side` resign and count it."""
    game = match.next_game()
    for action in actions:
        game.play(action)
    game.resign(side)
    match.finish(game)


def test_sides_take_turns_in_beginning() -> None:
    match = Match(BOARD, AHUMM)
    begins = []
    for _ in range(3):
        begins.append(match.next_game().position.side)
        drawn(match)
    assert begins == [Side.LIGHT, Side.DARK, Side.LIGHT]


def test_dark_may_begin_a_match() -> None:
    assert Match(BOARD, AHUMM, begins=Side.DARK).next_game().position.side is Side.DARK


def test_purses_are_carried_from_game_to_game() -> None:
    match = Match(BOARD, AHUMM)
    resigned(match, Side.DARK, "+b2=3", "+h5")
    assert match.coins == (23, 17, 0, 1)
    assert match.next_game().position.coins == match.coins
    assert match.outcomes == [Outcome(Side.LIGHT, Reason.RESIGNATION)]


def test_the_stake_starts_afresh_in_each_game() -> None:
    match = Match(BOARD, RuleSet("ahumm", stake=2))
    resigned(match, Side.DARK, "+b2=5")
    coins = match.next_game().position.coins
    assert coins is not None
    assert coins.stake == 2


def test_after_a_draw_the_pot_stays_for_the_next_game() -> None:
    match = Match(BOARD, AHUMM)
    drawn(match, "+b2=4", "+h5")
    assert match.next_game().position.coins == (16, 16, 8, 1)
    resigned(match, Side.LIGHT, "+h5")
    assert match.coins == (16, 24, 0, 1)


def test_an_empty_purse_after_a_game_ends_the_match() -> None:
    match = Match(BOARD, AHUMM)
    resigned(match, Side.LIGHT, "+b2=20")
    assert (match.over, match.coins) == (True, (0, 40, 0, 1))
    with pytest.raises(IllegalActionError, match="the match is over"):
        match.next_game()


def test_a_purse_that_the_pot_fills_again_does_not_end_the_match() -> None:
    match = Match(BOARD, AHUMM)
    resigned(match, Side.DARK, "+b2=20")
    assert (match.over, match.coins) == (False, (20, 20, 0, 1))


def test_the_agreed_number_of_games_ends_the_match() -> None:
    match = Match(BOARD, AHUMM, games=2)
    drawn(match)
    assert not match.over
    drawn(match)
    assert match.over


def test_the_players_may_end_the_match() -> None:
    match = Match(BOARD, AHUMM)
    drawn(match)
    match.end()
    assert match.over
    match.end()  # which changes nothing
    assert match.coins == (20, 20, 0, 1)


def test_a_match_that_ends_with_a_pot_divides_it() -> None:
    match = Match(BOARD, AHUMM)
    drawn(match, "+b2", "+h5")
    match.end()
    assert match.coins == (20, 20, 0, 1)


@pytest.mark.parametrize(
    ("begins", "action", "coins"),
    [(Side.LIGHT, "+b2=5", (17, 23, 0, 1)), (Side.DARK, "+h5=5", (23, 17, 0, 1))],
)
def test_an_odd_coin_goes_to_who_did_not_begin(
    begins: Side, action: str, coins: tuple[int, ...]
) -> None:
    match = Match(BOARD, AHUMM, games=1, begins=begins)
    drawn(match, action)
    assert match.coins == coins


def test_an_empty_purse_after_a_draw_ends_the_match_and_divides_the_pot() -> None:
    match = Match(BOARD, AHUMM)
    drawn(match, "+b2=20")
    assert (match.over, match.coins) == (True, (10, 30, 0, 1))


def test_a_match_without_a_pot() -> None:
    match = Match(BOARD, EGRESSIAN, games=1)
    resigned(match, Side.LIGHT)
    assert (match.over, match.coins) == (True, None)


def test_only_a_game_that_is_over_counts() -> None:
    match = Match(BOARD, AHUMM, games=1)
    game = match.next_game()
    with pytest.raises(IllegalActionError, match="the game is not over yet"):
        match.finish(game)
    game.agree_draw()
    match.finish(game)
    with pytest.raises(IllegalActionError, match="the match is over"):
        match.finish(game)


def test_a_match_has_at_least_one_game() -> None:
    with pytest.raises(NotationError, match="games '0': expected at least 1"):
        Match(BOARD, AHUMM, games=0)
