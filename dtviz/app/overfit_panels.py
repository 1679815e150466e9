"""The panels under the cockpit: the curve in numbers, mistakes, pruning, many trees, greed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from dtviz.app import settings, state
from dtviz.app.controls import chart, pick_key, picked_point, picked_row, sentence, view
from dtviz.app.greedy_panel import greedy_limit
from dtviz.app.runs import work
from dtviz.app.settings import choose
from dtviz.base.arrays import Floats
from dtviz.base.text import count, html, number
from dtviz.data.dataset import Dataset
from dtviz.engine.prune import path, pruned, reduced_error, weakest_links
from dtviz.engine.subtrees import kept
from dtviz.engine.tree import predict
from dtviz.evaluate.curves import AXES, errors, mean_and_error, value_text
from dtviz.evaluate.metrics import FOLDS, Confusion, confusion, off_by, score_by
from dtviz.evaluate.validation import DEPTHS, LINES, RESAMPLES, grid, learning, resampled
from dtviz.explain.words import SETTINGS, rule_value_text
from dtviz.pictures.overfit import TITLES
from dtviz.pictures.palette import class_colour, tint
from dtviz.pictures.slice import pinned
from dtviz.pictures.tree_overlay import plane_points
from dtviz.session.jobs import Work
from dtviz.session.overfit import Judged, asked
from dtviz.session.screen import Screen
from dtviz.session.session import MOST_ONE_OUT, ONE_OUT

MOST_CLASSES = 20


def mistakes(screen: Screen) -> None:
    """The confusion of classes, or predicted against true numbers, of either kind of rows."""
    found = screen.judged
    rows = _rows(found)
    told = predict(found.tree, rows.columns)
    (_classes if rows.classes else _numbers)(rows, told)


def _rows(found: Judged) -> Dataset:
    """The rows asked for: those held out, if there are any, or those trained on."""
    if found.held is None:
        return found.training
    kinds = {TITLES[found.role]: found.held, "Training": found.training}
    kind = st.segmented_control(
        "Rows",
        [*kinds],
        default=next(iter(kinds)),
        required=True,
        key="mistakes_of",
        label_visibility="collapsed",
    )
    return kinds[str(kind)]


def _classes(rows: Dataset, told: Floats) -> None:
    found = confusion(rows, told)
    st.html(confusion_table(rows.class_names, found))
    right = int(np.trace(found.rows))
    said = [f"{right:,} of {count(rows.n, 'row')} right: accuracy {_share(found.accuracy)}."]
    if found.weights is not None:
        said.append("In brackets what the rows weigh, which the shares are of.")
    if len(rows.classes) > MOST_CLASSES:
        said.append(f"The {MOST_CLASSES} classes with most rows, of {len(rows.classes):,}.")
    st.caption(sentence(" ".join(said)))


def confusion_table(names: tuple[str, ...], found: Confusion) -> str:
    """The confusion as a table in HTML: a line a class, a column each class it is called."""
    some = np.sort(np.argsort(-found.rows.sum(axis=1), kind="stable")[:MOST_CLASSES]).tolist()
    heads = "".join(f'<th scope="col">{_name(names, one)}</th>' for one in some)
    lines = [f'<tr><th scope="col">is ↓ called →</th>{heads}<th scope="col">recall</th></tr>']
    for line in some:
        cells = "".join(_cell(found, line, column) for column in some)
        name, recall = _name(names, line), _share(float(found.recall[line]))
        lines.append(f'<tr><th scope="row">{name}</th>{cells}<td>{recall}</td></tr>')
    last = "".join(f"<td>{_share(float(found.precision[one]))}</td>" for one in some)
    lines.append(f'<tr><th scope="row">precision</th>{last}<td></td></tr>')
    return f'<div class="confusion" tabindex="0"><table>{"".join(lines)}</table></div>'


def _cell(found: Confusion, line: int, column: int) -> str:
    """How many rows, the fuller in the colour of what they are called the more of their class."""
    many, amounts = int(found.rows[line, column]), found.amounts
    if not many:
        return '<td class="none">0</td>'
    full = float(amounts[line, column] / (amounts[line].sum() or 1.0))
    weight = "" if found.weights is None else f" <small>({number(amounts[line, column])})</small>"
    back = tint(class_colour(column), round(0.1 + 0.3 * full, 3))
    return f'<td style="background:{back}">{many:,}{weight}</td>'


def _name(names: tuple[str, ...], code: int) -> str:
    return f'<i style="background:{class_colour(code)}"></i>{html(names[code], 24)}'


def _share(share: float) -> str:
    return "-" if np.isnan(share) else f"{number(100 * share, 3)}\u00a0%"


def _numbers(rows: Dataset, told: Floats) -> None:
    from dtviz.pictures.charts import told_against  # plotly is loaded only where it is seen

    chart(
        told_against(rows, told, state.theme()),
        "told_against",
        "What is predicted for each row against what it is",
    )
    off = off_by(rows, told)
    st.caption(
        f"R² {number(off.explained)}, mean absolute error {number(off.absolute)}, mean squared "
        f"error {number(off.squared)}. On the line a prediction is right."
    )


MOST_LISTED = 300


def pruning(screen: Screen) -> None:
    """The tree, the ways to prune it, and the whole path."""
    left, right = st.columns([11, 9], gap="medium")
    with left:
        view("tree", state.tab().parcel("pruning", screen, state.theme()))
    with right:
        _prune_buttons(screen.judged, screen.marked)
        _path_table(screen)


def _prune_buttons(found: Judged, chosen: int | None) -> None:
    """The ways to prune one node or many, and the way back; each prune is a move."""
    nodes, stays = found.nodes, found.stays
    weakest = next(weakest_links(nodes, stays), None)
    better = [] if found.held is None else reduced_error(nodes, stays, found.held_lost[0])
    lossless = [nodes.ids[at] for at in better]
    with st.container(horizontal=True, key="prunes"):
        _prune(
            f"Prune node {chosen}" if chosen else "Prune a node",
            "Click a node of the tree; its split and all below it are taken back",
            [chosen] if chosen else [],
        )
        _prune(
            "Weakest link",
            f"Node {nodes.ids[weakest.place]}, alpha {number(weakest.alpha)}" if weakest else "",
            [nodes.ids[weakest.place]] if weakest else [],
        )
        _prune(
            "Held-out rows: one",
            "Reduced error: the node whose pruning lowers the held-out error most",
            lossless[:1],
        )
        if len(lossless) > 1:
            _prune(
                f"Held-out rows: all {len(lossless)}",
                "Reduced error: every node whose pruning does not raise it",
                lossless,
            )
        none = not found.prunes
        made = [move.node for move in found.prunes]
        st.button("Take one back", disabled=none, on_click=_take_back, args=(made[-1:],))
        st.button("Take all back", disabled=none, on_click=_take_back, args=(made,))
    if found.held is not None and not lossless and stays.any():
        st.caption("No node can be pruned without raising the held-out error.")


def _prune(label: str, text: str, ids: list[int]) -> None:
    st.button(
        label,
        icon=":material/content_cut:",
        help=text,
        disabled=not ids,
        on_click=state.act,
        args=("judging", "prune"),
        kwargs={"nodes": ids},
    )


def _take_back(nodes: list[int]) -> None:
    state.act("judging", "unprune", nodes=nodes)


def _path_table(screen: Screen) -> None:
    """The weakest-link path; a click on a line makes its alpha the setting."""
    found, nodes = screen.judged, screen.judged.nodes
    stays = kept(nodes, screen.session.rules)
    along = path(nodes, stays)
    at = np.unique(np.linspace(0, len(along.alphas) - 1, MOST_LISTED).round().astype(int))
    some = along.alphas[at]
    masks = pruned(nodes, stays, some[:, None])
    score = score_by(found.data)
    scale, unit = score.scale, score.unit
    columns = {
        SETTINGS["ccp_alpha"].words: [value_text(alpha) for alpha in some.tolist()],
        "leaves": along.leaves[at],
        "impurity": along.impurities[at],
        f"training error{unit}": scale * errors(nodes, masks, found.training),
    }
    if found.held is not None:
        columns[f"held-out error{unit}"] = scale * errors(nodes, masks, found.held)
    name = pick_key("path")
    digits = st.column_config.NumberColumn(format="%.4g")
    st.dataframe(
        pd.DataFrame(columns),
        key=name,
        hide_index=True,
        on_select=lambda: _alpha_picked(name, some.tolist()),
        selection_mode="single-row",
        height=min(38 + 35 * len(some), 390),
        column_config=dict.fromkeys(columns, digits),
        alt="The weakest-link path: alpha, leaves, impurity and errors",
    )
    if len(some) < len(along.alphas):
        st.caption(f"{len(some)} of {len(along.alphas):,} alphas, evenly chosen.")


def _alpha_picked(name: str, alphas: list[float]) -> None:
    alpha = picked_row(name, alphas)
    if alpha is not None:
        choose(ccp_alpha=alpha)


def _folds_of(found: Judged) -> int:
    """The folds chosen; the usual ones where there are none, or too many rows to leave one out."""
    folds, rows = found.session.judging.folds, found.training.n
    if folds == ONE_OUT and rows <= MOST_ONE_OUT:
        folds = rows
    return max(min(folds if folds > ONE_OUT else FOLDS, rows), 2)  # no more folds than rows


def _folds_text(found: Judged, k: int) -> str:
    return "leave one out" if k == found.training.n else f"{k} folds of the training rows"


def grid_search(screen: Screen) -> None:
    """The folds' mean error of every line and depth; a click makes a cell the setting."""
    found, rules = screen.judged, screen.session.rules
    training = found.training
    k, lines = _folds_of(found), LINES[training.task]
    without = lines.rules(replace(rules, max_depth=None), lines.values(training)[0])
    result = work(
        Work(
            asked("grid", screen.session, without, k),
            lambda: grid(training, without, lines, DEPTHS, k),
            f"{lines.every}, {_folds_text(found, k)}",
        )
    )
    if result is None:
        return
    from dtviz.pictures.charts import heat_map  # plotly is loaded only where it is seen

    name = pick_key("grid")
    chart(
        heat_map(result, score_by(training), state.theme()),
        name,
        f"The mean error by {SETTINGS[lines.rule].words.lower()} and depth",
        lambda: _cell_picked(name, lines.rule),
    )
    ties = int(result.tied.sum()) - 1
    line, column = result.best
    unit = ", in percent of the rows" if score_by(training).unit else ""
    depth = rule_value_text("max_depth", result.depths[column]).lower()
    st.caption(
        f"Mean error of {_folds_text(found, k)}{unit}. ★ the least: "
        f"{lines.said(result.values[line])}, {depth}"
        + (f"; ○ {count(ties, 'cell')} as good." if ties else ".")
    )


def _cell_picked(name: str, rule: str) -> None:
    match picked_point(name):
        case [value, int(depth)]:
            settings.choose(**{rule: value}, max_depth=depth)


def learning_curve(screen: Screen) -> None:
    """The error by training size."""
    found, rules = screen.judged, screen.session.rules
    k = _folds_of(found)
    result = work(
        Work(
            asked("learning", screen.session, rules, k),
            lambda: learning(found.training, rules, k),
            f"Trees on ever more rows, {_folds_text(found, k)}",
        )
    )
    if result is None:
        return
    from dtviz.pictures import charts as judging

    chart(
        judging.learning_curve(result, score_by(found.training), state.theme()),
        "learning",
        "Error by training size, on the rows grown on and on the fold left out",
    )
    st.caption(
        f"The tree of the settings (no prunes), grown on ever more rows; {_folds_text(found, k)}, "
        "band: one standard error. Where both lines still near each other, more rows would help."
    )


def bias_and_variance(screen: Screen) -> None:
    """How trees of resampled rows differ, over the plane and by depth."""
    found = screen.judged
    from dtviz.pictures.charts import spread_curve
    from dtviz.pictures.stability import trees_plane

    if found.held is None:
        st.markdown("One row leaves none to judge by.")
        return
    rules, held, axes = screen.session.rules, found.held, screen.axes
    depths = tuple(int(depth) for depth in AXES["depth"].values(found.nodes, rules))[:20]
    pins = screen.session.pins
    plane = plane_points(found.data, axes, pinned(found.data, pins))
    result = work(
        Work(
            asked("spread", screen.session, rules, axes, pins),
            lambda: resampled(found.training, held, plane, rules, depths),
            f"{RESAMPLES} trees, each on rows drawn with replacement",
        )
    )
    if result is None:
        return
    score, left_right = score_by(found.data), st.columns(2, gap="medium")
    charts = {
        "Where trees of these settings disagree": trees_plane(
            found.data, axes, result, state.theme()
        ),
        "By depth, on the held-out rows": spread_curve(result, score, state.theme()),
    }
    for column, (title, figure) in zip(left_right, charts.items(), strict=True):
        with column:
            st.markdown(f"**{title}**")
            chart(figure, title, title)
    means = (
        "The vote is what most of them predict: its error is the bias (with the noise), the spread "
        "round it the variance."
        if found.data.classes
        else "Squared error of one tree = error of their mean (bias squared plus noise) + their "
        "spread (variance)."
    )
    st.caption(f"{RESAMPLES} trees on resampled training rows: {_drawn(found.data)}. {means}")


def _drawn(data: Dataset) -> str:
    """How the trees themselves are drawn."""
    if len(data.features) > 1:
        return "the more of them have a boundary, the stronger its line"
    return "one line each, the vote above them" if data.classes else "thin, their mean strong"


def panels(screen: Screen) -> None:
    """Draw the panels as tabs; only the one that is open is worked out."""
    draw: dict[str, Callable[[], None]] = {
        "Table": lambda: _table(screen),
        "Mistakes": lambda: mistakes(screen),
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


def _table(screen: Screen) -> None:
    """The error curve in numbers."""
    along, folded = screen.along(), screen.folded()
    if along is None:
        return
    score = score_by(screen.data)
    scale, unit = score.scale, score.unit
    words = SETTINGS[along.axis.rule].words
    columns = {
        words: [value_text(value) for value in along.values],
        "leaves": along.leaves,
        "height": along.height,
        f"training error{unit}": scale * along.training,
        f"held-out error{unit}": scale * along.held,
    }
    if folded is not None:
        mean, error = mean_and_error(folded)
        columns |= {f"folds' mean{unit}": scale * mean, f"standard error{unit}": scale * error}
    digits = st.column_config.NumberColumn(format="%.4g")
    st.dataframe(
        pd.DataFrame(columns),
        hide_index=True,
        height=min(38 + 35 * len(along.values), 360),
        column_config=dict.fromkeys([*columns][1:], digits),
        alt=f"The errors against {words.lower()}, with leaves and height",
    )
