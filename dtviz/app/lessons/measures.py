"""Learn, impurity and gain: how mixed a node is, and what a split takes away from that."""

from __future__ import annotations

from functools import cache

import streamlit as st

from dtviz.app.lessons.lesson import (
    Lesson,
    Spot,
    aligned,
    beside,
    bounds_lines,
    divergence_lines,
    elsewhere,
    example_spot,
    gain_formula,
    gain_lines,
    impurity_lines,
    measure_lines,
    open_in_grow,
    opened,
    picture,
    scaled_lines,
    shown,
    table,
    winners,
)
from dtviz.base.text import count, markdown
from dtviz.engine.criteria.criteria import CRITERIA, criteria_of, impurities_for
from dtviz.engine.criteria.from_counts import disagreements
from dtviz.engine.criteria.latex import MOST_TERMS
from dtviz.engine.rules import Rules, searched_by
from dtviz.explain.why import pair_text
from dtviz.explain.words import cut_text

FOR_CLASSES = "play_tennis"
FOR_NUMBERS = "rpart_treble"
COMMON = (("error", "gini"), ("entropy", "gini"), ("entropy", "gain_ratio"))
"""Pairs of criteria that lectures compare."""


def impurity(lesson: Lesson) -> None:
    """How mixed a node is."""
    text, live = beside("impurity")
    with text:
        st.markdown(
            "The impurity says how mixed the rows of one node are: 0 when it is pure, most when "
            "all classes are equally frequent. With $p_k$ the share of class $k$, of two classes:"
        )
        st.latex(
            r"\begin{aligned} H &= -\textstyle\sum_k p_k \log_2 p_k \\ "
            r"G &= 1 - \textstyle\sum_k p_k^2 \\ E &= 1 - \max_k p_k \end{aligned}"
        )
        st.markdown(
            "Entropy $H$ is in bits; Gini $G$ is how often two rows drawn with replacement differ; "
            "the error $E$ is what the majority gets wrong."
        )
    with live:
        picture("measure_lesson", lesson.screen)
        st.caption("Drag the line. A click on a measure works that one out.")
    spot = lesson.spot
    st.markdown(f"**Here**, at {spot.name}:")
    if not spot.data.classes:
        _impurities(spot)
        spot = example_spot(FOR_CLASSES, Rules())
        st.markdown(elsewhere("The measures for classes", spot))
        open_in_grow("Open play tennis in Grow", "classes", data=FOR_CLASSES)
    _classes_impurity(spot)
    if lesson.spot.data.classes:
        spot = example_spot(FOR_NUMBERS, Rules(criterion="squared_error"))
        st.markdown(elsewhere("The measure for a number", spot))
        open_in_grow("Open rpart treble in Grow", "numbers", data=FOR_NUMBERS)
        _impurities(spot)


def _classes_impurity(spot: Spot) -> None:
    counts = [(name, int(c)) for name, c in zip(spot.data.class_names, spot.counts, strict=True)]
    present = [(name, c) for name, c in counts if c]
    words = ", ".join(f"{markdown(name)} {c:,}" for name, c in present[:MOST_TERMS])
    more = f" and {count(len(present) - MOST_TERMS, 'more class')}"
    st.markdown(f"Rows: **{words}**{more if len(present) > MOST_TERMS else ''}.")
    _impurities(spot)
    k = len(spot.data.classes)
    st.markdown(f"**Bounds** of the entropy with $K = {k}$ {'class' if k == 1 else 'classes'} [C]")
    st.latex(bounds_lines(spot))
    st.markdown(
        "**Least entropy = farthest from uniform** [F]: "
        "$H = \\log_2 K - \\mathrm{KL}(p \\,\\|\\, u)$ with $u_k = 1/K$. Both sides:"
    )
    st.latex(divergence_lines(spot))
    st.markdown(
        "The **surprise** (self-information) of a class is $-\\log_2 p_k$; the entropy is its mean "
        "over the rows. On *Impurity* the shares are dragged, and every measure is read off."
    )


def _impurities(spot: Spot) -> None:
    for usual in impurities_for(spot.data.task):
        impurity = searched_by(spot.rules, spot.data, usual)
        st.markdown(impurity.lead)
        st.latex(impurity_lines(spot, impurity))


def gain(lesson: Lesson) -> None:
    """What a split takes away from the impurity."""
    text, live = beside("gain")
    with text:
        st.markdown(
            "A split is worth what it takes away from the impurity: that of the node $D$, less "
            "that of its two sides $D_L$ and $D_R$, each by its share of the rows [Z, H, C]:"
        )
        symbol = lesson.spot.by(lesson.spot.rules.criterion).impurity.symbol
        st.latex(aligned(*gain_formula(symbol)))
        st.markdown(
            "The curves are the gains of all thresholds of a feature, on the axes of the plane. "
            "The best cut is the highest dot."
        )
    with live:
        picture("gain_lesson", lesson.screen, "cloud")
        st.caption("Drag along the dots. The cut that you leave is the one looked at on Grow.")
        open_in_grow("Open in Grow", "here")
    spot = lesson.spot
    cuts = spot.cuts(spot.rules.criterion)
    if cuts.best is None:
        st.markdown(f"No cut is possible at {spot.name}, so a worked example stands in.")
        open_in_grow("Open play tennis in Grow", "gains", data=FOR_CLASSES)
        spot = example_spot(FOR_CLASSES, Rules())
        cuts = spot.cuts("entropy")
    at = cuts.best or 0
    title = CRITERIA[spot.rules.criterion].title
    cut = markdown(cut_text(spot.data, cuts, at))
    st.markdown(
        f"The best cut at {spot.name} under {title}: **{cut}**, {int(cuts.n_left[at]):,} rows left "
        f"and {int(cuts.n_right[at]):,} right."
    )
    st.latex(gain_lines(spot, cuts, at))
    st.markdown(
        "**Weighted gain** [F] has the same winner inside one node; the **impurity decrease** "
        "compares nodes (best-first order, importances)."
    )
    st.latex(scaled_lines(spot, cuts, at))
    if not spot.data.classes:
        spot = example_spot(FOR_CLASSES, Rules())
        at = spot.cuts("entropy").best or 0
        st.markdown(elsewhere("The next two need classes. The best cut by entropy", spot))
    _other_measures(spot, at)


def _other_measures(spot: Spot, at: int) -> None:
    for criterion in map(CRITERIA.get, criteria_of(spot.data)):
        if criterion and criterion.measure:
            st.markdown(criterion.measure.lead)
            st.latex(measure_lines(spot, criterion, at))
    opened("criteria", "Every criterion's own best cut here", lambda: _criteria(spot))
    opened("disagree", "The smallest nodes on which measures disagree", _disagreements)


def _criteria(spot: Spot) -> None:
    """The winner of each criterion."""
    found = winners(spot)
    rows = [
        {
            "Criterion": CRITERIA[one.criterion].title,
            "Best cut": markdown(one.cut) + ("" if one.same else " **≠**"),
            "Score": shown(one.score),
        }
        for one in found
    ]
    own = CRITERIA[spot.rules.criterion].title
    differ = [CRITERIA[one.criterion].title for one in found if not one.same]
    table(rows, "Best cut and score under each criterion")
    if differ:
        st.markdown(f"≠ another cut than {own}: {', '.join(differ)}. The criterion matters here.")
    else:
        st.markdown("All criteria choose the same cut here.")


def _disagreements() -> None:
    """The smallest nodes on which common criteria prefer different splits."""
    st.markdown(
        "Measures disagree on very small nodes already. The smallest of two classes for each "
        "pair, found by trying all; *Impurity* shows more, and lets you slide the rows:\n"
        + _smallest()
    )


@cache
def _smallest() -> str:
    """A line for each common pair, found once: nothing on screen changes them."""
    pairs = [
        (one, other, pair)
        for one, other in ((CRITERIA[a], CRITERIA[b]) for a, b in COMMON)
        for pair in disagreements(one, other, most=1)
    ]
    return "\n".join(f"- {pair_text(one, other, pair)}" for one, other, pair in pairs)
