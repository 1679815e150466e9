"""The gallery: complete, repeatable, checked, and as its texts say.

Glossary
    bits, gain   entropy and information gain by hand, a few lines each, not the engine's
    drawn        the names of the generators
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dtviz
from dtviz.engine.problem import Problem
from dtviz.engine.tree import fold
from dtviz.say.words import rule_text
from dtviz.table import gallery
from dtviz.table.data import DataError, Dataset, Recipe, recipe
from dtviz.table.gallery import GALLERY, GROUPS, asset, build, example_recipe, load
from dtviz.table.notes import summary

DRAWN = [name for name, example in GALLERY.items() if example.group == "Generators"]
PLANES = [name for name in DRAWN if name not in ("sine", "steps")]
HEIGHTS = [[180, 170, 160, 170, 170, 160, 170], "mmffmfm"]
RISK = [  # Car: SUV, Sports, Vintage
    [25, 20, 25, 45, 20, 25],
    [1, 2, 1, 0, 1, 0],
    "LHLHHH",
]
GOOD_PLACE = [
    [0, 0, 1, 1, 1, 1, 1, 1, 1, 1],
    [98, 87, 93, 97, 81, 42, 28, 12, 8, 2],
    [0, 1, 9, 4, 7, 8, 3, 1, 0, 9],
    [0, 0, 0, 1, 0, 1, 0, 0, 0, 0],
    [0, 0, 1, 1, 1, 0, 0, 1, 1, 0],
]
TENNIS = [  # outlook, temperature, humidity, windy, play: first letters
    "shhfn", "shhtn", "ohhfy", "rmhfy", "rcnfy", "rcntn", "ocnty",
    "smhfn", "scnfy", "rmnfy", "smnty", "omhty", "ohnfy", "rmhtn",
]  # fmt: skip
TREBLE = [[10, 9, 8, 7, 6, 5, 4, 1, 2, 3], [1, 3, 5, 7, 9, 2, 4, 6, 8, 0], list(range(1, 11))]


def bits(labels: Any) -> float:
    shares = [count / len(labels) for count in Counter(list(labels)).values()]
    return -sum(p * math.log2(p) for p in shares)


def spread(y: Any) -> float:
    return float(np.mean((y - np.mean(y)) ** 2))


def cuts(data: Dataset, rows: Any) -> Iterator[tuple[str, Any, Any]]:
    """Every cut of these rows: the feature, where or which values, and the rows that go left."""
    for feature, levels, x in zip(data.features, data.levels, data.columns[:, rows], strict=True):
        values = np.unique(x)
        if not levels:
            yield from ((feature, cut, x <= cut) for cut in (values[:-1] + values[1:]) / 2)
        for size in range(1, len(values) if levels else 0):
            for some in combinations(values.astype(int).tolist(), size):
                yield feature, frozenset(levels[code] for code in some), np.isin(x, some)


def gains(data: Dataset, impurity: Any = bits, rows: Any = None) -> dict[tuple[str, Any], float]:
    """The gain of every cut, by feature and threshold or values."""
    keep = np.ones(data.n, dtype=bool) if rows is None else rows
    y, found = data.y[keep], {}
    for feature, cut, left in cuts(data, keep):
        share = float(np.mean(left))
        rest = share * impurity(y[left]) + (1 - share) * impurity(y[~left])
        found[feature, cut] = impurity(y) - rest
    return found


def labels(data: Dataset) -> list[Any]:
    return [data.classes[code] for code in data.y] if data.classes else data.y.tolist()


def same(a: Dataset, b: Dataset) -> bool:
    return np.array_equal(a.columns, b.columns) and np.array_equal(a.y, b.y)


# The registry


def test_the_gallery_is_in_the_order_it_is_shown() -> None:
    assert list(GALLERY) == [
        "heights", "age_car_risk", "good_place", "play_tennis", "sign_ups", "rpart_treble",
        "moons", "circles", "xor", "stripes", "blobs", "diagonal", "sine", "steps",
        "iris", "penguins",
    ]  # fmt: skip
    order = [GROUPS.index(example.group) for example in GALLERY.values()]
    assert order == sorted(order)
    assert set(order) == {0, 1, 2}


@pytest.mark.parametrize("name", GALLERY)
def test_every_entry_is_documented(name: str) -> None:
    example = GALLERY[name]
    assert example.name == name
    assert example.title.strip()
    assert 30 <= len(example.about) <= 200
    assert example.about.endswith("?")
    assert (example.params == ()) == (example.group == "Worked examples")
    for param in example.params:
        assert param.name.isidentifier()
        assert len(param.help) >= 10
        assert param.help.endswith(".")
        bounds = (param.low, param.high)
        if param.kind == "names":
            assert bounds == (None, None)
            assert param.choices
        else:
            assert param.low <= param.default <= param.high  # type: ignore[operator]
    with pytest.raises(FrozenInstanceError):
        example.title = "other"  # type: ignore[misc]


@pytest.mark.parametrize("name", GALLERY)
def test_every_entry_builds_and_is_read_only(name: str) -> None:
    data = load(name)
    assert data.columns.shape == (len(data.features), data.n)
    assert np.isfinite(data.columns).all()
    assert (data.task == "regression") == (not data.classes)
    assert len(set(data.y.tolist())) >= 2
    for array in (data.columns, data.y):
        with pytest.raises(ValueError, match="read-only"):
            array[..., 0] = 0
    assert same(data, load(name))
    assert same(data, build(recipe(name)))


# Recipes


def test_equal_datasets_have_equal_recipes() -> None:
    full = recipe("moons", n=200, noise=0.25, seed=7)
    assert example_recipe("moons") == full
    assert example_recipe("moons", n=200.0, seed=np.int64(7)) == full
    plain = dict(example_recipe("moons", n=200.0, noise=np.float32(0.25)).params)
    assert {key: type(value) for key, value in plain.items()} == {
        "n": int, "noise": float, "seed": int,
    }  # fmt: skip
    assert str(example_recipe("xor", noise=-0.0).get("noise")) == "0.0"
    assert example_recipe("xor", noise=0) == example_recipe("xor", noise=0.0)
    assert example_recipe("heights") == Recipe("heights")
    assert example_recipe("iris", features=list(gallery.IRIS)) == recipe("iris", features=None)
    assert hash(example_recipe("iris", features=["petal_length_cm"]))


@pytest.mark.parametrize("name", ["Moons", "", "no\u202esuch", 3, None, ["moons"]])
def test_an_unknown_name_is_refused_with_the_known_ones(name: Any) -> None:
    with pytest.raises(DataError, match=r"^`name` must be one of heights, .*, penguins; not "):
        load(name)
    with pytest.raises(DataError, match="`name`"):
        build(Recipe(name))


def test_an_unknown_parameter_is_refused_with_the_known_ones() -> None:
    with pytest.raises(DataError, match="'moons' takes n, noise, seed; not 'k'"):
        load("moons", k=3)
    with pytest.raises(DataError, match="'heights' takes no parameters; not 'n'"):
        load("heights", n=7)
    with pytest.raises(DataError, match="'moons' takes n, noise, seed; not 'name'"):
        build(Recipe("moons", (("name", "xor"),)))


@pytest.mark.parametrize("name", [n for n, example in GALLERY.items() if example.params])
def test_every_parameter_outside_its_range_is_named(name: str) -> None:
    for param in GALLERY[name].params:
        bad: list[Any] = [True, False, "200", (), {}, ["a", "b"], ("nothing",), [[]]]
        if param.low is not None and param.high is not None:
            bad += [None, param.low - 1, param.high + 1, math.nan, math.inf, -math.inf, 10**5000]
            bad += [1j, np.bool_(True), np.array([3, 4])]
        if param.kind == "int":
            bad.append(2.5)
        if param.kind == "names":
            bad += [7, param.choices[0], param.choices[:1] * 2, (*param.choices, "species")]
        for value in bad:
            with pytest.raises(DataError, match=rf"^`{param.name}` must be .*; not ") as raised:
                load(name, **{param.name: value})
            assert len(str(raised.value)) < 300


def test_a_refusal_says_what_is_allowed_and_what_came() -> None:
    with pytest.raises(DataError) as raised:
        load("moons", n=0)
    assert str(raised.value) == "`n` must be a whole number from 1 to 1,000,000; not 0"
    with pytest.raises(DataError) as raised:
        load("moons", noise=-0.1)
    assert str(raised.value) == "`noise` must be a number from 0.0 to 5.0; not -0.1"


@pytest.mark.parametrize("name", DRAWN)
def test_the_ends_of_every_range_are_allowed(name: str) -> None:
    assert load(name, noise=5, seed=2**31 - 1).n == load(name, noise=0, seed=0).n
    assert load(name, n=1_000_000).n == 1_000_000
    assert len(load("blobs", k=200, n=1_000).classes) == 200


# Worked examples: the rows as printed


@pytest.mark.parametrize(
    ("name", "features", "columns"),
    [
        ("heights", ("height",), HEIGHTS),
        ("age_car_risk", ("Age", "Car"), RISK),
        ("good_place", ("forbidden_expression", "score", "lies", "cermics"), GOOD_PLACE),
        ("rpart_treble", ("x1", "x2"), TREBLE),
    ],
)
def test_a_worked_example_has_the_printed_rows(name: str, features: Any, columns: Any) -> None:
    data = load(name)
    assert data.features == features
    assert data.columns.tolist() == columns[:-1]
    assert labels(data) == list(columns[-1])
    assert data.notes == ()


def test_play_tennis_has_the_printed_rows_in_four_categories() -> None:
    data = load("play_tennis")
    assert dict(zip(data.features, data.levels, strict=True)) == {
        "outlook": ("overcast", "rainy", "sunny"),
        "temperature": ("cool", "hot", "mild"),
        "humidity": ("high", "normal"),
        "windy": (False, True),
    }
    for row, days in zip(data.columns.T.astype(int).tolist(), TENNIS, strict=True):
        values = [levels[code] for code, levels in zip(row, data.levels, strict=True)]
        assert "".join(str(value)[0].lower() for value in values) == days[:-1]
    assert load("age_car_risk").levels == ((), ("SUV", "Sports", "Vintage"))
    assert [label[0] for label in labels(data)] == [days[-1] for days in TENNIS]


def test_the_targets_and_classes_are_the_printed_ones() -> None:
    found = {name: (load(name).target, load(name).classes) for name in list(GALLERY)[:6]}
    assert found == {
        "heights": ("gender", ("f", "m")),
        "age_car_risk": ("Risk", ("H", "L")),
        "good_place": ("y", (0, 1)),
        "play_tennis": ("play", ("no", "yes")),
        "sign_ups": ("cancelled", ("no", "yes")),
        "rpart_treble": ("y", ()),
    }


@pytest.mark.parametrize(
    ("name", "root", "winner", "best"),
    [
        ("heights", 0.985228, ("height", 165.0), 3.286956 / 7),
        ("age_car_risk", 0.918296, ("Car", {"Sports"}), 0.459148),
        ("good_place", 1.0, ("forbidden_expression", 0.5), 0.236453),
        ("play_tennis", 0.940286, ("outlook", {"overcast"}), 0.226000),
        ("sign_ups", 0.918296, ("signed_up", 19782.5), 0.459148),
    ],
)
def test_root_entropy_and_winner_are_the_recomputed_ones(
    name: str, root: float, winner: tuple[str, Any], best: float
) -> None:
    data = load(name)
    assert bits(labels(data)) == pytest.approx(root, abs=5e-7)
    found = gains(data)
    assert max(found, key=lambda cut: found[cut]) == winner
    assert max(found.values()) == pytest.approx(best, abs=5e-7)


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("age_car_risk", {1: ("Car = Sports", 0.459148), 2: ("Age <= 22.5", 0.918296)}),
        (
            "play_tennis",
            {
                1: ("outlook = overcast", 0.226000),
                3: ("humidity = high", 0.278072),
                6: ("outlook = rainy", 0.321928),
                7: ("windy = True", 0.321928),
                12: ("windy = True", 1.0),
                14: ("outlook = rainy", 1.0),
            },
        ),
    ],
)
def test_every_node_of_a_tree_of_categories_has_the_best_of_all_subsets(
    name: str, rules: dict[int, tuple[str, float]]
) -> None:
    data = load(name)
    model = dtviz.fit(data, dtviz.Rules("entropy"))
    assert {node: rule_text(data, model.tree, node) for node in model.tree.splits} == {
        node: rule for node, (rule, _) in rules.items()
    }
    for k, move in enumerate(model.log):
        rule, gain = rules[move.node]
        table = dtviz.candidates(data, model.rules_used, model.log[:k], move.node)
        assert table.set_index("rule").gain[rule] == pytest.approx(gain, abs=5e-7)
        rows = fold(Problem(data, model.rules_used), model.log[:k]).rows[move.node]
        best = max(gains(data, bits, rows).values())
        assert table.gain.max() == pytest.approx(best) == pytest.approx(gain, abs=5e-7)


def test_what_the_worked_texts_say_holds() -> None:
    assert gains(load("good_place"))["cermics", 0.5] == pytest.approx(0, abs=1e-12)
    tennis = load("play_tennis")
    assert {label for label, day in zip(labels(tennis), TENNIS, strict=True) if day[0] == "o"} == {
        "yes"
    }
    sign_ups = dtviz.fit(load("sign_ups"))
    assert [str(rule) for rule in sign_ups.rules()] == [
        "signed_up before 2024-03-01 -> no (6 rows)",
        "signed_up 2024-03-01 or later and waited <= 1 day -> no (2 rows)",
        "signed_up 2024-03-01 or later and waited > 1 day -> yes (4 rows)",
    ]
    treble = load("rpart_treble")
    assert gains(treble, spread)["x1", 5.5] / spread(treble.y) == pytest.approx(0.757576, abs=5e-7)
    below = gains(treble, spread, treble.columns[0] > 5.5)
    assert below["x1", 7.5] == below["x2", 4.0] == pytest.approx(max(below.values()))


# Tables


def test_iris_has_150_rows_four_measures_and_two_tied_cuts() -> None:
    data = load("iris")
    assert data.columns.shape == (4, 150)
    assert data.features == gallery.IRIS
    assert Counter(labels(data)) == {"setosa": 50, "versicolor": 50, "virginica": 50}
    assert data.columns[:, 0].tolist() == [5.1, 3.5, 1.4, 0.2]
    assert data.notes == ()
    found = {cut: round(gain, 9) for cut, gain in gains(data).items()}
    tied = [cut for cut, gain in found.items() if gain == max(found.values())]
    assert [(name, round(cut, 9)) for name, cut in tied] == [
        ("petal_length_cm", 2.45),
        ("petal_width_cm", 0.8),
    ]


def test_penguins_leave_out_two_rows_and_say_which() -> None:
    data = load("penguins")
    assert data.columns.shape == (4, 342)
    assert data.features == gallery.PENGUINS
    assert Counter(labels(data)) == {"Adelie": 151, "Chinstrap": 68, "Gentoo": 123}
    assert summary(data.notes) == ["2 rows: left out, no measures (lines 5, 273)"]
    found = gains(data)
    assert max(found, key=lambda cut: found[cut]) == ("flipper_length_mm", 206.5)
    bill, depth, flipper, _ = data.columns
    guess = np.where(
        flipper <= 206.5, np.where(bill <= 43.35, 0, 1), np.where(depth <= 17.65, 2, 1)
    )
    assert np.mean(guess == data.y) == pytest.approx(0.965, abs=5e-4)


def test_a_table_takes_the_measures_that_are_named() -> None:
    wanted = ("petal_width_cm", "sepal_length_cm")
    data = load("iris", features=wanted)
    assert data.features == wanted
    assert np.array_equal(data.columns, load("iris").columns[[3, 0]])
    assert build(example_recipe("iris", features=list(wanted))).features == wanted


def test_an_asset_is_found_in_the_wheel_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asset("iris.csv").read_text().startswith("sepal_length_cm,")
    for folder in ("assets", "dtviz/_app/assets"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setattr(gallery, "__file__", str(tmp_path / "dtviz" / "table" / "gallery.py"))
    (tmp_path / "assets" / "a.txt").touch()
    assert asset("a.txt") == tmp_path / "assets" / "a.txt"
    (tmp_path / "dtviz/_app/assets" / "a.txt").touch()
    assert asset("a.txt") == tmp_path / "dtviz" / "_app" / "assets" / "a.txt"
    with pytest.raises(FileNotFoundError, match=r"'b\.txt' is missing"):
        asset("b.txt")


# Generators


@pytest.mark.parametrize("name", DRAWN)
@given(
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


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("n", [1, 2, 5_000])
def test_a_generator_builds_at_any_size_and_another_seed_differs(name: str, n: int) -> None:
    one, other = load(name, n=n), load(name, n=n, seed=8)
    assert one.n == other.n == n
    assert not np.array_equal(one.columns, other.columns)


@pytest.mark.parametrize("name", DRAWN)
def test_noise_moves_the_same_points_further(name: str) -> None:
    still, near, far = (load(name, noise=noise) for noise in (0, 0.1, 0.2))
    ends = [data.columns if data.classes else data.y for data in (still, near, far)]
    assert ends[2] - ends[0] == pytest.approx(2 * (ends[1] - ends[0]))
    assert np.std(ends[1] - ends[0]) == pytest.approx(0.1, rel=0.2)
    assert still.classes == () or np.array_equal(still.y, far.y)


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


def test_at_the_root_of_xor_no_cut_helps_yet_two_levels_separate() -> None:
    data = load("xor")
    assert max(gains(data).values()) < 0.05
    assert np.array_equal(data.columns[0] * data.columns[1] > 0, data.y == 0)
    for n in (4, 40, 200):
        assert gains(load("xor", n=n, noise=0)) == {("x1", 0.0): 0.0, ("x2", 0.0): 0.0}


def test_a_box_parts_the_circles_where_one_cut_does_not() -> None:
    data = load("circles")
    assert max(gains(data).values()) < 0.2
    inside = np.abs(data.columns).max(axis=0) <= 1.6
    assert np.mean(inside == (data.y == 1)) > 0.97


@pytest.mark.parametrize("name", PLANES)
def test_the_plane_is_calm_at_the_defaults(name: str) -> None:
    low, high = load(name).columns.min(axis=1), load(name).columns.max(axis=1)
    assert (high - low > 2).all()
    assert (high - low < 10).all()
