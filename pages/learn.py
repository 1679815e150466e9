"""The page Learn."""

from dtviz.ui import learn_page

learn_page.show()
