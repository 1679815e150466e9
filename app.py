"""The app. Run by Streamlit, it shows one page under the navigation; imported, it is the server."""

if __name__ == "__main__":
    from dtviz.app.page import set_up_page
    from dtviz.app.site import navigation

    page = navigation(__file__)
    set_up_page(page.title)
    page.run()
else:
    from streamlit import App

    from dtviz.app.server import guarded_options

    app = App(__file__, **guarded_options())
