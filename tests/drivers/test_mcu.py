"""The microcontroller's driver, with pyserial, on a line to the real firmware: both contracts.

And what lines do: drop, break, come back under another name, garble, repeat.
"""

import os
import sys
import tty
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sorcel_pi import board_from_text, wire
from sorcel_pi.drivers.mcu import INSTALL, PRODUCT, VENDOR, Mcu
from sorcel_pi.drivers.mcu_link import LinkState
from sorcel_pi.drivers.mock.table import MockTable
from sorcel_pi.drivers.ports import Frame, LightSink, SensorSource
from sorcel_pi.errors import DeviceError
from sorcel_pi.rules.hexgrid import spaces_of

from ..firmware.fuzz import stream
from ..firmware.process import needs_micropython
from ..firmware.rig import SERIAL_NUMBER, Clock, Rig, row_boards
from ..pack import board_text
from .contract import LightContract, LightRig, SensorContract, SensorRig
from .tables import BOARD, GRID

DARK = ((0, 0, 0),) * 61
HANG_S = 30.0


def lit(*spaces: int) -> Frame:
    """Return a frame in which these lights are on."""
    return tuple((40, 30, 20) if k in spaces else (0, 0, 0) for k in range(61))


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    """A board that is found."""
    with Rig(tmp_path) as made:
        yield made
        assert set(made.firmware.events) <= {"watchdog 8000 ms"}


@needs_micropython
class TestContacts(SensorContract):
    @pytest.fixture
    def rig(self, tmp_path: Path) -> Iterator[SensorRig]:
        with Rig(tmp_path) as made:

            def close_contacts(mask: int) -> None:
                made.contacts = mask
                made.advance(0.06)

            def hold_buttons(mask: int) -> None:
                made.buttons = mask
                made.advance(0.2)  # a press is told for at least 0.12 s

            def plug() -> None:
                made.plug()
                made.until_connected()

            yield SensorRig(made.mcu, 61, close_contacts, hold_buttons, made.unplug, plug)


@needs_micropython
class TestRowBoards(SensorContract):
    @pytest.fixture(params=[5, 8])
    def rig(self, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[SensorRig]:
        board = BOARD if request.param == 5 else board_from_text(board_text(request.param))
        with Rig(tmp_path, **row_boards(board)) as made:

            def close_contacts(mask: int) -> None:
                made.contacts = mask
                made.advance(0.06)

            def hold_buttons(mask: int) -> None:
                made.buttons = mask
                made.advance(0.2)

            def unplug() -> None:
                made.firmware.order("chain -1")
                made.advance(0.06)

            def plug() -> None:
                made.firmware.order(f"chain {made.settings['REGISTERS']}")
                made.advance(0.06)

            yield SensorRig(made.mcu, board.grid.n, close_contacts, hold_buttons, unplug, plug)


@needs_micropython
def test_a_row_board_that_is_not_plugged_in_is_an_error_and_no_pieces(tmp_path: Path) -> None:
    with Rig(tmp_path, **row_boards(BOARD)) as rig:
        rig.firmware.order("chain 7")
        rig.advance(0.1)
        with pytest.raises(DeviceError, match="register 8 of the chain, or one before it"):
            rig.mcu.scan()
        rig.firmware.order("chain 10")
        rig.advance(0.1)
        assert rig.mcu.scan().closed == 0


@needs_micropython
class TestLightsOfSide8(LightContract):
    @pytest.fixture
    def rig(self, tmp_path: Path) -> Iterator[LightRig]:
        options = row_boards(board_from_text(board_text(8)))
        options["settings"] |= {"MAX_MA": 9000}
        with Rig(tmp_path, current_limit_a=9.0, **options) as made:

            def seen() -> Frame:
                made.advance(0.4)
                return made.lights

            def plug() -> None:
                made.plug()
                made.until_connected()

            yield LightRig(made.mcu, 169, seen, made.unplug, plug)


@needs_micropython
class TestLights(LightContract):
    @pytest.fixture
    def rig(self, tmp_path: Path) -> Iterator[LightRig]:
        with Rig(tmp_path, current_limit_a=4.0, settings={"MAX_MA": 4000}) as made:

            def seen() -> Frame:
                made.advance(0.2)
                return made.lights

            def plug() -> None:
                made.plug()
                made.until_connected()

            yield LightRig(made.mcu, 61, seen, made.unplug, plug)


@needs_micropython
def test_it_is_both_ports(rig: Rig) -> None:
    source: SensorSource = rig.mcu
    sink: LightSink = rig.mcu
    assert source.scan().closed == 0
    sink.show(DARK)


@needs_micropython
def test_places_are_wired_as_the_config_says(tmp_path: Path) -> None:
    order = tuple(63 - space for space in range(61))
    with Rig(tmp_path, order=order) as rig:
        rig.contacts = 1 << 63 | 1 << 3 | 1 << 2
        rig.advance(0.1)
        assert rig.mcu.scan().closed == 1 << 0 | 1 << 60


@needs_micropython
@pytest.mark.parametrize("order", ["RGB", "BRGW"])
def test_colours_limit_and_raw_scans_reach_the_board(tmp_path: Path, order: str) -> None:
    with Rig(tmp_path, colour_order=order, current_limit_a=0.3, raw=True) as rig:
        rig.mcu.show(lit(3))
        rig.advance(0.2)
        assert rig.lights == lit(3)
        rig.mcu.show(((255, 255, 255),) * 61)
        rig.advance(0.2)
        assert 0.25 < 0.061 + sum(map(sum, rig.lights)) / 255 * 0.02 <= 0.3
        seen = 0
        for space in (4, 5) * 10:  # changes at every scan, which the board's filter takes out
            rig.contacts = 1 << space
            rig.advance(0.004)
            seen |= rig.mcu.scan().closed
        assert seen == 1 << 4 | 1 << 5


# Lines that drop.


@needs_micropython
def test_a_cut_of_30_s_loses_nothing_but_time(rig: Rig) -> None:
    rig.contacts = 0b111
    rig.mcu.show(lit(5))
    rig.advance(0.2)
    assert (rig.mcu.scan().closed, rig.lights) == (0b111, lit(5))
    rig.cut = True
    rig.advance(2)
    assert rig.mcu.status.state is LinkState.LOST
    assert rig.mcu.status.text == f"the board on {rig.name} has been silent"
    rig.advance(4)
    assert rig.lights == DARK
    rig.contacts = 0b1010
    for _ in range(24):
        rig.advance(1)
        with pytest.raises(DeviceError):
            rig.mcu.scan()
    with pytest.raises(DeviceError):
        rig.mcu.show(lit(6))
    rig.cut = False
    rig.until_connected()
    assert rig.mcu.scan().closed == 0b1010
    rig.advance(0.2)
    assert rig.lights == lit(6)
    assert rig.mcu.status.text.endswith(f"firmware {wire.FIRMWARE}")


@needs_micropython
def test_a_short_cut_is_no_loss(rig: Rig) -> None:
    rig.mcu.show(lit(5))
    rig.advance(0.2)
    rig.cut = True
    rig.mcu.show(lit(6, 7))
    rig.contacts = 1
    rig.advance(0.7)
    assert rig.mcu.status.state is LinkState.CONNECTED
    rig.cut = False
    rig.advance(2)
    assert (rig.mcu.scan().closed, rig.lights) == (1, lit(6, 7))
    assert rig.mcu.counts.connections == 1
    assert rig.mcu.counts.gaps >= 1
    assert rig.mcu.counts.lost >= 1
    assert rig.mcu.troubles == ()


@needs_micropython
def test_the_board_starts_again(rig: Rig) -> None:
    rig.contacts = 0b11
    rig.mcu.show(lit(5))
    rig.advance(0.2)
    rig.restart_firmware()
    assert rig.lights == ()
    rig.advance(2)
    rig.until_connected()
    assert rig.mcu.scan().closed == 0b11
    rig.advance(0.2)
    assert rig.lights == lit(5)


@needs_micropython
def test_the_program_starts_again(rig: Rig) -> None:
    rig.contacts = 0b11
    rig.mcu.show(lit(5))
    rig.advance(0.2)
    rig.stop_host()
    rig.advance(0.1)
    assert rig.lights == DARK
    rig.start_host()
    assert rig.mcu.scan().closed == 0b11
    assert rig.mcu.counts.gaps == 0


@needs_micropython
def test_the_board_comes_back_under_another_name(rig: Rig) -> None:
    rig.contacts = 0b11
    rig.mcu.show(lit(5))
    rig.advance(0.2)
    first = rig.name
    rig.unplug()
    assert rig.mcu.status.state is LinkState.LOST
    assert rig.mcu.status.text.startswith(f"the board on {first} is gone; unplugged?")
    rig.advance(30)
    rig.plug(elsewhere=True)
    assert rig.name != first
    rig.until_connected()
    assert rig.mcu.port == rig.name
    assert rig.mcu.scan().closed == 0b11
    rig.advance(0.2)
    assert rig.lights == lit(5)


@needs_micropython
def test_byte_by_byte(tmp_path: Path) -> None:
    with Rig(tmp_path, byte_by_byte=True) as rig:
        for k in range(5):
            rig.contacts = 0b101 << k
            rig.mcu.show(lit(k))
            rig.advance(0.2)
            assert rig.mcu.scan().closed == 0b101 << k
            assert rig.lights == lit(k)
        assert rig.mcu.counts[3:7] == (0, 0, 0, 0)


@needs_micropython
def test_no_press_is_lost_on_a_noisy_line_however_short(tmp_path: Path) -> None:
    with Rig(tmp_path, noise=0.1) as rig:
        pressed = 0
        for number in range(120):
            seen = 0
            for k in range(48):
                rig.buttons = 1 << number % 3 if k < 3 else 0
                rig.advance(0.02)
                with suppress(DeviceError):
                    seen |= rig.mcu.scan().buttons
            pressed += seen == 1 << number % 3
        assert rig.to_host.harmed > 60
        assert pressed == 120


@needs_micropython
@pytest.mark.parametrize("noise", [0.05, 0.25])
def test_noise_in_both_directions_is_never_a_contact(tmp_path: Path, noise: float) -> None:
    with Rig(tmp_path, noise=noise) as rig:
        truths = {0}
        for k in range(40):
            rig.contacts = 3 << k
            truths.add(rig.contacts)
            with suppress(DeviceError):
                rig.mcu.show(lit(k))
            for _ in range(4):
                rig.advance(0.25)
                if rig.readable:
                    assert rig.mcu.scan().closed in truths
        assert rig.to_host.harmed > 3
        assert rig.to_device.harmed > 3
        assert rig.mcu.counts.bad > 1
        rig.to_host.rate = rig.to_device.rate = 0
        rig.until_connected()
        rig.advance(3)
        assert rig.mcu.scan().closed == rig.contacts
        assert rig.lights == lit(39)


# Ports.


@needs_micropython
@pytest.mark.parametrize("number", ["", SERIAL_NUMBER, SERIAL_NUMBER.lower()])
def test_how_a_board_is_found(tmp_path: Path, number: str) -> None:
    with Rig(tmp_path, serial_number=number) as rig:
        assert rig.mcu.status.board == SERIAL_NUMBER
        assert rig.mcu.port == rig.name


@needs_micropython
def test_of_several_boards_the_first_that_answers(tmp_path: Path) -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    try:
        with Rig(tmp_path) as rig:
            rig.mcu.close()
            other = SimpleNamespace(
                device=os.ttyname(slave), vid=VENDOR, pid=PRODUCT, serial_number="X"
            )
            for ports in ([other, *rig.ports], [*rig.ports, other]):
                rig.ports = ports
                rig.start_host()
                assert rig.mcu.port == rig.name
                rig.mcu.close()
    finally:
        os.close(master)
        os.close(slave)


@pytest.fixture
def search() -> Iterator[Callable[..., Mcu]]:
    """What makes drivers that find nothing, on a clock that stands still."""
    made: list[Mcu] = []

    def begin(**options: Any) -> Mcu:
        made.append(Mcu(**{"clock": Clock(), "ports": list, **options}))
        mcu = made[-1]
        # It rests after the first try.
        assert mcu.wait_for(lambda: mcu.counts.passes > 0, HANG_S)
        return mcu

    yield begin
    for mcu in made:
        mcu.close()
        assert mcu.status.state is LinkState.CLOSED


def test_without_a_board_it_searches_and_says_so(search: Callable[..., Mcu]) -> None:
    mcu = search()
    assert mcu.status.state is LinkState.SEARCHING
    assert mcu.status.text == (
        "no board found: there is no serial port with USB identity 2e8a:0005"
    )
    assert "serial number ABC" in search(serial_number="ABC").status.text
    with pytest.raises(DeviceError, match="the contacts cannot be read: no board found"):
        mcu.scan()
    with pytest.raises(DeviceError, match="the lights cannot be set: no board found"):
        mcu.show(DARK)
    assert mcu.port == ""


def test_why_a_port_cannot_be_opened(
    search: Callable[..., Mcu], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    missing = tmp_path / "ttyACM7"
    assert search(port=str(missing)).status.text == f"there is no port {missing}"
    for error, words in (
        (PermissionError(13, "Permission denied"), "may not be opened by this user; sorcel doctor"),
        (BlockingIOError(11, "Resource temporarily unavailable"), "is in use by another program"),
        (ValueError("odd"), "cannot be opened: odd"),
    ):

        def fails(*_: object, error: Exception = error, **__: object) -> None:
            raise error

        monkeypatch.setattr("serial.Serial", fails)
        assert words in search(port="/dev/ttyACM7").status.text

    def breaks() -> list[object]:
        raise RuntimeError("no sysfs")

    assert "cannot be listed: no sysfs" in search(ports=breaks).status.text


def test_a_port_in_use(search: Callable[..., Mcu]) -> None:
    import serial

    master, slave = os.openpty()
    name = os.ttyname(slave)
    with serial.Serial(name, exclusive=True):
        assert search(port=name).status.text == f"{name} is in use by another program"
    os.close(slave)
    os.close(master)


def test_a_line_that_takes_nothing(
    search: Callable[..., Mcu], monkeypatch: pytest.MonkeyPatch
) -> None:
    import serial

    class Stuck:
        port, in_waiting = "/dev/ttyACM7", 0

        def __init__(self, *_: object, **options: object) -> None:
            assert options["exclusive"] is True
            assert options["write_timeout"] == 1.0

        def write(self, _: bytes) -> None:
            raise serial.SerialTimeoutException("Write timeout")

        def close(self) -> None:
            pass

    monkeypatch.setattr("serial.Serial", Stuck)
    text = search(port="/dev/ttyACM7").status.text
    assert text == "the board on /dev/ttyACM7 does not take what it is sent"


def test_a_port_on_which_nothing_answers_is_let_go() -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    name, clock = os.ttyname(slave), Clock()
    with Mcu(port=name, clock=clock) as mcu:
        assert mcu.wait_for(lambda: mcu.port == name, HANG_S)
        assert mcu.status.text == f"{name} is open, waiting for the board to answer"
        clock.now += 3.5
        assert mcu.wait_for(lambda: mcu.port == "", HANG_S)
        assert mcu.status.text == (
            f"nothing that knows the game answers on {name}; what helps: sorcel firmware install"
        )
    os.close(slave)
    os.close(master)


@needs_micropython
def test_a_board_of_another_protocol(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        flash = tmp_path / "flash" / "wire.py"
        flash.write_text(flash.read_text().replace("PROTOCOL = 2", "PROTOCOL = 3"))
        rig.restart_firmware()
        rig.until(lambda: rig.mcu.status.state is LinkState.MISMATCH, 10)
        assert "speaks protocol 3, and this program protocols 1 to 2" in rig.mcu.status.text
        rig.until(lambda: rig.mcu.port == "", 10)  # so that the firmware can be installed
        flash.write_text(flash.read_text().replace("PROTOCOL = 3", "PROTOCOL = 2"))
        rig.restart_firmware()
        rig.until_connected()


@needs_micropython
def test_49_a_kept_settings_file_that_lacks_a_key(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        flash = tmp_path / "flash" / "settings.py"
        whole = flash.read_text()
        flash.write_text(whole.replace("MAX_MA", "LIMIT_MA"))
        rig.restart_firmware()
        rig.until(lambda: rig.mcu.status.state is LinkState.STOPPED, 20)
        assert "cannot run its program: ValueError: settings.py lacks MAX_MA" in rig.mcu.status.text
        with pytest.raises(DeviceError, match="lacks MAX_MA; what helps: sorcel firmware install"):
            rig.mcu.scan()
        assert [trouble.code for trouble in rig.mcu.take_troubles()] == ["stopped"]
        for _ in range(20):  # it does not flap
            rig.advance(0.5)
            assert rig.mcu.status.state is LinkState.STOPPED
        assert rig.firmware.events == []
        flash.write_text(whole)
        rig.restart_firmware()
        rig.until_connected()


@needs_micropython
def test_49_why_it_crashed_is_repeated_until_somebody_has_taken_it(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        rig.firmware.order("break")
        rig.advance(4)
        assert rig.firmware.ended
        crash = [("crash", "OSError: the pins are gone")]
        for _ in range(3):  # nobody has taken it
            rig.stop_host()
            rig.restart_firmware()
            rig.start_host()
            assert [each[1:3] for each in rig.mcu.troubles] == crash
        assert [each[1:3] for each in rig.mcu.take_troubles()] == crash
        rig.advance(0.5)
        assert not (tmp_path / "flash" / "crash.txt").exists()
        rig.restart_firmware()
        rig.advance(3)
        rig.until_connected()
        assert rig.mcu.take_troubles() == ()


@needs_micropython
def test_50_a_column_shorted_to_ground(rig: Rig) -> None:
    rig.firmware.order("short 1")
    rig.contacts = 0b110
    rig.advance(0.1)
    for _ in range(10):
        with pytest.raises(DeviceError, match="low without any row driven: GP10; look for a short"):
            rig.mcu.scan()
        rig.advance(0.5)
    assert rig.mcu.status.state is LinkState.CONNECTED
    rig.firmware.order("short 0")
    rig.advance(0.1)
    assert rig.mcu.scan().closed == 0b110


def test_without_pyserial_one_sentence_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "serial", None)
    with pytest.raises(DeviceError) as caught:
        Mcu()
    assert str(caught.value) == f"a board with a microcontroller needs pyserial: {INSTALL}"
    assert f"{sys.executable} -m pip install 'pyserial>=3.5'" == INSTALL


# Lines by the thousand, and a table.


def has_read(mcu: Mcu, count: int) -> bool:
    """Whether the driver has taken in so many bytes."""
    return mcu.counts.bytes_in >= count


@pytest.mark.parametrize(
    "lines", [1000, pytest.param(20_000, marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_31_among_harmed_lines_no_contact_is_read_that_was_not_told(lines: int) -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    name, clock = os.ttyname(slave), Clock()
    os.set_blocking(master, False)
    told: dict[int, int] = {}
    newest = -1
    with Mcu(64, port=name, clock=clock) as mcu:
        assert mcu.wait_for(lambda: mcu.port == name, HANG_S)
        for number, (sent, arrived) in enumerate(stream(4, lines, device=False)):
            if number == 0:
                encoder = wire.Encoder()
                encoder.seq = sent[1]
                arrived = encoder.line(wire.HELLO, wire.pack_hello(wire.PROTOCOL, "0.1", 64, "X"))
            if sent[0] == wire.CONTACTS:
                assert isinstance(sent[2], tuple)
                told[int.from_bytes(sent[2][1], "big")] = number
            target = mcu.counts.bytes_in + len(arrived)
            os.write(master, arrived)
            assert mcu.wait_for(partial(has_read, mcu, target), HANG_S)
            with suppress(BlockingIOError):
                os.read(master, 65536)
            with suppress(DeviceError):
                closed = mcu.scan().closed
                assert told[closed] >= newest
                newest = told[closed]
        assert newest > lines - 100
        assert mcu.counts.bad > lines // 10
    os.close(slave)
    os.close(master)


@needs_micropython
def test_a_simulated_table_is_read_over_the_line_as_it_is_read_directly(tmp_path: Path) -> None:
    clock = Clock()
    table = MockTable(BOARD, clock=clock, seed=3)
    for piece, name in enumerate(("b3", "b4", "h7", "d5")):
        table.put(piece, GRID.number(name))
    with Rig(tmp_path, table=table, clock=clock) as rig:
        rig.advance(0.1)
        assert rig.mcu.scan().closed == table.scan().closed == GRID.mask("b3", "b4", "h7", "d5")
        table.shove([0, 1], 0)
        table.slide(2, GRID.number("g7"), at=clock.now + 0.1)
        table.take_off(3)
        table.press(4, hold_s=0.2)
        seen: list[list[int]] = []
        pressed = 0
        while table.next_change() is not None:
            rig.advance(0.01)
            scan = rig.mcu.scan()
            pressed |= scan.buttons
            seen.append([*spaces_of(scan.closed)])
        rig.advance(0.1)
        assert rig.mcu.scan().closed == table.scan().closed == GRID.mask("b4", "b5", "g7")
        assert pressed == 4
        assert [] not in seen
