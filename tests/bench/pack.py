"""How long whole build packs take: boards of side 3, 5 and 7, and a changed pitch."""

from collections.abc import Iterator

from sorcel_pi.config.schema import Config
from sorcel_pi.pack.files import make_pack
from sorcel_pi.pack.planning import plan
from sorcel_pi.pack.template import sheet_of

from ..pack import PITCH, board
from . import seconds

GOAL_S = 20


def whole_packs() -> Iterator[str]:
    """Yield a line for each pack."""
    sheets = (sheet_of("A4"), sheet_of("Letter"))
    for side, pitch in ((3, PITCH), (5, PITCH), (5, 40.0), (7, PITCH)):

        def work(side: int = side, pitch: float = pitch) -> None:
            make_pack(plan(board(side), Config(), pitch_mm=pitch), Config(), sheets)

        taken = seconds(work)
        yield f"build pack, side {side}, pitch {pitch:g} mm: {taken:.1f} s (goal: {GOAL_S} s)"
