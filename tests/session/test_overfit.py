"""The tree of Overfit judged on rows that a table gives for it, not on a share of all."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import Any

import ibis
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from futures import future_of

import dtviz
from dtviz import Dataset, Rules, from_frame
from dtviz.app.instrument import Instrument
from dtviz.base.lazy import Cache
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import make_recipe
from dtviz.data.gallery import example_recipe
from dtviz.data.tables import below_share, row_hash
from dtviz.engine.grow import MAX_TABLE_DEPTH
from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules
from dtviz.engine.tree import Collapse, fold
from dtviz.evaluate.curves import fold_errors
from dtviz.pictures.frames import PICTURES
from dtviz.pictures.scales import LIGHT
from dtviz.session.headlines import overfit_headline
from dtviz.session.overfit import full_tree_work, grown_session, judged_tree
from dtviz.session.screen import Screen, screen_of
from dtviz.session.session import Judging, Session, Visit

RANDOM = np.random.default_rng(3)
FRAME = pd.DataFrame(
    {
        "x": RANDOM.normal(size=60),
        "kind": RANDOM.choice(["a", "b", "c"], 60),
        "for": ["train"] * 30 + ["val"] * 20 + ["test"] * 10,
    }
)
FRAME["y"] = np.where(FRAME.x + (FRAME.kind == "b") + RANDOM.normal(size=60) > 0, "yes", "no")
FRAME["z"] = FRAME.x + RANDOM.normal(size=60)
LATE = FRAME.assign(
    y=[*FRAME.y[:45], *["maybe"] * 8, *FRAME.y[53:]],
    kind=[*FRAME.kind[:35], *["new"] * 10, *FRAME.kind[45:]],
)


def screen(data: Dataset, **judging: Any) -> Screen:
    session = Session(make_recipe("file"), default_rules(data.task), judging=Judging(**judging))
    return screen_of(session, data, future_of(data))


def by_role(frame: pd.DataFrame = FRAME, target: str = "y", without: str = "none") -> Dataset:
    return from_frame(frame[frame["for"] != without], target, ["x", "kind"], role="for")


def test_the_errors_are_those_of_the_tree_of_the_training_rows() -> None:
    for frame, target in product((FRAME, LATE), ("y", "z")):
        data = by_role(frame, target)
        judged = screen(data).judged
        model = dtviz.fit(data, Rules("squared_error") if target == "z" else Rules())
        wanted = []
        for word in ("train", "val", "test"):
            part = frame[frame["for"] == word]
            predicted = model.predict(part)
            off = predicted != part[target] if target == "y" else (predicted - part[target]) ** 2
            wanted.append(float(np.mean(off)))
        assert [*judged.errors, judged.test_error] == pytest.approx(wanted)
        assert len(judged.nodes.ids) == len(model.tree.nodes)


def test_validation_rows_choose_and_test_rows_tell_at_the_end() -> None:
    found = screen(by_role()).judged
    assert (found.role, found.held_text) == ("validation", "20 validation rows")
    assert (found.training.n, found.held and found.held.n, found.test and found.test.n) == (
        30,
        20,
        10,
    )
    assert found.held_mask.tolist() == [False] * 30 + [True] * 20


def test_with_one_sort_of_rows_these_judge() -> None:
    for without, role, rows in (("val", "test", 10), ("test", "validation", 20)):
        judged = screen(by_role(without=without)).judged
        assert (judged.role, judged.held.n) == (role, rows)
        assert (judged.test, judged.test_error) == (None, None)


def test_a_share_and_a_draw_change_nothing_where_the_rows_are_given() -> None:
    one, other = screen(by_role()).judged, screen(by_role(), share=0.8, seed=7).judged
    assert one.errors == other.errors
    assert one.held_mask.tolist() == other.held_mask.tolist()


def test_the_sentence_says_on_which_rows_the_tree_is_judged() -> None:
    said = overfit_headline(screen(by_role(), folds=0))
    assert re.search(
        r" of 20 validation rows\. Kept to the end: \d of 10 test rows are wrong\.$", said
    )
    said = overfit_headline(screen(by_role(without="val"), folds=0))
    assert said.endswith(" of 10 test rows.")
    assert "Kept to" not in said
    said = overfit_headline(screen(from_frame(FRAME, "y", ["x"]), folds=0))
    assert re.fullmatch(
        r"\d+ leaves: \d+ of \d+ training rows are wrong, \d+ of \d+ held-out rows\.", said
    )
    weighted = from_frame(FRAME.assign(w=2.0), "y", ["x"], sample_weight="w")
    said = overfit_headline(screen(weighted, folds=0))
    assert re.fullmatch(
        r"\d+ leaves: by weight \S+\u00a0% of the training rows are wrong, \S+\u00a0% held out\.",
        said,
    )


def test_the_folds_are_those_of_the_training_rows() -> None:
    shown = screen(by_role(), folds=3)
    found, folded = shown.judged, shown.fold_errors()
    alone = from_frame(FRAME[:30], "y", ["x", "kind"])
    wanted = run_to_end(fold_errors(alone, Rules(), found.axis, found.values, 3))
    assert folded is not None
    assert np.array_equal(folded, wanted)


def test_grow_sees_the_training_rows_and_overfit_all_that_judge() -> None:
    judged, training = screen(by_role(LATE)), screen(from_frame(LATE[:30], "y", ["x", "kind"]))
    drawn: Any = {
        name: [PICTURES[name].draw(each, LIGHT) for each in (judged, training)]
        for name in ("cloud", "stage", "rows", "overfit")
    }
    assert len({str(cloud["x"].tolist()) for cloud in drawn["cloud"]}) == 1
    assert len({str(stage["classes"]) for stage in drawn["stage"]}) == 1
    assert len(drawn["rows"][0]["x"]) == 50
    panels = [(panel["title"], panel["rows"]) for panel in drawn["overfit"][0]["panels"]]
    assert panels == [("Training", 30), ("Validation", 20)]


def test_of_many_rows_the_whole_tree_is_grown_in_slices_and_is_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data, session = dtviz.load("moons", n=200, noise=0.3, seed=1), Session(make_recipe("moons"))
    keep = Cache()
    assert full_tree_work(session, data, keep) is None
    monkeypatch.setattr("dtviz.session.overfit.MANY_ROWS", 100)
    slices, shares = full_tree_work(session, data, keep).start(), []
    with suppress(StopIteration):
        while True:
            shares.append(next(slices))
    assert len(shares) > 2
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] <= 1
    assert full_tree_work(session, data, keep) is None  # it is kept
    grown, fresh = judged_tree(session, data, keep), judged_tree(session, data, Cache())
    assert grown.nodes.ids == fresh.nodes.ids
    assert grown.errors == fresh.errors
    leaves = [
        {leaf: rows.tolist() for leaf, rows in one.tree.rows.items()} for one in (grown, fresh)
    ]
    assert leaves[0] == leaves[1]


def table_of(n: int = 700) -> Dataset:
    random = np.random.default_rng(8)
    frame = pd.DataFrame({"x": random.normal(size=n), "kind": random.choice(["a", "b"], n)})
    frame["y"] = np.where(frame.x + random.normal(size=n) > 0, "yes", "no")
    rows = ibis.duckdb.connect().create_table("t", pa.Table.from_pandas(frame))
    return dtviz.from_table(rows, "y", sample_rows=200)


def test_overfit_counts_all_rows_of_a_table_and_draws_those_shown() -> None:
    data, cache = table_of(), Cache()
    session = Session(make_recipe("file"), Rules(max_depth=3), judging=Judging(folds=3))
    work = full_tree_work(session, data, cache)
    assert work is not None
    assert run_to_end(work.start())
    assert full_tree_work(session, data, cache) is None  # it is kept, with its losses
    shown = replace(screen_of(session, data, future_of(data)), cache=cache)
    judged, seed = shown.judged, session.judging.seed
    is_held = below_share(session.judging.share, row_hash(np.arange(700), seed))
    n_held = int(is_held.sum())
    assert judged.held is not None
    assert (judged.training.n_grown, judged.held.n_grown) == (700 - n_held, n_held)
    assert judged.held_mask.tolist() == is_held[data.source.shown_rows].tolist()
    assert f"Grown on {700 - n_held} of 700 rows, to depth 12 at most; {n_held} are held out" in (
        judged.training_sentence
    )
    # the errors are those of all rows of the parts, which another way of counting tells too
    model = dtviz.Model(judged.training, session.rules, (), judged.tree)
    scores = [1 - model.score(part) for part in (judged.training, judged.held)]
    assert judged.errors == pytest.approx(scores)
    frame = PICTURES["overfit"].draw(shown, LIGHT)
    assert [panel["rows"] for panel in frame["panels"]] == [700 - n_held, n_held]
    assert len(frame["leaf"]) == 200
    assert frame["figures"]["errors"] == pytest.approx(scores)
    curve = frame["curve"]
    assert curve["held_out_error"][2] == pytest.approx(scores[1])
    assert max(curve["values"]) <= MAX_TABLE_DEPTH
    assert len(curve["mean"]) == len(curve["values"])
    (depth,) = (dial for dial in frame["dials"] if dial["rule"] == "max_depth")
    assert depth["values"] == [*range(1, MAX_TABLE_DEPTH + 1)]
    page = PICTURES["judging"].draw(shown, LIGHT)
    assert "200 of 700 points are shown, drawn by chance." in page["caption"]
    assert "leave one out" not in str(page["folds"])


def test_what_needs_rows_takes_those_of_a_table_that_are_shown_by_the_same_hash() -> None:
    session, data = Session(make_recipe("file"), Rules()), table_of()
    judged = judged_tree(session, data, Cache())
    parts = judged.in_memory
    assert (parts.data.source, parts.training.source, parts.held.source) == (None,) * 3
    assert parts.training.n + parts.held.n == 200
    assert judged.shown_sentence == "Only the rows that are shown count here: 200 of 700 rows."
    assert judged.session.rules.max_depth == MAX_TABLE_DEPTH
    memory = judged_tree(session, by_role(), Cache())
    assert (memory.in_memory, memory.shown_sentence) == (memory, "")


def test_no_row_of_a_tiny_table_is_held_out_where_one_part_would_be_empty() -> None:
    judged = judged_tree(Session(make_recipe("file"), Rules()), table_of(1), Cache())
    assert judged.held is None
    assert judged.training.n_grown == 1
    assert np.isnan(judged.errors[1])


# --- the tree that was chosen, on Grow ------------------------------------------------------------


def test_grow_shows_the_tree_of_overfits_rules_and_prunes_at_its_end() -> None:
    recipe = example_recipe("moons", noise=0.3)
    tab = Instrument(Visit(Session(recipe, Rules(max_depth=4))))
    data, future = tab.dataset(recipe), tab.future(recipe)
    session = tab.visit.session
    grown = grown_session(session, data, future)
    full = dtviz.fit(data, Rules(max_depth=4)).tree
    assert fold(Problem(data, session.rules), grown.log).splits == full.splits
    prunes = (Collapse(2), Collapse(9), Collapse(10**6))  # the second lies below the first
    judging = Judging(prunes=prunes)
    pruned = grown_session(replace(session, judging=judging), data, future)
    tree = fold(Problem(data, session.rules), pruned.log)
    assert {*tree.splits} == {node for node in full.splits if not f"{node:b}".startswith("10")}
    assert pruned.log[-1] == Collapse(2)
    assert not future(session.rules, pruned.log)  # no move grows the node again


def test_a_part_of_a_cut_is_pruned_with_its_cut_alone() -> None:
    recipe = example_recipe("restaurant")
    tab = Instrument(Visit(Session(recipe, Rules(families=("multiway",)))))
    data, future = tab.dataset(recipe), tab.future(recipe)
    whole = grown_session(tab.visit.session, data, future)
    judging = Judging(prunes=(Collapse(3),))
    pruned = grown_session(replace(tab.visit.session, judging=judging), data, future)
    assert pruned.log == whole.log
