"""Names from outside are literal on every plotly chart: no tag, no template, no TeX."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from charts import parts, texts

import dtviz
from dtviz import Rules
from dtviz.engine.dependence import dependences
from dtviz.engine.tree import stump
from dtviz.figures.cells import CELLS, STRIP
from dtviz.figures.cuts import View
from dtviz.figures.dependence import dependence_curves
from dtviz.figures.gains import gain_curves, race_curves
from dtviz.figures.pins import pinned
from dtviz.figures.resamples import trees_plane
from dtviz.figures.surface import surface
from dtviz.judge.validate import Spread
from dtviz.slices import finished
from dtviz.table.data import dataset
from dtviz.text import plotly
from dtviz.trace import node_candidates, race

NAME = '<b>%{x} $y$ "z"</b>'


def charts() -> Iterator[tuple[str, go.Figure]]:
    """Every chart on which names from outside stand."""
    frame = pd.DataFrame({NAME: ["a", "b" + NAME] * 4, "k" + NAME: [1.0, 1.0, 2.0, 2.0] * 2})
    frame["y" + NAME] = ["no" + NAME, "yes"] * 4
    model = dtviz.fit(dtviz.from_frame(frame, "y" + NAME))
    data, rules = model.data, model.rules_used
    root = stump(data, rules)
    cuts = node_candidates(data, rules, root, 1)
    yield "gains", gain_curves(data, cuts)
    yield "race", race_curves(data, race(data, rules, root, 1), (0, 1))
    yield "dependence", dependence_curves(data, finished(dependences(data, model.tree, 12)))
    for many in (1, 2):
        columns = np.arange(18.0).reshape(2, 9)[:many]
        plane = dataset(columns, np.arange(9) % 2, [NAME, "b"][:many], NAME, ["a" + NAME, "b"])
        size = trees_points(many)
        spread = Spread((), *[np.zeros(size)] * 3, np.zeros((3, size)), *[np.zeros(size)] * 2)
        yield f"resamples over {many}", trees_plane(plane, (0, many - 1), spread)
    numbers = dataset([[1, 2, 3], [1, 3, 2]], np.array([1.0, 2.0, 4.0]), [NAME, "b"], NAME)
    grown = dtviz.fit(numbers, Rules("squared_error"))
    cuts = node_candidates(numbers, grown.rules_used, grown.tree, 1)
    yield "surface", surface(numbers, grown.tree, View(1, cuts, None, pinned=pinned(numbers)))


def trees_points(features: int) -> int:
    return STRIP if features == 1 else CELLS**2


def test_names_from_outside_are_literal_on_every_chart() -> None:
    for name, figure in charts():
        shown = texts([*parts(figure)])
        assert any(plotly(NAME) in text for text in shown), name
        for text in shown:
            assert not [part for part in ("<b>%", "%{x} ", "$y", "</b>") if part in text], name
            assert "&quot;" not in text, "plotly does not read &quot; and shows it as it stands"
