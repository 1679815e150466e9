"""Small pictures of datasets and trees as SVG; frames of the drawing pad and of browser files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from dtviz.base.arrays import Floats
from dtviz.base.text import count
from dtviz.data import drawing
from dtviz.data.dataset import Dataset, Recipe
from dtviz.data.drawing import Drawing, DrawingKind
from dtviz.data.uploads import fingerprints_of
from dtviz.engine.criteria.criteria import CRITERIA, default_criterion
from dtviz.engine.search.candidates import best_features
from dtviz.engine.splits import Ring, branch_nodes, ring_parts
from dtviz.engine.tree import Tree, height, leaf_ids
from dtviz.pictures import frame_types
from dtviz.pictures.frame_types import BarePlane, Cloud, Overview, Pad, Swatch
from dtviz.pictures.regions import StageContext, largest_rings
from dtviz.pictures.scales import LIGHT, SCALE, Theme, class_colour, class_symbol, step_of
from dtviz.pictures.stage import bare_plane_frame, cloud_frame
from dtviz.pictures.stage_cuts import pinned_values
from dtviz.session.browser_files import MAX_FILE_BYTES, PIECE_BYTES, BrowserFiles, bytes_received


def overview(data: Dataset, name: str, theme: Theme = LIGHT) -> tuple[Cloud, Overview]:
    """Cloud and scene of a dataset, on the two features that part the target best."""
    criterion = CRITERIA[default_criterion(data.task)]
    axes = best_features(data, criterion)
    about = f"{count(data.n, 'row')}, {count(len(data.features), 'feature')}"
    stage = StageContext(data, axes, theme=theme)
    return cloud_frame(data, axes, name), {**bare_plane_frame(stage, name), "description": about}


RIM = 6
"""Pixels that stay free along each edge of a small picture."""
DOTS = {"circle": ("h0", "round"), "square": ("h0", "square")}
"""Path and end shape of marks that are a line without length: only its ends are seen."""
OUTLINES = {"diamond": "m0-3l3 3l-3 3l-3-3z", "triangle-up": "m0-3l3 5h-6z"}
"""Paths of the other marks."""
DOT_PIXELS = {"round": 4.8, "square": 4}
"""Width of a dot by the shape of its ends."""


class Room(NamedTuple):
    """The size of a small picture, with its scales: from values to pixels."""

    width: int  # width in pixels
    height: int  # height in pixels
    max_points: int  # points that are drawn at most

    def x(self, plane: BarePlane, values: Floats) -> Floats:
        """Pixels of values across."""
        return _positions(values, plane["across"]["low"], plane["across"]["high"], self.width)

    def y(self, plane: BarePlane, values: Floats) -> Floats:
        """Pixels of values up, counted from the top."""
        return self.height - _positions(
            values, plane["up"]["low"], plane["up"]["high"], self.height
        )

    def corners(self, plane: BarePlane, ring: Ring) -> tuple[Floats, Floats]:
        """Pixels of the corners of a ring of one part, across and up."""
        values = np.array(ring)
        return self.x(plane, values[:, 0]), self.y(plane, values[:, 1])


SMALL, LARGE = Room(120, 72, 200), Room(320, 180, 600)
TREE_WIDTH, MAX_RADIUS = 160, 2.5
"""Width of the tree to the right of the points, and radius of its inner nodes, in pixels."""
_WITH_TREE = LARGE._replace(width=LARGE.width + TREE_WIDTH)


def thumbnail(data: Dataset, theme: Theme) -> str:
    """SVG of a dataset in the room SMALL, without a title."""
    points, plane = overview(data, "", theme)
    return _svg(SMALL, _points(SMALL, points, plane))


def tree_thumbnail(data: Dataset, tree: Tree, theme: Theme) -> str:
    """SVG of a tree: points over its regions in the room LARGE, and its nodes to their right.

    For regression on one feature, lines at the height of each prediction replace the regions.
    """
    axes = (0, 1 if len(data.features) > 1 else 0)
    stage = StageContext(data, axes, pinned_values(data), theme=theme)
    plane = bare_plane_frame(stage, "")
    regions = _leaves(stage, tree, plane)
    point_colour = theme.ink if plane["form"] == "strip" and not data.classes else ""
    points = _points(LARGE, cloud_frame(data, axes, ""), plane, point_colour)
    return _svg(_WITH_TREE, [*regions, *points, *_nodes(data, tree, plane, theme)])


def empty_thumbnail(theme: Theme) -> str:
    """SVG as large as that of a tree, with a dashed frame alone."""
    edge = f'fill="none" stroke="{theme.grid}" stroke-dasharray="4 4"'
    size = f'width="{_WITH_TREE.width - 2 * RIM}" height="{_WITH_TREE.height - 2 * RIM}"'
    return _svg(_WITH_TREE, [f'<rect x="{RIM}" y="{RIM}" {size} {edge}/>'])


def _svg(room: Room, elements: Iterable[str]) -> str:
    """SVG of these elements, as large as a room."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {room.width} {room.height}">'
    return head + "".join(elements) + "</svg>"


def _leaves(stage: StageContext, tree: Tree, plane: BarePlane) -> Iterator[str]:
    """Prediction of each leaf: its region in a colour, or a line at the height of a number."""
    styles, data, theme = _styles(plane), stage.data, stage.theme
    for node, ring in largest_rings(stage.rings(tree), 1).items():
        if node not in tree.rows:
            continue
        value = tree.nodes[node].value
        parts = [LARGE.corners(plane, part) for part in ring_parts(ring)]
        if plane["form"] == "strip" and not data.classes:
            x = np.concatenate([across for across, _ in parts])
            y = float(LARGE.y(plane, np.array([value]))[0])
            line = f'd="M{x.min():.1f} {y:.1f}H{x.max():.1f}"'
            yield f'<path fill="none" stroke="{theme.accent}" stroke-width="2.5" {line}/>'
            continue
        colour, _ = styles[_code(data, value)]
        fill = f'fill="{colour}" fill-opacity="{0.35 if theme.dark else 0.22}"'
        edge = f'stroke="{theme.ink}" stroke-opacity="0.35" stroke-width="0.7"'
        yield f'<path {fill} {edge} d="{"".join(map(_closed_path, parts))}"/>'


def _code(data: Dataset, value: float) -> int:
    """Code of the class that a leaf predicts, or of the step of the colour scale for its number."""
    return int(value) if data.classes else step_of(value, float(data.y.min()), float(data.y.max()))


def _nodes(data: Dataset, tree: Tree, plane: BarePlane, theme: Theme) -> Iterator[str]:
    """SVG of nodes, each parent above the middle of its children; edges are drawn below nodes.

    Leaves have the colour and shape of what they predict.
    """
    leaves = leaf_ids(tree)
    across = (TREE_WIDTH - 3 * RIM) / len(leaves)
    down = (LARGE.height - 4 * RIM) / max(height(tree), 1)
    x = {leaf: LARGE.width + RIM + across * (place + 0.5) for place, leaf in enumerate(leaves)}
    y = {node: 2 * RIM + down * level for node, level in tree.cut_depths.items()}
    edges, splits = [], {node for node in tree.shown_nodes if node in tree.splits}
    for node in sorted(splits, reverse=True):
        children = branch_nodes(tree.splits, node)
        x[node] = (x[children[0]] + x[children[-1]]) / 2
        edges += [f"M{x[node]:.1f} {y[node]:.1f}L{x[k]:.1f} {y[k]:.1f}" for k in children]
    stroke = f'stroke="{theme.ink}" stroke-opacity="0.35"'
    yield f'<path fill="none" {stroke} d="{"".join(edges)}"/>'
    radius = min(MAX_RADIUS, max(0.4 * MAX_RADIUS, across / 2))
    for node in splits:
        yield f'<circle cx="{x[node]:.1f}" cy="{y[node]:.1f}" r="{radius:.1f}" fill="{theme.ink}"/>'
    codes = {leaf: _code(data, tree.nodes[leaf].value) for leaf in leaves}
    for code, (colour, shape) in enumerate(_styles(plane)):
        places = [f"M{x[leaf]:.1f} {y[leaf]:.1f}" for leaf in leaves if codes[leaf] == code]
        if places:
            yield _path(colour, shape, places)


def _closed_path(corners: tuple[Floats, Floats]) -> str:
    """Closed path through corners, given as pixels across and up."""
    points = (f"{a:.1f} {b:.1f}" for a, b in zip(*corners, strict=True))
    return f"M{'L'.join(points)}z"


def _points(room: Room, points: Cloud, plane: BarePlane, one_colour: str = "") -> Iterator[str]:
    """SVG of points, a path for each class or step; all in `one_colour` unless it is ''."""
    row_ids = np.unique(np.linspace(0, len(points["x"]) - 1, room.max_points).astype(int))
    x = room.x(plane, np.nan_to_num(points["x"][row_ids]))
    y = room.y(plane, np.nan_to_num(points["y"][row_ids]))
    for code, (colour, shape) in enumerate(_styles(plane)):
        ids = np.flatnonzero(points["code"][row_ids] == code)
        places = [f"M{a:.1f} {b:.1f}" for a, b in zip(x[ids], y[ids], strict=True)]
        if places:
            yield _path(one_colour or colour, shape, places)


def _styles(plane: BarePlane) -> list[tuple[str, str]]:
    """Colour and shape of each class, or of each step of a number."""
    classes = [(colour, shape) for _, colour, shape in plane.get("classes", ())]
    return classes or [(colour, "circle") for colour in plane.get("scale", ())]


def _path(colour: str, shape: str, places: list[str]) -> str:
    """SVG path of marks of one colour and shape; each place is a command that moves there."""
    if shape in OUTLINES:
        return f'<path fill="{colour}" d="{"".join(place + OUTLINES[shape] for place in places)}"/>'
    mark, cap = DOTS.get(shape, DOTS["circle"])
    stroke = f'stroke="{colour}" stroke-width="{DOT_PIXELS[cap]}" stroke-linecap="{cap}"'
    return f'<path {stroke} d="{"".join(place + mark for place in places)}"/>'


def _positions(values: Floats, low: float, high: float, room: float) -> Floats:
    """Pixels of values along an edge of `room` pixels."""
    positions: Floats = RIM + (room - 2 * RIM) * (values - low) / (high - low)
    return np.clip(positions, RIM, room - RIM)


RANGE = (0, 10)
"""Lowest and highest value of the regression target that can be drawn."""


def pad_frame(drawn: Drawing, can_undo: bool, can_redo: bool, fit: int) -> Pad:
    """Frame of the drawing pad, see frontend/pad/pad.js.

    A new number of `fit` makes the pad show all points.
    """
    x, y, value = np.array(drawn.rows, dtype=float).reshape(-1, 3).T
    return {
        "target": drawn.kind,
        "axes": ["x", "y"] if drawn.kind == "height" else ["x1", "x2"],
        "palette": _palette(drawn.kind),
        "scale": SCALE,
        "range": RANGE,
        "max_points": drawing.MAX_ROWS_DRAWN,
        "can_undo": can_undo,
        "can_redo": can_redo,
        "fit": fit,
        "x": x,
        "y": y,
        "value": value,
    }


def _palette(kind: DrawingKind) -> list[Swatch]:
    """Values of the target that can be drawn, with their colours."""
    if kind == "classes":
        return [
            _swatch(letter, f"class {letter}", code, class_colour(code), class_symbol(code))
            for code, letter in enumerate(drawing.CLASSES)
        ]
    if kind == "height":
        return [_swatch("", "a point", 0, class_colour(0))]
    values = range(RANGE[0], RANGE[1] + 1, 2)
    return [_swatch(str(v), f"value {v}", v, SCALE[step_of(v, *RANGE)]) for v in values]


def _swatch(name: str, spoken: str, value: int, colour: str, symbol: str = "circle") -> Swatch:
    """Value that can be drawn, with its name as shown and as spoken by a screen reader."""
    return {"name": name, "spoken": spoken, "value": value, "colour": colour, "symbol": symbol}


MAX_BYTES_UNASKED = 100_000
"""Maximum bytes of a file that is sent unasked; a larger one was likely chosen in this browser."""
_NO_BYTES = np.zeros(0, np.uint8)


def shelf_frame(
    shelf: BrowserFiles, recipe: Recipe, contents: Mapping[str, bytes], asks_files: bool
) -> frame_types.Shelf:
    """Files of a recipe that the browser does not keep yet, and files that it is asked for.

    `contents` are the bytes of the files, by mark; only if `asks_files` the browser is asked.
    """
    names = dict(zip(fingerprints_of(recipe), ("file", "test_file"), strict=False))
    new = {
        mark: content
        for mark, content in contents.items()
        if mark not in shelf.kept_marks and len(content) <= MAX_FILE_BYTES
    }
    return {
        "files_to_keep": [
            {
                "mark": mark,
                "name": str(recipe.get(names.get(mark, "file"))),
                "size": len(content),
                "content": np.frombuffer(content, np.uint8)
                if len(content) <= MAX_BYTES_UNASKED or mark in shelf.marks_to_send
                else _NO_BYTES,
            }
            for mark, content in new.items()
        ],
        "wanted_files": [
            {"mark": mark, "offset": start}
            for mark, start in bytes_received(shelf).items()
            if asks_files
        ],
        "bytes_a_piece": PIECE_BYTES,
    }
