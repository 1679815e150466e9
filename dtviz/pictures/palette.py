"""Colours and marker shapes of every view: a class has the same colour and shape everywhere."""

from __future__ import annotations

from dataclasses import dataclass

from dtviz.explain.dot import PALETTE
from dtviz.pictures.frame_types import ClassLook, Colours

SYMBOLS = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "cross",
    "triangle-down",
    "x",
    "star",
    "pentagon",
    "hexagon",
    "bowtie",
)
SCALE = (
    "#00224e", "#0b2f6a", "#29406c", "#43506c", "#565c6c", "#68696f", "#797874", "#8a8678",
    "#9c9577", "#afa473", "#c2b46c", "#d6c562", "#e9d553", "#fde737",
)  # fmt: skip
"""Cividis in 14 steps: readable by colour-blind eyes, dark is low."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of the page that a picture stands on.

    >>> LIGHT.paper, DARK.dark
    ('#ffffff', True)
    """

    ink: str  # text and lines
    paper: str  # background
    muted: str  # less important text and lines
    grid: str  # grid lines
    accent: str  # the thing that is looked at
    dark: bool = False  # True for light text on a dark page


LIGHT = Theme("#111418", "#ffffff", "#5b6570", "#e3e7eb", "#00588a")
DARK = Theme("#f2f4f6", "#0e1117", "#a3adb8", "#2b313a", "#6fc3f7", dark=True)


def colours_of(theme: Theme) -> Colours:
    """Colours of the page as frames have them."""
    return {
        "ink": theme.ink,
        "paper": theme.paper,
        "muted": theme.muted,
        "grid": theme.grid,
        "accent": theme.accent,
        "dark": theme.dark,
    }


def class_look(index: int, name: str) -> ClassLook:
    """Name, colour and marker shape of a class, as frames have them."""
    return name, class_colour(index), class_symbol(index)


def class_colour(index: int) -> str:
    """Colour of a class."""
    return PALETTE[index % len(PALETTE)]


def class_symbol(index: int) -> str:
    """Marker shape of a class; with the colour it parts 88 classes."""
    return SYMBOLS[index % len(SYMBOLS)]


def tint(colour: str, alpha: float) -> str:
    """Hex colour as rgba text."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha:g})"


def step_of(value: float, low: float, high: float) -> int:
    """Step of a number on SCALE."""
    share = (value - low) / (high - low) if high > low else 0.5
    return max(0, min(int(share * len(SCALE)), len(SCALE) - 1))
