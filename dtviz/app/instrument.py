"""The instrument of one tab: its visit, what was made for it, and the pictures of its screen.

A shell (Streamlit, or any other) shows the frames, hands over what the browser says, and knows
nothing of trees.

Glossary
    shared    what the tabs of one server have in common: examples, all that was made of them last,
              and the memory for what each keeps
    keep      what this tab made last of its own: trees, candidates and frames, none of them twice
    opened    whether the visit has begun: not before its address was understood
    ahead     the pictures of the next step, so that it is on screen as soon as it is asked for
    jobs      the long work of this tab, by what it is about; the last few stay
    made      a frame, and the number that the browser knows it by
    numbers   of the frames to come, of all tabs; a browser may hold those of a server that is
              gone, so they begin anywhere
    holds     the numbers of the frames that the browser holds; `sent`: the last two of a picture
    shelf     what is known of the files that the browser keeps
    awaited   the data of an address that waits for its files; `later`: the events that wait with it
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from secrets import randbelow
from threading import Lock
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from dtviz.data import drawing
from dtviz.data.csv import read_frame
from dtviz.data.dataset import DataError, Dataset, Recipe
from dtviz.data.drawing import Drawing, drawing_in
from dtviz.data.recipes import origin_of
from dtviz.data.uploads import (
    FileNeededError,
    Files,
    fingerprint,
    mark_at,
    marks_of,
    places_of,
    size_of,
)
from dtviz.engine.grow import could_make, finish, next_move
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, prepared
from dtviz.engine.tree import Log, Move, fold
from dtviz.pictures.frame_types import Ahead, Frame, Moved
from dtviz.pictures.frames import PICTURES
from dtviz.pictures.packing import change, deflated, pack
from dtviz.pictures.palette import Theme
from dtviz.session import browser_files as shelves
from dtviz.session import history as visits
from dtviz.session.browser_files import Shelf
from dtviz.session.cache import Cache, bytes_per_tab
from dtviz.session.channel import MAX_EVENTS, held_frames, new_events
from dtviz.session.events import Event, read_event
from dtviz.session.handle import handle_visit, perform_event, with_drawing
from dtviz.session.history import Visit
from dtviz.session.jobs import MANY_ROWS, Job, Work, go_on
from dtviz.session.screen import Blank, Screen, grown_tree, screen_of, short_name, stamp_beside
from dtviz.session.session import Future, Session, forward, other_session, step_of

MAX_NODES_AHEAD = 1_000  # nodes: of a larger tree a frame is too much to send twice
MAX_TIMELINES, MAX_MOVES_ON_TIMELINES = 20, 200_000  # moves: of larger trees fewer lines are kept
MOST_GIVEN = 100_000_000
"""Bytes of the tables that only undo comes back to, with those in use: the oldest go first."""
MAX_SHARED_BYTES = (150_000_000, 300_000_000, 100_000_000)
"""Bytes of the examples, of what was made of them, and of grown trees that all tabs share."""
BYTES_PER_MOVE = 250.0
"""About how many bytes a move takes."""
MAX_JOBS = 12
MAX_SINGLE_STEPS = 50
"""Of more than MANY_ROWS more steps than these take longer one by one than the whole tree."""
MAX_FIRST_NUMBER = 2**40
PICTURES_AHEAD = ("stage", "tree")
SHARED_PICTURES = (*PICTURES_AHEAD, "ranking")
"""The pictures that a class sees alike: of an example they are drawn and packed once for all."""
Packed = Mapping[str, bytes]
EMPTY: Packed = MappingProxyType({})
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shared:
    """What all tabs of a server have in common."""

    datasets: Cache = field(default_factory=Cache)
    made: Cache = field(default_factory=Cache)
    rests: Cache = field(default_factory=lambda: Cache(weigh=lambda log: BYTES_PER_MOVE * len(log)))
    tabs: WeakSet[Instrument] = field(default_factory=WeakSet)
    lock: Lock = field(default_factory=Lock)
    numbers: Iterator[int] = field(default_factory=lambda: count(1 + randbelow(MAX_FIRST_NUMBER)))

    def enter(self, tab: Instrument) -> None:
        """Add a tab."""
        with self.lock:
            self.tabs.add(tab)
        self.fit()

    def fit(self) -> None:
        """Fit all caches to the number of tabs: where these are many, each tab keeps less; where
        none is left, so does the server.
        """
        with self.lock:
            tabs = [*self.tabs]
        for tab in tabs:
            tab.keep.fit(bytes_per_tab(len(tabs)))
        part = min(1.0, (1 + 3 * len(tabs)) / 10)
        for keep, most in zip(
            (self.datasets, self.made, self.rests), MAX_SHARED_BYTES, strict=True
        ):
            keep.fit(part * most)


@dataclass(frozen=True, slots=True, eq=False)
class NumberedFrame:
    """A frame of that kind, its number, and whether all tabs share it."""

    number: int
    kind: str
    frame: Frame
    shared: bool


class KnownTimeline(NamedTuple):
    """A time-line: each of its logs of `start` moves or more has the rest of it as its future.

    `ended` says that no move follows.
    """

    recipe: Recipe
    rules: Rules
    start: int
    log: Log
    ended: bool


@dataclass(slots=True, eq=False, weakref_slot=True)
class Instrument:
    """One tab: its visit, the files given to it, where the last are, and what was made of them.

    `contents` are the bytes of these files, by their fingerprints.
    """

    visit: Visit
    shared: Shared = field(default_factory=Shared)
    files: MutableMapping[str, Any] = field(default_factory=dict)
    contents: MutableMapping[str, bytes] = field(default_factory=dict)
    shelf: Shelf = field(default_factory=Shelf)
    awaited: Recipe | None = None
    waiting_events: list[tuple[Event, str | None]] = field(default_factory=list)
    opened: bool = False
    given: frozenset[str] = frozenset()
    keep: Cache = field(default_factory=Cache)
    jobs: dict[Hashable, Job] = field(default_factory=dict)
    timelines: list[KnownTimeline] = field(default_factory=list)
    held_frames: frozenset[int] = frozenset()
    sent_frames: dict[tuple[str, bool], tuple[NumberedFrame, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Take its place among the tabs."""
        self.shared.enter(self)

    def dataset(self, recipe: Recipe) -> Dataset:
        """The data of a recipe, built once; private data in its own tab.

        Raises DataError; what no data can be made of is not tried again either.
        """
        origin = origin_of(recipe)
        kept = self.keep if origin.private else self.shared.datasets

        def made() -> Dataset | DataError:
            try:
                return origin.build(recipe, self.files)
            except FileNeededError:
                raise  # it may be given next
            except DataError as error:
                return error

        found = kept.get(("data", recipe), made)
        if isinstance(found, DataError):
            raise found.with_traceback(None)
        return found

    def table(self, recipe: Recipe, rules: Rules) -> Dataset:
        """The data of a recipe as the rules take rows without a value; raises DataError."""
        key = ("prepared", recipe, rules.missing)
        return self._keep_of(recipe).get(key, lambda: prepared(self.dataset(recipe), rules))

    def _keep_of(self, recipe: Recipe) -> Cache:
        """Where what is made of a recipe's data is kept: of an example once for all tabs."""
        return self.keep if origin_of(recipe).private else self.shared.made

    def future(self, recipe: Recipe) -> Future:
        """The automatic moves after a log, each time-line grown once and kept.

        A log that lies on a line grown earlier in this tab has the rest of it as its future.
        """

        def future(rules: Rules, log: Log, first: Move | None = None, many: int = 1, /) -> Log:
            begun = KnownTimeline(recipe, rules, len(log), log, ended=False)
            for line in self.timelines:
                same = (line.recipe, line.rules) == (recipe, rules) and len(log) >= line.start
                if same and line.log[: len(log)] == log:
                    if line.ended or len(line.log) - len(log) >= many:
                        return line.log[len(log) :]
                    begun = line
            if first is not None and not could_make(
                Problem(self.table(recipe, rules), rules), log, first
            ):
                return ()
            self._note(begun, self._longer(begun, len(log) + many - len(begun.log)))
            return self.timelines[0].log[len(log) :]

        return future

    def _longer(self, line: KnownTimeline, many: int) -> KnownTimeline:
        """The time-line with `many` moves more: of a large table one by one, else all there are."""
        recipe, rules, _, log, _ = line
        data = self.table(recipe, rules)

        def rest() -> Log:
            problem = Problem(data, rules)
            return finish(problem, fold(problem, log))[0]

        if data.n <= MANY_ROWS or many > MAX_SINGLE_STEPS:
            return line._replace(
                log=log + self.shared.rests.get((recipe, rules, log), rest), ended=True
            )
        keep = self._keep_of(recipe)
        for _ in range(many):
            move = next_move(Problem(data, rules), *grown_tree(recipe, rules, log, data, keep))
            if move is None:
                return line._replace(log=log, ended=True)
            log = (*log, move)
        return line._replace(log=log)

    def _note(self, before: KnownTimeline, line: KnownTimeline) -> None:
        """Keep a time-line in the place of its beginning, the newest first."""
        others = [one for one in self.timelines if one is not before]
        self.timelines = [line, *others][:MAX_TIMELINES]
        while (
            len(self.timelines) > 1
            and sum(len(one.log) for one in self.timelines) > MAX_MOVES_ON_TIMELINES
        ):
            self.timelines.pop()

    def _ends(self, recipe: Recipe, rules: Rules, log: Log) -> bool:
        """Whether a time-line is known to end with this log: that of a small table always is."""
        lines = [
            one
            for one in self.timelines
            if (one.recipe, one.rules, one.log) == (recipe, rules, log)
        ]
        return self.table(recipe, rules).n <= MANY_ROWS or any(one.ended for one in lines)

    def blank(self, session: Session | None = None) -> Blank:
        """The screen of the visit, or of another session, without its data."""
        visit = replace(self.visit, session=session or self.visit.session)
        on_screen = drawing_in(visit.session.recipe, self.dataset)
        return Blank(visit=visit, drawing=on_screen, recipe_of=self._recipe)

    def screen(self, session: Session | None = None) -> Screen:
        """The screen of the visit, or of another session, with the other one beside it, if any.

        Both have the same features on their axes. Raises DataError.
        """
        made = self._alone(session or self.visit.session)
        session = other_session(made.session)
        if session is None:
            return made
        beside = self._alone(replace(session, axes=made.look.axes))
        mark = stamp_beside(made.session, made.future)
        return replace(made, beside=replace(beside, mark=mark))

    def _alone(self, session: Session) -> Screen:
        data = self.table(session.recipe, session.rules)
        keep = self._keep_of(session.recipe)
        made = screen_of(session, data, self.future(session.recipe), keep)
        is_end = partial(self._ends, session.recipe, session.rules)
        return replace(made, **vars(self.blank(made.session)), done=self._done, is_end=is_end)

    def current_screen(self) -> Blank:
        """The screen of the visit, with its data if these can be had."""
        try:
            return self.screen()
        except DataError:
            return self.blank()

    def hear(self, message: object, go: Callable[[dict[str, str]], None] = lambda _: None) -> None:
        """Do what the browser says was done, each thing once; a message is any JSON at all.

        `go` opens the address that Back or Forward led to. What is meant for data that wait for
        their files waits with them.
        """
        self.held_frames = held_frames(message)
        self.keep.fit(bytes_per_tab(len(self.shared.tabs)))
        for sent in new_events(message, self.visit.heard):
            self.visit = replace(self.visit, heard=sent.n)
            event = read_event(sent.picture, sent.event)
            if event is None:
                continue
            if event.picture == "address":
                go(event.values["search"])
            elif event.picture == shelves.NAME:
                self.shelf = shelves.handle_event(self.shelf, event, self.contents)
            else:
                self._perform(event, sent.data)

    def _perform(self, event: Event, data: str | None) -> None:
        """Do what is meant for the data on screen; what is meant for others waits or is dropped."""
        if data in (None, self.mark) or (event.any_data and self.awaited is None):
            self._turn(perform_event(self.current_screen(), event))
        elif self.awaited is not None:
            self.waiting_events = [*self.waiting_events, (event, data)][:MAX_EVENTS]

    def catch_up(self) -> bool:
        """Do the events that waited for data which have come; tells whether there were any.

        Where other data came instead these events are dropped.
        """
        later, awaited = self.waiting_events, self.awaited
        self.waiting_events, self.awaited = [], None
        if not later or awaited != self.visit.session.recipe:
            return False
        for event, data in later:
            self._perform(event, data)
        return True

    @property
    def mark(self) -> str:
        """The mark of the data on screen: a letter brings it, an event carries it back."""
        return short_name(self.visit.session.recipe)

    def act(self, picture: str, event: object) -> None:
        """Do what was done on a picture or a control."""
        self._turn(handle_visit(self.current_screen(), picture, event))

    def do(self, after: Session) -> None:
        """Make `after` the session; the one before can be had back by undo."""
        self._turn(visits.with_session(self.visit, after))
        self.opened = True

    def become(self, after: Session) -> None:
        """Make `after` the session, with no way back to the one before."""
        self.visit, self.opened = replace(self.visit, session=after), True

    def draw(self, drawing: Drawing) -> None:
        """Put the drawing on screen, before the first step; rules that suit it stay."""
        self._turn(with_drawing(self.blank(), drawing))

    def _turn(self, after: Visit) -> None:
        """Go on with another visit; before the first session there is nothing to come back to."""
        if not self.opened and after.session != self.visit.session:
            after, self.opened = replace(after, past=()), True
        self.visit = after
        self._let_go()

    def give(self, tables: Files, contents: Mapping[str, bytes] = EMPTY) -> None:
        """Keep tables that were given, until others are and no undo comes back to these.

        `contents` are the bytes of their files, by their fingerprints.
        """
        self.given = frozenset(tables)
        self.files.update(tables)
        self.contents.update(contents)
        self._let_go()

    def _let_go(self) -> None:
        """Let go of the tables that no undo comes back to, but for the last ones given.

        Where all are more than MOST_GIVEN, undo comes back to the last ones only.
        """
        sizes = {place: self._size(place) for place in self.files}
        gone = {*self.files} - visits.tables_in_use(self.visit, self.given, sizes, MOST_GIVEN)
        for place in gone:
            del self.files[place]
        for mark in {*self.contents} - {*map(mark_at, self.files)}:
            del self.contents[mark]
        self.keep.drop(lambda key: key[0] == "data" and not gone.isdisjoint(places_of(key[1])))

    def _size(self, place: str) -> int:
        """About how many bytes a table takes, with those of its file."""
        return size_of(self.files[place]) + len(self.contents.get(mark_at(place), b""))

    def contents_of(self, recipe: Recipe) -> dict[str, bytes]:
        """The bytes of the files of a recipe, as far as they are at hand."""
        marks = marks_of(recipe)
        return {mark: self.contents[mark] for mark in marks if mark in self.contents}

    def _recipe(self, drawn: Drawing) -> Recipe:
        """The recipe of a drawing; what is too long for a link is kept as a table given."""
        if drawing.travels(drawn):
            return drawing.recipe_of(drawn)
        content = drawing.csv(drawn)
        mark = fingerprint(content)
        self.files[mark], self.contents[mark] = read_frame(content), content
        return drawing.file_recipe(drawn, mark)

    def work(self, wanted: Work[Any]) -> Job:
        """The job of some long work, a slice further; the last few are kept."""
        job = self.jobs.pop(wanted.asked, None) or Job(wanted.start())
        go_on(job)  # what fails unforeseen is not kept
        self.jobs[wanted.asked] = job
        while len(self.jobs) > MAX_JOBS:
            del self.jobs[next(iter(self.jobs))]
        return job

    def forget(self, old: Callable[[Any], bool]) -> None:
        """Let go of the work that is `old`, done or not."""
        for asked in [asked for asked in self.jobs if old(asked)]:
            del self.jobs[asked]

    def _done(self, work: Work[T]) -> T | None:
        """What some work found, if it is done."""
        job = self.jobs.get(work.asked)
        result: T | None = None if job is None else job.result
        return result

    def parcel(self, name: str, screen: Blank, theme: Theme) -> bytes:
        """A picture of the screen, packed with its number; what is new where one before is known.

        It is made once and kept.
        """
        made = self._made(name, screen, theme)
        place = name, isinstance(screen, Screen) and bool(screen.mark)
        known = (made, *self.sent_frames.get(place, ()))
        base = next((one for one in known if one.number in self.held_frames), None)
        self.sent_frames[place] = tuple(dict.fromkeys(known))[:2]
        self.held_frames |= {made.number}
        return _packed(made, base, self.shared.made if made.shared else self.keep)

    def prepare(self, screen: Screen, theme: Theme) -> None:
        """Make the pictures of Grow, so that what is sent of them goes out at one time."""
        for side in filter(None, (screen, screen.beside)):
            for name in PICTURES_AHEAD:
                self._made(name, side, theme)

    def answered(self) -> None:
        """All was sent; what arrives of it the next message says."""
        self.held_frames = frozenset()

    def _made(self, name: str, screen: Blank, theme: Theme) -> NumberedFrame:
        picture = PICTURES[name]
        key = picture.kind, picture.of(screen, theme)
        keep = self._keep_of(screen.session.recipe) if name in SHARED_PICTURES else self.keep

        def made() -> NumberedFrame:
            return NumberedFrame(
                next(self.shared.numbers),
                picture.kind,
                picture.draw(screen, theme),
                keep is not self.keep,
            )

        return keep.get(key, made)

    def ahead(self, screen: Screen, theme: Theme) -> bytes | None:
        """The pictures of the next step, if there is one and it may be shown."""
        frames: Ahead = {"frames": _listed(self._next(screen, theme))}
        return pack("ahead", frames) if frames["frames"] else None

    def moved(self, screen: Screen, theme: Theme, shown: Sequence[str]) -> bytes:
        """Some pictures of the screen and, where it has any, those of the next step."""
        packed = {name: self.parcel(name, screen, theme) for name in shown}
        following = self._next(screen, theme) if shown else {}
        frames: Moved = {"shown": _listed(packed), "frames": _listed(following)}
        return deflated(pack("moved", frames))

    def _next(self, screen: Screen, theme: Theme) -> dict[str, bytes]:
        """The pictures of the next step; while asking first they would tell which cut wins.

        None where the line goes on beyond what is in sight: they would take as long as the step.
        """
        session = screen.session
        unasked = session.ask or "time-line" in session.hidden or screen.goes_on
        if unasked or len(screen.tree.nodes) > MAX_NODES_AHEAD or step_of(session) >= screen.total:
            return {}
        following = self.screen(forward(session, screen.future))
        return {
            f"{name} beside" if side.mark else name: self.parcel(name, side, theme)
            for side in filter(None, (following, following.beside))
            for name in PICTURES_AHEAD
        }


def _packed(made: NumberedFrame, base: NumberedFrame | None, keep: Cache) -> bytes:
    """A frame packed with its number; of one that the browser has, what is new."""

    def whole() -> bytes:
        return pack(made.kind, {"$number": made.number, **made.frame})

    def new(before: NumberedFrame) -> bytes:
        told = change(before.frame, made.frame)
        return pack("change", {"$number": made.number, "base": before.number, "change": told})

    if base is None:
        return keep.get(("packed", made.number), whole)
    if base.shared is not made.shared:
        return new(base)
    return keep.get(("packed", made.number, base.number), lambda: new(base))


def _listed(packed: Packed) -> dict[str, NDArray[np.uint8]]:
    return {name: np.frombuffer(one, "u1") for name, one in packed.items()}
