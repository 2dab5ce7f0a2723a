"""Checks of what any machine has: Python, packages, kernel, disk, clock, service, store."""

import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from shutil import disk_usage

from ..config.paths import state_path
from ..drivers import expander, gpio_lines, pixels
from ..host.systemd import SERVICE
from ..store.database import why_unusable
from .report import Context, Finding, fault, ok, warning

OLDEST = (3, 11)
GPIOZERO = (2, 0, 1)
LITTLE_DISK_MB = 50


def check_engine(context: Context) -> Iterator[Finding]:
    """Which engine thinks: the one in C or the one in Python."""
    from ..engine.native import NOT_INSTALLED, Library, find_library

    found = find_library()
    if isinstance(found, Library):
        yield ok("engine", f"the one in C thinks on the standard board ({found.path})")
    elif found == NOT_INSTALLED:
        yield ok("engine", f"the one in Python thinks, as {found}")
    else:
        remedy = f'"{sys.executable}" -m pip install --upgrade sorcel-engine'
        yield warning("engine", f"the one in Python thinks: of the one in C, {found}", remedy)


def check_python(context: Context) -> Iterator[Finding]:
    """The interpreter, and whether it is one of the project's own."""
    python = context.machine.python
    text = ".".join(map(str, python.version))
    if python.version < OLDEST:
        need = ".".join(map(str, OLDEST))
        yield fault("Python", f"{text} is too old", f"install Python {need} or newer")
        return
    if python.in_venv:
        yield ok("Python", f"{text} in an environment of its own, {python.executable}")
    else:
        yield warning(
            "Python",
            f"{text} of the system, which Debian lets nobody install packages into",
            "python3 -m venv --system-site-packages .venv && .venv/bin/python -m pip install .",
        )


def _needed(context: Context) -> dict[str, str]:
    """Return the packages that the config needs, each with the line that installs it."""
    config = context.config
    needed = {}
    if config.contacts.driver in ("gpio", "shift"):
        needed["gpiozero"] = gpio_lines.INSTALL
    if config.contacts.driver == "expander":
        needed |= dict.fromkeys(_names(expander.PACKAGES), expander.INSTALL)
        needed["gpiozero"] = gpio_lines.INSTALL
    way = config.pixels.driver
    if way in pixels.PACKAGES:
        needed |= dict.fromkeys(_names(pixels.PACKAGES[way]), pixels.install_line(way))
    if "mcu" in (config.contacts.driver, way):
        needed["pyserial"] = f'"{sys.executable}" -m pip install "pyserial>=3.5"'
    return needed


def _names(packages: str) -> list[str]:
    return [each.strip("'").split("<")[0] for each in packages.split()]


def check_packages(context: Context) -> Iterator[Finding]:
    """The packages that the config needs, and those that do not go together."""
    machine = context.machine
    for package, install in _needed(context).items():
        version = machine.version_of(package)
        if version is None:
            yield fault("packages", f"{package} is missing", install)
        elif package == "gpiozero" and _numbers(version) < GPIOZERO:
            yield fault("packages", f"gpiozero {version} is too old for a Pi 5", install)
        else:
            yield ok("packages", f"{package} {version}")
    if context.config.contacts.driver in ("gpio", "shift"):
        yield from _lgpio(context)
    if machine.version_of("RPi.GPIO") and machine.version_of("rpi-lgpio"):
        yield fault(
            "packages",
            "RPi.GPIO and rpi-lgpio are both installed, and overwrite each other",
            f'"{machine.python.executable}" -m pip uninstall RPi.GPIO rpi-lgpio',
        )
    elif machine.version_of("RPi.GPIO") and pixels.is_pi_5(machine.model):
        yield warning(
            "packages",
            "RPi.GPIO does not work on a Pi 5",
            f'"{machine.python.executable}" -m pip uninstall RPi.GPIO',
        )


def _lgpio(context: Context) -> Iterator[Finding]:
    version = context.machine.version_of("lgpio")
    remedy = "sudo apt install python3-lgpio, in an environment made with --system-site-packages"
    if version is None:
        yield warning("packages", "lgpio, which reads contacts fastest, is missing", remedy)
    elif _numbers(version) < (0, 2):
        yield fault("packages", f"lgpio {version} is an empty package", remedy)
    else:
        yield ok("packages", f"lgpio {version}")


def _numbers(version: str) -> tuple[int, ...]:
    parts = []
    for part in version.split("."):
        if not part.isdigit():
            break
        parts.append(int(part))
    return tuple(parts)


def check_machine(context: Context) -> Iterator[Finding]:
    """Model and kernel."""
    machine = context.machine
    kernel = machine.read("/proc/sys/kernel/osrelease") or "unknown"
    yield ok("machine", f"{machine.model or 'no Raspberry Pi'}, kernel {kernel}")
    needs_pins = context.config.contacts.driver in ("gpio", "expander", "shift")
    if not machine.model and (needs_pins or context.config.pixels.driver in pixels.PACKAGES):
        yield fault(
            "machine",
            "the config has drivers that need the pins of a Raspberry Pi",
            'set [contacts] driver and [pixels] driver to "mcu" (a Pico at USB) or "mock"',
        )


def check_voltage(context: Context) -> Iterator[Finding]:
    """Whether the Pi has had enough voltage, and is cool enough."""
    power = context.machine.power()
    if power is None:
        return
    remedy = "use the supply that the model asks for, and one of their own for the lights"
    if power.low:
        yield fault("voltage", "too low just now", remedy)
    elif power.was_low:
        yield warning("voltage", "has been too low since the machine was started", remedy)
    else:
        yield ok("voltage", "has been high enough since the machine was started")
    if power.hot:
        yield warning("heat", "the machine is slowed down by it", "let more air reach the machine")


def check_disk(context: Context) -> Iterator[Finding]:
    """Room for the games."""
    folder = state_path(context.config)
    existing = next(each for each in (folder, *folder.parents) if each.exists())
    free_mb = disk_usage(existing).free // 1_000_000
    if free_mb < LITTLE_DISK_MB:
        yield fault(
            "disk", f"only {free_mb} MB are free at {existing}", "delete what is not needed"
        )
    elif not os.access(existing, os.W_OK):
        yield fault(
            "disk",
            f"{existing} may not be written",
            f"sudo chown {context.machine.user.name} {existing}",
        )
    else:
        yield ok("disk", f"{free_mb} MB are free at {existing}")


def check_clock(context: Context) -> Iterator[Finding]:
    """Whether games get their right date; play does not need it."""
    now = datetime.now(UTC)
    remedy = "sudo timedatectl set-ntp true (it needs the network once after each start)"
    if now.year < 2026:
        yield warning("clock", f"says {now:%Y-%m-%d}, so that games get a wrong date", remedy)
    elif context.machine.exists("/run/systemd/timesync") and not context.machine.exists(
        "/run/systemd/timesync/synchronized"
    ):
        yield warning("clock", "has not been set by the network since the start", remedy)
    else:
        yield ok("clock", f"{now:%Y-%m-%d %H:%M} UTC")


def check_service(context: Context) -> Iterator[Finding]:
    """The service, where there is systemd."""
    machine = context.machine
    wanted = "LoadState,ActiveState,SubState,StatusText,Result"
    done = machine.run(["systemctl", "show", SERVICE, f"--property={wanted}"])
    if done.code:
        yield ok("service", "none, as there is no systemd here")
        return
    known = dict(line.split("=", 1) for line in done.out.splitlines() if "=" in line)
    if known.get("LoadState") != "loaded":
        yield ok("service", "not installed (sorcel service install starts the board with the Pi)")
        return
    state = f"{known.get('ActiveState')} ({known.get('SubState')})"
    says = f", says: {known['StatusText']}" if known.get("StatusText") else ""
    if known.get("ActiveState") == "failed":
        text = f"{state}, result {known.get('Result')}"
        yield fault("service", text, f"journalctl -u {SERVICE} -e shows why")
    else:
        yield ok("service", f"{state}{says}")


def check_games(context: Context) -> Iterator[Finding]:
    """The store."""
    path = state_path(context.config) / "games.sqlite3"
    if not path.exists():
        yield ok("games", f"none are stored yet at {path}")
        return
    found = why_unusable(path.absolute())
    if found is None:
        yield ok("games", f"{path} is sound")
    else:
        yield fault(
            "games",
            f"{path}: {found[1]}",
            "start the board: it sets the file aside, keeps it, and begins a new one",
        )


CHECKS = (
    check_python,
    check_packages,
    check_engine,
    check_machine,
    check_voltage,
    check_disk,
    check_clock,
    check_service,
    check_games,
)
