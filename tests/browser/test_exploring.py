"""A fitted model opened in an app of its own."""

from __future__ import annotations

import pytest
from acts import NewContext
from playwright.sync_api import expect
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier

import dtviz

pytestmark = pytest.mark.nightly


@pytest.mark.usefixtures("app_url")
def test_a_member_of_a_forest_is_shown_with_what_its_split_gave_away(
    new_context: NewContext,
) -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    app = dtviz.explore(forest, X, y, 2, browser=False)
    try:
        assert not app.folder.exists()  # it has been read
        page = new_context().new_page()
        page.goto(app.url)
        said = page.locator(".asked, .st-key-say").first
        expect(said).to_contain_text("gain 0.232, 68.8 % of the best cut")
        expect(page.get_by_text("RandomForestClassifier 2")).to_be_visible()
    finally:
        app.stop()
