"""Who may do what at the page: the table's code, its tokens, hosts and origins.

Looking is free; doing needs a token, which a browser gets for the table's code.  Nothing here is
ever put into an answer except the token itself, as a cookie that scripts cannot read.
"""

import hashlib
import hmac
import ipaddress
import re
import secrets
import threading
from collections.abc import Callable, Container
from time import monotonic
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import Scope

DIGITS = 4
TRIES = 10
"""So many wrong codes, and another one is drawn; until then the page waits a little."""
LOCK_S = 30.0
MOST_STRANGERS = 4096
"""The addresses of so many that gave wrong codes are remembered."""
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
        self._strangers: dict[str, None] = {}
        """Who has given a wrong code since a right one, those who did so last at the end."""
        self.code = draw_code()

    def enter(self, code: str, who: str = "") -> str | None:
        """Return a new token for the right code, else None; `closed` says whether to wait.

        `who` is the address that it comes from.
        """
        with self._lock:
            if self._is_closed(who):
                return None
            if hmac.compare_digest(code.encode(), self.code.encode()):
                self._strangers.pop(who, None)
                # What strangers do meanwhile goes on being counted.
                if self._clock() >= self._closed_until:
                    self._wrong = self._locks = 0
                return self._token()
            self._note_wrong(who)
            self._wrong += 1
            if self._wrong < TRIES:
                return None
            self._wrong, self._locks = 0, self._locks + 1
            self._closed_until = self._clock() + min(LOCK_S * 2.0 ** (self._locks - 1), _MAX_LOCK_S)
            self.code = draw_code()
        self._told(self.code)
        return None

    def closed(self, who: str = "") -> bool:
        """Whether too many wrong codes were given, and none is taken for a while.

        Who has given no wrong one may try all the same, once.
        """
        with self._lock:
            return self._is_closed(who)

    def is_stranger(self, who: str) -> bool:
        """Whether a wrong code came from this address, and no right one since."""
        with self._lock:
            return who in self._strangers

    def _is_closed(self, who: str) -> bool:
        if self._clock() >= self._closed_until:
            return False
        # Where too many are remembered, some were forgotten: nobody counts as new then.
        return not who or who in self._strangers or len(self._strangers) >= MOST_STRANGERS

    def _note_wrong(self, who: str) -> None:
        self._strangers.pop(who, None)
        self._strangers[who] = None
        if len(self._strangers) > MOST_STRANGERS:
            del self._strangers[next(iter(self._strangers))]

    def knows(self, token: str | None) -> bool:
        """Whether the token is one of this table's."""
        number, _, seal = (token or "").partition(".")
        return bool(seal) and hmac.compare_digest(seal.encode(), self._seal(number).encode())

    def _token(self) -> str:
        number = secrets.token_hex(16)
        return f"{number}.{self._seal(number)}"

    def _seal(self, number: str) -> str:
        return hmac.new(self._key, number.encode("utf-8", "replace"), "sha256").hexdigest()


# -- cookies --------------------------------------------------------------------------------------


def cookie_name(scope: Scope) -> str:
    """Return the name of the cookie with the token: browsers keep cookies of all ports together.

    >>> cookie_name({"server": ("127.0.0.1", 8061)})
    'sorcel-8061'
    """
    server = scope.get("server") or ("", 0)
    return f"sorcel-{server[1]}"


def token_of(connection: HTTPConnection) -> str | None:
    """Return the token that a browser sends with a request, if it has one."""
    return connection.cookies.get(cookie_name(connection.scope))


def browser_of(token: str | None) -> str:
    """Return what a browser is called that has this token; it does not give the token away.

    >>> browser_of("a.b"), browser_of(None)
    ('2e7336dc8eba', '')
    """
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()[:12] if token else ""


# -- hosts and origins ----------------------------------------------------------------------------


def host_is_ours(host: str | None, names: Container[str]) -> bool:
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
