"""What every section of Learn is given: the screen, the node in focus, the tree to come."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from dtviz.app import state
from dtviz.app.controls import carry, view
from dtviz.base.text import count, number
from dtviz.data.dataset import Dataset, dataset
from dtviz.data.gallery import load
from dtviz.engine.criteria.criteria import (
    CRITERIA,
    ENTROPY,
    Criterion,
    Impurity,
    criteria_of,
)
from dtviz.engine.criteria.from_counts import divergence
from dtviz.engine.criteria.latex import (
    DIGITS,
    MOST_TERMS,
    Cut,
    Group,
    Step,
    amount,
    figure,
    share,
)
from dtviz.engine.grow import Decision
from dtviz.engine.leaves.node_facts import facts, group_of
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.search.candidates import Candidates, candidates
from dtviz.engine.search.frontier import unsorted
from dtviz.engine.splits import goes_left
from dtviz.engine.tree import Tree, rows_in
from dtviz.explain.why import rows_counted
from dtviz.explain.words import cut_text
from dtviz.models.steps import leading_among, searched
from dtviz.session.screen import Screen
from dtviz.session.session import ALL_MOVES, goto

TERMS_A_LINE = 2
LONG = 100_000
"""From so many rows on, fractions are so long that each term gets a line of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """One node: `rows` are its row numbers, shape (n,); `name` says in words which node it is."""

    data: Dataset
    rows: NDArray[np.intp]
    rules: Rules
    name: str
    known: dict[str, Candidates] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Number of rows in the node."""
        return len(self.rows)

    @property
    def counts(self) -> NDArray[np.intp]:
        """Rows of each class, shape (K,)."""
        return np.bincount(self.data.y.take(self.rows), minlength=len(self.data.classes))

    @property
    def weight(self) -> float:
        """What the rows weigh: their number, where they have no weights."""
        return float(self.group().whole)

    @property
    def sums(self) -> NDArray[Any]:
        """What the rows of each class weigh, shape (K,)."""
        return np.array(self.group().parts)

    def group(self, rows: NDArray[np.intp] | None = None) -> Group:
        """The node's rows, or some of them, as formulas take them."""
        return group_of(self.data, self.rows if rows is None else rows)

    def by(self, criterion: str) -> Criterion:
        """A criterion as the data and what leaves predict have it."""
        return self.problem(criterion).criterion

    def problem(self, criterion: str) -> Problem:
        """The data with the rules under a criterion."""
        return Problem(self.data, replace(self.rules, criterion=criterion))

    def cuts(self, criterion: str) -> Candidates:
        """Every cut of the node as a criterion ranks them; searched once."""
        if criterion not in self.known:
            problem = self.problem(criterion)
            some = leading_among(problem, self.rows)
            self.known[criterion] = searched(problem, self.rows, some)
        return self.known[criterion]


@dataclass(frozen=True, slots=True)
class Winner:
    """The best cut under one criterion; `same` tells whether it is the rules' own winner too."""

    criterion: str
    cut: str
    score: float
    same: bool


_loaded = cache(load)  # the same for everybody


def example_spot(name: str, rules: Rules) -> Spot:
    """The root of a worked example, for what the data on screen cannot show."""
    data = _loaded(name)
    return Spot(data, np.arange(data.n), rules, f"the worked example {name.replace('_', ' ')}")


def mid_points(values: Sequence[float]) -> tuple[float, ...]:
    """The candidate thresholds of a feature with these values in the node, by the engine."""
    rows = np.arange(len(values))
    data = dataset([np.array(values, float)], rows % 2, ("x",), "y", ("a", "b"))
    return tuple(candidates(data, rows, CRITERIA["entropy"]).threshold.tolist())


def shown(value: float, digits: int = DIGITS) -> str:
    """A number as LaTeX, rounding noise as 0."""
    return figure(0.0 if abs(value) < 1e-12 else float(value), digits)


def set_text(values: Sequence[float]) -> str:
    """Numbers as a set: {2, 3.5, 4.5}."""
    return "{" + ", ".join(number(value) for value in values) + "}"


def aligned(*lines: str) -> str:
    """The lines under one another."""
    return r"\begin{aligned}" + r" \\ ".join(lines) + r"\end{aligned}"


# --- impurity -------------------------------------------------------------------------------------


def impurity_lines(spot: Spot, impurity: Impurity) -> str:
    """I(D) of the node by its formula, with the node's own numbers."""
    step = impurity.step(spot.group())
    formula = rf"{impurity.symbol}(D) &= {impurity.formula}"
    if not step.terms:
        formula, body = f"{formula} = {step.head}", []
    else:
        body = _broken(step, TERMS_A_LINE if spot.n < LONG else 1)
    return aligned(formula, *body, rf"&= {shown(impurity_of(spot, impurity))}{_unit(impurity)}")


def impurity_of(spot: Spot, impurity: Impurity) -> float:
    """The impurity of the node."""
    own = replace(CRITERIA[spot.rules.criterion], impurity=impurity)
    return float(facts(spot.data, unsorted([spot.rows]), own).impurity[0])


def _unit(impurity: Impurity) -> str:
    return rf"\ \text{{{impurity.unit}}}" if impurity.unit else ""


def _broken(step: Step, a_line: int) -> list[str]:
    """A step on lines of few terms, dots for the rest."""
    tight = [step.sign + term.replace(" \\", "\\") for term in step.terms[:MOST_TERMS]]
    tight[0] = tight[0].removeprefix("+")
    rows = [" ".join(tight[at : at + a_line]) for at in range(0, len(tight), a_line)]
    if len(step.terms) > MOST_TERMS:
        rows.append(rf"{step.sign} \dots")
    rows[0] = f"{step.head} {rows[0]}".strip()
    rows[-1] = f"{rows[-1]} {step.tail}".strip()
    return [("&= " if at == 0 else r"&\quad ") + row for at, row in enumerate(rows)]


def bounds_lines(spot: Spot) -> str:
    """0 <= H <= log2 K with the node's numbers."""
    k, value = len(spot.data.classes), impurity_of(spot, ENTROPY)
    return rf"0 \le {shown(value)} \le \log_2 {k} = {shown(math.log2(k))}"


def divergence_lines(spot: Spot) -> str:
    """Both sides of entropy = log2 K - KL(p || uniform), each computed on its own."""
    k = len(spot.data.classes)
    kl = float(divergence(spot.sums[None])[0])
    return aligned(
        r"\mathrm{KL}(p \,\|\, u) &= \sum_k p_k \log_2 (K p_k) = " + shown(kl),
        rf"\log_2 K - \mathrm{{KL}} &= {shown(math.log2(k))} - {shown(kl)}",
        rf"&= {shown(math.log2(k) - kl)}",
        rf"H(D) &= {shown(impurity_of(spot, ENTROPY))}",
    )


# --- gain -----------------------------------------------------------------------------------------


def gain_formula(symbol: str) -> tuple[str, ...]:
    """What the gain is, by the symbol of the impurity."""
    return (
        rf"\text{{gain}} &= {symbol}(D) - \tfrac{{n_L}}{{n}} {symbol}(D_L)",
        rf"&\quad - \tfrac{{n_R}}{{n}} {symbol}(D_R)",
    )


def gain_lines(spot: Spot, cuts: Candidates, at: int) -> str:
    """The gain of cut `at`, worked out."""
    own, (left, right) = spot.by(spot.rules.criterion).impurity, _sides(cuts, at)
    counted = replace(spot, rows=rows_counted(Problem(spot.data, spot.rules), cuts, at, spot.rows))
    whole, first = shown(impurity_of(counted, own)), shown(cuts.impurity_left[at])
    factor = "" if counted.n == spot.n else share(counted.weight, spot.weight)
    opening, closing = (rf"{factor} \bigl(", r"\bigr)") if factor else ("", "")
    return aligned(
        rf"\text{{gain}} &= {opening}{whole} - {left} \cdot {first}",
        rf"&\quad - {right} \cdot {shown(cuts.impurity_right[at])}{closing}",
        rf"&= {shown(cuts.gain[at])}{_unit(own)}",
    )


def scaled_lines(spot: Spot, cuts: Candidates, at: int) -> str:
    """The weighted gain and the impurity decrease of cut `at`."""
    gain, n, total = float(cuts.gain[at]), spot.weight, spot.data.weight
    return aligned(
        rf"n \cdot \text{{gain}} &= {amount(n)} \cdot {shown(gain)} = {shown(n * gain)}",
        rf"\tfrac{{n}}{{n_\text{{total}}}} \cdot \text{{gain}} &= "
        rf"{share(n, total)} \cdot {shown(gain)} = {shown(n / total * gain)}",
    )


def measure_lines(spot: Spot, criterion: Criterion, at: int) -> str:
    """What a criterion's own measure makes of cut `at`, step by step."""
    assert criterion.measure is not None
    cuts = spot.cuts(criterion.name)
    left = goes_left(cuts.split(at), spot.data.columns, spot.rows)
    gain, score = float(cuts.gain[at]), float(cuts.score[at])
    cut = Cut(spot.group(spot.rows[left]), spot.group(spot.rows[~left]), gain, score)
    lines = [rf"\text{{{criterion.measured}}} &= {criterion.measure.formula}"]
    for step in criterion.measure.steps(cut):
        lines += _broken(step, 1) if step.terms else [f"&= {step.head}"]
    return aligned(*lines, rf"&= {shown(score)}")


def winners(spot: Spot) -> list[Winner]:
    """The best cut under each criterion that suits the data; none where no cut is admissible."""
    own = spot.cuts(spot.rules.criterion).best
    out = []
    for name in criteria_of(spot.data):
        cuts = spot.cuts(name)
        if cuts.best is not None:
            text, score = cut_text(spot.data, cuts, cuts.best), float(cuts.score[cuts.best])
            out.append(Winner(name, text, score, cuts.best == own))
    return out


def _sides(cuts: Candidates, at: int) -> tuple[str, str]:
    """n_L / n and n_R / n as fractions."""
    left, right = cuts.weight_left[at].item(), cuts.weight_right[at].item()
    return share(left, left + right), share(right, left + right)


Decisions = dict[int, Decision]


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """The screen, the node whose numbers are shown, and the screen at the end of the time-line."""

    screen: Screen
    spot: Spot
    last: Screen

    @property
    def end(self) -> Tree:
        """The tree at the end of the time-line."""
        return self.last.tree

    @property
    def stages(self) -> list[tuple[str, Tree, Decisions]]:
        """(name, tree, decisions): now, and at the end unless the tree is there already."""
        now = ("now", self.screen.tree, self.screen.decisions)
        if self.end.nodes.keys() == self.screen.tree.nodes.keys():
            return [now]
        return [now, ("at the end", self.end, self.last.decisions)]


def lesson_of(screen: Screen) -> Lesson:
    """The lesson on a screen."""
    session = screen.session
    name = "the root" if screen.node == 1 else f"node {screen.node}"
    spot = Spot(screen.data, rows_in(screen.tree, screen.node), session.rules, name)
    return Lesson(screen, spot, state.tab().screen(goto(session, ALL_MOVES, screen.future)))


def opened(name: str, words: str, draw: Callable[[], None]) -> None:
    """What takes a while to work out, and is worked out once it is opened."""
    panel = st.expander(words, key=f"more_{name}", on_change="rerun")
    if panel.open:
        with panel:
            draw()


def open_in_grow(words: str, name: str, **params: str) -> None:
    """A button that leads to an example in Grow, or to the screen as it is."""
    arrow = ":material/arrow_forward:"
    if st.button(words, key=f"grow_{name}", icon=arrow, icon_position="right", type="tertiary"):
        st.switch_page("pages/grow.py", query_params=params or None)


def table(rows: list[dict[str, str]], alt: str) -> None:
    """A small table whose cells wrap; cells are Markdown, so names in them come escaped."""
    st.table(pd.DataFrame(rows), hide_index=True, border="horizontal", alt=alt)


def elsewhere(what: str, spot: Spot) -> str:
    """Where the numbers come from when they are not of the data on screen."""
    return f"{what}, at the root of {spot.name} ({count(spot.n, 'row')}):"


def beside(name: str) -> tuple[Any, Any]:
    """Two places: for a text with its formula, and for the picture at its side."""
    with st.container(key=f"beside_{name}"):
        text, picture = st.columns(2, gap="large")
    return text, picture


def picture(name: str, screen: Screen, cloud: str = "") -> None:
    """A picture of that screen, after the cloud that it draws."""
    if cloud:
        carry(f"for_{name}", state.tab().parcel(cloud, screen, state.theme()))
    view(f"in_{name}", state.tab().parcel(name, screen, state.theme()))
