"""The instrument of one tab: its visit with events and frames, without a host.

A host (Streamlit, or any other) shows the frames, passes on what the browser sends, and knows
nothing of trees.
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

from dtviz.base.lazy import Cache, bytes_per_tab
from dtviz.base.progress import MANY_ROWS, Job, Work, advance_job
from dtviz.data import drawing, uploads
from dtviz.data.csv import read_frame
from dtviz.data.dataset import DataError, Dataset, Recipe
from dtviz.data.drawing import Drawing, drawing_in, origin_of
from dtviz.engine.grow import could_make, finish, next_move
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, prepare_data
from dtviz.engine.tree import Log, Move, fold
from dtviz.pictures.frame_types import Frame, Prefetch, UpdateLetters
from dtviz.pictures.frames import PICTURES
from dtviz.pictures.packing import deflated, pack, patch_of
from dtviz.pictures.scales import Theme
from dtviz.session import browser_files
from dtviz.session import browser_files as shelves
from dtviz.session import session as visits
from dtviz.session.events import MAX_EVENTS_PER_MESSAGE, Event, held_frames, new_events, read_event
from dtviz.session.handle import handle_visit, perform_event, with_drawing
from dtviz.session.screen import BlankScreen, Screen, grown_tree, other_stamp, screen_of, short_name
from dtviz.session.session import Future, Session, Visit, current_step, other_session, step_forward

MAX_NODES_AHEAD = 1_000  # nodes: of a larger tree a frame is too much to send twice
MAX_TIMELINES, MAX_MOVES_ON_TIMELINES = 20, 200_000  # moves: of larger trees fewer lines are kept
MAX_TABLE_BYTES = 100_000_000
"""Bytes of all tables of a tab; of more, the oldest that only undo needs are dropped."""
MAX_SHARED_BYTES = (150_000_000, 300_000_000, 100_000_000)
"""Bytes of what all tabs share: examples, values computed from them, and futures of trees."""
BYTES_PER_MOVE = 250.0
"""Estimate for one move of a log."""
MAX_JOBS = 12
MAX_SINGLE_STEPS = 50
"""Steps of a large table that are made one by one; more take longer than the whole tree."""
MAX_FIRST_NUMBER = 2**40
PICTURES_AHEAD = ("stage", "tree")
SHARED_PICTURES = (*PICTURES_AHEAD, "ranking")
"""Pictures that are drawn once for all tabs where the data are an example, as in a class."""
Packed = Mapping[str, bytes]
EMPTY: Packed = MappingProxyType({})
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SharedState:
    """The caches and counters that all tabs of a server share."""

    datasets: Cache = field(default_factory=Cache)
    """Datasets of the examples."""
    values: Cache = field(default_factory=Cache)
    """Values computed from the examples: trees, candidates, frames."""
    futures: Cache = field(
        default_factory=lambda: Cache(weigh=lambda log: BYTES_PER_MOVE * len(log))
    )
    """Automatic moves after a log, by recipe, rules and log."""
    tabs: WeakSet[Instrument] = field(default_factory=WeakSet)
    """Instruments of the open tabs."""
    lock: Lock = field(default_factory=Lock)
    """Guards `tabs`."""
    # A browser may hold frames of an earlier server: the first number is random.
    numbers: Iterator[int] = field(default_factory=lambda: count(1 + randbelow(MAX_FIRST_NUMBER)))
    """Numbers of the frames to come."""

    def enter(self, tab: Instrument) -> None:
        """Add a tab."""
        with self.lock:
            self.tabs.add(tab)
        self.fit_caches()

    def fit_caches(self) -> None:
        """Fit all caches to the number of tabs: the more there are, the less each keeps."""
        with self.lock:
            tabs = [*self.tabs]
        for tab in tabs:
            tab.cache.set_max_bytes(bytes_per_tab(len(tabs)))
        part = min(1.0, (1 + 3 * len(tabs)) / 10)
        caches = self.datasets, self.values, self.futures
        for cache, max_bytes in zip(caches, MAX_SHARED_BYTES, strict=True):
            cache.set_max_bytes(part * max_bytes)


@dataclass(frozen=True, slots=True, eq=False)
class NumberedFrame:
    """A frame with the number by which the browser knows it."""

    number: int
    """Number of the frame."""
    kind: str
    """Kind of the frame, which says how the browser reads it."""
    frame: Frame
    """The frame itself."""
    shared: bool
    """True if all tabs share it."""


class KnownTimeline(NamedTuple):
    """A time-line that was grown: the future of each of its logs from `start` moves on."""

    recipe: Recipe
    """Recipe of the data."""
    rules: Rules
    """Rules that made the moves after `start`."""
    start: int
    """Number of the first moves, whether automatic or chosen by the user."""
    log: Log
    """All moves."""
    has_ended: bool
    """True if no move follows."""


@dataclass(slots=True, eq=False, weakref_slot=True)
class Instrument:
    """One tab: it takes the browser's events and gives the frames of its screen.

    >>> from dtviz.data.gallery import example_recipe
    >>> tab = Instrument(Visit(Session(example_recipe("iris"), Rules(max_depth=2))))
    >>> tab.act("line", {"what": "goto", "step": 2})
    >>> [move.node for move in tab.visit.session.log]
    [1, 3]
    >>> sorted(tab.screen().tree.nodes)
    [1, 2, 3, 6, 7]
    """

    visit: Visit
    """Session of the tab with its history."""
    shared: SharedState = field(default_factory=SharedState)
    """Caches that all tabs of the server share."""
    files: MutableMapping[str, Any] = field(default_factory=dict)
    """Tables given to the tab, by their place."""
    contents: MutableMapping[str, bytes] = field(default_factory=dict)
    """Bytes of the files of these tables, by mark."""
    shelf: browser_files.BrowserFiles = field(default_factory=browser_files.BrowserFiles)
    """Files that the browser keeps."""
    awaited_recipe: Recipe | None = None
    """Recipe of an address whose files have not arrived."""
    waiting_events: list[tuple[Event, str | None]] = field(default_factory=list)
    """Events, with the mark of their data, that wait for these files."""
    is_opened: bool = False
    """True once the visit has begun; undo leads to no session before that."""
    last_tables: frozenset[str] = frozenset()
    """Places of the tables given last."""
    cache: Cache = field(default_factory=Cache)
    """Values computed from the tab's own data: trees, candidates, frames."""
    jobs: dict[Hashable, Job] = field(default_factory=dict)
    """Long work by key, the newest last."""
    timelines: list[KnownTimeline] = field(default_factory=list)
    """Time-lines grown so far, the newest first."""
    held_frames: frozenset[int] = frozenset()
    """Numbers of the frames that the browser holds."""
    sent_frames: dict[tuple[str, bool], tuple[NumberedFrame, ...]] = field(default_factory=dict)
    """Last two frames of each picture, and of each picture of the other screen (True)."""

    def __post_init__(self) -> None:
        """Join the tabs of the server."""
        self.shared.enter(self)

    def dataset(self, recipe: Recipe) -> Dataset:
        """Return the data of a recipe, built once, private data for this tab alone.

        Raises DataError; a recipe that failed is not tried again.
        """
        origin = origin_of(recipe)
        cache = self.cache if origin.private else self.shared.datasets

        def build() -> Dataset | DataError:
            try:
                return origin.build(recipe, self.files)
            except uploads.FileNeededError:
                raise  # not kept: the user may give the file next
            except DataError as error:
                return error

        data = cache.get(("data", recipe), build)
        if isinstance(data, DataError):
            raise data.with_traceback(None)
        return data

    def table(self, recipe: Recipe, rules: Rules) -> Dataset:
        """Return the data of a recipe as the rules take missing values; raises DataError."""
        key = ("prepared", recipe, rules.missing)
        return self._cache_of(recipe).get(key, lambda: prepare_data(self.dataset(recipe), rules))

    def _cache_of(self, recipe: Recipe) -> Cache:
        """Return the cache for values computed from a recipe's data: of examples the shared one."""
        return self.cache if origin_of(recipe).private else self.shared.values

    def future(self, recipe: Recipe) -> Future:
        """Return the future of a recipe's data, which grows each time-line once and keeps it.

        A log that lies on a time-line grown earlier has the moves after it as its future.
        """

        def future(rules: Rules, log: Log, first: Move | None = None, n: int = 1, /) -> Log:
            begun = KnownTimeline(recipe, rules, len(log), log, has_ended=False)
            for line in self.timelines:
                same = (line.recipe, line.rules) == (recipe, rules) and len(log) >= line.start
                if same and line.log[: len(log)] == log:
                    if line.has_ended or len(line.log) - len(log) >= n:
                        return line.log[len(log) :]
                    begun = line
            if first is not None and not could_make(
                Problem(self.table(recipe, rules), rules), log, first
            ):
                return ()
            self._note(begun, self._longer(begun, len(log) + n - len(begun.log)))
            return self.timelines[0].log[len(log) :]

        return future

    def _longer(self, line: KnownTimeline, n: int) -> KnownTimeline:
        """Return the time-line with `n` more moves: of a large table one by one, else with all."""
        recipe, rules, _, log, _ = line
        data = self.table(recipe, rules)

        def rest() -> Log:
            problem = Problem(data, rules)
            return finish(problem, fold(problem, log))[0]

        if data.n <= MANY_ROWS or n > MAX_SINGLE_STEPS:
            return line._replace(
                log=log + self.shared.futures.get((recipe, rules, log), rest), has_ended=True
            )
        cache = self._cache_of(recipe)
        for _ in range(n):
            move = next_move(Problem(data, rules), *grown_tree(recipe, rules, log, data, cache))
            if move is None:
                return line._replace(log=log, has_ended=True)
            log = (*log, move)
        return line._replace(log=log)

    def _note(self, before: KnownTimeline, line: KnownTimeline) -> None:
        """Keep a time-line, the newest first, instead of the shorter one `before`."""
        others = [other for other in self.timelines if other is not before]
        lines = [line, *others][:MAX_TIMELINES]
        while len(lines) > 1 and sum(len(line.log) for line in lines) > MAX_MOVES_ON_TIMELINES:
            lines.pop()
        self.timelines = lines

    def _ends(self, recipe: Recipe, rules: Rules, log: Log) -> bool:
        """True if no move follows this log; a small table's time-lines are grown to the end."""
        key = recipe, rules, log
        lines = [line for line in self.timelines if (line.recipe, line.rules, line.log) == key]
        return self.table(recipe, rules).n <= MANY_ROWS or any(line.has_ended for line in lines)

    def screen_without_data(self, session: Session | None = None) -> BlankScreen:
        """Return the screen of the visit, or of another session, without its data."""
        visit = replace(self.visit, session=session or self.visit.session)
        on_screen = drawing_in(visit.session.recipe, self.dataset)
        return BlankScreen(visit=visit, drawing=on_screen, recipe_of=self._recipe)

    def screen(self, session: Session | None = None) -> Screen:
        """Return the screen of the visit, or of another session, with the screen beside it, if any.

        Both have the same features on their axes. Raises DataError.
        """
        screen = self._single_screen(session or self.visit.session)
        session = other_session(screen.session)
        if session is None:
            return screen
        other = self._single_screen(replace(session, axes=screen.node_view.axes))
        mark = other_stamp(screen.session, screen.future)
        return replace(screen, other_screen=replace(other, second_stamp=mark))

    def _single_screen(self, session: Session) -> Screen:
        data = self.table(session.recipe, session.rules)
        cache = self._cache_of(session.recipe)
        screen = screen_of(session, data, self.future(session.recipe), cache)
        is_end = partial(self._ends, session.recipe, session.rules)
        fields = vars(self.screen_without_data(screen.session))
        return replace(screen, **fields, result_of=self._result_of, is_end=is_end)

    def current_screen(self) -> BlankScreen:
        """Return the screen of the visit, without data where these cannot be built."""
        try:
            return self.screen()
        except DataError:
            return self.screen_without_data()

    def hear(self, message: object, go: Callable[[dict[str, str]], None] = lambda _: None) -> None:
        """Do the events of a message of any content, each once.

        `go` opens the address to which Back or Forward led. Events that are meant for data whose
        files have not arrived wait with them.
        """
        self.held_frames = held_frames(message)
        self.cache.set_max_bytes(bytes_per_tab(len(self.shared.tabs)))
        for sent in new_events(message, self.visit.last_event):
            self.visit = replace(self.visit, last_event=sent.number)
            event = read_event(sent.picture, sent.event)
            if event is None:
                continue
            if event.picture == "address":
                go(event.values["search"])
            elif event.picture == shelves.NAME:
                self.shelf = shelves.handle_event(self.shelf, event, self.contents)
            else:
                self._perform(event, sent.data_mark)

    def _perform(self, event: Event, data: str | None) -> None:
        """Do an event for the data on screen; an event for other data waits or is dropped."""
        if data in (None, self.mark) or (event.suits_any_data and self.awaited_recipe is None):
            self._turn(perform_event(self.current_screen(), event))
        elif self.awaited_recipe is not None:
            self.waiting_events = [*self.waiting_events, (event, data)][:MAX_EVENTS_PER_MESSAGE]

    def perform_waiting_events(self) -> bool:
        """Do the events that waited for the data on screen, drop others; True if there were any."""
        later, awaited = self.waiting_events, self.awaited_recipe
        self.waiting_events, self.awaited_recipe = [], None
        if not later or awaited != self.visit.session.recipe:
            return False
        for event, data in later:
            self._perform(event, data)
        return True

    @property
    def mark(self) -> str:
        """The mark of the data on screen: sent with each picture, it comes back with each event."""
        return short_name(self.visit.session.recipe)

    def act(self, picture: str, event: object) -> None:
        """Do an event on a picture or a control."""
        self._turn(handle_visit(self.current_screen(), picture, event))

    def change_session(self, after: Session) -> None:
        """Change the session to `after`; undo returns to the one before."""
        self._turn(visits.with_session(self.visit, after))
        self.is_opened = True

    def replace_session(self, after: Session) -> None:
        """Change the session to `after`, so that undo does not return to the one before."""
        self.visit, self.is_opened = replace(self.visit, session=after), True

    def draw(self, drawing: Drawing) -> None:
        """Put the drawing on screen, before the first step; rules that suit it stay."""
        self._turn(with_drawing(self.screen_without_data(), drawing))

    def _turn(self, after: Visit) -> None:
        """Go on with another visit; the first session of a tab has nothing that undo returns to."""
        if not self.is_opened and after.session != self.visit.session:
            after, self.is_opened = replace(after, undo_stack=()), True
        self.visit = after
        self._let_go()

    def give(self, tables: uploads.UploadedTables, contents: Mapping[str, bytes] = EMPTY) -> None:
        """Keep tables, and the bytes of their files by mark, as long as they are in use."""
        self.last_tables = frozenset(tables)
        self.files.update(tables)
        self.contents.update(contents)
        self._let_go()

    def _let_go(self) -> None:
        """Drop the tables that are not in use, see `session.tables_in_use`."""
        sizes = {place: self._size(place) for place in self.files}
        gone = {*self.files} - visits.tables_in_use(
            self.visit, self.last_tables, sizes, MAX_TABLE_BYTES
        )
        for place in gone:
            del self.files[place]
        for mark in {*self.contents} - {*map(uploads.fingerprint_of, self.files)}:
            del self.contents[mark]
        self.cache.drop(
            lambda key: key[0] == "data" and not gone.isdisjoint(uploads.places_of(key[1]))
        )

    def _size(self, place: str) -> int:
        """Estimate the bytes of a table and its file."""
        return uploads.estimated_bytes(self.files[place]) + len(
            self.contents.get(uploads.fingerprint_of(place), b"")
        )

    def contents_of(self, recipe: Recipe) -> dict[str, bytes]:
        """Return the bytes of the files of a recipe, as far as the tab has them."""
        marks = uploads.fingerprints_of(recipe)
        return {mark: self.contents[mark] for mark in marks if mark in self.contents}

    def _recipe(self, drawn: Drawing) -> Recipe:
        """Return the recipe of a drawing; one that is too long for a link becomes a table."""
        if drawing.fits_link(drawn):
            return drawing.drawing_recipe(drawn)
        content = drawing.csv_bytes(drawn)
        mark = uploads.fingerprint(content)
        self.files[mark], self.contents[mark] = read_frame(content), content
        return drawing.file_recipe(drawn, mark)

    def work(self, wanted: Work[Any]) -> Job:
        """Do a slice of long work and return its job; the newest MAX_JOBS are kept."""
        job = self.jobs.pop(wanted.key, None) or Job(wanted.start())
        advance_job(job)  # what fails unforeseen is not kept
        self.jobs[wanted.key] = job
        while len(self.jobs) > MAX_JOBS:
            del self.jobs[next(iter(self.jobs))]
        return job

    def forget(self, old: Callable[[Any], bool]) -> None:
        """Drop the jobs whose keys are `old`, done or not."""
        for key in [key for key in self.jobs if old(key)]:
            del self.jobs[key]

    def _result_of(self, work: Work[T]) -> T | None:
        """Return the result of long work, if it is done."""
        job = self.jobs.get(work.key)
        result: T | None = None if job is None else job.result
        return result

    def pack_picture(self, name: str, screen: BlankScreen, theme: Theme) -> bytes:
        """Pack a picture of the screen: its frame, or a patch of one that the browser holds."""
        frame = self._numbered_frame(name, screen, theme)
        place = name, isinstance(screen, Screen) and bool(screen.second_stamp)
        frames = (frame, *self.sent_frames.get(place, ()))
        base = next((held for held in frames if held.number in self.held_frames), None)
        self.sent_frames[place] = tuple(dict.fromkeys(frames))[:2]
        self.held_frames |= {frame.number}
        return _packed(frame, base, self.shared.values if frame.shared else self.cache)

    def prepare(self, screen: Screen, theme: Theme) -> None:
        """Draw the pictures of Grow before the first is sent, so that all are sent at one time."""
        for side in filter(None, (screen, screen.other_screen)):
            for name in PICTURES_AHEAD:
                self._numbered_frame(name, side, theme)

    def forget_held_frames(self) -> None:
        """Forget the frames that the browser holds: its next message names those that arrived."""
        self.held_frames = frozenset()

    def _numbered_frame(self, name: str, screen: BlankScreen, theme: Theme) -> NumberedFrame:
        picture = PICTURES[name]
        key = picture.kind, picture.key(screen, theme)
        cache = self._cache_of(screen.session.recipe) if name in SHARED_PICTURES else self.cache

        def draw() -> NumberedFrame:
            return NumberedFrame(
                next(self.shared.numbers),
                picture.kind,
                picture.draw(screen, theme),
                cache is not self.cache,
            )

        return cache.get(key, draw)

    def pack_next_step(self, screen: Screen, theme: Theme) -> bytes | None:
        """Pack the pictures of the next step, if there is one and it may be shown."""
        frames: Prefetch = {"frames": _listed(self._next(screen, theme))}
        return pack("prefetch", frames) if frames["frames"] else None

    def pack_step(self, screen: Screen, theme: Theme, shown: Sequence[str]) -> bytes:
        """Pack some pictures of the screen and, if there are such, those of the next step."""
        packed = {name: self.pack_picture(name, screen, theme) for name in shown}
        following = self._next(screen, theme) if shown else {}
        frames: UpdateLetters = {"shown_frames": _listed(packed), "frames": _listed(following)}
        return deflated(pack("update", frames))

    def _next(self, screen: Screen, theme: Theme) -> dict[str, bytes]:
        """Pack each picture of the next step, by name.

        There are none while the user is asked first, since they would show the best split, nor
        where the next step is not grown yet, since they would take as long as the step.
        """
        session = screen.session
        unasked = session.ask or "time-line" in session.hidden or screen.has_more_steps
        if (
            unasked
            or len(screen.tree.nodes) > MAX_NODES_AHEAD
            or current_step(session) >= screen.n_steps
        ):
            return {}
        following = self.screen(step_forward(session, screen.future))
        return {
            f"{name} beside" if side.second_stamp else name: self.pack_picture(name, side, theme)
            for side in filter(None, (following, following.other_screen))
            for name in PICTURES_AHEAD
        }


def _packed(frame: NumberedFrame, base: NumberedFrame | None, cache: Cache) -> bytes:
    """Pack a frame with its number, as a patch of the frame `base` if the browser holds one."""

    def pack_all() -> bytes:
        return pack(frame.kind, {"$number": frame.number, **frame.frame})

    def pack_patch(before: NumberedFrame) -> bytes:
        patch = patch_of(before.frame, frame.frame)
        return pack("change", {"$number": frame.number, "base": before.number, "change": patch})

    if base is None:
        return cache.get(("packed", frame.number), pack_all)
    if base.shared is not frame.shared:
        return pack_patch(base)
    return cache.get(("packed", frame.number, base.number), lambda: pack_patch(base))


def _listed(packed: Packed) -> dict[str, NDArray[np.uint8]]:
    return {name: np.frombuffer(content, "u1") for name, content in packed.items()}
