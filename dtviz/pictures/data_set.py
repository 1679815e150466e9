"""A data set as a small picture: its points in the colours and shapes of every view; its tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from dtviz.base.arrays import Floats
from dtviz.base.text import count
from dtviz.data import drawing
from dtviz.data.dataset import Dataset, Recipe
from dtviz.data.drawing import Drawing, Kind
from dtviz.data.uploads import marks_of
from dtviz.engine.criteria.criteria import CRITERIA, default_criterion
from dtviz.engine.search.candidates import best_features
from dtviz.engine.splits import Ring, parts
from dtviz.engine.tree import Tree, depth, height, leaf_ids
from dtviz.pictures import frame_types
from dtviz.pictures.frame_types import Bare, Cloud, Overview, Pad, Swatch
from dtviz.pictures.palette import LIGHT, SCALE, Theme, class_colour, class_symbol, step_of
from dtviz.pictures.regions import largest
from dtviz.pictures.slice import pinned
from dtviz.pictures.stage import bare_scene, cloud, rings_of
from dtviz.session.browser_files import MOST_KEPT, PIECE, Shelf, still


def overview(data: Dataset, name: str, theme: Theme = LIGHT) -> tuple[Cloud, Overview]:
    """The cloud and the scene of a data set, on the two features that part the target best."""
    criterion = CRITERIA[default_criterion(data.task)]
    axes = best_features(data, criterion)
    about = f"{count(data.n, 'row')}, {count(len(data.features), 'feature')}"
    return cloud(data, axes, name), {**bare_scene(data, axes, theme, name), "about": about}


RIM = 6
DOTS = {"circle": ("h0", "round"), "square": ("h0", "square")}
"""Marks that are a line without length: the path of one, and how its ends are drawn."""
OUTLINES = {"diamond": "m0-3l3 3l-3 3l-3-3z", "triangle-up": "m0-3l3 5h-6z"}
SIZE = {"round": 4.8, "square": 4}


class Room(NamedTuple):
    """The size of a picture, and how many points it has at most."""

    wide: int
    high: int
    most: int

    def x(self, plane: Bare, values: Floats) -> Floats:
        """The places of values across."""
        return _placed(values, plane["across"]["low"], plane["across"]["high"], self.wide)

    def y(self, plane: Bare, values: Floats) -> Floats:
        """The places of values up."""
        return self.high - _placed(values, plane["up"]["low"], plane["up"]["high"], self.high)

    def places(self, plane: Bare, ring: Ring) -> tuple[Floats, Floats]:
        """The places of the corners of a ring of one part."""
        corners = np.array(ring)
        return self.x(plane, corners[:, 0]), self.y(plane, corners[:, 1])


SMALL, LARGE = Room(120, 72, 200), Room(320, 180, 600)
BESIDE, NODE = 160, 2.5
"""How wide a tree is drawn beside its points, and how large at most the nodes that it splits."""
_BOTH = LARGE._replace(wide=LARGE.wide + BESIDE)


def thumbnail(data: Dataset, theme: Theme) -> str:
    """The SVG of a data set, SMALL; it says nothing of its own."""
    points, plane = overview(data, "", theme)
    return _svg(SMALL, _points(SMALL, points, plane))


def grown(data: Dataset, tree: Tree, theme: Theme) -> str:
    """The SVG of a tree: under its points, LARGE, its regions, or for numbers on a line its steps;
    beside them its nodes.
    """
    axes = (0, 1 if len(data.features) > 1 else 0)
    plane = bare_scene(data, axes, theme, "")
    under = _leaves(data, tree, plane, axes, theme)
    own = theme.ink if plane["form"] == "strip" and not data.classes else ""
    points = _points(LARGE, cloud(data, axes, ""), plane, own)
    return _svg(_BOTH, [*under, *points, *_nodes(data, tree, plane, theme)])


def empty(theme: Theme) -> str:
    """The SVG of as much room without a tree."""
    edge = f'fill="none" stroke="{theme.grid}" stroke-dasharray="4 4"'
    size = f'width="{_BOTH.wide - 2 * RIM}" height="{_BOTH.high - 2 * RIM}"'
    return _svg(_BOTH, [f'<rect x="{RIM}" y="{RIM}" {size} {edge}/>'])


def _svg(room: Room, inside: Iterable[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {room.wide} {room.high}">'
    return head + "".join(inside) + "</svg>"


def _leaves(
    data: Dataset, tree: Tree, plane: Bare, axes: tuple[int, int], theme: Theme
) -> Iterator[str]:
    """What each leaf predicts: its region in that colour, or a line as high as its number."""
    looks = _looks(plane)
    for node, ring in largest(rings_of(data, tree, axes, pinned(data)), 1).items():
        if node not in tree.rows:
            continue
        value = tree.nodes[node].value
        places = [LARGE.places(plane, part) for part in parts(ring)]
        if plane["form"] == "strip" and not data.classes:
            x = np.concatenate([place[0] for place in places])
            at = float(LARGE.y(plane, np.array([value]))[0])
            line = f'd="M{x.min():.1f} {at:.1f}H{x.max():.1f}"'
            yield f'<path fill="none" stroke="{theme.accent}" stroke-width="2.5" {line}/>'
            continue
        colour, _ = looks[_code(data, value)]
        look = f'fill="{colour}" fill-opacity="{0.35 if theme.dark else 0.22}"'
        edge = f'stroke="{theme.ink}" stroke-opacity="0.35" stroke-width="0.7"'
        yield f'<path {look} {edge} d="{"".join(map(_closed, places))}"/>'


def _code(data: Dataset, value: float) -> int:
    """The class that a leaf predicts, or the step of its number."""
    return int(value) if data.classes else step_of(value, float(data.y.min()), float(data.y.max()))


def _nodes(data: Dataset, tree: Tree, plane: Bare, theme: Theme) -> Iterator[str]:
    """The nodes, each parent over the middle of its children: leaves in the looks of what they
    predict, under the edges that lead to them.
    """
    leaves = leaf_ids(tree)
    across, down = (BESIDE - 3 * RIM) / len(leaves), (LARGE.high - 4 * RIM) / max(height(tree), 1)
    x = {leaf: LARGE.wide + RIM + across * (place + 0.5) for place, leaf in enumerate(leaves)}
    y = {node: 2 * RIM + down * depth(node) for node in tree.nodes}
    edges = []
    for node in sorted(tree.splits, reverse=True):
        children = 2 * node, 2 * node + 1
        x[node] = sum(x[child] for child in children) / 2
        edges += [f"M{x[node]:.1f} {y[node]:.1f}L{x[one]:.1f} {y[one]:.1f}" for one in children]
    look = f'stroke="{theme.ink}" stroke-opacity="0.35"'
    yield f'<path fill="none" {look} d="{"".join(edges)}"/>'
    radius = min(NODE, max(0.4 * NODE, across / 2))
    for node in tree.splits:
        yield f'<circle cx="{x[node]:.1f}" cy="{y[node]:.1f}" r="{radius:.1f}" fill="{theme.ink}"/>'
    codes = {leaf: _code(data, tree.nodes[leaf].value) for leaf in leaves}
    for code, (colour, shape) in enumerate(_looks(plane)):
        places = [f"M{x[leaf]:.1f} {y[leaf]:.1f}" for leaf in leaves if codes[leaf] == code]
        if places:
            yield _path(colour, shape, places)


def _closed(place: tuple[Floats, Floats]) -> str:
    corners = (f"{a:.1f} {b:.1f}" for a, b in zip(*place, strict=True))
    return f"M{'L'.join(corners)}z"


def _points(room: Room, points: Cloud, plane: Bare, own: str = "") -> Iterator[str]:
    """The points, a path a colour; all of their `own` colour where the height says the number."""
    some = np.unique(np.linspace(0, len(points["x"]) - 1, room.most).astype(int))
    x = room.x(plane, np.nan_to_num(points["x"][some]))
    y = room.y(plane, np.nan_to_num(points["y"][some]))
    for code, (colour, shape) in enumerate(_looks(plane)):
        of = np.flatnonzero(points["code"][some] == code)
        places = [f"M{a:.1f} {b:.1f}" for a, b in zip(x[of], y[of], strict=True)]
        if places:
            yield _path(own or colour, shape, places)


def _looks(plane: Bare) -> list[tuple[str, str]]:
    """The colour and shape of each class, or of each step of a number."""
    classes = [(colour, shape) for _, colour, shape in plane.get("classes", ())]
    return classes or [(colour, "circle") for colour in plane.get("scale", ())]


def _path(colour: str, shape: str, places: list[str]) -> str:
    """The marks of one colour."""
    if shape in OUTLINES:
        return f'<path fill="{colour}" d="{"".join(at + OUTLINES[shape] for at in places)}"/>'
    mark, cap = DOTS.get(shape, DOTS["circle"])
    look = f'stroke="{colour}" stroke-width="{SIZE[cap]}" stroke-linecap="{cap}"'
    return f'<path {look} d="{"".join(at + mark for at in places)}"/>'


def _placed(values: Floats, low: float, high: float, room: float) -> Floats:
    placed: Floats = RIM + (room - 2 * RIM) * (values - low) / (high - low)
    return np.clip(placed, RIM, room - RIM)


RANGE = (0, 10)


def pad_frame(drawn: Drawing, past: bool, ahead: bool, fit: int) -> Pad:
    """What the pad is given, see frontend/pad/pad.js.

    `past` and `ahead` say whether there is anything to undo or redo; another `fit` has the pad
    show all points.
    """
    x, y, value = np.array(drawn.rows, dtype=float).reshape(-1, 3).T
    return {
        "target": drawn.kind,
        "axes": ["x", "y"] if drawn.kind == "height" else ["x1", "x2"],
        "palette": _palette(drawn.kind),
        "scale": SCALE,
        "range": RANGE,
        "most": drawing.MOST,
        "past": past,
        "ahead": ahead,
        "fit": fit,
        "x": x,
        "y": y,
        "value": value,
    }


def _palette(kind: Kind) -> list[Swatch]:
    if kind == "classes":
        return [
            _swatch(letter, f"class {letter}", code, class_colour(code), class_symbol(code))
            for code, letter in enumerate(drawing.CLASSES)
        ]
    if kind == "height":
        return [_swatch("", "a point", 0, class_colour(0))]
    values = range(RANGE[0], RANGE[1] + 1, 2)
    return [_swatch(str(v), f"value {v}", v, SCALE[step_of(v, *RANGE)]) for v in values]


def _swatch(name: str, said: str, value: int, colour: str, symbol: str = "circle") -> Swatch:
    return {"name": name, "said": said, "value": value, "colour": colour, "symbol": symbol}


MAX_BYTES_UNASKED = 100_000
"""Bytes of a file that is sent there unasked; a larger one was likely chosen there."""
_NOTHING = np.zeros(0, np.uint8)


def shelf_frame(
    shelf: Shelf, recipe: Recipe, contents: Mapping[str, bytes], looking: bool
) -> frame_types.Shelf:
    """Of these files of a recipe those that are not kept yet; and what is looked for, if it is."""
    names = dict(zip(marks_of(recipe), ("file", "test_file"), strict=False))
    new = {
        mark: content
        for mark, content in contents.items()
        if mark not in shelf.kept and len(content) <= MOST_KEPT
    }
    return {
        "keep": [
            {
                "mark": mark,
                "name": str(recipe.get(names.get(mark, "file"))),
                "size": len(content),
                "content": np.frombuffer(content, np.uint8)
                if len(content) <= MAX_BYTES_UNASKED or mark in shelf.sends
                else _NOTHING,
            }
            for mark, content in new.items()
        ],
        "wants": [{"mark": mark, "at": at} for mark, at in still(shelf).items() if looking],
        "piece": PIECE,
    }
