"""A tree in words: the text of a split, the rule of each leaf, the reason why a leaf stops."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from dtviz.base.arrays import ROUNDING, Floats, Ints
from dtviz.base.lazy import pa
from dtviz.base.text import (
    Dialect,
    categories_text,
    clean,
    count,
    interval_text,
    number,
    or_missing_text,
)
from dtviz.data.categories import CategoryValue, category_text
from dtviz.data.dataset import Dataset
from dtviz.data.units import PLAIN, kind_of
from dtviz.data.units.numbers import threshold_column
from dtviz.engine import splits
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.leaves.leaf_models import LEAF_MODELS, LEAST_COST, LeafModel
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, with_row_counts
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.search.missing import POLICIES
from dtviz.engine.tree import Node, Tree, class_shares, prediction, shares_before_costs


class ScoreInterval(NamedTuple):
    """Interval of a projection's scores that the splits on the path to a node leave.

    Of several thresholds that bound one side, that of the node nearest to the path's end is the
    tightest: a split divides only the scores that reach its node.
    """

    low_node: int = 0  # id of the node whose threshold bounds the scores from below, 0 for none
    high_node: int = 0  # id of the node whose threshold bounds the scores from above, 0 for none
    with_missing: bool = True  # True if rows without a score can reach the node too


ScoreIntervals = dict[splits.Projection, ScoreInterval]
"""Interval of each projection that is split on the path to a node."""


def _all_values(
    score: str, values: Sequence[CategoryValue], _: Sequence[CategoryValue], inside: bool
) -> str:
    """Write that a category is one of `values`, or none if not `inside`: 'Car in {Family}'."""
    return categories_text(score, [*map(category_text, values)], inside)


WORDS = Dialect(clean, number, _all_values)
"""Dialect that people read."""


def _first_values(
    score: str, values: Sequence[CategoryValue], others: Sequence[CategoryValue], inside: bool
) -> str:
    """Write that a category is one of `values`, or none of them; name only the first values."""
    n_unnamed = len(values) - MAX_VALUES_NAMED
    if n_unnamed <= 1:  # "and 1 more" takes as much room as the name
        return _all_values(score, values, others, inside)
    names = [*map(category_text, values[:MAX_VALUES_NAMED])]
    return categories_text(score, [*names[:-1], f"{names[-1]} and {n_unnamed} more"], inside)


MAX_VALUES_NAMED = 6
BRIEF = replace(WORDS, in_categories=_first_values)
"""Dialect of sentences and of the tree's graph: it names the first of many categories."""


def _interval_in_symbols(score: str, low: str, high: str, *_: Sequence[Any]) -> str:
    return interval_text(score, low, high, "≤")


SYMBOL_WORDS = replace(
    BRIEF,
    in_interval=_interval_in_symbols,
    in_durations=_interval_in_symbols,
    in_ranks=_interval_in_symbols,
)
"""Dialect of pictures and tables on a page: BRIEF with the symbol ≤ in place of <=."""


@dataclass(frozen=True, slots=True)
class LeafRule:
    """Rule of one leaf: the conditions on its path, the prediction, rows and class shares."""

    node: int  # node id of the leaf
    conditions: tuple[str, ...]  # one a projection: all splits of the path on it, merged
    value: Any  # predicted class label or number
    n: int  # number of training rows
    shares: tuple[float, ...]
    """Share of each class, as in `predict_proba`; where that varies in the leaf, the share of the
    leaf's rows."""
    weight: float | None = None  # weight of the training rows, None without weights
    prediction_text: str = ""  # the prediction in words
    share: float | None = None
    """Share of the predicted class; None for a number, or where `prediction_text` has shares."""

    @property
    def where(self) -> str:
        """Conditions in one line: '2 < x1 <= 5 and (x2 > 1 or missing)'."""
        has_and = len(self.conditions) > 1
        ending = or_missing_text("", "")
        terms = (
            f"({term})" if has_and and term.endswith(ending) else term for term in self.conditions
        )
        return " and ".join(terms) or "always"

    @property
    def outcome(self) -> str:
        """Prediction and its rows: 'A (75 % of 12 rows)', 'A (12 rows)' where all are of A."""
        return f"{self.prediction_text} ({rows_text(self.n, self.weight, self.share)})"

    def __str__(self) -> str:
        """Rule in one line: '2 < x1 <= 5 and x2 > 1 -> A (75 % of 12 rows)'."""
        return f"{self.where} -> {self.outcome}"


def rows_text(n: int, weight: float | None, share: float | None = None) -> str:
    """Number of rows, with their weight unless it is None: '12 rows, weight 7.5'.

    A share below 1 stands before it: '97 % of 892 rows'.
    """
    text = count(n, "row") + ("" if weight is None else f", weight {number(weight)}")
    return text if share is None or share > 1 - ROUNDING else f"{_percent_text(share)} of {text}"


def _percent_text(share: float) -> str:
    """A share below 1 in percent, rounded to three digits but never to 100: '97.2 %'."""
    text = number(100 * share, 3)
    return ("above 99.9" if text == "100" else text) + " %"


def predicted_share(data: Dataset, model: LeafModel, node: Node) -> float | None:
    """Share of the class that a node predicts; None for a number, or where leaves have shares."""
    if not data.classes or model.proba is not None:
        return None
    return shares_before_costs(data, node)[int(node.value)]


def node_rows(node: Node) -> str:
    """Number and weight of a node's rows: '12 rows', '12 rows, weight 7.5'."""
    return rows_text(node.n, node.weight if node.weight_sums else None)


def leaf_rules(
    data: Dataset, tree: Tree, max_rules: int | None = None, dialect: Dialect = WORDS
) -> tuple[LeafRule, ...]:
    """One rule a leaf, from left to right; the first `max_rules` only, if given."""
    rules, write_conditions = [], conditions_in(data, dialect, partial(_limit, data, tree))
    for leaf, bounds in islice(leaf_intervals(tree), max_rules):
        node, conditions = tree.nodes[leaf], write_conditions(bounds)
        weight = node.weight if node.weight_sums else None
        label, label_text = prediction(data, node), prediction_text(data, tree.leaf_model, node)
        shares = shares_of(data, tree.leaf_model, node)
        share = predicted_share(data, tree.leaf_model, node)
        rules.append(LeafRule(leaf, conditions, label, node.n, shares, weight, label_text, share))
    return tuple(rules)


def shares_of(data: Dataset, model: LeafModel, node: Node) -> tuple[float, ...]:
    """Shares of the classes that a node predicts; of its rows if predictions vary in the node."""
    if model.proba is None or model.linear_score is not None:
        return shares_before_costs(data, node)
    no_columns, first_row = np.zeros((0, 1)), np.zeros(1, int)
    shares = model.proba.predict(np.array([node.params]), no_columns, first_row)
    return tuple(shares[0].tolist())


def leaf_intervals(tree: Tree) -> Iterator[tuple[int, ScoreIntervals]]:
    """Each leaf from left to right, with the intervals that its path leaves of projections."""
    stack: list[tuple[int, ScoreIntervals]] = [(1, {})]
    while stack:
        node, bounds = stack.pop()
        split = tree.splits.get(node)
        if split is None:
            yield node, bounds
            continue
        low, high, with_missing = bounds.get(split.projection, ScoreInterval())
        left = ScoreInterval(low, node, with_missing and split.missing.left)
        right = ScoreInterval(node, high, with_missing and not split.missing.left)
        stack.append((2 * node + 1, bounds | {split.projection: right}))
        stack.append((2 * node, bounds | {split.projection: left}))


def merge_intervals(intervals: ScoreIntervals) -> ScoreIntervals:
    """Merge intervals of several projections of one category into one, where their family can."""
    groups: dict[tuple[str, int | None], list[splits.Projection]] = {}
    for projection in intervals:
        groups.setdefault((projection.family, splits.feature_of(projection)), []).append(projection)
    merged = dict(intervals)
    for group in groups.values():
        join = splits.family_of(group[0]).join_sides
        is_left = {projection: intervals[projection].high_node > 0 for projection in group}
        joined = join(is_left) if join and group[1:] else None
        if joined is not None:
            parts = [merged.pop(projection) for projection in group]
            # The interval of a subset has one end, so that one of its two node ids is 0.
            node, with_missing = max(parts[0][:2]), all(part.with_missing for part in parts)
            projection, joined_left = joined
            ends = (0, node) if joined_left else (node, 0)
            merged[projection] = ScoreInterval(*ends, with_missing)
    return merged


def conditions_in(
    data: Dataset, dialect: Dialect, limit: Callable[[int], str]
) -> Callable[[ScoreIntervals], tuple[str, ...]]:
    """Make the function that writes the intervals of a leaf, one text a projection: '2 < x1 <= 5'.

    `limit` writes the threshold of a node, given its id.
    """

    # Cached, for all leaves below a split write its threshold, and many its interval.
    @cache
    def threshold(node: int) -> str:
        return limit(node) if node else ""

    @cache
    def text(projection: splits.Projection, interval: ScoreInterval) -> str:
        low, high = threshold(interval.low_node), threshold(interval.high_node)
        return condition_text(data, projection, low, high, interval.with_missing, dialect)

    def conditions(intervals: ScoreIntervals) -> tuple[str, ...]:
        merged = merge_intervals(intervals)
        ordered = sorted(merged, key=splits.sort_key)
        return tuple(text(projection, merged[projection]) for projection in ordered)

    return conditions


def condition_text(
    data: Dataset,
    projection: splits.Projection,
    low: str,
    high: str,
    with_missing: bool,
    dialect: Dialect,
) -> str:
    """Condition low < score <= high in a dialect; `with_missing` adds 'or missing'."""
    text = splits.condition(projection, low, high, data, dialect)
    if (
        not with_missing
        or isinstance(projection, splits.IsMissing)
        or not can_be_missing(data, projection)
    ):
        return text
    names = [dialect.name(data.features[f]) for f in splits.features_of(projection)]
    return dialect.or_missing(text, names or [splits.formula(projection, data, dialect)])


def can_be_missing(data: Dataset, projection: splits.Projection) -> bool:
    """True if the score of a row of the data can be missing."""
    # A projection that lists no features may use any.
    features = splits.features_of(projection) or range(len(data.features))
    return any(data.gaps[feature] for feature in features)


def _limit(data: Dataset, tree: Tree, node: int) -> str:
    """Threshold of a node, as short as the scores of rows next to it allow."""
    split = tree.splits[node]
    values = np.array([split.threshold, *tree.threshold_neighbours[node]])[:, None]
    return threshold_texts(data, split.projection, *values)[0]


def threshold_texts(
    data: Dataset, projection: splits.Projection, values: Floats, lower: Floats, upper: Floats
) -> list[str]:
    """Texts of thresholds of one projection, each as short as the scores next to it allow.

    `values` are the thresholds, `lower` and `upper` the scores next to them; all have shape (k,).
    """
    quantity = splits.quantity_of(projection, data)
    texts = kind_of(quantity).threshold_texts(values, lower, upper, quantity)
    feature = splits.feature_of(projection)
    unit = "" if feature is None else data.units[feature]
    # the no-break space keeps the unit on the line of its number
    return [f"{text}\u00a0{clean(unit)}" for text in texts] if unit else texts


def feature_title(data: Dataset, feature: int) -> str:
    """Name of a feature with its unit: 'weight (kg)'."""
    name, unit = clean(data.features[feature]), clean(data.units[feature])
    return f"{name} ({unit})" if unit else name


def rule_text(data: Dataset, tree: Tree, node: int, dialect: Dialect = BRIEF) -> str:
    """Split of a node as text: 'x1 <= 2.45'."""
    return split_text(data, tree.splits[node], _limit(data, tree, node), dialect)


def candidate_text(data: Dataset, cuts: Candidates, index: int, dialect: Dialect = BRIEF) -> str:
    """Text of a candidate: 'x1 <= 2.45'."""
    return split_text(data, cuts.split(index), threshold_text(data, cuts, index), dialect)


def candidate_texts(data: Dataset, cuts: Candidates, indices: Ints, dialect: Dialect) -> list[str]:
    """Texts of the candidates at `indices`, (k,): 'x1 <= 2.45'."""
    texts: dict[int, str] = {}
    for line in np.unique(cuts.line[indices]).tolist():
        line_indices = indices[cuts.line[indices] == line]
        line_texts = _texts_of_projection(data, cuts, line, line_indices, dialect)
        texts |= zip(line_indices.tolist(), line_texts, strict=True)
    return [texts[index] for index in indices.tolist()]


def _texts_of_projection(
    data: Dataset, cuts: Candidates, line: int, indices: Ints, dialect: Dialect
) -> list[str]:
    """Texts of candidates of one projection; `line` is its number among the projections."""
    if line in cuts.orders:  # by categories, which have no thresholds
        return [candidate_text(data, cuts, index, dialect) for index in indices.tolist()]
    projection = cuts.projections[line]
    thresholds = threshold_texts(data, projection, *_finite_thresholds(cuts, indices))
    texts = [splits.condition(projection, "", limit, data, dialect) for limit in thresholds]
    return _with_missing(data, cuts, indices, texts)


def threshold_text(data: Dataset, cuts: Candidates, index: int) -> str:
    """Threshold of a candidate, as short as the scores next to it allow."""
    if int(cuts.line[index]) in cuts.orders:
        return "0.5"  # any text: the condition of a category lists values and shows no threshold
    threshold = _finite_thresholds(cuts, slice(index, index + 1))
    return threshold_texts(data, cuts.projections[cuts.line[index]], *threshold)[0]


def split_text(data: Dataset, split: splits.Split, limit: str, dialect: Dialect) -> str:
    """A split in a dialect; `limit` is the text of its threshold.

    A multi-way cut is its feature and the number of its branches: 'outlook in 3 branches'.
    """
    missing, projection = split.missing, split.projection
    if isinstance(projection, splits.CutPart) and not dialect.is_code:
        name = splits.formula(projection, data, dialect)
        return dialect.in_branches(name, len(projection.codes))
    with_missing = missing.left and missing.surrogates is None
    return condition_text(data, split.projection, "", limit, with_missing, dialect)


def answer_text(data: Dataset, tree: Tree, child: int) -> str:
    """Answer that leads to a node from the split above: 'yes', 'no', or the value of a branch."""
    projection = tree.splits[child // 2].projection
    if not isinstance(projection, splits.CutPart):
        return splits.YES_NO[child % 2]
    return branch_names(data, projection)[projection.position + child % 2]


def question_text(data: Dataset, tree: Tree, child: int, dialect: Dialect) -> str:
    """Question above a node with the answer that leads to it: 'x1 <= 2? yes', 'outlook = sunny'."""
    part, is_left = tree.splits[child // 2].projection, child % 2 == 0
    if isinstance(part, splits.CutPart):
        limit, with_missing = str(splits.HALF), part.default in splits.codes_of_side(part, is_left)
        bounds = ("", limit) if is_left else (limit, "")
        return condition_text(data, part, *bounds, with_missing, dialect)
    return f"{rule_text(data, tree, child // 2, dialect)}? {answer_text(data, tree, child)}"


def branch_names(data: Dataset, projection: splits.CutPart) -> tuple[str, ...]:
    """Names of the branches of a multi-way cut: the values of the category."""
    levels = data.levels[projection.feature]
    return tuple(category_text(levels[code]) for code in projection.codes)


def projection_text(data: Dataset, projection: splits.Projection) -> str:
    """Formula of a projection in words: 'x1', '0.42·x1 + 0.9·x2'."""
    return splits.formula(projection, data, WORDS)


def candidate_text_column(data: Dataset, cuts: Candidates) -> pa.ChunkedArray:
    """Texts of all candidates, every value of a category named: column of strings, (cuts,)."""
    columns = [_text_column(data, cuts, line) for line in range(len(cuts.projections))]
    return pa.chunked_array(columns, pa.string())


def _text_column(data: Dataset, cuts: Candidates, line: int) -> pa.Array:
    """Texts of all candidates on one projection."""
    projection, part = cuts.projections[line], cuts.of_line(line)
    indices, thresholds = np.arange(part.start, part.stop), _finite_thresholds(cuts, part)
    if line in cuts.orders:
        texts = [candidate_text(data, cuts, index, WORDS) for index in indices.tolist()]
    elif splits.quantity_of(projection, data) != PLAIN:
        limit_texts = threshold_texts(data, projection, *thresholds)
        texts = [splits.condition(projection, "", limit, data, WORDS) for limit in limit_texts]
        texts = _with_missing(data, cuts, indices, texts)
    else:  # written by Arrow, because a Python string for each of many candidates is slow
        plain = threshold_column(
            *thresholds, interval_text(projection_text(data, projection), "", "")
        )
        if not can_be_missing(data, projection):
            return plain
        texts = _with_missing(data, cuts, indices, plain.to_pylist())
    return pa.array(texts, pa.string())


def _finite_thresholds(cuts: Candidates, index: slice | Ints) -> tuple[Floats, Floats, Floats]:
    """Thresholds with the scores below and above, each (k,), all finite.

    A threshold is infinite where a cut divides missing values from all others. The texts of numbers
    need a finite one: a score next to it.
    """
    limit, lower, upper = cuts.threshold[index], cuts.lower[index], cuts.upper[index]
    value = np.where(np.isinf(lower), upper, lower)
    value = np.where(np.isinf(value), 0.0, value)
    return (
        np.where(np.isinf(limit), value, limit),
        np.where(np.isinf(limit), value, lower),
        np.where(np.isinf(limit), np.nextafter(value, np.inf), upper),
    )


def _with_missing(data: Dataset, cuts: Candidates, indices: Ints, texts: list[str]) -> list[str]:
    """Add 'or missing' to the texts of candidates on one projection that send missing rows left."""
    if not len(indices) or cuts.missing_left is None:
        return texts
    projection = cuts.projections[cuts.line[indices[0]]]
    if not can_be_missing(data, projection):
        return texts
    names = [WORDS.name(data.features[feature]) for feature in splits.features_of(projection)]
    names = names or [projection_text(data, projection)]
    thresholds, missing_left = cuts.threshold[indices].tolist(), cuts.missing_left[indices].tolist()
    return [
        WORDS.is_missing(names, limit < 0)
        if math.isinf(limit)
        else WORDS.or_missing(text, names)
        if left
        else text
        for text, limit, left in zip(texts, thresholds, missing_left, strict=True)
    ]


def feature_value_texts(data: Dataset, feature: int, values: Floats) -> list[str]:
    """Texts of values of a feature: numbers, dates, durations or values of a category."""
    levels, quantity = data.levels[feature], data.quantities[feature]
    if levels:
        return [category_text(levels[code]) for code in values.astype(int).tolist()]
    return kind_of(quantity).texts(values, quantity)


def prediction_text(data: Dataset, model: LeafModel, node: Node, digits: int = 4) -> str:
    """Prediction of a node in words: a class, a number or a formula."""

    def literal(value: float) -> str:
        return data.class_names[int(value)] if data.classes else number(value, digits)

    write = model.formula if model.proba is None else model.proba.text
    dialect = replace(WORDS, number=lambda value: number(value, digits))
    return write(node.params, data.features, dialect, literal)


def stop_reason(problem: Problem, node: Node, stop: str) -> str:
    """Reason why a leaf has no split, in words with the leaf's numbers; '' for an open leaf."""
    data, rules = problem.data, problem.rules
    rows, value = count(node.n, "row"), _heaviest_class(problem, node)
    is_, are = ("is on", "are on") if not data.classes and len(node.params) > 1 else ("is", "are")
    share = f"{number(100 * max(class_shares(node), default=1.0), 3)} %"
    min_rows = _rows_of(rules, "min_samples_split", data.n_grown)
    minimum_reason = f"no cut leaves at least {minimum_text(problem)} on both sides"
    return {
        "": "",
        "pure": f"pure: {f'the only row {is_}' if node.n == 1 else f'all {rows} {are}'} {value}",
        "purity": f"{share} of its rows are {value}: purity is at least {rules.purity:g}",
        "min_samples_split": f"{rows}: a split needs {min_rows}",
        "max_depth": f"depth {rules.max_depth} is the deepest allowed",
        "constant": "its rows have the same values",
        "min_samples_leaf": f"no cut leaves at least {min_rows_text(problem)} on both sides",
        "min_weight_fraction_leaf": minimum_reason,
        "above_zero": minimum_reason,
        "min_gain": f"the best cut gains less than {rules.min_gain:g}",
        "min_impurity_decrease": "the best cut lowers the impurity of the tree by less than "
        f"{rules.min_impurity_decrease:g}",
        "zero_gain": "the best gain is 0 and growing stops at zero gain",
        "max_p_value": "its best cut may be chance: the p-value is above "
        f"{number(rules.max_p_value)}",
        "max_leaf_nodes": f"the next cut would make more than {rules.max_leaf_nodes} leaves",
        "many_branches": f"each cut would have more than {splits.MAX_BRANCHES} branches",
        "pruned": "pruned: a split was taken back here",
    }[stop]


def _heaviest_class(problem: Problem, node: Node) -> str:
    """Class of most weight, which need not be the predicted class; or the predicted number."""
    data = problem.data
    if data.classes:
        return data.class_names[int(np.argmax(node.weight_by_class))]
    return prediction_text(data, problem.leaf_model, node)


def tie_note(model: LeafModel, node: Node) -> str:
    """Note behind a prediction that is the first of several heaviest classes: ' (tie of 3)'."""
    if not node.counts or model.proba is not None or model.name == LEAST_COST:
        return ""
    weights = np.array(node.weight_by_class)
    n_heaviest = int((weights >= weights.max() * (1 - ROUNDING)).sum())
    return f" (tie of {n_heaviest})" if n_heaviest > 1 else ""


def cost_note(data: Dataset, node: Node) -> str:
    """A note on a node that predicts its cheapest class, not its commonest; '' for other nodes.

    For example: 'It says B, which costs 0.4 a row; A, the commonest, would cost 1.2'.
    """
    if data.costs is None:
        return ""
    shares, predicted = np.array(shares_before_costs(data, node)), int(node.value)
    commonest, cost = int(shares.argmax()), shares @ data.costs
    if shares[predicted] == shares[commonest] or cost[predicted] > cost[commonest]:
        return ""
    name, commonest_name = data.class_names[predicted], data.class_names[commonest]
    return (
        f"It says {name}, which costs {number(cost[predicted])} a row; {commonest_name}, the "
        f"commonest, would cost {number(cost[commonest])}"
    )


def minimum_text(problem: Problem) -> str:
    """Minimum of both sides of a split: '2 rows', '2 rows and 0.1 of the weight'."""
    rules = problem.rules
    others = [min_weight_text(rules)] if rules.min_weight_fraction_leaf else []
    others += ["one target above 0"] if CRITERIA[rules.criterion].means_above_zero else []
    rows = [min_rows_text(problem)] if rules.min_samples_leaf != 1 or not others else []
    return " and ".join(rows + others)


def min_rows_text(problem: Problem) -> str:
    """Minimum of rows on each side of a split: '2 rows', '8 rows (0.05 of 160)'."""
    return _rows_of(problem.rules, "min_samples_leaf", problem.data.n_grown)


def min_weight_text(rules: Rules) -> str:
    """Minimum of weight on each side of a split: '0.1 of the weight'."""
    return f"{rules.min_weight_fraction_leaf:g} of the weight"


def _rows_of(rules: Rules, rule: str, n: int) -> str:
    """Number of rows that a rule asks for: '2 rows', or '8 rows (0.05 of 160)' for a share."""
    value, rows = getattr(rules, rule), getattr(with_row_counts(rules, n), rule)
    return count(rows, "row") if value == rows else f"{count(rows, 'row')} ({value:g} of {n:,})"


MAX_RULES_NAMED = 3
"""Number of rules that `rule_differences` names; it counts the others."""


class SettingText(NamedTuple):
    """Words for a rule, wherever a person reads about the rule."""

    title: str  # name of the rule: 'Depth at most'
    effect: str = ""  # one sentence on what the rule does
    no_limit_text: str = ""  # text of the rule where its value is None: 'Any depth'


SETTINGS = {
    "criterion": SettingText("Criterion"),
    "max_depth": SettingText(
        "Depth at most", "No node is deeper than this; the root has depth 0.", "Any depth"
    ),
    "max_leaf_nodes": SettingText(
        "Leaves at most", "Growing stops at this many leaves.", "Any number of leaves"
    ),
    "min_samples_leaf": SettingText(
        "Smallest leaf", "A cut must leave this many rows on both sides."
    ),
    "min_samples_split": SettingText(
        "Smallest node to split", "A node with fewer rows stays a leaf."
    ),
    "order": SettingText("Which node is next"),
    "families": SettingText("Cuts compared"),
    "missing": SettingText("Missing values"),
    "leaf_model": SettingText("A leaf predicts"),
    "min_gain": SettingText("Least gain", "A best cut that gains less does not split."),
    "purity": SettingText("Pure enough", "A class with this share stops the node."),
    "min_impurity_decrease": SettingText(
        "Least decrease",
        "A best cut stays where its gain times the node's share of all rows is this much.",
    ),
    "min_weight_fraction_leaf": SettingText(
        "Lightest leaf", "A cut must leave this share of the weight of all rows on both sides."
    ),
    "max_p_value": SettingText(
        "Chance at most",
        "A node is a leaf if its best cut has a larger p-value, by Bonferroni over all cuts of the "
        "node; 1: the rule is off.",
    ),
    "ccp_alpha": SettingText(
        "Prune up to", "After growing, splits that gain no more than this a leaf are pruned."
    ),
    "stop_at_zero_gain": SettingText(
        "Stop at zero gain", "XOR needs it off: its first cut gains nothing."
    ),
}
"""Words for every rule, in the order in which the page shows the rules."""

MAX_NUMBERED_NODE = 999
"""Largest number of a node that people read: below it a node is named by the way to it."""
MAX_STEPS_NAMED = 3
"""Answers that are written in words; of more the first letters are."""


def node_name(node: int) -> str:
    """What people call a node: 'Root', 'Node 6', 'Below node 682: no, yes'.

    The children of node k are 2 k (yes) and 2 k + 1 (no), so that a number stays as the tree grows,
    and tells the way; but it doubles with each level. A deep node is named by the last node above
    it whose number is short, and the answers from there, many of them by their first letters.

    >>> node_name(1), node_name(6), node_name(5460)
    ('Root', 'Node 6', 'Below node 682: no, yes, yes')
    >>> node_name(2**14 + 1)
    'Below node 512: yyyyn'
    """
    if node <= MAX_NUMBERED_NODE:
        return "Root" if node == 1 else f"Node {node}"
    n_steps = (node // (MAX_NUMBERED_NODE + 1)).bit_length()
    above = node >> n_steps
    answers = ["no" if node >> step & 1 else "yes" for step in range(n_steps - 1, -1, -1)]
    if n_steps > MAX_STEPS_NAMED:
        return f"Below node {above}: {''.join(answer[0] for answer in answers)}"
    return f"Below node {above}: {', '.join(answers)}"


def node_title(data: Dataset, tree: Tree, node: int) -> str:
    """What people call a node of a tree: its name, of a deep one below a multi-way cut its branch.

    For example: 'Below the root: city = Rome', and a node under that one 'Below the root: city =
    Rome, no'. The numbers of many branches are too long to be read.
    """
    answers, below = list[str](), node
    while below > MAX_NUMBERED_NODE:
        if isinstance(tree.splits[below // 2].projection, splits.CutPart):
            top = splits.first_part_node(tree.splits, below // 2)
            way = ", ".join([question_text(data, tree, below, BRIEF), *reversed(answers)])
            if top > MAX_NUMBERED_NODE:
                return f"{node_title(data, tree, top)}, {way}"
            return f"Below {node_phrase(top)}: {way}"
        answers.append(answer_text(data, tree, below))
        below //= 2
    return node_name(node)


def node_phrase(node: int) -> str:
    """What a sentence calls a node: 'the root', 'node 6', 'the node below node 682 (no, yes)'.

    >>> node_phrase(6), node_phrase(5460), node_phrase(2**20)
    ('node 6', 'the node below node 682 (no, yes, yes)', 'the node below node 512 (yyyyyyyyyyy)')
    """
    if node <= MAX_NUMBERED_NODE:
        return "the root" if node == 1 else f"node {node}"
    name, _, answers = node_name(node).partition(": ")
    return f"the node {name[:1].lower()}{name[1:]} ({answers})"


ORDER_NAMES = {"depth": "depth-first", "breadth": "breadth-first", "best": "best-first"}

RULE_VALUE_TEXTS: dict[str, Callable[[Rules], str]] = {
    "criterion": lambda rules: CRITERIA[rules.criterion].title,
    "order": lambda rules: ORDER_NAMES[rules.growing_order],
    "families": lambda rules: ", ".join(splits.FAMILIES[family].title for family in rules.families),
    "missing": lambda rules: POLICIES[rules.missing].title,
    "leaf_model": lambda rules: (
        LEAF_MODELS[rules.leaf_model].title if rules.leaf_model else "usual leaves"
    ),
    "stop_at_zero_gain": lambda rules: (
        "stops at zero gain" if rules.stop_at_zero_gain else "goes on at zero gain"
    ),
}
"""Writer of the value, for each rule whose values have names; the other rules have numbers."""


def rule_value_text(name: str, value: Any, write: Callable[[Any], str] = number) -> str:
    """A rule with its value: 'Depth at most 3', 'Any depth'."""
    words = SETTINGS[name]
    return words.no_limit_text if value is None else f"{words.title} {write(value)}"


def rule_phrase(rules: Rules, name: str) -> str:
    """A rule's value inside a sentence: 'Gini', 'depth at most 3', 'any depth'."""
    return (
        RULE_VALUE_TEXTS[name](rules)
        if name in RULE_VALUE_TEXTS
        else rule_value_text(name, getattr(rules, name)).lower()
    )


def rule_differences(first: Rules, second: Rules) -> tuple[str, str] | None:
    """Texts of both sides' values of the rules that differ: ('Gini', 'Entropy'); None if equal."""
    pairs = [
        tuple(rule_phrase(rules, rule.name) for rules in (first, second)) for rule in fields(Rules)
    ]
    differing = [pair for pair in pairs if pair[0] != pair[1]]
    if not differing:
        return None
    n_unnamed = len(differing) - MAX_RULES_NAMED
    end = f" and {n_unnamed} more" if n_unnamed > 0 else ""
    texts = (", ".join(side[:MAX_RULES_NAMED]) + end for side in zip(*differing, strict=True))
    first_text, second_text = (text[:1].upper() + text[1:] for text in texts)
    return first_text, second_text
