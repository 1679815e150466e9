"""The page Forest."""

from dtviz.ui.site import PAGES, show

show(PAGES["forest"])
