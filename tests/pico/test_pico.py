"""What the firmware does on the chip itself, with times: the CPU's are those of a Pico at best."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sorcel_pi import wire
from sorcel_pi.drivers.mcu_link import Link, LinkState

from ..firmware.process import install
from ..firmware.talk import BLACK, Talk, values
from .chip import Chip, PicoBoard, needs_pico

pytestmark = [needs_pico, pytest.mark.pico]

FRAME_MS = 20
"""From the first byte of a whole frame to its last bit at the lights."""
CONTACT_MS = 50
"""The filter's 8 ms, 20 ms since the line before, two passes, and a sweep of the heap."""
PASS_MS = 20
"""Between the beginnings of two scans, whatever the host does not do."""
FLOOD_MS = 40
"""And whatever it does."""
BYTES_A_SECOND = 25_000
"""Taken from the heap while nothing happens; there are some 220 000."""


class PicoTalk(Talk):
    """A host that says what a test wants, and a Pico."""

    chip: Chip

    def __init__(self, folder: Path, **options: Any) -> None:
        """Start it."""
        super().__init__(folder, board=PicoBoard, **options)
        assert isinstance(self.board, PicoBoard)
        self.chip = self.board.chip

    def interrupt(self) -> None:
        """Press Ctrl-C and wait for the prompt."""
        self.chip.send(b"\x03")
        assert self.chip.run(2e6, until=">>> $").endswith(">>> ")


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[PicoTalk]:
    """A Pico that was greeted; it must never have been reset."""
    with PicoTalk(tmp_path) as made:
        made.greet()
        yield made
        assert made.chip.resets == []


def bright(random: Random) -> tuple[tuple[int, int, int], ...]:
    """Return 61 colours that the limit of current leaves as they are."""
    return tuple((random.randrange(60), random.randrange(60), random.randrange(60)) for _ in BLACK)


def test_a_frame_arrives_bit_for_bit_within_20_ms(talk: PicoTalk) -> None:
    random = Random(1)
    took = []
    for _ in range(12):
        talk.say(wire.ALIVE, ms=random.uniform(30, 50))  # at any point of a pass
        shown, began = len(talk.chip.frames), talk.chip.us
        colours = bright(random)
        talk.say(wire.FRAME, talk.frame(*colours), ms=100)
        (sent,) = talk.chip.frames[shown:]
        assert sent.data == bytes(c for red, green, blue in colours for c in (green, red, blue))
        assert (sent.bits, sent.odd) == (61 * 24, 0)
        assert sent.highs_ns == ({300}, {700})
        assert sent.lows_ns == ({900}, {500})
        took.append((sent.to_us - began) / 1000)
    assert max(took) <= FRAME_MS, took
    print(f"a frame takes {min(took):.1f} to {max(took):.1f} ms from line to light")


def test_registers_are_scanned_as_often_as_the_matrix(tmp_path: Path) -> None:
    with PicoTalk(tmp_path, REGISTERS=28, SPACES=169) as talk:
        talk.greet()
        talk.chip("scans")
        talk.wait(1000)
        told = talk.chip("scans")
        assert told["scans"] >= 240
        for place in (0, 7, 100, 223):
            talk.contacts = 1 << place
            assert talk.closed(60)[-1][1] == 1 << place
        talk.board.order("chain -1")
        talk.wait(60)
        assert {*values(talk.wait(600), wire.TROUBLE)} == {("chain", "GP4")}
        print(f"{told['scans']} scans a second of 28 registers")


@pytest.mark.parametrize("order", ["RGB", "BRGW"])
def test_the_order_of_colours_and_the_boards_own_limit(tmp_path: Path, order: str) -> None:
    with PicoTalk(tmp_path, MAX_MA=400) as talk:
        assert values(talk.greet(), wire.HELLO)[0][4] == 400
        talk.say(wire.LIMIT, b"99999," + order.encode())
        talk.say(wire.FRAME, talk.frame((10, 20, 30)))
        assert talk.board.colours(order)[0] == (10, 20, 30)
        assert talk.chip.frames[-1].bits == 61 * 8 * len(order)
        talk.say(wire.FRAME, talk.frame(*[(255, 255, 255)] * 61))
        assert 350 < 61 + sum(map(sum, talk.board.colours(order))) * 20 / 255 <= 400


def test_every_place_and_button_is_told_soon(talk: PicoTalk) -> None:
    random = Random(2)
    took = []
    for place in range(64):
        talk.say(wire.ALIVE, ms=random.uniform(45, 60))
        talk.contacts, began = 1 << place, talk.chip.us
        told = talk.closed(CONTACT_MS)
        assert told[-1][1] == 1 << place
        took.append(end_of_line("S", talk.chip.said) - began)
    for buttons in (1, 2, 4, 0):
        talk.buttons = buttons
        assert values(talk.wait(CONTACT_MS), wire.BUTTONS)[0] == buttons
        talk.wait(200)
    print(f"a contact is told after {min(took) / 1000:.1f} to {max(took) / 1000:.1f} ms")


def end_of_line(kind: str, said: list[tuple[float, str]]) -> float:
    """Return when the first line of that kind had arrived."""
    line = ""
    for at, piece in said:
        line += piece
        if line.endswith("\n"):
            if line.startswith(kind):
                return at
            line = ""
    raise AssertionError(said)


def test_47_after_minutes_and_days_all_is_as_after_one_second(talk: PicoTalk) -> None:
    for seconds in (9.5 * 60, 60, 17 * 60, 6.5 * 86400, 6 * 86400, 13 * 86400):
        talk.jump(seconds)
        talk.greet()
        colour = (round(seconds) % 50, 1, 2)
        talk.say(wire.FRAME, talk.frame(colour), ms=FRAME_MS + 5)
        assert talk.lights[0] == colour
        talk.contacts ^= 1 << 33
        assert talk.closed(CONTACT_MS)[-1][1] == talk.contacts
        assert values(talk.say(wire.RAW, b"1"), wire.RAW)


@pytest.mark.slow
def test_ten_days_of_quiet_and_play(talk: PicoTalk) -> None:
    random = Random(10)
    talk.interrupt()
    free = "import gc; gc.collect(); print(gc.mem_free())"
    before = int(talk.chip.ask(free))
    talk.chip.send(b"\x04")
    talk.wait(1500)
    shown, bad = 0, talk.decoder.bad  # what the prompt said is no line
    while talk.ms < 10 * 86_400_000:
        talk.jump(random.uniform(600, 3600))  # the host sleeps, the board goes on
        talk.greet()
        for _ in range(4):
            talk.contacts ^= 1 << random.randrange(61)
            assert talk.closed(CONTACT_MS)[-1][1] == talk.contacts
            colours = bright(random)
            talk.say(wire.FRAME, talk.frame(*colours))
            assert talk.lights == colours
            shown += 1
    assert talk.decoder.bad == bad
    talk.interrupt()
    after = int(talk.chip.ask(free))
    print(f"{shown} frames shown and contacts told; {before} bytes free before, {after} after")
    assert after > before - 2000


def test_ctrl_c_at_any_instant_and_the_prompt_stays(talk: PicoTalk) -> None:
    random = Random(3)
    for _ in range(6):
        talk.greet()
        talk.chip.send(talk.encoder.line(wire.FRAME, talk.frame(*bright(random))))
        talk.chip.run(random.uniform(0, 25_000))  # taking it, computing, sending it to the lights
        talk.interrupt()
        talk.chip.run(10_000)
        assert not any(talk.chip.frames[-1].data)
        assert {*talk.chip.rows} <= {2, 3, 4}  # inputs
        # A heap that is swept at once: nothing may be lost that keeps the watchdog quiet.
        talk.chip.ask("import gc; gc.collect()")
        talk.chip.send(b"\x04")  # start again
        talk.chip.run(1_200_000)
    talk.interrupt()
    assert int(talk.chip.ask("import gc; gc.collect(); print(gc.mem_free())")) > 200_000
    talk.chip.run(20e6)
    assert talk.chip.resets == []


def test_a_quiet_second_takes_little_memory(talk: PicoTalk) -> None:
    talk.interrupt()
    talk.chip.ask("import gc, app; b = app.Board(); b.step(); gc.collect()")
    talk.chip.ask("gc.disable(); m = gc.mem_alloc(); [b.step() for _ in range(250)] and None")
    taken = int(talk.chip.ask("print(gc.mem_alloc() - m); gc.enable()"))
    print(f"250 quiet passes take {taken} bytes")
    assert taken < BYTES_A_SECOND


def test_a_flood_is_taken_in_while_contacts_are_told(talk: PicoTalk) -> None:
    random = Random(4)
    letters = b"FDLQPH0123456789ABCDEF,*\n"
    talk.chip("scans")
    for k in range(40):
        talk.chip.send(bytes(random.choice(letters) for _ in range(500)))
        talk.contacts = 1 << k
        talk.say(wire.ALIVE, ms=100)
    while talk.chip.unsent:
        talk.wait(20)
    seen = talk.chip("scans")
    assert seen["longest_us"] < FLOOD_MS * 1000
    talk.chip.send(bytes(random.choice(range(4, 256)) for _ in range(5000)) + b"\n")
    talk.wait(1000)
    assert values(talk.greet(), wire.HELLO)
    talk.contacts = 7
    assert talk.closed(100)[-1][1] == 7
    print(f"in a flood: {seen['scans']} scans, the longest pass {seen['longest_us']:.0f} us")


def test_a_host_that_takes_nothing_holds_up_nothing(talk: PicoTalk) -> None:
    talk.wait(100)
    talk.chip("scans")
    talk.chip("stall", on=True)
    for k in range(30):
        talk.contacts = 1 << k
        talk.chip.send(talk.encoder.line(wire.ALIVE))
        talk.wait(200)
    seen = talk.chip("scans")
    assert seen["longest_us"] < PASS_MS * 1000
    talk.chip("stall", on=False)
    told = talk.wait(600)
    assert talk.decoder.missed > 20
    assert talk.decoder.bad == 0
    assert int.from_bytes(values(told, wire.CONTACTS)[-1][1], "big") == talk.contacts
    print(f"stalled for 6 s: {seen['scans']} scans, the longest {seen['longest_us']:.0f} us")


def test_a_port_that_is_closed_and_opened_again(talk: PicoTalk) -> None:
    talk.say(wire.FRAME, talk.frame((9, 9, 9)))
    talk.chip.send(talk.encoder.line(wire.FRAME, talk.frame())[:200])
    talk.wait(50)
    talk.chip("dtr", on=False)
    talk.wait(6000)
    assert talk.lights == BLACK
    talk.chip("dtr", on=True)
    talk.chip.send(b"\n")
    assert values(talk.greet(), wire.HELLO)
    assert talk.closed(600)


def test_old_hosts_and_wrong_hosts(talk: PicoTalk) -> None:
    talk.say(wire.FRAME, talk.frame((9, 9, 9)))
    assert values(talk.greet(protocol=1, version="0.1.0"), wire.HELLO)[0][4] is None
    assert values(talk.greet(protocol=7), wire.HELLO)[0][:2] == (wire.PROTOCOL, wire.FIRMWARE)
    talk.wait(50)
    assert talk.lights == BLACK
    assert talk.say(wire.FRAME, talk.frame((9, 9, 9)), ms=600) == []
    assert talk.greet(host="E6614104032B5C2F") == []  # its own echo
    assert values(talk.greet(), wire.HELLO)


def test_49_a_crash_is_told_until_somebody_has_seen_it(tmp_path: Path) -> None:
    install(tmp_path)
    app = tmp_path / "app.py"
    wrong = (
        "        if self.contacts.stable[7] == 255:\n            raise OSError('all of row 0')\n"
    )
    text = app.read_text(encoding="utf-8")
    app.write_text(
        text.replace("        self.contacts.scan()\n", wrong + "        self.contacts.scan()\n")
    )
    with PicoTalk(tmp_path, files=False) as talk:
        talk.greet()
        talk.say(wire.FRAME, talk.frame((9, 9, 9)))
        talk.contacts = 255
        talk.wait(100)
        assert talk.lights == BLACK
        talk.contacts = 0
        talk.wait(6000)
        assert len(talk.chip.resets) == 1
        for _ in range(2):
            told = talk.greet() + talk.wait(200)
            assert values(told, wire.TROUBLE) == [("crash", "OSError: all of row 0")]
        talk.say(wire.AGAIN, b"crash", ms=200)
        assert values(talk.greet(), wire.TROUBLE) == []


def test_49_a_board_that_cannot_begin_and_a_prompt_are_told_by_the_driver(tmp_path: Path) -> None:
    install(tmp_path)
    settings = tmp_path / "settings.py"
    settings.write_text(settings.read_text(encoding="utf-8").replace("MAX_MA", "LIMIT_MA"))
    link = Link(61, current_limit_a=1.5, colour_order="GRB")
    with PicoTalk(tmp_path, files=False) as talk:

        def hears() -> None:
            talk.chip.send(link.due(talk.ms / 1000))
            talk.ms += 300
            link.receive(talk.chip.run(300_000).encode("latin1"), talk.ms / 1000)

        link.opened("a port", 0.0)
        hears()
        assert link.status.state is LinkState.STOPPED
        assert "settings.py lacks MAX_MA" in link.status.text
        talk.interrupt()
        link.opened("a port", talk.ms / 1000)
        hears()
        assert link.status.state is LinkState.STOPPED
        assert "MicroPython's prompt answers" in link.status.text
        assert talk.chip.watchdog_ms == 0
        assert talk.chip.resets == []


def test_50_a_column_shorted_to_ground_is_named(talk: PicoTalk) -> None:
    talk.contacts = 1 << 40
    talk.board.order("short 80")
    told = talk.wait(1200)
    assert not values(told, wire.CONTACTS)
    assert {*values(told, wire.TROUBLE)} == {("short", "GP17")}
    talk.board.order("short 0")
    assert talk.closed(CONTACT_MS)[-1][1] == 1 << 40


def test_with_the_jumper_there_is_only_the_prompt(tmp_path: Path) -> None:
    chip = Chip(install(tmp_path))
    chip.wire(jumper=True)
    chip.run(1e6)
    assert chip.ask("print(6 * 7)") == "42"
    chip.run(20e6)
    assert (chip.watchdog_ms, chip.resets) == (0, [])
    chip.close()
