"""Two splits of the same rows in words: which measure prefers which."""

from __future__ import annotations

import numpy as np

from dtviz.engine.counts import scores
from dtviz.engine.criteria import Criterion
from dtviz.engine.disagree import Counts, Disagreement
from dtviz.text import number


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
