"""The page Grow."""

from dtviz.ui.site import PAGES, show

show(PAGES["grow"])
