"""Pages of the app: the type of a page, its registry, and the style around it."""

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
"""Style sheet of all pages: places and sizes, on a screen and on a phone."""

FRAGMENT_KEY = "page"
"""Key of the Streamlit fragment that holds all of a page."""

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
    """A page of the app."""

    title: str
    """Title in the bar of the pages."""
    path: str
    """Path of its address, and the name of its script in `pages`."""
    draw: Callable[[Screen], None]
    """Function that draws a screen."""
    draw_error: Callable[[DataError], None] | None = None
    """Function that draws the page where there is no data; None for the usual one."""
    is_fragment: bool = False
    """True if events on the page change nothing around it: it runs as a fragment."""
    shows_files: bool = False
    """True if it shows the files that the browser keeps."""


PAGES: dict[str, PageSpec] = {}
"""Pages by their paths, filled by site.py; the first one has the bare address as well."""


def set_up_page(title: str) -> None:
    """Set up the page of this title; call it before anything is drawn."""
    st.set_page_config(page_title="dtviz", page_icon=str(asset("favicon.png")), layout="wide")
    colours = theme()
    variables = {"accent": colours.accent, "paper": colours.paper, "edge": colours.grid}
    variables["page"] = f'"{title}"'
    values = "; ".join(f"--{name}: {value}" for name, value in variables.items())
    root = f"<style>:root {{{values}}}</style>"
    # without a container of its own the style would lie where Streamlit puts a toast instead
    with st.container(key="carry_style"):
        style = f"<style>{STYLE}</style>"
        st.html(style + root + (DARK_STYLE if colours.dark else "") + "<i></i>")
