"""Dates and durations on the stage and in formulas."""

from __future__ import annotations

import pytest
from acts import Settled, Visit, expect_step, has_no_error, picture, sentence
from playwright.sync_api import expect

pytestmark = pytest.mark.nightly


def test_a_date_is_cut_by_keys_told_in_formulas(moved: Visit, settled: Settled) -> None:
    page = moved("/grow?data=sign_ups")
    expect_step(page, 0)
    stage = picture(page, "stage")
    best = "signed_up before 2024-03-01"
    assert stage.get_attribute("data-cut") == best
    assert f"Root. {best} wins" in sentence(page).replace("\u2060", "")
    stage.locator(".slider").focus()
    page.keyboard.press("ArrowLeft")
    assert stage.get_attribute("data-cut") == "signed_up before 2024-02-13"
    page.keyboard.press("ArrowUp")
    assert (stage.get_attribute("data-cut") or "").startswith("waited ≤ ")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.wait_for_url("**cut=1.6750.0*")
    settled(page)
    expect(stage).to_have_attribute("data-cut", "waited ≤ 01:53:00")
    for name in ("Arithmetic", "Rules", "Candidates"):
        page.get_by_role("tab", name=name).click()
        settled(page)
        has_no_error(page)
        expect(page.locator(".katex-error")).to_have_count(0)
