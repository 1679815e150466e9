"""The instrument of one tab: its visit with events and frames, without a host.

A host (Streamlit, or a bare server) shows the frames and passes on the messages of the browser; it
knows nothing of trees.
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

from dtviz.base.lazy import Cache, bytes_per_tab, garbage_collector_paused
from dtviz.base.progress import MANY_ROWS, Job, RunLong, Work, advance_job, run_to_end
from dtviz.base.text import markdown
from dtviz.data import drawing, uploads
from dtviz.data.csv import read_frame
from dtviz.data.dataset import DataError, Dataset, Recipe
from dtviz.data.drawing import Drawing, drawing_in, origin_of
from dtviz.data.read_table import read_file_slices
from dtviz.engine.grow import (
    could_make,
    finish,
    finish_in_slices,
    next_move,
    search_table_in_slices,
)
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, prepare_data
from dtviz.engine.tree import Log, LogError, Move, fold
from dtviz.pictures.frame_types import Frame
from dtviz.pictures.frames import LAYOUTS, PICTURES
from dtviz.pictures.packing import deflate, pack, pack_parts, patch_of
from dtviz.pictures.scales import Theme
from dtviz.session import browser_files
from dtviz.session.events import MAX_EVENTS_PER_MESSAGE, Event, held_frames, new_events, read_event
from dtviz.session.handle import handle_visit, perform_event, with_drawing
from dtviz.session.screen import (
    BlankScreen,
    Screen,
    grown_key,
    grown_tree,
    other_stamp,
    screen_of,
    short_name,
)
from dtviz.session.session import (
    Future,
    Session,
    Visit,
    current_step,
    other_session,
    step_forward,
    tables_in_use,
    undo,
    with_session,
)

MAX_NODES_AHEAD = 1_000
"""Nodes of a tree whose next step is sent ahead: larger frames are too much to send twice."""
MAX_TIMELINES, MAX_MOVES_ON_TIMELINES = 20, 200_000
"""Time-lines that are kept, and moves on all of them."""
MAX_TABLE_BYTES = 100_000_000
"""Bytes of all tables of a tab; beyond, the oldest tables that only undo needs are dropped."""
MAX_SHARED_BYTES = (150_000_000, 300_000_000, 100_000_000)
"""Bytes of the shared caches: examples, values computed from them, and futures."""
BYTES_PER_MOVE = 250.0
"""Estimated bytes of one move of a log."""
MAX_JOBS = 12
"""Jobs that a tab keeps."""
MAX_SINGLE_STEPS = 50
"""Moves that are made one by one on a large table; more take longer than the whole tree."""
MAX_FIRST_FRAME_NUMBER = 2**40
PICTURES_AHEAD = ("grow", "stage", "tree", "ranking")
"""Pictures of the next step that are sent ahead."""
SHARED_PICTURES = ("stage", "tree", "ranking")
"""Pictures of an example that are drawn once for all tabs: a school class opens the same one."""
NO_CONTENTS: Mapping[str, bytes] = MappingProxyType({})
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SharedState:
    """The caches and the frame numbers that all tabs of a server share."""

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
    # a browser may hold frames of an earlier server: the first number is random
    frame_numbers: Iterator[int] = field(
        default_factory=lambda: count(1 + randbelow(MAX_FIRST_FRAME_NUMBER))
    )
    """Numbers for the frames to come."""

    def add_tab(self, tab: Instrument) -> None:
        """Add a tab, and fit the caches to the number of tabs."""
        with self.lock:
            self.tabs.add(tab)
        self.fit_caches()

    def fit_caches(self) -> None:
        """Fit all caches to the number of tabs: the more there are, the less each keeps."""
        with self.lock:
            tabs = [*self.tabs]
        for tab in tabs:
            tab.cache.set_max_bytes(bytes_per_tab(len(tabs)))
        # with one tab 40 % of the shared bytes, with three or more all of them
        share = min(1.0, (1 + 3 * len(tabs)) / 10)
        caches = self.datasets, self.values, self.futures
        for cache, max_bytes in zip(caches, MAX_SHARED_BYTES, strict=True):
            cache.set_max_bytes(share * max_bytes)


@dataclass(frozen=True, slots=True, eq=False)
class NumberedFrame:
    """A frame with the number by which the browser knows it."""

    number: int
    """Number of the frame."""
    kind: str
    """Kind of the frame, which says how the browser reads it."""
    frame: Frame
    """Data of the frame."""
    is_shared: bool
    """True if all tabs share it."""


class KnownTimeline(NamedTuple):
    """A time-line as far as it is grown; the future of each log on it, from `start` moves on."""

    recipe: Recipe
    """Recipe of the data."""
    rules: Rules
    """Rules that made the moves after `start`."""
    start: int
    """Number of moves of the log that it was grown from: the user may have made these."""
    log: Log
    """All moves."""
    has_ended: bool
    """True if no move follows."""


@dataclass(slots=True, eq=False, weakref_slot=True)
class Instrument:
    """One tab: takes the browser's events and packs the frames of its screen.

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
    """Tables of uploads, by their place."""
    contents: MutableMapping[str, bytes] = field(default_factory=dict)
    """Bytes of the files of these tables, by mark."""
    shelf: browser_files.BrowserFiles = field(default_factory=browser_files.BrowserFiles)
    """Files that the browser keeps."""
    awaited_recipe: Recipe | None = None
    """Recipe of an address whose files have not arrived."""
    waiting_events: list[tuple[Event, str | None]] = field(default_factory=list)
    """Events, with the mark of their data, that wait for these files."""
    first_session: Session | None = None
    """Session of the bare address."""
    is_opened: bool = False
    """True once the visit has begun; undo leads to no session before that."""
    last_tables: frozenset[str] = frozenset()
    """Places of the tables that were added last."""
    cache: Cache = field(default_factory=Cache)
    """Values computed from the tab's own data: trees, candidates, frames."""
    jobs: dict[Hashable, Job] = field(default_factory=dict)
    """Long work by key, the newest last."""
    timelines: list[KnownTimeline] = field(default_factory=list)
    """Time-lines grown so far, the newest first."""
    held_frames: frozenset[int] = frozenset()
    """Numbers of the frames that the browser holds."""
    sent_frames: dict[tuple[str, bool], tuple[NumberedFrame, ...]] = field(default_factory=dict)
    """Last two frames sent, by picture; with True those of the second of two screens."""

    run_long: RunLong = lambda slices, _: run_to_end(slices)
    """Runs long work, with its title: a host may show its progress, and let the user stop it."""

    def __post_init__(self) -> None:
        """Join the tabs of the server."""
        self.shared.add_tab(self)

    def dataset(self, recipe: Recipe) -> Dataset:
        """Return the data of a recipe, built once: for all tabs, or private data for this tab.

        Raises DataError; a recipe that failed is not tried again.
        """
        origin = origin_of(recipe)
        cache = self.cache if origin.private else self.shared.datasets

        def build() -> Dataset | DataError:
            try:
                if origin.private:
                    self._read_files_again(recipe)
                return origin.build(recipe, self.files)
            except uploads.FileNeededError:
                raise  # not kept: the user may give the file next
            except DataError as error:
                return error

        data = cache.get(("data", recipe), build)
        if isinstance(data, DataError):
            raise data.with_traceback(None)
        return data

    def _read_files_again(self, recipe: Recipe) -> None:
        """Read the files of a recipe whose bytes the tab has, but not read with its options."""
        contents = self.contents_of(recipe)
        for place in uploads.places_of(recipe):
            mark = uploads.fingerprint_of(place)
            if place in self.files or mark not in contents:
                continue
            options = uploads.read_options_of(recipe)
            title = f"Reading {markdown(str(recipe.get('file')))}"
            self.files[place] = self.run_long(
                read_file_slices(contents[mark], options=options), title
            )

    def prepared_data(self, recipe: Recipe, rules: Rules) -> Dataset:
        """Return the data of a recipe, missing values treated by the rules; raises DataError."""
        key = ("prepared", recipe, rules.missing)
        return self._cache_of(recipe).get(key, lambda: prepare_data(self.dataset(recipe), rules))

    def _cache_of(self, recipe: Recipe) -> Cache:
        """Return the cache for values of a recipe's data; for examples that is the shared one."""
        return self.cache if origin_of(recipe).private else self.shared.values

    def future(self, recipe: Recipe) -> Future:
        """Return the future of a recipe's data, which grows each time-line once and keeps it.

        The future of a log that begins a time-line grown earlier is the rest of that time-line.
        """

        def future(rules: Rules, log: Log, first: Move | None = None, n: int = 1, /) -> Log:
            base = KnownTimeline(recipe, rules, len(log), log, has_ended=False)
            for line in self.timelines:
                is_same_growth = (line.recipe, line.rules) == (recipe, rules)
                if is_same_growth and line.start <= len(log) and line.log[: len(log)] == log:
                    if line.has_ended or len(line.log) - len(log) >= n:
                        return line.log[len(log) :]
                    base = line
            if first is not None and not could_make(
                Problem(self.prepared_data(recipe, rules), rules), log, first
            ):
                return ()
            self._keep_timeline(base, self._grow_timeline(base, len(log) + n - len(base.log)))
            return self.timelines[0].log[len(log) :]

        return future

    def _grow_timeline(self, line: KnownTimeline, n: int) -> KnownTimeline:
        """Return the time-line with `n` more moves; with all if the table is small or `n` large."""
        recipe, rules, _, log, _ = line
        data = self.prepared_data(recipe, rules)

        def rest() -> Log:
            problem = Problem(data, rules)
            tree = fold(problem, log)
            if data.n_grown <= MANY_ROWS:
                return finish(problem, tree)[0]
            title = f"Growing on {data.n_grown:,} rows"
            with garbage_collector_paused():
                make_log, _ = self.run_long(finish_in_slices(problem, tree), title)
            return make_log()

        if data.n_grown <= MANY_ROWS or n > MAX_SINGLE_STEPS:
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

    def _keep_timeline(self, shorter: KnownTimeline, line: KnownTimeline) -> None:
        """Keep a time-line, the newest first, in place of the shorter one that it continues."""
        others = [other for other in self.timelines if other is not shorter]
        lines = [line, *others][:MAX_TIMELINES]
        while len(lines) > 1 and sum(len(line.log) for line in lines) > MAX_MOVES_ON_TIMELINES:
            lines.pop()
        self.timelines = lines

    def _has_ended(self, recipe: Recipe, rules: Rules, log: Log) -> bool:
        """True if no move follows this log, or the table is small: its time-lines are complete."""
        key = recipe, rules, log
        lines = [line for line in self.timelines if (line.recipe, line.rules, line.log) == key]
        return self.prepared_data(recipe, rules).n_grown <= MANY_ROWS or any(
            line.has_ended for line in lines
        )

    def screen_without_data(self, session: Session | None = None) -> BlankScreen:
        """Return the screen of the visit, or of another session, without its data."""
        visit = replace(self.visit, session=session or self.visit.session)
        was_changed = bool(visit.undo_stack or visit.redo_stack)
        return BlankScreen(
            visit=visit,
            drawing=drawing_in(visit.session.recipe, self.dataset),
            recipe_of=self._recipe_of_drawing,
            is_first_view=visit.session == self.first_session and not was_changed,
        )

    def screen(self, session: Session | None = None) -> Screen:
        """Return the screen of the visit, or of another session, with a second screen, if any.

        Both screens have the same features on their axes. Raises DataError.
        """
        screen = self._single_screen(session or self.visit.session)
        session = other_session(screen.session)
        if session is None:
            return screen
        other = self._single_screen(replace(session, axes=screen.node_view.axes))
        mark = other_stamp(screen.session, screen.future, screen.cache)
        return replace(screen, other_screen=replace(other, second_stamp=mark))

    def _single_screen(self, session: Session) -> Screen:
        data = self.prepared_data(session.recipe, session.rules)
        cache = self._cache_of(session.recipe)
        if (
            data.source is not None
            and cache.peek(grown_key(session.recipe, session.rules, session.log)) is None
        ):
            self._count_table(session, data)
        screen = screen_of(session, data, self.future(session.recipe), cache)
        is_end = partial(self._has_ended, session.recipe, session.rules)
        fields = vars(self.screen_without_data(screen.session))
        return replace(screen, **fields, result_of=self._result_of, is_end=is_end)

    def _count_table(self, session: Session, data: Dataset) -> None:
        """Count a table for the tree of a session: what its screen asks is known then."""
        problem = Problem(data, session.rules)
        try:
            tree = fold(problem, session.log)
        except LogError:
            return  # the screen says what is wrong
        title = f"Counting {data.n_grown:,} rows"
        self.run_long(search_table_in_slices(problem, tree), title)

    def current_screen(self) -> BlankScreen:
        """Return the screen of the visit, without data where the data cannot be built."""
        try:
            return self.screen()
        except DataError:
            return self.screen_without_data()

    def handle_message(
        self, message: object, open_address: Callable[[dict[str, str]], None] = lambda _: None
    ) -> None:
        """Perform the events of a message, each once; a message may have any content.

        `open_address` opens the address to which Back or Forward led. Events for data whose files
        have not arrived wait for the files.
        """
        self.held_frames = held_frames(message)
        self.cache.set_max_bytes(bytes_per_tab(len(self.shared.tabs)))
        for sent in new_events(message, self.visit.last_event):
            self.visit = replace(self.visit, last_event=sent.number)
            event = read_event(sent.picture, sent.event)
            if event is None:
                continue
            if event.picture == "address":
                open_address(event.values["search"])
            elif event.picture == browser_files.NAME:
                self.shelf = browser_files.handle_event(self.shelf, event, self.contents)
            else:
                self._perform(event, sent.data_mark)

    def _perform(self, event: Event, data_mark: str | None) -> None:
        """Perform an event for the data on screen; an event for other data waits or is dropped."""
        if data_mark in (None, self.mark) or (event.suits_any_data and self.awaited_recipe is None):
            self._change_visit(perform_event(self.current_screen(), event))
        elif self.awaited_recipe is not None:
            self.waiting_events = [*self.waiting_events, (event, data_mark)][
                :MAX_EVENTS_PER_MESSAGE
            ]

    def perform_waiting_events(self) -> bool:
        """Perform the events that waited for the data on screen; return False if there were none.

        Events that waited for other data are dropped.
        """
        waiting, awaited = self.waiting_events, self.awaited_recipe
        self.waiting_events, self.awaited_recipe = [], None
        if not waiting or awaited != self.visit.session.recipe:
            return False
        for event, data_mark in waiting:
            self._perform(event, data_mark)
        return True

    @property
    def mark(self) -> str:
        """Mark of the data on screen: sent with each picture, returned with each event."""
        return short_name(self.visit.session.recipe)

    def act(self, picture: str, event: object) -> None:
        """Perform an event on a picture or a control."""
        self._change_visit(handle_visit(self.current_screen(), picture, event))

    def change_session(self, after: Session) -> None:
        """Change the session to `after`; undo returns to the one before."""
        self._change_visit(with_session(self.visit, after))
        self.is_opened = True

    def replace_session(self, after: Session) -> None:
        """Change the session to `after`, so that undo does not return to the one before."""
        self.visit, self.is_opened = replace(self.visit, session=after), True

    def undo(self) -> None:
        """Return to the session before, whatever the screen is."""
        self._change_visit(undo(self.visit))

    def show_drawing(self, drawing: Drawing) -> None:
        """Put a drawing on screen, with no step made; rules that suit it stay."""
        self._change_visit(with_drawing(self.screen_without_data(), drawing))

    def _change_visit(self, after: Visit) -> None:
        """Change the visit; undo cannot return from the first session that the tab opens."""
        if not self.is_opened and after.session != self.visit.session:
            after, self.is_opened = replace(after, undo_stack=()), True
        self.visit = after
        self._drop_unused_tables()

    def add_tables(
        self, tables: uploads.UploadedTables, contents: Mapping[str, bytes] = NO_CONTENTS
    ) -> None:
        """Add tables, and the bytes of their files by mark; both stay while they are in use."""
        self.last_tables = frozenset(tables)
        self.files.update(tables)
        self.contents.update(contents)
        self._drop_unused_tables()

    def _drop_unused_tables(self) -> None:
        """Drop the tables that are not in use, see `session.tables_in_use`."""
        sizes = {place: self._table_bytes(place) for place in self.files}
        dropped = {*self.files} - tables_in_use(
            self.visit, self.last_tables, sizes, MAX_TABLE_BYTES
        )
        for place in dropped:
            del self.files[place]
        for mark in {*self.contents} - {*map(uploads.fingerprint_of, self.files)}:
            del self.contents[mark]
        self.cache.drop(
            lambda key: key[0] == "data" and not dropped.isdisjoint(uploads.places_of(key[1]))
        )

    def _table_bytes(self, place: str) -> int:
        """Estimate the bytes of a table and its file."""
        return uploads.estimated_bytes(self.files[place]) + len(
            self.contents.get(uploads.fingerprint_of(place), b"")
        )

    def contents_of(self, recipe: Recipe) -> dict[str, bytes]:
        """Return the bytes of the files of a recipe, as far as the tab has them."""
        marks = uploads.fingerprints_of(recipe)
        return {mark: self.contents[mark] for mark in marks if mark in self.contents}

    def _recipe_of_drawing(self, drawn: Drawing) -> Recipe:
        """Return the recipe of a drawing; a drawing too long for a link becomes a table."""
        if drawing.fits_link(drawn):
            return drawing.drawing_recipe(drawn)
        content = drawing.csv_bytes(drawn)
        mark = uploads.fingerprint(content)
        self.files[mark], self.contents[mark] = read_frame(content), content
        return drawing.file_recipe(drawn, mark)

    def advance_work(self, work: Work[Any]) -> Job:
        """Do a slice of long work and return its job; the newest MAX_JOBS are kept."""
        job = self.jobs.pop(work.key, None) or Job(work.start())
        advance_job(job)  # a job that raises is not kept
        self.jobs[work.key] = job
        while len(self.jobs) > MAX_JOBS:
            del self.jobs[next(iter(self.jobs))]
        return job

    def drop_jobs(self, is_dropped: Callable[[Any], bool]) -> None:
        """Drop each job, done or not, if `is_dropped` of its key is true."""
        for key in [key for key in self.jobs if is_dropped(key)]:
            del self.jobs[key]

    def _result_of(self, work: Work[T]) -> T | None:
        """Return the result of long work, if it is done."""
        job = self.jobs.get(work.key)
        result: T | None = None if job is None else job.result
        return result

    def pack_picture(self, name: str, screen: BlankScreen, theme: Theme) -> bytes:
        """Pack a picture of the screen: its frame, or a patch of one that the browser holds."""
        frame = self._numbered_frame(name, screen, theme)
        key = name, isinstance(screen, Screen) and bool(screen.second_stamp)
        frames = (frame, *self.sent_frames.get(key, ()))
        base = next((held for held in frames if held.number in self.held_frames), None)
        self.sent_frames[key] = tuple(dict.fromkeys(frames))[:2]
        self.held_frames |= {frame.number}
        return _pack_numbered(frame, base, self.shared.values if frame.is_shared else self.cache)

    def forget_held_frames(self) -> None:
        """Forget the frames that the browser holds: its next message names those that arrived."""
        self.held_frames = frozenset()

    def _numbered_frame(self, name: str, screen: BlankScreen, theme: Theme) -> NumberedFrame:
        picture = PICTURES[name]
        key = picture.kind, picture.key(screen, theme)
        cache = self._cache_of(screen.session.recipe) if name in SHARED_PICTURES else self.cache

        def draw() -> NumberedFrame:
            return NumberedFrame(
                next(self.shared.frame_numbers),
                picture.kind,
                picture.draw(screen, theme),
                cache is not self.cache,
            )

        return cache.get(key, draw)

    def pack_page(self, layout: str, screen: Screen, theme: Theme) -> bytes:
        """Pack a page as one frame: its parts, and on Grow the pictures of the next step.

        `layout` is a key of LAYOUTS.
        """
        parts = self._pack_sides(LAYOUTS[layout], screen, theme)
        # packed last, as the browser opens them last: they are patches of the parts
        ahead = self._pack_next_pictures(screen, theme) if layout == "grow" else {}
        return deflate(pack_parts(layout, parts, ahead))

    def _pack_sides(
        self, names_of: Callable[[Screen], Sequence[str]], screen: Screen, theme: Theme
    ) -> dict[str, bytes]:
        """Pack pictures of a screen, and of the one beside it, by their names.

        `names_of` returns the names of the pictures of one of them, see LAYOUTS.
        """
        return {
            f"{name} beside" if side.second_stamp else name: self.pack_picture(name, side, theme)
            for side in filter(None, (screen, screen.other_screen))
            for name in names_of(side)
        }

    def _pack_next_pictures(self, screen: Screen, theme: Theme) -> dict[str, bytes]:
        """Pack each picture of the next step, by name; {} if none may be shown or drawn.

        None may be shown while the user is asked for a split: the pictures would show the best
        one. None are drawn of a large tree, or if the next step is not grown yet: that takes as
        long as the step.
        """
        session = screen.session
        may_not_show = session.ask or "time-line" in session.hidden or screen.has_more_steps
        if (
            may_not_show
            or len(screen.tree.nodes) > MAX_NODES_AHEAD
            or current_step(session) >= screen.n_steps
        ):
            return {}
        next_screen = self.screen(step_forward(session, screen.future))
        return self._pack_sides(
            lambda side: [name for name in LAYOUTS["grow"](side) if name in PICTURES_AHEAD],
            next_screen,
            theme,
        )


def _pack_numbered(frame: NumberedFrame, base: NumberedFrame | None, cache: Cache) -> bytes:
    """Pack a frame with its number; as a patch of `base` if the browser holds that frame."""

    def pack_all() -> bytes:
        return pack(frame.kind, {"$number": frame.number, **frame.frame})

    def pack_patch(before: NumberedFrame) -> bytes:
        patch = patch_of(before.frame, frame.frame)
        return pack("change", {"$number": frame.number, "base": before.number, "change": patch})

    if base is None:
        return cache.get(("packed", frame.number), pack_all)
    if base.is_shared is not frame.is_shared:
        return pack_patch(base)
    return cache.get(("packed", frame.number, base.number), lambda: pack_patch(base))
