"""Derived data: the rows that one tree of an ensemble, or of the page Stability, grew on.

The recipe of derived data has the parameters of its source, the data from which the rows come, and
parameters that name the tree, so that equal links give equal trees. This module adds two origins to
ORIGINS: "member", the rows of a tree of an ensemble with their weights and targets, and "sample",
the rows of a tree of Stability.
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
from dtviz.engine.ensembles import ENSEMBLES, Ensemble, Plan, data_of_member
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

SOURCE_NAME = "of"
"""Parameter, without its prefix, that has the name of the source's origin."""
FILE_PARAMETER = "sample_weight"
"""Parameter of uploaded files, which begins like those of the origin "sample" by chance."""
ShortParams = Mapping[str, ParameterValue]
"""Parameters that a recipe of derived data adds, by their names without the prefix."""


@dataclass(frozen=True, slots=True)
class DerivedRecipes:
    """Writer and reader of the recipes of one origin of derived data."""

    name: str
    """Name of the recipes' origin."""
    parameter_names: tuple[str, ...]
    """Names, without the prefix, of the parameters that say which tree it is."""

    @property
    def prefix(self) -> str:
        """The prefix in a recipe of the parameters that are not the source's."""
        return f"{self.name}_"

    def is_derived(self, recipe: Recipe) -> bool:
        """True if the recipe is one of derived data of this origin."""
        return self.prefix + SOURCE_NAME in dict(recipe.params)

    def make(self, source: Recipe, params: ShortParams) -> Recipe:
        """Return the recipe of data derived from a source. Parameters that are None are left out.

        Raises DataError if the source is derived in the same way already.
        """
        if self.is_derived(source):
            raise DataError("these are the rows of a tree already: go back to all rows", None)
        values = {SOURCE_NAME: source.name, **params}
        named = {self.prefix + name: value for name, value in values.items() if value is not None}
        return make_recipe(self.name, **dict(source.params), **named)

    def read(self, recipe: Recipe) -> tuple[Recipe, ShortParams]:
        """Return the complete recipe of the source, and the parameters that derived data add.

        Raises DataError.
        """
        source = dict(recipe.params)
        names = [name for name in source if name.startswith(self.prefix) and name != FILE_PARAMETER]
        params = {name.removeprefix(self.prefix): source.pop(name) for name in names}
        for extra in sorted(params.keys() - {SOURCE_NAME, *self.parameter_names}):
            raise self.error(
                params, extra, f"be left out: there are {', '.join(self.parameter_names)}"
            )
        name = params.get(SOURCE_NAME)
        if not isinstance(name, str) or name == self.name or name not in ORIGINS:
            raise self.error(params, SOURCE_NAME, "name the data it is of")
        origin = ORIGINS[name]
        values = {k: origin.read(v) if isinstance(v, str) else v for k, v in source.items()}
        return origin.complete(make_recipe(name, **values)), params

    def error(self, params: ShortParams, name: str, allowed: str) -> DataError:
        """Return the error that a parameter must be what `allowed` says.

        The error has the parameter's name as its field `parameter` where `params` has it.
        """
        parameter = self.prefix + name
        return DataError(f"`{parameter}` must {allowed}", parameter if name in params else None)


FITTED = "fitted"
"""Kind, in recipes of members, of an ensemble that another library fitted."""
FITTED_ENSEMBLES: dict[Recipe, Ensemble] = {}
"""Ensembles that other libraries fitted, by the recipe of all rows of each, in this server."""


def fitted_source(recipe: Recipe) -> Recipe | None:
    """Return the key in FITTED_ENSEMBLES for its rows, or those of one of its trees; else None."""
    if MEMBER_RECIPES.is_derived(recipe):
        source, params = MEMBER_RECIPES.read(recipe)
        return source if params.get("kind") == FITTED and source in FITTED_ENSEMBLES else None
    return recipe if recipe in FITTED_ENSEMBLES else None


def fitted_member_recipe(source: Recipe, member: int) -> Recipe:
    """Return the recipe of the rows of one tree, by its number, of a fitted ensemble."""
    return MEMBER_RECIPES.make(source, {"kind": FITTED, "number": member})


MEMBER_RECIPES = DerivedRecipes("member", ("kind", "number", "seed", "rules", "rate"))
MEMBER_PREFIX = MEMBER_RECIPES.prefix
RULE_NAMES = tuple(field.name for field in fields(Rules))


def member_recipe(source: Recipe, rules: Rules, plan: Plan, member: int) -> Recipe:
    """Return the recipe of the rows of one tree, by its number, of an ensemble on the source."""
    params: dict[str, ParameterValue] = {
        "kind": plan.kind,
        "number": member,
        "seed": plan.seed,
        "rules": _rule_texts(rules),
        "rate": plan.rate,
    }
    return MEMBER_RECIPES.make(source, params)


def _rule_texts(rules: Rules) -> tuple[str, ...] | None:
    """Return the rules that differ from their defaults, each as 'name=value'."""
    names = [name for name in RULE_NAMES if getattr(rules, name) != getattr(Rules(), name)]
    return tuple(f"{name}={write_rule(getattr(rules, name))}" for name in names) or None


def write_rule(value: Any) -> str:
    """Return the text of a rule's value in a link."""
    return ".".join(value) if isinstance(value, tuple) else write_value(value)


def read_rule(name: str, text: str) -> Any:
    """Return the value of a rule that a text of a link stands for; `Rules` checks it."""
    default = getattr(Rules(), name)  # its type is that of all values of the rule
    if isinstance(default, tuple):
        return tuple(text.split("."))
    value = {"True": True, "False": False}.get(text, read_value(text))
    return float(value) if isinstance(default, float) and type(value) is int else value


def _read_rules(texts: ParameterValue) -> Rules:
    """Return the rules that texts 'name=value' describe; raises DataError."""
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


def _read_number(params: ShortParams, n_trees: int) -> int:
    """Return the number of the tree, below `n_trees`; raises DataError."""
    number = _parse_whole(params.get("number"))
    if type(number) is not int or not 0 <= number < n_trees:
        allowed = f"be the number of a tree, from 0 to {n_trees - 1:,}"
        raise MEMBER_RECIPES.error(params, "number", allowed)
    return number


def _parse_whole(value: ParameterValue) -> ParameterValue:
    """Return the whole number that a text stands for; other values as they are."""
    return int(value) if isinstance(value, str) and value.isdecimal() else value


def _read_plan(params: ShortParams) -> tuple[Plan, int]:
    """Return the plan of the ensemble and the number of its tree; raises DataError."""
    kind, seed = params.get("kind"), _parse_whole(params.get("seed", 0))
    number = _read_number(params, _max_trees(kind))
    if kind not in ENSEMBLES:
        raise MEMBER_RECIPES.error(params, "kind", f"be one of {', '.join(ENSEMBLES)}")
    if type(seed) is not int:
        raise MEMBER_RECIPES.error(params, "seed", "be a whole number")
    rate = params.get("rate")
    try:
        rate = float(rate) if isinstance(rate, int | float | str) else None
        return Plan(str(kind), min(number + 1, MAX_TREES), rate=rate, seed=seed), number
    except ValueError as error:  # a DataError, too, names parameters of the plan, not of the recipe
        wrong = "seed" if "seed" in str(error) else "rate"
        raise MEMBER_RECIPES.error(params, wrong, "be one that a plan allows") from error


def _max_trees(kind: ParameterValue) -> int:
    """Return the largest number of trees of an ensemble of that kind, as far as links name them.

    A round of boosting may have several trees, one for each class: ten are allowed for.
    """
    has_rounds = kind not in ENSEMBLES or ENSEMBLES[str(kind)].rate is not None
    return 10 * MAX_TREES if has_rounds else MAX_TREES


def _complete_member(recipe: Recipe) -> Recipe:
    source, params = MEMBER_RECIPES.read(recipe)
    if params.get("kind") == FITTED:
        return fitted_member_recipe(source, _read_number(params, MAX_TREES))
    plan, number = _read_plan(params)
    return member_recipe(source, _read_rules(params.get("rules")), plan, number)


def _build_member(recipe: Recipe, files: UploadedTables) -> Dataset:
    source, params = MEMBER_RECIPES.read(recipe)
    if params.get("kind") == FITTED:
        return _fitted_member(source, params, files)
    (plan, number), rules = _read_plan(params), _read_rules(params.get("rules"))
    data = prepare_data(origin_of(source).build(source, files), rules)
    try:
        return data_of_member(data, rules, plan, number)
    except DataError as error:
        if error.parameter != "member":
            raise
        allowed = str(error).removeprefix("`member` must ")
        raise MEMBER_RECIPES.error(params, "number", allowed) from None


def _fitted_member(source: Recipe, params: ShortParams, files: UploadedTables) -> Dataset:
    """Return the rows of a tree of a fitted ensemble; raises DataError where it is not here."""
    ensemble = FITTED_ENSEMBLES.get(source)
    if ensemble is None:
        origin_of(source).build(source, files)  # raises FileNeededError where the table is missing
        raise DataError("only the program that opened the fitted ensemble has its trees", None)
    return ensemble.members.data_of(_read_number(params, len(ensemble.members)))


def _member_title(recipe: Recipe) -> str:
    source, params = MEMBER_RECIPES.read(recipe)
    if params.get("kind") == FITTED:
        # as scikit-learn counts them, and as the tiles of Forest do
        number = _read_number(params, MAX_TREES)
        return f"{source.get('tree_of')}: tree {number + 1}, member {number}"
    plan, number = _read_plan(params)
    return f"{origin_of(source).title(source)}: tree {number + 1}, {_kind_text(plan.kind)}"


def _kind_text(kind: str) -> str:
    """Return the title of a kind as inside a sentence; a proper name such as AdaBoost is kept."""
    title = ENSEMBLES[kind].title
    return title if title[1:] != title[1:].lower() else title.lower()


MEMBER = Origin(
    MEMBER_RECIPES.name,
    _complete_member,
    _build_member,
    _member_title,
    read=read_names,
    private=True,
)
ORIGINS[MEMBER_RECIPES.name] = MEMBER


SHAKE_NAMES = ("way", "percent", "seed", "shown")
SAMPLE_RECIPES = DerivedRecipes("sample", (*SHAKE_NAMES, "missing"))


def sample_session(session: Session, future: Future) -> Session:
    """Return the session that shows in Grow the tree selected on Stability.

    `future` gives the automatic moves on the rows of that tree.
    """
    recipe = sample_recipe(session.recipe, session.rules, session.shake)
    return Session(recipe, session.rules, log=future(session.rules, (), None, ALL_MOVES))


def can_open_sample(session: Session, data: Dataset) -> bool:
    """True if a tree is selected on Stability, and its rows can be opened as data."""
    return not SAMPLE_RECIPES.is_derived(session.recipe) and has_selected_tree(data, session.shake)


def sample_recipe(source: Recipe, rules: Rules, shake: StabilitySettings) -> Recipe:
    """Return the recipe of the rows on which the selected tree of Stability is grown."""
    default = StabilitySettings()
    params: dict[str, ParameterValue] = {
        name: value
        for name in SHAKE_NAMES
        if (value := getattr(shake, name)) != getattr(default, name)
    }
    missing = None if rules.missing == Rules().missing else rules.missing
    return SAMPLE_RECIPES.make(source, params | {"missing": missing})


def _read_sample(recipe: Recipe) -> tuple[Recipe, Rules, StabilitySettings]:
    """Return the recipe of the source, rules with the missing policy, and how rows are drawn.

    Raises DataError.
    """
    source, params = SAMPLE_RECIPES.read(recipe)
    missing = params.get("missing", Rules().missing)
    if not isinstance(missing, str) or missing not in POLICIES:
        raise SAMPLE_RECIPES.error(params, "missing", f"be one of {', '.join(POLICIES)}")
    return source, Rules(missing=missing), _read_shake(params)


def _read_shake(params: ShortParams) -> StabilitySettings:
    """Return the settings by which the rows were drawn; raises DataError."""
    shake = StabilitySettings()
    for name, text in params.items():
        if name not in SHAKE_NAMES:
            continue
        value: Any = read_value(text) if isinstance(text, str) else text
        try:
            shake = replace(shake, **{name: value})
        except (ValueError, TypeError) as error:
            raise SAMPLE_RECIPES.error(params, name, "be one that Stability allows") from error
    if shake.shown is None:
        raise SAMPLE_RECIPES.error(params, "shown", "say which of the trees, from 0 on")
    return shake


def _complete_sample(recipe: Recipe) -> Recipe:
    return sample_recipe(*_read_sample(recipe))


def _build_sample(recipe: Recipe, files: UploadedTables) -> Dataset:
    source, rules, shake = _read_sample(recipe)
    return rows_of_selected(prepare_data(origin_of(source).build(source, files), rules), shake)


def _sample_title(recipe: Recipe) -> str:
    source, _, shake = _read_sample(recipe)
    assert shake.shown is not None
    sampling, number = ROW_SAMPLINGS[shake.way], shake.shown + 1
    title = origin_of(source).title(source)
    if sampling.leaves_one_out:
        return f"{title} without row {number}"
    if sampling.has_percent:
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
