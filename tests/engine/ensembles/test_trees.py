"""What trees share is what their paths of cuts say one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_rules, data
from test_grow_many import bags, mixed, together_on

from dtviz.data.dataset import Dataset
from dtviz.engine.ensembles.trees import (
    ROOT_PATH,
    TreeArrays,
    indices_by_depth,
    paths_below,
    root_split_numbers,
    shared_paths,
    tree_numbers,
)
from dtviz.engine.rules import Rules, prepare_data


def paths(members: TreeArrays) -> dict[int, tuple[Any, ...]]:
    """By place: the cuts above it, and the side taken at each."""
    out: dict[int, tuple[Any, ...]] = {}
    gaps = any(members.data.gaps)
    for member in range(len(members)):
        waiting = [(int(members.root_indices[member]), ())]
        for place, path in waiting:
            out[place] = path
            left = int(members.left[place])
            if left >= 0:
                waiting += [(left + k, (*path, asked(members, place, gaps), k)) for k in (0, 1)]
    return out


def asked(members: TreeArrays, place: int, gaps: bool) -> Any:
    """What a cut asks, and of rows without a score where there are any."""
    split = members.split(place)
    lost = (split.missing.left, split.missing.surrogates) if gaps else None
    return split.projection, split.threshold, lost


def assert_shared_as_paths_say(members: TreeArrays) -> None:
    ways, by_place = shared_paths(members), paths(members)
    numbers: dict[Any, int] = {}
    forks: dict[Any, int] = {}
    for place, path in by_place.items():
        assert numbers.setdefault(path, int(ways.path[place])) == ways.path[place]
        fork = int(ways.fork[place])
        if members.left[place] < 0:
            assert fork == -1
            continue
        here = path, asked(members, place, any(members.data.gaps))
        assert forks.setdefault(here, fork) == fork
        below = [int(ways.path[int(members.left[place]) + k]) for k in (0, 1)]
        assert below == [*paths_below(fork)]
        first = int(ways.node_of_fork[fork])
        assert ways.fork[first] == fork
        assert by_place[first] == path
        assert ways.path[first] == ROOT_PATH or fork > (ways.path[first] - 1) // 2
    assert len({*numbers.values()}) == len(numbers)
    assert sorted(forks.values()) == [*range(len(ways.node_of_fork))]
    assert numbers[()] == ROOT_PATH


def assert_alike_as_logs_say(members: TreeArrays) -> None:
    gaps = any(members.data.gaps)
    trees = [
        {node: asked(members, at, gaps) for node, at in members.nodes_of(k).items()
         if members.left[at] >= 0}
        for k in range(len(members))
    ]  # fmt: skip
    same, roots = tree_numbers(members), root_split_numbers(members)
    for one, tree in enumerate(trees):
        assert (roots[one] == -1) == (1 not in tree)
        for other, second in enumerate(trees):
            assert (same[one] == same[other]) == (tree == second)
            assert (roots[one] == roots[other]) == (tree.get(1) == second.get(1))


@settings(max_examples=12)
@given(data(10), st.data())
def test_ways_and_trees_are_equal_where_the_cuts_are(found: Dataset, drawn: st.DataObject) -> None:
    members = together_on(found, drawn.draw(any_rules(found)), drawn.draw(bags(found.n)))
    assert_shared_as_paths_say(members)
    assert_alike_as_logs_say(members)


@given(mixed(), st.data())
def test_the_side_of_missing_rows_tells_cuts_apart(found: Dataset, drawn: st.DataObject) -> None:
    missing = drawn.draw(st.sampled_from(("learned", "surrogates", "majority")))
    rules = Rules(criterion="gini" if found.classes else "squared_error", missing=missing)
    weights = drawn.draw(bags(found.n))
    members = together_on(prepare_data(found, rules), rules, weights)
    assert_shared_as_paths_say(members)
    assert_alike_as_logs_say(members)


@settings(max_examples=8)
@given(data(10), st.data())
def test_the_levels_hold_every_node_once_from_the_top(found: Dataset, drawn: st.DataObject) -> None:
    members = together_on(found, drawn.draw(any_rules(found)), drawn.draw(bags(found.n)))
    places = np.concatenate([*indices_by_depth(members)])
    assert sorted(places.tolist()) == sorted(paths(members))
    depth = {place: len(path) for place, path in paths(members).items()}
    assert [depth[place] for place in places.tolist()] == sorted(depth.values())
