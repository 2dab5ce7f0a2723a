"""What was not seen: gaps in the scans, power cuts, and taking back at every depth."""

import json
import random

import pytest

from sorcel_pi import Action, Placement, Position, Step, format_action, legal_actions, outcome
from sorcel_pi.table.referee.referee import Referee
from sorcel_pi.table.sensing.debouncer import Buttons, Debouncer
from sorcel_pi.table.tracking.pieces import TrackerState

from .story import Story, carry_out
from .test_cases import ONE_PUSH
from .test_every_order import vector_positions

SEEDS = [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 12))]
"""25 moments each: 50 in every run of the suite, 300 with the slow ones."""


def an_act(position: Position, rng: random.Random) -> str:
    acts: list[Action] = [a for a in legal_actions(position) if isinstance(a, Step | Placement)]
    return format_action(position.board, rng.choice(acts))


def playable(rng: random.Random, count: int) -> list[Position]:
    found: list[Position] = []
    while len(found) < count:
        position = rng.choice(vector_positions())
        if outcome(position) is None and any(
            isinstance(a, Step | Placement) for a in legal_actions(position)
        ):
            found.append(position)
    return found


def in_the_middle(position: Position, rng: random.Random) -> tuple[Story, str]:
    """Return a story that stands somewhere in the course of an action, and the action."""
    text = an_act(position, rng)
    story = Story(position)
    moves = rng.randrange(6)
    ways = 0

    class EnoughError(Exception):
        pass

    def rest() -> float:
        nonlocal ways
        ways += 1
        if ways > moves:
            raise EnoughError
        return rng.choice([0.05, 0.15, 0.4, 1.0])

    try:
        carry_out(story, text, choose=rng.choice, rest_s=rest)
    except EnoughError:
        story.wait(rng.choice([0.05, 0.5]))
    return story, text


def moved_unseen(story: Story, rng: random.Random, count: int) -> None:
    """Move pieces about, at random, while nobody looks; some leave the board."""
    hexes = story.game.start.board.hexes
    for _ in range(count):
        if not story.wood:
            return
        piece = story.wood.pop(rng.choice(list(story.wood)))
        free = [s for s in range(61) if hexes >> s & 1 and s not in story.wood]
        if rng.random() < 0.9:
            story.wood[rng.choice(free)] = piece


def look_through(story: Story) -> None:
    """Compare the pieces with those that the table shows, and put the wood right in one go."""
    shown = story.referee.state.pieces
    wrong = [s for s in story.wood if shown.get(s) is not story.wood[s]]
    if not wrong:
        return
    for space in wrong:
        story.lift(story.grid.names[space])
    story.hand.clear()
    for space in wrong:
        piece = shown[space]
        assert piece is not None
        story.add(story.grid.names[space], piece)
    story.settle()


def led_right(story: Story) -> None:
    """Follow the lights until all is well."""
    story.settle().wait(3)
    story.lead(120)
    look_through(story)
    story.lead(120)


@pytest.mark.parametrize("seed", SEEDS)
def test_after_a_gap_the_lights_lead_to_a_right_board(seed: int) -> None:
    rng = random.Random(seed)
    for position in playable(rng, 25):
        story, text = in_the_middle(position, rng)
        if story.is_over():
            continue
        known = list(story.done)
        story.hand.clear()
        moved_unseen(story, rng, rng.randrange(1, 31))
        story.referee.blind()
        story.debouncer.restart()
        led_right(story)
        assert story.is_right(), f"{text} in {position}"
        assert [a for a in story.done if a != "pass"] in (known, [text], [])


@pytest.mark.parametrize("seed", SEEDS)
def test_after_a_power_cut_play_goes_on_where_it_was(seed: int) -> None:
    rng = random.Random(100 + seed)
    for position in playable(rng, 25):
        story, text = in_the_middle(position, rng)
        if story.is_over():
            continue
        state = json.loads(json.dumps(story.referee.dump()))
        asked = story.referee.open is not None
        story.referee = Referee(story.game)
        story.referee.restore(state, story.now)
        story.debouncer = Debouncer()
        story.settle()
        if asked:
            assert story.referee.open is not None or story.done == [text]
        led_right(story)
        assert story.is_right(), f"{text} in {position}"
        assert [a for a in story.done if a != "pass"] in ([], [text])


@pytest.mark.parametrize("seed", range(4))
def test_taking_back_by_button_at_every_depth(seed: int) -> None:
    rng = random.Random(200 + seed)
    for position in playable(rng, 4):
        story = Story(position)
        codes = []
        for _ in range(6):
            if story.game.outcome is not None or not legal_actions(story.game.position):
                break
            codes.append(story.game.position)
            acts = [a for a in legal_actions(story.game.position) if isinstance(a, Step)]
            if not acts:
                break
            text = format_action(position.board, rng.choice(acts))
            carry_out(story, text).settle()
        while story.game.cascades:
            depth = len(story.game.cascades)
            story.press(Buttons.LIGHT, 2.2).lead(80)
            assert len(story.game.cascades) < depth
            assert story.stands()
        assert story.game.position == position


@pytest.mark.parametrize("seed", range(4))
def test_taking_back_by_hand_in_the_middle_of_an_action(seed: int) -> None:
    rng = random.Random(300 + seed)
    for position in playable(rng, 25):
        steps = [a for a in legal_actions(position) if isinstance(a, Step)]
        if not steps:
            continue
        step = rng.choice(steps)
        names = position.board.grid.names
        story = Story(position).move(names[step.origin], names[step.target]).settle()
        opened = story.referee.open
        if opened is None or opened.actor_ends == step.origin:
            continue
        for _ in range(rng.randrange(3)):
            lit = story.view.next
            if lit is None or lit.origin == step.target:
                break
            story.follow(lit).settle()
        if story.done or step.target not in story.wood or step.origin in story.wood:
            continue
        story.move(names[step.target], names[step.origin]).settle()
        assert story.done == []
        story.wait(3).lead(80)
        assert story.stands()
        assert story.played == []


def test_a_power_cut_restores_hypotheses_and_what_is_undecided() -> None:
    story = Story("5/6/2sf3/1S6/f1f6/1F1F4/7/Ss4/1f3 l 2/0 4/2 -")
    story.move("b1", "c2").settle()
    story.lift("b2").wait(1.0)  # taken for a shove over the edge, as the open step asks for
    before = story.referee.state
    assert before.hypothesis is not None
    state = json.loads(json.dumps(story.referee.dump()))
    story.referee = Referee(story.game)
    story.referee.restore(state, story.now)
    story.debouncer = Debouncer()
    story.wait(0.5)
    assert story.referee.state.hypothesis is not None
    assert story.referee.state.hypothesis.near == before.hypothesis.near
    assert story.referee.state.pieces == before.pieces
    story.drop("b2").wait(3).lead()  # it was held all the time, and is put back
    assert story.stands()


def test_the_state_of_the_tracker_is_one_value_that_can_be_written_and_read_back() -> None:
    for code in (ONE_PUSH, "5/6/2sf3/1S6/f1f6/1F1F4/7/Ss4/1f3 l 2/0 4/2 -"):
        story = Story(code)
        for name in ("b2", "d4", "g5"):
            if story.grid.number(name) in story.wood:
                story.lift(name)
        state = story.referee.state
        written = json.loads(json.dumps(state.dump(story.now)))
        again = TrackerState.restored(written, story.now)
        assert (again.key(), again.bundle, again.lately) == (
            state.key(),
            state.bundle,
            state.lately,
        )
        assert json.loads(json.dumps(again.dump(story.now))) == written


@pytest.mark.parametrize("harm", ["belief", "open", "mode", "standing", "bundle"])
def test_a_harmed_state_is_refused_and_not_half_taken_over(harm: str) -> None:
    story = Story(ONE_PUSH)
    data = story.referee.dump()
    if harm in ("standing", "bundle"):
        data["belief"][harm] = [[1]] if harm == "standing" else [99]
    else:
        data[harm] = "?"
    fresh = Referee(story.game)
    with pytest.raises(ValueError, match="not a state that a table has written"):
        fresh.restore(data, 0.0)
    assert not fresh.state.on
