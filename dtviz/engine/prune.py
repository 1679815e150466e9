"""Pruning: which splits to take back once a tree is grown.

Glossary
    link       a split together with all that lies below it
    alpha      of a link: (R(t) - R(T_t)) / (leaves of T_t - 1), what each of its leaves beyond the
               first lowers the risk by; the weakest link has the smallest
    risk       R: impurity times the share of all rows, summed over leaves
    path       the nested subtrees met when the weakest link is taken back again and again
    rounding   of an alpha: that of R(t), the larger of the two risks whose difference it is

Sources: theory.md, Pruning [M]; Breiman et al., Classification and Regression Trees (1984), ch. 3;
Quinlan, Simplifying decision trees (1987), for reduced-error pruning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.data.dataset import read_only
from dtviz.engine.subtrees import Nodes, connected, ends, levels

LAST_BITS = 1e-15
"""How far a mean may be off, as a share of what it is the mean of."""

BLOCK = 64
"""Links whose least alpha is kept together."""

SMALLEST = float(np.nextafter(0, 1))
"""The least alpha above 0."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link that is taken back: the place of its split, its alpha; the risk and leaves left.

    `least` is the alpha less its rounding: the least ccp_alpha that takes the link back.
    """

    place: int
    alpha: float
    least: float
    risk: float
    leaves: int


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """The nested subtrees of weakest-link pruning, from the one given to the root alone.

    Tree k is the one for alphas[k] <= ccp_alpha < alphas[k + 1]; alphas, impurities and leaves
    have shape (K,), impurities are risks.
    """

    alphas: Floats
    impurities: Floats
    leaves: Ints

    def __post_init__(self) -> None:
        read_only(self)


def weakest_links(nodes: Nodes, stays: Bools) -> Iterator[Link]:
    """The links of a subtree as they are taken back, the weakest first; alphas never fall.

    Of those that may be the weakest, but for rounding, the lowest id goes first.
    """
    risk, stays, parents = nodes.risk, stays.copy(), nodes.parent.tolist()
    many, below = _under(nodes, stays)
    alpha, rounding = np.full(len(risk), np.inf), np.zeros(len(risk))
    alpha[stays] = (risk[stays] - below[stays]) / (many[stays] - 1)
    rounding[stays] = ROUNDING * risk[stays] / (many[stays] - 1)
    last = 0.0
    low, high = _Minima(alpha - rounding), _Minima(alpha + rounding)
    while stays[0]:
        place = low.first(high.least())
        last, least = max(last, float(alpha[place])), float(alpha[place] - rounding[place])
        gone = _splits_under(nodes, stays, place)
        stays[gone], alpha[gone] = False, np.inf
        fewer, more = many[place] - 1, risk[place] - below[place]
        up = _places_above(parents, place)
        many[up] -= fewer
        below[up] += more
        alpha[up] = (risk[up] - below[up]) / (many[up] - 1)
        rounding[up] = ROUNDING * risk[up] / (many[up] - 1)
        changed = np.array(gone + up)
        low.put(changed, alpha[changed] - rounding[changed])
        high.put(changed, alpha[changed] + rounding[changed])
        whole = (risk[0], 1) if not stays[0] else (below[0], many[0])
        yield Link(place, last, least, float(whole[0]), int(whole[1]))


def alpha_of(nodes: Nodes, stays: Bools, place: int) -> tuple[float, int]:
    """The alpha of one link of a subtree, and how many leaves it has."""
    many, below = _under(nodes, stays)
    leaves = int(many[place])
    return float((nodes.risk[place] - below[place]) / (leaves - 1)), leaves


def path(nodes: Nodes, stays: Bools) -> Path:
    """The whole path of a subtree; alphas that differ by rounding alone are one.

    ccp_alpha = 0 prunes nothing, so links of alpha 0 (they lower no risk) go at SMALLEST. The last
    two are kept, with their trees: a screen asks for the same one several times.
    """
    return _path(nodes, stays.tobytes())


@lru_cache(maxsize=2)
def _path(nodes: Nodes, mask: bytes) -> Path:
    stays = np.frombuffer(mask, np.bool_)
    at_end = ends(nodes, stays)
    steps = [(0.0, float(nodes.risk[at_end].sum()), int(at_end.sum()))]
    for link in weakest_links(nodes, stays):
        if len(steps) == 1 or link.least > steps[-1][0]:
            alpha = link.alpha if link.least > 0 else SMALLEST
            steps.append((alpha, link.risk, link.leaves))
        else:
            steps[-1] = (steps[-1][0], link.risk, link.leaves)
    alphas, impurities, leaves = zip(*steps, strict=True)
    return Path(np.array(alphas), np.array(impurities), np.array(leaves, np.intp))


def risks(nodes: Nodes, stays: Bools) -> Floats:
    """The risk of each of many subtrees, (K,); `stays` has shape (K, m)."""
    return np.asarray(ends(nodes, stays) @ nodes.risk)


def pruned(nodes: Nodes, stays: Bools, ccp_alpha: Floats | float) -> Bools:
    """The splits left at `ccp_alpha` of a subtree, (m,), or of many: masks (K, m), alphas (K, 1).

    From the leaves up, a split stays where its link costs less, R + alpha |T|, than it as a leaf,
    by more than rounding; that is the path's tree at this alpha.
    """
    alpha, risk = np.asarray(ccp_alpha), nodes.risk
    left = np.broadcast_to(stays, np.broadcast_shapes(stays.shape, alpha.shape)).copy()
    if not alpha.any():
        return left
    cost = risk + np.minimum(alpha, 2 * risk[0])  # at R(root) all are pruned
    cost = np.broadcast_to(cost, left.shape).copy()
    for level in reversed(levels(nodes)):
        inside = np.flatnonzero(nodes.left[level] >= 0) + level.start
        below = cost[..., nodes.left[inside]] + cost[..., nodes.left[inside] + 1]
        left[..., inside] &= below < cost[..., inside] - ROUNDING * risk[inside]
        cost[..., inside] = np.where(left[..., inside], below, cost[..., inside])
    return np.where(alpha > 0, connected(nodes, left), stays)


def reduced_error(nodes: Nodes, stays: Bools, losses: Floats) -> list[int]:
    """The places to take back so that held-out rows lose least, with the fewest leaves [Quinlan].

    `losses` are each node's on these rows, (m,), as `subtrees.losses` gives them. The link that
    saves most goes first; of equal ones the lowest id.
    """
    least = _less_rounding(nodes, losses)
    left, best = stays.copy(), losses.copy()
    for level in reversed(levels(nodes)):
        inside = np.flatnonzero(left[level]) + level.start
        below = best[nodes.left[inside]] + best[nodes.left[inside] + 1]
        worse = least[inside] <= below
        left[inside[worse]] = False
        best[inside[~worse]] = below[~worse]
    left = connected(nodes, left)  # what lies below a link goes with it
    tops = np.flatnonzero(stays & ~left)
    tops = tops[(tops == 0) | left[nodes.parent[tops]]]
    saved = _sum_of_ends(nodes, stays, losses)[tops] - losses[tops]
    return [int(at) for at in tops[np.lexsort((tops, -saved))]]


def _less_rounding(nodes: Nodes, losses: Floats) -> Floats:
    """The losses less what may be rounding: of the sum, and of the mean that rows are told from.

    The root of a sum of squares moves by no more than the mean does, times the root of n.
    """
    size = np.abs(nodes.value) + np.sqrt(nodes.impurity)
    moved = np.sqrt(losses) * (1 - ROUNDING) - LAST_BITS * size * np.sqrt(nodes.weight)
    return np.square(np.maximum(moved, 0.0))


class _Minima:
    """Numbers in blocks with the least of each block, so that a change asks few of them again."""

    def __init__(self, values: Floats) -> None:
        blocks = -(-len(values) // BLOCK)
        self.values = np.full((blocks, BLOCK), np.inf)
        self.values.reshape(-1)[: len(values)] = values
        self.minima = self.values.min(axis=1)

    def put(self, places: Ints, values: Floats) -> None:
        """Set the numbers at some places."""
        self.values.reshape(-1)[places] = values
        blocks = places // BLOCK
        self.minima[blocks] = self.values[blocks].min(axis=1)

    def least(self) -> float:
        """The least number."""
        return float(self.minima.min())

    def first(self, limit: float) -> int:
        """The first place whose number is at most the limit."""
        block = int(np.argmax(self.minima <= limit))
        return BLOCK * block + int(np.argmax(self.values[block] <= limit))


def _under(nodes: Nodes, stays: Bools) -> tuple[Ints, Floats]:
    """How many leaves lie under each node of a subtree, and their risk."""
    many = _sum_of_ends(nodes, stays, np.ones(len(stays))).astype(np.intp)
    return many, _sum_of_ends(nodes, stays, nodes.risk)


def _sum_of_ends(nodes: Nodes, stays: Bools, worth: Floats) -> Floats:
    """The worth of the leaves under each node of a subtree, added up, (m,)."""
    out = worth.copy()
    for level in reversed(levels(nodes)):
        inside = np.flatnonzero(stays[level]) + level.start
        out[inside] = out[nodes.left[inside]] + out[nodes.left[inside] + 1]
    return out


def _places_above(parents: list[int], place: int) -> list[int]:
    """The places from a node's parent up to the root."""
    found = []
    while place:
        place = parents[place]
        found.append(place)
    return found


def _splits_under(nodes: Nodes, stays: Bools, place: int) -> list[int]:
    """The places of a split and all that stay below it."""
    found = [place]
    for at in found:
        left = int(nodes.left[at])
        found += [child for child in (left, left + 1) if stays[child]]
    return found
