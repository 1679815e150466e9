"""The gain curves show every candidate as the engine scored it."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from screens import HOSTILE

import dtviz
from dtviz.engine.candidates import Candidates
from dtviz.engine.criteria import CRITERIA
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, default_rules
from dtviz.engine.tree import fold, stump
from dtviz.figures.gains import MAX_CUTS, gain_curves, gain_traces, race_curves
from dtviz.figures.palette import DARK, LIGHT
from dtviz.table.data import Dataset, dataset
from dtviz.trace import node_candidates, race


def cuts_of(data: Dataset, least: int = 1) -> Candidates:
    rules = Rules(dtviz.engine.rules.default_rules(data.task).criterion, min_samples_leaf=least)
    tree = stump(Problem(data, Rules(rules.criterion)))
    return node_candidates(Problem(data, rules), tree, 1)


def traces(cuts: Candidates, feature: int, chosen: int | None = None) -> list[Any]:
    return gain_traces(cuts, cuts.of_line(feature), chosen, LIGHT, "x", "y")


def marked(found: list[Any], symbol: str) -> list[int]:
    """The cut indices of the trace drawn with one symbol."""
    some = [t for t in found if t.get("marker", {}).get("symbol") == symbol]
    return [int(i) for trace in some for i in trace["customdata"]]


# x: 1 1 2 2 3 4 / A A A A B B: cuts at 1.5, 2.5, 3.5; the classes part at 2.5
SMALL = dataset(
    [[1, 1, 2, 2, 3, 4], [1, 1, 1, 1, 9, 9]], np.array([0, 0, 0, 0, 1, 1]), ["u", "v"], "y", "AB"
)


def test_every_threshold_and_score_worked_by_hand() -> None:
    found = traces(cuts_of(SMALL), 0)
    assert found[0]["x"].tolist() == [1.5, 2.5, 3.5]
    # 1.5: 0.9183 - 4/6 * 1; 2.5 parts them; 3.5: 0.9183 - 5/6 * 0.7219
    assert found[0]["y"].tolist() == pytest.approx([0.2516, 0.9183, 0.3167], abs=1e-4)
    assert found[0]["customdata"].tolist() == [0, 1, 2]


def test_star_at_the_best_ring_at_the_tie() -> None:
    cuts = cuts_of(SMALL)
    assert cuts.best == 1
    assert marked(traces(cuts, 0), "star") == [1]
    assert marked(traces(cuts, 0), "circle-open") == []
    assert marked(traces(cuts, 1), "circle-open") == [3]
    assert marked(traces(cuts, 1), "star") == []


def test_faint_where_no_classes_meet() -> None:
    opacity = traces(cuts_of(SMALL), 0)[0]["marker"]["opacity"]
    assert opacity.tolist() == [0.3, 0.95, 0.3]


def test_hollow_where_too_few_rows_are_left() -> None:
    symbols = traces(cuts_of(SMALL, least=2), 0)[0]["marker"]["symbol"]
    assert symbols == ["circle", "circle", "circle-open"]
    assert "symbol" not in traces(cuts_of(SMALL), 0)[0]["marker"]


def test_the_cut_looked_at_has_a_diamond_and_a_line_to_the_plane() -> None:
    found = traces(cuts_of(SMALL), 0, chosen=2)
    assert marked(found, "diamond") == [2]
    assert found[-1]["x"] == [3.5, 3.5]
    assert found[-1]["y"] == pytest.approx([0, 0.3167], abs=1e-4)
    assert marked(traces(cuts_of(SMALL), 1, chosen=2), "diamond") == []
    assert traces(cuts_of(SMALL), 0, chosen=1)[-1]["x"] == [2.5, 2.5]


def test_no_ring_where_nothing_is_gained() -> None:
    data = dataset([[1, 1, 2, 2]], np.array([0, 1, 0, 1]), ["x"], "y", "AB")
    cuts = cuts_of(data)
    assert marked(traces(cuts, 0), "circle-open") == []
    assert marked(traces(cuts, 0), "star") == [0]


@pytest.mark.parametrize("name", ["moons", "iris", "sine", "rpart_treble", "play_tennis"])
def test_curves_hold_what_the_candidates_table_holds(name: str) -> None:
    data = dtviz.load(name)
    table = dtviz.candidates(data, dtviz.engine.rules.default_rules(data.task))
    figure = gain_curves(data, cuts_of(data))
    lines = [trace for trace in figure.data if trace.mode == "lines+markers"]
    assert len(lines) == len(data.features)
    places = np.concatenate([np.array(t.x) for t in lines])
    numbers = table["threshold"].notna().to_numpy()
    assert places[numbers].tolist() == table["threshold"][numbers].tolist()
    assert (places[~numbers] % 1 == 0.5).all()
    assert np.concatenate([np.array(t.y) for t in lines]) == pytest.approx(table["gain"].to_numpy())
    scales = {tuple(figure.layout[axis].range) for axis in figure.layout if "yaxis" in axis}
    assert len(scales) == 1
    assert max(table["gain"]) <= scales.pop()[1]


def test_of_very_many_cuts_the_highest_stay() -> None:
    rng = np.random.default_rng(1)
    data = dataset([rng.random(5_000)], rng.integers(0, 2, 5_000), ["x"], "y", "AB")
    cuts = cuts_of(data)
    found = traces(cuts, 0, chosen=17)
    shown = set(found[0]["customdata"].tolist())
    assert MAX_CUTS <= len(shown) < MAX_CUTS * 1.2
    assert {cuts.best, 17, int(np.argmax(cuts.score))} <= shown
    assert sorted(shown) == found[0]["customdata"].tolist()


def test_no_cut_at_all() -> None:
    data = dataset([[1.0, 1.0]], np.array([0, 1]), ["x"], "y", "AB")
    figure = gain_curves(data, cuts_of(data))
    assert list(figure.layout.yaxis.range) == [0, 1.12]
    json.loads(figure.to_json())


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name)[:30])
def test_hostile_names_are_escaped(name: str) -> None:
    data = dataset([[1, 2], [1, 2]], np.array([0, 1]), [name, "b"], "y", "AB")
    title = gain_curves(data, cuts_of(data)).layout.xaxis.title.text
    assert "<" not in title
    assert "%{" not in title
    assert "$" not in title
    assert "&quot;" not in title, "plotly knows no &quot; and shows it as it stands"


def test_dark() -> None:
    data = dtviz.load("moons", n=20)
    cuts = node_candidates(Problem(data, Rules()), fold(Problem(data, Rules("entropy")), ()), 1)
    text = gain_curves(data, cuts, theme=DARK).to_json()
    assert DARK.accent in text
    assert LIGHT.accent not in text
    assert LIGHT.ink not in text


# --- the criteria side by side --------------------------------------------------------------------


def raced_on(data: Dataset) -> dict[str, Candidates]:
    """The root's cuts under every criterion, by its title."""
    root = stump(Problem(data, Rules(default_rules(data.task).criterion)))
    found = race(Problem(data, default_rules(data.task)), root, 1)
    return {CRITERIA[name].title: cuts for name, cuts in found.items()}


def titles(layout: Any, kind: str) -> list[str]:
    """What stands beside or under each panel, in the panels' order."""
    axes = sorted((axis for axis in layout if axis.startswith(kind)), key=lambda a: int(a[5:] or 1))
    return [layout[axis].title.text for axis in axes]


def curves(figure: Any) -> list[Any]:
    return [trace for trace in figure.data if trace.mode == "lines+markers"]


@pytest.mark.parametrize(
    ("name", "axes"), [("iris", (2, 3)), ("iris", (3, 0)), ("heights", (0,)), ("sine", (0,))]
)
def test_the_race_has_a_line_of_panels_a_criterion(name: str, axes: tuple[int, ...]) -> None:
    data = dtviz.load(name)
    raced = raced_on(data)
    figure = race_curves(data, raced, axes)
    lines = curves(figure)
    assert len(lines) == len(raced) * len(axes)
    wanted = [(cuts, feature) for cuts in raced.values() for feature in axes]
    for trace, (cuts, feature) in zip(lines, wanted, strict=True):
        span = cuts.of_line(feature)
        assert np.array_equal(np.array(trace.x), cuts.threshold[span])
        assert np.array_equal(np.array(trace.y), cuts.score[span])
        scale = figure.layout[f"yaxis{trace.yaxis.removeprefix('y')}"].range
        assert scale == (0, pytest.approx(1.12 * cuts.score.max()))
    json.loads(figure.to_json())


def test_each_criterion_stars_its_own_winner() -> None:
    data = dtviz.load("iris")
    raced = raced_on(data)
    best = {title: cuts.best for title, cuts in raced.items()}
    figure = race_curves(data, raced, range(4))
    stars = {t.yaxis: list(t.customdata) for t in figure.data if t.marker.symbol == "star"}
    assert list(stars.values()) == [[index] for index in best.values()]
    assert len(stars) == len(raced)


def test_the_race_is_titled_at_its_edges() -> None:
    data = dtviz.load("iris")
    raced = raced_on(data)
    layout = race_curves(data, raced, (2, 3)).layout
    beside, under = titles(layout, "yaxis"), titles(layout, "xaxis")
    assert beside[::2] == list(raced)
    assert not any(beside[1::2])
    assert under[-2:] == ["petal_length_cm", "petal_width_cm"]
    assert not any(under[:-2])


def test_panels_do_not_overlap() -> None:
    data = dtviz.load("iris")
    for figure in (race_curves(data, raced_on(data), (0, 1)), gain_curves(data, cuts_of(data))):
        layout = figure.layout
        for axis in ("xaxis", "yaxis"):
            spans = sorted({tuple(layout[one].domain) for one in layout if one.startswith(axis)})
            assert all(0 <= low < high <= 1 for low, high in spans)
            assert all(a[1] <= b[0] for a, b in pairwise(spans))


def test_a_race_without_a_cut_on_an_axis() -> None:
    data = dataset([[1.0, 1.0], [1.0, 2.0]], np.array([0, 1]), ["x", "z"], "y", "AB")
    figure = race_curves(data, raced_on(data), (0, 1), DARK)
    text = figure.to_json()
    assert "NaN" not in text
    assert DARK.accent in text
    assert LIGHT.accent not in text


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name)[:30])
def test_hostile_names_are_escaped_in_the_race(name: str) -> None:
    data = dataset([[1, 2], [1, 2]], np.array([0, 1]), [name, "b"], "y", "AB")
    layout = race_curves(data, raced_on(data), (0, 1)).layout
    title = titles(layout, "xaxis")[-2]
    assert not {"<", "$"} & set(title)
    assert "%{" not in title


def test_few_whole_numbers_have_whole_ticks_and_no_comma_stands_in_a_year() -> None:
    years = np.array([2007.0, 2008, 2009, 2008, np.nan, 2009])
    y = np.array([0, 0, 1, 1, 0, 1])
    data = dataset([years, years * 1000, years + 0.5], y, ["a", "b", "c"], "y", "AB")
    layout = gain_curves(
        data, node_candidates(Problem(data, Rules()), stump(Problem(data, Rules())), 1)
    ).layout
    assert layout.separators == "."
    assert (layout.xaxis.tick0, layout.xaxis.dtick) == (2007, 1)
    assert (layout.xaxis2.dtick, layout.xaxis3.dtick) == (None, None)


def test_dates_that_some_rows_lack_have_ticks_too() -> None:
    whole = dtviz.load("sign_ups")
    columns = whole.columns.copy()
    columns[0, 0] = np.nan
    some = dataset(
        columns, whole.y, whole.features, "y", whole.classes, quantities=whole.quantities
    )
    assert some.gaps[0]
    figure = gain_curves(some, cuts_of(some))
    assert list(figure.layout.xaxis.ticktext)[-2:] == ["2024-04", "2024-07"]


def test_dates_and_durations_have_ticks_and_words_of_their_own() -> None:
    data = dtviz.load("sign_ups")
    figure = gain_curves(data, cuts_of(data))
    dates, spans = figure.layout.xaxis, figure.layout.xaxis2
    assert list(dates.ticktext) == ["2023-10", "2024-01", "2024-04", "2024-07"]
    assert np.array(dates.tickvals, "datetime64[D]").astype(str).tolist() == [
        "2023-10-01", "2024-01-01", "2024-04-01", "2024-07-01",
    ]  # fmt: skip
    assert list(spans.ticktext) == ["1 day", "2 days", "3 days"]
    assert list(spans.tickvals) == [86_400, 172_800, 259_200]
    first = figure.data[0]
    assert first.text[5] == "signed_up before 2024-03-01"
    assert first.hovertemplate.startswith("%{text}")
