"""Fit to depth 5, and to the end, against scikit-learn: classes and a number."""

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from timing import alternate, noisy_plane, runs_for

from dtviz import Rules, fit
from dtviz.data.dataset import Dataset, make_dataset


def compare(name: str, data: Dataset, rules: Rules, theirs: object) -> None:
    x = np.ascontiguousarray(data.columns.T)
    ours, other = alternate(
        runs_for(data.n), lambda: fit(data, rules), lambda: theirs.fit(x, data.y)
    )
    print(
        f"{name:28} n={data.n:>9,}  ours {ours:9.2f} ms  scikit-learn {other:9.2f} ms"
        f"  ratio {other / ours:.2f}"
    )


def with_number(data: Dataset) -> Dataset:
    """The same features beside a number: the first feature and the class."""
    return make_dataset(data.columns, data.columns[0] + data.y, data.features, "y")


for n in (1_000, 2_000, 3_000, 10_000, 30_000, 100_000, 1_000_000):
    data = noisy_plane(n)
    for criterion in ("entropy", "gini"):
        theirs = DecisionTreeClassifier(criterion=criterion, max_depth=5)
        compare(f"{criterion}, depth 5", data, Rules(criterion=criterion, max_depth=5), theirs)
    rules = Rules(criterion="squared_error", max_depth=5)
    compare("squared_error, depth 5", with_number(data), rules, DecisionTreeRegressor(max_depth=5))

for n in (1_000, 10_000, 100_000):
    data = noisy_plane(n)
    for criterion in ("entropy", "gini"):
        theirs = DecisionTreeClassifier(criterion=criterion)
        compare(f"{criterion}, to the end", data, Rules(criterion=criterion), theirs)
    rules = Rules(criterion="squared_error")
    compare("squared_error, to the end", with_number(data), rules, DecisionTreeRegressor())
