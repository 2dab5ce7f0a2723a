"""Installing the service on a simulated machine, and the files that it installs."""

import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sorcel_pi import SorcelError
from sorcel_pi.commands import service
from sorcel_pi.commands.service import (
    FILES,
    GROUPS,
    UNIT,
    ServiceAction,
    carry_out,
    check_reachable,
    check_settings,
    own_program,
    plan_install,
    plan_remove,
    read_template,
    status,
    unit_text,
)
from sorcel_pi.config.load import load_config
from sorcel_pi.config.schema import Config, ContactsConfig, PixelsConfig
from sorcel_pi.host.machine import Machine, Node, Ran, User
from sorcel_pi.host.systemd import SERVICE

CONFIG = Config(contacts=ContactsConfig(driver="gpio"), pixels=PixelsConfig(driver="spi"))
PROGRAM = Path("/opt/sorcel-pi/bin/sorcel")
ROOT = User("root", 0, frozenset({"root"}))


class Commands:
    """Commands that are only noted; some of them answer."""

    def __init__(self) -> None:
        self.called: list[str] = []
        self.answers: dict[str, Ran] = {}

    def __call__(self, arguments: Sequence[str]) -> Ran:
        text = " ".join(arguments)
        self.called.append(text)
        found = [answer for start, answer in self.answers.items() if text.startswith(start)]
        return found[0] if found else Ran(0, "")


@pytest.fixture
def commands() -> Commands:
    return Commands()


@pytest.fixture
def machine(tmp_path: Path, commands: Commands) -> Machine:
    """A Pi with the program in /opt and the service not installed."""
    for path, text in {
        "etc/group": "root:x:0:\ngpio:x:986:pi\ndialout:x:20:pi\nspi:x:989:pi\n",
        "etc/passwd": "root:x:0:0:root:/root:/bin/bash\n",
        "opt/sorcel-pi/bin/sorcel": "#!/bin/sh\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    (tmp_path / "run/systemd/system").mkdir(parents=True)
    return Machine(root=tmp_path, nodes={}, user=ROOT, run=commands)


def do(machine: Machine, action: ServiceAction) -> list[str]:
    steps = (
        plan_install(machine, PROGRAM, CONFIG)
        if action is ServiceAction.INSTALL
        else plan_remove(machine)
    )
    carry_out(machine, action, steps, yes=True)
    return [step.text for step in steps]


def test_installing_says_all_that_it_does(
    machine: Machine, commands: Commands, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = do(machine, ServiceAction.INSTALL)
    said = capsys.readouterr().out
    assert all(text in said for text in texts)
    assert texts[0].startswith("run useradd --system")
    assert texts[1] == "run usermod --append --groups gpio,dialout,spi sorcel"
    assert [text for text in texts if text.startswith("write ")] == [
        *(f"write {path}" for path in FILES.values()),
        "write /etc/sorcel-pi/config.toml, with the page for the whole network",
    ]
    assert commands.called == [text.removeprefix("run ") for text in texts if "write" not in text]
    assert commands.called[-2:] == [f"systemctl enable {SERVICE}", f"systemctl restart {SERVICE}"]
    unit = machine.read(UNIT) or ""
    assert "SupplementaryGroups=gpio dialout spi\n" in unit  # not i2c, which is not there
    assert f"ExecStart={PROGRAM} play " in unit
    written = load_config(machine.path("/etc/sorcel-pi/config.toml"))
    assert replace(written, store=CONFIG.store, web=CONFIG.web) == CONFIG
    assert written.web.host == "0.0.0.0"


def test_installing_again_writes_only_what_has_changed(machine: Machine) -> None:
    do(machine, ServiceAction.INSTALL)
    settings = machine.path("/etc/sorcel-pi/config.toml")
    settings.write_text("# mine\n", encoding="utf-8")
    machine.path(UNIT).write_text("[Unit]\n", encoding="utf-8")
    with machine.path("/etc/passwd").open("a", encoding="utf-8") as file:
        file.write("sorcel:x:999:999::/var/lib/sorcel-pi:/usr/sbin/nologin\n")
    texts = do(machine, ServiceAction.INSTALL)
    assert [text for text in texts if "write" in text or "useradd" in text] == [f"write {UNIT}"]
    assert settings.read_text(encoding="utf-8") == "# mine\n"


def test_removing_leaves_games_settings_and_user(machine: Machine, commands: Commands) -> None:
    do(machine, ServiceAction.INSTALL)
    commands.called.clear()
    texts = do(machine, ServiceAction.REMOVE)
    assert not any(machine.exists(path) for path in FILES.values())
    assert machine.exists("/etc/sorcel-pi/config.toml")
    assert commands.called[0] == f"systemctl disable --now {SERVICE}"
    assert not any("userdel" in text for text in texts)
    assert do(machine, ServiceAction.REMOVE) == []


def test_without_root_it_says_what_it_would_do_and_does_nothing(
    machine: Machine, commands: Commands, capsys: pytest.CaptureFixture[str]
) -> None:
    user = replace(machine, user=User("pi", 1000, frozenset({"pi"})))
    with pytest.raises(SorcelError, match=r"needs root: sudo .* service install"):
        do(user, ServiceAction.INSTALL)
    steps, mine = plan_install(user, PROGRAM, CONFIG), Path("/srv/my board.toml")
    with pytest.raises(SorcelError, match=r"service install --config '/srv/my board\.toml'$"):
        carry_out(user, ServiceAction.INSTALL, steps, yes=True, config=mine)
    assert f"write {UNIT}" in capsys.readouterr().out
    assert not commands.called and not machine.exists(UNIT)


def test_a_no_is_a_no(
    machine: Machine, commands: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("typer.confirm", lambda question: False)
    steps = plan_install(machine, PROGRAM, CONFIG)
    carry_out(machine, ServiceAction.INSTALL, steps, yes=False)
    assert not commands.called and not machine.exists(UNIT)


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("/home/pi/sorcel-pi/.venv/bin/sorcel", "not public: install it into /opt/sorcel-pi"),
        ("/opt/other/bin/sorcel", "there is no program"),
        ("/opt/sorcel-pi/bin/sorcel", r"others may not enter '/opt/sorcel-pi' \(rwx------\)"),
    ],
)
def test_a_program_that_the_service_could_not_start(
    machine: Machine, program: str, reason: str
) -> None:
    closed = Node("/opt/sorcel-pi", "root", "root", 0o700)
    where = replace(machine, nodes={closed.path: closed})
    with pytest.raises(SorcelError, match=reason):
        check_reachable(where, Path(program))


def test_the_program_of_python_m_is_the_one_beside_python() -> None:
    python = Path("/opt/sorcel-pi/bin/python")
    module = Path("/opt/sorcel-pi/lib/python3.13/site-packages/sorcel_pi/__main__.py")
    assert own_program(module, python) == own_program(PROGRAM, python) == PROGRAM


def test_a_program_that_cannot_be_executed(machine: Machine) -> None:
    plain = Node(str(PROGRAM), "root", "root", 0o644)
    where = replace(machine, nodes={plain.path: plain})
    with pytest.raises(SorcelError, match=r"others may not execute .* \(rw-r--r--\)"):
        check_reachable(where, PROGRAM)


def test_another_config_file_than_the_one_that_is_there_is_refused(
    machine: Machine, tmp_path: Path
) -> None:
    check_settings(machine, tmp_path / "mine.toml")
    do(machine, ServiceAction.INSTALL)
    for given in (None, machine.path("/etc/sorcel-pi/config.toml")):
        check_settings(machine, given)
    with pytest.raises(SorcelError, match=r"from /etc/sorcel-pi/config\.toml, .*mine\.toml"):
        check_settings(machine, tmp_path / "mine.toml")


def test_what_is_refused_before_anything_is_planned(machine: Machine, tmp_path: Path) -> None:
    with pytest.raises(SorcelError, match="simulated table, which needs no service"):
        plan_install(machine, PROGRAM, Config())
    (tmp_path / "run/systemd/system").rmdir()
    with pytest.raises(SorcelError, match="not started by systemd"):
        plan_install(machine, PROGRAM, CONFIG)


def test_a_command_that_fails_ends_it_with_its_words(machine: Machine, commands: Commands) -> None:
    commands.answers["systemctl enable"] = Ran(1, "", "Failed to enable unit: no\n")
    with pytest.raises(SorcelError, match=r"systemctl enable sorcel\.service: Failed to enable"):
        do(machine, ServiceAction.INSTALL)


SHOWN = (
    "LoadState=loaded\nActiveState=active\nSubState=running\nUnitFileState=enabled\n"
    "StatusText=looking for the board: no board found\nNRestarts=2\n"
)


def test_status_in_words(machine: Machine, commands: Commands) -> None:
    commands.answers["systemctl show"] = Ran(0, SHOWN)
    said = "\n".join(status(machine))
    assert "active (running), starts with the machine, and was restarted 2 times" in said
    assert "It says: looking for the board: no board found" in said
    assert f"{UNIT} is missing" in said
    commands.answers["systemctl show"] = Ran(0, "LoadState=not-found\nActiveState=inactive\n")
    assert status(machine) == ["The service is not installed: sorcel service install"]
    commands.answers["systemctl show"] = Ran(127, "")
    assert status(machine) == ["systemd cannot be asked here."]


def test_status_says_where_the_page_is(machine: Machine, commands: Commands) -> None:
    do(machine, ServiceAction.INSTALL)
    commands.answers["systemctl show"] = Ran(0, SHOWN)
    name = socket.gethostname().partition(".")[0].lower()
    assert f"http://{name}.local:8061/ in the whole network" in "\n".join(status(machine))
    settings = machine.path("/etc/sorcel-pi/config.toml")
    for text, said in (
        ("", '[web] host = "0.0.0.0"'),
        ("[web]\nenabled = false\n", "There is no page"),
        ("[web]\nport = 9\n", "http://localhost:9/"),
    ):
        settings.write_text(text, encoding="utf-8")
        assert said in "\n".join(status(machine))
    settings.write_text("[web", encoding="utf-8")
    assert "The page" not in "\n".join(status(machine))


def test_the_command_asks_this_machine_and_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from sorcel_pi.cli import app

    monkeypatch.setattr(service, "Machine", lambda: Machine(nodes={}, run=lambda _: Ran(127, "")))
    result = CliRunner().invoke(app, ["service", "status"])
    assert (result.exit_code, result.stdout) == (0, "systemd cannot be asked here.\n")


# -- the files ------------------------------------------------------------------------------------


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit as it is installed, for a program that there is."""
    path = tmp_path / SERVICE
    text = unit_text(read_template(SERVICE), Path(sys.executable), list(GROUPS))
    path.write_text(text, encoding="utf-8")
    return path


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("systemd-analyze is not installed")
    return run(tool, *arguments)


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_systemd_finds_nothing_wrong_with_the_unit(unit: Path) -> None:
    done = analyze("verify", "--man=no", str(unit))
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_systemd_finds_the_service_shut_in_well_enough(unit: Path) -> None:
    done = analyze("security", "--offline=true", "--threshold=30", str(unit))
    level = re.search(r"exposure level for \S+: ([0-9.]+)", done.stdout)
    assert level is not None and float(level[1]) <= 3.0, done.stdout + done.stderr
    assert done.returncode == 0


def test_the_unit_keeps_what_the_board_needs() -> None:
    text = read_template(SERVICE)
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    for wanted in (
        "Type=notify",
        "Restart=on-failure",
        "DevicePolicy=closed",
        "DeviceAllow=char-gpiochip rw",
        "DeviceAllow=char-ttyACM rw",
        "Environment=LG_WD=%t/sorcel-pi",
    ):
        assert wanted in lines
    keys = {line.partition("=")[0] for line in lines}
    assert not keys & {"PrivateDevices", "ProcSubset"}  # they hide the board, and the model


def test_each_udev_rule_is_one(tmp_path: Path) -> None:
    text = read_template("60-sorcel-pi.rules")
    pair = r'[A-Z]+(\{\w+\})?(==|\+=|=)"[^"]*"'
    for line in text.splitlines():
        assert not line or line.startswith("#") or re.fullmatch(f"{pair}(, {pair})+", line), line
    path = tmp_path / "60-sorcel-pi.rules"
    path.write_text(text, encoding="utf-8")
    tool = shutil.which("udevadm")
    if tool is None or "verify" not in run(tool, "--help").stdout:
        return  # only from systemd 254 on
    done = run(tool, "verify", str(path))
    assert done.returncode == 0, done.stdout + done.stderr


def test_polkit_allows_the_service_to_switch_off_and_nothing_else() -> None:
    text = read_template("50-sorcel-pi.rules")
    actions = re.findall(r'"(org\.[^"]+)"', text)
    assert {each.removesuffix("-multiple-sessions") for each in actions} == {
        "org.freedesktop.login1.power-off"
    }
    assert text.count("{") == text.count("}") and text.count("(") == text.count(")")
    assert 'subject.user == "sorcel"' in text
