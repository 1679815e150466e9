"""What every page is and stands in: title, icon, width, and the few lines of style of our own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from dtviz.screen.screen import Screen
from dtviz.table.data import DataError
from dtviz.table.gallery import asset
from dtviz.ui.state import theme

STYLE = """
<style>
[data-testid="stMainBlockContainer"] {padding: 4.6rem 1.6rem 2rem 1.6rem; max-width: 1500px}
div:has(> [class*=st-key-carry]) {display: none}
:is(.st-key-why, .st-key-asked) [data-testid=stMarkdown] p {font-size: 1.15rem; line-height: 1.45}
.st-key-steady {min-height: 3.2rem}
.st-key-say p {
  font-size: 1.3rem; font-weight: 600; padding-left: .8rem; border-left: 4px solid var(--accent)
}
.st-key-progress:has([data-testid="stProgress"]) {
  position: fixed; z-index: 9; bottom: .8rem; left: 50%; transform: translateX(-50%);
  width: min(46rem, 94vw); padding: .5rem 1rem; border-radius: .5rem;
  background: var(--paper); border: 1px solid var(--accent)
}
[class*="st-key-steps_"] [data-testid^="stNumberInputStep"] {display: none}
[class*="st-key-steps_"] .stButton button {padding-inline: .4rem; border-color: transparent}
:is([class*="st-key-less_"], [class*="st-key-more_"]) button [data-testid="stMarkdownContainer"] {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)
}
[data-testid="stMultiSelect"] button[aria-label="Clear all"] {min-width: 24px; min-height: 24px}
pre.algorithm {font-size: .95rem; line-height: 1.7; margin: 0; white-space: pre-wrap}
pre.algorithm div {padding: 0 .6rem; border-left: 3px solid transparent}
pre.algorithm .lit {
  border-left-color: var(--accent); font-weight: 650;
  background: color-mix(in srgb, var(--accent) 14%, transparent)
}
.st-key-corner {
  position: fixed; top: .4rem; right: 1rem; z-index: 999991; width: auto; flex-wrap: nowrap
}
.st-key-corner button, .st-key-head .stButton button {min-height: 2.2rem; padding-block: .2rem}
.st-key-problems {flex-wrap: nowrap}
.st-key-problems [data-testid="stAlertContainer"] {padding: .35rem .7rem}
.st-key-axes {flex-wrap: nowrap}
.st-key-axes [data-testid="stSelectbox"] {display: flex; align-items: center; gap: .3rem}
.st-key-axes [data-testid="stSelectbox"]::before {content: "→"}
.st-key-axis1 [data-testid="stSelectbox"]::before {content: "↑" !important}
.st-key-axes > * {min-width: 0}
.st-key-caption p {font-size: .8rem}
.st-key-split_here button {min-width: 11.5rem}
@media (min-width: 1000px) and (min-height: 600px) {
  [data-testid="stMainBlockContainer"]:has(.st-key-instrument) {
    max-width: none; height: 100dvh; padding: 3.75rem 1.2rem .6rem 1.2rem; overflow: hidden
  }
  div:has(> div > .st-key-instrument), div:has(> div > div > div > .st-key-instrument) {
    height: 100%; gap: .5rem
  }
  div:has(> .st-key-instrument), div:has(> div > div > .st-key-instrument) {
    flex: 1 1 0; min-height: 0
  }
  .st-key-head {height: 2.5rem; flex-wrap: nowrap}
  div:has(> .st-key-time-line) {flex: 1 1 0; min-width: 0}
  .st-key-asked {min-height: 3.1rem; flex-wrap: nowrap}
  .st-key-asked [data-testid=stMarkdown] p {line-height: 1.3}
  .st-key-instrument {height: 100%; min-height: 0; flex-wrap: nowrap; align-items: stretch}
  div:has(> .st-key-plane) {flex: 11 1 0; min-width: 0; height: 100%}
  div:has(> .st-key-beside) {flex: 9 1 0; min-width: 0; height: 100%}
  div:has(> .st-key-drawer) {flex: 0 0 19rem; height: 100%}
  .st-key-plane, .st-key-beside, .st-key-drawer {height: 100%; min-height: 0; flex-wrap: nowrap}
  .st-key-drawer, .st-key-below [role=tabpanel] {overflow-y: auto; scrollbar-width: thin}
  .st-key-drawer {padding-left: 1rem; border-left: 1px solid var(--edge)}
  .st-key-stage, .st-key-tree, div:has(> .st-key-below) {flex: 5 1 0; min-height: 0}
  .st-key-tree {flex-grow: 6}
  .st-key-stage, .st-key-tree {--high: 100%}
  :is(.st-key-stage, .st-key-tree) :is(.stBidiComponent, [data-testid="stBidiComponentIsolated"]) {
    height: 100%
  }
  .st-key-below, .st-key-below :is([data-testid="stTabs"], [data-testid="stTabs"] > div) {
    height: 100%; min-height: 0
  }
  .st-key-caption p {white-space: nowrap; overflow: hidden; text-overflow: ellipsis}
}
@media (min-width: 1600px) and (min-height: 850px) {
  html:has(.st-key-instrument) {font-size: 18px !important}
  .st-key-stage, .st-key-tree {--unit: 1.2}
}
@media (min-width: 2300px) and (min-height: 1250px) {
  html:has(.st-key-instrument) {font-size: 23px !important}
  .st-key-stage, .st-key-tree {--unit: 1.5}
}
@media (min-width: 641px) {
  .katex-display {overflow: visible !important}
}
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"] {padding: 4.2rem .7rem 1.5rem .7rem}
  div:has(> .st-key-time-line) {flex: 1 1 100% !important}
  .js-plotly-plot .textpoint text {font-size: 9px !important}
  .st-key-head {gap: .4rem 1rem}
  .st-key-criterion_at_hand {display: none}
  .st-key-instrument > * {flex: 1 1 100% !important; min-width: 0}
  div:has(> .st-key-drawer) {order: -1}
  .st-key-asked [data-testid=stMarkdown] {min-height: 6.7rem}
  .st-key-judging > :nth-child(n + 2) {order: 2}
  .st-key-judging > :has(> .st-key-more) {order: 1}
}
</style>
"""
"""Room for the pictures; what only carries data takes none."""


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

    `without` draws it where there is no data; `alone`: what is done on it changes nothing round it.
    """

    title: str
    path: str
    draw: Callable[[Screen], None]
    without: Callable[[DataError], None] | None = None
    alone: bool = False


def frame() -> None:
    """Set the page up; call it before anything is drawn."""
    st.set_page_config(page_title="dtviz", page_icon=str(asset("favicon.png")), layout="wide")
    colours = theme()
    own = {"accent": colours.accent, "paper": colours.paper, "edge": colours.grid}
    values = "; ".join(f"--{name}: {colour}" for name, colour in own.items())
    accent = f"<style>:root {{{values}}}</style>"
    with st.container(key="carry_style"):  # alone it would stand where a toast takes its place
        st.html(STYLE + accent + (DARK_STYLE if colours.dark else "") + "<i></i>")
