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
from dtviz.engine.criteria.criteria import CRITERIA, criteria_of
from dtviz.engine.leaves.leaf_models import leaf_models_for
from dtviz.engine.rules import ORDERS, Rules
from dtviz.engine.search.missing import POLICIES
from dtviz.engine.splits import FAMILIES
from dtviz.evaluate.curves import rule_value_label
from dtviz.explain.words import ORDER_NAMES, SETTINGS
from dtviz.pictures.overfit import with_present_value
from dtviz.session.events import pack_letter
from dtviz.session.screen import Screen
from dtviz.session.session import MAX_SAY_CHARS, Session, redo, undo, usual_rules
from dtviz.session.tour import is_built_in_narration

MAX_PROBLEMS_LISTED = 20  # of an address
SEEDS = 10**9  # the seeds of all pages are below


def data_title(session: Session) -> None:
    """Draw the title of the data."""
    st.markdown(f"**{markdown(title_of(session.recipe))}**", width="content")


def select(
    label: str,
    name: str,
    value: object,
    options: Sequence[Any],
    text: Callable[[Any], str],
    apply: Callable[[Any], None],
    width: Any = "stretch",
) -> None:
    """Draw a choice of one of many options, without its label; `text` names an option."""
    st.selectbox(
        label,
        format_func=text,
        label_visibility="collapsed",
        width=width,
        **choice_args(name, value, apply, options),
    )


def segments(
    label: str,
    name: str,
    value: object,
    options: Iterable[Any],
    text: Callable[[Any], str],
    apply: Callable[[Any], None],
) -> None:
    """Draw a choice of one of a few options side by side, without its label."""
    st.segmented_control(
        label,
        [*options],
        format_func=text,
        required=True,
        label_visibility="collapsed",
        **control_args(name, value, apply, "default"),
    )


def draw_again(label: str, key: str, about: str, seed: int, apply: Callable[[int], None]) -> None:
    """Draw the button that takes the next seed."""
    icon, next_seed = ":material/casino:", (seed + 1) % SEEDS
    st.button(label, key=key, icon=icon, help=about, on_click=apply, args=(next_seed,))


def undo_buttons() -> None:
    """Draw the buttons that undo and redo the last change of the session."""
    visit = state.tab().visit
    for word, turn in (("Undo", undo), ("Redo", redo)):
        what = word.lower()
        st.button(
            word,
            key=word,
            icon=f":material/{what}:",
            help=word,
            on_click=partial(state.act, "line", what),
            disabled=turn(visit) is visit,
        )


def narration(session: Session) -> None:
    """Draw the sentence of a link, the buttons of its tour, and one that shows hidden controls."""
    place, tour = st.empty(), session.tour  # see show_problems
    if not (session.say or session.hidden) and tour.shown_index is None:
        return
    with place.container(key="say", horizontal=True, vertical_alignment="center", gap="small"):
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
            _stops(tour.stops, tour.shown_index)


def _stops(stops: tuple[str, ...], shown: int) -> None:
    """Draw the number of the stop shown, and the buttons to the previous one, the next and out."""
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
    """Show the first problem of the address until it is dismissed; the others on a click."""
    place = st.empty()  # drawn or not, it keeps the elements below at their places
    if not problems:
        return
    first, *others = [f"{sentence(problem)}." for problem in problems]
    with place.container(key="problems", horizontal=True, vertical_alignment="center", gap="small"):
        st.warning(first)
        if others:
            with st.popover(f"{len(others)} more", type="tertiary"):
                st.markdown("\n".join(f"- {other}" for other in others[:MAX_PROBLEMS_LISTED]))
        st.button(
            "Dismiss",
            icon=":material/close:",
            key="dismiss",
            type="tertiary",
            on_click=state.dismiss_problems,
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
            "same again here, and the tree picks up where it was."
        )
    else:
        st.error(sentence(str(error)))
    st.button("Show an example instead", on_click=_example)


def _example() -> None:
    for name in ("waiting", "next_page"):
        st.session_state.pop(name, None)
    state.set_session(state.start_session())
    st.query_params.clear()
    state.note_address({})


def sentence(text: str) -> str:
    """Return a sentence as Markdown in which names from outside stand literally.

    Parameters lose their back-ticks; a percent sign stays on the line of its number.
    """
    return markdown(re.sub(r"`([a-z_]+(?:=[^`]*)?)`", r"\1", text), 500).replace(
        r" \%", "\u00a0\\%"
    )


CHART_CONFIG: dict[str, Any] = {"displayModeBar": False, "displaylogo": False, "responsive": True}


def chart(figure: Any, key: str, alt: str, on_pick: Callable[[], None] | None = None) -> None:
    """Draw a figure without a toolbar, described by `alt`; a click on a point calls `on_pick`."""
    picking: dict[str, Any] = {"on_select": on_pick, "selection_mode": "points"} if on_pick else {}
    st.plotly_chart(figure, key=key, config=CHART_CONFIG, theme=None, alt=alt, **picking)


def pick_key(name: str) -> str:
    """Return the key of a table or chart, new after each pick: a row can be picked twice."""
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
    """Return the rows or points picked, the `part` of a selection."""
    st.session_state["picks"] = st.session_state.get("picks", 0) + 1
    selected: Any = st.session_state.get(key)
    for name in ("selection", part):
        selected = selected.get(name) if isinstance(selected, Mapping) else None
    return selected if isinstance(selected, list) else []


@cache
def _component() -> Any:
    """Return the component of the pictures."""
    # made on first use: Streamlit can declare a component in a run only
    return st.components.v2.component("dtviz.view", js="view.js", css="view.css")


def draw_frame(key: str, frame: bytes) -> None:
    """Draw a picture from its packed frame; events on it change the session."""
    _mount(key, state.tab().visit.last_event, frame)


def send_frame(
    key: str, frame: bytes, heard: int = 0, on_event: Callable[[], None] = lambda: None
) -> None:
    """Send a frame that only the pictures need, in a container that the page's style hides.

    `heard` is the number of the last event to acknowledge; 0 keeps the message of an equal frame
    the same. `on_event` is called after events that came by this component.
    """
    with st.container(key=f"carry_{key}"):
        _mount(key, heard, frame, on_event)


def recolour() -> None:
    """Run the whole app once more if a picture reported that the page turned dark or light."""
    if st.session_state.pop("recolour", False):
        state.rerun()


def _mount(key: str, heard: int, frame: bytes, on_event: Callable[[], None] = lambda: None) -> None:
    def hear() -> None:
        message = (st.session_state.get(key) or {}).get("did")  # no state once the page was left
        if message == {"what": "theme"}:
            st.session_state["recolour"] = True
        else:
            state.hear(message)
        on_event()

    data = pack_letter(heard, state.tab().mark, frame)
    _component()(key=key, data=data, on_did_change=hear)


def latex_lines(lines: Sequence[str]) -> None:
    """Draw lines of LaTeX aligned at their first equal signs; their text on demand."""
    body = r" \\[5pt] ".join(line.replace(" = ", " &= ", 1) for line in lines)
    st.latex(rf"\begin{{aligned}} \rule{{0pt}}{{1.6em}} {body} \end{{aligned}}")
    with st.expander("As LaTeX"):
        st.code("\n".join(lines), language="latex")


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
        on_click=partial(state.act, "settings", "usual"),
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
