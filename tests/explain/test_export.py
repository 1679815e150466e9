"""The exported code, run, predicts as the model does: on every row and at every threshold."""

from __future__ import annotations

import json
import math
import random
import re
import sqlite3
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sqlglot
from cases import AGE_CAR_RISK, GOOD_PLACE, PLAY_TENNIS, RPART_TREBLE, data_of
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import NASTY, grown
from test_dot import nodes_of

import dtviz
from dtviz import Forest, Grow, Model, Rules, axis_split, from_frame
from dtviz.data.dataset import make_dataset
from dtviz.engine.ensembles import ENSEMBLES
from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules
from dtviz.engine.splits import projection_in
from dtviz.engine.tree import preorder_key
from dtviz.explain.export import ENSEMBLE_KINDS, MAX_SHARES_WRITTEN, SQLS, TREE_KINDS, export
from dtviz.explain.words import projection_text


def points(model: Model) -> np.ndarray:
    """The training rows, and rows at each threshold and at both its neighbouring floats."""
    columns = model.data.columns
    extra = []
    for split in model.tree.splits.values():
        t = split.threshold
        for value in (t, math.nextafter(t, -math.inf), math.nextafter(t, math.inf)):
            for row in columns.T[:2]:
                point = row.copy()
                point[split.projection.feature] = value
                extra.append(point)
    return np.vstack([columns.T, *extra])


def by_model(model: Model, rows: np.ndarray) -> list[Any]:
    """The model's own predictions, as Python values."""
    frame = pd.DataFrame(rows, columns=list(model.data.features))
    return list(model.predict(frame).tolist())


def by_python(model: Model, rows: np.ndarray) -> list[Any]:
    """What the exported Python answers."""
    space: dict[str, Any] = {}
    exec(compile(model.export("python"), "export", "exec"), space)
    has_classes = bool(model.data.classes)
    assert ("predict_proba" in space) == has_classes
    assert set(space) <= {"__builtins__", "predict", "predict_proba", "_CLASSES"}
    names = model.data.features
    asked = [dict(zip(names, row, strict=True)) for row in rows.tolist()]
    if has_classes:
        shares = [[*space["predict_proba"](row).values()] for row in asked]
        frame = pd.DataFrame(rows, columns=list(names))
        assert np.array(shares) == pytest.approx(model.predict_proba(frame))
    return [space["predict"](row) for row in asked]


def test_python_of_many_classes_writes_the_shares_above_0_alone() -> None:
    n = MAX_SHARES_WRITTEN + 5
    data = make_dataset([np.arange(2 * n) // 4], np.arange(2 * n) // 2, ["x"], "y", range(n))
    model = dtviz.fit(data, Rules())
    assert_code_agrees(model)
    assert "return dict.fromkeys(_CLASSES, 0) | {0: 0.5, 1: 0.5}" in model.export("python")


def test_text_and_sql_tell_the_share_of_the_prediction_and_its_rows() -> None:
    rows = 2000
    data = make_dataset(
        [np.arange(rows) >= 900], np.arange(rows) % 900 < 9, ["x"], "y", ["no", "yes"]
    )
    model = dtviz.fit(data, Rules(max_depth=1))
    assert 'predict "no" [99 % of 900 rows: no 891, yes 9]' in model.export("text")
    assert "THEN 'no' /* 99 % of 900 rows */" in model.export("sql")
    assert [str(rule).partition(" -> ")[2] for rule in model.rules()] == [
        "no (99 % of 900 rows)",
        "no (98.4 % of 1,100 rows)",
    ]
    nearly = replace(model.rules()[0], share=0.9999)
    assert nearly.outcome == "no (above 99.9 % of 900 rows)"
    assert replace(nearly, share=1.0, weight=2.0).outcome == "no (900 rows, weight 2)"


def by_sql(model: Model, rows: np.ndarray, kind: str = "sql") -> list[Any]:
    """What SQLite answers to the exported SQL over a table of these rows.

    That of another engine is read as that engine reads it, and written as SQLite wants it.
    """
    said = model.export(kind)
    if kind != "sql":
        said = sqlglot.transpile(f"SELECT {said}", read=kind, write="sqlite")[0][len("SELECT ") :]
    base = sqlite3.connect(":memory:")
    names = ['"' + n.replace('"', '""').replace("\0", "") + '"' for n in model.data.features]
    base.execute(f"CREATE TABLE t (i INTEGER, {', '.join(name + ' REAL' for name in names)})")
    marks = ", ".join("?" * (len(names) + 1))
    base.executemany(
        f"INSERT INTO t VALUES ({marks})", [(i, *r) for i, r in enumerate(rows.tolist())]
    )
    found = base.execute(f"SELECT {said} FROM t ORDER BY i").fetchall()
    assert base.execute("SELECT count(*) FROM sqlite_master").fetchone() == (1,)
    base.close()
    return [row[0] for row in found]


def assert_code_agrees(model: Model) -> None:
    rows = points(model)
    expected = by_model(model, rows)
    assert by_python(model, rows) == expected
    assert by_sql(model, rows) == [
        str(v).replace("\0", "") if isinstance(v, str) else v for v in expected
    ]


@given(grown(10, 4))
def test_python_and_sql_predict_as_the_model(case: Any) -> None:
    found, rules, _, tree = case
    assert_code_agrees(Model(found, rules, (), tree))


OTHERS = [kind for kind in SQLS if kind != "sql"]
HOSTILE = st.text("\\'\"`\n\r%_/*-; aä", min_size=1, max_size=8).filter(str.strip)


@given(
    names=st.lists(HOSTILE, min_size=2, max_size=2, unique=True),
    labels=st.lists(HOSTILE, min_size=2, max_size=3, unique_by=str.strip),
)
@settings(max_examples=8)
@example(names=["a\\", "b`"], labels=["it's", "\\"])
@example(names=["\\' OR 1=1 -- ", '"'], labels=["\\' OR 1=1 -- ", "`"])
def test_no_engine_takes_a_part_of_a_name_or_a_text_for_sql(
    names: list[str], labels: list[str]
) -> None:
    codes = np.arange(6) % len(labels)
    model = dtviz.fit(
        make_dataset([codes + 0.0, codes * 2.5 - 1], codes, names, "y", tuple(labels))
    )
    rows = points(model)
    expected = by_model(model, rows)
    assert by_python(model, rows) == expected
    for kind in OTHERS:
        # sqlglot before 30.21 reads escapes in a name as they stand, BigQuery as what they mean
        if kind != "bigquery" or not set("".join(names)) & set("\\\r\n`"):
            assert by_sql(model, rows, kind) == expected, kind


def test_a_backslash_in_a_name_is_escaped_for_bigquery() -> None:
    codes = np.arange(6) % 2
    model = dtviz.fit(make_dataset([codes + 0.0], codes, ["a\\` OR 1"], "y", ("no", "yes")))
    assert "`a\\\\\\` OR 1` <= 0.5" in model.export("bigquery")


def test_every_engine_reads_the_values_of_a_category_as_they_are() -> None:
    base = sqlite3.connect(":memory:")
    for text in ("it's", "a\\", "\\'", "a`b", '"', "line\nline", "%"):
        frame = pd.DataFrame({"g": [text, "other"] * 4, "y": [0, 1] * 4})
        model = dtviz.fit(dtviz.from_frame(frame, "y"))
        for kind in OTHERS:
            query = f"SELECT {model.export(kind)} FROM t"
            query = sqlglot.transpile(query, read=kind, write="sqlite")[0]
            base.execute("CREATE TABLE t (g TEXT)")
            base.executemany("INSERT INTO t VALUES (?)", [[text], ["other"]])
            assert [row[0] for row in base.execute(query).fetchall()] == [0, 1], (kind, text)
            base.execute("DROP TABLE t")
    base.close()


CITIES = ("Ulm", "Bonn", "it's", "Hof", "Rom", "Jena")
SIZES = ("small", "medium", "large")


def city_table(n: int = 120) -> pd.DataFrame:
    random = np.random.default_rng(11)
    made = {
        "city": random.choice(CITIES, n, p=[0.4, 0.3, 0.25, 0.02, 0.02, 0.01]),
        "paid": random.random(n) < 0.5,
        "grade": pd.Categorical(random.choice([1, 2, 5], n)),
        "size": pd.Categorical(random.choice(SIZES, n), SIZES, ordered=True),
    }
    score = (made["city"] == "Ulm") * 2 + made["paid"] * (made["grade"] == 2) * 3
    score = score + made["size"].codes + random.integers(0, 2, n)
    return pd.DataFrame(made | {"y": np.select([score > 3, score > 1], ["high", "fair"], "low")})


def test_sql_says_what_the_model_says_of_new_values_of_a_category_and_null_of_gaps() -> None:
    data = dtviz.group_rare(dtviz.from_frame(city_table(), "y"), 8)
    assert [str(level) for level in data.levels[0]] == ["Bonn", "Ulm", "it's", "other"]
    rows = city_table(60).drop(columns="y").astype({"grade": int, "size": object})
    rows.loc[0, "city"], rows.loc[1, "grade"] = "new", 9
    base = pytest.importorskip("duckdb").connect()
    base.register("t", rows)
    gaps = "SELECT NULL::VARCHAR AS city, NULL::BOOLEAN AS paid, 1 AS grade, NULL::VARCHAR AS size"
    base.execute(f"CREATE TABLE g AS {gaps}")
    for families in (("axis", "subset"), ("axis", "onevsrest")):
        model = dtviz.fit(data, Rules("gini", families=families))
        sql = model.export("sql")
        answers = [answer for (answer,) in base.execute(f"SELECT {sql} FROM t").fetchall()]
        assert answers == model.predict(rows).tolist(), families
        assert base.execute(f"SELECT {sql} FROM g").fetchall() == [(None,)]
    base.close()


def test_each_engine_has_its_own_quotes_and_its_own_name_of_a_double() -> None:
    found = make_dataset(
        [[0.1, 0.30000000000000004, 0.7]], np.array([0, 1, 1]), ['a`"\\b'], "y", ("it's", "\\")
    )
    said = {kind: dtviz.fit(found).export(kind) for kind in SQLS}
    assert said["sql"].startswith('CASE\n  WHEN "a`""\\b" <= ')
    assert said["mysql"].startswith('CASE\n  WHEN `a``"\\b` <= ')
    assert said["spark"].startswith('CASE\n  WHEN `a``"\\b` <= ')
    assert said["bigquery"].startswith('CASE\n  WHEN `a\\`"\\\\b` <= ')
    assert said["snowflake"].startswith('CASE\n  WHEN "a`""\\b" <= ')
    assert "THEN 'it''s'" in said["sql"]
    assert "THEN '\\'" in said["sql"]
    for kind in OTHERS:
        assert "THEN 'it\\'s'" in said[kind]
        assert "THEN '\\\\'" in said[kind]


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=8, unique=True)
)
def test_any_threshold_survives_the_trip(values: list[float]) -> None:
    found = make_dataset([values], np.arange(len(values)), ["x"], "y", "abcdefgh"[: len(values)])
    assert_code_agrees(dtviz.fit(found))


EXACT = [
    [1e8, math.nextafter(1e8, 2e8)],
    [1.0, math.nextafter(1.0, 2)],
    [0.1, 0.2, 0.30000000000000004],
    [-5e-324, 0.0, 5e-324],
    [1.7976931348623157e308, math.nextafter(1.7976931348623157e308, 0)],
    [-1.7976931348623157e308, 1.7976931348623157e308],
    [2.2250738585072014e-308, 2.225073858507201e-308],
    [2**53, 2**53 + 2, 2**53 + 4],
]


def test_thresholds_between_adjacent_floats() -> None:
    for values in EXACT:
        table = make_dataset([values], np.arange(len(values)), ["x"], "y", "abc"[: len(values)])
        assert_code_agrees(dtviz.fit(table))


def threshold_in_sql(value: float) -> str:
    """The threshold as the SQL of `x <= value` has it."""
    found = make_dataset(
        [[value, math.nextafter(value, math.inf)]], np.array([0, 1]), ["x"], "y", "ab"
    )
    model = dtviz.fit(found, log=(Grow(1, axis_split(0, value)),))
    return model.export("sql").splitlines()[1].split(" <= ")[1].split(" THEN ")[0]


def exactly(text: str) -> Fraction:
    """The number a threshold's SQL says, in exact arithmetic."""
    whole = re.fullmatch(r"CAST\((-?\d+) AS DOUBLE PRECISION\)(.*?) /\* (\S+) \*/", text)
    if whole is None:
        return Fraction(text)
    out = Fraction(int(whole[1]))
    assert abs(out) < 2**53  # a double holds it, and 64 bits each factor
    for sign, factor in re.findall(r" ([*/]) (\d+)", whole[2]):
        assert int(factor) < 2**63
        out = out * int(factor) if sign == "*" else out / int(factor)
    assert float(whole[3]) == out
    return out


@given(st.floats(allow_nan=False, allow_infinity=False, max_value=1e308))
def test_a_threshold_in_sql_is_exact_or_short_in_every_engine(value: float) -> None:
    """PostgreSQL and DuckDB read a literal as a decimal, SQLite with roundings of its own."""
    text = threshold_in_sql(value)
    if text.startswith("CAST("):
        assert exactly(text) == Fraction(value)
        return
    away = abs(Fraction(text) - Fraction(value)) / Fraction(math.ulp(value))
    assert away < Fraction(1, 2) - Fraction(1, 2000)  # one more rounding does not matter
    assert float(f"{value:.15g}") == value
    assert value == 0 or 1e-7 <= abs(value) < 1e22  # at most 15 digits and a power of ten, exact


def test_sqlite_reads_two_hundred_thresholds_as_they_are() -> None:
    """Among them literals of four digits that SQLite 3.40 itself reads one float off."""
    base, rng = sqlite3.connect(":memory:"), random.Random(3)
    drawn = [0.002877, 0.024421, 9.481433, 504.390231]
    drawn += [
        float(f"{rng.uniform(-10, 10) * 10.0 ** rng.randint(low, high):.{rng.randint(1, 17)}g}")
        for low, high in ((-4, 14), (-320, 307))
        for _ in range(100)
    ]
    off = [v for v in drawn if base.execute(f"SELECT {threshold_in_sql(v)}").fetchone()[0] != v]
    base.close()
    assert off == []


def test_sql_has_one_type_for_all_answers() -> None:
    for classes, shown in (
        (("a", 1, 2.5), "'a' '1' '2.5'"),
        ((True, 1, "b"), "'True' '1' 'b'"),
        ((False, 2), "'False' '2'"),
        ((1, 2.5, -3), "1 2.5 -3"),
        ((False, True), "FALSE TRUE"),
    ):
        n = len(classes)
        table = make_dataset([np.arange(n)], np.arange(n), ["x"], "y", classes)
        sql = dtviz.fit(table).export("sql")
        assert " ".join(re.findall(r"THEN (.*) /\* 1 row \*/", sql)) == shown
        assert dtviz.fit(table, log=()).export("sql").split(" /*")[0] == shown.split()[0]


def test_the_code_of_the_worked_examples_and_of_every_kind_of_class() -> None:
    for case, task in (
        (AGE_CAR_RISK, None), (GOOD_PLACE, None), (PLAY_TENNIS, None), (RPART_TREBLE, "regression"),
    ):  # fmt: skip
        table = data_of(case, task)  # type: ignore[arg-type]
        assert_code_agrees(dtviz.fit(table, default_rules(table.task)))
    kinds: tuple[tuple[Any, ...], ...] = (
        (False, True), (1, 2), (0.5, 1.5), ("a", "b"), ("it's", 'a "b"'), (-1, 10**15),
        ("\0a", "b\0"),
    )  # fmt: skip
    for classes in kinds:
        assert_code_agrees(dtviz.fit(make_dataset([[1, 2]], np.array([0, 1]), ["x"], "y", classes)))


def test_hostile_names_and_labels_stay_inert() -> None:
    for name in (text.replace("\ud800", "?") for text in NASTY):  # SQLite holds no lone surrogate
        labels = [name, "x" + name]
        table = make_dataset([[1, 2], [0, 0]], np.array([0, 1]), [name, "other"], name, labels)
        model = dtviz.fit(table)
        assert_code_agrees(model)
        body = json.loads(model.export("json"))
        assert (body["features"], body["target"]) == ([name, "other"], name)
        assert body["nodes"][1]["value"] == name
        assert set(nodes_of(model.export("dot"))) == {1, 2, 3}, name
        assert len(model.export("text").splitlines()) == 3, name


def chain(n: int) -> Model:
    """A tree of depth n - 1: one row is split off at a time."""
    found = make_dataset([np.arange(n)], np.arange(n) % 2, ["x"], "y", "ab")
    return dtviz.fit(found, log=tuple(Grow(2**k, axis_split(0, n - k - 1.5)) for k in range(n - 1)))


def test_a_tree_two_hundred_deep_exports_and_runs() -> None:
    model = chain(201)
    assert_code_agrees(model)
    assert len(json.loads(model.export("json"))["nodes"]) == 401
    assert len(nodes_of(model.export("dot"))) == 401
    assert len(model.export("text").splitlines()) == 401


@given(grown())
def test_json_has_every_node_with_its_numbers(case: Any) -> None:
    found, rules, _, tree = case
    body = json.loads(export(Problem(found, rules), tree, "json"))
    assert [node["id"] for node in body["nodes"]] == sorted(tree.nodes, key=preorder_key)
    assert (body["dtviz"], body["task"], body["criterion"]) == (1, found.task, rules.criterion)
    for node in body["nodes"]:
        known = tree.nodes[node["id"]]
        assert (node["n"], node["impurity"]) == (known.n, known.impurity)
        assert node.get("counts", []) == list(known.counts)
        split = tree.splits.get(node["id"])
        if split is None:
            assert "threshold" not in node
        else:
            assert node["feature"] == found.features[split.projection.feature]
            assert node["threshold"] == split.threshold
            assert (node["left"], node["right"]) == (2 * node["id"], 2 * node["id"] + 1)


def test_json_gives_a_slanted_or_round_cut_by_its_family_its_projection_and_its_words() -> None:
    x = np.random.default_rng(0).normal(size=(2, 40))
    for family, y in (("oblique", x.sum(axis=0) > 0), ("radial", (x * x).sum(axis=0) > 1)):
        table = make_dataset(x, y.astype(int), ("a", "b"), "y", ("u", "v"))
        model = dtviz.fit(table, Rules("gini", families=(family,), max_depth=1))
        root = json.loads(model.export("json"))["nodes"][0]
        split = model.tree.splits[1]
        assert projection_in(root["family"] + root["projection"]) == split.projection
        assert root["threshold"] == split.threshold
        assert root["score"] == projection_text(table, split.projection)
        assert "feature" not in root


def test_the_text_of_a_tree() -> None:
    assert dtviz.fit(data_of(GOOD_PLACE)).export("text") == GOOD_PLACE["text"]
    assert TREBLE.export("text") == (
        "[10 rows]\n  x1 <= 5.5? yes: predict 8 [5 rows]\n  x1 <= 5.5? no: predict 3 [5 rows]\n"
    )
    digits = make_dataset([[1, 2]], np.array([0, 1]), ["x"], "y", [12345678.25, 12345678.5])
    lines = dtviz.fit(digits).export("text").splitlines()
    assert "predict 12345678.25 [" in lines[1]
    assert "predict 12345678.5 [" in lines[2]


TREBLE = dtviz.fit(data_of(RPART_TREBLE, "regression"), Rules("squared_error", max_depth=1))


def test_code_as_it_reads() -> None:
    assert TREBLE.export("python") == (
        "def predict(row):\n"
        '    """Predict y of one row, a mapping of numbers."""\n'
        "    row = dict.fromkeys(['x1', 'x2']) | dict(row)\n"
        "    nan = float('nan')\n"
        "    none = ('NoneType', 'NAType')\n"
        "    gap = lambda x: type(x).__name__ in none or x != x\n"
        "    row = {name: nan if gap(x) else x for name, x in row.items()}\n"
        "    if row['x1'] <= 5.5:\n        return 8.0\n"
        "    if row['x1'] > 5.5:\n        return 3.0\n"
        "    raise ValueError('a feature has no value')\n"
    )
    assert TREBLE.export("sql") == (
        'CASE\n  WHEN "x1" <= 5.5 THEN 8.0\n  WHEN "x1" > 5.5 THEN 3.0\nEND\n'
    )
    stump = dtviz.fit(make_dataset([[1.0]], np.array([0]), ["x"], "y", ["it's"]))
    assert stump.export("sql") == "'it''s' /* 1 row */\n"
    assert by_python(stump, np.array([[5.0]])) == ["it's"]
    days = tuple(pd.to_datetime(["2020-01-01", "2021-01-01"]))  # their text stands for them
    model = dtviz.fit(make_dataset([[1, 2]], np.array([0, 1]), ["x"], "y", days))
    assert by_python(model, np.array([[1.0]])) == [str(days[0])]
    assert json.loads(model.export("json"))["classes"] == [str(day) for day in days]


def test_a_missing_value_has_no_prediction() -> None:
    model = chain(4)
    space: dict[str, Any] = {}
    exec(model.export("python"), space)
    for nothing in ({"x": math.nan}, {"x": None}, {"x": pd.NA}, {}):
        with pytest.raises(ValueError, match="a feature has no value"):
            space["predict"](nothing)
    base = sqlite3.connect(":memory:")
    answer = base.execute(f"SELECT {model.export('sql')} FROM (SELECT NULL AS x)").fetchone()
    base.close()
    assert answer == (None,)


def test_an_unknown_kind_names_those_there_are() -> None:
    with pytest.raises(ValueError, match="`kind` must be one of text, python, sql, mysql, "):
        chain(3).export("yaml")
    assert TREE_KINDS == (
        "text", "python", "sql", "mysql", "bigquery", "snowflake", "spark", "json", "dot"
    )  # fmt: skip


@pytest.mark.nightly
def test_no_node_costs_more_calls_in_a_large_tree() -> None:
    rng = np.random.default_rng(0)
    x, noise = rng.normal(size=(2, 1_200)), rng.normal(size=1_200)
    y = (x[0] + noise > 0).astype(int)
    for missing in ("learned", "surrogates"):
        small, large = (
            dtviz.fit(
                make_dataset(x[:, :n], y[:n], ("a", "b"), "y", ("p", "q")), Rules(missing=missing)
            )
            for n in (150, 1_200)
        )
        for kind in TREE_KINDS:
            calls = [
                calls_of(lambda m=model, k=kind: m.export(k)) / len(model.tree.nodes)
                for model in (small, large)
            ]
            assert calls[1] < 1.6 * calls[0], (kind, missing)


def calls_of(task: Callable[[], object]) -> int:
    """Calls of Python functions, and turns of generators, that a task takes."""
    count = 0

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        task()
    finally:
        sys.setprofile(before)
    return count


def table(n: int, seed: int, numbers: bool = False) -> pd.DataFrame:
    """Two numbers with gaps, a category and a truth value; three classes, or a number."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": rng.normal(size=n), "it's": rng.normal(size=n).round(1)})
    frame["kind"] = rng.choice([*"pqr"], n)
    frame["so"] = rng.choice([True, False], n)
    score = frame.x + (frame.kind == "p") - frame.so + rng.normal(size=n) / 2
    frame["y"] = score if numbers else np.array(["low", "mid", "high"])[np.digitize(score, [-1, 1])]
    frame.loc[::7, "x"] = np.nan
    frame.loc[::11, "kind"] = None
    return frame


def run(found: Forest) -> dict[str, Any]:
    space: dict[str, Any] = {}
    exec(compile(found.export("python"), "export", "exec"), space)
    return space


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [dict(row) for row in frame.drop(columns="y").to_dict("records")]


def same(found: Forest, frame: pd.DataFrame) -> None:
    space = run(found)
    told = [space["predict"](row) for row in rows_of(frame)]
    assert told == found.predict(frame).tolist()
    if found.data.classes:
        shares = [list(space["predict_proba"](row).values()) for row in rows_of(frame)]
        assert np.array(shares) == pytest.approx(found.predict_proba(frame))
        assert [*space["predict_proba"](rows_of(frame)[0])] == [*found.data.classes]


def test_the_python_of_each_kind_predicts_classes_and_numbers() -> None:
    classes, numbers = (from_frame(table(90, 1, of), "y") for of in (False, True))
    for kind, of in ENSEMBLES.items():
        same(dtviz.forest(classes, Rules(max_depth=3), kind, trees=4), table(60, 2))
        if "regression" in of.tasks:
            rules = Rules("squared_error", max_depth=3)
            same(dtviz.forest(numbers, rules, kind, trees=4), table(60, 4, True))


def test_two_classes_with_ties_and_a_row_on_each_threshold() -> None:
    data = dtviz.load("moons", n=60)
    for kind in ("forest", "gradient"):
        model = dtviz.forest(data, Rules(max_depth=2), kind, trees=4)
        frame = pd.DataFrame(data.columns.T, columns=[*data.features]).assign(y="A")
        for tree in range(len(model)):
            for split in model.model(tree).tree.splits.values():
                frame.loc[len(frame)] = frame.iloc[0]
                feature = data.features[split.projection.feature]
                frame.loc[len(frame) - 1, feature] = split.threshold
        same(model, frame)


def test_leaf_models_other_cuts_and_surrogates_are_written_too() -> None:
    data = dtviz.load("moons", n=60)
    frame = pd.DataFrame(data.columns.T, columns=[*data.features]).assign(y="A")
    for rules in (
        Rules(max_depth=2, leaf_model="logistic"),
        Rules(max_depth=3, families=("axis", "oblique", "radial")),
    ):
        same(dtviz.forest(data, rules, "bagging", trees=2), frame)
    gaps = from_frame(table(100, 5), "y")
    same(dtviz.forest(gaps, Rules(max_depth=2, missing="surrogates"), trees=2), table(80, 6))


def test_where_mistakes_cost_the_cheapest_class_is_predicted() -> None:
    costs = {"low": {"mid": 1, "high": 9}, "mid": {"low": 1}, "high": {"mid": 5}}
    dear, free = (from_frame(table(100, 7), "y", costs=of) for of in (costs, None))
    model, other = (dtviz.forest(of, Rules(max_depth=3), trees=4) for of in (dear, free))
    rows = table(80, 8)
    assert model.predict(rows).tolist() != other.predict(rows).tolist()
    same(model, rows)


def test_the_json_says_how_the_trees_add_up() -> None:
    data = dtviz.load("moons", n=60)
    for kind, way in (("forest", "vote"), ("adaboost", "vote"), ("gradient", "logits")):
        model = dtviz.forest(data, kind=kind, trees=4)
        body = json.loads(model.export("json"))
        assert (body["ensemble"], body["way"], body["classes"]) == (kind, way, ["A", "B"])
        scores = np.repeat(np.array(body["start"])[:, None], data.n, axis=1)
        for tree in body["trees"]:
            nodes = {node["id"]: node for node in tree["nodes"]}
            for k, row in enumerate(data.columns.T):
                node = nodes[1]
                while "left" in node:
                    left = row[data.features.index(node["feature"])] <= node["threshold"]
                    node = nodes[node["left" if left else "right"]]
                if way == "vote":
                    scores[body["classes"].index(node["value"]), k] += tree["amount"]
                else:
                    scores[tree["column"], k] += tree["amount"] * node["value"]
        second = scores[1] > scores[0] if way == "vote" else scores[0] > 0
        assert np.where(second, "B", "A").tolist() == model.predict(data).tolist(), kind


def test_another_kind_is_refused() -> None:
    found = dtviz.forest(dtviz.load("moons", n=20), trees=1)
    said = re.escape("`kind` must be one of python, json; not 'sql'")
    with pytest.raises(ValueError, match=said):
        found.export("sql")
    assert ENSEMBLE_KINDS == ("python", "json")
