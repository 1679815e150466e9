"""An example put on screen, from wherever it is picked."""

from __future__ import annotations

import streamlit as st

from dtviz.engine.rules import default_rules
from dtviz.screen.session import Session
from dtviz.table.data import Recipe
from dtviz.table.gallery import GALLERY, example_recipe
from dtviz.ui import state


def use(chosen: Recipe) -> None:
    """Put a recipe on screen, before the first step."""
    st.session_state.pop("waiting", None)
    state.put(Session(chosen, default_rules(state.dataset_of(chosen).task)))


def use_example(key: str) -> None:
    """Put the example on screen whose name a control of this key was given (use in callbacks)."""
    name = st.session_state.get(key)
    if name in [*GALLERY]:
        use(state.START if name == state.START.name else example_recipe(name))
