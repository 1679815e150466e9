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
_NUMBER_PARTS = re.compile(r"([pm])([0-9]{1,17})(?:([ef])([0-9]{1,3}))?")


def number_text(value: float) -> str:
    """Text of a finite number in an address: sign, digits, power of ten.

    An address separates its parts by '.' and '-', so the text has only letters and digits: p or m
    for plus or minus, e or f for a power above or below 0.

    >>> number_text(-1.25), number_text(300.0)
    ('m125f2', 'p3e2')
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
    """Number of a text in an address; None if `number_text` does not write that text."""
    match = _NUMBER_PARTS.fullmatch(text)
    if match is None:
        return None
    sign, digits, letter, shift = match.groups()
    power = 0 if letter is None else int(shift) * (-1 if letter == "f" else 1)
    value = float(f"{'-' if sign == 'm' else ''}{digits}e{power}")
    return value if math.isfinite(value) and number_text(value) == text else None


MAX_TERMS = 20
"""Largest number of features of a projection."""
MAX_SQUARABLE = 1e150
"""Largest number whose square is sure to be a finite float, also in a sum of many."""


class SumOfTerms(Protocol):
    """Projection that is a sum of terms, each term with the same count of numbers."""

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
    """Score of rows[i] by projections[which[i]], a sum of terms; `which` and `rows` broadcast.

    `term` computes a term from the values of a feature and the numbers of the term. Exported code
    adds terms in the same order, so that both round alike.
    """
    n_terms = max(len(projection.terms) for projection in projections)
    padding = (-1, *projections[0].terms[0][1:])  # feature -1: no term
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
    """Number rounded to three significant digits."""
    return float(f"{value:.3g}")


def plain_features(data: Dataset) -> list[int]:
    """Features that are plain numbers: no category, no date, no duration, no rank."""
    kinds = zip(data.levels, data.quantities, strict=True)
    return [f for f, (levels, quantity) in enumerate(kinds) if not levels and quantity == PLAIN]


def standard_deviation(column: Floats) -> float:
    """Standard deviation of the values that are not missing; 0 without values or for huge ones."""
    values = column[~np.isnan(column)]
    can_square = len(values) > 0 and bool(np.abs(values).max() < MAX_SQUARABLE)
    return float(values.std()) if can_square else 0.0


def sum_problem(projection: Projection, data: Dataset) -> str:
    """Reason why the features of a projection cannot be added up on the data; '' if they can."""
    if problem := _plain_problem(features_of(projection), data):
        return problem
    overflows = np.isinf(score(projection, data.columns)).any()
    return "its score of some row is no number" if overflows else ""


def _plain_problem(features: Iterable[int], data: Dataset) -> str:
    plain = plain_features(data)
    for feature in features:
        if feature >= len(data.features):
            return f"feature {feature} does not exist; there are {len(data.features)}"
        if feature not in plain:
            return f"{quoted(data.features[feature])} is no plain number: it is not added to others"
    return ""


MAX_ANGLES = 36
"""Largest number of directions tried in a plane: 5 degrees apart if both features vary alike."""
MAX_POINT_PAIRS = 300
"""Largest number of pairs of rows for which every order that a direction can give is tried."""
MAX_FEATURES_IN_PLANES = 4
"""Number of features up to which the planes of two features are searched."""
MAX_SCORES_A_NODE = 4_000_000
"""Largest number of scores computed in a node: in large nodes fewer directions are tried."""
MAX_DISCRIMINANTS = 6
"""Largest number of classes with a discriminant: the classes with most rows in a node."""
MIN_PART = 0.01
"""Share of a direction's largest part; a feature with a smaller part is left out.

The part of a feature is its weight times its standard deviation.
"""
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


def direction(features: Sequence[int], weights: Floats, deviations: Floats) -> Oblique | None:
    """Projection with weights, (M,), in proportion: the first is 1, the others have three digits.

    `deviations` are the standard deviations of the features, (M,). Features whose part is small are
    left out, see MIN_PART; None where fewer than two are left.
    """
    parts = np.abs(weights * deviations)
    indices = np.flatnonzero(parts > MIN_PART * parts.max())
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        ratios = weights[indices] / weights[indices[:1]]
    if len(indices) < 2 or not np.isfinite(ratios).all() or not ratios.all():
        return None
    terms = zip(indices.tolist(), map(three_digits, ratios.tolist()), strict=True)
    return Oblique(tuple((features[index], weight) for index, weight in terms))


def _propose(data: Dataset) -> tuple[Axis, ...]:
    """Proposes the axes, which are directions too, where two features could make slanted ones."""
    features = plain_features(data)
    return tuple(map(Axis, features)) if len(features) > 1 else ()


def _propose_in_node(data: Dataset, rows: Ints) -> tuple[Oblique, ...]:
    """Proposes directions for a node: linear discriminants, or least squares, and those of planes.

    A plane is that of two features. Rows without a value of a plain number are left out, and so are
    features that do not vary.
    """
    features = plain_features(data)[:MAX_TERMS]
    columns = data.columns[np.array(features, int)[:, None], rows]
    is_complete = ~np.isnan(columns).any(axis=0)
    columns, y = columns[:, is_complete], data.y[rows[is_complete]]
    if not len(features) or not len(y):
        return ()
    deviations = np.array(list(map(standard_deviation, columns)))
    varying = np.flatnonzero(deviations)
    if len(varying) < 2:
        return ()
    features = [features[index] for index in varying.tolist()]
    columns, deviations = columns[varying], deviations[varying]
    z = (columns - columns.mean(axis=1, keepdims=True)) / deviations[:, None]
    discriminants = _discriminants(data, z, y)
    proposals = [direction(features, weights / deviations, deviations) for weights in discriminants]
    is_small = len(varying) <= MAX_FEATURES_IN_PLANES
    planes = [*combinations(range(len(varying)), 2)] if is_small else []
    for plane in map(list, planes):
        pair = [features[index] for index in plane]
        proposals += _directions_of_plane(pair, columns[plane], deviations[plane], len(planes))
    return tuple(dict.fromkeys(proposal for proposal in proposals if proposal is not None))


def _directions_of_plane(
    pair: Sequence[int], points: Floats, deviations: Floats, n_planes: int
) -> Iterator[Oblique]:
    """Generates directions of a plane of two features, one of `n_planes`; its points are (2, n)."""
    ratios = _ratios_between(points, MAX_POINT_PAIRS // n_planes)
    if ratios is not None:
        yield from (Oblique(((pair[0], 1.0), (pair[1], ratio))) for ratio in ratios)
        return
    n_angles = min(max(MAX_SCORES_A_NODE // (n_planes * points.shape[1]), 4), MAX_ANGLES)
    directions = _angles(n_angles) / deviations[:, None]
    parts = np.abs(directions * deviations[:, None])
    has_both = (parts > MIN_PART * parts.max(axis=0)).all(axis=0)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        slopes = (directions[1] / directions[0])[has_both]
    for ratio in slopes[np.isfinite(slopes) & (slopes != 0)].tolist():
        yield Oblique(((pair[0], 1.0), (pair[1], three_digits(ratio))))


@lru_cache(maxsize=MAX_ANGLES)
def _angles(n_angles: int) -> Floats:
    """Directions of a plane at equal angles: cosines and sines, (2, n_angles)."""
    angles = (np.pi * np.arange(n_angles) / n_angles).tolist()
    return np.array([[*map(math.cos, angles)], [*map(math.sin, angles)]])


def _discriminants(data: Dataset, z: Floats, y: Ints) -> Iterator[Floats]:
    """Fisher's direction of each class against the rest, (M,); least squares for a regression.

    `z` are standardised columns, (M, n).
    """
    # With a small number on its diagonal the matrix can be inverted for equal columns too.
    covariance = z @ z.T / z.shape[1] + 1e-9 * np.eye(len(z))
    if not data.classes:
        yield np.linalg.solve(covariance, z @ (y - y.mean()))
        return
    counts = np.bincount(y)
    codes = np.argsort(-counts, kind="stable")[: min(np.count_nonzero(counts), MAX_DISCRIMINANTS)]
    for code in codes[: 1 if len(codes) == 2 else None].tolist():  # of two, both have the same
        is_class = y == code
        difference = 0 * z[:, 0]
        if not is_class.all():
            difference = z[:, is_class].mean(axis=1) - z[:, ~is_class].mean(axis=1)
        yield np.linalg.solve(covariance, difference)


def _ratios_between(points: Floats, max_pairs: int) -> list[float] | None:
    """Ratios r such that the scores `x + r y` put the points, (2, n), in every possible order.

    Two points change places at a tie, the ratio where their scores are equal. One ratio between any
    two neighbouring ties is enough. None for more than `max_pairs` pairs of points, or no tie.
    """
    plane = np.empty(points.shape[1], np.complex128)  # sorts both coordinates at once
    plane.real, plane.imag = points
    plane = np.unique(plane)
    n = len(plane)
    if n * (n - 1) > 2 * max_pairs:
        return None
    first, second = np.triu_indices(n, 1)
    differences = plane[first] - plane[second]
    dx, dy = differences.real, differences.imag
    with np.errstate(over="ignore"):
        ties = np.unique(-dx[dy != 0] / dy[dy != 0])
    ties = ties[np.isfinite(ties)]
    if not len(ties):
        return None
    margin = 1.0 + float(np.abs(ties).max())
    ends = [float(ties[0]) - margin, *ties.tolist(), float(ties[-1]) + margin]
    return [ratio for low, high in pairwise(ends) if (ratio := _shortest_between(low, high))]


def _shortest_between(low: float, high: float) -> float:
    """Number between two others with the fewest digits, near their middle; 0 if there is none."""
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
        term = name if abs(weight) == 1 else dialect.product(dialect.number(abs(weight)), name)
        out = f"{out} {sign} {term}" if out else ("-" if sign == "-" else "") + term
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
