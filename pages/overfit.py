"""The page Overfit."""

from dtviz.ui import overfit_page

overfit_page.show()
