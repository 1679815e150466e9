"""The shapes of frames in dtviz/pictures/frame_types.py: for TypeScript, and to hold frames to.

`python tests/frontend/frame_types.py` writes dtviz/frontend/frames.d.ts anew.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, NotRequired, TypedDict, Union, get_args, get_origin, get_type_hints

import numpy as np

from dtviz.pictures import frame_types

FILE = Path(__file__).parents[2] / "dtviz" / "frontend" / "frames.d.ts"
ARRAYS = {
    frame_types.F8: ("f8", "Float64Array<ArrayBuffer>"),
    frame_types.I4: ("i4", "Int32Array<ArrayBuffer>"),
    frame_types.U1: ("u1", "Uint8Array<ArrayBuffer>"),
}
PLAIN = {str: "string", bool: "boolean", int: "number", float: "number", type(None): "null"}
HEAD = """\
// Written by tests/frontend/frame_types.py from dtviz/pictures/frame_types.py: change that.
"""


def text() -> str:
    """The whole file."""
    named = [one for one in vars(frame_types).values() if typing.is_typeddict(one)]
    frames = (f'{_names(each)} & {{ kind: "{kind}" }}' for kind, each in frame_types.KINDS.items())
    union = "".join(f"\n  | ({one})" for one in frames)
    return "\n".join([HEAD, *map(_interface, named), f"export type Frame ={union};", ""])


def _names(each: Sequence[type]) -> str:
    return each[0].__name__ if len(each) == 1 else f"({' | '.join(one.__name__ for one in each)})"


def _interface(shape: Any) -> str:
    """A TypedDict as an interface, with its docstring."""
    doc = " ".join(shape.__doc__.split())
    lines = [
        f"  {name}{'' if needed else '?'}: {_type(hint)};"
        for name, (hint, needed) in _entries(shape).items()
    ]
    head = f"/** {doc} */\nexport interface {shape.__name__} {{"
    return "\n".join([head, *lines, "}", ""])


@cache
def _entries(shape: Any) -> dict[str, tuple[Any, bool]]:
    """What each entry holds and whether it is always there, by name."""
    hints, always = (
        get_type_hints(shape, vars(frame_types), include_extras=True),
        shape.__required_keys__,
    )
    out = {}
    for name, hint in hints.items():
        maybe = get_origin(hint) is NotRequired
        out[name] = (get_args(hint)[0] if maybe else hint, not maybe and name in always)
    return out


def _type(hint: Any) -> str:
    """A type as TypeScript writes it."""
    if hint in ARRAYS:
        return ARRAYS[hint][1]
    if hint in PLAIN:
        return PLAIN[hint]
    if typing.is_typeddict(hint):
        return str(hint.__name__)
    args = [_type(arg) for arg in get_args(hint) if get_origin(hint) is not Literal]
    match get_origin(hint):
        case origin if origin is list or origin is Sequence:
            return f"Array<{args[0]}>"
        case origin if origin is dict:
            return f"Record<string, {args[1]}>"
        case origin if origin is tuple:
            return f"[{', '.join(args)}]"
        case origin if origin is Literal:
            return " | ".join(f'"{arg}"' for arg in get_args(hint))
        case origin if origin in (Union, types.UnionType):
            return " | ".join(dict.fromkeys(args))
    raise TypeError(f"a frame holds no {hint}")


def faults(value: Any, hint: Any, at: str = "frame") -> list[str]:
    """Where an unpacked value is not what the type says; nothing if it is."""
    origin, args = _parts(hint)
    if origin is TypedDict:
        return _entry_faults(value, hint, at)
    if origin in (Union, types.UnionType):
        good = any(not faults(value, arg) for arg in args)
    elif origin is Literal:
        good = value in args
    elif hint in ARRAYS:
        good = isinstance(value, np.ndarray) and value.dtype.str[1:] == ARRAYS[hint][0]
    elif origin is None:  # a whole number is a number too, but True is none
        good = type(value) in ((int, float) if hint is float else (hint,))
    else:
        good = isinstance(value, dict if origin is dict else list)
        good = good and (origin is not tuple or len(value) == len(args))
        if good:
            return _inner_faults(value, origin, args, at)
    return [] if good else [f"{at} is {value!r:.60}, not {hint}"]


@cache
def _parts(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """What a type is made from, and of what: asked for every number of a frame."""
    return TypedDict if typing.is_typeddict(hint) else get_origin(hint), get_args(hint)


def _inner_faults(value: Any, origin: Any, args: tuple[Any, ...], at: str) -> list[str]:
    """Those of the entries of a list, a tuple or a dictionary."""
    hints = args if origin is tuple else [args[-1]] * len(value)
    pairs = value.items() if origin is dict else enumerate(value)
    inner = zip(pairs, hints, strict=True)
    return [fault for (k, one), arg in inner for fault in faults(one, arg, f"{at}[{k!r}]")]


def _entry_faults(value: Any, shape: Any, at: str) -> list[str]:
    """Those of what has entries by name."""
    if not isinstance(value, dict):
        return [f"{at} is {value!r:.60}, not {shape.__name__}"]
    entries = _entries(shape)
    needed = {name for name, (_, always) in entries.items() if always}
    found = [f"{at} lacks {name}" for name in sorted(needed - value.keys())]
    found += [f"{at} has {name}" for name in sorted(value.keys() - entries.keys())]
    for name in sorted(value.keys() & entries.keys()):
        found += faults(value[name], entries[name][0], f"{at}.{name}")
    return found


def frame_faults(frame: dict[str, Any]) -> list[str]:
    """Where an unpacked frame is none of its kind; nothing if it is one."""
    kind = frame.get("kind", "")
    plain = {name: value for name, value in frame.items() if name != "kind"}
    told = [faults(plain, shape, shape.__name__) for shape in frame_types.KINDS.get(kind, ())]
    return min(told, key=len, default=[f"no picture is of kind {kind!r}"])


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
