"""What a tree asks of a row: is `score(x) <= threshold`? Here is what every kind of score shares.

Glossary
    projection   how a row becomes one number, its score; a small hashable value of its family
    threshold    rows whose score is at most it go left, the others right
    family       all projections of a kind, and the only code that knows what is in them
    span         what a path says of one projection: low < score <= high, infinite where it says
                 nothing
    dialect      how a language writes names, numbers and spans: words, LaTeX, Python, SQL; in text
    plane        the picture's two axes, see `Plane`
    ring         a polygon in the plane: its corners (x, y), none if it is empty; of several parts
                 there is a GAP between one and the next
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.text import Dialect
from dtviz.data.categories import Level
from dtviz.data.dataset import Dataset
from dtviz.data.units import PLAIN, Quantity, kind_of

Ring = tuple[tuple[float, ...], ...]
Span = tuple[float, float]
EVERYWHERE: Span = (-np.inf, np.inf)
GAP = (math.nan, math.nan)


class Projection(Protocol):
    """A hashable value of the family named in `family`."""

    family: ClassVar[str]

    def __hash__(self) -> int:
        """Hash of the value."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Where rows without a score go: `left` or right, once no surrogate has decided.

    The first of the `surrogates` that has a score of its own does; None where none were asked for.
    It is `given` where whoever made the split said so, and not the rows of its node.
    """

    left: bool = False
    surrogates: tuple[Surrogate, ...] | None = None
    given: bool = False


RIGHT, LEFT = Missing(False), Missing(True)
GIVEN_RIGHT, GIVEN_LEFT = Missing(False, given=True), Missing(True, given=True)


class Split(NamedTuple):
    """A row goes left when its score by the projection is at most `threshold`.

    `missing` is what the rows of a tree say of those without a score; splits are equal without it.
    """

    projection: Projection
    threshold: float
    missing: Missing = RIGHT

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Split) and self[:2] == other[:2]

    def __hash__(self) -> int:
        return hash(self[:2])


@dataclass(frozen=True, slots=True)
class Surrogate:
    """A split that stands in for another: it sends rows where that would have; `turned`: if not it.

    `agreement` is the share of the weight of the rows the other can send that this sends alike,
    `adjusted` how much of what the majority gets wrong it gets right, both as rpart has them.
    """

    split: Split
    turned: bool
    agreement: float
    adjusted: float


class Splits(NamedTuple):
    """Many splits as columns: the k-th cuts projections[line[k]] at threshold[k]; both (K,).

    `left`, (K,), says which send rows without a score left, None: none does; `surrogates` which
    ask others first.
    """

    projections: tuple[Projection, ...]
    line: Ints
    threshold: Floats
    left: Bools | None = None
    surrogates: Mapping[int, tuple[Surrogate, ...]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Plane:
    """The features across and up (None where the target stands), all others at `pinned`, (M,).

    A category on an axis has its codes at their `places`, or at the codes themselves. Below its
    place in `gutters` an axis has the rows without a value of its feature.
    """

    across: int
    up: int | None
    pinned: tuple[float, ...]
    places: Mapping[int, Sequence[int]] = field(default_factory=dict)
    gutters: Mapping[int, float] = field(default_factory=dict)


class Form(NamedTuple):
    """A score over a plane: at (x, y) it is base + a x + b y + p (x - u)² + q (y - v)²."""

    base: float
    a: float = 0.0
    b: float = 0.0
    p: float = 0.0
    q: float = 0.0
    u: float = 0.0
    v: float = 0.0


def _compared(projection: Projection, low: str, high: str, data: Dataset, dialect: Dialect) -> str:
    """The score between the bounds."""
    quantity = quantity_of(projection, data)
    score = formula(projection, data, dialect)
    return kind_of(quantity).condition(dialect, score, low, high, quantity)


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of split; `title` says which in a user's words.

    `propose` gives the projections that every node of a tree on the data tries. `score` is
    vectorised over many: the score of rows[i] of the columns (M, n) by projections[which[i]], where
    the two arrays broadcast. `problem` says why a projection does not suit the data, '' if it does.
    `write` and `read` are a pair: text of letters, digits and '-' for addresses. `formula` writes
    the score in a dialect. `axis` is the feature whose values are the scores, or None.
    `clip` parts a ring of one part into what goes left and what goes right. `condition` writes
    low < score <= high in a dialect, the bounds given as its texts; '' where there is none.
    `levels` are the values whose places are the scores, where these have no order: then each node
    cuts them in one of its own, and `naming` is the split that sends some places left. `joint` is
    one projection, and whether its left side, for the sides that several of one feature take: each
    with whether it is the left one; None where no rows are on all of them. `own` gives the
    projections that the node of some rows tries beside those, told by these rows in order.
    `by_all_rows`: what is tried is told by all rows of the data too, and not by its features alone.
    `form` says how the score stands over a plane, where it is on none of its axes.
    """

    name: str
    title: str
    code: str
    propose: Callable[[Dataset], tuple[Projection, ...]]
    score: Callable[[Sequence[Any], Ints, Floats, Ints], Floats]
    problem: Callable[[Any, Dataset], str]
    write: Callable[[Any], str]
    read: Callable[[str], Projection | None]
    formula: Callable[[Any, Dataset, Dialect], str]
    clip: Callable[[Any, float, Ring, Plane], tuple[Ring, Ring]]
    axis: Callable[[Any], int | None] = lambda projection: None
    condition: Callable[[Any, str, str, Dataset, Dialect], str] = _compared
    levels: Callable[[Any, Dataset], tuple[Level, ...]] = lambda projection, data: ()
    naming: Callable[[Any, Sequence[int]], Split] | None = None
    joint: Callable[[Mapping[Any, bool]], tuple[Projection, bool] | None] | None = None
    own: Callable[[Dataset, Ints], tuple[Projection, ...]] | None = None
    by_all_rows: bool = False
    form: Callable[[Any, Plane], Form] | None = None


FAMILIES: dict[str, Family] = {}
"""Every family by name."""


def family_of(projection: Projection) -> Family:
    """The family a projection is of."""
    return FAMILIES[projection.family]


def order_of(projection: Projection) -> tuple[int, Projection]:
    """What projections are sorted by: their family's place, then themselves."""
    return list(FAMILIES).index(projection.family), projection


def narrowed(span: Span | None, split: Split, left: bool) -> Span:
    """What is left of a projection's span (None: all of it) on one side of a split."""
    low, high = span or EVERYWHERE
    limit = split.threshold
    return (low, min(high, limit)) if left else (max(low, limit), high)


def condition(projection: Projection, low: str, high: str, data: Dataset, dialect: Dialect) -> str:
    """low < score <= high in a dialect, the bounds given as its texts; '' where there is none."""
    return family_of(projection).condition(projection, low, high, data, dialect)


def formula(projection: Projection, data: Dataset, dialect: Dialect) -> str:
    """The score in a dialect: 'x1'."""
    return family_of(projection).formula(projection, data, dialect)


def levels_of(projection: Projection, data: Dataset) -> tuple[Level, ...]:
    """The values whose places are the scores, where these have no order."""
    return family_of(projection).levels(projection, data)


def naming(projection: Projection, named: Sequence[int]) -> Split:
    """The split that sends these places of such values left."""
    found = family_of(projection).naming
    assert found is not None
    return found(projection, named)


def axis_of(projection: Projection) -> int | None:
    """The feature along whose axis the thresholds of a projection stand, or None."""
    return family_of(projection).axis(projection)


def quantity_of(projection: Projection, data: Dataset) -> Quantity:
    """What the score of a projection measures: that of the feature whose axis it has, if any."""
    axis = axis_of(projection)
    return PLAIN if axis is None else data.quantities[axis]


def feature_of(projection: Projection) -> int | None:
    """The one feature that a projection is of, or None."""
    return getattr(projection, "feature", None)


def features_of(projection: Projection) -> tuple[int, ...]:
    """The features that a projection is of, as far as it says."""
    feature = feature_of(projection)
    several: tuple[int, ...] = getattr(projection, "features", ())
    return several if feature is None else (feature,)


def splits_of(some: Iterable[Split]) -> Splits:
    """The splits as columns."""
    splits = list(some)
    place: dict[Projection, int] = {}
    line = [place.setdefault(split.projection, len(place)) for split in splits]
    limits = np.array([split.threshold for split in splits], np.float64)
    left = np.array([split.missing.left for split in splits], np.bool_)
    asked = {at: found for at, one in enumerate(splits) if (found := one.missing.surrogates)}
    return Splits(tuple(place), np.array(line, np.intp), limits, left, asked)


def scores(projections: Sequence[Projection], which: Ints, columns: Floats, rows: Ints) -> Floats:
    """The score of rows[i] by projections[which[i]]; columns (M, n); both broadcast."""
    names = [projection.family for projection in projections]
    kinds = dict.fromkeys(names)
    if len(kinds) == 1:
        return FAMILIES[names[0]].score(projections, which, columns, rows)
    which, rows = np.broadcast_arrays(which, rows)
    out = np.full(which.shape, np.nan)
    for name in kinds:
        ours = np.array([other == name for other in names])
        own = ours.take(which)
        some = [one for one, other in zip(projections, names, strict=True) if other == name]
        place = (ours.cumsum() - 1).take(which[own])
        out[own] = FAMILIES[name].score(some, place, columns, rows[own])
    return out


def score(projection: Projection, columns: Floats, rows: Ints | None = None) -> Floats:
    """The score of each of the rows (all by default): columns (M, n) -> (n,)."""
    at = np.arange(columns.shape[1]) if rows is None else rows
    return scores((projection,), np.zeros(1, np.intp), columns, at)


def goes_left(
    split: Split | Splits,
    columns: Floats,
    rows: Ints | None = None,
    which: Ints | None = None,
) -> Bools:
    """Which of the rows (all by default) go left; a row exactly at the threshold does.

    Rows without a score go where `missing` sends them.
    `columns` has shape (M, n). Of many splits rows[i] meets the one at which[i]; `rows` and `which`
    broadcast.
    """
    many = splits_of([split]) if isinstance(split, Split) else split
    at = np.arange(columns.shape[1]) if rows is None else rows
    by = np.zeros(1, np.intp) if which is None else which
    return answers(many, columns)(at, by)


def answers(many: Splits, columns: Floats) -> Callable[[Ints, Ints], Bools]:
    """The answers of splits to the columns (M, n), as a function of `rows` and `which`.

    It tells if rows[i] goes left at the split which[i]; the two arrays broadcast.
    """
    score = _scorer(many, columns)

    def left_mask(rows: Ints, which: Ints) -> Bools:
        found = score(rows, which)
        left = found <= many.threshold.take(which)
        if many.left is None or not (missing := np.isnan(found)).any():
            return left
        left |= missing & many.left.take(which)
        if many.surrogates:
            rows, which = (np.broadcast_to(of, found.shape)[missing] for of in (rows, which))
            left[missing] = _sent_left(many, left[missing], columns, rows, which)
        return left

    return left_mask


def _scorer(many: Splits, columns: Floats) -> Callable[[Ints, Ints], Floats]:
    """The score of rows[i] by the split which[i], as a function of the two."""
    axes = [axis_of(one) for one in many.projections]
    if len(axes) == 1 or not any(axis is not None for axis in axes):
        return lambda rows, which: scores(many.projections, many.line.take(which), columns, rows)
    # Along an axis the value is the score: such a split needs only where its column begins.
    firsts = [0 if axis is None else axis * columns.shape[1] for axis in axes]
    values, starts = columns.ravel(), np.array(firsts, np.int64).take(many.line)
    others = np.array([axis is None for axis in axes]).take(many.line)
    mixed = bool(others.any())

    def score(rows: Ints, which: Ints) -> Floats:
        found = values.take(starts.take(which) + rows)
        if mixed and (other := np.broadcast_to(others.take(which), found.shape)).any():
            rows, which = (np.broadcast_to(of, found.shape)[other] for of in (rows, which))
            found[other] = scores(many.projections, many.line.take(which), columns, rows)
        return found

    return score


def _sent_left(many: Splits, out: Bools, columns: Floats, rows: Ints, which: Ints) -> Bools:
    """Left mask of rows without a score, rows[i] at which[i]: `out`, if no surrogate has one."""
    order = np.argsort(which, kind="stable")
    met, first = np.unique(which[order], return_index=True)
    for at, waiting in zip(met.tolist(), np.split(order, first[1:]), strict=True):
        for one in many.surrogates.get(at, ()):
            if not len(waiting):
                break
            known, own = stands_in(one, columns, rows.take(waiting))
            out[waiting[known]] = own[known]
            waiting = waiting[~known]
    return out


def stands_in(surrogate: Surrogate, columns: Floats, rows: Ints) -> tuple[Bools, Bools]:
    """Which of the rows a surrogate has a score for, and which of those it sends left."""
    split = surrogate.split
    found = score(split.projection, columns, rows)
    return ~np.isnan(found), (found <= split.threshold) ^ surrogate.turned


def address_text(split: Split) -> str:
    """The split as an address has it: the family's letter, its projection, '.', the threshold.

    The axis family has no letter: '0.2.45' cuts feature 0 at 2.45. Where the side of rows without
    a value is given, its letter is last: '0.2.45l', '0.2.45r'.
    """
    family, side = family_of(split.projection), split.missing
    given = ("l" if side.left else "r") if side.given else ""
    return f"{family.code}{family.write(split.projection)}.{split.threshold!r}{given}"


def projection_in(text: str) -> Projection | None:
    """The projection whose letter and text these are, or None."""
    for family in FAMILIES.values():
        if text.startswith(family.code):
            found = family.read(text.removeprefix(family.code))
            if found is not None:
                return found
    return None


def midpoint(lower: NDArray[Any], upper: NDArray[Any]) -> Floats:
    """Half-way between neighbouring values, or the lower one where that rounds up to the upper.

    Halves are added, so that values near the largest float do not overflow.
    """
    middle = lower / 2 + upper / 2
    return np.where(middle < upper, middle, lower)


def parted(ring: Ring, by: int, limit: float) -> tuple[Ring, Ring]:
    """What of a ring goes left and right where number `by` of its corners passes `limit`.

    At a crossing that number is the limit itself, and a number that both ends share stays. A side
    is empty where no corner goes there; what only touches the line is on the left.
    """
    left: list[tuple[float, ...]] = []
    right: list[tuple[float, ...]] = []
    for start, end in zip(ring, (*ring[1:], *ring[:1]), strict=True):
        a, b = start[by], end[by]
        if a <= limit:
            left.append(start)
        if a >= limit:
            right.append(start)
        if a < limit < b or b < limit < a:
            crossing = _crossing(start, end, by, limit)
            left.append(crossing)
            right.append(crossing)
    return _ring(left), _ring(right) if any(corner[by] > limit for corner in right) else ()


def in_gutter(feature: int | None, ring: Ring, plane: Plane) -> tuple[Ring, Ring]:
    """What of a ring of one part has no value of a feature, and the rest."""
    if feature is None or feature not in plane.gutters:
        return (), ring
    on = {plane.across: 0, plane.up: 1}.get(feature)
    if on is None:
        return (), ring
    gutter, rest = parted(ring, on, plane.gutters[feature])
    return (gutter if len({corner[on] for corner in gutter}) > 1 else ()), rest


def _ring(corners: list[tuple[float, ...]]) -> Ring:
    """The corners without those that stand where the one before does."""
    apart = (corner for k, corner in enumerate(corners) if corner != corners[k - 1])
    return tuple(apart) or tuple(corners[:1])


def _crossing(
    start: tuple[float, ...], end: tuple[float, ...], by: int, limit: float
) -> tuple[float, ...]:
    share = share_of(start[by], end[by], limit)
    places = [a if a == b else (1 - share) * a + share * b for a, b in zip(start, end, strict=True)]
    places[by] = limit
    return tuple(places)


def joined(some: Iterable[Ring]) -> Ring:
    """Some rings as the parts of one."""
    corners = [corner for ring in some if ring for corner in (GAP, *ring)]
    return tuple(corners[1:])


def parts(ring: Ring) -> list[Ring]:
    """The parts of a ring, each a ring."""
    return [tuple(own) for gap, own in groupby(ring, lambda corner: corner is GAP) if not gap]


def share_of(start: float, end: float, at: float) -> float:
    """How far from start to end a number lies, 0 to 1; halves where the ends are too far apart."""
    if math.isfinite(end - start):
        return (at - start) / (end - start)
    return (at / 2 - start / 2) / (end / 2 - start / 2)


def linear_clip(
    projection: Projection, threshold: float, ring: Ring, plane: Plane
) -> tuple[Ring, Ring]:
    """The `clip` of any family whose scores are linear in the features."""
    places = np.repeat(np.array(plane.pinned)[:, None], len(ring), axis=1)
    places[plane.across] = [corner[0] for corner in ring]
    if plane.up is not None:
        places[plane.up] = [corner[1] for corner in ring]
    with np.errstate(over="ignore", invalid="ignore"):
        heights = np.nan_to_num(score(projection, places)).tolist()
    scored = tuple((*corner, height) for corner, height in zip(ring, heights, strict=True))
    left, right = parted(scored, 2, threshold)
    return tuple(corner[:2] for corner in left), tuple(corner[:2] for corner in right)
