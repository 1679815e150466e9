"""Radial splits: `(x1 - 3)² + 0.42·(x2 - 2)² <= threshold`, a squared distance to a centre.

A term (feature, centre, weight) is what one feature adds to the squared distance. The part of the
plane where the squared distance is at most a threshold is an ellipse, or a band where only one axis
of the plane has a term.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from dtviz.base.arrays import Floats, Ints
from dtviz.base.text import Dialect, difference_text
from dtviz.data.dataset import Dataset
from dtviz.engine.splits.oblique import (
    MAX_SQUARABLE,
    MAX_TERMS,
    NUMBER,
    number_in,
    number_text,
    plain_features,
    standard_deviation,
    sum_of_terms,
    sum_problem,
    three_digits,
)
from dtviz.engine.splits.split import Family, FeaturePlane, PlaneForm, Ring, divide_ring, join_rings

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

MAX_ROWS_AS_CENTRES = 40
"""Largest number of rows of a node that are tried as centres, beside its means."""
ELLIPSE_CORNERS = 96
"""Number of corners of the polygon that is drawn for an ellipse."""
_TERM = re.compile(rf"([0-9]{{1,4}})({NUMBER})({NUMBER})")


@dataclass(frozen=True, slots=True, order=True)
class Radial:
    """Squared distance to a centre."""

    family: ClassVar[str] = "radial"
    """Name of the family."""
    terms: tuple[tuple[int, float, float], ...]
    """Terms (feature, centre, weight), the features ascending."""

    @property
    def features(self) -> tuple[int, ...]:
        """Features of the terms."""
        return tuple(feature for feature, _, _ in self.terms)


def radial_around(
    data: Dataset, centre: Sequence[float], features: Collection[int] | None = None
) -> Radial | None:
    """Squared distance to a centre, which has a value of each feature, (M,).

    The weight of a feature is the variance of the first plain number over that of the feature, so
    that all features count alike. `features` limits those that count; None: all. Returns None if no
    plain number varies, or if a coordinate or a weight is too large for a distance.
    """
    deviations = [
        pair for pair in _standard_deviations(data) if features is None or pair[0] in features
    ]
    if not deviations:
        return None
    first = deviations[0][1]
    weights = ((feature, (first / each) * (first / each)) for feature, each in deviations)
    terms = tuple((f, float(centre[f]), three_digits(weight)) for f, weight in weights)
    is_finite = all(abs(c) < MAX_SQUARABLE and 0 < weight < math.inf for _, c, weight in terms)
    return Radial(terms) if is_finite else None


@lru_cache(maxsize=4)
def _standard_deviations(data: Dataset) -> tuple[tuple[int, float], ...]:
    """Features with their standard deviation above 0, of the first MAX_TERMS plain numbers."""
    features = plain_features(data)[:MAX_TERMS]
    deviations = ((feature, standard_deviation(data.columns[feature])) for feature in features)
    return tuple((feature, deviation) for feature, deviation in deviations if deviation)


def _propose(data: Dataset) -> tuple[Radial, ...]:
    """Proposes the distance to the mean of all rows, or along one feature if there is none."""
    return tuple(_around_mean(data, np.arange(data.n))) or _propose_along_feature(data)


def _propose_along_feature(data: Dataset) -> tuple[Radial, ...]:
    """Proposes the distance along the first plain number whose values can be squared.

    Where no plain number varies, the score is the same for all rows and cuts nothing. But rules
    without any projection would be refused.
    """
    for feature in plain_features(data):
        column = data.columns[feature]
        values = column[~np.isnan(column)]
        if (np.abs(values) < MAX_SQUARABLE).all():
            return (Radial(((feature, float(values.min(initial=0.0)), 1.0),)),)
    return ()


def _propose_in_node(data: Dataset, rows: Ints) -> tuple[Radial, ...]:
    """Proposes as centres the mean of the node, that of each class in it, and some of its rows."""
    groups = [rows]
    if data.classes:
        y = data.y[rows]
        groups += [rows[y == code] for code in np.unique(y).tolist()]
    positions = np.unique(np.linspace(0, len(rows) - 1, MAX_ROWS_AS_CENTRES).astype(int))
    proposals = [projection for group in groups for projection in _around_mean(data, group)]
    proposals += [
        projection
        for row in rows[positions]
        if (projection := radial_around(data, data.columns[:, row].tolist())) is not None
    ]
    return tuple(dict.fromkeys(proposals))


def _around_mean(data: Dataset, rows: Ints) -> Iterator[Radial]:
    """Generates the distance to the mean of the rows, if any, with few digits.

    A coordinate is rounded to a hundredth of the power of ten of its standard deviation.
    """
    centre = np.full(len(data.features), np.nan)
    for feature, deviation in _standard_deviations(data):
        column = data.columns[feature, rows]
        values = column[~np.isnan(column)]
        if len(values):
            digits = 2 - math.floor(math.log10(deviation))
            centre[feature] = round(float(values.mean()), digits)
    projection = radial_around(data, centre.tolist())
    if projection is not None:
        yield projection


def _score(projections: Sequence[Radial], which: Ints, columns: Floats, rows: Ints) -> Floats:
    return sum_of_terms(projections, which, columns, rows, _term_score)


def _term_score(value: Floats, centre: Floats, weight: Floats) -> Floats:
    distance = value - centre
    return weight * (distance * distance)


def _write(projection: Radial) -> str:
    return "-".join(f"{f}{number_text(c)}{number_text(w)}" for f, c, w in projection.terms)


def _read(text: str) -> Radial | None:
    terms = []
    for word in text.split("-", MAX_TERMS):
        match = _TERM.fullmatch(word)
        centre, weight = (number_in(match[2]), number_in(match[3])) if match else (None, None)
        if match is None or centre is None or weight is None or weight <= 0:
            return None
        terms.append((int(match[1]), centre, weight))
    features = [feature for feature, _, _ in terms]
    return Radial(tuple(terms)) if features == sorted({*features}) else None


def _formula(projection: Radial, data: Dataset, dialect: Dialect) -> str:
    out = []
    for feature, centre, weight in projection.terms:
        name = dialect.name(data.features[feature])
        square = dialect.square(difference_text(name, centre, dialect.number))
        out.append(square if weight == 1 else dialect.product(dialect.number(weight), square))
    return " + ".join(out)


def _form(projection: Radial, plane: FeaturePlane) -> PlaneForm:
    terms = {feature: (centre, weight) for feature, centre, weight in projection.terms}
    u, p = terms.pop(plane.across, (0.0, 0.0))
    v, q = (0.0, 0.0) if plane.up is None else terms.pop(plane.up, (0.0, 0.0))
    base = sum(weight * (plane.pinned[f] - centre) ** 2 for f, (centre, weight) in terms.items())
    return PlaneForm(base, p=p, q=q, u=u, v=v)


def _clip(
    projection: Radial, threshold: float, ring: Ring, plane: FeaturePlane
) -> tuple[Ring, Ring]:
    """Parts of a ring inside and outside of an ellipse, or of a band of one axis."""
    form = _form(projection, plane)
    squared_reach = threshold - form.base
    if squared_reach < 0 or not (form.p or form.q):
        return ((), ring) if squared_reach < 0 else (ring, ())
    if not form.q:
        return _divide_at_band(ring, 0, form.u, math.sqrt(squared_reach / form.p))
    if not form.p:
        return _divide_at_band(ring, 1, form.v, math.sqrt(squared_reach / form.q))
    return _divide_at_ellipse(ring, form, squared_reach)


def _divide_at_band(ring: Ring, coordinate: int, middle: float, reach: float) -> tuple[Ring, Ring]:
    below, rest = divide_ring(ring, coordinate, middle - reach)
    inside, above = divide_ring(rest, coordinate, middle + reach) if rest else ((), ())
    return inside, join_rings([below, above])


def _divide_at_ellipse(ring: Ring, form: PlaneForm, squared_reach: float) -> tuple[Ring, Ring]:
    """Parts of a ring inside and outside of an ellipse.

    The ring is divided at the middle of the ellipse, so that no part has a hole.
    """
    # Importing shapely takes half a second, and few pictures need it.
    from shapely import Polygon, make_valid

    angles = 2 * math.pi * np.arange(ELLIPSE_CORNERS) / ELLIPSE_CORNERS
    half_width, half_height = (math.sqrt(squared_reach / each) for each in (form.p, form.q))
    corners = np.column_stack(
        [form.u + half_width * np.cos(angles), form.v + half_height * np.sin(angles)]
    )
    ellipse = Polygon(corners)
    inside, outside = [], []
    for half in divide_ring(ring, 0, form.u):
        if len(half) > 2:
            shape = make_valid(Polygon(half))
            inside += _rings(shape.intersection(ellipse))
            outside += _rings(shape.difference(ellipse))
    return join_rings(inside), join_rings(outside)


def _rings(shape: BaseGeometry) -> list[Ring]:
    """Outlines of the polygons of a shape, as rings that run counter-clockwise."""
    from shapely import Polygon, get_parts
    from shapely.geometry.polygon import orient

    parts = get_parts(shape).tolist()
    polygons = [part for part in parts if isinstance(part, Polygon) and part.area]
    return [tuple((x, y) for x, y in orient(polygon).exterior.coords[:-1]) for polygon in polygons]


RADIAL = Family(
    name="radial",
    title="circles",
    code="r",
    propose=_propose,
    propose_in_node=_propose_in_node,
    depends_on_rows=True,
    score=_score,
    problem=sum_problem,
    write=_write,
    read=_read,
    formula=_formula,
    clip=_clip,
    form=_form,
)
