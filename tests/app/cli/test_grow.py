"""`--ensemble`: many trees that predict together, on the command line."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from test_read_table import numbered_workbook

import dtviz
from dtviz.app import cli
from dtviz.app.cli.grow import names_in
from dtviz.data.read_table import read_table
from dtviz.engine.ensembles import ENSEMBLES
from dtviz.explain.export import TREE_KINDS
from dtviz.models.model import in_classes


@pytest.fixture
def moons(tmp_path: Path) -> str:
    file = tmp_path / "moons.csv"
    _frame(dtviz.load("moons", n=80)).to_csv(file, index=False)
    return str(file)


def _frame(data: dtviz.Dataset) -> pd.DataFrame:
    columns = dict(zip(data.features, data.columns, strict=True))
    return pd.DataFrame({**columns, "label": in_classes(data, data.y.astype(float))})


def test_grow_prints_the_errors_of_each_kind_and_the_worth_of_features(
    run: Any, moons: str
) -> None:
    for kind, ensemble in ENSEMBLES.items():
        many = ["--ensemble", kind, "--trees", "12", "--seed", "3"]
        out = run("grow", moons, "--target", "label", *many).out
        forest = dtviz.forest(dtviz.read_table(moons, "label"), kind=kind, trees=12, seed=3)
        errors = forest.errors()
        title, _, head, *lines = out.splitlines()
        assert title.startswith(f"{ensemble.title}, ")
        assert ("out of bag" in head) == ensemble.bagged, kind
        cells = [line.split() for line in lines if line[:1].isdigit()]
        shown = {int(trees): text for trees, text, *_ in cells}
        assert [*shown] == [trees for trees in (1, 2, 5, 10, 12) if trees <= len(errors)], kind
        for trees, text in shown.items():
            assert float(text) == pytest.approx(100 * errors.training[trees], rel=0.01), kind
        worth = forest.importances()
        for name in worth.index:
            (line,) = (line for line in lines if line.startswith(name))
            assert float(line.split()[1]) == pytest.approx(100 * worth.impurity[name], rel=0.01)


def test_grow_judges_many_trees_on_held_out_rows(run: Any, moons: str, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    _frame(dtviz.load("moons", n=40, seed=9)).to_csv(other, index=False)
    given = ["grow", moons, "--target", "label", "--test", str(other)]
    _, out, err = run(*given, "--ensemble", "gradient", "--trees", "20")
    data = dtviz.read_table(moons, "label", test=str(other))
    forest = dtviz.forest(data, kind="gradient", trees=20)
    assert data.test is not None
    assert f"accuracy on 40 test rows: {forest.score(data.test):.4g}" in err
    last = out.split("\n\n")[1].splitlines()[-1].split()
    assert float(last[3]) == pytest.approx(100 * (1 - forest.score(data.test)), abs=0.05)


def test_trees_of_a_number_have_a_squared_error_and_no_adaboost(run: Any, table: Any) -> None:
    file = table("x,y\n" + "".join(f"{x},{x * x + 0.5}\n" for x in range(30)))
    grow = ["grow", file, "--target", "y", "--trees", "10", "--ensemble"]
    assert "squared error" in run(*grow, "bagging").out
    code, _, err = run(*grow, "adaboost")
    assert code == 2
    assert "must be one of forest, bagging, extra_trees, gradient" in err


def test_grow_prints_trees_in_a_format_that_has_room_for_them(run: Any, moons: str) -> None:
    data, grow = dtviz.read_table(moons, "label"), ["grow", moons, "--target", "label"]
    many = ["--ensemble", "forest", "--trees", "4", "--max-depth", "2", "--max-features", "1"]
    out = run(*grow, *many, "--member", "2", "--format", "sql").out
    forest = dtviz.forest(data, dtviz.Rules(max_depth=2), trees=4, features=1)
    assert out == forest.model(2).export("sql").rstrip("\n") + "\n"
    boosted = dtviz.forest(data, kind="adaboost", trees=3)
    for form in ("python", "json"):
        answer = run(*grow, "--ensemble", "adaboost", "--trees", "3", "--format", form)
        assert answer.out == boosted.export(form)


def test_score_predicts_another_table_by_all_trees_or_a_single_tree(
    run: Any, moons: str, tmp_path: Path
) -> None:
    frame = _frame(dtviz.load("moons", n=30, seed=5)).drop(columns="label")
    frame.to_csv(tmp_path / "more.csv", index=False)
    score = ["score", moons, str(tmp_path / "more.csv"), "--target", "label"]
    score += ["--ensemble", "adaboost", "--trees", "9", "--rate", "0.5"]
    data = dtviz.read_table(moons, "label")
    forest = dtviz.forest(data, kind="adaboost", trees=9, rate=0.5)
    table = pd.read_csv(io.StringIO(run(*score).out))
    assert [*table][2:] == ["predicted label", "share of A", "share of B"]
    assert table["predicted label"].tolist() == forest.predict(frame).tolist()
    assert table["share of B"].to_numpy() == pytest.approx(forest.predict_proba(frame)[:, 1])
    table = pd.read_csv(io.StringIO(run(*score, "--member", "0").out))
    assert table["predicted label"].tolist() == forest.model(0).predict(frame).tolist()
    assert "leaf" in table


def test_what_makes_no_sense_of_many_trees_is_refused_in_one_line(run: Any, moons: str) -> None:
    for args, text in (
        ("--trees 9", "--trees is about many trees: say which by --ensemble"),
        ("--seed 9", "--seed is about many trees: say which by --ensemble"),
        ("--max-features 1", "--max-features is about many trees"),
        ("--rate 0.1", "--rate is about many trees"),
        ("--member 0", "--member is about many trees"),
        ("--ensemble forest --format sql", "--format sql prints one tree: say which"),
        ("--ensemble forest --trees 0", "`trees` must be a whole number from 1 to"),
        ("--ensemble forest --rate 0.5", "`rate` is for adaboost, gradient"),
        ("--ensemble bagging --max-features 1", "`features` is for forest, extra_trees"),
        ("--ensemble forest --max-features 3", "`features` must be at most the 2 f"),
        ("--ensemble gradient --rate 7", "`rate` must lie above 0"),
        ("--ensemble forest --trees 3 --member 3", "`tree` must be from 0 to 2; not 3"),
    ):
        code, _, err = run("grow", moons, "--target", "label", *args.split())
        assert (code, err.count("\n")) == (2, 1), args
        assert text in err


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal(moons: str, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    assert cli.main(["grow", moons, "--target", "label", "--ensemble", "forest"]) == 0
    shares = [part.split(":")[0] for part in screen.getvalue().split("\r") if "%" in part]
    assert set(shares) == {"growing", "judging", "permuting"}
    assert screen.getvalue().endswith("\r")  # the prompt stands on a line of its own


CHECKOUT = Path(__file__).resolve().parents[3]


def test_grow_prints_the_tree_and_notes_missing_values(run: Any, fruit: str) -> None:
    code, out, err = run("grow", fruit, "--target", "fruit")
    assert code == 0
    assert "width <= 2.5" in out
    assert "lemon" in out
    assert err.startswith("note: ")
    assert "column 'height': 1 row without a value (20 %)" in err
    err = run("grow", fruit, "--target", "fruit", "--missing", "drop").err
    assert "note: 1 row left out: no value in a feature" in err


def test_grow_notes_the_columns_that_would_fool_a_tree(run: Any, table: Any) -> None:
    rows = (f"{i + 900},{i * 7 % 11}.5,{'uv'[i % 2]}" for i in range(30))
    answer = run("grow", table("\n".join(["id,a,y", *rows])), "--target", "y")
    assert answer.err.startswith("note: column 'id': a value of its own in every row")


def test_grow_reads_files_that_are_no_text_in_a_process_apart(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(*given: Any, isolated: bool, **options: Any) -> Any:
        assert isolated
        return read_table(*given, **options)

    monkeypatch.setattr("dtviz.read_table", read)
    file = tmp_path / "fruit.parquet"
    pd.DataFrame({"width": [1, 2, 3, 4], "fruit": [*"llaa"]}).to_parquet(file)
    assert "width <= 2.5" in run("grow", str(file), "--target", "fruit").out
    file.write_bytes(numbered_workbook("1000000000", "A"))
    code, _, err = run("grow", str(file), "--target", "fruit")
    assert code == 2
    assert err.startswith("dtviz: a row has a number beyond 1,048,576")
    assert err.count("\n") == 1


def test_grow_prints_every_format(run: Any, fruit: str) -> None:
    for form in TREE_KINDS:
        code, out, _ = run("grow", fruit, "--target", "fruit", "--format", form)
        assert code == 0, form
        assert "2.5" in out, form
        if form == "json":
            json.loads(out)
        if form == "python":
            compile(out, "tree.py", "exec")


def test_grow_takes_numbers_as_a_regression_by_squared_error(run: Any, table: Any) -> None:
    answer = run("grow", table("x,y\n1,0.5\n2,0.5\n3,9.5\n4,9.5\n"), "--target", "y")
    assert "x <= 2.5" in answer.out


def test_grow_takes_features_and_rules(run: Any, fruit: str) -> None:
    args = ["--features", " height ", "--criterion", "gini", "--max-depth", "1", "--order", "best"]
    args += ["--families", "axis,onevsrest"]
    assert "height <= 3" in run("grow", fruit, "--target", "fruit", *args).out
    for args, cut in (
        (["--min-impurity-decrease", "9"], False),
        (["--max-p-value", "0.05"], False),
        (["--min-samples-leaf", "0.4"], True),  # of 5 rows: 2
        (["--min-samples-leaf", "0.6"], False),  # and 3
    ):
        code, out, _ = run("grow", fruit, "--target", "fruit", *args)
        assert (code, "<=" in out) == (0, cut), args


def test_slanted_and_round_cuts_grow_by_their_families(run: Any, table: Any) -> None:
    for family, inside in (
        ("oblique", lambda x, y: x + y < 6),
        ("radial", lambda x, y: (x - 3) ** 2 + (y - 3) ** 2 < 5),
    ):
        rows = "".join(f"{x},{y},{inside(x, y)}\n" for x in range(7) for y in range(7))
        file = table("x,y,in\n" + rows)
        out = run("grow", file, "--target", "in", "--families", f"axis,{family}").out
        assert out.count("predict ") == 2, "one cut parts them"
        assert ("²" in out) == (family == "radial")
        assert family in run("grow", "--help").out


def test_grow_refuses_in_one_line(run: Any, fruit: str, tmp_path: Path) -> None:
    of = ["--target", "fruit"]
    for args, text in (
        (["--target", "colour"], "`target` must be one of the columns"),
        ([*of, "--features", "width,fruit"], "is the target"),
        ([*of, "--max-depth", "0"], "`max_depth` must be at least 1"),
        ([*of, "--min-samples-leaf", "1.5"], "or a share between 0 and 1; not 1.5"),
        ([*of, "--min-weight-fraction-leaf", "0.6"], "from 0 to 0.5; not 0.6"),
        ([*of, "--class-weight", "pear=2"], "must speak of 'apple', 'lemon'"),
        ([*of, "--priors", "lemon=.5"], "one probability for each"),
        ([*of, "--costs", "pear:apple=2"], "must speak of 'apple', 'lemon'"),
        ([*of, "--types", "width=luck"], "`types` must be of number, category"),
        ([*of, "--criterion", "luck"], "`criterion` must be"),
        ([*of, "--criterion", "squared_error"], "`criterion` must be"),
    ):
        code, _, err = run("grow", fruit, *args)
        (line,) = [line for line in err.splitlines() if not line.startswith("note:")]
        assert code == 2, args
        assert line.startswith("dtviz: "), args
        assert text in line
    code, _, err = run("grow", str(tmp_path / "none.csv"), "--target", "y")
    assert (code, "none.csv" in err, err.count("\n")) == (2, True, 1)


@pytest.mark.skipif(os.name == "nt", reason="pipes break otherwise there")
def test_grow_ends_quietly_where_its_reader_leaves_and_loads_no_page(fruit: str) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-X", "importtime", "-m", "dtviz", "grow", fruit]
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    with os.fdopen(write, "wb") as out:
        end = subprocess.run(
            [*command, "--target", "fruit"], stdout=out, stderr=subprocess.PIPE, env=env,
            check=False, timeout=60,
        )  # fmt: skip
    assert end.returncode == 1
    lines = end.stderr.decode().splitlines()
    imports = [line for line in lines if line.startswith("import time:")]
    loaded = {line.split("|")[-1].strip() for line in imports}
    assert "dtviz.app.cli.grow" in loaded
    assert not {"streamlit", "plotly"} & loaded
    notes = [line for line in lines if line not in imports]
    assert notes
    assert all(line.startswith("note: ") for line in notes)


def test_feature_names_are_parted_by_commas() -> None:
    for text, parts in (
        (None, None), ("a,b", ["a", "b"]), (" a , b ", ["a", "b"]), ('"a,b",c', ["a,b", "c"]),
    ):  # fmt: skip
        assert names_in(text) == parts, text


def test_grow_weighs_rows_by_their_classes(run: Any, fruit: str) -> None:
    grow = ["grow", fruit, "--target", "fruit", "--max-depth", "1", "--features", "width"]
    for args, text in (
        (["--class-weight", "lemon = 2"], "[5 rows, weight 7]"),
        (["--class-weight", "balanced"], "[5 rows, weight 5]"),
        (["--priors", "lemon=.25, apple=.75"], "weight 1.25: lemon 2"),
    ):
        _, out, err = run(*grow, *args)
        assert text in out
        assert "the weight of a row is times that of its class: apple " in err, args


def test_grow_takes_what_mistakes_cost(run: Any, table: Any) -> None:
    file, other = table("x,y\n1,a\n1,b\n1,b\n2,c\n"), table("x,y\n1,a\n1,b\n2,c\n", "b.csv")
    grow = ["grow", file, "--target", "y", "--test", other]
    _, out, err = run(*grow, "--costs", "a:b=5, c : a = 2")
    assert 'x <= 1.5? yes: predict "a" [33.3 % of 3 rows, weight 5: a 1, b 2]' in out
    assert "a called b 5, c 1; b called a 1, c 1; c called a 2, b 1" in err
    assert "accuracy on 3 test rows: 0.6667\ncost a row on 3 test rows: 0.3333\n" in err
    assert "argument --costs: invalid" in run(*grow, "--costs", "a=5").err


def test_grow_and_score_read_columns_by_their_types(run: Any, table: Any) -> None:
    file = table("zip,day,y\n2,1/2/2024,a\n3,2/2/2024,b\n2,3/2/2024,a\n3,4/2/2024,b\n")
    given = ["--target", "y", "--types", "zip = category, day=day-first", "--features"]
    assert "zip = 2" in run("grow", file, *given, "zip").out
    assert "day before 2024-02-02" in run("grow", file, *given, "day").out
    assert "2024-02-01" in run("score", file, file, *given, "day").out


def test_grow_takes_a_file_without_a_header(run: Any, table: Any) -> None:
    answer = run("grow", table("1,a\n3,b\n"), "--target", "column 2", "--no-header")
    assert 'column 1 <= 2? yes: predict "a" [1 row: a 1]' in answer.out


def test_grow_weighs_rows_by_a_column(run: Any, table: Any) -> None:
    file = table("x,w,y\n1,2.5,a\n2,0,b\n3,1,b\n")
    _, out, err = run("grow", file, "--target", "y", "--sample-weight", "w")
    assert out.splitlines()[0] == "[2 rows, weight 3.5]"
    assert 'x <= 2? yes: predict "a" [1 row, weight 2.5: a 1]' in out
    assert "left out, its weight is 0 (line 3)" in err


def test_grow_judges_the_tree_on_held_out_rows(run: Any, table: Any) -> None:
    file = table("x,y,for\n1,a,train\n2,b,train\n1,b,val\n2,b,val\n1,a,test\n")
    _, out, err = run("grow", file, "--target", "y", "--role", "for")
    assert "x <= 1.5" in out
    assert "accuracy on 2 validation rows: 0.5\naccuracy on 1 test row: 1\n" in err
    grow = ["grow", file, "--target", "y", "--features", "x", "--test"]
    answer = run(*grow, table("x,y\n1,a\n2,a\n", "other.csv"))
    assert "accuracy on 2 test rows: 0.5\n" in answer.err
    code, _, err = run(*grow, table("z,y\n1,a\n2,a\n", "other.csv"))
    assert code == 2
    assert "the test rows have no column 'x'; they need it" in err


def test_score_prints_another_table_with_predictions(run: Any, table: Any) -> None:
    file = table("x,y\n1,a\n2,b\n")
    other = table("id;x\n=a;1,5\n007;2\n3;\n", "other.csv")
    _, out, err = run("score", file, other, "--target", "y", "--max-depth", "1")
    assert out.splitlines() == [
        "id,x,predicted y,leaf,share of a,share of b",
        "'=a,1.5,a,2,1.0,0.0",
        "007,2.0,b,3,0.0,1.0",
        "3,,,,,",
    ]
    assert "note: 1 row: not predicted, no value in 'x' (line 4)" in err
    code, _, err = run("score", file, table("z\n1\n", "other.csv"), "--target", "y")
    assert code == 2
    assert "the table has no column 'x'" in err


def test_leaf_models_grow_their_tree_and_are_judged_by_their_shares(run: Any, table: Any) -> None:
    file = table("x,y\n" + "".join(f"{x},{abs(x - 3.5) * 2 + 0.5}\n" for x in range(8)))
    asked = ["grow", file, "--target", "y", "--task", "regression", "--leaf-model", "linear"]
    assert "7.5 - 2·x" in run(*asked).out
    rows = "".join(f"{x},{'ab'[x > 3]},train\n" for x in range(8)) + "1,a,test\n6,b,test\n"
    file = table("x,y,part\n" + rows)
    answer = run("grow", file, "--target", "y", "--role", "part", "--leaf-model", "shares")
    assert "log loss on 2 test rows: 0.1823" in answer.err  # -ln(5/6)
    assert "Brier score on 2 test rows: 0.02778" in answer.err
