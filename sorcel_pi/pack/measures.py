r"""What the build measures besides pitch and magnet, in mm, and which magnets there are.

Top and floor are ordinary 3 mm sheets, so that there is the same wood between magnet and reed under
a hex (top) and under a hole (floor), and the glass of the reed begins where the field leaves the
widest choice of reeds, 4 to 6 mm below the magnet.  The top is flat: a dish centres a piece only
where it is steeper than friction, and then it stands in the way of every slide and shove::

        hex           hole                       reeds, light holes and pockets below:
    ============== == [    ] =====  top          a hex's reed ends under the top,
    ======== === ================= floor         a hole's reed ends under the floor,
    ======== === ====== == =======  carrier      each pixel lies in a pocket of the carrier

Nothing of this was tried on real parts; the guide says what the trial of seven hexes has to show.
"""

from dataclasses import dataclass

from ..drivers.mock.field import BASE, REED_MM
from ..errors import SorcelError
from .magnetics import Disc

MIN_PITCH_MM = 32.0
"""Nearer together, magnets act on the reeds of their neighbours."""
PITCH_MM = 33.33
"""The usual pitch of a pack: the plates then fit sheets that shops have (A3, 600 x 300 mm)."""
DEPTHS_MM = (2.0, 7.0)
"""From the magnet's face down to the upper end of a reed's glass: nearer, neighbours and lifted
pieces hold reeds closed; deeper, a piece at the side of its hex closes too few."""
REVISION = "2"
"""Of the pack: it rises whenever files of an older pack no longer go together with those of a new
one.  It stands on every drawing and list."""


class GeometryError(SorcelError, ValueError):
    """No board can be built like this."""


MAGNETS = {"6x3": Disc(6.0, 3.0), "8x3": Disc(8.0, 3.0)}
MAGNET_DENSITY, PLASTIC_DENSITY, BRASS_DENSITY = 7.5e-3, 1.24e-3, 8.5e-3
"""In g a mm3: sintered magnets, PLA that is printed without hollows, and brass."""
FRICTION = 0.15
"""Of felt on varnished wood, at the low end of what is said (0.15 to 0.3): the slippery case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """All lengths in mm; what ends in `_part` is a part of the pitch."""

    # Plates, from above.
    top_mm: float = 3.0
    floor_mm: float = 3.0
    carrier_mm: float = 6.0
    back_mm: float = 4.0
    band_mm: float = 12.0
    """From the outermost corners of hexes to the edge of the plates."""
    web_mm: float = 1.0
    """The least wood between two holes."""

    # Under a space.
    light_part: float = 0.43
    """From the middle of a space to its light holes."""
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
    ring_across_mm: float = 18.0
    ring_hole_mm: float = 6.4
    ring_high_mm: float = 1.6
    """A large washer M6 of brass around the magnet: no magnet feels it, and it gives weight."""
    ring_clearance_mm: float = 0.4
    pit_clearance_mm: float = 0.5
    """Between a base and the wall of a hole, all around."""

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
        return max(self.top_mm, self.floor_mm)

    @property
    def reach_mm(self) -> float:
        """From a standing magnet's face down to the end of the reed's upper lead."""
        return self.wood_mm + self.felt_mm + self.magnet_clearance_mm

    @property
    def depth_mm(self) -> float:
        """From a standing magnet's face down to the upper end of the reed's glass."""
        return self.reach_mm + self.reed_stub_mm
