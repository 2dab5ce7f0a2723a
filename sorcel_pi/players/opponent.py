"""Who plays the sides that are away: asks an engine when its turn has come, and hears its answer.

It is told by the loop, at every pass, how the table stands, and returns what is to be done.  An
engine that dies, is silent past its time or plays nonsense is started again once; then its side is
handed to the people at the table, and the game goes on.
"""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from ..engine.levels import SECONDS, level
from ..messages.message import Message, message
from ..rules.actions import Action
from ..rules.position import Position, Side
from .seats import LEVEL, Seats
from .thinker import Answer, Request

SILENCE_S = 60.0
"""So long an engine may be silent beyond what its level takes by the clock."""
TRIES = 2
"""So often an engine may fail in a row before its side is handed over."""


class Situation(NamedTuple):
    """How the table stands: what was played, its revision, and whether an action may be announced.

    `position` is the one after all `actions`.
    """

    start: Position
    actions: tuple[Action, ...]
    position: Position
    revision: int
    is_ready: bool


class Announced(NamedTuple):
    """The `actions` of the side to act, to be carried out by the hands that are here."""

    actions: tuple[Action, ...]


class HandedOver(NamedTuple):
    """A side that people play from now on."""

    side: Side


Decision = Announced | HandedOver | Message


class Thinking(Protocol):
    """What thinks: see `Thinker`."""

    def ask(self, request: Request) -> None:
        """Think about it."""

    def cancel(self) -> None:
        """Give up what is thought about."""

    def hurry(self) -> None:
        """Play what was found so far."""

    def answers(self) -> list[Answer]:
        """Return the answers since the last call."""

    def kill(self) -> None:
        """End the engine at once."""

    def close(self) -> None:
        """End everything."""


@dataclass(slots=True)
class Opponent:
    """The engines of a table; with `whole_turns` one is announced at once, else each action."""

    thinker: Thinking
    seats: Seats
    whole_turns: bool = False
    level: int = LEVEL
    """The level of an engine that is chosen without naming one."""
    _asked: Request | None = None
    _revision: int = -1
    _asked_s: float = 0.0
    _number: int = 0
    _failures: int = 0
    _ready: tuple[Action, ...] = ()

    def sit_down(self, seats: Seats) -> None:
        """Let the sides be played as `seats` says."""
        self.seats, self._failures = seats, 0
        self._forget()

    def next_choice(self) -> Seats:
        """Return the next of: two people, an engine plays Dark, an engine plays Light."""
        choices = [Seats(), Seats(dark=self.level), Seats(light=self.level)]
        now = choices.index(self.seats) if self.seats in choices else -1
        return choices[(now + 1) % len(choices)]

    def hurry(self) -> None:
        """A person asks for the move now."""
        if self._asked is not None:
            self.thinker.hurry()

    def close(self) -> None:
        """End the engine."""
        self.thinker.close()

    def poll(self, situation: Situation, now: float) -> list[Decision]:
        """Return what is to be done, now that the table stands so; it never waits."""
        decisions: list[Decision] = []
        if situation.revision != self._revision:
            self._forget()
            self._revision, self._failures = situation.revision, 0  # what it played was taken
        for answer in self.thinker.answers():
            if self._asked is None or answer.number != self._asked.number:
                continue  # about an old position, or given up
            self._asked = None
            if answer.fault:
                decisions += self._failed(situation, answer.fault)
            else:
                self._ready = answer.actions
        if not self._is_to_play(situation):
            return decisions
        if self._ready:
            actions, self._ready = self._ready, ()
            return [*decisions, Announced(actions)]
        if self._asked is None:
            self._ask(situation, now)
        elif now - self._asked_s > self._patience_s(self._asked):
            self._asked_s = now
            self.thinker.kill()
        return decisions

    def refused(self, situation: Situation) -> list[Decision]:
        """What was announced was refused though the table was ready: the engine played nonsense."""
        return self._failed(situation, "it plays what cannot be played")

    def _is_to_play(self, situation: Situation) -> bool:
        return situation.is_ready and situation.position.side in self.seats.away

    def _ask(self, situation: Situation, now: float) -> None:
        at = self.seats.level(situation.position.side)
        assert at is not None
        self._number += 1
        self._asked_s = now
        self._asked = Request(
            self._number, situation.start, situation.actions, at, self.whole_turns
        )
        self.thinker.ask(self._asked)

    def _patience_s(self, request: Request) -> float:
        return SILENCE_S + (SECONDS if level(request.level).nodes is None else 0.0)

    def _forget(self) -> None:
        if self._asked is not None:
            self.thinker.cancel()
        self._asked, self._ready = None, ()

    def _failed(self, situation: Situation, why: str) -> list[Decision]:
        self._failures += 1
        side = situation.position.side
        if self._failures < TRIES or side not in self.seats.away:
            return [message("engine.again", why=why)]
        self._failures = 0
        self.seats = self.seats.with_seat(side, None)
        return [message("engine.handed_over", why=why, side=int(side)), HandedOver(side)]
