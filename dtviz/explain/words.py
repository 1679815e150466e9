"""A tree in words: the text of a split, the rule of each leaf, why a leaf stops."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dtviz.base.arrays import Floats
from dtviz.base.text import Dialect, chained, clean, count, listed, number, or_lacking
from dtviz.data.categories import Level, told
from dtviz.data.dataset import Dataset
from dtviz.data.units import PLAIN, kind_of
from dtviz.data.units.numbers import column
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.leaves.leaf_models import LEAF_MODELS, LeafModel
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, counted
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.search.missing import POLICIES
from dtviz.engine.splits import (
    FAMILIES,
    Known,
    Projection,
    Split,
    condition,
    family_of,
    feature_of,
    features_of,
    formula,
    order_of,
    quantity_of,
)
from dtviz.engine.tree import Node, Tree, class_shares, depth, own_shares, prediction


class Bound(NamedTuple):
    """What a path says of a projection.

    `low` and `high` are the ids of the nodes whose thresholds bound it from below and from above, 0
    where none does: a split parts its rows, so that the nearest is the tightest. `lacking` says
    that rows without a score came this way too.
    """

    low: int = 0
    high: int = 0
    lacking: bool = True


Bounds = dict[Projection, Bound]
"""What the path to a node says of each projection that is cut above it."""


def _all(score: str, values: Sequence[Level], _: Sequence[Level], inside: bool) -> str:
    """That a category has one of some values, or none of them."""
    return listed(score, [*map(told, values)], inside)


WORDS = Dialect(clean, number, _all)
"""The dialect of people; the texts of thresholds depend on their neighbours, see `limit_text`."""


def _first(score: str, values: Sequence[Level], others: Sequence[Level], inside: bool) -> str:
    """The same, the first values alone being named."""
    more = len(values) - MOST_VALUES
    if more <= 1:
        return _all(score, values, others, inside)
    names = [*map(told, values[:MOST_VALUES])]
    return listed(score, [*names[:-1], f"{names[-1]} and {more} more"], inside)


MOST_VALUES = 6
BRIEF = replace(WORDS, among=_first)
"""The same in a sentence and a graph: of very many values the first."""


def _signed(score: str, low: str, high: str, *_: Sequence[Any]) -> str:
    return chained(score, low, high, "≤")


SIGNED = replace(BRIEF, between=_signed, lasting=_signed, ranked=_signed)
"""The same on a picture and in a table of the page: with the sign for "at most"."""


@dataclass(frozen=True, slots=True)
class LeafRule:
    """One rule a leaf [Z]: `conditions` merged per feature, what it predicts, rows and shares.

    The shares are those that `predict_proba` gives, or of the rows where these vary in the leaf;
    `told` is what it predicts in words.
    """

    node: int
    conditions: tuple[str, ...]
    value: Any
    n: int
    shares: tuple[float, ...]
    weight: float | None = None
    told: str = ""

    @property
    def where(self) -> str:
        """The conditions in one line: '2 < x1 <= 5 and (x2 > 1 or missing)'."""
        several = len(self.conditions) > 1
        either = or_lacking("", "")
        terms = (f"({one})" if several and one.endswith(either) else one for one in self.conditions)
        return " and ".join(terms) or "always"

    @property
    def says(self) -> str:
        """What it predicts, and its rows: 'A (12 rows)'."""
        return f"{self.told} ({rows_text(self.n, self.weight)})"

    def __str__(self) -> str:
        """The rule in one line: '2 < x1 <= 5 and x2 > 1 -> A (12 rows)'."""
        return f"{self.where} -> {self.says}"


def rows_text(n: int, weight: float | None) -> str:
    """How many rows, and what they weigh where they have weights: '12 rows, weight 7.5'."""
    return count(n, "row") + ("" if weight is None else f", weight {number(weight)}")


def node_rows(node: Node) -> str:
    """The rows of a node in words."""
    return rows_text(node.n, node.weight if node.weighed else None)


def leaf_rules(
    data: Dataset, tree: Tree, most: int | None = None, dialect: Dialect = WORDS
) -> tuple[LeafRule, ...]:
    """One rule a leaf, from left to right; the first `most` only, if given."""
    out, conditions = [], conditions_in(data, dialect, partial(_limit, data, tree))
    for leaf, bounds in islice(leaf_bounds(tree), most):
        node = tree.nodes[leaf]
        words = conditions(bounds)
        weight = node.weight if node.weighed else None
        said, told = prediction(data, node), value_text(data, tree.leaf_model, node)
        shares = shares_of(data, tree.leaf_model, node)
        out.append(LeafRule(leaf, words, said, node.n, shares, weight, told))
    return tuple(out)


def shares_of(data: Dataset, model: LeafModel, node: Node) -> tuple[float, ...]:
    """The share of each class that a node tells; that of its rows where it varies inside it."""
    if model.proba is None or model.level is not None:
        return own_shares(data, node)
    found = model.proba.of(np.array([node.params]), np.zeros((0, 1)), np.zeros(1, np.intp))
    return tuple(found[0].tolist())


def leaf_bounds(tree: Tree) -> Iterator[tuple[int, Bounds]]:
    """Each leaf from left to right, and what bounds it."""
    waiting: list[tuple[int, Bounds]] = [(1, {})]
    while waiting:
        node, bounds = waiting.pop()
        split = tree.splits.get(node)
        if split is None:
            yield node, bounds
            continue
        low, high, lacking = bounds.get(split.projection, Bound())
        left = split.missing.left
        right_one = Bound(node, high, lacking and not left)
        waiting.append((2 * node + 1, bounds | {split.projection: right_one}))
        waiting.append((2 * node, bounds | {split.projection: Bound(low, node, lacking and left)}))


def joint(bounds: Bounds) -> Bounds:
    """The same where several projections of a category are asked at once, as far as they can be."""
    groups: dict[tuple[str, int | None], list[Projection]] = {}
    for one in bounds:
        groups.setdefault((one.family, feature_of(one)), []).append(one)
    out = dict(bounds)
    for some in groups.values():
        join = family_of(some[0]).joint
        found = join({one: bounds[one].high > 0 for one in some}) if join and some[1:] else None
        if found is not None:
            own = [out.pop(one) for one in some]
            node, lacking = max(own[0][:2]), all(of.lacking for of in own)
            out[found[0]] = Bound(0, node, lacking) if found[1] else Bound(node, 0, lacking)
    return out


def conditions_in(
    data: Dataset, dialect: Dialect, limit: Callable[[int], str]
) -> Callable[[Bounds], tuple[str, ...]]:
    """Writer of the bounds of leaves, one condition a projection: '2 < x1 <= 5'.

    `limit` writes the threshold of a node. A text that leaves share is written once: there are many
    more leaves below a split than splits.
    """

    @cache
    def threshold(node: int) -> str:
        return limit(node) if node else ""

    @cache
    def text(one: Projection, of: Bound) -> str:
        return asked(data, one, threshold(of.low), threshold(of.high), of.lacking, dialect)

    def conditions(bounds: Bounds) -> tuple[str, ...]:
        ordered = sorted(joint(bounds).items(), key=lambda item: order_of(item[0]))
        return tuple(text(one, of) for one, of in ordered)

    return conditions


def asked(
    data: Dataset, projection: Projection, low: str, high: str, lacking: bool, dialect: Dialect
) -> str:
    """What is asked of a score in a dialect, low < score <= high; or that it may be missing."""
    text = condition(projection, low, high, data, dialect)
    if not lacking or isinstance(projection, Known) or not may_lack(data, projection):
        return text
    names = [dialect.name(data.features[f]) for f in features_of(projection)]
    return dialect.or_lacks(text, names or [formula(projection, data, dialect)])


def may_lack(data: Dataset, projection: Projection) -> bool:
    """Whether some row has no score."""
    features = features_of(projection) or range(len(data.features))
    return any(data.gaps[feature] for feature in features)


def _limit(data: Dataset, tree: Tree, node: int) -> str:
    """The threshold of a node as short as its gap allows."""
    split = tree.splits[node]
    values = np.array([split.threshold, *tree.gaps[node]])[:, None]
    return limits(data, split.projection, *values)[0]


def limits(
    data: Dataset, projection: Projection, values: Floats, lower: Floats, upper: Floats
) -> list[str]:
    """Thresholds of one projection, each as short as its neighbours allow; arrays (k,)."""
    quantity = quantity_of(projection, data)
    return kind_of(quantity).limits(values, lower, upper, quantity)


def rule_text(data: Dataset, tree: Tree, node: int, dialect: Dialect = BRIEF) -> str:
    """The split of a node as text: 'x1 <= 2.45'."""
    return split_text(data, tree.splits[node], _limit(data, tree, node), dialect)


def cut_text(data: Dataset, cuts: Candidates, index: int, dialect: Dialect = BRIEF) -> str:
    """A candidate as text: 'x1 <= 2.45'."""
    return split_text(data, cuts.split(index), limit_text(data, cuts, index), dialect)


def some_texts(
    data: Dataset, cuts: Candidates, at: NDArray[np.intp], dialect: Dialect
) -> list[str]:
    """Some candidates as text: 'x1 <= 2.45'."""
    told: dict[int, str] = {}
    for line in np.unique(cuts.line[at]).tolist():
        its = at[cuts.line[at] == line]
        told |= zip(its.tolist(), _texts_on(data, cuts, line, its, dialect), strict=True)
    return [told[index] for index in at.tolist()]


def _texts_on(
    data: Dataset, cuts: Candidates, line: int, at: NDArray[np.intp], dialect: Dialect
) -> list[str]:
    """Some candidates of one line as text."""
    if line in cuts.orders:
        return [cut_text(data, cuts, index, dialect) for index in at.tolist()]
    one = cuts.projections[line]
    own = limits(data, one, *_known(cuts, at))
    texts = [condition(one, "", limit, data, dialect) for limit in own]
    return _with_missing(data, cuts, at, texts)


def limit_text(data: Dataset, cuts: Candidates, index: int) -> str:
    """The threshold of a candidate as short as its neighbours allow; any for a category."""
    if int(cuts.line[index]) in cuts.orders:
        return "0.5"
    own = _known(cuts, slice(index, index + 1))
    return limits(data, cuts.projections[cuts.line[index]], *own)[0]


def split_text(data: Dataset, split: Split, limit: str, dialect: Dialect) -> str:
    """A split in a dialect; `limit` is the text of its threshold."""
    missing = split.missing
    lacking = missing.left and missing.surrogates is None
    return asked(data, split.projection, "", limit, lacking, dialect)


def line_text(data: Dataset, projection: Projection) -> str:
    """What the cuts of a projection are on: 'x1'."""
    return formula(projection, data, WORDS)


def cut_texts(data: Dataset, cuts: Candidates) -> pa.ChunkedArray:
    """All candidates as text, with every value of a category: a column of strings, (cuts,)."""
    columns = [_column(data, cuts, line) for line in range(len(cuts.projections))]
    return pa.chunked_array([part for one in columns for part in one.chunks], pa.string())


def _column(data: Dataset, cuts: Candidates, line: int) -> pa.ChunkedArray:
    """The candidates of one line as text."""
    one, its = cuts.projections[line], cuts.of_line(line)
    at, known = np.arange(its.start, its.stop), _known(cuts, its)
    if line in cuts.orders:
        texts = [cut_text(data, cuts, index, WORDS) for index in at.tolist()]
    elif quantity_of(one, data) != PLAIN:
        own = limits(data, one, *known)
        texts = _with_missing(data, cuts, at, [condition(one, "", n, data, WORDS) for n in own])
    else:
        plain = column(*known, chained(line_text(data, one), "", ""))
        if not may_lack(data, one):
            return plain
        texts = _with_missing(data, cuts, at, plain.to_pylist())
    return pa.chunked_array([texts], pa.string())


def _known(cuts: Candidates, at: slice | NDArray[np.intp]) -> tuple[Floats, Floats, Floats]:
    """The thresholds of some cuts and their neighbours; a value's own where it has none."""
    limit, lower, upper = cuts.threshold[at], cuts.lower[at], cuts.upper[at]
    value = np.where(np.isinf(lower), upper, lower)
    value = np.where(np.isinf(value), 0.0, value)
    return (
        np.where(np.isinf(limit), value, limit),
        np.where(np.isinf(limit), value, lower),
        np.where(np.isinf(limit), np.nextafter(value, np.inf), upper),
    )


def _with_missing(
    data: Dataset, cuts: Candidates, at: NDArray[np.intp], texts: list[str]
) -> list[str]:
    """The texts of some cuts of a line with what is said of rows that lack its value."""
    if not len(at) or cuts.missing_left is None:
        return texts
    one = cuts.projections[cuts.line[at[0]]]
    if not may_lack(data, one):
        return texts
    left, own = cuts.missing_left[at].tolist(), features_of(one)
    names = [WORDS.name(data.features[f]) for f in own] or [line_text(data, one)]
    return [
        WORDS.lacks(names, limit < 0)
        if math.isinf(limit)
        else WORDS.or_lacks(text, names)
        if lost
        else text
        for text, limit, lost in zip(texts, cuts.threshold[at].tolist(), left, strict=True)
    ]


def values_text(data: Dataset, feature: int, values: Floats) -> list[str]:
    """Values of a feature as text: numbers, dates, durations, or those of a category."""
    levels, quantity = data.levels[feature], data.quantities[feature]
    if levels:
        return [told(levels[code]) for code in values.astype(int).tolist()]
    return kind_of(quantity).texts(values, quantity)


def value_text(data: Dataset, model: LeafModel, node: Node, digits: int = 4) -> str:
    """What a node predicts, as text."""

    def literal(value: float) -> str:
        return data.class_names[int(value)] if data.classes else number(value, digits)

    says = model.formula if model.proba is None else model.proba.said
    dialect = replace(WORDS, number=lambda value: number(value, digits))
    return says(node.params, data.features, dialect, literal)


def stop_reason(problem: Problem, node: Node, stop: str) -> str:
    """Why a leaf stops, in words with its own numbers; '' for an open leaf."""
    data, rules = problem.data, problem.rules
    rows, value = count(node.n, "row"), _commonest(problem, node)
    is_, are = ("is on", "are on") if not data.classes and len(node.params) > 1 else ("is", "are")
    share = f"{number(100 * max(class_shares(node), default=1.0), 3)} %"
    sides_reason = f"no cut leaves at least {sides_asked(problem)} on both sides"
    return {
        "": "",
        "pure": f"pure: {f'the only row {is_}' if node.n == 1 else f'all {rows} {are}'} {value}",
        "purity": f"{share} of its rows are {value}: purity is at least {rules.purity:g}",
        "min_samples_split": f"{rows}: a split needs {_asked(rules, 'min_samples_split', data.n)}",
        "max_depth": f"depth {depth(node.id)} is the deepest allowed",
        "constant": "constant: no feature differs in these rows",
        "min_samples_leaf": f"no cut leaves at least {rows_asked(problem)} on both sides",
        "min_weight_fraction_leaf": sides_reason,
        "above_zero": sides_reason,
        "min_gain": f"the best cut gains less than {rules.min_gain:g}",
        "min_impurity_decrease": "the best cut lowers the impurity of the tree by less than "
        f"{rules.min_impurity_decrease:g}",
        "zero_gain": "the best gain is 0 and growing stops at zero gain",
        "max_leaf_nodes": f"growing ended at {rules.max_leaf_nodes} leaves, the most allowed",
        "pruned": "pruned: a split was taken back here",
    }[stop]


def _commonest(problem: Problem, node: Node) -> str:
    """The class that weighs most, which need not be the one that costs least; or the number."""
    data = problem.data
    if data.classes:
        return data.class_names[int(np.argmax(node.sums))]
    return value_text(data, problem.leaf_model, node)


def cheaper_text(data: Dataset, node: Node) -> str:
    """That a node says what costs least where that is not the commonest class; else ''.

    For example: 'It says B, which costs 0.4 a row; A, the commonest, would cost 1.2'.
    """
    if data.costs is None:
        return ""
    shares, said = np.array(own_shares(data, node)), int(node.value)
    most, cost = int(shares.argmax()), shares @ data.costs
    if shares[said] == shares[most] or cost[said] > cost[most]:
        return ""
    one, other = data.class_names[said], data.class_names[most]
    return (
        f"It says {one}, which costs {number(cost[said])} a row; {other}, the commonest, would "
        f"cost {number(cost[most])}"
    )


def sides_asked(problem: Problem) -> str:
    """Least content of each side of an admissible cut: '2 rows', '2 rows and 0.1 of the weight'."""
    rules = problem.rules
    asked = [weight_asked(rules)] if rules.min_weight_fraction_leaf else []
    asked += ["one target above 0"] if CRITERIA[rules.criterion].above_zero else []
    rows = [rows_asked(problem)] if rules.min_samples_leaf != 1 or not asked else []
    return " and ".join(rows + asked)


def rows_asked(problem: Problem) -> str:
    """How many rows it leaves there: '2 rows', '8 rows (0.05 of 160)'."""
    return _asked(problem.rules, "min_samples_leaf", problem.data.n)


def weight_asked(rules: Rules) -> str:
    """What they weigh at least: '0.1 of the weight'."""
    return f"{rules.min_weight_fraction_leaf:g} of the weight"


def _asked(rules: Rules, rule: str, n: int) -> str:
    """The rows that a rule asks for: '2 rows', or '8 rows (0.05 of 160)' for a share."""
    own, rows = getattr(rules, rule), getattr(counted(rules, n), rule)
    return count(rows, "row") if own == rows else f"{count(rows, 'row')} ({own:g} of {n:,})"


MOST_NAMED = 3


class Setting(NamedTuple):
    """A rule in plain words, what it does, and how no limit of it is said."""

    words: str
    about: str = ""
    free: str = ""


SETTINGS = {
    "criterion": Setting("Criterion"),
    "max_depth": Setting(
        "Depth at most", "No node is deeper than this; the root has depth 0.", "Any depth"
    ),
    "max_leaf_nodes": Setting(
        "Leaves at most", "Growing stops at this many leaves.", "Any number of leaves"
    ),
    "min_samples_leaf": Setting("Smallest leaf", "A cut must leave this many rows on both sides."),
    "min_samples_split": Setting("Smallest node to split", "A node with fewer rows stays a leaf."),
    "order": Setting("Which node is next"),
    "families": Setting("Cuts compared"),
    "missing": Setting("Missing values"),
    "leaf_model": Setting("A leaf predicts"),
    "min_gain": Setting("Least gain", "A best cut that gains less does not split."),
    "purity": Setting("Pure enough", "A class with this share stops the node."),
    "min_impurity_decrease": Setting(
        "Least decrease",
        "A best cut stays where its gain times the node's share of all rows is this much.",
    ),
    "min_weight_fraction_leaf": Setting(
        "Lightest leaf",
        "A cut must leave this share of the weight of all rows on both sides.",
    ),
    "ccp_alpha": Setting(
        "Prune up to", "After growing, splits that gain no more than this a leaf are pruned."
    ),
    "stop_at_zero_gain": Setting(
        "Stop at zero gain", "XOR needs it off: its first cut gains nothing."
    ),
}
"""What every rule is called wherever a person reads of it, in the order of the settings."""

ORDER_NAMES = {"depth": "depth-first", "breadth": "breadth-first", "best": "best-first"}

NAMED: dict[str, Callable[[Rules], str]] = {
    "criterion": lambda rules: CRITERIA[rules.criterion].title,
    "order": lambda rules: ORDER_NAMES[rules.growing_order],
    "families": lambda rules: ", ".join(FAMILIES[one].title for one in rules.families),
    "missing": lambda rules: POLICIES[rules.missing].title,
    "leaf_model": lambda rules: (
        LEAF_MODELS[rules.leaf_model].title if rules.leaf_model else "usual leaves"
    ),
    "stop_at_zero_gain": lambda rules: (
        "stops at zero gain" if rules.stop_at_zero_gain else "goes on at zero gain"
    ),
}
"""The rules that have names for their values; the others are told by their own and a number."""


def rule_value_text(name: str, value: Any, text: Callable[[Any], str] = number) -> str:
    """A rule with its value: 'Depth at most 3', 'Any depth'."""
    words, _, free = SETTINGS[name]
    return free if value is None else f"{words} {text(value)}"


def rule_phrase(rules: Rules, name: str) -> str:
    """A rule's value inside of a sentence: 'Gini', 'depth at most 3', 'any depth'."""
    return (
        NAMED[name](rules) if name in NAMED else rule_value_text(name, getattr(rules, name)).lower()
    )


def apart(one: Rules, other: Rules) -> tuple[str, str] | None:
    """What each of two has that the other has not, ('Gini', 'Entropy'); None if they are the same.

    Of very different ones the first few are told.
    """
    pairs = [
        tuple(rule_phrase(rules, each.name) for rules in (one, other)) for each in fields(Rules)
    ]
    differing = [pair for pair in pairs if pair[0] != pair[1]]
    if not differing:
        return None
    more = len(differing) - MOST_NAMED
    rest = f" and {more} more" if more > 0 else ""
    first, second = (", ".join(side[:MOST_NAMED]) + rest for side in zip(*differing, strict=True))
    return first[:1].upper() + first[1:], second[:1].upper() + second[1:]
