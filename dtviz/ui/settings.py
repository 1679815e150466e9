"""The settings of a tree: sliders for its size, the few choices, and more on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from dtviz.engine.criteria import CRITERIA, criteria_of
from dtviz.engine.leaf_models import leaf_models_for
from dtviz.engine.missing import POLICIES
from dtviz.engine.rules import ORDERS, Rules, leaf_model_of
from dtviz.engine.splits import FAMILIES
from dtviz.figures.dials import with_own
from dtviz.judge.axes import value_text
from dtviz.say.settings import ORDER_NAMES
from dtviz.screen.screen import Screen
from dtviz.screen.usual import usual_rules
from dtviz.table.data import Dataset
from dtviz.ui import state
from dtviz.ui.bound import bound, chosen

MANY = (25, 30, 40, 50, 75, 100, 150, 200, 300, 500, 1_000, 2_000, 5_000)


@dataclass(frozen=True, slots=True)
class Size:
    """A rule with a slider: what it is called, what it does, its values for so many rows."""

    rule: str
    words: str
    about: str
    values: Callable[[int], Iterable[int | None]]


def _rows(least: int) -> Callable[[int], Iterable[int]]:
    """Numbers of rows up to half of all, wider apart where they are many."""
    return lambda n: [k for k in (*range(least, 21), *MANY) if k <= max(n // 2, least)]


SIZES = (
    Size(
        "max_depth",
        "Depth at most",
        "No node is deeper than this; the root has depth 0.",
        lambda n: (*range(1, 21), None),
    ),
    Size(
        "max_leaf_nodes",
        "Leaves at most",
        "Growing stops at this many leaves.",
        lambda n: (*_rows(2)(n), None),
    ),
    Size(
        "min_samples_leaf",
        "Smallest leaf",
        "A cut must leave this many rows on both sides.",
        _rows(1),
    ),
    Size(
        "min_samples_split",
        "Smallest node to split",
        "A node with fewer rows stays a leaf.",
        _rows(2),
    ),
)
SHARES = (
    ("min_gain", "Least gain", "A best cut that gains less does not split.", None),
    ("purity", "Pure enough", "A class with this share stops the node.", 1.0),
    (
        "min_impurity_decrease",
        "Least decrease",
        "A best cut stays where its gain times the node's share of all rows is this much.",
        None,
    ),
    (
        "min_weight_fraction_leaf",
        "Lightest leaf",
        "A cut must leave this share of the weight of all rows on both sides.",
        0.5,
    ),
    (
        "ccp_alpha",
        "Prune up to",
        "After growing, splits that gain no more than this a leaf are pruned.",
        None,
    ),
)
"""Rules with a number box: by name, in words, what each does, the most it may be."""


def popover(screen: Screen) -> None:
    """The settings, out of sight until they are asked for."""
    panel = st.popover("Settings", icon=":material/tune:", key="settings", on_change="rerun")
    if panel.open:  # a step need not send what nobody sees
        with panel:
            boxes(screen)


def boxes(screen: Screen) -> None:
    """Every setting, the rarer ones folded away."""
    rules = screen.session.rules
    _choice("criterion", "Criterion", criteria_of(screen.data), rules.criterion)
    for size in SIZES:
        _slider(size, screen.data.n, getattr(rules, size.rule))
    _choice("order", "Which node is next", ORDERS, rules.growing_order)
    known = dict.fromkeys((*_families(screen.data), rules.families))
    if len(known) > 1:
        named = {some: _kinds(some, screen.data) for some in known}
        _choice("families", "Cuts compared", [*known], rules.families, titles=named)
    if any(screen.data.gaps) or rules.missing != "learned":
        about = POLICIES[rules.missing].about
        _choice("missing", "Missing values", [*POLICIES], rules.missing, about)
    models = leaf_models_for(screen.data)
    if len(models) > 1:
        titles = {model.name: model.title for model in models}
        own = leaf_model_of(rules, screen.data)
        _choice("leaf_model", "A leaf predicts", [*titles], own.name, own.about, titles)
    with st.expander("More"):
        _rarer(rules, bool(screen.data.classes))
    st.button(
        "Usual settings",
        on_click=state.act,
        args=("settings", "usual"),
        disabled=rules == usual_rules(screen.session.recipe, screen.data.task),
    )


def _rarer(rules: Rules, classes: bool) -> None:
    for name, words, about, most in SHARES:
        if name != "purity" or classes:
            _share(name, words, about, most, getattr(rules, name))
    st.toggle(
        "Stop at zero gain",
        help="XOR needs it off: its first cut gains nothing.",
        **bound(
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
def _named(words: str, rule: str, about: str) -> Iterator[str]:
    """A setting in plain words, scikit-learn's name of it small; what its control is called."""
    with st.container(gap=None):
        st.markdown(f"{words} :small[:gray[{rule}]]", help=about)
        yield f"{words}, {rule}"


def _choice(
    name: str,
    words: str,
    options: Any,
    value: Any,
    about: str | None = None,
    titles: Mapping[Any, str] | None = None,
) -> None:
    if titles is None:
        titles = {one.name: one.title for one in CRITERIA.values()} | ORDER_NAMES
        titles |= {one.name: one.title for one in POLICIES.values()}
    st.selectbox(
        words,
        format_func=lambda option: titles[option],
        help=about,
        **chosen(f"rule_{name}", value, lambda one: choose(**{name: one}), options),
    )


def _slider(size: Size, n: int, value: float | None) -> None:
    """The values that make a difference, with the one in use; "no limit" is the last."""
    values = {value_text(one): one for one in with_own(size.values(n), value, value_text)}
    with _named(size.words, size.rule, size.about) as label:
        st.select_slider(
            label,
            [*values],
            label_visibility="collapsed",
            **bound(f"size_{size.rule}", value_text(value), partial(_set_size, size.rule, values)),
        )


def _share(name: str, words: str, about: str, most: float | None, value: float) -> None:
    with _named(words, name, about) as label:
        st.number_input(
            label,
            min_value=0.0,
            max_value=most,
            step=0.01,
            format="%.4g",
            label_visibility="collapsed",
            **bound(f"rule_{name}", float(value), partial(_hold, name)),
        )


def _set_size(rule: str, values: Mapping[str, float | None], text: object) -> None:
    if isinstance(text, str) and text in values:
        _hold(rule, values[text])


def _hold(rule: str, value: float | None) -> None:
    state.act_on(rule, "settings", "rules", values={rule: value})


def choose(**values: Any) -> None:
    """Change some of the rules, by name; None is the usual value (use in callbacks)."""
    state.act("settings", "rules", values=values)
