"""Search for multi-way cuts: the gain of cutting a node in all values of a category at once.

The rows of a node without a value count in its largest branch, which they join. A value that no
row of a node has gets no branch there. A cut is admissible if each of its branches has the minimum.
The branches have the order of the values; the largest one, of equal ones the last, is the default
for rows whose value has none. The gain ratio is the gain over the split information, the entropy of
the branch sizes.

In the shapes of arrays, m is the number of nodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.data.dataset import Dataset
from dtviz.engine.leaves.node_facts import NodeFacts, compute_facts
from dtviz.engine.problem import Problem
from dtviz.engine.search.best_split import NODE_FIELDS, BestCuts
from dtviz.engine.search.candidates import BranchFacts, Candidates, insert_candidates
from dtviz.engine.search.frontier import Frontier, one_ordering, starts_of, unsorted_frontier
from dtviz.engine.splits import HALF, MAX_BRANCHES, Multiway, Split, multiway_split, next_part
from dtviz.engine.splits.split import (
    ADMISSIBLE,
    ALL_ZERO,
    FEW_ROWS,
    LITTLE_WEIGHT,
    MANY_BRANCHES,
    NO_CUT,
    Grades,
    Minimum,
)

Parts = Mapping[int, Split]
"""Parts that nodes must have as their splits, since those of their parents go on; by position in a
frontier, or among the children of one."""
NO_PARTS: Parts = MappingProxyType({})


class MultiwayCuts(NamedTuple):
    """The cut of each of m nodes in all values of one category, with the b branches of all cuts."""

    feature: int
    """Index of the feature."""
    branches: NodeFacts
    """Facts of the branches, node after node, by ascending codes."""
    codes: Ints
    """Code of each branch, (b,)."""
    sizes: Ints
    """Number of branches of each node, (m,); below 2 there is no cut."""
    gain: Floats
    """Gain of the cut, (m,)."""
    score: Floats
    """Gain, or the gain ratio where the criterion ranks by it, (m,)."""
    grade: Grades
    """Grade of the cut, (m,)."""
    largest: Ints
    """Code of the largest branch of each node, (m,)."""

    def split(self, node: int) -> Split:
        """Split of a node."""
        first = int(starts_of(self.sizes)[node])
        codes = self.codes[first : first + int(self.sizes[node])]
        return multiway_split(self.feature, codes.tolist(), int(self.largest[node]))


def multiway_cuts(problem: Problem, front: Frontier, feature: int) -> MultiwayCuts:
    """Evaluate the cut of each node of a frontier in all values of a category."""
    data, criterion = problem.data, problem.criterion
    rows, owner, m = front.rows[0], front.owner, len(front.sizes)
    n_levels = len(data.levels[feature])
    codes = data.columns[feature].take(rows)
    weights = np.ones(len(rows)) if data.weights is None else data.weights.take(rows)
    is_missing = np.isnan(codes)
    # the cells of a table with a line for each node and a column for each code
    cells = owner * n_levels + np.where(is_missing, 0, codes).astype(int)
    totals = np.bincount(cells, weights * ~is_missing, minlength=m * n_levels)
    largest = n_levels - 1 - totals.reshape(m, n_levels)[:, ::-1].argmax(axis=1)
    cells = np.where(is_missing, owner * n_levels + largest.take(owner), cells)
    order = np.argsort(cells, kind="stable")
    present, branch_sizes = np.unique(cells.take(order), return_counts=True)
    facts = compute_facts(data, one_ordering(rows.take(order), branch_sizes), criterion)
    sizes = np.bincount(present // n_levels, minlength=m)
    starts, weight = starts_of(sizes), facts.weight.astype(np.float64)
    node_weight = np.add.reduceat(weight, starts)
    parents = compute_facts(data, front, criterion)
    below = np.add.reduceat(weight * facts.impurity, starts) / node_weight
    rounding = ROUNDING * (1.0 if data.classes else parents.impurity)
    gain = parents.impurity - below
    gain = np.where(gain > rounding, gain, 0.0)
    score = gain
    if criterion.measure is not None:
        assert criterion.measure.score_branches is not None
        share = weight / node_weight.repeat(sizes)
        score = criterion.measure.score_branches(gain, share, starts)
    grade = _grades(data, problem.minimum, facts, sizes)
    codes = present % n_levels
    return MultiwayCuts(feature, facts, codes, sizes, gain, score, grade, largest)


def _grades(data: Dataset, minimum: Minimum, branches: NodeFacts, sizes: Ints) -> Grades:
    """Grade of the cut of each node, (m,): that of its worst branch."""
    starts = starts_of(sizes)
    lightest = np.minimum.reduceat(branches.weight, starts)
    grade = np.full(len(sizes), ADMISSIBLE, np.int8)
    if minimum.above_zero and not data.classes:
        grade[np.minimum.reduceat(branches.value, starts) <= 0] = ALL_ZERO
    grade[lightest < minimum.weight * (1 - ROUNDING)] = LITTLE_WEIGHT
    grade[np.minimum.reduceat(branches.n, starts) < minimum.rows] = FEW_ROWS
    grade[sizes > MAX_BRANCHES] = MANY_BRANCHES
    grade[sizes < 2] = NO_CUT
    return grade


def merge_multiway(
    problem: Problem, front: Frontier, best: BestCuts, score: Floats, tolerance: Floats
) -> tuple[BestCuts, Floats]:
    """Merge the best cuts of nodes with their multi-way cuts; of equal ones the first line wins.

    `score`, (m,), are the scores of `best`, -inf where a node has no cut, and `tolerance` the
    largest differences of equal scores. Returns the best cuts of both, and their scores.
    """
    columns = {name: getattr(best, name).copy() for name in NODE_FIELDS}
    parts, score = dict[int, Split](), score.copy()
    for line, projection in enumerate(problem.projections):
        if not isinstance(projection, Multiway):
            continue
        cuts = multiway_cuts(problem, front, projection.feature)
        can_win = cuts.grade == ADMISSIBLE
        if front.lines is not None:  # nodes draw the lines that they search
            can_win &= (front.lines == line).any(axis=0)
        is_tied = (cuts.score >= score - tolerance) & (line < columns["line"])
        wins = can_win & ((cuts.score > score + tolerance) | is_tied)
        columns["grade"] = np.maximum(columns["grade"], cuts.grade)
        columns["gain"][wins], score[wins] = cuts.gain[wins], cuts.score[wins]
        columns["line"][wins] = line
        parts |= {node: cuts.split(node) for node in np.flatnonzero(wins).tolist()}
    return _with_parts(best._replace(**columns), parts), score


def _with_parts(best: BestCuts, parts: Parts) -> BestCuts:
    """Set the splits of nodes to parts."""
    missing_left, mask = best.missing_left, _mask(parts, len(best.cut))
    return best._replace(
        cut=np.where(mask, 0, best.cut),
        lower=np.where(mask, 0.0, best.lower),
        upper=np.where(mask, 1.0, best.upper),
        threshold=np.where(mask, HALF, best.threshold),
        named={node: codes for node, codes in best.named.items() if not mask[node]},
        missing_left=None if missing_left is None else missing_left & ~mask,
        fixed_splits={**best.fixed_splits, **parts},
    )


def continue_cuts(best: BestCuts, parts: Parts) -> BestCuts:
    """Replace the best cuts of nodes by the parts that go on with the cuts of their parents.

    A later part gains nothing: the first part of a cut has the gain of all its branches.
    """
    if not parts:
        return best
    mask = _mask(parts, len(best.cut))
    grade = np.where(mask, np.int8(ADMISSIBLE), best.grade)
    return _with_parts(best._replace(gain=np.where(mask, 0.0, best.gain), grade=grade), parts)


def _mask(parts: Parts, n_nodes: int) -> Bools:
    """Mask of the nodes that have a part, (m,)."""
    mask = np.zeros(n_nodes, np.bool_)
    mask[[*parts]] = True
    return mask


def following_parts(best: BestCuts, split_mask: Bools) -> Parts:
    """The parts that follow the splits of a level, by the position of the child that has them.

    The 2 k children of the k nodes in the mask are all left ones, then all right ones.
    """
    if not best.fixed_splits:
        return NO_PARTS
    parents = np.flatnonzero(split_mask).tolist()
    parts = {}
    for position, node in enumerate(parents):
        part = next_part(best.fixed_splits[node]) if node in best.fixed_splits else None
        if part is not None:
            parts[len(parents) + position] = part
    return parts


def renumber_parts(parts: Parts, kept_mask: Bools) -> Parts:
    """The same parts by the positions among the children of the mask."""
    positions = kept_mask.cumsum() - 1
    return {int(positions[child]): part for child, part in parts.items()}


def add_multiway_candidates(problem: Problem, rows: Ints, cuts: Candidates) -> Candidates:
    """Add the multi-way cuts of a node to its other candidates, and choose the best of all.

    `rows` are the row ids of the node. The threshold of such a cut lies behind all of its values.
    """
    front, added = unsorted_frontier([rows]), list[dict[str, Any]]()
    orders, branches = dict(cuts.orders), dict[int, BranchFacts]()
    for line, projection in enumerate(cuts.projections):
        if not isinstance(projection, Multiway):
            continue
        of_line = multiway_cuts(problem, front, projection.feature)
        orders[line] = tuple(of_line.codes.tolist())
        if of_line.grade[0] in (NO_CUT, MANY_BRANCHES):
            continue
        facts = of_line.branches
        weight, split = facts.weight.astype(np.float64), of_line.split(0)
        branches[line] = BranchFacts(facts.n, weight, facts.impurity, split)
        added.append(_candidate(line, of_line, branches[line]))
    cuts = replace(cuts, orders=MappingProxyType(orders))
    if not added:
        return cuts
    columns = {name: np.array([each[name] for each in added]) for name in added[0]}
    if cuts.missing_left is not None:
        columns["missing_left"] = np.zeros(len(added), np.bool_)
    merged = insert_candidates(cuts, columns)
    impurity = compute_facts(problem.data, front, problem.criterion).impurity[0]
    scores = np.where(merged.admissible, merged.score, -np.inf)
    rounding = ROUNDING * (1.0 if problem.data.classes else impurity)
    tied = merged.admissible & (scores >= scores.max() - rounding)
    return replace(
        merged,
        tied=tied,
        best=int(tied.argmax()) if tied.any() else None,
        branches=MappingProxyType(branches),
    )


def _candidate(line: int, cuts: MultiwayCuts, branches: BranchFacts) -> dict[str, Any]:
    """Fields of the multi-way cut of a line as a candidate, by name."""
    n, weight, impurity, _ = branches
    n_branches = len(n)
    return {
        "line": line,
        "threshold": n_branches - HALF,
        "lower": n_branches - 1.0,
        "upper": float(n_branches),
        "n_left": n[0],
        "n_right": n[1:].sum(),
        "weight_left": weight[0],
        "weight_right": weight[1:].sum(),
        "impurity_left": impurity[0],
        "impurity_right": np.average(impurity[1:], weights=weight[1:]),
        "gain": cuts.gain[0],
        "score": cuts.score[0],
        "admissible": cuts.grade[0] == ADMISSIBLE,
        "boundary": True,
        "tied": False,
        "turned": False,
        "scattered": 0,
    }
