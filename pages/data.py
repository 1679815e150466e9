"""The page Data."""

from dtviz.ui import data_page

data_page.show()
