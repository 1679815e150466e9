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
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import Any, NamedTuple

from dtviz.base.text import Dialect, clean, code, shown
from dtviz.data.categories import Level, Rest
from dtviz.data.dataset import Dataset
from dtviz.data.units import kind_of
from dtviz.engine.leaves.linear import Literal
from dtviz.engine.problem import Problem
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
from dtviz.explain.dot import dot
from dtviz.explain.words import (
    WORDS,
    conditions_in,
    leaf_bounds,
    line_text,
    may_lack,
    node_rows,
    rule_text,
    value_text,
)


def _doubled(text: str, mark: str) -> str:
    """The text between marks, those in it doubled."""
    return mark + text.replace(mark, 2 * mark).replace("\0", "") + mark


def _escaped(text: str, mark: str) -> str:
    """The text between marks, where a backslash says that the next character means itself."""
    for one in ("\\", mark):
        text = text.replace(one, "\\" + one)
    return mark + text.replace("\0", "").replace("\n", "\\n").replace("\r", "\\r") + mark


def _sql_number(double: str, value: float) -> str:
    """The number so that every engine reads the very same float; `double` is that type's name.

    Some read literals as decimals, some round more than once: what they might get wrong is written
    as a whole number times or over powers of two, which are exact everywhere.
    """
    if _read_alike(value):
        return repr(value)
    top, bottom = value.as_integer_ratio()
    twos = (top & -top).bit_length() - 1  # how often 2 divides it
    sign, powers = ("*", twos) if twos else ("/", bottom.bit_length() - 1)
    factors = [62] * (powers // 62) + [powers % 62] * (powers % 62 > 0)  # in 64 bits each
    product = "".join(f" {sign} {2**power}" for power in factors)
    return f"CAST({top >> twos} AS {double}){product} /* {value!r} */"


def _read_alike(value: float) -> bool:
    """Whether at most 15 digits, times or over a power of ten that is a float, make the number.

    One rounding is right then; a second one too, unless the digits lie half-way between two floats.
    """
    if (value and not 1e-7 <= abs(value) < 1e22) or float(f"{value:.15g}") != value:
        return False
    off = abs(Fraction(repr(value)) - Fraction(value)) / Fraction(math.ulp(value))
    return off < Fraction(499, 1000)


def _named(
    values: Sequence[Level], others: Sequence[Level], inside: bool
) -> tuple[list[Level], bool, bool]:
    """The values to name, whether to be among them, and whether a missing value is let through.

    The rest is what the others are not.
    """
    lacking = None in (values if inside else others)
    if any(isinstance(value, Rest) for value in values):
        values, inside = others, not inside
    return [value for value in values if value is not None], inside, lacking


def _python_among(
    score: str, values: Sequence[Level], others: Sequence[Level], inside: bool
) -> str:
    some, inside, lacking = _named(values, others, inside)
    if not some:
        return _python_lacks([score], lacking)
    value = f"str({score})" if isinstance(some[0], str) else score
    text = f"{score} is not nan and {value} {'in' if inside else 'not in'} {tuple(some)!r}"
    return f"({score} is nan or {text})" if lacking else text


def _python_lacks(names: Sequence[str], so: bool) -> str:
    return _lacks(names, "{} is nan", " or ") if so else _lacks(names, "{} is not nan", " and ")


def _lacks(names: Sequence[str], asked: str, joint: str) -> str:
    """What is asked of each name, in brackets where there are some."""
    text = joint.join(map(asked.format, names))
    return f"({text})" if len(names) > 1 else text


def _python_first(cases: Sequence[tuple[str, str]], otherwise: bool) -> str:
    chain = "".join(f"({then}) if {known} else " for known, then in cases)
    return f"({chain}{otherwise})"


def _python_since(score: str, low: str, high: str) -> str:
    after, before = f"{low!r} <= " if low else "", f" < {high!r}" if high else ""
    return f"{score} is not nan and {after}when({score}){before}"


PYTHON_NEEDS = {
    "date": (
        "    from datetime import datetime, timezone",
        "    def when(x):",
        "        x = datetime.fromisoformat(str(x))",
        "        return str(x.astimezone(timezone.utc) if x.tzinfo else x)",
    ),
    "duration": (
        "    from datetime import timedelta",
        "    seconds = lambda x: x if x is nan else x / timedelta(seconds=1)",
    ),
}
"""What a function says before it asks of a kind of quantity."""


def _sql_lacks(names: Sequence[str], so: bool) -> str:
    return _lacks(names, "{} IS NULL", " OR ") if so else _lacks(names, "{} IS NOT NULL", " AND ")


def _sql_first(cases: Sequence[tuple[str, str]], otherwise: bool) -> str:
    whens = " ".join(f"WHEN {known} THEN {then}" for known, then in cases)
    return f"CASE {whens} ELSE 1 = {int(otherwise)} END"


def _sql_chance(score: str) -> str:
    """Some engines refuse the exponential of large numbers."""
    inside = f"1.0 / (1.0 + EXP(-({score})))"
    return f"CASE WHEN {score} > 700 THEN 1.0 WHEN {score} < -700 THEN 0.0 ELSE {inside} END"


class Language(NamedTuple):
    """A language that runs: its dialect, and how the first of some cases that holds decides.

    `first` takes pairs of what must hold and what is asked then, and the answer of none.
    """

    dialect: Dialect
    first: Callable[[Sequence[tuple[str, str]], bool], str]


PYTHON = Language(
    code(
        lambda name: f"row[{name!r}]",
        repr,
        _python_among,
        " and ",
        _python_since,
        "seconds({})".format,
        _python_lacks,
        "{} * {}".format,
        "({1!r} if {0} is nan else {0})".format,
        "({1} if {0} > 0 else {2})".format,
        "1 / (1 + exp(-max(-700.0, min(700.0, {}))))".format,
    ),
    _python_first,
)


@dataclass(frozen=True, slots=True)
class Sql:
    """SQL as some engines read it: who they are, by which mark and how a name is quoted, how a text
    is, and what a number of double precision is called.
    """

    title: str
    mark: str = '"'
    quote_name: Callable[[str, str], str] = _doubled
    quote_text: Callable[[str, str], str] = _doubled
    double: str = "DOUBLE PRECISION"

    def value(self, value: Any) -> str:
        """A value as a literal that every engine reads alike."""
        if isinstance(value, bool):
            return "TRUE" if value else "FALSE"
        if isinstance(value, float):
            return _sql_number(self.double, value)
        return str(value) if isinstance(value, int) else self.quote_text(value, "'")

    @property
    def language(self) -> Language:
        """How it is written."""

        def name(text: str) -> str:
            return self.quote_name(text, self.mark)

        dialect = code(
            name,
            partial(_sql_number, self.double),
            self._among,
            " AND ",
            self._since,
            "{} /* seconds */".format,
            _sql_lacks,
            f"CAST({{}} AS {self.double}) * {{}}".format,
            self._impute,
            "CASE WHEN {} > 0 THEN {} ELSE {} END".format,
            _sql_chance,
        )
        return Language(dialect, _sql_first)

    def _among(
        self, score: str, values: Sequence[Level], others: Sequence[Level], inside: bool
    ) -> str:
        some, inside, lacking = _named(values, others, inside)
        if not some:
            return _sql_lacks([score], lacking)
        text = f"{score} {'IN' if inside else 'NOT IN'} ({', '.join(map(self.value, some))})"
        return f"({score} IS NULL OR {text})" if lacking else text

    def _impute(self, name: str, mean: float) -> str:
        return f"COALESCE({name}, CAST({_sql_number(self.double, mean)} AS {self.double}))"

    def _since(self, score: str, low: str, high: str) -> str:
        after = f"{score} >= {self.value(low)}" if low else ""
        before = f"{score} < {self.value(high)}" if high else ""
        return " AND ".join(filter(None, (after, before)))


SQLS = {
    "sql": Sql("DuckDB, PostgreSQL, SQLite"),
    "mysql": Sql("MySQL, MariaDB", "`", quote_text=_escaped, double="DOUBLE"),
    "bigquery": Sql("BigQuery", "`", _escaped, _escaped, "FLOAT64"),
    "snowflake": Sql("Snowflake", quote_text=_escaped),
    "spark": Sql("Spark, Databricks", "`", quote_text=_escaped, double="DOUBLE"),
}
"""The standard first; each other one quotes in a way of its own."""


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
