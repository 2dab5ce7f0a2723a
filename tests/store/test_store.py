"""What the store keeps, refuses and gives back."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sorcel_pi.errors import StoreError
from sorcel_pi.rules.actions import Outcome, Reason
from sorcel_pi.rules.board import standard_board
from sorcel_pi.rules.game import Game, Match, parse_record
from sorcel_pi.rules.position import AHUMM, Side, rule_set_from_text, start_position
from sorcel_pi.store.records import (
    ActionDone,
    GameAbandoned,
    GameEnded,
    GameResumed,
    GameStarted,
    Health,
    OpenState,
    Record,
    RefusedError,
    Setting,
    TakenBack,
)
from sorcel_pi.store.rows import DamagedGameError, Status
from sorcel_pi.store.store import Store

from .games import (
    SMALL_BOARD,
    completed,
    new_game,
    played,
    put_action,
    put_game,
    put_open,
    same,
    take_back,
    texts,
)

NOW_S = 1_700_000_000.0


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "games.sqlite3", clock=lambda: NOW_S) as opened:
        yield opened


def again(store: Store) -> Store:
    """Close the store and open it again."""
    store.close()
    return Store.open(store.path)


def sql(store: Store, text: str, *values: object) -> None:
    """Change the database behind the store's back."""
    assert store._db is not None
    assert store._db.execute(text, values).rowcount > 0


# -- games ----------------------------------------------------------------------------------------


def test_nothing_is_there_at_first(store: Store) -> None:
    assert store.notices == []
    assert store.games() == []
    assert store.running_game() is None
    assert store.next_game_id() == 1
    assert store.settings() == store.health() == {}


def test_a_running_game_comes_back_with_its_open_state(store: Store) -> None:
    game = played(new_game(White="?", Light="Anna"), 12)
    game_id = put_game(store, new_game(White="?", Light="Anna"))
    for ply, text in enumerate(texts(game)):
        put_action(store, game_id, ply, text)
    state = {"action": "c3d4", "belief": [1, 2**60], "hand": ["S"], "é": None}
    put_open(store, game_id, state)
    with again(store) as store:
        found = store.running_game()
        assert found is not None
        assert (found.game_id, found.status, found.open_state) == (1, Status.RUNNING, state)
        assert found.started == datetime.fromtimestamp(NOW_S, UTC)
        assert same(found.game, game)
        put_open(store, game_id, None)
        assert store.stored(game_id).open_state is None


GAMES = st.builds(
    played,
    st.builds(
        new_game,
        st.sampled_from(["egressian", "ahumm", "egressian repetition=yes", "ahumm stake=3"]).map(
            rule_set_from_text
        ),
        Event=st.text(st.characters(exclude_categories=["Cs"]), max_size=9),
    )
    | st.builds(Game, st.just(start_position(SMALL_BOARD))),
    st.integers(0, 60),
    st.integers(0, 999),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(GAMES, st.sampled_from(["", "light", "dark", "draw"]))
def test_any_game_comes_back(store: Store, game: Game, ending: str) -> None:
    if ending and game.outcome is None:
        if ending == "draw":
            game.agree_draw()
        else:
            game.resign(Side.LIGHT if ending == "light" else Side.DARK)
    game_id = put_game(store, game)
    found = store.stored(game_id)
    assert same(found.game, game)
    assert found.status == (Status.FINISHED if game.outcome else Status.RUNNING)
    assert store.export(game_id) == game.record()
    assert texts(parse_record(store.export(game_id))) == texts(game)


def test_a_game_of_a_match_keeps_its_purses(store: Store) -> None:
    match = Match(SMALL_BOARD, AHUMM)
    first = match.next_game()
    first.play(next(iter(first.legal_actions)))
    first.resign(Side.LIGHT)
    match.finish(first)
    second = match.next_game()
    assert second.start.coins != first.start.coins
    assert same(store.load(put_game(store, second)), second)


def test_the_list_of_games(store: Store) -> None:
    game = played(new_game(Light="Anna"), 7)
    ended = played(new_game(AHUMM), 2)
    ended.resign(Side.LIGHT)
    for each in (game, ended):
        put_game(store, each)
    store.abandon(1)
    second, first = store.games()
    assert (first.game_id, first.status, first.actions) == (1, Status.ABANDONED, 7)
    assert (first.headers, first.outcome, first.rules) == ({"Light": "Anna"}, "", "egressian")
    assert (second.game_id, second.status, second.actions) == (2, Status.FINISHED, 2)
    assert (second.outcome, second.rules, second.problem) == ("dark resignation", "ahumm", None)
    assert second.started == datetime.fromtimestamp(NOW_S, UTC)


def test_the_last_one_begun_or_resumed_is_offered(store: Store) -> None:
    for actions in (1, 2, 3):
        put_game(store, played(new_game(), actions))

    def offered() -> int | None:
        found = store.running_game()
        return None if found is None else found.game_id

    assert offered() == 3
    store.abandon(3)
    assert offered() == 2
    assert store.resume(1).game_id == 1
    assert offered() == 1
    store.abandon(1)
    store.abandon(2)
    assert offered() is None
    assert store.resume(3).status == Status.RUNNING
    assert offered() == 3


def test_a_game_that_is_over_goes_on_when_it_is_taken_back(store: Store) -> None:
    game = played(new_game(), 5)
    game.agree_draw()
    game_id = put_game(store, game)
    with pytest.raises(RefusedError, match="game 1 is finished draw agreement"):
        put_action(store, game_id, 5, "end")
    with pytest.raises(RefusedError, match="is finished"):
        store.abandon(game_id)
    with pytest.raises(RefusedError, match="is finished"):
        store.resume(game_id)
    with pytest.raises(RefusedError, match="is finished"):
        store.apply([GameEnded(game_id, Outcome(None, Reason.AGREEMENT))])
    take_back(store, game_id, 4)
    game.undo()
    assert same(store.load(game_id), game)
    assert store.stored(game_id).status == Status.RUNNING
    for ply in (3, 2, 1, 0):
        take_back(store, game_id, ply)
    assert same(store.load(game_id), new_game())
    with pytest.raises(RefusedError, match="game 1 has 0 actions: number -1 is not the last"):
        take_back(store, game_id, -1)
    put_action(store, game_id, 0, "c3d4")
    assert texts(store.load(game_id)) == ["c3d4"]


def test_the_open_state_goes_with_the_action(store: Store) -> None:
    game_id = put_game(store, new_game())
    put_open(store, game_id, {"hand": 1})
    put_action(store, game_id, 0, "c3d4")
    assert store.stored(game_id).open_state is None
    store.apply(completed(game_id, 1, "end"))
    assert store.stored(game_id).open_state == {"ply": 2}
    take_back(store, game_id, 1)
    assert store.stored(game_id).open_state is None


def test_health_and_settings(store: Store) -> None:
    store.apply([Health("c3", {"flicker": 2}), Setting("games", 3), Setting("coins", [1, None])])
    store.apply([Health("c3", {"flicker": 5, "lift": 1}), Setting("games", None)])
    with again(store) as store:
        assert store.health() == {"c3": {"flicker": 5, "lift": 1}}
        assert store.settings() == {"games": None, "coins": [1, None]}
        sql(store, "UPDATE settings SET value = '[1, ' WHERE key = 'coins'")
        assert store.settings() == {"games": None}


# -- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (ActionDone(1, 1, "c3d4"), "game 1: action 'c3d4' has the number 1, the next is 2"),
        (ActionDone(1, 3, "c3d4"), "has the number 3, the next is 2"),
        (ActionDone(7, 0, "c3d4"), "there is no game 7"),
        (ActionDone(1, 2, "c3d4", at=float("nan")), "cannot be stored"),
        (ActionDone(1, 2, "\ud800"), "cannot be stored"),
        (ActionDone(2**70, 2, "c3d4"), "cannot be stored"),
        (TakenBack(1, 0), "game 1 has 2 actions: number 0 is not the last"),
        (TakenBack(1, 2), "number 2 is not the last"),
        (OpenState(1, {"x": object()}), "cannot be stored"),
        (OpenState(1, {"x": float("nan")}), "cannot be stored"),
        (OpenState(7, {}), "there is no game 7"),
        (GameEnded(7, Outcome(None, Reason.AGREEMENT)), "there is no game 7"),
        (GameAbandoned(7), "there is no game 7"),
        (GameResumed(7), "there is no game 7"),
        (GameStarted.of(1, new_game()), "there is a game 1 already"),
        (GameStarted(2, "", "", {"A": {1}}, ""), "cannot be stored"),  # type: ignore[dict-item]
        (Health("c3", {"n": {1}}), "cannot be stored"),  # type: ignore[dict-item]
        (Setting("x", {1}), "cannot be stored"),
        (Setting(("x",), 1), "cannot be stored"),  # type: ignore[arg-type]
    ],
)
def test_a_record_that_does_not_fit_spoils_its_batch(
    store: Store, record: Record, said: str
) -> None:
    game_id = put_game(store, played(new_game(), 2))
    before = store.stored(game_id)
    batch: list[Record] = [Setting("before", 1), OpenState(game_id, {"x": 1}), record]
    with pytest.raises(RefusedError) as caught:
        store.apply([*batch, Setting("after", 1)])
    assert said in str(caught.value)
    after = store.stored(game_id)
    assert (texts(after.game), after.open_state) == (texts(before.game), None)
    assert store.settings() == {}
    store.apply([Setting("later", 1)])
    assert store.settings() == {"later": 1}


def test_a_game_that_could_not_be_read_again_is_refused(store: Store) -> None:
    start = start_position(standard_board())
    for odd in (start._replace(steps_left=9), start._replace(rules=AHUMM)):
        with pytest.raises(RefusedError, match="the game cannot be stored: "):
            put_game(store, Game(odd))
    assert store.games() == []


def test_a_ticket_counts_once(store: Store) -> None:
    game_id = put_game(store, new_game())
    batch = completed(game_id, 0, "c3d4")
    store.apply(batch, ticket=("me", 5))
    store.apply(batch, ticket=("me", 5))
    store.apply(batch, ticket=("me", 4))
    assert texts(store.load(game_id)) == ["c3d4"]
    with pytest.raises(RefusedError):
        store.apply(batch, ticket=("me", 6))
    store.apply(completed(game_id, 1, "end"), ticket=("me", 6))
    store.apply(completed(game_id, 2, "g5f5"), ticket=("you", 1))
    assert texts(store.load(game_id)) == ["c3d4", "end", "g5f5"]


# -- what is not as it was ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE actions SET text = 'c4d4' WHERE ply = 1", "game 2: action 1 is damaged"),
        ("UPDATE actions SET time = 0 WHERE ply = 4", "action 4 is damaged"),
        ("DELETE FROM actions WHERE ply = 2", "action 2 is damaged"),
        ("DELETE FROM actions WHERE ply = 4", "it has 5 actions, and 4 of them can be read"),
        ("UPDATE games SET status = 'abandoned'", "what is stored of it is damaged"),
        ("UPDATE games SET status = x'00'", "what is stored of it is damaged"),
        ("UPDATE games SET outcome = 'light detained'", "what is stored of it is damaged"),
        ("UPDATE games SET started = 1e300", "what is stored of it is damaged"),
        ("UPDATE games SET headers = '{'", "what is stored of it is damaged"),
    ],
)
def test_a_damaged_game_is_reported_kept_and_not_offered(
    store: Store, change: str, said: str
) -> None:
    good = played(new_game(), 3)
    for game in (good, played(new_game(), 5)):
        put_game(store, game)
    of = "id" if "games" in change else "game"
    sql(store, f"{change} {'AND' if 'WHERE' in change else 'WHERE'} {of} = 2")
    found = store.running_game()
    assert found is not None
    assert (found.game_id, texts(found.game)) == (1, texts(good))
    (notice,) = store.notices
    assert said in notice
    assert notice.endswith("It is kept, but not offered.")
    store.running_game()
    assert store.notices == [notice]
    with pytest.raises(DamagedGameError, match=said):
        store.export(2)
    with pytest.raises(StoreError, match=said):
        store.resume(2)
    if "games" in change:
        with pytest.raises(DamagedGameError, match=said):
            put_action(store, 2, 5, "end")
        assert [game.problem for game in store.games()] == ["what is stored of it is damaged", None]
    assert [game.game_id for game in store.games()] == [2, 1]


def test_a_damaged_open_action_is_left_out(store: Store) -> None:
    game_id = put_game(store, new_game())
    put_open(store, game_id, {"hand": 1})
    sql(store, "UPDATE open_states SET data = '{\"hand\": 2}'")
    found = store.running_game()
    assert found is not None
    assert found.open_state is None
    assert "the open action is damaged" in store.notices[0]


def test_an_action_that_is_not_legal_shows_when_the_game_is_loaded(store: Store) -> None:
    game_id = put_game(store, new_game())
    put_action(store, game_id, 0, "a1a2")
    assert store.running_game() is None
    assert "action 0: a1a2: " in store.notices[0]
    take_back(store, game_id, 0)
    assert store.running_game() is not None


def test_an_ending_that_the_actions_contradict(store: Store) -> None:
    game_id = put_game(store, played(new_game(), 3))
    store.apply([GameEnded(game_id, Outcome(Side.LIGHT, Reason.DETAINED))])
    with pytest.raises(DamagedGameError, match="stored as 'light detained', the actions say ''"):
        store.load(game_id)


def test_one_reads_while_another_writes(store: Store) -> None:
    game_id = put_game(store, new_game())
    with Store.open(store.path, read_only=True) as reader:
        put_action(store, game_id, 0, "c3d4")
        assert texts(reader.load(game_id)) == ["c3d4"]
        with pytest.raises(StoreError, match="it may not be written"):
            put_action(reader, game_id, 1, "end")
        reader.reopen()
        assert [game.actions for game in reader.games()] == [1]
    put_action(store, game_id, 1, "end")


def test_a_closed_store_says_so(store: Store) -> None:
    store.close()
    store.close()
    with pytest.raises(StoreError, match="the store is closed"):
        store.games()
    with pytest.raises(StoreError, match="the store is closed"):
        store.apply([Setting("x", 1)])
