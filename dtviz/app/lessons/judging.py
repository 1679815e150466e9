"""Lesson on judging: pruning, held-out rows, folds, bias and variance, stability."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from dtviz.app import state
from dtviz.app.lessons.lesson import (
    Lesson,
    expander,
    open_in_grow,
    picture,
    text_and_picture,
)
from dtviz.app.runs import work
from dtviz.base.progress import run_to_end
from dtviz.base.text import count, number
from dtviz.engine.prune import alpha_of, weakest_links
from dtviz.evaluate.curves import AXES, fold_errors, mean_and_error
from dtviz.evaluate.metrics import FOLDS, data_score
from dtviz.evaluate.stability import Shake, compare_trees
from dtviz.session.overfit import JudgedTree, curve_work
from dtviz.session.screen import Screen
from dtviz.session.session import MAX_ROWS_LEFT_OUT

MAX_FOLD_ROWS = 20_000
"""Number of rows up to which folds are grown on this page."""
MAX_ONE_OUT_COUNTS = 4_000_000
"""Rows squared times features times classes up to which the trees without one row are grown."""


def judging(lesson: Lesson) -> None:
    """Draw the lesson on how good a tree is, and how much of one is best kept."""
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
    text, live = text_and_picture("pruning")
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
    with live:
        _alpha_picture(lesson.screen)


def _alpha_picture(screen: Screen) -> None:
    """Draw the pictures and error curve of Overfit along alpha."""
    judging = replace(screen.session.judging, against="alpha", folds=0)  # folds take a while
    by_alpha = state.tab().screen(replace(screen.session, judging=judging))
    work(curve_work(by_alpha.judged))
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
    """Return the words on how many trees without a row make the cuts of the tree of all rows."""
    data, session, shake = screen.data, screen.session, Shake()
    counts = data.n**2 * len(data.features) * max(len(data.classes), 1)
    if data.n < 2 or data.n > MAX_ROWS_LEFT_OUT or counts > MAX_ONE_OUT_COUNTS:
        return "There are too few rows, or too many to do while a page is read: see *Stability*."
    result = screen.cache.get(
        ("one out", session.recipe, session.rules),
        lambda: run_to_end(compare_trees(data, session.rules, shake, data.columns[:, :1])),
    )
    n_equal = int((result.tree_ids[1:] == result.tree_ids[0]).sum())
    row = int(np.argmax(result.row_changes))
    change = float(result.row_changes[row])
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
        f"**Here:** {judged.training.n:,} training rows and {judged.held_words}; the tree of "
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
    sum_text = f"({number(risk)} - {number(max(below, 0.0))}) / {leaves - 1}"
    return f"**Here** the weakest link is node {node}: {sum_text} = **{number(alpha)}**."
