"""What is refused, as the sentence it is refused in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dtviz.data.dataset import DataError


def refusal(call: Callable[..., object], *given: Any, **named: Any) -> str:
    """The sentence of the DataError that a call raises; '' where it raises none."""
    try:
        call(*given, **named)
    except DataError as error:
        return str(error)
    return ""
