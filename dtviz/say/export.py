"""A tree as text, Python, SQL, JSON or DOT; the code, run, predicts what the model does.

Python and SQL carry thresholds to the last bit and send a row at the threshold left. Both are
flat, one line a leaf, so that no nesting limit is met by a deep tree. The SQL is standard, or that
of engines that quote in another way (`SQLS`); text is compared as the engine compares it (MySQL by
its column's collation). The columns hold double precision; of dates DATE or TIMESTAMP, in SQLite
their text, with an offset in UTC ('2024-03-01 08:30:00+00:00'); of durations their seconds.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any

from dtviz.engine.problem import Problem
from dtviz.engine.regression import Literal
from dtviz.engine.splits import (
    Known,
    Projection,
    Split,
    Subset,
    axis_of,
    condition,
    family_of,
    features_of,
    formula,
    quantity_of,
)
from dtviz.engine.tree import Tree, ancestors, depth, preorder
from dtviz.quantities import kind_of
from dtviz.say.dot import dot
from dtviz.say.languages import PYTHON, PYTHON_NEEDS, SQLS, Language, Sql
from dtviz.say.words import (
    WORDS,
    conditions_in,
    leaf_bounds,
    line_text,
    may_lack,
    node_rows,
    rule_text,
    value_text,
)
from dtviz.table.data import Dataset
from dtviz.table.levels import Rest
from dtviz.text import Dialect, clean, shown

KINDS = ("text", "python", *SQLS, "json", "dot")


def export(problem: Problem, tree: Tree, kind: str) -> str:
    """The tree as one of KINDS; raises ValueError for another kind."""
    data = problem.data
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(f"`kind` must be one of {', '.join(KINDS)}; not {shown(kind)}")
    if kind == "json":
        return as_json(problem, tree)
    if kind in SQLS:
        return sql(data, tree, SQLS[kind])
    return {"text": text, "python": python, "dot": dot}[kind](data, tree)


def text(data: Dataset, tree: Tree) -> str:
    """The tree as an indented outline, left branch first."""
    lines = []
    for node in sorted(tree.nodes, key=preorder):
        yes = "yes" if node % 2 == 0 else "no"
        how = f"{rule_text(data, tree, node // 2, WORDS)}: {yes}: " if node > 1 else ""
        lines.append("  " * depth(node) + how + _says(data, tree, node))
    return "\n".join(lines) + "\n"


def _says(data: Dataset, tree: Tree, node: int) -> str:
    """What the text says of a node: its rows, and for a leaf what it predicts."""
    known = tree.nodes[node]
    rows = node_rows(known)
    if node in tree.splits:
        return f"[{rows}]"
    value = value_text(data, tree.leaf_model, known, 6)
    pairs = zip(data.class_names, known.counts, strict=True) if known.counts else ()
    counts = ", ".join(f"{name} {k:,}" for name, k in pairs if k)
    return f"-> {value} [{rows}{': ' + counts if counts else ''}]"


def python(data: Dataset, tree: Tree) -> str:
    """A function `predict(row)`; `row` maps feature names to numbers, None where there is none.

    Dates may be Python's, pandas' or ISO text, durations Python's or pandas'.
    """
    target = clean(data.target).replace("\\", "/").replace('"', "'")
    says = partial(says_of, data, tree, PYTHON.dialect, lambda value: repr(label_of(data, value)))
    predict = function(data, tree, "predict", f"Predict {target} of one row", says)
    labels = [repr(label_of(data, code)) for code in range(len(data.classes))]
    if tree.leaf_model.proba is None:
        return predict

    def shares(leaf: int) -> str:
        told = _shares(data, tree, PYTHON.dialect, leaf)
        return f"{{{', '.join(map('{}: {}'.format, labels, told))}}}"

    about = f"The share of each class of {target} for one row"
    return f"{predict}\n\n{function(data, tree, 'predict_proba', about, shares)}"


def function(data: Dataset, tree: Tree, name: str, about: str, says: Callable[[int], str]) -> str:
    """A function of that name in Python; `says` gives what it returns for the rows of a leaf."""
    kinds = sorted({quantity_of(one.projection, data).kind for one in _asked(tree)})
    lines = [f"def {name}(row):", f'    """{about}, a mapping of numbers."""']
    if any("exp(" in says(leaf) for leaf in tree.rows):
        lines.append("    from math import exp")
    if not tree.splits and "row[" not in says(1):
        return "\n".join([*lines, f"    return {says(1)}", ""])
    lines.append(f"    row = dict.fromkeys({list(data.features)!r}) | dict(row)")
    lines.append("    nan = float('nan')")
    lines.append("    none = ('NoneType', 'NAType')")
    lines.append("    gap = lambda x: type(x).__name__ in none or x != x")
    lines.append("    row = {name: nan if gap(x) else x for name, x in row.items()}")
    lines += _truth(data)
    lines += [line for kind in kinds for line in PYTHON_NEEDS.get(kind, ())]
    if not tree.splits:
        return "\n".join([*lines, f"    return {says(1)}", ""])
    for leaf, text in _conditions(data, tree, PYTHON):
        lines += f"    if {text}:", f"        return {says(leaf)}"
    return "\n".join([*lines, "    raise ValueError('a feature has no value')", ""])


def _asked(tree: Tree) -> Iterator[Split]:
    """Every split of the tree, and those that stand in for it."""
    for split in tree.splits.values():
        yield split
        yield from (one.split for one in split.missing.surrogates or ())


def _truth(data: Dataset) -> list[str]:
    """Python that reads text like 'TRUE' as a truth value, if the tree knows any."""
    pairs = zip(data.features, data.levels, strict=True)
    names = [name for name, levels in pairs if levels and isinstance(levels[0], bool)]
    if not names:
        return []
    return [
        "    truth = {'true': True, 'false': False}",
        f"    row |= {{x: truth.get(str(row[x]).lower(), row[x]) for x in {names!r}}}",
    ]


def sql(data: Dataset, tree: Tree, form: Sql) -> str:
    """A CASE expression over quoted column names; NULL where a feature that sends a row is NULL.

    It has one type: classes that are not all text, all numbers or all true or false are text. Where
    leaves tell shares of classes, one expression a class follows, each AS its name.
    """
    classes, language = _of_one_type(data.classes), form.language

    def literal(value: float) -> str:
        return form.value(classes[int(value)] if classes else value)

    says = partial(says_of, data, tree, language.dialect, literal)
    asked_of = dict(_conditions(data, tree, language)) if tree.splits else {}
    parts = [_case(asked_of, says)]
    if tree.leaf_model.proba is not None:
        told = {leaf: _shares(data, tree, language.dialect, leaf) for leaf in tree.rows}
        for code, name in enumerate(data.class_names):
            of_class = {leaf: texts[code] for leaf, texts in told.items()}
            share = _case(asked_of, of_class.__getitem__)
            parts.append(f"{share} AS {language.dialect.name(f'share of {name}')}")
    return ",\n".join(parts) + "\n"


def _case(conditions: Mapping[int, str], says: Callable[[int], str]) -> str:
    """An expression in SQL from the condition of each leaf; `says` gives its value there."""
    if not conditions:
        return says(1)
    lines = [f"  WHEN {text} THEN {says(leaf)}" for leaf, text in conditions.items()]
    return "CASE\n" + "\n".join(lines) + "\nEND"


def as_json(problem: Problem, tree: Tree) -> str:
    """Everything: features, classes, criterion, and the nodes in preorder with their numbers.

    "costs" say what it costs to call a row of a class (line) another (column), where that is told.
    A row goes left where its number is at most "threshold", its date "before" that, its duration
    "most_seconds" long. "params" are those of a leaf that says more than one number: a class and
    the share of each; or a class or mean, where a line starts, and of each feature its place, its
    slope, the centre that it is told from and its mean in the leaf, which stands for a missing x:
    start + slope (x - centre) + ...
    """
    data = problem.data
    body = {
        "dtviz": 1,
        "task": data.task,
        "target": data.target,
        "features": list(data.features),
        "classes": [plain(value) for value in data.classes],
        "criterion": problem.rules.criterion,
        "leaf_model": tree.leaf_model.name,
        **({} if data.costs is None else {"costs": data.costs.tolist()}),
        "nodes": [json_node(data, tree, node) for node in sorted(tree.nodes, key=preorder)],
    }
    return json.dumps(body, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def says_of(data: Dataset, tree: Tree, dialect: Dialect, literal: Literal, leaf: int) -> str:
    """What a leaf predicts, in a language."""
    return tree.leaf_model.formula(tree.nodes[leaf].params, data.features, dialect, literal)


def _shares(data: Dataset, tree: Tree, dialect: Dialect, leaf: int) -> list[str]:
    """The share of each class in a leaf, in a language."""
    assert tree.leaf_model.proba is not None
    return tree.leaf_model.proba.told(tree.nodes[leaf].params, data.features, dialect)


def label_of(data: Dataset, value: float) -> Any:
    """A class of the data as a literal, or the number."""
    return plain(data.classes[int(value)]) if data.classes else value


def json_node(data: Dataset, tree: Tree, node: int) -> dict[str, Any]:
    """A node of a tree as the JSON has it."""
    known, split = tree.nodes[node], tree.splits.get(node)
    out: dict[str, Any] = {"id": node, "n": known.n, "impurity": known.impurity}
    if known.counts:
        out["counts"] = list(known.counts)
    if known.weighed:
        out["weight"] = known.weight
        if known.counts:
            out["class_weights"] = list(known.weighed.sums)
    out["value"] = label_of(data, known.value)
    if len(known.params) > 1:
        out["params"] = list(known.params)
    if split is not None:
        out |= _json_split(data, split)
        out["left"], out["right"] = 2 * node, 2 * node + 1
    return out


def _json_split(data: Dataset, split: Split) -> dict[str, Any]:
    """What is asked, and where rows without the value go: left, right, or by whose answer first."""
    out, missing = _json_asked(data, split), split.missing
    if not isinstance(split.projection, Known) and may_lack(data, split.projection):
        out["missing"] = "left" if missing.left else "right"
    if missing.surrogates is not None:
        out["missing"] = "left" if missing.left else "right"
        out["surrogates"] = [
            _json_asked(data, one.split)
            | {"reversed": one.turned, "agreement": one.agreement, "adjusted": one.adjusted}
            for one in missing.surrogates
        ]
    return out


def _json_asked(data: Dataset, split: Split) -> dict[str, Any]:
    """The feature that is cut, and where; else the family's letter and what its projection means.

    Of a category the values that go left are listed; all others go right. Where rare values that
    were put together go left, those that go right are listed.
    """
    projection = split.projection
    axis, quantity = axis_of(projection), quantity_of(projection, data)
    limit = kind_of(quantity).stored(split.threshold, quantity)
    if axis is not None:
        return {"feature": data.features[axis]} | limit
    if isinstance(projection, Known):
        side = "missing" if projection.missing_left else "known"
        names = [data.features[feature] for feature in projection.features]
        about = {"feature": names[0]} if len(names) == 1 else {"features": names}
        return about | {"left_if": side}
    if isinstance(projection, Subset):
        levels = data.levels[projection.feature]
        named = [levels[code] for code in projection.named]
        others = [level for level in levels if level not in named]
        rest = any(isinstance(level, Rest) for level in named)
        asked_of = {"right_values": others} if rest else {"left_values": named}
        return {"feature": data.features[projection.feature]} | asked_of
    family = family_of(projection)
    score = line_text(data, projection)
    about = {"family": family.code, "projection": family.write(projection), "score": score}
    return about | limit


def _conditions(data: Dataset, tree: Tree, language: Language) -> Iterator[tuple[int, str]]:
    """Each leaf from left to right with the condition of its rows in a language.

    The condition bounds each projection, or follows the path split by split where rows without a
    value go by surrogates. The texts of a split are written once, not once a leaf below it.
    """
    dialect = language.dialect

    @cache
    def sent(child: int) -> str:
        return _sent(data, tree.splits[child // 2], child % 2 == 0, language)

    surrogates = any(split.missing.surrogates is not None for split in tree.splits.values())
    merged = conditions_in(data, dialect, lambda node: _literal(data, tree.splits[node], dialect))
    for leaf, bounds in leaf_bounds(tree):
        path = map(sent, (*ancestors(leaf)[1:], leaf))
        yield leaf, dialect.both.join(path if surrogates else merged(bounds))


def _literal(data: Dataset, split: Split, dialect: Dialect) -> str:
    """The threshold of a split in a language."""
    quantity = quantity_of(split.projection, data)
    return kind_of(quantity).literal(split.threshold, quantity, dialect)


def _sent(data: Dataset, split: Split, left: bool, language: Language) -> str:
    """That a split sends a row to one side: by itself, by its first surrogate that can, or so."""
    dialect, surrogates = language.dialect, split.missing.surrogates
    if surrogates is None:
        return _side(data, split, left, dialect)
    known = [(split, left), *((one.split, left ^ one.turned) for one in surrogates)]
    cases = [
        (_known(data, one.projection, dialect), _side(data, one, side, dialect))
        for one, side in known
    ]
    return language.first(cases, split.missing.left == left)


def _known(data: Dataset, projection: Projection, dialect: Dialect) -> str:
    """That a row has a score."""
    names = [dialect.name(data.features[f]) for f in features_of(projection)]
    return dialect.lacks(names or [formula(projection, data, dialect)], False)


def _side(data: Dataset, split: Split, left: bool, dialect: Dialect) -> str:
    """What a split asks of the rows of one side that have the value."""
    limit = _literal(data, split, dialect)
    bounds = ("", limit) if left else (limit, "")
    return condition(split.projection, *bounds, data, dialect)


def plain(value: Any) -> Any:
    """A class label as a literal: text, finite number or truth value; anything else as its text."""
    literal = type(value) in (str, bool, int) or (type(value) is float and math.isfinite(value))
    return value if literal else str(value)


def _of_one_type(values: Sequence[Any]) -> list[Any]:
    """The values as literals of one type in SQL; their texts where they have no other in common."""
    labels = [plain(value) for value in values]
    types = {type(value) for value in labels}
    return labels if len(types) == 1 or types == {int, float} else [str(value) for value in values]
