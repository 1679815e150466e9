"""Arithmetic on the page, to be read and to be copied."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st


def worked(lines: Sequence[str]) -> None:
    """LaTeX lines under one another, aligned at their first equal signs; as text on demand."""
    body = r" \\[5pt] ".join(line.replace(" = ", " &= ", 1) for line in lines)
    st.latex(rf"\begin{{aligned}} \rule{{0pt}}{{1.6em}} {body} \end{{aligned}}")
    with st.expander("As LaTeX"):
        st.code("\n".join(lines), language="latex")
