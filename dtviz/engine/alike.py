"""What many trees share: the ways down from the root that they have in common.

Glossary
    cut    a split by what it asks: equal ones ask the same, and send rows without a score alike
    way    the cuts from the root to a node and the sides taken: equal ones lead to one region
    fork   a way and the cut that stands at its end: trees with equal ways and cuts share it
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.arrays import Ints
from dtviz.engine.members import Members

ROOT = 0


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """The ways of all nodes: `way` is that of each place, (m,), the root's being ROOT.

    `fork` is the number of the one that stands there, -1 in a leaf; `first`, (F,), is a place of
    each. Forks are numbered from the roots down; behind the k-th lie the ways `beneath(k)`.
    """

    way: Ints
    fork: Ints
    first: Ints


def beneath(fork: Any) -> tuple[Any, Any]:
    """The ways to the left and to the right of a fork, or of some."""
    return 2 * fork + 1, 2 * fork + 2


def ways_of(members: Members) -> Ways:
    """The ways of all nodes of some members, level by level."""
    cuts = _cuts(members)
    way, fork = np.zeros(len(members.left), np.intp), np.full(len(members.left), -1)
    first, made = list[Ints](), 0
    for places in levels(members):
        inner = places[members.left.take(places) >= 0]
        pairs = np.stack([way.take(inner), cuts.take(members.cut.take(inner))], axis=1)
        at, which = _unique(pairs)
        fork[inner] = made + which
        left = members.left.take(inner)
        way[left], way[left + 1] = beneath(fork.take(inner))
        first.append(inner.take(at))
        made += len(at)
    return Ways(way, fork, np.concatenate(first) if first else np.zeros(0, np.intp))


def alike(members: Members) -> Ints:
    """The number of each member's tree, (T,): equal where all cuts are, whatever leaves predict."""
    cuts, same = _cuts(members), np.zeros(len(members.left), np.intp)
    for places in reversed([*levels(members)]):
        inner = places[members.left.take(places) >= 0]
        left = members.left.take(inner)
        cut = cuts.take(members.cut.take(inner))
        _, which = _unique(np.stack([cut, same.take(left), same.take(left + 1)], axis=1))
        same[inner] = 1 + which
    return same.take(members.roots)


def root_cuts(members: Members) -> Ints:
    """The number of the cut at each root, (T,): equal where they ask the same, -1 in a leaf."""
    split = members.left.take(members.roots) >= 0
    out = np.full(len(members), -1)
    out[split] = _cuts(members).take(members.cut.take(members.roots[split]))
    return out


def levels(members: Members) -> Iterator[Ints]:
    """The places of all nodes of each depth, from the roots on."""
    places = members.roots
    while len(places):
        yield places
        left = members.left.take(places)
        left = left[left >= 0]
        places = np.concatenate([left, left + 1])


def _cuts(members: Members) -> Ints:
    """The number of the cut that each of the splits is, (K,)."""
    splits, known = members.splits, dict[object, int]()
    line = np.array([known.setdefault(one, len(known)) for one in splits.projections], np.intp)
    lost, others = np.zeros(len(splits.line), np.bool_), np.zeros(len(splits.line))
    if splits.left is not None and any(members.data.gaps):
        lost = splits.left
    for k, surrogates in splits.surrogates.items():
        others[k] = known.setdefault(surrogates, len(known))
    asked = [line.take(splits.line), splits.threshold, lost, others]
    return _unique(np.stack([column.astype(np.float64) for column in asked], axis=1))[1]


def _unique(rows: NDArray[Any]) -> tuple[Ints, Ints]:
    """Where each of the different rows is first, and which of them each is."""
    order = np.lexsort(rows.T[::-1])
    by = rows[order]
    new = np.append(np.ones(min(len(by), 1), np.bool_), (by[1:] != by[:-1]).any(axis=1))
    which = np.empty(len(rows), np.intp)
    which[order] = new.cumsum() - 1
    return order[new], which
