"""A link to this very screen; a teacher's hides controls, says a line, or leads through a tour."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

import streamlit as st

from dtviz.app import state
from dtviz.app.page import PAGES
from dtviz.app.uploaded_file import most_bytes
from dtviz.base.text import markdown
from dtviz.data import uploads
from dtviz.data.recipes import title_of
from dtviz.session import address
from dtviz.session.screen import Screen
from dtviz.session.session import HIDEABLE, Session, hide, narrate
from dtviz.session.tour import (
    BETWEEN,
    MOST_STOPS,
    MOST_TEXT,
    Tour,
    page_of,
    stop_of,
    text_of,
)

HERE = ("localhost", "127.0.0.1", "::1", None)
MOST_QR = 1_200  # characters: a code of more is too fine for a camera and a projector
LONGEST_NAME = 40
NAMES = {
    "time-line": "Time-line",
    "settings": "Settings",
    "focus": "Choosing a node",
    "split": "Choosing a cut",
    "gains": "Gains",
    "why": "Why",
    "panels": "Panels below",
}


def share(screen: Screen) -> None:
    """The popover with the link."""
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
        _give(_link(_params(screen)))
        _save(screen)
        _tour(screen)


def _params(screen: Screen) -> dict[str, str]:
    """The address of this screen with what the popover says, its step and focus named.

    A tour that is being written does not go with it.
    """
    session = _told(screen)
    if session.tour.shown is None:
        session = replace(session, tour=Tour())
    return address.write(session, screen.data, screen.future)


def _told(screen: Screen) -> Session:
    """The session with what the popover says."""
    session = narrate(screen.session, str(st.session_state.get("share_say") or ""))
    session = hide(session, st.session_state.get("share_hide") or ())
    return replace(session, focus=screen.node) if session.hidden else session


def _save(screen: Screen) -> None:
    """The button that saves the screen with its tables, where they are not too large for that."""
    contents = state.tab().contents_of(screen.session.recipe)
    if uploads.room_for(sum(map(len, contents.values()))) > most_bytes():
        st.caption(
            "The table is too large to be saved with the screen: keep the link and the table."
        )
        return
    page, session = st.session_state["page"], _told(screen)

    def made() -> bytes:
        params = address.write(session, screen.data, screen.future)
        return uploads.write(uploads.Saved(page, params, contents))

    st.download_button(
        "Save this screen as a file",
        made,
        _file_name(screen),
        "application/json",
        key="save_screen",
        icon=":material/save:",
        help="With its table or drawing; drop it on the page Data, and the same screen opens",
        on_click="ignore",
    )


def _file_name(screen: Screen) -> str:
    title = re.sub("[^a-z0-9]+", "-", title_of(screen.session.recipe).lower()).strip("-")
    return (title[:LONGEST_NAME] or "screen") + uploads.ENDING


def _link(params: dict[str, str], page: str = "") -> str:
    """The whole address as the browser has it, or on another page; on this machine the class's,
    where it has one.
    """
    here = urlsplit(st.context.url or "")
    shared = st.get_option("browser.serverAddress")  # `dtviz --share` sets it
    ours = here.hostname in HERE and shared not in HERE
    host = f"{shared}:{here.port}" if ours else here.netloc
    moved = page in PAGES and page != st.session_state["page"]
    path = f"{here.path.rpartition('/')[0]}/{page}" if moved else here.path
    return urlunsplit((here.scheme, host, path, urlencode(params, quote_via=quote), ""))


def _tour(screen: Screen) -> None:
    """The tour that is being written: screens with their lines, and the one link to all of them.

    It is part of the session: the address keeps it, and *Tour* leads through it.
    """
    stops = screen.session.tour.written
    full = len(stops) >= MOST_STOPS or len(BETWEEN.join(stops)) > MOST_TEXT // 2
    st.button(
        "Add this screen to a tour",
        key="tour_add",
        icon=":material/add:",
        disabled=full,
        help="Screens with their lines, one after the other, in one link",
        on_click=_write,
        args=((*stops, stop_of(_params(screen), st.session_state["page"])),),
    )
    if not stops:
        return
    for place, stop in enumerate(stops):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            said, page = dict(parse_qsl(stop)).get("say", ""), PAGES.get(page_of(stop))
            on = f" :gray[on {page.title}]" if page else ""
            st.markdown(f"{place + 1}. {markdown(said, 60) or '*no words*'}{on}", width="stretch")
            st.button(
                "Remove",
                key=f"tour_drop{place}",
                type="tertiary",
                on_click=_write,
                args=(stops[:place] + stops[place + 1 :],),
            )
    _give(_link({"tour": text_of(stops)}, page_of(stops[0])))


def _give(link: str) -> None:
    """A link to be copied, or read by a phone; and where it leads nobody else."""
    st.code(link, language=None, wrap_lines=True)
    if urlsplit(link).hostname in HERE:
        st.caption("This address works only on this machine.")
    elif len(link) <= MOST_QR:
        import segno  # a tenth of a second, which nobody here alone needs to wait

        picture = segno.make(link, error="l").svg_inline(scale=3, border=2, light="white")
        st.image(picture, width=180, caption="For a phone's camera")
    else:
        st.caption("This address is too long to be read by a camera: shorten the line, or copy it.")


def _write(stops: tuple[str, ...]) -> None:
    """The tour has these stops from now on; one that is shown goes on, as far as it has them."""
    here = state.tab().visit.session
    at = here.tour.shown if stops else None
    state.set_session(replace(here, tour=Tour(stops, at) if stops else Tour()))
