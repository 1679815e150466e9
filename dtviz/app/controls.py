"""Controls of several pages: undo, narration, errors, pictures, and the settings of a tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

import streamlit as st

from dtviz.app import state
from dtviz.app.state import choice_args, control_args
from dtviz.base.text import markdown
from dtviz.data.dataset import DataError, Dataset
from dtviz.data.drawing import title_of
from dtviz.data.notes import Note, summary
from dtviz.data.uploads import FileNeededError
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.leaves.leaf_models import leaf_models_for
from dtviz.engine.rules import ORDERS, Rules, suitable_criteria
from dtviz.engine.search.missing import POLICIES
from dtviz.engine.splits import FAMILIES
from dtviz.evaluate.curves import rule_value_label
from dtviz.explain.words import ORDER_NAMES, SETTINGS
from dtviz.pictures.overfit import with_present_value
from dtviz.session.changes import change_text
from dtviz.session.events import pack_letter
from dtviz.session.screen import Screen
from dtviz.session.session import MAX_SAY_CHARS, Session, redo, undo, usual_rules
from dtviz.session.tour import is_built_in_narration

MAX_PROBLEMS_LISTED = 20  # problems of an address
MAX_SENTENCE_CHARS = 500


def data_title(session: Session) -> None:
    """Draw the title of the data."""
    st.markdown(f"**{markdown(title_of(session.recipe))}**", width="content")


def undo_buttons() -> None:
    """Draw the buttons that undo and redo the last change of the session."""
    visit = state.tab().visit
    for word, change in (("Undo", undo), ("Redo", redo)):
        name, after = word.lower(), change(visit)
        text = change_text(visit.session, after.session)
        st.button(
            word,
            key=word,
            icon=f":material/{name}:",
            help=f"{word}: {text}" if text else word,
            on_click=partial(state.act, "line", name),
            disabled=after is visit,
        )


def narration(session: Session) -> None:
    """Draw the sentence of a link, the buttons of its tour, and one that shows hidden controls.

    A placeholder is drawn in any case, see `show_problems`.
    """
    placeholder, tour = st.empty(), session.tour
    if not (session.say or session.hidden) and tour.shown_index is None:
        return
    with placeholder.container(
        key="say", horizontal=True, vertical_alignment="center", gap="small"
    ):
        if session.say:
            if not is_built_in_narration(tour, session.say):
                st.caption("This link says:", width="content")
            with st.container(key="says", width="stretch"):
                st.markdown(markdown(session.say, MAX_SAY_CHARS))
        if session.hidden:
            if not session.say:
                st.caption("This link hides some controls.", width="content")
            st.button("Show all controls", key="show_all", type="tertiary", on_click=state.show_all)
        if tour.shown_index is not None:
            _tour_controls(tour.stops, tour.shown_index)


def _tour_controls(stops: tuple[str, ...], shown: int) -> None:
    """Draw the number of the shown stop of a tour, and the buttons Previous, Next and Leave."""
    st.markdown(f"{shown + 1} of {len(stops)}", width="content")
    for name, key, icon, stop in (
        ("Previous stop", "tour_back", "chevron_left", shown - 1),
        ("Next stop", "tour_next", "chevron_right", shown + 1),
    ):
        st.button(
            name,
            key=key,
            icon=f":material/{icon}:",
            type="primary" if stop > shown else "secondary",
            disabled=not 0 <= stop < len(stops),
            on_click=state.go_to_stop,
            args=(stops, stop),
        )
    st.button("Leave", key="leave_tour", type="tertiary", on_click=state.leave_tour)


def show_problems(problems: tuple[str, ...]) -> None:
    """Show the first problem of the address until it is dismissed; a click shows the others."""
    # a placeholder even if there are none, so that Streamlit takes the elements below for the same
    placeholder = st.empty()
    if not problems:
        return
    first, *others = [f"{sentence(problem)}." for problem in problems]
    with placeholder.container(
        key="problems", horizontal=True, vertical_alignment="center", gap="small"
    ):
        st.warning(first)
        if others:
            with st.popover(f"{len(others)} more", type="tertiary"):
                st.markdown("\n".join(f"- {other}" for other in others[:MAX_PROBLEMS_LISTED]))
        st.button(
            "Dismiss",
            icon=":material/close:",
            key="dismiss",
            type="tertiary",
            on_click=state.navigation().dismiss_problems,
        )


def show_notes(notes: Sequence[Note], expanded: bool = False) -> None:
    """Show the notes of a dataset: missing values, rows left out, suspects."""
    lines = summary(notes)
    if not lines:
        return
    with st.expander(f"Notes on the data ({len(lines)})", expanded=expanded):
        list_notes(lines)


def list_notes(lines: Sequence[str]) -> None:
    """Show notes one below the other, as plain text."""
    st.text("\n".join(lines))


def show_error(error: DataError) -> None:
    """Show the reason why there is no data to draw, and a button to an example."""
    if isinstance(error, FileNeededError):
        names = " and ".join(f"the file **{markdown(name)}**" for name in error.names)
        st.info(
            f"This link was made with {names}. Files are not part of a link: give the "
            "same again here, or the screen saved as a file, and the tree picks up where it was."
        )
    else:
        st.error(sentence(str(error)))
    st.button("Show an example instead", on_click=_show_example)


def _show_example() -> None:
    """Change to the example of the bare address."""
    state.navigation().show_start()
    st.query_params.clear()
    state.remember_address({})


def sentence(text: str) -> str:
    """Return a sentence as Markdown, in which characters of names have no special meaning.

    Back-ticks round the names of parameters are removed. A percent sign stays on the line of its
    number.
    """
    without_ticks = re.sub(r"`([a-z_]+(?:=[^`]*)?)`", r"\1", text)
    return markdown(without_ticks, MAX_SENTENCE_CHARS).replace(r" \%", "\u00a0\\%")


CHART_CONFIG: dict[str, Any] = {"displayModeBar": False, "displaylogo": False, "responsive": True}


def chart(figure: Any, key: str, alt: str, on_pick: Callable[[], None] | None = None) -> None:
    """Draw a figure without a toolbar, described by `alt`; a click on a point calls `on_pick`."""
    picking: dict[str, Any] = {"on_select": on_pick, "selection_mode": "points"} if on_pick else {}
    st.plotly_chart(figure, key=key, config=CHART_CONFIG, theme=None, alt=alt, **picking)


def pick_key(name: str) -> str:
    """Return the key of a table or chart, new after each pick: the same row can be picked again."""
    return f"{name}{st.session_state.setdefault('picks', 0)}"


def picked_row(key: str, values: Sequence[Any]) -> Any:
    """Return the item of `values` whose row was picked in a table; None if none was."""
    row = next(iter(_picked(key, "rows")), None)
    return values[row] if type(row) is int and 0 <= row < len(values) else None


def picked_point(key: str) -> Any:
    """Return the custom data of the point picked in a chart; None if there is none."""
    points = _picked(key, "points")
    data = [p["customdata"] for p in points if isinstance(p, dict) and "customdata" in p]
    first = next(iter(data), None)
    return first[0] if isinstance(first, list) and len(first) == 1 else first


def _picked(key: str, part: str) -> list[Any]:
    """Return the rows or points that were picked; `part` names them in Streamlit's selection."""
    st.session_state["picks"] = st.session_state.get("picks", 0) + 1
    selected: Any = st.session_state.get(key)
    for name in ("selection", part):
        selected = selected.get(name) if isinstance(selected, Mapping) else None
    return selected if isinstance(selected, list) else []


@cache
def _component() -> Any:
    """Return Streamlit's component of all pictures."""
    # declared on first use, as Streamlit can do that only in a run
    return st.components.v2.component("dtviz.view", js="view.js", css="view.css")


def draw_frame(key: str, frame: bytes) -> None:
    """Draw a picture from its packed frame; events on it change the session."""

    def handle_message() -> None:
        message = (st.session_state.get(key) or {}).get("did")  # none if the page was left
        if message == {"what": "theme"}:
            st.session_state["recolour"] = True
        else:
            state.handle_message(message)

    data = pack_letter(state.tab().visit.last_event, state.tab().mark, frame)
    _component()(key=key, data=data, on_did_change=handle_message)


def recolour() -> None:
    """Run the whole page once more if a picture reported that it turned dark or light."""
    if st.session_state.pop("recolour", False):
        state.rerun()


def latex_lines(lines: Sequence[str]) -> None:
    """Draw lines of LaTeX, aligned at their first equal signs, and their source on a click."""
    body = r" \\[5pt] ".join(line.replace(" = ", " &= ", 1) for line in lines)
    st.latex(rf"\begin{{aligned}} \rule{{0pt}}{{1.6em}} {body} \end{{aligned}}")
    with st.expander("As LaTeX"):
        st.code("\n".join(lines), language="latex")


LARGE_ROW_COUNTS = (25, 30, 40, 50, 75, 100, 150, 200, 300, 500, 1_000, 2_000, 5_000)


def _row_counts(minimum: int) -> Callable[[int], Iterable[int]]:
    """Return a function from a number of rows to counts, from `minimum` up to half of the rows."""
    return lambda n: [
        k for k in (*range(minimum, 21), *LARGE_ROW_COUNTS) if k <= max(n // 2, minimum)
    ]


SLIDER_VALUES: dict[str, Callable[[int], Iterable[int | None]]] = {
    "max_depth": lambda n: (*range(1, 21), None),
    "max_leaf_nodes": lambda n: (*_row_counts(2)(n), None),
    "min_samples_leaf": _row_counts(1),
    "min_samples_split": _row_counts(2),
}
"""Rules with a slider; each has a function from the number of rows to the values of the slider."""
NUMBER_MAXIMA = {
    "min_gain": None,
    "purity": 1.0,
    "min_impurity_decrease": None,
    "min_weight_fraction_leaf": 0.5,
    "max_p_value": 1.0,
    "ccp_alpha": None,
}
"""Rules with a number box, with the maximum of each; None for no maximum."""


def settings_popover(screen: Screen) -> None:
    """Draw the settings in a popover."""
    panel = st.popover("Settings", icon=":material/tune:", key="settings", on_change="rerun")
    if panel.open:  # a step need not send the controls of a closed popover
        with panel:
            draw_settings(screen)


def draw_settings(screen: Screen) -> None:
    """Draw the controls of all settings; those that are rarely used are folded away."""
    rules = screen.session.rules
    _setting_choice("criterion", suitable_criteria(rules, screen.data), rules.criterion)
    for rule, values in SLIDER_VALUES.items():
        _slider(rule, values(screen.data.n), getattr(rules, rule))
    _setting_choice("order", ORDERS, rules.growing_order)
    options = dict.fromkeys((*_family_choices(screen.data), rules.families))
    if len(options) > 1:
        names = {families: _families_text(families, screen.data) for families in options}
        _setting_choice("families", [*options], rules.families, titles=names)
    if any(screen.data.gaps) or rules.missing != "learned":
        help_text = POLICIES[rules.missing].about
        _setting_choice("missing", [*POLICIES], rules.missing, help_text)
    models = leaf_models_for(screen.data)
    if len(models) > 1:
        titles = {model.name: model.title for model in models}
        current = screen.problem.leaf_model
        _setting_choice("leaf_model", [*titles], current.name, current.description, titles)
    with st.expander("More"):
        _more_settings(rules, bool(screen.data.classes))
    st.button(
        "Usual settings",
        on_click=partial(state.act, "settings", "usual"),
        disabled=rules == usual_rules(screen.session.recipe, screen.data.task),
    )


def _more_settings(rules: Rules, has_classes: bool) -> None:
    """Draw the controls of settings that are rarely used."""
    for name, maximum in NUMBER_MAXIMA.items():
        if name != "purity" or has_classes:
            _number_box(name, maximum, getattr(rules, name))
    setting = SETTINGS["stop_at_zero_gain"]
    st.toggle(
        setting.title,
        help=setting.effect,
        **control_args(
            "rule_stop_at_zero_gain",
            rules.stop_at_zero_gain,
            lambda on: set_rules(stop_at_zero_gain=on),
        ),
    )


def _family_choices(data: Dataset) -> Iterator[tuple[str, ...]]:
    """Yield the tuples of families that can be chosen.

    Each has axis, one of the families of categories, and none, one or all of the families that
    propose projections for each node.
    """
    proposed = [
        name for name, family in FAMILIES.items() if family.propose_in_node and family.propose(data)
    ]
    of_categories = ("subset", "onevsrest", "multiway") if any(data.levels) else ("subset",)
    for category in of_categories:
        for more in dict.fromkeys([(), *((name,) for name in proposed), tuple(proposed)]):
            yield ("axis", category, *more)


def _families_text(families: tuple[str, ...], data: Dataset) -> str:
    """Return the titles of those of the families that propose projections for the dataset."""
    return ", ".join(FAMILIES[name].title for name in families if FAMILIES[name].propose(data))


@contextmanager
def _setting_label(rule: str) -> Iterator[str]:
    """Context that draws the title of a setting above its control; yields the control's label."""
    title, effect, _ = SETTINGS[rule]
    with st.container(gap=None):
        st.markdown(f"{title} :small[:gray[{rule}]]", help=effect)
        yield f"{title}, {rule}"


def _setting_choice(
    name: str,
    options: Any,
    value: Any,
    help_text: str | None = None,
    titles: Mapping[Any, str] | None = None,
) -> None:
    """Draw the choice of a setting; `titles` is for options other than criteria or policies."""
    if titles is None:
        titles = {criterion.name: criterion.title for criterion in CRITERIA.values()} | ORDER_NAMES
        titles |= {policy.name: policy.title for policy in POLICIES.values()}
    st.selectbox(
        SETTINGS[name].title,
        format_func=lambda option: titles[option],
        help=help_text,
        **choice_args(f"rule_{name}", value, lambda option: set_rules(**{name: option}), options),
    )


def _slider(rule: str, options: Iterable[int | None], value: float | None) -> None:
    """Draw the slider of a rule, over the options and the present value; 'no limit' is the last."""
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
                f"size_{rule}", rule_value_label(value), partial(_set_slider_rule, rule, values)
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


def _set_slider_rule(rule: str, values: Mapping[str, float | None], text: object) -> None:
    if isinstance(text, str) and text in values:
        _set_rule(rule, values[text])


def _set_rule(rule: str, value: float | None) -> None:
    state.act_dragged(rule, "settings", "rules", values={rule: value})


def set_rules(**values: Any) -> None:
    """Set rules by name; None stands for the usual value (use in callbacks)."""
    state.act("settings", "rules", values=values)
