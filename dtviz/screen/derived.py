"""Data made of other data, such as the rows of one tree: what their recipes share.

Glossary
    own    the parameters that say what is made of it; their names begin with that of the origin,
           the others are those of the data it is of
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dtviz.table.data import DataError, Recipe, Value, recipe
from dtviz.table.origins import ORIGINS

OF = "of"
OF_FILES = "sample_weight"  # begins like the parameters of a sample, and is one of a file
Own = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Derived:
    """Recipes of a name, each of the data of another recipe, which is not of that name itself.

    `asked` are the names of its own parameters.
    """

    name: str
    asked: tuple[str, ...]

    @property
    def begins(self) -> str:
        """What the names of its own parameters begin with."""
        return f"{self.name}_"

    def within(self, of: Recipe) -> bool:
        """Whether data are made so already, so that no more can be made so of them."""
        return self.begins + OF in dict(of.params)

    def recipe(self, of: Recipe, own: Own) -> Recipe:
        """The recipe of what is made of that data; None is left out. Raises DataError."""
        if self.within(of):
            raise DataError("these are the rows of a tree already: go back to all rows", None)
        values = {OF: of.name, **own}
        named = {self.begins + name: value for name, value in values.items() if value is not None}
        return recipe(self.name, **dict(of.params), **named)

    def parts(self, wanted: Recipe) -> tuple[Recipe, Own]:
        """The complete recipe of the data it is of, and its own parameters; raises DataError."""
        params = dict(wanted.params)
        given = [name for name in params if name.startswith(self.begins) and name != OF_FILES]
        own = {name.removeprefix(self.begins): params.pop(name) for name in given}
        for extra in sorted(own.keys() - {OF, *self.asked}):
            raise self.refusal(own, extra, f"be left out: there are {', '.join(self.asked)}")
        name = own.get(OF)
        if not isinstance(name, str) or name == self.name or name not in ORIGINS:
            raise self.refusal(own, OF, "name the data it is of")
        origin = ORIGINS[name]
        read = {k: origin.read(v) if isinstance(v, str) else v for k, v in params.items()}
        return origin.complete(recipe(name, **read)), own

    def refusal(self, own: Own, name: str, allowed: str) -> DataError:
        """That one of its own parameters must be something else; named where it was given."""
        parameter = self.begins + name
        return DataError(f"`{parameter}` must {allowed}", parameter if name in own else None)
