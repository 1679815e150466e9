"""The page Grow."""

from dtviz.ui import grow_page

grow_page.show()
