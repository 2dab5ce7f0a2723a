"""Every legal action is recognised from every order in which its relocations may be done."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, permutations
from pathlib import Path

import pytest

from sorcel_pi import (
    Placement,
    Position,
    Step,
    format_action,
    legal_actions,
    outcome,
    parse_position,
    play,
    standard_board,
    start_position,
)

from .story import Story, Way, carry_out, ways_of

VECTORS = Path(__file__).parents[1] / "rules" / "vectors"


def vector_positions() -> list[Position]:
    codes = [
        json.loads(line)["before"]
        for line in (VECTORS / "egressian.jsonl").read_text("utf-8").splitlines()
    ]
    return [parse_position(code) for code in dict.fromkeys(codes)]


def random_positions(seed: int) -> Iterator[Position]:
    """Yield positions from random games."""
    rng = random.Random(seed)
    while True:
        position = start_position(standard_board())
        while outcome(position) is None:
            position = play(position, rng.choice(list(legal_actions(position))))
            if rng.random() < 0.02 and outcome(position) is None:
                yield position


def check(
    position: Position,
    text: str,
    rng: random.Random,
    *,
    choose: Callable[[Sequence[Way]], Way] | None = None,
) -> None:
    story = Story(position)
    carry_out(
        story, text, choose=choose or rng.choice, rest_s=lambda: rng.choice([0.13, 0.2, 0.5, 0.9])
    )
    story.settle()
    done = [action for action in story.done if action != "pass"]
    assert done == [text], f"{text} in {position}"
    assert story.game.outcome is not None or story.stands(), f"{text} in {position}"


def acts(position: Position) -> list[str]:
    return [
        format_action(position.board, action)
        for action in legal_actions(position)
        if isinstance(action, Step | Placement)
    ]


class EveryOrder:
    """Chooses differently each time, until every order has come up once."""

    def __init__(self) -> None:
        self.course: list[int] = []
        self.widths: list[int] = []

    def begin(self) -> None:
        self.widths = []

    def choose(self, ready: Sequence[Way]) -> Way:
        depth = len(self.widths)
        self.widths.append(len(ready))
        if depth == len(self.course):
            self.course.append(0)
        return ready[self.course[depth]]

    def advance(self) -> bool:
        """Go on to the next order; False when there is none."""
        del self.course[len(self.widths) :]
        while self.course:
            if self.course[-1] + 1 < self.widths[len(self.course) - 1]:
                self.course[-1] += 1
                return True
            self.course.pop()
        return False


def check_every_order(position: Position, text: str, rng: random.Random, most: int) -> int:
    """Check all orders of an action if it has up to five relocations, else a sample of them."""
    if len(ways_of(position, text)[0]) > 5:
        for _ in range(30):
            check(position, text, rng)
        return 30
    orders, count = EveryOrder(), 0
    while True:
        orders.begin()
        check(position, text, rng, choose=orders.choose)
        count += 1
        if not orders.advance() or count >= most:
            return count


@pytest.mark.parametrize("seed", range(4))
def test_a_sample_of_orders(seed: int) -> None:
    rng = random.Random(seed)
    positions = rng.sample(vector_positions(), 30) + list(islice(random_positions(seed), 10))
    for position in positions:
        for text in acts(position):
            check(position, text, rng)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_every_order(part: int) -> None:
    rng = random.Random(part)
    positions = vector_positions()[part::8] + list(islice(random_positions(part), 20))
    for position in positions:
        for text in acts(position):
            check_every_order(position, text, rng, 10_000)


def test_every_order_comes_up_once() -> None:
    orders = EveryOrder()
    found: list[tuple[int, ...]] = []
    while not found or orders.advance():
        orders.begin()
        ready, course = [Way(k, None) for k in range(4)], []
        while ready:
            course.append(orders.choose(ready))
            ready.remove(course[-1])
        found.append(tuple(way.origin for way in course))
    assert sorted(found) == list(permutations(range(4)))


def nudges(position: Position) -> Iterator[Way]:
    """Yield each way of pushing an enemy piece to an empty neighbour."""
    empty = position.board.hexes & ~position.occupied
    for space, piece in position.placed():
        if piece.side is not position.side:
            for target in position.board.grid.neighbours[space]:
                if target >= 0 and empty >> target & 1:
                    yield Way(space, target)


def test_no_enemy_nudge_ever_begins_an_action() -> None:
    rng = random.Random(5)
    names = standard_board().grid.names
    for position in rng.sample(vector_positions(), 25):
        for origin, target in nudges(position):
            if target is None:
                continue
            story = Story(position).move(names[origin], names[target]).settle()
            assert story.referee.open is None
            assert story.game.actions == ()
            story.wait(3).lead()
            assert story.game.actions == ()
            assert story.stands()
