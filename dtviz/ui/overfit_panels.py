"""The panels under the cockpit: pruning, grid search, learning curve, spread, greedy's limit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dtviz.criteria import CRITERIA, criteria_for
from dtviz.curves import AXES, errors, values_of
from dtviz.exhaustive import best_of_depth_2
from dtviz.figures.graph import tree_frame
from dtviz.figures.overfit import pictures_frame, value_text
from dtviz.figures.scene import pinned
from dtviz.grow import finish, status
from dtviz.metrics import FOLDS
from dtviz.prune import path, pruned, reduced_error, weakest_links
from dtviz.rules import Rules, criterion_of
from dtviz.session import MOST_ONE_OUT, ONE_OUT, Future, Judging, Session, with_rules
from dtviz.subtrees import ends, kept, losses, nodes_of, subtree
from dtviz.text import count, number
from dtviz.tree import Collapse, Log, Tree, fold, gain, stump
from dtviz.ui import state
from dtviz.ui.controls import CHART, sentence
from dtviz.ui.judge import Judged, picture
from dtviz.ui.state import Screen
from dtviz.ui.view import view
from dtviz.ui.work import work
from dtviz.validate import DEPTHS, RESAMPLES, grid, learning, resampled
from dtviz.words import rule_text, stop_reason

MOST_LISTED = 300


def panels(screen: Screen, found: Judged) -> None:
    """Draw the panels as tabs; only the one that is open is worked out."""
    draw = {
        "Pruning": _pruning,
        "Grid search": _grid,
        "Learning curve": _learning,
        "Bias and variance": _spread,
        "Greedy's limit": _greedy,
    }
    names = [*draw]
    for name, tab in zip(names, st.tabs(names, key="panels", on_change="rerun"), strict=True):
        if tab.open:
            with tab:
                draw[name](screen, found)


# --- pruning --------------------------------------------------------------------------------------


def _pruning(screen: Screen, found: Judged) -> None:
    """The tree, the ways to prune it, and the whole path."""
    left, right = st.columns([11, 9], gap="medium")
    with left:
        _tree(screen, found)
    with right:
        _prune_buttons(screen, found)
        _path_table(screen, found)


def _tree(screen: Screen, found: Judged) -> None:
    rules, tree = screen.session.rules, subtree(found.nodes, found.stays)
    own = kept(found.nodes, rules) & ends(found.nodes, found.stays)
    taken = frozenset(found.nodes.ids[at] for at in np.flatnonzero(own).tolist())
    tree = replace(tree, pruned=taken)
    decisions = status(found.training, rules, tree)
    stops = {
        leaf: stop_reason(found.training, rules, tree.nodes[leaf], decisions[leaf].stop)
        for leaf in decisions
    }
    chosen = _chosen(tree)
    frame = tree_frame(found.training, rules, tree, stops, focus=chosen or 1, theme=state.theme())
    frame |= {"stamp": state.cloud_name(screen.session, chosen)}
    view("tree", "tree", frame, _tree_did)


def _chosen(tree: Tree) -> int | None:
    """The node clicked, if it has a split."""
    node = st.session_state.get("prune_node")
    return node if node in tree.splits else None


def _tree_did(event: Mapping[str, Any]) -> None:
    match event:
        case {"what": "focus", "node": str(text)} if text.isdecimal() and len(text) < 600:
            st.session_state["prune_node"] = int(text)


def _prune_buttons(screen: Screen, found: Judged) -> None:
    """The ways to prune one node or many, and the way back; each prune is a move."""
    nodes, stays = found.nodes, found.stays
    chosen = _chosen(subtree(nodes, stays))
    weakest = next(weakest_links(nodes, stays), None)
    better = [] if found.held is None else reduced_error(nodes, stays, found.held_loss)
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
            "Reduced error",
            "The node whose pruning saves most held-out mistakes",
            lossless[:1],
        )
        if len(lossless) > 1:
            _prune(
                f"All {len(lossless)}", "Every node whose pruning makes no more mistakes", lossless
            )
        none = not found.prunes
        st.button("Take one back", disabled=none, on_click=_take_back, args=(found.prunes[-1:],))
        st.button("Take all back", disabled=none, on_click=_take_back, args=(found.prunes,))
    if found.held is not None and not lossless and stays.any():
        st.caption("No node can be pruned without more mistakes on the held-out rows.")


def _prune(label: str, text: str, ids: list[int]) -> None:
    st.button(
        label,
        icon=":material/content_cut:",
        help=text,
        disabled=not ids,
        on_click=_more_prunes,
        args=(tuple(Collapse(node) for node in ids),),
    )


def _more_prunes(moves: Log) -> None:
    st.session_state.pop("prune_node", None)
    _judge(lambda judging: replace(judging, prunes=judging.prunes + moves))


def _take_back(moves: Log) -> None:
    """Without these moves; those that the present tree does not have stay."""

    def change(judging: Judging) -> Judging:
        return replace(judging, prunes=tuple(move for move in judging.prunes if move not in moves))

    _judge(change)


def _judge(change: Callable[[Judging], Judging]) -> None:
    state.act(lambda session, future: replace(session, judging=change(session.judging)))


def _path_table(screen: Screen, found: Judged) -> None:
    """The weakest-link path; a click on a line makes its alpha the setting."""
    nodes = found.nodes
    stays = kept(nodes, screen.session.rules)
    along = path(nodes, stays)
    at = np.unique(np.linspace(0, len(along.alphas) - 1, MOST_LISTED).round().astype(int))
    some = along.alphas[at]
    masks = np.array([pruned(nodes, stays, along, alpha) for alpha in some])
    scale = 100 if found.data.classes else 1
    unit = " %" if found.data.classes else ""
    columns = {
        "ccp_alpha": [value_text(alpha) for alpha in some.tolist()],
        "leaves": along.leaves[at],
        "impurity": along.impurities[at],
        f"training error{unit}": scale * errors(nodes, masks, found.training),
    }
    if found.held is not None:
        columns[f"held-out error{unit}"] = scale * errors(nodes, masks, found.held)
    name = f"path{st.session_state.setdefault('picks', 0)}"
    digits = st.column_config.NumberColumn(format="%.4g")
    st.dataframe(
        pd.DataFrame(columns),
        key=name,
        hide_index=True,
        on_select=lambda: _alpha_picked(name, some),
        selection_mode="single-row",
        height=min(38 + 35 * len(some), 390),
        column_config=dict.fromkeys(columns, digits),
        alt="The weakest-link path: alpha, leaves, impurity and errors",
    )
    if len(some) < len(along.alphas):
        st.caption(f"{len(some)} of {len(along.alphas):,} alphas, evenly chosen.")


def _alpha_picked(name: str, alphas: Any) -> None:
    rows = st.session_state[name].selection.rows
    st.session_state["picks"] += 1
    if rows:
        _set_rules({"ccp_alpha": float(alphas[rows[0]])})


def _set_rules(changed: dict[str, Any]) -> None:
    def change(session: Session, future: Future) -> Session:
        return with_rules(session, replace(session.rules, **changed), future)

    state.act(change)


# --- folds ----------------------------------------------------------------------------------------


def _folds_of(screen: Screen, found: Judged) -> int:
    """The folds chosen; the usual ones where there are none, or too many rows to leave one out."""
    folds, rows = screen.session.judging.folds, found.training.n
    if folds == ONE_OUT and rows <= MOST_ONE_OUT:
        folds = rows
    return max(min(folds if folds > ONE_OUT else FOLDS, rows), 2)  # no more folds than rows


def _asked(name: str, screen: Screen, *more: Any) -> tuple[Any, ...]:
    judging = screen.session.judging
    return name, screen.session.recipe, judging.share, judging.seed, *more


def _grid(screen: Screen, found: Judged) -> None:
    """The folds' mean error of every criterion and depth; a click makes a cell the setting."""
    rules, training = screen.session.rules, found.training
    k, names = _folds_of(screen, found), criteria_for(training.task)
    result = work(
        _asked("grid", screen, replace(rules, criterion=names[0], max_depth=None), k),
        lambda: grid(training, rules, names, DEPTHS, k),
        f"{len(names)} criteria on {k} folds",
    )
    if result is None:
        return
    from dtviz.figures.judging import heat_map  # plotly is loaded only where it is seen

    name = f"grid{st.session_state.setdefault('picks', 0)}"
    st.plotly_chart(
        heat_map(result, bool(training.classes), state.theme()),
        key=name,
        config=CHART,
        theme=None,
        on_select=lambda: _cell_picked(name, names),
        selection_mode="points",
        alt="The mean error of every criterion and depth",
    )
    ties = int(result.tied.sum()) - 1
    line, column = result.best
    unit = ", in percent of the rows" if training.classes else ""
    st.caption(
        f"Mean error of {k} folds of the training rows{unit}. ★ the least: "
        f"{CRITERIA[names[line]].title}, max_depth {DEPTHS[column]}"
        + (f"; ○ {count(ties, 'cell')} as good." if ties else ".")
    )


def _cell_picked(name: str, names: Sequence[str]) -> None:
    points = st.session_state[name].selection.points
    st.session_state["picks"] += 1
    picked = points[0].get("customdata") if points else None
    match picked:
        case [str(criterion), int(depth)] if criterion in names and depth >= 1:
            _set_rules({"criterion": criterion, "max_depth": depth})


def _learning(screen: Screen, found: Judged) -> None:
    """The error by training size."""
    rules, k = screen.session.rules, _folds_of(screen, found)
    result = work(
        _asked("learning", screen, rules, k),
        lambda: learning(found.training, rules, k),
        f"Trees of growing size on {k} folds",
    )
    if result is None:
        return
    from dtviz.figures.judging import learning_curve

    st.plotly_chart(
        learning_curve(result, bool(found.training.classes), state.theme()),
        key="learning",
        config=CHART,
        theme=None,
        alt="Error by training size, on the rows grown on and on the fold left out",
    )
    st.caption(
        f"The setting above, grown on ever more of the training rows; {k} folds, band: one "
        "standard error. Where the two lines are still apart and falling, more rows would help."
    )


def _spread(screen: Screen, found: Judged) -> None:
    """How trees of resampled rows differ, over the plane and by depth."""
    from dtviz.figures.judging import plane_points, spread_curve, spread_plane

    if found.held is None:
        st.markdown("One row leaves none to judge by.")
        return
    rules, held, axes = screen.session.rules, found.held, picture(screen.session, found).axes
    depths = tuple(int(depth) for depth in values_of(found.nodes, rules, AXES["depth"]))[:20]
    plane = plane_points(found.data, axes, pinned(found.data))
    result = work(
        _asked("spread", screen, rules, axes),
        lambda: resampled(found.training, held, plane, rules, depths),
        f"{RESAMPLES} trees, each on rows drawn with replacement",
    )
    if result is None:
        return
    classes, left_right = bool(found.data.classes), st.columns(2, gap="medium")
    charts = {
        "Where the trees of this setting disagree": spread_plane(
            found.data, axes, result.where, state.theme()
        ),
        "By depth, on the held-out rows": spread_curve(result, classes, state.theme()),
    }
    for column, (title, chart) in zip(left_right, charts.items(), strict=True):
        with column:
            st.markdown(f"**{title}**")
            st.plotly_chart(chart, key=title, config=CHART, theme=None, alt=title)
    st.caption(
        f"{RESAMPLES} trees on resampled training rows. The vote is what most of them predict: its "
        "error is the bias (with the noise), the spread round it the variance."
        if classes
        else f"{RESAMPLES} trees on resampled training rows. Squared error of one tree = error of "
        "their mean (bias and noise) + their spread (variance)."
    )


# --- greedy's limit -------------------------------------------------------------------------------


def _greedy(screen: Screen, found: Judged) -> None:
    """The greedy tree of depth 2 beside the best one on the same cuts."""
    training, rules = found.training, screen.session.rules
    log = work(
        _asked("greedy", screen, rules.criterion, rules.min_samples_leaf),
        lambda: best_of_depth_2(training, rules),
        "Every pair of levels",
    )
    if log is None:
        return
    own = Rules(criterion=rules.criterion, min_samples_leaf=rules.min_samples_leaf, max_depth=2)
    criterion = criterion_of(own, training.task)
    greedy = finish(training, own, stump(training, criterion))[1]
    trees = {"Greedy": greedy, "Best of depth 2": fold(training, criterion, log)}
    for column, (title, tree) in zip(st.columns(2, gap="medium"), trees.items(), strict=True):
        with column:
            _depth_2(screen, found, title, tree)
    risks = [float(nodes_of(tree).risk[0]) - _gain(tree) for tree in trees.values()]
    same = abs(risks[0] - risks[1]) <= 1e-9 * max(risks[0], 1e-300)
    st.caption(
        "Greedy takes the best cut at the root, whatever follows; here nothing better exists."
        if same
        else "Greedy takes the best cut at the root, whatever follows. A root cut that gains less "
        "can make better cuts possible below it."
    )


def _gain(tree: Tree) -> float:
    """How much the splits of a tree lower the impurity in all."""
    nodes = nodes_of(tree)
    return float(nodes.risk[0] - nodes.risk[~nodes.split].sum())


def _depth_2(screen: Screen, found: Judged, title: str, tree: Tree) -> None:
    nodes = nodes_of(tree)
    leaf, training = np.zeros(found.data.n, np.intp), found.training
    loss, leaf[~found.out] = losses(nodes, training)
    error = float(loss[~nodes.split].sum() / training.n)
    shown = replace(
        picture(screen.session, found),
        nodes=nodes,
        stays=nodes.split,
        leaf=leaf,
        errors=(error, np.nan),
    )
    name = state.cloud_name(screen.session.recipe, shown.axes)
    frame = pictures_frame(shown, name, ((title, False),))
    view("overfit", f"depth2 {title}", frame | {"stamp": name, "say": ""})
    root = tree.splits.get(1)
    unit = CRITERIA[screen.session.rules.criterion].unit
    first = f"Root: {rule_text(training, tree, 1)}, gain {number(gain(tree, 1))}" if root else ""
    words = f"{first or 'No cut'}; all splits together {number(_gain(tree))} {unit}"
    st.markdown(sentence(f"{words.strip()}."))
