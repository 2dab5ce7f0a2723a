"""What a side that is away announces is carried out by the hands that are here, led by light."""

import json
import random
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest

from sorcel_pi import (
    Action,
    EndTurn,
    Game,
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
    resolve,
    resolve_all,
)
from sorcel_pi.table import commands
from sorcel_pi.table.companion import Companion
from sorcel_pi.table.events import Began, Done, Dropped, MoveNowRequested, Refused, TakenBack
from sorcel_pi.table.lights.frame import FrameMaker
from sorcel_pi.table.relocation import Relocation
from sorcel_pi.table.sensing.debouncer import Buttons
from tests.table.contacts import START, Change, Contacts

VECTORS = Path(__file__).parents[1] / "rules" / "vectors"
PUSHES = "5/6/7/8/3f1s3/1s2S3/1f1SF2/1Ff1F1/f1FFF d 4/0 0/2 -"
BEAT_S = 0.3


class Wood(Contacts):
    """A table of contacts that knows which piece really stands where."""

    def __init__(self, code: str, away: Side | None = None, *, masked: int = 0) -> None:
        super().__init__(code, masked=masked)
        self.wood: dict[int, Piece] = dict(self.start.placed())
        self.box: list[Piece] = []
        self.command(commands.SetAway(frozenset({self.start.side if away is None else away})))

    def command(self, command: commands.Command) -> None:
        output = self.companion.command(command, self.now)
        self.events += output.events
        if output.serial is not None:
            self.companion.recorded(output.serial, self.now)

    def announce(self, *texts: str) -> None:
        actions = tuple(parse_action(self.start.board, text) for text in texts)
        self.command(commands.Announce(actions))
        self.wait(0.1)

    def carry(self, origin: int | None, target: int | None, piece: Piece | None = None) -> None:
        """Carry a piece from where it stands to where it goes; None is beside the board."""
        changes = []
        if origin is not None:
            piece = self.wood.pop(origin)
            changes.append(Change(0.0, "-", origin))
        assert piece is not None
        if target is not None:
            assert target not in self.wood
            self.wood[target] = piece
            changes.append(Change(BEAT_S, "+", target))
        self.run(changes, rest_s=BEAT_S)

    def obey(self, move: Relocation) -> None:
        self.carry(move.origin, move.target, move.piece)

    def follow(self, most: int = 40) -> None:
        """Do what the lights ask for until they ask for nothing more."""
        for _ in range(most):
            move, wrong = self.view.next, self.view.wrong
            if move is not None:
                self.obey(move)
            elif wrong is not None and wrong[0] is not None:
                self.carry(*wrong)
            else:
                return
        raise AssertionError("the lights go on and on")

    def stands(self, position: Position) -> None:
        """See that wood and belief are `position`."""
        self.wait(1.0)
        assert self.wood == dict(position.placed())
        assert dict(self.companion.referee.state.pieces) == self.wood

    def press(self, buttons: Buttons, seconds: float = 0.2) -> None:
        self.buttons = buttons
        self.wait(seconds)
        self.buttons = Buttons.NONE
        self.wait(0.2)


def turns() -> Iterator[tuple[str, list[Action], Position]]:
    """Yield drawn whole turns from the positions of the vectors: code, actions, what stands."""
    rng = random.Random(14)
    codes = (VECTORS / "egressian.jsonl").read_text("utf-8").splitlines()
    for code in dict.fromkeys(json.loads(line)["before"] for line in codes):
        position = parse_position(code)
        actions: list[Action] = []
        side = position.side
        while position.side is side and outcome(position) is None:
            action = rng.choice([a for a in legal_actions(position) if not isinstance(a, EndTurn)])
            actions.append(action)
            position = resolve(position, action).after
        if isinstance(actions[0], Step | Placement):
            yield code, actions, position


def test_an_announced_step_lights_its_own_way_first_then_what_it_pushes() -> None:
    table = Wood(PUSHES)
    table.announce("a1a2")
    first = table.view.next
    assert first is not None
    assert first.origin == table.space("a1")
    assert table.view.announced == (parse_action(table.start.board, "a1a2"),)
    assert not table.played
    table.follow()
    table.stands(resolve(table.start, parse_action(table.start.board, "a1a2")).after)
    assert table.played == ["a1a2"]


def test_announced_actions_of_the_vectors_are_carried_out() -> None:
    codes = list(dict.fromkeys(code for code, _, _ in turns()))
    for code in random.Random(1).sample(codes, 60):
        start = parse_position(code)
        for cascade in random.Random(2).sample(list(resolve_all(start)), 2):
            if not isinstance(cascade.action, Step | Placement):
                continue
            table = Wood(code)
            table.announce(format_action(start.board, cascade.action))
            table.follow()
            table.stands(cascade.after)
            found = [text for text in table.played if text != "pass"]
            assert found == [format_action(start.board, cascade.action)], code


def test_announced_turns_are_led_as_one() -> None:
    for code, actions, after in random.Random(3).sample(list(turns()), 60):
        table = Wood(code)
        board = table.start.board
        texts = [format_action(board, action) for action in actions]
        table.announce(*texts)
        table.follow()
        table.stands(after)
        assert [text for text in table.played if text != "pass"] == texts, code


def orders_of(code: str, action: Action, most: int) -> int:
    """Carry out an announced action in every order that hands can; return how many there were."""
    table = Wood(code)
    text = format_action(table.start.board, action)
    table.announce(text)
    moves = table.companion.referee.plan()
    if not 2 <= len(moves) <= most or any(m.detour or m.origin is None for m in moves):
        return 0
    done, orders = resolve(table.start, action).after, 0
    for order in permutations(moves):
        if not _possible(order, set(table.wood)):
            continue
        other = Wood(code)
        other.announce(text)
        for move in order:
            other.obey(move)
        other.follow()
        other.stands(done)
        orders += 1
    return orders


def test_relocations_of_what_is_announced_may_be_done_in_any_order() -> None:
    drawn = random.Random(4).sample(list(turns()), 120)
    assert sum(orders_of(code, actions[0], 3) for code, actions, _ in drawn) > 30


@pytest.mark.slow
def test_announced_actions_of_300_positions_are_carried_out_in_every_order() -> None:
    codes = (VECTORS / "egressian.jsonl").read_text("utf-8").splitlines()
    positions = orders = 0
    for code in dict.fromkeys(json.loads(line)["before"] for line in codes):
        cascades = [c for c in resolve_all(parse_position(code)) if isinstance(c.action, Step)]
        for cascade in random.Random(code).sample(cascades, len(cascades)):
            if len(cascade.consequences) >= 2 and (found := orders_of(code, cascade.action, 5)):
                positions, orders = positions + 1, orders + found
                break
        if positions == 300:
            break
    assert positions == 300
    assert orders > 1000


def _possible(order: tuple[Relocation, ...], standing: set[int]) -> bool:
    for move in order:
        if move.target is not None and move.target in standing:
            return False
        standing = standing - {move.origin} | ({move.target} if move.target is not None else set())
    return True


def test_nothing_that_hands_do_is_an_action_of_a_side_that_is_away() -> None:
    table = Wood(START)
    table.carry(table.space("c4"), table.space("d5"))
    table.wait(1.0)
    assert table.played == []
    assert table.companion.referee.open is None
    table.wait(2.0)  # patience
    assert table.view.wrong == (table.space("d5"), table.space("c4"))
    table.follow()
    table.stands(table.start)


def test_while_it_is_led_other_pieces_are_wrong_and_putting_back_drops_nothing() -> None:
    table = Wood(START)
    table.announce("c4d5")
    own, other = table.space("c4"), table.space("g6")
    table.carry(own, table.space("d5"))
    assert table.played == ["c4d5"]
    table.announce("d5e6")
    table.carry(table.space("d5"), table.space("d4"))
    assert table.played == ["c4d5"]
    table.carry(table.space("d4"), table.space("d5"))
    table.wait(3.0)
    assert table.view.announced
    piece = table.wood[other]
    table.run([Change(0.0, "-", other)], rest_s=0.5)
    assert table.view.wrong == (None, other)
    table.run([Change(0.0, "+", other)], rest_s=0.5)
    assert table.wood[other] is piece
    table.follow()
    assert table.played == ["c4d5", "d5e6"]
    assert not any(isinstance(event, Dropped) for event in table.events)


def test_what_cannot_be_announced_is_refused_as_a_value() -> None:
    table = Wood(START)
    for texts, key in (
        (("c4i9",), "refused.announced"),
        (("c4d5", "c4d5"), "refused.announced"),
        (("end",), "refused.announced"),
        ((), "refused.not_now"),
    ):
        table.announce(*texts)
        refused = table.events[-1]
        assert isinstance(refused, Refused)
        assert refused.message.key == key
    table.command(commands.SetAway(frozenset({Side.DARK})))
    table.announce("c4d5")
    assert isinstance(refused := table.events[-1], Refused)
    assert refused.message.key == "refused.played_here"
    assert table.played == [] and table.companion.referee.open is None


def test_an_announced_end_needs_no_hand() -> None:
    table = Wood(START)
    table.announce("c4d5")
    table.follow()
    table.announce("end")
    assert table.played == ["c4d5", "end"]
    assert not table.view.thinking  # people here play Dark


def test_either_button_is_the_persons_and_asks_to_move_now_while_an_engine_thinks() -> None:
    table = Wood(START)
    assert table.view.thinking
    table.press(Buttons.LIGHT)
    table.press(Buttons.DARK)
    asked = [event for event in table.events if isinstance(event, MoveNowRequested)]
    assert len(asked) == 2
    table.command(commands.SetAway(frozenset({Side.DARK})))
    table.carry(table.space("c4"), table.space("d5"))
    table.wait(1.0)
    table.press(Buttons.DARK)  # nobody else is here to press it
    assert table.played == ["c4d5", "end"]


def test_a_take_back_leads_in_one_way_to_before_the_last_action_of_the_person() -> None:
    table = Wood(START, Side.DARK)
    table.carry(table.space("c4"), table.space("d5"))
    table.wait(1.0)
    table.press(Buttons.LIGHT)
    assert table.played == ["c4d5", "end"]
    table.announce("g6f5", "f5f6")
    table.follow()
    assert table.played == ["c4d5", "end", "g6f5", "f5f6"]
    table.announce("f6e6")  # in the middle of the rest of its turn
    table.command(commands.TakeBack())
    table.follow()
    table.stands(table.start)
    assert table.played == []
    assert sum(isinstance(event, TakenBack) for event in table.events) == 4
    table.command(commands.TakeBack())
    assert table.played == [] and table.companion.referee.open is None


def test_the_engines_action_is_not_taken_back_by_hand() -> None:
    table = Wood(START)
    table.announce("c4d5", "d5e6", "c5d5")
    table.follow()
    played = list(table.played)
    table.carry(table.space("e6"), table.space("c4"))
    table.wait(4.0)
    assert table.played == played
    table.follow()
    table.stands(table.companion.game.position)


def test_a_person_who_sits_down_at_the_side_drops_what_was_announced() -> None:
    table = Wood(PUSHES)
    table.announce("a1a2")
    move = table.view.next
    assert move is not None
    table.obey(move)
    table.command(commands.SetAway(frozenset()))
    assert any(isinstance(event, Dropped) for event in table.events)
    table.follow()
    table.stands(table.start)
    assert table.played == []


@pytest.mark.parametrize("done", range(3))
def test_after_a_power_cut_the_same_turn_is_asked_again(done: int) -> None:
    code, actions, after = next(t for t in turns() if len(t[1]) > 2 and outcome(t[2]) is None)
    table = Wood(code)
    texts = [format_action(table.start.board, action) for action in actions]
    table.announce(*texts)
    for _ in range(done):
        if (move := table.view.next) is not None:
            table.obey(move)
    assert table.view.announced
    state = json.loads(json.dumps(table.companion.state()))
    game = Game(table.start)
    table.companion = Companion(game, FrameMaker(table.start.board))
    table.companion.resume(state, table.now)
    table.command(commands.SetAway(frozenset({table.start.side})))
    table.wait(6.0)
    assert [format_action(table.start.board, a) for a in table.view.announced] == texts
    table.follow()
    table.stands(after)
    assert [text for text in table.played if text != "pass"] == texts


def test_after_a_gap_the_same_action_is_asked_again() -> None:
    table = Wood(PUSHES)
    table.announce("a1a2")
    move = table.view.next
    assert move is not None
    table.obey(move)
    table.companion.step(None, table.now)
    table.now += 2.0
    table.companion.step(None, table.now)
    table.wood = dict(table.start.placed())  # somebody has put it back meanwhile
    table.closed = table.start.occupied
    table.wait(6.0)
    assert table.view.announced
    table.follow()
    table.stands(resolve(table.start, parse_action(table.start.board, "a1a2")).after)
    assert table.played == ["a1a2"]


def test_began_is_told_and_done_only_when_all_stands() -> None:
    table = Wood(PUSHES)
    table.announce("a1a2")
    assert any(isinstance(event, Began) for event in table.events)
    assert not any(isinstance(event, Done) for event in table.events)
    assert format_position(table.companion.game.position) == format_position(table.start)


def fewest_lifts(standing: dict[int, Piece], wanted: dict[int, Piece], most: int) -> int | None:
    """Return the fewest lifts that make `wanted` of `standing`, by trying all; None above `most`.

    Like pieces are alike, and one hand carries one piece at a time to a space that is free or to
    the box.  Only spaces that change, and one free one, need to be tried.
    """
    used = {s for s in {*standing, *wanted} if standing.get(s) is not wanted.get(s)}
    spare = next(s for s in range(61) if s not in standing and s not in wanted)
    start = {s: standing.get(s) for s in (*used, spare)}

    def wrong(state: dict[int, Piece | None]) -> int:
        out = sum(p is not None and wanted.get(s) is not p for s, p in state.items())
        have = [p for p in state.values() if p is not None]
        want = [wanted[s] for s in state if s in wanted]
        return out + sum(max(0, want.count(p) - have.count(p)) for p in set(want))

    def reach(state: dict[int, Piece | None], left: int) -> bool:
        if wrong(state) == 0:
            return True
        if wrong(state) > left:
            return False
        free = [s for s, p in state.items() if p is None]
        for space, piece in state.items():
            if piece is None or wanted.get(space) is piece:
                continue
            for end in (*free, None):
                after = {**state, space: None}
                if end is not None:
                    after[end] = piece
                if reach(after, left - 1):
                    return True
        newcomers = ({**state, end: wanted[end]} for end in free if end in wanted)
        return any(reach(after, left - 1) for after in newcomers)

    return next((n for n in range(wrong(start), most + 1) if reach(start, n)), None)


def test_a_whole_turn_is_led_with_the_fewest_lifts_there_are() -> None:
    compared, turn_lifts, action_lifts = 0, 0, 0
    for code, actions, after in turns():
        table = Wood(code)
        start, wanted = dict(table.start.placed()), dict(after.placed())
        changed = [s for s in start if wanted.get(s) is not start[s]]
        if len(actions) < 2 or not 0 < len(changed) <= 6:
            continue
        table.announce(*(format_action(table.start.board, action) for action in actions))
        led = len(table.companion.referee.plan())
        assert led == fewest_lifts(start, wanted, led), code
        position = table.start
        for action in actions:
            cascade = resolve(position, action)
            here, there = dict(position.placed()), dict(cascade.after.placed())
            action_lifts += sum(there.get(s) is not p for s, p in here.items())
            position = cascade.after
        turn_lifts += led
        compared += 1
        if compared == 200:
            break
    assert compared == 200
    assert turn_lifts < action_lifts


def test_a_piece_of_an_announced_line_that_is_lifted_for_long_and_put_back_has_not_moved() -> None:
    table = Wood("1s3/3s2/7/8/9/8/1S3F1/5S/F2F1 l 3/0 3/6 -")
    table.announce("b6a5", "c6b6", "a1a2")
    c6 = table.space("c6")
    table.run([Change(0.0, "-", c6), Change(2.0, "+", c6)], rest_s=1.0)
    table.follow()
    table.wait(1.0)
    assert table.played == ["b6a5", "c6b6", "a1a2"]
    table.stands(table.companion.game.position)
