"""The lines that a node proposes for itself: slanted and round cuts, told by its own rows.

They compete with those that every node tries. A node's own are searched over its entries alone, so
that nodes may share rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dtviz.arrays import Floats, Ints
from dtviz.engine.cuts import Cuts, scan
from dtviz.engine.draws import MAX_LINES, Keys, one_cut, placed
from dtviz.engine.frontier import Frontier, frontier, unsorted
from dtviz.engine.lines import own_of
from dtviz.engine.problem import Problem
from dtviz.engine.search import Best, best, one_after_another, split_at
from dtviz.engine.sides import settled
from dtviz.engine.splits import Projection, Split, scores
from dtviz.slices import Slices
from dtviz.table.data import Dataset

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
        table = _table(problem.data, own, tried)
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


def _table(data: Dataset, front: Frontier, tried: Sequence[Sequence[Projection]]) -> Dataset:
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
