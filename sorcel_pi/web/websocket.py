"""The lines to open pages: each is told what is new, and asks for what its token allows.

Their number, and the size and rate of what comes in, are bounded; who goes beyond is cut off.
"""

import asyncio
import json
from contextlib import suppress
from itertools import count
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from .api import Controller, parse_command, parse_request, parse_revision
from .auth import browser_of, token_of
from .doors import guest_in
from .ratelimit import Rate
from .screen_hands import Request

MAX_CLIENTS = 100
MANY = 12
"""With more pages than this, those that only look are told a little less often."""
SLOW_S = 10.0
BEAT_S = 2.0
"""A page hears something at least so often, or its line is dead; it is told so in the beginning."""
_BEAT = '{"t":"beat"}'


class Sockets:
    """All lines that are open."""

    def __init__(self, controller: Controller) -> None:
        """Tell of the table of `controller`."""
        self._controller = controller
        self._numbers = count(1)
        self._open = 0

    async def serve(self, socket: WebSocket) -> None:
        """Tell a page what there is to see, and take what it asks for."""
        may = self._controller.auth.knows(token_of(socket))
        # Those who only look cannot keep out those who play.
        if self._open >= MAX_CLIENTS * (2 if may else 1):
            await _say_full(socket)
            return
        client, browser = next(self._numbers), browser_of(token_of(socket)) if may else ""
        self._open += 1
        telling = None
        try:
            await socket.accept()
            hello = {
                "t": "hello",
                "client": client,
                "browser": browser,
                "may": may,
                "hands": self._controller.has_hands,
                "beat": BEAT_S,
            }
            if may:
                self._controller.joined(client, browser)
            await socket.send_text(json.dumps(hello))
            telling = asyncio.create_task(self._tell(socket, may))
            await self._hear(socket, client, browser, may)
        except WebSocketDisconnect:
            pass
        finally:
            self._open -= 1
            if telling is not None:
                telling.cancel()
                with suppress(asyncio.CancelledError):
                    await telling
            if may:
                self._controller.move_hand(Request(client, "back"))
                self._controller.left(client)

    async def _tell(self, socket: WebSocket, may: bool) -> None:
        """Send what is new, each kind at its latest."""
        broadcast = self._controller.broadcast
        event, number = broadcast.join(), 0
        try:
            while True:
                for message in broadcast.after(number):
                    async with asyncio.timeout(SLOW_S):
                        await socket.send_text(message.text)
                    number = message.number
                if not may and self._open > MANY:
                    await asyncio.sleep(0.002 * self._open)
                try:
                    async with asyncio.timeout(BEAT_S):
                        await event.wait()
                except TimeoutError:
                    async with asyncio.timeout(SLOW_S):
                        await socket.send_text(_BEAT)
                event.clear()
        except (WebSocketDisconnect, RuntimeError, TimeoutError, OSError):
            with suppress(Exception):
                await socket.close(1008)
        finally:
            broadcast.leave(event)

    async def _hear(self, socket: WebSocket, client: int, browser: str, may: bool) -> None:
        """Take messages until there are too many or one is out of form."""
        rate = Rate(100.0, 200.0) if may else Rate(2.0, 10.0)
        while True:
            message = await socket.receive()
            if message["type"] != "websocket.receive":
                return
            text = message.get("text")
            if not rate.take() or text is None or not may:
                await socket.close(1008)
                return
            try:
                self._take(client, browser, json.loads(text))
            except (ValueError, RecursionError):  # not JSON, or nothing that can be asked
                await socket.close(1008)
                return

    def _take(self, client: int, browser: str, data: Any) -> None:
        request = parse_request(client, data)
        if request is None:
            self._controller.do(parse_command(data), parse_revision(data), browser)
        else:
            self._controller.move_hand(request)


async def _say_full(socket: WebSocket) -> None:
    """Tell one who looks on too many why nothing is shown; others need its place, so it goes."""
    guest = guest_in(socket.scope)
    await socket.accept()
    await socket.send_text(json.dumps({"t": "full", "most": MAX_CLIENTS}))
    await socket.close(1013, f"{MAX_CLIENTS} look on already")
    if guest is not None:
        guest.quiet = True
