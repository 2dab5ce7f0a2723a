"""What went wrong on other people's boards, case by case (1 to 18, those of the table)."""

import random
from itertools import pairwise
from types import ModuleType

import pytest

from sorcel_pi import (
    Event,
    Piece,
    Position,
    Side,
    Step,
    format_action,
    format_position,
    legal_actions,
    outcome,
    parse_action,
    parse_position,
    play,
    resolve_all,
)
from sorcel_pi.drivers.mock.field import DISC_12X5_DEEP
from sorcel_pi.drivers.mock.table import MockTable
from sorcel_pi.messages.catalogue import render
from sorcel_pi.table.commands import Resign
from sorcel_pi.table.events import Began, Illegal, Notice
from sorcel_pi.table.referee import referee as module
from sorcel_pi.table.referee.referee import Referee
from sorcel_pi.table.sensing.debouncer import Buttons
from sorcel_pi.table.view import Mode, Trouble

from .rig import Rig
from .story import Story, carry_out
from .test_every_order import vector_positions

START = "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -"
ONE_PUSH = "1s3/1f4/1sf4/3f4/9/3F4/2FF3/4S1/1SF2 l 4/0 2/3 -"
"""d4e4 pushes f5 to g6 and nothing else."""
CHAIN = "5/6/4fs1/7f/9/2FF1f1s/5S1/3F1F/4S l 3/0 2/3 -"


@pytest.mark.parametrize("pause_s", [0.0, 0.15, 0.5])
@pytest.mark.parametrize("pitch_mm", [28.0, 36.0, 40.0])
def test_1_a_slide_is_one_step(pitch_mm: float, pause_s: float) -> None:
    board = parse_position(START).board
    if pitch_mm == 28:
        table = MockTable(board, pitch_mm=pitch_mm, magnet=DISC_12X5_DEEP)
    else:
        table = MockTable(board, pitch_mm=pitch_mm)
    rig = Rig(START, table=table, overlaps=pitch_mm == 28)
    rig.table.slide(rig.space("c3"), rig.space("d4"), pause_on_border_s=pause_s)
    rig.run(3)
    assert rig.done == ["c3d4"]
    assert rig.stands()


@pytest.mark.parametrize("gap_s", [0.03, 0.06, 0.1])
def test_2_the_next_player_lifts_at_once_after_the_last_piece_landed(gap_s: float) -> None:
    story = Story("5/6/7/4FF2/5S3/3Fs3/4F2/4S1/2f1s l 1/2 2/5 -")
    text = "c5c4"
    carry_out(story, text, rest_s=lambda: gap_s)
    position = play(story.game.start, parse_action(story.game.start.board, text))
    after = next(a for a in legal_actions(position) if isinstance(a, Step))
    names = story.grid.names
    story.move(names[after.origin], names[after.target]).settle()
    assert story.done[:1] == [text]
    assert story.referee.open is not None or len(story.done) == 2


def test_3_two_hundred_quick_actions_with_bounce() -> None:
    rng = random.Random(3)
    rig = Rig(START, seed=3)
    where = {space: space for space in rig.kinds}
    script = []
    position = rig.companion.game.position
    for _ in range(200):
        quiet = [
            a
            for a in legal_actions(position)
            if isinstance(a, Step)
            and _keeps(position, a)
            and not rig.board.grid.adjacent[a.target] & position.in_play(position.side.other)
        ]
        step = rng.choice(quiet)
        script.append(format_action(rig.board, step))
        position = play(position, step)
        piece = where.pop(step.origin)
        where[step.target] = piece
        begins = rig.table.now
        rig.table.carry(piece, step.target, height_mm=25, speed_mm_s=900)
        rig.table.drop(piece, step.target, speed_mm_s=600)
        rig.run_to(max(begins + 0.25, rig.table.busy_until() + 0.125))
    rig.run(1)
    assert rig.done == script
    assert rig.stands()


def _keeps(position: Position, step: Step) -> bool:
    """Whether nothing strays by `step`."""
    return play(position, step).occupied.bit_count() == position.occupied.bit_count()


def test_4_a_contact_that_toggles_is_no_action() -> None:
    story = Story(START)
    c4 = 1 << story.grid.number("c4")
    for _ in range(10):
        story.dead = c4
        story.wait(0.1)
        story.dead = 0
        story.wait(0.1)
    story.settle()
    notices = [v for v in story.events if isinstance(v, Notice)]
    assert [render(n.message) for n in notices] == ["The contact of c4 flickers."]
    assert story.played == []
    assert story.stands()


def test_5_an_own_piece_moved_first_is_its_own_step_and_taking_back_leads_on() -> None:
    story = Story(START).move("c4", "d4").settle()
    assert story.played == ["c4d4"]
    story.press(Buttons.LIGHT, 2.2)
    story.lead()
    assert story.played == [] and story.stands()
    assert story.taken_back == 1


def test_6_a_pushed_piece_one_space_off_is_guided_alone() -> None:
    story = Story(ONE_PUSH).move("d4", "e4").settle()
    assert story.referee.open is not None
    story.move("f5", "f6").settle()
    assert story.done == []
    lit = story.view.next
    assert lit is not None and lit.target == story.grid.number("g6")
    story.lift("h5").wait(0.3).drop("h5").settle()
    assert story.done == [], "the next player's lift is no action"
    story.wait(3)
    assert story.view.wrong is not None
    story.lead()
    assert story.done == ["d4e4"] and story.stands()


def test_7_a_wrong_piece_lifted_during_guidance_is_shown_at_once() -> None:
    story = Story(ONE_PUSH).move("d4", "e4").settle().lift("c3")
    assert story.wrong() == (None, "c3")
    story.drop("c3").lead()
    assert story.done == ["d4e4"] and story.stands()


def test_7_a_wrong_space_is_complained_about_only_after_patience() -> None:
    story = Story(ONE_PUSH).move("d4", "e4").settle().move("f5", "f6")
    assert story.wrong() is None
    story.wait(2)
    assert story.wrong() is None
    story.wait(1)
    assert story.wrong() == ("f6", "g6")


def test_9_at_most_two_spaces_are_lit_for_a_piece_on_another_space() -> None:
    story = Story(ONE_PUSH).move("d4", "e4").settle().move("f5", "e6").wait(4)
    assert story.wrong() == ("e6", "g6")
    assert story.view.next is None


def test_8_an_illegal_board_is_said_in_words() -> None:
    story = Story(START).move("c3", "e3").settle()
    assert Illegal((story.grid.number("e3"),)) in story.events
    assert story.view.astray >> story.grid.number("e3") & 1
    assert story.wrong() is None
    story.wait(2.5)
    assert story.wrong() == ("e3", "c3")
    story.lead()
    assert story.stands() and story.played == []


# Where things are done while an action is applied: what of a referee, or which function.
CALLS = [
    ("_tracker", "lift"),
    ("_tracker", "drop"),
    ("_tracker", "pass_time"),
    ("_tracker", "settle_homes"),
    ("_tracker", "part_with_surplus"),
    ("game", "play"),
    (module, "candidates"),
    ("", "_judge"),
    ("", "_begin"),
    ("", "_review"),
    ("", "_goal"),
    ("", "_enter"),
    ("", "_check_over"),
    ("", "_check_target"),
    ("", "_play"),
]


@pytest.mark.parametrize(
    ("owner", "name"), CALLS, ids=[f"{k}-{n}" for k, (_, n) in enumerate(CALLS)]
)
@pytest.mark.parametrize("which", range(4))
def test_10_nothing_is_half_done_whatever_raises(
    monkeypatch: pytest.MonkeyPatch, owner: str | ModuleType, name: str, which: int
) -> None:
    story = Story(ONE_PUSH)
    target: object = owner
    if isinstance(owner, str):
        target = getattr(story.referee, owner) if owner else story.referee
    real, calls = getattr(target, name), 0

    def once(*args: object, **options: object) -> object:
        nonlocal calls
        calls += 1
        if calls == which + 1:
            _broken()
        return real(*args, **options)

    monkeypatch.setattr(target, name, once)
    story.forgiving = True
    story.move("d4", "e4").settle().move("f5", "g6").settle()
    story.wait(3).lead().wait(3).lead()
    assert story.played in ([], ["d4e4"])
    assert story.stands(), "wood, belief and position agree"


def _broken(*_: object, **__: object) -> None:
    raise RuntimeError("the store is on fire")


def test_11d_a_nudge_of_an_enemy_piece_begins_nothing() -> None:
    story = Story(START).move("g5", "f5").settle()
    assert not any(isinstance(v, Began) for v in story.events)
    story.wait(3)
    assert story.wrong() == ("f5", "g5")
    story.lead()
    assert story.played == [] and story.stands()


def test_12_an_empty_board_is_set_up_by_the_lights() -> None:
    story = Story(START, bare=True)
    assert story.view.mode is Mode.SETUP
    assert len(story.view.missing) == 10
    story.lead()
    assert story.is_in(Mode.PLAY) and story.stands()


def test_13_a_take_back_in_the_middle_of_guidance_leads_back() -> None:
    story = Story("5/6/7/4FF2/5S3/3Fs3/4F2/4S1/2f1s l 3/0 2/5 -").move("c5", "c4").settle()
    story.follow(story.view.next).press(Buttons.DARK, 2.2)  # type: ignore[arg-type]
    assert story.is_in(Mode.RESTORE)
    story.lead()
    assert story.played == [] and story.stands()


def test_14_after_a_win_the_result_stays_and_the_start_begins_a_new_game() -> None:
    story = Story("5/6/6F/2F5/s1fSf4/F7/7/Sff3/s4 l 1/0 3/2 -")
    carry_out(story, "d1e2").settle()
    assert story.game.outcome is not None and story.is_in(Mode.OVER)
    for space in list(story.wood):
        story.off(story.grid.names[space], wait=0.05)
    assert story.view.outcome is not None
    start = story.game.start.board.start
    for piece, mask in zip(Piece, start, strict=True):
        for space in range(61):
            if mask >> space & 1:
                story.add(story.grid.names[space], piece, wait=0.1)
    story.settle()
    assert not story.is_in(Mode.CONFIRM), "it may only pass by"
    story.wait(2.5)
    assert story.is_in(Mode.CONFIRM)
    assert story.view.outcome is not None


@pytest.mark.parametrize("seen", [True, False])
def test_15_after_a_scramble_both_ways_out_can_be_reached(seen: bool) -> None:
    story = Story(CHAIN)
    pieces = list(story.wood.values())
    if not seen:
        story.referee.blind()
    spots = [s for s in range(61) if story.game.start.board.hexes >> s & 1]
    story.wood = dict(zip(random.Random(1).sample(spots, len(pieces)), pieces, strict=True))
    story.settle().wait(3)
    assert story.played == []
    lead = _led_back(story)
    assert lead.stands() and lead.played == []


def _led_back(story: Story) -> Story:
    """Clear the board, as the lights' unknown pieces ask for, and follow the lights."""
    for space in list(story.wood):
        story.off(story.grid.names[space], wait=0.1)
    story.wait(3)
    return story.lead(80)


def test_15_a_new_game_can_be_reached_from_a_scramble() -> None:
    story = Story(CHAIN)
    for space in list(story.wood):
        story.off(story.grid.names[space], wait=0.05)
    start = story.game.start.board.start
    for piece, mask in zip(Piece, start, strict=True):
        for space in range(61):
            if mask >> space & 1:
                story.add(story.grid.names[space], piece, wait=0.1)
    story.settle()
    assert not story.is_in(Mode.CONFIRM), "it may only pass by"
    story.wait(2.5)
    assert story.is_in(Mode.CONFIRM)
    story.buttons = Buttons.LIGHT | Buttons.DARK
    story.wait(0.2)
    story.buttons = Buttons.NONE
    story.wait(0.2)
    assert any(type(v).__name__ == "NewGameRequested" for v in story.events)


def test_18_a_request_while_relocations_are_open_is_refused_in_words() -> None:
    story = Story("5/6/7/4FF2/5S3/3Fs3/4F2/4S1/2f1s l 3/0 2/5 -").move("c5", "c4").settle()
    events = story.referee.end_turn(story.now)
    assert [type(v) for v in events] == [Notice]
    story.lead()
    assert story.done == ["c5c4"]


def test_26_a_line_that_was_down_keeps_the_state() -> None:
    rig = Rig("5/6/7/4FF2/5S3/3Fs3/4F2/4S1/2f1s l 3/0 2/5 -")
    rig.put_down("c5", "c4")
    rig.run(2)
    assert rig.companion.referee.open is not None
    now = rig.table.now
    for k in range(3000):
        rig.companion.step(None, now + k * 0.01)
    assert rig.companion.view(now + 30).trouble is Trouble.LINE
    rig.table.advance_to(now + 30)
    rig.run(1)
    assert rig.companion.view(now + 31).trouble is Trouble.NONE
    assert rig.companion.referee.open is not None
    rig.command(Resign(Side.LIGHT))
    assert rig.companion.game.outcome is None


LINES = {
    True: ("1f2s/1f4/2s1f2/3f2f1/5f3/5F2/4F2/4FS/2S2 d 3/3 3/0 -", "e6d5", "c5", "a5"),
    False: ("5/4s1/2fsf2/3ff3/9/4F3/2F1F2/3SS1/1F2F l 3/2 1/2 -", "d5e6", "f6", "h6"),
}
"""By whether the two pieces of the line are alike: position, action, near piece, far end."""


@pytest.mark.parametrize("like", [True, False])
def test_11_a_near_piece_carried_over_a_line_to_its_far_end(like: bool) -> None:
    code, text, near, far = LINES[like]
    story = Story(code).move(text[:2], text[2:]).settle()
    assert story.referee.open is not None
    story.lift(near).wait(1.0).drop(far).settle()
    if not like:
        assert story.done == [], "the pieces do not match, though the contacts do"
        assert story.view.next is not None or story.view.wrong is not None
        story.lead()
    assert story.done == [text]
    assert story.stands()


def shoves() -> list[tuple[str, str, list[str], int]]:
    """Return position, action, line (the near piece first) and direction of pushes of one line."""
    found = []
    for position in vector_positions():
        grid = position.board.grid
        for cascade in resolve_all(position):
            events = cascade.consequences
            line = len(events) > 1 and all(
                b.target == a.origin for a, b in pairwise(events) if b.cause == a.cause
            )
            whole = line and len({e.cause for e in events}) == 1 and events[0].cause is not None
            if not whole or outcome(cascade.after) or not isinstance(cascade.action, Step):
                continue
            direction = grid.direction(events[1].origin, events[0].origin)
            if direction is not None and Event.RELEASE not in [e.event for e in events]:
                text = format_action(position.board, cascade.action)
                names = [grid.names[e.origin] for e in reversed(events)]
                found.append((format_position(position), text, names, direction))
    return found


@pytest.mark.parametrize("speed_mm_s", [100, 250, 400])
@pytest.mark.parametrize("before", [False, True])
def test_11b_a_line_is_shoved_with_one_finger(before: bool, speed_mm_s: float) -> None:
    kinds = set()
    for number, (code, text, line, direction) in enumerate(shoves()):
        position = parse_position(code)
        grid = position.board.grid
        pieces = [position.piece_at(grid.number(name)) for name in line]
        if before and position.side in [piece.side for piece in pieces if piece is not None]:
            continue  # an own piece that is moved first is its own step
        rig = Rig(position, pitch_mm=(36.0, 40.0)[number % 2], seed=number)
        if not before:
            rig.run_to(rig.put_down(text[:2], text[2:]) + 1.0)
        spaces = [rig.space(name) for name in line]
        rig.run_to(rig.table.shove(spaces, direction, speed_mm_s=speed_mm_s) + 0.3)
        if before:
            rig.run_to(rig.put_down(text[:2], text[2:]) + 1.0)
        rig.run(1.5)
        assert [a for a in rig.done if a != "pass"] == [text], f"{line} in {code}"
        assert rig.stands() or rig.game.outcome is not None, f"{line} in {code}"
        kinds.add((len(line), len(set(pieces)) > 1))
    assert {(2, False), (2, True), (3, True)} <= kinds


def test_11c_what_was_taken_off_by_mistake_may_be_put_back() -> None:
    position = parse_position("3s1/3s2/2ff3/4f3/3F5/8/2F1F2/2SSF1/5 l 2/2 2/3 -")
    story = Story(position).move("e4", "f5").settle()
    story.lift("h7").wait(0.4).drop("h7").settle()
    assert story.done == []
    assert story.referee.state.pieces == story.wood
    story.lead()
    assert story.done == ["e4f5"] and story.stands()


def test_16_nothing_is_asked_after_a_power_cut_if_the_board_matches() -> None:
    story = Story(ONE_PUSH).move("d4", "e4").settle()
    lit = story.view.next
    state = story.referee.dump()
    story.referee = Referee(story.game)
    story.referee.restore(state, story.now)
    story.debouncer.restart()
    story.settle()
    assert story.view.next == lit
    story.lead()
    assert story.done == ["d4e4"] and story.stands()
