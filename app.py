"""The app: its pages, in the order of a lecture."""

import streamlit as st

from dtviz.ui.page import frame

page = st.navigation(
    [
        st.Page("pages/grow.py", title="Grow", url_path="home", default=True),
        st.Page("pages/data.py", title="Data", url_path="data"),
        st.Page("pages/overfit.py", title="Overfit", url_path="overfit"),
        st.Page("pages/learn.py", title="Learn", url_path="learn"),
        # the default page stands at the bare address; this one answers to its name as well
        st.Page("pages/grow.py", title="Grow", url_path="grow", visibility="hidden"),
    ],
    position="top",
)
frame()
page.run()
