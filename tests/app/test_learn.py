"""Learn: every number is of the data on screen, whatever the data are."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from screens import HEAD, unpack
from streamlit.testing.v1 import AppTest

import dtviz
from dtviz.app import learn_page
from dtviz.app.lessons import growing, judging, measures
from dtviz.app.lessons.growing import cost_rows
from dtviz.app.lessons.parts import (
    Lesson,
    LessonNode,
    divergence_lines,
    impurity_lines,
    midpoints,
    tex,
)
from dtviz.app.lessons.sections import SLOT, Block, Expander, Section, Slot
from dtviz.base.text import number
from dtviz.data.dataset import take_rows
from dtviz.engine.complexity import halving_splits, one_row_splits, split_sizes
from dtviz.engine.criteria.criteria import ENTROPY
from dtviz.engine.prune import weakest_links
from dtviz.engine.subtrees import nodes_of
from dtviz.evaluate.metrics import held_rows

OPENED = ("criteria", "disagree", "folds", "one_out", "kinds", "cost", "misprints")
PAGE = Path(__file__).resolve().parents[2] / "pages" / "learn.py"


def learn(opened: Iterable[str] = OPENED, **params: str) -> AppTest:
    """The page, with what waits to be opened there as if it had been."""
    at = AppTest.from_file(str(PAGE), default_timeout=60)
    at.query_params.update(params)
    for name in opened:
        at.session_state[f"more_{name}"] = True
    at.run()
    assert not at.exception, [error.value for error in at.exception]
    return at


def words(at: AppTest) -> str:
    """All that is written on the page, tables included."""
    tables = [table.value.to_string() for table in at.table]
    return "\n".join([str(block.value) for block in (*at.markdown, *at.latex)] + tables)


@cache
def said(**params: str) -> str:
    """All that is written on the page, everything opened: the same link always says the same."""
    return words(learn(**params))


def leaves(at: AppTest, column: str) -> dict[str, int]:
    """How many leaves stop, by the words of the rule."""
    table = at.table[1].value
    return dict(zip(table["A leaf stops when"], table[column].astype(int), strict=True))


def test_every_section_is_there_and_in_the_contents() -> None:
    for name in ("sign_ups", "age_car_risk", "sine"):
        at = learn(data=name)
        numbers = [header.value.split()[0] for header in at.header]
        assert numbers == list(map(str, range(1, len(learn_page.SECTIONS) + 1))), name
        assert not at.warning, name
        assert not at.error, name
    at = learn(opened=(), data="heights")
    titles = [header.value.split(" ", 1)[1] for header in at.header]
    contents = next(block.value for block in at.markdown if block.value.startswith("1. ["))
    assert re.findall(r"\d+\. \[(.*)\]\(#(\w+)\)", contents) == [
        (header, one.proto.anchor) for header, one in zip(titles, at.header, strict=True)
    ]


@pytest.mark.parametrize("section", learn_page.SECTIONS, ids=lambda section: section.anchor)
def test_a_section_is_drawn_from_its_file_with_every_slot(
    section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled: set[str] = set()

    def watched(name: str, slot: Slot) -> Slot:
        def fill(lesson: Lesson) -> str | None:
            filled.add(name)
            return slot.fill(lesson)

        return replace(slot, fill=fill)

    slots = {name: watched(name, slot) for name, slot in learn_page.SLOTS.items()}
    monkeypatch.setattr(learn_page, "SECTIONS", (section,))
    monkeypatch.setattr(learn_page, "SLOTS", slots)
    for data in ("age_car_risk", "sine"):
        at = learn(data=data)
        (header,) = at.header
        assert (header.value, header.proto.anchor) == (f"1 {section.title}", section.anchor)
        filled_text = words(at) + "".join(block.label for block in at.expander)
        assert not re.search(r"\[\[|\]\]|</?details|</?summary|^# ", filled_text), data
    assert filled == {name for source in sources(section) for name in SLOT.findall(source)}


def sources(section: Section) -> list[str]:
    """The texts of a section, titles of expanders included."""
    panels = [block for block in section.blocks if isinstance(block, Expander)]
    blocks = [block for block in section.blocks if isinstance(block, Block)]
    blocks += [block for panel in panels for block in panel.blocks]
    return [block.source for block in blocks] + [panel.title for panel in panels]


def test_every_slot_is_known_and_used_and_what_draws_stands_alone() -> None:
    registries = (growing.SLOTS, measures.SLOTS, judging.SLOTS)
    assert len(learn_page.SLOTS) == sum(map(len, registries)), "two slots with one name"
    texts = [source for section in learn_page.SECTIONS for source in sources(section)]
    assert {name for text in texts for name in SLOT.findall(text)} == learn_page.SLOTS.keys()
    within = {name for text in texts if not SLOT.fullmatch(text) for name in SLOT.findall(text)}
    assert {learn_page.SLOTS[name].kind for name in within} == {"text"}
    for text in texts:
        assert "$$" not in text, text
        assert "[[" not in SLOT.sub("", text), text
    folder = Path(dtviz.__file__).parent / "app" / "lessons"
    assert {file.stem for file in folder.glob("*.md")} == set(learn_page.ANCHORS)


def test_heights_carries_the_figures_worked_by_hand() -> None:
    text = said(data="heights")
    assert r"-\tfrac{3}{7}\log_2\tfrac{3}{7} -\tfrac{4}{7}\log_2\tfrac{4}{7}" in text
    assert r"&= 0.985228\ \text{bit}" in text
    squares = r"-\left(\tfrac{3}{7}\right)^2 -\left(\tfrac{4}{7}\right)^2"
    assert f"&= 1 {squares}" in text  # Gini, with its 1 where all of it stands on one line
    assert "0.489796" in text
    assert "0.428571" in text  # error: 3/7
    assert "0.469565" in text  # gain of height <= 165
    assert "7 \\cdot 0.469565 = 3.28696" in text
    assert "2 candidates" in text
    assert "{2, 3.5, 4.5}" in text
    assert "{4.5, 5.5, 7}" in text


def test_numbers_that_circulate_stand_beside_the_engine_s_figures() -> None:
    at = learn(data="moons", n="50")
    table = next(table.value for table in at.table if "Printed" in table.value)
    pairs = dict(zip(table["Printed"], table["Recomputed"], strict=True))
    assert pairs["3.92"] == "**3.286956**"
    assert pairs["0.915"] == "**0.918296**"
    assert pairs["0.721"] == "**0.459148**"
    assert pairs["0.9 (fine)"] == "**0.896597**"
    assert pairs["1"] == "**3**"
    text = words(at)
    assert "0.251629" in text
    assert "0.109170" in text
    found = {one.figure: (one.printed, one.recomputed) for one in measures.misprints()}
    assert found["gain of Age <= 22.5"] == ("0.245", "0.251629")
    assert found["gain of Age <= 35"] == ("0.106", "0.109170")
    assert found["weighted entropy of Car in {Sports}"] == ("0.194", "0.459148")
    assert found["entropy of D_L, the Sports rows"] == ("0.387", "0.918296")
    assert found["gain of the cut below, among the Sports rows"] == ("0.387", "0.918296")
    assert found["the only cut there"] == ("Age <= 20", "Age <= 22.5")
    assert found["rule Car in {Sports} and Age <= 22.5"] == ("L", "H")
    assert found["rule Car in {Sports} and Age > 22.5"] == ("H", "L")
    assert found["prediction for Age 20, Sports"] == ("L", "H")
    found = {one.printed: one.recomputed for one in measures.misprints()}
    assert found["0.693"] == "1.000000"
    assert found["1.09"] == "1.584963"
    (sign,) = (one for one in measures.misprints() if one.example == "Bernoulli entropy")
    assert float(sign.printed) == -float(sign.recomputed) < 0
    for values in range(2, 8):
        assert measures.subset_splits(values) == 2 ** (values - 1) - 1, values


def test_the_numbers_are_of_the_node_in_focus() -> None:
    at = learn(data="moons", n="50", log="a1", focus="3")
    model = dtviz.fit(dtviz.load("moons", n=50))
    first = dtviz.fit(model.data, model.rules_used, model.log[:1])
    node = first.tree.nodes[3]
    text = words(at)
    assert "at **node 3**" in text
    assert rf"&= {tex(dtviz.impurity('entropy', np.array(node.counts)))}\ \text{{bit}}" in text
    best = dtviz.candidates(model.data, model.rules_used, first.log, 3).gain.max()
    assert rf"&= {tex(best)}\ \text{{bit}}" in text
    assert rf"\tfrac{{{node.n}}}{{50}} \cdot" in text


def test_leaves_are_counted_by_reason_in_the_order_of_the_checks() -> None:
    at = learn(data="heights")
    now, end = leaves(at, "Leaves now"), leaves(at, "Leaves at the end")
    assert now["*no rule: it is open*"] == 1
    assert end["pure: all rows have one class"] == 2
    assert end["its rows have the same values"] == 1
    assert sum(end.values()) == 3
    assert "$J = 1$ region, height **0**" in words(at)
    assert "$J = 3$ regions, height **2**" in words(at)
    # a leaf that was taken back says so whatever else holds; an open one holds no rule
    told = list(leaves(learn(data="heights"), "Leaves now"))
    assert (told[0], told[-1]) == ("a split was taken back there", "*no rule: it is open*")


def test_winners_that_differ_are_marked() -> None:
    at = learn(data="play_tennis")
    text = words(at).replace("\\", "")
    assert "**outlook = overcast**, yes for 4 rows, no for 10" in text
    assert "outlook <=" not in text
    branches = words(learn(data="play_tennis", families="multiway"))
    assert "4 rows overcast, 5 rows rainy, 5 rows sunny" in branches
    table = at.table[0].value
    marked = set(table["Criterion"][table["Best cut"].str.contains("≠")])
    assert marked == {"Error", "CART measure"}


def test_a_single_row_explains_itself() -> None:
    for params in ({"data": "moons", "n": "1"}, {"data": "sine", "n": "1"}):
        text = said(**params)
        assert "0 candidates" in text, params
        assert "No cut is possible at the root, so a worked example stands in." in text, params
    text = said(data="drawn", kind="classes", points="1~2~A")
    assert "one row leaves none to hold out" in text
    assert "the root alone has no link" in text


# --- the formulas alone ---------------------------------------------------------------------------


def test_formulas_are_written_with_their_numbers() -> None:
    assert midpoints((1, 3, 1, 5, 4)) == (2.0, 3.5, 4.5)
    assert midpoints((7, 7)) == ()
    assert tex(-1e-17) == "0"
    assert tex(1e-7) == r"1 \cdot 10^{-7}"
    assert tex(2 / 3) == "0.666667"
    data = dtviz.load("age_car_risk")
    spot = LessonNode(data, np.arange(data.n), dtviz.Rules(), "here")
    value = tex(dtviz.impurity("entropy", spot.counts))
    lines = divergence_lines(spot).split(r" \\ ")
    assert lines[2] == f"&= {value}"
    assert lines[3].startswith(f"H(D) &= {value}")
    assert impurity_lines(spot, ENTROPY).startswith(r"\begin{aligned}")
    for k in (6, 7):
        at = learn(data="blobs", k=str(k), n="70")
        rows = next(line for line in words(at).split("\n") if line.startswith("Rows: "))
        assert rows.count(",") == 5, k
        assert rows.endswith(" and 1 more class.") == ("more" in rows) == (k > 6), k
        of_classes = [str(block.value) for block in at.latex if r"\log_2" in str(block.value)]
        assert any(r"\dots" in one for one in of_classes) == (k > 6), k


def test_cost_is_counted_on_the_tree() -> None:
    data = dtviz.load("heights")  # 7 rows, split into 2 and 5, the 5 into 4 and 1
    tree = dtviz.fit(data).tree
    rows = cost_rows(
        {"now": split_sizes(tree), "balanced": halving_splits(7), "chain": one_row_splits(7)}, 1
    )
    told = {row["Search"].split("**")[1]: row for row in rows}
    assert told["naive"]["Tree now"] == str(7 * 6 + 5 * 4 + 7 + 5)
    assert told["presorted"]["Tree now"] == str(20 + 2 * (7 + 5))  # 7 rows are sorted by 20 looks
    assert told["level-wise"]["Tree now"] == str(20 + 2 * 2 * 7)
    assert told["presorted"]["Chain"] == str(20 + 2 * 27)  # 7 + 6 + 5 + 4 + 3 + 2
    assert told["presorted"]["Balanced"] == str(20 + 2 * (7 + 3 + 4 + 2 + 2 + 2))


# --- judging and pruning --------------------------------------------------------------------------


def test_judging_carries_the_errors_and_the_weakest_link_of_the_data() -> None:
    data = dtviz.load("moons", n=100)
    out = held_rows(data, 0.3)
    model = dtviz.fit(take_rows(data, ~out))
    wrong = 1 - model.score(take_rows(data, out))
    text = said(data="moons", n="100")
    assert "70 training rows and 30 held out" in text
    assert f"**{number(100 * wrong, 3)}\u00a0%** on the others" in text
    data = dtviz.load("heights")
    model = dtviz.fit(take_rows(data, ~held_rows(data, 0.3)))
    nodes = nodes_of(model.tree)
    link = next(weakest_links(nodes, nodes.is_split))
    text = said(data="heights")
    assert f"the weakest link is node {nodes.ids[link.index]}:" in text
    assert f"= **{number(link.alpha)}**" in text


def test_the_smallest_nodes_on_which_measures_disagree_are_told() -> None:
    text = said(data="heights").replace("**", "")
    assert "6 + 4 rows: A sends 5 + 2 left, B 4 + 4. Error prefers A, 0.1 over 0" in text
    assert "5 + 2 rows: A sends 4 + 2 left, B 4 + 1. Entropy prefers A" in text
    assert "3 + 2 rows: A sends 2 + 0 left, B 3 + 1. Entropy prefers A" in text


@pytest.mark.nightly
def test_ensembles_are_worked_out_on_the_data() -> None:
    text = said(data="moons", n="200")
    assert "that is 36.7 % of 200 rows" in text
    assert "a node draws 1 feature of 2" in text
    told = re.search(r"depth \d+ gets ([\d.]+)\s% wrong: .* = \*\*([\d.]+)\*\*, and the rows", text)
    assert told
    error, alpha = told.groups()
    share = float(error) / 100
    assert float(alpha) == pytest.approx(math.log((1 - share) / share), rel=1e-3)
    assert "it starts at the log-odds of B, " in text
    text = said(data="sine")
    assert "it starts at the mean of y, " in text
    assert "first tree of depth" not in text
    text = said(data="moons")
    model = dtviz.fit(dtviz.load("moons"), dtviz.Rules(order="breadth"))
    nodes = ", ".join(str(move.node) for move in model.log[:5])
    assert f"level by level. Here: {nodes}." in text


def test_the_worth_of_features_and_the_curve_along_the_first_are_those_of_the_tree() -> None:
    model = dtviz.fit(dtviz.load("iris"))
    worth = model.importances()
    text = said(data="iris")
    assert f"petal_length_cm **{100 * worth['petal_length_cm']:.3g} %**" in text
    curve = model.partial_dependence("petal_length_cm")["setosa"]
    assert (curve[6.9], curve[2.45]) == (curve.min(), curve.max())
    assert "mean share of setosa goes from **0** at 6\\.9 to **1** at 2\\.45." in text


# --- the page as it is read -----------------------------------------------------------------------


def test_what_waits_to_be_opened_is_not_worked_out() -> None:
    text, whole = words(learn(opened=(), data="iris")), said(data="iris")
    for told in ("all cuts stay the same without", "3.286956", "**Here**, for the settings"):
        assert told not in text
        assert told in whole


def test_the_tree_is_that_of_the_screen_or_its_first_splits() -> None:
    for log in ("a3", "a40"):
        at = learn(opened=(), data="moons", n="200", noise="0.3", **({"log": log} if log else {}))
        (tree,) = (one for one in at.get("bidi_component") if one.key == "in_tree")
        nodes = unpack(tree.proto.bytes[HEAD:])["nodes"]
        assert len(nodes) == (7 if log == "a3" else 15), log
