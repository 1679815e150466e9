"""The data before any cut: two features in the plane, or one beside the target."""

from __future__ import annotations

from dtviz.engine.criteria import CRITERIA, default_criterion
from dtviz.engine.leading import best_features
from dtviz.figures.kinds import Cloud, Overview
from dtviz.figures.palette import LIGHT, Theme
from dtviz.figures.scene import bare_scene, cloud
from dtviz.table.data import Dataset
from dtviz.text import count


def overview(data: Dataset, name: str, theme: Theme = LIGHT) -> tuple[Cloud, Overview]:
    """The cloud and the scene of a data set, on the two features that part the target best."""
    criterion = CRITERIA[default_criterion(data.task)]
    axes = best_features(data, criterion)
    about = f"{count(data.n, 'row')}, {count(len(data.features), 'feature')}"
    return cloud(data, axes, name), {**bare_scene(data, axes, theme, name), "about": about}
