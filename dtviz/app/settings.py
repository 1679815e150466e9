"""Settings of a tree: sliders for its size, a few choices, and more on demand."""

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
from dtviz.evaluate.curves import rule_value_label
from dtviz.explain.words import ORDER_NAMES, SETTINGS
from dtviz.pictures.overfit import with_present_value
from dtviz.session.screen import Screen
from dtviz.session.session import usual_rules

SPACED = (25, 30, 40, 50, 75, 100, 150, 200, 300, 500, 1_000, 2_000, 5_000)


def _row_counts(minimum: int) -> Callable[[int], Iterable[int]]:
    """Function from a number of rows to counts from `minimum` to half of it, ever wider apart."""
    return lambda n: [k for k in (*range(minimum, 21), *SPACED) if k <= max(n // 2, minimum)]


SIZES: dict[str, Callable[[int], Iterable[int | None]]] = {
    "max_depth": lambda n: (*range(1, 21), None),
    "max_leaf_nodes": lambda n: (*_row_counts(2)(n), None),
    "min_samples_leaf": _row_counts(1),
    "min_samples_split": _row_counts(2),
}
"""Rules with a slider; each with a function from the number of rows to the slider's values."""
NUMBERS = {
    "min_gain": None,
    "purity": 1.0,
    "min_impurity_decrease": None,
    "min_weight_fraction_leaf": 0.5,
    "ccp_alpha": None,
}
"""Rules with a number box, each with its maximum; None for no maximum."""


def popover(screen: Screen) -> None:
    """Draw the settings in a popover."""
    panel = st.popover("Settings", icon=":material/tune:", key="settings", on_change="rerun")
    if panel.open:  # while it is shut, a step need not send its controls
        with panel:
            draw_settings(screen)


def draw_settings(screen: Screen) -> None:
    """Draw the control of every setting, the rarer ones folded away."""
    rules = screen.session.rules
    _choice("criterion", criteria_of(screen.data), rules.criterion)
    for rule, values in SIZES.items():
        _slider(rule, values(screen.data.n), getattr(rules, rule))
    _choice("order", ORDERS, rules.growing_order)
    options = dict.fromkeys((*_families(screen.data), rules.families))
    if len(options) > 1:
        names = {families: _families_text(families, screen.data) for families in options}
        _choice("families", [*options], rules.families, titles=names)
    if any(screen.data.gaps) or rules.missing != "learned":
        about = POLICIES[rules.missing].about
        _choice("missing", [*POLICIES], rules.missing, about)
    models = leaf_models_for(screen.data)
    if len(models) > 1:
        titles = {model.name: model.title for model in models}
        current = screen.problem.leaf_model
        _choice("leaf_model", [*titles], current.name, current.description, titles)
    with st.expander("More"):
        _rare_settings(rules, bool(screen.data.classes))
    st.button(
        "Usual settings",
        on_click=state.act,
        args=("settings", "usual"),
        disabled=rules == usual_rules(screen.session.recipe, screen.data.task),
    )


def _rare_settings(rules: Rules, has_classes: bool) -> None:
    for name, maximum in NUMBERS.items():
        if name != "purity" or has_classes:
            _number_box(name, maximum, getattr(rules, name))
    setting = SETTINGS["stop_at_zero_gain"]
    st.toggle(
        setting.title,
        help=setting.effect,
        **control_args(
            "rule_stop_at_zero_gain",
            rules.stop_at_zero_gain,
            lambda on: choose(stop_at_zero_gain=on),
        ),
    )


def _families(data: Dataset) -> Iterator[tuple[str, ...]]:
    """Yield the choices of families: axis, categories, and none, one or all that nodes propose."""
    proposed = [
        name for name, family in FAMILIES.items() if family.propose_in_node and family.propose(data)
    ]
    for category in ("subset", "onevsrest") if any(data.levels) else ("subset",):
        for more in dict.fromkeys([(), *((name,) for name in proposed), tuple(proposed)]):
            yield ("axis", category, *more)


def _families_text(families: tuple[str, ...], data: Dataset) -> str:
    """Return the titles of the families that propose projections of the data."""
    return ", ".join(FAMILIES[name].title for name in families if FAMILIES[name].propose(data))


@contextmanager
def _setting_label(rule: str) -> Iterator[str]:
    """Context that draws a setting's name above its control, and yields the control's label."""
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
        titles = {criterion.name: criterion.title for criterion in CRITERIA.values()} | ORDER_NAMES
        titles |= {policy.name: policy.title for policy in POLICIES.values()}
    st.selectbox(
        SETTINGS[name].title,
        format_func=lambda option: titles[option],
        help=about,
        **choice_args(f"rule_{name}", value, lambda option: choose(**{name: option}), options),
    )


def _slider(rule: str, options: Iterable[int | None], value: float | None) -> None:
    """Draw the slider of a rule: the options with the value in use; "no limit" is the last."""
    values = {
        rule_value_label(option): option
        for option in with_present_value(options, value, rule_value_label)
    }
    with _setting_label(rule) as label:
        st.select_slider(
            label,
            [*values],
            label_visibility="collapsed",
            **control_args(
                f"size_{rule}", rule_value_label(value), partial(_set_size, rule, values)
            ),
        )


def _number_box(name: str, maximum: float | None, value: float) -> None:
    with _setting_label(name) as label:
        st.number_input(
            label,
            min_value=0.0,
            max_value=maximum,
            step=0.01,
            format="%.4g",
            label_visibility="collapsed",
            **control_args(f"rule_{name}", float(value), partial(_set_rule, name)),
        )


def _set_size(rule: str, values: Mapping[str, float | None], text: object) -> None:
    if isinstance(text, str) and text in values:
        _set_rule(rule, values[text])


def _set_rule(rule: str, value: float | None) -> None:
    state.act_dragged(rule, "settings", "rules", values={rule: value})


def choose(**values: Any) -> None:
    """Change rules by name; None is the usual value (use in callbacks)."""
    state.act("settings", "rules", values=values)
