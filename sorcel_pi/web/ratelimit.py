"""How much may come from somebody, and from all together."""

from collections.abc import Callable
from time import monotonic


class Rate:
    """How much may come: `burst` at once, and `per_s` a second in the long run.

    >>> rate = Rate(1.0, 2, clock=lambda: 0.0)
    >>> rate.take(), rate.take(), rate.take()
    (True, True, False)
    """

    def __init__(
        self, per_s: float, burst: float, *, clock: Callable[[], float] = monotonic
    ) -> None:
        """Begin with a whole burst."""
        self._per_s, self._burst, self._clock = per_s, burst, clock
        self._left, self._at = burst, clock()

    def take(self) -> bool:
        """Count one more; False when it is one too many."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_s)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Rates:
    """A rate for each of those who come, the latest `MOST`, and one for all of them together.

    >>> rates = Rates(lambda: Rate(1.0, 1, clock=lambda: 0.0), Rate(9.0, 9, clock=lambda: 0.0))
    >>> rates.take("a"), rates.take("a"), rates.take("b")
    (True, False, True)
    """

    MOST = 256

    def __init__(self, each: Callable[[], Rate], together: Rate) -> None:
        """`each` makes the rate of somebody new."""
        self._each, self._together = each, together
        self._known: dict[str, Rate] = {}

    def __len__(self) -> int:
        """Return how many are kept."""
        return len(self._known)

    def take(self, who: str) -> bool:
        """Count one more from `who`; False when it is one too many."""
        rate = self._known.pop(who, None) or self._each()
        self._known[who] = rate
        if len(self._known) > self.MOST:
            del self._known[next(iter(self._known))]
        return rate.take() and self._together.take()
