"""Origins of data: the functions that read, complete, title and build the recipes of one name.

A complete recipe has every parameter, checked: equal data have equal complete recipes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dtviz.base.text import quoted
from dtviz.data import drawing, gallery, uploads
from dtviz.data.dataset import (
    DataError,
    Dataset,
    ParameterValue,
    Recipe,
    read_names,
    read_value,
)
from dtviz.data.gallery import Example
from dtviz.data.uploads import UploadedTables


@dataclass(frozen=True, slots=True)
class Origin:
    """An example of the gallery, the drawing, or the file: the functions of its recipes."""

    name: str
    """Name of the recipes."""
    complete: Callable[[Recipe], Recipe]
    """Complete a recipe; raises DataError."""
    build: Callable[[Recipe, UploadedTables], Dataset]
    """Build the data of a complete recipe from the files; raises DataError or FileNeededError."""
    title: Callable[[Recipe], str]
    """Title of the data, plain text."""
    read: Callable[[str], ParameterValue] = read_value
    """Parse the text of a parameter in an address."""
    problems: Callable[[Recipe], tuple[str, ...]] = lambda _: ()
    """Sentences on the values that `complete` leaves out."""
    private: bool = False
    """True for data that one visitor gave, which stays in the visitor's tab."""


def origin_of(recipe: Recipe) -> Origin:
    """The origin of a recipe, by its name; raises DataError when there is none."""
    if recipe.name not in ORIGINS:
        names = ", ".join(ORIGINS)
        raise DataError(f"`data` must be one of {names}; not {quoted(recipe.name)}", "data")
    return ORIGINS[recipe.name]


def title_of(recipe: Recipe) -> str:
    """Title of the data of a recipe, plain text."""
    return origin_of(recipe).title(recipe)


def _example(example: Example) -> Origin:
    return Origin(
        example.name,
        complete=gallery.page_recipe,
        build=lambda recipe, _: gallery.build(recipe),
        title=lambda _: example.title,
    )


_DRAWN = Origin(
    drawing.NAME,
    complete=drawing.complete,
    build=lambda recipe, _: drawing.build(drawing.drawing_of(recipe)),
    title=lambda _: "Your drawing",
    read=str,
    problems=drawing.problems,
)
_FILE = Origin(
    uploads.NAME,
    complete=uploads.complete,
    build=uploads.build,
    title=lambda recipe: str(recipe.get("file")),
    read=read_names,
    private=True,
)
_ALL = (*map(_example, gallery.GALLERY.values()), _DRAWN, _FILE)

ORIGINS: dict[str, Origin] = {origin.name: origin for origin in _ALL}
