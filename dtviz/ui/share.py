"""A link to this very screen; a teacher's link hides controls and says a line of narration."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import quote, urlencode, urlsplit, urlunsplit

import streamlit as st

from dtviz.screen import address
from dtviz.screen.screen import Screen
from dtviz.screen.session import HIDEABLE, hide, narrate

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
            placeholder="Which cut parts the two classes?",
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
        st.code(_link(screen), language=None, wrap_lines=True)


def _link(screen: Screen) -> str:
    """The address of this screen with what the popover says, its step and focus named."""
    session = narrate(screen.session, str(st.session_state.get("share_say") or ""))
    session = hide(session, st.session_state.get("share_hide") or ())
    if session.hidden:
        session = replace(session, focus=screen.node)
    params = address.write(session, screen.data, screen.future)
    scheme, host, path, *_ = urlsplit(st.context.url or "")
    return urlunsplit((scheme, host, path, urlencode(params, quote_via=quote), ""))
