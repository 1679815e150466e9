"""Whether a move could be one of the rules' own, known before the tree is grown on from there."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from dtviz.arrays import Ints
from dtviz.engine.frontier import frontier
from dtviz.engine.least import NO_CUT
from dtviz.engine.problem import Problem
from dtviz.engine.searching import Splitter
from dtviz.engine.sides import settled
from dtviz.engine.splits import Split, goes_left
from dtviz.engine.tree import Collapse, Grow, Log, Move, ancestors, is_below


def could_make(problem: Problem, log: Log, move: Move) -> bool:
    """Whether the rules could make the move after the log, whichever node is next; no is certain.

    Only the rows of its node are searched, by what `finish` searches all leaves by.
    """
    if isinstance(move, Collapse):
        return problem.rules.ccp_alpha > 0
    rows = _rows(problem, splits_after(log), move.node)
    if not len(rows):
        return False
    top = Splitter(problem).best(frontier(problem.table, [rows]))
    return top.grade[0] != NO_CUT and top.split(0, problem.projections) == move.split


def splits_after(log: Log) -> dict[int, Split]:
    """The splits by node that are left after the log, taken as it says them."""
    splits: dict[int, Split] = {}
    for move in log:
        match move:
            case Grow(node, split):
                splits[node] = split
            case Collapse(top):
                for node in [node for node in splits if is_below(node, top)]:
                    del splits[node]
    return splits


def _rows(problem: Problem, splits: dict[int, Split], node: int) -> Ints:
    """The rows of a node below these splits; none where it is no leaf of theirs."""
    data = problem.data
    rows = np.arange(0 if node in splits else data.n)
    for above, child in pairwise((*ancestors(node), node)):
        if above not in splits:
            return rows[:0]
        left = goes_left(settled(problem, rows, splits[above]), data.columns, rows)
        rows = rows[left if child % 2 == 0 else ~left]
    return rows
