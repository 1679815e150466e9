"""The trees without one row each, grown together, beside as many fits; and all of them drawn."""

import numpy as np
from timing import alternate

from dtviz import fit
from dtviz.base.progress import finished
from dtviz.data.dataset import Dataset, recipe, take
from dtviz.data.gallery import build, example_recipe
from dtviz.engine.rules import default_rules
from dtviz.evaluate.stability import Shake, shaken
from dtviz.pictures.packing import pack
from dtviz.pictures.regions import plane_of, window_of
from dtviz.pictures.slice import pinned
from dtviz.pictures.stability import CELLS, order_of
from dtviz.pictures.stage import stage_axes
from dtviz.pictures.tree_overlay import layer, plane_points

FITS = 10
IRIS = example_recipe("iris", features=("petal_length_cm", "petal_width_cm"))


def told(name: str, data: Dataset) -> None:
    """One line of figures; of the fits a few are made and the others counted like them."""
    rules, middle = default_rules(data.task), pinned(data)
    places = plane_points(data, (0, 1), middle, CELLS)
    found = finished(shaken(data, rules, Shake(), places))
    axes = stage_axes(data, (0, 1))
    plane = plane_of(data, (0, 1), middle, axes)
    rows = np.arange(data.n)

    def drawn() -> bytes:
        order = order_of(found)
        return pack(
            "layer", finished(layer("", found.members, order, window_of(*axes), plane)).layer
        )

    grown, one, over = alternate(
        3,
        lambda: finished(shaken(data, rules, Shake(), places)),
        lambda: [fit(take(data, rows != row), rules) for row in range(FITS)],
        drawn,
    )
    alone = one / FITS * data.n
    print(
        f"{name} n={data.n:>5,}  together {grown:8.0f} ms  one by one {alone:8.0f} ms  "
        f"drawn {over:6.0f} ms, {len(drawn()) / 1e3:6.0f} kB"
    )


told("iris ", build(IRIS))
for n in (300, 2_000):
    told("moons", build(recipe("moons", n=n, noise=0.25, seed=0)))
