"""What hypothesis draws from: small hard datasets, rules, logs, and text nobody would type.

Glossary
    hard      few distinct values, ties, constants, duplicates, 1e8 offsets, adjacent floats
    log       moves that are possible one after the other: the rules' own, other cuts, collapses
    telling   values of a rule at which something changes on this data, and between those
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from futures import future_of
from hypothesis import strategies as st

from dtviz.data.dataset import Dataset, make_dataset, make_recipe
from dtviz.engine.criteria.criteria import CRITERIA, criteria_for
from dtviz.engine.grow import full_tree, next_move
from dtviz.engine.problem import Problem
from dtviz.engine.prune import alpha_path
from dtviz.engine.rules import Rules, criterion_of
from dtviz.engine.search.candidates import candidates
from dtviz.engine.subtrees import splits_kept_by_rules
from dtviz.engine.tree import Collapse, Grow, Log, Move, Tree, extend, fold, root_tree, rows_in
from dtviz.session.session import HIDEABLE, Session, hide, narrate, timeline, with_branches

ADJACENT = [math.nextafter(1.0, 0), 1.0, math.nextafter(1.0, 2), 1.5, 2.0]
TINY = [0.0, 5e-324, 1e-323, -5e-324, 1e-308]
VALUES = {
    "small": [0.0, 1.0, 2.0, 3.0],
    "constant": [7.0],
    "offset": [1e8, 1e8 + 1, 1e8 + 2, 1e8 + 16],
    "adjacent": ADJACENT,
    "far": [1e8, math.nextafter(1e8, 2e8), 1e8 + 1],
    "tiny": TINY,
    "huge": [-1.7e308, 0.0, 1.7e308, 1e308],
    "mixed": [-3.5, -1.0, 0.0, 0.1, 0.2, 0.3, 10.0],
}
TARGETS = {
    "small": [0.0, 1.0, 2.0],
    "offset": [1e8, 1e8 + 1, 1e8 + 3],
    "decimal": [0.1, 0.2, 0.3, 0.7],
    "signed": [-5.0, -1.0, 4.0, 10.0],
    "constant": [0.3],
}
NASTY = (
    "", " ", "0", "-1", "1e999", "nan", "inf", "-inf", "None", "True", "null", "undefined", "1/0",
    "0x10", "1_000", "٣", "²", "\0", "a\0", "\n", "\r\n", "\t", "\\", "'", '"', "'\"\\", "`", "``",
    "'; DROP TABLE users; --", '"; DROP TABLE t; --', "{}", "{{7*7}}", "%s%n", "%{x}", "$x^2$",
    "\\text{a}", "}", "{", "${x}", "<b>", "</TABLE>>];evil [label=x", "<script>alert(1)</script>",
    "]>; n99 [label=<x>]", "a -> b", "/* */", "--", "#", "[x](javascript:1)", "![x](http://x/y)",
    "http://evil.example", "Ω≈ç√∫˜µ≤≥÷", "田中さん", "👩‍👩‍👧‍👦", "\u202etest", "\ufeff", "\ud800",
    "ﷺ", "Z̮̞̠͙͔ͅa", "x" * 3000, "[" * 500, '["a"', '["a","b"]', "[1]", "1" * 400, "1" * 5000,
    "a" + "9" * 30, "c0", "c", "a", "a1", "a0", "2.0.5", "1.0.0.5", "1.0.1e400", "c1_c1_c1", "_",
    "__", ".", "..", "0.0", "0.1", "9999.9998", "-0.1", "+", "&", "=", "?", "def f():\n  pass",
    '"""', "'''", "\\N{DASH}", "\\u0041", "f{x!r}", "a\u2028b",
)  # fmt: skip

# These, like USUAL, are made before any draw: hypothesis looks through each strategy that it meets
# for the first time. What is drawn of pools is one of these lists itself.
nasty = st.one_of(st.sampled_from(NASTY), st.text(max_size=30))
column_pool, target_pool = (st.sampled_from(list(pools.values())) for pools in (VALUES, TARGETS))
ONE_OF = {id(pool): st.sampled_from(pool) for pool in (*VALUES.values(), *TARGETS.values())}


@st.composite
def class_data(
    draw: st.DrawFn, max_rows: int = 12, max_features: int = 3, max_classes: int = 3
) -> Dataset:
    """Rows of hard values with class targets; a class may have no row."""
    n = draw(st.integers(1, max_rows))
    k = draw(st.integers(1, max_classes))
    y = draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n))
    columns = draw(_columns(n, max_features))
    return make_dataset(columns, np.array(y), _names(columns), "target", "ABCDEFGH"[:k])


@st.composite
def number_data(draw: st.DrawFn, max_rows: int = 12, max_features: int = 3) -> Dataset:
    """Rows of hard values with a number to predict."""
    n = draw(st.integers(1, max_rows))
    y = draw(_values(draw(target_pool), n))
    columns = draw(_columns(n, max_features))
    return make_dataset(columns, np.array(y), _names(columns), "target")


def data(max_rows: int = 12, max_features: int = 3) -> st.SearchStrategy[Dataset]:
    """Either kind."""
    return st.one_of(class_data(max_rows, max_features), number_data(max_rows, max_features))


def criteria_of_any(task: Any) -> tuple[str, ...]:
    """The criteria of class shares, or of means, that suit every table of the task."""
    every = map(CRITERIA.__getitem__, criteria_for(task))
    return tuple(one.name for one in every if one.min_target == -np.inf and one.leaf_model is None)


LEAVES = {"classification": ("shares",), "regression": ("median", "linear")}


USUAL = {
    "order": st.sampled_from((None, "depth", "breadth", "best")),
    "max_depth": st.sampled_from((None, None, 1, 2, 3)),
    "min_samples_split": st.sampled_from((2, 2, 3, 5, 0.4)),
    "min_samples_leaf": st.sampled_from((1, 1, 1, 2, 3, 0.2)),
    "min_weight_fraction_leaf": st.sampled_from((0.0, 0.0, 0.0, 0.1, 0.25)),
    "max_leaf_nodes": st.sampled_from((None, None, 2, 3, 5)),
    "min_gain": st.sampled_from((0.0, 0.0, 0.05, 0.3)),
    "min_impurity_decrease": st.sampled_from((0.0, 0.0, 0.03, 0.1)),
    "purity": st.sampled_from((1.0, 1.0, 0.6, 0.8)),
    "max_p_value": st.sampled_from((1.0, 1.0, 1.0, 0.97, 0.3)),
    "stop_at_zero_gain": st.booleans(),
}
RULES = {
    task: {
        "criterion": st.sampled_from(criteria_of_any(task)),
        **USUAL,
        "leaf_model": st.sampled_from((None, None, *leaves)),
    }
    for task, leaves in LEAVES.items()
}


@st.composite
def rules_for(draw: st.DrawFn, task: Any, **fixed: Any) -> Rules:
    """Rules that suit the task, most of them at their default; `fixed` ones as given."""
    drawn = {name: draw(value) for name, value in RULES[task].items()}
    if drawn["leaf_model"] == "linear":  # no test is known for cuts searched by regressions
        drawn["max_p_value"] = 1.0
    return Rules(**{**drawn, **fixed})


@st.composite
def any_rules(draw: st.DrawFn, found: Dataset, **fixed: Any) -> Rules:
    """Rules with every field drawn: `min_gain`, `min_impurity_decrease`, `ccp_alpha` are telling.

    No gain is within rounding of what is asked, but alphas of the path are drawn as they stand.
    """
    rules = draw(rules_for(found.task))
    nodes = full_tree(Problem(found, rules))
    gains, decreases = (
        between([0.0, *of[nodes.is_split].tolist()]) for of in (nodes.gain, nodes.decrease)
    )
    rules = replace(
        rules,
        min_gain=draw(st.sampled_from([0.0, 0.0, *gains])),
        min_impurity_decrease=draw(st.sampled_from([0.0, 0.0, 0.0, *decreases])),
    )
    alphas = alpha_path(nodes, splits_kept_by_rules(nodes, rules)).alphas.tolist()
    alpha = draw(st.sampled_from([0.0, *alphas, *between(alphas), 2 * alphas[-1] + 1e-3]))
    return replace(rules, **{"ccp_alpha": alpha, **fixed})


def between(values: list[float]) -> list[float]:
    """The numbers half-way between the values, where there is room, and one beyond the last."""
    order = sorted(values)
    room = max(1e-6 * order[-1], 1e-300)
    return [(a + b) / 2 for a, b in pairwise([*order, 1.5 * order[-1]]) if b - a > room]


@st.composite
def grown(
    draw: st.DrawFn, max_rows: int = 12, most: int = 5, **fixed: Any
) -> tuple[Dataset, Rules, Log, Tree]:
    """Data, rules, a log that is possible on it, and the tree it builds."""
    found = draw(data(max_rows))
    rules = draw(rules_for(found.task, **fixed))
    log, tree = draw(logs(found, rules, most))
    return found, rules, log, tree


@st.composite
def logs(draw: st.DrawFn, found: Dataset, rules: Rules, most: int = 5) -> tuple[Log, Tree]:
    """Up to `most` moves, each possible after those before it, and the tree after them."""
    log: Log = ()
    problem = Problem(found, rules)
    tree = root_tree(problem)
    for _ in range(draw(st.integers(0, most))):
        move = draw(_move(found, rules, tree))
        if move is not None:
            log, tree = (*log, move), extend(problem, tree, move)
    return log, tree


@st.composite
def sessions(draw: st.DrawFn, max_rows: int = 10, **fixed: Any) -> tuple[Dataset, Session]:
    """Data and a session on it with everything in it: moves, branches, focus, narration."""
    found, rules, log, _ = draw(grown(max_rows, **fixed))
    future = future_of(found)
    whole = timeline(Session(make_recipe("heights"), rules, log), future)
    made = draw(st.integers(0, len(whole)))
    kept = draw(st.integers(made, len(whole)))
    here = fold(Problem(found, rules), whole[:made])
    features = range(len(found.features))
    pairs = [(a, b) for a in features for b in features if a != b]
    session = Session(
        make_recipe("heights"),
        rules,
        whole[:made],
        whole[made:kept],
        draw(st.sampled_from([None, *sorted(here.nodes)])),
        draw(st.sampled_from([None, *here.splits.values()])),
        draw(st.sampled_from([None, *pairs])),
        ask=draw(st.booleans()),
    )
    session = hide(session, draw(st.lists(st.sampled_from(HIDEABLE))))
    session = narrate(session, draw(nasty))
    branches = draw(st.lists(logs(found, rules), max_size=5))
    return found, with_branches(session, [log for log, _ in branches], future)


@st.composite
def _move(draw: st.DrawFn, found: Dataset, rules: Rules, tree: Tree) -> Move | None:
    kind = draw(st.sampled_from(("rules", "own", "own", "collapse")))
    if kind == "rules":
        return next_move(Problem(found, rules), tree)
    if kind == "collapse":
        return Collapse(draw(st.sampled_from(sorted(tree.splits)))) if tree.splits else None
    leaf = draw(st.sampled_from(sorted(tree.rows)))
    cuts = candidates(found, rows_in(tree, leaf), criterion_of(rules, found))
    return Grow(leaf, cuts.split(draw(st.integers(0, len(cuts) - 1)))) if len(cuts) else None


@st.composite
def _columns(draw: st.DrawFn, n: int, most: int) -> list[list[float]]:
    pools = draw(st.lists(column_pool, min_size=1, max_size=most))
    return [draw(_values(pool, n)) for pool in pools]


def _values(pool: list[float], n: int) -> st.SearchStrategy[list[float]]:
    return st.lists(ONE_OF[id(pool)], min_size=n, max_size=n)


def _names(columns: list[list[float]]) -> list[str]:
    return [f"x{j + 1}" for j in range(len(columns))]
