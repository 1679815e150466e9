"""Slanted cuts: `x1 + 0.42·x2 <= threshold`, along directions that each node proposes."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any, ClassVar, Protocol

import numpy as np

from dtviz.base.arrays import Floats, Ints
from dtviz.base.text import Dialect, quoted
from dtviz.data.dataset import Dataset
from dtviz.data.units import PLAIN
from dtviz.engine.splits.axis import Axis
from dtviz.engine.splits.split import (
    Family,
    Form,
    Plane,
    Projection,
    features_of,
    linear_clip,
    score,
)

NUMBER = r"[pm][0-9]{1,17}(?:[ef][0-9]{1,3})?"
_PARTS = re.compile(r"([pm])([0-9]{1,17})(?:([ef])([0-9]{1,3}))?")


def written(value: float) -> str:
    """A finite number: p or m for its sign, its digits, e or f and how far the point is moved."""
    digits, _, power = f"{abs(value)!r}".replace("E", "e").partition("e")
    whole, _, behind = digits.partition(".")
    behind = behind.rstrip("0")
    kept = (whole + behind).lstrip("0")
    tail = kept.rstrip("0") or "0"
    moved = int(power or 0) - len(behind) + len(kept) - len(tail) if kept else 0
    scale = f"{'f' if moved < 0 else 'e'}{abs(moved)}" if moved else ""
    return f"{'m' if value < 0 else 'p'}{tail}{scale}"


def number_in(text: str) -> float | None:
    """The number that is written so; None for any other text."""
    found = _PARTS.fullmatch(text)
    if found is None:
        return None
    sign, digits, way, moved = found.groups()
    power = 0 if way is None else int(moved) * (-1 if way == "f" else 1)
    value = float(f"{'-' if sign == 'm' else ''}{digits}e{power}")
    return value if math.isfinite(value) and written(value) == text else None


MOST_TERMS = 20
LARGEST_PART = 1e150
"""The squares of smaller numbers are floats."""


class Sum(Protocol):
    """A projection that is a sum of terms, all with as many numbers."""

    @property
    def terms(self) -> tuple[tuple[Any, ...], ...]:
        """(feature, numbers), the features in order."""


def added(
    projections: Sequence[Sum],
    which: Ints,
    columns: Floats,
    rows: Ints,
    term: Callable[..., Floats],
) -> Floats:
    """The `score` of such projections, term by term, in the order in which every export adds them.

    `term` takes the values of a feature, then the numbers of the term.
    """
    most = max(len(one.terms) for one in projections)
    none = (-1, *projections[0].terms[0][1:])
    padded = [(*one.terms, *(none,) * (most - len(one.terms))) for one in projections]
    flat, n = columns.ravel(), columns.shape[1]
    out = np.zeros(np.broadcast_shapes(np.shape(which), np.shape(rows)))
    for k in range(most):
        feature, *numbers = (
            np.array(column).take(which)
            for column in zip(*(terms[k] for terms in padded), strict=True)
        )
        with np.errstate(over="ignore", invalid="ignore"):
            part = term(flat.take(np.maximum(feature, 0) * n + rows), *numbers)
            out = part if k == 0 else np.where(feature < 0, out, out + part)
    return np.asarray(out)


def brief(value: float) -> float:
    """The number with three digits."""
    return float(f"{value:.3g}")


def plain_features(data: Dataset) -> list[int]:
    """The features that are plain numbers: no category, no date, no duration, no rank."""
    able = zip(data.levels, data.quantities, strict=True)
    return [f for f, (levels, quantity) in enumerate(able) if not levels and quantity == PLAIN]


def spread_of(column: Floats) -> float:
    """The standard deviation of the values that are there; 0 where they cannot be added up."""
    known = column[~np.isnan(column)]
    fine = len(known) > 0 and bool(np.abs(known).max() < LARGEST_PART)
    return float(known.std()) if fine else 0.0


def not_added(projection: Projection, data: Dataset) -> str:
    """Why the features of a projection cannot be added up on the data, '' if they can."""
    if problem := _not_plain(features_of(projection), data):
        return problem
    huge = np.isinf(score(projection, data.columns)).any()
    return "its score of some row is no number" if huge else ""


def _not_plain(features: Iterable[int], data: Dataset) -> str:
    able = plain_features(data)
    for feature in features:
        if feature >= len(data.features):
            return f"feature {feature} does not exist; there are {len(data.features)}"
        if feature not in able:
            return f"{quoted(data.features[feature])} is no plain number: it is not added to others"
    return ""


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
