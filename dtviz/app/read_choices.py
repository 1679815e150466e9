"""The expander "Read otherwise": what a person says of a file where the reader may guess wrong."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dtviz.app import state
from dtviz.base.text import clean
from dtviz.data.csv_dialect import ENCODINGS
from dtviz.data.dataset import DataError
from dtviz.data.read_options import MAX_NAMES_LINE, ReadOptions
from dtviz.data.read_table import option_names, part_names

AS_FOUND = "as found"
DELIMITERS = {
    "": AS_FOUND,
    ",": "comma ,",
    ";": "semicolon ;",
    "\t": "tab",
    "|": "bar |",
    " ": "blanks",
    ":": "colon :",
}
"""Signs between cells that a person may choose, in words."""


def read_choices(file_id: str, content: bytes, default: ReadOptions) -> ReadOptions:
    """Draw the choices that a file takes in an expander; return the options of reading.

    `file_id` identifies the file, to which the choices belong. The expander is closed unless the
    file could not be read as one of its choices says, or `default` holds a choice.
    """
    key = ("read choices", file_id, len(content))
    cache = state.tab().cache
    taken, parts = cache.get(key, lambda: (option_names(content), part_names(content)))
    if not (parts[1:] or default.part):
        taken -= {"part"}
    if not taken:
        return default
    is_open = st.session_state.get(_open_key(file_id), False) or bool(default.params())
    with st.expander("Read otherwise", icon=":material/tune:", expanded=is_open):
        return _draw(file_id, taken, parts, default)


def open_choices(file_id: str, error: DataError) -> None:
    """Open the expander of a file that could not be read, if a choice may help."""
    key = _open_key(file_id)
    if error.parameter is not None and not st.session_state.get(key):
        st.session_state[key] = True
        state.rerun()


def _open_key(file_id: str) -> str:
    return f"read_otherwise_{file_id}"


def _draw(
    file_id: str, taken: frozenset[str], parts: tuple[str, ...], default: ReadOptions
) -> ReadOptions:
    """Draw the controls of the options that a file takes; return the options."""
    part, names_line = default.part, default.names_line
    encoding, delimiter, quotes = default.encoding, default.delimiter, default.quotes
    if "part" in taken:
        part = _select("The table is in", ["", *parts], part, f"part_{file_id}", {})
    if "names_line" in taken:
        fields, toggles = st.columns(3), st.container(horizontal=True, gap="large")
        is_data = toggles.toggle(
            "The first line is data",
            value=names_line == 0,
            key=f"first_line_is_data_{file_id}",
            help="No line holds names: the columns are then named by their position",
        )
        line = fields[0].number_input(
            "The names stand in line",
            min_value=1,
            max_value=MAX_NAMES_LINE,
            value=names_line or None,
            key=f"names_line_{file_id}",
            placeholder=AS_FOUND,
            disabled=is_data,
            help="Lines above it are left out",
        )
        names_line = 0 if is_data else None if line is None else int(line)
    if "encoding" in taken:
        with fields[1]:
            key = f"delimiter_{file_id}"
            delimiter = _select("Between cells stands", [*DELIMITERS], delimiter, key, DELIMITERS)
        with fields[2]:
            key = f"encoding_{file_id}"
            encodings = ["", *ENCODINGS]
            encoding = _select("Letters are encoded as", encodings, encoding, key, ENCODINGS)
        quotes = not toggles.toggle(
            "A quote is a letter",
            value=not quotes,
            key=f"quotes_{file_id}",
            help='"a, b" is then two cells, not one',
        )
    return ReadOptions(names_line, encoding, delimiter, quotes, part)


def _select(label: str, options: list[str], value: str, key: str, words: Mapping[str, str]) -> str:
    """Draw a choice that begins with `value`; return the option chosen, '' for what is found."""
    options = [*dict.fromkeys((*options, value))]
    chosen: str = st.selectbox(
        label,
        options,
        index=options.index(value),
        key=key,
        format_func=lambda option: words.get(option) or clean(option) or AS_FOUND,
    )
    return chosen
