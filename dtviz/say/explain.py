"""Why this split: one sentence, the worked arithmetic, the line of the algorithm at work."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import ceil, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.criteria import CRITERIA, Criterion
from dtviz.engine.prune import alpha_of
from dtviz.engine.rules import Rules
from dtviz.engine.search import Candidates
from dtviz.engine.splits import Split, goes_left
from dtviz.engine.subtrees import nodes_of
from dtviz.engine.tree import Tree
from dtviz.say.words import cut_text, limit_text, line_text, split_text
from dtviz.table.data import Dataset
from dtviz.text import Dialect, chained, count, latex, number

DIGITS = 6
MOST_TERMS = 6
CLOSE = 1.05

FORMULA = Dialect(latex, number, partial(chained, at_most=r"\le"))
"""The dialect of KaTeX."""

ALGORITHM: tuple[tuple[str, str], ...] = (
    ("grow", "grow(D):"),
    ("stop", "    if a stop rule holds for D: make a leaf"),
    ("score", "    for every feature j and candidate t: score x_j <= t"),
    ("choose", "    choose the best split (j*, t*)"),
    ("part", "    D_L = rows with x_j* <= t*;  D_R = the others"),
    ("recurse", "    grow(D_L);  grow(D_R)"),
)
"""The CART algorithm, line by line, each with a name."""


def measure_name(rules: Rules) -> str:
    """What the criterion ranks cuts by: 'gain', 'gain ratio' or 'CART measure'."""
    criterion = CRITERIA[rules.criterion]
    if criterion.measure is None:
        return "gain"
    return criterion.title if criterion.name == "cart" else criterion.title.lower()


def unit_of(rules: Rules) -> str:
    """The unit of the score: 'bit' for the entropy's gain, else ''."""
    criterion = CRITERIA[rules.criterion]
    return criterion.unit if criterion.measure is None else ""


def impurity_name(rules: Rules) -> str:
    """What the impurity of a node is called: 'entropy', 'gini', 'error' or 'variance'."""
    criterion = CRITERIA[rules.criterion]
    if criterion.measure is not None:
        return "entropy" if criterion.unit else "gini"
    return {"squared_error": "variance"}.get(criterion.name, criterion.name)


def score_text(rules: Rules, value: float, digits: int = 4) -> str:
    """A score with its unit: '0.9183 bit'."""
    unit = unit_of(rules)
    return number(value, digits) + (f" {unit}" if unit else "")


def why(data: Dataset, rules: Rules, cuts: Candidates, chosen: Split | None = None) -> str:
    """One sentence on the chosen cut, the best one if none is given.

    For example: 'x1 <= 2.45 wins: gain 0.9183 bit, 1.7 times the best cut on x2; 2 cuts tie.'
    """
    if len(cuts) == 0:
        return "No cut exists here: every feature is constant in this node."
    if cuts.best is None and chosen is None:
        least = count(rules.min_samples_leaf, "row")
        return f"None of the {count(len(cuts), 'cut')} leaves min_samples_leaf = {least} a side."
    at = cuts.best if chosen is None else cuts.find(chosen)
    if at is None:
        return "This split is no candidate of the node: its threshold is not half-way between rows."
    if cuts.best is None or not cuts.tied[at]:
        return _why_not(data, rules, cuts, at)
    return _why_best(data, rules, cuts, at)


def why_pruned(rules: Rules, tree: Tree, node: int) -> str:
    """One sentence on why pruning takes the split of a node back, where ccp_alpha asks for it.

    For example: 'Node 5 is pruned: its 3 leaves lower the impurity of the tree by 0.0042 bit for
    each leaf more than one; ccp_alpha asks for more than 0.01.'
    """
    nodes = nodes_of(tree)
    alpha, leaves = alpha_of(nodes, nodes.split, nodes.ids.index(node))
    unit = CRITERIA[rules.criterion].unit
    worth = f"{number(alpha)} {unit}".strip()
    return (
        f"Node {node} is pruned: its {leaves:,} leaves lower the impurity of the tree by {worth} "
        f"for each leaf more than one; ccp_alpha asks for more than {number(rules.ccp_alpha)}."
    )


def _why_best(data: Dataset, rules: Rules, cuts: Candidates, at: int) -> str:
    score = float(cuts.score[at])
    name = measure_name(rules)
    ties = int(cuts.tied.sum())
    cut = cut_text(data, cuts, at)
    if score == 0:
        others = f"like all {ties} admissible cuts"
        if ties == 1:
            others = "the only cut" if len(cuts) == 1 else "the only admissible cut"
        first = "comes first" if at == cuts.best else "ties with the winner"
        return f"{cut} {first}: {name} 0, {others}."
    first = "wins" if at == cuts.best else "ties with the winner"
    against = _against_other_features(data, cuts, at)
    tail = (
        f"; {ties} cuts tie" + (", the first wins" if at == cuts.best else "") if ties > 1 else ""
    )
    return f"{cut} {first}: {name} {score_text(rules, score)}{against}{tail}."


def _against_other_features(data: Dataset, cuts: Candidates, at: int) -> str:
    """', 1.7 times the best cut on x2': the strongest rival feature, or nothing to compare with."""
    rivals = np.flatnonzero(cuts.admissible & (cuts.line != cuts.line[at]))
    if not len(rivals):
        return f", the best of {count(len(cuts), 'cut')}" if len(cuts) > 1 else ", the only cut"
    rival = int(rivals[np.argmax(cuts.score[rivals])])
    other = line_text(data, cuts.projections[cuts.line[rival]])
    if cuts.tied[rival]:
        return f", as much as the best cut on {other}"
    if cuts.score[rival] <= 0:
        return f"; no cut on {other} gains anything"
    times = float(cuts.score[at] / cuts.score[rival])
    if times < CLOSE:
        return f", just ahead of the best cut on {other}"
    return f", {number(times, 2)} times the best cut on {other}"


def _why_not(data: Dataset, rules: Rules, cuts: Candidates, at: int) -> str:
    here = f"{cut_text(data, cuts, at)}: {measure_name(rules)} {score_text(rules, cuts.score[at])}"
    if not cuts.admissible[at]:
        here += f"; it leaves fewer than min_samples_leaf = {rules.min_samples_leaf} rows on a side"
    if cuts.best is None:
        return here + "."
    top = float(cuts.score[cuts.best])
    winner = f"{cut_text(data, cuts, cuts.best)} ({score_text(rules, top)})"
    if top == 0:  # then only a forbidden cut is not among the best
        return f"{here}; the best admissible cut is {winner}."
    return f"{here}, {share_text(cuts.score[at], top)} the best cut, {winner}."


def share_text(score: float, top: float) -> str:
    """A score beside the best one: '54.4 % of', or 'just below' where it would round to 100 %."""
    share = number(100 * float(score) / top, 3)
    return "just below" if share == "100" else f"{share} % of"


def answer(data: Dataset, rules: Rules, cuts: Candidates, chosen: Split) -> str:
    """What a cut is worth that was chosen before the gains were seen: share of the best, regret.

    For example: 'x1 <= 3: gain 0.5 bit, 54.4 % of the best, regret 0.4183 bit; the best is ...'
    """
    at = cuts.find(chosen)
    if at is None or cuts.best is None or not cuts.admissible[at]:
        return why(data, rules, cuts, chosen)
    score, top = float(cuts.score[at]), float(cuts.score[cuts.best])
    here = f"{cut_text(data, cuts, at)}: {measure_name(rules)} {score_text(rules, score)}"
    if cuts.tied[at]:
        return f"{here}, 100 % of the best, regret 0: no cut is better."
    regret = score_text(rules, top - score)
    best = f"{cut_text(data, cuts, cuts.best)} ({score_text(rules, top)})"
    return f"{here}, {share_text(score, top)} the best, regret {regret}; the best is {best}."


def arithmetic(
    data: Dataset, rules: Rules, cuts: Candidates, at: int, rows: NDArray[np.intp]
) -> tuple[str, ...]:
    """The gain of cut `at` worked out with its own numbers, as LaTeX lines for KaTeX.

    `rows` are the row numbers of the node, shape (n,).
    """
    criterion = CRITERIA[rules.criterion]
    left = goes_left(cuts.split(at), data.columns, rows)
    y = data.y.take(rows)
    groups = (("D", y), ("D_L", y[left]), ("D_R", y[~left]))
    lines = [_impurity_line(data, criterion, name, group) for name, group in groups]
    n, n_left, n_right = len(y), int(left.sum()), int((~left).sum())
    parts = [_impurity(data, criterion, group) for _, group in groups]
    gain = float(cuts.gain[at])
    lines.append(
        rf"\text{{gain}} = {_num(parts[0])} - \frac{{{n_left}}}{{{n}}} \cdot {_num(parts[1])}"
        rf" - \frac{{{n_right}}}{{{n}}} \cdot {_num(parts[2])} = \mathbf{{{_num(gain)}}}"
        + _unit(criterion.unit)
    )
    lines.append(rf"n \cdot \text{{gain}} = {n} \cdot {_num(gain)} = {_num(n * gain)}")
    if criterion.name == "gain_ratio":
        lines.append(_ratio_line(n, n_left, n_right, gain, float(cuts.score[at])))
    if criterion.name == "cart":
        lines.append(_cart_line(y[left], y[~left], len(data.classes), float(cuts.score[at])))
    return tuple(lines)


def _impurity(data: Dataset, criterion: Criterion, y: NDArray[Any]) -> float:
    if not data.classes:
        return float(np.var(y)) if np.ptp(y) else 0.0
    counts = np.bincount(y, minlength=len(data.classes))
    spread = criterion.spread(counts[:, None], np.array([len(y)]))
    return max(float(spread[0]) / len(y), 0.0) if counts.max() < len(y) else 0.0


def _impurity_line(data: Dataset, criterion: Criterion, name: str, y: NDArray[Any]) -> str:
    value = _num(_impurity(data, criterion, y))
    n = len(y)
    if not data.classes:
        digits = _digits_apart(y)
        mean = _num(float(np.mean(y)), digits)
        shown = [rf"({_num(v, digits)} - {_signed(mean)})^2" for v in y[:MOST_TERMS].tolist()]
        dots = r" + \dots" if n > MOST_TERMS else ""
        body = rf"\frac{{1}}{{{n}}} \left[ {' + '.join(shown)}{dots} \right]"
    else:
        counts = [k for k in np.bincount(y, minlength=len(data.classes)).tolist() if k]
        body = _class_terms(criterion, counts, n)
    return rf"I({name}) = {body} = {value}" + _unit(criterion.unit)


def _class_terms(criterion: Criterion, counts: Sequence[int], n: int) -> str:
    shares = [rf"\tfrac{{{k}}}{{{n}}}" for k in counts]
    dots = r" - \dots" if len(shares) > MOST_TERMS else ""
    shares = shares[:MOST_TERMS]
    if criterion.unit == "bit":
        return " ".join(rf"- {p} \log_2 {p}" for p in shares) + dots
    if criterion.name == "error":
        return rf"1 - \tfrac{{{max(counts)}}}{{{n}}}"
    return "1 " + " ".join(rf"- \left({p}\right)^2" for p in shares) + dots


def _ratio_line(n: int, n_left: int, n_right: int, gain: float, ratio: float) -> str:
    split_entropy = _num(gain / ratio) if ratio else "H"
    left, right = rf"\tfrac{{{n_left}}}{{{n}}}", rf"\tfrac{{{n_right}}}{{{n}}}"
    below = rf"- {left} \log_2 {left} - {right} \log_2 {right}"
    return (
        rf"\text{{gain ratio}} = \frac{{\text{{gain}}}}{{{below}}}"
        rf" = \frac{{{_num(gain)}}}{{{split_entropy}}} = \mathbf{{{_num(ratio)}}}"
    )


def _cart_line(left: NDArray[Any], right: NDArray[Any], classes: int, score: float) -> str:
    n_left, n_right = len(left), len(right)
    n = n_left + n_right
    counts = (np.bincount(side, minlength=classes).tolist() for side in (left, right))
    pairs = zip(*counts, strict=True)
    terms = [
        rf"\left| \tfrac{{{a}}}{{{n_left}}} - \tfrac{{{b}}}{{{n_right}}} \right|"
        for a, b in pairs
        if a or b
    ]
    dots = r" + \dots" if len(terms) > MOST_TERMS else ""
    body = " + ".join(terms[:MOST_TERMS]) + dots
    return (
        rf"\text{{CART measure}} = 2 \cdot \tfrac{{{n_left}}}{{{n}}}"
        rf" \cdot \tfrac{{{n_right}}}{{{n}}}"
        rf" \left( {body} \right) = \mathbf{{{_num(score)}}}"
    )


def cut_latex(data: Dataset, cuts: Candidates, at: int) -> str:
    """The cut as LaTeX, names escaped: x_1 <= 2.45."""
    return split_text(data, cuts.split(at), limit_text(cuts, at), FORMULA)


def _digits_apart(y: NDArray[Any]) -> int:
    """Digits enough to tell numbers apart that are large beside their differences."""
    span = float(np.ptp(y))
    return min(15, DIGITS + max(0, ceil(log10(float(np.abs(y).max()) / span)))) if span else 15


def _num(value: float, digits: int = DIGITS) -> str:
    shown = number(value, digits)
    if "e" in shown:
        mantissa, power = shown.split("e")
        return rf"{mantissa} \cdot 10^{{{int(power)}}}"
    return shown


def _signed(shown: str) -> str:
    return f"({shown})" if shown.startswith("-") else shown


def _unit(unit: str) -> str:
    return rf"\ \text{{{unit}}}" if unit else ""


def lit_line(stop: str, has_split: bool) -> str:
    """The name of the algorithm's line that speaks of a node: stopped, already split, or open."""
    if has_split:
        return "part"
    return "stop" if stop else "choose"
