"""What a coroutine gives, in a test that may stand where Playwright's own loop is running."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def awaited(one: Coroutine[Any, Any, T]) -> T:
    """Run it in a thread of its own."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, one).result()
