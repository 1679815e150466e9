"""Forest: an ensemble, its members one by one, and what they predict together."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dtviz.app import controls, state
from dtviz.app.page import PageSpec
from dtviz.app.runs import do_all_work
from dtviz.app.share import head_controls
from dtviz.engine.ensembles import ENSEMBLES, kinds_for
from dtviz.engine.ensembles.ensemble import EnsembleKind, Plan
from dtviz.explain.export import ENSEMBLE_KINDS, export_ensemble
from dtviz.pictures.forest import forest_jobs
from dtviz.pictures.overfit import with_present_value
from dtviz.pictures.stage import slice_caption
from dtviz.session.derived_data import MEMBER_RECIPES
from dtviz.session.forest import foreign_text, forest_work, limits_text, member_session, plan_of
from dtviz.session.screen import Screen

N_TREES_CHOICES = (1, 5, 10, 25, 50, 100, 200, 300)
TITLES = {"python": "Python", "json": "JSON"}  # by format of the export
ENDINGS = {"python": "py"}  # of files, where the name of the format is not the ending
RATE_CHOICES = (0.01, 0.05, 0.1, 0.2, 0.5, 1.0)


def draw(screen: Screen) -> None:
    """Draw the page, or why the data have no forest; open a member that was chosen."""
    session = screen.session
    if reason := foreign_text(session.recipe):
        controls.data_title(session)
        st.info(controls.sentence(reason))
        return
    if session.opened is not None:
        _open_member(screen, session.opened)
    above, picture = st.container(), st.container()
    with st.container(key="progress"):
        do_all_work(forest_jobs(screen))
    tab, theme = state.tab(), state.theme()
    with picture:
        controls.send_frame("points", tab.pack_picture("plain", screen, theme))
        controls.draw_frame("forest", tab.pack_picture("forest", screen, theme))
        if caption := slice_caption(screen):
            st.caption(controls.sentence(caption))
    with above:
        _head(screen)
        if limits := limits_text(session):
            st.caption(controls.sentence(limits))
    n_trees = plan_of(session, screen.data)[1].trees
    if n_trees < session.plan.trees:
        st.caption(f"Of {screen.data.n:,} rows there is room for {n_trees} trees.")
    controls.show_notes(screen.data.notes)


def _open_member(screen: Screen, member: int) -> None:
    """Open a member on the page Grow, if it is grown."""
    session, data = screen.session, screen.data
    forest = screen.result_of(forest_work(session, data))
    if forest is not None and 0 <= member < len(forest.ensemble.members):
        # no member is opened any more when Back leads to this page
        state.tab().replace_session(replace(session, opened=None))
        if MEMBER_RECIPES.is_derived(session.recipe):
            st.toast("These are the rows of one of its trees already: go back to all rows first.")
            return
        state.set_session(member_session(session, data, forest, member))
        st.switch_page("pages/grow.py")


def _head(screen: Screen) -> None:
    """Draw the title and the choices: kind, number of trees, features a split, rate, seed."""
    session, data = screen.session, screen.data
    kind, plan = plan_of(session, data)
    with st.container(horizontal=True, gap="medium", vertical_alignment="center", key="grove"):
        controls.data_title(session)
        if "settings" in session.hidden:
            return
        names = [option.name for option in kinds_for(data.task)]
        _choice("kind", kind.name, "Ensemble", names, lambda name: ENSEMBLES[name].title, 180)
        _choice(
            "trees",
            plan.trees,
            "Trees",
            with_present_value(N_TREES_CHOICES, plan.trees, str),
            _trees_text(kind),
            130,
        )
        n_features = len(data.features)
        if kind.features is not None and n_features > 1:
            default = kind.features(n_features)
            n_drawn = min(plan.features or default, n_features)
            options = sorted(
                {1, 2, 3, 5, 8, default, n_drawn, n_features} & {*range(1, n_features + 1)}
            )
            _choice(
                "features",
                n_drawn,
                "Features",
                options,
                lambda n: f"{n} of {n_features} a split",
                150,
            )
        if kind.rate is not None:
            rate = plan.rate or kind.rate
            _choice(
                "rate",
                rate,
                "Rate",
                with_present_value(RATE_CHOICES, rate, str),
                lambda r: f"rate {r:g}",
                120,
            )
        if kind.rate is None:
            help_text = "Grow other trees: draw again"
            controls.draw_again(
                "Grow again", "grow_again", help_text, plan.seed, lambda seed: _set_plan(seed=seed)
            )
        head_controls(screen)
        if not session.hidden:
            _export(screen)


def _export(screen: Screen) -> None:
    """Draw the export of all trees as one program or as JSON, once they are grown."""
    forest = screen.result_of(forest_work(screen.session, screen.data))
    panel = st.popover(
        "Export", icon=":material/download:", key="grove_export", disabled=forest is None
    )
    if forest is None:
        return
    with panel:
        for kind in ENSEMBLE_KINDS:
            st.download_button(
                f"All trees as {TITLES[kind]}",
                partial(export_ensemble, forest.ensemble, kind),
                f"trees.{ENDINGS.get(kind, kind)}",
                on_click="ignore",
                key=f"grove_{kind}",
            )


def _trees_text(kind: EnsembleKind) -> Any:
    """Return the function that gives a number of trees, or rounds of boosting, in words."""
    word = "trees" if kind.rate is None else "rounds"
    return lambda n_trees: f"{n_trees} {word if n_trees > 1 else word[:-1]}"


def _choice(name: str, value: Any, label: str, options: Any, text: Any, width: int) -> None:
    """Draw the choice of a part of the plan; `text` names an option."""
    key = f"grove_{name}"
    controls.select(label, key, value, options, text, lambda v: _set_plan(**{name: v}), width)


def _set_plan(**values: Any) -> None:
    """Set parts of the plan of the ensemble."""
    if "kind" in values:  # another kind has other defaults
        values |= {"rate": Plan().rate, "features": Plan().features}
    state.act("forest", "plan", values=values)


PAGE = PageSpec("Forest", "forest", draw, is_fragment=True)
