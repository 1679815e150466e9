"""Results of the page Forest: the ensemble of a session, its errors by round, its importances."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np

from dtviz.base.arrays import Floats
from dtviz.base.progress import Slices, Work, scaled_progress
from dtviz.base.text import clean, count
from dtviz.data.dataset import Dataset, Recipe, take_rows
from dtviz.data.train_test import choosing_role
from dtviz.data.weights import split_by_mask
from dtviz.engine.ensembles import ENSEMBLES, Ensemble, EnsembleKind, Plan, build, kinds_for
from dtviz.engine.ensembles.trees import TreeArrays
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.splits import EXPLICIT_LEFT, EXPLICIT_RIGHT, Axis
from dtviz.engine.splitter import relative_work
from dtviz.engine.subtrees import sort_in_growing_order
from dtviz.engine.tree import Grow, Log, Move
from dtviz.evaluate.metrics import held_rows
from dtviz.evaluate.stability import (
    RoundErrors,
    impurity_importances,
    out_of_bag,
    permutation_importances,
    round_errors,
)
from dtviz.explain.words import rule_phrase
from dtviz.session.derived_data import (
    FITTED_ENSEMBLES,
    fitted_member_recipe,
    fitted_source,
    member_recipe,
)
from dtviz.session.screen import Screen, screen_of
from dtviz.session.session import Session

N_PERMUTATIONS = 3
"""Times that the values of each feature are permuted."""
MAX_ROWS_PERMUTED = 1_000
"""Most rows on which permutation importance is measured; of more rows, an even sample is taken."""
MAX_TREE_ROWS, MIN_TREES = 20_000_000, 10
"""Most rows times trees, such as 200,000 times 100; and trees that are allowed for any rows."""
LIMITS = (
    "max_depth",
    "max_leaf_nodes",
    "min_samples_leaf",
    "min_samples_split",
    "min_gain",
    "purity",
    "min_impurity_decrease",
    "min_weight_fraction_leaf",
)
"""The rules that stop a tree early, in the order of the settings."""
FOR_ONE_TREE = {"ccp_alpha": "The trees grow unpruned", "max_p_value": "Their cuts are not tested"}
"""The rules that hold a single tree back from noise, with what is told of trees without each."""
MAX_MOVES_OPENED = 250
"""Most moves of a tree that is opened in Grow: those with the largest decrease of impurity."""


@dataclass(frozen=True, slots=True, eq=False)
class ForestResult:
    """The ensemble of a session's plan and rules, with its errors by round."""

    ensemble: Ensemble
    """The ensemble."""
    training: RoundErrors
    """Errors on the training rows by round."""
    out_of_bag: RoundErrors | None
    """Errors on out-of-bag rows by round; None where there are no such rows."""
    importances: Floats
    """Importance of each feature: its share of the decrease of impurity, (M,)."""


def plan_of(session: Session, data: Dataset) -> tuple[EnsembleKind, Plan]:
    """Return the kind and the plan of a session, adapted to the task and to MAX_TREE_ROWS.

    Those of a fitted ensemble are its own.
    """
    if session.recipe in FITTED_ENSEMBLES:
        plan = FITTED_ENSEMBLES[session.recipe].plan
        return ENSEMBLES[plan.kind], plan
    kinds = kinds_for(data.task)
    kind = ENSEMBLES.get(session.plan.kind, kinds[0])
    kind = kind if kind in kinds else kinds[0]
    trees = min(session.plan.trees, max_trees(data, tree_rules(session)))
    return kind, replace(session.plan, kind=kind.name, trees=trees)


def tree_rules(session: Session) -> Rules:
    """Return the rules of the ensemble's trees: those of the session, without FOR_ONE_TREE.

    The mean over many trees reduces variance, as pruning does for a single tree.
    """
    default = Rules()
    return replace(session.rules, **{name: getattr(default, name) for name in FOR_ONE_TREE})


def forest_screen(screen: Screen) -> Screen:
    """Return the screen of the ensemble that the page Forest shows.

    It is the same screen, except for the rows of a fitted ensemble and of its trees: then it has
    all rows that the ensemble was fitted to, and its rules.
    """
    source = fitted_source(screen.session.recipe)
    if source is None:
        return screen
    ensemble = FITTED_ENSEMBLES[source]
    session = replace(
        screen.session, recipe=source, rules=ensemble.members.rules, log=(), undone=(), focus=None
    )
    shown = screen_of(replace(session, cut=None), ensemble.data, screen.future, screen.cache)
    return replace(shown, result_of=screen.result_of)


def fitted_text(recipe: Recipe) -> str:
    """Say which fitted ensemble Forest shows for a recipe; '' for an ensemble grown here."""
    if recipe not in FITTED_ENSEMBLES:
        return ""
    ensemble = FITTED_ENSEMBLES[recipe]
    members = ensemble.members
    mean = "class shares" if ensemble.data.classes else "numbers"
    n_nodes = np.diff(members.root_indices, append=len(members.left))
    is_cut_off = n_nodes.max() > 2 * MAX_MOVES_OPENED + 1
    limit = f"{MAX_MOVES_OPENED} splits"
    rest = f" Of a tree with more than {limit} Grow opens those that lower the impurity most."
    return (
        f"The {count(len(ensemble.members), 'tree')} of the fitted "
        f"{clean(str(recipe.get('tree_of')))}, as they are. It predicts the mean of their {mean}."
        f"{rest if is_cut_off else ''}"
    )


def foreign_text(recipe: Recipe) -> str:
    """Say why Forest shows no ensemble for the rows of an imported one; '' where it shows one."""
    ensemble = recipe.get("tree_of")
    if not isinstance(ensemble, str) or fitted_source(recipe) is not None:
        return ""
    return (
        f"These are rows of the fitted {clean(ensemble)}; not all of its trees are here. Forest "
        "cannot show that ensemble, and shows no other under its name. dtviz.explore with another "
        "member opens another of its trees; to grow an ensemble here, choose data on "
        "the page Data."
    )


def limits_text(session: Session) -> str:
    """Say which settings limit each tree, and that pruning does not; '' where none is set."""
    rules, default, out = session.rules, Rules(), []
    names = [name for name in LIMITS if getattr(rules, name) != getattr(default, name)]
    if names:
        limits = ", ".join(rule_phrase(rules, name) for name in names)
        out.append(f"Each tree grows by the settings: {limits}.")
    for name, effect in FOR_ONE_TREE.items():
        if getattr(rules, name) != getattr(default, name):
            phrase = rule_phrase(rules, name)
            out.append(f"{effect}: the setting {phrase} is for the single tree.")
    return " ".join(out)


def max_trees(data: Dataset, rules: Rules) -> int:
    """Return the largest number of trees for these data: each tree has an entry for every row."""
    return max(MAX_TREE_ROWS // (max(data.n, 1) * relative_work(Problem(data, rules))), MIN_TREES)


def _work_key(name: str, session: Session, data: Dataset, *settings: Hashable) -> Hashable:
    """Return the key of a result: its name, all that the ensemble depends on, more settings."""
    rules = tree_rules(session)
    # Without max_leaf_nodes the order of growing does not change the trees.
    rules = rules if rules.max_leaf_nodes else replace(rules, order=None)
    return name, session.recipe, rules, plan_of(session, data)[1], *settings


def forest_work(session: Session, data: Dataset) -> Work[ForestResult]:
    """Return the work of growing the ensemble on all training rows; a fitted one is judged only."""
    kind, plan = plan_of(session, data)
    fitted = FITTED_ENSEMBLES.get(session.recipe)
    return Work(
        _work_key("grove", session, data),
        lambda: _judge(fitted) if fitted else _grow_forest(data, tree_rules(session), plan),
        f"{count(plan.trees, 'tree')}, {kind.title.lower()}",
    )


def _grow_forest(data: Dataset, rules: Rules, plan: Plan) -> Slices[ForestResult]:
    ensemble = yield from scaled_progress(build(data, rules, plan), 0.0, 0.8)
    return (yield from scaled_progress(_judge(ensemble), 0.8, 1.0))


def _judge(ensemble: Ensemble) -> Slices[ForestResult]:
    bag_mask = out_of_bag(ensemble)
    masks = (None,) if bag_mask is None else (None, bag_mask)
    training, *out = yield from round_errors(ensemble, ensemble.data, masks)
    return ForestResult(ensemble, training, out[0] if out else None, impurity_importances(ensemble))


def held_work(session: Session, data: Dataset) -> Work[RoundErrors] | None:
    """Return the work of the errors by round on rows held out.

    The rows held out are the validation or test rows of the data. Without such rows, an ensemble
    without bootstrap is grown again on a part of the rows, and the other rows are held out. None
    where no rows are held out.
    """
    kind, plan = plan_of(session, data)
    judging, role = session.judging, choosing_role(data)
    is_fitted = session.recipe in FITTED_ENSEMBLES  # and is not to be grown again
    if data.n < 2 or is_fitted or (role is None and kind.bagged):
        return None

    def start() -> Slices[RoundErrors]:
        if role is not None:
            training, held = data, getattr(data, role)
        else:
            training, held = split_by_mask(data, held_rows(data, judging.share, judging.seed))
        ensemble = yield from scaled_progress(build(training, tree_rules(session), plan), 0.0, 0.8)
        (errors,) = yield from scaled_progress(round_errors(ensemble, held), 0.8, 1.0)
        return errors

    key = _work_key("held", session, data, judging.share, judging.seed)
    return Work(key, start, "The same on rows held out")


def permutation_work(session: Session, data: Dataset, forest: ForestResult) -> Work[Floats]:
    """Return the work of permutation importance.

    Its result, (M, N_PERMUTATIONS), is how much the error rises if a feature's values are permuted.
    """

    def start() -> Slices[Floats]:
        random = np.random.default_rng(0)
        row_ids = np.arange(data.n)
        if data.n > MAX_ROWS_PERMUTED:
            row_ids = np.linspace(0, data.n - 1, MAX_ROWS_PERMUTED).astype(int)
        rows, bag_mask = take_rows(data, row_ids), out_of_bag(forest.ensemble)
        orders = [
            [random.permutation(rows.n) for _ in range(N_PERMUTATIONS)]
            for _ in range(len(data.features))
        ]
        mask = None if bag_mask is None else bag_mask[:, row_ids]
        return (yield from permutation_importances(forest.ensemble, rows, np.array(orders), mask))

    key = _work_key("worth", session, data)
    return Work(key, start, "What features are worth, by permuting them")


def member_session(session: Session, data: Dataset, forest: ForestResult, member: int) -> Session:
    """Return the session that shows a member in Grow, with at most MAX_MOVES_OPENED moves made.

    Raises IndexError where the ensemble has no such member.
    """
    members, rules = forest.ensemble.members, forest.ensemble.members.rules
    if not 0 <= member < len(members):
        raise IndexError(f"there is no tree {member}")
    if session.recipe in FITTED_ENSEMBLES:
        return fitted_session(session.recipe, member, _first_moves(members, rules, member))
    plan = plan_of(session, data)[1]
    recipe = member_recipe(session.recipe, tree_rules(session), plan, member)
    return Session(recipe, rules, log=_first_moves(members, rules, member), plan=session.plan)


def fitted_session(source: Recipe, member: int, log: Log | None = None) -> Session:
    """Return the session that shows a member of a fitted ensemble in Grow.

    `source` is the recipe of the ensemble in FITTED_ENSEMBLES; of the moves of the member only
    those of `log` are made, if it is given.
    """
    members = FITTED_ENSEMBLES[source].members
    moves = members.log(member) if log is None else log
    # by these rules the tree grows no further
    rules = replace(members.rules, max_leaf_nodes=max(len(moves) + 1, 2), order="depth")
    directed = tuple(_with_direction(move, members.data) for move in moves)
    return Session(fitted_member_recipe(source, member), rules, log=directed)


def _with_direction(move: Move, data: Dataset) -> Move:
    """Return the move with the direction of missing values written out, as no rule chose it."""
    if not isinstance(move, Grow) or not isinstance(move.split.projection, Axis):
        return move
    if not data.gaps[move.split.projection.feature]:
        return move
    direction = EXPLICIT_LEFT if move.split.missing.left else EXPLICIT_RIGHT
    return move._replace(split=move.split._replace(missing=direction))


def _first_moves(members: TreeArrays, rules: Rules, member: int) -> Log:
    """Return the moves of a member; of too many moves, those that lower the impurity most."""
    tree = members.tree(member)
    is_small = len(tree.splits) <= MAX_MOVES_OPENED
    order = sort_in_growing_order(tree, [*tree.splits], rules.growing_order if is_small else "best")
    log = {move.node: move for move in members.log(member)}
    return tuple(log[node] for node in order[:MAX_MOVES_OPENED] if node in log)
