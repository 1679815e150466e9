"""dtviz: how a decision tree is grown, and why each split is made.

data = dtviz.load("moons", n=200, noise=0.25, seed=7)
rules = dtviz.Rules(criterion="entropy", max_depth=3)
model = dtviz.fit(data, rules)
print(model.export("text"))
"""

from dtviz.engine.criteria import impurity
from dtviz.engine.rules import Rules, RulesError
from dtviz.engine.splits import axis_split
from dtviz.engine.tree import Collapse, Grow, LogError
from dtviz.ensemble import Forest, forest
from dtviz.exploring import explore
from dtviz.model import Model, fit
from dtviz.others.lightgbm import from_lightgbm
from dtviz.others.sklearn import from_sklearn
from dtviz.others.xgboost import from_xgboost
from dtviz.table.data import DataError, Dataset
from dtviz.table.files import read_table
from dtviz.table.gallery import load
from dtviz.table.held import from_frame
from dtviz.table.rare import group_rare
from dtviz.trace import Step, candidates, regrets, steps

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
    "from_xgboost",
    "group_rare",
    "impurity",
    "load",
    "read_table",
    "regrets",
    "steps",
]
