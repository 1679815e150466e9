"""Learn: the definitions in lecture order, each formula with the numbers of what is on screen."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dtviz.engine.arrange import MOST_TRIED
from dtviz.engine.tree import rows_in
from dtviz.say.words import line_text
from dtviz.screen.screen import Screen
from dtviz.table.data import Dataset
from dtviz.table.origins import title_of
from dtviz.text import count, markdown
from dtviz.ui.lessons import growing, kinds, measures
from dtviz.ui.lessons.cost import cost
from dtviz.ui.lessons.forests import forests
from dtviz.ui.lessons.formulas import Spot, mid_points, set_text
from dtviz.ui.lessons.judging import judging
from dtviz.ui.lessons.lesson import Lesson, lesson_of, table
from dtviz.ui.lessons.misprints import misprints, other_gains
from dtviz.ui.page import PageSpec

WIDTH = 820

SOURCES = (
    "**[F]** Freiburg lecture on decision trees (2023)",
    "**[Z]** Zaki and Meira, *Data Mining*, the chapter on decision trees",
    "**[M]** Murphy, *Probabilistic Machine Learning*, section 18.1",
    "**[H]** HSE lecture on trees",
    "**[C]** CERMICS lecture on trees and forests (2024)",
)


def draw_page(screen: Screen) -> None:
    """Draw the page."""
    with st.container(width=WIDTH):
        lesson = lesson_of(screen)
        _head(lesson)
        for place, (anchor, title, draw) in enumerate(SECTIONS, 1):
            st.header(f"{place} {title}", anchor=anchor)
            draw(lesson)


def _head(lesson: Lesson) -> None:
    screen = lesson.screen
    title = markdown(title_of(screen.session.recipe))
    st.title("Learn", anchor=False)
    st.markdown(
        f"Every number on this page is computed now, from **{title}** "
        f"({_rows_words(screen.data)}) at **{lesson.spot.name}** "
        f"({count(lesson.spot.n, 'row')}). Choose other data on Data, another node on Grow: "
        "the numbers here follow."
    )
    links = (f"[{at} {title}](#{anchor})" for at, (anchor, title, _) in enumerate(SECTIONS, 1))
    st.markdown(" · ".join(links))


def _rows_words(data: Dataset) -> str:
    """'150 rows, 2 features, 3 classes'."""
    kind = count(len(data.classes), "class") if data.classes else "a number to predict"
    return f"{count(data.n, 'row')}, {count(len(data.features), 'feature')}, {kind}"


def _reading(lesson: Lesson) -> None:
    first, second = (1, 3, 1, 5, 4), (5, 4, 6, 5, 8)
    st.markdown(
        "- The root has **depth 0**; the depth of a node is the number of edges above it, the "
        "*height* of a tree its largest depth.\n"
        "- A row goes left when `x <= threshold`, right otherwise: **a row exactly at the "
        "threshold goes left**.\n"
        "- The **candidates** of a feature lie half-way between neighbouring distinct values "
        f"*in the node*: {set_text(first)} → {set_text(mid_points(first))}, "
        f"{set_text(second)} → {set_text(mid_points(second))}.\n"
        "- A **date** is cut between two days (or seconds): `paid before 2024-03-01` goes left, "
        "`paid 2024-03-01 or later` right. A **duration** is cut at a length: `wait <= 1 day`.\n"
        "- A **category** of $v$ values can be parted in $2^{v-1} - 1$ ways. Its values are put in "
        "the order of their class share or mean in the node, and cut between neighbours: for two "
        "classes and for numbers the best of all ways is among these. With more classes all ways "
        f"are tried up to {MOST_TRIED} values, and those beside the order drawn as small dots; "
        "beyond, the first principal component of their class shares orders them, and the best way "
        "may be missed. The lighter side is named and goes left; values never seen go right. A "
        "setting cuts off **one value against the rest** instead: $v$ cuts, easy to read, and "
        "seldom the best. **Ranks**, categories with an order, are cut as numbers are: "
        "`size <= medium`.\n"
        "- **Mistakes may cost** more than one another: $L_{ij}$ for a row of class $i$ called $j$ "
        "(*Weights*, where a table is uploaded). A row's weight is then times the mean cost of its "
        "class's mistakes, a leaf says the class of the least $\\sum_i p_i L_{ij}$, and errors are "
        "costs a row, as with `loss` in rpart.\n"
        "- A row that **lacks the value** of a cut is tried on both sides: it goes where the gain "
        "is higher, and `x known` is a cut too. On the stage it stands beside the axis. Other "
        "policies, in Settings: **surrogates** (cuts of other features that send most rows alike, "
        "in their order), the majority, *missing* as a value of its own, or left out.\n"
        "- **Ties** go to the feature that comes first, then to the lowest threshold, and are "
        "shown.\n"
        "- A **boundary point** is a candidate whose two neighbouring values do not all share "
        "one class (or number); a best cut is always found among them [C], as long as "
        "no limit on the sides forbids any.\n\n"
        "On the gain curves: ★ the best cut, a ring round a tie, hollow where `min_samples_leaf` "
        "or `min_weight_fraction_leaf` forbids the cut, faint where it is no boundary point.\n\n"
        "**Look before you cut.** Move over the dots, drag the line or press the arrow keys: the "
        "line, both sides and the gain follow. Enter or a click keeps a cut, *Split here* makes "
        "it. The line you leave stays as a **branch** to compare with. With *Ask first* the gains "
        "hide until you have chosen; the **regret** is the best gain minus yours.\n\n"
        "**Find your way.** A node under the pointer lights its rectangle, and the other way "
        "round; a click looks at it. Space folds a subtree. Arrow keys step along the time-line."
        "\n\n**See overfitting.** On *Overfit* rows held out are hollow and mistakes crossed. "
        "Move along the error curve, or drag alpha: the rectangles split and merge as you go, a "
        "click keeps the setting. ★ marks the folds' least mean, ◆ the simplest tree within one "
        "standard error of it."
    )
    st.markdown(_root_candidates(lesson))


def _root_candidates(lesson: Lesson) -> str:
    data, root = lesson.screen.data, lesson.spot
    if lesson.screen.node != 1:
        root = Spot(data, rows_in(lesson.screen.tree, 1), root.rules, "the root")
    cuts = root.cuts(root.rules.criterion)
    if not len(cuts):
        return "**Here:** the root has **0 candidates**: every feature is constant."
    each = [
        f"{len(cuts.gain[cuts.of_line(line)]):,} on {line_text(data, one)}"
        for line, one in list(enumerate(cuts.projections))[:4]
    ]
    rest = len(cuts.projections) - len(each)
    more = f" and the rest on {count(rest, 'more feature')}" if rest else ""
    left = len(data.features) - len(cuts.projections)
    more += f"; {count(left, 'feature')} with lesser cuts not counted" if left else ""
    tied = int(cuts.tied.sum())
    return (
        f"**Here:** the root has **{count(len(cuts), 'candidate')}** "
        f"({', '.join(map(markdown, each))}{more}), {int(cuts.boundary.sum()):,} of them boundary "
        f"points, {int((~cuts.admissible).sum()):,} forbidden; "
        + (f"{tied:,} tie for the best." if tied > 1 else "no two tie for the best.")
    )


def _wrong(lesson: Lesson) -> None:
    st.markdown(
        "Figures seen in print, beside what the engine computes now from the same rows (open the "
        "worked examples on Data to follow them cut by cut):"
    )
    rows = [
        {
            "Figure": f"{markdown(one.example)}: {markdown(one.what)}",
            "Printed": one.printed + (" (fine)" if one.fine else ""),
            "Recomputed": f"**{one.recomputed}**",
        }
        for one in misprints()
    ]
    table(rows, "Printed and recomputed figures")
    gains = ", ".join(f"{markdown(rule)}: {gain}" for rule, gain in other_gains())
    st.markdown(f"All gains at the root of Age, car, risk, in bits: {gains}.")


def _sources(lesson: Lesson) -> None:
    st.markdown("\n".join(f"- {source}" for source in SOURCES))


SECTIONS: tuple[tuple[str, str, Callable[[Lesson], None]], ...] = (
    ("reading", "How to read the screen", _reading),
    ("impurity", "Impurity", measures.impurity),
    ("gain", "Gain", measures.gain),
    ("stops", "Stop rules and orders", growing.stops),
    ("regions", "Regions", growing.regions),
    ("kinds", "Slanted and round cuts", kinds.kinds),
    ("cost", "Cost", cost),
    ("judging", "Judging and pruning", judging),
    ("forests", "Many trees", forests),
    ("misprints", "Numbers that circulate and are wrong", _wrong),
    ("sources", "Sources", _sources),
)
"""(anchor, title, what draws it), in the order of a lecture."""


PAGE = PageSpec("Learn", "learn", draw_page)
