"""The measures of a board as a page to read."""

from collections.abc import Iterator

from .builds import PIXELS_A_LIGHT, Build, hand_wired
from .cables import feeds
from .contacts import HALL_DEPTHS_MM, LIFT_MM, Window, hall_fields, reed_fields
from .geometry import Geometry
from .parts import FULL_A, fuse_a, piece_counts, reeds_to_order, supply_a
from .pieces import least_weight_g, solids, weights_g
from .sight import ABOVE_MM, BEHIND_MM, seats
from .wiring import pins


def measures_text(g: Geometry, builds: tuple[Build, ...]) -> str:
    """Return the page."""
    lines = [
        f"# Measures of the board {g.board.name}",
        "",
        "Made by `sorcel hardware` from the board file and the config; all drawings have the same",
        f"numbers. Nothing was tried on real parts yet. This page: {g.mark}.",
        "",
        "| what | how much |",
        "| --- | --- |",
        *(f"| {what} | {value} |" for what, value in (*_wood(g), *_parts(g), *_power(g, builds))),
        "",
        "## Builds",
        "",
        "Each has a folder of its own under `wiring/`, with the config that the program reads.",
    ]
    for build in builds:
        lines += ["", f"### `{build.name}`: {build.title}", "", *_pin_lines(build)]
    return "\n".join([*lines, ""])


def _pin_lines(build: Build) -> Iterator[str]:
    for remark in build.remarks:
        yield f"{remark}\n"
    if not hand_wired((build,)):
        return
    yield "| what | pin | number |"
    yield "| --- | --- | --- |"
    for use in pins(build):
        yield f"| {use.use} | {use.signal} | {use.device} {use.number} |"


def _wood(g: Geometry) -> tuple[tuple[str, str], ...]:
    m, n, holes = g.measures, g.board.grid.n, g.board.detaining.bit_count()
    long, short = g.plate_mm
    thick = ", ".join(f"{each:g}" for each in (m.top_mm, m.floor_mm, m.carrier_mm, m.back_mm))
    return (
        ("spaces", f"{n}: {n - holes} hexes, {holes} holes"),
        ("pitch, flat to flat", f"{g.pitch_mm:g} mm"),
        ("plates: the least bed or sheet of wood", f"{long:.1f} x {short:.1f} mm"),
        ("thickness of top, floor, carrier, back", f"{thick} mm"),
        ("hole", f"{g.pit_mm:.1f} mm across, {m.top_mm:g} mm deep"),
        (
            "light holes, two for each space",
            f"{m.light_hole_mm:g} mm across, {m.light_part * g.pitch_mm:.2f} mm from the middle, "
            "one north, one south",
        ),
        ("bore for a reed", f"{m.reed_bore_mm:g} mm"),
        ("pocket for a pixel", f"{m.pixel_pocket_mm:g} mm"),
        ("trial of seven", ", ".join(g.name(space) for space in g.cluster)),
    )


def _parts(g: Geometry) -> tuple[tuple[str, str], ...]:
    m, magnet = g.measures, g.magnet
    tall, short = solids(g)
    low, high = g.reeds_mt
    return (
        ("base of every piece", f"{g.base_mm:.1f} mm"),
        ("height of Sentinel and Shif", f"{tall.height_mm:.1f} and {short.height_mm:.1f} mm"),
        (
            "magnet",
            f"{magnet.across_mm:g} x {magnet.high_mm:g} mm, its pocket {m.magnet_clearance_mm:g} "
            "mm wider and deeper",
        ),
        (
            "weight of Sentinel and Shif, printed solid, with magnet and ring",
            "{:.1f} and {:.1f} g".format(*weights_g(g)),
        ),
        (
            "least weight, so that magnets do not push a piece away",
            f"{least_weight_g(g):.1f} g; at contact they push with {magnet.push(g.base_mm):.2f} gf",
        ),
        (
            "from a standing magnet to the upper end of the reed's glass",
            f"{m.depth_mm:g} mm: {m.wood_mm:g} mm of wood, felt, clearance and "
            f"{m.reed_stub_mm:g} mm of lead",
        ),
        *_fields(g),
        (
            "reeds that fit, by calculation",
            f"closing at {low:.2f} to {high:.2f} mT (a ratio of {high / low:.2f}), "
            f"{100 * Window(low, high).usable:.0f} % of common ones; order {reeds_to_order(g)}",
        ),
        *(
            (
                f"lights hidden from {seat.name}'s seat, a Sentinel on every space",
                f"{len(seat.hidden)} of {g.board.grid.n} (eyes {BEHIND_MM:g} mm behind the edge, "
                f"{ABOVE_MM:g} mm above the board)",
            )
            for seat in seats(g)
        ),
    )


def _fields(g: Geometry) -> Iterator[tuple[str, str]]:
    """Yield the fields at a reed, and at a Hall switch at both ends of where it sits well."""
    depth = g.measures.depth_mm
    places = [(f"a reed, {depth:g} mm deep", reed_fields(g.magnet, g.pitch_mm, depth))]
    for depth in HALL_DEPTHS_MM:
        fields = hall_fields(g.magnet, g.pitch_mm, depth)
        places.append((f"a Hall switch, {depth:g} mm deep", fields))
    for where, fields in places:
        yield (
            f"field at {where}",
            f"{fields.own:.2f} mT from a piece at the corner of its hex, {fields.ring:.2f} mT from "
            f"six neighbours, {fields.lifted:.2f} mT from a piece lifted by {LIFT_MM:g} mm",
        )


def _power(g: Geometry, builds: tuple[Build, ...]) -> tuple[tuple[str, str], ...]:
    build, pixels = builds[0], PIXELS_A_LIGHT * g.board.grid.n
    sentinels, shifs = piece_counts(g, build.config)
    return (
        ("pieces of both sides", f"{sentinels} Sentinels, {shifs} Shifs"),
        (
            "lights",
            f"{pixels} pixels; {pixels * FULL_A:.1f} A at full white, kept at {build.limit_a:g} A "
            "by the program",
        ),
        ("supply of the lights", f"5 V, {supply_a(build):g} A or more"),
        ("fuse", f"{fuse_a(build):g} A, slow"),
        ("feeds of 5 V and ground", "at lights " + ", ".join(map(str, feeds(builds[0])))),
    )
