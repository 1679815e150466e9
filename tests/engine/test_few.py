"""Few rows are searched in fewer steps: what is found is what a search of all cuts finds."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dtviz.engine.criteria import CRITERIA
from dtviz.engine.cuts import scan
from dtviz.engine.few import best_of_few
from dtviz.engine.frontier import Frontier, along, frontier, restrict
from dtviz.engine.search import COLUMNS, best
from dtviz.table.data import Dataset, dataset


def same(data: Dataset, front: Frontier, name: str) -> None:
    one = best_of_few(data, front, CRITERIA[name])
    other = best(scan(data, front, CRITERIA[name]), front)
    cut = one.cut >= 0
    for of in ("grade", "weight"):
        assert np.array_equal(getattr(one, of), getattr(other, of)), of
    assert np.array_equal(cut, other.cut >= 0)
    for of in COLUMNS[1:6]:
        assert np.array_equal(getattr(one, of)[cut], getattr(other, of)[cut]), of
    assert one.left is None
    assert other.left is None
    assert not one.named
    assert not one.settled


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(("entropy", "gini", "squared_error")),
    st.integers(1, 4),
    st.sampled_from((1, 3, 20, 1000)),
    st.sampled_from((0.0, 1e8, -1e15)),
)
def test_the_best_cut_is_that_of_all_to_the_last_bit(
    seed: int, name: str, kinds: int, values: int, offset: float
) -> None:
    rng = np.random.default_rng(seed)
    lines, n = int(rng.integers(1, 4)), int(rng.integers(1, 50))
    x = rng.integers(0, values, (lines, n)) + offset
    y = (x[0] - offset > values / 2) * 1 if rng.random() < 0.3 else rng.integers(0, kinds, n)
    features = tuple("abc"[:lines])
    if name == "squared_error":
        y = y * 0.1 + offset
        y[0] += rng.choice((0.0, 1e6, 1e150))
        data = dataset(x, y, features, "y")
    else:
        data = dataset(x, y % kinds, features, "y", tuple("ABCD"[:kinds]))
    groups = [rng.permutation(n)[: int(rng.integers(1, n + 1))] for _ in range(3)]
    groups.append(rng.integers(0, n, n))  # some rows more than once, as a bag has them
    for some in (groups, groups[:1], [np.arange(n)]):
        same(data, frontier(data, some), name)


def test_each_node_is_searched_along_its_own_lines() -> None:
    for name in ["gini", "squared_error"]:
        rng = np.random.default_rng(1)
        x, y = rng.integers(0, 9, (4, 40)) * 1.0, rng.integers(0, 2, 40)
        target, names = (y, ("A", "B")) if name == "gini" else (y * 1.0, ())
        data = dataset(x, target, tuple("abcd"), "y", names)
        front = frontier(data, [np.arange(25), np.arange(25, 40), np.arange(10)])
        same(data, along(front, np.array([[0, 1, 3], [2, 3, 1]])), name)


def test_the_best_cut_of_tiny_and_huge_numbers_is_that_of_all() -> None:
    for scale in [1e-160, 1e-145, 1e140]:
        rng = np.random.default_rng(2)
        data = dataset(rng.normal(size=(2, 30)), rng.normal(size=30) * scale, ("a", "b"), "y")
        same(data, frontier(data, [np.arange(30), np.arange(11)]), "squared_error")


def test_of_cuts_that_tie_but_for_rounding_the_first_is_taken() -> None:
    data = dataset([np.arange(8.0)], [2, 0, 2, 2, 2, 0, 2, 2], ("x",), "y", ("A", "B", "C"))
    front = frontier(data, [np.arange(8)])
    score = scan(data, front, CRITERIA["gini"]).score
    assert score[1] < score[5]  # by the last digits
    assert best_of_few(data, front, CRITERIA["gini"]).threshold.tolist() == [1.5]


def test_a_gain_that_is_rounding_is_none() -> None:
    data = dataset([[0.0, 0.0, 1.0]], [1e9, -1e9, 1e-3], ("x",), "y")
    top = best_of_few(data, frontier(data, [np.arange(3)]), CRITERIA["squared_error"])
    assert (top.threshold[0], top.gain[0]) == (0.5, 0.0)


def test_no_node_has_no_best_cut() -> None:
    data = dataset([[0.0, 1.0]], [0, 1], ("x",), "y", ("A", "B"))
    none = restrict(frontier(data, [np.arange(2)]), np.zeros(1, np.bool_))
    assert not len(best_of_few(data, none, CRITERIA["gini"]).cut)
