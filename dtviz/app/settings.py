"""The settings of a tree: sliders for its size, the few choices, and more on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

import streamlit as st

from dtviz.app import state
from dtviz.app.state import choice_args, control_args
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import CRITERIA, criteria_of
from dtviz.engine.leaves.leaf_models import leaf_models_for
from dtviz.engine.rules import ORDERS, Rules
from dtviz.engine.search.missing import POLICIES
from dtviz.engine.splits import FAMILIES
from dtviz.evaluate.curves import value_text
from dtviz.explain.words import ORDER_NAMES, SETTINGS
from dtviz.pictures.overfit import with_own
from dtviz.session.screen import Screen
from dtviz.session.session import usual_rules

MANY = (25, 30, 40, 50, 75, 100, 150, 200, 300, 500, 1_000, 2_000, 5_000)


def _rows(least: int) -> Callable[[int], Iterable[int]]:
    """Numbers of rows up to half of all, wider apart where they are many."""
    return lambda n: [k for k in (*range(least, 21), *MANY) if k <= max(n // 2, least)]


SIZES: dict[str, Callable[[int], Iterable[int | None]]] = {
    "max_depth": lambda n: (*range(1, 21), None),
    "max_leaf_nodes": lambda n: (*_rows(2)(n), None),
    "min_samples_leaf": _rows(1),
    "min_samples_split": _rows(2),
}
"""The rules with a slider, and its values for so many rows."""
SHARES = {
    "min_gain": None,
    "purity": 1.0,
    "min_impurity_decrease": None,
    "min_weight_fraction_leaf": 0.5,
    "ccp_alpha": None,
}
"""The rules with a number box, and the most each may be."""


def popover(screen: Screen) -> None:
    """The settings, out of sight until they are asked for."""
    panel = st.popover("Settings", icon=":material/tune:", key="settings", on_change="rerun")
    if panel.open:  # a step need not send what nobody sees
        with panel:
            boxes(screen)


def boxes(screen: Screen) -> None:
    """Every setting, the rarer ones folded away."""
    rules = screen.session.rules
    _choice("criterion", criteria_of(screen.data), rules.criterion)
    for rule, values in SIZES.items():
        _slider(rule, values(screen.data.n), getattr(rules, rule))
    _choice("order", ORDERS, rules.growing_order)
    known = dict.fromkeys((*_families(screen.data), rules.families))
    if len(known) > 1:
        named = {some: _kinds(some, screen.data) for some in known}
        _choice("families", [*known], rules.families, titles=named)
    if any(screen.data.gaps) or rules.missing != "learned":
        about = POLICIES[rules.missing].about
        _choice("missing", [*POLICIES], rules.missing, about)
    models = leaf_models_for(screen.data)
    if len(models) > 1:
        titles = {model.name: model.title for model in models}
        own = screen.problem.leaf_model
        _choice("leaf_model", [*titles], own.name, own.about, titles)
    with st.expander("More"):
        _rarer(rules, bool(screen.data.classes))
    st.button(
        "Usual settings",
        on_click=state.act,
        args=("settings", "usual"),
        disabled=rules == usual_rules(screen.session.recipe, screen.data.task),
    )


def _rarer(rules: Rules, classes: bool) -> None:
    for name, most in SHARES.items():
        if name != "purity" or classes:
            _share(name, most, getattr(rules, name))
    stops = SETTINGS["stop_at_zero_gain"]
    st.toggle(
        stops.words,
        help=stops.about,
        **control_args(
            "rule_stop_at_zero_gain",
            rules.stop_at_zero_gain,
            lambda on: choose(stop_at_zero_gain=on),
        ),
    )


def _families(data: Dataset) -> Iterator[tuple[str, ...]]:
    """The kinds of cut that can be chosen: of categories, and with which that nodes propose."""
    own = [name for name, family in FAMILIES.items() if family.own and family.propose(data)]
    for category in ("subset", "onevsrest") if any(data.levels) else ("subset",):
        for more in dict.fromkeys([(), *((one,) for one in own), tuple(own)]):
            yield ("axis", category, *more)


def _kinds(families: tuple[str, ...], data: Dataset) -> str:
    """Families in a user's words, those that cut something of the data."""
    return ", ".join(FAMILIES[one].title for one in families if FAMILIES[one].propose(data))


@contextmanager
def _named(rule: str) -> Iterator[str]:
    """A setting in plain words, scikit-learn's name of it small; what its control is called."""
    words, about, _ = SETTINGS[rule]
    with st.container(gap=None):
        st.markdown(f"{words} :small[:gray[{rule}]]", help=about)
        yield f"{words}, {rule}"


def _choice(
    name: str,
    options: Any,
    value: Any,
    about: str | None = None,
    titles: Mapping[Any, str] | None = None,
) -> None:
    if titles is None:
        titles = {one.name: one.title for one in CRITERIA.values()} | ORDER_NAMES
        titles |= {one.name: one.title for one in POLICIES.values()}
    st.selectbox(
        SETTINGS[name].words,
        format_func=lambda option: titles[option],
        help=about,
        **choice_args(f"rule_{name}", value, lambda one: choose(**{name: one}), options),
    )


def _slider(rule: str, some: Iterable[int | None], value: float | None) -> None:
    """The values that make a difference, with the one in use; "no limit" is the last."""
    values = {value_text(one): one for one in with_own(some, value, value_text)}
    with _named(rule) as label:
        st.select_slider(
            label,
            [*values],
            label_visibility="collapsed",
            **control_args(f"size_{rule}", value_text(value), partial(_set_size, rule, values)),
        )


def _share(name: str, most: float | None, value: float) -> None:
    with _named(name) as label:
        st.number_input(
            label,
            min_value=0.0,
            max_value=most,
            step=0.01,
            format="%.4g",
            label_visibility="collapsed",
            **control_args(f"rule_{name}", float(value), partial(_hold, name)),
        )


def _set_size(rule: str, values: Mapping[str, float | None], text: object) -> None:
    if isinstance(text, str) and text in values:
        _hold(rule, values[text])


def _hold(rule: str, value: float | None) -> None:
    state.act_dragged(rule, "settings", "rules", values={rule: value})


def choose(**values: Any) -> None:
    """Change some of the rules, by name; None is the usual value (use in callbacks)."""
    state.act("settings", "rules", values=values)
