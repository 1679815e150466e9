"""The page Learn."""

from dtviz.ui.site import PAGES, show

show(PAGES["learn"])
