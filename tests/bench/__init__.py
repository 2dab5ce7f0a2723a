"""How fast things are: `python -m tests.bench` runs all benches, or those that are named.

A bench is a function without arguments that yields the lines to print; `BENCHES` in `__main__`
lists them.  Whatever a bench compares is measured in turns in the same run, because a machine's
speed changes from minute to minute; ratios are what counts.
"""

from collections.abc import Callable, Iterable
from statistics import median
from time import process_time

Bench = Callable[[], Iterable[str]]


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time that `work` takes."""
    begun = process_time()
    work()
    return process_time() - begun


def in_turns(works: list[Callable[[], object]], rounds: int) -> list[float]:
    """Return the median of the seconds that each work takes, all of them once in each round."""
    taken = [[seconds(work) for work in works] for _ in range(rounds)]
    return [median(times) for times in zip(*taken, strict=True)]
