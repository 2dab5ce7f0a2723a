"""When a waiting time is over, with one tolerance for all of them.

Times are sums of floating point numbers: 0.03 - 0.01 is not quite 0.02.  What is asked here and
what `next_of` returns agree, so a loop that wakes at a deadline finds that it has passed.
"""

from collections.abc import Iterable

TOLERANCE_S = 1e-9


def has_passed(since_s: float, wait_s: float, now: float) -> bool:
    """Whether `wait_s` have passed at `now` since `since_s`.

    >>> has_passed(0.01, 0.02, 0.03)
    True
    """
    return now - since_s >= wait_s - TOLERANCE_S


def next_of(deadlines: Iterable[float | None], now: float) -> float | None:
    """Return the earliest deadline that is still to come, or None.

    >>> next_of([1.0, None, 3.0, 2.0], 1.0)
    2.0
    """
    return min((due for due in deadlines if due is not None and due > now), default=None)
