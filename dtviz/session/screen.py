"""What a page draws of a session: its tree, what the rules say of each leaf, what is looked at.

Glossary
    screen    a session with its data, tree and automatic future
    grown     the tree of a log, and the decision on each of its leaves
    look      the candidates of the focus, which of them is looked at, the features on the axes
    stamp     a short name for what the pictures of Grow show of a screen, whatever their colours
    done      a function that gives what long work found, None while it is under way
    pad       the drawing that is drawn on: the one on screen, else an empty one
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from dtviz.base.arrays import Floats
from dtviz.base.lazy import once
from dtviz.base.progress import finished
from dtviz.data.dataset import Dataset, Recipe
from dtviz.data.drawing import Drawing
from dtviz.data.drawing import recipe_of as drawing_recipe
from dtviz.engine.grow import Decision, status
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.search.candidates import Candidates, best_features
from dtviz.engine.splits import Projection, feature_of
from dtviz.engine.tree import Log, LogError, Move, Tree, extend, fold
from dtviz.evaluate.curves import Curve
from dtviz.explain.row_path import Way, way
from dtviz.explain.words import stop_reason
from dtviz.models.steps import leading_features, node_candidates, with_line
from dtviz.session.cache import Cache
from dtviz.session.history import Visit
from dtviz.session.jobs import ResultOf
from dtviz.session.overfit import Judged, curve_work, fold_work, judged_tree
from dtviz.session.session import (
    Future,
    Row,
    Session,
    count_steps,
    may_show,
    other_session,
    timeline,
)


def row_path_of(problem: Problem, tree: Tree, row: Row | None) -> Way | None:
    """The way of a row; None where there is no such row."""
    data = problem.data
    if row is None or not may_show(data, row):
        return None
    return way(problem, tree, values_of(data, row))


def values_of(data: Dataset, row: Row) -> Floats:
    """The values of a row, (M,); NaN for what is missing and what was not typed."""
    if isinstance(row, int):
        return np.array([column[row - 1] for column in data.columns], np.float64)
    out = np.full(len(data.features), np.nan)
    for feature, value in row:
        out[feature] = value
    return out


@dataclass(frozen=True, slots=True, eq=False)
class NodeView:
    """The candidates of the focus, which of them is looked at, and the features on the axes.

    Of very many features `some` are there, those with the best cuts among them. While `asking` no
    cut is looked at, and nothing may tell how good one would be.
    """

    cuts: Candidates
    some: tuple[int, ...] | None
    cut: int | None
    axes: tuple[int, int]
    asking: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class Blank:
    """A visit whose data may be missing: nothing but the drawing on screen, if it is one.

    `recipe_of` gives the recipe of another drawing.
    """

    visit: Visit
    drawing: Drawing | None = None
    recipe_of: Callable[[Drawing], Recipe] = drawing_recipe

    @property
    def session(self) -> Session:
        """The session of the visit."""
        return self.visit.session

    @property
    def pad(self) -> Drawing:
        """The drawing that is drawn on."""
        return self.drawing or Drawing(self.visit.drawing_kind)


@dataclass(frozen=True, eq=False, kw_only=True)
class Screen(Blank):
    """A visit with its data and tree; what only some pages need is worked out when asked for.

    `decisions` says of each leaf why it stops, `ends` of a time-line that no move follows it.
    `beside` is the other of two screens side by side; that one has a `mark`, its stamp there. Made
    by `screen_of`.
    """

    data: Dataset
    tree: Tree
    decisions: dict[int, Decision]
    future: Future
    done: ResultOf
    is_end: Callable[[Log], bool] = lambda _: True
    keep: Cache = field(default_factory=Cache)
    beside: Screen | None = None
    mark: str = ""

    @once
    def problem(self) -> Problem:
        """The data with the rules of the session, compiled."""
        return Problem(self.data, self.session.rules)

    @once
    def next_move(self) -> Move | None:
        """The move that the next step makes, or None at the end."""
        session = self.session
        return next(iter(session.undone or self.future(session.rules, session.log)), None)

    @once
    def next_node(self) -> int | None:
        """The node that the next step splits or prunes, or None at the end."""
        move = self.next_move
        return move.node if move is not None and move.node in self.tree.nodes else None

    @once
    def node(self) -> int:
        """The node looked at: the chosen one, else the one that splits next, else the root."""
        focus = self.session.focus
        return focus if focus is not None else self.next_node or 1

    @once
    def total(self) -> int:
        """The number of steps on the time-line, as far as it is in sight."""
        return count_steps(self.session, self.future)

    @once
    def goes_on(self) -> bool:
        """Whether the time-line goes on beyond its last step in sight."""
        return not self.is_end(timeline(self.session, self.future))

    @once
    def stamp(self) -> str:
        """The name of what the pictures of Grow show."""
        return self.mark or stamp(self.session, self.future)

    @once
    def look(self) -> NodeView:
        """The candidates of the focus, and the cut chosen, its own, or the best."""
        session, node = self.session, self.node
        some = self._leading(node)
        key = ("cuts", session.recipe, session.rules, session.log, node, some)
        cuts = self.keep.get(key, lambda: node_candidates(self.problem, self.tree, node, some))
        splits = session.cut, self.tree.splits.get(node)
        for split in filter(None, splits):
            cuts = self.with_line(cuts, split.projection)
        own, made = (None if split is None else cuts.find(split) for split in splits)
        asking = session.ask and own is None and self.is_open(node) and cuts.best is not None
        cut = None if asking else next((at for at in (own, made) if at is not None), cuts.best)
        return NodeView(
            cuts, some, cut, self._axes(None if cut is None else cuts.axis(cut)), asking
        )

    @once
    def way(self) -> Way | None:
        """The way of the row that is shown, if one is."""
        session = self.session
        return row_path_of(self.problem, self.tree, session.row)

    @once
    def prefers_own(self) -> bool:
        """Whether a cut was chosen that is not the one made here."""
        look, chosen = self.look, self.session.cut
        return (
            chosen is not None
            and look.cut is not None
            and look.cuts.split(look.cut) != self.tree.splits.get(self.node)
            and look.cut == look.cuts.find(chosen)
        )

    def with_line(self, cuts: Candidates, projection: Projection) -> Candidates:
        """The candidates of the focus with all cuts along a line drawn by hand."""
        return with_line(self.problem, self.tree, self.node, cuts, projection)

    @once
    def judged(self) -> Judged:
        """The tree of Overfit."""
        return judged_tree(self.session, self.data, self.keep)

    def along(self) -> Curve | None:
        """The error curve of Overfit; None while it is under way."""
        return self.done(curve_work(self.judged))

    def folded(self) -> Floats | None:
        """The errors of the folds along it; None without folds and while they are under way."""
        work = fold_work(self.judged)
        return None if work is None or self.along() is None else self.done(work)

    @once
    def marked(self) -> int | None:
        """The node clicked in the tree of Overfit, if it has a split."""
        return self.visit.marked_node if self.visit.marked_node in self.judged.tree.splits else None

    @once
    def axes(self) -> tuple[int, int]:
        """The features on the axes whatever cut is looked at."""
        return self._axes(None)

    def is_open(self, node: int) -> bool:
        """Whether a node is a leaf that no rule stops."""
        return node in self.decisions and not self.decisions[node].stop

    def stop_word(self, leaf: int) -> str:
        """Why a leaf stops, in words; '' where it is open."""
        known, stop = self.tree.nodes[leaf], self.decisions[leaf].stop
        return stop_reason(self.problem, known, stop)

    def _leading(self, node: int) -> tuple[int, ...] | None:
        """The features whose cuts there is room for, with those looked at; None for all."""
        session = self.session
        key = ("leading", session.recipe, session.rules, session.log, node)
        found = self.keep.get(key, lambda: (leading_features(self.problem, self.tree, node),))[0]
        if found is None:
            return None
        splits = filter(None, (session.cut, self.tree.splits.get(node)))
        looked = (feature_of(split.projection) for split in splits)
        return tuple(sorted({*found, *self.axes, *(at for at in looked if at is not None)}))

    def _axes(self, feature: int | None) -> tuple[int, int]:
        """The features on the axes: those chosen, else the two with the best cuts at the root.

        Where the feature of the cut looked at is not among these two, it takes the second place.
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
        axes = self.keep.get(key, lambda: best_features(self.data, criterion))
        return axes if feature is None or feature in axes else (axes[0], feature)


def screen_of(
    session: Session, data: Dataset, future: Future, cache: Cache | None = None
) -> Screen:
    """The screen of a session; moves and a focus that its data do not allow are left out.

    What `keep` knows of it, or of the step before, is not worked out again. Its long work is done
    as soon as it is asked for.
    """
    cache = Cache() if cache is None else cache
    try:
        tree, decisions = grown_tree(session.recipe, session.rules, session.log, data, cache)
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
        done=lambda work: cache.get(work.asked, lambda: finished(work.start())),
        keep=cache,
    )


def stamp(session: Session, future: Future) -> str:
    """A short name for what the pictures of Grow show of a session."""
    following = next(iter(session.undone or future(session.rules, session.log)), None)
    return short_name(replace(session, undone=(), branches=(), say="", beside=None), following)


def stamp_beside(session: Session, future: Future) -> str:
    """That of the other of two screens: the axes of its pictures are those of the first."""
    sides = filter(None, (session, other_session(session)))
    return short_name(*(stamp(side, future) for side in sides))


def short_name(*made_of: object) -> str:
    """A short name for what is made of these."""
    return hashlib.sha256(repr(made_of).encode()).hexdigest()[:16]


def grown_tree(
    recipe: Recipe, rules: Rules, log: Log, data: Dataset, keep: Cache
) -> tuple[Tree, dict[int, Decision]]:
    """The tree of the log with the decision on each leaf; from that of one move less, if kept."""

    def grow() -> tuple[Tree, dict[int, Decision]]:
        before = keep.peek(("grown", recipe, rules, log[:-1])) if log else None
        problem = Problem(data, rules)
        if before is None:
            tree = fold(problem, log)
            return tree, status(problem, tree)
        tree = extend(problem, before[0], log[-1])
        return tree, status(problem, tree, _as_they_were(tree, *before))

    return keep.get(("grown", recipe, rules, log), grow)


def _as_they_were(tree: Tree, before: Tree, decisions: dict[int, Decision]) -> dict[int, Decision]:
    """The decisions that hold on: the leaf has the same rows, and its own rows decided."""
    return {
        leaf: found
        for leaf, found in decisions.items()
        if found.stop != "max_leaf_nodes" and tree.rows.get(leaf) is before.rows[leaf]
    }
