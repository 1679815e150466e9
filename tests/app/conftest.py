"""Runs of pages that are complete, unless a test slices their work."""

import pytest

from dtviz.base import progress


@pytest.fixture(autouse=True)
def whole_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SLICE_SECONDS", 600)
