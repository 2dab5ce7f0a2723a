"""The field of a disc magnet, exactly, and the force between two: plain physics, no board.

A disc magnetised through its thickness is a solenoid without thickness; its field is in closed form
with the general complete elliptic integral (N. Derby, S. Olbert, "Cylindrical magnets and ideal
solenoids", American Journal of Physics 78, 2010; the integral after R. Bulirsch, 1965).  Lengths
are in mm, fields in mT, forces in gf.  Depths count down from the disc's lower face::

      axis
       |--- out --->
    [ disc ]            lower face: depth 0
       |
       v depth
"""

from dataclasses import dataclass
from functools import cache
from math import cos, pi, sqrt

REMANENCE_MT = 1300.0
"""Of N42, the middle of what makers say (1290 to 1320)."""
_MU_0 = 4e-7 * pi
_GF = 9.80665e-3
"""Newton in a gram-force."""
# Gauss and Legendre's knots and weights on (-1, 1), eight of them.
_GAUSS = tuple(
    (sign * knot, weight)
    for knot, weight in (
        (0.1834346424956498, 0.3626837833783620),
        (0.5255324099163290, 0.3137066458778873),
        (0.7966664774136267, 0.2223810344533745),
        (0.9602898564975363, 0.1012285362903763),
    )
    for sign in (-1, 1)
)


def elliptic(kc: float, p: float, c: float, s: float) -> float:
    """Return Bulirsch's general complete elliptic integral cel(kc, p, c, s), for positive p.

    >>> round(elliptic(1, 1, 1, 1), 9), round(elliptic(0.5, 1, 1, 0.25), 9)
    (1.570796327, 1.211056028)
    """
    k, em, root = abs(kc), 1.0, sqrt(p)
    s /= root
    f, c = c, c + s / root
    g = k / root
    s = 2 * (s + f * g)
    root, g, em, kk = g + root, em, k + em, k
    while abs(g - k) > g * 1e-9:
        k = 2 * sqrt(kk)
        kk = k * em
        f, c = c, c + s / root
        g = kk / root
        s = 2 * (s + f * g)
        root, g, em = g + root, em, k + em
    return pi / 2 * (s + c * em) / (em * (em + root))


@dataclass(frozen=True, slots=True)
class Disc:
    """A disc magnet, magnetised through its thickness, its pole down."""

    across_mm: float
    high_mm: float
    remanence_mt: float = REMANENCE_MT

    def field(self, out_mm: float, depth_mm: float) -> tuple[float, float]:
        """Return the field (outwards, down) at a place outside the disc."""
        a, half = self.across_mm / 2, self.high_mm / 2
        out = max(abs(out_mm), 1e-9)
        gamma = (a - out) / (a + out)
        outwards = down = 0.0
        for sign in (1, -1):
            z = depth_mm + half + sign * half
            far = sqrt(z * z + (out + a) ** 2)
            kc = sqrt(z * z + (a - out) ** 2) / far
            outwards += sign * a / far * elliptic(kc, 1.0, 1.0, -1.0)
            down += sign * z / far * elliptic(kc, gamma * gamma or 1e-18, 1.0, gamma)
        scale = self.remanence_mt / pi
        return scale * outwards, scale * a / (a + out) * down

    def along(self, out_mm: float, depth_mm: float, long_mm: float) -> float:
        """Return the mean of the field along an upright line that begins at a depth.

        It is what a reed of glass `long_mm` long is taken to feel, its upper end at `depth_mm`.
        """
        half = long_mm / 2
        return sum(
            weight / 2 * self.field(out_mm, depth_mm + half + half * knot)[1]
            for knot, weight in _GAUSS
        )

    def push(self, apart_mm: float) -> float:
        """Return with how many gf two of these, level and of the same pole, push each other away.

        The one's field acts on the charges of the other's two faces.
        """
        radius, charge = self.across_mm / 2, self.remanence_mt * 1e-3 / _MU_0
        total, turns = 0.0, 24
        for knot, weight in _GAUSS:
            r = radius * (1 + knot) / 2
            area = weight * radius / 2 * r * 2 * pi / turns * 1e-6
            for k in range(turns):
                turn = 2 * pi * (k + 0.5) / turns
                x = apart_mm + r * cos(turn)
                out = sqrt(x * x + r * r * (1 - cos(turn) ** 2))
                lower, upper = (self.field(out, depth)[0] * x / out for depth in (0, -self.high_mm))
                total += charge * area * (lower - upper) * 1e-3
        return total / _GF


@cache
def reed_field(disc: Disc, out_mm: float, depth_mm: float, long_mm: float) -> float:
    """Return `disc.along`, remembered: the same places are asked for again and again."""
    return disc.along(out_mm, depth_mm, long_mm)
