"""The popover Share: a link to the screen, a file of the screen, a tour of several screens.

A link may hide controls and show a sentence. On a server for a class (`dtviz --share`) it is shown
to the class with a short address, and the tables that no link carries can go with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote, urlencode, urlsplit, urlunsplit

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dtviz.app import state
from dtviz.app.classroom import CLASSROOM, KEPT_SECONDS, MAX_BYTES_OF_TABLE, SharedTable, visitor_of
from dtviz.app.navigation import START_RECIPE
from dtviz.app.page import PAGES
from dtviz.app.uploaded_file import max_bytes
from dtviz.base.text import clean, markdown
from dtviz.data import drawing, uploads
from dtviz.data.dataset import Recipe
from dtviz.data.drawing import title_of
from dtviz.session import address, tour
from dtviz.session.screen import Screen
from dtviz.session.session import MAX_SAY_CHARS, Session, hide, narrate

LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1", None)
MAX_QR_CHARACTERS = 1_200  # a code of a longer link is too fine for a camera and a projector
MAX_FILE_NAME_CHARACTERS = 40
SHARE_COMMAND = "dtviz --share"
SHORT_FOLDER = "t"
"""Folder of the short addresses, which server.py answers."""
HIDEABLE_TITLES: Mapping[str, Mapping[str, str]] = {
    "grow": {
        "time-line": "Time-line",
        "settings": "Settings",
        "focus": "Choosing a node",
        "split": "Choosing a cut",
        "gains": "Gains",
        "why": "Why",
        "panels": "Panels below",
    },
    "overfit": {
        "settings": "Dials and settings",
        "curve": "Error curve",
        "why": "The sentence",
        "panels": "Panels below",
    },
    "stability": {"settings": "Settings", "why": "The sentence"},
    "forest": {"settings": "Settings"},
}
"""Titles of the controls that a link may hide, by page and name; other pages have none."""


def share(screen: Screen) -> None:
    """Draw the popover with the link, the saved screen and the tour; show a class its link."""
    if screen.session.hidden:  # a screen that hides controls is one that somebody shared
        return
    panel = st.popover("Share", icon=":material/share:", key="share", on_change="rerun")
    class_screen: ClassScreen | None = st.session_state.get("class_screen")
    if class_screen is not None:
        _show_class_screen(class_screen)
    if not panel.open:
        return
    st.session_state.setdefault("share_say", screen.session.say)
    with panel:
        st.text_input(
            "A line to show on top",
            key="share_say",
            max_chars=300,
            placeholder="Which cut would you take first?",
        )
        _answer_note(screen)
        _hiding_choice()
        files = _files_beside([screen.session.recipe])
        with _show_link(_address_params(screen), state.navigation().page, files):
            _show_files(files)
            _save_button(screen)
        _tour_controls(screen)


def _answer_note(screen: Screen) -> None:
    """Say that the best cut is in sight, where the line asks something on Grow."""
    say = str(st.session_state.get("share_say") or "").strip()
    is_hiding = screen.session.ask or "gains" in (st.session_state.get(_hiding_key("grow")) or ())
    if state.navigation().page == "grow" and say.endswith("?") and not is_hiding:
        st.caption("The class sees the best cut (★) at once. *Ask first* on Grow hides the gains.")


def _hiding_choice() -> None:
    """Draw the choice of the controls of this page that the link hides."""
    page = state.navigation().page
    titles = HIDEABLE_TITLES.get(page)
    if titles is None:
        return
    st.pills(
        "Hide",
        [*titles],
        key=_hiding_key(page),
        selection_mode="multi",
        format_func=titles.__getitem__,
        wrap=True,
        help="Step and node are those you see now" if page == "grow" else None,
    )


def _hiding_key(page: str) -> str:
    """Return the key of the choice of hidden controls: each page keeps its own."""
    return "share_hide" if page == "grow" else f"share_hide_{page}"


def _address_params(screen: Screen) -> dict[str, str]:
    """Return the parameters of the address of this screen, with the choices of the popover."""
    session = _shared_session(screen)
    if session.tour.shown_index is None:  # the tour is still being written
        session = replace(session, tour=tour.Tour())
    return address.write_address(session, screen.data, screen.future)


def _shared_session(screen: Screen) -> Session:
    """Return the session with the sentence and the hidden controls of the popover.

    Where controls are hidden, the node on screen becomes the focus: the link shows this node.
    """
    session = narrate(screen.session, str(st.session_state.get("share_say") or ""))
    page = state.navigation().page
    session = hide(session, st.session_state.get(_hiding_key(page)) or ())
    return replace(session, focus=screen.node) if session.hidden and page == "grow" else session


def _save_button(screen: Screen) -> None:
    """Draw the button that saves the screen with its tables; a note if the tables are too large."""
    contents = state.tab().contents_of(screen.session.recipe)
    if uploads.estimated_screen_bytes(sum(map(len, contents.values()))) > max_bytes():
        st.caption(
            "The table is too large to be saved with the screen: keep the link and the table."
        )
        return
    page, session = state.navigation().page, _shared_session(screen)

    def content() -> bytes:
        params = address.write_address(session, screen.data, screen.future)
        return uploads.write_screen(uploads.SavedScreen(page, params, contents))

    name = re.sub("[^a-z0-9]+", "-", title_of(session.recipe).lower()).strip("-")
    st.download_button(
        "Save this screen as a file",
        content,
        (name[:MAX_FILE_NAME_CHARACTERS] or "screen") + uploads.SAVED_SUFFIX,
        "application/json",
        key="save_screen",
        icon=":material/save:",
        help="With its table or drawing; drop it on the page Data, and the same screen opens",
        on_click="ignore",
    )


def _link(params: dict[str, str], page: str = "") -> str:
    """Return the link with these parameters, to the page shown or to another page.

    A teacher who serves a class may open "localhost": then the link has the name by which the class
    reaches the machine.
    """
    current = urlsplit(st.context.url or "")
    shared_host = st.get_option("browser.serverAddress")  # `dtviz --share` sets it
    is_on_server = current.hostname in LOCAL_HOSTS and shared_host not in LOCAL_HOSTS
    host = f"{shared_host}:{current.port}" if is_on_server else current.netloc
    is_other_page = page in PAGES and page != state.navigation().page
    path = f"{current.path.rpartition('/')[0]}/{page}" if is_other_page else current.path
    return urlunsplit((current.scheme, host, path, urlencode(params, quote_via=quote), ""))


def _tour_controls(screen: Screen) -> None:
    """Draw the tour that is being written: its screens and sentences, and one link to them."""
    stops = screen.session.tour.user_stops
    # Half of the room stays free, since the screen to add may be as long as the others together.
    is_full = (
        len(stops) >= tour.MAX_STOPS
        or len(tour.STOP_SEPARATOR.join(stops)) > tour.MAX_TOUR_CHARS // 2
    )
    st.button(
        "Add this screen to a tour",
        key="tour_add",
        icon=":material/add:",
        disabled=is_full,
        help="Screens with their lines, one after the other, in one link",
        on_click=_add_stop,
        args=(stops, tour.stop_of(_address_params(screen), state.navigation().page)),
    )
    if not stops:
        return
    _stop_editor(screen, stops)
    params = {"tour": tour.write_stops(stops)}
    recipes = [
        address.read_address(tour.params_at(stops, k), START_RECIPE).recipe
        for k in range(len(stops))
    ]
    _show_link(params, tour.page_of(stops[0]), _files_beside(recipes), is_tour=True)


def _stop_editor(screen: Screen, stops: tuple[str, ...]) -> None:
    """Draw the stops of the tour that is being written, and the tools for the chosen one."""
    chosen = min(st.session_state.get("tour_chosen", len(stops) - 1), len(stops) - 1)

    def title(index: int) -> str:
        page = PAGES.get(tour.page_of(stops[index]))
        page_note = f" :gray[on {page.title}]" if page else ""
        text = markdown(tour.narration_of(stops[index]), 60) or "*no words*"
        return f"{index + 1}. {text}{page_note}"

    titles = [title(index) for index in range(len(stops))]
    # by its title: where a line changes the title, Streamlit needs another control
    st.radio(
        "Stops",
        label_visibility="collapsed",
        **state.choice_args(
            "tour_stop", titles[chosen], lambda title: _choose_stop(titles.index(title)), titles
        ),
    )

    def narrate_stop(say: str) -> None:
        stop = tour.with_narration(stops[chosen], clean(say, MAX_SAY_CHARS))
        _set_stops(tour.replace_stop(stops, chosen, stop))

    st.text_input(
        f"Line of stop {chosen + 1}",
        max_chars=MAX_SAY_CHARS,
        placeholder="What the class reads there",
        **state.control_args("tour_say", tour.narration_of(stops[chosen]), narrate_stop),
    )
    here = tour.stop_of(_address_params(screen), state.navigation().page)
    here = tour.with_narration(here, tour.narration_of(here) or tour.narration_of(stops[chosen]))
    is_first, is_last = chosen == 0, chosen == len(stops) - 1
    is_shown = tour.is_same_stop(here, stops[chosen])
    with st.container(horizontal=True, gap="small", key="tour_tools"):
        _stop_tool("See it as the class will", "see", "visibility", _see_stop, stops, chosen)
        _stop_tool("Move up", "up", "arrow_upward", _move_stop, stops, chosen, -1, off=is_first)
        _stop_tool("Move down", "down", "arrow_downward", _move_stop, stops, chosen, 1, off=is_last)
        here_instead = tour.replace_stop(stops, chosen, here)
        _stop_tool(
            "Take this screen instead", "take", "swap_horiz", _set_stops, here_instead, off=is_shown
        )
        without = tour.replace_stop(stops, chosen, None)
        _stop_tool("Remove", "drop", "delete", _set_stops, without)


def _stop_tool(
    label: str, name: str, icon: str, act: Callable[..., None], *args: Any, off: bool = False
) -> None:
    """Draw a button that does something with the chosen stop; `off` if it cannot."""
    st.button(
        label,
        key=f"tour_{name}",
        icon=f":material/{icon}:",
        type="tertiary",
        disabled=off,
        on_click=act,
        args=args,
    )


def _add_stop(stops: tuple[str, ...], stop: str) -> None:
    """Add a stop at the end of the tour, and choose it."""
    _choose_stop(len(stops))
    _set_stops((*stops, stop))


def _see_stop(stops: tuple[str, ...], index: int) -> None:
    """Close the popover, and go to a stop of the tour."""
    st.session_state["share"] = False
    state.go_to_stop(stops, index)


def _choose_stop(index: int) -> None:
    st.session_state["tour_chosen"] = index


def _move_stop(stops: tuple[str, ...], index: int, by: int) -> None:
    """Move a stop of the tour, which stays the chosen one."""
    _choose_stop(index + by)
    _set_stops(tour.move_stop(stops, index, by))


def _show_link(
    params: dict[str, str], page: str, files: dict[str, str], is_tour: bool = False
) -> DeltaGenerator:
    """Draw a link to copy, and beside its QR code a button that shows it to the class.

    Where no other machine can use the link, say how to start a server that others reach. Returns
    the container with the button.
    """
    link = _link(params, page)
    st.code(link, language=None, wrap_lines=True)
    is_local = urlsplit(link).hostname in LOCAL_HOSTS
    has_code = not is_local and len(link) <= MAX_QR_CHARACTERS
    if is_local and not is_tour:
        st.caption("This address works only on this machine. For a class, start dtviz so:")
        st.code(SHARE_COMMAND, language=None)
    elif not (is_local or has_code or _is_for_class()):
        st.caption("This address is too long to be read by a camera: shorten the line, or copy it.")
    row = st.container(horizontal=True)
    if has_code:
        row.image(_qr_picture(link, 3), width=180, caption="For a phone's camera")
    column = row.container(width="stretch")
    if has_code or (_is_for_class() and not is_local):
        column.button(
            "Show the tour to the class" if is_tour else "Show to the class",
            key="class_tour" if is_tour else "class_link",
            icon=":material/qr_code_2:",
            type="secondary" if is_tour else "primary",
            help=_class_help(files) if _is_for_class() else None,
            on_click=_open_class_screen,
            args=(link, params, page, files),
        )
    return column


def _qr_picture(link: str, scale: int) -> str:
    """Return the QR code of a link as SVG."""
    import segno  # here, since importing it takes a tenth of a second

    return str(segno.make(link, error="l").svg_inline(scale=scale, border=2, light="white"))


# --- a class --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClassScreen:
    """A link that is shown to a class over the whole window."""

    link: str
    """Short address, or the full link of a server that keeps none."""
    end_text: str
    """Time of day at which a short address is forgotten; '' for a full link."""
    files_text: str
    """Sentence on the tables that go with the link; '' if it needs none."""


def _is_for_class() -> bool:
    """True on a server that was opened to a class by `dtviz --share`."""
    return st.get_option("browser.serverAddress") not in LOCAL_HOSTS


def _visitor() -> str:
    """Return the visitor of this tab."""
    return visitor_of(st.context.ip_address)


def _class_help(files: dict[str, str]) -> str:
    """Say what the button that shows a link to the class does."""
    bring = f"; {_names_text(files)} goes with it, kept by this server for those who have it"
    return f"Code and short address over the whole window{bring if files else ''}"


def _open_class_screen(link: str, params: dict[str, str], page: str, files: dict[str, str]) -> None:
    """Show a link to the class, with the tables that it does not carry."""
    files_text, end_text, code = "", "", None
    if _is_for_class():
        name = page if page in PAGES else state.navigation().page  # a tour may name any page
        code = CLASSROOM.code_for(_visitor(), f"{name}?{urlencode(params, quote_via=quote)}")
        if files and _keep_tables(files):
            files_text = f"{_names_text(files)} goes with it."
        elif files:
            files_text = f"Who opens it needs {_names_text(files)}."
    if code is None and len(link) > MAX_QR_CHARACTERS:
        st.toast("This address is too long to be shown: start again from fewer moves.")
        return
    if code is not None:
        parts = urlsplit(link)
        folder = parts.path.rpartition("/")[0]
        link = urlunsplit((parts.scheme, parts.netloc, f"{folder}/{SHORT_FOLDER}/{code}", "", ""))
        end_text = f"{datetime.now() + timedelta(seconds=KEPT_SECONDS):%H:%M}"
    st.session_state["class_screen"] = ClassScreen(link, end_text, files_text)
    st.session_state["share"] = False


def _close_class_screen() -> None:
    st.session_state.pop("class_screen", None)


@st.dialog("Open this screen", width="large", on_dismiss=_close_class_screen)
def _show_class_screen(screen: ClassScreen) -> None:
    """Draw a link over the whole window: its QR code and, if it is short, its letters."""
    with st.container(key="class_screen"):
        st.image(_qr_picture(screen.link, 10), alt=f"QR code of {screen.link}")
        with st.container(key="class_address"):
            how = "Point a phone's camera at the code"
            if screen.end_text:
                st.text(screen.link)
                how += f", or type the address. It is forgotten at {screen.end_text}"
            st.markdown(f"{how}. {screen.files_text}")


# --- tables that no link carries ------------------------------------------------------------------


def _files_beside(recipes: Iterable[Recipe]) -> dict[str, str]:
    """Return the names of this tab's files that no link to these recipes carries, by place."""
    tab, files = state.tab(), dict[str, str]()
    for recipe in recipes:
        names = (recipe.get("file"), recipe.get("test_file"))
        for place, name in zip(uploads.places_of(recipe), names, strict=False):
            has_content = uploads.fingerprint_of(place) in tab.contents and place in tab.files
            if has_content and place not in uploads.SERVED_TABLES:
                files[place] = str(name)
    return files


def _names_text(files: dict[str, str]) -> str:
    """Return the names of files as Markdown: '**a.csv** and **b.csv**'."""
    texts = {name: f"**{markdown(name, 60)}**" for name in files.values()}
    return " and ".join((texts | {drawing.FILE_NAME: "the drawing"})[name] for name in texts)


def _keep_tables(files: dict[str, str]) -> bool:
    """Have the server keep the tables of these places; return False if they are too large."""
    tab, tables = state.tab(), dict[str, SharedTable]()
    for place in files:
        frame, notes = tab.files[place]
        tables[place] = SharedTable(frame, notes, tab.contents[uploads.fingerprint_of(place)])
    return CLASSROOM.keep_tables(_visitor(), tables)


def _show_files(files: dict[str, str]) -> None:
    """Say which files the link does not carry; on a server for a class, offer to keep them."""
    if not files:
        return
    names = _names_text(files)
    if not _is_for_class():
        st.caption(
            f"No link carries {names}: who opens it is asked for the file. Hand out this screen "
            "saved as a file, or start dtviz with `--share`, and the link can bring it."
        )
        return
    is_kept = CLASSROOM.has_tables(_visitor(), files)

    def apply(is_wanted: bool) -> None:
        if not is_wanted:
            CLASSROOM.tables.remove(_visitor(), files)
        elif not _keep_tables(files):
            limit = f"{MAX_BYTES_OF_TABLE // 1_000_000} MB"
            st.toast(
                f"{names} takes more than {limit} of memory: save the screen as a file instead."
            )

    is_drawing = {*files.values()} == {drawing.FILE_NAME}
    kind = "drawing" if is_drawing else "table" if len(files) == 1 else "tables"
    st.toggle(
        f"The link brings the {kind}",
        help=f"No link carries {names}. This server can keep it in memory for "
        f"{KEPT_SECONDS / 3600:.0f} hours, for those who have the link; switched off, it is "
        "forgotten at once",
        **state.control_args("keep_tables", is_kept, apply),
    )


def _set_stops(stops: tuple[str, ...]) -> None:
    """Replace the stops of the tour; the number of the stop shown stays, if any stops are left.

    Stops whose text would be too long for a link are refused.
    """
    if len(tour.STOP_SEPARATOR.join(stops)) > tour.MAX_TOUR_CHARS:
        st.toast("The tour would be too long for a link: shorten a line, or remove a stop.")
        return
    session = state.tab().visit.session
    shown = session.tour.shown_index if stops else None
    state.set_session(replace(session, tour=tour.Tour(stops, shown) if stops else tour.Tour()))
