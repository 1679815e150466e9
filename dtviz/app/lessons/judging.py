"""Lessons on pruning, held-out rows, folds, bias and variance, stability, and forests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from dtviz.app import state
from dtviz.app.lessons.parts import Lesson, open_in_grow, picture
from dtviz.app.lessons.sections import Slots
from dtviz.app.runs import do_work
from dtviz.base.arrays import ROUNDING, Floats
from dtviz.base.progress import run_to_end
from dtviz.base.text import count, markdown, number
from dtviz.engine.ensembles import Plan, build, with_usual_depth
from dtviz.engine.ensembles.ensemble import ADABOOST, bootstrap_counts, initial_scores
from dtviz.engine.ensembles.trees import predictions
from dtviz.engine.importance import feature_dependence, feature_importances, features_by_importance
from dtviz.engine.prune import alpha_of, weakest_links
from dtviz.engine.search.best_split import default_max_features
from dtviz.evaluate.curves import AXES, fold_errors, mean_and_error
from dtviz.evaluate.metrics import FOLDS, data_score
from dtviz.evaluate.stability import StabilitySettings, compare_trees
from dtviz.explain.words import feature_value_texts, node_phrase
from dtviz.session.forest import tree_rules
from dtviz.session.overfit import curve_work, full_tree_work
from dtviz.session.session import MAX_ROWS_LEFT_OUT

SLOTS = Slots()
"""Slots of these sections; texts of one line stand at the end."""
MAX_FOLD_ROWS = 20_000
"""Training rows up to which the trees of folds are grown on this page."""
MAX_ONE_OUT_COUNTS = 4_000_000
"""Product of rows squared, features and classes up to which trees without one row are grown."""


@SLOTS.picture
def alpha_picture(lesson: Lesson) -> None:
    """Draw the pictures and error curve of Overfit along alpha."""
    screen = lesson.screen
    judging = replace(
        screen.session.judging, against="alpha", folds=0
    )  # growing folds takes a while
    by_alpha = state.tab().screen(replace(screen.session, judging=judging))
    grown = full_tree_work(by_alpha.session, by_alpha.data, by_alpha.cache)
    if by_alpha.data.source is not None and grown is not None and do_work(grown) is None:
        return
    do_work(curve_work(by_alpha.judged))
    picture("pruning_lesson", by_alpha)
    st.caption(
        "Drag along the curve: training and held-out error, larger trees to the left. The "
        "setting that you leave is that of Overfit and Grow."
    )


@SLOTS.text
def trees_without_a_row(lesson: Lesson) -> str:
    """Return the words on how many trees, each without one row, equal the tree of all rows."""
    screen = lesson.screen
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
        f"**Here**, for the settings, all cuts stay the same without {n_equal:,} of the "
        f"{count(data.n, 'row')}. The largest change is **{text}**, without row {row + 1}."
    )


OPEN_OVERFIT = "**Here** the rows stay in their engine: open *Overfit*, which counts them."
"""Words in the place of figures on a table that has not been counted."""


def _waits_for_overfit(lesson: Lesson) -> bool:
    """True for a table in its engine of which the full tree is not grown yet, as it takes long."""
    screen = lesson.screen
    work = full_tree_work(screen.session, screen.data, screen.cache)
    return screen.data.source is not None and work is not None


@SLOTS.text
def held_out_errors(lesson: Lesson) -> str:
    """Return the words on the errors of the tree on training and held-out rows."""
    if _waits_for_overfit(lesson):
        return OPEN_OVERFIT
    judged = lesson.screen.judged
    if judged.held is None:
        return "**Here:** one row leaves none to hold out."
    training, held = map(data_score(judged.data).text, judged.errors)
    return (
        f"**Here:** {judged.training.n_grown:,} training rows and {judged.held_text}; the tree of "
        f"the settings has {count(int(judged.split_mask.sum()) + 1, 'leaf')}, its error is "
        f"**{training}** on the first and **{held}** on the others."
    )


@SLOTS.text
def errors_of_folds(lesson: Lesson) -> str:
    """Return the words on the errors of the folds, or on why there are none."""
    if lesson.screen.data.source is not None:
        return OPEN_OVERFIT
    judged = lesson.screen.judged
    training, rules = judged.training, judged.session.rules
    if training.n < FOLDS or training.n > MAX_FOLD_ROWS:
        return "There are too few training rows, or too many to do while a page is read."
    errors = run_to_end(fold_errors(training, rules, AXES["alpha"], (rules.ccp_alpha,), FOLDS))
    text = data_score(training).text
    mean, error = (text(float(line[0])) for line in mean_and_error(errors))
    texts = ", ".join(map(text, errors[:, 0].tolist()))
    return f"**Here**, for the settings: {texts}, so **{mean} ± {error}**."


@SLOTS.text
def weakest_link(lesson: Lesson) -> str:
    """Return the words on the weakest link of the tree that is judged."""
    if _waits_for_overfit(lesson):
        return OPEN_OVERFIT
    nodes, split_mask = lesson.screen.judged.nodes, lesson.screen.judged.split_mask
    link = next(weakest_links(nodes, split_mask), None)
    if link is None:
        return "**Here:** the root alone has no link."
    alpha, leaves = alpha_of(nodes, split_mask, link.index)
    risk = float(nodes.risk[link.index])
    below = risk - alpha * (leaves - 1)
    fraction_text = f"({number(risk)} - {number(max(below, 0.0))}) / {leaves - 1}"
    name = node_phrase(nodes.ids[link.index])
    return f"**Here** the weakest link is {name}: {fraction_text} = **{number(alpha)}**."


@SLOTS.block
def xor_link(lesson: Lesson) -> None:
    """Draw the link to XOR in Grow."""
    open_in_grow("Open XOR in Grow", "xor", data="xor")


MAX_ROWS = 20_000
"""Rows up to which trees are grown on this page."""
MAX_FEATURES_NAMED = 3
"""Features named with their importance, at most."""
MAX_PREDICTIONS = 400_000
"""Predictions for a partial dependence on this page, at most: rows times values of a feature."""


@SLOTS.text
def importances(lesson: Lesson) -> str:
    """Return the words on the importance of the first features to the tree; '' without a split."""
    data, tree = lesson.screen.data, lesson.end_tree
    if not tree.splits:
        return ""
    shares = feature_importances(data, tree)
    order = np.argsort(-shares, kind="stable")[:MAX_FEATURES_NAMED].tolist()
    percent = (100 * shares).tolist()
    texts = (f"{markdown(data.features[f])} **{number(percent[f], 3)} %**" for f in order)
    return f"**Here**, in the tree at the end of the time-line: {', '.join(texts)}."


@SLOTS.text
def dependence_range(lesson: Lesson) -> str:
    """Return the words on the partial dependence on the most important feature; '' without one."""
    data, tree = lesson.screen.data, lesson.end_tree
    if not (features := features_by_importance(data, tree)):
        return ""
    curve = feature_dependence(data, tree, features[0], MAX_PREDICTIONS)
    k = int(np.argmax(np.ptp(curve.mean, axis=0)))
    means = curve.mean[:, k]
    low, high = (_last_index(extreme(means), means) for extreme in (np.min, np.max))
    first, second = feature_value_texts(data, features[0], curve.grid_values[[low, high]])
    predicted = f"share of {markdown(data.class_names[k])}" if data.classes else "prediction"
    low_text, high_text = (number(float(means[index])) for index in (low, high))
    return (
        f"**Here**, along {markdown(data.features[features[0]])}, the mean {predicted} goes from "
        f"**{low_text}** at {markdown(first)} to **{high_text}** at {markdown(second)}."
    )


def _last_index(value: float, means: Floats) -> int:
    """Return the last index with that mean: the first may lie just above a threshold."""
    return int(np.flatnonzero(np.isclose(means, value, atol=0))[-1])


@SLOTS.text
def out_of_first_bag(lesson: Lesson) -> str:
    """Return the words on the share of rows that the first draw on Forest lacks."""
    n = lesson.screen.data.n
    if n > MAX_ROWS:
        return ""
    share = float(np.mean(bootstrap_counts(n, 1, 0)[0] == 0))
    return f"; of the first draw on Forest {number(100 * share, 3)} % are out"


@SLOTS.text
def first_vote(lesson: Lesson) -> str:
    """Return the words on the vote and weights of AdaBoost's first round; '' without a vote."""
    data = lesson.screen.data
    if not data.classes or len(data.classes) < 2 or data.n > MAX_ROWS:
        return ""
    rules = tree_rules(lesson.screen.session)
    ensemble = run_to_end(build(data, rules, Plan("adaboost", 1)))
    wrong = predictions(ensemble.members, data.columns)[0] != data.y
    weights = np.ones(data.n) if data.weights is None else data.weights
    error = float(weights[wrong].sum() / weights.sum())
    depth = with_usual_depth(ADABOOST, rules).max_depth
    if not 0 < error < 1 - 1 / len(data.classes):
        return ""
    alpha = float(np.log((1 - error) / error) + np.log(len(data.classes) - 1))
    return (
        f"**Here** the first tree of depth {depth} gets {number(100 * error, 4)} % wrong: "
        f"$\\alpha$ = **{number(alpha)}**, and the rows it gets wrong weigh "
        f"**{number(float(np.exp(alpha)))}** times as much next."
    )


@SLOTS.text
def first_scores(lesson: Lesson) -> str:
    """Return the words on the constant that gradient boosting begins with; '' for one class."""
    data = lesson.screen.data
    if len(data.classes) == 1:
        return ""
    start = initial_scores(data)
    if not data.classes:
        text = f"the mean of {markdown(data.target)}, **{number(float(start[0]))}**"
    elif len(start) == 1:
        name = markdown(data.class_names[1])
        text = f"the log-odds of {name}, **{number(float(start[0]))}**"
    elif not np.abs(start).max() > ROUNDING:
        text = "**0** for each class"
    else:
        pairs = zip(data.class_names[:4], start.tolist(), strict=False)
        text = ", ".join(f"**{number(v)}** for {markdown(k)}" for k, v in pairs)
    return f"**Here** it starts at {text}."


SLOTS.texts(
    out_of_bag_chance=lambda lesson: number(
        100 * (1 - 1 / lesson.screen.data.n) ** lesson.screen.data.n, 4
    ),
    row_count=lambda lesson: count(lesson.screen.data.n, "row"),
    features_drawn=lambda lesson: count(
        default_max_features(len(lesson.screen.data.features)), "feature"
    ),
)
