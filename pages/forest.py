"""The page Forest."""

from dtviz.app.site import PAGES, show

show(PAGES["forest"])
