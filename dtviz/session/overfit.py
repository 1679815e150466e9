"""The tree of Overfit: grown on the training rows, judged on those held out.

Glossary
    judged     the split of the rows, the whole tree of the training rows, and of its subtrees the
               one that rules and prunes leave
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.lazy import once
from dtviz.base.progress import Slices
from dtviz.base.text import count
from dtviz.data.dataset import Dataset, take
from dtviz.data.train_test import Role, purpose_of, together
from dtviz.data.weights import parted
from dtviz.engine.grow import whole, whole_in_slices
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, cutting, suited
from dtviz.engine.subtrees import Nodes, connected, subtree
from dtviz.engine.tree import Log, Tree
from dtviz.evaluate.curves import (
    AXES,
    Axis,
    Curve,
    Lost,
    Number,
    Whole,
    curve,
    errors,
    fold_errors,
    left_by,
    loss_on,
    mean_loss,
)
from dtviz.evaluate.metrics import baseline, held_rows
from dtviz.explain.words import SETTINGS
from dtviz.session.cache import Cache
from dtviz.session.jobs import MANY_ROWS, Work
from dtviz.session.session import MOST_ONE_OUT, ONE_OUT, Session


class RowSplit(NamedTuple):
    """All rows, which of them are held out, (n,), the others as data, and these, if any.

    `role` says what those held out were given for, None where they were drawn.
    """

    data: Dataset
    role: Role | None
    out: Bools
    training: Dataset
    held: Dataset | None


@dataclass(frozen=True, eq=False)
class Judged:
    """The rows parted, see `Parted`, and the tree.

    `grow` gives the whole tree of any rules. `unpruned` are the splits that the rules leave,
    `stays` those that the prunes leave of them, (m,), `allowed` those that the prunes leave of all;
    `prunes` are the moves that are possible. `leaf` is the place of each row's leaf, (n,). `lost`
    and `held_lost` are the losses of all nodes, see `curves.loss_on`.
    """

    session: Session
    data: Dataset
    role: Role | None
    out: Bools
    training: Dataset
    held: Dataset | None
    test: Dataset | None
    grow: Whole
    nodes: Nodes
    unpruned: Bools
    stays: Bools
    allowed: Bools
    prunes: Log
    leaf: Ints
    lost: Lost
    held_lost: Lost

    @once
    def errors(self) -> tuple[float, float]:
        """The errors of the tree on the training and on the held-out rows."""
        stays, on = self.stays[None], (self.lost, self.held_lost)
        training, held = (float(mean_loss(self.nodes, stays, lost)[0]) for lost in on)
        return training, held

    @once
    def baseline(self) -> float:
        """The error of one answer for all rows, on the rows held out."""
        return baseline(self.training, self.held)

    @once
    def final(self) -> float | None:
        """The error of the tree on test rows, where others choose the tree; None without."""
        if self.test is None:
            return None
        return float(errors(self.nodes, self.stays[None], self.test)[0])

    @property
    def held_words(self) -> str:
        """What the rows held out are called: '30 test rows'."""
        many = 0 if self.held is None else self.held.n
        return f"{many:,} held out" if self.role is None else count(many, f"{self.role} row")

    @property
    def grown_words(self) -> str:
        """Which rows the tree was grown on, and why that matters to its leaves; '' for one row."""
        many, every = self.training.n, count(self.data.n, "row")
        if self.held is None:
            return ""
        if self.role is not None:
            return f"Grown on {count(many, 'training row')}, as Grow's tree is; {self.held_words}."
        out = f"{self.held.n:,} {'is' if self.held.n == 1 else 'are'} held out"
        return f"Grown on {many:,} of {every}; {out}, so its leaves differ from Grow's."

    @once
    def tree(self) -> Tree:
        """The tree itself."""
        return subtree(self.nodes, self.stays)

    @property
    def axis(self) -> Axis:
        """The axis of the curve."""
        return AXES[self.session.judging.against]

    @once
    def values(self) -> tuple[Number, ...]:
        """The values along the curve."""
        return self.axis.values(self.nodes, self.session.rules)


def judged_tree(session: Session, data: Dataset, keep: Cache) -> Judged:
    """What Overfit shows of a session."""
    judging, rules = session.judging, session.rules
    test = data.test if purpose_of(data) == "validation" else None
    rows = split_rows(session, data)
    data, out, training, held = rows.data, rows.out, rows.training, rows.held
    grow = _grower(session, training, keep)
    nodes = grow(rules)
    unpruned = left_by(nodes, rules)
    stays, prunes = _after_prunes(nodes, unpruned, judging.prunes)
    leaf = np.empty(data.n, np.intp)
    lost, leaf[~out] = loss_on(nodes, training)
    held_lost, leaf[out] = loss_on(nodes, held)
    return Judged(
        session=session,
        data=data,
        role=rows.role,
        out=out,
        training=training,
        held=held,
        test=test,
        grow=grow,
        nodes=nodes,
        unpruned=unpruned,
        stays=stays,
        allowed=_after_prunes(nodes, nodes.split, judging.prunes)[0],
        prunes=prunes,
        leaf=leaf,
        lost=lost,
        held_lost=held_lost,
    )


def split_rows(session: Session, data: Dataset) -> RowSplit:
    """The rows that a session's trees are grown on, and those they are judged on.

    Held out are the rows given for it, else a share of all.
    """
    role = purpose_of(data)
    if role is None:
        out = held_rows(data, session.judging.share, session.judging.seed)
    else:
        first, data = data.n, together(data, getattr(data, role))
        out = np.arange(data.n) >= first
    training, held = parted(data, out) if out.any() else (take(data, ~out), None)
    return RowSplit(data, role, out, training, held)


def _grower(session: Session, training: Dataset, keep: Cache) -> Whole:
    """A function that gives the whole tree of rules on the training rows.

    That of the session's own leaf size is grown once and kept.
    """

    def grow(rules: Rules) -> Nodes:
        problem = Problem(training, suited(rules, training))
        if rules.min_samples_leaf != session.rules.min_samples_leaf:
            return whole(problem)
        return keep.get(asked("whole", session, cutting(rules)), lambda: whole(problem))

    return grow


def _after_prunes(nodes: Nodes, stays: Bools, prunes: Log) -> tuple[Bools, Log]:
    """The splits left by the prunes, and those of the prunes that take any back."""
    place = {node: at for at, node in enumerate(nodes.ids)}
    made = []
    for move in prunes:
        at = place.get(move.node)
        if at is not None and stays[at]:
            left = stays.copy()
            left[at] = False
            stays = connected(nodes, left)
            made.append(move)
    return stays, tuple(made)


# --- long work ------------------------------------------------------------------------------------


def asked(name: str, session: Session, *more: Hashable) -> Hashable:
    """What work of that name is about: the training rows, and whatever else is said."""
    judging = session.judging
    return name, session.recipe, session.rules.missing, judging.share, judging.seed, *more


def whole_work(session: Session, data: Dataset, keep: Cache) -> Work[bool] | None:
    """Growing the whole tree of many training rows; None where it is small, or kept already."""
    key = asked("whole", session, cutting(session.rules))
    if data.n <= MANY_ROWS or keep.peek(key) is not None:
        return None

    def grow() -> Slices[bool]:
        training = split_rows(session, data).training
        nodes = yield from whole_in_slices(Problem(training, session.rules))
        _ = len(nodes.tree.rows), len(nodes.tree.gaps)  # so that its levels, which take more, go
        keep.get(key, lambda: nodes)
        return True

    return Work(key, grow, "Growing the whole tree")


def works(found: Judged) -> tuple[Work[Any], ...]:
    """What the pictures of Overfit wait for, in the order in which it is to be done."""
    folds = fold_work(found)
    return (curve_work(found),) if folds is None else (curve_work(found), folds)


def curve_work(found: Judged) -> Work[Curve]:
    """The curve of the axis chosen."""
    rules, axis = found.session.rules, found.axis
    return Work(
        asked("curve", found.session, _without(rules, axis), axis.name, found.values),
        lambda: curve(found.grow, rules, axis, found.training, found.held),
        f"A tree for each value of {SETTINGS[axis.rule].words.lower()}",
    )


def fold_work(found: Judged) -> Work[Floats] | None:
    """The errors of the folds along the curve; None without folds, or too many rows for them."""
    rules, axis, rows = found.session.rules, found.axis, found.training.n
    folds = found.session.judging.folds
    if not folds or rows < 2 or too_many_rows(found):
        return None
    return Work(
        asked("folds", found.session, _without(rules, axis), axis.name, found.values, folds),
        lambda: fold_errors(
            found.training, rules, axis, found.values, rows if folds == ONE_OUT else folds
        ),
        folds_name(found).capitalize(),
    )


def too_many_rows(found: Judged) -> bool:
    """Whether one row after the other should be left out, and that are too many."""
    return found.session.judging.folds == ONE_OUT and found.training.n > MOST_ONE_OUT


def folds_name(found: Judged) -> str:
    """What the mean of the folds is called."""
    folds = found.session.judging.folds
    return "leave-one-out mean" if folds == ONE_OUT else f"{min(folds, found.training.n)}-fold mean"


@lru_cache(maxsize=256)
def _without(rules: Rules, axis: Axis) -> Rules:
    """The rules as a curve depends on them: whatever the value of the one it varies.

    The order of growing matters to max_leaf_nodes only.
    """
    usual: dict[str, Any] = {axis.rule: getattr(Rules(), axis.rule)}
    rules = replace(rules, **usual)
    return rules if rules.max_leaf_nodes else replace(rules, order=Rules().order)
