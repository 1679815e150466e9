"""What the page Forest shows: an ensemble on the data of a session, and how good it is by round.

Glossary
    grove    the ensemble of a session's plan and rules, with its errors by round
    worth    what features do for it, see judge/ensembles.py
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np

from dtviz.base.arrays import Floats
from dtviz.base.progress import Slices, within
from dtviz.base.text import clean, count
from dtviz.data.dataset import Dataset, Recipe, take
from dtviz.data.train_test import purpose_of
from dtviz.data.weights import parted
from dtviz.engine.ensembles import ENSEMBLES, Ensemble, Kind, Plan, build, kinds_for
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.splitter import work_of
from dtviz.engine.subtrees import in_order
from dtviz.engine.tree import Log
from dtviz.evaluate.metrics import held_rows
from dtviz.evaluate.stability import (
    Staged,
    impurity_worth,
    out_of_bag,
    permutation_worth,
    staged,
)
from dtviz.explain.words import rule_phrase
from dtviz.session.derived_data import member_recipe
from dtviz.session.jobs import Work
from dtviz.session.session import Session

REPEATS = 3
MAX_ROWS_PERMUTED = 1_000
"""Rows by which permutations are judged: of more an even choice."""
MAX_TREE_ROWS, MIN_TREES = 20_000_000, 10
"""Rows times trees: 100 trees on 200,000 rows, fewer on more."""
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
MAX_MOVES_OPENED = 250
"""Moves of a tree that is opened step by step: the first ones, the largest decrease first."""


@dataclass(frozen=True, slots=True, eq=False)
class Grove:
    """An ensemble and its errors by round: `out` are those out of bag, None where no row was left.

    `worth` are the shares of the impurity, (M,).
    """

    ensemble: Ensemble
    training: Staged
    out: Staged | None
    worth: Floats


def plan_of(session: Session, data: Dataset) -> tuple[Kind, Plan]:
    """The kind and the plan of a session, as they suit the data and the room there is."""
    able = kinds_for(data.task)
    kind = ENSEMBLES.get(session.plan.kind, able[0])
    kind = kind if kind in able else able[0]
    room = max_trees(data, tree_rules(session))
    return kind, replace(session.plan, kind=kind.name, trees=min(session.plan.trees, room))


def tree_rules(session: Session) -> Rules:
    """The rules that the trees of the ensemble grow by: those of the session, without pruning.

    Many unpruned trees together do what pruning does for one.
    """
    return replace(session.rules, ccp_alpha=Rules().ccp_alpha)


def foreign_text(recipe: Recipe) -> str:
    """Why Forest shows no ensemble of the rows of a tree that was fitted elsewhere; else ''."""
    ensemble = recipe.get("tree_of")
    if not isinstance(ensemble, str):
        return ""
    return (
        f"These are the rows of one tree of the fitted {clean(ensemble)}; its other trees are not "
        "here. Forest cannot show that ensemble, and shows no other under its name. dtviz.explore "
        "with another member opens another of its trees; to grow an ensemble here, choose data on "
        "the page Data."
    )


def limits_text(session: Session) -> str:
    """The settings that limit each tree, and the one that is left out; '' where none is set."""
    rules, plain, out = session.rules, Rules(), []
    names = [name for name in LIMITS if getattr(rules, name) != getattr(plain, name)]
    if names:
        limits = ", ".join(rule_phrase(rules, name) for name in names)
        out.append(f"Each tree grows by the settings: {limits}.")
    if rules.ccp_alpha != plain.ccp_alpha:
        pruning = rule_phrase(rules, "ccp_alpha")
        out.append(f"The trees grow unpruned: the setting {pruning} is for the single tree.")
    return " ".join(out)


def max_trees(data: Dataset, rules: Rules) -> int:
    """How many trees there is room for: each weighs every row."""
    return max(MAX_TREE_ROWS // (max(data.n, 1) * work_of(Problem(data, rules))), MIN_TREES)


def _asked(name: str, session: Session, data: Dataset, *more: Hashable) -> Hashable:
    """What such work is about; the order of growing matters to max_leaf_nodes only."""
    rules = tree_rules(session)
    rules = rules if rules.max_leaf_nodes else replace(rules, order=None)
    return name, session.recipe, rules, plan_of(session, data)[1], *more


def grove_work(session: Session, data: Dataset) -> Work[Grove]:
    """The ensemble on all rows."""
    kind, plan = plan_of(session, data)
    return Work(
        _asked("grove", session, data),
        lambda: _grove(data, tree_rules(session), plan),
        f"{count(plan.trees, 'tree')}, {kind.title.lower()}",
    )


def _grove(data: Dataset, rules: Rules, plan: Plan) -> Slices[Grove]:
    ensemble = yield from within(build(data, rules, plan), 0.0, 0.8)
    told = out_of_bag(ensemble)
    asked = (None,) if told is None else (None, told)
    training, *out = yield from within(staged(ensemble, data, asked), 0.8, 1.0)
    return Grove(ensemble, training, out[0] if out else None, impurity_worth(ensemble))


def held_work(session: Session, data: Dataset) -> Work[Staged] | None:
    """The errors on rows held out: those given for it; else, where no row is out of a bag, a share.

    That is held out of an ensemble of its own. None where there is nothing to hold out.
    """
    kind, plan = plan_of(session, data)
    judging, role = session.judging, purpose_of(data)
    if data.n < 2 or (role is None and kind.bagged):
        return None

    def start() -> Slices[Staged]:
        if role is not None:
            training, held = data, getattr(data, role)
        else:
            training, held = parted(data, held_rows(data, judging.share, judging.seed))
        ensemble = yield from within(build(training, tree_rules(session), plan), 0.0, 0.8)
        (found,) = yield from within(staged(ensemble, held), 0.8, 1.0)
        return found

    more = (judging.share, judging.seed)
    return Work(_asked("held", session, data, *more), start, "The same on rows held out")


def worth_work(session: Session, data: Dataset, grove: Grove) -> Work[Floats]:
    """How much the error rises once each column is permuted, (M, P)."""

    def start() -> Slices[Floats]:
        random = np.random.default_rng(0)
        rows = np.arange(data.n)
        if data.n > MAX_ROWS_PERMUTED:
            rows = np.linspace(0, data.n - 1, MAX_ROWS_PERMUTED).astype(np.intp)
        some, told = take(data, rows), out_of_bag(grove.ensemble)
        orders = [
            [random.permutation(some.n) for _ in range(REPEATS)] for _ in range(len(data.features))
        ]
        asked = None if told is None else told[:, rows]
        return (yield from permutation_worth(grove.ensemble, some, np.array(orders), asked))

    return Work(_asked("worth", session, data), start, "What features are worth, by permuting them")


def opened(session: Session, data: Dataset, grove: Grove, member: int) -> Session:
    """The session that shows a member in Grow, fully grown or as far as its first moves reach.

    Raises IndexError for a member that is not there.
    """
    members, rules = grove.ensemble.members, grove.ensemble.members.rules
    if not 0 <= member < len(members):
        raise IndexError(f"there is no tree {member}")
    plan = plan_of(session, data)[1]
    own = member_recipe(session.recipe, tree_rules(session), plan, member)
    return Session(own, rules, log=_first_moves(grove, rules, member), plan=session.plan)


def _first_moves(grove: Grove, rules: Rules, member: int) -> Log:
    """The moves of a member, those that lower the impurity most first where they are many."""
    tree = grove.ensemble.members.tree(member)
    few = len(tree.splits) <= MAX_MOVES_OPENED
    order = in_order(tree, [*tree.splits], rules.growing_order if few else "best")
    log = {move.node: move for move in grove.ensemble.members.log(member)}
    return tuple(log[node] for node in order[:MAX_MOVES_OPENED])
