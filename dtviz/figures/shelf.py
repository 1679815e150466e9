"""What the browser is told of the files it keeps: which to keep, which to give."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dtviz.figures import kinds
from dtviz.screen.shelf import MOST_KEPT, PIECE, Shelf, still
from dtviz.table.data import Recipe
from dtviz.table.uploads import marks_of

SMALL = 100_000
"""Bytes of a file that is sent there unasked; a larger one was likely chosen there."""
_NOTHING = np.zeros(0, np.uint8)


def shelf_frame(
    shelf: Shelf, recipe: Recipe, contents: Mapping[str, bytes], looking: bool
) -> kinds.Shelf:
    """Of these files of a recipe those that are not kept yet; and what is looked for, if it is."""
    names = dict(zip(marks_of(recipe), ("file", "test_file"), strict=False))
    new = {
        mark: content
        for mark, content in contents.items()
        if mark not in shelf.kept and len(content) <= MOST_KEPT
    }
    return {
        "keep": [
            {
                "mark": mark,
                "name": str(recipe.get(names.get(mark, "file"))),
                "size": len(content),
                "content": np.frombuffer(content, np.uint8)
                if len(content) <= SMALL or mark in shelf.sends
                else _NOTHING,
            }
            for mark, content in new.items()
        ],
        "wants": [{"mark": mark, "at": at} for mark, at in still(shelf).items() if looking],
        "piece": PIECE,
    }
