r"""What the build measures besides pitch and magnet, in mm, and which magnets there are.

The stack of plates is thought out so that there is the same wood between magnet and reed under a
hex (top less dish) and under a hole (floor)::

        dish          hole                       reeds, light holes and pockets below:
    ===\____/===== == [    ] =====  top          a hex's reed ends under the top,
    ======== === ================= floor         a hole's reed ends under the floor,
    ======== === ====== == =======  carrier      each pixel lies in a pocket of the carrier

Nothing of this was tried on real parts; the guide says what the trial of seven hexes has to show.
"""

from dataclasses import dataclass
from typing import NamedTuple

from ..drivers.mock.field import BASE, DISC_6X3, DISC_8X3, REED_MM, MagnetField
from ..errors import SorcelError

MIN_PITCH_MM = 32.0
"""Nearer together, magnets act on the reeds of their neighbours."""
MAX_REACH_MM = 3.0
"""From the magnet's face to the reed's upper end: what the field was computed for."""


class GeometryError(SorcelError, ValueError):
    """No board can be built like this."""


class Magnet(NamedTuple):
    """A disc magnet, and its field at a reed."""

    across_mm: float
    high_mm: float
    field: MagnetField


MAGNETS = {"6x3": Magnet(6.0, 3.0, DISC_6X3), "8x3": Magnet(8.0, 3.0, DISC_8X3)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """All lengths in mm; what ends in `_part` is a part of the pitch."""

    # Plates, from above.
    top_mm: float = 3.0
    dish_mm: float = 1.0
    floor_mm: float = 2.0
    carrier_mm: float = 6.0
    back_mm: float = 4.0
    band_mm: float = 12.0
    """From the outermost corners of hexes to the edge of the plates."""
    web_mm: float = 1.0
    """The least wood between two holes."""

    # Under a space.
    light_part: float = 0.43
    """From the middle of a space to its light."""
    light_hole_mm: float = 5.0
    pixel_mm: float = 10.0
    """Across a round board with one pixel on it."""
    pixel_pocket_mm: float = 10.4
    reed_glass_mm: float = REED_MM
    reed_across_mm: float = 2.3
    reed_bore_mm: float = 4.0
    """Wide enough for the glass and the thin wire that comes down beside it."""
    reed_stub_mm: float = 2.0
    """What is left of the upper lead."""

    # Pieces.
    base_part: float = BASE
    rim_mm: float = 2.2
    felt_mm: float = 0.5
    magnet_clearance_mm: float = 0.2
    """How much wider and deeper than the magnet its pocket is."""
    pit_clearance_mm: float = 0.5
    """Between a base and the wall of a hole, all around."""
    dish_clearance_mm: float = 0.3
    """Between a base and the slope of a dish, all around."""
    dish_land_mm: float = 0.5
    """From the upper end of the slope to the side of the hex."""

    # The case.
    wall_mm: float = 12.0
    height_mm: float = 60.0
    ledge_mm: float = 10.0
    gap_mm: float = 0.5
    """Between plates and wall, all around."""
    screw_hole_mm: float = 3.2
    screw_inset_mm: float = 6.0
    button_hole_mm: float = 12.2
    cable_hole_mm: float = 12.0

    @property
    def plates_mm(self) -> float:
        """How thick the three plates are together."""
        return self.top_mm + self.floor_mm + self.carrier_mm

    @property
    def wood_mm(self) -> float:
        """The most wood that is between a magnet and a reed."""
        return max(self.top_mm - self.dish_mm, self.floor_mm)

    @property
    def reach_mm(self) -> float:
        """From a standing magnet's face down to the upper end of the reed."""
        return self.wood_mm + self.felt_mm + self.magnet_clearance_mm
