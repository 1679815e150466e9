"""Parts of Streamlit that its documentation does not promise; no other module uses any.

But for one flag they are read or called, never changed. `pyproject.toml` bounds the version of
Streamlit, and tests/app/test_streamlit_parts.py names each part that another version lacks.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

# messages of the websocket: the guard refuses those that visitors may not send, and RunOrder has
# the runs of a tab follow one another; neither can know them otherwise
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Slider_pb2 import Slider

# knows whether the folder pages/ makes the menu; see ignore_pages_folder
from streamlit.runtime.pages_manager import PagesManager

# sets options of the server: `st.set_option` refuses those
from streamlit.web.bootstrap import load_config_options

__all__ = [
    "DOCUMENT",
    "STATIC_FOLDER",
    "BackMsg",
    "ForwardMsg",
    "Slider",
    "ignore_pages_folder",
    "load_config_options",
]

DOCUMENT = Path(st.__file__).parent / "static" / "index.html"
"""HTML document of Streamlit, to which pages add their style and first paint."""
STATIC_FOLDER = DOCUMENT.with_name("static")
"""Scripts, styles and letters of Streamlit, which it does not pack."""


def ignore_pages_folder() -> None:
    """Have Streamlit take the pages that app.py names, not the files of the folder pages/.

    Without this a first request for /learn would show Streamlit's own menu of the folder: it
    forgets the folder only at a request for /.
    """
    PagesManager.uses_pages_directory = False
