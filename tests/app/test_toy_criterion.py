"""A criterion that is registered is whole: it walks through every part, and no other file is told.

The toy is entropy in nats, under a name, a symbol and a unit of its own.
"""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from screens import frame_of, open_panel, page, params_of, press, stage_of, why, words
from streamlit.testing.v1 import AppTest

import dtviz
from dtviz import Rules
from dtviz.engine.criteria.criteria import CRITERIA, Criterion, Impurity, Sums, criteria_for
from dtviz.engine.criteria.latex import FormulaStep, RowGroup, latex_fraction
from dtviz.engine.grow import full_tree
from dtviz.engine.problem import Problem
from dtviz.engine.prune import alpha_path
from dtviz.engine.subtrees import splits_kept_by_rules
from dtviz.explain.export import TREE_KINDS
from dtviz.explain.why import arithmetic
from dtviz.models.steps import candidates_by_criterion, node_candidates

HEIGHTS = "heights"


def nats(sums: Sums, n: np.ndarray) -> np.ndarray:
    """n ln n - sum c ln c."""
    spread = n * np.log(n)
    for count in sums:
        spread -= count * np.log(np.maximum(count, 1))
    return np.asarray(spread)


def in_nats(group: RowGroup) -> FormulaStep:
    shares = [latex_fraction(part, group.total) for part in group.parts if part]
    return FormulaStep(terms=tuple(rf"{p} \ln {p}" for p in shares), sign="-")


DISORDER = Impurity(
    name="disorder",
    symbol="N",
    unit="nat",
    lead="**Disorder**, in nats",
    formula=r"-\sum_k p_k \ln p_k",
    spread=nats,
    formula_step=in_nats,
)


def opened(panel: str) -> AppTest:
    """Grow with one of the panels below open."""
    return open_panel(page("grow", data=HEIGHTS, criterion="nat"), panel)


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CRITERIA, "nat", Criterion("nat", "Nats", "classification", DISORDER))


def test_it_grows_and_prunes_the_tree_of_entropy_in_its_own_unit() -> None:
    data = dtviz.load("iris")
    mine, bits = dtviz.fit(data, Rules("nat")), dtviz.fit(data, Rules("entropy"))
    assert mine.log == bits.log
    for node, known in mine.tree.nodes.items():
        expected = bits.tree.nodes[node].impurity * math.log(2)
        assert known.impurity == pytest.approx(expected, abs=1e-12)
    assert "nat" in criteria_for("classification")
    assert "nat" not in criteria_for("regression")
    data = dtviz.load("iris")
    mine, bits = (
        alpha_path(nodes, splits_kept_by_rules(nodes, Rules(name)))
        for name in ("nat", "entropy")
        for nodes in [full_tree(Problem(data, Rules(name)))]
    )
    assert mine.alphas == pytest.approx(bits.alphas * math.log(2), rel=1e-9)


def test_steps_arithmetic_and_exports_speak_of_it() -> None:
    data = dtviz.load(HEIGHTS)
    first = next(dtviz.steps(data, Rules("nat")))
    assert first.why == "height <= 165 wins: gain 0.3255 nat, the best of 2 cuts."
    bits = dtviz.candidates(data, Rules("entropy"))
    for name in ("gain", "weighted_gain", "impurity_left", "impurity_right"):
        assert first.table[name].to_numpy() == pytest.approx(bits[name] * math.log(2), abs=1e-12)
    raced = candidates_by_criterion(Problem(data, Rules("nat")), first.before, 1)
    assert raced["nat"].best == raced["entropy"].best == 0
    data = dtviz.load(HEIGHTS)
    rules, rows = Rules("nat"), np.arange(data.n)
    tree = dtviz.fit(data, rules, ()).tree
    lines = arithmetic(
        Problem(data, rules), node_candidates(Problem(data, rules), tree, 1), 0, rows
    )
    assert lines[0] == (
        r"I(D) = - \tfrac{3}{7} \ln \tfrac{3}{7} - \tfrac{4}{7} \ln \tfrac{4}{7}"
        r" = 0.682908\ \text{nat}"
    )
    assert lines[3].endswith(r"\mathbf{0.325478}\ \text{nat}")
    assert len(lines) == 5
    for kind in TREE_KINDS:
        data = dtviz.load(HEIGHTS)
        mine, bits = (dtviz.fit(data, Rules(name)).export(kind) for name in ("nat", "entropy"))
        if kind == "json":
            assert json.loads(mine)["criterion"] == "nat", kind
            assert json.loads(mine)["nodes"][0]["impurity"] == pytest.approx(0.682908, abs=5e-7)
        elif kind == "dot":
            assert "impurity 0.6829" in mine, kind
        else:
            assert mine == bits, kind


def test_the_pages_speak_of_it_in_every_picture_and_panel() -> None:
    at = page("grow", data=HEIGHTS, criterion="nat")
    assert params_of(at)["criterion"] == "nat"
    assert "gain 0.3255 nat" in why(at)
    stage, tree = stage_of(at), frame_of(at, "tree")
    assert (stage["measure"], stage["unit"], stage["impurity"]) == ("gain", "nat", "disorder")
    assert (tree["impurity_name"], tree["unit"]) == ("disorder", "nat")
    assert tree["nodes"][0][4] == "0.6829"
    assert params_of(press(at, "next"))["criterion"] == "nat"
    assert not at.warning
    table = opened("Criteria").dataframe[0].value
    mine = table[table["criterion"] == "Nats"]
    assert mine["score"].tolist() == ["0.3255 nat"]
    at = opened("Arithmetic")
    assert any(r"\text{nat}" in str(block.value) for block in at.latex)
    at = opened("Candidates")
    assert frame_of(at, "ranking")["measure"] == "gain (nat)"
    at = opened("Algorithm")
    assert "impurity 0.6829 nat" in words(at)


def test_learn_teaches_it_like_the_others() -> None:
    at = page("learn", data=HEIGHTS, criterion="nat")
    text = "\n".join([words(at), *(str(block.value) for block in at.latex)])
    assert "Disorder, in nats" in text
    assert r"N(D) &= -\sum_k p_k \ln p_k" in text
    assert r"&= 0.682908\ \text{nat}" in text
    assert r"\text{gain} &= N(D) - \tfrac{n_L}{n} N(D_L)" in text
    assert r"&\quad - \tfrac{n_R}{n} N(D_R)" in text
    assert r"&= 0.325478\ \text{nat}" in text
