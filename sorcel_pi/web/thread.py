"""The thread in which the page is served, beside the loop."""

import asyncio
import socket
import threading
from contextlib import suppress

import uvicorn
from starlette.types import ASGIApp

from ..errors import DeviceError
from .api import MAX_TEXT
from .broadcast import Broadcast

MAX_CONNECTIONS = 250


class ServerThread:
    """A server that runs until `close`."""

    def __init__(self, app: ASGIApp, broadcast: Broadcast, *, host: str, port: int) -> None:
        """Serve `app` at `host` and `port` (0: any); `DeviceError` if the place is taken."""
        self._broadcast = broadcast
        self._socket = _listen(host, port)
        self.host, self.port = host, int(self._socket.getsockname()[1])
        config = uvicorn.Config(
            app,
            log_level="critical",
            access_log=False,
            lifespan="off",
            server_header=False,
            ws="websockets-sansio",
            ws_max_size=2 * MAX_TEXT,
            ws_per_message_deflate=False,
            ws_ping_interval=20.0,
            ws_ping_timeout=20.0,
            limit_concurrency=MAX_CONNECTIONS,
            timeout_keep_alive=10,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=16_384,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)
        self._thread.start()

    def close(self, *, timeout_s: float = 5.0) -> None:
        """End the server; open pages lose their line."""
        self._server.should_exit = True
        self._thread.join(timeout_s)
        self._socket.close()

    def _run(self) -> None:
        with suppress(SystemExit):
            asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._broadcast.serve(asyncio.get_running_loop())
        try:
            await self._server.serve(sockets=[self._socket])
        finally:
            self._broadcast.serve(None)


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there."""
    made = None
    try:
        family, kind, number, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        made = socket.socket(family, kind, number)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(128)
    except OSError as error:
        if made is not None:
            made.close()
        raise DeviceError(
            f"the page cannot be served at {host} port {port}: {error.strerror or error}; "
            "another one is chosen by [web] port, or none by --no-page"
        ) from None
    return made
