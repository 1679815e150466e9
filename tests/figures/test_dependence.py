"""The curves along the features hold what the engine found, in the colours of the classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

import dtviz
from dtviz import Rules, fit
from dtviz.engine.dependence import Dependence, dependences
from dtviz.figures import dependence as module
from dtviz.figures.dependence import dependence_curves, shown_classes
from dtviz.figures.palette import DARK, LIGHT, class_colour
from dtviz.slices import finished
from dtviz.table.data import Dataset, dataset


def drawn(data: Dataset, rules: Rules | None = None) -> tuple[tuple[Dependence, ...], go.Figure]:
    model = fit(data, rules)
    found = finished(dependences(model.data, model.tree, 12))
    return found, dependence_curves(model.data, found)


def curves(figure: go.Figure, chart: int = 0) -> list[Any]:
    """The curves of one chart."""
    axis = f"x{chart + 1 if chart else ''}"
    return [one for one in figure.data if one.mode == "lines" and one.xaxis == axis]


def ticks(figure: go.Figure, chart: int = 0) -> list[Any]:
    axis = f"x{chart + 1 if chart else ''}"
    return [one for one in figure.data if one.mode == "markers" and one.xaxis == axis]


def test_each_feature_has_a_chart_and_each_class_a_curve() -> None:
    found, figure = drawn(dtviz.load("iris"))
    assert len(found) == 3
    for chart, values in enumerate(found):
        for k, curve in enumerate(curves(figure, chart)):
            assert curve.x.tolist() == values.places.tolist()
            assert curve.y.tolist() == values.mean[:, k].tolist()
            assert curve.line.color == class_colour(k)
    names = [trace.name for trace in figure.data if trace.showlegend]
    assert names == ["setosa", "versicolor", "virginica"]
    assert figure.layout.yaxis.range == figure.layout.yaxis3.range == (-0.04, 1.04)
    assert figure.layout.xaxis.title.text == "petal_length_cm"
    assert len({curve.line.dash for curve in curves(figure)}) == 3
    data = dataset([[1.0, 2.0, 4.0]], np.array([0, 0, 1]), ["x"], "y", "AB")
    assert curves(drawn(data)[1])[0].text == ("1", "3", "&gt; 3", "4"), "just above a threshold"


def test_numbers_share_a_scale_and_have_no_legend() -> None:
    x = np.random.default_rng(0).normal(size=(3, 60))
    data = dataset(x, 9 * (x[0] > 0) + (x[2] > 1) + 1e8, ["a", "b", "c"], "y")
    found, figure = drawn(data, Rules("squared_error", max_depth=2))
    low, high = figure.layout.yaxis.range
    assert figure.layout.yaxis.range == figure.layout.yaxis2.range
    assert low < min(curve.mean.min() for curve in found)
    assert high > max(curve.mean.max() for curve in found)
    assert not any(trace.showlegend for trace in figure.data)
    assert curves(figure)[0].line.color == LIGHT.accent
    assert figure.layout.yaxis.title.text == "y"
    assert not figure.layout.yaxis2.title.text
    level = Dependence(0, np.array([1.0, 2.0]), np.array([[0.0], [0.0]]), 2)
    data = dataset([[1.0, 2.0]], np.array([0.0, 0.0]), ["x"], "y")
    assert dependence_curves(data, [level]).layout.yaxis.range == (-0.5, 0.5)


def test_levels_and_ranks_are_stretches_beside_their_names() -> None:
    frame = pd.DataFrame(
        {
            "kind": [*"ppqqrr"] * 4,
            "size": pd.Categorical(["S", "M", "L"] * 8, ["S", "M", "L"], ordered=True),
        }
    )
    frame["y"] = (frame.kind == "q") * 8.0 + (frame["size"] == "L")
    found, figure = drawn(dtviz.from_frame(frame, "y", task="regression"), Rules("squared_error"))
    assert [one.feature for one in found] == [0, 1]
    for chart, names in enumerate((("p", "q", "r"), ("S", "M", "L"))):
        (curve,) = curves(figure, chart)
        axis = figure.layout["xaxis2" if chart else "xaxis"]
        assert axis.ticktext == names
        assert axis.range == (-0.5, 2.5)
        x, y = np.array(curve.x), np.array(curve.y)
        assert np.isnan(x[2::3]).all()
        assert np.isnan(y[2::3]).all()
        assert np.round(x[0::3]).tolist() == np.round(x[1::3]).tolist() == [0, 1, 2]
        assert y[0::3].tolist() == y[1::3].tolist() == found[chart].mean[:, 0].tolist()
        assert [curve.text[at] for at in (0, 3, 6)] == [*names]
        assert ticks(figure, chart) == []


def test_dates_are_ticked_and_told_as_dates() -> None:
    day = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(120), "D")
    frame = pd.DataFrame({"day": day, "y": (np.arange(120) > 60) * 1.0})
    _, figure = drawn(dtviz.from_frame(frame, "y", task="regression"), Rules("squared_error"))
    assert "2024-02" in figure.layout.xaxis.ticktext
    assert curves(figure)[0].text == ("2024-01-01", "2024-03-01", "2024-03-02", "2024-04-29")


def test_tenths_are_rows_that_have_the_value() -> None:
    x = np.array([*range(11), np.nan, np.nan])
    data = dataset([x], np.append(np.arange(11) > 4, [1, 0]).astype(int), ["x"], "y", "AB")
    found, figure = drawn(data, Rules("gini", max_depth=1))
    (marks,) = ticks(figure)
    assert marks.x.tolist() == [*range(1, 10)]
    assert len(found) == 1


def test_of_many_classes_the_surest_have_a_curve_and_of_many_places_an_even_choice() -> None:
    y = np.arange(60) % 20
    data = dataset([y + 0.0, np.zeros(60)], y, ["x", "z"], "y", [f"c{k}" for k in range(20)])
    found, figure = drawn(data, Rules("gini", max_depth=3))
    shown = shown_classes(found).tolist()
    assert len(shown) == module.MOST_CLASSES == len(curves(figure))
    assert shown == sorted(shown)
    top = found[0].mean.max(axis=0)
    assert top[shown].min() >= np.delete(top, shown).max()
    assert [curve.name for curve in curves(figure)] == [f"c{k}" for k in shown]
    places = np.arange(5_000.0)
    line = Dependence(0, places, np.stack([places], axis=1), 1)
    (curve,) = curves(dependence_curves(dataset([places], places, ["x"], "y"), [line]))
    assert len(curve.x) == module.MOST_PLACES
    assert (curve.x[0], curve.x[-1]) == (0, 4_999)
    assert curve.x.tolist() == curve.y.tolist()


def test_the_dark_theme_has_its_ink() -> None:
    data = dtviz.load("iris")
    text = dependence_curves(data, drawn(data)[0], DARK).to_json()
    assert DARK.ink in text
    assert LIGHT.ink not in text
