"""Comparisons: all criteria over the same cuts, and the time-line with its branches."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from dtviz.app import state
from dtviz.app.controls import chart
from dtviz.app.runs import work
from dtviz.base.progress import Slices
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.tree import Log
from dtviz.evaluate.metrics import TimelineFigures, compare, data_score
from dtviz.explain.why import score_text
from dtviz.explain.words import SIGNED, candidate_text
from dtviz.models.steps import candidates_by_criterion
from dtviz.session.branches import timelines
from dtviz.session.jobs import Work
from dtviz.session.screen import Screen
from dtviz.session.session import ALL_MOVES, runs_of


def race_panel(screen: Screen, axes: tuple[int, int]) -> None:
    """Draw the curve of every criterion over the same cuts, and the table of their winners."""
    from dtviz.pictures.gains import race_curves  # plotly is loaded only where it is seen

    raced = candidates_by_criterion(
        screen.problem, screen.tree, screen.node, screen.node_view.features
    )
    if not any(len(cuts) for cuts in raced.values()):
        st.markdown("No cut exists in this node.")
        return
    titles = {CRITERIA[name].title: cuts for name, cuts in raced.items()}
    shown = axes if len(screen.data.features) > 1 else (0,)
    chart(
        race_curves(screen.data, titles, shown, state.theme()),
        "race",
        "The score of every cut under each criterion, the winner starred",
    )
    st.dataframe(_winners(screen, raced), hide_index=True, alt="The winner of each criterion")
    if len(raced) == 1:
        st.caption(f"For a number there is one criterion here: {next(iter(raced))}.")


def _winners(screen: Screen, raced: Any) -> pd.DataFrame:
    """Return one row a criterion: its best cut, the score, the number of ties."""
    rows = []
    for name, cuts in raced.items():
        rules = Rules(criterion=name)
        exists = cuts.best is not None
        rows.append(
            {
                "criterion": CRITERIA[name].title,
                "winner": candidate_text(screen.data, cuts, cuts.best, SIGNED)
                if exists
                else "no cut",
                "score": score_text(rules, float(cuts.score[cuts.best])) if exists else "",
                "ties": int(cuts.tied.sum()) - 1 if exists else 0,
            }
        )
    return pd.DataFrame(rows)


def branches_panel(screen: Screen) -> None:
    """Draw the table of the time-line and its branches: leaves, height, training, held out."""
    session = screen.session
    logs = timelines(screen)
    if screen.has_more_steps:
        rules, future = session.rules, screen.future
        logs = tuple(log + future(rules, log, None, ALL_MOVES) for log in logs)
    results = work(_comparison(screen, logs))
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
            st.button(
                f"Bring back branch {index + 1}",
                key=f"branch{index}",
                icon=":material/swap_horiz:",
                on_click=state.act,
                args=("branches", "bring_back"),
                kwargs={"branch": index},
            )
            st.button(
                "Compare",
                key=f"compare{index}",
                help=f"Branch {index + 1} and this line side by side",
                icon=":material/splitscreen_vertical_add:",
                on_click=state.act,
                args=("branches", "compare"),
                kwargs={"branch": index},
            )
            st.button(
                "Drop",
                key=f"drop{index}",
                help=f"Drop branch {index + 1}",
                type="tertiary",
                on_click=state.act,
                args=("branches", "drop"),
                kwargs={"branch": index},
            )


def _comparison(screen: Screen, logs: tuple[Log, ...]) -> Work[tuple[TimelineFigures, ...]]:
    """Return the work that evaluates these time-lines; forget that of others."""
    session, data, future = screen.session, screen.data, screen.future

    def begin() -> Slices[tuple[TimelineFigures, ...]]:
        return compare(
            Problem(data, session.rules), [runs_of(session.rules, log, future) for log in logs]
        )

    key = ("compared", session.recipe, session.rules, logs)
    state.tab().forget(lambda other: other[0] == key[0] and other != key)
    return Work(key, begin, "Every line on rows held out")


def _comparison_table(data: Dataset, results: tuple[TimelineFigures, ...]) -> pd.DataFrame:
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
