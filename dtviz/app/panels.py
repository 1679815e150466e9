"""Panels under the stage: candidates, gains, arithmetic, rules, export, criteria and branches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from typing import Any

import streamlit as st

from dtviz.app import controls, state
from dtviz.app.row_panel import caption_left_out, features_panel, pick, row_panel
from dtviz.app.runs import do_work
from dtviz.app.uploaded_file import read_upload, uploader
from dtviz.base.lazy import pd
from dtviz.base.progress import Slices, Work
from dtviz.base.text import clean, count, markdown, number, rounded
from dtviz.data.columns import as_types_of_test, parse_types
from dtviz.data.dataset import DataError, Dataset, Recipe
from dtviz.data.notes import summary
from dtviz.data.read_options import ReadOptions
from dtviz.data.uploads import read_options_of
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.tree import Log, class_shares, rows_in
from dtviz.evaluate.metrics import TimelineFigures, compare, data_score
from dtviz.explain import why
from dtviz.explain.export import SQLS, TREE_KINDS, export
from dtviz.explain.row_path import missing_note, table_missing_note
from dtviz.explain.words import (
    SYMBOL_WORDS,
    candidate_text,
    leaf_rules,
    node_phrase,
    projection_text,
)
from dtviz.models.model import Model
from dtviz.models.steps import (
    add_predictions,
    candidate_table,
    candidates_by_criterion,
    csv,
    prediction_notes,
)
from dtviz.pictures.frames import view_of
from dtviz.pictures.grow import is_panel_secret, open_panel
from dtviz.session.branches import timelines
from dtviz.session.screen import Screen
from dtviz.session.session import ALL_MOVES, runs_of


def race_panel(screen: Screen) -> None:
    """Draw the panel Criteria: the scores of the same cuts under each, and the best cut of each."""
    axes = screen.node_view.axes
    from dtviz.pictures.gains import criterion_curves  # plotly is loaded only where it is seen

    cuts_by_criterion = candidates_by_criterion(
        screen.problem, screen.tree, screen.node, screen.node_view.features
    )
    if not any(len(cuts) for cuts in cuts_by_criterion.values()):
        st.markdown("No cut exists in this node.")
        return
    cuts_by_title = {CRITERIA[name].title: cuts for name, cuts in cuts_by_criterion.items()}
    shown_axes = axes if len(screen.data.features) > 1 else (0,)
    controls.chart(
        criterion_curves(screen.data, cuts_by_title, shown_axes, state.theme()),
        "race",
        "The score of every cut under each criterion, the winner starred",
    )
    st.dataframe(
        _winners(screen, cuts_by_criterion), hide_index=True, alt="The winner of each criterion"
    )
    if len(cuts_by_criterion) == 1:
        st.caption(f"For a number there is one criterion here: {next(iter(cuts_by_criterion))}.")


def _winners(screen: Screen, cuts_by_criterion: Any) -> pd.DataFrame:
    """Return a line for each criterion: its best cut, the score, the number of ties."""
    lines = []
    for name, cuts in cuts_by_criterion.items():
        winner, score, ties = "no cut", "", 0
        if cuts.best is not None:
            winner = candidate_text(screen.data, cuts, cuts.best, SYMBOL_WORDS)
            score = why.score_text(Rules(criterion=name), float(cuts.score[cuts.best]))
            ties = int(cuts.tied.sum()) - 1
        lines.append((CRITERIA[name].title, winner, score, ties))
    return pd.DataFrame(lines, columns=["criterion", "winner", "score", "ties"])


COMPARE_HELP = "Branch {} and this line side by side"


def branches_panel(screen: Screen) -> None:
    """Draw the panel Branches: figures of the time-line and its branches, and their buttons."""
    session = screen.session
    logs = timelines(screen)
    if screen.has_more_steps:
        rules, future = session.rules, screen.future
        logs = tuple(log + future(rules, log, None, ALL_MOVES) for log in logs)
    results = do_work(_comparison(screen, logs))
    if results is not None:
        table = _comparison_table(screen.data, results)
        st.table(table, hide_index=True, border="horizontal", alt="Time-lines")
    st.caption(
        "Each line grown to its end. 5-fold: every row is predicted by a tree grown without it, "
        "with your own splits kept and the automatic ones made anew. The time-line tells what its "
        "tips are worth on the rows that Overfit holds out."
    )
    with st.container(horizontal=True):
        for index in range(len(session.branches)):
            for label, what, key, icon, help_text in (
                (f"Bring back branch {index + 1}", "bring_back", "branch", "swap_horiz", None),
                ("Compare", "compare", "compare", "splitscreen_vertical_add", COMPARE_HELP),
                ("Drop", "drop", "drop", None, "Drop branch {}"),
            ):
                st.button(
                    label,
                    key=f"{key}{index}",
                    help=help_text and help_text.format(index + 1),
                    icon=icon and f":material/{icon}:",
                    type="secondary" if icon else "tertiary",
                    on_click=partial(state.act, "branches", what, branch=index),
                )


def _comparison(screen: Screen, logs: tuple[Log, ...]) -> Work[tuple[TimelineFigures, ...]]:
    """Return the work that evaluates time-lines, and drop the jobs of other ones."""
    session, data, future = screen.session, screen.data, screen.future

    def start() -> Slices[tuple[TimelineFigures, ...]]:
        return compare(
            Problem(data, session.rules), [runs_of(session.rules, log, future) for log in logs]
        )

    key = ("compared", session.recipe, session.rules, logs)
    state.tab().drop_jobs(lambda other: other[0] == key[0] and other != key)
    return Work(key, start, "Every line on rows held out")


def _comparison_table(data: Dataset, results: tuple[TimelineFigures, ...]) -> pd.DataFrame:
    """Return a line for each time-line, that on screen first."""
    names = ["**This line**", *(f"Branch {k}" for k in range(1, len(results)))]
    score = data_score(data)
    return pd.DataFrame(
        {
            "": names,
            "splits": [f"{result.splits:,}" for result in results],
            "your own": [f"{result.manual_splits:,}" for result in results],
            "leaves": [f"{result.leaves:,}" for result in results],
            "height": [f"{result.height:,}" for result in results],
            f"training {score.name}": [score.text(result.training) for result in results],
            f"5-fold {score.name}": [score.text(result.held_out) for result in results],
        }
    )


def _cell_options(recipe: Recipe) -> ReadOptions:
    """Return the options for the cells of a table like that of a recipe, in a file of its own."""
    options = read_options_of(recipe)
    return ReadOptions(types=options.types, missing=options.missing)


def score_table(screen: Screen) -> None:
    """Draw the uploader of a table to predict, notes on the table, and its download."""
    file = uploader(
        "Another table, to predict its rows by this tree",
        "scored",
        "With the features by their names. It comes back with prediction, leaf and the shares "
        "of the classes as columns; its own cells are written as they were read",
    )
    table = (
        None if file is None else read_upload(file, _cell_options(screen.session.recipe), "scored")
    )
    if isinstance(table, DataError):
        st.error(controls.sentence(str(table)))
    if table is None or isinstance(table, DataError):
        return
    session = screen.session
    model = Model(screen.data, session.rules, session.log, screen.tree)
    try:
        frame = as_types_of_test(table.frame, parse_types(session.recipe.get("types")))
        key = ("problems", session.recipe, session.rules.missing, table.mark)
        notes = state.tab().cache.get(key, lambda: prediction_notes(model, frame))
    except DataError as error:
        st.error(controls.sentence(str(error)))
        return
    st.download_button(
        f"Download {count(len(frame), 'row')} with predictions",
        lambda: csv(add_predictions(model, frame)),
        f"scored {clean(table.name).rsplit('.', 1)[0]}.csv",
        "text/csv",
        on_click="ignore",
    )
    controls.show_notes((*table.notes, *notes))


MAX_RULES_LISTED = 300
GAIN_CHARTS = 12
"""Number of projections with a chart in the panel All gains, and of those that one click adds."""
ENDINGS = {"text": "txt", "python": "py"}
"""Endings of the names of files, by format, where the name of the format is not the ending."""


def draw_panel(screen: Screen) -> None:
    """Draw the open panel of Grow, unless the page's component draws it."""
    name = open_panel(screen)
    if name != "Candidates" and not is_panel_secret(screen):
        with st.container(key="below"):
            DRAWN_PANELS.get(name, _notes)(screen)


def _notes(screen: Screen) -> None:
    """Draw the notes on the data."""
    controls.list_notes(summary(screen.data.notes))


def _missing(screen: Screen) -> None:
    """Draw the panel Missing: where the chosen cut sends rows without a value; its surrogates."""
    cuts, index = screen.node_view.candidates, screen.node_view.index
    if index is None:
        return
    row_ids, split = rows_in(screen.tree, screen.node), cuts.split(index)
    if screen.data.source is None:
        note = missing_note(screen.problem, row_ids, split)
    else:
        note = table_missing_note(screen.problem, screen.tree, screen.node, split)
    if note is None:
        return
    st.markdown(markdown(note.sentence, controls.MAX_SENTENCE_CHARS))
    if surrogates := note.stand_ins:
        columns = {
            "surrogate": [surrogate.cut for surrogate in surrogates],
            "goes": [surrogate.side for surrogate in surrogates],
            "agreement": [rounded(surrogate.agreement) for surrogate in surrogates],
            "adjusted": [rounded(surrogate.adjusted) for surrogate in surrogates],
            "rows sent": [surrogate.rows for surrogate in surrogates],
        }
        st.dataframe(pd.DataFrame(columns), hide_index=True, alt="Surrogates of the cut")
        st.caption(
            "Agreement: the share of the rows with both values that it sends as the cut does, of "
            "all that the cut can send. Adjusted: how much of what the majority gets wrong it gets "
            "right, as in rpart."
        )


def _all_gains(screen: Screen) -> None:
    """Draw the panel All gains: the gain of every cut, in a chart for each projection."""
    from dtviz.pictures.gains import gain_curves  # plotly is loaded only where it is seen

    cuts, index = screen.node_view.candidates, screen.node_view.index
    measure = why.measure_name(screen.session.rules)
    key = controls.pick_key("gains")
    shown = _projections_shown(screen, cuts)
    controls.chart(
        gain_curves(screen.data, cuts, index, measure, state.theme(), shown),
        key,
        "The gain of every cut, one panel a feature",
        lambda: pick(screen.stamp, controls.picked_point(key)),
    )
    if len(shown) < len(cuts.projections):
        st.button(f"Show {GAIN_CHARTS} more", key="more_gains", on_click=_more_gains)
    caption_left_out(screen)


def _projections_shown(screen: Screen, cuts: Candidates) -> list[int]:
    """Return the indices of the projections with a chart.

    Up to GAIN_CHARTS projections are all shown, in their order. Of more, those come first that the
    user has chosen in a control, which this draws; then those of the largest gains.
    """
    indices = [*range(len(cuts.projections))]
    if len(indices) <= GAIN_CHARTS:
        return indices
    names = [clean(projection_text(screen.data, projection)) for projection in cuts.projections]
    key = f"find_gains_{hash(cuts.projections)}"
    found = st.multiselect("Find a feature", indices, format_func=names.__getitem__, key=key)
    n_charts = GAIN_CHARTS * (1 + st.session_state.get("gains_clicks", 0))
    from dtviz.pictures.gains import projections_by_gain

    return list(dict.fromkeys([*found, *projections_by_gain(cuts)]))[: max(n_charts, len(found))]


def _more_gains() -> None:
    """Count a click that asks for more projections."""
    st.session_state["gains_clicks"] = st.session_state.get("gains_clicks", 0) + 1


def _surface(screen: Screen) -> None:
    """Draw the panel Surface: the prediction over two features."""
    from dtviz.pictures.charts import MAX_EDGES, surface  # plotly is loaded only where it is seen

    controls.chart(
        surface(screen.data, screen.tree, view_of(screen, state.theme())),
        "surface",
        "The prediction of the tree over the two features, as a surface of steps",
    )
    if len(screen.tree.splits) > MAX_EDGES:
        st.caption(f"Of a large tree at most {MAX_EDGES} steps a feature are drawn.")


def _arithmetic(screen: Screen) -> None:
    """Draw the panel Arithmetic: the gain of the chosen cut, worked out."""
    cuts, index = screen.node_view.candidates, screen.node_view.index
    if index is None:
        st.markdown("There is no cut to work out.")
        return
    row_ids = rows_in(screen.tree, screen.node)
    st.latex(why.candidate_latex(screen.data, cuts, index))
    if screen.data.source is None:
        lines = why.arithmetic(screen.problem, cuts, index, row_ids)
    else:
        lines = why.table_arithmetic(screen.problem, cuts, index, screen.tree, screen.node)
    controls.latex_lines(lines)


def _algorithm(screen: Screen) -> None:
    """Draw the panel Algorithm: its lines, one of them lit, and the values at this node."""
    stop = screen.decisions[screen.node].stop if screen.node in screen.decisions else ""
    lit_line = why.algorithm_line(stop, screen.node in screen.tree.splits)
    lines = "".join(
        f'<div class="{"lit" if name == lit_line else ""}">{escape(text)}</div>'
        for name, text in why.algorithm(screen.problem)
    )
    st.html(f'<pre class="algorithm">{lines}</pre>')
    facts = screen.tree.nodes[screen.node]
    depth = screen.tree.cut_depths[screen.node]
    value_texts = [f"D = the {count(facts.n, 'row')} of {node_phrase(screen.node)}, depth {depth}"]
    if facts.counts:
        shares = zip(screen.data.class_names, class_shares(facts), strict=True)
        texts = [f"{name} {number(share, 3)}" for name, share in shares if share][:8]
        value_texts.append("class shares " + ", ".join(texts))
    unit = CRITERIA[screen.session.rules.criterion].impurity.unit
    value_texts.append(f"impurity {number(facts.impurity)} {unit}")
    st.caption(controls.sentence("; ".join(value_texts)))


def _rules(screen: Screen) -> None:
    """Draw the panel Rules: the path to each leaf as a rule."""
    rules = leaf_rules(screen.data, screen.tree, max_rules=MAX_RULES_LISTED, dialect=SYMBOL_WORDS)
    st.text("\n".join(map(str, rules)))
    if len(screen.tree.rows) > len(rules):
        st.caption(f"The first {len(rules)} of {len(screen.tree.rows):,} rules.")


def _format_choice() -> str:
    """Draw the choice of a format, for SQL also of the database; return the name of the format."""
    standard, *others = SQLS
    formats = [format_name for format_name in TREE_KINDS if format_name not in others]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        format_name = st.segmented_control(
            "Format", formats, default="text", required=True, key="export_kind", width="content"
        )
        if format_name == standard:
            format_name = st.selectbox(
                "For",
                [*SQLS],
                format_func=lambda name: SQLS[name].title,
                key="export_sql",
                width=260,
            )
    return str(format_name)


def _export(screen: Screen) -> None:
    """Draw the panel Export: the tree as text, and the table of cuts unless they are hidden."""
    view = screen.node_view
    is_secret = view.is_asking or "gains" in screen.session.hidden
    cuts = None if is_secret else view.candidates
    format_name, problem = _format_choice(), screen.problem
    text = export(problem, screen.tree, format_name)
    ending = ENDINGS.get(format_name, "sql" if format_name in SQLS else format_name)
    with st.container(horizontal=True):
        st.download_button("Download the tree", text, f"tree.{ending}", on_click="ignore")
        if cuts is not None:
            features = screen.node_view.features
            cuts_text = "all cuts"
            if features is not None:
                cuts_text = f"the cuts of {count(len(features), 'feature')}"
            st.download_button(
                f"Download {cuts_text} as CSV",
                lambda: csv(candidate_table(problem, cuts)),
                "candidates.csv",
                "text/csv",
                on_click="ignore",
            )
    st.caption("The stage and the tree save themselves as SVG or PNG: ⤓ at their corner.")
    language = (
        None if format_name in ("text", "dot") else "sql" if format_name in SQLS else format_name
    )
    st.code(text[:20_000], language=language, wrap_lines=True)
    score_table(screen)


DRAWN_PANELS: dict[str, Callable[[Screen], None]] = {
    "All gains": _all_gains,
    "Features": features_panel,
    "Arithmetic": _arithmetic,
    "Missing": _missing,
    "Criteria": race_panel,
    "Surface": _surface,
    "Rows": row_panel,
    "Algorithm": _algorithm,
    "Rules": _rules,
    "Branches": branches_panel,
    "Export": _export,
}
"""Function of each panel that Streamlit draws, by name.

The notes on the data are not among them: the name of their panel has the number of notes.
"""
