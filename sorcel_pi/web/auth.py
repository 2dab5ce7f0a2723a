"""Who may do what at the page: the table's code, its tokens, hosts and origins.

Looking is free; doing needs a token, which a browser gets for the table's code.  Nothing here is
ever put into an answer except the token itself, as a cookie that scripts cannot read.
"""

import hmac
import ipaddress
import re
import secrets
import socket
import threading
from collections.abc import Callable, Iterable
from time import monotonic
from urllib.parse import urlsplit

COOKIE = "sorcel"
DIGITS = 4
TRIES = 10
"""So many wrong codes, and another one is drawn; until then the page waits a little."""
LOCK_S = 30.0
_MAX_LOCK_S = 600.0
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[\w.-]+)(:\d+)?", re.ASCII | re.IGNORECASE)


def draw_code() -> str:
    """Return a code of four digits from 0 to 6, as the lights of a row can show them.

    >>> len(draw_code()), set(draw_code()) <= set("0123456")
    (4, True)
    """
    return "".join(secrets.choice("0123456") for _ in range(DIGITS))


class Auth:
    """Keeps the code and the key with which tokens are signed."""

    def __init__(
        self,
        key: bytes | None = None,
        *,
        clock: Callable[[], float] = monotonic,
        told: Callable[[str], None] = lambda code: None,
    ) -> None:
        """Draw a code; `told` hears of each later one.  Tokens of the same `key` stay good."""
        self._key = key or secrets.token_bytes(32)
        self._clock = clock
        self._told = told
        self._lock = threading.Lock()
        self._wrong = 0
        self._locks = 0
        self._closed_until = 0.0
        self.code = draw_code()

    def enter(self, code: str) -> str | None:
        """Return a new token for the right code, else None; `closed` says whether to wait."""
        with self._lock:
            if self._clock() < self._closed_until:
                return None
            if hmac.compare_digest(code.encode(), self.code.encode()):
                self._wrong = self._locks = 0
                return self._token()
            self._wrong += 1
            if self._wrong < TRIES:
                return None
            self._wrong, self._locks = 0, self._locks + 1
            self._closed_until = self._clock() + min(LOCK_S * 2.0 ** (self._locks - 1), _MAX_LOCK_S)
            self.code = draw_code()
        self._told(self.code)
        return None

    def closed(self) -> bool:
        """Whether too many wrong codes were given, and none is taken for a while."""
        return self._clock() < self._closed_until

    def knows(self, token: str | None) -> bool:
        """Whether the token is one of this table's."""
        number, _, seal = (token or "").partition(".")
        return bool(seal) and hmac.compare_digest(seal.encode(), self._seal(number).encode())

    def _token(self) -> str:
        number = secrets.token_hex(16)
        return f"{number}.{self._seal(number)}"

    def _seal(self, number: str) -> str:
        return hmac.new(self._key, number.encode("utf-8", "replace"), "sha256").hexdigest()


# -- hosts and origins ----------------------------------------------------------------------------


def own_names(extra: Iterable[str] = ()) -> frozenset[str]:
    """Return the names under which this machine may be asked for, lower case."""
    host = socket.gethostname().lower()
    short = host.partition(".")[0]
    names = {"localhost", "sorcel.local", host, short, f"{short}.local", *extra}
    return frozenset(name.lower() for name in names if name)


def host_is_ours(host: str | None, names: frozenset[str]) -> bool:
    """Whether a Host header names this machine: a name of ours, or any address as a number.

    A foreign page can make a foreign name point here, but not a number.

    >>> names = frozenset({"localhost"})
    >>> [host_is_ours(host, names) for host in ("localhost:80", "[::1]:80", "1.2.3.4", "a.b:80")]
    [True, True, True, False]
    """
    if not host or not _HOST.fullmatch(host):  # it is repeated in the policy of each answer
        return False
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        return False
    if not name:
        return False
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name.lower() in names
    return True


def origin_is_ours(origin: str | None, host: str | None) -> bool:
    """Whether a request comes from a page of the host that it is for."""
    return bool(origin) and bool(host) and origin in (f"http://{host}", f"https://{host}")
