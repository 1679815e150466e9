"""Slanted cuts: `x1 + 0.42·x2 <= threshold`, along directions that each node proposes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from typing import ClassVar

import numpy as np

from dtviz.arrays import Floats, Ints
from dtviz.engine.splits.axis import Axis
from dtviz.engine.splits.family import Family, Form, Plane, linear_clip
from dtviz.engine.splits.letters import NUMBER, number_in, written
from dtviz.engine.splits.terms import MOST_TERMS, added, brief, not_added, plain_features, spread_of
from dtviz.table.data import Dataset
from dtviz.text import Dialect

ANGLES = 36
"""So many directions of a plane are tried, 5 degrees apart where both features spread alike."""
MOST_TURNS = 300
"""Up to so many directions in which two rows of a node are level, one between each two is tried."""
MOST_PLANE = 4
"""Of more features, angles are not tried: there are too many planes."""
MOST_SCORES = 4_000_000
"""In large nodes fewer angles are tried: so many scores a node."""
MOST_CLASSES = 6
FAINT = 0.01
"""A feature that turns a direction by less than this is left out of it."""
_TERM = re.compile(rf"([0-9]{{1,4}})({NUMBER})")


@dataclass(frozen=True, slots=True, order=True)
class Oblique:
    """The projection on a direction: the sum of weight times value over (feature, weight)."""

    family: ClassVar[str] = "oblique"
    terms: tuple[tuple[int, float], ...]

    @property
    def features(self) -> tuple[int, ...]:
        """The features it is of."""
        return tuple(feature for feature, _ in self.terms)


def direction(features: Sequence[int], weights: Floats, spread: Floats) -> Oblique | None:
    """The projection along these weights (M,), the first 1 and the others of three digits.

    `spread` is what each feature varies by: those that hardly matter are left out. None where fewer
    than two are left.
    """
    matter = np.abs(weights * spread)
    kept = np.flatnonzero(matter > FAINT * matter.max())
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        share = weights[kept] / weights[kept[:1]]
    if len(kept) < 2 or not np.isfinite(share).all() or not share.all():
        return None
    terms = zip(kept.tolist(), map(brief, share.tolist()), strict=True)
    return Oblique(tuple((features[at], weight) for at, weight in terms))


def _propose(data: Dataset) -> tuple[Axis, ...]:
    """The axes are directions too."""
    features = plain_features(data)
    return tuple(map(Axis, features)) if len(features) > 1 else ()


def _own(data: Dataset, rows: Ints) -> tuple[Oblique, ...]:
    """The linear discriminants of a node, or its least squares, and the directions of its planes.

    The rows that lack a value of a plain number are left aside, and numbers that do not vary.
    """
    features = plain_features(data)[:MOST_TERMS]
    columns = data.columns[np.array(features, np.intp)[:, None], rows]
    known = ~np.isnan(columns).any(axis=0)
    columns, y = columns[:, known], data.y[rows[known]]
    if not len(features) or not len(y):
        return ()
    spread = np.array(list(map(spread_of, columns)))
    some = np.flatnonzero(spread)
    if len(some) < 2:
        return ()
    features, columns, spread = [features[at] for at in some.tolist()], columns[some], spread[some]
    z = (columns - columns.mean(axis=1, keepdims=True)) / spread[:, None]
    made = [direction(features, way / spread, spread) for way in _discriminants(data, z, y)]
    planes = [*combinations(range(len(some)), 2)] if len(some) <= MOST_PLANE else []
    for plane in map(list, planes):
        pair = [features[at] for at in plane]
        made += _in_plane(pair, columns[plane], spread[plane], len(planes))
    return tuple(dict.fromkeys(one for one in made if one is not None))


def _in_plane(
    pair: Sequence[int], points: Floats, spread: Floats, planes: int
) -> Iterator[Oblique]:
    """The directions tried in a plane of two features, one of so many, by its points (2, n)."""
    ratios = _turns(points, MOST_TURNS // planes)
    if ratios is not None:
        yield from (Oblique(((pair[0], 1.0), (pair[1], ratio))) for ratio in ratios)
        return
    many = min(max(MOST_SCORES // (planes * points.shape[1]), 4), ANGLES)
    ways = _angles(many) / spread[:, None]
    matter = np.abs(ways * spread[:, None])
    turns = (matter > FAINT * matter.max(axis=0)).all(axis=0)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        share = (ways[1] / ways[0])[turns]
    for ratio in share[np.isfinite(share) & (share != 0)].tolist():
        yield Oblique(((pair[0], 1.0), (pair[1], brief(ratio))))


@lru_cache(maxsize=ANGLES)
def _angles(many: int) -> Floats:
    """So many directions of a plane, evenly spread: cosines and sines, (2, many)."""
    angles = (np.pi * np.arange(many) / many).tolist()
    return np.array([[*map(math.cos, angles)], [*map(math.sin, angles)]])


def _discriminants(data: Dataset, z: Floats, y: Ints) -> Iterator[Floats]:
    """Fisher's direction of each class against the rest [M]; for numbers that of least squares."""
    bent = z @ z.T / z.shape[1] + 1e-9 * np.eye(len(z))
    if not data.classes:
        yield np.linalg.solve(bent, z @ (y - y.mean()))
        return
    count = np.bincount(y)
    there = np.argsort(-count, kind="stable")[: min(np.count_nonzero(count), MOST_CLASSES)]
    for code in there[: 1 if len(there) == 2 else None].tolist():
        own = y == code
        apart = z[:, own].mean(axis=1) - z[:, ~own].mean(axis=1) if not own.all() else 0 * z[:, 0]
        yield np.linalg.solve(bent, apart)


def _turns(points: Floats, most: int) -> list[float] | None:
    """Ratios r for which `x + r y` puts some points, (2, n), in every order that a line can.

    Two points change places where x + r y is the same for both; one ratio between each two such
    places is enough. None where there are more than `most` of them.
    """
    both = np.empty(points.shape[1], np.complex128)
    both.real, both.imag = points
    both = np.unique(both)
    n = len(both)
    if n * (n - 1) > 2 * most:
        return None
    first, second = np.triu_indices(n, 1)
    apart = both[first] - both[second]
    across, up = apart.real, apart.imag
    with np.errstate(over="ignore"):
        level = np.unique(-across[up != 0] / up[up != 0])
    level = level[np.isfinite(level)]
    if not len(level):
        return None
    reach = 1.0 + float(np.abs(level).max())
    ends = [float(level[0]) - reach, *level.tolist(), float(level[-1]) + reach]
    return [ratio for low, high in pairwise(ends) if (ratio := _between(low, high))]


def _between(low: float, high: float) -> float:
    """The shortest number between two others, near their middle; 0 where there is none."""
    middle = low / 2 + high / 2
    for digits in range(1, 17):
        if low < (shorter := float(f"{middle:.{digits}g}")) < high:
            return shorter
    return 0.0


def _score(projections: Sequence[Oblique], which: Ints, columns: Floats, rows: Ints) -> Floats:
    return added(projections, which, columns, rows, np.multiply)


def _read(text: str) -> Oblique | None:
    found = [_TERM.fullmatch(word) for word in text.split("-", MOST_TERMS)]
    read = [(int(one[1]), number_in(one[2])) for one in found if one is not None]
    terms = [(feature, weight) for feature, weight in read if weight]
    features = [feature for feature, _ in terms]
    if len(found) > len(terms) or len(terms) < 2 or features != sorted({*features}):
        return None
    return Oblique(tuple(terms))


def _write(projection: Oblique) -> str:
    return "-".join(f"{feature}{written(weight)}" for feature, weight in projection.terms)


def _formula(projection: Oblique, data: Dataset, dialect: Dialect) -> str:
    out = ""
    for feature, weight in projection.terms:
        name, sign = dialect.name(data.features[feature]), "-" if weight < 0 else "+"
        times = name if abs(weight) == 1 else dialect.times(dialect.number(abs(weight)), name)
        out = f"{out} {sign} {times}" if out else ("-" if sign == "-" else "") + times
    return out


def _form(projection: Oblique, plane: Plane) -> Form:
    weights = dict(projection.terms)
    a, b = (0.0 if on is None else weights.pop(on, 0.0) for on in (plane.across, plane.up))
    return Form(sum(weight * plane.pinned[at] for at, weight in weights.items()), a, b)


OBLIQUE = Family(
    name="oblique",
    title="slanted lines",
    code="o",
    propose=_propose,
    own=_own,
    score=_score,
    problem=not_added,
    write=_write,
    read=_read,
    formula=_formula,
    clip=linear_clip,
    form=_form,
)
