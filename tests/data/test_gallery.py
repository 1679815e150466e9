"""The gallery: complete, repeatable, checked, and as its texts say.

Glossary
    drawn   the names of the generators
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from cases import AGE_CAR_RISK, GOOD_PLACE, HEIGHTS, PLAY_TENNIS, RESTAURANT, RPART_TREBLE
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusal

import dtviz
from dtviz.data import gallery
from dtviz.data.dataset import DataError, Dataset, Recipe, make_recipe
from dtviz.data.gallery import GALLERY, GROUPS, asset, build, example_recipe, load
from dtviz.data.notes import summary

DRAWN = [name for name, example in GALLERY.items() if example.group == "Generators"]
PLANES = [name for name in DRAWN if name not in ("sine", "steps")]


def gains(data: Dataset, criterion: str = "entropy", **at: Any) -> pd.Series[float]:
    """The gain of every cut of a node, by its rule."""
    return dtviz.candidates(data, dtviz.Rules(criterion), **at).set_index("rule").gain


def labels(data: Dataset) -> list[Any]:
    return [data.classes[code] for code in data.y] if data.classes else data.y.tolist()


def same(a: Dataset, b: Dataset) -> bool:
    return np.array_equal(a.columns, b.columns, equal_nan=True) and np.array_equal(a.y, b.y)


def test_the_gallery_is_in_the_order_it_is_shown() -> None:
    assert list(GALLERY) == [
        "heights", "age_car_risk", "good_place", "play_tennis", "restaurant", "sign_ups",
        "rpart_treble",
        "moons", "circles", "xor", "stripes", "blobs", "diagonal", "sine", "steps",
        "iris", "penguins", "titanic", "wine", "zoo", "credit", "bikes", "cars", "churn",
        "deliveries",
    ]  # fmt: skip
    order = [GROUPS.index(example.group) for example in GALLERY.values()]
    assert order == sorted(order)
    assert set(order) == {0, 1, 2}


def test_every_entry_is_documented_builds_and_is_read_only() -> None:
    for name, example in GALLERY.items():
        assert example.name == name
        assert example.title.strip(), name
        assert 30 <= len(example.about) <= 200, name
        assert example.about.endswith("?"), name
        assert (example.params == ()) == (example.group == "Worked examples"), name
        for param in example.params:
            assert param.name.isidentifier(), (name, param)
            assert len(param.help) >= 10, (name, param)
            assert param.help.endswith("."), (name, param)
            if param.kind == "names":
                assert (param.low, param.high) == (None, None), (name, param)
                assert param.choices, (name, param)
            else:
                assert param.low <= param.default <= param.high, (name, param)
        with pytest.raises(FrozenInstanceError):
            example.title = "other"
        data = load(name)
        assert data.columns.shape == (len(data.features), data.n), name
        assert not np.isinf(data.columns).any(), name
        assert np.isnan(data.columns).any() == (name in ("cars", "churn")), name
        assert (data.task == "regression") == (not data.classes), name
        assert len(set(data.y.tolist())) >= 2, name
        for array in (data.columns, data.y):
            with pytest.raises(ValueError, match="read-only"):
                array[..., 0] = 0
        assert same(data, load(name)), name
        assert same(data, build(make_recipe(name))), name


def test_equal_datasets_have_equal_recipes() -> None:
    full = make_recipe("moons", n=200, noise=0.25, seed=7)
    assert example_recipe("moons") == full
    assert example_recipe("moons", n=200.0, seed=np.int64(7)) == full
    plain = dict(example_recipe("moons", n=200.0, noise=np.float32(0.25)).params)
    kinds = {key: type(value) for key, value in plain.items()}
    assert kinds == {"n": int, "noise": float, "seed": int}
    assert str(example_recipe("xor", noise=-0.0).get("noise")) == "0.0"
    assert example_recipe("xor", noise=0) == example_recipe("xor", noise=0.0)
    assert example_recipe("heights") == Recipe("heights")
    assert example_recipe("iris", features=list(gallery.IRIS_MEASURES)) == make_recipe(
        "iris", features=None
    )
    assert hash(example_recipe("iris", features=["petal_length_cm"]))


def test_unknown_names_and_parameters_are_refused_with_the_known_ones() -> None:
    for name in ("Moons", "", "no\u202esuch", 3, None, ["moons"]):
        with pytest.raises(
            DataError, match=r"^`name` must be one of heights, .*, deliveries; not "
        ):
            load(name)
        assert "`name`" in refusal(build, Recipe(name)), name
    assert "'moons' takes n, noise, seed; not 'k'" in refusal(load, "moons", k=3)
    assert "'heights' takes no parameters; not 'n'" in refusal(load, "heights", n=7)
    reason = refusal(build, Recipe("moons", (("name", "xor"),)))
    assert "'moons' takes n, noise, seed; not 'name'" in reason


def test_every_parameter_outside_its_range_is_named_with_what_is_allowed_and_what_came() -> None:
    pairs = [(example.name, param) for example in GALLERY.values() for param in example.params]
    for name, param in pairs:
        bad: list[Any] = [True, False, "200", (), {}, ["a", "b"], ("nothing",), [[]]]
        if param.low is not None and param.high is not None:
            bad += [None, param.low - 1, param.high + 1, math.nan, math.inf, -math.inf, 10**5000]
            bad += [1j, np.bool_(True), np.array([3, 4])]
        if param.kind == "int":
            bad.append(2.5)
        if param.kind == "names":
            bad += [7, param.choices[0], param.choices[:1] * 2, (*param.choices, "species")]
        for value in bad:
            reason = refusal(load, name, **{param.name: value})
            assert reason.startswith(f"`{param.name}` must be "), name
            assert "; not " in reason, name
            assert len(reason) < 300, name
    assert refusal(load, "moons", n=0) == "`n` must be a whole number from 1 to 1,000,000; not 0"
    reason = refusal(load, "moons", noise=-0.1)
    assert reason == "`noise` must be a number from 0.0 to 5.0; not -0.1"
    for name in DRAWN:  # the ends are allowed
        assert load(name, noise=5, seed=2**31 - 1).n == load(name, noise=0, seed=0).n
        assert example_recipe(name, n=1_000_000).get("n") == 1_000_000, name
    assert load("xor", n=1_000_000).n == 1_000_000
    assert len(load("blobs", k=200, n=1_000).classes) == 200


def test_a_worked_example_has_the_printed_rows_in_categories_and_numbers() -> None:
    for name, printed, classes, levels in (
        ("heights", HEIGHTS, ("f", "m"), {}),
        ("age_car_risk", AGE_CAR_RISK, ("H", "L"), {"Car": ("SUV", "Sports", "Vintage")}),
        ("good_place", GOOD_PLACE, (0, 1), {}),
        ("rpart_treble", RPART_TREBLE, (), {}),
        ("play_tennis", PLAY_TENNIS, ("no", "yes"), {
            "outlook": ("overcast", "rainy", "sunny"), "temperature": ("cool", "hot", "mild"),
            "humidity": ("high", "normal"), "windy": (False, True),
        }),
        ("restaurant", RESTAURANT, ("No", "Yes"), {
            **dict.fromkeys(
                ("Alternate", "Bar", "Friday", "Hungry", "Raining", "Reservation"), ("No", "Yes")
            ),
            "Patrons": ("Full", "None", "Some"), "Price": ("$", "$$", "$$$"),
            "Type": ("Burger", "French", "Italian", "Thai"),
            "WaitEstimate": ("0-10", "10-30", "30-60", ">60"),
        }),
    ):  # fmt: skip
        data = load(name)
        assert (*data.features, data.target) == printed["columns"], name
        named = zip(data.features, data.levels, strict=True)
        assert {feature: level for feature, level in named if level} == levels, name
        assert (data.classes, data.notes) == (classes, ()), name
        for place, label, row in zip(data.columns.T, labels(data), printed["rows"], strict=True):
            told = [
                str(level[int(value)]) if level else value
                for value, level in zip(place, data.levels, strict=True)
            ]
            wanted = [word.title() if word in ("true", "false") else word for word in row[:-1]]
            assert [*told, label] == [*wanted, row[-1]], name
    assert (load("sign_ups").target, load("sign_ups").classes) == ("cancelled", ("no", "yes"))


def test_the_trees_of_the_worked_examples_have_the_recomputed_gains() -> None:
    for name, root, best in (
        ("heights", 0.985228, {1: ("height <= 165", 3.286956 / 7)}),
        ("good_place", 1.0, {1: ("forbidden_expression <= 0.5", 0.236453)}),
        ("sign_ups", 0.918296, {1: ("signed_up before 2024-03-01", 0.459148)}),
        ("age_car_risk", 0.918296, {1: ("Car = Sports", 0.459148), 2: ("Age <= 22.5", 0.918296)}),
        ("play_tennis", 0.940286, {
            1: ("outlook = overcast", 0.226000), 3: ("humidity = high", 0.278072),
            6: ("outlook = rainy", 0.321928), 7: ("windy = True", 0.321928),
            12: ("windy = True", 1.0), 14: ("outlook = rainy", 1.0),
        }),
    ):  # fmt: skip
        data = load(name)
        model = dtviz.fit(data, dtviz.Rules("entropy"))
        assert model.tree.nodes[1].impurity == pytest.approx(root, abs=5e-7), name
        for k, move in enumerate(model.log):
            if move.node in best:
                result = gains(data, log=model.log[:k], node=move.node)
                rule, gain = best[move.node]
                assert result.max() == result[rule] == pytest.approx(gain, abs=5e-7), (name, rule)


def test_what_the_worked_texts_say_holds() -> None:
    assert gains(load("good_place"))["cermics <= 0.5"] == pytest.approx(0, abs=1e-12)
    tennis = PLAY_TENNIS["rows"]
    assert {play for outlook, *_, play in tennis if outlook == "overcast"} == {"yes"}
    assert [str(rule) for rule in dtviz.fit(load("sign_ups")).rules()] == [
        "signed_up before 2024-03-01 -> no (6 rows)",
        "signed_up 2024-03-01 or later and waited <= 1 day -> no (2 rows)",
        "signed_up 2024-03-01 or later and waited > 1 day -> yes (4 rows)",
    ]
    treble = load("rpart_treble")
    model = dtviz.fit(treble, dtviz.Rules("squared_error"))
    root = gains(treble, "squared_error")["x1 <= 5.5"] / model.tree.nodes[1].impurity
    assert root == pytest.approx(0.757576, abs=5e-7)
    below = gains(treble, "squared_error", log=model.log[:1], node=3)
    assert below["x1 <= 7.5"] == below["x2 <= 4"] == pytest.approx(below.max())


def test_iris_has_150_rows_four_measures_and_two_tied_cuts() -> None:
    data = load("iris")
    assert data.columns.shape == (4, 150)
    assert data.features == gallery.IRIS_MEASURES
    assert Counter(labels(data)) == {"setosa": 50, "versicolor": 50, "virginica": 50}
    assert data.columns[:, 0].tolist() == [5.1, 3.5, 1.4, 0.2]
    assert data.notes == ()
    rounded = gains(data).round(9)
    tied = rounded[rounded == rounded.max()]
    assert tied.index.tolist() == ["petal_length_cm <= 2.45", "petal_width_cm <= 0.8"]
    wanted = ("petal_width_cm", "sepal_length_cm")
    part = load("iris", features=wanted)
    assert part.features == wanted
    assert np.array_equal(part.columns, data.columns[[3, 0]])
    assert build(example_recipe("iris", features=list(wanted))).features == wanted


def test_penguins_leave_out_two_rows_and_say_which() -> None:
    data = load("penguins")
    assert data.columns.shape == (4, 342)
    assert data.features == gallery.PENGUINS_MEASURES
    assert Counter(labels(data)) == {"Adelie": 151, "Chinstrap": 68, "Gentoo": 123}
    assert summary(data.notes) == ["2 rows: left out, no measures (lines 5, 273)"]
    assert gains(data).idxmax() == "flipper_length_mm <= 206.5"
    bill, depth, flipper, _ = data.columns
    low, high = np.where(bill <= 43.35, 0, 1), np.where(depth <= 17.65, 2, 1)
    guess = np.where(flipper <= 206.5, low, high)
    assert np.mean(guess == data.y) == pytest.approx(0.965, abs=5e-4)


TABLE_CONTENTS: dict[str, tuple[int, int, dict[Any, int], dict[str, int], dict[str, int]]] = {
    # name: rows, features, rows of each class, values of categories, missing cells
    "titanic": (2201, 3, {"no": 1490, "yes": 711}, {"class": 4, "sex": 2, "age": 2}, {}),
    "wine": (178, 13, {"A": 59, "B": 71, "C": 48}, {}, {}),
    "zoo": (101, 16, {
        "amphibian": 4, "bird": 20, "fish": 13, "insect": 8, "invertebrate": 10, "mammal": 41,
        "reptile": 5,
    }, dict.fromkeys(set(gallery.ZOO_FEATURES) - {"legs"}, 2), {}),
    "credit": (700, 10, {"bad": 207, "good": 493}, {
        "checking": 4, "history": 5, "purpose": 10, "savings": 5, "employed": 5, "property": 4,
        "housing": 3,
    }, {}),
    "bikes": (786, 7, {}, {"workday": 2, "weather": 3}, {}),
    "cars": (397, 8, {}, {"maker": 29, "origin": 3}, {"horsepower": 5}),
    "churn": (600, 7, {"no": 454, "yes": 146}, {"plan": 3, "final_bill": 2}, {
        "satisfaction": 193,
    }),
    "deliveries": (500, 5, {"no": 407, "yes": 93}, {"carrier": 3, "region": 4}, {}),
}  # fmt: skip


def test_each_table_has_its_rows_classes_categories_and_missing_values_and_a_tree() -> None:
    for name, (n, n_features, sizes, categories, missing) in TABLE_CONTENTS.items():
        data = load(name)
        assert data.columns.shape == (n_features, n), name
        assert (Counter(labels(data)) if data.classes else {}) == sizes, name
        named = zip(data.features, data.levels, strict=True)
        assert {feature: len(level) for feature, level in named if level} == categories, name
        gaps = np.isnan(data.columns).sum(axis=1)
        counted = zip(data.features, gaps.tolist(), strict=True)
        assert {feature: gap for feature, gap in counted if gap} == missing, name
        assert [note.column for note in data.notes] == (
            ["final_bill"] if name == "churn" else []
        ), name
        small = dtviz.fit(data, dtviz.Rules(max_depth=3) if data.classes else dtviz.Rules(
            "squared_error", max_depth=3))  # fmt: skip
        assert 4 <= len(small.rules()) <= 8, name
        last, first = data.features[-1], data.features[0]
        assert load(name, features=(last, first)).features == (last, first), name


def test_each_table_tells_its_question_its_source_and_its_licence() -> None:
    sources = asset("SOURCES.md").read_text("utf-8")
    for name, example in GALLERY.items():
        assert bool(example.source) == (example.group == "Tables"), name
        if not example.source:
            continue
        assert any(word in example.source for word in ("CC BY 4.0", "CC0", "public", "MIT")), name
        assert example.source.endswith("."), name
        doi = re.search(r"10\.24432/\w+", example.source)
        assert ("CC BY 4.0" in example.source) == bool(doi), name
        assert doi is None or f"`{name}.csv`" in sources, name
        assert doi is None or f"<https://doi.org/{doi[0]}>" in sources, name
        assert example.about.startswith("Made up") == ("made up" in example.source), name
    files = [*asset("SOURCES.md").parent.glob("*.csv")]
    assert {f"`{file.name}`" for file in files} == set(re.findall(r"`\w+\.csv`", sources))
    assert all(file.stat().st_size < 60_000 for file in files)


def test_dates_and_durations_of_tables_are_cut_as_such() -> None:
    kinds = {name: [one.kind for one in load(name).quantities] for name in ("bikes", "deliveries")}
    assert kinds["bikes"] == ["date", *["number"] * 6]
    assert kinds["deliveries"] == ["date", "date", "duration", "number", "number"]
    data = load("deliveries")
    kestrel = data.columns[3] == data.levels[3].index("Kestrel")
    slow = data.columns[2] > 2 * 86_400
    part = gains(dtviz.data.dataset.take_rows(data, kestrel & ~slow))
    assert re.match(r"ordered before 2024-(08-3|09-0)", str(part.idxmax()))


def test_the_leak_of_churn_is_the_first_cut_and_without_it_the_tree_is_worse() -> None:
    data = load("churn")
    assert gains(data).idxmax() == "final_bill = sent"
    named = dict(zip(data.features, data.columns, strict=True))
    sent = named["final_bill"] == 1
    assert data.levels[data.features.index("final_bill")] == ("not sent", "sent")
    assert data.y[sent].all()
    assert 0.9 < sent.sum() / data.y.sum() < 1
    honest = load("churn", features=gallery.CHURN_FEATURES[:-1])
    assert gains(honest).max() < gains(data).max() / 3
    assert len(load("churn", n=7, seed=3).y) == 7
    for name in ("churn", "deliveries"):
        assert not np.array_equal(load(name).y, load(name, seed=8).y), name


def test_an_asset_is_found_in_the_wheel_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asset("iris.csv").read_text().startswith("sepal_length_cm,")
    for folder in ("assets", "dtviz/_app/assets"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setattr(gallery, "__file__", str(tmp_path / "dtviz" / "data" / "gallery.py"))
    (tmp_path / "assets" / "a.txt").touch()
    assert asset("a.txt") == tmp_path / "assets" / "a.txt"
    (tmp_path / "dtviz/_app/assets" / "a.txt").touch()
    assert asset("a.txt") == tmp_path / "dtviz" / "_app" / "assets" / "a.txt"
    with pytest.raises(FileNotFoundError, match=r"'b\.txt' is missing"):
        asset("b.txt")


@given(
    name=st.sampled_from(DRAWN),
    n=st.integers(1, 400),
    noise=st.floats(0, 5),
    seed=st.integers(0, 2**31 - 1),
)
def test_a_generator_repeats_itself_and_keeps_its_classes_even(
    name: str, n: int, noise: float, seed: int
) -> None:
    data = load(name, n=n, noise=noise, seed=seed)
    assert data.n == n
    assert np.isfinite(data.columns).all()
    assert same(data, load(name, n=n, noise=noise, seed=seed))
    if data.classes:
        k = 3 if name == "blobs" else 2
        sizes = np.bincount(data.y, minlength=k)
        assert set(sizes.tolist()) <= {n // k, -(-n // k)}
        assert data.classes == ("A", "B", "C")[: min(n, k)]
        assert (data.features, data.target) == (("x1", "x2"), "class")
    else:
        assert (data.features, data.target) == (("x",), "y")


def test_a_generator_builds_at_any_size_another_seed_differs_and_noise_moves_its_points() -> None:
    for name in DRAWN:
        for n in (1, 2, 5_000):
            one, other = load(name, n=n), load(name, n=n, seed=8)
            assert one.n == other.n == n, name
            assert not np.array_equal(one.columns, other.columns), (name, n)
        still, near, far = (load(name, noise=noise) for noise in (0, 0.1, 0.2))
        ends = [data.columns if data.classes else data.y for data in (still, near, far)]
        assert ends[2] - ends[0] == pytest.approx(2 * (ends[1] - ends[0])), name
        assert np.std(ends[1] - ends[0]) == pytest.approx(0.1, rel=0.2), name
        assert still.classes == () or np.array_equal(still.y, far.y), name


@given(k=st.integers(2, 200), seed=st.integers(0, 2**31 - 1))
def test_blobs_stay_apart_when_noise_is_small(k: int, seed: int) -> None:
    still, noisy = (load("blobs", n=2 * k, k=k, noise=noise, seed=seed) for noise in (0, 0.02))
    centres = np.array([still.columns[:, still.y == code][:, 0] for code in range(k)])
    away = np.linalg.norm(noisy.columns.T[:, None] - centres, axis=2)
    assert np.array_equal(away.argmin(axis=1), noisy.y)
    assert len(set(noisy.classes)) == k
    assert noisy.classes[:2] == ("A", "B")
    assert k <= 26 or noisy.classes[25:27] == ("Z", "C27")
    assert still.columns.min() >= 0
    assert still.columns.max() <= 10


def test_without_noise_the_shapes_are_what_their_texts_say() -> None:
    data = {name: load(name, n=400, noise=0) for name in DRAWN}
    (x1, x2), y = data["diagonal"].columns, data["diagonal"].y
    assert np.array_equal(y == 0, x2 > x1)
    (x1, x2), y = data["xor"].columns, data["xor"].y
    assert np.array_equal(y == 0, x1 * x2 > 0)
    (x1, x2), y = data["stripes"].columns, data["stripes"].y
    assert np.array_equal(y, np.floor(x1 + 3) % 2)
    assert set(np.floor(x1)) == {-3, -2, -1, 0, 1, 2}
    radius = np.linalg.norm(data["circles"].columns, axis=0)
    assert radius == pytest.approx(np.where(data["circles"].y == 0, 2.5, 1.0))
    assert data["sine"].y == pytest.approx(np.sin(data["sine"].columns[0]))
    x, y = data["steps"].columns[0], data["steps"].y
    jumps = np.sort(x)[1:][np.diff(y[np.argsort(x)]) != 0]
    assert jumps == pytest.approx([2, 4, 5, 8], abs=0.2)


def test_one_cut_does_not_part_xor_nor_circles_and_the_planes_are_calm_at_the_defaults() -> None:
    data = load("xor")
    assert gains(data).max() < 0.05
    assert np.array_equal(data.columns[0] * data.columns[1] > 0, data.y == 0)
    for n in (4, 40, 200):
        assert gains(load("xor", n=n, noise=0)).to_dict() == {"x1 <= 0": 0, "x2 <= 0": 0}, n
    data = load("circles")
    assert gains(data).max() < 0.2
    inside = np.abs(data.columns).max(axis=0) <= 1.6  # yet a box does
    assert np.mean(inside == (data.y == 1)) > 0.97
    for name in PLANES:
        width = np.ptp(load(name).columns, axis=1)
        assert (width > 2).all(), name
        assert (width < 10).all(), name
