"""The measures of a board as a page to read, and tables as CSV."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from .builds import Build
from .geometry import Geometry
from .parts import FULL_A, fuse_a, piece_counts, supply_a
from .pieces import solids
from .wiring import feeds, pins


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Return a table as CSV."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return stream.getvalue().encode()


def measures_text(g: Geometry, builds: tuple[Build, ...]) -> str:
    """Return the page."""
    lines = [
        f"# Measures of the board {g.board.name}",
        "",
        "Made by `sorcel hardware` from the board file and the config; every drawing here has the same "
        "numbers. Nothing was tried on real parts yet.",
        "",
        "| what | how much |",
        "| --- | --- |",
        *(f"| {what} | {value} |" for what, value in _measures(g, builds[0])),
        "",
        "## Builds",
        "",
        "Each has its own folder under `wiring/`, with the config that the program reads on it.",
        "",
    ]
    for build in builds:
        uses = ", ".join(f"{use.use} {use.signal}" for use in pins(build))
        lines += [f"- `{build.name}`: {build.title}. {uses}.", *(f"  {r}" for r in build.remarks)]
    return "\n".join([*lines, ""])


def _measures(g: Geometry, build: Build) -> tuple[tuple[str, str], ...]:
    m, config, n = g.measures, build.config, g.board.grid.n
    long, short = g.plate_mm
    tall, low = solids(g)
    sentinels, shifs = piece_counts(g, config)
    holes = g.board.detaining.bit_count()
    return (
        ("spaces", f"{n}: {n - holes} hexes, {holes} holes"),
        ("pitch, flat to flat", f"{g.pitch_mm:g} mm"),
        ("plates: the least bed of a laser or sheet of wood", f"{long:.1f} x {short:.1f} mm"),
        ("top, floor, carrier, back", f"{m.top_mm:g}, {m.floor_mm:g}, {m.carrier_mm:g}, {m.back_mm:g} mm"),
        ("dish", f"{m.dish_mm:g} mm deep, level for {g.dish_floor_mm:.1f} mm, {g.dish_lip_mm:.1f} mm across"),
        ("hole", f"{g.pit_mm:.1f} mm across, {m.top_mm:g} mm deep"),
        ("light hole", f"{m.light_hole_mm:g} mm, {m.light_part * g.pitch_mm:.2f} mm from the middle, toward the north-east corner"),
        ("bore for a reed, pocket for a pixel", f"{m.reed_bore_mm:g} mm, {m.pixel_pocket_mm:g} mm"),
        ("bases", f"{g.base_mm:.1f} mm"),
        ("Sentinels, Shifs", f"{sentinels} of {tall.height_mm:.1f} mm, {shifs} of {low.height_mm:.1f} mm"),
        ("magnets", f"{g.magnet.across_mm:g} x {g.magnet.high_mm:g} mm, in pockets {m.magnet_clearance_mm:g} mm wider and deeper"),
        ("from a standing magnet to its reed", f"{m.reach_mm:g} mm, of which {m.wood_mm:g} mm are wood"),
        ("reeds that fit, by calculation", f"closing at {g.reeds_mt[0]:.1f} to {g.reeds_mt[1]:.1f} mT"),
        ("lights at full white", f"{n * FULL_A:.1f} A; the program keeps them at {config.lights.current_limit_a:g} A"),
        ("supply and fuse", f"5 V, {supply_a(config):g} A or more; {fuse_a(config):g} A slow"),
        ("feeds of 5 V and ground", f"at lights {', '.join(map(str, feeds(build)))}"),
        ("trial", f"{', '.join(g.name(space) for space in g.cluster)}"),
    )
