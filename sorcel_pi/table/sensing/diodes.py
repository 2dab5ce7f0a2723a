"""Diodes of a matrix of contacts that do not block, found out from what the contacts show in play.

Where three corners of a rectangle of rows and columns are closed, the diode at the middle one of
them keeps the fourth from reading closed as well::

    row 1    o ------- (?)      (?) reads closed with the others when the diode at x is missing:
             |          |       the current runs backward through x
    row 2    x ------- o

A fourth corner that reads open proves that diode.  One that closes together with another corner,
and opens together with it as well, gives a missing one away: a hand may do one of the two by
chance, hardly both with the same pair.  It knows contacts, not pieces.
"""

from collections.abc import Iterator, Mapping

from ...rules.hexgrid import mask_of, spaces_of

HELD_S = 0.05
"""What has held for so long is no moment between two rows of one scan."""
TOGETHER_S = 0.03
"""Contacts that close within this time have closed together."""


class Diodes:
    """Watches the contacts of a matrix; `places` gives the (row, column) of each space."""

    def __init__(self, places: Mapping[int, tuple[int, int]]) -> None:
        """Take no diode as proved."""
        self._places = dict(places)
        self._spaces = {place: space for space, place in self._places.items()}
        self._proved = self._found = 0
        self._doubts: dict[int, dict[int, int]] = {}
        """For a pair of corners, for a diode: 1 if they closed together, 2 if opened, 3 both."""
        self._closed = 0
        self._begun = False
        self._changed_s = 0.0
        self._came = self._went = 0

    def feed(self, closed: int, now: float, *, masked: int = 0, expected: int = 0) -> int:
        """Take in the mask of `closed` contacts; return whose diodes are found missing now.

        `masked` contacts say nothing; on the `expected` spaces the game has its pieces, so what
        closes there is none of a phantom.
        """
        if not self._begun:  # what stood there from the first has not come together
            self._begun, self._closed, self._changed_s = True, closed, now
        if closed == self._closed:
            return 0
        if now - self._changed_s >= HELD_S:
            self._prove(masked)
        if now - self._changed_s > TOGETHER_S:
            self._came = self._went = 0
        self._came |= closed & ~self._closed
        self._went |= self._closed & ~closed
        stood = closed | self._went
        self._closed, self._changed_s = closed, now
        self._doubt(1, self._came & closed, closed, expected)
        self._doubt(2, self._went, stood, expected)
        return self._convict()

    def _prove(self, masked: int) -> None:
        """Take the diodes as sound that block just now."""
        for middle in spaces_of(self._closed & ~self._proved):
            for _, _, fourth in self._rectangles(middle, self._closed):
                if not (self._closed | masked) >> fourth & 1:
                    self._proved |= 1 << middle
                    break

    def _doubt(self, kind: int, together: int, closed: int, expected: int) -> None:
        """Doubt the diodes that would explain what has changed `together` among `closed`."""
        if together.bit_count() < 2:
            return
        for middle in spaces_of(closed & ~self._proved):
            for one, two, fourth in self._rectangles(middle, closed):
                pair = together & mask_of((middle, one, two, fourth))
                phantom = together >> fourth & ~(expected >> fourth) & 1
                if phantom and pair.bit_count() == 2:
                    kinds = self._doubts.setdefault(pair, {})
                    kinds[middle] = kinds.get(middle, 0) | kind

    def _convict(self) -> int:
        """Return the diodes that alone explain a pair of contacts, and were not found before."""
        found = 0
        for kinds in self._doubts.values():
            doubted = [middle for middle in kinds if not self._proved >> middle & 1]
            if len(doubted) == 1 and kinds[doubted[0]] == 3:
                found |= 1 << doubted[0]
        fresh = found & ~self._found
        self._found |= found
        return fresh

    def _rectangles(self, middle: int, mask: int) -> Iterator[tuple[int, int, int]]:
        """Yield the other two corners in `mask`, and the fourth, of rectangles around `middle`."""
        if middle not in self._places:
            return
        row, column = self._places[middle]
        closed = [self._places[s] for s in spaces_of(mask) if s in self._places]
        across = [c for r, c in closed if r == row and c != column]
        along = [r for r, c in closed if c == column and r != row]
        for other_row in along:
            for other_column in across:
                fourth = self._spaces.get((other_row, other_column))
                if fourth is not None:
                    yield (
                        self._spaces[row, other_column],
                        self._spaces[other_row, column],
                        fourth,
                    )
