"""What contacts do while one piece is slid off its space in six directions: do any two overlap?

Readings and their times come in; it knows no device and no config.
"""

from dataclasses import dataclass, field

from ..messages.message import Message, message
from ..rules.hexgrid import OFF_BOARD, HexGrid

BOTH_S = 0.03
"""How long two neighbours must be closed together to overlap."""


@dataclass(slots=True)
class Slide:
    """One way off a space: how long no contact was closed, and how long both were."""

    gap_s: float = 0.0
    both_s: float = 0.0
    done: bool = False


@dataclass(slots=True)
class SlideOff:
    """Watches a piece that is slid off `space` to each neighbour and back, in any order."""

    grid: HexGrid
    space: int
    slides: dict[int, Slide] = field(init=False)
    """For each neighbour."""
    closed: int = 0
    """Which spaces were closed last."""
    _left_s: float | None = None
    _both_s: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin with nothing known."""
        around = [k for k in self.grid.neighbours[self.space] if k != OFF_BOARD]
        self.slides = {neighbour: Slide() for neighbour in around}

    def feed(self, occupied: int, now: float) -> None:
        """Take in which spaces are closed, as raw as they come."""
        self.closed = occupied
        own = occupied >> self.space & 1
        for neighbour, slide in self.slides.items():
            there = occupied >> neighbour & 1
            if own and there:
                since = self._both_s.setdefault(neighbour, now)
                slide.both_s = max(slide.both_s, now - since)
            else:
                self._both_s.pop(neighbour, None)
            if there and not own and not slide.done:
                slide.done = True
                slide.gap_s = 0.0 if self._left_s is None else now - self._left_s
        if own:
            self._left_s = None
        elif self._left_s is None:
            self._left_s = now

    @property
    def is_complete(self) -> bool:
        """Whether the piece has been on all neighbours."""
        return all(slide.done for slide in self.slides.values())

    @property
    def overlaps(self) -> list[tuple[int, int]]:
        """The pairs that one piece can close together."""
        return sorted(
            (min(self.space, k), max(self.space, k))
            for k, slide in self.slides.items()
            if slide.both_s >= BOTH_S
        )

    def report(self) -> list[Message]:
        """Return what was seen in each direction."""
        lines = []
        for way, neighbour in enumerate(self.grid.neighbours[self.space]):
            if neighbour == OFF_BOARD:
                continue
            slide, at = self.slides[neighbour], self.grid.names[neighbour]
            if slide.both_s >= BOTH_S:
                lines.append(message("slide.overlap", at=at, way=way, s=f"{slide.both_s:.2f}"))
            elif slide.done:
                lines.append(message("slide.apart", at=at, way=way, s=f"{slide.gap_s:.2f}"))
            else:
                lines.append(message("slide.open", at=at, way=way))
        return lines
