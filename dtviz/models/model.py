"""A grown tree as Python users hold it: `fit` grows it, `Model` predicts and explains."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from numbers import Real
from typing import Any

import numpy as np
from graphviz import Digraph
from numpy.typing import NDArray

from dtviz.base.arrays import Floats
from dtviz.base.lazy import lazy_property, pd
from dtviz.base.progress import run_to_end
from dtviz.base.text import count, quoted, quoted_names, short_repr
from dtviz.data.categories import CategoryValue, code_of, codes_of
from dtviz.data.dataset import (
    DataError,
    Dataset,
    checked_frame,
    convert_quantity,
    decode_feature,
    encode_feature,
    real_numbers,
    target_column,
)
from dtviz.data.frames import AnyFrame, pandas_frame
from dtviz.data.table_engines import DUCKDB
from dtviz.data.tables import RowTest
from dtviz.data.units import PLAIN, Quantity
from dtviz.data.weights import weights_before_costs
from dtviz.engine import tree as trees
from dtviz.engine.chance import SHUFFLES, Chance, chance_in_slices
from dtviz.engine.grow import Decision, decide_all, finish_lazily
from dtviz.engine.importance import feature_dependence, feature_importances
from dtviz.engine.leaves.node_facts import brier_scores, log_losses
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, RulesError, default_rules, prepare_data
from dtviz.engine.splits import Split
from dtviz.engine.subtrees import loss_of
from dtviz.engine.table_search import table_search, test_of
from dtviz.engine.tree import Log, Node, Region, Tree
from dtviz.explain.dot import tree_graph
from dtviz.explain.export import export
from dtviz.explain.row_path import path_texts
from dtviz.explain.words import LeafRule, leaf_rules
from dtviz.models.score_table import REGRESSIONS, write_scores


def data_of(value: Any) -> Dataset:
    """Check that a value is a Dataset; raises DataError."""
    if not isinstance(value, Dataset):
        makers = "a Dataset, as `from_frame`, `read_table` or `load` make it"
        raise DataError(f"`data` must be {makers}; not {short_repr(value)}")
    return value


def rules_of(value: Any, data: Dataset) -> Rules:
    """The Rules of a value, where None stands for the task's default; raises RulesError."""
    if value is None:
        return default_rules(data.task)
    if not isinstance(value, Rules):
        raise RulesError(
            f"`rules` must be Rules or None; not {short_repr(value)}", "rules", "Rules"
        )
    return value


def problem_of(data: Any, rules: Any) -> Problem:
    """The problem of a dataset and rules, None for default rules; raises DataError, RulesError."""
    data = data_of(data)
    rules = rules_of(rules, data)
    return Problem(prepare_data(data, rules), rules)


def log_of(value: Any) -> Log:
    """The moves of a log as a tuple; raises LogError if an element is no move."""
    try:
        log = tuple(value)
    except TypeError:
        raise trees.LogError(
            f"`log` must be a sequence of moves; not {short_repr(value)}"
        ) from None
    for index, move in enumerate(log):
        is_move = isinstance(move, trees.Grow | trees.Collapse) and isinstance(move.node, int)
        if not is_move or (isinstance(move, trees.Grow) and not isinstance(move.split, Split)):
            forms = "Grow(node, split) or Collapse(node), the node an int"
            raise trees.LogError(f"a move must be {forms}; not {short_repr(move)}", index)
    return log


NO_NUMBERS = "the tree needs numbers in {name}; here it holds {problem}"
"""Error text for a column that is a feature of numbers in the tree, but holds other values."""


@dataclass(frozen=True, eq=False)
class Model:
    """A grown tree with its data and rules.

    >>> import dtviz
    >>> data = dtviz.load("moons", n=200, noise=0.25, seed=7)
    >>> model = dtviz.fit(data, dtviz.Rules(criterion="entropy", max_depth=2))
    >>> model
    Model(entropy, 4 leaves, height 2, 200 rows)
    >>> for rule in model.rules():
    ...     print(rule)
    x1 <= -0.6167 and x2 <= 0.1304 -> A (7 rows)
    x1 > -0.6167 and x2 <= 0.1304 -> B (97.6 % of 84 rows)
    x1 <= 1.615 and x2 > 0.1304 -> A (91 % of 100 rows)
    x1 > 1.615 and x2 > 0.1304 -> B (9 rows)
    >>> model.path_told([0.5, 1.0])
    ('x2 <= 0.1304: no', 'x1 <= 1.615: yes')
    >>> model.score(data)
    0.945
    """

    data: Dataset  # rows that the tree was grown on
    rules_used: Rules  # settings of growth
    moves: Log | Callable[[], Log]  # log of the tree, or a function that computes it
    tree: Tree  # nodes with their splits and rows

    @lazy_property
    def problem(self) -> Problem:
        """The data with the rules, compiled."""
        return Problem(self.data, self.rules_used)

    @lazy_property
    def log(self) -> Log:
        """The moves that built the tree, in order."""
        return self.moves() if callable(self.moves) else self.moves

    def __reduce__(self) -> tuple[Any, ...]:
        # `moves` may be a function, which pickle refuses: the log takes its place.
        return Model, (self.data, self.rules_used, self.log, self.tree)

    def __repr__(self) -> str:
        size = f"{count(len(trees.leaf_ids(self.tree)), 'leaf')}, height {trees.height(self.tree)}"
        return f"Model({self.rules_used.criterion}, {size}, {count(self.data.n_grown, 'row')})"

    @property
    def leaves(self) -> tuple[Node, ...]:
        """The leaves from left to right."""
        return tuple(self.tree.nodes[leaf] for leaf in trees.leaf_ids(self.tree))

    def apply(self, frame: AnyFrame | Dataset) -> NDArray[Any]:
        """The node id of each row's leaf, shape (n,); Python ints where 63 bits do not hold it."""
        ids, leaf_of_row = trees.apply(self.tree, self.columns_of(frame))
        is_small = max(ids) < 2**63
        return np.array(ids, dtype=np.int64 if is_small else object)[leaf_of_row]

    def predict(self, frame: AnyFrame | Dataset) -> NDArray[Any]:
        """The prediction of each row, (n,): a class as it stands in the data, or a number.

        In a linear or logistic leaf the leaf's mean of a feature stands for a missing value of it.
        """
        return in_classes(self.data, trees.predict(self.tree, self.columns_of(frame)))

    def predict_proba(self, frame: AnyFrame | Dataset) -> NDArray[np.float64]:
        """The class shares of each row's leaf, shape (n, K), in the order of `data.classes`.

        Rows count by their sample weights, without the factors of the costs, as in rpart. The leaf
        models 'shares' and 'logistic' compute their own shares. Raises ValueError for regression.
        """
        if not self.data.classes:
            raise ValueError("`predict_proba` needs classes; this tree predicts a number")
        return trees.leaf_probabilities(self.data, self.tree, self.columns_of(frame))

    def score(self, frame: AnyFrame | Dataset) -> float:
        """Accuracy on rows with their target; for regression the share of variance explained, R^2.

        A table that stays in its engine is counted there. Raises DataError where a row has no
        target or there is no row.
        """
        if isinstance(frame, Dataset) and frame.source is not None:
            return _score_of_table(self, frame)
        return accuracy_or_r2(self.data, *self.judged(frame))

    def score_to(self, table: Any, name: str, engine: str = DUCKDB) -> Any:
        """Write a table with a column of predictions as a new one, inside its engine.

        `table` and `engine` are as for `from_table`. `name` is that of the new table, or the path
        of a new file that ends in .parquet, as it must where DuckDB reads files. The column is
        `predicted <target>`: what `predict` returns, and null in a row without a value that its
        path asks for. Returns the new table of Ibis. Raises DataError.
        """
        return write_scores(self.data, self.tree, table, name, engine)

    def cost(self, frame: AnyFrame | Dataset) -> float:
        """The mean cost of mistakes on rows with their target; without `costs` each costs 1.

        A mistake with a class that the tree does not know costs 1 too. Raises ValueError for
        regression, DataError as `score` does.
        """
        if not self.data.classes:
            raise ValueError("`cost` needs classes; this tree predicts a number")
        predicted, truth, weights = self.judged(frame)
        is_known_class = truth >= 0
        costs = np.ones(len(truth))
        costs[is_known_class] = loss_of(self.data, truth[is_known_class], predicted[is_known_class])
        return float(np.average(costs, weights=weights))

    def log_loss(self, frame: AnyFrame | Dataset) -> float:
        """The mean of -ln p, where p is the share of the row's class by `predict_proba`.

        The mean is infinite where a share is 0: no row of the leaf has that class. But the leaf
        models 'shares' and 'logistic' give every class a share. Raises ValueError for
        regression, DataError as `score` does.
        """
        return self._mean_share_loss("log_loss", frame, log_losses)

    def brier(self, frame: AnyFrame | Dataset) -> float:
        """The mean squared distance of `predict_proba` from the class; half of it for two classes.

        Raises ValueError for regression, DataError as `score` does.
        """
        return self._mean_share_loss("brier", frame, brier_scores)

    def _mean_share_loss(
        self, name: str, frame: AnyFrame | Dataset, losses: Callable[[Floats, NDArray[Any]], Floats]
    ) -> float:
        if not self.data.classes:
            raise ValueError(f"`{name}` needs classes; this tree predicts a number")
        frame = pandas_frame(frame)
        class_shares, (_, truth, weights) = self.predict_proba(frame), self.judged(frame)
        return float(np.average(losses(class_shares, truth), weights=weights))

    def judged(
        self, frame: AnyFrame | Dataset, predictions: Callable[[Floats], Floats] | None = None
    ) -> tuple[Floats, NDArray[Any], Floats | None]:
        """The prediction, the target and the sample weight of each row; raises DataError.

        `predictions` computes predictions from columns, (M, n); None: the tree does.
        """
        if isinstance(frame, Dataset) and frame.source is not None:
            raise DataError(
                "a table that stays in its engine has `score` alone; for other measures read a "
                "part of it with `from_frame`"
            )
        frame = pandas_frame(frame)  # once, because some frames can be read only once
        columns, truth = self.columns_of(frame), self.truth_of(frame)
        predicted = predictions(columns) if predictions else trees.predict(self.tree, columns)
        if not len(truth):
            raise DataError("a score needs at least one row; not none")
        return predicted, truth, weights_before_costs(frame) if isinstance(frame, Dataset) else None

    def rules(self) -> tuple[LeafRule, ...]:
        """One rule a leaf, from left to right."""
        return leaf_rules(self.data, self.tree)

    def regions(self) -> tuple[Region, ...]:
        """The regions R_1 ... R_J of the leaves, from left to right."""
        return trees.regions(self.data, self.tree)

    def path(self, row: Mapping[str, Any] | Sequence[Any] | AnyFrame) -> tuple[int, ...]:
        """The ids of the nodes that one row passes, from the root to its leaf.

        A row is a mapping from names to values, a frame of one row, or the values in the order of
        the features.
        """
        return tuple(trees.decision_path(self.tree, self._row_values(row)))

    def path_told(self, row: Mapping[str, Any] | Sequence[Any] | AnyFrame) -> tuple[str, ...]:
        """The question and answer at each split that one row passes: 'age <= 30: yes'.

        Without a value 'age missing: left'; a surrogate that decides is named with its rank.
        """
        return path_texts(self.data, self.tree, self._row_values(row))

    def _row_values(self, row: Any) -> NDArray[np.float64]:
        """The numbers of one row, shape (M,); raises DataError."""
        row = _values_by_name(row)
        if isinstance(row, Mapping):
            missing = [name for name in self.data.features if name not in row]
            if missing:
                raise DataError(f"the row has no {quoted(missing[0])}; give every feature")
            row = [row[name] for name in self.data.features]
        values = _row_numbers(self._encode_row(row))
        if values.shape != (len(self.data.features),):
            needed = count(len(self.data.features), "number")
            raise DataError(f"a row needs {needed}; not {short_repr(row)}")
        _check_values(self.data, self.may_lack, values[:, None], "the row")
        return values

    @property
    def may_lack(self) -> tuple[bool, ...]:
        """True for each feature of which a row may have no value.

        With surrogates these are all features. Without them these are the features of which a
        training row has no value: only their splits have a side for missing values.
        """
        has_surrogates = self.problem.policy.surrogates
        return tuple(gap or has_surrogates for gap in self.data.gaps)

    def _encode_row(self, row: Any) -> Any:
        """Replace the categories of a row by codes; returns it unchanged if it has not M values."""
        if not any(self.data.levels) and set(self.data.quantities) == {PLAIN}:
            return row
        try:
            cells = [] if isinstance(row, str) else list(row)
        except TypeError:  # no sequence, such as a number
            return row
        if len(cells) != len(self.data.features):
            return row
        kinds = zip(self.data.features, cells, self.data.levels, self.data.quantities, strict=True)
        return [
            _cell_number(name, cell, levels, quantity) for name, cell, levels, quantity in kinds
        ]

    def stops(self) -> dict[int, Decision]:
        """The decision of the rules for each leaf, by node id: its stop, or the split to make."""
        return decide_all(self.problem, self.tree)

    def importances(self) -> pd.Series[float]:
        """Impurity importance of each feature, (M,), as scikit-learn's `feature_importances_`.

        That is the share of the impurity that the splits of a feature take away; a split on several
        features is shared evenly among them. The index is the features' names; all values are 0
        where there is no split.
        """
        index = pd.Index(self.data.features, name="feature")
        return pd.Series(feature_importances(self.data, self.tree), index, name="impurity")

    def partial_dependence(self, feature: str) -> pd.DataFrame:
        """The mean prediction of the training rows, with `feature` set to each value of a list.

        Columns are the classes as they stand in the data, with their mean shares, or `prediction`;
        the index is the values. Lines between these points are the exact function wherever splits
        use the feature alone and leaves are constant; see `importance.feature_dependence`. Of very
        many rows, rows at even distances are used: `attrs["rows"]` is their number. Raises
        DataError. Source: Friedman (2001), eq. 53.
        """
        data = self.data
        if feature not in data.features:
            names = quoted_names(data.features)
            raise DataError(f"`feature` must be one of {names}; not {short_repr(feature)}")
        index = data.features.index(feature)
        curve = feature_dependence(data, self.tree, index)
        values = pd.Index(decode_feature(data, index, curve.grid_values), name=feature)
        columns = pd.Index(data.classes or ("prediction",), dtype=object, tupleize_cols=False)
        frame = pd.DataFrame(curve.mean, values, columns)
        frame.attrs["rows"] = curve.n_rows
        return frame

    def chance(self, node: int = 1, shuffles: int = SHUFFLES) -> Chance | None:
        """The chance of a cut as good as the best of a node: by shuffles, and by Bonferroni.

        The targets of the node's rows are shuffled `shuffles` times, which takes long for many
        rows; 0: Bonferroni alone. None where the node has no cut. Raises LogError for a node that
        is not in the tree, DataError for a table in its engine.
        """
        return node_chance(self.problem, self.tree, node, shuffles)

    def export(self, kind: str) -> str:
        """The tree as 'text', 'python', 'sql', 'json' or 'dot'."""
        return export(self.problem, self.tree, kind)

    def graph(self) -> Digraph:
        """The tree as a graph, which a notebook shows where Graphviz is installed."""
        return tree_graph(self.data, self.tree)

    def columns_of(self, frame: AnyFrame | Dataset) -> NDArray[np.float64]:
        """The features of the tree, as numbers and codes, for each row of a table: (M, n)."""
        names = self.data.features
        if not isinstance(frame, Dataset):
            return _frame_columns(self.data, self.may_lack, checked_frame(frame))
        if (frame.features, frame.levels) == (names, self.data.levels) and (
            frame.quantities == self.data.quantities
        ):
            return frame.columns
        check_features(names, frame.features)
        indices = [frame.features.index(name) for name in names]
        return np.array(
            [
                _recode_feature(frame, index, levels, quantity)
                for index, levels, quantity in zip(
                    indices, self.data.levels, self.data.quantities, strict=True
                )
            ]
        )

    def truth_of(self, frame: AnyFrame | Dataset) -> NDArray[Any]:
        """The target of each row, (n,): codes of the tree's classes, -1 for others; or numbers."""
        code = {value: index for index, value in enumerate(self.data.classes)}
        if isinstance(frame, Dataset):
            if frame.task != self.data.task:
                raise DataError(f"the tree does {self.data.task}; these rows are for {frame.task}")
            code_of_class = np.array([code.get(value, -1) for value in frame.classes])
            return code_of_class[frame.y] if code else frame.y
        values = target_column(checked_frame(frame), self.data.target)
        if code:
            return np.array([code.get(value, -1) for value in values.tolist()])
        return real_numbers(values)


def node_chance(problem: Problem, tree: Tree, node: int, shuffles: int = SHUFFLES) -> Chance | None:
    """The chance of the best cut of a node, see `Model.chance`."""
    trees.check_node(tree, node)
    if problem.data.source is not None:
        raise DataError(
            "a table that stays in its engine has no chance of a cut, which needs all rows; read a "
            "part of it with `from_frame`"
        )
    if not isinstance(shuffles, int) or isinstance(shuffles, bool) or shuffles < 0:
        raise ValueError(f"`shuffles` must be at least 0; not {short_repr(shuffles)}")
    return run_to_end(chance_in_slices(problem, trees.rows_in(tree, node), shuffles))


def fit(data: Dataset, rules: Rules | None = None, log: Log | None = None) -> Model:
    """The model that `rules` grow on `data`; with a log, the model of exactly these moves.

    Raises RulesError when the criterion does not suit the task, LogError for an impossible move.
    """
    problem = problem_of(data, rules)
    if log is not None:
        log = log_of(log)
        return Model(problem.data, problem.rules, log, trees.fold(problem, log))
    log_and_tree = finish_lazily(problem, trees.root_tree(problem))
    return Model(problem.data, problem.rules, *log_and_tree)


def in_classes(data: Dataset, predicted: Floats) -> NDArray[Any]:
    """Replace class codes by the classes as they stand in the data; numbers stay as they are."""
    if not data.classes:
        return predicted
    return _label_array(list(data.classes)).take(predicted.astype(np.int64))


def _score_of_table(model: Model, data: Dataset) -> float:
    """Score of a tree on a table that stays in its engine, from the counts of the leaves.

    Features, categories and classes are matched by name. Raises DataError where the table has no
    such feature, or one of another kind.
    """
    own, tree = model.data, model.tree
    if data.task != own.task:
        raise DataError(f"the tree does {own.task}; these rows are for {data.task}")
    tests = {node: _test_on_table(model, data, node) for node in tree.splits}
    search = table_search(Problem(data, default_rules(data.task)))
    leaves = trees.leaf_ids(tree)
    paths = [
        tuple(
            (tests[leaf >> k], (leaf >> (k - 1)) % 2 == 0) for k in range(trees.depth(leaf), 0, -1)
        )
        for leaf in leaves
    ]
    has_rows = [sums.n > 0 for sums in search.count(paths)]
    facts = search.facts(list(compress(paths, has_rows)))
    values = [tree.nodes[leaf].params[0] for leaf in compress(leaves, has_rows)]
    if data.classes:
        code_of_class = {value: code for code, value in enumerate(data.classes)}
        codes = [code_of_class.get(own.classes[int(value)], -1) for value in values]
        right = [facts.weight_by_class[j, code] for j, code in enumerate(codes) if code >= 0]
        return float(sum(right) / facts.weight.sum())
    unexplained = facts.impurity + np.square(facts.value - np.array(values))
    (variance,) = search.facts([()]).impurity
    if variance == 0:
        return 1.0
    return float(1 - (facts.n * unexplained).sum() / (facts.n.sum() * variance))


def _test_on_table(model: Model, data: Dataset, node: int) -> RowTest:
    """The question of a split for another table, whose features and categories have other codes."""
    own, split = model.data, model.tree.splits[node]
    if split.missing.surrogates is not None or model.tree.leaf_model.name in REGRESSIONS:
        raise DataError(
            "surrogates and leaves that are regressions are not counted in an engine; read a part "
            "of the table with `from_frame`"
        )
    test = test_of(split)
    name, levels = own.features[test.feature], own.levels[test.feature]
    check_features([name], data.features)
    index = data.features.index(name)
    if bool(levels) != bool(data.levels[index]) or (
        own.quantities[test.feature] != data.quantities[index]
    ):
        raise DataError(
            f"{quoted(name)} holds other values than when the tree was grown; make them the same"
        )
    if not model.may_lack[test.feature] and data.gaps[index]:
        raise DataError(
            f"a row of the table has no value for {quoted(name)}; every row that the tree was "
            "grown on has one, so that nothing says where it goes"
        )
    if test.codes is None:
        return test._replace(feature=index)
    in_tree = codes_of(pd.Series(data.levels[index], dtype=object), levels).tolist()
    codes = tuple(code for code, known in enumerate(in_tree) if known in test.codes)
    is_left = levels.index(None) in test.codes if None in levels else test.missing_left
    return RowTest(index, test.threshold, codes, is_left)


def accuracy_or_r2(
    data: Dataset, predicted: Floats, truth: NDArray[Any], weights: Floats | None
) -> float:
    """The weighted accuracy for classes; for numbers R^2, the share of variance explained."""
    if data.classes:
        return float(np.average(predicted == truth, weights=weights))
    squares = np.square([truth - predicted, truth - np.average(truth, weights=weights)])
    error, variance = np.average(squares, axis=1, weights=weights).tolist()
    return 1.0 if variance == 0 else 1.0 - error / variance


def _label_array(values: list[Any]) -> NDArray[Any]:
    """The values as one array; objects where any other type would change one of them."""
    if len({type(value) for value in values}) == 1 and not isinstance(values[0], tuple):
        typed = np.array(values)
        if typed.tolist() == values:  # numpy drops a NUL at the end of text, and the largest ints
            return typed
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def _recode_feature(
    data: Dataset, index: int, levels: tuple[CategoryValue, ...], quantity: Quantity
) -> NDArray[np.float64]:
    """Convert a feature of a Dataset to the tree's codes, or to the tree's quantity, (n,).

    Raises DataError where one is a category and the other a number, or the quantities differ.
    """
    data_levels, column = data.levels[index], data.columns[index]
    if bool(data_levels) != bool(levels):
        kinds = ("a category", "a number") if levels else ("a number", "a category")
        name = quoted(data.features[index])
        raise DataError(f"{name} was {kinds[0]} when the tree was grown; here it is {kinds[1]}")
    if not data_levels:
        return convert_quantity(data, index, quantity)
    codes = codes_of(pd.Series(data_levels, dtype=object), levels)
    has_value = ~np.isnan(column)
    missing_code = code_of(None, levels)
    return np.where(has_value, codes.take(np.where(has_value, column, 0).astype(int)), missing_code)


def _frame_columns(
    data: Dataset, may_lack: Sequence[bool], frame: pd.DataFrame
) -> NDArray[np.float64]:
    """The feature columns of a frame, (M, n); raises DataError where a needed value is missing."""
    columns = coded_columns(data, frame)
    _check_values(data, may_lack, columns)
    return columns


def coded_columns(data: Dataset, frame: pd.DataFrame) -> NDArray[np.float64]:
    """The features of a frame as numbers and codes, (M, n), NaN for a missing value.

    Raises DataError where a feature is missing, or its column has another type.
    """
    check_features(data.features, frame.columns)
    kinds = zip(data.features, data.levels, data.quantities, strict=True)
    columns = [
        encode_feature(frame[name], levels, quantity, NO_NUMBERS)
        for name, levels, quantity in kinds
    ]
    return np.array(columns)


def _check_values(
    data: Dataset, may_lack: Sequence[bool], table: NDArray[np.float64], row: str = ""
) -> None:
    """Raise DataError where a value is missing that the tree needs."""
    for name, is_optional, column in zip(data.features, may_lack, table, strict=True):
        if not is_optional and (missing := np.isnan(column)).any():
            raise DataError(
                f"{row or f'row {missing.argmax()}'} has no value for {quoted(name)}; every row "
                "that the tree was grown on has one, so that nothing says where it goes"
            )


def check_features(features: Iterable[str], columns: Iterable[str]) -> None:
    """Raise DataError where a feature is not among the columns of a table."""
    missing = [name for name in features if name not in columns]
    if missing:
        raise DataError(f"the table has no column {quoted(missing[0])}; the tree was grown with it")


def _values_by_name(row: Any) -> Any:
    """The values by name of a frame of one row, or of a Series with names; else `row` unchanged."""
    row = pandas_frame(row)
    if isinstance(row, pd.DataFrame):
        if len(row) != 1:
            raise DataError(f"a path is that of one row; this frame has {count(len(row), 'row')}")
        return {name: column.iloc[0] for name, column in checked_frame(row).items()}
    has_no_names = not isinstance(row, pd.Series) or isinstance(row.index, pd.RangeIndex)
    return row if has_no_names else {str(name): value for name, value in row.items()}


def _cell_number(
    name: str, cell: Any, levels: tuple[CategoryValue, ...], quantity: Quantity
) -> Any:
    """The number of a cell by its feature: a code, a quantity, or the cell if it is a number."""
    is_number = isinstance(cell, Real) and not quantity.rank_names
    if levels or quantity == PLAIN or is_number:
        return code_of(cell, levels) if levels else cell
    return encode_feature(pd.Series([cell], dtype=object, name=name), levels, quantity)[0]


def _row_numbers(row: Any) -> NDArray[np.float64]:
    """The numbers of one row, (M,); an empty array if one of them is no real number."""
    try:
        row = [None if value is pd.NA or value is pd.NaT else value for value in row]
        values = np.array(row)
        # The casting refuses text and complex numbers.
        is_typed = values.dtype != object
        return values.astype(np.float64, casting="same_kind" if is_typed else "unsafe")
    except (TypeError, ValueError, OverflowError):
        return np.empty(0)
