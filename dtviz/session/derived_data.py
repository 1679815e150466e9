"""Derived data: the rows that one tree of an ensemble, or of the page Stability, grew on.

The recipe of derived data has the parameters of the data from which they are derived, and those
that name the tree: equal links, equal trees. This module adds the origins "member" (a tree of an
ensemble, its rows with their weights and targets) and "sample" (a tree of Stability) to ORIGINS.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from dtviz.base.text import quoted
from dtviz.data.dataset import (
    DataError,
    Dataset,
    ParameterValue,
    Recipe,
    make_recipe,
    read_names,
    read_value,
    write_value,
)
from dtviz.data.drawing import ORIGINS, Origin, origin_of
from dtviz.data.uploads import UploadedTables
from dtviz.engine.ensembles import ENSEMBLES, Plan, data_of_member
from dtviz.engine.ensembles.ensemble import MAX_TREES
from dtviz.engine.rules import Rules, RulesError, prepare_data
from dtviz.engine.search.missing import POLICIES
from dtviz.evaluate.stability import (
    ROW_SAMPLINGS,
    StabilitySettings,
    has_selected_tree,
    rows_of_selected,
)
from dtviz.session.session import ALL_MOVES, Future, Session

OF = "of"
OF_FILES = "sample_weight"  # begins like the parameters of a sample, and is one of a file
ShortParams = Mapping[str, ParameterValue]
"""The parameters that derived data add, by their names without the prefix."""


@dataclass(frozen=True, slots=True)
class DerivedRecipes:
    """Recipes of derived data of one kind; data are not derived twice in the same way."""

    name: str
    """Name of the recipes' origin."""
    parameter_names: tuple[str, ...]
    """Names of the parameters that derived data have besides those of their source."""

    @property
    def prefix(self) -> str:
        """The prefix of these parameters' names in a recipe."""
        return f"{self.name}_"

    def is_derived(self, of: Recipe) -> bool:
        """True if the recipe is one of derived data of this kind."""
        return self.prefix + OF in dict(of.params)

    def recipe(self, of: Recipe, params: ShortParams) -> Recipe:
        """Return the recipe of data derived from those of a recipe. Raises DataError.

        Parameters that are None are left out.
        """
        if self.is_derived(of):
            raise DataError("these are the rows of a tree already: go back to all rows", None)
        values = {OF: of.name, **params}
        named = {self.prefix + name: value for name, value in values.items() if value is not None}
        return make_recipe(self.name, **dict(of.params), **named)

    def parts(self, wanted: Recipe) -> tuple[Recipe, ShortParams]:
        """Return the complete recipe of the source, and the other parameters by their short names.

        Raises DataError.
        """
        source = dict(wanted.params)
        names = [name for name in source if name.startswith(self.prefix) and name != OF_FILES]
        params = {name.removeprefix(self.prefix): source.pop(name) for name in names}
        for extra in sorted(params.keys() - {OF, *self.parameter_names}):
            raise self.refusal(
                params, extra, f"be left out: there are {', '.join(self.parameter_names)}"
            )
        name = params.get(OF)
        if not isinstance(name, str) or name == self.name or name not in ORIGINS:
            raise self.refusal(params, OF, "name the data it is of")
        origin = ORIGINS[name]
        values = {k: origin.read(v) if isinstance(v, str) else v for k, v in source.items()}
        return origin.complete(make_recipe(name, **values)), params

    def refusal(self, params: ShortParams, name: str, allowed: str) -> DataError:
        """Return the error that a parameter must be something else; it names a given parameter."""
        parameter = self.prefix + name
        return DataError(f"`{parameter}` must {allowed}", parameter if name in params else None)


MEMBER_RECIPES = DerivedRecipes("member", ("kind", "number", "seed", "rules", "rate"))
MEMBER_PREFIX = MEMBER_RECIPES.prefix
RULE_NAMES = tuple(field.name for field in fields(Rules))


def member_recipe(of: Recipe, rules: Rules, plan: Plan, member: int) -> Recipe:
    """Return the recipe of the rows of one tree of an ensemble on the data of a recipe."""
    params: dict[str, ParameterValue] = {
        "kind": plan.kind,
        "number": member,
        "seed": plan.seed,
        "rules": _texts(rules),
        "rate": plan.rate,
    }
    return MEMBER_RECIPES.recipe(of, params)


def _texts(rules: Rules) -> tuple[str, ...] | None:
    """Return the rules that differ from their defaults, each as 'name=value'."""
    names = [name for name in RULE_NAMES if getattr(rules, name) != getattr(Rules(), name)]
    return tuple(f"{name}={write_rule(getattr(rules, name))}" for name in names) or None


def write_rule(value: Any) -> str:
    """Return the text of a rule's value in a link."""
    return ".".join(value) if isinstance(value, tuple) else write_value(value)


def read_rule(name: str, text: str) -> Any:
    """Return the value of a rule that a text of a link stands for; `Rules` checks it."""
    usual = getattr(Rules(), name)
    if isinstance(usual, tuple):
        return tuple(text.split("."))
    value = {"True": True, "False": False}.get(text, read_value(text))
    return float(value) if isinstance(usual, float) and type(value) is int else value


def _rules(texts: ParameterValue) -> Rules:
    """Return the rules of texts 'name=value'; raises DataError."""
    parameter = f"{MEMBER_PREFIX}rules"
    if not isinstance(texts, tuple | None):
        raise DataError(f'`{parameter}` must be a list, as ["max_depth=3"]', parameter)
    values = {}
    for text in texts or ():
        name, _, value = text.partition("=")
        if name not in RULE_NAMES:
            raise DataError(f"`{parameter}` knows no rule {quoted(name)}", parameter)
        values[name] = read_rule(name, value)
    try:
        return Rules(**values)
    except RulesError as error:
        raise DataError(f"`{parameter}`: {error}", parameter) from error


def _plan(params: ShortParams) -> tuple[Plan, int]:
    """Return the plan of the ensemble and the number of its tree; raises DataError."""
    kind = params.get("kind")
    number, seed = (
        int(value) if isinstance(value, str) and value.isdecimal() else value
        for value in (params.get("number"), params.get("seed", 0))
    )
    last = _max_trees(kind) - 1
    if type(number) is not int or not 0 <= number <= last:
        raise MEMBER_RECIPES.refusal(
            params, "number", f"be the number of a tree, from 0 to {last:,}"
        )
    if kind not in ENSEMBLES:
        raise MEMBER_RECIPES.refusal(params, "kind", f"be one of {', '.join(ENSEMBLES)}")
    if type(seed) is not int:
        raise MEMBER_RECIPES.refusal(params, "seed", "be a whole number")
    rate = params.get("rate")
    try:
        rate = float(rate) if isinstance(rate, int | float | str) else None
        return Plan(str(kind), min(number + 1, MAX_TREES), rate=rate, seed=seed), number
    except ValueError as error:  # a DataError too: it names the plan's own parameter
        wrong = "seed" if "seed" in str(error) else "rate"
        raise MEMBER_RECIPES.refusal(params, wrong, "be one that a plan allows") from error


def _max_trees(kind: ParameterValue) -> int:
    """Return the largest number of trees of an ensemble of that kind.

    A round of boosting may have several trees, one for each class.
    """
    has_rounds = kind not in ENSEMBLES or ENSEMBLES[str(kind)].rate is not None
    return 10 * MAX_TREES if has_rounds else MAX_TREES


def _complete(wanted: Recipe) -> Recipe:
    of, params = MEMBER_RECIPES.parts(wanted)
    plan, number = _plan(params)
    return member_recipe(of, _rules(params.get("rules")), plan, number)


def _build(wanted: Recipe, files: UploadedTables) -> Dataset:
    of, params = MEMBER_RECIPES.parts(wanted)
    (plan, number), rules = _plan(params), _rules(params.get("rules"))
    data = prepare_data(origin_of(of).build(of, files), rules)
    try:
        return data_of_member(data, rules, plan, number)
    except DataError as error:
        if error.parameter != "member":
            raise
        allowed = str(error).removeprefix("`member` must ")
        raise MEMBER_RECIPES.refusal(params, "number", allowed) from None


def _title(wanted: Recipe) -> str:
    of, params = MEMBER_RECIPES.parts(wanted)
    plan, number = _plan(params)
    return f"{origin_of(of).title(of)}: tree {number + 1}, {_kind_text(plan.kind)}"


def _kind_text(kind: str) -> str:
    """Return the title of a kind inside a sentence: a proper name, as AdaBoost, stays as it is."""
    title = ENSEMBLES[kind].title
    return title if title[1:] != title[1:].lower() else title.lower()


MEMBER = Origin(MEMBER_RECIPES.name, _complete, _build, _title, read=read_names, private=True)
ORIGINS[MEMBER_RECIPES.name] = MEMBER


SHAKE_NAMES = ("way", "percent", "seed", "shown")
SAMPLE_RECIPES = DerivedRecipes("sample", (*SHAKE_NAMES, "missing"))


def sample_session(session: Session, future: Future) -> Session:
    """Return the session that shows in Grow the tree looked at on Stability.

    `future` gives the automatic moves on the rows of that tree.
    """
    of_tree = sample_recipe(session.recipe, session.rules, session.shake)
    return Session(of_tree, session.rules, log=future(session.rules, (), None, ALL_MOVES))


def can_open(session: Session, data: Dataset) -> bool:
    """True if a tree of Stability is looked at and its rows can be data of their own."""
    return not SAMPLE_RECIPES.is_derived(session.recipe) and has_selected_tree(data, session.shake)


def sample_recipe(of: Recipe, rules: Rules, shake: StabilitySettings) -> Recipe:
    """Return the recipe of the rows on which the tree looked at is grown."""
    usual = StabilitySettings()
    params: dict[str, ParameterValue] = {
        name: value
        for name in SHAKE_NAMES
        if (value := getattr(shake, name)) != getattr(usual, name)
    }
    missing = None if rules.missing == Rules().missing else rules.missing
    return SAMPLE_RECIPES.recipe(of, params | {"missing": missing})


def _parts(wanted: Recipe) -> tuple[Recipe, Rules, StabilitySettings]:
    """Return the recipe of the source, rules with the missing policy, and the draw of the rows.

    Raises DataError.
    """
    of, params = SAMPLE_RECIPES.parts(wanted)
    missing = params.get("missing", Rules().missing)
    if not isinstance(missing, str) or missing not in POLICIES:
        raise SAMPLE_RECIPES.refusal(params, "missing", f"be one of {', '.join(POLICIES)}")
    return of, Rules(missing=missing), _shake(params)


def _shake(params: ShortParams) -> StabilitySettings:
    """Return the draw of the rows that the parameters describe; raises DataError."""
    shake = StabilitySettings()
    for name, text in params.items():
        if name not in SHAKE_NAMES:
            continue
        value: Any = read_value(text) if isinstance(text, str) else text
        try:
            shake = replace(shake, **{name: value})
        except (ValueError, TypeError) as error:
            raise SAMPLE_RECIPES.refusal(params, name, "be one that Stability allows") from error
    if shake.shown is None:
        raise SAMPLE_RECIPES.refusal(params, "shown", "say which of the trees, from 0 on")
    return shake


def _complete_sample(wanted: Recipe) -> Recipe:
    return sample_recipe(*_parts(wanted))


def _build_sample(wanted: Recipe, files: UploadedTables) -> Dataset:
    of, rules, shake = _parts(wanted)
    return rows_of_selected(prepare_data(origin_of(of).build(of, files), rules), shake)


def _sample_title(wanted: Recipe) -> str:
    of, _, shake = _parts(wanted)
    assert shake.shown is not None
    draw, number, title = ROW_SAMPLINGS[shake.way], shake.shown + 1, origin_of(of).title(of)
    if draw.leaves_one_out:
        return f"{title} without row {number}"
    if draw.has_percent:
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
