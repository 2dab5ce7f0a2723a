"""The thread in which the page is served, beside the loop."""

import asyncio
import errno
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import uvicorn
from starlette.types import ASGIApp

from ..errors import DeviceError
from .api import MAX_TEXT
from .broadcast import Broadcast
from .doors import KEEP_ALIVE_S, Doors, protocol_of

PING_S, PONG_S = 10.0, 10.0
"""A page is asked so often whether it still is there, and has so long to say so."""
AGAIN_S = 2.0
"""How often an address that the machine does not have yet is tried again."""
_BACKLOG = 128
_ANY_PORT_TRIES = 20

_Address = tuple[Any, ...]
_Place = tuple[int, _Address]
"""Family and address of a socket, as the module `socket` has them."""


class NotUpError(DeviceError):
    """This machine does not have that address, or not yet."""


class Listening(NamedTuple):
    """Sockets that listen at one port."""

    sockets: tuple[socket.socket, ...]

    @property
    def port(self) -> int:
        """The number of the port."""
        return int(self.sockets[0].getsockname()[1])

    def close(self) -> None:
        """Listen no longer."""
        for each in self.sockets:
            each.close()


class ServerThread:
    """A server that runs until `close`.

    An address that this machine does not have yet, as before its network is up, is waited for:
    `waits` says so.
    """

    def __init__(
        self,
        app: ASGIApp,
        broadcast: Broadcast,
        *,
        host: str,
        port: int,
        doors: Doors | None = None,
        again_s: float = AGAIN_S,
        listen: Callable[[str, int], Listening] | None = None,
    ) -> None:
        """Serve `app` at `host` and `port` (0: any); `DeviceError` if the place is taken.

        `again_s` is how often a missing address is tried again, `listen` only for tests.
        """
        self._broadcast = broadcast
        self._again_s, self._listen = again_s, listen or listen_at
        self._closing = threading.Event()
        self._listening: Listening | None = None
        self.host, self.port, self.waits = host, port, ""
        try:
            self._listening = self._listen(host, port)
            self.port = self._listening.port
        except NotUpError as error:
            self.waits = str(error)
        self.doors = Doors() if doors is None else doors
        self._server = uvicorn.Server(_config(app, self.doors))
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)
        self._thread.start()

    def close(self, *, timeout_s: float = 5.0) -> None:
        """End the server; open pages lose their line."""
        self._server.should_exit = True
        self._closing.set()
        self._thread.join(timeout_s)
        if self._listening is not None:
            self._listening.close()

    def _run(self) -> None:
        while self._listening is None:
            if self._closing.wait(self._again_s):
                return
            with suppress(DeviceError):  # it may be taken just when it has come
                self._listening = self._listen(self.host, self.port)
        self.port, self.waits = self._listening.port, ""
        with suppress(SystemExit):
            asyncio.run(self._serve(self._listening))

    async def _serve(self, listening: Listening) -> None:
        self._broadcast.serve(asyncio.get_running_loop())
        try:
            await self._server.serve(sockets=list(listening.sockets))
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


def listen_at(host: str, port: int) -> Listening:
    """Return what listens there; raises `DeviceError`, and `NotUpError`.

    `localhost` is listened at in both families, where the machine has both: which of them a browser
    takes is its own affair.
    """
    try:
        return Listening(tuple(_bound(_places(host, port), port)))
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            raise NotUpError(
                f"the page waits for {host}, which this machine does not have yet; "
                "the board plays without it"
            ) from None
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
