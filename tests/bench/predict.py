"""Predictions of 1,000,000 rows against scikit-learn's, both from the same data frame of floats.

The trees are grown on 64,000 rows; the last is full (some 15,600 leaves). In brackets stands what
scikit-learn takes for the same rows as a float32 array, which it need not convert.
"""

from functools import partial

import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeClassifier
from timing import alternate, noisy_plane

from dtviz import Rules, fit

train, new = noisy_plane(64_000), noisy_plane(1_000_000, seed=1)
known, frame = (
    pd.DataFrame(dict(zip(data.features, data.columns, strict=True))) for data in (train, new)
)
array = frame.to_numpy(np.float32)
for depth in (1, 5, None):
    mine = fit(train, Rules(max_depth=depth))
    named, bare = (
        DecisionTreeClassifier(max_depth=depth).fit(table, np.array(train.classes)[train.y])
        for table in (known, known.to_numpy(np.float32))
    )
    for name in ("predict", "predict_proba"):
        calls = ((mine, frame), (named, frame), (bare, array))
        own, other, least = alternate(
            7, *(partial(getattr(model, name), rows) for model, rows in calls)
        )
        print(
            f"{len(mine.leaves):6,} leaves  {name:13}  dtviz {own:6.1f} ms  "
            f"scikit-learn {other:6.1f} ms ({least:6.1f})  ratio {other / own:.2f}"
        )
