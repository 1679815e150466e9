"""The page Overfit."""

from dtviz.ui.site import PAGES, show

show(PAGES["overfit"])
