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


FRONTEND = PACKAGE / "frontend"
SCRIPT_TOKEN = re.compile(
    r"""
    /\*.*?\*/ | //[^\n]*                                                              # comments
    | "(?:\\.|[^"\\\n])*" | `(?:\\.|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}|[^`\\])*`     # texts
    | (?<![\w)\]][ ])(?<![\w)\]])/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+/[a-z]*         # patterns
    | (?P<code>[\#]?[A-Za-z_$][\w$]* | \.\.\. | => | [-+*/%<>=!&|?^]+= | [^\s\w])
    """,
    re.DOTALL | re.VERBOSE,
)
STATEMENTS = {"if", "for", "while", "switch", "catch", "function", "constructor", "super"}


def script_names(text: str) -> list[str]:
    """The names that a JavaScript module binds: in declarations, parameters, classes, typedefs."""
    found = [match["code"] for match in SCRIPT_TOKEN.finditer(text) if match["code"]]
    tokens = ["", "", *found, "", "", ""]
    names = re.findall(r"@typedef\s+\{[^@]*\}[\s*]+(\w+)", text)

    def end(at: int, ends: str) -> int:
        """Index of the first token of some outside the brackets that open from an index on."""
        depth = 0
        while tokens[at] and (depth or tokens[at] not in ends):
            depth += (tokens[at] in "([{") - (tokens[at] in ")]}")
            at += 1
        return at

    def bind(at: int, ends: str = ",)]}") -> int:
        """Bind the names of a pattern such as `{ a, b: [c] = d }`; returns the index after it."""
        if tokens[at] == "...":
            at += 1
        if tokens[at] and tokens[at] in "([{":
            is_object, at = tokens[at] == "{", at + 1
            while tokens[at] and tokens[at] not in ")]}":
                has_key = is_object and tokens[at + 1] == ":"
                at = at + 1 if tokens[at] == "," else bind(at + 2 * has_key)
        else:
            names.append(tokens[at])
        return end(at + 1, ends) if tokens[at + 1] == "=" else at + 1

    for at in range(2, len(tokens) - 3):
        owner, before, token, after = tokens[at - 2 : at + 2]
        if token in {"const", "let", "var"}:
            bind(at + 1, ";")
        elif token == "(":
            follower = tokens[end(at + 1, ")") + 1]
            if follower == "=>" or before in {"catch", "function", "constructor"}:
                bind(at)
            elif follower == "{" and before[:1].isalpha() and before not in STATEMENTS:
                names.append(before)  # a function or a method
                bind(at)
        elif token[-1:].isalnum():
            is_assigned = after == "=" and (before in "{};" or (owner, before) == ("this", "."))
            if is_assigned or before == "class" or after == "=>":
                names.append(token)
    return names


def test_the_browsers_names_are_nouns_and_verbs() -> None:
    names = [
        (name, str(path.relative_to(FRONTEND)))
        for path in sorted(FRONTEND.rglob("*.js"))
        if "vendor" not in path.parts
        for name in script_names(path.read_text(encoding="utf-8"))
    ]
    private = [f"{place}: {name}" for name, place in names if is_private_word(name.lstrip("$"))]
    assert len(private) <= MAX_PRIVATE_SHARE * len(names), "\n".join(private)


def test_names_are_found_in_every_form_of_declaration() -> None:
    script = """
    const a = 1; const { b, c: [d, ...e], f = (g) => g } = { x: "const y" }; let h;
    class I extends J { k(l, { m: n }) { this.o = (p) => { if (x) x(x); }; } }
    async function q(r = x({}), ...s) { try { for (const t of x) {} } catch (u) {} }
    /** @typedef {{ x: string }} V */ export const w = /const y/;
    """
    assert sorted(script_names(script)) == ["I", "V", "a", *"bdefghklnopqrstuw"]
