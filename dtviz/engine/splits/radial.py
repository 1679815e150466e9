"""Round cuts: `(x1 - 3)² + 0.42·(x2 - 2)² <= threshold`, a squared distance to a centre [H].

Glossary
    term      (feature, centre, weight): what one feature adds to the squared distance
    bow       the part of the plane inside a threshold: an ellipse, or a band where one axis has all
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
from dtviz.base.text import Dialect, apart_from
from dtviz.data.dataset import Dataset
from dtviz.engine.splits.oblique import (
    LARGEST_PART,
    MOST_TERMS,
    NUMBER,
    added,
    brief,
    not_added,
    number_in,
    plain_features,
    spread_of,
    written,
)
from dtviz.engine.splits.split import Family, Form, Plane, Ring, joined, parted

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

CENTRES = 40
"""So many rows of a node are tried as centres, beside its mean and those of its classes."""
CORNERS = 96
"""A circle is drawn with so many corners."""
_TERM = re.compile(rf"([0-9]{{1,4}})({NUMBER})({NUMBER})")


@dataclass(frozen=True, slots=True, order=True)
class Radial:
    """The squared distance to a centre, over terms of (feature, centre, weight)."""

    family: ClassVar[str] = "radial"
    terms: tuple[tuple[int, float, float], ...]

    @property
    def features(self) -> tuple[int, ...]:
        """The features it is of."""
        return tuple(feature for feature, _, _ in self.terms)


def around(
    data: Dataset, centre: Sequence[float], over: Collection[int] | None = None
) -> Radial | None:
    """The distance to a point, given by its values of all features (M,), as the data spread.

    The first plain number weighs 1, each other so much that all count alike; None without one. Only
    the features that it is `over` count, all by default.
    """
    spreads = [one for one in _spreads(data) if over is None or one[0] in over]
    if not spreads:
        return None
    first = spreads[0][1]
    weights = ((feature, (first / spread) * (first / spread)) for feature, spread in spreads)
    terms = tuple((feature, float(centre[feature]), brief(weight)) for feature, weight in weights)
    sound = all(abs(at) < LARGEST_PART and 0 < weight < math.inf for _, at, weight in terms)
    return Radial(terms) if sound else None


@lru_cache(maxsize=4)
def _spreads(data: Dataset) -> tuple[tuple[int, float], ...]:
    """What each plain number that varies does so by, of the first MOST_TERMS."""
    features = plain_features(data)[:MOST_TERMS]
    spreads = ((feature, spread_of(data.columns[feature])) for feature in features)
    return tuple((feature, spread) for feature, spread in spreads if spread)


def _propose(data: Dataset) -> tuple[Radial, ...]:
    """The distance to the middle of all rows; where none can be told, to one value of a feature."""
    return tuple(_about_means(data, np.arange(data.n))) or _along_one(data)


def _along_one(data: Dataset) -> tuple[Radial, ...]:
    """The distance along the first plain number: where none varies it cuts nothing."""
    for feature in plain_features(data):
        column = data.columns[feature]
        known = column[~np.isnan(column)]
        if (np.abs(known) < LARGEST_PART).all():
            return (Radial(((feature, float(known.min(initial=0.0)), 1.0),)),)
    return ()


def _own(data: Dataset, rows: Ints) -> tuple[Radial, ...]:
    """The middle of the node, that of each class in it, and rows of it, as centres."""
    groups = [rows]
    if data.classes:
        y = data.y[rows]
        groups += [rows[y == code] for code in np.unique(y).tolist()]
    some = np.unique(np.linspace(0, len(rows) - 1, CENTRES).astype(np.intp))
    made = [one for group in groups for one in _about_means(data, group)]
    made += [
        one
        for row in rows[some]
        if (one := around(data, data.columns[:, row].tolist())) is not None
    ]
    return tuple(dict.fromkeys(made))


def _about_means(data: Dataset, rows: Ints) -> Iterator[Radial]:
    """The distance to the mean of some rows, to three digits of what the features vary by."""
    centre = np.full(len(data.features), np.nan)
    for feature, spread in _spreads(data):
        column = data.columns[feature, rows]
        known = column[~np.isnan(column)]
        if len(known):
            digits = 2 - math.floor(math.log10(spread))
            centre[feature] = round(float(known.mean()), digits)
    found = around(data, centre.tolist())
    if found is not None:
        yield found


def _score(projections: Sequence[Radial], which: Ints, columns: Floats, rows: Ints) -> Floats:
    return added(projections, which, columns, rows, _term)


def _term(value: Floats, centre: Floats, weight: Floats) -> Floats:
    apart = value - centre
    return weight * (apart * apart)


def _write(projection: Radial) -> str:
    return "-".join(f"{f}{written(at)}{written(weight)}" for f, at, weight in projection.terms)


def _read(text: str) -> Radial | None:
    terms = []
    for word in text.split("-", MOST_TERMS):
        found = _TERM.fullmatch(word)
        at, weight = (number_in(found[2]), number_in(found[3])) if found else (None, None)
        if found is None or at is None or weight is None or weight <= 0:
            return None
        terms.append((int(found[1]), at, weight))
    features = [feature for feature, _, _ in terms]
    return Radial(tuple(terms)) if features == sorted({*features}) else None


def _formula(projection: Radial, data: Dataset, dialect: Dialect) -> str:
    out = []
    for feature, centre, weight in projection.terms:
        name = dialect.name(data.features[feature])
        square = dialect.square(apart_from(name, centre, dialect.number))
        out.append(square if weight == 1 else dialect.times(dialect.number(weight), square))
    return " + ".join(out)


def _form(projection: Radial, plane: Plane) -> Form:
    terms = {feature: (at, weight) for feature, at, weight in projection.terms}
    u, p = terms.pop(plane.across, (0.0, 0.0))
    v, q = (0.0, 0.0) if plane.up is None else terms.pop(plane.up, (0.0, 0.0))
    base = sum(weight * (plane.pinned[f] - at) ** 2 for f, (at, weight) in terms.items())
    return Form(base, p=p, q=q, u=u, v=v)


def _clip(projection: Radial, threshold: float, ring: Ring, plane: Plane) -> tuple[Ring, Ring]:
    """The ring inside and outside of an ellipse, or of a band where the plane has one term."""
    form = _form(projection, plane)
    left = threshold - form.base
    if left < 0 or not (form.p or form.q):
        return ((), ring) if left < 0 else (ring, ())
    if not form.q:
        return _band(ring, 0, form.u, math.sqrt(left / form.p))
    if not form.p:
        return _band(ring, 1, form.v, math.sqrt(left / form.q))
    return _ellipse(ring, form, left)


def _band(ring: Ring, by: int, at: float, reach: float) -> tuple[Ring, Ring]:
    below, rest = parted(ring, by, at - reach)
    inside, above = parted(rest, by, at + reach) if rest else ((), ())
    return inside, joined([below, above])


def _ellipse(ring: Ring, form: Form, left: float) -> tuple[Ring, Ring]:
    """What of a ring is in an ellipse; both sides of its middle apart, so that none has a hole."""
    from shapely import Polygon, make_valid  # half a second: only who asks for it waits

    turns = 2 * math.pi * np.arange(CORNERS) / CORNERS
    wide, high = math.sqrt(left / form.p), math.sqrt(left / form.q)
    bow = Polygon(np.column_stack([form.u + wide * np.cos(turns), form.v + high * np.sin(turns)]))
    inside, outside = [], []
    for half in parted(ring, 0, form.u):
        if len(half) > 2:
            shape = make_valid(Polygon(half))
            inside += _rings(shape.intersection(bow))
            outside += _rings(shape.difference(bow))
    return joined(inside), joined(outside)


def _rings(shape: BaseGeometry) -> list[Ring]:
    """The polygons of a shape, each a ring that runs the way the window's does."""
    from shapely import Polygon, get_parts
    from shapely.geometry.polygon import orient

    some = [one for one in get_parts(shape).tolist() if isinstance(one, Polygon) and one.area]
    return [tuple((x, y) for x, y in orient(one).exterior.coords[:-1]) for one in some]


RADIAL = Family(
    name="radial",
    title="circles",
    code="r",
    propose=_propose,
    own=_own,
    by_all_rows=True,
    score=_score,
    problem=not_added,
    write=_write,
    read=_read,
    formula=_formula,
    clip=_clip,
    form=_form,
)
