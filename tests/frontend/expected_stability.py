"""The pictures of the page Stability, and what each of its trees predicts at the rows."""

from __future__ import annotations

from typing import Any

from expected_stage import packed

from dtviz.data.dataset import make_recipe
from dtviz.data.gallery import build, example_recipe
from dtviz.engine.ensembles.trees import predictions
from dtviz.engine.rules import default_rules
from dtviz.evaluate.stability import StabilitySettings
from dtviz.pictures.frames import PICTURES
from dtviz.pictures.scales import LIGHT
from dtviz.pictures.stability import trees_and_layer
from dtviz.session.screen import screen_of
from dtviz.session.session import Session

SCREENS = {
    "moons": (make_recipe("moons", n=40, noise=0.3, seed=1), StabilitySettings(shown=7)),
    "drawn": (
        make_recipe("moons", n=40, noise=0.3, seed=1),
        StabilitySettings("resample", trees=12),
    ),
    "sine": (make_recipe("sine", n=30, noise=0.2, seed=1), StabilitySettings()),
    "cars": (example_recipe("age_car_risk"), StabilitySettings("some", percent=30, trees=9)),
}


def stabilities() -> Any:
    """The frames by name, and what is predicted at each row, the full tree first."""
    out = {}
    for name, (of, shake) in SCREENS.items():
        data = build(of)
        session = Session(of, default_rules(data.task), shake=shake)
        screen = screen_of(session, data, lambda rules, log: ())
        made = trees_and_layer(screen)
        assert made is not None
        found, drawn = made
        frames = {
            kind: packed(PICTURES[kind].kind, PICTURES[kind].draw(screen, LIGHT))
            for kind in ("stability", "layer", "plain")
        }
        told = predictions(found.members, data.columns)[drawn.member_ids]
        out[name] = frames | {"told": told.tolist()}
    return out
