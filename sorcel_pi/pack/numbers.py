"""The measures of a board as a page to read, and tables as CSV."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO

from .builds import Build
from .cables import feeds
from .geometry import Geometry
from .parts import FULL_A, fuse_a, piece_counts, supply_a
from .pieces import solids
from .wiring import pins


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
        "Made by `sorcel hardware` from the board file and the config; all drawings have the same",
        "numbers. Nothing was tried on real parts yet.",
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
        (
            "dish",
            f"{m.dish_mm:g} mm deep, level for {g.dish_floor_mm:.1f} mm, {g.dish_lip_mm:.1f} mm "
            "across",
        ),
        ("hole", f"{g.pit_mm:.1f} mm across, {m.top_mm:g} mm deep"),
        (
            "light hole",
            f"{m.light_hole_mm:g} mm across, {m.light_part * g.pitch_mm:.2f} mm from the middle "
            "toward the north-east corner",
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
        ("from a standing magnet to its reed", f"{m.reach_mm:g} mm, {m.wood_mm:g} mm of it wood"),
        ("reeds that fit, by calculation", f"closing at {low:.1f} to {high:.1f} mT"),
    )


def _power(g: Geometry, builds: tuple[Build, ...]) -> tuple[tuple[str, str], ...]:
    config, n = builds[0].config, g.board.grid.n
    sentinels, shifs = piece_counts(g, config)
    return (
        ("pieces of both sides", f"{sentinels} Sentinels, {shifs} Shifs"),
        (
            "lights",
            f"{n}; {n * FULL_A:.1f} A at full white, kept at {config.lights.current_limit_a:g} A "
            "by the program",
        ),
        ("supply of the lights", f"5 V, {supply_a(config):g} A or more"),
        ("fuse", f"{fuse_a(config):g} A, slow"),
        ("feeds of 5 V and ground", "at lights " + ", ".join(map(str, feeds(builds[0])))),
    )
