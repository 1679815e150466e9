"""Acts on the pictures of a tab without a page: what they change, and what changes nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from screens import Frame, flat, unpack

import dtviz
from dtviz.app.instrument import Instrument
from dtviz.base.text import rounded
from dtviz.data.dataset import Dataset, take_rows
from dtviz.data.gallery import GALLERY, example_recipe
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, default_rules
from dtviz.engine.splits import axis_split
from dtviz.engine.subtrees import connected_splits
from dtviz.engine.tree import Collapse, Grow, height
from dtviz.evaluate.curves import AXIS_OF, kept_splits, rules_at
from dtviz.evaluate.metrics import held_rows
from dtviz.explain.why import judgement
from dtviz.pictures import overfit
from dtviz.pictures.frames import PICTURES
from dtviz.pictures.scales import LIGHT
from dtviz.session.address import write_address
from dtviz.session.headlines import grow_headline
from dtviz.session.overfit import overfit_works
from dtviz.session.screen import Screen
from dtviz.session.session import Judging, Session, Visit

MOONS = example_recipe("moons", n=60, noise=0.4)
IRIS = example_recipe("iris")
END = {"what": "goto", "step": 10**9}


def tab(recipe: Any = MOONS, **changes: Any) -> Instrument:
    """A tab on an example, with all long work done."""
    session = replace(Session(recipe), **changes)
    opened = Instrument(Visit(session))
    task = opened.dataset(recipe).task
    if "rules" not in changes:
        session = replace(session, rules=default_rules(task))
    opened.replace_session(session)
    return opened


def frame(tab: Instrument, name: str) -> Frame:
    """A picture of the tab as a browser reads it, the work behind it done."""
    for work in overfit_works(tab.screen().judged):
        while not tab.advance_work(work).is_done:
            pass
    tab.forget_held_frames()
    picture = unpack(tab.pack_picture(name, tab.screen(), LIGHT))
    tab.forget_held_frames()
    return picture


def send(tab: Instrument, picture: str, *events: Any) -> Screen:
    """The screen after a message that holds these events."""
    first = tab.visit.last_event + 1
    numbered = enumerate(events, first)
    tab.handle_message(
        {"events": [{"n": n, "picture": picture, "event": event} for n, event in numbered]}
    )
    return tab.screen()


def error_of(model: dtviz.Model, rows: Dataset) -> float:
    return (
        1 - model.score(rows)
        if rows.classes
        else float(np.mean((rows.y - model.predict(rows)) ** 2))
    )


def bits(packed: Any, many: int) -> list[bool]:
    return np.unpackbits(packed)[:many].astype(np.bool_).tolist()


def test_every_example_grows_to_its_end_and_is_judged_as_the_engine_does() -> None:
    for name in GALLERY:
        here = tab(example_recipe(name))
        data, rules = here.screen().data, here.visit.session.rules
        model = dtviz.fit(data, rules)
        assert (here.screen().n_steps, here.visit.session.log) == (len(model.log), ()), name
        screen = send(here, "line", END)
        assert screen.session.log == model.log, name
        assert write_address(screen.session, data, screen.future)["log"] == f"a{len(model.log)}", (
            name
        )
        assert {int(node) for node, *_ in frame(here, "tree")["nodes"]} == {*model.tree.nodes}, name
        out = held_rows(data, 0.3, 0)
        trained = dtviz.fit(take_rows(data, ~out), rules)
        now = frame(here, "overfit")["figures"]
        assert (now["leaves"], now["height"]) == (len(trained.leaves), height(trained.tree)), name
        errors = [error_of(trained, take_rows(data, rows)) for rows in (~out, out)]
        assert now["errors"] == pytest.approx(errors), name


NO_EVENTS: tuple[Any, ...] = (
    None, True, 3, 1.5, "goto", [], ["goto", 1], {}, {"what": None}, {"what": ["goto"], "step": 1},
    {"what": "grow"}, {"What": "goto", "step": 1}, {"what": "theme"}, {"what": "settings"},
)  # fmt: skip
LINE_EVENTS: tuple[Any, ...] = (
    {"what": "goto"}, {"what": "goto", "step": "2"}, {"what": "goto", "step": 2.0},
    {"what": "goto", "step": None}, {"what": "goto", "step": [1]}, {"what": "goto", "step": 1e308},
    {"what": "play"}, {"what": "play", "on": "yes"}, {"what": "play", "on": 2},
    {"what": "redo", "step": -1}, {"what": "cut", "index": 0}, {"what": "focus", "node": "1"},
)  # fmt: skip
NODES: tuple[Any, ...] = (
    None, 1, 1.0, True, [], {"node": "1"}, "", "0", "-1", "+1", "1.0", " 1", "one", "²", "99",
    "1" * 400, "9" * 600, "9" * 5000, "1e1", "0x1", "\0",
)  # fmt: skip
PLACES: tuple[Any, ...] = (
    {"value": 0}, {"value": -1}, {"value": 10**400}, {"value": -(10**400)}, {"value": 2.0},
    {"value": "1"}, {"value": True}, {"value": [1]}, {"value": {}}, {"value": float("inf")},
    {"rule": "purity"}, {"rule": "criterion"}, {"rule": "min_samples_leaf", "value": None},
    {"rule": "ccp_alpha", "value": -0.1}, {"rule": "ccp_alpha", "value": 10**400},
    {"rule": "min_gain", "value": "x"}, {"rule": "min_gain", "value": float("nan")},
    {"rule": None}, {"rule": 7}, {"rule": ["max_depth"]}, {"rule": {}}, {"what": ["place"]},
)  # fmt: skip
INDICES: tuple[Any, ...] = (
    -1, -(10**30), 10**30, 10**400, 10**4, None, "0", 0.0, 1.5, [0], {"index": 0}, "best",
)  # fmt: skip
STAMPS: tuple[Any, ...] = ("", "0" * 16, None, 0, [], {}, "x" * 10_000)


def test_an_event_that_no_picture_sends_changes_nothing() -> None:
    here = tab(IRIS)
    screen = send(here, "line", {"what": "goto", "step": 2})
    focus = [{"what": "focus", "node": node} for node in NODES]
    cuts = [{"what": "cut", "stamp": screen.stamp, "index": index} for index in INDICES]
    many = len(screen.node_view.candidates)
    gone = [{"what": "cut", "stamp": stamp, "index": 0} for stamp in STAMPS]
    step = {"what": "goto", "step": 1}
    whole = {"what": "slider", "rule": "max_depth", "value": 1}
    less = [{key: whole[key] for key in whole if key != name} for name in whole]
    places = [{"what": what, "rule": "max_depth", "value": 1} | place
              for what in ("place", "slider") for place in PLACES]  # fmt: skip
    for picture, events in (
        ("line", LINE_EVENTS),
        ("stage", (*focus, *cuts, *gone, {"what": "cut", "index": 0}, step)),
        ("stage", [{"what": "cut", "stamp": screen.stamp, "index": many}]),
        ("tree", (*focus, step, {"what": "cut", "stamp": screen.stamp, "index": 1})),
        ("overfit", (*places, *less)),
        ("pruning", focus[:1]),
    ):
        for event in (*NO_EVENTS, *events):
            visit = here.visit
            send(here, picture, event)
            assert here.visit == replace(visit, last_event=visit.last_event + 1), (picture, event)
    assert send(here, "overfit", whole).session.rules.max_depth == 1


def test_a_step_stops_at_either_end_and_playing_at_the_last_step() -> None:
    here = tab(example_recipe("good_place"))
    steps = [
        len(send(here, "line", END | {"step": step}).session.log) for step in (10**9, -(10**9))
    ]
    assert steps == [3, 0]
    send(here, "line", {"what": "play", "on": True})
    for step in (1, 2, 3):
        assert here.visit.playing, step
        send(here, "line", {"what": "goto", "step": step, "playing": True})
    assert not frame(here, "line")["playing"]


def test_a_cut_is_chosen_on_the_screen_it_was_sent_for_and_no_other() -> None:
    here = tab(IRIS)
    stage = flat(frame(here, "stage"))
    sent = {"what": "cut", "stamp": stage["stamp"], "index": stage["cuts"][1]["index"][5]}
    send(here, "line", {"what": "goto", "step": 1})
    assert send(here, "stage", sent).session.cut is None
    send(here, "line", {"what": "goto", "step": 0})
    cut = send(here, "stage", sent).session.cut
    assert cut == axis_split(3, stage["cuts"][1]["threshold"][5])
    assert flat(frame(here, "stage"))["chosen"] == [1, 5]


QUESTION = "Where would you cut?"
ASKED: tuple[tuple[Any, dict[str, Any], int], ...] = (
    (MOONS, {}, 1),
    (example_recipe("heights"), {"rules": Rules(max_depth=1)}, 0),
    (example_recipe("sine", n=40), {}, 2),
    (MOONS, {"rules": Rules("gain_ratio", min_samples_leaf=2)}, 0),
)


def test_asked_first_a_screen_tells_gains_once_a_cut_is_chosen() -> None:
    for recipe, changes, step in ASKED:
        here = tab(recipe, ask=True, **changes)
        screen = send(here, "line", {"what": "goto", "step": step})
        stage, cuts = flat(frame(here, "stage")), screen.node_view.candidates
        case = (recipe.name, step)
        assert stage["is_asking"], case
        assert QUESTION in grow_headline(screen), case
        assert not unpack(here.pack_page("grow", screen, LIGHT))["frames"], case
        assert "score" not in stage["cuts"][0] or not any(stage["cuts"][0]["score"]), case
        index = next(
            i for i in stage["cuts"][0]["index"] if cuts.admissible[i] and not cuts.tied[i]
        )
        screen = send(here, "stage", {"what": "cut", "stamp": stage["stamp"], "index": index})
        says = judgement(Problem(screen.data, screen.session.rules), cuts, cuts.split(index))
        assert grow_headline(screen).endswith(says), case
        assert re.search(r", [\d.e-]+ % of the best, regret [\d.e-]+( bit)?; the best is ", says)
        stage = flat(frame(here, "stage"))
        assert not stage["is_asking"], case
        line = stage["cuts"][0]
        assert stage["chosen"] == [0, line["index"].index(index)], case
        assert line["score"] == [rounded(cuts.score[i]) for i in line["index"]], case
        send(here, "grow", {"what": "split", "stamp": screen.stamp})
        after = here.screen()
        assert frame(here, "stage")["is_asking"] == (after.next_move is not None), case


def test_a_leaf_that_stopped_or_a_cut_that_is_no_candidate_is_no_answer() -> None:
    here = tab(IRIS, ask=True, cut=axis_split(0, 2.99))
    assert QUESTION in grow_headline(here.screen())
    assert frame(here, "stage")["is_asking"]
    send(here, "line", END)
    screen = send(here, "tree", {"what": "focus", "node": "2"})
    assert grow_headline(screen) == "Pure: all 50 rows are setosa. No cut can gain anything."
    assert not frame(here, "stage")["is_asking"]
    here = tab(ask=True)
    send(here, "line", {"what": "goto", "step": 1})
    send(here, "stage", {"what": "focus", "node": "1"})
    assert not frame(here, "stage")["is_asking"]


DIALED: tuple[dict[str, Any], ...] = (
    {"judging": Judging(prunes=(Collapse(3),))},
    {"rules": Rules(max_leaf_nodes=6, order="best", min_gain=0.01, ccp_alpha=0.01)},
    {"recipe": example_recipe("sine", n=30), "rules": Rules("squared_error", max_depth=3)},
)


def test_every_place_of_every_slider_is_the_tree_of_that_setting() -> None:
    for changes in DIALED:
        here = tab(**changes)
        before, judged = frame(here, "overfit"), here.screen().judged
        rules, nodes = judged.session.rules, judged.nodes
        many = len(nodes.ids)
        allowed = np.array([node != 3 for node in nodes.ids]) | ("judging" not in changes)
        for line in before["dials"]:
            rule, values = line["rule"], line["values"]
            assert values[line["place"]] == getattr(rules, rule), rule
            limits = [value for value in values if value is not None]
            assert limits == sorted(limits), rule
            assert len(set(line["labels"])) == len(values) >= 3, rule
            assert ("leaves" in line) == (rule != "min_samples_leaf")
            if "leaves" not in line:
                continue
            assert values[-1] is not None or line["labels"][-1] == "no limit", rule
            size = -(-many // 8)
            masks = [
                bits(line["masks"][k * size : (k + 1) * size], many) for k in range(len(values))
            ]
            for mask, value in zip(masks, values, strict=True):
                left = kept_splits(nodes, rules_at(rules, AXIS_OF[rule], value))
                assert mask == connected_splits(nodes, left & allowed).tolist(), (rule, value)
            k = len(values) // 2
            screen = send(here, "overfit", {"what": "slider", "rule": rule, "value": values[k]})
            assert getattr(screen.session.rules, rule) == values[k]
            after = frame(here, "overfit")
            assert bits(after["mask"], many) == masks[k], rule
            errors = [line["training_error"][k], line["held_out_error"][k]]
            shape = {"leaves": line["leaves"][k], "height": line["height"][k]}
            assert after["figures"] == shape | {"errors": errors}, rule
            here.replace_session(judged.session)


def test_prunes_of_the_overfit_tree_are_judged_as_the_engine_does() -> None:
    here = tab()
    data, rules = here.screen().data, here.visit.session.rules
    out = held_rows(data, 0.3, 0)
    training, held = take_rows(data, ~out), take_rows(data, out)
    prunes = (Collapse(3), Collapse(2))
    for prune in prunes:
        send(here, "judging", {"what": "prune", "nodes": [prune.node]})
    log = (*dtviz.fit(training, rules).log, *prunes)
    model = dtviz.fit(training, rules, log)
    now = frame(here, "overfit")["figures"]
    assert now["leaves"] == len(model.leaves)
    assert now["errors"] == pytest.approx([error_of(model, training), error_of(model, held)])
    assert len(frame(here, "pruning")["nodes"]) == len(model.tree.nodes)


def test_sliders_send_whole_numbers_and_no_trees_of_a_very_large_tree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = tab(example_recipe("sine", n=30))
    for rule, value, kept in (
        ("min_gain", 15_000_000_000, 1.5e10), ("ccp_alpha", 0, 0.0), ("max_depth", 10**9 + 1, None)
    ):  # fmt: skip
        screen = send(here, "overfit", {"what": "slider", "rule": rule, "value": value})
        assert getattr(screen.session.rules, rule) == kept
    monkeypatch.setattr(overfit, "MAX_NODES", 3)
    here = tab()
    picture = frame(here, "overfit")
    assert not any("masks" in line for line in picture["dials"])
    assert picture["curve"]["masks"].size


def test_rules_undo_and_redo_come_back_to_the_same_screen_for_every_picture() -> None:
    here = tab(IRIS, log=(Grow(1, axis_split(2, 4.85)),))
    before = {name: flat(frame(here, name)) for name in ("stage", "tree", "overfit")}
    screen = send(here, "settings", {"what": "rules", "values": {"criterion": "gini"}})
    assert screen.session.log[0].split == axis_split(2, 4.85)
    after = {name: flat(frame(here, name)) for name in before}
    assert {*PICTURES} >= {*before}
    for way, pictures in (("undo", before), ("redo", after)):
        send(here, "line", {"what": way})
        assert repr({name: flat(frame(here, name)) for name in before}) == repr(pictures), way
