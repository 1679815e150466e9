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
from dtviz.exploring import ensemble_of, explore, link_of, served, table_of
from dtviz.instrument import Instrument
from dtviz.others.reading import from_fitted
from dtviz.screen import address
from dtviz.screen.grove import foreign_text
from dtviz.screen.session import Session
from dtviz.screen.visit import Visit
from dtviz.table import uploads

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
    found = address.read(params, uploads.recipe_of("1", "a", "y", None, "classification"))
    tab = Instrument(
        Visit(Session(found.recipe)), files={uploads.fingerprint(content): served(content)}
    )
    session, problems = address.resolve(found, tab.dataset(found.recipe), tab.future(found.recipe))
    assert (found.problems, problems) == ((), ())
    tab.do(session)
    return session, tab


@pytest.mark.parametrize(
    "model",
    [
        lambda: dtviz.fit(dtviz.load("moons", n=80), dtviz.Rules(max_depth=3)),
        lambda: dtviz.fit(dtviz.load("sine", n=80), dtviz.Rules("squared_error", max_depth=3)),
        lambda: dtviz.fit(dtviz.from_frame(MIXED, "y", sample_weight="cost")),
        lambda: dtviz.fit(dtviz.from_frame(MIXED, "size", task="regression")),
        lambda: dtviz.fit(dtviz.from_frame(MIXED[:20], "y", test=MIXED[20:])),
        lambda: dtviz.fit(
            dtviz.from_frame(
                MIXED.assign(role=["train", "test", "val"] * 10),
                "y",
                None,
                None,
                (),
                "cost",
                role="role",
            )
        ),
        lambda: dtviz.from_sklearn(
            DecisionTreeClassifier(splitter="random", random_state=0).fit(
                *load_iris(return_X_y=True)
            ),
            *load_iris(return_X_y=True),
        ),
    ],
    ids=[
        "classes",
        "a number",
        "mixed columns",
        "mixed, a number",
        "test rows",
        "all three, weighted",
        "scikit-learn",
    ],
)
def test_the_link_leads_to_the_same_tree_on_the_same_rows(model: Any) -> None:
    made = model()
    session, tab = opened(made)
    assert session.log == made.log
    screen = tab.screen()
    assert screen.tree.splits == made.tree.splits
    for node, split in made.tree.splits.items():
        assert not any(made.data.gaps) or screen.tree.splits[node].missing == split.missing
    assert {k: node.sums for k, node in screen.tree.nodes.items()} == {
        k: node.sums for k, node in made.tree.nodes.items()
    }
    assert screen.total == len(made.log)
    data = tab.dataset(session.recipe)
    for held, own in ((data.test, made.data.test), (data.validation, made.data.validation)):
        assert (held is None) == (own is None)
        assert held is None or (held.n, held.y.tolist()) == (own.n, own.y.tolist())


def test_the_rows_of_one_tree_of_an_ensemble_are_told_to_be_that() -> None:
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(3, random_state=0).fit(X, y)
    tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    names = [ensemble_of(one) for one in (forest, tree, dtviz.fit(dtviz.load("xor")), {})]
    assert names == ["RandomForestClassifier", "", "", "booster"]
    session, tab = opened(dtviz.from_sklearn(forest, X, y, 2), names[0])
    assert "one tree of the fitted RandomForestClassifier" in foreign_text(session.recipe)
    params = address.write(session, tab.dataset(session.recipe), tab.future(session.recipe))
    assert address.read(params, session.recipe).recipe == session.recipe
    assert foreign_text(opened(dtviz.from_sklearn(tree, X, y))[0].recipe) == ""


def test_what_no_link_holds_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(1, max_features=1, random_state=0).fit(X, y)
    many = dtviz.from_sklearn(forest, X, y, 0)
    monkeypatch.setattr("dtviz.screen.session.MAX_MOVES", 3)
    with pytest.raises(DataError, match=f"no link holds the {len(many.log):,} splits"):
        link_of(many, table_of(many.data), "forest")
    monkeypatch.undo()
    monkeypatch.setattr("dtviz.exploring.MOST_TEXT", 100)
    with pytest.raises(DataError, match=f"no link holds the {len(many.log):,} splits"):
        explore(many)
    costs = dtviz.from_frame(MIXED, "y", costs={"a": {"b": 5}})
    with pytest.raises(DataError, match="cost matrix"):
        explore(dtviz.fit(costs))


def test_names_that_no_table_keeps_are_said() -> None:
    X, y = np.arange(40.0).reshape(20, 2), np.array(["a", ""] * 10)
    blank = dtviz.from_sklearn(DecisionTreeClassifier(max_depth=2).fit(X, y), X, y)
    with pytest.raises(DataError, match="a class is named by nothing but blanks"):
        explore(blank)
    long = pd.DataFrame(X, columns=["a" * 300, "b"])
    tree = DecisionTreeClassifier(max_depth=2).fit(long, y == "a")
    with pytest.raises(DataError, match=r"no room for the column name 'aaa.*: shorten it"):
        explore(tree, long, y == "a")
    for named in ("nan", "None"):
        found = np.array(["a", named] * 10)
        tree = DecisionTreeClassifier(max_depth=2).fit(X, found)
        opened(dtviz.from_sklearn(tree, X, found))


def test_anything_else_is_refused_and_named() -> None:
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
