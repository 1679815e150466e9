"""Data in: tables read, drawn or made, and the gallery."""

from dtviz.quantities import KINDS
from dtviz.table.ranks import RANK

KINDS[RANK.name] = RANK
