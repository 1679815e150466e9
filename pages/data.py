"""The page Data."""

from dtviz.app.site import PAGES, show

show(PAGES["data"])
