"""The page Grow."""

from dtviz.app.site import PAGES, show

show(PAGES["grow"])
