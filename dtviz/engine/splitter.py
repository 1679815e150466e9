"""The splitter: finds the best split of each node of a frontier, for one problem.

Besides the projections of the problem a node may search projections that it proposes from its own
rows, such as slanted directions. A search goes along lines: a line is one projection, and a column
of the table of scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.progress import Slices, run_to_end
from dtviz.data.dataset import Dataset
from dtviz.engine.leaves.node_facts import compute_facts
from dtviz.engine.multiway import merge_multiway
from dtviz.engine.problem import Problem, project_columns
from dtviz.engine.rules import Rules
from dtviz.engine.search.best_split import (
    MAX_LINES,
    BestCuts,
    Draws,
    Keys,
    best_cuts,
    concatenate_best,
    divide,
    feature_orders,
    find_best_cuts,
    keep_drawn_cuts,
    lines_of_features,
    replace_best,
    set_drawn_thresholds,
    split_at,
    two_sided_histogram,
)
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.search.evaluate import ScoredCuts, evaluate_frontier, evaluate_histogram
from dtviz.engine.search.frontier import (
    Frontier,
    children,
    children_of_entries,
    choose_lines,
    frontier,
    keep_first_ordering,
    keep_nodes,
    unsorted_frontier,
)
from dtviz.engine.search.missing import surrogates
from dtviz.engine.splits import (
    FAMILIES,
    HALF,
    LEFT,
    RIGHT,
    Category,
    CutPart,
    IsMissing,
    MissingDirection,
    Projection,
    Split,
    Subset,
    score,
    scores,
)
from dtviz.engine.splits.split import NO_CUT


def projections_depend_on_rows(rules: Rules) -> bool:
    """True if the projections that every node searches depend on rows, not on features alone."""
    return any(FAMILIES[name].depends_on_rows for name in rules.families)


def node_projections(problem: Problem, rows: Ints) -> tuple[Projection, ...]:
    """Projections that a node proposes from its rows, each once."""
    proposals = [
        propose for name in problem.rules.families if (propose := FAMILIES[name].propose_in_node)
    ]
    if not proposals:
        return ()
    ordered = np.sort(rows)
    projections = chain.from_iterable(propose(problem.data, ordered) for propose in proposals)
    return tuple(dict.fromkeys(projections))


def projections_and_table(problem: Problem, rows: Ints) -> tuple[tuple[Projection, ...], Dataset]:
    """Projections that a node searches, and the data with them as columns.

    Those that the node proposes from its rows come last.
    """
    shared, proposed = problem.projections, node_projections(problem, rows)
    if not proposed:
        return shared, problem.table
    return shared + proposed, project_columns(problem.data, shared + proposed)


def merge_category_lines(cuts: Candidates) -> Candidates:
    """Put all candidates that cut off a single value of a category on one line.

    The line has the values in the order of the levels; the threshold of a candidate is the position
    of its value.
    """
    merged = [*map(_merged_projection, cuts.projections)]
    if merged == list(cuts.projections) or cuts.orders:
        return cuts
    projections, orders = tuple(dict.fromkeys(merged)), dict[int, tuple[int, ...]]()
    new_line = np.array([projections.index(projection) for projection in merged], int)
    cuts = _drop_repeated_missing(cuts, new_line)
    line = new_line.take(cuts.line)
    threshold, lower, upper = (column.copy() for column in (cuts.threshold, cuts.lower, cuts.upper))
    for k in np.flatnonzero([isinstance(new, Category) for new in projections]).tolist():
        cut_ids = np.flatnonzero((line == k) & np.isfinite(threshold))
        subsets = [cuts.projections[old_line] for old_line in cuts.line[cut_ids]]
        codes = [
            code for subset in subsets if isinstance(subset, Subset) for code in subset.left_codes
        ]
        # of two values, one cut parts both: the value that no candidate names comes first
        is_pair = len(codes) == merged.count(projections[k]) == 1
        orders[k] = (1 - codes[0], *codes) if is_pair else tuple(codes)
        threshold[cut_ids] = np.arange(is_pair, len(orders[k]))
        lower[cut_ids], upper[cut_ids] = threshold[cut_ids] - HALF, threshold[cut_ids] + HALF
    return replace(
        cuts,
        projections=projections,
        line=line,
        threshold=threshold,
        lower=lower,
        upper=upper,
        orders=MappingProxyType(orders),
    )


def _merged_projection(projection: Projection) -> Projection:
    """The whole category for a subset of its values; any other projection as it is."""
    return Category(projection.feature) if isinstance(projection, Subset) else projection


def _drop_repeated_missing(cuts: Candidates, new_line: Ints) -> Candidates:
    """Keep one is-missing candidate of each category: it parts rows with a value from rows without.

    `new_line` has the line that each line is merged into.
    """
    is_missing_ids = np.flatnonzero(np.isinf(cuts.threshold))
    _, first = np.unique(new_line.take(cuts.line[is_missing_ids]), return_index=True)
    keep = np.ones(len(cuts), np.bool_)
    keep[np.delete(is_missing_ids, first)] = False
    if keep.all():
        return cuts
    fields = {name: getattr(cuts, name) for name in cuts.__slots__}
    shorter: dict[str, Any] = {
        name: array[keep]
        for name, array in fields.items()
        if isinstance(array, np.ndarray) and len(array) == len(keep)
    }
    best = None if cuts.best is None else int(keep[: cuts.best].sum())
    return replace(cuts, **shorter, best=best)


def resolve_missing(problem: Problem, rows: Ints, split: Split) -> Split:
    """Set the side of missing values, or surrogates, in the split of a node with these rows."""
    data = problem.data
    if isinstance(split.projection, IsMissing | CutPart) or split.missing.is_explicit:
        return split
    scores = score(split.projection, data.columns, rows)
    missing = np.isnan(scores)
    left = _missing_go_left(problem, rows, split, scores, missing)
    if not problem.policy.surrogates:
        return split._replace(missing=LEFT if left else RIGHT)
    substitutes = surrogates(data, problem.projections, rows, split)
    return split._replace(missing=MissingDirection(left, substitutes))


def _missing_go_left(
    problem: Problem, rows: Ints, split: Split, scores: Floats, missing: Bools
) -> bool:
    """True if the policy sends the missing rows of a node left, by the scores of all its rows."""
    data = problem.data
    policy = problem.policy
    if policy.always_left:
        return True
    below = (scores <= split.threshold) & ~missing
    if policy.counts_missing and missing.any():
        return _scores_higher_left(problem, rows, np.where(missing, np.nan, ~below))
    weights = np.ones(len(rows)) if data.weights is None else data.weights.take(rows)
    left, right = weights[below].sum(), weights[~below & ~missing].sum()
    # equal sides: right, as in scikit-learn, or left, as in rpart
    return bool(left > right if policy.counts_missing else left >= right)


def _scores_higher_left(problem: Problem, rows: Ints, side: Floats) -> bool:
    """True if a split scores higher with the missing rows on the left.

    `side` is 0 for rows on the left, 1 on the right, NaN for missing rows.
    """
    data = problem.data
    if not (side == 0).any() or not (side == 1).any():
        return bool((side == 1).any())  # to the side that would be empty
    # `side` is searched like a feature: its first cut is the split itself
    column = np.zeros((1, data.n))
    column[0, rows] = side
    table = replace(data, columns=column, levels=())
    search_rules = problem.criterion, problem.minimum, problem.policy
    cuts = evaluate_frontier(table, frontier(table, [rows]), *search_rules)
    return bool(cuts.missing_left is not None and cuts.missing_left[0])


MAX_CELLS_AT_ONCE = 1 << 17
"""Lines times rows that are searched at once: their arrays stay in the processor's cache."""
PROPOSAL_ROWS = 40
"""Number of rows whose search along a projection takes as long as to propose the projection."""


class ProposedBest(NamedTuple):
    """Best split of each node of a frontier along the projections that the nodes propose."""

    best_cuts: BestCuts
    """Best candidates; the line of each is an index into the projections of its node."""
    score: Floats
    """Scores of the splits, (m,); -inf where a node has none."""
    splits: Sequence[Split | None]
    """Splits of the m nodes; None where a node has none."""
    tolerance: Floats
    """Largest difference of equal scores, (m,)."""


def best_proposed(
    problem: Problem, front: Frontier, keys: Keys | None = None
) -> Slices[ProposedBest]:
    """Find the best split of each node along the projections it proposes.

    A slice has some nodes, or some projections of one node. With `keys`, (m,), the random keys of
    the nodes, one threshold a projection is drawn.
    """
    groups, parts, last = np.split(front.rows[0], front.starts[1:]), list[ProposedBest](), -1
    for first, first_line, n_done, lines in _batches(problem, groups):
        batch = unsorted_frontier(groups[first : first + len(lines)])
        table = _frontier_table(problem.data, batch, lines)
        entries = np.split(np.arange(len(batch.rows[0])), batch.starts[1:])
        sorted_batch = frontier(table, entries)
        criterion = problem.criterion.take_rows(batch.rows[0])
        cuts = evaluate_frontier(table, sorted_batch, criterion, problem.minimum, problem.policy)
        if keys is None:
            best = best_cuts(cuts, sorted_batch)
        else:
            line_ids = np.arange(len(table.columns))[:, None].repeat(len(lines), axis=1)
            # numbers above those of the projections of the problem: drawn independently of them
            random_ids = MAX_LINES + first_line + line_ids
            cuts, drawn = keep_drawn_cuts(cuts, keys[first : first + len(lines)], random_ids)
            best = set_drawn_thresholds(best_cuts(cuts, sorted_batch), drawn)
        part = _proposed_best(cuts, best, lines)
        if first == last:
            parts[-1] = _choose_higher(parts[-1], part)  # more projections of the same node
        else:
            parts.append(part)
        last = first
        yield n_done / len(groups)
    return _concatenate(parts)


def _batches(
    problem: Problem, groups: Sequence[Ints]
) -> Iterator[tuple[int, int, float, Sequence[Sequence[Projection]]]]:
    """Yield batches of about MAX_CELLS_AT_ONCE: some nodes, or some projections of a large node.

    A batch is four values: the index of its first node, the index of the first projection of each
    node, the number of nodes done after the batch, and the projections of each node.
    """
    first, batch, cells = 0, list[Sequence[Projection]](), 0
    work = problem.criterion.impurity.work
    for node, rows in enumerate(groups):
        lines, size = node_projections(problem, rows), len(rows) * work + PROPOSAL_ROWS
        cells += size * len(lines)
        if batch and cells > MAX_CELLS_AT_ONCE:
            yield first, 0, node, batch
            first, batch, cells = node, [], size * len(lines)
        step = max(MAX_CELLS_AT_ONCE // size, 1)
        if len(lines) <= step:
            batch.append(lines)
            continue
        for k in range(0, len(lines), step):
            yield node, k, node + min(1, (k + step) / len(lines)), [lines[k : k + step]]
        first, cells = node + 1, 0
    if batch:
        yield first, 0, len(groups), batch


def _proposed_best(
    cuts: ScoredCuts, best: BestCuts, lines: Sequence[Sequence[Projection]]
) -> ProposedBest:
    """The best candidates of nodes with their splits; `lines` has the projections of each node."""
    columns = zip(
        lines, best.line.tolist(), best.threshold.tolist(), best.cut.tolist(), strict=True
    )
    splits = [
        split_at(projections[line], threshold) if cut >= 0 else None
        for projections, line, threshold, cut in columns
    ]
    return ProposedBest(best, scores_of_best(cuts, best), splits, cuts.tolerance)


def _choose_higher(first: ProposedBest, second: ProposedBest) -> ProposedBest:
    """Choose between the best splits of one node: `first`, unless `second` scores more."""
    wins = (
        second.best_cuts.cut[0] >= 0 and not second.score[0] <= first.score[0] + first.tolerance[0]
    )
    winner = second if wins else first
    grade = np.maximum(first.best_cuts.grade, second.best_cuts.grade)
    return winner._replace(best_cuts=winner.best_cuts._replace(grade=grade))


def _concatenate(parts: Sequence[ProposedBest]) -> ProposedBest:
    """Join the best splits of batches of nodes."""
    if len(parts) == 1:
        return parts[0]
    best = concatenate_best([part.best_cuts for part in parts])
    splits = [split for part in parts for split in part.splits]
    score, tolerance = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("score", "tolerance")
    )
    return ProposedBest(best, score, splits, tolerance)


def scores_of_best(cuts: ScoredCuts, best: BestCuts) -> Floats:
    """Scores of the best candidates, (m,); -inf where a node has none."""
    if not len(cuts.score):
        return np.full(len(best.cut), -np.inf)
    best_scores = cuts.score.take(np.maximum(best.cut, 0))
    return np.asarray(np.where(best.cut < 0, -np.inf, best_scores))


def _frontier_table(
    data: Dataset, front: Frontier, lines: Sequence[Sequence[Projection]]
) -> Dataset:
    """Dataset with a row for each entry, and the scores by the projections of its node as columns.

    Where a node has fewer projections than others its last columns are 0: no threshold cuts them.
    """
    n_columns, rows = max(max(map(len, lines)), 1), front.rows[0]
    projections = [projection for node_lines in lines for projection in node_lines]
    columns = np.zeros((n_columns, len(rows)))
    if projections:
        n_lines = np.array([len(node_lines) for node_lines in lines])
        first = n_lines.cumsum() - n_lines
        column = np.arange(n_columns)[:, None]
        is_filled = column < n_lines.take(front.owner)
        which = np.where(is_filled, first.take(front.owner) + column, 0)
        columns = np.where(is_filled, scores(projections, which, data.columns, rows), 0.0)
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


def merge_proposed(
    problem: Problem,
    front: Frontier,
    best: BestCuts,
    score: Floats,
    tolerance: Floats,
    proposed: ProposedBest,
) -> BestCuts:
    """Merge the best splits of nodes: one along a proposed projection must score higher.

    `score`, (m,), are the scores of `best`, and `tolerance` the differences of equal scores.
    """
    wins = (proposed.best_cuts.cut >= 0) & ~(proposed.score <= score + tolerance)
    splits = dict(best.fixed_splits)
    groups = np.split(front.rows[0], front.starts[1:])
    for j in np.flatnonzero(wins).tolist():
        split = proposed.splits[j]
        assert split is not None
        splits[j] = resolve_missing(problem, groups[j], split) if any(problem.data.gaps) else split

    def merged(shared: Floats, better: Floats) -> Floats:
        return np.asarray(np.where(wins, better, shared))

    other = proposed.best_cuts
    return best._replace(
        cut=np.where(wins, other.cut, best.cut),
        line=np.where(wins, 0, best.line),
        lower=merged(best.lower, other.lower),
        upper=merged(best.upper, other.upper),
        threshold=merged(best.threshold, other.threshold),
        gain=merged(best.gain, other.gain),
        grade=np.maximum(best.grade, other.grade),
        named={j: codes for j, codes in best.named.items() if not wins[j]},
        fixed_splits=splits,
    )


PROPOSAL_WORK = 16
"""Factor by which a search takes longer if nodes propose projections."""


def relative_work(problem: Problem) -> int:
    """Rough work of growing a tree; 1: that of axis splits and constant leaves."""
    work = max(problem.criterion.impurity.work // 4, 1)
    return work * PROPOSAL_WORK if problem.nodes_propose else work


class Splitter(NamedTuple):
    """A problem with the search for the best split of each node of a frontier."""

    problem: Problem
    """Data, criterion, projections and minimum of the search."""
    draws: Draws | None = None
    """Random features and thresholds that a node draws; None: it searches all."""

    @property
    def needs_no_order(self) -> bool:
        """True if no node needs its rows sorted: each draws one threshold a line of numbers."""
        data, statistics = self.problem.table, self.problem.criterion.impurity.statistics
        proposed = self.problem.nodes_propose
        searched = proposed or self.problem.has_multiway
        can_sum = not (any(data.gaps) or any(data.levels) or statistics.category_key or searched)
        return can_sum and self.draws is not None and self.draws.random_threshold

    def best(self, front: Frontier, keys: Keys | None = None) -> BestCuts:
        """Find the best split of each node; `keys`, (m,), are the random keys by which it draws."""
        return run_to_end(self.best_in_slices(front, keys))

    def best_in_slices(self, front: Frontier, keys: Keys | None = None) -> Slices[BestCuts]:
        """Find the best split of each node as `best` does, in slices."""
        if self.draws is None or keys is None:
            return (yield from self._best(front))
        lines = lines_of_features(self.problem.projections)
        order, m = feature_orders(keys, len(lines)), len(keys)
        n_drawn = min(self.draws.max_features or len(lines), len(lines))
        drawn_lines = lines[order[:n_drawn]].transpose(0, 2, 1).reshape(-1, m)
        best = yield from self._best_of_lines(front, drawn_lines, keys)
        # As scikit-learn does: nodes without any candidate draw further features one by one.
        for k in range(n_drawn, len(lines)):
            no_cut = best.grade == NO_CUT
            if not no_cut.any():
                break
            next_lines = lines[order[k, no_cut]].T
            other = yield from self._best_of_lines(
                keep_nodes(front, no_cut), next_lines, keys[no_cut]
            )
            best = replace_best(best, no_cut, other)
        return best

    def _best_of_lines(self, front: Frontier, lines: Ints, keys: Keys) -> Slices[BestCuts]:
        """The best split of each node along these lines, (L, m)."""
        lines = np.sort(lines, axis=0)  # of tied cuts, that of the lowest line wins
        if not self.needs_no_order:
            return (yield from self._best(choose_lines(front, lines), keys))
        statistics = self.problem.criterion.impurity.statistics
        hist, thresholds = two_sided_histogram(self.problem.table, front, statistics, keys, lines)
        cuts = evaluate_histogram(
            hist, self.problem.criterion, self.problem.policy, self.problem.minimum
        )
        best = best_cuts(cuts, front)
        line = lines[best.line, np.arange(len(keys))]
        return set_drawn_thresholds(best, thresholds)._replace(line=line)

    def _best(self, front: Frontier, keys: Keys | None = None) -> Slices[BestCuts]:
        """The best split of each node along the lines of the frontier and those it proposes."""
        problem, policy, lines, drawn = self.problem, self.problem.policy, front.lines, None
        one_threshold = self.draws is not None and self.draws.random_threshold
        search = problem.table, front, problem.criterion, problem.minimum, policy
        has_multiway = problem.has_multiway
        if one_threshold or problem.nodes_propose or has_multiway:
            cuts = evaluate_frontier(*search)
            if one_threshold and keys is not None and lines is not None:
                cuts, drawn = keep_drawn_cuts(cuts, keys, lines)
            best = best_cuts(cuts, front)
        else:
            best = find_best_cuts(*search)
        if drawn is not None:
            best = set_drawn_thresholds(best, drawn)
        if lines is not None:
            best = best._replace(line=lines[best.line, np.arange(len(best.cut))])
        if problem.nodes_propose or has_multiway:
            score, tolerance = scores_of_best(cuts, best), cuts.tolerance
        if has_multiway:
            best, score = merge_multiway(problem, front, best, score, tolerance)
        if problem.nodes_propose:
            proposed = yield from best_proposed(problem, front, keys if one_threshold else None)
            best = merge_proposed(problem, front, best, score, tolerance, proposed)
        is_weighted = problem.data.weights is not None and problem.nodes_propose
        needs_gains = any(problem.data.gaps) or is_weighted
        if policy.counts_missing or not (policy.surrogates or needs_gains):
            return best
        return self.count_missing_rows(front, best)

    def count_missing_rows(self, front: Frontier, best: BestCuts) -> BestCuts:
        """Compute the gains from nodes and children: the search left out rows without a value."""
        problem, has_cut = self.problem, best.cut >= 0
        if not has_cut.any():
            return best
        if problem.policy.surrogates or best.missing_left is None or not any(problem.table.gaps):
            best = self._resolve_missing(front, best)
        left_mask, first = (
            divide(problem.table, front, best, problem.data),
            keep_first_ordering(front),
        )
        parents = compute_facts(problem.data, keep_nodes(first, has_cut), problem.criterion)
        child_front = children(first, *children_of_entries(first, left_mask), np.tile(has_cut, 2))
        below = compute_facts(problem.data, child_front, problem.criterion)
        impurity_below = (below.weight * below.impurity).reshape(2, -1).sum(axis=0)
        gain = best.gain.copy()
        gain[has_cut] = np.maximum(parents.impurity - impurity_below / parents.weight, 0.0)
        for node, split in best.fixed_splits.items():  # a multi-way cut has more than two children
            if isinstance(split.projection, CutPart):
                gain[node] = best.gain[node]
        return best._replace(gain=gain)

    def _resolve_missing(self, front: Frontier, best: BestCuts) -> BestCuts:
        """The best splits with the sides, or surrogates, of missing values in their nodes."""
        groups = np.split(front.rows[0], front.starts[1:])
        splits = {
            j: resolve_missing(self.problem, groups[j], best.split(j, self.problem.projections))
            for j in np.flatnonzero(best.cut >= 0).tolist()
        }
        return best._replace(fixed_splits=splits)

    def missing_go_to_left(self, best: BestCuts, sizes: Ints) -> Bools:
        """Mask of the nodes that send missing rows left, (m,), by the sizes of children, (2 m,)."""
        if self.problem.policy.always_left:
            return np.ones(len(best.cut), np.bool_)
        if best.missing_left is None:  # to the side with more rows
            return np.asarray(np.greater(*sizes.reshape(2, -1)))
        return best.missing_left
