"""Parts of the frames of several pages: sentences, and the controls of settings at hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dtviz.base.text import clean, sentence
from dtviz.data.drawing import title_of
from dtviz.pictures.frame_types import Control, DrawAgain, PageHead, SettingChoice
from dtviz.pictures.stage import slice_text
from dtviz.pictures.stage_cuts import pinned_values
from dtviz.session.screen import Screen

MAX_SENTENCE_CHARS = 500
N_SEEDS = 10**9
"""Number of the seeds of all pages, from 0 on."""


def words(text: str) -> str:
    """Sentence as a page shows it, cut where names make it endless."""
    return sentence(clean(text, MAX_SENTENCE_CHARS))


def slice_caption(screen: Screen) -> str:
    """Caption of a plane whose slice does not follow the focus."""
    pins = screen.session.pins
    return slice_text(screen.data, screen.axes, pinned_values(screen.data, pins), pins)


def page_head(
    screen: Screen, choices: Sequence[SettingChoice], again: DrawAgain | None
) -> PageHead:
    """Title of the data with the controls of settings at hand, which a link may hide."""
    head: PageHead = {"title": clean(title_of(screen.session.recipe))}
    if "settings" not in screen.session.hidden:
        head["choices"] = [*choices]
        if again is not None:
            head["again"] = again
    return head


def choice(
    name: str,
    label: str,
    value: Any,
    options: Sequence[Any],
    text: Callable[[Any], str],
    control: Control = "list",
) -> SettingChoice:
    """Control of a setting whose present value is one of `options`; `text` names an option."""
    return {
        "name": name,
        "label": label,
        "control": control,
        "values": [*options],
        "texts": [text(option) for option in options],
        "place": [*options].index(value),
    }


def draw_again(label: str, description: str, seed: int) -> DrawAgain:
    """Button that draws again at random, with the seed after the present one."""
    return {"label": label, "description": description, "seed": (seed + 1) % N_SEEDS}
