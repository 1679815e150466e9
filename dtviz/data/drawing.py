"""Drawings, which are points in a plane written into a link and read back; origins of all data.

The kind of a drawing is its target: 'classes', a number as 'colour', or the 'height' y itself. A
row is x, y and a value: the code of a class (0 is A), the number of the colour, or 0 for height.
The text of a drawing in a link is 1.25~3.5~A_2~1~B. A change is a list of pairs (old row, new row),
None to add or delete a row. Input from a link, the pad or a table of points becomes rows or is left
out; parsing it raises no error.

An origin has the functions that read, complete, title and build the recipes of one name. A complete
recipe has every parameter, checked: equal data have equal complete recipes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np

from dtviz.base.text import quoted
from dtviz.data import gallery, uploads
from dtviz.data.dataset import (
    NUMBER,
    DataError,
    Dataset,
    ParameterValue,
    Recipe,
    Task,
    make_dataset,
    make_recipe,
    need_squares,
    read_names,
    read_value,
)
from dtviz.data.gallery import Example
from dtviz.data.units import PLAIN
from dtviz.data.uploads import UploadedTables

DrawingKind = Literal["classes", "colour", "height"]
DrawnRow = tuple[float, float, float]

RECIPE_NAME = "drawn"
FILE_NAME = "drawing.csv"
DRAWING_KINDS: tuple[DrawingKind, ...] = get_args(DrawingKind)
CLASSES = "ABCDEFGH"
"""Names of the classes, a letter each, by code."""
COLUMNS: dict[DrawingKind, tuple[str, ...]] = {
    "classes": ("x1", "x2", "class"),
    "colour": ("x1", "x2", "y"),
    "height": ("x", "y"),
}
"""The names of the columns; the last one is the target."""

MAX_ROWS_DRAWN = 2000
MAX_ROWS_IN_LINK = 300
MAX_CHARS_IN_LINK = 14_000  # of the rows: an address of this length still opens in a new tab
MAX_NUMBER = 1e9  # absolute value of a number
MAX_CHARS_OF_ROW = 160


@dataclass(frozen=True, slots=True)
class Drawing:
    """Points drawn by hand: at most MAX_ROWS_DRAWN rows of numbers, none beyond ±MAX_NUMBER."""

    kind: DrawingKind = "classes"
    """Kind of the target."""
    rows: tuple[DrawnRow, ...] = ()
    """Points: x, y and value."""

    @property
    def task(self) -> Task:
        """Task of a tree on the drawing."""
        return "classification" if self.kind == "classes" else "regression"

    @property
    def targets(self) -> tuple[float, ...]:
        """Target of each row: a number, or the code of a class."""
        return tuple(row[1] if self.kind == "height" else row[2] for row in self.rows)


class EmptyDrawingError(DataError):
    """Error: the drawing has no points yet."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        super().__init__("the drawing is empty: put points on the pad, on the page Data under Draw")


# --- a link ---------------------------------------------------------------------------------------


def drawing_recipe(drawing: Drawing) -> Recipe:
    """The recipe that holds all points of a drawing, even where no link can carry so many."""
    points = {"points": drawing_text(drawing)} if drawing.rows else {}
    return make_recipe(RECIPE_NAME, kind=drawing.kind, **points)


def drawing_of(recipe: Recipe) -> Drawing:
    """The drawing of a recipe, up to the first point that cannot be parsed."""
    return _parse_recipe(recipe)[0]


def drawing_in(recipe: Recipe, dataset_of: Callable[[Recipe], Dataset]) -> Drawing | None:
    """The drawing in a recipe, or in its file if the file is a saved drawing; None for others.

    `dataset_of` builds the data of a recipe.
    """
    if recipe.name == RECIPE_NAME:
        return drawing_of(recipe)
    if recipe.name != uploads.RECIPE_NAME or recipe.get("file") != FILE_NAME:
        return None
    try:
        data = dataset_of(recipe)
        drawing = from_dataset(data, MAX_ROWS_DRAWN)
    except DataError:
        return None
    return drawing if (*data.features, data.target) == COLUMNS[drawing.kind] else None


def complete(recipe: Recipe) -> Recipe:
    """The recipe as `drawing_recipe` has it; raises DataError for an unknown parameter or kind."""
    params = dict(recipe.params)
    for key in params:
        if key not in ("kind", "points"):
            raise DataError(f"'{RECIPE_NAME}' takes kind, points; not {quoted(key)}", key)
    kind = params.get("kind", "classes")
    if kind not in DRAWING_KINDS:
        allowed = ", ".join(DRAWING_KINDS)
        raise DataError(f"`kind` must be one of {allowed}; not {quoted(str(kind))}", "kind")
    return drawing_recipe(drawing_of(recipe))


def problems(recipe: Recipe) -> tuple[str, ...]:
    """A sentence on the first point of a recipe that cannot be parsed, if there is one."""
    problem = _parse_recipe(recipe)[1]
    return (problem,) if problem else ()


def _parse_recipe(recipe: Recipe) -> tuple[Drawing, str]:
    return parse(_kind(recipe.get("kind")), str(recipe.get("points", "")))


def fits_link(drawing: Drawing) -> bool:
    """True if a link can carry the drawing; otherwise only a file can."""
    return len(drawing.rows) <= MAX_ROWS_IN_LINK and len(drawing_text(drawing)) <= MAX_CHARS_IN_LINK


def drawing_text(drawing: Drawing) -> str:
    """The rows as text, which `parse` reads back exactly; it needs no escapes in an address."""
    return "_".join("~".join(cells_of(drawing.kind, row)) for row in drawing.rows)


@lru_cache(maxsize=64)  # a page parses the same text many times
def parse(kind: DrawingKind, text: str) -> tuple[Drawing, str]:
    """The drawing of a text up to the first word that is no point; a sentence on it, or ''."""
    rows: list[DrawnRow] = []
    for word in text.split("_") if text else ():
        if len(rows) == MAX_ROWS_IN_LINK:
            problem = (
                f"The points are more than a link carries; the first {MAX_ROWS_IN_LINK} are kept"
            )
            return Drawing(kind, tuple(rows)), problem
        row = row_of(kind, word.split("~")) if len(word) <= MAX_CHARS_OF_ROW else None
        if row is None:
            problem = f"The points are cut short before {quoted(word, 24)}, which is no point"
            return Drawing(kind, tuple(rows)), problem
        rows.append(row)
    return Drawing(kind, tuple(rows)), ""


def _kind(text: object) -> DrawingKind:
    return next((kind for kind in DRAWING_KINDS if kind == text), "classes")


# --- rows and cells -------------------------------------------------------------------------------


def cells_of(kind: DrawingKind, row: DrawnRow) -> tuple[str, ...]:
    """The texts of a row's columns, which `row_of` reads back exactly."""
    x, y, value = row
    if kind == "height":
        return _text(x), _text(y)
    return _text(x), _text(y), CLASSES[int(value)] if kind == "classes" else _text(value)


def row_of(kind: DrawingKind, cells: object) -> DrawnRow | None:
    """The row of cells (texts or numbers, a class as letter or code); None if they are no row."""
    if not isinstance(cells, list | tuple) or len(cells) < 2:
        return None
    x, y = number_of(cells[0]), number_of(cells[1])
    value: float | None = 0.0
    if kind != "height":
        value = (class_of if kind == "classes" else number_of)(cells[2]) if len(cells) > 2 else None
    return None if len(cells) > 3 or x is None or y is None or value is None else (x, y, value)


def number_of(cell: object) -> float | None:
    """The number in a cell, at most MAX_NUMBER; text may have a decimal comma. None for others."""
    if isinstance(cell, str):
        text = cell.strip().replace("−", "-")
        if "." not in text:
            text = text.replace(",", ".", 1)
        if not NUMBER.fullmatch(text):
            return None
        cell = float(text)
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return None
    return float(cell) + 0.0 if -MAX_NUMBER <= cell <= MAX_NUMBER else None  # -0.0 becomes 0.0


def class_of(cell: object) -> float | None:
    """The code of the class in a cell: a letter from A, or a code. None for others."""
    if isinstance(cell, str):
        letter = cell.strip().upper()
        return float(CLASSES.index(letter)) if len(letter) == 1 and letter in CLASSES else None
    code = number_of(cell)
    return code if code is not None and code in range(len(CLASSES)) else None


def _text(number: float) -> str:
    text = repr(number).replace("+", "")
    return text.removesuffix(".0")


# --- changes --------------------------------------------------------------------------------------


def apply_change(drawing: Drawing, change: object, kind: object = None) -> Drawing:
    """The drawing after a change made in the browser; invalid pairs are left out.

    `kind` is the kind in which the change was made; its values are converted to the drawing's kind.
    The new row of a pair is added at the end where the drawing does not have the old row.
    """
    kind_of_change = _kind(kind) if kind is not None else drawing.kind
    rows: list[DrawnRow | None] = list(drawing.rows)
    positions: dict[DrawnRow, list[int]] = {}  # of equal rows, last to first, for pop()
    for position in reversed(range(len(rows))):
        positions.setdefault(drawing.rows[position], []).append(position)
    for old, new in _pairs(change, kind_of_change, drawing.kind):
        equal_rows = positions.get(old) if old is not None else None
        if equal_rows:
            position = equal_rows.pop()
            rows[position] = new
        else:
            position = len(rows)
            rows.append(new)
        if new is not None:
            positions.setdefault(new, []).append(position)
    return Drawing(drawing.kind, tuple(row for row in rows if row is not None)[:MAX_ROWS_DRAWN])


def _pairs(
    change: object, kind: DrawingKind, new_kind: DrawingKind
) -> Iterable[tuple[DrawnRow | None, DrawnRow | None]]:
    for pair in change[: 2 * MAX_ROWS_DRAWN] if isinstance(change, list) else ():
        if isinstance(pair, list) and len(pair) == 2:
            old, new = (row_of(kind, cells) for cells in pair)
            yield (
                None if old is None else _convert_row(old, kind, new_kind),
                None if new is None else _convert_row(new, kind, new_kind),
            )


def convert(drawing: Drawing, kind: DrawingKind) -> Drawing:
    """The drawing with the same points as another kind: A is 1, B is 2, and so on."""
    return Drawing(kind, tuple(_convert_row(row, drawing.kind, kind) for row in drawing.rows))


def _convert_row(row: DrawnRow, kind: DrawingKind, new_kind: DrawingKind) -> DrawnRow:
    x, y, value = row
    if kind == new_kind:
        return row
    if new_kind == "height":
        return x, y, 0.0
    number = {"classes": value + 1, "colour": value, "height": y}[kind]
    if new_kind == "classes":
        number = float(max(0, min(round(number) - 1, len(CLASSES) - 1)))
    return x, y, number


# --- data sets ------------------------------------------------------------------------------------


def build(drawing: Drawing) -> Dataset:
    """The dataset of a drawing; raises EmptyDrawingError, or DataError for targets too close.

    Its classes go from A to the last letter drawn, also without a row in between.
    """
    if not drawing.rows:
        raise EmptyDrawingError(drawing)
    x, y, _ = np.array(drawing.rows).T
    *features, target = COLUMNS[drawing.kind]
    value = np.array(drawing.targets)
    if drawing.kind != "classes":
        need_squares(value, target)
        return make_dataset([x, y][: len(features)], value, features, target)
    # Classes without a row stay, so that each letter keeps its colour and shape.
    return make_dataset(
        [x, y], value.astype(int), features, target, CLASSES[: int(value.max()) + 1]
    )


def from_dataset(data: Dataset, max_rows: int = MAX_ROWS_IN_LINK) -> Drawing:
    """The drawing of a dataset, without rounding; raises DataError if no kind fits.

    `max_rows` is the maximum number of rows.
    """
    shape = (len(data.features), data.task)
    kinds: dict[tuple[int, Task], DrawingKind] = {
        (2, "classification"): "classes", (2, "regression"): "colour", (1, "regression"): "height",
    }  # fmt: skip
    kind = kinds.get(shape)
    if kind is None:
        raise DataError("a drawing has two features, or one and a number to predict")
    if any(data.levels) or set(data.quantities) != {PLAIN}:
        raise DataError("a drawing has numbers on its axes; not categories, dates or ranks")
    if data.n > max_rows:
        raise DataError(f"at most {max_rows:,} rows can be drawn on; not {data.n:,}")
    if len(data.classes) > len(CLASSES):
        raise DataError(f"a drawing has at most {len(CLASSES)} classes; not {len(data.classes)}")
    y = data.y if kind != "classes" else np.array(_codes(data))[data.y]
    rows = [row_of(kind, cells) for cells in np.array([*data.columns, y]).T.tolist()]
    if None in rows:
        raise DataError(f"a drawing holds numbers up to {MAX_NUMBER:,.0f}; some here are larger")
    return Drawing(kind, tuple(row for row in rows if row is not None))


def _codes(data: Dataset) -> list[float]:
    """The code of each class: that of its letter if all classes are letters, else its position."""
    codes = [class_of(name) for name in data.class_names]
    letters = [code for code in codes if code is not None]
    return letters if len(letters) == len(codes) else [float(k) for k in range(len(codes))]


def csv_bytes(drawing: Drawing) -> bytes:
    """The csv file of a drawing, which can be uploaded again."""
    lines = [COLUMNS[drawing.kind], *(cells_of(drawing.kind, row) for row in drawing.rows)]
    return "".join(",".join(line) + "\n" for line in lines).encode()


def file_recipe(drawing: Drawing, fingerprint: str) -> Recipe:
    """The recipe of a drawing's csv file, for a drawing that no link can carry."""
    *features, target = COLUMNS[drawing.kind]
    return uploads.upload_recipe(fingerprint, FILE_NAME, target, tuple(features), drawing.task)


@dataclass(frozen=True, slots=True)
class Origin:
    """The functions for the recipes of one name: an example of the gallery, drawings, uploads."""

    name: str
    """Name of the recipes."""
    complete: Callable[[Recipe], Recipe]
    """Complete a recipe; raises DataError."""
    build: Callable[[Recipe, UploadedTables], Dataset]
    """Build the data of a complete recipe, from tables if need be; raises DataError."""
    title: Callable[[Recipe], str]
    """Title of the data, plain text."""
    read: Callable[[str], ParameterValue] = read_value
    """Parse the text of a parameter in an address."""
    problems: Callable[[Recipe], tuple[str, ...]] = lambda _: ()
    """Sentences on the values that `complete` leaves out."""
    private: bool = False
    """True for data from one visitor, which no other visitor may see."""


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


def features_left_out(recipe: Recipe, tables: UploadedTables) -> tuple[str, ...] | None:
    """The features that a recipe leaves out and could take; None if its features are fixed."""
    used = recipe.get("features")
    if recipe.name != uploads.RECIPE_NAME:
        params = gallery.GALLERY[recipe.name].params if recipe.name in gallery.GALLERY else ()
        choices = next((param.choices for param in params if param.name == "features"), None)
        if choices is None:
            return None
        return tuple(name for name in choices if isinstance(used, tuple) and name not in used)
    if not isinstance(used, tuple):
        without = recipe.get("without")
        return without if isinstance(without, tuple) else ()
    place = uploads.places_of(recipe)[0]
    if place not in tables:
        return ()
    others = {recipe.get(key) for key in ("target", "role", "sample_weight")}
    columns = map(str, tables[place][0].columns)
    return tuple(name for name in columns if name not in {*used, *others})


def leave_out(
    recipe: Recipe, data: Dataset, names: tuple[str, ...], tables: UploadedTables
) -> Recipe:
    """The recipe that leaves out these features of the data, and no others.

    `data` are those of the recipe. Raises DataError if no feature would be left.
    """
    before = features_left_out(recipe, tables) or ()
    kept = tuple(name for name in (*data.features, *before) if name not in names)
    if not kept:
        raise DataError("one feature at least must stay; leave out fewer")
    params = {key: value for key, value in recipe.params if key not in ("features", "without")}
    if recipe.name == uploads.RECIPE_NAME and recipe.get("features") is None:
        without = {"without": names} if names else {}
        return make_recipe(recipe.name, **params, features=None, **without)
    return make_recipe(recipe.name, **params, features=kept)


_DRAWING = Origin(
    RECIPE_NAME,
    complete=complete,
    build=lambda recipe, _: build(drawing_of(recipe)),
    title=lambda _: "Your drawing",
    read=str,
    problems=problems,
)
_UPLOAD = Origin(
    uploads.RECIPE_NAME,
    complete=uploads.complete,
    build=uploads.build,
    title=lambda recipe: str(recipe.get("file")),
    read=read_names,
    private=True,
)
_EXAMPLES = map(_example, gallery.GALLERY.values())

ORIGINS: dict[str, Origin] = {origin.name: origin for origin in (*_EXAMPLES, _DRAWING, _UPLOAD)}
"""Each origin by the name of its recipes."""
