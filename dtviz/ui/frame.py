"""What every page stands in: title, icon, width, and the few lines of style of our own."""

from __future__ import annotations

import streamlit as st

from dtviz.datasets import asset

STYLE = """
<style>
[data-testid="stMainBlockContainer"] {padding: 3.6rem 1.6rem 2rem 1.6rem; max-width: 1500px}
[data-testid="stGraphVizChart"] svg {max-width: 100%; height: auto; max-height: 25rem}
.st-key-time-line p {white-space: nowrap}
.st-key-why p {font-size: 1.15rem; line-height: 1.45}
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"] {padding: 3.4rem .7rem 1.5rem .7rem}
}
</style>
"""


def frame() -> None:
    """Set the page up; call it before anything is drawn."""
    st.set_page_config(page_title="dtviz", page_icon=str(asset("favicon.png")), layout="wide")
    st.html(STYLE)
