"""What a growth searches by, and the best cut of each node of a frontier."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.progress import Slices, finished
from dtviz.data.dataset import Dataset
from dtviz.engine.leaves.node_facts import facts
from dtviz.engine.problem import Problem, projected
from dtviz.engine.rules import Rules
from dtviz.engine.search.best_split import (
    Best,
    best,
    divide,
    hopeful_best,
    instead,
    one_after_another,
    split_at,
)
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.search.evaluate import Cuts, scan, searched
from dtviz.engine.search.frontier import (
    Frontier,
    along,
    children,
    first_feature,
    frontier,
    parted,
    restrict,
    unsorted,
)
from dtviz.engine.search.minimum import NO_CUT
from dtviz.engine.search.random_splits import (
    MAX_LINES,
    Draws,
    Keys,
    by_feature,
    one_cut,
    orders,
    placed,
    two_sides,
)
from dtviz.engine.search.surrogates import surrogates
from dtviz.engine.splits import (
    FAMILIES,
    HALF,
    LEFT,
    RIGHT,
    Category,
    Known,
    Missing,
    Projection,
    Split,
    Subset,
    score,
    scores,
)


def by_all_rows(rules: Rules) -> bool:
    """Whether some of the competing families are told by all rows of a tree what to try."""
    return any(FAMILIES[name].by_all_rows for name in rules.families)


def own_of(problem: Problem, rows: Ints) -> tuple[Projection, ...]:
    """What the node of some rows proposes for itself."""
    owns = [own for name in problem.rules.families if (own := FAMILIES[name].own)]
    if not owns:
        return ()
    ordered = np.sort(rows)
    return tuple(dict.fromkeys(one for own in owns for one in own(problem.data, ordered)))


def lines_of(problem: Problem, rows: Ints) -> tuple[tuple[Projection, ...], Dataset]:
    """What the node of some rows tries, what it proposes for itself last, and the data so lined."""
    usual, own = problem.projections, own_of(problem, rows)
    return (usual + own, projected(problem.data, usual + own)) if own else (usual, problem.table)


def line_along(data: Dataset, projection: Projection) -> Dataset:
    """The data with the scores of one projection as its only column."""
    return projected(data, (projection,))


def by_category(cuts: Candidates) -> Candidates:
    """The candidates, all values of a category that are cut off alone being on one line.

    It has them in the order of the levels; the threshold of a cut is the place of its value.
    """
    homes = [*map(_home, cuts.projections)]
    if homes == list(cuts.projections) or cuts.orders:
        return cuts
    projections, orders = tuple(dict.fromkeys(homes)), dict[int, tuple[int, ...]]()
    place = np.array([projections.index(home) for home in homes], np.intp)
    cuts = _known_once(cuts, place)
    line = place.take(cuts.line)
    threshold, lower, upper = (of.copy() for of in (cuts.threshold, cuts.lower, cuts.upper))
    for at in np.flatnonzero([isinstance(home, Category) for home in projections]).tolist():
        its = np.flatnonzero((line == at) & np.isfinite(threshold))
        parts = [cuts.projections[k] for k in cuts.line[its]]
        codes = [code for one in parts if isinstance(one, Subset) for code in one.named]
        pair = len(codes) == homes.count(projections[at]) == 1  # one cut parts both values
        orders[at] = (1 - codes[0], *codes) if pair else tuple(codes)
        threshold[its] = np.arange(pair, len(orders[at]))
        lower[its], upper[its] = threshold[its] - HALF, threshold[its] + HALF
    return replace(
        cuts,
        projections=projections,
        line=line,
        threshold=threshold,
        lower=lower,
        upper=upper,
        orders=MappingProxyType(orders),
    )


def _home(projection: Projection) -> Projection:
    """The line of a category for any of its subsets."""
    return Category(projection.feature) if isinstance(projection, Subset) else projection


def _known_once(cuts: Candidates, place: Ints) -> Candidates:
    """The candidates with one cut a category that parts the rows with a value from those without.

    `place` says of what each line is a cut.
    """
    known = np.flatnonzero(np.isinf(cuts.threshold))
    _, first = np.unique(place.take(cuts.line[known]), return_index=True)
    keep = np.ones(len(cuts), np.bool_)
    keep[np.delete(known, first)] = False
    if keep.all():
        return cuts
    arrays = {name: getattr(cuts, name) for name in cuts.__slots__}
    fewer: dict[str, Any] = {
        name: of[keep]
        for name, of in arrays.items()
        if isinstance(of, np.ndarray) and len(of) == len(keep)
    }
    best = None if cuts.best is None else int(keep[: cuts.best].sum())
    return replace(cuts, **fewer, best=best)


def settled(problem: Problem, rows: Ints, split: Split) -> Split:
    """The split with what the policy says of missing values in the node that holds these rows."""
    data = problem.data
    if isinstance(split.projection, Known) or split.missing.given:
        return split
    scores = score(split.projection, data.columns, rows)
    missing = np.isnan(scores)
    left = _goes_left(problem, rows, split, scores, missing)
    if not problem.policy.surrogates:
        return split._replace(missing=LEFT if left else RIGHT)
    found = surrogates(data, problem.projections, rows, split)
    return split._replace(missing=Missing(left, found))


def _goes_left(problem: Problem, rows: Ints, split: Split, scores: Floats, missing: Bools) -> bool:
    data = problem.data
    policy = problem.policy
    if policy.left:
        return True
    below = (scores <= split.threshold) & ~missing
    if policy.counts_missing and missing.any():
        return _learned(problem, rows, np.where(missing, np.nan, ~below))
    weights = np.ones(len(rows)) if data.weights is None else data.weights.take(rows)
    left, right = weights[below].sum(), weights[~below & ~missing].sum()
    return bool(left > right if policy.counts_missing else left >= right)


def _learned(problem: Problem, rows: Ints, side: Floats) -> bool:
    """Whether the rows that lack the value score higher on the left; `side` is 0 there, else 1."""
    data = problem.data
    if not (side == 0).any() or not (side == 1).any():
        return bool((side == 1).any())
    column = np.zeros((1, data.n))
    column[0, rows] = side
    table = replace(data, columns=column, levels=())
    about = problem.criterion, problem.minimum, problem.policy
    cuts = scan(table, frontier(table, [rows]), *about)
    return bool(cuts.left is not None and cuts.left[0])


CELLS = 1 << 17
"""Own lines times rows that are searched at once: what is known of them stays in fast memory."""
ONE = 40
"""To propose a line takes as long as to search it along so many rows."""


class Own(NamedTuple):
    """The best of a frontier's own cuts: `split` of each node, None: none; `score` of it, (m,).

    Scores that differ by no more than the `tolerance`, (m,), are equal.
    """

    top: Best
    score: Floats
    splits: Sequence[Split | None]
    tolerance: Floats


def own_best(
    problem: Problem,
    front: Frontier,
    keys: Keys | None = None,
) -> Slices[Own]:
    """The best own cut of each node of a frontier; a slice has some nodes, or lines of one.

    Where nodes draw the threshold of each of their lines, `keys`, (m,), are theirs.
    """
    groups, parts, last = np.split(front.rows[0], front.starts[1:]), list[Own](), -1
    for first, slot, end, tried in _pieces(problem, groups):
        own = unsorted(groups[first : first + len(tried)])
        table = _frontier_table(problem.data, own, tried)
        entries = np.split(np.arange(len(own.rows[0])), own.starts[1:])
        local = frontier(table, entries)
        criterion = problem.criterion.taken(own.rows[0])
        cuts = scan(table, local, criterion, problem.minimum, problem.policy)
        if keys is None:
            found = _told(cuts, best(cuts, local), tried)
        else:
            numbers = np.arange(len(table.columns))[:, None].repeat(len(tried), axis=1)
            asked = keys[first : first + len(tried)], MAX_LINES + slot + numbers
            cuts, drawn = one_cut(cuts, *asked)
            found = _told(cuts, placed(best(cuts, local), drawn), tried)
        if first == last:
            parts[-1] = _better(parts[-1], found)
        else:
            parts.append(found)
        last = first
        yield end / len(groups)
    return _joined(parts)


def _pieces(
    problem: Problem, groups: Sequence[Ints]
) -> Iterator[tuple[int, int, float, Sequence[Sequence[Projection]]]]:
    """What is searched at once: the first of some nodes, the number of the first line that each
    tries, where the nodes end, and what each tries.

    It is about CELLS: a large node comes as often as it takes, with some of what it tries.
    """
    first, tried, cells = 0, list[Sequence[Projection]](), 0
    work = problem.criterion.impurity.work
    for node, rows in enumerate(groups):
        lines, size = own_of(problem, rows), len(rows) * work + ONE
        cells += size * len(lines)
        if tried and cells > CELLS:
            yield first, 0, node, tried
            first, tried, cells = node, [], size * len(lines)
        some = max(CELLS // size, 1)
        if len(lines) <= some:
            tried.append(lines)
            continue
        for k in range(0, len(lines), some):
            yield node, k, node + min(1, (k + some) / len(lines)), [lines[k : k + some]]
        first, cells = node + 1, 0
    if tried:
        yield first, 0, len(groups), tried


def _told(cuts: Cuts, top: Best, tried: Sequence[Sequence[Projection]]) -> Own:
    """The best own cuts of nodes of their lines, each of what it `tried`."""
    places = zip(tried, top.line.tolist(), top.threshold.tolist(), top.cut.tolist(), strict=True)
    splits = [
        split_at(some[line], limit) if cut >= 0 else None for some, line, limit, cut in places
    ]
    return Own(top, _scores(cuts, top), splits, cuts.tolerance)


def _better(one: Own, other: Own) -> Own:
    """The best cut of a node along some lines or, where it scores more, along later ones."""
    wins = other.top.cut[0] >= 0 and not other.score[0] <= one.score[0] + one.tolerance[0]
    won, lost = (other, one) if wins else (one, other)
    grade = np.maximum(won.top.grade, lost.top.grade)
    return won._replace(top=won.top._replace(grade=grade))


def _joined(parts: Sequence[Own]) -> Own:
    if len(parts) == 1:
        return parts[0]
    top = one_after_another([part.top for part in parts])
    splits = [split for part in parts for split in part.splits]
    score, tolerance = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("score", "tolerance")
    )
    return Own(top, score, splits, tolerance)


def _scores(cuts: Cuts, top: Best) -> Floats:
    """The score of the best cut of each node, -inf where there is none."""
    if not len(cuts.score):
        return np.full(len(top.cut), -np.inf)
    found = cuts.score.take(np.maximum(top.cut, 0))
    return np.asarray(np.where(top.cut < 0, -np.inf, found))


def _frontier_table(
    data: Dataset, front: Frontier, tried: Sequence[Sequence[Projection]]
) -> Dataset:
    """The entries of a frontier as rows, with the scores of what their nodes try as columns.

    Where a node tries fewer than others the rest of its columns is 0, which nothing cuts.
    """
    most, rows = max(max(map(len, tried)), 1), front.rows[0]
    every = [one for some in tried for one in some]
    columns = np.zeros((most, len(rows)))
    if every:
        many = np.array([len(some) for some in tried])
        first = many.cumsum() - many
        slot = np.arange(most)[:, None]
        there = slot < many.take(front.owner)
        which = np.where(there, first.take(front.owner) + slot, 0)
        columns = np.where(there, scores(every, which, data.columns, rows), 0.0)
    return replace(
        data,
        columns=columns,
        y=data.y.take(rows),
        weights=None if data.weights is None else data.weights.take(rows),
        levels=(),
        quantities=(),
        validation=None,
        test=None,
    )


def contested(problem: Problem, front: Frontier, cuts: Cuts, top: Best, own: Own) -> Best:
    """The best cuts of each node, where its own may win: only what scores higher does."""
    score = _scores(cuts, top)
    wins = (own.top.cut >= 0) & ~(own.score <= score + cuts.tolerance)
    splits = dict(top.settled)
    groups = np.split(front.rows[0], front.starts[1:])
    for j in np.flatnonzero(wins).tolist():
        split = own.splits[j]
        assert split is not None
        splits[j] = settled(problem, groups[j], split) if any(problem.data.gaps) else split

    def of(name: str) -> Floats:
        return np.asarray(np.where(wins, getattr(own.top, name), getattr(top, name)))

    return top._replace(
        cut=np.where(wins, own.top.cut, top.cut),
        line=np.where(wins, 0, top.line),
        lower=of("lower"),
        upper=of("upper"),
        threshold=of("threshold"),
        gain=of("gain"),
        grade=np.maximum(top.grade, own.top.grade),
        named={j: codes for j, codes in top.named.items() if not wins[j]},
        settled=splits,
    )


OWN = 16
"""To let nodes propose lines takes so many times as long."""


def work_of(problem: Problem) -> int:
    """About how many times as long a tree takes as by plain cuts and constant leaves."""
    sums = max(problem.criterion.impurity.work // 4, 1)
    return sums * OWN if problem.nodes_propose else sums


class Splitter(NamedTuple):
    """A problem with the search for the best split of each node of a frontier."""

    problem: Problem
    """Data, criterion, projections and minimum of the search."""
    draws: Draws | None = None
    """Random features and thresholds that a node draws; None: it searches all."""

    @property
    def unordered(self) -> bool:
        """Tells that no node needs its rows in order: one threshold a line is drawn, of numbers."""
        data, by = self.problem.table, self.problem.criterion.impurity.statistics
        proposed = self.problem.nodes_propose
        numbers = not (any(data.gaps) or any(data.levels) or by.ordered or proposed)
        return numbers and self.draws is not None and self.draws.one_cut

    def best(self, front: Frontier, keys: Keys | None = None) -> Best:
        """The best cut of each node; where nodes draw what they try, `keys`, (m,), are theirs."""
        return finished(self.steps(front, keys))

    def steps(self, front: Frontier, keys: Keys | None = None) -> Slices[Best]:
        """The same in slices."""
        if self.draws is None or keys is None:
            return (yield from self._best(front))
        lines = by_feature(self.problem.projections)
        order, m = orders(keys, len(lines)), len(keys)
        some = min(self.draws.features or len(lines), len(lines))
        first = lines[order[:some]].transpose(0, 2, 1).reshape(-1, m)
        top = yield from self._drawn(front, first, keys)
        for k in range(some, len(lines)):
            none = top.grade == NO_CUT
            if not none.any():
                break
            own = lines[order[k, none]].T
            other = yield from self._drawn(restrict(front, none), own, keys[none])
            top = instead(top, none, other)
        return top

    def _drawn(self, front: Frontier, lines: Ints, keys: Keys) -> Slices[Best]:
        """The best cut of each node along these lines, (L, m)."""
        lines = np.sort(lines, axis=0)
        if not self.unordered:
            return (yield from self._best(along(front, lines), keys))
        by = self.problem.criterion.impurity.statistics
        found, thresholds = two_sides(self.problem.table, front, by, keys, lines)
        cuts = searched(found, self.problem.criterion, self.problem.policy, self.problem.minimum)
        top = best(cuts, front)
        line = lines[top.line, np.arange(len(keys))]
        return placed(top, thresholds)._replace(line=line)

    def _best(self, front: Frontier, keys: Keys | None = None) -> Slices[Best]:
        """The best cut of each node along the lines of the frontier."""
        problem, lines, drawn, draws = self.problem, front.lines, None, self.draws
        owning = problem.nodes_propose
        places = draws is not None and draws.one_cut
        about = problem.table, front, problem.criterion, problem.minimum, problem.policy
        if places or owning:
            cuts = scan(*about)
            if places and keys is not None and lines is not None:
                cuts, drawn = one_cut(cuts, keys, lines)
            top = best(cuts, front)
        else:
            top = hopeful_best(*about)
        if drawn is not None:
            top = placed(top, drawn)
        if lines is not None:
            top = top._replace(line=lines[top.line, np.arange(len(top.cut))])
        if owning:
            own = yield from own_best(problem, front, keys if places else None)
            top = contested(problem, front, cuts, top, own)
        uncounted = any(self.problem.data.gaps) or (
            self.problem.data.weights is not None and owning
        )
        if self.problem.policy.counts_missing or not (self.problem.policy.surrogates or uncounted):
            return top
        return self.sent(front, top)

    def sent(self, front: Frontier, top: Best) -> Best:
        """The best cuts with what they gain once the rows that were not counted are sent too."""
        cut = top.cut >= 0
        if not cut.any():
            return top
        if self.problem.policy.surrogates or top.left is None or not any(self.problem.table.gaps):
            top = self._settled(front, top)
        left, first = (
            divide(self.problem.table, front, top, self.problem.data),
            first_feature(front),
        )
        known = facts(self.problem.data, restrict(first, cut), self.problem.criterion)
        own = children(first, *parted(first, left), np.tile(cut, 2))
        below = facts(self.problem.data, own, self.problem.criterion)
        rest = (below.weight * below.impurity).reshape(2, -1).sum(axis=0)
        gain = top.gain.copy()
        gain[cut] = np.maximum(known.impurity - rest / known.weight, 0.0)
        return top._replace(gain=gain)

    def _settled(self, front: Frontier, top: Best) -> Best:
        """The best cuts with what the rows of their nodes say of those that lack the value."""
        groups = np.split(front.rows[0], front.starts[1:])
        splits = {
            j: settled(self.problem, groups[j], top.split(j, self.problem.projections))
            for j in np.flatnonzero(top.cut >= 0).tolist()
        }
        return top._replace(settled=splits)

    def lost(self, top: Best, sizes: Ints) -> Bools:
        """Which of the nodes send rows that lack the value left: `sizes` are of the children."""
        if self.problem.policy.left:
            return np.ones(len(top.cut), np.bool_)
        return np.greater(*sizes.reshape(2, -1)) if top.left is None else top.left
