"""The app: one of its pages, under the bar that leads to all; and, imported, its server."""

if __name__ == "__main__":
    from dtviz.ui.page import frame
    from dtviz.ui.site import navigation

    page = navigation(__file__)
    frame(page.title)
    page.run()
else:
    from streamlit import App

    from dtviz.ui.server import guarded

    app = App(__file__, **guarded(__file__))
