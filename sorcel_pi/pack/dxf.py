"""A drawing as DXF: millimetres, one layer for each thing to do.

The same drawing gives the same bytes.  DXF R2000 is what every laser shop's program reads.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import StringIO

import ezdxf
from ezdxf import units
from ezdxf.layouts import Modelspace

from .shapes import LAYERS, Circle, Dot, Drawing, Layer, Note, Path, Shape

_DIGITS = 6


def dxf_of(drawing: Drawing) -> bytes:
    """Return the file."""
    with _no_dates():
        document = ezdxf.new("R2000", units=units.MM)
        document.header["$MEASUREMENT"] = 1  # metric
        for layer in drawing.layers():
            document.layers.add(layer, color=LAYERS[layer].number)
        space = document.modelspace()
        for shape in drawing.shapes:
            _add(space, shape)
        stream = StringIO(newline="\n")
        document.write(stream)
    return stream.getvalue().encode(document.output_encoding)


def dxf_sheet(shapes: Iterable[Shape], layers: Mapping[Layer, tuple[str, int]], mark: str) -> bytes:
    """Return a file of shapes alone, on layers of these names and colours; areas are filled."""
    with _no_dates():
        document = ezdxf.new("R2000", units=units.MM)
        document.header["$MEASUREMENT"] = 1  # metric
        for name, number in layers.values():
            document.layers.add(name, color=number, lineweight=5)  # 0.05 mm
        space = document.modelspace()
        for shape in shapes:
            _add(space, shape, layers[shape.layer][0])
            if shape.layer is Layer.FILL:
                _fill(space, shape, layers[shape.layer][0])
        stream = StringIO(newline="\n")
        document.write(stream)
    # 999 is a remark that no program draws.
    return f"999\nSorcel, {mark}\n{stream.getvalue()}".encode(document.output_encoding)


def _fill(space: Modelspace, shape: Shape, layer: str) -> None:
    """Fill an area; its outline alone would be engraved as a line by some programs."""
    area = space.add_hatch(color=256, dxfattribs={"layer": layer})
    if isinstance(shape, Circle):
        edge = area.paths.add_edge_path()
        edge.add_arc(_exact(*shape.centre), _round(shape.radius), 0, 360)
    elif isinstance(shape, Path):
        points = [(*_exact(x, y), _round(bulge)) for x, y, bulge in shape.vertices]
        area.paths.add_polyline_path(points, is_closed=True)


@contextmanager
def _no_dates() -> Iterator[None]:
    """Let the library write no time and no random identity meanwhile."""
    before = ezdxf.options.write_fixed_meta_data_for_testing
    ezdxf.options.write_fixed_meta_data_for_testing = True
    try:
        yield
    finally:
        ezdxf.options.write_fixed_meta_data_for_testing = before


def _add(space: Modelspace, shape: Shape, layer: str = "") -> None:
    on = {"layer": layer or shape.layer.value}
    if isinstance(shape, Circle):
        space.add_circle(_exact(*shape.centre), _round(shape.radius), on)
    elif isinstance(shape, Dot):
        space.add_point(_exact(*shape.centre), on)
    elif isinstance(shape, Note):
        space.add_text(shape.words, height=shape.size, dxfattribs=on).set_placement(
            _exact(*shape.at)
        )
    elif len(shape.vertices) == 2 and not any(bulge for *_, bulge in shape.vertices):
        (x, y, _), (x2, y2, _) = shape.vertices
        space.add_line(_exact(x, y), _exact(x2, y2), on)
    else:
        points = [(*_exact(x, y), _round(bulge)) for x, y, bulge in shape.vertices]
        space.add_lwpolyline(points, format="xyb", close=shape.closed, dxfattribs=on)


def _exact(x: float, y: float) -> tuple[float, float]:
    return _round(x), _round(y)


def _round(number: float) -> float:
    """Return a number of which sines on another machine leave nothing different."""
    return round(number, _DIGITS) + 0.0
