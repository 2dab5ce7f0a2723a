"""The field of a magnet and the reeds that suit a board."""

import pytest

from sorcel_pi.drivers.mock.field import (
    BASE,
    COMMON_REEDS_MT,
    DISC_6X3,
    DISC_8X3,
    DROP_OUT,
    MagnetField,
    field_table,
    pull_in_range,
    tolerance_mm,
)

from .tables import MAGNETS

PITCHES = (28, 30, 32, 34, 36, 38, 40)


@pytest.mark.parametrize(
    ("magnet", "own", "neighbours"),
    [
        (DISC_6X3, (24, 11.6, 5.4, 2.3, 0.9, 0.3), (0.18, 0.15, 0.12, 0.09)),
        (DISC_8X3, (35, 20, 10, 4.5, 1.8, 0.6), (0.33, 0.26, 0.21, 0.16)),
    ],
)
def test_the_table_of_the_notes(
    magnet: MagnetField, own: tuple[float, ...], neighbours: tuple[float, ...]
) -> None:
    assert tuple(magnet.at(d) for d in (0, 4, 6, 8, 10, 12)) == pytest.approx(own)
    assert tuple(-magnet.at(d) for d in (28, 32, 36, 40)) == pytest.approx(neighbours)


@pytest.mark.parametrize("magnet", MAGNETS)
def test_the_field_fades_with_height_and_far_away(magnet: MagnetField) -> None:
    heights = [magnet.at(0, z) for z in range(0, 60, 5)]
    assert heights == sorted(heights, reverse=True)
    assert magnet.at(0, -1) == magnet.at(0)
    assert 0 < -magnet.at(80) < -magnet.at(41) < -magnet.at(40)


@pytest.mark.parametrize("pitch", PITCHES)
@pytest.mark.parametrize("magnet", MAGNETS)
def test_reeds_that_suit_close_and_open_when_they_should(magnet: MagnetField, pitch: int) -> None:
    low, high = pull_in_range(magnet, pitch)
    assert COMMON_REEDS_MT[0] <= low < high <= 2 * low
    ring = 6 * abs(magnet.at(pitch))
    assert magnet.at(tolerance_mm(pitch)) - ring > high
    assert max(ring, magnet.at(0, magnet.lift_mm)) < low * DROP_OUT


def test_a_board_that_cannot_work_is_refused_with_both_fields() -> None:
    with pytest.raises(ValueError, match=r"6x3 disc.*pitch 60 mm.*only -?\d\.\d\d mT.*1\.\d\d mT"):
        pull_in_range(DISC_6X3, 60)


def test_a_base_within_the_tolerance_lies_wholly_inside_its_hex() -> None:
    # Toward a corner the base touches two sides, each half a pitch from the centre.
    pitch = 36.0
    assert tolerance_mm(pitch) * 3**0.5 / 2 + BASE * pitch / 2 == pytest.approx(pitch / 2)


@pytest.mark.parametrize("magnet", MAGNETS)
def test_the_fast_table_agrees(magnet: MagnetField) -> None:
    fast = field_table(magnet, 60.0)
    for x in range(0, 55, 3):
        for z in (0.0, 1.0, 7.3, 21.0, 40.0):
            (value,) = fast.values(x + 0.4, 0.3, z, ((0.0, 0.0),))
            exact = magnet.at(((x + 0.4) ** 2 + 0.3**2) ** 0.5, z)
            assert value / 1e6 == pytest.approx(exact, abs=0.02 * abs(exact) + 0.005)
    assert fast.values(0, 0, fast.silent_mm, ((0.0, 0.0),)) == ()
    assert magnet.at(0, fast.silent_mm) < 0.11
