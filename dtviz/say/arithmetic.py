r"""Formulas worked out with the numbers of a group or of a split, as LaTeX lines for KaTeX.

Glossary
    group    some rows as formulas take them, see worked.py
    K        the number of classes, u the uniform shares 1/K
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dtviz.engine import counts as counted
from dtviz.engine.criteria import ENTROPY, Criterion, Impurity
from dtviz.engine.worked import MOST_TERMS, Cut, Group, amount, figure, share


def counts_arithmetic(
    criterion: Criterion, parent: Sequence[int], left: Sequence[int]
) -> tuple[str, ...]:
    """The same of a split told by its counts; neither side may be empty."""
    right = [n - a for n, a in zip(parent, left, strict=True)]
    counts = np.array([parent, left, right])
    gain, score = (
        float(of(criterion, counts[0], counts[1:2])[0]) for of in (counted.gains, counted.scores)
    )
    groups = [counted.group_of_counts(one) for one in counts.tolist()]
    worth = counted.impurities(criterion.impurity, counts).tolist()
    return split_lines(criterion, groups, worth, gain, score)


def split_lines(
    criterion: Criterion,
    groups: Sequence[Group],
    worth: Sequence[float],
    gain: float,
    score: float,
    node_weight: float | None = None,
) -> tuple[str, ...]:
    """The gain of a split and its measure, worked out.

    `groups` are the rows that count in the gain, those on the left and those on the right; `worth`
    the impurity of each. `node_weight` is the weight of the node, where not all its rows count.
    """
    impure = [figure(value) for value in worth]
    unit, (n, n_left, n_right) = _unit(criterion.impurity.unit), (amount(g.whole) for g in groups)
    lines = [
        impurity_line(criterion.impurity, group, value, name)
        for name, group, value in zip(("D", "D_L", "D_R"), groups, worth, strict=True)
    ]
    whole, decrease = (
        groups[0].whole if node_weight is None else node_weight,
        (
            rf"{impure[0]} - \frac{{{n_left}}}{{{n}}} \cdot {impure[1]}"
            rf" - \frac{{{n_right}}}{{{n}}} \cdot {impure[2]}"
        ),
    )
    if whole != groups[0].whole:
        decrease = rf"\frac{{{n}}}{{{amount(whole)}}} \left({decrease}\right)"
    lines += [
        rf"\text{{gain}} = {decrease} = \mathbf{{{figure(gain)}}}{unit}",
        rf"n \cdot \text{{gain}} = {amount(whole)} \cdot {figure(gain)} = {figure(whole * gain)}",
    ]
    if criterion.measure is not None:
        steps = criterion.measure.steps(Cut(groups[1], groups[2], gain, score))
        body = " = ".join(step.line(MOST_TERMS) for step in steps)
        lines.append(rf"\text{{{criterion.measured}}} = {body} = \mathbf{{{figure(score)}}}")
    return tuple(lines)


def impurity_line(impurity: Impurity, group: Group, value: float, name: str = "D") -> str:
    """The impurity of a group by its formula, with the group's numbers."""
    body = impurity.step(group).line(MOST_TERMS)
    return rf"I({name}) = {body} = {figure(value)}{_unit(impurity.unit)}"


def information_lines(counts: Sequence[int]) -> tuple[str, ...]:
    """Self-information, entropy as its mean, KL to uniform, and H = log2 K - KL, of a group."""
    k, whole = len(counts), np.array([counts])
    shares = [share(c, sum(counts)) for c in counts if c]
    some = [c for c in counts if c]
    bits = [figure(value) for value in counted.surprise(np.array(some) / sum(counts)).tolist()]
    entropy = figure(float(counted.impurities(ENTROPY, whole)[0]))
    apart, most = float(counted.divergence(whole)[0]), float(np.log2(k))
    mean = " + ".join(rf"{p} \cdot {b}" for p, b in zip(shares, bits, strict=True))
    terms = " + ".join(
        rf"{p} \log_2 \tfrac{{{k} \cdot {amount(c)}}}{{{amount(sum(counts))}}}"
        for p, c in zip(shares, some, strict=True)
    )
    named = ((at, c) for at, c in enumerate(counts, 1) if c)
    return (
        *(
            rf"-\log_2 p_{at} = -\log_2 {p} = {b}\ \text{{bit}}"
            for (at, _), p, b in zip(named, shares, bits, strict=True)
        ),
        rf"H = {mean} = {entropy}\ \text{{bit}}",
        rf"\mathrm{{KL}}(p \,\|\, u) = {terms} = {figure(apart)}\ \text{{bit}}",
        rf"\log_2 {k} - \mathrm{{KL}} = {figure(most)} - {figure(apart)} = {figure(most - apart)}"
        rf" = H",
    )


def _unit(unit: str) -> str:
    return rf"\ \text{{{unit}}}" if unit else ""
