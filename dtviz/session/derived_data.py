"""A tree of an ensemble as data of its own: the rows it grew on, with their weights and targets.

Its recipe has the parameters of the data it is of, and says which tree of which ensemble it is:
equal links, equal trees. ORIGINS knows it by the name "member".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from dtviz.base.text import quoted
from dtviz.data.dataset import (
    DataError,
    Dataset,
    Recipe,
    Value,
    read_names,
    read_value,
    recipe,
    write_value,
)
from dtviz.data.recipes import ORIGINS, Origin, origin_of
from dtviz.data.uploads import Files
from dtviz.engine.ensembles import ENSEMBLES, Plan, stands
from dtviz.engine.ensembles.ensemble import MOST_TREES
from dtviz.engine.rules import Rules, RulesError, prepared
from dtviz.engine.search.missing import POLICIES
from dtviz.evaluate.stability import WAYS, Shake, grown_on, has_rows
from dtviz.session.session import ALL_MOVES, Future, Session

OF = "of"
OF_FILES = "sample_weight"  # begins like the parameters of a sample, and is one of a file
OwnParameters = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class DerivedRecipes:
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

    def recipe(self, of: Recipe, own: OwnParameters) -> Recipe:
        """The recipe of what is made of that data; None is left out. Raises DataError."""
        if self.within(of):
            raise DataError("these are the rows of a tree already: go back to all rows", None)
        values = {OF: of.name, **own}
        named = {self.begins + name: value for name, value in values.items() if value is not None}
        return recipe(self.name, **dict(of.params), **named)

    def parts(self, wanted: Recipe) -> tuple[Recipe, OwnParameters]:
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

    def refusal(self, own: OwnParameters, name: str, allowed: str) -> DataError:
        """That one of its own parameters must be something else; named where it was given."""
        parameter = self.begins + name
        return DataError(f"`{parameter}` must {allowed}", parameter if name in own else None)


TREE = DerivedRecipes("member", ("kind", "number", "seed", "rules", "rate"))
MEMBER_PREFIX = TREE.begins


def member_recipe(of: Recipe, rules: Rules, plan: Plan, member: int) -> Recipe:
    """The recipe of a tree of the plan on the data of a recipe."""
    own: dict[str, Value] = {
        "kind": plan.kind,
        "number": member,
        "seed": plan.seed,
        "rules": _texts(rules),
        "rate": plan.rate,
    }
    return TREE.recipe(of, own)


def _texts(rules: Rules) -> tuple[str, ...] | None:
    """The rules that are not as usual, each 'name=value'."""
    usual = Rules()
    values = {field.name: getattr(rules, field.name) for field in fields(Rules)}
    return (
        tuple(
            f"{name}={'.'.join(value) if isinstance(value, tuple) else write_value(value)}"
            for name, value in values.items()
            if value != getattr(usual, name)
        )
        or None
    )


def _rules(texts: Value) -> Rules:
    """The rules that such texts say; raises DataError."""
    if not isinstance(texts, tuple | None):
        raise DataError(
            f'`{MEMBER_PREFIX}rules` must be a list, as ["max_depth=3"]', f"{MEMBER_PREFIX}rules"
        )
    known, values = {field.name: getattr(Rules(), field.name) for field in fields(Rules)}, {}
    for text in texts or ():
        name, _, value = text.partition("=")
        if name not in known:
            raise DataError(
                f"`{MEMBER_PREFIX}rules` knows no rule {quoted(name)}", f"{MEMBER_PREFIX}rules"
            )
        values[name] = _value(known[name], value)
    try:
        return Rules(**values)
    except RulesError as error:
        raise DataError(f"`{MEMBER_PREFIX}rules`: {error}", f"{MEMBER_PREFIX}rules") from error


def _value(usual: Any, text: str) -> Any:
    if isinstance(usual, tuple):
        return tuple(text.split("."))
    value = {"True": True, "False": False}.get(text, read_value(text))
    return float(value) if isinstance(usual, float) and type(value) is int else value


def _plan(own: Mapping[str, Value]) -> tuple[Plan, int]:
    """The plan and the number of the tree; raises DataError."""
    number, kind, seed = own.get("number"), own.get("kind"), own.get("seed", 0)
    numbers = [
        int(one) if isinstance(one, str) and one.isdecimal() else one for one in (number, seed)
    ]
    if type(numbers[0]) is not int or not 0 <= numbers[0] < _most(kind):
        raise TREE.refusal(own, "number", f"be the number of a tree, from 0 to {_most(kind) - 1:,}")
    if kind not in ENSEMBLES or type(numbers[1]) is not int:
        wrong = "seed" if kind in ENSEMBLES else "kind"
        known = ", ".join(ENSEMBLES)
        raise TREE.refusal(
            own, wrong, f"be one of {known}" if wrong == "kind" else "be a whole number"
        )
    rate = own.get("rate")
    try:
        shrunk = float(rate) if isinstance(rate, int | float | str) else None
        return Plan(
            str(kind), min(numbers[0] + 1, MOST_TREES), rate=shrunk, seed=numbers[1]
        ), numbers[0]
    except ValueError as error:  # a DataError too: it names the plan's own parameter
        wrong = "seed" if "seed" in str(error) else "rate"
        raise TREE.refusal(own, wrong, "be one that a plan allows") from error


def _most(kind: Value) -> int:
    """How many trees an ensemble of that kind may have: a round may have several."""
    alone = kind in ENSEMBLES and ENSEMBLES[str(kind)].rate is None
    return MOST_TREES if alone else 10 * MOST_TREES


def _complete(wanted: Recipe) -> Recipe:
    of, own = TREE.parts(wanted)
    plan, number = _plan(own)
    return member_recipe(of, _rules(own.get("rules")), plan, number)


def _build(wanted: Recipe, files: Files) -> Dataset:
    of, own = TREE.parts(wanted)
    (plan, number), rules = _plan(own), _rules(own.get("rules"))
    data = prepared(origin_of(of).build(of, files), rules)
    try:
        return stands(data, rules, plan, number)
    except DataError as error:
        if error.parameter != "member":
            raise
        raise TREE.refusal(own, "number", str(error).removeprefix("`member` must ")) from None


def _title(wanted: Recipe) -> str:
    of, own = TREE.parts(wanted)
    plan, number = _plan(own)
    return f"{origin_of(of).title(of)}: tree {number + 1}, {_said(plan.kind)}"


def _said(kind: str) -> str:
    """The kind inside of a sentence: names of people's own stay as they are."""
    title = ENSEMBLES[kind].title
    return title if title[1:] != title[1:].lower() else title.lower()


MEMBER = Origin(TREE.name, _complete, _build, _title, read=read_names, private=True)
ORIGINS[TREE.name] = MEMBER


SHAKE_NAMES = ("way", "percent", "seed", "shown")
SAMPLE_RECIPES = DerivedRecipes("sample", (*SHAKE_NAMES, "missing"))


def opened(session: Session, future: Future) -> Session:
    """The session that shows the tree looked at in Grow, `future` being that of its own rows."""
    own = sample_recipe(session.recipe, session.rules, session.shake)
    return Session(own, session.rules, log=future(session.rules, (), None, ALL_MOVES))


def can_open(session: Session, data: Dataset) -> bool:
    """Whether a tree is looked at that there is; of rows that are a sample there is no other."""
    return not SAMPLE_RECIPES.within(session.recipe) and has_rows(data, session.shake)


def sample_recipe(of: Recipe, rules: Rules, shake: Shake) -> Recipe:
    """The recipe of the rows that the tree looked at is grown on."""
    usual = Shake()
    own: dict[str, Value] = {
        name: value
        for name in SHAKE_NAMES
        if (value := getattr(shake, name)) != getattr(usual, name)
    }
    missing = None if rules.missing == Rules().missing else rules.missing
    return SAMPLE_RECIPES.recipe(of, own | {"missing": missing})


def _parts(wanted: Recipe) -> tuple[Recipe, Rules, Shake]:
    """The data it is of, how rows without a value are taken, and which rows; raises DataError."""
    of, own = SAMPLE_RECIPES.parts(wanted)
    missing = own.get("missing", Rules().missing)
    if not isinstance(missing, str) or missing not in POLICIES:
        raise SAMPLE_RECIPES.refusal(own, "missing", f"be one of {', '.join(POLICIES)}")
    return of, Rules(missing=missing), _shake(own)


def _shake(own: Mapping[str, Value]) -> Shake:
    """Which rows; raises DataError."""
    shake = Shake()
    for name, text in own.items():
        if name not in SHAKE_NAMES:
            continue
        value: Any = read_value(text) if isinstance(text, str) else text
        try:
            shake = replace(shake, **{name: value})
        except (ValueError, TypeError) as error:
            raise SAMPLE_RECIPES.refusal(own, name, "be one that Stability allows") from error
    if shake.shown is None:
        raise SAMPLE_RECIPES.refusal(own, "shown", "say which of the trees, from 0 on")
    return shake


def _complete_sample(wanted: Recipe) -> Recipe:
    return sample_recipe(*_parts(wanted))


def _build_sample(wanted: Recipe, files: Files) -> Dataset:
    of, rules, shake = _parts(wanted)
    return grown_on(prepared(origin_of(of).build(of, files), rules), shake)


def _sample_title(wanted: Recipe) -> str:
    of, _, shake = _parts(wanted)
    assert shake.shown is not None
    way, number, title = WAYS[shake.way], shake.shown + 1, origin_of(of).title(of)
    if way.each:
        return f"{title} without row {number}"
    if way.percent:
        return f"{title} without {shake.percent} % of the rows: tree {number}"
    return f"{title}, resampled: tree {number}"


ORIGINS[SAMPLE_RECIPES.name] = Origin(
    SAMPLE_RECIPES.name,
    _complete_sample,
    _build_sample,
    _sample_title,
    read=read_names,
    private=True,
)
