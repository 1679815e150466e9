"""The screen: a session with the data and results that its pages draw.

Also the split nearest to a line or circle drawn by hand, and the rival of a split.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import reduce

import numpy as np

from dtviz.base.arrays import Floats
from dtviz.base.lazy import Cache, lazy_property
from dtviz.base.progress import ResultOf, run_to_end
from dtviz.data.dataset import Dataset, Recipe
from dtviz.data.drawing import Drawing, drawing_recipe
from dtviz.engine.grow import Decision, decide_all
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, RulesError, with_suitable_rules
from dtviz.engine.search.candidates import Candidates, best_features
from dtviz.engine.splits import (
    Projection,
    Split,
    axis_split,
    direction,
    feature_of,
    goes_left,
    plain_features,
    radial_around,
    score,
)
from dtviz.engine.tree import Log, LogError, Move, Tree, extend, fold, rows_in
from dtviz.evaluate.curves import Curve
from dtviz.explain.row_path import RowPath, trace_row
from dtviz.explain.words import stop_reason
from dtviz.models.steps import add_projection, leading_features, node_candidates
from dtviz.session.impurity import MAX_CLASS_ROWS, N_CLASSES_ALLOWED, TwoSplits
from dtviz.session.overfit import JudgedTree, curve_work, fold_work, judged_tree
from dtviz.session.session import (
    Future,
    SelectedRow,
    Session,
    Visit,
    count_steps,
    may_show,
    next_move,
    other_session,
    timeline,
)


def row_path_of(problem: Problem, tree: Tree, row: SelectedRow | None) -> RowPath | None:
    """Return the path of a row down the tree; None where the data have no such row."""
    data = problem.data
    if row is None or not may_show(data, row):
        return None
    return trace_row(problem, tree, row_values(data, row))


def row_values(data: Dataset, row: SelectedRow) -> Floats:
    """Return the values of a row, (M,); NaN for a value that is missing or was not typed."""
    if isinstance(row, int):
        return np.array([column[row - 1] for column in data.columns], np.float64)
    out = np.full(len(data.features), np.nan)
    for feature, value in row:
        out[feature] = value
    return out


MIN_FOLDS = 2
"""Folds from which a mean has a standard error."""


@dataclass(frozen=True, slots=True, eq=False)
class NodeView:
    """The candidates of the focus, the one looked at, and the features on the axes."""

    candidates: Candidates
    """Candidates of the focus."""
    features: tuple[int, ...] | None
    """Features whose candidates are shown, where there are very many features; None: all."""
    index: int | None
    """Index of the candidate looked at, if there is one."""
    axes: tuple[int, int]
    """Features drawn across and up."""
    is_asking: bool
    """True while the user is to choose a split: no picture may tell how good a candidate is."""


@dataclass(frozen=True, eq=False, kw_only=True)
class BlankScreen:
    """A visit on screen, whose data may be missing."""

    visit: Visit
    """The visit on screen."""
    drawing: Drawing | None = None
    """The data as a drawing; None for other data."""
    recipe_of: Callable[[Drawing], Recipe] = drawing_recipe
    """Returns the recipe of a drawing."""
    is_first_view: bool = False
    """True if the screen is that of the bare address, and nothing was done yet."""

    @property
    def session(self) -> Session:
        """The session of the visit."""
        return self.visit.session

    @property
    def pad(self) -> Drawing:
        """The drawing on the pad: the one on screen, else an empty one."""
        return self.drawing or Drawing(self.visit.drawing_kind)


@dataclass(frozen=True, eq=False, kw_only=True)
class Screen(BlankScreen):
    """A visit with its data and tree, made by `screen_of`.

    Results that only some pages need are computed on first access.
    """

    data: Dataset
    """Training rows, as the rules take missing values."""
    tree: Tree
    """Tree of the session's log."""
    decisions: dict[int, Decision]
    """Decision of the rules on each leaf, by node id."""
    future: Future
    """Returns the automatic moves after a log."""
    result_of: ResultOf
    """Returns the result of long work; None while the work is under way."""
    is_end: Callable[[Log], bool] = lambda _: True
    """Returns True if no automatic move follows a log."""
    cache: Cache = field(default_factory=Cache)
    """Cache of what was computed for earlier screens."""
    other_screen: Screen | None = None
    """The other of two screens side by side; None if there is one screen."""
    second_stamp: str = ""
    """Stamp of this screen if it is the second of two side by side, else ''."""

    @lazy_property
    def problem(self) -> Problem:
        """The data with the rules of the session, compiled once."""
        return Problem(self.data, self.session.rules)

    @lazy_property
    def next_move(self) -> Move | None:
        """The move that the next step makes; None at the end of the time-line."""
        return next_move(self.session, self.future)

    @lazy_property
    def next_node(self) -> int | None:
        """The node that the next step splits or prunes; None at the end of the time-line."""
        move = self.next_move
        return move.node if move is not None and move.node in self.tree.nodes else None

    @lazy_property
    def node(self) -> int:
        """The node looked at: the chosen one, else the one that splits next, else the root."""
        focus = self.session.focus
        return focus if focus is not None else self.next_node or 1

    @lazy_property
    def n_steps(self) -> int:
        """The number of steps on the time-line, as far as it is grown."""
        return count_steps(self.session, self.future)

    @lazy_property
    def has_more_steps(self) -> bool:
        """True if the time-line goes on beyond the steps that are grown."""
        return not self.is_end(timeline(self.session, self.future))

    @lazy_property
    def stamp(self) -> str:
        """The short name of what the pictures of Grow show, see `stamp_of`."""
        return self.second_stamp or stamp_of(self.session, self.future, self.cache)

    @lazy_property
    def node_view(self) -> NodeView:
        """The view of the focus with its chosen candidate, else the split made, else the best."""
        session, node = self.session, self.node
        features = self._screened_features(node)
        # of a table in its engine more cuts are counted beside the one looked at
        beside = None if self.data.source is None else session.cut
        key = ("cuts", session.recipe, session.rules, session.log, node, features, beside)
        cuts = self.cache.get(
            key, lambda: node_candidates(self.problem, self.tree, node, features, beside)
        )
        splits = session.cut, self.tree.splits.get(node)
        for split in filter(None, splits):
            cuts = self.with_projection(cuts, split.projection)
        chosen, made = (None if split is None else cuts.find(split) for split in splits)
        is_asking = session.ask and chosen is None and self.is_open(node) and cuts.best is not None
        indices = (index for index in (chosen, made) if index is not None)
        index = None if is_asking else next(indices, cuts.best)
        axes = self._axes(None if index is None else cuts.axis(index))
        return NodeView(cuts, features, index, axes, is_asking)

    @lazy_property
    def row_path(self) -> RowPath | None:
        """The path of the row that is shown, if one is."""
        return row_path_of(self.problem, self.tree, self.session.row)

    @lazy_property
    def is_rival_chosen(self) -> bool:
        """True if the user has chosen a candidate other than the split that the node has."""
        view, chosen = self.node_view, self.session.cut
        return (
            chosen is not None
            and view.index is not None
            and view.candidates.split(view.index) != self.tree.splits.get(self.node)
            and view.index == view.candidates.find(chosen)
        )

    def with_projection(self, cuts: Candidates, projection: Projection) -> Candidates:
        """Return the candidates of the focus with all thresholds of one more projection."""
        return add_projection(self.problem, self.tree, self.node, cuts, projection)

    @lazy_property
    def judged(self) -> JudgedTree:
        """The tree of the page Overfit, with its losses."""
        return judged_tree(self.session, self.data, self.cache)

    def curve(self) -> Curve | None:
        """Return the error curve of Overfit; None while its work is under way."""
        return self.result_of(curve_work(self.judged))

    def fold_errors(self) -> Floats | None:
        """Return the errors of the folds along the error curve.

        None without folds that the measure can judge, and while the curve or the errors of the
        folds are under way.
        """
        work = fold_work(self.judged)
        errors = None if work is None or self.curve() is None else self.result_of(work)
        return None if errors is None or len(errors) < MIN_FOLDS else errors

    @lazy_property
    def marked_node(self) -> int | None:
        """The node clicked in the tree of Overfit; None if the tree has no split there."""
        node = self.visit.marked_node
        return node if node in self.judged.tree.splits else None

    @lazy_property
    def axes(self) -> tuple[int, int]:
        """The features on the axes, as if no candidate was looked at."""
        return self._axes(None)

    def is_open(self, node: int) -> bool:
        """True if a node is a leaf that the rules would split."""
        return node in self.decisions and not self.decisions[node].stop

    def stop_text(self, leaf: int) -> str:
        """Return the reason why a leaf stops, in words; '' where it is open."""
        return stop_reason(self.problem, self.tree.nodes[leaf], self.decisions[leaf].stop)

    def _screened_features(self, node: int) -> tuple[int, ...] | None:
        """Return the features whose candidates are shown; None for all.

        The features of the axes, of the split and of the chosen candidate are always shown.
        """
        session = self.session
        key = ("leading", session.recipe, session.rules, session.log, node)
        leading = self.cache.get(
            key, lambda: leading_features(self.problem, rows_in(self.tree, node))
        )
        if leading is None:
            return None
        splits = filter(None, (session.cut, self.tree.splits.get(node)))
        features = (feature_of(split.projection) for split in splits)
        return tuple(sorted({*leading, *self.axes, *(f for f in features if f is not None)}))

    def _axes(self, feature: int | None) -> tuple[int, int]:
        """Return the features on the axes: the chosen ones, else those with the best root splits.

        `feature` is that of the candidate looked at, if any: it replaces the second of the two with
        the best root splits, unless it is one of them.
        """
        session = self.session
        if session.axes is not None:
            return session.axes
        criterion = self.problem.criterion
        key = (
            "axes",
            session.recipe,
            session.rules.missing,
            criterion.name,
            criterion.impurity.name,
        )
        axes = self.cache.get(key, lambda: best_features(self.data, criterion))
        return axes if feature is None or feature in axes else (axes[0], feature)


def screen_of(
    session: Session, data: Dataset, future: Future, cache: Cache | None = None
) -> Screen:
    """Return the screen of a session; what its data do not allow is left out: rules, moves, focus.

    For example a table without a category has no multi-way cuts. Results in the cache are not
    computed again. From the tree one move earlier, if it is there, one move is made. Long work runs
    to its end when its result is read.
    """
    cache = Cache() if cache is None else cache
    try:
        tree, decisions = grown_tree(session.recipe, session.rules, session.log, data, cache)
    except RulesError:
        rules = with_suitable_rules(session.rules, data)
        if rules == session.rules:
            raise
        session = replace(session, rules=rules, undone=(), branches=())
        return screen_of(session, data, future, cache)
    except LogError as error:
        session = replace(session, log=session.log[: error.index], undone=(), focus=None, cut=None)
        tree, decisions = grown_tree(session.recipe, session.rules, session.log, data, cache)
    if session.focus is not None and session.focus not in tree.nodes:
        session = replace(session, focus=None, cut=None)
    return Screen(
        visit=Visit(session),
        data=data,
        tree=tree,
        decisions=decisions,
        future=future,
        result_of=lambda work: cache.get(work.key, lambda: run_to_end(work.start())),
        cache=cache,
    )


def stamp_of(session: Session, future: Future, cache: Cache) -> str:
    """Return a short name of what the pictures of Grow show; their colours do not change it."""
    pictured = replace(session, log=(), undone=(), branches=(), say="", beside=None)
    # the next move marks the node that is next
    return short_name(pictured, _log_name(session.log, cache), next_move(session, future))


def _log_name(log: Log, cache: Cache) -> str:
    """Return a short name of a log, made of that of the log one move shorter, if it is there."""

    def name() -> str:
        name_before = cache.peek(("log name", log[:-1]))
        if name_before is not None:
            return short_name(name_before, log[-1])
        return reduce(short_name, log, "")

    return cache.get(("log name", log), name) if log else ""


def other_stamp(session: Session, future: Future, cache: Cache) -> str:
    """Return the stamp of the other of two screens.

    It depends on the stamps of both, since the pictures of both screens have common axes.
    """
    sides = filter(None, (session, other_session(session)))
    return short_name(*(stamp_of(side, future, cache) for side in sides))


def short_name(*parts: object) -> str:
    """Return a fingerprint of the parts' `repr`, 16 hexadecimal digits."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def grown_key(recipe: Recipe, rules: Rules, log: Log) -> Hashable:
    """Return the key of a tree and the decisions on its leaves in the cache."""
    return "grown", recipe, rules, log


def grown_tree(
    recipe: Recipe, rules: Rules, log: Log, data: Dataset, cache: Cache
) -> tuple[Tree, dict[int, Decision]]:
    """Return the tree of a log, and the rules' decision on each leaf by node id."""

    def grow() -> tuple[Tree, dict[int, Decision]]:
        # Most logs are one move longer than one of before: then only that move is made.
        before = cache.peek(grown_key(recipe, rules, log[:-1])) if log else None
        problem = Problem(data, rules)
        if before is None:
            tree = fold(problem, log)
            return tree, decide_all(problem, tree)
        tree = extend(problem, before[0], log[-1])
        return tree, decide_all(problem, tree, _valid_decisions(tree, *before))

    return cache.get(grown_key(recipe, rules, log), grow)


def _valid_decisions(
    tree: Tree, before: Tree, decisions: dict[int, Decision]
) -> dict[int, Decision]:
    """Return the decisions on the tree `before` that hold for `tree` too.

    A decision holds where the leaf has the same rows, unless max_leaf_nodes stopped it: that rule
    depends on the other leaves.
    """
    return {
        leaf: decision
        for leaf, decision in decisions.items()
        if decision.stop != "max_leaf_nodes" and tree.rows.get(leaf) is before.rows[leaf]
    }


def two_splits(screen: Screen) -> TwoSplits | None:
    """Return the split looked at and its rival as counts of those classes that the node has.

    None if the page Impurity has no room for them: for regression, weighted rows, other numbers of
    classes, or more than MAX_CLASS_ROWS rows of a class. Also None without a rival.
    """
    data = screen.data
    if not data.classes or data.weights is not None:
        return None
    row_ids = rows_in(screen.tree, screen.node)
    parent = np.bincount(data.y[row_ids], minlength=len(data.classes))
    has_rows = parent > 0
    if has_rows.sum() not in N_CLASSES_ALLOWED or parent.max() > MAX_CLASS_ROWS:
        return None
    cuts, chosen = screen.node_view.candidates, screen.node_view.index
    rival = None if chosen is None else _rival(cuts, chosen)
    if chosen is None or rival is None:
        return None
    masks = (goes_left(cuts.split(index), data.columns, row_ids) for index in (chosen, rival))
    left = [np.bincount(data.y[row_ids[mask]], minlength=len(parent)) for mask in masks]
    return TwoSplits(*(tuple(counts[has_rows].tolist()) for counts in (parent, *left)))


def _rival(cuts: Candidates, chosen: int) -> int | None:
    """Return the index of the best admissible candidate that does not share the chosen projection.

    Where there is none, that of the best other candidate. None if the chosen one is alone.
    """
    other_mask = cuts.admissible & (np.arange(len(cuts)) != chosen)
    rival_mask = other_mask & (cuts.line != cuts.line[chosen])
    indices = np.flatnonzero(rival_mask if rival_mask.any() else other_mask)
    return int(indices[np.argmax(cuts.score[indices])]) if len(indices) else None


PlanePoint = tuple[float, float]
"""A point of the plane on screen, x and y: an end of a drawn line, a centre, a point of a rim."""


def can_draw(screen: Screen, family: str) -> bool:
    """True if the rules search splits of a family, and both axes of the plane are plain numbers."""
    axes = screen.node_view.axes
    is_plain = {*axes} <= {*plain_features(screen.data)} and axes[0] != axes[1]
    return is_plain and family in screen.session.rules.families


def line_cut(screen: Screen, start: PlanePoint, end: PlanePoint) -> Split | None:
    """Return the candidate along the direction of a line whose threshold is nearest to the line.

    The line runs from `start` to `end`. A line whose direction no oblique split has, such as one
    along an axis, stands for a split of one feature. None where there is no such candidate.
    """
    a, b = screen.node_view.axes
    run, rise = end[0] - start[0], end[1] - start[1]
    spread = np.nanstd(screen.data.columns[[a, b]], axis=1)
    middle = _row_at(screen, (start[0] / 2 + end[0] / 2, start[1] / 2 + end[1] / 2))
    weights = np.array([rise, -run])  # perpendicular to the line
    order = [0, 1] if a < b else [1, 0]  # a direction has its features in ascending order
    projection: Projection | None = direction(
        [(a, b)[k] for k in order], weights[order], spread[order]
    )
    if projection is None:  # the feature across the line, in units of the standard deviations
        feature = a if abs(rise) * spread[0] >= abs(run) * spread[1] else b
        projection = axis_split(feature, 0.0).projection
    return _nearest_candidate(screen, projection, float(score(projection, middle)[0]))


def circle_cut(screen: Screen, centre: PlanePoint, rim: PlanePoint) -> Split | None:
    """Return the candidate around `centre` whose radius is nearest to a circle through `rim`.

    None where there is no such candidate.
    """
    row = _row_at(screen, centre)[:, 0].tolist()
    projection = radial_around(screen.data, row, screen.node_view.axes)
    if projection is None:
        return None
    return _nearest_candidate(screen, projection, float(score(projection, _row_at(screen, rim))[0]))


def _row_at(screen: Screen, point: PlanePoint) -> Floats:
    """Return a point of the plane as a row of the data, (M, 1); features on no axis are NaN."""
    out = np.full((len(screen.data.features), 1), np.nan)
    out[[*screen.node_view.axes], 0] = point
    return out


def _nearest_candidate(screen: Screen, projection: Projection, drawn_score: float) -> Split | None:
    """Return the focus's candidate of a projection whose threshold is nearest to a drawn score."""
    cuts = screen.with_projection(screen.node_view.candidates, projection)
    indices = cuts.of_line(cuts.projections.index(projection))
    thresholds = cuts.threshold[indices]
    if not len(thresholds) or not np.isfinite(drawn_score):
        return None
    return cuts.split(indices.start + int(np.abs(thresholds - drawn_score).argmin()))
