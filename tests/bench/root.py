"""Every candidate of a root with two features, against scikit-learn's depth-1 fit.

Ours sorts, scores, and keeps for every cut: threshold, neighbours, counts, both impurities, gain,
admissible, boundary, tied. scikit-learn keeps the best cut.
"""

from functools import partial

import numpy as np
from sklearn.tree import DecisionTreeClassifier
from timing import SIZES, alternate, noisy_plane, runs_for

from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.search.candidates import candidates

for criterion in ("entropy", "gini"):
    for n in SIZES:
        data = noisy_plane(n)
        x, rows = np.ascontiguousarray(data.columns.T), np.arange(n)
        ours, theirs = alternate(
            runs_for(n),
            partial(candidates, data, rows, CRITERIA[criterion]),
            partial(DecisionTreeClassifier(criterion=criterion, max_depth=1).fit, x, data.y),
        )
        print(
            f"{criterion:8} n={n:>9,}  ours {ours:8.2f} ms  scikit-learn {theirs:8.2f} ms"
            f"  ratio {theirs / ours:.2f}"
        )
