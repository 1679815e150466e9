"""The controls that several pages share: settings, problems, notes, errors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import streamlit as st

from dtviz.engine.criteria import CRITERIA, criteria_of
from dtviz.engine.leaf_models import leaf_models_for
from dtviz.engine.missing import POLICIES
from dtviz.engine.rules import ORDERS, Rules, default_rules, leaf_model_of
from dtviz.engine.splits import FAMILIES
from dtviz.say.settings import ORDER_NAMES
from dtviz.screen.limits import LIMITS
from dtviz.screen.screen import Screen
from dtviz.screen.session import MAX_SAY, Session
from dtviz.table.data import DataError, Dataset
from dtviz.table.notes import Note, summary
from dtviz.table.uploads import FileNeededError
from dtviz.text import markdown
from dtviz.ui import state

CHART: dict[str, Any] = {"displayModeBar": False, "displaylogo": False, "responsive": True}
SHARE = "Below 1: a share of all rows."
SIZES: tuple[tuple[str, str, float], ...] = (
    ("max_depth", "No node is deeper than this; the root has depth 0.", 1),
    ("min_samples_split", f"A node with fewer rows stays a leaf. {SHARE}", 0.0),
    ("min_samples_leaf", f"A cut must leave this many rows on both sides. {SHARE}", 0.0),
    ("max_leaf_nodes", "Growing stops at this many leaves.", 2),
)


def settings(screen: Screen) -> None:
    """Criterion, order and stop rules, in a popover."""
    panel = st.popover("Settings", icon=":material/tune:", key="settings", on_change="rerun")
    if panel.open:  # a step need not send what nobody sees
        with panel:
            rule_boxes(screen)


def rule_boxes(screen: Screen) -> None:
    """Criterion, order and stop rules."""
    rules = screen.session.rules
    _choice("criterion", "Criterion", criteria_of(screen.data), rules.criterion)
    _choice("order", "Order of growing", ORDERS, rules.growing_order)
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
    left, right = st.columns(2)
    for place, (name, text, low) in enumerate(SIZES):
        with left if place % 2 == 0 else right:
            _limit(name, text, low, getattr(rules, name))
    with left:
        _share("min_gain", "A best cut that gains less does not split.", 0.0, None, rules)
    if screen.data.classes:
        with right:
            _share("purity", "A class with this share stops the node.", 0.0, 1.0, rules)
    with right:
        _share(
            "min_impurity_decrease",
            "A best cut stays where its gain times the node's share of all rows is this much.",
            0.0,
            None,
            rules,
        )
    with left:
        _share(
            "min_weight_fraction_leaf",
            "A cut must leave this share of the weight of all rows on both sides.",
            0.0,
            0.5,
            rules,
        )
    with left:
        _share(
            "ccp_alpha",
            "After growing, splits that gain no more than this a leaf are pruned.",
            0.0,
            None,
            rules,
        )
    st.session_state["rule_stop_at_zero_gain"] = rules.stop_at_zero_gain
    st.toggle(
        "Stop at zero gain",
        key="rule_stop_at_zero_gain",
        help="XOR needs it off: its first cut gains nothing.",
        on_change=_set_rule,
        args=("stop_at_zero_gain",),
    )
    usual = default_rules(screen.data.task)
    st.button(
        "Usual settings",
        on_click=state.act,
        args=("settings", "usual"),
        disabled=rules == usual,
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


def _choice(
    name: str,
    label: str,
    options: Any,
    value: Any,
    about: str | None = None,
    titles: Mapping[Any, str] | None = None,
) -> None:
    if titles is None:
        titles = {one.name: one.title for one in CRITERIA.values()} | ORDER_NAMES
        titles |= {one.name: one.title for one in POLICIES.values()}
    st.session_state[f"rule_{name}"] = value
    st.selectbox(
        label,
        options,
        key=f"rule_{name}",
        format_func=lambda option: titles[option],
        on_change=_set_rule,
        args=(name,),
        help=about,
    )


def _limit(name: str, text: str, low: float, value: float | None) -> None:
    """A whole number, none for no limit; or, where `low` is no whole one, a share too."""
    if name in LIMITS:
        with st.container(
            key=f"steps_{name}", horizontal=True, vertical_alignment="bottom", gap=None
        ):
            _number(name, text, low, value)
            _stepper("Less", "less", name, value == LIMITS[name][0])
            _stepper("More", "more", name, value is None)
    else:
        _number(name, text, low, value)


def _stepper(word: str, key: str, name: str, at_end: bool) -> None:
    """A button that makes a limit less or more; "no limit" is the last step."""
    st.button(
        f"{word} {name}",
        key=f"{key}_{name}",
        icon=":material/remove:" if key == "less" else ":material/add:",
        disabled=at_end,
        on_click=state.act,
        args=("settings", "step"),
        kwargs={"rule": name, "up": key == "more"},
    )


def _number(name: str, text: str, low: float, value: float | None) -> None:
    st.session_state[f"rule_{name}"] = value if value is None else type(low)(value)
    st.number_input(
        name,
        min_value=low,
        max_value=type(low)(1_000_000),
        step=type(low)(1),
        format="%d" if isinstance(low, int) else "%.7g",
        key=f"rule_{name}",
        value=None,
        placeholder="no limit",
        help=text,
        on_change=_set_limit,
        args=(name,),
    )


def _share(name: str, text: str, low: float, high: float | None, rules: Rules) -> None:
    st.session_state[f"rule_{name}"] = float(getattr(rules, name))
    st.number_input(
        name,
        min_value=low,
        max_value=high,
        step=0.01,
        format="%.4g",
        key=f"rule_{name}",
        help=text,
        on_change=_set_rule,
        args=(name,),
    )


def _set_rule(name: str) -> None:
    set_rules(**{name: st.session_state.get(f"rule_{name}")})


def _set_limit(name: str) -> None:
    """A number of rows, nodes or levels is whole, so that a step up from a share is 1; 0: none."""
    value = st.session_state.get(f"rule_{name}")
    set_rules(**{name: int(value) if value and value >= 1 else value or None})


def set_rules(**values: Any) -> None:
    """Change some of the rules, by name; None is the usual value (use in callbacks)."""
    state.act("settings", "rules", values=values)


def back_and_forth() -> None:
    """The buttons that undo and redo what was done last."""
    visit = state.tab().visit
    for word, sessions in (("Undo", visit.past), ("Redo", visit.ahead)):
        what = word.lower()
        st.button(
            word,
            key=word,
            icon=f":material/{what}:",
            help=word,
            on_click=state.act,
            args=("line", what),
            disabled=not sessions,
        )


def narration(session: Session) -> None:
    """The line that a link may have on top, and the way through its tour."""
    tour = session.tour
    if not session.say and tour.shown is None:
        return
    with st.container(key="say", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(markdown(session.say, MAX_SAY))
        if tour.shown is not None:
            _way(tour.stops, tour.shown)


def _way(stops: tuple[str, ...], at: int) -> None:
    """Where on a tour we are, and the ways on, back and out."""
    st.markdown(f"{at + 1} of {len(stops)}", width="content")
    for name, key, icon, to in (
        ("Previous stop", "tour_back", "chevron_left", at - 1),
        ("Next stop", "tour_next", "chevron_right", at + 1),
    ):
        st.button(
            name,
            key=key,
            icon=f":material/{icon}:",
            type="primary" if to > at else "secondary",
            disabled=not 0 <= to < len(stops),
            on_click=state.walk,
            args=(stops, to),
        )
    st.button("Leave", key="leave_tour", type="tertiary", on_click=state.leave_tour)


def show_problems(problems: tuple[str, ...]) -> None:
    """What of the address was not understood, until it is waved away."""
    if not problems:
        return
    with st.container(key="problems", horizontal=True, vertical_alignment="center", gap="small"):
        told = "; ".join(sentence(problem) for problem in problems[:6])
        st.warning(f"Of this link something was not understood: {told}.")
        st.button(
            "Dismiss",
            icon=":material/close:",
            key="dismiss",
            type="tertiary",
            on_click=state.say_no_more,
        )


def show_notes(notes: Sequence[Note], expanded: bool = False) -> None:
    """What was read as missing or left out, and what would fool a tree."""
    lines = summary(notes)
    if not lines:
        return
    with st.expander(f"Notes on the data ({len(lines)})", expanded=expanded):
        list_notes(lines)


def list_notes(lines: Sequence[str]) -> None:
    """Notes one under the other, as they are."""
    st.text("\n".join(lines))


def show_error(error: DataError) -> None:
    """Why there is no data to draw, and the ways on."""
    if isinstance(error, FileNeededError):
        names = " and ".join(f"the file **{markdown(name)}**" for name in error.names)
        st.info(
            f"This link was made with {names}. Files are not part of a link: give the "
            "same again here, and the tree picks up where it was."
        )
    else:
        st.error(sentence(str(error)))
    st.button("Show an example instead", on_click=_example)


def _example() -> None:
    st.session_state.pop("waiting", None)
    state.put(Session(state.START))
    st.query_params.clear()
    state.wrote({})


def sentence(text: str) -> str:
    """A sentence of ours with names from outside in it, literal in Markdown.

    Parameters lose their back-ticks; a percent sign stays on the line of its number.
    """
    return markdown(re.sub(r"`([a-z_]+(?:=[^`]*)?)`", r"\1", text), 500).replace(
        r" \%", "\u00a0\\%"
    )
