"""The page Stability."""

from dtviz.app.site import PAGES, show

show(PAGES["stability"])
