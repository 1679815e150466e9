"""Leaves whose prediction varies inside them, or that tell how sure they are: lines and shades.

Glossary
    level      what the leaf model is linear in, at a corner of a ring and so between corners
    share      of the class that is predicted
    owner      the place among the rings drawn of the leaf that a shade or a line is of
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from dtviz.arrays import Floats
from dtviz.engine.leaf_models import LeafModel
from dtviz.engine.splits import Plane, Ring, parted, parts
from dtviz.engine.tree import Node
from dtviz.figures.kinds import Varied
from dtviz.figures.palette import SCALE
from dtviz.figures.regions import area, shapes
from dtviz.table.data import Dataset

MOST_SHADED = 400
"""Of more leaves those that are drawn largest vary; the others have one colour."""
BANDS = 10
"""The steps of a share, from 0 to 1."""
STEPS = 60
"""The pieces of a line that is curved."""
Shade = tuple[int, float, Ring]


def varied(
    data: Dataset, model: LeafModel, drawn: Mapping[int, tuple[Ring, Node]], plane: Plane
) -> Varied:
    """How the predictions of some leaves vary, by the places of their rings; {} where none does."""
    strip = plane.up is None
    if model.level is None and model.proba is None:
        return {}
    leaves = {
        at: _Leaf(data, model, np.array(node.params), ring, plane)
        for at, (ring, node) in _largest(drawn).items()
    }
    out: Varied = {}
    if strip and (not data.classes or len(data.classes) == 2):
        lines = [(at, line) for at, leaf in leaves.items() for line in leaf.lines()]
        owner = np.array([at for at, _ in lines], np.int32)
        out["curves"] = {"owner": owner, **shapes([line for _, line in lines])}
    if data.classes or not strip:
        shades = [(at, shade) for at, leaf in leaves.items() for shade in leaf.shades()]
        out["shades"] = {
            "owner": np.array([at for at, _ in shades], np.int32),
            "code": np.array([code for _, (code, _, _) in shades], np.int32),
            "share": np.array([share for _, (_, share, _) in shades], np.float64),
            **shapes([ring for _, (_, _, ring) in shades]),
        }
    return out


def _largest(drawn: Mapping[int, tuple[Ring, Node]]) -> Mapping[int, tuple[Ring, Node]]:
    if len(drawn) <= MOST_SHADED:
        return drawn
    window = next(iter(drawn.values()))[0]
    order = sorted(drawn, key=lambda at: area(drawn[at][0], window), reverse=True)
    return {at: drawn[at] for at in sorted(order[:MOST_SHADED])}


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A leaf that is drawn: `params` are those of its model."""

    data: Dataset
    model: LeafModel
    params: Floats
    ring: Ring
    plane: Plane

    def lines(self) -> Iterator[Ring]:
        """What it predicts over a strip, or the share of the second class, a line a part."""
        curved = self.model.level is not None and self.model.proba is not None
        for part in parts(self.ring):
            low, high = (pick(corner[0] for corner in part) for pick in (min, max))
            share = np.linspace(0, 1, STEPS + 1 if curved else 2)
            places = (1 - share) * low + share * high
            yield tuple(zip(places.tolist(), self._height(places).tolist(), strict=True))

    def _height(self, across: Floats) -> Floats:
        columns, rows = self._columns(across), np.arange(len(across))
        params = np.tile(self.params, (len(across), 1))
        if self.model.proba is None:
            return self.model.predict(params, columns, rows)
        return np.asarray(self.model.proba.of(params, columns, rows)[:, 1])

    def shades(self) -> Iterator[Shade]:
        """The parts of its ring of one colour each: class or step of the scale, and the share."""
        proba = self.model.proba
        if self.model.level is None and proba is not None:
            shares = proba.of(self.params[None], self._columns(np.zeros(1)), np.zeros(1, np.intp))
            yield int(self.params[0]), float(shares[0, int(self.params[0])]), self.ring
            return
        steps = self._odds() if self.data.classes else self._numbers()
        for part in parts(self.ring):
            for band, ring in self._bands(part, steps):
                middle = (band + 0.5) / BANDS
                yes = middle > 0.5
                yield (
                    (int(yes), middle if yes else 1 - middle, ring) if proba else (band, 1.0, ring)
                )

    def _odds(self) -> Floats:
        """The log odds between the bands of shares."""
        share = np.arange(1, BANDS) / BANDS
        return np.asarray(np.log(share / (1 - share)))

    def _numbers(self) -> Floats:
        """The numbers between the steps of the scale."""
        low, high = float(self.data.y.min()), float(self.data.y.max())
        return np.linspace(low, high, len(SCALE) + 1)[1:-1]

    def _bands(self, ring: Ring, steps: Floats) -> Iterator[tuple[int, Ring]]:
        """The parts of a ring between levels, each with the number of its band."""
        rest = self._raised(ring)
        for band, step in enumerate([*steps.tolist(), np.inf]):
            below, rest = parted(rest, 2, step) if rest else ((), ())
            if len(below) > 2:
                yield band, tuple(corner[:2] for corner in below)

    def _raised(self, ring: Ring) -> Ring:
        """The corners of a ring of one part with their levels."""
        assert self.model.level is not None
        up = np.array([corner[1] for corner in ring])
        columns = self._columns(np.array([corner[0] for corner in ring]), up)
        params = np.tile(self.params, (len(ring), 1))
        levels = self.model.level(params, columns, np.arange(len(ring))).tolist()
        return tuple((*corner[:2], level) for corner, level in zip(ring, levels, strict=True))

    def _columns(self, across: Floats, up: Floats | None = None) -> Floats:
        """The columns of places on the plane, (M, r); only those that are drawn vary."""
        columns = np.repeat(np.array(self.plane.pinned)[:, None], len(across), axis=1)
        columns[self.plane.across] = across
        if self.plane.up is not None and up is not None:
            columns[self.plane.up] = up
        return columns
