"""Charts as the browser reads them, and small tables for them."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dtviz.data.dataset import Dataset, make_dataset
from dtviz.evaluate.metrics import SCORES, Score


def parts(figure: go.Figure) -> tuple[list[Any], dict[str, Any]]:
    """The traces and the layout, as plotly checks them and the browser reads them."""
    whole = json.loads(figure.to_json())
    return whole["data"], whole["layout"]


def read(values: Any) -> Any:
    """An array as plotly sends it: a list, or bytes with a type and a shape."""
    if not isinstance(values, dict):
        return np.array(values)
    found = np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"])
    return found.reshape([int(k) for k in str(values.get("shape", found.size)).split(",")])


def texts(value: Any) -> list[str]:
    """Every text anywhere in a figure."""
    if isinstance(value, dict):
        return [text for one in value.values() for text in texts(one)]
    if isinstance(value, list):
        return [text for one in value for text in texts(one)]
    return [value] if isinstance(value, str) else []


def score_for(classes: bool) -> Score:
    return SCORES["classification" if classes else "regression"]


def some(features: int, classes: bool, names: tuple[str, ...] = (), n: int = 9) -> Dataset:
    columns = np.array([np.arange(n) * (j + 1.0) for j in range(features)])
    y = np.arange(n) % 2 if classes else np.arange(n) / 2
    named = names or tuple(f"x{j + 1}" for j in range(features))
    return make_dataset(columns, y, named, "y", "ab" if classes else ())
