"""Learn: cuts of other shapes than a threshold on one feature."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dtviz.engine.candidates import Candidates
from dtviz.engine.problem import Problem
from dtviz.engine.splits import FAMILIES
from dtviz.say.words import cut_text
from dtviz.text import count, markdown
from dtviz.trace import searched
from dtviz.ui.lessons.formulas import Spot, shown
from dtviz.ui.lessons.lesson import Lesson, opened, table


def kinds(lesson: Lesson) -> None:
    """The other scores that a threshold may be put on."""
    spot = lesson.spot
    st.markdown(
        "Every cut asks `score(x) <= t` of a row. A **threshold** takes one feature as the score, "
        "a **slanted line** a weighted sum [F, H], a **circle** the squared distance to a centre "
        "[H]:"
    )
    st.latex(r"x_j \le t \qquad \langle w, x \rangle \le t \qquad \rho(x, x_0)^2 \le t")
    st.markdown(
        "All thresholds of a score are tried. Each node proposes lines and circles of its own, by "
        "its rows: the linear discriminants of its classes, the angles of its planes, in small "
        "nodes every direction in which two rows change places; centres are means and rows. "
        "Choose them under Settings, *Cuts compared*, and turn them by hand on the stage."
    )
    opened("kinds", f"The best of each kind at {spot.name}", lambda: _each(spot))


def _each(spot: Spot) -> None:
    rows = [row for name in ("axis", "oblique", "radial") if (row := _best(spot, name))]
    if rows:
        table(rows, "The best cut of each kind")
    else:
        st.markdown("No kind has a cut here.")


def _best(spot: Spot, name: str) -> dict[str, str] | None:
    """The best cut of a family; None where it has none."""
    family, data = FAMILIES[name], spot.data
    if not family.propose(data):
        return None
    rules = replace(spot.rules, families=(name,))
    cuts: Candidates = searched(Problem(data, rules), spot.rows)
    if cuts.best is None:
        return None
    return {
        "Kind": family.title,
        "Tried": count(len(cuts), "cut"),
        "Best": markdown(cut_text(data, cuts, cuts.best)),
        "Gain": shown(float(cuts.gain[cuts.best])),
    }
