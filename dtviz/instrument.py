"""The instrument of one tab: its visit, what was made for it, and the pictures of its screen.

A shell (Streamlit, or any other) shows the frames, hands over what the browser says, and knows
nothing of trees.

Glossary
    shared    what the tabs of one server have in common: examples, and the time-lines grown on them
    keep      what this tab made last: trees, candidates and frames, so that none is made twice
    opened    whether the visit has begun: not before its address was understood
    ahead     the pictures of the next step, so that it is on screen as soon as it is asked for
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, MutableMapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dtviz.engine.criteria import CRITERIA
from dtviz.engine.grow import finish
from dtviz.engine.rules import Rules, default_rules
from dtviz.engine.tree import Log, fold
from dtviz.figures.frame import pack
from dtviz.figures.frames import PICTURES, line_frame
from dtviz.figures.kinds import Ahead, TimeLine
from dtviz.figures.pad import pad_frame
from dtviz.figures.palette import Theme
from dtviz.figures.scene import cloud
from dtviz.screen import visit as visits
from dtviz.screen.channel import unheard
from dtviz.screen.keep import Keep
from dtviz.screen.screen import Screen, screen_of, short_name
from dtviz.screen.session import Future, Session, forward
from dtviz.screen.visit import Visit
from dtviz.table import drawing
from dtviz.table.data import DataError, Dataset, Recipe
from dtviz.table.drawing import Drawing, Kind, drawing_in
from dtviz.table.origins import origin_of
from dtviz.table.read import read_frame
from dtviz.table.uploads import fingerprint

MOST_AHEAD = 1_000  # nodes: of a larger tree a frame is too much to send twice
MOST_LINES = 20
AHEAD = ("stage", "tree")


def _many(most: int) -> Keep:
    return Keep(most, lambda _: 1)


@dataclass(frozen=True, slots=True)
class Shared:
    """What all tabs of a server have in common."""

    datasets: Keep = field(default_factory=lambda: _many(60))
    rests: Keep = field(default_factory=lambda: _many(400))


@dataclass(slots=True, eq=False)
class Instrument:
    """One tab: its visit, the tables given to it, `drawn` on it, and what was made of them.

    `kind` is that of a drawing before its first point.
    """

    visit: Visit
    shared: Shared = field(default_factory=Shared)
    files: MutableMapping[str, Any] = field(default_factory=dict)
    opened: bool = False
    kind: Kind = "classes"
    drawn: set[str] = field(default_factory=set)
    keep: Keep = field(default_factory=Keep)
    lines: list[tuple[Recipe, Rules, int, Log]] = field(default_factory=list)

    def dataset(self, recipe: Recipe) -> Dataset:
        """The data of a recipe, built once; private data in its own tab. Raises DataError."""
        origin = origin_of(recipe)
        kept = self.keep if origin.private else self.shared.datasets
        return kept.get(("data", recipe), lambda: origin.build(recipe, self.files))

    def future(self, recipe: Recipe, data: Dataset) -> Future:
        """The automatic moves after a log, each time-line grown once and kept.

        A log that lies on a line grown earlier in this tab has the rest of it as its future.
        """

        def future(rules: Rules, log: Log) -> Log:
            for made_on, by, start, whole in self.lines:
                same = (made_on, by) == (recipe, rules) and len(log) >= start
                if same and whole[: len(log)] == log:
                    return whole[len(log) :]
            rest = self.shared.rests.get(
                (recipe, rules, log),
                lambda: finish(data, rules, fold(data, rules, log))[0],
            )
            self.lines = [(recipe, rules, len(log), log + rest), *self.lines][:MOST_LINES]
            return rest

        return future

    def screen(self, session: Session | None = None) -> Screen:
        """The screen of the visit, or of another session; raises DataError."""
        session = session or self.visit.session
        data = self.dataset(session.recipe)
        return screen_of(session, data, self.future(session.recipe, data), self.keep)

    def hear(self, message: object) -> None:
        """Do what the browser says was done, each thing once; a message is any JSON at all."""
        for number, picture, event in unheard(message, self.visit.heard):
            self.visit = replace(self.visit, heard=number)
            self.act(picture, event)

    def act(self, picture: str, event: object) -> None:
        """Do what was done on a picture or a control."""
        if picture == "pad":
            self._pad(event if isinstance(event, Mapping) else {})
            return
        try:
            screen = self.screen()
        except DataError:
            screen = None
        self.visit = visits.act(self.visit, screen, picture, event)

    def do(self, after: Session) -> None:
        """Make `after` the session; the one before can be had back by undo."""
        if self.opened:
            self.visit = visits.do(self.visit, after)
        else:
            self.become(after)

    def become(self, after: Session) -> None:
        """Make `after` the session, with no way back to the one before."""
        self.visit, self.opened = replace(self.visit, session=after), True

    def drawing(self) -> Drawing:
        """The drawing on screen; an empty one if the data on screen is none."""
        return drawing_in(self.visit.session.recipe, self.dataset) or Drawing(self.kind)

    def draw(self, drawn: Drawing) -> None:
        """Put the drawing on screen, before the first step; rules that suit it stay.

        One too long for a link is kept as if its table had been given.
        """
        self.kind, rules = drawn.kind, self.visit.session.rules
        if CRITERIA[rules.criterion].task != drawn.task:
            rules = default_rules(drawn.task)
        recipe = drawing.recipe_of(drawn)
        if not drawing.travels(drawn):
            content = drawing.csv(drawn)
            mark = fingerprint(content)
            self.files[mark] = read_frame(content)
            self.drawn.add(mark)
            recipe = drawing.file_recipe(drawn, mark)
        self.do(Session(recipe, rules))
        self._forget()

    def draws(self, sessions: tuple[Session, ...]) -> bool:
        """Whether the way to the last of these changes the data, and not a step of the tree."""
        return bool(sessions) and sessions[-1].recipe != self.visit.session.recipe

    def _pad(self, event: Mapping[Any, Any]) -> None:
        """A step of the pad, or the way back or on where that is one."""
        match event.get("what"):
            case "undo" if self.draws(self.visit.past):
                self.visit = visits.undo(self.visit)
            case "redo" if self.draws(self.visit.ahead):
                self.visit = visits.redo(self.visit)
            case "points":
                before = self.drawing()
                after = drawing.changed(before, event.get("change"), event.get("target"))
                if after != before:
                    self.draw(after)

    def _forget(self) -> None:
        """Let go of the files of drawings that no undo comes back to."""
        visit = self.visit
        used = {one.recipe.get("sha") for one in (visit.session, *visit.past, *visit.ahead)}
        gone = self.drawn - used
        for mark in gone:
            self.files.pop(mark, None)
        self.keep.drop(lambda key: key[0] == "data" and key[1].get("sha") in gone)
        self.drawn &= used

    def cloud(self, data: Dataset, recipe: Recipe, axes: tuple[int, int]) -> bytes:
        """The points, packed; made once and kept."""
        name = short_name(recipe, axes)
        return self.keep.get(("cloud", name), lambda: pack("cloud", cloud(data, axes, name)))

    def pad(self, fit: int) -> bytes:
        """The pad, packed; another `fit` has it show all points."""
        past, ahead = self.draws(self.visit.past), self.draws(self.visit.ahead)
        return pack("pad", pad_frame(self.drawing(), past, ahead, fit))

    def frame(self, name: str, screen: Screen, theme: Theme) -> bytes:
        """A picture of the screen, packed; made once and kept."""
        picture = PICTURES[name]
        key: Hashable = (name, picture.of(screen, theme))
        return self.keep.get(key, lambda: pack(name, picture.draw(screen, theme)))

    def line(self, screen: Screen, theme: Theme) -> bytes:
        """The time-line, with the ways that the visit has."""
        visit, line = self.visit, line_frame(screen, theme)
        frame: TimeLine = {
            **line,
            "playing": visit.playing and line["made"] < line["total"],
            "undo": bool(visit.past),
            "redo": bool(visit.ahead),
        }
        return pack("line", frame)

    def ahead(self, screen: Screen, theme: Theme) -> bytes | None:
        """The pictures of the next step, if there is one and it may be shown.

        While asking first they would tell which cut wins.
        """
        session = screen.session
        many = len(screen.tree.nodes) > MOST_AHEAD
        if session.ask or many or len(session.log) >= screen.total:
            return None
        following = self.screen(forward(session, screen.future))
        packed = {name: self.frame(name, following, theme) for name in AHEAD}
        frames: Ahead = {"frames": {k: np.frombuffer(one, "u1") for k, one in packed.items()}}
        return pack("ahead", frames)
