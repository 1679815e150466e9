"""A small picture of a tree under the cockpit of Overfit, and the button that grows it in Grow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from dtviz.arrays import Bools
from dtviz.engine.criteria import CRITERIA
from dtviz.engine.subtrees import Nodes, losses
from dtviz.engine.tree import Log
from dtviz.figures.cockpit import shown
from dtviz.figures.frame import pack
from dtviz.figures.frames import rows_name
from dtviz.figures.overfit import pictures_frame
from dtviz.screen.moves import moves_text
from dtviz.screen.screen import Screen
from dtviz.table.costs import own_weight
from dtviz.table.data import take
from dtviz.ui import state
from dtviz.ui.view import view


def small_picture(screen: Screen, key: str, title: str, nodes: Nodes, out: Bools) -> None:
    """The regions of a tree with the rows that are not `out`, (n,), and its error on these."""
    whole = screen.judged.data
    rows = take(whole, ~out) if out.any() else whole
    loss = losses(nodes, rows)[0][~nodes.split].sum()
    picture = replace(
        shown(screen, state.theme()),
        nodes=nodes,
        stays=nodes.split,
        leaf=losses(nodes, whole)[1],
        held=out,
        errors=(float(loss / own_weight(rows)), np.nan),
    )
    view(key, pack("overfit", pictures_frame(picture, rows_name(screen), ((title, False),))))


def grow_button(key: str, log: Log) -> None:
    """The button that makes these moves on Grow."""
    if st.button("Grow it", key=key, icon=":material/account_tree:", disabled=not log):
        state.act("grow", "follow", moves=moves_text(log))
        st.switch_page("pages/grow.py")


def criterion_unit(screen: Screen) -> str:
    """The unit of the impurity on screen: 'bit', or ''."""
    return CRITERIA[screen.session.rules.criterion].impurity.unit
