"""What doctor finds on machines made from documentation, and that it always ends well."""

import json
import os
import re
import sqlite3
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sorcel_pi.commands.bench import need_free
from sorcel_pi.config.schema import (
    ButtonsConfig,
    Config,
    ContactsConfig,
    LightsConfig,
    McuConfig,
    PixelsConfig,
    StoreConfig,
)
from sorcel_pi.config.wiring import contact_pins
from sorcel_pi.doctor import devices, live, system
from sorcel_pi.doctor.report import (
    Context,
    Finding,
    Level,
    check_all,
    exit_code,
    report_json,
    report_text,
)
from sorcel_pi.drivers import expander
from sorcel_pi.drivers.gpio_lines import LgpioLines
from sorcel_pi.drivers.mcu import Mcu
from sorcel_pi.errors import DeviceError
from sorcel_pi.host.machine import (
    Machine,
    Node,
    Python,
    Ran,
    User,
    run_command,
    this_python,
    this_user,
)

from ..drivers.test_shift import STANDARD, registers_of
from ..drivers.wired import FakeChip, FakeLgpio, Wiring
from .recorded import MACHINES, PACKAGES, PI, ROOT, STRANGER, machine_of

CHECKS = (*system.CHECKS, *devices.CHECKS)
DRIVERS = [
    (c, p)
    for c in ("mock", "gpio", "expander", "shift", "mcu")
    for p in ("mock", "spi", "pwm", "pio", "mcu")
]


def config_of(contacts: str, pixels: str, **more: Any) -> Config:
    config = Config(contacts=ContactsConfig(driver=contacts), pixels=PixelsConfig(driver=pixels))
    return replace(config, **more)


@pytest.fixture
def find(tmp_path: Path) -> Callable[..., list[Finding]]:
    """Returns what all checks find on a machine."""

    def find(name: str, config: Config, **machine: Any) -> list[Finding]:
        store = StoreConfig(path=str(tmp_path / "games"))
        made = machine_of(name, tmp_path / name, **machine)
        return check_all(Context(made, replace(config, store=store)), CHECKS)

    return find


def bad(findings: list[Finding]) -> list[str]:
    return [
        f"{each.topic}: {each.text} -> {each.remedy}"
        for each in findings
        if each.level is not Level.OK
    ]


Find = Callable[..., list[Finding]]


def test_a_pi_zero_on_which_all_is_well(find: Find) -> None:
    findings = find("zero2w", config_of("gpio", "spi"))
    assert bad(findings) == []
    text = report_text(findings)
    assert "Raspberry Pi Zero 2 W Rev 1.0, kernel 6.12.47+rpt-rpi-v8" in text
    assert "gpiochip0, gpiochip1, the header is pinctrl-bcm2835" in text
    assert "/dev/spidev0.0 belongs to root:spi, rw-rw----; pi may use it" in text
    assert text.endswith("ok, 0 warnings, 0 faults")
    assert exit_code(findings) == 0


def test_28_a_node_of_a_group_that_the_user_is_not_in(find: Find) -> None:
    found = bad(find("zero2w", config_of("gpio", "spi"), user=STRANGER))
    assert found == [
        f"{topic}: {path} belongs to root:{group}, rw-rw----; guest is not in that group -> "
        f"sudo usermod --append --groups {group} guest, then log in again"
        for topic, path, group in [
            ("GPIO", "/dev/gpiochip0", "gpio"),
            ("SPI", "/dev/spidev0.0", "spi"),
        ]
    ]


def test_23_pwm_with_the_audio_on_and_without_root_names_the_alternatives(find: Find) -> None:
    buttons = ButtonsConfig("none", "none", "none")
    found = bad(find("zero2w", config_of("gpio", "pwm", buttons=buttons)))
    assert len(found) == 2
    assert found[0].startswith("lights: by pwm they need root -> sudo sorcel play")
    assert found[1].startswith("audio: the Pi's own audio is on, and uses PWM too -> sudo sed -i")
    assert all('driver = "spi" with the lights on GPIO10' in each for each in found)
    assert all('a Pico (driver "mcu")' in each for each in found)
    assert len(bad(find("zero2w", config_of("gpio", "pwm", buttons=buttons), user=ROOT))) == 1


def test_pins_that_spi_takes_from_the_buttons_beside_pwm(find: Find) -> None:
    found = bad(find("zero2w", config_of("gpio", "pwm"), user=ROOT))
    assert found[0].startswith(
        "pins: SPI is on and takes GPIO7 (button light), GPIO8 (button dark), GPIO9 (button menu)"
    )


def test_a_pi_4_with_everything_on(find: Find) -> None:
    found = bad(find("pi4", config_of("gpio", "spi")))
    assert [each.partition(":")[0] for each in found] == [
        "voltage",
        "clock",
        "pins",
        "pins",
        "SPI",
    ]
    assert "has been too low since the machine was started" in found[0]
    assert "I2C is on and takes GPIO2 (button dark), GPIO3 (button menu)" in found[2]
    assert "raspi-config nonint do_i2c 1" in found[2]
    assert "1-Wire is on and takes GPIO4 (contacts)" in found[3]
    assert "it is off: no /dev/spidev0.0 -> sudo raspi-config nonint do_spi 0" in found[4]


def test_the_clock_of_spi_on_a_pi_4(find: Find, tmp_path: Path) -> None:
    config = Context(machine_of("pi4", tmp_path / "pi4"), config_of("mcu", "spi"))
    nodes = {"/dev/spidev0.0": Node("/dev/spidev0.0", "root", "spi", 0o660)}
    context = config._replace(machine=replace(config.machine, nodes=nodes))
    assert "core_freq_min=500" in bad(list(devices.check_spi(context)))[0]
    with (tmp_path / "pi4/boot/firmware/config.txt").open("a", encoding="utf-8") as file:
        file.write("core_freq_min=500 # for the lights\n")
    assert bad(list(devices.check_spi(context))) == []


def test_pins_of_registers_that_spi1_takes(tmp_path: Path) -> None:
    machine = machine_of("zero2w", tmp_path / "zero2w")
    context = Context(machine, config_of("shift", "spi"))
    assert bad(list(devices.check_pins(context))) == []
    assert machine.nodes is not None
    nodes = {**machine.nodes, devices.SPI1_NODE: machine.nodes["/dev/spidev0.0"]}
    context = Context(replace(machine, nodes=nodes), config_of("shift", "spi"))
    (found,) = bad(list(devices.check_pins(context)))
    assert found.startswith("pins: SPI1 is on and takes GPIO19 (contacts), GPIO21 (contacts)")
    assert "dtoverlay=spi1" in found


def test_a_frame_that_does_not_fit_into_the_buffer_of_spi(find: Find, tmp_path: Path) -> None:
    machine = machine_of("zero2w", tmp_path / "zero2w")
    machine.path("/sys/module/spidev/parameters/bufsiz").write_text("2048\n", encoding="ascii")
    rgbw = LightsConfig(colour_order="GRBW")
    context = Context(machine, config_of("mcu", "spi", lights=rgbw))
    assert (
        "its buffer holds 2048 bytes, a frame has 2432" in bad(list(devices.check_spi(context)))[0]
    )


def test_an_expander_at_the_usual_speed(find: Find) -> None:
    found = bad(find("pi4", config_of("expander", "mcu"), user=ROOT))
    assert any(
        "i2c_arm_baudrate=400000 | sudo tee -a /boot/firmware/config.txt" in f for f in found
    )


def test_a_pi_5(find: Find) -> None:
    assert bad(find("pi5", config_of("gpio", "spi"))) == []
    (pwm,) = (f for f in bad(find("pi5", config_of("mock", "pwm"))) if f.startswith("lights"))
    assert "do not work on a Pi 5 -> take driver spi" in pwm
    (pio,) = (f for f in bad(find("pi5", config_of("mock", "pio"))) if f.startswith("lights"))
    assert "/dev/pio0 belongs to root:root, rw-------; only root may use it" in pio
    assert "systemd/60-sorcel-pi.rules" in pio
    (rpi,) = bad(find("pi5", config_of("gpio", "spi"), packages=PACKAGES | {"RPi.GPIO": "0.7.1"}))
    assert "RPi.GPIO does not work on a Pi 5" in rpi


def test_a_pc_with_a_pico(find: Find) -> None:
    config = config_of("mcu", "mcu")
    assert bad(find("pc", config)) == []
    (found,) = bad(find("pc", config, user=STRANGER))
    assert found == (
        "serial: /dev/ttyACM1 belongs to root:dialout, rw-rw----; guest is not in that group -> "
        "sudo usermod --append --groups dialout guest, then log in again"
    )
    (gone,) = bad(find("pc", replace(config, mcu=McuConfig(port="/dev/sorcel"))))
    assert "there is no /dev/sorcel" in gone
    assert any(
        "need the pins of a Raspberry Pi" in f for f in bad(find("pc", config_of("gpio", "spi")))
    )


def test_no_pico_where_one_is_wanted(find: Find) -> None:
    (found,) = bad(find("zero2w", config_of("mcu", "mcu")))
    assert found.startswith("serial: no serial port with USB identity 2e8a:0005 (none at all) ->")


@pytest.mark.parametrize(("contacts", "pixels"), DRIVERS)
def test_a_missing_package_comes_with_the_line_that_installs_it(
    find: Find, contacts: str, pixels: str
) -> None:
    missing = [
        f
        for f in bad(find("pi4", config_of(contacts, pixels), packages={}))
        if f.startswith("packages") and "is missing" in f
    ]
    assert bool(missing) == (contacts != "mock" or pixels != "mock")
    assert all("-m pip install " in f or "apt install" in f for f in missing)


def test_packages_that_do_not_go_together(find: Find) -> None:
    both = PACKAGES | {"RPi.GPIO": "0.7.1", "rpi-lgpio": "0.6", "lgpio": "0.0.0.2"}
    found = bad(find("zero2w", config_of("gpio", "spi"), packages=both | {"gpiozero": "2.0"}))
    assert len(found) == 3
    assert "gpiozero 2.0 is too old" in found[0]
    assert "lgpio 0.0.0.2 is an empty package" in found[1]
    assert "overwrite each other" in found[2]


@pytest.mark.parametrize(
    ("python", "text"),
    [
        (Python((3, 9, 2), "/usr/bin/python3", False, True), "3.9.2 is too old"),
        (Python((3, 13, 5), "/usr/bin/python3", False, True), "Debian lets nobody install"),
    ],
    ids=["old", "system"],
)
def test_30_a_python_that_will_not_do(find: Find, python: Python, text: str) -> None:
    (found,) = bad(find("zero2w", config_of("gpio", "spi"), python=python))
    assert text in found


@pytest.mark.parametrize(("shown", "level"), [("50005", "fault"), ("10000", "warning")])
def test_too_low_a_voltage(find: Find, tmp_path: Path, shown: str, level: str) -> None:
    machine = machine_of("zero2w", tmp_path / "zero2w")
    machine.path("/sys/devices/platform/soc/soc:firmware/get_throttled").write_text(shown)
    (found,) = system.check_voltage(Context(machine, Config()))
    assert found.level.value == level


def test_heat(tmp_path: Path) -> None:
    machine = machine_of("zero2w", tmp_path / "zero2w")
    machine.path("/sys/devices/platform/soc/soc:firmware/get_throttled").write_text("e0008")
    found = system.check_voltage(Context(machine, Config()))
    assert [(each.level.value, each.topic) for each in found] == [
        ("ok", "voltage"),
        ("warning", "heat"),
    ]


def test_the_service_as_systemd_shows_it(find: Find) -> None:
    def service(**properties: str) -> str:
        text = "".join(f"{key}={value}\n" for key, value in properties.items())
        findings = find("zero2w", config_of("gpio", "spi"), run=lambda _: Ran(0, text))
        (found,) = (each for each in findings if each.topic == "service")
        return f"{found.level.value} {found.text}"

    assert service(LoadState="not-found").startswith("ok not installed")
    running = {"LoadState": "loaded", "ActiveState": "active", "SubState": "running"}
    assert service(**running, StatusText="looking for the board: gone") == (
        "ok active (running), says: looking for the board: gone"
    )
    failed = {"LoadState": "loaded", "ActiveState": "failed", "SubState": "failed"}
    assert service(**failed, Result="watchdog") == "fault failed (failed), result watchdog"


def test_a_damaged_store_and_a_sound_one(find: Find, tmp_path: Path) -> None:
    from sorcel_pi.store.store import Store

    games = tmp_path / "games/games.sqlite3"
    Store.open(games).close()
    assert bad(find("zero2w", config_of("gpio", "spi"))) == []
    with sqlite3.connect(games) as db:
        db.execute("PRAGMA application_id = 1")
    db.close()
    (found,) = bad(find("zero2w", config_of("gpio", "spi")))
    assert found.startswith("games: ") and "not a database of this program" in found


# -- the wiring -----------------------------------------------------------------------------------


def test_diodes_by_the_names_of_their_spaces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = config_of("gpio", "spi")
    wiring = Wiring(*contact_pins(config))
    monkeypatch.setitem(sys.modules, "lgpio", FakeLgpio(wiring))
    context = Context(machine_of("zero2w", tmp_path), config)
    (nothing,) = live.wiring(context, LgpioLines)
    assert "put pieces on the board" in nothing.text
    wiring.close_places(1 << 0 | 1 << 5 | 1 << 60 | 1 << 63)
    assert [each.text for each in live.wiring(context, LgpioLines)] == [
        "4 closed contacts conduct the right way round"
    ]
    wiring.turned, wiring.missing = {5, 63}, {60}
    found = [each.text for each in live.wiring(context, LgpioLines)]
    assert found == [
        "diodes are the wrong way round at b1, place 63",
        "diodes are missing or bridged at i9",
        "1 closed contacts conduct the right way round",
    ]
    wiring.grounded = {wiring.columns[2]}
    (stuck,) = live.wiring(context, LgpioLines)
    assert "GPIO22" in stuck.text


def test_a_board_that_the_service_uses_is_left_alone(tmp_path: Path) -> None:
    machine = machine_of("zero2w", tmp_path, run=lambda _: Ran(0, ""))
    (found,) = live.check_board(Context(machine, config_of("gpio", "mcu")))
    assert "in use by the service" in found.text


def test_an_expander_answers_or_what_to_look_at_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = ContactsConfig(driver="expander", address=0x23)
    config = replace(config_of("expander", "mock"), contacts=there)
    wiring = Wiring(*contact_pins(config))
    chip = FakeChip(wiring, 0x23)
    monkeypatch.setattr(expander, "_header_bus", lambda: chip)
    context = Context(machine_of("zero2w", tmp_path), config)
    wiring.close_places(0b101)
    (found,) = live.check_board(context)
    assert found.text == "answers at I2C address 0x23; 2 contacts are closed"
    chip.address = 0x20
    (found,) = live.check_board(context)
    assert found.level is Level.FAULT and "0x23 does not answer" in found.text
    assert "A0 to A2" in found.remedy and "i2cdetect -y 1" in found.remedy
    monkeypatch.setitem(sys.modules, "adafruit_mcp230xx.mcp23017", None)
    (found,) = live.check_board(context)
    assert "need adafruit" in found.text and found.remedy.startswith('"')


def test_registers_answer_or_what_to_look_at_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiring = registers_of(STANDARD)
    monkeypatch.setitem(sys.modules, "lgpio", FakeLgpio(wiring))
    context = Context(machine_of("zero2w", tmp_path), config_of("shift", "mock"))
    wiring.close_places(0b11 << 30)
    (found,) = live.check_board(context)
    assert found.text == "they answer; 2 contacts are closed"
    wiring.answering = 4
    (found,) = live.check_board(context)
    assert found.level is Level.FAULT and "register 6 of the chain, or one before it" in found.text
    assert found.remedy.startswith("look for the cable to its row board")
    wiring.plugged = False
    (found,) = live.check_board(context)
    assert "behind the last register is not low" in found.text


def test_what_tries_a_board_out_says_that_the_service_has_it(tmp_path: Path) -> None:
    need_free(machine_of("zero2w", tmp_path / "free"))
    machine = machine_of("zero2w", tmp_path / "taken", run=lambda _: Ran(0, ""))
    with pytest.raises(DeviceError, match=r"sudo systemctl stop sorcel\.service first"):
        need_free(machine)


def test_a_microcontroller_that_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "ANSWER_S", 0.0)
    config = config_of("mcu", "mcu", mcu=McuConfig(port=str(tmp_path / "none")))
    (found,) = live.check_board(Context(machine_of("pc", tmp_path), config))
    assert found.level is Level.FAULT and found.remedy == "what the lines above say"


def test_a_port_on_which_nothing_answers_may_lack_the_firmware(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    master, slave = os.openpty()
    wait_for = Mcu.wait_for

    def wait(mcu: Mcu, answered: Callable[[], bool], timeout_s: float) -> bool:
        return wait_for(mcu, lambda: mcu.counts.bytes_out > 0, 60.0)

    monkeypatch.setattr(Mcu, "wait_for", wait)
    config = config_of("mcu", "mcu", mcu=McuConfig(port=os.ttyname(slave)))
    (found,) = live.check_board(Context(machine_of("pc", tmp_path), config))
    assert found.level is Level.FAULT and found.remedy == "sorcel firmware install"
    os.close(master)
    os.close(slave)


# -- it always ends well --------------------------------------------------------------------------


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("user", [PI, STRANGER, ROOT], ids=lambda user: user.name)
def test_on_every_machine_with_every_config_each_bad_line_has_a_remedy(
    find: Find, name: str, user: User
) -> None:
    for drivers in DRIVERS:
        findings = find(name, config_of(*drivers), user=user)
        assert all(bool(each.remedy) == (each.level is not Level.OK) for each in findings)
        assert not any("cannot be looked at" in each.text for each in findings)
        assert all("\n" not in f"{each.text}{each.remedy}" for each in findings)
        assert json.loads(report_json(findings))[0].keys() == set(Finding._fields)
        assert len(report_text(findings).splitlines()) > len(findings)


class Hostile(Machine):
    """A machine that refuses to be looked at."""

    def read(self, path: str) -> str | None:
        raise PermissionError(13, "Permission denied", path)

    names = node = exists = read  # type: ignore[assignment]


def test_a_check_that_fails_itself_is_a_finding() -> None:
    def check_of_ones_own(context: Context) -> Iterator[Finding]:
        yield from (Finding(Level.OK, "half", str(1 / zero)) for zero in (0,))

    context = Context(Hostile(run=lambda _: Ran(127, "")), config_of("gpio", "spi"))
    findings = check_all(context, [*CHECKS, check_of_ones_own])
    assert findings[-1].text == "cannot be looked at: ZeroDivisionError: division by zero"
    assert any("PermissionError" in each.text for each in findings)


def command(*arguments: str) -> Any:
    from sorcel_pi.cli import app

    return CliRunner().invoke(app, ["doctor", *arguments])


def test_the_command_on_this_machine(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f'[store]\npath = "{tmp_path}"\n', encoding="utf-8")
    result = command("--config", str(file))
    assert result.exit_code == (1 if re.search("^fault", result.stdout, re.M) else 0)
    assert result.stdout.startswith("ok       config:") and str(file) in result.stdout
    assert isinstance(json.loads(command("--json", "--config", str(file)).stdout), list)


def test_a_config_that_cannot_be_read_is_a_finding_and_the_rest_is_looked_at(
    tmp_path: Path,
) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[lights]\ncurent = 2\n", encoding="utf-8")
    result = command("--json", "--config", str(file))
    findings = json.loads(result.stdout)
    assert result.exit_code == 1
    assert findings[0]["level"] == "fault" and "curent" in findings[0]["text"]
    assert len(findings) > 4


def test_this_machine_as_it_is() -> None:
    machine = Machine()
    assert machine.user == this_user() and machine.python == this_python()
    assert machine.read("/no/such/file") is None and machine.names("/no/such") == ()
    assert machine.node("/no/such") is None
    node = machine.node("/")
    assert node is not None and node.rights.startswith("r")
    assert run_command(["/no/such/command"]).code == 127
    assert run_command([sys.executable, "-c", "print(5)"]) == Ran(0, "5\n", "")
    assert machine.version_of("sorcel-pi") and machine.version_of("no-such-package") is None
