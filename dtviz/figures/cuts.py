"""The cuts of the focus as the stage draws them: places, scores and marks, on one axis or two.

Glossary
    view       what is looked at: the focus, its candidates, one of them, the features on the axes
    told       whatever says how good a cut is: scores, impurities, ties, the best
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.search import Candidates
from dtviz.figures.frame import Frame
from dtviz.figures.palette import LIGHT, Theme
from dtviz.table.data import Dataset
from dtviz.text import threshold

MAX_CUTS = 2_000
ADMISSIBLE, BOUNDARY, TIED = 1, 2, 4


@dataclass(frozen=True, slots=True)
class View:
    """What of the tree is shown: the focus, its candidates, the cut looked at, the two axes.

    `pinned` holds the values at which the features that are on no axis are pinned, shape (M,);
    `asking` leaves out whatever would tell how good a cut is.
    """

    focus: int
    cuts: Candidates
    cut: int | None
    axes: tuple[int, int] = (0, 1)
    measure: str = "gain"
    unit: str = ""
    impurity: str = "impurity"
    theme: Theme = LIGHT
    pinned: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    asking: bool = False


def shown_axes(data: Dataset, axes: tuple[int, int]) -> tuple[int, ...]:
    """The features on the axes: one where there is no other."""
    return axes if len(data.features) > 1 else (0,)


def cuts_frame(data: Dataset, view: View) -> Frame:
    """The cuts on both axes, the best and the one looked at as [axis, place]."""
    cuts = view.cuts
    told = not view.asking
    frame: Frame = {"asking": view.asking, "best": None, "chosen": None}
    frame["top"] = float(cuts.score.max(initial=0.0)) if told else 0.0
    frame["winner"] = float(cuts.score[cuts.best]) if told and cuts.best is not None else 0.0
    for axis, feature in enumerate(shown_axes(data, view.axes)):
        at = shown_cuts(cuts, feature, view.cut, MAX_CUTS, told)
        frame |= _axis_cuts(view, axis, at)
        for word, index in (("best", cuts.best), ("chosen", view.cut)):
            if index is None or (word == "best" and not told):
                continue
            if len(here := np.flatnonzero(at == index)):
                frame[word] = [axis, int(here[0])]
    return frame


def _axis_cuts(view: View, axis: int, at: NDArray[np.intp]) -> Frame:
    cuts = view.cuts
    limits, lower, upper = (a[at].tolist() for a in (cuts.threshold, cuts.lower, cuts.upper))
    flags = ADMISSIBLE * cuts.admissible[at]
    frame: Frame = {
        f"index{axis}": at.astype("i4"),
        f"rule{axis}": list(map(threshold, limits, lower, upper)),
        f"left{axis}": cuts.n_left[at].astype("i4"),
    }
    if not view.asking:
        flags = flags + BOUNDARY * cuts.boundary[at] + TIED * cuts.tied[at]
        frame |= {
            f"score{axis}": cuts.score[at],
            f"low{axis}": cuts.impurity_left[at],
            f"high{axis}": cuts.impurity_right[at],
        }
    return frame | {f"flags{axis}": flags.astype("u1")}


def shown_cuts(
    cuts: Candidates, feature: int, chosen: int | None, most: int, telling: bool = True
) -> NDArray[np.intp]:
    """The cuts of a feature that are drawn: all, or the highest of each of `most` equal parts.

    The best and the chosen cut are always among them. Not `telling`, the first of each part is
    taken, so that nothing shows where the high ones are.
    """
    span = cuts.of_feature(feature)
    at = np.arange(span.start, span.stop)
    if len(at) <= most:
        return at
    ends = np.linspace(0, len(at), most + 1).astype(np.intp)
    if not telling:
        return np.asarray(at[ends[:-1]])
    tops = [low + int(np.argmax(cuts.score[at[low:high]])) for low, high in pairwise(ends)]
    extra = [i for i in (chosen, cuts.best) if i is not None and span.start <= i < span.stop]
    return np.unique(np.concatenate([at[tops], np.array(extra, np.intp)]))
