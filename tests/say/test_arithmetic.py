"""Arithmetic of counts: the lines are those of Grow, and every figure is the engine's."""

from __future__ import annotations

import numpy as np

from dtviz.engine.candidates import candidates
from dtviz.engine.counts import group_of_counts
from dtviz.engine.criteria import CRITERIA, ENTROPY, criteria_for
from dtviz.engine.disagree import Disagreement
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.say.arithmetic import counts_arithmetic, impurity_line, information_lines
from dtviz.say.compared import pair_text
from dtviz.say.explain import arithmetic
from dtviz.table.data import dataset


def test_a_split_given_by_counts_is_worked_out_as_the_cut_of_its_rows() -> None:
    left, right = (4, 1, 0), (1, 1, 3)
    y = np.concatenate([np.repeat(range(3), left), np.repeat(range(3), right)])
    data = dataset([np.repeat([0, 1], [5, 5])], y, ["x"], "y", "abc")
    for name in criteria_for("classification"):
        cuts = candidates(data, np.arange(10), CRITERIA[name])
        of_rows = arithmetic(Problem(data, Rules(name)), cuts, 0, np.arange(10))
        assert counts_arithmetic(CRITERIA[name], (5, 2, 3), left) == of_rows, name


def test_the_gain_ratio_of_a_small_split() -> None:
    lines = counts_arithmetic(CRITERIA["gain_ratio"], (5, 2), (4, 2))
    assert lines[1] == (
        r"I(D_L) = - \tfrac{4}{6} \log_2 \tfrac{4}{6} - \tfrac{2}{6} \log_2 \tfrac{2}{6}"
        r" = 0.918296\ \text{bit}"
    )
    assert lines[3].endswith(r"= \mathbf{0.0760099}\ \text{bit}")
    assert lines[5].endswith(r"= \frac{0.0760099}{0.591673} = \mathbf{0.128466}")


def test_the_information_of_a_half_a_quarter_and_a_quarter() -> None:
    assert information_lines((2, 1, 1)) == (
        r"-\log_2 p_1 = -\log_2 \tfrac{2}{4} = 1\ \text{bit}",
        r"-\log_2 p_2 = -\log_2 \tfrac{1}{4} = 2\ \text{bit}",
        r"-\log_2 p_3 = -\log_2 \tfrac{1}{4} = 2\ \text{bit}",
        r"H = \tfrac{2}{4} \cdot 1 + \tfrac{1}{4} \cdot 2 + \tfrac{1}{4} \cdot 2 = 1.5\ \text{bit}",
        r"\mathrm{KL}(p \,\|\, u) = \tfrac{2}{4} \log_2 \tfrac{3 \cdot 2}{4}"
        r" + \tfrac{1}{4} \log_2 \tfrac{3 \cdot 1}{4} + \tfrac{1}{4} \log_2 \tfrac{3 \cdot 1}{4}"
        r" = 0.0849625\ \text{bit}",
        r"\log_2 3 - \mathrm{KL} = 1.58496 - 0.0849625 = 1.5 = H",
    )


def test_a_class_without_rows_surprises_nobody() -> None:
    lines = information_lines((0, 4))
    assert lines[0] == r"-\log_2 p_2 = -\log_2 \tfrac{4}{4} = 0\ \text{bit}"
    assert lines[-1] == r"\log_2 2 - \mathrm{KL} = 1 - 1 = 0 = H"
    assert len(lines) == 4


def test_the_impurity_of_a_group_is_named() -> None:
    line = impurity_line(ENTROPY, group_of_counts((1, 1)), 1.0, "p")
    assert line == (
        r"I(p) = - \tfrac{1}{2} \log_2 \tfrac{1}{2} - \tfrac{1}{2} \log_2 \tfrac{1}{2}"
        r" = 1\ \text{bit}"
    )


def test_a_pair_has_the_scores_of_both_criteria_and_their_units() -> None:
    pair = Disagreement((5, 2), (4, 2), (4, 1))
    assert pair_text(CRITERIA["entropy"], CRITERIA["gini"], pair) == (
        "5 + 2 rows: **A** sends 4 + 2 left, **B** 4 + 1. "
        "Entropy prefers A, 0.07601 over 0.06174 bit; Gini prefers B, 0.03673 over 0.02721."
    )
