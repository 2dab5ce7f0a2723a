"""Finding out which contact and which light belong to which space, by one magnet laid about.

Time and readings come in, what follows from them goes out: no device, no terminal, no clock.  Two
parts ask: `FindContacts` names a space and sees which place of the matrix closes, `FindLights`
lights a light and sees at which space the magnet is laid.  `sitting` puts the questions.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..messages.message import Message, message
from ..rules.hexgrid import HexGrid, spaces_of

STEADY_S = 0.4
"""How long one contact must be closed, alone, to be an answer."""
SEVERAL_S = 1.5
"""How long several may be closed before it is said."""
ENOUGH = 4
"""So many lights must fit a usual layout before it is proposed."""


@dataclass(slots=True)
class _Hand:
    """From readings to what is laid down: one bit, alone and steady, new since the last one."""

    ignored: int = 0
    mask: int = 0
    since_s: float | None = None
    told: int = 0
    """What has been dealt with already."""

    def feed(self, mask: int, now: float) -> int | None:
        """Return the mask when it is steady and new: one bit is an answer, several are a fault."""
        mask &= ~self.ignored
        if mask != self.mask or self.since_s is None:
            self.mask, self.since_s = mask, now
        if not mask:
            self.told = 0
        wait = STEADY_S if mask.bit_count() == 1 else SEVERAL_S
        if not mask or mask == self.told or now - self.since_s < wait - 1e-9:
            return None
        self.told = mask
        return mask


class FindContacts:
    """Asks for a magnet on each space in turn; `found` and `dead` are what is known already."""

    def __init__(
        self,
        grid: HexGrid,
        *,
        found: Mapping[int, int] | None = None,
        dead: Iterable[int] = (),
        columns: int = 8,
    ) -> None:
        """Begin, or go on; a place is row x `columns` + column."""
        self.grid, self.columns = grid, columns
        self.found = dict(found or {})
        self.dead = set(dead)
        self._order: list[int] = [*self.found, *sorted(self.dead)]
        self._hand = _Hand()

    @property
    def asked(self) -> int | None:
        """The space that is asked for now; None when all are known."""
        known = self.found.keys() | self.dead
        return next((k for k in range(self.grid.n) if k not in known), None)

    def feed(self, places: int, now: float) -> Message | None:
        """Take in which places are closed; return what there is to say."""
        laid = self._hand.feed(places, now)
        space = self.asked
        if laid is None or space is None:
            return None
        names, numbers = self.grid.names, list(spaces_of(laid))
        if len(numbers) > 1:
            return message("cal.several", places=self.where(laid))
        (place,) = numbers
        for other, known in self.found.items():
            if known == place:
                return message("cal.other", other=names[other], at=names[space])
        self.found[space] = place
        self._order.append(space)
        return message("cal.found", at=names[space], places=self.where(laid))

    def skip(self) -> None:
        """The contact of the space that is asked for does not close: it is left out of play."""
        if self.asked is not None:
            self._order.append(self.asked)
            self.dead.add(self.asked)

    def back(self) -> None:
        """Ask for the last space again."""
        if self._order:
            space = self._order.pop()
            self.found.pop(space, None)
            self.dead.discard(space)

    def begin(self, places: int) -> Message | None:
        """Take no notice of what is closed on an empty board; return what there is to say."""
        self._hand.ignored = places
        return message("cal.stuck", places=self.where(places)) if places else None

    def where(self, places: int) -> list[list[int]]:
        """Return row and column of each place."""
        return [[*divmod(place, self.columns)] for place in spaces_of(places)]

    def order(self, places: int) -> tuple[int, ...]:
        """Return the place of each space; spaces without one get places that are left over."""
        spare = iter(sorted(set(range(places)) - set(self.found.values())))
        return tuple(self.found[k] if k in self.found else next(spare) for k in range(self.grid.n))


# -- lights ---------------------------------------------------------------------------------------


def usual_layouts(grid: HexGrid) -> list[tuple[int, ...]]:
    """Return ways in which a chain of lights usually runs: the space of each light.

    Along the rows of one of three directions, from either side, each row from either end, all
    rows the same way or to and fro.
    """
    layouts: dict[tuple[int, ...], None] = {}
    for axis in range(3):
        lines: dict[int, list[tuple[int, int]]] = {}
        for space, (q, r) in enumerate(grid.axial):
            line, along = ((r, q), (q, r), (q + r, q))[axis]
            lines.setdefault(line, []).append((along, space))
        rows = [[space for _, space in sorted(lines[line])] for line in sorted(lines)]
        for upside in (rows, rows[::-1]):
            for turn in (0, 1):
                for serpentine in (0, 1):
                    layouts[tuple(_run(upside, turn, serpentine))] = None
    return list(layouts)


def _run(rows: Sequence[Sequence[int]], turn: int, serpentine: int) -> Iterator[int]:
    for number, row in enumerate(rows):
        yield from row[::-1] if (turn + serpentine * number) % 2 else row


class _Outlook(NamedTuple):
    """The usual layouts that fit what is known, and the light to ask for next."""

    fitting: list[tuple[int, ...]]
    asked: int | None


class FindLights:
    """Lights one light after the other and sees at which space the magnet is laid.

    As soon as what is known fits one usual layout, `proposal` is that: the space of each light.
    """

    def __init__(
        self, grid: HexGrid, *, found: Mapping[int, int] | None = None, dead: Iterable[int] = ()
    ) -> None:
        """Begin, or go on; `found` is the space of each light."""
        self.grid = grid
        self.found = dict(found or {})
        self.dead = set(dead)
        self._order: list[int] = [*self.found, *sorted(self.dead)]
        self._layouts = usual_layouts(grid)
        self._outlook: _Outlook | None = None
        self._hand = _Hand()

    @property
    def proposal(self) -> tuple[int, ...] | None:
        """The only usual layout that fits, when enough lights are known."""
        fitting = self._look().fitting
        return fitting[0] if len(fitting) == 1 and len(self.found) >= ENOUGH else None

    @property
    def asked(self) -> int | None:
        """The light that is to be lit now, the one that tells most; None when all are known."""
        return self._look().asked

    def _look(self) -> "_Outlook":
        """Return what follows from what is known; looked at anew only when that has changed."""
        if self._outlook is None:
            known = self.found.items()
            fitting = [
                layout
                for layout in self._layouts
                if all(layout[light] == space for light, space in known)
            ]
            left = [k for k in range(self.grid.n) if k not in self.found.keys() | self.dead]
            asked = max(left, key=lambda k: (len({f[k] for f in fitting}), -k), default=None)
            self._outlook = _Outlook(fitting, asked)
        return self._outlook

    def feed(self, spaces: int, now: float) -> Message | None:
        """Take in which spaces are occupied; return what there is to say."""
        laid = self._hand.feed(spaces, now)
        light = self.asked
        if laid is None or light is None:
            return None
        names = self.grid.names
        if laid.bit_count() > 1:
            return message("cal.spaces", spaces=", ".join(self.grid.names_of(laid)))
        space = laid.bit_length() - 1
        for other, known in self.found.items():
            if known == space:
                return message("cal.lit", at=names[space], light=other)
        self.found[light] = space
        self._changed(light)
        return message("cal.beside", light=light, at=names[space])

    def accept(self) -> None:
        """The proposal is right."""
        if self.proposal is not None:
            self.found = dict(enumerate(self.proposal))
            self._outlook = None

    def refuse(self) -> None:
        """The proposal is wrong: every light is asked for."""
        self._layouts = []
        self._outlook = None

    def skip(self) -> None:
        """The light that is to be lit stays dark."""
        light = self.asked
        if light is not None:
            self.dead.add(light)
            self._changed(light)

    def back(self) -> None:
        """Ask for the last light again."""
        if self._order:
            light = self._order.pop()
            self.found.pop(light, None)
            self.dead.discard(light)
            self._outlook = None

    def _changed(self, light: int) -> None:
        self._order.append(light)
        self._outlook = None

    def order(self) -> tuple[int, ...]:
        """Return the light of each space; spaces without one get lights that are left over."""
        lights = {space: light for light, space in self.found.items()}
        spare = iter(sorted(set(range(self.grid.n)) - set(self.found)))
        return tuple(lights[k] if k in lights else next(spare) for k in range(self.grid.n))


# -- what is kept when it is interrupted ----------------------------------------------------------


def dump(contacts: FindContacts, lights: FindLights) -> dict[str, Any]:
    """Return what has been found so far as plain data."""
    names = contacts.grid.names
    return {
        "contacts": {names[space]: place for space, place in contacts.found.items()},
        "dead_contacts": [names[space] for space in sorted(contacts.dead)],
        "lights": {str(light): names[space] for light, space in lights.found.items()},
        "dead_lights": sorted(lights.dead),
    }


def restore(grid: HexGrid, data: Any, *, columns: int) -> tuple[FindContacts, FindLights]:
    """Return both parts as `dump` wrote them; ValueError or KeyError for what is no such data."""
    contacts = FindContacts(
        grid,
        found={grid.number(name): int(place) for name, place in data["contacts"].items()},
        dead=[grid.number(name) for name in data["dead_contacts"]],
        columns=columns,
    )
    lights = FindLights(
        grid,
        found={int(light): grid.number(name) for light, name in data["lights"].items()},
        dead=[int(light) for light in data["dead_lights"]],
    )
    return contacts, lights
