"""What tables, charts and controls hand over: any JSON at all, and no callback ever raises."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

import pytest
import streamlit as st
from hypothesis import given, settings
from hypothesis import strategies as hst
from screens import page
from test_drawing import anything

from dtviz.app.controls import picked_point, picked_row
from dtviz.app.instrument import Instrument
from dtviz.data.gallery import example_recipe
from dtviz.session.session import Session, Visit

PICKS = hst.one_of(
    anything,
    hst.fixed_dictionaries(
        {"selection": hst.one_of(anything, hst.dictionaries(
            hst.sampled_from(["rows", "points"]),
            hst.lists(hst.one_of(
                anything,
                hst.integers(-2, 9),
                hst.fixed_dictionaries({"customdata": hst.one_of(
                    anything,
                    hst.tuples(hst.sampled_from(["gini", "x"]), hst.integers()).map(list),
                )}),
            ), max_size=3),
        ))},
    ),
)  # fmt: skip


def tab() -> Instrument:
    made = Instrument(Visit(Session(example_recipe("iris"))))
    made.replace_session(made.visit.session)
    return made


@cache
def module(name: str) -> Any:
    """A module of the pages; pictures can only be declared once a page has run."""
    page("grow")
    return import_module(f"dtviz.app.{name}")


@settings(max_examples=25)
@given(PICKS, hst.booleans())
def test_a_pick_of_any_content_is_survived(pick: Any, there: bool) -> None:
    kept = {"instrument": tab(), "picks": 0} | ({"key": pick} if there else {})
    stamp = kept["instrument"].screen().stamp
    overfit, rows = module("overfit_page"), module("row_panel")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(st, "session_state", kept)
        patch.setattr(st, "query_params", {})
        assert picked_row("key", ["a", "b"]) in (None, "a", "b")
        picked_point("key")
        overfit._set_cell("key", "criterion")
        overfit._set_alpha("key", [0.0, 0.25])
        rows.pick(stamp, picked_point("key"))
        rows.pick(stamp, picked_row("key", [3, 4]))
        assert kept["picks"] == 6
        kept["instrument"].screen()


@settings(max_examples=25)
@given(hst.one_of(anything, hst.integers(-1, 99)))
def test_a_control_of_any_value_or_none_is_survived(value: Any) -> None:
    kept = {"instrument": tab()}
    rules = module("controls")
    data, stage = module("data_page"), module("stage")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(st, "session_state", kept)
        patch.setattr(st, "query_params", {})
        for name in ("criterion", "min_gain"):
            rules.set_rules(**{name: value})
        rules._set_slider_rule("max_depth", {"2": 2, "no limit": None}, value)
        data._send_pad_event("kind", kind=value)
        param = next(one for one in data.GALLERY["moons"].params if one.name == "noise")
        stage._set_param(param, example_recipe("moons", n=60), value)
        kept["instrument"].screen()
