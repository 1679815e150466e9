from __future__ import annotations

import asyncio
import io
import os
import runpy
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest
import streamlit as st
from awaiting import awaited
from sklearn.datasets import load_iris
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from streamlit import config as streamlit_config

import dtviz
from dtviz import DataError, Model
from dtviz.app import cli, streamlit_parts
from dtviz.app.cli import serving
from dtviz.app.cli.grow import OK
from dtviz.app.cli.serving import (
    ensemble_of,
    explore,
    first_member,
    fitted_ensemble,
    link_of,
    link_of_ensemble,
    read_served,
    table_of,
)
from dtviz.app.instrument import Instrument
from dtviz.app.navigation import Navigation
from dtviz.data import uploads
from dtviz.data.dataset import Recipe
from dtviz.data.read_table import read_file
from dtviz.engine.tree import predict
from dtviz.models.importers import from_fitted
from dtviz.models.importers.ensemble_file import write_ensemble
from dtviz.pictures.forest import forest_frame, forest_jobs
from dtviz.pictures.scales import LIGHT
from dtviz.session import address, derived_data
from dtviz.session import forest as session_forest
from dtviz.session.forest import foreign_text, forest_screen
from dtviz.session.session import Session, Visit


@pytest.fixture
def taken() -> Iterator[int]:
    """A port somebody listens on."""
    with socket.socket() as other:
        other.bind(("localhost", 0))
        other.listen()
        yield other.getsockname()[1]


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The settings that reach the server, which is not started."""
    got: dict[str, Any] = {}
    monkeypatch.setattr(serving, "run", lambda _app, _listener: None)
    monkeypatch.setattr(streamlit_parts, "load_config_options", got.update)
    monkeypatch.setattr(serving, "listen", lambda _host, _port: socket.socket())
    return got


def test_a_taken_port_and_a_foreign_host_are_refused_in_one_line(taken: int, run: Any) -> None:
    code, _, err = run("--no-browser", "--port", str(taken))
    assert code == 2
    assert err.startswith(f"dtviz: port {taken} is already in use; choose another: dtviz --port ")
    assert err.count("\n") == 1
    code, _, err = run("--no-browser", "--host", "192.0.2.1")
    assert code == 2
    assert err.startswith("dtviz: cannot listen on 192.0.2.1 port 8501: ")


def test_a_connection_sends_each_message_at_once() -> None:
    """Else the second small message of an answer waits for the browser's acknowledgement."""

    async def no_delay(host: str) -> set[int]:
        """The option of connections that the listener and asyncio accept."""
        found: list[int] = []

        class Report(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                found.append(option_of(transport.get_extra_info("socket")))
                cast(asyncio.Transport, transport).close()

        with serving.listen(host, 0) as listener:
            address = listener.getsockname()[:2]
            with socket.create_connection(address), listener.accept()[0] as accepted:
                found.append(option_of(accepted))
            async with await asyncio.get_running_loop().create_server(Report, sock=listener):
                reader, writer = await asyncio.open_connection(*address)
                await reader.read()
                writer.close()
        return {*found}

    def option_of(connection: Any) -> int:
        return int(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) > 0)

    for host in ("localhost", "::"):
        assert awaited(no_delay(host)) == {1}


def test_settings_of_the_server_that_make_no_sense_are_refused(run: Any) -> None:
    for option, values, text in (
        ("--port", ("0", "65536", "-1", "http", "²"), "must be a number from 1 to 65535"),
        ("--max-upload", ("0", "201", "x"), "must be a number of MB from 1 to 200"),
        ("--name", ("https://trees.school.example", "*", ""), "must be a name alone"),
        (
            "--frame",
            ("moodle.school.example", "https://a.example; script-src *", "https://a.example/path",
             "*"),
            "must be a site",
        ),
    ):  # fmt: skip
        for value in values:
            code, _, err = run(option, value)
            assert (code, text in err) == (2, True), (option, value)


def test_settings_reach_the_server(given: dict[str, Any]) -> None:
    for args, headless in ([], None), (["--no-browser"], True):
        given.clear()
        assert cli.main([*args, "--port", "8600"]) == 0
        assert given["server.port"] == 8600
        assert given["server.address"] == "localhost"
        assert given["server.allowedHosts"] == ["localhost", "127.0.0.1"]
        assert given["server.maxUploadSize"] == 200
        assert given["theme.dark.primaryColor"] == "#6fc3f7"
        assert given.get("server.headless") is headless, args
    assert cli.main(["--max-upload", "5"]) == 0
    assert given["server.maxUploadSize"] == 5


def test_the_server_listens_on_this_machine_alone_unless_it_is_shared(
    given: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "_network_address", lambda: "10.0.0.7")
    monkeypatch.setattr(serving.socket, "gethostname", lambda: "lab-7")
    for args, host, names in (
        ("", "localhost", []),
        ("--host 127.0.0.1", "127.0.0.1", []),
        ("--name Trees.School.example", "localhost", ["trees.school.example"]),
        ("--share", "0.0.0.0", ["10.0.0.7"]),
        ("--share --name lab-7.local", "0.0.0.0", ["lab-7.local"]),
        ("--share --host 10.0.0.8", "10.0.0.8", ["10.0.0.7"]),
        ("--host 10.0.0.8", "10.0.0.8", ["10.0.0.8"]),
        ("--host 0.0.0.0", "0.0.0.0", ["lab-7", "10.0.0.7"]),
        ("--host 0.0.0.0 --name lab-7.local", "0.0.0.0", ["lab-7.local"]),
    ):
        given.clear()
        assert cli.main(args.split()) == 0
        assert given["server.address"] == host, args
        assert given["server.allowedHosts"] == ["localhost", "127.0.0.1", *names], args
        assert given.get("browser.serverAddress") == (names[0] if "--share" in args else None)


def test_every_command_sets_the_guard_and_sites_that_may_frame_the_app_reach_it(
    given: dict[str, Any], monkeypatch: pytest.MonkeyPatch, checkout: Path
) -> None:
    apps: list[Any] = []
    app = st.App
    monkeypatch.setattr(st, "App", lambda *a, **parts: apps.append(parts) or app(*a, **parts))
    sites = ["https://moodle.school.example", "https://*.lab.example:8443"]
    assert cli.main(["--frame", sites[0], "--frame", sites[1]]) == 0
    assert cli.main([]) == 0
    runpy.run_path(str(checkout / "app.py"), run_name="app")  # as `streamlit run` loads it
    guards = [parts["middleware"][0] for parts in apps]
    assert guards[0].kwargs["frame_sites"] == sites
    assert not guards[1].kwargs["frame_sites"]
    assert {guard.cls for guard in guards} == {guards[0].cls}
    assert not guards[2].kwargs.get("frame_sites")


def test_the_invitation_has_the_address_its_code_and_the_open_table(
    monkeypatch: pytest.MonkeyPatch, run: Any
) -> None:
    url = "http://10.0.0.7:8501/?data=iris"
    text = serving.invitation(url, "fruit.csv")
    assert text.startswith(f"For the class: {url}\n\n\u2588")
    assert "sees the examples and fruit.csv, gives tables of their" in text
    assert "sees the examples, gives" in serving.invitation(url, None)
    assert "\u2588" not in serving.invitation(url + "&log=" + "a" * 400, None)
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")  # it has no blocks
    with monkeypatch.context() as plain:
        plain.setattr(serving.sys, "stdout", terminal)
        assert serving.invitation("http://10.0.0.7:8501", None).isascii()

    def unreachable(*_: Any) -> None:
        raise OSError("Network is unreachable")

    monkeypatch.setattr(serving.socket.socket, "connect", unreachable)
    code, _, err = run("--share")
    assert (code, "name it as the class calls it: --name" in err) == (2, True)


OPTIONS = serving.read_options(serving.home())


def test_streamlit_has_the_settings_and_they_are_private() -> None:
    for name in (*OPTIONS, *serving.server_options("localhost", 1, [])):
        streamlit_config.get_option(name)  # raises where there is none, the hidden ones too
    wanted = {
        "browser.gatherUsageStats": False,
        "client.showErrorDetails": "none",
        "client.showErrorLinks": False,
        "runner.postScriptGC": False,
        "server.address": "localhost",
        "server.allowedHosts": ["localhost", "127.0.0.1"],
        "server.fileWatcherType": "none",
        "server.maxUploadSize": 200,
    }
    assert {name: OPTIONS[name] for name in wanted} == wanted
    assert not any("://" in str(value) for value in OPTIONS.values())


@pytest.fixture
def led(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where `dtviz open` leads the browser."""
    got: list[str] = []
    monkeypatch.setattr(serving, "start", lambda _args, at: got.append(at) or OK)
    monkeypatch.setattr(uploads, "SERVED_TABLES", {})
    monkeypatch.setattr(uploads, "SERVED_FILES", {})
    return got


def test_open_serves_a_table_and_leads_to_its_tree(fruit: str, led: list[str]) -> None:
    assert cli.main(["open", fruit, "--target", "fruit"]) == 0
    (mark,) = uploads.SERVED_TABLES
    assert mark == uploads.fingerprint(Path(fruit).read_bytes())
    found = address.read_address(dict(parse_qsl(led[0])), Recipe("iris"))
    assert found.problems == ()
    tab = Instrument(Visit(Session(found.recipe)), files=dict(uploads.SERVED_TABLES))
    data, read = tab.dataset(found.recipe), dtviz.read_table(fruit, target="fruit")
    assert (data.features, data.classes, data.n) == (read.features, read.classes, read.n)
    assert cli.main(["open", fruit, "--at", "data=file&sha=1&log=a1"]) == 0
    assert (len(uploads.SERVED_TABLES), led[1:]) == (1, ["data=file&sha=1&log=a1"])


def test_open_takes_the_settings_of_the_server_before_and_after_it(
    fruit: str, given: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "SERVED_TABLES", {})
    monkeypatch.setattr(uploads, "SERVED_FILES", {})
    options, table = ["--port", "8600", "--no-browser"], ["open", fruit, "--target", "fruit"]
    for command in (table + options, options + table):
        given.clear()
        assert cli.main(command) == 0
        assert (given["server.port"], given["server.headless"]) == (8600, True), command


def test_open_refuses_in_one_line(run: Any, fruit: str, led: list[str], tmp_path: Path) -> None:
    for args, text in (
        ([fruit, "--target", "colour"], "('width', 'height', 'fruit'); not 'colour'"),
        ([fruit], "one of the arguments --target --at is required"),
        ([fruit, "--target", "fruit", "--at", ""], "not allowed with"),
        ([str(tmp_path / "none.csv"), "--target", "y"], "none.csv"),
    ):
        code, _, err = run("open", *args)
        assert (code, text in err.splitlines()[-1]) == (2, True), args
    assert led == []


MIXED = pd.DataFrame(
    {
        "size": [1.5, 2.5, np.nan, 4.5, 0.1 + 0.2, 6.0] * 5,
        "colour": ["red", "blue", None, "red", "green", "blue"] * 5,
        "since": pd.date_range("2024-01-01", periods=30),
        "again": [True, False, True, True, False, False] * 5,
        "cost": np.arange(30) % 7,
        "y": ["a", "b", "a", "b", "a", "a"] * 5,
    }
)


def opened(model: Model, ensemble: str = "") -> tuple[Session, Instrument]:
    """The session that the link leads to where the table is given."""
    content = table_of(model.data)
    link = link_of(model, content, "mine", ensemble)
    params = dict(parse_qsl(link, keep_blank_values=True))
    found = address.read_address(
        params, uploads.upload_recipe("1", "a", "y", None, "classification")
    )
    tab = Instrument(
        Visit(Session(found.recipe)), files={uploads.fingerprint(content): read_served(content)}
    )
    session, problems = address.session_at(
        found, tab.dataset(found.recipe), tab.future(found.recipe)
    )
    assert (found.problems, problems) == ((), ())
    tab.change_session(session)
    return session, tab


@pytest.fixture(autouse=True)
def direct_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are read here, not in a process of their own; that this is ordered is seen."""

    def read(content: bytes, isolated: bool) -> Any:
        assert isolated
        return read_file(content)

    monkeypatch.setattr("dtviz.app.cli.serving.read_file", read)


X, Y = load_iris(return_X_y=True)
RANDOM = DecisionTreeClassifier(splitter="random", random_state=0).fit(X, Y)
ROLES = MIXED.assign(role=["train", "test", "val"] * 10)
MODELS = {
    "classes": lambda: dtviz.fit(dtviz.load("moons", n=80), dtviz.Rules(max_depth=3)),
    "a number": lambda: dtviz.fit(
        dtviz.load("sine", n=80), dtviz.Rules("squared_error", max_depth=3)
    ),
    "mixed columns": lambda: dtviz.fit(dtviz.from_frame(MIXED, "y", sample_weight="cost")),
    "mixed, a number": lambda: dtviz.fit(dtviz.from_frame(MIXED, "size", task="regression")),
    "test rows": lambda: dtviz.fit(dtviz.from_frame(MIXED[:20], "y", test=MIXED[20:])),
    "all three, weighted": lambda: dtviz.fit(
        dtviz.from_frame(ROLES, "y", None, None, (), "cost", role="role")
    ),
    "scikit-learn": lambda: dtviz.from_sklearn(RANDOM, X, Y),
}


def test_the_link_leads_to_the_same_tree_on_the_same_rows() -> None:
    for name, fitted in MODELS.items():
        model = fitted()
        session, tab = opened(model)
        assert session.log == model.log, name
        screen = tab.screen()
        assert screen.tree.splits == model.tree.splits, name
        for node, split in model.tree.splits.items():
            assert not any(model.data.gaps) or screen.tree.splits[node].missing == split.missing
        assert {k: node.weight_by_class for k, node in screen.tree.nodes.items()} == {
            k: node.weight_by_class for k, node in model.tree.nodes.items()
        }, name
        assert screen.n_steps == len(model.log), name
        data = tab.dataset(session.recipe)
        for rows, given in ((data.test, model.data.test), (data.validation, model.data.validation)):
            assert (rows is None) == (given is None), name
            assert rows is None or (rows.n, rows.y.tolist()) == (given.n, given.y.tolist()), name


def test_a_tree_of_an_ensemble_is_named_as_such() -> None:
    forest = RandomForestClassifier(3, random_state=0).fit(X, Y)
    models = (forest, RANDOM, dtviz.fit(dtviz.load("xor")), {})
    names = [ensemble_of(model) for model in models]
    assert names == ["RandomForestClassifier", "", "", "booster"]
    session, tab = opened(dtviz.from_sklearn(forest, X, Y, 2), names[0])
    assert "rows of the fitted RandomForestClassifier" in foreign_text(session.recipe)
    params = address.write_address(session, tab.dataset(session.recipe), tab.future(session.recipe))
    assert address.read_address(params, session.recipe).recipe == session.recipe
    assert foreign_text(opened(dtviz.from_sklearn(RANDOM, X, Y))[0].recipe) == ""


def test_a_fitted_forest_is_shown_itself_and_its_trees_on_grow(
    led: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(derived_data, "FITTED_ENSEMBLES", served := {})
    monkeypatch.setattr(session_forest, "FITTED_ENSEMBLES", served)
    forest = RandomForestClassifier(5, max_depth=3, random_state=0).fit(X, Y)
    trees = fitted_ensemble(forest, X, Y, None)
    assert trees is not None
    content, files = table_of(trees.data), (tmp_path / "a.parquet", tmp_path / "a.npz")
    files[0].write_bytes(content)
    files[1].write_bytes(write_ensemble(trees))
    for member in (None, 2):
        served.clear()
        link = link_of_ensemble(trees, content, "RandomForestClassifier", member)
        assert not served
        assert cli.main(["open", str(files[0]), "--trees", str(files[1]), "--at", link]) == 0
        page, _, query = led[-1].rpartition("?")
        assert page == ("forest" if member is None else "")
        tab = Instrument(Visit(Session(Recipe("iris"))), files=dict(uploads.SERVED_TABLES))
        navigation = Navigation(tab)
        screen = navigation.open_screen(*navigation.arrive("forest", dict(parse_qsl(query))))
        assert (foreign_text(screen.session.recipe), navigation.problems) == ("", ())
        # Forest shows all trees, also from the rows of one of them
        shown = forest_screen(screen)
        assert (shown.data.n, shown.session.recipe.get("tree_of")) == (150, ensemble_of(forest))
        for work in forest_jobs(shown):
            while not tab.advance_work(work).is_done:
                pass
        frame = forest_frame(shown, LIGHT, "x")
        assert frame["head"]["settings"] == []
        assert "The 5 trees of the fitted RandomForestClassifier" in frame["description"]
        wrong = round(150 * (1 - forest.score(X, Y)))
        assert f"5 trees: {wrong} of 150 training rows are wrong" in frame["headlines"][-1]
        assert len(frame["tiles"]) == 5
        tab.act("forest", {"what": "open", "member": 2})
        navigation.open_screen(tab.visit.session)
        assert navigation.take_next_page() == "grow"
        opened_tree = tab.screen()
        counts = np.bincount(forest.estimators_samples_[2], minlength=150)
        assert opened_tree.data.weights.tolist() == counts[counts > 0].tolist()
        assert predict(opened_tree.tree, X.T).tolist() == forest.estimators_[2].predict(X).tolist()
        assert not opened_tree.has_more_steps


def test_a_forest_too_large_to_be_shown_is_told_of_and_one_tree_is_opened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    forest = RandomForestClassifier(2, random_state=0).fit(X, Y)
    monkeypatch.setattr("dtviz.models.importers.sklearn.MAX_CELLS_READ", 299)
    with pytest.warns(UserWarning, match="Forest cannot show this RandomForest.* too large"):
        assert fitted_ensemble(forest, X, Y, None) is None
    boosted = GradientBoostingClassifier(n_estimators=1).fit(X, Y)
    assert fitted_ensemble(boosted, X, Y, None) is None


def test_what_no_link_holds_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    forest = RandomForestClassifier(1, max_features=1, random_state=0).fit(X, Y)
    many = dtviz.from_sklearn(forest, X, Y, 0)
    for limit, most in (
        ("session.session.MAX_MOVES", 3),
        ("app.cli.serving.MAX_PARAMETER_CHARS", 100),
    ):
        with monkeypatch.context() as limited:
            limited.setattr(f"dtviz.{limit}", most)
            with pytest.raises(DataError, match=f"no link holds the {len(many.log):,} splits"):
                explore(many)
    costs = dtviz.from_frame(MIXED, "y", costs={"a": {"b": 5}})
    with pytest.raises(DataError, match="cost matrix"):
        explore(dtviz.fit(costs))


def test_a_name_that_no_table_holds_is_refused() -> None:
    columns = np.arange(40.0).reshape(20, 2)

    def tree_of(name: str) -> Model:
        y = np.array(["a", name] * 10)
        return dtviz.from_sklearn(DecisionTreeClassifier().fit(columns, y), columns, y)

    with pytest.raises(DataError, match="a class is named by nothing but blanks"):
        explore(tree_of(""))
    long, y = pd.DataFrame(columns, columns=["a" * 300, "b"]), np.arange(20) % 2 == 0
    with pytest.raises(DataError, match=r"no room for the column name 'aaa.*: shorten it"):
        explore(DecisionTreeClassifier().fit(long, y), long, y)
    for name in ("nan", "None"):
        opened(tree_of(name))


def test_the_first_tree_of_an_ensemble_is_opened_where_none_is_named() -> None:
    x, y = np.arange(30.0).reshape(15, 2), np.arange(15) % 3
    for ensemble in (RandomForestClassifier(2), GradientBoostingClassifier(n_estimators=2)):
        for target in (y, y > 0):
            member = first_member(ensemble.fit(x, target))
            assert from_fitted(ensemble, x, target, member).tree.splits
    assert first_member(DecisionTreeClassifier().fit(x, y)) is None


def test_anything_but_a_fitted_tree_with_its_rows_is_refused() -> None:
    with pytest.raises(DataError, match="must be the rows that the model was fitted to"):
        explore(DecisionTreeClassifier())
    for other in (3, "tree", {}, {"a": 1}, DecisionTreeClassifier()):
        with pytest.raises(DataError, match="a fitted tree or ensemble of scikit-learn"):
            from_fitted(other, [[1.0]], [1])


def answers(url: str) -> bool:
    try:
        urllib.request.urlopen(url, timeout=10).close()
    except OSError:
        return False
    return True


ALONE = """
import time, dtviz
print(dtviz.explore(dtviz.fit(dtviz.load("moons", n=40)), browser=False).url, flush=True)
time.sleep(600)
"""


def test_the_app_ends_with_the_program_that_opened_it_even_where_that_is_killed() -> None:
    env = {**os.environ, "PYTHONPATH": str(Path(dtviz.__file__).parent.parent)}
    program = subprocess.Popen([sys.executable, "-c", ALONE], stdout=subprocess.PIPE, env=env)
    assert program.stdout is not None
    with program.stdout as said:
        url = said.readline().decode().strip()
        assert answers(url)
        program.kill()
        program.wait()
    end = time.monotonic() + 30
    while answers(url) and time.monotonic() < end:
        time.sleep(0.05)
    assert not answers(url)
