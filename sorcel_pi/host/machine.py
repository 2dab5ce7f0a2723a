"""What the program asks of the machine it runs on: files of the system, device nodes, commands.

Everything goes through one object, so that `doctor` and `service` can be shown a recorded machine.
It draws no conclusions.
"""

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

COMMAND_TIMEOUT_S = 30.0
_THROTTLED = "/sys/devices/platform/soc/soc:firmware/get_throttled"
_LOW, _SLOWED, _HOT, _WAS_LOW = 1, 1 << 2, 1 << 3, 1 << 16
"""Its bits: too low a voltage now, slowed down now, near the highest temperature, too low since."""


class Node(NamedTuple):
    """A device node or file, and who may use it."""

    path: str
    owner: str
    group: str
    mode: int

    @property
    def rights(self) -> str:
        """The rights as `ls` shows them, such as `rw-rw----`."""
        return "".join(
            letter if self.mode >> (8 - k) & 1 else "-" for k, letter in enumerate("rwxrwxrwx")
        )


class User(NamedTuple):
    """Who runs this."""

    name: str
    uid: int
    groups: frozenset[str]

    def may_use(self, node: Node) -> bool:
        """Return whether this user may read and write a node."""
        if self.uid == 0:
            return True
        shift = 6 if node.owner == self.name else 3 if node.group in self.groups else 0
        return node.mode >> shift & 6 == 6


class Python(NamedTuple):
    """The interpreter."""

    version: tuple[int, ...]
    executable: str
    in_venv: bool
    system_packages: bool
    """Whether packages of the system are seen too."""


class Ran(NamedTuple):
    """What a command has come to; `code` 127 where there is no such command."""

    code: int
    out: str
    error: str = ""


def run_command(arguments: Sequence[str]) -> Ran:
    """Run a command and return what it has come to, whatever happens."""
    try:
        done = subprocess.run(
            list(arguments),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=COMMAND_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Ran(127, "", str(error))
    return Ran(done.returncode, done.stdout, done.stderr)


def version_of(package: str) -> str | None:
    """Return the version of an installed package, or None."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def this_python() -> Python:
    """Return the interpreter that runs this."""
    in_venv = sys.prefix != sys.base_prefix
    own = not in_venv
    if in_venv:
        with suppress(OSError):
            text = Path(sys.prefix, "pyvenv.cfg").read_text(encoding="utf-8").lower()
            own = "include-system-site-packages = true" in text
    return Python(sys.version_info[:3], sys.executable, in_venv, own)


def this_user() -> User:
    """Return who runs this, with the groups that hold now (a new login may bring others)."""
    if sys.platform == "win32":
        return User(os.environ.get("USERNAME", "?"), -1, frozenset())
    import grp
    import pwd

    def name(number: int) -> str:
        try:
            return grp.getgrgid(number).gr_name
        except KeyError:
            return str(number)

    uid = os.geteuid()
    try:
        own = pwd.getpwuid(uid).pw_name
    except KeyError:
        own = str(uid)
    return User(own, uid, frozenset(name(each) for each in {os.getegid(), *os.getgroups()}))


class Power(NamedTuple):
    """What a Pi reports of its voltage and its heat."""

    low: bool = False
    was_low: bool = False
    """Whether the voltage has been too low since the machine was started."""
    hot: bool = False
    """Whether the machine works slowly because of its heat."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine whose files begin at `root`; `nodes` stands for what `stat` tells there."""

    root: Path = Path("/")
    nodes: Mapping[str, Node] | None = None
    user: User = field(default_factory=this_user)
    python: Python = field(default_factory=this_python)
    run: Callable[[Sequence[str]], Ran] = run_command
    version_of: Callable[[str], str | None] = version_of

    def path(self, path: str) -> Path:
        """Return where a file of the machine is."""
        return self.root / path.lstrip("/")

    def read(self, path: str) -> str | None:
        """Return the text of a file, without what device trees end texts with; None if not."""
        try:
            data = self.path(path).read_bytes()
        except OSError:
            return None
        return data.decode("utf-8", errors="replace").strip("\0\n ")

    def exists(self, path: str) -> bool:
        """Return whether there is such a file, node or folder."""
        if self.nodes is not None and path in self.nodes:
            return True
        try:
            return self.path(path).exists()
        except OSError:
            return False

    def names(self, path: str) -> tuple[str, ...]:
        """Return what is in a folder, in order; nothing where there is none."""
        try:
            found = {each.name for each in self.path(path).iterdir()}
        except OSError:
            found = set()
        inside = path.rstrip("/") + "/"
        for node in self.nodes or {}:
            if node.startswith(inside):
                found.add(node.removeprefix(inside).split("/")[0])
        return tuple(sorted(found))

    def node(self, path: str) -> Node | None:
        """Return a node and who may use it, or None."""
        if self.nodes is not None:
            return self.nodes.get(path)
        try:
            known = self.path(path).stat()
        except OSError:
            return None
        owner, group = str(known.st_uid), str(known.st_gid)
        if sys.platform != "win32":
            import grp
            import pwd

            with suppress(KeyError):
                owner = pwd.getpwuid(known.st_uid).pw_name
            with suppress(KeyError):
                group = grp.getgrgid(known.st_gid).gr_name
        return Node(path, owner, group, stat.S_IMODE(known.st_mode))

    def groups(self) -> frozenset[str]:
        """Return the names of the groups that there are."""
        text = self.read("/etc/group") or ""
        return frozenset(line.split(":")[0] for line in text.splitlines() if ":" in line)

    def power(self) -> Power | None:
        """Return how the voltage and the heat are, None where nothing reports it.

        The firmware of a Pi reports both as bits; other kernels have the voltage as an alarm.
        """
        text, alarm = self.read(_THROTTLED), self._voltage_alarm()
        try:
            bits = int(text or "", 16)
        except ValueError:
            if alarm is None:
                return None
            bits = 0
        low = bool(bits & _LOW) or alarm == "1"
        hot = bool(bits & _HOT) or (bool(bits & _SLOWED) and not low)
        return Power(low, bool(bits & _WAS_LOW), hot)

    def _voltage_alarm(self) -> str | None:
        sensors = "/sys/class/hwmon"
        for name in self.names(sensors):
            if self.read(f"{sensors}/{name}/name") == "rpi_volt":
                return self.read(f"{sensors}/{name}/in0_lcrit_alarm")
        return None

    @property
    def model(self) -> str:
        """What the machine calls itself, "" where it does not."""
        return self.read("/proc/device-tree/model") or ""
