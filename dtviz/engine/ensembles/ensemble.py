"""Many trees that predict together.

Glossary
    round    one step of building an ensemble: a tree, or a tree for each class
    scores   what the trees so far say of a row, one number a class or one in all: votes, or sums
    stood    what a round's trees were told of the rows: their weights, or what is left to explain
    out      a row is out of a tree that gave it no weight
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.base.progress import Slices
from dtviz.data.dataset import DataError, Dataset, Task, read_only
from dtviz.engine.criteria.criteria import cheapest
from dtviz.engine.ensembles.grow_many import grow_together
from dtviz.engine.ensembles.trees import Members, member_data, predictions
from dtviz.engine.rules import Rules
from dtviz.engine.search.random_splits import Draws, usual_features

MOST_TREES = 1_000


@dataclass(frozen=True, slots=True)
class Plan:
    """How an ensemble is built: `kind` by name, so many `trees` (or rounds, one after another).

    `features` are drawn in each node where the kind draws any: None is the usual number. `rate`
    shrinks what each round adds, where rounds follow another. Equal seeds build equal ensembles.
    Raises DataError.
    """

    kind: str = "forest"
    trees: int = 100
    features: int | None = None
    rate: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        _whole("trees", self.trees, 1, MOST_TREES)
        _whole("seed", self.seed, 0, 10**9 - 1)
        if self.features is not None:
            _whole("features", self.features, 1, 10**6)
        if self.rate is not None and (type(self.rate) is not float or not 0 < self.rate <= 1):
            raise DataError(f"`rate` must lie above 0 and be at most 1; not {self.rate!r}", "rate")


def _whole(name: str, value: Any, low: int, high: int) -> None:
    if type(value) is not int or not low <= value <= high:
        raise DataError(
            f"`{name}` must be a whole number from {low} to {high}; not {value!r}", name
        )


def need_member(member: int, many: int) -> None:
    """Raises DataError where an ensemble of so many trees has none of that number."""
    if not 0 <= member < many:
        told = f"be below {many:,}, the trees there are; not {member:,}"
        raise DataError(f"`member` must {told}", "member")


class Way(NamedTuple):
    """How trees say something together: `name` is what an export calls it.

    `add` adds to the scores (S, r) of rows what a tree predicts of them, (r,), to the column that
    is its own, so often (r,). `shares` tells those of the classes, (K, r), of the scores; `value`
    the prediction, (r,), where it is a number. `sums`: a tree
    counts by how much it explains, and not as much as any other.
    """

    add: Callable[[Floats, int, Floats, Floats], None]
    shares: Callable[[Floats], Floats] | None
    value: Callable[[Floats], Floats] | None = None
    sums: bool = False
    name: str = ""


def _vote(scores: Floats, _column: int, predicted: Floats, often: Floats) -> None:
    scores[predicted.astype(np.intp), np.arange(len(predicted))] += often


def _vote_shares(scores: Floats) -> Floats:
    whole = scores.sum(axis=0)
    return np.asarray(np.divide(scores, whole, out=np.zeros(scores.shape), where=whole > 0))


def _average(scores: Floats, _column: int, predicted: Floats, often: Floats) -> None:
    scores += often * np.array([predicted, np.ones(len(predicted))])


def _mean(scores: Floats) -> Floats:
    out = np.full(scores.shape[1], np.nan)
    np.divide(scores[0], scores[1], out=out, where=scores[1] > 0)
    return out


def _add(scores: Floats, column: int, predicted: Floats, often: Floats) -> None:
    scores[column] += often * predicted


def _first(scores: Floats) -> Floats:
    return np.asarray(scores[0])


def _of_logits(scores: Floats) -> Floats:
    """One column: the log-odds of the second of two classes; else one a class, up to a constant."""
    every = np.array([np.zeros(scores.shape[1]), scores[0]]) if len(scores) == 1 else scores
    power = np.exp(every - every.max(axis=0))
    return np.asarray(power / power.sum(axis=0))


VOTE = Way(_vote, _vote_shares, name="vote")
"""Each tree has votes for the class it predicts."""
MEAN = Way(_average, None, _mean, name="mean")
"""The mean of what the trees predict: the scores are their sum and their number."""
SUM = Way(_add, None, _first, sums=True, name="sum")
"""The sum of what the trees predict."""
LOGITS = Way(_add, _of_logits, sums=True, name="logits")
"""The same, as logarithms of odds."""


@dataclass(frozen=True, slots=True, eq=False)
class Ensemble:
    """Trees that predict together, the `way` they do.

    Member k belongs to the round `round`[k] and counts `amount`[k] in the scores, in its `column`
    [k]: all (T,). `start` are the scores before, (S,). `stood`, (R, n), has what each round was
    told of the rows; None where no round follows another.
    """

    plan: Plan
    data: Dataset
    members: Members
    way: Way
    amount: Floats
    start: Floats
    round: Ints
    column: Ints
    stood: Floats | None = None

    def __post_init__(self) -> None:
        read_only(self)

    @property
    def rounds(self) -> int:
        """How many rounds it was built in: fewer than planned where nothing was left to learn."""
        return int(self.round[-1]) + 1


@dataclass(frozen=True, slots=True)
class Kind:
    """A way to build many trees: what it is called, what a user is told of it, for which tasks.

    `stands` gives what a member grows on: rows, their weights, its own targets where it has some.
    `depth` is that of its trees where the rules set none; None: they grow to the end. `features`
    gives how many of so many features a node draws, None for a kind whose nodes try all. `rate` is
    the usual one where rounds follow another, None where no tree waits for another. `bagged`: each
    tree leaves rows out, which judge it. `stood` says what rounds are told of a row.
    """

    name: str
    title: str
    about: str
    tasks: tuple[Task, ...]
    build: Callable[[Dataset, Rules, Plan], Slices[Ensemble]]
    stands: Callable[[Dataset, Rules, Plan, int], Dataset]
    depth: int | None = None
    features: Callable[[int], int] | None = None
    rate: float | None = None
    bagged: bool = False
    stood: str = ""


def by_round(ensemble: Ensemble, predicted: Floats, told: Bools | None = None) -> Iterator[Floats]:
    """The scores of rows after each round, (S, r), from what each member predicts of them, (T, r).

    `told`, (T, r), says which members are asked of which rows: all by default. What comes is one
    array that goes on being added to.
    """
    scores = np.repeat(ensemble.start[:, None], predicted.shape[1], axis=1)
    for member, values in enumerate(predicted):
        often = np.full(len(values), ensemble.amount[member])
        if told is not None:
            often *= told[member]
        ensemble.way.add(scores, int(ensemble.column[member]), values, often)
        if member + 1 == len(predicted) or ensemble.round[member + 1] > ensemble.round[member]:
            yield scores


def decided(ensemble: Ensemble, scores: Floats) -> Floats:
    """What scores (S, r) predict: class codes, of equal ones the first, or numbers; (r,)."""
    data, way = ensemble.data, ensemble.way
    if way.shares is None:
        assert way.value is not None
        return way.value(scores)
    shares = way.shares(scores)
    if data.costs is not None:
        return cheapest(shares.T, data.costs).astype(np.float64)
    least = shares.max(axis=0) * (1 - ROUNDING)
    return np.asarray((shares >= least).argmax(axis=0), np.float64)


def scores_of(ensemble: Ensemble, columns: Floats) -> Floats:
    """The scores of the rows of columns (M, r) after all rounds, (S, r)."""
    *_, last = by_round(ensemble, predictions(ensemble.members, columns))
    return last


def bootstrap(n: int, trees: int, seed: int) -> NDArray[np.int16]:
    """How often each of n rows is drawn for each tree, n draws with replacement: (T, n).

    Those of a tree do not depend on how many others there are.
    """
    return np.array([_drawn(n, seed, tree) for tree in range(trees)], np.int16)


def _drawn(n: int, seed: int, tree: int) -> NDArray[np.intp]:
    rows = np.random.default_rng([seed, tree]).integers(0, n, n)
    return np.bincount(rows, minlength=n)


def _stands(resampled: bool, data: Dataset, rules: Rules, plan: Plan, member: int) -> Dataset:
    need_member(member, plan.trees)
    weights = _drawn(data.n, plan.seed, member) if resampled else np.ones(data.n, np.intp)
    return member_data(data, weights)


def seeds_of(plan: Plan) -> list[int]:
    """The seeds of what the nodes of each tree draw."""
    return [plan.seed * 1_000_003 + tree for tree in range(plan.trees)]


def _build(
    draws: bool, one_cut: bool, resampled: bool, data: Dataset, rules: Rules, plan: Plan
) -> Slices[Ensemble]:
    weights = np.ones((plan.trees, data.n), np.int16)
    if resampled:
        weights = bootstrap(data.n, plan.trees, plan.seed)
    many = len(data.features)
    some = min(plan.features or usual_features(many), many)
    own = Draws(some, one_cut) if draws else None
    members = yield from grow_together(data, rules, weights, own, seeds_of(plan))
    every = np.arange(plan.trees)
    return Ensemble(
        plan=plan,
        data=data,
        members=members,
        way=VOTE if data.classes else MEAN,
        amount=np.ones(plan.trees),
        start=np.zeros(len(data.classes) or 2),
        round=every,
        column=np.zeros_like(every),
    )


BAGGING = Kind(
    "bagging",
    "Bagging",
    "Each tree grows on rows drawn with replacement; their votes, or their mean, are steadier than "
    "any one of them.",
    ("classification", "regression"),
    partial(_build, False, False, True),
    partial(_stands, True),
    bagged=True,
)
FOREST = Kind(
    "forest",
    "Random forest",
    "Bagging, and every node tries only some of the features, drawn anew: trees that differ more "
    "err together less.",
    ("classification", "regression"),
    partial(_build, True, False, True),
    partial(_stands, True),
    features=usual_features,
    bagged=True,
)
EXTRA_TREES = Kind(
    "extra_trees",
    "Extra trees",
    "All rows for each tree, but of each feature drawn a node tries a single threshold, drawn at "
    "random between its least and largest value.",
    ("classification", "regression"),
    partial(_build, True, True, False),
    partial(_stands, False),
    features=usual_features,
)
