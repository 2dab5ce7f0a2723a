"""The waiting times of the table, which are settings."""

from dataclasses import dataclass, replace
from typing import Self

HALL_LATENCY_S = 0.075
"""By how much a Hall switch of 20 Hz tells a change late at most: the slowest looks 13.3 times."""
LEAST_S = 0.01
SLIDE_SLACK_S = 0.025


@dataclass(frozen=True, slots=True)
class Timing:
    """The waiting times of the table, in seconds (see table.md for what each is)."""

    settle_s: float = 0.35
    patience_s: float = 2.5
    landed_s: float = 0.1
    slide_s: float = 1.2
    shove_s: float = 0.3
    shove_far_s: float = 0.6
    hold_s: float = 2.0
    accept_s: float = 3.0
    ask_s: float = 1.0
    show_s: float = 5.0
    placed_s: float = 1.0
    touch_move: bool = False

    def with_latency(self, latency_s: float) -> Self:
        """Return the times for contacts of which each may tell a change up to so much late.

        What is the longest time between two changes of one gesture is longer by that: the first may
        be told at once and the last late.  What is the least time between a drop and the next lift
        is shorter, as the drop may be told late and the lift at once.  For the same reason a slide
        may look as over overlapping contacts, but for no longer than the latency.
        """
        if not latency_s:
            return self
        return replace(
            self,
            slide_s=min(self.slide_s, latency_s + SLIDE_SLACK_S),
            settle_s=self.settle_s + latency_s,
            landed_s=max(LEAST_S, self.landed_s - latency_s),
            shove_s=self.shove_s + latency_s,
            shove_far_s=self.shove_far_s + latency_s,
        )
