"""`--ensemble`: many trees that predict together, on the command line."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd
import pytest

import dtviz
from dtviz import cli
from dtviz.engine.ensembles import ENSEMBLES
from dtviz.model import in_classes

CAPTURED = pytest.CaptureFixture[str]


@pytest.fixture
def moons(tmp_path: Path) -> str:
    data = dtviz.load("moons", n=80)
    file = tmp_path / "moons.csv"
    _frame(data).to_csv(file, index=False)
    return str(file)


def _frame(data: dtviz.Dataset) -> pd.DataFrame:
    columns = dict(zip(data.features, data.columns, strict=True))
    return pd.DataFrame({**columns, "label": in_classes(data, data.y.astype(float))})


@pytest.mark.parametrize("kind", ENSEMBLES)
def test_grow_tells_of_each_kind_its_errors_and_what_features_are_worth(
    kind: str, moons: str, capsys: CAPTURED
) -> None:
    asked = ["--ensemble", kind, "--trees", "12", "--seed", "3"]
    assert cli.main(["grow", moons, "--target", "label", *asked]) == 0
    said, made = capsys.readouterr().out, dtviz.forest
    found = made(dtviz.read_table(moons, "label"), kind=kind, trees=12, seed=3)
    errors = found.errors()
    title, _, head, *lines = said.splitlines()
    assert title.startswith(f"{ENSEMBLES[kind].title}, ")
    assert ("out of bag" in head) == ENSEMBLES[kind].bagged
    cells = [line.split() for line in lines if line[:1].isdigit()]
    shown = {int(many): text for many, text, *_ in cells}
    assert [*shown] == [at for at in (1, 2, 5, 10, 12) if at <= len(errors)]
    for at, text in shown.items():
        assert float(text) == pytest.approx(100 * errors.training[at], rel=0.01)
    worth = found.importances()
    for name in worth.index:
        (line,) = (line for line in lines if line.startswith(name))
        assert float(line.split()[1]) == pytest.approx(100 * worth.impurity[name], rel=0.01)


def test_grow_judges_many_trees_on_rows_held_out(
    moons: str, tmp_path: Path, capsys: CAPTURED
) -> None:
    other = tmp_path / "other.csv"
    _frame(dtviz.load("moons", n=40, seed=9)).to_csv(other, index=False)
    given = ["grow", moons, "--target", "label", "--test", str(other)]
    assert cli.main([*given, "--ensemble", "gradient", "--trees", "20"]) == 0
    said = capsys.readouterr()
    data = dtviz.read_table(moons, "label", test=str(other))
    found = dtviz.forest(data, kind="gradient", trees=20)
    assert data.test is not None
    assert f"accuracy on 40 test rows: {found.score(data.test):.4g}" in said.err
    last = said.out.split("\n\n")[1].splitlines()[-1].split()
    assert float(last[3]) == pytest.approx(100 * (1 - found.score(data.test)), abs=0.05)


def test_a_number_is_told_by_its_squared_error(tmp_path: Path, capsys: CAPTURED) -> None:
    file = tmp_path / "bent.csv"
    file.write_text("x,y\n" + "".join(f"{x},{x * x + 0.5}\n" for x in range(30)))
    assert cli.main(["grow", str(file), "--target", "y", "--ensemble", "bagging"]) == 0
    assert "squared error" in capsys.readouterr().out


def test_grow_prints_one_of_the_trees_in_a_format(moons: str, capsys: CAPTURED) -> None:
    asked = ["--ensemble", "forest", "--trees", "4", "--max-depth", "2", "--max-features", "1"]
    one = ["--member", "2", "--format", "sql"]
    assert cli.main(["grow", moons, "--target", "label", *asked, *one]) == 0
    rules = dtviz.Rules(max_depth=2)
    found = dtviz.forest(dtviz.read_table(moons, "label"), rules, trees=4, features=1)
    assert capsys.readouterr().out == found.model(2).export("sql").rstrip("\n") + "\n"


@pytest.mark.parametrize("form", ["python", "json"])
def test_grow_prints_all_trees_in_a_format_that_can_say_them(
    form: str, moons: str, capsys: CAPTURED
) -> None:
    asked = ["--ensemble", "adaboost", "--trees", "3", "--format", form]
    assert cli.main(["grow", moons, "--target", "label", *asked]) == 0
    found = dtviz.forest(dtviz.read_table(moons, "label"), kind="adaboost", trees=3)
    assert capsys.readouterr().out == found.export(form)


def test_score_predicts_another_table_by_all_trees_or_one(
    moons: str, tmp_path: Path, capsys: CAPTURED
) -> None:
    frame = _frame(dtviz.load("moons", n=30, seed=5)).drop(columns="label")
    other = tmp_path / "more.csv"
    frame.to_csv(other, index=False)
    asked = ["score", moons, str(other), "--target", "label"]
    asked += ["--ensemble", "adaboost", "--trees", "9", "--rate", "0.5"]
    found = dtviz.forest(
        dtviz.read_table(moons, "label"), kind="adaboost", trees=9, rate=0.5
    )  # fmt: skip
    assert cli.main(asked) == 0
    table = pd.read_csv(io.StringIO(capsys.readouterr().out))
    assert [*table][2:] == ["predicted label", "share of A", "share of B"]
    assert table["predicted label"].tolist() == found.predict(frame).tolist()
    assert table["share of B"].to_numpy() == pytest.approx(found.predict_proba(frame)[:, 1])
    assert cli.main([*asked, "--member", "0"]) == 0
    table = pd.read_csv(io.StringIO(capsys.readouterr().out))
    assert table["predicted label"].tolist() == found.model(0).predict(frame).tolist()
    assert "leaf" in table


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--trees", "9"], "--trees is about many trees: say which by --ensemble"),
        (["--seed", "9"], "--seed is about many trees: say which by --ensemble"),
        (["--max-features", "1"], "--max-features is about many trees"),
        (["--rate", "0.1"], "--rate is about many trees"),
        (["--member", "0"], "--member is about many trees"),
        (["--ensemble", "forest", "--format", "sql"], "--format sql prints one tree: say which"),
        (["--ensemble", "forest", "--trees", "0"], "`trees` must be a whole number from 1 to"),
        (["--ensemble", "forest", "--rate", "0.5"], "`rate` is for adaboost, gradient"),
        (["--ensemble", "bagging", "--max-features", "1"], "`features` is for forest, extra_trees"),
        (["--ensemble", "forest", "--max-features", "3"], "`features` must be at most the 2 f"),
        (["--ensemble", "gradient", "--rate", "7"], "`rate` must lie above 0"),
        (
            ["--ensemble", "forest", "--trees", "3", "--member", "3"],
            "`tree` must be from 0 to 2; not 3",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    asked: list[str], said: str, moons: str, capsys: CAPTURED
) -> None:
    assert cli.main(["grow", moons, "--target", "label", *asked]) == 2
    line = capsys.readouterr().err
    assert said in line
    assert line.count("\n") == 1


def test_adaboost_of_a_number_is_refused(tmp_path: Path, capsys: CAPTURED) -> None:
    file = tmp_path / "line.csv"
    file.write_text("x,y\n1,0.5\n2,0.5\n3,9.5\n4,9.5\n")
    assert cli.main(["grow", str(file), "--target", "y", "--ensemble", "adaboost"]) == 2
    assert "must be one of forest, bagging, extra_trees, gradient" in capsys.readouterr().err


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_where_someone_looks(moons: str, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    assert cli.main(["grow", moons, "--target", "label", "--ensemble", "forest"]) == 0
    shares = [part.split(":")[0] for part in screen.getvalue().split("\r") if "%" in part]
    assert set(shares) == {"growing", "judging", "permuting"}
    assert screen.getvalue().endswith("\r")  # the prompt stands on a line of its own
