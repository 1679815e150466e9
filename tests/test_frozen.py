"""Nothing that a public call hands out can be changed, nor anything in it."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Iterator, Mapping
from dataclasses import FrozenInstanceError, fields, is_dataclass
from types import FunctionType
from typing import Any

import numpy as np
import pandas as pd
import pytest

import dtviz
from dtviz.data.dataset import make_recipe
from dtviz.engine.ensembles import ENSEMBLES
from dtviz.engine.leaves.leaf_models import LEAF_MODELS
from dtviz.engine.prune import alpha_path
from dtviz.engine.subtrees import nodes_of
from dtviz.engine.tree import Tree

FRAME = pd.DataFrame({"x": [1.0, 2, 3, 4], "z": [0.0, 1, 0, 1], "y": ["a", "b", "b", "a"]})
DATA = dtviz.from_frame(FRAME, "y", notes=[])
MODEL = dtviz.fit(DATA, dtviz.Rules(ccp_alpha=0.01))
NUMBERS = dtviz.fit(dtviz.load("sine", n=30), dtviz.Rules("squared_error", max_depth=3))
STEPS = list(dtviz.steps(DATA))
HANDED_OUT = {
    "data": DATA,
    "gallery": dtviz.load("iris"),
    "missing": dtviz.from_frame(FRAME.replace(3.0, np.nan), "y"),
    "model": MODEL,
    "numbers": NUMBERS,
    "of a log": dtviz.fit(DATA, log=list(MODEL.log)),
    "of no move": dtviz.fit(DATA, log=[]),
    "leaves": MODEL.leaves,
    "rules": MODEL.rules(),
    "regions": MODEL.regions(),
    "path": MODEL.path([1, 2]),
    "steps": tuple(STEPS),
    "after a log": tuple(dtviz.steps(DATA, log=list(MODEL.log[:1]))),
    "candidates": tuple(step.candidates for step in STEPS),
    "moves": (dtviz.Grow(1, dtviz.axis_split(0, 2.5)), dtviz.Collapse(1)),
    "pruning": alpha_path(nodes_of(MODEL.tree), nodes_of(MODEL.tree).is_split),
    "recipe": make_recipe("moons", n=3),
    "forest": dtviz.forest(DATA, trees=2),
    "boosted": dtviz.forest(dtviz.load("sine", n=30), kind="gradient", trees=2),
}


def within(value: Any) -> Iterator[Any]:
    """The value and all that is in it; a list, dict or set is refused where it stands."""
    yield value
    assert not isinstance(value, list | dict | set | bytearray), f"{value!r} can be changed"
    if is_dataclass(value):
        inner: Any = [getattr(value, field.name) for field in fields(value)]
    elif isinstance(value, Mapping):
        inner = [*value.keys(), *value.values()]
    elif isinstance(value, tuple | frozenset):
        inner = value
    else:
        inner = []
    for one in inner:
        yield from within(one)


def refuse(value: Any) -> None:
    """See each way to change this value refused, whatever is in it."""
    if isinstance(value, np.ndarray):
        with pytest.raises(ValueError, match="read-only"):
            value[...] = value
        with pytest.raises(ValueError, match="cannot set WRITEABLE flag"):
            value.setflags(write=True)
        assert not value.base.flags.writeable
    elif isinstance(value, Mapping):
        with pytest.raises(TypeError):
            value[1] = None  # type: ignore[index]
        assert not {"clear", "pop", "update", "setdefault"} & set(dir(value))
    elif is_dataclass(value):
        for name in [field.name for field in fields(value)] + ["another"]:
            with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
                setattr(value, name, None)
        for field in fields(value):
            with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
                delattr(value, field.name)
    else:
        # functions are those of a registry, such as a leaf model's: code, no data
        plain = (str, int, float, bool, tuple, frozenset, type(None), np.generic)
        allowed = (*plain, FunctionType)
        assert isinstance(value, allowed), f"{type(value)} may be changed"


def test_what_is_handed_out_cannot_be_changed() -> None:
    for outer in HANDED_OUT.values():
        for value in within(outer):
            refuse(value)


def test_every_public_value_is_among_them() -> None:
    seen = {type(value) for one in HANDED_OUT.values() for value in within(one)}
    public = [getattr(dtviz, name) for name in dtviz.__all__]
    classes = [one for one in public if inspect.isclass(one) and is_dataclass(one)]
    assert {dtviz.Dataset, dtviz.Model, dtviz.Step, dtviz.Rules} <= set(classes) <= seen
    assert Tree in seen


def test_an_answer_is_its_caller_s_own() -> None:
    # what is made anew for each call may be changed, and the next call is none the wiser
    def answers() -> list[Any]:
        made = [MODEL.stops(), MODEL.apply(FRAME), MODEL.predict(FRAME), MODEL.predict_proba(FRAME)]
        return [*made, dtviz.candidates(DATA), STEPS[0].table]

    before, changed = answers(), answers()
    changed[0].clear()
    for array in changed[1:4]:
        array[...] = array[::-1].copy()
    for table in changed[4:]:
        table.loc[:, "gain"] = -1.0
    for old, new in zip(before, answers(), strict=True):
        assert old == new if isinstance(old, dict) else np.array_equal(old, new)


def test_a_copy_of_a_model_predicts_alike_and_cannot_be_changed_either() -> None:
    for twin in (copy.deepcopy(MODEL), pickled(MODEL)):
        assert twin.tree.splits == MODEL.tree.splits
        assert repr(twin.tree.splits).removeprefix("mappingproxy(").rstrip(")")
        assert np.array_equal(twin.predict(FRAME), MODEL.predict(FRAME))
        with pytest.raises((TypeError, AttributeError)):
            twin.tree.splits.clear()
        with pytest.raises(ValueError, match="read-only"):
            next(iter(twin.tree.rows.values()))[0] = 0


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def test_a_model_of_any_leaves_and_a_forest_of_any_kind_can_be_pickled() -> None:
    for name, leaf in LEAF_MODELS.items():
        numbers = leaf.task == "regression"
        data = dtviz.load("sine" if numbers else "moons", n=20)
        rules = dtviz.Rules("squared_error" if numbers else "gini", max_depth=1, leaf_model=name)
        model = dtviz.fit(data, rules)
        assert pickled(model).predict(data).tolist() == model.predict(data).tolist(), name
    data = dtviz.load("moons", n=30)
    for kind in ENSEMBLES:
        forest = dtviz.forest(data, kind=kind, trees=3)
        twin = pickled(forest)
        assert twin.predict(data).tolist() == forest.predict(data).tolist(), kind
        with pytest.raises(ValueError, match="read-only"):
            twin.ensemble.members.splits.threshold[0] = 0


def test_a_tree_leaves_the_rows_it_was_given_by_a_log_alone() -> None:
    tree = MODEL.tree
    again = dtviz.fit(DATA, MODEL.rules_used, MODEL.log)
    for step in dtviz.steps(DATA, MODEL.rules_used):
        list(within(step.before))
    assert {leaf: rows.tolist() for leaf, rows in tree.rows.items()} == {
        leaf: rows.tolist() for leaf, rows in again.tree.rows.items()
    }
