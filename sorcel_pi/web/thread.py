"""The thread in which the page is served, beside the loop."""

import asyncio
import errno
import ipaddress
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from ..errors import DeviceError
from .api import MAX_TEXT
from .broadcast import Broadcast
from .doors import KEEP_ALIVE_S, Doors, protocol_of

PING_S, PONG_S = 10.0, 10.0
"""A page is asked so often whether it still is there, and has so long to say so."""
RETRY_S = 2.0
"""How often an address is tried that this machine does not have yet."""
_BACKLOG = 128
_ANY_PORT_TRIES = 20

_Address = tuple[Any, ...]
_Place = tuple[int, _Address]
"""Family and address of a socket, as the module `socket` has them."""


class ServerThread:
    """A server that runs until `close`."""

    def __init__(
        self,
        app: ASGIApp,
        broadcast: Broadcast,
        *,
        host: str,
        port: int,
        doors: Doors | None = None,
        log: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Serve `app` at `host` and `port` (0: any); `DeviceError` if the place is taken.

        An address as a number that this machine does not have yet is waited for, which `log` is
        told: at boot the network often comes up later.
        """
        self._broadcast, self._log = broadcast, log
        self.host, self.port = host, port
        self._closing = threading.Event()
        self._sockets: list[socket.socket] = []
        try:
            self._take_sockets(listen(host, port))
        except _NotUpYetError as error:
            log(f"The page waits for {host}: {error}.")
        self.doors = Doors() if doors is None else doors
        self._server = uvicorn.Server(_config(app, self.doors))
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)
        self._thread.start()

    def close(self, *, timeout_s: float = 5.0) -> None:
        """End the server; open pages lose their line."""
        self._closing.set()
        self._server.should_exit = True
        self._thread.join(timeout_s)
        for each in self._sockets:
            each.close()

    def _take_sockets(self, sockets: list[socket.socket]) -> None:
        self._sockets, self.port = sockets, int(sockets[0].getsockname()[1])

    def _run(self) -> None:
        if self._is_up():
            with suppress(SystemExit):
                asyncio.run(self._serve())

    def _is_up(self) -> bool:
        """Wait until there is something to listen on; False if the server is closed before."""
        while not self._sockets:
            if self._closing.wait(RETRY_S):
                return False
            try:
                self._take_sockets(listen(self.host, self.port))
                self._log(f"The page is at {self.host} port {self.port} now.")
            except _NotUpYetError:
                continue
            except DeviceError as error:
                self._log(str(error))
                return False
        return True

    async def _serve(self) -> None:
        self._broadcast.serve(asyncio.get_running_loop())
        try:
            await self._server.serve(sockets=self._sockets)
        finally:
            self._broadcast.serve(None)


def _config(app: ASGIApp, doors: Doors) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_level="critical",
        access_log=False,
        lifespan="off",
        server_header=False,
        http=protocol_of(doors),
        ws="websockets-sansio",
        ws_max_size=2 * MAX_TEXT,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_S,
        ws_ping_timeout=PONG_S,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=16_384,
    )


# -- where it listens -----------------------------------------------------------------------------


class _NotUpYetError(DeviceError):
    """The machine does not have this address, at least not now."""


def listen(host: str, port: int) -> list[socket.socket]:
    """Return sockets that listen there, all at one port; `DeviceError` if it is taken.

    `localhost` is listened at in both families, where the machine has both: which of them a browser
    takes is its own affair.
    """
    try:
        return _bound(_places(host, port), port)
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL and _is_number(host):
            raise _NotUpYetError(error.strerror) from None
        raise DeviceError(
            f"the page cannot be served at {host} port {port}: {error.strerror or error}; "
            "another one is chosen by [web] port, or none by --no-page"
        ) from None


def _places(host: str, port: int) -> list[_Place]:
    if host == "localhost":
        return [(socket.AF_INET, ("127.0.0.1", port)), (socket.AF_INET6, ("::1", port, 0, 0))]
    kind, flags = socket.SOCK_STREAM, socket.AI_PASSIVE
    family, *_, address = socket.getaddrinfo(host or None, port, type=kind, flags=flags)[0]
    return [(family, address)]


def _bound(places: list[_Place], port: int) -> list[socket.socket]:
    """Return a socket for each place that this machine has, all at one port (0: any)."""
    for tries_left in reversed(range(_ANY_PORT_TRIES)):
        made: list[socket.socket] = []
        try:
            for family, address in places:
                same = made[0].getsockname()[1] if made else port
                made += _bind(family, (address[0], same, *address[2:]), len(places) > 1)
            if made:
                return made
            raise OSError(errno.EADDRNOTAVAIL, "this machine has no such address")
        except OSError:
            for each in made:
                each.close()
            # A port that is free in one family may be taken in the other: then another one.
            if port or not made or not tries_left:
                raise
    raise AssertionError("the last try returns or raises")


def _bind(family: int, address: _Address, may_lack: bool) -> list[socket.socket]:
    """Return a socket that listens there; none if the machine lacks the family and may do so."""
    made = None
    try:
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6 and may_lack:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind(address)
        made.listen(_BACKLOG)
    except OSError as error:
        if made is not None:
            made.close()
        if may_lack and error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
            return []
        raise
    return [made]


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
