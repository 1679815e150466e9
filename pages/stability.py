"""The page Stability."""

from dtviz.ui.site import PAGES, show

show(PAGES["stability"])
