"""`sorcel service`: start the board with the machine, or not any more."""

import shlex
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from .. import SorcelError
from ..config.load import format_config, load_config
from ..config.paths import SYSTEM_CONFIG, config_path
from ..config.schema import Config
from ..errors import quote
from ..host.machine import Machine
from ..host.systemd import SERVICE
from .common import reason_of
from .table import ConfigOption

PACKAGE = Path(__file__).parents[1]
USER = "sorcel"
HOME = "/var/lib/sorcel-pi"
UNIT = f"/etc/systemd/system/{SERVICE}"
FILES = {
    SERVICE: UNIT,
    "60-sorcel-pi.rules": "/etc/udev/rules.d/60-sorcel-pi.rules",
    "50-sorcel-pi.rules": "/etc/polkit-1/rules.d/50-sorcel-pi.rules",
}
EVERYWHERE = "0.0.0.0"
GROUPS = ("gpio", "dialout", "i2c", "spi")
_SUBSYSTEMS = ("--subsystem-match=tty", "--subsystem-match=*-pio")
"""What the rules of udev are for."""
_PROGRAM = "/opt/sorcel-pi/bin/sorcel"
_HIDDEN = ("/home/", "/root/", "/run/user/", "/tmp/", "/var/tmp/")


class ServiceAction(Enum):
    """What to do."""

    INSTALL = "install"
    REMOVE = "remove"
    STATUS = "status"


class Step(NamedTuple):
    """Something to be done: what to say of it, and how it is done."""

    text: str
    do: Callable[[], None]


def service(
    action: Annotated[
        ServiceAction, typer.Argument(metavar="install|remove|status", help="What to do.")
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before doing it.")] = False,
    config: ConfigOption = None,
) -> None:
    """Let the board start with this machine; says what it will do before it does anything."""
    machine = Machine()
    if action is ServiceAction.STATUS:
        typer.echo("\n".join(status(machine)))
        return
    if action is ServiceAction.INSTALL:
        program = own_program()
        check_settings(machine, config)
        steps = plan_install(machine, program, load_config(config_path(config)))
    else:
        steps = plan_remove(machine)
    carry_out(machine, action, steps, yes=yes, config=config)


def carry_out(
    machine: Machine,
    action: ServiceAction,
    steps: list[Step],
    *,
    yes: bool,
    config: Path | None = None,
) -> None:
    """Say what will be done, ask, and do it."""
    if not steps:
        typer.echo("There is nothing to do.")
        return
    typer.echo(f"To {action.value} the service, this will be done:")
    for number, step in enumerate(steps, 1):
        typer.echo(f"{number:3}. {step.text}")
    if machine.user.uid != 0:
        same = "" if config is None else f" --config {shlex.quote(str(config.resolve()))}"
        raise SorcelError(f"that needs root: sudo {own_program()} service {action.value}{same}")
    if not yes and not typer.confirm("Go ahead?"):
        typer.echo("Nothing was done.")
        return
    for step in steps:
        step.do()
    typer.echo("Done. sorcel service status tells how it is.")


# -- plans ----------------------------------------------------------------------------------------


def plan_install(machine: Machine, program: Path, config: Config) -> list[Step]:
    """Return what installing needs, of which some may be done already."""
    _need_systemd(machine)
    check_reachable(machine, program)
    if config.contacts.driver == "mock":
        raise SorcelError(
            "the config has a simulated table, which needs no service: set [contacts] driver and "
            "[pixels] driver first (sorcel config --default shows all settings)"
        )
    steps = []
    if not _has_user(machine):
        add = ["useradd", "--system", "--user-group", "--home-dir", HOME, "--no-create-home"]
        steps.append(_command(machine, [*add, "--shell", "/usr/sbin/nologin", USER]))
    groups = [group for group in GROUPS if group in machine.groups()]
    if groups:
        steps.append(_command(machine, ["usermod", "--append", "--groups", ",".join(groups), USER]))
    wanted = {FILES[name]: read_template(name) for name in FILES}
    wanted[UNIT] = unit_text(wanted[UNIT], program, groups)
    for path, text in wanted.items():
        if machine.read(path) != text.strip("\0\n "):
            steps.append(Step(f"write {path}", partial(_write, machine, path, text)))
    if not machine.exists(str(SYSTEM_CONFIG)):
        # Nobody sits at a board's own machine: its page is for phones.
        settings = replace(config, web=replace(config.web, host=EVERYWHERE))
        text = format_config(settings, comments=True)
        what = f"write {SYSTEM_CONFIG}, with the page for the whole network"
        steps.append(Step(what, partial(_write, machine, str(SYSTEM_CONFIG), text)))
    return [
        *steps,
        _command(machine, ["systemctl", "daemon-reload"]),
        _command(machine, ["udevadm", "control", "--reload"]),
        _command(machine, ["udevadm", "trigger", "--action=change", *_SUBSYSTEMS]),
        _command(machine, ["systemctl", "enable", SERVICE]),
        _command(machine, ["systemctl", "restart", SERVICE]),
    ]


def plan_remove(machine: Machine) -> list[Step]:
    """Return what undoes it; games, settings and user stay."""
    _need_systemd(machine)
    there = [path for path in FILES.values() if machine.exists(path)]
    if not there:
        return []
    steps = []
    if UNIT in there:
        steps.append(_command(machine, ["systemctl", "disable", "--now", SERVICE]))
    steps += [Step(f"delete {path}", partial(_delete, machine, path)) for path in there]
    return [
        *steps,
        _command(machine, ["systemctl", "daemon-reload"]),
        _command(machine, ["udevadm", "control", "--reload"]),
    ]


def unit_text(template: str, program: Path, groups: list[str]) -> str:
    """Return the unit for a program and the groups that there are; systemd refuses others."""
    text = template.replace(_PROGRAM, str(program))
    line = f"SupplementaryGroups={' '.join(GROUPS)}\n"
    return text.replace(line, f"SupplementaryGroups={' '.join(groups)}\n" if groups else "")


def read_template(name: str) -> str:
    """Return a file of the folder systemd, in the installed package or beside it in a checkout."""
    for folder in (PACKAGE / "systemd", PACKAGE.parent / "systemd"):
        if (folder / name).is_file():
            return (folder / name).read_text(encoding="utf-8")
    raise SorcelError(f"the files of the service are not at {quote(PACKAGE / 'systemd')}")


def check_reachable(machine: Machine, program: Path) -> None:
    """Raise `SorcelError` if the service's user could not start this program."""
    remedy = (
        "install it into /opt/sorcel-pi, as docs/on-the-pi.md says, and call "
        f"{_PROGRAM} service install"
    )
    if str(program).startswith(_HIDDEN):
        raise SorcelError(f"the service cannot see {quote(program)}, which is not public: {remedy}")
    if not machine.exists(str(program)):
        raise SorcelError(f"there is no program {quote(program)}: {remedy}")
    file = machine.node(str(program))
    if file is not None and not file.mode & 0o001:
        raise SorcelError(f"others may not execute {quote(program)} ({file.rights}): {remedy}")
    for folder in program.parents:
        node = machine.node(str(folder))
        if node is not None and not node.mode & 0o001:
            raise SorcelError(f"others may not enter {quote(folder)} ({node.rights}): {remedy}")


def check_settings(machine: Machine, given: Path | None) -> None:
    """Raise `SorcelError` if the service would not take the settings that are given."""
    if given is None or not machine.exists(str(SYSTEM_CONFIG)):
        return
    if given.resolve() != machine.path(str(SYSTEM_CONFIG)).resolve():
        raise SorcelError(
            f"the service takes its settings from {SYSTEM_CONFIG}, which is there already: copy "
            f"{quote(given)} over it, or leave --config out"
        )


def own_program(called: Path | None = None, python: Path | None = None) -> Path:
    """Return the program of this process; for `python -m` the one that is beside Python."""
    called = Path(sys.argv[0]).resolve() if called is None else called
    if called.name != "__main__.py":
        return called
    return Path(sys.executable if python is None else python).parent / "sorcel"


def _need_systemd(machine: Machine) -> None:
    if not machine.exists("/run/systemd/system"):
        raise SorcelError("this machine was not started by systemd, which runs the service")


def _has_user(machine: Machine) -> bool:
    lines = (machine.read("/etc/passwd") or "").splitlines()
    return any(line.split(":")[0] == USER for line in lines)


def _command(machine: Machine, arguments: list[str]) -> Step:
    def do() -> None:
        done = machine.run(arguments)
        if done.code:
            words = (done.error or done.out).strip() or f"exit code {done.code}"
            raise SorcelError(f"{' '.join(arguments)}: {words}")

    return Step(f"run {' '.join(arguments)}", do)


def _write(machine: Machine, path: str, text: str) -> None:
    where = machine.path(path)
    try:
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_text(text, encoding="utf-8")
        where.chmod(0o644)
    except OSError as error:
        raise SorcelError(f"{path} cannot be written: {reason_of(error)}") from None


def _delete(machine: Machine, path: str) -> None:
    try:
        machine.path(path).unlink(missing_ok=True)
    except OSError as error:
        raise SorcelError(f"{path} cannot be deleted: {reason_of(error)}") from None


# -- status ---------------------------------------------------------------------------------------

PROPERTIES = ("LoadState", "ActiveState", "SubState", "UnitFileState", "StatusText", "NRestarts")


def properties(machine: Machine) -> dict[str, str]:
    """Return what systemd knows of the service; nothing where it cannot be asked."""
    done = machine.run(["systemctl", "show", SERVICE, f"--property={','.join(PROPERTIES)}"])
    pairs = (line.partition("=") for line in done.out.splitlines() if "=" in line)
    return {key: value for key, _, value in pairs} if done.code == 0 else {}


def status(machine: Machine) -> list[str]:
    """Return in words how the service is."""
    known = properties(machine)
    if not known:
        return ["systemd cannot be asked here."]
    if known.get("LoadState") != "loaded":
        return ["The service is not installed: sorcel service install"]
    lines = [
        f"The service is {known.get('ActiveState', '?')} ({known.get('SubState', '?')}), "
        f"{'starts' if known.get('UnitFileState') == 'enabled' else 'does not start'} with the "
        f"machine, and was restarted {known.get('NRestarts', '?')} times."
    ]
    if known.get("StatusText"):
        lines.append(f"It says: {known['StatusText']}")
    for path in FILES.values():
        if not machine.exists(path):
            lines.append(f"{path} is missing: sorcel service install")
    if machine.exists(str(SYSTEM_CONFIG)):
        with suppress(SorcelError):  # the service itself says what is wrong with it
            lines.append(page_of(load_config(machine.path(str(SYSTEM_CONFIG)))))
    lines.append(f"Settings: {SYSTEM_CONFIG}. Games: {HOME}. Log: journalctl -u {SERVICE}")
    return lines


def page_of(config: Config) -> str:
    """Return where the page of the service can be opened, or what keeps phones from it."""
    web = config.web
    if not web.enabled:
        return "There is no page: [web] enabled is false."
    if web.host != EVERYWHERE:
        return (
            f"The page is at http://{web.host}:{web.port}/. For phones set "
            f'[web] host = "{EVERYWHERE}" in {SYSTEM_CONFIG}.'
        )
    name = socket.gethostname().partition(".")[0].lower()
    return (
        f"The page is at http://{name}.local:{web.port}/ in the whole network; the lights show the "
        "code that it asks for."
    )
