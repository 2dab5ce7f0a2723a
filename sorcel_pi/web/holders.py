"""Which browser holds which side of a board on the screen.

A side that nobody holds may be played by every browser with the code: two players at one screen
need no seats.  One that is held is played by its holder only, until they give it up or have been
gone for a minute.  At a board of wood, hands and buttons need none of this.
"""

from collections import Counter

from ..rules.position import SIDES, Side

GONE_S = 60.0
"""A side falls free when no line of its browser has been open for so long."""


class Holders:
    """Who holds the sides of one table; times in seconds that never run back.

    >>> holders = Holders()
    >>> holders.joined("ada"); holders.take("ada", Side.LIGHT)
    True
    >>> holders.may("ben", Side.LIGHT), holders.may("ben", Side.DARK)
    (False, True)
    >>> holders.left("ada", 10.0); holders.pass_time(69.0), holders.pass_time(70.0)
    (False, True)
    >>> holders.may("ben", Side.LIGHT)
    True
    """

    def __init__(self) -> None:
        """Begin with both sides free."""
        self._holders: dict[Side, str] = {}
        self._lines: Counter[str] = Counter()
        self._gone_s: dict[str, float] = {}

    def joined(self, browser: str) -> None:
        """A line of this browser has been opened."""
        self._lines[browser] += 1
        self._gone_s.pop(browser, None)

    def left(self, browser: str, now: float) -> None:
        """A line of this browser has ended."""
        self._lines[browser] -= 1
        if self._lines[browser] <= 0:
            del self._lines[browser]
            if browser in self._holders.values():
                self._gone_s[browser] = now

    def pass_time(self, now: float) -> bool:
        """Let the sides of those fall free who are gone for long; True if there were any."""
        gone = [b for b, since in self._gone_s.items() if now - since >= GONE_S]
        for browser in gone:
            del self._gone_s[browser]
            for side in SIDES:
                self.give_up(browser, side)
        return bool(gone)

    def holder(self, side: Side) -> str | None:
        """Return the browser that holds `side`, None if nobody does."""
        return self._holders.get(side)

    def take(self, browser: str, side: Side) -> bool:
        """Let the browser hold `side`; False if another one does."""
        return self._holders.setdefault(side, browser) == browser

    def give_up(self, browser: str, side: Side) -> None:
        """Let `side` be free, if this browser holds it."""
        if self._holders.get(side) == browser:
            del self._holders[side]

    def may(self, browser: str, side: Side) -> bool:
        """Whether this browser may play `side`."""
        return self._holders.get(side, browser) == browser

    def concerns_others(self, browser: str) -> bool:
        """Whether another browser holds a side, so that what concerns both is agreed upon."""
        return any(not self.may(browser, side) for side in SIDES)
