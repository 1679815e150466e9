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


def weakest_links(nodes: Nodes, splits: Bools) -> Iterator[Link]:
    """The links of a subtree as they are taken back, the weakest first; alphas never fall.

    Of those that may be the weakest, but for rounding, the lowest id goes first.
    """
    risks, splits, parents = nodes.risk, splits.copy(), nodes.parent.tolist()
    n_leaves, risk_below = _leaves_below(nodes, splits)
    alphas, rounding = np.full(len(risks), np.inf), np.zeros(len(risks))
    alphas[splits] = (risks[splits] - risk_below[splits]) / (n_leaves[splits] - 1)
    rounding[splits] = ROUNDING * risks[splits] / (n_leaves[splits] - 1)
    alpha_so_far = 0.0
    low, high = _Minima(alphas - rounding), _Minima(alphas + rounding)
    while splits[0]:
        index = low.first(high.least())
        alpha_so_far, least_alpha = (
            max(alpha_so_far, float(alphas[index])),
            float(alphas[index] - rounding[index]),
        )
        collapsed = _splits_below(nodes, splits, index)
        splits[collapsed], alphas[collapsed] = False, np.inf
        fewer_leaves, more_risk = n_leaves[index] - 1, risks[index] - risk_below[index]
        ancestors = _ancestor_indices(parents, index)
        n_leaves[ancestors] -= fewer_leaves
        risk_below[ancestors] += more_risk
        alphas[ancestors] = (risks[ancestors] - risk_below[ancestors]) / (n_leaves[ancestors] - 1)
        rounding[ancestors] = ROUNDING * risks[ancestors] / (n_leaves[ancestors] - 1)
        changed = np.array(collapsed + ancestors)
        low.put(changed, alphas[changed] - rounding[changed])
        high.put(changed, alphas[changed] + rounding[changed])
        remaining = (risks[0], 1) if not splits[0] else (risk_below[0], n_leaves[0])
        yield Link(index, alpha_so_far, least_alpha, float(remaining[0]), int(remaining[1]))


def alpha_of(nodes: Nodes, splits: Bools, index: int) -> tuple[float, int]:
    """The alpha of one link of a subtree, and how many leaves it has."""
    n_leaves, risk_below = _leaves_below(nodes, splits)
    leaves = int(n_leaves[index])
    return float((nodes.risk[index] - risk_below[index]) / (leaves - 1)), leaves


def path(nodes: Nodes, splits: Bools) -> Path:
    """The whole path of a subtree; alphas that differ by rounding alone are one.

    ccp_alpha = 0 prunes nothing, so links of alpha 0 (they lower no risk) go at SMALLEST. The last
    two are kept, with their trees: a screen asks for the same one several times.
    """
    return _path(nodes, splits.tobytes())


@lru_cache(maxsize=2)
def _path(nodes: Nodes, mask: bytes) -> Path:
    splits = np.frombuffer(mask, np.bool_)
    leaf_mask = ends(nodes, splits)
    steps = [(0.0, float(nodes.risk[leaf_mask].sum()), int(leaf_mask.sum()))]
    for link in weakest_links(nodes, splits):
        if len(steps) == 1 or link.least > steps[-1][0]:
            alpha = link.alpha if link.least > 0 else SMALLEST
            steps.append((alpha, link.risk, link.leaves))
        else:
            steps[-1] = (steps[-1][0], link.risk, link.leaves)
    alphas, impurities, leaves = zip(*steps, strict=True)
    return Path(np.array(alphas), np.array(impurities), np.array(leaves, np.intp))


def risks(nodes: Nodes, masks: Bools) -> Floats:
    """The risk of each of many subtrees, (K,); `stays` has shape (K, m)."""
    return np.asarray(ends(nodes, masks) @ nodes.risk)


def pruned(nodes: Nodes, splits: Bools, ccp_alpha: Floats | float) -> Bools:
    """The splits left at `ccp_alpha` of a subtree, (m,), or of many: masks (K, m), alphas (K, 1).

    From the leaves up, a split stays where its link costs less, R + alpha |T|, than it as a leaf,
    by more than rounding; that is the path's tree at this alpha.
    """
    alphas, risk = np.asarray(ccp_alpha), nodes.risk
    kept = np.broadcast_to(splits, np.broadcast_shapes(splits.shape, alphas.shape)).copy()
    if not alphas.any():
        return kept
    cost = risk + np.minimum(alphas, 2 * risk[0])  # at R(root) all are pruned
    cost = np.broadcast_to(cost, kept.shape).copy()
    for level in reversed(levels(nodes)):
        inside = np.flatnonzero(nodes.left[level] >= 0) + level.start
        cost_below = cost[..., nodes.left[inside]] + cost[..., nodes.left[inside] + 1]
        kept[..., inside] &= cost_below < cost[..., inside] - ROUNDING * risk[inside]
        cost[..., inside] = np.where(kept[..., inside], cost_below, cost[..., inside])
    return np.where(alphas > 0, connected(nodes, kept), splits)


def reduced_error(nodes: Nodes, splits: Bools, losses: Floats) -> list[int]:
    """The places to take back so that held-out rows lose least, with the fewest leaves [Quinlan].

    `losses` are each node's on these rows, (m,), as `subtrees.losses` gives them. The link that
    saves most goes first; of equal ones the lowest id.
    """
    least_losses = _lowest_losses(nodes, losses)
    kept, best_losses = splits.copy(), losses.copy()
    for level in reversed(levels(nodes)):
        inside = np.flatnonzero(kept[level]) + level.start
        losses_below = best_losses[nodes.left[inside]] + best_losses[nodes.left[inside] + 1]
        worse = least_losses[inside] <= losses_below
        kept[inside[worse]] = False
        best_losses[inside[~worse]] = losses_below[~worse]
    kept = connected(nodes, kept)  # what lies below a link goes with it
    topmost = np.flatnonzero(splits & ~kept)
    topmost = topmost[(topmost == 0) | kept[nodes.parent[topmost]]]
    saved = _sum_of_leaves(nodes, splits, losses)[topmost] - losses[topmost]
    return [int(index) for index in topmost[np.lexsort((topmost, -saved))]]


def _lowest_losses(nodes: Nodes, losses: Floats) -> Floats:
    """The losses less what may be rounding: of the sum, and of the mean that rows are told from.

    The root of a sum of squares moves by no more than the mean does, times the root of n.
    """
    size = np.abs(nodes.value) + np.sqrt(nodes.impurity)
    root_losses = np.sqrt(losses) * (1 - ROUNDING) - LAST_BITS * size * np.sqrt(nodes.weight)
    return np.square(np.maximum(root_losses, 0.0))


class _Minima:
    """Numbers in blocks with the least of each block, so that a change asks few of them again."""

    def __init__(self, values: Floats) -> None:
        blocks = -(-len(values) // BLOCK)
        self.values = np.full((blocks, BLOCK), np.inf)
        self.values.reshape(-1)[: len(values)] = values
        self.minima = self.values.min(axis=1)

    def put(self, indices: Ints, values: Floats) -> None:
        """Set the numbers at some places."""
        self.values.reshape(-1)[indices] = values
        blocks = indices // BLOCK
        self.minima[blocks] = self.values[blocks].min(axis=1)

    def minimum(self) -> float:
        """The least number."""
        return float(self.minima.min())

    def first(self, limit: float) -> int:
        """The first place whose number is at most the limit."""
        block = int(np.argmax(self.minima <= limit))
        return BLOCK * block + int(np.argmax(self.values[block] <= limit))


def _leaves_below(nodes: Nodes, splits: Bools) -> tuple[Ints, Floats]:
    """How many leaves lie under each node of a subtree, and their risk."""
    n_leaves = _sum_of_leaves(nodes, splits, np.ones(len(splits))).astype(np.intp)
    return n_leaves, _sum_of_leaves(nodes, splits, nodes.risk)


def _sum_of_leaves(nodes: Nodes, splits: Bools, values: Floats) -> Floats:
    """The worth of the leaves under each node of a subtree, added up, (m,)."""
    out = values.copy()
    for level in reversed(levels(nodes)):
        inside = np.flatnonzero(splits[level]) + level.start
        out[inside] = out[nodes.left[inside]] + out[nodes.left[inside] + 1]
    return out


def _ancestor_indices(parents: list[int], index: int) -> list[int]:
    """The places from a node's parent up to the root."""
    indices = []
    while index:
        index = parents[index]
        indices.append(index)
    return indices


def _splits_below(nodes: Nodes, splits: Bools, index: int) -> list[int]:
    """The places of a split and all that stay below it."""
    indices = [index]
    for parent in indices:
        left = int(nodes.left[parent])
        indices += [child for child in (left, left + 1) if splits[child]]
    return indices
