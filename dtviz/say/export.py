"""A tree as text, Python, SQL, JSON or DOT; the code, run, predicts what the model does.

Python and SQL carry thresholds to the last bit and send a row at the threshold left. Both are
flat, one line a leaf, so that no nesting limit is met by a deep tree. The SQL is standard: SQLite,
DuckDB and PostgreSQL run it as it stands, MySQL in the modes ANSI_QUOTES and NO_BACKSLASH_ESCAPES;
the columns hold double precision; of dates DATE or TIMESTAMP, in SQLite their text, with an offset
in UTC ('2024-03-01 08:30:00+00:00'); of durations their seconds.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from dtviz.engine.leaf_models import Literal
from dtviz.engine.rules import Rules
from dtviz.engine.splits import (
    Known,
    Split,
    Subset,
    axis_of,
    condition,
    family_of,
    formula,
    order_of,
    quantity_of,
)
from dtviz.engine.tree import Tree, ancestors, depth, preorder
from dtviz.quantities import kind_of
from dtviz.say.dot import dot
from dtviz.say.words import (
    Bounds,
    asked,
    joint,
    leaf_bounds,
    line_text,
    may_lack,
    node_rows,
    value_text,
    whole_rule,
)
from dtviz.table.data import Dataset
from dtviz.table.levels import Level, Rest
from dtviz.text import Dialect, clean, code, shown

KINDS = ("text", "python", "sql", "json", "dot")


def export(data: Dataset, rules: Rules, tree: Tree, kind: str) -> str:
    """The tree as one of KINDS; raises ValueError for another kind."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(f"`kind` must be one of {', '.join(KINDS)}; not {shown(kind)}")
    if kind == "json":
        return as_json(data, rules, tree)
    return {"text": text, "python": python, "sql": sql, "dot": dot}[kind](data, tree)


def text(data: Dataset, tree: Tree) -> str:
    """The tree as an indented outline, left branch first."""
    lines = []
    for node in sorted(tree.nodes, key=preorder):
        yes = "yes" if node % 2 == 0 else "no"
        how = f"{whole_rule(data, tree, node // 2)}: {yes}: " if node > 1 else ""
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
    kinds = sorted({quantity_of(one.projection, data).kind for one in _asked(tree)})
    lines = ["def predict(row):", f'    """Predict {target} of one row, a mapping of numbers."""']
    says = partial(_formula, data, tree, _PYTHON.dialect, lambda value: repr(_label(data, value)))
    if not tree.splits:
        return "\n".join([*lines, f"    return {says(1)}", ""])
    lines.append(f"    row = dict.fromkeys({list(data.features)!r}) | dict(row)")
    lines.append("    nan = float('nan')")
    lines.append("    none = ('NoneType', 'NAType')")
    lines.append("    gap = lambda x: type(x).__name__ in none or x != x")
    lines.append("    row = {name: nan if gap(x) else x for name, x in row.items()}")
    lines += _truth(data)
    lines += [line for kind in kinds for line in _PYTHON_NEEDS.get(kind, ())]
    for leaf, bounds in leaf_bounds(tree):
        lines.append(f"    if {_conditions(data, tree, leaf, bounds, _PYTHON)}:")
        lines.append(f"        return {says(leaf)}")
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


def sql(data: Dataset, tree: Tree) -> str:
    """A CASE expression over quoted column names; NULL where a needed feature is NULL.

    It has one type: classes that are not all text, all numbers or all true or false are text.
    """
    classes = _of_one_type(data.classes)

    def literal(value: float) -> str:
        return _sql_value(classes[int(value)] if classes else value)

    says = partial(_formula, data, tree, _SQL.dialect, literal)
    if not tree.splits:
        return says(1) + "\n"
    lines = [
        f"  WHEN {_conditions(data, tree, leaf, bounds, _SQL)} THEN {says(leaf)}"
        for leaf, bounds in leaf_bounds(tree)
    ]
    return "CASE\n" + "\n".join(lines) + "\nEND\n"


def as_json(data: Dataset, rules: Rules, tree: Tree) -> str:
    """Everything: features, classes, criterion, and the nodes in preorder with their numbers.

    A row goes left where its number is at most "threshold", its date "before" that, its duration
    "most_seconds" long.
    """
    body = {
        "dtviz": 1,
        "task": data.task,
        "target": data.target,
        "features": list(data.features),
        "classes": [_plain(value) for value in data.classes],
        "criterion": rules.criterion,
        "leaf_model": tree.leaf_model.name,
        "nodes": [_json_node(data, tree, node) for node in sorted(tree.nodes, key=preorder)],
    }
    return json.dumps(body, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _formula(data: Dataset, tree: Tree, dialect: Dialect, literal: Literal, leaf: int) -> str:
    """What a leaf predicts, in a language."""
    return tree.leaf_model.formula(tree.nodes[leaf].params, data.features, dialect, literal)


def _label(data: Dataset, value: float) -> Any:
    """A class of the data as a literal, or the number."""
    return _plain(data.classes[int(value)]) if data.classes else value


def _json_node(data: Dataset, tree: Tree, node: int) -> dict[str, Any]:
    known, split = tree.nodes[node], tree.splits.get(node)
    out: dict[str, Any] = {"id": node, "n": known.n, "impurity": known.impurity}
    if known.counts:
        out["counts"] = list(known.counts)
    if known.weighed:
        out["weight"] = known.weight
        if known.counts:
            out["class_weights"] = list(known.weighed.sums)
    out["value"] = _label(data, known.value)
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
        return {"feature": data.features[projection.feature], "left_if": side}
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


def _conditions(data: Dataset, tree: Tree, leaf: int, bounds: Bounds, language: Language) -> str:
    """What a leaf asks of a row in a language: of each projection, or split by split."""
    dialect = language.dialect

    def limit(node: int) -> str:
        return _literal(data, tree.splits[node], dialect) if node else ""

    if any(split.missing.surrogates is not None for split in tree.splits.values()):
        path = [*ancestors(leaf), leaf]
        texts = [
            _sent(data, tree.splits[node], child % 2 == 0, language)
            for node, child in pairwise(path)
        ]
        return dialect.both.join(texts)
    ordered = sorted(joint(bounds).items(), key=lambda item: order_of(item[0]))
    return dialect.both.join(
        asked(data, one, limit(of.low), limit(of.high), of.lacking, dialect) for one, of in ordered
    )


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
        (
            dialect.lacks(formula(one.projection, data, dialect), False),
            _side(data, one, side, dialect),
        )
        for one, side in known
    ]
    return language.first(cases, split.missing.left == left)


def _side(data: Dataset, split: Split, left: bool, dialect: Dialect) -> str:
    """What a split asks of the rows of one side that have the value."""
    limit = _literal(data, split, dialect)
    bounds = ("", limit) if left else (limit, "")
    return condition(split.projection, *bounds, data, dialect)


def _plain(value: Any) -> Any:
    """A class label as a literal: text, finite number or truth value; anything else as its text."""
    literal = type(value) in (str, bool, int) or (type(value) is float and math.isfinite(value))
    return value if literal else str(value)


def _of_one_type(values: Sequence[Any]) -> list[Any]:
    """The values as literals of one type in SQL; their texts where they have no other in common."""
    plain = [_plain(value) for value in values]
    types = {type(value) for value in plain}
    return plain if len(types) == 1 or types == {int, float} else [str(value) for value in values]


def _sql_name(name: str) -> str:
    return _sql_quoted(name, '"')


def _sql_quoted(text: str, mark: str) -> str:
    return mark + text.replace(mark, 2 * mark).replace("\0", "") + mark


def _sql_number(value: float) -> str:
    """The number so that every engine reads the very same float.

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
    return f"CAST({top >> twos} AS DOUBLE PRECISION){product} /* {value!r} */"


def _read_alike(value: float) -> bool:
    """Whether at most 15 digits, times or over a power of ten that is a float, make the number.

    One rounding is right then; a second one too, unless the digits lie half-way between two floats.
    """
    if (value and not 1e-7 <= abs(value) < 1e22) or float(f"{value:.15g}") != value:
        return False
    off = abs(Fraction(repr(value)) - Fraction(value)) / Fraction(math.ulp(value))
    return off < Fraction(499, 1000)


def _sql_value(value: Any) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return _sql_number(value)
    return str(value) if isinstance(value, int) else _sql_quoted(value, "'")


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
        return _python_lacks(score, lacking)
    value = f"str({score})" if isinstance(some[0], str) else score
    text = f"{score} is not nan and {value} {'in' if inside else 'not in'} {tuple(some)!r}"
    return f"({score} is nan or {text})" if lacking else text


def _python_lacks(score: str, so: bool) -> str:
    return f"{score} is nan" if so else f"{score} is not nan"


def _python_first(cases: Sequence[tuple[str, str]], otherwise: bool) -> str:
    chain = "".join(f"({then}) if {known} else " for known, then in cases)
    return f"({chain}{otherwise})"


def _sql_among(score: str, values: Sequence[Level], others: Sequence[Level], inside: bool) -> str:
    some, inside, lacking = _named(values, others, inside)
    if not some:
        return _sql_lacks(score, lacking)
    text = f"{score} {'IN' if inside else 'NOT IN'} ({', '.join(map(_sql_value, some))})"
    return f"({score} IS NULL OR {text})" if lacking else text


def _python_since(score: str, low: str, high: str) -> str:
    after, before = f"{low!r} <= " if low else "", f" < {high!r}" if high else ""
    return f"{score} is not nan and {after}when({score}){before}"


def _sql_since(score: str, low: str, high: str) -> str:
    after = f"{score} >= {_sql_value(low)}" if low else ""
    before = f"{score} < {_sql_value(high)}" if high else ""
    return " AND ".join(filter(None, (after, before)))


_PYTHON_NEEDS = {
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


def _sql_lacks(score: str, so: bool) -> str:
    return f"{score} IS {'' if so else 'NOT '}NULL"


def _sql_first(cases: Sequence[tuple[str, str]], otherwise: bool) -> str:
    whens = " ".join(f"WHEN {known} THEN {then}" for known, then in cases)
    return f"CASE {whens} ELSE 1 = {int(otherwise)} END"


class Language(NamedTuple):
    """A language that runs: its dialect, and how the first of some cases that holds decides.

    `first` takes pairs of what must hold and what is asked then, and the answer of none.
    """

    dialect: Dialect
    first: Callable[[Sequence[tuple[str, str]], bool], str]


_PYTHON = Language(
    code(
        lambda name: f"row[{name!r}]",
        repr,
        _python_among,
        " and ",
        _python_since,
        "seconds({})".format,
        _python_lacks,
    ),
    _python_first,
)
_SQL = Language(
    code(
        _sql_name,
        _sql_number,
        _sql_among,
        " AND ",
        _sql_since,
        "{} /* seconds */".format,
        _sql_lacks,
    ),
    _sql_first,
)
