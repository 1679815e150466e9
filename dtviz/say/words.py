"""A tree in words: the text of a split, the rule of each leaf, why a leaf stops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dtviz.engine.rules import Rules
from dtviz.engine.search import Candidates
from dtviz.engine.tree import (
    Node,
    Region,
    Tree,
    ancestors,
    class_shares,
    depth,
    leaf_ids,
    prediction,
    region,
)
from dtviz.table.data import Dataset
from dtviz.text import clean, count, number, threshold


@dataclass(frozen=True, slots=True)
class LeafRule:
    """One rule a leaf [Z]: `conditions` merged per feature, what it predicts, rows and shares."""

    node: int
    conditions: tuple[str, ...]
    value: Any
    n: int
    shares: tuple[float, ...]

    def __str__(self) -> str:
        """The rule in one line: '2 < x1 <= 5 and x2 > 1 -> A (12 rows)'."""
        value = clean(str(self.value)) if self.shares else number(self.value)
        rule = " and ".join(self.conditions) or "always"
        return f"{rule} -> {value} ({count(self.n, 'row')})"


def leaf_rules(data: Dataset, tree: Tree, most: int | None = None) -> tuple[LeafRule, ...]:
    """One rule a leaf, from left to right; the first `most` only, if given."""
    out = []
    for leaf in leaf_ids(tree)[:most]:
        box = region(data, tree, leaf)
        node = tree.nodes[box.node]
        value = prediction(data, node)
        words = conditions(data, tree, box)
        out.append(LeafRule(node.id, words, value, node.n, class_shares(node)))
    return tuple(out)


def conditions(data: Dataset, tree: Tree, box: Region) -> tuple[str, ...]:
    """The box as text, one condition a bounded feature: '2 < x1 <= 5'."""
    words = _bounds(tree, box.node)
    out = []
    for f, name in enumerate(data.features):
        low, high = words.get((f, box.lower[f])), words.get((f, box.upper[f]))
        shown = clean(name)
        if low and high:
            out.append(f"{low} < {shown} <= {high}")
        elif low:
            out.append(f"{shown} > {low}")
        elif high:
            out.append(f"{shown} <= {high}")
    return tuple(out)


def rule_text(data: Dataset, tree: Tree, node: int) -> str:
    """The split of a node as text: 'x1 <= 2.45'."""
    split = tree.splits[node]
    shown = threshold(split.threshold, *tree.gaps[node])
    return f"{clean(data.features[split.feature])} <= {shown}"


def cut_text(data: Dataset, cuts: Candidates, index: int) -> str:
    """A candidate as text: 'x1 <= 2.45'."""
    lower, upper = float(cuts.lower[index]), float(cuts.upper[index])
    shown = threshold(float(cuts.threshold[index]), lower, upper)
    return f"{clean(data.features[cuts.feature[index]])} <= {shown}"


def _bounds(tree: Tree, node: int) -> dict[tuple[int, float], str]:
    """The thresholds on the way to a node as short as their gaps allow."""
    out = {}
    for k in ancestors(node):
        split = tree.splits[k]
        out[split.feature, split.threshold] = threshold(split.threshold, *tree.gaps[k])
    return out


def value_text(data: Dataset, node: Node) -> str:
    """What a node predicts, as text."""
    return data.class_names[int(node.value)] if data.classes else number(node.value)


def stop_reason(data: Dataset, rules: Rules, node: Node, stop: str) -> str:
    """Why a leaf stops, in words with its own numbers; '' for an open leaf."""
    rows, value = count(node.n, "row"), value_text(data, node)
    share = f"{number(100 * max(class_shares(node), default=1.0), 3)} %"
    return {
        "": "",
        "pure": f"pure: {'the only row is' if node.n == 1 else f'all {rows} are'} {value}",
        "purity": f"{share} of its rows are {value}: purity is at least {rules.purity:g}",
        "min_samples_split": f"{rows}: fewer than min_samples_split = {rules.min_samples_split}",
        "max_depth": f"depth {depth(node.id)} = max_depth",
        "constant": "all features are constant here: no cut can part these rows",
        "min_samples_leaf": f"no cut leaves min_samples_leaf = {rules.min_samples_leaf} "
        "rows on both sides",
        "min_gain": f"the best cut gains less than min_gain = {rules.min_gain:g}",
        "zero_gain": "the best gain is 0 and growing stops at zero gain",
        "max_leaf_nodes": f"growing ended at max_leaf_nodes = {rules.max_leaf_nodes} leaves",
        "pruned": "pruned: a split was taken back here",
    }[stop]
