"""The words of the package: nouns and verbs, docstrings that state, types with one meaning."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "dtviz"
PRIVATE_WORDS = """
told said asked known found own one some its at way ways whole lost stays worth many few most least
late near there behind instead beside around again given seen made kept settled arrived arranged
contested placed stands everywhere alike together between
"""
"""Pronouns, participles and adverbs: no reader knows which noun of the field they stand for."""
QUESTION_WORDS = "what whether which how where why who when"

MAX_PRIVATE_SHARE = 0.005
"""Share of all bound names that may be made of private words alone."""
MAX_QUESTION_SHARE = 0.02
"""Share of docstrings that may open with a question word."""


@cache
def modules() -> dict[Path, tuple[str, ast.Module]]:
    """Source text and syntax tree of each module of the package."""
    paths = sorted(path for path in PACKAGE.rglob("*.py") if "vendor" not in path.parts)
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    return {path: (text, ast.parse(text)) for path, text in texts.items()}


@cache
def nodes() -> list[tuple[str, ast.AST]]:
    """Every node of every module, with the module's path inside the package."""
    trees = [(str(path.relative_to(PACKAGE)), tree) for path, (_, tree) in modules().items()]
    return [(place, node) for place, tree in trees for node in ast.walk(tree)]


def bound_name(node: ast.AST) -> str | None:
    """The name that a node binds: of a function, class, parameter, variable or attribute."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return name
        case ast.ClassDef(name=name) | ast.arg(arg=name):
            return name
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
            return name
    return None


@cache
def is_private_word(name: str) -> bool:
    """True if all words of a name are pronouns, participles or adverbs."""
    words = [word.lower() for word in re.split(r"_+|(?<=[a-z])(?=[A-Z])", name.strip("_")) if word]
    return bool(words) and set(PRIVATE_WORDS.split()).issuperset(words)


def test_names_are_nouns_and_verbs() -> None:
    names = [(name, place) for place, node in nodes() if (name := bound_name(node))]
    private = [f"{place}: {name}" for name, place in names if is_private_word(name)]
    assert len(private) <= MAX_PRIVATE_SHARE * len(names), "\n".join(private)


def test_docstrings_state_and_do_not_ask() -> None:
    documented = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    docs = [
        (place, doc)
        for place, node in nodes()
        if isinstance(node, documented) and (doc := ast.get_docstring(node))
    ]
    asking = [
        f"{place}: {doc.splitlines()[0]}"
        for place, doc in docs
        if doc.split()[0].strip("`*:,.").lower() in QUESTION_WORDS.split()
    ]
    assert len(asking) <= MAX_QUESTION_SHARE * len(docs), "\n".join(asking)


def test_a_type_name_has_one_meaning() -> None:
    """Classes and aliases of types; a name that is imported has the meaning of its own module."""
    meanings = defaultdict(set)
    for path, (_, tree) in modules().items():
        for node in tree.body:
            match node:
                case ast.ClassDef(name=name) if not name.startswith("_"):
                    meanings[name].add(str(path))
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    is_type = re.fullmatch(r"[A-Z][a-z]\w*", name) is not None
                    if is_type and "TypeVar" not in ast.unparse(value):
                        meanings[name].add(ast.unparse(value))
    shared = sorted(name for name, places in meanings.items() if len(places) > 1)
    assert not shared


def test_each_field_of_a_dataclass_is_documented_beside_it() -> None:
    silent = [
        f"{path.relative_to(PACKAGE)}: {owner.name}.{name}"
        for path, (text, tree) in modules().items()
        for owner in tree.body
        if isinstance(owner, ast.ClassDef) and is_public_dataclass(owner)
        for name in silent_fields(owner, text.splitlines())
    ]
    assert not silent, "\n".join(silent)


def is_public_dataclass(owner: ast.ClassDef) -> bool:
    """True for a dataclass or named tuple whose name is public."""
    texts = [ast.unparse(node) for node in (*owner.decorator_list, *owner.bases)]
    is_record = any("dataclass" in text or "NamedTuple" in text for text in texts)
    return is_record and not owner.name.startswith("_")


def silent_fields(owner: ast.ClassDef, lines: list[str]) -> Iterator[str]:
    """Fields without a docstring below them and without a comment on their line or above it."""
    for node, after in zip(owner.body, [*owner.body[1:], None], strict=True):
        match node:
            case ast.AnnAssign(target=ast.Name(id=name)) if not name.startswith("_"):
                above, line = lines[node.lineno - 2].strip(), lines[(node.end_lineno or 0) - 1]
                below = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
                if not (below or above.startswith("#") or "  # " in line):
                    yield name
