"""Arithmetic of counts: the lines are those of Grow, and every figure is the engine's."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from cases import AGE_CAR_RISK, GOOD_PLACE, HEIGHTS, RPART_TREBLE, data_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import class_data, criteria_of_any, data, nasty, number_data

import dtviz
from dtviz import axis_split
from dtviz.base.text import number
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.data.gallery import load
from dtviz.engine.criteria.criteria import CRITERIA, ENTROPY, criteria_for
from dtviz.engine.criteria.from_counts import Disagreement, group_of_counts
from dtviz.engine.criteria.latex import DIGITS, MAX_TERMS, FormulaStep
from dtviz.engine.grow import STOPS
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, default_rules, minimum_of
from dtviz.engine.search.candidates import Candidates, candidates
from dtviz.engine.tree import root_tree
from dtviz.explain.why import (
    ALGORITHM,
    ALGORITHM_OF_CATEGORIES,
    CATEGORY_ORDER_TEXT,
    algorithm_line,
    arithmetic,
    candidate_latex,
    counts_arithmetic,
    impurity_line,
    impurity_name,
    information_lines,
    judgement,
    measure_name,
    pair_text,
    score_text,
    subset_searches,
    unit_of,
    why,
    why_pruned,
)
from dtviz.models.model import fit
from dtviz.models.steps import node_candidates


def test_a_split_given_by_counts_is_worked_out_as_the_cut_of_its_rows() -> None:
    left, right = (4, 1, 0), (1, 1, 3)
    y = np.concatenate([np.repeat(range(3), left), np.repeat(range(3), right)])
    data = make_dataset([np.repeat([0, 1], [5, 5])], y, ["x"], "y", "abc")
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


NUMBER = r"-?[\d.]+(?: \\cdot 10\^\{-?\d+\})?"


def cuts_of(found: Dataset, rules: Rules) -> Candidates:
    """The root's candidates."""
    return candidates(
        found, np.arange(found.n), CRITERIA[rules.criterion], minimum_of(rules, found)
    )


def sentence(found: Dataset, rules: Rules, chosen: tuple[int, float] | None = None) -> str:
    return why(
        Problem(found, rules), cuts_of(found, rules), axis_split(*chosen) if chosen else None
    )


def flat(y: list[int], *columns: list[float]) -> Dataset:
    """Class data with features x1, x2, ..."""
    return make_dataset(
        columns, np.array(y), [f"x{j + 1}" for j in range(len(columns))], "y", "abc"
    )


def value_of(latex: str) -> float:
    """A number as the arithmetic prints it."""
    mantissa, _, power = latex.partition(r" \cdot 10^{")
    return float(mantissa) * 10 ** int(power.rstrip("}") or 0)


def bold(line: str) -> float:
    """The result of a line."""
    found = re.search(r"\\mathbf\{(" + NUMBER + r")\}", line)
    assert found, line
    return value_of(found[1])


def rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


HEIGHT, CAR = data_of(HEIGHTS), data_of(AGE_CAR_RISK)
TWO, XOR = flat([0, 1], [1, 2], [3, 4]), flat([0, 1, 1, 0], [0, 0, 1, 1], [0, 1, 0, 1])
FOUR = flat([0, 1, 1, 0], [1, 2, 3, 4])  # only the middle cut leaves two rows a side, and gains 0
NEAR = make_dataset(
    [[0, 0, 1, 1], [0, 1, 0, 1]], np.array([0, 0.5, 0.501, 1]), ["x1", "x2"], "y"
)  # fmt: skip
CONSTANT = "No cut exists here: all rows of this node have the same values."


def test_the_sentence_of_the_winner() -> None:
    for table, rules, words in (
        (CAR, Rules(), "Car = Sports <= 0.5 wins: gain 0.4591 bit, 1.8 times the best cut on Age."),
        (HEIGHT, Rules(), "height <= 165 wins: gain 0.4696 bit, the best of 2 cuts."),
        (flat([0, 1], [1, 2]), Rules("gini"), "x1 <= 1.5 wins: gain 0.5, the only cut."),
        (TWO, Rules(), "x1 <= 1.5 wins: gain 1 bit. It ties with x2 <= 3.5; the first is taken."),
        (flat([0, 1], [1, 2], [3, 4], [5, 6]), Rules(), "x1 <= 1.5 wins: gain 1 bit. It ties with "
         "x2 <= 3.5 and 1 more; the first is taken."),
        (flat([0, 1, 0], [1, 2, 3]), Rules(), "x1 <= 1.5 wins: gain 0.2516 bit, the best of 2 "
         "cuts. It ties with x1 <= 2.5; the first is taken."),
        (NEAR, default_rules("regression"), "x1 <= 0.5 wins: gain 0.06263, just ahead of the best "
         "cut on x2."),
        (flat([0, 0, 1, 1], [1, 1, 2, 2], [1, 2, 1, 2]), Rules(), "x1 <= 1.5 wins: gain 1 bit; no "
         "cut on x2 gains anything."),
        (XOR, Rules(), "No cut gains anything: gain 0. x1 <= 0.5 is the first of 2."),
        (flat([0, 0], [0, 1]), Rules("gini"), "All rows have the same target. No cut can "
         "gain anything."),
        (FOUR, Rules("gini", min_samples_leaf=2), "x1 <= 2.5 gains nothing: gain 0. It is the "
         "only cut allowed."),
        (CAR, Rules("cart"), "Car = Sports <= 0.5 wins: CART measure 0.6667, 1.5 times the best "
         "cut on Age."),
        (data_of(RPART_TREBLE, "regression"), Rules("squared_error"), "x1 <= 5.5 wins: gain 6.25, "
         "2.8 times the best cut on x2."),
        (flat([0, 1], [5, 5]), Rules(), CONSTANT),
        (flat([0], [5]), Rules(), CONSTANT),
        (HEIGHT, Rules(min_samples_leaf=4), "None of the 2 cuts leaves at least 4 rows on both "
         "sides."),
        (HEIGHT, Rules(min_weight_fraction_leaf=0.5), "None of the 2 cuts leaves at least 0.5 of "
         "the weight on both sides."),
        (HEIGHT, Rules(min_weight_fraction_leaf=0.5, min_samples_leaf=2), "None of the 2 cuts "
         "leaves at least 2 rows and 0.5 of the weight on both sides."),
    ):  # fmt: skip
        assert sentence(table, rules) == words
    rest = flat([0, 0, 1, 0, 0, 1], [0, 1, 1, 1, 1, 2])
    assert "all 1 " not in sentence(rest, Rules("error", min_samples_leaf=1))
    assert "gain ratio 0.4591" in sentence(CAR, Rules("gain_ratio"))


def test_the_sentence_of_another_cut() -> None:
    share = "27.3 % of the best cut, height <= 165 (0.4696 bit)."
    for table, rules, chosen, words in (
        (HEIGHT, Rules(), (0, 175), f"height <= 175: gain 0.1281 bit, {share}"),
        (HEIGHT, Rules(min_samples_leaf=2), (0, 175), "height <= 175: gain 0.1281 bit; it leaves "
         f"fewer than 2 rows on a side, {share}"),
        (HEIGHT, Rules(min_weight_fraction_leaf=0.2), (0, 175), "height <= 175: gain 0.1281 bit; "
         f"it leaves less than 0.2 of the weight on a side, {share}"),
        (HEIGHT, Rules(min_samples_leaf=0.2, min_weight_fraction_leaf=0.2), (0, 175), "height <= "
         f"175: gain 0.1281 bit; it leaves fewer than 2 rows (0.2 of 7) on a side, {share}"),
        (HEIGHT, Rules(min_samples_leaf=4), (0, 165), "height <= 165: gain 0.4696 bit; it leaves "
         "fewer than 4 rows on a side."),
        (HEIGHT, Rules(), (0, 999), "This split is no candidate of the node: it leaves all rows on "
         "one side."),
        (TWO, Rules(), (1, 3.5), "x2 <= 3.5: gain 1 bit. It ties with x1 <= 1.5, the first."),
        (XOR, Rules(), (1, 0.5), "No cut gains anything: gain 0. x2 <= 0.5 is one of 2."),
        (FOUR, Rules("gini", min_samples_leaf=2), (0, 1.5), "x1 <= 1.5: gain 0.1667; it leaves "
         "fewer than 2 rows on a side; the best cut allowed is x1 <= 2.5 (0)."),
        (data_of(GOOD_PLACE), Rules(), (1, 97.5), "score <= 97.5: gain 0.108 bit, 45.7 % of the "
         "best cut, forbidden_expression <= 0.5 (0.2365 bit)."),
    ):  # fmt: skip
        assert sentence(table, rules, chosen) == words


def test_each_measure_and_impurity_by_its_name_and_unit() -> None:
    assert measure_name(Rules("gain_ratio")) == "gain ratio"
    assert measure_name(Rules("cart")) == "CART measure"
    assert measure_name(Rules("error")) == "gain"
    assert [unit_of(Rules(name)) for name in CRITERIA] == ["bit", "", "", "", "", "", "", ""]
    assert score_text(Rules(), 0.918296) == "0.9183 bit"
    assert score_text(Rules("gini"), 0.918296, 2) == "0.92"
    numbers = load("sine")
    rows = {"classification": HEIGHT, "regression": replace(numbers, y=np.abs(numbers.y))}
    assert {
        name: impurity_name(Problem(rows[of.task], Rules(name))) for name, of in CRITERIA.items()
    } == {
        "entropy": "entropy",
        "gini": "gini",
        "error": "error",
        "gain_ratio": "entropy",
        "cart": "gini",
        "squared_error": "variance",
        "absolute_error": "distance",
        "poisson": "deviance",
    }


@given(data(8), st.data())
def test_every_cut_has_a_sentence_and_an_answer_whose_share_and_regret_give_the_best(
    table: Dataset, drawn: st.DataObject
) -> None:
    name = drawn.draw(st.sampled_from(criteria_of_any(table.task)))
    rules = Rules(name, min_samples_leaf=drawn.draw(st.integers(1, 3)))
    cuts = cuts_of(table, rules)
    problem = Problem(table, rules)
    for cut in (None, *range(len(cuts))):
        words = why(problem, cuts, None if cut is None else cuts.split(cut))
        assert words.endswith(".")
        assert not re.search("nan|inf(?!ormation)", words)
        wins = cut is None or cut == cuts.best
        assert ("wins:" in words or "comes first" in words) == (wins and cuts.best is not None)
        if cut is None:
            continue
        words = judgement(problem, cuts, cuts.split(cut))
        assert words.endswith(".")
        assert "nan" not in words
        worth = re.search(r" ([\d.e-]+) % of the best, regret ([\d.e-]+)", words)
        assert (worth is None) == (cuts.best is None or not cuts.admissible[cut])
        if worth:
            share, regret = float(worth[1]) / 100, float(worth[2].rstrip("."))
            top = float(cuts.score[cuts.best])
            assert (share == 1 and regret == 0) or not cuts.tied[cut]
            assert share * top == pytest.approx(float(cuts.score[cut]), rel=6e-3, abs=6e-3 * top)
            assert share * top + regret == pytest.approx(top, rel=6e-3)
            assert ("no cut is better" in words) == bool(cuts.tied[cut])


@given(st.one_of(class_data(), number_data()), st.data())
def test_the_arithmetic_ends_in_the_cut_s_numbers(found: Dataset, drawn: st.DataObject) -> None:
    name = drawn.draw(st.sampled_from(criteria_of_any(found.task)))
    cuts = cuts_of(found, Rules(name))
    rows = np.arange(found.n)
    for at in range(len(cuts)):
        lines = arithmetic(Problem(found, Rules(name)), cuts, at, rows)
        assert bold(lines[3]) == pytest.approx(rounded(cuts.gain[at]), rel=1e-15)
        ends = [re.search(r"= (" + NUMBER + r")(\\ \\text\{bit\})?$", line) for line in lines[:3]]
        parts = [value_of(end[1]) for end in ends if end]
        sides = (cuts.impurity_left[at], cuts.impurity_right[at])
        assert parts[1:] == pytest.approx(sides, rel=1e-5, abs=1e-9)
        n_left, n_right = int(cuts.n_left[at]), int(cuts.n_right[at])
        worked = parts[0] - (n_left * parts[1] + n_right * parts[2]) / (n_left + n_right)
        assert bold(lines[3]) == pytest.approx(worked, abs=3e-5 * max(parts[0], 1e-300))
        whole = re.search(r"= (" + NUMBER + ")$", lines[4])
        assert whole
        assert value_of(whole[1]) == pytest.approx(found.n * cuts.gain[at], rel=1e-5)
        assert len(lines) == (6 if name in ("cart", "gain_ratio") else 5)
        if len(lines) == 6:
            assert bold(lines[5]) == pytest.approx(rounded(cuts.score[at]), rel=1e-15)
        assert all(line.count("{") == line.count("}") for line in lines)


def test_the_printed_gains_come_out_of_the_arithmetic() -> None:
    for rule, printed in AGE_CAR_RISK["candidates"].items():
        feature, limit = rule.rsplit(" <= ", 1)
        split = axis_split(CAR.features.index(feature), float(limit))
        for name, value in printed.items():
            cuts = cuts_of(CAR, Rules(name))
            index = cuts.find(split)
            assert index is not None
            line = arithmetic(Problem(CAR, Rules(name)), cuts, index, np.arange(6))[
                5 if name == "cart" else 3
            ]
            assert bold(line) == pytest.approx(value, abs=5e-7), (rule, name)


def test_the_arithmetic_of_the_heights_in_full() -> None:
    lines = arithmetic(Problem(HEIGHT, Rules()), cuts_of(HEIGHT, Rules()), 0, np.arange(7))
    assert lines == (
        r"I(D) = - \tfrac{3}{7} \log_2 \tfrac{3}{7} - \tfrac{4}{7} \log_2 \tfrac{4}{7}"
        r" = 0.985228\ \text{bit}",
        r"I(D_L) = - \tfrac{2}{2} \log_2 \tfrac{2}{2} = 0\ \text{bit}",
        r"I(D_R) = - \tfrac{1}{5} \log_2 \tfrac{1}{5} - \tfrac{4}{5} \log_2 \tfrac{4}{5}"
        r" = 0.721928\ \text{bit}",
        r"\text{gain} = 0.985228 - \frac{2}{7} \cdot 0 - \frac{5}{7} \cdot 0.721928"
        r" = \mathbf{0.469565}\ \text{bit}",
        r"n \cdot \text{gain} = 7 \cdot 0.469565 = 3.28696",
    )
    error = arithmetic(
        Problem(HEIGHT, Rules("error")), cuts_of(HEIGHT, Rules("error")), 0, np.arange(7)
    )
    assert error[0] == r"I(D) = 1 - \tfrac{4}{7} = 0.428571"  # which names the majority


def test_long_sums_are_cut_with_dots() -> None:
    terms = tuple("abcdef")
    assert len(terms) == MAX_TERMS
    assert FormulaStep("", terms).latex(MAX_TERMS) == "a + b + c + d + e + f"
    assert (
        FormulaStep("1", (*terms, "g"), "-").latex(MAX_TERMS)
        == r"1 - a - b - c - d - e - f - \dots"
    )
    for classes, name, line in ((6, "gini", 0), (7, "gini", 0), (9, "entropy", 0), (9, "cart", -1)):
        rows = np.arange(classes)
        table = make_dataset([rows], rows, ["x"], "y", "abcdefghi"[:classes])
        lines = arithmetic(Problem(table, Rules(name)), cuts_of(table, Rules(name)), 0, rows)
        assert (r"\dots" in lines[line]) == (classes > 6), (classes, name)
        assert lines[0].count("tfrac") <= 12
    numbers = make_dataset([np.arange(9.0)], -np.arange(9.0), ["x"], "y")
    rules = default_rules("regression")
    first = arithmetic(Problem(numbers, rules), cuts_of(numbers, rules), 0, np.arange(9))[0]
    assert r"\dots" in first
    assert "- (-4)" in first


def test_tiny_numbers_are_powers_of_ten_and_near_ones_are_apart_in_the_arithmetic() -> None:
    table = make_dataset([np.arange(4.0)], np.array([0, 1e-6, 2e-6, 5e-6]), ["x"], "y")
    rules = default_rules("regression")
    lines = arithmetic(Problem(table, rules), cuts_of(table, rules), 2, np.arange(4))
    assert lines[0].endswith(r"= 3.5 \cdot 10^{-12}")
    assert bold(lines[3]) == pytest.approx(3e-12)
    far = make_dataset([[1.0, 2.0, 3.0]], np.array([1e8 + 1.5, 1e8 + 2.5, 1e8 + 5.0]), ["x"], "y")
    first = arithmetic(Problem(far, rules), cuts_of(far, rules), 0, np.arange(3))[0]
    assert "(100000001.5 - 100000003)^2" in first
    assert first.endswith("= 2.16667")


@given(nasty)
def test_a_cut_as_latex_escapes_the_name(name: str) -> None:
    found = make_dataset([[1, 2]], np.array([0, 1]), [name], "y", "ab")
    shown = candidate_latex(found, cuts_of(found, Rules()), 0)
    assert shown.startswith(r"\text{")
    assert shown.endswith(r"} \le 1.5")
    assert "\n" not in shown


def test_the_lit_line_is_one_of_the_algorithm_s() -> None:
    names = [name for name, _ in ALGORITHM]
    assert len(set(names)) == len(names)
    assert algorithm_line("", True) == algorithm_line("pure", True) == "part"
    assert {algorithm_line(stop, False) for stop in STOPS if stop} == {"stop"}
    assert algorithm_line("", False) == "choose"
    assert {"part", "stop", "choose"} <= set(names)
    assert [name for name, _ in ALGORITHM_OF_CATEGORIES] == names


def test_formulas_call_the_sides_of_a_category_yes_and_no() -> None:
    tennis = Problem(load("play_tennis"), Rules())
    cuts = node_candidates(tennis, root_tree(tennis), 1)
    index = cuts.best
    assert index is not None
    assert cuts.turned[index]
    lines = arithmetic(tennis, cuts, index, np.arange(14))
    assert lines[1].startswith(r"I(D_{\text{yes}}) = - \tfrac{4}{4}")
    assert lines[2].startswith(r"I(D_{\text{no}}) = - \tfrac{5}{10}")
    heights = arithmetic(Problem(HEIGHT, Rules()), cuts_of(HEIGHT, Rules()), 0, np.arange(7))
    assert [line.partition(" = ")[0] for line in heights[:3]] == ["I(D)", "I(D_L)", "I(D_R)"]
    words = "\n".join(text for _, text in ALGORITHM_OF_CATEGORIES)
    assert ("D_yes" in words, "D_L" in words) == (True, False)


# --- what a cut is worth that was chosen before the gains were seen -------------------------------


def test_the_answer_gives_the_share_and_the_regret_or_why_it_cannot_be_made() -> None:
    best = "100 % of the best, regret 0: no cut is better."
    for table, rules, chosen, words in (
        (HEIGHT, Rules(), (0, 175), "height <= 175: gain 0.1281 bit, 27.3 % of the best, regret "
         "0.3415 bit; the best is height <= 165 (0.4696 bit)."),
        (CAR, Rules("cart"), (0, 22.5), "Age <= 22.5: CART measure 0.4444, 66.7 % of the best, "
         "regret 0.2222; the best is Car = Sports <= 0.5 (0.6667)."),
        (HEIGHT, Rules(), (0, 165), f"height <= 165: gain 0.4696 bit, {best}"),
        (TWO, Rules("gini"), (1, 3.5), f"x2 <= 3.5: gain 0.5, {best}"),
        (XOR, Rules(), (1, 0.5), f"x2 <= 0.5: gain 0 bit, {best}"),
    ):  # fmt: skip
        assert judgement(Problem(table, rules), cuts_of(table, rules), axis_split(*chosen)) == words
    for least, chosen in ((2, (0, 175)), (4, (0, 165)), (1, (0, 999))):
        rules = Rules(min_samples_leaf=least)
        words = judgement(Problem(HEIGHT, rules), cuts_of(HEIGHT, rules), axis_split(*chosen))
        assert words == sentence(HEIGHT, rules, chosen)


# --- pruning --------------------------------------------------------------------------------------


def test_why_a_node_is_pruned_says_its_alpha_as_worked_by_hand() -> None:
    # heights: x <= 165 leaves 2 rows of one class and 5 rows (1, 4), x <= 175 leaves those (0, 1)
    # and (1, 3): 7 R(t) = 5 * 0.721928, 7 R(T_t) = 4 * 0.811278, one leaf more
    found, rules = data_of(HEIGHTS), Rules(ccp_alpha=0.1)
    tree = fit(found, replace(rules, ccp_alpha=0.0)).tree
    alpha = (5 * 0.7219280948873623 - 4 * 0.8112781244591328) / 7
    said = why_pruned(rules, tree, 3)
    gain = number(alpha, 2)
    assert said == f"Node 3 is pruned: one more leaf gains only {gain} bit; a leaf costs 0.1."
    price = number(alpha, 3)  # equal to the gain in two digits: both have more
    said = why_pruned(replace(rules, ccp_alpha=float(price) + 1e-3), tree, 3)
    assert f"gains only {gain} bit; a leaf costs {number(float(price) + 1e-3, 2)}." in said
    said = why_pruned(replace(rules, ccp_alpha=alpha), tree, 3)
    assert said.endswith(f"gains only {number(alpha)} bit, no more than a leaf costs.")


def test_the_subsets_of_a_category_are_counted_and_a_heuristic_is_named() -> None:
    for values, classes, words in (
        (2, 2, "2 values, 2^(2-1) - 1 = 1 subset."),
        (3, 2, "3 values, 2^(3-1) - 1 = 3 subsets; the best by gain is one of the 2 cuts."),
        (2, 3, "2 values, 2^(2-1) - 1 = 1 subset."),
        (10, 3, "10 values, 2^(10-1) - 1 = 511 subsets; all are tried, 9 of them are the cuts of "
         "its order."),
        (11, 2, "11 values, 2^(11-1) - 1 = 1,023 subsets; the best by gain is one of the 10 cuts."),
        (11, 3, "11 values, 2^(11-1) - 1 = 1,023 subsets, too many to try: its 10 cuts keep the "
         f"order of {CATEGORY_ORDER_TEXT}"),
    ):  # fmt: skip
        rows = np.arange(values * classes)
        levels = (tuple("abcdefghijk"[:values]),)
        y = rows // values
        table = make_dataset([rows % values], y, "g", "y", "ABC"[:classes], categories=levels)
        cuts = node_candidates(
            Problem(table, Rules("gini")), root_tree(Problem(table, Rules("gini"))), 1
        )
        assert subset_searches(Problem(table, Rules("gini")), cuts) == (f"g: {words}",)
    assert "may miss the best" in CATEGORY_ORDER_TEXT


def test_the_arithmetic_counts_the_rows_that_the_gain_counts() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=100)
    y = (x + rng.normal(size=100) > 0) * 1
    x[rng.permutation(100)[:40]] = np.nan
    found = make_dataset([x, rng.normal(size=100)], y, "xz", "y", "ab")
    for missing in ("learned", "surrogates", "majority"):
        rules = Rules("gini", missing=missing)
        problem = Problem(found, rules)
        cuts = node_candidates(problem, root_tree(problem), 1)
        weighted = dtviz.candidates(found, rules).weighted_gain.tolist()
        assert weighted == (100 * cuts.gain).tolist(), missing
        assert cuts.best is not None
        lines = arithmetic(problem, cuts, cuts.best, np.arange(100))
        _, worked, result = re.sub(r"\\mathbf\{(.*)\}", r"\1", lines[3]).split(" = ")
        worked = re.sub(r"\\frac\{(\d+)\}\{(\d+)\}", r"\1/\2", worked).replace(r"\cdot", "*")
        worked = worked.replace(r" \left(", " * (").replace(r"\right)", ")")
        assert eval(worked) == pytest.approx(float(result), abs=1e-4), missing
        assert lines[4].endswith(f"= {number(weighted[cuts.best], DIGITS)}"), missing
