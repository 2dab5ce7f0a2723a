"""The thread that writes: slow stores, stores that fail, and what is left when it stops."""

import random
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from sorcel_pi.errors import StoreError
from sorcel_pi.store.records import Record, RefusedError, Setting
from sorcel_pi.store.store import Store
from sorcel_pi.store.writer import Writer

from .games import LONG_ENOUGH_S, completed, new_game, played, put_game, texts, until


class Sick:
    """A store that does what `treatment` says with each write, and counts."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.treatment: Callable[[], None] = lambda: None
        self.aftermath: Callable[[], None] = lambda: None
        self.sizes: list[int] = []
        self.reopened = 0
        self.closed = threading.Event()

    def apply(self, batch: Sequence[Record], *, ticket: tuple[str, int] | None = None) -> None:
        self.treatment()
        self.store.apply(batch, ticket=ticket)
        self.sizes.append(len(batch))
        self.aftermath()

    def reopen(self) -> None:
        self.reopened += 1
        self.store.reopen()

    def close(self) -> None:
        self.store.close()
        self.closed.set()


class Gate:
    """Holds up whoever passes until it is opened, as a card that takes two seconds a write."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.opened = threading.Event()

    def __call__(self) -> None:
        self.reached.set()
        assert self.opened.wait(LONG_ENOUGH_S)


class Failures:
    """Fails so many times, then no more."""

    def __init__(self, times: int, error: Exception | None = None) -> None:
        self.left = times
        self.error = error or StoreError("the disk failed")

    def __call__(self) -> None:
        if self.left > 0:
            self.left -= 1
            raise self.error


@pytest.fixture
def sick(tmp_path: Path) -> Iterator[Sick]:
    store = Store.open(tmp_path / "games.sqlite3")
    assert put_game(store, new_game()) == 1
    yield Sick(store)
    store.close()


@pytest.fixture
def writer(sick: Sick) -> Iterator[Writer]:
    made = Writer(sick, backoff_s=[0.0])
    yield made
    made.close(timeout_s=LONG_ENOUGH_S)


def submit_game(writer: Writer, count: int) -> list[str]:
    """Submit the actions of a game one by one, and return them."""
    actions = texts(played(new_game(), count))
    assert len(actions) == count
    for ply, text in enumerate(actions):
        writer.submit(completed(1, ply, text))
    return actions


def collect(writer: Writer) -> list[int]:
    """Return all tickets that are done, when nothing is left to do."""
    until(lambda: writer.pending == 0)
    return writer.done()


def stored(sick: Sick) -> list[str]:
    with Store.open(sick.store.path, read_only=True) as reader:
        return texts(reader.load(1))


def test_what_is_submitted_is_written_in_order(sick: Sick, writer: Writer) -> None:
    actions = submit_game(writer, 30)
    assert collect(writer) == list(range(1, 31))
    assert writer.done() == []
    assert stored(sick) == actions
    assert (writer.failed, writer.refused()) == (None, [])


def test_a_slow_store_holds_nobody_up_and_loses_nothing(sick: Sick, writer: Writer) -> None:
    gate = Gate()
    sick.treatment = gate
    first = writer.submit([Setting("first", 1)])
    assert gate.reached.wait(LONG_ENOUGH_S)
    actions = texts(played(new_game(), 50))
    for ply, text in enumerate(actions):
        writer.submit(completed(1, ply, text))
        assert writer.done() == []
    assert (writer.pending, writer.failed, first) == (51, None, 1)
    assert stored(sick) == []
    gate.opened.set()
    assert collect(writer) == list(range(1, 52))
    assert stored(sick) == actions
    assert sick.sizes == [1, 100]  # what had piled up was written in one go


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (StoreError("games.sqlite3: the disk is full"), "games.sqlite3: the disk is full"),
        (OSError("the card is gone"), "OSError: the card is gone"),
        (MemoryError(), "MemoryError: "),
    ],
)
def test_a_store_that_fails_is_tried_until_it_is_well(
    sick: Sick, writer: Writer, error: Exception, said: str
) -> None:
    failures = Failures(10**9, error)
    sick.treatment = failures
    actions = submit_game(writer, 20)
    until(lambda: failures.left < 10**9 - 5)
    assert writer.failed == said
    assert (writer.done(), writer.pending) == ([], 20)
    assert stored(sick) == []
    failures.left = 0
    assert collect(writer) == list(range(1, 21))
    assert [writer.failed] == [None]
    assert stored(sick) == actions
    assert sick.reopened >= 5


@pytest.mark.parametrize("seed", range(3))
def test_a_store_that_fails_now_and_then_keeps_order(sick: Sick, writer: Writer, seed: int) -> None:
    chance = random.Random(seed)

    def sometimes() -> None:
        if chance.random() < 0.4:
            raise StoreError("the disk failed")

    sick.treatment = sick.aftermath = sometimes
    actions = submit_game(writer, 60)
    assert collect(writer) == list(range(1, 61))
    assert stored(sick) == actions


def test_a_write_that_failed_but_had_reached_the_disk_counts_once(
    sick: Sick, writer: Writer
) -> None:
    sick.aftermath = Failures(3)
    actions = submit_game(writer, 10)
    assert collect(writer) == list(range(1, 11))
    assert stored(sick) == actions
    assert writer.refused() == []


def test_a_full_disk_in_earnest(sick: Sick, writer: Writer) -> None:
    pages = 1  # which stands for as many as there are

    def full() -> None:
        assert sick.store._db is not None
        sick.store._db.execute(f"PRAGMA max_page_count = {pages}")

    sick.treatment = full
    writer.submit([Setting("big", "x" * 100_000)])
    until(lambda: writer.failed is not None)
    assert "the disk is full" in (writer.failed or "")
    actions = submit_game(writer, 5)
    pages = 1000
    assert collect(writer) == [1, 2, 3, 4, 5, 6]
    assert stored(sick) == actions


def test_a_database_that_is_gone_is_waited_for(sick: Sick, writer: Writer) -> None:
    path, away = sick.store.path, sick.store.path.with_name("away")
    away.mkdir()
    sick.treatment = Failures(1)
    sick.store.close()
    path.rename(away / path.name)
    actions = submit_game(writer, 5)
    until(lambda: "it cannot be opened" in (writer.failed or ""))
    said = {writer.failed for _ in range(1000)}
    assert all(words and "it cannot be opened" in words for words in said)  # and goes on saying so
    (away / path.name).rename(path)
    assert collect(writer) == [1, 2, 3, 4, 5]
    assert stored(sick) == actions


def test_a_batch_that_is_refused_is_named_and_the_rest_written(sick: Sick, writer: Writer) -> None:
    gate = Gate()
    sick.treatment = gate
    writer.submit([Setting("first", 1)])
    assert gate.reached.wait(LONG_ENOUGH_S)
    writer.submit(completed(1, 0, "c3d4"))
    writer.submit([Setting("spoiled", 1), *completed(1, 7, "end")])
    writer.submit(completed(1, 1, "end"))
    gate.opened.set()
    assert collect(writer) == [1, 2, 4]
    ((ticket, reason),) = writer.refused()
    assert (ticket, writer.refused(), writer.failed) == (3, [], None)
    assert "has the number 7, the next is 1" in reason
    assert stored(sick) == ["c3d4", "end"]
    with Store.open(sick.store.path, read_only=True) as reader:
        assert reader.settings() == {"first": 1}


# -- the end --------------------------------------------------------------------------------------


def test_close_writes_what_waits(sick: Sick, writer: Writer) -> None:
    actions = submit_game(writer, 40)
    assert writer.close(timeout_s=LONG_ENOUGH_S)
    assert writer.done() == list(range(1, 41))
    assert sick.closed.is_set()
    assert stored(sick) == actions
    with pytest.raises(StoreError, match="the writer is closed"):
        writer.submit([])
    assert writer.close(timeout_s=0)
    Store.open(sick.store.path).close()


def test_close_tries_a_store_that_fails_for_a_while(sick: Sick, writer: Writer) -> None:
    sick.treatment = Failures(20)
    actions = submit_game(writer, 5)
    assert writer.close(timeout_s=LONG_ENOUGH_S)
    assert stored(sick) == actions


def test_close_gives_up_after_a_while(sick: Sick) -> None:
    writer = Writer(sick, backoff_s=[LONG_ENOUGH_S])
    sick.treatment = Failures(10**9)
    submit_game(writer, 5)
    until(lambda: writer.failed is not None)
    assert not writer.close(timeout_s=0.01)
    assert sick.closed.wait(LONG_ENOUGH_S)
    assert writer.pending == 5
    assert stored(sick) == []


def test_close_does_not_wait_for_a_write_that_hangs(sick: Sick) -> None:
    gate = Gate()
    sick.treatment = gate
    writer = Writer(sick)
    submit_game(writer, 5)
    assert gate.reached.wait(LONG_ENOUGH_S)
    assert not writer.close(timeout_s=0.01)
    gate.opened.set()
    assert sick.closed.wait(LONG_ENOUGH_S)


def test_nothing_is_written_out_of_order_when_giving_up(sick: Sick) -> None:
    writer = Writer(sick, backoff_s=[LONG_ENOUGH_S])
    gate = Gate()
    sick.treatment = gate
    writer.submit([Setting("first", 1)])
    assert gate.reached.wait(LONG_ENOUGH_S)
    writer.submit(completed(1, 9, "refused, so that each is tried by itself"))
    writer.submit(completed(1, 0, "c3d4"))
    writer.submit(completed(1, 1, "end"))
    outcomes = iter([RefusedError("one by one"), RefusedError("this one"), StoreError("failed")])

    def fails() -> None:
        for error in outcomes:
            raise error

    sick.treatment = fails
    gate.opened.set()
    until(lambda: writer.failed is not None)
    assert not writer.close(timeout_s=0.01)
    assert sick.closed.wait(LONG_ENOUGH_S)
    assert stored(sick) == []
    assert writer.pending == 2
