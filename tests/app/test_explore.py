"""The app on a model at hand: its table and its link say all of the tree."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import dtviz
from dtviz import DataError, Model
from dtviz.app.explore import ensemble_of, explore, link_of, served, table_of
from dtviz.app.instrument import Instrument
from dtviz.data import uploads
from dtviz.data.read_table import read_file
from dtviz.models.importers.dispatch import from_fitted
from dtviz.session import address
from dtviz.session.forest import foreign_text
from dtviz.session.history import Visit
from dtviz.session.session import Session

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
        Visit(Session(found.recipe)), files={uploads.fingerprint(content): served(content)}
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

    monkeypatch.setattr("dtviz.app.explore.read_file", read)


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
        assert {k: node.sums for k, node in screen.tree.nodes.items()} == {
            k: node.sums for k, node in model.tree.nodes.items()
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
    assert "one tree of the fitted RandomForestClassifier" in foreign_text(session.recipe)
    params = address.write_address(session, tab.dataset(session.recipe), tab.future(session.recipe))
    assert address.read_address(params, session.recipe).recipe == session.recipe
    assert foreign_text(opened(dtviz.from_sklearn(RANDOM, X, Y))[0].recipe) == ""


def test_what_no_link_holds_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    forest = RandomForestClassifier(1, max_features=1, random_state=0).fit(X, Y)
    many = dtviz.from_sklearn(forest, X, Y, 0)
    for limit, most in (("session.session.MAX_MOVES", 3), ("app.explore.MAX_PARAMETER_CHARS", 100)):
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
