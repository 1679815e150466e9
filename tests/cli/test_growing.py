from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from test_files import numbered_workbook

from dtviz import cli
from dtviz.cli.asked import names
from dtviz.say.export import KINDS

CHECKOUT = Path(__file__).resolve().parents[2]
CAPTURED = pytest.CaptureFixture[str]


def python(*args: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """`python` with these arguments, finding the checkout's dtviz wherever it runs."""
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    return subprocess.run([sys.executable, *args], env=env, check=False, timeout=60, **options)


def test_grow_prints_the_tree_and_notes_what_is_missing(fruit: str, capsys: CAPTURED) -> None:
    assert cli.main(["grow", fruit, "--target", "fruit"]) == 0
    said = capsys.readouterr()
    assert "width <= 2.5" in said.out
    assert "lemon" in said.out
    assert said.err.startswith("note: ")
    assert "column 'height': 1 row without a value (20 %)" in said.err


def test_grow_says_how_many_rows_it_left_out(fruit: str, capsys: CAPTURED) -> None:
    assert cli.main(["grow", fruit, "--target", "fruit", "--missing", "drop"]) == 0
    assert "note: 1 row left out: no value in a feature" in capsys.readouterr().err


def test_grow_tells_the_columns_that_would_fool_a_tree(tmp_path: Path, capsys: CAPTURED) -> None:
    file = tmp_path / "people.csv"
    rows = (f"{i + 900},{i * 7 % 11}.5,{'uv'[i % 2]}" for i in range(30))
    file.write_text("\n".join(["id,a,y", *rows]))
    assert cli.main(["grow", str(file), "--target", "y"]) == 0
    assert capsys.readouterr().err.startswith("note: column 'id': a value of its own in every row")


def test_grow_reads_what_is_no_text(tmp_path: Path, capsys: CAPTURED) -> None:
    file = tmp_path / "fruit.parquet"
    pd.DataFrame({"width": [1, 2, 3, 4], "fruit": ["lemon", "lemon", "apple", "apple"]}).to_parquet(
        file
    )
    assert cli.main(["grow", str(file), "--target", "fruit"]) == 0
    assert "width <= 2.5" in capsys.readouterr().out
    file.write_bytes(numbered_workbook("1000000000", "A"))
    for command in (["grow", str(file)], ["open", str(file), "--port", "1"]):
        assert cli.main([*command, "--target", "fruit"]) == 2
        said = capsys.readouterr().err
        assert said.startswith("dtviz: a row has a number beyond 1,048,576")
        assert said.count("\n") == 1


@pytest.mark.parametrize("form", KINDS)
def test_grow_prints_every_format(form: str, fruit: str, capsys: CAPTURED) -> None:
    assert cli.main(["grow", fruit, "--target", "fruit", "--format", form]) == 0
    printed = capsys.readouterr().out
    assert "2.5" in printed
    if form == "json":
        json.loads(printed)
    if form == "python":
        compile(printed, "tree.py", "exec")


def test_grow_takes_numbers_as_a_regression_by_squared_error(
    tmp_path: Path, capsys: CAPTURED
) -> None:
    file = tmp_path / "line.csv"
    file.write_text("x,y\n1,0.5\n2,0.5\n3,9.5\n4,9.5\n")
    assert cli.main(["grow", str(file), "--target", "y"]) == 0
    assert "x <= 2.5" in capsys.readouterr().out


def test_grow_takes_features_and_rules(fruit: str, capsys: CAPTURED) -> None:
    args = ["--features", " height ", "--criterion", "gini", "--max-depth", "1", "--order", "best"]
    args += ["--families", "axis,onevsrest"]
    assert cli.main(["grow", fruit, "--target", "fruit", *args]) == 0
    assert "height <= 3" in capsys.readouterr().out
    assert cli.main(["grow", fruit, "--target", "fruit", "--min-impurity-decrease", "9"]) == 0
    assert "<=" not in capsys.readouterr().out
    for share, cuts in (("0.4", True), ("0.6", False)):  # of 5 rows: 2, and 3
        assert cli.main(["grow", fruit, "--target", "fruit", "--min-samples-leaf", share]) == 0
        assert ("<=" in capsys.readouterr().out) == cuts


@pytest.mark.parametrize("family", ["oblique", "radial"])
def test_slanted_and_round_cuts_grow_where_they_are_asked_for(
    family: str, tmp_path: Path, capsys: CAPTURED
) -> None:
    file, rows = tmp_path / "ring.csv", [(x, y) for x in range(7) for y in range(7)]
    inside = {
        "oblique": lambda x, y: x + y < 6,
        "radial": lambda x, y: (x - 3) ** 2 + (y - 3) ** 2 < 5,
    }
    file.write_text("x,y,in\n" + "".join(f"{x},{y},{inside[family](x, y)}\n" for x, y in rows))
    given = ["grow", str(file), "--target", "in", "--families", f"axis,{family}"]
    assert cli.main(given) == 0
    printed = capsys.readouterr().out
    assert printed.count("->") == 2  # one cut parts them
    assert ("²" in printed) == (family == "radial")
    with pytest.raises(SystemExit):
        cli.main(["grow", "--help"])
    assert family in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--target", "colour"], "`target` must be one of the columns"),
        (["--target", "fruit", "--features", "width,fruit"], "is the target"),
        (["--target", "fruit", "--max-depth", "0"], "`max_depth` must be at least 1"),
        (["--target", "fruit", "--min-samples-leaf", "1.5"], "or a share between 0 and 1; not 1.5"),
        (["--target", "fruit", "--min-weight-fraction-leaf", "0.6"], "from 0 to 0.5; not 0.6"),
        (["--target", "fruit", "--class-weight", "pear=2"], "must speak of 'apple', 'lemon'"),
        (["--target", "fruit", "--priors", "lemon=.5"], "one probability for each"),
        (["--target", "fruit", "--costs", "pear:apple=2"], "must speak of 'apple', 'lemon'"),
        (["--target", "fruit", "--types", "width=luck"], "`types` must be of number, category"),
        (["--target", "fruit", "--criterion", "luck"], "`criterion` must be"),
        (["--target", "fruit", "--criterion", "squared_error"], "`criterion` must be"),
    ],
)
def test_grow_says_what_is_wrong_in_one_line(
    args: list[str], said: str, fruit: str, capsys: CAPTURED
) -> None:
    assert cli.main(["grow", fruit, *args]) == 2
    errors = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("note:")]
    assert len(errors) == 1
    assert errors[0].startswith("dtviz: ")
    assert said in errors[0]


def test_grow_without_the_file_says_so(tmp_path: Path, capsys: CAPTURED) -> None:
    assert cli.main(["grow", str(tmp_path / "none.csv"), "--target", "y"]) == 2
    said = capsys.readouterr().err
    assert "none.csv" in said
    assert said.count("\n") == 1


def test_grow_does_not_load_streamlit(fruit: str) -> None:
    look = "import sys; from dtviz.cli import main; main(sys.argv[1:]); "
    look += "assert not {'streamlit', 'plotly'} & set(sys.modules)"
    done = python("-c", look, "grow", fruit, "--target", "fruit", capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.skipif(os.name == "nt", reason="pipes break otherwise there")
def test_reader_that_leaves_is_no_error(fruit: str) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as out:
        args = ("-m", "dtviz", "grow", fruit, "--target", "fruit")
        done = python(*args, stdout=out, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert done.stderr.decode().startswith("note: ")
    assert all(line.startswith(b"note: ") for line in done.stderr.splitlines())


@pytest.mark.parametrize(
    ("text", "found"),
    [(None, None), ("a,b", ["a", "b"]), (" a , b ", ["a", "b"]), ('"a,b",c', ["a,b", "c"])],
)
def test_feature_names_are_parted_by_commas(text: str | None, found: list[str] | None) -> None:
    assert names(text) == found


def test_grow_weighs_rows_by_their_classes(fruit: str, capsys: CAPTURED) -> None:
    grow = ["grow", fruit, "--target", "fruit", "--max-depth", "1", "--features", "width"]
    for args, text in (
        (["--class-weight", "lemon = 2"], "[5 rows, weight 7]"),
        (["--class-weight", "balanced"], "[5 rows, weight 5]"),
        (["--priors", "lemon=.25, apple=.75"], "weight 1.25: lemon 2"),
    ):
        assert cli.main([*grow, *args]) == 0
        said = capsys.readouterr()
        assert text in said.out
        assert "the weight of a row is times that of its class: apple " in said.err


def test_grow_takes_what_mistakes_cost(tmp_path: Path, capsys: CAPTURED) -> None:
    file, other = tmp_path / "a.csv", tmp_path / "b.csv"
    file.write_text("x,y\n1,a\n1,b\n1,b\n2,c\n")
    other.write_text("x,y\n1,a\n1,b\n2,c\n")
    grow = ["grow", str(file), "--target", "y", "--test", str(other)]
    assert cli.main([*grow, "--costs", "a:b=5, c : a = 2"]) == 0
    said = capsys.readouterr()
    assert "x <= 1.5: yes: -> a [3 rows, weight 5: a 1, b 2]" in said.out
    assert "a called b 5, c 1; b called a 1, c 1; c called a 2, b 1" in said.err
    assert "accuracy on 3 test rows: 0.6667\ncost a row on 3 test rows: 0.3333\n" in said.err
    with pytest.raises(SystemExit):
        cli.main([*grow, "--costs", "a=5"])
    assert "argument --costs: invalid" in capsys.readouterr().err


def test_types_are_said_by_column(tmp_path: Path, capsys: CAPTURED) -> None:
    file = tmp_path / "a.csv"
    file.write_text("zip,day,y\n2,1/2/2024,a\n3,2/2/2024,b\n2,3/2/2024,a\n3,4/2/2024,b\n")
    given = [str(file), "--target", "y", "--types", "zip = category, day=day-first"]
    assert cli.main(["grow", *given, "--features", "zip"]) == 0
    assert "zip = 2" in capsys.readouterr().out
    assert cli.main(["grow", *given, "--features", "day"]) == 0
    assert "day before 2024-02-02" in capsys.readouterr().out
    assert cli.main(["score", given[0], str(file), *given[1:], "--features", "day"]) == 0
    assert "2024-02-01" in capsys.readouterr().out


def test_grow_takes_a_file_without_a_header(tmp_path: Path, capsys: CAPTURED) -> None:
    file = tmp_path / "a.csv"
    file.write_text("1,a\n3,b\n")
    assert cli.main(["grow", str(file), "--target", "column 2", "--no-header"]) == 0
    assert "column 1 <= 2: yes: -> a [1 row: a 1]" in capsys.readouterr().out


def test_grow_weighs_rows_by_a_column(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.csv"
    file.write_text("x,w,y\n1,2.5,a\n2,0,b\n3,1,b\n")
    assert cli.main(["grow", str(file), "--target", "y", "--sample-weight", "w"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[0] == "[2 rows, weight 3.5]"
    assert "x <= 2: yes: -> a [1 row, weight 2.5: a 1]" in said.out
    assert "left out, its weight is 0 (line 3)" in said.err


def test_grow_judges_on_rows_held_out(tmp_path: Path, capsys: CAPTURED) -> None:
    file, other = tmp_path / "t.csv", tmp_path / "other.csv"
    file.write_text("x,y,for\n1,a,train\n2,b,train\n1,b,val\n2,b,val\n1,a,test\n")
    assert cli.main(["grow", str(file), "--target", "y", "--role", "for"]) == 0
    out, err = capsys.readouterr()
    assert "x <= 1.5" in out
    assert "accuracy on 2 validation rows: 0.5\naccuracy on 1 test row: 1\n" in err
    other.write_text("x,y\n1,a\n2,a\n")
    grow = ["grow", str(file), "--target", "y", "--features", "x"]
    assert cli.main([*grow, "--test", str(other)]) == 0
    assert "accuracy on 2 test rows: 0.5\n" in capsys.readouterr().err
    other.write_text("z,y\n1,a\n2,a\n")
    assert cli.main([*grow, "--test", str(other)]) == 2
    assert "the test rows have no column 'x'; they need it" in capsys.readouterr().err


def test_score_prints_another_table_with_predictions(tmp_path: Path, capsys: CAPTURED) -> None:
    file, other = tmp_path / "t.csv", tmp_path / "other.csv"
    file.write_text("x,y\n1,a\n2,b\n")
    other.write_text("id;x\n=a;1,5\n007;2\n3;\n")
    assert cli.main(["score", str(file), str(other), "--target", "y", "--max-depth", "1"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "id,x,predicted y,leaf,share of a,share of b",
        "'=a,1.5,a,2,1.0,0.0",
        "007,2.0,b,3,0.0,1.0",
        "3,,,,,",
    ]
    assert "note: 1 row: not predicted, no value in 'x' (line 4)" in err
    other.write_text("z\n1\n")
    assert cli.main(["score", str(file), str(other), "--target", "y"]) == 2
    assert "the table has no column 'x'" in capsys.readouterr().err


def test_leaf_models_grow_their_tree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bent.csv"
    path.write_text("x,y\n" + "".join(f"{x},{abs(x - 3.5) * 2 + 0.5}\n" for x in range(8)))
    asked = ["grow", str(path), "--target", "y", "--task", "regression"]
    assert cli.main([*asked, "--leaf-model", "linear"]) == 0
    assert "7.5 - 2·x" in capsys.readouterr().out


def test_leaves_that_tell_shares_are_judged_by_them_on_rows_held_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "two.csv"
    path.write_text("x,y,part\n" + "".join(f"{x},{'ab'[x > 3]},train\n" for x in range(8)))
    with path.open("a") as more:
        more.write("1,a,test\n6,b,test\n")
    asked = ["grow", str(path), "--target", "y", "--role", "part", "--leaf-model", "shares"]
    assert cli.main(asked) == 0
    said = capsys.readouterr().err
    assert "log loss on 2 test rows: 0.1823" in said  # -ln(5/6)
    assert "Brier score on 2 test rows: 0.02778" in said
