"""Many trees over one plane: what they share is drawn once, and each told by what differs.

Glossary
    tile     a leaf's part of the plane with what is predicted there; trees share equal ones
    toggles  of a tree: the tiles that it has and the first tree lacks, or the other way round
    ghost    the lines of a cut that some of the trees have at the end of equal ways
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.progress import Slices
from dtviz.data.dataset import Dataset
from dtviz.engine.ensembles.trees import ROOT, Members, Ways, beneath, levels, ways_of
from dtviz.engine.problem import Problem
from dtviz.engine.splits import Plane, Ring, parts
from dtviz.pictures.frame_types import Ghosts, Layer, Tiles, Treads
from dtviz.pictures.palette import step_of
from dtviz.pictures.regions import between, halves, shapes
from dtviz.pictures.stage import scene_axes

MOST_FORKS = 30_000
"""Where there are more, not all trees are drawn."""
MOST_GHOSTS = 6_000
STEP = 200
_NONE, _START = np.zeros(0, np.int32), np.zeros(1, np.int32)
_CORNERS = np.zeros(0)
EMPTY: Layer = {
    "name": "",
    "tiles": {"corners": _CORNERS, "starts": _START, "code": _NONE},
    "full": _NONE,
    "toggles": _NONE,
    "starts": _START,
    "ghosts": {
        "corners": _CORNERS,
        "starts": _START,
        "share": _CORNERS,
        "own": np.zeros(0, np.uint8),
    },
}
"""No trees."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A layer, and the members that it has in their order, (D,)."""

    layer: Layer
    some: Ints


def layer(name: str, members: Members, order: Ints, window: Ring, plane: Plane) -> Slices[Drawn]:
    """The tiles and lines of members over the plane, in slices; `window` as in regions.py.

    They come in this order, the first as what the others are told by; of very many cuts only as
    many as there is room for. What share of the members has a cut is counted among all.
    """
    ways, owner = ways_of(members), owners(members)
    yield 0.0
    inner, idle = ways.fork >= 0, _idle(members)
    some = _room_for(order, ways, owner)
    yield 0.0
    place = np.full(len(members) + 1, -1)  # the last for what belongs to none
    place[some] = np.arange(len(some))
    at = place.take(owner)
    rings: dict[int, Ring] = {ROOT: window}
    lines: dict[int, list[Ring]] = {}
    upper = np.arange(min(len(ways.first), MOST_GHOSTS))  # of all members: these come first
    used = np.union1d(upper, ways.fork[inner & (at >= 0)]).tolist()
    for k, fork in enumerate(used):
        first = int(ways.first[fork])
        ring = rings.get(int(ways.way[first]), ())
        both = halves(members.split(first), ring, plane) if ring else ((), ())
        rings.update(zip(beneath(fork), both, strict=True))
        lines[fork] = between(*both)
        if k % STEP == STEP - 1:
            yield k / len(used)
    yield 1.0
    seen = np.zeros(2 * len(ways.first) + 1, np.bool_)
    seen[[way for way, ring in rings.items() if ring]] = True
    leaves = np.flatnonzero(~inner & (at >= 0) & seen.take(ways.way))
    tiles, which = _tiles(members, ways.way.take(leaves), leaves, rings, plane)
    full, *others = _sets(which, at.take(leaves), len(some))
    toggles = [np.setxor1d(full, own, assume_unique=True) for own in others]
    tells = inner & ~idle & (owner >= 0)
    own = np.isin(np.arange(len(ways.first)), ways.fork[tells & (at == 0)])
    share = np.bincount(ways.fork[tells], minlength=len(ways.first)) / len(members)
    found: Layer = {
        "name": name,
        "tiles": tiles,
        "full": full,
        "toggles": np.concatenate([full[:0], *toggles]),
        "starts": np.cumsum([0, *map(len, toggles)]).astype(np.int32),
        "ghosts": _ghosts(lines, share, own),
    }
    return Drawn(found, some)


def owners(members: Members) -> Ints:
    """The member that each place belongs to, (m,); -1 for none."""
    owner = np.full(len(members.left), -1)
    owner[members.roots] = np.arange(len(members))
    for places in levels(members):
        inner = places[members.left.take(places) >= 0]
        left = members.left.take(inner)
        owner[left] = owner[left + 1] = owner.take(inner)
    return owner


def _room_for(order: Ints, ways: Ways, owner: Ints) -> Ints:
    """The first of the members in this order, as many as have few forks enough; two at least."""
    some = order
    while len(some) > 2:
        forks = np.unique(ways.fork[np.isin(owner, some)])
        if len(forks) <= MOST_FORKS:
            break
        some = some[: max(len(some) // 2, 2)]
    return some


def _tiles(
    members: Members, ways: Ints, leaves: Ints, rings: Mapping[int, Ring], plane: Plane
) -> tuple[Tiles, Ints]:
    """The different tiles of these leaves, which have such ways, and which each leaf has."""
    params = members.params.take(leaves, axis=0)
    strip = plane.up is None and not members.data.classes
    told = params if strip else params[:, :1]
    known: dict[Ring, int] = {}
    place = {way: known.setdefault(_turned(rings[way]), way) for way in np.unique(ways).tolist()}
    rows = np.column_stack([[place[way] for way in ways.tolist()], told])
    _, first, which = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    shown = [rings[way] for way in ways[first].tolist()]
    treads: Treads = {}
    if strip:
        heights = _heights(members, params[first], shown, plane)
        treads = {"heights": heights, "share": np.bincount(which.ravel()) / len(members)}
    code = _codes(members.data, params[first, 0])
    return {**shapes(shown), "code": code, **treads}, which.ravel()


def _turned(ring: Ring) -> Ring:
    """A ring of one part from its least corner on, so that equal ones are known."""
    if len(parts(ring)) > 1:
        return ring
    at = min(range(len(ring)), key=ring.__getitem__)
    return (*ring[at:], *ring[:at])


def _codes(data: Dataset, values: Floats) -> NDArray[np.int32]:
    """The class, or the step of a number on the scale."""
    if data.classes:
        return values.astype(np.int32)
    low, high = float(data.y.min()), float(data.y.max())
    return np.array([step_of(value, low, high) for value in values.tolist()], np.int32)


def _heights(members: Members, params: Floats, shown: Sequence[Ring], plane: Plane) -> Floats:
    """What is predicted at the left and at the right end of each tile."""
    ends = np.array([_ends(ring) for ring in shown]).reshape(-1)
    columns = np.repeat(np.array(plane.pinned)[:, None], len(ends), axis=1)
    columns[plane.across] = ends
    model = Problem(members.data, members.rules).leaf_model
    return model.predict(params.repeat(2, axis=0), columns, np.arange(len(ends)))


def _ends(ring: Ring) -> tuple[float, float]:
    across = [corner[0] for part in parts(ring) for corner in part]
    return min(across), max(across)


def _sets(which: Ints, owner: Ints, many: int) -> list[NDArray[np.int32]]:
    """The tiles of each of so many members, in order."""
    order = np.lexsort((which, owner))
    ends = np.searchsorted(owner[order], np.arange(1, many))
    return np.split(which[order].astype(np.int32), ends)


def _ghosts(lines: Mapping[int, list[Ring]], share: Floats, own: Bools) -> Ghosts:
    """The lines of cuts that tell something; of very many the first tree's, then the commonest."""
    found: dict[Ring, tuple[bool, float]] = {}
    for fork, some in lines.items():
        for line in some if share[fork] else ():
            known = min(line, line[::-1])
            mine, before = found.get(known, (False, 0.0))
            found[known] = mine or bool(own[fork]), before + float(share[fork])
    drawn = sorted(found, key=lambda line: (not found[line][0], -found[line][1]))[:MOST_GHOSTS]
    return {
        **shapes(drawn),
        "share": np.array([found[line][1] for line in drawn], np.float64),
        "own": np.array([found[line][0] for line in drawn], np.uint8),
    }


def _idle(members: Members) -> Bools:
    """Whether all leaves below each place predict one class: its cut is no boundary, (m,)."""
    leaf = members.left < 0
    model = Problem(members.data, members.rules).leaf_model
    if model.level is not None or not members.data.classes:
        return np.zeros(len(leaf), np.bool_)
    value, one = members.params[:, 0].copy(), leaf.copy()
    for places in reversed([*levels(members)]):
        inner = places[~leaf[places]]
        left = members.left.take(inner)
        value[inner] = value[left]
        one[inner] = one[left] & one[left + 1] & (value[left] == value[left + 1])
    return one


CELLS, STRIP = 96, 400
"""A plane is usually this many cells wide and high, a strip over one feature so many wide."""


def cells_of(data: Dataset) -> int:
    """How many cells wide the picture usually is."""
    return STRIP if len(data.features) == 1 else CELLS


def plane_points(
    data: Dataset, axes: tuple[int, int], pinned: Floats, cells: int | None = None
) -> Floats:
    """The middle of every cell of the plane, so many wide and high, the other features pinned.

    The columns (M, cells), row by row from below; over one feature a single row.
    """
    cells = cells_of(data) if cells is None else cells
    across, up = scene_axes(data, axes)
    x, y = middles(across["low"], across["high"], cells), middles(up["low"], up["high"], cells)
    many = cells if len(data.features) == 1 else cells * cells
    out = np.repeat(pinned[:, None], many, axis=1)
    out[axes[0] if len(data.features) > 1 else 0] = np.tile(x, many // cells)
    if len(data.features) > 1:
        out[axes[1]] = np.repeat(y, cells)
    categories = [*map(bool, data.levels)]
    out[categories] = np.floor(out[categories] + 0.5)  # the code of the band it lies in
    return out


def middles(low: float, high: float, cells: int) -> Floats:
    """The middles of so many parts of a range."""
    share = (np.arange(cells) + 0.5) / cells
    return np.asarray(low * (1 - share) + high * share)  # high - low may be beyond any float
