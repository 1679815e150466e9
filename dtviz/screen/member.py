"""A tree of an ensemble as data of its own: the rows it grew on, with their weights and targets.

Its recipe has the parameters of the data it is of, and says which tree of which ensemble it is:
equal links, equal trees. ORIGINS knows it by the name "member".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from dtviz.engine.ensembles import ENSEMBLES, Plan, stands
from dtviz.engine.ensembles.ensemble import MOST_TREES
from dtviz.engine.rules import Rules, RulesError, prepared
from dtviz.screen.derived import Derived
from dtviz.table.data import DataError, Dataset, Recipe, Value
from dtviz.table.origins import ORIGINS, Origin, origin_of
from dtviz.table.uploads import Files
from dtviz.table.values import read_names, read_value, write_value
from dtviz.text import quoted

TREE = Derived("member", ("kind", "number", "seed", "rules", "rate"))
OWN = TREE.begins


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
        raise DataError(f'`{OWN}rules` must be a list, as ["max_depth=3"]', f"{OWN}rules")
    known, values = {field.name: getattr(Rules(), field.name) for field in fields(Rules)}, {}
    for text in texts or ():
        name, _, value = text.partition("=")
        if name not in known:
            raise DataError(f"`{OWN}rules` knows no rule {quoted(name)}", f"{OWN}rules")
        values[name] = _value(known[name], value)
    try:
        return Rules(**values)
    except RulesError as error:
        raise DataError(f"`{OWN}rules`: {error}", f"{OWN}rules") from error


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
