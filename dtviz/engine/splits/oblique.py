"""Oblique splits: `x1 + 0.42·x2 <= threshold`, along directions that each node proposes."""

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
    FeaturePlane,
    PlaneForm,
    Projection,
    features_of,
    linear_clip,
    score,
)

NUMBER = r"[pm][0-9]{1,17}(?:[ef][0-9]{1,3})?"
"""Pattern of a number in an address."""
_PARTS = re.compile(r"([pm])([0-9]{1,17})(?:([ef])([0-9]{1,3}))?")


def number_text(value: float) -> str:
    """Text of a finite number in an address.

    It has p or m for the sign, the digits, and e or f with the decimal places the point is moved.
    """
    digits, _, power = f"{abs(value)!r}".replace("E", "e").partition("e")
    integer, _, decimals = digits.partition(".")
    decimals = decimals.rstrip("0")
    significant = (integer + decimals).lstrip("0")
    mantissa = significant.rstrip("0") or "0"
    shift = int(power or 0) - len(decimals) + len(significant) - len(mantissa) if significant else 0
    scale = f"{'f' if shift < 0 else 'e'}{abs(shift)}" if shift else ""
    return f"{'m' if value < 0 else 'p'}{mantissa}{scale}"


def number_in(text: str) -> float | None:
    """Number that a text in an address stands for; None: the text is none of `number_text`."""
    match = _PARTS.fullmatch(text)
    if match is None:
        return None
    sign, digits, mark, shift = match.groups()
    power = 0 if mark is None else int(shift) * (-1 if mark == "f" else 1)
    value = float(f"{'-' if sign == 'm' else ''}{digits}e{power}")
    return value if math.isfinite(value) and number_text(value) == text else None


MAX_TERMS = 20
"""Largest number of features of a projection."""
LARGEST_PART = 1e150
"""Bound on numbers whose squares are floats."""


class SumOfTerms(Protocol):
    """Projection that is a sum of terms, all with as many numbers."""

    @property
    def terms(self) -> tuple[tuple[Any, ...], ...]:
        """Terms (feature, numbers), the features ascending."""


def sum_of_terms(
    projections: Sequence[SumOfTerms],
    which: Ints,
    columns: Floats,
    rows: Ints,
    term: Callable[..., Floats],
) -> Floats:
    """Score of projections that are sums, added term by term, in the order of every export.

    `term` computes a term from the values of a feature and the numbers of the term.
    """
    n_terms = max(len(projection.terms) for projection in projections)
    padding = (-1, *projections[0].terms[0][1:])
    padded = [
        (*projection.terms, *(padding,) * (n_terms - len(projection.terms)))
        for projection in projections
    ]
    flat, n = columns.ravel(), columns.shape[1]
    out = np.zeros(np.broadcast_shapes(np.shape(which), np.shape(rows)))
    for k in range(n_terms):
        feature, *numbers = (
            np.array(column).take(which)
            for column in zip(*(terms[k] for terms in padded), strict=True)
        )
        with np.errstate(over="ignore", invalid="ignore"):
            part = term(flat.take(np.maximum(feature, 0) * n + rows), *numbers)
            out = part if k == 0 else np.where(feature < 0, out, out + part)
    return np.asarray(out)


def three_digits(value: float) -> float:
    """Number rounded to three digits."""
    return float(f"{value:.3g}")


def plain_features(data: Dataset) -> list[int]:
    """Features that are plain numbers: no category, no date, no duration, no rank."""
    able = zip(data.levels, data.quantities, strict=True)
    return [f for f, (levels, quantity) in enumerate(able) if not levels and quantity == PLAIN]


def spread_of(column: Floats) -> float:
    """Standard deviation of the known values; 0 where they cannot be added up."""
    values = column[~np.isnan(column)]
    can_square = len(values) > 0 and bool(np.abs(values).max() < LARGEST_PART)
    return float(values.std()) if can_square else 0.0


def sum_problem(projection: Projection, data: Dataset) -> str:
    """Reason why the features of a projection cannot be added up on the data; '' if they can."""
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
"""Number of directions tried in a plane: 5 degrees apart where both features spread alike."""
MAX_RATIOS = 300
"""Number of ratios at which two rows score the same, up to which one between each two is tried."""
MAX_FEATURES_IN_PLANES = 4
"""Number of features up to which the planes of two features are searched."""
MAX_SCORES_A_NODE = 4_000_000
"""Number of scores of a node: fewer directions are tried in large nodes."""
MAX_DISCRIMINANTS = 6
"""Number of classes, the largest of a node, that get a discriminant."""
MIN_PART = 0.01
"""Share of the largest part of a direction below which a feature is left out of it."""
_TERM = re.compile(rf"([0-9]{{1,4}})({NUMBER})")


@dataclass(frozen=True, slots=True, order=True)
class Oblique:
    """Projection on a direction: the sum of weight times value."""

    family: ClassVar[str] = "oblique"
    """Name of the family."""
    terms: tuple[tuple[int, float], ...]
    """Terms (feature, weight), the features ascending."""

    @property
    def features(self) -> tuple[int, ...]:
        """Features of the terms."""
        return tuple(feature for feature, _ in self.terms)


def direction(features: Sequence[int], weights: Floats, spread: Floats) -> Oblique | None:
    """Projection along the weights, (M,), divided by the first and rounded to three digits.

    `spread` is the spread of each feature: features whose part is small are left out. None where
    fewer than two are left.
    """
    parts = np.abs(weights * spread)
    indices = np.flatnonzero(parts > MIN_PART * parts.max())
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        ratios = weights[indices] / weights[indices[:1]]
    if len(indices) < 2 or not np.isfinite(ratios).all() or not ratios.all():
        return None
    terms = zip(indices.tolist(), map(three_digits, ratios.tolist()), strict=True)
    return Oblique(tuple((features[index], weight) for index, weight in terms))


def _propose(data: Dataset) -> tuple[Axis, ...]:
    """Proposes the axes, which are directions too."""
    features = plain_features(data)
    return tuple(map(Axis, features)) if len(features) > 1 else ()


def _propose_in_node(data: Dataset, rows: Ints) -> tuple[Oblique, ...]:
    """Proposes linear discriminants of a node, or least squares, and directions of its planes.

    Rows with a missing plain number are left out, and numbers that do not vary.
    """
    features = plain_features(data)[:MAX_TERMS]
    columns = data.columns[np.array(features, int)[:, None], rows]
    is_complete = ~np.isnan(columns).any(axis=0)
    columns, y = columns[:, is_complete], data.y[rows[is_complete]]
    if not len(features) or not len(y):
        return ()
    spread = np.array(list(map(spread_of, columns)))
    varying = np.flatnonzero(spread)
    if len(varying) < 2:
        return ()
    features = [features[index] for index in varying.tolist()]
    columns, spread = columns[varying], spread[varying]
    z = (columns - columns.mean(axis=1, keepdims=True)) / spread[:, None]
    discriminants = _discriminants(data, z, y)
    proposals = [direction(features, weights / spread, spread) for weights in discriminants]
    is_small = len(varying) <= MAX_FEATURES_IN_PLANES
    planes = [*combinations(range(len(varying)), 2)] if is_small else []
    for plane in map(list, planes):
        pair = [features[index] for index in plane]
        proposals += _directions_of_plane(pair, columns[plane], spread[plane], len(planes))
    return tuple(dict.fromkeys(proposal for proposal in proposals if proposal is not None))


def _directions_of_plane(
    pair: Sequence[int], points: Floats, spread: Floats, planes: int
) -> Iterator[Oblique]:
    """Generates directions of a plane of two features, one of `planes`; its points are (2, n)."""
    ratios = _ratios_between(points, MAX_RATIOS // planes)
    if ratios is not None:
        yield from (Oblique(((pair[0], 1.0), (pair[1], ratio))) for ratio in ratios)
        return
    n_angles = min(max(MAX_SCORES_A_NODE // (planes * points.shape[1]), 4), ANGLES)
    directions = _angles(n_angles) / spread[:, None]
    parts = np.abs(directions * spread[:, None])
    has_both = (parts > MIN_PART * parts.max(axis=0)).all(axis=0)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        slopes = (directions[1] / directions[0])[has_both]
    for ratio in slopes[np.isfinite(slopes) & (slopes != 0)].tolist():
        yield Oblique(((pair[0], 1.0), (pair[1], three_digits(ratio))))


@lru_cache(maxsize=ANGLES)
def _angles(n_angles: int) -> Floats:
    """Directions of a plane, evenly spread: cosines and sines, (2, n_angles)."""
    angles = (np.pi * np.arange(n_angles) / n_angles).tolist()
    return np.array([[*map(math.cos, angles)], [*map(math.sin, angles)]])


def _discriminants(data: Dataset, z: Floats, y: Ints) -> Iterator[Floats]:
    """Fisher's direction of each class against the rest, (M,); for numbers least squares."""
    covariance = z @ z.T / z.shape[1] + 1e-9 * np.eye(len(z))
    if not data.classes:
        yield np.linalg.solve(covariance, z @ (y - y.mean()))
        return
    counts = np.bincount(y)
    codes = np.argsort(-counts, kind="stable")[: min(np.count_nonzero(counts), MAX_DISCRIMINANTS)]
    for code in codes[: 1 if len(codes) == 2 else None].tolist():
        is_class = y == code
        difference = 0 * z[:, 0]
        if not is_class.all():
            difference = z[:, is_class].mean(axis=1) - z[:, ~is_class].mean(axis=1)
        yield np.linalg.solve(covariance, difference)


def _ratios_between(points: Floats, max_ratios: int) -> list[float] | None:
    """Ratios r for which `x + r y` puts the points, (2, n), in every order that a line can.

    Two points change places where x + r y is the same for both; one ratio between each two such
    values is enough. None where there are more than `max_ratios` of them.
    """
    plane = np.empty(points.shape[1], np.complex128)  # a point as a number is sorted at once
    plane.real, plane.imag = points
    plane = np.unique(plane)
    n = len(plane)
    if n * (n - 1) > 2 * max_ratios:
        return None
    first, second = np.triu_indices(n, 1)
    differences = plane[first] - plane[second]
    across, up = differences.real, differences.imag
    with np.errstate(over="ignore"):
        ties = np.unique(-across[up != 0] / up[up != 0])
    ties = ties[np.isfinite(ties)]
    if not len(ties):
        return None
    margin = 1.0 + float(np.abs(ties).max())
    ends = [float(ties[0]) - margin, *ties.tolist(), float(ties[-1]) + margin]
    return [ratio for low, high in pairwise(ends) if (ratio := _shortest_between(low, high))]


def _shortest_between(low: float, high: float) -> float:
    """Shortest number between two others, near their middle; 0 where there is none."""
    middle = low / 2 + high / 2
    for digits in range(1, 17):
        if low < (rounded := float(f"{middle:.{digits}g}")) < high:
            return rounded
    return 0.0


def _score(projections: Sequence[Oblique], which: Ints, columns: Floats, rows: Ints) -> Floats:
    return sum_of_terms(projections, which, columns, rows, np.multiply)


def _read(text: str) -> Oblique | None:
    matches = [_TERM.fullmatch(word) for word in text.split("-", MAX_TERMS)]
    pairs = [(int(match[1]), number_in(match[2])) for match in matches if match is not None]
    terms = [(feature, weight) for feature, weight in pairs if weight]
    features = [feature for feature, _ in terms]
    if len(matches) > len(terms) or len(terms) < 2 or features != sorted({*features}):
        return None
    return Oblique(tuple(terms))


def _write(projection: Oblique) -> str:
    return "-".join(f"{feature}{number_text(weight)}" for feature, weight in projection.terms)


def _formula(projection: Oblique, data: Dataset, dialect: Dialect) -> str:
    out = ""
    for feature, weight in projection.terms:
        name, sign = dialect.name(data.features[feature]), "-" if weight < 0 else "+"
        times = name if abs(weight) == 1 else dialect.product(dialect.number(abs(weight)), name)
        out = f"{out} {sign} {times}" if out else ("-" if sign == "-" else "") + times
    return out


def _form(projection: Oblique, plane: FeaturePlane) -> PlaneForm:
    weights = dict(projection.terms)
    a = weights.pop(plane.across, 0.0)
    b = 0.0 if plane.up is None else weights.pop(plane.up, 0.0)
    return PlaneForm(sum(weight * plane.pinned[f] for f, weight in weights.items()), a, b)


OBLIQUE = Family(
    name="oblique",
    title="slanted lines",
    code="o",
    propose=_propose,
    propose_in_node=_propose_in_node,
    score=_score,
    problem=sum_problem,
    write=_write,
    read=_read,
    formula=_formula,
    clip=linear_clip,
    form=_form,
)
