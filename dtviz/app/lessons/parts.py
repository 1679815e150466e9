"""Parts of all lessons: the screen and its node, worked formulas as LaTeX, tables, pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from dtviz.app import state
from dtviz.app.controls import draw_frame
from dtviz.base.arrays import Ints
from dtviz.base.lazy import pd
from dtviz.base.text import count, number
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.data.gallery import load
from dtviz.engine.criteria import latex
from dtviz.engine.criteria.criteria import CRITERIA, ENTROPY, Criterion, Impurity
from dtviz.engine.criteria.from_counts import divergence
from dtviz.engine.grow import Decision
from dtviz.engine.leaves.node_facts import compute_facts, group_of
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, suitable_criteria
from dtviz.engine.search.candidates import Candidates, candidates
from dtviz.engine.search.frontier import unsorted_frontier
from dtviz.engine.splits import rows_of_sides
from dtviz.engine.tree import Tree, rows_in
from dtviz.explain.why import rows_in_gain
from dtviz.explain.words import candidate_text, node_phrase
from dtviz.models.steps import leading_features, search_candidates
from dtviz.pictures.frames import LAYOUTS
from dtviz.session.screen import Screen
from dtviz.session.session import ALL_MOVES, go_to_step

TERMS_PER_LINE = 2
LONG_FRACTION_ROWS = 100_000
"""Number of rows from which fractions are so long that each term gets a line."""


@dataclass(frozen=True, slots=True, eq=False)
class LessonNode:
    """A node whose numbers a lesson shows."""

    data: Dataset
    """All rows on screen."""
    row_ids: Ints
    """Row ids of the node, (n,)."""
    rules: Rules
    """Rules of the tree."""
    name: str
    """Words for the node: 'the root'."""
    candidates: dict[str, Candidates] = field(default_factory=dict)
    """Candidates of the node by criterion, of those criteria that `cuts` was asked for."""

    @property
    def n(self) -> int:
        """Number of rows in the node."""
        return len(self.row_ids)

    @property
    def counts(self) -> Ints:
        """Rows of each class, (K,)."""
        return np.bincount(self.data.y.take(self.row_ids), minlength=len(self.data.classes))

    @property
    def weight(self) -> float:
        """Weight of the node's rows: their number, where they have no weights."""
        return float(self.group().total)

    @property
    def class_weights(self) -> NDArray[Any]:
        """Weight of the rows of each class, (K,)."""
        return np.array(self.group().parts)

    def group(self, row_ids: Ints | None = None) -> latex.RowGroup:
        """Return the targets of the node's rows, or of the given rows, as formulas need them."""
        return group_of(self.data, self.row_ids if row_ids is None else row_ids)

    def criterion(self, name: str) -> Criterion:
        """Return a criterion, compiled for the data and the leaf model."""
        return self.problem(name).criterion

    def problem(self, criterion: str) -> Problem:
        """Return the problem of the data and the rules, with another criterion."""
        return Problem(self.data, replace(self.rules, criterion=criterion))

    def cuts(self, criterion: str) -> Candidates:
        """Return the candidates of the node by a criterion; each criterion is searched once."""
        if criterion not in self.candidates:
            problem = self.problem(criterion)
            features = leading_features(problem, self.row_ids)
            self.candidates[criterion] = search_candidates(problem, self.row_ids, features)
        return self.candidates[criterion]


@dataclass(frozen=True, slots=True)
class BestCut:
    """Best cut of a node by one criterion."""

    criterion: str
    """Name of the criterion."""
    cut: str
    """Text of the cut."""
    score: float
    """Score of the cut by the criterion."""
    is_chosen: bool
    """True if the criterion of the rules chooses the same cut."""


@cache  # all tabs share an example with its candidates, which do not change
def example_node(name: str, rules: Rules) -> LessonNode:
    """Return the root of a worked example, for a lesson that the data on screen do not suit."""
    data = load(name)
    return LessonNode(
        data, np.arange(data.n), rules, f"the worked example {name.replace('_', ' ')}"
    )


def midpoints(values: Sequence[float]) -> tuple[float, ...]:
    """Return the engine's candidate thresholds of a feature with these values in a node."""
    row_ids = np.arange(len(values))
    # Any target does: the thresholds do not depend on it.
    data = make_dataset([np.array(values, float)], row_ids % 2, ("x",), "y", ("a", "b"))
    return tuple(candidates(data, row_ids, CRITERIA["entropy"]).threshold.tolist())


def tex(value: float, digits: int = latex.DIGITS) -> str:
    """Return a number as LaTeX; a number as small as a rounding error is 0."""
    return latex.latex_number(0.0 if abs(value) < 1e-12 else float(value), digits)


def set_text(values: Sequence[float]) -> str:
    """Return numbers as the text of a set: {2, 3.5, 4.5}."""
    return "{" + ", ".join(number(value) for value in values) + "}"


def aligned(*lines: str) -> str:
    """Return LaTeX that sets the lines one below the other."""
    return r"\begin{aligned}" + r" \\ ".join(lines) + r"\end{aligned}"


# --- impurity -------------------------------------------------------------------------------------


def impurity_lines(node: LessonNode, impurity: Impurity) -> str:
    """Return LaTeX of the node's impurity: the formula, then the formula with its numbers."""
    step = impurity.formula_step(node.group())
    formula = rf"{impurity.symbol}(D) &= {impurity.formula}"
    if not step.terms:
        formula, body = f"{formula} = {step.head}", []
    else:
        body = _step_lines(step, TERMS_PER_LINE if node.n < LONG_FRACTION_ROWS else 1)
    return aligned(formula, *body, rf"&= {tex(impurity_of(node, impurity))}{_unit(impurity)}")


def impurity_of(node: LessonNode, impurity: Impurity) -> float:
    """Return the impurity of the node."""
    criterion = replace(CRITERIA[node.rules.criterion], impurity=impurity)
    return float(compute_facts(node.data, unsorted_frontier([node.row_ids]), criterion).impurity[0])


def _unit(impurity: Impurity) -> str:
    return rf"\ \text{{{impurity.unit}}}" if impurity.unit else ""


def _step_lines(step: latex.FormulaStep, terms_per_line: int) -> list[str]:
    """Return LaTeX lines of a step of a formula, a few terms each; dots for more than MAX_TERMS."""
    terms = [step.sign + term.replace(" \\", "\\") for term in step.terms[: latex.MAX_TERMS]]
    terms[0] = terms[0].removeprefix("+")
    starts = range(0, len(terms), terms_per_line)
    lines = [" ".join(terms[start : start + terms_per_line]) for start in starts]
    if len(step.terms) > latex.MAX_TERMS:
        lines.append(rf"{step.sign} \dots")
    lines[0] = f"{step.head} {lines[0]}".strip()
    lines[-1] = f"{lines[-1]} {step.tail}".strip()
    return [("&= " if k == 0 else r"&\quad ") + line for k, line in enumerate(lines)]


def bounds_lines(node: LessonNode) -> str:
    """Return LaTeX of the bounds of entropy, 0 <= H <= log2 K, with the node's numbers."""
    k, value = len(node.data.classes), impurity_of(node, ENTROPY)
    return rf"0 \le {tex(value)} \le \log_2 {k} = {tex(math.log2(k))}"


def divergence_lines(node: LessonNode) -> str:
    """Return LaTeX of both sides of H = log2 K - KL(p || uniform), each computed on its own."""
    k = len(node.data.classes)
    kl = float(divergence(node.class_weights[None])[0])
    return aligned(
        r"\mathrm{KL}(p \,\|\, u) &= \sum_k p_k \log_2 (K p_k) = " + tex(kl),
        rf"\log_2 K - \mathrm{{KL}} &= {tex(math.log2(k))} - {tex(kl)}",
        rf"&= {tex(math.log2(k) - kl)}",
        rf"H(D) &= {tex(impurity_of(node, ENTROPY))}",
    )


# --- gain -----------------------------------------------------------------------------------------


def gain_formula(symbol: str) -> tuple[str, ...]:
    """Return LaTeX lines of the formula of the gain, with the given symbol of an impurity."""
    return (
        rf"\text{{gain}} &= {symbol}(D) - \tfrac{{n_L}}{{n}} {symbol}(D_L)",
        rf"&\quad - \tfrac{{n_R}}{{n}} {symbol}(D_R)",
    )


def gain_lines(node: LessonNode, cuts: Candidates, index: int) -> str:
    """Return LaTeX of the gain of a cut with its numbers."""
    impurity = node.criterion(node.rules.criterion).impurity
    left, right = _side_shares(cuts, index)
    problem = Problem(node.data, node.rules)
    scored = replace(node, row_ids=rows_in_gain(problem, cuts, index, node.row_ids))
    parent_impurity = tex(impurity_of(scored, impurity))
    left_impurity = tex(cuts.impurity_left[index])
    # Where rows without a score do not count, the gain is scaled by the weight of the others.
    factor = "" if scored.n == node.n else latex.latex_fraction(scored.weight, node.weight)
    opening, closing = (rf"{factor} \bigl(", r"\bigr)") if factor else ("", "")
    return aligned(
        rf"\text{{gain}} &= {opening}{parent_impurity} - {left} \cdot {left_impurity}",
        rf"&\quad - {right} \cdot {tex(cuts.impurity_right[index])}{closing}",
        rf"&= {tex(cuts.gain[index])}{_unit(impurity)}",
    )


def decrease_lines(node: LessonNode, cuts: Candidates, index: int) -> str:
    """Return LaTeX of a cut's gain times its node's weight, and of its impurity decrease."""
    gain, n, total = float(cuts.gain[index]), node.weight, node.data.weight
    return aligned(
        rf"n \cdot \text{{gain}} &= {latex.count_text(n)} \cdot {tex(gain)} = {tex(n * gain)}",
        rf"\tfrac{{n}}{{n_\text{{total}}}} \cdot \text{{gain}} &= "
        rf"{latex.latex_fraction(n, total)} \cdot {tex(gain)} = {tex(n / total * gain)}",
    )


def measure_lines(node: LessonNode, criterion: Criterion, index: int) -> str:
    """Return LaTeX of the score of a cut by a criterion with a measure besides the gain."""
    assert criterion.measure is not None
    cuts = node.cuts(criterion.name)
    sides = rows_of_sides(cuts.split(index), node.data.columns, node.row_ids)
    groups = tuple(map(node.group, sides))
    cut = latex.WorkedSplit(groups, float(cuts.gain[index]), float(cuts.score[index]))
    lines = [rf"\text{{{criterion.score_name}}} &= {criterion.measure.formula}"]
    for step in criterion.measure.formula_steps(cut):
        lines += _step_lines(step, 1) if step.terms else [f"&= {step.head}"]
    return aligned(*lines, rf"&= {tex(cut.score)}")


def best_cut_by_criterion(node: LessonNode) -> list[BestCut]:
    """Return the best cut by each criterion that suits the data and finds an admissible cut."""
    chosen = node.cuts(node.rules.criterion).best
    winners = []
    for name in suitable_criteria(node.rules, node.data):
        cuts = node.cuts(name)
        if cuts.best is not None:
            text, score = candidate_text(node.data, cuts, cuts.best), float(cuts.score[cuts.best])
            winners.append(BestCut(name, text, score, cuts.best == chosen))
    return winners


def _side_shares(cuts: Candidates, index: int) -> tuple[str, str]:
    """Return n_L / n and n_R / n as LaTeX fractions."""
    left, right = cuts.weight_left[index].item(), cuts.weight_right[index].item()
    return latex.latex_fraction(left, left + right), latex.latex_fraction(right, left + right)


Decisions = dict[int, Decision]
"""Decisions of the rules by the id of the leaf."""


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """Data of a lesson."""

    screen: Screen
    """Screen of the page."""
    node: LessonNode
    """Node whose numbers are shown."""
    end_screen: Screen
    """Screen at the end of the time-line."""

    @property
    def end_tree(self) -> Tree:
        """Tree at the end of the time-line."""
        return self.end_screen.tree

    @property
    def named_trees(self) -> list[tuple[str, Tree, Decisions]]:
        """Name, tree and decisions of now, and of the end of the time-line if its tree differs."""
        now = ("now", self.screen.tree, self.screen.decisions)
        if self.end_tree.nodes.keys() == self.screen.tree.nodes.keys():
            return [now]
        return [now, ("at the end", self.end_tree, self.end_screen.decisions)]


def lesson_of(screen: Screen) -> Lesson:
    """Return the data of the lessons for a screen."""
    session = screen.session
    row_ids, name = rows_in(screen.tree, screen.node), node_phrase(screen.node)
    node = LessonNode(screen.data, row_ids, session.rules, name)
    return Lesson(screen, node, state.tab().screen(go_to_step(session, ALL_MOVES, screen.future)))


def open_in_grow(label: str, key: str, **params: str) -> None:
    """Draw a button that opens Grow with these parameters of an address, or with this screen."""
    arrow = ":material/arrow_forward:"
    if st.button(label, key=f"grow_{key}", icon=arrow, icon_position="right", type="tertiary"):
        st.switch_page("pages/grow.py", query_params=params or None)


def table(rows: list[dict[str, str]], alt: str) -> None:
    """Draw a small table; its cells are Markdown, so names in them must be escaped."""
    st.table(pd.DataFrame(rows), hide_index=True, border="horizontal", alt=alt)


def example_heading(title: str, node: LessonNode) -> str:
    """Return the heading above the numbers of a worked example."""
    return f"{title}, at the root of {node.name} ({count(node.n, 'row')}):"


def picture(name: str, screen: Screen) -> None:
    """Draw a picture of a screen, with its points where its layout has them."""
    tab = state.tab()
    pack_frame = tab.pack_page if name in LAYOUTS else tab.pack_picture
    draw_frame(f"in_{name}", pack_frame(name, screen, state.theme()))
