"""Learn, the last sections: the conventions, how to read the screen, and the sources."""

from __future__ import annotations

import streamlit as st

from dtviz.engine.arrange import MOST_TRIED
from dtviz.ui.lessons.lesson import Lesson

CONVENTIONS = (
    "**At the threshold.** A row goes left when `x <= threshold`, right otherwise: in every text, "
    "on every edge, in every export.",
    "**Logarithms** are to base 2, so that entropy is in bits, and $0 \\log 0 = 0$. Boosting alone "
    "has natural ones.",
    "**Ties** go to the feature that comes first, then to the lowest threshold, and are shown.",
    "**Depth.** The root has depth 0; `max_depth` means what it means in scikit-learn.",
    "**Held out.** A share of the rows, of every class alike, is drawn before a tree is judged; "
    "the tree never sees them. Grow's tree has all rows.",
    "A **date** is cut between two days (or seconds): `paid before 2024-03-01` goes left, "
    "`paid 2024-03-01 or later` right. A **duration** is cut at a length: `wait <= 1 day`.",
    "A **category** of $v$ values can be parted in $2^{v-1} - 1$ ways. Its values are put in the "
    "order of their class share or mean in the node, and cut between neighbours: for two classes "
    "and for numbers the best of all ways is among these. With more classes, and where that best "
    f"way leaves too little on a side, all ways are tried up to {MOST_TRIED} values, and those "
    "beside the order drawn as small dots. Beyond, the first principal component of their class "
    "shares orders the values of more classes, and the best way may be missed. The "
    "lighter side is named and goes left; values never seen go right. A setting cuts off **one "
    "value against the rest** instead: $v$ cuts, easy to read, and seldom the best. **Ranks**, "
    "categories with an order, are cut as numbers are: `size <= medium`.",
    "A row that **lacks the value** of a cut is tried on both sides: it goes where the gain is "
    "higher, of the sides that leave enough, and `x known` is a cut too. On the stage it stands "
    "beside the axis. Other policies, in Settings: **surrogates** (cuts of other features that "
    "send most rows alike, in their order; class weights and priors count), the majority, "
    "*missing* as a value of its own, or left out.",
    "**Mistakes may cost** more than one another: $L_{ij}$ for a row of class $i$ called $j$ "
    "(*Weights*, where a table is uploaded). A row's weight is then times the mean cost of its "
    "class's mistakes, a leaf says the class of the least $\\sum_i p_i L_{ij}$, and errors are "
    "costs a row, as with `loss` in rpart.",
)

SCREEN = (
    "**On the gain curves:** ★ the best cut, a ring round a tie, hollow where `min_samples_leaf` "
    "or `min_weight_fraction_leaf` forbids the cut, faint where it is no boundary point.",
    "**Look before you cut.** Move over the dots, drag the line or press the arrow keys: the line, "
    "both sides and the gain follow. Enter or a click keeps a cut, *Split here* makes it. The line "
    "you leave stays as a **branch** to compare with. With *Ask first* the gains hide until you "
    "have chosen; the **regret** is the best gain minus yours.",
    "**Find your way.** A node under the pointer lights its rectangle, and the other way round; a "
    "click looks at it. Space folds a subtree. Arrow keys step along the time-line.",
    "**See overfitting.** On *Overfit* rows held out are hollow and mistakes crossed. Move along "
    "the error curve, or drag alpha: the rectangles split and merge as you go, a click keeps the "
    "setting. ★ marks the folds' least mean, ◆ the simplest tree within one standard error of it.",
)

SOURCES = (
    "**[F]** Freiburg lecture on decision trees (2023)",
    "**[Z]** Zaki and Meira, *Data Mining*, the chapter on decision trees",
    "**[M]** Murphy, *Probabilistic Machine Learning*, section 18.1",
    "**[H]** HSE lecture on trees",
    "**[C]** CERMICS lecture on trees and forests (2024)",
    "Breiman, Friedman, Olshen and Stone, *Classification and Regression Trees* (1984): pruning",
    "Breiman, *Random Forests* (2001); Friedman, *Greedy Function Approximation* (2001): boosting",
)


def conventions(lesson: Lesson) -> None:
    """What holds on every page."""
    st.markdown("\n".join(f"- {one}" for one in CONVENTIONS))


def reading(lesson: Lesson) -> None:
    """What the signs on the screen mean, and what a hand does there."""
    st.markdown("\n\n".join(SCREEN))


def sources(lesson: Lesson) -> None:
    """What the letters in brackets stand for."""
    st.markdown("\n".join(f"- {source}" for source in SOURCES))
