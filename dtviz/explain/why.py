"""Reasons for a split: a sentence, its arithmetic with numbers, and the step of the algorithm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Ints
from dtviz.base.text import Dialect, count, interval_text, latex, number
from dtviz.data.categories import CategoryValue, category_text
from dtviz.data.dataset import Dataset
from dtviz.engine.chance import Chance
from dtviz.engine.criteria import from_counts
from dtviz.engine.criteria.criteria import CRITERIA, ENTROPY, Criterion, Impurity
from dtviz.engine.criteria.from_counts import ClassCounts, Disagreement, scores
from dtviz.engine.criteria.latex import (
    MAX_TERMS,
    FormulaStep,
    RowGroup,
    WorkedSplit,
    count_text,
    latex_fraction,
    latex_number,
)
from dtviz.engine.leaves.node_facts import compute_facts, group_of
from dtviz.engine.problem import Problem
from dtviz.engine.prune import alpha_of
from dtviz.engine.rules import Rules
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.search.category_order import MAX_VALUES_TRIED, count_subsets
from dtviz.engine.search.frontier import unsorted_frontier
from dtviz.engine.splits import (
    LEFT_RIGHT,
    MAX_BRANCHES,
    CutPart,
    Multiway,
    Split,
    Subset,
    family_of,
    rows_of_sides,
    score,
    side_names,
)
from dtviz.engine.subtrees import nodes_of
from dtviz.engine.table_search import path_of, table_search
from dtviz.engine.tree import Tree
from dtviz.explain.words import (
    branch_names,
    candidate_text,
    min_rows_text,
    min_weight_text,
    minimum_text,
    node_name,
    projection_text,
    split_text,
    threshold_text,
)


def counts_arithmetic(
    criterion: Criterion, parent: Sequence[int], left: Sequence[int]
) -> tuple[str, ...]:
    """The gain as LaTeX lines, from the class counts of the node and of its left side.

    No side is empty.
    """
    right = [n - n_left for n, n_left in zip(parent, left, strict=True)]
    counts = np.array([parent, left, right])
    gain = float(from_counts.gains(criterion, counts[0], counts[1:2])[0])
    score = float(from_counts.scores(criterion, counts[0], counts[1:2])[0])
    groups = [from_counts.group_of_counts(group) for group in counts.tolist()]
    impurities = from_counts.impurities(criterion.impurity, counts).tolist()
    return split_lines(criterion, groups, impurities, gain, score)


def split_lines(
    criterion: Criterion,
    groups: Sequence[RowGroup],
    impurities: Sequence[float],
    gain: float,
    score: float,
    node_weight: float | None = None,
    names: Sequence[str] = ("D", "D_L", "D_R"),
) -> tuple[str, ...]:
    """The gain of a split and the criterion's measure with numbers, as LaTeX lines.

    `groups` are all rows that count in the gain, then those on the left and on the right, or those
    of each branch; `impurities` has the impurity of each group, `names` its name in formulas. Of
    many branches only the first are written. `node_weight` is the weight of all rows of the node;
    None if all count in the gain.
    """
    impurity_figures = [latex_number(value) for value in impurities]
    unit = _unit_latex(criterion.impurity.unit)
    n, *side_sizes = (count_text(group.total) for group in groups)
    lines = [
        impurity_line(criterion.impurity, group, value, name)
        for name, group, value in zip(names, groups, impurities, strict=True)
    ][: MAX_TERMS + 1]
    weight = groups[0].total if node_weight is None else node_weight
    terms = (
        rf"\frac{{{size}}}{{{n}}} \cdot {figure}"
        for size, figure in zip(side_sizes, impurity_figures[1:], strict=True)
    )
    decrease = FormulaStep(impurity_figures[0], tuple(terms), "-").latex(MAX_TERMS)
    if weight != groups[0].total:
        decrease = rf"\frac{{{n}}}{{{count_text(weight)}}} \left({decrease}\right)"
    result = rf"\mathbf{{{latex_number(gain)}}}{unit}"
    lines += [rf"\text{{gain}} = {decrease} = {result}"]
    if len(groups) > 3:  # the sum of many branches fills a line
        lines[-1:] = [rf"\text{{gain}} = {decrease}", rf"\text{{gain}} = {result}"]
    lines += [
        rf"n \cdot \text{{gain}} = {count_text(weight)} \cdot {latex_number(gain)} "
        rf"= {latex_number(weight * gain)}"
    ]
    if criterion.measure is not None:
        steps = criterion.measure.formula_steps(WorkedSplit(tuple(groups[1:]), gain, score))
        body = " = ".join(step.latex(MAX_TERMS) for step in steps)
        lines.append(
            rf"\text{{{criterion.score_name}}} = {body} = \mathbf{{{latex_number(score)}}}"
        )
    return tuple(lines)


def impurity_line(impurity: Impurity, group: RowGroup, value: float, name: str = "D") -> str:
    """The impurity of a group by its formula with the group's numbers, as a LaTeX line."""
    body = impurity.formula_step(group).latex(MAX_TERMS)
    return rf"I({name}) = {body} = {latex_number(value)}{_unit_latex(impurity.unit)}"


def information_lines(counts: Sequence[int]) -> tuple[str, ...]:
    """Surprise, entropy, KL divergence and H = log2 K - KL of class counts, as LaTeX lines."""
    k, count_row = len(counts), np.array([counts])
    present = [c for c in counts if c]
    shares = [latex_fraction(c, sum(counts)) for c in present]
    bits = [
        latex_number(value)
        for value in from_counts.surprise(np.array(present) / sum(counts)).tolist()
    ]
    entropy = latex_number(float(from_counts.impurities(ENTROPY, count_row)[0]))
    divergence, max_entropy = float(from_counts.divergence(count_row)[0]), float(np.log2(k))
    mean = " + ".join(rf"{p} \cdot {b}" for p, b in zip(shares, bits, strict=True))
    terms = " + ".join(
        rf"{p} \log_2 \tfrac{{{k} \cdot {count_text(c)}}}{{{count_text(sum(counts))}}}"
        for p, c in zip(shares, present, strict=True)
    )
    classes = [index for index, c in enumerate(counts, 1) if c]
    return (
        *(
            rf"-\log_2 p_{index} = -\log_2 {p} = {b}\ \text{{bit}}"
            for index, p, b in zip(classes, shares, bits, strict=True)
        ),
        rf"H = {mean} = {entropy}\ \text{{bit}}",
        rf"\mathrm{{KL}}(p \,\|\, u) = {terms} = {latex_number(divergence)}\ \text{{bit}}",
        rf"\log_2 {k} - \mathrm{{KL}} = {latex_number(max_entropy)} - {latex_number(divergence)}"
        rf" = {latex_number(max_entropy - divergence)} = H",
    )


def _unit_latex(unit: str) -> str:
    return rf"\ \text{{{unit}}}" if unit else ""


MAX_CLOSE_RATIO = 1.05
"""Ratio of the best score to its rival's below which the sentence says 'just ahead'."""
CATEGORY_ORDER_TEXT = (
    "the first principal component of its class shares (Coppersmith, Hong, Hosking 1999), "
    "a heuristic that may miss the best."
)
MAX_SUBSETS_IN_DIGITS = 10**15
"""Number of subsets from which on the number is written with a power of ten."""


def _latex_in_categories(
    score: str, values: Sequence[CategoryValue], _: Sequence[CategoryValue], inside: bool
) -> str:
    sign = r"\in" if inside else r"\notin"
    return rf"{score} {sign} \{{{', '.join(latex(category_text(value)) for value in values)}\}}"


def _latex_in_dates(score: str, low: str, high: str) -> str:
    return (rf"{latex(low)} \le " if low else "") + score + (f" < {latex(high)}" if high else "")


def _latex_interval(score: str, low: str, high: str, *_: Sequence[CategoryValue]) -> str:
    return interval_text(score, low and latex(low), high and latex(high), r"\le")


def _latex_is_missing(names: Sequence[str], missing: bool) -> str:
    joiner = r"\ \text{or}\ " if missing else r"\ \text{and}\ "
    return rf"{joiner.join(names)}\ \text{{{'missing' if missing else 'known'}}}"


LATEX_DIALECT = Dialect(
    latex,
    number,
    _latex_in_categories,
    partial(interval_text, sign=r"\le"),
    _latex_in_dates,
    _latex_interval,
    _latex_interval,
    in_branches=r"{}\ \text{{in {} branches}}".format,
    is_missing=_latex_is_missing,
    or_missing=r"{}\ \text{{or missing}}".format,
    product=r"{}\,{}".format,
    square="({})^2".format,
)
"""The dialect of formulas, as KaTeX reads them."""

ALGORITHM: tuple[tuple[str, str], ...] = (
    ("grow", "grow(D):"),
    ("stop", "    if a stop rule holds for D: make a leaf"),
    ("score", "    for every feature j and candidate t: score x_j ≤ t"),
    ("choose", "    choose the best split (j*, t*)"),
    ("part", "    D_L = rows with x_j* ≤ t*;  D_R = the others"),
    ("recurse", "    grow(D_L);  grow(D_R)"),
)
"""The CART algorithm as pairs of a name and a line."""

ALGORITHM_OF_CATEGORIES: tuple[tuple[str, str], ...] = (
    *ALGORITHM[:2],
    ("score", "    for every condition c, x_j ≤ t or x_j in S: score c"),
    ("choose", "    choose the best condition c*"),
    ("part", "    D_yes = rows with c*;  D_no = the others"),
    ("recurse", "    grow(D_yes);  grow(D_no)"),
)
"""The CART algorithm where a feature is a category: S is a set of its values."""

ALGORITHM_OF_BRANCHES: tuple[tuple[str, str], ...] = (
    *ALGORITHM[:2],
    ("score", "    for every cut c, all values of a category or x_j ≤ t: score c"),
    ("choose", "    choose the best cut c*"),
    ("part", "    for every branch a of c*: D_a = its rows"),
    ("recurse", "    for every branch a of c*: grow(D_a)"),
)
"""The algorithms ID3 and C4.5: categories have multi-way cuts, numbers thresholds."""


def algorithm(problem: Problem) -> tuple[tuple[str, str], ...]:
    """The algorithm of the rules as pairs of a name and a line."""
    if problem.has_multiway:
        return ALGORITHM_OF_BRANCHES
    return ALGORITHM_OF_CATEGORIES if any(problem.data.levels) else ALGORITHM


def measure_name(rules: Rules) -> str:
    """Name of the score by which the criterion ranks: 'gain', 'gain ratio' or 'CART measure'."""
    return CRITERIA[rules.criterion].score_name


def unit_of(rules: Rules) -> str:
    """The unit of the score: 'bit' for the entropy's gain, else ''."""
    return CRITERIA[rules.criterion].unit


def impurity_name(problem: Problem) -> str:
    """Name of the impurity of a node: 'entropy', 'gini', 'error' or 'variance'."""
    return problem.criterion.impurity.name


def score_text(rules: Rules, value: float, digits: int = 4) -> str:
    """A score with its unit: '0.9183 bit'."""
    unit = unit_of(rules)
    return number(value, digits) + (f" {unit}" if unit else "")


def why(problem: Problem, cuts: Candidates, chosen: Split | None = None) -> str:
    """The reason of the chosen split, or of the best candidate if no split is given.

    For example: 'x1 <= 2.45 wins: gain 0.9183 bit, 1.7 times the best cut on x2.'
    """
    if len(cuts) == 0:
        return "No cut exists here: all rows of this node have the same values."
    if cuts.best is None and chosen is None:
        minimum = minimum_text(problem)
        return f"None of the {count(len(cuts), 'cut')} leaves at least {minimum} on both sides."
    index = cuts.best if chosen is None else cuts.find(chosen)
    if index is None:
        subset = chosen is not None and isinstance(chosen.projection, Subset)
        reason = "the search tried others" if subset else "it leaves all rows on one side"
        return f"This split is no candidate of the node: {reason}."
    if cuts.best is None or not cuts.tied[index]:
        return _loser_sentence(problem, cuts, index)
    return _winner_sentence(problem, cuts, index)


def why_pruned(rules: Rules, tree: Tree, node: int) -> str:
    """One sentence on a split that pruning takes back, because its alpha is at most `ccp_alpha`.

    For example: 'Node 5 is pruned: each of 2 more leaves gains only 0.0042 bit; a leaf costs 0.01.'
    """
    nodes = nodes_of(tree)
    alpha, leaves = alpha_of(nodes, nodes.is_split, nodes.ids.index(node))
    unit = CRITERIA[rules.criterion].impurity.unit
    more_leaves = "one more leaf" if leaves == 2 else f"each of {leaves - 1:,} more leaves"
    pairs = [(number(alpha, digits), number(rules.ccp_alpha, digits)) for digits in (2, 4)]
    gain, price = next((pair for pair in pairs if pair[0] != pair[1]), pairs[-1])
    cost = "no more than a leaf costs" if gain == price else f"a leaf costs {price}"
    joiner = ", " if gain == price else "; "
    gain_text = f"{gain} {unit}".strip()
    return f"{node_name(node)} is pruned: {more_leaves} gains only {gain_text}{joiner}{cost}."


def chance_text(chance: Chance, with_rough: bool = False) -> str:
    """How often a best cut is as good by chance, in one sentence; '' if nothing is known.

    For example: 'A cut this good comes by chance in 3 of 100 shuffles; p ≈ 0.012 by Bonferroni over
    149 cuts (logworth 1.9).' Bonferroni stands beside shuffles only where it is not rough, or
    `with_rough`, since a rule judges by it.
    """
    shuffles = f"{chance.n_reached:,} of {count(chance.n_shuffles, 'shuffle')}"
    parts = [f"A cut this good comes by chance in {shuffles}"] if chance.n_shuffles else []
    has_p_value = with_rough or not (chance.is_rough and chance.n_shuffles)
    if chance.log_p_value is not None and chance.logworth is not None and has_p_value:
        n = chance.n_cuts
        cuts = count(n, "cut") if n < MAX_SUBSETS_IN_DIGITS else f"{number(n)} cuts"
        p = power_text(chance.log_p_value)
        parts.append(f"p ≈ {p} by Bonferroni over {cuts} (logworth {number(chance.logworth, 3)})")
    if not parts:
        return ""
    return f"{'' if chance.n_shuffles else 'The chance of a cut this good: '}{'; '.join(parts)}."


def power_text(log_value: float) -> str:
    """A number up to 1 by its natural logarithm, which may be too small for a float: '1e-400'."""
    if log_value > math.log(1e-4) or log_value == -math.inf:
        return number(math.exp(log_value), 2)
    exponent = math.floor(log_value / math.log(10))
    factor = number(math.exp(log_value - exponent * math.log(10)), 2)
    return f"1e{exponent + 1}" if factor == "10" else f"{factor}e{exponent}"


def subset_searches(problem: Problem, cuts: Candidates) -> tuple[str, ...]:
    """A sentence for each categorical feature: how many subsets there are, and which are tried.

    With two classes: 'Car: 3 values, 2^(3-1) - 1 = 3 subsets; the best by gain is one of the
    2 cuts.' With more classes: 'Car: 3 values, 2^(3-1) - 1 = 3 subsets; all are tried, 2 of them
    are the cuts of its order.'
    """
    return tuple(
        f"{projection_text(problem.data, cuts.projections[line])}: "
        f"{_subset_search(problem, cuts, line)}"
        for line, order in cuts.orders.items()
        if len(order) > 1 and not isinstance(cuts.projections[line], Multiway)
    )


def wide_categories(problem: Problem, cuts: Candidates) -> tuple[str, ...]:
    """A sentence for each category with too many values in a node for a multi-way cut."""
    return tuple(
        f"{projection_text(problem.data, cuts.projections[line])}: a cut has at most "
        f"{MAX_BRANCHES} branches, and this category has {len(order)} values here."
        for line, order in cuts.orders.items()
        if isinstance(cuts.projections[line], Multiway) and len(order) > MAX_BRANCHES
    )


def _subset_search(problem: Problem, cuts: Candidates, line: int) -> str:
    n_values, part = len(cuts.orders[line]), cuts.of_line(line)
    n_scattered = int(np.count_nonzero(cuts.scattered[part]))
    cuts_text = count(part.stop - part.start - n_scattered, "cut")
    subsets_words, n_subsets = subset_count_text(n_values), count_subsets(n_values)
    if n_scattered:
        return f"{subsets_words}; all are tried, {n_values - 1} of them are the cuts of its order."
    if n_subsets == 1:
        return f"{subsets_words}."
    if cuts.alone[part].any():
        return f"{subsets_words}; tried: {cuts_text} of one value against the rest."
    if len(problem.data.classes) > 2 and n_values > MAX_VALUES_TRIED:
        order_note = f"its {cuts_text} keep the order of {CATEGORY_ORDER_TEXT}"
        return f"{subsets_words}, too many to try: {order_note}"
    if order := problem.criterion.impurity.statistics.category_key:
        order_text = f"its {cuts_text} keep the order of its {order.name}"
        return f"{subsets_words}; {order_text}, a heuristic that may miss the best."
    best = f"{subsets_words}; the best by gain is one of the {cuts_text}"
    if n_values > MAX_VALUES_TRIED and not cuts.admissible[part].all():
        return f"{best}; another subset may be the best that leaves enough on both sides."
    return f"{best}."


def subset_count_text(n_values: int) -> str:
    """The number of subsets of a category's values: '3 values, 2^(3-1) - 1 = 3 subsets'."""
    n = count_subsets(n_values)
    words = count(n, "subset") if n < MAX_SUBSETS_IN_DIGITS else f"{number(n)} subsets"
    return f"{n_values} values, 2^({n_values}-1) - 1 = {words}"


def _winner_sentence(problem: Problem, cuts: Candidates, index: int) -> str:
    data, rules = problem.data, problem.rules
    score = float(cuts.score[index])
    name, cut = measure_name(rules), candidate_text(data, cuts, index)
    if score == 0:
        return _zero_gain_text(cuts, index, name, cut)
    start = f"{cut} wins" if index == cuts.best else cut
    rival, ties = _rival_text(data, cuts, index), _ties_text(data, cuts, index)
    return f"{start}: {name} {score_text(rules, score)}{rival}.{ties}"


def _zero_gain_text(cuts: Candidates, index: int, name: str, cut: str) -> str:
    """The reason of a candidate where no admissible one gains anything."""
    if not cuts.can_gain:
        return "All rows have the same target. No cut can gain anything."
    ties = int(cuts.tied.sum())
    if ties == 1:
        return f"{cut} gains nothing: {name} 0. It is the only cut{_allowed_text(cuts)}."
    place = "is the first" if index == cuts.best else "is one"
    return f"No cut gains anything: {name} 0. {cut} {place} of {ties:,}{_allowed_text(cuts)}."


def _allowed_text(cuts: Candidates) -> str:
    return "" if cuts.admissible.all() else " allowed"


def _ties_text(data: Dataset, cuts: Candidates, index: int) -> str:
    """Sentence on the cuts that tie with one of the best, on other projections first; or ''."""
    is_tied = cuts.tied.copy()
    is_tied[index] = False
    n_others = int(is_tied.sum())
    if not n_others:
        return ""
    assert cuts.best is not None
    is_elsewhere = is_tied & (cuts.line != cuts.line[index])
    if index != cuts.best:
        return f" It ties with {candidate_text(data, cuts, cuts.best)}, the first."
    first = np.flatnonzero(is_elsewhere if is_elsewhere.any() else is_tied)[0]
    more = f" and {n_others - 1:,} more" if n_others > 1 else ""
    return f" It ties with {candidate_text(data, cuts, int(first))}{more}; the first is taken."


def _rival_text(data: Dataset, cuts: Candidates, index: int) -> str:
    """Compare a candidate with the best of its rivals: ', 1.7 times the best cut on x2'.

    '' where they tie.
    """
    rivals = np.flatnonzero(cuts.admissible & _rival_mask(cuts, int(cuts.line[index])))
    if not len(rivals):
        return f", the best of {count(len(cuts), 'cut')}" if len(cuts) > 1 else ", the only cut"
    rival = int(rivals[np.argmax(cuts.score[rivals])])
    other = projection_text(data, cuts.projections[cuts.line[rival]])
    if cuts.tied[rival]:
        return ""
    cut = "cut" if cuts.is_complete else "counted cut"
    if cuts.score[rival] <= 0:
        return f"; no {cut} on {other} gains anything"
    ratio = float(cuts.score[index] / cuts.score[rival])
    if ratio < MAX_CLOSE_RATIO:
        return f", just ahead of the best {cut} on {other}"
    return f", {number(ratio, 2)} times the best {cut} on {other}"


def _rival_mask(cuts: Candidates, line: int) -> NDArray[np.bool_]:
    """True at each candidate that is a rival of those on one projection, shape (cuts,).

    Rivals are the candidates on other projections. Where the node itself proposes the projections
    of the family, they are the candidates of other families.
    """
    family = family_of(cuts.projections[line])
    if family.propose_in_node is None:
        return np.asarray(cuts.line != line)
    # A node proposes many projections that are nearly equal, and so are their best candidates.
    pairs = enumerate(cuts.projections)
    rival_lines = [index for index, projection in pairs if family_of(projection) is not family]
    return np.isin(cuts.line, rival_lines)


def _loser_sentence(problem: Problem, cuts: Candidates, index: int) -> str:
    data, rules = problem.data, problem.rules
    score = score_text(rules, cuts.score[index])
    sentence = f"{candidate_text(data, cuts, index)}: {measure_name(rules)} {score}"
    if not cuts.admissible[index]:
        sentence += f"; {_inadmissible_reason(problem, cuts, index)}"
    if cuts.best is None:
        return sentence + "."
    top = float(cuts.score[cuts.best])
    winner = f"{candidate_text(data, cuts, cuts.best)} ({score_text(rules, top)})"
    if top == 0:  # then only a forbidden cut is not among the best
        return f"{sentence}; the best cut allowed is {winner}."
    return f"{sentence}, {share_text(cuts.score[index], top)} the best cut, {winner}."


def _inadmissible_reason(problem: Problem, cuts: Candidates, index: int) -> str:
    """The first requirement that an inadmissible candidate fails, in words."""
    minimum, branches = problem.minimum, cuts.branches_of(index)
    n: Sequence[int] = (cuts.n_left[index], cuts.n_right[index])
    weight: Sequence[float] = (cuts.weight_left[index], cuts.weight_right[index])
    place = "on a side"
    if branches is not None:
        n, weight, place = branches.n.tolist(), branches.weight.tolist(), "in a branch"
    if min(n) < minimum.rows:
        return f"it leaves fewer than {min_rows_text(problem)} {place}"
    if min(weight) < minimum.weight * (1 - ROUNDING):
        return f"it leaves less than {min_weight_text(problem.rules)} {place}"
    return f"all targets {place} are 0"


def share_text(score: float, best_score: float) -> str:
    """A score as a share of the best: '54.4 % of'; 'just below' where that rounds to 100 %."""
    share = number(100 * float(score) / best_score, 3)
    return "just below" if share == "100" else f"{share} % of"


def judgement(problem: Problem, cuts: Candidates, chosen: Split) -> str:
    """Judge a split that was chosen before the gains were shown: share of the best gain, regret.

    For example: 'x1 <= 3: gain 0.5 bit, 54.4 % of the best, regret 0.4183 bit; the best is ...'
    """
    data, rules = problem.data, problem.rules
    index = cuts.find(chosen)
    if index is None or cuts.best is None or not cuts.admissible[index]:
        return why(problem, cuts, chosen)
    score, top = float(cuts.score[index]), float(cuts.score[cuts.best])
    sentence = (
        f"{candidate_text(data, cuts, index)}: {measure_name(rules)} {score_text(rules, score)}"
    )
    if cuts.tied[index]:
        return f"{sentence}, 100 % of the best, regret 0: no cut is better."
    regret = score_text(rules, top - score)
    best = f"{candidate_text(data, cuts, cuts.best)} ({score_text(rules, top)})"
    return f"{sentence}, {share_text(score, top)} the best, regret {regret}; the best is {best}."


def arithmetic(problem: Problem, cuts: Candidates, index: int, rows: Ints) -> tuple[str, ...]:
    """The gain of a candidate with numbers, as LaTeX lines; `rows` are the node's row ids, (n,)."""
    data = problem.data
    counted_rows = rows_in_gain(problem, cuts, index, rows)
    parts = [counted_rows, *rows_of_sides(cuts.split(index), data.columns, counted_rows)]
    criterion = problem.criterion
    impurities = compute_facts(data, unsorted_frontier(parts), criterion).impurity.tolist()
    groups = [group_of(data, part) for part in parts]
    gain, score = float(cuts.gain[index]), float(cuts.score[index])
    names = group_names(data, cuts, index)
    total = group_of(data, rows).total
    return split_lines(criterion, groups, impurities, gain, score, total, names)


def table_arithmetic(
    problem: Problem, cuts: Candidates, index: int, tree: Tree, node: int
) -> tuple[str, ...]:
    """The gain of a candidate of a node with the numbers of a whole table, as LaTeX lines."""
    search, path, criterion = table_search(problem), path_of(tree.splits, node), problem.criterion
    facts, n_classes = search.facts_in_gain(path, cuts.split(index)), len(problem.data.classes)
    codes, values = np.arange(n_classes), facts.impurity.tolist()
    if n_classes:
        groups = [RowGroup(codes, n_classes, weights) for weights in facts.weight_by_class]
    else:
        groups = [RowGroup(np.zeros(1), 0, np.array([n], float)) for n in facts.n]
    figures = float(cuts.gain[index]), float(cuts.score[index])
    names, weight = group_names(problem.data, cuts, index), float(search.facts([path]).weight[0])
    lines = split_lines(criterion, groups, values, *figures, weight, names)
    if n_classes:
        return lines
    # a formula with the target of each row has no room
    unit = _unit_latex(criterion.impurity.unit)
    pairs = zip(names, values, strict=True)
    first = [rf"I({name}) = {latex_number(value)}{unit}" for name, value in pairs]
    return (*first, *lines[len(first) :])


def group_names(data: Dataset, cuts: Candidates, index: int) -> tuple[str, ...]:
    """Names of a node's rows and of those on the sides of a candidate, in LaTeX: D, D_L, D_R.

    The branches of a multi-way cut are named by their values: D, D_overcast, D_rainy, D_sunny.
    """
    projection = cuts.split(index).projection
    sides: Sequence[str] = side_names(projection)
    if sides == LEFT_RIGHT:
        return "D", "D_L", "D_R"
    if isinstance(projection, CutPart):
        sides = branch_names(data, projection)
    return "D", *(rf"D_{{{latex(side)}}}" for side in sides)


def rows_in_gain(problem: Problem, cuts: Candidates, index: int, rows: Ints) -> Ints:
    """Row ids of the node that count in the gain of a candidate: all, or those with a score."""
    if problem.policy.counts_missing or cuts.branches_of(index) is not None:
        return rows
    return rows[~np.isnan(score(cuts.projections[cuts.line[index]], problem.data.columns, rows))]


def candidate_latex(data: Dataset, cuts: Candidates, index: int) -> str:
    """A candidate as LaTeX, names escaped: x_1 <= 2.45."""
    return split_text(data, cuts.split(index), threshold_text(data, cuts, index), LATEX_DIALECT)


def algorithm_line(stop: str, has_split: bool) -> str:
    """The name of the line of ALGORITHM at which a node is: 'stop', 'part' or 'choose'."""
    if has_split:
        return "part"
    return "stop" if stop else "choose"


def pair_text(first: Criterion, second: Criterion, pair: Disagreement) -> str:
    """Two splits of which two criteria prefer different ones, as Markdown.

    For example: '5 + 2 rows: **A** sends 4 + 2 left, **B** 4 + 1. Entropy prefers A, 0.07601 over
    0.06174 bit; Gini prefers B, 0.03673 over 0.02721.'
    """
    sides = f"**A** sends {_counts_text(pair.first)} left, **B** {_counts_text(pair.second)}"
    preferences = f"{_preference(first, pair)}; {_preference(second, pair)}"
    return f"{_counts_text(pair.parent)} rows: {sides}. {preferences}."


def _counts_text(counts: ClassCounts) -> str:
    return " + ".join(map(str, counts))


def _preference(criterion: Criterion, pair: Disagreement) -> str:
    """Text of the split that a criterion prefers: 'Gini prefers B, 0.08 over 0.061'."""
    both_scores = scores(criterion, np.array(pair.parent), np.array([pair.first, pair.second]))
    best = int(both_scores.argmax())
    high, low = (number(value) for value in (both_scores[best], both_scores[1 - best]))
    unit = f" {criterion.unit}" if criterion.unit else ""
    return f"{criterion.title} prefers {'AB'[best]}, {high} over {low}{unit}"
