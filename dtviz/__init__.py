"""dtviz: how a decision tree is grown, and why each split is made.

data = dtviz.load("moons", n=200, noise=0.25, seed=7)
rules = dtviz.Rules(criterion="entropy", max_depth=3)
model = dtviz.fit(data, rules)
print(model.export("text"))
"""

from dtviz.app.cli.serving import explore
from dtviz.data.columns import group_rare
from dtviz.data.dataset import DataError, Dataset
from dtviz.data.gallery import load
from dtviz.data.open_table import from_table
from dtviz.data.read_table import read_table
from dtviz.data.train_test import from_frame
from dtviz.engine.criteria.criteria import impurity
from dtviz.engine.rules import Rules, RulesError
from dtviz.engine.splits import axis_split
from dtviz.engine.tree import Collapse, Grow, LogError
from dtviz.models.forest import Forest, forest
from dtviz.models.importers.boosted import from_lightgbm, from_xgboost
from dtviz.models.importers.sklearn import from_sklearn
from dtviz.models.model import Model, fit
from dtviz.models.steps import Step, candidates, regrets, steps

__version__ = "0.1.0"
__all__ = [
    "Collapse",
    "DataError",
    "Dataset",
    "Forest",
    "Grow",
    "LogError",
    "Model",
    "Rules",
    "RulesError",
    "Step",
    "axis_split",
    "candidates",
    "explore",
    "fit",
    "forest",
    "from_frame",
    "from_lightgbm",
    "from_sklearn",
    "from_table",
    "from_xgboost",
    "group_rare",
    "impurity",
    "load",
    "read_table",
    "regrets",
    "steps",
]
