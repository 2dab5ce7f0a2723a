"""A host that says exactly what a test wants, and a board with power, on a bare line."""

from pathlib import Path
from typing import Any, Self

from sorcel_pi import wire

from .process import Cable, Firmware, install

BLACK = ((0, 0, 0),) * 61


class Talk:
    """Both, with the test's clock in milliseconds."""

    def __init__(
        self,
        folder: Path,
        *,
        before: str = "",
        room: int = 1 << 16,
        files: bool = True,
        board: type[Firmware] = Firmware,
        **settings: Any,
    ) -> None:
        """Start the board; `before` is an order for the world ahead of the program.

        `room` is how many bytes may wait to be read by the host, two pages at least;
        `settings` are those of the board's that differ; without `files` those of the folder stay.
        """
        self.cable = Cable(room)
        self.contacts = self.buttons = 0
        self.heard = b""
        """All that the board has said."""
        self.encoder, self.decoder = wire.Encoder(), wire.Decoder()
        self.ms = 0.0
        if files:
            install(folder, **settings)
        self.board = board(folder, self.cable.stdin, self.cable.stdout)
        self.cable.let_go()
        if before:
            self.board.order(before)

    def wait(self, ms: float) -> list[wire.Message]:
        """Let time pass and return what the board says meanwhile."""
        self.ms += ms
        if not self.board.ended:
            us = round(self.ms * 1000)
            self.board.go(us, contacts=self.contacts, buttons=self.buttons)
        data = self.cable.receive()
        self.heard += data
        return self.decoder.feed(data)

    def say(self, kind: str, payload: bytes = b"", *, ms: float = 40) -> list[wire.Message]:
        """Say something and wait a little for what the board says to it."""
        self.cable.send(self.encoder.line(kind, payload))
        return self.wait(ms)

    def greet(
        self,
        *,
        protocol: int = wire.PROTOCOL,
        host: str = wire.HOST,
        version: str = wire.FIRMWARE,
    ) -> list[wire.Message]:
        """Say hello."""
        self.decoder.restart()
        return self.say(wire.HELLO, wire.pack_hello(protocol, version, 61, host))

    def jump(self, seconds: float) -> None:
        """Let time pass of which the program does not notice anything but its clock."""
        self.ms += 1000 * seconds
        self.board.order(f"jump {round(1e6 * seconds)}")

    def closed(self, ms: float = 0) -> list[tuple[int, int]]:
        """Wait, and return (milliseconds, closed places) of each line about contacts."""
        return [
            (m.value[0], int.from_bytes(m.value[1], "big"))
            for m in self.wait(ms)
            if m.kind == wire.CONTACTS
        ]

    def frame(self, *colours: tuple[int, int, int]) -> bytes:
        """Return the payload of a frame that begins with these colours; the others are dark."""
        return wire.pack_octets(bytes([c for colour in (*colours, *BLACK)[:61] for c in colour]))

    @property
    def lights(self) -> tuple[tuple[int, int, int], ...]:
        """What the lights show."""
        return self.board.colours()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Take the power away."""
        self.board.kill()
        self.cable.close()


def values(messages: list[wire.Message], kind: str) -> list[Any]:
    """Return the values of the messages of one kind."""
    return [message.value for message in messages if message.kind == kind]
