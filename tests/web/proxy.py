"""A relay between a browser and the page's server, whose lines can be made to go half open."""

import asyncio
import threading
from contextlib import suppress


class Relay:
    """Relays from a port of its own until `close`; between `freeze` and `thaw` nothing passes.

    No end of a frozen line is told anything, as when Wi-Fi is gone.
    """

    def __init__(self, port: int) -> None:
        """Relay to `port` of this machine."""
        self._to = port
        self._loop = asyncio.new_event_loop()
        self._frozen = False
        self._writers: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        assert ready.wait(10)

    def freeze(self) -> None:
        """Let nothing pass any more, on lines that are there and on new ones."""
        self._frozen = True

    def thaw(self) -> None:
        """Let new lines pass; those that were frozen stay dead."""
        self._frozen = False

    def close(self) -> None:
        """End all lines."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self, ready: threading.Event) -> None:
        loop = self._loop
        asyncio.set_event_loop(loop)
        server = loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = int(server.sockets[0].getsockname()[1])
        ready.set()
        loop.run_forever()
        server.close()
        for writer in self._writers:
            writer.transport.abort()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0.05))
        loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        if self._frozen:
            return
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to)
        self._writers.append(far_writer)
        dead = [False]
        await asyncio.gather(
            self._pass(reader, far_writer, dead), self._pass(far_reader, writer, dead)
        )

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, dead: list[bool]
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                dead[0] = dead[0] or self._frozen
                if dead[0]:
                    continue
                writer.write(data)
                await writer.drain()
            if not dead[0]:
                writer.close()
