"""pandas (`pd`) and pyarrow (`pa`), imported at their first use: most pages never need them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["pa", "pd"]


class LateModule:
    """A module that is imported when one of its names is first read."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self._name), name)
        setattr(self, name, value)
        return value


if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
else:
    pd, pa = LateModule("pandas"), LateModule("pyarrow")
