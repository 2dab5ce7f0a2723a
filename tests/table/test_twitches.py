"""A sleeve that touches a neighbour during a step or a relocation changes nothing."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from sorcel_pi import (
    Cascade,
    Piece,
    Placement,
    Step,
    format_action,
    format_position,
    outcome,
    parse_action,
    parse_position,
    resolve,
    resolve_all,
    spaces_of,
)
from sorcel_pi.table.events import Done, Illegal
from tests.table.contacts import Change, Contacts

VECTORS = Path(__file__).parents[1] / "rules" / "vectors"
CARRIED_S = 0.4
MOMENTS = [CARRIED_S * (k + 0.5) / 20 for k in range(20)]
LENGTHS_S = (0.0, 0.07)
"""How long a touched contact is open: one scan, or 70 ms."""


TOUCHES_S = (0.0, 0.03, 0.07, 0.15)


class Case(NamedTuple):
    """A step during which the contact of a neighbour opens for a moment."""

    code: str
    text: str
    neighbour: int
    moment_s: float
    open_s: float


def cases() -> Iterator[Case]:
    """Yield each legal step of the vectors with each occupied neighbour at each moment."""
    codes = (VECTORS / "egressian.jsonl").read_text("utf-8").splitlines()
    for code in dict.fromkeys(json.loads(line)["before"] for line in codes):
        position = parse_position(code)
        adjacent = position.board.grid.adjacent
        for cascade in resolve_all(position):
            action = cascade.action
            if isinstance(action, Step):
                near = adjacent[action.origin] | adjacent[action.target]
                for space in spaces_of(near & position.occupied & ~(1 << action.origin)):
                    text = format_action(position.board, action)
                    for k, moment in enumerate(MOMENTS):
                        yield Case(code, text, space, moment, LENGTHS_S[k % 2])


def touched(at_s: float, space: int, open_s: float) -> list[Change]:
    if not open_s:
        return [Change(at_s, "~", space)]
    return [Change(at_s, "-", space), Change(at_s + open_s, "+", space)]


def check(case: Case) -> None:
    table = Contacts(case.code)
    origin, target = table.space(case.text[:2]), table.space(case.text[2:])
    table.run(
        [
            Change(0.0, "-", origin),
            Change(CARRIED_S, "+", target),
            *touched(case.moment_s, case.neighbour, case.open_s),
        ],
        rest_s=0.6,
    )
    opened = table.companion.referee.open
    found = [*table.played, *([format_action(table.start.board, opened.action)] if opened else [])]
    assert [text for text in found if text != "pass"] == [case.text], case
    cascade = resolve(table.start, parse_action(table.start.board, case.text))
    if outcome(cascade.after) is None:
        wood = moved(table, origin, target)
        follow(table, wood)
        table.wait(1.0)
        assert wood == dict(cascade.after.placed()), case
        assert dict(table.companion.referee.state.pieces) == wood, case
        assert [text for text in table.played if text != "pass"] == [case.text], case
    assert not any(isinstance(event, Illegal) for event in table.events), case


def test_a_touched_neighbour_changes_no_step() -> None:
    for case in random.Random(10).sample(list(cases()), 400):
        check(case)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_no_touched_neighbour_changes_any_step(part: int) -> None:
    for number, case in enumerate(cases()):
        if number % 8 == part:
            check(case)


def several_touched(near: int, begin_s: float, end_s: float, rng: random.Random) -> list[Change]:
    """Return touches of up to three of the spaces in the mask `near` that begin in this time."""
    spaces = list(spaces_of(near))
    changes = []
    for space in rng.sample(spaces, min(len(spaces), rng.randint(1, 3))):
        changes += touched(rng.uniform(begin_s, end_s), space, rng.choice(TOUCHES_S))
    return changes


def test_several_touched_neighbours_change_no_action() -> None:
    """A piece that is touched as a Shif is placed beside it, or while another steps, stays."""
    codes = (VECTORS / "egressian.jsonl").read_text("utf-8").splitlines()
    drawn = [
        (code, cascade)
        for code in dict.fromkeys(json.loads(line)["before"] for line in codes)
        for cascade in resolve_all(parse_position(code))
        if isinstance(cascade.action, Step | Placement)
    ]
    rng = random.Random(3)
    for code, cascade in rng.sample(drawn, 300):
        action, table = cascade.action, Contacts(code)
        assert isinstance(action, Step | Placement)
        adjacent = table.grid.adjacent
        target = action.target if isinstance(action, Step) else action.space
        near, changes = adjacent[target], [Change(CARRIED_S, "+", target)]
        if isinstance(action, Step):
            changes.append(Change(0.0, "-", action.origin))
            near = (near | adjacent[action.origin]) & ~(1 << action.origin)
        # What is lifted 100 ms after the drop may be the next player's: the action counts.
        begin_s, end_s = CARRIED_S - 0.28, CARRIED_S + 0.08
        changes += several_touched(near & cascade.before.occupied, begin_s, end_s, rng)
        changes.sort(key=lambda change: change.at_s)
        table.run(changes, rest_s=0.7)
        opened = table.companion.referee.open
        found = [*table.played]
        if opened is not None:
            found.append(format_action(table.start.board, opened.action))
        text = format_action(table.start.board, action)
        assert [each for each in found if each != "pass"] == [text], (code, text, changes)


def chains() -> Iterator[tuple[str, Cascade]]:
    """Yield cascades of the vectors that move at least three pieces and decide nothing."""
    codes = (VECTORS / "egressian.jsonl").read_text("utf-8").splitlines()
    for code in dict.fromkeys(json.loads(line)["before"] for line in codes):
        for cascade in resolve_all(parse_position(code)):
            chain = isinstance(cascade.action, Step) and len(cascade.consequences) >= 3
            if chain and outcome(cascade.after) is None:
                yield code, cascade


def moved(table: Contacts, origin: int, target: int) -> dict[int, Piece]:
    """Return what really stands where after the step."""
    wood = dict(table.start.placed())
    wood[target] = wood.pop(origin)
    return wood


def follow(table: Contacts, wood: dict[int, Piece], rng: random.Random | None = None) -> None:
    """Do to `wood` what the lights ask for; by `rng` a neighbour is touched in each relocation."""
    adjacent = table.grid.adjacent
    for _ in range(30):
        move = table.view.next
        if move is None or move.origin is None:
            return
        ends = [space for space in (move.origin, move.target) if space is not None]
        near = 0
        for space in ends:
            near |= adjacent[space]
        beside = [s for s in spaces_of(near & table.closed) if s not in ends]
        changes = [Change(0.0, "-", move.origin)]
        piece = wood.pop(move.origin)  # whatever stands there: the board alone knows no better
        if move.target is not None:
            wood[move.target] = piece
            changes.append(Change(CARRIED_S, "+", move.target))
        if beside and rng is not None:
            at_s = rng.uniform(0.02, CARRIED_S)
            changes += touched(at_s, rng.choice(beside), rng.choice(TOUCHES_S))
        table.run(changes, rest_s=0.6)


def check_chain(code: str, cascade: Cascade, rng: random.Random) -> None:
    table = Contacts(code)
    action = cascade.action
    assert isinstance(action, Step)
    where = f"{code} {format_action(cascade.before.board, action)}"
    table.run([Change(0.0, "-", action.origin), Change(CARRIED_S, "+", action.target)], rest_s=0.6)
    wood = moved(table, action.origin, action.target)
    follow(table, wood, rng)
    table.wait(1.0)
    done = [event.cascade.action for event in table.events if isinstance(event, Done)]
    assert done[:1] == [action], where
    assert table.closed == cascade.after.occupied, where
    assert wood == dict(cascade.after.placed()), where
    assert dict(table.companion.referee.state.pieces) == wood, where
    assert format_position(table.companion.game.cascades[0].after) == format_position(cascade.after)


@pytest.mark.parametrize("part", range(2))
def test_a_touched_neighbour_changes_no_relocation(part: int) -> None:
    rng = random.Random(part)
    for code, cascade in rng.sample(list(chains()), 15):
        check_chain(code, cascade, rng)


@pytest.mark.slow
def test_no_touched_neighbour_changes_the_relocations_of_200_chains() -> None:
    rng = random.Random(200)
    for code, cascade in rng.sample(list(chains()), 200):
        check_chain(code, cascade, rng)
