"""Two splits in words: who prefers which, and by how much."""

from __future__ import annotations

from dtviz.engine.criteria import CRITERIA
from dtviz.engine.disagree import Disagreement
from dtviz.say.compared import pair_text

PAIR = Disagreement((5, 2), (4, 2), (4, 1))


def test_a_pair_is_told_with_the_scores_of_both_criteria_and_their_units() -> None:
    assert pair_text(CRITERIA["entropy"], CRITERIA["gini"], PAIR) == (
        "5 + 2 rows: **A** sends 4 + 2 left, **B** 4 + 1. "
        "Entropy prefers A, 0.07601 over 0.06174 bit; Gini prefers B, 0.03673 over 0.02721."
    )
