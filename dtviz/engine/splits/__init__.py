"""Splits: every one is `score(x) <= threshold`, and each kind of score is one family.

A new kind of split is a new value in FAMILIES; `family.py` says what it has to know.
"""

from dtviz.engine.splits.axis import AXIS, Axis, axis_split
from dtviz.engine.splits.family import (
    EVERYWHERE,
    FAMILIES,
    Family,
    Plane,
    Projection,
    Ring,
    Span,
    Split,
    Splits,
    address_text,
    axis_of,
    condition,
    family_of,
    formula,
    goes_left,
    joined,
    linear_clip,
    midpoint,
    narrowed,
    order_of,
    parts,
    projection_in,
    quantity_of,
    score,
    share_of,
    splits_of,
)
from dtviz.engine.splits.subset import (
    HALF,
    ONE_VS_REST,
    SUBSET,
    Category,
    Subset,
    subset_split,
)

__all__ = [
    "EVERYWHERE",
    "FAMILIES",
    "HALF",
    "Axis",
    "Category",
    "Family",
    "Plane",
    "Projection",
    "Ring",
    "Span",
    "Split",
    "Splits",
    "Subset",
    "address_text",
    "axis_of",
    "axis_split",
    "condition",
    "family_of",
    "formula",
    "goes_left",
    "joined",
    "linear_clip",
    "midpoint",
    "narrowed",
    "order_of",
    "parts",
    "projection_in",
    "quantity_of",
    "score",
    "share_of",
    "splits_of",
    "subset_split",
]

FAMILIES |= {family.name: family for family in (AXIS, SUBSET, ONE_VS_REST)}
