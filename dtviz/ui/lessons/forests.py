"""Learn, the section on many trees: bagging, forests, boosting, what features are worth."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dtviz.engine.draws import usual_features
from dtviz.engine.ensembles import Plan, build, rules_of
from dtviz.engine.ensembles.boosting import ADABOOST, first_scores
from dtviz.engine.ensembles.independent import bootstrap
from dtviz.engine.members import predictions
from dtviz.slices import finished
from dtviz.table.data import Dataset
from dtviz.text import count, markdown, number
from dtviz.ui.lessons.lesson import Lesson

MOST_ROWS = 20_000
"""Of more rows no tree is grown while a page is read."""


def forests(lesson: Lesson) -> None:
    """The section."""
    data = lesson.screen.data
    _bags(data)
    _adaboost(lesson)
    _gradient(data)
    st.markdown(
        "**What a feature is worth.** *Impurity*: the decreases of all splits that ask it, "
        "$\\frac{n_t}{n}$ times the gain, as shares of their sum, over all trees. It is read off "
        "the training rows and leans to features with many values. *Permutation*: how much the "
        "error rises once the feature's column is shuffled, its tie with the target being cut; "
        "in a forest on the rows out of bag [Breiman 2001].\n\n"
        "**Why did *that* model split here?** `dtviz.explore(model, X, y)` opens Grow on a tree "
        "that scikit-learn, LightGBM or XGBoost has grown, each cut beside all it passed over. Its "
        "regret is what the best of them gains more: a node of a forest sees few features, "
        "a booster few thresholds."
    )


def _bags(data: Dataset) -> None:
    """Rows drawn with replacement, and features a split."""
    st.markdown(
        "One tree hangs on single rows. **Bagging** grows many, each on $n$ rows drawn *with "
        "replacement*: a row that is drawn twice counts twice. Their majority vote, or their "
        "mean, varies less than any one of them. A **random forest** goes on: every node tries "
        "only $d$ features, drawn anew, $d = \\sqrt M$ as a rule, so that the trees err on "
        "different rows [C]. **Extra trees** draw the thresholds too, one a feature.\n\n"
        "A row is in no draw with probability"
    )
    st.latex(r"\left(1 - \tfrac1n\right)^n \to \tfrac1e = 0.3679")
    out = float(np.mean(bootstrap(data.n, 1, 0)[0] == 0)) if data.n <= MOST_ROWS else np.nan
    drawn = (
        "" if np.isnan(out) else f"; of the first draw on Forest {number(100 * out, 3)} % are out"
    )
    features, never = len(data.features), number(100 * (1 - 1 / data.n) ** data.n, 4)
    some = count(usual_features(features), "feature")
    st.markdown(
        f"**Here** that is {never} % of {count(data.n, 'row')}"
        f"{drawn}; a node draws {some} of {features}. Every row is judged by the trees it is "
        "**out of bag** of: the error needs no other rows. The band on page **Forest** is one "
        "standard error of the rows' mean loss."
    )


def _adaboost(lesson: Lesson) -> None:
    """Weights and votes of the first round."""
    st.markdown(
        "**AdaBoost** (SAMME). Each tree, a stump unless a depth is set, grows on weighted rows; "
        "with the weighted share $\\epsilon$ of rows it gets wrong and $K$ classes its vote is "
        "$\\alpha$, and the wrong rows weigh $e^\\alpha$ times as much for the next:"
    )
    st.latex(
        r"\alpha = \ln \frac{1 - \epsilon}{\epsilon} + \ln (K - 1) \qquad "
        r"w_i \leftarrow w_i \, e^{\alpha [f(x_i) \ne y_i]}"
    )
    data = lesson.screen.data
    if not data.classes or len(data.classes) < 2 or data.n > MOST_ROWS:
        return
    rules = lesson.screen.session.rules
    first = finished(build(data, rules, Plan("adaboost", 1)))
    wrong = predictions(first.members, data.columns)[0] != data.y
    weights = np.ones(data.n) if data.weights is None else data.weights
    error = float(weights[wrong].sum() / weights.sum())
    depth = rules_of(ADABOOST, rules).max_depth
    if not 0 < error < 1 - 1 / len(data.classes):
        return
    alpha = float(np.log((1 - error) / error) + np.log(len(data.classes) - 1))
    st.markdown(
        f"**Here** the first tree of depth {depth} gets {number(100 * error, 4)} % wrong: "
        f"$\\alpha$ = **{number(alpha)}**, and the rows it gets wrong weigh "
        f"**{number(float(np.exp(alpha)))}** times as much next."
    )


def _gradient(data: Dataset) -> None:
    """What the sum begins with, and what trees add."""
    st.markdown(
        "**Gradient boosting.** The prediction is a sum that begins with a constant. Every round "
        "a small regression tree grows on what is left to explain (the negative gradient of the "
        "loss), and $\\nu$ of it is added. For the squared error that is the residual $y - F$; "
        "for the log loss of two classes $y - p$, $p = 1 / (1 + e^{-F})$, and a leaf adds one "
        "Newton step [Friedman 2001]:"
    )
    st.latex(
        r"F \leftarrow F + \nu \, \gamma_{R(x)} \qquad "
        r"\gamma_R = \frac{\sum_{i \in R} (y_i - p_i)}{\sum_{i \in R} p_i (1 - p_i)}"
    )
    if len(data.classes) == 1:
        return
    start = first_scores(data)
    if not data.classes:
        said = f"the mean of {markdown(data.target)}, **{number(float(start[0]))}**"
    elif len(start) == 1:
        name = markdown(data.class_names[1])
        said = f"the log-odds of {name}, **{number(float(start[0]))}**"
    else:
        pairs = zip(data.class_names[:4], start.tolist(), strict=False)
        said = "a sum a class: " + ", ".join(f"{markdown(k)} **{number(v)}**" for k, v in pairs)
    st.markdown(f"**Here** it begins with {said}.")
