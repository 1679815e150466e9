"""The app: one of its pages, under the bar that leads to all; and, imported, its server."""

if __name__ == "__main__":
    from dtviz.app.page import frame
    from dtviz.app.site import navigation

    page = navigation(__file__)
    frame(page.title)
    page.run()
else:
    from streamlit import App

    from dtviz.app.server import guarded

    app = App(__file__, **guarded(__file__))
