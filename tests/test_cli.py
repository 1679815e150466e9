from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pandas as pd
import pytest
import streamlit as st
from streamlit import config as streamlit_config

import dtviz
from dtviz import cli
from dtviz.engine.leaf_models import LEAF_MODELS
from dtviz.instrument import Instrument
from dtviz.screen import address
from dtviz.screen.session import Session
from dtviz.screen.visit import Visit
from dtviz.table import uploads
from dtviz.table.data import Recipe

CHECKOUT = Path(__file__).resolve().parent.parent
CAPTURED = pytest.CaptureFixture[str]


def python(*args: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """`python` with these arguments, finding the checkout's dtviz wherever it runs."""
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    return subprocess.run([sys.executable, *args], env=env, check=False, timeout=60, **options)


# --- dtviz ----------------------------------------------------------------------------------------


@pytest.fixture
def taken() -> Iterator[int]:
    """A port somebody listens on."""
    with socket.socket() as other:
        other.bind(("localhost", 0))
        other.listen()
        yield other.getsockname()[1]


def test_app_starts_from_an_empty_folder_and_ctrl_c_ends_it_quietly(serve: Any) -> None:
    server = serve()
    assert '<div id="root">' in server.get("/")
    assert server.stop() == 0
    assert server.output.read_text().split("\n") == [
        f"dtviz is at {server.url} (Ctrl-C stops it)",
        "",
        "",
    ]


def test_taken_port_is_said_in_one_line(taken: int, capsys: CAPTURED) -> None:
    assert cli.main(["--no-browser", "--port", str(taken)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"dtviz: port {taken} is already in use; choose another: dtviz --port ")
    assert said.count("\n") == 1


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http", "²"])
def test_port_that_is_none_is_refused(port: str, capsys: CAPTURED) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["--port", port])
    assert end.value.code == 2
    assert "must be a number from 1 to 65535" in capsys.readouterr().err


def test_host_that_is_not_ours_is_said_in_one_line(capsys: CAPTURED) -> None:
    assert cli.main(["--no-browser", "--host", "192.0.2.1"]) == 2
    assert capsys.readouterr().err.startswith("dtviz: cannot listen on 192.0.2.1 port 8501: ")


@pytest.mark.parametrize(
    ("args", "headless"), [([], None), (["--no-browser"], True)], ids=["browser", "no-browser"]
)
def test_settings_reach_the_server(
    args: list[str], headless: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    got: dict[str, Any] = {}
    monkeypatch.setattr(st.App, "run", lambda _app, config: got.update(config))
    monkeypatch.setattr(cli, "need_free_port", lambda _host, _port: None)
    assert cli.main([*args, "--port", "8600"]) == 0
    assert got["server.port"] == 8600
    assert got["server.address"] == "localhost"
    assert got["server.allowedHosts"] == ["localhost", "127.0.0.1"]
    assert got["server.maxUploadSize"] == 200
    assert got["theme.dark.primaryColor"] == "#6fc3f7"
    assert got.get("server.headless") is headless


def test_the_largest_file_can_be_set(monkeypatch: pytest.MonkeyPatch, capsys: CAPTURED) -> None:
    got: dict[str, Any] = {}
    monkeypatch.setattr(st.App, "run", lambda _app, config: got.update(config))
    monkeypatch.setattr(cli, "need_free_port", lambda _host, _port: None)
    assert cli.main(["--max-upload", "5"]) == 0
    assert got["server.maxUploadSize"] == 5
    for odd in ("0", "201", "x"):
        with pytest.raises(SystemExit):
            cli.main(["--max-upload", odd])
        assert "must be a number of MB from 1 to 200" in capsys.readouterr().err


def test_on_the_network_every_name_of_this_machine_is_answered() -> None:
    assert cli.server_options("0.0.0.0", 8501)["server.allowedHosts"] == []


# The settings: each must exist in the streamlit that is installed, the hidden ones too.
OPTIONS = cli.read_options(cli.home())


@pytest.mark.parametrize("name", [*OPTIONS, *cli.server_options("localhost", 1)])
def test_streamlit_knows_the_setting(name: str) -> None:
    streamlit_config.get_option(name)  # raises for a name it does not know


def test_privacy_and_load_settings() -> None:
    wanted = {
        "browser.gatherUsageStats": False,
        "client.showErrorDetails": "none",
        "client.showErrorLinks": False,
        "runner.postScriptGC": False,
        "server.fileWatcherType": "none",
        "server.maxUploadSize": 200,
    }
    assert {name: OPTIONS[name] for name in wanted} == wanted


def test_settings_name_no_other_host() -> None:
    assert not any("://" in str(value) for value in OPTIONS.values())


# --- dtviz grow -----------------------------------------------------------------------------------

FRUIT = "width,height,fruit\n1,5,lemon\n2,4,lemon\n3,1,apple\n4,,apple\n4,2,apple\n"


@pytest.fixture
def fruit(tmp_path: Path) -> str:
    file = tmp_path / "fruit.csv"
    file.write_text(FRUIT)
    return str(file)


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


@pytest.mark.parametrize("form", cli.FORMATS)
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
    ("text", "names"),
    [(None, None), ("a,b", ["a", "b"]), (" a , b ", ["a", "b"]), ('"a,b",c', ["a,b", "c"])],
)
def test_feature_names_are_parted_by_commas(text: str | None, names: list[str] | None) -> None:
    assert cli._names(text) == names


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
        "=a,1.5,a,2,1.0,0.0",
        "007,2.0,b,3,0.0,1.0",
        "3,,,,,",
    ]
    assert "note: 1 row: not predicted, no value in 'x' (line 4)" in err
    other.write_text("z\n1\n")
    assert cli.main(["score", str(file), str(other), "--target", "y"]) == 2
    assert "the table has no column 'x'" in capsys.readouterr().err


def test_leaf_models_are_those_of_the_engine_and_grow_their_tree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert set(cli.LEAVES) == set(LEAF_MODELS)
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


@pytest.fixture
def led(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where `dtviz open` leads the browser."""
    got: list[str] = []
    monkeypatch.setattr(cli, "start", lambda _args, at: got.append(at) or cli.OK)
    monkeypatch.setattr(cli, "need_free_port", lambda _host, _port: None)
    monkeypatch.setattr(uploads, "SERVED", {})
    return got


def test_open_serves_a_table_and_leads_to_its_tree(fruit: str, led: list[str]) -> None:
    assert cli.main(["open", fruit, "--target", "fruit"]) == 0
    (mark,) = uploads.SERVED
    assert mark == uploads.fingerprint(Path(fruit).read_bytes())
    found = address.read(dict(parse_qsl(led[0])), Recipe("iris"))
    assert found.problems == ()
    tab = Instrument(Visit(Session(found.recipe)), files=dict(uploads.SERVED))
    data, read = tab.dataset(found.recipe), dtviz.read_table(fruit, target="fruit")
    assert (data.features, data.classes, data.n) == (read.features, read.classes, read.n)


@pytest.mark.parametrize("after", [True, False], ids=["after", "before"])
def test_open_takes_the_servers_settings_before_and_after_it(
    after: bool, fruit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    got: dict[str, Any] = {}
    monkeypatch.setattr(st.App, "run", lambda _app, config: got.update(config))
    monkeypatch.setattr(cli, "need_free_port", lambda _host, _port: None)
    monkeypatch.setattr(uploads, "SERVED", {})
    given, asked = ["--port", "8600", "--no-browser"], ["open", fruit, "--target", "fruit"]
    assert cli.main([*asked, *given] if after else [*given, *asked]) == 0
    assert (got["server.port"], got["server.headless"]) == (8600, True)


def test_open_leads_to_a_link_as_it_is(fruit: str, led: list[str]) -> None:
    assert cli.main(["open", fruit, "--at", "data=file&sha=1&log=a1"]) == 0
    assert (len(uploads.SERVED), led) == (1, ["data=file&sha=1&log=a1"])


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--target", "colour"], "('width', 'height', 'fruit'); not 'colour'"),
        ([], "one of the arguments --target --at is required"),
        (["--target", "fruit", "--at", ""], "not allowed with"),
    ],
)
def test_open_says_what_is_wrong_in_one_line(
    more: list[str], said: str, fruit: str, led: list[str], capsys: CAPTURED
) -> None:
    with suppress(SystemExit):
        assert cli.main(["open", fruit, *more]) == 2
    assert said in capsys.readouterr().err.splitlines()[-1]
    assert led == []


def test_open_without_the_file_says_so(tmp_path: Path, led: list[str], capsys: CAPTURED) -> None:
    assert cli.main(["open", str(tmp_path / "none.csv"), "--target", "y"]) == 2
    assert "none.csv" in capsys.readouterr().err
    assert led == []
