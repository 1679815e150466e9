"""Lessons on pruning, held-out rows, folds, bias and variance, stability, and forests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from dtviz.app import state
from dtviz.app.lessons.parts import Lesson, expander, open_in_grow, picture, text_and_picture
from dtviz.app.runs import do_work
from dtviz.base.arrays import Floats
from dtviz.base.progress import run_to_end
from dtviz.base.text import count, markdown, number
from dtviz.data.dataset import Dataset
from dtviz.engine.ensembles import Plan, build, with_usual_depth
from dtviz.engine.ensembles.ensemble import ADABOOST, bootstrap_counts, initial_scores
from dtviz.engine.ensembles.trees import predictions
from dtviz.engine.importance import feature_dependence, feature_importances, features_by_importance
from dtviz.engine.prune import alpha_of, weakest_links
from dtviz.engine.search.best_split import default_max_features
from dtviz.evaluate.curves import AXES, fold_errors, mean_and_error
from dtviz.evaluate.metrics import FOLDS, data_score
from dtviz.evaluate.stability import StabilitySettings, compare_trees
from dtviz.explain.words import feature_value_texts
from dtviz.session.forest import tree_rules
from dtviz.session.overfit import JudgedTree, curve_work
from dtviz.session.screen import Screen
from dtviz.session.session import MAX_ROWS_LEFT_OUT

MAX_FOLD_ROWS = 20_000
"""Training rows up to which the trees of folds are grown on this page."""
MAX_ONE_OUT_COUNTS = 4_000_000
"""Product of rows squared, features and classes up to which trees without one row are grown."""


def judging_lesson(lesson: Lesson) -> None:
    """Draw the lesson on how good a tree is, and on how much of a tree to keep."""
    judged = lesson.screen.judged
    _pruning(lesson, judged)
    _held_out(judged)
    expander("folds", "K folds: their errors here", lambda: st.markdown(fold_words(judged)))
    _variance()
    _stability()
    title = "The trees without a row, here"
    expander("one_out", title, lambda: st.markdown(one_out_words(lesson.screen)))
    st.markdown(
        "**Greedy's limit.** The best cut at the root need not begin the best tree: on XOR every "
        "first cut gains almost nothing, and the best tree of depth 2 makes no mistake. Overfit "
        "searches all pairs of levels beside the greedy tree. Others may be as good: it counts "
        "those that lower the impurity by at least 99 % of what the best does, and draws how they "
        "differ. For depth 3 and more it finds the tree with the fewest mistakes, where pycontree "
        "is installed."
    )
    open_in_grow("Open XOR in Grow", "xor", data="xor")


def _held_out(judged: JudgedTree) -> None:
    """Draw the parts on held-out rows and folds."""
    st.markdown(
        "**Held out.** What a tree is worth shows on rows it has never seen: a share of the rows, "
        "of every class alike, is kept back, and the **error** "
        "is the share of wrong classes, for a number the mean squared error. Page **Overfit** "
        "draws both against depth, leaf size, leaves or alpha; its sliders show the tree of every "
        "setting [C, M]. A table may say itself which rows are for *training*, which for "
        "*validation*, to choose a tree by, and which for *test*: these choose nothing, so that "
        "their error is honest at the end.\n\n" + _rows_words(judged)
    )
    st.markdown(
        "**K folds.** Every training row is left out once: the rows are parted into K folds, each "
        "is judged on a tree grown on the others. Mean and standard error of the K errors are "
        "below; the **one-standard-error** choice is the simplest tree whose mean is no more than "
        "one standard error above the least."
    )
    st.latex(
        r"\bar e = \frac{1}{K} \sum_k e_k \qquad "
        r"\mathrm{se} = \frac{1}{\sqrt K} \sqrt{\frac{1}{K-1} \sum_k (e_k - \bar e)^2}"
    )


def _pruning(lesson: Lesson, judged: JudgedTree) -> None:
    """Draw the part on cost-complexity pruning, with the trees along alpha."""
    text, picture_column = text_and_picture("pruning")
    with text:
        st.markdown(
            "A tree without limits learns its rows by heart. **Pruning** takes splits back. The "
            "risk $R$ of a tree is the impurity of its leaves times their share of the rows, "
            "added up; every leaf costs $\\alpha$ (`ccp_alpha`) more [M]:"
        )
        st.latex(r"R_\alpha(T) = R(T) + \alpha \, |T|")
        st.markdown(
            "A *link* is a split $t$ with all below it, $T_t$. It goes once its leaves lower the "
            "risk by less than they cost, the weakest link first:"
        )
        st.latex(r"\alpha(t) = \frac{R(t) - R(T_t)}{|T_t| - 1}")
        st.markdown(
            f"{_link_words(judged)} *Reduced error* prunes wherever the held-out rows lose nothing."
        )
    with picture_column:
        _alpha_picture(lesson.screen)


def _alpha_picture(screen: Screen) -> None:
    """Draw the pictures and error curve of Overfit along alpha."""
    judging = replace(
        screen.session.judging, against="alpha", folds=0
    )  # growing folds takes a while
    by_alpha = state.tab().screen(replace(screen.session, judging=judging))
    do_work(curve_work(by_alpha.judged))
    picture("pruning_lesson", by_alpha, "rows")
    st.caption(
        "Drag along the curve: training and held-out error, larger trees to the left. The "
        "setting that you leave is that of Overfit and Grow."
    )


def _variance() -> None:
    """Draw the part on bias and variance."""
    st.markdown(
        "**Bias and variance.** Trees grown on resampled rows differ: how far they are from their "
        "mean is the variance, how far their mean is from the truth the bias. For a number the "
        "error of one tree is exactly a sum, whose first part is the bias squared plus the noise "
        "of $y$:"
    )
    st.latex(r"\overline{(y - f_b)^2} = (y - \bar f)^2 + \overline{(f_b - \bar f)^2}")


def _stability() -> None:
    """Draw the part on stability."""
    st.markdown(
        "**Stability.** Where two cuts gain almost the same one row decides between them, and all "
        "below follows: a tree of slightly other rows may be quite another tree [M]. Page "
        "**Stability** grows the tree without each of the rows, without some, or on rows drawn "
        "again and again, all of them together, and draws their cuts over one another. How much "
        "the tree $f_{-i}$ without row $i$ changes is the share of the rows, or of the picture, "
        "where it predicts otherwise; for a number how far it is off on average."
    )
    st.latex(r"\text{change}_i = \frac{1}{n} \sum_j \left[ f_{-i}(x_j) \ne f(x_j) \right]")


def one_out_words(screen: Screen) -> str:
    """Return the words on how many trees, each without one row, equal the tree of all rows."""
    data, session, shake = screen.data, screen.session, StabilitySettings()
    n_counts = data.n**2 * len(data.features) * max(len(data.classes), 1)
    if data.n < 2 or data.n > MAX_ROWS_LEFT_OUT or n_counts > MAX_ONE_OUT_COUNTS:
        return "There are too few rows, or too many to do while a page is read: see *Stability*."
    result = screen.cache.get(
        ("one out", session.recipe, session.rules),
        lambda: run_to_end(compare_trees(data, session.rules, shake, data.columns[:, :1])),
    )
    n_equal = int((result.tree_ids[1:] == result.tree_ids[0]).sum())
    row = int(np.argmax(result.changes_over_rows))
    change = float(result.changes_over_rows[row])
    text = data_score(data).text(change) if data.classes else number(change)
    return (
        f"**Here**, for the settings, {n_equal:,} of {count(data.n, 'tree')} without a row make "
        f"the cuts of the tree of all rows. The largest change is **{text}**, without row "
        f"{row + 1}."
    )


def _rows_words(judged: JudgedTree) -> str:
    if judged.held is None:
        return "**Here:** one row leaves none to hold out."
    training, held = map(data_score(judged.data).text, judged.errors)
    return (
        f"**Here:** {judged.training.n:,} training rows and {judged.held_text}; the tree of "
        f"the settings has {count(int(judged.split_mask.sum()) + 1, 'leaf')}, its error is "
        f"**{training}** on the first and **{held}** on the others."
    )


def fold_words(judged: JudgedTree) -> str:
    """Return the words on the errors of the folds, or on why there are none."""
    training, rules = judged.training, judged.session.rules
    if training.n < FOLDS or training.n > MAX_FOLD_ROWS:
        return "There are too few training rows, or too many to do while a page is read."
    errors = run_to_end(fold_errors(training, rules, AXES["alpha"], (rules.ccp_alpha,), FOLDS))
    text = data_score(training).text
    mean, error = (text(float(line[0])) for line in mean_and_error(errors))
    texts = ", ".join(map(text, errors[:, 0].tolist()))
    return f"**Here**, for the settings: {texts}, so **{mean} ± {error}**."


def _link_words(judged: JudgedTree) -> str:
    nodes, split_mask = judged.nodes, judged.split_mask
    link = next(weakest_links(nodes, split_mask), None)
    if link is None:
        return "**Here:** the root alone has no link."
    alpha, leaves = alpha_of(nodes, split_mask, link.index)
    risk = float(nodes.risk[link.index])
    below = risk - alpha * (leaves - 1)
    node = nodes.ids[link.index]
    fraction_text = f"({number(risk)} - {number(max(below, 0.0))}) / {leaves - 1}"
    return f"**Here** the weakest link is node {node}: {fraction_text} = **{number(alpha)}**."


MAX_ROWS = 20_000
"""Rows up to which trees are grown on this page."""
MAX_FEATURES_NAMED = 3
"""Features named with their importance, at most."""
MAX_PREDICTIONS = 400_000
"""Predictions for a partial dependence on this page, at most: rows times values of a feature."""


def ensembles_lesson(lesson: Lesson) -> None:
    """Draw the lesson on ensembles."""
    data = lesson.screen.data
    _bagging(data)
    _adaboost(lesson)
    _gradient_boosting(data)
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
        order = np.argsort(-importances, kind="stable")[:MAX_FEATURES_NAMED].tolist()
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
    first, second = feature_value_texts(data, features[0], curve.grid_values[[low, high]])
    predicted = f"share of {markdown(data.class_names[k])}" if data.classes else "prediction"
    low_text, high_text = (number(float(means[index])) for index in (low, high))
    st.markdown(
        f"**Here**, along {markdown(data.features[features[0]])}, the mean {predicted} goes from "
        f"**{low_text}** at {markdown(first)} to **{high_text}** at {markdown(second)}."
    )


def _last_index(value: float, means: Floats) -> int:
    """Return the last index with that mean: the first may lie just above a threshold."""
    return int(np.flatnonzero(np.isclose(means, value, atol=0))[-1])


def _bagging(data: Dataset) -> None:
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
    n_features, never_drawn = len(data.features), number(100 * (1 - 1 / data.n) ** data.n, 4)
    drawn_features = count(default_max_features(n_features), "feature")
    st.markdown(
        f"**Here** that is {never_drawn} % of {count(data.n, 'row')}"
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
    depth = with_usual_depth(ADABOOST, rules).max_depth
    if not 0 < error < 1 - 1 / len(data.classes):
        return
    alpha = float(np.log((1 - error) / error) + np.log(len(data.classes) - 1))
    st.markdown(
        f"**Here** the first tree of depth {depth} gets {number(100 * error, 4)} % wrong: "
        f"$\\alpha$ = **{number(alpha)}**, and the rows it gets wrong weigh "
        f"**{number(float(np.exp(alpha)))}** times as much next."
    )


def _gradient_boosting(data: Dataset) -> None:
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
    start = initial_scores(data)
    if not data.classes:
        text = f"the mean of {markdown(data.target)}, **{number(float(start[0]))}**"
    elif len(start) == 1:
        name = markdown(data.class_names[1])
        text = f"the log-odds of {name}, **{number(float(start[0]))}**"
    else:
        pairs = zip(data.class_names[:4], start.tolist(), strict=False)
        text = "a sum a class: " + ", ".join(f"{markdown(k)} **{number(v)}**" for k, v in pairs)
    st.markdown(f"**Here** it begins with {text}.")
