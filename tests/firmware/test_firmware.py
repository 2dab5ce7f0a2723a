"""The firmware's own files under MicroPython: what the board does, line by line."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sorcel_pi import wire

from .process import install, needs_micropython
from .talk import BLACK, Talk, values

pytestmark = needs_micropython

WHITE = (255, 255, 255)
HEALTHY = ["watchdog 8000 ms"]


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    """A board that was greeted; in the end the stubs must have found nothing odd."""
    with Talk(tmp_path) as made:
        made.wait(20)
        made.greet()
        yield made
        assert made.board.events[:1] == HEALTHY
        assert made.board.events[1:] in ([], ["as expected"])


# Hello and silence.


def test_it_is_silent_and_dark_until_a_hello(tmp_path: Path) -> None:
    with Talk(tmp_path) as talk:
        talk.contacts = 5
        for kind, payload in ((wire.AGAIN, b""), (wire.FRAME, talk.frame(WHITE)), ("x", b"")):
            assert talk.say(kind, payload) == []
        talk.cable.send(b"ATZ\r\n\nhello?\n" * 20)
        talk.wait(10_000)
        assert talk.heard == b""
        assert talk.lights == BLACK
        assert talk.board.events == HEALTHY


def test_a_hello_is_answered_with_everything(tmp_path: Path) -> None:
    with Talk(tmp_path) as talk:
        talk.contacts, talk.buttons = 1 << 60 | 0x0102, 5
        talk.wait(50)
        hello, *rest = talk.greet()
        assert hello.kind == wire.HELLO
        assert hello.value == (wire.PROTOCOL, wire.FIRMWARE, 61, "E6614104032B5C2F", 1500, 64)
        assert values(rest, wire.BUTTONS) == [5]
        assert values(rest, wire.CONTACTS)[0][1] == (1 << 60 | 0x0102).to_bytes(8, "big")


def test_another_protocol_is_answered_and_then_ignored(talk: Talk) -> None:
    talk.say(wire.FRAME, talk.frame(WHITE))
    assert talk.lights[0] == WHITE
    answer = talk.greet(protocol=3)
    assert [message.kind for message in answer] == [wire.HELLO]
    assert answer[0].value[0] == wire.PROTOCOL
    assert talk.lights == BLACK
    assert talk.say(wire.FRAME, talk.frame(WHITE), ms=2000) == []
    assert talk.lights == BLACK


def test_its_own_echo_is_no_hello(tmp_path: Path) -> None:
    with Talk(tmp_path) as talk:
        talk.wait(50)
        assert talk.greet(host="E6614104032B5C2F") == []
        assert talk.heard == b""


def test_after_5_s_without_a_valid_line_it_is_dark_and_silent(talk: Talk) -> None:
    talk.say(wire.FRAME, talk.frame(WHITE))
    for _ in range(4):
        talk.cable.send(b"P,7,*00000000\nnoise\n")
        assert values(talk.wait(1200), wire.CONTACTS)
    assert talk.lights[0] == WHITE
    talk.wait(200)
    assert talk.lights == BLACK
    assert talk.wait(20_000) == []
    assert talk.say(wire.FRAME, talk.frame(WHITE)) == []
    assert talk.greet()[0].kind == wire.HELLO
    assert talk.lights == BLACK


def test_any_valid_line_keeps_it_alive(talk: Talk) -> None:
    talk.say(wire.FRAME, talk.frame(WHITE))
    for _ in range(5):
        assert values(talk.say(wire.ALIVE, ms=4900), wire.ALIVE) == [None]
    assert talk.lights[0] == WHITE


# Contacts and buttons.


def test_contacts_are_told_on_change_and_twice_a_second(talk: Talk) -> None:
    beats = talk.closed(4600)
    assert len(beats) == 9
    assert {closed for _, closed in beats} == {0}
    talk.contacts = 1 << 33
    (when, closed), *_ = talk.closed(200)
    assert closed == 1 << 33
    assert 5 <= when - (talk.ms - 200) <= 20


def test_every_place_has_its_bit(talk: Talk) -> None:
    for place in range(64):
        talk.contacts = 1 << place
        assert talk.closed(60)[-1][1] == 1 << place
    talk.contacts = everything = (1 << 64) - 1
    assert talk.closed(60)[-1][1] == everything


@pytest.mark.parametrize("ms", [1, 3, 5])
def test_a_glitch_is_not_told(talk: Talk, ms: int) -> None:
    for place in range(20):
        talk.contacts = 1 << place
        before = talk.closed(ms)
        talk.contacts = 0
        assert {closed for _, closed in before + talk.closed(37.3)} <= {0}


def test_a_contact_that_bounces_is_one_change_which_is_told_twice(talk: Talk) -> None:
    told = []
    for k in range(16):
        talk.contacts = k % 3 and 4
        told += talk.closed(1)
    talk.contacts = 4
    told += talk.closed(100)
    (when, first), (again, second) = [each for each in told if each[1]]
    assert first == second == 4
    assert 40 <= again - when <= 44


def test_a_contact_that_flickers_does_not_flood_the_line_nor_hide_its_neighbours(
    talk: Talk,
) -> None:
    talk.heard = b""
    for k in range(100):
        talk.contacts = (k % 2 and 1) | (2 if k >= 50 else 0)
        talk.wait(20)
    assert len(talk.heard) < 2 * 2500
    assert talk.closed(600)[-1][1] & 2


def test_a_contact_that_never_rests_is_not_told_but_its_neighbours_are(talk: Talk) -> None:
    told = []
    for k in range(200):
        talk.contacts = (k % 2 and 1) | (2 if k >= 100 else 0)
        told += talk.closed(4)
    assert {closed for _, closed in told} | {0} == {0, 2}


def test_buttons_are_told_on_change_and_three_times_more(talk: Talk) -> None:
    assert values(talk.wait(2100), wire.BUTTONS) == []
    for buttons in (1, 3, 7, 4, 0):
        talk.say(wire.ALIVE)
        talk.buttons = buttons
        assert values(talk.wait(20), wire.BUTTONS) == [buttons]
        assert values(talk.wait(400), wire.BUTTONS) == [buttons] * 3
        assert values(talk.wait(500), wire.BUTTONS) == []


def test_a_short_press_is_told_as_often_as_a_long_one(talk: Talk) -> None:
    talk.buttons = 1
    told = values(talk.wait(30), wire.BUTTONS)
    talk.buttons = 2
    told += values(talk.wait(30), wire.BUTTONS)
    talk.buttons = 0
    told += values(talk.wait(400), wire.BUTTONS)
    assert told == [1, 3, 3, 3, 3, 0, 0, 0, 0]


def test_a_button_that_flickers_does_not_flood_the_line(talk: Talk) -> None:
    talk.heard = b""
    for k in range(100):
        talk.buttons = k % 2
        talk.wait(20)
    assert len(talk.heard) < 2 * 2500


def test_raw_scans_while_they_are_asked_for(talk: Talk) -> None:
    talk.contacts = 1 << 9
    assert values(talk.wait(3), wire.RAW) == []
    told = values(talk.say(wire.RAW, b"1"), wire.RAW)
    assert told[-1] == (1 << 9).to_bytes(8, "big")
    seen = set()
    for k in range(40):
        talk.contacts = k % 2 << 9
        seen |= set(values(talk.wait(6), wire.RAW))
    assert len(seen) == 2
    talk.say(wire.RAW, b"0")
    talk.contacts = 1
    assert values(talk.wait(1000), wire.RAW) == []
    talk.say(wire.RAW, b"1")
    assert values(talk.greet() + talk.wait(1000), wire.RAW) == []


def test_everything_again(talk: Talk) -> None:
    talk.contacts, talk.buttons = 6, 2
    talk.wait(100)
    again = talk.say(wire.AGAIN, ms=10)
    assert values(again, wire.BUTTONS) == [2]
    assert [int.from_bytes(octets, "big") for _, octets in values(again, wire.CONTACTS)] == [6]


# Lights.


def test_a_frame_and_its_changes(talk: Talk) -> None:
    talk.say(wire.FRAME, talk.frame((1, 2, 3), (4, 5, 6)))
    assert talk.lights == ((1, 2, 3), (4, 5, 6), *BLACK[2:])
    frames = talk.board.state["frames"]
    talk.say(wire.CHANGES, bytes.fromhex("01070809 3C0A0B0C").hex().encode())
    assert talk.lights == ((1, 2, 3), (7, 8, 9), *BLACK[3:], (10, 11, 12))
    talk.wait(2000)
    assert talk.board.state["frames"] == frames + 1


def test_frames_one_after_the_other_have_a_pause_between_them(talk: Talk) -> None:
    for k in range(50):
        talk.cable.send(talk.encoder.line(wire.CHANGES, b"00%06X" % k) * 1)
    talk.wait(100)
    assert talk.lights[0] == (0, 0, 49)


@pytest.mark.parametrize(
    ("kind", "payload"),
    [(wire.FRAME, b"000000" * 60), (wire.FRAME, b"000000" * 62), (wire.CHANGES, b"3D000000")],
)
def test_lights_that_do_not_exist(talk: Talk, kind: str, payload: bytes) -> None:
    talk.say(wire.FRAME, talk.frame(WHITE))
    told = values(talk.say(kind, payload), wire.TROUBLE)
    assert told == [("frame", "a frame does not fit 61 lights")]
    assert talk.lights[0] == WHITE


@pytest.mark.parametrize("own_ma", [500, 9999])
@pytest.mark.parametrize("limit_ma", [61, 62, 100, 500, 1500, 3000, 3721, wire.MAX_LIMIT_MA])
def test_the_current_is_limited_whatever_the_host_sends(
    tmp_path: Path, limit_ma: int, own_ma: int
) -> None:
    with Talk(tmp_path, MAX_MA=own_ma) as talk:
        talk.wait(20)
        assert values(talk.greet(), wire.HELLO)[0][4] == own_ma
        talk.say(wire.LIMIT, b"%d" % limit_ma)
        check_limit(talk, min(own_ma, limit_ma))


def check_limit(talk: Talk, limit_ma: int) -> None:
    """Send bright frames; what is shown must draw as much as it may and no more."""
    for frame in ([WHITE] * 61, [(255, 0, 0)] * 61, [(200, 100, 50)] * 30, [(1, 1, 1)] * 61):
        talk.say(wire.FRAME, talk.frame(*frame))
        drawn_ma = 61 + sum(map(sum, talk.lights)) / 255 * 20
        assert drawn_ma <= limit_ma
        wanted_ma = 61 + sum(map(sum, frame)) / 255 * 20
        if wanted_ma <= limit_ma:
            assert talk.lights[: len(frame)] == tuple(frame)
        elif limit_ma > 200:
            red, green, blue = talk.lights[0]
            assert drawn_ma > 0.9 * limit_ma
            assert abs(red * frame[0][1] - green * frame[0][0]) <= 255
            assert abs(red * frame[0][2] - blue * frame[0][0]) <= 255


def test_the_limit_holds_for_the_frame_that_is_shown_already(talk: Talk) -> None:
    talk.say(wire.FRAME, talk.frame(*[WHITE] * 61))
    talk.say(wire.LIMIT, b"200")
    assert sum(map(sum, talk.lights)) / 255 * 20 + 61 <= 200


@pytest.mark.parametrize("order", ["RGB", "RBG", "GRB", "GBR", "BRG", "BGR"])
@pytest.mark.parametrize("white", ["", "W"])
def test_the_order_of_colours(talk: Talk, order: str, white: str) -> None:
    for _ in range(5):  # changing it over and over uses up nothing
        talk.say(wire.LIMIT, b"1500,RGBW")
        talk.say(wire.LIMIT, b"1500," + (order + white).encode())
    talk.say(wire.FRAME, talk.frame((10, 20, 30)))
    assert talk.board.state["bits"] == 24 + 8 * len(white)
    assert talk.board.colours(order)[0] == (10, 20, 30)
    assert talk.board.words[0] & 255 == 0


# Loss.


def test_lost_lines_are_told_so_that_the_frame_comes_again(talk: Talk) -> None:
    talk.encoder.line(wire.CHANGES, b"00010203")
    talk.encoder.line(wire.CHANGES, b"01010203")
    assert values(talk.say(wire.ALIVE), wire.TROUBLE) == [("lost", "2")]
    assert values(talk.wait(2000), wire.TROUBLE) == []
    assert values(talk.say(wire.AGAIN), wire.TROUBLE) == [("lost", "2")]


def test_a_host_that_does_not_read_holds_up_nothing(tmp_path: Path) -> None:
    with Talk(tmp_path, room=8192) as talk:
        talk.wait(20)
        talk.greet()
        for k in range(120):
            talk.cable.send(talk.encoder.line(wire.FRAME, talk.frame((1, 2, k))))
            talk.ms += 500
            talk.contacts ^= 1 << k % 64
            talk.board.go(round(talk.ms * 1000), contacts=talk.contacts)
            assert talk.lights[0] == (1, 2, k)
        assert talk.board.events == HEALTHY
        talk.wait(1)
        few = talk.decoder.good
        told = talk.wait(1000)
        assert talk.decoder.missed > few / 2
        assert talk.decoder.bad == 0  # the line that had begun was ended
        assert int.from_bytes(values(told, wire.CONTACTS)[-1][1], "big") == talk.contacts


# Time.

DAY_S = 86400.0


def test_47_whatever_the_clock_says_frames_are_shown_and_contacts_told(talk: Talk) -> None:
    random = Random(47)
    talk.say(wire.RAW, b"1")
    while talk.ms < 30 * DAY_S * 1000:
        # Minutes are for the counter of microseconds, which begins anew after 17.9, hours for the
        # one of milliseconds, which does so after 12.4 days.
        talk.jump(random.choice((60.0, 3600.0)) * random.uniform(1, 20))
        talk.greet()
        look_and_feel(talk, random.getrandbits(60))


@pytest.mark.parametrize("days", [0.005, 0.01, 6.1, 6.3, 9, 12.3, 12.5, 18, 24.9, 30])
def test_47_raw_scans_begin_at_any_age(talk: Talk, days: float) -> None:
    talk.say(wire.RAW, b"1")
    talk.say(wire.RAW, b"0")
    talk.jump(days * DAY_S)
    talk.greet()
    assert values(talk.say(wire.RAW, b"1"), wire.RAW)
    look_and_feel(talk, 1 << 44)


def look_and_feel(talk: Talk, contacts: int) -> None:
    """Make sure that what is closed is told and what is sent is shown, both at once."""
    talk.contacts = contacts
    assert talk.closed(40)[-1][1] == contacts
    colour = (contacts & 63, contacts >> 6 & 63, contacts >> 12 & 63)
    talk.say(wire.FRAME, talk.frame(colour))
    assert talk.lights[0] == colour


@pytest.mark.slow
def test_ten_days_of_quiet_and_play(talk: Talk) -> None:
    random = Random(10)
    contacts = memory = 0
    shown = told = 0
    while talk.ms < 10 * DAY_S * 1000:
        talk.board.order("pace 500000")  # a pass takes half a second, as nothing happens
        for _ in range(round(random.uniform(10, 60) * 15)):
            assert values(talk.say(wire.ALIVE, ms=4000), wire.CONTACTS)
        talk.board.order("pace 0")
        talk.say(wire.ALIVE, ms=600)
        for _ in range(20):
            contacts ^= 1 << random.randrange(61)
            talk.say(wire.ALIVE)
            look_and_feel(talk, contacts)
            shown, told = shown + 1, told + 1
        talk.board.order("sweep")
        used = talk.board.state["memory"]
        memory = memory or used
        assert used <= memory + 64
        talk.heard = b""
    assert (talk.decoder.bad, talk.decoder.gaps, talk.decoder.repeats) == (0, 0, 0)
    print(
        f"{shown} frames shown, {told} contacts told, {memory} bytes in use, and {used} at the end"
    )


# When something is wrong.


def test_with_the_jumper_closed_there_is_only_the_prompt(tmp_path: Path) -> None:
    with Talk(tmp_path, before="jumper") as talk:
        talk.wait(5000)
        assert talk.board.ended
        assert talk.heard == b">>> "
        assert talk.board.events == []
        assert talk.board.state["rows"] == [-1] * 8
        assert talk.lights == BLACK


def test_ctrl_c_stops_it_dark_and_keeps_the_watchdog_quiet(tmp_path: Path) -> None:
    with Talk(tmp_path) as talk:
        talk.wait(20)
        talk.greet()
        talk.say(wire.FRAME, talk.frame(WHITE))
        assert talk.board.state["rows"].count(-1) == 0
        talk.board.order("interrupt")
        talk.wait(100)
        assert talk.board.ended
        assert talk.heard.endswith(b">>> ")
        assert talk.board.events == [*HEALTHY, "timer 1000 ms"]
        assert talk.board.state["rows"] == [-1] * 8
        assert talk.lights == BLACK


def test_whatever_goes_wrong_it_is_dark_starts_again_and_tells_why(tmp_path: Path) -> None:
    with Talk(tmp_path) as talk:
        talk.wait(20)
        talk.greet()
        talk.say(wire.FRAME, talk.frame(WHITE))
        talk.board.order("break")
        talk.wait(100)
        assert not talk.board.ended  # it waits, so that somebody can break in
        assert talk.lights == BLACK
        assert talk.board.state["rows"] == [-1] * 8
        talk.wait(4000)
        assert talk.board.events == [*HEALTHY, "reset"]
    with Talk(tmp_path) as talk:
        talk.wait(20)
        crash = [("crash", "OSError: the pins are gone")]
        for _ in range(3):  # nobody has said that it was seen
            assert values(talk.greet(), wire.TROUBLE) == crash
            assert values(talk.say(wire.AGAIN), wire.TROUBLE) == []
        talk.say(wire.AGAIN, b"crash")
        assert values(talk.greet(), wire.TROUBLE) == []
        talk.say(wire.AGAIN, b"crash")
        assert talk.board.events == HEALTHY


def test_50_a_column_shorted_to_ground_is_named_and_never_taken_for_contacts(talk: Talk) -> None:
    talk.contacts = 1 << 17
    assert talk.closed(100)[-1][1] == 1 << 17
    talk.board.order("short 28")
    told = talk.wait(2000)
    assert {closed for _, closed in values(told, wire.CONTACTS)} <= {(1 << 17).to_bytes(8, "big")}
    shorts = values(told, wire.TROUBLE)
    assert set(shorts) == {("short", "GP13 GP15")}
    assert 4 <= len(shorts) <= 6  # as often as contacts would be told
    assert values(talk.say(wire.AGAIN), wire.TROUBLE) == [("short", "GP13 GP15")]
    talk.board.order("short 0")
    talk.contacts = 1 << 18
    assert talk.closed(100)[-1][1] == 1 << 18


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"MAX_MA": None}, "ValueError: settings.py lacks MAX_MA"),
        ({"SPACES": None, "ROWS": None}, "ValueError: settings.py lacks SPACES, ROWS"),
        ({"LIGHTS": 5}, "ValueError: settings.py uses twice: GP5"),
        (
            {"ROWS": (2, 3, 4, 5, 6, 7, 8, 9, 26)},
            "ValueError: settings.py has more than 8 rows or columns",
        ),
        ({"REGISTERS": 10, "CLOCK": 22}, "ValueError: settings.py uses twice: GP22"),
        ({"REGISTERS": 10, "LOAD": None}, "ValueError: settings.py lacks LOAD"),
        (
            {"REGISTERS": 65},
            "ValueError: settings.py: REGISTERS is 65, not a whole number up to 64",
        ),
        ({"DRIVE_US": "long"}, "TypeError: unsupported types for __gt__: 'str', 'int'"),
        ({"MAX_MA": 1.5}, "ValueError: settings.py: MAX_MA is 1.5, not a whole number up to 99999"),
        ({"SPACES": 65}, "ValueError: settings.py: SPACES is 65, not a whole number up to 64"),
        ("ROWS = (1,", "settings.py: SyntaxError: invalid syntax"),
    ],
)
def test_49_a_board_that_cannot_begin_answers_hello_with_the_reason(
    tmp_path: Path, settings: dict[str, Any] | str, reason: str
) -> None:
    install(tmp_path)
    write_settings(tmp_path / "settings.py", settings)
    with Talk(tmp_path, files=False) as talk:
        talk.wait(100)
        for _ in range(3):
            hello, trouble = talk.greet() + talk.wait(1500)
            assert hello.value[:2] == (wire.STOPPED, wire.FIRMWARE)
            assert trouble.value == ("stopped", reason)
        assert talk.say(wire.FRAME, talk.frame(WHITE)) == []
        assert set(talk.board.words) <= {0}
        talk.wait(50_000)
        assert not {*HEALTHY, "reset"} & {*talk.board.events}  # and no reset every 3 s
        talk.board.order("interrupt")
        talk.wait(100)
        assert talk.heard.endswith(b">>> ")


def write_settings(file: Path, settings: dict[str, Any] | str) -> None:
    """Leave out or change some lines, or write something else."""
    if isinstance(settings, str):
        file.write_text(settings, encoding="utf-8")
        return
    lines = file.read_text(encoding="utf-8").splitlines()
    for name, value in settings.items():
        lines = [line for line in lines if not line.startswith(name)]
        lines += [] if value is None else [f"{name} = {value!r}"]
    file.write_text("\n".join(lines), encoding="utf-8")


def test_what_could_not_begin_is_tried_again_after_a_minute(tmp_path: Path) -> None:
    install(tmp_path)
    write_settings(tmp_path / "settings.py", {"MAX_MA": None})
    with Talk(tmp_path, files=False) as talk:
        talk.wait(66_000)
        assert talk.board.events == ["reset"]
        assert not (tmp_path / "crash.txt").exists()


def test_a_host_of_0_1_gets_a_hello_that_it_can_read(tmp_path: Path) -> None:
    with Talk(tmp_path) as talk:
        talk.wait(20)
        hello, *_ = talk.greet(protocol=1, version="0.1.0")
        assert (hello.value[0], hello.value[4]) == (1, None)
        assert talk.heard.splitlines()[1].count(b",") == 5


def test_a_host_of_protocol_1_is_served_as_before(tmp_path: Path) -> None:
    with Talk(tmp_path) as talk:
        talk.contacts = 1 << 60 | 5
        talk.wait(20)
        hello, *rest = talk.greet(protocol=1, version="0.2.0")
        assert hello.value[:3] == (1, wire.FIRMWARE, 61)
        assert talk.heard.splitlines()[1].count(b",") == 6  # nothing behind the limit
        assert values(rest, wire.CONTACTS)[0][1] == (1 << 60 | 5).to_bytes(8, "big")
        talk.say(wire.FRAME, talk.frame(WHITE))
        assert talk.lights[0] == WHITE


# A chain of registers instead of the matrix.


def chained(folder: Path, **more: Any) -> Talk:
    """Return a board with ten registers that was greeted."""
    talk = Talk(folder, REGISTERS=10, **more)
    talk.wait(20)
    talk.greet()
    return talk


def test_every_place_of_a_chain_has_its_bit(tmp_path: Path) -> None:
    with chained(tmp_path) as talk:
        for places in (*(1 << place for place in range(80)), (1 << 80) - 1, 0x5A5A5 << 40, 0):
            talk.contacts = places
            assert talk.closed(60)[-1][1] == places
        assert talk.board.events == HEALTHY


def test_raw_scans_of_a_chain(tmp_path: Path) -> None:
    with chained(tmp_path) as talk:
        talk.contacts = 1 << 79 | 3
        raw = values(talk.say(wire.RAW, b"1"), wire.RAW)
        assert raw[-1] == (1 << 79 | 3).to_bytes(10, "big")


def test_a_chain_without_its_cable_is_never_taken_for_contacts(tmp_path: Path) -> None:
    with chained(tmp_path) as talk:
        talk.board.order("chain -1")
        talk.wait(60)
        said = talk.wait(2000)
        assert values(said, wire.CONTACTS) == []
        assert {*values(said, wire.TROUBLE)} == {("chain", "GP4")}
        talk.board.order("chain 10")
        talk.contacts = 7
        assert talk.closed(100)[-1][1] == 7


def test_a_chain_with_more_registers_than_the_settings_know(tmp_path: Path) -> None:
    with chained(tmp_path) as talk:
        talk.board.order("chain 12")  # their inputs are not all low
        talk.wait(60)
        assert {*values(talk.wait(600), wire.TROUBLE)} == {("chain", "GP4")}


def test_a_host_of_protocol_1_is_told_that_a_chain_is_beyond_it(tmp_path: Path) -> None:
    with Talk(tmp_path, REGISTERS=10) as talk:
        talk.wait(20)
        (hello,) = talk.greet(protocol=1, version="0.2.0")
        assert hello.value[0] == wire.PROTOCOL
        assert talk.heard.splitlines()[1].count(b",") == 6  # so that it can be read there
        assert talk.wait(2000) == []


def test_a_board_of_169_lights(tmp_path: Path) -> None:
    random = Random(2)
    with chained(tmp_path, SPACES=169) as talk:
        frame = random.randbytes(3 * 169)
        dim = bytes(octet // 8 for octet in frame)
        talk.say(wire.FRAME, wire.pack_octets(dim))
        assert bytes(c for colour in talk.lights for c in colour) == dim
        talk.say(wire.CHANGES, b"A8070809")
        assert talk.lights[168] == (7, 8, 9)
        assert talk.board.events == HEALTHY


def test_ctrl_c_after_a_failure_leaves_the_prompt(tmp_path: Path) -> None:
    with Talk(tmp_path) as talk:
        talk.wait(20)
        talk.board.order("break")
        talk.wait(1000)
        talk.board.order("interrupt")
        talk.wait(1000)
        assert talk.heard == b">>> "
        assert talk.board.events == [*HEALTHY, "timer 1000 ms"]


@pytest.mark.parametrize("file", ["app.py", "lights.py", "line.py", "contacts.py", "wire.py"])
def test_a_file_that_is_torn_leaves_time_to_mend_it(tmp_path: Path, file: str) -> None:
    torn = (install(tmp_path) / file).read_text(encoding="utf-8")[:-60] + "\n  oh ("
    with Talk(tmp_path) as talk:
        (tmp_path / file).write_text(torn, encoding="utf-8")
        talk.wait(1000)
        assert talk.board.events == []  # no watchdog
        talk.board.order("interrupt")
        talk.wait(1000)
        assert talk.heard == b">>> "
        assert talk.lights == BLACK


def test_the_watchdog_is_fed_while_all_is_well(tmp_path: Path) -> None:
    with Talk(tmp_path) as talk:
        talk.wait(20_000)
        assert talk.board.events == HEALTHY
