"""What every section of Learn is given: the screen, the node in focus, the tree to come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from dtviz.engine.grow import Decision
from dtviz.engine.tree import Tree, rows_in
from dtviz.screen.screen import Screen
from dtviz.screen.session import ALL_MOVES, goto
from dtviz.text import count
from dtviz.ui import state
from dtviz.ui.lessons.formulas import Spot

Decisions = dict[int, Decision]


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """The screen, the node whose numbers are shown, and the screen at the end of the time-line."""

    screen: Screen
    spot: Spot
    last: Screen

    @property
    def end(self) -> Tree:
        """The tree at the end of the time-line."""
        return self.last.tree

    @property
    def stages(self) -> list[tuple[str, Tree, Decisions]]:
        """(name, tree, decisions): now, and at the end unless the tree is there already."""
        now = ("now", self.screen.tree, self.screen.decisions)
        if self.end.nodes.keys() == self.screen.tree.nodes.keys():
            return [now]
        return [now, ("at the end", self.end, self.last.decisions)]


def lesson_of(screen: Screen) -> Lesson:
    """The lesson on a screen."""
    session = screen.session
    name = "the root" if screen.node == 1 else f"node {screen.node}"
    spot = Spot(screen.data, rows_in(screen.tree, screen.node), session.rules, name)
    return Lesson(screen, spot, state.tab().screen(goto(session, ALL_MOVES, screen.future)))


def opened(name: str, words: str, draw: Callable[[], None]) -> None:
    """What takes a while to work out, and is worked out once it is opened."""
    panel = st.expander(words, key=f"more_{name}", on_change="rerun")
    if panel.open:
        with panel:
            draw()


def open_in_grow(words: str, name: str, **params: str) -> None:
    """A button that leads to an example in Grow, or to the screen as it is."""
    arrow = ":material/arrow_forward:"
    if st.button(words, key=f"grow_{name}", icon=arrow, icon_position="right", type="tertiary"):
        st.switch_page("pages/grow.py", query_params=params or None)


def table(rows: list[dict[str, str]], alt: str) -> None:
    """A small table whose cells wrap; cells are Markdown, so names in them come escaped."""
    st.table(pd.DataFrame(rows), hide_index=True, border="horizontal", alt=alt)


def elsewhere(what: str, spot: Spot) -> str:
    """Where the numbers come from when they are not of the data on screen."""
    return f"{what}, at the root of {spot.name} ({count(spot.n, 'row')}):"
