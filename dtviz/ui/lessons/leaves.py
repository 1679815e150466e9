"""Learn, section 5: what a leaf may predict, each with the rows of the node in focus."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dtviz.engine.frontier import unsorted
from dtviz.engine.leaf_models import LeafModel, leaf_models_for
from dtviz.engine.leaves import facts
from dtviz.engine.problem import Problem
from dtviz.engine.subtrees import loss_of
from dtviz.engine.sureness import log_losses
from dtviz.engine.tree import make_nodes
from dtviz.judge.metrics import score_by
from dtviz.say.words import value_text
from dtviz.table.costs import own_weights
from dtviz.text import markdown, number
from dtviz.ui.lessons.formulas import Spot

LONGEST = 300
SHARES = r"p_k = \frac{n_k + 1}{n + K}"
ODDS = r"p_2(x) = \frac{1}{1 + e^{-(a_j + \langle b_j, x \rangle)}}"
LINES = r"y_j(x) = a_j + \langle b_j, x \rangle"


def leaves(spot: Spot) -> None:
    """What each leaf model that suits the data would say of the node, and how wrong that is."""
    st.markdown(
        "**What a leaf predicts** is a choice (Settings, *A leaf predicts*). Were "
        f"{spot.name} a leaf:\n"
        + "\n".join(_told(spot, model) for model in leaf_models_for(spot.data))
    )
    if spot.data.classes:
        st.markdown(
            "Shares by Laplace, or of two classes by logistic regression, think no class "
            "impossible, so that the log loss of rows held out stays finite:"
        )
        st.latex(rf"{SHARES} \qquad {ODDS}" if len(spot.data.classes) == 2 else SHARES)
        return
    st.markdown(
        "A regression [H] explains a slope without a cut. So by squared error the cuts are "
        "searched by what the regressions of both sides leave, the *residual variance*, and not "
        "by the variance; rows are added to a side one by one, for every cut of every feature:"
    )
    st.latex(LINES)


def _told(spot: Spot, model: LeafModel) -> str:
    """What one says, in a line: '- **Mean**: ... Here **0.4**; squared error 0.2.'."""
    data, front = spot.data, unsorted([spot.rows])
    known = facts(data, front, Problem(data, spot.rules).criterion)
    (node,) = make_nodes(data, front, [1], known, model)
    params = np.tile(node.params, (spot.n, 1))
    own = own_weights(data)
    weights = None if own is None else own.take(spot.rows)
    y = data.y.take(spot.rows)
    lost = loss_of(data, y, model.predict(params, data.columns, spot.rows))
    score = score_by(data)
    wrong = f"{score.error} {score.text(float(np.average(lost, weights=weights)))}"
    if model.proba is not None:
        log = log_losses(model.proba.of(params, data.columns, spot.rows), y)
        wrong += f", log loss {number(float(np.average(log, weights=weights)))}"
    said = markdown(value_text(data, model, node), LONGEST)
    return f"- **{model.title}**: {model.about} Here **{said}**; {wrong}."
