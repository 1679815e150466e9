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
def test_a_fitted_forest_is_shown_and_a_member_with_what_its_split_gave_away(
    new_context: NewContext,
) -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    app = dtviz.explore(forest, X, y, browser=False)
    try:
        assert not app.folder.exists()  # it has been read
        page = new_context().new_page()
        page.goto(app.url)
        expect(page.get_by_text("The 5 trees of the fitted RandomForestClassifier")).to_be_visible()
        page.get_by_role("button", name="Open tree 3 in Grow").click()
        said = page.locator(".asked, .st-key-say").first
        expect(said).to_contain_text("gain 0.232, 68.8 % of the best cut")
        expect(page.get_by_text("tree 3, member 2")).to_be_visible()
    finally:
        app.stop()
