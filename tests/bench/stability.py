"""The trees without one row each, grown together, beside as many fits; and all of them drawn."""

import numpy as np
from timing import alternate

from dtviz import fit
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import Dataset, make_recipe, take_rows
from dtviz.data.gallery import build, example_recipe
from dtviz.engine.rules import default_rules
from dtviz.evaluate.stability import StabilitySettings, compare_trees
from dtviz.pictures.packing import pack
from dtviz.pictures.regions import StageContext
from dtviz.pictures.stability import CELLS, drawing_order
from dtviz.pictures.stage_cuts import pinned_values
from dtviz.pictures.tree import draw_layer, plane_points

FITS = 10
IRIS = example_recipe("iris", features=("petal_length_cm", "petal_width_cm"))


def told(name: str, data: Dataset) -> None:
    """One line of figures; of the fits a few are made and the others counted like them."""
    rules, middle = default_rules(data.task), pinned_values(data)
    places = plane_points(data, (0, 1), middle, CELLS)
    found = run_to_end(compare_trees(data, rules, StabilitySettings(), places))
    stage = StageContext(data, (0, 1), middle)
    rows = np.arange(data.n)

    def drawn() -> bytes:
        order = drawing_order(found)
        return pack("layer", run_to_end(draw_layer("", found.members, order, stage)).layer)

    grown, one, over = alternate(
        3,
        lambda: run_to_end(compare_trees(data, rules, StabilitySettings(), places)),
        lambda: [fit(take_rows(data, rows != row), rules) for row in range(FITS)],
        drawn,
    )
    alone = one / FITS * data.n
    print(
        f"{name} n={data.n:>5,}  together {grown:8.0f} ms  one by one {alone:8.0f} ms  "
        f"drawn {over:6.0f} ms, {len(drawn()) / 1e3:6.0f} kB"
    )


told("iris ", build(IRIS))
for n in (300, 2_000):
    told("moons", build(make_recipe("moons", n=n, noise=0.25, seed=0)))
