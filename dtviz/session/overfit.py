"""The tree of Overfit: grown on the training rows, judged on the rows held out."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.lazy import Cache, lazy_property
from dtviz.base.progress import MANY_ROWS, Slices, Work, run_to_end, scaled_progress
from dtviz.base.text import count
from dtviz.data.dataset import Dataset, rows_in_memory, take_rows
from dtviz.data.tables import below_share, row_hash, split_table
from dtviz.data.train_test import Role, choosing_role, join_rows
from dtviz.data.weights import split_by_mask
from dtviz.engine.grow import MAX_TABLE_DEPTH, full_tree, full_tree_in_slices
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, check_rules, without_stop_rules
from dtviz.engine.splits import is_later_part
from dtviz.engine.subtrees import Nodes, connected_splits, subtree
from dtviz.engine.tree import Log, Tree, fold
from dtviz.evaluate.curves import (
    AXES,
    Curve,
    GrowFullTree,
    Number,
    RuleAxis,
    curve,
    errors,
    fold_errors,
    kept_splits,
    losses_on_both,
)
from dtviz.evaluate.measures import (
    ERROR,
    MEASURES,
    ErrorMeasure,
    MeanLoss,
    NodeLosses,
    errors_of_nodes,
    mean_loss,
    measures_for,
)
from dtviz.evaluate.metrics import baseline, held_rows
from dtviz.explain.words import SETTINGS
from dtviz.session.session import (
    ALL_MOVES,
    LEAVE_ONE_OUT,
    MAX_ROWS_LEFT_OUT,
    Future,
    Session,
    follow_moves,
)


@dataclass(frozen=True, eq=False)
class RowSplit:
    """Rows parted into training rows and rows held out.

    Of a table that stays in its engine, all three datasets have a source and show some of its rows.
    """

    data: Dataset
    """All rows."""
    role: Role | None
    """Purpose that the data give for the rows held out; None where they were drawn."""
    held_mask: Bools
    """True for rows held out, (n,); of a table, for those that are shown."""
    training: Dataset
    """The training rows."""
    held: Dataset | None
    """The rows held out, if any."""

    @property
    def in_memory(self) -> RowSplit:
        """The parts of the rows that are in memory: of a table, of those that are shown."""
        if self.data.source is None:
            return self
        data, training = rows_in_memory(self.data), rows_in_memory(self.training)
        held = None if self.held is None else rows_in_memory(self.held)
        if held is None or not (training.n and held.n):
            return RowSplit(data, None, np.zeros(data.n, np.bool_), data, None)
        return RowSplit(data, None, self.held_mask, training, held)

    @property
    def shown_sentence(self) -> str:
        """A sentence for what takes the rows that are shown, not all of a table; '' without one."""
        if self.data.source is None:
            return ""
        n, rows = self.data.n, count(self.data.n_grown, "row")
        return f"Only the rows that are shown count here: {n:,} of {rows}."


@dataclass(frozen=True, eq=False)
class JudgedTree(RowSplit):
    """The tree of a session on its training rows, with its losses there and on rows held out.

    The tree is a subtree of the full tree, which is grown without stop rules and never pruned.
    """

    session: Session
    """The session whose rules and settings make the tree, see `session_for_table`."""
    test: Dataset | None
    """Test rows, if the rows held out are validation rows, by which the user chooses a tree."""
    grow_full_tree: GrowFullTree
    """Gives the full tree of any rules on the training rows."""
    nodes: Nodes
    """Nodes of the full tree, m of them."""
    split_mask: Bools
    """True for nodes that are split under the rules and after the prunes, (m,)."""
    unpruned_mask: Bools
    """True for nodes that are split after the prunes, whatever the rules, (m,)."""
    prunes: Log
    """Those prunes of the session that take back a split of this tree."""
    leaf_positions: Ints
    """Position in `nodes` of the leaf of each row, (n,)."""
    losses: MeanLoss
    """Losses of all nodes on the training rows, see `losses_of_nodes`."""
    held_losses: MeanLoss
    """Losses of all nodes on the rows held out."""

    @lazy_property
    def errors(self) -> tuple[float, float]:
        """The errors of the tree on the training rows and on the rows held out."""
        split_mask, losses = self.split_mask[None], (self.losses, self.held_losses)
        training, held = (float(mean_loss(self.nodes, split_mask, loss)[0]) for loss in losses)
        return training, held

    @property
    def measure(self) -> ErrorMeasure:
        """The measure of the error curve: the one chosen, if it suits the data."""
        measure = MEASURES[self.session.judging.measure]
        return measure if measure in self.measures else ERROR

    @property
    def measures(self) -> list[ErrorMeasure]:
        """The measures that can be chosen."""
        return measures_for(self.data, self.nodes.tree.leaf_model)

    @lazy_property
    def measured_losses(self) -> tuple[NodeLosses, NodeLosses]:
        """The chosen measure of all nodes on the training rows and on the rows held out."""
        if self.measure == ERROR:
            return self.losses, self.held_losses
        return run_to_end(losses_on_both(self.nodes, self.training, self.held, self.measure))

    @lazy_property
    def measured(self) -> tuple[float, float]:
        """The chosen measure of the tree on the training rows and on the rows held out."""
        training, held = (
            float(mean_loss(self.nodes, self.split_mask[None], losses)[0])
            for losses in self.measured_losses
        )
        return training, held

    @lazy_property
    def baseline(self) -> float:
        """The measure on the rows held out of one prediction for all rows."""
        if self.is_counted or self.measure != ERROR:  # the prediction of the root
            no_split = np.zeros((1, len(self.nodes.ids)), np.bool_)
            return float(mean_loss(self.nodes, no_split, self.measured_losses[1])[0])
        return baseline(self.training, self.held)

    @lazy_property
    def test_error(self) -> float | None:
        """The error of the tree on `test`; None without such rows."""
        if self.test is None:
            return None
        return float(errors(self.nodes, self.split_mask[None], self.test)[0])

    @property
    def held_text(self) -> str:
        """The number and name of the rows held out: '30 test rows'."""
        n = 0 if self.held is None else self.held.n_grown
        return f"{n:,} held out" if self.role is None else count(n, f"{self.role} row")

    @property
    def training_sentence(self) -> str:
        """A sentence on the rows the tree was grown on; '' where no row is held out."""
        n = self.training.n_grown
        if self.held is None:
            return ""
        if self.role is not None:
            return f"Grown on {count(n, 'training row')}, as Grow's tree is; {self.held_text}."
        n_held = self.held.n_grown
        out = f"{n_held:,} {'is' if n_held == 1 else 'are'} held out"
        rows = count(self.data.n_grown, "row")
        if self.is_counted:
            return (
                f"Grown on {n:,} of {rows}, to depth {MAX_TABLE_DEPTH} at most; {out}, by a hash "
                "of their number. Both errors count all their rows."
            )
        return f"Grown on {n:,} of {rows}; {out}, so its leaves differ from Grow's."

    @property
    def is_counted(self) -> bool:
        """True if the rows stay in their engine, which counts them."""
        return self.data.source is not None

    @lazy_property
    def tree(self) -> Tree:
        """The tree of the session, without the nodes that rules or prunes take back."""
        return subtree(self.nodes, self.split_mask)

    @property
    def axis(self) -> RuleAxis:
        """The axis of the error curve."""
        return AXES[self.session.judging.against]

    @lazy_property
    def values(self) -> tuple[Number, ...]:
        """The values along the error curve."""
        return self.axis.values(self.nodes, self.session.rules)


def judged_tree(session: Session, data: Dataset, cache: Cache) -> JudgedTree:
    """Return the tree of Overfit with its losses; the cache keeps the full tree."""
    session = session_for_table(session) if data.source is not None else session
    judging, rules = session.judging, session.rules
    test = data.test if choosing_role(data) == "validation" else None
    rows = split_rows(session, data, cache)
    grow = _grower(session, rows.training, cache)
    nodes = grow(rules)
    split_mask, prunes = _after_prunes(nodes, kept_splits(nodes, rules), judging.prunes)
    leaf = np.empty(rows.data.n, int)
    (losses, leaf[~rows.held_mask]), (held_losses, leaf[rows.held_mask]) = cache.get(
        full_tree_key("losses", session), lambda: run_to_end(_losses_in_slices(nodes, rows))
    )
    return JudgedTree(
        **vars(rows),
        session=session,
        test=test,
        grow_full_tree=grow,
        nodes=nodes,
        split_mask=split_mask,
        unpruned_mask=_after_prunes(nodes, nodes.is_split, judging.prunes)[0],
        prunes=prunes,
        leaf_positions=leaf,
        losses=losses,
        held_losses=held_losses,
    )


def grown_session(session: Session, data: Dataset, future: Future) -> Session:
    """The session of Grow at the end of its tree: the rules and the prunes of Overfit, on all rows.

    `data` are the training rows of Grow, as its rules take missing values. A prune of a node that
    its tree does not split is left out.
    """
    log = future(session.rules, (), None, ALL_MOVES)
    tree = fold(Problem(data, session.rules), log)
    for move in session.judging.prunes:
        if move.node in tree.splits and not is_later_part(tree.splits[move.node]):
            log = (*log, move)
            tree = fold(Problem(data, session.rules), log)
    return follow_moves(session, log, future)


def session_for_table(session: Session) -> Session:
    """The session with the depth that the tree of a table has at most."""
    max_depth = session.rules.max_depth
    if max_depth is not None and max_depth <= MAX_TABLE_DEPTH:
        return session
    return replace(session, rules=replace(session.rules, max_depth=MAX_TABLE_DEPTH))


def _losses_in_slices(
    nodes: Nodes, rows: RowSplit
) -> Slices[tuple[tuple[MeanLoss, Ints], tuple[MeanLoss, Ints]]]:
    """Losses of all nodes on training rows and on rows held out, and the leaves of these rows."""
    training = yield from scaled_progress(errors_of_nodes(nodes, rows.training), 0, 0.7)
    held = yield from scaled_progress(errors_of_nodes(nodes, rows.held), 0.7, 1)
    return training, held


def split_rows(session: Session, data: Dataset, cache: Cache) -> RowSplit:
    """Part the rows: held out are the data's validation or test rows, else a drawn share.

    Of a table in its engine, rows are held out by their hashes, and the cache keeps the parts: what
    is counted in them is kept with them.
    """
    if data.source is not None:
        return cache.get(work_key("rows", session), lambda: _split_table(session, data))
    role = choosing_role(data)
    if role is None:
        held_mask = held_rows(data, session.judging.share, session.judging.seed)
    else:
        n_training, data = data.n, join_rows(data, getattr(data, role))
        held_mask = np.arange(data.n) >= n_training
    if not held_mask.any():
        return RowSplit(data, role, held_mask, take_rows(data, ~held_mask), None)
    return RowSplit(data, role, held_mask, *split_by_mask(data, held_mask))


def _split_table(session: Session, data: Dataset) -> RowSplit:
    """Part a table by the hashes of its rows; none is held out where one part would be empty."""
    judging = session.judging
    is_held_out = partial(below_share, judging.share)
    training, held = split_table(data, judging.seed, is_held_out)
    if not (training.n_grown and held.n_grown):
        return RowSplit(data, None, np.zeros(data.n, np.bool_), data, None)
    assert data.source is not None
    held_mask = is_held_out(row_hash(data.source.shown_rows, judging.seed))
    return RowSplit(data, None, held_mask, training, held)


def _grower(session: Session, training: Dataset, cache: Cache) -> GrowFullTree:
    """Return a function that grows the full tree of any rules on the training rows."""

    def grow(rules: Rules) -> Nodes:
        problem = Problem(training, check_rules(rules, training))
        # Trees of other leaf sizes are needed once, for points of a curve; the curve is kept.
        if rules.min_samples_leaf != session.rules.min_samples_leaf:
            return full_tree(problem)
        return cache.get(full_tree_key("whole", session, rules=rules), lambda: full_tree(problem))

    return grow


def _after_prunes(nodes: Nodes, split_mask: Bools, prunes: Log) -> tuple[Bools, Log]:
    """Return the mask of the nodes still split after the prunes, and the prunes that change it."""
    positions = {node: position for position, node in enumerate(nodes.ids)}
    effective = []
    for move in prunes:
        position = positions.get(move.node)
        if position is not None and split_mask[position]:
            pruned_mask = split_mask.copy()
            pruned_mask[position] = False
            split_mask = connected_splits(nodes, pruned_mask)
            effective.append(move)
    return split_mask, tuple(effective)


# --- long work ------------------------------------------------------------------------------------


def work_key(name: str, session: Session, *more: Hashable) -> Hashable:
    """Return the key of a result: its name, the settings that choose the training rows, and `more`.

    `more` are the other inputs of the result.
    """
    judging = session.judging
    return name, session.recipe, session.rules.missing, judging.share, judging.seed, *more


def full_tree_key(
    name: str, session: Session, *more: Hashable, rules: Rules | None = None
) -> Hashable:
    """Return the key of a result that all subtrees of a full tree share, see `work_key`.

    The tree is that of the session's rules, or of other rules.
    """
    return work_key(name, session, without_stop_rules(rules or session.rules), *more)


def full_tree_work(session: Session, data: Dataset, cache: Cache) -> Work[bool] | None:
    """Return the work of growing the full tree; None for few rows, or if the tree is kept."""
    key = full_tree_key("whole", session)
    is_quick = data.source is None and data.n <= MANY_ROWS
    if is_quick or cache.peek(key) is not None:
        return None

    def grow() -> Slices[bool]:
        rows = split_rows(session, data, cache)
        growing = full_tree_in_slices(Problem(rows.training, session.rules))
        nodes = yield from scaled_progress(growing, 0, 0.9)
        losses = yield from scaled_progress(_losses_in_slices(nodes, rows), 0.9, 1)
        cache.get(full_tree_key("losses", session), lambda: losses)
        # The tree drops the levels of its growth, which take more memory, once these lazy values
        # are computed.
        _ = len(nodes.tree.rows), len(nodes.tree.threshold_neighbours)
        cache.get(key, lambda: nodes)
        return True

    return Work(key, grow, "Growing the whole tree")


def overfit_works(judged: JudgedTree) -> tuple[Work[Any], ...]:
    """Return the work for which the pictures of Overfit wait, in the order to do it."""
    folds = fold_work(judged)
    return (curve_work(judged),) if folds is None else (curve_work(judged), folds)


def curve_work(judged: JudgedTree) -> Work[Curve]:
    """Return the work of the error curve along the chosen axis."""
    rules, axis, measure = judged.session.rules, judged.axis, judged.measure
    key = (_without_axis(rules, axis), axis.name, judged.values, measure.name)
    rows = judged.training, judged.held
    return Work(
        work_key("curve", judged.session, *key),
        lambda: curve(judged.grow_full_tree, rules, axis, *rows, judged.measured_losses, measure),
        f"A tree for each value of {SETTINGS[axis.rule].title.lower()}",
    )


def fold_work(judged: JudgedTree) -> Work[Floats] | None:
    """Return the work of the folds' errors along the curve; None without folds or for many rows."""
    rules, axis, n = judged.session.rules, judged.axis, judged.training.n_grown
    folds = judged.session.judging.folds
    if not folds or n < 2 or too_many_rows(judged):
        return None
    measure = judged.measure
    key = (_without_axis(rules, axis), axis.name, judged.values, folds, measure.name)
    k = n if folds == LEAVE_ONE_OUT else folds
    return Work(
        work_key("folds", judged.session, *key),
        lambda: fold_errors(judged.training, rules, axis, judged.values, k, measure=measure),
        folds_name(judged).capitalize(),
    )


def too_many_rows(judged: JudgedTree) -> bool:
    """True if leave-one-out is asked for on more rows than MAX_ROWS_LEFT_OUT."""
    has_many = judged.is_counted or judged.training.n > MAX_ROWS_LEFT_OUT
    return judged.session.judging.folds == LEAVE_ONE_OUT and has_many


def folds_name(judged: JudgedTree) -> str:
    """Return the name of the folds' mean: '5-fold mean'."""
    folds, n = judged.session.judging.folds, judged.training.n_grown
    return "leave-one-out mean" if folds == LEAVE_ONE_OUT else f"{min(folds, n)}-fold mean"


def _without_axis(rules: Rules, axis: RuleAxis) -> Rules:
    """Return the rules on which a curve depends: the rule that it varies is at its default.

    Without max_leaf_nodes the order of growing is too, since it does not change the tree then.
    """
    default: dict[str, Any] = {axis.rule: getattr(Rules(), axis.rule)}
    rules = replace(rules, **default)
    return rules if rules.max_leaf_nodes else replace(rules, order=Rules().order)
