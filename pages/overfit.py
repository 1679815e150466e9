"""The page Overfit."""

from dtviz.app.site import PAGES, show

show(PAGES["overfit"])
