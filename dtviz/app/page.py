"""What every page is and stands in: title, icon, width, and the few lines of style of our own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from dtviz.app.state import theme
from dtviz.data.dataset import DataError
from dtviz.data.gallery import asset
from dtviz.session.screen import Screen

STYLE = Path(__file__).with_name("style.css").read_text(encoding="utf-8")
"""Where everything stands, and how large it is, on a screen and on a phone."""

ALONE = "page"
"""What Streamlit calls the part of a page that stands alone: all that it draws."""

DARK_STYLE = """
<style>
[data-testid="stBaseButton-primary"]:enabled, [data-testid="stBaseButton-primary"]:enabled p,
[data-testid="stMultiSelect"] span[title], [data-testid="stMultiSelect"] [role="row"] svg {
  color: #0e1117 !important
}
</style>
"""
"""Dark ink on the light blue of the dark theme."""


@dataclass(frozen=True, slots=True)
class PageSpec:
    """A page: its title, the path of its address, and how it draws a screen.

    `without` draws it where there is no data; `alone`: what is done on it changes nothing round it;
    `files`: it tells of the files that the browser keeps.
    """

    title: str
    path: str
    draw: Callable[[Screen], None]
    without: Callable[[DataError], None] | None = None
    alone: bool = False
    files: bool = False


PAGES: dict[str, PageSpec] = {}
"""By their paths; the first one stands at the bare address as well. Those of site.py are here."""


def frame(title: str) -> None:
    """Set the page of this title up; call it before anything is drawn."""
    st.set_page_config(page_title="dtviz", page_icon=str(asset("favicon.png")), layout="wide")
    colours = theme()
    own = {"accent": colours.accent, "paper": colours.paper, "edge": colours.grid}
    own["page"] = f'"{title}"'
    values = "; ".join(f"--{name}: {colour}" for name, colour in own.items())
    accent = f"<style>:root {{{values}}}</style>"
    with st.container(key="carry_style"):  # alone it would stand where a toast takes its place
        style = f"<style>{STYLE}</style>"
        st.html(style + accent + (DARK_STYLE if colours.dark else "") + "<i></i>")
