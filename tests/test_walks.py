"""A visit in any order: whatever is done after whatever, the screen keeps what it promises.

Glossary
    frames    those of one tab as its browser keeps them, by number, told by what is new
    loaded    another tab, opened at the address of the first or at the file it was saved as
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from screens import changed, flat, opened

from dtviz.app.instrument import PICTURES_AHEAD, Instrument, SharedState
from dtviz.data import uploads
from dtviz.data.csv import read_frame
from dtviz.data.gallery import example_recipe
from dtviz.data.uploads import fingerprint, upload_recipe
from dtviz.engine.problem import Problem
from dtviz.engine.rules import prepare_data
from dtviz.engine.search.missing import POLICIES
from dtviz.engine.tree import fold, leaf_ids
from dtviz.pictures.frames import PICTURES
from dtviz.pictures.packing import pack
from dtviz.pictures.scales import LIGHT
from dtviz.session import address
from dtviz.session.screen import Screen
from dtviz.session.session import Session, Visit, current_step, usual_rules

CSV = b"""size,colour,weight,kind
1,red,2.5,a
2,red,,b
3,blue,1e8,a
,green,100000001,b
5,blue,3.5,b
6,,4.25,a
7,red,2.5,b
8,green,0.5,a
"""
MARK = fingerprint(CSV)
FILE = upload_recipe(MARK, "odd.csv", "kind", None, "classification")
RECIPES = (
    example_recipe("good_place"),
    example_recipe("age_car_risk"),
    example_recipe("play_tennis"),
    example_recipe("moons", n=30),
    example_recipe("steps", n=25),
    FILE,
)
SHARED = SharedState()
TOLD = ("line", *PICTURES_AHEAD)
K = st.integers(0, 30)


def opened_tab(session: Session) -> Instrument:
    """A tab that has the file, at a session."""
    tab = Instrument(Visit(session), SHARED)
    tab.files[MARK], tab.contents[MARK] = read_frame(CSV), CSV
    tab.replace_session(session)
    tab.last_tables = frozenset({MARK})
    return tab


def fresh(tab: Instrument, recipe: Any) -> Session:
    return Session(recipe, usual_rules(recipe, tab.dataset(recipe).task))


def text_of(frame: dict[str, Any]) -> str:
    """A frame in one text: NaN is none of its equals."""
    return json.dumps(flat(frame), sort_keys=True)


class Walk(RuleBasedStateMachine):
    """A person at the instrument, and a browser that is told what is new."""

    @initialize(recipe=st.sampled_from(RECIPES))
    def opens(self, recipe: Any) -> None:
        self.tab = opened_tab(Session(recipe))
        self.tab.replace_session(fresh(self.tab, recipe))
        self.frames: dict[int, dict[str, Any]] = {}

    @property
    def session(self) -> Session:
        return self.tab.visit.session

    @property
    def screen(self) -> Screen:
        return self.tab.screen()

    def act(self, picture: str, what: str, **event: Any) -> None:
        number = self.tab.visit.last_event + 1
        told = {"n": number, "picture": picture, "event": {"what": what, **event}}
        self.tab.handle_message({"events": [told], "has": [*self.frames]})

    @contextmanager
    def changes(self) -> Iterator[None]:
        """What is done in it is taken back by Undo and made again by Redo, exactly."""
        before = self.session
        yield
        after = self.session
        if after != before:
            self.act("line", "undo")
            assert self.session == before
            self.act("line", "redo")
            assert self.session == after

    # --- what a person does ---------------------------------------------------------------------

    @rule(step=K, playing=st.booleans())
    def goes_to_a_step(self, step: int, playing: bool) -> None:
        with self.changes():
            self.act("line", "goto", step=step, playing=playing)
        assert current_step(self.session) == min(step, self.screen.n_steps)

    @rule(k=K, of_two=st.booleans())
    def looks_at_a_node(self, k: int, of_two: bool) -> None:
        nodes = [*self.screen.tree.nodes]
        with self.changes():
            self.act("tree", "focus", node=str(nodes[k % len(nodes)]), beside=of_two)
        if not of_two:
            assert self.screen.node == nodes[k % len(nodes)]

    @rule(k=K)
    def chooses_a_cut(self, k: int) -> None:
        cuts = self.screen.node_view.candidates
        if len(cuts):
            with self.changes():
                self.act("stage", "cut", index=k % len(cuts), stamp=self.screen.stamp)
            assert self.screen.node_view.index == k % len(cuts)

    @rule(x=st.floats(-2, 120), y=st.floats(-2, 120), up=st.floats(-2, 120), far=st.floats(-2, 120))
    def draws_a_line(self, x: float, y: float, up: float, far: float) -> None:
        self.act("stage", "line", start=[x, y], end=[far, up])

    @rule()
    def splits_here(self) -> None:
        before = self.screen
        with self.changes():
            self.act("grow", "split", stamp=before.stamp)
        if before.node_view.index is not None and before.node in before.tree.rows:
            assert self.screen.tree.splits[before.node] == before.node_view.candidates.split(
                before.node_view.index
            )

    @rule(k=K)
    def takes_a_split_back_on_overfit(self, k: int) -> None:
        nodes = [*self.screen.tree.splits] or [1]
        self.act("judging", "prune", nodes=[nodes[k % len(nodes)]])

    @rule()
    def undoes(self) -> None:
        past = self.tab.visit.undo_stack
        self.act("line", "undo")
        assert self.session == (past[-1] if past else self.session)

    @rule()
    def redoes(self) -> None:
        ahead = self.tab.visit.redo_stack
        self.act("line", "redo")
        assert self.session == (ahead[-1] if ahead else self.session)

    @precondition(lambda self: self.session.branches)
    @rule(k=K, what=st.sampled_from(["bring_back", "drop", "compare"]))
    def takes_a_branch(self, k: int, what: str) -> None:
        branches = self.session.branches
        with self.changes():
            self.act("branches", what, branch=k % len(branches))

    @rule(other=st.booleans())
    def ends_a_comparison(self, other: bool) -> None:
        compared = self.session.beside is not None
        self.act("beside", "keep", other=other)
        assert self.session.beside is None or not compared

    @rule()
    def compares_settings(self) -> None:
        self.act("settings", "compare")

    @rule(
        values=st.fixed_dictionaries(
            {},
            optional={
                "max_depth": st.sampled_from([None, 0, 1, 2, 3]),
                "min_samples_leaf": st.sampled_from([1, 2, 4, 0.2]),
                "criterion": st.sampled_from(["gini", "entropy", "error", "squared_error"]),
                "order": st.sampled_from(["breadth", "depth", "best"]),
                "max_leaf_nodes": st.sampled_from([None, 1, 3]),
                "missing": st.sampled_from([*POLICIES]),
                "ccp_alpha": st.sampled_from([0.0, 0.02, 0.5]),
            },
        ),
        of_two=st.booleans(),
    )
    def changes_rules(self, values: dict[str, Any], of_two: bool) -> None:
        with self.changes():
            self.act("settings", "rules", values=values, beside=of_two)

    @rule(row=st.none() | K, focus=st.booleans())
    def follows_a_row(self, row: int | None, focus: bool) -> None:
        self.act("stage", "row", row=row, focus=focus)

    @rule(place=st.integers(0, 1), feature=st.integers(0, 3))
    def turns_an_axis(self, place: int, feature: int) -> None:
        self.act("grow", "axis", place=place, feature=feature)

    @rule(on=st.booleans())
    def asks_first(self, on: bool) -> None:
        self.act("grow", "ask", on=on)

    @rule(recipe=st.sampled_from(RECIPES))
    def takes_other_data(self, recipe: Any) -> None:
        with self.changes():
            self.tab.change_session(fresh(self.tab, recipe))

    @rule()
    def opens_its_address(self) -> None:
        """A link to this screen shows this screen."""
        here = self.screen
        params = address.write_address(here.session, here.data, here.future)
        self.tab = self._loaded(params)

    @rule()
    def saves_it_and_opens_the_file(self) -> None:
        here = self.screen
        params = address.write_address(here.session, here.data, here.future)
        found = uploads.read_screen(
            uploads.write_screen(uploads.SavedScreen("grow", params, {MARK: CSV}))
        )
        assert found == uploads.SavedScreen("grow", params, {MARK: CSV})
        self.tab = self._loaded(dict(found.address))

    def _loaded(self, params: dict[str, str]) -> Instrument:
        here, tab = self.screen, opened_tab(self.session)
        read = address.read_address(params, RECIPES[0])
        future = tab.future(read.recipe)
        session, problems = address.session_at(read, tab.dataset(read.recipe), future)
        assert problems == ()
        tab.replace_session(session)
        there = tab.screen()
        assert there.session.rules == here.session.rules
        assert there.session.log == here.session.log
        assert there.session.branches == here.session.branches
        assert (there.node, there.node_view.index, there.node_view.axes) == (
            here.node,
            here.node_view.index,
            here.node_view.axes,
        )
        assert (there.other_screen is None) == (here.other_screen is None)
        assert address.write_address(there.session, there.data, there.future) == params
        self.frames = {}
        return tab

    # --- what holds at any time -----------------------------------------------------------------

    @invariant()
    def the_tree_is_what_its_moves_make_of_the_rows(self) -> None:
        for screen in filter(None, (self.screen, self.screen.other_screen)):
            session = screen.session
            data = prepare_data(self.tab.dataset(session.recipe), session.rules)
            tree = fold(Problem(data, session.rules), session.log)
            assert dict(tree.nodes) == dict(screen.tree.nodes)
            assert dict(tree.splits) == dict(screen.tree.splits)
            rows = np.concatenate([screen.tree.rows[leaf] for leaf in leaf_ids(screen.tree)])
            assert sorted(rows.tolist()) == [*range(data.n)]
            assert len(screen.tree.rows) == len(screen.tree.splits) + 1
            assert screen.node in screen.tree.nodes
            assert {*screen.decisions} == {*screen.tree.rows}
            assert len(session.log) <= screen.n_steps

    @invariant()
    def branches_are_other_time_lines(self) -> None:
        session = self.session
        assert len({*session.branches}) == len(session.branches)

    @invariant()
    def what_undo_needs_is_there(self) -> None:
        visit = self.tab.visit
        for session in (*visit.undo_stack, *visit.redo_stack):
            assert self.tab.dataset(session.recipe).n > 0

    @invariant()
    def the_browser_shows_what_the_server_made(self) -> None:
        """Told only what is new, and of the next step ahead, it has each frame as made whole."""
        screen = self.screen
        for name in TOLD:
            sent = opened(self.tab.pack_picture(name, screen, LIGHT))
            number = sent.pop("$number")
            if sent.get("kind") == "change":
                sent = changed(self.frames[sent["base"]], sent["change"])
            self.frames[number] = sent
            picture = PICTURES[name]
            whole = opened(pack(picture.kind, picture.draw(screen, LIGHT)))
            assert text_of(sent) == text_of(whole)
        self.tab.forget_held_frames()


Walk.TestCase.settings = settings(max_examples=5, stateful_step_count=20, deadline=None)
TestWalks = Walk.TestCase


@pytest.mark.nightly
class TestLongWalks(Walk.TestCase):  # type: ignore[name-defined,misc]
    """More of them, and longer ones."""

    settings = settings(max_examples=100, stateful_step_count=50, deadline=None)
