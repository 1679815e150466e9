"""Navigation of one tab: pages and their addresses, Back and Forward, tours; without a host.

The host says which page and which address the browser shows, and writes the address of the screen.
A bare address has no parameters.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from dtviz.app.instrument import Instrument
from dtviz.data import gallery
from dtviz.data.dataset import Recipe
from dtviz.data.uploads import FileNeededError
from dtviz.session import address
from dtviz.session.derived_data import (
    MEMBER_RECIPES,
    can_open_sample,
    sample_recipe,
    sample_session,
)
from dtviz.session.forest import forest_screen, forest_work, member_session
from dtviz.session.overfit import grown_session
from dtviz.session.screen import Screen
from dtviz.session.session import Session, hide, session_before_tour, usual_rules
from dtviz.session.tour import page_of, params_at, params_on_entry, read_stops

START_RECIPE = gallery.example_recipe("iris", features=("petal_length_cm", "petal_width_cm"))
"""Recipe of the data that the bare address shows."""
PAGE_START_RECIPES = {"overfit": gallery.example_recipe("circles", noise=0.8)}
"""Recipes that the bare address of a page shows in its place, by page.

The error on the rows held out of these circles falls, and rises again as the tree gets deeper.
"""
DERIVED_ALREADY = "These are the rows of one of its trees already: go back to all rows first."
MAX_READ_PARAMS = 20
"""Number of addresses that are kept in `read_params`."""
Params = dict[str, str]
"""Parameters of an address by name."""


@dataclass(slots=True, eq=False)
class Navigation:
    """The pages and addresses of one tab.

    >>> from dtviz.session.session import Visit
    >>> navigation = Navigation(Instrument(Visit(Session(START_RECIPE))))
    >>> screen = navigation.open_screen(*navigation.arrive("grow", {"data": "xor", "log": "a1"}))
    >>> navigation.tab.act("line", {"what": "goto", "step": 2})
    >>> navigation.params_to_write(navigation.tab.screen(), {})["log"]
    'a2'
    >>> navigation.follow({"data": "xor", "log": "a1"})
    >>> len(navigation.tab.visit.session.log)
    1
    """

    tab: Instrument
    """Instrument of the tab."""
    problems: tuple[str, ...] = ()
    """Sentences about parts of the address that were not understood."""
    problems_session: Session | None = None
    """Session of that address: the sentences are for it alone."""
    waiting: address.AddressText | None = None
    """Parsed address whose files are missing."""
    waiting_params: tuple[Params, Session] | None = None
    """Its parameters, and the session that was on screen when it came."""
    entry_sessions: dict[str, Session] = field(default_factory=dict)
    """Session with which the bare address of a page was entered, by page."""
    bare_session: Session | None = None
    """Session of a bare address to which Back led."""
    read_params: list[Params] = field(default_factory=list)
    """Addresses opened on arrival, in order: an event reports each later, if Back led to it."""
    refusal: str = ""
    """Sentence on why the last action was refused, until it is shown."""
    next_page: str = ""
    """Page to which the tab goes next, until it is shown; '': it stays."""
    params_left: Params = field(default_factory=dict)
    """Parameters of the screen that the tab leaves for the next page; {}: they are not needed."""
    page_before_tour: str = ""
    """Page that was left for the tour."""

    def __post_init__(self) -> None:
        """Tell the tab which session its bare address has."""
        self.tab.first_session = self.start_session()

    @property
    def page(self) -> str:
        """Path of the page on screen; '' before the first."""
        return self.tab.visit.page

    @property
    def session(self) -> Session | None:
        """Session of the tab; None before its address was read."""
        return self.tab.visit.session if self.tab.is_opened else None

    def start_session(self) -> Session:
        """Return the session of the bare address of the page."""
        recipe = self._start_recipe()
        return Session(recipe, usual_rules(recipe, self.tab.dataset(recipe).task))

    def _start_recipe(self) -> Recipe:
        return PAGE_START_RECIPES.get(self.page, START_RECIPE)

    def arrive(
        self, page: str, params: Params, known_params: Collection[Params | None] = ()
    ) -> tuple[Session, tuple[str, ...]]:
        """Return the session that an address on a page opens, and sentences about its problems.

        An address of `known_params` opens nothing: the host has written it itself. Raises DataError
        where the data cannot be built, FileNeededError where their files are missing.
        """
        current, has_new_page = self.session, page != self.page
        if has_new_page:
            self.tab.visit = replace(self.tab.visit, playing=False, page=page)
            self.bare_session, self.read_params = None, []
        if current is not None and has_new_page and not params:
            self.entry_sessions[page] = current
            return current, ()
        if current is not None and params in known_params:
            return current, ()
        arrival = self._open_address(params, has_new_page)
        if current is not None and not has_new_page:
            self.read_params = [*self.read_params, params][-MAX_READ_PARAMS:]
        return arrival

    def open_screen(self, session: Session | None, problems: tuple[str, ...] = ()) -> Screen:
        """Put a session on screen with the events that waited for its data; return the screen.

        An event may have chosen a tree: then the screen is that of the tree. Raises DataError.
        """
        screen = self.tab.screen(session)
        self.tab.replace_session(screen.session)
        if self.tab.perform_waiting_events():
            screen = self.tab.screen()
            self.tab.replace_session(screen.session)
        if self._open_tree(screen):
            screen = self.tab.screen()
        kept_problems = self.problems if self.problems_session == session else ()
        self.problems_session, self.problems = screen.session, problems or kept_problems
        return screen

    def params_to_write(self, screen: Screen, params: Params) -> Params | None:
        """Return the parameters that the address of a screen gets, instead of `params`.

        Returns None for a bare address to which Back led: it stays bare, so that the person can go
        Back further.
        """
        session = screen.session
        if session == self.bare_session and not params:
            return None
        self.bare_session = None
        written = self._params_of(screen)
        if session == self.start_session() and params != written:
            written = {}
        if not written:
            self.entry_sessions.pop(self.page, None)
        return written

    def _params_of(self, screen: Screen) -> Params:
        """Return the parameters of a screen; cached, as those of long logs take time."""
        session = screen.session
        return self.tab.cache.get(
            ("address", session), lambda: address.write_address(session, screen.data, screen.future)
        )

    def follow(self, params: Params) -> None:
        """Open the address to which Back or Forward led, as an event reports it; raises DataError.

        Nothing changes where an arrival has opened it already.
        """
        if self.session is None:
            return
        if params in self.read_params:  # no event reports an earlier one any more
            self.read_params = self.read_params[self.read_params.index(params) + 1 :]
            return
        self.problems_session, self.problems = self._open_address(params)

    def is_waiting(self, params: Params) -> bool:
        """True if an address waits for its files, and nothing was done since it came."""
        return self.waiting_params == (params, self.tab.visit.session)

    def change_session(self, after: Session, problems: tuple[str, ...] = ()) -> None:
        """Change the session, with problems of its address; undo returns to the one before."""
        if after != self.session:
            self.tab.change_session(after)
        if problems:
            self.problems_session, self.problems = self.tab.visit.session, problems

    def go_to_stop(self, stops: tuple[str, ...], stop: int) -> None:
        """Go to a stop of a tour; raises DataError where its data cannot be built."""
        if self.tab.visit.session.tour.shown_index is None:
            self.page_before_tour = self.page
        self.change_session(*self._read_address(params_at(stops, stop)))
        self.next_page = page_of(stops[stop])

    def leave_tour(self) -> None:
        """Return to the screen that was left for a tour.

        Where a link led into the tour there is no such screen: the stop's screen stays, without the
        tour.
        """
        current, before = self.tab.visit.session, session_before_tour(self.tab.visit)
        without_tour = replace(current, say="", tour=replace(current.tour, index=None))
        self.change_session(before or without_tour)
        if before:
            self.next_page = self.page_before_tour

    def show_all(self) -> None:
        """Show the controls that the link hides."""
        self.change_session(hide(self.tab.visit.session, ()))

    def dismiss_problems(self) -> None:
        """Stop showing the problems of the address."""
        self.problems = ()

    def show_start(self) -> None:
        """Show the session of the bare address, in place of one that waits for its files."""
        self.waiting, self.next_page = None, ""
        self.change_session(self.start_session())

    def take_refusal(self) -> str:
        """Return the sentence on why the last action was refused, once; '' if none was."""
        sentence, self.refusal = self.refusal, ""
        return sentence

    def take_next_page(self) -> str:
        """Return the page to which the tab goes next, once; '' if it stays."""
        page, self.next_page = self.next_page, ""
        return page

    def _open_tree(self, screen: Screen) -> bool:
        """Go to Grow with the tree that was chosen on Forest or Stability.

        A tree of Forest waits until all are grown. Returns True if the session changed.
        """
        session, data, member = screen.session, screen.data, screen.session.opened
        if member is None or self.page not in ("forest", "stability"):
            return False
        shown = forest_screen(screen) if self.page == "forest" else screen
        work = forest_work(shown.session, shown.data)
        forest = screen.result_of(work) if self.page == "forest" else None
        if self.page == "forest" and not (forest and member < len(forest.ensemble.members)):
            return False
        # no tree is opened any more when Back leads to this page
        left = replace(session, opened=None)
        self.tab.replace_session(left)
        self.params_left = address.write_address(left, data, screen.future)
        if forest and MEMBER_RECIPES.is_derived(shown.session.recipe):
            self.refusal = DERIVED_ALREADY
        elif forest:
            self._show_on_grow(member_session(shown.session, shown.data, forest, member))
        elif can_open_sample(session, data):
            sample = sample_recipe(session.recipe, session.rules, session.shake)
            self._show_on_grow(sample_session(session, self.tab.future(sample)))
        return True

    def grow_judged_tree(self) -> None:
        """Go to Grow, at the end of the tree of Overfit's rules and prunes on all rows."""
        session = self.tab.visit.session
        data, future = (
            self.tab.prepared_data(session.recipe, session.rules),
            self.tab.future(session.recipe),
        )
        self._show_on_grow(grown_session(session, data, future))

    def _show_on_grow(self, session: Session) -> None:
        self.change_session(session)
        self.next_page = "grow"

    def _open_address(
        self, params: Params, has_new_page: bool = False
    ) -> tuple[Session, tuple[str, ...]]:
        """Return the session of an address, and its problems; undo returns from it on its page."""
        entry_session = None if params else self.entry_sessions.get(self.page)
        after, problems = (entry_session, ()) if entry_session else self._read_address(params)
        self.bare_session = entry_session
        if not has_new_page:
            self.tab.change_session(after)
        return after, problems

    def _read_address(self, params: Mapping[str, str]) -> tuple[Session, tuple[str, ...]]:
        """Return the session of an address, and sentences about parts not understood."""
        full_params = params_on_entry(params, self.page)
        if "stop" in full_params and "stop" not in params:
            self.next_page = page_of(read_stops(full_params["tour"])[0])
        default = START_RECIPE if full_params else self._start_recipe()
        parsed = address.read_address(full_params, default)
        try:
            data = self.tab.dataset(parsed.recipe)
        except FileNeededError:
            self.waiting = parsed
            self.waiting_params = dict(params), self.tab.visit.session
            self.tab.awaited_recipe = parsed.recipe
            raise
        return address.session_at(parsed, data, self.tab.future(parsed.recipe))
