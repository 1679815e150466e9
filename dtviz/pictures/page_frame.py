"""Parts of frames that several pages have: sentences, and the title with controls of settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dtviz.base.text import clean, sentence
from dtviz.data.drawing import title_of
from dtviz.pictures.frame_types import Choice, Control, DrawAgain, PageHead, Setting
from dtviz.session.screen import Screen
from dtviz.session.session import N_SEEDS

MAX_SENTENCE_CHARS = 500
"""Characters of a sentence; the names of a table can be far longer."""


def page_sentence(text: str) -> str:
    """Sentence as a page shows it, cut off where names make it very long."""
    return sentence(clean(text, MAX_SENTENCE_CHARS))


def page_head(screen: Screen, settings: Sequence[Setting], again: DrawAgain | None) -> PageHead:
    """Title of the data, and the controls of the page's settings unless a link hides them."""
    head: PageHead = {"title": clean(title_of(screen.session.recipe))}
    if "settings" not in screen.session.hidden:
        head["settings"] = [*settings]
        if again is not None:
            head["again"] = again
    return head


def choice(values: Sequence[Any], present: Any, text: Callable[[Any], str]) -> Choice:
    """Choice of one of `values`, `present` now; `text` returns what a value is called."""
    texts = [sentence(text(value)) for value in values]
    return {"values": values, "texts": texts, "place": values.index(present)}


def setting(name: str, label: str, chosen: Choice, control: Control = "menu") -> Setting:
    """Control of a setting: its values, its name in events, and its label."""
    return {**chosen, "name": name, "label": label, "control": control}


def draw_again(label: str, description: str, seed: int) -> DrawAgain:
    """Button that draws again at random, with the seed after the present one."""
    return {"label": label, "description": description, "seed": (seed + 1) % N_SEEDS}
