"""The app: one of its pages, under the bar that leads to all."""

from dtviz.ui.page import frame
from dtviz.ui.site import navigation

page = navigation(__file__)
frame(page.title)
page.run()
