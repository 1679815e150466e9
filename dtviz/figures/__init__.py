"""Pictures of a tree as pure functions: engine values in, a plotly Figure or DOT text out."""

from dtviz.figures.gains import gain_curves
from dtviz.figures.graph import tree_dot
from dtviz.figures.palette import DARK, LIGHT, Theme
from dtviz.figures.stage import stage

__all__ = ["DARK", "LIGHT", "Theme", "gain_curves", "stage", "tree_dot"]
