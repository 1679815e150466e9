"""The tree of Overfit: grown on the training rows, judged on those held out.

Glossary
    judged     the split of the rows, the whole tree of the training rows, and of its subtrees the
               one that rules and prunes leave
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from dtviz.engine.criteria import CRITERIA
from dtviz.engine.grow import whole
from dtviz.engine.rules import Rules, criterion_of, cutting
from dtviz.engine.search import Bools, Ints, best_features
from dtviz.engine.subtrees import Nodes, connected
from dtviz.engine.tree import Log
from dtviz.figures.overfit import Picture
from dtviz.judge.axes import left_by
from dtviz.judge.curves import Lost, Whole, loss_on, mean_loss
from dtviz.judge.metrics import held_rows
from dtviz.screen.session import Session
from dtviz.table.data import Dataset, take
from dtviz.ui import state


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The rows parted, and the tree: `out` are the rows held out, (n,), `held` these rows, if any.

    `unpruned` are the splits that the rules leave, `stays` those that the prunes leave of them,
    (m,), `allowed` those that the prunes leave of all; `prunes` are the moves that are possible.
    `lost` and `held_lost` are the losses of all nodes, see `curves.loss_on`.
    """

    data: Dataset
    out: Bools
    training: Dataset
    held: Dataset | None
    nodes: Nodes
    unpruned: Bools
    stays: Bools
    allowed: Bools
    prunes: Log
    leaf: Ints
    errors: tuple[float, float]
    lost: Lost
    held_lost: Lost


def judged(session: Session, data: Dataset) -> Judged:
    """What Overfit shows of a session."""
    judging, rules = session.judging, session.rules
    out = held_rows(data, judging.share, judging.seed)
    training, held = take(data, ~out), take(data, out) if out.any() else None
    nodes = grower(session, training)(rules)
    unpruned = left_by(nodes, rules)
    allowed, _ = _after_prunes(nodes, nodes.split, judging.prunes)
    stays, prunes = _after_prunes(nodes, unpruned, judging.prunes)
    leaf = np.empty(data.n, np.intp)
    lost, leaf[~out] = loss_on(nodes, training)
    held_lost, leaf[out] = loss_on(nodes, held)
    error, held_error = (float(mean_loss(nodes, stays[None], on)[0]) for on in (lost, held_lost))
    return Judged(
        data,
        out,
        training,
        held,
        nodes,
        unpruned,
        stays,
        allowed,
        prunes,
        leaf,
        (error, held_error),
        lost,
        held_lost,
    )


def grower(session: Session, training: Dataset) -> Whole:
    """A function that gives the whole tree of rules on the training rows.

    That of the session's own leaf size is grown once and kept.
    """
    made_of = (session.recipe, session.judging.share, session.judging.seed)

    def grow(rules: Rules) -> Nodes:
        criterion_of(rules, training.task)
        if rules.min_samples_leaf != session.rules.min_samples_leaf:
            return whole(training, rules)
        key = repr((*made_of, cutting(rules)))
        return _whole(key, training, rules)

    return grow


def picture(session: Session, found: Judged) -> Picture:
    """The pictures of a judged tree, on the features chosen or those that part the target best."""
    axes = session.axes or best_features(found.data, CRITERIA[session.rules.criterion])
    shown = (found.stays, found.leaf, found.out, found.errors)
    return Picture(found.data, found.nodes, *shown, axes, state.theme())


def asked(name: str, session: Session, *more: Any) -> tuple[Any, ...]:
    """What long work of that name is about: the training rows, and whatever else is said."""
    judging = session.judging
    return name, session.recipe, judging.share, judging.seed, *more


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


@st.cache_resource(max_entries=60, show_spinner=False)
def _whole(key: str, _training: Dataset, _rules: Rules) -> Nodes:
    return whole(_training, _rules)
