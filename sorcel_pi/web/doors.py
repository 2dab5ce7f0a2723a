"""Who gets a connection to the page's server, and for how long without saying what is wanted.

A connection is *quiet* while it has no whole request: it has just come, or rests between two.
Where room is short, quiet ones go first, from whoever has most of them; so those who only hold the
door open never keep out those who want to see the page.  It knows addresses and tokens, no games.
"""

import asyncio
import ipaddress
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol, cast

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from .auth import token_of

MAX_CONNECTIONS = 250
KEPT = 16
"""So many of them are only for browsers with a token."""
MAX_PER_ADDRESS = 64
"""For an IPv4 address, or an IPv6 network of 64 bits, which is what one house has."""
REQUEST_S = 10.0
"""After this a connection without a whole request is closed."""
LATE_REQUEST_S = 2.0
"""The same where there is room only for those with a token."""
KEEP_ALIVE_S = 20
UNHEARD_S = 20.0
"""So long the other end may acknowledge nothing of what was sent."""

FULL = "Too many look on at this table just now. Please try again in a minute.\n"


def group_of(host: str) -> str:
    """Return whom an address counts for: itself, or its IPv6 network of 64 bits.

    >>> group_of("192.0.2.7"), group_of("2001:db8::1:2:3:4"), group_of("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7')
    """
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


class Line(Protocol):
    """What is needed of a connection: asyncio's transports have it."""

    def is_closing(self) -> bool:
        """Whether it is closed, or about to be."""

    def abort(self) -> None:
        """Close it at once."""


@dataclass(slots=True, eq=False)
class Guest:
    """One connection: `quiet` without a whole request, `known` with a token.

    A `late` one came when there was room only for those with a token.
    """

    group: str
    line: Line
    quiet: bool = True
    known: bool = False
    late: bool = False


class Doors:
    """All connections that there are.  Only for the thread of the server."""

    def __init__(
        self,
        most: int = MAX_CONNECTIONS,
        *,
        kept: int = KEPT,
        per_address: int = MAX_PER_ADDRESS,
        request_s: float = REQUEST_S,
    ) -> None:
        """Let in up to `most`, of whom `kept` have a token."""
        self._most, self._kept, self._per_address = most, kept, per_address
        self.request_s = request_s
        self._guests: dict[Guest, None] = {}  # those who rest longest come first

    def __len__(self) -> int:
        """Return how many connections are open."""
        self._forget_gone()
        return len(self._guests)

    def enter(self, host: str, line: Line) -> Guest | None:
        """Let in a connection from an address; None if there is no room at all."""
        self._forget_gone()
        guest = Guest(group_of(host), line)
        if self._is_crowded(guest.group):
            same = [each for each in self._guests if each.group == guest.group]
            self._close_quiet(same if len(same) >= self._per_address else list(self._guests))
            guest.late = self._is_crowded(guest.group)
        if len(self._guests) >= self._most:
            self._close_quiet(list(self._guests), late=True)
        if len(self._guests) >= self._most:
            return None
        self._guests[guest] = None
        return guest

    def leave(self, guest: Guest) -> None:
        """Forget a connection that is closed."""
        self._guests.pop(guest, None)

    def rest(self, guest: Guest) -> None:
        """Note that a connection has had its answer."""
        guest.quiet = True
        if guest in self._guests:
            del self._guests[guest]
            self._guests[guest] = None

    def _forget_gone(self) -> None:
        for guest in [each for each in self._guests if each.line.is_closing()]:
            del self._guests[guest]

    def _is_crowded(self, group: str) -> bool:
        """Whether one more of this group, or at all, has room only with a token."""
        same = sum(guest.group == group for guest in self._guests)
        return same >= self._per_address or len(self._guests) >= self._most - self._kept

    def _close_quiet(self, among: list[Guest], *, late: bool = False) -> None:
        """Close one quiet connection of whoever has most of them, if there is any."""
        quiet = [g for g in among if g.quiet and not g.known and g.late is late]
        if quiet:
            ((most, _),) = Counter(guest.group for guest in quiet).most_common(1)
            chosen = next(guest for guest in quiet if guest.group == most)
            self.leave(chosen)
            chosen.line.abort()


class DoorProtocol(H11Protocol):
    """uvicorn's HTTP, whose connections come in by the `doors` and are timed there."""

    doors: Doors
    _guest: Guest | None = None
    _deadline: asyncio.TimerHandle | None = None
    _upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let a connection in, or close it."""
        super().connection_made(transport)
        self._guest = self.doors.enter(self.client[0] if self.client else "", transport)
        if self._guest is None:
            transport.abort()
            return
        self.app_state = {**self.app_state, "guest": self._guest}
        _forget_when_unheard(transport)
        self._await_request()

    def data_received(self, data: bytes) -> None:
        """Take what comes; the time for a request begins with its first byte."""
        if self._deadline is None and (self._guest is None or self._guest.quiet):
            self._await_request()
        super().data_received(data)
        self._look()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Note that the line is one to a page from now on."""
        self._upgraded = True
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        """Let the connection rest until the next request."""
        if self._guest is not None:
            self.doors.rest(self._guest)
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        self._stop_waiting()
        if self._guest is not None:
            self.doors.leave(self._guest)

    def _look(self) -> None:
        """Note whether there is a whole request now."""
        cycle = cast("RequestResponseCycle | None", self.cycle)  # uvicorn: None at first
        whole = cycle is not None and not cycle.response_complete and not cycle.more_body
        if self._guest is not None and (self._upgraded or whole):
            self._guest.quiet = False
            self._stop_waiting()

    def _await_request(self) -> None:
        late = self._guest is not None and self._guest.late
        wait_s = min(self.doors.request_s, LATE_REQUEST_S) if late else self.doors.request_s
        self._deadline = self.loop.call_later(wait_s, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def protocol_of(doors: Doors) -> type[DoorProtocol]:
    """Return the protocol whose connections come in by `doors`."""
    return type("DoorProtocol", (DoorProtocol,), {"doors": doors})


def _forget_when_unheard(transport: asyncio.Transport) -> None:
    """Let the system end a connection whose other end acknowledges nothing, where it can."""
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    if option is not None:
        with suppress(OSError, AttributeError):
            sock = transport.get_extra_info("socket")
            sock.setsockopt(socket.IPPROTO_TCP, option, int(UNHEARD_S * 1000))


# -- at the first request -------------------------------------------------------------------------


class Porter:
    """Looks at who it is before anything is answered: who is late and has no token is sent away."""

    def __init__(self, app: ASGIApp, knows: Callable[[str | None], bool]) -> None:
        """Stand before `app`; `knows` says whether a token is good."""
        self._app, self._knows = app, knows

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or say that there is no room."""
        guest = guest_in(scope)
        if guest is not None and scope["type"] in ("http", "websocket"):
            if self._knows(token_of(HTTPConnection(scope))):
                guest.known, guest.late = True, False
            if guest.late:
                await _send_away(scope, receive, send)
                return
        await self._app(scope, receive, send)


def guest_in(scope: Scope) -> Guest | None:
    """Return whose request this is, None where no doors are."""
    found = scope.get("state", {}).get("guest")
    return found if isinstance(found, Guest) else None


async def _send_away(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        headers = {"connection": "close", "retry-after": "60"}
        await PlainTextResponse(FULL, 503, headers=headers)(scope, receive, send)
    else:
        await receive()
        await send({"type": "websocket.close", "code": 1013})
