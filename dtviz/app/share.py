"""The popover Share: a link to the screen, a file of the screen, a tour of several screens.

A link may hide controls and show a sentence.
"""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

import streamlit as st

from dtviz.app import state
from dtviz.app.page import PAGES
from dtviz.app.uploaded_file import max_bytes
from dtviz.base.text import markdown
from dtviz.data import uploads
from dtviz.data.drawing import title_of
from dtviz.session import address, tour
from dtviz.session.screen import Screen
from dtviz.session.session import HIDEABLE, Session, hide, narrate

LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1", None)
MAX_QR_CHARACTERS = 1_200  # a code of a longer link is too fine for a camera and a projector
MAX_FILE_NAME_CHARACTERS = 40
HIDEABLE_TITLES = {  # of the controls that a link may hide
    "time-line": "Time-line",
    "settings": "Settings",
    "focus": "Choosing a node",
    "split": "Choosing a cut",
    "gains": "Gains",
    "why": "Why",
    "panels": "Panels below",
}


def share(screen: Screen) -> None:
    """Draw the popover with the link, the saved screen and the tour."""
    if screen.session.hidden:  # a screen that hides controls is one that somebody shared
        return
    panel = st.popover("Share", icon=":material/share:", key="share", on_change="rerun")
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
        st.pills(
            "Hide",
            HIDEABLE,
            key="share_hide",
            selection_mode="multi",
            format_func=lambda name: HIDEABLE_TITLES[name],
            wrap=True,
            help="Step and node are those you see now",
        )
        _show_link(_link(_address_params(screen)))
        _save_button(screen)
        _tour_controls(screen)


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
    session = hide(session, st.session_state.get("share_hide") or ())
    return replace(session, focus=screen.node) if session.hidden else session


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
        on_click=_set_stops,
        args=((*stops, tour.stop_of(_address_params(screen), state.navigation().page)),),
    )
    if not stops:
        return
    for index, stop in enumerate(stops):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            sentence, page = dict(parse_qsl(stop)).get("say", ""), PAGES.get(tour.page_of(stop))
            page_note = f" :gray[on {page.title}]" if page else ""
            text = markdown(sentence, 60) or "*no words*"
            st.markdown(f"{index + 1}. {text}{page_note}", width="stretch")
            st.button(
                "Remove",
                key=f"tour_drop{index}",
                type="tertiary",
                on_click=_set_stops,
                args=(stops[:index] + stops[index + 1 :],),
            )
    _show_link(_link({"tour": tour.write_stops(stops)}, tour.page_of(stops[0])))


def _show_link(link: str) -> None:
    """Draw a link to copy, with its QR code, or with a note if a phone cannot use the link."""
    st.code(link, language=None, wrap_lines=True)
    if urlsplit(link).hostname in LOCAL_HOSTS:
        st.caption("This address works only on this machine.")
    elif len(link) <= MAX_QR_CHARACTERS:
        import segno  # here, since importing it takes a tenth of a second

        picture = segno.make(link, error="l").svg_inline(scale=3, border=2, light="white")
        st.image(picture, width=180, caption="For a phone's camera")
    else:
        st.caption("This address is too long to be read by a camera: shorten the line, or copy it.")


def _set_stops(stops: tuple[str, ...]) -> None:
    """Replace the stops of the tour; the number of the stop shown stays, if any stops are left."""
    session = state.tab().visit.session
    shown = session.tour.shown_index if stops else None
    state.set_session(replace(session, tour=tour.Tour(stops, shown) if stops else tour.Tour()))
