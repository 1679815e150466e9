"""Learn: the lessons in the order of a lecture, formulas beside pictures of the data on screen."""

from __future__ import annotations

import streamlit as st

from dtviz.app.head import corner, head_controls
from dtviz.app.lessons import growing, judging, measures
from dtviz.app.lessons.parts import Lesson, lesson_of, open_in_grow
from dtviz.app.lessons.sections import Slot, draw_section, read_section
from dtviz.app.page import PageSpec
from dtviz.base.text import count, markdown
from dtviz.data.dataset import Dataset
from dtviz.data.drawing import title_of
from dtviz.session.screen import Screen
from dtviz.session.tour import TOURS

ANCHORS = (
    "trees",
    "cuts",
    "impurity",
    "gain",
    "stops",
    "regions",
    "judging",
    "kinds",
    "branches",
    "cost",
    "forests",
    "conventions",
    "reading",
    "misprints",
    "sources",
)
"""Anchors of the sections in the order of a lecture; conventions and sources at the end."""
SECTIONS = tuple(map(read_section, ANCHORS))
"""Sections of the page in order."""
SLOTS: dict[str, Slot] = growing.SLOTS | measures.SLOTS | judging.SLOTS
"""Slots of all sections."""


def draw_page(screen: Screen) -> None:
    """Draw the page: title, contents, and the lessons one below the other."""
    with corner():
        head_controls(screen, settings=None, has_undo=False)
    with st.container(key="reading"):
        lesson = lesson_of(screen)
        _draw_head(lesson)
        for number, section in enumerate(SECTIONS, 1):
            with st.container(key=f"lesson_{section.anchor}"):
                st.header(f"{number} {section.title}", anchor=section.anchor)
                draw_section(section, lesson, SLOTS)


def _draw_head(lesson: Lesson) -> None:
    """Draw the title, the data and node of all numbers, the contents and the way to the tour."""
    screen = lesson.screen
    title = markdown(title_of(screen.session.recipe))
    st.title("Learn", anchor=False)
    st.markdown(
        f"Every number on this page is computed now, from **{title}** "
        f"({_size_text(screen.data)}) at **{lesson.node.name}** "
        f"({count(lesson.node.n, 'row')}). Drag anything in a picture: the numbers under it follow."
    )
    links = (f"{k}. [{section.title}](#{section.anchor})" for k, section in enumerate(SECTIONS, 1))
    with st.container(key="contents"):
        st.markdown("\n".join(links))
    n_stops = len(TOURS["first"])
    open_in_grow(f"New here? The tour shows it in {n_stops} steps", "tour", tour="first")


def _size_text(data: Dataset) -> str:
    """Return the size of a dataset in words, as '150 rows, 2 features, 3 classes'."""
    target = count(len(data.classes), "class") if data.classes else "a number to predict"
    return f"{count(data.n, 'row')}, {count(len(data.features), 'feature')}, {target}"


PAGE = PageSpec("Learn", "learn", draw_page, is_fragment=True)
