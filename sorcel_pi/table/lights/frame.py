"""From what each light says to its colour now: palette, movement, gamma, current limit, order.

A frame depends on the plan and the time alone.  It knows neither games nor drivers, which show
frames as they are; `to_wire_bytes` is for those that send bytes.
"""

from dataclasses import dataclass, field
from functools import lru_cache

from ...errors import ConfigError, quote
from ...rules.board import Board
from ...rules.position import Side
from .palette import DEFAULT, Colour, Palette
from .plan import LightPlan
from .signs import SIGNS, TICKS_PER_S, Role, place, tick, waits_of, wave_of

Frame = tuple[Colour, ...]
"""One colour for each light, as sent to it: gamma, limit and order of lights are in it."""

BLACK: Colour = (0, 0, 0)
CHANNEL_A = 0.02
"""What one channel draws at 255."""
IDLE_A = 0.001
"""What a light draws in any case."""
COLOUR_ORDERS = tuple(
    f"{order}{white}" for white in ("", "W") for order in ["RGB", "RBG", "GRB", "GBR", "BRG", "BGR"]
)


@dataclass(frozen=True, slots=True)
class FrameMaker:
    """Makes the frames of one table; `dataclasses.replace` changes a setting.

    `brightness` (0 to 1) scales the light given off, and with it the current; `order[space]` is the
    number of the light of a space (empty: the same).  Raises `ConfigError` for what cannot be met.
    """

    board: Board
    palette: Palette = DEFAULT
    brightness: float = 1.0
    gamma: float = 2.2
    current_limit_a: float = 1.5
    order: tuple[int, ...] = ()
    _shades: dict[tuple[Role, Side | None, int], Frame] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        """Refuse what cannot be met, and fill in the order of lights."""
        n = self.board.grid.n
        if not 0 <= self.brightness <= 1:
            raise ConfigError(f"brightness {quote(self.brightness)}: expected 0 to 1")
        if not self.gamma > 0:
            raise ConfigError(f"gamma {quote(self.gamma)}: expected more than 0")
        order = tuple(self.order) or tuple(range(n))
        if sorted(order) != list(range(n)):
            raise ConfigError(f"order of lights: expected each of 0 to {n - 1} once")
        object.__setattr__(self, "order", order)
        least = least_limit_a(n)
        if not self.current_limit_a >= least:
            raise ConfigError(
                f"current limit {quote(self.current_limit_a)} A: {n} lights need at least "
                f"{least:.3f} A to show anything"
            )

    def frame(self, plan: LightPlan, now_s: float) -> Frame:
        """Return the colour of each light, in the order of the lights, at `now_s` seconds."""
        order = self.order
        lights = [BLACK] * len(order)
        now = tick(now_s)
        for space, (role, side, since_s, of) in plan.lamps.items():
            shades = self._shades.get((role, side, of)) or self._shade(role, side, of)
            k = place(role, len(shades), now - tick(since_s))
            lights[order[space]] = shades[k] if k >= 0 else BLACK
        return limited(tuple(lights), self.current_limit_a)

    def _shade(self, role: Role, side: Side | None, of: int) -> Frame:
        """Return, and keep, the colours of a role for each tick of its movement."""
        colour = self.palette.colour(SIGNS[role].ink, side)
        shades = tuple(self._corrected(colour, level) for level in wave_of(role, of))
        self._shades[role, side, of] = shades
        return shades

    def _corrected(self, colour: Colour, level: float) -> Colour:
        """Return what to send for `colour` at `level`; what is lit at all stays lit."""
        if not level or not self.brightness:
            return BLACK
        full = 255 * self.brightness
        r, g, b = (full * (level * channel / 255) ** self.gamma for channel in colour)
        return _lit(round(r), round(g), round(b), colour)


def dark(board: Board) -> Frame:
    """Return the frame in which no light is on."""
    return (BLACK,) * board.grid.n


def _lit(r: int, g: int, b: int, colour: Colour) -> Colour:
    """Return (r, g, b), or where all are 0 the faintest light that is nearest to `colour`."""
    if r or g or b:
        return r, g, b
    most = max(colour)
    r, g, b = (int(channel == most > 0) for channel in colour)
    return r, g, b


def current_a(frame: Frame) -> float:
    """Return the estimated current of `frame` in amperes.

    >>> current_a(((255, 255, 255), (0, 0, 0)))
    0.062
    """
    return len(frame) * IDLE_A + sum(map(sum, frame)) / 255 * CHANNEL_A


def least_limit_a(lights: int) -> float:
    """Return the limit under which not even the faintest white fits on so many lights."""
    return lights * (IDLE_A + 3 * CHANNEL_A / 255)


def limited(frame: Frame, limit_a: float) -> Frame:
    """Return `frame`, or if it draws more than `limit_a` the same colours as bright as allowed.

    No light that is on goes out: `limit_a` must be at least `least_limit_a`.
    """
    total = sum(map(sum, frame))
    allowed = int((limit_a - len(frame) * IDLE_A) / CHANNEL_A * 255)
    if total <= allowed:
        return frame
    # Rounding down, and up to 1 for each channel of a light that would go out, stays below this.
    spare = 3 * sum(colour != BLACK for colour in frame)
    scale = max(0, allowed - spare) / total
    return tuple(_lit(int(c[0] * scale), int(c[1] * scale), int(c[2] * scale), c) for c in frame)


def next_change(plan: LightPlan, now_s: float, *, fps: float = TICKS_PER_S) -> float | None:
    """Return when to make the next frame after one at `now_s`; None: not before the view changes.

    That is when a light changes by itself, but not sooner than `fps` allows, or when the plan has
    to be made anew, whichever comes first.
    """
    now = tick(now_s)
    least = 0
    for role, _, since_s, of in plan.lamps.values():
        waits, ticks = waits_of(role, of), now - tick(since_s)
        wait = -ticks if ticks < 0 else waits[place(role, len(waits), ticks)]
        if wait and (wait < least or not least):
            least = wait
            if wait == 1:
                break
    if not least:
        return plan.until_s
    change = (now + least) / TICKS_PER_S
    if fps < TICKS_PER_S:
        change = max(change, now_s + 1 / fps)
    return change if plan.until_s is None else min(change, plan.until_s)


def to_wire_bytes(frame: Frame, colour_order: str = "GRB") -> bytes:
    """Return the bytes that a chain of lights takes, in one of `COLOUR_ORDERS`.

    The white of RGBW lights stays dark: mixed white is what the palettes, the estimate of the
    current and the other lights of the table agree on.

    >>> to_wire_bytes(((1, 2, 3),), "GRB"), to_wire_bytes(((1, 2, 3),), "BRGW")
    (b'\\x02\\x01\\x03', b'\\x03\\x01\\x02\\x00')
    """
    places = _places(colour_order)
    return bytes([channel for colour in frame for channel in _ordered(colour, places)])


@lru_cache(maxsize=16)
def _places(colour_order: str) -> tuple[int, ...]:
    """Return which channel comes first, second and so on; 3 is white."""
    if colour_order not in COLOUR_ORDERS:
        raise ConfigError(
            f"colour order {quote(colour_order)}: expected one of {', '.join(COLOUR_ORDERS)}"
        )
    return tuple("RGBW".index(letter) for letter in colour_order)


def _ordered(colour: Colour, places: tuple[int, ...]) -> list[int]:
    channels = (*colour, 0)
    return [channels[k] for k in places]
