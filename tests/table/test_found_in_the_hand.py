"""What hands did that the table misread, second round: each row of docs/table.md with its times."""

from dataclasses import replace

import pytest

from sorcel_pi.rules.position import Side
from sorcel_pi.table.commands import Resign, SetSaveTrouble
from sorcel_pi.table.events import NewGameRequested, ResignRequested
from sorcel_pi.table.lights.plan import Role, plan_lights
from sorcel_pi.table.sensing.debouncer import Buttons
from sorcel_pi.table.view import Mode, View
from tests.table.contacts import START, Contacts


@pytest.mark.parametrize(
    ("code", "script", "played"),
    [
        ("5/2ss2/2fff2/8/9/8/2FFF2/2SS2/2F2 l 4/0 2/3 -", "0-b3 200~a3 500+b2", ["b3b2"]),
        (
            "2f2/2ss2/2f4/3f4/9/2S5/7/6/3S1 d 2/2 6/3 -",
            "0~g5 20000-i7 20070+i7 20210-h7 20560+g6",
            ["h7g6"],
        ),
        (
            "5/1s4/3f3/8/4fF3/2F3S1/7/6/5 l 1/0 4/4 -",
            "0-e6 125+f6 265-g6 390+h6 515-f6 765-h6 890+h7",
            ["e6f6", "h6h7"],
        ),
    ],
)
def test_the_step_and_nothing_else(code: str, script: str, played: list[str]) -> None:
    table = Contacts(code).play(script).wait(6)
    assert table.played == played
    assert table.companion.referee.open is None and not table.view.hand


def test_ten_twitches_do_not_keep_the_board_from_settling() -> None:
    twitches = " ".join(f"{200 + 200 * k}~d5" for k in range(10))
    table = Contacts(START).play(f"{twitches} 2300-c5 2800+d5").wait(0.35 + 0.03)
    assert table.played == ["c5d5"]
    assert not table.view.faulty


def test_pieces_that_were_in_the_hand_together_are_shown_until_the_next_lift() -> None:
    table = Contacts(START).play("0-c4 500-g6 1000+c4 1500+g6").wait(1)
    assert table.letters("c4", "g6") == "Ff"
    guesses = 1 << table.space("c4") | 1 << table.space("g6")
    assert table.view.guesses == guesses
    lamps = plan_lights(table.view, table.now).lamps
    assert {space for space, lamp in lamps.items() if lamp.role is Role.GUESS_SHIF} == {
        table.space("c4"),
        table.space("g6"),
    }
    table.wait(30)
    assert table.view.guesses == guesses
    table.play("0-c3").wait(0.1)
    assert not table.view.guesses


def test_a_place_that_is_taken_is_not_asked_for() -> None:
    table = Contacts("5/1f4/1ss4/2f5/2S6/2S5/7/6/5 d 1/0 6/4 -")
    seen: list[View] = []
    table.play("0-d3 820-e3 1260+d3 1590-g4 1830+h4").wait(4, seen.append)
    lit = {space for view in seen[300:] for space in plan_lights(view, table.now).lamps}
    assert table.space("e3") in lit and table.space("d3") not in lit


def test_the_piece_that_was_lifted_beside_the_space_is_the_one_put_down() -> None:
    table = Contacts(START).play("0-c3 100-g5 200+d4 300+f5").wait(0.1)
    assert table.letters("d4", "f5") == "Ff"


def test_swapped_pieces_are_shown_before_the_lights_go_quiet() -> None:
    table = Contacts(START).play("0-c3 100-g5 200+d4 300+f5").wait(4)
    # Whatever is led back: do what is lit until nothing is, and see all that was shown on the way.
    shown: list[bool] = []
    for _ in range(8):
        move = table.view.next
        wrong = table.view.wrong
        if move is None and wrong is None:
            break
        origin = move.origin if move is not None else wrong[0] if wrong else None
        target = move.target if move is not None else wrong[1] if wrong else None
        if origin is not None:
            table.closed &= ~(1 << origin)
            table.wait(0.3)
        if target is not None:
            table.closed |= 1 << target
        table.wait(
            3.5, lambda view: shown.append(view.shown_until_s > table.now or bool(view.guesses))
        )
    quiet = table.view
    assert quiet.next is None and quiet.wrong is None and not quiet.hand
    assert any(shown)


def sweep(table: Contacts, *, spread_ms: int) -> None:
    """Lift every piece, one after the other."""
    names = [table.grid.names[k] for k in range(table.grid.n) if table.closed >> k & 1]
    each = spread_ms // len(names)
    table.play(" ".join(f"{k * each}-{name}" for k, name in enumerate(names)))


@pytest.mark.parametrize("spread_ms", [0, 100, 1400])
def test_after_a_sweep_the_position_stands_again_kinds_and_sides_right(spread_ms: int) -> None:
    table = Contacts(START).play("0-c4 500+d4").wait(1)
    assert table.played == ["c4d4"]
    sweep(table, spread_ms=spread_ms)
    table.wait(4)
    position = dict(table.companion.game.position.placed())
    hand = sorted(position.values())
    for _ in range(20):
        asked = [(space, piece) for space, piece in table.view.missing]
        if not asked:
            break
        space, piece = asked[0]
        assert not table.closed >> space & 1, "never on a space that is taken"
        hand.remove(piece)  # a person takes a piece of the kind and side that is lit
        table.closed |= 1 << space
        table.wait(0.8)
    assert not hand
    assert table.closed == table.companion.game.position.occupied
    assert table.companion.referee.state.pieces == position
    assert table.view.shown_until_s > table.now - 1.0, "all pieces are shown after it"
    table.wait(6)
    assert table.played == ["c4d4"] and table.view.next is None


def test_a_failing_store_darkens_nothing() -> None:
    code = "5/6/7/4FF2/5S3/3Fs3/4F2/4S1/2f1s l 3/0 2/5 -"
    well, failing = Contacts(code), Contacts(code)
    failing.companion.command(SetSaveTrouble(True), failing.now)
    for table in (well, failing):
        table.play("0-c5 400+c4").wait(1)
    assert failing.companion.referee.open is not None
    lit, dark = (plan_lights(replace(t.view, flashes=()), t.now).lamps for t in (failing, well))
    assert {space: lit.get(space) for space in dark} == dark
    assert any(lamp.role is Role.FAULTY for lamp in lit.values())


# -- what else was mended ----------------------------------------------------------------------


def test_a_wobble_on_the_border_is_no_step_until_it_rests() -> None:
    table = Contacts(START).play("0-c4 20+d4")
    for _ in range(5):  # to and fro, resting long enough each time to be a step
        table.play("110-d4 130+c4 240-c4 260+d4")
    table.wait(2)
    assert table.played == ["c4d4"]


def test_a_piece_that_wobbles_and_goes_back_has_made_no_step() -> None:
    table = Contacts(START)
    table.play("0-c4 20+d4 130-d4 150+c4 260-c4 280+d4 390-d4 410+c4 520-c4 540+d4 650-d4 670+c4")
    table.wait(2)
    assert table.played == [] and table.view.next is None


def confirming(table: Contacts) -> bool:
    return table.view.confirming is not None


def put_up(table: Contacts, start: int) -> None:
    """Take all pieces that are not where a game starts off, and put up the starting layout."""
    names = table.grid.names
    off = [k for k in range(table.grid.n) if table.closed >> k & 1 and not start >> k & 1]
    on = [k for k in range(table.grid.n) if start >> k & 1 and not table.closed >> k & 1]
    for old, new in zip(off, on, strict=True):
        table.play(f"0-{names[old]} 300+{names[new]}").wait(0.3)


def test_new_game_is_asked_without_clearing_once_and_for_ten_seconds() -> None:
    table = Contacts(START).play("0-c4 400+d4").wait(1).play("0-d4 400+e4").wait(1)
    table.play("0-c5 400+d5").wait(1)
    assert len(table.played) == 3
    put_up(table, table.start.board.start.occupied)
    table.wait(1.5)
    assert not confirming(table)
    table.wait(1.5)
    assert confirming(table)
    table.wait(8)
    assert confirming(table)
    table.wait(2)
    assert not confirming(table) and (table.view.next or table.view.missing or table.view.wrong)
    table.wait(20)
    assert not confirming(table), "it is asked once"


def test_the_last_step_of_a_turn_is_taken_back_by_hand_and_those_before_it() -> None:
    table = Contacts(START)
    for script in ("0-c4 400+d4", "0-d4 400+e4", "0-c3 400+d4"):
        table.play(script).wait(1)
    assert table.played == ["c4d4", "d4e4", "c3d4"]
    table.play("0-d4 400+c3").wait(1)
    assert table.played == ["c4d4", "d4e4"], "its turn was over"
    table.play("0-e4 400+d4").wait(1)
    assert table.played == ["c4d4"], "each earlier step too"
    table.play("0-c5 400+d5").wait(1)
    assert table.played == ["c4d4", "c5d5"], "something else is a new step"
    table.play("0-d5 400+c5").wait(1)
    assert table.played == ["c4d4", "c5d5", "d5c5"], "with steps left it is a new step"


def press(table: Contacts, buttons: Buttons) -> None:
    table.buttons = buttons
    table.wait(0.2)
    table.buttons = Buttons.NONE
    table.wait(0.2)


def test_both_own_sentinels_in_the_hand_and_the_own_button_give_the_game_up() -> None:
    table = Contacts(START).play("0-b3 400-b4").wait(0.3)
    press(table, Buttons.DARK)
    assert not confirming(table), "they are not Dark's"
    press(table, Buttons.LIGHT)
    assert confirming(table)
    table.play("0+b3").wait(0.2)
    assert not confirming(table), "putting one back is no"
    table.play("0-b3").wait(0.3)
    press(table, Buttons.LIGHT)
    press(table, Buttons.LIGHT | Buttons.DARK)
    assert ResignRequested(Side.LIGHT) in table.events
    table.companion.command(Resign(Side.LIGHT), table.now)
    assert table.companion.game.outcome is not None
    assert table.companion.game.outcome.winner is Side.DARK


def test_the_menu_button_does_nothing_in_play_and_at_the_end_begins_a_rematch() -> None:
    table = Contacts(START)
    press(table, Buttons.MENU)
    assert not [e for e in table.events if isinstance(e, NewGameRequested)]
    table.companion.command(Resign(Side.DARK), table.now)
    press(table, Buttons.MENU)
    assert NewGameRequested(rematch=True) in table.events


@pytest.mark.parametrize("names", ["c3 c4 g6", "b3 c5 h7 g5"])
def test_lifts_that_no_hand_can_do_are_a_gap(names: str) -> None:
    """All of them in one scan, and back in another: nothing was played, all pieces are shown."""
    table = Contacts(START)
    spaces = [table.space(name) for name in names.split()]
    for space in spaces:
        table.closed &= ~(1 << space)
    table.wait(0.1)
    for space in spaces:
        table.closed |= 1 << space
    table.wait(1.0)
    assert table.played == [] and table.closed == table.companion.game.position.occupied
    assert table.companion.referee.state.pieces == dict(table.companion.game.position.placed())


def test_a_line_may_be_lifted_in_one_scan() -> None:
    table = Contacts(START).play("0-c3 0-c4 0-c5").wait(0.1)
    assert len(table.view.hand) == 3 and table.view.mode is Mode.PLAY


@pytest.mark.parametrize(
    ("code", "script", "stands"),
    [
        pytest.param(
            "2ff1/2ssf1/2f1f2/8/2F2f3/3F4/2SFFF1/2S3/5 d 4/2 1/0 -",
            "0-e6 152+d5 353-c4 353-d4 371-b3 454+d4 464+b3 482+a2 710-d4 858+d3",
            {"a2": "S", "b3": "F", "d3": "F"},
            id="a piece is touched beside a line that is shoved",
        ),
        pytest.param(
            "5/3sf1/1f1sf2/4f3/3f5/8/2FF1F1/3SS1/F4 d 5/0 2/1 14/11/15/6",
            "0-e4 53+d4 247-c4 257-b4 298+b4 298-c3 316+a4 362+c3 498-c3 667+b2",
            {"a4": "S", "b4": "F", "b2": "F"},
            id="and its contact is still open when the line is down",
        ),
        pytest.param(
            "2f2/1fss2/3f3/4f3/3f5/5F2/2FFSF1/1FS3/5 d 2/3 1/1 18/17/5/2",
            "0-e4 162+d4 387-c4 455-b2 523+b4 591+a1 639-c3 777+b2",
            {"b4": "F", "b3": "S", "a1": "F", "b2": "F"},
            id="two hands are no shove over a piece that stands still",
        ),
        pytest.param(
            "2ff1/2ssf1/2fff2/8/5F3/8/2F1F2/1FSS2/1F1F1 l 4/2 0/0 -",
            "0-e6 140+f6 320-g6 330+g6 340-f6 917-h6 1073+i6 1268-g6 1321-h8 1409+h6 1467+i9 "
            "1525-g7 1630+h8",
            {"h6": "f", "h7": "s", "h8": "f", "i6": "s", "i9": "f"},
            id="nor are they over one that stands between",
        ),
        pytest.param(
            "5/1f1s2/2fs3/3ff3/9/2F1F3/3SF2/1F1S2/5 d 1/3 2/2 19/16/5/4",
            "0-f6 133+e6 203-d5 263-c4 318+d5 412+b3 575-d5 703+c4",
            {"b3": "S", "c4": "F"},
            id="a piece is touched before the one that goes is lifted",
        ),
        pytest.param(
            "1f3/1fs3/2f1s2/4f3/3f5/8/2FFF2/1FSSF1/2F2 d 1/4 0/1 -",
            "0-e4 135+d4 266-b4 276-c4 295+c4 313+a4 323+b4 333-c4 439-b2 587+a1 834-c3 965+b2",
            {"a4": "S", "b4": "F", "a1": "F", "b2": "F"},
            id="one contact of a shoved line bounces for long",
        ),
        pytest.param(
            "4f/5f/4FF1/4f1f1/6SSs/6ff/5s1/6/5 d 6/0 4/0 -",
            "0-f8 400+f9 1000-d8 2000-f6 3000-d7 3400+b5 4000-c6 4151-b5 4221+b5 4400+a4",
            {"a4": "s", "b5": "f"},
            id="a piece is carried over one that is touched",
        ),
        pytest.param(
            "2ff1/3s2/2fsf1f/8/3f2F2/2F5/1FSFF2/2FS2/5 d 4/1 0/0 -",
            "0-e4 70+d4 220-c3 320-b4 370+b2 470+a4 480-d4 560-b3 920+b3 1140-c4 1290+b4",
            {"a4": "S", "b2": "S", "b3": "F", "b4": "F"},
            id="what is touched when a line is down was no part of it",
        ),
    ],
)
def test_who_stands_where(code: str, script: str, stands: dict[str, str]) -> None:
    table = Contacts(code).play(script).wait(1)
    assert dict(zip(stands, table.letters(*stands), strict=True)) == stands
