"""Lesson on ensembles: bagging, forests, boosting, importance, partial dependence."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dtviz.app.lessons.lesson import Lesson
from dtviz.base.arrays import Floats
from dtviz.base.progress import run_to_end
from dtviz.base.text import count, markdown, number
from dtviz.data.dataset import Dataset
from dtviz.engine.ensembles import Plan, build, rules_of
from dtviz.engine.ensembles.boosting import ADABOOST, first_scores
from dtviz.engine.ensembles.ensemble import bootstrap_counts
from dtviz.engine.ensembles.trees import predictions
from dtviz.engine.importance import (
    feature_dependence,
    feature_importances,
    features_by_importance,
)
from dtviz.engine.search.random_splits import default_max_features
from dtviz.explain.words import values_text
from dtviz.session.forest import tree_rules

MAX_ROWS = 20_000
"""Number of rows up to which trees are grown on this page."""
FEATURES_NAMED = 3
"""Number of features named with their importance."""
MAX_PREDICTIONS = 400_000
"""Rows times values of a feature that are predicted on this page."""


def forests(lesson: Lesson) -> None:
    """Draw the lesson on ensembles."""
    data = lesson.screen.data
    _bags(data)
    _adaboost(lesson)
    _gradient(data)
    _importance(lesson)
    _partial_dependence(lesson)
    st.markdown(
        "**Why did *that* model split here?** `dtviz.explore(model, X, y)` opens Grow on a tree "
        "that scikit-learn, LightGBM or XGBoost has grown, each cut beside all it passed over. Its "
        "regret is what the best of them gains more: a node of a forest sees few features, "
        "a booster few thresholds."
    )


def _importance(lesson: Lesson) -> None:
    """Draw the part on the importance of features, to one tree and to many."""
    st.markdown(
        "**What a feature is worth.** *Impurity*: the decreases of the splits $T_j$ that ask "
        "feature $j$ (gain $g_t$ times share of the rows) as a share of all splits'; over "
        "many trees their mean. It is read off the training rows and leans to features with many "
        "values."
    )
    st.latex(r"w_j = \sum_{t \in T_j} \tfrac{n_t}{n} \, g_t \Big/ \sum_t \tfrac{n_t}{n} \, g_t")
    if lesson.end_tree.splits:
        data = lesson.screen.data
        importances = feature_importances(data, lesson.end_tree)
        order = np.argsort(-importances, kind="stable")[:FEATURES_NAMED].tolist()
        percent = (100 * importances).tolist()
        texts = (f"{markdown(data.features[f])} **{number(percent[f], 3)} %**" for f in order)
        st.markdown(f"**Here**, in the tree at the end of the time-line: {', '.join(texts)}.")
    st.markdown(
        "*Permutation*: how much the error rises once the feature's column is shuffled, its tie "
        "with the target being cut; in a forest on the rows out of bag [Breiman 2001]."
    )


def _partial_dependence(lesson: Lesson) -> None:
    """Draw the part on partial dependence, with the most important feature of the tree."""
    st.markdown(
        "**Along one feature.** What a tree makes of feature $j$ shows in its **partial "
        "dependence**: all rows are asked with $x_j$ set to $v$, the others as they are, and the "
        "mean is taken [Friedman 2001]. On Grow the tab *Features* draws it. Where features hang "
        "together, some of the rows so made are such as never occur."
    )
    st.latex(
        r"\bar f_j(v) = \frac1n \sum_i f(x_{i1}, \, \ldots, \, x_{ij} = v, \, \ldots, \, x_{iM})"
    )
    data, tree = lesson.screen.data, lesson.end_tree
    if not (features := features_by_importance(data, tree)):
        return
    curve = feature_dependence(data, tree, features[0], MAX_PREDICTIONS)
    k = int(np.argmax(np.ptp(curve.mean, axis=0)))
    means = curve.mean[:, k]
    low, high = (_last_index(extreme(means), means) for extreme in (np.min, np.max))
    first, second = values_text(data, features[0], curve.grid_values[[low, high]])
    what = f"share of {markdown(data.class_names[k])}" if data.classes else "prediction"
    low_text, high_text = (number(float(means[index])) for index in (low, high))
    st.markdown(
        f"**Here**, along {markdown(data.features[features[0]])}, the mean {what} goes from "
        f"**{low_text}** at {markdown(first)} to **{high_text}** at {markdown(second)}."
    )


def _last_index(value: float, means: Floats) -> int:
    """Return the last index with that mean: the first may stand just above a threshold."""
    return int(np.flatnonzero(np.isclose(means, value, atol=0))[-1])


def _bags(data: Dataset) -> None:
    """Draw the part on bagging and random forests."""
    st.markdown(
        "One tree hangs on single rows. **Bagging** grows many, each on $n$ rows drawn *with "
        "replacement*: a row that is drawn twice counts twice. Their majority vote, or their "
        "mean, varies less than any one of them. A **random forest** goes on: every node tries "
        "only $d$ features, drawn anew, $d = \\sqrt M$ as a rule, so that the trees err on "
        "different rows [C]. **Extra trees** draw the thresholds too, one a feature.\n\n"
        "A row is in no draw with probability"
    )
    st.latex(r"\left(1 - \tfrac1n\right)^n \to \tfrac1e = 0.3679")
    out_share = (
        float(np.mean(bootstrap_counts(data.n, 1, 0)[0] == 0)) if data.n <= MAX_ROWS else np.nan
    )
    drawn = (
        ""
        if np.isnan(out_share)
        else f"; of the first draw on Forest {number(100 * out_share, 3)} % are out"
    )
    n_features, never = len(data.features), number(100 * (1 - 1 / data.n) ** data.n, 4)
    drawn_features = count(default_max_features(n_features), "feature")
    st.markdown(
        f"**Here** that is {never} % of {count(data.n, 'row')}"
        f"{drawn}; a node draws {drawn_features} of {n_features}. Every row is judged by the "
        "trees it is **out of bag** of: the error needs no other rows. The band on page "
        "**Forest** is one standard error of the rows' mean loss."
    )


def _adaboost(lesson: Lesson) -> None:
    """Draw the part on AdaBoost, with the vote and weights of its first round."""
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
    if not data.classes or len(data.classes) < 2 or data.n > MAX_ROWS:
        return
    rules = tree_rules(lesson.screen.session)
    ensemble = run_to_end(build(data, rules, Plan("adaboost", 1)))
    wrong = predictions(ensemble.members, data.columns)[0] != data.y
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
    """Draw the part on gradient boosting, with the constant that it begins with."""
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
        text = f"the mean of {markdown(data.target)}, **{number(float(start[0]))}**"
    elif len(start) == 1:
        name = markdown(data.class_names[1])
        text = f"the log-odds of {name}, **{number(float(start[0]))}**"
    else:
        pairs = zip(data.class_names[:4], start.tolist(), strict=False)
        text = "a sum a class: " + ", ".join(f"{markdown(k)} **{number(v)}**" for k, v in pairs)
    st.markdown(f"**Here** it begins with {text}.")
