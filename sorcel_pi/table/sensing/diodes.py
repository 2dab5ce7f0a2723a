"""Diodes of a matrix of contacts that do not block, found out from what the contacts show in play.

Where three corners of a rectangle of rows and columns are closed, the diode at the middle one of
them keeps the fourth from reading closed as well::

    row 1    o ------- (?)      (?) reads closed with the others when the diode at x is missing:
             |          |       the current runs backward through x
    row 2    x ------- o

A fourth corner that reads open proves that diode; one that closes together with another corner,
again and again, and never was open so, gives a missing one away.  It knows contacts, not pieces.
"""

from collections.abc import Iterator, Mapping

from ...rules.hexgrid import mask_of, spaces_of

HELD_S = 0.05
"""What has held for so long is no moment between two rows of one scan."""
TOGETHER_S = 0.03
"""Contacts that close within this time have closed together."""
CONVINCED = 4
"""So many times a phantom corner may be chance."""


class Diodes:
    """Watches the contacts of a matrix; `places` gives the (row, column) of each space."""

    def __init__(self, places: Mapping[int, tuple[int, int]]) -> None:
        """Take no diode as proved."""
        self._places = dict(places)
        self._spaces = {place: space for space, place in self._places.items()}
        self._proved = 0
        self._doubts: dict[int, int] = {}
        self._closed = 0
        self._begun = False
        self._changed_s = 0.0
        self._came = 0
        self._counted = 0
        """Whose diodes have been doubted for what has just come."""

    def feed(self, closed: int, now: float, *, masked: int = 0) -> int:
        """Take in the mask of `closed` contacts; return whose diodes are found missing now.

        `masked` contacts say nothing.
        """
        if not self._begun:  # what stood there from the first has not come together
            self._begun, self._closed, self._changed_s = True, closed, now
        if closed == self._closed:
            return 0
        if now - self._changed_s >= HELD_S:
            self._prove(masked)
        if now - self._changed_s > TOGETHER_S:
            self._came = self._counted = 0
        self._came |= closed & ~self._closed
        self._closed, self._changed_s = closed, now
        return self._doubt()

    def _prove(self, masked: int) -> None:
        """Take the diodes as sound that block just now."""
        for middle in spaces_of(self._closed & ~self._proved):
            for _, _, fourth in self._rectangles(middle):
                if not (self._closed | masked) >> fourth & 1:
                    self._proved |= 1 << middle
                    break

    def _doubt(self) -> int:
        """Doubt the diodes that would explain what has come together."""
        found = 0
        if self._came.bit_count() < 2:
            return found
        for middle in spaces_of(self._closed & ~self._proved & ~self._counted):
            for one, two, fourth in self._rectangles(middle):
                corners = mask_of((middle, one, two, fourth))
                together = (self._came & corners).bit_count() > 1
                if together and self._came >> fourth & 1 and self._closed >> fourth & 1:
                    self._counted |= 1 << middle
                    self._doubts[middle] = self._doubts.get(middle, 0) + 1
                    found |= (self._doubts[middle] == CONVINCED) << middle
                    break
        return found

    def _rectangles(self, middle: int) -> Iterator[tuple[int, int, int]]:
        """Yield the other two closed corners, and the fourth, of rectangles around `middle`."""
        if middle not in self._places:
            return
        row, column = self._places[middle]
        closed = [self._places[s] for s in spaces_of(self._closed) if s in self._places]
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
