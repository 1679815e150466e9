"""What every section of Learn is given: the screen, the node in focus, the tree to come."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from dtviz.engine.grow import Decision, finish, status
from dtviz.engine.tree import Tree, fold, rows_in
from dtviz.screen.screen import Screen
from dtviz.text import count
from dtviz.ui.lessons.formulas import Spot

Decisions = dict[int, Decision]


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """The screen, the node whose numbers are shown, and the tree at the end of the time-line."""

    screen: Screen
    spot: Spot
    end: Tree
    end_stops: Decisions

    @property
    def stages(self) -> list[tuple[str, Tree, Decisions]]:
        """(name, tree, decisions): now, and at the end unless the tree is there already."""
        now = ("now", self.screen.tree, self.screen.decisions)
        if self.end.nodes.keys() == self.screen.tree.nodes.keys():
            return [now]
        return [now, ("at the end", self.end, self.end_stops)]


def lesson_of(screen: Screen) -> Lesson:
    """The lesson on a screen."""
    session = screen.session
    name = "the root" if screen.node == 1 else f"node {screen.node}"
    spot = Spot(screen.data, rows_in(screen.tree, screen.node), session.rules, name)
    key = repr((session.recipe, session.rules, session.log, session.undone))
    end, stops = _end(key, screen)
    return Lesson(screen, spot, end, stops)


def table(rows: list[dict[str, str]], alt: str) -> None:
    """A small table whose cells wrap; cells are Markdown, so names in them come escaped."""
    st.table(pd.DataFrame(rows), hide_index=True, border="horizontal", alt=alt)


def elsewhere(what: str, spot: Spot) -> str:
    """Where the numbers come from when they are not of the data on screen."""
    return f"{what}, at the root of {spot.name} ({count(spot.n, 'row')}):"


@st.cache_resource(max_entries=20, show_spinner=False)
def _end(key: str, _screen: Screen) -> tuple[Tree, Decisions]:
    """The tree at the end of the time-line, and why each of its leaves stops."""
    session, data = _screen.session, _screen.data
    made = fold(data, session.rules, session.log + session.undone)
    end = finish(data, session.rules, made)[1]
    return end, status(data, session.rules, end)
