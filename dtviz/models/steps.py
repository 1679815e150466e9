"""The moves of a growing tree with their candidates and reasons, and the table of its predictions.

A spreadsheet would run a cell such as `=1+1` or `@x` as a formula. In csv such a text, unless it is
a number, has a quote before it, so that the spreadsheet shows the text: the person who opens a file
may not trust its author.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Ints
from dtviz.base.lazy import pd
from dtviz.base.text import cell, quoted_names
from dtviz.data.categories import UNSEEN_CODE, codes_of
from dtviz.data.csv import free_name
from dtviz.data.dataset import Dataset, checked_frame, decode_feature, first_lines, lines_of
from dtviz.data.frames import AnyFrame
from dtviz.data.notes import Note, note_of
from dtviz.data.worker import MAX_CELLS
from dtviz.engine.chance import Chance
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.grow import moves
from dtviz.engine.multiway import add_multiway_candidates
from dtviz.engine.problem import Problem, project_columns
from dtviz.engine.rules import Rules, suitable_criteria
from dtviz.engine.search.candidates import (
    Candidates,
    append_candidates,
    best_lines,
    can_show_cuts,
    keep_lines,
    max_cuts_of_line,
    select_lines,
    top_scores,
)
from dtviz.engine.search.candidates import candidates as find_candidates
from dtviz.engine.splits import Projection, Split, family_of, feature_of, is_later_part
from dtviz.engine.splitter import merge_category_lines, projections_and_table
from dtviz.engine.table_search import path_of, suits_table, table_search
from dtviz.engine.tree import (
    Collapse,
    Grow,
    Log,
    Move,
    Tree,
    check_node,
    fold,
    predict,
    rows_in,
    split_gain,
)
from dtviz.explain.why import why, why_pruned
from dtviz.explain.words import candidate_text, candidate_text_column, projection_text, rule_text
from dtviz.models.model import Model, coded_columns, log_of, node_chance, problem_of


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One move, the log that ends with this move, and the tree before the move."""

    data: Dataset
    """Rows that the tree grows on."""
    rules: Rules
    """Settings of growth."""
    log: Log
    """Moves up to and with this one."""
    move: Move
    """The split, or the split taken back."""
    before: Tree
    """The tree that the move changes."""

    @property
    def problem(self) -> Problem:
        """The data with the rules, compiled."""
        return Problem(self.data, self.rules)

    @property
    def candidates(self) -> Candidates:
        """Every candidate of the node that was split."""
        return node_candidates(self.problem, self.before, self.move.node)

    @property
    def table(self) -> pd.DataFrame:
        """The candidates as a table, one row a candidate; see the function `candidates`."""
        return candidate_table(self.problem, self.candidates)

    @property
    def why(self) -> str:
        """The reason for the split, or for taking it back, in one sentence."""
        if isinstance(self.move, Collapse) and self.rules.ccp_alpha:
            return why_pruned(self.rules, self.before, self.move.node)
        chosen = self.move.split if isinstance(self.move, Grow) else None
        return why(self.problem, self.candidates, chosen)

    @property
    def chance(self) -> Chance | None:
        """The chance of a cut as good as the best of the node, see `Model.chance`."""
        return node_chance(self.problem, self.before, self.move.node)


def steps(data: Dataset, rules: Rules | None = None, log: Log = ()) -> Iterator[Step]:
    """Generate the automatic steps after `log`; the tree grows as the iterator is read."""
    problem, log = problem_of(data, rules), log_of(log)
    tree = fold(problem, log)
    for move, next_tree in moves(problem, tree):
        log = (*log, move)
        yield Step(problem.data, problem.rules, log, move, tree)
        tree = next_tree


def candidates(
    data: Dataset, rules: Rules | None = None, log: Log = (), node: int = 1
) -> pd.DataFrame:
    """A table of every candidate of `node` after `log`, one row each, by feature, then threshold.

    Columns: feature rule threshold n_left n_right impurity_left impurity_right gain weighted_gain
    admissible boundary, and weight_left weight_right where rows have weights; a criterion whose
    measure is not the gain adds a column of its name. A category has no threshold; that of a date
    counts days (or seconds, microseconds) from 1970 on. Gains are in bits for entropy, in squared
    target units for squared_error. Multi-way cuts add the column branches with the rows of each
    branch; their left side is the first branch, their right side all others. Raises LogError.
    """
    problem = problem_of(data, rules)
    tree = fold(problem, log_of(log))
    return candidate_table(problem, node_candidates(problem, tree, node))


def regrets(model: Model) -> pd.DataFrame:
    """The regret of each split of a tree against the best candidate of its node, parents first.

    Columns: node depth n; split and gain, of the split made; best and best_gain, of the candidate
    that ranks highest; regret, which is best_gain less gain, or 0 where no candidate is better; and
    better, the number of admissible candidates that rank higher. For a criterion that ranks by a
    measure, gains are values of that measure. A gain is NaN where the split sends rows without a
    value to a side to which no candidate sends them.
    """
    data, rules, tree = model.data, model.rules_used, model.tree
    rows = []
    for node in sorted(node for node, split in tree.splits.items() if not is_later_part(split)):
        cuts = node_candidates(Problem(data, rules), tree, node)
        index, score = _split_score(tree, rules, cuts, node)
        top = np.nan if cuts.best is None else float(cuts.score[cuts.best])
        is_tied = index is not None and bool(cuts.tied[index])
        rows.append(
            {
                "node": node,
                "depth": tree.cut_depths[node],
                "n": tree.nodes[node].n,
                "split": rule_text(data, tree, node),
                "gain": score,
                "best": None if cuts.best is None else candidate_text(data, cuts, cuts.best),
                "best_gain": top,
                "regret": 0.0 if is_tied else max(top - score, 0.0),
                "better": 0 if is_tied else int((cuts.admissible & (cuts.score > score)).sum()),
            }
        )
    return pd.DataFrame(rows)


def _split_score(tree: Tree, rules: Rules, cuts: Candidates, node: int) -> tuple[int | None, float]:
    """The index of the candidate that is the split of a node, or None, and the split's score."""
    index = cuts.find(tree.splits[node])
    if index is not None and cuts.n_left[index] == tree.nodes[2 * node].n:
        return index, float(cuts.score[index])
    if CRITERIA[rules.criterion].measure is not None:
        return None, np.nan
    return None, split_gain(tree, node)


def node_candidates(
    problem: Problem,
    tree: Tree,
    node: int,
    feature_ids: Sequence[int] | None = None,
    beside: Split | None = None,
) -> Candidates:
    """Every candidate of a node of the tree, leaf or not; raises LogError if there is no such node.

    With `feature_ids` only the candidates of these features. Of a table in its engine only those
    that were counted, and more on both sides of the cut `beside`.
    """
    check_node(tree, node)
    if problem.data.source is not None:
        cuts = table_search(problem).candidates(path_of(tree.splits, node), beside)
        if feature_ids is None:
            return cuts
        pairs = enumerate(cuts.projections)
        return keep_lines(cuts, [k for k, each in pairs if feature_of(each) in feature_ids])
    return search_candidates(problem, rows_in(tree, node), feature_ids)


def add_projection(
    problem: Problem, tree: Tree, node: int, cuts: Candidates, projection: Projection
) -> Candidates:
    """Add the candidates of a projection drawn by hand to those of a node, unless it has them."""
    cannot_add = family_of(projection).propose_in_node is None or problem.data.source is not None
    if projection in cuts.projections or cannot_add:
        return cuts
    rows, table = rows_in(tree, node), project_columns(problem.data, (projection,))
    search_settings = problem.criterion, problem.minimum, (projection,), problem.policy
    return append_candidates(cuts, find_candidates(table, rows, *search_settings))


def leading_features(problem: Problem, rows: Ints) -> tuple[int, ...] | None:
    """Choose the features with the best candidates; None where all candidates can be shown."""
    if problem.data.source is not None:
        return None  # bins are few
    n_features, n_cuts = len(problem.data.features), max_cuts_of_line(problem.data, len(rows))
    if can_show_cuts(n_features, n_cuts):
        return None
    best_scores = np.full(n_features, -np.inf)
    search_settings = problem.criterion, problem.minimum, problem.policy
    scores = top_scores(problem.table, rows, *search_settings).tolist()
    for projection, score in zip(problem.projections, scores, strict=True):
        if (feature := feature_of(projection)) is not None:
            best_scores[feature] = max(best_scores[feature], score)
    return best_lines(best_scores, n_cuts)


def candidates_by_criterion(
    problem: Problem, tree: Tree, node: int, feature_ids: Sequence[int] | None = None
) -> dict[str, Candidates]:
    """The candidates of a node under each criterion of the task, by the criterion's name."""
    names = suitable_criteria(problem.rules, problem.data)
    problems = {name: problem.with_rules(criterion=name) for name in names}
    if problem.data.source is not None:
        problems = {name: each for name, each in problems.items() if suits_table(each)}
    return {name: node_candidates(each, tree, node, feature_ids) for name, each in problems.items()}


def search_candidates(
    problem: Problem, rows: Ints, feature_ids: Sequence[int] | None = None
) -> Candidates:
    """Every candidate of a node's rows; with `feature_ids`, only those of these features."""
    projections, lines = projections_and_table(problem, rows)
    if feature_ids is not None:
        wanted = {None, *feature_ids}  # None: projections of several features
        pairs = enumerate(projections)
        indices = [index for index, each in pairs if feature_of(each) in wanted]
        projections = tuple(projections[index] for index in indices)
        lines = select_lines(lines, np.array(indices))
    search_settings = problem.criterion, problem.minimum, projections, problem.policy
    cuts = merge_category_lines(find_candidates(lines, rows, *search_settings))
    return add_multiway_candidates(problem, rows, cuts)


def candidate_table(problem: Problem, cuts: Candidates) -> pd.DataFrame:
    """The candidates as a pandas frame; see the function `candidates` for its columns."""
    data, rules = problem.data, problem.rules
    names = [projection_text(data, projection) for projection in cuts.projections]
    columns = {
        "feature": pd.Series(names).array.take(cuts.line),
        "rule": candidate_text_column(data, cuts).to_pandas(),
        "threshold": np.where(np.isin(cuts.line, list(cuts.orders)), np.nan, cuts.threshold),
        "n_left": cuts.n_left,
        "n_right": cuts.n_right,
        "impurity_left": cuts.impurity_left,
        "impurity_right": cuts.impurity_right,
        "gain": cuts.gain,
        "weighted_gain": cuts.gain * cuts.weight,
        "admissible": cuts.admissible,
        "boundary": cuts.boundary,
    }
    if data.weights is not None:
        columns |= {"weight_left": cuts.weight_left, "weight_right": cuts.weight_right}
    if CRITERIA[rules.criterion].measure is not None:
        columns[rules.criterion] = cuts.score
    if cuts.branches:
        all_facts = map(cuts.branches_of, range(len(cuts)))
        columns["branches"] = [facts and tuple(facts.n.tolist()) for facts in all_facts]
    # Copies, which the caller may change: the arrays of candidates are read-only.
    copies = {
        k: part.copy() if isinstance(part, np.ndarray) else part for k, part in columns.items()
    }
    return pd.DataFrame(copies, copy=False)


LARGEST_EXACT_INT = 2**53
"""Largest number up to which a float holds every whole number exactly."""
MAX_GAP_PATTERNS = 8
"""Sets of missing features that have a note each; more sets share one note."""


class Predictor(Protocol):
    """A tree or an ensemble."""

    @property
    def data(self) -> Dataset:
        """Training rows."""

    @property
    def may_lack(self) -> tuple[bool, ...]:
        """True for each feature that a row may have no value of."""

    def predict(self, frame: AnyFrame, /) -> NDArray[Any]:
        """Prediction of each row, (n,)."""

    def predict_proba(self, frame: AnyFrame, /) -> NDArray[np.float64]:
        """Class shares of each row, (n, K)."""


def add_predictions(model: Predictor, frame: AnyFrame) -> pd.DataFrame:
    """Add columns to a table: the prediction, the leaf of a tree and the share of each class.

    A row without a value that the tree needs has None in these columns. The shares are left out
    where the table would have more than MAX_CELLS cells. Raises DataError where the table does not
    suit the tree.
    """
    table = checked_frame(frame)
    is_predicted = np.logical_not(_missing_mask(model, table).any(axis=0))
    rows = table[is_predicted]
    columns = {f"predicted {model.data.target}": model.predict(rows)}
    if isinstance(model, Model):
        columns["leaf"] = model.apply(rows)
    if model.data.classes and _fits_limit(model, table):
        shares = model.predict_proba(rows).T
        names = (f"share of {name}" for name in map(str, model.data.classes))
        columns |= dict(zip(names, shares, strict=True))
    result = table.copy(deep=False)
    for name, values in columns.items():
        result[free_name(name, {*map(str, result.columns)})] = _at_rows(values, is_predicted)
    return result


def rows_of_node(
    data: Dataset, tree: Tree, node: int, table: pd.DataFrame | None = None
) -> pd.DataFrame:
    """The rows of a node as a table: number, cells, prediction.

    `table` is the table that the rows of the data come from: then all its columns are shown, those
    left out too, with their cells as they were read. Without it the features and the target are.
    """
    row_ids = rows_in(tree, node)
    if table is not None and data.lines is not None:
        lines = lines_of(table)
        cells = table.iloc[np.searchsorted(lines, data.lines[row_ids])]
    else:
        values = [decode_feature(data, f, column[row_ids]) for f, column in enumerate(data.columns)]
        names = (*data.features, data.target)
        cells = pd.DataFrame(
            dict(zip(names, (*values, _answers(data, data.y[row_ids])), strict=True))
        )
    predicted = _answers(data, predict(tree, data.columns[:, row_ids]))
    taken = {*map(str, cells.columns)}
    row, prediction = free_name("row", taken), free_name(f"predicted {data.target}", taken)
    first = pd.DataFrame({row: row_ids + 1}, index=cells.index)
    last = pd.DataFrame({prediction: predicted}, index=cells.index)
    return pd.concat([first, cells, last], axis=1)


def _answers(data: Dataset, values: NDArray[Any]) -> Any:
    """Codes of classes as classes, numbers as they are, (n,)."""
    if not data.classes:
        return values
    return pd.Series([*data.classes], dtype=object).take(values.astype(int)).array


def prediction_notes(model: Predictor, frame: AnyFrame) -> tuple[Note, ...]:
    """Notes on rows without a prediction, unknown categories, and columns that are left out."""
    table = checked_frame(frame)
    missing = _missing_mask(model, table)
    notes = [*_unseen_notes(model, table), *_gap_notes(model, table, missing)]
    if model.data.classes and not _fits_limit(model, table):
        text = f"the shares of the classes are left out: at most {MAX_CELLS:,} cells"
        notes.append(Note("file", text))
    return tuple(notes)


def _gap_notes(model: Predictor, table: pd.DataFrame, missing: NDArray[np.bool_]) -> Iterator[Note]:
    """A note for each set of features that rows have no value of; one note where there are many."""
    features = model.data.features
    rows = np.flatnonzero(missing.any(axis=0))
    _, first, pattern_of_row = np.unique(
        np.packbits(missing[:, rows], axis=0), axis=1, return_index=True, return_inverse=True
    )
    patterns = np.argsort(first) if len(first) <= MAX_GAP_PATTERNS else ()
    for pattern in patterns:
        row_ids = rows[pattern_of_row.ravel() == pattern]
        names = [features[index] for index in np.flatnonzero(missing[:, row_ids[0]]).tolist()]
        yield _note_of_gaps(quoted_names(names), table, row_ids)
    if len(first) > MAX_GAP_PATTERNS:
        names = [features[index] for index in np.flatnonzero(missing.any(axis=1)).tolist()]
        yield _note_of_gaps(f"at least one of {quoted_names(names)}", table, rows)


def _note_of_gaps(names: str, table: pd.DataFrame, rows: Ints) -> Note:
    text = f"not predicted, no value in {names}"
    return note_of("row", text, first_lines(table, rows), n=len(rows))


def csv(frame: pd.DataFrame) -> str:
    """The csv text of a table: no cell runs as a formula, whole numbers have no decimals."""
    table = pd.DataFrame({name: _csv_column(frame[name]) for name in frame}, index=frame.index)
    is_unnamed = isinstance(frame.index, pd.RangeIndex)
    table.columns = table.columns.map(_harmless_cell)
    if not is_unnamed:
        table.index = table.index.map(_harmless_cell)
    text: str = table.to_csv(index=not is_unnamed, lineterminator="\n")
    return text


def _missing_mask(model: Predictor, table: pd.DataFrame) -> NDArray[np.bool_]:
    """True where a value is missing that the tree needs, (M, n).

    Raises DataError where a column has another type than its feature.
    """
    columns = coded_columns(model.data, table)
    return np.asarray(np.isnan(columns) & ~np.array(model.may_lack)[:, None])


def _fits_limit(model: Predictor, table: pd.DataFrame) -> bool:
    width = len(table.columns) + 2 + len(model.data.classes)
    return width * len(table) <= MAX_CELLS


def _unseen_notes(model: Predictor, table: pd.DataFrame) -> Iterator[Note]:
    for name, levels in zip(model.data.features, model.data.levels, strict=True):
        if levels:
            values = pd.Series(table[name].dropna().unique(), dtype=object)
            new = values[codes_of(values, levels) == UNSEEN_CODE].map(str).tolist()
            if new:
                text = f"{quoted_names(sorted(new))} in no training row: goes with most rows"
                yield Note("column", text, None, name)


def _at_rows(values: NDArray[Any], mask: NDArray[np.bool_]) -> NDArray[Any]:
    """The values at the rows of a mask, None at the others."""
    if mask.all():
        return values
    column = np.full(len(mask), None, dtype=object)
    column[mask] = values
    return column


def _harmless_cell(value: Any) -> Any:
    return cell(value) if isinstance(value, str) else value


def _is_text(column: pd.Series[Any]) -> bool:
    return pd.api.types.is_object_dtype(column) or pd.api.types.is_string_dtype(column)


def _csv_column(column: pd.Series[Any]) -> pd.Series[Any]:
    """Prepare a column for csv: integers where all numbers are whole, no text that is a formula."""
    if not pd.api.types.is_float_dtype(column):
        if not (isinstance(column.dtype, pd.CategoricalDtype) or _is_text(column)):
            return column
        return pd.Series([*map(_harmless_cell, column)], column.index, dtype=object)
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    present = values[~np.isnan(values)]
    is_exact = len(present) and (np.abs(present) <= LARGEST_EXACT_INT).all()
    return column.astype("Int64") if is_exact and (present % 1 == 0).all() else column
