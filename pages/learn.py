"""The page Learn."""

from dtviz.app.site import PAGES, show

show(PAGES["learn"])
