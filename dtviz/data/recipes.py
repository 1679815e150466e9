"""Where data comes from: each origin is one value, under the name its recipes have.

Glossary
    origin    an example of the gallery, a drawing or a table given: how its recipes are read,
              completed, titled and built
    complete  a recipe with every parameter in place and checked: equal data, equal recipes
    private   built of what one person gave, and kept in the tab it was given in
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dtviz.base.text import quoted
from dtviz.data import drawing, gallery, uploads
from dtviz.data.dataset import DataError, Dataset, Recipe, Value, read_names, read_value
from dtviz.data.gallery import Example
from dtviz.data.uploads import Files


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the recipes of one name lead.

    `complete` and `build` raise DataError (`build` takes complete recipes and the files given, and
    FileNeededError asks for one that was not); `title` is plain text. `read` makes a parameter's
    value of its text; `problems` says what of the values `complete` leaves out.
    """

    name: str
    complete: Callable[[Recipe], Recipe]
    build: Callable[[Recipe, Files], Dataset]
    title: Callable[[Recipe], str]
    read: Callable[[str], Value] = read_value
    problems: Callable[[Recipe], tuple[str, ...]] = lambda _: ()
    private: bool = False


def origin_of(recipe: Recipe) -> Origin:
    """The origin of a recipe, by its name; raises DataError when there is none."""
    if recipe.name not in ORIGINS:
        known = ", ".join(ORIGINS)
        raise DataError(f"`data` must be one of {known}; not {quoted(recipe.name)}", "data")
    return ORIGINS[recipe.name]


def title_of(recipe: Recipe) -> str:
    """What the data is called, as plain text."""
    return origin_of(recipe).title(recipe)


def _example(example: Example) -> Origin:
    return Origin(
        example.name,
        complete=gallery.offered,
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
