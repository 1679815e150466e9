"""Leaves whose prediction varies inside them: lines over a strip, shades over a plane.

Glossary
    height    what a leaf predicts at a corner of its ring; between corners it is linear
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from dtviz.engine.splits import Plane, Ring, parted, parts
from dtviz.engine.tree import Tree
from dtviz.figures.kinds import Varied
from dtviz.figures.palette import SCALE
from dtviz.figures.regions import shapes
from dtviz.table.data import Dataset

MOST_SHADED = 400
"""Of more leaves that vary each has one colour."""


def varied(data: Dataset, tree: Tree, rings: Mapping[int, Ring], plane: Plane) -> Varied:
    """How the predictions of the leaves with these rings vary; nothing where none does."""
    own = {node: ring for node, ring in rings.items() if _varies(tree, node)}
    if data.classes or not own or len(own) > MOST_SHADED:
        return {}
    if plane.up is None:
        return {"ends": {str(node): _ends(tree, node, ring, plane) for node, ring in own.items()}}
    low, high = float(data.y.min()), float(data.y.max())
    steps = np.linspace(low, high, len(SCALE) + 1)[1:-1].tolist()
    found = [
        shade
        for node, ring in own.items()
        for part in parts(ring)
        for shade in _shades(_raised(tree, node, part, plane), steps)
    ]
    codes = np.array([code for code, _ in found], np.int32)
    return {"shades": {"code": codes, **shapes([ring for _, ring in found])}}


def _varies(tree: Tree, node: int) -> bool:
    return node in tree.rows and len(tree.nodes[node].params) > 1


def _ends(tree: Tree, node: int, ring: Ring, plane: Plane) -> tuple[float, float]:
    """What a leaf predicts at the left and at the right end of its ring."""
    raised = sorted(_raised(tree, node, parts(ring)[0], plane))
    return raised[0][2], raised[-1][2]


def _raised(tree: Tree, node: int, ring: Ring, plane: Plane) -> Ring:
    """The corners of a ring of one part with their heights."""
    columns = np.repeat(np.array(plane.pinned)[:, None], len(ring), axis=1)
    columns[plane.across] = [corner[0] for corner in ring]
    if plane.up is not None:
        columns[plane.up] = [corner[1] for corner in ring]
    params = np.tile(np.array(tree.nodes[node].params), (len(ring), 1))
    heights = tree.leaf_model.predict(params, columns, np.arange(len(ring))).tolist()
    return tuple((*corner[:2], height) for corner, height in zip(ring, heights, strict=True))


def _shades(raised: Ring, steps: list[float]) -> Iterator[tuple[int, Ring]]:
    """The parts of a ring between the steps of the scale, each with its place on it."""
    rest = raised
    for code, step in enumerate([*steps, np.inf]):
        below, rest = parted(rest, 2, step) if rest else ((), ())
        if len(below) > 2:
            yield code, tuple(corner[:2] for corner in below)
