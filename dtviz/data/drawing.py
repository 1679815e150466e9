"""Data drawn by hand: points in a plane, written into a link as short text and read back exactly.

Glossary
    row        one point: x, y and its value
    value      by kind: the code of a class (0 is A), a number shown as a colour, or always 0
    kind       what a tree predicts: 'classes', a number by 'colour', or the 'height' y itself
    change     pairs (old row, new row) that make one drawing of another; None adds or drops
    text       the rows as a link has them: 1.25~3.5~A_2~1~B

Whatever comes from outside (a link, the browser, the cells of a table) is parsed here: it becomes
rows or is left out, and never raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np

from dtviz.base.text import quoted
from dtviz.data import uploads
from dtviz.data.dataset import (
    NUMBER,
    DataError,
    Dataset,
    Recipe,
    Task,
    dataset,
    need_squares,
    recipe,
)
from dtviz.data.units import PLAIN

Kind = Literal["classes", "colour", "height"]
Row = tuple[float, float, float]

NAME = "drawn"
FILE = "drawing.csv"
KINDS: tuple[Kind, ...] = get_args(Kind)
CLASSES = "ABCDEFGH"
COLUMNS: dict[Kind, tuple[str, ...]] = {
    "classes": ("x1", "x2", "class"),
    "colour": ("x1", "x2", "y"),
    "height": ("x", "y"),
}
"""The names of the columns; the last one is the target."""

MOST = 2000
LINK_POINTS = 300
LINK_TEXT = 14_000  # characters: an address of this length still opens in a new tab
LARGEST = 1e9
POINT_TEXT = 160


@dataclass(frozen=True, slots=True)
class Drawing:
    """Points drawn by hand: at most MOST rows of finite numbers, none larger than LARGEST."""

    kind: Kind = "classes"
    rows: tuple[Row, ...] = ()

    @property
    def task(self) -> Task:
        """What a tree on it does."""
        return "classification" if self.kind == "classes" else "regression"

    @property
    def targets(self) -> tuple[float, ...]:
        """The number or class code to predict of each row."""
        return tuple(row[1] if self.kind == "height" else row[2] for row in self.rows)


class EmptyDrawingError(DataError):
    """There is nothing to grow a tree on yet; `drawing` says of which kind."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        super().__init__("the drawing is empty: put points on the pad, on the page Data under Draw")


# --- a link ---------------------------------------------------------------------------------------


def recipe_of(drawing: Drawing) -> Recipe:
    """The recipe that carries the drawing; see `travels`."""
    points = {"points": text_of(drawing)} if drawing.rows else {}
    return recipe(NAME, kind=drawing.kind, **points)


def drawing_of(wanted: Recipe) -> Drawing:
    """The drawing of a recipe, as far as its text can be read."""
    return _parsed(wanted)[0]


def drawing_in(wanted: Recipe, dataset_of: Callable[[Recipe], Dataset]) -> Drawing | None:
    """The drawing that a recipe carries, or that its file was saved of; None if there is none."""
    if wanted.name == NAME:
        return drawing_of(wanted)
    if wanted.name != uploads.NAME or wanted.get("file") != FILE:
        return None
    try:
        data = dataset_of(wanted)
        found = from_dataset(data, MOST)
    except DataError:
        return None
    return found if (*data.features, data.target) == COLUMNS[found.kind] else None


def complete(wanted: Recipe) -> Recipe:
    """The recipe as `recipe_of` writes it; raises DataError when it names what is not known."""
    given = dict(wanted.params)
    for key in given:
        if key not in ("kind", "points"):
            raise DataError(f"'{NAME}' takes kind, points; not {quoted(key)}", key)
    kind = given.get("kind", "classes")
    if kind not in KINDS:
        allowed = ", ".join(KINDS)
        raise DataError(f"`kind` must be one of {allowed}; not {quoted(str(kind))}", "kind")
    return recipe_of(drawing_of(wanted))


def problems(wanted: Recipe) -> tuple[str, ...]:
    """What of a recipe's points is not understood: a sentence, or none."""
    problem = _parsed(wanted)[1]
    return (problem,) if problem else ()


def _parsed(wanted: Recipe) -> tuple[Drawing, str]:
    return parse(_kind(wanted.get("kind")), str(wanted.get("points", "")))


def travels(drawing: Drawing) -> bool:
    """Whether a link can carry the drawing; a file must, if not."""
    return len(drawing.rows) <= LINK_POINTS and len(text_of(drawing)) <= LINK_TEXT


def text_of(drawing: Drawing) -> str:
    """The rows as text that `parse` reads back exactly; only letters, digits and - _ . ~ in it."""
    return "_".join("~".join(cells_of(drawing.kind, row)) for row in drawing.rows)


@lru_cache(maxsize=64)  # the page asks for the same text many times
def parse(kind: Kind, text: str) -> tuple[Drawing, str]:
    """The longest readable beginning of the text, and what stopped the reading ('' if nothing)."""
    rows: list[Row] = []
    for word in text.split("_") if text else ():
        if len(rows) == LINK_POINTS:
            problem = f"The points are more than a link carries; the first {LINK_POINTS} are kept"
            return Drawing(kind, tuple(rows)), problem
        row = row_of(kind, word.split("~")) if len(word) <= POINT_TEXT else None
        if row is None:
            problem = f"The points are cut short before {quoted(word, 24)}, which is no point"
            return Drawing(kind, tuple(rows)), problem
        rows.append(row)
    return Drawing(kind, tuple(rows)), ""


def _kind(text: object) -> Kind:
    return next((kind for kind in KINDS if kind == text), "classes")


# --- rows and cells -------------------------------------------------------------------------------


def cells_of(kind: Kind, row: Row) -> tuple[str, ...]:
    """The row as the texts of its columns; `row_of` reads them back exactly."""
    x, y, value = row
    if kind == "height":
        return _text(x), _text(y)
    return _text(x), _text(y), CLASSES[int(value)] if kind == "classes" else _text(value)


def row_of(kind: Kind, cells: object) -> Row | None:
    """The row in these cells (texts or numbers, a class as letter or code), or None."""
    if not isinstance(cells, list | tuple) or len(cells) < 2:
        return None
    x, y = number_of(cells[0]), number_of(cells[1])
    value: float | None = 0.0
    if kind == "height":
        extra = len(cells) > 3
    else:
        extra = len(cells) != 3
        value = None if extra else (class_of if kind == "classes" else number_of)(cells[2])
    return None if extra or x is None or y is None or value is None else (x, y, value)


def number_of(cell: object) -> float | None:
    """A finite number of bearable size in a cell; text may have a decimal comma."""
    if isinstance(cell, str):
        text = cell.strip().replace("−", "-")
        if "." not in text:
            text = text.replace(",", ".", 1)
        if not NUMBER.fullmatch(text):
            return None
        cell = float(text)
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return None
    return float(cell) + 0.0 if -LARGEST <= cell <= LARGEST else None  # -0.0 becomes 0.0


def class_of(cell: object) -> float | None:
    """The code of the class in a cell: a letter from A, or the code itself."""
    if isinstance(cell, str):
        letter = cell.strip().upper()
        return float(CLASSES.index(letter)) if len(letter) == 1 and letter in CLASSES else None
    code = number_of(cell)
    return code if code is not None and code in range(len(CLASSES)) else None


def _text(number: float) -> str:
    text = repr(number).replace("+", "")
    return text.removesuffix(".0")


# --- changes --------------------------------------------------------------------------------------


def changed(drawing: Drawing, change: object, kind: object = None) -> Drawing:
    """The drawing after a change the browser made to it; pairs that are none are left out.

    `kind` is the kind it was made in: its values are translated if that was another.
    """
    made_in = _kind(kind) if kind is not None else drawing.kind
    rows: list[Row | None] = list(drawing.rows)
    places: dict[Row, list[int]] = {}
    for at in reversed(range(len(rows))):
        places.setdefault(drawing.rows[at], []).append(at)
    for old, new in _pairs(change, made_in, drawing.kind):
        found = places.get(old) if old is not None else None
        if found:
            at = found.pop()
            rows[at] = new
        else:
            at = len(rows)
            rows.append(new)
        if new is not None:
            places.setdefault(new, []).append(at)
    return Drawing(drawing.kind, tuple(row for row in rows if row is not None)[:MOST])


def _pairs(change: object, made_in: Kind, kind: Kind) -> Iterable[tuple[Row | None, Row | None]]:
    for pair in change[: 2 * MOST] if isinstance(change, list) else ():
        if isinstance(pair, list) and len(pair) == 2:
            old, new = (row_of(made_in, cells) for cells in pair)
            yield (
                None if old is None else _translated(old, made_in, kind),
                None if new is None else _translated(new, made_in, kind),
            )


def convert(drawing: Drawing, kind: Kind) -> Drawing:
    """The same points as a drawing of another kind: A is 1, B is 2, and so on."""
    return Drawing(kind, tuple(_translated(row, drawing.kind, kind) for row in drawing.rows))


def _translated(row: Row, before: Kind, kind: Kind) -> Row:
    x, y, value = row
    if before == kind:
        return row
    if kind == "height":
        return x, y, 0.0
    number = {"classes": value + 1, "colour": value, "height": y}[before]
    if kind == "classes":
        number = float(max(0, min(round(number) - 1, len(CLASSES) - 1)))
    return x, y, number


# --- data sets ------------------------------------------------------------------------------------


def build(drawing: Drawing) -> Dataset:
    """The data set of the drawing; raises EmptyDrawingError, DataError for numbers too near.

    Its classes go from A to the last one drawn, so that each keeps its colour and shape.
    """
    if not drawing.rows:
        raise EmptyDrawingError(drawing)
    x, y, _ = np.array(drawing.rows).T
    *features, target = COLUMNS[drawing.kind]
    value = np.array(drawing.targets)
    if drawing.kind != "classes":
        need_squares(value, target)
        return dataset([x, y][: len(features)], value, features, target)
    return dataset([x, y], value.astype(int), features, target, CLASSES[: int(value.max()) + 1])


def from_dataset(data: Dataset, most: int = LINK_POINTS) -> Drawing:
    """The rows of a data set as a drawing, every number as it is; raises DataError if none fits."""
    shape = (len(data.features), data.task)
    kinds: dict[tuple[int, Task], Kind] = {
        (2, "classification"): "classes", (2, "regression"): "colour", (1, "regression"): "height",
    }  # fmt: skip
    kind = kinds.get(shape)
    if kind is None:
        raise DataError("a drawing has two features, or one and a number to predict")
    if any(data.levels) or set(data.quantities) != {PLAIN}:
        raise DataError("a drawing has numbers on its axes; not categories, dates or ranks")
    if data.n > most:
        raise DataError(f"at most {most:,} rows can be drawn on; not {data.n:,}")
    if len(data.classes) > len(CLASSES):
        raise DataError(f"a drawing has at most {len(CLASSES)} classes; not {len(data.classes)}")
    y = data.y if kind != "classes" else np.array(_codes(data))[data.y]
    rows = [row_of(kind, cells) for cells in np.array([*data.columns, y]).T.tolist()]
    kept = tuple(row for row in rows if row is not None)
    if len(kept) < data.n:
        raise DataError(f"a drawing holds numbers up to {LARGEST:,.0f}; some here are larger")
    return Drawing(kind, kept)


def _codes(data: Dataset) -> list[float]:
    """The code of each class: that of its letter if all are letters, else in their order."""
    codes = [class_of(name) for name in data.class_names]
    known = [code for code in codes if code is not None]
    return known if len(known) == len(codes) else [float(k) for k in range(len(codes))]


def csv(drawing: Drawing) -> bytes:
    """The drawing as a table that can be uploaded again."""
    lines = [COLUMNS[drawing.kind], *(cells_of(drawing.kind, row) for row in drawing.rows)]
    return "".join(",".join(line) + "\n" for line in lines).encode()


def file_recipe(drawing: Drawing, fingerprint: str) -> Recipe:
    """The recipe of that table, for a drawing that no link can carry."""
    *features, target = COLUMNS[drawing.kind]
    return uploads.recipe_of(fingerprint, FILE, target, tuple(features), drawing.task)
