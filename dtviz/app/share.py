"""Share: a link to the screen, which may hide controls, bring a sentence or lead through a tour."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

import streamlit as st

from dtviz.app import controls, state
from dtviz.app.page import PAGES
from dtviz.app.uploaded_file import max_bytes
from dtviz.base.text import markdown
from dtviz.data import uploads
from dtviz.data.drawing import title_of
from dtviz.session import address, tour
from dtviz.session.screen import Screen
from dtviz.session.session import HIDEABLE, Session, hide, narrate

LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1", None)
MAX_QR_CHARACTERS = 1_200  # a code of more is too fine for a camera and a projector
MAX_NAME_CHARACTERS = 40
NAMES = {
    "time-line": "Time-line",
    "settings": "Settings",
    "focus": "Choosing a node",
    "split": "Choosing a cut",
    "gains": "Gains",
    "why": "Why",
    "panels": "Panels below",
}


def end_of_head(screen: Screen) -> None:
    """Draw the controls that end the head of a page: settings, undo, redo and Share."""
    controls.popover(screen)
    controls.undo_buttons()
    share(screen)


def share(screen: Screen) -> None:
    """Draw the popover with the link, the saved screen and the tour, where no control is hidden."""
    if screen.session.hidden:
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
            format_func=lambda name: NAMES[name],
            wrap=True,
            help="Step and node are those you see now",
        )
        _show_link(_link(_params(screen)))
        _save_button(screen)
        _tour(screen)


def _params(screen: Screen) -> dict[str, str]:
    """Return the address of this screen with the popover's choices, without an unfinished tour."""
    session = _shared_session(screen)
    if session.tour.shown is None:
        session = replace(session, tour=tour.Tour())
    return address.write_address(session, screen.data, screen.future)


def _shared_session(screen: Screen) -> Session:
    """Return the session with the sentence and the hidden controls of the popover."""
    session = narrate(screen.session, str(st.session_state.get("share_say") or ""))
    session = hide(session, st.session_state.get("share_hide") or ())
    return replace(session, focus=screen.node) if session.hidden else session


def _save_button(screen: Screen) -> None:
    """Draw the button that saves the screen with its tables, unless these are too large."""
    contents = state.tab().contents_of(screen.session.recipe)
    if uploads.estimated_screen_bytes(sum(map(len, contents.values()))) > max_bytes():
        st.caption(
            "The table is too large to be saved with the screen: keep the link and the table."
        )
        return
    page, session = st.session_state["page"], _shared_session(screen)

    def content() -> bytes:
        params = address.write_address(session, screen.data, screen.future)
        return uploads.write_screen(uploads.SavedScreen(page, params, contents))

    title = re.sub("[^a-z0-9]+", "-", title_of(session.recipe).lower()).strip("-")
    st.download_button(
        "Save this screen as a file",
        content,
        (title[:MAX_NAME_CHARACTERS] or "screen") + uploads.SAVED_SUFFIX,
        "application/json",
        key="save_screen",
        icon=":material/save:",
        help="With its table or drawing; drop it on the page Data, and the same screen opens",
        on_click="ignore",
    )


def _link(params: dict[str, str], page: str = "") -> str:
    """Return the full address of these parameters, on the page shown or on another.

    On a machine that serves a class it has the name by which the class reaches it.
    """
    current = urlsplit(st.context.url or "")
    shared_host = st.get_option("browser.serverAddress")  # `dtviz --share` sets it
    is_server = current.hostname in LOCAL_HOSTS and shared_host not in LOCAL_HOSTS
    host = f"{shared_host}:{current.port}" if is_server else current.netloc
    is_other = page in PAGES and page != st.session_state["page"]
    path = f"{current.path.rpartition('/')[0]}/{page}" if is_other else current.path
    return urlunsplit((current.scheme, host, path, urlencode(params, quote_via=quote), ""))


def _tour(screen: Screen) -> None:
    """Draw the tour that is being written: its screens and sentences, and one link to all."""
    stops = screen.session.tour.written
    full = (
        len(stops) >= tour.MAX_STOPS
        or len(tour.STOP_SEPARATOR.join(stops)) > tour.MAX_CHARACTERS // 2
    )
    st.button(
        "Add this screen to a tour",
        key="tour_add",
        icon=":material/add:",
        disabled=full,
        help="Screens with their lines, one after the other, in one link",
        on_click=_set_stops,
        args=((*stops, tour.stop_of(_params(screen), st.session_state["page"])),),
    )
    if not stops:
        return
    for place, stop in enumerate(stops):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            say, page = dict(parse_qsl(stop)).get("say", ""), PAGES.get(tour.page_of(stop))
            where = f" :gray[on {page.title}]" if page else ""
            text = markdown(say, 60) or "*no words*"
            st.markdown(f"{place + 1}. {text}{where}", width="stretch")
            st.button(
                "Remove",
                key=f"tour_drop{place}",
                type="tertiary",
                on_click=_set_stops,
                args=(stops[:place] + stops[place + 1 :],),
            )
    _show_link(_link({"tour": tour.text_of(stops)}, tour.page_of(stops[0])))


def _show_link(link: str) -> None:
    """Draw a link to copy, and its QR code or a note where a phone cannot use it."""
    st.code(link, language=None, wrap_lines=True)
    if urlsplit(link).hostname in LOCAL_HOSTS:
        st.caption("This address works only on this machine.")
    elif len(link) <= MAX_QR_CHARACTERS:
        import segno  # takes a tenth of a second: only where a code is drawn

        picture = segno.make(link, error="l").svg_inline(scale=3, border=2, light="white")
        st.image(picture, width=180, caption="For a phone's camera")
    else:
        st.caption("This address is too long to be read by a camera: shorten the line, or copy it.")


def _set_stops(stops: tuple[str, ...]) -> None:
    """Replace the stops of the tour; the stop shown stays shown, if any are left."""
    session = state.tab().visit.session
    shown = session.tour.shown if stops else None
    state.set_session(replace(session, tour=tour.Tour(stops, shown) if stops else tour.Tour()))
