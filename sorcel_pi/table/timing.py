"""The waiting times of the table, which are settings."""

from dataclasses import dataclass


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
