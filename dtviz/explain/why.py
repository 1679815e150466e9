"""Why this split: one sentence, the worked arithmetic, the line of the algorithm at work."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING
from dtviz.base.text import Dialect, chained, count, latex, number
from dtviz.data.categories import Level, told
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria import from_counts as counted
from dtviz.engine.criteria.criteria import CRITERIA, ENTROPY, Criterion, Impurity
from dtviz.engine.criteria.from_counts import Counts, Disagreement, scores
from dtviz.engine.criteria.latex import MOST_TERMS, Cut, Group, amount, figure, share
from dtviz.engine.leaves.node_facts import facts, group_of
from dtviz.engine.problem import Problem
from dtviz.engine.prune import alpha_of
from dtviz.engine.rules import Rules
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.search.category_order import MOST_TRIED, subsets
from dtviz.engine.search.frontier import unsorted
from dtviz.engine.splits import Split, Subset, family_of, goes_left, score
from dtviz.engine.subtrees import nodes_of
from dtviz.engine.tree import Tree
from dtviz.explain.words import (
    cut_text,
    limit_text,
    line_text,
    rows_asked,
    sides_asked,
    split_text,
    weight_asked,
)


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


CLOSE = 1.05
HEURISTIC = (
    "the first principal component of its class shares (Coppersmith, Hong, Hosking 1999), "
    "a heuristic that may miss the best."
)
TOLD_IN_FULL = 10**15  # subsets


def _among(score: str, values: Sequence[Level], _: Sequence[Level], inside: bool) -> str:
    sign = r"\in" if inside else r"\notin"
    return rf"{score} {sign} \{{{', '.join(latex(told(value)) for value in values)}\}}"


def _since(score: str, low: str, high: str) -> str:
    return (rf"{latex(low)} \le " if low else "") + score + (f" < {latex(high)}" if high else "")


def _lasting(score: str, low: str, high: str) -> str:
    return chained(score, low and latex(low), high and latex(high), r"\le")


def _ranked(score: str, low: str, high: str, _: Sequence[Level]) -> str:
    return _lasting(score, low, high)


def _lacks(names: Sequence[str], so: bool) -> str:
    either = r"\ \text{or}\ " if so else r"\ \text{and}\ "
    return rf"{either.join(names)}\ \text{{{'missing' if so else 'known'}}}"


def _or_lacks(asked: str, _names: Sequence[str]) -> str:
    return rf"{asked}\ \text{{or missing}}"


FORMULA = Dialect(
    latex,
    number,
    _among,
    partial(chained, at_most=r"\le"),
    _since,
    _lasting,
    _ranked,
    lacks=_lacks,
    or_lacks=_or_lacks,
    times=r"{}\,{}".format,
    square="({})^2".format,
)
"""The dialect of KaTeX."""

ALGORITHM: tuple[tuple[str, str], ...] = (
    ("grow", "grow(D):"),
    ("stop", "    if a stop rule holds for D: make a leaf"),
    ("score", "    for every feature j and candidate t: score x_j ≤ t"),
    ("choose", "    choose the best split (j*, t*)"),
    ("part", "    D_L = rows with x_j* ≤ t*;  D_R = the others"),
    ("recurse", "    grow(D_L);  grow(D_R)"),
)
"""The CART algorithm, line by line, each with a name."""


def measure_name(rules: Rules) -> str:
    """What the criterion ranks cuts by: 'gain', 'gain ratio' or 'CART measure'."""
    return CRITERIA[rules.criterion].measured


def unit_of(rules: Rules) -> str:
    """The unit of the score: 'bit' for the entropy's gain, else ''."""
    return CRITERIA[rules.criterion].unit


def impurity_name(problem: Problem) -> str:
    """What the impurity of a node is called: 'entropy', 'gini', 'error' or 'variance'."""
    return problem.criterion.impurity.name


def score_text(rules: Rules, value: float, digits: int = 4) -> str:
    """A score with its unit: '0.9183 bit'."""
    unit = unit_of(rules)
    return number(value, digits) + (f" {unit}" if unit else "")


def why(problem: Problem, cuts: Candidates, chosen: Split | None = None) -> str:
    """One sentence on the chosen cut, the best one if none is given.

    For example: 'x1 <= 2.45 wins: gain 0.9183 bit, 1.7 times the best cut on x2; 2 cuts tie.'
    """
    if len(cuts) == 0:
        return "No cut exists here: every feature is constant in this node."
    if cuts.best is None and chosen is None:
        asked = sides_asked(problem)
        return f"None of the {count(len(cuts), 'cut')} leaves at least {asked} on both sides."
    at = cuts.best if chosen is None else cuts.find(chosen)
    if at is None:
        subset = chosen is not None and isinstance(chosen.projection, Subset)
        why_not = "the search tried others" if subset else "it leaves all rows on one side"
        return f"This split is no candidate of the node: {why_not}."
    if cuts.best is None or not cuts.tied[at]:
        return _why_not(problem, cuts, at)
    return _why_best(problem, cuts, at)


def why_pruned(rules: Rules, tree: Tree, node: int) -> str:
    """One sentence on why pruning takes the split of a node back, where ccp_alpha asks for it.

    For example: 'Node 5 is pruned: its 3 leaves lower the impurity of the tree by 0.0042 bit for
    each leaf more than one; ccp_alpha asks for more than 0.01.'
    """
    nodes = nodes_of(tree)
    alpha, leaves = alpha_of(nodes, nodes.split, nodes.ids.index(node))
    unit = CRITERIA[rules.criterion].impurity.unit
    worth = f"{number(alpha)} {unit}".strip()
    return (
        f"Node {node} is pruned: its {leaves:,} leaves lower the impurity of the tree by {worth} "
        f"for each leaf more than one; ccp_alpha asks for more than {number(rules.ccp_alpha)}."
    )


def searched(problem: Problem, cuts: Candidates) -> tuple[str, ...]:
    """How many subsets each category of the node has, and how the search orders its values.

    For example: 'Car: 3 values, 2^(3-1) - 1 = 3 subsets; the best by gain is one of the 2 cuts.'
    Of more classes: 'Car: 3 values, 2^(3-1) - 1 = 3 subsets; all are tried, 2 of them are the cuts
    of its order.'
    """
    return tuple(
        f"{line_text(problem.data, cuts.projections[line])}: {_subsets(problem, cuts, line)}"
        for line, order in cuts.orders.items()
        if len(order) > 1
    )


def _subsets(problem: Problem, tried: Candidates, line: int) -> str:
    values, own = len(tried.orders[line]), tried.of_line(line)
    apart = int(np.count_nonzero(tried.scattered[own]))
    cuts = count(own.stop - own.start - apart, "cut")
    said, many = subsets_told(values), subsets(values)
    if apart:
        return f"{said}; all are tried, {values - 1} of them are the cuts of its order."
    if many == 1:
        return f"{said}."
    if tried.alone[own].any():
        return f"{said}; tried: {cuts} of one value against the rest."
    if len(problem.data.classes) > 2 and values > MOST_TRIED:
        return f"{said}, too many to try: its {cuts} keep the order of {HEURISTIC}"
    if order := problem.criterion.impurity.statistics.ordered:
        kept = f"its {cuts} keep the order of its {order.name}"
        return f"{said}; {kept}, a heuristic that may miss the best."
    best = f"{said}; the best by gain is one of the {cuts}"
    if values > MOST_TRIED and not tried.admissible[own].all():
        return f"{best}; another subset may be the best that leaves enough on both sides."
    return f"{best}."


def subsets_told(values: int) -> str:
    """How many subsets so many values have: '3 values, 2^(3-1) - 1 = 3 subsets'."""
    many = subsets(values)
    told = count(many, "subset") if many < TOLD_IN_FULL else f"{number(many)} subsets"
    return f"{values} values, 2^({values}-1) - 1 = {told}"


def _why_best(problem: Problem, cuts: Candidates, at: int) -> str:
    data, rules = problem.data, problem.rules
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
    rivals = np.flatnonzero(cuts.admissible & _others(cuts, int(cuts.line[at])))
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


def _others(cuts: Candidates, line: int) -> NDArray[np.bool_]:
    """Which cuts are on another line; of lines that a node proposes, those of other families."""
    family = family_of(cuts.projections[line])
    if family.own is None:
        return np.asarray(cuts.line != line)
    places = [at for at, one in enumerate(cuts.projections) if family_of(one) is not family]
    return np.isin(cuts.line, places)


def _why_not(problem: Problem, cuts: Candidates, at: int) -> str:
    data, rules = problem.data, problem.rules
    here = f"{cut_text(data, cuts, at)}: {measure_name(rules)} {score_text(rules, cuts.score[at])}"
    if not cuts.admissible[at]:
        here += f"; {_why_forbidden(problem, cuts, at)}"
    if cuts.best is None:
        return here + "."
    top = float(cuts.score[cuts.best])
    winner = f"{cut_text(data, cuts, cuts.best)} ({score_text(rules, top)})"
    if top == 0:  # then only a forbidden cut is not among the best
        return f"{here}; the best admissible cut is {winner}."
    return f"{here}, {share_text(cuts.score[at], top)} the best cut, {winner}."


def _why_forbidden(problem: Problem, cuts: Candidates, at: int) -> str:
    """Reason why a cut is not admissible: the first requirement that it fails."""
    least = problem.minimum
    if min(cuts.n_left[at], cuts.n_right[at]) < least.rows:
        return f"it leaves fewer than {rows_asked(problem)} on a side"
    if min(cuts.weight_left[at], cuts.weight_right[at]) < least.weight * (1 - ROUNDING):
        return f"it leaves less than {weight_asked(problem.rules)} on a side"
    return "all targets on a side are 0"


def share_text(score: float, top: float) -> str:
    """A score beside the best one: '54.4 % of', or 'just below' where it would round to 100 %."""
    share = number(100 * float(score) / top, 3)
    return "just below" if share == "100" else f"{share} % of"


def answer(problem: Problem, cuts: Candidates, chosen: Split) -> str:
    """What a cut is worth that was chosen before the gains were seen: share of the best, regret.

    For example: 'x1 <= 3: gain 0.5 bit, 54.4 % of the best, regret 0.4183 bit; the best is ...'
    """
    data, rules = problem.data, problem.rules
    at = cuts.find(chosen)
    if at is None or cuts.best is None or not cuts.admissible[at]:
        return why(problem, cuts, chosen)
    score, top = float(cuts.score[at]), float(cuts.score[cuts.best])
    here = f"{cut_text(data, cuts, at)}: {measure_name(rules)} {score_text(rules, score)}"
    if cuts.tied[at]:
        return f"{here}, 100 % of the best, regret 0: no cut is better."
    regret = score_text(rules, top - score)
    best = f"{cut_text(data, cuts, cuts.best)} ({score_text(rules, top)})"
    return f"{here}, {share_text(score, top)} the best, regret {regret}; the best is {best}."


def arithmetic(
    problem: Problem, cuts: Candidates, at: int, rows: NDArray[np.intp]
) -> tuple[str, ...]:
    """The gain of cut `at` worked out with its own numbers, as LaTeX lines for KaTeX.

    `rows` are the row numbers of the node, shape (n,).
    """
    data = problem.data
    counted = rows_counted(problem, cuts, at, rows)
    left = goes_left(cuts.split(at), data.columns, counted)
    parts = [counted, counted[left], counted[~left]]
    criterion = problem.criterion
    worth = facts(data, unsorted(parts), criterion).impurity.tolist()
    groups = [group_of(data, part) for part in parts]
    gain, score = float(cuts.gain[at]), float(cuts.score[at])
    return split_lines(criterion, groups, worth, gain, score, group_of(data, rows).whole)


def rows_counted(
    problem: Problem, cuts: Candidates, at: int, rows: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Rows of the node that count in the gain of cut `at`: all, or those that have its value."""
    if problem.policy.counts_missing:
        return rows
    return rows[~np.isnan(score(cuts.projections[cuts.line[at]], problem.data.columns, rows))]


def cut_latex(data: Dataset, cuts: Candidates, at: int) -> str:
    """The cut as LaTeX, names escaped: x_1 <= 2.45."""
    return split_text(data, cuts.split(at), limit_text(data, cuts, at), FORMULA)


def lit_line(stop: str, has_split: bool) -> str:
    """The name of the algorithm's line that speaks of a node: stopped, already split, or open."""
    if has_split:
        return "part"
    return "stop" if stop else "choose"


def pair_text(one: Criterion, other: Criterion, pair: Disagreement) -> str:
    """A pair on which two criteria disagree, as Markdown.

    For example: '5 + 2 rows: **A** sends 4 + 2 left, **B** 4 + 1. Entropy prefers A, 0.07601 over
    0.06174 bit; Gini prefers B, 0.03673 over 0.02721.'
    """
    return (
        f"{_listed(pair.parent)} rows: **A** sends {_listed(pair.first)} left, "
        f"**B** {_listed(pair.second)}. {_prefers(one, pair)}; {_prefers(other, pair)}."
    )


def _listed(counts: Counts) -> str:
    return " + ".join(map(str, counts))


def _prefers(criterion: Criterion, pair: Disagreement) -> str:
    """'Gini prefers B, 0.08 over 0.061'."""
    both = scores(criterion, np.array(pair.parent), np.array([pair.first, pair.second]))
    best = int(both.argmax())
    high, low = (number(value) for value in (both[best], both[1 - best]))
    unit = f" {criterion.unit}" if criterion.unit else ""
    return f"{criterion.title} prefers {'AB'[best]}, {high} over {low}{unit}"
