"""What every page stands in: title, icon, width, and the few lines of style of our own."""

from __future__ import annotations

import streamlit as st

from dtviz.datasets import asset
from dtviz.ui.state import theme

STYLE = """
<style>
[data-testid="stMainBlockContainer"] {padding: 4.6rem 1.6rem 2rem 1.6rem; max-width: 1500px}
[data-testid="stGraphVizChart"] {display: flex; justify-content: center}
[data-testid="stGraphVizChart"] svg {max-width: 100%; height: auto; max-height: 46rem}
.st-key-time-line kbd {display: none}
.st-key-time-line p {white-space: nowrap}
.st-key-start button p, .st-key-back button p, .st-key-end button p,
.st-key-undo button p, .st-key-redo button p {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)
}
.st-key-why p {font-size: 1.15rem; line-height: 1.45}
pre.algorithm {font-size: .95rem; line-height: 1.7; margin: 0; white-space: pre-wrap}
pre.algorithm div {padding: 0 .6rem; border-left: 3px solid transparent}
pre.algorithm .lit {
  border-left-color: var(--accent); font-weight: 650;
  background: color-mix(in srgb, var(--accent) 14%, transparent)
}
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"] {padding: 4.2rem .7rem 1.5rem .7rem}
  div:has(> .st-key-time-line) {flex: 1 1 100% !important}
  .st-key-time-line {gap: .3rem !important}
  .st-key-time-line button {padding: .25rem .55rem}
}
</style>
"""
"""Room for the plot, graphs no larger than their text, icon buttons whose names are only heard."""


DARK_STYLE = """
<style>
[data-testid="stBaseButton-primary"]:enabled, [data-testid="stBaseButton-primary"]:enabled p,
[data-baseweb="tag"], [data-baseweb="tag"] svg {color: #0e1117 !important}
</style>
"""
"""Dark ink on the light blue of the dark theme."""


def frame() -> None:
    """Set the page up; call it before anything is drawn."""
    st.set_page_config(page_title="dtviz", page_icon=str(asset("favicon.png")), layout="wide")
    colours = theme()
    accent = f"<style>:root {{--accent: {colours.accent}}}</style>"
    st.html(STYLE + accent + (DARK_STYLE if colours.dark else ""))
