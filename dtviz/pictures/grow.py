"""Frame of all that stands round the pictures of Grow: its sentence, buttons and panels."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np

from dtviz.base.text import clean
from dtviz.data.dataset import Dataset
from dtviz.data.notes import summary
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.rules import suitable_criteria
from dtviz.explain.row_path import sends_missing
from dtviz.explain.words import candidate_text, feature_value_texts
from dtviz.pictures import frame_types, stage_cuts
from dtviz.pictures.gains import same_target_text
from dtviz.pictures.page_frame import page_sentence
from dtviz.pictures.scales import Theme, colours_of
from dtviz.pictures.stage import caption
from dtviz.pictures.tree import tip_frames
from dtviz.session.branches import side_titles
from dtviz.session.headlines import chance_line, grow_headline, node_title
from dtviz.session.screen import Screen
from dtviz.session.session import MAX_PINS

FIRST_QUESTION = "Why does the first cut go here?"
FIRST_ANSWER = (
    "Each dot is a cut; the farther from the plane, the more it gains. Drag the line to try "
    "another, and Make my cut takes it. A decision tree grows by asking this again on each side."
)
"""Answer of the first visit; with its question it stands in place of the words on the root."""
BIT_NOTE = "1 bit is the answer to one even yes-or-no question."
HOLLOW_DOTS = "Hollow dots: a side has too little"
CRITERIA_SHOWN = 3
"""Number of criteria on the switch, the first of each task: those that lectures compare."""
GAIN_PANELS = ("Candidates", "All gains", "Features", "Arithmetic", "Missing", "Criteria")
"""Panels that show gains."""
PANELS_WITHOUT_GAINS = ("Surface", "Rows", "Algorithm", "Rules", "Branches", "Export")
"""Panels that show no gains; the notes on the data come after them."""


def grow_frame(screen: Screen, theme: Theme) -> frame_types.GrowPage:
    """Frame of all that stands round the pictures of Grow, without what a link hides."""
    hidden, sides = screen.session.hidden, [*filter(None, (screen, screen.other_screen))]
    names = panel_names(screen) if screen.other_screen is None else []
    frame: frame_types.GrowPage = {
        "stamp": sides[-1].stamp,  # of two screens the second's stamp depends on both
        "is_first": screen.is_first_view,
        "asks": screen.session.ask,
        "sides": [_side_frame(side) for side in sides],
        "panels": names,
        "panel": open_panel(screen) if names else "",
        "panel_note": _panel_note(screen) if names else "",
        "colours": colours_of(theme),
    }
    if len(sides) > 1:
        titles = side_titles(screen.session, screen.future)
        for side, title, part in zip(sides, titles, frame["sides"], strict=True):
            figures = page_sentence(tip_frames(side)[0]["text"])
            part |= {"title": page_sentence(title), "figures": figures}
    if "settings" not in hidden:
        frame["switches"] = _switches_frame(screen)
        if len(screen.data.features) > 2 and len(sides) == 1:
            frame["axes"] = _axes_frame(screen)
    return frame


def _side_frame(screen: Screen) -> frame_types.GrowSide:
    """Frame of the sentence on the node looked at, its button, and the text under the stage."""
    hidden, view = screen.session.hidden, screen.node_view
    frame: frame_types.GrowSide = {
        "stamp": screen.stamp,
        "caption": page_sentence(caption_of(screen)),
        "is_asking": view.is_asking,
    }
    if "why" not in hidden:
        frame["lead"] = f"{node_title(screen)}."
        frame["sentence"] = page_sentence(grow_headline(screen))
        if screen.is_first_view:
            frame["lead"], frame["sentence"] = FIRST_QUESTION, FIRST_ANSWER
        elif chance := chance_line(screen):
            frame["chance"] = page_sentence(chance)
    if "split" not in hidden:
        split = view.candidates.split(view.index) if view.index is not None else None
        current = screen.tree.splits.get(screen.node)
        frame["split"] = {
            "text": "Make my cut",
            "is_main": screen.is_rival_chosen,
            "is_possible": split is not None and split != current,
        }
    return frame


def caption_of(screen: Screen) -> str:
    """Text under the stage; '' for none."""
    node_view, pins = screen.node_view, screen.session.pins
    values = stage_cuts.pinned_values_at(screen.data, screen.tree, screen.node, pins)
    cuts, index = node_view.candidates, node_view.index
    text = caption(screen.data, cuts, node_view.axes, values, pins, index)
    if index is not None and not stage_cuts.is_drawn(screen.data, cuts, index, node_view.axes):
        cut = candidate_text(screen.data, cuts, index)
        text = f"The cut {cut} is on neither axis chosen. {text}"
    if stage_cuts.pinnable_features(screen.data, screen.tree, node_view.axes):
        text = f"{stage_cuts.NEARNESS_NOTE} {text}"
    if text and screen.tree.splits:
        return text
    return " ".join(filter(None, (_dots_text(screen), text)))


def _dots_text(screen: Screen) -> str:
    """What faint and hollow dots mean, and before the first split what a bit is; '' for neither."""
    view, cuts, hidden = screen.node_view, screen.node_view.candidates, screen.session.hidden
    if view.is_asking or "gains" in hidden or not len(cuts):
        return ""
    dark = "where classes meet" if screen.data.classes else "where the target changes"
    faint = same_target_text(screen.data)
    parts = [f"Dots: dark {dark}, faint {faint}"] if not cuts.boundary.all() else []
    if not cuts.admissible.all():
        parts.append("hollow where a side has too little" if parts else HOLLOW_DOTS)
    sentences = [f"{', '.join(parts)}."] if parts else []
    if CRITERIA[screen.session.rules.criterion].unit and not screen.tree.splits:
        sentences.append(BIT_NOTE)
    return " ".join(sentences)


def _switches_frame(screen: Screen) -> frame_types.GrowSwitches:
    """Frame of the switch between the criteria that lectures compare, and of Ask first."""
    current = screen.session.rules.criterion
    suitable = suitable_criteria(screen.session.rules, screen.data)
    names = [*dict.fromkeys([*suitable[:CRITERIA_SHOWN], current])]
    titles = [CRITERIA[name].title for name in names]
    return {"criteria": {"values": names, "texts": titles, "place": names.index(current)}}


def _axes_frame(screen: Screen) -> frame_types.GrowAxes:
    """Frame of the choices of the features on the axes, and of the sliders of the others."""
    pins, axes = screen.session.pins, screen.node_view.axes
    features = stage_cuts.pinnable_features(screen.data, screen.tree, axes)[:MAX_PINS]
    values = stage_cuts.pinned_values_at(screen.data, screen.tree, screen.node, pins)
    return {
        "features": [clean(name) for name in screen.data.features],
        "axes": [*axes],
        "is_pinned": bool(pins),
        "sliders": [_slider_frame(screen, feature, float(values[feature])) for feature in features],
    }


def _slider_frame(screen: Screen, feature: int, value: float) -> frame_types.PinSlider:
    """Frame of the slider that pins a feature: its values, with the present `value` among them."""
    values, texts = _pinnable_values(screen, feature)
    place = bisect_left(values, value)
    if values[place : place + 1] != [value]:  # a value of a link, or the middle of a node's rows
        values, texts = [*values], [*texts]  # copies: the lists are kept in a cache
        values.insert(place, value)
        texts.insert(place, _value_texts(screen.data, feature, [value])[0])
    return {"feature": feature, "place": place, "values": np.array(values), "texts": texts}


def _pinnable_values(screen: Screen, feature: int) -> tuple[list[float], list[str]]:
    """Values at which a feature can be pinned, and their texts."""

    def make() -> tuple[list[float], list[str]]:
        values = stage_cuts.pinnable_values(screen.data, feature)
        return values, _value_texts(screen.data, feature, values)

    key = ("pinnable", screen.session.recipe, screen.session.rules.missing, feature)
    return screen.cache.get(key, make)


def _value_texts(data: Dataset, feature: int, values: list[float]) -> list[str]:
    return [*feature_value_texts(data, feature, np.array(values))]


# --- panels ---------------------------------------------------------------------------------------


def panel_names(screen: Screen) -> list[str]:
    """Names of the panels; none where the link hides them."""
    hidden, data, view = screen.session.hidden, screen.data, screen.node_view
    if "panels" in hidden:
        return []
    absent = {
        "All gains": len(data.features) <= 2,
        "Features": len(data.features) <= 1,
        "Missing": view.index is None
        or not sends_missing(screen.problem, view.candidates.split(view.index)),
        "Surface": bool(data.classes) or len(data.features) < 2,
        "Branches": not screen.session.branches,
    }
    gain_panels = () if "gains" in hidden else GAIN_PANELS
    names = [name for name in (*gain_panels, *PANELS_WITHOUT_GAINS) if not absent.get(name)]
    notes = summary(data.notes)
    return [*names, f"Notes ({len(notes)})"] if notes else names


def open_panel(screen: Screen) -> str:
    """Name of the open panel: the one chosen last, else the first; some panel must be shown."""
    names, name = panel_names(screen), screen.visit.panel
    return name if name in names else names[0]


def is_panel_secret(screen: Screen) -> bool:
    """True if the open panel shows gains and the user is to choose a cut first."""
    return screen.node_view.is_asking and open_panel(screen) in GAIN_PANELS


def shows_ranking(screen: Screen) -> bool:
    """True if the table of the candidates is shown: in the panel Candidates, if that is open."""
    if screen.other_screen is not None or not panel_names(screen):
        return False
    is_open = open_panel(screen) == "Candidates" and not is_panel_secret(screen)
    return is_open and len(screen.node_view.candidates) > 0


def _panel_note(screen: Screen) -> str:
    """Sentence in the open panel, on what it does not show; '' for none."""
    if is_panel_secret(screen):
        return "Hidden until you have chosen a cut on the stage."
    if open_panel(screen) != "Candidates":
        return ""
    has_cuts = len(screen.node_view.candidates) > 0
    return left_out_text(screen) if has_cuts else "No cut exists in this node."


def left_out_text(screen: Screen) -> str:
    """Sentence on the cuts that are not listed, where there are very many; '' for none."""
    listed, n_features = screen.node_view.features, len(screen.data.features)
    if not screen.node_view.candidates.is_complete:
        n = len(screen.node_view.candidates)
        return (
            f"{n:,} cuts are counted, each exactly. A cut in a hatched band gains no more than the "
            "band is high; choose a cut beside one to count more."
        )
    if listed is None:
        return ""
    return (
        f"Of {n_features:,} features those {len(listed):,} are listed whose cuts gain most "
        "here; choose any other as an axis of the stage to see its cuts."
    )
