"""The public table of candidates, 1,000,000 rows and 2 features, and what its time is made of.

`one by one` writes the same texts with `text.threshold`, on a share of the cuts.
"""

from functools import partial

import numpy as np
from timing import SIZES, alternate, noisy_plane, runs_for

import dtviz
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.search.candidates import candidates
from dtviz.explain.words import candidate_text, candidate_text_column

for n in SIZES:
    data = noisy_plane(n)
    cuts = candidates(data, np.arange(n), CRITERIA["entropy"])
    some = range(0, len(cuts), max(len(cuts) // 10_000, 1))
    whole, search, texts, single = alternate(
        min(runs_for(n), 20),
        partial(dtviz.candidates, data),
        partial(candidates, data, np.arange(n), CRITERIA["entropy"]),
        partial(candidate_text_column, data, cuts),
        lambda data=data, cuts=cuts, some=some: [candidate_text(data, cuts, i) for i in some],
    )
    single *= len(cuts) / len(some)
    print(
        f"n={n:>9,}  candidates {whole:8.2f} ms: search {search:8.2f} ms, texts {texts:8.2f} ms"
        f"  one by one {single:9.2f} ms  ratio {single / texts:5.1f}"
    )
