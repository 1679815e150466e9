"""The data before any cut: two features in the plane, or one beside the target."""

from __future__ import annotations

import plotly.graph_objects as go

from dtviz.criteria import CRITERIA, default_criterion
from dtviz.data import Dataset
from dtviz.figures.palette import LIGHT, Theme
from dtviz.figures.stage import View, points_only
from dtviz.search import best_features, candidates
from dtviz.tree import stump


def overview(data: Dataset, theme: Theme = LIGHT) -> go.Figure:
    """The rows of a data set, on the two features that part the target best."""
    criterion = CRITERIA[default_criterion(data.task)]
    tree = stump(data, criterion)
    axes = best_features(data, criterion)
    view = View(1, candidates(data, tree.rows[1], criterion), None, axes, theme=theme)
    return points_only(data, tree, view)
