"""The thread that hands records to the store.

Scanning never waits for a disk: the loop submits batches of records and asks later which of them
are written.  The thread knows nothing of what it writes but the order, which it keeps; when the
store fails it says so, and tries again until the store is well.
"""

import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain, repeat
from typing import NamedTuple, Protocol
from uuid import uuid4

from ..errors import SorcelError, StoreError
from .records import Record, RefusedError


class Journal(Protocol):
    """What the thread asks of a store."""

    def apply(self, batch: Sequence[Record], *, ticket: tuple[str, int] | None = None) -> None:
        """Write the batch whole and durably, unless the ticket was written before."""

    def reopen(self) -> None:
        """Connect anew after an error."""

    def close(self) -> None:
        """Let go of everything."""


class Refused(NamedTuple):
    """A batch that the store did not take, and why."""

    ticket: int
    reason: str


class _Job(NamedTuple):
    ticket: int
    batch: tuple[Record, ...]


class Writer:
    """A thread that owns a store, from here to `close`.

    Everything that waits is written in one go, so a slow store does not fall behind.  A batch that
    is refused is left out and the next ones are tried; a store that fails is tried again after
    each of the pauses in `backoff_s`, then after the last of them for as long as it takes.
    """

    def __init__(
        self, store: Journal, *, backoff_s: Sequence[float] = (0.1, 0.3, 1.0, 3.0)
    ) -> None:
        """Start the thread."""
        self._store = store
        self._backoff_s = tuple(backoff_s)
        self._name = uuid4().hex
        self._changed = threading.Condition()
        self._waiting: deque[_Job] = deque()
        self._pending = 0
        self._tickets = 0
        self._done: list[int] = []
        self._refused: list[Refused] = []
        self._failed: str | None = None
        self._closing = False
        self._giving_up = False
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    def submit(self, batch: Sequence[Record]) -> int:
        """Queue a batch and return its ticket; tickets count from 1.  Never waits for the disk."""
        with self._changed:
            if self._closing:
                raise StoreError("the writer is closed")
            self._tickets += 1
            self._pending += 1
            self._waiting.append(_Job(self._tickets, tuple(batch)))
            self._changed.notify_all()
            return self._tickets

    def done(self) -> list[int]:
        """Return the tickets that were written since the last call, in order.  Never waits."""
        with self._changed:
            done, self._done = self._done, []
            return done

    def refused(self) -> list[Refused]:
        """Return the batches that were refused since the last call.  Never waits."""
        with self._changed:
            refused, self._refused = self._refused, []
            return refused

    @property
    def failed(self) -> str | None:
        """Why the last try failed, None when all is well."""
        with self._changed:
            return self._failed

    @property
    def pending(self) -> int:
        """How many batches are neither written nor refused."""
        with self._changed:
            return self._pending

    def close(self, *, timeout_s: float = 10.0) -> bool:
        """Write what waits, close the store, and return whether nothing was left.

        After `timeout_s` the thread is told to stop trying and is left to itself.
        """
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(timeout_s)
        with self._changed:
            self._giving_up = True
            self._changed.notify_all()
            return self._pending == 0

    def _run(self) -> None:
        while (jobs := self._next_jobs()) and self._write(jobs):
            pass
        with suppress(StoreError):
            self._store.close()

    def _next_jobs(self) -> list[_Job]:
        """Wait for work and return all there is; nothing when it is time to stop."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing)
            jobs = list(self._waiting)
            self._waiting.clear()
            return jobs

    def _write(self, jobs: list[_Job]) -> bool:
        """Write `jobs` together, or one by one where one is refused; False when giving up."""
        records = [record for job in jobs for record in job.batch]
        ticket = self._name, jobs[-1].ticket
        pauses_s = chain(self._backoff_s, repeat(self._backoff_s[-1]))
        for attempt, pause_s in enumerate(pauses_s):
            try:
                if attempt:  # whatever the store is connected to, it has just failed
                    self._store.reopen()
                self._store.apply(records, ticket=ticket)
            except RefusedError as error:
                if len(jobs) > 1:
                    return all(self._write([job]) for job in jobs)
                self._settle(refused=[Refused(jobs[0].ticket, str(error))])
                return True
            except Exception as error:  # whatever it is, the game goes on and nothing is dropped
                if not self._pause(_words(error), pause_s):
                    return False
            else:
                break
        self._settle(done=[job.ticket for job in jobs])
        return True

    def _settle(self, *, done: Sequence[int] = (), refused: Sequence[Refused] = ()) -> None:
        with self._changed:
            self._failed = None
            self._done += done
            self._refused += refused
            self._pending -= len(done) + len(refused)

    def _pause(self, reason: str, pause_s: float) -> bool:
        """Say why, wait, and return whether to try again."""
        with self._changed:
            self._failed = reason
            return not self._changed.wait_for(lambda: self._giving_up, pause_s)


def _words(error: Exception) -> str:
    return str(error) if isinstance(error, SorcelError) else f"{type(error).__name__}: {error}"
