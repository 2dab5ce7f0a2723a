"""Under which names this machine may be asked for.

A page of somebody else can make its own name point to this machine (DNS rebinding), so only names
that this house gives are answered: the machine's own, alone and with the endings that home networks
use, and those of the setting `[web] names`.
"""

import re
import socket
from collections.abc import Callable, Iterable
from pathlib import Path
from time import monotonic

from ..config.schema import HOST_NAME

ENDINGS = ("lan", "home", "home.arpa", "internal", "fritz.box", "local")
"""What routers and zeroconf put behind the name of a machine."""
_RESOLV_CONF = Path("/etc/resolv.conf")
_FRESH_S = 10.0
_NUMBERED = re.compile(r"(?P<name>.+)-([2-9]|[1-9]\d)\.local")


class HouseNames:
    """All names of this machine; `name in names` tells.

    The machine's own name and the search domains are read again from time to time, as the network
    may come up after the page.
    """

    def __init__(
        self,
        extra: Iterable[str] = (),
        *,
        machine: Callable[[], str] = socket.gethostname,
        resolv_conf: Path = _RESOLV_CONF,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Take `extra` names as well."""
        self.extra = frozenset(plain(name) for name in extra if name)
        self._machine, self._resolv_conf, self._clock = machine, resolv_conf, clock
        self._names: frozenset[str] = frozenset()
        self._short = ""
        self._read_s = -_FRESH_S

    def __contains__(self, name: object) -> bool:
        """Whether this is a name of this machine, in any case and with a final dot or without."""
        if not isinstance(name, str):
            return False
        asked = plain(name)
        if asked == "localhost" or asked in self.extra:
            return True
        if self._clock() - self._read_s >= _FRESH_S:
            self._read()
        numbered = _NUMBERED.fullmatch(asked)
        return asked in self._names or (
            numbered is not None and bool(self._short) and numbered["name"] == self._short
        )

    def _read(self) -> None:
        self._read_s = self._clock()
        own = plain(self._machine())
        self._short = "" if own.startswith("localhost") else own.partition(".")[0]
        endings = (*ENDINGS, *search_domains(self._resolv_conf))
        names = {f"{self._short}.{ending}" for ending in endings} | {own, self._short}
        self._names = frozenset(names) if self._short else frozenset()


def plain(name: str) -> str:
    """Return a name without its final dot, lower case.

    >>> plain("Sorcel.local.")
    'sorcel.local'
    """
    return name.removesuffix(".").lower()


def search_domains(path: Path) -> tuple[str, ...]:
    """Return the domains in which the resolver looks for short names.

    An empty tuple where the file cannot be read; a domain that is no host name is left out.
    """
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    found: list[str] = []
    for line in lines:
        word, *domains = line.split() or [""]
        if word in ("search", "domain"):
            found += [plain(each) for each in domains if re.fullmatch(HOST_NAME, plain(each))]
    return tuple(found)
