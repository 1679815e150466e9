"""The page Impurity."""

from dtviz.ui.site import PAGES, show

show(PAGES["impurity"])
