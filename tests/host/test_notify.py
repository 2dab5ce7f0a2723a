"""What systemd is told, on a socket of the test's own; what too low a voltage and heat do."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from sorcel_pi.app import all_of
from sorcel_pi.commands import table
from sorcel_pi.host.machine import Machine, Power, Ran
from sorcel_pi.host.power import DIMMED, PowerWatch
from sorcel_pi.host.systemd import Notifier
from sorcel_pi.messages.catalogue import render
from sorcel_pi.table.events import Notice, ShutdownRequested, TableEvent

from ..app.hands import Desk


class Manager:
    """The service manager's end of the socket."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(f"\0{address[1:]}" if address.startswith("@") else address)
        self.socket.setblocking(False)

    def told(self) -> list[str]:
        """Return what has been told since the last look, line by line."""
        lines: list[str] = []
        while True:
            try:
                lines += self.socket.recv(4096).decode().split("\n")
            except BlockingIOError:
                return lines


@pytest.fixture(params=["file", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Manager]:
    # A path may be 108 long at most, so not below tmp_path.
    name = f"sorcel-test-{abs(hash(str(tmp_path))):x}"
    address = f"@{name}" if request.param == "abstract" else f"/tmp/{name}"
    made = Manager(address)
    yield made
    made.socket.close()
    if request.param == "file":
        Path(address).unlink()


def desk_for(manager: Manager, *, watchdog_s: float = 15.0) -> Desk:
    desk = Desk(None)
    usec = str(round(watchdog_s * 1e6))
    environ = {"NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": usec}
    desk.app.after_pass = Notifier.of(environ)
    return desk


def run(desk: Desk, seconds: float) -> None:
    desk.app.run(most_scans=desk.app.scans + round(seconds * desk.app.scan_hz))


@pytest.fixture(autouse=True)
def open_drivers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs follow each other here, so the drivers stay open."""
    monkeypatch.setattr("sorcel_pi.app.App.close", lambda app: None)


def test_ready_comes_with_the_first_pass_and_once(manager: Manager) -> None:
    desk = desk_for(manager)
    assert manager.told() == []
    run(desk, 0.01)
    assert manager.told() == ["READY=1", "STATUS=the board is read", "WATCHDOG=1"]
    run(desk, 3)
    assert manager.told() == ["WATCHDOG=1"] * 3


def test_a_cut_of_30_s_is_told_and_the_watchdog_is_fed_all_the_time(manager: Manager) -> None:
    desk = desk_for(manager)
    run(desk, 5)
    manager.told()
    desk.mock.unplug()
    fed = []
    for second in range(30):
        run(desk, 1)
        told = manager.told()
        fed.append(told.count("WATCHDOG=1"))
        searching = [line for line in told if line.startswith("STATUS=looking for the board: ")]
        assert len(searching) == (second == 0)
        assert "READY=1" not in told
    assert fed == [1] * 30
    desk.mock.plug()
    run(desk, 1)
    assert sorted(manager.told()) == ["STATUS=the board is read", "WATCHDOG=1"]


def test_27_without_a_board_the_service_is_ready_all_the_same(manager: Manager) -> None:
    desk = desk_for(manager)
    desk.mock.unplug()
    run(desk, 1)
    told = manager.told()
    assert told[0] == "READY=1"
    assert told[1].startswith("STATUS=looking for the board: the contacts")


def test_a_short_watchdog_is_fed_more_often(manager: Manager) -> None:
    desk = desk_for(manager, watchdog_s=1.0)
    fed = []
    for _ in range(4):
        run(desk, 1)
        fed.append(manager.told().count("WATCHDOG=1"))
    assert fed == [4] * 4


def test_a_manager_that_is_busy_is_not_waited_for(manager: Manager) -> None:
    desk = desk_for(manager)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
        other.setblocking(False)
        with suppress(BlockingIOError):
            while True:  # until its queue is full
                other.sendto(b"X", manager.socket.getsockname())
    run(desk, 1)
    assert set(manager.told()) == {"X"}
    run(desk, 0.01)
    assert manager.told() == ["READY=1", "STATUS=the board is read", "WATCHDOG=1"]


def test_a_loop_that_hangs_does_not_feed_it(manager: Manager) -> None:
    desk = desk_for(manager)
    run(desk, 1)
    manager.told()
    desk.clock.sleep(60)  # without a pass
    assert manager.told() == []


def test_who_does_not_ask_is_not_told() -> None:
    desk = Desk(None)
    for environ in ({}, {"NOTIFY_SOCKET": "/no/such/socket"}, {"WATCHDOG_USEC": "soon"}):
        desk.app.after_pass = Notifier.of(environ)
        run(desk, 2)
    Notifier().stopping()
    assert not Notifier().listened_to


def test_another_process_is_not_asked_to_feed_the_watchdog(manager: Manager) -> None:
    desk = Desk(None)
    environ = {"NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "1000000", "WATCHDOG_PID": "1"}
    desk.app.after_pass = Notifier.of(environ)
    run(desk, 2)
    assert manager.told() == ["READY=1", "STATUS=the board is read"]


def test_the_end_is_told(manager: Manager) -> None:
    Notifier(manager.address).stopping()
    assert manager.told() == ["STOPPING=1"]


@pytest.mark.parametrize("as_service", [True, False])
def test_the_menu_switches_off_the_machine_of_a_service_and_no_other(
    manager: Manager, monkeypatch: pytest.MonkeyPatch, as_service: bool
) -> None:
    called: list[list[str]] = []

    def run_command(arguments: list[str]) -> Ran:
        called.append(arguments)
        return Ran(1, "", "Access denied\n")

    monkeypatch.setattr(table, "run_command", run_command)
    desk = Desk(None)
    desk.app._answer(ShutdownRequested())
    table.run_app(desk.app, environ={"NOTIFY_SOCKET": manager.address} if as_service else {})
    assert called == [["systemctl", "poweroff"]] * as_service
    assert desk.lines == ["The machine cannot be switched off: Access denied"] * as_service
    assert manager.told() == ["STOPPING=1"] * as_service


# -- voltage --------------------------------------------------------------------------------------


def test_24_under_too_low_a_voltage_the_lights_are_dimmed_and_play_goes_on(tmp_path: Path) -> None:
    desk = Desk(None)
    told: list[TableEvent] = []
    desk.app.watch = lambda app, output: told.extend(output.events)
    machine = pi_with(tmp_path, alarm="0")
    alarm = machine.path(ALARM)
    desk.app.after_pass = all_of(PowerWatch(machine.power), lambda app: None)
    run(desk, 3)
    full = desk.app.table.lights.brightness
    alarm.write_text("1\n", encoding="ascii")
    run(desk, 3)
    assert desk.app.table.lights.brightness == full * DIMMED
    assert "too low a voltage" in desk.lines[-1]
    assert desk.app.warnings == {"voltage"}
    alarm.write_text("0\n", encoding="ascii")
    run(desk, 3)
    assert desk.app.table.lights.brightness == full
    assert "high enough" in desk.lines[-1]
    assert desk.app.warnings == set()
    assert [render(notice.message) for notice in told if isinstance(notice, Notice)] == desk.lines
    assert len(desk.lines) == 2


def test_heat_is_said_and_changes_no_light(tmp_path: Path) -> None:
    machine = pi_with(tmp_path, throttled="80000")
    desk = Desk(None)
    desk.app.after_pass = PowerWatch(machine.power)
    run(desk, 3)
    full = desk.app.table.lights.brightness
    assert desk.lines == []
    machine.path(THROTTLED).write_text("80008\n", encoding="ascii")
    run(desk, 3)
    assert "too hot" in desk.lines[-1] and desk.app.warnings == {"heat"}
    machine.path(THROTTLED).write_text("80000\n", encoding="ascii")
    run(desk, 3)
    assert "cool enough" in desk.lines[-1] and desk.app.warnings == set()
    assert desk.app.table.lights.brightness == full


@pytest.mark.parametrize(
    ("throttled", "alarm", "power"),
    [
        (None, None, None),
        ("garbled", None, None),
        ("0", None, Power()),
        ("50005", None, Power(low=True, was_low=True)),
        ("50000", None, Power(was_low=True)),
        ("4", None, Power(hot=True)),
        ("e0008", "0", Power(hot=True)),
        (None, "1", Power(low=True)),
        ("garbled", "0", Power()),
    ],
)
def test_what_a_pi_reports(
    tmp_path: Path, throttled: str | None, alarm: str | None, power: Power | None
) -> None:
    machine = pi_with(tmp_path, throttled=throttled, alarm=alarm)
    assert machine.power() == power
    PowerWatch(machine.power)(Desk(None).app)


THROTTLED = "/sys/devices/platform/soc/soc:firmware/get_throttled"
ALARM = "/sys/class/hwmon/hwmon1/in0_lcrit_alarm"


def pi_with(root: Path, *, throttled: str | None = None, alarm: str | None = None) -> Machine:
    """Return a machine that reports this; None stands for a file that is not there."""
    files = {"/sys/class/hwmon/hwmon0/name": "cpu_thermal"}
    if throttled is not None:
        files[THROTTLED] = throttled
    if alarm is not None:
        files |= {"/sys/class/hwmon/hwmon1/name": "rpi_volt", ALARM: alarm}
    machine = Machine(root)
    for path, text in files.items():
        machine.path(path).parent.mkdir(parents=True, exist_ok=True)
        machine.path(path).write_text(f"{text}\n", encoding="ascii")
    return machine
