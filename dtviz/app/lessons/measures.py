"""Lessons on impurity, gain, and the conventions in which lectures differ."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import streamlit as st

from dtviz.app.lessons import parts
from dtviz.app.lessons.parts import Lesson, LessonNode
from dtviz.app.lessons.sections import Slots
from dtviz.base.arrays import Ints
from dtviz.base.lazy import pd
from dtviz.base.text import count, markdown
from dtviz.data.dataset import Dataset
from dtviz.data.gallery import GALLERY, load
from dtviz.engine.criteria.criteria import CRITERIA, impurities_for, impurity
from dtviz.engine.criteria.from_counts import disagreements
from dtviz.engine.criteria.latex import MAX_TERMS
from dtviz.engine.rules import Rules, adapt_impurity, suitable_criteria
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.search.category_order import MAX_VALUES_TRIED
from dtviz.engine.splits import YES_NO, CutPart, side_names
from dtviz.explain.why import pair_text
from dtviz.explain.words import branch_names, candidate_text
from dtviz.models.model import Model, fit
from dtviz.models.steps import candidates

SLOTS = Slots()
"""Slots of these sections; texts of one line stand at the end."""
CLASSES_EXAMPLE = "play_tennis"
NUMBERS_EXAMPLE = "rpart_treble"
COMMON_PAIRS = (("error", "gini"), ("entropy", "gini"), ("entropy", "gain_ratio"))
"""Pairs of criteria that lectures compare."""


@SLOTS.picture
def measure_picture(lesson: Lesson) -> None:
    """Draw the measures of two classes along the share of one."""
    parts.picture("measure_lesson", lesson.screen)
    st.caption("Drag the line. A click on a measure works that one out.")


@SLOTS.block
def number_measures(lesson: Lesson) -> None:
    """Draw the measures of a number, and the heading of the worked example for classes."""
    if not lesson.node.data.classes:
        _draw_impurities(lesson.node)
        example = classes_node(lesson)
        st.markdown(parts.example_heading("The measures for classes", example))
        parts.open_in_grow("Open play tennis in Grow", "classes", data=CLASSES_EXAMPLE)


@SLOTS.block
def example_measures(lesson: Lesson) -> None:
    """Draw the measure of a number at a worked example, if the data have classes."""
    if lesson.node.data.classes:
        example = parts.example_node(NUMBERS_EXAMPLE, Rules(criterion="squared_error"))
        st.markdown(parts.example_heading("The measure for a number", example))
        parts.open_in_grow("Open rpart treble in Grow", "numbers", data=NUMBERS_EXAMPLE)
        _draw_impurities(example)


def classes_node(lesson: Lesson) -> LessonNode:
    """Return the node, or the root of a worked example if the data have no classes."""
    has_classes = bool(lesson.node.data.classes)
    return lesson.node if has_classes else parts.example_node(CLASSES_EXAMPLE, Rules())


def _present_classes(lesson: Lesson) -> list[str]:
    """Return a text on each class that has rows in the node: 'A 3'."""
    node = classes_node(lesson)
    counts = zip(node.data.class_names, node.counts.tolist(), strict=True)
    return [f"{markdown(name)} {n:,}" for name, n in counts if n]


@SLOTS.text
def more_classes(lesson: Lesson) -> str:
    """Return how many classes are not named; '' if all are."""
    n_more = len(_present_classes(lesson)) - MAX_TERMS
    return f" and {count(n_more, 'more class')}" if n_more > 0 else ""


@SLOTS.block
def class_measures(lesson: Lesson) -> None:
    """Draw the measures of the classes in the node."""
    _draw_impurities(classes_node(lesson))


def _draw_impurities(node: LessonNode) -> None:
    for default in impurities_for(node.data.task):
        impurity = adapt_impurity(node.rules, node.data, default)
        st.markdown(impurity.lead)
        st.latex(parts.impurity_lines(node, impurity))


@SLOTS.text
def gain_formula(lesson: Lesson) -> str:
    """Return LaTeX of the gain, with the symbol of the impurity."""
    symbol = lesson.node.criterion(lesson.node.rules.criterion).impurity.symbol
    return parts.aligned(*parts.gain_formula(symbol))


@SLOTS.picture
def gain_picture(lesson: Lesson) -> None:
    """Draw the gains of all thresholds."""
    parts.picture("gain_lesson", lesson.screen)
    st.caption("Drag along the dots. The cut that you leave is the one looked at on Grow.")
    parts.open_in_grow("Open in Grow", "here")


def cut_node(lesson: Lesson) -> LessonNode:
    """Return the node, or the root of a worked example if the node cannot be cut."""
    has_cut = lesson.node.cuts(lesson.node.rules.criterion).best is not None
    return lesson.node if has_cut else parts.example_node(CLASSES_EXAMPLE, Rules())


@SLOTS.block
def no_cut(lesson: Lesson) -> None:
    """Draw the words on why a worked example is shown, if the node cannot be cut."""
    if cut_node(lesson) is not lesson.node:
        st.markdown(f"No cut is possible at {lesson.node.name}, so a worked example stands in.")
        parts.open_in_grow("Open play tennis in Grow", "gains", data=CLASSES_EXAMPLE)


def shown_cut(lesson: Lesson) -> tuple[LessonNode, Candidates, int]:
    """Return the node of `cut_node`, its candidates and the index of the best."""
    node = cut_node(lesson)
    cuts = node.cuts(node.rules.criterion)
    return node, cuts, cuts.best or 0


@SLOTS.text
def best_cut(lesson: Lesson) -> str:
    """Return the text of the best cut."""
    node, cuts, index = shown_cut(lesson)
    return markdown(candidate_text(node.data, cuts, index))


@SLOTS.text
def cut_sides(lesson: Lesson) -> str:
    """Return the number of rows on the sides of the best cut."""
    node, cuts, index = shown_cut(lesson)
    branches, projection = cuts.branches_of(index), cuts.split(index).projection
    if branches is not None and isinstance(projection, CutPart):
        pairs = zip(branches.n.tolist(), branch_names(node.data, projection), strict=True)
        return ", ".join(f"{count(n, 'row')} {markdown(name)}" for n, name in pairs)
    n_left, n_right = int(cuts.n_left[index]), int(cuts.n_right[index])
    if side_names(projection) == YES_NO:
        return f"yes for {count(n_left, 'row')}, no for {n_right:,}"
    return f"{n_left:,} rows left and {n_right:,} right"


def measured_node(lesson: Lesson) -> LessonNode:
    """Return the node of the other measures: a worked example if they do not suit the data."""
    node = cut_node(lesson)
    return node if node.data.classes else parts.example_node(CLASSES_EXAMPLE, Rules())


@SLOTS.text
def measured_example(lesson: Lesson) -> str:
    """Return the heading of the worked example for the other measures; '' if they suit the data."""
    node = measured_node(lesson)
    title = "The next two need classes. The best cut by entropy"
    return "" if node is cut_node(lesson) else parts.example_heading(title, node)


@SLOTS.block
def other_measures(lesson: Lesson) -> None:
    """Draw the score of the best cut by each criterion with a measure besides the gain."""
    node = measured_node(lesson)
    index = node.cuts(node.rules.criterion).best or 0
    for criterion in map(CRITERIA.get, suitable_criteria(node.rules, node.data)):
        if criterion and criterion.measure:
            st.markdown(criterion.measure.lead)
            st.latex(parts.measure_lines(node, criterion, index))


@SLOTS.block
def criteria_table(lesson: Lesson) -> None:
    """Draw the table of the best cut under each criterion."""
    rows = [
        {
            "Criterion": CRITERIA[winner.criterion].title,
            "Best cut": markdown(winner.cut) + ("" if winner.is_chosen else " **≠**"),
            "Score": parts.tex(winner.score),
        }
        for winner in parts.best_cut_by_criterion(measured_node(lesson))
    ]
    parts.table(rows, "Best cut and score under each criterion")


@SLOTS.text
def criteria_words(lesson: Lesson) -> str:
    """Return the words on which criteria choose another cut."""
    node = measured_node(lesson)
    winners = parts.best_cut_by_criterion(node)
    others = [CRITERIA[winner.criterion].title for winner in winners if not winner.is_chosen]
    if not others:
        return "All criteria choose the same cut here."
    title = CRITERIA[node.rules.criterion].title
    return f"≠ another cut than {title}: {', '.join(others)}. The criterion matters here."


@cache
def _disagreement_lines() -> str:
    """Return a line for each of COMMON_PAIRS, searched once: no line depends on the screen."""
    pairs = [
        (first, second, pair)
        for first, second in ((CRITERIA[a], CRITERIA[b]) for a, b in COMMON_PAIRS)
        for pair in disagreements(first, second, max_pairs=1)
    ]
    return "\n".join(f"- {pair_text(first, second, pair)}" for first, second, pair in pairs)


DECIMALS = 6
"""Decimal places of recomputed figures."""
MISPRINT_EXAMPLES = ("heights", "age_car_risk")
"""Names of the worked examples with misprints."""


@dataclass(frozen=True, slots=True)
class Misprint:
    """A wrong or rounded figure seen in print, with its recomputed value."""

    example: str
    """Title of the worked example."""
    figure: str
    """Name of the figure, as 'entropy of the root'."""
    printed: str
    """Value in print."""
    recomputed: str
    """Value that the engine computes."""
    is_rounded: bool = False
    """True if the printed value is right, but rounded."""


@cache
def misprints() -> tuple[Misprint, ...]:
    """Return all misprints, recomputed once: they do not depend on the screen."""
    return (*_heights_misprints(), *_risk_misprints(), *_formula_misprints())


@cache
def root_gains() -> tuple[tuple[str, str], ...]:
    """Return the text and the gain of each cut at the root of Age, car, risk.

    Its cuts of categories are one value against the rest.
    """
    cuts = candidates(load("age_car_risk"), Rules(families=("axis", "onevsrest")))
    pairs = zip(cuts.rule, cuts.gain, strict=True)
    return tuple((str(rule), _six_decimals(gain)) for rule, gain in pairs)


def _heights_misprints() -> list[Misprint]:
    gains = candidates(load("heights")).set_index("threshold").weighted_gain
    return [
        Misprint("Heights", "weighted gain of x <= 165", "3.92", _six_decimals(gains[165.0])),
        Misprint(
            "Heights",
            "weighted gain of x <= 175",
            "0.9",
            _six_decimals(gains[175.0]),
            is_rounded=True,
        ),
    ]


def _risk_misprints() -> list[Misprint]:
    data = load("age_car_risk")
    cuts: dict[str, Any] = {str(cut.rule): cut for cut in candidates(data).itertuples()}
    model = fit(data)
    best: Any = cuts["Car = Sports"]
    below: Any
    (below,) = candidates(data, log=model.log[:1], node=2).itertuples()
    young = _leaf_prediction(model, ("Age <= 22.5", "Car = Sports"))
    older = _leaf_prediction(model, ("Age > 22.5", "Car = Sports"))
    predicted = model.predict(pd.DataFrame({"Age": [20], "Car": ["Sports"]}))
    name = "Age, car, risk"
    return [
        Misprint(
            name, "entropy of the root", "0.915", _six_decimals(impurity("entropy", _counts(data)))
        ),
        Misprint(name, "gain of Age <= 22.5", "0.245", _six_decimals(cuts["Age <= 22.5"].gain)),
        Misprint(name, "gain of Age <= 35", "0.106", _six_decimals(cuts["Age <= 35"].gain)),
        Misprint(name, "gain of Car in {Sports}", "0.721", _six_decimals(best.gain)),
        Misprint(
            name,
            "weighted entropy of Car in {Sports}",
            "0.194",
            _six_decimals(
                (best.n_left * best.impurity_left + best.n_right * best.impurity_right) / data.n
            ),
        ),
        Misprint(
            name, "entropy of D_L, the Sports rows", "0.387", _six_decimals(best.impurity_left)
        ),
        Misprint(
            name, "gain of the cut below, among the Sports rows", "0.387", _six_decimals(below.gain)
        ),
        Misprint(name, "the only cut there", "Age <= 20", str(below.rule)),
        Misprint(name, "rule Car in {Sports} and Age <= 22.5", "L", young),
        Misprint(name, "rule Car in {Sports} and Age > 22.5", "H", older),
        Misprint(name, "prediction for Age 20, Sports", "L", str(predicted[0])),
    ]


def _formula_misprints() -> list[Misprint]:
    data = load("age_car_risk")
    n_values = len(data.levels[data.features.index("Car")])
    heights = _counts(load("heights"))
    p = heights / heights.sum()
    negated_gini = -float(np.sum(p * (1 - p)))
    negated_entropy = float(np.sum(p * np.log2(p)))
    gini = impurity("gini", _counts(load("heights")))
    return [
        Misprint(
            "Subset splits",
            f"of v = {n_values} values: (v-1)/2 in print, 2^(v-1) - 1 in truth",
            f"{(n_values - 1) / 2:g}",
            str(subset_splits(n_values)),
        ),
        Misprint(
            "Gini",
            "sign of the sum, at the root of Heights",
            _six_decimals(negated_gini),
            _six_decimals(gini),
        ),
        Misprint(
            "Bernoulli entropy",
            "sign of the sum, at the root of Heights",
            _six_decimals(negated_entropy),
            _six_decimals(impurity("entropy", heights)),
        ),
        *(
            Misprint(
                "Entropy with log2",
                f"of {n_classes} classes, each as frequent: nats in print, bits in truth",
                printed,
                _six_decimals(impurity("entropy", np.ones(n_classes, int))),
            )
            for n_classes, printed in ((2, "0.693"), (3, "1.09"))
        ),
    ]


def subset_splits(n_values: int) -> int:
    """Count the ways to part `n_values` values into two non-empty sides, by listing the ways."""
    full_set = frozenset(range(n_values))
    sides = {
        frozenset({frozenset(side), full_set - frozenset(side)})
        for size in range(1, n_values)
        for side in combinations(range(n_values), size)
    }
    return len(sides)


def _leaf_prediction(model: Model, conditions: tuple[str, ...]) -> str:
    """Return the prediction of the leaf whose path has exactly these conditions."""
    return next(str(r.value) for r in model.rules() if set(r.conditions) == set(conditions))


def _counts(data: Dataset) -> Ints:
    return np.bincount(data.y, minlength=len(data.classes))


def _six_decimals(value: float) -> str:
    return f"{value:.{DECIMALS}f}"


@SLOTS.block
def misprint_links(lesson: Lesson) -> None:
    """Draw a link into Grow for each worked example with misprints."""
    for name in MISPRINT_EXAMPLES:
        parts.open_in_grow(f"Open {GALLERY[name].title} in Grow", name, data=name)


@SLOTS.block
def misprints_table(lesson: Lesson) -> None:
    """Draw the table of printed and recomputed figures."""
    rows = [
        {
            "Figure": f"{markdown(misprint.example)}: {markdown(misprint.figure)}",
            "Printed": misprint.printed + (" (fine)" if misprint.is_rounded else ""),
            "Recomputed": f"**{misprint.recomputed}**",
        }
        for misprint in misprints()
    ]
    parts.table(rows, "Printed and recomputed figures")


SLOTS.texts(
    node_name=lambda lesson: lesson.node.name,
    class_counts=lambda lesson: ", ".join(_present_classes(lesson)[:MAX_TERMS]),
    n_classes=lambda lesson: str(len(classes_node(lesson).data.classes)),
    class_noun=lambda lesson: "class" if len(classes_node(lesson).data.classes) == 1 else "classes",
    entropy_bounds=lambda lesson: parts.bounds_lines(classes_node(lesson)),
    divergence=lambda lesson: parts.divergence_lines(classes_node(lesson)),
    cut_node_name=lambda lesson: cut_node(lesson).name,
    criterion_title=lambda lesson: CRITERIA[cut_node(lesson).rules.criterion].title,
    gain_numbers=lambda lesson: parts.gain_lines(*shown_cut(lesson)),
    impurity_decrease=lambda lesson: parts.decrease_lines(*shown_cut(lesson)),
    disagreement_lines=lambda lesson: _disagreement_lines(),
    values_tried=lambda lesson: str(MAX_VALUES_TRIED),
    risk_gains=lambda lesson: ", ".join(f"{markdown(rule)}: {gain}" for rule, gain in root_gains()),
)
