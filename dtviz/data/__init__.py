"""Data in: tables read, drawn or made, and the gallery."""

from dtviz.data.categories import RANK
from dtviz.data.units import KINDS

KINDS[RANK.name] = RANK  # here, since `units` imports nothing of categories
