"""Export of trees and ensembles as text, Python, SQL, JSON or DOT; the code predicts as the model.

Python and SQL have exact thresholds and send a row at the threshold left. Both are flat, one line a
leaf, so that a deep tree meets no limit of nesting. The SQL is standard, or that of engines that
quote in another way (`SQLS`). An engine compares text in its own way, MySQL by the collation of the
column. Columns of numbers are in double precision, those of durations have seconds. Columns of
dates are DATE or TIMESTAMP; in SQLite they are text, with an offset in UTC
('2024-03-01 08:30:00+00:00').

In the Python of an ensemble each tree is a function, which returns a class code or a number. The
predictions are added in the order of the trees, as dtviz adds them, so that the same votes tie.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from typing import Any, NamedTuple

from dtviz.base.arrays import ROUNDING
from dtviz.base.text import Dialect, clean, code_dialect, short_repr
from dtviz.data.categories import CategoryValue, OtherCategory
from dtviz.data.dataset import Dataset
from dtviz.data.units import kind_of
from dtviz.data.weights import relative_costs
from dtviz.engine import splits
from dtviz.engine.ensembles import Ensemble
from dtviz.engine.leaves.linear import WriteLiteral
from dtviz.engine.problem import Problem
from dtviz.engine.tree import Tree, ancestors, leaf_ids, preorder_key, shares_before_costs
from dtviz.explain import words
from dtviz.explain.dot import dot


def _quote_doubled(text: str, mark: str) -> str:
    """Quote a text with marks; a mark inside it is doubled."""
    return mark + text.replace(mark, 2 * mark).replace("\0", "") + mark


def _quote_escaped(text: str, mark: str) -> str:
    """Quote a text with marks; marks and backslashes inside it are escaped by a backslash."""
    for character in ("\\", mark):
        text = text.replace(character, "\\" + character)
    return mark + text.replace("\0", "").replace("\n", "\\n").replace("\r", "\\r") + mark


def _sql_number(double: str, value: float) -> str:
    """A float as a literal that every engine reads exactly; `double` is the name of its type.

    Some engines read literals as decimals, some round more than once. A number that they might get
    wrong is written as a whole number times or over powers of two, which are exact everywhere.
    """
    if _is_exact_decimal(value):
        return repr(value)
    numerator, denominator = value.as_integer_ratio()
    twos = (numerator & -numerator).bit_length() - 1  # how often 2 divides the numerator
    sign, exponent = ("*", twos) if twos else ("/", denominator.bit_length() - 1)
    # Each factor fits a signed integer of 64 bits.
    exponents = [62] * (exponent // 62) + [exponent % 62] * (exponent % 62 > 0)
    product = "".join(f" {sign} {2**power}" for power in exponents)
    return f"CAST({numerator >> twos} AS {double}){product} /* {value!r} */"


def _is_exact_decimal(value: float) -> bool:
    """True if the number has a text of at most 15 digits that every engine reads exactly.

    Engines that round once read any number exactly that is such digits times or over a power of ten
    that is a float. Those that round twice do so too, unless the text lies almost half-way between
    two floats.
    """
    if (value and not 1e-7 <= abs(value) < 1e22) or float(f"{value:.15g}") != value:
        return False
    distance = abs(Fraction(repr(value)) - Fraction(value)) / Fraction(math.ulp(value))
    return distance < Fraction(499, 1000)


def _named_values(
    values: Sequence[CategoryValue], others: Sequence[CategoryValue], inside: bool
) -> tuple[list[CategoryValue], bool, bool]:
    """Parts of a condition on a category: values to name, True for "in", True for "or missing".

    `values` are those of the condition, `others` all other values of the category. The others are
    named where `values` has the Rest of rare values, which no single value of a row is equal to.
    """
    with_missing = None in (values if inside else others)
    if any(isinstance(value, OtherCategory) for value in values):
        values, inside = others, not inside
    return [value for value in values if value is not None], inside, with_missing


def _python_in_categories(
    score: str, values: Sequence[CategoryValue], others: Sequence[CategoryValue], inside: bool
) -> str:
    named, inside, with_missing = _named_values(values, others, inside)
    if not named:
        return _python_is_missing([score], with_missing)
    value = f"str({score})" if isinstance(named[0], str) else score
    text = f"{score} is not nan and {value} {'in' if inside else 'not in'} {tuple(named)!r}"
    return f"({score} is nan or {text})" if with_missing else text


def _python_is_missing(names: Sequence[str], missing: bool) -> str:
    test, joiner = ("{} is nan", " or ") if missing else ("{} is not nan", " and ")
    return _missing_test(names, test, joiner)


def _missing_test(names: Sequence[str], test: str, joiner: str) -> str:
    """The test of each name, such as '{} IS NULL', joined; in brackets where there are several."""
    text = joiner.join(map(test.format, names))
    return f"({text})" if len(names) > 1 else text


def _python_first_case(cases: Sequence[tuple[str, str]], otherwise: bool) -> str:
    chain = "".join(f"({then}) if {test} else " for test, then in cases)
    return f"({chain}{otherwise})"


def _python_in_dates(score: str, low: str, high: str) -> str:
    after, before = f"{low!r} <= " if low else "", f" < {high!r}" if high else ""
    return f"{score} is not nan and {after}when({score}){before}"


PYTHON_HELPERS = {
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
"""Lines in an exported function that define a reader of values, by the kind of quantity."""


def _sql_is_missing(names: Sequence[str], missing: bool) -> str:
    test, joiner = ("{} IS NULL", " OR ") if missing else ("{} IS NOT NULL", " AND ")
    return _missing_test(names, test, joiner)


def _sql_first_case(cases: Sequence[tuple[str, str]], otherwise: bool) -> str:
    whens = " ".join(f"WHEN {test} THEN {then}" for test, then in cases)
    return f"CASE {whens} ELSE 1 = {int(otherwise)} END"


def _sql_logistic(score: str) -> str:
    """The share whose log odds are a score."""
    share = f"1.0 / (1.0 + EXP(-({score})))"
    # Some engines refuse the exponential of large numbers.
    return f"CASE WHEN {score} > 700 THEN 1.0 WHEN {score} < -700 THEN 0.0 ELSE {share} END"


class Language(NamedTuple):
    """A programming language in which a tree can be exported."""

    dialect: Dialect  # writer of names, numbers and conditions
    first_case: Callable[[Sequence[tuple[str, str]], bool], str]
    """Of pairs (case, condition) and a truth value: the condition of the first case that is true,
    or the truth value where no case is true."""


PYTHON = Language(
    code_dialect(
        lambda name: f"row[{name!r}]",
        repr,
        _python_in_categories,
        " and ",
        _python_in_dates,
        "seconds({})".format,
        _python_is_missing,
        "{} * {}".format,
        "({1!r} if {0} is nan else {0})".format,
        "({1} if {0} > 0 else {2})".format,
        "1 / (1 + exp(-max(-700.0, min(700.0, {}))))".format,
    ),
    _python_first_case,
)


@dataclass(frozen=True, slots=True)
class Sql:
    """The SQL that a group of engines reads."""

    title: str  # names of the engines
    name_mark: str = '"'  # mark around a name
    quote_name: Callable[[str, str], str] = _quote_doubled  # of a name and the mark
    quote_text: Callable[[str, str], str] = _quote_doubled  # of a text and the mark '
    double: str = "DOUBLE PRECISION"  # name of the type of floats

    def literal(self, value: Any) -> str:
        """A value as a literal that each of the engines reads exactly."""
        if isinstance(value, bool):
            return "TRUE" if value else "FALSE"
        if isinstance(value, float):
            return _sql_number(self.double, value)
        return str(value) if isinstance(value, int) else self.quote_text(value, "'")

    @property
    def language(self) -> Language:
        """The language that writes conditions in this SQL."""

        def name(text: str) -> str:
            return self.quote_name(text, self.name_mark)

        dialect = code_dialect(
            name,
            partial(_sql_number, self.double),
            self._in_categories,
            " AND ",
            self._in_dates,
            "{} /* seconds */".format,
            _sql_is_missing,
            f"CAST({{}} AS {self.double}) * {{}}".format,
            self._impute,
            "CASE WHEN {} > 0 THEN {} ELSE {} END".format,
            _sql_logistic,
        )
        return Language(dialect, _sql_first_case)

    def _in_categories(
        self,
        score: str,
        values: Sequence[CategoryValue],
        others: Sequence[CategoryValue],
        inside: bool,
    ) -> str:
        named, inside, with_missing = _named_values(values, others, inside)
        if not named:
            return _sql_is_missing([score], with_missing)
        text = f"{score} {'IN' if inside else 'NOT IN'} ({', '.join(map(self.literal, named))})"
        return f"({score} IS NULL OR {text})" if with_missing else text

    def _impute(self, name: str, mean: float) -> str:
        return f"COALESCE({name}, CAST({_sql_number(self.double, mean)} AS {self.double}))"

    def _in_dates(self, score: str, low: str, high: str) -> str:
        after = f"{score} >= {self.literal(low)}" if low else ""
        before = f"{score} < {self.literal(high)}" if high else ""
        return " AND ".join(filter(None, (after, before)))


SQLS = {
    "sql": Sql("DuckDB, PostgreSQL, SQLite"),
    "mysql": Sql("MySQL, MariaDB", "`", quote_text=_quote_escaped, double="DOUBLE"),
    "bigquery": Sql("BigQuery", "`", _quote_escaped, _quote_escaped, "FLOAT64"),
    "snowflake": Sql("Snowflake", quote_text=_quote_escaped),
    "spark": Sql("Spark, Databricks", "`", quote_text=_quote_escaped, double="DOUBLE"),
}
"""Kinds of SQL by the name of the export; the first is standard SQL."""


MAX_SHARES_WRITTEN = 10
"""Classes whose shares Python writes in each leaf; of more classes it writes the shares above 0."""
TREE_KINDS = ("text", "python", *SQLS, "json", "dot")
"""Kinds of exports of a tree."""


def export(problem: Problem, tree: Tree, kind: str) -> str:
    """The tree as one of TREE_KINDS; raises ValueError for another kind."""
    data = problem.data
    if not isinstance(kind, str) or kind not in TREE_KINDS:
        raise ValueError(f"`kind` must be one of {', '.join(TREE_KINDS)}; not {short_repr(kind)}")
    if kind == "json":
        return as_json(problem, tree)
    if kind in SQLS:
        return sql(data, tree, SQLS[kind])
    return {"text": text, "python": python, "dot": dot}[kind](data, tree)


def text(data: Dataset, tree: Tree) -> str:
    """The tree as an indented outline, left child first; a multi-way cut has all its branches."""
    lines = []
    for node in tree.shown_nodes:
        question = f"{words.question_text(data, tree, node, words.WORDS)}: " if node > 1 else ""
        indent = "  " * tree.cut_depths[node]
        lines.append(indent + question + _node_text(data, tree, node))
    return "\n".join(lines) + "\n"


def _node_text(data: Dataset, tree: Tree, node: int) -> str:
    """The text of a node: its rows, and of a leaf its prediction and class counts."""
    facts = tree.nodes[node]
    if node in tree.splits:
        return f"[{words.node_rows(facts)}]"
    weight = facts.weight if facts.weight_sums else None
    rows = words.rows_text(facts.n, weight, words.predicted_share(data, tree.leaf_model, facts))
    value = words.prediction_text(data, tree.leaf_model, facts, 6)
    pairs = zip(data.class_names, facts.counts, strict=True) if facts.counts else ()
    counts = ", ".join(f"{name} {k:,}" for name, k in pairs if k)
    if tree.leaf_model.proba is None and data.classes and isinstance(data.classes[0], str):
        value = f'"{value}"'  # a class may be named yes or no
    return f"predict {value} [{rows}{': ' + counts if counts else ''}]"


def python(data: Dataset, tree: Tree) -> str:
    """Python code of `predict(row)`, and of `predict_proba(row)` for classes.

    `row` maps feature names to numbers, None where there is none. Dates may be Python's, pandas' or
    ISO text, durations Python's or pandas'.
    """
    target = clean(data.target).replace("\\", "/").replace('"', "'")

    def literal(value: float) -> str:
        return repr(class_label(data, value))

    prediction = partial(prediction_code, data, tree, PYTHON.dialect, literal)
    predict = function_code(data, tree, "predict", f"Predict {target} of one row", prediction)
    labels = [literal(code) for code in range(len(data.classes))]
    if not labels:
        return predict
    is_sparse = tree.leaf_model.proba is None and len(labels) > MAX_SHARES_WRITTEN

    def shares(leaf: int) -> str:
        texts = _class_shares(data, tree, PYTHON.dialect, leaf)
        pairs = [
            pair for pair in zip(labels, texts, strict=True) if not is_sparse or pair[1] != "0"
        ]
        known = f"{{{', '.join(map('{0[0]}: {0[1]}'.format, pairs))}}}"
        return f"dict.fromkeys(_CLASSES, 0) | {known}" if is_sparse else known

    purpose = f"The share of each class of {target} for one row"
    predict_proba = function_code(data, tree, "predict_proba", purpose, shares)
    names = f"_CLASSES = [{', '.join(labels)}]\n\n\n" if is_sparse else ""
    return f"{predict}\n\n{names}{predict_proba}"


def function_code(
    data: Dataset, tree: Tree, name: str, purpose: str, write_result: Callable[[int], str]
) -> str:
    """Python code of a function of one row; `write_result` writes its result in a leaf."""
    kinds = sorted({splits.quantity_of(split.projection, data).kind for split in _all_splits(tree)})
    lines = [f"def {name}(row):", f'    """{purpose}, a mapping of numbers."""']
    if any("exp(" in write_result(leaf) for leaf in tree.rows):
        lines.append("    from math import exp")
    if not tree.splits and "row[" not in write_result(1):
        return "\n".join([*lines, f"    return {write_result(1)}", ""])
    lines.append(f"    row = dict.fromkeys({list(data.features)!r}) | dict(row)")
    lines.append("    nan = float('nan')")
    lines.append("    none = ('NoneType', 'NAType')")
    lines.append("    gap = lambda x: type(x).__name__ in none or x != x")
    lines.append("    row = {name: nan if gap(x) else x for name, x in row.items()}")
    lines += _boolean_lines(data)
    lines += [line for kind in kinds for line in PYTHON_HELPERS.get(kind, ())]
    if not tree.splits:
        return "\n".join([*lines, f"    return {write_result(1)}", ""])
    for leaf, text in _leaf_conditions(data, tree, PYTHON):
        lines += f"    if {text}:", f"        return {write_result(leaf)}"
    return "\n".join([*lines, "    raise ValueError('a feature has no value')", ""])


def _all_splits(tree: Tree) -> Iterator[splits.Split]:
    """Every split of the tree, followed by the splits of its surrogates."""
    for split in tree.splits.values():
        yield split
        yield from (surrogate.split for surrogate in split.missing.surrogates or ())


def _boolean_lines(data: Dataset) -> list[str]:
    """Python lines that read text like 'TRUE' as a truth value, if a feature has truth values."""
    pairs = zip(data.features, data.levels, strict=True)
    names = [name for name, levels in pairs if levels and isinstance(levels[0], bool)]
    if not names:
        return []
    return [
        "    truth = {'true': True, 'false': False}",
        f"    row |= {{x: truth.get(str(row[x]).lower(), row[x]) for x in {names!r}}}",
    ]


def sql(data: Dataset, tree: Tree, kind: Sql) -> str:
    """A CASE expression over quoted column names; NULL for a row whose path asks for a NULL.

    The expression has one type: classes that are not all text, all numbers or all truth values are
    text; a comment has the rows of the leaf with the class's share of them. Where leaves have class
    shares, one expression a class follows, AS 'share of <class>'.
    """
    classes, language = labels_of_one_type(data.classes), kind.language

    def literal(value: float) -> str:
        return kind.literal(classes[int(value)] if classes else value)

    def prediction(leaf: int) -> str:
        code = prediction_code(data, tree, language.dialect, literal, leaf)
        share = words.predicted_share(data, tree.leaf_model, tree.nodes[leaf])
        if share is None:
            return code
        return f"{code} /* {words.rows_text(tree.nodes[leaf].n, None, share)} */"

    conditions = dict(_leaf_conditions(data, tree, language)) if tree.splits else {}
    parts = [_case_expression(conditions, prediction)]
    if tree.leaf_model.proba is not None:
        leaf_shares = {
            leaf: _class_shares(data, tree, language.dialect, leaf) for leaf in tree.rows
        }
        for code, name in enumerate(data.class_names):
            class_shares = {leaf: texts[code] for leaf, texts in leaf_shares.items()}
            share = _case_expression(conditions, class_shares.__getitem__)
            parts.append(f"{share} AS {language.dialect.name(f'share of {name}')}")
    return ",\n".join(parts) + "\n"


def leaf_position_sql(data: Dataset, tree: Tree, kind: Sql, names: Sequence[str]) -> str:
    """A CASE expression for the position of each row's leaf, counted from the left from 0.

    `names` are the names of the columns that hold the features.
    """
    named, language = replace(data, features=tuple(names), source=None), kind.language
    conditions = dict(_leaf_conditions(named, tree, language)) if tree.splits else {}
    positions = {leaf: str(position) for position, leaf in enumerate(leaf_ids(tree))}
    return _case_expression(conditions, positions.__getitem__)


def _case_expression(conditions: Mapping[int, str], value: Callable[[int], str]) -> str:
    """A CASE expression from the condition of each leaf; `value` writes the value of a leaf."""
    if not conditions:
        return value(1)
    lines = [f"  WHEN {text} THEN {value(leaf)}" for leaf, text in conditions.items()]
    return "CASE\n" + "\n".join(lines) + "\nEND"


def as_json(problem: Problem, tree: Tree) -> str:
    """The tree as JSON: features, classes, criterion, and the nodes in preorder with their facts.

    "costs" has a line for each true class, with the costs of predicting each class for it. A row
    goes left where its number is at most "threshold", its date before "before", its duration at
    most "most_seconds" long. "params" are the parameters of a leaf that predicts more than one
    number: a class, then the share of each class. Those of a linear leaf are a class or mean, the
    intercept, and for each feature its index, slope, centre, and mean in the leaf, which replaces a
    missing x: intercept + slope (x - centre) + ...
    """
    data = problem.data
    body = {
        "dtviz": 1,
        "task": data.task,
        "target": data.target,
        "features": list(data.features),
        "classes": [plain_label(value) for value in data.classes],
        "criterion": problem.rules.criterion,
        "leaf_model": tree.leaf_model.name,
        **({} if data.costs is None else {"costs": data.costs.tolist()}),
        "nodes": _json_nodes(data, tree),
    }
    return json.dumps(body, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def prediction_code(
    data: Dataset, tree: Tree, dialect: Dialect, literal: WriteLiteral, leaf: int
) -> str:
    """The prediction of a leaf in a language."""
    return tree.leaf_model.formula(tree.nodes[leaf].params, data.features, dialect, literal)


def _class_shares(data: Dataset, tree: Tree, dialect: Dialect, leaf: int) -> list[str]:
    """The share of each class in a leaf, in a language."""
    if tree.leaf_model.proba is None:
        return [repr(share or 0) for share in shares_before_costs(data, tree.nodes[leaf])]
    return tree.leaf_model.proba.formulas(tree.nodes[leaf].params, data.features, dialect)


def class_label(data: Dataset, value: float) -> Any:
    """The `plain_label` of a class by its code; of regression the number itself."""
    return plain_label(data.classes[int(value)]) if data.classes else value


def _json_nodes(data: Dataset, tree: Tree) -> list[dict[str, Any]]:
    """The JSON values of the nodes in preorder."""
    return [_json_node(data, tree, node) for node in sorted(tree.nodes, key=preorder_key)]


def _json_node(data: Dataset, tree: Tree, node: int) -> dict[str, Any]:
    facts, split = tree.nodes[node], tree.splits.get(node)
    body: dict[str, Any] = {"id": node, "n": facts.n, "impurity": facts.impurity}
    if facts.counts:
        body["counts"] = list(facts.counts)
    if facts.weight_sums:
        body["weight"] = facts.weight
        if facts.counts:
            body["class_weights"] = list(facts.weight_sums.by_class)
    body["value"] = class_label(data, facts.value)
    if len(facts.params) > 1:
        body["params"] = list(facts.params)
    if split is not None:
        body |= _json_split(data, split)
        body["left"], body["right"] = 2 * node, 2 * node + 1
        if isinstance(split.projection, splits.CutPart) and not splits.is_later_part(split):
            children = splits.branch_nodes(tree.splits, node)
            levels = data.levels[split.projection.feature]
            pairs = zip(split.projection.codes, children, strict=True)
            body["branches"] = [{"value": levels[code], "node": child} for code, child in pairs]
    return body


def _json_split(data: Dataset, split: splits.Split) -> dict[str, Any]:
    """The JSON value of a split: its condition, and the side and surrogates of missing values."""
    body, missing = _json_condition(data, split), split.missing
    if not isinstance(split.projection, splits.IsMissing) and words.can_be_missing(
        data, split.projection
    ):
        body["missing"] = "left" if missing.left else "right"
    if missing.surrogates is not None:
        body["missing"] = "left" if missing.left else "right"
        body["surrogates"] = [
            _json_condition(data, surrogate.split)
            | {
                "reversed": surrogate.is_reversed,
                "agreement": surrogate.agreement,
                "adjusted": surrogate.adjusted_agreement,
            }
            for surrogate in missing.surrogates
        ]
    return body


def _json_condition(data: Dataset, split: splits.Split) -> dict[str, Any]:
    """The JSON value of a condition: feature and threshold; else family, projection and threshold.

    Of a category the values that go left are listed; all others go right. Where the Rest of rare
    values goes left, the values that go right are listed.
    """
    projection = split.projection
    axis, quantity = splits.axis_of(projection), splits.quantity_of(projection, data)
    limit = kind_of(quantity).json_fields(split.threshold, quantity)
    if axis is not None:
        return {"feature": data.features[axis]} | limit
    if isinstance(projection, splits.IsMissing):
        side = "missing" if projection.missing_left else "known"
        names = [data.features[feature] for feature in projection.features]
        body = {"feature": names[0]} if len(names) == 1 else {"features": names}
        return body | {"left_if": side}
    if isinstance(projection, splits.Subset | splits.CutPart):
        levels = data.levels[projection.feature]
        named = [levels[code] for code in projection.left_codes]
        others = [level for level in levels if level not in named]
        has_rest = any(isinstance(level, OtherCategory) for level in named)
        if isinstance(projection, splits.CutPart) and projection.sends_default_left:
            # values without a branch go left too; values that were never seen are the Rest
            others = [levels[code] for code in projection.other_codes]
            named = [level for level in levels if level not in others]
            has_rest = not any(isinstance(level, OtherCategory) for level in others)
        sides = {"right_values": others} if has_rest else {"left_values": named}
        return {"feature": data.features[projection.feature]} | sides
    family = splits.family_of(projection)
    score = words.projection_text(data, projection)
    body = {"family": family.code, "projection": family.write(projection), "score": score}
    return body | limit


def _leaf_conditions(data: Dataset, tree: Tree, language: Language) -> Iterator[tuple[int, str]]:
    """Each leaf from left to right with the condition of its rows in a language.

    The condition has one interval for each projection. Where the tree has surrogates it has a
    condition for each split of the path instead.
    """
    dialect = language.dialect

    @cache  # since all leaves below a split share its condition
    def edge_condition(child: int) -> str:
        return _path_condition(data, tree.splits[child // 2], child % 2 == 0, language)

    has_surrogates = any(split.missing.surrogates is not None for split in tree.splits.values())
    merged = words.conditions_in(
        data, dialect, lambda node: _threshold_literal(data, tree.splits[node], dialect)
    )
    for leaf, intervals in words.leaf_intervals(tree):
        path = map(edge_condition, (*ancestors(leaf)[1:], leaf))
        yield leaf, dialect.conjunction.join(path if has_surrogates else merged(intervals))


def _threshold_literal(data: Dataset, split: splits.Split, dialect: Dialect) -> str:
    """The threshold of a split in a language."""
    quantity = splits.quantity_of(split.projection, data)
    return kind_of(quantity).literal(split.threshold, quantity, dialect)


def _path_condition(data: Dataset, split: splits.Split, left: bool, language: Language) -> str:
    """The condition of the rows that a split sends to one side.

    A row without a score goes where the first surrogate for which it has a score sends it. A row
    without any score goes to the split's side of missing values.
    """
    dialect, surrogates = language.dialect, split.missing.surrogates
    if surrogates is None:
        bounds, with_missing = _bounds(data, split, left, dialect), split.missing.left == left
        return words.condition_text(data, split.projection, *bounds, with_missing, dialect)
    stand_ins = ((surrogate.split, left ^ surrogate.is_reversed) for surrogate in surrogates)
    cases = [
        (_has_score(data, cut.projection, dialect), _side_condition(data, cut, side, dialect))
        for cut, side in ((split, left), *stand_ins)
    ]
    return language.first_case(cases, split.missing.left == left)


def _has_score(data: Dataset, projection: splits.Projection, dialect: Dialect) -> str:
    """The condition that a row has a score."""
    names = [dialect.name(data.features[feature]) for feature in splits.features_of(projection)]
    return dialect.is_missing(names or [splits.formula(projection, data, dialect)], False)


def _side_condition(data: Dataset, split: splits.Split, left: bool, dialect: Dialect) -> str:
    """The condition of a split for the rows of one side that have a score."""
    return splits.condition(split.projection, *_bounds(data, split, left, dialect), data, dialect)


def _bounds(data: Dataset, split: splits.Split, left: bool, dialect: Dialect) -> tuple[str, str]:
    """The literals between which the scores of one side are, '' for none."""
    limit = _threshold_literal(data, split, dialect)
    return ("", limit) if left else (limit, "")


def plain_label(value: Any) -> Any:
    """A class label that is text, a finite number or a truth value; of any other label its text."""
    is_plain = type(value) in (str, bool, int) or (type(value) is float and math.isfinite(value))
    return value if is_plain else str(value)


def labels_of_one_type(values: Sequence[Any]) -> list[Any]:
    """The class labels as literals of one type in SQL: their texts where the types differ."""
    labels = [plain_label(value) for value in values]
    types = {type(value) for value in labels}
    return labels if len(types) == 1 or types == {int, float} else [str(value) for value in values]


ENSEMBLE_KINDS = ("python", "json")
"""Kinds of exports of an ensemble."""


class _PythonCombiner(NamedTuple):
    """Python lines of a combiner, the rule that makes one prediction of those of all trees."""

    add: tuple[str, ...]  # lines that add the prediction `said` of one tree to the scores
    result: tuple[str, ...]  # lines that return a number or the class shares, from the scores


_SUM = ("scores[column] += amount * said",)
_PYTHON_COMBINERS = {
    "vote": _PythonCombiner(
        ("scores[said] += amount",),
        ("whole = sum(scores)", "return [score / whole for score in scores]"),
    ),
    "mean": _PythonCombiner(
        ("scores[0] += amount * said", "scores[1] += amount"), ("return scores[0] / scores[1]",)
    ),
    "sum": _PythonCombiner(_SUM, ("return scores[0]",)),
    "logits": _PythonCombiner(
        _SUM,
        (
            "from math import exp",
            "scores = [0.0, *scores] if len(scores) == 1 else scores",
            "most = max(scores)",
            "powers = [exp(score - most) for score in scores]",
            "whole = sum(powers)",
            "return [power / whole for power in powers]",
        ),
    ),
}
"""Python lines of each combiner, by its name."""


def export_ensemble(ensemble: Ensemble, kind: str) -> str:
    """The ensemble as one of ENSEMBLE_KINDS; raises ValueError for another kind."""
    if not isinstance(kind, str) or kind not in ENSEMBLE_KINDS:
        raise ValueError(
            f"`kind` must be one of {', '.join(ENSEMBLE_KINDS)}; not {short_repr(kind)}"
        )
    return {"python": ensemble_python, "json": ensemble_json}[kind](ensemble)


def ensemble_python(ensemble: Ensemble) -> str:
    """Python code of `predict(row)`, and of `predict_proba(row)` for classes."""
    functions = *_tree_functions(ensemble), _combiner_function(ensemble)
    return "\n\n".join((*functions, *_predict_functions(ensemble.data)))


def _tree_functions(ensemble: Ensemble) -> Iterator[str]:
    """Python code of a function for each tree, and of the tuple _TREES of them."""
    data, members = ensemble.members.data, list[str]()

    def literal(value: float) -> str:
        return repr(int(value) if data.classes else value)

    amounts = zip(ensemble.score_index.tolist(), ensemble.member_factor.tolist(), strict=True)
    pairs = zip(_predicting_trees(ensemble), amounts, strict=True)
    for member, (tree, column_and_amount) in enumerate(pairs):
        name, purpose = f"_tree_{member}", f"What tree {member} says of one row"
        prediction = partial(prediction_code, data, tree, PYTHON.dialect, literal)
        yield function_code(data, tree, name, purpose, prediction)
        members.append(f"({', '.join((name, *map(repr, column_and_amount)))}),")
    head = "_TREES = (  # the column of the scores of each, and its amount"
    yield _indented(head, *members) + ")\n"


def _combiner_function(ensemble: Ensemble) -> str:
    """Python code of the function that makes one prediction of those of all trees."""
    combiner = _PYTHON_COMBINERS[ensemble.combiner.name]
    return _indented(
        "def _meaning(row):",
        '"""What the trees say together: the share of each class, or a number."""',
        f"scores = {ensemble.initial_scores.tolist()!r}",
        "for tree, column, amount in _TREES:",
        "    said = tree(row)",
        *(f"    {line}" for line in combiner.add),
        *combiner.result,
    )


def _predict_functions(data: Dataset) -> Iterator[str]:
    """Python code of the functions for users: `predict`, and `predict_proba` for classes."""
    target = clean(data.target).replace("\\", "/").replace('"', "'")
    predict = "def predict(row):", f'"""Predict {target} of one row, a mapping of numbers."""'
    if not data.classes:
        yield _indented(*predict, "return _meaning(row)")
        return
    yield f"_CLASSES = {[plain_label(value) for value in data.classes]!r}\n"
    yield _indented(*predict, "shares = _meaning(row)", *_choose_class_lines(data))
    yield _indented(
        "def predict_proba(row):",
        f'"""The share of each class of {target} for one row, a mapping of numbers."""',
        "return dict(zip(_CLASSES, _meaning(row)))",
    )


def ensemble_json(ensemble: Ensemble) -> str:
    """The ensemble as JSON: the nodes of each tree as in `as_json`, and how trees are combined.

    "way" names the combiner: vote, mean, sum or logits. Scores begin at "start". A tree adds its
    "amount" times its prediction, the "value" of a leaf, to the score with the index "column". In a
    vote it adds its "amount" to the score of the class that it predicts.
    """
    data = ensemble.data
    amounts = ensemble.score_index.tolist(), ensemble.member_factor.tolist()
    body = {
        "dtviz": 1,
        "ensemble": ensemble.plan.kind,
        "task": data.task,
        "target": data.target,
        "features": list(data.features),
        "classes": [plain_label(value) for value in data.classes],
        "criterion": ensemble.members.rules.criterion,
        "way": ensemble.combiner.name,
        "start": ensemble.initial_scores.tolist(),
        **({} if data.costs is None else {"costs": data.costs.tolist()}),
        "trees": [
            {
                "column": column,
                "amount": amount,
                "leaf_model": tree.leaf_model.name,
                "nodes": _json_nodes(ensemble.members.data, tree),
            }
            for tree, column, amount in zip(_predicting_trees(ensemble), *amounts, strict=True)
        ],
    }
    return json.dumps(body, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _predicting_trees(ensemble: Ensemble) -> Iterator[Tree]:
    """The trees, each leaf with the parameters by which it predicts in the ensemble."""
    members = ensemble.members
    for member in range(len(members)):
        tree, indices = members.tree(member), members.nodes_of(member)
        leaves = {
            leaf: replace(tree.nodes[leaf], params=tuple(members.params[indices[leaf]].tolist()))
            for leaf in tree.rows
        }
        yield replace(tree, nodes=dict(tree.nodes) | leaves)


def _choose_class_lines(data: Dataset) -> tuple[str, ...]:
    """Python lines that choose a class by its shares: the first of largest share or least cost."""
    if data.costs is None:
        return (
            f"least = max(shares) * {1 - ROUNDING!r}",
            "return next(label for label, share in zip(_CLASSES, shares) if share >= least)",
        )
    costs = relative_costs(data.costs).T.tolist()
    return (
        f"costs = {costs!r}  # of calling a row this, by what it is",
        "costs = [sum(p * cost for p, cost in zip(shares, line)) for line in costs]",
        "least = min(costs)",
        f"return next(c for c, cost in zip(_CLASSES, costs) if cost * {1 - ROUNDING!r} <= least)",
    )


def _indented(head: str, *body: str) -> str:
    """The first line of a block of code, with the lines of its body indented."""
    return "\n".join([head, *(f"    {line}" for line in body), ""])
