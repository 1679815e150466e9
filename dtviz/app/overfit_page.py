"""Overfit: depth, leaf size and pruning against the error on held-out rows, and its panels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from dtviz.app import controls, state
from dtviz.app.greedy_panel import greedy_limit
from dtviz.app.head import corner, head_controls
from dtviz.app.page import PageSpec
from dtviz.app.runs import compute, do_all_work, do_work, is_wanted
from dtviz.base.arrays import Floats
from dtviz.base.lazy import pd
from dtviz.base.text import clean, count, html, markdown, number, quoted
from dtviz.data.dataset import Dataset, rows_in_memory
from dtviz.engine.prune import alpha_path, prune_at_alpha, reduced_error_links, weakest_links
from dtviz.engine.subtrees import splits_kept_by_rules
from dtviz.engine.tree import leaf_probabilities, predict
from dtviz.evaluate.curves import AXES, mean_and_error, rule_value_label
from dtviz.evaluate.measures import ERROR, mean_loss
from dtviz.evaluate.metrics import (
    FOLDS,
    SHARE_DECIMALS,
    Confusion,
    ThresholdCurve,
    calls_at,
    confusion,
    counted_confusion,
    data_score,
    error_summary,
    threshold_curve,
)
from dtviz.evaluate.validation import (
    DEPTHS,
    GRID_RULES,
    N_SIZES,
    RESAMPLES,
    grid,
    learning_errors,
    resample_spread,
)
from dtviz.explain.words import SETTINGS, node_name, node_phrase, rule_value_text
from dtviz.pictures.overfit import HELD_OUT_TITLES
from dtviz.pictures.scales import class_colour, tint
from dtviz.pictures.stage_cuts import pinned_values
from dtviz.pictures.tree import plane_points
from dtviz.session.overfit import (
    JudgedTree,
    RowSplit,
    full_tree_key,
    full_tree_work,
    overfit_works,
    work_key,
)
from dtviz.session.screen import Screen
from dtviz.session.session import LEAVE_ONE_OUT, MAX_ROWS_LEFT_OUT, MAX_THRESHOLD, Session

MAX_CLASSES_LISTED = 20
MAX_DEPTHS = 20  # of bias and variance by depth


def mistakes(screen: Screen) -> None:
    """Draw the panel Mistakes: the confusion of classes, or predicted against true numbers."""
    judged = screen.judged
    rows = _rows_choice(judged)
    if rows.classes and judged.is_counted:
        nodes = judged.tree.nodes.keys()
        key = full_tree_key("confusion", judged.session, frozenset(nodes), rows is judged.held)
        matrix = compute(key, lambda: counted_confusion(rows, judged.tree), "Counting mistakes")
        if matrix is not None:
            _draw_confusion(rows, matrix)
        return
    predictions = predict(judged.tree, rows.columns)
    if rows.classes:
        _draw_confusion(rows, confusion(rows, predictions))
    elif rows.n:
        _draw_numbers(rows, predictions, judged.shown_sentence)


def _rows_choice(judged: JudgedTree) -> Dataset:
    """Draw the choice between held-out and training rows, if both exist; return those chosen."""
    if judged.held is None:
        return judged.training
    rows_by_title = {HELD_OUT_TITLES[judged.role]: judged.held, "Training": judged.training}
    title = st.segmented_control(
        "Rows",
        [*rows_by_title],
        default=next(iter(rows_by_title)),
        required=True,
        key="mistakes_of",
        label_visibility="collapsed",
    )
    return rows_by_title[str(title)]


def _draw_confusion(rows: Dataset, matrix: Confusion) -> None:
    """Draw the confusion of classes with the accuracy."""
    st.html(confusion_table(rows.class_names, matrix))
    n_right = int(np.trace(matrix.rows))
    accuracy = _share_text(matrix.accuracy)
    sentences = [f"{n_right:,} of {count(rows.n_grown, 'row')} right: accuracy {accuracy}."]
    if matrix.weights is not None:
        sentences.append("In brackets: what the rows weigh. The shares are of that weight.")
    if cost := _cost_text(rows, matrix):
        sentences.append(cost)
    if len(rows.classes) > MAX_CLASSES_LISTED:
        sentences.append(
            f"The {MAX_CLASSES_LISTED} classes with most rows, of {len(rows.classes):,}."
        )
    st.caption(controls.sentence(" ".join(sentences)))


def confusion_table(names: tuple[str, ...], matrix: Confusion) -> str:
    """Return the confusion as an HTML table: a line a true class, a column a predicted class."""
    most_frequent = np.argsort(-matrix.rows.sum(axis=1), kind="stable")
    codes = np.sort(most_frequent[:MAX_CLASSES_LISTED]).tolist()
    heads = "".join(f'<th scope="col">{_class_html(names, code)}</th>' for code in codes)
    lines = [f'<tr><th scope="col">is ↓ called →</th>{heads}<th scope="col">recall</th></tr>']
    for code in codes:
        cells = "".join(_cell(matrix, code, column) for column in codes)
        name, recall = _class_html(names, code), _share_text(float(matrix.recall[code]))
        lines.append(f'<tr><th scope="row">{name}</th>{cells}<td>{recall}</td></tr>')
    precisions = [_share_text(float(matrix.precision[code])) for code in codes]
    last_line = "".join(f"<td>{precision}</td>" for precision in precisions)
    lines.append(f'<tr><th scope="row">precision</th>{last_line}<td></td></tr>')
    return f'<div class="confusion" tabindex="0"><table>{"".join(lines)}</table></div>'


def _cell(matrix: Confusion, code: int, predicted: int) -> str:
    """Return a cell with its number of rows, darker the larger their share of the true class is."""
    n_rows, amounts = int(matrix.rows[code, predicted]), matrix.amounts
    if not n_rows:
        return '<td class="none">0</td>'
    amount = amounts[code, predicted]
    share = float(amount / (amounts[code].sum() or 1.0))
    weight = "" if matrix.weights is None else f" <small>({number(amount)})</small>"
    colour = tint(class_colour(predicted), round(0.1 + 0.3 * share, 3))
    return f'<td style="background:{colour}">{n_rows:,}{weight}</td>'


def _class_html(names: tuple[str, ...], code: int) -> str:
    """Return a class as HTML: a patch of its colour, and its name."""
    return f'<i style="background:{class_colour(code)}"></i>{html(names[code], MAX_CLASS_LETTERS)}'


def _share_text(share: float) -> str:
    return "-" if np.isnan(share) else f"{number(100 * share, 3)}\u00a0%"


def _draw_numbers(rows: Dataset, predictions: Floats, shown_sentence: str) -> None:
    """Draw the chart of predicted against true numbers, with the errors."""
    from dtviz.pictures.charts import predicted_against_target

    controls.chart(
        predicted_against_target(rows, predictions, state.theme()),
        "told_against",
        "What is predicted for each row against what it is",
    )
    loss = error_summary(rows, predictions)
    st.caption(
        f"R² {number(loss.r2)}, mean absolute error {number(loss.absolute_error)}, mean squared "
        f"error {number(loss.squared_error)}. On the line a prediction is right. {shown_sentence}"
    )


MAX_CLASS_LETTERS = 24
"""Letters of the name of a class."""
MAX_THRESHOLDS = 200
"""Thresholds of a class share to choose from; of more an even choice."""


def threshold(screen: Screen) -> None:
    """Draw the panel Threshold: the share from which a class is called, ROC curve and lift."""
    from dtviz.pictures.charts import cost_curve, lift_curve, roc_curve, share_from_text

    if not screen.data.classes:
        st.markdown("A number has no threshold: this panel is of classes.")
        return
    left, middle, right = st.columns([5, 4, 4], gap="medium")
    with left:
        rows = rows_in_memory(_rows_choice(screen.judged))
        code = _class_choice(rows, screen.session.judging.called_class)
        tree = screen.judged.tree
        shares = leaf_probabilities(rows, tree, rows.columns)
        curve = threshold_curve(rows, shares, code)
        if np.isnan(curve.auc):
            st.markdown("Rows of this class and of others are needed; only one of them is here.")
            return
        # Without a choice, the share from which the tree itself calls the class.
        own_shares = shares[predict(tree, rows.columns) == code, code].round(SHARE_DECIMALS)
        own_threshold = float(min(own_shares, default=np.inf))
        judging = screen.session.judging
        chosen = own_threshold if judging.threshold is None else judging.threshold
        place = int((curve.thresholds >= chosen).sum()) - 1  # the calls of the chosen threshold
        least = int(curve.loss.argmin())
        even = np.linspace(0, len(curve.thresholds) - 1, MAX_THRESHOLDS).round().astype(int)
        indices = np.unique([*even, place, least])
        shown, shown_place = curve.at(indices), int(np.searchsorted(indices, place))
        st.select_slider(
            f"Called {markdown(rows.class_names[code], MAX_CLASS_LETTERS)}",
            [*range(len(indices))][::-1],
            format_func=lambda index: share_from_text(float(shown.thresholds[index])),
            **state.control_args(
                "threshold",
                shown_place,
                lambda index: _set_threshold(code, float(shown.thresholds[index])),
            ),
        )
        _threshold_buttons(rows, code, float(curve.thresholds[least]))
        matrix = confusion(rows, calls_at(rows, shares, code, float(curve.thresholds[place])))
        st.html(confusion_table(rows.class_names, matrix))
        sentences = _threshold_text(rows, matrix, curve, code, place), screen.judged.shown_sentence
        st.caption(" ".join(map(controls.sentence, filter(None, sentences))))
    figures = {"ROC curve": roc_curve, "Lift": lift_curve}
    if rows.costs is not None:
        figures = {"ROC curve": roc_curve, "Cost of all mistakes": cost_curve}
    for column, (title, draw_curve) in zip((middle, right), figures.items(), strict=True):
        with column:
            st.markdown(f"**{title}**" + (f", AUC {number(curve.auc)}" if column is middle else ""))
            key = controls.pick_key(title)
            controls.chart(
                draw_curve(shown, shown_place, class_colour(code), state.theme()),
                key,
                f"{title} by the share from which the class is called",
                partial(_pick_threshold, key, code),
            )


def _class_choice(rows: Dataset, chosen: int | None) -> int:
    """Draw the choice of a class; return its code, of the rarest class if none was chosen."""
    counts = np.bincount(rows.y, minlength=len(rows.classes))
    rarest = int(np.where(counts[::-1] > 0, counts[::-1], rows.n + 1).argmin())
    names = rows.class_names
    code = len(names) - 1 - rarest if chosen is None or chosen >= len(names) else chosen
    st.selectbox(
        "Class",
        format_func=lambda code: clean(names[code], MAX_CLASS_LETTERS),
        **state.choice_args("threshold_class", code, _set_class, range(len(names))),
    )
    return code


def _set_class(code: int) -> None:
    """Choose the class with a threshold, which the tree's own calls begin with."""
    state.act("judging", "call", code=code, threshold=None)


def _set_threshold(code: int, share: float | None) -> None:
    """Set the threshold of a class, at most MAX_THRESHOLD; None: as the tree calls."""
    share = None if share is None else min(share, MAX_THRESHOLD)
    state.act_dragged("threshold", "judging", "call", code=code, threshold=share)


def _pick_threshold(key: str, code: int) -> None:
    """Set the threshold to that of the point picked in a chart."""
    match controls.picked_point(key):
        case float(share) | int(share) if share >= 0:
            _set_threshold(code, share)


def _threshold_buttons(rows: Dataset, code: int, least: float) -> None:
    """Draw the buttons that set the threshold: that of the tree, and that of least loss."""
    with st.container(horizontal=True):
        for label, share in (
            ("As the tree", None),
            ("Fewest mistakes" if rows.costs is None else "Least cost", least),
        ):
            st.button(label, on_click=partial(_set_threshold, code, share))


def _threshold_text(
    rows: Dataset, matrix: Confusion, curve: ThresholdCurve, code: int, place: int
) -> str:
    """Return the figures of a threshold in words: recall, false alarms, lift, mistakes or cost."""
    counts = matrix.rows
    n_right, n_class, n_called = counts[code, code], counts[code].sum(), counts[:, code].sum()
    lift = "" if np.isnan(curve.lift[place]) else f": lift {number(float(curve.lift[place]), 3)}"
    found = f"{n_right:,} of {count(int(n_class), 'row')} of {rows.class_names[code]} found"
    alarms = count(int(n_called - n_right), "false alarm")
    wrong = count(rows.n - int(np.trace(counts)), "mistake")
    return f"{found}, {alarms}{lift}. {_cost_text(rows, matrix) or f'{wrong}.'}"


def _cost_text(rows: Dataset, matrix: Confusion) -> str:
    """Return in words what the mistakes cost in all; '' where mistakes have no costs."""
    if rows.costs is None:
        return ""
    cost = float((matrix.amounts * rows.costs).sum())
    a_row = cost / float(matrix.amounts.sum() or 1.0)
    # what it would cost to say the same class of every row
    constant_costs = matrix.amounts.sum(axis=1) @ rows.costs
    cheapest = int(constant_costs.argmin())
    saved = float(constant_costs[cheapest]) - cost
    verb = "saves" if saved >= 0 else "loses"
    return (
        f"The mistakes cost {number(cost)} in all, {number(a_row)} a row. That {verb} "
        f"{number(abs(saved))} against always saying {quoted(rows.class_names[cheapest])}."
    )


MAX_ALPHAS_LISTED = 300


def pruning(screen: Screen) -> None:
    """Draw the panel Pruning: the tree, the buttons that prune it, and its weakest-link path."""
    left, right = st.columns([11, 9], gap="medium")
    with left:
        controls.draw_frame("tree", state.tab().pack_picture("pruning", screen, state.theme()))
    with right:
        _prune_buttons(screen.judged, screen.marked_node)
        _path_table(screen)


def _prune_buttons(judged: JudgedTree, node_id: int | None) -> None:
    """Draw the buttons that prune nodes, each by a move, or take prunes back."""
    nodes, split_mask = judged.nodes, judged.split_mask
    weakest = next(weakest_links(nodes, split_mask), None)
    harmless_links = (
        [] if judged.held is None else reduced_error_links(nodes, split_mask, judged.held_losses[0])
    )
    harmless_ids = [nodes.ids[index] for index in harmless_links]
    with st.container(horizontal=True, key="prunes"):
        _prune_button(
            f"Prune {node_phrase(node_id)}" if node_id else "Prune a node",
            "Click a node of the tree; its split and all below it are taken back",
            [node_id] if node_id else [],
        )
        _prune_button(
            "Prune the weakest",
            f"{node_name(nodes.ids[weakest.index])}, alpha {number(weakest.alpha)}"
            if weakest
            else "",
            [nodes.ids[weakest.index]] if weakest else [],
        )
        _prune_button(
            "Prune 1 by held-out rows",
            "Reduced error: the node whose pruning lowers the held-out error most",
            harmless_ids[:1],
        )
        if len(harmless_ids) > 1:
            _prune_button(
                f"Prune all {len(harmless_ids)}",
                "Reduced error: every node whose pruning does not raise the held-out error",
                harmless_ids,
            )
        pruned_ids = [move.node for move in judged.prunes]
        for label, node_ids in (("Take one back", pruned_ids[-1:]), ("Take all back", pruned_ids)):
            take_back = partial(state.act, "judging", "unprune", nodes=node_ids)
            st.button(label, disabled=not node_ids, on_click=take_back)
    if judged.held is not None and not harmless_ids and split_mask.any():
        st.caption("No node can be pruned without raising the held-out error.")


def _prune_button(label: str, help_text: str, node_ids: list[int]) -> None:
    """Draw a button that prunes nodes; it is disabled if there are none."""
    st.button(
        label,
        icon=":material/content_cut:",
        help=help_text,
        disabled=not node_ids,
        on_click=partial(state.act, "judging", "prune", nodes=node_ids),
    )


def _path_table(screen: Screen) -> None:
    """Draw the table of the weakest-link path; a click on a line sets the rule to its alpha."""
    judged, nodes = screen.judged, screen.judged.nodes
    split_mask = splits_kept_by_rules(nodes, judged.session.rules)
    links = alpha_path(nodes, split_mask)
    n_alphas = len(links.alphas)
    listed_indices = np.unique(np.linspace(0, n_alphas - 1, MAX_ALPHAS_LISTED).round().astype(int))
    alphas = links.alphas[listed_indices]
    masks = prune_at_alpha(nodes, split_mask, alphas[:, None])
    score = data_score(judged.data)
    scale, unit = score.scale, score.unit
    columns = {
        SETTINGS["ccp_alpha"].title: [rule_value_label(alpha) for alpha in alphas.tolist()],
        "leaves": links.leaves[listed_indices],
        "impurity": links.impurities[listed_indices],
        f"training error{unit}": scale * mean_loss(nodes, masks, judged.losses),
    }
    if judged.held is not None:
        columns[f"held-out error{unit}"] = scale * mean_loss(nodes, masks, judged.held_losses)
    key = controls.pick_key("path")
    number_format = st.column_config.NumberColumn(format="%.4g")
    st.dataframe(
        pd.DataFrame(columns),
        key=key,
        hide_index=True,
        on_select=lambda: _set_alpha(key, alphas.tolist()),
        selection_mode="single-row",
        height=min(38 + 35 * len(alphas), 390),
        column_config=dict.fromkeys(columns, number_format),
        alt="The weakest-link path: alpha, leaves, impurity and errors",
    )
    if len(alphas) < n_alphas:
        st.caption(f"{len(alphas)} of {n_alphas:,} alphas, evenly chosen.")


def _set_alpha(key: str, alphas: list[float]) -> None:
    """Set ccp_alpha to that of the picked line."""
    alpha = controls.picked_row(key, alphas)
    if alpha is not None:
        controls.set_rules(ccp_alpha=alpha)


def _n_folds(session: Session, rows: RowSplit) -> int:
    """Return the number of folds: the chosen one, or the usual one without a choice.

    It is from 2 to the number of training rows. The usual number is also taken where a user chose
    leave one out and there are too many rows for it.
    """
    folds, n_rows = session.judging.folds, rows.training.n
    if folds == LEAVE_ONE_OUT and n_rows <= MAX_ROWS_LEFT_OUT:
        folds = n_rows
    return max(min(folds if folds > LEAVE_ONE_OUT else FOLDS, n_rows), 2)


def _folds_text(rows: RowSplit, n_folds: int) -> str:
    """Return the number of folds in words."""
    return (
        "leave one out" if n_folds == rows.training.n else f"{n_folds} folds of the training rows"
    )


def grid_search(screen: Screen) -> None:
    """Draw the panel Grid search: the mean error of the folds by depth and a second rule.

    A click on a cell sets both rules to its values.
    """
    judged, rules = screen.judged.in_memory, screen.session.rules
    training = judged.training
    n_folds, grid_rule = _n_folds(screen.session, judged), GRID_RULES[training.task]
    values = grid_rule.values(rules, training)
    simplest = grid_rule.rules_at(replace(rules, max_depth=None), values[0])
    key = work_key("grid", screen.session, simplest, n_folds)
    if not is_wanted(key, n_folds * len(values), training):
        return
    result = compute(
        key,
        lambda: grid(training, simplest, grid_rule, DEPTHS, n_folds),
        f"{grid_rule.title_of_all}, {_folds_text(judged, n_folds)}",
    )
    if result is None:
        return
    from dtviz.pictures.charts import heat_map  # plotly is loaded only where it is seen

    chart_key = controls.pick_key("grid")
    controls.chart(
        heat_map(result, data_score(training), state.theme()),
        chart_key,
        f"The mean error by {SETTINGS[grid_rule.rule].title.lower()} and depth",
        lambda: _set_cell(chart_key, grid_rule.rule),
    )
    ties = int(result.tied.sum()) - 1
    line, column = result.best
    unit = ", in percent of the rows" if data_score(training).unit else ""
    depth = rule_value_text("max_depth", result.depths[column]).lower()
    st.caption(
        f"Mean error of {_folds_text(judged, n_folds)}{unit}. ★ the least: "
        f"{grid_rule.titled_text(result.values[line])}, {depth}"
        + (f"; ○ {count(ties, 'cell')} as good. " if ties else ". ")
        + screen.judged.shown_sentence
    )


def _set_cell(key: str, rule: str) -> None:
    """Set the rules of the picked cell: that of its line, and the depth."""
    match controls.picked_point(key):
        case [value, int(depth)]:
            controls.set_rules(**{rule: value}, max_depth=depth)


def learning_curve(screen: Screen) -> None:
    """Draw the panel Learning curve: the error by number of training rows."""
    judged, rules = screen.judged.in_memory, screen.session.rules
    n_folds = _n_folds(screen.session, judged)
    key = work_key("learning", screen.session, rules, n_folds)
    if not is_wanted(key, n_folds * N_SIZES // 2, judged.training):  # they have half the rows
        return
    result = compute(
        key,
        lambda: learning_errors(judged.training, rules, n_folds),
        f"Trees on ever more rows, {_folds_text(judged, n_folds)}",
    )
    if result is None:
        return
    from dtviz.pictures import charts

    controls.chart(
        charts.learning_curve(result, data_score(judged.training), state.theme()),
        "learning",
        "Error by training size, on the rows grown on and on the fold left out",
    )
    st.caption(
        "The tree of the settings, grown on more and more rows, without prunes. "
        f"Errors of {_folds_text(judged, n_folds)}; the band is one standard error. "
        "If the two lines are still closing in, more rows would help. "
        + screen.judged.shown_sentence
    )


def bias_and_variance(screen: Screen) -> None:
    """Draw the panel Bias and variance: how trees of resampled rows differ."""
    judged = screen.judged.in_memory
    from dtviz.pictures.charts import spread_curve
    from dtviz.pictures.stability import trees_plane

    if judged.held is None:
        st.markdown("One row leaves none to judge by.")
        return
    rules, held, axes = screen.session.rules, judged.held, screen.axes
    depths = AXES["depth"].values(screen.judged.nodes, rules)
    depths = tuple(int(depth) for depth in depths)[:MAX_DEPTHS]
    pins = screen.session.pins
    plane = plane_points(judged.data, axes, pinned_values(judged.data, pins))
    key = work_key("spread", screen.session, rules, axes, pins)
    if not is_wanted(key, RESAMPLES, judged.training):
        return
    result = compute(
        key,
        lambda: resample_spread(judged.training, held, plane, rules, depths),
        f"{RESAMPLES} trees, each on rows drawn with replacement",
    )
    if result is None:
        return
    score = data_score(judged.data)
    figures = {
        "Where trees of these settings disagree": trees_plane(
            judged.data, axes, result, state.theme()
        ),
        "By depth, on the held-out rows": spread_curve(result, score, state.theme()),
    }
    for column, (title, figure) in zip(st.columns(2, gap="medium"), figures.items(), strict=True):
        with column:
            st.markdown(f"**{title}**")
            controls.chart(figure, title, title)
    explanation = (
        "The vote is what most of them predict. Its error is the bias (with the noise). The spread "
        "round it is the variance."
        if judged.data.classes
        else "Squared error of one tree = error of their mean (bias squared plus noise) + their "
        "spread (variance)."
    )
    lines = _lines_text(judged.data)
    st.caption(
        f"{RESAMPLES} trees on resampled training rows: {lines}. {explanation} "
        + screen.judged.shown_sentence
    )


def _lines_text(data: Dataset) -> str:
    """Return in words how the picture draws the trees."""
    if len(data.features) > 1:
        return "the more of them have a boundary, the stronger its line"
    return "one line each, the vote above them" if data.classes else "thin, their mean strong"


def panels(screen: Screen) -> None:
    """Draw the panels as tabs; only the open one is computed."""
    draw: dict[str, Callable[[], None]] = {
        "Table": lambda: _curve_table(screen),
        "Mistakes": lambda: mistakes(screen),
        "Threshold": lambda: threshold(screen),
        "Pruning": lambda: pruning(screen),
        "Grid search": lambda: grid_search(screen),
        "Learning curve": lambda: learning_curve(screen),
        "Bias and variance": lambda: bias_and_variance(screen),
        "Greedy's limit": lambda: greedy_limit(screen),
    }
    names = [*draw]
    for name, tab in zip(names, st.tabs(names, key="panels", on_change="rerun"), strict=True):
        if tab.open:
            with tab:
                draw[name]()


def _curve_table(screen: Screen) -> None:
    """Draw the panel Table: the error curve in numbers."""
    curve, folds = screen.curve(), screen.fold_errors()
    if curve is None:
        return
    score, measure = data_score(screen.data), screen.judged.measure
    scale, unit, noun = score.scale, score.unit, "error"
    if measure != ERROR:
        scale, unit = (100.0, " %") if measure.is_share else (1.0, "")
        noun = measure.noun
    title = SETTINGS[curve.axis.rule].title
    columns = {
        title: [rule_value_label(value) for value in curve.values],
        "leaves": curve.leaves,
        "height": curve.height,
        f"training {noun}{unit}": scale * curve.training,
        f"held-out {noun}{unit}": scale * curve.held,
    }
    if folds is not None:
        mean, standard_error = mean_and_error(folds)
        columns |= {
            f"folds' mean{unit}": scale * mean,
            f"standard error{unit}": scale * standard_error,
        }
    number_format = st.column_config.NumberColumn(format="%.4g")
    st.dataframe(
        pd.DataFrame(columns),
        hide_index=True,
        height=min(38 + 35 * len(curve.values), 360),
        column_config=dict.fromkeys([*columns][1:], number_format),
        alt=f"The errors against {title.lower()}, with leaves and height",
    )


def _corner(screen: Screen) -> None:
    """Draw the usual controls on the line of the page names, with progress bars left of them.

    The bars are of the work on the error curve, and after it on the errors of its folds.
    """
    with corner():
        with st.container(key="tips"):
            do_all_work(overfit_works(screen.judged))
        head_controls(screen, own=_grow_button)


def _grow_button(screen: Screen) -> None:
    """Draw the button that shows on Grow the tree of these rules and prunes, on all rows."""
    st.button(
        "Grow it",
        key="grow_judged",
        icon=":material/account_tree:",
        help="Show this tree on Grow, at its end, with its prunes. Grow takes all rows, those held "
        "out too, unless the data say what rows are for: its leaves may differ",
        on_click=state.grow_judged_tree,
    )


def draw(screen: Screen) -> None:
    """Draw the page: the instrument as one component, between Streamlit's controls and panels."""
    session = screen.session
    grown = full_tree_work(session, screen.data, screen.cache)
    if grown is not None and do_work(grown) is None:
        return
    head, instrument = st.container(), st.container()
    with head:
        _corner(screen)
    with instrument:
        controls.draw_frame("overfit", state.tab().pack_page("overfit", screen, state.theme()))
    if "panels" not in session.hidden:
        panels(screen)
    controls.show_notes(screen.data.notes)


PAGE = PageSpec("Overfit", "overfit", draw, is_fragment=True)
