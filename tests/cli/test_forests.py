"""`--ensemble`: many trees that predict together, on the command line."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import dtviz
from dtviz import cli
from dtviz.engine.ensembles import ENSEMBLES
from dtviz.model import in_classes


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
