"""Where the loop leaves what there is to see, and the page's connections take it.

Messages are texts, made once for all; of each kind only the latest counts, so that a connection
that is slow misses what is past and nothing piles up.  It knows no games and no network.
"""

import asyncio
import threading
from typing import NamedTuple


class Update(NamedTuple):
    """A text of one kind; `number` rises with each that is put."""

    number: int
    text: str


class Broadcast:
    """The latest message of each kind.  `put` may be called by any thread, the rest by the loop's.

    >>> broadcast = Broadcast()
    >>> broadcast.put("frame", "1"); broadcast.put("frame", "2")
    >>> broadcast.after(0)
    [Update(number=2, text='2')]
    """

    def __init__(self) -> None:
        """Begin with nothing to see."""
        self._lock = threading.Lock()
        self._latest: dict[str, Update] = {}
        self._number = 0
        self._waking = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiters: set[asyncio.Event] = set()

    def put(self, kind: str, text: str) -> None:
        """Let `text` be the latest of its kind, if it differs from what is there."""
        with self._lock:
            old = self._latest.get(kind)
            if old is not None and old.text == text:
                return
            self._number += 1
            # What is new goes to the end: messages are sent in the order in which they came.
            self._latest.pop(kind, None)
            self._latest[kind] = Update(self._number, text)
            loop, wake = self._loop, not self._waking
            self._waking = self._waking or loop is not None
        if loop is not None and wake:
            try:
                loop.call_soon_threadsafe(self._wake)
            except RuntimeError:  # the page has just been closed
                self._loop = None

    def latest(self, kind: str) -> str | None:
        """Return the latest text of a kind."""
        with self._lock:
            found = self._latest.get(kind)
        return None if found is None else found.text

    def after(self, number: int) -> list[Update]:
        """Return the latest messages that came after `number`, in order."""
        with self._lock:
            return [message for message in self._latest.values() if message.number > number]

    def serve(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Say which loop the connections run in; None when they are closed."""
        self._loop = loop

    def join(self) -> asyncio.Event:
        """Return an event that is set when there is something new."""
        event = asyncio.Event()
        self._waiters.add(event)
        return event

    def leave(self, event: asyncio.Event) -> None:
        """No longer set `event`."""
        self._waiters.discard(event)

    def _wake(self) -> None:
        with self._lock:
            self._waking = False
        for event in self._waiters:
            event.set()
