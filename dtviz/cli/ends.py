"""How a command ends: with a code, or with what is wrong in one line."""

from __future__ import annotations

OK, FAILED, MISUSED = 0, 1, 2


class UsageError(ValueError):
    """What was asked for cannot be done, and what can: one line for the user."""


def line_of(error: BaseException) -> str:
    """The error as one line."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    return " ".join(str(error).split()) or type(error).__name__
