"""What contacts show beside what the wood does: sleeves, noise, and a piece on a border.

A disturbance flips contacts for a while; the scene asks for what is flipped at each scan, and when
that changes next.  Noise is drawn scan by scan, though only the scans that it hits are made.
"""

from math import ceil, log
from random import Random
from typing import NamedTuple

SCAN_S = 0.01


class Flip(NamedTuple):
    """The contacts in the mask `spaces` read the other way from `from_s` until before `to_s`."""

    from_s: float
    to_s: float
    spaces: int


class Disturbances:
    """All disturbances of one table; `noise` is the share of scans with one contact flipped."""

    def __init__(self, spaces: int, *, noise: float, rng: Random) -> None:
        """Begin undisturbed; `spaces` is how many contacts there are."""
        self._spaces, self._noise, self._rng = spaces, noise, rng
        self._flips: list[Flip] = []
        self._noise_s = self._next_noise(0.0)
        self.noisy = 0
        """How many scans were hit by noise."""

    def add(self, from_s: float, to_s: float, spaces: int) -> None:
        """Flip `spaces` from one time until before another."""
        self._flips.append(Flip(from_s, to_s, spaces))

    def flipped(self, now: float) -> int:
        """Return the mask of contacts that read the other way now."""
        self._flips = [flip for flip in self._flips if flip.to_s > now + 1e-9]
        mask = 0
        for flip in self._flips:
            if flip.from_s <= now + 1e-9:
                mask ^= flip.spaces
        if self._noise_s is not None and now >= self._noise_s - 1e-9:
            self.noisy += 1
            mask ^= 1 << self._rng.randrange(self._spaces)
            self.add(now + SCAN_S, now + SCAN_S, 0)  # the scan after it is made, too
            self._noise_s = self._next_noise(now)
        return mask

    def next_change(self, now: float) -> float | None:
        """Return when something changes next, or None."""
        times = [time for flip in self._flips for time in (flip.from_s, flip.to_s)]
        if self._noise_s is not None:
            times.append(self._noise_s)
        return min((time for time in times if time > now + 1e-9), default=None)

    def _next_noise(self, now: float) -> float | None:
        """Return when the next scan is hit: each is with the same chance."""
        if self._noise <= 0:
            return None
        scans = ceil(log(1 - self._rng.random()) / log(1 - self._noise)) if self._noise < 1 else 1
        return now + SCAN_S * max(1, scans)
