"""The tree of Overfit: grown on the training rows, judged on those held out.

Glossary
    judged     the split of the rows, the whole tree of the training rows, and of its subtrees the
               one that rules and prunes leave
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from dtviz.criteria import CRITERIA
from dtviz.curves import Whole, left_by
from dtviz.data import Dataset, take
from dtviz.figures.overfit import Picture
from dtviz.grow import whole
from dtviz.metrics import held_rows
from dtviz.rules import Rules, criterion_of
from dtviz.search import Bools, Floats, Ints, best_features
from dtviz.session import Judging, Session
from dtviz.subtrees import Nodes, connected, ends, losses
from dtviz.tree import Log
from dtviz.ui import state


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The rows parted, and the tree: `out` are the rows held out, (n,), `held` these rows, if any.

    `unpruned` are the splits that the rules leave, `stays` those that the prunes leave of them,
    (m,); `prunes` are the moves that are possible; `held_loss` is each node's, (m,).
    """

    data: Dataset
    out: Bools
    training: Dataset
    held: Dataset | None
    nodes: Nodes
    unpruned: Bools
    stays: Bools
    prunes: Log
    leaf: Ints
    errors: tuple[float, float]
    held_loss: Floats


def judged(session: Session, data: Dataset) -> Judged:
    """What Overfit shows of a session."""
    judging, rules = session.judging, session.rules
    out = held_rows(data, judging.share, judging.seed)
    training, held = take(data, ~out), take(data, out) if out.any() else None
    nodes = grower(session, training)(rules)
    unpruned = left_by(nodes, rules)
    stays, prunes = _after_prunes(nodes, unpruned, judging.prunes)
    leaf, error, held_loss = np.empty(data.n, np.intp), np.nan, np.zeros(len(stays))
    at_end = ends(nodes, stays)
    loss, leaf[~out] = losses(nodes, training)
    if held is not None:
        held_loss, leaf[out] = losses(nodes, held)
        error = float(held_loss[at_end].sum() / held.n)
    errors = (float(loss[at_end].sum() / training.n), error)
    return Judged(
        data, out, training, held, nodes, unpruned, stays, prunes, leaf, errors, held_loss
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
        key = repr((*made_of, rules.criterion, rules.min_samples_leaf))
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


def set_judging(change: Callable[[Judging], Judging]) -> None:
    """Change how the tree is judged (use in callbacks)."""
    state.act(lambda session, future: replace(session, judging=change(session.judging)))


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
