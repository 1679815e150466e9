"""Each formula of impurity and gain with the figures of one node, as LaTeX.

Glossary
    spot       the node whose numbers are shown: its data, its rows, the rules that rank its cuts
    lines      LaTeX lines of one formula, aligned at `&=`, short enough for a phone

No streamlit here: every function takes engine values and gives text or numbers back.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.criteria import CRITERIA, criteria_for, impurity
from dtviz.engine.rules import Rules
from dtviz.engine.search import Candidates, candidates
from dtviz.engine.splits import goes_left
from dtviz.say.words import cut_text
from dtviz.table.data import Dataset, dataset
from dtviz.table.gallery import load
from dtviz.text import number

DIGITS = 6
MOST_TERMS = 6
TERMS_A_LINE = 2
LONG = 100_000
"""From so many rows on, fractions are so long that each term gets a line of its own."""

SYMBOLS = {"entropy": "H", "gini": "G", "error": "E", "gain_ratio": "H", "cart": "G"}
"""The letter of each criterion's impurity; a squared error is written V."""


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

    def cuts(self, criterion: str) -> Candidates:
        """Every cut of the node as a criterion ranks them; searched once."""
        if criterion not in self.known:
            least = self.rules.min_samples_leaf
            found = candidates(self.data, self.rows, CRITERIA[criterion], least)
            self.known[criterion] = found
        return self.known[criterion]


@dataclass(frozen=True, slots=True)
class Winner:
    """The best cut under one criterion; `same` tells whether it is the rules' own winner too."""

    criterion: str
    cut: str
    score: float
    same: bool


def example_spot(name: str, rules: Rules) -> Spot:
    """The root of a worked example, for what the data on screen cannot show."""
    data = load(name)
    return Spot(data, np.arange(data.n), rules, f"the worked example {name.replace('_', ' ')}")


def mid_points(values: Sequence[float]) -> tuple[float, ...]:
    """The candidate thresholds of a feature with these values in the node, by the engine."""
    rows = np.arange(len(values))
    data = dataset([np.array(values, float)], rows % 2, ("x",), "y", ("a", "b"))
    return tuple(candidates(data, rows, CRITERIA["entropy"]).threshold.tolist())


def shown(value: float, digits: int = DIGITS) -> str:
    """A number as LaTeX, rounding noise as 0."""
    text = number(0.0 if abs(value) < 1e-12 else float(value), digits)
    if "e" not in text:
        return text.replace("∞", r"\infty")
    mantissa, power = text.split("e")
    return rf"{mantissa} \cdot 10^{{{int(power)}}}"


def set_text(values: Sequence[float]) -> str:
    """Numbers as a set: {2, 3.5, 4.5}."""
    return "{" + ", ".join(number(value) for value in values) + "}"


def aligned(*lines: str) -> str:
    """The lines under one another."""
    return r"\begin{aligned}" + r" \\ ".join(lines) + r"\end{aligned}"


# --- impurity -------------------------------------------------------------------------------------


def entropy_lines(spot: Spot) -> str:
    """H(D) of the node, with its own shares."""
    terms = [rf"-{p}\log_2{p}" for p in _shares(spot)]
    value = impurity("entropy", spot.counts)
    body = _broken(terms, spot.n)
    return aligned(r"H(D) &= -\sum_k p_k \log_2 p_k", *body, rf"&= {shown(value)}\ \text{{bit}}")


def gini_lines(spot: Spot) -> str:
    """G(D) of the node, with its own shares."""
    terms = [rf"-\left({p}\right)^2" for p in _shares(spot)]
    terms[0] = "1 " + terms[0]
    value = impurity("gini", spot.counts)
    return aligned(r"G(D) &= 1 - \sum_k p_k^2", *_broken(terms, spot.n), rf"&= {shown(value)}")


def error_lines(spot: Spot) -> str:
    """E(D) of the node, with its own shares."""
    value = impurity("error", spot.counts)
    most = _ratio(int(spot.counts.max()), spot.n)
    return aligned(rf"E(D) &= 1 - \max_k p_k = 1 - {most}", rf"&= {shown(value)}")


def squared_lines(spot: Spot) -> str:
    """V(D) of the node, with its own first rows."""
    y = spot.data.y.take(spot.rows)
    mean = shown(float(np.mean(y)))
    minus = rf"({mean})" if mean.startswith("-") else mean
    terms = [rf"({shown(value)} - {minus})^2" for value in y[:2].tolist()]
    dots = r" + \dots" if spot.n > len(terms) else ""
    body = r" \\ &\qquad + ".join(terms) + dots
    return aligned(
        r"V(D) &= \tfrac{1}{n} \sum_i (y_i - \bar y)^2, \quad \bar y = " + mean,
        rf"&= \tfrac{{1}}{{{spot.n}}} \bigl[ {body} \bigr]",
        rf"&= {shown(squared_error(spot))}",
    )


def squared_error(spot: Spot) -> float:
    """The mean squared distance from the mean in the node."""
    y = spot.data.y.take(spot.rows)
    return float(np.var(y)) if np.ptp(y) else 0.0


def bounds_lines(spot: Spot) -> str:
    """0 <= H <= log2 K with the node's numbers."""
    k, value = len(spot.data.classes), impurity("entropy", spot.counts)
    return rf"0 \le {shown(value)} \le \log_2 {k} = {shown(math.log2(k))}"


def divergence_lines(spot: Spot) -> str:
    """Both sides of entropy = log2 K - KL(p || uniform), each computed on its own."""
    k = len(spot.data.classes)
    p = spot.counts[spot.counts > 0] / spot.n
    kl = float(np.sum(p * np.log2(p * k)))
    return aligned(
        r"\mathrm{KL}(p \,\|\, u) &= \sum_k p_k \log_2 (K p_k) = " + shown(kl),
        rf"\log_2 K - \mathrm{{KL}} &= {shown(math.log2(k))} - {shown(kl)}",
        rf"&= {shown(math.log2(k) - kl)}",
        rf"H(D) &= {shown(impurity('entropy', spot.counts))}",
    )


def _shares(spot: Spot) -> list[str]:
    """p_1, p_2, ... as fractions; classes that do not occur add nothing."""
    return [_ratio(int(c), spot.n) for c in spot.counts if c]


def _ratio(part: int, whole: int) -> str:
    return rf"\tfrac{{{part}}}{{{whole}}}"


def _broken(terms: Sequence[str], n: int) -> list[str]:
    """The first terms of a sum, few on a line, dots for the rest."""
    kept = terms[:MOST_TERMS]
    step = TERMS_A_LINE if n < LONG else 1
    rows = [" ".join(kept[at : at + step]) for at in range(0, len(kept), step)]
    if len(terms) > MOST_TERMS:
        rows.append(rf"- \dots \quad \text{{({len(terms)} terms)}}")
    return [("&= " if at == 0 else r"&\quad ") + row for at, row in enumerate(rows)]


# --- gain -----------------------------------------------------------------------------------------


def symbol(rules: Rules) -> str:
    """The letter of the impurity that the rules' criterion measures."""
    return SYMBOLS.get(rules.criterion, "V")


def node_impurity(spot: Spot) -> float:
    """The impurity of the node under the rules' criterion."""
    name = spot.rules.criterion
    return impurity(name, spot.counts) if spot.data.classes else squared_error(spot)


def gain_lines(spot: Spot, cuts: Candidates, at: int) -> str:
    """The gain of cut `at`, worked out."""
    s = symbol(spot.rules)
    left, right = _sides(cuts, at)
    unit = CRITERIA[spot.rules.criterion].unit
    return aligned(
        rf"\text{{gain}} &= {s}(D) - \tfrac{{n_L}}{{n}} {s}(D_L) - \tfrac{{n_R}}{{n}} {s}(D_R)",
        rf"&= {shown(node_impurity(spot))} - {left} \cdot {shown(cuts.impurity_left[at])}",
        rf"&\quad - {right} \cdot {shown(cuts.impurity_right[at])}",
        rf"&= {shown(cuts.gain[at])}" + (rf"\ \text{{{unit}}}" if unit else ""),
    )


def scaled_lines(spot: Spot, cuts: Candidates, at: int) -> str:
    """The weighted gain and the impurity decrease of cut `at`."""
    gain, n, total = float(cuts.gain[at]), spot.n, spot.data.n
    return aligned(
        rf"n \cdot \text{{gain}} &= {n} \cdot {shown(gain)} = {shown(n * gain)}",
        rf"\tfrac{{n}}{{n_\text{{total}}}} \cdot \text{{gain}} &= "
        rf"{_ratio(n, total)} \cdot {shown(gain)} = {shown(n / total * gain)}",
    )


def ratio_lines(spot: Spot, cuts: Candidates, at: int) -> str:
    """The gain ratio of cut `at`; `cuts` are those of the criterion gain_ratio."""
    left, right = _sides(cuts, at)
    sizes = np.array([cuts.n_left[at], cuts.n_right[at]])
    below, gain = impurity("entropy", sizes), float(cuts.gain[at])
    return aligned(
        r"\text{gain ratio} &= \frac{\text{gain of } H}{H(\tfrac{n_L}{n}, \tfrac{n_R}{n})}",
        rf"H({left}, {right}) &= {shown(below)}",
        rf"\text{{gain ratio}} &= \frac{{{shown(gain)}}}{{{shown(below)}}} "
        rf"= {shown(cuts.score[at])}",
    )


def cart_lines(spot: Spot, cuts: Candidates, at: int) -> str:
    """The CART measure of cut `at`; `cuts` are those of the criterion cart."""
    left, right = _sides(cuts, at)
    n_left, n_right = int(cuts.n_left[at]), int(cuts.n_right[at])
    pairs = zip(*_side_counts(spot, cuts, at), strict=True)
    terms = [
        rf"\left|{_ratio(a, n_left)} - {_ratio(b, n_right)}\right|" for a, b in pairs if a or b
    ]
    dots = [r"\dots"] if len(terms) > 3 else []
    body = r" \\ &\qquad + ".join([*terms[:3], *dots])
    return aligned(
        r"\text{CART} &= 2 \tfrac{n_L}{n} \tfrac{n_R}{n} \sum_k |p_k(L) - p_k(R)|",
        rf"&= 2 \cdot {left} \cdot {right} \, \bigl( {body} \bigr)",
        rf"&= {shown(cuts.score[at])}",
    )


def _side_counts(spot: Spot, cuts: Candidates, at: int) -> tuple[list[int], list[int]]:
    """Rows of each class left and right of cut `at`."""
    y, classes = spot.data.y.take(spot.rows), len(spot.data.classes)
    goes = goes_left(cuts.split(at), spot.data.columns, spot.rows)
    left = np.bincount(y[goes], minlength=classes)
    return left.tolist(), (spot.counts - left).tolist()


def winners(spot: Spot) -> list[Winner]:
    """The best cut under each criterion that suits the data; none where no cut is admissible."""
    own = spot.cuts(spot.rules.criterion).best
    out = []
    for name in criteria_for(spot.data.task):
        cuts = spot.cuts(name)
        if cuts.best is not None:
            text, score = cut_text(spot.data, cuts, cuts.best), float(cuts.score[cuts.best])
            out.append(Winner(name, text, score, cuts.best == own))
    return out


def _sides(cuts: Candidates, at: int) -> tuple[str, str]:
    """n_L / n and n_R / n as fractions."""
    n_left, n_right = int(cuts.n_left[at]), int(cuts.n_right[at])
    return _ratio(n_left, n_left + n_right), _ratio(n_right, n_left + n_right)
