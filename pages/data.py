"""The page Data."""

from dtviz.ui.site import PAGES, show

show(PAGES["data"])
