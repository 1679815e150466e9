"""Optimal tree of depth 2, and the near-optimal ones: trees that greedy growth may miss.

Greedy growth takes the best split of the root and only then looks at its children. Here every root
candidate is tried with the best split of its left and of its right child: the children share no
row, so each can be chosen alone. Most candidates need not be opened, see bounds.py.

The decrease of a tree is the impurity of the root less the impurities of the leaves, each weighted
by its share of the rows. The work of a search is the number of opened root candidates x rows x
features x statistics. A batch holds root candidates that are opened together: their sides are the
nodes of one frontier.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dtviz.base import progress
from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.progress import Slices
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import Criterion
from dtviz.engine.leaves.node_facts import compute_facts
from dtviz.engine.optimal.bounds import (
    Incumbent,
    IntervalQueue,
    RootCandidates,
    bound_rows,
    root_candidates,
)
from dtviz.engine.problem import Problem
from dtviz.engine.search.best_split import BestCuts, best_cuts, split_at
from dtviz.engine.search.evaluate import evaluate_frontier
from dtviz.engine.search.frontier import (
    Frontier,
    children,
    children_of_entries,
    choose_lines,
    keep_nodes,
    root_frontier,
)
from dtviz.engine.search.missing import MissingPolicy
from dtviz.engine.splits import Axis, Category, Projection, Split, Subset, goes_left, subset_split
from dtviz.engine.splits.split import ONE_ROW, Minimum
from dtviz.engine.tree import Grow, Log

MAX_WORK = 350_000_000
"""Largest work of a search: 8 seconds of one core that is not busy otherwise."""

BOUNDING_SHARE = 0.2
"""Share of the search that is reported as done after `bound_rows` of all features."""

WORK_PER_BATCH = 200_000
"""Work of one batch: 5 to 15 milliseconds, some 20 MB. A single root candidate may be more."""


@dataclass(frozen=True, slots=True, eq=False)
class DepthTwoSearch:
    """A search over two levels of splits: data, root candidates and the score of splits."""

    data: Dataset  # dataset whose columns are the values of the projections
    projections: Sequence[Projection]  # projection of each column
    front: Frontier  # one node of all rows
    criterion: Criterion  # criterion of the rules, by gain alone
    minimum: Minimum  # what both sides of a split must have
    policy: MissingPolicy  # side of missing values
    roots: RootCandidates  # splits of the root that are tried


def best_of_depth_2(problem: Problem) -> Generator[float, None, Log]:
    """Search the tree of depth 2 with the lowest impurity in its leaves; returns its log.

    Yields the share decided, up to 1, after each batch; returns Grow(1, ..) and, where a child's
    best split gains anything, Grow(2, ..) and Grow(3, ..). The log is empty when no tree gains
    anything. Impurity is that of the criterion (entropy for gain_ratio, Gini for cart); of the
    other rules only the minimum of both sides counts. Ties go to the fewest splits, then to the
    lowest root feature, then threshold. Raises ValueError once the work is more than MAX_WORK,
    RulesError when the criterion does not suit the task.
    """
    search = prepare_search(problem)
    decrease, splits = yield from open_roots(search)
    root = _index_of_best(decrease, splits, search.roots.tolerance)
    if root is None:
        return ()
    best_splits, has_gain = _best_splits(
        search, frontier_of_sides(search, np.array([root])), search.minimum
    )
    child_moves = (
        Grow(2 + side, best_splits.split(side, search.projections))
        for side in np.flatnonzero(has_gain).tolist()
    )
    return (Grow(1, root_split(search, root)), *child_moves)


def prepare_search(problem: Problem) -> DepthTwoSearch:
    """Prepare the search for a problem.

    Raises RulesError, and ValueError for multi-way cuts or where rows without a value are left out
    of the gain.
    """
    data = problem.data
    if problem.has_multiway:
        raise ValueError(
            "the best tree of depth 2 is searched among cuts with two sides; choose such cuts, "
            "by subsets of a category"
        )
    criterion = replace(problem.criterion, measure=None)
    if any(data.gaps) and not problem.policy.counts_missing:
        raise ValueError(
            "the best tree of depth 2 is searched where rows without a value count in the gain; "
            "choose another way for missing values, such as the learned side"
        )
    data, projections = problem.table, problem.projections
    front = root_frontier(data)
    minimum, policy = problem.minimum, problem.policy
    roots = root_candidates(data, front, criterion, minimum, policy)
    return DepthTwoSearch(data, projections, front, criterion, minimum, policy, roots)


def open_roots(
    search: DepthTwoSearch, tolerated_loss: float = 0.0
) -> Generator[float, None, tuple[Floats, Ints]]:
    """Decrease of the best tree of each root candidate, and its number of splits, (R,).

    A decrease may be -inf if it is less than the best decrease by more than `tolerated_loss`, a
    share of the best. Yields the share decided, up to 1.
    """
    data, roots, minimum = search.data, search.roots, search.minimum
    n_candidates, work_of_candidate = len(roots.gain), work_per_candidate(data)
    decrease, splits = np.full(n_candidates, -np.inf), np.ones(n_candidates, int)
    queue = IntervalQueue(roots.nested, roots.gain, roots.root_impurity)
    yield from progress.scaled_progress(_bound_all_rows(search, queue), 0.0, BOUNDING_SHARE)
    while len(batch := queue.next_batch(max(WORK_PER_BATCH // work_of_candidate, 1))):
        if queue.n_opened * work_of_candidate > MAX_WORK:
            raise _too_much_work(data, queue.n_opened, n_candidates, tolerated_loss)
        sides = frontier_of_sides(search, batch)
        best_splits, has_gain = _best_splits(search, sides, minimum)
        gain_below = np.where(has_gain, best_splits.gain * best_splits.weight, 0.0).reshape(2, -1)
        decrease[batch] = roots.gain[batch] + gain_below.sum(axis=0) / data.weight
        splits[batch] += has_gain.reshape(2, -1).sum(axis=0)
        # The bounds need risks that further rows never lower. Under a larger minimum further rows
        # could make a split possible, and lower the risk.
        if minimum != ONE_ROW:
            best_splits, _ = _best_splits(search, sides, ONE_ROW)
        risks = np.array([_risks(search, sides, best_splits), _risks(search, sides)])
        queue.update(risks.reshape(2, 2, -1), _incumbent(search, decrease, splits, tolerated_loss))
        if queue.share_decided < 1:
            yield BOUNDING_SHARE + (1 - BOUNDING_SHARE) * queue.share_decided
    yield 1.0
    return decrease, splits


def _bound_all_rows(search: DepthTwoSearch, queue: IntervalQueue) -> Slices[None]:
    """Give the queue the `row_bounds` of its intervals; yields the share done."""

    def stump_risks(blocks: Frontier) -> Floats:
        return _risks(search, blocks, _best_splits(search, blocks, ONE_ROW)[0])

    roots = search.roots
    for n_done, interval in enumerate(queue.full_intervals):
        first, thresholds = interval[0], roots.splits.threshold[slice(*interval)]
        (feature,) = roots.features(np.array([first]))
        candidate_of_row = first + thresholds.searchsorted(search.data.columns[feature])
        bounding = bound_rows(
            search.front, candidate_of_row, interval, queue.first_to_open, stump_risks
        )
        shares = (n / len(queue.full_intervals) for n in (n_done, n_done + 1))
        queue.row_bounds |= yield from progress.scaled_progress(bounding, *shares)


def _risks(search: DepthTwoSearch, nodes: Frontier, best_splits: BestCuts | None = None) -> Floats:
    """Risk of each node with its best split, or without a split, (m,)."""
    node_facts = compute_facts(search.data, nodes, search.criterion)
    impurity = node_facts.impurity
    if best_splits is not None:
        impurity = impurity - np.where(best_splits.cut >= 0, best_splits.gain, 0.0)
    return np.asarray(impurity * node_facts.weight / search.data.weight)


def _incumbent(
    search: DepthTwoSearch, decrease: Floats, splits: Ints, tolerated_loss: float
) -> Incumbent:
    """The best tree so far; with `tolerated_loss` only the decrease of a near-optimal tree."""
    best_decrease, tolerance = float(decrease.max()), search.roots.tolerance
    floor = (1 - tolerated_loss) * best_decrease - 4 * tolerance
    index = None if tolerated_loss else _index_of_best(decrease, splits, tolerance)
    if index is None:
        return Incumbent(floor)
    return Incumbent(floor, best_decrease + tolerance / 2, int(splits[index]), index)


def _too_much_work(
    data: Dataset, n_opened: int, n_candidates: int, tolerated_loss: float
) -> ValueError:
    task = f"what comes within {tolerated_loss:.0%} of " if tolerated_loss else ""
    classes = f", {len(data.classes):,} classes" if len(data.classes) > 2 else ""
    return ValueError(
        f"{task}the best pair of levels on {data.n:,} rows and {len(data.features):,} "
        f"features{classes} is not known after {n_opened:,} of {n_candidates:,} root cuts, which "
        "is too much work; take a sample of the rows or fewer features"
    )


def root_split(search: DepthTwoSearch, index: int) -> Split:
    """Split of the dataset that a root candidate makes."""
    roots, projections = search.roots, search.projections
    line = int(roots.splits.line[index])
    projection = roots.splits.projections[line]
    threshold = float(roots.splits.threshold[index])
    if isinstance(projection, Subset):
        category = projections[projection.feature]
        assert isinstance(category, Category)
        if np.isinf(threshold):  # an is-missing split
            return split_at(category, threshold)
        return subset_split(category.feature, projection.left_codes)
    assert isinstance(projection, Axis)
    return split_at(projections[projection.feature], threshold)


def work_per_candidate(data: Dataset) -> int:
    """Work of opening one root candidate."""
    return data.n * len(data.columns) * max(len(data.classes) - 1, 1)


def frontier_of_sides(search: DepthTwoSearch, batch: Ints) -> Frontier:
    """Frontier of both sides of b root candidates: all left ones before all right ones."""
    # They are the children of b nodes that each hold all rows, so that nothing is sorted again.
    data, front, roots = search.data, search.front, search.roots
    rows = np.arange(data.n)
    left_masks = goes_left(roots.splits, data.columns, rows, batch[:, None])
    starts = np.arange(len(batch)) * data.n
    repeated = np.tile(front.rows, len(batch))
    entries = repeated + np.repeat(starts, data.n)
    sizes = np.full(len(batch), data.n)
    copies = Frontier(repeated, starts, sizes, entries.shape[1], entries)
    left_mask = left_masks.take(front.rows[0], axis=1).ravel()
    return children(
        copies, *children_of_entries(copies, left_mask), np.ones(2 * len(batch), np.bool_)
    )


def _best_splits(
    search: DepthTwoSearch, sides: Frontier, minimum: Minimum
) -> tuple[BestCuts, Bools]:
    """Best split of each side, and mask of the sides whose best split has a gain above 0."""
    best_splits = best_cuts(
        evaluate_frontier(search.data, sides, search.criterion, minimum, search.policy), sides
    )
    return best_splits, (best_splits.cut >= 0) & (best_splits.gain > 0)


def _index_of_best(decrease: Floats, splits: Ints, tolerance: float) -> int | None:
    """Index of the best root candidate, of tied ones the first with the fewest splits.

    None where the root alone is as good.
    """
    best_decrease = decrease.max(initial=0.0)
    if best_decrease <= tolerance:
        return None
    tied = np.flatnonzero(decrease >= best_decrease - tolerance)
    return int(tied[splits[tied].argmin()])


MAX_DECREASE_LOST = 0.01
"""Share of the best tree's decrease that a near-optimal tree may lack."""

MAX_TREES_KEPT = 9
MAX_KINDS = 20_000
"""Largest number of kinds of near-optimal trees that is counted."""
LEAF = -1
"""Stands for the projection of a child that is a leaf."""
ProjectionTriple = tuple[int, int, int]
"""Kind of a tree: the projections of the root, of the left and of the right child, by number."""


@dataclass(frozen=True, slots=True)
class NearOptimalTree:
    """The best tree of a kind, that is of all trees that split on the same projections."""

    log: Log  # moves that grow the tree
    decrease: float  # impurity decrease of the tree
    n_trees: int  # number of near-optimal trees of the kind
    extreme_roots: tuple[Split, Split]  # root splits with the lowest and the highest threshold


@dataclass(frozen=True, slots=True)
class NearOptimalTrees:
    """All near-optimal trees, counted, and the best tree of each of the best kinds."""

    trees: tuple[NearOptimalTree, ...]  # at most MAX_TREES_KEPT, the best first
    n_kinds: int  # number of kinds
    n_trees: int  # number of trees


@dataclass(slots=True)
class _KindStats:
    """Counts of the near-optimal trees of one kind, which grow root candidate by root candidate."""

    decrease: float  # decrease of the best tree
    best_root: int  # root candidate of the best tree
    n_trees: int  # number of trees
    lowest_root: int  # lowest root candidate of any tree
    highest_root: int  # highest root candidate of any tree


def near_optimal_trees(problem: Problem) -> Generator[float, None, NearOptimalTrees]:
    """Search the trees of depth 2 with at least 99 % of the largest impurity decrease.

    Yields the share done, up to 1. Ties go to the fewest splits, then to the lowest root feature
    and threshold; the first tree is that of `best_of_depth_2`. No tree is returned where no tree
    gains anything. Raises the errors of `best_of_depth_2`, and ValueError above MAX_KINDS kinds.
    """
    # The share is that of the decrease: the impurity that the best tree leaves may be 0.
    search = prepare_search(problem)
    opening = open_roots(search, MAX_DECREASE_LOST)
    while True:
        try:
            yield next(opening) / 2
        except StopIteration as end:
            decrease, _ = end.value
            break
    tolerance = search.roots.tolerance
    best_decrease = float(decrease.max(initial=0.0))
    min_decrease = (1 - MAX_DECREASE_LOST) * best_decrease - tolerance
    near_roots = np.flatnonzero((decrease >= min_decrease) & (best_decrease > tolerance))
    kinds: dict[ProjectionTriple, _KindStats] = {}
    batch_size = max(WORK_PER_BATCH // work_per_candidate(search.data), 1)
    for first in range(0, len(near_roots), batch_size):
        batch = near_roots[first : first + batch_size]
        for root, left, right in _splits_below(search, batch):
            _count_near_trees(kinds, search, root, left, right, min_decrease)
        yield (1 + (first + len(batch)) / len(near_roots)) / 2
    if not len(near_roots):
        yield 1.0
    ranked = _rank_kinds(kinds, tolerance)
    trees = (
        NearOptimalTree(
            log=_log_of_kind(search, kind, stats),
            decrease=stats.decrease,
            n_trees=stats.n_trees,
            extreme_roots=(
                root_split(search, stats.lowest_root),
                root_split(search, stats.highest_root),
            ),
        )
        for kind, stats in ranked
    )
    return NearOptimalTrees(
        tuple(trees), len(kinds), sum(stats.n_trees for stats in kinds.values())
    )


DecreasesBelow = dict[int, Floats]
"""Decreases by the splits of one side, ascending, by projection; 0 for LEAF, a side not split."""


def _splits_below(
    search: DepthTwoSearch, batch: Ints
) -> Iterator[tuple[int, DecreasesBelow, DecreasesBelow]]:
    """Generate each root candidate of a batch with the decreases below its left and right side."""
    sides = frontier_of_sides(search, batch)
    cuts = evaluate_frontier(search.data, sides, search.criterion, search.minimum, search.policy)
    admissible = np.flatnonzero(cuts.admissible & (cuts.sides.gain > 0))
    node, projection = cuts.node[admissible], cuts.lines_of(admissible)
    decrease = cuts.sides.gain[admissible] * cuts.weight.take(node) / search.data.weight
    order = np.lexsort((decrease, projection, node))
    node, projection, decrease = node[order], projection[order], decrease[order]
    starts = np.searchsorted(node, np.arange(2 * len(batch) + 1))

    def below(side: int) -> DecreasesBelow:
        entries = slice(int(starts[side]), int(starts[side + 1]))
        present, first = np.unique(projection[entries], return_index=True)
        decreases = np.split(decrease[entries], first[1:])
        return {LEAF: np.zeros(1)} | dict(zip(present.tolist(), decreases, strict=False))

    for k, root in enumerate(batch.tolist()):
        yield root, below(k), below(len(batch) + k)


def _count_near_trees(
    kinds: dict[ProjectionTriple, _KindStats],
    search: DepthTwoSearch,
    root: int,
    left: DecreasesBelow,
    right: DecreasesBelow,
    min_decrease: float,
) -> None:
    """Add the near-optimal trees of one root candidate to their kinds.

    Raises ValueError above MAX_KINDS kinds.
    """
    root_gain, tolerance = float(search.roots.gain[root]), search.roots.tolerance
    feature = int(search.roots.features(np.array([root]))[0])
    keys = [*left], [*right]
    largest = [np.array([side[key][-1] for key in side]) for side in (left, right)]
    needed = min_decrease - root_gain
    for i, j in np.argwhere(largest[1] >= (needed - largest[0])[:, None]).tolist():
        left_key, right_key = keys[0][i], keys[1][j]
        total = root_gain + float(largest[0][i] + largest[1][j])
        kind = feature, left_key, right_key
        stats = kinds.setdefault(kind, _KindStats(-np.inf, root, 0, root, root))
        stats.highest_root = root
        n_too_small = right[right_key].searchsorted(needed - left[left_key])
        stats.n_trees += int((len(right[right_key]) - n_too_small).sum())
        if total > stats.decrease + tolerance:
            stats.decrease, stats.best_root = total, root
    if len(kinds) > MAX_KINDS:
        raise ValueError(
            f"more than {MAX_KINDS:,} choices of features are within {MAX_DECREASE_LOST:.0%} "
            "of the best "
            "tree of depth 2; take fewer features"
        )


def _rank_kinds(
    kinds: dict[ProjectionTriple, _KindStats], tolerance: float
) -> list[tuple[ProjectionTriple, _KindStats]]:
    """The best kinds, the best first; of tied kinds that with fewer splits, then the lower root."""
    items = sorted(kinds.items(), key=lambda pair: -pair[1].decrease)
    decreases = np.array([stats.decrease for _, stats in items])
    rank = np.cumsum(-np.diff(decreases, prepend=decreases[:1]) > tolerance).tolist()

    def sort_key(index: int) -> tuple[int, int, int, ProjectionTriple]:
        kind, stats = items[index]
        return rank[index], -kind.count(LEAF), stats.best_root, kind

    return [items[index] for index in sorted(range(len(items)), key=sort_key)[:MAX_TREES_KEPT]]


def _log_of_kind(search: DepthTwoSearch, kind: ProjectionTriple, stats: _KindStats) -> Log:
    """Moves that grow the best tree of a kind."""
    sides = frontier_of_sides(search, np.array([stats.best_root]))
    moves = [Grow(1, root_split(search, stats.best_root))]
    for side, line in enumerate(kind[1:]):
        if line == LEAF:
            continue
        side_frontier = choose_lines(keep_nodes(sides, np.arange(2) == side), np.array([[line]]))
        cuts = evaluate_frontier(
            search.data, side_frontier, search.criterion, search.minimum, search.policy
        )
        best_split = best_cuts(cuts, side_frontier)
        moves.append(Grow(2 + side, best_split.split(0, (search.projections[line],))))
    return tuple(moves)
