"""A tree in words: the text of a split, the rule of each leaf, the reason why a leaf stops."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from dtviz.base.arrays import Floats, Ints
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
from dtviz.engine.leaves.leaf_models import LEAF_MODELS, LeafModel
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, with_row_counts
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.search.missing import POLICIES
from dtviz.engine.tree import Node, Tree, class_shares, depth, prediction, shares_before_costs


class Bound(NamedTuple):
    """The interval of a projection's scores that the path to a node leaves.

    Of several thresholds on one side the nearest to the node is the tightest, because a split
    parts the rows of its node.
    """

    low_node: int = 0  # id of the node whose threshold bounds the scores from below, 0 for none
    high_node: int = 0  # id of the node whose threshold bounds the scores from above, 0 for none
    with_missing: bool = True  # rows without a score can reach the node too


Bounds = dict[splits.Projection, Bound]
"""The bound of each projection that is split on the path to a node."""


def _all_values(
    score: str, values: Sequence[CategoryValue], _: Sequence[CategoryValue], inside: bool
) -> str:
    """Write that a category has one of `values`, or none of them: 'Car in {Family, Sports}'."""
    return categories_text(score, [*map(category_text, values)], inside)


WORDS = Dialect(clean, number, _all_values)
"""The dialect of people; the texts of thresholds depend on their neighbours, see `limit_text`."""


def _first_values(
    score: str, values: Sequence[CategoryValue], others: Sequence[CategoryValue], inside: bool
) -> str:
    """Write that a category has one of `values`, or none of them, naming only the first values."""
    n_unnamed = len(values) - MAX_VALUES_NAMED
    if n_unnamed <= 1:  # "and 1 more" takes as much room as the name
        return _all_values(score, values, others, inside)
    names = [*map(category_text, values[:MAX_VALUES_NAMED])]
    return categories_text(score, [*names[:-1], f"{names[-1]} and {n_unnamed} more"], inside)


MAX_VALUES_NAMED = 6
BRIEF = replace(WORDS, in_categories=_first_values)
"""The dialect of a sentence and a graph: of very many values of a category it names the first."""


def _signed(score: str, low: str, high: str, *_: Sequence[Any]) -> str:
    return interval_text(score, low, high, "≤")


SIGNED = replace(BRIEF, in_interval=_signed, in_durations=_signed, in_ranks=_signed)
"""The dialect of pictures and tables of the page: BRIEF with the sign ≤ for "at most"."""


@dataclass(frozen=True, slots=True)
class LeafRule:
    """The rule of one leaf: the conditions on its path, the prediction, rows and class shares."""

    node: int  # node id of the leaf
    conditions: tuple[str, ...]  # one a projection, all splits of the path on it merged
    value: Any  # predicted class label or number
    n: int  # number of training rows
    shares: tuple[float, ...]
    """Share of each class by `predict_proba`; in the leaf's rows where that varies in the leaf."""
    weight: float | None = None  # weight of the training rows, None without weights
    prediction_text: str = ""  # the prediction in words

    @property
    def where(self) -> str:
        """The conditions in one line: '2 < x1 <= 5 and (x2 > 1 or missing)'."""
        has_and = len(self.conditions) > 1
        ending = or_missing_text("", "")
        terms = (
            f"({term})" if has_and and term.endswith(ending) else term for term in self.conditions
        )
        return " and ".join(terms) or "always"

    @property
    def outcome(self) -> str:
        """The prediction and the number of rows: 'A (12 rows)'."""
        return f"{self.prediction_text} ({rows_text(self.n, self.weight)})"

    def __str__(self) -> str:
        """The rule in one line: '2 < x1 <= 5 and x2 > 1 -> A (12 rows)'."""
        return f"{self.where} -> {self.outcome}"


def rows_text(n: int, weight: float | None) -> str:
    """The number of rows, with their weight unless it is None: '12 rows, weight 7.5'."""
    return count(n, "row") + ("" if weight is None else f", weight {number(weight)}")


def node_rows(node: Node) -> str:
    """The number and weight of a node's rows: '12 rows', '12 rows, weight 7.5'."""
    return rows_text(node.n, node.weight if node.weight_sums else None)


def leaf_rules(
    data: Dataset, tree: Tree, max_rules: int | None = None, dialect: Dialect = WORDS
) -> tuple[LeafRule, ...]:
    """One rule a leaf, from left to right; the first `max_rules` only, if given."""
    rules, write_conditions = [], conditions_in(data, dialect, partial(_limit, data, tree))
    for leaf, bounds in islice(leaf_bounds(tree), max_rules):
        node, conditions = tree.nodes[leaf], write_conditions(bounds)
        weight = node.weight if node.weight_sums else None
        label, label_text = prediction(data, node), value_text(data, tree.leaf_model, node)
        shares = shares_of(data, tree.leaf_model, node)
        rules.append(LeafRule(leaf, conditions, label, node.n, shares, weight, label_text))
    return tuple(rules)


def shares_of(data: Dataset, model: LeafModel, node: Node) -> tuple[float, ...]:
    """Share of each class that a node predicts; of its rows where the model varies inside it."""
    if model.proba is None or model.linear_score is not None:
        return shares_before_costs(data, node)
    no_columns, first_row = np.zeros((0, 1)), np.zeros(1, int)
    shares = model.proba.predict(np.array([node.params]), no_columns, first_row)
    return tuple(shares[0].tolist())


def leaf_bounds(tree: Tree) -> Iterator[tuple[int, Bounds]]:
    """Each leaf from left to right, with the bounds that its path leaves of each projection."""
    stack: list[tuple[int, Bounds]] = [(1, {})]
    while stack:
        node, bounds = stack.pop()
        split = tree.splits.get(node)
        if split is None:
            yield node, bounds
            continue
        low, high, with_missing = bounds.get(split.projection, Bound())
        left = Bound(low, node, with_missing and split.missing.left)
        right = Bound(node, high, with_missing and not split.missing.left)
        stack.append((2 * node + 1, bounds | {split.projection: right}))
        stack.append((2 * node, bounds | {split.projection: left}))


def merge_bounds(bounds: Bounds) -> Bounds:
    """Merge the bounds of several projections of one category into one, where its family can."""
    groups: dict[tuple[str, int | None], list[splits.Projection]] = {}
    for projection in bounds:
        groups.setdefault((projection.family, splits.feature_of(projection)), []).append(projection)
    merged = dict(bounds)
    for group in groups.values():
        join = splits.family_of(group[0]).joint
        sides = {projection: bounds[projection].high_node > 0 for projection in group}
        joined = join(sides) if join and group[1:] else None
        if joined is not None:
            parts = [merged.pop(projection) for projection in group]
            node, with_missing = max(parts[0][:2]), all(part.with_missing for part in parts)
            merged[joined[0]] = (
                Bound(0, node, with_missing) if joined[1] else Bound(node, 0, with_missing)
            )
    return merged


def conditions_in(
    data: Dataset, dialect: Dialect, limit: Callable[[int], str]
) -> Callable[[Bounds], tuple[str, ...]]:
    """Make the function that writes the bounds of a leaf, one text a projection: '2 < x1 <= 5'.

    `limit` writes the threshold of a node, given its id.
    """

    # Cached, for the leaves below a split share its texts and are many more than the splits.
    @cache
    def threshold(node: int) -> str:
        return limit(node) if node else ""

    @cache
    def text(projection: splits.Projection, bound: Bound) -> str:
        low, high = threshold(bound.low_node), threshold(bound.high_node)
        return condition_text(data, projection, low, high, bound.with_missing, dialect)

    def conditions(bounds: Bounds) -> tuple[str, ...]:
        ordered = sorted(merge_bounds(bounds).items(), key=lambda item: splits.order_of(item[0]))
        return tuple(text(projection, bound) for projection, bound in ordered)

    return conditions


def condition_text(
    data: Dataset,
    projection: splits.Projection,
    low: str,
    high: str,
    or_missing: bool,
    dialect: Dialect,
) -> str:
    """The condition low < score <= high in a dialect, with 'or missing' where `or_missing`."""
    text = splits.condition(projection, low, high, data, dialect)
    if (
        not or_missing
        or isinstance(projection, splits.IsMissing)
        or not can_be_missing(data, projection)
    ):
        return text
    names = [dialect.name(data.features[f]) for f in splits.features_of(projection)]
    return dialect.or_missing(text, names or [splits.formula(projection, data, dialect)])


def can_be_missing(data: Dataset, projection: splits.Projection) -> bool:
    """True if the score of a row of the data can be missing."""
    features = splits.features_of(projection) or range(len(data.features))
    return any(data.gaps[feature] for feature in features)


def _limit(data: Dataset, tree: Tree, node: int) -> str:
    """The threshold of a node, as short as the gap between its neighbouring scores allows."""
    split = tree.splits[node]
    values = np.array([split.threshold, *tree.threshold_neighbours[node]])[:, None]
    return threshold_texts(data, split.projection, *values)[0]


def threshold_texts(
    data: Dataset, projection: splits.Projection, values: Floats, lower: Floats, upper: Floats
) -> list[str]:
    """Texts of thresholds of one projection, each as short as its neighbouring scores allow.

    `values` are the thresholds, `lower` and `upper` the scores next to them; all have shape (k,).
    """
    quantity = splits.quantity_of(projection, data)
    return kind_of(quantity).threshold_texts(values, lower, upper, quantity)


def rule_text(data: Dataset, tree: Tree, node: int, dialect: Dialect = BRIEF) -> str:
    """The split of a node as text: 'x1 <= 2.45'."""
    return split_text(data, tree.splits[node], _limit(data, tree, node), dialect)


def candidate_text(data: Dataset, cuts: Candidates, index: int, dialect: Dialect = BRIEF) -> str:
    """The text of a candidate: 'x1 <= 2.45'."""
    return split_text(data, cuts.split(index), threshold_text(data, cuts, index), dialect)


def candidate_texts(data: Dataset, cuts: Candidates, indices: Ints, dialect: Dialect) -> list[str]:
    """The texts of the candidates at `indices`, (k,): 'x1 <= 2.45'."""
    texts: dict[int, str] = {}
    for line in np.unique(cuts.line[indices]).tolist():
        on_line = indices[cuts.line[indices] == line]
        line_texts = _texts_of_projection(data, cuts, line, on_line, dialect)
        texts |= zip(on_line.tolist(), line_texts, strict=True)
    return [texts[index] for index in indices.tolist()]


def _texts_of_projection(
    data: Dataset, cuts: Candidates, line: int, indices: Ints, dialect: Dialect
) -> list[str]:
    """The texts of candidates that are all on one projection."""
    if line in cuts.orders:
        return [candidate_text(data, cuts, index, dialect) for index in indices.tolist()]
    projection = cuts.projections[line]
    thresholds = threshold_texts(data, projection, *_finite_thresholds(cuts, indices))
    texts = [splits.condition(projection, "", limit, data, dialect) for limit in thresholds]
    return _with_missing(data, cuts, indices, texts)


def threshold_text(data: Dataset, cuts: Candidates, index: int) -> str:
    """The threshold of a candidate, as short as the neighbouring scores allow."""
    if int(cuts.line[index]) in cuts.orders:
        return "0.5"  # the text of a category lists its values and shows no threshold
    threshold = _finite_thresholds(cuts, slice(index, index + 1))
    return threshold_texts(data, cuts.projections[cuts.line[index]], *threshold)[0]


def split_text(data: Dataset, split: splits.Split, limit: str, dialect: Dialect) -> str:
    """A split in a dialect; `limit` is the text of its threshold."""
    missing = split.missing
    with_missing = missing.left and missing.surrogates is None
    return condition_text(data, split.projection, "", limit, with_missing, dialect)


def projection_text(data: Dataset, projection: splits.Projection) -> str:
    """The formula of a projection in words: 'x1', '0.42·x1 + 0.9·x2'."""
    return splits.formula(projection, data, WORDS)


def candidate_text_column(data: Dataset, cuts: Candidates) -> pa.ChunkedArray:
    """The texts of all candidates, every value of a category named: column of strings, (cuts,)."""
    columns = [_text_column(data, cuts, line) for line in range(len(cuts.projections))]
    return pa.chunked_array(columns, pa.string())


def _text_column(data: Dataset, cuts: Candidates, line: int) -> pa.Array:
    """The texts of all candidates on one projection."""
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
    """Thresholds with the scores below and above, each (k,); a score where they are infinite."""
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


def values_text(data: Dataset, feature: int, values: Floats) -> list[str]:
    """Values of a feature as text: numbers, dates, durations, or those of a category."""
    levels, quantity = data.levels[feature], data.quantities[feature]
    if levels:
        return [category_text(levels[code]) for code in values.astype(int).tolist()]
    return kind_of(quantity).texts(values, quantity)


def value_text(data: Dataset, model: LeafModel, node: Node, digits: int = 4) -> str:
    """The prediction of a node in words: a class, a number or a formula."""

    def literal(value: float) -> str:
        return data.class_names[int(value)] if data.classes else number(value, digits)

    write = model.formula if model.proba is None else model.proba.text
    dialect = replace(WORDS, number=lambda value: number(value, digits))
    return write(node.params, data.features, dialect, literal)


def stop_reason(problem: Problem, node: Node, stop: str) -> str:
    """Reason why a leaf stays one, in words with the leaf's numbers; '' for an open leaf."""
    data, rules = problem.data, problem.rules
    rows, value = count(node.n, "row"), _heaviest_class(problem, node)
    is_, are = ("is on", "are on") if not data.classes and len(node.params) > 1 else ("is", "are")
    share = f"{number(100 * max(class_shares(node), default=1.0), 3)} %"
    min_rows = _rows_of(rules, "min_samples_split", data.n)
    minimum_reason = f"no cut leaves at least {minimum_text(problem)} on both sides"
    return {
        "": "",
        "pure": f"pure: {f'the only row {is_}' if node.n == 1 else f'all {rows} {are}'} {value}",
        "purity": f"{share} of its rows are {value}: purity is at least {rules.purity:g}",
        "min_samples_split": f"{rows}: a split needs {min_rows}",
        "max_depth": f"depth {depth(node.id)} is the deepest allowed",
        "constant": "constant: no feature differs in these rows",
        "min_samples_leaf": f"no cut leaves at least {min_rows_text(problem)} on both sides",
        "min_weight_fraction_leaf": minimum_reason,
        "above_zero": minimum_reason,
        "min_gain": f"the best cut gains less than {rules.min_gain:g}",
        "min_impurity_decrease": "the best cut lowers the impurity of the tree by less than "
        f"{rules.min_impurity_decrease:g}",
        "zero_gain": "the best gain is 0 and growing stops at zero gain",
        "max_leaf_nodes": f"growing ended at {rules.max_leaf_nodes} leaves, the most allowed",
        "pruned": "pruned: a split was taken back here",
    }[stop]


def _heaviest_class(problem: Problem, node: Node) -> str:
    """The class of most weight, which need not be the one predicted; or the predicted number."""
    data = problem.data
    if data.classes:
        return data.class_names[int(np.argmax(node.sums))]
    return value_text(data, problem.leaf_model, node)


def cheaper_text(data: Dataset, node: Node) -> str:
    """A note on a node whose cheapest class is not its commonest; '' for any other node.

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
    """The minimum of both sides of a split: '2 rows', '2 rows and 0.1 of the weight'."""
    rules = problem.rules
    others = [min_weight_text(rules)] if rules.min_weight_fraction_leaf else []
    others += ["one target above 0"] if CRITERIA[rules.criterion].means_above_zero else []
    rows = [min_rows_text(problem)] if rules.min_samples_leaf != 1 or not others else []
    return " and ".join(rows + others)


def min_rows_text(problem: Problem) -> str:
    """The minimum of rows on each side of a split: '2 rows', '8 rows (0.05 of 160)'."""
    return _rows_of(problem.rules, "min_samples_leaf", problem.data.n)


def min_weight_text(rules: Rules) -> str:
    """The minimum of weight on each side of a split: '0.1 of the weight'."""
    return f"{rules.min_weight_fraction_leaf:g} of the weight"


def _rows_of(rules: Rules, rule: str, n: int) -> str:
    """The number of rows that a rule asks for: '2 rows', or '8 rows (0.05 of 160)' for a share."""
    value, rows = getattr(rules, rule), getattr(with_row_counts(rules, n), rule)
    return count(rows, "row") if value == rows else f"{count(rows, 'row')} ({value:g} of {n:,})"


MAX_RULES_NAMED = 3
"""`rule_differences` names so many rules and counts the others."""


class SettingText(NamedTuple):
    """The words for a rule wherever a person reads of it."""

    title: str  # its name: 'Depth at most'
    effect: str = ""  # one sentence on its effect
    no_limit_text: str = ""  # its text where it is None: 'Any depth'


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
    "ccp_alpha": SettingText(
        "Prune up to", "After growing, splits that gain no more than this a leaf are pruned."
    ),
    "stop_at_zero_gain": SettingText(
        "Stop at zero gain", "XOR needs it off: its first cut gains nothing."
    ),
}
"""The words for every rule, in the order in which the page shows the rules."""

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
"""Writer of the value of each rule whose values have names; the other rules have numbers."""


def rule_value_text(name: str, value: Any, text: Callable[[Any], str] = number) -> str:
    """A rule with its value: 'Depth at most 3', 'Any depth'."""
    words, _, free = SETTINGS[name]
    return free if value is None else f"{words} {text(value)}"


def rule_phrase(rules: Rules, name: str) -> str:
    """A rule's value inside of a sentence: 'Gini', 'depth at most 3', 'any depth'."""
    return (
        RULE_VALUE_TEXTS[name](rules)
        if name in RULE_VALUE_TEXTS
        else rule_value_text(name, getattr(rules, name)).lower()
    )


def rule_differences(first: Rules, second: Rules) -> tuple[str, str] | None:
    """The rules that differ, as texts ('Gini', 'Entropy'), the first few named; None if equal."""
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
