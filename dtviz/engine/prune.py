"""Pruning of a grown tree: minimal cost-complexity and reduced-error.

A link is a split of a node t together with all splits below it, the subtree T_t. Its alpha is
(R(t) - R(T_t)) / (|T_t| - 1), where |T_t| is the number of leaves: the decrease of risk for each
leaf beyond the first. The risk R is the impurity times the share of all rows, summed over leaves.
The rounding error of an alpha is that of R(t), the larger of the two risks. Subtrees are masks over
the m nodes of a tree, see subtrees.py.

Sources: Murphy, Probabilistic Machine Learning, 18.1; Breiman et al., Classification and Regression
Trees (1984), ch. 3; Quinlan, Simplifying decision trees (1987), for reduced-error pruning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.data.dataset import lock_arrays
from dtviz.engine.subtrees import Nodes, connected_splits, level_slices, subtree_leaves

MEAN_ROUNDING = 1e-15
"""Rounding error of a mean, as a share of the numbers that it is the mean of."""

NUMBERS_PER_BLOCK = 64
"""Length of the blocks of `_BlockMinima`."""

SMALLEST_ALPHA = float(np.nextafter(0, 1))
"""Smallest positive number: the alpha of links that lower no risk."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link that weakest-link pruning takes back."""

    index: int  # node index of the split
    alpha: float  # the largest alpha of this link and of those taken back before
    lower_alpha: float  # alpha less its rounding: the smallest ccp_alpha that takes the link back
    risk: float  # risk of the subtree without the link
    leaves: int  # number of leaves of the subtree without the link


@dataclass(frozen=True, slots=True, eq=False)
class PruningPath:
    """The K nested subtrees of weakest-link pruning, from an unpruned one to the root alone.

    Subtree k is the one for alphas[k] <= ccp_alpha < alphas[k + 1].
    """

    alphas: Floats  # ascending from 0, (K,)
    impurities: Floats  # risks of the subtrees, (K,); the name is scikit-learn's
    leaves: Ints  # numbers of leaves, (K,)

    def __post_init__(self) -> None:
        lock_arrays(self)


def weakest_links(nodes: Nodes, split_mask: Bools) -> Iterator[Link]:
    """Generate the links of a subtree in the order of pruning; their alphas never fall.

    Each step takes back the weakest link; of links whose alphas differ by rounding alone, the one
    of the lowest node id.
    """
    risks, split_mask, parents = nodes.risk, split_mask.copy(), nodes.parent.tolist()
    n_leaves, risk_below = _leaves_below(nodes, split_mask)
    alphas, rounding = np.full(len(risks), np.inf), np.zeros(len(risks))
    alphas[split_mask] = (risks[split_mask] - risk_below[split_mask]) / (n_leaves[split_mask] - 1)
    rounding[split_mask] = ROUNDING * risks[split_mask] / (n_leaves[split_mask] - 1)
    largest_alpha, later_parts = 0.0, nodes.is_later_part
    alphas[later_parts] = np.inf  # they are taken back with the whole cut
    low, high = _BlockMinima(alphas - rounding), _BlockMinima(alphas + rounding)
    while split_mask[0]:
        index = low.first(high.minimum())  # the first that may be the smallest, but for rounding
        largest_alpha = max(largest_alpha, float(alphas[index]))
        lower_alpha = float(alphas[index] - rounding[index])
        collapsed = _splits_below(nodes, split_mask, index)
        split_mask[collapsed], alphas[collapsed] = False, np.inf
        fewer_leaves, more_risk = n_leaves[index] - 1, risks[index] - risk_below[index]
        ancestors = _ancestor_indices(parents, index)
        n_leaves[ancestors] -= fewer_leaves
        risk_below[ancestors] += more_risk
        alphas[ancestors] = (risks[ancestors] - risk_below[ancestors]) / (n_leaves[ancestors] - 1)
        alphas[[index for index in ancestors if later_parts[index]]] = np.inf
        rounding[ancestors] = ROUNDING * risks[ancestors] / (n_leaves[ancestors] - 1)
        changed = np.array(collapsed + ancestors)
        low.put(changed, alphas[changed] - rounding[changed])
        high.put(changed, alphas[changed] + rounding[changed])
        # once the root is a leaf, the sums over its former leaves no longer hold
        remaining = (risks[0], 1) if not split_mask[0] else (risk_below[0], n_leaves[0])
        yield Link(index, largest_alpha, lower_alpha, float(remaining[0]), int(remaining[1]))


def alpha_of(nodes: Nodes, split_mask: Bools, index: int) -> tuple[float, int]:
    """The alpha of one link of a subtree, and its number of leaves."""
    n_leaves, risk_below = _leaves_below(nodes, split_mask)
    leaves = int(n_leaves[index])
    return float((nodes.risk[index] - risk_below[index]) / (leaves - 1)), leaves


def alpha_path(nodes: Nodes, split_mask: Bools) -> PruningPath:
    """The pruning path of a subtree; alphas that differ by rounding alone are one step.

    ccp_alpha = 0 prunes nothing, so links of alpha 0 (they lower no risk) have SMALLEST_ALPHA.
    """
    # a screen asks for the same path several times, so the last two are kept with their trees
    return _pruning_path(nodes, split_mask.tobytes())


@lru_cache(maxsize=2)
def _pruning_path(nodes: Nodes, mask: bytes) -> PruningPath:
    split_mask = np.frombuffer(mask, np.bool_)
    leaf_mask = subtree_leaves(nodes, split_mask)
    steps = [(0.0, float(nodes.risk[leaf_mask].sum()), int(leaf_mask.sum()))]
    for link in weakest_links(nodes, split_mask):
        if len(steps) == 1 or link.lower_alpha > steps[-1][0]:
            alpha = link.alpha if link.lower_alpha > 0 else SMALLEST_ALPHA
            steps.append((alpha, link.risk, link.leaves))
        else:
            steps[-1] = (steps[-1][0], link.risk, link.leaves)
    alphas, impurities, leaves = zip(*steps, strict=True)
    return PruningPath(np.array(alphas), np.array(impurities), np.array(leaves, int))


def subtree_risks(nodes: Nodes, masks: Bools) -> Floats:
    """Risks of K subtrees, (K,), by their masks, (K, m)."""
    return np.asarray(subtree_leaves(nodes, masks) @ nodes.risk)


def prune_at_alpha(nodes: Nodes, split_mask: Bools, ccp_alpha: Floats | float) -> Bools:
    """The splits that a subtree keeps at `ccp_alpha`, (m,); of K subtrees (K, m), alphas (K, 1).

    From the leaves up, a split is kept where its link has a lower cost, R + alpha |T|, than the
    node as a leaf, by more than rounding. This gives the subtree of `alpha_path` at that alpha.
    """
    alphas, risk = np.asarray(ccp_alpha), nodes.risk
    out = np.broadcast_to(split_mask, np.broadcast_shapes(split_mask.shape, alphas.shape)).copy()
    if not alphas.any():
        return out
    # from R(root) on all splits are pruned: larger alphas need not be told apart
    cost = risk + np.minimum(alphas, 2 * risk[0])
    cost, later_parts = np.broadcast_to(cost, out.shape).copy(), nodes.is_later_part
    for level in reversed(level_slices(nodes)):
        inside = np.flatnonzero(nodes.left[level] >= 0) + level.start
        cost_below = cost[..., nodes.left[inside]] + cost[..., nodes.left[inside] + 1]
        is_cheaper = cost_below < cost[..., inside] - ROUNDING * risk[inside]
        out[..., inside] &= is_cheaper | later_parts[inside]
        cost[..., inside] = np.where(out[..., inside], cost_below, cost[..., inside])
    return np.where(alphas > 0, connected_splits(nodes, out), split_mask)


def reduced_error_links(nodes: Nodes, split_mask: Bools, losses: Floats) -> list[int]:
    """Node indices of the links to take back for the smallest loss on held-out rows [Quinlan].

    `losses`, (m,), are those of the nodes on these rows, see `subtrees.losses`. Of subtrees with
    equal loss the one with the fewest leaves is chosen. The link that saves the most loss comes
    first; of equal ones the lowest index.
    """
    least_losses = _lowest_losses(nodes, losses)
    kept_mask, best_losses, later_parts = split_mask.copy(), losses.copy(), nodes.is_later_part
    for level in reversed(level_slices(nodes)):
        inside = np.flatnonzero(kept_mask[level]) + level.start
        losses_below = best_losses[nodes.left[inside]] + best_losses[nodes.left[inside] + 1]
        # the node as a leaf loses no more; a later part is no cut of its own
        useless = (least_losses[inside] <= losses_below) & ~later_parts[inside]
        kept_mask[inside[useless]] = False
        best_losses[inside[~useless]] = losses_below[~useless]
    kept_mask = connected_splits(nodes, kept_mask)  # the splits below a link are taken back with it
    topmost = np.flatnonzero(split_mask & ~kept_mask)
    topmost = topmost[(topmost == 0) | kept_mask[nodes.parent[topmost]]]
    saved = _sum_of_leaves(nodes, split_mask, losses)[topmost] - losses[topmost]
    return [int(index) for index in topmost[np.lexsort((topmost, -saved))]]


def _lowest_losses(nodes: Nodes, losses: Floats) -> Floats:
    """Lower bounds of exact losses: less the rounding of sums and of the means that nodes predict.

    A change of the mean changes the square root of a sum of n squares by at most sqrt(n) times it.
    """
    size = np.abs(nodes.value) + np.sqrt(nodes.impurity)
    root_losses = np.sqrt(losses) * (1 - ROUNDING) - MEAN_ROUNDING * size * np.sqrt(nodes.weight)
    return np.square(np.maximum(root_losses, 0.0))


class _BlockMinima:
    """Numbers in blocks with the minimum of each block.

    A change of k numbers recomputes the minima of at most k blocks, not of all.
    """

    def __init__(self, values: Floats) -> None:
        blocks = -(-len(values) // NUMBERS_PER_BLOCK)
        self.values = np.full((blocks, NUMBERS_PER_BLOCK), np.inf)
        self.values.reshape(-1)[: len(values)] = values
        self.minima = self.values.min(axis=1)

    def put(self, indices: Ints, values: Floats) -> None:
        """Set the numbers at these indices."""
        self.values.reshape(-1)[indices] = values
        blocks = indices // NUMBERS_PER_BLOCK
        self.minima[blocks] = self.values[blocks].min(axis=1)

    def minimum(self) -> float:
        """The smallest number."""
        return float(self.minima.min())

    def first(self, limit: float) -> int:
        """The first index whose number is at most the limit."""
        block = int(np.argmax(self.minima <= limit))
        return NUMBERS_PER_BLOCK * block + int(np.argmax(self.values[block] <= limit))


def _leaves_below(nodes: Nodes, split_mask: Bools) -> tuple[Ints, Floats]:
    """Number of leaves below each node of a subtree, and their risk, (m,); a leaf counts itself."""
    n_leaves = _sum_of_leaves(nodes, split_mask, np.ones(len(split_mask))).astype(int)
    return n_leaves, _sum_of_leaves(nodes, split_mask, nodes.risk)


def _sum_of_leaves(nodes: Nodes, split_mask: Bools, values: Floats) -> Floats:
    """Sums of the values of the leaves below each node of a subtree, (m,)."""
    out = values.copy()
    for level in reversed(level_slices(nodes)):
        inside = np.flatnonzero(split_mask[level]) + level.start
        out[inside] = out[nodes.left[inside]] + out[nodes.left[inside] + 1]
    return out


def _ancestor_indices(parents: list[int], index: int) -> list[int]:
    """Node indices from a node's parent up to the root."""
    indices = []
    while index:
        index = parents[index]
        indices.append(index)
    return indices


def _splits_below(nodes: Nodes, split_mask: Bools, index: int) -> list[int]:
    """Node indices of a split and of all splits of the subtree below it."""
    indices = [index]
    for parent in indices:
        left = int(nodes.left[parent])
        indices += [child for child in (left, left + 1) if split_mask[child]]
    return indices
