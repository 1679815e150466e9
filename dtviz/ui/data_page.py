"""Learn (being written)."""

import streamlit as st


def show() -> None:
    """Draw the page."""
    st.title("Learn")
