"""Which side of a table is played by whom: values, and how they are written.

A person plays at the board; an engine is not here, so its side is *away* and what it plays is
announced (see `table.referee`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ..engine.levels import HIGHEST, LOWEST
from ..errors import NotationError, quote
from ..rules.position import SIDES, Side

PERSON, ENGINE = "person", "engine"
HEADERS = {Side.LIGHT: "LightSeat", Side.DARK: "DarkSeat"}
"""The headers of a record that say who plays a side that no person plays."""
LEVEL = 3
"""The level of an engine where none is said."""


@dataclass(frozen=True, slots=True)
class Seats:
    """Who plays each side: the level of an engine, or None for a person."""

    light: int | None = None
    dark: int | None = None

    def level(self, side: Side) -> int | None:
        """Return the level of the engine that plays `side`, None for a person."""
        return self.light if side is Side.LIGHT else self.dark

    def __iter__(self) -> Iterator[int | None]:
        """Yield who plays Light, then who plays Dark."""
        return iter((self.light, self.dark))

    @property
    def away(self) -> frozenset[Side]:
        """The sides that no person here plays."""
        return frozenset(side for side in SIDES if self.level(side) is not None)

    def with_seat(self, side: Side, level: int | None) -> "Seats":
        """Return the seats with somebody else at `side`."""
        return replace(self, light=level) if side is Side.LIGHT else replace(self, dark=level)

    def at_level(self, level: int) -> "Seats":
        """Return the seats with all engines at `level`."""
        return Seats(*(None if known is None else level for known in (self.light, self.dark)))

    def swapped(self) -> "Seats":
        """Return the seats after the players have changed sides."""
        return Seats(self.dark, self.light)

    @property
    def headers(self) -> dict[str, str]:
        """What a record says of them: nothing of people.

        >>> Seats(None, 4).headers
        {'DarkSeat': 'engine:4'}
        """
        found = ((HEADERS[side], self.level(side)) for side in SIDES)
        return {key: f"{ENGINE}:{level}" for key, level in found if level is not None}

    @classmethod
    def of(cls, headers: Mapping[str, str]) -> "Seats":
        """Return the seats that a record's headers name; what cannot be read is a person.

        >>> Seats.of({"DarkSeat": "engine:4", "LightSeat": "somebody"})
        Seats(light=None, dark=4)
        """
        seats = cls()
        for side, key in HEADERS.items():
            try:
                seats = seats.with_seat(side, seat_from_text(headers.get(key, PERSON)))
            except NotationError:
                continue
        return seats


def seat_from_text(text: str, level: int = LEVEL) -> int | None:
    """Return who `person`, `engine` or `engine:4` is: an engine's level, or None for a person.

    `level` is that of an engine without a number.  Raises `NotationError` for anything else.
    """
    name, colon, number = text.partition(":")
    if name == PERSON and not colon:
        return None
    if name == ENGINE and not colon:
        return level
    known = {str(n): n for n in range(LOWEST, HIGHEST + 1)}
    if name == ENGINE and number in known:
        return known[number]
    raise NotationError(
        f"seat {quote(text)}: expected person, engine, or engine:LEVEL from {LOWEST} to {HIGHEST}"
    )
