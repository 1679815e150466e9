"""The page Impurity."""

from dtviz.app.site import PAGES, show

show(PAGES["impurity"])
